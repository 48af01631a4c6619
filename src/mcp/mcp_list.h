/* Lists in pages: tools/list, prompts/list, resources/list, resources/templates/list.
 *
 *     struct mcp_list_page page;
 *     if (!mcp_list_open_page(&page, call))          // invalid cursor: the call was refused
 *         return;
 *     for (size_t i = page.from; i < total && i < page.from + page.size; i++)
 *         jsonw_cstr(w, names[i]);
 *     mcp_list_close_page(&page, w, total);          // nextCursor, if there is more
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_list_page {
    size_t from, size;
};

bool mcp_list_open_page(struct mcp_list_page *page, struct mcp_call *call);
void mcp_list_close_page(const struct mcp_list_page *page, struct jsonw *w, size_t total);

void mcp_list_tools(struct mcp_call *call);
void mcp_list_prompts(struct mcp_call *call);
void mcp_list_resources(struct mcp_call *call);
void mcp_list_templates(struct mcp_call *call);
