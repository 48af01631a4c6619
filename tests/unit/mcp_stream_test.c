/* Streamable HTTP over real sockets: which events are kept for a disconnected client, how long. */
#include "mcp/mcp_stream.h"

#include "mcp/mcp_http.h"
#include "mcp_fixture.h"
#include "wire.h"

struct http_fixture {
    struct fixture f;
    struct http_server *http;
    struct mcp_http *endpoint;
    struct buf text, ask;
    char id[ID_LEN + 1]; /* of the session */
};

static void set_up_http(struct http_fixture *h)
{
    const struct http_server_options options = {.error_body = mcp_http_error_body};
    *h = (struct http_fixture){0};
    set_up(&h->f);
    h->http = http_server_new(h->f.loop, &options);
    h->endpoint = mcp_http_start(h->f.mcp, h->http, "/mcp");
    assert_true(http_server_listen(h->http, 0, NULL));
}

static void tear_down_http(struct http_fixture *h)
{
    mcp_stop(h->f.mcp);
    http_server_free(h->http);
    mcp_http_free(h->endpoint);
    buf_done(&h->text);
    buf_done(&h->ask);
    tear_down(&h->f);
}

/* A request with these header lines; the body with ' for ". */
static void send_request(struct http_fixture *h, struct wire *w, const char *method,
                         const char *lines, const char *body)
{
    struct buf text = {0};
    swap_quotes(&text, str_from(body));
    buf_clear(&h->ask);
    buf_printf(&h->ask, "%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s", method,
               http_server_port(h->http), lines);
    if (h->id[0])
        buf_printf(&h->ask, "Mcp-Session-Id: %s\r\n", h->id);
    if (text.n)
        buf_printf(&h->ask, "Content-Type: application/json\r\nContent-Length: %zu\r\n", text.n);
    buf_printf(&h->ask, "\r\n%s", text.p ? text.p : "");
    wire_send(w, buf_str(&h->ask));
    buf_done(&text);
}

#define ANY "Accept: application/json, text/event-stream\r\n"

static void post(struct http_fixture *h, struct wire *w, const char *body)
{
    send_request(h, w, "POST", ANY, body);
}

/* One exchange on a connection of its own; h->text has the answer. */
static void once(struct http_fixture *h, const char *method, const char *lines, const char *body)
{
    struct wire w;
    wire_open(&w, h->f.loop, http_server_port(h->http));
    send_request(h, &w, method, lines, body);
    wire_answer(&w, &h->text);
    wire_close(&w);
}

static bool has(const struct http_fixture *h, const char *text)
{
    return str_find(buf_str(&h->text), str_from(text)) < h->text.n;
}

#define CHECK_HAS(h, what)                                                                         \
    do {                                                                                           \
        if (!has(h, what))                                                                         \
            fail_msg("no %s in: %.*s", what, STR_ARG(buf_str(&(h)->text)));                        \
    } while (0)

static struct mcp_session *open_http_session(struct http_fixture *h)
{
    h->id[0] = 0;
    once(h, "POST", ANY,
         "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
         "'capabilities':{'elicitation':{}}}}");
    struct str mark = STR("\r\nMcp-Session-Id: "), all = buf_str(&h->text);
    size_t at = str_find(all, mark);
    assert_true(at + ID_LEN < all.n);
    memcpy(h->id, all.p + at + mark.n, ID_LEN);
    struct mcp_session *s = mcp_session_find(h->f.mcp, str_from(h->id));
    assert_non_null(s);
    return s;
}

#define CALL(id, tool)                                                                             \
    "{'jsonrpc':'2.0','id':" id ",'method':'tools/call','params':{'name':'" tool                   \
    "','_meta':{'progressToken':0}}}"

/* Start a held call, send one event on its stream, and drop its connection. */
static struct mcp_call *leave_call(struct http_fixture *h, const char *id)
{
    struct wire w;
    struct buf body = {0};
    size_t before = h->f.held_count;
    buf_printf(&body, CALL("%s", "hold"), id);
    wire_open(&w, h->f.loop, http_server_port(h->http));
    post(h, &w, body.p);
    WIRE_UNTIL(h->f.loop, h->f.held_count > before);
    mcp_call_progress(h->f.held[before], 1, 0, NULL);
    WIRE_UNTIL(h->f.loop, wire_has(&w, "'progress':1") || wire_has(&w, "\"progress\":1"));
    struct mcp_stream *s = LIST_ITEM(h->f.held[before]->sink, struct mcp_stream, sink);
    wire_close(&w);
    WIRE_UNTIL(h->f.loop, !s->x);
    buf_done(&body);
    return h->f.held[before];
}

TEST(quick_answers_are_json_and_slow_answers_are_streams)
{
    struct http_fixture h;
    set_up_http(&h);
    open_http_session(&h);
    once(&h, "POST", ANY, CALL("1", "echo"));
    CHECK_HAS(&h, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n");
    CHECK_HAS(&h, "\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":"
                  "\"text\",\"text\":\"\"}]}}");

    struct wire w;
    wire_open(&w, h.f.loop, http_server_port(h.http));
    post(&h, &w, CALL("2", "hold"));
    WIRE_UNTIL(h.f.loop, h.f.held_count == 1);
    mcp_call_progress(h.f.held[0], 1, 0, NULL);
    mcp_reply_text(h.f.held[0], STR("x"));
    wire_answer(&w, &h.text);
    CHECK_HAS(&h, "Content-Type: text/event-stream\r\n");
    CHECK_HAS(&h, "id: 3-0\ndata: \n\n");
    CHECK_HAS(&h, "id: 3-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"");
    CHECK_HAS(&h, "id: 3-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":");
    /* The connection serves the next request. */
    post(&h, &w, CALL("3", "echo"));
    wire_answer(&w, &h.text);
    CHECK_HAS(&h, "HTTP/1.1 200 OK");
    wire_close(&w);
    tear_down_http(&h);
}

TEST(a_client_that_reconnects_gets_the_missed_events)
{
    struct http_fixture h;
    set_up_http(&h);
    struct mcp_session *s = open_http_session(&h);
    struct mcp_call *call = leave_call(&h, "1");
    assert_false(mcp_call_is_cancelled(call));
    mcp_call_log(call, MCP_LOG_ERROR, NULL, STR("missed"));

    struct wire w;
    wire_open(&w, h.f.loop, http_server_port(h.http));
    send_request(&h, &w, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    WIRE_UNTIL(h.f.loop, wire_has(&w, "missed"));
    assert_false(wire_has(&w, "progress")); /* it has received that */
    mcp_call_log(call, MCP_LOG_ERROR, NULL, STR("live"));
    mcp_reply_text(call, STR("the end"));
    wire_answer(&w, &h.text);
    CHECK_HAS(&h, "id: 2-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"");
    CHECK_HAS(&h, "id: 2-3\n");
    CHECK_HAS(&h, "id: 2-4\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":");

    /* Again: the last bytes may have been lost. */
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-3\r\n", "");
    assert_false(has(&h, "live"));
    CHECK_HAS(&h, "the end");
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-0\r\n", "");
    CHECK_HAS(&h, "\"progress\":1");
    CHECK_HAS(&h, "the end");
    wire_close(&w);
    assert_int_equal(s->open_streams, 0);
    tear_down_http(&h);
}

TEST(an_answer_waits_for_its_client)
{
    struct http_fixture h;
    set_up_http(&h);
    open_http_session(&h);
    struct mcp_call *call = leave_call(&h, "1");
    mcp_reply_text(call, STR("while you were out"));
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    CHECK_HAS(&h, "while you were out");
    tear_down_http(&h);
}

TEST(a_stream_without_an_event_cannot_be_resumed)
{
    struct http_fixture h;
    struct wire w;
    set_up_http(&h);
    struct mcp_session *s = open_http_session(&h);
    wire_open(&w, h.f.loop, http_server_port(h.http));
    post(&h, &w, CALL("1", "hold"));
    WIRE_UNTIL(h.f.loop, h.f.held_count == 1);
    s->last_used -= MCP_SESSION_IDLE_MS; /* the call took an hour */
    wire_close(&w);
    WIRE_UNTIL(h.f.loop, !s->open_streams);
    assert_true(list_is_empty(&s->streams));
    mcp_session_expire(h.f.mcp);
    assert_int_equal(mcp_open_sessions(h.f.mcp), 1);  /* it was in use until now */
    assert_false(mcp_call_is_cancelled(h.f.held[0])); /* a legacy call works on */
    mcp_reply_text(h.f.held[0], STR("unread"));
    tear_down_http(&h);
}

TEST(a_modern_call_is_cancelled_when_its_client_disconnects)
{
    struct http_fixture h;
    struct wire w;
    set_up_http(&h);
    for (int streams = 0; streams < 2; streams++) {
        wire_open(&w, h.f.loop, http_server_port(h.http));
        send_request(
            &h, &w, "POST",
            ANY "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
                "Mcp-Name: hold\r\n",
            "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold'," MODERN(
                "{}") "}}");
        WIRE_UNTIL(h.f.loop, h.f.held_count == (size_t)streams + 1);
        if (streams)
            mcp_stream_begin(LIST_ITEM(h.f.held[1]->sink, struct mcp_stream, sink));
        wire_close(&w);
        WIRE_UNTIL(h.f.loop, h.f.cancelled == (size_t)streams + 1);
        mcp_reply_text(h.f.held[streams], STR("late"));
    }
    assert_int_equal(mcp_open_calls(h.f.mcp), 0);
    tear_down_http(&h);
}

/* ---- bounds */

TEST(the_events_kept_by_a_session_are_limited)
{
    struct http_fixture h;
    static char part[10000];
    struct mcp_call *calls[3];
    set_up_http(&h);
    memset(part, 'x', sizeof part);
    struct mcp_session *s = open_http_session(&h);
    for (int i = 0; i < 3; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i + 1);
        calls[i] = leave_call(&h, id);
    }
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < 3; i++) {
            mcp_call_log(calls[i], MCP_LOG_ERROR, NULL, str_make(part, sizeof part));
            assert_in_range(s->kept_bytes, 1, MCP_HTTP_REPLAY_MAX);
        }
    /* The newest are kept: the answers are among them. */
    for (int i = 0; i < 3; i++)
        mcp_reply_text(calls[i], STR("the end"));
    assert_in_range(s->kept_bytes, MCP_HTTP_REPLAY_MAX / 2, MCP_HTTP_REPLAY_MAX);
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    CHECK_HAS(&h, "the end");
    tear_down_http(&h);
}

/* A hundred sessions that each keep all they may. */
TEST(the_events_kept_by_all_sessions_are_limited)
{
    struct http_fixture h;
    static char part[500000];
    struct mcp_session *first = NULL, *s = NULL;
    set_up_http(&h);
    memset(part, 'x', sizeof part);
    for (int i = 0; i < 100; i++) {
        s = open_http_session(&h);
        first = first ? first : s;
        struct mcp_call *call = leave_call(&h, "1");
        mcp_call_log(call, MCP_LOG_ERROR, NULL, str_make(part, sizeof part));
        mcp_call_log(call, MCP_LOG_ERROR, NULL, str_make(part, sizeof part));
        assert_in_range(h.f.mcp->kept_bytes, 1, MCP_MAX_KEPT);
    }
    assert_int_equal(first->kept_bytes, 0); /* the longest unused */
    assert_in_range(s->kept_bytes, sizeof part * 2, MCP_HTTP_REPLAY_MAX);
    mcp_stop(h.f.mcp);
    assert_int_equal(h.f.mcp->kept_bytes, 0);
    tear_down_http(&h);
}

TEST(the_number_of_small_events_is_limited)
{
    struct http_fixture h;
    set_up_http(&h);
    struct mcp_session *s = open_http_session(&h);
    struct mcp_call *call = leave_call(&h, "1");
    struct mcp_stream *stream = LIST_ITEM(call->sink, struct mcp_stream, sink);
    for (int i = 0; i < 100000; i++)
        mcp_stream_send(stream, STR("{}"), false);
    assert_in_range(s->kept_bytes, 1, MCP_HTTP_REPLAY_MAX);
    assert_in_range(list_count(&stream->kept), 1, MCP_HTTP_REPLAY_MAX / 32);
    mcp_reply_text(call, STR("x"));
    tear_down_http(&h);
}

TEST(an_answer_too_large_to_keep_is_dropped)
{
    struct http_fixture h;
    static char large[MCP_HTTP_REPLAY_MAX];
    set_up_http(&h);
    memset(large, 'x', sizeof large);
    struct mcp_session *s = open_http_session(&h);
    struct mcp_call *call = leave_call(&h, "1");
    mcp_reply_text(call, str_make(large, sizeof large));
    assert_int_equal(s->kept_bytes, 0);
    assert_true(list_is_empty(&s->streams));
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 410 Gone\r\n"); /* 404 would say that the session has ended */
    CHECK_HAS(&h,
              "\"message\":\"The events after Last-Event-ID are no longer kept: leave it out\"");
    tear_down_http(&h);
}

/* A large object is sent in parts: as JSON, as the last event, and to a client that reconnects. */
TEST(a_large_object_arrives_whole)
{
    struct http_fixture h;
    struct buf object = {0}, want = {0};
    struct wire w;
    set_up_http(&h);
    buf_add(&object, STR("[0"));
    while (object.n < 400000)
        buf_printf(&object, ",%zu", object.n);
    buf_add_char(&object, ']');
    buf_printf(&want, "\"text\":\"%s\"}],\"structuredContent\":%s}}", object.p, object.p);
    open_http_session(&h);
    wire_open(&w, h.f.loop, http_server_port(h.http));
    for (size_t events = 0; events < 2; events++) {
        post(&h, &w, CALL("1", "hold"));
        WIRE_UNTIL(h.f.loop, h.f.held_count == events + 1);
        if (events)
            mcp_call_progress(h.f.held[events], 1, 0, NULL);
        mcp_reply_json(h.f.held[events], buf_str(&object), false);
        wire_answer(&w, &h.text);
        CHECK_HAS(&h, want.p);
        CHECK_HAS(&h, events ? "\nid: 3-2\ndata: {\"jsonrpc\"" : "\r\n\r\n{\"jsonrpc\"");
    }
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 3-1\r\n", "");
    CHECK_HAS(&h, want.p);
    wire_close(&w);
    buf_done(&object);
    buf_done(&want);
    tear_down_http(&h);
}

TEST(eight_ended_streams_are_kept)
{
    struct http_fixture h;
    set_up_http(&h);
    struct mcp_session *s = open_http_session(&h);
    for (int i = 0; i < 20; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i + 1);
        mcp_reply_text(leave_call(&h, id), STR("x"));
    }
    assert_int_equal(list_count(&s->streams), 8);
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 410 Gone\r\n");
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 21-1\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 200 OK\r\n");
    tear_down_http(&h);
}

/* ---- the stream of notices */

TEST(notices_are_kept_for_a_client_that_reconnects)
{
    struct http_fixture h;
    struct wire w;
    set_up_http(&h);
    struct mcp_session *s = open_http_session(&h);
    set_tools(h.f.mcp); /* no client listens */
    wire_open(&w, h.f.loop, http_server_port(h.http));
    send_request(&h, &w, "GET", "Accept: text/event-stream\r\n", "");
    WIRE_UNTIL(h.f.loop, wire_has(&w, "id: 2-0\ndata: \n\n"));
    set_tools(h.f.mcp);
    WIRE_UNTIL(h.f.loop, wire_has(&w, "id: 2-1\ndata: "));

    once(&h, "GET", "Accept: text/event-stream\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 409 Conflict\r\n");
    once(&h, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-0\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 409 Conflict\r\n");
    wire_close(&w);
    WIRE_UNTIL(h.f.loop, !s->open_streams);

    mcp_set_prompts(h.f.mcp, NULL, 0);
    wire_open(&w, h.f.loop, http_server_port(h.http));
    send_request(&h, &w, "GET", "Accept: text/event-stream\r\nLast-Event-ID: 2-1\r\n", "");
    WIRE_UNTIL(h.f.loop, wire_has(&w, "id: 2-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
                                      "\"notifications/prompts/list_changed\"}\n\n"));
    assert_false(wire_has(&w, "tools/list_changed"));
    wire_close(&w);
    WIRE_UNTIL(h.f.loop, !s->open_streams);

    /* A new stream without Last-Event-ID gets later notices only and replaces the old one. */
    wire_open(&w, h.f.loop, http_server_port(h.http));
    send_request(&h, &w, "GET", "Accept: text/event-stream\r\n", "");
    WIRE_UNTIL(h.f.loop, wire_has(&w, "-0\ndata: \n\n"));
    assert_false(wire_has(&w, "list_changed"));
    assert_int_equal(list_count(&s->streams), 1);
    assert_int_equal(s->kept_bytes, 0);

    once(&h, "DELETE", "", "");
    CHECK_HAS(&h, "HTTP/1.1 204 No Content\r\n");
    WIRE_UNTIL(h.f.loop, wire_has(&w, "\r\n0\r\n\r\n")); /* the stream ends with the session */
    wire_close(&w);
    once(&h, "GET", "Accept: text/event-stream\r\n", "");
    CHECK_HAS(&h, "HTTP/1.1 404 Not Found\r\n");
    tear_down_http(&h);
}

/* ---- streams that the server closes */

TEST(the_server_may_close_the_stream_of_a_call)
{
    struct http_fixture h;
    struct wire w;
    set_up_http(&h);
    open_http_session(&h);
    for (int i = 0; i < 2; i++) { /* before any event, and after one */
        wire_open(&w, h.f.loop, http_server_port(h.http));
        post(&h, &w, CALL("1", "hold"));
        WIRE_UNTIL(h.f.loop, h.f.held_count == (size_t)i + 1);
        struct mcp_call *call = h.f.held[i];
        if (i == 1)
            mcp_call_progress(call, 1, 0, NULL);
        mcp_call_close_stream(call, 300);
        mcp_call_close_stream(call, 300);
        wire_answer(&w, &h.text);
        CHECK_HAS(&h, i ? "id: 4-2\nretry: 300\ndata: \n\n" : "id: 2-0\nretry: 300\ndata: \n\n");
        wire_close(&w);
        mcp_reply_text(call, STR("fetched"));
        once(&h, "GET",
             i ? "Accept: */*\r\nLast-Event-ID: 4-2\r\n" : "Accept: */*\r\nLast-Event-ID: 2-0\r\n",
             "");
        CHECK_HAS(&h, "fetched");
        assert_false(has(&h, "progress"));
        h.id[0] = 0;
        open_http_session(&h);
        once(&h, "POST", ANY, CALL("1", "echo")); /* streams 1 to 3 of the new session */
        once(&h, "POST", ANY, CALL("1", "echo"));
    }
    /* Modern calls have nothing to come back with: nothing happens. */
    h.id[0] = 0;
    wire_open(&w, h.f.loop, http_server_port(h.http));
    send_request(
        &h, &w, "POST",
        ANY "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hold\r\n",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold'," MODERN("{}") "}}");
    WIRE_UNTIL(h.f.loop, h.f.held_count == 3);
    mcp_call_close_stream(h.f.held[2], 300);
    mcp_reply_text(h.f.held[2], STR("at once"));
    wire_answer(&w, &h.text);
    CHECK_HAS(&h, "Content-Type: application/json\r\n");
    CHECK_HAS(&h, "at once");
    wire_close(&w);
    tear_down_http(&h);
}

TEST(a_stopping_server_answers_with_503)
{
    struct http_fixture h;
    struct wire w;
    set_up_http(&h);
    open_http_session(&h);
    wire_open(&w, h.f.loop, http_server_port(h.http));
    post(&h, &w, CALL("1", "hold"));
    WIRE_UNTIL(h.f.loop, h.f.held_count == 1);
    mcp_stop(h.f.mcp);
    wire_answer(&w, &h.text);
    CHECK_HAS(&h, "HTTP/1.1 503 Service Unavailable\r\n");
    CHECK_HAS(&h, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"The "
                  "server is stopping\"}}");
    wire_close(&w);
    once(&h, "POST", ANY, CALL("2", "echo"));
    CHECK_HAS(&h, "HTTP/1.1 503 Service Unavailable\r\n");
    CHECK_HAS(&h, "\"code\":-32603,\"message\":\"The server is stopping\"");
    tear_down_http(&h);
}

/* ---- refusals */

static void check_refused(struct http_fixture *h, const char *method, const char *lines,
                          const char *status, const char *message)
{
    struct buf want = {0};
    once(h, method, lines, str_eq(str_from(method), STR("POST")) ? CALL("1", "echo") : "");
    CHECK_HAS(h, status);
    buf_printf(&want,
               "\r\n\r\n{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"%s\"}}",
               message);
    CHECK_HAS(h, want.p);
    buf_done(&want);
}

TEST(duplicate_and_invalid_headers_are_refused)
{
    struct http_fixture h;
    set_up_http(&h);
    open_http_session(&h);
    check_refused(&h, "POST", ANY "Mcp-Session-Id: x\r\n", " 400 ",
                  "Duplicate header: Mcp-Session-Id");
    check_refused(&h, "POST", ANY "Content-Type: text/plain\r\n", " 400 ",
                  "Duplicate header: Content-Type");
    check_refused(&h, "POST",
                  ANY "MCP-Protocol-Version: 2025-11-25\r\nMCP-Protocol-Version: 2025-06-18\r\n",
                  " 400 ", "Duplicate header: MCP-Protocol-Version");
    check_refused(&h, "GET", ANY "Last-Event-ID: 1-1\r\nLast-Event-ID: 1-1\r\n", " 400 ",
                  "Duplicate header: Last-Event-ID");
    check_refused(&h, "POST", "", " 406 ",
                  "Accept must allow application/json and text/event-stream");
    check_refused(&h, "POST", "Accept: application/json\r\n", " 406 ",
                  "Accept must allow application/json and text/event-stream");
    check_refused(&h, "GET", "Accept: application/json\r\n", " 406 ",
                  "Accept must allow text/event-stream");
    static const char *const ids[] = {"x",
                                      "1",
                                      "-",
                                      "1-",
                                      "-1",
                                      "1-x",
                                      "1-1-1",
                                      "+1-1",
                                      "1 -1",
                                      "4294967296-1",
                                      "1-99999999999999999999"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char lines[100];
        snprintf(lines, sizeof lines, "Accept: */*\r\nLast-Event-ID: %s\r\n", ids[i]);
        check_refused(&h, "GET", lines, " 400 ",
                      "Last-Event-ID is not from this server: leave it out");
    }
    check_refused(&h, "GET", "Accept: */*\r\nLast-Event-ID: 77-1\r\n", " 410 ",
                  "The events after Last-Event-ID are no longer kept: leave it out");
    tear_down_http(&h);
}

TEST(accept_may_have_several_lines)
{
    static const char *const good[] = {
        "Accept: application/json\r\nAccept: text/event-stream\r\n",
        "Accept: TEXT/Event-Stream;q=0.5 , Application/JSON\r\n",
        "Accept: */*\r\n",
        "Accept: text/*, application/*\r\n",
    };
    struct http_fixture h;
    set_up_http(&h);
    open_http_session(&h);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        once(&h, "POST", good[i], CALL("1", "echo"));
        CHECK_HAS(&h, "HTTP/1.1 200 OK\r\n");
    }
    tear_down_http(&h);
}
