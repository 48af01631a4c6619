#include "process/offspring.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"

/* A process in a session of its own, with this in its environment; answers when it runs. */
static pid_t start(char *mark)
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

TEST(only_those_with_the_mark_are_killed)
{
    char mine[OFFSPRING_MARK], other[OFFSPRING_MARK];
    int status;
    offspring_mark(mine, OFFSPRING_ATTEMPT);
    offspring_mark(other, OFFSPRING_ATTEMPT);
    assert_string_not_equal(mine, other);
    assert_int_equal(strlen(mine), OFFSPRING_MARK - 1);
    pid_t a = start(mine), b = start(mine), c = start(other);
    assert_true(offspring_kill(mine) >= 2);
    assert_int_equal(waitpid(a, &status, 0), a);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(waitpid(b, &status, 0), b);
    assert_int_equal(waitpid(c, &status, WNOHANG), 0);
    assert_int_equal(offspring_kill(mine), 0);
    assert_true(offspring_kill(other) >= 1);
    assert_int_equal(waitpid(c, &status, 0), c);
}

TEST(an_environment_has_one_mark_of_a_name_or_none_at_all)
{
    struct arena a = {0};
    char mark[OFFSPRING_MARK];
    const char *env[] = {"A=1", OFFSPRING_ATTEMPT "=0", "B=2", OFFSPRING_RUN "=3", NULL};
    offspring_mark(mark, OFFSPRING_ATTEMPT);
    const char **marked = offspring_env(&a, env, mark), **plain = offspring_env(&a, env, NULL);
    assert_string_equal(marked[0], "A=1");
    assert_string_equal(marked[1], "B=2");
    assert_string_equal(marked[2], OFFSPRING_RUN "=3");
    assert_string_equal(marked[3], mark);
    assert_null(marked[4]);
    assert_string_equal(plain[1], "B=2");
    assert_null(plain[2]);
    arena_done(&a);
}

TEST(those_about_the_same_are_kin)
{
    char a[OFFSPRING_MARK], b[OFFSPRING_MARK], other[OFFSPRING_MARK];
    int status;
    offspring_mark_about(a, OFFSPRING_ATTEMPT, STR("tasks.db 7"));
    offspring_mark_about(b, OFFSPRING_ATTEMPT, STR("tasks.db 7"));
    offspring_mark_about(other, OFFSPRING_ATTEMPT, STR("tasks.db 8"));
    assert_true(offspring_is_mark(a) && offspring_is_mark(b) && offspring_is_mark(other));
    assert_string_not_equal(a, b);
    pid_t one = start(a), two = start(other);
    assert_true(offspring_end_kin(b, 60000));
    assert_int_equal(waitpid(one, &status, 0), one);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_int_equal(waitpid(two, &status, WNOHANG), 0);
    assert_true(offspring_end_kin(other, 60000));
    assert_int_equal(waitpid(two, &status, 0), two);
}

/* Their lock is free when it returns, though they were busy, and had others do their work. */
TEST(who_is_ended_holds_nothing_any_more)
{
    char mark[OFFSPRING_MARK], path[] = "/tmp/multiverse_test.XXXXXX";
    offspring_mark(mark, OFFSPRING_ATTEMPT); /* of a task, somebody else might kill them */
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
        while (offspring_signal(mark, 0) < 1)
            usleep(1000);
        usleep((useconds_t)round * 500);
        assert_true(offspring_end(mark, 60000));
        assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
        flock(fd, LOCK_UN);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        assert_int_equal(offspring_signal(mark, 0), 0);
    }
    close(fd);
    unlink(path);
}
