/* Shared by the files of the console. Others include console.h. */
#pragma once

#include "console/api.h"
#include "console/console.h"

struct api_route;
struct console_feed;
struct console_tooling;
struct console_tasks;

struct console {
    struct console_options o; /* its texts are copies */
    struct console_feed *feed;
    struct console_tooling *tooling;
    struct console_tasks *tasks;
    struct api_route *routes;
    size_t open; /* exchanges without an answer */
    size_t held; /* bytes of their bodies */
    bool stopping;
    loop_fn *on_quiet; /* may be NULL */
    void *quiet_ctx;
};

/* Each part calls it when something has ended that console_is_quiet() waits for. */
static inline void console_notify_quiet(const struct console *c)
{
    if (c->stopping && c->on_quiet)
        c->on_quiet(c->quiet_ctx);
}

/* Each part: _start adds its routes, _stop ends its work, _is_quiet returns true after that. */
struct console_feed *console_feed_start(struct console *c);
void console_feed_stop(struct console_feed *f);
void console_feed_free(struct console_feed *f);

struct console_tooling *console_tooling_start(struct console *c);
void console_tooling_stop(struct console_tooling *t);
bool console_tooling_is_quiet(const struct console_tooling *t);
void console_tooling_free(struct console_tooling *t);

struct console_tasks *console_tasks_start(struct console *c);
void console_tasks_stop(struct console_tasks *t);
bool console_tasks_is_quiet(const struct console_tasks *t);
void console_tasks_free(struct console_tasks *t);

void console_activity_start(struct console *c);
/* Write the requests and jobs that changed after seq (0: all) as members of the event. Return the
 * last number. */
uint64_t console_activity_put_feed(const struct console *c, uint64_t seq, bool reset,
                                   struct jsonw *w);
void console_page_start(struct console *c);

/* ---- for the feed: the parts notify it, and it asks for their state when it sends, so that many
 * changes are one event. */

enum feed_part {
    FEED_EDITOR,
    FEED_ACTIVITY,
    FEED_TOOLING,
    FEED_TASKS,
    FEED_GOAL,
    FEED_PART_COUNT
};
void console_feed_notify(struct console_feed *f, enum feed_part part); /* the part has changed */

/* The first stream was opened (on) or the last one closed: parts watch files and stores only while
 * a stream is open. */
void console_tooling_watch(struct console_tooling *t, bool on);
void console_tasks_watch(struct console_tasks *t, bool on);

/* Members of the event in the open object. */
void console_tooling_put_feed(const struct console_tooling *t, struct jsonw *w);
/* Write what changed after the event `after` (-1: the reader has seen nothing). Return the last
 * event that is covered; -1: the store cannot be used, which the event reports; -2: nothing was
 * written, because no page has asked for tasks yet. */
int64_t console_tasks_put_feed(const struct console_tasks *t, int64_t after, struct jsonw *w);
/* Call each() with an object for every goal that changed after `seq`. Return the last number. */
uint64_t console_tasks_goal_put_feed(const struct console_tasks *t, uint64_t seq,
                                     void (*each)(struct str json, void *ctx), void *ctx);
