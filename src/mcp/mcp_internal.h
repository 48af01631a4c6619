/* Shared by the files of src/mcp. Programs include mcp.h and call.h instead.
 *
 *   transport (mcp_http, mcp_stdio)      bytes in: makes a call from a message and gives it a sink
 *     -> legacy / modern                 the rules of the era: session or envelope
 *        -> method                       the table of methods; mcp_list answers lists here
 *           -> the program's mcp_impl    tools, resources, prompts
 *              -> reply                  writes the answer into the call's buffer
 *     <- sink                            sends it: a line, a JSON body, an event of a stream
 *
 * What a transport does with a message, in short (mcp_stdio.c is the simple case):
 *
 *     struct mcp_call *call = mcp_call_new(mcp, &text, limit, &out);   // NULL: send out, an error
 *     call->sink = &my_sink;                                           // for a request
 *     if (mcp_modern_is_claimed(&call->message))
 *         mcp_modern_receive(call, session, NULL);
 *     else
 *         mcp_legacy_receive(call, session);
 *
 * Ownership: a call owns its text, its arena and its answer; it is in the list of its session, or
 * of the server if it has none. A sink belongs to the transport; a call that lost its sink (client
 * gone, call became an MCP task, or was cancelled) has NULL there and its messages are dropped.
 * Sessions and tasks belong to the server.
 */
#pragma once

#include "base/arena.h"
#include "base/id.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/list.h"
#include "base/map.h"
#include "mcp/call.h"
#include "mcp/mcp.h"
#include "mcp/rpc.h"

struct http_request;

/* ---- limits
 *
 * Those of HTTP are in net/http.h and net/http_server.h, those of event streams in mcp_http.h. A
 * client that exceeds a limit gets an error that names it, or loses its oldest entries; other
 * clients are not affected. docs/spec/40-mcp.md, section 4, is the contract. */

enum {
    MCP_MAX_MESSAGE = 16u << 20, /* bytes of one message on stdio; HTTP has its own limit */
    MCP_MAX_ANSWER = 64u << 20,  /* bytes of one answer */
    MCP_MAX_SESSIONS = 1024,
    MCP_MAX_IN_FLIGHT = 64,      /* requests of one client */
    MCP_MAX_SUBSCRIPTIONS = 256, /* resources of one client */
    MCP_MAX_URI = 8192,          /* bytes of the URI of one of them */
    MCP_MAX_OPEN = 256u << 20,   /* bytes of all open requests, parsed: above, none of ... */
    MCP_LARGE = 64u << 10,       /* ... more than this is accepted */
    MCP_MAX_KEPT = 64u << 20,    /* bytes of events kept for replay, of all clients */
    MCP_MAX_TASKS = 1024,
    MCP_MAX_RESULTS =
        64u << 20,         /* bytes of the results of ended tasks; the newest is always kept */
    MCP_MAX_STATUS = 1000, /* bytes of a progress or status message */
    MCP_MAX_ASKS = 16,     /* questions of one round */
    MCP_MAX_ROUNDS = 16,   /* rounds the library runs for one legacy call or MCP task */
    MCP_SESSION_IDLE_MS = 3600000, /* a session unused for so long is ended */
    MCP_STATE_MS = 3600000,        /* how long a sealed state is accepted */
    /* Minimum time between two progress notifications: nine per second, and the last one, sent
     * with the answer, makes ten. */
    MCP_PROGRESS_MS = 112,
};

enum mcp_era {
    MCP_LEGACY = 1,
    MCP_MODERN = 2,
};

enum mcp_revision { /* oldest first */
    MCP_2025_03_26,
    MCP_2025_06_18,
    MCP_2025_11_25,
    MCP_2026_07_28,
    MCP_REVISION_COUNT
};

#define MCP_LAST_LEGACY MCP_2025_11_25

const char *mcp_revision_name(enum mcp_revision r);
bool mcp_revision_from_name(struct str name, enum mcp_revision *r);

/* Keys of _meta, and the extension. */
#define MCP_KEY_VERSION      "io.modelcontextprotocol/protocolVersion"
#define MCP_KEY_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define MCP_KEY_CLIENT_INFO  "io.modelcontextprotocol/clientInfo"
#define MCP_KEY_SERVER_INFO  "io.modelcontextprotocol/serverInfo"
#define MCP_KEY_LOG_LEVEL    "io.modelcontextprotocol/logLevel"
#define MCP_KEY_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"
#define MCP_KEY_RELATED_TASK "io.modelcontextprotocol/related-task"
#define MCP_EXT_TASKS        "io.modelcontextprotocol/tasks"

/* ---- the destination of the messages of one call */

struct mcp_sink;

#define MCP_MAX_PARTS 3u

struct mcp_sink_impl {
    /* Send a message before the answer. may_drop: leave it out if the client is slow. */
    void (*send)(struct mcp_sink *s, struct str message, bool may_drop);
    /* Send the answer and detach from the call: one text, or up to MCP_MAX_PARTS parts without
     * line ends; count 0: none, the call was cancelled. The parts are valid during the call. */
    void (*finish)(struct mcp_sink *s, int status, const struct str *parts, size_t count);
    void (*close_stream)(struct mcp_sink *s, int retry_ms); /* NULL: not possible */
};

struct mcp_sink {
    const struct mcp_sink_impl *impl;
};

/* ---- lists */

struct mcp_param_header; /* header.h */

struct mcp_tool_entry {
    const struct mcp_tool *tool;
    struct mcp_param_header *headers; /* arguments repeated in HTTP headers */
    size_t header_count;
};

struct mcp {
    struct loop *loop;
    const struct mcp_impl *impl;
    void *ctx;
    struct buf server_info; /* the serverInfo object as JSON text */
    uint8_t seal_key[32];
    bool started, stopping;

    struct mcp_tool_entry *tools;
    size_t tool_count;
    struct map tool_names; /* name -> struct mcp_tool_entry */
    struct arena tool_arena;
    const struct mcp_prompt **prompts;
    const struct mcp_resource **resources, **templates;
    size_t prompt_count, resource_count, template_count;

    struct list calls;    /* calls without a session: modern requests over HTTP, and MCP tasks */
    struct list sessions; /* least recently used first */
    struct map session_ids;
    struct list listens; /* struct mcp_listen: open subscriptions/listen requests */
    struct list tasks;
    struct map task_ids;
    size_t result_bytes;           /* of all ended tasks */
    size_t call_count, open_bytes; /* of calls */
    size_t kept_bytes;             /* events kept for replay, in all sessions */
    struct buf spare;              /* memory of the last answer, for the next one */
};

/* ---- a client of the legacy era, or the client on stdio (both eras) */

struct mcp_session {
    struct list link;
    struct mcp *mcp;
    char id[ID_LEN + 1]; /* empty on stdio */
    bool initialized;
    bool announced; /* the id was sent to the client */
    enum mcp_revision revision;
    unsigned capabilities;           /* enum mcp_capability */
    char client[MCP_CLIENT_MAX + 1]; /* see mcp_call_client() */
    enum mcp_log_level log_level;
    struct map subscriptions; /* uri -> anything */
    struct list calls;
    size_t call_count;
    struct list asked; /* struct mcp_asked: unanswered requests to the client */
    int64_t next_ask;
    uint64_t last_used;

    /* Set by the transport: send a message outside of any call; clean up at the end. */
    void (*notify)(struct mcp_session *s, struct str message);
    void (*on_end)(struct mcp_session *s);
    void *transport;
    struct list streams; /* struct mcp_stream, of mcp_http */
    unsigned next_stream, open_streams;
    size_t kept_bytes; /* of the events kept by its streams */
};

/* ---- one request */

struct mcp_question {
    const char *key;
    enum mcp_ask_kind kind;
    struct str params;
    const struct json *answer; /* NULL: none yet, or in the wrong shape */
};

struct mcp_method;
struct mcp_task;

struct mcp_call {
    struct list link; /* in its session's calls, or the server's */
    struct list wait; /* tasks/result: in the waiters of the task */
    struct mcp *mcp;
    struct mcp_session *session;
    bool in_flight; /* counted in call_count of its session */
    struct mcp_sink *sink;
    enum mcp_era era;
    enum mcp_revision revision;
    unsigned capabilities;
    int log_level; /* modern: the level the request asked for; -1: none */

    struct buf text; /* what the client sent */
    size_t bytes;    /* memory of the text and the parsed message */
    struct arena arena;
    struct rpc_message message;
    const struct json *meta;      /* params._meta */
    const struct json *arguments; /* params.arguments */
    const struct mcp_method *method;
    const struct mcp_tool *tool;
    const struct mcp_prompt *prompt;
    bool envelope; /* still checking the envelope: errors are HTTP 400 */

    struct buf out;    /* the answer without `object`, which belongs at object_at, uncopied */
    struct str object; /* valid during mcp_reply_json(); empty: none */
    size_t object_at;
    struct jsonw w;
    bool has_result;
    size_t result_at; /* where the result object starts in out */

    loop_fn *on_cancel;
    void *cancel_ctx;
    bool cancelled;

    const struct json *progress_token;
    double progress_due, progress_total;
    struct buf progress_message;
    uint64_t progress_at;
    struct timer progress_timer;
    bool progress_any;

    struct mcp_question *asks, *answers; /* of this and the last round, in the arena */
    size_t ask_count, answer_count;
    bool waiting; /* for the client's answers: the library has the call */
    int rounds;
    struct str state; /* unsealed */

    struct mcp_task *task;
};

/* Return a call for a received message and take over the text. If the text is not JSON-RPC, return
 * NULL and write the error to send to *out. */
struct mcp_call *mcp_call_new(struct mcp *mcp, struct buf *text, size_t max_bytes, struct buf *out);
void mcp_call_free(struct mcp_call *call);

/* Move the call to the list of a session, or of the server (NULL). */
void mcp_call_join(struct mcp_call *call, struct mcp_session *session);

/* The client no longer waits: run the program's on_cancel. finish: also end the sink. */
void mcp_call_cancel(struct mcp_call *call, bool finish);

/* The server gives up: send the client an error with the reason, then cancel. */
void mcp_call_drop(struct mcp_call *call, int status, const char *why);

/* The client disconnected: cancel a modern call; a legacy one continues. */
void mcp_call_disconnect(struct mcp_call *call);

/* Hand the call to the program (again): tools/call, prompts/get, resources/read. */
void mcp_call_run(struct mcp_call *call);

/* Send the answer in call->out and free the call. */
void mcp_call_finish(struct mcp_call *call, int status);

#define MCP_TOO_LARGE "The answer is larger than 64 MiB: ask for less"
_Static_assert(MCP_MAX_ANSWER == 64u << 20, "MCP_TOO_LARGE names the limit");

/* Send the progress that is still due. The last one always precedes the answer. */
void mcp_call_flush_progress(struct mcp_call *call);

/* ---- questions to the client (ask.c) */

struct mcp_asked { /* a request sent to a legacy client */
    struct list link;
    int64_t id;
    struct mcp_call *call;
    size_t index;
};

bool mcp_ask_is_answer(const struct json *answer, enum mcp_ask_kind kind); /* has it the shape? */
void mcp_ask_on_response(struct mcp_session *s, const struct rpc_message *m);
void mcp_ask_send(struct mcp_call *call, struct mcp_sink *sink); /* the unanswered questions */
void mcp_ask_withdraw(struct mcp_call *call); /* ignore answers that still arrive */

/* Read params.requestState. Return false if it is invalid: the call was refused. */
bool mcp_ask_unseal_state(struct mcp_call *call);

/* Write {key: {method, params}} with the unanswered questions. */
void mcp_ask_put_requests(struct jsonw *w, const struct mcp_call *call);
void mcp_ask_store_answer(struct mcp_call *call, size_t index, const struct json *answer);
void mcp_ask_rerun(struct mcp_call *call); /* with the answers of the last round */
const char *mcp_ask_method(enum mcp_ask_kind kind);
enum mcp_capability mcp_ask_capability(enum mcp_ask_kind kind);

/* ---- capabilities */

unsigned mcp_read_capabilities(const struct json *capabilities, enum mcp_era era);
void mcp_put_capabilities(struct jsonw *w, const struct mcp *mcp, enum mcp_era era,
                          enum mcp_revision r);

/* End the call with -32021, or its legacy form. */
void mcp_reply_missing_capability(struct mcp_call *call, unsigned capabilities);

const char *mcp_log_level_name(enum mcp_log_level level);
bool mcp_log_level_from_name(struct str name, enum mcp_log_level *level);

/* Write name and version of a clientInfo, or "". */
void mcp_read_client(const struct json *info, char to[MCP_CLIENT_MAX + 1]);

/* ---- notifications to all clients that want them */

enum mcp_notice {
    MCP_NOTICE_TOOLS = 1,
    MCP_NOTICE_PROMPTS = 2,
    MCP_NOTICE_RESOURCES = 4,
};

void mcp_notify_changed(struct mcp *mcp, enum mcp_notice what);
