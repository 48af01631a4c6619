/* The real bridge between MCP clients in memory and editors in memory, on a loop without a clock.
 *
 *     struct world w;
 *     set_up(&w);
 *     call(&w, "1", "read_console", "{'max_entries':5}");
 *     enter(&w.a, "ready");
 *     say(&w.a, "{'type':'result','request_id':'req-1','status':'ok','result':{'n':1}}");
 *     HEARD(&w, "> execute req-1 read_console\n"
 *               "1 {'n':1}\n");
 *     tear_down(&w);
 *
 * The messages to editors and clients are recorded in order, with ' for every ", ids without the
 * part that differs from run to run, and T for every time. Clients: "1 {}" is the answer to request
 * 1, "1 ! CODE guarantee" a failed tool (w.error is all of it), "1 error -32602" a protocol error,
 * "1 task job-1", "1 ... text" progress, "1 -" the end without an answer, "* x" a notice. Editors:
 * "> type ids", or "b> ..." for the second one; hello and capability are left out (w.messages has
 * every message); "> closed 1008" when the bridge closed the link.
 *
 * Checked in every test: no request goes out twice, the queue keeps its limit, every request is
 * answered once, and answers of the server itself satisfy the schema of the tool.
 */
#pragma once

#include <ctype.h>
#include <stdlib.h>

#include "app/bridge_mcp.h"
#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"
#include "bridge/link_local.h"
#include "bridge/message.h"
#include "bridge/schema.h"
#include "loop_virtual.h"
#include "mcp/legacy.h"
#include "mcp/mcp_internal.h"
#include "mcp/mcp_task.h"
#include "mcp/modern.h"
#include "mcp/session.h"
#include "net/ws.h"
#include "test.h"

struct world;

struct fake_editor {
    struct world *w;
    const char *mark, *instance, *project;
    struct link_local *link; /* NULL: not connected */
    bool leaves;             /* the close is its own */
};

struct world {
    struct loop *loop;
    struct limits limits;
    struct bridge_options options;
    struct bridge *b;
    struct bridge_mcp *mcp;
    struct mcp_session *s;
    struct fake_editor a, second;
    struct buf heard, messages, error;
    struct list clients;
    struct map sent; /* request_ids that went out */
};

struct client {           /* of one request */
    struct mcp_sink sink; /* first: a sink is its client */
    struct list in;
    struct world *w;
    struct mcp_call *call;
    struct buf id;
    const struct tool *tool;
};

/* ---- the record */

static inline bool is_time(struct str s)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    if (s.n < sizeof form - 1)
        return false;
    for (size_t i = 0; i < sizeof form - 1; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)s.p[i]) : s.p[i] != form[i])
            return false;
    return true;
}

static inline void put_plain(struct world *w, struct buf *to, struct str text)
{
    char run[16];
    snprintf(run, sizeof run, "-%s-", w->b->run);
    while (text.n) {
        if (str_starts(text, str_from(run))) {
            buf_add_char(to, '-');
            text = str_skip(text, strlen(run));
        } else if (is_time(text)) {
            buf_add_char(to, 'T');
            text = str_skip(text, str_find_char(text, '"'));
        } else {
            buf_add_char(to, text.p[0] == '"' ? '\'' : text.p[0] == '\'' ? '"' : text.p[0]);
            text = str_skip(text, 1);
        }
    }
}

/* The other way round. */
static inline void put_real(struct world *w, struct buf *to, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        buf_add_char(to, c == '\'' ? '"' : c == '"' ? '\'' : c);
        if (c == '-' && i >= 3 && i + 1 < text.n && isdigit((unsigned char)text.p[i + 1]) &&
            (!memcmp(text.p + i - 3, "req", 3) || !memcmp(text.p + i - 3, "job", 3)))
            buf_printf(to, "%s-", w->b->run);
    }
}

static inline void hear(struct world *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline void hear(struct world *w, const char *fmt, ...)
{
    struct buf line = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&line, fmt, args);
    va_end(args);
    put_plain(w, &w->heard, buf_str(&line));
    buf_add_char(&w->heard, '\n');
    buf_done(&line);
    assert_true(w->b->queue_count <= w->b->limits.queue_max_size);
    assert_int_equal(w->b->queue_count, list_count(&w->b->queue));
}

/* Compares the record with what it should be, and starts a new one. */
#define HEARD(w, want)                                                                             \
    do {                                                                                           \
        CHECK_CSTR(buf_str(&(w)->heard), want);                                                    \
        buf_clear(&(w)->heard);                                                                    \
    } while (0)

/* ---- editors */

static inline struct str field(struct message *m, const char *key)
{
    return message_str(m, str_from(key));
}

static inline void hear_command(struct fake_editor *e, struct message *m, struct str type)
{
    struct world *w = e->w;
    struct str id = field(m, "request_id");
    struct str target = field(m, "target_job_id");
    if (str_eq(type, STR("execute")) || str_eq(type, STR("submit_job"))) {
        if (map_set(&w->sent, id, w))
            fail_msg("sent twice: %.*s", STR_ARG(id));
        hear(w, "%s> %.*s %.*s%s%.*s %.*s", e->mark, STR_ARG(type), STR_ARG(id),
             field(m, "job_id").n ? " " : "", STR_ARG(field(m, "job_id")),
             STR_ARG(field(m, "tool_name")));
    } else if (str_eq(type, STR("cancel"))) {
        hear(w, "%s> cancel %.*s", e->mark,
             STR_ARG(target.n ? target : field(m, "target_request_id")));
    } else if (str_eq(type, STR("get_job_status"))) {
        hear(w, "%s> get_job_status %.*s", e->mark, STR_ARG(field(m, "job_id")));
    } else if (str_eq(type, STR("resume"))) {
        hear(w, "%s> resume %.*s %.*s", e->mark, STR_ARG(message_raw(m, STR("request_ids"))),
             STR_ARG(message_raw(m, STR("job_ids"))));
    } else if (str_eq(type, STR("error"))) {
        hear(w, "%s> error %.*s%s%.*s", e->mark,
             STR_ARG(json_str(json_get(message_json(m, STR("error")), STR("code")))),
             id.n ? " " : "", STR_ARG(id));
    } else if (!str_eq(type, STR("hello")) && !str_eq(type, STR("capability"))) {
        fail_msg("an unknown message: %.*s", STR_ARG(type));
    }
}

static inline void on_editor_message(struct str text, void *ctx)
{
    struct fake_editor *e = ctx;
    struct message m;
    uint64_t version = 0;
    assert_true(message_read(&m, text, false, NULL));
    assert_true(message_u64(&m, STR("protocol_version"), &version) && version == 1);
    put_plain(e->w, &e->w->messages, text);
    buf_add_char(&e->w->messages, '\n');
    hear_command(e, &m, m.type_name);
    message_done(&m);
}

static inline void on_editor_closed(int code, struct str reason, void *ctx)
{
    struct fake_editor *e = ctx;
    (void)reason;
    if (!e->leaves)
        hear(e->w, "%s> closed %d", e->mark, code);
    e->leaves = false;
    e->link = NULL;
}

static inline void settle(struct world *w)
{
    loop_pass(w->loop, 0);
}

static inline void say(struct fake_editor *e, const char *message)
{
    struct buf text = {0};
    assert_non_null(e->link);
    put_real(e->w, &text, str_from(message));
    link_local_send(e->link, &text);
    settle(e->w);
}

static inline void open_link(struct fake_editor *e)
{
    assert_null(e->link);
    e->link = link_local_open(e->w->b, on_editor_message, on_editor_closed, e);
    assert_non_null(e->link);
}

static inline void say_hello(struct fake_editor *e, const char *state)
{
    struct buf hello = {0};
    buf_printf(&hello,
               "{'type':'hello','protocol_version':1,'plugin_version':'0.1.0','editor_instance_id':"
               "'%s','plugin_session_id':'s','connect_attempt_seq':1,'project_path':'%s',"
               "'state':'%s'}",
               e->instance, e->project, state);
    say(e, hello.p);
    buf_done(&hello);
}

static inline void enter(struct fake_editor *e, const char *state)
{
    open_link(e);
    say_hello(e, state);
}

static inline void leave(struct fake_editor *e)
{
    e->leaves = true;
    link_local_close(e->link);
    settle(e->w);
    assert_null(e->link);
}

/* The link as the bridge sees it, to make one that is worse than a local one. */
static inline struct link *link_of(struct fake_editor *e)
{
    return (struct link *)(void *)e->link;
}

static inline void close_with(struct fake_editor *e, int code)
{
    struct link *l = link_of(e);
    e->leaves = true;
    l->impl->close(l, code, STR("by the test"));
    settle(e->w);
}

/* The everyday answers. */
static inline void say_result(struct fake_editor *e, const char *id, const char *result)
{
    struct buf text = {0};
    buf_printf(&text, "{'type':'result','request_id':'%s','status':'ok','result':%s}", id, result);
    say(e, text.p);
    buf_done(&text);
}

static inline void say_status(struct fake_editor *e, unsigned seq, const char *state)
{
    struct buf text = {0};
    buf_printf(&text, "{'type':'editor_status','seq':%u,'state':'%s'}", seq, state);
    say(e, text.p);
    buf_done(&text);
}

static inline void say_accepted(struct fake_editor *e, const char *id, const char *job)
{
    struct buf text = {0};
    buf_printf(&text,
               "{'type':'submit_job_result','request_id':'%s','status':'accepted','job_id':'%s'}",
               id, job);
    say(e, text.p);
    buf_done(&text);
}

/* more: other members, as in ",'result':{}" */
static inline void say_job(struct fake_editor *e, const char *job, const char *state,
                           const char *more)
{
    struct buf text = {0};
    buf_printf(&text, "{'type':'job_status','job_id':'%s','state':'%s'%s}", job, state, more);
    say(e, text.p);
    buf_done(&text);
}

/* ---- clients */

static inline void client_free(struct client *c)
{
    list_remove(&c->in);
    buf_done(&c->id);
    free(c);
}

static inline void hear_tool(struct client *c, const struct json *result)
{
    struct world *w = c->w;
    struct arena a = {0};
    struct error err = {0};
    const struct json *object = json_get(result, STR("structuredContent"));
    struct str text = json_str(json_get(json_at(json_get(result, STR("content")), 0), STR("text")));
    const struct json *details = json_get(object, STR("details"));
    assert_true(json_equal(json_parse(&a, text, NULL, NULL), object));
    if (json_bool(json_get(result, STR("isError"))) && details) {
        buf_clear(&w->error);
        put_plain(w, &w->error, text);
        hear(w, "%s ! %.*s %.*s%s", c->id.p, STR_ARG(json_str(json_get(object, STR("code")))),
             STR_ARG(json_str(json_get(details, STR("execution_guarantee")))),
             json_bool(json_get(object, STR("retryable"))) ? " retryable" : "");
    } else {
        if (c->tool && (c->tool->control || c->tool->mode == TOOL_JOB) &&
            !schema_check(c->tool->output, object, &err))
            fail_msg("%s", err.text);
        hear(w, "%s%s %.*s", c->id.p, json_bool(json_get(result, STR("isError"))) ? " !" : "",
             STR_ARG(text));
    }
    arena_done(&a);
}

static inline void hear_answer(struct client *c, const struct rpc_message *m)
{
    struct world *w = c->w;
    const struct json *result = m->result;
    const struct json *task = json_get(result, STR("task"));
    int64_t code = 0;
    struct str id = json_str(json_get(task ? task : result, STR("taskId")));
    struct str status = json_str(json_get(task ? task : result, STR("status")));
    struct buf text = {0};
    struct jsonw jw = jsonw_make(&text);
    if (m->kind != RPC_RESPONSE)
        fail_msg("no response");
    if (!result) {
        json_i64(json_get(m->failure, STR("code")), &code);
        hear(w, "%s error %d", c->id.p, (int)code);
    } else if (json_get(result, STR("content"))) {
        hear_tool(c, result);
    } else if (id.n) {
        hear(w, "%s task %.*s %.*s", c->id.p, STR_ARG(id), STR_ARG(status));
        if (json_get(result, STR("result")))
            hear_tool(c, json_get(result, STR("result")));
    } else {
        jsonw_value(&jw, result);
        hear(w, "%s result %s", c->id.p, text.p);
    }
    buf_done(&text);
}

static inline void on_client_finish(struct mcp_sink *sink, int status, const struct str *parts,
                                    size_t count)
{
    struct client *c = (struct client *)(void *)sink;
    struct buf message = {0};
    struct arena a = {0};
    struct rpc_message m;
    (void)status;
    for (size_t i = 0; i < count; i++)
        buf_add(&message, parts[i]);
    if (!count) {
        hear(c->w, "%s -", c->id.p);
    } else {
        assert_true(rpc_parse(&m, &a, buf_str(&message), 0));
        hear_answer(c, &m);
    }
    arena_done(&a);
    buf_done(&message);
    client_free(c);
}

static inline void on_client_send(struct mcp_sink *sink, struct str message, bool may_drop)
{
    struct client *c = (struct client *)(void *)sink;
    struct arena a = {0};
    const struct json *params = json_get(json_parse(&a, message, NULL, NULL), STR("params"));
    struct str progress = json_number_text(json_get(params, STR("progress")));
    (void)may_drop;
    hear(c->w, "%s ... %.*s %.*s", c->id.p, STR_ARG(progress),
         STR_ARG(json_str(json_get(params, STR("message")))));
    arena_done(&a);
}

static const struct mcp_sink_impl client_sink_impl = {on_client_send, on_client_finish, NULL};

static inline void on_notice(struct mcp_session *s, struct str message)
{
    struct arena a = {0};
    struct str method = json_str(json_get(json_parse(&a, message, NULL, NULL), STR("method")));
    if (!str_eq(method, STR("notifications/tasks/status")))
        hear(s->transport, "* %.*s", STR_ARG(method));
    arena_done(&a);
}

static inline const struct tool *tool_of(const struct world *w, const struct json *params)
{
    return catalog_find(w->b->catalog, json_str(json_get(params, STR("name"))));
}

/* A message of a client; NULL session: modern, over HTTP. */
static inline void send_as(struct world *w, struct mcp_session *s, const char *message)
{
    struct buf text = {0}, out = {0};
    put_real(w, &text, str_from(message));
    struct mcp_call *call = mcp_call_new(bridge_mcp_server(w->mcp), &text, 0, &out);
    assert_non_null(call);
    if (call->message.kind == RPC_REQUEST) {
        struct client *c = mem_zalloc(sizeof *c);
        c->sink.impl = &client_sink_impl;
        c->w = w;
        c->call = call;
        c->tool = tool_of(w, call->message.params);
        buf_add(&c->id, json_number_text(call->message.id));
        list_add(&w->clients, &c->in);
        call->sink = &c->sink;
    }
    if (mcp_modern_is_claimed(&call->message))
        mcp_modern_receive(call, s, NULL);
    else
        mcp_legacy_receive(call, s);
    settle(w);
}

static inline void ask(struct world *w, const char *id, const char *method, const char *params)
{
    struct buf text = {0};
    buf_printf(&text, "{'jsonrpc':'2.0','id':%s,'method':'%s','params':%s}", id, method, params);
    send_as(w, w->s, text.p);
    buf_done(&text);
}

static inline void call(struct world *w, const char *id, const char *tool, const char *arguments)
{
    struct buf params = {0};
    buf_printf(&params, "{'name':'%s','arguments':%s}", tool, arguments);
    ask(w, id, "tools/call", params.p);
    buf_done(&params);
}

/* The same with a progress token. */
static inline void call_with_progress(struct world *w, const char *id, const char *tool,
                                      const char *arguments)
{
    struct buf params = {0};
    buf_printf(&params, "{'name':'%s','arguments':%s,'_meta':{'progressToken':%s}}", tool,
               arguments, id);
    ask(w, id, "tools/call", params.p);
    buf_done(&params);
}

#define MODERN_META                                                                                \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                             \
    "'io.modelcontextprotocol/clientCapabilities':"                                                \
    "{'extensions':{'io.modelcontextprotocol/tasks':{}}}}"

/* A modern request of a client that can follow tasks. */
static inline void ask_modern(struct world *w, const char *id, const char *method,
                              const char *members)
{
    struct buf text = {0};
    buf_printf(&text, "{'jsonrpc':'2.0','id':%s,'method':'%s','params':{%s," MODERN_META "}}", id,
               method, members);
    send_as(w, NULL, text.p);
    buf_done(&text);
}

/* notifications/cancelled */
static inline void cancel(struct world *w, const char *id)
{
    struct buf text = {0};
    buf_printf(&text,
               "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%s}}",
               id);
    send_as(w, w->s, text.p);
    buf_done(&text);
}

/* The connection of a request's client breaks. */
static inline void hang_up(struct world *w, const char *id)
{
    LIST_EACH (&w->clients, struct client, in, c) {
        if (!str_eq(buf_str(&c->id), str_from(id)))
            continue;
        struct mcp_call *lost = c->call;
        client_free(c);
        mcp_call_disconnect(lost);
        settle(w);
        return;
    }
    fail_msg("no such request: %s", id);
}

/* ---- the whole */

static inline void open_world(struct world *w)
{
    w->options.limits = &w->limits;
    w->b = bridge_new(w->loop, &w->options);
    w->mcp = bridge_mcp_new(w->loop, w->b);
    w->s = mcp_session_new(bridge_mcp_server(w->mcp), true);
    w->s->notify = on_notice;
    w->s->transport = w;
    ask(w, "0", "initialize", "{'protocolVersion':'2025-11-25','capabilities':{}}");
    buf_clear(&w->heard);
}

/* Everything but the bridge: limits and options can still be set, then open_world(). */
static inline void make_world(struct world *w)
{
    log_setup(LOG_TEXT, LOG_ERROR);
    *w = (struct world){.loop = loop_new()};
    w->a = (struct fake_editor){w, "", "editor-a", "/p", NULL, false};
    w->second = (struct fake_editor){w, "b", "editor-b", "/p", NULL, false};
    limits_init(&w->limits);
    list_init(&w->clients);
}

static inline void stop_bridge(struct world *w)
{
    bridge_stop(w->b);
    bridge_mcp_stop(w->mcp);
}

static inline void set_up(struct world *w)
{
    make_world(w);
    open_world(w);
    bridge_start(w->b);
}

static inline void pass(struct world *w, uint64_t ms)
{
    loop_pass(w->loop, ms);
}

/* For long times: the editor sends a message now and then. */
static inline void pass_alive(struct world *w, uint64_t ms)
{
    for (uint64_t step; ms; ms -= step) {
        step = ms < 10000 ? ms : 10000;
        if (w->a.link) /* old, and a sign of life all the same */
            say(&w->a, "{'type':'editor_status','seq':0,'state':'ready'}");
        loop_pass(w->loop, step);
    }
}

/* ---- a running job and its messages */

#define SUMMARY                                                                                    \
    "{'summary':{'total':1,'passed':1,'failed':0,'skipped':0,'inconclusive':0,'duration_ms':5},"   \
    "'failed_tests':[],'skipped_tests':[],'truncated':false}"
#define STATUS(job, state) "{'job_id':'" job "','tool':'run_tests','state':'" state "',"
#define TIMES2             "'submitted_at':'T','started_at':'T'"
#define TIMES3             "'submitted_at':'T','started_at':'T','finished_at':'T'"

#define RUNNING   STATUS("job-1", "running") "'progress':null," TIMES2 "}\n"
#define CANCELLED STATUS("job-1", "cancelled") "'progress':null," TIMES3 "}\n"

static inline void set_up_job(struct world *w)
{
    set_up(w);
    enter(&w->a, "ready");
    call(w, "1", "run_tests", "{}");
    say_accepted(&w->a, "req-1", "job-1");
    HEARD(w, "> submit_job req-1 job-1 run_tests\n"
             "1 {'job_id':'job-1','state':'running'}\n");
}

/* ---- the end */

static inline void tear_down(struct world *w)
{
    stop_bridge(w);
    assert_true(list_is_empty(&w->clients)); /* everybody got an answer */
    assert_int_equal(mcp_open_calls(bridge_mcp_server(w->mcp)), 0);
    loop_pass(w->loop, 3000);
    assert_true(bridge_is_quiet(w->b));
    bridge_mcp_free(w->mcp);
    bridge_free(w->b);
    loop_free(w->loop);
    buf_done(&w->heard);
    buf_done(&w->messages);
    buf_done(&w->error);
    map_done(&w->sent);
}
