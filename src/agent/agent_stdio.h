/* Standard input and output of our own agents (agent-chat, agent-mock): read a request, write
 * events, one JSON object per line.
 *
 *     const struct json *request = agent_stdio_read(&arena, &err);
 *     agent_stdio_write_text("mock.step", "text", STR("write A.cs")); // {"type":"mock.step",...}
 *     agent_stdio_write(&line);                                       // any other event; frees it
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define AGENT_STDIO_MAX_INPUT (64u << 20)

/* Return the JSON object on standard input, in the arena, or NULL and *err. */
const struct json *agent_stdio_read(struct arena *a, struct error *err);

void agent_stdio_write(struct buf *line);
/* Write {"type": type, key: text}. */
void agent_stdio_write_text(const char *type, const char *key, struct str text);
