#include "net/http_exchange.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "net/http_server_internal.h"

#define BEHIND_MAX (64u << 10) /* waiting bytes at which reading stops until the answer is sent */
#define DRAINED_MAX                                                                                \
    (16u << 20) /* input thrown away at the end: mostly the body that was too long */
#define LINGER_MS   1000u
#define SMALL_BODY  (64u << 10) /* bodies up to this size are never refused because of others */
#define EXTRA_MAX   (64u << 10)
#define SURPLUS_MAX 64u /* connections beyond the limit that still get their 503 */

/* The parts of a body are written together with the head, the chunk size and the chunk end. */
_Static_assert(HTTP_MAX_PARTS + 3 <= STREAM_MAX_PARTS, "one call writes all of it");

static void take_requests(struct http_exchange *c);

/* ---- the end of a connection */

static void free_conn(struct http_exchange *c)
{
    http_decoder_free(c->decoder);
    buf_done(&c->behind);
    buf_done(&c->head);
    buf_done(&c->extra);
    free(c);
}

static bool is_pending(const struct http_exchange *c)
{
    return c->phase == CONN_PENDING || c->phase == CONN_PIECES;
}

bool http_exchange_is_timed(const struct http_exchange *c)
{
    return (!is_pending(c) && c->phase != CONN_CLOSED) || stream_queued(c->stream);
}

static void set_phase(struct http_exchange *c, enum conn_phase phase)
{
    c->phase = phase;
    c->since = loop_now(c->loop);
    if (phase != CONN_CLOSED && http_exchange_is_timed(c))
        http_server_start_sweep(c->server);
}

void http_exchange_close(struct http_exchange *c)
{
    bool pending = is_pending(c);
    if (c->phase == CONN_CLOSED)
        return;
    set_phase(c, CONN_CLOSED);
    http_server_forget(c);
    c->input = (struct str){0};
    if (pending && c->on_gone)
        c->on_gone(c, c->ctx);
    stream_close(c->stream);
}

/* The answer is written: give the client time to read it, then close. */
static void begin_linger(struct http_exchange *c)
{
    set_phase(c, CONN_LINGER);
    c->input = (struct str){0};
    buf_done(&c->behind);
    stream_shutdown(c->stream);
    stream_read_start(c->stream);
}

static void write_parts(struct http_exchange *c, const struct str *parts, size_t count)
{
    if (!stream_queued(c->stream))
        c->moved_at = loop_now(c->loop); /* until now there was nothing to read */
    stream_write_parts(c->stream, parts, count);
    if (stream_queued(c->stream))
        http_server_start_sweep(c->server);
}

/* Write parts of an answer in pieces, after its head if that still waits. */
static void send_pieces(struct http_exchange *c, const struct str *parts, size_t count)
{
    struct str all[STREAM_MAX_PARTS] = {buf_str(&c->head)};
    size_t n = c->held ? 1 : 0;
    assert(count < sizeof all / sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[n++] = parts[i];
    c->held = false;
    if (n)
        write_parts(c, all, n);
}

static void on_later(void *ctx)
{
    struct http_exchange *c = ctx;
    c->scheduled = false;
    if (c->phase == CONN_CLOSED) {
        if (!c->stream)
            free_conn(c);
    } else if (c->too_slow) {
        http_exchange_close(c);
    } else {
        if (c->phase == CONN_PIECES)
            send_pieces(c, NULL, 0);
        take_requests(c);
    }
}

static void schedule_later(struct http_exchange *c)
{
    if (c->scheduled)
        return;
    c->scheduled = true;
    loop_defer(c->loop, on_later, c);
}

/* ---- writing an answer */

static void add_number(struct buf *b, size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    buf_add(b, str_make(digits + at, sizeof digits - at));
}

static void add_header(struct buf *b, struct str name, struct str value)
{
    buf_add(b, name);
    buf_add(b, value);
    buf_add(b, STR("\r\n"));
}

/* Write the head except the headers about the body's length. */
static void start_head(struct http_exchange *c, int status, const char *type)
{
    struct buf *h = &c->head;
    buf_clear(h);
    buf_add(h, STR("HTTP/1.1 "));
    add_number(h, (size_t)status);
    add_header(h, STR(" "), str_from(http_status_text(status)));
    add_header(h, STR("Date: "), str_from(http_server_date(c->server)));
    if (type)
        add_header(h, STR("Content-Type: "), str_from(type));
    buf_add(h, buf_str(&c->extra));
    buf_clear(&c->extra);
}

static void add_connection(struct http_exchange *c)
{
    if (c->server->stopping)
        c->keep_alive = false;
    if (!c->keep_alive)
        buf_add(&c->head, STR("Connection: close\r\n"));
    else if (http_decoder_request(c->decoder)->http10)
        buf_add(&c->head, STR("Connection: keep-alive\r\n"));
}

static void finish_answer(struct http_exchange *c)
{
    c->on_gone = c->on_drain = NULL;
    if (!c->keep_alive || c->server->stopping) {
        begin_linger(c);
        return;
    }
    set_phase(c, CONN_IDLE);
    if (!c->running && c->behind.n)
        schedule_later(c); /* not now: the caller may not expect the next request yet */
}

static void send_whole(struct http_exchange *c, int status, const char *type,
                       const struct str *parts, size_t count)
{
    bool bodiless = status == 204 || status == 304;
    struct str all[1 + HTTP_MAX_PARTS];
    assert(count <= HTTP_MAX_PARTS);
    start_head(c, status, type);
    add_connection(c);
    if (!bodiless) {
        buf_add(&c->head, STR("Content-Length: "));
        add_number(&c->head, str_sum(parts, count));
        buf_add(&c->head, STR("\r\n"));
    }
    buf_add(&c->head, STR("\r\n"));
    all[0] = buf_str(&c->head);
    for (size_t i = 0; i < count; i++)
        all[1 + i] = parts[i];
    write_parts(c, all, bodiless || c->head_only ? 1 : 1 + count);
    finish_answer(c);
}

/* The message may quote the request, so keep browsers from rendering it as a page. */
static void send_refusal(struct http_exchange *c, int status, const char *message)
{
    struct buf body = buf_make(64u << 10);
    const char *type = "text/plain; charset=utf-8";
    if (c->server->options.error_body)
        type = c->server->options.error_body(&body, status, message);
    else
        buf_printf(&body, "%s\n", message);
    http_exchange_set_header(c, "Content-Security-Policy",
                             STR("default-src 'none'; frame-ancestors 'none'"));
    http_exchange_set_header(c, "X-Content-Type-Options", STR("nosniff"));
    send_whole(c, status, type, &(struct str){body.p, body.n}, 1);
    buf_done(&body);
}

/* For refusals at a point where the start of the next request is unknown. */
static void refuse_and_close(struct http_exchange *c, int status, const char *message)
{
    c->keep_alive = false;
    send_refusal(c, status, message);
}

/* ---- reading requests */

/* Check a well-formed head. Return the status of the refusal, with its headers and message set, or
 * 0 to accept the request. */
static int check_head(struct http_exchange *c, const struct http_request *r, struct buf *message)
{
    const struct http_guard *guard = &c->server->guard;
    int status = http_guard_check(guard, r, message);
    if (status)
        return status;

    struct buf allow = buf_make(1024);
    c->entry = http_server_match_route(c->server, r, &allow);
    if (!c->entry || !c->entry->is_public)
        status = http_guard_check_token(guard, r, message);
    if (status) {
        http_exchange_set_header(c, "WWW-Authenticate", STR("Bearer"));
    } else if (!c->entry && allow.n) {
        status = 405;
        http_exchange_set_header(c, "Allow", buf_str(&allow));
        buf_printf(message, "The method %.*s is not allowed here: use %s.", STR_ARG(r->method),
                   allow.p);
    } else if (!c->entry) {
        status = 404;
        buf_add(message, STR("There is nothing at "));
        http_guard_quote(message, r->path);
        buf_add_char(message, '.');
    } else if (http_field_times(r, STR("Expect")) && !r->http10 && !r->expects_continue) {
        status = 417;
        buf_add(message,
                STR("The Expect header is not supported: use 100-continue, or leave it out."));
    }
    buf_done(&allow);
    return status;
}

static void on_head(struct http_exchange *c)
{
    const struct http_request *r = http_decoder_request(c->decoder);
    struct buf message = buf_make(4096);
    c->keep_alive = r->keep_alive;
    c->head_only = str_eq(r->method, STR("HEAD"));
    set_phase(c, CONN_BODY);
    int status = check_head(c, r, &message);
    if (status && r->has_body) {
        refuse_and_close(c, status, message.p);
    } else if (status) {
        size_t used;
        enum http_event e = http_decoder_feed(c->decoder, (struct str){0}, &used);
        assert(e == HTTP_COMPLETE);
        (void)e;
        send_refusal(c, status, message.p);
    } else if (r->expects_continue && r->has_body && !c->input.n) {
        stream_write(c->stream, STR("HTTP/1.1 100 Continue\r\n\r\n"));
    }
    buf_done(&message);
}

/* Handle one event of the decoder; return false when the available input allows no more. */
static bool take_event(struct http_exchange *c)
{
    size_t used;
    enum http_event e = http_decoder_feed(c->decoder, c->input, &used);
    c->input = str_skip(c->input, used);
    switch (e) {
    case HTTP_MORE:
        if (c->phase == CONN_IDLE && !http_decoder_is_idle(c->decoder))
            set_phase(c, CONN_HEAD);
        return false;
    case HTTP_HEAD:
        on_head(c);
        return true;
    case HTTP_COMPLETE:
        set_phase(c, CONN_PENDING);
        c->entry->route.on_request(c, c->entry->route.ctx);
        return true;
    case HTTP_BAD:
        c->head_only = false;
        refuse_and_close(c, http_decoder_status(c->decoder), http_decoder_reason(c->decoder));
        return false;
    }
    return false;
}

static bool can_take_event(const struct http_exchange *c)
{
    if (c->phase == CONN_BODY)
        return true;
    if (c->phase == CONN_IDLE && stream_queued(c->stream) > STREAM_LOW_WATER)
        return false; /* on_drain() continues */
    return (c->phase == CONN_IDLE || c->phase == CONN_HEAD) && c->input.n;
}

/* Count the bytes of bodies being received on all connections. Above the limit, refuse this body if
 * it is large; small ones continue. */
static void count_incoming(struct http_exchange *c)
{
    size_t now = c->phase == CONN_BODY ? http_decoder_request(c->decoder)->body.n : 0;
    c->server->incoming += now - c->incoming;
    c->incoming = now;
    if (c->server->incoming <= c->server->options.max_incoming || now <= SMALL_BODY)
        return;
    refuse_and_close(c, 503, "This server is receiving too much at once: try again.");
    struct buf body = http_exchange_take_body(c);
    buf_done(&body);
    count_incoming(c);
}

/* Return false if the connection is closed, or was handed over and is freed. */
static bool run_requests(struct http_exchange *c, struct str input)
{
    c->input = input;
    c->running = true;
    while (can_take_event(c) && take_event(c)) {
    }
    c->running = false;
    if (c->phase != CONN_CLOSED) {
        count_incoming(c);
        return true;
    }
    if (!c->stream && !c->scheduled)
        free_conn(c);
    return false;
}

static void take_requests(struct http_exchange *c)
{
    if (c->phase > CONN_BODY)
        return;
    if (!run_requests(c, buf_str(&c->behind)))
        return;
    buf_drop(&c->behind, c->behind.n - c->input.n);
    c->input = (struct str){0};
    if (c->stopped && c->behind.n < BEHIND_MAX) {
        c->stopped = false;
        stream_read_start(c->stream);
    }
    if (!c->behind.n && c->behind.cap)
        buf_done(&c->behind);
}

static void store_behind(struct http_exchange *c, struct str bytes)
{
    buf_add(&c->behind, bytes);
    if (c->behind.n >= BEHIND_MAX) {
        c->stopped = true;
        stream_read_stop(c->stream);
    }
}

static void drop_input(struct http_exchange *c, struct str bytes)
{
    c->drained += bytes.n;
    if (c->drained > DRAINED_MAX)
        http_exchange_close(c);
}

/* ---- events of the stream */

static void on_read(struct stream *s, struct str bytes, void *ctx)
{
    struct http_exchange *c = ctx;
    (void)s;
    if (c->phase == CONN_LINGER) {
        drop_input(c, bytes);
        return;
    }
    if (c->behind.n || is_pending(c)) {
        store_behind(c, bytes);
        return;
    }
    if (!run_requests(c, bytes))
        return;
    if (c->input.n)
        store_behind(c, c->input);
    c->input = (struct str){0};
}

static void on_end(struct stream *s, const char *why, void *ctx)
{
    struct http_exchange *c = ctx;
    if (!why && !is_pending(c) && stream_queued(s)) {
        /* The client ended only its own side and may still read the answers it asked for. */
        set_phase(c, CONN_LINGER);
        stream_finish(s);
        return;
    }
    http_exchange_close(c);
}

static void on_drain(struct stream *s, void *ctx)
{
    struct http_exchange *c = ctx;
    (void)s;
    if (c->phase == CONN_PIECES && c->on_drain)
        c->on_drain(c, c->ctx);
    else if (c->phase == CONN_IDLE && c->behind.n)
        schedule_later(c);
}

static void on_closed(struct stream *s, void *ctx)
{
    struct http_exchange *c = ctx;
    (void)s;
    http_exchange_close(c); /* after stream_finish() nobody else has */
    c->stream = NULL;
    if (!c->scheduled)
        free_conn(c);
}

static const struct stream_events events = {on_read, on_end, on_drain, on_closed};

void http_exchange_open(struct http_server *s, struct stream *stream)
{
    bool full = s->conn_count - s->surplus_count >= s->options.max_connections;
    if (full && s->surplus_count >= SURPLUS_MAX) {
        stream_close(stream);
        return;
    }
    struct http_exchange *c = mem_zalloc(sizeof *c);
    c->server = s;
    c->loop = s->loop;
    c->stream = stream;
    c->decoder = http_decoder_new(&s->options.limits);
    c->surplus = full;
    c->extra.max = EXTRA_MAX;
    c->moved_at = loop_now(s->loop);
    list_add(&s->conns, &c->link);
    s->conn_count++;
    s->surplus_count += full;
    set_phase(c, CONN_IDLE);
    stream_set_events(stream, &events, c);
    stream_read_start(stream);
    if (full)
        refuse_and_close(c, 503, "This server has too many connections: close some.");
}

/* ---- time-outs and the end of the server */

static bool is_stalled(struct http_exchange *c, uint64_t now)
{
    uint64_t taken = stream_taken(c->stream);
    if (taken != c->taken || !stream_queued(c->stream)) {
        c->taken = taken;
        c->moved_at = now;
    }
    return now - c->moved_at >= c->server->options.stall_ms;
}

void http_exchange_check_time(struct http_exchange *c, uint64_t now)
{
    const struct http_server_options *o = &c->server->options;
    uint64_t age = now - c->since;
    if (is_stalled(c, now)) {
        http_exchange_close(c);
        return;
    }
    switch (c->phase) {
    case CONN_IDLE:
        if (age >= o->idle_ms && !stream_queued(c->stream))
            begin_linger(c);
        break;
    case CONN_HEAD:
        if (age >= o->head_ms)
            refuse_and_close(c, 408, "The head of the request took too long to arrive.");
        break;
    case CONN_BODY:
        if (age >= o->body_ms)
            refuse_and_close(c, 408, "The body of the request took too long to arrive.");
        break;
    case CONN_LINGER:
        if (stream_queued(c->stream))
            c->since = now; /* the wait begins when the client has read the answer */
        else if (age >= LINGER_MS)
            http_exchange_close(c);
        break;
    case CONN_PENDING:
    case CONN_PIECES:
    case CONN_CLOSED:
        break;
    }
}

void http_exchange_stop(struct http_exchange *c)
{
    if (c->phase == CONN_IDLE && !c->running)
        begin_linger(c);
    else if ((c->phase == CONN_HEAD || c->phase == CONN_BODY) && !c->running)
        refuse_and_close(c, 503, "This server is stopping.");
}

/* ---- the public functions */

const struct http_request *http_exchange_request(const struct http_exchange *x)
{
    return http_decoder_request(x->decoder);
}

struct str http_exchange_header(const struct http_exchange *x, struct str name)
{
    return http_field_value(http_exchange_request(x), name);
}

struct buf http_exchange_take_body(struct http_exchange *x)
{
    struct http_request *r = http_decoder_request(x->decoder);
    struct buf body = r->body;
    r->body = (struct buf){.max = body.max};
    return body;
}

struct loop *http_exchange_loop(const struct http_exchange *x)
{
    return x->loop;
}

void http_exchange_watch(struct http_exchange *x, http_request_fn *on_gone,
                         http_request_fn *on_drained, void *ctx)
{
    assert(is_pending(x));
    x->on_gone = on_gone;
    x->on_drain = on_drained;
    x->ctx = ctx;
}

void http_exchange_set_header(struct http_exchange *x, const char *name, struct str value)
{
    struct str n = str_from(name);
    if (str_eq_nocase(n, STR("Connection"))) {
        if (http_has_token(value, STR("close")))
            x->keep_alive = false;
        return;
    }
    assert(n.n && !strpbrk(name, "\r\n: "));
    if (n.n + value.n + 4 > EXTRA_MAX - x->extra.n)
        return;
    buf_add(&x->extra, n);
    buf_add(&x->extra, STR(": "));
    for (size_t i = 0; i < value.n; i++) {
        unsigned char ch = (unsigned char)value.p[i];
        buf_add_char(&x->extra, (ch < ' ' && ch != '\t') || ch == 0x7f ? ' ' : (char)ch);
    }
    buf_add(&x->extra, STR("\r\n"));
}

void http_exchange_reply(struct http_exchange *x, int status, const char *type, struct str body)
{
    http_exchange_reply_parts(x, status, type, &body, 1);
}

void http_exchange_reply_parts(struct http_exchange *x, int status, const char *type,
                               const struct str *parts, size_t count)
{
    assert(x->phase == CONN_PENDING);
    send_whole(x, status, type, parts, count);
}

void http_exchange_refuse(struct http_exchange *x, int status, const char *fmt, ...)
{
    assert(x->phase == CONN_PENDING);
    struct buf message = buf_make(64u << 10);
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&message, fmt, args);
    va_end(args);
    send_refusal(x, status, message.p ? message.p : "");
    buf_done(&message);
}

void http_exchange_begin(struct http_exchange *x, int status, const char *type)
{
    assert(x->phase == CONN_PENDING);
    x->chunked = !http_exchange_request(x)->http10;
    x->keep_alive = x->keep_alive && x->chunked; /* HTTP/1.0: the end of the connection ends it */
    x->too_slow = false;
    set_phase(x, CONN_PIECES);
    start_head(x, status, type);
    add_connection(x);
    if (x->chunked)
        buf_add(&x->head, STR("Transfer-Encoding: chunked\r\n"));
    buf_add(&x->head, STR("\r\n"));
    x->held = true;
    schedule_later(x);
}

bool http_exchange_write_parts(struct http_exchange *x, const struct str *parts, size_t count)
{
    size_t bytes = str_sum(parts, count);
    assert(x->phase == CONN_PIECES && count <= HTTP_MAX_PARTS);
    if (x->too_slow)
        return false;
    if (x->head_only || !bytes)
        return true;
    char size[24];
    struct str chunk[HTTP_MAX_PARTS + 2];
    int n = snprintf(size, sizeof size, "%zx\r\n", bytes);
    chunk[0] = str_make(size, (size_t)n);
    for (size_t i = 0; i < count; i++)
        chunk[1 + i] = parts[i];
    chunk[1 + count] = STR("\r\n");
    send_pieces(x, x->chunked ? chunk : chunk + 1, x->chunked ? count + 2 : count);
    if (stream_queued(x->stream) <= HTTP_MAX_QUEUED)
        return true;
    x->too_slow = true;
    schedule_later(x);
    return false;
}

bool http_exchange_write(struct http_exchange *x, struct str bytes)
{
    return http_exchange_write_parts(x, &bytes, 1);
}

size_t http_exchange_queued(const struct http_exchange *x)
{
    return stream_queued(x->stream);
}

void http_exchange_end(struct http_exchange *x)
{
    assert(x->phase == CONN_PIECES);
    if (x->too_slow) {
        x->on_gone = x->on_drain = NULL; /* for its user the exchange ends here */
        return;
    }
    const struct str last = STR("0\r\n\r\n");
    send_pieces(x, &last, x->chunked && !x->head_only ? 1 : 0);
    finish_answer(x);
}

struct stream *http_exchange_upgrade(struct http_exchange *x, struct buf *rest)
{
    assert(x->phase == CONN_PENDING);
    struct stream *stream = x->stream;
    start_head(x, 101, NULL);
    buf_add(&x->head, STR("Connection: Upgrade\r\n\r\n"));
    stream_read_stop(stream);
    stream_write(stream, buf_str(&x->head));
    buf_add(rest, x->running ? x->input : buf_str(&x->behind));
    set_phase(x, CONN_CLOSED);
    http_server_forget(x);
    x->stream = NULL;
    x->input = (struct str){0};
    if (!x->running && !x->scheduled)
        free_conn(x);
    return stream;
}
