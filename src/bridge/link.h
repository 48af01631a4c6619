/* The connection to an editor: text messages both ways, over any transport.
 *
 * Two implementations: link_ws (an editor connects over WebSocket) and link_local (an editor in
 * this process).
 *
 *     opened --- hello ---> adopted --- close, drop, silence ---> closed
 *        |                                                          ^
 *        +--- no hello, another protocol, another editor -----------+
 *
 * An implementation fills impl and max_message, calls link_open() once, link_receive() for each
 * message, and link_closed() exactly once at the end, after which the struct belongs to it again.
 * It calls none of these from inside its own send, close or drop.
 *
 * A link may be opened while another one is adopted: its hello decides (editor_session.h).
 * Spec: docs/spec/10-bridge.md, 3.
 */
#pragma once

#include "base/list.h"
#include "base/loop.h"
#include "base/str.h"

struct bridge;
struct link;

#define LINK_MAX_PENDING 8u /* links that are opened and not yet adopted */

struct link_impl {
    bool (*send)(struct link *l, struct str message); /* false: nothing of it was sent */
    void (*close)(struct link *l, int code,
                  struct str reason); /* with a close message; link_closed follows */
    void (*drop)(struct link *l);     /* at once; link_closed follows */
};

struct link {
    const struct link_impl *impl;
    size_t max_message;   /* bytes, either way; SIZE_MAX: no limit */
    bool utf8_is_checked; /* what it receives is valid UTF-8 */
    /* private: of the bridge */
    struct bridge *bridge;
    struct list in;     /* of the bridge's pending links */
    struct timer timer; /* until hello, later until the next message */
    bool closing;       /* everything it receives is ignored */
};

/* Return false if too many links have not sent hello yet; the caller closes the link. */
bool link_open(struct link *l, struct bridge *bridge);
void link_receive(struct link *l, struct str message);
void link_closed(struct link *l, int code, struct str reason);
