/* The connection and state of one editor: hello, capability, status, replacement.
 *
 * At most one link is adopted as the editor's. A second link of the same editor replaces it; the
 * headless editor of this process is replaced by a live one; any other second editor is refused.
 * What an editor reported about itself is kept after it has left.
 * Spec: docs/spec/10-bridge.md, 3.
 */
#pragma once

#include "bridge/bridge.h"
#include "bridge/catalog.h"
#include "bridge/editor_state.h"
#include "bridge/link.h"

struct message;

enum wait_reason { /* why the editor takes no request */
    WAIT_NONE,
    WAIT_RECONNECTING,
    WAIT_COMPILING,
    WAIT_RELOADING,
    WAIT_REASON_COUNT
};

struct editor_session {
    struct link *link; /* NULL: not connected */
    enum editor_state state;
    char *editor, *instance_id, *session_id, *project_path, *plugin_version, *unity_version;
    char *active_scene;
    int scene_dirty, is_playing, is_paused; /* -1: not reported */
    struct bridge_count scene, console;
    uint64_t seq;
    uint64_t connected_at, left_at; /* loop time */
    bool *has_tool;                 /* by place in the catalog; NULL: no editor has reported any */
    bool sent_tools;                /* the editor of this connection has */
};

bool editor_session_is_ready(const struct bridge *b);
enum wait_reason editor_session_wait_reason(const struct bridge *b);
const char *editor_session_wait_reason_name(enum wait_reason reason); /* NULL for WAIT_NONE */
/* As far as is known: true until an editor has reported its tools. */
bool editor_session_has_tool(const struct bridge *b, const struct tool *tool);

/* Take the first message of a link: adopt the link, or refuse it. */
void editor_session_hello(struct link *l, struct message *m);
void editor_session_refuse(struct link *l, const char *reason);
void editor_session_capability(struct bridge *b, struct message *m);
void editor_session_status(struct bridge *b, struct message *m);
void editor_session_lost(struct bridge *b, int code, struct str reason);

/* Send what is in b->out. Return false if it was not sent. */
bool editor_session_send(struct bridge *b);
/* request_id may be empty. */
void editor_session_send_error(struct link *l, enum error_code code, struct str request_id,
                               const char *message);
/* Restart the time after which a silent link is dropped. */
void editor_session_watch(struct link *l);

void editor_session_stop(struct bridge *b);
void editor_session_done(struct bridge *b);
