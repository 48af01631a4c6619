/* The 128-bit identity of an asset, written as 32 lower-case hexadecimal digits. */
#pragma once

#include "base/str.h"

#define GUID_LEN 32

struct guid {
    uint64_t hi, lo; /* the digits from left to right */
};

static inline bool guid_is_zero(struct guid g)
{
    return (g.hi | g.lo) == 0;
}
static inline bool guid_eq(struct guid a, struct guid b)
{
    return a.hi == b.hi && a.lo == b.lo;
}
int guid_cmp(struct guid a, struct guid b); /* sorts by the digits */

bool guid_parse(struct str text, struct guid *out); /* exactly 32 digits, in any case */
void guid_print(struct guid g, char to[GUID_LEN + 1]);
