/* Tasks from the page: checked, then all or none added. They name files, so they are read on the
 * pool. */
#include <stdlib.h>

#include "console/task_form.h"
#include "console/tasks_internal.h"
#include "orchestrator/goal.h"
#include "orchestrator/task_batch.h"
#include "views/tasks.h"

#define MOST          TASKS_MAX_BATCH
#define ATTEMPTS_MOST 1000
#define WARNINGS_MOST 100u

struct add_request {
    struct console_tasks_job job;
    const struct json *items; /* {yaml, name?, needs?} or {form}; owned by the exchange */
    const struct json *only;  /* the one task of a check */
    struct task_batch batch;
    struct str *warnings; /* in the job's arena */
    size_t warning_count;
    size_t index; /* of the invalid task */
    struct error err;
};

static void free_batch(struct console_tasks_job *j)
{
    task_batch_done(&((struct add_request *)j)->batch);
}

/* ---- reading */

static void add_warning(struct str text, void *ctx)
{
    struct add_request *a = ctx;
    if (!a->warnings)
        a->warnings = arena_alloc(&a->job.arena, WARNINGS_MOST * sizeof *a->warnings);
    if (a->warning_count < WARNINGS_MOST)
        a->warnings[a->warning_count++] = arena_str(&a->job.arena, text);
}

/* Members of `item` override the text. */
static bool read_text(struct add_request *a, struct str text, const char *name,
                      const struct json *item, struct error *err)
{
    struct task_file *t = task_file_read_in(text, name, a->job.t->console->o.project, err);
    bool fine =
        t && task_form_change(t, item, name, err) && task_batch_add_file(&a->batch, t, name, err);
    task_file_free(t);
    return fine;
}

static bool read_form(struct add_request *a, const struct json *form, struct error *err)
{
    struct buf text = {0};
    bool fine = task_form_text(form, &text, err) && read_text(a, buf_str(&text), "form", NULL, err);
    if (!fine)
        task_form_point(err);
    buf_done(&text);
    return fine;
}

static bool read_item(struct add_request *a, const struct json *item, struct error *err)
{
    const struct json *yaml = json_get(item, STR("yaml")), *form = json_get(item, STR("form"));
    char name[32] = "task.yaml";
    if ((yaml != NULL) == (form != NULL) || (yaml && !json_is(yaml, JSON_STRING)))
        return error_set(err, ERR_INVALID_PARAMS,
                         "a task is {\"yaml\": TEXT} or {\"form\": {...}}");
    if (form)
        return read_form(a, form, err);
    if (a->index)
        snprintf(name, sizeof name, "task-%zu.yaml", a->index + 1);
    return read_text(a, json_str(yaml), name, item, err);
}

static void read_all(struct console_tasks_job *j)
{
    struct add_request *a = (struct add_request *)j;
    a->batch.warn = add_warning;
    a->batch.ctx = a;
    if (a->only) {
        read_item(a, a->only, &a->err);
        return;
    }
    JSON_ITEMS (a->items, item) {
        if (!read_item(a, item, &a->err))
            return;
        a->index++;
    }
}

static void put_warnings(struct jsonw *w, const struct add_request *a)
{
    jsonw_key(w, "warnings");
    jsonw_array(w);
    for (size_t i = 0; i < a->warning_count; i++)
        jsonw_str(w, a->warnings[i]);
    jsonw_end(w);
}

/* ---- check */

static void answer_check(struct console_tasks_job *j)
{
    struct add_request *a = (struct add_request *)j;
    struct jsonw *w = api_begin(j->api);
    const struct task_new *t = a->batch.count ? &a->batch.news[0] : NULL;
    jsonw_key(w, "fault");
    if (t)
        jsonw_null(w);
    else
        api_put_fault(w, &a->err);
    put_warnings(w, a);
    jsonw_key(w, "yaml");
    if (t)
        jsonw_str(w, t->spec);
    else
        jsonw_null(w);
    jsonw_key(w, "name");
    if (t)
        jsonw_str(w, t->name);
    else
        jsonw_null(w);
    jsonw_key(w, "needs");
    jsonw_array(w);
    for (size_t i = 0; t && i < t->need_count; i++)
        jsonw_str(w, t->needs[i]);
    jsonw_end(w);
    api_end(j->api);
    console_tasks_job_drop(j);
}

static void on_check(struct api *api, void *ctx)
{
    const struct json *body = api_body(api);
    bool has_yaml = json_is(json_get(body, STR("yaml")), JSON_STRING);
    if (has_yaml == (json_get(body, STR("form")) != NULL)) {
        api_refuse(api, 400, ERR_INVALID_PARAMS, "yaml (text) or form must be given.");
        return;
    }
    struct add_request *a = console_tasks_job_new(ctx, api, sizeof *a);
    a->only = body;
    a->job.done = free_batch;
    console_tasks_job_work(&a->job, read_all, answer_check);
}

/* ---- add */

static void put_row(const struct task_row *t, void *ctx)
{
    jsonw_object(ctx);
    views_tasks_put_row(ctx, t, VIEWS_API);
    jsonw_end(ctx);
}

static bool add_tasks(struct store *s, void *ctx, struct error *err)
{
    struct add_request *a = ctx;
    struct jsonw *w = &a->job.w;
    if (!tasks_add(s, a->batch.news, a->batch.count, err))
        return false;
    jsonw_key(w, "tasks");
    jsonw_array(w);
    for (size_t i = 0; i < a->batch.count; i++) {
        int64_t id;
        if (!tasks_find(s, a->batch.news[i].name, &id, err) || !tasks_get(s, id, put_row, w, err))
            return false;
    }
    jsonw_end(w);
    put_warnings(w, a);
    return true;
}

static void after_read(struct console_tasks_job *j)
{
    struct add_request *a = (struct add_request *)j;
    if (a->err.code == ERR_NONE) {
        j->then = NULL;
        console_tasks_job_run(j, STORE_ROWS, add_tasks);
        return;
    }
    struct jsonw *w = api_begin(j->api);
    api_put_error(w, &a->err);
    jsonw_kint(w, "index", (int64_t)a->index);
    api_end_status(j->api, a->err.code == ERR_LIMIT ? 413 : 400);
    console_tasks_job_drop(j);
}

static void on_add(struct api *api, void *ctx)
{
    const struct json *items = json_get(api_body(api), STR("tasks"));
    struct str pool, goal;
    int64_t attempts = 0;
    if (!json_is(items, JSON_ARRAY) || !json_count(items) || json_count(items) > MOST) {
        api_refuse(api, 400, ERR_INVALID_PARAMS, "tasks must be an array of 1 to %u tasks.", MOST);
        return;
    }
    if (!api_text_or(api, "pool", &pool) || !api_text_or(api, "goal", &goal) ||
        !api_int_or(api, "max_attempts", 1, ATTEMPTS_MOST, &attempts))
        return;
    if (goal.n > GOAL_MAX_TEXT) {
        api_refuse(api, 413, ERR_LIMIT, "The goal is longer than %u KiB.", GOAL_MAX_TEXT >> 10);
        return;
    }
    struct add_request *a = console_tasks_job_new(ctx, api, sizeof *a);
    a->items = items;
    a->batch.pool = arena_str(&a->job.arena, pool);
    a->batch.goal = arena_str(&a->job.arena, goal);
    a->batch.max_attempts = (uint32_t)attempts;
    a->job.done = free_batch;
    console_tasks_job_work(&a->job, read_all, after_read);
}

void console_tasks_add_start(struct console_tasks *t)
{
    api_post(t->console, "/api/tasks/check", on_check, t);
    api_post(t->console, "/api/tasks/add", on_add, t);
}
