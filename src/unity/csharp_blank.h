/* csharp_blank() for the reader: what the tree is made from, and what was wrong on the way.
 *
 *     struct csharp_blanked b;
 *     csharp_blanked_init(&b, text, options);    // b.p: as long as the text, then '}'s
 *     csharp_blanked_done(&b);
 *
 * Braces of b.p always match: one too many is left out, missing ones stand behind its end, each
 * in its place; so a file that is just being written still shows its classes. No declaration nests
 * deeper than a reader can follow. It is valid UTF-8.
 */
#pragma once

#include "unity/csharp.h"

struct csharp_blanked {
    char *p;
    size_t n;      /* of the text itself */
    size_t closed; /* braces that were added behind it */
    size_t fault;  /* offset of the first thing that is wrong; SIZE_MAX: nothing */
};

void csharp_blanked_init(struct csharp_blanked *b, struct str text,
                         const struct csharp_options *options);
void csharp_blanked_done(struct csharp_blanked *b);
