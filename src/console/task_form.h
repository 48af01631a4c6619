/* The page's form of a task, as the text of a Task YAML.
 *
 *     {name, title, repo, prd, needs: [name], test_command?, max_loops?}
 *
 *     if (!task_form_text(form, &text, &err)) ...            // errors of the form itself
 *     t = task_file_read_in(buf_str(&text), "form", folder, &err);
 *     task_form_point(&err);                                 // "/task/id" is the form's "/name"
 *
 *     task_form_change(t, item, "task.yaml", &err);          // {name?, needs?} override it
 *
 * Everything else is checked when the text is read (task/task_file.h). Pure.
 */
#pragma once

#include "task/task_file.h"

/* ERR_CONFIG_VALIDATION as of a text: "form:1:1: /name: is missing ..." */
bool task_form_text(const struct json *form, struct buf *out, struct error *err);
void task_form_point(struct error *err);
/* Replace name and needs of a task. It stays as it is if `to` is NULL or has no such member. `name`
 * is for the message. */
bool task_form_change(struct task_file *t, const struct json *to, const char *name,
                      struct error *err);
