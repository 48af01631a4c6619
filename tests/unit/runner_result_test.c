/* What a run says of its end for who would try it again (agent/run_result.h). */
#include "base/rfc3339.h"
#include "runner_fixture.h"

#define HOUR 3600000

/* One script answers the questions, so that the run ends as soon as nobody works. */
#define ASKS_FOR_WORK PLAN_IS ", " WORK_IS ", " WORK_IS ", " WORK_IS

/* Another account than that of the others. */
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

/* The worker's candidates, in order of priority; how the run ends. */
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

/* ---- it went well, or the agents did not get there */

TEST_FIXTURE(setup, teardown);

TEST(a_complete_run_says_who_did_what)
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

TEST(what_is_not_reached_is_unmet)
{
    set_task("", "max_loops: 1");
    set_agents(ASKS_FOR_WORK, MOCK("w", "{'say': 'done', 'repeat': 5}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "unmet");
    assert_false(result.nobody || result.until || result.stopped);
    assert_true(str_starts(result.why, STR("it is not complete after 1 worker run")));
}

TEST(answers_that_are_none_are_unmet)
{
    set_task("", "");
    set_agents("{'say': 'no', 'repeat': 9}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "unmet");
    assert_false(result.nobody);
}

TEST(a_refused_question_is_its_class)
{
    set_task("", "");
    set_agents("{'fail': 'request', 'message': 'too long'}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    CHECK_CSTR(result.outcome, "request");
    assert_false(result.nobody || result.until);
}

/* ---- nobody is left */

TEST(limits_say_when_the_first_is_back)
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

/* The second run finds them resting: nothing is tried at all. */
TEST(a_rest_that_goes_on_is_told_as_well)
{
    int64_t now = rfc3339_now();
    work_with(MOCK("a", "{'fail': 'rate_limited', 'after_ms': 7200000}"));
    CHECK_CSTR(result.outcome, "rate_limited");
    check_until(now, 2 * HOUR);
    int64_t until = result.until;
    ends = 0;
    buf_clear(&seen);
    task_file_free(task);
    assert_int_equal(system("rm -f calls/*"), 0); /* and what was played */
    work_with(MOCK("a", "{'say': 'it would do it now'}"));
    assert_int_equal(result.until, until);
    assert_true(result.nobody);
    CHECK_CSTR(result.outcome, "rate_limited");
    CHECK_CSTR(result.model, "m");
    assert_int_equal(result.worker_runs, 1);
}

TEST(questions_have_limits_as_well)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    set_agents("{'fail': 'rate_limited', 'after_ms': 7200000}", MOCK("w", "{'say': 'x'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    CHECK_CSTR(result.outcome, "rate_limited");
    check_until(now, 2 * HOUR);
}

/* A limit so short that it is over before anybody looks: one may try again at once. */
TEST(a_rest_that_is_over_already_is_back_now)
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

TEST(who_must_be_helped_does_not_come_back_by_waiting)
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
TEST(one_that_comes_back_is_enough)
{
    int64_t now = rfc3339_now();
    work_with(WITH_KEY("a", "{'fail': 'rate_limited', 'after_ms': 7200000}") ", " MOCK(
        "b", "{'fail': 'auth'}"));
    assert_true(result.nobody);
    check_until(now, 2 * HOUR);
    CHECK_CSTR(result.outcome, "rate_limited");
}

TEST(not_installed_is_nobody_for_ever)
{
    work_with("{'tool': 'codex-cli', 'cliPath': '/no/where'}");
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "launch");
    CHECK_CSTR(result.model, "m");
}

/* It may go better the next time: that is an attempt like any other. */
TEST(crashes_are_not_waited_for)
{
    work_with(WITH_KEY("a", "{'exit': 7}") ", " MOCK("b", "{'fail': 'auth'}"));
    CHECK_CSTR(result.outcome, "incomplete");
    assert_false(result.nobody);
    assert_true(result.until > 0);
}

/* But who finds it resting after that has not tried: only time has to pass. */
TEST(a_rest_after_a_crash_of_another_run_is_waited_for)
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

TEST(where_no_other_may_be_tried_its_limit_counts)
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

TEST(force_mode_waits_for_what_was_told)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure(FORCE("{'fail': 'rate_limited', 'after_ms': 7200000}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 2 * HOUR);
    check_cooldowns("");
}

TEST(force_mode_waits_a_little_where_nothing_was_told)
{
    int64_t now = rfc3339_now();
    set_task("", "");
    configure(FORCE("{'fail': 'overloaded'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    check_until(now, 30000);
}

TEST(force_mode_without_a_key_is_a_person_s)
{
    set_task("", "");
    configure(FORCE("{'fail': 'auth'}"));
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "auth");
}

/* Whoever else tries a candidate after its rest is not waited for as long as it may take. */
TEST(a_probe_of_another_is_known_soon)
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

TEST(a_sandbox_that_is_missing_is_nobody_s)
{
    set_task("", "sandbox: podman, worker: {docker_image: x}");
    set_agents(ASKS_FOR_WORK, MOCK("a", "{'say': 'x'}"));
    setenv("PATH", in_folder("bin"), 1);
    run_to(RUN_FAILED);
    assert_true(result.nobody);
    assert_int_equal(result.until, 0);
    CHECK_CSTR(result.outcome, "launch");
}

/* ---- stopped, and other ends */

static void stop_at_worker(const struct runner_event *e)
{
    if (e->kind == RUNNER_TRY && str_eq(e->category, STR("worker")))
        runner_stop(runner);
}

TEST(a_stopped_run_says_so)
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
