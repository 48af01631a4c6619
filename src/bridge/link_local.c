#include "bridge/link_local.h"

#include <stdlib.h>

#include "base/mem.h"
#include "bridge/bridge.h"
#include "bridge/link.h"
#include "net/ws.h"

struct queued_message {
    struct list in;
    struct buf text;
    bool to_editor;
};

enum local_end {
    END_NONE,
    END_BY_EDITOR,
    END_BY_BRIDGE,
    END_DROPPED
};

struct link_local {
    struct link link; /* first */
    struct loop *loop;
    struct list messages; /* both ways, in order */
    bool due;
    enum local_end closed;
    int code;
    struct buf reason;
    link_local_message_fn *on_message;
    link_local_closed_fn *on_closed;
    void *ctx;
};

static void free_message(struct queued_message *p)
{
    list_remove(&p->in);
    buf_done(&p->text);
    free(p);
}

static void end_link(struct link_local *l)
{
    LIST_EACH_SAFE (&l->messages, struct queued_message, in, p)
        free_message(p);
    link_closed(&l->link, l->code, buf_str(&l->reason));
    l->on_closed(l->code, buf_str(&l->reason), l->ctx);
    buf_done(&l->reason);
    free(l);
}

static void deliver_messages(void *ctx)
{
    struct link_local *l = ctx;
    struct queued_message *p;
    /* Deliver what was sent before the end, except to the side that ended the link. The bridge
     * ignores messages of a link it has closed. */
    while (l->closed != END_DROPPED && (p = LIST_FIRST(&l->messages, struct queued_message, in))) {
        list_remove(&p->in);
        if (!p->to_editor)
            link_receive(&l->link, buf_str(&p->text));
        else if (l->closed != END_BY_EDITOR)
            l->on_message(buf_str(&p->text), l->ctx);
        free_message(p);
    }
    l->due = false;
    if (l->closed)
        end_link(l);
}

static void schedule_delivery(struct link_local *l)
{
    if (!l->due)
        loop_defer(l->loop, deliver_messages, l);
    l->due = true;
}

static void post_message(struct link_local *l, struct buf *text, bool to_editor)
{
    struct queued_message *p = mem_zalloc(sizeof *p);
    p->text = *text;
    p->to_editor = to_editor;
    *text = (struct buf){.max = text->max};
    list_add(&l->messages, &p->in);
    schedule_delivery(l);
}

static void close_with(struct link_local *l, enum local_end how, int code, struct str reason)
{
    if (l->closed)
        return;
    l->closed = how;
    l->code = code;
    buf_add(&l->reason, reason);
    schedule_delivery(l);
}

static bool send_message(struct link *link, struct str message)
{
    struct link_local *l = (struct link_local *)(void *)link;
    struct buf copy = {0};
    if (l->closed)
        return false;
    buf_add(&copy, message);
    post_message(l, &copy, true);
    return true;
}

static void close_link(struct link *link, int code, struct str reason)
{
    close_with((struct link_local *)(void *)link, END_BY_BRIDGE, code, reason);
}

static void drop_link(struct link *link)
{
    close_with((struct link_local *)(void *)link, END_DROPPED, WS_CLOSE_ABNORMAL, STR("dropped"));
}

static const struct link_impl local_impl = {send_message, close_link, drop_link};

struct link_local *link_local_open(struct bridge *bridge, link_local_message_fn *on_message,
                                   link_local_closed_fn *on_closed, void *ctx)
{
    struct link_local *l = mem_zalloc(sizeof *l);
    l->link.impl = &local_impl;
    l->link.max_message = SIZE_MAX;
    l->loop = bridge_loop(bridge);
    l->on_message = on_message;
    l->on_closed = on_closed;
    l->ctx = ctx;
    list_init(&l->messages);
    if (link_open(&l->link, bridge))
        return l;
    free(l);
    return NULL;
}

void link_local_send(struct link_local *l, struct buf *message)
{
    if (l->closed)
        buf_done(message);
    else
        post_message(l, message, false);
}

void link_local_close(struct link_local *l)
{
    close_with(l, END_BY_EDITOR, WS_CLOSE_NORMAL, STR("the editor ended"));
}
