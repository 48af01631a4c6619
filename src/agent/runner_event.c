#include "agent/runner_internal.h"
#include "base/utf8.h"

#define MAX_DROPPED    400u  /* bytes of a list in a warning */
#define STOPPED_GIT_MS 2000u /* for git in a run that is being stopped: it has little time */

void runner_event_send(struct runner *r, struct runner_event e)
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

void runner_event_send_text(struct runner *r, enum runner_event_kind kind, struct str text)
{
    runner_event_send(r, (struct runner_event){.kind = kind, .text = text});
}

/* ---- the note */

void runner_event_write_note(struct runner *r, int64_t ended)
{
    struct error err = {0};
    struct task_note n = {.task = r->o.task,
                          .state = r->state,
                          .why = buf_str(&r->why),
                          .plan = &r->plan,
                          .assessment = r->is_assessed ? &r->assessment : NULL,
                          .loops = r->loops,
                          .loop_count = r->run_count,
                          .test_end = buf_str(&r->test_summary),
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
        runner_event_send_text(r, RUNNER_WARN, str_from(err.text));
    r->note_failed = true;
}

/* ---- a dispatch */

static void send_try(struct runner *r, const struct dispatch_event *e)
{
    const struct candidate *c = e->candidate;
    bool is_worker = r->category == CATEGORY_WORKER;
    if (is_worker || !r->has_worked) {
        r->tool = str_from(agent_kind_name(c->tool));
        r->model = arena_str(&r->arena, c->model);
    }
    if (is_worker) {
        r->has_worked = true;
        buf_printf(&r->workers, "%s%s%s%.*s", r->workers.n ? ", then " : "",
                   agent_kind_name(c->tool), c->model.n ? " " : "", STR_ARG(c->model));
        r->loops[r->run_count - 1].who = buf_str(&r->workers);
        runner_event_write_note(r, 0);
    }
    runner_event_send(
        r, (struct runner_event){.kind = RUNNER_TRY,
                                 .category = str_from(tooling_category_name(r->category)),
                                 .tool = str_from(agent_kind_name(c->tool)),
                                 .model = c->model,
                                 .number = e->number});
    if (e->text.n) {
        struct buf text = {0};
        buf_printf(&text, "left out of what the model asked for its worker: %.*s",
                   STR_ARG(utf8_head(e->text, MAX_DROPPED)));
        runner_event_send_text(r, RUNNER_WARN, buf_str(&text));
        buf_done(&text);
    }
}

static void send_step(struct runner *r, const struct dispatch_event *e)
{
    r->spending = e->output->usage;
    if (e->step->text.n)
        runner_event_send(
            r, (struct runner_event){.kind = RUNNER_STEP,
                                     .category = str_from(tooling_category_name(r->category)),
                                     .tool = str_from(agent_kind_name(e->output->agent)),
                                     .model = str_from(e->output->model),
                                     .text = e->step->text,
                                     .step = e->step->kind,
                                     .failed = e->step->failed,
                                     .number = e->number});
}

static void send_outcome(struct runner *r, const struct dispatch_event *e)
{
    const struct output *output = e->output;
    const struct candidate *chosen = e->decision->chosen;
    r->spent.input_tokens += output->usage.input_tokens;
    r->spent.output_tokens += output->usage.output_tokens;
    r->spent.cost_usd += output->usage.cost_usd;
    r->spending = (struct output_usage){0};
    r->cooldown_until = e->until;
    runner_event_send(
        r, (struct runner_event){.kind = RUNNER_OUTCOME,
                                 .category = str_from(tooling_category_name(r->category)),
                                 .tool = str_from(agent_kind_name(chosen->tool)),
                                 .model = chosen->model,
                                 .outcome = str_from(outcome_name(output->outcome.class)),
                                 .text = str_from(output->outcome.message),
                                 .number = e->number,
                                 .until = e->until});
    /* Without our server, the one that failed was the user's own. */
    if (output->mcp_failed && r->category == CATEGORY_WORKER && r->o.mcp.url)
        runner_event_send_text(r, RUNNER_WARN,
                               STR("the worker did not reach the MCP server of this run"));
    if (output->denied)
        runner_event_send_text(
            r, RUNNER_WARN,
            STR("the agent was refused tools that it wanted to use: see the transcript"));
}

void runner_event_on_dispatch(const struct dispatch_event *e, void *runner)
{
    switch (e->kind) {
    case DISPATCH_TRY:
        send_try(runner, e);
        break;
    case DISPATCH_STEP:
        send_step(runner, e);
        break;
    case DISPATCH_OUTCOME:
        send_outcome(runner, e);
        break;
    case DISPATCH_WARNING:
        runner_event_send_text(runner, RUNNER_WARN, e->text);
        break;
    }
}

/* ---- the result */

struct changed_files {
    const struct secrets *secrets; /* NULL: none */
    struct run_result_files files;
};

static void add_changed_file(struct str path, enum changes_how how, void *ctx)
{
    struct changed_files *c = ctx;
    struct buf masked = {0};
    if (c->secrets)
        secrets_mask(c->secrets, path, &masked);
    else
        buf_add(&masked, path);
    run_result_add_file(&c->files, buf_str(&masked), str_from(changes_how_name(how)));
    buf_done(&masked);
}

void runner_event_send_end(struct runner *r)
{
    struct changed_files changed = {.secrets = r->o.secrets};
    struct error err = {0};
    struct buf why = {0};
    bool is_complete = r->state == RUN_COMPLETE;
    if (r->origin && !changes_each(r->origin, r->stopping ? STOPPED_GIT_MS : 0, add_changed_file,
                                   &changed, &err))
        runner_event_send_text(r, RUNNER_WARN, str_from(err.text));
    if (r->o.secrets)
        secrets_mask(r->o.secrets, buf_str(&r->why), &why);
    else
        buf_add(&why, buf_str(&r->why));
    struct run_result result = {
        .run = str_from(r->o.run_id),
        .task = r->o.task->id,
        .state = str_from(run_state_name(r->state)),
        .outcome = str_from(is_complete ? outcome_name(OUTCOME_OK) : r->outcome.name),
        .why = buf_str(&why),
        .tool = r->tool,
        .model = r->model,
        .transcripts = str_from(r->o.dir),
        .stopped = r->stopping && !is_complete,
        .nobody = !is_complete && r->outcome.nobody,
        .until = is_complete ? 0 : r->outcome.until,
        .input_tokens = r->spent.input_tokens,
        .output_tokens = r->spent.output_tokens,
        .worker_runs = r->run_count,
        .cost_usd = r->spent.cost_usd,
        .files = run_result_list_files(&changed.files),
    };
    runner_event_send(
        r, (struct runner_event){.kind = RUNNER_END, .text = buf_str(&r->why), .result = &result});
    run_result_files_done(&changed.files);
    buf_done(&why);
}
