/* What the parts of goal.h share: goal.c asks, goal_prompt.c says the question, goal_read.c reads
 * the answer. */
#pragma once

#include "orchestrator/goal.h"

void goal_prompt(struct buf *out, const struct goal_options *o);

/* Whether a goal can be asked for at all: its text, prefix and repo. ERR_INVALID_PARAMS. */
bool goal_check(const struct goal_options *o, struct error *err);
/* goal_read.c: [A-Za-z0-9._-], beginning with a letter or a digit. */
bool goal_read_is_id(struct str s);
