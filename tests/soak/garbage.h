/* mcp-garbage: hostile input for a server, over real sockets.
 *
 *   mcp-garbage [--show] [--soak N] PROGRAM
 *
 * PROGRAM (mcp-everything, or one with the same tools) is started on a free port. Each case sends
 * its garbage and checks the status, the code and the message of the response, and that the next
 * valid request works. --show prints them all, for a person to judge. --soak sends N more of them,
 * mixed, and checks memory and descriptors of the server.
 *
 *   peer.c          the process and raw connections
 *   messages.c      garbage in the body: JSON, JSON-RPC, MCP of both eras
 *   requests.c      garbage around it: HTTP
 *   crowds.c        too many, too slow, disconnected in the middle
 *   garbage.c       the checks, the soak, main
 */
#pragma once

#include "base/json.h"
#include "peer.h"

/* One piece of garbage: a request as text, and the expected response. In head, %P is the port, %S
 * the session, %L the length of the body and %K forty thousand letters; in body, ' stands for "
 * (not in `bytes`). */
struct garbage {
    const char *what;
    const char *head;
    const char *body;
    struct str bytes;
    int status;
    int code;         /* of the JSON-RPC error; 0: none */
    const char *says; /* part of its message, or of the body */
};

extern const struct garbage messages[], requests[];
extern const size_t message_count, request_count;

/* Requests written by code. */
struct scenario {
    const char *what;
    void (*run)(void);
    bool in_soak;
};

extern const struct scenario scenes[];
extern const size_t scene_count;

/* ---- for the scenes */

extern struct server server;
extern char session[128];

void expand_head(struct buf *to, const char *head,
                 struct str body);             /* the placeholders of a head */
void quotes(struct buf *to, const char *text); /* ' to " */

/* Compare a response with the expected one; `says` is a part of its message or NULL. */
void judge_answer(const char *what, const struct raw_answer *a, int status, int code,
                  const char *says);
void judge_true(const char *what, bool ok);

/* One exchange on a connection of its own, body with ' for ". */
void exchange(struct raw_answer *a, const char *head, const char *body);

/* The same on an open connection. */
void exchange_on(struct raw_peer *p, struct raw_answer *a, const char *head, const char *body);

/* Open a session; false if that failed. */
bool open_session(char id[128]);

/* Write the member of the result, or of the error, as text; empty: none. */
void write_member(const struct raw_answer *a, const char *key, struct buf *to);

#define JSON   "Content-Type: application/json\r\n"
#define ACCEPT "Accept: application/json, text/event-stream\r\n"
#define BODY   "Content-Length: %L\r\n\r\n"
#define HOST   "Host: 127.0.0.1:%P\r\n"
#define IN     "Mcp-Session-Id: %S\r\n"
#define POST   "POST /mcp HTTP/1.1\r\n" HOST
#define LEGACY POST JSON ACCEPT IN BODY
#define MODERN(method, more)                                                                       \
    POST JSON ACCEPT "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n" more BODY

#define META(capabilities)                                                                         \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                             \
    "'io.modelcontextprotocol/clientCapabilities':" capabilities "}"
#define WITH_TASKS "{'extensions':{'io.modelcontextprotocol/tasks':{}}}"
#define ASK(id, method, params)                                                                    \
    "{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':" params "}"
