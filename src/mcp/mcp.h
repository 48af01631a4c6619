/* An MCP server for any C program: tools, resources, prompts, completions, MCP tasks; revisions
 * 2025-03-26, 2025-06-18, 2025-11-25 ("legacy": a session opened by `initialize`) and 2026-07-28
 * ("modern": stateless requests) on the same endpoint.
 *
 * The library implements the protocol and contains no tool. A program describes what it offers in
 * const tables and answers calls; the library handles the differences between revisions and between
 * transports.
 *
 *     #include "mcp/call.h"
 *     #include "mcp/mcp_stdio.h"
 *
 *     static const struct mcp_tool hello = {
 *         .name = "hello",
 *         .description = "Greets a person.",
 *         .input_schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}",
 *         .annotations = {.read_only = true, .idempotent = true},
 *     };
 *
 *     static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
 *     {
 *         struct str name = json_str(json_get(mcp_call_arguments(call), STR("name")));
 *         (void)tool, (void)ctx;
 *         if (!name.n)
 *             mcp_reply_tool_error(call, "name is missing: give the name of the person to greet");
 *         else
 *             mcp_reply_text(call, arena_printf(mcp_call_arena(call), "Hello, %.*s!",
 *                                               STR_ARG(name)));
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
 * (The tests compile and run this program.) Then read call.h: how to read a call and answer it.
 * mcp_http.h and mcp_stdio.h are the transports. A larger example is tests/mcp-everything, which
 * uses every feature.
 */
#pragma once

#include "base/loop.h"
#include "base/str.h"

struct mcp;
struct mcp_call;
struct mcp_completion;

enum mcp_task_support { /* may a call of this tool become an MCP task? (mcp_task_start) */
    MCP_TASK_FORBIDDEN,
    MCP_TASK_OPTIONAL,
    MCP_TASK_REQUIRED, /* the library refuses clients without support for tasks */
};

struct mcp_annotations { /* all four are always published, so set each correctly */
    bool read_only;      /* changes nothing */
    bool destructive;    /* may overwrite or delete, not only add */
    bool idempotent;     /* the same call again changes nothing more */
    bool open_world;     /* touches things outside the program */
};

/* Descriptions must outlive the server. Texts are UTF-8, schemas JSON. NULL: omitted. */
struct mcp_tool {
    const char *name; /* 1 to 64 of A-Z a-z 0-9 _ - . / */
    const char *title;
    const char *description;
    const char *input_schema;  /* required; "x-mcp-header" on a property is enforced */
    const char *output_schema; /* if set, each successful result must satisfy it */
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

/* The program's side of the server. Each function is called in the loop and must end its call
 * exactly once, now or later (call.h). A NULL function removes the capability. */
struct mcp_impl {
    const char *name, *title, *version, *description, *website_url; /* serverInfo */
    const char *instructions; /* for the model: what the server is for */
    bool logging;             /* the program uses mcp_call_log() */
    bool list_changed;        /* lists may change while the server runs */
    bool tasks;               /* calls may become tasks */
    bool subscribe;           /* the program uses mcp_resource_updated() */
    int page_size;            /* items per page of a list; 0: 200 */
    int cache_ms; /* how long modern clients may cache lists and resources; 0: not at all */

    void (*call_tool)(struct mcp_call *call, const struct mcp_tool *tool, void *ctx);
    void (*read_resource)(struct mcp_call *call, struct str uri, void *ctx);
    void (*get_prompt)(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx);

    /* Answer with mcp_reply_completion(): values for `argument` that begin with `value`. */
    void (*complete)(struct mcp_call *call, const struct mcp_completion *ask, void *ctx);
};

struct mcp_completion {
    const struct mcp_prompt *prompt; /* NULL: a resource template */
    struct str uri;                  /* of the template, as the client wrote it */
    struct str argument, value;
};

/* impl and ctx must outlive the server. The caller owns the loop. */
struct mcp *mcp_new(struct loop *loop, const struct mcp_impl *impl, void *ctx);

/* End every call, session and stream, and send clients the reason. The program may still answer
 * open calls until mcp_free(); those answers are dropped. */
void mcp_stop(struct mcp *mcp);

/* Call after mcp_stop() and after the transports are closed. NULL is fine. */
void mcp_free(struct mcp *mcp);

/* Replace a list (the array is copied, the items are not) and notify the clients. An invalid
 * description is a bug in the program: abort with a message that names it. */
void mcp_set_tools(struct mcp *mcp, const struct mcp_tool *const *tools, size_t count);
void mcp_set_prompts(struct mcp *mcp, const struct mcp_prompt *const *prompts, size_t count);
void mcp_set_resources(struct mcp *mcp, const struct mcp_resource *const *resources, size_t count);
void mcp_set_templates(struct mcp *mcp, const struct mcp_resource *const *templates, size_t count);

/* Notify the subscribers of a resource that its content changed. */
void mcp_resource_updated(struct mcp *mcp, struct str uri);

size_t mcp_open_calls(const struct mcp *mcp);
size_t mcp_open_sessions(const struct mcp *mcp);
