/* Shared by the files of the tasks: one store thread, and exchanges that wait for it.
 *
 *     struct wanted { struct console_tasks_job job; int64_t id; ... };
 *     struct wanted *w = console_tasks_job_new(t, a, sizeof *w);     // its first member is the job
 *     w->id = 12;
 *     console_tasks_job_run(&w->job, STORE_READ, read);              // read(store, w, err)
 *
 * The work runs on the thread and writes members of the answer with job->w, which are sent when it
 * is done. It may be called more than once and must then start again. If more is to be done in the
 * loop before the answer, set `then`: it answers, or goes on with console_tasks_job_work().
 *
 *   tasks.c         the thread, its outages, what has changed
 *   tasks_show.c    lists, one task, logs
 *   tasks_graph.c   dependencies
 *   tasks_change.c  cancel, retry, remove, pause
 *   tasks_add.c     check and add: files and forms
 *   tasks_goal.c    goals, planned by children
 *
 * While the store cannot be used, requests get 503 at once, also those under way; they are not
 * carried out later. The thread is closed after a while without a page or a request.
 */
#pragma once

#include "base/list.h"
#include "console/changed_tasks.h"
#include "console/console_internal.h"
#include "orchestrator/tasks.h"
#include "store/store_thread.h"

struct console_tasks_goals;
struct console_tasks_reading;

struct console_tasks {
    struct console *console;
    struct store_thread *thread; /* NULL: none is open */
    size_t closing;              /* threads that are being closed */
    size_t works;                /* on the pool */
    struct list jobs;            /* queued for the thread, without an answer */
    struct timer idle;           /* no page is open: closes the thread */
    struct timer again;          /* a page is open, but the store cannot be used: tries again */
    struct error failure;        /* why it cannot be used; ERR_NONE: it can, as far as is known */
    bool is_asked;               /* a page has asked for tasks */
    bool is_watched, is_stopping;
    /* events of the store */
    struct changed_tasks changed;
    bool has_events;                       /* `changed` has begun */
    bool is_stale;                         /* a notification came, but events were not read */
    bool restarts;                         /* events were missed: begin `changed` again */
    uint64_t control, log;                 /* counters for the feed */
    struct console_tasks_reading *reading; /* NULL: not reading */
    struct console_tasks_goals *goals;
};

/* ---- jobs */

struct console_tasks_job;
typedef void console_tasks_job_fn(struct console_tasks_job *j);

struct console_tasks_job {
    struct console_tasks *t;
    struct api *api;    /* NULL: already answered */
    struct arena arena; /* lives as long as the job */
    struct buf out;
    struct jsonw w; /* inside the object of the answer */
    console_tasks_job_fn
        *then; /* in the loop, when the work is done; NULL: the answer is complete */
    console_tasks_job_fn *done; /* frees what else the job holds; may be NULL */
    /* private */
    store_fn *work;
    console_tasks_job_fn *pool_work;
    struct store_thread *thread;
    bool is_off; /* its exchange was refused: do nothing. Set while no thread has it */
    struct list link;
};

void *console_tasks_job_new(struct console_tasks *t, struct api *a, size_t size);
int64_t *console_tasks_job_ids(struct console_tasks_job *j, const int64_t *ids,
                               size_t count); /* a copy */
void console_tasks_job_run(struct console_tasks_job *j, enum store_mode mode, store_fn *work);
/* Run work on the pool, then `then` in the loop. */
void console_tasks_job_work(struct console_tasks_job *j, console_tasks_job_fn *work,
                            console_tasks_job_fn *then);
/* Send the members that are written, and free the job. */
void console_tasks_job_reply(struct console_tasks_job *j);
void console_tasks_job_fail(struct console_tasks_job *j, const struct error *err);
/* Free a job whose exchange was already answered. */
void console_tasks_job_drop(struct console_tasks_job *j);

/* ---- the other files: their routes */

void console_tasks_show_start(struct console_tasks *t);
void console_tasks_graph_start(struct console_tasks *t);
void console_tasks_change_start(struct console_tasks *t);
void console_tasks_add_start(struct console_tasks *t);
void console_tasks_goal_start(struct console_tasks *t);
void console_tasks_goal_stop(struct console_tasks *t);
bool console_tasks_goal_is_quiet(const struct console_tasks *t);
void console_tasks_goal_free(struct console_tasks *t);
