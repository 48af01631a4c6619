/* Watch folders with everything in them, and report changes by other programs in bursts.
 *
 *     static void on_change(const struct watch_event *e, void *ctx)
 *     {
 *         if (e->everything)
 *             handle_everything(ctx);
 *         for (size_t i = 0; i < e->count; i++)
 *             handle_change(ctx, e->changes[i].folder, e->changes[i].name);
 *     }
 *     struct watch *w = watch_start(loop, &(struct watch_options){
 *         .roots = roots, .root_count = 2, .changed = on_change, .ctx = ctx});
 *     watch_stop(w);
 *
 * A change is a file or folder that was created, removed, renamed (both names are reported) or
 * written and closed. Of a new folder only the folder is reported, and later changes in it: the
 * owner has to look for its initial contents. A burst ends when nothing happened for quiet_ms,
 * after WATCH_BURST_MS, or with watch_flush(); it reports each path once. Without changes the loop
 * is not woken up, and a watch does not keep the loop running.
 *
 * The system may lose changes (its queue overflows) or refuse to watch more folders; a root may be
 * missing or be removed. Then `everything` is true. After a refusal or a missing root,
 * watch_is_complete() stays false, which is reported once: the owner must check by itself before it
 * relies on its knowledge. Links to folders are followed; a folder that can be reached in two ways
 * is reported by the first one.
 */
#pragma once

#include <stdbool.h>

#include "base/loop.h"
#include "base/str.h"

#define WATCH_QUIET_MS    50u
#define WATCH_BURST_MS    1000u
#define WATCH_MAX_FOLDERS 65536u
#define WATCH_MAX_CHANGES 10000u /* in a burst; with more, `everything` is true */

struct watch;

struct watch_change {
    struct str folder; /* a root, or a path that starts with one */
    struct str name;   /* in it; empty: the root itself */
    bool is_folder;    /* it is or was a folder, or a link to one */
};

struct watch_event {
    const struct watch_change *changes; /* in the order they were first seen */
    size_t count;
    bool everything; /* some changes are unknown: count is 0 */
};

typedef void watch_fn(const struct watch_event *event, void *ctx);

/* Return true to ignore the file or folder and its contents. */
typedef bool watch_ignore_fn(struct str folder, struct str name, void *ctx);

struct watch_options {
    const char *const *roots; /* folders, without a slash at the end */
    size_t root_count;
    watch_ignore_fn *ignores; /* NULL: ignore nothing */
    watch_fn *changed;        /* called in the loop or by watch_flush(); may stop the watch */
    void *ctx;
    unsigned quiet_ms;  /* 0: WATCH_QUIET_MS */
    size_t max_folders; /* 0: WATCH_MAX_FOLDERS */
    size_t max_changes; /* 0: WATCH_MAX_CHANGES */
};

/* Never fails: see watch_is_complete(). The options are copied. The folders are walked before it
 * returns. */
struct watch *watch_start(struct loop *loop, const struct watch_options *options);

/* Report the changes up to now at once, without waiting for quiet. Without changes this is one
 * non-blocking system call. `changed` may stop the watch here, too. NULL is fine. */
void watch_flush(struct watch *w);
void watch_stop(struct watch *w); /* no call after this; NULL is fine */

bool watch_is_complete(const struct watch *w);
size_t watch_folder_count(const struct watch *w);
