#include "orchestrator/transaction.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrator/transaction_internal.h"
#include "task/run_id.h"

#define SOON_MS    50u        /* something is due or READY, but another transaction has locked it */
#define TRIM_EVERY 2048       /* claims between two checks of the length of the feed */
#define FORGET_MS  "86400000" /* when an idle orchestrator is deleted, after its lease */
#define DUE_MOST   "1000"

/* ---- reading the state */

/* The rows are the attempts that the owner reports as ended, and one row (task 0) with the rest. */
static void take_state_row(struct transaction_job *j, const struct store_rows *q)
{
    int64_t task = store_int(q, 0);
    if (task == 0) {
        j->now = store_int(q, 1);
        j->next_due = store_int(q, 2);
        j->next_lease = store_int(q, 3);
        j->own_lease = store_int(q, 4);
        j->t->control = tasks_control_of(store_text(q, 7), store_int(q, 5), store_int(q, 6));
        return;
    }
    for (size_t i = 0; i < j->t->end_count; i++) {
        const struct transaction_end *report = &j->t->ends[i];
        if (report->task != task || report->number != store_int(q, 1))
            continue;
        struct transaction_ending e = {
            .task = task,
            .number = report->number,
            .report = report,
            .owner = j->t->owner,
            .host = tasks_clean_text(&j->t->arena, j->t->host),
            .started = store_int(q, 3),
            .has_dependents = store_int(q, 4) != 0,
            .follow_up = report->follow_up,
        };
        if (store_int(q, 2) && report->follow_up.event != TASK_SUCCEED)
            e.follow_up.event = TASK_CANCEL; /* a person has cancelled it */
        transaction_end_add(j, &e);
        return; /* a duplicate report ends it once */
    }
}

#define NEXT_DUE                                                                                   \
    "COALESCE((SELECT due FROM status " TASKS_BY_DUE                                               \
    " WHERE state = 'RETRY_WAIT' ORDER BY due LIMIT 1), 0)"
#define NEXT_LEASE                                                                                 \
    "COALESCE((SELECT min(lease_until) FROM orchestrator o WHERE id <> ?1 AND EXISTS (SELECT 1"    \
    " FROM status s " TASKS_BY_RUNNING " WHERE s.state = 'RUNNING' AND s.owner = o.id)), 0)"

static bool read_state(struct transaction_job *j)
{
    static const char sql[] =
        "WITH mine AS (SELECT task, attempts, cancel, started FROM status"
        " WHERE state = 'RUNNING' AND owner = ?1 AND task " TASKS_IN_2
        " ORDER BY task --pg FOR UPDATE\n"
        ") SELECT task, attempts, cancel, started,"
        " CASE WHEN EXISTS (SELECT 1 FROM need WHERE needs = mine.task) THEN 1 ELSE 0 END,"
        " 0, 0, '' FROM mine UNION ALL SELECT 0, now_ms(), " NEXT_DUE ", " NEXT_LEASE
        ", COALESCE((SELECT lease_until FROM orchestrator WHERE id = ?1), 0), stops, since, mode"
        " FROM control WHERE id = 1";
    struct tasks_id_list ids = {0};
    for (size_t i = 0; i < j->t->end_count; i++)
        tasks_id_list_add(&ids, j->t->ends[i].task);
    struct buf text = tasks_id_list_text(&ids);
    struct store_rows q = store_query(
        j->s,
        &(struct store_statement){sql, {STORE_TEXT(j->t->owner), STORE_TEXT(buf_str(&text))}});
    while (store_next(&q))
        take_state_row(j, &q);
    bool ok = store_end(&q, j->err);
    buf_done(&text);
    tasks_id_list_done(&ids);
    return ok && (j->now ||
                  error_set(j->err, ERR_IO, "the store is damaged: its table control has no row"));
}

/* ---- the owner's own row */

static bool wants_claims(const struct transaction *t)
{
    for (size_t i = 0; i < t->slot_count; i++)
        if (t->slots[i].free)
            return t->control.mode == TASKS_RUNNING;
    return false;
}

/* Renew for a little longer than lease_ms, so that not every claim must renew the lease first. */
static bool renew_lease(struct transaction_job *j)
{
    static const char sql[] =
        "INSERT INTO orchestrator (id, host, pid, workers, started, seen, lease_until, grace)"
        " VALUES (?1, ?2, ?3, ?4, now_ms(), now_ms(), now_ms() + ?5, ?6)"
        " ON CONFLICT (id) DO UPDATE SET host = excluded.host, pid = excluded.pid,"
        " workers = excluded.workers, seen = excluded.seen, grace = excluded.grace,"
        " lease_until = CASE WHEN orchestrator.lease_until > excluded.lease_until"
        " THEN orchestrator.lease_until ELSE excluded.lease_until END";
    const struct transaction *t = j->t;
    return store_do(j->s,
                    &(struct store_statement){
                        sql,
                        {STORE_TEXT(t->owner), STORE_TEXT(tasks_clean_text(&j->t->arena, t->host)),
                         STORE_INT(t->pid), STORE_INT(t->workers),
                         STORE_INT((int64_t)(t->lease_ms + t->lease_ms / 32)),
                         STORE_INT((int64_t)(t->lease_ms / TRANSACTION_GRACE))}},
                    NULL, j->err);
}

static bool hold_lease(struct transaction_job *j)
{
    const struct transaction *t = j->t;
    if (t->leaves)
        return true;
    if (!t->renews && (!wants_claims(t) || j->own_lease >= j->now + (int64_t)t->lease_ms))
        return true;
    return renew_lease(j);
}

/* Delete the rows of owners that run nothing and were not seen for long. Owners that run something
 * but have no row get one, so that their attempts expire. */
static bool tidy_owners(struct transaction_job *j)
{
    static const char forgotten[] =
        "DELETE FROM orchestrator WHERE id IN (SELECT id FROM orchestrator o"
        " WHERE lease_until <= now_ms() - " FORGET_MS " AND NOT EXISTS (SELECT 1 FROM status s"
        " WHERE s.state = 'RUNNING' AND s.owner = o.id) ORDER BY id --pg FOR UPDATE SKIP LOCKED\n"
        ")";
    static const char unknown[] =
        "INSERT INTO orchestrator (id, host, pid, workers, started, seen, lease_until, grace)"
        " SELECT DISTINCT s.owner, '', 0, 0, now_ms(), now_ms(), now_ms() + ?1, 0 FROM status s"
        " WHERE s.state = 'RUNNING' AND NOT EXISTS (SELECT 1 FROM orchestrator o"
        " WHERE o.id = s.owner) ON CONFLICT DO NOTHING";
    return store_do(j->s, &(struct store_statement){.sql = forgotten}, NULL, j->err) &&
           store_do(j->s, &(struct store_statement){unknown, {STORE_INT((int64_t)j->t->lease_ms)}},
                    NULL, j->err);
}

static bool remove_owner(struct transaction_job *j)
{
    static const char sql[] = "DELETE FROM orchestrator WHERE id = ?1 AND NOT EXISTS (SELECT 1"
                              " FROM status WHERE state = 'RUNNING' AND owner = ?1)";
    return store_do(j->s, &(struct store_statement){sql, {STORE_TEXT(j->t->owner)}}, NULL, j->err);
}

/* ---- logs, waits */

static bool write_logs(struct transaction_job *j)
{
    /* A removed task gets no log. */
    static const char sql[] =
        "INSERT INTO log (task, number, seq, at, text)"
        " SELECT CAST(?1 AS BIGINT), CAST(?2 AS BIGINT), CAST(?3 AS BIGINT), CAST(?4 AS BIGINT),"
        " CAST(?5 AS TEXT) WHERE EXISTS (SELECT 1 FROM task WHERE id = ?1) ON CONFLICT DO NOTHING";
    bool ok = true;
    for (size_t i = 0; ok && i < j->t->log_count; i++) {
        const struct transaction_log *l = &j->t->logs[i];
        ok = store_do(j->s,
                      &(struct store_statement){
                          sql,
                          {STORE_INT(l->task), STORE_INT(l->number), STORE_INT((int64_t)l->seq),
                           STORE_INT(l->at), STORE_TEXT(tasks_clean_text(&j->t->arena, l->text))}},
                      NULL, j->err);
    }
    return ok && (!j->t->log_count || store_notify(j->s, TASKS_LOG, j->err));
}

static bool end_waits(struct transaction_job *j)
{
    static const char sql[] =
        "UPDATE status SET state = 'READY', due = 0, why = '', changed =" TASKS_CLOCK
        " WHERE state = 'RETRY_WAIT' AND task --pg = ANY(ARRAY /*\n IN\n--pg */\n"
        " (SELECT task FROM status " TASKS_BY_DUE " WHERE state = 'RETRY_WAIT'"
        " AND due <= now_ms() ORDER BY due LIMIT " DUE_MOST " --pg FOR UPDATE SKIP LOCKED)\n"
        ") RETURNING task";
    struct store_rows q = store_query(j->s, &(struct store_statement){.sql = sql});
    while (store_next(&q)) {
        tasks_id_list_add(&j->ready, store_int(&q, 0));
        tasks_feed_add(&j->feed, store_int(&q, 0), 0, "ready", NULL);
    }
    return store_end(&q, j->err);
}

/* ---- claims */

#define CLAIM_COLUMNS                                                                              \
    "task, attempts, counted, lost, (SELECT name FROM task t WHERE t.id = status.task), pool,"     \
    " (SELECT repo FROM task t WHERE t.id = status.task),"                                         \
    " (SELECT spec FROM task t WHERE t.id = status.task),"                                         \
    " (SELECT max_attempts FROM task t WHERE t.id = status.task)"

static struct transaction_claim read_claim(const struct store_rows *q, struct arena *a)
{
    return (struct transaction_claim){
        .task = store_int(q, 0),
        .number = tasks_count_of(store_int(q, 1)),
        .tries = {tasks_count_of(store_int(q, 2)), tasks_count_of(store_int(q, 3))},
        .name = arena_str(a, store_text(q, 4)),
        .pool = arena_str(a, store_text(q, 5)),
        .repo = arena_str(a, store_text(q, 6)),
        .spec = arena_str(a, store_text(q, 7)),
        .max_attempts = tasks_count_of(store_int(q, 8)),
    };
}

static void add_claim(struct transaction *t, const struct transaction_claim *c)
{
    size_t n = t->claim_count, size = sizeof *t->claims;
    if ((n & (n - 1)) == 0) /* full at 0, 1, 2, 4, ... */
        t->claims = arena_grow(&t->arena, t->claims, n * size, (n ? 2 * n : 1) * size);
    t->claims[t->claim_count++] = *c;
}

static void take_claim_row(struct transaction_job *j, const struct store_rows *q)
{
    struct transaction_claim c = read_claim(q, &j->t->arena);
    char run[RUN_ID_SIZE];
    run_id_new(run);
    c.run = arena_str(&j->t->arena, str_from(run));
    add_claim(j->t, &c);
    tasks_feed_add(&j->feed, c.task, c.number, "claimed",
                   &(struct tasks_event_fields){.owner = j->t->owner, .run = c.run});
}

#define CLAIM(where)                                                                               \
    "UPDATE status SET state = 'RUNNING', attempts = attempts + 1, owner = ?1, cancel = 0,"        \
    " started =" TASKS_CLOCK ", changed =" TASKS_CLOCK ", ended = 0, why = ''"                     \
    " WHERE task --pg = ANY(ARRAY /*\n IN\n--pg */\n"                                              \
    " (SELECT task FROM status " where " ORDER BY task LIMIT ?2 --pg FOR UPDATE SKIP LOCKED)\n"    \
    ") RETURNING " CLAIM_COLUMNS

static bool claim_slot(struct transaction_job *j, const struct transaction_slot *slot,
                       uint32_t most)
{
    static const char any[] = CLAIM(TASKS_BY_READY " WHERE state = 'READY'");
    static const char pool[] = CLAIM(TASKS_BY_POOL " WHERE state = 'READY' AND pool = ?3");
    struct store_rows q =
        store_query(j->s, &(struct store_statement){
                              slot->pool.n ? pool : any,
                              {STORE_TEXT(j->t->owner), STORE_INT(most), STORE_TEXT(slot->pool)}});
    while (store_next(&q))
        take_claim_row(j, &q);
    return store_end(&q, j->err);
}

static int by_task(const void *a, const void *b)
{
    int64_t x = ((const struct transaction_claim *)a)->task,
            y = ((const struct transaction_claim *)b)->task;
    return x < y ? -1 : x > y;
}

bool transaction_claim_of(struct store *s, struct transaction *t,
                          const struct transaction_hold *hold, struct transaction_claim *out,
                          struct error *err)
{
    static const char sql[] = "SELECT " CLAIM_COLUMNS " FROM status WHERE state = 'RUNNING'"
                              " AND owner = ?1 AND task = ?2 AND attempts = ?3";
    struct transaction_claim claim = {0};
    struct store_rows q = store_query(
        s, &(struct store_statement){
               sql, {STORE_TEXT(t->owner), STORE_INT(hold->task), STORE_INT(hold->number)}});
    if (store_next(&q))
        claim = read_claim(&q, &t->arena);
    if (!store_end(&q, err))
        return false;
    *out = claim;
    return true;
}

static void fill_slot(struct transaction_job *j, struct str pool)
{
    for (size_t i = 0; i < j->t->slot_count; i++) {
        struct str of = j->t->slots[i].pool;
        if (j->left[i] && (!of.n || str_eq(of, pool))) {
            j->left[i]--;
            return;
        }
    }
}

/* Take the claims of an earlier run of this transaction whose commit succeeded, although its answer
 * was lost. */
static bool claim_again(struct transaction_job *j)
{
    for (size_t i = 0; i < j->before_count; i++) {
        struct transaction_claim claim;
        if (!transaction_claim_of(j->s, j->t, &j->before[i], &claim, j->err))
            return false;
        if (!claim.task)
            continue;
        add_claim(j->t, &claim);
        fill_slot(j, claim.pool);
    }
    return true;
}

static bool claim_slots(struct transaction_job *j)
{
    struct transaction *t = j->t;
    bool ok = claim_again(j);
    for (size_t i = 0; ok && wants_claims(t) && i < t->slot_count; i++) {
        size_t before = t->claim_count;
        if (!j->left[i])
            continue;
        ok = claim_slot(j, &t->slots[i], j->left[i]);
        j->left[i] -= (uint32_t)(t->claim_count - before);
    }
    if (ok && t->claim_count > 1)
        qsort(t->claims, t->claim_count, sizeof *t->claims, by_task);
    return ok;
}

static void add_hold(struct transaction *t, const struct store_rows *q)
{
    size_t n = t->hold_count, size = sizeof *t->holds;
    if ((n & (n - 1)) == 0)
        t->holds = arena_grow(&t->arena, t->holds, n * size, (n ? 2 * n : 1) * size);
    t->holds[t->hold_count++] = (struct transaction_hold){
        store_int(q, 0), tasks_count_of(store_int(q, 1)), store_int(q, 2) != 0};
}

static bool list_holds(struct transaction_job *j)
{
    static const char sql[] = "SELECT task, attempts, cancel FROM status " TASKS_BY_RUNNING
                              " WHERE state = 'RUNNING' AND owner = ?1 ORDER BY task";
    struct store_rows q =
        store_query(j->s, &(struct store_statement){sql, {STORE_TEXT(j->t->owner)}});
    while (store_next(&q))
        add_hold(j->t, &q);
    return store_end(&q, j->err);
}

/* ---- the end of a transaction */

static bool has_free_slot(const struct transaction_job *j)
{
    for (size_t i = 0; i < j->t->slot_count; i++)
        if (j->left[i])
            return true;
    return false;
}

/* Whether a READY task is left for a free slot: another transaction has locked it, and may fail. */
static bool check_ready_left(struct transaction_job *j)
{
    static const char any[] =
        "SELECT 1 FROM status " TASKS_BY_READY " WHERE state = 'READY' LIMIT 1";
    static const char pool[] =
        "SELECT 1 FROM status " TASKS_BY_POOL " WHERE state = 'READY' AND pool = ?1 LIMIT 1";
    bool ok = true;
    for (size_t i = 0; ok && wants_claims(j->t) && i < j->t->slot_count; i++) {
        struct str of = j->t->slots[i].pool;
        if (!j->left[i])
            continue;
        struct store_rows q =
            store_query(j->s, &(struct store_statement){of.n ? pool : any, {STORE_TEXT(of)}});
        j->has_ready = store_next(&q) || j->has_ready;
        ok = store_end(&q, j->err);
    }
    return ok;
}

/* Must be the last read, after check_ready_left(): so tasks that others have claimed meanwhile show
 * as RUNNING with their leases.
 *
 * PENDING tasks need no check: each waits, directly or not, for a task that is READY, RUNNING or in
 * RETRY_WAIT; otherwise it would be BLOCKED. */
static bool read_final_state(struct transaction_job *j)
{
#define HAS(where) ", EXISTS (SELECT 1 FROM status " where ")"
    static const char sql[] =
        "SELECT " NEXT_DUE ", " NEXT_LEASE HAS(TASKS_BY_READY " WHERE state = 'READY'")
            HAS(TASKS_BY_RUNNING " WHERE state = 'RUNNING'")
                HAS(TASKS_BY_BAD " WHERE state = 'FAILED' OR state = 'BLOCKED'");
    struct store_rows q =
        store_query(j->s, &(struct store_statement){sql, {STORE_TEXT(j->t->owner)}});
    if (store_next(&q)) {
        j->next_due = store_int(&q, 0);
        j->next_lease = store_int(&q, 1);
        j->is_last = !j->next_due && !store_int(&q, 2);
        j->t->is_idle = j->is_last && !store_int(&q, 3);
        j->t->has_failed = store_int(&q, 4) != 0;
    }
    return store_end(&q, j->err);
}

/* Whether this transaction claimed all tasks that it made READY. */
static bool is_all_claimed(const struct transaction_job *j)
{
    size_t claimed = 0;
    for (size_t i = 0; i < j->ready.count; i++) {
        const struct transaction_claim key = {.task = j->ready.items[i]};
        claimed += j->t->claim_count &&
                   bsearch(&key, j->t->claims, j->t->claim_count, sizeof key, by_task);
    }
    return claimed == j->ready.count;
}

static bool has_retry(const struct transaction_job *j)
{
    for (size_t i = 0; i < j->ending_count; i++)
        if (j->endings[i].follow_up.event == TASK_RETRY)
            return true;
    return false;
}

/* Notify others if there is something for them: work; a retry, if no worker is free here; or
 * perhaps the end of all work. Two transactions that end the last two tasks at once do not see each
 * other's end, so notify also if only tasks of others are still running. */
static bool notify_others(struct transaction_job *j)
{
    bool is_last = j->is_last && j->ending_count > 0 && !j->t->claim_count;
    if (is_all_claimed(j) && !is_last && (has_free_slot(j) || !has_retry(j)))
        return true;
    return store_notify(j->s, TASKS_WORK, j->err);
}

static bool trim_feed(struct transaction_job *j)
{
    bool is_time = j->t->renews;
    for (size_t i = 0; i < j->t->claim_count; i++)
        is_time = is_time || j->t->claims[i].task % TRIM_EVERY == 0;
    return !is_time || tasks_feed_trim(j->s, j->err);
}

static void set_next(struct transaction_job *j)
{
    int64_t at = j->next_due;
    if (j->next_lease && (!at || j->next_lease < at))
        at = j->next_lease;
    j->t->next_ms = !at ? 0 : at > j->now ? (uint64_t)(at - j->now) : SOON_MS;
    if (j->has_ready && (!at || j->t->next_ms > SOON_MS))
        j->t->next_ms = SOON_MS;
}

static bool run_steps(struct transaction_job *j)
{
    struct transaction *t = j->t;
    if (!tasks_lock_transaction(j->s, j->err) || !read_state(j) || !hold_lease(j))
        return false;
    bool is_lease_over = j->next_lease && j->next_lease <= j->now;
    bool is_due = j->next_due && j->next_due <= j->now;
    if ((is_lease_over && !transaction_end_collect(j)) || !write_logs(j) ||
        !transaction_end_apply(j) || (t->renews && !tidy_owners(j)) || (is_due && !end_waits(j)) ||
        !claim_slots(j) || (t->renews && !list_holds(j)))
        return false;
    bool is_free = has_free_slot(j);
    if ((is_free && !check_ready_left(j)) ||
        ((is_free || is_lease_over || is_due || (j->ending_count && !t->claim_count)) &&
         !read_final_state(j)))
        return false;
    set_next(j);
    return (!t->leaves || remove_owner(j)) && tasks_feed_write(j->s, &j->feed, j->err) &&
           trim_feed(j) && notify_others(j);
}

/* ---- public */

bool transaction_work(struct store *s, void *transaction, struct error *err)
{
    struct transaction *t = transaction;
    struct transaction_job j = {.s = s, .t = t, .err = err};
    assert(t->owner.n);
    j.before = mem_alloc((t->claim_count + 1) * sizeof *j.before);
    for (size_t i = 0; i < t->claim_count; i++)
        j.before[j.before_count++] =
            (struct transaction_hold){t->claims[i].task, t->claims[i].number, false};
    arena_reset(&t->arena);
    t->claims = NULL;
    t->holds = NULL;
    t->claim_count = t->hold_count = 0;
    t->is_idle = t->has_failed = false;
    t->next_ms = 0;
    j.left = arena_alloc(&t->arena, (t->slot_count + 1) * sizeof *j.left);
    for (size_t i = 0; i < t->slot_count; i++)
        j.left[i] = t->slots[i].free;
    bool ok = run_steps(&j);
    free(j.before);
    tasks_id_list_done(&j.ready);
    tasks_feed_done(&j.feed);
    return ok;
}

void transaction_done(struct transaction *t)
{
    arena_done(&t->arena);
    t->claims = NULL;
    t->holds = NULL;
    t->claim_count = t->hold_count = 0;
}
