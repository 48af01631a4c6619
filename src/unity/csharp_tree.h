/* From the tree of a parsed C# file to its declarations: the second half of csharp_read(). */
#pragma once

#include "unity/csharp.h"

/* Fills f from a text as csharp_blank.h makes it, with what is in its arena. Answers the offset of
 * the first error; SIZE_MAX: none. */
size_t csharp_tree_read(struct csharp_file *f, struct str text);
