/* The log that Codex writes of a session. It has more than the events on stdout: the error's code,
 * the usage windows.
 *
 *     codex_session_log_read("CODEX_HOME/sessions", session_id, max, &text);
 *
 * The file is SESSIONS/2026/11/16/rollout-...-ID.jsonl. Only the newest days are searched, and only
 * the end of the file is read: whole lines, at most max bytes. Return false if there is none. The
 * id comes from the agent and is not trusted.
 */
#pragma once

#include "base/buf.h"

bool codex_session_log_read(const char *sessions, const char *id, size_t max, struct buf *out);
