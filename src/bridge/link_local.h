/* The link to an editor in this process: the same messages without a socket or a size limit.
 *
 *     struct link_local *l = link_local_open(bridge, on_message, on_closed, editor);
 *     struct buf hello = {0};
 *     ...
 *     link_local_send(l, &hello);               // takes the bytes, without a copy
 *     ...                                       // on_message(text, editor) for each answer
 *     link_local_close(l);                      // on_closed follows, unless the bridge closed it
 *
 * Messages arrive in order, in a later iteration of the loop, never from inside a call. Messages to
 * the editor are copied, because the bridge reuses its buffer. Messages sent before a close are
 * still delivered. on_closed is the last callback and comes once; the link is freed after it.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

struct bridge;
struct link_local;

typedef void link_local_message_fn(struct str message, void *ctx);
typedef void link_local_closed_fn(int code, struct str reason, void *ctx);

/* Return NULL if the bridge accepts no link now. */
struct link_local *link_local_open(struct bridge *bridge, link_local_message_fn *on_message,
                                   link_local_closed_fn *on_closed, void *ctx);
void link_local_send(struct link_local *l, struct buf *message); /* leaves it empty */
void link_local_close(struct link_local *l);
