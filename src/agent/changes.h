/* What a worker changed in the repo: looked at before and after.
 *
 *     struct changes *before = changes_look(repo, &err);
 *     ...
 *     changes_since(before, repo, &out, &count, &err); // " M Assets/A.cs | +3 -1", one line a file
 *     changes_free(before);
 *
 * In a git repository by git's own eyes (status and numstat against the HEAD of before, so that
 * commits count, and contents of files that were dirty already), else by size and time of the files
 * (bounded; .git, Library, Temp, node_modules left out). What begins with .agent-runner is never
 * told, nor is a temporary file of file_replace(): other tasks may be writing in the same repo.
 * Where git is missing, refuses or hangs, the files are looked at. Lines of git's: its two letters,
 * the name (in quotes if it has odd characters), lines added and removed; else A, M or D and the
 * size. Lists at most CHANGES_MAX_FILES files, then the number of the others.
 *
 * Blocking: some 10 ms for small repos; all runs of git in one call take at most CHANGES_GIT_MS.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"

#define CHANGES_MAX_FILES 50u
#define CHANGES_GIT_MS    10000u
#define CHANGES_MAX_SEEN  50000u

struct changes;

struct changes_limits { /* 0: the default */
    uint64_t git_ms;    /* CHANGES_GIT_MS */
    size_t max_seen;    /* files that are looked at, CHANGES_MAX_SEEN; what is beyond is not seen */
};

/* NULL and ERR_IO if there is no such folder. */
struct changes *changes_look(const char *repo, struct error *err);
/* The limits hold for changes_since(), too. */
struct changes *changes_look_within(const char *repo, const struct changes_limits *limits,
                                    struct error *err);
/* By the files alone: git is not asked. */
struct changes *changes_look_at_files(const char *repo, struct error *err);

/* Whether git's own settings of the repo (.git/config) are as they were at that look, but for those
 * of branches, remotes and the like: others can have git run commands, and we are not behind the
 * wall that a worker is behind. True where git was not asked. */
bool changes_settings_hold(const struct changes *c);

/* Adds the lines. ERR_IO: the folder is gone, git's settings changed, or it answers no more. */
bool changes_since(const struct changes *before, const char *repo, struct buf *out, size_t *count,
                   struct error *err);

enum changes_how {
    CHANGES_ADDED,
    CHANGES_MODIFIED,
    CHANGES_DELETED,
    CHANGES_HOW_COUNT
};
typedef void changes_file_fn(struct str path, enum changes_how how, void *ctx);

/* The same for programs: every file, in the order of their names. git_ms as in the limits; 0: as at
 * that look. */
bool changes_each(const struct changes *before, uint64_t git_ms, changes_file_fn *each, void *ctx,
                  struct error *err);
const char *changes_how_name(enum changes_how how); /* "added", "modified", "deleted" */
void changes_free(struct changes *c);               /* NULL is fine */
