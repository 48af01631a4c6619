#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define SMALLEST 256u

char *buf_room(struct buf *b, size_t n)
{
    size_t max = b->max ? b->max : BUF_DEFAULT_MAX;
    if (b->overflow)
        return NULL;
    if (n > max || b->n > max - n) {
        b->overflow = true;
        return NULL;
    }
    if (b->n + n > b->cap || !b->p) {
        size_t cap = b->cap ? b->cap * 2 : SMALLEST;
        if (cap < b->n + n)
            cap = b->n + n;
        if (cap > max)
            cap = max;
        b->p = mem_realloc(b->p, cap + 1);
        b->cap = cap;
        b->p[b->n] = 0;
    }
    return b->p + b->n;
}

bool buf_add(struct buf *b, struct str s)
{
    if (s.n == 0)
        return !b->overflow;
    bool fits = s.n <= b->cap - b->n && !b->overflow;
    char *to = fits ? b->p + b->n : buf_room(b, s.n);
    if (!to)
        return false;
    memcpy(to, s.p, s.n);
    b->n += s.n;
    b->p[b->n] = 0;
    return true;
}

bool buf_vprintf(struct buf *b, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n < 0) /* longer than INT_MAX, or an encoding error: add nothing */
        b->overflow = true;
    char *to = n < 0 ? NULL : buf_room(b, (size_t)n);
    if (to) {
        vsnprintf(to, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
    return to != NULL;
}

bool buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    bool ok = buf_vprintf(b, fmt, args);
    va_end(args);
    return ok;
}

void buf_drop(struct buf *b, size_t n)
{
    if (n > b->n)
        n = b->n;
    if (n == 0)
        return;
    memmove(b->p, b->p + n, b->n - n);
    b->n -= n;
    b->p[b->n] = 0;
}

void buf_clear(struct buf *b)
{
    b->n = 0;
    b->overflow = false;
    if (b->p)
        b->p[0] = 0;
}

void buf_done(struct buf *b)
{
    free(b->p);
    *b = (struct buf){.max = b->max};
}
