/* What the files of the bridge share. Others include bridge.h.
 *
 * Who owns what: a request belongs to the bridge from its arrival to its end. Its askers are the
 * calls that wait for its answer: one, or more if a client_request_id was repeated. A call whose
 * client is gone stays with its request, which reads its arguments, and is ended with it. A job
 * belongs to the store; those who wait for its news are waiters. While a submission is under way
 * request and job point at each other.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/id.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/list.h"
#include "base/loop.h"
#include "base/map.h"
#include "base/utf8.h"
#include "bridge/bridge.h"
#include "bridge/caller.h"
#include "bridge/catalog.h"
#include "bridge/job_state.h"
#include "bridge/link.h"
#include "bridge/request_state.h"
#include "bridge/server_state.h"

#define BRIDGE_ID_MAX 48 /* of "req-..." and "job-..." with its NUL */

enum wait_reason {
    WAIT_NONE,
    WAIT_RECONNECTING,
    WAIT_COMPILING,
    WAIT_RELOADING,
    WAIT_REASON_COUNT
};

/* How something ended that did not succeed. */
struct failure {
    enum error_code code;
    char text[ERROR_TEXT_MAX];
    struct str plugin_code, plugin_message; /* ERR_UNITY_EXECUTION: the editor's own words */
    const struct json *plugin_details;
    bool not_executed; /* the editor says that it did nothing */
};

struct activity_entry;
struct request;
struct job;
struct dedupe;
struct message;

struct asker { /* a call that waits for a request */
    struct list in;
    struct request *request;
    struct caller *caller;
    bool gone;                   /* its client has cancelled or hung up */
    struct activity_entry *seen; /* of a call that joined another's request; else NULL */
};

struct request {
    struct list in; /* of the queue, in order of arrival */
    struct bridge *b;
    char id[BRIDGE_ID_MAX];
    const struct tool *tool;
    struct tool_args args;        /* client_request_id: in the first asker's call */
    const struct json *arguments; /* there, too */
    struct arena kept; /* both, of a job whose caller has been answered: params is JSON text */
    struct str params;
    enum request_state state;
    enum wait_reason reason;
    struct timer timer; /* end of the wait, or of the running time */
    struct list askers;
    struct job *job;
    struct dedupe *dedupe;
    uint64_t received_at;
    double notices; /* progress notices so far */
    struct activity_entry *seen;
};

enum waiter_kind {
    WAITER_STATUS, /* get_job_status: any news */
    WAITER_RUN,    /* a submission with wait_ms: the end */
    WAITER_TASK    /* a submission that became an MCP task: the end */
};

struct waiter {
    struct list in;
    struct job *job;
    struct caller *caller;
    enum waiter_kind kind;
    const struct tool *tool; /* WAITER_STATUS: the control call, */
    char id[BRIDGE_ID_MAX];  /* and its id */
    struct timer timer;      /* wait_ms */
    struct timer news;       /* progress is news, but not at once each time */
    double notices;          /* progress notices before the job's own */
    uint64_t received_at;
    struct activity_entry *seen; /* WAITER_STATUS */
};

struct job {
    struct list in; /* of the store, in order of issue */
    struct bridge *b;
    char id[BRIDGE_ID_MAX];
    const struct tool *tool;
    enum job_state state;
    struct request *request; /* until its submission is answered */
    uint64_t timeout_ms;
    uint64_t issued, ended; /* loop time */
    struct timer timer;
    int64_t submitted_at, started_at, finished_at; /* unix ms; 0: not yet */
    bool has_progress, told, cancel_wanted;
    int64_t done, total; /* total 0: not known */
    struct buf current;
    struct buf result, error; /* JSON objects */
    struct list waiters;
    struct activity_entry *seen; /* NULL: it has ended */
};

struct editor_session { /* the editor, as it last spoke */
    struct link *link;  /* NULL: not connected */
    enum editor_state state;
    char *editor, *instance_id, *session_id, *project_path, *plugin_version, *unity_version;
    char *active_scene;
    int scene_dirty, is_playing, is_paused; /* -1: it has not said */
    struct bridge_count scene, console;
    uint64_t seq;
    uint64_t connected_at, left_at; /* loop time */
    bool *has_tool;                 /* by place in the catalog; NULL: none has said */
    bool said_tools;                /* it was this connection that did */
};

struct activities {
    struct list open, ended; /* entries, in the order of their last changes */
    size_t ended_count;
    struct activity_entry *spare; /* the memory of one that is not kept, for the next one */
    uint64_t seq;                 /* of the last change */
    uint64_t dropped;             /* the last one of those that are not kept any more */
    int64_t clock;                /* the time of day in this turn of the loop */
    uint64_t clock_at;
};

struct bridge {
    struct loop *loop;
    struct limits limits;
    struct catalog *catalog;
    char *project_path;
    bool only_project;
    enum server_state state;
    bool started;
    char run[7]; /* part of all ids: those of another run are not ours */
    uint64_t next_request, next_job, next_connection;
    uint64_t started_at;

    struct editor_session session;
    struct list pending; /* links that have not said hello */
    size_t pending_count;
    size_t link_count; /* all that are open */
    struct timer lost; /* running work is given up when it fires */

    struct list queue; /* requests, waiting or queued */
    size_t queue_count;
    struct request *slot; /* the one that runs */
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
    uint64_t state_seq; /* of the last change of what bridge_put_state() tells */
    struct timer change;
    loop_fn *on_change; /* NULL: nobody looks */
    void *change_ctx;
    loop_fn *on_tools;
    void *tools_ctx;
    loop_fn *on_quiet; /* may be NULL */
    void *quiet_ctx;
};

/* ---- bridge.c */

void bridge_move(struct bridge *b, enum server_event event);
void bridge_new_id(const struct bridge *b, const char *kind, uint64_t number,
                   char to[BRIDGE_ID_MAX]);
/* Something changed that others look at; is_state: also what get_editor_state tells. */
void bridge_changed(struct bridge *b, bool is_state);

/* ---- peer.c: the editor */

bool editor_session_is_ready(const struct bridge *b);
enum wait_reason editor_session_wait_reason(const struct bridge *b);
const char *editor_session_wait_reason_name(enum wait_reason reason); /* NULL for none */
bool editor_session_has_tool(const struct bridge *b,
                             const struct tool *tool); /* as far as is known */
bool editor_session_send(struct bridge *b); /* what is in b->out; false: it did not go out */
void editor_session_send_error(struct link *l, enum error_code code, struct str request_id,
                               const char *message); /* request_id may be empty */
void editor_session_stop(struct bridge *b);
void editor_session_done(struct bridge *b);

/* ---- work.c: what the editor says of what runs */

void editor_replies_receive(struct bridge *b,
                            struct message *m); /* result, job_status, error ... */

/* A message that is not JSON. If it was to be the answer of what runs, that is known now. */
void editor_replies_garbled(struct bridge *b, struct message *m, const char *why);
void editor_replies_too_big(struct bridge *b); /* the link ended because an answer was too large */

/* What runs was sent over an earlier connection: the editor is asked what became of it. */
void editor_replies_resume(struct bridge *b);

/* ---- queue.c: requests */

/* The whole way of a call that needs the editor, from here to its end. */
void queue_call(struct bridge *b, struct caller *caller, const struct tool *tool,
                const struct tool_args *args);

/* The same for one that is wrong: it fails at once. */
void queue_refuse(struct bridge *b, struct caller *caller, const struct tool *tool,
                  const struct failure *o);

/* One event of a request. What an answer needs: a result (ON_RESULT), or how it failed. False: no
 * such move. The request may be gone afterwards. */
bool request_apply(struct request *r, enum request_event event, struct str result,
                   const struct failure *o);
bool request_keeps_argument(
    struct str argument);                /* it is for the server; the editor does not see it */
void request_end_asker(struct asker *a); /* its call was answered, or is somebody else's now */

size_t queue_place(const struct request *r); /* 1: the next one */
void queue_editor_changed(struct bridge *b); /* ready or not, connected or not */
void queue_pump(struct bridge *b);           /* sends what can go out */
void queue_fail_waiting(struct bridge *b, const struct failure *o);
void queue_stop(struct bridge *b);

/* ---- jobs.c */

struct job *job_issue(struct request *r);
bool job_apply(struct job *j, enum job_event event, const struct failure *o);
void job_take_progress(struct job *j, const struct json *progress);
void job_answer_asker(struct job *j, struct asker *a); /* its id, at once or after wait_ms */
void job_leave_unheard(struct job *j); /* nobody knows its id or waits for it: it is cancelled */
struct str job_put_id(const struct job *j, struct buf *out); /* {job_id, state}, alone in out */
struct job *job_find(const struct bridge *b, struct str id);
enum job_cancel job_cancel(struct job *j); /* somebody wants it */
void jobs_call(struct bridge *b, struct caller *caller, const struct tool *tool,
               const struct tool_args *args); /* get_job_status, cancel_job */
void jobs_put_current(const struct bridge *b, struct jsonw *w);

struct control { /* a call that needs no editor: of the state, of a job */
    struct caller *caller;
    const struct tool *tool;
    const char *id;
    uint64_t since;
    struct activity_entry *seen; /* NULL: not yet */
};

/* It is no request of the queue, but it is logged and seen like one. o NULL: it went well. */
void control_end(struct bridge *b, struct control *c, enum request_state state,
                 const struct failure *o);
void jobs_stop(struct bridge *b);
void jobs_done(struct bridge *b);

/* ---- dedupe.c: repeated calls of tools that change something */

/* True: the request joined an earlier one, got its answer, or was refused. */
bool dedupe_join(struct request *r);
void dedupe_end(struct request *r, struct str answer, const struct failure *o);
void dedupe_taken(struct request *r); /* its job was: who repeats it gets that */
void dedupe_done(struct bridge *b);

/* ---- answer.c */

struct failure failure_make(enum error_code code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
struct failure failure_of_editor(const struct json *error); /* views into it */
enum error_guarantee failure_guarantee(const struct failure *o);
void failure_put_json(struct buf *out, const struct tool *tool, const struct failure *o,
                      const char *request_id, const char *job_id);

/* ---- activity.c: what others see of all this (activity.h) */

void activity_init(struct bridge *b);
void activity_done(struct bridge *b);
struct activity_entry *activity_begin(struct bridge *b, struct caller *caller,
                                      const struct tool *tool, const char *id);
void activity_request(const struct request *r); /* its state, or why it waits, is another */
void activity_set_job(struct activity_entry *e, const struct job *j); /* NULL: nothing */
/* *e NULL: nothing. Afterwards it is NULL. */
void activity_end_request(struct bridge *b, struct activity_entry **e, enum request_state state,
                          const struct failure *o);
void activity_issue(struct job *j); /* it is new, of its request */
void activity_job(struct job *j);   /* its state or progress */
void activity_end_job(struct job *j, const struct failure *o);
