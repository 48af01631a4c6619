#include <inttypes.h>

#include "orchestrator/tasks_internal.h"

/* ---- the one task that a person means */

struct target {
    int64_t id; /* 0: it is not there */
    enum task_state state;
    int64_t open_needs, because;
    bool cancel;
    char name[TASKS_MAX_NAME + 1], because_name[TASKS_MAX_NAME + 1];
};

static void copy(struct str from, char to[TASKS_MAX_NAME + 1])
{
    struct str head = str_head(from, TASKS_MAX_NAME);
    if (head.n)
        memcpy(to, head.p, head.n);
    to[head.n] = 0;
}

static void read_target(const struct store_rows *q, struct target *t)
{
    t->id = store_int(q, 0);
    if (!task_state_find(store_text(q, 1), &t->state))
        t->state = TASK_STATE_COUNT;
    t->open_needs = store_int(q, 2);
    t->because = store_int(q, 3);
    t->cancel = store_int(q, 4) != 0;
    copy(store_text(q, 5), t->name);
    copy(store_text(q, 6), t->because_name);
}

static bool find_target(struct store *s, int64_t id, struct target *out, struct error *err)
{
    static const char sql[] =
        "SELECT t.id, COALESCE(s.state, ''), COALESCE(s.open_needs, 0), COALESCE(s.because, 0),"
        " COALESCE(s.cancel, 0), t.name, COALESCE(b.name, '') FROM task t"
        " LEFT JOIN status s ON s.task = t.id LEFT JOIN task b ON b.id = s.because"
        " WHERE t.id = ?1";
    if (!tasks_lock_all(s, err))
        return false;
    struct store_rows q = store_query(s, &(struct store_statement){sql, {STORE_INT(id)}});
    if (store_next(&q))
        read_target(&q, out);
    if (!store_end(&q, err))
        return false;
    return out->id || error_set(err, ERR_TASK_NOT_FOUND, "there is no task #%" PRId64, id);
}

static bool refuse(const struct target *t, const char *what, struct error *err)
{
    if (t->state == TASK_STATE_COUNT)
        return error_set(err, ERR_TASK_STATE,
                         "%s is in a state that there is not: it can only be removed", t->name);
    return error_set(err, ERR_TASK_STATE, "%s is %s: %s", t->name, task_state_name(t->state), what);
}

/* ---- cancel */

static bool ask_to_stop(struct store *s, const struct target *t, struct tasks_feed *feed,
                        struct error *err)
{
    static const char sql[] = "UPDATE status SET cancel = 1 WHERE task = ?1 AND state = 'RUNNING'";
    if (!t->cancel)
        tasks_feed_add(feed, t->id, 0, "cancel_asked", NULL);
    return store_do(s, &(struct store_statement){sql, {STORE_INT(t->id)}}, NULL, err);
}

static bool cancel_now(struct store *s, const struct target *t, struct tasks_feed *feed,
                       size_t *touched, struct error *err)
{
    static const char sql[] = "UPDATE status SET state = 'CANCELLED', because = 0, due = 0, why = "
                              "'', changed =" TASKS_CLOCK ", ended =" TASKS_CLOCK
                              " WHERE task = ?1 AND state IN ('PENDING', 'READY', 'RETRY_WAIT',"
                              " 'BLOCKED')";
    tasks_feed_add(feed, t->id, 0, "cancelled", NULL);
    return store_do(s, &(struct store_statement){sql, {STORE_INT(t->id)}}, NULL, err) &&
           tasks_block(s, t->id, feed, touched, err);
}

bool tasks_cancel(struct store *s, int64_t id, struct tasks_change *out, struct error *err)
{
    struct target t = {0};
    struct tasks_feed feed = {0};
    size_t touched = 0;
    if (!find_target(s, id, &t, err))
        return false;
    if (t.state == TASK_STATE_COUNT || task_state_next(t.state, TASK_CANCEL) == TASK_STATE_COUNT)
        return refuse(&t, "it is over already", err);
    bool asked = t.state == TASK_RUNNING;
    bool ok = (asked ? ask_to_stop(s, &t, &feed, err) : cancel_now(s, &t, &feed, &touched, err)) &&
              tasks_feed_write(s, &feed, err) && store_notify(s, TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    if (ok)
        *out = (struct tasks_change){.before = t.state,
                                     .after = asked ? TASK_RUNNING : TASK_CANCELLED,
                                     .asked = asked,
                                     .touched = (uint32_t)touched};
    return ok;
}

/* ---- retry */

/* What a person's wish means where it stands; TASK_EVENT_COUNT: nothing. */
static enum task_event retry_event(const struct target *t)
{
    if (t->state == TASK_STATE_COUNT || (t->state == TASK_BLOCKED && t->because))
        return TASK_EVENT_COUNT;
    enum task_event e = t->state == TASK_RETRY_WAIT ? TASK_DUE
                        : t->open_needs             ? TASK_REOPEN
                                                    : TASK_REVIVE;
    return task_state_next(t->state, e) == TASK_STATE_COUNT ? TASK_EVENT_COUNT : e;
}

static bool refuse_retry(const struct target *t, struct error *err)
{
    if (t->state == TASK_BLOCKED && t->because)
        return error_set(err, ERR_TASK_STATE, "%s waits for %s: retry that one", t->name,
                         t->because_name);
    if (t->state == TASK_SUCCEEDED)
        return refuse(t, "it is done; add it under another name to do it once more", err);
    return refuse(t, t->state == TASK_RUNNING ? "cancel it first" : "it comes by itself", err);
}

static bool begin_again(struct store *s, const struct target *t, enum task_event event,
                        struct error *err)
{
    static const char sql[] =
        "UPDATE status SET state = ?2, because = 0, due = 0, why = '', counted = 0, lost = 0,"
        " cancel = 0, changed =" TASKS_CLOCK ", ended = 0 WHERE task = ?1 AND (state = 'FAILED' OR"
        " state = 'CANCELLED' OR state = 'RETRY_WAIT' OR (state = 'BLOCKED' AND because = 0))";
    struct str to = str_from(task_state_name(task_state_next(t->state, event)));
    return store_do(s, &(struct store_statement){sql, {STORE_INT(t->id), STORE_TEXT(to)}}, NULL,
                    err);
}

/* It may wait for what will not come. */
static bool tell_blocked(struct store *s, const struct target *t, struct tasks_feed *feed,
                         struct error *err)
{
    if (t->state == TASK_BLOCKED)
        tasks_feed_add(feed, t->id, 0, "blocked", &(struct tasks_told){.because = t->because});
    return tasks_feed_write(s, feed, err);
}

bool tasks_retry(struct store *s, int64_t id, struct tasks_change *out, struct error *err)
{
    struct target t = {0}, now = {0};
    struct tasks_feed feed = {0};
    size_t touched = 0;
    if (!find_target(s, id, &t, err))
        return false;
    enum task_event event = retry_event(&t);
    if (event == TASK_EVENT_COUNT)
        return refuse_retry(&t, err);
    tasks_feed_add(&feed, id, 0, "revived", NULL);
    bool ok = begin_again(s, &t, event, err) &&
              (event == TASK_DUE || tasks_release(s, id, &feed, &touched, err)) &&
              find_target(s, id, &now, err) && tell_blocked(s, &now, &feed, err) &&
              store_notify(s, now.state == TASK_READY ? TASKS_WORK : TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    if (ok)
        *out = (struct tasks_change){
            .before = t.state, .after = now.state, .touched = (uint32_t)touched};
    return ok;
}

/* ---- remove */

#define NAMED 3

static bool check_dependents(struct store *s, const struct target *t, struct error *err)
{
    static const char sql[] = "SELECT COALESCE(t.name, '') FROM need n LEFT JOIN task t"
                              " ON t.id = n.task WHERE n.needs = ?1 ORDER BY n.task";
    struct buf names = {0};
    size_t count = 0;
    struct store_rows q = store_query(s, &(struct store_statement){sql, {STORE_INT(t->id)}});
    while (store_next(&q))
        if (count++ < NAMED)
            buf_printf(&names, "%s%.*s", count > 1 ? ", " : "", STR_ARG(store_text(&q, 0)));
    bool ok = store_end(&q, err);
    if (ok && count > NAMED)
        buf_printf(&names, " and %zu more", count - NAMED);
    if (ok && count)
        ok = error_set(err, ERR_TASK_STATE, "%s is needed by %.*s: remove %s first", t->name,
                       STR_ARG(buf_str(&names)), count > 1 ? "those" : "that one");
    buf_done(&names);
    return ok;
}

bool tasks_remove(struct store *s, int64_t id, struct error *err)
{
    static const char *const rows[] = {
        "DELETE FROM log WHERE task = ?1",  "DELETE FROM attempt WHERE task = ?1",
        "DELETE FROM need WHERE task = ?1", "DELETE FROM status WHERE task = ?1",
        "DELETE FROM task WHERE id = ?1",
    };
    struct target t = {0};
    struct tasks_feed feed = {0};
    if (!find_target(s, id, &t, err))
        return false;
    if (t.state == TASK_RUNNING)
        return refuse(&t, "cancel it first", err);
    bool ok = check_dependents(s, &t, err);
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        ok = store_do(s, &(struct store_statement){rows[i], {STORE_INT(id)}}, NULL, err);
    tasks_feed_add(&feed, id, 0, "removed", &(struct tasks_told){.why = str_from(t.name)});
    ok = ok && tasks_feed_write(s, &feed, err) && store_notify(s, TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    return ok;
}

/* ---- the whole */

static bool set_mode(struct store *s, const char *sql, const char *kind, struct error *err)
{
    struct tasks_feed feed = {0};
    tasks_feed_add(&feed, 0, 0, kind, NULL);
    bool ok = tasks_lock_all(s, err) &&
              store_do(s, &(struct store_statement){.sql = sql}, NULL, err) &&
              tasks_feed_write(s, &feed, err) && store_notify(s, TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    return ok;
}

#define SINCE(mode) "since = CASE WHEN mode = '" mode "' THEN since ELSE now_ms() END"

bool tasks_pause(struct store *s, struct error *err)
{
    return set_mode(s, "UPDATE control SET mode = 'PAUSED', " SINCE("PAUSED") " WHERE id = 1",
                    "paused", err);
}

bool tasks_resume(struct store *s, struct error *err)
{
    return set_mode(s, "UPDATE control SET mode = 'RUNNING', " SINCE("RUNNING") " WHERE id = 1",
                    "resumed", err);
}

bool tasks_stop(struct store *s, struct error *err)
{
    return set_mode(
        s,
        "UPDATE control SET mode = 'PAUSED', stops = stops + 1, " SINCE("PAUSED") " WHERE id = 1",
        "stopped", err);
}
