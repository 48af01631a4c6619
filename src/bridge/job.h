/* Long operations of the editor, and the callers that wait for them.
 *
 * A job gets its id when the editor is ready. It is kept after its end until job_keep_count and
 * job_keep_ms allow it to go. Waiters are callers that wait for a job: a long poll of
 * get_job_status for any change, a submission with wait_ms or an MCP task for the end.
 * job_state.h is the machine, job_apply() the only place that acts on it.
 * Spec: docs/spec/10-bridge.md, 6 and 7.
 */
#pragma once

#include "base/buf.h"
#include "base/jsonw.h"
#include "base/list.h"
#include "base/loop.h"
#include "bridge/caller.h"
#include "bridge/failure.h"
#include "bridge/id.h"
#include "bridge/job_state.h"
#include "bridge/request.h"

struct job {
    struct list in; /* of the bridge's jobs, in order of issue */
    struct bridge *b;
    char id[BRIDGE_ID_MAX];
    const struct tool *tool;
    enum job_state state;
    struct request *request; /* until its submission is answered */
    uint64_t timeout_ms;
    uint64_t issued, ended; /* loop time */
    struct timer timer;
    int64_t submitted_at, started_at, finished_at; /* unix ms; 0: not yet */
    bool has_progress;
    bool id_is_known;      /* a client has its id or waits for its end */
    bool cancel_requested; /* and the editor was asked, or will be when it is back */
    int64_t done, total;   /* total 0: not known */
    struct buf current;
    struct buf result, error; /* JSON objects */
    struct list waiters;
    struct activity_entry *activity; /* NULL: it has ended */
};

enum waiter_kind {
    WAITER_STATUS, /* get_job_status: any change */
    WAITER_RUN,    /* a submission with wait_ms: the end */
    WAITER_TASK    /* a submission that became an MCP task: the end */
};

struct waiter {
    struct list in;
    struct job *job;
    struct caller *caller;
    enum waiter_kind kind;
    const struct tool *tool; /* of WAITER_STATUS: get_job_status, */
    char id[BRIDGE_ID_MAX];  /* and the id of the request */
    struct timer timer;      /* wait_ms */
    struct timer notice;     /* progress is a change, but is not answered at once each time */
    double notices;          /* progress notices before those of the job */
    uint64_t received_at;
    struct activity_entry *activity; /* of WAITER_STATUS */
};

struct job *job_issue(struct request *r);
struct job *job_find(const struct bridge *b, struct str id);
bool job_apply(struct job *j, enum job_event event, const struct failure *f);
void job_take_progress(struct job *j, const struct json *progress);

/* Answer a submission: the job's id, at once or after wait_ms. */
void job_answer_asker(struct job *j, struct asker *a);
/* Answer a get_job_status when something changes, or after wait_ms. id is the request's. */
void job_wait_for_change(struct job *j, struct caller *caller, const struct tool *tool,
                         const char *id, uint64_t wait_ms);

enum job_cancel job_cancel(struct job *j);
/* Cancel a job whose id no client knows and whose end no client waits for. */
void job_cancel_unknown(struct job *j);

/* Each writes one JSON object, alone, into out. */
struct str job_put_status(const struct job *j, struct buf *out);
struct str job_put_id(const struct job *j, struct buf *out); /* {job_id, state} */
/* The job that runs, or the next one: an object or null. */
void job_put_current(const struct bridge *b, struct jsonw *w);

void job_stop_all(struct bridge *b);
void job_free_all(struct bridge *b);
