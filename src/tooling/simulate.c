#include "tooling/simulate.h"

#include <assert.h>
#include <string.h>

/* A due candidate is probed once; after that it is in like the others. */
static void set_facts(const struct simulate *s, struct select_fact *facts)
{
    for (size_t i = 0; s->outs && i < s->settings->count; i++) {
        facts[i].tried = s->outs[i] == SELECT_TRIED;
        facts[i].unavailable = s->outs[i] == SELECT_UNAVAILABLE;
        facts[i].near = s->outs[i] == SELECT_NEAR;
        if (s->outs[i] == SELECT_COOLDOWN)
            facts[i].cooldown = COOLDOWN_ACTIVE;
        else if (s->outs[i] == SELECT_PROBING)
            facts[i].cooldown = COOLDOWN_PROBING;
    }
}

/* least_recent chooses the oldest use; over many draws all get the same number. */
static void set_expected(struct simulate *s, const struct select_fact *facts)
{
    struct tooling_category settings = *s->settings;
    if (settings.strategy == STRATEGY_LEAST_RECENT)
        settings.strategy = STRATEGY_ROUND_ROBIN;
    select_shares(&settings, facts, &(struct select_context){.last = SELECT_NOBODY}, s->shares);
}

static void compute_chi(struct simulate *s)
{
    size_t count = 0;
    s->chi = 0;
    for (size_t i = 0; i < s->settings->count; i++) {
        double want = s->shares[i] * (double)s->draws, off = (double)s->counts[i] - want;
        if (want <= 0)
            continue;
        s->chi += off * off / want;
        count++;
    }
    s->freedom = count ? count - 1 : 0;
}

void simulate_run(struct simulate *s, struct rng *rng)
{
    struct select_fact facts[TOOLING_MAX_CANDIDATES] = {0};
    struct select_context context = {.rng = rng, .last = SELECT_NOBODY};
    assert(s->settings->count <= TOOLING_MAX_CANDIDATES);
    memset(s->counts, 0, sizeof s->counts);
    memset(s->shares, 0, sizeof s->shares);
    set_facts(s, facts);
    for (uint64_t i = 0; i < s->draws; i++) {
        struct select_choice c = select_choose(s->settings, facts, &context);
        if (i == 0)
            set_expected(s, facts);
        if (c.index == SELECT_NOBODY) { /* and no later draw will differ */
            s->nobody = s->draws;
            break;
        }
        s->counts[c.index]++;
        if (i < SIMULATE_FIRST)
            s->first[i] = (uint8_t)c.index;
        facts[c.index].last_used = (int64_t)i + 1;
        context.last = c.index;
    }
    compute_chi(s);
}
