/* The table of methods: the eras that have them, what they need, and their functions.
 *
 *     {"tools/list", BOTH, mcp_list_tools, has_tools, NULL, true},
 *
 * A function of the table gets a call whose era and client are known, and ends it or hands it to
 * the program.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_method {
    const char *name;
    int eras; /* enum mcp_era, or'ed */
    void (*run)(struct mcp_call *call);
    bool (*is_offered)(const struct mcp *mcp); /* NULL: always */
    const char *name_param; /* the parameter the Mcp-Name header repeats; NULL: none */
    bool cacheable;         /* a modern result has a caching time */
};

/* Return the method of that name in that era, or NULL if the server does not offer it. */
const struct mcp_method *mcp_method_find(const struct mcp *mcp, struct str name, enum mcp_era era);

/* Run the request of a call whose era is known; end it if there is no such method. */
void mcp_method_run(struct mcp_call *call);
