/* Ctrl-C at every point of a run: on_end comes once, the children are gone, the note and the ledger
 * have it. */
#include <dirent.h>

#include "agent/runner.h"
#include "runner_fixture.h"

static enum runner_event_kind stop_kind;
static const char *stop_text; /* NULL: any */
static bool has_stopped;

/* Stops at the first event of the kind whose text or state has this in it. */
static void stop_at(const struct runner_event *e)
{
    struct str words = e->kind == RUNNER_STATE ? str_from(run_state_name(e->state)) : e->text;
    if (has_stopped || e->kind != stop_kind ||
        (stop_text && str_find(words, str_from(stop_text)) == words.n))
        return;
    has_stopped = true;
    runner_stop(runner);
    assert_int_equal(ends, 0);
}

static void plan_to_stop(enum runner_event_kind kind, const char *text)
{
    stop_kind = kind;
    stop_text = text;
    has_stopped = false;
    act = stop_at;
}

static void check_stopped(const char *events)
{
    run(RUN_FAILED, events);
    assert_true(was_stopped);
    CHECK_CSTR(buf_str(&ended), "interrupted");
    CONTAINS(note(), "**FAILED**: interrupted");
    act = NULL;
}

/* Whether the process has the home of this test in its environment. */
static bool is_ours(const char *pid)
{
    char path[64], environ_[65536], home[128];
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    snprintf(home, sizeof home, "HOME=%s/home", project_folder);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(environ_, 1, sizeof environ_, f) : 0; /* of the dead: nothing */
    if (f)
        fclose(f);
    return str_find(str_make(environ_, n), str_from(home)) < n;
}

static bool is_anybody_left(void)
{
    DIR *proc = opendir("/proc");
    struct dirent *e;
    bool found = false;
    while ((e = readdir(proc)))
        found |= atoi(e->d_name) > 0 && atoi(e->d_name) != getpid() && is_ours(e->d_name);
    closedir(proc);
    return found;
}

/* Killed processes may take a moment to end. */
static void check_nobody_left(void)
{
    TEST_UNTIL(!is_anybody_left());
}

#define LONG "{'sleep_ms': 3600000, 'say': 'late'}"

TEST_FIXTURE(setup, teardown);

TEST(stops_before_the_beginning)
{
    set_task("", "");
    set_agents(PLAN_IS, MOCK("w", LONG));
    start();
    runner_stop(runner);
    check(RUN_FAILED, "FAILED");
    assert_true(was_stopped);
    check_decisions("");
}

TEST(stops_during_a_question)
{
    set_task("", "");
    set_agents(LONG, MOCK("w", LONG));
    plan_to_stop(RUNNER_STEP, NULL);
    check_stopped("PLANNING\nask plan_task\ntask m: killed\nFAILED");
    check_decisions("m:killed");
    check_nobody_left();
}

TEST(stops_at_a_new_state)
{
    set_task("", "");
    set_agents(PLAN_IS, MOCK("w", LONG));
    plan_to_stop(RUNNER_STATE, "PLANNING");
    check_stopped("PLANNING\nask plan_task\nFAILED");
    check_decisions("");
}

TEST(stops_when_a_question_is_sent)
{
    set_task("", "");
    set_agents(PLAN_IS, MOCK("w", LONG));
    plan_to_stop(RUNNER_ASK, "next_action");
    check_stopped("PLANNING\nask plan_task\ntask m: ok\nplan AC-1: it jumps\nRUNNING\n"
                  "ask next_action\nFAILED");
    check_decisions("m:ok");
}

TEST(stops_at_the_outcome_of_a_question)
{
    set_task("", "");
    set_agents(PLAN_IS, MOCK("w", LONG));
    plan_to_stop(RUNNER_OUTCOME, NULL);
    check_stopped("PLANNING\nask plan_task\ntask m: ok\nFAILED");
    check_decisions("m:ok");
}

#define PLANNED                                                                                    \
    "PLANNING\nask plan_task\ntask m: ok\nplan AC-1: it jumps\nRUNNING\n"                          \
    "ask next_action\nexecution m: ok\n"

/* Steps of questions come first; only those of the worker count. */
static void stop_worker(const struct runner_event *e)
{
    if (has_stopped || e->kind != RUNNER_STEP || !str_eq(e->category, STR("worker")))
        return;
    has_stopped = true;
    runner_stop(runner);
}

TEST(stops_during_a_worker_run)
{
    set_task("", "");
    set_agents(PLAN_IS ", " WORK_IS, MOCK("w", LONG) ", " MOCK("x", "{'say': 'no'}"));
    has_stopped = false;
    act = stop_worker;
    check_stopped(PLANNED "worker w: killed\nFAILED");
    check_decisions("w:killed m:ok m:ok");
    CONTAINS(note(), "### Run 1: mock w: killed");
    check_nobody_left();
}

static void stop_twice(const struct runner_event *e)
{
    if (e->kind != RUNNER_STEP || !str_eq(e->category, STR("worker")))
        return;
    runner_stop(runner);
    runner_stop(runner);
}

/* A stand-in for an agent that ignores signals, as its child does. */
TEST(stops_a_worker_that_ignores_signals)
{
    set_task("", "");
    put_program("claude", "#!/bin/sh\ntrap '' TERM INT\n"
                          "echo '{\"type\":\"system\",\"subtype\":\"init\",\"model\":\"deaf\","
                          "\"session_id\":\"1\"}'\nsh -c 'while :; do sleep 1; done'\n");
    set_agents(PLAN_IS ", " WORK_IS, "{'tool': 'claude-code', 'model': 'c'}");
    act = stop_twice;
    check_stopped(PLANNED "worker c: killed\nFAILED");
    check_nobody_left();
}

/* After the limit the next candidate would be tried, but no longer is. */
TEST(stops_between_two_workers)
{
    set_task("", "");
    set_agents(PLAN_IS ", " WORK_IS,
               MOCK("a", "{'write': {'half': 'x'}, 'fail': 'rate_limited'}") ", " MOCK(
                   "b", "{'say': 'no'}"));
    plan_to_stop(RUNNER_CHANGES, NULL);
    check_stopped(PLANNED "worker a: rate_limited\nworker b: FAILED");
    check_decisions("b:killed a:rate_limited m:ok m:ok");
    CONTAINS(note(), "half | 1 bytes");
}

static void on_poll(void *ctx)
{
    if (file_exists("repo/ready"))
        runner_stop(runner);
    else
        timer_start(ctx, loop, 10, on_poll, ctx);
}

TEST(stops_during_the_test)
{
    set_task("test: {command: 'touch ready; sleep 3600'}", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", LONG));
    start();
    /* The state changes earlier: the file shows that the test runs. */
    struct timer poll = {0};
    timer_start(&poll, loop, 10, on_poll, &poll);
    check(RUN_FAILED, PLANNED "VALIDATING\nask completion_assessment\nexecution m: ok\n"
                              "test 143\nFAILED");
    assert_true(was_stopped);
    CHECK_CSTR(buf_str(&ended), "interrupted");
    check_nobody_left();
}

TEST(stops_at_the_event_of_an_answer)
{
    set_task("test: {command: 'touch tested'}", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", LONG));
    plan_to_stop(RUNNER_ANSWER, "criteria passed");
    check_stopped(PLANNED "VALIDATING\nask completion_assessment\nexecution m: ok\nFAILED");
    assert_false(file_exists("repo/tested"));
}

TEST(a_complete_run_stays_complete)
{
    set_task("", "");
    set_agents(PLAN_IS ", " DONE_IS ", " YES_IS, MOCK("w", LONG));
    plan_to_stop(RUNNER_STATE, "COMPLETE");
    run(RUN_COMPLETE, PLANNED "VALIDATING\nask completion_assessment\nexecution m: ok\nCOMPLETE");
    assert_false(was_stopped);
    CONTAINS(note(), "**COMPLETE**");
}
