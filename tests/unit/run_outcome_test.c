#include "agent/run_outcome.h"

#include "agent/run_result.h"
#include "test.h"

#define NOW    1000000
#define MINUTE 60000

/* Candidates that were not chosen, as "why they are out, cooldown, when they are back". */
static struct run_outcome outcome_of(const struct decision_candidate *candidates, size_t count)
{
    struct decision_candidate copy[4];
    memcpy(copy, candidates, count * sizeof *copy);
    struct decision d = {.index = SELECT_NOBODY, .candidates = copy, .count = count};
    struct dispatch_end end = {.kind = DISPATCH_NOBODY, .decision = &d};
    return run_outcome_of_dispatch(&end, 0, NOW);
}

#define OUTCOME_OF(...)                                                                            \
    outcome_of((const struct decision_candidate[]){__VA_ARGS__},                                   \
               sizeof((const struct decision_candidate[]){__VA_ARGS__}) /                          \
                   sizeof(struct decision_candidate))

static void check(struct run_outcome got, const char *name, bool nobody, int64_t until)
{
    assert_string_equal(got.name, name);
    assert_int_equal(got.nobody, nobody);
    assert_int_equal(got.until, until);
}

TEST(the_first_limit_that_ends_counts)
{
    check(
        OUTCOME_OF(
            {.out = SELECT_COOLDOWN, .cooldown = OUTCOME_RATE_LIMITED, .back_at = NOW + 5 * MINUTE},
            {.out = SELECT_COOLDOWN, .cooldown = OUTCOME_OVERLOADED, .back_at = NOW + 2 * MINUTE}),
        "overloaded", true, NOW + 2 * MINUTE);
}

TEST(time_is_better_than_a_person)
{
    check(OUTCOME_OF({.out = SELECT_COOLDOWN, .cooldown = OUTCOME_AUTH, .back_at = NOW + MINUTE},
                     {.out = SELECT_COOLDOWN,
                      .cooldown = OUTCOME_USAGE_LIMITED,
                      .back_at = NOW + 9 * MINUTE}),
          "usage_limited", true, NOW + 9 * MINUTE);
    check(OUTCOME_OF({.out = SELECT_COOLDOWN, .cooldown = OUTCOME_AUTH, .back_at = NOW + MINUTE}),
          "auth", true, 0);
}

TEST(a_crash_in_this_run_allows_a_retry_and_an_older_one_a_wait)
{
    check(
        OUTCOME_OF({.out = SELECT_TRIED, .cooldown = OUTCOME_INCOMPLETE, .back_at = NOW + MINUTE}),
        "incomplete", false, NOW + MINUTE);
    check(OUTCOME_OF(
              {.out = SELECT_COOLDOWN, .cooldown = OUTCOME_INCOMPLETE, .back_at = NOW + MINUTE}),
          "incomplete", true, NOW + MINUTE);
}

TEST(a_probe_is_waited_for_one_minute_at_most)
{
    check(OUTCOME_OF({.out = SELECT_PROBING,
                      .cooldown = OUTCOME_RATE_LIMITED,
                      .back_at = NOW + 60 * MINUTE}),
          "rate_limited", true, NOW + MINUTE);
}

TEST(waiting_does_not_help_without_an_agent)
{
    check(OUTCOME_OF({.out = SELECT_UNAVAILABLE}), "launch", true, 0);
}

static struct run_outcome outcome_of_attempt(enum outcome_class class, int64_t stated,
                                             int64_t cooldown_until)
{
    struct decision d = {.forced = true};
    struct output output = {
        .outcome = {.class = class, .until = stated, .trust = stated ? UNTIL_FIELD : UNTIL_NONE}};
    struct dispatch_end end = {.kind = DISPATCH_FAILED, .decision = &d, .output = &output};
    return run_outcome_of_dispatch(&end, cooldown_until, NOW);
}

TEST(without_fallback_the_outcome_of_the_attempt_counts)
{
    check(outcome_of_attempt(OUTCOME_RATE_LIMITED, NOW + MINUTE, 0), "rate_limited", true,
          NOW + MINUTE);
    check(outcome_of_attempt(OUTCOME_RATE_LIMITED, NOW + MINUTE, NOW + 2 * MINUTE), "rate_limited",
          true, NOW + 2 * MINUTE);
    check(outcome_of_attempt(OUTCOME_RATE_LIMITED, 0, 0), "rate_limited", true,
          NOW + (int64_t)outcome_row(OUTCOME_RATE_LIMITED)->default_ms);
    check(outcome_of_attempt(OUTCOME_AUTH, 0, 0), "auth", true, 0);
    check(outcome_of_attempt(OUTCOME_REQUEST, 0, 0), "request", false, 0);
}

TEST(a_failed_choice_is_a_fault_of_the_store)
{
    check(run_outcome_of_dispatch(&(struct dispatch_end){.kind = DISPATCH_FAILED}, 0, NOW),
          RUN_RESULT_STORE, false, 0);
}
