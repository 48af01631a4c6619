/* Which agent does what, as JSON: candidates, cooldowns, force mode, simulations.
 *
 *     struct views_tooling v = {tooling, ledger, rfc3339_now(), seed};
 *     views_tooling_put_categories(&w, &v, &err);         // --json: of the active profile
 *     views_tooling_put_profiles(&w, &v, &err);           // /api: of every profile
 *
 * The functions write members of the open object unless the comment says something else. A function
 * that fails leaves the JSON incomplete.
 */
#pragma once

#include "tooling/ledger.h"
#include "tooling/simulate.h"
#include "views/views.h"

struct views_tooling {
    struct tooling *tooling;
    struct ledger *ledger;
    int64_t now; /* unix ms */
    uint64_t seed;
};

/* Return the state of every candidate of a category without changing anything, or NULL. profile
 * NULL: the active one, or the candidate of force mode. */
struct decision *views_tooling_decide(const struct views_tooling *v,
                                      const struct tooling_profile *profile, struct str category,
                                      struct error *err);

bool views_tooling_put_categories(struct jsonw *w, const struct views_tooling *v,
                                  struct error *err);
bool views_tooling_put_profiles(struct jsonw *w, const struct views_tooling *v, struct error *err);
void views_tooling_put_force(struct jsonw *w, const struct tooling *t, enum views_form form);

/* The sum of the weights of all candidates. */
double views_tooling_weight_sum(const struct decision *d);

/* An object. */
void views_tooling_put_cooldown(struct jsonw *w, const struct cooldown *c,
                                enum cooldown_state state, enum views_form form);

/* What every candidate got in a simulation. */
void views_tooling_put_draws(struct jsonw *w, const struct simulate *s, enum views_form form);
