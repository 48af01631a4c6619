#include "tooling/ledger.h"

#include <pthread.h>
#include <sqlite3.h>

#include "ledger_calls.h"

/* ---- decisions */

static void on_decision(struct str json, void *ctx)
{
    buf_add(ctx, json);
    buf_add_char(ctx, '\n');
}

TEST_FIXTURE(setup, teardown);

TEST(a_decision_is_kept_as_json_with_its_outcome)
{
    configure(STRATEGY_WEIGHTED, 2);
    candidates[1].weight = 0.5;
    run_one(0, OUTCOME_SERVER);
    struct ledger_ask ask = ask_for("plan");
    ask.run = STR("r\"1");
    struct decision *d = choose_as(&ask);
    struct buf got = {0};
    now += 5 * SECOND;
    assert_true(ledger_decision(ledger, 2, on_decision, &got, &err));
    assert_true(str_ends(buf_str(&got), STR(",\"outcome\":null}\n")));
    report_outcome(d, &(struct outcome){.class = OUTCOME_USAGE_LIMITED,
                                        .until = now + HOUR,
                                        .trust = UNTIL_TEXT,
                                        .evidence = "result.status=429",
                                        .message = "5-hour\x1b[31m limit\n\xff"});
    assert_string_equal(d->outcome.message, "5-hour [31m limit ?");
    assert_true(d->has_outcome && d->reported_at == now);
    buf_clear(&got);
    assert_true(ledger_decision(ledger, 2, on_decision, &got, &err));
    CHECK_CSTR(buf_str(&got),
               "{\"id\":2,\"time\":\"2026-11-16T01:00:00.000Z\",\"run\":\"r\\\"1\","
               "\"category\":\"plan\",\"used\":\"meta\",\"profile\":\"test\","
               "\"strategy\":\"weighted\",\"forced\":false,\"fallback\":true,\"candidates\":["
               "{\"tool\":\"mock\",\"model\":\"a\",\"account\":\"KEY_0\",\"weight\":1,"
               "\"out\":\"resting\",\"why\":\"in cooldown until 2026-11-16T01:00:30.000Z: server "
               "(exit=1)\",\"back_at\":\"2026-11-16T01:00:30.000Z\"},"
               "{\"tool\":\"mock\",\"model\":\"b\",\"account\":\"KEY_1\",\"weight\":0.5,"
               "\"out\":\"in\",\"why\":\"\",\"back_at\":null}],"
               "\"draw\":0.8628439001346909,"
               "\"share\":1,\"probe\":false,"
               "\"choice\":{\"index\":1,\"tool\":\"mock\",\"model\":\"b\","
               "\"account\":\"KEY_1\"},\"tool\":\"mock\",\"model\":\"b\",\"back_at\":null,"
               "\"outcome\":{\"time\":\"2026-11-16T01:00:05.000Z\","
               "\"class\":\"usage_limited\",\"evidence\":\"result.status=429\","
               "\"message\":\"5-hour [31m limit ?\","
               "\"until\":\"2026-11-16T02:00:05.000Z\"}}\n");
    buf_done(&got);
    decision_free(d);
}

TEST(a_choice_of_nobody_is_recorded)
{
    profile.categories[CATEGORY_META].count = 1;
    run_one(0, OUTCOME_AUTH);
    decision_free(choose());
    struct buf got = {0};
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){.most = 1}, on_decision, &got, &err));
    assert_non_null(strstr(got.p, "\"choice\":null,\"tool\":null,\"model\":null,"
                                  "\"back_at\":\"2026-11-16T02:00:00.000Z\""));
    assert_non_null(strstr(got.p, "\"draw\":null,\"share\":0,"));
    buf_done(&got);
}

static void on_id(struct str json, void *ctx)
{
    struct arena a = {0};
    int64_t id;
    assert_true(json_i64(json_get(json_parse(&a, json, NULL, NULL), STR("id")), &id));
    buf_printf(ctx, "%lld ", (long long)id);
    arena_done(&a);
}

TEST(decisions_come_newest_first)
{
    for (int i = 0; i < 150; i++)
        decision_free(choose());
    struct buf got = {0};
    assert_true(ledger_decisions(ledger, &(struct ledger_want){.most = 3}, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "150 149 148 ");
    buf_clear(&got);
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){.most = SIZE_MAX}, on_id, &got, &err));
    assert_true(str_starts(buf_str(&got), STR("150 149 ")));
    assert_true(str_ends(buf_str(&got), STR(" 3 2 1 ")));
    buf_clear(&got);
    assert_true(ledger_decisions(ledger, &(struct ledger_want){.most = 0}, on_id, &got, &err));
    assert_true(ledger_decision(ledger, 151, on_id, &got, &err));
    assert_true(ledger_decision(ledger, 0, on_id, &got, &err));
    assert_true(ledger_decision(ledger, INT64_MIN, on_id, &got, &err));
    assert_true(ledger_decision(ledger, INT64_MAX, on_id, &got, &err));
    assert_int_equal(got.n, 0);
    assert_true(ledger_decision(ledger, 77, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "77 ");
    buf_done(&got);
}

/* The oldest are deleted. A late run finds its decision gone, and no other in its place. */
TEST(the_number_of_decisions_is_limited)
{
    struct decision *first = choose();
    for (int i = 0; i < LEDGER_MAX_DECISIONS + 2; i++)
        decision_free(choose());
    struct buf got = {0};
    assert_true(ledger_decision(ledger, 3, on_id, &got, &err));
    assert_true(ledger_decision(ledger, 1, on_id, &got, &err));
    assert_int_equal(got.n, 0);
    assert_true(ledger_decision(ledger, 4, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "4 ");
    report(first, OUTCOME_OK);
    buf_clear(&got);
    assert_true(ledger_decision(ledger, 1, on_id, &got, &err));
    assert_int_equal(got.n, 0);
    buf_done(&got);
}

TEST(a_decision_is_reported_once)
{
    struct decision *d = choose();
    struct outcome o = {.class = OUTCOME_SERVER};
    struct ledger_result result = {&o, NULL, now};
    int64_t until = 0;
    assert_true(ledger_report(ledger, d, &result, &until, &err));
    assert_false(ledger_report(ledger, d, &result, &until, &err));
    assert_int_equal(err.code, ERR_INVALID_REQUEST);
    decision_free(d);
    check_cooldowns("mock|*|a server 30000 x1\n");
    profile.categories[CATEGORY_META].count = 0;
    d = choose();
    assert_false(ledger_report(ledger, d, &result, &until, &err)); /* nobody ran */
    decision_free(d);
}

TEST(secrets_are_not_in_the_file)
{
    if (test_store_is_server())
        skip(); /* there is no file; the rows are the same */
    set_env(0, "{\"MOCK_API_KEY\":\"sk-very-secret\",\"OTHER\":\"sk-very-secret\"}");
    tooling.force = candidates[0];
    for (int i = 0; i < 2; i++) {
        struct decision *d = choose();
        report(d, OUTCOME_USAGE_LIMITED);
        tooling.forced = true;
    }
    close_ledger();
    assert_int_equal(system("grep -q MOCK_API_KEY state.db"), 0);
    assert_int_not_equal(system("grep -q sk-very-secret state.db*"), 0);
    open_ledger();
}

/* ---- clearing */

TEST(cooldowns_are_cleared_by_a_prefix_of_their_keys)
{
    for (size_t i = 0; i < 4; i++)
        run_one(i, i % 2 ? OUTCOME_AUTH : OUTCOME_MODEL);
    size_t n = 99;
    assert_true(ledger_clear(ledger, STR("mock|key"), &n, &err)); /* case counts */
    assert_int_equal(n, 0);
    assert_true(ledger_clear(ledger, STR("mock|KEY_%"), &n, &err)); /* no pattern */
    assert_int_equal(n, 0);
    assert_true(ledger_clear(ledger, STR("mock|KEY_1|"), &n, &err));
    assert_int_equal(n, 1);
    check_cooldowns("mock|KEY_0|a model 3600000 x1\n"
                    "mock|KEY_2|c model 3600000 x1\n"
                    "mock|KEY_3|* auth 3600000 x1\n");
    assert_true(ledger_clear(ledger, STR(""), &n, &err));
    assert_int_equal(n, 3);
    check_cooldowns("");
    assert_int_equal(look(), 0);
}

TEST(a_probe_whose_cooldown_was_cleared_reports_normally)
{
    run_one(0, OUTCOME_SERVER);
    now += MINUTE;
    struct decision *probe = choose();
    size_t n;
    assert_true(ledger_clear(ledger, STR(""), &n, &err));
    report(probe, OUTCOME_KILLED);
    check_cooldowns("");
}

/* ---- time */

TEST(extreme_times_are_handled)
{
    static const int64_t times[] = {0, 1, -1, INT64_MAX, INT64_MIN, START, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 8; i++) {
        now = times[i];
        struct decision *d = choose();
        assert_true(d->index != SELECT_NOBODY);
        report_outcome(d, &(struct outcome){.class = OUTCOME_USAGE_LIMITED,
                                            .until = times[7 - i],
                                            .trust = UNTIL_FIELD});
        struct buf text = {0};
        decision_say_nobody(d, times[7 - i], &text);
        buf_done(&text);
        decision_free(d);
        size_t n;
        assert_true(ledger_clear(ledger, STR(""), &n, &err));
    }
}

/* The clock was a year ahead when the limit was reported, then it was corrected. */
TEST(a_cooldown_of_a_wrong_clock_is_over)
{
    now = START + 365 * DAY;
    run_one(0, OUTCOME_USAGE_LIMITED);
    now = START;
    struct decision *d = choose();
    assert_int_equal(d->index, 0);
    assert_true(d->is_probe);
    report(d, OUTCOME_OK);
    check_cooldowns("");
}

TEST(cooldowns_that_ended_long_ago_are_deleted)
{
    run_one(0, OUTCOME_SERVER);
    now += 8 * DAY + 31 * SECOND;
    run_one(1, OUTCOME_OK);
    check_cooldowns("");
}

TEST(one_cooldown_is_cleared_by_its_whole_key)
{
    size_t cleared = 9;
    candidates[1].model = STR("ab"); /* the same account, and a longer key */
    set_env(1, "{\"MOCK_API_KEY\":\"env:KEY_0\"}");
    run_one(0, OUTCOME_SERVER);
    run_one(1, OUTCOME_SERVER);
    check_cooldowns("mock|*|a server 30000 x1\nmock|*|ab server 30000 x1\n");
    assert_true(ledger_clear_one(ledger, STR("mock|*|"), &cleared, &err));
    assert_int_equal(cleared, 0);
    assert_true(ledger_clear_one(ledger, STR("mock|*|a"), &cleared, &err));
    assert_int_equal(cleared, 1);
    check_cooldowns("mock|*|ab server 30000 x1\n");
}

TEST(a_near_limit_is_cleared_by_the_key_of_its_account)
{
    size_t cleared;
    struct decision *d = choose();
    struct outcome_warning near = {.used = 0.9, .window = "five_hour"};
    struct outcome fine = {0};
    assert_true(ledger_report(ledger, d, &(struct ledger_result){&fine, &near, now}, NULL, &err));
    decision_free(d);
    assert_int_equal(look(), 1);
    assert_true(ledger_clear_one(ledger, STR("mock|KEY_0|a"), &cleared, &err));
    assert_int_equal(look(), 1);
    assert_true(ledger_clear_one(ledger, STR("mock|KEY_0|*"), &cleared, &err));
    assert_int_equal(look(), 0);
}

TEST(decisions_are_found_by_their_run)
{
    struct buf got = {0};
    for (size_t i = 0; i < 200; i++) {
        struct ledger_ask ask = ask_for("meta");
        ask.run = i % 2 ? STR("r1") : i % 5 ? STR("r\"<2>") : STR("");
        decision_free(choose_as(&ask));
    }
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){&STR("r1"), 1, 3}, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "200 198 196 ");
    buf_clear(&got);
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){&STR("r\"<2>"), 1, 2}, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "199 197 ");
    buf_clear(&got);
    assert_true(ledger_decisions(ledger, &(struct ledger_want){&STR(""), 1, 1}, on_id, &got, &err));
    CHECK_CSTR(buf_str(&got), "191 ");
    buf_clear(&got);
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){&STR("r"), 1, 500}, on_id, &got, &err));
    assert_int_equal(got.n, 0);
    buf_done(&got);
}

/* ---- waiting */

static void *shorten_waits(void *ctx)
{
    usleep(100000);
    ledger_shorten_waits(ctx);
    return NULL;
}

/* The seconds that a choice waits for a locked file. */
static double wait_for_locked_file(void)
{
    struct timespec begin, end;
    struct ledger_ask ask = ask_for("meta");
    sqlite3 *db;
    assert_int_equal(sqlite3_open("state.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_null(ledger_choose(ledger, &ask, &err));
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_int_equal(err.code, ERR_IN_USE);
    sqlite3_close(db);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

TEST(a_wait_can_be_shortened_from_another_thread)
{
    pthread_t thread;
    if (test_store_is_server())
        skip(); /* there is no file to lock */
    assert_int_equal(pthread_create(&thread, NULL, shorten_waits, ledger), 0);
    assert_true(wait_for_locked_file() < LEDGER_BUSY_MS / 2000);
    pthread_join(thread, NULL);
    assert_true(wait_for_locked_file() < LEDGER_BUSY_MS / 2000);
    decision_free(choose()); /* and after the lock it works as before */
}
