/* One file watched by its path: written, replaced, removed, made later, reached through links.
 *
 *     struct watch_file *w = watch_file_start(loop, path, on_maybe_changed, me);
 *     watch_file_stop(w);
 *
 * The folder of the file is watched, and those of all links on the way to it; while a folder on the
 * way is missing, the one above it. Whoever is called looks for itself: it is told that something
 * may have changed, in bursts (watch.h), not what. Where the system watches nothing for us, it is
 * told every WATCH_FILE_POLL_MS. A folder further up that is renamed is not noticed.
 */
#pragma once

#include "base/loop.h"

#define WATCH_FILE_POLL_MS 2000u

struct watch_file;

struct watch_file *watch_file_start(struct loop *loop, const char *path, loop_fn *changed,
                                    void *ctx);
void watch_file_stop(struct watch_file *w); /* no call after this, also from it; NULL is fine */
