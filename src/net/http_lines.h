/* The line ends of an HTTP head, which llhttp does not look at closely enough.
 *
 *     char last = 0;                            // nothing before the first byte
 *     if (http_lines_check(&last, piece) != HTTP_LINES_GOOD) ...
 *
 * A line ends with CR LF, neither of them stands alone, and the next line does not start with a
 * blank or tab (a header folded over several lines). `last` is the byte before the piece and then
 * the last one of it, so that the answer is the same however the bytes are cut.
 */
#pragma once

#include "base/str.h"

enum http_lines {
    HTTP_LINES_GOOD,
    HTTP_LINES_ALONE, /* a CR or an LF without the other */
    HTTP_LINES_FOLDED
};

enum http_lines http_lines_check(char *last, struct str bytes); /* what is wrong first */
