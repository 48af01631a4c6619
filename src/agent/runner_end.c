/* What the end of a run means for who would try again, and the result that says so. */
#include "agent/runner_core.h"
#include "base/rfc3339.h"

#define PROBE_MS    60000u /* somebody else tries a candidate right now: that is known soon */
#define STOPPED_GIT 2000u  /* a run that is told to stop has not much time */

/* ---- hope */

enum hope { /* what may bring a candidate back, the better the higher */
    HOPE_NONE,
    HOPE_PERSON, /* who signs in, pays, names another model */
    HOPE_AGAIN,  /* it crashed: the same once more may go well */
    HOPE_TIME    /* a limit ends */
};

static enum hope hope_after(enum outcome_class class)
{
    switch (class) {
    case OUTCOME_RATE_LIMITED:
    case OUTCOME_USAGE_LIMITED:
    case OUTCOME_OVERLOADED:
    case OUTCOME_SERVER:
        return HOPE_TIME;
    case OUTCOME_BILLING:
    case OUTCOME_AUTH:
    case OUTCOME_MODEL:
        return HOPE_PERSON;
    case OUTCOME_INCOMPLETE:
    case OUTCOME_LAUNCH:
        return HOPE_AGAIN;
    case OUTCOME_OK:
    case OUTCOME_REQUEST:
    case OUTCOME_BUDGET:
    case OUTCOME_KILLED:
    case OUTCOME_CLASS_COUNT:
        break;
    }
    return HOPE_NONE;
}

/* What a candidate that is out may come back by, and when. */
static enum hope hope_of(const struct decision_candidate *c, int64_t now, int64_t *back)
{
    if (c->out == SELECT_PROBING) {
        *back = c->back_at < now + PROBE_MS ? c->back_at : now + PROBE_MS;
        return HOPE_TIME;
    }
    *back = c->back_at ? c->back_at : now;
    if (c->out == SELECT_TRIED &&
        c->cooldown == OUTCOME_OK) /* not its fault: nobody rests for it */
        return HOPE_AGAIN;
    return c->cooldown == OUTCOME_OK ? HOPE_NONE : hope_after(c->cooldown);
}

static bool has_tried(const struct decision *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->candidates[i].out == SELECT_TRIED)
            return true;
    return false;
}

/* The candidate with most hope, of those the first that is back. */
static void weigh_nobody(struct runner *r, const struct decision *d)
{
    int64_t now = rfc3339_now(), back, first = 0;
    enum hope best = HOPE_NONE;
    enum outcome_class class = OUTCOME_LAUNCH;
    for (size_t i = 0; i < d->count; i++) {
        enum hope h = hope_of(&d->candidates[i], now, &back);
        if (h == HOPE_NONE || h < best || (h == best && back >= first))
            continue;
        best = h;
        first = back;
        class =
            d->candidates[i].cooldown != OUTCOME_OK ? d->candidates[i].cooldown : OUTCOME_LAUNCH;
    }
    r->end.outcome = outcome_name(class);
    /* Where nobody could even be tried, because others have crashed, only time has to pass. */
    r->end.nobody = best != HOPE_AGAIN || !has_tried(d);
    r->end.until = best == HOPE_TIME || best == HOPE_AGAIN ? first : 0;
}

/* One was tried, and no other may be: force mode, or no fallback. */
static void weigh_last(struct runner *r, const struct outcome *o)
{
    int64_t now = rfc3339_now(), told = o->trust != UNTIL_NONE ? o->until : 0;
    enum hope h = hope_after(o->class);
    r->end.outcome = outcome_name(o->class);
    r->end.nobody = h == HOPE_TIME || h == HOPE_PERSON;
    r->end.until = 0;
    if (h != HOPE_TIME)
        return;
    r->end.until = r->cooldown_until > told ? r->cooldown_until : told;
    if (r->end.until <= now)
        r->end.until = now + (int64_t)outcome_row(o->class)->default_ms;
}

void runner_keep_end(struct runner *r, const struct dispatch_end *end)
{
    r->dispatch = NULL;
    r->end.kind = end->kind;
    r->end.ran = end->report != NULL;
    r->end.class = end->report ? end->report->outcome.class : OUTCOME_LAUNCH;
    r->end.outcome = RUN_RESULT_STORE; /* it could not choose */
    r->end.nobody = false;
    r->end.until = 0;
    if (end->kind == DISPATCH_NOBODY)
        weigh_nobody(r, end->decision);
    else if (end->decision && end->report)
        weigh_last(r, &end->report->outcome);
    buf_clear(&r->end.why);
    buf_clear(&r->end.said);
    buf_add(&r->end.why, end->why);
    if (end->report)
        buf_add(&r->end.said, buf_str(&end->report->said));
}

/* ---- the result */

struct listing {
    const struct runner *r;
    struct run_result_files files;
};

static void list_file(struct str path, enum changes_how how, void *ctx)
{
    struct listing *l = ctx;
    struct buf masked = {0};
    if (l->r->o.secrets)
        secrets_mask(l->r->o.secrets, path, &masked);
    else
        buf_add(&masked, path);
    run_result_add_file(&l->files, buf_str(&masked), str_from(changes_how_name(how)));
    buf_done(&masked);
}

void runner_tell_end(struct runner *r)
{
    struct listing list = {.r = r};
    struct error err = {0};
    struct buf why = {0};
    bool complete = r->state == RUN_COMPLETE;
    if (r->origin &&
        !changes_each(r->origin, r->stopping ? STOPPED_GIT : 0, list_file, &list, &err))
        runner_say(r, RUNNER_WARN, str_from(err.text));
    if (r->o.secrets)
        secrets_mask(r->o.secrets, buf_str(&r->why), &why);
    else
        buf_add(&why, buf_str(&r->why));
    struct run_result result = {
        .run = str_from(r->o.run_id),
        .task = r->o.task->id,
        .state = str_from(run_state_name(r->state)),
        .outcome = str_from(complete ? outcome_name(OUTCOME_OK) : r->verdict.outcome),
        .why = buf_str(&why),
        .tool = r->tool,
        .model = r->model,
        .transcripts = str_from(r->o.dir),
        .stopped = r->stopping && !complete,
        .nobody = !complete && r->verdict.nobody,
        .until = complete ? 0 : r->verdict.until,
        .input_tokens = r->spent.input_tokens,
        .output_tokens = r->spent.output_tokens,
        .worker_runs = r->run_count,
        .cost_usd = r->spent.cost_usd,
        .files = run_result_list_files(&list.files),
    };
    runner_tell(
        r, (struct runner_event){.kind = RUNNER_END, .text = buf_str(&r->why), .result = &result});
    run_result_files_done(&list.files);
    buf_done(&why);
}
