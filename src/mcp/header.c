#include "mcp/header.h"

#include "base/base64.h"
#include "net/http.h"

#define MAX_DEPTH   16u
#define MAX_HEADERS 32u

struct mark_walk {
    struct arena *arena;
    struct str path[MAX_DEPTH];
    size_t depth;
    struct mcp_param_header *headers;
    size_t count;
    const char *error;
};

static bool is_token(struct str s)
{
    const struct str marks = STR("!#$%&'*+-.^_`|~");
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && str_find_char(marks, c) == marks.n)
            return false;
    }
    return s.n > 0;
}

static void add_mark(struct mark_walk *r, struct str name, struct str type)
{
    const char *header = arena_printf(r->arena, "Mcp-Param-%.*s", STR_ARG(name)).p;
    if (!is_token(name))
        r->error = "x-mcp-header must be a name of letters, digits and -";
    else if (!str_eq(type, STR("string")) && !str_eq(type, STR("integer")) &&
             !str_eq(type, STR("boolean")))
        r->error = "x-mcp-header is allowed only on strings, integers and booleans";
    else if (r->count == MAX_HEADERS)
        r->error = "too many properties with x-mcp-header";
    for (size_t i = 0; i < r->count; i++)
        if (str_eq_nocase(str_from(r->headers[i].header), str_from(header)))
            r->error = "two properties have the same x-mcp-header";
    if (r->error)
        return;
    struct str *path = arena_alloc(r->arena, r->depth * sizeof *path);
    for (size_t i = 0; i < r->depth; i++)
        path[i] = arena_str(r->arena, r->path[i]);
    r->headers[r->count++] = (struct mcp_param_header){header, path, r->depth};
}

static void walk_properties(struct mark_walk *r, const struct json *schema)
{
    JSON_EACH (json_get(schema, STR("properties")), key) {
        const struct json *property = key + 1, *mark = json_get(property, STR("x-mcp-header"));
        if (r->depth == MAX_DEPTH || r->error)
            return;
        r->path[r->depth++] = json_str(key);
        if (mark)
            add_mark(r, json_str(mark), json_str(json_get(property, STR("type"))));
        walk_properties(r, property);
        r->depth--;
    }
}

const char *mcp_header_read(struct arena *a, struct str schema, struct mcp_param_header **headers,
                            size_t *count)
{
    struct arena scratch = {0};
    struct mark_walk r = {.arena = a};
    *headers = NULL;
    *count = 0;
    if (str_find(schema, STR("x-mcp-header")) == schema.n)
        return NULL;
    r.headers = arena_alloc(a, MAX_HEADERS * sizeof *r.headers);
    walk_properties(&r, json_parse(&scratch, schema, NULL, NULL));
    arena_done(&scratch);
    *headers = r.headers;
    *count = r.count;
    return r.error;
}

#define SENTINEL_HEAD "=?base64?"
#define SENTINEL_TAIL "?="

/* Decode a header value; return false if it is marked as base64 but is not base64. */
static bool decode_value(struct str value, struct buf *out)
{
    size_t marks = sizeof SENTINEL_HEAD - 1 + sizeof SENTINEL_TAIL - 1;
    if (value.n < marks || !str_starts(value, STR(SENTINEL_HEAD)) ||
        !str_ends(value, STR(SENTINEL_TAIL)))
        return buf_add(out, value);
    return base64_decode(out, str_make(value.p + sizeof SENTINEL_HEAD - 1, value.n - marks));
}

bool mcp_header_equal(struct str value, struct str want)
{
    struct buf text = buf_make(64u << 10);
    bool same = decode_value(value, &text) && str_eq(buf_str(&text), want);
    buf_done(&text);
    return same;
}

/* Compare numbers by value, not by text. */
static bool is_same_number(struct str text, const struct json *number)
{
    struct arena a = {0};
    const struct json *n = json_parse(&a, text, NULL, NULL);
    bool same = json_is(n, JSON_NUMBER) && json_equal(n, number);
    arena_done(&a);
    return same;
}

bool mcp_header_agrees(const struct mcp_param_header *h, const struct json *arguments,
                       const struct http_request *http)
{
    const struct json *v = arguments;
    for (size_t i = 0; i < h->depth; i++)
        v = json_get(v, h->path[i]);
    size_t times = http_field_times(http, str_from(h->header));
    if (!v || json_is(v, JSON_NULL))
        return times == 0;
    if (times != 1)
        return false;
    struct str value = http_field_value(http, str_from(h->header));
    if (json_is(v, JSON_STRING))
        return mcp_header_equal(value, json_str(v));
    if (json_is(v, JSON_BOOL))
        return mcp_header_equal(value, json_bool(v) ? STR("true") : STR("false"));
    if (json_is(v, JSON_NUMBER))
        return is_same_number(value, v);
    return true; /* this type is not repeated in headers: the tool refuses the argument itself */
}
