/* What the files of the scheduler share, behind scheduler.h.
 *
 *   scheduler.c        its life: start, drain, halt, the end; the timer
 *   scheduler_transaction.c   a transaction: what goes to the store, what comes back
 *   scheduler_attempt.c   an attempt that this orchestrator has, its log and its end
 *
 *   claimed ----> running ----> ended ----> sent ----> gone
 *      \________________________^  ^_________/  the transaction failed
 *
 * A held attempt takes a worker until it has ended; then it waits for a transaction that tells the
 * store. Claimed is one whose lease may be nearly over, because the answer of its transaction took
 * so long: it starts when the lease was renewed; and one whose task has an attempt here that was
 * lost and is being killed.
 */
#pragma once

#include "base/list.h"
#include "orchestrator/scheduler.h"

#define SCHEDULER_TRANSACTION_BYTES                                                                \
    (1u << 20)                   /* of log pieces in one transaction; the rest goes in the next */
#define SCHEDULER_HURRY_MS 1000u /* of SCHEDULER_LEAVE_MS, if somebody is in a hurry */
#define SCHEDULER_COUNT_MS 1000u
#define SCHEDULER_NEVER    UINT64_MAX
#define SCHEDULER_MAX_FAILED                                                                       \
    8u /* transactions in a row that the store refused: it cannot be used */

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
    struct arena arena; /* texts of the claim and of the end */
    struct transaction_claim
        claim;      /* task 0 in no case; the rest is empty if it was not even looked up */
    size_t pool;    /* whose worker it takes */
    uint64_t since; /* the transaction that claimed it */
    void *process;
    bool is_stopped;    /* told to */
    bool is_lost;       /* somebody else may have it: its end is nobody's business */
    struct list pieces; /* of its log, those that are not in the store */
    size_t piece_bytes;
    uint64_t seq;      /* of the last piece */
    uint64_t left_out; /* bytes that had no room */
    struct transaction_end end;
};

struct scheduler_piece {
    struct list link;
    uint64_t seq;
    int64_t at;
    bool is_sent; /* in the transaction that is at the store */
    struct buf text;
};

enum scheduler_phase {
    PHASE_WORK,
    PHASE_DRAIN, /* nothing new; what runs may finish */
    PHASE_HALT,  /* what runs was told to stop */
    PHASE_LEAVE, /* nothing runs; the last transaction */
    PHASE_CLOSE  /* the thread closes */
};

enum scheduler_time { /* when something is due by itself */
    AT_RENEW,
    AT_DUE,     /* a wait, or somebody's lease, is over */
    AT_LOG,     /* log pieces have waited long enough */
    AT_BACKOFF, /* after attempts that could not be started here */
    AT_AGAIN,   /* after a transaction that failed */
    AT_COUNT,   /* the counts may be told again */
    AT_DRAIN,
    AT_LEAVE,
    AT_TIME_COUNT
};

/* The transaction at the store. Its arrays stay for the next one. */
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
    /* Attempts that are ours, says the store, and nobody here knows; looked up after the
     * transaction. */
    struct transaction_hold asked[SCHEDULER_MAX_WORKERS];
    struct transaction_claim found[SCHEDULER_MAX_WORKERS];
    size_t asked_count;
    bool has_more;  /* log pieces that had no room in it */
    char name[256]; /* of the store */
};

struct scheduler_own_pool {
    char *name; /* NULL: of any pool */
    uint32_t workers, taken;
};

struct scheduler {
    struct loop *loop;
    struct scheduler_options o; /* its texts are copies */
    struct scheduler_executor executor;
    struct store_thread *thread;
    struct error begin; /* why there is no thread */
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
    uint64_t renewed;    /* loop_now() before the transaction that did it was sent */
    int64_t lease_clock; /* supervisor_clock() then: from there on the lease holds */
    struct transaction_hold
        asked[SCHEDULER_MAX_WORKERS]; /* to be looked up with the next transaction */
    size_t asked_count;

    bool is_started; /* a transaction was done */
    bool is_idle, is_paused, has_store_failure, is_backing_off;
    int64_t stops;
    uint32_t failed;    /* transactions in a row */
    uint32_t no_starts; /* attempts in a row */

    void (*on_counts)(const struct tasks_counts *c, void *ctx);
    struct tasks_counts counts;
    bool is_counting;
    uint64_t counted; /* loop_now() of the last time */
};

/* ---- scheduler.c */

void scheduler_emit(struct scheduler *s, struct scheduler_event e); /* fills in the numbers */
void scheduler_request_transaction(
    struct scheduler *s, bool renewal); /* a transaction, when this round of the loop ends */
void scheduler_set_time(struct scheduler *s, enum scheduler_time what, uint64_t when);
void scheduler_leave(struct scheduler *s, enum scheduler_end how); /* nothing runs any more */
void scheduler_close(struct scheduler *s);
void scheduler_count(struct scheduler *s); /* asks for the counts, if somebody wants them */
void scheduler_fail(struct scheduler *s, struct str why);
void scheduler_settle(struct scheduler *s);                 /* whether it is over now */
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
/* One that has not started ends with it; one that has ended is not touched. */
void scheduler_attempt_stop(struct scheduler_attempt *h, enum attempt_end_kind why);
bool scheduler_attempt_uses_worker(const struct scheduler_attempt *h);
/* The answer of the transaction that had it: the pieces, and the end, are in the store or are not.
 * */
void scheduler_attempt_confirm(struct scheduler_attempt *h, bool ok);
