/* Check every text asset of a project.
 *
 *     struct check_report report;
 *     struct check_options options = {.project = &project, .assets = assets, .types = types};
 *     check_project(&options, &report);
 *     for (size_t i = 0; i < report.count; i++)
 *         printf("%.*s\n", STR_ARG(report.findings[i].message));
 *     check_report_done(&report);
 *
 * Checks the assets with an extension that Unity writes as YAML, and all .meta files. Each file is
 * read, split into documents and lines, and rebuilt in memory from those parts: the result must be
 * the same bytes. Nothing on disk is changed.
 *
 *   unreadable         not Unity's YAML (e.g. a Git LFS pointer), or a broken line. Binary assets
 *                      are no findings; they are only counted
 *   not_identical      reading and writing would change the file
 *   missing_scripts    components with a script of neither the project nor a known package
 *   broken_references  ids without an object in the file or in its prefab instances, and GUIDs
 *                      without an asset. One finding per id or GUID and file
 *   duplicate_guids    assets with the GUID of another asset
 *
 * A missing GUID is a finding only if all packages in Packages/manifest.json, except for the
 * editor's modules, are on disk; otherwise it counts as unresolved. Overrides of removed objects
 * are no findings, because Unity keeps them.
 */
#pragma once

#include "base/arena.h"
#include "unity/types.h"

enum check_kind {
    CHECK_UNREADABLE,
    CHECK_NOT_IDENTICAL,
    CHECK_MISSING_SCRIPT,
    CHECK_BROKEN_REFERENCE,
    CHECK_DUPLICATE_GUID,
    CHECK_KIND_COUNT
};

const char *check_kind_name(enum check_kind kind); /* "missing_script" */

struct check_finding {
    enum check_kind kind;
    struct str file; /* relative to the project, in Unity's form */
    unsigned line;   /* 0: the whole file */
    struct str message;
};

struct check_report {
    size_t files, documents, binary, unresolved;
    uint64_t bytes;
    size_t counts[CHECK_KIND_COUNT];
    struct check_finding *findings; /* sorted by kind, then file, then line */
    size_t count;
    /* private */
    struct arena arena;
};

struct check_options {
    const struct project *project;
    struct assets *assets;
    struct types *types; /* NULL: check only that the file of a script exists */
    struct str only;     /* check this asset without its .meta; empty: check all */
    size_t threads;      /* including this one; 0: one per processor, up to 8 */
    void (*progress)(size_t done, size_t total, void *ctx); /* in files; may be NULL */
    void *ctx;
};

void check_project(const struct check_options *o, struct check_report *out);
void check_report_done(struct check_report *r);
