/* String literals of C#, in all their forms:
 *
 *     "a\"b"   @"a""b"   """a "quoted" b"""   $"a{b + $"{c}"}"   $@"..."   $$"""{a} {{b}}"""
 *
 * Only where they end, and which parts are text: what stands in the braces of an interpolated
 * string is code, with strings of its own, any number of them within each other.
 *
 *     if (csharp_string_starts(text, at))
 *         at = csharp_string_end(text, at, &closed, NULL);
 */
#pragma once

#include "base/str.h"

/* Whether a string literal, with its prefix, starts at this offset. */
bool csharp_string_starts(struct str text, size_t at);

/* The offset behind the literal that starts at `at`; *closed tells if it is complete. One that is
 * not ends with its line (or before the ';' at the end of that) if its kind may not go on behind
 * it, else with the ';' that shows that something is wrong, or with the text.
 *
 * out, if not NULL, is as long as the text and blank: the literal is written into it at its own
 * place, each hole of an interpolated one as {_   }, one that is not complete as "". */
size_t csharp_string_end(struct str text, size_t at, bool *closed, char *out);

/* Copies text[from..to) to the same place of out; what is no UTF-8 becomes '?', control characters
 * become blanks. */
void csharp_string_copy(struct str text, size_t from, size_t to, char *out);
