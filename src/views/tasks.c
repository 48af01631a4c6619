#include "views/tasks.h"

#include <inttypes.h>

void views_tasks_put_row(struct jsonw *w, const struct task_row *t, enum views_form form)
{
    jsonw_kint(w, "id", t->id);
    jsonw_kstr(w, "name", t->name);
    jsonw_kstr(w, "title", t->title);
    jsonw_kcstr(w, "state", task_state_name(t->state));
    jsonw_kstr(w, "pool", t->pool);
    jsonw_kstr(w, "repo", t->repo);
    jsonw_kint(w, "open_needs", t->open_needs);
    jsonw_kint(w, "attempts", t->attempts);
    jsonw_kint(w, "counted", t->counted);
    jsonw_kint(w, "lost", t->lost);
    jsonw_key(w, "max_attempts");
    if (t->max_attempts)
        jsonw_uint(w, t->max_attempts);
    else
        jsonw_null(w);
    jsonw_kbool(w, "cancel_requested", t->cancel);
    jsonw_kstr(w, "why", t->why);
    jsonw_kstr(w, "owner", t->owner);
    jsonw_kstr(w, "tool", t->tool);
    jsonw_kstr(w, "model", t->model);
    views_put_time(w, "due_at", t->due, form);
    views_put_time(w, "lease_until", t->lease_until, form);
    views_put_time(w, "added_at", t->added, form);
    views_put_time(w, "changed_at", t->changed, form);
    views_put_time(w, "started_at", t->started, form);
    views_put_time(w, "ended_at", t->ended, form);
    if (t->goal.n)
        jsonw_kstr(w, "goal", t->goal);
}

static bool is_array(struct str text)
{
    struct arena a = {0};
    bool is = json_is(json_parse(&a, text, NULL, NULL), JSON_ARRAY);
    arena_done(&a);
    return is;
}

static void put_attempt(struct jsonw *w, const struct attempt_row *a, enum views_form form)
{
    jsonw_object(w);
    jsonw_kint(w, "number", a->number);
    jsonw_kstr(w, "host", a->host);
    jsonw_kstr(w, "owner", a->owner);
    views_put_time(w, "started_at", a->started, form);
    views_put_time(w, "ended_at", a->ended, form);
    jsonw_kstr(w, "end", a->end);
    jsonw_kstr(w, "outcome", a->outcome);
    jsonw_key(w, "exit_code");
    if (a->ended)
        jsonw_int(w, a->exit_code);
    else
        jsonw_null(w);
    jsonw_kstr(w, "tool", a->tool);
    jsonw_kstr(w, "model", a->model);
    jsonw_kstr(w, "run", a->run);
    jsonw_kstr(w, "why", a->why);
    jsonw_kint(w, "input_tokens", (int64_t)a->input_tokens);
    jsonw_kint(w, "output_tokens", (int64_t)a->output_tokens);
    jsonw_key(w, "cost_usd");
    jsonw_double(w, a->cost_usd);
    jsonw_kraw(w, "files", is_array(a->files) ? a->files : STR("[]"));
    jsonw_kint(w, "log_pieces", (int64_t)a->pieces);
    jsonw_end(w);
}

static void put_tie(struct jsonw *w, const struct task_neighbour *t)
{
    jsonw_object(w);
    jsonw_kint(w, "id", t->id);
    jsonw_kstr(w, "name", t->name);
    jsonw_kcstr(w, "state", task_state_name(t->state));
    jsonw_end(w);
}

void views_tasks_put_orchestrator(struct jsonw *w, const struct orchestrator_row *o,
                                  enum views_form form)
{
    jsonw_object(w);
    jsonw_kstr(w, "id", o->id);
    jsonw_kstr(w, "host", o->host);
    jsonw_kint(w, "pid", o->pid);
    jsonw_kint(w, "workers", o->workers);
    jsonw_kint(w, "running", o->running);
    views_put_time(w, "started_at", o->started, form);
    views_put_time(w, "seen_at", o->seen, form);
    jsonw_kbool(w, "gone", tasks_orchestrator_is_gone(o));
    jsonw_end(w);
}

void views_tasks_put_control(struct jsonw *w, const struct tasks_control *c, enum views_form form)
{
    jsonw_object(w);
    jsonw_kcstr(w, "mode", c->mode == TASKS_PAUSED ? "PAUSED" : "RUNNING");
    jsonw_kint(w, "stops", c->stops);
    views_put_time(w, "since", c->since, form);
    jsonw_end(w);
}

void views_tasks_put_counts(struct jsonw *w, const struct tasks_counts *c)
{
    jsonw_object(w);
    for (enum task_state t = 0; t < TASK_STATE_COUNT; t++)
        jsonw_kint(w, task_state_name(t), (int64_t)c->by_state[t]);
    jsonw_end(w);
}

/* ---- one task with all of it */

struct task_reading {
    struct views_task *task;
    struct arena *arena;
    bool is_found;
};

static void keep_row(const struct task_row *t, void *ctx)
{
    struct task_reading *r = ctx;
    struct task_row *to = &r->task->row;
    struct str *const texts[] = {&to->name,  &to->title, &to->repo, &to->pool,  &to->goal,
                                 &to->owner, &to->why,   &to->tool, &to->model, &to->spec};
    *to = *t;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(r->arena, *texts[i]);
    r->is_found = true;
}

/* Room for one more: the capacity is the next power of two. */
static void *grow_items(struct arena *a, void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    return arena_grow(a, items, count * size, (count ? 2 * count : 1) * size);
}

static void keep_tie(const struct task_neighbour *t, void *ctx)
{
    struct task_reading *r = ctx;
    struct views_task *to = r->task;
    to->ties = grow_items(r->arena, to->ties, to->tie_count, sizeof *to->ties);
    to->ties[to->tie_count] = *t;
    to->ties[to->tie_count++].name = arena_str(r->arena, t->name);
}

static void keep_attempt(const struct attempt_row *a, void *ctx)
{
    struct task_reading *r = ctx;
    struct views_task *t = r->task;
    t->attempts = grow_items(r->arena, t->attempts, t->attempt_count, sizeof *t->attempts);
    struct attempt_row *to = &t->attempts[t->attempt_count++];
    struct str *const texts[] = {&to->owner, &to->host, &to->end, &to->outcome, &to->tool,
                                 &to->model, &to->why,  &to->run, &to->files};
    *to = *a;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(r->arena, *texts[i]);
}

bool views_tasks_read(struct store *s, int64_t id, struct arena *arena, struct views_task *out,
                      struct error *err)
{
    struct task_reading r = {out, arena, false};
    *out = (struct views_task){0};
    if (!tasks_get(s, id, keep_row, &r, err))
        return false;
    if (!r.is_found)
        return error_set(err, ERR_TASK_NOT_FOUND, "there is no task #%" PRId64, id);
    return tasks_neighbours(s, id, keep_tie, &r, err) &&
           tasks_attempts(s, id, keep_attempt, &r, err);
}

static void put_ties(struct jsonw *w, const struct views_task *t, const char *key, bool needs)
{
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = 0; i < t->tie_count; i++)
        if (t->ties[i].is_need == needs)
            put_tie(w, &t->ties[i]);
    jsonw_end(w);
}

void views_tasks_put(struct jsonw *w, const struct views_task *t, enum views_form form)
{
    views_tasks_put_row(w, &t->row, form);
    if (form == VIEWS_API)
        jsonw_kstr(w, "spec", t->row.spec);
    put_ties(w, t, "needs", true);
    put_ties(w, t, "needed_by", false);
    jsonw_key(w, "attempt_list");
    jsonw_array(w);
    for (size_t i = 0; i < t->attempt_count; i++)
        put_attempt(w, &t->attempts[i], form);
    jsonw_end(w);
    if (form == VIEWS_CLI)
        jsonw_kstr(w, "spec", t->row.spec);
}

/* ---- logs, changes */

void views_tasks_put_log_piece(struct jsonw *w, struct str name, const struct log_piece *p,
                               enum views_form form)
{
    if (form == VIEWS_CLI) {
        jsonw_kstr(w, "task", name);
        jsonw_kint(w, "attempt", p->number);
    }
    jsonw_kint(w, "seq", (int64_t)p->seq);
    views_put_time(w, "at", p->at, form);
    jsonw_kstr(w, "text", p->text);
}

void views_tasks_put_change(struct jsonw *w, const struct task_bulk_item *t,
                            enum task_bulk_kind kind, enum views_form form)
{
    bool is_removed = kind == TASK_BULK_REMOVE, is_cli = form == VIEWS_CLI;
    jsonw_object(w);
    jsonw_kint(w, "id", t->id);
    jsonw_kcstr(w, "name", t->name);
    jsonw_kcstr(w, "before", task_state_name(t->change.before));
    jsonw_kcstr(w, "after", is_removed ? NULL : task_state_name(t->change.after));
    if (!is_cli || !is_removed) {
        jsonw_kbool(w, is_cli ? "asked_to_stop" : "asked", t->change.asked);
        jsonw_kint(w, is_cli ? "others_changed" : "touched", t->change.touched);
    }
    jsonw_end(w);
}
