/* How much room text takes on a terminal, and as much of it as fits.
 *
 *     struct buf line = {0};
 *     size_t n = columns_add(&line, name, COLUMNS_UNICODE);     // foreign text, made harmless
 *     columns_cut(&out, buf_str(&line), 20, COLUMNS_MIDDLE, COLUMNS_UNICODE);
 *
 * Characters of East Asia and emoji take two columns, marks stand on the character before them.
 * What columns_add() adds is one line that every terminal shows as wide as it is counted: blanks
 * for tabs and line ends, U+FFFD for what is not seen, turns the direction of writing round or is
 * no UTF-8, at most COLUMNS_MARKS marks on a character, no variation selectors. In ASCII: "?" for
 * what is not.
 */
#pragma once

#include "base/buf.h"

#define COLUMNS_MARKS 4u

enum columns_set {
    COLUMNS_UNICODE,
    COLUMNS_ASCII
};

enum columns_end {
    COLUMNS_END,   /* the end goes: titles */
    COLUMNS_MIDDLE /* the middle goes: of names the ends tell more */
};

unsigned columns_of_char(uint32_t c); /* 0, 1 or 2 */
size_t columns_of(struct str clean);  /* of text that columns_add() made */

size_t columns_add(struct buf *out, struct str text, enum columns_set set); /* how many it took */

/* The same as text with a NUL in a place of `size` bytes, at least 4: what does not fit is cut,
 * with an ellipsis. Plain ASCII is copied and costs no more than that. */
void columns_copy(char *to, size_t size, struct str text);

/* Adds what fits into max columns of text that columns_add() made, with an ellipsis ("..." in
 * ASCII) for what does not; answers how many it took. */
size_t columns_cut(struct buf *out, struct str clean, size_t max, enum columns_end end,
                   enum columns_set set);
