/* String literals of C#, in all their forms:
 *
 *     "a\"b"   @"a""b"   """a "quoted" b"""   $"a{b + $"{c}"}"   $@"..."   $$"""{a} {{b}}"""
 *
 * Finds where a literal ends and which parts of it are text: the braces of an interpolated string
 * contain code, which may contain strings, nested to any depth.
 *
 *     bool closed;
 *     if (csharp_string_starts(text, at))
 *         at = csharp_string_end(text, at, &closed, NULL);
 */
#pragma once

#include "base/str.h"

/* Whether a string literal, or its prefix, starts at this offset. */
bool csharp_string_starts(struct str text, size_t at);

/* Return the offset after the literal at `at`; *closed: it is complete. An incomplete literal ends
 * with its line (before a ';' at the end of the line) if its kind is limited to a line; else at the
 * ';' that shows the error, or with the text.
 *
 * out, if not NULL, is as long as the text and blank. The literal is written to it at its own
 * offset, with {_   } for each hole of an interpolated string; an incomplete literal is written as
 * "". */
size_t csharp_string_end(struct str text, size_t at, bool *closed, char *out);

/* Copy text[from..to) to the same offset of out. Invalid UTF-8 becomes '?', control characters
 * become blanks. */
void csharp_string_copy(struct str text, size_t from, size_t to, char *out);
