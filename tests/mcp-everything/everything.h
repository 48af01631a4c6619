/* mcp-everything: a server on src/mcp with one of everything. It is the fixture of the official
 * conformance suite, whose tool, prompt and resource names it uses, and the worked example of the
 * library.
 *
 *   main.c        options, transports, the table of the program (struct mcp_impl)
 *   tools.c       tools that finish at once, or with progress and messages on the way
 *   asking.c      tools that ask the client: elicitation, sampling, roots
 *   tasks.c       tools that continue as tasks
 *   prompts.c     prompts and completions
 *   resources.c   resources and templates
 */
#pragma once

#include "mcp/call.h"
#include "mcp/mcp.h"

struct tool_row {
    struct mcp_tool def; /* first: a tool of the library is one of ours */
    void (*run)(struct mcp_call *call);
};

#define NO_ARGUMENTS "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"

extern const struct tool_row simple_tools[], asking_tools[], task_tools[];
extern const size_t simple_tool_count, asking_tool_count, task_tool_count;

extern const struct mcp_prompt *const prompts[];
extern const size_t prompt_count;
extern const struct mcp_resource *const resources[], *const templates[];
extern const size_t resource_count, template_count;

void get_prompt(struct mcp_call *call, const struct mcp_prompt *prompt, void *ctx);
void complete(struct mcp_call *call, const struct mcp_completion *ask, void *ctx);
void read_resource(struct mcp_call *call, struct str uri, void *ctx);

/* Notify the server of changed lists: each call adds or removes one item. */
void toggle_tool(void);
void toggle_prompt(void);

/* Notify the subscribers of test://watched-resource of a change. */
void touch_watched(void);

/* The number of calls without a result. */
size_t open_calls(void);

/* A text argument; empty if it is missing or not a text. */
struct str argument(const struct mcp_call *call, const char *name);

/* Call step(call, 0), step(call, 1), ... every `ms` until one of them ends the call and returns
 * false. A cancelled call ends without any further step. */
typedef bool step_fn(struct mcp_call *call, int n);
void run_steps(struct mcp_call *call, uint64_t ms, step_fn *step);

/* The smallest possible PNG and WAV. */
struct str tiny_png(void);
struct str tiny_wav(void);
