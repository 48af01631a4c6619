#include "orchestrator/attempt_policy.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "process/supervisor.h"
#include "test.h"
#include "tooling/cooldown.h"
#include "tooling/outcome.h"

#define NOW 1800000000000

static struct rng rng;

static struct attempt_follow_up of(struct attempt_end end, struct attempt_tries tries)
{
    struct attempt_policy policy = {0};
    return attempt_policy_follow_up(&end, &policy, &tries, NOW, &rng);
}

static int setup(void **state)
{
    rng_seed(&rng, 7);
    return 0;
}

#define EXIT(n) ((struct attempt_end){.kind = ATTEMPT_EXITED, .code = (n)})

struct line {
    const char *what;
    struct attempt_end end;
    enum task_event event;
    bool counts, lost;
    const char *why;
};

TEST_FIXTURE(setup, NULL);

/* The table of the header, row by row, for a first attempt. */
TEST(each_row_of_the_table_holds)
{
    static const struct line lines[] = {
        {"done", {.code = 0}, TASK_SUCCEED, true, false, ""},
        {"done, whatever it says", {.code = 0, .nobody = true}, TASK_SUCCEED, true, false, ""},
        {"its file", {.code = 2}, TASK_FAIL, true, false, "its file or tooling is wrong"},
        {"its file, why",
         {.code = 2, .why = STR_INIT("line 3: no prd")},
         TASK_FAIL,
         true,
         false,
         "line 3: no prd"},
        {"limited, nobody left",
         {.code = 1, .nobody = true, .until = NOW + 60000, .outcome = STR_INIT("usage_limited")},
         TASK_RETRY,
         false,
         false,
         "limited"},
        {"limited, nobody asked at all",
         {.code = 1, .nobody = true, .until = NOW + 60000},
         TASK_RETRY,
         false,
         false,
         "limited"},
        {"limited, no other may be asked",
         {.code = 1, .until = NOW + 60000, .outcome = STR_INIT("rate_limited")},
         TASK_RETRY,
         false,
         false,
         "limited"},
        {"nobody, and time does not help",
         {.code = 1, .nobody = true, .outcome = STR_INIT("auth")},
         TASK_GIVE_UP,
         true,
         false,
         "no candidate is available"},
        {"limited, nobody says until when",
         {.code = 1, .outcome = STR_INIT("rate_limited"), .why = STR_INIT("429")},
         TASK_RETRY,
         false,
         true,
         "limited: 429"},
        {"overloaded",
         {.code = 1, .outcome = STR_INIT("overloaded")},
         TASK_RETRY,
         false,
         true,
         "limited"},
        {"server", {.code = 1, .outcome = STR_INIT("server")}, TASK_RETRY, false, true, "limited"},
        {"cancelled", {.kind = ATTEMPT_CANCELLED}, TASK_CANCEL, false, false, "cancelled"},
        {"stopped",
         {.kind = ATTEMPT_STOPPED, .code = 130},
         TASK_BACK,
         false,
         false,
         "returned: its orchestrator stopped it"},
        {"lost", {.kind = ATTEMPT_LOST}, TASK_BACK, false, true, "its lease expired"},
        {"lost, and how",
         {.kind = ATTEMPT_LOST, .why = STR_INIT("its supervisor was killed")},
         TASK_BACK,
         false,
         true,
         "lost: its supervisor was killed"},
        {"not started",
         {.kind = ATTEMPT_NO_START, .why = STR_INIT("No space left on device")},
         TASK_RETRY,
         false,
         true,
         "could not be started: No space left on device"},
        {"its rests could not be kept",
         {.code = 1, .outcome = STR_INIT("store"), .why = STR_INIT("database is locked")},
         TASK_RETRY,
         false,
         true,
         "could not be started: database is locked"},
        {"unmet",
         {.code = 1, .outcome = STR_INIT("unmet"), .why = STR_INIT("AC-1 is not met")},
         TASK_RETRY,
         true,
         false,
         "AC-1 is not met"},
        {"auth, no other may be asked",
         {.code = 1, .outcome = STR_INIT("auth"), .until = NOW + 1},
         TASK_RETRY,
         true,
         false,
         "exit code 1"},
        {"interrupted", {.code = 130}, TASK_RETRY, true, false, "interrupted"},
        {"killed, says the supervisor",
         {.code = 137},
         TASK_RETRY,
         true,
         false,
         "killed by signal 9"},
        {"killed",
         {.kind = ATTEMPT_SIGNALLED, .signal = 11},
         TASK_RETRY,
         true,
         false,
         "killed by signal 11"},
        {"lease over",
         {.code = SUPERVISOR_LEASE_OVER},
         TASK_BACK,
         false,
         true,
         "its lease expired"},
        {"orphaned", {.code = SUPERVISOR_ORPHANED}, TASK_BACK, false, true, "its lease expired"},
        {"not executable", {.code = 126}, TASK_RETRY, false, true, "could not be started"},
        {"not found", {.code = 127}, TASK_RETRY, false, true, "could not be started"},
        {"a code of its own", {.code = 77}, TASK_RETRY, true, false, "exit code 77"},
        {"no code at all", {.code = -1}, TASK_RETRY, true, false, "exit code -1"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct line *l = &lines[i];
        struct attempt_follow_up v = of(l->end, (struct attempt_tries){0});
        if (v.event != l->event || v.counts != l->counts || v.lost != l->lost)
            fail_msg("%s: %s%s%s", l->what, task_state_event_name(v.event),
                     v.counts ? " counts" : "", v.lost ? " lost" : "");
        CHECK_CSTR(str_from(v.why), l->why);
        if ((v.event == TASK_RETRY) != (v.wait_ms > 0))
            fail_msg("%s: waits %llu ms", l->what, (unsigned long long)v.wait_ms);
    }
}

TEST(the_last_counted_attempt_blocks_the_task)
{
    struct attempt_end end = EXIT(1);
    for (uint32_t max = 1; max <= 4; max++)
        for (uint32_t counted = 0; counted < 6; counted++) {
            struct attempt_policy policy = {.max_attempts = max};
            struct attempt_tries tries = {.counted = counted};
            struct attempt_follow_up v = attempt_policy_follow_up(&end, &policy, &tries, NOW, &rng);
            assert_int_equal(v.event, counted + 1 < max ? TASK_RETRY : TASK_GIVE_UP);
            assert_true(v.counts);
        }
    struct attempt_follow_up v =
        of(end, (struct attempt_tries){.counted = ATTEMPT_POLICY_ATTEMPTS - 1});
    CHECK_CSTR(str_from(v.why), "3 attempts are used up: exit code 1");
    v = of(end, (struct attempt_tries){.counted = ATTEMPT_POLICY_ATTEMPTS - 2});
    assert_int_equal(v.event, TASK_RETRY);
    v = of(end, (struct attempt_tries){.counted = UINT32_MAX});
    assert_int_equal(v.event, TASK_GIVE_UP);
    struct attempt_policy once = {.max_attempts = 1};
    v = attempt_policy_follow_up(&end, &once, &(struct attempt_tries){0}, NOW, &rng);
    CHECK_CSTR(str_from(v.why), "exit code 1");
}

TEST(repeated_losses_block_the_task)
{
    struct attempt_end ends[] = {{.kind = ATTEMPT_LOST},
                                 {.kind = ATTEMPT_NO_START, .why = STR_INIT("disk full")},
                                 {.code = 1, .outcome = STR_INIT("rate_limited")}};
    for (size_t i = 0; i < 3; i++) {
        struct attempt_follow_up v =
            of(ends[i], (struct attempt_tries){.lost = ATTEMPT_POLICY_MAX_LOST - 2});
        assert_int_equal(v.event, i == 0 ? TASK_BACK : TASK_RETRY);
        v = of(ends[i], (struct attempt_tries){.lost = ATTEMPT_POLICY_MAX_LOST - 1});
        assert_int_equal(v.event, TASK_GIVE_UP);
        assert_false(v.counts);
        assert_int_equal(v.wait_ms, 0);
        v = of(ends[i], (struct attempt_tries){.lost = UINT32_MAX});
        assert_int_equal(v.event, TASK_GIVE_UP);
        struct attempt_policy policy = {.max_lost = 1};
        v = attempt_policy_follow_up(&ends[i], &policy, &(struct attempt_tries){0}, NOW, &rng);
        assert_int_equal(v.event, TASK_GIVE_UP);
    }
    struct attempt_follow_up v =
        of(ends[1], (struct attempt_tries){.lost = ATTEMPT_POLICY_MAX_LOST - 1});
    CHECK_CSTR(str_from(v.why), "could not be started 20 times in a row: disk full");
    /* Lost attempts and counted attempts are counted separately. */
    v = of(EXIT(1), (struct attempt_tries){.lost = 100});
    assert_int_equal(v.event, TASK_RETRY);
    v = of(ends[0], (struct attempt_tries){.counted = 100});
    assert_int_equal(v.event, TASK_BACK);
}

TEST(limits_never_use_up_attempts)
{
    struct attempt_end end = {.code = 1, .nobody = true, .until = NOW + 1000};
    struct attempt_follow_up v = of(end, (struct attempt_tries){.counted = 100, .lost = 100});
    assert_int_equal(v.event, TASK_RETRY);
    assert_false(v.counts || v.lost);
}

static void check_wait(struct attempt_policy policy, uint32_t counted, uint64_t middle)
{
    struct attempt_end end = EXIT(1);
    struct attempt_tries tries = {.counted = counted};
    uint64_t least = UINT64_MAX, most = 0;
    policy.max_attempts = UINT32_MAX;
    for (int i = 0; i < 2000; i++) {
        struct attempt_follow_up v = attempt_policy_follow_up(&end, &policy, &tries, NOW, &rng);
        assert_int_equal(v.event, TASK_RETRY);
        least = v.wait_ms < least ? v.wait_ms : least;
        most = v.wait_ms > most ? v.wait_ms : most;
    }
    assert_in_range(least, middle - middle / 4, middle - middle / 5);
    assert_in_range(most, middle + middle / 5, middle + middle / 4);
}

TEST(waits_double_up_to_the_maximum_plus_or_minus_a_quarter)
{
    check_wait((struct attempt_policy){0}, 0, ATTEMPT_POLICY_BASE_MS);
    check_wait((struct attempt_policy){0}, 1, ATTEMPT_POLICY_BASE_MS * 2);
    check_wait((struct attempt_policy){0}, 6, ATTEMPT_POLICY_BASE_MS * 64);
    check_wait((struct attempt_policy){0}, 7, ATTEMPT_POLICY_MOST_MS);
    check_wait((struct attempt_policy){0}, 63, ATTEMPT_POLICY_MOST_MS);
    check_wait((struct attempt_policy){0}, 64, ATTEMPT_POLICY_MOST_MS);
    check_wait((struct attempt_policy){0}, UINT32_MAX - 2, ATTEMPT_POLICY_MOST_MS);
    check_wait((struct attempt_policy){.base_ms = 1000, .most_ms = 3000}, 1, 2000);
    check_wait((struct attempt_policy){.base_ms = 1000, .most_ms = 3000}, 2, 3000);
    check_wait((struct attempt_policy){.base_ms = 5000, .most_ms = 3000}, 0, 3000);
    /* No setting overflows or makes a wait of years. */
    struct attempt_policy huge = {.base_ms = UINT64_MAX, .most_ms = UINT64_MAX};
    check_wait(huge, 5, ATTEMPT_POLICY_UNTIL_MS);
    huge.base_ms = UINT64_MAX / 2 + 1;
    check_wait(huge, 1, ATTEMPT_POLICY_UNTIL_MS);
    /* The smallest setting. */
    struct attempt_policy tiny = {.base_ms = 1, .most_ms = 1};
    struct attempt_end end = EXIT(1);
    struct attempt_follow_up v =
        attempt_policy_follow_up(&end, &tiny, &(struct attempt_tries){0}, NOW, &rng);
    assert_int_equal(v.wait_ms, 1);
}

TEST(an_attempt_that_could_not_start_waits_briefly_at_first)
{
    struct attempt_end end = {.kind = ATTEMPT_NO_START};
    struct attempt_follow_up v = of(end, (struct attempt_tries){0});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_SOON_MS * 3 / 4, ATTEMPT_POLICY_SOON_MS * 5 / 4);
    v = of(end, (struct attempt_tries){.lost = 3});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_SOON_MS * 6, ATTEMPT_POLICY_SOON_MS * 10);
    /* Counted attempts do not matter. */
    v = of(end, (struct attempt_tries){.counted = 30});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_SOON_MS * 3 / 4, ATTEMPT_POLICY_SOON_MS * 5 / 4);
}

static void check_until(int64_t until, uint64_t least, uint64_t most)
{
    struct attempt_end end = {.code = 1, .nobody = true, .until = until};
    uint64_t first = 0;
    bool differ = false;
    for (int i = 0; i < 500; i++) {
        struct attempt_follow_up v = of(end, (struct attempt_tries){0});
        assert_int_equal(v.event, TASK_RETRY);
        assert_in_range(v.wait_ms, least, most);
        differ = differ || (i > 0 && v.wait_ms != first);
        first = v.wait_ms;
    }
    assert_true(differ);
}

TEST(a_retry_waits_for_the_limit_and_a_little_longer)
{
    check_until(NOW + 60000, 60000, 63000);
    check_until(NOW + 5000, 5000, 6000); /* at least a second of jitter */
    check_until(NOW + 5 * 3600000, 5 * 3600000, 5 * 3600000 + 30000);
    check_until(NOW, ATTEMPT_POLICY_LEAST_MS, ATTEMPT_POLICY_LEAST_MS + 1000);
    check_until(NOW - 1, ATTEMPT_POLICY_LEAST_MS, ATTEMPT_POLICY_LEAST_MS + 1000);
    check_until(1, ATTEMPT_POLICY_LEAST_MS, ATTEMPT_POLICY_LEAST_MS + 1000);
    check_until(NOW + (int64_t)ATTEMPT_POLICY_UNTIL_MS, ATTEMPT_POLICY_UNTIL_MS,
                ATTEMPT_POLICY_UNTIL_MS + 30000);
    check_until(NOW + 3650ll * 86400000, ATTEMPT_POLICY_UNTIL_MS, ATTEMPT_POLICY_UNTIL_MS + 30000);
    check_until(INT64_MAX, ATTEMPT_POLICY_UNTIL_MS, ATTEMPT_POLICY_UNTIL_MS + 30000);
    assert_int_equal(ATTEMPT_POLICY_UNTIL_MS, COOLDOWN_MAX_MS);

    /* The clock is far behind. */
    struct attempt_end end = {.code = 1, .nobody = true, .until = INT64_MAX};
    struct attempt_policy policy = {0};
    struct attempt_follow_up v =
        attempt_policy_follow_up(&end, &policy, &(struct attempt_tries){0}, INT64_MIN, &rng);
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_UNTIL_MS, ATTEMPT_POLICY_UNTIL_MS + 30000);
}

TEST(retry_waits_until_a_candidate_is_available)
{
    struct attempt_end end = {.code = 1, .outcome = STR("incomplete"), .until = NOW + 600000};
    struct attempt_follow_up v = of(end, (struct attempt_tries){0});
    assert_in_range(v.wait_ms, 600000, 630000);
    assert_true(v.counts);
    end.until = NOW + 10; /* before the normal retry */
    v = of(end, (struct attempt_tries){0});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_BASE_MS * 3 / 4, ATTEMPT_POLICY_BASE_MS * 5 / 4);
    end.until = INT64_MAX;
    v = of(end, (struct attempt_tries){0});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_UNTIL_MS, ATTEMPT_POLICY_UNTIL_MS + 30000);
    end.until = NOW - 5;
    v = of(end, (struct attempt_tries){0});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_BASE_MS * 3 / 4, ATTEMPT_POLICY_BASE_MS * 5 / 4);
}

TEST(limits_without_a_time_double_the_wait)
{
    struct attempt_end end = {.code = 1, .outcome = STR("rate_limited")};
    struct attempt_follow_up v = of(end, (struct attempt_tries){.counted = 9});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_BASE_MS * 3 / 4, ATTEMPT_POLICY_BASE_MS * 5 / 4);
    v = of(end, (struct attempt_tries){.lost = 2});
    assert_in_range(v.wait_ms, ATTEMPT_POLICY_BASE_MS * 3, ATTEMPT_POLICY_BASE_MS * 5);
}

TEST(the_reason_is_one_line_of_valid_text_that_fits)
{
    static char text[2048];
    /* Characters of 1 to 4 bytes, shifted so that the border falls on each of their bytes. */
    static const char *const chars[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (size_t c = 0; c < 4; c++)
        for (size_t shift = 0; shift < 4; shift++) {
            size_t n = 0, len = strlen(chars[c]);
            while (n < shift)
                text[n++] = 'x';
            while (n + len < sizeof text) {
                memcpy(text + n, chars[c], len);
                n += len;
            }
            struct attempt_end end = EXIT(1);
            end.why = str_make(text, n);
            struct attempt_follow_up v = of(end, (struct attempt_tries){0});
            struct str got = str_from(v.why);
            assert_true(utf8_is_valid(got));
            assert_in_range(got.n, ATTEMPT_POLICY_WHY_MAX - 4, ATTEMPT_POLICY_WHY_MAX - 1);
            assert_memory_equal(got.p, text, got.n);
            v = of(end, (struct attempt_tries){.counted = 2}); /* with a prefix */
            assert_true(utf8_is_valid(str_from(v.why)));
        }
    struct attempt_end end = EXIT(1);
    end.why = STR("a\nb\tc\r\0d\x1b[1m\x7f.");
    struct attempt_follow_up v = of(end, (struct attempt_tries){0});
    CHECK_CSTR(str_from(v.why), "a b c  d [1m .");
    memset(text, 0xff, sizeof text); /* each byte becomes three */
    end.why = str_make(text, sizeof text);
    v = of(end, (struct attempt_tries){0});
    assert_true(utf8_is_valid(str_from(v.why)));
    assert_in_range(strlen(v.why), ATTEMPT_POLICY_WHY_MAX - 3, ATTEMPT_POLICY_WHY_MAX - 1);
}

TEST(all_known_outcomes_exist)
{
    enum outcome_class c;
    assert_true(outcome_find(STR("rate_limited"), &c) && outcome_find(STR("usage_limited"), &c));
    assert_true(outcome_find(STR("overloaded"), &c) && outcome_find(STR("server"), &c));
}
