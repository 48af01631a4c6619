/* The link to an editor in this process: the same messages, no socket, no limit, no copies.
 *
 *     struct link_local *l = link_local_open(bridge, on_message, on_closed, editor);
 *     struct buf hello = {0};
 *     ...
 *     link_local_send(l, &hello);               // takes the bytes over
 *     ...                                       // on_message(text, editor) for each answer
 *     link_local_close(l);                      // on_closed follows, unless the bridge closed it
 *
 * Messages arrive in order, in a later turn of the loop, never from inside a call. What was said
 * before a close is still heard by the other side. on_closed is the last callback and comes once;
 * the link is freed after it.
 */
#pragma once

#include "base/buf.h"
#include "base/str.h"

struct bridge;
struct link_local;

typedef void link_local_message_fn(struct str message, void *ctx);
typedef void link_local_closed_fn(int code, struct str reason, void *ctx);

/* NULL: the bridge takes no link now. */
struct link_local *link_local_open(struct bridge *bridge, link_local_message_fn *on_message,
                                   link_local_closed_fn *on_closed, void *ctx);
void link_local_send(struct link_local *l, struct buf *message); /* leaves it empty */
void link_local_close(struct link_local *l);
