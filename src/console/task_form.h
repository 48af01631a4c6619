/* A task as the page's form has it, as the text of a Task YAML.
 *
 *     {name, title, repo, prd, needs: [name], test_command?, max_loops?}
 *
 *     if (!task_form_text(form, &text, &err)) ...            // what a form alone can have wrong
 *     t = task_file_read_in(buf_str(&text), "form", folder, &err);
 *     task_form_point(&err);                                 // "/task/id" is the form's "/name"
 *
 *     task_form_change(t, item, "task.yaml", &err);          // {name?, needs?}: holds over it
 *
 * All else is checked by whoever reads the text (task/task_file.h). Pure.
 */
#pragma once

#include "task/task_file.h"

/* ERR_CONFIG_VALIDATION as of a text: "form:1:1: /name: is missing ..." */
bool task_form_text(const struct json *form, struct buf *out, struct error *err);
void task_form_point(struct error *err);
/* A text that is there, with another name or other needs: NULL or without these members it stays as
 * it is. `name` is for the message. */
bool task_form_change(struct task_file *t, const struct json *to, const char *name,
                      struct error *err);
