/* Which Unity project a folder belongs to.
 *
 *     char *root = project_find(".", &is_unity);     // free() it
 *
 * The project is the nearest folder, from the given one upwards, that has Assets and
 * ProjectSettings in it. Without one it is the folder itself: then nothing is known for sure, and
 * the editor that connects says which project it has. Paths are absolute and without links.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"

char *project_find(const char *folder, bool *is_unity,
                   struct error *err); /* NULL: no such folder */
