/* The asset index on disk: Library/Multiverse/assets.index.
 *
 * Loading fails unless the whole table is valid: a damaged file or another version counts as
 * missing. Storing replaces the file atomically, without a sync: the checksum detects what a crash
 * leaves behind. There is no cache if the path is outside of the project because Library is a link.
 */
#pragma once

#include "unity/assets_table.h"
#include "unity/project.h"

#define ASSETS_CACHE_PATH      "Library/Multiverse/assets.index"
#define ASSETS_CACHE_MAX_BYTES (1u << 30)

bool assets_cache_load(const struct project *p, struct assets_table *out);
bool assets_cache_store(const struct project *p, struct assets_table *t); /* updates the checksum */
