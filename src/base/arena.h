/* Memory for one call or one document: allocated piece by piece, freed all at once.
 *
 *     struct arena a = {0};                     // nothing is allocated yet
 *     char *p = arena_alloc(&a, 100);           // 16-byte aligned, not zeroed
 *     struct str copy = arena_str(&a, text);
 *     arena_reset(&a);                          // free all of it, but keep the first block
 *     arena_done(&a);                           // free all of it
 *
 * {0} is a valid, empty arena for every function. No piece is freed alone.
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

/* Grow the piece p of old bytes to size bytes, in place if it was allocated last. */
void *arena_grow(struct arena *a, void *p, size_t old, size_t size);

struct str arena_str(struct arena *a, struct str s); /* a copy, followed by a NUL byte */
char *arena_cstr(struct arena *a, struct str s);     /* the same, for C interfaces */
struct str arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

size_t arena_size(const struct arena *a); /* bytes held, for limits and tests */
void arena_reset(struct arena *a);
void arena_done(struct arena *a);
