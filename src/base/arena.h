/* Memory for one call or one document: taken piece by piece, given back all at once.
 *
 *     struct arena a = {0};                     // nothing is allocated yet
 *     char *p = arena_alloc(&a, 100);           // 16-byte aligned, not zeroed
 *     struct str copy = arena_str(&a, text);
 *     arena_reset(&a);                          // all of it gone, the first block kept for reuse
 *     arena_done(&a);                           // all of it given back to the system
 *
 * {0} is a valid, empty arena for every function. Nothing in an arena is freed alone.
 */
#pragma once

#include "base/str.h"

struct arena_block;

struct arena {
    /* private */
    struct arena_block *blocks; /* newest first */
    char *at, *end;             /* free part of the newest block */
};

void *arena_alloc(struct arena *a, size_t size);
void *arena_zalloc(struct arena *a, size_t size); /* zeroed */

/* Grows the piece p of old bytes to size bytes, in place if it was the last one taken. */
void *arena_grow(struct arena *a, void *p, size_t old, size_t size);

struct str arena_str(struct arena *a, struct str s); /* a copy, followed by a NUL byte */
char *arena_cstr(struct arena *a, struct str s);     /* the same, for C interfaces */
struct str arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

size_t arena_size(const struct arena *a); /* bytes held, for limits and tests */
void arena_reset(struct arena *a);
void arena_done(struct arena *a);
