#include "agent/run_outcome.h"

#include "agent/run_result.h"

#define PROBE_MS 60000 /* another process is trying the candidate: the result will be known soon */

enum remedy { /* what may make a candidate available again; the higher, the better */
    REMEDY_NONE,
    REMEDY_PERSON, /* somebody signs in, pays, names another model */
    REMEDY_RETRY,  /* it crashed: the same call may succeed */
    REMEDY_TIME    /* a limit ends */
};

static enum remedy remedy_for(enum outcome_class class)
{
    switch (class) {
    case OUTCOME_RATE_LIMITED:
    case OUTCOME_USAGE_LIMITED:
    case OUTCOME_OVERLOADED:
    case OUTCOME_SERVER:
        return REMEDY_TIME;
    case OUTCOME_BILLING:
    case OUTCOME_AUTH:
    case OUTCOME_MODEL:
        return REMEDY_PERSON;
    case OUTCOME_INCOMPLETE:
    case OUTCOME_LAUNCH:
        return REMEDY_RETRY;
    case OUTCOME_OK:
    case OUTCOME_REQUEST:
    case OUTCOME_BUDGET:
    case OUTCOME_KILLED:
    case OUTCOME_CLASS_COUNT:
        break;
    }
    return REMEDY_NONE;
}

/* What may make a candidate available that was not chosen, and when. */
static enum remedy candidate_remedy(const struct decision_candidate *c, int64_t now, int64_t *back)
{
    if (c->out == SELECT_PROBING) {
        *back = c->back_at < now + PROBE_MS ? c->back_at : now + PROBE_MS;
        return REMEDY_TIME;
    }
    *back = c->back_at ? c->back_at : now;
    if (c->out == SELECT_TRIED && c->cooldown == OUTCOME_OK) /* not its fault: it has no cooldown */
        return REMEDY_RETRY;
    return c->cooldown == OUTCOME_OK ? REMEDY_NONE : remedy_for(c->cooldown);
}

static bool has_tried_candidate(const struct decision *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->candidates[i].out == SELECT_TRIED)
            return true;
    return false;
}

/* No candidate is left: the one with the best remedy counts, and of equal ones the first that is
 * available again. */
static struct run_outcome outcome_of_nobody(const struct decision *d, int64_t now)
{
    enum remedy best = REMEDY_NONE;
    enum outcome_class class = OUTCOME_LAUNCH;
    int64_t back, first = 0;
    for (size_t i = 0; i < d->count; i++) {
        enum remedy remedy = candidate_remedy(&d->candidates[i], now, &back);
        if (remedy == REMEDY_NONE || remedy < best || (remedy == best && back >= first))
            continue;
        best = remedy;
        first = back;
        class =
            d->candidates[i].cooldown != OUTCOME_OK ? d->candidates[i].cooldown : OUTCOME_LAUNCH;
    }
    return (struct run_outcome){
        .name = outcome_name(class),
        /* If all crashed in earlier runs and none was tried in this one, waiting helps. */
        .nobody = best != REMEDY_RETRY || !has_tried_candidate(d),
        .until = best == REMEDY_TIME || best == REMEDY_RETRY ? first : 0};
}

/* One candidate was tried, and no other one may be: force mode, or no fallback. */
static struct run_outcome outcome_of_attempt(const struct outcome *o, int64_t cooldown_until,
                                             int64_t now)
{
    int64_t stated = o->trust != UNTIL_NONE ? o->until : 0;
    enum remedy remedy = remedy_for(o->class);
    struct run_outcome out = {.name = outcome_name(o->class),
                              .nobody = remedy == REMEDY_TIME || remedy == REMEDY_PERSON};
    if (remedy != REMEDY_TIME)
        return out;
    out.until = cooldown_until > stated ? cooldown_until : stated;
    if (out.until <= now)
        out.until = now + (int64_t)outcome_row(o->class)->default_ms;
    return out;
}

struct run_outcome run_outcome_of_dispatch(const struct dispatch_end *end, int64_t cooldown_until,
                                           int64_t now)
{
    if (end->kind == DISPATCH_NOBODY)
        return outcome_of_nobody(end->decision, now);
    if (end->decision && end->output)
        return outcome_of_attempt(&end->output->outcome, cooldown_until, now);
    return (struct run_outcome){.name = RUN_RESULT_STORE}; /* the ledger could not choose */
}
