/* The table of a project's assets on disk: Library/Multiverse/assets.index.
 *
 * Reading gives a table that was checked in every respect, or none: whatever is damaged, cut off,
 * of another version or not a file is as good as not there. Writing replaces the file as a whole;
 * it is not synced, because what a crash leaves of it is noticed by its checksum. If the path leads
 * out of the project (Library is a link), there is no cache.
 */
#pragma once

#include "unity/assets_table.h"
#include "unity/project.h"

#define ASSETS_CACHE_PATH      "Library/Multiverse/assets.index"
#define ASSETS_CACHE_MAX_BYTES (1u << 30)

bool assets_cache_load(const struct project *p, struct assets_table *out);
bool assets_cache_store(const struct project *p, struct assets_table *t); /* sets its checksum */
