#include "console/console_news.h"

#include <stdlib.h>

#include "base/mem.h"

void console_news_begin(struct console_news *n, int64_t last)
{
    n->base = n->last = last;
    n->first = n->count = 0;
}

void console_news_add(struct console_news *n, int64_t event, int64_t task)
{
    if (event <= n->last)
        return;
    if (!n->items)
        n->items = mem_alloc(CONSOLE_NEWS_KEEP * sizeof *n->items);
    if (n->count == CONSOLE_NEWS_KEEP) {
        n->base = n->items[n->first].event;
        n->first = (n->first + 1) % CONSOLE_NEWS_KEEP;
        n->count--;
    }
    n->items[(n->first + n->count++) % CONSOLE_NEWS_KEEP] = (struct console_news_item){event, task};
    n->last = event;
}

bool console_news_has(const struct console_news *n, int64_t after)
{
    return after >= n->base && after <= n->last;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void console_news_put(const struct console_news *n, int64_t after, struct jsonw *w)
{
    int64_t *tasks = mem_alloc((n->count + 1) * sizeof *tasks);
    size_t count = 0;
    for (size_t i = n->count; i-- > 0;) {
        const struct console_news_item *item = &n->items[(n->first + i) % CONSOLE_NEWS_KEEP];
        if (item->event <= after)
            break;
        if (item->task)
            tasks[count++] = item->task;
    }
    qsort(tasks, count, sizeof *tasks, by_number);
    jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        if (!i || tasks[i] != tasks[i - 1])
            jsonw_int(w, tasks[i]);
    jsonw_end(w);
    free(tasks);
}

void console_news_done(struct console_news *n)
{
    free(n->items);
    *n = (struct console_news){0};
}
