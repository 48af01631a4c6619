/* The tasks in the store: what a person, a page or a program asks of them and does to them. What
 * the orchestrator does is transaction.h.
 *
 *     struct store *s = tasks_open(url, true, NULL, &err);
 *     store_run(s, STORE_ROWS, add, ctx, &err);       // inside: tasks_add(s, news, n, &err)
 *     store_run(s, STORE_READ, show, ctx, &err);      // inside: tasks_get(), tasks_each() ...
 *
 * All functions with a store run inside a work of store_run() or store_thread_run(); texts that
 * they hand out are good until the callback returns, those in an arena as long as it. Nothing is
 * half done: a function that fails has changed nothing, because its transaction goes.
 *
 * A task is known by its name (task.id of its file), which is unique, and by a number in the order
 * of entry; where a name is asked for, "#12" is a number. A name is one line that can be printed,
 * without blanks at its ends, and TASKS_MAX_NAME bytes at most. Every change of a state is an event
 * in the feed, and wakes those who listen to the channels below.
 *
 * When a task fails for good, is cancelled or goes to the backlog, all that depend on it, directly
 * or not, and are PENDING become BLOCKED and say because of whom; when it is revived they become
 * PENDING again.
 */
#pragma once

#include "base/arena.h"
#include "orchestrator/task_state.h"
#include "store/store.h"

#define TASKS_WORK    "work"    /* something may have become READY */
#define TASKS_CONTROL "control" /* pause, resume, stop, a cancel of a running task */
#define TASKS_LOG     "log"     /* log pieces or events were added */

#define TASKS_MAX_NAME   128u
#define TASKS_MAX_NEEDS  1000u
#define TASKS_MAX_BATCH  10000u
#define TASKS_KEEP_EVENT 20000 /* older ones go */
#define TASKS_POOL       "default"

extern const struct store_schema tasks_schema; /* "tasks" */

/* url: store.h, "places"; NULL: ~/.multiverse/tasks.db. */
struct store *tasks_open(const char *url, bool is_durable, enum store_failure *failure,
                         struct error *err);
bool tasks_place(const char *url, struct buf *out, struct error *err); /* for store_thread_open() */

/* ---- adding */

struct task_new {
    struct str name, title, repo, pool; /* pool empty: TASKS_POOL */
    struct str spec;                    /* the Task YAML, complete: prd inside, repo absolute */
    const struct str *needs;            /* names: of this batch, or there already */
    size_t need_count;
    uint32_t max_attempts; /* 0: ATTEMPT_POLICY_ATTEMPTS */
    struct str goal;       /* the goal it was made from; empty: none */
};

/* All or none. ERR_INVALID_PARAMS names what is wrong: a name that is taken (and its state), one
 * that is twice in the batch, an unknown dependency (with the nearest name), a cycle ("a -> b ->
 * a"). READY are those whose dependencies have all succeeded; those that depend on what failed are
 * BLOCKED from the start. */
bool tasks_add(struct store *s, const struct task_new *news, size_t count, struct error *err);

/* ---- looking */

struct task_row {
    int64_t id; /* its number */
    struct str name, title, repo, pool, goal;
    enum task_state state;
    uint32_t open_needs;                    /* dependencies that have not succeeded */
    uint32_t attempts, counted, lost;       /* made; that count; lost in a row */
    uint32_t max_attempts;                  /* as it was added; 0: the default */
    int64_t due, lease_until;               /* unix ms; 0: none; the lease is its owner's */
    struct str owner;                       /* of the lease: an orchestrator's id */
    bool cancel;                            /* asked for, not done yet */
    struct str why;                         /* why it is where it is; "" if that is clear */
    int64_t added, changed, started, ended; /* unix ms; 0: not yet */
    struct str tool, model;                 /* of the attempt that ended last; "": none did */
    struct str spec;                        /* tasks_get() only */
};

typedef void tasks_row_fn(const struct task_row *t, void *ctx);

struct tasks_filter {
    uint32_t states; /* bits 1 << TASK_...; 0: all */
    struct str pool; /* empty: all */
    int64_t after;   /* id: those behind it, for pages */
    uint32_t most;   /* 0: all */
};
/* By number. A row that this program could not have written makes it fail, behind all others, with
 * ERR_IO and its number; such a task can only be removed. */
bool tasks_each(struct store *s, const struct tasks_filter *f, tasks_row_fn *each, void *ctx,
                struct error *err);

/* Those of these numbers that are there, by number; at most TASKS_MAX_BATCH of them. */
struct task_ids {
    const int64_t *of;
    size_t count;
};
bool tasks_each_of(struct store *s, struct task_ids ids, tasks_row_fn *each, void *ctx,
                   struct error *err);

/* ERR_TASK_NOT_FOUND with the nearest name. */
bool tasks_find(struct store *s, struct str name, int64_t *id, struct error *err);
/* Nothing is called if there is no such task. */
bool tasks_get(struct store *s, int64_t id, tasks_row_fn *each, void *ctx, struct error *err);

struct task_edge {
    int64_t task, needs;
};
typedef void tasks_edge_fn(struct task_edge e, void *ctx);
/* id 0: all edges; else those from and to this task. */
bool tasks_edges(struct store *s, int64_t id, tasks_edge_fn *each, void *ctx, struct error *err);

struct task_neighbour {
    int64_t id;
    struct str name;
    enum task_state state;
    bool is_need; /* the task needs it; else it needs the task */
};
typedef void tasks_neighbour_fn(const struct task_neighbour *t, void *ctx);
/* Those that the task needs, then those that need it, by number. A row that this program could not
 * have written is left out. */
bool tasks_neighbours(struct store *s, int64_t id, tasks_neighbour_fn *each, void *ctx,
                      struct error *err);

struct attempt_row {
    int64_t task;
    uint32_t number; /* from 1 */
    struct str owner, host;
    int64_t started, ended; /* unix ms; ended 0: it runs */
    struct str end;     /* "succeeded", "failed", "limited", "cancelled", "stopped", "lost", ... */
    struct str outcome; /* of the run's result */
    int64_t exit_code;
    struct str tool, model, why;
    struct str run; /* its id, in decisions; of one that runs, too, if that can still be told */
    uint64_t input_tokens, output_tokens; /* 0: not known */
    double cost_usd;
    struct str files; /* a JSON array of {"path", "change"} */
    uint64_t pieces;  /* of its log */
};
typedef void tasks_attempt_fn(const struct attempt_row *a, void *ctx);
bool tasks_attempts(struct store *s, int64_t id, tasks_attempt_fn *each, void *ctx,
                    struct error *err);

struct log_piece {
    int64_t task;
    uint32_t number;
    uint64_t seq; /* from 1, without a gap */
    int64_t at;
    struct str text; /* UTF-8, any number of lines or parts of one */
};
typedef void tasks_log_fn(const struct log_piece *p, void *ctx);

struct tasks_log_filter { /* of one attempt */
    int64_t task;
    uint32_t number;
    uint64_t after; /* seq: those behind it */
    uint32_t most;  /* 0: all */
};
bool tasks_log(struct store *s, const struct tasks_log_filter *want, tasks_log_fn *each, void *ctx,
               struct error *err);

struct task_event_row {
    int64_t id, at;
    int64_t task; /* 0: of no task */
    uint32_t number;
    struct str kind; /* "added", "claimed", "succeeded", "retry", ... */
    struct str told; /* JSON */
};
typedef void tasks_event_fn(const struct task_event_row *e, void *ctx);

struct tasks_event_filter {
    int64_t after; /* id: those behind it */
    uint32_t most; /* 0: all */
};
/* In the order of their ids, which grow but have gaps. Whoever goes on behind the last one misses
 * none, though many write at once: an event shows when all that could still stand before it are
 * there. */
bool tasks_events(struct store *s, const struct tasks_event_filter *want, tasks_event_fn *each,
                  void *ctx, struct error *err);
/* The last one that it would tell; 0: there is none. */
bool tasks_last_event(struct store *s, int64_t *id, struct error *err);

struct tasks_counts {
    uint64_t by_state[TASK_STATE_COUNT];
    int64_t first_due; /* of those in RETRY_WAIT, unix ms; 0: none */
};
bool tasks_count(struct store *s, struct tasks_counts *out, struct error *err);

/* ---- changing */

/* `done` says what happened to whom, for people: "cancelled", "asked to stop". */
struct tasks_change {
    enum task_state before, after;
    bool asked;       /* cancel of a running one: its worker is told, the end comes later */
    uint32_t touched; /* others that were blocked or released by it */
};

/* ERR_TASK_STATE where it makes no sense, with what would: it is over already, it runs. A retry
 * gives all attempts back; of what is in RETRY_WAIT it says: now. */
bool tasks_cancel(struct store *s, int64_t id, struct tasks_change *out, struct error *err);
bool tasks_retry(struct store *s, int64_t id, struct tasks_change *out, struct error *err);
/* With its attempts and logs. Refused while it runs, or while others depend on it (named). */
bool tasks_remove(struct store *s, int64_t id, struct error *err);

/* ---- the whole */

enum tasks_mode {
    TASKS_RUNNING,
    TASKS_PAUSED /* nothing new is claimed */
};

struct tasks_control {
    enum tasks_mode mode;
    int64_t stops; /* how often a stop was asked for: whoever sees it grow stops what it runs */
    int64_t since; /* unix ms, of the mode */
};
bool tasks_control(struct store *s, struct tasks_control *out, struct error *err);
bool tasks_pause(struct store *s, struct error *err);
bool tasks_resume(struct store *s, struct error *err);
bool tasks_stop(struct store *s, struct error *err); /* paused, and what runs is handed back */

struct orchestrator_row {
    struct str id, host;
    int64_t pid, workers, running, started, seen; /* seen: unix ms of its last renewal */
};
typedef void tasks_orchestrator_fn(const struct orchestrator_row *o, void *ctx);
bool tasks_orchestrators(struct store *s, tasks_orchestrator_fn *each, void *ctx,
                         struct error *err);
/* It ran on this machine, and its process is not there any more. One that has nothing to do is not
 * heard of, so a long silence alone says little. */
bool tasks_orchestrator_is_gone(const struct orchestrator_row *o);
