/* Lines that start with '#': which parts of a C# file are active.
 *
 *     struct csharp_directive d;
 *     csharp_directive_init(&d, &options);
 *     csharp_directive_line(&d, STR("if UNITY_EDITOR && !DEBUG"), true);    // after the '#'
 *     if (d.active)                                   // the lines that follow are compiled
 *         count++;
 *     csharp_directive_done(&d);
 *
 * #if, #elif, #else and #endif nest. Conditions have symbols, true, false, ! && || == != and
 * parentheses; an invalid condition is false. As in C#, #define and #undef are valid only before
 * any other token (at_top). Other directives are ignored.
 */
#pragma once

#include "base/map.h"
#include "unity/csharp.h"

struct csharp_directive {
    bool active;
    /* private */
    const struct csharp_options *options; /* may be NULL */
    struct map symbols;                   /* filled at the first use */
    bool has_symbols;
    uint8_t *levels; /* of #if, outermost first */
    size_t level_count, level_cap;
};

void csharp_directive_init(struct csharp_directive *d, const struct csharp_options *options);
void csharp_directive_done(struct csharp_directive *d);

/* Read a line without its '#' and line end. Return false if it is not valid. */
bool csharp_directive_line(struct csharp_directive *d, struct str line, bool at_top);

bool csharp_directive_is_open(const struct csharp_directive *d); /* an #endif is missing */
