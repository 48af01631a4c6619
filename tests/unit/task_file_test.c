#include "task/task_file.h"

#include "folder_fixture.h"

static char name[96];

static int setup(void **state)
{
    if (!enter_folder())
        return -1;
    snprintf(name, sizeof name, "%s/jump.task.yaml", project_folder);
    return 0;
}

static int teardown(void **state)
{
    return leave_folder() ? 0 : -1;
}

static void sh(const char *script)
{
    assert_int_equal(system(script), 0);
}

static struct task_file *read_ok(const char *text)
{
    struct error err = {0};
    struct task_file *t = task_file_read(str_from(text), name, &err);
    if (!t)
        print_error("%s\n", err.text);
    assert_non_null(t);
    return t;
}

/* The error, without the folder. */
static void check_fault(const char *text, enum error_code code, const char *want)
{
    struct error err = {0};
    assert_null(task_file_read(str_from(text), name, &err));
    assert_int_equal(err.code, code);
    const char *got = err.text;
    if (!strncmp(got, project_folder, strlen(project_folder)))
        got += strlen(project_folder) + 1;
    CHECK_CSTR(str_from(got), want);
}

#define WRONG(text, want) check_fault(text, ERR_CONFIG_VALIDATION, "jump.task.yaml:" want)

/* ---- valid files */

TEST_FIXTURE(setup, teardown);

TEST(a_small_task_has_all_defaults)
{
    struct task_file *t = read_ok("version: 1\ntask: {prd: make it work}\n");
    CHECK_CSTR(t->id, "jump.task");
    CHECK_CSTR(t->title, "jump.task");
    CHECK_CSTR(t->prd, "make it work");
    char *real = realpath(project_folder, NULL);
    assert_string_equal(t->repo, real);
    assert_string_equal(t->test_cwd, real);
    free(real);
    assert_int_equal(t->max_loops, 10);
    assert_int_equal(t->max_run_time_ms, 1800000);
    assert_int_equal(t->meta.tool, AGENT_OPENAI);
    assert_int_equal(t->worker.tool, AGENT_CODEX);
    assert_false(t->has_meta || t->has_worker);
    assert_true(t->mcp_auto);
    assert_int_equal(t->sandbox, SANDBOX_NONE);
    assert_null(t->tooling);
    assert_null(t->worker_env);
    assert_int_equal(t->test_command.n + t->description.n + t->phase_name.n, 0);
    assert_int_equal(t->warning_count, 0);
    task_file_free(t);
}

TEST(every_field_is_read)
{
    struct buf text = {0};
    assert_true(file_read(GOLDEN "/full.in.yaml", 1 << 20, &text, NULL));
    struct task_file *t = read_ok(text.p);
    CHECK_CSTR(t->id, "2.1");
    CHECK_CSTR(t->title, "Jump: higher");
    assert_string_equal(t->repo, "/");
    CHECK_CSTR(t->description, "The player jumps too low.\n\n  indented");
    assert_int_equal(t->dependency_count, 2);
    CHECK_CSTR(t->dependencies[1], "T-2");
    assert_int_equal(t->wbs_level, 2);
    CHECK_CSTR(t->phase_name, "no");
    CHECK_CSTR(t->language, "C#");
    assert_int_equal(t->file_path_count, 2);
    CHECK_CSTR(t->file_paths[1], "Assets/with blank.cs");
    assert_int_equal(t->constraint_count, 1);
    CHECK_CSTR(t->prd, "# Jump\n\nThe player jumps 2 m high: not 1.\n    code\n\n");
    CHECK_CSTR(t->test_command, "make test && ./check \"$HOME\"");
    assert_string_equal(t->test_cwd, "/usr");
    assert_int_equal(t->max_loops, 3);
    assert_true(t->has_meta && t->has_worker);
    assert_int_equal(t->meta.tool, AGENT_CLAUDE);
    CHECK_CSTR(t->meta.model, "claude-sonnet-4-5-20250929");
    CHECK_CSTR(t->meta.system_prompt, "be brief\nand exact");
    CHECK_CSTR(json_str(json_get(t->meta.env, STR("ANTHROPIC_API_KEY"))), "env:WORK_KEY");
    CHECK_CSTR(t->worker.cli_path, "/usr/local/bin/codex");
    assert_int_equal(json_count(t->worker.flags), 3);
    CHECK_CSTR(json_str(json_get(t->worker.tool_specific, STR("reasoning_effort"))), "high");
    CHECK_CSTR(t->docker_image, "registry.example/agent:1");
    assert_int_equal(t->max_run_time_ms, 60000);
    assert_int_equal(json_count(t->worker_env), 4);
    CHECK_CSTR(json_str(json_get(t->worker_env, STR("B"))), "env:B");
    assert_false(t->mcp_auto);
    assert_int_equal(t->sandbox, SANDBOX_PODMAN);
    assert_int_equal(t->warning_count, 0);
    task_file_free(t);
    buf_done(&text);
}

TEST(empty_value_counts_as_missing)
{
    struct task_file *t = read_ok("version: 1\ntask:\n  prd: {text: a, path: }\n  id:\n  test:\n"
                                  "runner:\n");
    CHECK_CSTR(t->id, "jump.task");
    CHECK_CSTR(t->prd, "a");
    task_file_free(t);
}

TEST(requirements_may_be_in_a_file_beside_the_task_or_in_the_repo)
{
    sh("mkdir repo; echo in the repo > repo/prd.md; echo beside > other.md; "
       "echo both > both.md; echo no > repo/both.md");
    struct task_file *t = read_ok("version: 1\ntask: {prd: {path: prd.md}, repo: repo}");
    CHECK_CSTR(t->prd, "in the repo\n");
    assert_true(str_ends(str_from(t->repo), STR("/repo")));
    task_file_free(t);
    t = read_ok("version: 1\ntask: {prd: {path: other.md}, repo: repo}");
    CHECK_CSTR(t->prd, "beside\n");
    task_file_free(t);
    t = read_ok(
        "version: 1\ntask: {prd: {path: both.md}, repo: repo, test: {command: a, cwd: x/y}}");
    CHECK_CSTR(t->prd, "both\n");
    assert_true(str_ends(str_from(t->test_cwd), STR("/repo/x/y")));
    task_file_free(t);
}

TEST(paths_on_standard_input_are_relative_to_the_working_folder)
{
    struct error err = {0};
    sh("mkdir repo; echo found > prd.md");
    struct task_file *t =
        task_file_read(STR("version: 1\ntask: {prd: {path: prd.md}, repo: repo}"), "-", &err);
    assert_non_null(t);
    CHECK_CSTR(t->id, "task");
    CHECK_CSTR(t->prd, "found\n");
    assert_true(str_ends(str_from(t->repo), STR("/repo")));
    task_file_free(t);
    assert_null(task_file_read(STR("version: 2"), "-", &err));
    assert_non_null(strstr(err.text, "standard input:1:10: /version: must be 1"));
}

/* ---- errors */

TEST(error_has_line_column_pointer_and_what_is_allowed)
{
    WRONG("task: {prd: a}", "1:1: version is missing: it must be 1");
    WRONG("version: 2\ntask: {prd: a}", "1:10: /version: must be 1, the only version, not 2");
    WRONG("version: \"1\"\ntask: {prd: a}",
          "1:10: /version: must be 1, the only version, not \"1\"");
    WRONG("version: 1",
          "1:1: /task: prd is missing: give the requirements as text or as a mapping with "
          "path or text");
    WRONG("version: 1\ntask:\n  id: a\n",
          "3:3: /task: prd is missing: give the requirements as text or "
          "as a mapping with path or text");
    WRONG("- 1", "1:1: must be a mapping with version, task and runner, not an array");
    WRONG("version: 1\ntask: [a]", "2:7: /task: must be an object, not an array");
    WRONG("version: 1\ntask: {prd: 5}",
          "2:13: /task/prd: must be text, or a mapping with path or text, not a number");
    WRONG("version: 1\ntask: {prd: ' '}", "2:13: /task/prd: is empty: it must say what is wanted");
    WRONG("version: 1\ntask: {prd: {}}", "2:13: /task/prd: must have either path or text");
    WRONG("version: 1\ntask: {prd: {path: a, text: b}}",
          "2:13: /task/prd: must have either path or text");
    WRONG("version: 1\ntask: {prd: {text: [a]}}",
          "2:20: /task/prd/text: must be text, not an array");
    WRONG("version: 1\ntask: {prd: a, id: 12}",
          "2:20: /task/id: must be text, not a number: put it in quotes");
    WRONG("version: 1\ntask: {prd: a, title: \"a\\nb\"}",
          "2:23: /task/title: must be one line without control characters");
    WRONG("version: 1\ntask: {prd: a, wbs_level: -1}",
          "2:27: /task/wbs_level: must be a whole number from 1 to 1000, not -1");
    WRONG("version: 1\ntask: {prd: a, dependencies: [a, 1]}",
          "2:34: /task/dependencies/1: must be text, not a number: put it in quotes");
    WRONG("version: 1\ntask: {prd: a, test: make}", "2:22: /task/test: must be an object, not a "
                                                    "string");
    WRONG("version: 1\ntask: {prd: a, wbs_level: 1, wbsLevel: 1}",
          "2:40: /task/wbsLevel: duplicate, as \"wbs_level\" and as \"wbsLevel\": keep one of "
          "them");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {max_loops: 0}",
          "3:21: /runner/max_loops: must be a whole number from 1 to 100, not 0");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {max_loops: 1.5}",
          "3:21: /runner/max_loops: must be a whole number from 1 to 100, not 1.5");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {worker: {max_run_time_sec: forever}}",
          "3:37: /runner/worker/max_run_time_sec: must be a whole number from 1 to 604800, not "
          "\"forever\"");
    WRONG("version: 1\ntask: {prd: a}\nrunner:\n  worker:\n    kind: claude-cod",
          "5:11: /runner/worker/kind: unknown kind \"claude-cod\", did you mean \"claude-code\"? "
          "allowed: codex-cli, claude-code, gemini-cli, cursor-cli, openai-chat, mock");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {mcp: maybe}",
          "3:15: /runner/mcp: unknown setting \"maybe\"; allowed: auto, off");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {sandbox: dockr, worker: {docker_image: a}}",
          "3:19: /runner/sandbox: unknown sandbox \"dockr\", did you mean \"docker\"? allowed: "
          "none, bwrap, docker, podman");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {sandbox: docker}",
          "3:19: /runner/sandbox: needs an image: set runner.worker.docker_image");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {meta: {flags: -x}}",
          "3:24: /runner/meta/flags: must be a list of texts, not a string");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {tooling: {profiles: []}}",
          "3:30: /runner/tooling/profiles: there are no profiles; at least one is needed");
}

TEST(yaml_error_has_its_place)
{
    struct error err = {0};
    assert_null(task_file_read(STR("version: 1\ntask: {prd: a\nrunner: x"), name, &err));
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    assert_non_null(strstr(err.text, "jump.task.yaml:"));
}

TEST(missing_repo_is_an_error)
{
    struct error err = {0};
    assert_null(task_file_read(STR("version: 1\ntask:\n  prd: a\n  repo: nowhere\n"), name, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    assert_non_null(
        strstr(err.text, ":4:9: /task/repo: repo \"nowhere\" is not a folder, relative to "));
    sh("touch file");
    assert_null(task_file_read(STR("version: 1\ntask: {prd: a, repo: file}"), name, &err));
}

TEST(unreadable_requirements_are_an_error)
{
    struct error err = {0};
    assert_null(task_file_read(STR("version: 1\ntask: {prd: {path: gone.md}}"), name, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    assert_non_null(strstr(err.text, "/task/prd/path: cannot read "));
    sh("head -c 1048577 /dev/zero > big; printf 'a\\377' > bad; : > empty; mkfifo pipe");
    WRONG("version: 1\ntask: {prd: {path: big}}",
          "2:20: /task/prd/path: the file has more than 1048576 bytes");
    WRONG("version: 1\ntask: {prd: {path: bad}}", "2:20: /task/prd/path: must be UTF-8 text");
    WRONG("version: 1\ntask: {prd: {path: empty}}",
          "2:20: /task/prd/path: is empty: it must say what is wanted");
    assert_null(task_file_read(STR("version: 1\ntask: {prd: {path: pipe}}"), name, &err));
}

/* The value of a variable may be a secret. */
TEST(errors_of_variables_do_not_show_values)
{
    WRONG("version: 1\ntask: {prd: a}\nrunner: {worker: {env: {A: 123456789}}}",
          "3:28: /runner/worker/env/A: must be text, not a number: put it in quotes");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {worker: {env: {\"A=B\": hidden-value}}}",
          "3:32: /runner/worker/env/A=B: is not the name of a variable");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {meta: {env: {A: \"env:\"}}}",
          "3:26: /runner/meta/env/A: env: must be followed by the name of a variable, as in "
          "env:MY_KEY");
    WRONG("version: 1\ntask: {prd: a}\nrunner: {meta: {env: [hidden]}}",
          "3:22: /runner/meta/env: must be a mapping of texts, not an array");
}

TEST(unknown_key_is_a_warning_with_the_nearest_one)
{
    struct task_file *t = read_ok("version: 1\nextra: 1\ntask:\n  prd: {text: a, format: md}\n"
                                  "  titel: x\nrunner:\n  max_loop: 3\n"
                                  "  worker: {docker_image: a}\n");
    struct buf got = {0};
    for (size_t i = 0; i < t->warning_count; i++)
        buf_printf(&got, "%s\n",
                   strrchr(t->warnings[i].p, '/') ? strchr(t->warnings[i].p + 20, ':')
                                                  : t->warnings[i].p);
    CHECK_CSTR(buf_str(&got),
               ":2:8: /extra: this key is unknown and ignored\n"
               ":5:10: /task/titel: this key is unknown and ignored; did you mean \"title\"?\n"
               ":7:13: /runner/max_loop: this key is unknown and ignored; did you mean "
               "\"maxLoops\"?\n"
               ":4:26: /task/prd/format: this key is unknown and ignored\n"
               ":8:11: /runner/worker: docker_image is not used: runner.sandbox is neither docker "
               "nor podman\n");
    assert_int_equal(t->max_loops, 10);
    task_file_free(t);
    buf_done(&got);
}

TEST(lists_are_bounded)
{
    struct buf text = {0};
    buf_add(&text, STR("version: 1\ntask: {prd: a, dependencies: [a"));
    for (unsigned i = 0; i < TASK_FILE_MAX_ITEMS; i++)
        buf_add(&text, STR(",a"));
    buf_add(&text, STR("]}"));
    WRONG(text.p, "2:30: /task/dependencies: has 1001 items, at most 1000 are allowed");
    buf_clear(&text);
    buf_add(&text, STR("version: 1\ntask: {prd: a, id: "));
    for (unsigned i = 0; i <= TASK_FILE_MAX_LINE; i++)
        buf_add(&text, STR("x"));
    buf_add(&text, STR("}"));
    WRONG(text.p, "2:20: /task/id: must not be longer than 256 bytes, and has 257");
    buf_done(&text);
}

/* ---- tooling of a run */

static void check_tooling(const char *text, struct tooling *user, const char *want)
{
    struct error err = {0};
    struct task_file *t = read_ok(text);
    struct tooling *made = task_file_tooling(t, user, &err);
    struct buf got = {0};
    assert_non_null(made);
    if (made->forced)
        buf_printf(&got, "forced %s", agent_kind_name(made->force.tool));
    for (enum category c = 0; c < CATEGORY_COUNT && !made->forced; c++) {
        const struct tooling_category *s = tooling_category(made, c);
        buf_printf(&got, "%s%s %zu %s", c ? ", " : "", tooling_category_name(c), s->count,
                   agent_kind_name(s->candidates[0].tool));
        if (s->count == 1)
            buf_printf(&got, " %.*s", STR_ARG(s->candidates[0].model));
    }
    task_file_free(t); /* the result does not depend on it */
    CHECK_CSTR(buf_str(&got), want);
    tooling_unref(made);
    buf_done(&got);
}

#define TASK "version: 1\ntask: {prd: a}\n"

TEST(users_tooling_is_used_if_the_task_names_no_candidate)
{
    struct tooling *user = tooling_default();
    check_tooling(TASK "runner: {worker: {env: {A: b}, max_run_time_sec: 5}}", user,
                  "meta 4 codex-cli, plan 3 claude-code, task 3 claude-code, "
                  "execution 4 codex-cli, worker 3 codex-cli");
    tooling_unref(user);
}

TEST(candidates_named_by_the_task_replace_their_categories)
{
    struct tooling *user = tooling_default();
    check_tooling(TASK "runner: {meta: {model: m}}", user,
                  "meta 1 openai-chat m, plan 1 openai-chat m, task 1 openai-chat m, "
                  "execution 1 openai-chat m, worker 3 codex-cli");
    check_tooling(TASK "runner: {worker: {kind: gemini-cli, model: g}}", user,
                  "meta 4 codex-cli, plan 3 claude-code, task 3 claude-code, "
                  "execution 4 codex-cli, worker 1 gemini-cli g");
    check_tooling(TASK "runner: {meta: {kind: mock, model: a, flags: [x], env: {A: 'env:B'}, "
                       "tool_specific: {script: [{say: hi}]}, system_prompt: s, cli_path: c}, "
                       "worker: {kind: claude-code-cli}}",
                  user,
                  "meta 1 mock a, plan 1 mock a, task 1 mock a, execution 1 mock a, "
                  "worker 1 claude-code ");
    tooling_unref(user);
}

TEST(tooling_of_the_task_has_precedence)
{
    struct tooling *user = tooling_default();
    const char *text = TASK "runner: {meta: {kind: mock}, tooling: {profiles: [{id: p, "
                            "categories: {meta: {candidates: [{tool: cursor-cli, model: x}]}}}]}}";
    check_tooling(text, user,
                  "meta 1 cursor-cli x, plan 1 cursor-cli x, task 1 cursor-cli x, "
                  "execution 1 cursor-cli x, worker 1 cursor-cli x");
    struct task_file *t = read_ok(text);
    assert_int_equal(t->warning_count, 1);
    assert_true(
        str_ends(t->warnings[0], STR("/runner/tooling: this has precedence: the candidates of "
                                     "runner.meta and runner.worker are not used")));
    task_file_free(t);
    tooling_unref(user);
}

TEST(force_mode_has_precedence_over_named_candidates)
{
    struct doc d = {0};
    struct error err = {0};
    struct str text = STR("{\"profiles\": [{\"id\": \"p\", \"categories\": {\"meta\": "
                          "{\"candidates\": [{\"tool\": \"mock\"}]}}}], \"force\": {\"enabled\": "
                          "true, \"tool\": \"gemini-cli\"}}");
    assert_true(doc_read(&d, text, &(struct doc_source){"t.json", DOC_JSON}, &err));
    struct tooling *user = tooling_read(&d, STR(""), &err);
    assert_non_null(user);
    check_tooling(TASK "runner: {meta: {kind: mock}, worker: {kind: mock}}", user,
                  "forced gemini-cli");
    tooling_unref(user);
    doc_done(&d);
}
