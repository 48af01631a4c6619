#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "orchestrator/graph.h"
#include "orchestrator/tasks_internal.h"

#define CYCLE_SHOWN 12u /* tasks of a cycle that the message names */
#define AT_ONCE     8u  /* rows of `need` per statement */

struct task_addition {
    const struct task_new *news;
    size_t count;
    struct arena arena;
    struct map batch;         /* name -> &news[i] */
    struct map outside;       /* name outside the batch -> a task that needs it */
    struct map there;         /* the same name -> its number, in the arena */
    struct graph_edge *edges; /* inside the batch */
    size_t edge_count, edge_cap;
    int64_t base; /* news[i] becomes number base + i */
};

/* ---- checks without the store */

static bool check_text(const struct task_new *t, struct str text, const char *what,
                       struct error *err)
{
    if (utf8_is_valid(text) && (!text.n || !memchr(text.p, 0, text.n)))
        return true;
    return error_set(err, ERR_INVALID_PARAMS, "the %s of the task %.*s is not valid UTF-8", what,
                     STR_ARG(t->name));
}

static bool check_new(const struct task_new *t, struct error *err)
{
    if (!tasks_check_name(t->name, "name of a task", err) ||
        (t->pool.n && !tasks_check_name(t->pool, "name of a pool", err)))
        return false;
    if (t->need_count > TASKS_MAX_NEEDS)
        return error_set(err, ERR_INVALID_PARAMS,
                         "the task %.*s has too many dependencies: %zu, at most %u",
                         STR_ARG(t->name), t->need_count, TASKS_MAX_NEEDS);
    return check_text(t, t->title, "title", err) && check_text(t, t->repo, "repo", err) &&
           check_text(t, t->spec, "file", err) && check_text(t, t->goal, "goal", err);
}

static bool take_batch(struct task_addition *a, struct error *err)
{
    if (a->count > TASKS_MAX_BATCH)
        return error_set(err, ERR_INVALID_PARAMS,
                         "too many tasks: %zu, at most %u can be added at once", a->count,
                         TASKS_MAX_BATCH);
    for (size_t i = 0; i < a->count; i++) {
        const struct task_new *t = &a->news[i];
        if (!check_new(t, err))
            return false;
        if (map_set(&a->batch, t->name, (void *)t))
            return error_set(err, ERR_INVALID_PARAMS, "duplicate task: %.*s", STR_ARG(t->name));
    }
    return true;
}

static void sort_needs(struct task_addition *a)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->news[i].need_count; k++) {
            struct str name = a->news[i].needs[k];
            const struct task_new *needed = map_get(&a->batch, name);
            if (!needed) {
                map_set(&a->outside, name, (void *)&a->news[i]);
                continue;
            }
            mem_grow((void **)&a->edges, &a->edge_cap, a->edge_count + 1, sizeof *a->edges);
            a->edges[a->edge_count++] =
                (struct graph_edge){(uint32_t)i, (uint32_t)(needed - a->news)};
        }
}

static bool check_cycles(struct task_addition *a, struct error *err)
{
    struct graph g = {(uint32_t)a->count, a->edges, a->edge_count};
    uint32_t *nodes;
    size_t count;
    if (!graph_find_cycle(&g, &a->arena, &nodes, &count))
        return true;
    struct buf text = {0};
    for (size_t i = 0; i < count; i++) {
        if (count > CYCLE_SHOWN && i == CYCLE_SHOWN - 2) {
            buf_printf(&text, " -> (%zu more)", count - CYCLE_SHOWN);
            i = count - 2;
        }
        buf_printf(&text, "%s%.*s", i ? " -> " : "", STR_ARG(a->news[nodes[i]].name));
    }
    error_set(err, ERR_INVALID_PARAMS, "these tasks need each other in a cycle: %.*s",
              STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* ---- names in the store */

static struct buf names_json(const struct map *names)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_array(&w);
    MAP_EACH (names, i)
        jsonw_str(&w, map_key(names, i));
    jsonw_end(&w);
    return out;
}

#define NAME_IN                                                                                    \
    " name --pg = ANY(ARRAY(SELECT json_array_elements_text(CAST(?1 AS JSON)))) /*\n"              \
    " IN (SELECT value FROM json_each(?1))\n"                                                      \
    "--pg */\n"

static bool check_taken(struct store *s, struct task_addition *a, struct error *err)
{
    static const char sql[] = "SELECT t.name, COALESCE(s.state, '') FROM task t LEFT JOIN status s"
                              " ON s.task = t.id WHERE" NAME_IN " ORDER BY t.id";
    struct str taken = {0}, state = {0};
    struct buf names = names_json(&a->batch);
    struct store_rows q =
        store_query(s, &(struct store_statement){sql, {STORE_TEXT(buf_str(&names))}});
    if (store_next(&q)) {
        taken = arena_str(&a->arena, store_text(&q, 0));
        state = arena_str(&a->arena, store_text(&q, 1));
    }
    bool ok = store_end(&q, err);
    buf_done(&names);
    if (!ok || !taken.n)
        return ok;
    return error_set(err, ERR_INVALID_PARAMS, "there is a task %.*s already: it is %.*s",
                     STR_ARG(taken), STR_ARG(state));
}

static bool set_unknown_need(struct store *s, struct task_addition *a, struct str name,
                             struct error *err)
{
    const struct task_new *by = map_get(&a->outside, name);
    struct nearest n = nearest_make(name);
    MAP_EACH (&a->batch, i)
        if (map_value(&a->batch, i) != by) /* no task depends on itself */
            nearest_offer(&n, map_key(&a->batch, i));
    if (!tasks_nearest(s, &n, &a->arena, err))
        return false;
    struct buf shown = {0};
    quote_add(&shown, name, QUOTE_MAX);
    error_set(err, ERR_INVALID_PARAMS, "the task %.*s needs %.*s, which does not exist%s%.*s%s",
              STR_ARG(by->name), STR_ARG(buf_str(&shown)), n.best.n ? ": did you mean " : "",
              STR_ARG(n.best), n.best.n ? "?" : "");
    buf_done(&shown);
    return false;
}

static bool find_outside(struct store *s, struct task_addition *a, struct error *err)
{
    static const char sql[] = "SELECT id, name FROM task WHERE" NAME_IN;
    if (!a->outside.count)
        return true;
    struct buf names = names_json(&a->outside);
    struct store_rows q =
        store_query(s, &(struct store_statement){sql, {STORE_TEXT(buf_str(&names))}});
    while (store_next(&q)) {
        int64_t *id = arena_alloc(&a->arena, sizeof *id);
        *id = store_int(&q, 0);
        map_set(&a->there, store_text(&q, 1), id);
    }
    bool ok = store_end(&q, err);
    buf_done(&names);
    MAP_EACH (&a->outside, i)
        if (ok && !map_get(&a->there, map_key(&a->outside, i)))
            return set_unknown_need(s, a, map_key(&a->outside, i), err);
    return ok;
}

/* ---- rows */

static bool take_numbers(struct store *s, struct task_addition *a, struct error *err)
{
    static const char sql[] =
        "UPDATE control SET last_task = ?1 + COALESCE((SELECT max(id) FROM task"
        " WHERE id > control.last_task), last_task) WHERE id = 1"
        " RETURNING last_task";
    int64_t last = 0;
    if (!store_query_int(s, &(struct store_statement){sql, {STORE_INT((int64_t)a->count)}}, &last,
                         err))
        return false;
    a->base = last - (int64_t)a->count + 1;
    return a->base > 0 ||
           error_set(err, ERR_IO, "the store is damaged: its table control has no row");
}

static bool write_tasks(struct store *s, const struct task_addition *a, struct error *err)
{
    static const char sql[] =
        "INSERT INTO task (id, name, title, repo, pool, goal, spec, max_attempts, added)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, now_ms())";
    bool ok = true;
    for (size_t i = 0; ok && i < a->count; i++) {
        const struct task_new *t = &a->news[i];
        ok = store_do(
            s,
            &(struct store_statement){
                sql,
                {STORE_INT(a->base + (int64_t)i), STORE_TEXT(t->name), STORE_TEXT(t->title),
                 STORE_TEXT(t->repo), STORE_TEXT(t->pool.n ? t->pool : STR(TASKS_POOL)),
                 STORE_TEXT(t->goal), STORE_TEXT(t->spec), STORE_INT(t->max_attempts)}},
            NULL, err);
    }
    return ok;
}

/* Pairs that are collected until a statement is full. */
struct need_pairs {
    struct store *s;
    struct store_statement many;
    size_t count;
};

static bool write_pair(struct need_pairs *p, int64_t task, int64_t needs, struct error *err)
{
    p->many.values[2 * p->count] = STORE_INT(task);
    p->many.values[2 * p->count + 1] = STORE_INT(needs);
    if (++p->count < AT_ONCE)
        return true;
    p->count = 0;
    p->many.sql = "INSERT INTO need (task, needs) VALUES (?1, ?2), (?3, ?4), (?5, ?6), (?7, ?8),"
                  " (?9, ?10), (?11, ?12), (?13, ?14), (?15, ?16) ON CONFLICT DO NOTHING";
    return store_do(p->s, &p->many, NULL, err);
}

static bool write_last_pairs(const struct need_pairs *p, struct error *err)
{
    static const char sql[] =
        "INSERT INTO need (task, needs) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    bool ok = true;
    for (size_t i = 0; ok && i < p->count; i++)
        ok = store_do(
            p->s,
            &(struct store_statement){sql, {p->many.values[2 * i], p->many.values[2 * i + 1]}},
            NULL, err);
    return ok;
}

static bool write_needs(struct store *s, const struct task_addition *a, struct error *err)
{
    struct need_pairs p = {.s = s};
    bool ok = true;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; ok && k < a->news[i].need_count; k++) {
            struct str name = a->news[i].needs[k];
            const struct task_new *needed = map_get(&a->batch, name);
            const int64_t *id = needed ? NULL : map_get(&a->there, name);
            ok = write_pair(&p, a->base + (int64_t)i, id ? *id : a->base + (needed - a->news), err);
        }
    return ok && write_last_pairs(&p, err);
}

/* Nothing else changes the store from here on, so the states of existing tasks decide those of the
 * new ones. Two statements: PostgreSQL would plan a statement that reads the table it fills for an
 * empty table, which takes quadratic time. */
static bool write_status(struct store *s, const struct task_addition *a, struct error *err)
{
    static const char all[] =
        "INSERT INTO status (task, pool, state, needs, open_needs, because, attempts, counted,"
        " lost, due, cancel, changed, started, ended, owner, why)"
        " SELECT t.id, t.pool, CASE WHEN count(n.needs) = 0 THEN 'READY' ELSE 'PENDING' END,"
        " count(n.needs), count(n.needs), 0, 0, 0, 0, 0, 0," TASKS_CLOCK ", 0, 0, '', ''"
        " FROM task t LEFT JOIN need n ON n.task = t.id WHERE t.id >= ?1 GROUP BY t.id, t.pool";
    static const char met[] =
        "UPDATE status SET open_needs = open_needs - x.k,"
        " state = CASE WHEN open_needs = x.k THEN 'READY' ELSE 'PENDING' END"
        " FROM (SELECT n.task AS id, count(*) AS k FROM need n JOIN status s ON s.task = n.needs"
        " WHERE n.task >= ?1 AND n.needs < ?1 AND s.state = 'SUCCEEDED' GROUP BY n.task) x"
        " WHERE status.task = x.id";
    const struct store_value base = STORE_INT(a->base);
    return store_do(s, &(struct store_statement){all, {base}}, NULL, err) &&
           (!a->there.count || store_do(s, &(struct store_statement){met, {base}}, NULL, err));
}

static struct store_rows query_added(struct store *s, const struct task_addition *a)
{
    return store_query(s,
                       &(struct store_statement){
                           "SELECT task, state, because FROM status WHERE task >= ?1 ORDER BY task",
                           {STORE_INT(a->base)}});
}

/* Block those new tasks that need a task that is blocked, failed or cancelled. */
static bool block_added(struct store *s, const struct task_addition *a, struct error *err)
{
    struct tasks_id_list pending = {0};
    struct store_rows q = query_added(s, a);
    while (store_next(&q))
        if (str_eq(store_text(&q, 1), STR("PENDING")))
            tasks_id_list_add(&pending, store_int(&q, 0));
    bool ok = store_end(&q, err) && tasks_block_again(s, &pending, err);
    tasks_id_list_done(&pending);
    return ok;
}

static bool publish_added(struct store *s, const struct task_addition *a, struct error *err)
{
    struct tasks_feed feed = {0};
    size_t ready = 0;
    enum task_state state;
    struct store_rows q = query_added(s, a);
    while (store_next(&q)) {
        if (!task_state_find(store_text(&q, 1), &state))
            continue;
        ready += state == TASK_READY;
        tasks_feed_add(&feed, store_int(&q, 0), 0, "added",
                       &(struct tasks_event_fields){.state = task_state_name(state),
                                                    .because = store_int(&q, 2)});
    }
    bool ok = store_end(&q, err) && tasks_feed_write(s, &feed, err) &&
              (!ready || store_notify(s, TASKS_WORK, err));
    tasks_feed_done(&feed);
    return ok;
}

bool tasks_add(struct store *s, const struct task_new *news, size_t count, struct error *err)
{
    struct task_addition a = {.news = news, .count = count};
    bool ok = take_batch(&a, err);
    sort_needs(&a);
    ok = ok && check_cycles(&a, err) && tasks_lock_names(s, err) && check_taken(s, &a, err) &&
         find_outside(s, &a, err);
    if (ok && count)
        ok = take_numbers(s, &a, err) && write_tasks(s, &a, err) && write_needs(s, &a, err) &&
             tasks_lock_all(s, err) && write_status(s, &a, err) &&
             (!a.there.count || block_added(s, &a, err)) && publish_added(s, &a, err);
    map_done(&a.batch);
    map_done(&a.outside);
    map_done(&a.there);
    arena_done(&a.arena);
    free(a.edges);
    return ok;
}
