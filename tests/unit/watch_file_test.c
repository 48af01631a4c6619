#include "base/watch_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop_fixture.h"

/* Every test has a folder of its own and works in it. */
static char folder[64];
static struct watch_file *watch;
static struct timer guard;
static size_t calls;
static bool stop_in_callback;

static int setup_watch(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/watch_file_test.XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    calls = 0;
    stop_in_callback = false;
    watch = NULL;
    return setup(state);
}

static int teardown_watch(void **state)
{
    char command[128];
    watch_file_stop(watch);
    timer_stop(&guard);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return teardown(state) || chdir("/") != 0 || system(command) != 0;
}

static void on_change(void *ctx)
{
    assert_ptr_equal(ctx, &calls);
    calls++;
    loop_stop(loop);
    if (stop_in_callback) {
        watch_file_stop(watch);
        watch = NULL;
    }
}

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("no change was reported");
}

static void start(const char *path)
{
    watch = watch_file_start(loop, path, on_change, &calls);
}

static void check_reported(void)
{
    timer_start(&guard, loop, test_left_ms(), on_too_long, NULL);
    loop_run(loop);
    timer_stop(&guard);
}

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
}

TEST_FIXTURE(setup_watch, teardown_watch);

TEST(a_written_replaced_or_removed_file_is_reported)
{
    put("f", "1");
    start("f");
    put("f", "2");
    check_reported();
    put("other", "3");
    assert_int_equal(rename("other", "f"), 0);
    check_reported();
    assert_int_equal(unlink("f"), 0);
    check_reported();
    put("f", "4");
    check_reported();
}

TEST(other_changes_in_its_folder_are_not_reported)
{
    put("f", "1");
    start("f");
    put("a", "1");
    make_folder("d");
    put("d/x", "1");
    assert_int_equal(unlink("a"), 0);
    put("f", "2"); /* queued after all of that by the system: one burst */
    check_reported();
    assert_int_equal(calls, 1);
}

TEST(folders_of_the_path_may_appear_later_and_be_removed)
{
    start("a/b/f");
    make_folder("a");
    check_reported();
    make_folder("a/b");
    check_reported();
    put("a/b/f", "1");
    check_reported();
    put("a/b/f", "2");
    check_reported();
    assert_int_equal(rename("a/b", "a/c"), 0);
    check_reported();
    make_folder("a/b");
    check_reported();
    put("a/b/f", "3");
    check_reported();
    assert_int_equal(system("rm -r a"), 0);
    check_reported();
    make_folder("a");
    check_reported();
}

TEST(a_folder_may_be_replaced)
{
    make_folder("d");
    make_folder("new");
    put("d/f", "1");
    put("new/f", "2");
    start("d/f");
    assert_int_equal(rename("d", "old"), 0);
    assert_int_equal(rename("new", "d"), 0);
    check_reported();
    put("d/f", "3"); /* in the new one */
    check_reported();
}

TEST(a_file_behind_links_is_reported_when_a_link_or_the_target_changes)
{
    make_folder("real");
    make_folder("link");
    put("real/f", "1");
    assert_int_equal(symlink("../real/f", "link/f"), 0);
    start("link/f");
    put("real/f", "2");
    check_reported();
    put("real/other", "3");
    assert_int_equal(rename("real/other", "real/f"), 0);
    check_reported();
    assert_int_equal(unlink("link/f"), 0);
    check_reported();
    assert_int_equal(symlink("nothing", "link/f"), 0);
    check_reported();
    put("link/nothing", "4");
    check_reported();
}

/* Container volumes are replaced like this: f -> data/f, data -> v1, which becomes v2. */
TEST(a_folder_behind_a_link_may_be_replaced)
{
    make_folder("v1");
    make_folder("v2");
    put("v1/f", "1");
    put("v2/f", "2");
    assert_int_equal(symlink("v1", "data"), 0);
    assert_int_equal(symlink("data/f", "f"), 0);
    start("f");
    assert_int_equal(symlink("v2", "new"), 0);
    assert_int_equal(rename("new", "data"), 0);
    check_reported();
    put("v2/f", "3");
    check_reported();
}

TEST(circular_links_have_no_target)
{
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    start("a");
    assert_int_equal(unlink("b"), 0);
    check_reported();
    put("b", "1");
    check_reported();
}

TEST(it_may_be_stopped_in_its_callback)
{
    stop_in_callback = true;
    start("./x/../f");
    put("f", "1");
    make_folder("x");
    check_reported();
    assert_null(watch);
    watch_file_stop(NULL);
}
