#include <assert.h>

#include "unity/yaml.h"
#include "unity/yaml_line.h"

static bool is_block(enum yaml_kind kind)
{
    return kind == YAML_MAP || kind == YAML_LIST;
}

/* What a value is by its first bytes; stop is that of its first line. */
static enum yaml_kind kind_at(const char *at, const char *stop)
{
    if (yaml_line_is_dash(at, stop))
        return YAML_LIST;
    if (*at == '{')
        return YAML_FLOW_MAP;
    if (*at == '[')
        return YAML_FLOW_LIST;
    return yaml_line_colon(at, stop) ? YAML_MAP : YAML_SCALAR;
}

static struct str span(const char *from, const char *to)
{
    return str_make(from, (size_t)(to - from));
}

/* The value of an entry whose first line has nothing behind "key:" or "-"; `at` is the line behind
 * it. *end becomes the end of the entry. */
static struct yaml_value value_below(const char *at, const char **end, uint32_t indent, bool in_map)
{
    struct yaml_value v = {.indent = indent};
    const char *line = yaml_line_skip_blank(at, *end);
    const char *text = yaml_line_skip_spaces(line, *end);
    size_t column = (size_t)(text - line);
    bool dashes = in_map && column == indent && yaml_line_is_dash(text, *end);
    bool deeper = line < *end && column > indent;
    const char *limit = *end;
    *end = yaml_line_owned(at, limit, indent, dashes);
    if (!dashes && !deeper) {
        v.kind = YAML_EMPTY;
        return v;
    }
    v.kind = kind_at(text, yaml_line_stop(text, *end));
    if (!is_block(v.kind)) {
        v.text = span(text, yaml_line_trim(text, *end));
    } else if (column > YAML_LINE_MAX_INDENT) {
        v.kind = YAML_NONE;
    } else {
        v.indent = (uint32_t)column;
        v.text = span(line, *end);
    }
    return v;
}

/* The value that starts at `text`, on the same line as its key or dash. */
static struct yaml_value value_beside(const char *text, const char *end, uint32_t indent)
{
    struct yaml_value v = {.kind = YAML_SCALAR, .indent = indent};
    if (*text == '{')
        v.kind = YAML_FLOW_MAP;
    else if (*text == '[')
        v.kind = YAML_FLOW_LIST;
    v.text = span(text, yaml_line_trim(text, end));
    return v;
}

/* Where an empty value stands: behind the blank that follows the colon or dash, if there is one. */
static struct str empty_place(const char *at, const char *stop)
{
    return str_make(at < stop && *at == ' ' ? at + 1 : at, 0);
}

static bool next_key(struct yaml_walk *w, const char *at, struct yaml_item *item)
{
    const char *stop = yaml_line_stop(at, w->end), *colon = yaml_line_colon(at, stop);
    if (!colon)
        return false;
    const char *text = yaml_line_skip_spaces(colon + 1, stop);
    const char *below = yaml_line_next(stop, w->end), *end = w->end;
    item->key = span(at, colon);
    if (!yaml_line_is_over(text, stop)) {
        end = yaml_line_owned(below, end, w->indent, false);
        item->value = value_beside(text, end, w->indent);
    } else {
        item->value = value_below(below, &end, w->indent, true);
        if (item->value.kind == YAML_EMPTY)
            item->value.text = empty_place(colon + 1, stop);
    }
    w->at = end;
    return true;
}

/* A block that starts behind the dash, on its line. */
static struct yaml_value block_beside(const char *text, const char *end, enum yaml_kind kind,
                                      size_t column)
{
    if (column > YAML_LINE_MAX_INDENT)
        return (struct yaml_value){0};
    return (struct yaml_value){kind, (uint32_t)column, span(text, end)};
}

static bool next_dash(struct yaml_walk *w, const char *at, struct yaml_item *item)
{
    if (!yaml_line_is_dash(at, w->end))
        return false;
    const char *stop = yaml_line_stop(at, w->end), *text = yaml_line_skip_spaces(at + 1, stop);
    const char *below = yaml_line_next(stop, w->end), *end = w->end;
    item->key = (struct str){0};
    if (yaml_line_is_over(text, stop)) {
        item->value = value_below(below, &end, w->indent, false);
        if (item->value.kind == YAML_EMPTY)
            item->value.text = empty_place(at + 1, stop);
    } else {
        enum yaml_kind kind = kind_at(text, stop);
        end = yaml_line_owned(below, end, w->indent, false);
        item->value = is_block(kind)
                          ? block_beside(text, end, kind, w->indent + (size_t)(text - at))
                          : value_beside(text, end, w->indent);
    }
    w->at = end;
    return true;
}

static bool next_in_block(struct yaml_walk *w, struct yaml_item *item)
{
    const char *line = w->at, *at = w->at;
    if (!w->first) {
        line = yaml_line_skip_blank(w->at, w->end);
        at = yaml_line_skip_spaces(line, w->end);
    }
    bool fits = at < w->end && (w->first || (size_t)(at - line) == w->indent);
    w->first = false;
    if (!fits || !(w->kind == YAML_MAP ? next_key : next_dash)(w, at, item)) {
        w->at = w->end;
        return false;
    }
    item->lines = span(line, w->at);
    return true;
}

static bool ends_entry(const char *at, const char *end)
{
    return at == end || *at == ',' || *at == '}' || *at == ']';
}

/* Where a plain text inside a flow collection ends: what may follow it, or the colon of a key. */
static const char *flow_plain(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (ends_entry(at, end) || *at == '{' || *at == '[')
            break;
        if (*at == ':' && (ends_entry(at + 1, end) || yaml_line_is_blank(at[1])))
            break;
    }
    return at;
}

static const char *flow_blank(const char *at, const char *end)
{
    while (at < end && yaml_line_is_blank(*at))
        at++;
    return at;
}

/* The end of the value at `at`, which is not blank; NULL if it is broken. */
static const char *flow_value(const char *at, const char *end, struct yaml_value *v)
{
    const char *behind;
    v->kind = YAML_SCALAR;
    if (*at == '{' || *at == '[') {
        v->kind = *at == '{' ? YAML_FLOW_MAP : YAML_FLOW_LIST;
        behind = yaml_line_flow(at, end, NULL);
    } else if (*at == '\'' || *at == '"') {
        behind = yaml_line_quoted(at, end);
    } else {
        behind = yaml_line_trim(at, flow_plain(at, end));
        if (behind == at)
            v->kind = YAML_EMPTY;
    }
    if (behind)
        v->text = span(at, behind);
    return behind;
}

/* The key of a map and what is between it and its value; NULL if it is broken. */
static const char *flow_key(const char *at, const char *end, struct str *key)
{
    bool quoted = *at == '\'' || *at == '"';
    const char *behind = quoted ? yaml_line_quoted(at, end) : flow_plain(at, end);
    if (!behind)
        return NULL;
    *key = span(at, yaml_line_trim(at, behind));
    const char *colon = flow_blank(behind, end);
    if (colon == end || *colon != ':')
        return behind;
    const char *value = flow_blank(colon + 1, end);
    if (!ends_entry(value, end))
        return value;
    return colon + 1 < end && colon[1] == ' ' ? colon + 2 : colon + 1;
}

static bool next_in_flow(struct yaml_walk *w, struct yaml_item *item)
{
    const char *at = w->at, *end = w->end, *behind;
    while (at < end && (yaml_line_is_blank(*at) || *at == ','))
        at++;
    w->at = end;
    if (at == end || *at == '}' || *at == ']')
        return false;
    *item = (struct yaml_item){.value.indent = w->indent};
    const char *value = w->kind == YAML_FLOW_MAP ? flow_key(at, end, &item->key) : at;
    if (!value)
        return false;
    if (ends_entry(value, end) || yaml_line_is_blank(*value)) {
        item->value.kind = YAML_EMPTY;
        item->value.text = str_make(value, 0);
        behind = value;
    } else {
        behind = flow_value(value, end, &item->value);
    }
    const char *next = behind ? flow_blank(behind, end) : end;
    if (next == end || !ends_entry(next, end))
        return false; /* it does not end as an entry does */
    item->lines = span(at, behind);
    w->at = next;
    return true;
}

struct yaml_walk yaml_walk(struct yaml_value v)
{
    struct yaml_walk w = {.indent = v.indent, .kind = v.kind};
    if (v.text.n == 0)
        return w;
    w.at = v.text.p;
    w.end = v.text.p + v.text.n;
    if (is_block(v.kind))
        w.first = v.indent > 0 && !yaml_line_is_blank(*w.at);
    else
        w.at++; /* the bracket */
    return w;
}

bool yaml_next(struct yaml_walk *w, struct yaml_item *item)
{
    if (w->at == w->end)
        return false;
    switch (w->kind) {
    case YAML_MAP:
    case YAML_LIST:
        return next_in_block(w, item);
    case YAML_FLOW_MAP:
    case YAML_FLOW_LIST:
        return next_in_flow(w, item);
    case YAML_NONE:
    case YAML_EMPTY:
    case YAML_SCALAR:
        break;
    }
    return false;
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

/* Whether a key, as it stands, says this. */
static bool key_says(struct str key, struct str want)
{
    if (key.n == 0 || !is_quote(*key.p))
        return str_eq(key, want);
    struct arena a = {0};
    bool same = str_eq(yaml_text(&a, (struct yaml_value){.kind = YAML_SCALAR, .text = key}), want);
    arena_done(&a);
    return same;
}

/* Whether the line at `at` is that of the key, which needs no quotes. */
static bool line_has_key(const char *at, const char *end, struct str key)
{
    if ((size_t)(end - at) > key.n && at[key.n] == ':' && memcmp(at, key.p, key.n) == 0)
        return at + key.n + 1 == end || yaml_line_is_blank(at[key.n + 1]);
    if (at == end || !is_quote(*at))
        return false;
    const char *colon = yaml_line_colon(at, yaml_line_stop(at, end));
    return colon && key_says(span(at, colon), key);
}

/* A walk that stands at the entry with this key, or at the end. Lines are passed over without a
 * look at what they are: this is why it is so much faster than a walk of all entries. */
static void go_to_key(struct yaml_walk *w, struct str key)
{
    const char *at = w->at;
    if (w->first && line_has_key(at, w->end, key))
        return;
    if (w->first)
        at = yaml_line_next(at, w->end);
    for (w->first = false; at < w->end; at = yaml_line_next(at, w->end)) {
        const char *p = at;
        while (p < w->end && *p == ' ' && (size_t)(p - at) < w->indent)
            p++;
        if ((size_t)(p - at) < w->indent) {
            if (!yaml_line_is_over(p, w->end) && !yaml_line_closes(at, w->end))
                break;
        } else if (line_has_key(p, w->end, key)) {
            w->at = at;
            return;
        }
    }
    w->at = w->end;
}

bool yaml_get_item(struct yaml_value map, struct str key, struct yaml_item *item)
{
    struct yaml_item found;
    if (map.kind != YAML_MAP && map.kind != YAML_FLOW_MAP)
        return false;
    struct yaml_walk w = yaml_walk(map);
    /* What looks like other things than a key would be found where it is none. */
    if (map.kind == YAML_MAP && map.text.n > 0 && key.n > 0 && !memchr(" -?{[#'\"\t", *key.p, 9))
        go_to_key(&w, key);
    while (yaml_next(&w, &found))
        if (key_says(found.key, key)) {
            *item = found;
            return true;
        }
    return false;
}

struct yaml_value yaml_get(struct yaml_value map, struct str key)
{
    struct yaml_item item = {0};
    yaml_get_item(map, key, &item);
    return item.value;
}

bool yaml_item_at(struct yaml_value list, size_t i, struct yaml_item *item)
{
    struct yaml_item found;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &found);)
        if (i-- == 0) {
            *item = found;
            return true;
        }
    return false;
}

struct yaml_value yaml_at(struct yaml_value list, size_t i)
{
    struct yaml_item item = {0};
    yaml_item_at(list, i, &item);
    return item.value;
}

size_t yaml_count(struct yaml_value v)
{
    struct yaml_item item;
    size_t n = 0;
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);)
        n++;
    return n;
}
