#include "base/json_edit.h"

#include "base/json.h"
#include "base/json_escape.h"
#include "base/json_scan.h"
#include "base/jsonw.h"

/* The text should be JSON; on other text, no byte outside of it is read. */

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

static struct str make_span(const char *from, const char *to)
{
    return str_make(from, (size_t)(to - from));
}

/* Return the end of the value that begins at `at`. */
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

struct member_walk {
    const char *at, *end; /* the rest of the container */
    bool is_object;
    struct str key;   /* with its quotes; of items: empty */
    struct str value; /* of the current member or item */
};

static struct member_walk begin_walk(struct str container)
{
    const char *end = container.p + container.n;
    bool is_object = container.n && *container.p == '{';
    if (!is_object && !(container.n && *container.p == '['))
        return (struct member_walk){.at = end, .end = end};
    return (struct member_walk){.at = container.p + 1, .end = end, .is_object = is_object};
}

static bool walk_to_next(struct member_walk *w)
{
    const char *at = skip_blanks(w->at, w->end);
    if (at < w->end && *at == ',')
        at = skip_blanks(at + 1, w->end);
    if (at >= w->end || *at == '}' || *at == ']')
        return false;
    if (w->is_object) {
        if (*at != '"')
            return false;
        w->key = make_span(at, json_scan_string(at, w->end));
        at = skip_blanks(w->key.p + w->key.n, w->end);
        if (at == w->end || *at != ':')
            return false;
        at = skip_blanks(at + 1, w->end);
    }
    const char *behind = skip_value(at, w->end);
    w->value = make_span(at, behind);
    w->at = behind;
    return behind > at;
}

/* Does a quoted key equal the name when its escapes are decoded? */
static bool is_key_of(struct str quoted, struct str name)
{
    if (quoted.n < 2 || quoted.n - 2 < name.n)
        return false; /* no escape is shorter than its character */
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
        struct str piece = make_span(decoded, to);
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

/* Is the step an index by RFC 6901: without leading zeros? */
static bool is_index(struct str step, uint64_t *index)
{
    return str_to_u64(step, index) && step.p[0] != '+' && (step.n == 1 || step.p[0] != '0');
}

/* Take one step into a container: move w to the member or item. */
static bool take_step(struct member_walk *w, struct str container, struct str step)
{
    uint64_t index = 0;
    *w = begin_walk(container);
    if (!w->is_object && !is_index(step, &index))
        return false;
    for (uint64_t i = 0; walk_to_next(w); i++)
        if (w->is_object ? is_key_of(w->key, step) : i == index)
            return true;
    return false;
}

/* How far a pointer could be followed. */
struct json_path {
    struct member_walk walk; /* the last step, taken or not */
    struct str value;        /* the last value on the path; the target if `arrived` */
    struct str around;       /* the container of that value; empty: it is the whole text */
    struct str rest;         /* of the pointer, from the first step that could not be taken */
    bool arrived;
};

static struct str trim_value(struct str text)
{
    const char *at = skip_blanks(text.p, text.p + text.n);
    return make_span(at, skip_value(at, text.p + text.n));
}

static struct json_path follow_pointer(struct str text, struct str pointer)
{
    if (!text.p)
        text = STR("");
    struct json_path path = {.value = trim_value(text), .rest = pointer, .arrived = pointer.n == 0};
    struct buf step = {0};
    while (json_edit_step(&pointer, &step) && take_step(&path.walk, path.value, buf_str(&step))) {
        path.around = path.value;
        path.value = path.walk.value;
        path.rest = pointer;
        path.arrived = pointer.n == 0;
    }
    buf_done(&step);
    return path;
}

bool json_edit_find(struct str text, struct str pointer, struct str *value)
{
    struct json_path path = follow_pointer(text, pointer);
    *value = path.value;
    return path.arrived;
}

/* ---- changes */

static bool is_json(struct str text)
{
    struct arena a = {0};
    bool ok = json_parse(&a, text, NULL, NULL) != NULL;
    arena_done(&a);
    return ok;
}

/* Append the text with its part `old` replaced. */
static void replace_part(struct buf *out, struct str text, struct str old, struct str by)
{
    buf_add(out, make_span(text.p, old.p));
    buf_add(out, by);
    buf_add(out, make_span(old.p + old.n, text.p + text.n));
}

/* Append {"a":{"b":json}} without the outermost braces: the member for /a/b. */
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

/* Add a member after the last one, with the same blanks before it. */
static void append_member(struct buf *out, struct str text, const struct json_path *path,
                          struct str json)
{
    struct member_walk w = begin_walk(path->value), last = {0};
    struct buf member = {0};
    size_t count = 0;
    for (; walk_to_next(&w); count++)
        last = w;
    if (count == 0) {
        buf_add_char(&member, '{');
        add_member(&member, path->rest, json, STR(" "));
        buf_add_char(&member, '}');
        replace_part(out, text, path->value, buf_str(&member));
    } else {
        const char *key = last.key.p, *from = key;
        while (is_blank(from[-1])) /* a brace or a comma comes before it */
            from--;
        struct str before = make_span(from, key);
        bool is_loose = before.n || is_blank(last.value.p[-1]);
        buf_add_char(&member, ',');
        buf_add(&member, before.n || !is_loose ? before : STR(" "));
        add_member(&member, path->rest, json, is_loose ? STR(" ") : STR(""));
        replace_part(out, text, str_make(last.value.p + last.value.n, 0), buf_str(&member));
    }
    buf_done(&member);
}

bool json_edit_set(struct buf *out, struct str text, struct str pointer, struct str json)
{
    if (!is_json(text) || !utf8_is_valid(pointer) || (pointer.n && pointer.p[0] != '/'))
        return false;
    struct json_path path = follow_pointer(text, pointer);
    if (path.arrived) {
        replace_part(out, text, path.value, json);
        return true;
    }
    if (str_eq(path.value, STR("null"))) {
        struct buf object = {0};
        buf_add_char(&object, '{');
        add_member(&object, path.rest, json, STR(" "));
        buf_add_char(&object, '}');
        replace_part(out, text, path.value, buf_str(&object));
        buf_done(&object);
        return true;
    }
    if (path.value.p[0] != '{')
        return false;
    append_member(out, text, &path, json);
    return true;
}

/* Return a member with its comma and the blanks up to the next member. */
static struct str find_member_span(const struct json_path *path)
{
    struct member_walk w = begin_walk(path->around);
    const char *from = path->walk.key.p, *to = path->walk.value.p + path->walk.value.n;
    struct member_walk before = {0}, after = path->walk;
    while (walk_to_next(&w) && w.key.p < from)
        before = w;
    if (walk_to_next(&after))
        return make_span(from, after.key.p);
    return make_span(before.key.p ? before.value.p + before.value.n : from, to);
}

bool json_edit_remove(struct buf *out, struct str text, struct str pointer)
{
    if (!is_json(text))
        return false;
    struct json_path path = follow_pointer(text, pointer);
    if (path.arrived && (path.around.n == 0 || !path.walk.is_object))
        return false;
    replace_part(out, text, path.arrived ? find_member_span(&path) : str_make(text.p, 0),
                 (struct str){0});
    return true;
}
