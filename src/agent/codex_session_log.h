/* Codex's own record of a session, which says more than its events: the error's code, the windows.
 *
 *     codex_session_log_read("CODEX_HOME/sessions", session_id, max, &text);
 *
 * SESSIONS/2026/11/16/rollout-...-ID.jsonl. Only the newest days are looked at, and of the file
 * its end: whole lines, at most max bytes. False if there is none; the id is not trusted.
 */
#pragma once

#include "base/buf.h"

bool codex_session_log_read(const char *sessions, const char *id, size_t max, struct buf *out);
