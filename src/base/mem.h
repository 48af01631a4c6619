/* Allocation that does not fail.
 *
 * Out of memory ends the program with one line on stderr; every other failure is returned to the
 * caller. Release the memory with free().
 */
#pragma once

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t size); /* zeroed */
void *mem_realloc(void *p, size_t size);
void *mem_dup(const void *p, size_t size);

/* Grow *items (capacity *cap, `size` bytes each) to at least `need` items; at least double it. */
void mem_grow(void **items, size_t *cap, size_t need, size_t size);

/* Print a message and abort. For bugs in the program, never for input. */
_Noreturn void mem_die(const char *what);
