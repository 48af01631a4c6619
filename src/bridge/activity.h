/* The requests and jobs of a bridge, for observers: client, state, outcome.
 *
 *     bridge_on_change(b, read_changes, me);        // called after changes
 *     static void read_changes(void *ctx)
 *     {
 *         seq = activity_each(b, seq, put_entry, me);        // entries changed since the last call
 *     }
 *     activity_cancel(b, id, &answer, &err);
 *
 * Every call of a tool is an entry, including control calls and refused calls, and so is every job.
 * An entry has the sequence number of its last change. A reader passes the last number it has seen
 * and gets each entry that changed since once, in its present state. Nothing is queued for readers:
 * a slow one only misses intermediate states.
 *
 * The bridge keeps all open entries and the last ACTIVITY_KEEP that ended. A reader whose number is
 * older than the dropped entries (activity_is_whole() is false) must start again from 0.
 *
 * A change costs a few stores and a move in a list, with or without readers. Texts are cut at
 * ACTIVITY_TEXT bytes and stored in the entry.
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
    const char *client;  /* "claude-code 2.1.325", as the client reports; "": not known */
    const char *subject; /* the argument of interest: "/Player", a filter, a scene; "": none */
    const char *state;   /* request_state_name(), job_state_name() */
    const char *reason;  /* why it waits: "compiling"; NULL: it does not wait */
    int64_t received_at, started_at, ended_at; /* unix ms; 0: not yet */
    int64_t queued_at;     /* when it joined the queue; before that it waited for the editor */
    const char *outcome;   /* "ok", "cancelled", "ERR_..."; NULL: it has not ended */
    const char *guarantee; /* of an error: "not_executed", ...; NULL: none */
    const char *message;   /* of an error, one line, cut; "": none */
    const char *other_id;  /* of a request: its job; of a job: its request; "": none */
    bool has_progress;
    int64_t done, total; /* total 0: not known */
    const char *current; /* the current step; "": not known */
    bool can_cancel;     /* activity_cancel() would have an effect now */
};

typedef void activity_fn(const struct activity *a, void *ctx);

/* Call each() for the entries that changed after seq (0: all), in the order of their changes.
 * Return the number of the last change. */
uint64_t activity_each(const struct bridge *b, uint64_t seq, activity_fn *each, void *ctx);
bool activity_is_whole(const struct bridge *b, uint64_t seq);

/* The rules of cancel (spec 10, 7). *status: "cancelled", "cancel_requested", "rejected".
 * ERR_JOB_NOT_FOUND for an unknown job, ERR_INVALID_PARAMS for an unknown request,
 * ERR_CANCEL_NOT_SUPPORTED for a control call. The client of a cancelled request gets the same
 * answer as if it had cancelled the call itself. */
bool activity_cancel(struct bridge *b, struct str id, const char **status, struct error *err);
