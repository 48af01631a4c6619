/* Attempts whose processes are killed, and processes that other attempts have left. */
#include <sys/wait.h>

#include "executor_fixture.h"
#include "process/orphans.h"

/* ---- kills */

static int pid_in_log(const char *name)
{
    struct str log = buf_str(&logged);
    size_t at = str_find(log, str_from(name));
    assert_true(at < log.n);
    return atoi(log.p + at + strlen(name));
}

static void kill_supervisor(void)
{
    kill(pid_in_log("supervisor "), SIGKILL);
}

static void stop_supervisor(void)
{
    kill(pid_in_log("supervisor "), SIGSTOP);
    executor_hold(executor, supervisor_clock() + 50);
}

static void stop_supervisor_and_cancel(void)
{
    kill(pid_in_log("supervisor "), SIGSTOP);
    executor_stop(executor, ATTEMPT_CANCELLED);
    executor_stop(executor, ATTEMPT_CANCELLED);
}

static void kill_run(void)
{
    kill(pid_in_log("run "), SIGKILL);
}

#define MORE                                                                                       \
    "trap '' TERM INT HUP; exec 9>\"$LOCK\"; flock -n 9 || exit 99; (setsid sleep 1000 &); "       \
    "setsid sh -c 'sleep 1000; sleep 1000' & echo supervisor $PPID run $$ ready; while :; do "     \
    "sleep "                                                                                       \
    "0.05; done"

static void check_lock(void)
{
    int fd = open("lock", O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    close(fd);
}

TEST_FIXTURE(setup, teardown);

TEST(a_killed_supervisor_leaves_no_process_behind)
{
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", kill_supervisor);
    run(MORE, ATTEMPT_LOST);
    check_lock();
}

TEST(a_killed_run_leaves_no_process_behind)
{
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", kill_run);
    run(MORE, ATTEMPT_SIGNALLED);
    check_lock();
}

/* The stopped supervisor cannot kill the run at the end of the lease, so it is killed itself. */
TEST(a_stopped_supervisor_does_not_outlive_the_lease)
{
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", stop_supervisor);
    run(MORE, ATTEMPT_LOST);
    check_lock();
}

TEST(a_stopped_supervisor_does_not_delay_a_cancel)
{
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", stop_supervisor_and_cancel);
    run(MORE, ATTEMPT_CANCELLED);
    check_lock();
}

/* ---- what others left */

#define ORPHAN "exec 9>lock; flock 9; echo; exec sleep 1000"

/* Start `sh ...` in its own session with this mark; return when its lock is taken. */
static pid_t start_marked(char *mark, const char *option, const char *script)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *env[] = {mark, "PATH=/usr/bin:/bin", NULL};
        setsid();
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", option, script, (char *)NULL, env);
        _exit(1);
    }
    assert_int_equal(read(ready[0], &(char){0}, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static pid_t start_orphan(char *mark)
{
    return start_marked(mark, "-c", ORPHAN);
}

static void check_killed(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static char found_mark[MARK_SIZE];

static void take_mark(void)
{
    struct str log = buf_str(&logged);
    struct str mark = str_skip(log, str_find(log, STR("mark=")) + 5);
    snprintf(found_mark, sizeof found_mark, MARK_TASK "=%.32s", mark.p);
}

/* Orchestrator, run and both supervisors were killed at once; the task is claimed again. */
TEST(processes_of_an_earlier_attempt_are_killed)
{
    when_it_says("ready", take_mark);
    run("echo mark=$MULTIVERSE_TASK ready", ATTEMPT_EXITED);
    pid_t orphan = start_orphan(found_mark);
    again();
    claim.number = 2;
    setenv("LOCK", in_folder("lock"), 1);
    run("exec 9>\"$LOCK\"; flock -n 9", ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 0);
    check_killed(orphan);
}

TEST(processes_of_other_tasks_are_left_alone)
{
    char mark[MARK_SIZE];
    when_it_says("ready", take_mark);
    run("echo mark=$MULTIVERSE_TASK ready", ATTEMPT_EXITED);
    memcpy(mark, found_mark, sizeof mark);
    mark[sizeof MARK_TASK] = mark[sizeof MARK_TASK] == '0' ? '1' : '0';
    put("supervisor", "exec 9>lock; flock 9; echo; while :; do sleep 1; done");
    pid_t other = start_marked(mark, SUPERVISOR_COMMAND, "--"); /* not an orphan */
    again();
    claim.number = 2;
    run("exit 0", ATTEMPT_EXITED);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    kill(other, SIGKILL);
    check_killed(other);
}

TEST(a_process_without_a_supervisor_is_an_orphan)
{
    char mark[MARK_SIZE];
    mark_make(mark, MARK_TASK);
    pid_t orphan = start_orphan(mark);
    orphans_kill(); /* or another orchestrator that is starting */
    check_killed(orphan);
    check_lock();
    timer_stop(&limit);
}

static void kill_orphans(void)
{
    orphans_kill();
    put("go", "");
}

TEST(a_process_with_a_supervisor_is_not_an_orphan)
{
    setenv("GO", in_folder("go"), 1);
    when_it_says("ready", kill_orphans);
    run("(setsid sleep 1000 &) ; echo ready; while ! [ -e \"$GO\" ]; do sleep 0.02; done; exit 0",
        ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 0);
}

int main(int argc, char **argv)
{
    return executor_main(argc, argv);
}
