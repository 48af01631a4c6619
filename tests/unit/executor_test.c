/* Attempts as real processes. This program is its own keeper, and plays the runs: `executor_test
 * run TASK --result RESULT` runs the script in $SCRIPT with $1 TASK and $2 RESULT. */
#include "orchestrator/executor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "agent/offspring.h"
#include "agent_fixture.h"
#include "base/utf8.h"
#include "orchestrator/keeper.h"
#include "orchestrator/strays.h"

#define TOO_LONG_MS 120000u
#define LONG_MS     3600000

static struct loop *loop;
static struct timer limit;
static struct executor *executor;
static struct executor_options options;
static struct turn_claim claim;
static struct buf logged;
static size_t pieces, largest;
static int ends;
static struct executor_end last;
static void (*on_word)(void); /* when `word` was logged */
static const char *word;

/* ---- what comes */

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("it hangs");
}

static void on_log(struct executor *e, struct str text, void *ctx)
{
    assert_ptr_equal(e, executor);
    assert_ptr_equal(ctx, &options);
    assert_int_equal(ends, 0);
    assert_true(text.n > 0 && utf8_is_valid(text) && !memchr(text.p, 0, text.n));
    buf_add(&logged, text);
    pieces++;
    largest = text.n > largest ? text.n : largest;
    if (word && str_find(buf_str(&logged), str_from(word)) < logged.n) {
        word = NULL;
        on_word();
    }
}

static struct str keep_str(struct str s)
{
    return arena_str(&fixture, s);
}

static void on_end(struct executor *e, const struct executor_end *end, void *ctx)
{
    assert_ptr_equal(e, executor);
    assert_ptr_equal(ctx, &options);
    ends++;
    last = *end;
    last.end.why = keep_str(end->end.why);
    last.end.outcome = keep_str(end->end.outcome);
    last.result.outcome = keep_str(end->result.outcome);
    last.result.files = keep_str(end->result.files);
    last.result.tool = keep_str(end->result.tool);
    executor = NULL;
    timer_stop(&limit);
}

/* ---- a test */

static int setup(void **state)
{
    int code = setup_agent(state);
    ends = 0;
    pieces = largest = 0;
    word = NULL;
    loop = loop_new();
    timer_start(&limit, loop, TOO_LONG_MS, on_too_long, NULL);
    unsetenv("SCRIPT");
    unsetenv("MULTIVERSE_STORE");
    claim = (struct turn_claim){
        .task = 7,
        .number = 1,
        .name = STR("jump"),
        .spec = arena_printf(&fixture,
                             "version: 1\ntask: {id: jump, repo: %s, prd: 'The player jumps.'}\n",
                             in_folder("repo"))};
    options = (struct executor_options){.claim = &claim,
                                        .home = in_folder("home/.multiverse"),
                                        .self = "/proc/self/exe",
                                        .deadline = keeper_clock() + LONG_MS,
                                        .on_log = on_log,
                                        .on_end = on_end,
                                        .ctx = &options};
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    options.self = arena_cstr(&fixture, str_make(self, (size_t)n));
    return code;
}

static int teardown(void **state)
{
    timer_stop(&limit);
    if (executor) { /* the test has failed */
        options.on_log = NULL;
        executor_stop(executor, VERDICT_LOST);
        loop_run(loop);
    }
    loop_free(loop);
    buf_done(&logged);
    tooling_unref(options.tooling);
    return teardown_agent(state);
}

static void begin(const char *script)
{
    setenv("SCRIPT", script, 1);
    executor = executor_start(loop, &options);
    assert_int_equal(pieces + (size_t)ends, 0); /* nothing calls back inside of it */
}

/* Nobody is left who was started with this home. */
static void check_alone(void)
{
    struct buf command = {0};
    buf_printf(&command, "grep -lsa 'HOME=%s' /proc/[0-9]*/environ | grep -v /%d/ | wc -l",
               in_folder("home"), (int)getpid());
    unsetenv("HOME"); /* those that look would have it themselves */
    FILE *f = popen(command.p, "r");
    int n = -1;
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    setenv("HOME", in_folder("home"), 1);
    buf_done(&command);
    assert_int_equal(n, 0);
}

static void finish(enum verdict_kind want)
{
    loop_run(loop);
    assert_int_equal(ends, 1);
    if (last.end.kind != want)
        fail_msg("kind %d, not %d: code %lld signal %d, %.*s", last.end.kind, want,
                 (long long)last.end.code, last.end.signal, STR_ARG(last.end.why));
    check_alone();
}

static void run(const char *script, enum verdict_kind want)
{
    begin(script);
    finish(want);
}

/* A test goes on with another attempt. */
static void again(void)
{
    ends = 0;
    pieces = largest = 0;
    buf_clear(&logged);
    timer_start(&limit, loop, TOO_LONG_MS, on_too_long, NULL);
}

static void when_it_says(const char *text, void (*then)(void))
{
    word = text;
    on_word = then;
}

/* A result, with these members beside the version. */
#define RESULT(members) "printf '%s' '{\"version\": 1, " members "}' > \"$2\"; "

#define CONTAINS(text, part) assert_true(str_find(text, STR(part)) < (text).n)

static const char *attempts(void)
{
    return in_folder("home/.multiverse/attempts");
}

/* ---- how it ends */

static void exit_0_is_success_and_leaves_nothing(void **state)
{
    (void)state;
    run(RESULT("\"state\": \"COMPLETE\", \"outcome\": \"ok\", \"tool\": \"mock\", "
               "\"input_tokens\": 12, \"cost_usd\": 0.5, \"files\": [{\"path\": \"a\", "
               "\"change\": \"added\"}]") "echo hello; echo world >&2",
        VERDICT_EXITED);
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

static void a_result_says_more_than_a_code(void **state)
{
    (void)state;
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"rate_limited\", \"nobody\": true, \"until\": "
               "\"2026-11-16T10:00:00Z\", \"why\": \"all rest\"") "exit 1",
        VERDICT_EXITED);
    assert_int_equal(last.end.code, 1);
    assert_true(last.end.nobody);
    assert_int_equal(last.end.until, 1794823200000);
    CHECK_CSTR(last.end.outcome, "rate_limited");
    CHECK_CSTR(last.end.why, "all rest");
}

static void without_a_result_its_last_words_say_why(void **state)
{
    (void)state;
    run("echo no; echo >&2; echo 'multiverse: \033[31mthe disk is full\033[0m' >&2; echo >&2; "
        "exit 1",
        VERDICT_EXITED);
    CHECK_CSTR(last.end.why, "multiverse: the disk is full");
    CHECK_CSTR(last.end.outcome, "");
    assert_false(last.end.nobody);
}

static void a_run_that_dies_by_a_signal_says_so(void **state)
{
    (void)state;
    run("kill -SEGV $$", VERDICT_SIGNALLED);
    assert_int_equal(last.end.signal, SIGSEGV);
    assert_int_equal(last.end.code, 128 + SIGSEGV);
    again();
    run("kill -KILL $$", VERDICT_SIGNALLED);
    assert_int_equal(last.end.signal, SIGKILL);
}

/* Nobody of us did it: a service is being stopped, the machine goes down. */
static void a_run_that_was_interrupted_from_outside_is_lost(void **state)
{
    (void)state;
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"killed\", \"stopped\": true") "exit 130",
        VERDICT_LOST);
}

static void a_ledger_that_cannot_be_used_is_no_start(void **state)
{
    (void)state;
    run(RESULT("\"state\": \"FAILED\", \"outcome\": \"store\", \"why\": \"no server\"") "exit 1",
        VERDICT_NO_START);
    CHECK_CSTR(last.end.why, "no server");
}

static void any_result_is_no_crash(void **state)
{
    (void)state;
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
        run("printf '%s' \"$RESULT\" > \"$2\"; exit 1", VERDICT_EXITED);
        assert_int_equal(last.end.code, 1);
    }
    static const char *const odd[] = {"mkdir \"$2\"; exit 1", "mkfifo \"$2\"; exit 1",
                                      "ln -s /dev/zero \"$2\"; exit 1",
                                      "head -c 2000000 /dev/zero > \"$2\"; exit 1"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        again();
        run(odd[i], VERDICT_EXITED);
    }
}

/* ---- what it is given */

static void it_is_run_with_its_task_its_mark_and_its_store(void **state)
{
    (void)state;
    options.store = "postgresql://me:secret@host/db";
    setenv("MULTIVERSE_HOME", "as it is", 1);
    setenv("MULTIVERSE_STORE", "another", 1);
    run("echo \"store $MULTIVERSE_STORE\"; echo \"home $MULTIVERSE_HOME\"; "
        "echo \"mark ${#MULTIVERSE_TASK}\"; stat -c '%a' \"$1\" \"${1%/*}\" \"${1%/*/*}\"; "
        "basename \"${1%/*}\"; tr '\\0' ' ' < /proc/$PPID/cmdline | grep -c secret; cat \"$1\"",
        VERDICT_EXITED);
    unsetenv("MULTIVERSE_HOME");
    struct str log = buf_str(&logged);
    CONTAINS(log, "store postgresql://me:secret@host/db\n");
    CONTAINS(log, "home as it is\n");
    CONTAINS(log, "mark 32\n600\n700\n700\njump-1\n0\n");
    CONTAINS(log, "The player jumps.");
}

static void without_a_store_none_is_named(void **state)
{
    (void)state;
    run("echo \"store ${MULTIVERSE_STORE-none}\"", VERDICT_EXITED);
    CONTAINS(buf_str(&logged), "store none\n");
}

static void names_of_tasks_make_names_of_folders(void **state)
{
    (void)state;
    claim.name = STR("../a b/\xc3\xbc");
    claim.number = 12;
    run("basename \"${1%/*}\"; ls \"${1%/*/*}\"; exit 1", VERDICT_EXITED);
    CHECK_CSTR(buf_str(&logged), "_._a_b___-12\n_._a_b___-12\n");
}

/* ---- faults of the start */

static void a_task_that_is_wrong_is_exit_2(void **state)
{
    (void)state;
    claim.spec = STR("version: 1\ntask: {}\n");
    run("echo never", VERDICT_EXITED);
    assert_int_equal(last.end.code, 2);
    CHECK_CSTR(last.end.outcome, "request");
    CONTAINS(last.end.why, "prd is missing");
    assert_int_equal(logged.n, 0);
    assert_false(file_exists(attempts()));
}

static void a_folder_that_cannot_be_made_is_no_start(void **state)
{
    (void)state;
    put("home/.multiverse", "a file");
    run("echo never", VERDICT_NO_START);
    CONTAINS(last.end.why, "home/.multiverse");
    assert_int_equal(logged.n, 0);
}

/* As on a full disk: the folder can be made, the file cannot be written. */
static void a_file_that_cannot_be_written_is_no_start(void **state)
{
    (void)state;
    struct rlimit old, none;
    getrlimit(RLIMIT_FSIZE, &old);
    none = old;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    begin("echo never");
    loop_run(loop);
    setrlimit(RLIMIT_FSIZE, &old);
    finish(VERDICT_NO_START);
    CONTAINS(last.end.why, "task.yaml");
    assert_int_equal(count_files(attempts()), 0);
}

static void a_program_that_is_not_there_is_no_start(void **state)
{
    (void)state;
    options.self = "/no/where/multiverse";
    run("echo never", VERDICT_NO_START);
    CONTAINS(last.end.why, "cannot run /no/where/multiverse");
    assert_int_equal(count_files(attempts()), 0);
}

/* ---- stop */

#define TIDY "trap 'echo tidy; exit 130' TERM; echo ready; while :; do sleep 0.05; done"
#define DEAF "trap '' TERM INT HUP; (setsid sleep 1000 &); echo ready; while :; do sleep 0.05; done"

static void cancel(void)
{
    executor_stop(executor, VERDICT_CANCELLED);
}

static void stop(void)
{
    executor_stop(executor, VERDICT_STOPPED);
}

static void stop_then_cancel(void)
{
    executor_stop(executor, VERDICT_STOPPED);
    executor_stop(executor, VERDICT_CANCELLED);
}

static void lose(void)
{
    executor_stop(executor, VERDICT_LOST);
}

static void a_stop_is_taken_as_it_was_meant(void **state)
{
    (void)state;
    when_it_says("ready", cancel);
    run(TIDY, VERDICT_CANCELLED);
    CONTAINS(buf_str(&logged), "tidy");
    assert_int_equal(last.end.code, 130);
    again();
    when_it_says("ready", stop);
    run(TIDY, VERDICT_STOPPED);
    CONTAINS(buf_str(&logged), "tidy");
}

static void who_asks_twice_does_not_wait(void **state)
{
    (void)state;
    when_it_says("ready", stop_then_cancel);
    int64_t from = keeper_clock();
    run(DEAF, VERDICT_STOPPED);
    assert_true(keeper_clock() - from < KEEPER_GRACE_MS);
}

static void what_is_lost_is_killed_at_once(void **state)
{
    (void)state;
    when_it_says("ready", lose);
    int64_t from = keeper_clock();
    run(DEAF, VERDICT_LOST);
    assert_true(keeper_clock() - from < KEEPER_GRACE_MS);
}

/* It was done when it heard that it should stop. */
static void what_was_done_before_the_stop_is_done(void **state)
{
    (void)state;
    when_it_says("ready", cancel);
    run("trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done", VERDICT_EXITED);
    assert_int_equal(last.end.code, 0);
    assert_int_equal(count_files(attempts()), 0);
}

static void what_is_stopped_before_it_starts_never_does(void **state)
{
    (void)state;
    begin("echo never");
    cancel();
    finish(VERDICT_CANCELLED);
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

/* While its folder is made, its keeper starts, its first words come ... */
static void a_stop_at_any_time_is_heard(void **state)
{
    (void)state;
    for (unsigned ms = 0; ms < 20; ms++) {
        again();
        timer_start(&soon, loop, ms, cancel_soon, NULL);
        run("while :; do sleep 0.05; done", VERDICT_CANCELLED);
        timer_stop(&soon);
    }
}

/* ---- the lease */

static void a_lease_that_is_over_kills(void **state)
{
    (void)state;
    options.deadline = keeper_clock() + 700;
    run(DEAF, VERDICT_LOST);
    assert_int_equal(last.end.code, KEEPER_LEASE_OVER);
}

static void a_lease_that_was_over_before_starts_nothing(void **state)
{
    (void)state;
    options.deadline = keeper_clock() - 1;
    run("echo never", VERDICT_LOST);
    assert_int_equal(logged.n, 0);
}

static void shorten(void)
{
    executor_hold(executor, keeper_clock() + 50);
}

static void prolong(void)
{
    executor_hold(executor, keeper_clock() + LONG_MS);
}

static void the_lease_can_be_changed(void **state)
{
    (void)state;
    when_it_says("ready", shorten);
    run(DEAF, VERDICT_LOST);
    again();
    options.deadline = keeper_clock() + 5000;
    when_it_says("ready", prolong);
    run("echo ready; sleep 5.3; exit 3", VERDICT_EXITED);
    assert_int_equal(last.end.code, 3);
}

/* ---- kills */

static int pid_in_log(const char *name)
{
    struct str log = buf_str(&logged);
    size_t at = str_find(log, str_from(name));
    assert_true(at < log.n);
    return atoi(log.p + at + strlen(name));
}

static void kill_keeper(void)
{
    kill(pid_in_log("keeper "), SIGKILL);
}

static void stop_keeper(void)
{
    kill(pid_in_log("keeper "), SIGSTOP);
    executor_hold(executor, keeper_clock() + 50);
}

static void stop_keeper_and_cancel(void)
{
    kill(pid_in_log("keeper "), SIGSTOP);
    executor_stop(executor, VERDICT_CANCELLED);
    executor_stop(executor, VERDICT_CANCELLED);
}

static void kill_run(void)
{
    kill(pid_in_log("run "), SIGKILL);
}

#define MORE                                                                                       \
    "trap '' TERM INT HUP; exec 9>\"$LOCK\"; flock -n 9 || exit 99; (setsid sleep 1000 &); "       \
    "setsid sh -c 'sleep 1000; sleep 1000' & echo keeper $PPID run $$ ready; while :; do sleep "   \
    "0.05; done"

static void check_lock(void)
{
    int fd = open("lock", O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    close(fd);
}

static void a_killed_keeper_leaves_nobody_behind(void **state)
{
    (void)state;
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", kill_keeper);
    run(MORE, VERDICT_LOST);
    check_lock();
}

static void a_killed_run_leaves_nobody_behind(void **state)
{
    (void)state;
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", kill_run);
    run(MORE, VERDICT_SIGNALLED);
    check_lock();
}

/* It cannot kill at the end of the lease any more: so it is killed itself. */
static void a_stopped_keeper_does_not_outlive_the_lease(void **state)
{
    (void)state;
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", stop_keeper);
    run(MORE, VERDICT_LOST);
    check_lock();
}

static void a_stopped_keeper_does_not_hold_up_a_cancel(void **state)
{
    (void)state;
    setenv("LOCK", in_folder("lock"), 1);
    when_it_says("ready", stop_keeper_and_cancel);
    run(MORE, VERDICT_CANCELLED);
    check_lock();
}

/* ---- what others left */

/* A process in a session of its own, with this mark; its lock is taken when this answers. */
static pid_t start_stray(char *mark)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char *env[] = {mark, "PATH=/usr/bin:/bin", NULL};
        setsid();
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", "-c", "exec 9>lock; flock 9; echo; exec sleep 1000", (char *)NULL,
               env);
        _exit(1);
    }
    assert_int_equal(read(ready[0], &(char){0}, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void check_killed(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static char found_mark[OFFSPRING_MARK];

static void take_mark(void)
{
    struct str log = buf_str(&logged);
    struct str mark = str_skip(log, str_find(log, STR("mark=")) + 5);
    snprintf(found_mark, sizeof found_mark, KEEPER_MARK "=%.32s", mark.p);
}

/* Orchestrator, keeper, run and warden were killed at once; the task is claimed again. */
static void nothing_of_an_attempt_before_goes_on(void **state)
{
    (void)state;
    when_it_says("ready", take_mark);
    run("echo mark=$MULTIVERSE_TASK ready", VERDICT_EXITED);
    pid_t stray = start_stray(found_mark);
    again();
    claim.number = 2;
    setenv("LOCK", in_folder("lock"), 1);
    run("exec 9>\"$LOCK\"; flock -n 9", VERDICT_EXITED);
    assert_int_equal(last.end.code, 0);
    check_killed(stray);
}

static void other_tasks_go_on(void **state)
{
    (void)state;
    char mark[OFFSPRING_MARK];
    when_it_says("ready", take_mark);
    run("echo mark=$MULTIVERSE_TASK ready", VERDICT_EXITED);
    memcpy(mark, found_mark, sizeof mark);
    mark[sizeof KEEPER_MARK] = mark[sizeof KEEPER_MARK] == '0' ? '1' : '0';
    pid_t other = start_stray(mark);
    again();
    claim.number = 2;
    run("exit 0", VERDICT_EXITED);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    kill(other, SIGKILL);
    check_killed(other);
}

static void who_has_no_keeper_is_a_stray(void **state)
{
    (void)state;
    char mark[OFFSPRING_MARK];
    offspring_mark(mark, KEEPER_MARK);
    pid_t stray = start_stray(mark);
    assert_true(strays_kill() >= 1);
    check_killed(stray);
    check_lock();
    timer_stop(&limit);
}

static void count_strays(void)
{
    assert_int_equal(strays_kill(), 0);
    put("go", "");
}

static void who_has_a_keeper_is_none(void **state)
{
    (void)state;
    setenv("GO", in_folder("go"), 1);
    when_it_says("ready", count_strays);
    run("(setsid sleep 1000 &) ; echo ready; while ! [ -e \"$GO\" ]; do sleep 0.02; done; exit 0",
        VERDICT_EXITED);
    assert_int_equal(last.end.code, 0);
}

/* ---- the log */

static void long_output_comes_in_pieces_at_line_ends(void **state)
{
    (void)state;
    run("i=0; while [ $i -lt 5000 ]; do echo \"this is line number $i\"; i=$((i + 1)); done",
        VERDICT_EXITED);
    struct buf want = {0};
    for (int i = 0; i < 5000; i++)
        buf_printf(&want, "this is line number %d\n", i);
    CHECK_STR(buf_str(&logged), buf_str(&want));
    assert_in_range(largest, 1, EXECUTOR_PIECE);
    buf_done(&want);
}

static size_t pieces_before;

static void note_pieces(void)
{
    pieces_before = pieces;
    put("go", "");
}

/* A word without a line's end is not held back for ever. */
static void what_has_come_is_told_soon(void **state)
{
    (void)state;
    setenv("GO", in_folder("go"), 1);
    when_it_says("a word", note_pieces);
    run("printf 'a word'; while ! [ -e \"$GO\" ]; do sleep 0.02; done; echo ' and more'",
        VERDICT_EXITED);
    CHECK_CSTR(buf_str(&logged), "a word and more\n");
    assert_int_equal(pieces_before, 1);
    assert_int_equal(pieces, 2);
}

static void a_line_without_an_end_is_cut(void **state)
{
    (void)state;
    run("head -c 100000 /dev/zero | tr '\\0' x", VERDICT_EXITED);
    assert_int_equal(logged.n, 100000);
    assert_in_range(largest, 1, EXECUTOR_PIECE);
}

static void too_much_output_is_counted(void **state)
{
    (void)state;
    run("yes 0123456789abcde | head -c 20000000; echo end >&2", VERDICT_EXITED);
    const char *note = "\n[3222788 bytes more were left out]\n";
    struct str log = buf_str(&logged);
    assert_true(str_ends(log, str_from(note)));
    assert_int_equal(log.n, EXECUTOR_MAX_LOG + strlen(note));
    assert_in_range(largest, 1, EXECUTOR_PIECE);
}

static void any_output_is_text(void **state)
{
    (void)state;
    run("head -c 300000 /dev/urandom; head -c 300000 /dev/urandom >&2", VERDICT_EXITED);
    assert_true(logged.n > 100000);
}

/* ---- folders */

static void the_last_that_failed_are_kept(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EXECUTOR_KEEP + 10; i++)
        put(in_folder(arena_printf(&fixture, "home/.multiverse/attempts/old-%u/x", i).p), "");
    run("exit 1", VERDICT_EXITED);
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/jump-1/task.yaml")));
    again();
    run("exit 1", VERDICT_EXITED); /* the same again: of another store, perhaps */
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/jump-1-2/task.yaml")));
}

/* Of another orchestrator with the same home. */
static void a_folder_in_use_is_left_alone(void **state)
{
    (void)state;
    put(in_folder("home/.multiverse/attempts/used-1/x"), "");
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    int fd = open(in_folder("home/.multiverse/attempts/used-1"), O_RDONLY | O_DIRECTORY);
    assert_int_equal(futimens(fd, old), 0);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    for (unsigned i = 0; i < EXECUTOR_KEEP + 10; i++)
        put(in_folder(arena_printf(&fixture, "home/.multiverse/attempts/old-%u/x", i).p), "");
    run("exit 1", VERDICT_EXITED);
    assert_int_equal(count_files(attempts()), EXECUTOR_KEEP + 1);
    assert_true(file_exists(in_folder("home/.multiverse/attempts/used-1/x")));
    close(fd);
}

/* ---- many */

static int many_ends;

static void on_one_of_many(struct executor *e, const struct executor_end *end, void *ctx)
{
    (void)e, (void)ctx;
    assert_int_equal(end->end.kind, VERDICT_EXITED);
    assert_int_equal(end->end.code, 0);
    if (++many_ends == 30)
        timer_stop(&limit);
}

static void many_at_once_end_once_each(void **state)
{
    (void)state;
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(exit_0_is_success_and_leaves_nothing),
        TEST(a_result_says_more_than_a_code),
        TEST(without_a_result_its_last_words_say_why),
        TEST(a_run_that_dies_by_a_signal_says_so),
        TEST(a_run_that_was_interrupted_from_outside_is_lost),
        TEST(a_ledger_that_cannot_be_used_is_no_start),
        TEST(any_result_is_no_crash),
        TEST(it_is_run_with_its_task_its_mark_and_its_store),
        TEST(without_a_store_none_is_named),
        TEST(names_of_tasks_make_names_of_folders),
        TEST(a_task_that_is_wrong_is_exit_2),
        TEST(a_folder_that_cannot_be_made_is_no_start),
        TEST(a_file_that_cannot_be_written_is_no_start),
        TEST(a_program_that_is_not_there_is_no_start),
        TEST(a_stop_is_taken_as_it_was_meant),
        TEST(who_asks_twice_does_not_wait),
        TEST(what_is_lost_is_killed_at_once),
        TEST(what_was_done_before_the_stop_is_done),
        TEST(what_is_stopped_before_it_starts_never_does),
        TEST(a_stop_at_any_time_is_heard),
        TEST(a_lease_that_is_over_kills),
        TEST(a_lease_that_was_over_before_starts_nothing),
        TEST(the_lease_can_be_changed),
        TEST(a_killed_keeper_leaves_nobody_behind),
        TEST(a_killed_run_leaves_nobody_behind),
        TEST(a_stopped_keeper_does_not_outlive_the_lease),
        TEST(a_stopped_keeper_does_not_hold_up_a_cancel),
        TEST(nothing_of_an_attempt_before_goes_on),
        TEST(other_tasks_go_on),
        TEST(who_has_no_keeper_is_a_stray),
        TEST(who_has_a_keeper_is_none),
        TEST(long_output_comes_in_pieces_at_line_ends),
        TEST(what_has_come_is_told_soon),
        TEST(a_line_without_an_end_is_cut),
        TEST(too_much_output_is_counted),
        TEST(any_output_is_text),
        TEST(the_last_that_failed_are_kept),
        TEST(a_folder_in_use_is_left_alone),
        TEST(many_at_once_end_once_each),
    };
    if (argc > 3 && strcmp(argv[1], "task-keeper") == 0)
        return keeper_main(argv + 3);
    if (argc == 7 && strcmp(argv[1], "run") == 0) {
        execlp("sh", "sh", "-c", getenv("SCRIPT"), "run", argv[2], argv[4], (char *)NULL);
        return 99;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
