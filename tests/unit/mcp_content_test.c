/* Pieces of results: content.c, whose manual is call.h. */
#include "mcp/call.h"

#include "test.h"

TEST(content_blocks_are_written)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_object(&w);
    mcp_content_begin(&w);
    mcp_content_text(&w, STR("a \"quote\" and \xff"));
    mcp_content_image(&w, STR("\x89PNG"), "image/png");
    mcp_content_audio(&w, STR(""), "audio/wav");
    mcp_content_link(&w, STR("a:b"), "b", "text/plain");
    mcp_content_link(&w, STR("a:c"), "c", NULL);
    mcp_content_resource(&w, STR("a:d"), "text/plain", STR("d"));
    mcp_content_end(&w);
    jsonw_end(&w);
    CHECK_CSTR(buf_str(&out),
               "{\"content\":[{\"type\":\"text\",\"text\":\"a \\\"quote\\\" and \xef\xbf\xbd\"},"
               "{\"type\":\"image\",\"data\":\"iVBORw==\",\"mimeType\":\"image/png\"},"
               "{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"audio/wav\"},"
               "{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"b\",\"mimeType\":"
               "\"text/plain\"},{\"type\":\"resource_link\",\"uri\":\"a:c\",\"name\":\"c\"},"
               "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:d\",\"mimeType\":"
               "\"text/plain\",\"text\":\"d\"}}]}");
    buf_done(&out);
}

TEST(resource_contents_are_written)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_array(&w);
    mcp_content_item_text(&w, STR("a:b"), NULL, STR("text"));
    mcp_content_item_blob(&w, STR("a:c"), "application/octet-stream", STR("\0\1"));
    jsonw_end(&w);
    CHECK_CSTR(buf_str(&out),
               "[{\"uri\":\"a:b\",\"text\":\"text\"},"
               "{\"uri\":\"a:c\",\"mimeType\":\"application/octet-stream\",\"blob\":\"AAE=\"}]");
    buf_done(&out);
}
