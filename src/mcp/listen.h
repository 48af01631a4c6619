/* subscriptions/listen of the modern era: a request that stays open and receives the notifications
 * it asked for, until the client closes the stream (on stdio: cancels) or the server stops.
 *
 *     -> {"id":9,"method":"subscriptions/listen","params":{"notifications":{...}}}
 *     <- notifications/subscriptions/acknowledged      the accepted part, at once
 *     <- notifications/tools/list_changed    mcp_listen_notify(mcp, MCP_NOTICE_TOOLS, method)
 *     <- {"id":9,"result":{...}}                       mcp_listen_end_all(mcp)
 *
 * Each message has the id of the request as its subscription id.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_listen {
    struct list link;
    struct mcp_call *call;
    int notices;            /* enum mcp_notice */
    struct map uris, tasks; /* resources and MCP tasks subscribed to by name */
};

void mcp_listen_open(struct mcp_call *call); /* the method */

void mcp_listen_notify(struct mcp *mcp, enum mcp_notice what, const char *method);
void mcp_listen_notify_resource(struct mcp *mcp, struct str uri);
void mcp_listen_notify_task(struct mcp *mcp, struct str id, struct str task);
void mcp_listen_end_all(struct mcp *mcp);
