/* What the files of the tasks share: one thread to their store, and exchanges that wait for it.
 *
 *     struct wanted *w = console_tasks_job_new(t, a, sizeof *w);     // its first member: struct console_tasks_job
 *     w->id = 12;
 *     console_tasks_job_run(&w->job, STORE_READ, look);              // look(store, w, err) on the thread
 *
 * The work writes members of the answer with job->w; when it is done they are sent. It may be
 * called more than once, and then begins anew. Where more is to be done in the loop before it is
 * answered, `then` is set: it answers, or goes on with console_tasks_job_work().
 *
 *   console_tasks.c         the thread, its outages, what is new
 *   console_tasks_look.c    lists, one task, logs
 *   console_tasks_graph.c   who waits for whom
 *   console_tasks_change.c  cancel, retry, remove, pause
 *   console_tasks_add.c     checked and added: files and forms
 *   console_tasks_goal.c    goals, planned by children
 *
 * A store that is gone is no reason to wait: who asks hears 503 at once, also those whose question
 * is under way; what they wanted is not done later, when it is back. The thread is closed when
 * nobody has looked or asked for a while.
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
    size_t closing;              /* threads that are */
    size_t works;                /* on the pool */
    struct list jobs;            /* in the thread, and not answered yet */
    struct timer idle;           /* nobody looks: the thread is closed when it is over */
    struct timer again;          /* somebody does, and the store could not be used */
    struct error failure;        /* why it cannot be used; ERR_NONE: it can, as far as is known */
    bool is_asked;               /* somebody wanted to know something of tasks */
    bool is_watched, is_stopping;
    /* news */
    struct changed_tasks news;
    bool has_news;                         /* they have begun */
    bool is_stale;                         /* something was said that was not looked at */
    bool begins_anew;                      /* what was between is not known */
    uint64_t control, log;                 /* counters for the feed */
    struct console_tasks_reading *reading; /* under way */
    struct console_tasks_goals *goals;
};

/* ---- jobs */

struct console_tasks_job;
typedef void console_tasks_job_fn(struct console_tasks_job *j);

struct console_tasks_job {
    struct console_tasks *t;
    struct api *api;    /* NULL: it was answered already */
    struct arena arena; /* as long as the job */
    struct buf out;
    struct jsonw w; /* in the open object of the answer */
    console_tasks_job_fn
        *then; /* in the loop, when the work is done; NULL: the answer is complete */
    console_tasks_job_fn *done; /* what it holds beside is freed; may be NULL */
    /* private */
    store_fn *work;
    console_tasks_job_fn *pool_work;
    struct store_thread *thread;
    bool is_off; /* nobody waits for it any more: nothing is done. Set while no thread has it */
    struct list link;
};

void *console_tasks_job_new(struct console_tasks *t, struct api *a, size_t size);
int64_t *console_tasks_job_ids(struct console_tasks_job *j, const int64_t *ids,
                               size_t count); /* a copy */
void console_tasks_job_run(struct console_tasks_job *j, enum store_mode mode, store_fn *work);
/* On the pool, then `then` in the loop. */
void console_tasks_job_work(struct console_tasks_job *j, console_tasks_job_fn *work,
                            console_tasks_job_fn *then);
/* The members that are written are the answer; the job is gone. */
void console_tasks_job_reply(struct console_tasks_job *j);
void console_tasks_job_fail(struct console_tasks_job *j, const struct error *err);
void console_tasks_job_drop(
    struct console_tasks_job *j); /* the exchange was answered by somebody else */

/* ---- the parts: their routes */

void console_tasks_show_start(struct console_tasks *t);
void console_tasks_graph_start(struct console_tasks *t);
void console_tasks_change_start(struct console_tasks *t);
void console_tasks_add_start(struct console_tasks *t);
void console_tasks_goal_start(struct console_tasks *t);
void console_tasks_goal_stop(struct console_tasks *t);
bool console_tasks_goal_is_quiet(const struct console_tasks *t);
void console_tasks_goal_free(struct console_tasks *t);
