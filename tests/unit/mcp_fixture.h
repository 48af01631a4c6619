/* A server in memory: a small program on src/mcp, and clients without sockets.
 *
 *     struct fixture f;
 *     set_up(&f);
 *     struct mcp_session *s = open_session(&f, "{}");            // initialize, 2025-11-25
 *     ask(&f, s, "1", "tools/call", "{'name':'echo','arguments':{'text':'hi'}}");
 *     HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'hi'}]}}\n");
 *     tear_down(&f);
 *
 * What reaches clients is written down line by line, with ' for every " and without the jsonrpc
 * member, which is checked: "... {}" a message before the answer, "200 {}" an answer and its HTTP
 * status, "202" the end of a request that gets none, "! {}" a notice outside of any request.
 *
 * The tools: echo {text}, hold (f->held[i] is the call), ask (asks for a name), job (becomes a
 * task "the-job" if it can, and is held), must (the same, only as a task), question (job and ask).
 */
#pragma once

#include <stdlib.h>

#include "base/mem.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "test.h"

#define HELD_MAX 2048

struct fixture {
    struct loop *loop;
    struct mcp_impl impl;
    struct mcp *mcp;
    struct buf heard;
    struct mcp_call *held[HELD_MAX];
    size_t held_count, runs, cancelled;
    size_t open_sinks;
    const char *job_id; /* of the task a job becomes */
};

struct client_sink {
    struct mcp_sink sink; /* first: a sink is ours */
    struct fixture *f;
};

/* ---- what clients hear */

static inline void swap_quotes(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        buf_add_char(b, text.p[i] == '"' ? '\'' : text.p[i] == '\'' ? '"' : text.p[i]);
}

#define SERVER_META                                                                                \
    "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"t\",\"version\":\"1\"}}"

/* One line of the record. Every message must be one of JSON-RPC. */
static inline void hear(struct fixture *f, const char *mark, struct str message)
{
    struct str head = STR("{\"jsonrpc\":\"2.0\","), meta = STR(SERVER_META);
    buf_add(&f->heard, str_from(mark));
    if (message.n) {
        struct arena a = {0};
        struct rpc_message m;
        if (!rpc_parse(&m, &a, message, 0))
            fail_msg("not a message (%s): %.*s", m.error, STR_ARG(message));
        arena_done(&a);
        assert_true(str_starts(message, head));
        message = str_skip(message, head.n);
        buf_add(&f->heard, STR(" {"));
        size_t at = str_find(message, meta);
        swap_quotes(&f->heard, str_head(message, at));
        if (at < message.n) {
            buf_add(&f->heard, STR("META"));
            swap_quotes(&f->heard, str_skip(message, at + meta.n));
        }
    }
    buf_add_char(&f->heard, '\n');
}

static inline void on_client_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    (void)may_drop;
    hear(((struct client_sink *)(void *)sink)->f, "...", message);
}

static inline void on_client_finish(struct mcp_sink *sink, int status, const struct str *parts,
                                    size_t count)
{
    struct client_sink *s = (struct client_sink *)(void *)sink;
    struct buf message = {0};
    char mark[16];
    assert_true(count <= MCP_MAX_PARTS);
    for (size_t i = 0; i < count; i++)
        buf_add(&message, parts[i]);
    snprintf(mark, sizeof mark, "%d", status);
    hear(s->f, mark, buf_str(&message));
    buf_done(&message);
    s->f->open_sinks--;
    free(s);
}

static const struct mcp_sink_impl client_sink_impl = {on_client_send, on_client_finish, NULL};

static inline void on_notice(struct mcp_session *s, struct str message)
{
    hear(s->transport, "!", message);
}

/* Compares the record with what it should be, and starts a new one. */
#define HEARD(f, want)                                                                             \
    do {                                                                                           \
        CHECK_CSTR(buf_str(&(f)->heard), want);                                                    \
        buf_clear(&(f)->heard);                                                                    \
    } while (0)

/* ---- the program */

static inline void on_held_cancelled(void *ctx)
{
    ((struct fixture *)ctx)->cancelled++;
}

static inline void hold(struct fixture *f, struct mcp_call *call)
{
    assert_true(f->held_count < HELD_MAX);
    f->held[f->held_count++] = call;
    if (!call->rounds) /* one that was asked in between does without */
        mcp_call_on_cancel(call, on_held_cancelled, f);
}

static inline void ask_name(struct mcp_call *call)
{
    const struct json *who = mcp_ask_answer(call, "who", MCP_ASK_ELICITATION);
    if (!who) {
        mcp_ask(call, "who", MCP_ASK_ELICITATION, STR("{\"message\":\"Who?\"}"));
        mcp_ask_reply(call, STR("asked"));
        return;
    }
    struct str name = json_str(json_get(json_get(who, STR("content")), STR("name")));
    mcp_reply_text(call, arena_printf(mcp_call_arena(call), "%.*s, %.*s",
                                      STR_ARG(mcp_ask_state(call)), STR_ARG(name)));
}

static inline void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
{
    struct fixture *f = ctx;
    f->runs++;
    switch (tool->name[0]) {
    case 'e':
        mcp_reply_text(call, json_str(json_get(mcp_call_arguments(call), STR("text"))));
        break;
    case 'a':
        ask_name(call);
        break;
    case 'q':
        mcp_task_start(call, NULL);
        ask_name(call);
        break;
    case 'j':
    case 'm':
        mcp_task_start(call, &(struct mcp_task_options){.id = f->job_id});
        hold(f, call);
        break;
    default:
        hold(f, call);
        break;
    }
}

static inline void read_resource(struct mcp_call *call, struct str uri, void *ctx)
{
    (void)ctx;
    if (!str_eq(uri, STR("a:b"))) {
        mcp_reply_not_found(call, uri);
        return;
    }
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "contents");
    jsonw_array(w);
    mcp_content_item_text(w, uri, "text/plain", STR("content"));
    jsonw_end(w);
    mcp_reply(call);
}

static inline void get_prompt(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx)
{
    (void)ctx;
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_kcstr(w, "description", prompt->description);
    jsonw_key(w, "messages");
    jsonw_array(w);
    jsonw_end(w);
    mcp_reply(call);
}

static inline void set_tools(struct mcp *mcp)
{
    static const struct mcp_tool tools[] = {
        {.name = "echo", .input_schema = "{\"type\":\"object\"}"},
        {.name = "hold", .input_schema = "{\"type\":\"object\"}"},
        {.name = "ask", .input_schema = "{\"type\":\"object\"}"},
        {.name = "job", .input_schema = "{\"type\":\"object\"}", .task = MCP_TASK_OPTIONAL},
        {.name = "must", .input_schema = "{\"type\":\"object\"}", .task = MCP_TASK_REQUIRED},
        {.name = "question", .input_schema = "{\"type\":\"object\"}", .task = MCP_TASK_OPTIONAL},
    };
    const struct mcp_tool *list[sizeof tools / sizeof *tools];
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        list[i] = &tools[i];
    mcp_set_tools(mcp, list, sizeof tools / sizeof *tools);
}

static inline void set_up(struct fixture *f)
{
    static const struct mcp_prompt prompt = {.name = "p", .description = "A prompt"};
    *f = (struct fixture){.loop = loop_new(), .job_id = "the-job"};
    f->impl = (struct mcp_impl){
        .name = "t",
        .version = "1",
        .logging = true,
        .list_changed = true,
        .tasks = true,
        .subscribe = true,
        .call_tool = call_tool,
        .read_resource = read_resource,
        .get_prompt = get_prompt,
    };
    f->mcp = mcp_new(f->loop, &f->impl, f);
    set_tools(f->mcp);
    mcp_set_prompts(f->mcp, (const struct mcp_prompt *const[]){&prompt}, 1);
}

static inline void tear_down(struct fixture *f)
{
    mcp_stop(f->mcp);
    assert_int_equal(f->open_sinks, 0); /* every request was ended, one way or the other */
    mcp_free(f->mcp);
    loop_free(f->loop);
    buf_done(&f->heard);
}

/* ---- clients */

/* A message as it comes in, ' for ": the way of the stdio transport. NULL session: modern HTTP. */
static inline void say(struct fixture *f, struct mcp_session *s, const char *message)
{
    struct buf text = {0}, out = {0};
    swap_quotes(&text, str_from(message));
    struct mcp_call *call = mcp_call_new(f->mcp, &text, 0, &out);
    if (!call) {
        hear(f, "400", buf_str(&out));
        buf_done(&out);
        return;
    }
    if (call->message.kind == RPC_REQUEST) {
        struct client_sink *sink = mem_zalloc(sizeof *sink);
        sink->sink.impl = &client_sink_impl;
        sink->f = f;
        f->open_sinks++;
        call->sink = &sink->sink;
    }
    if (mcp_modern_is_claimed(&call->message))
        mcp_modern_receive(call, s, NULL);
    else
        mcp_legacy_receive(call, s);
}

/* A request. */
static inline void ask(struct fixture *f, struct mcp_session *s, const char *id, const char *method,
                       const char *params)
{
    struct buf text = {0};
    buf_printf(&text, "{'jsonrpc':'2.0','id':%s,'method':'%s','params':%s}", id, method, params);
    say(f, s, text.p);
    buf_done(&text);
}

/* Parameters of a modern request: the members, and the envelope with the client's capabilities. */
#define MODERN(capabilities)                                                                       \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                             \
    "'io.modelcontextprotocol/clientCapabilities':" capabilities "}"
#define WITH_TASKS "{'extensions':{'io.modelcontextprotocol/tasks':{}}}"

/* A session of 2025-11-25 with these client capabilities. */
static inline struct mcp_session *open_session(struct fixture *f, const char *capabilities)
{
    struct buf params = {0};
    struct mcp_session *s = mcp_session_new(f->mcp, true);
    assert_non_null(s);
    s->notify = on_notice;
    s->transport = f;
    buf_printf(&params, "{'protocolVersion':'2025-11-25','capabilities':%s}", capabilities);
    ask(f, s, "'open'", "initialize", params.p);
    buf_done(&params);
    assert_true(s->initialized);
    buf_clear(&f->heard);
    return s;
}

/* ---- time */

static inline void stop_turn(void *loop)
{
    loop_stop(loop);
}

/* Lets the loop run so long. */
static inline void pass(struct fixture *f, uint64_t ms)
{
    struct timer t = {0};
    timer_start(&t, f->loop, ms, stop_turn, f->loop);
    loop_run(f->loop);
    timer_stop(&t);
}

static inline size_t count(const struct fixture *f, const char *text)
{
    struct str rest = buf_str(&f->heard), needle = str_from(text);
    size_t n = 0;
    for (size_t at; (at = str_find(rest, needle)) < rest.n; n++)
        rest = str_skip(rest, at + needle.n);
    return n;
}
