#include "process/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

#define TOO_LONG_MS TEST_LIMIT_MS

struct run {
    struct loop *loop;
    struct process *p;
    struct buf out, err;
    struct process_exit end;
    int exits;
    bool output_after_exit;
    struct timer limit;
    struct error error;
    void (*act)(struct run *); /* on the first output */
};

static struct run run;

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("a child process hangs");
}

static int setup(void **state)
{
    run = (struct run){.loop = loop_new()};
    timer_start(&run.limit, run.loop, test_left_ms(), on_too_long, NULL);
    return 0;
}

static int teardown(void **state)
{
    loop_free(run.loop);
    buf_done(&run.out);
    buf_done(&run.err);
    return 0;
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct run *r = ctx;
    assert_ptr_equal(p, r->p);
    assert_true(bytes.n > 0);
    r->output_after_exit |= r->exits > 0;
    buf_add(which == PROCESS_STDOUT ? &r->out : &r->err, bytes);
    if (r->act) {
        void (*act)(struct run *) = r->act;
        r->act = NULL;
        act(r);
    }
}

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    struct run *r = ctx;
    assert_ptr_equal(p, r->p);
    r->end = end;
    r->exits++;
    timer_stop(&r->limit);
}

static bool start_with(struct process_options o)
{
    o.on_exit = on_exit_;
    o.ctx = &run;
    run.p = process_start(run.loop, &o, &run.error);
    if (!run.p)
        timer_stop(&run.limit);
    return run.p != NULL;
}

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool start(const char *const *argv)
{
    return start_with((struct process_options){.argv = argv, .on_output = on_output});
}

/* Runs a shell script to its end, with nothing on its input. */
static void sh(const char *script)
{
    assert_true(start(ARGV("sh", "-c", script)));
    process_close_input(run.p);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_false(run.output_after_exit);
}

TEST_FIXTURE(setup, teardown);

TEST(output_and_exit_code_are_reported)
{
    sh("echo out; echo err >&2; exit 7");
    CHECK_CSTR(buf_str(&run.out), "out\n");
    CHECK_CSTR(buf_str(&run.err), "err\n");
    assert_int_equal(run.end.code, 7);
    assert_int_equal(run.end.signal, 0);
}

TEST(arguments_arrive_unchanged)
{
    assert_true(start(ARGV("printf", "[%s]", "a b", "", "$HOME;'\"", "ü")));
    loop_run(run.loop);
    CHECK_CSTR(buf_str(&run.out), "[a b][][$HOME;'\"][ü]");
}

TEST(environment_and_folder_can_be_given)
{
    struct process_options o = {
        .argv = ARGV("sh", "-c", "echo $A-$HOME; pwd"),
        .env = ARGV("A=1", "PATH=/usr/bin:/bin"),
        .cwd = "/",
        .on_output = on_output,
    };
    assert_true(start_with(o));
    loop_run(run.loop);
    CHECK_CSTR(buf_str(&run.out), "1-\n/\n");
}

TEST(environment_and_folder_are_inherited_by_default)
{
    char cwd[4096];
    struct buf want = {0};
    setenv("PROC_TEST", "yes", 1);
    buf_printf(&want, "yes\n%s\n", getcwd(cwd, sizeof cwd));
    sh("echo $PROC_TEST; pwd -P");
    unsetenv("PROC_TEST");
    CHECK_STR(buf_str(&run.out), buf_str(&want));
    buf_done(&want);
}

TEST(a_missing_program_is_named)
{
    assert_false(start(ARGV("no-such-program-here", "x")));
    assert_int_equal(run.error.code, ERR_IO);
    CHECK_CSTR(str_from(run.error.text),
               "cannot run no-such-program-here: no such file or directory");
    loop_run(run.loop);
    assert_int_equal(run.exits, 0);
}

TEST(a_file_that_is_not_executable_is_named)
{
    assert_false(start(ARGV("/")));
    CHECK_CSTR(str_from(run.error.text), "cannot run /: permission denied");
}

TEST(a_missing_folder_is_named)
{
    assert_false(
        start_with((struct process_options){.argv = ARGV("true"), .cwd = "/no/such/folder"}));
    CHECK_CSTR(str_from(run.error.text), "cannot run true in /no/such/folder: no such folder");
}

TEST(without_on_output_the_output_is_discarded)
{
    const char *script = "test /dev/null -ef /dev/stdout && test /dev/null -ef /dev/stderr";
    assert_true(start_with((struct process_options){.argv = ARGV("sh", "-c", script)}));
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_int_equal(run.end.code, 0);
}

TEST(a_child_can_open_its_pipes_by_name)
{
    sh("echo a > /dev/stdout && echo b > /dev/stderr && cat /dev/stdin && echo c");
    CHECK_CSTR(buf_str(&run.out), "a\nc\n");
    CHECK_CSTR(buf_str(&run.err), "b\n");
}

TEST(a_child_inherits_no_other_descriptor)
{
    uint64_t got, want = 4; /* 0, 1, 2, the folder that ls reads, and what this program inherited */
    for (int fd = 3; fd < 1024; fd++) {
        int flags = fcntl(fd, F_GETFD);
        want += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    sh("ls /proc/self/fd | wc -l");
    assert_true(str_to_u64(str_trim(buf_str(&run.out)), &got));
    assert_int_equal(got, want);
}

TEST(a_child_has_default_signal_actions)
{
    /* Signals 32 and 33 are the C library's own; make starts its children with both ignored. */
    sh("echo $((0x$(sed -n 's/SigIgn:.//p' /proc/self/status) & 0x7fffffff))");
    CHECK_CSTR(str_trim(buf_str(&run.out)), "0");
}

/* ---- large amounts */

TEST(ten_megabytes_of_output_arrive)
{
    sh("head -c 10000000 /dev/zero; head -c 3000000 /dev/zero >&2");
    assert_int_equal(run.out.n, 10000000);
    assert_int_equal(run.err.n, 3000000);
    assert_int_equal(run.end.code, 0);
}

TEST(five_megabytes_of_input_come_back_unchanged)
{
    struct rng r;
    size_t n = 5000000;
    char *input = mem_alloc(n);
    rng_seed(&r, 1);
    for (size_t i = 0; i < n; i++)
        input[i] = (char)rng_next(&r);

    assert_true(start(ARGV("cat")));
    size_t half = n / 2 + 1;
    assert_true(process_write(run.p, str_make(input, half)));
    assert_true(process_write(run.p, (struct str){0}));
    assert_true(process_write(run.p, str_make(input + half, n - half)));
    process_close_input(run.p);
    assert_false(process_write(run.p, STR("too late")));
    process_close_input(run.p);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    CHECK_STR(buf_str(&run.out), str_make(input, n));
    free(input);
}

TEST(unread_input_is_limited)
{
    size_t n = PROCESS_INPUT_MAX / 4;
    char *block = mem_zalloc(n);
    assert_true(start(ARGV("sleep", "100")));
    assert_false(process_write(run.p, str_make(block, PROCESS_INPUT_MAX + (size_t)1)));
    int taken = 0;
    while (taken < 10 && process_write(run.p, str_make(block, n)))
        taken++;
    assert_int_equal(taken, 4);
    process_kill(run.p, SIGKILL, 0);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    free(block);
}

static void write_again(void *ctx)
{
    struct run *r = ctx;
    if (process_write(r->p, STR("x")))
        timer_start(&r->limit, r->loop, 1, write_again, r);
    else
        process_kill(r->p, SIGTERM, 0);
}

static void begin_writing(struct run *r)
{
    write_again(r);
}

TEST(writing_to_a_closed_input_fails_soon)
{
    run.act = begin_writing;
    assert_true(start(ARGV("sh", "-c", "exec <&-; echo closed; exec sleep 100")));
    loop_run(run.loop);
    assert_int_equal(run.end.signal, SIGTERM);
}

/* ---- kill */

static void kill_with_term(struct run *r)
{
    process_kill(r->p, SIGTERM, 0);
}

TEST(a_signal_is_reported)
{
    run.act = kill_with_term;
    assert_true(start(ARGV("sh", "-c", "echo ready; exec sleep 100")));
    assert_true(process_pid(run.p) > 0);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_int_equal(run.end.signal, SIGTERM);
}

static void kill_with_grace(struct run *r)
{
    process_kill(r->p, SIGTERM, 50);
    process_kill(r->p, SIGTERM, 10 * TOO_LONG_MS); /* does not prolong it */
}

TEST(a_child_that_ignores_the_signal_is_killed_after_the_grace)
{
    run.act = kill_with_grace;
    assert_true(start(ARGV("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 100; done")));
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_int_equal(run.end.signal, SIGKILL);
}

static void kill_with_long_grace(struct run *r)
{
    process_kill(r->p, SIGTERM, TOO_LONG_MS);
}

TEST(a_child_that_ends_within_the_grace_is_not_killed)
{
    run.act = kill_with_long_grace;
    assert_true(start(ARGV("sh", "-c",
                           "trap 'echo bye; exit 3' TERM; echo ready; "
                           "while :; do sleep 0.01; done")));
    loop_run(run.loop);
    assert_int_equal(run.end.code, 3);
    assert_int_equal(run.end.signal, 0);
    CHECK_CSTR(buf_str(&run.out), "ready\nbye\n");
}

/* Wait until no process has this pid: a killed grandchild may still be ending. */
static void check_gone(struct str pid_text)
{
    uint64_t pid;
    assert_true(str_to_u64(str_trim(pid_text), &pid));
    while (kill((pid_t)pid, 0) == 0) {
        /* A zombie counts as dead: init may be slow to reap it. */
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *f = fopen(path, "r");
        bool zombie = !f || (fgets(line, sizeof line, f) && strstr(line, ") Z "));
        if (f)
            fclose(f);
        if (zombie)
            return;
        if (test_is_over())
            fail_msg("process %d is still alive", (int)pid);
        usleep(1000);
    }
}

TEST(the_whole_group_is_killed)
{
    run.act = kill_with_term;
    assert_true(start(ARGV("sh", "-c", "sleep 100 & echo $!; wait")));
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    check_gone(buf_str(&run.out));
}

TEST(the_rest_of_the_group_is_killed_when_the_child_has_ended)
{
    run.act = kill_with_long_grace;
    assert_true(start(
        ARGV("sh", "-c", "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait")));
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    check_gone(buf_str(&run.out));
}

static void no_matter(void *ctx)
{
    (void)ctx;
}

static void on_exit_kill(struct process *p, struct process_exit end, void *ctx)
{
    on_exit_(p, end, ctx);
    process_kill(p, SIGKILL, 5);
    assert_false(process_write(p, STR("x")));
    process_close_input(p);
    timer_start(&run.limit, run.loop, 30, no_matter,
                NULL); /* a grace period would be over by then */
}

TEST(all_calls_are_harmless_inside_on_exit)
{
    struct process_options o = {
        .argv = ARGV("true"), .on_output = on_output, .on_exit = on_exit_kill, .ctx = &run};
    run.p = process_start(run.loop, &o, &run.error);
    assert_non_null(run.p);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
}

/* ---- grandchildren */

TEST(a_grandchild_that_keeps_the_pipe_does_not_delay_the_end_for_long)
{
    uint64_t start_ms = loop_now(run.loop);
    sh("sleep 100 & echo $!; echo err >&2; exit 4");
    assert_int_equal(run.end.code, 4);
    assert_true(loop_now(run.loop) - start_ms >= PROCESS_LINGER_MS);
    CHECK_CSTR(buf_str(&run.err), "err\n");
    /* No signal was sent to it, so it is still alive. */
    uint64_t pid;
    assert_true(str_to_u64(str_trim(buf_str(&run.out)), &pid));
    assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
}

/* Files made by the child and its grandchild, by which they wait for each other. */
static char go[64], said[64];

static void wait_for_the_end(void *ctx) /* on a thread of the pool */
{
    while (kill(*(int *)ctx, 0) == 0)
        usleep(1000);
}

/* The end of the child has been noticed. Nothing is read until the linger time is over, and
 * meanwhile the grandchild writes. */
static void be_busy(void *ctx)
{
    (void)ctx;
    assert_int_equal(run.exits, 0);
    FILE *f = fopen(go, "w");
    assert_non_null(f);
    fclose(f);
    TEST_UNTIL(access(said, F_OK) == 0);
    usleep(1000 * PROCESS_LINGER_MS);
}

TEST(output_in_the_pipes_after_the_linger_time_is_delivered)
{
    char folder[] = "/tmp/proc_test.XXXXXX";
    assert_non_null(mkdtemp(folder));
    snprintf(go, sizeof go, "%s/go", folder);
    snprintf(said, sizeof said, "%s/said", folder);
    assert_true(start(ARGV("sh", "-c",
                           "(until [ -e $0 ]; do sleep 0.01; done; head -c 60000 /dev/zero >&2;"
                           " touch $1; exec sleep 100) & echo $!",
                           go, said)));
    int child = process_pid(run.p);
    loop_work(run.loop, wait_for_the_end, be_busy, &child);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_int_equal(run.err.n, 60000);
    uint64_t pid;
    assert_true(str_to_u64(str_trim(buf_str(&run.out)), &pid));
    kill((pid_t)pid, SIGKILL);
    assert_int_equal(unlink(go) + unlink(said) + rmdir(folder), 0);
}

/* ---- many */

static size_t count_fds(void)
{
    size_t n = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static int running;

static void on_exit_of_many(struct process *p, struct process_exit end, void *ctx)
{
    (void)p;
    assert_int_equal(end.code, 0);
    assert_int_equal(end.signal, 0);
    running--;
    *(int *)ctx += 1;
}

static void on_output_of_many(struct process *p, enum process_stream which, struct str bytes,
                              void *ctx)
{
    (void)p;
    (void)which;
    CHECK_CSTR(bytes, "hi");
    *(int *)ctx += 100;
}

static void spawn_many(int n, int at_once)
{
    struct process_options o = {
        .argv = ARGV("cat"), .on_output = on_output_of_many, .on_exit = on_exit_of_many};
    for (int i = 0; i < n; i += at_once) {
        int counts[16] = {0};
        for (int j = 0; j < at_once; j++) {
            o.ctx = &counts[j];
            struct process *p = process_start(run.loop, &o, &run.error);
            assert_non_null(p);
            running++;
            assert_true(process_write(p, STR("hi")));
            process_close_input(p);
        }
        loop_run(run.loop);
        assert_int_equal(running, 0);
        for (int j = 0; j < at_once; j++)
            assert_int_equal(counts[j], 101);
    }
}

TEST(two_hundred_children_leave_no_file_and_no_zombie)
{
    timer_stop(&run.limit);
    spawn_many(8, 8); /* libuv has opened now what it opens only once */
    assert_null(process_start(run.loop,
                              &(struct process_options){.argv = ARGV("no-such-program-here"),
                                                        .on_output = on_output,
                                                        .on_exit = on_exit_},
                              NULL));
    loop_run(run.loop);
    size_t before = count_fds();
    spawn_many(200, 8);
    for (int i = 0; i < 20; i++) {
        assert_false(start(ARGV("no-such-program-here")));
        loop_run(run.loop);
    }
    assert_int_equal(count_fds(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

TEST(a_child_can_be_killed_at_once)
{
    assert_true(start(ARGV("sleep", "100")));
    process_kill(run.p, SIGTERM, 1);
    loop_run(run.loop);
    assert_int_equal(run.exits, 1);
    assert_true(run.end.signal == SIGTERM || run.end.signal == SIGKILL);
}

static void on_taken(struct process *p, struct process_exit end, void *ctx)
{
    (void)p, (void)end, (void)ctx;
}

/* In another process, which is then killed; its child holds the other end of the pipe. */
TEST(bound_children_die_with_their_parent)
{
    int alive[2];
    assert_int_equal(pipe(alive), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(alive[1], 9);
        struct loop *own = loop_new();
        process_bind_children();
        process_bind_children(); /* a second call has no effect */
        struct process_options o = {
            .argv =
                (const char *const[]){"sh", "-c", "trap '' TERM; echo >&9; exec sleep 1000", NULL},
            .on_exit = on_taken};
        if (!process_start(own, &o, NULL))
            _exit(1);
        for (;;)
            pause();
    }
    close(alive[1]);
    assert_int_equal(read(alive[0], &(char){0}, 1), 1); /* it runs */
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(read(alive[0], &(char){0}, 1), 0);
    close(alive[0]);
}
