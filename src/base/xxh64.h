/* XXH64, which Unity uses for the ids of objects in imported models:
 *
 *     int64_t id = (int64_t)xxh64(STR("Type:GameObject->//RootNode/root0")); // 919132149155446097
 *
 * Specification: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md; the seed is 0.
 */
#pragma once

#include "base/str.h"

uint64_t xxh64(struct str bytes);
