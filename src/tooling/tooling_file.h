/* tooling.json on disk: found, read, watched, changed without harm.
 *
 *     struct tooling_file *f = tooling_file_open(path, &err);      // NULL path: the user's own
 *     struct tooling *t = tooling_file_current(f);                 // the last good one; not NULL
 *     tooling_file_set_profile(f, STR("fast"), &err);
 *     tooling_file_close(f);
 *
 * A missing file is the built-in default. A file that is wrong never takes the place of a good one
 * that is in use: tooling_file_reload() answers the fault and the current one stays. Opening a
 * wrong file is a fault, unless a last good copy exists (kept as tooling.json.last-good beside it):
 * then that is in use and `fault` says so.
 *
 * Changes edit the text: members and order, unknown keys and layout stay; the file is replaced
 * atomically, and only if it is still the one that was read (else ERR_CONFLICT "changed by someone
 * else": read it again). Processes that change it at the same time wait for one another (a lock on
 * tooling.json.lock beside it). A missing file is written whole, as the default.
 * A path that ends in .yaml or .yml is read as YAML; set_profile and set_force do not change it.
 */
#pragma once

#include "base/loop.h"
#include "tooling/tooling.h"

struct tooling_file;

/* Adds the path of the user's own: config/tooling.json in the home. */
bool tooling_file_own(struct buf *out, struct error *err);
struct tooling_file *tooling_file_open(const char *path, struct error *err);
void tooling_file_close(struct tooling_file *f); /* NULL is fine */

const char *tooling_file_path(const struct tooling_file *f);
bool tooling_file_is_default(const struct tooling_file *f);           /* there is no such file */
struct tooling *tooling_file_current(struct tooling_file *f);         /* f's own reference */
const struct error *tooling_file_fault(const struct tooling_file *f); /* NULL: the file is good */
/* As it was read last, good or not; of a missing one the default's, of one that could not be read
 * none (p NULL). */
struct str tooling_file_text(const struct tooling_file *f);

/* Looks whether the file changed (size, times, inode) and reads it again; true if current is new.
 * After a fault current stays; the fault is in tooling_file_fault(). */
bool tooling_file_reload(struct tooling_file *f);

/* Calls `changed` in the loop after each reload that brought a new configuration or another fault,
 * or none any more. It may close the file. */
void tooling_file_watch(struct tooling_file *f, struct loop *loop, loop_fn *changed, void *ctx);

/* ERR_INVALID_PARAMS, with those there are, for a profile that does not exist. */
bool tooling_file_set_profile(struct tooling_file *f, struct str id, struct error *err);
struct tooling_file_force {
    bool enabled;
    struct str tool, model; /* empty: left as they are; but another tool does not keep the model */
};
/* ERR_INVALID_PARAMS for a tool that is unknown, or none at all where it is enabled. */
bool tooling_file_set_force(struct tooling_file *f, const struct tooling_file_force *force,
                            struct error *err);
/* The whole text, checked before it is written; `seen` is the text it was made from (for the
 * conflict check), p NULL: whatever is there. Of a file that was missing that is the default's text
 * or "". */
bool tooling_file_replace(struct tooling_file *f, struct str text, struct str seen,
                          struct error *err);
/* The same of a file that could not be opened, because it is wrong: that is how it is put right. */
bool tooling_file_put_right(const char *path, struct str text, struct str seen, struct error *err);
