/* How a run of an agent ended, in the words everything else decides by.
 *
 *     if (outcome_row(o.class)->falls_back) ...       // try the next candidate
 *
 * The reader of a tool's output (agent/report.h) makes one from the terminal event, the exit code
 * and whether we killed it; never from what the model or a tool printed.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

enum outcome_class {
    OUTCOME_OK,
    OUTCOME_RATE_LIMITED,  /* too many requests or tokens: seconds to minutes */
    OUTCOME_USAGE_LIMITED, /* a window of the subscription is used up: hours to days */
    OUTCOME_BILLING,       /* no credit, spend limit, not in the plan: a person must act */
    OUTCOME_OVERLOADED,    /* the provider has no capacity: not our limit */
    OUTCOME_SERVER,        /* 5xx, connection refused or lost */
    OUTCOME_AUTH,          /* not signed in, bad key */
    OUTCOME_MODEL,         /* no such model, not for this account */
    OUTCOME_REQUEST,       /* the request itself is wrong or too long: others would refuse it too */
    OUTCOME_BUDGET,        /* a cap that we set: turns, dollars, time of a run */
    OUTCOME_KILLED,        /* by us or by a signal from outside */
    OUTCOME_INCOMPLETE,    /* it ended without saying how */
    OUTCOME_LAUNCH,        /* it could not be started, or refused its arguments or settings */
    OUTCOME_CLASS_COUNT
};

enum outcome_scope { /* what rests after it */
    SCOPE_NONE,
    SCOPE_ACCOUNT_MODEL, /* tool + account + model */
    SCOPE_ACCOUNT,       /* tool + account: all its models */
    SCOPE_TOOL_MODEL,    /* tool + model: whatever the account */
    SCOPE_COUNT
};

struct outcome_row {
    const char *name; /* "rate_limited" */
    enum outcome_scope scope;
    bool falls_back;     /* another candidate may do better */
    uint64_t default_ms; /* rest when nobody said how long */
    uint64_t most_ms;    /* no rest is longer, whatever was said */
    bool doubles;        /* each failure in a row doubles default_ms, up to most_ms */
    const char *about;   /* a phrase for people: "the provider has no capacity" */
};

enum outcome_trust { /* where `until` comes from; the later, the less it is believed */
    UNTIL_NONE,
    UNTIL_FIELD,  /* a structured field of an event: resetsAt, resets_at, retryDelayMs */
    UNTIL_HEADER, /* retry-after and its kin */
    UNTIL_TEXT    /* read from a sentence */
};

#define OUTCOME_EVIDENCE_MAX 192
#define OUTCOME_MESSAGE_MAX  512

struct outcome {
    enum outcome_class class;
    int64_t until; /* unix ms; 0: nobody said */
    enum outcome_trust trust;
    bool model_only; /* a limit of this model alone, though the class rests the account */
    bool blameless;  /* it was called as somebody else wished: nobody rests for it */
    char evidence
        [OUTCOME_EVIDENCE_MAX]; /* which field of which event: "result.api_error_status=429" */
    char message[OUTCOME_MESSAGE_MAX]; /* the provider's sentence, for a person; one line */
};

/* A limit that is near, told by a run that may well have succeeded. */
struct outcome_warning {
    double used;       /* 0..1, told only if it should steer; 0: none was told */
    int64_t resets_at; /* unix ms; 0: not told */
    char window[32];   /* "five_hour", "primary" */
};

const struct outcome_row *outcome_row(enum outcome_class class);
const char *outcome_name(enum outcome_class class);
bool outcome_find(struct str name, enum outcome_class *out);
const char *outcome_scope_name(enum outcome_scope scope);
