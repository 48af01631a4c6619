/* Tasks on their way into the store: read, checked, added together, told.
 *
 *     struct task_batch b = {0};
 *     task_batch_read(&b, "a.yaml", &err);               // for each file; "-" is standard input
 *     task_batch_add(&b, &view);                         // all or none; has said why not
 *     task_batch_say(&b, view.json);
 *     task_batch_done(&b);
 *
 * What is stored of a task is complete: prd and paths are in its spec.
 */
#pragma once

#include "base/map.h"
#include "cli/table.h"
#include "cli/task_view.h"

struct task_batch {
    struct str pool;
    uint32_t max_attempts;
    bool dry; /* everything is checked, nothing stays */
    struct task_new *news;
    size_t count;
    /* private */
    size_t cap;
    struct arena arena;
    struct map files;   /* name -> the file it is from */
    struct table table; /* what they have become, for people */
    struct buf told;    /* and for programs */
    struct jsonw writer;
    bool is_right; /* the store would take it */
    struct task_view *view;
};

/* ERR_CONFIG_* with file, line and column; ERR_INVALID_PARAMS for a name that is there twice. Its
 * warnings are said. */
bool task_batch_read(struct task_batch *b, const char *path, struct error *err);
/* One that is made: all texts are copied. */
void task_batch_put(struct task_batch *b, const struct task_new *t);

bool task_batch_add(struct task_batch *b, struct task_view *v);
void task_batch_say(const struct task_batch *b, bool json);
void task_batch_done(struct task_batch *b);
