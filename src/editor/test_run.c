#include "editor/test_run.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/utf8.h"
#include "unity/nunit.h"

enum {
    GRACE_MS = 2000,      /* from the friendly signal to the other one */
    PROGRESS_MS = 200,    /* between two reports */
    LINE_MAX_BYTES = 400, /* of a line that is shown */
    TAIL_BYTES = 4000,    /* of the output, for a run that wrote no results */
};

struct test_run {
    struct loop *loop;
    struct test_run_options options;
    struct arena arena; /* of the plan's texts */
    struct proc *proc;
    bool play; /* play mode tests are at it */
    char folder[64];
    struct buf results; /* path of the file */
    struct nunit_result sum;
    struct test_progress progress;
    struct buf line, current, tail;
    struct timer report, deadline, late;
    bool news;
    enum test_end end; /* TEST_SUCCEEDED until something else is known */
    struct editor_error err;
};

enum test_mode test_mode_from_name(struct str name)
{
    return str_eq(name, STR("all")) ? TEST_ALL : str_eq(name, STR("play")) ? TEST_PLAY : TEST_EDIT;
}

static const char *platform(const struct test_run *t)
{
    return t->play ? "PlayMode" : "EditMode";
}

/* ---- the end */

static void remove_files(struct test_run *t)
{
    if (t->results.n)
        unlink(t->results.p);
    if (t->folder[0])
        rmdir(t->folder);
}

static void run_free(struct test_run *t)
{
    remove_files(t);
    timer_stop(&t->report);
    timer_stop(&t->deadline);
    timer_stop(&t->late);
    nunit_done(&t->sum);
    buf_done(&t->results);
    buf_done(&t->line);
    buf_done(&t->current);
    buf_done(&t->tail);
    editor_error_done(&t->err);
    arena_done(&t->arena);
    free(t);
}

static void put_failures(struct jsonw *w, const struct nunit_result *r)
{
    jsonw_key(w, "failed_tests");
    jsonw_array(w);
    for (size_t i = 0; i < r->failure_count; i++) {
        const struct nunit_failure *f = &r->failures[i];
        jsonw_object(w);
        jsonw_kstr(w, "name", f->name);
        jsonw_kstr(w, "message", f->message);
        jsonw_kstr(w, "stack_trace", f->stack_trace);
        jsonw_key(w, "duration_ms");
        jsonw_double(w, f->duration_ms);
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_key(w, "skipped_tests");
    jsonw_array(w);
    for (size_t i = 0; i < r->skipped_name_count; i++)
        jsonw_str(w, r->skipped_names[i]);
    jsonw_end(w);
}

static void put_result(struct buf *out, const struct nunit_result *r)
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
    jsonw_key(&w, "duration_ms");
    jsonw_double(&w, r->duration_ms);
    jsonw_end(&w);
    put_failures(&w, r);
    jsonw_kbool(&w, "truncated", r->truncated);
    jsonw_end(&w);
}
