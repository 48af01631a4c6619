/* `multiverse task`: the tasks of the store, one action each. */
#include <stdlib.h>

#include "base/columns.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/store_option.h"
#include "cli/table.h"
#include "cli/task_adding.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "views/tasks.h"

#define TITLE_COLUMNS 60u /* of a row; `task show` prints the whole title */

/* ---- list */

struct task_listing {
    struct task_command view;
    struct tasks_filter filter;
    struct table table;
    struct buf json;
    struct jsonw writer;
    size_t count;
};

static bool read_states(const char *text, uint32_t *states)
{
    struct str rest = str_from(text), one;
    bool more = true;
    while (more) {
        enum task_state s;
        more = str_cut(&rest, ',', &one);
        one = str_trim(one);
        char upper[32] = {0};
        struct nearest near = nearest_make(one);
        for (size_t i = 0; i < one.n && i < sizeof upper - 1; i++)
            upper[i] = (char)(one.p[i] >= 'a' && one.p[i] <= 'z' ? one.p[i] - 32
                              : one.p[i] == '-'                  ? '_'
                                                                 : one.p[i]);
        if (task_state_find(str_from(upper), &s)) {
            *states |= 1u << s;
            continue;
        }
        for (s = 0; s < TASK_STATE_COUNT; s++)
            nearest_offer(&near, str_from(task_state_name(s)));
        if (near.best.n)
            terminal_print_error("unknown state %.*s: did you mean %.*s?", STR_ARG(one),
                                 STR_ARG(near.best));
        else
            terminal_print_error(
                "unknown state \"%.*s\": use PENDING, READY, RUNNING, RETRY_WAIT, BLOCKED, "
                "SUCCEEDED, FAILED or CANCELLED",
                STR_ARG(one));
        return false;
    }
    return true;
}

static void add_head(struct table *t)
{
    static const char *const heads[] = {"#", "NAME", "STATE", "ATTEMPTS", "SINCE", "TITLE"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(t, "%s", heads[i]);
    table_end(t);
    table_right(t, 0);
    table_right(t, 3);
}

static void add_row(struct task_listing *l, const struct task_row *t)
{
    struct buf when = {0}, title = {0}, cut = {0};
    terminal_escape(&title, t->title);
    columns_cut(&cut, buf_str(&title), TITLE_COLUMNS, COLUMNS_END, terminal_charset());
    task_command_put_when(&when, t, l->view.now);
    table_add(&l->table, "%lld", (long long)t->id);
    table_add_str(&l->table, t->name);
    table_add(&l->table, "%s%s", task_state_name(t->state), t->cancel ? " (stopping)" : "");
    table_add(&l->table, "%u", (unsigned)t->attempts);
    table_add_str(&l->table, buf_str(&when));
    table_add_str(&l->table, buf_str(&cut));
    table_end(&l->table);
    buf_done(&when);
    buf_done(&title);
    buf_done(&cut);
}

static void on_row(const struct task_row *t, void *ctx)
{
    struct task_listing *l = ctx;
    l->count++;
    if (!l->view.json) {
        add_row(l, t);
        return;
    }
    jsonw_object(&l->writer);
    views_tasks_put_row(&l->writer, t, VIEWS_CLI);
    jsonw_end(&l->writer);
}

static bool read_list(struct store *s, void *ctx, struct error *err)
{
    struct task_listing *l = ctx;
    l->count = 0;
    table_done(&l->table);
    l->table = (struct table){0};
    add_head(&l->table);
    buf_clear(&l->json);
    l->writer = jsonw_make(&l->json);
    jsonw_array(&l->writer);
    bool fine = tasks_each(s, &l->filter, on_row, l, err);
    if (fine)
        jsonw_end(&l->writer);
    return fine;
}

static void print_list(struct task_listing *l)
{
    struct buf out = {0};
    if (l->view.json) {
        buf_add(&out, buf_str(&l->json));
        buf_add_char(&out, '\n');
    } else if (l->count) {
        table_put(&l->table, &out);
    } else if (l->filter.states || l->filter.pool.n) {
        buf_add(&out, STR("no task matches: multiverse task list shows all tasks\n"));
    } else {
        buf_add(&out,
                STR("no tasks yet: add one with multiverse task add FILE.yaml, or multiverse task "
                    "add --goal '...'\n"));
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
}

static int list_tasks(const struct options *o)
{
    struct task_listing l = {0};
    const char *states = options_text(o, "state");
    if (states && !read_states(states, &l.filter.states))
        return COMMAND_USAGE;
    l.filter.pool = str_from(options_text(o, "pool"));
    if (!task_command_open(&l.view, o, TASK_COMMAND_READ))
        return l.view.code;
    if (task_command_run(&l.view, STORE_READ, read_list, &l))
        print_list(&l);
    table_done(&l.table);
    buf_done(&l.json);
    return task_command_close(&l.view);
}

/* ---- add */

static bool read_files(struct task_adding *a, const struct options *o)
{
    task_adding_init(a, o);
    for (size_t i = 0; i < o->arg_count; i++) {
        struct error err = {0};
        if (!task_adding_read(a, o->args[i], &err)) {
            terminal_print_failure(&err);
            return false;
        }
    }
    return true;
}

static int add_files(const struct options *o)
{
    struct task_adding a = {0};
    struct task_command v = {.code = COMMAND_USAGE};
    if (read_files(&a, o) && task_command_open(&v, o, TASK_COMMAND_CREATE)) {
        if (task_adding_apply(&a, &v))
            task_adding_print(&a, v.json);
        task_command_close(&v);
    }
    task_adding_done(&a);
    return v.code;
}

static int add_tasks(const struct options *o)
{
    static const char *const of_goal[] = {"repo", "prefix", "yes", "tooling", "progress"};
    if (options_has(o, "goal") && o->arg_count) {
        terminal_print_error("task add: give files or --goal, not both: \"%s\"", o->args[0]);
        return COMMAND_USAGE;
    }
    if (options_has(o, "goal"))
        return cmd_task_goal(o);
    for (size_t i = 0; i < sizeof of_goal / sizeof *of_goal; i++)
        if (options_has(o, of_goal[i])) {
            terminal_print_error("--%s needs --goal: multiverse task add --goal TEXT --%s ...",
                                 of_goal[i], of_goal[i]);
            return COMMAND_USAGE;
        }
    if (!o->arg_count) {
        terminal_print_error(
            "task add needs files or a goal: multiverse task add FILE.yaml..., - for "
            "standard input, or --goal TEXT");
        return COMMAND_USAGE;
    }
    return add_files(o);
}

/* ---- repair */

static int print_repair(const struct options *o, const char *place, const struct store_repair *r)
{
    struct buf out = {0};
    if (options_has(o, "json")) {
        struct jsonw w = jsonw_make(&out);
        jsonw_object(&w);
        jsonw_kcstr(&w, "store", place);
        jsonw_kbool(&w, "damaged", r->aside[0] != 0);
        jsonw_kint(&w, "rows", (int64_t)r->rows);
        jsonw_kint(&w, "from_copy", (int64_t)r->from_copy);
        jsonw_kcstr(&w, "aside", r->aside[0] ? r->aside : NULL);
        jsonw_end(&w);
        buf_add_char(&out, '\n');
    } else if (r->aside[0]) {
        buf_printf(&out,
                   "%s was damaged and is repaired: %zu rows were read from it, %zu more from its "
                   "last copy\nthe damaged file was kept as %s\n",
                   place, r->rows, r->from_copy, r->aside);
    } else {
        buf_printf(&out, "%s is not damaged\n", place);
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

static int repair_store(const struct options *o)
{
    struct error err = {0};
    struct buf place = {0}, shown = {0};
    struct store_repair r = {0};
    const char *url = store_option(o);
    int code = COMMAND_FAILED;
    if (url && store_is_server(url)) {
        store_show_url(url, &shown);
        terminal_print_error("%s is a server: repair it with its own tools", shown.p);
        code = COMMAND_USAGE;
    } else if (!tasks_place(url, &place, &err)) {
        terminal_print_failure(&err);
        code = task_command_code(&err);
    } else if (!store_repair(&(struct store_options){.url = place.p, .schema = &tasks_schema}, &r,
                             &err)) {
        terminal_print_failure(&err);
    } else {
        code = print_repair(o, place.p, &r);
    }
    buf_done(&shown);
    buf_done(&place);
    return code;
}

const struct command_action task_actions[] = {
    {"add", "FILE...|-", "add tasks, all or none; or plan them: --goal TEXT",
     "json store pool max-attempts dry-run goal repo prefix tooling yes progress", 0,
     COMMAND_ANY_ARGS, add_tasks},
    {"list", "", "all tasks and their states", "json store state pool", 0, 0, list_tasks},
    {"show", "NAME", "one task: what it waits for, its attempts, what to do", "json store", 1, 1,
     cmd_task_show},
    {"logs", "NAME", "output of an attempt; -f follows it", "json store follow attempt", 1, 1,
     cmd_task_logs},
    {"cancel", "NAME...", "do not run them, or stop them", "json store", 1, COMMAND_ANY_ARGS,
     cmd_task_change_cancel},
    {"retry", "NAME...", "run again, with all attempts: BLOCKED, FAILED, CANCELLED tasks",
     "json store", 1, COMMAND_ANY_ARGS, cmd_task_change_retry},
    {"rm", "NAME...", "remove them, with attempts and logs", "json store", 1, COMMAND_ANY_ARGS,
     cmd_task_change_remove},
    {"graph", "[NAME]", "draw the dependencies; NAME: only tasks connected to it", "json store svg",
     0, 1, cmd_task_graph},
    {"repair", "", "repair a damaged SQLite file", "json store", 0, 0, repair_store},
    {0},
};
