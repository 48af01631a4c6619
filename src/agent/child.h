/* What the children of this program (agent-chat, agent-mock) share: a request on standard input,
 * events on standard output, one JSON object a line.
 *
 *     const struct json *request = child_read(&arena, &err);
 *     child_say("mock.step", "text", STR("write A.cs"));      // {"type":"mock.step","text":"..."}
 *     child_emit(&line);                                      // an object of one's own; frees it
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"

#define CHILD_MAX_INPUT (64u << 20)

/* The whole of standard input as a JSON object in the arena; NULL and *err. */
const struct json *child_read(struct arena *a, struct error *err);

void child_emit(struct buf *line);
void child_say(const char *type, const char *key, struct str text);
