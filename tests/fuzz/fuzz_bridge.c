/* Drives the whole bridge without sockets and without a clock: clients that call, cancel and
 * disconnect, and two editors that send anything or nothing, disconnect and reconnect.
 *
 * Input: lines. The first letter is the actor, the second the action:
 *
 *   0 1 m   a client (two legacy sessions, a modern one that can follow tasks) calls a tool:
 *           r read_console, i get_component_info, c manage_component, t run_tests,
 *           s get_job_status, x cancel_job, e get_editor_state; the rest is the arguments
 *   k K     the oldest, newest request is cancelled;   h H  its client disconnects
 *   q0 q1   a session ends
 *   a b     an editor:
 *           o opens a link, h sends hello (then: its state, whether it is the other instance, of
 *           the other project), s editor_status and its state, t capability of so many tools,
 *           y, n result ok, error of the running call, g, r accepts, rejects its submission,
 *           j job_status and its state, f, u it does not know the job, the request,
 *           q cancel_result, m the rest of the line as a message, w refuses all further output,
 *           c closes the link, z closes it because of a message that was too large
 *   t3      10^3 milliseconds pass
 *   S       the server stops
 *
 * In arguments and messages $r is the id of the running (or last) call, $j that of the newest job.
 *
 * After every line the bridge must be sound (check_bridge): one call runs at a time, nothing is
 * sent twice, the queue keeps its limit, everything that could be sent has been sent, everything
 * that waits will end. A request is answered once, at the latest when the server stops. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/loop_virtual.h"
#include "app/bridge_mcp.h"
#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"
#include "bridge/link_local.h"
#include "bridge/message.h"
#include "fuzz.h"
#include "fuzz_lines.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "net/ws.h"

#define MAX_LINES 200
#define MAX_TIME  7 /* 10^7 ms: nearly three hours */

struct line_editor {
    struct link_local *link; /* NULL: not connected */
    struct link_impl deaf;
    uint64_t seq;
    const char *name;
};

struct bridge_world {
    struct loop *loop;
    struct bridge *b;
    struct bridge_mcp *mcp;
    struct mcp_session *sessions[2];
    struct line_editor editors[2];
    struct list clients;
    struct map sent; /* ids that were sent */
    int64_t next_id;
    char request[BRIDGE_ID_MAX], job[BRIDGE_ID_MAX];
    bool stopped;
};

struct bridge_client {    /* of one request */
    struct mcp_sink sink; /* first: a sink is its client */
    struct list in;
    struct mcp_call *call;
    int64_t id;
};

static struct bridge_world world;

/* ---- clients */

static void client_free(struct bridge_client *c)
{
    list_remove(&c->in);
    free(c);
}

static void check_tool_result(const struct json *result, struct arena *a)
{
    const struct json *object = json_get(result, STR("structuredContent"));
    struct str text = json_str(json_get(json_at(json_get(result, STR("content")), 0), STR("text")));
    if (!json_get(result, STR("content")))
        return; /* a task */
    assert(json_is(object, JSON_OBJECT));
    assert(json_equal(json_parse(a, text, NULL, NULL), object));
}

static void on_finish(struct mcp_sink *sink, int status, const struct str *parts, size_t count)
{
    struct bridge_client *c = (struct bridge_client *)(void *)sink;
    struct buf message = {0};
    struct arena a = {0};
    struct rpc_message m;
    int64_t id = 0;
    (void)status;
    for (size_t i = 0; i < count; i++)
        buf_add(&message, parts[i]);
    if (count) {
        bool ok = rpc_parse(&m, &a, buf_str(&message), 0);
        assert(ok && m.kind == RPC_RESPONSE && json_i64(m.id, &id) && id == c->id);
        (void)ok;
        if (m.result)
            check_tool_result(m.result, &a);
    }
    arena_done(&a);
    buf_done(&message);
    client_free(c);
}

static void on_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    struct bridge_client *c = (struct bridge_client *)(void *)sink;
    struct arena a = {0};
    (void)may_drop;
    assert(list_is_linked(&c->in) && json_parse(&a, message, NULL, NULL));
    (void)c;
    arena_done(&a);
}

static const struct mcp_sink_impl sink_impl = {on_send, on_finish, NULL};

static void on_notice(struct mcp_session *s, struct str message)
{
    (void)s, (void)message;
}

static void on_session_end(struct mcp_session *s)
{
    for (int i = 0; i < 2; i++)
        if (world.sessions[i] == s)
            world.sessions[i] = NULL;
}

static void expand_ids(struct buf *to, struct str text)
{
    struct str part;
    while (str_cut(&text, '$', &part)) {
        buf_add(to, part);
        if (str_starts(text, STR("r")))
            buf_add(to, str_from(world.request));
        else if (str_starts(text, STR("j")))
            buf_add(to, str_from(world.job));
        text = str_skip(text, 1);
    }
    buf_add(to, part);
}

static struct mcp_session *session_of(int i)
{
    struct mcp_session **s = &world.sessions[i];
    if (!*s) {
        *s = mcp_session_new(bridge_mcp_server(world.mcp), true);
        (*s)->initialized = true;
        (*s)->notify = on_notice;
        (*s)->on_end = on_session_end;
    }
    return *s;
}

#define MODERN                                                                                     \
    ",\"_meta\":{\"progressToken\":1,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","  \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":"                              \
    "{\"io.modelcontextprotocol/tasks\":{}}}}"

static const char *tool_name(char letter)
{
    static const struct {
        char letter;
        const char *name;
    } tools[] = {
        {'r', "read_console"}, {'i', "get_component_info"}, {'c', "manage_component"},
        {'t', "run_tests"},    {'s', "get_job_status"},     {'x', "cancel_job"},
    };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (tools[i].letter == letter)
            return tools[i].name;
    return "get_editor_state";
}

static void call_tool(char who, char tool, struct str arguments)
{
    struct buf text = {0}, out = {0};
    int64_t id = world.next_id++;
    buf_printf(&text,
               "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":\"tools/call\",\"params\":{\"name\":"
               "\"%s\",\"arguments\":",
               (long long)id, tool_name(tool));
    expand_ids(&text, arguments.n ? arguments : STR("{}"));
    buf_add(&text, who == 'm' ? STR(MODERN "}}") : STR(",\"_meta\":{\"progressToken\":1}}}"));
    struct mcp_call *c = mcp_call_new(bridge_mcp_server(world.mcp), &text, 0, &out);
    buf_done(&out);
    if (!c)
        return; /* the arguments are not JSON */
    if (c->message.kind != RPC_REQUEST) {
        mcp_call_free(c);
        return;
    }
    struct bridge_client *client = mem_zalloc(sizeof *client);
    client->sink.impl = &sink_impl;
    client->call = c;
    json_i64(c->message.id, &client->id);
    list_add(&world.clients, &client->in);
    c->sink = &client->sink;
    if (who == 'm')
        mcp_modern_receive(c, NULL, NULL);
    else
        mcp_legacy_receive(c, session_of(who - '0'));
}

static void cancel_request(bool newest, bool hangs_up)
{
    if (list_is_empty(&world.clients))
        return;
    struct list *l = newest ? world.clients.prev : world.clients.next;
    struct bridge_client *c = LIST_ITEM(l, struct bridge_client, in);
    struct mcp_call *lost = c->call;
    if (!hangs_up) {
        mcp_call_cancel(lost, true);
        return;
    }
    client_free(c);
    mcp_call_disconnect(lost);
}

/* ---- editors */

static void on_message(struct str text, void *ctx)
{
    struct message m;
    bool ok = message_read(&m, text, false, NULL);
    struct str id = message_str(&m, STR("request_id")), job = message_str(&m, STR("job_id"));
    bool goes_out = str_eq(m.type_name, STR("execute")) || str_eq(m.type_name, STR("submit_job"));
    (void)ctx;
    assert(ok && m.type_name.n);
    (void)ok;
    if (goes_out) {
        assert(id.n && id.n < sizeof world.request && !map_get(&world.sent, id));
        map_set(&world.sent, id, &world);
        snprintf(world.request, sizeof world.request, "%.*s", STR_ARG(id));
    }
    if (job.n && goes_out)
        snprintf(world.job, sizeof world.job, "%.*s", STR_ARG(job));
    message_done(&m);
}

static void on_closed(int code, struct str reason, void *ctx)
{
    struct line_editor *e = ctx;
    (void)code, (void)reason;
    assert(e->link);
    e->link = NULL;
}

static bool send_nothing(struct link *l, struct str message)
{
    (void)l, (void)message;
    return false;
}

static void send_text(struct line_editor *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void send_text(struct line_editor *e, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    link_local_send(e->link, &text);
}

static const char *state_name(char letter)
{
    return letter == 'c' ? "compiling" : letter == 'l' ? "reloading" : "ready";
}

static const char *job_state(char letter)
{
    switch (letter) {
    case 's':
        return "succeeded";
    case 'f':
        return "failed";
    case 't':
        return "timeout";
    case 'c':
        return "cancelled";
    case 'q':
        return "queued";
    default:
        return "running";
    }
}

static void say_capability(struct line_editor *e, struct str rest)
{
    struct buf text = {0};
    size_t n = rest.n ? (size_t)(unsigned char)rest.p[0] % 9 : 0;
    buf_add(&text, STR("{\"type\":\"capability\",\"tools\":["));
    for (size_t i = 0; i < n && i < catalog_count(world.b->catalog); i++)
        buf_printf(&text, "%s\"%s\"", i ? "," : "", catalog_at(world.b->catalog, i)->name);
    buf_add(&text, STR("]}"));
    link_local_send(e->link, &text);
}

/* Messages of a correct editor. */
static void say_known(struct line_editor *e, char what, struct str rest)
{
    char first = rest.n ? rest.p[0] : 0;
    const char *id = world.request, *job = world.job;
    if (what == 'h')
        send_text(
            e,
            "{\"type\":\"hello\",\"protocol_version\":1,\"editor_instance_id\":\"%s\",\"state\":"
            "\"%s\",\"project_path\":\"%s\"}",
            rest.n > 1 && rest.p[1] == 'o' ? e->name : "same", state_name(first),
            rest.n > 2 && rest.p[2] == 'p' ? "/other" : "/p");
    else if (what == 's')
        send_text(e, "{\"type\":\"editor_status\",\"seq\":%llu,\"state\":\"%s\"}",
                  (unsigned long long)++e->seq, state_name(first));
    else if (what == 't')
        say_capability(e, rest);
    else if (what == 'y')
        send_text(e, "{\"type\":\"result\",\"request_id\":\"%s\",\"status\":\"ok\",\"result\":{}}",
                  id);
    else if (what == 'n')
        send_text(e, "{\"type\":\"result\",\"request_id\":\"%s\",\"status\":\"error\"}", id);
    else if (what == 'g' || what == 'r')
        send_text(e, "{\"type\":\"submit_job_result\",\"request_id\":\"%s\",\"status\":\"%s\"}", id,
                  what == 'g' ? "accepted" : "rejected");
    else if (what == 'j')
        send_text(e,
                  "{\"type\":\"job_status\",\"job_id\":\"%s\",\"state\":\"%s\",\"result\":{},"
                  "\"progress\":{\"done\":1}}",
                  job, job_state(first));
    else if (what == 'f')
        send_text(e, "{\"type\":\"error\",\"error\":{\"code\":\"ERR_JOB_NOT_FOUND\"}}");
    else if (what == 'u')
        send_text(e, "{\"type\":\"error\",\"request_id\":\"%s\",\"error\":{\"code\":\"%s\"}}", id,
                  "ERR_UNKNOWN_REQUEST");
    else if (what == 'q')
        send_text(e,
                  "{\"type\":\"cancel_result\",\"target_%s_id\":\"%s\",\"status\":\"cancelled\"}",
                  first ? "job" : "request", first ? job : id);
}

static void act_as_editor(struct line_editor *e, char what, struct str rest)
{
    struct buf text = {0};
    if (what == 'o' && !e->link) {
        e->link = link_local_open(world.b, on_message, on_closed, e);
        e->seq = 0;
    }
    if (!e->link)
        return;
    struct link *l = (struct link *)(void *)e->link;
    switch (what) {
    case 'm':
        expand_ids(&text, rest);
        link_local_send(e->link, &text);
        break;
    case 'w':
        e->deaf = *l->impl;
        e->deaf.send = send_nothing;
        l->impl = &e->deaf;
        break;
    case 'c':
        link_local_close(e->link);
        break;
    case 'z':
        l->impl->close(l, WS_CLOSE_TOO_BIG, STR("too large"));
        break;
    default:
        say_known(e, what, rest);
        break;
    }
}

/* ---- invariants */

static bool could_go_out(const struct request *r)
{
    const struct bridge *b = world.b;
    return r->state == REQUEST_QUEUED && !(r->job && b->running_job) &&
           b->session.link->impl->send != send_nothing && !b->session.link->closing;
}

static void check_queue(void)
{
    const struct bridge *b = world.b;
    bool ready = editor_session_is_ready(b);
    size_t n = 0;
    LIST_EACH (&b->queue, struct request, in, r) {
        n++;
        assert(r != b->slot);
        assert(r->state == (ready ? REQUEST_QUEUED : REQUEST_WAITING));
        assert(timer_is_running(&r->timer) == (r->state == REQUEST_WAITING));
        assert(!list_is_empty(&r->askers) || r->job);
        assert(!r->job || (r->job->request == r && r->job->state == JOB_QUEUED));
        assert(!map_get(&world.sent, str_from(r->id)));
        assert(b->slot || !ready || !could_go_out(r));
        LIST_EACH (&r->askers, struct asker, in, a)
            assert(a->request == r);
    }
    assert(n == b->queue_count && n <= b->limits.queue_max_size);
    (void)n, (void)ready;
}

static void check_jobs(void)
{
    const struct bridge *b = world.b;
    size_t ended = 0, n = 0;
    LIST_EACH (&b->jobs, struct job, in, j) {
        bool terminal = job_state_is_terminal(j->state);
        n++;
        ended += terminal;
        assert((j == b->running_job) == (j->state == JOB_RUNNING));
        assert(timer_is_running(&j->timer) == (j->state == JOB_RUNNING));
        assert(!terminal || (!j->request && list_is_empty(&j->waiters)));
        assert(j->state != JOB_QUEUED || j->request);
        assert(!j->request || j->request->job == j);
        LIST_EACH (&j->waiters, struct waiter, in, w)
            assert(w->job == j && (w->kind == WAITER_TASK || timer_is_running(&w->timer)));
        (void)terminal;
    }
    assert(ended == b->ended_jobs && n == b->job_ids.count);
    (void)ended, (void)n;
}

static void check_bridge(void)
{
    const struct bridge *b = world.b;
    const struct request *r = b->slot;
    check_queue();
    check_jobs();
    if (r) {
        assert(r->state == REQUEST_RUNNING && !list_is_linked(&r->in));
        assert(r->job ? r->job == b->running_job : timer_is_running(&r->timer));
    }
    if (r || b->running_job)
        assert(timer_is_running(&b->lost) == !b->session.link);
    assert(!b->session.link || b->session.link->closing ||
           timer_is_running(&b->session.link->timer));
    assert((b->state == SERVER_READY) == (b->session.link != NULL) || world.stopped);
    assert(b->pending_count == list_count(&b->pending) && b->pending_count <= LINK_MAX_PENDING);
    (void)r;
}

/* ---- lines */

static void pass_time(char digit)
{
    uint64_t ms = 1;
    for (int i = 0; i < digit - '0' && i < MAX_TIME; i++)
        ms *= 10;
    loop_pass(world.loop, digit ? ms : 0);
}

static void take_line(struct str line)
{
    char what = line.p[0], second = line.n > 1 ? line.p[1] : 0;
    struct str rest = str_skip(line, 2);
    if (what == '0' || what == '1' || what == 'm')
        call_tool(what, second, rest);
    else if (what == 'k' || what == 'K')
        cancel_request(what == 'K', false);
    else if (what == 'h' || what == 'H')
        cancel_request(what == 'H', true);
    else if (what == 'q' && (second == '0' || second == '1'))
        mcp_session_end(world.sessions[second - '0']);
    else if (what == 'a' || what == 'b')
        act_as_editor(&world.editors[what - 'a'], second, rest);
    else if (what == 't')
        pass_time(second);
    else if (what == 'S')
        bridge_stop(world.b), bridge_mcp_stop(world.mcp), world.stopped = true;
    loop_pass(world.loop, 0);
    check_bridge();
}

static void open_world(void)
{
    struct limits limits;
    log_setup(LOG_TEXT, LOG_ERROR);
    limits_init(&limits);
    limits.queue_max_size = 4;
    limits.job_keep_count = 2;
    limits.job_keep_ms = 0;
    world = (struct bridge_world){.loop = loop_new()};
    world.editors[0].name = "a";
    world.editors[1].name = "b";
    list_init(&world.clients);
    world.b = bridge_new(world.loop, &(struct bridge_options){.limits = &limits});
    world.mcp = bridge_mcp_new(world.loop, world.b);
    bridge_start(world.b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str input = str_make((const char *)bytes, n), line;
    open_world();
    for (int i = 0; input.n && i < MAX_LINES && !world.stopped; i++) {
        str_cut(&input, '\n', &line);
        if (line.n)
            take_line(line);
    }
    bridge_stop(world.b);
    bridge_mcp_stop(world.mcp);
    assert(list_is_empty(&world.clients));
    assert(mcp_open_calls(bridge_mcp_server(world.mcp)) == 0);
    loop_pass(world.loop, 100);
    assert(bridge_is_quiet(world.b) && !world.editors[0].link && !world.editors[1].link);
    bridge_mcp_free(world.mcp);
    bridge_free(world.b);
    loop_free(world.loop);
    map_done(&world.sent);
    return 0;
}
