#include "bridge/link_local.h"

#include <stdlib.h>

#include "base/mem.h"
#include "bridge/bridge.h"
#include "bridge/link.h"
#include "net/ws.h"

struct parcel {
    struct list in;
    struct buf text;
    bool to_editor;
};

enum end {
    END_NONE,
    END_BY_EDITOR,
    END_BY_BRIDGE,
    END_DROPPED
};

struct link_local {
    struct link link; /* first */
    struct loop *loop;
    struct list parcels; /* both ways, in order */
    bool due;
    enum end closed;
    int code;
    struct buf reason;
    link_local_message_fn *on_message;
    link_local_closed_fn *on_closed;
    void *ctx;
};

static void parcel_free(struct parcel *p)
{
    list_remove(&p->in);
    buf_done(&p->text);
    free(p);
}

static void end(struct link_local *l)
{
    LIST_EACH_SAFE (&l->parcels, struct parcel, in, p)
        parcel_free(p);
    link_closed(&l->link, l->code, buf_str(&l->reason));
    l->on_closed(l->code, buf_str(&l->reason), l->ctx);
    buf_done(&l->reason);
    free(l);
}

static void deliver(void *ctx)
{
    struct link_local *l = ctx;
    struct parcel *p;
    /* What was said before the end is heard, except by the one who ended it: the bridge knows that
     * by itself. */
    while (l->closed != END_DROPPED && (p = LIST_FIRST(&l->parcels, struct parcel, in))) {
        list_remove(&p->in);
        if (!p->to_editor)
            link_receive(&l->link, buf_str(&p->text));
        else if (l->closed != END_BY_EDITOR)
            l->on_message(buf_str(&p->text), l->ctx);
        parcel_free(p);
    }
    l->due = false;
    if (l->closed)
        end(l);
}

static void wake(struct link_local *l)
{
    if (!l->due)
        loop_defer(l->loop, deliver, l);
    l->due = true;
}

static void post(struct link_local *l, struct buf *text, bool to_editor)
{
    struct parcel *p = mem_zalloc(sizeof *p);
    p->text = *text;
    p->to_editor = to_editor;
    *text = (struct buf){.max = text->max};
    list_add(&l->parcels, &p->in);
    wake(l);
}

static void close_with(struct link_local *l, enum end how, int code, struct str reason)
{
    if (l->closed)
        return;
    l->closed = how;
    l->code = code;
    buf_add(&l->reason, reason);
    wake(l);
}

static bool link_send(struct link *link, struct str message)
{
    struct link_local *l = (struct link_local *)(void *)link;
    struct buf copy = {0};
    if (l->closed)
        return false;
    buf_add(&copy, message);
    post(l, &copy, true);
    return true;
}

static void link_close(struct link *link, int code, struct str reason)
{
    close_with((struct link_local *)(void *)link, END_BY_BRIDGE, code, reason);
}

static void link_drop(struct link *link)
{
    close_with((struct link_local *)(void *)link, END_DROPPED, WS_CLOSE_ABNORMAL, STR("dropped"));
}

static const struct link_impl local_impl = {link_send, link_close, link_drop};

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
    list_init(&l->parcels);
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
        post(l, message, false);
}

void link_local_close(struct link_local *l)
{
    close_with(l, END_BY_EDITOR, WS_CLOSE_NORMAL, STR("the editor ended"));
}
