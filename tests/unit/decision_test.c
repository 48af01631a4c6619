#include "tooling/decision.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "test.h"

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24ll * HOUR)
#define NOW    1794790800000ll /* 2026-11-16T01:00:00.000Z */

static struct arena arena;
static struct decision_candidate candidates[3];
static struct decision d;
static struct buf got;

static int setup(void **state)
{
    candidates[0] = (struct decision_candidate){
        .tool = AGENT_CODEX, .model = STR("gpt-5.2"), .account = STR("login"), .weight = 40};
    candidates[1] = (struct decision_candidate){
        .tool = AGENT_CLAUDE, .model = STR("opus"), .account = STR("KEY"), .weight = 1};
    candidates[2] = (struct decision_candidate){.tool = AGENT_GEMINI, .account = STR("login")};
    d = (struct decision){.category = STR("worker"),
                          .used = STR("worker"),
                          .index = SELECT_NOBODY,
                          .draw = -1,
                          .candidates = candidates,
                          .count = 3};
    got = (struct buf){0};
    return 0;
}

static int teardown(void **state)
{
    arena_done(&arena);
    buf_done(&got);
    return 0;
}

/* ---- why */

static void check_why(const struct decision_facts *f, const char *want, int64_t back_at)
{
    decision_explain(&candidates[0], f, &arena);
    assert_int_equal(candidates[0].out, f->out);
    CHECK_CSTR(candidates[0].why, want);
    assert_true(candidates[0].back_at == back_at);
}

static const struct cooldown cooldown = {.class = OUTCOME_RATE_LIMITED,
                                         .until = NOW + HOUR,
                                         .probe_until = NOW + 2 * HOUR,
                                         .evidence = "turn.failed: 429"};

TEST_FIXTURE(setup, teardown);

TEST(each_verdict_has_its_reason)
{
    check_why(&(struct decision_facts){.out = SELECT_IN}, "", 0);
    check_why(&(struct decision_facts){.out = SELECT_DISABLED}, "disabled: its weight is 0", 0);
    check_why(&(struct decision_facts){.out = SELECT_TRIED}, "tried in this call", 0);
    check_why(&(struct decision_facts){.out = SELECT_UNAVAILABLE, .unavailable = "no key"},
              "no key", 0);
    check_why(&(struct decision_facts){.out = SELECT_UNAVAILABLE, .unavailable = ""},
              "not available here", 0);
    check_why(&(struct decision_facts){SELECT_COOLDOWN, COOLDOWN_ACTIVE, &cooldown, "", 0, 0, ""},
              "in cooldown until 2026-11-16T02:00:00.000Z: rate_limited (turn.failed: 429)",
              NOW + HOUR);
    check_why(&(struct decision_facts){SELECT_TRIED, COOLDOWN_ACTIVE, &cooldown, "", 0, 0, ""},
              "tried in this call, in cooldown until 2026-11-16T02:00:00.000Z: rate_limited "
              "(turn.failed: 429)",
              NOW + HOUR);
    check_why(&(struct decision_facts){SELECT_PROBING, COOLDOWN_PROBING, &cooldown, "", 0, 0, ""},
              "being probed after its cooldown (rate_limited), at the latest until "
              "2026-11-16T03:00:00.000Z",
              NOW + 2 * HOUR);
    check_why(&(struct decision_facts){.out = SELECT_NEAR,
                                       .near_used = 0.875,
                                       .near_until = NOW + HOUR,
                                       .near_window = "primary"},
              "near its limit: 88 % of primary used, until 2026-11-16T02:00:00.000Z", 0);
}

TEST(no_evidence_leaves_no_empty_brackets)
{
    struct cooldown c = cooldown;
    c.evidence[0] = 0;
    check_why(&(struct decision_facts){SELECT_COOLDOWN, COOLDOWN_ACTIVE, &c, "", 0, 0, ""},
              "in cooldown until 2026-11-16T02:00:00.000Z: rate_limited", NOW + HOUR);
}

/* It does not come back by waiting, although it is in cooldown as well. */
TEST(a_disabled_or_missing_candidate_has_no_time_back)
{
    check_why(&(struct decision_facts){SELECT_DISABLED, COOLDOWN_ACTIVE, &cooldown, "", 0, 0, ""},
              "disabled: its weight is 0", 0);
    check_why(
        &(struct decision_facts){SELECT_UNAVAILABLE, COOLDOWN_ACTIVE, &cooldown, "no", 0, 0, ""},
        "no", 0);
}

/* ---- nobody */

static void check_nobody(const char *want)
{
    buf_clear(&got);
    decision_say_nobody(&d, NOW, &got);
    CHECK_CSTR(buf_str(&got), want);
}

TEST(the_message_for_nobody_has_each_reason)
{
    candidates[0].why = STR("not found in PATH");
    candidates[1].why = STR("tried in this call");
    candidates[2].why = STR("disabled: its weight is 0");
    check_nobody("no candidate for worker: codex-cli gpt-5.2: not found in PATH;"
                 " claude-code opus: tried in this call; gemini-cli: disabled: its weight is 0;"
                 " none of them comes back by itself: ask multiverse tooling doctor");
    d.count = 0;
    check_nobody("no candidate for worker: none is configured");
}

TEST(candidates_of_the_same_name_show_their_account)
{
    candidates[1].tool = AGENT_CODEX;
    candidates[1].model = STR("gpt-5.2");
    candidates[0].why = candidates[1].why = STR("x");
    d.count = 2;
    check_nobody("no candidate for worker: codex-cli gpt-5.2 (login): x;"
                 " codex-cli gpt-5.2 (KEY): x; none of them comes back by itself: ask multiverse "
                 "tooling doctor");
}

static void check_back(int64_t in, const char *want)
{
    char text[200];
    d.count = 1;
    candidates[0].why = STR("x");
    d.back_at = NOW + in;
    snprintf(text, sizeof text,
             "no candidate for worker: codex-cli gpt-5.2: x; the first is back %s", want);
    check_nobody(text);
}

TEST(the_time_of_the_first_one_back_is_in_words)
{
    check_back(1, "at 01:00:00Z (in 1 s)");
    check_back(42 * SECOND, "at 01:00:42Z (in 42 s)");
    check_back(MINUTE, "at 01:01:00Z (in 1 min)");
    check_back(3 * MINUTE + 1, "at 01:03:00Z (in 4 min)");
    check_back(5 * HOUR + 12 * MINUTE, "at 06:12:00Z (in 5 h 12 min)");
    check_back(23 * HOUR, "at 2026-11-17T00:00:00Z (in 23 h 0 min)");
    check_back(7 * DAY, "at 2026-11-23T01:00:00Z (in 7 days)");
    check_back(0, "at 01:00:00Z (now)");
    check_back(-MINUTE, "at 00:59:00Z (now)");
}

/* ---- JSON */

static const struct json *written(void)
{
    buf_clear(&got);
    decision_write(&d, &got);
    const struct json *v = json_parse(&arena, buf_str(&got), NULL, NULL);
    assert_non_null(v);
    return v;
}

TEST(missing_values_are_null)
{
    const struct json *v = written();
    static const char *const keys[] = {"time", "draw", "choice", "back_at", "outcome"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(json_is(json_get(v, str_from(keys[i])), JSON_NULL));
    assert_int_equal(json_count(json_get(v, STR("candidates"))), 3);
}

TEST(the_choice_is_named)
{
    d.index = 1;
    d.draw = 0;
    const struct json *v = written(), *choice = json_get(v, STR("choice"));
    CHECK_CSTR(json_str(json_get(choice, STR("tool"))), "claude-code");
    CHECK_CSTR(json_str(json_get(choice, STR("model"))), "opus");
    CHECK_CSTR(json_str(json_get(choice, STR("account"))), "KEY");
    assert_true(json_is(json_get(v, STR("draw")), JSON_NUMBER));
}

TEST(names_are_kept_short_and_clean)
{
    char *name = mem_alloc(100000);
    memset(name, 0xe3, 100000);
    d.run = d.profile = candidates[0].model = candidates[0].account = str_make(name, 100000);
    written();
    memset(name, 'm', 100000);
    written();
    assert_true(got.n < 4000);
    free(name);
}
