/* What a worker changed in the repo: looked at before and after.
 *
 *     struct changes *before = changes_look(repo, &err);
 *     ...
 *     changes_since(before, repo, &out, &count); // " M Assets/A.cs | +3 -1", one line a file
 *     changes_free(before);
 *
 * In a git repository by git's own eyes (status and numstat against HEAD, hashes of files that were
 * dirty already), else by size and time of the files (bounded; .git, Library, Temp, node_modules
 * and what begins with .agent-runner left out). Blocking: some 10 ms for small repos; git is run with
 * a time limit. Says at most CHANGES_MAX_FILES files and how many more there are.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"

#define CHANGES_MAX_FILES 50u

struct changes;

struct changes *changes_look(const char *repo, struct error *err);
bool changes_since(const struct changes *before, const char *repo, struct buf *out, size_t *count,
                   struct error *err);
void changes_free(struct changes *c);
