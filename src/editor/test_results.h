/* What runs of tests found, added up: the result of run_tests (docs/spec/15-editor-tools.md).
 *
 *     struct test_results r = {0};
 *     if (!test_results_add(&r, "/tmp/x/edit.xml", &err)) ...    // NUnit 3
 *     test_results_put(&r, &out);               // {"summary":{...},"failed_tests":[...],...}
 *     test_results_done(&r);
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"

#define TEST_RESULTS_SKIPPED_MAX 50u

struct test_results {
    uint64_t total, passed, failed, skipped, inconclusive;
    double duration_ms;
    bool truncated; /* there were more failures, or longer texts, than are kept */
    /* private */
    struct buf failures, names; /* members of arrays, as JSON */
    size_t name_count;
};

bool test_results_add(struct test_results *r, const char *path, struct error *err);
void test_results_put(const struct test_results *r, struct buf *out);
void test_results_done(struct test_results *r);
