#include "process/platform.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

/* Start a child that runs this program under another name. */
static pid_t start_named(const char *name)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_NAME, name);
        (void)!write(ready[1], "x", 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &(char){0}, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

TEST(a_process_is_described_by_its_pid)
{
    struct platform_process st, again;
    assert_true(platform_read_process(getpid(), &st));
    assert_int_equal(st.pid, getpid());
    assert_int_equal(st.parent, getppid());
    assert_false(st.has_no_environment);
    assert_false(st.is_dead || st.is_kernel);
    assert_true(platform_read_process(getpid(), &again));
    assert_true(st.start > 0 && st.start == again.start);
    assert_false(platform_read_process(0x3fffffff, &st));
}

TEST(a_process_may_have_any_name)
{
    static const char *const names[] = {"a b", ") R 1 1", "((", "1 2 3 4 5 6", "x\ny) Z 7"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct platform_process st;
        pid_t pid = start_named(names[i]);
        assert_true(platform_read_process(pid, &st));
        assert_int_equal(st.parent, getpid());
        assert_false(st.is_dead);
        kill(pid, SIGKILL);
        siginfo_t info;
        assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
        assert_true(platform_read_process(pid, &st));
        assert_true(st.is_dead);
        assert_false(st.has_no_environment);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        assert_false(platform_read_process(pid, &st));
    }
}

TEST(a_process_without_an_environment_is_recognized)
{
    struct platform_process st;
    int ready[2];
    char *none[] = {NULL};
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ready[1], 1);
        execle("/bin/cat", "cat", "/proc/self/stat", "/dev/zero", (char *)NULL, none);
        _exit(1);
    }
    assert_int_equal(read(ready[0], &(char){0}, 1), 1);
    assert_true(platform_read_process(pid, &st));
    assert_true(st.has_no_environment);
    assert_false(st.is_dead || st.is_kernel);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

/* Children, their children in other sessions, and orphans; but no other process. */
TEST(descendants_are_killed_and_no_other_process)
{
    pid_t other = start_named("other");
    int alive[2];
    assert_int_equal(pipe(alive), 0);
    pid_t top = fork();
    if (top == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int i = 0; i < 3; i++)
            if (fork() == 0) {
                if (fork() > 0 && i == 2) /* makes the grandchild an orphan */
                    _exit(0);
                setsid();
                (void)!write(alive[1], "x", 1);
                for (;;)
                    pause();
            }
        for (int i = 0; i < 5; i++)
            (void)!read(alive[0], &(char){0}, 1);
        size_t killed = 0;
        for (size_t n; (n = platform_kill_descendants()) > 0;)
            killed += n;
        while (wait(NULL) > 0)
            continue;
        _exit(killed >= 5 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(top, &status, 0), top);
    assert_int_equal(status, 0);
    close(alive[1]);
    assert_int_equal(read(alive[0], &(char){0}, 1), 0); /* no process holds the other end */
    close(alive[0]);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}
