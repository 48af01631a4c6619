#include "net/http_response.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* llhttp's name of the HEAD method is our name of an event of http.h. */
#define HTTP_HEAD LLHTTP_METHOD_HEAD
#include <llhttp.h>
#undef HTTP_HEAD

#define REASON_MAX 160

enum response_phase {
    AT_HEAD,
    AT_BODY,
    AT_END,
    AT_BAD
};

/* Offsets into the text, which moves while it grows. */
struct text_span {
    size_t at, n;
};

struct http_response_decoder {
    llhttp_t parser;
    enum response_phase phase;
    bool is_head, has_body;
    bool is_sized, ends_with_connection; /* how the body ends; else with its last chunk */
    uint64_t left;                       /* is_sized: bytes of the body still to come */
    bool in_name;                        /* the last header is not yet past its colon */
    bool head_done;                      /* llhttp stopped after the head */
    size_t max_head, head_n;
    struct buf text; /* names and values, one after the other */
    struct text_span *spans;
    size_t span_count, span_cap;
    struct http_field *fields;
    size_t field_cap;
    struct http_response response;
    struct str data;
    char reason[REASON_MAX];
};

static enum http_response_event fail_response(struct http_response_decoder *d, const char *reason)
{
    if (d->phase != AT_BAD)
        snprintf(d->reason, sizeof d->reason, "%s", reason);
    d->phase = AT_BAD;
    return HTTP_RESPONSE_BAD;
}

/* ---- called by llhttp */

/* Also called before the answer that follows an informational one. */
static int on_begin(llhttp_t *p)
{
    struct http_response_decoder *d = p->data;
    buf_clear(&d->text);
    d->span_count = 0;
    d->in_name = false;
    return 0;
}

static void extend_span(struct http_response_decoder *d, struct text_span *s, struct str part)
{
    if (!s->n)
        s->at = d->text.n;
    s->n += part.n;
    buf_add(&d->text, part);
}

static int on_name(llhttp_t *p, const char *at, size_t n)
{
    struct http_response_decoder *d = p->data;
    if (d->phase != AT_HEAD)
        return 0; /* a trailer */
    if (!d->in_name) {
        mem_grow((void **)&d->spans, &d->span_cap, d->span_count + 2, sizeof *d->spans);
        d->spans[d->span_count] = d->spans[d->span_count + 1] = (struct text_span){0};
        d->span_count += 2;
        d->in_name = true;
    }
    extend_span(d, &d->spans[d->span_count - 2], str_make(at, n));
    return 0;
}

static int on_name_end(llhttp_t *p)
{
    struct http_response_decoder *d = p->data;
    d->in_name = false;
    if (d->phase != AT_HEAD || d->span_count / 2 <= HTTP_MAX_HEADERS)
        return 0;
    fail_response(d, "The answer has too many headers.");
    return HPE_USER;
}

static int on_value(llhttp_t *p, const char *at, size_t n)
{
    struct http_response_decoder *d = p->data;
    if (d->phase == AT_HEAD)
        extend_span(d, &d->spans[d->span_count - 1], str_make(at, n));
    return 0;
}

static bool is_informational(const llhttp_t *p)
{
    return p->status_code / 100 == 1 && p->status_code != 101;
}

static int on_head_end(llhttp_t *p)
{
    struct http_response_decoder *d = p->data;
    if (is_informational(p))
        return 1; /* no body, even if the headers describe one */
    p->upgrade = 0;
    d->head_done = true;
    return HPE_PAUSED;
}

static int on_data(llhttp_t *p, const char *at, size_t n)
{
    ((struct http_response_decoder *)p->data)->data = str_make(at, n);
    return HPE_PAUSED;
}

static int on_end(llhttp_t *p)
{
    return is_informational(p) ? 0 : HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_begin,
    .on_header_field = on_name,
    .on_header_field_complete = on_name_end,
    .on_header_value = on_value,
    .on_headers_complete = on_head_end,
    .on_body = on_data,
    .on_message_complete = on_end,
};

/* ---- feeding */

static enum http_response_event fail_parser(struct http_response_decoder *d)
{
    const char *why = llhttp_get_error_reason(&d->parser);
    char reason[REASON_MAX];
    snprintf(reason, sizeof reason, "The answer is not HTTP/1.1: %s.",
             why && *why ? why : "it makes no sense");
    return fail_response(d, reason);
}

static size_t count_used(const struct http_response_decoder *d, enum llhttp_errno e,
                         struct str piece)
{
    if (e == HPE_OK)
        return piece.n;
    const char *at = llhttp_get_error_pos(&d->parser);
    assert(at >= piece.p && at <= piece.p + piece.n);
    return (size_t)(at - piece.p);
}

static struct str span_text(const struct http_response_decoder *d, struct text_span s)
{
    return s.n ? str_make(d->text.p + s.at, s.n) : STR("");
}

static void read_head(struct http_response_decoder *d)
{
    struct http_response *r = &d->response;
    size_t count = d->span_count / 2;
    mem_grow((void **)&d->fields, &d->field_cap, count, sizeof *d->fields);
    for (size_t i = 0; i < count; i++) {
        d->fields[i].name = span_text(d, d->spans[i * 2]);
        d->fields[i].value = str_trim(span_text(d, d->spans[i * 2 + 1]));
    }
    *r = (struct http_response){d->parser.status_code, d->fields, count};
    d->ends_with_connection = llhttp_message_needs_eof(&d->parser);
    d->is_sized = !d->ends_with_connection && !(d->parser.flags & F_CHUNKED);
    d->left = d->parser.content_length;
    d->has_body = !d->is_head && r->status != 204 && r->status != 304 && !(d->is_sized && !d->left);
}

static enum http_response_event feed_head(struct http_response_decoder *d, struct str bytes,
                                          size_t *used)
{
    struct str piece = str_head(bytes, d->max_head - d->head_n);
    if (!piece.n)
        return bytes.n ? fail_response(d, "The head of the answer is too long.")
                       : HTTP_RESPONSE_MORE;
    enum llhttp_errno e = llhttp_execute(&d->parser, piece.p, piece.n);
    *used = count_used(d, e, piece);
    d->head_n += *used;
    if (d->head_done) {
        read_head(d);
        d->phase = AT_BODY;
        return HTTP_RESPONSE_HEAD;
    }
    if (e != HPE_OK)
        return fail_parser(d);
    return d->head_n < d->max_head ? HTTP_RESPONSE_MORE
                                   : fail_response(d, "The head of the answer is too long.");
}

static enum http_response_event feed_body(struct http_response_decoder *d, struct str bytes,
                                          size_t *used)
{
    if (!d->has_body) {
        d->phase = AT_END;
        return HTTP_RESPONSE_COMPLETE;
    }
    if (!bytes.n)
        return HTTP_RESPONSE_MORE;
    llhttp_resume(&d->parser);
    enum llhttp_errno e = llhttp_execute(&d->parser, bytes.p, bytes.n);
    *used = count_used(d, e, bytes);
    if (d->data.p) {
        /* llhttp would report the end only when another byte follows. */
        if (d->is_sized && (d->left -= d->data.n) == 0)
            d->has_body = false;
        return HTTP_RESPONSE_DATA;
    }
    if (e == HPE_OK)
        return HTTP_RESPONSE_MORE;
    if (e != HPE_PAUSED)
        return fail_parser(d);
    d->phase = AT_END;
    return HTTP_RESPONSE_COMPLETE;
}

enum http_response_event http_response_feed(struct http_response_decoder *d, struct str bytes,
                                            size_t *used)
{
    *used = 0;
    d->data = (struct str){0};
    switch (d->phase) {
    case AT_HEAD:
        return feed_head(d, bytes, used);
    case AT_BODY:
        return feed_body(d, bytes, used);
    case AT_END:
        *used = bytes.n;
        return HTTP_RESPONSE_MORE;
    case AT_BAD:
        break;
    }
    return HTTP_RESPONSE_BAD;
}

enum http_response_event http_response_end(struct http_response_decoder *d)
{
    d->data = (struct str){0};
    if (d->phase == AT_HEAD)
        return fail_response(d, d->head_n ? "The connection ended in the head of the answer."
                                          : "The connection ended without an answer.");
    if (d->phase != AT_BODY)
        return d->phase == AT_END ? HTTP_RESPONSE_MORE : HTTP_RESPONSE_BAD;
    if (d->has_body && !d->ends_with_connection)
        return fail_response(d, "The connection ended before the answer was complete.");
    d->phase = AT_END;
    return HTTP_RESPONSE_COMPLETE;
}

struct http_response_decoder *http_response_new(size_t max_head, bool is_head)
{
    struct http_response_decoder *d = mem_zalloc(sizeof *d);
    assert(max_head > 0);
    d->max_head = max_head;
    d->is_head = is_head;
    d->text.max = max_head;
    llhttp_init(&d->parser, HTTP_RESPONSE, &settings);
    d->parser.data = d;
    return d;
}

void http_response_free(struct http_response_decoder *d)
{
    if (!d)
        return;
    buf_done(&d->text);
    free(d->spans);
    free(d->fields);
    free(d);
}

const struct http_response *http_response_get(const struct http_response_decoder *d)
{
    return &d->response;
}

struct str http_response_data(const struct http_response_decoder *d)
{
    return d->data;
}

const char *http_response_reason(const struct http_response_decoder *d)
{
    return d->reason;
}

struct str http_response_field(const struct http_response *r, struct str name)
{
    return http_fields_get(r->fields, r->field_count, name);
}
