/* tooling.json on disk: find, read, watch, and change without losing its layout.
 *
 *     struct tooling_file *f = tooling_file_open(path, &err);      // NULL path: the user's own
 *     struct tooling *t = tooling_file_current(f);                 // the last valid one; not NULL
 *     tooling_file_set_profile(f, STR("fast"), &err);
 *     tooling_file_close(f);
 *
 * A missing file means the built-in default. An invalid file never replaces a valid one that is in
 * use: tooling_file_reload() keeps the current one and records the error. Opening an invalid file
 * fails, unless a copy of the last valid one exists (tooling.json.last-good beside it): then that
 * is in use, and tooling_file_error() has the error.
 *
 * Changes edit the text: members and their order, unknown keys and layout stay. The file is
 * replaced atomically, and only if it is unchanged since it was read (else ERR_CONFLICT "changed by
 * someone else"). A lock on tooling.json.lock serializes the processes that change it. A missing
 * file is written as the whole default. A path that ends in .yaml or .yml is read as YAML;
 * set_profile and set_force cannot change it.
 */
#pragma once

#include "base/loop.h"
#include "tooling/tooling.h"

struct tooling_file;

/* Add the path of the user's own file: config/tooling.json in the home folder. */
bool tooling_file_own(struct buf *out, struct error *err);
struct tooling_file *tooling_file_open(const char *path, struct error *err);
void tooling_file_close(struct tooling_file *f); /* f may be NULL */

const char *tooling_file_path(const struct tooling_file *f);
bool tooling_file_is_default(const struct tooling_file *f);           /* the file is missing */
struct tooling *tooling_file_current(struct tooling_file *f);         /* borrowed from f */
const struct error *tooling_file_error(const struct tooling_file *f); /* NULL: the file is valid */
/* The text that was read last, valid or not. Missing file: the default's text; unreadable file:
 * none (p NULL). */
struct str tooling_file_text(const struct tooling_file *f);

/* Read the file again if it changed (size, times, inode); return true if current is new. If it is
 * invalid, current stays, and tooling_file_error() has the error. */
bool tooling_file_reload(struct tooling_file *f);

/* Watch the file: call `changed` in the loop after each reload with a new configuration or a
 * changed error. `changed` may close the file. */
void tooling_file_watch(struct tooling_file *f, struct loop *loop, loop_fn *changed, void *ctx);

/* Set the active profile. ERR_INVALID_PARAMS, with the existing ones, if it does not exist. */
bool tooling_file_set_profile(struct tooling_file *f, struct str id, struct error *err);
struct tooling_file_force {
    bool enabled;
    struct str tool, model; /* empty: unchanged, but a new agent drops the old model */
};
/* Set force mode. ERR_INVALID_PARAMS for an unknown agent, or if enabled without one. */
bool tooling_file_set_force(struct tooling_file *f, const struct tooling_file_force *force,
                            struct error *err);
/* Replace the whole text after checking it. `seen` is the text that the new one was made from, for
 * the conflict check; p NULL: no check. For a missing file it is the default's text or "". */
bool tooling_file_replace(struct tooling_file *f, struct str text, struct str seen,
                          struct error *err);
/* The same for a file that could not be opened because it is invalid. */
bool tooling_file_repair(const char *path, struct str text, struct str seen, struct error *err);
