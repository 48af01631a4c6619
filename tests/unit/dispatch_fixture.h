/* Running agents in tests: a loop with a time limit, a ledger and a configuration of their own, and
 * the mock as real processes. The content of the ledger can be compared as text. */
#pragma once

#include "agent/dispatch.h"
#include "agent_fixture.h"
#include "base/rng.h"
#include "tooling/ledger.h"

#ifndef AGENT_SELF /* meson.build defines the path */
#define AGENT_SELF "agent-self"
#endif

static struct loop *loop;
static struct ledger *ledger;
static struct tooling *tooling;
static struct rng rng;
static struct secrets secrets;
static struct timer limit;

static inline void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("it hangs");
}

static inline int setup_dispatch(void **state)
{
    struct error err = {0};
    int code = setup_agent(state);
    loop = loop_new();
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    ledger = ledger_open(in_folder("state.db"), &err);
    call.self = AGENT_SELF;
    rng_seed(&rng, 1);
    return ledger ? code : -1;
}

static inline int teardown_dispatch(void **state)
{
    timer_stop(&limit);
    loop_free(loop);
    ledger_close(ledger);
    tooling_unref(tooling);
    tooling = NULL;
    secrets_done(&secrets);
    return teardown_agent(state);
}

/* Read a configuration; single quotes stand for double ones. */
static inline void configure(const char *text)
{
    struct error err = {0};
    struct doc d = {0};
    char *json = arena_cstr(&fixture, str_from(text));
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    tooling_unref(tooling);
    tooling = NULL;
    if (doc_read(&d, str_from(json), &(struct doc_source){"t", DOC_JSON}, &err))
        tooling = tooling_read(&d, STR(""), &err);
    doc_done(&d);
    if (!tooling)
        fail_msg("%s", err.text);
}

static inline void add_class(struct str json, void *ctx)
{
    struct arena a = {0};
    const struct json *d = json_parse(&a, json, NULL, NULL), *o = json_get(d, STR("outcome"));
    buf_printf(ctx, "%.*s:%.*s ",
               STR_ARG(json_str(json_get(json_get(d, STR("choice")), STR("model")))),
               STR_ARG(json_is(o, JSON_NULL) ? STR("none") : json_str(json_get(o, STR("class")))));
    CHECK_CSTR(json_str(json_get(d, STR("run"))), "run-1");
    arena_done(&a);
}

/* Newest first. */
static inline void check_decisions(const char *want)
{
    struct error err = {0};
    struct buf got = {0};
    assert_true(
        ledger_decisions(ledger, &(struct ledger_want){.most = 100}, add_class, &got, &err));
    CHECK_CSTR(str_trim(buf_str(&got)), want);
    buf_done(&got);
}

static inline void add_rest(const struct cooldown *c, void *ctx)
{
    buf_printf(ctx, "%s %s\n", c->key, outcome_name(c->class));
}

static inline void check_cooldowns(const char *want)
{
    struct error err = {0};
    struct buf got = {0};
    assert_true(ledger_cooldowns(ledger, add_rest, &got, &err));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}
