/* One request of a client, from the moment the program gets it to its single answer.
 *
 * The rule that covers all functions: a call is handed to the program in a function of mcp_impl;
 * the program ends it exactly once with one of the mcp_reply... or mcp_reply_error... functions, now or
 * later; after that the call is gone. This also holds for a cancelled call: its answer then goes
 * nowhere.
 *
 * What the client sent (arguments, strings, JSON values) lives as long as the call.
 *
 *     static void call_tool(struct mcp_call *call, const struct mcp_tool *tool, void *ctx)
 *     {
 *         struct jsonw *w = mcp_reply_begin(call);            // {"jsonrpc":"2.0","id":7,"result":{
 *         mcp_content_begin(w);                          //   "content":[
 *         mcp_content_text(w, STR("two blocks"));
 *         mcp_content_image(w, png_bytes, "image/png");
 *         mcp_content_end(w);                            //   ]
 *         mcp_reply(call);                               // }} and off it goes
 *     }
 *
 * Long work: keep the pointer, set mcp_call_on_cancel(), report mcp_call_progress(), answer when it is done.
 *
 * Asking the client (elicitation, sampling, roots) is a round trip in every revision: the program
 * says what it needs and is called again, from the start, with the answers. Nothing is kept between
 * the rounds but a `state` text. It travels sealed: a client can read it, but not change it, take
 * it to another tool, or bring it back after an hour.
 *
 *     const struct json *who = mcp_ask_answer(call, "who", MCP_ASK_ELICITATION);
 *     if (!who) {
 *         mcp_ask(call, "who", MCP_ASK_ELICITATION, form); // {"message":...,"requestedSchema":...}
 *         mcp_ask_reply(call, STR(""));
 *         return;
 *     }
 *     struct str name = json_str(json_get(json_get(who, STR("content")), STR("name")));
 *
 * A modern client gets the questions as an input_required result; in the legacy revisions the
 * library sends them as requests and waits; in a task they appear as the task's inputRequests. An
 * answer is only handed out if its shape is right for the kind of question; otherwise mcp_ask_answer is
 * NULL and the program asks again.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "mcp/mcp.h"

/* ---- reading the request */

struct arena *mcp_call_arena(struct mcp_call *call);             /* freed with the call */
const struct json *mcp_call_params(const struct mcp_call *call); /* NULL: none */
const struct json *mcp_call_arguments(
    const struct mcp_call *call); /* params.arguments; NULL: none */
struct loop *mcp_call_loop(const struct mcp_call *call);
bool mcp_call_is_modern(const struct mcp_call *call);
const char *mcp_call_version(const struct mcp_call *call); /* "2025-11-25" */

/* Who asks: "claude-code 2.1.325", name and version as the client says; "" if it does not. One line
 * of at most MCP_CLIENT_MAX bytes that can be shown, whatever stands in it. Lives as long as the
 * call. */
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

/* Answers true if the client can; else fails the call with the error the revision asks for. */
bool mcp_call_require(struct mcp_call *call, enum mcp_capability capability);

/* ---- answering */

/* Inside the result object; once per call. Its _meta and resultType are the library's. */
struct jsonw *mcp_reply_begin(struct mcp_call *call);
void mcp_reply(struct mcp_call *call); /* closes the object and sends it */

void mcp_reply_text(struct mcp_call *call, struct str text); /* a tool result with one text block */

/* A tool result from one JSON object: as structuredContent and as a text block. It is compact JSON
 * in valid UTF-8, as json_skim() calls it: a line end in it would end the message it travels in. A
 * large one is not copied but sent from where it is. */
void mcp_reply_json(struct mcp_call *call, struct str object, bool is_error);

/* The tool could not, or its arguments were wrong: isError, with one sentence for the model. */
void mcp_reply_tool_error(struct mcp_call *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

void mcp_reply_completion(struct mcp_call *call, const struct str *values, size_t count);

/* A JSON-RPC error, for protocol faults. data is a JSON text or empty. Codes: rpc.h. */
void mcp_reply_error(struct mcp_call *call, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void mcp_reply_error_data(struct mcp_call *call, int code, struct str data, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void mcp_reply_not_found(struct mcp_call *call, struct str uri); /* no such resource */

/* ---- pieces of results */

void mcp_content_begin(struct jsonw *w); /* "content":[ */
void mcp_content_end(struct jsonw *w);
void mcp_content_text(struct jsonw *w, struct str text);
void mcp_content_image(struct jsonw *w, struct str bytes, const char *mime_type);
void mcp_content_audio(struct jsonw *w, struct str bytes, const char *mime_type);
void mcp_content_link(struct jsonw *w, struct str uri, const char *name, const char *mime_type);
void mcp_content_resource(struct jsonw *w, struct str uri, const char *mime_type, struct str text);

/* An item of "contents" in the result of read_resource. */
void mcp_content_item_text(struct jsonw *w, struct str uri, const char *mime_type, struct str text);
void mcp_content_item_blob(struct jsonw *w, struct str uri, const char *mime_type,
                           struct str bytes);

/* ---- while it runs */

/* fn(ctx) is called at most once, when nobody waits for the answer any more. The call still has to
 * be ended, there or later. */
void mcp_call_on_cancel(struct mcp_call *call, loop_fn *fn, void *ctx);
bool mcp_call_is_cancelled(const struct mcp_call *call);

/* Only grows; at most ten a second reach the client, the last one always does. total 0: unknown;
 * message may be NULL. Free of cost if the client gave no progress token. In a task, message
 * becomes its status message. */
void mcp_call_progress(struct mcp_call *call, double done, double total, const char *message);

bool mcp_call_wants_progress(const struct mcp_call *call); /* somebody would see it */

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

/* To the client, if it wants messages of this level. */
void mcp_call_log(struct mcp_call *call, enum mcp_log_level level, const char *logger,
                  struct str text);

/* Legacy HTTP only: closes the stream under the call; the client comes back for the rest with
 * Last-Event-ID after retry_ms. Elsewhere it does nothing. */
void mcp_call_close_stream(struct mcp_call *call, int retry_ms);

/* ---- asking the client */

enum mcp_ask_kind {
    MCP_ASK_ELICITATION,
    MCP_ASK_SAMPLING,
    MCP_ASK_ROOTS,
};

const struct json *mcp_ask_answer(const struct mcp_call *call, const char *key,
                                  enum mcp_ask_kind kind);
struct str mcp_ask_state(const struct mcp_call *call); /* of the round before; empty in the first */
void mcp_ask(struct mcp_call *call, const char *key, enum mcp_ask_kind kind, struct str params);
void mcp_ask_reply(struct mcp_call *call, struct str state);

/* ---- tasks */

struct mcp_task_options {
    const char *id;  /* of A-Z a-z 0-9 _ - . ; NULL, or taken: a new one nobody can guess */
    int64_t ttl_ms;  /* how long it can be read; 0: one hour */
    int64_t poll_ms; /* what to tell the client; 0: one second */
};

/* From here on the call runs on as a task: the client gets its id at once, and the answer that ends
 * the call becomes the task's result. False, and nothing happens, if the client did not ask for or
 * cannot follow tasks or the tool forbids them. True again on a call that is a task already. */
bool mcp_task_start(struct mcp_call *call, const struct mcp_task_options *options);
bool mcp_call_is_task(const struct mcp_call *call);
