/* An MCP server for any C program: tools, resources, prompts, completions, tasks; revisions
 * 2025-03-26, 2025-06-18, 2025-11-25 ("legacy": a session opened by `initialize`) and 2026-07-28
 * ("modern": stateless requests) on the same endpoint.
 *
 * The library knows the protocol and no tool. A program describes what it offers in const tables
 * and answers calls; what differs between the revisions and the transports is the library's
 * business.
 *
 *     #include "mcp/call.h"
 *     #include "mcp/mcp_stdio.h"
 *
 *     static const struct mcp_tool hello = {
 *         .name = "hello",
 *         .description = "Greets somebody.",
 *         .input_schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}",
 *         .annotations = {.read_only = true, .idempotent = true},
 *     };
 *
 *     static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
 *     {
 *         struct str name = json_str(json_get(mcp_call_arguments(call), STR("name")));
 *         (void)tool, (void)ctx;
 *         if (!name.n)
 *             mcp_reply_tool_error(call, "name is missing: give the name of somebody to greet");
 *         else
 *             mcp_reply_text(call, arena_printf(mcp_call_arena(call), "Hello, %.*s!", STR_ARG(name)));
 *     }
 *
 *     static const struct mcp_impl impl = {
 *         .name = "greeter",
 *         .version = "1",
 *         .call_tool = call_tool,
 *     };
 *
 *     int main(void)
 *     {
 *         struct loop *loop = loop_new();
 *         struct mcp *mcp = mcp_new(loop, &impl, NULL);
 *         mcp_set_tools(mcp, (const struct mcp_tool *const[]){&hello}, 1);
 *         struct mcp_stdio *stdio = mcp_stdio_start(mcp, NULL, NULL); // and/or mcp_http_start()
 *         loop_run(loop);
 *         mcp_stdio_free(stdio);
 *         mcp_free(mcp);
 *         loop_free(loop);
 *     }
 *
 * (This program is compiled and run by the tests.) Then read call.h: how a call is read and
 * answered. mcp_http.h and mcp_stdio.h are the transports. A larger example is
 * tests/mcp-everything, which offers all there is.
 */
#pragma once

#include "base/loop.h"
#include "base/str.h"

struct mcp;
struct mcp_call;
struct mcp_completion;

enum mcp_task_support { /* may a call of this tool run on as a task? (mcp_task_start) */
    MCP_TASK_FORBIDDEN,
    MCP_TASK_OPTIONAL,
    MCP_TASK_REQUIRED, /* a client that cannot follow tasks is refused by the library */
};

struct mcp_annotations { /* all four are always published: say what is true */
    bool read_only;      /* changes nothing */
    bool destructive;    /* may overwrite or delete, not only add */
    bool idempotent;     /* the same call again changes nothing more */
    bool open_world;     /* touches things outside the program */
};

/* Descriptions live as long as the server. Texts are UTF-8, schemas JSON. NULL: left out. */
struct mcp_tool {
    const char *name; /* 1 to 64 of A-Z a-z 0-9 _ - . / */
    const char *title;
    const char *description;
    const char *input_schema;  /* required; "x-mcp-header" on a property is enforced */
    const char *output_schema; /* if given, every success has structuredContent that satisfies it */
    struct mcp_annotations annotations;
    enum mcp_task_support task;
    const void *data; /* the program's own */
};

struct mcp_argument { /* of a prompt */
    const char *name, *description;
    bool required;
};

struct mcp_prompt {
    const char *name, *title, *description;
    const struct mcp_argument *arguments;
    size_t argument_count;
    const void *data;
};

struct mcp_resource {
    const char *uri; /* of a template: an RFC 6570 template such as "test://{id}/data" */
    const char *name, *title, *description, *mime_type;
    const void *data;
};

/* What a program answers. A function is called in the loop and answers its call exactly once, now
 * or later (call.h). NULL functions take the capability away. */
struct mcp_impl {
    const char *name, *title, *version, *description, *website_url; /* serverInfo */
    const char *instructions; /* for the model: what the server is good for */
    bool logging;             /* mcp_call_log() is used */
    bool list_changed;        /* lists may change while the server runs */
    bool tasks;               /* calls may become tasks */
    bool subscribe;           /* mcp_resource_updated() is used */
    int page_size;            /* of lists; 0: 200 */
    int cache_ms; /* how long a modern client may keep lists and resources; 0: not at all */

    void (*call_tool)(struct mcp_call *call, const struct mcp_tool *tool, void *ctx);
    void (*read_resource)(struct mcp_call *call, struct str uri, void *ctx);
    void (*get_prompt)(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx);

    /* Values for `argument` that begin with `value`: answer with mcp_reply_completion. */
    void (*complete)(struct mcp_call *call, const struct mcp_completion *ask, void *ctx);
};

struct mcp_completion {
    const struct mcp_prompt *prompt; /* NULL: a resource template */
    struct str uri;                  /* of the template, as the client wrote it */
    struct str argument, value;
};

/* impl and ctx must outlive the server. The loop is the caller's. */
struct mcp *mcp_new(struct loop *loop, const struct mcp_impl *impl, void *ctx);

/* Ends every call, session and stream, politely: what is open is told or cancelled. Answers that
 * are still owed may be given until mcp_free; they go nowhere. */
void mcp_stop(struct mcp *mcp);
void mcp_free(
    struct mcp *mcp); /* after mcp_stop and after the transports are closed; NULL is fine */

/* Each replaces a list (the array is copied, the items are not) and tells the clients that it
 * changed. A bad description is a fault of the program: it aborts and says which. */
void mcp_set_tools(struct mcp *mcp, const struct mcp_tool *const *tools, size_t count);
void mcp_set_prompts(struct mcp *mcp, const struct mcp_prompt *const *prompts, size_t count);
void mcp_set_resources(struct mcp *mcp, const struct mcp_resource *const *resources, size_t count);
void mcp_set_templates(struct mcp *mcp, const struct mcp_resource *const *templates, size_t count);

/* Tells those who subscribed to it that the content of a resource changed. */
void mcp_resource_updated(struct mcp *mcp, struct str uri);

size_t mcp_open_calls(const struct mcp *mcp);
size_t mcp_open_sessions(const struct mcp *mcp);
