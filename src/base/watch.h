/* Folders watched with all that is in them: what other programs change is told, in bursts.
 *
 *     static void on_change(const struct watch_event *e, void *ctx)
 *     {
 *         if (e->everything) ...                        // look at all of it
 *         for (size_t i = 0; i < e->count; i++)
 *             ... e->changes[i].folder, e->changes[i].name
 *     }
 *     struct watch *w = watch_start(loop, &(struct watch_options){
 *         .roots = roots, .root_count = 2, .changed = on_change, .ctx = me});
 *     watch_stop(w);
 *
 * A change is a file or folder that was made, removed, renamed (both names are told) or written and
 * closed. Of a new folder only the folder is told, and what happens in it later: what was in it
 * from the start is for the owner to see. A burst ends when nothing happened for quiet_ms, after
 * WATCH_BURST_MS, or with watch_flush(); one path is told once in it. Nothing wakes the loop while
 * nothing happens, and a watch keeps no loop running.
 *
 * The system may lose changes (a queue that ran over) or refuse to watch more folders; a root may
 * not be there, or go. Then everything is true. After the latter two watch_is_complete() is false
 * from then on, which is told once: the owner has to look for itself before it relies on what it
 * knows. Links to folders are followed; a folder that can be reached in two ways is told by the
 * first one.
 */
#pragma once

#include <stdbool.h>

#include "base/loop.h"
#include "base/str.h"

#define WATCH_QUIET_MS    50u
#define WATCH_BURST_MS    1000u
#define WATCH_MAX_FOLDERS 65536u
#define WATCH_MAX_CHANGES 10000u /* of a burst; more are everything */

struct watch;

struct watch_change {
    struct str folder; /* a root, or a path that starts with one */
    struct str name;   /* in it; empty: the root itself */
    bool is_folder;    /* it is or was one, or a link to one */
};

struct watch_event {
    const struct watch_change *changes; /* in the order in which they were first seen */
    size_t count;
    bool everything; /* some are not known: count is 0 */
};

typedef void watch_fn(const struct watch_event *event, void *ctx);

/* True: neither the file or folder called name, nor what is in it, matters. */
typedef bool watch_ignore_fn(struct str folder, struct str name, void *ctx);

struct watch_options {
    const char *const *roots; /* folders, without a slash at the end */
    size_t root_count;
    watch_ignore_fn *ignores; /* NULL: all matters */
    watch_fn *changed;        /* called in the loop or by watch_flush(); may stop the watch */
    void *ctx;
    unsigned quiet_ms;  /* 0: WATCH_QUIET_MS */
    size_t max_folders; /* 0: WATCH_MAX_FOLDERS */
    size_t max_changes; /* 0: WATCH_MAX_CHANGES */
};

/* Never fails: what cannot be watched shows in watch_is_complete(). The options are copied. Walks
 * the folders before it returns. */
struct watch *watch_start(struct loop *loop, const struct watch_options *options);
/* Tells at once what has happened up to now, instead of when it is quiet. With nothing to tell it
 * is one call of the system that does not wait. changed may stop the watch also here. NULL is
 * fine. */
void watch_flush(struct watch *w);
void watch_stop(struct watch *w); /* no call after this; NULL is fine */

bool watch_is_complete(const struct watch *w);
size_t watch_folder_count(const struct watch *w);
