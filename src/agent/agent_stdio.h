/* What the children of this program (agent-chat, agent-mock) share: a request on standard input,
 * events on standard output, one JSON object a line.
 *
 *     const struct json *request = agent_stdio_read(&arena, &err);
 *     agent_stdio_write_text("mock.step", "text", STR("write A.cs"));      // {"type":"mock.step","text":"..."}
 *     agent_stdio_write(&line);                                      // an object of one's own; frees it
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define AGENT_STDIO_MAX_INPUT (64u << 20)

/* The whole of standard input as a JSON object in the arena; NULL and *err. */
const struct json *agent_stdio_read(struct arena *a, struct error *err);

void agent_stdio_write(struct buf *line);
void agent_stdio_write_text(const char *type, const char *key, struct str text);
