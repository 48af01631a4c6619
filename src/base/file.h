/* Whole files: read with a limit, replaced atomically.
 *
 * A replaced file is, at every moment and after a crash, either the old one or the new one: the
 * bytes go to a temporary file in the same folder, which is synced and renamed over the old one,
 * then the folder is synced. The mode of an existing file is kept, a symbolic link is followed.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

/* Adds the whole file to *out; ERR_LIMIT above max bytes, ERR_IO else, with path and reason. */
bool file_read(const char *path, size_t max, struct buf *out, struct error *err);

/* mode is used when the file is new (e.g. 0644, or 0600 for secrets). */
bool file_replace(const char *path, struct str bytes, mode_t mode, struct error *err);

bool file_exists(const char *path);

/* Makes the folder and those above it. */
bool file_make_dirs(const char *path, struct error *err);
