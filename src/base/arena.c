#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define ALIGN       16u
#define FIRST_BLOCK 992u       /* with its head: below the size that malloc() caches */
#define LAST_BLOCK  (1u << 20) /* blocks double up to this; larger pieces get their own */

struct arena_block {
    struct arena_block *older;
    size_t size; /* of the bytes that follow */
    _Alignas(ALIGN) char bytes[];
};

static size_t round_up(size_t n)
{
    if (n > SIZE_MAX / 2)
        mem_die("out of memory");
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static void add_block(struct arena *a, size_t need)
{
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size > LAST_BLOCK)
        size = LAST_BLOCK;
    if (size < need)
        size = need;
    struct arena_block *b = mem_alloc(sizeof *b + size);
    b->older = a->blocks;
    b->size = size;
    a->blocks = b;
    a->at = b->bytes;
    a->end = b->bytes + size;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size = round_up(size ? size : 1);
    if ((size_t)(a->end - a->at) < size)
        add_block(a, size);
    void *p = a->at;
    a->at += size;
    return p;
}

void *arena_zalloc(struct arena *a, size_t size)
{
    return memset(arena_alloc(a, size), 0, size);
}

void *arena_grow(struct arena *a, void *p, size_t old, size_t size)
{
    size_t had = round_up(old ? old : 1), want = round_up(size ? size : 1);
    if (p && (char *)p + had == a->at && (size_t)(a->end - (char *)p) >= want) {
        a->at = (char *)p + want;
        return p;
    }
    void *q = arena_alloc(a, size);
    if (p && old)
        memcpy(q, p, old < size ? old : size);
    return q;
}

char *arena_cstr(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = 0;
    return p;
}

struct str arena_str(struct arena *a, struct str s)
{
    return str_make(arena_cstr(a, s), s.n);
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *p = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
    p[0] = 0;
    vsnprintf(p, (size_t)(n < 0 ? 0 : n) + 1, fmt, again);
    va_end(again);
    return str_make(p, (size_t)(n < 0 ? 0 : n));
}

size_t arena_size(const struct arena *a)
{
    size_t sum = 0;
    for (const struct arena_block *b = a->blocks; b; b = b->older)
        sum += b->size;
    return sum;
}

void arena_reset(struct arena *a)
{
    struct arena_block *b = a->blocks;
    while (b && b->older) {
        struct arena_block *older = b->older;
        free(b);
        b = older;
    }
    /* Do not keep a first block that was allocated for one huge piece. */
    if (b && b->size > LAST_BLOCK) {
        free(b);
        b = NULL;
    }
    a->blocks = b;
    a->at = b ? b->bytes : NULL;
    a->end = b ? b->bytes + b->size : NULL;
}

void arena_done(struct arena *a)
{
    while (a->blocks) {
        struct arena_block *older = a->blocks->older;
        free(a->blocks);
        a->blocks = older;
    }
    *a = (struct arena){0};
}
