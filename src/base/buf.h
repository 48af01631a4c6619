/* Growable bytes with a mandatory maximum.
 *
 *     struct buf b = buf_make(64 * 1024);
 *     buf_add(&b, STR("hello "));
 *     buf_printf(&b, "%d", 42);
 *     if (!b.overflow)                          // checked once, at the end
 *         handle_text(buf_str(&b));
 *     buf_done(&b);
 *
 * Adding more than the maximum sets `overflow`; from then on everything is ignored, so a writer
 * needs no check at each step. p is NULL until something is added; then the byte after the text is
 * always NUL. {0} is a buffer with the maximum BUF_DEFAULT_MAX. Added text must not be part of the
 * buffer itself, which may move.
 */
#pragma once

#include <stdarg.h>

#include "base/str.h"

#define BUF_DEFAULT_MAX (256u << 20)

struct buf {
    char *p;
    size_t n;      /* bytes in use */
    size_t cap;    /* bytes that fit without growing, the NUL not counted */
    size_t max;    /* 0: BUF_DEFAULT_MAX */
    bool overflow; /* something did not fit and was left out */
};

static inline struct buf buf_make(size_t max)
{
    return (struct buf){.max = max};
}

static inline struct str buf_str(const struct buf *b)
{
    return str_make(b->p, b->n);
}

/* Return room for n more bytes at b->p + b->n, or NULL with overflow set. The caller raises
 * b->n. */
char *buf_room(struct buf *b, size_t n);

bool buf_add(struct buf *b, struct str s); /* false: overflow */
bool buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool buf_vprintf(struct buf *b, const char *fmt, va_list args);

static inline bool buf_add_char(struct buf *b, char c)
{
    if ((b->n >= b->cap || b->overflow) && !buf_room(b, 1))
        return false;
    b->p[b->n++] = c;
    b->p[b->n] = 0;
    return true;
}

void buf_drop(struct buf *b, size_t n); /* remove the first n bytes */
void buf_clear(struct buf *b);          /* empty it, keep the memory, reset overflow */
void buf_done(struct buf *b);           /* free the memory, keep the maximum */
