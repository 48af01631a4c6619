#include "views/tooling.h"

#include "agent/provider.h"

static void put_number(struct jsonw *w, const char *key, double n)
{
    jsonw_key(w, key);
    jsonw_double(w, n);
}

/* ---- cooldowns */

/* "tool|account|model" */
static void put_key_parts(struct jsonw *w, const char *key)
{
    struct str model = str_from(key), tool, account;
    str_cut(&model, '|', &tool);
    str_cut(&model, '|', &account);
    jsonw_kstr(w, "tool", tool);
    jsonw_kstr(w, "account", account);
    jsonw_kstr(w, "model", model);
}

void views_tooling_put_cooldown(struct jsonw *w, const struct cooldown *c,
                                enum cooldown_state state, enum views_form form)
{
    jsonw_object(w);
    jsonw_kcstr(w, "key", c->key);
    if (form == VIEWS_CLI) {
        put_key_parts(w, c->key);
        jsonw_kcstr(w, "state", cooldown_state_name(state));
        jsonw_kcstr(w, "outcome", outcome_name(c->class));
    } else {
        jsonw_kcstr(w, "class", outcome_name(c->class));
        jsonw_kcstr(w, "state", cooldown_state_name(state));
    }
    views_put_time(w, "since", c->since, form);
    views_put_time(w, "until", c->until, form);
    if (form == VIEWS_API)
        views_put_time(w, "probe_until", state == COOLDOWN_PROBING ? c->probe_until : 0, form);
    jsonw_kint(w, "failures", c->failures);
    jsonw_kcstr(w, "evidence", c->evidence);
    jsonw_kcstr(w, "message", c->message);
    jsonw_end(w);
}

/* ---- candidates of a category */

struct decision *views_tooling_decide(const struct views_tooling *v,
                                      const struct tooling_profile *profile, struct str category,
                                      struct error *err)
{
    struct rng rng;
    rng_seed(&rng, v->seed);
    struct ledger_ask ask = {.tooling = v->tooling,
                             .category = category,
                             .profile = profile,
                             .now = v->now,
                             .rng = &rng,
                             .available = provider_is_available,
                             .dry = true};
    return ledger_choose(v->ledger, &ask, err);
}

double views_tooling_weight_sum(const struct decision *d)
{
    double sum = 0;
    for (size_t i = 0; i < d->count; i++)
        sum += d->candidates[i].weight;
    return sum;
}

/* share: of the weights. */
static void put_cli_candidate(struct jsonw *w, const struct decision_candidate *c, double sum)
{
    jsonw_object(w);
    jsonw_kcstr(w, "tool", agent_kind_name(c->tool));
    jsonw_kstr(w, "model", c->model);
    put_number(w, "weight", c->weight);
    put_number(w, "share", sum > 0 ? c->weight / sum : 0);
    jsonw_kstr(w, "account", c->account);
    jsonw_kcstr(w, "state", c->out == SELECT_IN ? "ready" : select_out_name(c->out));
    jsonw_kstr(w, "why", c->why);
    views_put_time(w, "back_at", c->back_at, VIEWS_CLI);
    jsonw_end(w);
}

/* share: the chance to be chosen next. */
static void put_api_candidate(struct jsonw *w, const struct decision_candidate *c,
                              const struct candidate *settings, size_t index)
{
    jsonw_object(w);
    jsonw_kint(w, "index", (int64_t)index);
    jsonw_kcstr(w, "tool", agent_kind_name(c->tool));
    jsonw_kstr(w, "model", c->model);
    jsonw_kstr(w, "cli_path", settings->cli_path);
    put_number(w, "weight", c->weight);
    put_number(w, "share", c->share);
    jsonw_kstr(w, "account", c->account);
    jsonw_kcstr(w, "out", c->out == SELECT_IN ? NULL : select_out_name(c->out));
    jsonw_kstr(w, "why", c->why);
    views_put_time(w, "back_at", c->back_at, VIEWS_API);
    jsonw_key(w, "rest");
    if (c->row)
        views_tooling_put_cooldown(w, c->row, c->state, VIEWS_API);
    else
        jsonw_null(w);
    jsonw_end(w);
}

static void put_cli_category(struct jsonw *w, const struct decision *d)
{
    double sum = views_tooling_weight_sum(d);
    jsonw_key_str(w, d->category);
    jsonw_object(w);
    jsonw_kstr(w, "settings_of", d->used);
    jsonw_kcstr(w, "strategy", tooling_strategy_name(d->strategy));
    jsonw_kbool(w, "fallback_on_rate_limit", d->fallback);
    jsonw_kint(w, "cooldown_sec", (int64_t)(d->cooldown_ms / 1000));
    jsonw_key(w, "candidates");
    jsonw_array(w);
    for (size_t i = 0; i < d->count; i++)
        put_cli_candidate(w, &d->candidates[i], sum);
    jsonw_end(w);
    jsonw_end(w);
}

static void put_api_category(struct jsonw *w, const struct tooling_profile *p, enum category c,
                             const struct decision *d)
{
    const struct tooling_category *settings = tooling_profile_category(p, c);
    jsonw_key(w, tooling_category_name(c));
    jsonw_object(w);
    jsonw_kbool(w, "own", p->categories[c].count > 0);
    jsonw_kcstr(w, "strategy", tooling_strategy_name(d->strategy));
    jsonw_kbool(w, "fallback", d->fallback);
    put_number(w, "cooldown_sec", (double)d->cooldown_ms / 1000);
    jsonw_key(w, "candidates");
    jsonw_array(w);
    for (size_t i = 0; i < d->count; i++)
        put_api_candidate(w, &d->candidates[i], &settings->candidates[i], i);
    jsonw_end(w);
    jsonw_end(w);
}

/* ---- the configuration */

bool views_tooling_put_categories(struct jsonw *w, const struct views_tooling *v, struct error *err)
{
    jsonw_key(w, "categories");
    jsonw_object(w);
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        struct decision *d = views_tooling_decide(v, NULL, str_from(tooling_category_name(c)), err);
        if (!d)
            return false;
        put_cli_category(w, d);
        decision_free(d);
    }
    jsonw_end(w);
    return true;
}

/* A category without settings of its own has the decision of meta, which is made once. */
static bool put_profile(struct jsonw *w, const struct views_tooling *v,
                        const struct tooling_profile *p, struct error *err)
{
    struct str meta_name = str_from(tooling_category_name(CATEGORY_META));
    struct decision *meta = views_tooling_decide(v, p, meta_name, err);
    bool ok = meta;
    jsonw_object(w);
    jsonw_kstr(w, "id", p->id);
    jsonw_kstr(w, "name", p->name);
    jsonw_key(w, "categories");
    jsonw_object(w);
    for (enum category c = 0; c < CATEGORY_COUNT && ok; c++) {
        bool is_meta = c == CATEGORY_META || !p->categories[c].count;
        struct decision *d =
            is_meta ? meta : views_tooling_decide(v, p, str_from(tooling_category_name(c)), err);
        ok = d;
        if (ok)
            put_api_category(w, p, c, d);
        if (!is_meta)
            decision_free(d);
    }
    decision_free(meta);
    jsonw_end(w);
    jsonw_end(w);
    return ok;
}

bool views_tooling_put_profiles(struct jsonw *w, const struct views_tooling *v, struct error *err)
{
    const struct tooling *t = v->tooling;
    bool ok = true;
    jsonw_key(w, "profiles");
    jsonw_array(w);
    for (size_t i = 0; i < t->profile_count && ok; i++)
        ok = put_profile(w, v, &t->profiles[i], err);
    jsonw_end(w);
    return ok;
}

void views_tooling_put_force(struct jsonw *w, const struct tooling *t, enum views_form form)
{
    jsonw_key(w, "force");
    jsonw_object(w);
    jsonw_kbool(w, "enabled", t->forced);
    if (form == VIEWS_API || t->forced) {
        jsonw_kcstr(w, "tool", t->force.tool == AGENT_NONE ? NULL : agent_kind_name(t->force.tool));
        jsonw_kstr(w, "model", t->force.model);
    }
    jsonw_end(w);
}

/* ---- simulations */

void views_tooling_put_draws(struct jsonw *w, const struct simulate *s, enum views_form form)
{
    jsonw_key(w, form == VIEWS_CLI ? "candidates" : "counts");
    jsonw_array(w);
    for (size_t i = 0; i < s->settings->count; i++) {
        const struct candidate *c = &s->settings->candidates[i];
        jsonw_object(w);
        if (form == VIEWS_API)
            jsonw_kint(w, "index", (int64_t)i);
        jsonw_kcstr(w, "tool", agent_kind_name(c->tool));
        jsonw_kstr(w, "model", c->model);
        put_number(w, "weight", c->weight);
        if (form == VIEWS_API) {
            put_number(w, "share", s->shares[i]);
        } else {
            if (s->settings->strategy == STRATEGY_WEIGHTED)
                put_number(w, "expected_share", s->shares[i]);
            put_number(w, "share", (double)s->counts[i] / (double)s->draws);
        }
        jsonw_kint(w, "count", (int64_t)s->counts[i]);
        jsonw_end(w);
    }
    jsonw_end(w);
}
