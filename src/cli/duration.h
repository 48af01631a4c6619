/* Durations as people read them: the two largest units that are not zero. */
#pragma once

#include "base/buf.h"

void duration_put(struct buf *out, int64_t ms); /* "4 min 10 s", "80 ms" */
/* "in 4 min 10 s", "2 h ago"; seconds are rounded up. */
void duration_put_relative(struct buf *out, int64_t from, int64_t to);
