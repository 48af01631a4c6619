/* What the files of tasks and transaction share: how their statements are written, who waits for
 * whom, the feed, and what a change of one task means for those that depend on it. All SQL of tasks
 * is in tasks*.c and transaction*.c.
 *
 * Tables (tasks_schema.c): a task is a row of `task`, which never changes, and one of `status`,
 * which does. The row of an attempt is written when the attempt ends; one that runs is told by
 * status. A lease belongs to an owner, not to an attempt: the owner's row in `orchestrator` has it.
 *
 * Who waits for whom, on PostgreSQL: a transaction holds one lock of the database together with
 * other transactions, a person's change holds it alone. So a person's change sees and leaves a
 * graph in which nothing moves. Transactions wait for each other only at rows: first at those of
 * attempts that ended, in the order of their numbers; then at those of tasks downstream, all in one
 * statement, in the order of their numbers; everything else they leave to whoever has it (SKIP
 * LOCKED). So no two of them ever wait for each other in a circle.
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

/* The index that SQLite is to use; PostgreSQL finds it by itself. */
#define TASKS_BY_READY   TASKS_BY("status_ready")
#define TASKS_BY_POOL    TASKS_BY("status_pool")
#define TASKS_BY_RUNNING TASKS_BY("status_running")
#define TASKS_BY_DUE     TASKS_BY("status_due")
#define TASKS_BY_BAD     TASKS_BY("status_bad")
#define TASKS_BY(index)  "--pg /*\n INDEXED BY " index "\n--pg */\n"

/* What people see as the time of a change: when the rows were there to be changed, which on
 * PostgreSQL may be later than now_ms(), the beginning of the transaction. So what was waited for
 * never ends after what waited for it begins. */
#define TASKS_CLOCK                                                                                \
    " --pg CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) /*\n"                      \
    " now_ms()\n"                                                                                  \
    "--pg */\n"

/* "task " TASKS_DOWNSTREAM: those that depend on ?1, directly or not, as far as the way goes over
 * tasks that wait because of others: what is cancelled, or has failed itself, stands for those
 * behind it. PostgreSQL finds them first, and then each by its number. */
#define TASKS_DOWNSTREAM                                                                           \
    "--pg = ANY(ARRAY /*\n IN\n--pg */\n"                                                          \
    " (WITH RECURSIVE d(task) AS (SELECT task FROM need WHERE needs = ?1"                          \
    " UNION SELECT n.task FROM d JOIN status s ON s.task = d.task JOIN need n ON n.needs = d.task" \
    " WHERE s.state = 'PENDING' OR (s.state = 'BLOCKED' AND s.because <> 0))"                      \
    " SELECT task FROM d --pg )\n"                                                                 \
    ")"
/* A condition that is no reason to use the index of those that are bad: they may be many. */
#define TASKS_WAITS_IN_VAIN "COALESCE(state, '') = 'BLOCKED' AND because <> 0"

/* ---- locks */

bool tasks_lock_transaction(struct store *s,
                            struct error *err); /* with other transactions; first of all */
/* Persons' changes: one at a time from tasks_lock_names() on, and without transactions from
 * tasks_lock_all() on, which takes both. A change that is large does what nobody sees before. */
bool tasks_lock_names(struct store *s, struct error *err);
bool tasks_lock_all(struct store *s, struct error *err);

/* ---- lists of numbers, and the feed */

struct tasks_id_list {
    int64_t *items; /* for free() */
    size_t count, cap;
};

void tasks_id_list_add(struct tasks_id_list *l, int64_t id);
/* Add the first column of all rows. */
bool tasks_id_list_read(struct tasks_id_list *ids, struct store *s,
                        const struct store_statement *st, struct error *err);
/* As TASKS_IN wants it; buf_done() is the caller's. */
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

struct tasks_event_fields { /* what an event says beside its kind; zeros are left out */
    struct str owner, run, why;
    const char *state; /* where it stands; NULL: as the kind says */
    int64_t because;   /* a task */
    uint64_t wait_ms;
};

void tasks_feed_add(struct tasks_feed *f, int64_t task, uint32_t number, const char *kind,
                    const struct tasks_event_fields *told);
/* Into the store, with a word to TASKS_LOG; empty: nothing. */
bool tasks_feed_write(struct store *s, struct tasks_feed *f, struct error *err);
void tasks_feed_done(struct tasks_feed *f);
bool tasks_feed_trim(struct store *s, struct error *err);

/* ---- downstream */

/* `root` has failed, is cancelled or is in the backlog: whoever waits for it is blocked by it. */
bool tasks_block(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                 struct error *err);
/* `root` was one of those and is not any more: who waits only for it is free to wait again. A root
 * that is PENDING is blocked itself where there is a reason. */
bool tasks_release(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                   struct error *err);
/* Of tasks that were made PENDING: those that wait for what will not come are BLOCKED. */
bool tasks_block_again(struct store *s, struct tasks_id_list *pending, struct error *err);

/* ---- rows */

/* The whole number as this program wrote it; what it could not have written is cut. */
uint32_t tasks_count_of(int64_t n);
/* Return text as valid UTF-8 without NUL: text itself, or a copy in the arena. */
struct str tasks_clean_text(struct arena *a, struct str text);
bool tasks_check_name(struct str name, const char *what, struct error *err);
struct tasks_control tasks_control_of(struct str mode, int64_t stops, int64_t since);
struct nearest;
/* Offers the names of all tasks; the best is copied. */
bool tasks_nearest(struct store *s, struct nearest *n, struct arena *a, struct error *err);
