#include "cli/orchestrate_control.h"

#include "cli/command.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/task_view.h"
#include "cli/tooling_view.h"
#include "orchestrator/task_json.h"

struct status {
    struct task_view view;
    struct tasks_counts counts;
    struct tasks_control control;
    size_t orchestrators;
    struct table table;
    struct buf json; /* the array of orchestrators */
    struct jsonw writer;
};

/* ---- reading */

static void on_orchestrator(const struct orchestrator_row *o, void *ctx)
{
    struct status *s = ctx;
    struct table *t = &s->table;
    struct buf seen = {0};
    s->orchestrators++;
    tooling_view_put_span(&seen, s->view.now, o->seen < s->view.now ? o->seen : s->view.now);
    table_add_str(t, o->host);
    table_add(t, "%lld", (long long)o->pid);
    table_add(t, "%lld of %lld", (long long)o->running, (long long)o->workers);
    buf_add(&seen, tasks_is_gone(o) ? STR(" (is gone)") : STR(""));
    table_add_str(t, buf_str(&seen));
    table_add_str(t, o->id);
    table_end(t);
    buf_done(&seen);
    task_json_put_orchestrator(&s->writer, o, TASK_JSON_TEXT);
}

static bool collect(struct store *store, void *ctx, struct error *err)
{
    static const char *const heads[] = {"HOST", "PID", "RUNNING", "LAST SEEN", "ID"};
    struct status *s = ctx;
    s->orchestrators = 0;
    table_done(&s->table);
    s->table = (struct table){0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&s->table, "%s", heads[i]);
    table_end(&s->table);
    table_right(&s->table, 1);
    buf_clear(&s->json);
    s->writer = jsonw_make(&s->json);
    jsonw_array(&s->writer);
    if (!tasks_count(store, &s->counts, err) || !tasks_control(store, &s->control, err) ||
        !tasks_orchestrators(store, on_orchestrator, s, err))
        return false;
    jsonw_end(&s->writer);
    return true;
}

/* ---- showing */

static const char *state_of(const struct status *s)
{
    if (s->control.mode == TASKS_PAUSED)
        return "PAUSED";
    return s->counts.by_state[TASK_RUNNING] ? "RUNNING" : "IDLE";
}

static void put_json(const struct status *s, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "state", state_of(s));
    task_json_put_time(&w, "paused_since", s->control.mode == TASKS_PAUSED ? s->control.since : 0,
                       TASK_JSON_TEXT);
    jsonw_kcstr(&w, "store", store_name(s->view.store));
    jsonw_key(&w, "counts");
    task_json_put_counts(&w, &s->counts);
    task_json_put_time(&w, "first_due_at", s->counts.first_due, TASK_JSON_TEXT);
    jsonw_kraw(&w, "orchestrators", buf_str(&s->json));
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static void put_counts(const struct status *s, struct buf *out)
{
    uint64_t sum = 0;
    buf_printf(out, "%-10s", "tasks");
    for (enum task_state t = 0; t < TASK_STATE_COUNT; t++) {
        if (!s->counts.by_state[t])
            continue;
        buf_printf(out, "%s%llu %s", sum ? ", " : "", (unsigned long long)s->counts.by_state[t],
                   task_state_name(t));
        sum += s->counts.by_state[t];
    }
    buf_add(out, sum ? STR("\n") : STR("none\n"));
}

static void put_text(const struct status *s, struct buf *out)
{
    buf_printf(out, "%-10s%s", "state", state_of(s));
    if (s->control.mode == TASKS_PAUSED) {
        buf_add(out, STR(", since "));
        struct buf span = {0};
        tooling_view_put_span(&span, s->view.now,
                              s->control.since < s->view.now ? s->control.since : s->view.now);
        buf_add(out, buf_str(&span));
        buf_done(&span);
        buf_add(out, STR("; multiverse orchestrate resume goes on"));
    }
    buf_printf(out, "\n%-10s", "store");
    say_add_line(out, str_from(store_name(s->view.store)));
    buf_add_char(out, '\n');
    put_counts(s, out);
    if (s->counts.first_due) {
        buf_printf(out, "%-10s", "next due");
        tooling_view_put_span(out, s->view.now, s->counts.first_due);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
    if (s->orchestrators)
        table_put(&s->table, out);
    else
        buf_add(out, STR("no orchestrator is at work: multiverse orchestrate\n"));
}

static void show(const struct status *s)
{
    struct buf out = {0};
    if (s->view.json)
        put_json(s, &out);
    else
        put_text(s, &out);
    say_out(buf_str(&out));
    buf_done(&out);
}

static int finish(struct status *s)
{
    table_done(&s->table);
    buf_done(&s->json);
    return task_view_close(&s->view);
}

int orchestrate_status(const struct options *o)
{
    struct status s = {0};
    if (!task_view_open(&s.view, o, TASK_VIEW_LOOK))
        return s.view.code;
    if (task_view_run(&s.view, STORE_READ, collect, &s))
        show(&s);
    return finish(&s);
}

/* ---- steering */

static bool pause_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_pause(s, err) && collect(s, ctx, err);
}

static bool resume_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_resume(s, err) && collect(s, ctx, err);
}

static bool stop_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_stop(s, err) && collect(s, ctx, err);
}

static void say_steered(const struct status *s, store_fn *work)
{
    unsigned long long n = s->counts.by_state[TASK_RUNNING];
    struct buf out = {0};
    if (work == resume_all)
        buf_printf(&out, "resumed: %llu READY\n",
                   (unsigned long long)s->counts.by_state[TASK_READY]);
    else if (work == pause_all)
        buf_printf(&out, "paused: nothing new is begun, %llu still run%s\n", n, n == 1 ? "s" : "");
    else
        buf_printf(&out, "stopped: nothing new is begun, %llu that run%s handed back\n", n,
                   n == 1 ? "s is" : " are");
    say_out(buf_str(&out));
    buf_done(&out);
}

static int steer(const struct options *o, store_fn *work)
{
    struct status s = {0};
    if (!task_view_open(&s.view, o, TASK_VIEW_CHANGE))
        return s.view.code;
    if (!task_view_run(&s.view, STORE_WRITE, work, &s))
        return finish(&s);
    if (s.view.json)
        show(&s);
    else
        say_steered(&s, work);
    return finish(&s);
}

int orchestrate_pause(const struct options *o)
{
    return steer(o, pause_all);
}

int orchestrate_resume(const struct options *o)
{
    return steer(o, resume_all);
}

int orchestrate_stop(const struct options *o)
{
    return steer(o, stop_all);
}
