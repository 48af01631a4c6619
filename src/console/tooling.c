#include <assert.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "console/tooling_internal.h"
#include "tooling/ledger_schema.h"

#define IDLE_MS 30000u /* how long the thread stays open without a page */

/* ---- questions */

static void next_question(struct console_tooling *t);
static void listen_again(struct console_tooling *t);

static void refuse_stopping(struct console_tooling_question *q)
{
    api_refuse(q->api, 503, ERR_IN_USE, "This server is stopping.");
}

/* The client has left, so nothing is sent. */
static void refuse_gone(struct console_tooling_question *q)
{
    api_refuse(q->api, 503, ERR_IN_USE, "The client has left.");
}

static void end_question(struct console_tooling_question *q, console_tooling_question_fn *answer)
{
    answer(q);
    buf_done(&q->out);
    free(q);
}

static void on_work(void *ctx)
{
    struct console_tooling_question *q = ctx;
    q->work(q);
}

static void on_done(void *ctx)
{
    struct console_tooling_question *q = ctx;
    struct console_tooling *t = q->owner;
    bool has_ledger = q->has_ledger;
    t->under_way--;
    t->page_changes += q->is_change;
    end_question(q, q->done);
    if (has_ledger)
        listen_again(t);
    next_question(t);
    console_notify_quiet(t->console);
}

static void next_question(struct console_tooling *t)
{
    while (t->first && t->under_way < CONSOLE_TOOLING_THREADS) {
        struct console_tooling_question *q = t->first;
        t->first = q->next;
        if (!t->first)
            t->last = &t->first;
        if (api_is_gone(q->api) && !q->is_change) {
            end_question(q, refuse_gone);
            continue;
        }
        t->under_way++;
        loop_work(t->console->o.loop, on_work, on_done, q);
    }
}

struct console_tooling_question *console_tooling_new_question(struct console_tooling *t,
                                                              struct api *a,
                                                              console_tooling_question_fn *work)
{
    struct console_tooling_question *q = mem_zalloc(sizeof *q);
    *q = (struct console_tooling_question){.owner = t,
                                           .api = a,
                                           .work = work,
                                           .done = console_tooling_send_answer,
                                           .seed = -1,
                                           .out = buf_make(CONSOLE_TOOLING_OUT)};
    return q;
}

void console_tooling_queue_question(struct console_tooling_question *q)
{
    struct console_tooling *t = q->owner;
    *t->last = q;
    t->last = &q->next;
    next_question(t);
}

static void answer_conflict(struct console_tooling_question *q)
{
    struct jsonw *w = api_begin(q->api);
    api_put_error(w, &q->err);
    jsonw_kbool(w, "exists", q->exists);
    jsonw_kstr(w, "text", buf_str(&q->out));
    api_end_status(q->api, 409);
}

void console_tooling_send_answer(struct console_tooling_question *q)
{
    if (q->is_conflict)
        answer_conflict(q);
    else if (q->err.code != ERR_NONE && q->status)
        api_refuse(q->api, q->status, q->err.code, "%s", q->err.text);
    else if (q->err.code != ERR_NONE)
        api_fail(q->api, &q->err);
    else if (q->out.overflow)
        api_refuse(q->api, 413, ERR_LIMIT, "The answer would be longer than %u MiB.",
                   CONSOLE_TOOLING_OUT >> 20);
    else
        api_reply(q->api, buf_str(&q->out));
}

/* ---- on threads */

void console_tooling_fail_ledger(struct console_tooling_question *q)
{
    q->status = 503;
}

struct ledger *console_tooling_open_ledger(struct console_tooling_question *q)
{
    struct ledger *l = ledger_open_brief(q->owner->console->o.store, &q->err);
    if (!l)
        console_tooling_fail_ledger(q);
    q->has_ledger = l;
    return l;
}

bool console_tooling_check_path(struct console_tooling_question *q)
{
    if (!q->owner->path)
        q->err = q->owner->path_error;
    return q->owner->path;
}

/* ---- watching */

void console_tooling_notify(struct console_tooling *t, int64_t *counter)
{
    ++*counter;
    console_feed_notify(t->console->feed, FEED_TOOLING);
}

/* Read the file and compare: other files of its folder change, too. */
struct file_read_job {
    struct console_tooling *owner;
    unsigned page_changes;
    struct console_tooling_file_state sight;
};

static void file_read_job(void *ctx)
{
    struct file_read_job *g = ctx;
    struct buf text = buf_make(DOC_MAX_BYTES);
    struct error err = {0};
    g->sight.is_read = file_read(g->owner->path, DOC_MAX_BYTES, &text, &err);
    sha256(g->sight.is_read ? buf_str(&text) : str_from(err.text), g->sight.sum);
    buf_done(&text);
}

static void read_file_soon(struct console_tooling *t);

static void on_file_read(void *ctx)
{
    struct file_read_job *g = ctx;
    struct console_tooling *t = g->owner;
    t->under_way--;
    t->is_reading = false;
    /* If a page changed the file and another process changed it back before this look, the content
     * is the same as before, but the page shows its own change. */
    bool is_new = !t->has_seen || t->page_changes_seen != t->page_changes ||
                  t->seen.is_read != g->sight.is_read ||
                  memcmp(t->seen.sum, g->sight.sum, SHA256_LEN) != 0;
    t->seen = g->sight;
    t->has_seen = true;
    t->page_changes_seen = g->page_changes;
    free(g);
    if (t->is_watching && is_new)
        console_tooling_notify(t, &t->count.file);
    if (t->is_watching && t->reads_again)
        read_file_soon(t);
    next_question(t);
    console_notify_quiet(t->console);
}

static void read_file_soon(struct console_tooling *t)
{
    t->reads_again = t->is_reading;
    if (t->is_reading)
        return;
    struct file_read_job *g = mem_zalloc(sizeof *g);
    g->owner = t;
    g->page_changes = t->page_changes;
    t->is_reading = true;
    t->under_way++;
    loop_work(t->console->o.loop, file_read_job, on_file_read, g);
}

static void on_file(void *ctx)
{
    read_file_soon(ctx);
}

static void on_notify(const char *channel, void *ctx)
{
    struct console_tooling *t = ctx;
    (void)channel;
    console_tooling_notify(t, &t->count.cooldowns);
}

/* Notifications that were missed during an outage come afterwards, in on_notify(). */
static void on_failure(const struct error *err, enum store_failure failure, void *ctx)
{
    struct console_tooling *t = ctx;
    t->is_deaf = err && failure != STORE_UNAVAILABLE;
}

static void on_thread_closed(void *ctx)
{
    struct console_tooling *t = ctx;
    t->threads--;
    console_notify_quiet(t->console);
}

static void open_thread(struct console_tooling *t)
{
    struct buf place = buf_make(4096);
    if (ledger_place(t->console->o.store, &place, NULL)) {
        struct store_thread_options options = {
            .store = {.url = place.p, .schema = &ledger_schema, .wait_ms = LEDGER_BRIEF_MS},
            .channels = {LEDGER_CHANNEL},
            .on_notify = on_notify,
            .on_failure = on_failure,
            .ctx = t};
        t->thread = store_thread_open(t->console->o.loop, &options);
        t->threads++;
    }
    buf_done(&place);
}

static void close_thread(struct console_tooling *t)
{
    timer_stop(&t->idle);
    if (t->thread)
        store_thread_close(t->thread, on_thread_closed, t);
    t->thread = NULL;
    t->is_deaf = false;
}

/* A question could use the ledger, but the thread could not: open it again. */
static void listen_again(struct console_tooling *t)
{
    if (!t->is_watching || (t->thread && !t->is_deaf))
        return;
    close_thread(t);
    open_thread(t);
}

static void on_idle(void *ctx)
{
    close_thread(ctx);
}

/* Keep the thread while a page is reloaded. Otherwise each reload would open another one, and with
 * a store that does not answer, all of them would wait. */
static void watch_ledger(struct console_tooling *t, bool on)
{
    if (!on && t->thread) {
        timer_start(&t->idle, t->console->o.loop, IDLE_MS, on_idle, t);
        return;
    }
    timer_stop(&t->idle);
    if (t->is_deaf)
        close_thread(t);
    if (on && !t->thread)
        open_thread(t);
}

void console_tooling_watch(struct console_tooling *t, bool on)
{
    on = on && !t->console->stopping;
    if (on == t->is_watching)
        return;
    t->is_watching = on;
    if (on) {
        t->has_seen = false; /* earlier changes are unknown, but new pages load the file anyway */
        if (t->path) {
            t->watch = watch_file_start(t->console->o.loop, t->path, on_file, t);
            read_file_soon(t);
        }
    } else {
        watch_file_stop(t->watch);
        t->watch = NULL;
    }
    watch_ledger(t, on);
}

void console_tooling_put_feed(const struct console_tooling *t, struct jsonw *w)
{
    jsonw_kint(w, "file", t->count.file);
    jsonw_kint(w, "rests", t->count.cooldowns);
    jsonw_kint(w, "agents", t->count.agents);
}

/* ---- life */

struct console_tooling *console_tooling_start(struct console *c)
{
    struct console_tooling *t = mem_zalloc(sizeof *t);
    struct buf path = {0};
    t->console = c;
    t->last = &t->first;
    if (c->o.tooling)
        t->path = str_dup(str_from(c->o.tooling));
    else if (tooling_file_own(&path, &t->path_error))
        t->path = str_dup(buf_str(&path));
    buf_done(&path);
    console_tooling_file_routes(t);
    console_tooling_ledger_routes(t);
    t->agents = console_tooling_agents_start(t);
    return t;
}

void console_tooling_stop(struct console_tooling *t)
{
    console_tooling_watch(t, false);
    close_thread(t);
    console_tooling_agents_stop(t->agents);
    while (t->first) {
        struct console_tooling_question *q = t->first;
        t->first = q->next;
        end_question(q, refuse_stopping);
    }
    t->last = &t->first;
}

bool console_tooling_is_quiet(const struct console_tooling *t)
{
    return !t->under_way && !t->threads && console_tooling_agents_is_quiet(t->agents);
}

void console_tooling_free(struct console_tooling *t)
{
    if (!t)
        return;
    assert(!t->first && !t->under_way && !t->threads);
    console_tooling_agents_free(t->agents);
    free(t->path);
    free(t);
}
