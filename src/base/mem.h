/* Allocation that does not fail.
 *
 * Out of memory ends the program with one line on stderr: every other failure is returned to the
 * caller, this one never is. What these functions return is released with free().
 */
#pragma once

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_zalloc(size_t size); /* zeroed */
void *mem_realloc(void *p, size_t size);
void *mem_dup(const void *p, size_t size);

/* Grows *items (capacity *cap, `size` bytes each) so that `need` items fit; at least doubles. */
void mem_grow(void **items, size_t *cap, size_t need, size_t size);

/* Says what was impossible and aborts. For faults of the program itself, never for input. */
_Noreturn void mem_die(const char *what);
