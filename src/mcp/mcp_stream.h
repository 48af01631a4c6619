/* The HTTP side of a sink: carries the answer to a POST, or the notifications of a GET.
 *
 *     struct mcp_stream *s = mcp_stream_new(x, session, &open);
 *     s->call = call;
 *     call->sink = &s->sink;                    // the call's answer is sent here
 *
 *   waiting ----> answered            JSON in one piece; the stream is freed
 *      |
 *      +--> events ----> ended        the last event is the answer
 *              |
 *              +--> detached ...      legacy: the client disconnected; events are kept until it
 *                                     returns or the session ends. Modern: the call is cancelled
 *
 * Events of a session's streams have ids "number-index". Index 0 is the empty first event: its id
 * allows a client to resume.
 */
#pragma once

#include "mcp/mcp_http.h"
#include "mcp/mcp_internal.h"
#include "net/http_server.h"

struct mcp_stream {
    struct mcp_sink sink;        /* first: a sink is its stream */
    struct list link;            /* in the session's streams */
    struct list open;            /* in the transport's list while an exchange is attached */
    struct mcp_call *call;       /* NULL: answered, or a GET stream */
    struct mcp_session *session; /* NULL: modern */
    struct http_exchange *x;     /* NULL: no client attached */
    bool events;                 /* an event stream was begun */
    bool finished;               /* the answer is among the events */
    bool is_get;                 /* carries the notifications of the session; at most one */
    unsigned number, next_index;
    uint64_t since;   /* when something was last sent */
    struct list kept; /* events for replay */
};

/* open is the transport's list of attached streams. */
struct mcp_stream *mcp_stream_new(struct http_exchange *x, struct mcp_session *session,
                                  struct list *open);
void mcp_stream_free(struct mcp_stream *s); /* close the exchange, too */

void mcp_stream_begin(struct mcp_stream *s);        /* make it an event stream */
void mcp_stream_send_comment(struct mcp_stream *s); /* a comment */
void mcp_stream_send(struct mcp_stream *s, struct str message, bool may_drop);

/* The client has the events up to `index`: send the later ones, then continue. */
void mcp_stream_resume(struct mcp_stream *s, struct http_exchange *x, unsigned index,
                       struct list *open);
