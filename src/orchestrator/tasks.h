/* The tasks in the store, as people, the page and programs read and change them. The orchestrator's
 * own changes are in transaction.h.
 *
 *     struct store *s = tasks_open(url, true, NULL, &err);
 *     store_run(s, STORE_ROWS, add_mine, &mine, &err);  // in it: tasks_add(s, news, count, err)
 *     store_run(s, STORE_READ, list_mine, &mine, &err); // in it: tasks_each(s, NULL, ...)
 *     store_close(s);
 *
 * Functions with a store run inside a work of store_run() or store_thread_run(). Texts that are
 * passed to a callback are valid until it returns. A function that fails has changed nothing,
 * because its transaction is rolled back.
 *
 * A task has a unique name (task.id of its file) and a number in the order of entry; "#12" is
 * accepted in place of a name. A name is one printable line without blanks at its ends, at most
 * TASKS_MAX_NAME bytes. Each change of a state is an event in the feed and notifies the channels
 * below.
 *
 * When a task becomes FAILED, CANCELLED or BLOCKED, all PENDING tasks that depend on it, directly
 * or not, become BLOCKED with its name as the reason. When it is revived, they become PENDING
 * again.
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
#define TASKS_KEEP_EVENT 20000 /* older ones are deleted */
#define TASKS_POOL       "default"

extern const struct store_schema tasks_schema; /* "tasks" */

/* Open the store. url: as store_place() takes it; NULL or "": ~/.multiverse/tasks.db. */
struct store *tasks_open(const char *url, bool is_durable, enum store_failure *failure,
                         struct error *err);
/* Append the URL or the path that store_thread_open() takes. */
bool tasks_place(const char *url, struct buf *out, struct error *err);

/* ---- adding */

struct task_new {
    struct str name, title, repo, pool; /* pool empty: TASKS_POOL */
    struct str spec;                    /* the complete Task YAML: prd included, repo absolute */
    const struct str *needs;            /* names, of this batch or of the store */
    size_t need_count;
    uint32_t max_attempts; /* 0: ATTEMPT_POLICY_ATTEMPTS */
    struct str goal;       /* the goal whose plan has this task; may be empty */
};

/* Add all tasks or none. ERR_INVALID_PARAMS: a name is taken (with its state) or duplicate, a
 * dependency is unknown (with the nearest name), or there is a cycle ("a -> b -> a"). Tasks whose
 * dependencies have all succeeded are READY; tasks that depend on a failed one are BLOCKED. */
bool tasks_add(struct store *s, const struct task_new *news, size_t count, struct error *err);

/* ---- reading */

struct task_row {
    int64_t id; /* its number */
    struct str name, title, repo, pool, goal;
    enum task_state state;
    uint32_t open_needs;                    /* dependencies that have not succeeded */
    uint32_t attempts, counted, lost;       /* all; counted ones; lost in a row */
    uint32_t max_attempts;                  /* as given; 0: the default */
    int64_t due, lease_until;               /* unix ms; 0: none; the lease of its owner */
    struct str owner;                       /* id of the orchestrator that runs it */
    bool cancel;                            /* requested, not done yet */
    struct str why;                         /* reason of the state; "" if none is needed */
    int64_t added, changed, started, ended; /* unix ms; 0: not yet */
    struct str tool, model;                 /* of the attempt that ended last; "": none */
    struct str spec;                        /* tasks_get() only */
};

typedef void tasks_row_fn(const struct task_row *t, void *ctx);

struct tasks_filter {
    uint32_t states; /* bits 1 << TASK_...; 0: all */
    struct str pool; /* empty: all */
    int64_t after;   /* an id: only tasks after it, for pages */
    uint32_t most;   /* 0: all */
};
/* Call each() for the tasks that the filter selects (NULL: all), in the order of numbers. A row
 * with an unknown state is skipped, and the function fails at the end with ERR_IO and the number;
 * such a task can only be removed. */
bool tasks_each(struct store *s, const struct tasks_filter *f, tasks_row_fn *each, void *ctx,
                struct error *err);

/* The same for the given numbers, at most TASKS_MAX_BATCH. Unknown numbers are ignored. */
struct task_ids {
    const int64_t *of;
    size_t count;
};
bool tasks_each_of(struct store *s, struct task_ids ids, tasks_row_fn *each, void *ctx,
                   struct error *err);

/* Find the number of a task. ERR_TASK_NOT_FOUND with the nearest name. */
bool tasks_find(struct store *s, struct str name, int64_t *id, struct error *err);
/* Call each() once, with `spec`, or not at all if there is no such task. */
bool tasks_get(struct store *s, int64_t id, tasks_row_fn *each, void *ctx, struct error *err);

struct task_edge {
    int64_t task, needs;
};
typedef void tasks_edge_fn(struct task_edge e, void *ctx);
/* id 0: all edges; otherwise those from and to this task. */
bool tasks_edges(struct store *s, int64_t id, tasks_edge_fn *each, void *ctx, struct error *err);

struct task_neighbour {
    int64_t id;
    struct str name;
    enum task_state state;
    bool is_need; /* the task needs it; otherwise it needs the task */
};
typedef void tasks_neighbour_fn(const struct task_neighbour *t, void *ctx);
/* First the tasks that the task needs, then those that need it, in the order of numbers. A row with
 * an unknown state is skipped. */
bool tasks_neighbours(struct store *s, int64_t id, tasks_neighbour_fn *each, void *ctx,
                      struct error *err);

struct attempt_row {
    int64_t task;
    uint32_t number; /* from 1 */
    struct str owner, host;
    int64_t started, ended; /* unix ms; ended 0: it is running */
    struct str end;     /* "succeeded", "failed", "limited", "cancelled", "stopped", "lost", ... */
    struct str outcome; /* of the run's result */
    int64_t exit_code;
    struct str tool, model, why;
    struct str run; /* id of the run, as in decisions; may be empty while it runs */
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
    struct str text; /* UTF-8; whole lines and parts of lines */
};
typedef void tasks_log_fn(const struct log_piece *p, void *ctx);

struct tasks_log_filter { /* of one attempt */
    int64_t task;
    uint32_t number;
    uint64_t after; /* a seq: only pieces after it */
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
    int64_t after; /* an id: only events after it */
    uint32_t most; /* 0: all */
};
/* In the order of ids, which grow with gaps. A reader that continues after the last id misses no
 * event, although many processes write at once: an event is shown only when no event with a lower
 * id can follow. */
bool tasks_events(struct store *s, const struct tasks_event_filter *want, tasks_event_fn *each,
                  void *ctx, struct error *err);
/* The id of the last event that tasks_events() would show; 0: there is none. */
bool tasks_last_event(struct store *s, int64_t *id, struct error *err);

struct tasks_counts {
    uint64_t by_state[TASK_STATE_COUNT];
    int64_t first_due; /* of those in RETRY_WAIT, unix ms; 0: none */
};
bool tasks_count(struct store *s, struct tasks_counts *out, struct error *err);

/* ---- changing */

struct tasks_change {
    enum task_state before, after;
    bool asked;       /* a running task: its worker is asked to stop, the end follows */
    uint32_t touched; /* other tasks that were blocked or released */
};

/* ERR_TASK_STATE if the state does not allow the change; the message says what does. A retry gives
 * back all attempts; a task in RETRY_WAIT becomes READY at once. */
bool tasks_cancel(struct store *s, int64_t id, struct tasks_change *out, struct error *err);
bool tasks_retry(struct store *s, int64_t id, struct tasks_change *out, struct error *err);
/* Remove the task with its attempts and logs. Refused while it runs or others depend on it. */
bool tasks_remove(struct store *s, int64_t id, struct error *err);

/* ---- the whole */

enum tasks_mode {
    TASKS_RUNNING,
    TASKS_PAUSED /* nothing new is claimed */
};

struct tasks_control {
    enum tasks_mode mode;
    int64_t stops; /* number of stop requests; an orchestrator that sees it grow stops its runs */
    int64_t since; /* unix ms, of the mode */
};
bool tasks_control(struct store *s, struct tasks_control *out, struct error *err);
bool tasks_pause(struct store *s, struct error *err);
bool tasks_resume(struct store *s, struct error *err);
bool tasks_stop(struct store *s, struct error *err); /* pause, and return running tasks */

struct orchestrator_row {
    struct str id, host;
    int64_t pid, workers, running, started, seen; /* seen: unix ms of its last renewal */
};
typedef void tasks_orchestrator_fn(const struct orchestrator_row *o, void *ctx);
bool tasks_orchestrators(struct store *s, tasks_orchestrator_fn *each, void *ctx,
                         struct error *err);
/* Whether the orchestrator ran on this machine and its process has ended. A long silence proves
 * nothing, because an idle orchestrator does not report. */
bool tasks_orchestrator_is_gone(const struct orchestrator_row *o);
