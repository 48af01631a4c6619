#include "bridge/activity_internal.h"

#include <assert.h>
#include <stdlib.h>

#include "base/columns.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "bridge/bridge_internal.h"

struct activity_entry {
    struct list in; /* of those under way or those that ended, in the order of changes */
    uint64_t seq;
    enum activity_kind kind;
    int state; /* enum request_state, enum job_state */
    enum wait_reason reason;
    const struct tool *tool;
    int64_t received_at, queued_at, started_at, ended_at;
    bool has_failed; /* then code and guarantee count */
    enum error_code code;
    enum error_guarantee guarantee;
    bool has_progress;
    int64_t done, total;
    char id[BRIDGE_ID_MAX], other_id[BRIDGE_ID_MAX];
    char client[ACTIVITY_TEXT + 1], subject[ACTIVITY_TEXT + 1];
    char message[ACTIVITY_TEXT + 1], current[ACTIVITY_TEXT + 1];
};

/* ---- changes */

static void set_text(char to[ACTIVITY_TEXT + 1], struct str text)
{
    columns_copy(to, ACTIVITY_TEXT + 1, text);
}

/* The wall clock, read once per iteration of the loop. */
static int64_t read_clock(struct bridge *b)
{
    struct activities *all = &b->activities;
    uint64_t iteration = loop_now(b->loop);
    if (!all->clock || all->clock_at != iteration) {
        all->clock = rfc3339_now();
        all->clock_at = iteration;
    }
    return all->clock;
}

static void mark_changed(struct bridge *b, struct activity_entry *e)
{
    struct activities *all = &b->activities;
    e->seq = ++all->seq;
    list_remove(&e->in);
    list_add(e->ended_at ? &all->ended : &all->open, &e->in);
    bridge_changed(b, !e->tool->control);
}

static void drop_oldest(struct activities *all)
{
    struct activity_entry *e = LIST_FIRST(&all->ended, struct activity_entry, in);
    list_remove(&e->in);
    all->ended_count--;
    all->dropped = e->seq;
    free(all->spare);
    all->spare = e;
}

static struct activity_entry *add_entry(struct bridge *b, const struct tool *tool, const char *id)
{
    struct activity_entry *e = b->activities.spare;
    if (e)
        *e = (struct activity_entry){0};
    else
        e = mem_zalloc(sizeof *e);
    b->activities.spare = NULL;
    e->tool = tool;
    e->received_at = read_clock(b);
    memcpy(e->id, id, strlen(id) + 1);
    return e;
}

static void end_entry(struct bridge *b, struct activity_entry *e, int state,
                      const struct failure *f)
{
    e->state = state;
    e->reason = WAIT_NONE;
    e->ended_at = read_clock(b);
    if (e->ended_at < e->started_at) /* the clock was set back, or read a moment later */
        e->ended_at = e->started_at;
    e->has_failed = f != NULL;
    if (f) {
        e->code = f->code;
        e->guarantee = failure_guarantee(f);
        set_text(e->message, str_from(f->text));
    }
    b->activities.ended_count++;
    mark_changed(b, e);
    if (b->activities.ended_count > ACTIVITY_KEEP)
        drop_oldest(&b->activities);
}

struct activity_entry *activity_begin(struct bridge *b, struct caller *caller,
                                      const struct tool *tool, const char *id)
{
    struct activity_entry *e = add_entry(b, tool, id);
    e->kind = ACTIVITY_REQUEST;
    e->state = tool->control ? REQUEST_RUNNING : REQUEST_RECEIVED;
    e->started_at = tool->control ? e->received_at : 0;
    set_text(e->client, str_from(caller->client));
    if (tool->subject)
        set_text(e->subject, json_str(json_get(caller->arguments, str_from(tool->subject))));
    mark_changed(b, e);
    return e;
}

void activity_set_job(struct activity_entry *e, const struct job *j)
{
    if (e)
        memcpy(e->other_id, j->id, sizeof e->other_id);
}

static void update_entry(struct bridge *b, struct activity_entry *e, const struct request *r)
{
    e->state = (int)r->state;
    e->reason = r->state == REQUEST_WAITING ? r->reason : WAIT_NONE;
    if (r->state == REQUEST_WAITING)
        e->queued_at = 0;
    else if (r->state == REQUEST_QUEUED && !e->queued_at)
        e->queued_at = read_clock(b);
    if (r->state == REQUEST_RUNNING && !e->started_at)
        e->started_at = read_clock(b);
    if (r->job)
        activity_set_job(e, r->job);
    mark_changed(b, e);
}

void activity_request(const struct request *r)
{
    update_entry(r->b, r->activity, r);
    LIST_EACH (&r->askers, struct asker, in, a)
        if (a->activity)
            update_entry(r->b, a->activity, r);
}

void activity_end_request(struct bridge *b, struct activity_entry **e, enum request_state state,
                          const struct failure *f)
{
    if (!*e)
        return;
    end_entry(b, *e, (int)state, f);
    *e = NULL;
}

void activity_issue(struct job *j)
{
    struct bridge *b = j->b;
    const struct activity_entry *of = j->request->activity;
    struct activity_entry *e = add_entry(b, j->tool, j->id);
    e->kind = ACTIVITY_JOB;
    e->state = JOB_QUEUED;
    e->queued_at = e->received_at;
    memcpy(e->client, of->client, sizeof e->client);
    memcpy(e->subject, of->subject, sizeof e->subject);
    memcpy(e->other_id, of->id, sizeof e->other_id);
    j->activity = e;
    mark_changed(b, e);
    activity_request(j->request);
}

void activity_job(struct job *j)
{
    struct activity_entry *e = j->activity;
    e->state = (int)j->state;
    e->started_at = j->started_at;
    e->has_progress = j->has_progress;
    e->done = j->done;
    e->total = j->total;
    set_text(e->current, buf_str(&j->current));
    mark_changed(j->b, e);
}

void activity_end_job(struct job *j, const struct failure *f)
{
    activity_job(j);
    end_entry(j->b, j->activity, (int)j->state, f);
    j->activity = NULL;
}

static void free_entries(struct list *entries)
{
    LIST_EACH_SAFE (entries, struct activity_entry, in, e)
        free(e);
}

void activity_init(struct bridge *b)
{
    list_init(&b->activities.open);
    list_init(&b->activities.ended);
}

void activity_done(struct bridge *b)
{
    free_entries(&b->activities.open);
    free_entries(&b->activities.ended);
    free(b->activities.spare);
}

/* ---- reading */

static bool can_cancel(const struct activity_entry *e)
{
    if (e->tool->control || e->ended_at)
        return false;
    bool runs = e->kind == ACTIVITY_JOB ? e->state == JOB_RUNNING : e->state == REQUEST_RUNNING;
    return !runs || e->tool->supports_cancel;
}

static const char *name_outcome(const struct activity_entry *e)
{
    bool is_job = e->kind == ACTIVITY_JOB;
    if (!e->ended_at)
        return NULL;
    if (e->state == (is_job ? (int)JOB_CANCELLED : (int)REQUEST_CANCELLED))
        return "cancelled";
    return e->has_failed ? error_name(e->code) : "ok";
}

static void report_entry(const struct activity_entry *e, activity_fn *each, void *ctx)
{
    each(
        &(struct activity){
            .seq = e->seq,
            .kind = e->kind,
            .id = e->id,
            .tool = e->tool->name,
            .client = e->client,
            .subject = e->subject,
            .state = e->kind == ACTIVITY_JOB ? job_state_name((enum job_state)e->state)
                                             : request_state_name((enum request_state)e->state),
            .reason = editor_session_wait_reason_name(e->reason),
            .received_at = e->received_at,
            .queued_at = e->queued_at,
            .started_at = e->started_at,
            .ended_at = e->ended_at,
            .outcome = name_outcome(e),
            .guarantee = e->has_failed ? error_guarantee_name(e->guarantee) : NULL,
            .message = e->message,
            .other_id = e->other_id,
            .has_progress = e->has_progress,
            .done = e->done,
            .total = e->total,
            .current = e->current,
            .can_cancel = can_cancel(e),
        },
        ctx);
}

/* The first entry of a list that changed after seq. */
static const struct list *find_first_after(const struct list *entries, uint64_t seq)
{
    const struct list *l = entries;
    while (l->prev != entries && LIST_ITEM(l->prev, struct activity_entry, in)->seq > seq)
        l = l->prev;
    return l == entries ? entries : l;
}

uint64_t activity_each(const struct bridge *b, uint64_t seq, activity_fn *each, void *ctx)
{
    const struct activities *all = &b->activities;
    const struct list *open = find_first_after(&all->open, seq);
    const struct list *ended = find_first_after(&all->ended, seq);
    while (open != &all->open || ended != &all->ended) {
        const struct activity_entry *o = LIST_ITEM(open, struct activity_entry, in);
        const struct activity_entry *e = LIST_ITEM(ended, struct activity_entry, in);
        if (ended == &all->ended || (open != &all->open && o->seq < e->seq)) {
            report_entry(o, each, ctx);
            open = open->next;
        } else {
            report_entry(e, each, ctx);
            ended = ended->next;
        }
    }
    return all->seq;
}

bool activity_is_whole(const struct bridge *b, uint64_t seq)
{
    return seq >= b->activities.dropped && seq <= b->activities.seq;
}

/* ---- cancel */

static bool has_asker(const struct request *r, struct str id)
{
    if (str_eq(id, str_from(r->id)))
        return true;
    LIST_EACH (&r->askers, struct asker, in, a)
        if (a->activity && str_eq(id, str_from(a->activity->id)))
            return true;
    return false;
}

/* The request of that id, or the request that the call of that id has joined. */
static struct request *find_request(const struct bridge *b, struct str id)
{
    if (b->slot && has_asker(b->slot, id))
        return b->slot;
    LIST_EACH (&b->queue, struct request, in, r)
        if (has_asker(r, id))
            return r;
    return NULL;
}

static const struct activity_entry *find_entry(const struct list *entries, struct str id)
{
    LIST_EACH (entries, struct activity_entry, in, e)
        if (str_eq(id, str_from(e->id)))
            return e;
    return NULL;
}

/* It has ended, cannot be cancelled, or does not exist. */
static bool refuse_cancel(struct bridge *b, struct str id, const char **status, struct error *err)
{
    const struct activity_entry *e = find_entry(&b->activities.ended, id);
    struct str shown = utf8_head(id, 64);
    if (!e)
        e = find_entry(&b->activities.open, id);
    if (!e && str_starts(id, STR("job-")))
        return error_set(err, ERR_JOB_NOT_FOUND, "There is no job \"%.*s\".", STR_ARG(shown));
    if (!e)
        return error_set(err, ERR_INVALID_PARAMS, "There is no request \"%.*s\".", STR_ARG(shown));
    if (e->tool->control)
        return error_set(err, ERR_CANCEL_NOT_SUPPORTED,
                         "%s is answered by the server itself: it cannot be cancelled.",
                         e->tool->name);
    *status = job_state_cancel_name(JOB_CANCEL_REJECTED);
    return true;
}

bool activity_cancel(struct bridge *b, struct str id, const char **status, struct error *err)
{
    struct job *j = job_find(b, id);
    struct request *r = j ? NULL : find_request(b, id);
    if (j) {
        *status = job_state_cancel_name(job_cancel(j));
    } else if (r) {
        bool runs = r->state == REQUEST_RUNNING;
        *status = job_state_cancel_name(runs ? JOB_CANCEL_REQUESTED : JOB_CANCEL_DONE);
        log_info("request cancel", LOG_STR("request_id", str_from(r->id)),
                 LOG_STR("answer", str_from(*status)));
        request_apply_event(r, REQUEST_ON_CANCEL);
    } else {
        return refuse_cancel(b, id, status, err);
    }
    return true;
}
