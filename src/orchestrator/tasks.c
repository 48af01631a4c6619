#include "orchestrator/tasks.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "base/json.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "orchestrator/tasks_internal.h"

/* ---- tasks */

#define COLUMNS                                                                                    \
    "t.id, t.name, t.title, t.repo, t.pool, t.goal, t.max_attempts, t.added, s.state,"             \
    " s.open_needs, s.attempts, s.counted, s.lost, s.due, COALESCE(o.lease_until, 0), s.owner,"    \
    " s.cancel, s.why, s.changed, s.started, s.ended, COALESCE(b.name, ''),"                       \
    " COALESCE(c.state, ''), COALESCE(n.tool, ''), COALESCE(n.model, '')"
#define FROM_TASKS                                                                                 \
    " FROM status s JOIN task t ON t.id = s.task"                                                  \
    " LEFT JOIN orchestrator o ON s.state = 'RUNNING' AND o.id = s.owner"                          \
    " LEFT JOIN task b ON s.because <> 0 AND b.id = s.because"                                     \
    " LEFT JOIN status c ON s.because <> 0 AND c.task = s.because"                                 \
    " LEFT JOIN attempt n ON n.task = s.task AND n.number = s.attempts -"                          \
    " CASE WHEN s.state = 'RUNNING' THEN 1 ELSE 0 END"

struct reader {
    tasks_row_fn *each;
    void *ctx;
    bool has_spec;
    int64_t wrong; /* a task whose row nobody could have written; 0: none */
    struct arena arena;
};

/* Why it is where it is. Blocked because of another: that one's name, and where it is now. */
static struct str why_of(const struct store_rows *q, struct arena *a)
{
    struct str by = store_text(q, 21), state = store_text(q, 22);
    if (!by.n)
        return store_text(q, 17);
    return arena_printf(a, "needs %.*s, which is %.*s", STR_ARG(by), STR_ARG(state));
}

static void take_task(const struct store_rows *q, struct reader *r)
{
    struct task_row t = {
        .id = store_int(q, 0),
        .name = store_text(q, 1),
        .title = store_text(q, 2),
        .repo = store_text(q, 3),
        .pool = store_text(q, 4),
        .goal = store_text(q, 5),
        .max_attempts = tasks_count_of(store_int(q, 6)),
        .added = store_int(q, 7),
        .open_needs = tasks_count_of(store_int(q, 9)),
        .attempts = tasks_count_of(store_int(q, 10)),
        .counted = tasks_count_of(store_int(q, 11)),
        .lost = tasks_count_of(store_int(q, 12)),
        .due = store_int(q, 13),
        .lease_until = store_int(q, 14),
        .owner = store_text(q, 15),
        .cancel = store_int(q, 16) != 0,
        .changed = store_int(q, 18),
        .started = store_int(q, 19),
        .ended = store_int(q, 20),
        .tool = store_text(q, 23),
        .model = store_text(q, 24),
        .spec = r->has_spec ? store_text(q, 25) : (struct str){0},
    };
    if (!task_state_find(store_text(q, 8), &t.state)) {
        r->wrong = t.id;
        return;
    }
    arena_reset(&r->arena);
    t.why = why_of(q, &r->arena);
    r->each(&t, r->ctx);
}

static bool read_tasks(struct store *s, const struct store_statement *st, struct reader *r,
                       struct error *err)
{
    struct store_rows q = store_query(s, st);
    while (store_next(&q))
        take_task(&q, r);
    bool ok = store_end(&q, err);
    arena_done(&r->arena);
    if (!ok || !r->wrong)
        return ok;
    return error_set(err, ERR_IO,
                     "the task #%" PRId64 " is in a state that there is not; the store was written"
                     " by something else, or is damaged",
                     r->wrong);
}

bool tasks_each(struct store *s, const struct tasks_filter *f, tasks_row_fn *each, void *ctx,
                struct error *err)
{
    static const char sql[] =
        "SELECT " COLUMNS FROM_TASKS " WHERE s.task > ?1 AND (?2 = '' OR s.pool = ?2)"
        " AND (?3 = '' OR s.state --pg = ANY(string_to_array(?3, ',')) /*\n"
        " IN (SELECT value FROM json_each('[\"' || replace(?3, ',', '\",\"') || '\"]'))\n"
        "--pg */\n"
        ") ORDER BY s.task LIMIT ?4";
    struct tasks_filter all = {0};
    struct buf states = {0};
    struct reader r = {.each = each, .ctx = ctx};
    if (!f)
        f = &all;
    for (enum task_state i = 0; i < TASK_STATE_COUNT; i++)
        if (f->states & 1u << i)
            buf_printf(&states, "%s%s", states.n ? "," : "", task_state_name(i));
    bool ok = read_tasks(s,
                         &(struct store_statement){sql,
                                                   {STORE_INT(f->after), STORE_TEXT(f->pool),
                                                    STORE_TEXT(buf_str(&states)),
                                                    STORE_INT(f->most ? f->most : INT64_MAX)}},
                         &r, err);
    buf_done(&states);
    return ok;
}

bool tasks_some(struct store *s, struct task_ids ids, tasks_row_fn *each, void *ctx,
                struct error *err)
{
    static const char sql[] =
        "SELECT " COLUMNS FROM_TASKS " WHERE s.task " TASKS_IN_1 " ORDER BY s.task";
    struct reader r = {.each = each, .ctx = ctx};
    struct buf text = {0};
    assert(ids.count <= TASKS_MAX_BATCH);
    for (size_t i = 0; i < ids.count; i++)
        buf_printf(&text, "%s%" PRId64, i ? "," : "", ids.of[i]);
    bool ok = read_tasks(s, &(struct store_statement){sql, {STORE_TEXT(buf_str(&text))}}, &r, err);
    buf_done(&text);
    return ok;
}

bool tasks_get(struct store *s, int64_t id, tasks_row_fn *each, void *ctx, struct error *err)
{
    static const char sql[] = "SELECT " COLUMNS ", t.spec" FROM_TASKS " WHERE s.task = ?1";
    struct reader r = {.each = each, .ctx = ctx, .has_spec = true};
    return read_tasks(s, &(struct store_statement){sql, {STORE_INT(id)}}, &r, err);
}

/* ---- by name */

bool tasks_nearest(struct store *s, struct nearest *n, struct arena *a, struct error *err)
{
    struct store_rows q =
        store_query(s, &(struct store_statement){.sql = "SELECT name FROM task ORDER BY id"});
    while (store_next(&q)) {
        struct str before = n->best, name = store_text(&q, 0);
        nearest_offer(n, name);
        /* The row goes: keep a copy of the name. */
        n->best = n->best.p == name.p && name.n ? arena_str(a, name) : before;
    }
    return store_end(&q, err);
}

/* Numbers are listed without their #. */
static bool is_bare_number(struct str name)
{
    int64_t number;
    return name.n && str_to_i64(name, &number) && number > 0;
}

static bool tell_not_found(struct store *s, struct str name, struct error *err)
{
    struct arena a = {0};
    struct buf shown = {0};
    struct nearest n = nearest_make(name);
    bool ok = tasks_nearest(s, &n, &a, err);
    quote_add(&shown, name, QUOTE_MAX);
    if (ok && is_bare_number(name))
        error_set(err, ERR_TASK_NOT_FOUND, "there is no task %.*s; a number is written '#%.*s'",
                  STR_ARG(buf_str(&shown)), STR_ARG(name));
    else if (ok)
        error_set(err, ERR_TASK_NOT_FOUND, "there is no task %.*s%s%.*s%s",
                  STR_ARG(buf_str(&shown)), n.best.n ? ": did you mean " : "", STR_ARG(n.best),
                  n.best.n ? "?" : "");
    buf_done(&shown);
    arena_done(&a);
    return false;
}

bool tasks_find(struct store *s, struct str name, int64_t *id, struct error *err)
{
    int64_t number = 0, found = 0;
    bool by_number = name.n > 1 && name.p[0] == '#' && str_to_i64(str_skip(name, 1), &number);
    const struct store_statement st =
        by_number
            ? (struct store_statement){"SELECT id FROM task WHERE id = ?1", {STORE_INT(number)}}
            : (struct store_statement){"SELECT id FROM task WHERE name = ?1", {STORE_TEXT(name)}};
    if (tasks_check_name(by_number ? STR("a") : name, "name", NULL) &&
        !store_query_int(s, &st, &found, err))
        return false;
    if (!found)
        return tell_not_found(s, name, err);
    *id = found;
    return true;
}

/* ---- edges, attempts, logs, events */

bool tasks_edges(struct store *s, int64_t id, tasks_edge_fn *each, void *ctx, struct error *err)
{
    const struct store_statement st =
        id ? (struct store_statement){"SELECT task, needs FROM need WHERE task = ?1 UNION ALL"
                                      " SELECT task, needs FROM need WHERE needs = ?1"
                                      " ORDER BY 1, 2",
                                      {STORE_INT(id)}}
           : (struct store_statement){.sql = "SELECT task, needs FROM need ORDER BY task, needs"};
    struct store_rows q = store_query(s, &st);
    while (store_next(&q))
        each((struct task_edge){store_int(&q, 0), store_int(&q, 1)}, ctx);
    return store_end(&q, err);
}

bool tasks_ties(struct store *s, int64_t id, tasks_tie_fn *each, void *ctx, struct error *err)
{
    static const char sql[] =
        "SELECT x.way, x.id, t.name, s.state FROM"
        " (SELECT 0 AS way, needs AS id FROM need WHERE task = ?1 UNION ALL"
        " SELECT 1 AS way, task AS id FROM need WHERE needs = ?1) x"
        " JOIN task t ON t.id = x.id JOIN status s ON s.task = x.id ORDER BY 1, 2";
    struct store_rows q = store_query(s, &(struct store_statement){sql, {STORE_INT(id)}});
    while (store_next(&q)) {
        struct task_tie t = {
            .is_need = store_int(&q, 0) == 0, .id = store_int(&q, 1), .name = store_text(&q, 2)};
        if (task_state_find(store_text(&q, 3), &t.state))
            each(&t, ctx);
    }
    return store_end(&q, err);
}

/* Of one that runs, from what was told when it was claimed. */
static struct str run_of(struct arena *a, struct str told)
{
    arena_reset(a);
    return json_str(json_get(json_parse(a, arena_str(a, told), NULL, NULL), STR("run")));
}

/* The texts are those of the row and of the arena. */
static struct attempt_row read_attempt(const struct store_rows *q, struct arena *arena)
{
    int64_t in = store_int(q, 13), out = store_int(q, 14);
    return (struct attempt_row){
        .task = store_int(q, 0),
        .number = tasks_count_of(store_int(q, 1)),
        .owner = store_text(q, 2),
        .host = store_text(q, 3),
        .started = store_int(q, 4),
        .ended = store_int(q, 5),
        .end = store_text(q, 6),
        .outcome = store_text(q, 7),
        .exit_code = store_int(q, 8),
        .tool = store_text(q, 9),
        .model = store_text(q, 10),
        .run = store_int(q, 5) ? store_text(q, 11) : run_of(arena, store_text(q, 11)),
        .why = store_text(q, 12),
        .input_tokens = in < 0 ? 0 : (uint64_t)in,
        .output_tokens = out < 0 ? 0 : (uint64_t)out,
        .cost_usd = store_real(q, 15),
        .files = store_text(q, 16),
        .pieces = tasks_count_of(store_int(q, 17)),
    };
}

bool tasks_attempts(struct store *s, int64_t id, tasks_attempt_fn *each, void *ctx,
                    struct error *err)
{
    static const char sql[] =
        "SELECT a.*, (SELECT count(*) FROM log l WHERE l.task = a.task AND l.number = a.number)"
        " FROM (SELECT task, number, owner, host, started, ended, end_kind, outcome, exit_code,"
        " tool, model, run, why, input_tokens, output_tokens, cost_usd, files FROM attempt"
        " WHERE task = ?1 UNION ALL"
        " SELECT s.task, s.attempts, s.owner, COALESCE(o.host, ''), s.started, 0, '', '', 0, '',"
        " '', COALESCE((SELECT told FROM event e WHERE e.task = ?1 AND e.number = s.attempts"
        " AND e.kind = 'claimed' ORDER BY e.id DESC LIMIT 1), ''), '', 0, 0, 0.0, ''"
        " FROM status s LEFT JOIN orchestrator o ON o.id = s.owner"
        " WHERE s.task = ?1 AND s.state = 'RUNNING') a ORDER BY 2";
    struct arena arena = {0};
    struct store_rows q = store_query(s, &(struct store_statement){sql, {STORE_INT(id)}});
    while (store_next(&q)) {
        const struct attempt_row a = read_attempt(&q, &arena);
        each(&a, ctx);
    }
    arena_done(&arena);
    return store_end(&q, err);
}

bool tasks_log(struct store *s, const struct tasks_log_want *want, tasks_log_fn *each, void *ctx,
               struct error *err)
{
    static const char sql[] = "SELECT task, number, seq, at, text FROM log WHERE task = ?1"
                              " AND number = ?2 AND seq > ?3 ORDER BY seq LIMIT ?4";
    struct store_rows q =
        store_query(s, &(struct store_statement){sql,
                                                 {STORE_INT(want->task), STORE_INT(want->number),
                                                  STORE_INT((int64_t)want->after),
                                                  STORE_INT(want->most ? want->most : INT64_MAX)}});
    while (store_next(&q)) {
        int64_t seq = store_int(&q, 2);
        const struct log_piece p = {
            .task = store_int(&q, 0),
            .number = tasks_count_of(store_int(&q, 1)),
            .seq = seq < 0 ? 0 : (uint64_t)seq,
            .at = store_int(&q, 3),
            .text = store_text(&q, 4),
        };
        each(&p, ctx);
    }
    return store_end(&q, err);
}

/* Below all that is still being written (tasks_schema.c). */
#define IS_SETTLED                                                                                 \
    "--pg AND id < CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) << 20\n"

bool tasks_events(struct store *s, const struct tasks_event_want *want, tasks_event_fn *each,
                  void *ctx, struct error *err)
{
    static const char sql[] =
        "SELECT id, at, task, number, kind, told FROM event WHERE id > ?1\n" IS_SETTLED
        " ORDER BY id LIMIT ?2";
    struct store_rows q = store_query(
        s, &(struct store_statement){
               sql, {STORE_INT(want->after), STORE_INT(want->most ? want->most : INT64_MAX)}});
    while (store_next(&q)) {
        const struct task_event_row e = {
            .id = store_int(&q, 0),
            .at = store_int(&q, 1),
            .task = store_int(&q, 2),
            .number = tasks_count_of(store_int(&q, 3)),
            .kind = store_text(&q, 4),
            .told = store_text(&q, 5),
        };
        each(&e, ctx);
    }
    return store_end(&q, err);
}

bool tasks_last_event(struct store *s, int64_t *id, struct error *err)
{
    static const char sql[] =
        "SELECT id FROM event WHERE id > 0\n" IS_SETTLED " ORDER BY id DESC LIMIT 1";
    int64_t last = 0;
    if (!store_query_int(s, &(struct store_statement){.sql = sql}, &last, err))
        return false;
    *id = last;
    return true;
}

/* ---- the whole */

bool tasks_count(struct store *s, struct tasks_counts *out, struct error *err)
{
    static const char first_due[] =
        "SELECT due FROM status " TASKS_BY_DUE " WHERE state = 'RETRY_WAIT' ORDER BY due LIMIT 1";
    struct tasks_counts c = {0};
    enum task_state state;
    struct store_rows q = store_query(
        s, &(struct store_statement){.sql = "SELECT state, count(*) FROM status GROUP BY state"});
    while (store_next(&q))
        if (task_state_find(store_text(&q, 0), &state))
            c.by_state[state] = store_int(&q, 1) < 0 ? 0 : (uint64_t)store_int(&q, 1);
    if (!store_end(&q, err) ||
        !store_query_int(s, &(struct store_statement){.sql = first_due}, &c.first_due, err))
        return false;
    *out = c;
    return true;
}

struct tasks_control tasks_control_of(struct str mode, int64_t stops, int64_t since)
{
    bool is_paused = str_eq(mode, STR("PAUSED"));
    return (struct tasks_control){is_paused ? TASKS_PAUSED : TASKS_RUNNING, stops, since};
}

bool tasks_control(struct store *s, struct tasks_control *out, struct error *err)
{
    struct store_rows q = store_query(
        s, &(struct store_statement){.sql = "SELECT mode, stops, since FROM control WHERE id = 1"});
    if (store_next(&q))
        *out = tasks_control_of(store_text(&q, 0), store_int(&q, 1), store_int(&q, 2));
    return store_end(&q, err);
}

bool tasks_orchestrators(struct store *s, tasks_orchestrator_fn *each, void *ctx, struct error *err)
{
    static const char sql[] =
        "SELECT o.id, o.host, o.pid, o.workers, o.started, o.seen, (SELECT count(*) FROM status"
        " WHERE state = 'RUNNING' AND owner = o.id) FROM orchestrator o ORDER BY o.started, o.id";
    struct store_rows q = store_query(s, &(struct store_statement){.sql = sql});
    while (store_next(&q)) {
        const struct orchestrator_row o = {
            .id = store_text(&q, 0),
            .host = store_text(&q, 1),
            .pid = store_int(&q, 2),
            .workers = store_int(&q, 3),
            .started = store_int(&q, 4),
            .seen = store_int(&q, 5),
            .running = store_int(&q, 6),
        };
        each(&o, ctx);
    }
    return store_end(&q, err);
}

bool tasks_is_gone(const struct orchestrator_row *o)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !str_eq(o->host, str_from(host)))
        return false;
    return o->pid > 0 && o->pid <= INT_MAX && kill((pid_t)o->pid, 0) != 0 && errno == ESRCH;
}
