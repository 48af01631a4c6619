/* The supervisor as a real process, with commands of all kinds. This program is the supervisor,
 * too, if it is started as `supervisor_test supervisor -- COMMAND...`. */
#include "process/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "process/mark.h"
#include "test.h"

#define LONG_MS 3600000

static char mark[MARK_SIZE];
static pid_t supervisor;
static int in = -1, out = -1;
static struct buf said;

static int setup(void **state)
{
    mark_make(mark, MARK_TASK);
    alarm((unsigned)(test_left_ms() / 1000 + 1)); /* it hangs */
    return 0;
}

static void close_input(void)
{
    if (in >= 0)
        close(in);
    in = -1;
}

static int teardown(void **state)
{
    if (supervisor)
        kill(supervisor, SIGKILL);
    mark_kill_wait(mark, 10000);
    close_input();
    if (out >= 0)
        close(out);
    out = -1;
    supervisor = 0;
    buf_done(&said);
    return 0;
}

/* ---- a supervisor as a process */

static void start_command(const char *const *argv)
{
    int to[2], from[2];
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    supervisor = fork();
    if (supervisor == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        putenv(mark);
        execv("/proc/self/exe", (char **)argv);
        _exit(99);
    }
    close(to[0]);
    close(from[1]);
    in = to[1];
    out = from[0];
}

static void start_script(const char *script)
{
    start_command(
        (const char *const[]){"supervisor", SUPERVISOR_COMMAND, "--", "sh", "-c", script, NULL});
}

static void send_text(const char *text)
{
    assert_int_equal(write(in, text, strlen(text)), strlen(text));
}

static void send_lease(int64_t ms_from_now)
{
    char line[64];
    snprintf(line, sizeof line, "until %lld\n", (long long)(supervisor_clock() + ms_from_now));
    send_text(line);
}

/* Read the output of the command until it contains this. */
static void read_until(const char *word)
{
    while (!said.n || !memmem(said.p, said.n, word, strlen(word))) {
        char *room = buf_room(&said, 1000);
        ssize_t n = read(out, room, 1000);
        if (n <= 0)
            fail_msg("the output ended before %s", word);
        said.n += (size_t)n;
    }
}

static void start_and_read(const char *script, const char *word)
{
    start_script(script);
    send_lease(LONG_MS);
    read_until(word);
}

/* No process holds the other end of the output, and none has the mark. */
static void check_nothing_left(void)
{
    char rest[4096];
    ssize_t n;
    fcntl(out, F_SETFL, O_NONBLOCK);
    do
        n = read(out, rest, sizeof rest);
    while (n > 0);
    if (n < 0)
        fail_msg("a process still holds the output");
    assert_int_equal(mark_signal(mark, 0), 0);
}

static int wait_for_supervisor(void)
{
    int status;
    while (waitpid(supervisor, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    supervisor = 0;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void check_end(int want)
{
    assert_int_equal(wait_for_supervisor(), want);
    check_nothing_left();
}

/* Wait until a lease that ends then is over. */
static void wait_until(int64_t end)
{
    TEST_UNTIL(supervisor_clock() > end);
}

/* Whether the supervisor has read all lines. */
static bool has_read_input(void)
{
    int left = -1;
    assert_int_equal(ioctl(in, FIONREAD, &left), 0);
    return left == 0;
}

/* ---- how it ends */

TEST_FIXTURE(setup, teardown);

TEST(the_exit_code_is_that_of_the_command)
{
    static const struct {
        const char *script;
        int code;
    } ends[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 137}, {"kill -15 $$", 143}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        start_script(ends[i].script);
        send_lease(LONG_MS);
        check_end(ends[i].code);
        close(out);
        close_input();
    }
    out = -1;
}

TEST(nothing_starts_before_there_is_a_lease)
{
    static const struct {
        const char *words;
        int code;
    } ends[] = {
        {"", SUPERVISOR_ORPHANED},
        {"until \nuntil x\nuntil -5\nuntil 0\nUNTIL 99999999999\nuntil 99999999999999", 125},
        {"stop\n", 143},
        {"kill\n", 143},
        {"until 1\n", SUPERVISOR_LEASE_OVER}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        start_script("echo started");
        send_text(ends[i].words);
        close_input();
        assert_int_equal(wait_for_supervisor(), ends[i].code);
        assert_int_equal(read(out, &(char){0}, 1), 0);
        close(out);
    }
    out = -1;
}

TEST(a_missing_program_is_127)
{
    start_command((const char *const[]){"supervisor", SUPERVISOR_COMMAND, "--", "/no/where", NULL});
    send_lease(LONG_MS);
    check_end(127);
}

TEST(the_command_has_an_empty_input)
{
    start_and_read("cat; echo empty; read x; echo $?; exec sleep 1000", "empty\n1\n");
    send_text("kill\n");
    check_end(137);
}

/* ---- stop, kill */

#define TIDY "trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.05; done"

TEST(stop_lets_the_command_end_in_order)
{
    start_and_read(TIDY, "ready");
    send_text("stop\nstop\n");
    read_until("tidy");
    check_end(3);
}

TEST(signals_to_the_supervisor_act_as_stop)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < 3; i++) {
        start_and_read(TIDY, "ready");
        kill(supervisor, signals[i]);
        read_until("tidy");
        check_end(3);
        close(out);
        close_input();
        buf_clear(&said);
    }
    out = -1;
}

TEST(a_command_that_does_not_stop_is_killed)
{
    start_and_read("trap '' TERM INT HUP; echo ready; while :; do sleep 0.05; done", "ready");
    int64_t begin = supervisor_clock();
    send_text("stop\n");
    check_end(137);
    assert_true(supervisor_clock() - begin >= SUPERVISOR_STOP_MS);
}

TEST(a_suspended_command_can_be_killed)
{
    start_and_read("echo ready; kill -STOP $$", "ready");
    send_text("stop\n");
    send_text("kill\n");
    check_end(137);
}

/* ---- processes that hide */

/* Processes with their own session, ignoring signals, without an environment, orphans of orphans,
 * and some that start new ones all the time. */
#define HIDERS                                                                                     \
    "trap '' TERM INT HUP QUIT; (setsid sleep 1000 &) ; "                                          \
    "setsid sh -c \"trap '' TERM INT HUP; sleep 1000; sleep 1000\" & "                             \
    "env -i setsid /bin/sleep 1000 & (env -i /bin/sh -c '(/bin/sleep 1000 &)' &) ; "               \
    "(setsid sh -c '(setsid nohup sleep 1000 2>&1 >&1 &) ; exit 0' &) ; "                          \
    "for i in 1 2 3; do (while :; do (setsid sleep 0.02 &) ; env -i /bin/sleep 0.01; done) & "     \
    "done; "

TEST(no_process_outlives_a_kill)
{
    start_and_read(HIDERS "echo ready; wait", "ready");
    send_text("kill\n");
    check_end(137);
}

TEST(no_process_outlives_the_owner)
{
    start_and_read(HIDERS "echo ready; wait", "ready");
    close_input();
    check_end(SUPERVISOR_ORPHANED);
}

TEST(no_process_outlives_the_lease)
{
    start_and_read(HIDERS "echo ready; wait", "ready");
    send_lease(200);
    check_end(SUPERVISOR_LEASE_OVER);
}

TEST(no_process_outlives_a_command_that_ends_by_itself)
{
    start_script(HIDERS "echo ready; exit 0");
    send_lease(LONG_MS);
    check_end(0);
}

TEST(no_process_outlives_a_killed_command)
{
    start_and_read(HIDERS "echo pid $$ ready; wait", "ready");
    struct str text = buf_str(&said);
    pid_t run = atoi(str_skip(text, str_find(text, STR("pid ")) + 4).p);
    kill(run, SIGKILL);
    check_end(137);
}

/* Another program started it: only the mark connects it with the command. */
TEST(a_process_with_only_the_mark_is_killed)
{
    start_and_read("echo ready; exec sleep 1000", "ready");
    pid_t stranger = fork();
    if (stranger == 0) {
        putenv(mark);
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    TEST_UNTIL(mark_signal(mark, 0) >= 3); /* supervisor, command, stranger */
    send_text("kill\n");
    int status;
    assert_int_equal(waitpid(stranger, &status, 0), stranger);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    check_end(137);
}

TEST(the_kernel_kills_the_command_of_a_killed_supervisor)
{
    start_and_read("trap '' TERM INT HUP; echo ready; exec sleep 1000", "ready");
    kill(supervisor, SIGKILL);
    assert_int_equal(wait_for_supervisor(), -SIGKILL);
    assert_int_equal(read(out, &(char){0}, 1), 0); /* until the last holder has ended */
}

/* ---- the lease */

TEST(the_last_line_about_the_lease_counts)
{
    char lines[128];
    start_script("sleep 0.3; exit 5");
    snprintf(lines, sizeof lines, "until %lld\nuntil %lld\n", (long long)supervisor_clock() + 1,
             (long long)supervisor_clock() + LONG_MS);
    send_text(lines);
    check_end(5);
}

TEST(after_a_suspension_the_clock_is_checked_first)
{
    start_and_read(TIDY, "ready");
    kill(supervisor, SIGSTOP);
    send_lease(100);
    send_text("stop\n"); /* too late for an orderly end */
    wait_until(supervisor_clock() + 100);
    kill(supervisor, SIGCONT);
    check_end(SUPERVISOR_LEASE_OVER);
    assert_int_equal(str_find(buf_str(&said), STR("tidy")), said.n);
}

/* The lease was renewed in time, although the line is read late. */
TEST(after_a_suspension_a_renewed_lease_counts)
{
    start_and_read(TIDY, "ready");
    kill(supervisor, SIGSTOP);
    send_lease(100);
    send_lease(LONG_MS);
    wait_until(supervisor_clock() + 100);
    kill(supervisor, SIGCONT);
    send_text("stop\n");
    read_until("tidy");
    check_end(3);
}

/* Even more than fits into one read. */
TEST(after_a_suspension_all_lines_are_read)
{
    start_and_read(TIDY, "ready");
    kill(supervisor, SIGSTOP);
    for (int i = 0; i < 1000; i++)
        send_lease(100);
    send_lease(LONG_MS);
    wait_until(supervisor_clock() + 100);
    kill(supervisor, SIGCONT);
    send_text("stop\n");
    read_until("tidy");
    check_end(3);
}

/* ---- odd lines */

TEST(unknown_lines_change_nothing)
{
    char noise[100000];
    static const char lines[] =
        "\nstop it\nstop \n stop\nSTOP\nkill9\nuntil 1x\nuntil\nuntil -1\nuntil "
        "99999999999999999999999\n";
    static const char nul[] = "\0\0kill\n\0\nsto";
    memset(noise, 'x', sizeof noise);
    memcpy(noise + 50000, lines, sizeof lines - 1);
    memcpy(noise + 70000, nul, sizeof nul - 1);
    start_and_read(TIDY, "ready");
    assert_int_equal(write(in, noise, sizeof noise), sizeof noise);
    send_text("\nsto");
    TEST_UNTIL(has_read_input());
    send_text("p\n");
    read_until("tidy");
    check_end(3);
}

TEST(a_lease_may_be_endless)
{
    start_script("exit 4");
    send_text("until 9223372036854775807\n");
    check_end(4);
}

/* Grandchildren that end meanwhile leave no zombies. */
TEST(adopted_orphans_are_reaped)
{
    start_and_read("for i in 1 2 3 4 5; do (sleep 0.01 &); done; sleep 0.5; "
                   "grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | while read f; do "
                   "grep -q \"^PPid:.$PPID$\" $f && echo zombie; done; echo ready; exec sleep "
                   "1000",
                   "ready");
    assert_int_equal(str_find(buf_str(&said), STR("zombie")), said.n);
    send_text("kill\n");
    check_end(137);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], SUPERVISOR_COMMAND) == 0)
        return supervisor_main(argv + 2);
    signal(SIGPIPE, SIG_IGN);
    return test_run(NULL, NULL);
}
