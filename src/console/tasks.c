#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "console/tasks_internal.h"

#define IDLE_MS  30000u /* how long the thread stays open without a page */
#define AGAIN_MS 2000u  /* between attempts to use the store again while a page is open */

/* ---- jobs */

static bool open_thread(struct console_tasks *t, struct error *err);

static void set_failure(struct console_tasks *t, const struct error *err)
{
    bool was = t->failure.code != ERR_NONE;
    t->failure = err ? *err : (struct error){0};
    if (was != (t->failure.code != ERR_NONE))
        console_feed_notify(t->console->feed, FEED_TASKS);
}

static bool is_idle(const struct console_tasks *t)
{
    return !t->is_watched && !t->reading && list_is_empty(&t->jobs);
}

static void on_thread_closed(void *ctx)
{
    struct console_tasks *t = ctx;
    t->closing--;
    console_notify_quiet(t->console);
}

static void drop_thread(struct console_tasks *t)
{
    timer_stop(&t->idle);
    if (!t->thread)
        return;
    t->closing++;
    t->is_stale = true;
    store_thread_close(t->thread, on_thread_closed, t);
    t->thread = NULL;
}

static void on_idle(void *ctx)
{
    struct console_tasks *t = ctx;
    if (is_idle(t))
        drop_thread(t);
}

static void close_when_idle(struct console_tasks *t)
{
    if (is_idle(t) && t->thread && !t->is_stopping)
        timer_start(&t->idle, t->console->o.loop, IDLE_MS, on_idle, t);
}

static void free_job(struct console_tasks_job *j)
{
    list_remove(&j->link);
    if (j->done)
        j->done(j);
    buf_done(&j->out);
    arena_done(&j->arena);
    free(j);
}

static bool run_work(struct store *s, void *ctx, struct error *err)
{
    struct console_tasks_job *j = ctx;
    if (j->is_off)
        return true;
    buf_clear(&j->out);
    j->w = jsonw_make(&j->out);
    jsonw_object(&j->w);
    return j->work(s, j, err);
}

void console_tasks_job_reply(struct console_tasks_job *j)
{
    assert(j->api);
    jsonw_end(&j->w);
    api_reply(j->api, buf_str(&j->out));
    free_job(j);
}

void console_tasks_job_fail(struct console_tasks_job *j, const struct error *err)
{
    api_fail(j->api, err);
    free_job(j);
}

void console_tasks_job_drop(struct console_tasks_job *j)
{
    free_job(j);
}

/* An error of the store is 503, whatever its code means elsewhere. */
static void refuse_unavailable(struct api *a, const struct error *err)
{
    api_refuse(a, 503, err->code, "%s", err->text);
}

static void on_work(bool ok, const struct error *err, void *ctx)
{
    struct console_tasks_job *j = ctx;
    struct console_tasks *t = j->t;
    list_remove(&j->link);
    if (ok && j->thread == t->thread && !store_thread_is_unavailable(t->thread))
        set_failure(t, NULL);
    if (!j->api) {
        free_job(j);
    } else if (!ok && store_thread_last_failure(j->thread) != STORE_REFUSED) {
        refuse_unavailable(j->api, err);
        free_job(j);
    } else if (!ok) {
        console_tasks_job_fail(j, err);
    } else if (j->then) {
        j->then(j);
    } else {
        console_tasks_job_reply(j);
    }
    close_when_idle(t);
}

void *console_tasks_job_new(struct console_tasks *t, struct api *a, size_t size)
{
    struct console_tasks_job *j = mem_zalloc(size);
    assert(size >= sizeof *j);
    j->t = t;
    j->api = a;
    return j;
}

int64_t *console_tasks_job_ids(struct console_tasks_job *j, const int64_t *ids, size_t count)
{
    int64_t *copy = arena_alloc(&j->arena, (count + 1) * sizeof *copy);
    if (count)
        memcpy(copy, ids, count * sizeof *copy);
    return copy;
}

void console_tasks_job_run(struct console_tasks_job *j, enum store_mode mode, store_fn *work)
{
    struct console_tasks *t = j->t;
    struct error err = {0};
    t->is_asked = true;
    if (t->is_stopping) {
        api_refuse(j->api, 503, ERR_IO, "This server is stopping.");
        free_job(j);
        return;
    }
    if (!open_thread(t, &err) || store_thread_is_unavailable(t->thread)) {
        refuse_unavailable(j->api, t->thread ? &t->failure : &err);
        free_job(j);
        return;
    }
    timer_stop(&t->idle);
    j->work = work;
    j->thread = t->thread;
    list_add(&t->jobs, &j->link);
    store_thread_run(t->thread, mode, run_work, on_work, j);
}

static void on_pool(void *ctx)
{
    struct console_tasks_job *j = ctx;
    j->pool_work(j);
}

static void on_pool_done(void *ctx)
{
    struct console_tasks_job *j = ctx;
    struct console_tasks *t = j->t;
    t->works--;
    j->then(j);
    console_notify_quiet(t->console);
}

void console_tasks_job_work(struct console_tasks_job *j, console_tasks_job_fn *work,
                            console_tasks_job_fn *then)
{
    j->pool_work = work;
    j->then = then;
    j->t->works++;
    loop_work(j->t->console->o.loop, on_pool, on_pool_done, j);
}

/* ---- events */

struct console_tasks_reading {
    struct console_tasks *t;
    int64_t after; /* -1: start again */
    int64_t last;
    struct changed_task *items;
    size_t count, cap;
    bool again; /* a notification came meanwhile */
};

static void keep_event(const struct task_event_row *e, void *ctx)
{
    struct console_tasks_reading *r = ctx;
    mem_grow((void **)&r->items, &r->cap, r->count + 1, sizeof *r->items);
    r->items[r->count++] = (struct changed_task){e->id, e->task};
}

/* After too many events, or with another store, start again. */
static bool read_events(struct store *s, void *ctx, struct error *err)
{
    struct console_tasks_reading *r = ctx;
    struct tasks_event_filter want = {.after = r->after, .most = CHANGED_TASKS_KEEP + 1};
    r->count = 0;
    if (!tasks_last_event(s, &r->last, err))
        return false;
    if (r->after >= 0 && r->last >= r->after && !tasks_events(s, &want, keep_event, r, err))
        return false;
    if (r->last < r->after || r->count > CHANGED_TASKS_KEEP)
        r->after = -1;
    return true;
}

static void read_events_soon(struct console_tasks *t);

static void apply_events(struct console_tasks *t, const struct console_tasks_reading *r)
{
    if (r->after < 0)
        changed_tasks_begin(&t->changed, r->last);
    for (size_t i = 0; r->after >= 0 && i < r->count; i++)
        changed_tasks_add(&t->changed, r->items[i].event, r->items[i].task);
    t->has_events = true;
    set_failure(t, NULL);
}

static void retry_later(struct console_tasks *t);

static void on_retry(void *ctx)
{
    struct console_tasks *t = ctx;
    struct error err = {0};
    if (!open_thread(t, &err))
        retry_later(t);
    else
        read_events_soon(t);
}

static void retry_later(struct console_tasks *t)
{
    if (t->is_watched)
        timer_start(&t->again, t->console->o.loop, AGAIN_MS, on_retry, t);
}

static void on_events(bool ok, const struct error *err, void *ctx)
{
    struct console_tasks_reading *r = ctx;
    struct console_tasks *t = r->t;
    bool again = r->again;
    t->reading = NULL;
    if (ok)
        apply_events(t, r);
    else
        set_failure(t, err);
    free(r->items);
    free(r);
    console_feed_notify(t->console->feed, FEED_TASKS);
    if (!ok)
        retry_later(t);
    else if (again)
        read_events_soon(t);
    close_when_idle(t);
}

static void read_events_soon(struct console_tasks *t)
{
    t->is_stale = true;
    if (!t->is_watched || !t->thread || store_thread_is_unavailable(t->thread) || t->is_stopping)
        return;
    if (t->reading) {
        t->reading->again = true;
        return;
    }
    struct console_tasks_reading *r = mem_zalloc(sizeof *r);
    r->t = t;
    r->after = t->has_events && !t->restarts ? t->changed.last : -1;
    t->reading = r;
    t->is_stale = t->restarts = false;
    store_thread_run(t->thread, STORE_READ, read_events, on_events, r);
}

static void on_notify(const char *channel, void *ctx)
{
    struct console_tasks *t = ctx;
    if (str_eq(str_from(channel), STR(TASKS_CONTROL)))
        t->control++;
    else
        t->log++;
    read_events_soon(t);
}

/* ---- the store */

/* Refuse all waiting exchanges now; their work must not be done later, when nobody expects it. */
static void refuse_all(struct console_tasks *t, const struct error *err)
{
    LIST_EACH_SAFE (&t->jobs, struct console_tasks_job, link, j) {
        list_remove(&j->link);
        j->is_off = true;
        refuse_unavailable(j->api, err);
        j->api = NULL;
    }
}

static void on_failure(const struct error *err, enum store_failure failure, void *ctx)
{
    struct console_tasks *t = ctx;
    set_failure(t, err);
    t->restarts = true;
    if (!err) {
        t->control++;
        t->log++;
        read_events_soon(t);
    } else {
        refuse_all(t, err);
    }
    if (err && failure != STORE_UNAVAILABLE) { /* this thread has given up; a new one may succeed */
        drop_thread(t);
        retry_later(t);
    }
    console_feed_notify(t->console->feed, FEED_TASKS);
}

static bool open_thread(struct console_tasks *t, struct error *err)
{
    struct buf place = {0};
    if (t->thread)
        return true;
    bool fine = tasks_place(t->console->o.store, &place, err);
    if (fine)
        t->thread = store_thread_open(
            t->console->o.loop,
            &(struct store_thread_options){
                .store = {.url = place.p, .schema = &tasks_schema, .is_durable = true},
                .channels = {TASKS_LOG, TASKS_CONTROL},
                .on_notify = on_notify,
                .on_failure = on_failure,
                .ctx = t});
    else
        set_failure(t, err);
    buf_done(&place);
    return fine;
}

/* ---- for the feed */

void console_tasks_watch(struct console_tasks *t, bool on)
{
    struct error err = {0};
    t->is_watched = on && !t->is_stopping;
    if (!t->is_watched) {
        timer_stop(&t->again);
        close_when_idle(t);
        return;
    }
    timer_stop(&t->idle);
    if (t->is_asked && open_thread(t, &err) && t->is_stale)
        read_events_soon(t);
}

/* After an outage a reader starts again: what it saw before does not count. */
int64_t console_tasks_put_feed(const struct console_tasks *t, int64_t after, struct jsonw *w)
{
    bool has_failure = t->failure.code != ERR_NONE;
    bool is_whole = t->has_events && changed_tasks_covers(&t->changed, after);
    if (!t->is_asked || (!t->has_events && !has_failure))
        return -2;
    jsonw_key(w, "after");
    if (has_failure)
        jsonw_null(w);
    else
        jsonw_int(w, t->changed.last);
    jsonw_kbool(w, "reset", !has_failure && !is_whole);
    jsonw_key(w, "changed");
    if (!has_failure && is_whole) {
        changed_tasks_put(&t->changed, after, w);
    } else {
        jsonw_array(w);
        jsonw_end(w);
    }
    jsonw_key(w, "control");
    jsonw_uint(w, t->control);
    jsonw_key(w, "log");
    jsonw_uint(w, t->log);
    jsonw_kcstr(w, "trouble", has_failure ? t->failure.text : NULL);
    return has_failure ? -1 : t->changed.last;
}

/* ---- life */

struct console_tasks *console_tasks_start(struct console *c)
{
    struct console_tasks *t = mem_zalloc(sizeof *t);
    t->console = c;
    t->is_stale = true;
    list_init(&t->jobs);
    console_tasks_show_start(t);
    console_tasks_graph_start(t);
    console_tasks_change_start(t);
    console_tasks_add_start(t);
    console_tasks_goal_start(t);
    return t;
}

void console_tasks_stop(struct console_tasks *t)
{
    t->is_stopping = true;
    t->is_watched = false;
    timer_stop(&t->again);
    console_tasks_goal_stop(t);
    drop_thread(t);
}

bool console_tasks_is_quiet(const struct console_tasks *t)
{
    return !t->thread && !t->closing && !t->works && console_tasks_goal_is_quiet(t);
}

void console_tasks_free(struct console_tasks *t)
{
    if (!t)
        return;
    console_tasks_goal_free(t);
    changed_tasks_done(&t->changed);
    timer_stop(&t->idle);
    free(t);
}
