/* A look at every text asset of a project, and what is wrong with it.
 *
 *     struct check_report report;
 *     check_project(&(struct check_options){.project = &p, .assets = a, .types = t}, &report);
 *     report.broken_references, report.findings[0].file ...
 *     check_report_done(&report);
 *
 * Files are those of the index of assets with an extension that Unity writes as YAML, and all .meta
 * files. Each is read, split, walked down to its lines and written out again from the spans that
 * were found, in memory: what comes out must be the same bytes. Nothing on disk is changed.
 *
 *   unreadable         no YAML of Unity's (a Git LFS pointer, say), or a line of it is broken.
 *                      Assets that are kept binary are no fault: they are counted apart
 *   not_identical      reading and writing would change the file
 *   missing_scripts    components whose script neither the project nor a known package has
 *   broken_references  ids for which the file has no object, stored or inside a prefab instance,
 *                      and GUIDs that no asset has. One finding for each id or GUID in a file
 *   duplicate_guids    assets with a GUID that another one has
 *
 * A GUID that is nowhere can only be judged if all packages of the project are on disk: those that
 * Packages/manifest.json names, but for the editor's own modules. If one is not, such GUIDs count
 * as unresolved and are no findings. Overrides of objects that are gone are none either: Unity
 * keeps them.
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
    struct str file; /* relative to the project, as Unity shows it */
    unsigned line;   /* 0: the whole file */
    struct str message;
};

struct check_report {
    size_t files, documents, binary, unresolved;
    uint64_t bytes;
    size_t counts[CHECK_KIND_COUNT];
    struct check_finding *findings; /* by kind, then file, then line */
    size_t count;
    /* private */
    struct arena arena;
};

struct check_options {
    const struct project *project;
    struct assets *assets;
    struct types *types; /* NULL: scripts are known by their file alone */
    struct str only;     /* this asset, and not its .meta; empty: all of them */
    size_t threads;      /* that read, this one included; 0: as many as there are processors, up
                            to 8 */
    void (*progress)(size_t done, size_t total, void *ctx); /* files; NULL: nobody looks */
    void *ctx;
};

void check_project(const struct check_options *o, struct check_report *out);
void check_report_done(struct check_report *r);
