#include "doc/doc.h"

#include "base/json_edit.h"
#include "base/json_scan.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "doc/doc_yaml.h"

#define POINTER_MAX 160u /* characters of a pointer in a message: it is made of foreign keys */

/* ---- errors */

static bool fail_at(const struct doc *d, size_t offset, bool limit, struct str what,
                    struct error *err)
{
    size_t line, column;
    utf8_locate(d->text, offset, &line, &column);
    return error_set(err, limit ? ERR_LIMIT : ERR_CONFIG_PARSE, "%s:%zu:%zu: %.*s", d->name, line,
                     column, STR_ARG(what));
}

/* The last byte before `at` that is not a blank; 0: none. */
static char byte_before(struct str text, size_t at)
{
    struct str before = str_trim(str_head(text, at));
    return before.n ? before.p[before.n - 1] : 0;
}

/* Mistakes of people who think of another language. */
static const char *find_remedy(struct str text, const struct json_error *bad)
{
    char c = bad->offset < text.n ? text.p[bad->offset] : 0;
    if (str_starts(str_skip(text, bad->offset), STR("\xef\xbb\xbf")))
        return "JSON has no byte order mark: save it as UTF-8 without one";
    if (str_eq(str_from(bad->reason), STR("unexpected end")))
        return "a closing bracket or quote is missing";
    if (c == '/' || c == '#')
        return "JSON has no comments";
    if (c == '\'')
        return "text must be in double quotes";
    if ((c == '}' || c == ']') && byte_before(text, bad->offset) == ',')
        return "there must be no comma after the last one";
    if (str_eq(str_from(bad->reason), STR("key expected")))
        return "keys must be in double quotes";
    if (str_eq(str_from(bad->reason), STR("unexpected character")))
        return "a value is text in double quotes, a number, true, false, null, [...] or {...}";
    return "";
}

/* text is the JSON; `offset` is the position in the document. */
static bool json_fault(const struct doc *d, struct str text, const struct json_error *bad,
                       size_t offset, struct error *err)
{
    struct buf what = {0};
    const char *remedy = find_remedy(text, bad);
    buf_printf(&what, "%s%s%s", bad->reason, *remedy ? ": " : "", remedy);
    if (str_eq(str_from(bad->reason), STR("duplicate key")) && text.p[bad->offset] == '"') {
        const char *from = text.p + bad->offset, *end = text.p + text.n;
        const char *to = json_scan_string(from, end);
        buf_add_char(&what, ' ');
        quote_add(&what, str_make(from + 1, (size_t)(to - from) - 2), QUOTE_MAX);
    }
    fail_at(d, offset, bad->limit, buf_str(&what), err);
    buf_done(&what);
    return false;
}

/* ---- positions in YAML */

struct doc_places {
    bool are_made;
    struct buf json;
    struct doc_yaml_map map;
};

/* The text was read before, so it is valid. */
static const struct doc_places *get_places(const struct doc *d)
{
    struct doc_places *p = d->places;
    struct doc_yaml_error error;
    if (!p->are_made) {
        p->json = buf_make(DOC_MAX_BYTES);
        doc_yaml_to_json(d->text, &p->json, &p->map, &error);
        p->are_made = true;
    }
    return p;
}

static void free_places(struct doc_places *p)
{
    if (!p)
        return;
    doc_yaml_map_done(&p->map);
    buf_done(&p->json);
}

/* ---- reading */

static bool read_json(struct doc *d, struct error *err)
{
    struct json_error bad;
    d->root = json_parse(&d->arena, d->text, NULL, &bad);
    return d->root || json_fault(d, d->text, &bad, bad.offset, err);
}

static bool read_yaml(struct doc *d, struct error *err)
{
    struct buf json = buf_make(DOC_MAX_BYTES);
    struct doc_yaml_error error;
    struct json_error bad;
    bool ok = doc_yaml_to_json(d->text, &json, NULL, &error);
    if (!ok) {
        fail_at(d, error.offset, error.limit, str_from(error.text), err);
    } else {
        d->root = json_parse(&d->arena, arena_str(&d->arena, buf_str(&json)), NULL, &bad);
        ok = d->root != NULL;
        if (!ok)
            json_fault(d, buf_str(&json), &bad, doc_yaml_origin(&get_places(d)->map, bad.offset),
                       err);
    }
    buf_done(&json);
    return ok;
}

void doc_done(struct doc *d)
{
    free_places(d->places);
    arena_done(&d->arena);
    *d = (struct doc){0};
}

bool doc_read(struct doc *d, struct str text, const struct doc_source *source, struct error *err)
{
    bool is_yaml = source->format == DOC_YAML;
    size_t most = is_yaml ? DOC_MAX_YAML_BYTES : DOC_MAX_BYTES;
    struct doc made = {.format = source->format};
    struct str name = str_from(source->name);
    if (str_eq(name, STR("-")))
        name = STR("standard input");
    if (text.n > most)
        return error_set(err, ERR_LIMIT, "%.*s: larger than %zu bytes", STR_ARG(name), most);
    made.name = arena_cstr(&made.arena, name);
    made.text = arena_str(&made.arena, text);
    if (is_yaml)
        made.places = arena_zalloc(&made.arena, sizeof *made.places);
    if (!(is_yaml ? read_yaml(&made, err) : read_json(&made, err))) {
        doc_done(&made);
        return false;
    }
    *d = made;
    return true;
}

const struct json *doc_get(const struct doc *d, struct str pointer)
{
    const struct json *v = d->root;
    struct buf step = {0};
    while (v && pointer.n) {
        uint64_t index;
        if (!json_edit_step(&pointer, &step))
            v = NULL;
        else if (json_is(v, JSON_ARRAY))
            v = str_to_u64(buf_str(&step), &index) ? json_at(v, index) : NULL;
        else
            v = json_get(v, buf_str(&step));
    }
    buf_done(&step);
    return v;
}

/* ---- places */

struct doc_place doc_where(const struct doc *d, struct str pointer)
{
    struct doc_place place;
    struct str value;
    size_t offset;
    if (d->format == DOC_YAML) {
        const struct doc_places *p = get_places(d);
        json_edit_find(buf_str(&p->json), pointer, &value);
        offset = doc_yaml_origin(&p->map, (size_t)(value.p - p->json.p));
    } else {
        json_edit_find(d->text, pointer, &value);
        offset = (size_t)(value.p - d->text.p);
    }
    utf8_locate(d->text, offset, &place.line, &place.column);
    return place;
}

void doc_say_where(const struct doc *d, struct str pointer, struct buf *out)
{
    struct doc_place place = doc_where(d, pointer);
    struct buf shown = {0};
    buf_printf(out, "%s:%zu:%zu: ", d->name, place.line, place.column);
    quote_add(&shown, pointer, POINTER_MAX);
    if (pointer.n)
        buf_printf(out, "%.*s: ", (int)shown.n - 2, shown.p + 1); /* escaped, without the quotes */
    buf_done(&shown);
}

bool doc_fail(const struct doc *d, struct str pointer, struct error *err, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    doc_say_where(d, pointer, &text);
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    error_set(err, ERR_CONFIG_VALIDATION, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}
