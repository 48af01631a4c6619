#include "editor/test_run.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "editor/nunit.h"
#include "process/process.h"

#define SKIPPED_MAX 50u /* names */

enum {
    GRACE_MS = 700,        /* from SIGTERM to SIGKILL */
    PROGRESS_MS = 200,     /* between two reports */
    LINE_MAX_BYTES = 400,  /* parsed part of a line */
    TAIL_MAX_BYTES = 2000, /* end of the output, for a run without results */
};

/* The results of all platforms, added up: the result of run_tests
 * (docs/spec/15-editor-tools.md). */
struct test_results {
    uint64_t total, passed, failed, skipped, inconclusive;
    double duration_ms;
    bool truncated;             /* some failures or parts of texts were dropped */
    struct buf failures, names; /* members of arrays, as JSON */
    size_t name_count;
};

struct test_run {
    struct loop *loop;
    struct test_run_options options;
    struct arena arena; /* for the texts of the plan */
    struct process *proc;
    bool play; /* the play mode tests are running */
    char folder[256];
    struct buf file; /* of the results */
    struct test_results sum;
    struct test_progress progress;
    struct buf line, current, tail;
    struct timer report, deadline;
    bool has_update;
    enum test_end end; /* TEST_SUCCEEDED until something fails */
    bool killed;
    struct editor_error err;
};

enum test_mode test_run_mode(struct str name)
{
    return str_eq(name, STR("all")) ? TEST_ALL : str_eq(name, STR("play")) ? TEST_PLAY : TEST_EDIT;
}

static const char *platform_name(const struct test_run *t)
{
    return t->play ? "PlayMode" : "EditMode";
}

/* ---- results */

/* Round to microseconds: sums of binary fractions have long tails. */
static void put_duration(struct jsonw *w, double ms)
{
    jsonw_key(w, "duration_ms");
    jsonw_double(w, round(ms * 1000) / 1000);
}

static void add_failure(struct test_results *r, const struct nunit_failure *f)
{
    struct jsonw w = jsonw_make(&r->failures);
    if (r->failures.n)
        buf_add_char(&r->failures, ',');
    jsonw_object(&w);
    jsonw_kstr(&w, "name", f->name);
    jsonw_kstr(&w, "message", f->message);
    jsonw_kstr(&w, "stack_trace", f->stack_trace);
    put_duration(&w, f->duration_ms);
    jsonw_end(&w);
}

static void add_name(struct test_results *r, struct str name)
{
    struct jsonw w = jsonw_make(&r->names);
    if (r->name_count == SKIPPED_MAX)
        return;
    if (r->name_count++)
        buf_add_char(&r->names, ',');
    jsonw_str(&w, name);
}

static bool add_results(struct test_results *r, const char *path, struct error *err)
{
    struct nunit_result n = {0};
    if (!nunit_read(path, &n, err))
        return false;
    r->total += n.total;
    r->passed += n.passed;
    r->failed += n.failed;
    r->skipped += n.skipped;
    r->inconclusive += n.inconclusive;
    r->duration_ms += n.duration_ms;
    r->truncated |= n.truncated;
    for (size_t i = 0; i < n.failure_count; i++)
        add_failure(r, &n.failures[i]);
    for (size_t i = 0; i < n.skipped_name_count; i++)
        add_name(r, n.skipped_names[i]);
    nunit_done(&n);
    return true;
}

static void put_results(const struct test_results *r, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_key(&w, "summary");
    jsonw_object(&w);
    jsonw_kint(&w, "total", (int64_t)r->total);
    jsonw_kint(&w, "passed", (int64_t)r->passed);
    jsonw_kint(&w, "failed", (int64_t)r->failed);
    jsonw_kint(&w, "skipped", (int64_t)r->skipped);
    jsonw_kint(&w, "inconclusive", (int64_t)r->inconclusive);
    put_duration(&w, r->duration_ms);
    jsonw_end(&w);
    jsonw_key(&w, "failed_tests");
    jsonw_array(&w);
    if (r->failures.n)
        jsonw_raw(&w, buf_str(&r->failures));
    jsonw_end(&w);
    jsonw_key(&w, "skipped_tests");
    jsonw_array(&w);
    if (r->names.n)
        jsonw_raw(&w, buf_str(&r->names));
    jsonw_end(&w);
    jsonw_kbool(&w, "truncated", r->truncated);
    jsonw_end(&w);
}

static void free_results(struct test_results *r)
{
    buf_done(&r->failures);
    buf_done(&r->names);
    *r = (struct test_results){0};
}

/* ---- lines of the output */

/* "[3/12] rest" */
static bool read_count(struct test_progress *p, struct str line)
{
    struct str part, done;
    uint64_t n, of;
    if (line.n == 0 || line.p[0] != '[')
        return false;
    line = str_skip(line, 1);
    if (!str_cut(&line, ']', &part) || !str_cut(&part, '/', &done) ||
        !str_to_u64(str_trim(done), &n) || !str_to_u64(str_trim(part), &of) || n > of)
        return false;
    p->done = n;
    p->total = of;
    p->current = str_trim(line);
    return true;
}

/* "Passed MyGame.Tests.Stops [12 ms]" */
static bool read_outcome(struct test_progress *p, struct str line)
{
    static const struct str outcomes[] = {STR_INIT("Passed "), STR_INIT("Failed "),
                                          STR_INIT("Skipped ")};
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        if (!str_starts(line, outcomes[i]))
            continue;
        struct str rest = str_trim(str_skip(line, outcomes[i].n)), name;
        str_cut(&rest, ' ', &name);
        /* "Passed 5 of 7" is a sum, not a test. */
        if (!name.n || (name.p[0] >= '0' && name.p[0] <= '9'))
            return false;
        p->done++;
        p->current = name;
        return true;
    }
    return false;
}

bool test_run_read_line(struct test_progress *p, struct str line)
{
    line = str_trim(line);
    if (!line.n)
        return false;
    if (!read_count(p, line) && !read_outcome(p, line))
        p->current = line;
    return true;
}

/* ---- the end */

static void free_run(struct test_run *t)
{
    timer_stop(&t->report);
    timer_stop(&t->deadline);
    if (t->file.n)
        unlink(t->file.p);
    if (t->folder[0])
        rmdir(t->folder);
    free_results(&t->sum);
    buf_done(&t->file);
    buf_done(&t->line);
    buf_done(&t->current);
    buf_done(&t->tail);
    editor_error_done(&t->err);
    arena_done(&t->arena);
    free(t);
}

static void finish_run(struct test_run *t)
{
    struct buf result = {0};
    if (t->end == TEST_SUCCEEDED && t->sum.total == 0) {
        t->end = TEST_FAILED;
        editor_error_set(&t->err, "ERR_NO_TESTS", "no test was found%s%.*s",
                         t->options.plan.filter.n ? " that matches " : "",
                         STR_ARG(t->options.plan.filter));
    }
    if (t->end == TEST_SUCCEEDED)
        put_results(&t->sum, &result);
    t->err.was_executed = true; /* the command has run */
    t->options.on_end(t->end, buf_str(&result), &t->err, t->options.ctx);
    buf_done(&result);
    free_run(t);
}

/* ---- output */

static void on_report(void *ctx)
{
    struct test_run *t = ctx;
    if (!t->has_update || !t->options.on_progress)
        return;
    t->has_update = false;
    t->options.on_progress(&t->progress, t->options.ctx);
    timer_start(&t->report, t->loop, PROGRESS_MS, on_report, t);
}

static void on_line(struct test_run *t, struct str line)
{
    if (!test_run_read_line(&t->progress, utf8_head(line, LINE_MAX_BYTES)))
        return;
    buf_clear(&t->current);
    utf8_add_lossy(&t->current, t->progress.current);
    t->progress.current = buf_str(&t->current);
    t->has_update = true;
    if (!timer_is_running(&t->report))
        on_report(t);
}

/* Keep the end of the output: it shows why there are no results. */
static void keep_tail(struct test_run *t, struct str bytes)
{
    buf_add(&t->tail, str_skip(bytes, bytes.n > TAIL_MAX_BYTES ? bytes.n - TAIL_MAX_BYTES : 0));
    if (t->tail.n > TAIL_MAX_BYTES)
        buf_drop(&t->tail, t->tail.n - TAIL_MAX_BYTES);
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct test_run *t = ctx;
    struct str rest = bytes, line;
    (void)p;
    (void)which;
    keep_tail(t, bytes);
    for (bool whole = true; rest.n && whole;) {
        whole = str_cut(&rest, '\n', &line);
        if (t->line.n < LINE_MAX_BYTES)
            buf_add(&t->line, str_head(line, LINE_MAX_BYTES));
        if (whole) {
            on_line(t, buf_str(&t->line));
            buf_clear(&t->line);
        }
    }
}

/* ---- one platform after the other */

static bool start_platform(struct test_run *t, struct editor_error *err);

static void put_output_tail(struct test_run *t)
{
    struct jsonw w = jsonw_make(&t->err.details);
    jsonw_object(&w);
    jsonw_kstr(&w, "output", buf_str(&t->tail));
    jsonw_end(&w);
}

static void fail_without_results(struct test_run *t, struct process_exit end, const char *reason)
{
    t->end = TEST_FAILED;
    if (end.signal)
        editor_error_set(&t->err, "ERR_TEST_RUN_FAILED",
                         "the %s tests were ended by signal %d without results: %s",
                         platform_name(t), end.signal, reason);
    else
        editor_error_set(&t->err, "ERR_TEST_RUN_FAILED",
                         "the %s tests ended with exit code %lld without results: %s",
                         platform_name(t), (long long)end.code, reason);
    put_output_tail(t);
}

static void on_end(struct process *p, struct process_exit end, void *ctx)
{
    struct test_run *t = ctx;
    struct error reason = {0};
    (void)p;
    t->proc = NULL;
    if (t->line.n)
        on_line(t, buf_str(&t->line));
    buf_clear(&t->line);
    if (t->end == TEST_SUCCEEDED && !add_results(&t->sum, t->file.p, &reason))
        fail_without_results(t, end, reason.text);
    unlink(t->file.p);
    if (t->end == TEST_SUCCEEDED && t->options.mode == TEST_ALL && !t->play) {
        t->play = true;
        t->progress.total = 0;
        if (start_platform(t, &t->err))
            return;
        t->end = TEST_FAILED;
    }
    finish_run(t);
}

static bool start_platform(struct test_run *t, struct editor_error *err)
{
    struct test_command c;
    struct error reason = {0};
    buf_clear(&t->file);
    buf_printf(&t->file, "%s/%s.xml", t->folder, platform_name(t));
    if (!test_command_make(&c, &t->options.plan, platform_name(t), t->file.p, err))
        return false;
    struct process_options o = {
        .argv = c.argv,
        .env = c.env,
        .cwd = t->options.plan.project,
        .on_output = on_output,
        .on_exit = on_end,
        .ctx = t,
    };
    t->proc = process_start(t->loop, &o, &reason);
    test_command_done(&c);
    if (!t->proc)
        return editor_error_set(err, "ERR_NO_TEST_RUNNER", "%s", reason.text);
    process_close_input(t->proc);
    return true;
}

/* ---- cancel and timeout */

static void end_process(struct test_run *t, enum test_end reason)
{
    if (t->end == TEST_SUCCEEDED)
        t->end = reason;
    if (t->proc)
        process_kill(t->proc, t->killed ? SIGKILL : SIGTERM, t->killed ? 0 : GRACE_MS);
    t->killed = true;
}

static void on_deadline(void *ctx)
{
    struct test_run *t = ctx;
    editor_error_set(&t->err, "ERR_TEST_TIMEOUT", "the tests did not end within %llu ms",
                     (unsigned long long)t->options.timeout_ms);
    end_process(t, TEST_TIMED_OUT);
}

void test_run_cancel(struct test_run *t)
{
    end_process(t, TEST_CANCELLED);
}

/* ---- the start */

static const char *const *copy_command(struct arena *a, const char *const *argv)
{
    size_t n = 0;
    if (!argv)
        return NULL;
    while (argv[n])
        n++;
    const char **copy = arena_zalloc(a, (n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_cstr(a, str_from(argv[i]));
    return copy;
}

static struct test_plan copy_plan(struct arena *a, const struct test_plan *p)
{
    return (struct test_plan){
        .project = arena_cstr(a, str_from(p->project)),
        .version = arena_str(a, p->version),
        .command = copy_command(a, p->command),
        .unity_path = p->unity_path ? arena_cstr(a, str_from(p->unity_path)) : NULL,
        .filter = arena_str(a, p->filter),
        .assemblies = arena_str(a, p->assemblies),
        .categories = arena_str(a, p->categories),
    };
}

static bool make_folder(struct test_run *t, struct editor_error *err)
{
    const char *temp = getenv("TMPDIR");
    int n = snprintf(t->folder, sizeof t->folder, "%s/multiverse-tests-XXXXXX",
                     temp && temp[0] == '/' ? temp : "/tmp");
    if (n > 0 && (size_t)n < sizeof t->folder && mkdtemp(t->folder))
        return true;
    t->folder[0] = 0;
    return editor_error_set(err, "ERR_IO", "cannot make a folder for the results in %s",
                            temp && temp[0] == '/' ? temp : "/tmp");
}

struct test_run *test_run_start(struct loop *loop, const struct test_run_options *options,
                                struct editor_error *err)
{
    struct test_run *t = mem_zalloc(sizeof *t);
    t->loop = loop;
    t->options = *options;
    t->options.plan = copy_plan(&t->arena, &options->plan);
    t->play = options->mode == TEST_PLAY;
    if (!make_folder(t, err) || !start_platform(t, err)) {
        free_run(t);
        return NULL;
    }
    if (options->timeout_ms)
        timer_start(&t->deadline, loop, options->timeout_ms, on_deadline, t);
    return t;
}
