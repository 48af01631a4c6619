/* Too many, too large, too slow, disconnected in the middle. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/id.h"
#include "garbage.h"

#define PING              ASK("1", "ping", "{}")
#define MAX_BODY          (4u << 20)
#define WAIT              ASK("1", "tools/call", "{'name':'test_wait'}")
#define MODERN_CALL(tool) MODERN("tools/call", "Mcp-Name: " tool "\r\n")

static void open_peer(struct raw_peer *p)
{
    if (!peer_open(p, server.port))
        exit(1);
}

static void send_text(struct raw_peer *p, const char *head, const char *body)
{
    struct buf text = {0}, all = {0};
    quotes(&text, body);
    expand_head(&all, head, buf_str(&text));
    peer_send(p, buf_str(&all));
    buf_done(&text);
    buf_done(&all);
}

/* ---- size */

static void add_blanks(struct buf *b, size_t n)
{
    char *to = buf_room(b, n);
    memset(to, ' ', n);
    b->n += n;
}

/* Send a body of exactly this size: a valid message and blanks. */
static bool send_sized(struct raw_answer *a, size_t n, bool blind)
{
    struct raw_peer p;
    struct buf text = {0}, all = {0};
    quotes(&text, PING);
    add_blanks(&text, n - text.n);
    expand_head(&all, LEGACY, buf_str(&text));
    open_peer(&p);
    p.blind = blind;
    bool taken = peer_send(&p, buf_str(&all));
    peer_read(&p, a);
    peer_close(&p);
    buf_done(&text);
    buf_done(&all);
    return taken;
}

/* Many clients read a response only after the whole request is sent: they must get that far. */
static void large_bodies(void)
{
    static const char longer[] = "The body is longer than 4194304 bytes";
    struct raw_answer a = {0};
    send_sized(&a, MAX_BODY, true);
    judge_answer("a body of 4 MiB", &a, 200, 0, "\"result\":{}");
    for (int blind = 0; blind < 2; blind++) {
        judge_true("4 MiB and a byte are accepted", send_sized(&a, MAX_BODY + 1, blind));
        judge_answer("4 MiB and a byte", &a, 413, -32600, longer);
        judge_true("12 MiB are accepted", send_sized(&a, 3 * MAX_BODY, blind));
        judge_answer("12 MiB", &a, 413, -32600, longer);
    }
    send_sized(&a, 16 * MAX_BODY, false); /* there is a limit */
    judge_answer("64 MiB", &a, 413, -32600, longer);
    answer_done(&a);
}

static void large_chunks(void)
{
    struct raw_answer a = {0};
    struct raw_peer p;
    struct buf head = {0}, chunk = {0};
    open_peer(&p);
    expand_head(&head, POST JSON ACCEPT IN "Transfer-Encoding: chunked\r\n\r\n", (struct str){0});
    peer_send(&p, buf_str(&head));
    buf_add(&chunk, STR("10000\r\n"));
    add_blanks(&chunk, 65536);
    buf_add(&chunk, STR("\r\n"));
    for (int i = 0; i < 66 && peer_send(&p, buf_str(&chunk)); i++)
        ;
    peer_read(&p, &a);
    judge_answer("chunks of more than 4 MiB", &a, 413, -32600,
                 "The body is longer than 4194304 bytes");
    peer_close(&p);
    buf_done(&head);
    buf_done(&chunk);
    answer_done(&a);
}

/* ---- noise */

static void random_bytes(void)
{
    char bytes[2000];
    struct raw_answer a = {0};
    struct raw_peer p;
    id_bytes(bytes, sizeof bytes);
    open_peer(&p);
    peer_send(&p, str_make(bytes, sizeof bytes));
    peer_read(&p, &a);
    judge_true("random bytes are refused", a.status >= 400 && a.status < 600);
    judge_true("and the connection closed", peer_is_ended(&p, PEER_LIMIT_MS));
    peer_close(&p);
    answer_done(&a);
}

/* A valid request of which only the beginning arrives: cut at every byte, closed and reset in
 * turn. */
static void stop_everywhere(void)
{
    struct buf text = {0}, all = {0};
    quotes(&text, PING);
    expand_head(&all, LEGACY, buf_str(&text));
    for (size_t n = 0; n <= all.n; n++) {
        struct raw_peer p;
        open_peer(&p);
        peer_send(&p, str_head(buf_str(&all), n));
        if (n % 2)
            peer_reset(&p);
        else
            peer_close(&p);
    }
    buf_done(&text);
    buf_done(&all);
}

static void stop_somewhere(void)
{
    struct buf text = {0}, all = {0};
    struct raw_peer p;
    unsigned char r[2];
    id_bytes(r, sizeof r);
    quotes(&text, PING);
    expand_head(&all, LEGACY, buf_str(&text));
    open_peer(&p);
    peer_send(&p, str_head(buf_str(&all), r[0] * 2u % all.n));
    if (r[1] % 2)
        peer_reset(&p);
    else
        peer_close(&p);
    buf_done(&text);
    buf_done(&all);
}

static void byte_by_byte(void)
{
    struct buf text = {0}, all = {0};
    struct raw_answer a = {0};
    struct raw_peer p;
    quotes(&text, PING);
    expand_head(&all, LEGACY, buf_str(&text));
    open_peer(&p);
    for (size_t i = 0; i < all.n; i++)
        peer_send(&p, str_make(all.p + i, 1));
    peer_read(&p, &a);
    judge_answer("byte by byte", &a, 200, 0, "\"result\":{}");
    peer_close(&p);
    answer_done(&a);
    buf_done(&text);
    buf_done(&all);
}

static void half_closed(void)
{
    struct raw_answer a = {0};
    struct raw_peer p;
    open_peer(&p);
    send_text(&p, LEGACY, PING);
    peer_end(&p);
    peer_read(&p, &a);
    judge_answer("a client that ends its side", &a, 200, 0, "\"result\":{}");
    judge_true("is disconnected", peer_is_ended(&p, PEER_LIMIT_MS));
    peer_close(&p);
    open_peer(&p);
    send_text(&p, POST JSON ACCEPT IN "Content-Length: 100\r\n\r\n", "{");
    peer_end(&p);
    judge_true("half a request and the end", peer_is_ended(&p, PEER_LIMIT_MS));
    peer_close(&p);
    answer_done(&a);
}

/* Valid and invalid requests in sequence, sent at once: answered in order. */
static void pipelined(void)
{
    struct buf all = {0}, text = {0};
    struct raw_answer a = {0};
    struct raw_peer p;
    static const char *const bodies[] = {PING, "nonsense", PING, ASK("2", "no/such", "{}"), PING};
    open_peer(&p);
    for (size_t i = 0; i < 5; i++) {
        buf_clear(&text);
        quotes(&text, bodies[i]);
        expand_head(&all, LEGACY, buf_str(&text));
    }
    buf_add(&all, STR("GARBAGE\r\n\r\n"));
    expand_head(&all, LEGACY, buf_str(&text)); /* after the garbage nothing is read */
    peer_send(&p, buf_str(&all));
    peer_read(&p, &a);
    judge_answer("pipelined: good", &a, 200, 0, "\"result\":{}");
    peer_read(&p, &a);
    judge_answer("pipelined: not JSON", &a, 400, -32700, NULL);
    peer_read(&p, &a);
    judge_answer("pipelined: valid again", &a, 200, 0, "\"result\":{}");
    peer_read(&p, &a);
    judge_answer("pipelined: unknown method", &a, 200, -32601, NULL);
    peer_read(&p, &a);
    judge_answer("pipelined: the last valid one", &a, 200, 0, "\"result\":{}");
    peer_read(&p, &a);
    judge_answer("pipelined: not HTTP", &a, 400, -32600, "a method of HTTP");
    judge_true("pipelined: then the connection ends", !peer_read(&p, &a) && p.ended);
    peer_close(&p);
    buf_done(&all);
    buf_done(&text);
    answer_done(&a);
}

static void many_pipelined(void)
{
    enum {
        MANY = 1000
    };
    struct buf text = {0}, all = {0};
    struct raw_answer a = {0};
    struct raw_peer p;
    int good = 0;
    quotes(&text, PING);
    for (int i = 0; i < MANY; i++)
        expand_head(&all, LEGACY, buf_str(&text));
    open_peer(&p);
    peer_send(&p, buf_str(&all));
    while (good < MANY && peer_read(&p, &a) && a.status == 200)
        good++;
    judge_true("a thousand requests at once", good == MANY);
    peer_close(&p);
    buf_done(&text);
    buf_done(&all);
    answer_done(&a);
}

/* ---- disconnects during a call */

static void leave_calls(void)
{
    char id[128], kept[128];
    struct raw_answer a = {0};
    memcpy(kept, session, sizeof kept);
    judge_true("a session to leave", open_session(id));
    memcpy(session, id, sizeof session);
    for (int i = 0; i < 4; i++) {
        struct raw_peer p;
        char body[200];
        open_peer(&p);
        snprintf(body, sizeof body,
                 "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':'test_wait',"
                 "'_meta':{'progressToken':%d}}}",
                 i, i);
        send_text(&p, LEGACY, body);
        if (i % 2)
            peer_read_events(&p, &a, "notifications/progress");
        if (i < 2)
            peer_reset(&p);
        else
            peer_close(&p);
    }
    /* The calls continue for a client that may resume, until the session ends. */
    exchange(&a, "DELETE /mcp HTTP/1.1\r\n" HOST IN "\r\n", "");
    judge_answer("DELETE", &a, 204, 0, NULL);
    exchange(&a, LEGACY, PING);
    judge_answer("an ended session", &a, 404, -32600, "Unknown or ended session");
    memcpy(session, kept, sizeof session);
    answer_done(&a);
}

static void leave_modern_calls(void)
{
    struct raw_answer a = {0};
    struct raw_peer p, q;
    open_peer(&p);
    open_peer(&q);
    send_text(&p, MODERN_CALL("test_wait"),
              ASK("1", "tools/call", "{'name':'test_wait'," META("{}") "}"));
    send_text(&q, MODERN("subscriptions/listen", ""),
              ASK("'l'", "subscriptions/listen",
                  "{'notifications':{'toolsListChanged':true}," META("{}") "}"));
    peer_read_events(&q, &a, "subscriptions/acknowledged");
    judge_true("a subscription is acknowledged",
               a.status == 200 &&
                   str_find(buf_str(&a.body), STR("\"toolsListChanged\":true")) < a.body.n);
    peer_reset(&p);
    peer_close(&q);
    answer_done(&a);
}

static void two_streams_of_notices(void)
{
    struct raw_answer a = {0}, b = {0};
    struct raw_peer p;
    char kept[128];
    memcpy(kept, session, sizeof kept);
    judge_true("a session for notifications", open_session(session));
    open_peer(&p);
    send_text(&p, "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN "\r\n", "");
    peer_read_events(&p, &a, NULL);
    judge_true("a stream of notifications", a.status == 200 && a.stream);
    exchange(&b, "GET /mcp HTTP/1.1\r\n" HOST ACCEPT IN "\r\n", "");
    judge_answer("a second stream of notifications", &b, 409, -32600,
                 "already has a notification stream");
    exchange(&b, "DELETE /mcp HTTP/1.1\r\n" HOST IN "\r\n", "");
    judge_answer("the session ends", &b, 204, 0, NULL);
    judge_true("and its stream", peer_hears(&p, "\r\n0\r\n\r\n"));
    peer_close(&p);
    memcpy(session, kept, sizeof session);
    answer_done(&a);
    answer_done(&b);
}

/* ---- states */

#define STATE_TOOL "test_input_required_result_request_state"
#define STATE(tool, more)                                                                          \
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'" tool                        \
    "','inputResponses':{'confirm':{'action':'accept'}}" more "," META("{'elicitation':{}}") "}}"

static void tampered_state(void)
{
    struct raw_answer a = {0};
    struct buf state = {0}, body = {0};
    exchange(&a, MODERN_CALL(STATE_TOOL),
             ASK("1", "tools/call", "{'name':'" STATE_TOOL "'," META("{'elicitation':{}}") "}"));
    write_member(&a, "requestState", &state);
    judge_true("a state is returned", state.n > 40);
    buf_printf(&body, STATE(STATE_TOOL, ",'requestState':'%s'"), state.p);
    exchange(&a, MODERN_CALL(STATE_TOOL), body.p);
    judge_answer("a state is accepted", &a, 200, 0, "state-ok");
    buf_clear(&body);
    buf_printf(&body, STATE("test_input_required_result_tampered_state", ",'requestState':'%s'"),
               state.p);
    exchange(&a, MODERN_CALL("test_input_required_result_tampered_state"), body.p);
    judge_answer("a state of another tool", &a, 200, -32602, "requestState was changed");
    state.p[state.n / 2] = state.p[state.n / 2] == 'A' ? 'B' : 'A';
    buf_clear(&body);
    buf_printf(&body, STATE(STATE_TOOL, ",'requestState':'%s'"), state.p);
    exchange(&a, MODERN_CALL(STATE_TOOL), body.p);
    judge_answer("a tampered state", &a, 200, -32602, "requestState was changed, is too old");
    buf_done(&state);
    buf_done(&body);
    answer_done(&a);
}

/* ---- crowds */

static void connections_300(void)
{
    enum {
        MANY = 300,
        MOST = 256
    };
    static struct raw_peer p[MANY];
    struct raw_answer a = {0};
    int served = 0, refused = 0, dropped = 0;
    for (int i = 0; i < MANY; i++) {
        open_peer(&p[i]);
        send_text(&p[i], LEGACY, PING);
    }
    for (int i = 0; i < MANY; i++) {
        peer_read(&p[i], &a);
        served += a.status == 200;
        refused += a.status == 503;
        dropped += a.status == 0 && p[i].ended;
        if (a.status == 503 && refused == 1)
            judge_answer("the 257th connection", &a, 503, -32603,
                         "too many connections: close some");
    }
    for (int i = 0; i < MANY; i++)
        peer_close(&p[i]);
    judge_true("300 connections: most are served", served >= MOST - 8 && served <= MOST);
    judge_true("300 connections: the others are refused with a reason",
               served + refused + dropped == MANY && refused);
    /* There is room again as soon as the server has noticed. */
    for (exchange(&a, LEGACY, PING); a.status != 200 && now_ms() < peer_deadline();) {
        usleep(10000);
        exchange(&a, LEGACY, PING);
    }
    judge_answer("after 300 connections", &a, 200, 0, "\"result\":{}");
    answer_done(&a);
}

static void in_flight_65(void)
{
    enum {
        MOST = 64
    };
    static struct raw_peer p[MOST];
    struct raw_answer a = {0};
    char body[200], kept[128];
    memcpy(kept, session, sizeof kept);
    judge_true("a session for 65 requests", open_session(session));
    for (int i = 0; i < MOST; i++) {
        open_peer(&p[i]);
        snprintf(body, sizeof body,
                 "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':'test_wait',"
                 "'_meta':{'progressToken':%d}}}",
                 i, i);
        send_text(&p[i], LEGACY, body);
        peer_read_events(&p[i], &a, NULL);
        if (a.status != 200 || !a.stream)
            judge_true("one of 64 requests", false);
    }
    exchange(&a, LEGACY, ASK("64", "tools/list", "{}"));
    judge_answer("the 65th request", &a, 200, -32603, "64 requests are open already");
    exchange(&a, LEGACY, ASK("7", "ping", "{}"));
    judge_answer("an id that is in use", &a, 200, -32600, "A request with this id is still open");
    for (int i = 0; i < MOST; i++) {
        snprintf(body, sizeof body,
                 "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d}}",
                 i);
        exchange(&a, LEGACY, body);
        if (a.status != 202)
            judge_answer("cancel", &a, 202, 0, NULL);
    }
    exchange(&a, LEGACY, ASK("64", "ping", "{}"));
    judge_answer("after 64 cancels", &a, 200, 0, "\"result\":{}");
    for (int i = 0; i < MOST; i++)
        peer_close(&p[i]);
    exchange(&a, "DELETE /mcp HTTP/1.1\r\n" HOST IN "\r\n", "");
    memcpy(session, kept, sizeof session);
    answer_done(&a);
}

static void sessions_1100(void)
{
    char first[128], id[128];
    struct raw_answer a = {0};
    int opened = open_session(first);
    for (int i = 1; i < 1100; i++)
        opened += open_session(id);
    judge_true("1,100 sessions are opened", opened == 1100);
    memcpy(session, first, sizeof session);
    exchange(&a, LEGACY, PING);
    judge_answer("the first of 1,100 sessions", &a, 404, -32600, "Unknown or ended session");
    memcpy(session, id, sizeof session); /* ours has ended as well: from here on, this one */
    exchange(&a, LEGACY, PING);
    judge_answer("the last of 1,100 sessions", &a, 200, 0, "\"result\":{}");
    answer_done(&a);
}

#define CONFIRM                                                                                    \
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'confirm_delete','arguments':" \
    "{'filename':'x'}," META("{'elicitation':{},'extensions':{'io.modelcontextprotocol/tasks':"    \
                             "{}}}") "}}"

/* Tasks that wait for an answer that never comes. */
static void tasks_1100(void)
{
    enum {
        MOST = 1024
    };
    static char ids[MOST][64];
    struct raw_answer a = {0};
    struct buf id = {0}, body = {0}, head = {0};
    struct raw_peer p;
    size_t n = 0;
    open_peer(&p);
    for (int i = 0; i < 1100; i++) {
        exchange_on(&p, &a, MODERN_CALL("confirm_delete"), CONFIRM);
        write_member(&a, "taskId", &id);
        if (id.n && n < MOST)
            snprintf(ids[n++], sizeof ids[0], "%s", id.p);
    }
    judge_true("1,024 of 1,100 tasks are created", n == MOST && !id.n);
    exchange(&a, LEGACY, ASK("1", "tools/call", "{'name':'slow_compute','task':{}}"));
    judge_answer("one task too many", &a, 200, -32603, "There are 1024 tasks already");
    size_t gone = 0;
    for (size_t i = 0; i < n; i++) {
        buf_clear(&body);
        buf_clear(&head);
        buf_printf(&body,
                   "{'jsonrpc':'2.0','id':1,'method':'tasks/cancel','params':{'taskId':'%s'," META(
                       WITH_TASKS) "}}",
                   ids[i]);
        buf_printf(&head, "%s%s%s",
                   POST JSON ACCEPT
                   "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tasks/cancel\r\nMcp-Name: ",
                   ids[i], "\r\n" BODY);
        exchange_on(&p, &a, head.p, body.p);
        gone += a.status == 200;
    }
    judge_true("1,024 tasks are cancelled", gone == MOST);
    exchange(&a, LEGACY, ASK("1", "tools/call", "{'name':'slow_compute','task':{}}"));
    judge_answer("then there is room again", &a, 200, 0, "\"status\":\"working\"");
    peer_close(&p);
    buf_done(&id);
    buf_done(&body);
    buf_done(&head);
    answer_done(&a);
}

static void subscriptions_257(void)
{
    struct raw_answer a = {0};
    struct buf body = {0};
    char kept[128];
    int good = 0;
    memcpy(kept, session, sizeof kept);
    judge_true("a session for subscriptions", open_session(session));
    for (int i = 0; i < 257; i++) {
        buf_clear(&body);
        buf_printf(&body,
                   "{'jsonrpc':'2.0','id':1,'method':'resources/subscribe','params':{'uri':"
                   "'test://%d'}}",
                   i);
        exchange(&a, LEGACY, body.p);
        good += a.status == 200 && str_find(buf_str(&a.body), STR("\"result\"")) < a.body.n;
    }
    judge_true("256 subscriptions", good == 256);
    judge_answer("the 257th subscription", &a, 200, -32602,
                 "A client can subscribe to at most 256");
    exchange(&a, "DELETE /mcp HTTP/1.1\r\n" HOST IN "\r\n", "");
    memcpy(session, kept, sizeof session);

    buf_clear(&body);
    buf_add(&body, STR("{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen','params':{"
                       "'notifications':{'resourceSubscriptions':["));
    for (int i = 0; i < 257; i++)
        buf_printf(&body, "%s'test://%d'", i ? "," : "", i);
    buf_add(&body, STR("]}," META("{}") "}}"));
    exchange(&a, MODERN("subscriptions/listen", ""), body.p);
    judge_answer("257 resources in one listen", &a, 200, -32602, "at most 256 strings");
    buf_done(&body);
    answer_done(&a);
}

/* ---- slow requests: a byte now and then, for longer than a head may take */

static void slow_heads(void)
{
    enum {
        SLOW = 8
    };
    struct raw_peer p[SLOW];
    struct raw_answer a = {0};
    uint64_t start = now_ms();
    struct buf head = {0};
    int refused = 0, good = 0, asked = 0;
    expand_head(&head, "POST /mcp HTTP/1.1\r\n" HOST "X: ", (struct str){0});
    for (int i = 0; i < SLOW; i++) {
        open_peer(&p[i]);
        peer_send(&p[i], buf_str(&head));
    }
    while (now_ms() < peer_deadline()) { /* the limit is 10 s */
        for (int i = 0; i < SLOW; i++)
            peer_send(&p[i], STR("y"));
        exchange(&a, LEGACY, PING);
        asked++;
        good += a.status == 200;
        if (peer_is_ended(&p[0], 100))
            break;
    }
    uint64_t took = now_ms() - start;
    for (int i = 0; i < SLOW; i++) {
        peer_read(&p[i], &a);
        refused += a.status == 408;
        if (i == 0)
            judge_answer("a head that takes too long", &a, 408, -32600, "took too long to arrive");
        peer_close(&p[i]);
    }
    judge_true("all slow heads are refused", refused == SLOW);
    judge_true("not before ten seconds", took >= 9000);
    judge_true("others were served meanwhile", good == asked);
    buf_done(&head);
    answer_done(&a);
}

const struct scenario scenes[] = {
    {"large bodies", large_bodies, false},
    {"large chunks", large_chunks, false},
    {"random bytes", random_bytes, true},
    {"requests cut at every byte", stop_everywhere, false},
    {"a request cut somewhere", stop_somewhere, true},
    {"byte by byte", byte_by_byte, true},
    {"half-closed connections", half_closed, true},
    {"pipelined mixtures", pipelined, true},
    {"a thousand at once", many_pipelined, false},
    {"abandoned calls", leave_calls, true},
    {"abandoned modern calls", leave_modern_calls, true},
    {"two streams of notifications", two_streams_of_notices, true},
    {"tampered states", tampered_state, true},
    {"300 connections", connections_300, false},
    {"65 requests in flight", in_flight_65, false},
    {"1,100 sessions", sessions_1100, false},
    {"1,100 tasks", tasks_1100, false},
    {"257 subscriptions", subscriptions_257, false},
    {"slow heads", slow_heads, false},
};
const size_t scene_count = sizeof scenes / sizeof *scenes;
