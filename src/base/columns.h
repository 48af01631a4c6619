/* The width of text on a terminal, and cutting text to a width.
 *
 *     struct buf line = {0};
 *     size_t n = columns_add(&line, name, COLUMNS_UNICODE);     // make untrusted text printable
 *     columns_cut(&out, buf_str(&line), 20, COLUMNS_MIDDLE, COLUMNS_UNICODE);
 *
 * East Asian characters and emoji take two columns; combining marks take none. columns_add() writes
 * one line that every terminal shows as wide as counted: blanks for tabs and line ends, U+FFFD for
 * invisible characters, changes of the writing direction and invalid UTF-8, at most COLUMNS_MARKS
 * marks on a character, and no variation selectors. In ASCII, "?" replaces all other characters.
 */
#pragma once

#include "base/buf.h"

#define COLUMNS_MARKS 4u

enum columns_set {
    COLUMNS_UNICODE,
    COLUMNS_ASCII
};

enum columns_end {
    COLUMNS_END,   /* cut the end: for titles */
    COLUMNS_MIDDLE /* cut the middle: for names, whose ends matter more */
};

unsigned columns_of_char(uint32_t c); /* 0, 1 or 2 */
size_t columns_of(struct str clean);  /* of text that columns_add() made */

size_t columns_add(struct buf *out, struct str text,
                   enum columns_set set); /* returns the columns */

/* The same for NUL-terminated text in `size` bytes, at least 4. Longer text is cut, with an
 * ellipsis. Plain ASCII is only copied. */
void columns_copy(char *to, size_t size, struct str text);

/* Append text made by columns_add(), cut to max columns with an ellipsis ("..." in ASCII). Return
 * the number of columns. */
size_t columns_cut(struct buf *out, struct str clean, size_t max, enum columns_end end,
                   enum columns_set set);
