/* A ledger in a folder of its own, which is also the current one, and a configuration whose only
 * category is meta: candidates a, b, c, d of the mock, each with an account of its own. */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "test.h"
#include "tooling/ledger.h"

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24ll * HOUR)
#define START  1794790800000ll /* 2026-11-16T01:00:00.000Z */

static char ledger_folder[64];
static struct ledger *ledger;
static struct error err;
static struct rng rng;
static int64_t now;

static struct candidate candidates[8];
static struct tooling_profile profile;
static struct tooling tooling;
static struct arena envs;

static inline void set_env(size_t i, const char *json)
{
    candidates[i].env = json_parse(&envs, arena_str(&envs, str_from(json)), NULL, NULL);
    assert_non_null(candidates[i].env);
}

static inline void configure(enum strategy strategy, size_t count)
{
    static const char *const models[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (size_t i = 0; i < 8; i++) {
        char env[64];
        candidates[i] =
            (struct candidate){.tool = TOOL_MOCK, .model = str_from(models[i]), .weight = 1};
        snprintf(env, sizeof env, "{\"MOCK_API_KEY\":\"env:KEY_%zu\"}", i);
        set_env(i, env);
    }
    profile = (struct tooling_profile){.id = STR("test")};
    profile.categories[CATEGORY_META] = (struct tooling_category){
        .strategy = strategy, .candidates = candidates, .count = count, .fallback = true};
    tooling =
        (struct tooling){.profiles = &profile, .profile_count = 1, .active = &profile, .refs = 1};
}

static inline void open_ledger(void)
{
    ledger = ledger_open("state.db", &err);
    if (!ledger)
        fail_msg("%s", err.text);
}

static inline void close_ledger(void)
{
    ledger_close(ledger);
    ledger = NULL;
}

static inline int setup(void **state)
{
    (void)state;
    snprintf(ledger_folder, sizeof ledger_folder, "/tmp/ledger_test.XXXXXX");
    err = (struct error){0};
    now = START;
    rng_seed(&rng, 20261116);
    unsetenv("MOCK_API_KEY");
    configure(STRATEGY_PRIORITY, 4);
    if (!mkdtemp(ledger_folder) || chdir(ledger_folder) != 0)
        return 1;
    open_ledger();
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    char command[160];
    close_ledger();
    arena_done(&envs);
    assert_int_equal(tooling.refs, 1); /* every decision gave its own back */
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", ledger_folder,
             ledger_folder);
    return chdir("/") != 0 || system(command) != 0;
}

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

/* Index of the one that would be chosen now; nothing is noted. */
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

/* Reports and frees d; when the candidate is back. */
static inline int64_t report(struct decision *d, enum outcome_class class)
{
    struct outcome o = {.class = class, .evidence = "exit=1", .message = "a sentence"};
    int64_t until = report_outcome(d, &o);
    decision_free(d);
    return until;
}

/* The only one that is left is i: it is chosen, and ends like that. */
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

/* All rests: key, class, end from START on in ms, failures. */
static inline void check_rests(const char *want)
{
    struct buf got = {0};
    assert_true(ledger_cooldowns(ledger, on_cooldown, &got, &err));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}
