/* What happens to a task after an attempt: done, retried and when, or left to a person. Pure.
 *
 *     struct attempt_follow_up f = attempt_policy_follow_up(&end, &policy, &tries, now, &rng);
 *     use(f.event, f.wait_ms, f.counts, f.why);
 *
 *   exit 0                             SUCCEEDED
 *   exit 2: wrong file or tooling      FAILED
 *   limited, `until` is known          RETRY_WAIT until then plus jitter; does not count
 *   no candidate left, and no time     BLOCKED at once: not installed, no key
 *     changes that
 *   limited, `until` is not known      RETRY_WAIT: base_ms, doubled for each in a row; counts as
 *                                      lost, not as an attempt
 *   cancelled                          CANCELLED
 *   stopped by its orchestrator        READY at once; does not count
 *   lost: its lease expired            READY at once, BLOCKED after max_lost in a row; does not
 *                                      count as an attempt
 *   could not be started here, or      RETRY_WAIT, short at first; counts as lost, not as an
 *     the ledger failed                attempt
 *   anything else: criteria not met,   RETRY_WAIT: base_ms, doubled each time, at most most_ms,
 *     a crash, a signal, a time-out    +- a quarter, and not before `until` if that is known;
 *                                      BLOCKED when the attempts are used up
 *
 * Limits are the outcomes rate_limited and usage_limited, and overloaded and server (the provider
 * has no capacity). An `until` in the past means now; one after ATTEMPT_POLICY_UNTIL_MS is an error
 * and is cut to that. A wait for a limit is at least ATTEMPT_POLICY_LEAST_MS, so that nothing
 * spins. Exit codes of the supervisor (supervisor.h): 124 and 125 are lost; 126 and 127 not
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
#define ATTEMPT_POLICY_SOON_MS  5000u      /* the first wait after one that could not be started */
#define ATTEMPT_POLICY_LEAST_MS 1000u      /* the shortest wait for a limit */
#define ATTEMPT_POLICY_UNTIL_MS 691200000u /* 8 days: no cooldown is longer (tooling/cooldown.h) */
#define ATTEMPT_POLICY_WHY_MAX  512

enum attempt_end_kind { /* how the attempt ended */
    ATTEMPT_EXITED,     /* with `code` */
    ATTEMPT_SIGNALLED,  /* killed from outside, or crashed */
    ATTEMPT_CANCELLED,  /* by a person */
    ATTEMPT_STOPPED,    /* its orchestrator stops, or everything was stopped */
    ATTEMPT_LOST,       /* its lease expired: the outcome is unknown */
    ATTEMPT_NO_START    /* it could not be started here (disk full); `why` has the reason */
};

struct attempt_end {
    enum attempt_end_kind kind;
    int64_t code; /* exit status of the run */
    int signal;
    struct str outcome; /* of the run: "ok", "rate_limited", ..., "unmet"; "": unknown */
    int64_t until;      /* unix ms: when the first candidate is available; 0: unknown */
    bool nobody;        /* no candidate was left */
    struct str why;     /* reason given by the run */
};

struct attempt_policy {
    uint32_t max_attempts; /* 0: ATTEMPT_POLICY_ATTEMPTS */
    uint32_t max_lost;     /* 0: ATTEMPT_POLICY_MAX_LOST */
    uint64_t base_ms;      /* 0: ATTEMPT_POLICY_BASE_MS */
    uint64_t most_ms;      /* 0: ATTEMPT_POLICY_MOST_MS */
};

struct attempt_tries {
    uint32_t counted; /* earlier attempts that counted */
    uint32_t lost;    /* earlier ones in a row */
};

struct attempt_follow_up {
    enum task_event event;
    uint64_t wait_ms; /* TASK_RETRY: until the task is due */
    bool counts;
    bool lost;                        /* adds one to those lost in a row; otherwise the row ends */
    char why[ATTEMPT_POLICY_WHY_MAX]; /* one line for people; "" after success */
};

struct attempt_follow_up attempt_policy_follow_up(const struct attempt_end *end,
                                                  const struct attempt_policy *policy,
                                                  const struct attempt_tries *tries, int64_t now,
                                                  struct rng *rng);
