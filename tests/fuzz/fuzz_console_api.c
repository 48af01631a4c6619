/* A hostile request to the console: its address, its headers, its body. It is answered exactly
 * once, with JSON and a documented status.
 *
 * Input: a line with the address ("REST?QUERY", after /api/get/), a line with the value of
 * Content-Type, the body. Sent as GET and as POST. */
#include <assert.h>

#include "../unit/fake_http.h"
#include "base/utf8.h"
#include "console/api_internal.h"
#include "fuzz.h"

static size_t calls;

static void check_text(struct str s)
{
    assert(utf8_is_valid(s));
}

static void on_get(struct api *a, void *ctx)
{
    int64_t n = 3, *ids;
    size_t count;
    (void)ctx;
    calls++;
    check_text(api_rest(a));
    check_text(api_query(a, "text"));
    assert(!memchr(api_rest(a).n ? api_rest(a).p : "x", 0, api_rest(a).n));
    if (!api_query_int(a, "n", -5, 5, &n) || !api_query_ids(a, "ids", 4, &ids, &count))
        return;
    assert(n >= -5 && n <= 5 && count <= 4);
    for (size_t i = 0; i < count; i++)
        assert(ids[i] > 0);
    struct jsonw *w = api_begin(a);
    jsonw_kstr(w, "rest", api_rest(a));
    jsonw_kstr(w, "text", api_query(a, "text"));
    api_end(a);
}

static void on_post(struct api *a, void *ctx)
{
    struct str text, other;
    bool flag;
    int64_t n, or = 1, *ids;
    size_t count;
    (void)ctx;
    calls++;
    assert(json_is(api_body(a), JSON_OBJECT));
    if (!api_text(a, "text", &text) || !api_text_or(a, "other", &other) ||
        !api_bool(a, "flag", &flag) || !api_int(a, "n", -5, 5, &n) ||
        !api_int_or(a, "or", 1, 2, & or) || !api_ids(a, "ids", 4, &ids, &count))
        return;
    check_text(text);
    check_text(other);
    assert(n >= -5 && n <= 5 && (or == 1 || or == 2) && count <= 4);
    struct error err = {.code = ERR_CONFIG_PARSE};
    snprintf(err.text, sizeof err.text, "%.*s", STR_ARG(utf8_head(text, sizeof err.text - 1)));
    if (flag) {
        api_fail(a, &err);
        return;
    }
    struct jsonw *w = api_begin(a);
    jsonw_key(w, "fault");
    api_put_fault(w, &err);
    api_end(a);
}

static void check_answer(struct http_exchange *x, size_t before)
{
    struct arena a = {0};
    assert(x->ended && x->status >= 200 && x->status < 600);
    assert(x->status != 200 || calls == before + 1);
    assert(json_is(json_parse(&a, buf_str(&x->sent), NULL, NULL), JSON_OBJECT));
    arena_done(&a);
    fake_http_free(x);
}

static void ask_get(struct str address)
{
    struct str path;
    struct buf whole = {0};
    size_t before = calls;
    str_cut(&address, '?', &path);
    buf_add(&whole, STR("/api/get/"));
    buf_add(&whole, path);
    struct http_request r = {.method = STR("GET"), .path = buf_str(&whole), .query = address};
    check_answer(fake_http_ask("/api/get/*", &r), before);
    buf_done(&whole);
}

static void ask_post(struct str type, struct str body)
{
    const struct http_field fields[] = {{STR("Origin"), STR("http://localhost:1")},
                                        {STR("Content-Type"), type}};
    struct http_request r = {
        .method = STR("POST"), .path = STR("/api/post"), .fields = fields, .field_count = 2};
    size_t before = calls;
    buf_add(&r.body, body);
    check_answer(fake_http_ask("/api/post", &r), before);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct console c = {0};
    struct str rest = str_make((const char *)bytes, n), address, type;
    fake_http_count = 0;
    api_get(&c, "/api/get/*", on_get, NULL);
    api_post(&c, "/api/post", on_post, NULL);
    str_cut(&rest, '\n', &address);
    str_cut(&rest, '\n', &type);
    ask_get(address);
    ask_post(type, rest);
    assert(c.open == 0);
    api_done(&c);
    return 0;
}
