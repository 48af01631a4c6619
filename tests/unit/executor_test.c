/* How an attempt starts, stops and ends, and how its lease is renewed. */
#include "executor_fixture.h"

/* ---- how it ends */

TEST_FIXTURE(setup, teardown);

TEST(exit_0_is_success_and_leaves_nothing)
{
    run(RESULT("\"state\": \"COMPLETE\", \"outcome\": \"ok\", \"tool\": \"mock\", "
               "\"input_tokens\": 12, \"cost_usd\": 0.5, \"files\": [{\"path\": \"a\", "
               "\"change\": \"added\"}]") "echo hello; echo world >&2",
        ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 0);
    CHECK_CSTR(last.end.outcome, "ok");
    CHECK_CSTR(last.end.why, "");
    CHECK_CSTR(last.result.tool, "mock");
    CHECK_CSTR(last.result.files, "[{\"path\":\"a\",\"change\":\"added\"}]");
    assert_int_equal(last.result.input_tokens, 12);
    CONTAINS(buf_str(&logged), "hello\n");
    CONTAINS(buf_str(&logged), "world\n");
    assert_int_equal(count_files(attempts()), 0);
}

TEST(a_result_has_more_details_than_an_exit_code)
{
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"rate_limited\", \"nobody\": true, \"until\": "
               "\"2026-11-16T10:00:00Z\", \"why\": \"all rest\"") "exit 1",
        ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 1);
    assert_true(last.end.nobody);
    assert_int_equal(last.end.until, 1794823200000);
    CHECK_CSTR(last.end.outcome, "rate_limited");
    CHECK_CSTR(last.end.why, "all rest");
}

TEST(without_a_result_the_last_line_is_the_reason)
{
    run("echo no; echo >&2; echo 'multiverse: \033[31mthe disk is full\033[0m' >&2; echo >&2; "
        "exit 1",
        ATTEMPT_EXITED);
    CHECK_CSTR(last.end.why, "multiverse: the disk is full");
    CHECK_CSTR(last.end.outcome, "");
    assert_false(last.end.nobody);
}

TEST(a_run_that_dies_by_a_signal_is_reported)
{
    run("kill -SEGV $$", ATTEMPT_SIGNALLED);
    assert_int_equal(last.end.signal, SIGSEGV);
    assert_int_equal(last.end.code, 128 + SIGSEGV);
    again();
    run("kill -KILL $$", ATTEMPT_SIGNALLED);
    assert_int_equal(last.end.signal, SIGKILL);
}

/* Not by us: a service or the machine is being stopped. */
TEST(a_run_that_was_interrupted_from_outside_is_lost)
{
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"killed\", \"stopped\": true") "exit 130",
        ATTEMPT_LOST);
}

TEST(a_ledger_that_cannot_be_used_is_no_start)
{
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"store\", \"why\": \"no server\"") "exit 1",
        ATTEMPT_NO_START);
    CHECK_CSTR(last.end.why, "no server");
}

TEST(no_result_file_causes_a_crash)
{
    static const char *const results[] = {
        "",
        "{",
        "null",
        "[[[[[[[[",
        "{\"version\": 1, \"state\": \"COMPLETE\", \"why\": 7, \"files\": \"x\"}",
        "{\"version\": 1, \"state\": \"FAILED\", \"until\": \"9999-99-99\", \"input_tokens\": -1}",
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        setenv("RESULT", results[i], 1);
        again();
        run("printf '%s' \"$RESULT\" > \"$2\"; exit 1", ATTEMPT_EXITED);
        assert_int_equal(last.end.code, 1);
    }
    static const char *const odd[] = {"mkdir \"$2\"; exit 1", "mkfifo \"$2\"; exit 1",
                                      "ln -s /dev/zero \"$2\"; exit 1",
                                      "head -c 2000000 /dev/zero > \"$2\"; exit 1"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        again();
        run(odd[i], ATTEMPT_EXITED);
    }
}

/* ---- what it is given */

TEST(a_run_gets_its_task_its_mark_and_its_store)
{
    options.store = "postgresql://me:secret@host/db";
    setenv("MULTIVERSE_HOME", "as it is", 1);
    setenv("MULTIVERSE_STORE", "another", 1);
    run("echo \"store $MULTIVERSE_STORE\"; echo \"home $MULTIVERSE_HOME\"; "
        "echo \"mark ${#MULTIVERSE_TASK}\"; stat -c '%a' \"$1\" \"${1%/*}\" \"${1%/*/*}\"; "
        "basename \"${1%/*}\"; tr '\\0' ' ' < /proc/$PPID/cmdline | grep -c secret; cat \"$1\"",
        ATTEMPT_EXITED);
    unsetenv("MULTIVERSE_HOME");
    struct str log = buf_str(&logged);
    CONTAINS(log, "store postgresql://me:secret@host/db\n");
    CONTAINS(log, "home as it is\n");
    CONTAINS(log, "mark 32\n600\n700\n700\njump-1\n0\n");
    CONTAINS(log, "The player jumps.");
}

TEST(without_a_store_none_is_named)
{
    run("echo \"store ${MULTIVERSE_STORE-none}\"", ATTEMPT_EXITED);
    CONTAINS(buf_str(&logged), "store none\n");
}

TEST(the_folder_is_named_after_the_task)
{
    claim.name = STR("../a b/\xc3\xbc");
    claim.number = 12;
    run("basename \"${1%/*}\"; ls \"${1%/*/*}\"; exit 1", ATTEMPT_EXITED);
    CHECK_CSTR(buf_str(&logged), "_._a_b___-12\n_._a_b___-12\n");
}

/* ---- faults of the start */

TEST(a_task_that_is_wrong_is_exit_2)
{
    claim.spec = STR("version: 1\ntask: {}\n");
    run("echo never", ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 2);
    CHECK_CSTR(last.end.outcome, "request");
    CONTAINS(last.end.why, "prd is missing");
    assert_int_equal(logged.n, 0);
    assert_false(file_exists(attempts()));
}

TEST(a_folder_that_cannot_be_made_is_no_start)
{
    put("home/.multiverse", "a file");
    run("echo never", ATTEMPT_NO_START);
    CONTAINS(last.end.why, "home/.multiverse");
    assert_int_equal(logged.n, 0);
}

/* As on a full disk: the folder can be created, the file cannot be written. */
TEST(a_file_that_cannot_be_written_is_no_start)
{
    struct rlimit old, none;
    getrlimit(RLIMIT_FSIZE, &old);
    none = old;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    begin("echo never");
    loop_run(loop);
    setrlimit(RLIMIT_FSIZE, &old);
    finish(ATTEMPT_NO_START);
    CONTAINS(last.end.why, "task.yaml");
    assert_int_equal(count_files(attempts()), 0);
}

TEST(a_program_that_is_not_there_is_no_start)
{
    options.self = "/no/where/multiverse";
    run("echo never", ATTEMPT_NO_START);
    CONTAINS(last.end.why, "cannot run /no/where/multiverse");
    assert_int_equal(count_files(attempts()), 0);
}

/* ---- stop */

#define TIDY "trap 'echo tidy; exit 130' TERM; echo ready; while :; do sleep 0.05; done"
#define DEAF "trap '' TERM INT HUP; (setsid sleep 1000 &); echo ready; while :; do sleep 0.05; done"

static void cancel(void)
{
    executor_stop(executor, ATTEMPT_CANCELLED);
}

static void stop(void)
{
    executor_stop(executor, ATTEMPT_STOPPED);
}

static void stop_then_cancel(void)
{
    executor_stop(executor, ATTEMPT_STOPPED);
    executor_stop(executor, ATTEMPT_CANCELLED);
}

static void lose(void)
{
    executor_stop(executor, ATTEMPT_LOST);
}

TEST(a_stop_sets_the_kind_of_the_end)
{
    when_it_says("ready", cancel);
    run(TIDY, ATTEMPT_CANCELLED);
    CONTAINS(buf_str(&logged), "tidy");
    assert_int_equal(last.end.code, 130);
    again();
    when_it_says("ready", stop);
    run(TIDY, ATTEMPT_STOPPED);
    CONTAINS(buf_str(&logged), "tidy");
}

TEST(a_second_stop_kills)
{
    when_it_says("ready", stop_then_cancel);
    int64_t from = supervisor_clock();
    run(DEAF, ATTEMPT_STOPPED);
    assert_true(supervisor_clock() - from < SUPERVISOR_STOP_MS);
}

TEST(a_lost_attempt_is_killed_at_once)
{
    when_it_says("ready", lose);
    int64_t from = supervisor_clock();
    run(DEAF, ATTEMPT_LOST);
    assert_true(supervisor_clock() - from < SUPERVISOR_STOP_MS);
}

/* It had already finished when the stop arrived. */
TEST(success_before_the_stop_is_success)
{
    when_it_says("ready", cancel);
    run("trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done", ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 0);
    assert_int_equal(count_files(attempts()), 0);
}

TEST(an_attempt_stopped_before_its_start_never_starts)
{
    begin("echo never");
    cancel();
    finish(ATTEMPT_CANCELLED);
    assert_int_equal(logged.n, 0);
    assert_false(file_exists(attempts()));
}

static struct timer soon;

static void cancel_soon(void *ctx)
{
    (void)ctx;
    if (executor)
        cancel();
}

/* While the folder is created, the supervisor starts, the first output arrives ... */
TEST(a_stop_works_at_any_time)
{
    for (unsigned ms = 0; ms < 20; ms++) {
        again();
        timer_start(&soon, loop, ms, cancel_soon, NULL);
        run("while :; do sleep 0.05; done", ATTEMPT_CANCELLED);
        timer_stop(&soon);
    }
}

/* ---- the lease */

TEST(an_expired_lease_kills)
{
    options.deadline = supervisor_clock() + 700;
    run(DEAF, ATTEMPT_LOST);
    assert_int_equal(last.end.code, SUPERVISOR_LEASE_OVER);
}

TEST(nothing_starts_with_an_expired_lease)
{
    options.deadline = supervisor_clock() - 1;
    run("echo never", ATTEMPT_LOST);
    assert_int_equal(logged.n, 0);
}

static void shorten(void)
{
    executor_hold(executor, supervisor_clock() + 50);
}

static void prolong(void)
{
    executor_hold(executor, supervisor_clock() + LONG_MS);
}

TEST(the_lease_can_be_changed)
{
    when_it_says("ready", shorten);
    run(DEAF, ATTEMPT_LOST);
    again();
    options.deadline = supervisor_clock() + 5000;
    when_it_says("ready", prolong);
    run("echo ready; sleep 5.3; exit 3", ATTEMPT_EXITED);
    assert_int_equal(last.end.code, 3);
}

/* ---- folders */

TEST(the_last_failed_folders_are_kept)
{
    for (unsigned i = 0; i < EXECUTOR_KEEP + 10; i++)
        put(in_folder(arena_printf(&fixture, "home/.multiverse/attempts/old-%u/x", i).p), "");
    run("exit 1", ATTEMPT_EXITED);
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/jump-1/task.yaml")));
    again();
    run("exit 1", ATTEMPT_EXITED); /* the same name again, as of another store */
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/jump-1-2/task.yaml")));
}

/* Of another orchestrator with the same home. */
TEST(a_folder_in_use_is_left_alone)
{
    put(in_folder("home/.multiverse/attempts/used-1/x"), "");
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    int fd = open(in_folder("home/.multiverse/attempts/used-1"), O_RDONLY | O_DIRECTORY);
    assert_int_equal(futimens(fd, old), 0);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    for (unsigned i = 0; i < EXECUTOR_KEEP + 10; i++)
        put(in_folder(arena_printf(&fixture, "home/.multiverse/attempts/old-%u/x", i).p), "");
    run("exit 1", ATTEMPT_EXITED);
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP + 1);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/used-1/x")));
    close(fd);
}

/* ---- many */

static int many_ends;

static void on_one_of_many(struct executor *e, const struct executor_end *end, void *ctx)
{
    (void)e, (void)ctx;
    assert_int_equal(end->end.kind, ATTEMPT_EXITED);
    assert_int_equal(end->end.code, 0);
    if (++many_ends == 30)
        timer_stop(&limit);
}

TEST(many_concurrent_attempts_end_once_each)
{
    setenv("SCRIPT", "echo hello", 1);
    options.on_end = on_one_of_many;
    options.on_log = NULL;
    many_ends = 0;
    for (int i = 0; i < 30; i++)
        executor_start(loop, &options); /* all of the same name */
    loop_run(loop);
    assert_int_equal(many_ends, 30);
    assert_int_equal(count_files(attempts()), 0);
    check_alone();
}

int main(int argc, char **argv)
{
    return executor_main(argc, argv);
}
