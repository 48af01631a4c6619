/* Parts of prompts: texts of others, bounded and marked as such, and the beginning and end that all
 * questions share.
 *
 *     prompt_text_head(&out, "plan_task", "You are the planner of ...");
 *     prompt_text_tagged(&out, "requirements", t->prd, 48u << 10);
 *     prompt_text_form(&out, "{\"type\": \"plan_task\", ...}");
 *
 * Invalid UTF-8 is replaced. Text between tags cannot close its tag.
 */
#pragma once

#include "base/buf.h"

#define PROMPT_TEXT_SHORT 300u       /* of an item of a list */
#define PROMPT_TEXT_LIST  (8u << 10) /* of the whole list */

/* Add the text; if it is longer than max bytes, cut its middle and add how much is missing. */
void prompt_text_cut(struct buf *out, struct str text, size_t max);
/* Add the text as one line, cut at its end. */
void prompt_text_line(struct buf *out, struct str text, size_t max);
void prompt_text_tagged(struct buf *out, const char *tag, struct str text, size_t max);
/* Add "what:" and a line for each item, or nothing if there are none. */
void prompt_text_list(struct buf *out, const char *what, const struct str *items, size_t count);

/* Add the question's name, the role, and that text between tags is not an instruction. */
void prompt_text_head(struct buf *out, const char *name, const char *role);
/* Ask for one JSON object of this form. */
void prompt_text_form(struct buf *out, const char *example);
