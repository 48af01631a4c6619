#include "agent/dispatch.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rfc3339.h"

struct dispatch {
    struct loop *loop;
    struct dispatch_options o;
    struct arena arena;   /* of the candidate that is called */
    struct arena scratch; /* of the candidates during a choice */
    const struct candidate *called;
    struct decision *decision;
    struct attempt *attempt;     /* the last one; NULL: none yet */
    const struct output *output; /* its report once it has ended */
    bool tried[TOOLING_MAX_CANDIDATES];
    unsigned tries, tries_of_agent[AGENT_KIND_COUNT];
    struct buf name, why, dropped;
    bool stopping;

    struct { /* on the pool: what a call of the ledger takes and returns */
        struct ledger_choice *choice;
        struct outcome outcome;
        struct outcome_warning warning;
        int64_t until;
        bool ok;
        struct error err;
    } work;
};

/* ---- the end */

static void end_dispatch(struct dispatch *d, enum dispatch_end_kind kind)
{
    struct dispatch_end end = {.kind = kind,
                               .output = d->output,
                               .decision = d->decision,
                               .tries = d->tries,
                               .why = buf_str(&d->why)};
    d->o.on_end(d, &end, d->o.ctx);
    attempt_free(d->attempt);
    decision_free(d->decision);
    tooling_unref(d->o.tooling);
    arena_done(&d->arena);
    arena_done(&d->scratch);
    buf_done(&d->name);
    buf_done(&d->why);
    buf_done(&d->dropped);
    free(d);
}

static void end_stopped(struct dispatch *d)
{
    buf_clear(&d->why);
    buf_add(&d->why, STR("stopped"));
    end_dispatch(d, DISPATCH_STOPPED);
}

/* "codex-cli gpt-5.2: rate_limited, too many requests: ...; no other is tried: force mode is on" */
static void end_failed(struct dispatch *d)
{
    const struct outcome *o = &d->output->outcome;
    const struct candidate *c = d->decision->chosen;
    buf_clear(&d->why);
    buf_printf(&d->why, "%s%s%.*s: %s, %s", agent_kind_name(c->tool), c->model.n ? " " : "",
               STR_ARG(c->model), outcome_name(o->class), outcome_row(o->class)->about);
    if (o->message[0])
        buf_printf(&d->why, ": %s", o->message);
    if (outcome_row(o->class)->falls_back)
        buf_printf(&d->why, "; no other is tried: %s",
                   d->decision->forced ? "force mode is on" : "fallbackOnRateLimit is off");
    end_dispatch(d, DISPATCH_FAILED);
}

static void send_event(struct dispatch *d, struct dispatch_event e)
{
    e.number = d->tries;
    e.decision = d->decision;
    e.candidate = d->called;
    if (d->o.on_event)
        d->o.on_event(&e, d->o.ctx);
}

/* ---- reporting to the ledger */

static bool is_same_json(const struct json *a, const struct json *b)
{
    return a == b || (a && b && json_equal(a, b));
}

/* The candidate refused its arguments, and they were overridden. */
static bool is_fault_of_overrides(const struct dispatch *d, const struct outcome *o)
{
    const struct candidate *own = d->decision->chosen;
    return o->class == OUTCOME_LAUNCH &&
           !(is_same_json(own->flags, d->called->flags) &&
             is_same_json(own->tool_specific, d->called->tool_specific));
}

/* On a thread of the pool: only the decision and d->work. */
static void report_to_ledger(void *ctx)
{
    struct dispatch *d = ctx;
    struct ledger_result result = {
        &d->work.outcome, d->work.warning.used > 0 ? &d->work.warning : NULL, rfc3339_now()};
    d->work.ok = ledger_report(d->o.ledger, d->decision, &result, &d->work.until, &d->work.err);
}

static void start_report(struct dispatch *d, const struct outcome *outcome, loop_fn *done)
{
    d->work.outcome = *outcome;
    d->work.outcome.blameless = is_fault_of_overrides(d, outcome);
    d->work.until = 0;
    d->work.err = (struct error){0};
    loop_work(d->loop, report_to_ledger, done, d);
}

static void warn_if_unreported(struct dispatch *d)
{
    if (!d->work.ok)
        send_event(d, (struct dispatch_event){.kind = DISPATCH_WARNING,
                                              .text = str_from(d->work.err.text)});
}

/* ---- tries */

static void choose_candidate(struct dispatch *d);

static void on_attempt_reported(void *ctx)
{
    struct dispatch *d = ctx;
    enum outcome_class class = d->output->outcome.class;
    warn_if_unreported(d);
    send_event(d, (struct dispatch_event){
                      .kind = DISPATCH_OUTCOME, .output = d->output, .until = d->work.until});
    if (d->stopping)
        end_stopped(d);
    else if (class == OUTCOME_OK)
        end_dispatch(d, DISPATCH_DONE);
    else if (!outcome_row(class)->falls_back || d->decision->forced || !d->decision->fallback)
        end_failed(d);
    else
        choose_candidate(d);
}

static void on_attempt_end(struct attempt *a, const struct output *r, void *ctx)
{
    struct dispatch *d = ctx;
    assert(a == d->attempt);
    d->output = r;
    d->work.warning = r->warning;
    start_report(d, &r->outcome, on_attempt_reported);
}

static void on_attempt_step(const struct output *r, const struct output_step *step, void *ctx)
{
    send_event(ctx, (struct dispatch_event){.kind = DISPATCH_STEP, .output = r, .step = step});
}

/* Several candidates may be of one agent: number their transcripts. */
static const char *name_transcript(struct dispatch *d, enum agent_kind agent)
{
    unsigned n = ++d->tries_of_agent[agent];
    buf_clear(&d->name);
    buf_printf(&d->name, "%s-%s", d->o.name, agent_kind_name(agent));
    if (n > 1)
        buf_printf(&d->name, "-%u", n);
    return d->name.p;
}

static void start_attempt(struct dispatch *d, struct str prompt)
{
    struct attempt_options o = {.call = d->o.call,
                                .name = name_transcript(d, d->called->tool),
                                .limit_ms = d->o.limit_ms,
                                .sandbox = d->o.sandbox,
                                .secrets = d->o.secrets,
                                .on_step = on_attempt_step,
                                .on_end = on_attempt_end,
                                .ctx = d};
    o.call.candidate = d->called;
    o.call.prompt = prompt;
    attempt_free(d->attempt);
    d->output = NULL;
    d->attempt = attempt_start(d->loop, &o);
}

static void on_unstarted_reported(void *ctx)
{
    struct dispatch *d = ctx;
    warn_if_unreported(d);
    end_stopped(d);
}

/* The candidate was chosen and may hold a probe, but it will not be tried. */
static void give_candidate_back(struct dispatch *d)
{
    d->work.warning = (struct outcome_warning){0};
    start_report(d, &(struct outcome){.class = OUTCOME_KILLED, .evidence = "never started"},
                 on_unstarted_reported);
}

static const struct candidate *merge_overrides(const struct dispatch *d, const struct candidate *c,
                                               struct arena *a, struct buf *dropped)
{
    return d->o.overrides ? worker_merge(c, d->o.overrides, a, dropped) : c;
}

static void try_candidate(struct dispatch *d)
{
    struct str prompt = d->o.call.prompt;
    d->tries++;
    if (!d->decision->forced)
        d->tried[d->decision->index] = true;
    send_event(d, (struct dispatch_event){.kind = DISPATCH_TRY, .text = buf_str(&d->dropped)});
    if (d->o.prompt && !d->stopping)
        prompt = d->o.prompt(d->tries, d->output, d->o.ctx);
    if (d->stopping) /* by the owner, in one of the two calls above */
        give_candidate_back(d);
    else
        start_attempt(d, prompt);
}

/* ---- choosing */

static const struct candidate *as_called(const struct candidate *c, void *ctx)
{
    struct dispatch *d = ctx;
    return merge_overrides(d, c, &d->scratch, NULL);
}

static bool is_available(const struct candidate *c, char why[128], void *ctx)
{
    struct dispatch *d = ctx;
    return provider_is_available(as_called(c, d), why, &d->o.sandbox);
}

/* On a thread of the pool: only the choice and what it was given. */
static void choose_in_ledger(void *ctx)
{
    struct dispatch *d = ctx;
    d->work.ok = ledger_choose_run(d->work.choice, d->o.ledger, &d->work.err);
}

static void on_chosen(void *ctx)
{
    struct dispatch *d = ctx;
    decision_free(d->decision);
    d->decision = ledger_choose_end(d->work.choice);
    arena_reset(&d->scratch);
    arena_reset(&d->arena);
    buf_clear(&d->why);
    buf_clear(&d->dropped);
    bool has_candidate = d->decision && d->decision->index != SELECT_NOBODY;
    if (has_candidate)
        d->called = merge_overrides(d, d->decision->chosen, &d->arena, &d->dropped);
    if (d->stopping && has_candidate) {
        give_candidate_back(d);
    } else if (d->stopping) {
        end_stopped(d);
    } else if (!d->decision) {
        buf_add(&d->why, str_from(d->work.err.text));
        end_dispatch(d, DISPATCH_FAILED);
    } else if (!has_candidate) {
        decision_say_nobody(d->decision, rfc3339_now(), &d->why);
        end_dispatch(d, DISPATCH_NOBODY);
    } else {
        try_candidate(d);
    }
}

static void choose_candidate(struct dispatch *d)
{
    struct ledger_ask ask = {.tooling = d->o.tooling,
                             .category = d->o.category,
                             .now = rfc3339_now(),
                             .rng = d->o.rng,
                             .available = is_available,
                             .as_called = as_called,
                             .ctx = d,
                             .tried = d->tried,
                             .run = d->o.run};
    d->work.err = (struct error){0};
    d->work.choice = ledger_choose_new(&ask);
    loop_work(d->loop, choose_in_ledger, on_chosen, d);
}

/* ---- life */

static void begin_dispatch(void *ctx)
{
    struct dispatch *d = ctx;
    if (d->stopping)
        end_stopped(d);
    else
        choose_candidate(d);
}

struct dispatch *dispatch_start(struct loop *loop, const struct dispatch_options *options)
{
    assert(options->ledger && options->tooling && options->on_end && options->name);
    struct dispatch *d = mem_zalloc(sizeof *d);
    d->loop = loop;
    d->o = *options;
    tooling_ref(d->o.tooling);
    loop_defer(loop, begin_dispatch, d);
    return d;
}

void dispatch_stop(struct dispatch *d)
{
    d->stopping = true;
    ledger_shorten_waits(d->o.ledger);
    if (d->attempt && !d->output)
        attempt_stop(d->attempt);
}
