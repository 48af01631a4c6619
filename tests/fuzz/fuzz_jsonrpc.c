/* Drives a whole MCP server without sockets: clients of both eras that send anything, a program
 * that answers at any time, and disconnects at any time.
 *
 * Input: lines. The first letter is the event:
 *
 *   0 1 2 {..}     a message of a client with a session (0 is the one on stdio)
 *   m {..}         a modern message over HTTP, h Name: value|Name: value|{..} with headers
 *   c, C           the client of the oldest, newest open request leaves;   e0 e1 e2  a session ends
 *   a, A           the program answers the oldest, newest call it holds; x fails it, p reports
 *                  progress, l logs, q asks the client, b makes it a task, d closes its stream
 *   n, u           a list changes, a resource changes
 *   w              the next call that is cancelled stops the server
 *   t              a turn of the loop, o: sessions expire
 *   s              the server stops
 *
 * In a message $t is the id of the newest task, $s the newest requestState.
 *
 * Every message sent must be JSON-RPC by our own reader; a response must have the id of its
 * request; a request is answered at most once, gets no message after that, and is ended by mcp_stop
 * at the latest. */
#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "fuzz.h"
#include "fuzz_lines.h"
#include "mcp/call.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "net/http.h"

#define SESSIONS  3
#define MAX_HELD  128
#define MAX_TURNS 4
#define MAX_LINES 400

struct rpc_client; /* of one request */

struct rpc_world {
    struct loop *loop;
    struct mcp *mcp;
    struct mcp_session *sessions[SESSIONS];
    struct list clients; /* open ones */
    struct mcp_call *held[MAX_HELD];
    size_t held_count;
    struct buf state; /* the last requestState a client got */
    int turns;
    bool stop_in_cancel;
};

struct rpc_client {
    struct mcp_sink sink; /* first: a sink is its client */
    struct list link;
    struct mcp_call *call;
    struct buf id; /* as JSON text */
};

static struct rpc_world world;

/* ---- output */

static void check_message(struct str message, enum rpc_kind *kind, struct buf *id)
{
    struct arena a = {0};
    struct rpc_message m;
    bool ok = rpc_parse(&m, &a, message, 0);
    assert(ok);
    (void)ok;
    *kind = m.kind;
    struct str state = json_str(json_get(m.result, STR("requestState")));
    if (state.n) {
        buf_clear(&world.state);
        buf_add(&world.state, state);
    }
    if (m.id) {
        struct jsonw w = jsonw_make(id);
        jsonw_value(&w, m.id);
    }
    arena_done(&a);
}

static void client_free(struct rpc_client *c)
{
    list_remove(&c->link);
    buf_done(&c->id);
    free(c);
}

static void on_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    struct rpc_client *c = (struct rpc_client *)(void *)sink;
    struct buf id = {0};
    enum rpc_kind kind;
    (void)may_drop;
    assert(list_is_linked(&c->link) && c->call->sink == sink);
    check_message(message, &kind, &id);
    assert(kind != RPC_RESPONSE);
    buf_done(&id);
}

static void on_finish(struct mcp_sink *sink, int status, const struct str *parts, size_t count)
{
    struct rpc_client *c = (struct rpc_client *)(void *)sink;
    struct buf message = {0};
    for (size_t i = 0; i < count; i++)
        buf_add(&message, parts[i]);
    assert(status == 200 || status == 202 || status == 400 || status == 404 || status == 503);
    assert((status == 202) == (count == 0) && count <= MCP_MAX_PARTS);
    if (count) {
        struct buf id = {0};
        enum rpc_kind kind;
        check_message(buf_str(&message), &kind, &id);
        assert(kind == RPC_RESPONSE && str_eq(buf_str(&id), buf_str(&c->id)));
        buf_done(&id);
    }
    buf_done(&message);
    client_free(c);
}

static void on_close_stream(struct mcp_sink *sink, int retry_ms)
{
    struct rpc_client *c = (struct rpc_client *)(void *)sink;
    assert(list_is_linked(&c->link) && retry_ms > 0);
}

static const struct mcp_sink_impl sink_impl = {on_send, on_finish, on_close_stream};

static void on_notice(struct mcp_session *s, struct str message)
{
    struct buf id = {0};
    enum rpc_kind kind;
    assert(s->initialized);
    check_message(message, &kind, &id);
    assert(kind == RPC_NOTIFICATION);
    buf_done(&id);
}

static void on_session_end(struct mcp_session *s)
{
    for (int i = 0; i < SESSIONS; i++)
        if (world.sessions[i] == s)
            world.sessions[i] = NULL;
}

/* ---- the program */

static void on_cancelled(void *call)
{
    assert(mcp_call_is_cancelled(call));
    if (world.stop_in_cancel) {
        world.stop_in_cancel = false;
        mcp_stop(world.mcp);
    }
}

static void hold_call(struct mcp_call *call)
{
    if (world.held_count == MAX_HELD) {
        mcp_reply_tool_error(call, "too many");
        return;
    }
    world.held[world.held_count++] = call;
    mcp_call_on_cancel(call, on_cancelled, call);
}

/* Take a call from those the program holds; NULL: there is none. */
static struct mcp_call *take_call(bool newest)
{
    if (!world.held_count)
        return NULL;
    size_t i = newest ? world.held_count - 1 : 0;
    struct mcp_call *call = world.held[i];
    memmove(world.held + i, world.held + i + 1, (--world.held_count - i) * sizeof *world.held);
    return call;
}

static void ask_client(struct mcp_call *call)
{
    const struct json *who = mcp_ask_answer(call, "who", MCP_ASK_ELICITATION);
    const struct json *roots = mcp_ask_answer(call, "roots", MCP_ASK_ROOTS);
    if (who && (roots || !mcp_call_client_can(call, MCP_CAN_LIST_ROOTS))) {
        mcp_reply_text(call, mcp_ask_state(call));
        return;
    }
    mcp_ask(call, "who", MCP_ASK_ELICITATION, STR("{\"message\":\"Who?\"}"));
    if (mcp_call_client_can(call, MCP_CAN_LIST_ROOTS))
        mcp_ask(call, "roots", MCP_ASK_ROOTS, STR(""));
    mcp_ask_reply(call, json_str(json_get(mcp_call_arguments(call), STR("state"))));
}

static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
{
    struct str text = json_str(json_get(mcp_call_arguments(call), STR("text")));
    (void)ctx;
    switch (tool->name[0]) {
    case 'e': /* echo */
        mcp_reply_text(call, text);
        return;
    case 'a': /* ask */
        ask_client(call);
        return;
    case 'q': /* question: asks in a task */
        mcp_task_start(call, NULL);
        ask_client(call);
        return;
    case 'j': /* job, must */
    case 'm':
        mcp_task_start(call, &(struct mcp_task_options){.id = text.n ? "the-job" : NULL,
                                                        .ttl_ms = text.n > 3 ? 1 : 0});
        hold_call(call);
        return;
    case 's': /* sampling */
        if (mcp_call_require(call, MCP_CAN_SAMPLE))
            mcp_reply_json(call, STR("{\"a\":1}"), text.n > 0);
        return;
    default:
        hold_call(call);
        return;
    }
}

static void read_resource(struct mcp_call *call, struct str uri, void *ctx)
{
    (void)ctx;
    if (!str_starts(uri, STR("a:"))) {
        mcp_reply_not_found(call, uri);
        return;
    }
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "contents");
    jsonw_array(w);
    mcp_content_item_text(w, uri, "text/plain", uri);
    mcp_content_item_blob(w, uri, NULL, uri);
    jsonw_end(w);
    mcp_reply(call);
}

static void get_prompt(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx)
{
    (void)ctx;
    (void)prompt;
    hold_call(call);
}

static void complete(struct mcp_call *call, const struct mcp_completion *c, void *ctx)
{
    const struct str values[] = {c->value, c->argument, c->uri};
    (void)ctx;
    mcp_reply_completion(call, values, 3);
}

#define OBJECT "{\"type\":\"object\"}"
#define REGION                                                                                     \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":"       \
    "\"Region\"},\"deep\":{\"properties\":{\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"}}}}" \
    "}"

static const struct mcp_tool tools[] = {
    {.name = "echo", .title = "Echo", .input_schema = OBJECT, .output_schema = OBJECT},
    {.name = "hold", .input_schema = OBJECT},
    {.name = "ask", .input_schema = OBJECT},
    {.name = "question", .input_schema = OBJECT, .task = MCP_TASK_OPTIONAL},
    {.name = "job", .input_schema = OBJECT, .task = MCP_TASK_OPTIONAL},
    {.name = "must", .input_schema = OBJECT, .task = MCP_TASK_REQUIRED},
    {.name = "sample", .input_schema = OBJECT},
    {.name = "region", .input_schema = REGION},
};
static const struct mcp_argument arguments[] = {{"one", "the first", true}, {"two", NULL, false}};
static const struct mcp_prompt prompt = {.name = "p", .arguments = arguments, .argument_count = 2};
static const struct mcp_resource resource = {.uri = "a:b", .name = "b"};

static const struct mcp_impl impl = {
    .name = "fuzz",
    .version = "1",
    .instructions = "none",
    .logging = true,
    .list_changed = true,
    .tasks = true,
    .subscribe = true,
    .page_size = 3,
    .call_tool = call_tool,
    .read_resource = read_resource,
    .get_prompt = get_prompt,
    .complete = complete,
};

static void set_lists(size_t tool_count)
{
    const struct mcp_tool *list[sizeof tools / sizeof *tools];
    for (size_t i = 0; i < tool_count; i++)
        list[i] = &tools[i];
    mcp_set_tools(world.mcp, list, tool_count);
    mcp_set_prompts(world.mcp, (const struct mcp_prompt *const[]){&prompt}, 1);
    mcp_set_resources(world.mcp, (const struct mcp_resource *const[]){&resource}, 1);
    mcp_set_templates(world.mcp, (const struct mcp_resource *const[]){&resource}, 1);
}

/* ---- input */

static struct mcp_session *session_of(int i)
{
    struct mcp_session **s = &world.sessions[i];
    if (!*s && !world.mcp->stopping) {
        *s = mcp_session_new(world.mcp, i > 0);
        (*s)->notify = on_notice;
        (*s)->on_end = on_session_end;
    }
    return *s;
}

static void expand_ids(struct buf *to, struct str message)
{
    struct str part;
    while (str_cut(&message, '$', &part)) {
        char what = message.n ? message.p[0] : 0;
        buf_add(to, part);
        if (what == 't' && !list_is_empty(&world.mcp->tasks))
            buf_add(to, str_from(LIST_ITEM(world.mcp->tasks.prev, struct mcp_task, link)->id));
        else if (what == 's')
            buf_add(to, buf_str(&world.state));
        message = str_skip(message, 1);
    }
    buf_add(to, part);
}

static struct mcp_call *receive_message(struct str message)
{
    struct buf text = {0}, out = {0};
    expand_ids(&text, message);
    struct mcp_call *call = mcp_call_new(world.mcp, &text, 0, &out);
    if (!call) {
        struct buf id = {0};
        enum rpc_kind kind;
        check_message(buf_str(&out), &kind, &id);
        assert(kind == RPC_RESPONSE);
        buf_done(&id);
    } else if (call->message.kind == RPC_REQUEST) {
        struct rpc_client *c = mem_zalloc(sizeof *c);
        struct jsonw w = jsonw_make(&c->id);
        c->sink.impl = &sink_impl;
        c->call = call;
        jsonw_value(&w, call->message.id);
        list_add(&world.clients, &c->link);
        call->sink = &c->sink;
    }
    buf_done(&out);
    return call;
}

/* As mcp_stdio does. */
static void send_line(int i, struct str message)
{
    struct mcp_session *s = session_of(i);
    struct mcp_call *call = s ? receive_message(message) : NULL;
    if (!call)
        return;
    if (call->message.kind == RPC_REQUEST && mcp_modern_is_claimed(&call->message))
        mcp_modern_receive(call, s, NULL);
    else
        mcp_legacy_receive(call, s);
}

/* As mcp_http does, for requests that are modern by their body or their headers. */
static void say_modern(struct str message, const struct http_request *http)
{
    struct mcp_call *call = world.mcp->stopping ? NULL : receive_message(message);
    if (!call)
        return;
    if (call->message.kind != RPC_REQUEST)
        mcp_call_free(call);
    else if (mcp_modern_is_claimed(&call->message))
        mcp_modern_receive(call, NULL, http);
    else
        mcp_modern_refuse_unclaimed(call);
}

static void say_with_headers(struct str line)
{
    struct http_field fields[16];
    struct http_request http = {.fields = fields};
    struct str part, name;
    while (line.n && line.p[0] != '{' && http.field_count < 16) {
        str_cut(&line, '|', &part);
        str_cut(&part, ':', &name);
        fields[http.field_count++] = (struct http_field){name, str_trim(part)};
    }
    say_modern(line, &http);
}

static void lose_client(bool newest)
{
    if (list_is_empty(&world.clients))
        return;
    struct list *l = newest ? world.clients.prev : world.clients.next;
    struct rpc_client *c = LIST_ITEM(l, struct rpc_client, link);
    struct mcp_call *call = c->call;
    client_free(c);
    mcp_call_disconnect(call);
}

static void stop_turn(void *loop)
{
    loop_stop(loop);
}

static void turn_loop(void)
{
    struct timer t = {0};
    if (world.turns++ == MAX_TURNS)
        return;
    timer_start(&t, world.loop, 2, stop_turn, world.loop);
    loop_run(world.loop);
    timer_stop(&t);
}

static void grow_old(void)
{
    LIST_EACH (&world.mcp->sessions, struct mcp_session, link, s)
        s->last_used -= MCP_SESSION_IDLE_MS / 2;
    mcp_session_expire(world.mcp);
}

/* Let the program act on a call it holds. */
static void act_on_call(char what, struct str text)
{
    struct mcp_call *call;
    double n = text.n ? (unsigned char)text.p[0] : 0;
    if (what == 'p' || what == 'l' || what == 'b' || what == 'd') {
        if (!world.held_count)
            return;
        call = world.held[world.held_count - 1];
        if (what == 'p')
            mcp_call_progress(call, n, 100, text.n > 1 ? "on the way" : NULL);
        else if (what == 'l')
            mcp_call_log(call, (enum mcp_log_level)((size_t)n % MCP_LOG_LEVEL_COUNT), "fuzz", text);
        else if (what == 'b')
            mcp_task_start(call, NULL);
        else
            mcp_call_close_stream(call, 10);
        return;
    }
    call = take_call(what == 'A');
    if (!call)
        return;
    if (what == 'x') {
        mcp_reply_error_data(call, RPC_INTERNAL_ERROR, text.n ? STR("{}") : STR(""), "%.*s",
                             STR_ARG(text));
    } else if (what == 'q' && call->tool) {
        mcp_ask(call, "who", MCP_ASK_ELICITATION, STR("{}"));
        mcp_ask_reply(call, text);
    } else {
        mcp_reply_text(call, text);
    }
}

static void take_line(struct str line)
{
    char what = line.p[0];
    struct str rest = str_trim(str_skip(line, 1));
    if (what >= '0' && what < '0' + SESSIONS)
        send_line(what - '0', rest);
    else if (what == 'm')
        say_modern(rest, NULL);
    else if (what == 'h')
        say_with_headers(rest);
    else if (what == 'c' || what == 'C')
        lose_client(what == 'C');
    else if (what == 'e' && rest.n && rest.p[0] >= '0' && rest.p[0] < '0' + SESSIONS)
        mcp_session_end(world.sessions[rest.p[0] - '0']);
    else if (what == 'n')
        set_lists(rest.n % (sizeof tools / sizeof *tools + 1));
    else if (what == 'u')
        mcp_resource_updated(world.mcp, rest);
    else if (what == 'w')
        world.stop_in_cancel = true;
    else if (what == 't')
        turn_loop();
    else if (what == 'o')
        grow_old();
    else if (what == 's')
        mcp_stop(world.mcp);
    else if (strchr("aAxplqbd", what) && what)
        act_on_call(what, rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct loop *loop; /* one for all: it is slow to create */
    struct str input = str_make((const char *)bytes, n), line;
    if (!loop)
        loop = loop_new();
    world = (struct rpc_world){.loop = loop};
    list_init(&world.clients);
    world.mcp = mcp_new(world.loop, &impl, NULL);
    set_lists(sizeof tools / sizeof *tools);
    for (int i = 0; input.n && i < MAX_LINES; i++) {
        str_cut(&input, '\n', &line);
        if (line.n)
            take_line(line);
    }
    mcp_stop(world.mcp);
    assert(list_is_empty(&world.clients));
    assert(!mcp_open_sessions(world.mcp) && !world.mcp->task_ids.count);
    assert(mcp_open_calls(world.mcp) == world.held_count);
    /* Half of the open calls are answered late, the rest never. */
    while (world.held_count > 1) {
        act_on_call('a', STR("late"));
        take_call(false);
    }
    mcp_free(world.mcp);
    buf_done(&world.state);
    return 0;
}
