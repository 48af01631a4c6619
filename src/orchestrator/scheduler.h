/* The orchestrator of one machine: claims what is ready, runs it, says how it ended, until told to
 * stop.
 *
 *     struct scheduler *s = scheduler_start(loop, &(struct scheduler_options){.url = url,
 *         .workers = 4, .on_event = show, .on_end = ended, ...});
 *     scheduler_drain(s);                       // SIGTERM: nothing new; what runs may finish
 *     scheduler_halt(s);                        // the second one: what runs is handed back now
 *
 * One transaction (transaction.h) at a time: what happens while one is at the store waits for the
 * next, so many ends and claims share a transaction. Leases are renewed every lease_ms / 6; an
 * attempt whose lease could not be renewed is killed by its supervisor after five sixths, before
 * anybody else may take it. While the store is gone what runs goes on until then; ends and log
 * pieces wait. Nothing is polled: transactions follow ends, word of the store, and one timer for
 * what is due next.
 *
 * Who leaves tells the store how the last attempts ended, and waits for it SCHEDULER_LEAVE_MS, or
 * as long as a drain may take; if it does not answer, leases run out by themselves. A store that is
 * damaged, or refuses transaction after transaction, is the end: SCHEDULER_STORE_UNUSABLE. Where attempts
 * cannot even be started (the disk is full) nothing new is claimed for a while, up to a minute.
 *
 * Pools: without any, each worker takes tasks of all pools in the order of entry. With pools, each
 * has its own workers and nobody takes tasks of others.
 */
#pragma once

#include "orchestrator/executor.h"
#include "store/store_thread.h"

#define SCHEDULER_WORKERS     2u
#define SCHEDULER_MAX_WORKERS 256u
#define SCHEDULER_MAX_POOLS   16u
#define SCHEDULER_LEASE_MS    60000u
#define SCHEDULER_MIN_LEASE   3000u
#define SCHEDULER_DRAIN_MS    600000u /* what runs may take that long after scheduler_drain() */
#define SCHEDULER_LOG_MS      200u    /* log pieces wait at most that long for a transaction */
#define SCHEDULER_LEAVE_MS    10000u

enum scheduler_event_kind {
    SCHEDULER_STARTED, /* the store was reached: text its name */
    SCHEDULER_CLAIMED, /* task, attempt */
    SCHEDULER_LOG,     /* text: a piece of an attempt's output */
    SCHEDULER_ENDED, /* an attempt: event (what becomes of the task), outcome, wait_ms, text why */
    SCHEDULER_LOST,  /* an attempt whose lease somebody else has taken away: no ENDED comes */
    SCHEDULER_STORE_FAILURE, /* the store is gone: text */
    SCHEDULER_BACK,          /* and back */
    SCHEDULER_PAUSED,
    SCHEDULER_RESUMED,
    SCHEDULER_DRAINING, /* text: why */
    SCHEDULER_IDLE,     /* nothing is left to run; failed: whether something is FAILED or BLOCKED */
    SCHEDULER_WARN      /* text */
};

struct scheduler_event {
    enum scheduler_event_kind kind;
    int64_t task; /* 0: of no task */
    struct str name;
    uint32_t number;
    enum task_event event;
    struct str outcome, tool, model, text;
    uint64_t wait_ms;
    bool failed;
    uint32_t running, workers;
};

enum scheduler_end {
    SCHEDULER_DRAINED,         /* all in order */
    SCHEDULER_HALTED,          /* all handed back */
    SCHEDULER_WAS_IDLE,        /* until_idle: nothing left, nothing failed */
    SCHEDULER_WAS_IDLE_FAILED, /* until_idle: nothing left, something failed */
    SCHEDULER_STORE_UNUSABLE   /* the store cannot be used: on_event has told */
};

struct scheduler;

struct scheduler_pool {
    const char *name;
    uint32_t workers;
};

/* How an attempt is carried out: executor_start() and its kin, or a stand-in that measures what the
 * rest costs. */
struct scheduler_executor {
    void *(*start)(struct loop *loop, const struct executor_options *options);
    void (*hold)(void *attempt, int64_t deadline);
    void (*stop)(void *attempt, enum attempt_end_kind why);
};

struct scheduler_options {
    const char *url; /* of the store: as tasks_open() takes it */
    const char *home, *self;
    uint32_t workers;                   /* 0: SCHEDULER_WORKERS; with pools: their sum */
    const struct scheduler_pool *pools; /* copied */
    size_t pool_count;
    uint64_t lease_ms, drain_ms; /* 0: the defaults */
    struct attempt_policy policy;
    struct tooling *(*tooling)(void *ctx);     /* what holds now; a reference of the caller's */
    const struct scheduler_executor *executor; /* NULL: executor.h */
    bool until_idle;
    struct rng *rng;
    void (*on_event)(const struct scheduler_event *e, void *ctx);
    /* The scheduler is freed when it returns. */
    void (*on_end)(struct scheduler *s, enum scheduler_end how, void *ctx);
    void *ctx;
};

/* Nothing calls back inside it. */
struct scheduler *scheduler_start(struct loop *loop, const struct scheduler_options *options);
void scheduler_drain(struct scheduler *s);
void scheduler_halt(struct scheduler *s);
/* For the status line; asked in the background, told at most once a second. */
void scheduler_watch_counts(struct scheduler *s,
                            void (*on_counts)(const struct tasks_counts *c, void *ctx));
uint64_t scheduler_transactions(const struct scheduler *s); /* how many it has sent to the store */
