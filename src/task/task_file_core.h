/* Parts of a task as JSON: task_file_write.c makes YAML of it, task_file_tooling.c reads it. */
#pragma once

#include "base/jsonw.h"
#include "task/task_file.h"

/* A member, if there is something to say. */
void task_file_put_text(struct jsonw *w, const char *key, struct str text);
void task_file_put_json(struct jsonw *w, const char *key, const struct json *v);

/* The members of a candidate but for weight; the tool's name stands under `key`. */
void task_file_put_candidate(struct jsonw *w, const char *key, const struct candidate *c);
