#include "orchestrator/attempt_policy.h"

#include <assert.h>
#include <stdio.h>

#include "base/utf8.h"

enum end_class { /* the rows of the table in the header */
    DONE,
    WRONG,
    LIMITED, /* until a known time */
    NO_CANDIDATE,
    LIMITED_SOMEHOW,
    CANCELLED,
    STOPPED,
    LOST,
    NO_START,
    FAILED
};

struct policy_input {
    const struct attempt_end *end;
    const struct attempt_tries *tries;
    uint32_t max_attempts, max_lost;
    uint64_t base_ms, most_ms;
    int64_t now;
    struct rng *rng;
};

static bool is_outcome(const struct attempt_end *end, const char *name)
{
    return str_eq(end->outcome, str_from(name));
}

static bool is_limit(const struct attempt_end *end)
{
    return is_outcome(end, "rate_limited") || is_outcome(end, "usage_limited") ||
           is_outcome(end, "overloaded") || is_outcome(end, "server");
}

static enum end_class classify_exit(const struct attempt_end *end)
{
    switch (end->code) {
    case 0:
        return DONE;
    case 2:
        return WRONG;
    case 124: /* SUPERVISOR_LEASE_OVER */
    case 125: /* SUPERVISOR_ORPHANED */
        return LOST;
    case 126: /* as in shells: cannot be executed; not found */
    case 127:
        return NO_START;
    default:
        break;
    }
    if (end->nobody)
        return end->until > 0 ? LIMITED : NO_CANDIDATE;
    if (is_limit(end))
        return end->until > 0 ? LIMITED : LIMITED_SOMEHOW;
    return is_outcome(end, "store") ? NO_START : FAILED;
}

static enum end_class classify_end(const struct attempt_end *end)
{
    switch (end->kind) {
    case ATTEMPT_EXITED:
        return classify_exit(end);
    case ATTEMPT_CANCELLED:
        return CANCELLED;
    case ATTEMPT_STOPPED:
        return STOPPED;
    case ATTEMPT_LOST:
        return LOST;
    case ATTEMPT_NO_START:
        return NO_START;
    case ATTEMPT_SIGNALLED:
        break;
    }
    return FAILED;
}

/* base, doubled `times` times, at most most_ms, +- a quarter. */
static uint64_t back_off(const struct policy_input *t, uint64_t base, uint32_t times)
{
    uint64_t wait = base < t->most_ms ? base : t->most_ms;
    for (uint32_t i = 0; i < times && wait < t->most_ms; i++)
        wait = wait > t->most_ms / 2 ? t->most_ms : wait * 2;
    return wait - wait / 4 + rng_below(t->rng, wait / 4 * 2 + 1);
}

/* Add a twentieth as jitter, between a second and half a minute, so that not all tasks that wait
 * for one reset start at once, and none before it. */
static uint64_t wait_until(const struct policy_input *t)
{
    uint64_t wait = 0;
    if (t->end->until > t->now) {
        wait = (uint64_t)t->end->until - (uint64_t)t->now;
        if (wait > ATTEMPT_POLICY_UNTIL_MS)
            wait = ATTEMPT_POLICY_UNTIL_MS;
    }
    uint64_t jitter = wait / 20;
    jitter = jitter < 1000 ? 1000 : jitter > 30000 ? 30000 : jitter;
    if (wait < ATTEMPT_POLICY_LEAST_MS)
        wait = ATTEMPT_POLICY_LEAST_MS;
    return wait + rng_below(t->rng, jitter + 1);
}

/* One line: control characters become blanks. */
static void set_reason(struct attempt_follow_up *v, const char *before, struct str why)
{
    struct buf line = buf_make(4096);
    buf_add(&line, str_from(before));
    if (why.n) {
        if (line.n)
            buf_add(&line, STR(": "));
        utf8_add_lossy(&line, str_head(why, 1024)); /* an invalid byte becomes three bytes */
    }
    struct str cut = utf8_head(buf_str(&line), sizeof v->why - 1);
    for (size_t i = 0; i < cut.n; i++) {
        unsigned char c = (unsigned char)cut.p[i];
        v->why[i] = c < ' ' || c == 0x7f ? ' ' : (char)c;
    }
    v->why[cut.n] = 0;
    buf_done(&line);
}

static void give_up(struct attempt_follow_up *v, const char *before, struct str why)
{
    v->event = TASK_GIVE_UP;
    v->wait_ms = 0;
    set_reason(v, before, why);
}

/* Ends that do not count as attempts, but must not repeat for ever. */
static void decide_lost(const struct policy_input *t, enum end_class how,
                        struct attempt_follow_up *v)
{
    uint32_t lost = t->tries->lost;
    v->lost = true;
    char before[96] = "";
    if (lost >= t->max_lost - 1) { /* not lost + 1, which may overflow */
        (void)snprintf(before, sizeof before, "%s %u times in a row",
                       how == LOST       ? "lost with its orchestrator"
                       : how == NO_START ? "could not be started"
                                         : "limited until an unknown time",
                       t->max_lost);
        give_up(v, before, t->end->why);
    } else if (how == LOST) {
        v->event = TASK_BACK;
        set_reason(v, t->end->why.n ? "lost" : "its lease expired", t->end->why);
    } else {
        v->event = TASK_RETRY;
        v->wait_ms = back_off(t, how == NO_START ? ATTEMPT_POLICY_SOON_MS : t->base_ms, lost);
        set_reason(v, how == NO_START ? "could not be started" : "limited", t->end->why);
    }
}

static struct str describe_end(const struct attempt_end *end, char text[64])
{
    if (end->why.n)
        return end->why;
    if (end->kind == ATTEMPT_SIGNALLED)
        (void)snprintf(text, 64, "killed by signal %d", end->signal);
    else if (end->code == 130)
        (void)snprintf(text, 64, "interrupted");
    else if (end->code > 128 && end->code < 128 + 65)
        (void)snprintf(text, 64, "killed by signal %d", (int)(end->code - 128));
    else
        (void)snprintf(text, 64, "exit code %lld", (long long)end->code);
    return str_from(text);
}

static void decide_failed(const struct policy_input *t, struct attempt_follow_up *v)
{
    char text[64], before[64] = "";
    struct str why = describe_end(t->end, text);
    v->counts = true;
    if (t->tries->counted >= t->max_attempts - 1) {
        if (t->max_attempts > 1)
            (void)snprintf(before, sizeof before, "%u attempts are used up", t->max_attempts);
        give_up(v, before, why);
        return;
    }
    v->event = TASK_RETRY;
    v->wait_ms = back_off(t, t->base_ms, t->tries->counted);
    uint64_t until = t->end->until > t->now ? wait_until(t) : 0;
    if (until > v->wait_ms)
        v->wait_ms = until;
    set_reason(v, "", why);
}

struct attempt_follow_up attempt_policy_follow_up(const struct attempt_end *end,
                                                  const struct attempt_policy *policy,
                                                  const struct attempt_tries *tries, int64_t now,
                                                  struct rng *rng)
{
    assert(end && policy && tries && rng);
    struct attempt_follow_up v = {0};
    struct policy_input t = {
        .end = end,
        .tries = tries,
        .max_attempts = policy->max_attempts ? policy->max_attempts : ATTEMPT_POLICY_ATTEMPTS,
        .max_lost = policy->max_lost ? policy->max_lost : ATTEMPT_POLICY_MAX_LOST,
        .base_ms = policy->base_ms ? policy->base_ms : ATTEMPT_POLICY_BASE_MS,
        .most_ms = policy->most_ms ? policy->most_ms : ATTEMPT_POLICY_MOST_MS,
        .now = now,
        .rng = rng,
    };
    if (t.most_ms > ATTEMPT_POLICY_UNTIL_MS)
        t.most_ms = ATTEMPT_POLICY_UNTIL_MS;
    enum end_class how = classify_end(end);
    switch (how) {
    case DONE:
        v.event = TASK_SUCCEED;
        v.counts = true;
        break;
    case WRONG:
        v.event = TASK_FAIL;
        v.counts = true;
        set_reason(&v, "", end->why.n ? end->why : STR("its file or tooling is wrong"));
        break;
    case LIMITED:
        v.event = TASK_RETRY;
        v.wait_ms = wait_until(&t);
        set_reason(&v, "", end->why.n ? end->why : STR("limited"));
        break;
    case NO_CANDIDATE:
        v.counts = true;
        give_up(&v, "", end->why.n ? end->why : STR("no candidate is available"));
        break;
    case CANCELLED:
        v.event = TASK_CANCEL;
        set_reason(&v, "", STR("cancelled"));
        break;
    case STOPPED:
        v.event = TASK_BACK;
        set_reason(&v, "", STR("returned: its orchestrator stopped it"));
        break;
    case LIMITED_SOMEHOW:
    case LOST:
    case NO_START:
        decide_lost(&t, how, &v);
        break;
    case FAILED:
        decide_failed(&t, &v);
        break;
    }
    return v;
}
