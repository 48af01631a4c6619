/* Watch one file by its path: written, replaced, removed, created later, reached through links.
 *
 *     struct watch_file *w = watch_file_start(loop, path, on_maybe_changed, ctx);
 *     watch_file_stop(w);
 *
 * The folder of the file is watched, and the folders of all links on the path; while a folder on
 * the path is missing, its parent. The callback is called in bursts (watch.h) when something may
 * have changed, and must check what. If the system cannot watch, it is called every
 * WATCH_FILE_POLL_MS. The renaming of a folder further up is not noticed.
 */
#pragma once

#include "base/loop.h"

#define WATCH_FILE_POLL_MS 2000u

struct watch_file;

struct watch_file *watch_file_start(struct loop *loop, const char *path, loop_fn *changed,
                                    void *ctx);
void watch_file_stop(
    struct watch_file *w); /* no call after this; may be called in the callback; NULL is fine */
