#include "process/supervisor.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/mark.h"
#include "process/process.h"
#include "test.h"

static struct loop *loop;
static struct timer limit;
static int gone;

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("it hangs");
}

static int setup(void **state)
{
    loop = loop_new();
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    gone = 0;
    unsetenv(MARK_RUN);
    return 0;
}

static int teardown(void **state)
{
    timer_stop(&limit);
    loop_free(loop);
    return 0;
}

static void on_gone(void *ctx)
{
    assert_ptr_equal(ctx, &gone);
    gone++;
    timer_stop(&limit);
}

/* Start `sh -c SCRIPT` in its own session; returns after the first byte of its output. */
static pid_t start_script(const char *script)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        dup2(ready[1], 1);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static int end_of(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

TEST_FIXTURE(setup, teardown);

TEST(a_dismissed_supervisor_kills_nothing)
{
    struct error err = {0};
    struct supervisor *s = supervisor_start(loop, AGENT_SELF, on_gone, &gone, &err);
    assert_non_null(s);
    assert_non_null(getenv(MARK_RUN));
    pid_t child = start_script("echo; exec sleep 1000");
    supervisor_dismiss(s);
    loop_run(loop);
    assert_int_equal(gone, 1);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    assert_int_equal(end_of(child), SIGKILL);
}

/* The supervisor of a run within a run must not be killed together with that run. */
TEST(a_supervisor_carries_no_mark_itself)
{
    static const char *const names[] = {MARK_ATTEMPT, MARK_RUN};
    char marks[2][MARK_SIZE];
    for (int i = 0; i < 2; i++) {
        mark_make(marks[i], names[i]);
        setenv(names[i], strchr(marks[i], '=') + 1, 1);
    }
    struct error err = {0};
    struct supervisor *s = supervisor_start(loop, AGENT_SELF, on_gone, &gone, &err);
    assert_non_null(s);
    unsetenv(MARK_ATTEMPT);
    for (int i = 0; i < 2; i++)
        assert_int_equal(mark_signal(marks[i], 0), 0);
    supervisor_dismiss(s);
    loop_run(loop);
    assert_int_equal(gone, 1);
}

TEST(a_supervisor_that_cannot_start_is_an_error)
{
    struct error err = {0};
    assert_null(supervisor_start(loop, "/nowhere/at/all", on_gone, &gone, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_null(getenv(MARK_RUN));
    timer_stop(&limit);
}

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    (void)p;
    *(struct process_exit *)ctx = end;
    timer_stop(&limit);
}

/* Run the supervisor with an input that ends after these lines, as after the end of the run. */
static int64_t run_supervisor(const char *words)
{
    struct process_exit end = {.code = -1};
    struct process_options o = {.argv = (const char *const[]){AGENT_SELF, SUPERVISOR_COMMAND, NULL},
                                .on_exit = on_exit_,
                                .ctx = &end};
    struct process *p = process_start(loop, &o, NULL);
    assert_non_null(p);
    process_write(p, str_from(words));
    process_close_input(p);
    loop_run(loop);
    assert_int_equal(end.signal, 0);
    return end.code;
}

TEST(processes_of_a_dead_run_are_ended)
{
    char mark[MARK_SIZE], words[MARK_SIZE + 6];
    mark_make(mark, MARK_RUN);
    snprintf(words, sizeof words, "mark %s\n", mark);
    pid_t stranger = start_script("echo; exec sleep 1000");
    setenv(MARK_RUN, strchr(mark, '=') + 1, 1);
    pid_t kind = start_script("trap 'exit 7' TERM; echo; while :; do sleep 0.1; done");
    pid_t deaf = start_script("trap '' TERM; echo; while :; do sleep 0.1; done");
    unsetenv(MARK_RUN);
    assert_int_equal(run_supervisor(words), 0);
    assert_int_equal(end_of(kind), -7); /* SIGTERM came first */
    assert_int_equal(end_of(deaf), SIGKILL);
    assert_int_equal(waitpid(stranger, NULL, WNOHANG), 0);
    kill(stranger, SIGKILL);
    assert_int_equal(end_of(stranger), SIGKILL);
}

TEST(an_invalid_mark_is_refused)
{
    static const char *const all[] = {"",
                                      "mark \n",
                                      "mark MULTIVERSE_RUN=\n",
                                      "mark PATH=/usr/bin\n",
                                      "mark MULTIVERSE_RUN=00112233445566778899aabbccddeeff",
                                      "mark HOME=00112233445566778899aabbccddeeff\n"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(run_supervisor(all[i]), 2);
}
