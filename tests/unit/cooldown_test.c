#include "tooling/cooldown.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "test.h"

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24ll * HOUR)
#define NOW    1794790800000ll

static struct cooldown_who who;
static struct outcome o;
static struct cooldown next;
static char key[COOLDOWN_KEY_MAX], other[COOLDOWN_KEY_MAX];

static int setup(void **state)
{
    who = (struct cooldown_who){AGENT_CLAUDE, STR("opus"), STR("WORK_KEY"), 0};
    o = (struct outcome){.class = OUTCOME_RATE_LIMITED};
    snprintf(o.evidence, sizeof o.evidence, "result.api_error_status=429");
    snprintf(o.message, sizeof o.message, "Slow down");
    memset(&next, 0, sizeof next);
    return 0;
}

/* The cooldown after `class` if the provider names no time. */
static int64_t rest_of(enum outcome_class class, uint64_t least, const struct cooldown *old)
{
    o.class = class;
    who.least_ms = least;
    assert_true(cooldown_after(&o, &who, old, NOW, &next));
    return next.until - NOW;
}

static int64_t rest_said(enum outcome_trust trust, int64_t until)
{
    o.trust = trust;
    o.until = until;
    assert_true(cooldown_after(&o, &who, NULL, NOW, &next));
    return next.until - NOW;
}

/* ---- keys */

TEST_FIXTURE(setup, NULL);

TEST(a_key_has_the_parts_of_its_scope)
{
    cooldown_key(SCOPE_ACCOUNT_MODEL, &who, key);
    CHECK_CSTR(str_from(key), "claude-code|WORK_KEY|opus");
    cooldown_key(SCOPE_ACCOUNT, &who, key);
    CHECK_CSTR(str_from(key), "claude-code|WORK_KEY|*");
    cooldown_key(SCOPE_TOOL_MODEL, &who, key);
    CHECK_CSTR(str_from(key), "claude-code|*|opus");
    cooldown_key(SCOPE_NONE, &who, key);
    CHECK_CSTR(str_from(key), "");
}

TEST(the_default_model_has_its_own_key)
{
    who.model = STR("");
    cooldown_key(SCOPE_ACCOUNT_MODEL, &who, key);
    CHECK_CSTR(str_from(key), "claude-code|WORK_KEY|");
}

/* Names that look like separators, like "any", or like each other. */
TEST(different_names_have_different_keys)
{
    static const struct {
        struct str account, model;
    } pairs[] = {{STR_INIT("a"), STR_INIT("b|c")}, {STR_INIT("a|b"), STR_INIT("c")},
                 {STR_INIT("*"), STR_INIT("c")},   {STR_INIT("%2a"), STR_INIT("c")},
                 {STR_INIT("a"), STR_INIT("b")},   {STR_INIT("a"), STR_INIT("b\0")},
                 {STR_INIT("a"), STR_INIT("*")},   {STR_INIT("a"), STR_INIT("\xff")},
                 {STR_INIT("a"), STR_INIT("\xfe")}};
    enum {
        COUNT = sizeof pairs / sizeof *pairs
    };
    char keys[COUNT + 2][COOLDOWN_KEY_MAX];
    for (size_t i = 0; i < COUNT; i++) {
        who.account = pairs[i].account;
        who.model = pairs[i].model;
        cooldown_key(SCOPE_ACCOUNT_MODEL, &who, keys[i]);
        assert_true(utf8_is_valid(str_from(keys[i])));
    }
    who = (struct cooldown_who){AGENT_CLAUDE, STR("c"), STR("a"), 0};
    cooldown_key(SCOPE_ACCOUNT, &who, keys[COUNT]);
    cooldown_key(SCOPE_TOOL_MODEL, &who, keys[COUNT + 1]);
    for (size_t i = 0; i < COUNT + 2; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(keys[i], keys[j]);
}

/* The key of a model of n letters, the last of which is `last`. */
static void key_of_long(size_t n, char last, char out[COOLDOWN_KEY_MAX])
{
    char *model = mem_alloc(n);
    memset(model, 'm', n);
    model[n - 1] = last;
    who.model = str_make(model, n);
    cooldown_key(SCOPE_TOOL_MODEL, &who, out);
    free(model);
}

TEST(long_names_are_cut_and_still_differ)
{
    key_of_long(COOLDOWN_PART_MAX, 'x', key);
    assert_int_equal(strlen(key), strlen("claude-code|*|") + COOLDOWN_PART_MAX);
    assert_int_equal(key[strlen(key) - 1], 'x');
    key_of_long(COOLDOWN_PART_MAX + 1, 'x', key);
    key_of_long(COOLDOWN_PART_MAX + 1, 'y', other);
    assert_string_not_equal(key, other);
    assert_int_equal(strlen(key), strlen("claude-code|*|") + COOLDOWN_PART_MAX);
    assert_non_null(strchr(key, '~'));
    key_of_long(1u << 20, 'x', key);
    key_of_long(1u << 20, 'x', other);
    assert_string_equal(key, other);
}

/* The cut would be in the middle of a letter. */
TEST(no_cut_goes_through_a_character)
{
    for (size_t lead = 0; lead < 5; lead++) {
        struct buf b = {0};
        for (size_t i = 0; i < lead; i++)
            buf_add_char(&b, 'm');
        while (b.n < 400)
            buf_add(&b, lead % 2 ? STR("\xf0\x9f\x98\x80") : STR("|\xe3\x81\x82"));
        who.model = who.account = buf_str(&b);
        cooldown_key(SCOPE_ACCOUNT_MODEL, &who, key);
        assert_true(utf8_is_valid(str_from(key)));
        size_t percent = str_find_char(str_from(key), '%');
        if (percent < strlen(key))
            assert_memory_equal(key + percent, "%7c", 3);
        buf_done(&b);
    }
}

TEST(the_name_of_every_agent_fits)
{
    struct buf b = {0};
    while (b.n < 400)
        buf_add_char(&b, 'm');
    who.model = who.account = buf_str(&b);
    for (enum agent_kind k = AGENT_NONE + 1; k < AGENT_KIND_COUNT; k++) {
        who.tool = k;
        cooldown_key(SCOPE_ACCOUNT_MODEL, &who, key);
        assert_int_equal(strlen(key), strlen(agent_kind_name(k)) + 2 + 2 * COOLDOWN_PART_MAX);
        assert_true(strlen(agent_kind_name(k)) <= 20);
    }
    buf_done(&b);
}

/* ---- scope and length */

TEST(the_class_gives_the_scope_of_the_cooldown)
{
    struct buf got = {0};
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++) {
        o.class = c;
        if (cooldown_after(&o, &who, NULL, NOW, &next))
            buf_printf(&got, "%s: %s, %lld s\n", outcome_name(c), next.key,
                       (long long)(next.until - NOW) / SECOND);
        else
            buf_printf(&got, "%s: nobody\n", outcome_name(c));
    }
    CHECK_CSTR(buf_str(&got), "ok: nobody\n"
                              "rate_limited: claude-code|WORK_KEY|opus, 30 s\n"
                              "usage_limited: claude-code|WORK_KEY|*, 3600 s\n"
                              "billing: claude-code|WORK_KEY|*, 3600 s\n"
                              "overloaded: claude-code|*|opus, 30 s\n"
                              "server: claude-code|*|opus, 30 s\n"
                              "auth: claude-code|WORK_KEY|*, 3600 s\n"
                              "model: claude-code|WORK_KEY|opus, 3600 s\n"
                              "request: nobody\n"
                              "budget: nobody\n"
                              "killed: nobody\n"
                              "incomplete: claude-code|*|opus, 30 s\n"
                              "launch: claude-code|*|opus, 300 s\n");
    buf_done(&got);
}

TEST(an_outcome_without_a_cooldown_changes_nothing)
{
    next.failures = 77;
    o.class = OUTCOME_REQUEST;
    assert_false(cooldown_after(&o, &who, NULL, NOW, &next));
    assert_int_equal(next.failures, 77);
}

TEST(a_usage_limit_of_one_model_leaves_the_others_of_the_account)
{
    o.class = OUTCOME_USAGE_LIMITED;
    o.model_only = true;
    assert_true(cooldown_after(&o, &who, NULL, NOW, &next));
    assert_string_equal(next.key, "claude-code|WORK_KEY|opus");
    o.class = OUTCOME_OVERLOADED; /* which has no cooldown of the account */
    assert_int_equal(cooldown_scope(&o), SCOPE_TOOL_MODEL);
}

TEST(a_blameless_outcome_has_no_cooldown)
{
    o.class = OUTCOME_LAUNCH;
    o.blameless = true;
    assert_int_equal(cooldown_scope(&o), SCOPE_NONE);
    assert_false(cooldown_after(&o, &who, NULL, NOW, &next));
}

TEST(a_time_of_the_provider_overrides_the_default)
{
    assert_int_equal(rest_said(UNTIL_FIELD, NOW + 45 * MINUTE), 45 * MINUTE);
    assert_int_equal(rest_said(UNTIL_HEADER, NOW + 3 * SECOND), 3 * SECOND);
    assert_int_equal(rest_said(UNTIL_TEXT, NOW + 45 * MINUTE), 45 * MINUTE);
}

TEST(a_time_from_text_is_at_least_30_seconds)
{
    assert_int_equal(rest_said(UNTIL_TEXT, NOW + 3 * SECOND), COOLDOWN_TEXT_MS);
    o.class = OUTCOME_SERVER;
    assert_int_equal(rest_said(UNTIL_TEXT, NOW + 1), COOLDOWN_TEXT_MS);
}

TEST(a_past_time_is_ignored)
{
    for (enum outcome_trust t = UNTIL_FIELD; t <= UNTIL_TEXT; t++) {
        assert_int_equal(rest_said(t, NOW), 30 * SECOND);
        assert_int_equal(rest_said(t, NOW - HOUR), 30 * SECOND);
        assert_int_equal(rest_said(t, 1794790), 30 * SECOND); /* seconds taken for milliseconds */
    }
}

TEST(a_time_without_a_source_is_ignored)
{
    assert_int_equal(rest_said(UNTIL_NONE, NOW + HOUR), 30 * SECOND);
}

TEST(a_limit_has_at_least_the_cooldown_of_the_category)
{
    assert_int_equal(rest_of(OUTCOME_RATE_LIMITED, 2 * MINUTE, NULL), 2 * MINUTE);
    assert_int_equal(rest_of(OUTCOME_USAGE_LIMITED, 2 * HOUR, NULL), 2 * HOUR);
    assert_int_equal(rest_of(OUTCOME_USAGE_LIMITED, 2 * MINUTE, NULL), HOUR);
    assert_int_equal(rest_of(OUTCOME_OVERLOADED, 2 * MINUTE, NULL), 30 * SECOND);
    assert_int_equal(rest_of(OUTCOME_AUTH, 2 * HOUR, NULL), HOUR);
    o.trust = UNTIL_HEADER;
    o.until = NOW + 3 * SECOND;
    assert_int_equal(rest_of(OUTCOME_RATE_LIMITED, 2 * MINUTE, NULL), 2 * MINUTE);
}

TEST(no_cooldown_is_longer_than_its_class_allows)
{
    assert_int_equal(rest_of(OUTCOME_RATE_LIMITED, 31 * DAY, NULL), DAY);
    assert_int_equal(rest_of(OUTCOME_USAGE_LIMITED, 31 * DAY, NULL), 8 * DAY);
    for (enum outcome_class c = 0; c < OUTCOME_CLASS_COUNT; c++) {
        o.class = c;
        if (cooldown_scope(&o) == SCOPE_NONE)
            continue;
        int64_t most = (int64_t)outcome_row(c)->most_ms;
        assert_true(most <= (int64_t)COOLDOWN_MAX_MS);
        assert_int_equal(rest_said(UNTIL_FIELD, NOW + most), most);
        assert_int_equal(rest_said(UNTIL_FIELD, NOW + most + 1), most);
        assert_int_equal(rest_said(UNTIL_FIELD, 1707000000000000ll), most); /* in the year 56000 */
        assert_int_equal(rest_said(UNTIL_FIELD, INT64_MAX), most);
    }
}

TEST(each_failure_in_a_row_doubles_the_cooldown)
{
    struct cooldown old = {.until = NOW - 1};
    static const int64_t want[] = {30, 60, 120, 240, 480, 900, 900, 900};
    for (uint32_t i = 0; i < 8; i++) {
        old.failures = i;
        assert_int_equal(rest_of(OUTCOME_OVERLOADED, 0, &old), want[i] * SECOND);
        assert_int_equal(next.failures, i + 1);
        assert_int_equal(rest_of(OUTCOME_AUTH, 0, &old), HOUR); /* this class does not double */
    }
    old.failures = UINT32_MAX;
    assert_int_equal(rest_of(OUTCOME_RATE_LIMITED, 0, &old), 15 * MINUTE);
    assert_int_equal(rest_of(OUTCOME_RATE_LIMITED, HOUR, &old), HOUR);
    assert_true(next.failures == UINT32_MAX);
}

TEST(a_time_of_the_provider_is_not_doubled)
{
    struct cooldown old = {.until = NOW - 1, .failures = 5};
    o.trust = UNTIL_FIELD;
    o.until = NOW + 7 * SECOND;
    assert_int_equal(rest_of(OUTCOME_SERVER, 0, &old), 7 * SECOND);
    assert_int_equal(next.failures, 6);
}

/* ---- the old and the new */

TEST(a_cooldown_never_gets_shorter_and_keeps_its_reason)
{
    struct cooldown old = {.class = OUTCOME_USAGE_LIMITED,
                           .since = NOW - HOUR,
                           .until = NOW + 3 * HOUR,
                           .failures = 1,
                           .evidence = "rate_limit_info.status=rejected",
                           .message = "5-hour limit"};
    assert_int_equal(rest_of(OUTCOME_AUTH, 0, &old), 3 * HOUR);
    assert_int_equal(next.class, OUTCOME_USAGE_LIMITED);
    assert_string_equal(next.evidence, "rate_limit_info.status=rejected");
    assert_string_equal(next.message, "5-hour limit");
    assert_true(next.since == NOW - HOUR);
    assert_int_equal(next.failures, 2);
}

TEST(a_later_end_replaces_the_old_one_and_its_reason)
{
    struct cooldown old = {
        .class = OUTCOME_AUTH, .since = NOW - HOUR, .until = NOW + MINUTE, .evidence = "old"};
    assert_int_equal(rest_of(OUTCOME_BILLING, 0, &old), HOUR);
    assert_int_equal(next.class, OUTCOME_BILLING);
    assert_string_equal(next.evidence, "result.api_error_status=429");
    assert_string_equal(next.message, "Slow down");
    assert_true(next.since == NOW - HOUR); /* there was no gap */
}

TEST(a_cooldown_after_the_end_of_the_old_one_begins_now)
{
    struct cooldown old = {.since = NOW - HOUR, .until = NOW, .probe_until = NOW + MINUTE};
    assert_int_equal(rest_of(OUTCOME_SERVER, 0, &old), 30 * SECOND);
    assert_true(next.since == NOW);
    assert_true(next.probe_until == 0);
}

TEST(a_cooldown_of_a_wrong_clock_does_not_hold)
{
    struct cooldown old = {.since = NOW + 365 * DAY, .until = NOW + 365 * DAY + HOUR};
    assert_int_equal(rest_of(OUTCOME_SERVER, 0, &old), 30 * SECOND);
    assert_true(next.since == NOW);
}

TEST(no_time_overflows)
{
    static const int64_t times[] = {INT64_MIN, INT64_MIN + 1, -1,       0, 1,
                                    NOW,       INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < 8 * 8 * 8; i++) {
        int64_t now = times[i % 8];
        struct cooldown old = {.until = times[i / 8 % 8], .probe_until = times[i / 64]};
        o.until = times[i / 64];
        o.trust = UNTIL_HEADER;
        who.least_ms = UINT64_MAX;
        assert_true(cooldown_after(&o, &who, &old, now, &next));
        assert_true(next.until >= now);
        assert_true((uint64_t)next.until - (uint64_t)now <= COOLDOWN_MAX_MS + COOLDOWN_SKEW_MS);
        cooldown_state(&old, now);
    }
}

/* ---- due */

TEST(a_cooldown_is_due_at_its_end_and_probed_by_one)
{
    struct cooldown c = {.until = NOW + 10};
    assert_int_equal(cooldown_state(NULL, NOW), COOLDOWN_NONE);
    assert_int_equal(cooldown_state(&c, NOW), COOLDOWN_ACTIVE);
    assert_int_equal(cooldown_state(&c, NOW + 9), COOLDOWN_ACTIVE);
    assert_int_equal(cooldown_state(&c, NOW + 10), COOLDOWN_DUE);
    c.probe_until = NOW + 20;
    assert_int_equal(cooldown_state(&c, NOW + 9), COOLDOWN_ACTIVE);
    assert_int_equal(cooldown_state(&c, NOW + 10), COOLDOWN_PROBING);
    assert_int_equal(cooldown_state(&c, NOW + 19), COOLDOWN_PROBING);
    assert_int_equal(cooldown_state(&c, NOW + 20), COOLDOWN_DUE);
}

TEST(an_end_later_than_possible_is_over)
{
    struct cooldown c = {.until = NOW + (int64_t)COOLDOWN_MAX_MS + COOLDOWN_SKEW_MS};
    assert_int_equal(cooldown_state(&c, NOW), COOLDOWN_ACTIVE);
    c.until++;
    assert_int_equal(cooldown_state(&c, NOW), COOLDOWN_DUE);
    c.probe_until = NOW + COOLDOWN_PROBE_MS + COOLDOWN_SKEW_MS;
    assert_int_equal(cooldown_state(&c, NOW), COOLDOWN_PROBING);
    c.probe_until++;
    assert_int_equal(cooldown_state(&c, NOW), COOLDOWN_DUE);
}
