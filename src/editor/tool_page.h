/* A page of a long list: at most max entries from offset on.
 *
 *     struct tool_page p = tool_page(c->args, tool_arg_u64(c->args, "max_results", 100), count);
 *     for (size_t i = p.from; i < p.to; i++) ...
 *     tool_page_put(c->out, &p);              // count, total_count, truncated, next_offset
 */
#pragma once

#include "base/jsonw.h"
#include "editor/tool_arg.h"

struct tool_page {
    size_t from, to, total;
};

static inline struct tool_page tool_page(const struct json *args, uint64_t max, size_t total)
{
    uint64_t offset = tool_arg_u64(args, "offset", 0);
    size_t from = offset < total ? (size_t)offset : total;
    return (struct tool_page){from, total - from < max ? total : from + (size_t)max, total};
}

static inline void tool_page_put(struct jsonw *w, const struct tool_page *p)
{
    jsonw_kint(w, "count", (int64_t)(p->to - p->from));
    jsonw_kint(w, "total_count", (int64_t)p->total);
    jsonw_kbool(w, "truncated", p->to < p->total);
    if (p->to < p->total)
        jsonw_kint(w, "next_offset", (int64_t)p->to);
}
