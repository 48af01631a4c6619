/* What the sources of goal.h share: goal.c asks, goal_prompt.c writes the question, goal_read.c
 * reads the answer. */
#pragma once

#include "orchestrator/goal.h"

void goal_prompt(struct buf *out, const struct goal_options *o);

/* Check text, prefix and repo of the options. ERR_INVALID_PARAMS. */
bool goal_check(const struct goal_options *o, struct error *err);
/* Whether s is [A-Za-z0-9._-] and begins with a letter or a digit. */
bool goal_read_is_id(struct str s);
