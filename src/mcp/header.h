/* Arguments that a modern client repeats in HTTP headers, because the tool's input schema marks
 * them; and the form of such header values.
 *
 *     "region": {"type": "string", "x-mcp-header": "Region"}      in the schema
 *     "arguments": {"region": "eu"}                               in the body
 *     Mcp-Param-Region: eu                                        in the headers
 *
 * Marked may be strings, integers and booleans that are reached from the root of the schema through
 * `properties` alone. A value that is not plain ASCII travels as base64.
 */
#pragma once

#include "mcp/mcp_internal.h"

struct mcp_param_header {
    const char *header;     /* "Mcp-Param-Region" */
    const struct str *path; /* names from the arguments down to the value */
    size_t depth;
};

/* Reads a schema (valid JSON) into the arena. NULL: fine; else what is wrong with a mark. */
const char *mcp_header_read(struct arena *a, struct str schema, struct mcp_param_header **headers,
                            size_t *count);

/* Does the header say the same as the argument? A missing or null argument wants no header. */
bool mcp_header_agrees(const struct mcp_param_header *h, const struct json *arguments,
                       const struct http_request *http);

/* Is a header value, decoded if it is encoded, the text `want`? */
bool mcp_header_equal(struct str value, struct str want);
