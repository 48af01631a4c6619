#include "net/http.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "net/http_lines.h"

/* llhttp's name of the HEAD method is our name of an event. */
#define HTTP_HEAD LLHTTP_METHOD_HEAD
#include <llhttp.h>
#undef HTTP_HEAD

#define REASON_MAX 200
#define KEPT_HEAD  (8u << 10)  /* memory an idle decoder keeps */
#define KEPT_BODY  (64u << 10) /* the same, for the body */
#define FIRST_BODY (64u << 10) /* most memory allocated for a Content-Length alone */

enum decoder_phase {
    AT_HEAD,
    AT_BODY,
    AT_END,
    AT_BAD
};

/* Offsets into the raw head, which moves while it grows. */
struct head_span {
    size_t at, n;
};

struct http_decoder {
    llhttp_t parser;
    struct http_limits limits;
    enum decoder_phase phase;
    bool begun;   /* more than empty lines was received */
    bool in_name; /* the last header is not yet past its colon */
    char last;    /* the byte before the current piece; 0 at the start and after data */

    struct buf head; /* all bytes of the head so far */
    struct head_span target;
    struct head_span *spans; /* name, value, name, value */
    size_t span_count, span_cap;
    struct http_field *fields;
    size_t field_cap;
    struct http_request request;

    const char *piece;   /* the bytes llhttp works on */
    const char *framing; /* of a chunked body: start of the bytes that are not data, in the piece */
    size_t framing_n;    /* bytes since the last data, before the piece */

    int status;
    char reason[REASON_MAX];
};

__attribute__((format(printf, 3, 4))) static bool fail_request(struct http_decoder *d, int status,
                                                               const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(d->reason, sizeof d->reason, fmt, args);
    va_end(args);
    d->status = status;
    d->phase = AT_BAD;
    return false;
}

/* ---- called by llhttp */

static void extend_span(struct http_decoder *d, struct head_span *s, const char *at, size_t n)
{
    size_t from = d->head.n + (size_t)(at - d->piece);
    if (s->n == 0)
        s->at = from;
    s->n = from + n - s->at;
}

static int on_begin(llhttp_t *p)
{
    ((struct http_decoder *)p->data)->begun = true;
    return 0;
}

static int on_target(llhttp_t *p, const char *at, size_t n)
{
    struct http_decoder *d = p->data;
    extend_span(d, &d->target, at, n);
    return 0;
}

static int on_name(llhttp_t *p, const char *at, size_t n)
{
    struct http_decoder *d = p->data;
    if (d->phase != AT_HEAD)
        return 0; /* a trailer */
    if (!d->in_name) {
        mem_grow((void **)&d->spans, &d->span_cap, d->span_count + 2, sizeof *d->spans);
        d->spans[d->span_count] = d->spans[d->span_count + 1] = (struct head_span){0};
        d->span_count += 2;
        d->in_name = true;
    }
    extend_span(d, &d->spans[d->span_count - 2], at, n);
    return 0;
}

/* Count here and not in on_name(), which llhttp calls once per piece of a name. */
static int on_name_end(llhttp_t *p)
{
    struct http_decoder *d = p->data;
    d->in_name = false;
    if (d->phase != AT_HEAD || d->span_count / 2 <= d->limits.max_headers)
        return 0;
    fail_request(d, 431, "The request has more than %zu headers: send fewer.",
                 d->limits.max_headers);
    return HPE_USER;
}

static int on_value(llhttp_t *p, const char *at, size_t n)
{
    struct http_decoder *d = p->data;
    if (d->phase == AT_HEAD)
        extend_span(d, &d->spans[d->span_count - 1], at, n);
    return 0;
}

static int on_head_end(llhttp_t *p)
{
    p->upgrade = 0; /* http_server decides about upgrades; the decoder treats all requests alike */
    return HPE_PAUSED;
}

static bool fail_line(struct http_decoder *d)
{
    return fail_request(d, 400,
                        "A line of the request ends with CR or LF alone: end it with both.");
}

static bool check_lines(struct http_decoder *d, struct str bytes)
{
    switch (http_lines_check(&d->last, bytes)) {
    case HTTP_LINES_ALONE:
        return fail_line(d);
    case HTTP_LINES_FOLDED:
        return fail_request(d, 400, "A header is folded over several lines: write it on one line.");
    case HTTP_LINES_GOOD:
        break;
    }
    return true;
}

/* Check the bytes of a chunked body that are not data, up to end. */
static bool check_framing(struct http_decoder *d, const char *end)
{
    struct str bytes = str_make(d->framing, (size_t)(end - d->framing));
    size_t room = d->limits.max_head - d->framing_n;
    d->framing = end;
    d->framing_n += bytes.n;
    if (!check_lines(d, str_head(bytes, room)))
        return false;
    if (bytes.n > room)
        return fail_request(d, 431, "Chunk extensions or trailers are longer than %zu bytes.",
                            d->limits.max_head);
    return true;
}

static bool fail_body_size(struct http_decoder *d)
{
    return fail_request(d, 413, "The body is longer than %zu bytes.", d->limits.max_body);
}

static int on_data(llhttp_t *p, const char *at, size_t n)
{
    struct http_decoder *d = p->data;
    if (d->framing) {
        if (!check_framing(d, at))
            return HPE_USER;
        d->framing = at + n;
        d->framing_n = 0;
        d->last = 0;
    }
    buf_add(&d->request.body, str_make(at, n));
    return 0;
}

static int on_chunk(llhttp_t *p)
{
    struct http_decoder *d = p->data;
    if (p->content_length > d->limits.max_body - d->request.body.n) {
        fail_body_size(d);
        return HPE_USER;
    }
    return 0;
}

static int on_end(llhttp_t *p)
{
    (void)p;
    return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_begin,
    .on_url = on_target,
    .on_header_field = on_name,
    .on_header_field_complete = on_name_end,
    .on_header_value = on_value,
    .on_headers_complete = on_head_end,
    .on_chunk_header = on_chunk,
    .on_body = on_data,
    .on_message_complete = on_end,
};

static bool fail_header(struct http_decoder *d)
{
    return fail_request(d, 400, "Malformed header: expected Name: value, ended by CR LF.");
}

/* Set the status and message for a failure of llhttp. Its error position is no help: it is at or
 * after the wrong byte, depending on how the bytes were split. */
static bool fail_parser(struct http_decoder *d, enum llhttp_errno e)
{
    if (d->phase == AT_BAD) /* one of our callbacks has set the reason */
        return false;
    switch ((int)e) {
    case HPE_INVALID_METHOD:
        return fail_request(d, 400, "The request does not start with a method of HTTP.");
    case HPE_INVALID_URL:
        return fail_request(d, 400,
                            "The target of the request has a character that is not allowed.");
    case HPE_INVALID_VERSION:
    case HPE_PAUSED_H2_UPGRADE:
        return fail_request(d, 505, "Unsupported version of HTTP: use HTTP/1.1.");
    case HPE_INVALID_CONSTANT:
        return fail_request(d, 400, "The request line must be: method, target, HTTP/1.1.");
    case HPE_INVALID_CONTENT_LENGTH:
        return fail_request(d, 400, "Content-Length must be one decimal number.");
    case HPE_UNEXPECTED_CONTENT_LENGTH:
        return fail_request(
            d, 400, "Duplicate Content-Length, or one with Transfer-Encoding: send one of them.");
    case HPE_INVALID_TRANSFER_ENCODING:
        return fail_request(d, 501, "Unsupported Transfer-Encoding: use chunked.");
    case HPE_INVALID_CHUNK_SIZE:
        return fail_request(d, 400, "A chunk of the body has no valid size.");
    case HPE_CR_EXPECTED:
    case HPE_LF_EXPECTED:
        return fail_line(d);
    case HPE_INVALID_HEADER_TOKEN:
        return fail_header(d);
    default:
        if (d->phase == AT_BODY)
            return fail_request(d, 400, "A chunk of the body does not end with CR LF.");
        return fail_header(d);
    }
}

/* ---- the meaning of a head */

static struct str span_text(const struct http_decoder *d, struct head_span s)
{
    return s.n ? str_make(d->head.p + s.at, s.n) : STR("");
}

static void make_fields(struct http_decoder *d)
{
    size_t count = d->span_count / 2;
    mem_grow((void **)&d->fields, &d->field_cap, count, sizeof *d->fields);
    for (size_t i = 0; i < count; i++) {
        d->fields[i].name = span_text(d, d->spans[i * 2]);
        d->fields[i].value = str_trim(span_text(d, d->spans[i * 2 + 1]));
    }
    d->request.fields = d->fields;
    d->request.field_count = count;
}

static bool read_line(struct http_decoder *d)
{
    struct http_request *r = &d->request;
    struct str target = span_text(d, d->target);
    struct str version = str_skip(buf_str(&d->head), d->target.at + d->target.n + 1);
    int major = d->parser.http_major, minor = d->parser.http_minor;

    r->method = str_from(llhttp_method_name((llhttp_method_t)d->parser.method));
    r->http10 = minor == 0;
    if (!str_starts(version, STR("HTTP/")) || major != 1 || minor > 1)
        return fail_request(d, 505, "Unsupported version of HTTP: use HTTP/1.1.");
    if (d->target.at < 2 || d->head.p[d->target.at - 2] == ' ') /* llhttp accepts several blanks */
        return fail_parser(d, HPE_INVALID_CONSTANT);

    if (target.n > 7 && str_eq_nocase(str_head(target, 7), STR("http://"))) {
        target = str_skip(target, 7);
        size_t end = 0;
        while (end < target.n && !strchr("/?#", target.p[end]))
            end++;
        r->authority = str_head(target, end);
        target = str_skip(target, end);
        if (!target.n || target.p[0] != '/')
            return fail_request(d, 400, "The target of the request has no path.");
    }
    if (!str_eq(target, STR("*")) && (!target.n || target.p[0] != '/'))
        return fail_request(d, 400, "The target of the request must be a path, or an http URL.");
    if (str_find_char(target, '#') < target.n)
        return fail_request(d, 400, "The target of the request must not have a fragment.");
    r->query = target;
    str_cut(&r->query, '?', &r->path);
    return true;
}

static bool read_length(struct http_decoder *d)
{
    struct http_request *r = &d->request;
    size_t coded = http_field_times(r, STR("Transfer-Encoding"));
    size_t sized = http_field_times(r, STR("Content-Length"));

    if (sized > 1 || (sized && coded))
        return fail_parser(d, HPE_UNEXPECTED_CONTENT_LENGTH);
    if (coded) {
        if (r->http10)
            return fail_request(d, 400, "Transfer-Encoding is not part of HTTP/1.0.");
        if (coded > 1 || !(d->parser.flags & F_CHUNKED) ||
            !str_eq_nocase(http_field_value(r, STR("Transfer-Encoding")), STR("chunked")))
            return fail_parser(d, HPE_INVALID_TRANSFER_ENCODING);
        r->has_body = true;
        return true;
    }
    uint64_t n = sized ? d->parser.content_length : 0;
    if (n > d->limits.max_body)
        return fail_body_size(d);
    r->has_body = n > 0;
    if (n)
        buf_room(&r->body, n < FIRST_BODY ? n : FIRST_BODY);
    return true;
}

static void read_connection(struct http_request *r)
{
    bool closes = false, keeps = false, upgrades = false;
    for (size_t i = 0; i < r->field_count; i++) {
        const struct http_field *f = &r->fields[i];
        if (!str_eq_nocase(f->name, STR("Connection")))
            continue;
        closes |= http_has_token(f->value, STR("close"));
        keeps |= http_has_token(f->value, STR("keep-alive"));
        upgrades |= http_has_token(f->value, STR("upgrade"));
    }
    r->keep_alive = !closes && (keeps || !r->http10);
    r->upgrade = upgrades && !r->http10 && http_field_times(r, STR("Upgrade")) > 0;
    r->expects_continue =
        !r->http10 && str_eq_nocase(http_field_value(r, STR("Expect")), STR("100-continue"));
}

static bool read_head(struct http_decoder *d)
{
    make_fields(d);
    for (size_t i = 0; i < d->request.field_count; i++)
        if (!d->fields[i].name.n) /* llhttp accepts ": value" */
            return fail_header(d);
    if (!read_line(d) || !read_length(d))
        return false;
    size_t hosts = http_field_times(&d->request, STR("Host"));
    if (hosts > 1)
        return fail_request(d, 400, "Duplicate header: Host.");
    if (hosts == 0 && !d->request.http10)
        return fail_request(d, 400, "The Host header is missing.");
    read_connection(&d->request);
    return true;
}

/* ---- feeding */

static size_t count_used(const struct http_decoder *d, enum llhttp_errno e, struct str piece)
{
    if (e == HPE_OK)
        return piece.n;
    const char *at = llhttp_get_error_pos(&d->parser);
    assert(at >= piece.p && at <= piece.p + piece.n);
    return (size_t)(at - piece.p);
}

static void begin_request(struct http_decoder *d)
{
    struct buf body = d->request.body;
    if (body.cap > KEPT_BODY)
        buf_done(&body);
    buf_clear(&body);
    if (d->head.cap > KEPT_HEAD)
        buf_done(&d->head);
    buf_clear(&d->head);
    body.max = d->limits.max_body;
    d->request = (struct http_request){.body = body};
    d->target = (struct head_span){0};
    d->span_count = 0;
    d->begun = d->in_name = false;
    d->last = 0;
    d->framing = NULL;
    d->framing_n = 0;
    d->phase = AT_HEAD;
    llhttp_reset(&d->parser);
}

static enum http_event feed_head(struct http_decoder *d, struct str bytes, size_t *used)
{
    struct str piece = str_head(bytes, d->limits.max_head - d->head.n);
    if (!piece.n)
        return HTTP_MORE;
    d->piece = piece.p;
    enum llhttp_errno e = llhttp_execute(&d->parser, piece.p, piece.n);
    *used = count_used(d, e, piece);
    if (!check_lines(d, str_head(piece, *used)))
        return HTTP_BAD;
    buf_add(&d->head, str_head(piece, *used));
    if (e == HPE_PAUSED) {
        if (!read_head(d))
            return HTTP_BAD;
        d->phase = AT_BODY;
        return HTTP_HEAD;
    }
    if (e != HPE_OK) {
        fail_parser(d, e);
        return HTTP_BAD;
    }
    if (d->head.n < d->limits.max_head)
        return HTTP_MORE;
    if (d->begun && !d->span_count && d->target.at + d->target.n == d->head.n)
        fail_request(d, 414, "The target of the request is too long.");
    else
        fail_request(d, 431, "The head of the request is longer than %zu bytes.",
                     d->limits.max_head);
    return HTTP_BAD;
}

static enum http_event feed_body(struct http_decoder *d, struct str bytes, size_t *used)
{
    if (!d->request.has_body) {
        d->phase = AT_END;
        return HTTP_COMPLETE;
    }
    if (!bytes.n)
        return HTTP_MORE;
    bool chunked = d->parser.flags & F_CHUNKED;
    d->framing = chunked ? bytes.p : NULL;
    llhttp_resume(&d->parser);
    enum llhttp_errno e = llhttp_execute(&d->parser, bytes.p, bytes.n);
    *used = count_used(d, e, bytes);
    if (chunked && d->phase != AT_BAD)
        check_framing(d, bytes.p + *used);
    if (d->phase != AT_BAD && e == HPE_OK)
        return HTTP_MORE;
    if (d->phase != AT_BAD && e == HPE_PAUSED) {
        d->phase = AT_END;
        return HTTP_COMPLETE;
    }
    fail_parser(d, e);
    return HTTP_BAD;
}

enum http_event http_decoder_feed(struct http_decoder *d, struct str bytes, size_t *used)
{
    *used = 0;
    if (d->phase == AT_END)
        begin_request(d);
    switch (d->phase) {
    case AT_HEAD:
        return feed_head(d, bytes, used);
    case AT_BODY:
        return feed_body(d, bytes, used);
    case AT_END:
    case AT_BAD:
        break;
    }
    return HTTP_BAD;
}

struct http_decoder *http_decoder_new(const struct http_limits *limits)
{
    struct http_decoder *d = mem_zalloc(sizeof *d);
    d->limits = *limits;
    d->head.max = limits->max_head;
    llhttp_init(&d->parser, HTTP_REQUEST, &settings);
    d->parser.data = d;
    begin_request(d);
    return d;
}

void http_decoder_free(struct http_decoder *d)
{
    if (!d)
        return;
    buf_done(&d->head);
    buf_done(&d->request.body);
    free(d->spans);
    free(d->fields);
    free(d);
}

struct http_request *http_decoder_request(struct http_decoder *d)
{
    return &d->request;
}

bool http_decoder_is_idle(const struct http_decoder *d)
{
    return d->phase == AT_END || (d->phase == AT_HEAD && !d->begun);
}

int http_decoder_status(const struct http_decoder *d)
{
    return d->status;
}

const char *http_decoder_reason(const struct http_decoder *d)
{
    return d->reason;
}

/* ---- fields, statuses, dates */

struct str http_fields_get(const struct http_field *fields, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(fields[i].name, name))
            return fields[i].value;
    return (struct str){0};
}

struct str http_field_value(const struct http_request *r, struct str name)
{
    return http_fields_get(r->fields, r->field_count, name);
}

size_t http_field_times(const struct http_request *r, struct str name)
{
    size_t n = 0;
    for (size_t i = 0; i < r->field_count; i++)
        n += str_eq_nocase(r->fields[i].name, name);
    return n;
}

bool http_has_token(struct str value, struct str token)
{
    while (value.n) {
        struct str part, name;
        str_cut(&value, ',', &part);
        str_cut(&part, ';', &name);
        if (str_eq_nocase(str_trim(name), token))
            return true;
    }
    return false;
}

const char *http_status_text(int status)
{
    static const struct {
        int status;
        const char *text;
    } texts[] = {
        /* clang-format off */
        {200, "OK"}, {100, "Continue"}, {101, "Switching Protocols"}, {201, "Created"},
        {202, "Accepted"}, {204, "No Content"}, {301, "Moved Permanently"}, {302, "Found"},
        {303, "See Other"}, {304, "Not Modified"}, {307, "Temporary Redirect"},
        {308, "Permanent Redirect"}, {400, "Bad Request"}, {401, "Unauthorized"},
        {403, "Forbidden"}, {404, "Not Found"}, {405, "Method Not Allowed"},
        {406, "Not Acceptable"}, {408, "Request Timeout"}, {409, "Conflict"}, {410, "Gone"},
        {411, "Length Required"}, {412, "Precondition Failed"}, {413, "Content Too Large"},
        {414, "URI Too Long"}, {415, "Unsupported Media Type"}, {417, "Expectation Failed"},
        {422, "Unprocessable Content"}, {426, "Upgrade Required"}, {428, "Precondition Required"},
        {429, "Too Many Requests"}, {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"}, {501, "Not Implemented"}, {502, "Bad Gateway"},
        {503, "Service Unavailable"}, {504, "Gateway Timeout"},
        {505, "HTTP Version Not Supported"},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].status == status)
            return texts[i].text;
    return "Unknown";
}

/* Not strftime: its names follow the locale. */
void http_date(int64_t unix_s, char to[HTTP_DATE_LEN + 1])
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct tm tm;
    time_t t = (time_t)unix_s;
    if (!gmtime_r(&t, &tm))
        mem_die("the clock is out of range");
    char line[96]; /* more than needed, so that the compiler sees that it fits */
    int n = snprintf(line, sizeof line, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
                     days + tm.tm_wday * 3, tm.tm_mday, months + tm.tm_mon * 3, tm.tm_year + 1900,
                     tm.tm_hour, tm.tm_min, tm.tm_sec);
    assert(n == HTTP_DATE_LEN);
    memcpy(to, line, HTTP_DATE_LEN + 1);
}
