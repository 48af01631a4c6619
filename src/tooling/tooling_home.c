#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tooling/tooling_file.h"

static const char *user_home(void)
{
    const char *home = getenv("HOME");
    if (home && *home)
        return home;
    const struct passwd *user = getpwuid(getuid());
    return user && user->pw_dir && *user->pw_dir ? user->pw_dir : NULL;
}

/* A path that means the same wherever a child of ours runs. */
static bool add_absolute(struct buf *out, const char *path, struct error *err)
{
    if (path[0] != '/') {
        char *here = getcwd(NULL, 0);
        if (!here)
            return error_set(err, ERR_IO, "cannot find the working directory");
        buf_printf(out, "%s/", here);
        free(here);
    }
    struct str trimmed = str_from(path);
    while (trimmed.n > 1 && trimmed.p[trimmed.n - 1] == '/')
        trimmed.n--;
    buf_add(out, trimmed);
    return true;
}

bool tooling_home_make(const char *folder, struct error *err)
{
    const char *slash = strrchr(folder, '/');
    struct stat st;
    char text[128];
    if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    if (slash && slash != folder) {
        char *parent = str_dup(str_make(folder, (size_t)(slash - folder)));
        bool ok = file_make_dirs(parent, err);
        free(parent);
        if (!ok)
            return false;
    }
    if (mkdir(folder, 0700) == 0)
        return true;
    int code = errno;
    if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode)) /* by somebody else, just now */
        return true;
    return error_set(err, ERR_IO, "cannot make the folder %s: %s", folder,
                     strerror_r(code, text, sizeof text));
}

bool tooling_home(struct buf *out, bool make, struct error *err)
{
    const char *own = getenv("MULTIVERSE_HOME"), *home = user_home();
    struct buf path = {0};
    bool ok = own && *own ? add_absolute(&path, own, err)
              : home      ? add_absolute(&path, home, err) && buf_add(&path, STR("/.multiverse"))
                          : error_set(err, ERR_IO, "there is no home: set MULTIVERSE_HOME or HOME");
    ok = ok && (!make || tooling_home_make(path.p, err));
    if (ok)
        buf_add(out, buf_str(&path));
    buf_done(&path);
    return ok;
}
