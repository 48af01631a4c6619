/* One request of a client, from the moment the program gets it to its single answer.
 *
 * One rule covers all functions: the library hands a call to the program in a function of mcp_impl;
 * the program ends it exactly once with one of the mcp_reply functions, now or later; after that
 * the pointer is invalid. The rule also holds for a cancelled call: its answer is then dropped.
 *
 * What the client sent (arguments, strings, JSON values) lives as long as the call.
 *
 *     static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
 *     {
 *         struct jsonw *w = mcp_reply_begin(call);       // {"jsonrpc":"2.0","id":7,"result":{
 *         mcp_content_begin(w);                          //   "content":[
 *         mcp_content_text(w, STR("two blocks"));
 *         mcp_content_image(w, png_bytes, "image/png");
 *         mcp_content_end(w);                            //   ]
 *         mcp_reply(call);                               // }} and send it
 *     }
 *
 * For long work, keep the pointer, set mcp_call_on_cancel(), report mcp_call_progress() and answer
 * when the work is done.
 *
 * A question to the client (elicitation, sampling, roots) is a round trip in every revision: the
 * program asks, and its function is called again, from the start, with the answers. Only a `state`
 * text is kept between the rounds. It is sealed: a client can read it, but cannot change it, use it
 * for another tool or send it back after an hour.
 *
 *     const struct json *who = mcp_ask_answer(call, "who", MCP_ASK_ELICITATION);
 *     if (!who) {
 *         mcp_ask(call, "who", MCP_ASK_ELICITATION, form); // {"message":...,"requestedSchema":...}
 *         mcp_ask_reply(call, STR(""));
 *         return;
 *     }
 *     struct str name = json_str(json_get(json_get(who, STR("content")), STR("name")));
 *
 * A modern client gets the questions in an input_required result. In the legacy revisions the
 * library sends them as requests and waits for the responses; in an MCP task they are the task's
 * inputRequests. mcp_ask_answer() returns an answer only if its shape fits the kind of question;
 * otherwise it returns NULL and the program asks again.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "mcp/mcp.h"

/* ---- reading the request */

struct arena *mcp_call_arena(struct mcp_call *call);                /* freed with the call */
const struct json *mcp_call_params(const struct mcp_call *call);    /* NULL: none */
const struct json *mcp_call_arguments(const struct mcp_call *call); /* the tool's; NULL: none */
struct loop *mcp_call_loop(const struct mcp_call *call);
bool mcp_call_is_modern(const struct mcp_call *call);
const char *mcp_call_version(const struct mcp_call *call); /* "2025-11-25" */

/* Return the name and version the client gave, such as "claude-code 2.1.325", or "". One line of at
 * most MCP_CLIENT_MAX bytes that is safe to print. Lives as long as the call. */
#define MCP_CLIENT_MAX 120u
const char *mcp_call_client(struct mcp_call *call);

enum mcp_capability { /* of the client */
    MCP_CAN_SAMPLE = 1,
    MCP_CAN_ELICIT = 2, /* forms */
    MCP_CAN_ELICIT_URL = 4,
    MCP_CAN_LIST_ROOTS = 8,
    MCP_CAN_TASKS = 16,
};

bool mcp_call_client_can(const struct mcp_call *call, enum mcp_capability capability);

/* Return true if the client has the capability; else end the call with the revision's error. */
bool mcp_call_require(struct mcp_call *call, enum mcp_capability capability);

/* ---- answering */

/* Begin the result and return a writer inside its object; once per call. The library writes _meta
 * and resultType. */
struct jsonw *mcp_reply_begin(struct mcp_call *call);
void mcp_reply(struct mcp_call *call); /* close the object and send it */

void mcp_reply_text(struct mcp_call *call, struct str text); /* a tool result with one text block */

/* Send one JSON object as a tool result: as structuredContent and as a text block. It must be
 * compact JSON (is_compact of json_skim()) in valid UTF-8: a line end in it would end the message
 * on stdio. A large object is sent without a copy. */
void mcp_reply_json(struct mcp_call *call, struct str object, bool is_error);

/* Send isError with one sentence for the model: the tool failed or its arguments were wrong. */
void mcp_reply_tool_error(struct mcp_call *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void mcp_reply_completion(struct mcp_call *call, const struct str *values, size_t count);

/* Send a JSON-RPC error, for violations of the protocol. data is JSON text or empty. The codes are
 * in rpc.h. */
void mcp_reply_error(struct mcp_call *call, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void mcp_reply_error_data(struct mcp_call *call, int code, struct str data, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void mcp_reply_not_found(struct mcp_call *call, struct str uri); /* there is no such resource */

/* ---- parts of results */

void mcp_content_begin(struct jsonw *w); /* "content":[ */
void mcp_content_end(struct jsonw *w);
void mcp_content_text(struct jsonw *w, struct str text);
void mcp_content_image(struct jsonw *w, struct str bytes, const char *mime_type);
void mcp_content_audio(struct jsonw *w, struct str bytes, const char *mime_type);
void mcp_content_link(struct jsonw *w, struct str uri, const char *name, const char *mime_type);
void mcp_content_resource(struct jsonw *w, struct str uri, const char *mime_type, struct str text);

/* Write an item of "contents" in the result of read_resource. */
void mcp_content_item_text(struct jsonw *w, struct str uri, const char *mime_type, struct str text);
void mcp_content_item_blob(struct jsonw *w, struct str uri, const char *mime_type,
                           struct str bytes);

/* ---- while the call runs */

/* Call fn(ctx) at most once, when the client no longer waits for the answer. The program must still
 * end the call, there or later. */
void mcp_call_on_cancel(struct mcp_call *call, loop_fn *fn, void *ctx);
bool mcp_call_is_cancelled(const struct mcp_call *call);

/* Report progress. `done` must grow. The client gets at most ten reports per second, and always the
 * last one. total 0: unknown; message may be NULL. Costs nothing if the client gave no progress
 * token. In an MCP task, message becomes the status message. */
void mcp_call_progress(struct mcp_call *call, double done, double total, const char *message);

bool mcp_call_wants_progress(const struct mcp_call *call); /* has the client asked for it? */

enum mcp_log_level {
    MCP_LOG_DEBUG,
    MCP_LOG_INFO,
    MCP_LOG_NOTICE,
    MCP_LOG_WARNING,
    MCP_LOG_ERROR,
    MCP_LOG_CRITICAL,
    MCP_LOG_ALERT,
    MCP_LOG_EMERGENCY,
    MCP_LOG_LEVEL_COUNT
};

/* Send a log message to the client, if it wants messages of this level. */
void mcp_call_log(struct mcp_call *call, enum mcp_log_level level, const char *logger,
                  struct str text);

/* Legacy HTTP only: close the stream of the call. The client reconnects with Last-Event-ID after
 * retry_ms to get the rest. Elsewhere this does nothing. */
void mcp_call_close_stream(struct mcp_call *call, int retry_ms);

/* ---- asking the client */

enum mcp_ask_kind {
    MCP_ASK_ELICITATION,
    MCP_ASK_SAMPLING,
    MCP_ASK_ROOTS,
};

/* Return the answer to the question `key`, or NULL. */
const struct json *mcp_ask_answer(const struct mcp_call *call, const char *key,
                                  enum mcp_ask_kind kind);
struct str mcp_ask_state(const struct mcp_call *call); /* of the last round; at first empty */

/* Add a question to this round; params is JSON text. */
void mcp_ask(struct mcp_call *call, const char *key, enum mcp_ask_kind kind, struct str params);

/* End the round: send the questions, and keep `state` for the next round. */
void mcp_ask_reply(struct mcp_call *call, struct str state);

/* ---- MCP tasks */

struct mcp_task_options {
    const char *id;  /* of A-Z a-z 0-9 _ - . ; NULL or taken: a new, unguessable one */
    int64_t ttl_ms;  /* how long the result can be read; 0: one hour */
    int64_t poll_ms; /* the polling interval to suggest; 0: one second */
};

/* Make the call an MCP task: the client gets the task's id at once, and the answer that ends the
 * call becomes the task's result. Return false, without an effect, if the client did not ask for
 * tasks or does not support them, or the tool forbids them. Return true if the call already is one.
 */
bool mcp_task_start(struct mcp_call *call, const struct mcp_task_options *options);
bool mcp_call_is_task(const struct mcp_call *call);
