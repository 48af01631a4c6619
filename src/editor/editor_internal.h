/* What the files of the headless editor share. Other folders include editor.h.
 *
 *   editor.c        its life, one call, diagnostics that become console entries
 *   editor_link.c   the wire: hello, status, execute, and giving way to a live editor
 *   editor_job.c    run_tests as a job: submit, status, cancel
 *   editor_watch.c  files that change
 */
#pragma once

#include "base/jsonw.h"
#include "base/list.h"
#include "base/loop.h"
#include "editor/console_log.h"
#include "editor/editor.h"
#include "editor/open_scene.h"
#include "unity/asset_contents.h"
#include "unity/asset_object.h"
#include "unity/project.h"

struct editor_job;
struct link_local;
struct message;
struct watch;

struct editor {
    struct loop *loop;
    struct editor_options options; /* with copies of all texts */
    char **test_command;
    struct diagnostic_sink sink;
    loop_fn *on_quiet; /* may be NULL */
    void *quiet_ctx;
    struct project project;
    struct assets *assets;
    struct types *types;
    struct scenes *scenes;
    struct asset_db db;
    struct asset_contents_cache *contents;
    struct open_scene *open_scene;
    struct console_log *console;
    struct watch *watch;          /* NULL: files are not watched */
    uint64_t reported_scripts;    /* open_scene_generation() whose missing scripts were reported */
    uint64_t reported_references; /* the same for broken references */
    bool ran;                     /* a call was made: the next one checks for changed files first */

    struct bridge *bridge; /* NULL: not connected to one */
    struct link_local *link;
    struct timer status;           /* the heartbeat */
    struct timer update;           /* delays a status that follows the last one too soon */
    struct timer takeover;         /* when the live editor is gone */
    struct watch_file *lock_watch; /* during a takeover, while Unity has the project open */
    uint64_t seq, attempt;
    char instance[40], session[ID_LEN + 1];
    char *sent_scene; /* active_scene of the last status */
    bool sent_dirty;
    uint64_t sent_changes, sent_entries; /* scene_seq and console_seq */
    uint64_t sent_at;
    bool stopping;

    struct list jobs;       /* oldest first */
    struct editor_job *job; /* the running one */
};

void editor_notify_quiet(struct editor *e); /* its link or its job has ended */

/* ---- editor_link.c */

bool editor_link_open(struct editor *e);
void editor_link_close(struct editor *e);
/* Send the message and take its memory; drop it if there is no link. */
void editor_link_send(struct editor *e, struct buf *message);
/* Send a status if something has changed since the last one. */
void editor_link_notify(struct editor *e);
loop_fn editor_link_on_vacancy; /* ctx: the editor */
void editor_link_done(struct editor *e);

/* ---- editor_watch.c */

void editor_watch_start(struct editor *e);
void editor_watch_refresh(struct editor *e); /* afterwards all earlier changes are known */
void editor_watch_stop(struct editor *e);

/* ---- editor_job.c */

void editor_job_submit(struct editor *e, struct message *m);
/* Cancel a job and return the status for cancel_result. */
const char *editor_job_cancel(struct editor *e, struct str id);
bool editor_job_send_status(struct editor *e, struct str id); /* false: unknown job */
void editor_job_stop(struct editor *e);                       /* cancel the running one */
void editor_job_done(struct editor *e);
