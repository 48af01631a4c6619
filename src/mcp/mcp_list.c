#include "mcp/mcp_list.h"

#include "base/base64.h"

#define CURSOR_PREFIX "page:"
#define DEFAULT_PAGE  200

/* A cursor is opaque to clients: base64url of "page:" and the index of the first item. */
static bool read_cursor(struct str cursor, size_t *from)
{
    struct buf text = buf_make(64);
    uint64_t n;
    bool ok = cursor.n <= 64 && base64_decode_url(&text, cursor) &&
              str_starts(buf_str(&text), STR(CURSOR_PREFIX)) &&
              str_to_u64(str_skip(buf_str(&text), sizeof CURSOR_PREFIX - 1), &n) && n > 0 &&
              n < 1u << 30;
    if (ok)
        *from = (size_t)n;
    buf_done(&text);
    return ok;
}

bool mcp_list_open_page(struct mcp_list_page *page, struct mcp_call *call)
{
    const struct json *cursor = json_get(call->message.params, STR("cursor"));
    int size = call->mcp->impl->page_size;
    *page = (struct mcp_list_page){.size = size > 0 ? (size_t)size : DEFAULT_PAGE};
    if (!cursor || json_is(cursor, JSON_NULL))
        return true;
    if (json_is(cursor, JSON_STRING) && read_cursor(json_str(cursor), &page->from))
        return true;
    mcp_reply_error(
        call, RPC_INVALID_PARAMS,
        "cursor is not from this server: use nextCursor of the previous page, or leave it out");
    return false;
}

void mcp_list_close_page(const struct mcp_list_page *page, struct jsonw *w, size_t total)
{
    if (page->from + page->size >= total)
        return;
    struct buf text = {0}, cursor = {0};
    buf_printf(&text, CURSOR_PREFIX "%zu", page->from + page->size);
    base64_encode_url(&cursor, buf_str(&text));
    jsonw_kstr(w, "nextCursor", buf_str(&cursor));
    buf_done(&text);
    buf_done(&cursor);
}

static void put_text(struct jsonw *w, const char *key, const char *text)
{
    if (text)
        jsonw_kcstr(w, key, text);
}

static void put_tool(struct jsonw *w, const struct mcp_tool *t, const struct mcp_call *call)
{
    static const char *const support[] = {"forbidden", "optional", "required"};
    jsonw_object(w);
    jsonw_kcstr(w, "name", t->name);
    put_text(w, "title", t->title);
    put_text(w, "description", t->description);
    jsonw_key(w, "inputSchema");
    jsonw_raw(w, str_from(t->input_schema));
    if (t->output_schema) {
        jsonw_key(w, "outputSchema");
        jsonw_raw(w, str_from(t->output_schema));
    }
    jsonw_key(w, "annotations");
    jsonw_object(w);
    put_text(w, "title", t->title);
    jsonw_kbool(w, "readOnlyHint", t->annotations.read_only);
    jsonw_kbool(w, "destructiveHint", t->annotations.destructive);
    jsonw_kbool(w, "idempotentHint", t->annotations.idempotent);
    jsonw_kbool(w, "openWorldHint", t->annotations.open_world);
    jsonw_end(w);
    if (call->revision == MCP_2025_11_25 && call->mcp->impl->tasks) {
        jsonw_key(w, "execution");
        jsonw_object(w);
        jsonw_kcstr(w, "taskSupport", support[t->task]);
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void put_prompt(struct jsonw *w, const struct mcp_prompt *p)
{
    jsonw_object(w);
    jsonw_kcstr(w, "name", p->name);
    put_text(w, "title", p->title);
    put_text(w, "description", p->description);
    if (p->argument_count) {
        jsonw_key(w, "arguments");
        jsonw_array(w);
        for (size_t i = 0; i < p->argument_count; i++) {
            jsonw_object(w);
            jsonw_kcstr(w, "name", p->arguments[i].name);
            put_text(w, "description", p->arguments[i].description);
            jsonw_kbool(w, "required", p->arguments[i].required);
            jsonw_end(w);
        }
        jsonw_end(w);
    }
    jsonw_end(w);
}

static void put_resource(struct jsonw *w, const struct mcp_resource *r, const char *uri_key)
{
    jsonw_object(w);
    jsonw_kcstr(w, uri_key, r->uri);
    jsonw_kcstr(w, "name", r->name);
    put_text(w, "title", r->title);
    put_text(w, "description", r->description);
    put_text(w, "mimeType", r->mime_type);
    jsonw_end(w);
}

enum list_kind {
    TOOLS,
    PROMPTS,
    RESOURCES,
    TEMPLATES
};

static void put_item(struct jsonw *w, const struct mcp_call *call, enum list_kind kind, size_t i)
{
    const struct mcp *mcp = call->mcp;
    switch (kind) {
    case TOOLS:
        put_tool(w, mcp->tools[i].tool, call);
        return;
    case PROMPTS:
        put_prompt(w, mcp->prompts[i]);
        return;
    case RESOURCES:
        put_resource(w, mcp->resources[i], "uri");
        return;
    case TEMPLATES:
        put_resource(w, mcp->templates[i], "uriTemplate");
        return;
    }
}

static void reply_list(struct mcp_call *call, enum list_kind kind, const char *key, size_t total)
{
    struct mcp_list_page page;
    if (!mcp_list_open_page(&page, call))
        return;
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = page.from; i < total && i < page.from + page.size; i++)
        put_item(w, call, kind, i);
    jsonw_end(w);
    mcp_list_close_page(&page, w, total);
    mcp_reply(call);
}

void mcp_list_tools(struct mcp_call *call)
{
    reply_list(call, TOOLS, "tools", call->mcp->tool_count);
}

void mcp_list_prompts(struct mcp_call *call)
{
    reply_list(call, PROMPTS, "prompts", call->mcp->prompt_count);
}

void mcp_list_resources(struct mcp_call *call)
{
    reply_list(call, RESOURCES, "resources", call->mcp->resource_count);
}

void mcp_list_templates(struct mcp_call *call)
{
    reply_list(call, TEMPLATES, "resourceTemplates", call->mcp->template_count);
}
