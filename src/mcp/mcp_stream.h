/* Where the answer of one POST goes, or the notices of a GET: the HTTP side of a sink.
 *
 *     struct mcp_stream *s = mcp_stream_new(x, session, &open);
 *     s->call = call;
 *     call->sink = &s->sink;                    // from here on the call's answer finds its way
 *
 *   waiting ----> answered            JSON in one piece; the stream is gone
 *      |
 *      +--> events ----> ended        the last event is the answer
 *              |
 *              +--> detached ...      legacy: the client left; events are kept until it comes
 *                                     back or the session ends. Modern: the call is cancelled
 *
 * Events of a session's streams have ids "number-index"; index 0 is the empty first event that
 * gives a client something to come back with.
 */
#pragma once

#include "mcp/mcp_http.h"
#include "mcp/mcp_internal.h"
#include "net/http_server.h"

struct mcp_stream {
    struct mcp_sink sink;        /* first: a sink is its stream */
    struct list link;            /* in the session's streams */
    struct list open;            /* in the transport's list, while an exchange is attached */
    struct mcp_call *call;       /* NULL: answered, or a GET stream */
    struct mcp_session *session; /* NULL: modern */
    struct http_exchange *x;     /* NULL: no client attached */
    bool events;                 /* an event stream was begun */
    bool finished;               /* the answer is among the events */
    bool is_get;                 /* carries the notices of the session, which has one at most */
    unsigned number, next_index;
    uint64_t since;   /* last time something was sent */
    struct list kept; /* events for replay */
};

/* open is the transport's list of attached streams. */
struct mcp_stream *mcp_stream_new(struct http_exchange *x, struct mcp_session *session,
                                  struct list *open);
void mcp_stream_free(struct mcp_stream *s); /* closes the exchange */

void mcp_stream_begin(struct mcp_stream *s);        /* makes it an event stream */
void mcp_stream_send_comment(struct mcp_stream *s); /* a comment */
void mcp_stream_send(struct mcp_stream *s, struct str message, bool may_drop);

/* The client came back behind event `index`: what it missed, then what is to come. */
void mcp_stream_resume(struct mcp_stream *s, struct http_exchange *x, unsigned index,
                       struct list *open);
