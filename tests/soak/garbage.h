/* mcp-garbage: everything a server may get wrong about hostile input, over real sockets.
 *
 *   mcp-garbage [--show] [--soak N] PROGRAM
 *
 * PROGRAM (mcp-everything, or one that offers the same) is started on a free port. Each case sends
 * its garbage and checks the status, the code and the sentence that come back, and that the next
 * good request works. --show prints them all, for a person to judge. --soak sends N more of them,
 * mixed, and watches memory and descriptors of the server.
 *
 *   peer.c          the process and raw connections
 *   messages.c      garbage in the body: JSON, JSON-RPC, MCP of both eras
 *   requests.c      garbage around it: HTTP
 *   crowds.c        too many, too slow, gone in the middle
 *   garbage.c       the checks, the soak, main
 */
#pragma once

#include "base/json.h"
#include "peer.h"

/* One piece of garbage: a request as text, and what must come back. In head, %P is the port, %S the
 * session, %L the length of the body and %K forty thousand letters; in body, ' stands for " (bytes
 * does without). */
struct garbage {
    const char *what;
    const char *head;
    const char *body;
    struct str bytes;
    int status;
    int code;         /* of the JSON-RPC error; 0: there is none */
    const char *says; /* part of its sentence, or of the body */
};

extern const struct garbage messages[], requests[];
extern const size_t message_count, request_count;

/* Requests that are written by code. */
struct scene {
    const char *what;
    void (*run)(void);
    bool in_soak;
};

extern const struct scene scenes[];
extern const size_t scene_count;

/* ---- for the scenes */

extern struct server server;
extern char session[128];

void expand(struct buf *to, const char *head, struct str body); /* the placeholders of a head */
void quotes(struct buf *to, const char *text);                  /* ' to " */

/* Compares an answer with what it should be; says is part of its sentence or NULL. */
void judge(const char *what, const struct answer *a, int status, int code, const char *says);
void judge_true(const char *what, bool ok);

/* One exchange on a connection of its own, body with ' for ". */
void exchange(struct answer *a, const char *head, const char *body);

/* The same on one that is open. */
void exchange_on(struct peer *p, struct answer *a, const char *head, const char *body);

/* A session more; false if there was none to get. */
bool open_session(char id[128]);

/* The member of the result, or of the error, as text; empty: none. */
void member(const struct answer *a, const char *key, struct buf *to);

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
