/* Who does what now: every category of every profile, as the choice itself sees it. */
#include "agent/provider.h"
#include "console/tooling_internal.h"

static void put_number(struct jsonw *w, const char *key, double n)
{
    jsonw_key(w, key);
    jsonw_double(w, n);
}

/* ---- rests */

static void put_cooldown(struct jsonw *w, const struct cooldown *c, enum cooldown_state state)
{
    jsonw_object(w);
    jsonw_kcstr(w, "key", c->key);
    jsonw_kcstr(w, "class", outcome_name(c->class));
    jsonw_kcstr(w, "state", cooldown_state_name(state));
    api_put_time(w, "since", c->since);
    api_put_time(w, "until", c->until);
    api_put_time(w, "probe_until", state == COOLDOWN_PROBING ? c->probe_until : 0);
    jsonw_kint(w, "failures", c->failures);
    jsonw_kcstr(w, "evidence", c->evidence);
    jsonw_kcstr(w, "message", c->message);
    jsonw_end(w);
}

struct cooldown_report_page {
    struct jsonw *w;
    int64_t now;
};

static void on_cooldown(const struct cooldown *c, void *ctx)
{
    const struct cooldown_report_page *r = ctx;
    enum cooldown_state state = cooldown_state(c, r->now);
    if (state != COOLDOWN_NONE)
        put_cooldown(r->w, c, state);
}

bool console_tooling_view_put_cooldowns(struct jsonw *w, const struct console_tooling_snapshot *s,
                                        struct error *err)
{
    jsonw_key(w, "rests");
    jsonw_array(w);
    if (!ledger_cooldowns(s->ledger, on_cooldown, &(struct cooldown_report_page){w, s->now}, err))
        return false;
    jsonw_end(w);
    return true;
}

/* ---- categories */

struct decision *console_tooling_view_decide(const struct console_tooling_snapshot *s,
                                             const struct tooling_profile *p, enum category c,
                                             struct error *err)
{
    struct rng rng;
    rng_seed(&rng, 1);
    struct ledger_ask ask = {.tooling = s->tooling,
                             .category = str_from(category_name(c)),
                             .profile = p,
                             .now = s->now,
                             .rng = &rng,
                             .available = provider_available,
                             .dry = true};
    return ledger_choose(s->ledger, &ask, err);
}

static void put_candidate(struct jsonw *w, const struct decision_candidate *c,
                          const struct candidate *source, size_t index)
{
    jsonw_object(w);
    jsonw_kint(w, "index", (int64_t)index);
    jsonw_kcstr(w, "tool", agent_kind_name(c->tool));
    jsonw_kstr(w, "model", c->model);
    jsonw_kstr(w, "cli_path", source->cli_path);
    put_number(w, "weight", c->weight);
    put_number(w, "share", c->share);
    jsonw_kstr(w, "account", c->account);
    jsonw_kcstr(w, "out", c->out == SELECT_IN ? NULL : select_out_name(c->out));
    jsonw_kstr(w, "why", c->why);
    api_put_time(w, "back_at", c->back_at);
    jsonw_key(w, "rest");
    if (c->row)
        put_cooldown(w, c->row, c->state);
    else
        jsonw_null(w);
    jsonw_end(w);
}

static void put_category(struct jsonw *w, const struct tooling_profile *p, enum category c,
                         const struct decision *d)
{
    const struct tooling_category *settings = tooling_profile_category(p, c);
    jsonw_key(w, category_name(c));
    jsonw_object(w);
    jsonw_kbool(w, "own", p->categories[c].count > 0);
    jsonw_kcstr(w, "strategy", strategy_name(d->strategy));
    jsonw_kbool(w, "fallback", d->fallback);
    put_number(w, "cooldown_sec", (double)d->cooldown_ms / 1000);
    jsonw_key(w, "candidates");
    jsonw_array(w);
    for (size_t i = 0; i < d->count; i++)
        put_candidate(w, &d->candidates[i], &settings->candidates[i], i);
    jsonw_end(w);
    jsonw_end(w);
}

/* One without settings of its own is as meta is: that is looked at once. */
static bool put_profile(struct jsonw *w, const struct console_tooling_snapshot *s,
                        const struct tooling_profile *p, struct error *err)
{
    struct decision *meta = console_tooling_view_decide(s, p, CATEGORY_META, err);
    bool ok = meta;
    jsonw_object(w);
    jsonw_kstr(w, "id", p->id);
    jsonw_kstr(w, "name", p->name);
    jsonw_key(w, "categories");
    jsonw_object(w);
    for (enum category c = 0; c < CATEGORY_COUNT && ok; c++) {
        bool is_meta = c == CATEGORY_META || !p->categories[c].count;
        struct decision *d = is_meta ? meta : console_tooling_view_decide(s, p, c, err);
        ok = d;
        if (ok)
            put_category(w, p, c, d);
        if (!is_meta)
            decision_free(d);
    }
    decision_free(meta);
    jsonw_end(w);
    jsonw_end(w);
    return ok;
}

/* ---- the whole */

static void put_force(struct jsonw *w, const struct tooling *t)
{
    jsonw_key(w, "force");
    jsonw_object(w);
    jsonw_kbool(w, "enabled", t->forced);
    jsonw_kcstr(w, "tool", t->force.tool == AGENT_NONE ? NULL : agent_kind_name(t->force.tool));
    jsonw_kstr(w, "model", t->force.model);
    jsonw_end(w);
}

static void put_warnings(struct jsonw *w, const struct tooling *t)
{
    jsonw_key(w, "warnings");
    jsonw_array(w);
    for (size_t i = 0; i < t->warning_count; i++) {
        struct error warning = {0};
        error_set(&warning, ERR_CONFIG_VALIDATION, "%.*s", STR_ARG(t->warnings[i]));
        api_put_fault(w, &warning);
    }
    jsonw_end(w);
}

bool console_tooling_view_put(struct jsonw *w, const struct console_tooling_snapshot *s,
                              struct error *err)
{
    const struct tooling *t = s->tooling;
    bool ok = true;
    jsonw_object(w);
    jsonw_kstr(w, "active_profile", t->active->id);
    put_force(w, t);
    put_warnings(w, t);
    jsonw_key(w, "profiles");
    jsonw_array(w);
    for (size_t i = 0; i < t->profile_count && ok; i++)
        ok = put_profile(w, s, &t->profiles[i], err);
    jsonw_end(w);
    jsonw_end(w);
    return ok;
}
