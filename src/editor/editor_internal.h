/* What the files of the headless editor share. Others include editor.h.
 *
 *   editor.c        its life, one call, notes that become console entries
 *   editor_link.c   the wire: hello, status, execute, and stepping back before a live editor
 *   editor_job.c    run_tests as a job: submitted, followed, cancelled
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
    struct editor_options options; /* its texts are the editor's own */
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
    struct watch *watch; /* NULL: nobody watches */
    uint64_t seen;       /* open_scene_generation() whose missing scripts are in the console */
    uint64_t judged;     /* and whose broken references are */
    bool ran;            /* a call was made: the next one looks for changes first */

    struct bridge *bridge; /* NULL: not connected to one */
    struct link_local *link;
    struct timer status;           /* the heartbeat */
    struct timer news;             /* what came too soon after the last status to be told at once */
    struct timer takeover;         /* after a live editor has left */
    struct watch_file *lock_watch; /* then, while Unity has the project open */
    uint64_t seq, attempt;
    char instance[40], session[ID_LEN + 1];
    char *said_scene; /* what the last editor_status said */
    bool said_dirty;
    uint64_t said_changes, said_entries; /* scene_seq and console_seq */
    uint64_t said_at;
    bool stopping;

    struct list jobs;       /* oldest first */
    struct editor_job *job; /* the one that runs */
};

void editor_notify_quiet(struct editor *e); /* its link or its job has ended */

/* ---- editor_link.c */

bool editor_link_open(struct editor *e);
void editor_link_close(struct editor *e);
void editor_link_send(struct editor *e, struct buf *message); /* takes it; nobody there: dropped */
void editor_link_notify(
    struct editor *e);          /* has the server know what is new, if there is something */
loop_fn editor_link_on_vacancy; /* ctx: the editor */
void editor_link_done(struct editor *e);

/* ---- editor_watch.c */

void editor_watch_start(struct editor *e);
void editor_watch_refresh(struct editor *e); /* after it, all that was changed before is known */
void editor_watch_stop(struct editor *e);

/* ---- editor_job.c */

void editor_job_submit(struct editor *e, struct message *m);
const char *editor_job_cancel(struct editor *e, struct str id); /* as cancel_result says it */
bool editor_job_send_status(struct editor *e, struct str id);   /* false: there is no such job */
void editor_job_stop(struct editor *e);                         /* the running one ends */
void editor_job_done(struct editor *e);
