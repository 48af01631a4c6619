/* `multiverse task cancel`, `retry`, `rm`: changes of tasks by name, of all that are named or of
 * none. */
#include <stdlib.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/task_view.h"
#include "orchestrator/graph.h"

enum what {
    CANCEL,
    RETRY,
    REMOVE
};

struct item {
    int64_t id;
    struct str name; /* in the arena */
    enum task_state before;
    struct tasks_change change;
};

struct changes {
    struct task_view view;
    enum what what;
    struct arena arena;
    struct item *items; /* in the order of the command line, each once */
    size_t count;
    struct graph_edge *edges; /* among them */
    size_t edge_count, edge_cap;
};

/* ---- what is named */

static void keep(const struct task_row *t, void *ctx)
{
    struct changes *c = ctx;
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].id == t->id) {
            c->items[i].name = arena_str(&c->arena, t->name);
            c->items[i].before = t->state;
        }
}

static size_t index_of(const struct changes *c, int64_t id)
{
    size_t i = 0;
    while (i < c->count && c->items[i].id != id)
        i++;
    return i;
}

static bool find_all(struct store *s, struct changes *c, struct error *err)
{
    const struct options *o = c->view.options;
    c->count = 0;
    for (size_t i = 0; i < o->arg_count; i++) {
        int64_t id;
        if (!tasks_find(s, str_from(o->args[i]), &id, err))
            return false;
        if (index_of(c, id) < c->count)
            continue;
        c->items[c->count++] = (struct item){.id = id};
        if (!tasks_get(s, id, keep, c, err))
            return false;
    }
    return true;
}

/* ---- each */

static void look(const struct task_row *t, void *ctx)
{
    *(enum task_state *)ctx = t->state;
}

/* One that was released by another of the list waits already: that is what was asked for. */
static bool retry(struct store *s, struct item *item, struct error *err)
{
    enum task_state state = item->before;
    if (!tasks_get(s, item->id, look, &state, err))
        return false;
    if (state != item->before && state == TASK_PENDING) {
        item->change = (struct tasks_change){.before = item->before, .after = state};
        return true;
    }
    return tasks_retry(s, item->id, &item->change, err);
}

static void keep_edge(struct task_edge e, void *ctx)
{
    struct changes *c = ctx;
    size_t task = index_of(c, e.task), needs = index_of(c, e.needs);
    if (task == c->count || needs == c->count)
        return;
    mem_grow((void **)&c->edges, &c->edge_cap, c->edge_count + 1, sizeof *c->edges);
    c->edges[c->edge_count++] = (struct graph_edge){(uint32_t)task, (uint32_t)needs};
}

/* Those that need others go before them. */
static bool remove_all(struct store *s, struct changes *c, struct error *err)
{
    c->edge_count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (!tasks_edges(s, c->items[i].id, keep_edge, c, err))
            return false;
    struct graph g = {(uint32_t)c->count, c->edges, c->edge_count};
    uint32_t *order = arena_alloc(&c->arena, c->count * sizeof *order);
    graph_order(&g, order);
    for (size_t i = c->count; i-- > 0;)
        if (!tasks_remove(s, c->items[order[i]].id, err))
            return false;
    return true;
}

static bool change(struct store *s, void *ctx, struct error *err)
{
    struct changes *c = ctx;
    arena_reset(&c->arena);
    if (!find_all(s, c, err))
        return false;
    if (c->what == REMOVE)
        return remove_all(s, c, err);
    for (size_t i = 0; i < c->count; i++) {
        struct item *item = &c->items[i];
        if (!(c->what == CANCEL ? tasks_cancel(s, item->id, &item->change, err)
                                : retry(s, item, err)))
            return false;
    }
    return true;
}

/* ---- what happened */

static void put_json(const struct changes *c, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_array(&w);
    for (size_t i = 0; i < c->count; i++) {
        const struct item *item = &c->items[i];
        jsonw_object(&w);
        jsonw_kint(&w, "id", item->id);
        jsonw_kstr(&w, "name", item->name);
        jsonw_kcstr(&w, "before", task_state_name(item->before));
        jsonw_kcstr(&w, "after", c->what == REMOVE ? NULL : task_state_name(item->change.after));
        if (c->what != REMOVE) {
            jsonw_kbool(&w, "asked_to_stop", item->change.asked);
            jsonw_kint(&w, "others_changed", item->change.touched);
        }
        jsonw_end(&w);
    }
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static void put_others(struct buf *out, const struct changes *c, uint32_t n)
{
    if (!n)
        return;
    buf_printf(out, "; %u that need%s it ", (unsigned)n, n == 1 ? "s" : "");
    if (c->what == CANCEL)
        buf_printf(out, "%s BLOCKED now", n == 1 ? "is" : "are");
    else
        buf_printf(out, "wait%s for it again", n == 1 ? "s" : "");
}

static void put_text(const struct changes *c, struct buf *out)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct item *item = &c->items[i];
        say_add_line(out, item->name);
        if (c->what == REMOVE)
            buf_printf(out, ": removed, it was %s", task_state_name(item->before));
        else if (item->change.asked)
            buf_add(out, STR(": its worker is asked to stop; it is CANCELLED when that is done"));
        else
            buf_printf(out, ": %s, it was %s", task_state_name(item->change.after),
                       task_state_name(item->before));
        put_others(out, c, c->what == REMOVE ? 0 : item->change.touched);
        buf_add_char(out, '\n');
    }
}

static int run(const struct options *o, enum what what)
{
    struct changes c = {.what = what};
    if (!task_view_open(&c.view, o, TASK_VIEW_CHANGE))
        return c.view.code;
    c.items = mem_zalloc(o->arg_count * sizeof *c.items);
    if (task_view_run(&c.view, STORE_ROWS, change, &c)) {
        struct buf out = {0};
        if (c.view.json)
            put_json(&c, &out);
        else
            put_text(&c, &out);
        say_out(buf_str(&out));
        buf_done(&out);
    }
    free(c.items);
    free(c.edges);
    arena_done(&c.arena);
    return task_view_close(&c.view);
}

int task_cancel(const struct options *o)
{
    return run(o, CANCEL);
}

int task_retry(const struct options *o)
{
    return run(o, RETRY);
}

int task_remove(const struct options *o)
{
    return run(o, REMOVE);
}
