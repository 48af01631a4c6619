#include "editor/test_results.h"

#include <math.h>

#include "base/jsonw.h"
#include "editor/nunit.h"

/* To the microsecond: sums and products of binary fractions have longer ends. */
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
    if (r->name_count == TEST_RESULTS_SKIPPED_MAX)
        return;
    if (r->name_count++)
        buf_add_char(&r->names, ',');
    jsonw_str(&w, name);
}

bool test_results_add(struct test_results *r, const char *path, struct error *err)
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

void test_results_put(const struct test_results *r, struct buf *out)
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

void test_results_done(struct test_results *r)
{
    buf_done(&r->failures);
    buf_done(&r->names);
    *r = (struct test_results){0};
}
