/* `multiverse task cancel`, `retry`, `rm`: change all named tasks or none. */
#include <stdlib.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "views/tasks.h"

struct task_changes {
    struct task_command view;
    struct task_bulk_change list; /* in the order of the command line */
};

static bool is_named(const struct task_bulk_change *l, int64_t id)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].id == id)
            return true;
    return false;
}

static bool change_tasks(struct store *s, void *ctx, struct error *err)
{
    struct task_changes *c = ctx;
    const struct options *o = c->view.options;
    c->list.count = 0;
    for (size_t i = 0; i < o->arg_count; i++) {
        int64_t id;
        if (!tasks_find(s, str_from(o->args[i]), &id, err))
            return false;
        if (!is_named(&c->list, id))
            c->list.items[c->list.count++] = (struct task_bulk_item){.id = id};
    }
    return task_bulk_change_apply(s, &c->list, err);
}

/* ---- what happened */

static void put_json(const struct task_changes *c, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_array(&w);
    for (size_t i = 0; i < c->list.count; i++)
        views_tasks_put_change(&w, &c->list.items[i], c->list.kind, VIEWS_CLI);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static void put_others(struct buf *out, const struct task_changes *c, uint32_t n)
{
    if (!n)
        return;
    buf_printf(out, "; %u dependent task%s ", (unsigned)n, n == 1 ? "" : "s");
    if (c->list.kind == TASK_BULK_CANCEL)
        buf_printf(out, "%s BLOCKED now", n == 1 ? "is" : "are");
    else
        buf_printf(out, "wait%s for it again", n == 1 ? "s" : "");
}

static void put_text(const struct task_changes *c, struct buf *out)
{
    bool removes = c->list.kind == TASK_BULK_REMOVE;
    for (size_t i = 0; i < c->list.count; i++) {
        const struct task_bulk_item *item = &c->list.items[i];
        terminal_escape(out, str_from(item->name));
        if (removes)
            buf_printf(out, ": removed, it was %s", task_state_name(item->change.before));
        else if (item->change.asked)
            buf_add(
                out,
                STR(": its worker was asked to stop; it is CANCELLED when the worker has stopped"));
        else
            buf_printf(out, ": %s, it was %s", task_state_name(item->change.after),
                       task_state_name(item->change.before));
        put_others(out, c, removes ? 0 : item->change.touched);
        buf_add_char(out, '\n');
    }
}

static int run_change(const struct options *o, enum task_bulk_kind kind)
{
    struct task_changes c = {.list = {.kind = kind}};
    if (!task_command_open(&c.view, o, TASK_COMMAND_CHANGE))
        return c.view.code;
    c.list.items = mem_zalloc(o->arg_count * sizeof *c.list.items);
    if (task_command_run(&c.view, STORE_ROWS, change_tasks, &c)) {
        struct buf out = {0};
        if (c.view.json)
            put_json(&c, &out);
        else
            put_text(&c, &out);
        terminal_write(buf_str(&out));
        buf_done(&out);
    }
    free(c.list.items);
    return task_command_close(&c.view);
}

int cmd_task_change_cancel(const struct options *o)
{
    return run_change(o, TASK_BULK_CANCEL);
}

int cmd_task_change_retry(const struct options *o)
{
    return run_change(o, TASK_BULK_RETRY);
}

int cmd_task_change_remove(const struct options *o)
{
    return run_change(o, TASK_BULK_REMOVE);
}
