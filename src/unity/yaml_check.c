#include "unity/yaml.h"
#include "unity/yaml_line.h"
#include "unity/yaml_scan.h"

struct line {
    const char *text;  /* the first byte that is no space */
    const char *stop;  /* behind what it says */
    const char *next;  /* the next line */
    const char *colon; /* the first one that can end a key; NULL: none */
};

struct level {
    uint32_t indent;
    bool list;
};

/* What may follow the last entry on deeper lines. */
enum last {
    LAST_GOES_ON, /* a plain text: anything */
    LAST_WAITS,   /* it has no value yet: its value */
    LAST_IS_OVER  /* nothing */
};

/* The blocks that are open, outermost first; the last entry is one of the innermost. */
struct checker {
    const char *end;   /* of the document */
    const char *limit; /* of the whole text: so far bytes can be read */
    struct level levels[YAML_MAX_DEPTH];
    size_t depth;
    enum last last;
    size_t keys;
    const char *wrong, *why;
};

static bool broken(struct checker *c, const char *at, const char *why)
{
    c->wrong = at;
    c->why = why;
    return false;
}

static bool is_line_end(const struct checker *c, const char *p)
{
    return *p == '\n' || (*p == '\r' && p + 1 < c->end && p[1] == '\n');
}

/* Where the line at `at` stops; NULL if there is something before that no text file has. */
static const char *find_stop(struct checker *c, const char *at)
{
    for (;; at++) {
        at = yaml_scan_control(at, c->end);
        if (at == c->end || is_line_end(c, at))
            return at;
        if (*at != '\t') {
            broken(c, at,
                   *at == 0 ? "a NUL byte: the file is damaged, or not text"
                            : "a control character that no text file has");
            return NULL;
        }
    }
}

static const char *behind_line(const struct checker *c, const char *stop)
{
    return stop == c->end ? stop : stop + (*stop == '\r') + 1;
}

static bool scan_slowly(struct checker *c, const char *at, struct line *l)
{
    const char *stop = find_stop(c, at), *p;
    if (!stop)
        return false;
    *l = (struct line){yaml_line_skip_spaces(at, stop), stop, behind_line(c, stop), NULL};
    for (p = l->text; p < stop && (p = memchr(p, ':', (size_t)(stop - p))) != NULL; p++)
        if (p + 1 == stop || p[1] == ' ') {
            l->colon = p;
            break;
        }
    return true;
}

#ifdef __SSE2__
/* A line whose end is in the window, and that has no other control character. */
static inline bool scan(struct checker *c, const char *at, struct line *l)
{
    if (c->limit - at < YAML_SCAN_WINDOW)
        return scan_slowly(c, at, l);
    struct yaml_scan s = yaml_scan(at);
    if (s.odd == 0)
        return scan_slowly(c, at, l);
    const char *stop = at + __builtin_ctzll(s.odd);
    if (!is_line_end(c, stop))
        return scan_slowly(c, at, l);
    uint64_t before = (s.odd & (0 - s.odd)) - 1;
    uint64_t colon = s.colon & (s.space | s.odd) >> 1 & before;
    l->stop = stop;
    l->next = stop + 1 + (*stop == '\r');
    l->text = at + __builtin_ctzll(~s.space);
    l->colon = colon ? at + __builtin_ctzll(colon) : NULL;
    return true;
}
#else
static inline bool scan(struct checker *c, const char *at, struct line *l)
{
    return scan_slowly(c, at, l);
}
#endif

static bool push(struct checker *c, const char *at, size_t indent, bool list)
{
    if (c->depth == YAML_MAX_DEPTH || indent > YAML_LINE_MAX_INDENT)
        return broken(c, at, "blocks are nested too deep");
    c->levels[c->depth++] = (struct level){(uint32_t)indent, list};
    return true;
}

/* What is behind a value that must have ended. */
static bool is_over(struct checker *c, const char *at, const char *end)
{
    while (at < end && yaml_line_is_blank(*at))
        at++;
    return at == end || broken(c, at, "this stands behind a value that has ended");
}

/* The lines that continue a value: l->next gets behind them. */
static bool take_owned(struct checker *c, struct line *l, uint32_t indent)
{
    const char *end = yaml_line_owned(l->next, c->end, indent, false);
    while (l->next < end) {
        const char *stop = find_stop(c, l->next);
        if (!stop)
            return false;
        l->next = behind_line(c, stop);
    }
    return true;
}

/* A value in quotes or brackets that has ended where its line does. */
static inline bool ends_here(const struct checker *c, const char *at, const struct line *l)
{
    const char *end = yaml_line_trim(at, l->stop);
    if (*at == '\'' || *at == '"')
        return yaml_line_quoted(at, end) == end;
    return end[-1] == (*at == '{' ? '}' : ']') &&
           yaml_scan_structure(at + 1, end, c->limit) == end - 1;
}

/* The same with all lines that are its own, or with others inside. */
static bool check_enclosed(struct checker *c, const char *at, struct line *l, uint32_t indent)
{
    if (!take_owned(c, l, indent))
        return false;
    const char *end = yaml_line_trim(at, l->next), *behind, *wrong = at;
    if (*at == '\'' || *at == '"') {
        behind = yaml_line_quoted(at, end);
        return behind ? is_over(c, behind, end) : broken(c, at, "this quote is never closed");
    }
    if (end[-1] == (*at == '{' ? '}' : ']') &&
        yaml_scan_structure(at + 1, end, c->limit) == end - 1)
        return true;
    behind = yaml_line_flow(at, end, &wrong);
    if (!behind)
        return broken(c, wrong, "a bracket is never closed, or closed by another kind");
    return is_over(c, behind, end);
}

/* What the first byte of a key or value says. */
enum {
    ENCLOSES = 1, /* opens a text or a flow collection */
    FOREIGN = 2,  /* starts nothing that Unity writes */
    ODD_KEY = 4,  /* is no key, or not all of it is before the first colon */
    BLANK = 8     /* comes before anything else */
};
static const uint8_t first_byte[256] = {
    ['{'] = ENCLOSES | ODD_KEY,
    ['['] = ENCLOSES | ODD_KEY,
    ['\''] = ENCLOSES | ODD_KEY,
    ['"'] = ENCLOSES | ODD_KEY,
    ['|'] = FOREIGN,
    ['>'] = FOREIGN,
    ['&'] = FOREIGN,
    ['*'] = FOREIGN,
    ['!'] = FOREIGN,
    ['-'] = ODD_KEY,
    ['?'] = ODD_KEY,
    ['#'] = ODD_KEY,
    ['\t'] = ODD_KEY | BLANK,
    [' '] = BLANK,
};

/* A value that starts at `at`, not blank; indent is that of its key or dash. */
static inline bool check_value(struct checker *c, const char *at, struct line *l, uint32_t indent)
{
    uint8_t first = first_byte[(unsigned char)*at];
    c->last = LAST_GOES_ON;
    if (first & ENCLOSES) {
        c->last = LAST_IS_OVER;
        return ends_here(c, at, l) || check_enclosed(c, at, l, indent);
    }
    if (first & FOREIGN)
        return broken(c, at, "anchors, tags and literal blocks are not part of Unity's YAML");
    return true;
}

static inline const char *colon_of(const char *at, const struct line *l)
{
    if (first_byte[(unsigned char)*at] & ODD_KEY)
        return yaml_line_colon(at, l->stop);
    return l->colon;
}

/* What may be wrong with a line that fits nowhere. */
static bool lost(struct checker *c, const char *at)
{
    static const char *const marks[] = {"<<<<<<<", "=======", ">>>>>>>", "|||||||"};
    struct str rest = str_make(at, (size_t)(c->end - at));
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(rest, str_from(marks[i])))
            return broken(c, at, "this is a mark of a merge conflict");
    if (*at == '\t')
        return broken(c, at, "a tab, where only spaces indent");
    return broken(c, at, "this is neither a key, nor an item, nor the rest of a value above");
}

static inline bool check_key(struct checker *c, const char *at, struct line *l, uint32_t indent)
{
    const char *colon = colon_of(at, l);
    if (!colon)
        return lost(c, at);
    c->keys++;
    const char *value = yaml_line_skip_spaces(colon + 1, l->stop);
    if (value == l->stop || (*value == '\t' && yaml_line_is_over(value, l->stop))) {
        c->last = LAST_WAITS;
        return true;
    }
    return check_value(c, value, l, indent);
}

/* "- - a: 1": each dash opens a list inside the one before, a key opens a map. */
static bool check_item(struct checker *c, const char *dash, struct line *l, size_t column)
{
    for (;;) {
        const char *at = yaml_line_skip_spaces(dash + 1, l->stop);
        size_t inner = column + (size_t)(at - dash);
        if (yaml_line_is_over(at, l->stop)) {
            c->last = LAST_WAITS;
            return true;
        }
        if (!yaml_line_is_dash(at, l->stop)) {
            if (!colon_of(at, l))
                return check_value(c, at, l, (uint32_t)column);
            return push(c, at, inner, false) && check_key(c, at, l, (uint32_t)inner);
        }
        if (!push(c, at, inner, true))
            return false;
        dash = at;
        column = inner;
    }
}

/* A deeper line that does not go on with a text: the value of an entry that has none yet. */
static bool check_below(struct checker *c, struct line *l, size_t column)
{
    const struct level *top = &c->levels[c->depth - 1];
    if (c->last == LAST_IS_OVER)
        return broken(c, l->text, "this stands behind a value that has ended");
    if (yaml_line_is_dash(l->text, l->stop))
        return push(c, l->text, column, true) && check_item(c, l->text, l, column);
    if (!colon_of(l->text, l))
        return check_value(c, l->text, l, top->indent);
    return push(c, l->text, column, false) && check_key(c, l->text, l, (uint32_t)column);
}

/* A line that is not deeper than the last entry: another entry of an open block. */
static inline bool check_entry(struct checker *c, struct line *l, size_t column)
{
    const struct level *top = &c->levels[c->depth - 1];
    while (top->indent > column && c->depth > 1) {
        top = &c->levels[--c->depth - 1];
        c->last = LAST_IS_OVER;
    }
    if (top->indent != column)
        return lost(c, l->text);
    bool dash = yaml_line_is_dash(l->text, l->stop);
    if (dash && !top->list) {
        if (c->last != LAST_WAITS)
            return lost(c, l->text);
        return push(c, l->text, column, true) && check_item(c, l->text, l, column);
    }
    if (dash)
        return check_item(c, l->text, l, column);
    if (top->list) { /* the list at the indent of its key is over */
        if (c->depth == 1 || c->levels[c->depth - 2].indent != column)
            return lost(c, l->text);
        c->depth--;
    }
    return check_key(c, l->text, l, (uint32_t)column);
}

/* By far the most lines: a key of the innermost map, with a value that ends where the line does. */
static inline bool is_simple(struct checker *c, const struct line *l, size_t column)
{
    const struct level *top = &c->levels[c->depth - 1];
    if (column != top->indent || top->list || !l->colon ||
        (first_byte[(unsigned char)*l->text] & ODD_KEY))
        return false;
    const char *value =
        l->colon + 2; /* the line's end and one more byte, or what follows a blank */
    uint8_t first = value < l->stop ? first_byte[(unsigned char)*value] : 0;
    if (first & (FOREIGN | BLANK) || (first & ENCLOSES && !ends_here(c, value, l)))
        return false;
    c->last = value >= l->stop ? LAST_WAITS : first & ENCLOSES ? LAST_IS_OVER : LAST_GOES_ON;
    c->keys++;
    return true;
}

/* All lines of a map, whose indent is given. */
static bool check_map(struct checker *c, struct yaml_value map)
{
    struct line l;
    const char *at = map.text.p;
    c->end = at + map.text.n;
    c->levels[0] = (struct level){.indent = map.indent};
    c->depth = 1;
    c->last = LAST_IS_OVER;
    for (; at < c->end; at = l.next) {
        if (!scan(c, at, &l))
            return false;
        size_t column = (size_t)(l.text - at);
        if (is_simple(c, &l, column))
            continue;
        if (l.text == l.stop || (*l.text == '\t' && yaml_line_is_over(l.text, l.stop)))
            continue;
        if (column <= c->levels[c->depth - 1].indent) {
            if (!check_entry(c, &l, column))
                return false;
        } else if (c->last != LAST_GOES_ON && !check_below(c, &l, column)) {
            return false;
        }
    }
    return true;
}

bool yaml_check(const struct yaml_file *f, size_t *keys, struct yaml_error *fault)
{
    struct checker c = {.limit = f->text.p + f->text.n};
    for (size_t i = 0; i < f->count; i++)
        if (!check_map(&c, yaml_body(f, &f->docs[i]))) {
            *fault = yaml_line_error(f->text, c.wrong, c.why);
            return false;
        }
    *keys = c.keys;
    return true;
}

bool yaml_check_plain(struct str text, size_t *keys, struct yaml_error *fault)
{
    struct checker c = {0};
    struct yaml_value map = yaml_plain(text);
    if (map.kind == YAML_NONE) {
        *fault = (struct yaml_error){1, 1, "there is nothing in this file"};
        return false;
    }
    c.limit = text.p + text.n;
    if (!check_map(&c, map)) {
        *fault = yaml_line_error(text, c.wrong, c.why);
        return false;
    }
    *keys = c.keys;
    return true;
}
