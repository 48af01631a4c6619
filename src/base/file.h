/* Whole files: read with a limit, replaced atomically.
 *
 *     struct buf text = {0};
 *     if (!file_read(path, 1 << 20, &text, &err)) ...           // "cannot read a.json: ..."
 *     if (!file_replace(path, buf_str(&text), 0644, &err)) ...
 *
 * A replaced file is, at every moment and after a crash, either the old one or the new one: the
 * bytes go to a temporary file in the same folder, which is synced and renamed over the old one,
 * then the folder is synced. The mode of an existing file is kept, its owner where that is allowed;
 * a symbolic link is followed, also one that points to nothing yet. After a failure the old file is
 * as it was and the temporary one (".replace-*.tmp": hidden from Unity) is gone.
 *
 * Every call blocks: large files belong on the worker pool.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

/* Adds the whole file to *out; ERR_LIMIT above max bytes (or what *out can hold), ERR_IO else, with
 * path and reason. Folders, pipes and sockets are refused, so it never waits for a writer. */
bool file_read(const char *path, size_t max, struct buf *out, struct error *err);

/* mode is used when the file is new (e.g. 0644, or 0600 for secrets), less the umask. Anything but
 * a regular file is refused. ERR_IO on failure. */
bool file_replace(const char *path, struct str bytes, mode_t mode, struct error *err);

/* Return true for the path of such a temporary file. Skip those when listing a folder: another
 * process may be replacing a file there. */
bool file_is_temporary(struct str path);

bool file_exists(const char *path); /* a file, a folder, anything; a link counts as its target */

/* Makes the folder and those above it; fine if it is there already. */
bool file_make_dirs(const char *path, struct error *err);
