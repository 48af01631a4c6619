#include "bridge/link_local.h"

#include "base/mem.h"
#include "bridge_fixture.h"

/* Words, in the order in which they are heard; "x" closes, "d" drops. */
struct ear {
    struct world *w;
    struct link_local *link;
    const char *on_hello; /* what it does when it hears the first message */
    bool closed;
};

static void post(struct ear *e, const char *message)
{
    struct buf text = {0};
    put_real(e->w, &text, str_from(message));
    link_local_send(e->link, &text);
    assert_int_equal(text.n, 0);
    assert_null(text.p);
}

static void on_message(struct str text, void *ctx)
{
    struct ear *e = ctx;
    struct message m;
    assert_false(e->closed);
    message_read(&m, text, false, NULL);
    hear(e->w, "%.*s", STR_ARG(m.type_name));
    message_done(&m);
    if (e->on_hello && e->on_hello[0] == 'x')
        link_local_close(e->link);
    else if (e->on_hello)
        post(e, e->on_hello);
    e->on_hello = NULL;
}

static void on_closed(int code, struct str reason, void *ctx)
{
    struct ear *e = ctx;
    assert_false(e->closed);
    e->closed = true;
    hear(e->w, "closed %d %.*s", code, STR_ARG(reason));
}

#define HELLO "{'type':'hello','protocol_version':1,'editor_instance_id':'e','state':'ready'}"

static void set_up_ear(struct world *w, struct ear *e)
{
    set_up(w);
    *e = (struct ear){.w = w};
    e->link = link_local_open(w->b, on_message, on_closed, e);
    assert_non_null(e->link);
}

TEST(messages_arrive_in_order_and_never_from_inside_a_call)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    post(&e, HELLO);
    post(&e, "{'type':'odd'}");
    HEARD(&w, "");
    settle(&w);
    HEARD(&w, "hello\n"
              "capability\n"
              "error\n");
    tear_down(&w);
}

TEST(a_message_can_be_answered_in_its_callback)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    e.on_hello = "{'type':'odd'}";
    post(&e, HELLO);
    settle(&w);
    HEARD(&w, "hello\n"
              "capability\n"
              "error\n");
    tear_down(&w);
}

TEST(there_is_no_limit_to_a_message)
{
    struct world w;
    struct ear e;
    struct buf large = {0};
    set_up_ear(&w, &e);
    post(&e, HELLO);
    call(&w, "1", "read_console", "{}");
    buf_clear(&w.heard);
    buf_add(&large, STR("{'type':'result','request_id':'req-1','status':'ok','result':{'a':'"));
    for (size_t i = 0; i < 2 * w.limits.max_message_bytes; i++)
        buf_add_char(&large, 'x');
    buf_add(&large, STR("'}}"));
    post(&e, large.p);
    settle(&w);
    assert_true(w.heard.n > 2 * w.limits.max_message_bytes);
    buf_done(&large);
    tear_down(&w);
}

TEST(messages_sent_before_the_editor_closes_are_delivered)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    post(&e, HELLO);
    call(&w, "1", "read_console", "{}");
    buf_clear(&w.heard);
    post(&e, "{'type':'result','request_id':'req-1','status':'ok','result':{}}");
    link_local_close(e.link);
    link_local_close(e.link);
    post(&e, "{'type':'odd'}"); /* after it: nothing */
    HEARD(&w, "");
    settle(&w);
    HEARD(&w, "1 {}\n"
              "closed 1000 the editor ended\n");
    assert_true(bridge_is_quiet(w.b));
    tear_down(&w);
}

TEST(an_editor_that_closed_gets_only_the_end)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    e.on_hello = "x"; /* capability is on its way */
    post(&e, HELLO);
    settle(&w);
    HEARD(&w, "hello\n"
              "closed 1000 the editor ended\n");
    tear_down(&w);
}

TEST(messages_sent_before_the_bridge_closes_are_delivered)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    post(&e, "{'type':'odd'}");
    post(&e, HELLO); /* too late */
    settle(&w);
    HEARD(&w, "error\n"
              "closed 1008 the first message must be hello\n");
    tear_down(&w);
}

TEST(a_link_that_is_dropped_ends_at_once)
{
    struct world w;
    struct ear e;
    set_up_ear(&w, &e);
    struct link *l = (struct link *)(void *)e.link;
    post(&e, HELLO);
    l->impl->drop(l);
    settle(&w);
    HEARD(&w, "closed 1006 dropped\n");
    tear_down(&w);
}
