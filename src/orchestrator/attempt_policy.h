/* What becomes of a task after an attempt: done, again and when, or a person's. Pure.
 *
 *     struct attempt_follow_up v = attempt_policy_follow_up(&end, &policy, tries, now, &rng);
 *     use(v.event, v.wait_ms, v.counts, v.why);
 *
 *   exit 0                             SUCCEEDED
 *   exit 2: its file or tooling wrong  FAILED
 *   limited: nobody left or no other   RETRY_WAIT until then and a little jitter; does not count
 *     to be asked, and until is known
 *   nobody left, and no time changes   BLOCKED at once: not installed, no key
 *     that
 *   limited, until is not known        RETRY_WAIT: base_ms, doubled for each in a row; does not
 *                                      count, but as one that was lost
 *   cancelled                          CANCELLED
 *   stopped by its orchestrator        READY at once; does not count
 *   lost: its lease is over            READY at once; BLOCKED after max_lost in a row; does not
 *                                      count as an attempt
 *   not started here, or its rests     RETRY_WAIT, short at first; does not count, but as one that
 *     could not be kept                was lost
 *   anything else: criteria not met,   RETRY_WAIT: base_ms, doubled each time, at most most_ms,
 *     a crash, a signal, its time      give or take a quarter, and not before until, if that is
 *                                      known; BLOCKED when the attempts are used up
 *
 * Limited are the outcomes rate_limited and usage_limited, and those of a provider without
 * capacity: overloaded, server. A time that is past is now, one beyond ATTEMPT_POLICY_UNTIL_MS is a
 * mistake and taken as that. Nobody waits less than ATTEMPT_POLICY_LEAST_MS for a limit, so that nothing
 * spins. The supervisor's exit codes (supervisor.h): 124, 125 lost; 126, 127 not
 * started.
 */
#pragma once

#include "base/rng.h"
#include "base/str.h"
#include "orchestrator/task_state.h"

#define ATTEMPT_POLICY_ATTEMPTS 3u
#define ATTEMPT_POLICY_MAX_LOST 20u
#define ATTEMPT_POLICY_BASE_MS  30000u
#define ATTEMPT_POLICY_MOST_MS  3600000u
#define ATTEMPT_POLICY_SOON_MS  5000u      /* not started: the first wait */
#define ATTEMPT_POLICY_LEAST_MS 1000u      /* for a limit, whenever it ends */
#define ATTEMPT_POLICY_UNTIL_MS 691200000u /* 8 days, as no rest is longer (tooling/cooldown.h) */
#define ATTEMPT_POLICY_WHY_MAX  512

enum attempt_end_kind { /* of an end */
    ATTEMPT_EXITED,     /* code says how */
    ATTEMPT_SIGNALLED,  /* killed from outside, or crashed */
    ATTEMPT_CANCELLED,  /* a person's cancel */
    ATTEMPT_STOPPED,    /* its orchestrator stops, or is paused with stop */
    ATTEMPT_LOST,       /* its lease is over: nobody knows */
    ATTEMPT_NO_START    /* it could not even be started here (disk full): why says it */
};

struct attempt_end {
    enum attempt_end_kind kind;
    int64_t code; /* exit status of the run */
    int signal;
    struct str outcome; /* of the run's result: "ok", "rate_limited", ..., "unmet"; "" not known */
    int64_t until;      /* unix ms: when the first candidate is back; 0: not known */
    bool nobody;        /* no candidate was left */
    struct str why;     /* the run's own sentence */
};

struct attempt_policy {
    uint32_t max_attempts; /* 0: ATTEMPT_POLICY_ATTEMPTS */
    uint32_t max_lost;     /* 0: ATTEMPT_POLICY_MAX_LOST */
    uint64_t base_ms;      /* 0: ATTEMPT_POLICY_BASE_MS */
    uint64_t most_ms;      /* 0: ATTEMPT_POLICY_MOST_MS */
};

struct attempt_tries {
    uint32_t counted; /* attempts that counted, this one not included */
    uint32_t lost;    /* in a row, this one not included */
};

struct attempt_follow_up {
    enum task_event event;
    uint64_t wait_ms; /* TASK_RETRY: until it is due */
    bool counts;
    bool lost; /* one more of those lost in a row; else there are none any more */
    char why[ATTEMPT_POLICY_WHY_MAX]; /* one line for a person; "" after success */
};

struct attempt_follow_up attempt_policy_follow_up(const struct attempt_end *end,
                                                  const struct attempt_policy *policy,
                                                  const struct attempt_tries *tries, int64_t now,
                                                  struct rng *rng);
