/* The name somebody meant: of those that exist, the one that is nearest to what was written.
 *
 *     struct nearest n = nearest_make(STR("max_dept"));
 *     for (each known name)
 *         nearest_offer(&n, name);
 *     if (n.best.n)
 *         ... "did you mean %.*s?", STR_ARG(n.best)     // max_depth
 *
 * Near are names that differ in at most a third of the letters of the longer one: a letter too
 * many, too few, wrong, or two that changed places (optimal string alignment). Upper and lower
 * case, - and _ are the same. Of equally near ones the first that was offered wins. What is longer
 * than NEAREST_MAX is near to nothing. Views are kept, nothing is copied and nothing allocated.
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
