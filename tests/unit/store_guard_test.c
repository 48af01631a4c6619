#include "store/store_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static char folder[64];
static struct store_guard one, two;

static int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/store_guard_test.XXXXXX");
    one = two = (struct store_guard){.path = "x.guard", .wait_ms = 20, .fd = -1};
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int teardown(void **state)
{
    char command[128];
    store_guard_drop(&one);
    store_guard_drop(&two);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

TEST_FIXTURE(setup, teardown);

TEST(many_share_a_guard_or_one_holds_it_alone)
{
    assert_true(store_guard_share(&one));
    assert_true(store_guard_share(&two));
    assert_true(store_guard_share(&two)); /* twice is fine */
    assert_false(store_guard_try_alone(&one));
    assert_int_equal(errno, EWOULDBLOCK);
    store_guard_drop(&two);
    assert_true(store_guard_try_alone(&one));
    assert_false(store_guard_share(&two));
    assert_int_equal(errno, EWOULDBLOCK);
    assert_true(store_guard_share(&one));
    assert_true(store_guard_share(&two));
}

TEST(after_a_failure_nothing_is_held)
{
    assert_true(store_guard_share(&one));
    assert_true(store_guard_share(&two));
    assert_false(store_guard_try_alone(&one));
    assert_int_equal(one.fd, -1);
    assert_true(store_guard_try_alone(&two));
    store_guard_drop(&two);
    store_guard_drop(&two);
    assert_true(store_guard_try_alone(&one));
}

TEST(a_dead_process_releases_the_guard)
{
    int p[2];
    char c = 0;
    assert_int_equal(pipe(p), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (store_guard_try_alone(&one) && write(p[1], &c, 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(p[0], &c, 1), 1);
    assert_false(store_guard_share(&two));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(store_guard_try_alone(&two));
    close(p[0]);
    close(p[1]);
}

TEST(a_guard_that_cannot_be_opened_fails_at_once)
{
    one.path = "nowhere/x.guard";
    one.wait_ms = 600000;
    assert_false(store_guard_share(&one));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(symlink("elsewhere", "link"), 0);
    one.path = "link"; /* it would create a file */
    assert_false(store_guard_share(&one));
    assert_int_equal(errno, ELOOP);
}

TEST(the_file_of_a_guard_is_private)
{
    struct stat st;
    mode_t old = umask(0);
    assert_true(store_guard_share(&one));
    umask(old);
    assert_int_equal(stat("x.guard", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(st.st_size, 0);
}
