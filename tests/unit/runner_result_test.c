/* The result of a run, for the program that may try the task again (agent/run_result.h). */
#include "base/rfc3339.h"
#include "runner_fixture.h"

#define HOUR 3600000

/* One script answers the questions, so that the run ends as soon as no worker is left. */
#define ASKS_FOR_WORK PLAN_IS ", " WORK_IS ", " WORK_IS ", " WORK_IS

/* With an account of its own. */
#define WITH_KEY(model, script)                                                                    \
    "{'tool': 'mock', 'model': '" model "', 'env': {'MOCK_API_KEY': 'x-1234567'}, "                \
    "'toolSpecific': {'script': [" script "]}}"

static void run_to(enum run_state want)
{
    start();
    loop_run(loop);
    assert_int_equal(ends, 1);
    assert_int_equal(state_at_end, want);
    CHECK_CSTR(result.state, run_state_name(want));
    CHECK_CSTR(result.run, "run-1");
    CHECK_CSTR(result.task, "T-1");
    CHECK_CSTR(result.transcripts, in_folder("calls"));
}

/* Run with these candidates for the worker, by priority, and check the end. */
static void work_with(const char *workers)
{
    set_task("", "");
    set_agents(ASKS_FOR_WORK, workers);
    run_to(RUN_FAILED);
}

static void check_until(int64_t from, int64_t ms)
{
    int64_t now = rfc3339_now();
    if (result.until < from + ms || result.until > now + ms)
        fail_msg("until %lld, which is %lld ms from the start", (long long)result.until,
                 (long long)(result.until - from));
}

/* ---- complete and unmet runs */

TEST_FIXTURE(setup, teardown);

TEST(the_result_of_a_complete_run_names_agent_and_files)
{
    put("repo/old", "x");
    put("repo/gone", "x");
    set_task("test: {command: 'rm gone; echo more >> old'}", "");
    set_agents(PLAN_IS ", " WORK_IS ", " DONE_IS ", " YES_IS,
               MOCK("w", "{'write': {'jump': 'high\\n'}, 'say': 'it jumps now', "
                         "'usage': {'input_tokens': 1000000, 'output_tokens': 7}}"));
    run_to(RUN_COMPLETE);
    CHECK_CSTR(result.outcome, "ok");
    CHECK_CSTR(result.why, "");
    CHECK_CSTR(result.tool, "mock");
    CHECK_CSTR(result.model, "w");
    CHECK_CSTR(result.files, "[{\"path\":\"gone\",\"change\":\"deleted\"},"
                             "{\"path\":\"jump\",\"change\":\"added\"},"
                             "{\"path\":\"old\",\"change\":\"modified\"}]");
    assert_int_equal(result.worker_runs, 1);
    assert_true(result.input_tokens > 1000000 && result.output_tokens > 7);
    assert_false(result.stopped || result.nobody || result.until);
}

TEST(without_work_there_are_no_files_and_no_worker)
{
    set_task("", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", "{'say': 'no'}"));
    run_to(RUN_COMPLETE);
    CHECK_CSTR(result.files, "[]");
    CHECK_CSTR(result.tool, "mock");
    CHECK_CSTR(result.model, "m");
    assert_int_equal(result.worker_runs, 0);
}

TEST(a_task_that_is_not_done_is_unmet)
{
    set_task("", "max_loops: 1");
    set_agents(ASKS_FOR_WORK, MOCK("w", "{'say': 'done', 'repeat': 5}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "unmet");
    assert_false(result.nobody || result.until || result.stopped);
    assert_true(str_starts(result.why, STR("it is not complete after 1 worker run")));
}

TEST(malformed_answers_are_unmet)
{
    set_task("", "");
    set_agents("{'say': 'no', 'repeat': 9}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "unmet");
    assert_false(result.nobody);
}

TEST(a_refused_question_has_its_class)
{
    set_task("", "");
    set_agents("{'fail': 'request', 'message': 'too long'}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "request");
    assert_false(result.nobody || result.until);
}

/* ---- no candidate is left */

TEST(limits_have_the_time_of_the_first_candidate)
{
    int64_t now = rfc3339_now();
    work_with(MOCK("a", "{'fail': 'rate_limited', 'after_ms': 7200000}") ", " MOCK(
        "b", "{'fail': 'overloaded'}"));
    CHECK_CSTR(result.outcome, "overloaded");
    assert_true(result.nobody);
    check_until(now, 30000);
    CHECK_CSTR(result.model, "b");
    assert_int_equal(result.worker_runs, 1);
}

/* In the second run all are in cooldown: nothing is tried. */
TEST(a_cooldown_of_an_earlier_run_counts)
{
    int64_t now = rfc3339_now();
    work_with(MOCK("a", "{'fail': 'rate_limited', 'after_ms': 7200000}"));
    CHECK_CSTR(result.outcome, "rate_limited");
    check_until(now, 2 * HOUR);
    int64_t until = result.until;
    ends = 0;
    buf_clear(&seen);
    task_file_free(task);
    assert_int_equal(system("rm -f calls/*"), 0); /* and the state of the mock */
    work_with(MOCK("a", "{'say': 'it would do it now'}"));
    assert_int_equal(result.until, until);
    assert_true(result.nobody);
    CHECK_CSTR(result.outcome, "rate_limited");
    CHECK_CSTR(result.model, "m");
    assert_int_equal(result.worker_runs, 1);
}

TEST(limits_of_questions_count)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    set_agents("{'fail': 'rate_limited', 'after_ms': 7200000}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    CHECK_CSTR(result.outcome, "rate_limited");
    check_until(now, 2 * HOUR);
}

/* The limit is over before it is checked, so another run may start at once. */
TEST(a_cooldown_that_is_over_allows_a_retry_now)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure("{'profiles': [{'id': 'p', 'categories': {'meta': {'cooldownSec': 0, 'candidates': "
              "[" MOCK("m", "{'fail': 'rate_limited', 'after_ms': 1}") "]}}}]}");
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    CHECK_CSTR(result.outcome, "rate_limited");
    assert_in_range(result.until, now, rfc3339_now() + 30000);
}

TEST(waiting_does_not_help_a_candidate_without_login)
{
    work_with(MOCK("a", "{'fail': 'auth'}") ", " MOCK("b", "{'fail': 'billing'}") ", {'tool': "
                                                                                  "'codex-cli', "
                                                                                  "'cliPath': "
                                                                                  "'/no/where'}");
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "auth");
}

/* a has a key of its own, so that only one of the two accounts is not signed in. */
TEST(one_candidate_that_becomes_available_is_enough)
{
    int64_t now = rfc3339_now();
    work_with(WITH_KEY("a", "{'fail': 'rate_limited', 'after_ms': 7200000}") ", " MOCK(
        "b", "{'fail': 'auth'}"));
    assert_true(result.nobody);
    check_until(now, 2 * HOUR);
    CHECK_CSTR(result.outcome, "rate_limited");
}

TEST(waiting_does_not_help_if_nothing_is_installed)
{
    work_with("{'tool': 'codex-cli', 'cliPath': '/no/where'}");
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "launch");
    CHECK_CSTR(result.model, "m");
}

/* The next run may succeed, and counts as a usual attempt. */
TEST(a_crash_in_this_run_allows_a_retry)
{
    work_with(WITH_KEY("a", "{'exit': 7}") ", " MOCK("b", "{'fail': 'auth'}"));
    CHECK_CSTR(result.outcome, "incomplete");
    assert_false(result.nobody);
    assert_true(result.until > 0);
}

/* A run that finds the candidate in cooldown after that has not tried it: only time helps. */
TEST(a_cooldown_after_a_crash_of_another_run_is_waited_for)
{
    int64_t now = rfc3339_now();
    work_with(MOCK("a", "{'exit': 7}"));
    assert_false(result.nobody);
    ends = 0;
    buf_clear(&seen);
    task_file_free(task);
    assert_int_equal(system("rm -f calls/*"), 0);
    work_with(MOCK("a", "{'say': 'it would do it now'}"));
    CHECK_CSTR(result.outcome, "incomplete");
    assert_true(result.nobody);
    check_until(now, 30000);
}

TEST(without_fallback_the_limit_of_the_candidate_counts)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure(
        "{'profiles': [{'id': 'p', 'categories': {'meta': {'fallbackOnRateLimit': false, "
        "'candidates': [" MOCK("m", "{'fail': 'rate_limited', 'after_ms': 7200000}") "]}}}]}");
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 2 * HOUR);
}

#define FORCE(script)                                                                              \
    "{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [" MOCK(                      \
        "no", "") "]}}}], "                                                                        \
                  "'force': {'enabled': true, 'tool': 'mock', 'model': 'm', 'toolSpecific': "      \
                  "{'script': [" script "]}}}"

TEST(force_mode_waits_for_the_stated_time)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure(FORCE("{'fail': 'rate_limited', 'after_ms': 7200000}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 2 * HOUR);
    check_cooldowns("");
}

TEST(force_mode_waits_for_the_default_without_a_stated_time)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure(FORCE("{'fail': 'overloaded'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 30000);
}

TEST(waiting_does_not_help_force_mode_without_a_key)
{
    set_task("", "");
    configure(FORCE("{'fail': 'auth'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "auth");
}

/* The result of another process's probe is waited for only briefly. */
TEST(the_probe_of_another_process_is_waited_for_briefly)
{
    struct error err = {0};
    int64_t now = rfc3339_now();
    struct ledger_ask ask = {
        .category = STR("worker"), .now = now - 10 * HOUR, .rng = &rng, .run = STR("run-1")};
    set_task("", "");
    set_agents(ASKS_FOR_WORK, MOCK("a", "{'say': 'x'}"));
    ask.tooling = tooling;
    struct decision *d = ledger_choose(ledger, &ask, &err);
    struct outcome limited = {.class = OUTCOME_AUTH};
    assert_true(
        ledger_report(ledger, d, &(struct ledger_result){&limited, NULL, ask.now}, NULL, &err));
    decision_free(d);
    ask.now = now;
    d = ledger_choose(ledger, &ask, &err);
    assert_true(d->is_probe);
    decision_free(d);
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 60000);
}

TEST(a_missing_sandbox_leaves_no_candidate)
{
    set_task("", "sandbox: podman, worker: {docker_image: x}");
    set_agents(ASKS_FOR_WORK, MOCK("a", "{'say': 'x'}"));
    setenv("PATH", in_folder("bin"), 1);
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "launch");
}

/* ---- stops and masks */

static void stop_at_worker(const struct runner_event *e)
{
    if (e->kind == RUNNER_TRY && str_eq(e->category, STR("worker")))
        runner_stop(runner);
}

TEST(a_stopped_run_is_marked_as_stopped)
{
    set_task("", "");
    set_agents(ASKS_FOR_WORK, MOCK("w", "{'sleep_ms': 60000, 'say': 'x'}"));
    act = stop_at_worker;
    run_to(RUN_FAILED);
    assert_true(result.stopped);
    CHECK_CSTR(result.outcome, "killed");
    assert_false(result.nobody || result.until);
    CHECK_CSTR(result.why, "interrupted");
}

TEST(secrets_are_masked)
{
    secrets_add(&secrets, STR("hunter2-hunter2"));
    set_task("", "");
    set_agents("{'fail': 'request', 'message': 'not with hunter2-hunter2'}",
               MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    CONTAINS(result.why, "not with ****");
    LACKS(result.why, "hunter2");
}

TEST(names_of_files_are_masked)
{
    secrets_add(&secrets, STR("hunter2-hunter2"));
    set_task("", "");
    set_agents(PLAN_IS ", " WORK_IS ", " DONE_IS ", " YES_IS,
               MOCK("w", "{'write': {'of-hunter2-hunter2.txt': 'x'}, 'say': 'x'}"));
    run_to(RUN_COMPLETE);
    CHECK_CSTR(result.files, "[{\"path\":\"of-****.txt\",\"change\":\"added\"}]");
}
