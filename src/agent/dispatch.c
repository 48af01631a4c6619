#include "agent/dispatch.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rfc3339.h"

struct dispatch {
    struct loop *loop;
    struct dispatch_options o;
    struct arena arena; /* of the candidate at hand */
    struct arena look;  /* of those that are looked at */
    const struct candidate *called;
    struct decision *decision;
    struct attempt *attempt; /* NULL: none runs */
    bool tried[TOOLING_MAX_CANDIDATES];
    unsigned tries, of_tool[AGENT_KIND_COUNT];
    struct buf name, why;
    bool stopping;
};

/* ---- the end */

static void finish(struct dispatch *d, enum dispatch_end_kind kind, const struct report *last)
{
    struct dispatch_end end = {.kind = kind,
                               .report = last,
                               .decision = d->decision,
                               .tries = d->tries,
                               .why = buf_str(&d->why)};
    d->o.on_end(d, &end, d->o.ctx);
    decision_free(d->decision);
    tooling_unref(d->o.tooling);
    arena_done(&d->arena);
    arena_done(&d->look);
    buf_done(&d->name);
    buf_done(&d->why);
    free(d);
}

static void finish_stopped(struct dispatch *d, const struct report *last)
{
    buf_clear(&d->why);
    buf_add(&d->why, STR("stopped"));
    finish(d, DISPATCH_STOPPED, last);
}

/* "codex-cli gpt-5.2: rate_limited, too many requests: ...; no other is tried: force mode is on" */
static void say_failure(struct dispatch *d, const struct report *r)
{
    const struct outcome *o = &r->outcome;
    const struct candidate *c = d->decision->chosen;
    buf_clear(&d->why);
    buf_printf(&d->why, "%s%s%.*s: %s, %s", agent_kind_name(c->tool), c->model.n ? " " : "",
               STR_ARG(c->model), outcome_name(o->class), outcome_row(o->class)->about);
    if (o->message[0])
        buf_printf(&d->why, ": %s", o->message);
    if (!outcome_row(o->class)->falls_back)
        return;
    buf_printf(&d->why, "; no other is tried: %s",
               d->decision->forced ? "force mode is on" : "fallbackOnRateLimit is off");
}

/* ---- the ledger */

static const struct candidate *as_called(const struct candidate *c, void *ctx)
{
    struct dispatch *d = ctx;
    return d->o.merge ? d->o.merge(c, &d->look, d->o.ctx) : c;
}

static bool is_available(const struct candidate *c, char why[128], void *ctx)
{
    struct dispatch *d = ctx;
    return provider_available(as_called(c, d), why, &d->o.sandbox);
}

static bool is_same(const struct json *a, const struct json *b)
{
    return a == b || (a && b && json_equal(a, b));
}

/* It refused its arguments, and they were not its own. */
static bool is_blameless(const struct dispatch *d, const struct outcome *o)
{
    const struct candidate *own = d->decision->chosen;
    return o->class == OUTCOME_LAUNCH && !(is_same(own->flags, d->called->flags) &&
                                           is_same(own->tool_specific, d->called->tool_specific));
}

static int64_t tell_ledger(struct dispatch *d, const struct outcome *outcome,
                           const struct outcome_warning *warning)
{
    struct outcome told = *outcome;
    struct ledger_result result = {&told, warning, rfc3339_now()};
    struct error err = {0};
    int64_t until = 0;
    told.blameless = is_blameless(d, outcome);
    if (!ledger_report(d->o.ledger, d->decision, &result, &until, &err) && d->o.on_warn)
        d->o.on_warn(str_from(err.text), d->o.ctx);
    return until;
}

/* ---- tries */

static void go_on(struct dispatch *d, const struct report *last);

static void on_attempt_end(struct attempt *a, const struct report *r, void *ctx)
{
    struct dispatch *d = ctx;
    const struct outcome_row *row = outcome_row(r->outcome.class);
    assert(a == d->attempt);
    d->attempt = NULL;
    int64_t until = tell_ledger(d, &r->outcome, r->warning.used > 0 ? &r->warning : NULL);
    if (d->o.on_outcome)
        d->o.on_outcome(d->decision, r, until, d->o.ctx);
    if (d->stopping) {
        finish_stopped(d, r);
    } else if (r->outcome.class == OUTCOME_OK) {
        finish(d, DISPATCH_DONE, r);
    } else if (!row->falls_back || d->decision->forced || !d->decision->fallback) {
        say_failure(d, r);
        finish(d, DISPATCH_FAILED, r);
    } else {
        go_on(d, r);
    }
}

static void on_step(const struct report *r, const struct report_step *step, void *ctx)
{
    struct dispatch *d = ctx;
    d->o.on_step(r, step, d->o.ctx);
}

/* Several candidates may be of one tool: each has files of its own. */
static const char *name_try(struct dispatch *d, enum agent_kind tool)
{
    unsigned n = ++d->of_tool[tool];
    buf_clear(&d->name);
    buf_printf(&d->name, "%s-%s", d->o.name, agent_kind_name(tool));
    if (n > 1)
        buf_printf(&d->name, "-%u", n);
    return d->name.p;
}

static void try_chosen(struct dispatch *d, const struct report *last)
{
    const struct decision *chosen = d->decision;
    struct attempt_options o = {.call = d->o.call,
                                .limit_ms = d->o.limit_ms,
                                .sandbox = d->o.sandbox,
                                .secrets = d->o.secrets,
                                .on_step = d->o.on_step ? on_step : NULL,
                                .on_end = on_attempt_end,
                                .ctx = d};
    arena_reset(&d->arena);
    d->tries++;
    if (!chosen->forced)
        d->tried[chosen->index] = true;
    d->called = d->o.merge ? d->o.merge(chosen->chosen, &d->arena, d->o.ctx) : chosen->chosen;
    o.call.candidate = d->called;
    if (d->o.on_try)
        d->o.on_try(&(struct dispatch_try){chosen, o.call.candidate, d->tries}, d->o.ctx);
    if (d->o.prompt && !d->stopping)
        o.call.prompt = d->o.prompt(d->tries, last, d->o.ctx);
    if (d->stopping) { /* it was chosen, and may hold a probe */
        tell_ledger(d, &(struct outcome){.class = OUTCOME_KILLED, .evidence = "never started"},
                    NULL);
        finish_stopped(d, last);
        return;
    }
    o.name = name_try(d, o.call.candidate->tool);
    d->attempt = attempt_start(d->loop, &o);
}

/* The next candidate, or the end. `last` lives until this returns. */
static void go_on(struct dispatch *d, const struct report *last)
{
    struct error err = {0};
    struct ledger_ask ask = {.tooling = d->o.tooling,
                             .category = d->o.category,
                             .now = rfc3339_now(),
                             .rng = d->o.rng,
                             .available = is_available,
                             .as_called = as_called,
                             .ctx = d,
                             .tried = d->tried,
                             .run = d->o.run};
    if (d->stopping) {
        finish_stopped(d, last);
        return;
    }
    decision_free(d->decision);
    d->decision = ledger_choose(d->o.ledger, &ask, &err);
    arena_reset(&d->look);
    buf_clear(&d->why);
    if (!d->decision) {
        buf_add(&d->why, str_from(err.text));
        finish(d, DISPATCH_FAILED, last);
    } else if (d->decision->index == SELECT_NOBODY) {
        decision_say_nobody(d->decision, ask.now, &d->why);
        finish(d, DISPATCH_NOBODY, last);
    } else {
        try_chosen(d, last);
    }
}

static void begin(void *ctx)
{
    go_on(ctx, NULL);
}

struct dispatch *dispatch_start(struct loop *loop, const struct dispatch_options *options)
{
    assert(options->ledger && options->tooling && options->on_end && options->name);
    struct dispatch *d = mem_zalloc(sizeof *d);
    d->loop = loop;
    d->o = *options;
    tooling_ref(d->o.tooling);
    loop_defer(loop, begin, d);
    return d;
}

void dispatch_stop(struct dispatch *d)
{
    d->stopping = true;
    if (d->attempt)
        attempt_stop(d->attempt);
}
