/* Lists in pages: tools/list, prompts/list, resources/list, resources/templates/list.
 *
 *     struct mcp_page page;
 *     if (!mcp_page_open(&page, call))          // a bad cursor: the call was refused
 *         return;
 *     ... write items page.from up to page.from + page.size ...
 *     mcp_page_close(&page, w, total);          // nextCursor, if there is more
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_page {
    size_t from, size;
};

bool mcp_page_open(struct mcp_page *page, struct mcp_call *call);
void mcp_page_close(const struct mcp_page *page, struct jsonw *w, size_t total);

void mcp_list_tools(struct mcp_call *call);
void mcp_list_prompts(struct mcp_call *call);
void mcp_list_resources(struct mcp_call *call);
void mcp_list_templates(struct mcp_call *call);
