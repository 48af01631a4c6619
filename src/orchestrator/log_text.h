/* The output of a program as plain text for a log.
 *
 *     struct log_text t = {0};
 *     log_text_feed(&t, bytes, &out);           // for each piece
 *     log_text_end(&t, &out);
 *
 * The result is valid UTF-8 in lines that end with \n. Each maximal invalid part becomes U+FFFD.
 * Escape sequences of terminals are removed, and control characters except tabs. \r\n and a lone \r
 * end a line. The result does not depend on how the input is cut into pieces. Memory is constant;
 * an unfinished sequence ends at the end of its line, or when it becomes too long.
 */
#pragma once

#include "base/buf.h"

struct log_text {
    /* private */
    enum log_text_state {
        LOG_TEXT_PLAIN,
        LOG_TEXT_ESCAPE,  /* after ESC */
        LOG_TEXT_CONTROL, /* after ESC [, up to its letter */
        LOG_TEXT_STRING,  /* after ESC ], ESC P and the like, up to BEL or ESC \ */
        LOG_TEXT_STRING_ESCAPE
    } state;
    unsigned skipped; /* characters of the sequence */
    bool after_return;
    char part[4]; /* an incomplete character */
    unsigned part_n;
};

void log_text_feed(struct log_text *t, struct str bytes, struct buf *out);
/* Replace an incomplete character, and reset t to {0}. */
void log_text_end(struct log_text *t, struct buf *out);
