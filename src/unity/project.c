#include "unity/project.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"

static bool has(struct str folder, const char *name)
{
    struct buf path = {0};
    buf_printf(&path, "%.*s/%s", STR_ARG(folder), name);
    bool there = file_exists(path.p);
    buf_done(&path);
    return there;
}

static bool is_root(struct str folder)
{
    return has(folder, "Assets") && has(folder, "ProjectSettings");
}

static struct str parent(struct str folder)
{
    while (folder.n && folder.p[folder.n - 1] != '/')
        folder.n--;
    return str_head(folder, folder.n ? folder.n - 1 : 0);
}

char *project_find(const char *folder, bool *is_unity, struct error *err)
{
    char *path = realpath(folder, NULL);
    if (!path) {
        error_set(err, ERR_CONFIG_VALIDATION, "cannot find the project folder %s: %s", folder,
                  strerror(errno));
        return NULL;
    }
    for (struct str at = str_from(path); at.n; at = parent(at))
        if (is_root(at)) {
            path[at.n] = 0;
            *is_unity = true;
            return path;
        }
    *is_unity = false;
    return path;
}
