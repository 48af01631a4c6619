/* The table of methods: which era knows them, what they need, who answers.
 *
 *     {"tools/list", BOTH, mcp_list_tools, has_tools, NULL, true},
 *
 * A function of the table gets a call whose era and client are settled, and ends it: at once, or by
 * handing it to the program.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_method {
    const char *name;
    int eras; /* enum mcp_era, or'ed */
    void (*run)(struct mcp_call *call);
    bool (*is_offered)(const struct mcp *mcp); /* NULL: always */
    const char *name_param; /* the parameter the Mcp-Name header repeats; NULL: none */
    bool cacheable;         /* a modern result says how long it may be kept */
};

/* The method of that name in that era, if the server offers it. */
const struct mcp_method *mcp_method_find(const struct mcp *mcp, struct str name, enum mcp_era era);

/* Runs the request of a call whose era has been settled; ends it if there is no such method. */
void mcp_method_run(struct mcp_call *call);
