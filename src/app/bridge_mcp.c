#include "app/bridge_mcp.h"

#include <stdlib.h>

#include "base/mem.h"
#include "bridge/bridge.h"
#include "bridge/caller.h"
#include "bridge/catalog.h"
#include "mcp/call.h"

#define INSTRUCTIONS                                                                               \
    "Tools that read and change the Unity project that is open in the connected editor. "          \
    "get_editor_state shows whether an editor is connected and ready. Calls wait while it "        \
    "compiles; one runs at a time. In an error, details.execution_guarantee tells whether the "    \
    "work was done: after not_executed call again, after unknown check the state first. "          \
    "run_tests returns a job_id: follow it with get_job_status and wait_ms."

struct bridge_mcp {
    struct bridge *bridge;
    struct mcp *mcp;
    struct mcp_tool *tools; /* by place in the catalog; data is the struct tool */
};

/* ---- one call */

struct mcp_caller {       /* in the call's arena */
    struct caller caller; /* first */
    struct mcp_call *call;
};

static struct mcp_call *call_of(const struct caller *c)
{
    return ((const struct mcp_caller *)(const void *)c)->call;
}

static void send_reply(struct caller *c, struct str object, bool is_error)
{
    mcp_reply_json(call_of(c), object, is_error);
}

static void set_on_cancel(struct caller *c, loop_fn *fn, void *ctx)
{
    mcp_call_on_cancel(call_of(c), fn, ctx);
}

static bool wants_progress(const struct caller *c)
{
    return mcp_call_wants_progress(call_of(c));
}

static void send_progress(struct caller *c, double done, double total, const char *message)
{
    mcp_call_progress(call_of(c), done, total, message);
}

static bool become_task(struct caller *c, const char *id)
{
    return mcp_task_start(call_of(c), &(struct mcp_task_options){.id = id});
}

static const struct caller_impl caller_impl = {send_reply, set_on_cancel, wants_progress,
                                               send_progress, become_task};

static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
{
    struct bridge_mcp *m = ctx;
    struct mcp_caller *c = arena_alloc(mcp_call_arena(call), sizeof *c);
    *c = (struct mcp_caller){{&caller_impl, mcp_call_arguments(call), mcp_call_client(call)}, call};
    bridge_call(m->bridge, &c->caller, tool->data);
}

/* ---- the server */

static const struct mcp_impl impl = {
    .name = "multiverse",
    .title = "Multiverse",
    .version = MULTIVERSE_VERSION,
    .description = "Unity projects for AI agents, with a live editor or without.",
    .instructions = INSTRUCTIONS,
    .list_changed = true,
    .tasks = true,
    .call_tool = call_tool,
};

static void describe_tool(struct mcp_tool *to, const struct tool *tool)
{
    *to = (struct mcp_tool){
        .name = tool->name,
        .title = tool->title,
        .description = tool->description,
        .input_schema = tool->input_schema,
        .output_schema = tool->output_schema,
        .annotations = {tool->hints.read_only, tool->hints.destructive, tool->hints.idempotent,
                        tool->hints.open_world},
        .task = tool->may_be_task ? MCP_TASK_OPTIONAL : MCP_TASK_FORBIDDEN,
        .data = tool,
    };
}

/* The tools that the editor has. */
static void publish_tools(void *ctx)
{
    struct bridge_mcp *m = ctx;
    const struct catalog *catalog = bridge_catalog(m->bridge);
    size_t n = 0, count = catalog_count(catalog);
    const struct mcp_tool **list = mem_zalloc(count * sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (bridge_has_tool(m->bridge, catalog_at(catalog, i)))
            list[n++] = &m->tools[i];
    mcp_set_tools(m->mcp, list, n);
    free(list);
}

struct bridge_mcp *bridge_mcp_new(struct loop *loop, struct bridge *bridge)
{
    struct bridge_mcp *m = mem_zalloc(sizeof *m);
    const struct catalog *catalog = bridge_catalog(bridge);
    m->bridge = bridge;
    m->mcp = mcp_new(loop, &impl, m);
    m->tools = mem_zalloc(catalog_count(catalog) * sizeof *m->tools);
    for (size_t i = 0; i < catalog_count(catalog); i++)
        describe_tool(&m->tools[i], catalog_at(catalog, i));
    bridge_on_tools(bridge, publish_tools, m);
    publish_tools(m);
    return m;
}

struct mcp *bridge_mcp_server(struct bridge_mcp *m)
{
    return m->mcp;
}

void bridge_mcp_stop(struct bridge_mcp *m)
{
    mcp_stop(m->mcp);
}

void bridge_mcp_free(struct bridge_mcp *m)
{
    if (!m)
        return;
    bridge_on_tools(m->bridge, NULL, NULL);
    mcp_free(m->mcp);
    free(m->tools);
    free(m);
}
