#include "agent/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/offspring.h"
#include "folder_fixture.h"

#define TOO_LONG_S 60

static char mark[OFFSPRING_MARK];
static int alive[2]; /* its end is that of all that hold the other end */

static int setup(void **state)
{
    (void)state;
    alarm(TOO_LONG_S);
    offspring_mark(mark);
    return enter_folder() && pipe2(alive, O_CLOEXEC) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    alarm(0);
    close(alive[0]);
    return leave_folder() ? 0 : -1;
}

/* A process with the mark, in a session of its own; it says when it is there. */
static pid_t start_marked(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        char *env[] = {mark, NULL};
        setsid();
        dup2(alive[1], 1);
        execle("/bin/sh", "sh", "-c", "printf r; exec sleep 1000", (char *)NULL, env);
        _exit(1);
    }
    assert_true(pid > 0);
    return pid;
}

/* A process that has a guard and is killed. */
static void kill_one_with(const struct guard_options *options)
{
    char byte;
    pid_t pid = fork();
    if (pid == 0) {
        struct guard g = {0};
        guard_start(&g, options);
        start_marked();
        for (;;)
            pause();
    }
    close(alive[1]);
    assert_int_equal(read(alive[0], &byte, 1), 1);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void what_a_killed_process_had_started_is_killed(void **state)
{
    (void)state;
    char byte;
    kill_one_with(&(struct guard_options){.self = AGENT_SELF, .mark = mark});
    assert_int_equal(read(alive[0], &byte, 1), 0);
}

static void then_the_command_is_run(void **state)
{
    (void)state;
    char line[16] = "";
    assert_int_equal(mkfifo("told", 0600), 0);
    kill_one_with(&(struct guard_options){
        .self = AGENT_SELF,
        .mark = mark,
        .env = (const char *const[]){"PATH=/usr/bin:/bin", "WORD=gone", NULL},
        .command = (const char *const[]){"sh", "-c", "echo $WORD > told", NULL}});
    int fd = open("told", O_RDONLY); /* waits for who writes */
    assert_int_equal(read(fd, line, sizeof line - 1), 5);
    assert_string_equal(line, "gone\n");
    close(fd);
}

static void a_guard_that_was_ended_kills_nobody(void **state)
{
    (void)state;
    struct guard g = {0};
    guard_start(&g, &(struct guard_options){.self = AGENT_SELF, .mark = mark});
    int guard = g.pid;
    assert_true(guard > 1);
    pid_t pid = start_marked();
    guard_end(&g);
    guard_end(&g);
    assert_int_equal(kill(guard, 0), -1);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(alive[1]);
}

/* It would be killed together with the one it stands in for. */
static void a_guard_has_no_mark_itself(void **state)
{
    (void)state;
    char outer[OFFSPRING_MARK];
    struct guard g = {0};
    offspring_mark(outer);
    guard_start(&g, &(struct guard_options){.self = AGENT_SELF,
                                            .mark = mark,
                                            .env = (const char *const[]){outer, NULL}});
    assert_int_equal(offspring_kill(outer), 0);
    assert_int_equal(waitpid(g.pid, NULL, WNOHANG), 0);
    guard_end(&g);
    close(alive[1]);
}

static void without_a_program_there_is_none(void **state)
{
    (void)state;
    struct guard g = {0};
    guard_start(&g, &(struct guard_options){.mark = mark});
    assert_int_equal(g.pid, 0);
    guard_start(&g, &(struct guard_options){.self = "/no/such/program", .mark = mark});
    assert_int_equal(g.pid, 0);
    guard_end(&g);
    assert_int_equal(guard_main(0, NULL), 2);
    assert_int_equal(guard_main(1, (char *[]){"MULTIVERSE_ATTEMPT=", NULL}), 2);
    close(alive[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_killed_process_had_started_is_killed),
        TEST(then_the_command_is_run),
        TEST(a_guard_that_was_ended_kills_nobody),
        TEST(a_guard_has_no_mark_itself),
        TEST(without_a_program_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
