#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/jsonw.h"
#include "orchestrator/transaction_internal.h"

#define TAKE_MOST  "1000"    /* expired attempts per transaction */
#define GRACE_MOST "3600000" /* limit for values read from rows */

void transaction_end_add(struct transaction_job *j, const struct transaction_ending *e)
{
    size_t n = j->ending_count, size = sizeof *j->endings;
    if ((n & (n - 1)) == 0) /* full at 0, 1, 2, 4, ... */
        j->endings = arena_grow(&j->t->arena, j->endings, n * size, (n ? 2 * n : 1) * size);
    j->endings[j->ending_count++] = *e;
}

/* ---- attempts whose lease has expired */

static void add_lost(struct transaction_job *j, const struct store_rows *q)
{
    const struct attempt_policy policy = {.max_lost = j->t->max_lost};
    const struct attempt_tries tries = {tasks_count_of(store_int(q, 6)),
                                        tasks_count_of(store_int(q, 7))};
    struct rng unused = {{0}}; /* lost attempts have no random wait */
    struct transaction_ending e = {
        .task = store_int(q, 0),
        .number = tasks_count_of(store_int(q, 1)),
        .owner = arena_str(&j->t->arena, store_text(q, 2)),
        .host = arena_str(&j->t->arena, store_text(q, 3)),
        .started = store_int(q, 4),
        .has_dependents = store_int(q, 8) != 0,
        .follow_up = attempt_policy_follow_up(&(struct attempt_end){.kind = ATTEMPT_LOST}, &policy,
                                              &tries, j->now, &unused),
    };
    if (store_int(q, 5))
        e.follow_up.event = TASK_CANCEL;
    transaction_end_add(j, &e);
}

/* Extend leases that have expired for the first time. */
static bool extend_expired(struct transaction_job *j)
{
    static const char sql[] =
        "UPDATE orchestrator SET grace = 0, lease_until = now_ms() +"
        " CASE WHEN grace < " GRACE_MOST " THEN grace ELSE " GRACE_MOST " END"
        " WHERE id IN (SELECT id FROM orchestrator WHERE lease_until <= now_ms() AND grace > 0"
        " AND id <> ?1 ORDER BY id --pg FOR UPDATE SKIP LOCKED\n"
        ")";
    return store_do(j->s, &(struct store_statement){sql, {STORE_TEXT(j->t->owner)}}, NULL, j->err);
}

/* Lock the rows of the owners first, so that none of them can renew its lease meanwhile. */
bool transaction_end_collect(struct transaction_job *j)
{
    static const char expired[] = "SELECT id FROM orchestrator WHERE lease_until <= now_ms()"
                                  " AND grace <= 0 AND id <> ?1 ORDER BY id"
                                  " --pg FOR UPDATE SKIP LOCKED\n";
#define OWNERS                                                                                     \
    " --pg = ANY(ARRAY(SELECT json_array_elements_text(CAST(?1 AS JSON)))) /*\n"                   \
    " IN (SELECT value FROM json_each(?1))\n"                                                      \
    "--pg */\n"
    static const char attempts[] =
        "SELECT s.task, s.attempts, s.owner, (SELECT host FROM orchestrator o WHERE o.id = "
        "s.owner),"
        " s.started, s.cancel, s.counted, s.lost,"
        " CASE WHEN EXISTS (SELECT 1 FROM need n WHERE n.needs = s.task) THEN 1 ELSE 0 END"
        " FROM status s WHERE s.state = 'RUNNING' AND s.owner" OWNERS
        " ORDER BY s.task LIMIT " TAKE_MOST " --pg FOR UPDATE OF s SKIP LOCKED\n";
    struct buf owners = {0};
    struct jsonw w = jsonw_make(&owners);
    jsonw_array(&w);
    struct store_rows q =
        store_query(j->s, &(struct store_statement){expired, {STORE_TEXT(j->t->owner)}});
    while (store_next(&q))
        jsonw_str(&w, store_text(&q, 0));
    jsonw_end(&w);
    bool ok = store_end(&q, j->err);
    if (ok) {
        q = store_query(j->s, &(struct store_statement){attempts, {STORE_TEXT(buf_str(&owners))}});
        while (store_next(&q))
            add_lost(j, &q);
        ok = store_end(&q, j->err);
    }
    buf_done(&owners);
    return ok && extend_expired(j);
}

/* ---- rows */

static const char *end_kind(const struct transaction_ending *e)
{
    switch (e->follow_up.event) {
    case TASK_SUCCEED:
        return "succeeded";
    case TASK_CANCEL:
        return e->report ? "cancelled" : "lost";
    case TASK_BACK:
        return e->report && !e->follow_up.lost ? "stopped" : "lost";
    case TASK_RETRY:
        if (!e->follow_up.counts)
            return e->report->outcome.n ? "limited" : "lost";
        return "failed";
    case TASK_GIVE_UP:
        return e->report ? "failed" : "lost";
    case TASK_FAIL:
    case TASK_FREE:
    case TASK_CLAIM:
    case TASK_DUE:
    case TASK_UPSTREAM:
    case TASK_RELEASE:
    case TASK_REVIVE:
    case TASK_REOPEN:
    case TASK_EVENT_COUNT:
        break;
    }
    return "failed";
}

static struct str reason_of(struct transaction_job *j, const struct transaction_ending *e)
{
    return tasks_clean_text(
        &j->t->arena,
        str_make(e->follow_up.why, strnlen(e->follow_up.why, sizeof e->follow_up.why)));
}

static bool write_attempt(struct transaction_job *j, const struct transaction_ending *e)
{
    static const char sql[] =
        "INSERT INTO attempt (task, number, owner, host, started, ended, end_kind, outcome,"
        " exit_code, tool, model, run, why, input_tokens, output_tokens, cost_usd, files)"
        " VALUES (?1, ?2, ?3, ?4, ?5," TASKS_CLOCK
        ", ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        " ON CONFLICT DO NOTHING"; /* the row exists only in a repaired store */
    static const struct transaction_end nothing;
    const struct transaction_end *report = e->report ? e->report : &nothing;
    return store_do(
        j->s,
        &(struct store_statement){
            sql,
            {STORE_INT(e->task), STORE_INT(e->number), STORE_TEXT(e->owner), STORE_TEXT(e->host),
             STORE_INT(e->started), STORE_TEXT(str_from(end_kind(e))),
             STORE_TEXT(tasks_clean_text(&j->t->arena, report->outcome)),
             STORE_INT(report->exit_code), STORE_TEXT(tasks_clean_text(&j->t->arena, report->tool)),
             STORE_TEXT(tasks_clean_text(&j->t->arena, report->model)),
             STORE_TEXT(tasks_clean_text(&j->t->arena, report->run)), STORE_TEXT(reason_of(j, e)),
             STORE_INT((int64_t)(report->input_tokens & INT64_MAX)),
             STORE_INT((int64_t)(report->output_tokens & INT64_MAX)),
             STORE_REAL(isfinite(report->cost_usd) ? report->cost_usd : 0),
             STORE_TEXT(tasks_clean_text(&j->t->arena, report->files))}},
        NULL, j->err);
}

static bool write_successes(struct transaction_job *j)
{
    static const char sql[] =
        "UPDATE status SET state = 'SUCCEEDED', counted = counted + 1, lost = 0, cancel = 0,"
        " owner = '', why = '', changed =" TASKS_CLOCK ", ended =" TASKS_CLOCK
        " WHERE state = 'RUNNING' AND task " TASKS_IN_1;
    struct tasks_id_list ids = {0};
    for (size_t i = 0; i < j->ending_count; i++)
        if (j->endings[i].follow_up.event == TASK_SUCCEED)
            tasks_id_list_add(&ids, j->endings[i].task);
    struct buf text = tasks_id_list_text(&ids);
    bool ok =
        !ids.count ||
        store_do(j->s, &(struct store_statement){sql, {STORE_TEXT(buf_str(&text))}}, NULL, j->err);
    buf_done(&text);
    tasks_id_list_done(&ids);
    return ok;
}

static int64_t clamp_wait(const struct transaction_ending *e)
{
    uint64_t most = INT64_MAX / 2; /* it is added to the current time */
    return (int64_t)(e->follow_up.wait_ms < most ? e->follow_up.wait_ms : most);
}

static bool write_unsuccessful(struct transaction_job *j, const struct transaction_ending *e)
{
    static const char sql[] =
        "UPDATE status SET state = ?2, counted = counted + ?3,"
        " lost = CASE WHEN ?4 = 1 THEN lost + 1 ELSE 0 END,"
        " due = CASE WHEN ?5 < 0 THEN 0 ELSE now_ms() + ?5 END, cancel = 0, owner = '', why = ?6,"
        " changed =" TASKS_CLOCK ", ended = CASE WHEN ?7 = 1 THEN" TASKS_CLOCK " ELSE 0 END"
        " WHERE state = 'RUNNING' AND task = ?1";
    const struct attempt_follow_up *v = &e->follow_up;
    bool again = v->event == TASK_RETRY || v->event == TASK_BACK;
    struct str to = str_from(task_state_name(task_state_next(TASK_RUNNING, v->event)));
    return store_do(j->s,
                    &(struct store_statement){
                        sql,
                        {STORE_INT(e->task), STORE_TEXT(to), STORE_INT(v->counts),
                         STORE_INT(v->lost), STORE_INT(v->event == TASK_RETRY ? clamp_wait(e) : -1),
                         STORE_TEXT(reason_of(j, e)), STORE_INT(!again)}},
                    NULL, j->err);
}

static const char *event_kind(const struct transaction_ending *e)
{
    switch (e->follow_up.event) {
    case TASK_SUCCEED:
        return "succeeded";
    case TASK_RETRY:
        return "retry";
    case TASK_CANCEL:
        return "cancelled";
    case TASK_GIVE_UP:
        return "blocked";
    case TASK_BACK:
        return e->report ? "back" : "lost";
    case TASK_FAIL:
    case TASK_FREE:
    case TASK_CLAIM:
    case TASK_DUE:
    case TASK_UPSTREAM:
    case TASK_RELEASE:
    case TASK_REVIVE:
    case TASK_REOPEN:
    case TASK_EVENT_COUNT:
        break;
    }
    return "failed";
}

static void record_event(struct transaction_job *j, const struct transaction_ending *e)
{
    const struct tasks_event_fields fields = {
        .owner = e->owner, .why = reason_of(j, e), .wait_ms = e->follow_up.wait_ms};
    tasks_feed_add(&j->feed, e->task, e->number, event_kind(e), &fields);
    if (e->follow_up.event == TASK_BACK)
        tasks_id_list_add(&j->ready, e->task);
    int64_t due = j->now + clamp_wait(e);
    if (e->follow_up.event == TASK_RETRY && (!j->next_due || due < j->next_due))
        j->next_due = due;
}

/* ---- dependents */

static bool is_bad(const struct transaction_ending *e)
{
    enum task_event event = e->follow_up.event;
    return event == TASK_FAIL || event == TASK_GIVE_UP || event == TASK_CANCEL;
}

static bool free_dependents(struct transaction_job *j, struct str succeeded)
{
    static const char sql[] =
        "UPDATE status SET open_needs = open_needs - x.k,"
        " state = CASE WHEN state = 'PENDING' AND open_needs = x.k THEN 'READY' ELSE state END,"
        " changed = CASE WHEN state = 'PENDING' AND open_needs = x.k THEN" TASKS_CLOCK
        " ELSE changed END"
        " FROM (SELECT task AS id, count(*) AS k FROM need WHERE needs " TASKS_IN_1
        " GROUP BY task) x WHERE status.task = x.id RETURNING task, state";
    struct store_rows q =
        store_query(j->s, &(struct store_statement){sql, {STORE_TEXT(succeeded)}});
    while (store_next(&q)) {
        if (!str_eq(store_text(&q, 1), STR("READY")))
            continue;
        tasks_id_list_add(&j->ready, store_int(&q, 0));
        tasks_feed_add(&j->feed, store_int(&q, 0), 0, "ready", NULL);
    }
    return store_end(&q, j->err);
}

/* Lock all rows of dependents that this transaction may change, in the order of their numbers
 * (tasks_internal.h). SQLite has one writer, so there is nothing to lock. */
static bool lock_dependents(struct transaction_job *j, struct str succeeded, struct str bad)
{
#define ANY_OF(n) "ANY(CAST(string_to_array(?" n ", ',') AS BIGINT[]))"
    static const char freed[] =
        "SELECT 1 --pg FROM status WHERE task = ANY(ARRAY(SELECT task FROM need WHERE needs"
        " = " ANY_OF("1") ")) ORDER BY task FOR UPDATE\n";
    static const char all[] =
        "SELECT 1 --pg FROM status WHERE task = ANY(ARRAY(WITH RECURSIVE d(task) AS"
        " (SELECT task FROM need WHERE needs = " ANY_OF(
            "2") " UNION SELECT n.task FROM d"
                 " JOIN status s ON s.task = d.task JOIN need n ON n.needs = d.task WHERE s.state ="
                 " 'PENDING' OR (s.state = 'BLOCKED' AND s.because <> 0)) SELECT task FROM d UNION"
                 " SELECT task FROM need WHERE needs = " ANY_OF(
                     "1") ")) ORDER BY task FOR UPDATE\n";
    return store_do(
        j->s,
        &(struct store_statement){bad.n ? all : freed, {STORE_TEXT(succeeded), STORE_TEXT(bad)}},
        NULL, j->err);
}

static bool update_dependents(struct transaction_job *j)
{
    struct tasks_id_list succeeded = {0}, bad = {0};
    for (size_t i = 0; i < j->ending_count; i++) {
        const struct transaction_ending *e = &j->endings[i];
        if (e->has_dependents && e->follow_up.event == TASK_SUCCEED)
            tasks_id_list_add(&succeeded, e->task);
        else if (e->has_dependents && is_bad(e))
            tasks_id_list_add(&bad, e->task);
    }
    struct buf good_text = tasks_id_list_text(&succeeded), bad_text = tasks_id_list_text(&bad);
    bool ok = (!succeeded.count && !bad.count) ||
              lock_dependents(j, buf_str(&good_text), buf_str(&bad_text));
    if (ok && succeeded.count)
        ok = free_dependents(j, buf_str(&good_text));
    for (size_t i = 0; ok && i < bad.count; i++)
        ok = tasks_block(j->s, bad.items[i], &j->feed, NULL, j->err);
    buf_done(&good_text);
    buf_done(&bad_text);
    tasks_id_list_done(&succeeded);
    tasks_id_list_done(&bad);
    return ok;
}

bool transaction_end_apply(struct transaction_job *j)
{
    for (size_t i = 0; i < j->ending_count; i++) {
        const struct transaction_ending *e = &j->endings[i];
        assert(task_state_next(TASK_RUNNING, e->follow_up.event) != TASK_STATE_COUNT);
        if (!write_attempt(j, e) ||
            (e->follow_up.event != TASK_SUCCEED && !write_unsuccessful(j, e)))
            return false;
        record_event(j, e);
    }
    return write_successes(j) && update_dependents(j);
}
