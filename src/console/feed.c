/* The feed: one stream of events for each open page.
 *
 * For each reader only the numbers of the last events it got are kept. FEED_MS after the first
 * change, each part is asked for what is new. A slow reader gets nothing more until it has read its
 * queue, and then the state at that time. So the cost of a page does not depend on the number of
 * changes, and a page that hangs costs no memory. Without a reader no timer runs and nothing is
 * watched. */
#include <stdlib.h>

#include "base/id.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "bridge/activity.h"
#include "console/api_internal.h"
#include "net/sse.h"

#define FEED_MS     50u   /* changes are collected for this long */
#define BEAT_MS     2000u /* the longest time without an event */
#define MAX_READERS 32u
#define ALL_PARTS   ((1u << FEED_PART_COUNT) - 1)

struct feed_reader {
    struct list in;
    struct console_feed *feed;
    struct http_exchange *x;
    unsigned due;         /* parts that have changed for it: bits of enum feed_part */
    uint64_t sent_at;     /* time of the last event */
    bool knows_editor;    /* as of `editor` */
    bool activity_resets; /* it must drop the activity that it knows */
    struct bridge_news editor;
    uint64_t activity, goals;
    int64_t tasks;
};

struct console_feed {
    struct console *console;
    char run[ID_LEN + 1];
    struct list readers;
    size_t count;
    unsigned changed; /* parts that have changed since on_collected() */
    struct timer collect, beat;
    struct buf out;
};

/* ---- events */

static struct jsonw begin_event(struct console_feed *f)
{
    buf_clear(&f->out);
    struct jsonw w = jsonw_make(&f->out);
    jsonw_object(&w);
    return w;
}

static void send_text(struct feed_reader *r, const char *event, struct str json)
{
    sse_send(r->x, &(struct sse_event){.event = str_from(event), .parts = &json, .part_count = 1});
    r->sent_at = loop_now(r->feed->console->o.loop);
}

static void send_event(struct feed_reader *r, const char *event, struct jsonw *w)
{
    jsonw_end(w);
    send_text(r, event, buf_str(&r->feed->out));
}

static void send_hello(struct feed_reader *r)
{
    struct jsonw w = begin_event(r->feed);
    jsonw_kcstr(&w, "run", r->feed->run);
    jsonw_kcstr(&w, "version", MULTIVERSE_VERSION);
    jsonw_kcstr(&w, "project", r->feed->console->o.project);
    jsonw_kint(&w, "now", rfc3339_now());
    send_event(r, "hello", &w);
}

static void put_count(struct jsonw *w, const char *key, struct bridge_count n)
{
    jsonw_key(w, key);
    if (n.is_known)
        jsonw_uint(w, n.n);
    else
        jsonw_null(w);
}

static bool is_same(struct bridge_count a, struct bridge_count b)
{
    return a.is_known == b.is_known && a.n == b.n;
}

static void send_editor(struct feed_reader *r)
{
    struct console_feed *f = r->feed;
    struct bridge_news now = bridge_news(f->console->o.bridge);
    if (r->knows_editor && now.state == r->editor.state && is_same(now.scene, r->editor.scene) &&
        is_same(now.console, r->editor.console))
        return;
    struct buf state = {0};
    bridge_put_state(f->console->o.bridge, &state);
    struct jsonw w = begin_event(f);
    put_count(&w, "scene_seq", now.scene);
    put_count(&w, "console_seq", now.console);
    buf_add_char(&f->out, ','); /* the members of the state follow */
    buf_add(&f->out, str_skip(buf_str(&state), 1));
    buf_done(&state);
    r->knows_editor = true;
    r->editor = now;
    send_text(r, "editor", buf_str(&f->out));
}

static void send_activity(struct feed_reader *r)
{
    struct console_feed *f = r->feed;
    struct jsonw w = begin_event(f);
    bool reset = r->activity_resets || !activity_is_whole(f->console->o.bridge, r->activity);
    uint64_t before = reset ? 0 : r->activity;
    r->activity = console_activity_put_feed(f->console, before, reset, &w);
    if (!reset && r->activity == before)
        return;
    r->activity_resets = false;
    send_event(r, "activity", &w);
}

static void send_tooling(struct feed_reader *r)
{
    struct jsonw w = begin_event(r->feed);
    console_tooling_put_feed(r->feed->console->tooling, &w);
    send_event(r, "tooling", &w);
}

static void send_tasks(struct feed_reader *r)
{
    struct jsonw w = begin_event(r->feed);
    int64_t after = console_tasks_put_feed(r->feed->console->tasks, r->tasks, &w);
    if (after == -2)
        return;
    r->tasks = after;
    send_event(r, "tasks", &w);
}

static void send_goal(struct str json, void *ctx)
{
    send_text(ctx, "goal", json);
}

static void send_goals(struct feed_reader *r)
{
    r->goals = console_tasks_goal_put_feed(r->feed->console->tasks, r->goals, send_goal, r);
}

/* A slow reader gets more in on_drain(). */
static bool is_slow(const struct feed_reader *r)
{
    return http_exchange_queued(r->x) > STREAM_LOW_WATER;
}

static void send_due(struct feed_reader *r)
{
    static void (*const senders[FEED_PART_COUNT])(struct feed_reader *) = {
        [FEED_EDITOR] = send_editor, [FEED_ACTIVITY] = send_activity, [FEED_TOOLING] = send_tooling,
        [FEED_TASKS] = send_tasks,   [FEED_GOAL] = send_goals,
    };
    for (size_t i = 0; i < FEED_PART_COUNT && !is_slow(r); i++) {
        if (!(r->due & 1u << i))
            continue;
        r->due &= ~(1u << i);
        senders[i](r);
    }
}

/* ---- changes and beats */

static void on_collected(void *ctx)
{
    struct console_feed *f = ctx;
    unsigned changed = f->changed;
    f->changed = 0;
    LIST_EACH (&f->readers, struct feed_reader, in, r) {
        r->due |= changed;
        send_due(r);
    }
}

void console_feed_notify(struct console_feed *f, enum feed_part part)
{
    if (!f->count)
        return; /* a new reader gets everything */
    f->changed |= 1u << part;
    if (!timer_is_running(&f->collect))
        timer_start(&f->collect, f->console->o.loop, FEED_MS, on_collected, f);
}

static void on_bridge_change(void *ctx)
{
    console_feed_notify(ctx, FEED_EDITOR);
    console_feed_notify(ctx, FEED_ACTIVITY);
}

static void on_beat(void *ctx)
{
    struct console_feed *f = ctx;
    uint64_t now = loop_now(f->console->o.loop), next = BEAT_MS;
    LIST_EACH (&f->readers, struct feed_reader, in, r) {
        if (now - r->sent_at >= BEAT_MS && !is_slow(r)) {
            struct jsonw w = begin_event(f);
            jsonw_kint(&w, "now", rfc3339_now());
            send_event(r, "beat", &w);
        }
        uint64_t quiet = now - r->sent_at;
        if (quiet < BEAT_MS && BEAT_MS - quiet < next)
            next = BEAT_MS - quiet;
    }
    timer_start(&f->beat, f->console->o.loop, next, on_beat, f);
}

/* ---- readers */

static void watch_parts(struct console_feed *f, bool on)
{
    struct console *c = f->console;
    bridge_on_change(c->o.bridge, on ? on_bridge_change : NULL, f);
    console_tooling_watch(c->tooling, on);
    console_tasks_watch(c->tasks, on);
    if (on) {
        timer_start(&f->beat, c->o.loop, BEAT_MS, on_beat, f);
    } else {
        timer_stop(&f->beat);
        timer_stop(&f->collect);
        f->changed = 0;
    }
}

static void reader_free(struct feed_reader *r)
{
    list_remove(&r->in);
    if (--r->feed->count == 0)
        watch_parts(r->feed, false);
    free(r);
}

static void on_gone(struct http_exchange *x, void *ctx)
{
    (void)x;
    reader_free(ctx);
}

static void on_drain(struct http_exchange *x, void *ctx)
{
    (void)x;
    send_due(ctx);
}

struct feed_position { /* where an earlier stream of the page ended */
    int64_t activity, tasks;
    bool is_ours; /* the earlier stream was of this server */
};

static bool read_position(struct api *a, const struct console_feed *f, struct feed_position *p)
{
    *p = (struct feed_position){.activity = 0, .tasks = -1};
    p->is_ours = str_eq(api_query(a, "run"), str_from(f->run));
    return api_query_int(a, "activity", 0, INT64_MAX, &p->activity) &&
           api_query_int(a, "tasks", -1, INT64_MAX, &p->tasks);
}

static void open_reader(struct console_feed *f, struct http_exchange *x,
                        const struct feed_position *p)
{
    struct feed_reader *r = mem_zalloc(sizeof *r);
    r->feed = f;
    r->x = x;
    r->due = ALL_PARTS;
    r->activity = p->is_ours ? (uint64_t)p->activity : 0;
    r->activity_resets = !p->is_ours;
    r->tasks = p->is_ours ? p->tasks : -1;
    http_exchange_watch(x, on_gone, on_drain, r);
    list_add(&f->readers, &r->in);
    if (f->count++ == 0)
        watch_parts(f, true);
    send_hello(r);
    send_due(r);
}

static void on_feed(struct api *a, void *ctx)
{
    struct console_feed *f = ctx;
    struct feed_position feed_position;
    if (f->count >= MAX_READERS) {
        api_refuse(a, 503, ERR_LIMIT, "%u pages are open already: close one of them.", MAX_READERS);
        return;
    }
    if (!read_position(a, f, &feed_position))
        return;
    struct http_exchange *x = api_take(a);
    api_headers(x);
    sse_begin(x);
    if (str_eq(http_exchange_request(x)->method, STR("HEAD")))
        http_exchange_end(x);
    else
        open_reader(f, x, &feed_position);
}

/* ---- life */

struct console_feed *console_feed_start(struct console *c)
{
    struct console_feed *f = mem_zalloc(sizeof *f);
    f->console = c;
    list_init(&f->readers);
    id_new(f->run);
    api_get(c, "/api/feed", on_feed, f);
    return f;
}

void console_feed_stop(struct console_feed *f)
{
    while (!list_is_empty(&f->readers)) {
        struct feed_reader *r = LIST_FIRST(&f->readers, struct feed_reader, in);
        struct http_exchange *x = r->x;
        reader_free(r);
        http_exchange_end(x);
    }
}

void console_feed_free(struct console_feed *f)
{
    buf_done(&f->out);
    free(f);
}
