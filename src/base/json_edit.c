#include "base/json_edit.h"

#include "base/json.h"
#include "base/json_escape.h"
#include "base/json_scan.h"
#include "base/jsonw.h"

/* The text is JSON where it matters; where it is not, nothing outside of it is read. */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static struct str between(const char *from, const char *to)
{
    return str_make(from, (size_t)(to - from));
}

/* Behind the value that begins at `at`. */
static const char *skip_value(const char *at, const char *end)
{
    size_t depth = 0;
    do {
        if (at < end && *at == '"') {
            at = json_scan_string(at, end);
        } else if (at < end && (*at == '{' || *at == '[')) {
            depth++;
            at++;
        } else if (at < end && (*at == '}' || *at == ']')) {
            depth -= depth > 0;
            at++;
        } else if (depth > 0) {
            at += at < end;
        } else {
            while (at < end && !is_blank(*at) && !strchr(",]}", *at))
                at++;
        }
    } while (depth > 0 && at < end);
    return at;
}

/* ---- the members of an object, the items of an array */

struct walk {
    const char *at, *end; /* what is still to come of the container */
    bool is_object;
    struct str key;   /* with its quotes; of items: empty */
    struct str value; /* of the one that walk_next() came to */
};

static struct walk walk_make(struct str container)
{
    const char *end = container.p + container.n;
    bool is_object = container.n && *container.p == '{';
    if (!is_object && !(container.n && *container.p == '['))
        return (struct walk){.at = end, .end = end};
    return (struct walk){.at = container.p + 1, .end = end, .is_object = is_object};
}

static bool walk_next(struct walk *w)
{
    const char *at = skip_blanks(w->at, w->end);
    if (at < w->end && *at == ',')
        at = skip_blanks(at + 1, w->end);
    if (at >= w->end || *at == '}' || *at == ']')
        return false;
    if (w->is_object) {
        if (*at != '"')
            return false;
        w->key = between(at, json_scan_string(at, w->end));
        at = skip_blanks(w->key.p + w->key.n, w->end);
        if (at == w->end || *at != ':')
            return false;
        at = skip_blanks(at + 1, w->end);
    }
    const char *behind = skip_value(at, w->end);
    w->value = between(at, behind);
    w->at = behind;
    return behind > at;
}

/* Whether the key, as it stands in the text, means the name. */
static bool means(struct str quoted, struct str name)
{
    if (quoted.n < 2 || quoted.n - 2 < name.n)
        return false; /* no escape is shorter than what it stands for */
    struct str raw = str_make(quoted.p + 1, quoted.n - 2);
    if (!memchr(raw.p, '\\', raw.n))
        return str_eq(raw, name);
    const char *at = raw.p, *end = raw.p + raw.n;
    struct json_fault fault;
    while (at < end) {
        char decoded[4], *to = decoded;
        if (*at == '\\')
            at = json_escape(at, end, &to, &fault);
        else
            *to++ = *at++;
        struct str piece = between(decoded, to);
        if (!at || !str_starts(name, piece))
            return false;
        name = str_skip(name, piece.n);
    }
    return name.n == 0;
}

bool json_edit_step(struct str *pointer, struct buf *step)
{
    struct str raw;
    buf_clear(step);
    if (pointer->n == 0 || pointer->p[0] != '/')
        return false;
    *pointer = str_skip(*pointer, 1);
    raw = str_head(*pointer, str_find_char(*pointer, '/'));
    *pointer = str_skip(*pointer, raw.n);
    for (size_t i = 0; i < raw.n; i++) {
        char c = raw.p[i];
        if (c == '~' && i + 1 < raw.n && (raw.p[i + 1] == '0' || raw.p[i + 1] == '1'))
            c = raw.p[++i] == '1' ? '/' : '~';
        buf_add_char(step, c);
    }
    return true;
}

/* An index as RFC 6901 has it: without zeros in front. */
static bool is_index(struct str step, uint64_t *index)
{
    return str_to_u64(step, index) && step.p[0] != '+' && (step.n == 1 || step.p[0] != '0');
}

/* One step down: w stands at the member or item then. */
static bool enter(struct walk *w, struct str container, struct str step)
{
    uint64_t index = 0;
    *w = walk_make(container);
    if (!w->is_object && !is_index(step, &index))
        return false;
    for (uint64_t i = 0; walk_next(w); i++)
        if (w->is_object ? means(w->key, step) : i == index)
            return true;
    return false;
}

/* How far a pointer leads. */
struct way {
    struct walk walk;  /* the last step, taken or not */
    struct str value;  /* the nearest value; the one that is meant if `arrived` */
    struct str around; /* the container of that value; empty: it is the whole */
    struct str rest;   /* of the pointer, from the step on that could not be taken */
    bool arrived;
};

static struct str whole(struct str text)
{
    const char *at = skip_blanks(text.p, text.p + text.n);
    return between(at, skip_value(at, text.p + text.n));
}

static struct way follow(struct str text, struct str pointer)
{
    if (!text.p)
        text = STR("");
    struct way way = {.value = whole(text), .rest = pointer, .arrived = pointer.n == 0};
    struct buf step = {0};
    while (json_edit_step(&pointer, &step) && enter(&way.walk, way.value, buf_str(&step))) {
        way.around = way.value;
        way.value = way.walk.value;
        way.rest = pointer;
        way.arrived = pointer.n == 0;
    }
    buf_done(&step);
    return way;
}

bool json_edit_find(struct str text, struct str pointer, struct str *value)
{
    struct way way = follow(text, pointer);
    *value = way.value;
    return way.arrived;
}

/* ---- changes */

static bool is_json(struct str text)
{
    struct arena a = {0};
    bool ok = json_parse(&a, text, NULL, NULL) != NULL;
    arena_done(&a);
    return ok;
}

/* Adds the text with another in the place of the old part of it. */
static void splice(struct buf *out, struct str text, struct str old, struct str by)
{
    buf_add(out, between(text.p, old.p));
    buf_add(out, by);
    buf_add(out, between(old.p + old.n, text.p + text.n));
}

/* {"a":{"b":json}} without the outermost braces: the member that /a/b needs. */
static void add_member(struct buf *out, struct str pointer, struct str json, struct str gap)
{
    struct buf step = {0};
    size_t braces = 0;
    while (json_edit_step(&pointer, &step)) {
        struct jsonw w = jsonw_make(out);
        jsonw_str(&w, buf_str(&step));
        buf_add_char(out, ':');
        buf_add(out, gap);
        if (pointer.n) {
            buf_add_char(out, '{');
            braces++;
        }
    }
    buf_add(out, json);
    while (braces--)
        buf_add_char(out, '}');
    buf_done(&step);
}

/* Behind the last member, with the blanks that stand before that one. */
static void append(struct buf *out, struct str text, const struct way *way, struct str json)
{
    struct walk w = walk_make(way->value), last = {0};
    struct buf member = {0};
    size_t count = 0;
    for (; walk_next(&w); count++)
        last = w;
    if (count == 0) {
        buf_add_char(&member, '{');
        add_member(&member, way->rest, json, STR(" "));
        buf_add_char(&member, '}');
        splice(out, text, way->value, buf_str(&member));
    } else {
        const char *key = last.key.p, *from = key;
        while (is_blank(from[-1])) /* a brace or a comma stands before it */
            from--;
        struct str before = between(from, key);
        bool is_loose = before.n || is_blank(last.value.p[-1]);
        buf_add_char(&member, ',');
        buf_add(&member, before.n || !is_loose ? before : STR(" "));
        add_member(&member, way->rest, json, is_loose ? STR(" ") : STR(""));
        splice(out, text, str_make(last.value.p + last.value.n, 0), buf_str(&member));
    }
    buf_done(&member);
}

bool json_edit_set(struct buf *out, struct str text, struct str pointer, struct str json)
{
    if (!is_json(text) || !utf8_is_valid(pointer) || (pointer.n && pointer.p[0] != '/'))
        return false;
    struct way way = follow(text, pointer);
    if (way.arrived) {
        splice(out, text, way.value, json);
        return true;
    }
    if (str_eq(way.value, STR("null"))) {
        struct buf object = {0};
        buf_add_char(&object, '{');
        add_member(&object, way.rest, json, STR(" "));
        buf_add_char(&object, '}');
        splice(out, text, way.value, buf_str(&object));
        buf_done(&object);
        return true;
    }
    if (way.value.p[0] != '{')
        return false;
    append(out, text, &way, json);
    return true;
}

/* With the comma and the blanks up to its neighbour. */
static struct str span_of_member(const struct way *way)
{
    struct walk w = walk_make(way->around);
    const char *from = way->walk.key.p, *to = way->walk.value.p + way->walk.value.n;
    struct walk before = {0}, after = way->walk;
    while (walk_next(&w) && w.key.p < from)
        before = w;
    if (walk_next(&after))
        return between(from, after.key.p);
    return between(before.key.p ? before.value.p + before.value.n : from, to);
}

bool json_edit_remove(struct buf *out, struct str text, struct str pointer)
{
    if (!is_json(text))
        return false;
    struct way way = follow(text, pointer);
    if (way.arrived && (way.around.n == 0 || !way.walk.is_object))
        return false;
    splice(out, text, way.arrived ? span_of_member(&way) : str_make(text.p, 0), (struct str){0});
    return true;
}
