/* A call of a tool that needs the editor, from its arrival to its single answer.
 *
 * A request belongs to the bridge. Its askers are the callers that wait for its answer: one, or
 * more if a client_request_id was repeated. A caller whose client is gone stays until the request
 * ends, because the request reads its arguments. While a job is being submitted, request and job
 * point at each other. request_state.h is the machine, request_apply() the only place that acts
 * on it.                                                     Spec: docs/spec/10-bridge.md, 4.
 */
#pragma once

#include "base/arena.h"
#include "base/list.h"
#include "base/loop.h"
#include "bridge/caller.h"
#include "bridge/catalog.h"
#include "bridge/editor_session.h"
#include "bridge/failure.h"
#include "bridge/id.h"
#include "bridge/request_state.h"

struct activity_entry;
struct bridge;
struct dedupe;
struct job;

struct asker { /* a caller that waits for a request */
    struct list in;
    struct request *request;
    struct caller *caller;
    bool gone;                       /* its client has cancelled or hung up */
    struct activity_entry *activity; /* of a call that joined another's request; else NULL */
};

struct request {
    struct list in; /* of the queue, in order of arrival */
    struct bridge *b;
    char id[BRIDGE_ID_MAX];
    const struct tool *tool;
    struct tool_args args;        /* client_request_id is a view into the first asker's call, */
    const struct json *arguments; /* and so are these, */
    struct arena kept;            /* until both are copied for a job whose caller was answered: */
    struct str params;            /* the arguments as JSON text */
    enum request_state state;
    enum wait_reason reason;
    struct timer timer; /* end of the wait, or of the running time */
    struct list askers;
    struct job *job;
    struct dedupe *dedupe;
    uint64_t received_at;
    double notices; /* progress notices so far */
    struct activity_entry *activity;
};

struct request *request_new(struct bridge *b, struct caller *caller, const struct tool *tool);
void request_free(struct request *r); /* no asker is left */

/* Apply one event. An answer needs the result (REQUEST_ON_RESULT) or the failure. Return false if
 * the state has no such move. The request may be gone afterwards. */
bool request_apply(struct request *r, enum request_event event, struct str result,
                   const struct failure *f);
/* The same for events that carry nothing. */
bool request_apply_event(struct request *r, enum request_event event);
bool request_fail(struct request *r, enum request_event event, const struct failure *f);

/* Free the asker: its caller was answered, or belongs to something else now. */
void request_end_asker(struct asker *a);
/* Copy what is still to be sent, so that it outlives the callers. */
void request_keep_arguments(struct request *r);
/* Whether an argument is for the server alone: the editor does not see it. */
bool request_keeps_argument(struct str name);

/* Write the message that starts the work into the bridge's output buffer. */
void request_write_execute(struct request *r);

bool request_wants_progress(const struct request *r);
void request_send_progress(struct request *r, const char *message);
/* The editor changed from one kind of "not ready" to another while the request waits. */
void request_change_wait(struct request *r, enum wait_reason reason);
