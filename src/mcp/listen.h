/* subscriptions/listen of the modern era: a request that stays open and carries the notices it
 * asked for. Its end is the client's (it closes the stream, or cancels on stdio), or ours.
 *
 *     -> {"id":9,"method":"subscriptions/listen","params":{"notifications":{...}}}
 *     <- notifications/subscriptions/acknowledged      what of it is honoured, at once
 *     <- notifications/tools/list_changed              mcp_listen_notify(mcp, MCP_NOTICE_TOOLS, ...)
 *     <- {"id":9,"result":{...}}                       mcp_listen_end_all(mcp)
 *
 * Each of them carries the id of the request as its subscription id.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_listen {
    struct list link;
    struct mcp_call *call;
    int notices;            /* enum mcp_notice */
    struct map uris, tasks; /* what it follows by name */
};

void mcp_listen_open(struct mcp_call *call); /* the method */

void mcp_listen_notify(struct mcp *mcp, enum mcp_notice what, const char *method);
void mcp_listen_notify_resource(struct mcp *mcp, struct str uri);
void mcp_listen_notify_task(struct mcp *mcp, struct str id, struct str task);
void mcp_listen_end_all(struct mcp *mcp);
