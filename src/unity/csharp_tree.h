/* From the tree of a parsed C# file to its declarations: the second half of csharp_read(). */
#pragma once

#include "unity/csharp.h"

struct csharp_blanked;

/* Fills f, with what is in its arena. Answers the offset of the first error in the text; SIZE_MAX:
 * none. What is broken in too many places is not read to its end. */
size_t csharp_tree_read(struct csharp_file *f, const struct csharp_blanked *b);
