/* Choose and report on the ledger of ledger_fixture.h; a failed call fails the test. */
#pragma once

#include "ledger_fixture.h"

static inline struct ledger_ask ask_for(const char *category)
{
    return (struct ledger_ask){
        .tooling = &tooling, .category = str_from(category), .now = now, .rng = &rng};
}

static inline struct decision *choose_as(const struct ledger_ask *ask)
{
    struct decision *d = ledger_choose(ledger, ask, &err);
    if (!d)
        fail_msg("%s", err.text);
    return d;
}

static inline struct decision *choose(void)
{
    struct ledger_ask ask = ask_for("meta");
    return choose_as(&ask);
}

/* The index that would be chosen now; nothing is recorded. */
static inline size_t look(void)
{
    struct ledger_ask ask = ask_for("meta");
    ask.dry = true;
    struct decision *d = choose_as(&ask);
    size_t index = d->index;
    decision_free(d);
    return index;
}

static inline int64_t report_outcome(struct decision *d, const struct outcome *o)
{
    int64_t until = -1;
    if (!ledger_report(ledger, d, &(struct ledger_result){o, NULL, now}, &until, &err))
        fail_msg("%s", err.text);
    return until;
}

/* Report and free d; return when the candidate is back. */
static inline int64_t report(struct decision *d, enum outcome_class class)
{
    struct outcome o = {.class = class, .evidence = "exit=1", .message = "a sentence"};
    int64_t until = report_outcome(d, &o);
    decision_free(d);
    return until;
}

/* Only candidate i is left: choose it, and report this outcome. */
static inline int64_t run_one(size_t i, enum outcome_class class)
{
    bool tried[8] = {true, true, true, true, true, true, true, true};
    tried[i] = false;
    struct ledger_ask ask = ask_for("meta");
    ask.tried = tried;
    struct decision *d = choose_as(&ask);
    assert_int_equal(d->index, i);
    return report(d, class);
}

static inline void on_cooldown(const struct cooldown *c, void *ctx)
{
    buf_printf(ctx, "%s %s %lld x%u%s\n", c->key, outcome_name(c->class),
               (long long)(c->until - START), c->failures, c->probe_until ? " probed" : "");
}

/* All cooldowns: key, class, end in ms from START, failures. */
static inline void check_cooldowns(const char *want)
{
    struct buf got = {0};
    assert_true(ledger_cooldowns(ledger, on_cooldown, &got, &err));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}
