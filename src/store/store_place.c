/* Where a store is: URLs and paths. */
#include <string.h>
#include <sys/stat.h>

#include "store/store.h"

bool store_is_server(const char *url)
{
    return url && (strncmp(url, "postgresql://", 13) == 0 || strncmp(url, "postgres://", 11) == 0);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

bool store_place(const char *url, const char *folder, const char *name, bool is_main,
                 struct buf *out, struct error *err)
{
    if (store_is_server(url)) {
        buf_add(out, str_from(url));
        return true;
    }
    const char *path = url ? url : "";
    if (strncmp(path, "sqlite:", 7) == 0)
        path += strncmp(path, "sqlite://", 9) == 0 ? 9 : 7;
    else if (strstr(path, "://"))
        return error_set(err, ERR_INVALID_PARAMS,
                         "cannot use the store %.80s: postgresql://..., sqlite:PATH or a path are"
                         " possible",
                         path);
    const char *slash = strrchr(path, '/');
    if (!*path)
        buf_printf(out, "%s/%s.db", folder, name);
    else if (is_folder(path))
        buf_printf(out, "%s%s%s.db", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
    else if (is_main)
        buf_add(out, str_from(path));
    else
        buf_printf(out, "%.*s%s.db", slash ? (int)(slash - path + 1) : 0, path, name);
    return !out->overflow || error_set(err, ERR_LIMIT, "the path of the store is too long");
}
