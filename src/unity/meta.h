/* Read the GUID of a .meta file.
 *
 *     struct guid guid;
 *     if (meta_read(folder_fd, "Player.prefab.meta", &guid) == META_OK)
 *         guids++;
 *
 * A .meta file starts with "fileFormatVersion: 2" and "guid: <32 digits>". It may have a BOM and
 * CRLF, and may end there. Only its start is read: the rest belongs to the importer.
 */
#pragma once

#include "unity/guid.h"

#define META_SUFFIX     ".meta"
#define META_HEAD_BYTES 128u  /* enough for every file that Unity writes */
#define META_MAX_BYTES  4096u /* limit of the search for a GUID */

enum meta_result {
    META_NONE, /* no such file */
    META_BAD,  /* not readable, or without a GUID */
    META_OK
};

/* Find the GUID in the first bytes of a .meta. */
bool meta_guid(struct str head, struct guid *out);

/* Open name in the folder folder_fd (or AT_FDCWD). Never blocks on a pipe. */
enum meta_result meta_read(int folder_fd, const char *name, struct guid *out);
