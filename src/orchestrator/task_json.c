#include "orchestrator/task_json.h"

#include "base/rfc3339.h"

void task_json_put_time(struct jsonw *w, const char *key, int64_t at, enum task_json_times times)
{
    char text[RFC3339_LEN + 1];
    jsonw_key(w, key);
    if (!at) {
        jsonw_null(w);
    } else if (times == TASK_JSON_MS) {
        jsonw_int(w, at);
    } else {
        rfc3339_format(at, text);
        jsonw_cstr(w, text);
    }
}

void task_json_put_row(struct jsonw *w, const struct task_row *t, enum task_json_times times)
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
    task_json_put_time(w, "due_at", t->due, times);
    task_json_put_time(w, "lease_until", t->lease_until, times);
    task_json_put_time(w, "added_at", t->added, times);
    task_json_put_time(w, "changed_at", t->changed, times);
    task_json_put_time(w, "started_at", t->started, times);
    task_json_put_time(w, "ended_at", t->ended, times);
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

void task_json_put_attempt(struct jsonw *w, const struct attempt_row *a, enum task_json_times times)
{
    jsonw_object(w);
    jsonw_kint(w, "number", a->number);
    jsonw_kstr(w, "host", a->host);
    jsonw_kstr(w, "owner", a->owner);
    task_json_put_time(w, "started_at", a->started, times);
    task_json_put_time(w, "ended_at", a->ended, times);
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

void task_json_put_tie(struct jsonw *w, const struct task_tie *t)
{
    jsonw_object(w);
    jsonw_kint(w, "id", t->id);
    jsonw_kstr(w, "name", t->name);
    jsonw_kcstr(w, "state", task_state_name(t->state));
    jsonw_end(w);
}

void task_json_put_orchestrator(struct jsonw *w, const struct orchestrator_row *o,
                                enum task_json_times times)
{
    jsonw_object(w);
    jsonw_kstr(w, "id", o->id);
    jsonw_kstr(w, "host", o->host);
    jsonw_kint(w, "pid", o->pid);
    jsonw_kint(w, "workers", o->workers);
    jsonw_kint(w, "running", o->running);
    task_json_put_time(w, "started_at", o->started, times);
    task_json_put_time(w, "seen_at", o->seen, times);
    jsonw_kbool(w, "gone", tasks_is_gone(o));
    jsonw_end(w);
}

void task_json_put_control(struct jsonw *w, const struct tasks_control *c,
                           enum task_json_times times)
{
    jsonw_object(w);
    jsonw_kcstr(w, "mode", c->mode == TASKS_PAUSED ? "PAUSED" : "RUNNING");
    jsonw_kint(w, "stops", c->stops);
    task_json_put_time(w, "since", c->since, times);
    jsonw_end(w);
}

void task_json_put_counts(struct jsonw *w, const struct tasks_counts *c)
{
    jsonw_object(w);
    for (enum task_state t = 0; t < TASK_STATE_COUNT; t++)
        jsonw_kint(w, task_state_name(t), (int64_t)c->by_state[t]);
    jsonw_end(w);
}
