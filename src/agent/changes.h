/* What a worker changed in the repo: a snapshot before it starts, compared with the files later.
 *
 *     struct changes_snapshot *before = changes_take(repo, &err);
 *     ...
 *     changes_list(before, repo, &out, &count, &err); // " M Assets/A.cs | +3 -1", one line a file
 *     changes_free(before);
 *
 * In a git repository, git is asked: status and numstat against the HEAD of the snapshot, so that
 * commits count, and contents of the files that were dirty already. Elsewhere, and where git is
 * missing, refuses or hangs, size and time of the files are compared (bounded; without .git,
 * Library, Temp and node_modules). Paths that begin with .agent-runner and temporary files of
 * file_replace() are never listed: other tasks may be writing in the same repo.
 *
 * A line from git has its two letters, the name (in quotes if it has odd characters), lines added
 * and removed; else A, M or D and the size. At most CHANGES_MAX_FILES files are listed, then the
 * number of the others.
 *
 * Blocks: about 10 ms for small repos; all runs of git in one call take at most CHANGES_GIT_MS.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"

#define CHANGES_MAX_FILES 50u
#define CHANGES_GIT_MS    10000u
#define CHANGES_MAX_SEEN  50000u

struct changes_snapshot;

struct changes_limits { /* 0: the default */
    uint64_t git_ms;    /* CHANGES_GIT_MS */
    size_t max_seen;    /* files in a snapshot, CHANGES_MAX_SEEN; more are ignored */
};

/* NULL and ERR_IO if there is no such folder. */
struct changes_snapshot *changes_take(const char *repo, struct error *err);
/* The limits also apply to later calls with this snapshot. */
struct changes_snapshot *changes_take_within(const char *repo, const struct changes_limits *limits,
                                             struct error *err);
/* Without git. */
struct changes_snapshot *changes_take_files(const char *repo, struct error *err);

/* Whether git's own settings of the repo (.git/config) are those of the snapshot, except for those
 * of branches, remotes and the like. Settings can make git run commands, and this process has no
 * sandbox around it as a worker has. True if git was not asked. */
bool changes_has_same_settings(const struct changes_snapshot *c);

/* Add the lines. ERR_IO: the folder is gone, git's settings changed, or git fails. */
bool changes_list(const struct changes_snapshot *before, const char *repo, struct buf *out,
                  size_t *count, struct error *err);

enum changes_how {
    CHANGES_ADDED,
    CHANGES_MODIFIED,
    CHANGES_DELETED,
    CHANGES_HOW_COUNT
};
typedef void changes_file_fn(struct str path, enum changes_how how, void *ctx);

/* Call fn for every changed file, in the order of their names. git_ms as in the limits; 0: that of
 * the snapshot. */
bool changes_each(const struct changes_snapshot *before, uint64_t git_ms, changes_file_fn *fn,
                  void *ctx, struct error *err);
const char *changes_how_name(enum changes_how how); /* "added", "modified", "deleted" */
void changes_free(struct changes_snapshot *c);      /* NULL is fine */
