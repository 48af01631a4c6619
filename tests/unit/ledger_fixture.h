/* A ledger in a folder of its own, which is also the current one, or on a server (store_url.h), and
 * a configuration whose only category is meta: candidates a, b, c, d of the mock, each with an
 * account of its own. */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "store_url.h"
#include "tooling/ledger.h"

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24ll * HOUR)
#define START  1794790800000ll /* 2026-11-16T01:00:00.000Z */

static char ledger_folder[64], ledger_where[4096];
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
            (struct candidate){.tool = AGENT_MOCK, .model = str_from(models[i]), .weight = 1};
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
    ledger = ledger_open(ledger_where, &err);
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
    err = (struct error){0};
    now = START;
    rng_seed(&rng, 20261116);
    unsetenv("MOCK_API_KEY");
    configure(STRATEGY_PRIORITY, 4);
    test_store_begin(ledger_where, "state.db");
    snprintf(ledger_folder, sizeof ledger_folder, "%s", test_store_folder);
    open_ledger();
    return 0;
}

static inline int teardown(void **state)
{
    char command[160];
    close_ledger();
    arena_done(&envs);
    assert_int_equal(tooling.refs, 1); /* every decision released its reference */
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", ledger_folder,
             ledger_folder);
    return chdir("/") != 0 || system(command) != 0;
}
