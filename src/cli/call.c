#include "cli/call.h"

#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/loop.h"
#include "net/http_client.h"
#include "net/sse.h"

#define REVISION   "2026-07-28"
#define META(name) "io.modelcontextprotocol/" name
#define REQUEST_ID 1

struct call {
    const struct call_request *request;
    struct call_answer *answer;
    struct loop *loop;
    struct http_client *client; /* NULL: it has ended */
    struct timer timeout;
    struct sse_reader events;
    struct buf body;
    bool is_stream;
    bool settled; /* the outcome is known: ignore everything that still arrives */
};

static void settle_call(struct call *c, enum call_outcome outcome)
{
    if (c->settled)
        return;
    c->settled = true;
    c->answer->outcome = outcome;
    if (c->client)
        http_client_cancel(c->client);
}

/* ---- receiving */

/* Take a response as the answer, report progress, ignore other notifications. Return false if the
 * text is not JSON-RPC. */
static bool take_message(struct call *c, struct str text)
{
    struct arena a = {0};
    const struct json *m = json_parse(&a, text, NULL, NULL);
    bool ok = str_eq(json_str(json_get(m, STR("jsonrpc"))), STR("2.0"));
    const struct json *method = json_get(m, STR("method"));
    bool is_response = json_is(json_get(m, STR("result")), JSON_OBJECT) ||
                       json_is(json_get(m, STR("error")), JSON_OBJECT);
    if (ok && method) {
        if (str_eq(json_str(method), STR("notifications/progress")) && c->request->on_progress)
            c->request->on_progress(json_get(m, STR("params")), c->request->ctx);
    } else if (ok && is_response) {
        buf_add(&c->answer->message, text);
        settle_call(c, CALL_ANSWERED);
    } else {
        ok = false;
    }
    arena_done(&a);
    return ok;
}

static void on_head(struct http_client *client, const struct http_response *response, void *ctx)
{
    struct call *c = ctx;
    (void)client;
    c->answer->status = response->status;
    c->is_stream = http_has_token(http_response_field(response, STR("Content-Type")),
                                  STR("text/event-stream"));
    if (response->status == 401)
        settle_call(c, CALL_UNAUTHORIZED);
}

static void on_body(struct http_client *client, struct str bytes, void *ctx)
{
    struct call *c = ctx;
    enum sse_reader_event e;
    size_t used;
    (void)client;
    if (c->settled)
        return;
    if (!c->is_stream) {
        buf_add(&c->body, bytes);
        return;
    }
    while (!c->settled && (e = sse_reader_feed(&c->events, bytes, &used)) != SSE_READER_MORE) {
        bytes = str_skip(bytes, used);
        if (e == SSE_READER_BAD || !take_message(c, c->events.event.data))
            settle_call(c, CALL_FOREIGN);
    }
}

static void on_end(struct http_client *client, const char *reason, void *ctx)
{
    struct call *c = ctx;
    bool unreachable = http_client_is_unreachable(client);
    c->client = NULL;
    if (!c->settled) {
        snprintf(c->answer->reason, sizeof c->answer->reason, "%s",
                 reason ? reason : "the answer is missing");
        if (unreachable)
            settle_call(c, CALL_UNREACHABLE);
        else if (reason || c->is_stream)
            settle_call(c, CALL_LOST);
        else if (!take_message(c, buf_str(&c->body)))
            settle_call(c, CALL_FOREIGN);
        settle_call(c, CALL_FOREIGN); /* a notification instead of the answer */
    }
    loop_stop(c->loop);
}

static const struct http_client_events client_events = {
    .on_head = on_head, .on_body = on_body, .on_end = on_end};

static void on_interrupt(void *ctx)
{
    settle_call(ctx, CALL_INTERRUPTED);
}

static void on_timeout(void *ctx)
{
    settle_call(ctx, CALL_TIMED_OUT);
}

/* ---- sending */

static void put_request(struct buf *out, const struct call_request *r)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "jsonrpc", "2.0");
    jsonw_kint(&w, "id", REQUEST_ID);
    jsonw_kcstr(&w, "method", "tools/call");
    jsonw_key(&w, "params");
    jsonw_object(&w);
    jsonw_kstr(&w, "name", r->tool);
    jsonw_kraw(&w, "arguments", r->arguments);
    jsonw_key(&w, "_meta");
    jsonw_object(&w);
    jsonw_kcstr(&w, META("protocolVersion"), REVISION);
    jsonw_key(&w, META("clientCapabilities"));
    jsonw_object(&w);
    jsonw_end(&w);
    jsonw_key(&w, META("clientInfo"));
    jsonw_object(&w);
    jsonw_kcstr(&w, "name", "multiverse-call");
    jsonw_kcstr(&w, "version", MULTIVERSE_VERSION);
    jsonw_end(&w);
    if (r->on_progress)
        jsonw_kint(&w, "progressToken", REQUEST_ID);
    jsonw_end(&w);
    jsonw_end(&w);
    jsonw_end(&w);
}

void call_run(const struct call_request *request, struct call_answer *answer)
{
    struct call c = {.request = request, .answer = answer, .loop = loop_new()};
    struct buf body = {0};
    const struct http_field fields[] = {
        {STR("Content-Type"), STR("application/json")},
        {STR("Accept"), STR("application/json, text/event-stream")},
        {STR("MCP-Protocol-Version"), STR(REVISION)},
        {STR("Mcp-Method"), STR("tools/call")},
        {STR("Mcp-Name"), request->tool},
    };
    put_request(&body, request);
    sse_reader_init(&c.events, CALL_MAX_BYTES);
    const struct http_client_request r = {
        .port = request->port,
        .method = "POST",
        .path = request->path,
        .fields = fields,
        .field_count = sizeof fields / sizeof *fields,
        .token = request->token,
        .body = buf_str(&body),
        .max_body = CALL_MAX_BYTES,
    };
    loop_on_signal(c.loop, SIGINT, on_interrupt, &c);
    if (request->timeout_ms)
        timer_start(&c.timeout, c.loop, request->timeout_ms, on_timeout, &c);
    c.client = http_client_start(c.loop, &r, &client_events, &c);
    loop_run(c.loop);
    timer_stop(&c.timeout);
    loop_free(c.loop);
    sse_reader_done(&c.events);
    buf_done(&c.body);
    buf_done(&body);
}

void call_answer_done(struct call_answer *answer)
{
    buf_done(&answer->message);
}

/* ---- the URL */

static bool fail_url(const char *url, struct error *err)
{
    return error_set(err, ERR_INVALID_PARAMS,
                     "--url must be http://127.0.0.1:PORT/mcp, localhost or [::1], not \"%s\"",
                     url);
}

bool call_read_url(const char *url, uint16_t *port, const char **path, struct error *err)
{
    static const struct str hosts[] = {STR_INIT("127.0.0.1"), STR_INIT("localhost"),
                                       STR_INIT("[::1]")};
    struct str rest = str_from(url), scheme = STR("http://");
    uint64_t n = 80;
    size_t i = 0;
    if (!str_starts(rest, scheme))
        return fail_url(url, err);
    rest = str_skip(rest, scheme.n);
    struct str authority = str_head(rest, str_find_char(rest, '/'));
    struct str tail = str_skip(rest, authority.n);
    while (i < sizeof hosts / sizeof *hosts &&
           !(authority.n >= hosts[i].n && str_eq_nocase(str_head(authority, hosts[i].n), hosts[i])))
        i++;
    if (i == sizeof hosts / sizeof *hosts)
        return fail_url(url, err);
    struct str after = str_skip(authority, hosts[i].n);
    if (after.n && (after.p[0] != ':' || !str_to_u64(str_skip(after, 1), &n)))
        return fail_url(url, err);
    if (n == 0 || n > UINT16_MAX || str_find_char(tail, '#') < tail.n)
        return fail_url(url, err);
    *port = (uint16_t)n;
    *path = tail.n > 1 ? tail.p : "/mcp";
    return true;
}
