#include "tooling/outcome.h"

#include "base/buf.h"
#include "test.h"

/* The whole table: fallback, scope, default and maximum length of the cooldown. */
TEST(every_class_matches_the_specification)
{
    struct buf got = {0};
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++) {
        const struct outcome_row *r = outcome_row(c);
        buf_printf(&got, "%s: %s, %s, %llu s%s, at most %llu s\n", r->name,
                   r->falls_back ? "falls back" : "ends", outcome_scope_name(r->scope),
                   (unsigned long long)r->default_ms / 1000, r->doubles ? " doubling" : "",
                   (unsigned long long)r->most_ms / 1000);
    }
    CHECK_CSTR(buf_str(&got),
               "ok: ends, none, 0 s, at most 0 s\n"
               "rate_limited: falls back, account+model, 30 s doubling, at most 86400 s\n"
               "usage_limited: falls back, account, 3600 s, at most 691200 s\n"
               "billing: falls back, account, 3600 s, at most 691200 s\n"
               "overloaded: falls back, tool+model, 30 s doubling, at most 900 s\n"
               "server: falls back, tool+model, 30 s doubling, at most 900 s\n"
               "auth: falls back, account, 3600 s, at most 86400 s\n"
               "model: falls back, account+model, 3600 s, at most 86400 s\n"
               "request: ends, none, 0 s, at most 0 s\n"
               "budget: ends, none, 0 s, at most 0 s\n"
               "killed: ends, none, 0 s, at most 0 s\n"
               "incomplete: falls back, tool+model, 30 s doubling, at most 900 s\n"
               "launch: falls back, tool+model, 300 s, at most 3600 s\n");
    buf_done(&got);
}

/* A class that falls back must have a cooldown, or the same candidate is tried again at once. */
TEST(a_class_falls_back_if_and_only_if_it_has_a_cooldown)
{
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++) {
        const struct outcome_row *r = outcome_row(c);
        assert_int_equal(r->falls_back, r->scope != SCOPE_NONE);
        assert_int_equal(r->falls_back, r->default_ms > 0);
        assert_true(r->default_ms <= r->most_ms);
        assert_true(strlen(r->about) > 0);
    }
}

TEST(every_class_is_found_by_its_name)
{
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++) {
        enum outcome_class found = OUTCOME_CLASS_COUNT;
        assert_true(outcome_find(str_from(outcome_name(c)), &found));
        assert_int_equal(found, c);
    }
    enum outcome_class found = OUTCOME_AUTH;
    assert_false(outcome_find(STR("OK"), &found));
    assert_false(outcome_find(STR(""), &found));
    assert_false(outcome_find(STR("rate_limited "), &found));
    assert_int_equal(found, OUTCOME_AUTH);
}
