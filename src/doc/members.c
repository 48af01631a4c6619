#include "doc/members.h"

#include <assert.h>

#include "base/nearest.h"
#include "base/quote.h"

#define NAMES_SHOWN 16u /* allowed names in a message */

/* ---- position */

size_t members_down(struct members *m, struct str key)
{
    size_t before = m->at.n;
    buf_add_char(&m->at, '/');
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] == '~' || key.p[i] == '/')
            buf_add(&m->at, key.p[i] == '~' ? STR("~0") : STR("~1"));
        else
            buf_add_char(&m->at, key.p[i]);
    return before;
}

size_t members_down_to(struct members *m, size_t index)
{
    size_t before = m->at.n;
    buf_printf(&m->at, "/%zu", index);
    return before;
}

void members_up(struct members *m, size_t before)
{
    m->at.n = before;
}

void members_warn(struct members *m, struct str text)
{
    struct buf whole = {0};
    if (m->count == m->room) {
        m->more++;
        return;
    }
    doc_say_where(m->doc, buf_str(&m->at), &whole);
    buf_add(&whole, text);
    m->warnings[m->count++] = arena_str(m->arena, buf_str(&whole));
    buf_done(&whole);
}

void members_done(struct members *m)
{
    if (m->more && m->room)
        m->warnings[m->room - 1] =
            arena_printf(m->arena, "%s: and %zu more warnings", m->doc->name, m->more + 1);
    buf_done(&m->at);
}

/* ---- names */

void members_put_names(struct buf *out, members_name_fn *name, const void *ctx)
{
    for (size_t i = 0; name(ctx, i).p; i++) {
        struct buf shown = {0};
        if (i == NAMES_SHOWN) {
            buf_add(out, STR(", ..."));
            break;
        }
        quote_add(&shown, name(ctx, i), QUOTE_MAX);
        buf_printf(out, "%s%.*s", i ? ", " : "", (int)shown.n - 2, shown.p + 1);
        buf_done(&shown);
    }
}

/* The likely name: the nearest, else the first with this beginning ("codex"), or none. */
static struct str find_likely(struct str given, members_name_fn *name, const void *ctx)
{
    struct nearest near = nearest_make(given);
    for (size_t i = 0; name(ctx, i).p; i++)
        nearest_offer(&near, name(ctx, i));
    for (size_t i = 0; near.best.n == 0 && given.n >= 3 && name(ctx, i).p; i++)
        if (str_starts(name(ctx, i), given))
            near.best = name(ctx, i);
    return near.best;
}

void members_say_unknown(struct buf *out, const char *what, struct str given, members_name_fn *name,
                         const void *ctx)
{
    struct str near = find_likely(given, name, ctx);
    buf_printf(out, "unknown %s ", what);
    quote_add(out, given, QUOTE_MAX);
    if (near.n) {
        buf_add(out, STR(", did you mean "));
        quote_add(out, near, QUOTE_MAX);
        buf_add_char(out, '?');
    } else {
        buf_add_char(out, ';');
    }
    buf_add(out, STR(" allowed: "));
    members_put_names(out, name, ctx);
}

bool members_unknown(struct members *m, const char *what, struct str given, members_name_fn *name,
                     const void *ctx)
{
    struct buf text = {0};
    members_say_unknown(&text, what, given, name, ctx);
    MEMBERS_FAIL(m, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* ---- members */

/* Is the key this name, in camelCase or snake_case? */
static bool is_name(struct str key, const char *name)
{
    size_t i = 0;
    for (; i < key.n && *name; i++, name++) {
        char c = key.p[i];
        if (c == '_' && i > 0 && i + 1 < key.n && key.p[i + 1] >= 'a' && key.p[i + 1] <= 'z')
            c = (char)(key.p[++i] - 'a' + 'A');
        if (c != *name)
            return false;
    }
    return i == key.n && !*name;
}

static void warn_unknown(struct members *m, struct str key, const char *const *names, size_t count)
{
    struct nearest near = nearest_make(key);
    struct buf text = {0};
    for (size_t i = 0; i < count && m->count < m->room; i++)
        nearest_offer(&near, str_from(names[i]));
    size_t before = members_down(m, key);
    buf_add(&text, STR("this key is unknown and ignored"));
    if (near.best.n)
        buf_printf(&text, "; did you mean \"%.*s\"?", STR_ARG(near.best));
    members_warn(m, buf_str(&text));
    members_up(m, before);
    buf_done(&text);
}

bool members_collect(struct members *m, const struct json *object, const char *const *names,
                     size_t count, struct members_fields *f)
{
    *f = (struct members_fields){0};
    assert(count <= MEMBERS_MAX);
    if (!json_is(object, JSON_OBJECT))
        return MEMBERS_FAIL(m, "must be an object, not %s", json_type_name(object));
    JSON_EACH (object, k) {
        struct str key = json_str(k);
        size_t i = 0;
        while (i < count && !is_name(key, names[i]))
            i++;
        if (i == count) {
            if (!str_eq(key, STR("$schema"))) /* for editors */
                warn_unknown(m, key, names, count);
            continue;
        }
        if (f->keys[i].p) {
            members_down(m, key);
            return MEMBERS_FAIL(m, "duplicate, as \"%.*s\" and as \"%.*s\": keep one of them",
                                STR_ARG(f->keys[i]), STR_ARG(key));
        }
        f->keys[i] = key;
        f->values[i] = json_is(k + 1, JSON_NULL) ? NULL : k + 1;
    }
    return true;
}

bool members_wrong_type(struct members *m, const char *want, const struct json *v)
{
    bool lacks_quotes = m->doc->format == DOC_YAML && !json_is(v, JSON_OBJECT) &&
                        !json_is(v, JSON_ARRAY) && !json_is(v, JSON_STRING);
    return MEMBERS_FAIL(m, "must be %s, not %s%s", want, json_type_name(v),
                        lacks_quotes && str_eq(str_from(want), STR("text")) ? ": put it in quotes"
                                                                            : "");
}

bool members_check_text(struct members *m, const struct json *v)
{
    if (!json_is(v, JSON_STRING))
        return members_wrong_type(m, "text", v);
    if (memchr(json_str(v).p, 0, json_str(v).n))
        return MEMBERS_FAIL(m, "must be text without the character U+0000");
    return true;
}

bool members_text(struct members *m, const struct members_fields *f, size_t i, struct str *out)
{
    if (!f->values[i])
        return true;
    size_t before = members_down(m, f->keys[i]);
    if (!members_check_text(m, f->values[i]))
        return false;
    *out = json_str(f->values[i]);
    members_up(m, before);
    return true;
}

bool members_bool(struct members *m, const struct members_fields *f, size_t i, bool *out)
{
    struct buf shown = {0};
    if (!f->values[i])
        return true;
    size_t before = members_down(m, f->keys[i]);
    if (!json_is(f->values[i], JSON_BOOL)) {
        quote_value(&shown, f->values[i], QUOTE_MAX);
        MEMBERS_FAIL(m, "must be true or false, not %.*s", STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    *out = json_bool(f->values[i]);
    members_up(m, before);
    return true;
}
