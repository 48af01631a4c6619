/* The question of an exchange: members of its body, parameters of its address. */
#include <string.h>

#include "base/utf8.h"
#include "console/console_api_core.h"

struct loop *api_loop(const struct api *a)
{
    return a->console->o.loop;
}

bool api_is_gone(const struct api *a)
{
    return !a->x;
}

struct arena *api_arena(struct api *a)
{
    return &a->arena;
}

const struct json *api_body(const struct api *a)
{
    return a->body;
}

struct str api_rest(const struct api *a)
{
    return a->rest;
}

/* ---- the address */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | ' ') >= 'a' && (c | ' ') <= 'f')
        return (c | ' ') - 'a' + 10;
    return -1;
}

bool api_decode(struct arena *a, struct str text, bool in_query, struct str *out)
{
    char *to = arena_alloc(a, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            int high = i + 2 < text.n ? hex_digit(text.p[i + 1]) : -1;
            int low = i + 2 < text.n ? hex_digit(text.p[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && in_query) {
            c = ' ';
        }
        to[n++] = c;
    }
    to[n] = 0;
    *out = str_make(to, n);
    return utf8_is_valid(*out) && !memchr(to, 0, n);
}

bool api_query_is_right(struct arena *a, struct str query)
{
    struct str out;
    return api_decode(a, query, true, &out);
}

struct str api_query(struct api *a, const char *name)
{
    struct str rest = a->query, one, key;
    while (rest.n) {
        struct str value;
        str_cut(&rest, '&', &one);
        str_cut(&one, '=', &key);
        if (!api_decode(&a->arena, key, true, &key) || !str_eq(key, str_from(name)))
            continue;
        if (api_decode(&a->arena, one, true, &value))
            return value;
    }
    return (struct str){0};
}

static bool fits(int64_t n, int64_t least, int64_t most)
{
    return n >= least && n <= most;
}

static bool refuse_number(struct api *a, const char *name, int64_t least, int64_t most)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be a whole number from %lld to %lld.", name,
               (long long)least, (long long)most);
    return false;
}

bool api_query_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout)
{
    struct str text = api_query(a, name);
    int64_t n;
    if (!text.p)
        return true;
    if (!str_to_i64(text, &n) || !fits(n, least, most))
        return refuse_number(a, name, least, most);
    *inout = n;
    return true;
}

static bool refuse_ids(struct api *a, const char *name, size_t most)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be at most %zu numbers above 0.", name, most);
    return false;
}

bool api_query_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count)
{
    struct str rest = api_query(a, name), one;
    size_t n = 0;
    int64_t *ids;
    if (!rest.n) {
        *count = 0;
        *out = NULL;
        return true;
    }
    for (size_t i = 0; i < rest.n; i++)
        n += rest.p[i] == ',';
    if (n >= most)
        return refuse_ids(a, name, most);
    ids = arena_alloc(&a->arena, (n + 1) * sizeof *ids);
    for (size_t i = 0; i <= n; i++) {
        str_cut(&rest, ',', &one);
        if (!str_to_i64(one, &ids[i]) || ids[i] <= 0)
            return refuse_ids(a, name, most);
    }
    *out = ids;
    *count = n + 1;
    return true;
}

/* ---- the body */

static bool refuse_kind(struct api *a, const char *name, const char *kind, const struct json *v)
{
    api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must be %s, not %s.", name, kind, json_type_name(v));
    return false;
}

bool api_text(struct api *a, const char *name, struct str *out)
{
    const struct json *v = json_get(a->body, str_from(name));
    if (!json_is(v, JSON_STRING))
        return refuse_kind(a, name, "text", v);
    *out = json_str(v);
    return true;
}

/* Not there, or null. */
static bool is_absent(const struct json *v)
{
    return json_type(v) == JSON_NULL;
}

bool api_text_or(struct api *a, const char *name, struct str *out)
{
    if (!is_absent(json_get(a->body, str_from(name))))
        return api_text(a, name, out);
    *out = (struct str){0};
    return true;
}

bool api_bool(struct api *a, const char *name, bool *out)
{
    const struct json *v = json_get(a->body, str_from(name));
    if (!json_is(v, JSON_BOOL))
        return refuse_kind(a, name, "true or false", v);
    *out = json_bool(v);
    return true;
}

bool api_int(struct api *a, const char *name, int64_t least, int64_t most, int64_t *out)
{
    int64_t n;
    if (!json_i64(json_get(a->body, str_from(name)), &n) || !fits(n, least, most))
        return refuse_number(a, name, least, most);
    *out = n;
    return true;
}

bool api_int_or(struct api *a, const char *name, int64_t least, int64_t most, int64_t *inout)
{
    return is_absent(json_get(a->body, str_from(name))) || api_int(a, name, least, most, inout);
}

bool api_ids(struct api *a, const char *name, size_t most, int64_t **out, size_t *count)
{
    const struct json *v = json_get(a->body, str_from(name));
    size_t n = json_count(v), i = 0;
    if (!json_is(v, JSON_ARRAY))
        return refuse_kind(a, name, "an array of numbers", v);
    if (n > most)
        return refuse_ids(a, name, most);
    int64_t *ids = arena_alloc(&a->arena, (n + 1) * sizeof *ids);
    JSON_ITEMS (v, item)
        if (!json_i64(item, &ids[i]) || ids[i++] <= 0)
            return refuse_ids(a, name, most);
    *out = ids;
    *count = n;
    return true;
}

/* ---- places in texts */

static bool take_number(struct str *rest, uint64_t *out)
{
    struct str digits;
    struct str at = *rest;
    if (!str_cut(&at, ':', &digits) || !str_to_u64(digits, out) || !*out)
        return false;
    *rest = at;
    return true;
}

bool api_find_place(struct str message, struct api_place *out)
{
    struct str rest = message, name;
    while (str_cut(&rest, ':', &name)) {
        struct api_place p = {.pointer = STR(""), .what = rest};
        if (!take_number(&p.what, &p.line) || !take_number(&p.what, &p.column) ||
            !str_starts(p.what, STR(" ")))
            continue; /* a colon in the name itself */
        p.what = str_skip(p.what, 1);
        size_t end = str_find(p.what, STR(": "));
        if (p.what.n && p.what.p[0] == '/' && end < p.what.n) {
            p.pointer = str_head(p.what, end);
            p.what = str_skip(p.what, end + 2);
        }
        *out = p;
        return true;
    }
    return false;
}
