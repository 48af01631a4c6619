#include "base/columns.h"

#include "base/utf8.h"

struct range {
    uint32_t first, last;
};

#include "columns_table.h"

#define REPLACEMENT STR("\xef\xbf\xbd")

static bool is_in(uint32_t c, const struct range *ranges, size_t count)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (c > ranges[mid].last)
            from = mid + 1;
        else if (c < ranges[mid].first)
            to = mid;
        else
            return true;
    }
    return false;
}

#define IS_IN(c, table) is_in((c), (table), sizeof(table) / sizeof *(table))

unsigned columns_of_char(uint32_t c)
{
    if (c < 0x300)
        return 1;
    return IS_IN(c, joined) ? 0 : IS_IN(c, wide) ? 2 : 1;
}

size_t columns_of(struct str clean)
{
    size_t n = 0;
    for (size_t bytes; clean.n; clean = str_skip(clean, bytes))
        n += columns_of_char(utf8_decode(clean, &bytes));
    return n;
}

/* ---- untrusted text */

static bool is_selector(uint32_t c)
{
    return (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0100 && c <= 0xe01ef);
}

/* Return the first character and its bytes; U+FFFD for invalid UTF-8. */
static uint32_t next_char(struct str text, size_t *bytes)
{
    if (utf8_char_bytes(text))
        return utf8_decode(text, bytes);
    *bytes = utf8_bad_bytes(text);
    return 0xfffd;
}

static size_t add_ascii(struct buf *out, struct str text)
{
    size_t n = 0;
    for (size_t bytes; text.n; text = str_skip(text, bytes)) {
        uint32_t c = next_char(text, &bytes);
        bool is_mark = n && c >= 0x300 && (is_selector(c) || columns_of_char(c) == 0);
        if (is_mark)
            continue;
        n++;
        if (c == '\t' || c == '\n' || c == '\r')
            buf_add_char(out, ' ');
        else
            buf_add_char(out, c >= ' ' && c < 0x7f ? (char)c : '?');
    }
    return n;
}

size_t columns_add(struct buf *out, struct str text, enum columns_set set)
{
    size_t n = 0, marks = COLUMNS_MARKS; /* a mark needs a character before it */
    if (set == COLUMNS_ASCII)
        return add_ascii(out, text);
    for (size_t bytes; text.n; text = str_skip(text, bytes)) {
        uint32_t c = next_char(text, &bytes);
        unsigned takes = columns_of_char(c);
        if (is_selector(c) || (takes == 0 && n && marks == COLUMNS_MARKS))
            continue;
        if (c == '\t' || c == '\n' || c == '\r') {
            buf_add_char(out, ' ');
        } else if (c == 0xfffd || (takes == 0 && !n) || IS_IN(c, unseen)) {
            buf_add(out, REPLACEMENT);
            takes = 1;
        } else {
            buf_add(out, str_head(text, bytes));
        }
        marks = takes ? 0 : marks + 1;
        n += takes;
    }
    return n;
}

#define ELLIPSIS STR("\xe2\x80\xa6")

static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] < ' ' || text.p[i] > '~')
            return false;
    return true;
}

void columns_copy(char *to, size_t size, struct str text)
{
    struct buf clean = {0};
    bool fits = text.n < size;
    if (!fits || !is_plain(text)) {
        /* Limit the input, too: some characters add nothing to the output. */
        columns_add(&clean, utf8_head(text, 4 * size), COLUMNS_UNICODE);
        if (clean.n >= size || text.n > 4 * size) {
            clean.n = utf8_head(buf_str(&clean), size - 1 - ELLIPSIS.n).n;
            buf_add(&clean, ELLIPSIS);
        }
        text = buf_str(&clean);
    }
    if (text.n)
        memcpy(to, text.p, text.n);
    to[text.n] = 0;
    buf_done(&clean);
}

/* ---- cutting */

/* Return the longest beginning of at most max columns, with all its marks. */
static struct str take_head(struct str clean, size_t max, size_t *took)
{
    struct str rest = clean;
    size_t n = 0;
    for (size_t bytes; rest.n; rest = str_skip(rest, bytes)) {
        unsigned takes = columns_of_char(utf8_decode(rest, &bytes));
        if (n + takes > max)
            break;
        n += takes;
    }
    *took = n;
    return str_head(clean, clean.n - rest.n);
}

/* Return the longest end of at most max columns that does not begin with a mark. */
static struct str take_tail(struct str clean, size_t all, size_t max, size_t *took)
{
    size_t skip;
    struct str front = take_head(clean, all > max ? all - max : 0, &skip);
    struct str rest = str_skip(clean, front.n);
    while (rest.n && all - skip > max) { /* a wide character was at the border */
        size_t bytes;
        skip += columns_of_char(utf8_decode(rest, &bytes));
        rest = str_skip(rest, bytes);
        while (rest.n && columns_of_char(utf8_decode(rest, &bytes)) == 0)
            rest = str_skip(rest, bytes);
    }
    *took = all - skip;
    return rest;
}

size_t columns_cut(struct buf *out, struct str clean, size_t max, enum columns_end end,
                   enum columns_set set)
{
    struct str dots = set == COLUMNS_ASCII ? STR("...") : ELLIPSIS;
    size_t all = columns_of(clean), mark = set == COLUMNS_ASCII ? 3 : 1, first, last = 0;
    if (all <= max) {
        buf_add(out, clean);
        return all;
    }
    if (max <= mark) { /* no room for a letter beside it */
        buf_add(out, str_head(dots, set == COLUMNS_ASCII ? max : max * dots.n));
        return max;
    }
    size_t room = max - mark, back = end == COLUMNS_MIDDLE ? room * 2 / 5 : 0;
    struct str front = take_head(clean, room - back, &first);
    struct str rest =
        back ? take_tail(clean, all, room - first < back ? room - first : back, &last) : STR("");
    buf_add(out, front);
    buf_add(out, dots);
    buf_add(out, rest);
    return first + mark + last;
}
