#include "agent/runner_core.h"
#include "base/rfc3339.h"

void runner_tell(struct runner *r, struct runner_event e)
{
    struct buf masked = {0};
    e.state = r->state;
    e.loop = r->run_count;
    e.max_loops = r->o.task->max_loops;
    e.elapsed_ms = loop_now(r->loop) - r->start_ms;
    e.input_tokens = r->spent.input_tokens + r->spending.input_tokens;
    e.output_tokens = r->spent.output_tokens + r->spending.output_tokens;
    e.cost_usd = r->spent.cost_usd + r->spending.cost_usd;
    if (r->o.secrets && e.text.n) {
        secrets_mask(r->o.secrets, e.text, &masked);
        e.text = buf_str(&masked);
    }
    if (r->o.on_event)
        r->o.on_event(&e, r->o.ctx);
    buf_done(&masked);
}

void runner_say(struct runner *r, enum runner_event_kind kind, struct str text)
{
    runner_tell(r, (struct runner_event){.kind = kind, .text = text});
}

void runner_note(struct runner *r, int64_t ended)
{
    struct error err = {0};
    struct task_note n = {.task = r->o.task,
                          .state = r->state,
                          .why = buf_str(&r->why),
                          .plan = &r->plan,
                          .assessment = r->is_assessed ? &r->assessment : NULL,
                          .loops = r->loops,
                          .loop_count = r->run_count,
                          .test_end = buf_str(&r->test_say),
                          .test_output = buf_str(&r->test_output),
                          .started = r->started,
                          .ended = ended,
                          .input_tokens = r->spent.input_tokens,
                          .output_tokens = r->spent.output_tokens,
                          .cost_usd = r->spent.cost_usd};
    buf_clear(&r->note_path);
    if (task_note_write(&n, r->o.secrets, &r->note_path, &err))
        return;
    if (!r->note_failed) /* once: the reason stays the same */
        runner_say(r, RUNNER_WARN, str_from(err.text));
    r->note_failed = true;
}

/* ---- what a dispatch says */

static void on_try(const struct dispatch_try *t, void *ctx)
{
    struct runner *r = ctx;
    const struct candidate *c = t->candidate;
    r->try_number = t->number;
    if (r->category == CATEGORY_WORKER || !r->has_worked) {
        r->tool = str_from(agent_kind_name(c->tool));
        r->model = arena_str(&r->arena, c->model);
    }
    if (r->category == CATEGORY_WORKER) {
        r->has_worked = true;
        buf_printf(&r->who, "%s%s%s%.*s", r->who.n ? ", then " : "", agent_kind_name(c->tool),
                   c->model.n ? " " : "", STR_ARG(c->model));
        r->loops[r->run_count - 1].who = buf_str(&r->who);
        runner_note(r, 0);
    }
    runner_tell(r, (struct runner_event){.kind = RUNNER_TRY,
                                         .category = str_from(category_name(r->category)),
                                         .tool = str_from(agent_kind_name(c->tool)),
                                         .model = c->model,
                                         .number = t->number});
}

static void on_step(const struct report *report, const struct report_step *step, void *ctx)
{
    struct runner *r = ctx;
    r->spending = report->usage;
    if (!step->text.n)
        return;
    runner_tell(r, (struct runner_event){.kind = RUNNER_STEP,
                                         .category = str_from(category_name(r->category)),
                                         .tool = str_from(agent_kind_name(report->tool)),
                                         .model = str_from(report->model),
                                         .text = step->text,
                                         .step = step->kind,
                                         .failed = step->failed,
                                         .number = r->try_number});
}

static void on_outcome(const struct decision *d, const struct report *report, int64_t until,
                       void *ctx)
{
    struct runner *r = ctx;
    const struct outcome *o = &report->outcome;
    r->spent.input_tokens += report->usage.input_tokens;
    r->spent.output_tokens += report->usage.output_tokens;
    r->spent.cost_usd += report->usage.cost_usd;
    r->spending = (struct report_usage){0};
    r->cooldown_until = until;
    runner_tell(r, (struct runner_event){.kind = RUNNER_OUTCOME,
                                         .category = str_from(category_name(r->category)),
                                         .tool = str_from(agent_kind_name(d->chosen->tool)),
                                         .model = d->chosen->model,
                                         .outcome = str_from(outcome_name(o->class)),
                                         .text = str_from(o->message),
                                         .number = r->try_number,
                                         .until = until});
    bool has_tools = r->category == CATEGORY_WORKER && r->o.mcp.url; /* else it was another's */
    if (report->mcp_failed && has_tools)
        runner_say(r, RUNNER_WARN, STR("the worker did not reach the MCP server of this run"));
    if (report->denied)
        runner_say(r, RUNNER_WARN,
                   STR("the agent was refused tools that it wanted to use: see the transcript"));
}

static void on_warn(struct str text, void *ctx)
{
    runner_say(ctx, RUNNER_WARN, text);
}

struct dispatch_options runner_dispatch_options(struct runner *r, enum category category)
{
    r->category = category;
    snprintf(r->name, sizeof r->name, "%02u-%s", ++r->file_count, category_name(category));
    return (struct dispatch_options){
        .ledger = r->o.ledger,
        .tooling = r->o.tooling,
        .category = str_from(category_name(category)),
        .rng = r->o.rng,
        .call = {.cwd = r->o.task->repo, .dir = r->o.dir, .self = r->o.self},
        .run = str_from(r->o.run_id),
        .name = r->name,
        .secrets = r->o.secrets,
        .on_try = on_try,
        .on_step = on_step,
        .on_outcome = on_outcome,
        .on_warn = on_warn,
        .ctx = r};
}

void runner_dispatch(struct runner *r, const struct dispatch_options *options)
{
    r->dispatch = dispatch_start(r->loop, options);
    if (r->stopping) /* by somebody who was told something on the way here */
        dispatch_stop(r->dispatch);
}
