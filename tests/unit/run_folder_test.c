#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "app/run_folder.h"
#include "folder_fixture.h"

static size_t entries(const char *path)
{
    size_t count = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static void put_run(int number, bool is_old)
{
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char path[64], file[96];
    snprintf(path, sizeof path, "runs/20200101T%06dZ-0123abcd", number);
    snprintf(file, sizeof file, "%s/01-task-mock.out", path);
    put(file, "x");
    if (is_old)
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(only_the_oldest_idle_folders_are_removed)
{
    struct buf path = {0};
    char id[RUN_FOLDER_ID] = "";
    struct error err = {0};
    struct stat st;
    assert_true(enter_folder());
    setenv("MULTIVERSE_HOME", project_folder, 1);
    for (int i = 0; i < (int)RUN_FOLDER_KEEP + 10; i++)
        put_run(i, i != 3); /* the fourth was written to just now */
    put("runs/of-mine/a", "x");
    assert_true(run_folder_make(id, &path, &err));
    assert_int_equal(stat(path.p, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(strlen(id), RUN_FOLDER_ID - 1);
    /* Nine of the ten oldest are removed; the busy one, the unrelated file and the new one stay. */
    assert_int_equal(entries("runs"), RUN_FOLDER_KEEP + 3);
    assert_true(file_exists("runs/of-mine/a"));
    assert_true(file_exists("runs/20200101T000003Z-0123abcd"));
    assert_false(file_exists("runs/20200101T000000Z-0123abcd"));
    buf_clear(&path);
    memcpy(id, "20261116T025200Z-9f86d081", sizeof id);
    assert_true(run_folder_make(id, &path, &err));
    assert_true(file_exists("runs/20261116T025200Z-9f86d081"));
    buf_done(&path);
    assert_true(leave_folder());
}
