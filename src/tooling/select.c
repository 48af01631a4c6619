#include "tooling/select.h"

#include <assert.h>
#include <float.h>

/* If the largest weight is in this range, sums and products cannot overflow or vanish. */
#define WEIGHT_SMALL 1e-200
#define WEIGHT_LARGE 1e200

static const char *const names[SELECT_OUT_COUNT] = {
    [SELECT_IN] = "in",
    [SELECT_DISABLED] = "disabled",
    [SELECT_TRIED] = "tried",
    [SELECT_UNAVAILABLE] = "unavailable",
    [SELECT_COOLDOWN] = "resting",
    [SELECT_PROBING] = "probing",
    [SELECT_NEAR] = "near",
};

/* Totals of the candidates that are in. */
struct select_field {
    size_t count;
    size_t first, due; /* SELECT_NOBODY: none */
    size_t calm;       /* number of those not near a limit */
    double largest;    /* weight */
};

static enum select_out judge_candidate(const struct candidate *c, const struct select_fact *f)
{
    if (!(c->weight > 0))
        return SELECT_DISABLED;
    if (f->tried)
        return SELECT_TRIED;
    if (f->unavailable)
        return SELECT_UNAVAILABLE;
    if (f->cooldown == COOLDOWN_ACTIVE)
        return SELECT_COOLDOWN;
    return f->cooldown == COOLDOWN_PROBING ? SELECT_PROBING : SELECT_IN;
}

static struct select_field measure_field(const struct tooling_category *s,
                                         const struct select_fact *facts)
{
    struct select_field field = {.first = SELECT_NOBODY, .due = SELECT_NOBODY};
    for (size_t i = 0; i < s->count; i++) {
        if (facts[i].out != SELECT_IN)
            continue;
        if (field.count++ == 0)
            field.first = i;
        if (facts[i].cooldown == COOLDOWN_DUE && field.due == SELECT_NOBODY)
            field.due = i;
        field.calm += !facts[i].near;
        if (s->candidates[i].weight > field.largest)
            field.largest = s->candidates[i].weight;
    }
    return field;
}

/* Only proportions matter: divide extreme weights by the largest. */
static double scale_weight(double w, double largest)
{
    if (largest > WEIGHT_SMALL && largest < WEIGHT_LARGE)
        return w;
    return (w < DBL_MAX ? w : DBL_MAX) / (largest < DBL_MAX ? largest : DBL_MAX);
}

static double sum_weights(const struct tooling_category *s, const struct select_fact *facts,
                          const struct select_field *field)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        if (facts[i].out == SELECT_IN)
            sum += scale_weight(s->candidates[i].weight, field->largest);
    return sum;
}

static struct select_choice choose_by_chance(const struct tooling_category *s,
                                             const struct select_fact *facts,
                                             const struct select_field *field, struct rng *rng)
{
    double sum = sum_weights(s, facts, field);
    struct select_choice c = {.index = SELECT_NOBODY, .draw = rng_unit(rng)};
    double at = c.draw * sum;
    for (size_t i = 0; i < s->count; i++) {
        if (facts[i].out != SELECT_IN)
            continue;
        double w = scale_weight(s->candidates[i].weight, field->largest);
        c.index = i; /* the last one gets what rounding leaves */
        c.share = w / sum;
        if (at < w)
            break;
        at -= w;
    }
    return c;
}

static size_t choose_by_turn(const struct tooling_category *s, const struct select_fact *facts,
                             size_t last)
{
    size_t start = last < s->count ? last + 1 : 0;
    for (size_t n = 0; n < s->count; n++) {
        size_t i = start + n < s->count ? start + n : start + n - s->count;
        if (facts[i].out == SELECT_IN)
            return i;
    }
    return SELECT_NOBODY;
}

static size_t choose_by_age(const struct tooling_category *s, const struct select_fact *facts)
{
    size_t best = SELECT_NOBODY;
    for (size_t i = 0; i < s->count; i++)
        if (facts[i].out == SELECT_IN &&
            (best == SELECT_NOBODY || facts[i].last_used < facts[best].last_used))
            best = i;
    return best;
}

static struct select_choice choose_by_strategy(const struct tooling_category *s,
                                               const struct select_fact *facts,
                                               const struct select_field *field,
                                               const struct select_context *context)
{
    struct select_choice c = {.draw = -1, .share = 1};
    switch (s->strategy) {
    case STRATEGY_WEIGHTED:
        return choose_by_chance(s, facts, field, context->rng);
    case STRATEGY_ROUND_ROBIN:
        c.index = choose_by_turn(s, facts, context->last);
        c.share = 1 / (double)field->count;
        c.in_turn = true;
        return c;
    case STRATEGY_LEAST_RECENT:
        c.index = choose_by_age(s, facts);
        return c;
    case STRATEGY_PRIORITY:
    case STRATEGY_COUNT:
        break;
    }
    c.index = field->first;
    return c;
}

struct select_choice select_choose(const struct tooling_category *settings,
                                   struct select_fact *facts, const struct select_context *context)
{
    assert(settings->strategy < STRATEGY_COUNT);
    for (size_t i = 0; i < settings->count; i++)
        facts[i].out = judge_candidate(&settings->candidates[i], &facts[i]);
    struct select_field field = measure_field(settings, facts);
    if (field.count == 0)
        return (struct select_choice){.index = SELECT_NOBODY, .draw = -1};
    if (settings->fallback && field.due != SELECT_NOBODY)
        return (struct select_choice){.index = field.due, .is_probe = true, .draw = -1, .share = 1};
    if (field.calm > 0 && field.calm < field.count) {
        for (size_t i = 0; i < settings->count; i++)
            if (facts[i].out == SELECT_IN && facts[i].near)
                facts[i].out = SELECT_NEAR;
        field = measure_field(settings, facts);
    }
    struct select_choice c = choose_by_strategy(settings, facts, &field, context);
    c.is_probe = facts[c.index].cooldown == COOLDOWN_DUE;
    return c;
}

void select_shares(const struct tooling_category *settings, const struct select_fact *facts,
                   const struct select_context *context, double *shares)
{
    struct select_field field = measure_field(settings, facts);
    struct select_choice next = {.index = SELECT_NOBODY};
    double sum = sum_weights(settings, facts, &field);
    if (field.count && settings->strategy != STRATEGY_WEIGHTED)
        next = choose_by_strategy(settings, facts, &field, context);
    for (size_t i = 0; i < settings->count; i++) {
        if (facts[i].out != SELECT_IN)
            shares[i] = 0;
        else if (settings->strategy == STRATEGY_WEIGHTED)
            shares[i] = scale_weight(settings->candidates[i].weight, field.largest) / sum;
        else if (settings->strategy == STRATEGY_ROUND_ROBIN)
            shares[i] = next.share;
        else
            shares[i] = i == next.index;
    }
}

const char *select_out_name(enum select_out out)
{
    assert(out < SELECT_OUT_COUNT);
    return names[out];
}
