/* The feed: one stream of events for each page that is open.
 *
 * Nothing is kept for a reader but the numbers of what it was told: what is new is asked of the
 * parts when it is sent, FEED_MS after the first of it. A reader that does not take what it gets is
 * sent nothing more until it has, and then what there is by then. So a page costs the same whatever
 * happens how often, and a page that hangs costs no memory. Without a reader there is no timer, and
 * the parts look at nothing. */
#include <stdlib.h>

#include "base/id.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "bridge/activity.h"
#include "console/api_internal.h"
#include "net/sse.h"

#define FEED_MS     50u   /* news are collected for that long */
#define BEAT_MS     2000u /* nobody is left without a word for longer */
#define MAX_READERS 32u
#define ALL_PARTS   ((1u << FEED_PART_COUNT) - 1)

struct reader {
    struct list in;
    struct console_feed *feed;
    struct http_exchange *x;
    unsigned due;         /* parts with news for it: bits of enum feed_part */
    uint64_t said_at;     /* when it was last told something */
    bool knows_editor;    /* then as it was at `news` */
    bool activity_resets; /* what it knows of that does not count */
    struct bridge_news news;
    uint64_t activity, goals;
    int64_t tasks;
};

struct console_feed {
    struct console *console;
    char run[ID_LEN + 1];
    struct list readers;
    size_t count;
    unsigned news; /* parts that have some, since the last time */
    struct timer collect, beat;
    struct buf out;
};

/* ---- events */

static struct jsonw begin(struct console_feed *f)
{
    buf_clear(&f->out);
    struct jsonw w = jsonw_make(&f->out);
    jsonw_object(&w);
    return w;
}

static void send_text(struct reader *r, const char *event, struct str json)
{
    sse_send(r->x, &(struct sse_event){.event = str_from(event), .parts = &json, .part_count = 1});
    r->said_at = loop_now(r->feed->console->o.loop);
}

static void send(struct reader *r, const char *event, struct jsonw *w)
{
    jsonw_end(w);
    send_text(r, event, buf_str(&r->feed->out));
}

static void tell_hello(struct reader *r)
{
    struct jsonw w = begin(r->feed);
    jsonw_kcstr(&w, "run", r->feed->run);
    jsonw_kcstr(&w, "version", MULTIVERSE_VERSION);
    jsonw_kcstr(&w, "project", r->feed->console->o.project);
    jsonw_kint(&w, "now", rfc3339_now());
    send(r, "hello", &w);
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

static void tell_editor(struct reader *r)
{
    struct console_feed *f = r->feed;
    struct bridge_news now = bridge_news(f->console->o.bridge);
    if (r->knows_editor && now.state == r->news.state && is_same(now.scene, r->news.scene) &&
        is_same(now.console, r->news.console))
        return;
    struct buf state = {0};
    bridge_put_state(f->console->o.bridge, &state);
    struct jsonw w = begin(f);
    put_count(&w, "scene_seq", now.scene);
    put_count(&w, "console_seq", now.console);
    buf_add_char(&f->out, ','); /* the members of the state, behind these */
    buf_add(&f->out, str_skip(buf_str(&state), 1));
    buf_done(&state);
    r->knows_editor = true;
    r->news = now;
    send_text(r, "editor", buf_str(&f->out));
}

static void tell_activity(struct reader *r)
{
    struct console_feed *f = r->feed;
    struct jsonw w = begin(f);
    bool reset = r->activity_resets || !activity_is_whole(f->console->o.bridge, r->activity);
    uint64_t before = reset ? 0 : r->activity;
    r->activity = console_activity_put_feed(f->console, before, reset, &w);
    if (!reset && r->activity == before)
        return;
    r->activity_resets = false;
    send(r, "activity", &w);
}

static void tell_tooling(struct reader *r)
{
    struct jsonw w = begin(r->feed);
    console_tooling_put_feed(r->feed->console->tooling, &w);
    send(r, "tooling", &w);
}

static void tell_tasks(struct reader *r)
{
    struct jsonw w = begin(r->feed);
    int64_t after = console_tasks_put_feed(r->feed->console->tasks, r->tasks, &w);
    if (after == -2)
        return;
    r->tasks = after;
    send(r, "tasks", &w);
}

static void tell_goal(struct str json, void *ctx)
{
    send_text(ctx, "goal", json);
}

static void tell_goals(struct reader *r)
{
    r->goals = console_tasks_goal_put_feed(r->feed->console->tasks, r->goals, tell_goal, r);
}

/* A reader that has not taken what it got hears more when it has (on_drain). */
static bool is_slow(const struct reader *r)
{
    return http_exchange_queued(r->x) > STREAM_LOW_WATER;
}

static void tell(struct reader *r)
{
    static void (*const tells[FEED_PART_COUNT])(struct reader *) = {
        [FEED_EDITOR] = tell_editor, [FEED_ACTIVITY] = tell_activity, [FEED_TOOLING] = tell_tooling,
        [FEED_TASKS] = tell_tasks,   [FEED_GOAL] = tell_goals,
    };
    for (size_t i = 0; i < FEED_PART_COUNT && !is_slow(r); i++) {
        if (!(r->due & 1u << i))
            continue;
        r->due &= ~(1u << i);
        tells[i](r);
    }
}

/* ---- news and beats */

static void on_collected(void *ctx)
{
    struct console_feed *f = ctx;
    unsigned news = f->news;
    f->news = 0;
    LIST_EACH (&f->readers, struct reader, in, r) {
        r->due |= news;
        tell(r);
    }
}

void console_feed_notify(struct console_feed *f, enum feed_part part)
{
    if (!f->count)
        return; /* whoever comes is told all */
    f->news |= 1u << part;
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
    LIST_EACH (&f->readers, struct reader, in, r) {
        if (now - r->said_at >= BEAT_MS && !is_slow(r)) {
            struct jsonw w = begin(f);
            jsonw_kint(&w, "now", rfc3339_now());
            send(r, "beat", &w);
        }
        uint64_t quiet = now - r->said_at;
        if (quiet < BEAT_MS && BEAT_MS - quiet < next)
            next = BEAT_MS - quiet;
    }
    timer_start(&f->beat, f->console->o.loop, next, on_beat, f);
}

/* ---- readers */

static void watch(struct console_feed *f, bool on)
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
        f->news = 0;
    }
}

static void reader_free(struct reader *r)
{
    list_remove(&r->in);
    if (--r->feed->count == 0)
        watch(r->feed, false);
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
    tell(ctx);
}

struct place { /* where an earlier stream ended */
    int64_t activity, tasks;
    bool is_ours; /* of this server */
};

static bool read_place(struct api *a, const struct console_feed *f, struct place *p)
{
    *p = (struct place){.activity = 0, .tasks = -1};
    p->is_ours = str_eq(api_query(a, "run"), str_from(f->run));
    return api_query_int(a, "activity", 0, INT64_MAX, &p->activity) &&
           api_query_int(a, "tasks", -1, INT64_MAX, &p->tasks);
}

static void open_reader(struct console_feed *f, struct http_exchange *x, const struct place *p)
{
    struct reader *r = mem_zalloc(sizeof *r);
    r->feed = f;
    r->x = x;
    r->due = ALL_PARTS;
    r->activity = p->is_ours ? (uint64_t)p->activity : 0;
    r->activity_resets = !p->is_ours;
    r->tasks = p->is_ours ? p->tasks : -1;
    http_exchange_watch(x, on_gone, on_drain, r);
    list_add(&f->readers, &r->in);
    if (f->count++ == 0)
        watch(f, true);
    tell_hello(r);
    tell(r);
}

static void on_feed(struct api *a, void *ctx)
{
    struct console_feed *f = ctx;
    struct place place;
    if (f->count >= MAX_READERS) {
        api_refuse(a, 503, ERR_LIMIT, "%u pages are open already: close some.", MAX_READERS);
        return;
    }
    if (!read_place(a, f, &place))
        return;
    struct http_exchange *x = api_take(a);
    api_headers(x);
    sse_begin(x);
    if (str_eq(http_exchange_request(x)->method, STR("HEAD")))
        http_exchange_end(x);
    else
        open_reader(f, x, &place);
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
        struct reader *r = LIST_FIRST(&f->readers, struct reader, in);
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
