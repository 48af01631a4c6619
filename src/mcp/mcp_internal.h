/* What the files of src/mcp share. Programs do not include it: mcp.h and call.h are for them.
 *
 *   transport (mcp_http, mcp_stdio)      bytes in: a call with its message, and a sink
 *     -> mcp_2025 / mcp_2026             the rules of the era: session or envelope
 *        -> mcp_method                   the table of methods; lists are answered here (mcp_list)
 *           -> the program's mcp_impl    tools, resources, prompts
 *              -> mcp_call               its answer, into the call's buffer
 *     <- sink                            ... and out: a line, a JSON body, an event of a stream
 *
 * What a transport does with a message, in short (mcp_stdio.c is the plain case):
 *
 *     struct mcp_call *call = mcp_call_new(mcp, &text, limit, &out);   // NULL: send out, an error
 *     call->sink = &my_sink;                                           // for a request
 *     if (mcp_modern_is_claimed(&call->message))
 *         mcp_modern_receive(call, session, NULL);
 *     else
 *         mcp_legacy_receive(call, session);
 *
 * Who owns what: a call owns its text, its arena and its answer; it is in the list of its session,
 * or of the server if there is none. A sink belongs to the transport; a call that lost its sink
 * (client gone, became a task, cancelled) has NULL there and its messages go nowhere. Sessions and
 * tasks belong to the server.
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
    MCP_MAX_URI = 8192,          /* bytes of the name of one that is followed */
    MCP_MAX_OPEN = 256u << 20,   /* bytes of all open requests, read: then none of ... */
    MCP_LARGE = 64u << 10,       /* ... more than this is taken */
    MCP_MAX_KEPT = 64u << 20,    /* bytes of events that are kept for all clients */
    MCP_MAX_TASKS = 1024,
    MCP_MAX_RESULTS =
        64u << 20,         /* bytes of the results of ended tasks; the newest is always kept */
    MCP_MAX_STATUS = 1000, /* bytes of a progress or status message */
    MCP_MAX_ASKS = 16,     /* questions of one round */
    MCP_MAX_ROUNDS = 16,   /* rounds the library carries out for one legacy call or task */
    MCP_SESSION_IDLE_MS = 3600000, /* a session nobody used for so long has ended */
    MCP_STATE_MS = 3600000,        /* how long a sealed state is taken back */
    /* Least time between two progress notifications: nine a second, and the last one of a call,
     * which is sent with its answer, makes ten. */
    MCP_PROGRESS_MS = 112,
};

enum mcp_era {
    MCP_LEGACY = 1,
    MCP_MODERN = 2,
};

enum mcp_revision { /* in the order of time */
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

/* ---- where the messages of one call go */

struct mcp_sink;

#define MCP_MAX_PARTS 3u

struct mcp_sink_impl {
    /* A message before the answer. may_drop: leave it out if the client is slow. */
    void (*send)(struct mcp_sink *s, struct str message, bool may_drop);
    /* The answer, gone when this returns: one text, or up to MCP_MAX_PARTS parts without line ends
     * in them; or none (count 0: cancelled). The sink is the transport's again. */
    void (*finish)(struct mcp_sink *s, int status, const struct str *parts, size_t count);
    void (*close_stream)(struct mcp_sink *s, int retry_ms); /* NULL: not possible here */
};

struct mcp_sink {
    const struct mcp_sink_impl *impl;
};

/* ---- lists */

struct mcp_param_header; /* header.h */

struct mcp_tool_entry {
    const struct mcp_tool *tool;
    struct mcp_param_header *headers; /* arguments that are mirrored in HTTP headers */
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

    struct list
        calls; /* those of no session: modern requests over HTTP, and tasks of ended sessions */
    struct list sessions; /* longest unused first */
    struct map session_ids;
    struct list listens; /* struct mcp_listen: open subscriptions/listen requests */
    struct list tasks;
    struct map task_ids;
    size_t result_bytes;           /* of all tasks that have ended */
    size_t call_count, open_bytes; /* of calls */
    size_t kept_bytes;             /* of events, in all sessions */
    struct buf spare;              /* of the last answer, for the next one */
};

/* ---- one client of the legacy era, or the one client on stdio (both eras) */

struct mcp_session {
    struct list link;
    struct mcp *mcp;
    char id[ID_LEN + 1]; /* empty on stdio */
    bool initialized;
    bool announced; /* the client has been told the id */
    enum mcp_revision revision;
    unsigned capabilities;           /* enum mcp_capability */
    char client[MCP_CLIENT_MAX + 1]; /* as mcp_call_client() tells it */
    enum mcp_log_level log_level;
    struct map subscriptions; /* uri -> anything */
    struct list calls;
    size_t call_count;
    struct list asked; /* struct mcp_asked: requests to the client that are not answered */
    int64_t next_ask;
    uint64_t last_used;

    /* The transport's: how to reach the client outside of any call, and what to drop at the end. */
    void (*notify)(struct mcp_session *s, struct str message);
    void (*on_end)(struct mcp_session *s);
    void *transport;
    struct list streams; /* struct mcp_stream, of mcp_http */
    unsigned next_stream, open_streams;
    size_t kept_bytes; /* of the events its streams keep */
};

/* ---- one request */

struct mcp_question {
    const char *key;
    enum mcp_ask_kind kind;
    struct str params;
    const struct json *answer; /* NULL: not yet, or not in the right shape */
};

struct mcp_method;
struct mcp_task;

struct mcp_call {
    struct list link; /* in its session's calls, or the server's */
    struct list wait; /* tasks/result: among those who wait for the task */
    struct mcp *mcp;
    struct mcp_session *session;
    bool in_flight; /* counts among the requests of its session */
    struct mcp_sink *sink;
    enum mcp_era era;
    enum mcp_revision revision;
    unsigned capabilities;
    int log_level; /* modern: what the request asked for; -1: nothing */

    struct buf text; /* what the client sent */
    size_t bytes;    /* of it, read */
    struct arena arena;
    struct rpc_message message;
    const struct json *meta;      /* params._meta */
    const struct json *arguments; /* params.arguments */
    const struct mcp_method *method;
    const struct mcp_tool *tool;
    const struct mcp_prompt *prompt;
    bool envelope; /* still checking the envelope: errors are HTTP 400 */

    struct buf out;    /* the answer, but for the object: that is put in at object_at, uncopied */
    struct str object; /* lives as long as the function that answers; empty: there is none */
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

    struct mcp_question *asks, *answers; /* of this round and of the one before, in the arena */
    size_t ask_count, answer_count;
    bool waiting; /* for the client's answers: the program does not have the call */
    int rounds;
    struct str state; /* opened */

    struct mcp_task *task;
};

/* A call for a message that has arrived; takes over the text. Answers NULL if the text is not
 * JSON-RPC: then *out has the error to send. */
struct mcp_call *mcp_call_new(struct mcp *mcp, struct buf *text, size_t max_bytes, struct buf *out);
void mcp_call_free(struct mcp_call *call);
void mcp_call_join(struct mcp_call *call, struct mcp_session *session); /* NULL: none */

/* Nobody waits for it any more; the program is told. finish: end the sink, too. */
void mcp_call_cancel(struct mcp_call *call, bool finish);

/* The same, but it is us who give up: the client hears why. */
void mcp_call_drop(struct mcp_call *call, int status, const char *why);

/* The client's connection is gone: a cancel if it is modern, else the work goes on. */
void mcp_call_disconnect(struct mcp_call *call);

/* Hands the call to the program (again): tools/call, prompts/get, resources/read. */
void mcp_call_run(struct mcp_call *call);

/* Sends the answer in call->out and frees the call. */
void mcp_call_finish(struct mcp_call *call, int status);

#define MCP_TOO_LARGE "The answer is larger than 64 MiB: ask for less"
_Static_assert(MCP_MAX_ANSWER == 64u << 20, "MCP_TOO_LARGE names the limit");

/* Send the progress that is still due. The last one always precedes the answer. */
void mcp_call_flush_progress(struct mcp_call *call);

/* ---- asks (ask.c) */

struct mcp_asked {
    struct list link;
    int64_t id;
    struct mcp_call *call;
    size_t index;
};

bool mcp_ask_is_answer(const struct json *answer, enum mcp_ask_kind kind);
void mcp_ask_on_response(struct mcp_session *s, const struct rpc_message *m);
void mcp_ask_send(struct mcp_call *call, struct mcp_sink *sink); /* all that are not answered */
void mcp_ask_withdraw(
    struct mcp_call *call); /* answers that still come are not expected any more */
bool mcp_ask_unseal_state(struct mcp_call *call); /* reads params.requestState; false: refused */
void mcp_ask_put_requests(struct jsonw *w,
                          const struct mcp_call *call); /* {key: {method, params}} */
void mcp_ask_store_answer(struct mcp_call *call, size_t index, const struct json *answer);
void mcp_ask_rerun(struct mcp_call *call);
const char *mcp_ask_method(enum mcp_ask_kind kind);
enum mcp_capability mcp_ask_capability(enum mcp_ask_kind kind);

/* ---- capabilities */

unsigned mcp_read_capabilities(const struct json *capabilities, enum mcp_era era);
void mcp_put_capabilities(struct jsonw *w, const struct mcp *mcp, enum mcp_era era,
                          enum mcp_revision r);
void mcp_reply_missing_capability(struct mcp_call *call,
                                  unsigned capabilities); /* -32021, or its legacy form */
const char *mcp_log_level_name(enum mcp_log_level level);
bool mcp_log_level_from_name(struct str name, enum mcp_log_level *level);

/* Name and version of a clientInfo; "" if it is none. */
void mcp_read_client(const struct json *info, char to[MCP_CLIENT_MAX + 1]);

/* ---- notices to everybody who wants them */

enum mcp_notice {
    MCP_NOTICE_TOOLS = 1,
    MCP_NOTICE_PROMPTS = 2,
    MCP_NOTICE_RESOURCES = 4,
};

void mcp_notify_changed(struct mcp *mcp, enum mcp_notice what);
