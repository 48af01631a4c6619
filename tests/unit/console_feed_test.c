/* The feed on the real bridge, with a virtual loop and a listener of the test, which decides how
 * much of a stream is unread. */
#include "bridge/activity.h"
#include "bridge_fixture.h"
#include "console/api_internal.h"
#include "fake_http.h"
#include "net/sse.h"

/* ---- the other parts */

static int tooling_watches, tasks_watches;
static int64_t tooling_file;
static int64_t tasks_last; /* -2: no page has asked for tasks */
static uint64_t goals_last;

void console_tooling_watch(struct console_tooling *t, bool on)
{
    (void)t;
    tooling_watches += on ? 1 : -1;
}

void console_tasks_watch(struct console_tasks *t, bool on)
{
    (void)t;
    tasks_watches += on ? 1 : -1;
}

void console_tooling_put_feed(const struct console_tooling *t, struct jsonw *w)
{
    (void)t;
    jsonw_kint(w, "file", tooling_file);
}

int64_t console_tasks_put_feed(const struct console_tasks *t, int64_t after, struct jsonw *w)
{
    (void)t;
    if (tasks_last == -2)
        return -2;
    jsonw_kint(w, "behind", after);
    jsonw_kint(w, "after", tasks_last);
    return tasks_last;
}

uint64_t console_tasks_goal_put_feed(const struct console_tasks *t, uint64_t seq,
                                     void (*each)(struct str json, void *ctx), void *ctx)
{
    char json[64];
    (void)t;
    for (uint64_t i = seq + 1; i <= goals_last; i++) {
        snprintf(json, sizeof json, "{\"id\":%llu}", (unsigned long long)i);
        each(str_from(json), ctx);
    }
    return goals_last;
}

/* ---- the fixture */

struct stage {
    struct world w;
    struct console c;
    struct buf events, run;
};

static void open_stage(struct stage *s)
{
    *s = (struct stage){0};
    fake_http_count = 0;
    tooling_watches = tasks_watches = 0;
    tooling_file = 7;
    tasks_last = -2;
    goals_last = 0;
    set_up(&s->w);
    s->c.o.loop = s->w.loop;
    s->c.o.bridge = s->w.b;
    s->c.o.project = "/p";
    s->c.feed = console_feed_start(&s->c);
    console_activity_start(&s->c);
}

static void close_stage(struct stage *s)
{
    console_feed_stop(s->c.feed);
    assert_int_equal(tooling_watches, 0);
    assert_int_equal(tasks_watches, 0);
    assert_int_equal(s->c.open, 0);
    console_feed_free(s->c.feed);
    api_done(&s->c);
    tear_down(&s->w);
    buf_done(&s->events);
    buf_done(&s->run);
}

static struct http_exchange *ask_feed(const char *method, const char *query)
{
    return fake_http_ask("/api/feed", &(struct http_request){.method = str_from(method),
                                                             .path = STR("/api/feed"),
                                                             .query = str_from(query)});
}

static struct http_exchange *open_feed(const char *query)
{
    return ask_feed("GET", query);
}

static void leave_feed(struct http_exchange *x)
{
    assert_non_null(x->on_gone);
    x->on_gone(x, x->ctx);
    fake_http_free(x);
}

static void add_event(struct stage *s, struct str name, struct str data)
{
    struct arena a = {0};
    const struct json *v = json_parse(&a, data, NULL, NULL);
    assert_true(json_is(v, JSON_OBJECT));
    buf_printf(&s->events, "%.*s", STR_ARG(name));
    if (str_eq(name, STR("activity"))) {
        if (json_bool(json_get(v, STR("reset"))))
            buf_add(&s->events, STR(" reset"));
        JSON_ITEMS (json_get(v, STR("entries")), e) {
            buf_add_char(&s->events, ' ');
            put_plain(&s->w, &s->events, json_str(json_get(e, STR("id"))));
            buf_printf(&s->events, "=%.*s", STR_ARG(json_str(json_get(e, STR("state")))));
        }
    } else if (str_eq(name, STR("hello"))) {
        buf_clear(&s->run);
        buf_add(&s->run, json_str(json_get(v, STR("run"))));
    } else if (str_eq(name, STR("editor"))) {
        const struct json *n = json_get(v, STR("scene_seq"));
        buf_printf(&s->events, " %.*s", STR_ARG(json_str(json_get(v, STR("editor_state")))));
        if (json_is(n, JSON_NUMBER))
            buf_printf(&s->events, " %.*s", STR_ARG(json_number_text(n)));
    } else if (!str_eq(name, STR("beat"))) {
        buf_add_char(&s->events, ' ');
        put_plain(&s->w, &s->events, data);
    }
    buf_add_char(&s->events, '\n');
    arena_done(&a);
}

/* What x has read_events since the last time, a line for each event. */
static const char *read_events(struct stage *s, struct http_exchange *x)
{
    struct str rest = buf_str(&x->sent);
    buf_clear(&s->events);
    while (rest.n) {
        size_t end = str_find(rest, STR("\n\n"));
        struct str event = str_head(rest, end), name;
        assert_true(end < rest.n && str_starts(event, STR("event: ")));
        event = str_skip(event, strlen("event: "));
        str_cut(&event, '\n', &name);
        assert_true(str_starts(event, STR("data: ")));
        add_event(s, name, str_skip(event, strlen("data: ")));
        rest = str_skip(rest, end + 2);
    }
    buf_clear(&x->sent);
    return s->events.n ? s->events.p : "";
}

#define HEARS(s, x, want) assert_string_equal(read_events((s), (x)), want)

#define FIRST                                                                                      \
    "hello\n"                                                                                      \
    "editor unknown\n"                                                                             \
    "activity reset\n"                                                                             \
    "tooling {'file':7}\n"

/* ---- events */

TEST(a_new_reader_gets_everything)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    HEARS(&s, x, FIRST);
    assert_int_equal(x->status, 200);
    assert_non_null(strstr(x->head.p, "Content-Type: text/event-stream\n"));
    assert_non_null(strstr(x->head.p, "Content-Security-Policy: default-src 'none';"));
    assert_non_null(strstr(x->head.p, "X-Content-Type-Options: nosniff\n"));
    assert_int_equal(s.run.n, ID_LEN);
    leave_feed(x);
    close_stage(&s);
}

TEST(changes_are_collected_and_sent_once_with_the_latest_state)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    call(&s.w, "1", "read_console", "{}");
    call(&s.w, "2", "read_console", "{}");
    cancel(&s.w, "2");
    loop_pass(s.w.loop, 49);
    HEARS(&s, x, "");
    loop_pass(s.w.loop, 1);
    HEARS(&s, x,
          "editor unknown\n"
          "activity req-1=waiting_editor_ready req-2=cancelled\n");
    loop_pass(s.w.loop, 1000);
    HEARS(&s, x, "");
    enter(&s.w.a, "ready");
    say_result(&s.w.a, "req-1", "{}");
    loop_pass(s.w.loop, 50);
    HEARS(&s, x,
          "editor ready\n"
          "activity req-1=succeeded\n");
    leave_feed(x);
    close_stage(&s);
}

TEST(a_heartbeat_of_the_editor_is_sent_only_with_a_new_number)
{
    struct stage s;
    open_stage(&s);
    enter(&s.w.a, "ready");
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    say_status(&s.w.a, 1, "ready");
    loop_pass(s.w.loop, 100);
    HEARS(&s, x, "");
    say(&s.w.a, "{'type':'editor_status','seq':2,'state':'ready','scene_seq':4}");
    loop_pass(s.w.loop, 100);
    HEARS(&s, x, "editor ready 4\n");
    say(&s.w.a, "{'type':'editor_status','seq':3,'state':'ready','scene_seq':4,'console_seq':1}");
    loop_pass(s.w.loop, 100);
    HEARS(&s, x, "editor ready 4\n");
    call(&s.w, "1", "get_editor_state", "{}"); /* it is activity, but does not change the editor */
    loop_pass(s.w.loop, 100);
    HEARS(&s, x, "activity req-1=succeeded\n");
    leave_feed(x);
    close_stage(&s);
}

TEST(the_other_parts_notify_the_feed)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    tooling_file = 8;
    for (int i = 0; i < 100; i++)
        console_feed_notify(s.c.feed, FEED_TOOLING);
    console_feed_notify(s.c.feed, FEED_TASKS); /* still without a reader of tasks */
    loop_pass(s.w.loop, 50);
    HEARS(&s, x, "tooling {'file':8}\n");
    tasks_last = 3;
    goals_last = 2;
    console_feed_notify(s.c.feed, FEED_TASKS);
    console_feed_notify(s.c.feed, FEED_GOAL);
    loop_pass(s.w.loop, 50);
    HEARS(&s, x,
          "tasks {'behind':-1,'after':3}\n"
          "goal {'id':1}\n"
          "goal {'id':2}\n");
    tasks_last = 9;
    goals_last = 3;
    console_feed_notify(s.c.feed, FEED_TASKS);
    console_feed_notify(s.c.feed, FEED_GOAL);
    loop_pass(s.w.loop, 50);
    HEARS(&s, x,
          "tasks {'behind':3,'after':9}\n"
          "goal {'id':3}\n");
    leave_feed(x);
    close_stage(&s);
}

TEST(without_other_events_a_beat_is_sent)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    loop_pass(s.w.loop, 1999);
    HEARS(&s, x, "");
    loop_pass(s.w.loop, 1);
    HEARS(&s, x, "beat\n");
    loop_pass(s.w.loop, 1500);
    console_feed_notify(s.c.feed, FEED_TOOLING);
    loop_pass(s.w.loop, 50);
    HEARS(&s, x, "tooling {'file':7}\n");
    loop_pass(s.w.loop, 1999);
    HEARS(&s, x, "");
    loop_pass(s.w.loop, 1);
    HEARS(&s, x, "beat\n");
    leave_feed(x);
    close_stage(&s);
}

/* ---- coming back */

static struct http_exchange *come_back(const char *run, const char *rest)
{
    char query[128];
    snprintf(query, sizeof query, "run=%s&%s", run, rest);
    return open_feed(query);
}

TEST(a_returning_reader_gets_what_it_missed)
{
    struct stage s;
    open_stage(&s);
    tasks_last = 5;
    call(&s.w, "1", "read_console", "{}"); /* changes 1 to 3 */
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    leave_feed(x);
    call(&s.w, "2", "read_console", "{}");
    char run[ID_LEN + 1];
    snprintf(run, sizeof run, "%s", s.run.p);
    x = come_back(run, "activity=3&tasks=4");
    HEARS(&s, x,
          "hello\n"
          "editor unknown\n"
          "activity req-2=waiting_editor_ready\n"
          "tooling {'file':7}\n"
          "tasks {'behind':4,'after':5}\n");
    assert_string_equal(s.run.p, run);
    leave_feed(x);
    x = come_back(run, "activity=6&tasks=5"); /* nothing is new, so nothing is sent */
    HEARS(&s, x,
          "hello\n"
          "editor unknown\n"
          "tooling {'file':7}\n"
          "tasks {'behind':5,'after':5}\n");
    leave_feed(x);
    x = come_back("another", "activity=6&tasks=5"); /* of another server */
    HEARS(&s, x,
          "hello\n"
          "editor unknown\n"
          "activity reset req-1=waiting_editor_ready req-2=waiting_editor_ready\n"
          "tooling {'file':7}\n"
          "tasks {'behind':-1,'after':5}\n");
    leave_feed(x);
    x = come_back(run, "activity=1000000"); /* a number that was never sent */
    assert_non_null(strstr(read_events(&s, x), "activity reset req-1=waiting"));
    leave_feed(x);
    close_stage(&s);
}

TEST(a_reader_that_missed_too_much_starts_again)
{
    struct stage s;
    open_stage(&s);
    call(&s.w, "1", "get_editor_state", "{}"); /* changes 1 and 2 */
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    for (unsigned i = 0; i < ACTIVITY_KEEP + 1; i++)
        call(&s.w, "1", "get_editor_state", "{}");
    char run[ID_LEN + 1];
    snprintf(run, sizeof run, "%s", s.run.p);
    struct http_exchange *y = come_back(run, "activity=1");
    assert_non_null(strstr(read_events(&s, y), "activity reset req-"));
    leave_feed(y);
    leave_feed(x);
    close_stage(&s);
}

TEST(invalid_positions_are_refused)
{
    static const char *const wrong[] = {"activity=-1", "activity=x", "tasks=-2",
                                        "tasks=1.5",   "run=%ff",    "activity="};
    struct stage s;
    open_stage(&s);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct http_exchange *x = open_feed(wrong[i]);
        assert_int_equal(x->status, 400);
        assert_false(x->begun);
        fake_http_free(x);
    }
    assert_int_equal(tooling_watches, 0);
    close_stage(&s);
}

/* ---- many and slow ones */

TEST(each_reader_gets_its_own_events)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    call(&s.w, "1", "read_console", "{}");
    loop_pass(s.w.loop, 10);
    struct http_exchange *y = open_feed("");
    HEARS(&s, y,
          "hello\n"
          "editor unknown\n"
          "activity reset req-1=waiting_editor_ready\n"
          "tooling {'file':7}\n");
    loop_pass(s.w.loop, 40);
    HEARS(&s, x,
          "editor unknown\n"
          "activity req-1=waiting_editor_ready\n");
    HEARS(&s, y, "");
    leave_feed(x);
    cancel(&s.w, "1");
    loop_pass(s.w.loop, 50);
    HEARS(&s, y,
          "editor unknown\n"
          "activity req-1=cancelled\n");
    leave_feed(y);
    close_stage(&s);
}

TEST(a_slow_reader_gets_only_the_latest_state)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed(""), *y = open_feed("");
    read_events(&s, x), read_events(&s, y);
    x->queued = STREAM_LOW_WATER + 1;
    for (int i = 0; i < 100; i++) {
        call(&s.w, "1", "read_console", "{}");
        cancel(&s.w, "1");
        tooling_file = 100 + i;
        console_feed_notify(s.c.feed, FEED_TOOLING);
        loop_pass(s.w.loop, 100);
    }
    HEARS(&s, x, "");
    assert_true(strlen(read_events(&s, y)) > 2000); /* the other reader is not delayed */
    x->queued = 0;
    x->on_drain(x, x->ctx);
    const char *got = read_events(&s, x);
    assert_non_null(strstr(got, "activity req-1=cancelled req-2=cancelled "));
    assert_null(strstr(strstr(got, "activity") + 1, "activity"));
    assert_non_null(strstr(got, "tooling {'file':199}\n"));
    assert_null(strstr(got, "198"));
    leave_feed(x);
    leave_feed(y);
    close_stage(&s);
}

TEST(a_slow_reader_that_missed_something_starts_again)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    x->queued = STREAM_LOW_WATER + 1;
    call(&s.w, "1", "read_console", "{'timeout_ms':1000}");
    for (unsigned i = 0; i < ACTIVITY_KEEP + 1; i++)
        call(&s.w, "2", "get_editor_state", "{}");
    loop_pass(s.w.loop, 50);
    HEARS(&s, x, "");
    x->queued = 0;
    x->on_drain(x, x->ctx);
    assert_non_null(strstr(read_events(&s, x), "activity reset req-1=waiting_editor_ready req-"));
    leave_feed(x);
    close_stage(&s);
}

TEST(a_slow_reader_gets_no_beat)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed("");
    read_events(&s, x);
    x->queued = STREAM_LOW_WATER + 1;
    loop_pass(s.w.loop, 60000);
    HEARS(&s, x, "");
    leave_feed(x);
    close_stage(&s);
}

TEST(the_number_of_readers_is_limited)
{
    enum {
        MOST = 32
    };
    struct stage s;
    struct http_exchange *all[MOST], *one;
    open_stage(&s);
    for (int i = 0; i < MOST; i++)
        all[i] = open_feed("");
    one = open_feed("");
    assert_int_equal(one->status, 503);
    fake_http_free(one);
    leave_feed(all[0]);
    one = open_feed("");
    HEARS(&s, one, FIRST);
    leave_feed(one);
    for (int i = 1; i < MOST; i++)
        leave_feed(all[i]);
    close_stage(&s);
}

/* ---- no reader */

TEST(nothing_is_watched_without_a_reader)
{
    struct stage s;
    open_stage(&s);
    assert_int_equal(tooling_watches + tasks_watches, 0);
    assert_null(s.w.b->on_change);
    console_feed_notify(s.c.feed, FEED_TOOLING); /* no reader is there */
    struct http_exchange *x = open_feed(""), *y = open_feed("");
    assert_int_equal(tooling_watches, 1);
    assert_int_equal(tasks_watches, 1);
    call(&s.w, "1", "read_console", "{}");
    leave_feed(x);
    assert_int_equal(tooling_watches, 1);
    leave_feed(y);
    assert_int_equal(tooling_watches, 0);
    assert_int_equal(tasks_watches, 0);
    assert_null(s.w.b->on_change);
    assert_false(timer_is_running(&s.w.b->change));
    loop_pass(s.w.loop, 10000);
    x = open_feed(""); /* a second one */
    read_events(&s, x);
    cancel(&s.w, "1");
    loop_pass(s.w.loop, 50);
    HEARS(&s, x, "editor unknown\nactivity req-1=cancelled\n");
    leave_feed(x);
    close_stage(&s);
}

TEST(a_head_request_opens_no_stream)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = ask_feed("HEAD", "");
    assert_int_equal(x->status, 200);
    assert_true(x->ended);
    assert_int_equal(tooling_watches, 0);
    fake_http_free(x);
    close_stage(&s);
}

TEST(streams_end_with_the_console)
{
    struct stage s;
    open_stage(&s);
    struct http_exchange *x = open_feed(""), *y = open_feed("");
    console_feed_stop(s.c.feed);
    assert_true(x->ended && y->ended);
    assert_int_equal(tooling_watches, 0);
    fake_http_free(x);
    fake_http_free(y);
    close_stage(&s);
}

/* ---- cancel */

static struct http_exchange *post_cancel(struct stage *s, const char *body)
{
    static const struct http_field fields[] = {
        {STR_INIT("Origin"), STR_INIT("http://localhost:1")},
        {STR_INIT("Content-Type"), STR_INIT("application/json")},
    };
    struct http_request r = {.method = STR("POST"), .fields = fields, .field_count = 2};
    put_real(&s->w, &r.body, str_from(body));
    struct http_exchange *x = fake_http_ask("/api/activity/cancel", &r);
    buf_clear(&s->events);
    put_plain(&s->w, &s->events, buf_str(&x->sent));
    return x;
}

static void check_cancel(struct stage *s, const char *body, int status, const char *want)
{
    struct http_exchange *x = post_cancel(s, body);
    assert_int_equal(x->status, status);
    if (!strstr(s->events.p, want))
        fail_msg("%s", s->events.p);
    fake_http_free(x);
}

TEST(a_call_is_cancelled_for_its_client)
{
    struct stage s;
    open_stage(&s);
    call(&s.w, "1", "read_console", "{}");
    buf_clear(&s.w.heard);
    check_cancel(&s, "{'id':'req-1'}", 200, "{'id':'req-1','status':'cancelled'}");
    HEARD(&s.w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    check_cancel(&s, "{'id':'req-1'}", 200, "{'id':'req-1','status':'rejected'}");
    check_cancel(&s, "{'id':'req-2'}", 400, "ERR_INVALID_PARAMS");
    check_cancel(&s, "{'id':'job-2'}", 404, "ERR_JOB_NOT_FOUND");
    check_cancel(&s, "{}", 400, "id must be text, not missing");
    check_cancel(&s, "{'id':7}", 400, "ERR_INVALID_PARAMS");
    call(&s.w, "2", "get_editor_state", "{}");
    check_cancel(&s, "{'id':'req-2'}", 409, "ERR_CANCEL_NOT_SUPPORTED");
    close_stage(&s);
}
