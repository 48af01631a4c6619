#include "orchestrator/log_text.h"

#include "base/utf8.h"

#define MAX_SEQUENCE 4096u

enum {
    BEL = 0x07,
    ESC = 0x1b,
    DEL = 0x7f
};

/* ---- characters that are kept */

/* With C1: characters that stand for ESC and a letter. */
static bool is_control(uint32_t c)
{
    return (c < ' ' && c != '\t') || (c >= DEL && c < 0xa0);
}

static void put_plain(struct log_text *t, struct str one, uint32_t c, struct buf *out)
{
    bool was_return = t->after_return;
    t->after_return = c == '\r';
    if (c == '\n' && was_return)
        return; /* \r has already ended the line */
    if (c == '\n' || c == '\r')
        buf_add_char(out, '\n');
    else if (c == ESC)
        t->state = LOG_TEXT_ESCAPE, t->skipped = 0;
    else if (c == 0x9b)
        t->state = LOG_TEXT_CONTROL, t->skipped = 0;
    else if (!is_control(c))
        buf_add(out, one);
}

/* ---- sequences */

static enum log_text_state state_after_escape(uint32_t c)
{
    if (c == '[')
        return LOG_TEXT_CONTROL;
    if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_')
        return LOG_TEXT_STRING;
    return c >= ' ' && c <= '/' ? LOG_TEXT_ESCAPE
                                : LOG_TEXT_PLAIN; /* blank to /: intermediate bytes */
}

static void skip_one(struct log_text *t, uint32_t c)
{
    switch (t->state) {
    case LOG_TEXT_ESCAPE:
        t->state = state_after_escape(c);
        break;
    case LOG_TEXT_CONTROL:
        if (c >= '@' && c <= '~')
            t->state = LOG_TEXT_PLAIN;
        break;
    case LOG_TEXT_STRING:
        if (c == BEL || c == 0x9c)
            t->state = LOG_TEXT_PLAIN;
        else if (c == ESC)
            t->state = LOG_TEXT_STRING_ESCAPE;
        break;
    case LOG_TEXT_STRING_ESCAPE:
        t->state = c == '\\' ? LOG_TEXT_PLAIN : LOG_TEXT_STRING;
        break;
    case LOG_TEXT_PLAIN:
        break;
    }
}

static void put_character(struct log_text *t, struct str one, uint32_t c, struct buf *out)
{
    bool ends_line = c == '\n' || c == '\r';
    bool is_new = c == ESC && (t->state == LOG_TEXT_ESCAPE || t->state == LOG_TEXT_CONTROL);
    if (t->state != LOG_TEXT_PLAIN && !ends_line && !is_new && ++t->skipped <= MAX_SEQUENCE) {
        skip_one(t, c);
        return;
    }
    t->state = LOG_TEXT_PLAIN;
    put_plain(t, one, c, out);
}

static void put_bad(struct log_text *t, struct buf *out)
{
    put_character(t, STR("\xef\xbf\xbd"), 0xfffd, out);
}

/* ---- bytes */

/* The beginning of a character whose other bytes may follow. */
static bool is_cut(struct str s)
{
    struct utf8_check check = {0};
    return s.n < 4 && utf8_check_feed(&check, s) && !utf8_check_end(&check);
}

static struct str take_character(struct log_text *t, struct str bytes, struct buf *out)
{
    size_t n = utf8_char_bytes(bytes);
    if (n) {
        put_character(t, str_head(bytes, n), utf8_decode(bytes, &n), out);
        return str_skip(bytes, n);
    }
    if (is_cut(bytes)) {
        memcpy(t->part, bytes.p, bytes.n);
        t->part_n = (unsigned)bytes.n;
        return STR("");
    }
    put_bad(t, out);
    return str_skip(bytes, utf8_bad_bytes(bytes));
}

/* The length of the printable ASCII at the beginning, which is copied at once. */
static size_t count_plain_bytes(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= ' ' && s.p[n] < DEL)
        n++;
    return n;
}

void log_text_feed(struct log_text *t, struct str bytes, struct buf *out)
{
    while (t->part_n && bytes.n) { /* try again with one more byte */
        char joined[4];
        unsigned n = t->part_n;
        memcpy(joined, t->part, n);
        joined[n++] = bytes.p[0];
        t->part_n = 0;
        struct str rest = take_character(t, str_make(joined, n), out);
        if (rest.n == 0) /* the byte was used */
            bytes = str_skip(bytes, 1);
    }
    while (bytes.n) {
        size_t n = t->state == LOG_TEXT_PLAIN ? count_plain_bytes(bytes) : 0;
        if (n) {
            t->after_return = false;
            buf_add(out, str_head(bytes, n));
            bytes = str_skip(bytes, n);
        } else {
            bytes = take_character(t, bytes, out);
        }
    }
}

void log_text_end(struct log_text *t, struct buf *out)
{
    if (t->part_n)
        put_bad(t, out);
    *t = (struct log_text){0};
}
