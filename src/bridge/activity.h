/* What happens to requests and jobs, for those who look on: who asked, in which state it is, how it
 * ended.
 *
 *     bridge_on_change(b, look, me);                         // once for each turn with news
 *     static void look(void *ctx)
 *     {
 *         seen = activity_each(b, seen, put, me);            // what is new or has changed since
 *     }
 *     activity_cancel(b, id, &answer, &err);
 *
 * Every call to a tool is an entry, control calls and refused ones too, and every job is one. An
 * entry has the number of its last change: whoever asks for those behind the last number it has
 * seen gets each entry once, as it is now, however often it changed. So nothing is queued for
 * anybody, and a reader that was away or slow only sees fewer steps in between.
 *
 * Kept are all that are under way and the last ACTIVITY_KEEP that ended. A reader that comes with a
 * number older than all that went (activity_is_whole() is false) has to begin anew, from 0.
 *
 * Cost: a change is a few stores and a move in a list, with or without readers; texts are cut at
 * ACTIVITY_TEXT and held in the entry itself.
 */
#pragma once

#include "base/error.h"
#include "bridge/bridge.h"

#define ACTIVITY_KEEP 2000u
#define ACTIVITY_TEXT 160u

enum activity_kind {
    ACTIVITY_REQUEST,
    ACTIVITY_JOB
};

struct activity {
    uint64_t seq; /* of its last change */
    enum activity_kind kind;
    const char *id;      /* "req-...", "job-..." */
    const char *tool;    /* a name of the catalog */
    const char *client;  /* "claude-code 2.1.325", as the client says; "" not told */
    const char *subject; /* what it is about: "/Player", a filter, a scene; "" nothing */
    const char *state;   /* request_state_name(), job_state_name() */
    const char *reason;  /* of a wait: "compiling"; NULL: it does not wait */
    int64_t received_at, started_at, ended_at; /* unix ms; 0: not yet */
    int64_t queued_at; /* when its turn in the queue began; before that it waited for the editor */
    const char *outcome;   /* "ok", "cancelled", "ERR_..."; NULL: it has not ended */
    const char *guarantee; /* of an error: "not_executed", ...; NULL: none */
    const char *message;   /* of an error, one line, cut; "" none */
    const char *other_id;  /* of a request: its job; of a job: its request; "" none */
    bool has_progress;
    int64_t done, total; /* total 0: not known */
    const char *current; /* the step at hand; "" not told */
    bool can_cancel;     /* as it is now, activity_cancel() would do something */
};

typedef void activity_fn(const struct activity *a, void *ctx);

/* Those that changed behind `seq` (0: all), in the order of their changes; answers the number of
 * the last change there was. */
uint64_t activity_each(const struct bridge *b, uint64_t seq, activity_fn *each, void *ctx);
bool activity_is_whole(const struct bridge *b, uint64_t seq);

/* The rules of cancel (spec 10, 7). *status: "cancelled", "cancel_requested", "rejected".
 * ERR_JOB_NOT_FOUND for a job, ERR_INVALID_PARAMS for a request that is not known,
 * ERR_CANCEL_NOT_SUPPORTED for a control call. The client of a cancelled request is answered as if
 * it had cancelled itself. */
bool activity_cancel(struct bridge *b, struct str id, const char **status, struct error *err);
