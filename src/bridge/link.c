#include "bridge/link.h"

#include <stdio.h>

#include "base/log.h"
#include "base/utf8.h"
#include "bridge/bridge_internal.h"
#include "bridge/message.h"
#include "net/ws.h"

static void dispatch_message(struct link *l, struct message *m)
{
    struct bridge *b = l->bridge;
    char text[160];
    switch (m->type) {
    case MESSAGE_HELLO:
        editor_session_send_error(l, ERR_INVALID_REQUEST, (struct str){0},
                                  "hello was already sent on this connection");
        break;
    case MESSAGE_CAPABILITY:
        editor_session_capability(b, m);
        break;
    case MESSAGE_EDITOR_STATUS:
        editor_session_status(b, m);
        break;
    case MESSAGE_RESULT:
    case MESSAGE_SUBMIT_JOB_RESULT:
    case MESSAGE_JOB_STATUS:
    case MESSAGE_CANCEL_RESULT:
    case MESSAGE_ERROR:
        editor_replies_receive(b, m);
        break;
    case MESSAGE_UNKNOWN:
    case MESSAGE_TYPE_COUNT:
        snprintf(text, sizeof text, "unknown message type \"%.*s\"",
                 STR_ARG(utf8_head(m->type_name, 80)));
        editor_session_send_error(l, ERR_UNKNOWN_COMMAND, message_str(m, STR("request_id")), text);
        break;
    }
}

static void reject_garbage(struct link *l, struct message *m, const struct json_error *err)
{
    char text[160];
    snprintf(text, sizeof text, "the message is not JSON: at byte %zu: %s", err->offset,
             err->reason);
    log_warn("message from the editor is not JSON", LOG_INT("byte", err->offset),
             LOG_STR("reason", str_from(err->reason)));
    editor_session_send_error(l, ERR_INVALID_REQUEST, (struct str){0}, text);
    editor_replies_garbled(l->bridge, m, text);
}

bool link_open(struct link *l, struct bridge *b)
{
    if (b->pending_count >= LINK_MAX_PENDING || b->state == SERVER_STOPPING)
        return false;
    l->bridge = b;
    l->closing = false;
    list_add(&b->pending, &l->in);
    b->pending_count++;
    b->link_count++;
    editor_session_watch(l);
    return true;
}

void link_receive(struct link *l, struct str text)
{
    struct bridge *b = l->bridge;
    struct json_error err;
    struct message m;
    if (l->closing)
        return;
    bool adopted = b->session.link == l;
    bool ok = message_read(&m, text, l->utf8_is_checked, &err);
    if (adopted)
        editor_session_watch(l); /* any message shows that the editor is alive */
    if (!adopted && (!ok || m.type != MESSAGE_HELLO))
        editor_session_refuse(l, ok ? "the first message must be hello"
                                    : "the first message is not JSON");
    else if (!ok)
        reject_garbage(l, &m, &err);
    else if (!adopted)
        editor_session_hello(l, &m);
    else
        dispatch_message(l, &m);
    message_done(&m);
}

void link_closed(struct link *l, int code, struct str reason)
{
    struct bridge *b = l->bridge;
    timer_stop(&l->timer);
    b->link_count--;
    if (list_is_linked(&l->in)) {
        list_remove(&l->in);
        b->pending_count--;
    }
    if (b->session.link == l)
        editor_session_lost(b, code, reason);
    if (b->on_quiet && bridge_is_quiet(b))
        b->on_quiet(b->quiet_ctx);
}
