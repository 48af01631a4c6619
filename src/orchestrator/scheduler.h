/* The orchestrator of one machine: it claims READY tasks, runs them and reports how they ended,
 * until it is stopped.
 *
 *     struct scheduler *s = scheduler_start(loop, &(struct scheduler_options){.url = url,
 *         .workers = 4, .rng = &rng, .on_event = show, .on_end = ended});
 *     scheduler_drain(s);                       // SIGTERM: start nothing new; runs may finish
 *     scheduler_halt(s);                        // a second SIGTERM: return running tasks now
 *
 * Only one transaction (transaction.h) is in flight at a time. Ends and claims that come meanwhile
 * share the next one. Leases are renewed every lease_ms / 6. If a lease cannot be renewed, the
 * supervisor kills the run after five sixths of it, before anybody else may claim the task. While
 * the store is down, runs continue until then; ends and log pieces wait. Nothing is polled:
 * transactions follow ends, notifications of the store, and one timer for what is due next.
 *
 * On shutdown, the scheduler reports its last attempts and waits for the store: SCHEDULER_LEAVE_MS,
 * or as long as a drain may take. If the store does not answer, the leases expire. A store that is
 * damaged or refuses transaction after transaction ends the scheduler with
 * SCHEDULER_STORE_UNUSABLE. If attempts cannot be started here (the disk is full), it claims
 * nothing for a while, up to a minute.
 *
 * Without pools, each worker takes tasks of all pools in the order of entry. With pools, each pool
 * has its own workers, and tasks of other pools are not claimed.
 */
#pragma once

#include "orchestrator/executor.h"
#include "store/store_thread.h"

#define SCHEDULER_WORKERS     2u
#define SCHEDULER_MAX_WORKERS 256u
#define SCHEDULER_MAX_POOLS   16u
#define SCHEDULER_LEASE_MS    60000u
#define SCHEDULER_MIN_LEASE   3000u
#define SCHEDULER_DRAIN_MS    600000u /* time for running tasks after scheduler_drain() */
#define SCHEDULER_LOG_MS      200u    /* log pieces wait at most that long */
#define SCHEDULER_LEAVE_MS    10000u

enum scheduler_event_kind {
    SCHEDULER_STARTED, /* the store was reached; text: its name */
    SCHEDULER_CLAIMED, /* task, attempt */
    SCHEDULER_LOG,     /* text: a piece of the output of an attempt */
    SCHEDULER_ENDED,   /* an attempt: event (of the task), outcome, wait_ms; text: the reason */
    SCHEDULER_LOST,    /* another owner took over the task; no ENDED follows */
    SCHEDULER_STORE_FAILURE, /* an outage of the store begins; text: the error */
    SCHEDULER_BACK,          /* the outage is over */
    SCHEDULER_PAUSED,
    SCHEDULER_RESUMED,
    SCHEDULER_DRAINING, /* no new attempts */
    SCHEDULER_IDLE,     /* nothing is left to run; failed: a task is FAILED or BLOCKED */
    SCHEDULER_WARN      /* text */
};

struct scheduler_event {
    enum scheduler_event_kind kind;
    int64_t task; /* 0: none */
    struct str name;
    uint32_t number;
    enum task_event event;
    struct str outcome, tool, model, text;
    uint64_t wait_ms;
    bool failed;
    uint32_t running, workers;
};

enum scheduler_end {
    SCHEDULER_DRAINED,         /* all runs finished or were returned in time */
    SCHEDULER_HALTED,          /* running tasks were returned at once */
    SCHEDULER_WAS_IDLE,        /* until_idle: nothing is left, nothing failed */
    SCHEDULER_WAS_IDLE_FAILED, /* until_idle: nothing is left, something failed */
    SCHEDULER_STORE_UNUSABLE   /* on_event got the error */
};

struct scheduler;

struct scheduler_pool {
    const char *name;
    uint32_t workers;
};

/* How attempts are executed: executor_start() and so on, or a replacement in tests and benchmarks.
 * */
struct scheduler_executor {
    void *(*start)(struct loop *loop, const struct executor_options *options);
    void (*hold)(void *attempt, int64_t deadline);
    void (*stop)(void *attempt, enum attempt_end_kind why);
};

struct scheduler_options {
    const char *url; /* of the store, as tasks_open() takes it */
    const char *home, *self;
    uint32_t workers;                   /* 0: SCHEDULER_WORKERS; with pools: their sum */
    const struct scheduler_pool *pools; /* copied */
    size_t pool_count;
    uint64_t lease_ms, drain_ms; /* 0: the defaults */
    struct attempt_policy policy;
    struct tooling *(*tooling)(void *ctx);     /* the current one; the caller keeps its reference */
    const struct scheduler_executor *executor; /* NULL: executor.h */
    bool until_idle;
    struct rng *rng;
    void (*on_event)(const struct scheduler_event *e, void *ctx);
    /* The scheduler is freed when this returns. */
    void (*on_end)(struct scheduler *s, enum scheduler_end how, void *ctx);
    void *ctx;
};

/* Calls no callback before it returns. */
struct scheduler *scheduler_start(struct loop *loop, const struct scheduler_options *options);
void scheduler_drain(struct scheduler *s);
void scheduler_halt(struct scheduler *s);
/* Report the counts for a status line, at most once a second. */
void scheduler_watch_counts(struct scheduler *s,
                            void (*on_counts)(const struct tasks_counts *c, void *ctx));
uint64_t scheduler_transactions(const struct scheduler *s); /* number sent to the store */
