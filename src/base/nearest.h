/* "Did you mean": of the existing names, the one nearest to what was written.
 *
 *     struct nearest n = nearest_make(STR("max_dept"));
 *     for (size_t i = 0; i < count; i++)
 *         nearest_offer(&n, names[i]);
 *     if (n.best.n)
 *         printf("did you mean %.*s?", STR_ARG(n.best));       // max_depth
 *
 * A name is near if it differs in at most a third of the letters of the longer one: an additional,
 * missing or wrong letter, or two swapped ones (optimal string alignment). Case is ignored, and -
 * equals _. Among equally near names the first offered wins. Names longer than NEAREST_MAX are
 * never near. Views are stored; nothing is copied or allocated.
 */
#pragma once

#include "base/str.h"

#define NEAREST_MAX 64u

struct nearest {
    struct str best; /* empty: none is near */
    /* private */
    struct str wanted;
    size_t distance; /* of the best */
};

static inline struct nearest nearest_make(struct str wanted)
{
    return (struct nearest){.wanted = wanted};
}

void nearest_offer(struct nearest *n, struct str name);
