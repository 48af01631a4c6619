/* Cancel, retry and remove; pause, resume and stop all. */
#include "console/tasks_internal.h"
#include "views/tasks.h"

#define IDS_MOST 1000u

/* ---- some tasks */

struct change_request {
    struct console_tasks_job job;
    struct task_bulk_change list;
};

static void put_changed(struct jsonw *w, const struct task_bulk_change *l)
{
    jsonw_key(w, "changed");
    jsonw_array(w);
    for (size_t i = 0; i < l->count; i++) {
        const struct task_bulk_item *wish = &l->items[i];
        if (wish->why.code == ERR_NONE)
            views_tasks_put_change(w, wish, l->kind, VIEWS_API);
    }
    jsonw_end(w);
}

static void put_failed(struct jsonw *w, const struct task_bulk_change *l)
{
    jsonw_key(w, "failed");
    jsonw_array(w);
    for (size_t i = 0; i < l->count; i++) {
        const struct task_bulk_item *wish = &l->items[i];
        if (wish->why.code == ERR_NONE)
            continue;
        jsonw_object(w);
        jsonw_kint(w, "id", wish->id);
        jsonw_kcstr(w, "code", error_name(wish->why.code));
        jsonw_kcstr(w, "message", wish->why.text);
        jsonw_end(w);
    }
    jsonw_end(w);
}

static bool change_tasks(struct store *s, void *ctx, struct error *err)
{
    struct change_request *change_request = ctx;
    if (!task_bulk_change_apply(s, &change_request->list, err))
        return false;
    put_changed(&change_request->job.w, &change_request->list);
    put_failed(&change_request->job.w, &change_request->list);
    return true;
}

static bool has_id(const struct task_bulk_change *l, int64_t id)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].id == id)
            return true;
    return false;
}

static void run_change(struct console_tasks *t, struct api *a, enum task_bulk_kind kind)
{
    int64_t *ids;
    size_t count;
    if (!api_ids(a, "ids", IDS_MOST, &ids, &count))
        return;
    struct change_request *w = console_tasks_job_new(t, a, sizeof *w);
    w->list = (struct task_bulk_change){.kind = kind, .each_alone = true};
    w->list.items = arena_zalloc(&w->job.arena, (count + 1) * sizeof *w->list.items);
    for (size_t i = 0; i < count; i++)
        if (!has_id(&w->list, ids[i]))
            w->list.items[w->list.count++].id = ids[i];
    console_tasks_job_run(&w->job, STORE_ROWS, change_tasks);
}

static void on_cancel(struct api *a, void *ctx)
{
    run_change(ctx, a, TASK_BULK_CANCEL);
}

static void on_retry(struct api *a, void *ctx)
{
    run_change(ctx, a, TASK_BULK_RETRY);
}

static void on_remove(struct api *a, void *ctx)
{
    run_change(ctx, a, TASK_BULK_REMOVE);
}

/* ---- all of them */

struct control_request {
    struct console_tasks_job job;
    bool (*act)(struct store *s, struct error *err);
};

static bool run_control(struct store *s, void *ctx, struct error *err)
{
    struct control_request *st = ctx;
    struct tasks_control control = {0};
    if (!st->act(s, err) || !tasks_control(s, &control, err))
        return false;
    jsonw_key(&st->job.w, "control");
    views_tasks_put_control(&st->job.w, &control, VIEWS_API);
    return true;
}

static void on_orchestrate(struct api *a, void *ctx)
{
    static const struct {
        const char *name;
        bool (*act)(struct store *s, struct error *err);
    } actions[] = {{"pause", tasks_pause}, {"resume", tasks_resume}, {"stop", tasks_stop}};
    struct str name;
    if (!api_text(a, "action", &name))
        return;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (str_eq(name, str_from(actions[i].name))) {
            struct control_request *st = console_tasks_job_new(ctx, a, sizeof *st);
            st->act = actions[i].act;
            console_tasks_job_run(&st->job, STORE_WRITE, run_control);
            return;
        }
    api_refuse(a, 400, ERR_INVALID_PARAMS, "action must be pause, resume or stop.");
}

void console_tasks_change_start(struct console_tasks *t)
{
    api_post(t->console, "/api/tasks/cancel", on_cancel, t);
    api_post(t->console, "/api/tasks/retry", on_retry, t);
    api_post(t->console, "/api/tasks/remove", on_remove, t);
    api_post(t->console, "/api/orchestrate", on_orchestrate, t);
}
