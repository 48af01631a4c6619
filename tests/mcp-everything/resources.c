/* Resources and templates. */
#include "everything.h"

static const struct mcp_resource static_text = {
    .uri = "test://static-text",
    .name = "Static text",
    .description = "A text that never changes.",
    .mime_type = "text/plain",
};
static const struct mcp_resource static_binary = {
    .uri = "test://static-binary",
    .name = "Static binary",
    .description = "An image that never changes.",
    .mime_type = "image/png",
};
static const struct mcp_resource watched = {
    .uri = "test://watched-resource",
    .name = "Watched",
    .description = "A text to subscribe to.",
    .mime_type = "text/plain",
};
static const struct mcp_resource data_template = {
    .uri = "test://template/{id}/data",
    .name = "Data by id",
    .description = "A small document for any id.",
    .mime_type = "application/json",
};

const struct mcp_resource *const resources[] = {&static_text, &static_binary, &watched};
const size_t resource_count = sizeof resources / sizeof *resources;
const struct mcp_resource *const templates[] = {&data_template};
const size_t template_count = sizeof templates / sizeof *templates;

/* The id in test://template/{id}/data. */
static bool match_template(struct str uri, struct str *id)
{
    struct str head = STR("test://template/"), tail = STR("/data");
    if (!str_starts(uri, head) || !str_ends(uri, tail) || uri.n <= head.n + tail.n)
        return false;
    *id = str_make(uri.p + head.n, uri.n - head.n - tail.n);
    return str_find_char(*id, '/') == id->n;
}

void read_resource(struct mcp_call *call, struct str uri, void *ctx)
{
    struct str id = {0};
    bool text = str_eq(uri, STR("test://static-text")),
         binary = str_eq(uri, STR("test://static-binary"));
    bool watch = str_eq(uri, STR("test://watched-resource")), data = match_template(uri, &id);
    (void)ctx;
    if (!text && !binary && !watch && !data) {
        mcp_reply_not_found(call, uri);
        return;
    }
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "contents");
    jsonw_array(w);
    if (binary)
        mcp_content_item_blob(w, uri, "image/png", tiny_png());
    else if (data)
        mcp_content_item_text(w, uri, "application/json",
                              arena_printf(mcp_call_arena(call),
                                           "{\"id\":\"%.*s\",\"data\":\"for %.*s\"}", STR_ARG(id),
                                           STR_ARG(id)));
    else
        mcp_content_item_text(w, uri, "text/plain",
                              text ? STR("This is the content of the static text resource.")
                                   : STR("This is the content of the watched resource."));
    jsonw_end(w);
    mcp_reply(call);
}
