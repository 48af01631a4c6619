/* Output of a program as plain text: what a log may hold, whatever it printed.
 *
 *     struct log_text t = {0};
 *     log_text_feed(&t, bytes, &out);           // each piece as it comes
 *     log_text_end(&t, &out);
 *
 * What is added is valid UTF-8 in lines that end with \n. Each maximal invalid part becomes U+FFFD.
 * Gone are colours and other escape sequences of terminals, and control characters but for tabs;
 * \r\n and a lone \r end a line. Cut anywhere, the same bytes give the same text. Memory is what
 * stands here; a sequence that never ends is given up at the end of its line, or when it is long.
 */
#pragma once

#include "base/buf.h"

struct log_text {
    /* private */
    enum log_text_state {
        LOG_TEXT_PLAIN,
        LOG_TEXT_ESCAPE,  /* behind ESC */
        LOG_TEXT_CONTROL, /* behind ESC [: up to its letter */
        LOG_TEXT_STRING,  /* behind ESC ], ESC P and the like: up to BEL or ESC \ */
        LOG_TEXT_STRING_ESCAPE
    } state;
    unsigned skipped; /* of the sequence */
    bool after_return;
    char part[4]; /* of a character */
    unsigned part_n;
};

void log_text_feed(struct log_text *t, struct str bytes, struct buf *out);
void log_text_end(struct log_text *t, struct buf *out); /* of a character that was cut; t is {0} */
