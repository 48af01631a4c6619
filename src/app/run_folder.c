#include "app/run_folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "tooling/tooling_file.h"

#define DAY_SECONDS (24 * 60 * 60)

static int is_run_name(const struct dirent *e)
{
    return run_id_is(e->d_name);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    remove(path); /* a file that cannot be removed stays */
    return 0;
}

/* A run writes into its folder while it is going on. */
static bool is_idle(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_mtime < time(NULL) - DAY_SECONDS;
}

/* Names begin with the time, so the first in order are the oldest. */
static void remove_oldest(const char *runs)
{
    struct dirent **all;
    int count = scandir(runs, &all, is_run_name, alphasort);
    for (int i = 0; i < count; i++) {
        struct buf path = {0};
        buf_printf(&path, "%s/%s", runs, all[i]->d_name);
        if (i + (int)RUN_FOLDER_KEEP < count && is_idle(path.p))
            nftw(path.p, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        buf_done(&path);
        free(all[i]);
    }
    if (count >= 0)
        free(all);
}

bool run_folder_make(char id[RUN_FOLDER_ID], struct buf *path, struct error *err)
{
    if (!*id)
        run_id_new(id);
    if (!tooling_home(path, true, err))
        return false;
    buf_add(path, STR("/runs"));
    if (!file_make_dirs(path->p, err))
        return false;
    remove_oldest(path->p);
    buf_printf(path, "/%s", id);
    if (!file_make_dirs(path->p, err))
        return false;
    if (chmod(path->p, 0700) != 0)
        return error_set(err, ERR_IO, "cannot make %s private", path->p);
    return true;
}
