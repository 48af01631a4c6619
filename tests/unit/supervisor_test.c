/* The keeper as a real process, over runs of all kinds. This program plays it, too: when it is
 * started as `supervisor_test task-keeper -- COMMAND...`. */
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
static pid_t keeper;
static int in = -1, out = -1;
static struct buf said;

static int setup(void **state)
{
    mark_make(mark, MARK_TASK);
    alarm((unsigned)(test_left_ms() / 1000 + 1)); /* it hangs */
    return 0;
}

static void hang_up(void)
{
    if (in >= 0)
        close(in);
    in = -1;
}

static int teardown(void **state)
{
    if (keeper)
        kill(keeper, SIGKILL);
    mark_kill_wait(mark, 10000);
    hang_up();
    if (out >= 0)
        close(out);
    out = -1;
    keeper = 0;
    buf_done(&said);
    return 0;
}

/* ---- a keeper */

static void keep_command(const char *const *argv)
{
    int to[2], from[2];
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    keeper = fork();
    if (keeper == 0) {
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

static void keep(const char *script)
{
    keep_command(
        (const char *const[]){"keeper", SUPERVISOR_COMMAND, "--", "sh", "-c", script, NULL});
}

static void tell(const char *text)
{
    assert_int_equal(write(in, text, strlen(text)), strlen(text));
}

static void tell_until(int64_t ms_from_now)
{
    char line[64];
    snprintf(line, sizeof line, "until %lld\n", (long long)(supervisor_clock() + ms_from_now));
    tell(line);
}

/* What the run says is read until this stands in it. */
static void hear(const char *word)
{
    while (!said.n || !memmem(said.p, said.n, word, strlen(word))) {
        char *room = buf_room(&said, 1000);
        ssize_t n = read(out, room, 1000);
        if (n <= 0)
            fail_msg("it ended before it said %s", word);
        said.n += (size_t)n;
    }
}

static void keep_until_it_says(const char *script, const char *word)
{
    keep(script);
    tell_until(LONG_MS);
    hear(word);
}

/* Nobody holds the other end of its output, and nobody has its mark. */
static void check_alone(void)
{
    char rest[4096];
    ssize_t n;
    fcntl(out, F_SETFL, O_NONBLOCK);
    do
        n = read(out, rest, sizeof rest);
    while (n > 0);
    if (n < 0)
        fail_msg("somebody still holds its output");
    assert_int_equal(mark_signal(mark, 0), 0);
}

static int wait_for_keeper(void)
{
    int status;
    while (waitpid(keeper, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    keeper = 0;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void check_end(int want)
{
    assert_int_equal(wait_for_keeper(), want);
    check_alone();
}

/* Until a lease that ended then is over. */
static void let_pass(int64_t end)
{
    TEST_UNTIL(supervisor_clock() > end);
}

/* Nothing that it was told is still on its way. */
static bool has_heard(void)
{
    int left = -1;
    assert_int_equal(ioctl(in, FIONREAD, &left), 0);
    return left == 0;
}

/* ---- how it ends */

TEST_FIXTURE(setup, teardown);

TEST(the_end_of_the_run_is_its_end)
{
    static const struct {
        const char *script;
        int code;
    } ends[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 137}, {"kill -15 $$", 143}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        keep(ends[i].script);
        tell_until(LONG_MS);
        check_end(ends[i].code);
        close(out);
        hang_up();
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
        keep("echo started");
        tell(ends[i].words);
        hang_up();
        assert_int_equal(wait_for_keeper(), ends[i].code);
        assert_int_equal(read(out, &(char){0}, 1), 0);
        close(out);
    }
    out = -1;
}

TEST(a_program_that_is_not_there_is_127)
{
    keep_command((const char *const[]){"keeper", SUPERVISOR_COMMAND, "--", "/no/where", NULL});
    tell_until(LONG_MS);
    check_end(127);
}

TEST(its_input_is_not_the_run_s)
{
    keep_until_it_says("cat; echo empty; read x; echo $?; exec sleep 1000", "empty\n1\n");
    tell("kill\n");
    check_end(137);
}

/* ---- stop, kill */

#define TIDY "trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.05; done"

TEST(stop_lets_it_put_its_things_in_order)
{
    keep_until_it_says(TIDY, "ready");
    tell("stop\nstop\n");
    hear("tidy");
    check_end(3);
}

TEST(signals_to_the_keeper_are_as_stop)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < 3; i++) {
        keep_until_it_says(TIDY, "ready");
        kill(keeper, signals[i]);
        hear("tidy");
        check_end(3);
        close(out);
        hang_up();
        buf_clear(&said);
    }
    out = -1;
}

TEST(who_does_not_stop_is_killed_in_the_end)
{
    keep_until_it_says("trap '' TERM INT HUP; echo ready; while :; do sleep 0.05; done", "ready");
    int64_t begin = supervisor_clock();
    tell("stop\n");
    check_end(137);
    assert_true(supervisor_clock() - begin >= SUPERVISOR_STOP_MS);
}

TEST(who_is_stopped_can_be_killed)
{
    keep_until_it_says("echo ready; kill -STOP $$", "ready");
    tell("stop\n");
    tell("kill\n");
    check_end(137);
}

/* ---- those who hide */

/* Sessions of their own, deaf, without an environment, orphans of orphans, those that breed. */
#define HIDERS                                                                                     \
    "trap '' TERM INT HUP QUIT; (setsid sleep 1000 &) ; "                                          \
    "setsid sh -c \"trap '' TERM INT HUP; sleep 1000; sleep 1000\" & "                             \
    "env -i setsid /bin/sleep 1000 & (env -i /bin/sh -c '(/bin/sleep 1000 &)' &) ; "               \
    "(setsid sh -c '(setsid nohup sleep 1000 2>&1 >&1 &) ; exit 0' &) ; "                          \
    "for i in 1 2 3; do (while :; do (setsid sleep 0.02 &) ; env -i /bin/sleep 0.01; done) & "     \
    "done; "

TEST(nobody_outlives_a_kill)
{
    keep_until_it_says(HIDERS "echo ready; wait", "ready");
    tell("kill\n");
    check_end(137);
}

TEST(nobody_outlives_the_orchestrator)
{
    keep_until_it_says(HIDERS "echo ready; wait", "ready");
    hang_up();
    check_end(SUPERVISOR_ORPHANED);
}

TEST(nobody_outlives_the_lease)
{
    keep_until_it_says(HIDERS "echo ready; wait", "ready");
    tell_until(200);
    check_end(SUPERVISOR_LEASE_OVER);
}

TEST(nobody_outlives_a_run_that_ends_by_itself)
{
    keep(HIDERS "echo ready; exit 0");
    tell_until(LONG_MS);
    check_end(0);
}

TEST(nobody_outlives_a_run_that_is_killed)
{
    keep_until_it_says(HIDERS "echo pid $$ ready; wait", "ready");
    struct str text = buf_str(&said);
    pid_t run = atoi(str_skip(text, str_find(text, STR("pid ")) + 4).p);
    kill(run, SIGKILL);
    check_end(137);
}

/* Started by somebody else: what tells is the mark. */
TEST(a_mark_is_enough)
{
    keep_until_it_says("echo ready; exec sleep 1000", "ready");
    pid_t stranger = fork();
    if (stranger == 0) {
        putenv(mark);
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    TEST_UNTIL(mark_signal(mark, 0) >= 3); /* keeper, run, stranger */
    tell("kill\n");
    int status;
    assert_int_equal(waitpid(stranger, &status, 0), stranger);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    check_end(137);
}

TEST(a_keeper_that_is_killed_takes_the_run_along)
{
    keep_until_it_says("trap '' TERM INT HUP; echo ready; exec sleep 1000", "ready");
    kill(keeper, SIGKILL);
    assert_int_equal(wait_for_keeper(), -SIGKILL);
    assert_int_equal(read(out, &(char){0}, 1), 0); /* waits for the last who holds it */
}

/* ---- the lease */

TEST(the_last_word_on_the_lease_counts)
{
    char lines[128];
    keep("sleep 0.3; exit 5");
    snprintf(lines, sizeof lines, "until %lld\nuntil %lld\n", (long long)supervisor_clock() + 1,
             (long long)supervisor_clock() + LONG_MS);
    tell(lines);
    check_end(5);
}

TEST(who_was_stopped_looks_at_the_clock_first)
{
    keep_until_it_says(TIDY, "ready");
    kill(keeper, SIGSTOP);
    tell_until(100);
    tell("stop\n"); /* too late to be kind */
    let_pass(supervisor_clock() + 100);
    kill(keeper, SIGCONT);
    check_end(SUPERVISOR_LEASE_OVER);
    assert_int_equal(str_find(buf_str(&said), STR("tidy")), said.n);
}

/* The lease was renewed in time, though it heard of it late. */
TEST(who_was_stopped_hears_what_was_said_meanwhile)
{
    keep_until_it_says(TIDY, "ready");
    kill(keeper, SIGSTOP);
    tell_until(100);
    tell_until(LONG_MS);
    let_pass(supervisor_clock() + 100);
    kill(keeper, SIGCONT);
    tell("stop\n");
    hear("tidy");
    check_end(3);
}

/* Also if much was said. */
TEST(who_was_stopped_for_long_hears_all_that_was_said)
{
    keep_until_it_says(TIDY, "ready");
    kill(keeper, SIGSTOP);
    for (int i = 0; i < 1000; i++)
        tell_until(100);
    tell_until(LONG_MS);
    let_pass(supervisor_clock() + 100);
    kill(keeper, SIGCONT);
    tell("stop\n");
    hear("tidy");
    check_end(3);
}

/* ---- odd words */

TEST(words_it_does_not_know_change_nothing)
{
    char noise[100000];
    static const char lines[] =
        "\nstop it\nstop \n stop\nSTOP\nkill9\nuntil 1x\nuntil\nuntil -1\nuntil "
        "99999999999999999999999\n";
    static const char nul[] = "\0\0kill\n\0\nsto";
    memset(noise, 'x', sizeof noise);
    memcpy(noise + 50000, lines, sizeof lines - 1);
    memcpy(noise + 70000, nul, sizeof nul - 1);
    keep_until_it_says(TIDY, "ready");
    assert_int_equal(write(in, noise, sizeof noise), sizeof noise);
    tell("\nsto");
    TEST_UNTIL(has_heard());
    tell("p\n");
    hear("tidy");
    check_end(3);
}

TEST(a_lease_without_end_is_fine)
{
    keep("exit 4");
    tell("until 9223372036854775807\n");
    check_end(4);
}

/* Children of children that end while it goes on leave no trace. */
TEST(orphans_are_reaped)
{
    keep_until_it_says("for i in 1 2 3 4 5; do (sleep 0.01 &); done; sleep 0.5; "
                       "grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | while read f; do "
                       "grep -q \"^PPid:.$PPID$\" $f && echo zombie; done; echo ready; exec sleep "
                       "1000",
                       "ready");
    assert_int_equal(str_find(buf_str(&said), STR("zombie")), said.n);
    tell("kill\n");
    check_end(137);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], SUPERVISOR_COMMAND) == 0)
        return supervisor_main(argv + 2);
    signal(SIGPIPE, SIG_IGN);
    return test_run(NULL, NULL);
}
