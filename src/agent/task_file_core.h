/* Parts of a task as JSON, which task_file_write.c turns into YAML and task_file_tooling.c reads. */
#pragma once

#include "agent/task_file.h"
#include "base/jsonw.h"

/* A member, if there is something to say. */
void task_file_put_text(struct jsonw *w, const char *key, struct str text);
void task_file_put_json(struct jsonw *w, const char *key, const struct json *v);

/* The members of a candidate but for weight; the tool's name stands under `key`. */
void task_file_put_candidate(struct jsonw *w, const char *key, const struct candidate *c);
