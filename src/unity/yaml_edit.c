#include "unity/yaml_edit.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unity/yaml_line.h"

static struct str span_of(const char *from, const char *to)
{
    return str_make(from, (size_t)(to - from));
}

static const char *end_of(struct str s)
{
    return s.p + s.n;
}

/* The order of patches: by start; at one place insertions, then replacements of an empty span, then
 * other replacements. */
static bool comes_before(const struct yaml_patch *a, size_t at, size_t removed, bool replaces)
{
    if (a->at != at)
        return a->at < at;
    if (a->replaces != replaces)
        return replaces;
    return !replaces || a->removed < removed;
}

static size_t find_place(const struct yaml_edit *e, size_t at, size_t removed, bool replaces)
{
    size_t low = 0, high = e->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(&e->patches[middle], at, removed, replaces))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_patch(struct yaml_edit *e, const struct yaml_file *f, struct yaml_patch p)
{
    size_t i = find_place(e, p.at, p.removed, p.replaces);
    p.inserted = p.inserted.n > 0 ? arena_str(&e->arena, p.inserted) : (struct str){0};
    assert(p.at <= f->text.n && p.removed <= f->text.n - p.at);
    if (p.replaces && i < e->count && e->patches[i].replaces && e->patches[i].at == p.at &&
        e->patches[i].removed == p.removed) {
        e->patches[i].inserted = p.inserted;
        return;
    }
    assert(i == 0 || e->patches[i - 1].at + e->patches[i - 1].removed <= p.at);
    assert(i == e->count || p.at + p.removed <= e->patches[i].at);
    mem_grow((void **)&e->patches, &e->cap, e->count + 1, sizeof p);
    memmove(e->patches + i + 1, e->patches + i, (e->count - i) * sizeof p);
    e->patches[i] = p;
    e->count++;
}

static size_t offset_of(const struct yaml_file *f, const char *at)
{
    assert(at >= f->text.p && at <= end_of(f->text));
    return (size_t)(at - f->text.p);
}

void yaml_edit_replace(struct yaml_edit *e, const struct yaml_file *f, struct str span,
                       struct str with)
{
    add_patch(e, f, (struct yaml_patch){offset_of(f, span.p), span.n, with, true});
}

void yaml_edit_insert(struct yaml_edit *e, const struct yaml_file *f, const char *at,
                      struct str what)
{
    add_patch(e, f, (struct yaml_patch){.at = offset_of(f, at), .inserted = what});
}

void yaml_edit_remove(struct yaml_edit *e, const struct yaml_file *f, struct str span)
{
    yaml_edit_replace(e, f, span, (struct str){0});
}

/* The size is bounded by that of the caller's texts. */
static struct buf make_buffer(void)
{
    return buf_make(SIZE_MAX / 2);
}

static struct str get_line_end(const struct yaml_file *f)
{
    return f->crlf ? STR("\r\n") : STR("\n");
}

/* Remove the end of the last line. */
static struct str strip_line_end(struct str lines)
{
    if (lines.n > 0 && lines.p[lines.n - 1] == '\n')
        lines.n--;
    if (lines.n > 0 && lines.p[lines.n - 1] == '\r')
        lines.n--;
    return lines;
}

/* The lines of a block entry end with a line end; those of a flow entry are its text. */
static bool is_in_flow(const struct yaml_file *f, const struct yaml_item *item)
{
    return end_of(item->lines) < end_of(f->text) &&
           (item->lines.n == 0 || end_of(item->lines)[-1] != '\n');
}

/* Return the position after the colon or dash of a block entry. */
static const char *after_head(const struct yaml_item *item)
{
    if (item->key.p)
        return end_of(item->key) + 1;
    return yaml_line_skip_spaces(item->lines.p, end_of(item->lines)) + 1;
}

/* Return the span from after the colon or dash to the end of the value, without trailing blanks and
 * the last line end. */
static struct str value_span(const struct yaml_item *item)
{
    const char *from = after_head(item), *to = from;
    switch (item->value.kind) {
    case YAML_MAP:
    case YAML_LIST:
        to = yaml_line_trim(from, end_of(item->value.text));
        break;
    case YAML_SCALAR:
    case YAML_FLOW_MAP:
    case YAML_FLOW_LIST:
        to = end_of(item->value.text);
        break;
    case YAML_EMPTY:
        to = yaml_line_stop(from, end_of(item->lines));
        break;
    case YAML_NONE:
        to = yaml_line_trim(from, end_of(item->lines));
        break;
    }
    return span_of(from, to);
}

static void set_in_flow(struct yaml_edit *e, const struct yaml_file *f,
                        const struct yaml_item *item, struct str text)
{
    struct buf b = make_buffer();
    char before = item->value.text.p[-1];
    if (item->value.text.n == 0 && item->key.p && before != ':' && !yaml_line_is_blank(before))
        buf_add(&b, STR(": "));
    else if (item->value.text.n == 0 && before == ':')
        buf_add_char(&b, ' ');
    buf_add(&b, text);
    yaml_edit_replace(e, f, item->value.text, buf_str(&b));
    buf_done(&b);
}

void yaml_edit_set(struct yaml_edit *e, const struct yaml_file *f, const struct yaml_item *item,
                   struct str text)
{
    struct buf b = make_buffer();
    bool block = text.n > 0 && (text.p[0] == '\n' || text.p[0] == '\r');
    if (is_in_flow(f, item)) {
        set_in_flow(e, f, item, text);
        return;
    }
    if (!block)
        buf_add_char(&b, ' ');
    buf_add(&b, text);
    yaml_edit_replace(e, f, value_span(item), buf_str(&b));
    buf_done(&b);
}

/* Return the text between the head of a list and the end of its line: "", " " or " []". */
static struct str span_after_head(const struct yaml_item *list)
{
    const char *from = after_head(list);
    return span_of(from, yaml_line_stop(from, end_of(list->lines)));
}

/* Whether its entries are on lines of their own, so that lines can be inserted between them. */
static bool has_own_lines(const struct yaml_item *list)
{
    return list->value.kind == YAML_LIST &&
           (list->value.indent == 0 || yaml_line_is_blank(list->value.text.p[0]));
}

static const struct yaml_patch *find_replacement(const struct yaml_edit *e,
                                                 const struct yaml_file *f, struct str span)
{
    size_t at = offset_of(f, span.p), i = find_place(e, at, span.n, true);
    bool found = i < e->count && e->patches[i].replaces && e->patches[i].at == at &&
                 e->patches[i].removed == span.n;
    return found ? &e->patches[i] : NULL;
}

/* Whether the lines start with an item at this indent; a line end may precede it. */
static bool is_item(struct str lines, uint32_t indent)
{
    while (lines.n > 0 && (*lines.p == '\n' || *lines.p == '\r'))
        lines = str_skip(lines, 1);
    if (lines.n == 0)
        return false;
    const char *dash = yaml_line_skip_spaces(lines.p, end_of(lines));
    return (size_t)(dash - lines.p) == indent && yaml_line_is_dash(dash, end_of(lines));
}

/* Whether the list will have entries: old ones that stay, or inserted ones. */
static bool keeps_items(const struct yaml_edit *e, const struct yaml_file *f,
                        const struct yaml_value *list)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(*list); yaml_next(&w, &item);) {
        const struct yaml_patch *p = find_replacement(e, f, item.lines);
        if (!p || p->inserted.n > 0)
            return true;
    }
    size_t from = offset_of(f, list->text.p), to = from + list->text.n;
    size_t i = find_place(e, from, 0, false);
    while (i > 0 && e->patches[i - 1].at == from)
        i--;
    for (; i < e->count && e->patches[i].at <= to; i++)
        if (!e->patches[i].replaces && is_item(e->patches[i].inserted, list->indent))
            return true;
    return false;
}

/* Insert whole lines at the start of a line, or at the end of a text without a last line end. */
static void insert_lines(struct yaml_edit *e, const struct yaml_file *f, const char *at,
                         struct str lines)
{
    if (at == f->text.p || at[-1] == '\n') {
        yaml_edit_insert(e, f, at, lines);
        return;
    }
    struct buf b = make_buffer();
    buf_add(&b, get_line_end(f));
    buf_add(&b, strip_line_end(lines));
    yaml_edit_insert(e, f, at, buf_str(&b));
    buf_done(&b);
}

/* A list that is rewritten with one entry added or removed. */
struct list_rewrite {
    const struct yaml_file *f;
    const struct yaml_item *list;
    size_t i;         /* the place of the change */
    struct str comes; /* whole lines; empty: remove entry i */
};

static void add_spaces(struct buf *b, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        buf_add_char(b, ' ');
}

/* Write the entries as whole lines. Entries of a list that starts on the line of a dash keep their
 * bytes, but the first one lacks its indent; entries of a flow list get a dash. */
static void rewrite_lines(const struct list_rewrite *r, struct buf *b)
{
    struct yaml_item item;
    size_t n = 0;
    bool flow = r->list->value.kind == YAML_FLOW_LIST;
    for (struct yaml_walk w = yaml_walk(r->list->value); yaml_next(&w, &item); n++) {
        if (n == r->i)
            buf_add(b, r->comes);
        if (n == r->i && r->comes.n == 0)
            continue;
        if (flow || n == 0)
            add_spaces(b, r->list->value.indent);
        if (flow)
            buf_add(b, STR("- "));
        buf_add(b, flow ? item.value.text : strip_line_end(item.lines));
        buf_add(b, get_line_end(r->f));
    }
    if (r->i >= n)
        buf_add(b, r->comes);
}

/* Write "[1, 2]", nested in another flow collection. */
static void rewrite_flow(const struct list_rewrite *r, struct buf *b)
{
    struct yaml_item item;
    struct str comes = str_trim(r->comes);
    size_t n = 0;
    assert(comes.n == 0 || !memchr(comes.p, '\n', comes.n));
    if (comes.n > 0)
        comes = str_trim(str_skip(comes, 1)); /* the dash */
    buf_add_char(b, '[');
    for (struct yaml_walk w = yaml_walk(r->list->value); yaml_next(&w, &item); n++) {
        if (n == r->i && r->comes.n == 0)
            continue;
        if (b->n > 1)
            buf_add(b, STR(", "));
        if (n == r->i) {
            buf_add(b, comes);
            buf_add(b, STR(", "));
        }
        buf_add(b, item.value.text);
    }
    if (r->i >= n && r->comes.n > 0) {
        if (b->n > 1)
            buf_add(b, STR(", "));
        buf_add(b, comes);
    }
    buf_add_char(b, ']');
}

static void rewrite_list(struct yaml_edit *e, const struct list_rewrite *r)
{
    const struct yaml_item *list = r->list;
    struct buf b = make_buffer(), text = make_buffer();
    if (is_in_flow(r->f, list)) {
        rewrite_flow(r, &b);
        yaml_edit_set(e, r->f, list, buf_str(&b));
        buf_done(&b);
        return;
    }
    rewrite_lines(r, &b);
    struct str lines = strip_line_end(buf_str(&b));
    if (lines.n == 0) {
        yaml_edit_set(e, r->f, list, STR("[]"));
    } else if (list->value.kind == YAML_LIST) {
        const char *from = list->value.text.p, *to = end_of(list->value.text);
        yaml_edit_replace(e, r->f, span_of(from, yaml_line_trim(from, to)),
                          str_skip(lines, list->value.indent));
    } else {
        buf_add(&text, get_line_end(r->f));
        buf_add(&text, lines);
        yaml_edit_set(e, r->f, list, buf_str(&text));
    }
    buf_done(&b);
    buf_done(&text);
}

/* Turn "[]" or an empty value into a list on the lines after the key. */
static void insert_first(struct yaml_edit *e, const struct yaml_file *f,
                         const struct yaml_item *list, struct str lines)
{
    struct str span = value_span(list);
    /* Include a trailing tab: it would be read as the value. */
    span = span_of(span.p, yaml_line_stop(end_of(span), end_of(list->lines)));
    yaml_edit_remove(e, f, span);
    insert_lines(e, f, yaml_line_next(end_of(span), end_of(list->lines)), lines);
}

void yaml_edit_list_insert(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i, struct str lines)
{
    struct yaml_item item;
    struct str head = is_in_flow(f, list) ? (struct str){0} : span_after_head(list);
    if (has_own_lines(list)) {
        if (find_replacement(e, f, head)) /* the list had lost its last entry */
            yaml_edit_replace(e, f, head, head);
        bool inside = yaml_item_at(list->value, i, &item);
        insert_lines(e, f, inside ? item.lines.p : end_of(list->value.text), lines);
    } else if (yaml_count(list->value) == 0 && head.p) {
        insert_first(e, f, list, lines);
    } else {
        rewrite_list(e, &(struct list_rewrite){f, list, i, lines});
    }
}

void yaml_edit_list_remove(struct yaml_edit *e, const struct yaml_file *f,
                           const struct yaml_item *list, size_t i)
{
    struct yaml_item item;
    if (!yaml_item_at(list->value, i, &item))
        return;
    if (!has_own_lines(list)) {
        rewrite_list(e, &(struct list_rewrite){f, list, i, {0}});
        return;
    }
    yaml_edit_remove(e, f, item.lines);
    if (!keeps_items(e, f, &list->value))
        yaml_edit_replace(e, f, span_after_head(list), STR(" []"));
}

void yaml_edit_apply(const struct yaml_edit *e, struct str text, struct buf *out)
{
    size_t at = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct yaml_patch *p = &e->patches[i];
        assert(p->at >= at && p->at <= text.n && p->removed <= text.n - p->at);
        buf_add(out, str_make(text.p + at, p->at - at));
        buf_add(out, p->inserted);
        at = p->at + p->removed;
    }
    buf_add(out, str_skip(text, at));
}

struct yaml_edit yaml_edit_invert(const struct yaml_edit *e, struct str text)
{
    struct yaml_edit back = {0};
    size_t at = 0, grown = 0; /* grown wraps around when the text shrinks */
    for (size_t i = 0; i < e->count; i++) {
        const struct yaml_patch *p = &e->patches[i];
        assert(p->at >= at && p->at <= text.n && p->removed <= text.n - p->at);
        at = p->at + p->removed;
        struct str old = str_make(text.p + p->at, p->removed);
        mem_grow((void **)&back.patches, &back.cap, back.count + 1, sizeof *p);
        back.patches[back.count++] =
            (struct yaml_patch){p->at + grown, p->inserted.n,
                                old.n > 0 ? arena_str(&back.arena, old) : (struct str){0}, true};
        grown += p->inserted.n - p->removed;
    }
    return back;
}

size_t yaml_edit_size(const struct yaml_edit *e)
{
    return arena_size(&e->arena) + e->cap * sizeof *e->patches;
}

void yaml_edit_done(struct yaml_edit *e)
{
    free(e->patches);
    arena_done(&e->arena);
    *e = (struct yaml_edit){0};
}
