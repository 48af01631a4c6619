/* One tool call to a running server, from the request to its answer: the protocol side of
 * `multiverse call`. MCP over HTTP, revision 2026-07-28 (docs/spec/40-mcp.md).
 *
 *     struct call_answer answer = {0};
 *     call_run(&request, &answer);              // runs a loop of its own until the answer came
 *     if (answer.outcome == CALL_ANSWERED)
 *         use(buf_str(&answer.message));        // a valid JSON-RPC response
 *     call_answer_done(&answer);
 *
 * SIGINT and timeout_ms end the call by closing the connection, which cancels it.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"

#define CALL_MAX_BYTES (256u << 20) /* of an answer: the largest message a server may be set to */

struct call_request {
    uint16_t port;
    const char *path; /* "/mcp" */
    struct str token; /* empty: none */
    struct str tool;
    struct str arguments;                                      /* a JSON object */
    uint64_t timeout_ms;                                       /* 0: none */
    void (*on_progress)(const struct json *params, void *ctx); /* of a notice; may be NULL */
    void *ctx;
};

enum call_outcome {
    CALL_ANSWERED,     /* with a result or an error of the protocol */
    CALL_UNREACHABLE,  /* nothing listens on the port */
    CALL_UNAUTHORIZED, /* the token is missing or wrong */
    CALL_FOREIGN,      /* the answer is not from an MCP server, or its protocol is too old */
    CALL_LOST,         /* the connection ended before the answer: the call may have run */
    CALL_TIMED_OUT,
    CALL_INTERRUPTED
};

struct call_answer {
    enum call_outcome outcome;
    int status;         /* of HTTP; 0: no answer */
    struct buf message; /* CALL_ANSWERED: {"jsonrpc":"2.0",...} */
    char reason[256];   /* of CALL_UNREACHABLE, CALL_LOST: one sentence */
};

void call_run(const struct call_request *request, struct call_answer *answer);
void call_answer_done(struct call_answer *answer);

/* Split a URL like http://127.0.0.1:48091/mcp; only loopback names are accepted. *path points into
 * url, or is "/mcp" if url has no path. ERR_INVALID_PARAMS. */
bool call_read_url(const char *url, uint16_t *port, const char **path, struct error *err);
