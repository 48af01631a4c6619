#include "unity/yaml.h"
#include "unity/yaml_line.h"
#include "unity/yaml_scan.h"

struct check_line {
    const char *text;  /* the first byte that is not a space */
    const char *stop;  /* the end of its content */
    const char *next;  /* the next line */
    const char *colon; /* the first colon that may end a key; NULL: none */
};

struct check_level {
    uint32_t indent;
    bool list;
};

/* The lines that may follow the last entry at a deeper indent. */
enum last_entry {
    LAST_GOES_ON, /* a plain text: anything */
    LAST_WAITS,   /* no value yet: the value */
    LAST_IS_OVER  /* nothing */
};

/* The open blocks, outermost first; the last entry belongs to the innermost one. */
struct yaml_checker {
    const char *end;   /* end of the document */
    const char *limit; /* end of the whole text: bytes before it are readable */
    struct check_level levels[YAML_MAX_DEPTH];
    size_t depth;
    enum last_entry last;
    size_t keys;
    const char *error_at, *error_text;
};

static bool set_error(struct yaml_checker *c, const char *at, const char *text)
{
    c->error_at = at;
    c->error_text = text;
    return false;
}

static bool is_line_end(const struct yaml_checker *c, const char *p)
{
    return *p == '\n' || (*p == '\r' && p + 1 < c->end && p[1] == '\n');
}

/* Return the stop of the line at `at`, or NULL at a control character. */
static const char *find_stop(struct yaml_checker *c, const char *at)
{
    for (;; at++) {
        at = yaml_scan_control(at, c->end);
        if (at == c->end || is_line_end(c, at))
            return at;
        if (*at != '\t') {
            set_error(c, at,
                      *at == 0 ? "NUL byte: the file is damaged or not text"
                               : "control character: the file is damaged or not text");
            return NULL;
        }
    }
}

static const char *after_line(const struct yaml_checker *c, const char *stop)
{
    return stop == c->end ? stop : stop + (*stop == '\r') + 1;
}

static bool scan_line_slowly(struct yaml_checker *c, const char *at, struct check_line *l)
{
    const char *stop = find_stop(c, at), *p;
    if (!stop)
        return false;
    *l = (struct check_line){yaml_line_skip_spaces(at, stop), stop, after_line(c, stop), NULL};
    for (p = l->text; p < stop && (p = memchr(p, ':', (size_t)(stop - p))) != NULL; p++)
        if (p + 1 == stop || p[1] == ' ') {
            l->colon = p;
            break;
        }
    return true;
}

#ifdef __SSE2__
/* Scan a line that ends in the window and has no other control character. */
static inline bool scan_line(struct yaml_checker *c, const char *at, struct check_line *l)
{
    if (c->limit - at < YAML_SCAN_WINDOW)
        return scan_line_slowly(c, at, l);
    struct yaml_scan s = yaml_scan(at);
    if (s.odd == 0)
        return scan_line_slowly(c, at, l);
    const char *stop = at + __builtin_ctzll(s.odd);
    if (!is_line_end(c, stop))
        return scan_line_slowly(c, at, l);
    uint64_t before = (s.odd & (0 - s.odd)) - 1;
    uint64_t colon = s.colon & (s.space | s.odd) >> 1 & before;
    l->stop = stop;
    l->next = stop + 1 + (*stop == '\r');
    l->text = at + __builtin_ctzll(~s.space);
    l->colon = colon ? at + __builtin_ctzll(colon) : NULL;
    return true;
}
#else
static inline bool scan_line(struct yaml_checker *c, const char *at, struct check_line *l)
{
    return scan_line_slowly(c, at, l);
}
#endif

static bool push_level(struct yaml_checker *c, const char *at, size_t indent, bool list)
{
    if (c->depth == YAML_MAX_DEPTH || indent > YAML_LINE_MAX_INDENT)
        return set_error(c, at, "blocks are nested too deep");
    c->levels[c->depth++] = (struct check_level){(uint32_t)indent, list};
    return true;
}

/* Check that nothing follows a value that has ended. */
static bool check_end(struct yaml_checker *c, const char *at, const char *end)
{
    while (at < end && yaml_line_is_blank(*at))
        at++;
    return at == end || set_error(c, at, "unexpected text after the end of a value");
}

/* Move l->next past the lines that continue a value. */
static bool take_owned_lines(struct yaml_checker *c, struct check_line *l, uint32_t indent)
{
    const char *end = yaml_line_owned(l->next, c->end, indent, false);
    while (l->next < end) {
        const char *stop = find_stop(c, l->next);
        if (!stop)
            return false;
        l->next = after_line(c, stop);
    }
    return true;
}

/* Whether a quoted text or flow collection ends on its line, without nested quotes or brackets. */
static inline bool ends_here(const struct yaml_checker *c, const char *at,
                             const struct check_line *l)
{
    const char *end = yaml_line_trim(at, l->stop);
    if (*at == '\'' || *at == '"')
        return yaml_line_quoted(at, end) == end;
    return end[-1] == (*at == '{' ? '}' : ']') &&
           yaml_scan_structure(at + 1, end, c->limit) == end - 1;
}

/* Check a quoted text or flow collection on all of its lines. */
static bool check_enclosed(struct yaml_checker *c, const char *at, struct check_line *l,
                           uint32_t indent)
{
    if (!take_owned_lines(c, l, indent))
        return false;
    const char *end = yaml_line_trim(at, l->next), *after, *error_at = at;
    if (*at == '\'' || *at == '"') {
        after = yaml_line_quoted(at, end);
        return after ? check_end(c, after, end) : set_error(c, at, "unclosed quote");
    }
    if (end[-1] == (*at == '{' ? '}' : ']') &&
        yaml_scan_structure(at + 1, end, c->limit) == end - 1)
        return true;
    after = yaml_line_flow(at, end, &error_at);
    if (!after)
        return set_error(c, error_at, "unclosed bracket, or closed by a bracket of another kind");
    return check_end(c, after, end);
}

/* The meaning of a byte at the start of a key or value. */
enum {
    ENCLOSES = 1, /* opens a quoted text or a flow collection */
    FOREIGN = 2,  /* starts nothing that Unity writes */
    ODD_KEY = 4,  /* cannot start a key, or the first colon may not end it */
    BLANK = 8     /* precedes the first byte */
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

/* Check a value that starts at `at` (not blank); indent is that of its key or dash. */
static inline bool check_value(struct yaml_checker *c, const char *at, struct check_line *l,
                               uint32_t indent)
{
    uint8_t first = first_byte[(unsigned char)*at];
    c->last = LAST_GOES_ON;
    if (first & ENCLOSES) {
        c->last = LAST_IS_OVER;
        return ends_here(c, at, l) || check_enclosed(c, at, l, indent);
    }
    if (first & FOREIGN)
        return set_error(c, at, "Unity's YAML has no anchors, tags or literal blocks");
    return true;
}

static inline const char *find_colon(const char *at, const struct check_line *l)
{
    if (first_byte[(unsigned char)*at] & ODD_KEY)
        return yaml_line_colon(at, l->stop);
    return l->colon;
}

/* Report a line that fits nowhere. */
static bool report_unexpected_line(struct yaml_checker *c, const char *at)
{
    static const char *const marks[] = {"<<<<<<<", "=======", ">>>>>>>", "|||||||"};
    struct str rest = str_make(at, (size_t)(c->end - at));
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(rest, str_from(marks[i])))
            return set_error(c, at, "this is a merge conflict marker: resolve the conflict");
    if (*at == '\t')
        return set_error(c, at, "tab in the indentation: indent with spaces");
    return set_error(c, at, "expected a key, an item or the continuation of a value");
}

static inline bool check_key(struct yaml_checker *c, const char *at, struct check_line *l,
                             uint32_t indent)
{
    const char *colon = find_colon(at, l);
    if (!colon)
        return report_unexpected_line(c, at);
    c->keys++;
    const char *value = yaml_line_skip_spaces(colon + 1, l->stop);
    if (value == l->stop || (*value == '\t' && yaml_line_is_over(value, l->stop))) {
        c->last = LAST_WAITS;
        return true;
    }
    return check_value(c, value, l, indent);
}

/* "- - a: 1": each dash opens a list inside the previous one, a key opens a map. */
static bool check_item(struct yaml_checker *c, const char *dash, struct check_line *l,
                       size_t column)
{
    for (;;) {
        const char *at = yaml_line_skip_spaces(dash + 1, l->stop);
        size_t inner = column + (size_t)(at - dash);
        if (yaml_line_is_over(at, l->stop)) {
            c->last = LAST_WAITS;
            return true;
        }
        if (!yaml_line_is_dash(at, l->stop)) {
            if (!find_colon(at, l))
                return check_value(c, at, l, (uint32_t)column);
            return push_level(c, at, inner, false) && check_key(c, at, l, (uint32_t)inner);
        }
        if (!push_level(c, at, inner, true))
            return false;
        dash = at;
        column = inner;
    }
}

/* Check a deeper line that is not part of a text: the value of an entry without one. */
static bool check_below(struct yaml_checker *c, struct check_line *l, size_t column)
{
    const struct check_level *top = &c->levels[c->depth - 1];
    if (c->last == LAST_IS_OVER)
        return set_error(c, l->text, "unexpected text after the end of a value");
    if (yaml_line_is_dash(l->text, l->stop))
        return push_level(c, l->text, column, true) && check_item(c, l->text, l, column);
    if (!find_colon(l->text, l))
        return check_value(c, l->text, l, top->indent);
    return push_level(c, l->text, column, false) && check_key(c, l->text, l, (uint32_t)column);
}

/* Check a line that is not deeper than the last entry: another entry of an open block. */
static inline bool check_entry(struct yaml_checker *c, struct check_line *l, size_t column)
{
    const struct check_level *top = &c->levels[c->depth - 1];
    while (top->indent > column && c->depth > 1) {
        top = &c->levels[--c->depth - 1];
        c->last = LAST_IS_OVER;
    }
    if (top->indent != column)
        return report_unexpected_line(c, l->text);
    bool dash = yaml_line_is_dash(l->text, l->stop);
    if (dash && !top->list) {
        if (c->last != LAST_WAITS)
            return report_unexpected_line(c, l->text);
        return push_level(c, l->text, column, true) && check_item(c, l->text, l, column);
    }
    if (dash)
        return check_item(c, l->text, l, column);
    if (top->list) { /* ends the list at the indent of its key */
        if (c->depth == 1 || c->levels[c->depth - 2].indent != column)
            return report_unexpected_line(c, l->text);
        c->depth--;
    }
    return check_key(c, l->text, l, (uint32_t)column);
}

/* The fast path for most lines: a key of the innermost map whose value ends on its line. */
static inline bool is_simple(struct yaml_checker *c, const struct check_line *l, size_t column)
{
    const struct check_level *top = &c->levels[c->depth - 1];
    if (column != top->indent || top->list || !l->colon ||
        (first_byte[(unsigned char)*l->text] & ODD_KEY))
        return false;
    const char *value = l->colon + 2; /* past the blank, or past the end of the line */
    uint8_t first = value < l->stop ? first_byte[(unsigned char)*value] : 0;
    if (first & (FOREIGN | BLANK) || (first & ENCLOSES && !ends_here(c, value, l)))
        return false;
    c->last = value >= l->stop ? LAST_WAITS : first & ENCLOSES ? LAST_IS_OVER : LAST_GOES_ON;
    c->keys++;
    return true;
}

/* Check all lines of a map with a given indent. */
static bool check_map(struct yaml_checker *c, struct yaml_value map)
{
    struct check_line l;
    const char *at = map.text.p;
    c->end = at + map.text.n;
    c->levels[0] = (struct check_level){.indent = map.indent};
    c->depth = 1;
    c->last = LAST_IS_OVER;
    for (; at < c->end; at = l.next) {
        if (!scan_line(c, at, &l))
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

bool yaml_check(const struct yaml_file *f, size_t *keys, struct yaml_error *error)
{
    struct yaml_checker c = {.limit = f->text.p + f->text.n};
    for (size_t i = 0; i < f->count; i++)
        if (!check_map(&c, yaml_body(f, &f->docs[i]))) {
            *error = yaml_line_error(f->text, c.error_at, c.error_text);
            return false;
        }
    *keys = c.keys;
    return true;
}

bool yaml_check_plain(struct str text, size_t *keys, struct yaml_error *error)
{
    struct yaml_checker c = {0};
    struct yaml_value map = yaml_plain(text);
    if (map.kind == YAML_NONE) {
        *error = (struct yaml_error){1, 1, "the file is empty"};
        return false;
    }
    c.limit = text.p + text.n;
    if (!check_map(&c, map)) {
        *error = yaml_line_error(text, c.error_at, c.error_text);
        return false;
    }
    *keys = c.keys;
    return true;
}
