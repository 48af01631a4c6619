/* The bridge as its own files see it. Everybody else includes bridge.h. */
#pragma once

#include "base/buf.h"
#include "base/list.h"
#include "base/map.h"
#include "bridge/activity_internal.h"
#include "bridge/bridge.h"
#include "bridge/dedupe.h"
#include "bridge/editor_replies.h"
#include "bridge/editor_session.h"
#include "bridge/job.h"
#include "bridge/queue.h"
#include "bridge/server_state.h"

struct bridge {
    struct loop *loop;
    struct limits limits;
    struct catalog *catalog;
    char *project_path;
    bool only_project;
    enum server_state state;
    bool started;
    char run[7]; /* part of all ids: ids of an earlier server are not known here */
    uint64_t next_request, next_job, next_connection;
    uint64_t started_at;

    struct editor_session session;
    struct list pending; /* links that have not sent hello */
    size_t pending_count;
    size_t link_count; /* all open links */
    struct timer lost; /* running work fails when it fires */

    struct list queue; /* requests, waiting or queued */
    size_t queue_count;
    struct request *slot; /* the request that runs */
    bool pumping;

    struct list jobs;
    struct map job_ids;
    struct job *running_job;
    size_t ended_jobs, ended_bytes;

    struct map dedupe; /* tool and client_request_id -> struct dedupe, oldest first */
    size_t dedupe_bytes;
    struct buf out;    /* a message to the editor */
    struct buf answer; /* an answer to a client */

    struct activities activities;
    uint64_t state_seq; /* of the last change of what bridge_put_state() shows */
    struct timer change;
    loop_fn *on_change; /* NULL: nobody is notified */
    void *change_ctx;
    loop_fn *on_tools;
    void *tools_ctx;
    loop_fn *on_vacancy;
    void *vacancy_ctx;
    loop_fn *on_quiet; /* may be NULL */
    void *quiet_ctx;
};

void bridge_move(struct bridge *b, enum server_event event);
void bridge_new_id(const struct bridge *b, const char *kind, uint64_t number,
                   char to[BRIDGE_ID_MAX]);
/* Notify bridge_on_change(). is_state: what get_editor_state shows has changed, too. */
void bridge_changed(struct bridge *b, bool is_state);
