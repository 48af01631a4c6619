#include "orchestrator/tasks.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "orchestrator/tasks_internal.h"
#include "tooling/tooling_file.h"

/* "mvts", and the number of the lock. */
#define LOCK(shared, which)                                                                        \
    "SELECT 1 --pg , pg_advisory_xact_lock" shared "(1836479603, " which ")\n"

/* ---- opening */

bool tasks_place(const char *url, struct buf *out, struct error *err)
{
    struct buf home = buf_make(4096);
    bool is_default = !url || !*url; /* otherwise the home folder need not exist */
    bool ok = (!is_default || tooling_home(&home, true, err)) &&
              store_place(url, is_default ? home.p : "", &tasks_schema, out, err);
    buf_done(&home);
    return ok;
}

struct store *tasks_open(const char *url, bool is_durable, enum store_failure *failure,
                         struct error *err)
{
    struct buf place = buf_make(8192);
    struct store *s = NULL;
    if (failure)
        *failure = STORE_REFUSED;
    if (tasks_place(url, &place, err))
        s = store_open(&(struct store_options){.url = place.p,
                                               .schema = &tasks_schema,
                                               .is_durable = is_durable},
                       failure, err);
    buf_done(&place);
    return s;
}

/* ---- locks */

bool tasks_lock_transaction(struct store *s, struct error *err)
{
    return store_do(s, &(struct store_statement){.sql = LOCK("_shared", "1")}, NULL, err);
}

bool tasks_lock_names(struct store *s, struct error *err)
{
    return store_do(s, &(struct store_statement){.sql = LOCK("", "2")}, NULL, err);
}

bool tasks_lock_all(struct store *s, struct error *err)
{
    return tasks_lock_names(s, err) &&
           store_do(s, &(struct store_statement){.sql = LOCK("", "1")}, NULL, err);
}

/* ---- lists of numbers */

void tasks_id_list_add(struct tasks_id_list *l, int64_t id)
{
    mem_grow((void **)&l->items, &l->cap, l->count + 1, sizeof *l->items);
    l->items[l->count++] = id;
}

bool tasks_id_list_read(struct tasks_id_list *l, struct store *s, const struct store_statement *st,
                        struct error *err)
{
    struct store_rows q = store_query(s, st);
    while (store_next(&q))
        tasks_id_list_add(l, store_int(&q, 0));
    return store_end(&q, err);
}

struct buf tasks_id_list_text(const struct tasks_id_list *l)
{
    struct buf out = {0};
    for (size_t i = 0; i < l->count; i++)
        buf_printf(&out, "%s%" PRId64, i ? "," : "", l->items[i]);
    return out;
}

void tasks_id_list_done(struct tasks_id_list *l)
{
    free(l->items);
    *l = (struct tasks_id_list){0};
}

/* ---- values */

uint32_t tasks_count_of(int64_t n)
{
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

struct str tasks_clean_text(struct arena *a, struct str text)
{
    if (utf8_is_valid(text) && (!text.n || !memchr(text.p, 0, text.n)))
        return text;
    struct buf out = {0};
    utf8_add_lossy(&out, text);
    for (size_t i = 0; i < out.n; i++)
        if (!out.p[i])
            out.p[i] = ' ';
    struct str copy = arena_str(a, buf_str(&out));
    buf_done(&out);
    return copy;
}

static bool is_number(struct str name)
{
    uint64_t n;
    return name.n > 1 && name.p[0] == '#' && str_to_u64(str_skip(name, 1), &n);
}

static bool is_printable(struct str s)
{
    while (s.n) {
        size_t n;
        uint32_t c = utf8_decode(s, &n);
        if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
            return false;
        s = str_skip(s, n);
    }
    return true;
}

bool tasks_check_name(struct str name, const char *what, struct error *err)
{
    const char *wrong = NULL;
    if (!name.n)
        wrong = "is empty";
    else if (!utf8_is_valid(name))
        wrong = "is not valid UTF-8";
    else if (!is_printable(name))
        wrong = "has characters that cannot be printed";
    else if (str_trim(name).n != name.n)
        wrong = "begins or ends with blanks";
    else if (is_number(name))
        wrong = "is a number: a name must not be # and digits only";
    else if (name.n > TASKS_MAX_NAME)
        wrong = "is too long: at most 128 bytes";
    _Static_assert(TASKS_MAX_NAME == 128, "the sentence above says so");
    if (!wrong)
        return true;
    struct buf shown = {0};
    quote_add(&shown, name, QUOTE_MAX);
    error_set(err, ERR_INVALID_PARAMS, "the %s %.*s %s", what, STR_ARG(buf_str(&shown)), wrong);
    buf_done(&shown);
    return false;
}

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

struct task_reader {
    tasks_row_fn *each;
    void *ctx;
    bool has_spec;
    int64_t wrong; /* a task with an unknown state; 0: none */
    struct arena arena;
};

/* The reason of the state; if another task blocks it, the name and state of that task. */
static struct str describe_reason(const struct store_rows *q, struct arena *a)
{
    struct str by = store_text(q, 21), state = store_text(q, 22);
    if (!by.n)
        return store_text(q, 17);
    return arena_printf(a, "needs %.*s, which is %.*s", STR_ARG(by), STR_ARG(state));
}

static void read_task(const struct store_rows *q, struct task_reader *r)
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
    t.why = describe_reason(q, &r->arena);
    r->each(&t, r->ctx);
}

static bool read_tasks(struct store *s, const struct store_statement *st, struct task_reader *r,
                       struct error *err)
{
    struct store_rows q = store_query(s, st);
    while (store_next(&q))
        read_task(&q, r);
    bool ok = store_end(&q, err);
    arena_done(&r->arena);
    if (!ok || !r->wrong)
        return ok;
    return error_set(err, ERR_IO,
                     "the task #%" PRId64 " has an unknown state; the store was written by another"
                     " program, or is damaged",
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
    struct task_reader r = {.each = each, .ctx = ctx};
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

bool tasks_each_of(struct store *s, struct task_ids ids, tasks_row_fn *each, void *ctx,
                   struct error *err)
{
    static const char sql[] =
        "SELECT " COLUMNS FROM_TASKS " WHERE s.task " TASKS_IN_1 " ORDER BY s.task";
    struct task_reader r = {.each = each, .ctx = ctx};
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
    struct task_reader r = {.each = each, .ctx = ctx, .has_spec = true};
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
        /* The row is valid only until the next one, so copy the name. */
        n->best = n->best.p == name.p && name.n ? arena_str(a, name) : before;
    }
    return store_end(&q, err);
}

/* Lists show numbers without #. */
static bool is_bare_number(struct str name)
{
    int64_t number;
    return name.n && str_to_i64(name, &number) && number > 0;
}

static bool set_not_found(struct store *s, struct str name, struct error *err)
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
        return set_not_found(s, name, err);
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

bool tasks_neighbours(struct store *s, int64_t id, tasks_neighbour_fn *each, void *ctx,
                      struct error *err)
{
    static const char sql[] =
        "SELECT x.way, x.id, t.name, s.state FROM"
        " (SELECT 0 AS way, needs AS id FROM need WHERE task = ?1 UNION ALL"
        " SELECT 1 AS way, task AS id FROM need WHERE needs = ?1) x"
        " JOIN task t ON t.id = x.id JOIN status s ON s.task = x.id ORDER BY 1, 2";
    struct store_rows q = store_query(s, &(struct store_statement){sql, {STORE_INT(id)}});
    while (store_next(&q)) {
        struct task_neighbour t = {
            .is_need = store_int(&q, 0) == 0, .id = store_int(&q, 1), .name = store_text(&q, 2)};
        if (task_state_find(store_text(&q, 3), &t.state))
            each(&t, ctx);
    }
    return store_end(&q, err);
}

/* The run of a running attempt is in the event of its claim. */
static struct str read_run(struct arena *a, struct str told)
{
    arena_reset(a);
    return json_str(json_get(json_parse(a, arena_str(a, told), NULL, NULL), STR("run")));
}

/* The texts belong to the row and the arena. */
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
        .run = store_int(q, 5) ? store_text(q, 11) : read_run(arena, store_text(q, 11)),
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

bool tasks_log(struct store *s, const struct tasks_log_filter *want, tasks_log_fn *each, void *ctx,
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

/* Below all events that are still being written (tasks_schema.c). */
#define IS_SETTLED                                                                                 \
    "--pg AND id < CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) << 20\n"

bool tasks_events(struct store *s, const struct tasks_event_filter *want, tasks_event_fn *each,
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

/* ---- counts, control, orchestrators */

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

bool tasks_orchestrator_is_gone(const struct orchestrator_row *o)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !str_eq(o->host, str_from(host)))
        return false;
    return o->pid > 0 && o->pid <= INT_MAX && kill((pid_t)o->pid, 0) != 0 && errno == ESRCH;
}

/* ---- dependents */

static void add_events(struct tasks_feed *feed, const struct tasks_id_list *ids, const char *kind,
                       int64_t because)
{
    for (size_t i = 0; i < ids->count; i++)
        tasks_feed_add(feed, ids->items[i], 0, kind,
                       &(struct tasks_event_fields){.because = because});
}

static bool block_pending(struct store *s, int64_t root, struct tasks_id_list *blocked,
                          struct error *err)
{
    static const char sql[] =
        "UPDATE status SET state = 'BLOCKED', because = ?1, changed =" TASKS_CLOCK
        " WHERE state = 'PENDING' AND task " TASKS_DOWNSTREAM " RETURNING task";
    return tasks_id_list_read(blocked, s, &(struct store_statement){sql, {STORE_INT(root)}}, err);
}

bool tasks_block(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                 struct error *err)
{
    /* Dependents that are already blocked get the new root as the reason: the path to the old one
     * may lead through it. */
    static const char also[] = "UPDATE status SET because = ?1 WHERE " TASKS_WAITS_IN_VAIN
                               " AND because <> ?1 AND task " TASKS_DOWNSTREAM;
    struct tasks_id_list blocked = {0};
    bool ok = store_do(s, &(struct store_statement){also, {STORE_INT(root)}}, NULL, err) &&
              block_pending(s, root, &blocked, err);
    if (ok) {
        add_events(feed, &blocked, "blocked", root);
        if (touched)
            *touched = blocked.count;
    }
    tasks_id_list_done(&blocked);
    return ok;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void remove_ids(struct tasks_id_list *from, struct tasks_id_list *less)
{
    size_t kept = 0;
    if (less->count)
        qsort(less->items, less->count, sizeof *less->items, by_number);
    for (size_t i = 0; i < from->count; i++)
        if (!less->count ||
            !bsearch(&from->items[i], less->items, less->count, sizeof *less->items, by_number))
            from->items[kept++] = from->items[i];
    from->count = kept;
}

bool tasks_block_again(struct store *s, struct tasks_id_list *pending, struct error *err)
{
    static const char culprits[] =
        "SELECT DISTINCT CASE WHEN s.because <> 0 THEN s.because ELSE s.task END FROM need n"
        " JOIN status s ON s.task = n.needs WHERE n.task " TASKS_IN_1
        " AND (s.state = 'BLOCKED' OR s.state = 'FAILED' OR s.state = 'CANCELLED')";
    struct buf text = tasks_id_list_text(pending);
    struct tasks_id_list roots = {0}, blocked = {0};
    bool ok = tasks_id_list_read(
        &roots, s, &(struct store_statement){culprits, {STORE_TEXT(buf_str(&text))}}, err);
    for (size_t i = 0; ok && i < roots.count; i++)
        ok = block_pending(s, roots.items[i], &blocked, err);
    if (ok)
        remove_ids(pending, &blocked);
    buf_done(&text);
    tasks_id_list_done(&roots);
    tasks_id_list_done(&blocked);
    return ok;
}

bool tasks_release(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                   struct error *err)
{
    static const char sql[] =
        "UPDATE status SET state = 'PENDING', because = 0, changed =" TASKS_CLOCK
        " WHERE " TASKS_WAITS_IN_VAIN " AND task " TASKS_DOWNSTREAM " RETURNING task";
    struct tasks_id_list freed = {0};
    bool ok = tasks_id_list_read(&freed, s, &(struct store_statement){sql, {STORE_INT(root)}}, err);
    tasks_id_list_add(&freed, root);
    ok = ok && tasks_block_again(s, &freed, err);
    if (ok) {
        remove_ids(&freed, &(struct tasks_id_list){&root, 1, 1});
        add_events(feed, &freed, "released", 0);
        *touched = freed.count;
    }
    tasks_id_list_done(&freed);
    return ok;
}

/* ---- the task that a person changes */

struct task_target {
    int64_t id; /* 0: not found */
    enum task_state state;
    int64_t open_needs, because;
    bool cancel;
    char name[TASKS_MAX_NAME + 1], because_name[TASKS_MAX_NAME + 1];
};

static void copy_name(struct str from, char to[TASKS_MAX_NAME + 1])
{
    struct str head = str_head(from, TASKS_MAX_NAME);
    if (head.n)
        memcpy(to, head.p, head.n);
    to[head.n] = 0;
}

static void read_target(const struct store_rows *q, struct task_target *t)
{
    t->id = store_int(q, 0);
    if (!task_state_find(store_text(q, 1), &t->state))
        t->state = TASK_STATE_COUNT;
    t->open_needs = store_int(q, 2);
    t->because = store_int(q, 3);
    t->cancel = store_int(q, 4) != 0;
    copy_name(store_text(q, 5), t->name);
    copy_name(store_text(q, 6), t->because_name);
}

static bool find_target(struct store *s, int64_t id, struct task_target *out, struct error *err)
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

static bool refuse_change(const struct task_target *t, const char *what, struct error *err)
{
    if (t->state == TASK_STATE_COUNT)
        return error_set(err, ERR_TASK_STATE, "%s has an unknown state: it can only be removed",
                         t->name);
    return error_set(err, ERR_TASK_STATE, "%s is %s: %s", t->name, task_state_name(t->state), what);
}

/* ---- cancel */

static bool request_cancel(struct store *s, const struct task_target *t, struct tasks_feed *feed,
                           struct error *err)
{
    static const char sql[] = "UPDATE status SET cancel = 1 WHERE task = ?1 AND state = 'RUNNING'";
    if (!t->cancel)
        tasks_feed_add(feed, t->id, 0, "cancel_asked", NULL);
    return store_do(s, &(struct store_statement){sql, {STORE_INT(t->id)}}, NULL, err);
}

static bool cancel_now(struct store *s, const struct task_target *t, struct tasks_feed *feed,
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
    struct task_target t = {0};
    struct tasks_feed feed = {0};
    size_t touched = 0;
    if (!find_target(s, id, &t, err))
        return false;
    if (t.state == TASK_STATE_COUNT || task_state_next(t.state, TASK_CANCEL) == TASK_STATE_COUNT)
        return refuse_change(&t, "it has already ended", err);
    bool asked = t.state == TASK_RUNNING;
    bool ok =
        (asked ? request_cancel(s, &t, &feed, err) : cancel_now(s, &t, &feed, &touched, err)) &&
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

/* The event that a retry means in this state; TASK_EVENT_COUNT: it is not possible. */
static enum task_event retry_event(const struct task_target *t)
{
    if (t->state == TASK_STATE_COUNT || (t->state == TASK_BLOCKED && t->because))
        return TASK_EVENT_COUNT;
    enum task_event e = t->state == TASK_RETRY_WAIT ? TASK_DUE
                        : t->open_needs             ? TASK_REOPEN
                                                    : TASK_REVIVE;
    return task_state_next(t->state, e) == TASK_STATE_COUNT ? TASK_EVENT_COUNT : e;
}

static bool refuse_retry(const struct task_target *t, struct error *err)
{
    if (t->state == TASK_BLOCKED && t->because)
        return error_set(err, ERR_TASK_STATE, "%s is blocked by %s: retry that one", t->name,
                         t->because_name);
    if (t->state == TASK_SUCCEEDED)
        return refuse_change(t, "it is done: to redo it, add it under another name", err);
    return refuse_change(t, t->state == TASK_RUNNING ? "cancel it first" : "it starts by itself",
                         err);
}

static bool reset_task(struct store *s, const struct task_target *t, enum task_event event,
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

/* After a retry the task may be blocked again by another dependency. */
static bool publish_blocked(struct store *s, const struct task_target *t, struct tasks_feed *feed,
                            struct error *err)
{
    if (t->state == TASK_BLOCKED)
        tasks_feed_add(feed, t->id, 0, "blocked",
                       &(struct tasks_event_fields){.because = t->because});
    return tasks_feed_write(s, feed, err);
}

bool tasks_retry(struct store *s, int64_t id, struct tasks_change *out, struct error *err)
{
    struct task_target t = {0}, now = {0};
    struct tasks_feed feed = {0};
    size_t touched = 0;
    if (!find_target(s, id, &t, err))
        return false;
    enum task_event event = retry_event(&t);
    if (event == TASK_EVENT_COUNT)
        return refuse_retry(&t, err);
    tasks_feed_add(&feed, id, 0, "revived", NULL);
    bool ok = reset_task(s, &t, event, err) &&
              (event == TASK_DUE || tasks_release(s, id, &feed, &touched, err)) &&
              find_target(s, id, &now, err) && publish_blocked(s, &now, &feed, err) &&
              store_notify(s, now.state == TASK_READY ? TASKS_WORK : TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    if (ok)
        *out = (struct tasks_change){
            .before = t.state, .after = now.state, .touched = (uint32_t)touched};
    return ok;
}

/* ---- remove */

#define NAMED 3

static bool check_dependents(struct store *s, const struct task_target *t, struct error *err)
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
    struct task_target t = {0};
    struct tasks_feed feed = {0};
    if (!find_target(s, id, &t, err))
        return false;
    if (t.state == TASK_RUNNING)
        return refuse_change(&t, "cancel it first", err);
    bool ok = check_dependents(s, &t, err);
    for (size_t i = 0; ok && i < sizeof rows / sizeof *rows; i++)
        ok = store_do(s, &(struct store_statement){rows[i], {STORE_INT(id)}}, NULL, err);
    tasks_feed_add(&feed, id, 0, "removed", &(struct tasks_event_fields){.why = str_from(t.name)});
    ok = ok && tasks_feed_write(s, &feed, err) && store_notify(s, TASKS_CONTROL, err);
    tasks_feed_done(&feed);
    return ok;
}

/* ---- pause, resume, stop */

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
