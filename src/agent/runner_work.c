#include "agent/runner_core.h"
#include "agent/worker_merge.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

#define MAX_KEPT (16u << 10) /* of each text of a run that is kept for later prompts */

static struct str kept(struct runner *r, struct str text)
{
    return arena_str(&r->arena, utf8_head(text, MAX_KEPT));
}

/* What was changed since the run began, in r->left. */
static void look(struct runner *r)
{
    struct error err = {0};
    size_t count = 0;
    buf_clear(&r->left);
    if (!r->before)
        return;
    if (!changes_since(r->before, r->o.task->repo, &r->left, &count, &err))
        runner_say(r, RUNNER_WARN, str_from(err.text));
    else if (count)
        runner_say(r, RUNNER_CHANGES, buf_str(&r->left));
}

/* ---- for the dispatch */

static const struct candidate *merge(const struct candidate *chosen, struct arena *a, void *ctx)
{
    struct runner *r = ctx;
    struct worker_wish wish = {
        .call = &r->next.call, .env = r->o.task->worker_env, .dropped = &r->dropped};
    buf_clear(&r->dropped);
    return worker_merge(chosen, &wish, a);
}

/* Who was there before, and how it ended; nothing before the first try. */
static struct str prompt(unsigned number, const struct report *last, void *ctx)
{
    struct runner *r = ctx;
    struct buf ended = {0};
    struct question_work work = {.plan = &r->plan, .prompt = r->next.prompt};
    if (r->dropped.n) {
        struct buf text = {0};
        buf_printf(&text, "left out of what the model wished for its worker: %.*s",
                   STR_ARG(utf8_head(buf_str(&r->dropped), 400)));
        runner_say(r, RUNNER_WARN, buf_str(&text));
        buf_done(&text);
    }
    if (number > 1 && last) {
        look(r);
        buf_printf(&ended, "%s: %s", agent_kind_name(last->tool),
                   outcome_name(last->outcome.class));
        work.ended = buf_str(&ended);
        work.left = buf_str(&r->left);
    }
    buf_clear(&r->prompt);
    question_prompt_work(&r->prompt, r->o.task, &work);
    buf_done(&ended);
    return buf_str(&r->prompt);
}

/* ---- the end */

static void record(struct runner *r)
{
    struct question_run *run = &r->runs[r->run_count - 1];
    struct task_note_loop *loop = &r->loops[r->run_count - 1];
    struct buf outcome = {0}, told = {0};
    buf_add(&outcome, r->end.kind == DISPATCH_NOBODY ? STR("nobody is left")
                      : r->end.ran                   ? str_from(outcome_name(r->end.class))
                                                     : STR("stopped"));
    if (r->end.kind == DISPATCH_FAILED)
        buf_printf(&outcome, " (%.*s)", STR_ARG(buf_str(&r->end.why)));
    buf_printf(&told, "%.*s: %.*s", STR_ARG(buf_str(&r->who)), STR_ARG(buf_str(&outcome)));
    loop->who = kept(r, buf_str(&r->who));
    loop->outcome = kept(r, buf_str(&outcome));
    loop->said = kept(r, buf_str(&r->end.said));
    loop->changes = kept(r, buf_str(&r->left));
    loop->ended = rfc3339_now();
    *run = (struct question_run){.prompt = kept(r, r->next.prompt),
                                 .said = loop->said,
                                 .outcome = kept(r, buf_str(&told)),
                                 .changes = loop->changes};
    buf_done(&outcome);
    buf_done(&told);
}

/* Another try of the same would end the same; or nobody tried at all. */
static bool is_hopeless(const struct runner *r)
{
    return r->end.kind == DISPATCH_NOBODY || !r->end.ran ||
           (r->end.kind == DISPATCH_FAILED && outcome_row(r->end.class)->falls_back);
}

static void after_work(void *ctx)
{
    struct runner *r = ctx;
    look(r);
    record(r);
    if (r->before != r->origin)
        changes_free(r->before);
    r->before = NULL;
    if (r->stopping) {
        runner_fail(r, STR("interrupted"));
    } else if (is_hopeless(r)) {
        runner_fail_by_end(r, buf_str(&r->end.why));
    } else {
        runner_move(r, RUN_WORKED);
        runner_ask(r, QUESTION_NEXT);
    }
}

static void on_end(struct dispatch *d, const struct dispatch_end *end, void *ctx)
{
    struct runner *r = ctx;
    (void)d;
    runner_keep_end(r, end);
    loop_defer(r->loop, after_work, r);
}

void runner_work(struct runner *r)
{
    const struct task_file *t = r->o.task;
    struct error err = {0};
    if (r->run_count == t->max_loops) {
        struct buf why = {0};
        buf_printf(&why, "it is not complete after %llu worker runs, which is max_loops",
                   (unsigned long long)t->max_loops);
        runner_fail(r, buf_str(&why));
        buf_done(&why);
        return;
    }
    r->marks = 0;
    r->loops[r->run_count++] = (struct task_note_loop){.started = rfc3339_now()};
    buf_clear(&r->who);
    /* What a worker did to git's settings must not be done to us. */
    r->before = !r->origin || changes_settings_hold(r->origin)
                    ? changes_look(t->repo, &err)
                    : changes_look_at_files(t->repo, &err);
    if (!r->before)
        runner_say(r, RUNNER_WARN, str_from(err.text));
    if (!r->origin)
        r->origin = r->before;
    struct dispatch_options o = runner_dispatch_options(r, CATEGORY_WORKER);
    o.call.mode = PROVIDER_WRITE;
    o.call.mcp = r->o.mcp;
    o.limit_ms = t->max_run_time_ms;
    o.sandbox = (struct sandbox){
        .kind = t->sandbox, .image = t->docker_image, .repo = t->repo, .dir = r->o.dir};
    o.merge = merge;
    o.prompt = prompt;
    o.on_end = on_end;
    runner_dispatch(r, &o);
}
