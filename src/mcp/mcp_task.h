/* MCP tasks: calls whose answer the client fetches later. Two forms: experimental in 2025-11-25
 * (the client asks with `task`), and the extension io.modelcontextprotocol/tasks in 2026-07-28 (the
 * server decides).
 *
 *     working <-> input_required          (asked: mcp_ask_reply; answered: tasks/update)
 *        |              |
 *        +--------------+--> completed | failed | cancelled     terminal, kept for ttl_ms
 *
 * Programs do not include this file. For them a task is one more call (call.h):
 *
 *     mcp_task_start(call, NULL);               // the client gets the task's id
 *     mcp_call_progress(call, 1, 2, "half");    // as in any call
 *     mcp_reply_text(call, STR("done"));        // the task is completed
 *
 * A task owns its result text. While its call runs, the two point at each other; a cancelled task
 * detaches from its call, whose late answer is then dropped. A legacy task belongs to its session
 * and is hidden from others; a modern one is accessible to anyone with its unguessable id.
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
    MCP_TASK_ON_TOOL_ERROR, /* a legacy tool result with isError: failed in that era */
    MCP_TASK_ON_FAILURE,
    MCP_TASK_ON_CANCEL,
    MCP_TASK_EVENT_COUNT
};

/* Return the next status. Pure. Return false if the event does not apply: it is late or unknown. */
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
    struct list waiters; /* legacy tasks/result calls waiting for the end */
};

/* Called for the task's call: */
void mcp_task_complete(struct mcp_task *t, struct str result);
void mcp_task_fail(struct mcp_task *t, struct str error);
void mcp_task_ask(struct mcp_task *t);
void mcp_task_resume(struct mcp_task *t); /* all questions are answered: run the call again */
void mcp_task_set_message(struct mcp_task *t, struct str message);

/* For tools/call: start a task if the request asks for one. Return false if the call was
 * refused. */
bool mcp_task_admit(struct mcp_call *call);

/* The methods. */
void mcp_task_get(struct mcp_call *call);
void mcp_task_update(struct mcp_call *call);
void mcp_task_cancel(struct mcp_call *call);
void mcp_task_result(struct mcp_call *call);
void mcp_task_list(struct mcp_call *call);

void mcp_task_end_session(struct mcp_session *s); /* free the tasks of the session */
void mcp_task_end_all(struct mcp *mcp);

/* Write the fields of a task in the form of an era, inside an open object. */
void mcp_task_put(struct jsonw *w, const struct mcp_task *t, enum mcp_era era);
