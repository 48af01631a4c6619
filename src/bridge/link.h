/* The connection to an editor: text messages both ways, whatever carries them.
 *
 * Two implementations: link_ws (an editor connects over WebSocket) and link_local (an editor in
 * this process). Nothing above this interface knows which one it is.
 *
 *     opened --- hello ---> adopted --- close, drop, silence ---> closed
 *        |                                                          ^
 *        +--- no hello, another protocol, another editor -----------+
 *
 * What an implementation does: fill impl and max_message, call link_open() once, link_receive() for
 * each message, link_closed() exactly once at the end; after that the struct is its own again. It
 * calls none of these from inside its own send and close.
 *
 * A link may be opened while another one is adopted: its hello decides (peer.c).
 * Spec: docs/spec/10-bridge.md, 3.
 */
#pragma once

#include "base/list.h"
#include "base/loop.h"
#include "base/str.h"

struct bridge;
struct link;

#define LINK_MAX_PENDING 8u /* opened and not yet adopted */

struct link_impl {
    bool (*send)(struct link *l, struct str message); /* false: not sent, not even a part of it */
    void (*close)(struct link *l, int code, struct str reason); /* politely; link_closed follows */
    void (*drop)(struct link *l);                               /* at once; link_closed follows */
};

struct link {
    const struct link_impl *impl;
    size_t max_message;   /* bytes, either way; SIZE_MAX: no limit */
    bool utf8_is_checked; /* what it receives is valid UTF-8 */
    /* private: the bridge's */
    struct bridge *bridge;
    struct list in;     /* of the bridge's pending links */
    struct timer timer; /* hello is due; later: a sign of life is */
    bool closing;       /* nothing of it counts any more */
};

/* False: too many have not said hello yet; the link is not the bridge's and should be closed. */
bool link_open(struct link *l, struct bridge *bridge);
void link_receive(struct link *l, struct str message);
void link_closed(struct link *l, int code, struct str reason);
