/* The outcome of an attempt, in the classes that all decisions use.
 *
 *     if (outcome_row(o.class)->falls_back) ...       // try the next candidate
 *
 * The reader of an agent's output (agent/) makes it from the terminal event, the exit code and
 * whether we killed the process; never from text that the model or a tool printed.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

enum outcome_class {
    OUTCOME_OK,
    OUTCOME_RATE_LIMITED,  /* too many requests or tokens: seconds to minutes */
    OUTCOME_USAGE_LIMITED, /* a quota of the subscription is used up: hours to days */
    OUTCOME_BILLING,       /* no credit, spend limit, not in the plan: a person must act */
    OUTCOME_OVERLOADED,    /* the provider has no capacity; not our limit */
    OUTCOME_SERVER,        /* 5xx, connection refused or lost */
    OUTCOME_AUTH,          /* not signed in, bad key */
    OUTCOME_MODEL,         /* no such model, not for this account */
    OUTCOME_REQUEST,    /* the request is wrong or too long: other candidates would refuse it too */
    OUTCOME_BUDGET,     /* a limit that we set: turns, dollars, time of a run */
    OUTCOME_KILLED,     /* by us or by a signal from outside */
    OUTCOME_INCOMPLETE, /* it ended without a result */
    OUTCOME_LAUNCH,     /* it could not be started, or refused its arguments or settings */
    OUTCOME_CLASS_COUNT
};

enum outcome_scope { /* what gets a cooldown */
    SCOPE_NONE,
    SCOPE_ACCOUNT_MODEL, /* agent + account + model */
    SCOPE_ACCOUNT,       /* agent + account: all its models */
    SCOPE_TOOL_MODEL,    /* agent + model: every account */
    SCOPE_COUNT
};

struct outcome_row {
    const char *name; /* "rate_limited" */
    enum outcome_scope scope;
    bool falls_back;     /* another candidate may succeed */
    uint64_t default_ms; /* cooldown if the provider names no time */
    uint64_t most_ms;    /* longest cooldown, also if the provider names a later time */
    bool doubles;        /* each failure in a row doubles default_ms, up to most_ms */
    const char *about;   /* a phrase for people: "the provider has no capacity" */
};

enum outcome_trust { /* where `until` comes from; later ones are trusted less */
    UNTIL_NONE,
    UNTIL_FIELD,  /* a structured field of an event: resetsAt, resets_at, retryDelayMs */
    UNTIL_HEADER, /* retry-after and similar headers */
    UNTIL_TEXT    /* read from a sentence */
};

#define OUTCOME_EVIDENCE_MAX 192
#define OUTCOME_MESSAGE_MAX  512

struct outcome {
    enum outcome_class class;
    int64_t until; /* unix ms; 0: not known */
    enum outcome_trust trust;
    bool model_only; /* the limit is of this model only, although the class is about the account */
    bool blameless;  /* the caller changed its arguments: no cooldown */
    char evidence[OUTCOME_EVIDENCE_MAX]; /* field of the event: "result.api_error_status=429" */
    char message[OUTCOME_MESSAGE_MAX];   /* the provider's sentence, in one line */
};

/* A warning that a limit is near; the attempt itself may have succeeded. */
struct outcome_warning {
    double used;       /* used part of the limit, 0..1; 0: no warning */
    int64_t resets_at; /* unix ms; 0: not known */
    char window[32];   /* "five_hour", "primary" */
};

const struct outcome_row *outcome_row(enum outcome_class class);
const char *outcome_name(enum outcome_class class);
bool outcome_find(struct str name, enum outcome_class *out);
const char *outcome_scope_name(enum outcome_scope scope);
