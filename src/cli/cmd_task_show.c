/* `multiverse task show`: all that the store knows of one task, and what a person can do. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/table.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "orchestrator/task_json.h"

#define GOAL_BYTES  200u /* of a goal, for people */
#define NAMES_SHOWN 20u  /* of those it needs or is needed by */

struct view {
    struct task_command view;
    struct arena arena;
    struct task_row row;   /* its texts in the arena */
    struct task_tie *ties; /* their names in the arena */
    size_t tie_count, tie_cap;
    struct table table; /* of attempts */
    struct buf whys;    /* why attempts ended as they did, a line each */
    size_t attempts;
    struct buf json; /* the array of attempts */
    struct jsonw writer;
};

/* ---- reading */

static void keep_row(const struct task_row *t, void *ctx)
{
    struct view *v = ctx;
    struct str *const texts[] = {&v->row.name,  &v->row.title, &v->row.repo, &v->row.pool,
                                 &v->row.goal,  &v->row.owner, &v->row.why,  &v->row.tool,
                                 &v->row.model, &v->row.spec};
    v->row = *t;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(&v->arena, *texts[i]);
}

static void keep_tie(const struct task_tie *t, void *ctx)
{
    struct view *v = ctx;
    mem_grow((void **)&v->ties, &v->tie_cap, v->tie_count + 1, sizeof *v->ties);
    v->ties[v->tie_count] = *t;
    v->ties[v->tie_count++].name = arena_str(&v->arena, t->name);
}

/* ---- attempts */

/* How many paths stand in the list of an attempt. */
static size_t count_files(struct str files)
{
    struct arena a = {0};
    size_t count = json_count(json_parse(&a, files, NULL, NULL));
    arena_done(&a);
    return count;
}

static void add_attempt(struct view *v, const struct attempt_row *a)
{
    struct table *t = &v->table;
    struct buf took = {0};
    int64_t until = a->ended ? a->ended : v->view.now;
    bool is_time = a->started >= 0 && until >= 0; /* a row may hold anything */
    duration_put(&took, is_time ? until - a->started : 0);
    table_add(t, "%u", (unsigned)a->number);
    table_add_str(t, a->ended ? a->end : STR("running"));
    table_add_str(t, a->outcome);
    table_add_str(t, a->tool);
    table_add_str(t, a->model);
    table_add(t, "%llu", (unsigned long long)a->input_tokens);
    table_add(t, "%llu", (unsigned long long)a->output_tokens);
    if (a->cost_usd > 0)
        table_add(t, "%.4f $", a->cost_usd);
    else
        table_add_str(t, STR(""));
    table_add_str(t, buf_str(&took));
    table_add(t, "%zu", count_files(a->files));
    table_add_str(t, a->host);
    table_end(t);
    buf_done(&took);
    if (!a->why.n)
        return;
    buf_printf(&v->whys, "  %u: ", (unsigned)a->number);
    terminal_escape(&v->whys, a->why);
    buf_add_char(&v->whys, '\n');
}

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    struct view *v = ctx;
    v->attempts++;
    task_json_put_attempt(&v->writer, a, TASK_JSON_TEXT);
    add_attempt(v, a);
}

static void add_heads(struct table *t)
{
    static const char *const heads[] = {"ATTEMPT", "END",  "OUTCOME", "TOOL",  "MODEL", "IN",
                                        "OUT",     "COST", "TOOK",    "FILES", "HOST"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(t, "%s", heads[i]);
    table_end(t);
    for (size_t i = 5; i < 10; i++)
        table_right(t, i);
    table_right(t, 0);
}

static void begin(struct view *v)
{
    arena_reset(&v->arena);
    v->tie_count = v->attempts = 0;
    table_done(&v->table);
    v->table = (struct table){0};
    add_heads(&v->table);
    buf_clear(&v->whys);
    buf_clear(&v->json);
    v->writer = jsonw_make(&v->json);
    jsonw_array(&v->writer);
}

static bool collect(struct store *s, void *ctx, struct error *err)
{
    struct view *v = ctx;
    int64_t id;
    begin(v);
    if (!tasks_find(s, str_from(v->view.options->args[0]), &id, err) ||
        !tasks_get(s, id, keep_row, v, err) || !tasks_ties(s, id, keep_tie, v, err) ||
        !tasks_attempts(s, id, on_attempt, v, err))
        return false;
    jsonw_end(&v->writer);
    return true;
}

/* ---- for programs */

static void put_ties(struct jsonw *w, const struct view *v, const char *key, bool needs)
{
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = 0; i < v->tie_count; i++)
        if (v->ties[i].is_need == needs)
            task_json_put_tie(w, &v->ties[i]);
    jsonw_end(w);
}

static void put_json(const struct view *v, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    task_json_put_row(&w, &v->row, TASK_JSON_TEXT);
    put_ties(&w, v, "needs", true);
    put_ties(&w, v, "needed_by", false);
    jsonw_kraw(&w, "attempt_list", buf_str(&v->json));
    jsonw_kstr(&w, "spec", v->row.spec);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

/* ---- for people */

static void put_line(struct buf *out, const char *head, struct str text)
{
    buf_printf(out, "%-10s", head);
    terminal_escape(out, text);
    buf_add_char(out, '\n');
}

static void put_names(struct buf *out, const struct view *v, const char *head, bool needs)
{
    size_t count = 0;
    for (size_t i = 0; i < v->tie_count; i++) {
        const struct task_tie *t = &v->ties[i];
        if (t->is_need != needs || count++ >= NAMES_SHOWN)
            continue;
        if (count == 1)
            buf_printf(out, "%-10s", head);
        buf_add(out, count > 1 ? STR(", ") : STR(""));
        terminal_escape(out, t->name);
        buf_printf(out, " %s", task_state_name(t->state));
    }
    if (count > NAMES_SHOWN)
        buf_printf(out, " and %zu more", count - NAMES_SHOWN);
    if (count)
        buf_add_char(out, '\n');
}

static void put_state(struct buf *out, const struct view *v)
{
    const struct task_row *t = &v->row;
    buf_printf(out, "%-10s%s", "state", task_state_name(t->state));
    if (t->state == TASK_RETRY_WAIT && t->due) {
        buf_add(out, STR(", again "));
        duration_put_relative(out, v->view.now, t->due);
    }
    if (t->state == TASK_PENDING)
        buf_printf(out, ", waits for %u of those it needs", (unsigned)t->open_needs);
    if (t->state == TASK_RUNNING) {
        buf_printf(out, ", attempt %u, by ", (unsigned)t->attempts);
        terminal_escape(out, t->owner);
    }
    if (t->cancel)
        buf_add(out, STR(", was asked to stop"));
    buf_add_char(out, '\n');
    if (t->why.n)
        put_line(out, "why", t->why);
}

static void put_moment(struct buf *out, const struct view *v, const char *head, int64_t at)
{
    char text[RFC3339_LEN + 1];
    if (!at)
        return;
    rfc3339_format(at, text);
    buf_printf(out, "%-10s%s, ", head, text);
    duration_put_relative(out, v->view.now, at < v->view.now ? at : v->view.now);
    buf_add_char(out, '\n');
}

static bool waits_for_others(const struct view *v)
{
    for (size_t i = 0; i < v->tie_count; i++)
        if (v->ties[i].is_need && v->ties[i].state != TASK_SUCCEEDED)
            return true;
    return false;
}

/* A name as it must be typed into a shell. */
static void put_word(struct buf *out, struct str name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:+,@%=";
    bool is_plain = true;
    for (size_t i = 0; i < name.n; i++)
        is_plain = is_plain && (name.p[i] & 0x80 || strchr(plain, name.p[i]));
    buf_add(out, name.n && name.p[0] == '-' ? STR("-- ") : STR(""));
    if (is_plain) {
        terminal_escape(out, name);
        return;
    }
    buf_add_char(out, '\'');
    struct str part;
    bool more = true;
    while (more) {
        more = str_cut(&name, '\'', &part);
        terminal_escape(out, part);
        buf_add(out, more ? STR("'\\''") : STR("'"));
    }
}

/* What a person would type next. */
static void put_next(struct buf *out, const struct view *v)
{
    struct buf name = {0};
    put_word(&name, v->row.name);
    switch (v->row.state) {
    case TASK_BLOCKED:
        if (waits_for_others(v)) /* those are the thing to mend */
            buf_printf(out,
                       "\nit goes on when those it needs have succeeded: multiverse task graph "
                       "%s\n",
                       name.p);
        else
            buf_printf(out,
                       "\nwhat it wrote: multiverse task logs %s\nonce that is mended: "
                       "multiverse task retry %s\n",
                       name.p, name.p);
        break;
    case TASK_FAILED:
        buf_printf(out,
                   "\nif its tooling was wrong, and is mended: multiverse task retry %s\n"
                   "if its file is wrong: multiverse task rm %s, then add it anew\n",
                   name.p, name.p);
        break;
    case TASK_CANCELLED:
        buf_printf(out, "\nto run it after all: multiverse task retry %s\n", name.p);
        break;
    case TASK_RUNNING:
        buf_printf(out, "\nwhat it does: multiverse task logs -f %s\n", name.p);
        break;
    case TASK_PENDING:
    case TASK_READY:
    case TASK_RETRY_WAIT:
    case TASK_SUCCEEDED:
    case TASK_STATE_COUNT:
        break;
    }
    buf_done(&name);
}

static void put_text(const struct view *v, struct buf *out)
{
    const struct task_row *t = &v->row;
    buf_printf(out, "%-10s#%lld ", "task", (long long)t->id);
    terminal_escape(out, t->name);
    buf_add(out, STR(": "));
    terminal_escape(out, t->title);
    buf_add_char(out, '\n');
    put_state(out, v);
    put_names(out, v, "needs", true);
    put_names(out, v, "needed by", false);
    put_line(out, "repo", t->repo);
    put_line(out, "pool", t->pool);
    if (t->goal.n)
        put_line(out, "goal", utf8_head(t->goal, GOAL_BYTES));
    put_moment(out, v, "added", t->added);
    put_moment(out, v, "started", t->started);
    put_moment(out, v, "ended", t->ended);
    buf_printf(out, "%-10s%u made, %u counted", "attempts", (unsigned)t->attempts,
               (unsigned)t->counted);
    if (t->max_attempts)
        buf_printf(out, " of %u", (unsigned)t->max_attempts);
    if (t->lost)
        buf_printf(out, ", %u lost in a row", (unsigned)t->lost);
    buf_add_char(out, '\n');
    if (v->attempts) {
        buf_add_char(out, '\n');
        table_put(&v->table, out);
        buf_add(out, buf_str(&v->whys));
    }
    put_next(out, v);
}

int cmd_task_show(const struct options *o)
{
    struct view v = {0};
    if (!task_command_open(&v.view, o, TASK_COMMAND_READ))
        return v.view.code;
    if (task_command_run(&v.view, STORE_READ, collect, &v)) {
        struct buf out = {0};
        if (v.view.json)
            put_json(&v, &out);
        else
            put_text(&v, &out);
        terminal_write(buf_str(&out));
        buf_done(&out);
    }
    free(v.ties);
    table_done(&v.table);
    buf_done(&v.whys);
    buf_done(&v.json);
    arena_done(&v.arena);
    return task_command_close(&v.view);
}
