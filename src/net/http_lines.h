/* Check the line ends of an HTTP head more strictly than llhttp does.
 *
 *     char last = 0;                            // nothing before the first byte
 *     if (http_lines_check(&last, piece) != HTTP_LINES_GOOD)
 *         return false;
 *
 * A line must end with CR LF, neither may occur alone, and the next line may not start with a blank
 * or tab (a folded header). `last` is the byte before the piece, and is set to its last byte, so
 * that the result does not depend on how the bytes were split.
 */
#pragma once

#include "base/str.h"

enum http_lines {
    HTTP_LINES_GOOD,
    HTTP_LINES_ALONE, /* a CR or an LF without the other */
    HTTP_LINES_FOLDED
};

enum http_lines http_lines_check(char *last, struct str bytes); /* the first error */
