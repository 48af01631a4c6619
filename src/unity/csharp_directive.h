/* Lines that begin with '#': which parts of a C# file count.
 *
 *     struct csharp_directive d;
 *     csharp_directive_init(&d, options);
 *     csharp_directive_line(&d, STR("if UNITY_EDITOR && !DEBUG"), true);   // behind the '#'
 *     d.active ...                       // whether the lines that follow count
 *     csharp_directive_done(&d);
 *
 * #if, #elif, #else, #endif nest; conditions know symbols, true, false, ! && || == != and
 * parentheses. #define and #undef count only where nothing else stood before them (at_top), as in
 * C#. All other directives change nothing. A condition that cannot be read is false.
 */
#pragma once

#include "base/map.h"
#include "unity/csharp.h"

struct csharp_directive {
    bool active;
    /* private */
    const struct csharp_options *options; /* may be NULL */
    struct map symbols;                   /* filled when the first one is asked for */
    bool has_symbols;
    uint8_t *levels; /* of #if, outermost first */
    size_t level_count, level_cap;
};

void csharp_directive_init(struct csharp_directive *d, const struct csharp_options *options);
void csharp_directive_done(struct csharp_directive *d);

/* A line without its '#' and without its end. False: it is not as C# wants it. */
bool csharp_directive_line(struct csharp_directive *d, struct str line, bool at_top);

bool csharp_directive_is_open(const struct csharp_directive *d); /* an #endif is missing */
