/* How much of everything: the bounds of the protocol library in one place. Those of HTTP are in
 * net/http.h and net/http_server.h, those of event streams in mcp_http.h.
 *
 * What a client meets at a bound is a refusal that names it, or the loss of what is oldest; nothing
 * that others hold is touched. docs/spec/40-mcp.md, section 4, is the contract.
 */
#pragma once

enum {
    MCP_MAX_MESSAGE = 16u << 20, /* bytes of one message on stdio; HTTP has its own limit */
    MCP_MAX_ANSWER = 64u << 20,  /* bytes of one answer */
    MCP_MAX_SESSIONS = 1024,
    MCP_MAX_IN_FLIGHT = 64,      /* requests of one client */
    MCP_MAX_SUBSCRIPTIONS = 256, /* resources of one client */
    MCP_MAX_URI = 8192,          /* bytes of the name of one that is followed */
    MCP_MAX_OPEN = 256u << 20,   /* bytes of all open requests, read: then none of ... */
    MCP_LARGE = 64u << 10,       /* ... more than this is taken */
    MCP_MAX_KEPT = 64u << 20,    /* bytes of events that are kept for all clients */
    MCP_MAX_TASKS = 1024,
    MCP_MAX_RESULTS =
        64u << 20,         /* bytes of the results of ended tasks; the newest is always kept */
    MCP_MAX_STATUS = 1000, /* bytes of a progress or status message */
    MCP_MAX_ASKS = 16,     /* questions of one round */
    MCP_MAX_ROUNDS = 16,   /* rounds the library carries out for one legacy call or task */
    MCP_SESSION_IDLE_MS = 3600000, /* a session nobody used for so long has ended */
    MCP_STATE_MS = 3600000,        /* how long a sealed state is taken back */
    /* Least time between two progress notifications: nine a second, and the last one of a call,
     * which is sent with its answer, makes ten. */
    MCP_PROGRESS_MS = 112,
};
