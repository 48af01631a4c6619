/* `multiverse task show`: everything the store knows about one task, and what to do next. */
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
#include "views/tasks.h"

#define GOAL_BYTES  200u /* of a goal, for people */
#define NAMES_SHOWN 20u  /* of tasks it needs, or that need it */

struct task_page {
    struct task_command command;
    struct arena arena;
    struct views_task task;
};

/* ---- attempts */

/* The number of paths in the list of an attempt. */
static size_t count_files(struct str files)
{
    struct arena a = {0};
    size_t count = json_count(json_parse(&a, files, NULL, NULL));
    arena_done(&a);
    return count;
}

static void add_attempt(struct table *t, const struct attempt_row *a, int64_t now)
{
    struct buf took = {0};
    int64_t until = a->ended ? a->ended : now;
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
}

static void add_attempt_heads(struct table *t)
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

/* A table of the attempts, then the reasons why they ended, one per line. */
static void put_attempts(struct buf *out, const struct task_page *p)
{
    struct table t = {0};
    if (!p->task.attempt_count)
        return;
    add_attempt_heads(&t);
    for (size_t i = 0; i < p->task.attempt_count; i++)
        add_attempt(&t, &p->task.attempts[i], p->command.now);
    buf_add_char(out, '\n');
    table_put(&t, out);
    table_done(&t);
    for (size_t i = 0; i < p->task.attempt_count; i++) {
        const struct attempt_row *a = &p->task.attempts[i];
        if (!a->why.n)
            continue;
        buf_printf(out, "  %u: ", (unsigned)a->number);
        terminal_escape(out, a->why);
        buf_add_char(out, '\n');
    }
}

/* ---- for people */

static void put_line(struct buf *out, const char *head, struct str text)
{
    buf_printf(out, "%-10s", head);
    terminal_escape(out, text);
    buf_add_char(out, '\n');
}

static void put_names(struct buf *out, const struct task_page *p, const char *head, bool needs)
{
    size_t count = 0;
    for (size_t i = 0; i < p->task.tie_count; i++) {
        const struct task_neighbour *t = &p->task.ties[i];
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

static void put_state(struct buf *out, const struct task_page *p)
{
    const struct task_row *t = &p->task.row;
    buf_printf(out, "%-10s%s", "state", task_state_name(t->state));
    if (t->state == TASK_RETRY_WAIT && t->due) {
        buf_add(out, STR(", retry "));
        duration_put_relative(out, p->command.now, t->due);
    }
    if (t->state == TASK_PENDING)
        buf_printf(out, ", waits for %u task%s", (unsigned)t->open_needs,
                   t->open_needs == 1 ? "" : "s");
    if (t->state == TASK_RUNNING) {
        buf_printf(out, ", attempt %u, by ", (unsigned)t->attempts);
        terminal_escape(out, t->owner);
    }
    if (t->cancel)
        buf_add(out, STR(", asked to stop"));
    buf_add_char(out, '\n');
    if (t->why.n)
        put_line(out, "why", t->why);
}

static void put_moment(struct buf *out, const struct task_page *p, const char *head, int64_t at)
{
    char text[RFC3339_LEN + 1];
    if (!at)
        return;
    rfc3339_format(at, text);
    buf_printf(out, "%-10s%s, ", head, text);
    duration_put_relative(out, p->command.now, at < p->command.now ? at : p->command.now);
    buf_add_char(out, '\n');
}

static bool waits_for_others(const struct task_page *p)
{
    for (size_t i = 0; i < p->task.tie_count; i++)
        if (p->task.ties[i].is_need && p->task.ties[i].state != TASK_SUCCEEDED)
            return true;
    return false;
}

/* A name, quoted for a shell. */
static void put_shell_word(struct buf *out, struct str name)
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

/* The commands a person would type next. */
static void put_next(struct buf *out, const struct task_page *p)
{
    struct buf name = {0};
    put_shell_word(&name, p->task.row.name);
    switch (p->task.row.state) {
    case TASK_BLOCKED:
        if (waits_for_others(p)) /* fix those first */
            buf_printf(out,
                       "\nit runs when the tasks it needs have succeeded: multiverse task graph "
                       "%s\n",
                       name.p);
        else
            buf_printf(out,
                       "\nto see its output: multiverse task logs %s\nafter you have fixed it: "
                       "multiverse task retry %s\n",
                       name.p, name.p);
        break;
    case TASK_FAILED:
        buf_printf(out,
                   "\nif its tooling was wrong and you have fixed it: multiverse task retry %s\n"
                   "if its file is wrong: multiverse task rm %s, then add it again\n",
                   name.p, name.p);
        break;
    case TASK_CANCELLED:
        buf_printf(out, "\nto run it again: multiverse task retry %s\n", name.p);
        break;
    case TASK_RUNNING:
        buf_printf(out, "\nto follow its output: multiverse task logs -f %s\n", name.p);
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

static void put_text(const struct task_page *p, struct buf *out)
{
    const struct task_row *t = &p->task.row;
    buf_printf(out, "%-10s#%lld ", "task", (long long)t->id);
    terminal_escape(out, t->name);
    buf_add(out, STR(": "));
    terminal_escape(out, t->title);
    buf_add_char(out, '\n');
    put_state(out, p);
    put_names(out, p, "needs", true);
    put_names(out, p, "needed by", false);
    put_line(out, "repo", t->repo);
    put_line(out, "pool", t->pool);
    if (t->goal.n)
        put_line(out, "goal", utf8_head(t->goal, GOAL_BYTES));
    put_moment(out, p, "added", t->added);
    put_moment(out, p, "started", t->started);
    put_moment(out, p, "ended", t->ended);
    buf_printf(out, "%-10s%u made, %u counted", "attempts", (unsigned)t->attempts,
               (unsigned)t->counted);
    if (t->max_attempts)
        buf_printf(out, " of %u", (unsigned)t->max_attempts);
    if (t->lost)
        buf_printf(out, ", %u lost in a row", (unsigned)t->lost);
    buf_add_char(out, '\n');
    put_attempts(out, p);
    put_next(out, p);
}

static bool read_task(struct store *s, void *ctx, struct error *err)
{
    struct task_page *p = ctx;
    int64_t id;
    arena_reset(&p->arena);
    return tasks_find(s, str_from(p->command.options->args[0]), &id, err) &&
           views_tasks_read(s, id, &p->arena, &p->task, err);
}

static void put_json(const struct task_page *p, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    views_tasks_put(&w, &p->task, VIEWS_CLI);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

int cmd_task_show(const struct options *o)
{
    struct task_page p = {0};
    if (!task_command_open(&p.command, o, TASK_COMMAND_READ))
        return p.command.code;
    if (task_command_run(&p.command, STORE_READ, read_task, &p)) {
        struct buf out = {0};
        if (p.command.json)
            put_json(&p, &out);
        else
            put_text(&p, &out);
        terminal_write(buf_str(&out));
        buf_done(&out);
    }
    arena_done(&p.arena);
    return task_command_close(&p.command);
}
