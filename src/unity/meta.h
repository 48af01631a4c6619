/* The GUID out of a .meta file: the one line of it that everything hangs on.
 *
 *     struct guid g;
 *     if (meta_read(folder_fd, "Player.prefab.meta", &g) == META_OK) ...
 *
 * A .meta file starts with "fileFormatVersion: 2" and "guid: <32 digits>"; it may have a BOM and
 * CRLF, and may end right there. Only its first bytes are read: what follows is the importer's.
 */
#pragma once

#include "unity/guid.h"

#define META_SUFFIX     ".meta"
#define META_HEAD_BYTES 128u  /* enough for all that Unity writes */
#define META_MAX_BYTES  4096u /* how far a guid is looked for at all */

enum meta_result {
    META_NONE, /* there is no such file */
    META_BAD,  /* it cannot be read, or has no GUID */
    META_OK
};

/* The GUID in the first bytes of a .meta; false: not there, or cut off. */
bool meta_guid(struct str head, struct guid *out);

/* name is taken from the folder that fd is open on (or AT_FDCWD). Never waits for a writer. */
enum meta_result meta_read(int folder_fd, const char *name, struct guid *out);
