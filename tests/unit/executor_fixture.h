/* Attempts as real processes. The test program is also the supervisor and the run: `PROGRAM run
 * TASK --result RESULT ...` executes the script in $SCRIPT with $1 TASK and $2 RESULT. */
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "agent_fixture.h"
#include "base/utf8.h"
#include "orchestrator/executor.h"
#include "process/mark.h"
#include "process/supervisor.h"

#define LONG_MS 3600000

static struct loop *loop;
static struct timer limit;
static struct executor *executor;
static struct executor_options options;
static struct transaction_claim claim;
static struct buf logged;
static size_t pieces, largest;
static int ends;
static struct executor_end last;
static void (*on_notify)(void); /* when `word` was logged */
static const char *word;

/* ---- what comes */

static inline void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("it hangs");
}

static inline void on_log(struct executor *e, struct str text, void *ctx)
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
        on_notify();
    }
}

static inline struct str keep_str(struct str s)
{
    return arena_str(&fixture, s);
}

static inline void on_end(struct executor *e, const struct executor_end *end, void *ctx)
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

static inline int setup(void **state)
{
    int code = setup_agent(state);
    ends = 0;
    pieces = largest = 0;
    word = NULL;
    loop = loop_new();
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
    unsetenv("SCRIPT");
    unsetenv("MULTIVERSE_STORE");
    claim = (struct transaction_claim){
        .task = 7,
        .number = 1,
        .name = STR("jump"),
        .spec = arena_printf(&fixture,
                             "version: 1\ntask: {id: jump, repo: %s, prd: 'The player jumps.'}\n",
                             in_folder("repo"))};
    options = (struct executor_options){.claim = &claim,
                                        .home = in_folder("home/.multiverse"),
                                        .self = "/proc/self/exe",
                                        .deadline = supervisor_clock() + LONG_MS,
                                        .on_log = on_log,
                                        .on_end = on_end,
                                        .ctx = &options};
    char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    options.self = arena_cstr(&fixture, str_make(self, (size_t)n));
    return code;
}

static inline int teardown(void **state)
{
    timer_stop(&limit);
    if (executor) { /* the test has failed */
        options.on_log = NULL;
        executor_stop(executor, ATTEMPT_LOST);
        loop_run(loop);
    }
    loop_free(loop);
    buf_done(&logged);
    tooling_unref(options.tooling);
    return teardown_agent(state);
}

static inline void begin(const char *script)
{
    setenv("SCRIPT", script, 1);
    executor = executor_start(loop, &options);
    assert_int_equal(pieces + (size_t)ends, 0); /* no callback before it returns */
}

/* No process that was started with this home is left. */
static inline void check_alone(void)
{
    struct buf command = {0};
    buf_printf(&command, "grep -lsa 'HOME=%s' /proc/[0-9]*/environ | grep -v /%d/ | wc -l",
               in_folder("home"), (int)getpid());
    unsetenv("HOME"); /* otherwise the searching processes would have it, too */
    FILE *f = popen(command.p, "r");
    int n = -1;
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    setenv("HOME", in_folder("home"), 1);
    buf_done(&command);
    assert_int_equal(n, 0);
}

static inline void finish(enum attempt_end_kind want)
{
    loop_run(loop);
    assert_int_equal(ends, 1);
    if (last.end.kind != want)
        fail_msg("kind %d, not %d: code %lld signal %d, %.*s", last.end.kind, want,
                 (long long)last.end.code, last.end.signal, STR_ARG(last.end.why));
    check_alone();
}

static inline void run(const char *script, enum attempt_end_kind want)
{
    begin(script);
    finish(want);
}

/* Prepare another attempt in the same test. */
static inline void again(void)
{
    ends = 0;
    pieces = largest = 0;
    buf_clear(&logged);
    timer_start(&limit, loop, test_left_ms(), on_too_long, NULL);
}

static inline void when_it_says(const char *text, void (*then)(void))
{
    word = text;
    on_notify = then;
}

/* A result with the version and these members. */
#define RESULT(members) "printf '%s' '{\"version\": 1, " members "}' > \"$2\"; "

#define CONTAINS(text, part) assert_true(str_find(text, STR(part)) < (text).n)

static inline const char *attempts(void)
{
    return in_folder("home/.multiverse/attempts");
}

/* The program: one of its two children, or the tests. */
static inline int executor_main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], SUPERVISOR_COMMAND) == 0)
        return supervisor_main(argv + 2);
    if (argc == 7 && strcmp(argv[1], "run") == 0) {
        execlp("sh", "sh", "-c", getenv("SCRIPT"), "run", argv[2], argv[4], (char *)NULL);
        return 99;
    }
    return test_run(NULL, NULL);
}
