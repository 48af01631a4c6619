#include "agent/attempt.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "agent_fixture.h"

static struct loop *loop;
static struct attempt *attempt;
static struct attempt_options options;
static struct secrets secrets;
static struct timer limit;
static int ends;
static struct outcome outcome;
static struct buf said, steps;
static void (*act)(void); /* on the first step */

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("an attempt hangs");
}

static void on_end(struct attempt *a, const struct output *r, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_ptr_equal(a, attempt);
    ends++;
    outcome = r->outcome;
    buf_add(&said, buf_str(&r->last_message));
    timer_stop(&limit);
    attempt_free(a);
}

static void on_step(const struct output *r, const struct output_step *step, void *ctx)
{
    (void)r, (void)ctx;
    buf_printf(&steps, "%.*s\n", STR_ARG(step->text));
    if (act) {
        void (*now)(void) = act;
        act = NULL;
        now();
    }
}

static int setup(void **state)
{
    loop = loop_new();
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    ends = 0;
    outcome = (struct outcome){0};
    act = NULL;
    int code = setup_agent(state);
    call.self = AGENT_SELF;
    options = (struct attempt_options){.name = "01-worker",
                                       .secrets = &secrets,
                                       .on_step = on_step,
                                       .on_end = on_end,
                                       .ctx = &options};
    return code;
}

static int teardown(void **state)
{
    timer_stop(&limit);
    loop_free(loop);
    secrets_done(&secrets);
    buf_done(&said);
    buf_done(&steps);
    return teardown_agent(state);
}

/* Start the candidate and wait for its end. */
static void run(const char *text)
{
    set_candidate(text);
    options.call = call;
    attempt = attempt_start(loop, &options);
    assert_int_equal(ends, 0);
    loop_run(loop);
    assert_int_equal(ends, 1);
    assert_int_equal(count_files("calls") <= 3, true); /* two transcripts, the mock's state */
}

/* The same with a script in place of Claude. */
static void run_script(const char *script)
{
    put_program("claude", script);
    run("{'tool':'claude-code','model':'m'}");
}

#define DONE                                                                                       \
    "echo "                                                                                        \
    "'{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"fine\"}'\n"
#define STEP(text)                                                                                 \
    "echo '{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"" text  \
    "\"}]}}'\n"

static void check_class(enum outcome_class want)
{
    if (outcome.class != want)
        fail_msg("%s, not %s: %s: %s", outcome_name(outcome.class), outcome_name(want),
                 outcome.evidence, outcome.message);
}

TEST_FIXTURE(setup, teardown);

TEST(the_mock_plays_its_script)
{
    run("{'tool':'mock','toolSpecific':{'script':[{'say':'done'},{'fail':'rate_limited',"
        "'until':'2030-01-01T00:00:00Z','message':'slow down'}]}}");
    check_class(OUTCOME_OK);
    CHECK_CSTR(buf_str(&said), "done");
    struct str text = read_text("calls/01-worker.out");
    assert_true(str_find(text, STR("\"mock.completed\",\"text\":\"done\"")) < text.n);
    CHECK_CSTR(read_text("calls/01-worker.err"), "");

    ends = 0;
    options.name = "02-worker"; /* a second call of the same candidate */
    set_candidate("{'tool':'mock','toolSpecific':{'script':[{'say':'done'},{'fail':'rate_limited',"
                  "'until':'2030-01-01T00:00:00Z','message':'slow down'}]}}");
    options.call = call;
    attempt = attempt_start(loop, &options);
    loop_run(loop);
    check_class(OUTCOME_RATE_LIMITED);
    assert_int_equal(outcome.until, 1893456000000);
    CHECK_CSTR(str_from(outcome.message), "slow down");
}

TEST(transcripts_are_private)
{
    struct stat st;
    umask(0);
    run_script("#!/bin/sh\n" STEP("hello") "echo oops >&2\n" DONE);
    umask(022);
    check_class(OUTCOME_OK);
    CHECK_CSTR(buf_str(&said), "fine");
    CHECK_CSTR(read_text("calls/01-worker.err"), "oops\n");
    assert_int_equal(stat("calls/01-worker.out", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(stat("calls/01-worker.err", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

TEST(it_runs_in_the_repo_and_reads_the_prompt_to_its_end)
{
    size_t n = 1u << 20;
    char *text = arena_alloc(&fixture, n);
    memset(text, 'x', n);
    call.prompt = str_make(text, n);
    run_script("#!/bin/sh\npwd > where\nwc -c > size\n" DONE);
    check_class(OUTCOME_OK);
    CHECK_CSTR(str_trim(read_text("repo/size")), "1048576");
    CHECK_CSTR(str_trim(read_text("repo/where")), call.cwd);
}

TEST(a_child_may_ignore_its_input)
{
    size_t n = 4u << 20;
    char *text = arena_alloc(&fixture, n);
    memset(text, 'x', n);
    call.prompt = str_make(text, n);
    run_script("#!/bin/sh\nexec <&-\n" DONE);
    check_class(OUTCOME_OK);
}

TEST(a_missing_program_is_an_outcome)
{
    run("{'tool':'claude-code','cliPath':'/no/such/claude'}");
    check_class(OUTCOME_LAUNCH);
    CHECK_CSTR(str_from(outcome.message), "cannot run /no/such/claude: no such file or directory");
    ends = 0;
    run("{'tool':'claude-code','env':{'A':'env:NO_SUCH_KEY'}}");
    check_class(OUTCOME_LAUNCH);
    assert_non_null(strstr(outcome.message, "NO_SUCH_KEY"));
}

TEST(an_unwritable_folder_is_an_outcome)
{
    call.dir = "/no/such/folder";
    put_program("claude", "#!/bin/sh\n" DONE);
    set_candidate("{'tool':'claude-code'}");
    options.call = call;
    attempt = attempt_start(loop, &options);
    loop_run(loop);
    check_class(OUTCOME_LAUNCH);
}

static void stop(void)
{
    attempt_stop(attempt);
}

static void stop_twice(void)
{
    attempt_stop(attempt);
    attempt_stop(attempt);
}

TEST(a_stop_is_an_outcome)
{
    act = stop;
    run_script("#!/bin/sh\n" STEP("begun") "exec sleep 1000\n");
    check_class(OUTCOME_KILLED);
    act = stop_twice; /* the second stop kills a child that ignores the first */
    ends = 0;
    run_script("#!/bin/sh\ntrap '' TERM\n" STEP("begun") "while :; do sleep 1000; done\n");
    check_class(OUTCOME_KILLED);
}

TEST(an_attempt_can_be_stopped_before_the_loop_runs)
{
    put_program("claude", "#!/bin/sh\nexec sleep 1000\n");
    set_candidate("{'tool':'claude-code'}");
    options.call = call;
    attempt = attempt_start(loop, &options);
    attempt_stop(attempt);
    loop_run(loop);
    check_class(OUTCOME_KILLED);
    ends = 0;
    set_candidate("{'tool':'claude-code','cliPath':'/no/such'}");
    options.call = call;
    attempt = attempt_start(loop, &options);
    attempt_stop(attempt);
    loop_run(loop);
    assert_int_equal(ends, 1);
}

TEST(the_time_of_an_attempt_is_limited)
{
    options.limit_ms = 100;
    run_script("#!/bin/sh\nexec sleep 1000\n");
    check_class(OUTCOME_BUDGET);
}

/* Wait until no process has this pid: a killed one may still be ending. */
static void check_gone(struct str pid_text)
{
    uint64_t pid;
    assert_true(str_to_u64(str_trim(pid_text), &pid));
    while (kill((pid_t)pid, 0) == 0) {
        char path[64], stat_line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *f = fopen(path, "r");
        bool is_dead = !f || (fgets(stat_line, sizeof stat_line, f) && strstr(stat_line, ") Z "));
        if (f)
            fclose(f);
        if (is_dead)
            return;
        if (test_is_over())
            fail_msg("process %d is still alive", (int)pid);
        usleep(1000);
    }
}

TEST(grandchildren_end_with_the_agent)
{
    run_script("#!/bin/sh\nsh -c 'trap \"\" TERM HUP; echo $$ > pid; while :; do sleep 1; done' "
               ">/dev/null 2>&1 &\nwhile ! test -s pid; do sleep 0.01; done\n" DONE);
    check_class(OUTCOME_OK);
    check_gone(read_text("repo/pid"));
}

TEST(grandchildren_are_stopped_with_the_agent)
{
    act = stop;
    run_script("#!/bin/sh\nsh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done' &\n"
               "while ! test -s pid; do sleep 0.01; done\n" STEP("begun") "wait\n");
    check_class(OUTCOME_KILLED);
    check_gone(read_text("repo/pid"));
}

TEST(a_grandchild_with_its_own_session_ends_too)
{
    act = stop;
    run_script("#!/bin/sh\nsetsid sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 &\n"
               "while ! test -s pid; do sleep 0.01; done\n" STEP("begun") "wait\n");
    check_class(OUTCOME_KILLED);
    check_gone(read_text("repo/pid"));
}

TEST(a_hopeless_attempt_is_ended_early)
{
    run_script("#!/bin/sh\necho '{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1,"
               "\"max_retries\":10,\"retry_delay_ms\":3600000,\"error_status\":429,\"error\":"
               "\"rate_limit\"}'\nexec sleep 1000\n");
    check_class(OUTCOME_RATE_LIMITED);
    assert_true(outcome.until > 0);
}

TEST(secrets_appear_nowhere)
{
    setenv("ATTEMPT_TEST_KEY", "sk-very-secret-value", 1);
    secrets_add(&secrets, STR("known-before-42"));
    put_program("claude",
                "#!/bin/sh\necho \"key $THEIRS\" >&2\nprintf 'known-be' >&2\nsleep 0.05\n"
                "echo 'fore-42' >&2\n"
                "echo '{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\","
                "\"text\":\"it is '$THEIRS'\"}]}}'\n"
                "echo '{\"type\":\"result\",\"is_error\":true,\"result\":\"API Error: '$THEIRS'\","
                "\"api_error_status\":400}'\nexit 1\n");
    run("{'tool':'claude-code','env':{'THEIRS':'env:ATTEMPT_TEST_KEY'}}");
    unsetenv("ATTEMPT_TEST_KEY");
    CHECK_CSTR(read_text("calls/01-worker.err"), "key ****\n****\n");
    struct str out = read_text("calls/01-worker.out");
    assert_true(str_find(out, STR("very-secret")) == out.n);
    assert_true(str_find(out, STR("it is ****")) < out.n);
    assert_true(str_find(buf_str(&steps), STR("very-secret")) == steps.n);
    assert_true(str_find(buf_str(&steps), STR("it is ****")) < steps.n);
    assert_true(str_find(buf_str(&said), STR("very-secret")) == said.n);
    assert_null(strstr(outcome.message, "very-secret"));
    assert_null(strstr(outcome.evidence, "very-secret"));
}

/* Steps, messages and evidence are cut, here in the middle of a key. */
TEST(no_part_of_a_secret_is_left_in_a_text_that_was_cut)
{
    static const int lengths[] = {220, 230, 495, 505}; /* of the text before the key */
    setenv("ATTEMPT_TEST_KEY", "sk-very-secret-value-of-a-key", 1);
    put_program("claude",
                "#!/bin/sh\npad=$(head -c $LENGTH /dev/zero | tr '\\0' x)\n"
                "echo '{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\","
                "\"text\":\"'$pad$THEIRS'\"}]}}'\n"
                "echo '{\"type\":\"result\",\"is_error\":true,\"result\":\"'$pad$THEIRS'\","
                "\"api_error_status\":400}'\nexit 1\n");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "{'tool':'claude-code','env':{'THEIRS':'env:ATTEMPT_TEST_KEY','LENGTH':'%d'}}",
                 lengths[i]);
        ends = 0;
        run(text);
        assert_true(str_find(buf_str(&steps), STR("sk-ver")) == steps.n);
        assert_true(str_find(buf_str(&said), STR("sk-ver")) == said.n);
        assert_null(strstr(outcome.message, "sk-ver"));
        assert_non_null(strstr(outcome.message, "xxx"));
    }
    unsetenv("ATTEMPT_TEST_KEY");
}

TEST(without_secrets_of_the_owner_those_of_the_call_are_masked)
{
    options.secrets = NULL;
    put_program("claude", "#!/bin/sh\necho \"key $ANTHROPIC_API_KEY\" >&2\n" DONE);
    run("{'tool':'claude-code','env':{'ANTHROPIC_API_KEY':'sk-very-secret'}}");
    CHECK_CSTR(read_text("calls/01-worker.err"), "key ****\n");
}

static long peak_kb(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}

TEST(much_output_is_bounded_on_disk_and_in_memory)
{
    long before = peak_kb();
    run_script("#!/bin/sh\nhead -c 200000000 /dev/zero | tr '\\0' 'x'\necho\n"
               "yes 'a line on the other side' | head -c 100000000 >&2\n" DONE);
    check_class(OUTCOME_OK);
    struct stat st;
    assert_int_equal(stat("calls/01-worker.out", &st), 0);
    assert_in_range(st.st_size, ATTEMPT_MAX_OUTPUT, ATTEMPT_MAX_OUTPUT + 100);
    assert_int_equal(stat("calls/01-worker.err", &st), 0);
    assert_in_range(st.st_size, ATTEMPT_MAX_OUTPUT, ATTEMPT_MAX_OUTPUT + 100);
    assert_true(peak_kb() - before < 128 * 1024);
}

TEST(the_rollout_of_codex_decides)
{
    put_program("codex",
                "#!/bin/sh\n"
                "d=$CODEX_HOME/sessions/2026/11/16; mkdir -p $d\n"
                "echo '{\"type\":\"event_msg\",\"payload\":{\"type\":\"task_complete\","
                "\"error\":{\"message\":\"limit\",\"codex_error_info\":"
                "\"usage_limit_exceeded\"}}}' > $d/rollout-1-01a1de78-0000-7000.jsonl\n"
                "echo '{\"type\":\"thread.started\",\"thread_id\":\"01a1de78-0000-7000\"}'\n"
                "echo '{\"type\":\"turn.started\"}'\n"
                "echo '{\"type\":\"turn.failed\",\"error\":{\"message\":\"It failed.\"}}'\n"
                "exit 1\n");
    setenv("CODEX_HOME", in_folder("ch"), 1);
    run("{'tool':'codex-cli'}");
    unsetenv("CODEX_HOME");
    check_class(OUTCOME_USAGE_LIMITED);
    assert_non_null(strstr(outcome.evidence, "rollout"));
}

TEST(a_stopped_container_is_removed)
{
    put_program("docker", "#!/bin/sh\necho \"$@\" >> log\n"
                          "if [ $1 = run ]; then " STEP("begun") "exec sleep 1000; fi\n");
    act = stop;
    options.sandbox = (struct sandbox){
        .kind = SANDBOX_DOCKER, .image = STR("image"), .repo = call.cwd, .dir = call.dir};
    run("{'tool':'claude-code'}");
    check_class(OUTCOME_KILLED);
    /* The agent runs in the repo, the cleanup in the folder of this program. */
    struct str ran = read_text("repo/log"), name;
    struct str rest = str_skip(ran, str_find(ran, STR("--name ")) + 7);
    str_cut(&rest, ' ', &name);
    CHECK_STR(str_trim(read_text("log")), arena_printf(&fixture, "rm -f %.*s", STR_ARG(name)));
}
