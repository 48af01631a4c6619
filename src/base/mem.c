#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 1024u

_Noreturn void mem_die(const char *what)
{
    fprintf(stderr, "multiverse: %s\n", what);
    abort();
}

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        mem_die("out of memory");
    return p;
}

/* glibc's calloc() does not use the thread cache of free() for small pieces and takes five times as
 * long as malloc(). */
void *mem_zalloc(size_t size)
{
    void *p = size > SMALL ? calloc(1, size) : malloc(size ? size : 1);
    if (p && size <= SMALL)
        memset(p, 0, size);
    if (!p)
        mem_die("out of memory");
    return p;
}

void *mem_realloc(void *p, size_t size)
{
    p = realloc(p, size ? size : 1);
    if (!p)
        mem_die("out of memory");
    return p;
}

void *mem_dup(const void *p, size_t size)
{
    void *copy = mem_alloc(size);
    if (size)
        memcpy(copy, p, size);
    return copy;
}

void mem_grow(void **items, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return;
    size_t more = *cap ? *cap * 2 : 8;
    if (more < need)
        more = need;
    if (more > SIZE_MAX / size)
        mem_die("out of memory");
    *items = mem_realloc(*items, more * size);
    *cap = more;
}
