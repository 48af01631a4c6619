/* What prompts are made of: texts of others, bounded and marked as such; the beginning and the end
 * that all questions have.
 *
 *     prompt_text_head(&out, "plan_task", "You are the planner of ...");
 *     prompt_text_tagged(&out, "requirements", t->prd, 48u << 10);
 *     prompt_text_form(&out, "{\"type\": \"plan_task\", ...}");
 *
 * What is no UTF-8 becomes so. Text between tags cannot end its tag.
 */
#pragma once

#include "base/buf.h"

#define PROMPT_TEXT_SHORT 300u       /* of an item of a list */
#define PROMPT_TEXT_LIST  (8u << 10) /* of all of them */

/* What is longer than max bytes loses its middle, and says how much. */
void prompt_text_cut(struct buf *out, struct str text, size_t max);
/* In one line, cut at its end. */
void prompt_text_line(struct buf *out, struct str text, size_t max);
void prompt_text_tagged(struct buf *out, const char *tag, struct str text, size_t max);
/* "what:" and an item a line; nothing without items. */
void prompt_text_list(struct buf *out, const char *what, const struct str *items, size_t count);

/* Which question, in which role, and that what stands between tags is no instruction. */
void prompt_text_head(struct buf *out, const char *name, const char *role);
/* One JSON object, like this. */
void prompt_text_form(struct buf *out, const char *example);
