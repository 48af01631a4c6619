/* What the sources of the scheduler share:
 *
 *   scheduler.c              its life: start, drain, halt, end; the timer
 *   scheduler_transaction.c  what a transaction sends to the store, and how its answer is applied
 *   scheduler_attempt.c      one attempt that this orchestrator holds: its log and its end
 *
 *   claimed ----> running ----> ended ----> sent ----> freed
 *      \________________________^  ^_________/  the transaction failed
 *
 * An attempt uses a worker until it has ended; then it waits for a transaction that reports it. It
 * stays claimed, and starts after the next renewal, if the answer of its transaction took so long
 * that the lease may be nearly over, or while a lost attempt at the same task is being killed here.
 */
#pragma once

#include "base/list.h"
#include "orchestrator/scheduler.h"

#define SCHEDULER_TRANSACTION_BYTES (1u << 20) /* of log pieces in one transaction */
#define SCHEDULER_HURRY_MS          1000u /* instead of SCHEDULER_LEAVE_MS after scheduler_halt() */
#define SCHEDULER_COUNT_MS          1000u
#define SCHEDULER_NEVER             UINT64_MAX
#define SCHEDULER_MAX_FAILED        8u /* refused transactions in a row: the store cannot be used */

enum scheduler_attempt_state {
    HELD_CLAIMED,
    HELD_RUNNING,
    HELD_ENDED,
    HELD_SENT
};

struct scheduler_attempt {
    struct list link;
    struct scheduler *s;
    enum scheduler_attempt_state state;
    struct arena arena;             /* texts of the claim and of the end */
    struct transaction_claim claim; /* task is never 0; texts are empty if the claim was not read */
    size_t pool;                    /* index of the pool whose worker it uses */
    uint64_t since;                 /* number of the transaction that claimed it */
    void *process;
    bool is_stopped;    /* was asked to stop */
    bool is_lost;       /* another owner may have the task: do not report its end */
    struct list pieces; /* pieces of its log that are not stored yet */
    size_t piece_bytes;
    uint64_t seq;      /* of the last piece */
    uint64_t left_out; /* bytes that were dropped */
    struct transaction_end end;
};

struct scheduler_piece {
    struct list link;
    uint64_t seq;
    int64_t at;
    bool is_sent; /* in the transaction in flight */
    struct buf text;
};

enum scheduler_phase {
    PHASE_WORK,
    PHASE_DRAIN, /* start nothing new; runs may finish */
    PHASE_HALT,  /* runs were asked to stop */
    PHASE_LEAVE, /* nothing runs; the last transaction is left */
    PHASE_CLOSE  /* the thread closes */
};

enum scheduler_time { /* what the timer waits for */
    AT_RENEW,
    AT_DUE,     /* a wait or a lease of another owner ends */
    AT_LOG,     /* log pieces must be sent */
    AT_BACKOFF, /* the pause after attempts that could not be started ends */
    AT_AGAIN,   /* a failed transaction is retried */
    AT_COUNT,   /* the counts may be read again */
    AT_DRAIN,
    AT_LEAVE,
    AT_TIME_COUNT
};

/* The transaction in flight. Its arrays are reused by the next one. */
struct scheduler_flight {
    bool is_out;
    struct transaction transaction;
    int64_t clock;   /* supervisor_clock() before it was sent */
    uint64_t sent;   /* loop_now() then */
    uint64_t number; /* of the transaction */
    struct transaction_log *logs;
    struct transaction_end *ends;
    struct transaction_slot slots[SCHEDULER_MAX_POOLS];
    size_t log_cap, end_cap;
    /* Attempts that are ours by the store but unknown here. Their claims are read in the same
     * work, after the transaction. */
    struct transaction_hold asked[SCHEDULER_MAX_WORKERS];
    struct transaction_claim found[SCHEDULER_MAX_WORKERS];
    size_t asked_count;
    bool has_more;  /* log pieces are left for the next one */
    char name[256]; /* of the store, for people */
};

struct scheduler_own_pool {
    char *name; /* NULL: any pool */
    uint32_t workers, taken;
};

struct scheduler {
    struct loop *loop;
    struct scheduler_options o; /* with copies of its texts */
    struct scheduler_executor executor;
    struct store_thread *thread;
    struct error begin; /* why the thread could not be opened */
    char owner[96], host[64];
    struct scheduler_own_pool pools[SCHEDULER_MAX_POOLS];
    size_t pool_count;
    uint32_t workers, running; /* running: claimed or running */

    enum scheduler_phase phase;
    enum scheduler_end how;
    uint64_t times[AT_TIME_COUNT];
    struct timer timer;
    bool wants_transaction, wants_renewal, is_deferred;
    struct list held;
    struct scheduler_flight flight;
    uint64_t transactions;
    uint64_t renewed;    /* loop_now() before the last renewal was sent */
    int64_t lease_clock; /* supervisor_clock() at that time: the lease begins there */
    struct transaction_hold
        asked[SCHEDULER_MAX_WORKERS]; /* read their claims with the next transaction */
    size_t asked_count;

    bool is_started; /* a transaction has succeeded */
    bool is_idle, is_paused, has_store_failure, is_backing_off;
    int64_t stops;
    uint32_t failed;    /* failed transactions in a row */
    uint32_t no_starts; /* attempts in a row that could not be started */

    void (*on_counts)(const struct tasks_counts *c, void *ctx);
    struct tasks_counts counts;
    bool is_counting;
    uint64_t counted; /* loop_now() of the last count */
};

/* ---- scheduler.c */

void scheduler_emit(struct scheduler *s, struct scheduler_event e); /* sets running and workers */
void scheduler_request_transaction(struct scheduler *s,
                                   bool renewal); /* at the end of this round of the loop */
void scheduler_set_time(struct scheduler *s, enum scheduler_time what, uint64_t when);
void scheduler_leave(struct scheduler *s, enum scheduler_end how); /* nothing runs any more */
void scheduler_close(struct scheduler *s);
void scheduler_count(struct scheduler *s); /* if there is a watcher */
void scheduler_fail(struct scheduler *s, struct str why);
void scheduler_settle(struct scheduler *s); /* end a drain or halt if nothing runs any more */
uint32_t scheduler_free_workers(const struct scheduler *s); /* 0 if nothing may be claimed */

/* ---- scheduler_transaction.c */

void scheduler_transaction_send(struct scheduler *s);

/* ---- scheduler_attempt.c */

struct scheduler_attempt *scheduler_attempt_new(struct scheduler *s,
                                                const struct transaction_claim *claim);
void scheduler_attempt_free(struct scheduler_attempt *h);
struct scheduler_attempt *scheduler_attempt_find(const struct scheduler *s, int64_t task,
                                                 uint32_t number);
void scheduler_attempt_start(struct scheduler_attempt *h, int64_t deadline);
void scheduler_attempt_extend(struct scheduler_attempt *h, int64_t deadline);
/* An attempt that has not started ends inside this call; one that has ended is ignored. */
void scheduler_attempt_stop(struct scheduler_attempt *h, enum attempt_end_kind why);
bool scheduler_attempt_uses_worker(const struct scheduler_attempt *h);
/* Apply the result of the transaction that sent the pieces and the end: drop them, or keep them for
 * the next one. */
void scheduler_attempt_confirm(struct scheduler_attempt *h, bool ok);
