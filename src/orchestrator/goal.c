#include "orchestrator/goal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/prompt_text.h"
#include "agent/question.h"
#include "agent/runner.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "orchestrator/goal_internal.h"

#define MAX_EVENT 600u
#define MAX_STEP  120u

struct goal {
    struct loop *loop;
    struct goal_options o; /* with texts in the arena */
    struct arena arena;
    bool stopping;
    struct dispatch *dispatch;
    unsigned number;          /* of the attempt to get an answer, from 1 */
    char name[32];            /* of transcripts */
    struct buf first, prompt; /* the question; what is sent */
    enum dispatch_end_kind kind;
    struct buf why, said; /* how the last dispatch ended */
};

/* ---- the end */

static void end_goal(struct goal *g, const struct goal_plan *plan, struct str why)
{
    g->o.on_end(g, plan, why, g->o.ctx);
    tooling_unref(g->o.tooling);
    arena_done(&g->arena);
    buf_done(&g->first);
    buf_done(&g->prompt);
    buf_done(&g->why);
    buf_done(&g->said);
    free(g);
}

static void report_progress(struct goal *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void report_progress(struct goal *g, const char *fmt, ...)
{
    struct buf text = {0}, line = {0};
    va_list args;
    if (!g->o.on_event)
        return;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    prompt_text_line(&line, buf_str(&text), MAX_EVENT);
    g->o.on_event(buf_str(&line), g->o.ctx);
    buf_done(&text);
    buf_done(&line);
}

/* ---- asking */

static void ask_planner(struct goal *g);

static void report_outcome(struct goal *g, const struct dispatch_event *e)
{
    const struct outcome *o = &e->output->outcome;
    char at[RFC3339_LEN + 1] = "";
    if (o->class == OUTCOME_OK)
        return;
    if (e->until)
        rfc3339_format(e->until, at);
    report_progress(g, "%s: %s%s%s%s%s", agent_kind_name(e->decision->chosen->tool),
                    outcome_name(o->class), e->until ? " until " : "", at,
                    o->message[0] ? ": " : "", o->message);
}

static void on_dispatch_event(const struct dispatch_event *e, void *ctx)
{
    const struct candidate *c = e->candidate;
    switch (e->kind) {
    case DISPATCH_TRY:
        report_progress(ctx, "asking %s%s%.*s", agent_kind_name(c->tool), c->model.n ? " " : "",
                        STR_ARG(c->model));
        break;
    case DISPATCH_STEP:
        if (e->step->text.n) /* cut: the complete answer is read later */
            report_progress(ctx, "%s: %.*s", agent_kind_name(e->output->agent),
                            STR_ARG(utf8_head(e->step->text, MAX_STEP)));
        break;
    case DISPATCH_OUTCOME:
        report_outcome(ctx, e);
        break;
    case DISPATCH_WARNING:
        report_progress(ctx, "%.*s", STR_ARG(e->text));
        break;
    }
}

/* Report why the plan is refused, and ask again. */
static void refuse_plan(struct goal *g, const struct error *reason)
{
    struct buf why = {0};
    buf_printf(&why, "the plan cannot be used: %s", reason->text);
    if (g->number < QUESTION_TRIES) {
        report_progress(g, "%s", why.p);
        buf_clear(&g->prompt);
        question_prompt_repair(&g->prompt, buf_str(&g->first), buf_str(&g->said), reason->text);
        ask_planner(g);
    } else {
        buf_printf(&why, " (%u tries)", g->number);
        end_goal(g, NULL, buf_str(&why));
    }
    buf_done(&why);
}

static void after_answer(void *ctx)
{
    struct goal *g = ctx;
    struct error reason = {0};
    struct goal_plan plan;
    if (g->stopping || g->kind == DISPATCH_STOPPED)
        end_goal(g, NULL, STR("interrupted"));
    else if (g->kind != DISPATCH_DONE)
        end_goal(g, NULL, buf_str(&g->why));
    else if (goal_read(buf_str(&g->said), &g->o, &g->arena, &plan, &reason))
        end_goal(g, &plan, STR(""));
    else
        refuse_plan(g, &reason);
}

static void on_answer(struct dispatch *d, const struct dispatch_end *e, void *ctx)
{
    struct goal *g = ctx;
    (void)d;
    g->dispatch = NULL;
    g->kind = e->kind;
    buf_clear(&g->why);
    buf_clear(&g->said);
    buf_add(&g->why, e->why);
    if (e->output)
        buf_add(&g->said, buf_str(&e->output->last_message));
    loop_defer(g->loop, after_answer, g);
}

static void ask_planner(struct goal *g)
{
    snprintf(g->name, sizeof g->name, "%02u-%s", ++g->number, tooling_category_name(CATEGORY_PLAN));
    struct dispatch_options o = {
        .ledger = g->o.ledger,
        .tooling = g->o.tooling,
        .category = str_from(tooling_category_name(CATEGORY_PLAN)),
        .rng = g->o.rng,
        .call = {.mode = PROVIDER_READ,
                 .prompt = buf_str(&g->prompt),
                 .cwd = g->o.repo,
                 .dir = g->o.dir,
                 .self = g->o.self},
        .run = str_from(g->o.run_id),
        .name = g->name,
        .limit_ms = RUNNER_META_MS,
        .secrets = g->o.secrets,
        .on_event = on_dispatch_event,
        .on_end = on_answer,
        .ctx = g,
    };
    g->dispatch = dispatch_start(g->loop, &o);
    if (g->stopping) /* an event handler may have called goal_stop() */
        dispatch_stop(g->dispatch);
}

/* ---- the start */

bool goal_check(const struct goal_options *o, struct error *err)
{
    struct str repo = str_from(o->repo);
    if (!str_trim(o->text).n)
        return error_set(err, ERR_INVALID_PARAMS, "the goal is empty: describe what to achieve");
    if (o->text.n > GOAL_MAX_TEXT)
        return error_set(err, ERR_INVALID_PARAMS, "the goal has %zu bytes, more than %u", o->text.n,
                         GOAL_MAX_TEXT);
    if (o->prefix.n && (!goal_read_is_id(o->prefix) || o->prefix.n > QUESTION_MAX_ID))
        return error_set(
            err, ERR_INVALID_PARAMS,
            "the prefix must consist of letters, digits, '.', '_' and '-', begin with a letter "
            "or a digit, and have at most %u characters",
            QUESTION_MAX_ID);
    if (!repo.n || repo.p[0] != '/' || !utf8_is_valid(repo))
        return error_set(err, ERR_INVALID_PARAMS, "the repo must be an absolute path in UTF-8");
    return true;
}

static void begin_goal(void *ctx)
{
    struct goal *g = ctx;
    struct error err = {0};
    if (g->stopping) {
        end_goal(g, NULL, STR("interrupted"));
    } else if (!goal_check(&g->o, &err)) {
        end_goal(g, NULL, str_from(err.text));
    } else {
        goal_prompt(&g->first, &g->o);
        buf_add(&g->prompt, buf_str(&g->first));
        ask_planner(g);
    }
}

struct goal *goal_start(struct loop *loop, const struct goal_options *options)
{
    assert(options->tooling && options->ledger && options->rng && options->on_end);
    struct goal *g = mem_zalloc(sizeof *g);
    g->loop = loop;
    g->o = *options;
    g->o.text = arena_str(&g->arena, options->text);
    g->o.prefix = arena_str(&g->arena, options->prefix);
    g->o.repo = arena_cstr(&g->arena, str_from(options->repo));
    tooling_ref(g->o.tooling);
    loop_defer(loop, begin_goal, g);
    return g;
}

void goal_stop(struct goal *g)
{
    g->stopping = true;
    if (g->dispatch)
        dispatch_stop(g->dispatch);
}
