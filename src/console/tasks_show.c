/* The list of tasks, some rows, one task with everything, and the log of an attempt. */
#include <inttypes.h>

#include "base/rfc3339.h"
#include "base/utf8.h"
#include "console/tasks_internal.h"
#include "tooling/ledger.h"
#include "views/tasks.h"

#define LIST_MOST      5000
#define LIST_DEFAULT   500
#define LIST_BYTES     (4u << 20) /* of a page of the list */
#define LIST_GOAL      400u       /* bytes of a goal in a list; one task has all of it */
#define ROWS_MOST      1000u
#define LOG_MOST       2000
#define LOG_DEFAULT    500
#define LOG_BYTES      (1u << 20) /* of the texts of an answer */
#define LOG_AT_ONCE    32u
#define DECISIONS_MOST 200u

static void put_row(struct jsonw *w, const struct task_row *t)
{
    struct task_row row = *t;
    row.goal = utf8_head(row.goal, LIST_GOAL);
    jsonw_object(w);
    views_tasks_put_row(w, &row, VIEWS_API);
    jsonw_end(w);
}

/* ---- the list */

struct list_request {
    struct console_tasks_job job;
    struct tasks_filter filter; /* its texts in the job's arena */
    int64_t last;
    size_t count;
    bool is_cut;
};

static void on_listed(const struct task_row *t, void *ctx)
{
    struct list_request *l = ctx;
    l->is_cut = l->is_cut || l->job.out.n > LIST_BYTES;
    if (l->is_cut)
        return;
    put_row(&l->job.w, t);
    l->last = t->id;
    l->count++;
}

static void on_orchestrator(const struct orchestrator_row *o, void *ctx)
{
    views_tasks_put_orchestrator(ctx, o, VIEWS_API);
}

static void put_store(struct jsonw *w, struct store *s)
{
    jsonw_kcstr(w, "store", store_name(s));
    jsonw_kint(w, "now", rfc3339_now());
}

static bool list_tasks(struct store *s, void *ctx, struct error *err)
{
    struct list_request *l = ctx;
    struct jsonw *w = &l->job.w;
    struct tasks_counts counts = {0};
    struct tasks_control control = {0};
    l->count = 0;
    l->last = 0;
    l->is_cut = false;
    jsonw_key(w, "tasks");
    jsonw_array(w);
    if (!tasks_each(s, &l->filter, on_listed, l, err) || !tasks_count(s, &counts, err) ||
        !tasks_control(s, &control, err))
        return false;
    jsonw_end(w);
    jsonw_key(w, "after");
    if (l->is_cut || l->count == l->filter.most)
        jsonw_int(w, l->last);
    else
        jsonw_null(w);
    jsonw_key(w, "counts");
    views_tasks_put_counts(w, &counts);
    jsonw_key(w, "control");
    views_tasks_put_control(w, &control, VIEWS_API);
    jsonw_key(w, "orchestrators");
    jsonw_array(w);
    if (!tasks_orchestrators(s, on_orchestrator, w, err))
        return false;
    jsonw_end(w);
    put_store(w, s);
    return true;
}

static bool read_states(struct api *a, uint32_t *states)
{
    struct str rest = api_query(a, "state"), task_request;
    enum task_state state;
    while (rest.n) {
        str_cut(&rest, ',', &task_request);
        if (!task_state_find(task_request, &state)) {
            api_refuse(a, 400, ERR_INVALID_PARAMS, "Unknown state \"%.*s\".",
                       STR_ARG(utf8_head(task_request, 64)));
            return false;
        }
        *states |= 1u << state;
    }
    return true;
}

static void on_list(struct api *a, void *ctx)
{
    struct tasks_filter f = {0};
    int64_t most = LIST_DEFAULT;
    if (!read_states(a, &f.states) || !api_query_int(a, "after", 0, INT64_MAX, &f.after) ||
        !api_query_int(a, "most", 1, LIST_MOST, &most))
        return;
    struct list_request *l = console_tasks_job_new(ctx, a, sizeof *l);
    f.most = (uint32_t)most;
    f.pool = arena_str(&l->job.arena, api_query(a, "pool"));
    l->filter = f;
    console_tasks_job_run(&l->job, STORE_READ, list_tasks);
}

/* ---- some */

struct rows_request {
    struct console_tasks_job job;
    int64_t *ids;
    size_t count;
};

static void on_some(const struct task_row *t, void *ctx)
{
    put_row(&((struct rows_request *)ctx)->job.w, t);
}

static bool find_some(struct store *s, void *ctx, struct error *err)
{
    struct rows_request *rows_request = ctx;
    jsonw_key(&rows_request->job.w, "tasks");
    jsonw_array(&rows_request->job.w);
    if (!tasks_each_of(s, (struct task_ids){rows_request->ids, rows_request->count}, on_some,
                       rows_request, err))
        return false;
    jsonw_end(&rows_request->job.w);
    jsonw_kint(&rows_request->job.w, "now", rfc3339_now());
    return true;
}

static void on_rows(struct api *a, void *ctx)
{
    int64_t *ids;
    size_t count;
    if (!api_query_ids(a, "ids", ROWS_MOST, &ids, &count))
        return;
    struct rows_request *s = console_tasks_job_new(ctx, a, sizeof *s);
    s->ids = console_tasks_job_ids(&s->job, ids, count);
    s->count = count;
    console_tasks_job_run(&s->job, STORE_READ, find_some);
}

/* ---- one */

struct task_request {
    struct console_tasks_job job;
    int64_t id;
    struct str *runs; /* of its attempts, the newest last */
    size_t run_count;
    struct error decisions_error; /* why there are no decisions */
};

static bool find_one(struct store *s, void *ctx, struct error *err)
{
    struct task_request *o = ctx;
    struct views_task task;
    o->runs = NULL;
    o->run_count = 0;
    if (!views_tasks_read(s, o->id, &o->job.arena, &task, err))
        return false;
    views_tasks_put(&o->job.w, &task, VIEWS_API);
    jsonw_kint(&o->job.w, "now", rfc3339_now());
    o->runs = arena_alloc(&o->job.arena, (task.attempt_count + 1) * sizeof *o->runs);
    for (size_t i = 0; i < task.attempt_count; i++)
        if (task.attempts[i].run.n)
            o->runs[o->run_count++] = task.attempts[i].run;
    return true;
}

static void put_decision(struct str json, void *ctx)
{
    jsonw_raw(ctx, json);
}

/* Runs on the pool, because the ledger is another store, perhaps on another machine. */
static void find_decisions(struct console_tasks_job *j)
{
    struct task_request *o = (struct task_request *)j;
    struct ledger_want want = {.runs = o->runs, .run_count = o->run_count, .most = DECISIONS_MOST};
    jsonw_key(&j->w, "decisions");
    jsonw_array(&j->w);
    if (o->run_count)
        ledger_decisions_for(j->t->console->o.store, &want, put_decision, &j->w,
                             &o->decisions_error);
    jsonw_end(&j->w);
}

static void answer_one(struct console_tasks_job *j)
{
    struct task_request *o = (struct task_request *)j;
    jsonw_kcstr(&j->w, "decisions_error",
                o->decisions_error.code == ERR_NONE ? NULL : o->decisions_error.text);
    console_tasks_job_reply(j);
}

static void after_one(struct console_tasks_job *j)
{
    console_tasks_job_work(j, find_decisions, answer_one);
}

static void show_one(struct console_tasks *t, struct api *a, int64_t id)
{
    struct task_request *o = console_tasks_job_new(t, a, sizeof *o);
    o->id = id;
    o->job.then = after_one;
    console_tasks_job_run(&o->job, STORE_READ, find_one);
}

/* ---- what an attempt wrote */

struct log_request {
    struct console_tasks_job job;
    int64_t id;
    uint32_t wanted; /* the attempt; 0: the newest */
    uint64_t after;
    uint32_t most;
    /* found */
    struct attempt_row attempt; /* number 0: none; its texts are not kept */
    bool is_there;
    uint64_t last;
    uint32_t count;
    size_t bytes;
};

static void on_task(const struct task_row *t, void *ctx)
{
    (void)t;
    ((struct log_request *)ctx)->is_there = true;
}

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    struct log_request *l = ctx;
    if (!l->wanted || a->number == l->wanted)
        l->attempt = *a;
}

static void on_piece(const struct log_piece *p, void *ctx)
{
    struct log_request *l = ctx;
    struct jsonw *w = &l->job.w;
    if (l->bytes >= LOG_BYTES)
        return;
    jsonw_object(w);
    views_tasks_put_log_piece(w, STR(""), p, VIEWS_API);
    jsonw_end(w);
    l->bytes += p->text.n;
    l->last = p->seq;
    l->count++;
}

/* Read a few at a time: each may be large, and the answer is limited. */
static bool put_pieces(struct store *s, struct log_request *l, struct error *err)
{
    uint32_t before;
    do {
        uint32_t left = l->most - l->count;
        struct tasks_log_filter want = {.task = l->id,
                                        .number = l->attempt.number,
                                        .after = l->last,
                                        .most = left < LOG_AT_ONCE ? left : LOG_AT_ONCE};
        before = l->count;
        if (!tasks_log(s, &want, on_piece, l, err))
            return false;
    } while (l->count - before == LOG_AT_ONCE && l->count < l->most && l->bytes < LOG_BYTES);
    return true;
}

static bool find_log(struct store *s, void *ctx, struct error *err)
{
    struct log_request *l = ctx;
    struct jsonw *w = &l->job.w;
    l->attempt = (struct attempt_row){0};
    l->is_there = false;
    l->last = l->after;
    l->count = 0;
    l->bytes = 0;
    if (!tasks_get(s, l->id, on_task, l, err) || !tasks_attempts(s, l->id, on_attempt, l, err))
        return false;
    if (!l->is_there)
        return error_set(err, ERR_TASK_NOT_FOUND, "there is no task #%" PRId64, l->id);
    if (l->wanted && !l->attempt.number)
        return error_set(err, ERR_TASK_NOT_FOUND, "the task #%" PRId64 " has no attempt %u", l->id,
                         (unsigned)l->wanted);
    jsonw_key(w, "attempt");
    if (l->attempt.number)
        jsonw_uint(w, l->attempt.number);
    else
        jsonw_null(w);
    jsonw_key(w, "pieces");
    jsonw_array(w);
    if (l->attempt.number && !put_pieces(s, l, err))
        return false;
    jsonw_end(w);
    /* True: no more pieces will come. They are numbered from 1 without gaps. */
    jsonw_kbool(w, "ended", l->attempt.ended && l->last >= l->attempt.pieces);
    return true;
}

static void show_log(struct console_tasks *t, struct api *a, int64_t id)
{
    int64_t number = 0, after = 0, most = LOG_DEFAULT;
    if (!api_query_int(a, "attempt", 0, UINT32_MAX, &number) ||
        !api_query_int(a, "after", 0, INT64_MAX, &after) ||
        !api_query_int(a, "most", 1, LOG_MOST, &most))
        return;
    struct log_request *l = console_tasks_job_new(t, a, sizeof *l);
    l->id = id;
    l->wanted = (uint32_t)number;
    l->after = (uint64_t)after;
    l->most = (uint32_t)most;
    console_tasks_job_run(&l->job, STORE_READ, find_log);
}

/* ---- routes */

static void on_one(struct api *a, void *ctx)
{
    struct str what = api_rest(a), id;
    int64_t number;
    bool has_more = str_cut(&what, '/', &id);
    if (!str_to_i64(id, &number) || number <= 0 || (has_more && !str_eq(what, STR("log"))))
        api_refuse(a, 404, ERR_INVALID_REQUEST, "Not found.");
    else if (has_more)
        show_log(ctx, a, number);
    else
        show_one(ctx, a, number);
}

void console_tasks_show_start(struct console_tasks *t)
{
    api_get(t->console, "/api/tasks", on_list, t);
    api_get(t->console, "/api/tasks/rows", on_rows, t);
    api_get(t->console, "/api/tasks/*", on_one, t);
}
