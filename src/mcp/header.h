/* Arguments that a modern client repeats in HTTP headers because the tool's input schema marks
 * them, and the encoding of such header values.
 *
 *     "region": {"type": "string", "x-mcp-header": "Region"}      in the schema
 *     "arguments": {"region": "eu"}                               in the body
 *     Mcp-Param-Region: eu                                        in the headers
 *
 * A mark may be on strings, integers and booleans that are reached from the root of the schema only
 * through `properties`. A value that is not plain ASCII is sent as base64.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_param_header {
    const char *header;     /* "Mcp-Param-Region" */
    const struct str *path; /* names from the arguments down to the value */
    size_t depth;
};

/* Read the marks of a schema (valid JSON) into the arena. Return NULL, or what is wrong with
 * one. */
const char *mcp_header_read(struct arena *a, struct str schema, struct mcp_param_header **headers,
                            size_t *count);

/* Does the header equal the argument? For a missing or null argument there must be no header. */
bool mcp_header_agrees(const struct mcp_param_header *h, const struct json *arguments,
                       const struct http_request *http);

/* Does a header value, decoded if it is encoded, equal the text `want`? */
bool mcp_header_equal(struct str value, struct str want);
