#include "bridge/activity.h"

#include <assert.h>
#include <stdlib.h>

#include "base/columns.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rfc3339.h"
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

/* The wall clock, once for each turn of the loop. */
static int64_t now(struct bridge *b)
{
    struct activities *all = &b->activities;
    uint64_t turn = loop_now(b->loop);
    if (!all->clock || all->clock_at != turn) {
        all->clock = rfc3339_now();
        all->clock_at = turn;
    }
    return all->clock;
}

static void touch(struct bridge *b, struct activity_entry *e)
{
    struct activities *all = &b->activities;
    e->seq = ++all->seq;
    list_remove(&e->in);
    list_add(e->ended_at ? &all->ended : &all->open, &e->in);
    bridge_changed(b, !e->tool->by_server);
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

static struct activity_entry *begin(struct bridge *b, const struct tool *tool, const char *id)
{
    struct activity_entry *e = b->activities.spare;
    if (e)
        *e = (struct activity_entry){0};
    else
        e = mem_zalloc(sizeof *e);
    b->activities.spare = NULL;
    e->tool = tool;
    e->received_at = now(b);
    memcpy(e->id, id, strlen(id) + 1);
    return e;
}

static void end(struct bridge *b, struct activity_entry *e, int state, const struct failure *o)
{
    e->state = state;
    e->reason = WAIT_NONE;
    e->ended_at = now(b);
    if (e->ended_at < e->started_at) /* of a clock that was set back, or was read a moment later */
        e->ended_at = e->started_at;
    e->has_failed = o != NULL;
    if (o) {
        e->code = o->code;
        e->guarantee = failure_guarantee(o);
        set_text(e->message, str_from(o->text));
    }
    b->activities.ended_count++;
    touch(b, e);
    if (b->activities.ended_count > ACTIVITY_KEEP)
        drop_oldest(&b->activities);
}

struct activity_entry *activity_begin(struct bridge *b, struct caller *caller,
                                      const struct tool *tool, const char *id)
{
    struct activity_entry *e = begin(b, tool, id);
    e->kind = ACTIVITY_REQUEST;
    e->state = tool->by_server ? REQUEST_RUNNING : REQUEST_RECEIVED;
    e->started_at = tool->by_server ? e->received_at : 0;
    set_text(e->client, str_from(caller->client));
    if (tool->subject)
        set_text(e->subject, json_str(json_get(caller->arguments, str_from(tool->subject))));
    touch(b, e);
    return e;
}

void activity_set_job(struct activity_entry *e, const struct job *j)
{
    if (e)
        memcpy(e->other_id, j->id, sizeof e->other_id);
}

static void follow(struct bridge *b, struct activity_entry *e, const struct request *r)
{
    e->state = (int)r->state;
    e->reason = r->state == REQUEST_WAITING ? r->reason : WAIT_NONE;
    if (r->state == REQUEST_WAITING)
        e->queued_at = 0;
    else if (r->state == REQUEST_QUEUED && !e->queued_at)
        e->queued_at = now(b);
    if (r->state == REQUEST_RUNNING && !e->started_at)
        e->started_at = now(b);
    if (r->job)
        activity_set_job(e, r->job);
    touch(b, e);
}

void activity_request(const struct request *r)
{
    follow(r->b, r->seen, r);
    LIST_EACH (&r->askers, struct asker, in, a)
        if (a->seen)
            follow(r->b, a->seen, r);
}

void activity_end_request(struct bridge *b, struct activity_entry **e, enum request_state state,
                          const struct failure *o)
{
    if (!*e)
        return;
    end(b, *e, (int)state, o);
    *e = NULL;
}

void activity_issue(struct job *j)
{
    struct bridge *b = j->b;
    const struct activity_entry *of = j->request->seen;
    struct activity_entry *e = begin(b, j->tool, j->id);
    e->kind = ACTIVITY_JOB;
    e->state = JOB_QUEUED;
    e->queued_at = e->received_at;
    memcpy(e->client, of->client, sizeof e->client);
    memcpy(e->subject, of->subject, sizeof e->subject);
    memcpy(e->other_id, of->id, sizeof e->other_id);
    j->seen = e;
    touch(b, e);
    activity_request(j->request);
}

void activity_job(struct job *j)
{
    struct activity_entry *e = j->seen;
    e->state = (int)j->state;
    e->started_at = j->started_at;
    e->has_progress = j->has_progress;
    e->done = j->done;
    e->total = j->total;
    set_text(e->current, buf_str(&j->current));
    touch(j->b, e);
}

void activity_end_job(struct job *j, const struct failure *o)
{
    activity_job(j);
    end(j->b, j->seen, (int)j->state, o);
    j->seen = NULL;
}

static void free_all(struct list *entries)
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
    free_all(&b->activities.open);
    free_all(&b->activities.ended);
    free(b->activities.spare);
}

/* ---- looking */

static bool can_cancel(const struct activity_entry *e)
{
    if (e->tool->by_server || e->ended_at)
        return false;
    bool runs = e->kind == ACTIVITY_JOB ? e->state == JOB_RUNNING : e->state == REQUEST_RUNNING;
    return !runs || e->tool->supports_cancel;
}

static const char *outcome_of(const struct activity_entry *e)
{
    bool is_job = e->kind == ACTIVITY_JOB;
    if (!e->ended_at)
        return NULL;
    if (e->state == (is_job ? (int)JOB_CANCELLED : (int)REQUEST_CANCELLED))
        return "cancelled";
    return e->has_failed ? error_name(e->code) : "ok";
}

static void tell(const struct activity_entry *e, activity_fn *each, void *ctx)
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
            .outcome = outcome_of(e),
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

/* The first of a list that changed behind seq: those are its last ones. */
static const struct list *first_behind(const struct list *entries, uint64_t seq)
{
    const struct list *l = entries;
    while (l->prev != entries && LIST_ITEM(l->prev, struct activity_entry, in)->seq > seq)
        l = l->prev;
    return l == entries ? entries : l;
}

uint64_t activity_each(const struct bridge *b, uint64_t seq, activity_fn *each, void *ctx)
{
    const struct activities *all = &b->activities;
    const struct list *open = first_behind(&all->open, seq);
    const struct list *ended = first_behind(&all->ended, seq);
    while (open != &all->open || ended != &all->ended) {
        const struct activity_entry *o = LIST_ITEM(open, struct activity_entry, in);
        const struct activity_entry *e = LIST_ITEM(ended, struct activity_entry, in);
        if (ended == &all->ended || (open != &all->open && o->seq < e->seq)) {
            tell(o, each, ctx);
            open = open->next;
        } else {
            tell(e, each, ctx);
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
        if (a->seen && str_eq(id, str_from(a->seen->id)))
            return true;
    return false;
}

/* The request of that id; of a call that repeats another one, the one it has joined. */
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

/* Something that cannot be cancelled any more, or never could. */
static bool refuse(struct bridge *b, struct str id, const char **status, struct error *err)
{
    const struct activity_entry *e = find_entry(&b->activities.ended, id);
    struct str shown = utf8_head(id, 64);
    if (!e)
        e = find_entry(&b->activities.open, id);
    if (!e && str_starts(id, STR("job-")))
        return error_set(err, ERR_JOB_NOT_FOUND, "There is no job \"%.*s\".", STR_ARG(shown));
    if (!e)
        return error_set(err, ERR_INVALID_PARAMS, "There is no request \"%.*s\".", STR_ARG(shown));
    if (e->tool->by_server)
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
        request_apply(r, REQUEST_ON_CANCEL, (struct str){0}, NULL);
    } else {
        return refuse(b, id, status, err);
    }
    return true;
}
