/* Parts of results: content blocks and resource contents. The manual is call.h. */
#include "mcp/call.h"

void mcp_content_begin(struct jsonw *w)
{
    jsonw_key(w, "content");
    jsonw_array(w);
}

void mcp_content_end(struct jsonw *w)
{
    jsonw_end(w);
}

void mcp_content_text(struct jsonw *w, struct str text)
{
    jsonw_object(w);
    jsonw_kcstr(w, "type", "text");
    jsonw_kstr(w, "text", text);
    jsonw_end(w);
}

static void put_media(struct jsonw *w, const char *type, struct str bytes, const char *mime_type)
{
    jsonw_object(w);
    jsonw_kcstr(w, "type", type);
    jsonw_key(w, "data");
    jsonw_base64(w, bytes);
    jsonw_kcstr(w, "mimeType", mime_type);
    jsonw_end(w);
}

void mcp_content_image(struct jsonw *w, struct str bytes, const char *mime_type)
{
    put_media(w, "image", bytes, mime_type);
}

void mcp_content_audio(struct jsonw *w, struct str bytes, const char *mime_type)
{
    put_media(w, "audio", bytes, mime_type);
}

void mcp_content_link(struct jsonw *w, struct str uri, const char *name, const char *mime_type)
{
    jsonw_object(w);
    jsonw_kcstr(w, "type", "resource_link");
    jsonw_kstr(w, "uri", uri);
    jsonw_kcstr(w, "name", name);
    if (mime_type)
        jsonw_kcstr(w, "mimeType", mime_type);
    jsonw_end(w);
}

void mcp_content_resource(struct jsonw *w, struct str uri, const char *mime_type, struct str text)
{
    jsonw_object(w);
    jsonw_kcstr(w, "type", "resource");
    jsonw_key(w, "resource");
    mcp_content_item_text(w, uri, mime_type, text);
    jsonw_end(w);
}

static void begin_resource(struct jsonw *w, struct str uri, const char *mime_type)
{
    jsonw_object(w);
    jsonw_kstr(w, "uri", uri);
    if (mime_type)
        jsonw_kcstr(w, "mimeType", mime_type);
}

void mcp_content_item_text(struct jsonw *w, struct str uri, const char *mime_type, struct str text)
{
    begin_resource(w, uri, mime_type);
    jsonw_kstr(w, "text", text);
    jsonw_end(w);
}

void mcp_content_item_blob(struct jsonw *w, struct str uri, const char *mime_type, struct str bytes)
{
    begin_resource(w, uri, mime_type);
    jsonw_key(w, "blob");
    jsonw_base64(w, bytes);
    jsonw_end(w);
}
