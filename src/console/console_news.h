/* Which tasks have news, for readers that each have seen another part of them.
 *
 *     struct console_news n = {0};
 *     console_news_begin(&n, last);                      // what was before is not known
 *     console_news_add(&n, event, task);                 // as they come, by number of the event
 *     if (console_news_has(&n, after))                   // all behind `after` is known
 *         console_news_put(&n, after, w);                // an array: each task once
 *
 * Kept are the last CONSOLE_NEWS_KEEP events. Pure.
 */
#pragma once

#include "base/jsonw.h"

#define CONSOLE_NEWS_KEEP 4096u

struct console_news {
    int64_t base; /* all behind this event is known */
    int64_t last; /* the last that is */
    /* private */
    struct console_news_item {
        int64_t event, task;
    } * items; /* a ring; for console_news_done() */
    size_t first, count;
};

void console_news_begin(struct console_news *n, int64_t last);
void console_news_add(struct console_news *n, int64_t event, int64_t task); /* task 0: of none */
bool console_news_has(const struct console_news *n, int64_t after);
void console_news_put(const struct console_news *n, int64_t after, struct jsonw *w);
void console_news_done(struct console_news *n);
