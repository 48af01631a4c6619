#include "agent/dispatch.h"

#include <signal.h>
#include <sqlite3.h>
#include <time.h>

#include "base/rfc3339.h"
#include "dispatch_fixture.h"

static struct dispatch *dispatch;
static struct dispatch_options options;

static int ends, outcomes;
static enum dispatch_end_kind kind;
static unsigned tries;
static struct buf seen; /* the events, a word each */
static struct buf why, warned;
static void (*at_try)(void), (*at_step)(void), (*at_outcome)(void);

static void call_once(void (**what)(void))
{
    void (*now)(void) = *what;
    *what = NULL;
    if (now)
        now();
}

static void on_dispatch_event(const struct dispatch_event *e, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_non_null(e->decision->chosen);
    switch (e->kind) {
    case DISPATCH_TRY:
        buf_printf(&seen, "%u:%.*s%s ", e->number, STR_ARG(e->candidate->model),
                   e->decision->is_probe ? "(probe)" : "");
        call_once(&at_try);
        break;
    case DISPATCH_STEP:
        call_once(&at_step);
        break;
    case DISPATCH_OUTCOME:
        assert_true(e->decision->has_outcome || warned.n);
        outcomes++;
        buf_printf(&seen, "%s%s ", outcome_name(e->output->outcome.class), e->until ? "+rest" : "");
        call_once(&at_outcome);
        break;
    case DISPATCH_WARNING:
        buf_add(&warned, e->text);
        break;
    }
}

static void on_end(struct dispatch *d, const struct dispatch_end *end, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_ptr_equal(d, dispatch);
    assert_int_equal(end->output != NULL, outcomes > 0);
    ends++;
    kind = end->kind;
    tries = end->tries;
    buf_add(&why, end->why);
    if (end->kind == DISPATCH_DONE)
        buf_add(&seen, buf_str(&end->output->last_message));
    dispatch = NULL;
    timer_stop(&limit);
}

static int setup(void **state)
{
    int code = setup_dispatch(state);
    timer_stop(&limit);
    call.mode = PROVIDER_WRITE;
    at_try = at_step = at_outcome = NULL;
    return code;
}

static int teardown(void **state)
{
    buf_done(&seen);
    buf_done(&why);
    buf_done(&warned);
    return teardown_dispatch(state);
}

#define HEAD   "{'profiles': [{'id': 'p', 'categories': {'worker': {'strategy': 'priority', "
#define WHO(m) "{'tool': 'mock', 'model': '" m "', 'toolSpecific': {'script': "

static void start(void)
{
    ends = outcomes = 0;
    buf_clear(&seen);
    buf_clear(&why);
    buf_add(&seen, STR(""));
    options.ledger = ledger;
    options.tooling = tooling;
    options.category = STR("worker");
    options.rng = &rng;
    options.call = call;
    options.run = STR("run-1");
    options.name = options.name ? options.name : "01-worker";
    options.secrets = &secrets;
    options.on_event = on_dispatch_event;
    options.on_end = on_end;
    options.ctx = &options;
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    dispatch = dispatch_start(loop, &options);
    assert_int_equal(ends, 0);
    assert_int_equal(seen.n, 0); /* nothing calls back inside dispatch_start() */
}

static void check(enum dispatch_end_kind want, const char *words)
{
    loop_run(loop);
    assert_int_equal(ends, 1);
    CHECK_CSTR(str_trim(buf_str(&seen)), words);
    assert_int_equal(kind, want);
    options = (struct dispatch_options){0};
}

static void run(enum dispatch_end_kind want, const char *words)
{
    start();
    check(want, words);
}

static void stop(void)
{
    dispatch_stop(dispatch);
    assert_int_equal(ends, 0);
}

/* ---- fallback */

#define THREE                                                                                      \
    HEAD "'candidates': [" WHO("a") "[{'fail': 'rate_limited', 'after_ms': 3600000}]}}, " WHO(     \
        "b") "[{'fail': 'overloaded'}]}}, " WHO("c") "[{'say': 'done', 'repeat': true}]}}]}}}]}"

TEST_FIXTURE(setup, teardown);

TEST(the_first_candidate_without_a_limit_does_the_work)
{
    configure(THREE);
    run(DISPATCH_DONE, "1:a rate_limited+rest 2:b overloaded+rest 3:c ok done");
    assert_int_equal(tries, 3);
    assert_int_equal(why.n, 0);
    check_decisions("c:ok b:overloaded a:rate_limited");
    check_cooldowns("mock|*|b overloaded\nmock|login|a rate_limited\n");
}

TEST(a_candidate_in_cooldown_is_not_tried)
{
    configure(THREE);
    run(DISPATCH_DONE, "1:a rate_limited+rest 2:b overloaded+rest 3:c ok done");
    run(DISPATCH_DONE, "1:c ok done");
    check_decisions("c:ok c:ok b:overloaded a:rate_limited");
}

TEST(each_candidate_is_tried_once)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'fail': 'overloaded', 'repeat': true}]}}, " WHO(
        "b") "[{'fail': 'server', 'repeat': true}]}}]}}}]}");
    run(DISPATCH_NOBODY, "1:a overloaded+rest 2:b server+rest");
    assert_int_equal(tries, 2);
    assert_non_null(strstr(why.p, "no candidate for worker: mock a: "));
    assert_non_null(strstr(why.p, "the first is back at "));
}

TEST(without_an_available_candidate_nothing_runs)
{
    configure(HEAD "'candidates': [{'tool': 'claude-code', 'cliPath': '/nowhere/claude'}, "
                   "{'tool': 'mock', 'model': 'off', 'weight': 0}]}}}]}");
    run(DISPATCH_NOBODY, "");
    assert_int_equal(tries, 0);
    assert_non_null(strstr(why.p, "claude-code: "));
    assert_non_null(strstr(why.p, "mock off: "));
    assert_int_equal(count_files("calls"), 0);
}

/* A container has programs of its own. */
TEST(a_program_in_a_container_need_not_exist_on_the_host)
{
    put_program("docker", "#!/bin/sh\nexit 1\n");
    configure(HEAD "'candidates': [{'tool': 'claude-code', 'model': 'c', 'cliPath': "
                   "'/nowhere/claude'}]}}}]}");
    options.sandbox = (struct sandbox){
        .kind = SANDBOX_DOCKER, .image = STR("an/image"), .repo = call.cwd, .dir = call.dir};
    run(DISPATCH_NOBODY, "1:c launch+rest");
}

TEST(outcomes_of_the_request_do_not_fall_back)
{
    static const char *const classes[] = {"request", "budget", "killed"};
    for (size_t i = 0; i < 3; i++) {
        struct buf words = {0}, text = {0};
        buf_printf(&text,
                   HEAD
                   "'candidates': [" WHO("%s") "[{'fail': '%s', 'message': 'so it is'}]}}, " WHO(
                       "b") "[{'say': 'no'}]}}]}}}]}",
                   classes[i], classes[i]);
        configure(text.p);
        buf_printf(&words, "1:%s %s", classes[i], classes[i]);
        run(DISPATCH_FAILED, words.p);
        assert_true(str_starts(buf_str(&why), STR("mock ")));
        assert_true(str_ends(buf_str(&why), STR(": so it is")));
        buf_done(&words);
        buf_done(&text);
    }
    check_cooldowns("");
}

TEST(an_agent_that_ends_without_output_falls_back)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'exit': 7}]}}, {'tool': 'claude-code', 'model': "
                                              "'f', 'cliPath': '/bin/false'}, " WHO(
                                                  "c") "[{'say': 'done'}]}}]}}}]}");
    run(DISPATCH_DONE, "1:a incomplete+rest 2:f launch+rest 3:c ok done");
}

TEST(without_fallback_the_first_failure_is_the_last)
{
    configure(HEAD "'fallbackOnRateLimit': false, 'candidates': [" WHO(
        "a") "[{'fail': 'rate_limited'}]}}, " WHO("b") "[{'say': 'no'}]}}]}}}]}");
    run(DISPATCH_FAILED, "1:a rate_limited+rest");
    assert_true(str_ends(buf_str(&why), STR("no other is tried: fallbackOnRateLimit is off")));
}

TEST(force_mode_tries_one_candidate_only)
{
    configure(
        "{'profiles': [{'id': 'p', 'categories': {'worker': {'candidates': "
        "[" WHO("b") "[{'say': 'no'}]}}]}}}], 'force': {'enabled': true, 'tool': 'mock', "
                     "'model': 'forced', 'toolSpecific': {'script': [{'fail': 'rate_limited'}, "
                     "{'say': 'done'}]}}}");
    run(DISPATCH_FAILED, "1:forced rate_limited");
    assert_true(str_ends(buf_str(&why), STR("no other is tried: force mode is on")));
    run(DISPATCH_DONE, "1:forced ok done");
    check_cooldowns("");
}

/* ---- bounds */

TEST(the_time_of_a_try_is_limited)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'sleep_ms': 3600000, 'say': 'late'}]}}, " WHO(
        "b") "[{'say': 'no'}]}}]}}}]}");
    options.limit_ms = 300;
    run(DISPATCH_FAILED, "1:a budget");
    check_decisions("a:budget");
}

TEST(transcripts_of_one_agent_are_numbered)
{
    configure(THREE);
    options.name = "07-worker";
    run(DISPATCH_DONE, "1:a rate_limited+rest 2:b overloaded+rest 3:c ok done");
    assert_true(file_exists("calls/07-worker-mock.out"));
    assert_true(file_exists("calls/07-worker-mock-2.out"));
    struct str third = read_text("calls/07-worker-mock-3.out");
    assert_true(str_find(third, STR("done")) < third.n);
}

/* ---- prompts and overrides */

static struct str prompt(unsigned number, const struct output *last, void *ctx)
{
    assert_ptr_equal(ctx, &options);
    assert_int_equal(number == 1, last == NULL);
    return arena_printf(&fixture, "try %u after %s", number,
                        last ? outcome_name(last->outcome.class) : "nothing");
}

TEST(the_prompt_is_made_for_each_try)
{
    configure(HEAD "'candidates': [" WHO(
        "a") "[{'when': {'prompt_has': 'try 1 after nothing'}, 'fail': "
             "'server'}]}}, " WHO("b") "[{'when': {'prompt_has': 'try 2 after server'}, 'say': "
                                       "'yes'}]}}]}}}]}");
    options.prompt = prompt;
    run(DISPATCH_DONE, "1:a server+rest 2:b ok yes");
}

TEST(a_candidate_is_called_with_its_overrides)
{
    struct candidate asked = {.tool = AGENT_MOCK, .model = STR_INIT("m")};
    struct worker_overrides overrides = {.call = &asked};
    configure(HEAD "'candidates': [{'tool': 'mock'}]}}}]}");
    options.overrides = &overrides;
    run(DISPATCH_DONE, "1:m ok ok");
    struct str out = read_text("calls/01-worker-mock.out");
    assert_true(str_find(out, STR("\"m\"")) < out.n);
}

/* Arguments that a model asked for, and that its worker refuses, must not give it a cooldown. */
TEST(a_candidate_has_no_cooldown_because_of_overrides)
{
    struct candidate asked = {.tool = AGENT_CLAUDE,
                              .flags = json_parse(&fixture, STR("[\"--odd\"]"), NULL, NULL)};
    struct worker_overrides overrides = {
        .call = &asked,
        .env = json_parse(&fixture, STR("{\"MOCK_API_KEY\":\"sk-of-the-task\"}"), NULL, NULL)};
    put_program("claude", "#!/bin/sh\nexit 1\n");
    configure(HEAD "'candidates': [{'tool': 'claude-code', 'model': 'a'}, " WHO(
        "b") "[{'fail': 'rate_limited'}]}}, " WHO("c") "[{'say': 'done'}]}}]}}}]}");
    options.overrides = &overrides;
    run(DISPATCH_DONE, "1:a launch 2:b rate_limited+rest 3:c ok done");
    check_cooldowns("mock|MOCK_API_KEY|b rate_limited\n"); /* under the account of the task */
}

/* ---- stopping */

#define SLEEPER                                                                                    \
    HEAD "'candidates': [" WHO("a") "[{'sleep_ms': 3600000, 'say': 'late'}]}}, " WHO(              \
        "b") "[{'say': 'no'}]}}]}}}]}"

TEST(a_program_in_a_container_is_found_in_its_image)
{
    put_program("docker", "#!/bin/sh\necho '{\"type\":\"result\",\"subtype\":\"success\","
                          "\"is_error\":false,\"result\":\"fine\"}'\n");
    configure(HEAD "'candidates': [{'tool': 'claude-code', 'model': 'a', 'cliPath': "
                   "'/only/in/the/image/claude'}]}}}]}");
    run(DISPATCH_NOBODY, "");
    options.sandbox = (struct sandbox){
        .kind = SANDBOX_DOCKER, .image = STR("image"), .repo = call.cwd, .dir = call.dir};
    run(DISPATCH_DONE, "1:a ok fine");
}

TEST(nothing_runs_if_it_is_stopped_before_it_begins)
{
    configure(SLEEPER);
    start();
    stop();
    stop();
    check(DISPATCH_STOPPED, "");
    CHECK_CSTR(buf_str(&why), "stopped");
    check_decisions("");
}

TEST(a_stop_during_an_attempt_is_reported_to_the_ledger)
{
    configure(SLEEPER);
    at_step = stop;
    run(DISPATCH_STOPPED, "1:a killed");
    check_decisions("a:killed");
    check_cooldowns("");
}

TEST(a_stop_after_the_choice_is_reported_and_nothing_runs)
{
    configure(SLEEPER);
    at_try = stop;
    run(DISPATCH_STOPPED, "1:a");
    check_decisions("a:killed");
    assert_int_equal(count_files("calls"), 0);
}

TEST(a_stop_between_two_tries_prevents_the_second)
{
    configure(THREE);
    at_outcome = stop;
    run(DISPATCH_STOPPED, "1:a rate_limited+rest");
    check_decisions("a:rate_limited");
}

/* Give candidate a a cooldown that was over long ago, so that the next try is a probe. */
static void add_old_cooldown(void)
{
    struct error err = {0};
    int64_t then = rfc3339_now() - 7200000, until = 0;
    struct ledger_ask ask = {.tooling = tooling,
                             .category = STR("worker"),
                             .now = then,
                             .rng = &rng,
                             .run = STR("run-1")};
    struct decision *d = ledger_choose(ledger, &ask, &err);
    assert_non_null(d);
    struct outcome limited = {
        .class = OUTCOME_USAGE_LIMITED, .until = then + 3600000, .trust = UNTIL_FIELD};
    assert_true(
        ledger_report(ledger, d, &(struct ledger_result){&limited, NULL, then}, &until, &err));
    assert_true(until > then);
    decision_free(d);
}

TEST(a_stopped_probe_is_released)
{
    configure(SLEEPER);
    add_old_cooldown();
    at_step = stop;
    run(DISPATCH_STOPPED, "1:a(probe) killed");
    at_try = stop;
    run(DISPATCH_STOPPED, "1:a(probe)");
    at_step = stop;
    run(DISPATCH_STOPPED, "1:a(probe) killed");
}

/* ---- a ledger that fails */

static void drop_tables(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(in_folder("state.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE decision; DROP TABLE rest", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
}

TEST(an_outcome_that_cannot_be_stored_is_a_warning)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'say': 'done'}]}}]}}}]}");
    at_try = drop_tables;
    run(DISPATCH_DONE, "1:a ok done");
    assert_true(warned.n > 0);
    run(DISPATCH_FAILED, ""); /* no candidate can be chosen any more */
    assert_true(why.n > 0);
}

/* ---- a ledger that waits */

static sqlite3 *lock;
static struct buf heard; /* from a child that is not part of the dispatch */
static void (*at_heard)(void);

static void lock_ledger(void)
{
    assert_int_equal(sqlite3_open(in_folder("state.db"), &lock), SQLITE_OK);
    sqlite3_busy_timeout(lock, 10000);
    assert_int_equal(sqlite3_exec(lock, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
}

static void unlock_ledger(void)
{
    sqlite3_close(lock);
}

static void on_child_output(struct process *p, enum process_stream which, struct str bytes,
                            void *ctx)
{
    (void)p, (void)which, (void)ctx;
    if (!heard.n)
        assert_int_equal(ends, 0); /* the ledger still waits */
    buf_add(&heard, bytes);
    call_once(&at_heard);
}

static void on_child_exit(struct process *p, struct process_exit end, void *ctx)
{
    (void)p, (void)end, (void)ctx;
}

static void start_child(const char *script)
{
    struct process_options o = {.argv = (const char *const[]){"sh", "-c", script, NULL},
                                .on_output = on_child_output,
                                .on_exit = on_child_exit};
    assert_non_null(process_start(loop, &o, NULL));
}

static void start_interrupter(void)
{
    start_child("sleep 0.3; echo now; kill -INT $PPID");
}

static void on_interrupt(void *ctx)
{
    (void)ctx;
    stop();
}

/* Ctrl-C soon ends a wait that would take LEDGER_BUSY_MS; output of children is read meanwhile. */
static void check_interrupted(const char *events)
{
    struct timespec begin, end;
    loop_on_signal(loop, SIGINT, on_interrupt, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    run(DISPATCH_STOPPED, events);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - begin.tv_sec < LEDGER_BUSY_MS / 2000);
    CHECK_CSTR(buf_str(&heard), "now\n");
    unlock_ledger();
    buf_done(&heard);
}

TEST(output_of_children_is_read_while_the_ledger_waits)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'say': 'done'}]}}]}}}]}");
    lock_ledger();
    at_heard = unlock_ledger;
    start_child("sleep 0.3; echo 1");
    run(DISPATCH_DONE, "1:a ok done");
    CHECK_CSTR(buf_str(&heard), "1\n");
    buf_done(&heard);
}

TEST(an_interrupt_ends_the_wait_for_a_choice)
{
    configure(SLEEPER);
    lock_ledger();
    start_interrupter();
    check_interrupted("");
    check_decisions("");
}

static void lock_and_interrupt(void)
{
    lock_ledger();
    start_interrupter();
}

TEST(an_interrupt_ends_the_wait_of_a_report)
{
    configure(HEAD "'candidates': [" WHO("a") "[{'say': 'done'}]}}]}}}]}");
    at_try = lock_and_interrupt;
    check_interrupted("1:a ok");
    assert_true(warned.n > 0);
    check_decisions("a:none");
}
