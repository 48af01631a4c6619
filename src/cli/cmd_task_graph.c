/* `multiverse task graph`: the dependencies of tasks, as a picture or as data. */
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "orchestrator/task_graph.h"

struct task_picture {
    struct task_command view;
    struct task_graph net;
};

static bool read_graph(struct store *s, void *ctx, struct error *err)
{
    struct task_picture *p = ctx;
    const struct options *o = p->view.options;
    int64_t id = 0;
    if ((o->arg_count && !tasks_find(s, str_from(o->args[0]), &id, err)) ||
        !task_graph_read(&p->net, s, err))
        return false;
    if (id)
        task_graph_keep_related(&p->net, &id, 1);
    return true;
}

/* ---- showing */

static void put_json(const struct task_picture *p, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_key(&w, "tasks");
    jsonw_array(&w);
    for (size_t i = 0; i < p->net.count; i++) {
        const struct task_graph_node *n = &p->net.nodes[i];
        jsonw_object(&w);
        jsonw_kint(&w, "id", n->id);
        jsonw_kstr(&w, "name", n->name);
        jsonw_kstr(&w, "title", n->title);
        jsonw_kcstr(&w, "state", task_state_name(n->state));
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_key(&w, "edges");
    jsonw_array(&w);
    for (size_t i = 0; i < p->net.edge_count; i++) {
        jsonw_object(&w);
        jsonw_kstr(&w, "task", p->net.nodes[p->net.edges[i].node].name);
        jsonw_kstr(&w, "needs", p->net.nodes[p->net.edges[i].needs].name);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static enum draw_tone tone_of(enum task_state state)
{
    switch (state) {
    case TASK_PENDING:
        return DRAW_PLAIN;
    case TASK_READY:
    case TASK_RETRY_WAIT:
        return DRAW_WAITS;
    case TASK_RUNNING:
        return DRAW_WORKS;
    case TASK_SUCCEEDED:
        return DRAW_GOOD;
    case TASK_FAILED:
    case TASK_BLOCKED:
        return DRAW_BAD;
    case TASK_CANCELLED:
        return DRAW_OUT;
    case TASK_STATE_COUNT:
        break;
    }
    return DRAW_PLAIN;
}

void cmd_task_graph_draw(const struct draw *d, struct buf *out)
{
    struct draw_style style = {.columns = terminal_columns(),
                               .colour = terminal_has_colour(STDOUT_FILENO),
                               .ascii = terminal_charset() == COLUMNS_ASCII};
    draw_text(d, &style, out);
}

static void put_picture(const struct task_picture *p, bool svg, struct buf *out)
{
    struct draw_node *nodes = mem_zalloc((p->net.count + 1) * sizeof *nodes);
    for (size_t i = 0; i < p->net.count; i++)
        nodes[i] = (struct draw_node){.name = p->net.nodes[i].name,
                                      .title = p->net.nodes[i].title,
                                      .label = str_from(task_state_name(p->net.nodes[i].state)),
                                      .tone = tone_of(p->net.nodes[i].state)};
    struct draw d = {.graph = task_graph_view(&p->net), .nodes = nodes};
    if (svg)
        draw_svg(&d, out);
    else if (p->net.count)
        cmd_task_graph_draw(&d, out);
    else
        buf_add(out, STR("no tasks yet: add one with multiverse task add FILE.yaml\n"));
    free(nodes);
}

int cmd_task_graph(const struct options *o)
{
    struct task_picture p = {0};
    if (options_has(o, "svg") && options_has(o, "json")) {
        terminal_print_error("task graph: give --svg or --json, not both");
        return COMMAND_USAGE;
    }
    if (!task_command_open(&p.view, o, TASK_COMMAND_READ))
        return p.view.code;
    if (task_command_run(&p.view, STORE_READ, read_graph, &p)) {
        struct buf out = {0};
        if (p.view.json)
            put_json(&p, &out);
        else
            put_picture(&p, options_has(o, "svg"), &out);
        terminal_write(buf_str(&out));
        buf_done(&out);
    }
    task_graph_done(&p.net);
    return task_command_close(&p.view);
}
