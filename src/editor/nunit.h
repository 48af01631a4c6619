/* Results of a test run: NUnit 3 XML, as Unity's test runner and `dotnet test --logger nunit` write
 * it.
 *
 *     struct nunit_result r = {0};
 *     if (!nunit_read("/tmp/x/edit.xml", &r, &err)) ...   // "edit.xml:12:7: ..."
 *     use(r.total, r.failures, r.failure_count);
 *     nunit_done(&r);
 *
 * Read as a stream (expat) with limits: a file of at most 256 MiB, texts cut at 16 KiB between
 * characters, 1,000 failures and 50 names of skipped tests. Document types are refused: results
 * have none, and without them entities cannot expand. A tag or a comment of more than 1 MiB is
 * refused, too, because expat scans an unfinished one again with each part of the file.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#define NUNIT_MAX_BYTES    (256u << 20)
#define NUNIT_MAX_TEXT     (16u << 10)
#define NUNIT_MAX_TAG      (1u << 20)
#define NUNIT_MAX_FAILURES 1000u
#define NUNIT_MAX_SKIPPED  50u

struct nunit_failure {
    struct str name; /* full */
    struct str message;
    struct str stack_trace;
    double duration_ms;
};

struct nunit_result {
    uint64_t total, passed, failed, skipped, inconclusive; /* cases, as counted */
    double duration_ms;                                    /* of the run, else of its cases */
    struct nunit_failure *failures;
    size_t failure_count;
    struct str *skipped_names;
    size_t skipped_name_count;
    bool truncated; /* some failures or parts of texts were dropped */
    /* private */
    struct arena arena;
};

/* Errors: ERR_IO (cannot be read), ERR_SYNTAX (no such XML), ERR_LIMIT (too large). */
bool nunit_read(const char *path, struct nunit_result *out, struct error *err);
bool nunit_parse(struct str text, const char *name, struct nunit_result *out, struct error *err);
void nunit_done(struct nunit_result *r);
