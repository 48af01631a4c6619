/* Tasks: calls whose answer is fetched later. Both forms: experimental in 2025-11-25 (the client
 * asks for one with `task`), and the extension io.modelcontextprotocol/tasks in 2026-07-28 (the
 * server decides).
 *
 *     working <-> input_required          (asked: mcp_ask_reply; answered: tasks/update)
 *        |              |
 *        +--------------+--> completed | failed | cancelled     terminal, kept for its ttl
 *
 * A program does not see this file; for it a task is one line in the work of a call:
 *
 *     mcp_task_start(call, NULL);              // the client gets its id; false: it cannot follow
 *     ...                                       // mcp_call_progress(), mcp_ask() as always
 *     mcp_reply_text(call, STR("done"));        // the task is completed
 *
 * A task owns its result text. While its call runs the two point at each other; a task that is
 * cancelled lets go of its call, whose late answer then goes nowhere. Legacy tasks belong to their
 * session and are seen by no other; modern ones are known by their id alone, which nobody guesses.
 */
#pragma once

#include "mcp/mcp_internal.h"

enum mcp_task_status {
    MCP_TASK_WORKING,
    MCP_TASK_INPUT_REQUIRED,
    MCP_TASK_COMPLETED,
    MCP_TASK_FAILED,
    MCP_TASK_CANCELLED,
    MCP_TASK_STATUS_COUNT
};

enum mcp_task_event {
    MCP_TASK_ON_ASK,
    MCP_TASK_ON_ANSWER,
    MCP_TASK_ON_RESULT,
    MCP_TASK_ON_TOOL_ERROR, /* a legacy tool result with isError: that era calls it failed */
    MCP_TASK_ON_FAILURE,
    MCP_TASK_ON_CANCEL,
    MCP_TASK_EVENT_COUNT
};

/* The machine: pure. False: no such move, the event is late or stray. */
bool mcp_task_step(enum mcp_task_status from, enum mcp_task_event event, enum mcp_task_status *to);
const char *mcp_task_status_name(enum mcp_task_status status);

#define MCP_TASK_ID_LEN 128

struct mcp_task {
    struct list link;
    struct mcp *mcp;
    struct mcp_session *session; /* NULL: modern */
    struct mcp_call *call;       /* NULL: ended */
    char id[MCP_TASK_ID_LEN];
    enum mcp_task_status status;
    struct buf message;
    int64_t created, updated; /* unix ms */
    int64_t ttl_ms, poll_ms;
    struct buf result; /* the result object, or the error object */
    bool is_error;
    struct timer expiry;
    struct list waiters; /* legacy tasks/result calls that wait for the end */
};

/* For the call: */
void mcp_task_complete(struct mcp_task *t, struct str result);
void mcp_task_fail(struct mcp_task *t, struct str error);
void mcp_task_ask(struct mcp_task *t);
void mcp_task_resume(struct mcp_task *t); /* every question of its call */
void mcp_task_set_message(struct mcp_task *t, struct str message);

/* For tools/call: does the request want, or the tool need, a task? False: the call was refused. */
bool mcp_task_admit(struct mcp_call *call);

/* The methods. */
void mcp_task_get(struct mcp_call *call);
void mcp_task_update(struct mcp_call *call);
void mcp_task_cancel(struct mcp_call *call);
void mcp_task_result(struct mcp_call *call);
void mcp_task_list(struct mcp_call *call);

void mcp_task_end_session(struct mcp_session *s); /* its tasks go with it */
void mcp_task_end_all(struct mcp *mcp);

/* The fields of a task in the form of a revision, inside an open object. */
void mcp_task_put(struct jsonw *w, const struct mcp_task *t, enum mcp_era era);
