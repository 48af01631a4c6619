#include "base/watch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop_fixture.h"

#define TOO_LONG_MS TEST_LIMIT_MS

/* Every test has a folder of its own; paths in `seen` are relative to it. */
static char folder[64];
static const char *roots[2];
static struct watch *watch;
static struct timer guard;
static size_t bursts;
static bool stop_in_callback;
static struct buf folders; /* the folders among them */

static int setup_watch(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/watch_test.XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    roots[0] = folder;
    bursts = 0;
    stop_in_callback = false;
    watch = NULL;
    return setup(state);
}

static int teardown_watch(void **state)
{
    char command[128];
    watch_stop(watch);
    timer_stop(&guard);
    buf_done(&folders);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return teardown(state) || chdir("/") != 0 || system(command) != 0;
}

static void on_change(const struct watch_event *e, void *ctx)
{
    assert_ptr_equal(ctx, &bursts);
    bursts++;
    if (e->everything) {
        assert_int_equal(e->count, 0);
        buf_add(&seen, STR("everything "));
    }
    for (size_t i = 0; i < e->count; i++) {
        struct str in = e->changes[i].folder, name = e->changes[i].name;
        assert_true(str_starts(in, str_from(folder)));
        buf_printf(&seen, "%.*s/%.*s ", STR_ARG(str_skip(in, strlen(folder))), STR_ARG(name));
        if (e->changes[i].is_folder)
            buf_printf(&folders, "%.*s/%.*s ", STR_ARG(str_skip(in, strlen(folder))),
                       STR_ARG(name));
    }
    loop_stop(loop);
    if (stop_in_callback) {
        watch_stop(watch);
        watch = NULL;
    }
}

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("no change was reported; so far: %.*s", STR_ARG(buf_str(&seen)));
}

static void start(struct watch_options options)
{
    options.roots = options.roots ? options.roots : roots;
    options.root_count = options.root_count ? options.root_count : 1;
    options.changed = on_change;
    options.ctx = &bursts;
    watch = watch_start(loop, &options);
}

/* The next burst. */
static void check_next(const char *want)
{
    buf_clear(&seen);
    timer_start(&guard, loop, test_left_ms(), on_too_long, NULL);
    loop_run(loop);
    timer_stop(&guard);
    CHECK_CSTR(buf_str(&seen), want);
}

static void put(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(close(fd), 0);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
}

/* ---- reports */

TEST_FIXTURE(setup_watch, teardown_watch);

TEST(a_new_file_is_reported_once)
{
    start((struct watch_options){0});
    put("a");
    put("a");
    check_next("/a ");
    assert_int_equal(bursts, 1);
}

TEST(a_written_file_is_reported)
{
    put("a");
    start((struct watch_options){0});
    put("a");
    check_next("/a ");
}

TEST(a_removed_file_is_reported)
{
    put("a");
    start((struct watch_options){0});
    assert_int_equal(unlink("a"), 0);
    check_next("/a ");
}

TEST(a_flush_reports_all_changes_so_far)
{
    start((struct watch_options){.quiet_ms = TOO_LONG_MS});
    buf_clear(&seen);
    watch_flush(watch);
    assert_int_equal(bursts, 0); /* nothing to report */
    put("a");
    make_folder("b");
    watch_flush(watch);
    CHECK_CSTR(buf_str(&seen), "/a /b ");
    put("b/c");
    watch_flush(watch);
    CHECK_CSTR(buf_str(&seen), "/a /b /b/c ");
    watch_flush(watch);
    assert_int_equal(bursts, 2);
    watch_flush(NULL);
}

static long queue_length(void)
{
    long n = 0;
    FILE *f = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (f) {
        assert_int_equal(fscanf(f, "%ld", &n), 1);
        fclose(f);
    }
    return n;
}

/* More than one turn of the loop reads. */
TEST(a_flush_reports_all_changes_of_a_long_burst)
{
    start((struct watch_options){.quiet_ms = TOO_LONG_MS});
    buf_clear(&seen);
    for (int i = 0; i < 5000; i++) {
        char name[256];
        snprintf(name, sizeof name, "%0200d", i);
        put(name);
    }
    watch_flush(watch);
    assert_int_equal(bursts, 1);
    if (queue_length() > 10000) /* two events for each file */
        assert_true(str_find(buf_str(&seen), STR("04999 ")) < seen.n);
    else
        CHECK_CSTR(buf_str(&seen), "everything ");
}

TEST(the_watch_may_be_stopped_in_a_flush)
{
    stop_in_callback = true;
    start((struct watch_options){.quiet_ms = TOO_LONG_MS});
    put("a");
    watch_flush(watch);
    assert_null(watch);
}

TEST(folders_are_distinguished_from_files)
{
    make_folder("in.to");
    put("a");
    start((struct watch_options){0});
    buf_clear(&folders);
    put("a");
    make_folder("b.c");
    assert_int_equal(symlink("in.to", "link"), 0);
    watch_flush(watch);
    assert_int_equal(rename("in.to", "out.of"), 0);
    watch_flush(watch);
    CHECK_CSTR(buf_str(&folders), "/b.c /link /in.to /out.of ");
    buf_clear(&folders);
    assert_int_equal(rmdir("b.c") | unlink("a"), 0);
    put("b.c");
    watch_flush(watch);
    CHECK_CSTR(buf_str(&folders), "/b.c ");
}

TEST(a_link_to_a_folder_is_reported_as_a_folder_also_when_removed)
{
    char in[80];
    const char *root = in;
    snprintf(in, sizeof in, "%s/in", folder);
    make_folder("in");
    make_folder("out");
    start((struct watch_options){.roots = &root});
    buf_clear(&folders);
    assert_int_equal(symlink("../out", "in/link"), 0);
    watch_flush(watch);
    CHECK_CSTR(buf_str(&folders), "/in/link ");
    assert_int_equal(unlink("in/link"), 0);
    watch_flush(watch);
    CHECK_CSTR(buf_str(&folders), "/in/link /in/link ");
}

TEST(both_names_of_a_rename_are_reported)
{
    make_folder("in");
    put("a");
    start((struct watch_options){0});
    assert_int_equal(rename("a", "in/b"), 0);
    check_next("/a /in/b ");
}

TEST(changes_in_subfolders_are_reported)
{
    make_folder("a");
    make_folder("a/b");
    start((struct watch_options){0});
    assert_int_equal(watch_folder_count(watch), 3);
    put("a/b/c");
    put("d");
    check_next("/a/b/c /d ");
}

TEST(a_new_folder_is_watched_with_its_content)
{
    start((struct watch_options){0});
    make_folder("a");
    make_folder("a/b"); /* before it can be watched */
    check_next("/a ");
    put("a/b/c");
    check_next("/a/b/c ");
}

TEST(a_moved_folder_is_reported_with_its_new_path)
{
    make_folder("a");
    make_folder("a/in");
    start((struct watch_options){0});
    assert_int_equal(rename("a", "b"), 0);
    check_next("/a /b ");
    put("b/in/x");
    check_next("/b/in/x ");
    assert_int_equal(watch_folder_count(watch), 3);
}

TEST(a_folder_moved_outside_reports_nothing)
{
    char *watched[] = {NULL};
    make_folder("top");
    make_folder("top/a");
    struct buf path = {0};
    buf_printf(&path, "%s/top", folder);
    watched[0] = path.p;
    start((struct watch_options){.roots = (const char *const *)watched});
    assert_int_equal(rename("top/a", "a"), 0);
    check_next("/top/a ");
    put("a/x");
    put("top/y");
    check_next("/top/y ");
    assert_int_equal(watch_folder_count(watch), 1);
    buf_done(&path);
}

TEST(removed_folders_are_forgotten)
{
    make_folder("a");
    make_folder("a/b");
    start((struct watch_options){0});
    assert_int_equal(system("rm -r a"), 0);
    check_next("/a/b /a ");
    assert_int_equal(watch_folder_count(watch), 1);
    make_folder("a");
    check_next("/a ");
    put("a/x");
    check_next("/a/x ");
    assert_true(watch_is_complete(watch));
}

static bool starts_with_dot(struct str in, struct str name, void *ctx)
{
    assert_ptr_equal(ctx, &bursts);
    assert_true(str_starts(in, str_from(folder)));
    return name.p[0] == '.';
}

TEST(ignored_folders_are_neither_reported_nor_watched)
{
    make_folder(".git");
    make_folder("a");
    start((struct watch_options){.ignores = starts_with_dot});
    assert_int_equal(watch_folder_count(watch), 2);
    put(".git/x");
    put(".y");
    make_folder("a/.z");
    put("b");
    check_next("/b ");
    assert_int_equal(watch_folder_count(watch), 2);
}

TEST(links_to_folders_are_followed_without_endless_loops)
{
    make_folder("top");
    make_folder("real");
    assert_int_equal(symlink("../real", "top/link"), 0);
    assert_int_equal(symlink("../top", "real/back"), 0);
    struct buf path = {0};
    buf_printf(&path, "%s/top", folder);
    const char *watched[] = {path.p};
    start((struct watch_options){.roots = watched});
    assert_int_equal(watch_folder_count(watch), 2);
    put("real/x");
    check_next("/top/link/x ");
    assert_int_equal(unlink("top/link"), 0);
    check_next("/top/link ");
    assert_int_equal(watch_folder_count(watch), 1);
    assert_int_equal(symlink("../real", "top/again"), 0);
    check_next("/top/again ");
    put("real/y");
    check_next("/top/again/y ");
    buf_done(&path);
}

TEST(several_roots_are_watched)
{
    make_folder("a");
    make_folder("b");
    make_folder("c");
    struct buf a = {0}, b = {0};
    buf_printf(&a, "%s/a", folder);
    buf_printf(&b, "%s/b", folder);
    const char *watched[] = {a.p, b.p};
    start((struct watch_options){.roots = watched, .root_count = 2});
    put("c/x");
    put("a/x");
    put("b/x");
    check_next("/a/x /b/x ");
    buf_done(&a);
    buf_done(&b);
}

/* ---- losses */

TEST(too_many_changes_are_reported_as_everything)
{
    start((struct watch_options){.max_changes = 3});
    put("a");
    put("b");
    put("c");
    check_next("/a /b /c ");
    put("a");
    put("b");
    put("c");
    put("d");
    check_next("everything ");
    assert_true(watch_is_complete(watch)); /* only the changes of this burst are unknown */
    put("a");
    check_next("/a ");
}

TEST(a_queue_overflow_is_reported_as_everything)
{
    long limit = 0;
    FILE *f = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    if (!f || fscanf(f, "%ld", &limit) != 1 || limit > 100000)
        limit = 0;
    if (f)
        fclose(f);
    if (!limit)
        skip();
    put("a");
    start((struct watch_options){0});
    for (long i = 0; i <= limit / 4; i++) /* two events each */
        assert_int_equal(rename("a", "b") | rename("b", "a"), 0);
    check_next("everything ");
    put("a");
    check_next("/a ");
}

TEST(too_many_folders_are_reported_once)
{
    make_folder("a");
    make_folder("b");
    start((struct watch_options){.max_folders = 2});
    assert_false(watch_is_complete(watch));
    check_next("everything ");
    make_folder("c"); /* once more one too many */
    check_next("/c ");
    assert_false(watch_is_complete(watch));
}

TEST(a_missing_root_is_reported)
{
    struct buf none = {0};
    buf_printf(&none, "%s/none", folder);
    const char *watched[] = {none.p};
    start((struct watch_options){.roots = watched});
    assert_false(watch_is_complete(watch));
    check_next("everything ");
    buf_done(&none);
}

TEST(a_removed_root_is_reported)
{
    make_folder("root");
    struct buf root = {0};
    buf_printf(&root, "%s/root", folder);
    const char *watched[] = {root.p};
    start((struct watch_options){.roots = watched});
    assert_true(watch_is_complete(watch));
    assert_int_equal(rmdir("root"), 0);
    check_next("everything ");
    assert_false(watch_is_complete(watch));
    assert_int_equal(watch_folder_count(watch), 0);
    buf_done(&root);
}

/* ---- bursts and life */

TEST(many_changes_at_once_are_one_burst)
{
    char name[16];
    start((struct watch_options){0});
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "%d", i);
        put(name);
    }
    buf_clear(&seen);
    timer_start(&guard, loop, test_left_ms(), on_too_long, NULL);
    loop_run(loop);
    assert_int_equal(bursts, 1);
    assert_true(str_starts(buf_str(&seen), STR("/0 /1 /2 ")));
    assert_true(str_ends(buf_str(&seen), STR(" /499 ")));
}

static void touch_again(void *ctx)
{
    struct timer *t = ctx;
    put("a");
    timer_start(t, loop, 5, touch_again, t);
}

TEST(endless_changes_are_reported)
{
    struct timer t = {0};
    start((struct watch_options){.quiet_ms = TOO_LONG_MS}); /* it is never quiet for so long */
    touch_again(&t);
    check_next("/a ");
    timer_stop(&t);
}

TEST(a_watch_does_not_keep_the_loop_running)
{
    start((struct watch_options){0});
    loop_run(loop); /* returns: there is no timer that would wake it, either */
    assert_int_equal(bursts, 0);
}

TEST(a_watch_may_be_stopped_in_its_callback)
{
    start((struct watch_options){0});
    stop_in_callback = true;
    put("a");
    check_next("/a ");
    put("b");
    loop_run(loop);
    assert_int_equal(bursts, 1);
}

TEST(a_stopped_watch_reports_nothing)
{
    start((struct watch_options){0});
    put("a");
    watch_stop(watch);
    watch = NULL;
    loop_run(loop);
    assert_int_equal(bursts, 0);
    watch_stop(NULL);
}
