/* Whole files: read with a limit, replaced atomically.
 *
 *     struct buf text = {0};
 *     struct error err = {0};
 *     if (!file_read(path, 1 << 20, &text, &err))
 *         fprintf(stderr, "%s\n", err.text);                    // cannot read a.json: ...
 *     bool done = file_replace(path, buf_str(&text), 0644, &err);
 *
 * At every moment, also after a crash, a replaced file is either the old or the new one: the bytes
 * are written to a temporary file in the same folder, which is synced and renamed over the old one;
 * then the folder is synced. The mode of an existing file is kept, its owner where that is allowed;
 * a symbolic link is followed, also one whose target does not exist. After a failure the old file
 * is unchanged and the temporary one (".replace-*.tmp": hidden from Unity) is removed.
 *
 * Every call blocks: large files belong on the worker pool.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

/* Append the whole file to *out. Errors: ERR_LIMIT above max bytes (or the maximum of *out), else
 * ERR_IO, with path and reason. Folders, pipes and sockets are refused, so it never blocks. */
bool file_read(const char *path, size_t max, struct buf *out, struct error *err);

/* mode is used when the file is new (e.g. 0644, or 0600 for secrets), less the umask. Anything but
 * a regular file is refused. ERR_IO on failure. */
bool file_replace(const char *path, struct str bytes, mode_t mode, struct error *err);

/* Return true for the path of such a temporary file. Skip those when listing a folder: another
 * process may be replacing a file there. */
bool file_is_temporary(struct str path);

bool file_exists(const char *path); /* a file, a folder, anything; a link counts as its target */

/* Create the folder and its parents; succeed if it exists. */
bool file_make_dirs(const char *path, struct error *err);
