#include "process/mark.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"

/* Start a process in its own session, with this variable; returns when it runs. */
static pid_t start_marked(char *mark)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *env[] = {"A=1", mark, "B=2", NULL};
        setsid();
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", "-c", "echo; exec sleep 1000", (char *)NULL, env);
        _exit(1);
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

TEST(only_processes_with_the_mark_are_killed)
{
    char mine[MARK_SIZE], other[MARK_SIZE];
    int status;
    mark_make(mine, MARK_ATTEMPT);
    mark_make(other, MARK_ATTEMPT);
    assert_string_not_equal(mine, other);
    assert_int_equal(strlen(mine), MARK_SIZE - 1);
    pid_t a = start_marked(mine), b = start_marked(mine), c = start_marked(other);
    assert_true(mark_kill(mine) >= 2);
    assert_int_equal(waitpid(a, &status, 0), a);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(waitpid(b, &status, 0), b);
    assert_int_equal(waitpid(c, &status, WNOHANG), 0);
    assert_int_equal(mark_kill(mine), 0);
    assert_true(mark_kill(other) >= 1);
    assert_int_equal(waitpid(c, &status, 0), c);
}

TEST(an_environment_has_one_mark_of_a_name_or_none_at_all)
{
    struct arena a = {0};
    char mark[MARK_SIZE];
    const char *env[] = {"A=1", MARK_ATTEMPT "=0", "B=2", MARK_RUN "=3", NULL};
    mark_make(mark, MARK_ATTEMPT);
    const char **marked = mark_environment(&a, env, mark),
               **plain = mark_environment(&a, env, NULL);
    assert_string_equal(marked[0], "A=1");
    assert_string_equal(marked[1], "B=2");
    assert_string_equal(marked[2], MARK_RUN "=3");
    assert_string_equal(marked[3], mark);
    assert_null(marked[4]);
    assert_string_equal(plain[1], "B=2");
    assert_null(plain[2]);
    arena_done(&a);
}

TEST(marks_about_one_subject_are_killed_together)
{
    char a[MARK_SIZE], b[MARK_SIZE], other[MARK_SIZE];
    int status;
    mark_make_about(a, MARK_ATTEMPT, STR("tasks.db 7"));
    mark_make_about(b, MARK_ATTEMPT, STR("tasks.db 7"));
    mark_make_about(other, MARK_ATTEMPT, STR("tasks.db 8"));
    assert_true(mark_is_valid(a) && mark_is_valid(b) && mark_is_valid(other));
    assert_string_not_equal(a, b);
    pid_t one = start_marked(a), two = start_marked(other);
    assert_true(mark_kill_subject(b, 60000));
    assert_int_equal(waitpid(one, &status, 0), one);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(waitpid(two, &status, WNOHANG), 0);
    assert_true(mark_kill_subject(other, 60000));
    assert_int_equal(waitpid(two, &status, 0), two);
}

/* Their lock is free when the call returns, although they start new processes all the time. */
TEST(a_killed_process_has_released_its_locks)
{
    char mark[MARK_SIZE], path[] = "/tmp/multiverse_test.XXXXXX";
    mark_make(mark, MARK_ATTEMPT); /* not of a task: an orchestrator could kill it as an orphan */
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (int round = 0; round < 20; round++) {
        int mine = open(path, O_RDWR | O_CLOEXEC);
        assert_int_equal(flock(mine, LOCK_EX | LOCK_NB), 0);
        pid_t pid = fork();
        if (pid == 0) {
            char *env[] = {mark, "PATH=/usr/bin:/bin", NULL};
            int flags = fcntl(mine, F_GETFD);
            fcntl(mine, F_SETFD, flags & ~FD_CLOEXEC);
            execle("/bin/sh", "sh", "-c", "while :; do (setsid sleep 0.01 &) ; /bin/true; done",
                   (char *)NULL, env);
            _exit(1);
        }
        close(mine);
        while (mark_signal(mark, 0) < 1)
            usleep(1000);
        usleep((useconds_t)round * 500);
        assert_true(mark_kill_wait(mark, 60000));
        assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
        flock(fd, LOCK_UN);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        assert_int_equal(mark_signal(mark, 0), 0);
    }
    close(fd);
    unlink(path);
}
