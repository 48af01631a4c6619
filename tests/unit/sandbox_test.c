#include "agent/sandbox.h"

#include "agent_fixture.h"
#include "process/capture.h"

static struct provider_launch launch;
static struct sandbox sandbox;
static struct error err;
static struct capture c;

static int setup(void **state)
{
    int code = setup_agent(state);
    sandbox = (struct sandbox){.repo = call.cwd, .dir = call.dir};
    call.mode = PROVIDER_WRITE;
    return code;
}

static int teardown(void **state)
{
    provider_launch_done(&launch);
    capture_done(&c);
    c = (struct capture){0};
    err = (struct error){0};
    return teardown_agent(state);
}

static void build(const char *text)
{
    set_candidate(text);
    provider_launch_done(&launch);
    if (!provider_build(&call, &launch, &err))
        fail_msg("%s", err.text);
}

static void wrap(enum sandbox_kind kind)
{
    sandbox.kind = kind;
    if (!sandbox_wrap(&sandbox, &launch, &err))
        fail_msg("%s", err.text);
}

static struct str line(void)
{
    struct buf b = {0};
    for (const char **a = launch.argv; *a; a++)
        buf_printf(&b, "%s%s", b.n ? " " : "", *a);
    struct str text = arena_str(&fixture, buf_str(&b));
    buf_done(&b);
    return text;
}

static bool has(const char *part)
{
    return str_find(line(), str_from(part)) < line().n;
}

TEST_FIXTURE(setup, teardown);

TEST(names_are_those_of_a_task)
{
    enum sandbox_kind kind;
    for (enum sandbox_kind k = SANDBOX_NONE; k < SANDBOX_KIND_COUNT; k++) {
        assert_true(sandbox_kind_find(str_from(sandbox_kind_name(k)), &kind));
        assert_int_equal(kind, k);
    }
    assert_false(sandbox_kind_find(STR("chroot"), &kind));
}

TEST(none_changes_nothing)
{
    build("{'tool':'claude-code'}");
    const char **before = launch.argv;
    wrap(SANDBOX_NONE);
    assert_ptr_equal(launch.argv, before);
}

TEST(request_only_agent_is_not_wrapped)
{
    build("{'tool':'openai-chat','model':'m'}");
    const char **before = launch.argv;
    sandbox.image = STR("image");
    wrap(SANDBOX_DOCKER);
    assert_ptr_equal(launch.argv, before);
}

TEST(missing_sandbox_program_is_named)
{
    build("{'tool':'claude-code','env':{'PATH':'/no/such'}}");
    sandbox.kind = SANDBOX_PODMAN;
    assert_false(sandbox_wrap(&sandbox, &launch, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), "sandbox podman: podman is not in PATH: install it, or set "
                                   "runner.sandbox to none");
}

TEST(container_needs_an_image_and_paths_without_colons)
{
    put_program("docker", "#!/bin/sh\n");
    build("{'tool':'claude-code'}");
    sandbox.kind = SANDBOX_DOCKER;
    assert_false(sandbox_wrap(&sandbox, &launch, &err));
    CHECK_CSTR(str_from(err.text), "sandbox docker needs an image: set runner.worker.docker_image");
    sandbox.image = STR("image");
    sandbox.repo = "/a:b";
    assert_false(sandbox_wrap(&sandbox, &launch, &err));
    CHECK_CSTR(str_from(err.text),
               "/a:b: a path with a colon cannot be mounted into a container: move it");
}

/* A script of that name logs its arguments. */
static void check_docker(enum sandbox_kind kind)
{
    const char *name = sandbox_kind_name(kind);
    put_program(name, "#!/bin/sh\nfor a; do echo \"$a\"; done > args\ncat > input\n"
                      "echo \"$MY_KEY\" > key\n");
    put("home/.claude/x", "");
    sandbox.image = STR("team/agents:1");
    setenv("SANDBOX_TEST_SECRET", "the-secret-value", 1);
    setenv("SANDBOX_TEST_OTHER", "other", 1);
    build("{'tool':'claude-code','model':'m','env':{'MY_KEY':'env:SANDBOX_TEST_SECRET'}}");
    unsetenv("SANDBOX_TEST_SECRET");
    unsetenv("SANDBOX_TEST_OTHER");
    wrap(kind);
    c = (struct capture){.argv = launch.argv,
                         .env = launch.env,
                         .cwd = launch.cwd,
                         .input = launch.input,
                         .limit_ms = 30000};
    assert_true(capture_run(&c, &err));
    CHECK_CSTR(read_text("repo/input"), "the prompt");
    CHECK_CSTR(read_text("repo/key"), "the-secret-value\n");
    struct str args = read_text("repo/args");
    const char *want[] = {
        "run\n--rm\n-i\n--init\n--network\nhost\n--name\nmultiverse-",
        arena_printf(&fixture, "\n-u\n%u:%u\n", getuid(), getgid()).p,
        arena_printf(&fixture, "\n-v\n%s:%s\n", call.cwd, call.cwd).p,
        arena_printf(&fixture, "\n-v\n%s:%s\n", launch.folder, launch.folder).p,
        arena_printf(&fixture, "\n-v\n%s/home:%s\n", launch.folder, in_folder("home")).p,
        arena_printf(&fixture, "\n-v\n%s/.claude:%s/.claude\n", in_folder("home"),
                     in_folder("home"))
            .p,
        "\n-e\nMY_KEY\n",
        "\n-e\nCLAUDE_CODE_MAX_RETRIES\n",
        arena_printf(&fixture, "\n-w\n%s\nteam/agents:1\nclaude\n-p\n", call.cwd).p,
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (str_find(args, str_from(want[i])) == args.n)
            fail_msg("missing: %s\nin: %.*s", want[i], STR_ARG(args));
    assert_true(str_find(args, STR("the-secret-value")) == args.n);
    assert_true(str_find(args, STR("SANDBOX_TEST_OTHER")) == args.n);
    assert_true(str_find(args, STR("\n-e\nPATH\n")) == args.n);
    CHECK_CSTR(str_from(launch.after_kill[1]), "rm");
}

TEST(docker_and_podman_get_names_of_variables_not_values)
{
    check_docker(SANDBOX_DOCKER);
    remove("repo/args");
    check_docker(SANDBOX_PODMAN);
}

TEST(program_of_a_container_is_not_checked_here)
{
    char why[128];
    set_candidate("{'tool':'claude-code','env':{'PATH':'/no/such'}}");
    sandbox.kind = SANDBOX_BWRAP;
    assert_false(provider_is_available(&candidate, why, &sandbox));
    sandbox.kind = SANDBOX_PODMAN;
    assert_true(provider_is_available(&candidate, why, &sandbox));
}

TEST(this_program_is_mounted_at_its_path)
{
    put_program("docker", "#!/bin/sh\n");
    sandbox.image = STR("image");
    build("{'tool':'mock'}");
    wrap(SANDBOX_DOCKER);
    assert_true(has("-v /usr/bin/multiverse:/usr/bin/multiverse:ro"));
    assert_true(has("image /usr/bin/multiverse agent-mock"));
}

TEST(bwrap_binds_the_writable_folders)
{
    put_program("bwrap", "#!/bin/sh\n");
    put("home/.claude/x", "");
    setenv("TMPDIR", "/somewhere", 1);
    build("{'tool':'claude-code'}");
    wrap(SANDBOX_BWRAP);
    unsetenv("TMPDIR");
    assert_true(has("--die-with-parent --unshare-pid --ro-bind / / --dev /dev --proc /proc "
                    "--tmpfs /tmp "));
    assert_true(has(arena_printf(&fixture, "--bind %s %s", call.cwd, call.cwd).p));
    assert_false(has(call.dir)); /* we write there */
    const char *home = in_folder("home/.claude");
    assert_true(has(arena_printf(&fixture, "--bind %s %s", home, home).p));
    assert_false(has(".claude.json")); /* does not exist */
    assert_true(has("--setenv TMPDIR /tmp"));
    assert_true(has(arena_printf(&fixture, "--chdir %s -- claude -p", call.cwd).p));

    build("{'tool':'claude-code','systemPrompt':'s'}");
    wrap(SANDBOX_BWRAP);
    assert_true(has(arena_printf(&fixture, "--bind %s %s", launch.folder, launch.folder).p));
    build("{'tool':'mock'}");
    wrap(SANDBOX_BWRAP);
    assert_true(has(arena_printf(&fixture, "--bind %s %s", call.dir, call.dir).p));
}

/* Return why bwrap does not work here, or NULL. */
static const char *bwrap_is_out(void)
{
    struct capture try = {.argv = (const char *const[]){"bwrap", "--ro-bind", "/", "/", "--dev",
                                                        "/dev", "--unshare-pid", "--proc", "/proc",
                                                        "true", NULL},
                          .limit_ms = 10000};
    const char *why = NULL;
    if (!capture_run(&try, NULL))
        why = "bwrap is not installed";
    else if (try.end.code || try.timed_out)
        why = "bwrap may not make namespaces here";
    capture_done(&try);
    return why;
}

TEST(only_the_repo_is_writable_in_bwrap)
{
    const char *why = bwrap_is_out();
    if (why) {
        print_message("skipped: %s\n", why);
        skip();
    }
    put("elsewhere", "before");
    put("home/.claude/x", "");
    put("repo/claude.sh", "#!/bin/sh\ncat > input\necho changed > file\n"
                          "echo x > ../elsewhere\n" /* in its private /tmp */
                          "echo x > /etc/multiverse-test || echo refused\n"
                          "echo x > $HOME/.claude/y && echo t > /tmp/t && ls /tmp/t\n"
                          "sleep 1000 & echo $KEY\n");
    chmod("repo/claude.sh", 0755);
    build("{'tool':'claude-code','cliPath':'repo/claude.sh','env':{'KEY':'inside'}}");
    wrap(SANDBOX_BWRAP);
    c = (struct capture){.argv = launch.argv,
                         .env = launch.env,
                         .cwd = launch.cwd,
                         .input = launch.input,
                         .limit_ms = 30000};
    assert_true(capture_run(&c, &err));
    assert_false(c.timed_out);
    if (c.end.code)
        fail_msg("%.*s", STR_ARG(buf_str(&c.err)));
    CHECK_CSTR(buf_str(&c.out), "refused\n/tmp/t\ninside\n");
    CHECK_CSTR(read_text("elsewhere"), "before");
    CHECK_CSTR(read_text("repo/input"), "the prompt");
    CHECK_CSTR(read_text("repo/file"), "changed\n");
    CHECK_CSTR(read_text("home/.claude/y"), "x\n");
    assert_false(file_exists("/tmp/t"));
}
