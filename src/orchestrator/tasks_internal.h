/* What the sources of tasks and transaction share: how statements are written, the order of locks,
 * the feed, and how a change of one task changes its dependents. All SQL of tasks is in tasks*.c
 * and transaction*.c.
 *
 * Tables (tasks_schema.c): a task is one row of `task`, which never changes, and one of `status`,
 * which does. The row of an attempt is written when the attempt ends; a running attempt is
 * described by `status`. A lease belongs to an owner (its row in `orchestrator`), not to an
 * attempt.
 *
 * Locks on PostgreSQL: transactions share one advisory lock, a person's change takes it
 * exclusively. So nothing moves in the graph while a person's change runs. Transactions wait for
 * each other only at rows: first those of ended attempts, in the order of task numbers; then those
 * of dependents, all in one statement and in the same order. All other locked rows are skipped
 * (SKIP LOCKED). So two transactions cannot deadlock.
 */
#pragma once

#include "base/arena.h"
#include "orchestrator/tasks.h"

/* "task " TASKS_IN_1: task is one of the numbers in the text ?1, which is "1,2,3" or "". */
#define TASKS_IN_1 TASKS_IN("?1")
#define TASKS_IN_2 TASKS_IN("?2")
#define TASKS_IN(value)                                                                            \
    "--pg = ANY(CAST(string_to_array(" value ", ',') AS BIGINT[])) /*\n"                           \
    " IN (SELECT value FROM json_each('[' || " value " || ']'))\n"                                 \
    "--pg */\n"

/* The index that SQLite must use; PostgreSQL chooses the right one itself. */
#define TASKS_BY_READY   TASKS_BY("status_ready")
#define TASKS_BY_POOL    TASKS_BY("status_pool")
#define TASKS_BY_RUNNING TASKS_BY("status_running")
#define TASKS_BY_DUE     TASKS_BY("status_due")
#define TASKS_BY_BAD     TASKS_BY("status_bad")
#define TASKS_BY(index)  "--pg /*\n INDEXED BY " index "\n--pg */\n"

/* The time of a change that people see: the time of the statement. On PostgreSQL now_ms() is the
 * beginning of the transaction, which may be earlier; with it, a task could appear to begin before
 * its dependency has ended. */
#define TASKS_CLOCK                                                                                \
    " --pg CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) /*\n"                      \
    " now_ms()\n"                                                                                  \
    "--pg */\n"

/* "task " TASKS_DOWNSTREAM: task is one that depends on ?1, directly or through tasks that wait.
 * The search stops at tasks that were cancelled or have failed themselves: they block their own
 * dependents. */
#define TASKS_DOWNSTREAM                                                                           \
    "--pg = ANY(ARRAY /*\n IN\n--pg */\n"                                                          \
    " (WITH RECURSIVE d(task) AS (SELECT task FROM need WHERE needs = ?1"                          \
    " UNION SELECT n.task FROM d JOIN status s ON s.task = d.task JOIN need n ON n.needs = d.task" \
    " WHERE s.state = 'PENDING' OR (s.state = 'BLOCKED' AND s.because <> 0))"                      \
    " SELECT task FROM d --pg )\n"                                                                 \
    ")"
/* Written so that SQLite does not use the index status_bad, which may be large. */
#define TASKS_WAITS_IN_VAIN "COALESCE(state, '') = 'BLOCKED' AND because <> 0"

/* ---- locks */

/* Take the lock that transactions share; the first statement of a transaction. */
bool tasks_lock_transaction(struct store *s, struct error *err);
/* For changes by people. tasks_lock_names() excludes other such changes, tasks_lock_all() also
 * transactions. A large change does as much as possible before tasks_lock_all(). */
bool tasks_lock_names(struct store *s, struct error *err);
bool tasks_lock_all(struct store *s, struct error *err);

/* ---- lists of numbers, and the feed */

struct tasks_id_list {
    int64_t *items; /* free() it */
    size_t count, cap;
};

void tasks_id_list_add(struct tasks_id_list *l, int64_t id);
/* Add the first column of all rows that the statement returns. */
bool tasks_id_list_read(struct tasks_id_list *ids, struct store *s,
                        const struct store_statement *st, struct error *err);
/* Return the numbers as TASKS_IN expects them; the caller frees the buffer. */
struct buf tasks_id_list_text(const struct tasks_id_list *l);
void tasks_id_list_done(struct tasks_id_list *l);

struct tasks_feed { /* {0} is empty */
    struct tasks_feed_item {
        int64_t task;
        uint32_t number;
        const char *kind; /* a constant */
        size_t told_at, told_n;
    } * items;
    size_t count, cap;
    struct buf told;
};

struct tasks_event_fields { /* details of an event; zeros are left out */
    struct str owner, run, why;
    const char *state; /* of the task; NULL: the kind implies it */
    int64_t because;   /* a task */
    uint64_t wait_ms;
};

void tasks_feed_add(struct tasks_feed *f, int64_t task, uint32_t number, const char *kind,
                    const struct tasks_event_fields *fields);
/* Write the events to the store and notify TASKS_LOG; do nothing if there are none. */
bool tasks_feed_write(struct store *s, struct tasks_feed *f, struct error *err);
void tasks_feed_done(struct tasks_feed *f);
bool tasks_feed_trim(struct store *s, struct error *err);

/* ---- downstream */

/* Block the dependents of `root`, which has failed, was cancelled or is BLOCKED. */
bool tasks_block(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                 struct error *err);
/* Make the dependents that only `root` blocked PENDING again, because it was revived. If root is
 * PENDING, block it if one of its own dependencies requires that. */
bool tasks_release(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                   struct error *err);
/* Block those of the PENDING tasks that need a blocked, failed or cancelled task, and remove them
 * from the list. */
bool tasks_block_again(struct store *s, struct tasks_id_list *pending, struct error *err);

/* ---- rows */

/* Convert a number of the store; clamp one that this program could not have written. */
uint32_t tasks_count_of(int64_t n);
/* Return text as valid UTF-8 without NUL: text itself, or a copy in the arena. */
struct str tasks_clean_text(struct arena *a, struct str text);
bool tasks_check_name(struct str name, const char *what, struct error *err);
struct tasks_control tasks_control_of(struct str mode, int64_t stops, int64_t since);
struct nearest;
/* Offer the names of all tasks to n; copy the best into the arena. */
bool tasks_nearest(struct store *s, struct nearest *n, struct arena *a, struct error *err);
