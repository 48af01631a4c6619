#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "tooling/ledger_internal.h"

#define CATEGORY_MAX 64u /* bytes of the name of an unknown category */

/* A choice that is being made. */
struct ledger_choice {
    struct ledger_ask ask;
    const struct tooling_profile *profile;
    const struct tooling_category *settings; /* NULL: there are none */
    bool is_forced, is_made;
    struct rng rng; /* its first state, for a second attempt */
    struct decision *d;
    struct ledger_turn turn;
    struct {
        struct cooldown_who who;
        struct str name; /* agent|model|account|path */
        char unavailable[128];
        struct cooldown cooldown; /* the longest one */
        struct ledger_near near;
    } seen[TOOLING_MAX_CANDIDATES];
    struct select_fact facts[TOOLING_MAX_CANDIDATES];
};

/* ---- names of candidates */

static const char *from_environment(const char *name, void *ctx)
{
    (void)ctx;
    return getenv(name);
}

static struct cooldown_who identify_candidate(const struct ledger_ask *ask,
                                              const struct candidate *c)
{
    if (ask->as_called)
        c = ask->as_called(c, ask->ctx);
    return (struct cooldown_who){.tool = c->tool,
                                 .model = c->model,
                                 .account =
                                     agent_kind_account(c->tool, c->env, from_environment, NULL)};
}

static struct str make_name(const struct candidate *c, const struct cooldown_who *who,
                            struct arena *a)
{
    struct str tool = str_from(agent_kind_name(c->tool));
    const struct str parts[] = {tool, c->model, who->account, c->cli_path};
    char name[4 * (COOLDOWN_PART_MAX + 1)];
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        if (i)
            name[n++] = '|';
        n += cooldown_part(parts[i], name + n);
    }
    return arena_str(a, str_make(name, n));
}

/* A candidate may be listed twice, with different flags: number those of the same name. */
static struct ledger_name number_name(const struct ledger_choice *c, size_t i)
{
    struct ledger_name name = {c->seen[i].name, 0};
    for (size_t k = 0; k < i; k++)
        name.nth += str_eq(c->seen[k].name, name.candidate);
    return name;
}

/* The current index of the last choice. If it is gone, its successor is next. */
static size_t find_last_choice(const struct ledger_choice *c)
{
    const struct ledger_turn *t = &c->turn;
    size_t found = SELECT_NOBODY;
    int64_t nth = 0;
    if (!t->is_there)
        return SELECT_NOBODY;
    for (size_t i = 0; i < c->settings->count && nth <= t->name.nth; i++)
        if (str_eq(c->seen[i].name, t->name.candidate)) {
            found = i;
            nth++;
        }
    if (found == SELECT_NOBODY && t->place > 0 && (uint64_t)t->place <= c->settings->count)
        return (size_t)t->place - 1;
    return found;
}

/* ---- facts */

/* The worst state of its keys counts: out if any is active or probed, due if one is due and the
 * others are free. */
static unsigned rank_state(enum cooldown_state state)
{
    static const unsigned ranks[] = {
        [COOLDOWN_NONE] = 0, [COOLDOWN_DUE] = 1, [COOLDOWN_PROBING] = 2, [COOLDOWN_ACTIVE] = 3};
    return ranks[state];
}

static int64_t end_time(const struct cooldown *c, enum cooldown_state state)
{
    return state == COOLDOWN_PROBING ? c->probe_until : c->until;
}

static bool read_cooldowns(struct store *s, struct ledger_choice *c, size_t i, struct error *err)
{
    struct select_fact *fact = &c->facts[i];
    fact->cooldown = COOLDOWN_NONE;
    for (size_t k = 0; k < LEDGER_SCOPES; k++) {
        char key[COOLDOWN_KEY_MAX];
        struct ledger_cooldown r;
        cooldown_key(ledger_scopes[k], &c->seen[i].who, key);
        if (!ledger_rows_get_cooldown(s, str_from(key), &r, err))
            return false;
        enum cooldown_state state = cooldown_state(r.is_there ? &r.c : NULL, c->ask.now);
        if (rank_state(state) > rank_state(fact->cooldown) ||
            (state != COOLDOWN_NONE && state == fact->cooldown &&
             end_time(&r.c, state) > end_time(&c->seen[i].cooldown, state))) {
            fact->cooldown = state;
            c->seen[i].cooldown = r.c;
        }
    }
    return true;
}

static bool read_facts(struct store *s, struct ledger_choice *c, size_t i, struct error *err)
{
    char account[COOLDOWN_KEY_MAX];
    cooldown_key(SCOPE_ACCOUNT, &c->seen[i].who, account);
    c->facts[i].tried = c->ask.tried && c->ask.tried[i];
    if (!read_cooldowns(s, c, i, err) ||
        !ledger_rows_get_near(s, str_from(account), c->ask.now, &c->seen[i].near, err))
        return false;
    c->facts[i].near = c->seen[i].near.used > 0;
    if (c->settings->strategy != STRATEGY_LEAST_RECENT)
        return true;
    struct ledger_name name = number_name(c, i);
    return ledger_rows_get_use(s, &name, &c->facts[i].last_used, err);
}

static bool read_turn(struct store *s, struct ledger_choice *c, struct error *err)
{
    c->turn = (struct ledger_turn){.profile = utf8_head(c->d->profile, COOLDOWN_PART_MAX),
                                   .category = c->d->used};
    if (c->settings->strategy != STRATEGY_ROUND_ROBIN)
        return true;
    return ledger_rows_get_turn(s, &c->turn, &c->d->arena, err);
}

/* ---- records */

static bool claim_probe(struct store *s, const struct ledger_choice *c, struct error *err)
{
    for (size_t k = 0; k < LEDGER_SCOPES; k++) {
        char key[COOLDOWN_KEY_MAX];
        struct ledger_cooldown r;
        cooldown_key(ledger_scopes[k], &c->seen[c->d->index].who, key);
        if (!ledger_rows_get_cooldown(s, str_from(key), &r, err))
            return false;
        if (cooldown_state(r.is_there ? &r.c : NULL, c->ask.now) != COOLDOWN_DUE)
            continue;
        r.c.probe_until = ledger_later(c->ask.now, COOLDOWN_PROBE_MS);
        r.probe_by = c->d->id;
        if (!ledger_rows_put_cooldown(s, &r, err))
            return false;
    }
    return true;
}

/* Times of use must increase even if the clock does not, because they give the order. */
static int64_t choose_use_time(const struct ledger_choice *c)
{
    int64_t newest = 0;
    for (size_t i = 0; i < c->settings->count; i++)
        if (c->facts[i].last_used > newest)
            newest = c->facts[i].last_used;
    return c->ask.now > newest ? c->ask.now : ledger_later(newest, 1);
}

static bool record_use(struct store *s, struct ledger_choice *c, bool in_turn, struct error *err)
{
    if (c->d->is_probe && !c->ask.leaves_probe && !claim_probe(s, c, err))
        return false;
    struct ledger_name name = number_name(c, c->d->index);
    if (!ledger_rows_put_use(s, &name, choose_use_time(c), err))
        return false;
    c->turn.name = name;
    c->turn.place = (int64_t)c->d->index;
    return !in_turn || ledger_rows_put_turn(s, &c->turn, err);
}

static bool number_decision(struct store *s, struct decision *d, struct error *err)
{
    if (!ledger_rows_next_id(s, &d->id, err))
        return false;
    return d->id > 0 || error_set(err, ERR_IO, "the store has no counter of decisions");
}

static bool record_decision(struct store *s, const struct decision *d, struct error *err)
{
    struct buf json = {0};
    decision_write(d, &json);
    bool ok = ledger_rows_add_note(s, &(struct ledger_note){d->id, d->at, buf_str(&json)},
                                   LEDGER_MAX_DECISIONS, err) &&
              ledger_tell(s, err);
    buf_done(&json);
    return ok;
}

/* ---- choose */

static void set_candidate(struct decision *d, size_t i, const struct candidate *c,
                          const struct cooldown_who *who)
{
    d->candidates[i] = (struct decision_candidate){.tool = c->tool,
                                                   .model = arena_str(&d->arena, who->model),
                                                   .account = arena_str(&d->arena, who->account),
                                                   .weight = c->weight};
}

static void set_cooldown(struct ledger_choice *c, size_t i)
{
    struct decision_candidate *out = &c->d->candidates[i];
    out->state = c->facts[i].cooldown;
    if (out->state == COOLDOWN_NONE)
        return;
    struct cooldown *row = arena_alloc(&c->d->arena, sizeof *row);
    *row = c->seen[i].cooldown;
    out->row = row;
}

static void explain_candidates(struct ledger_choice *c, const struct select_context *context)
{
    struct decision *d = c->d;
    double shares[TOOLING_MAX_CANDIDATES];
    select_shares(c->settings, c->facts, context, shares);
    for (size_t i = 0; i < d->count; i++) {
        struct decision_candidate *out = &d->candidates[i];
        set_candidate(d, i, &c->settings->candidates[i], &c->seen[i].who);
        set_cooldown(c, i);
        out->share = shares[i];
        decision_explain(out,
                         &(struct decision_facts){c->facts[i].out, c->facts[i].cooldown,
                                                  &c->seen[i].cooldown, c->seen[i].unavailable,
                                                  c->seen[i].near.used, c->seen[i].near.until,
                                                  c->seen[i].near.window},
                         &d->arena);
        if (d->index == SELECT_NOBODY && out->back_at && (!d->back_at || out->back_at < d->back_at))
            d->back_at = out->back_at;
    }
}

static bool choose_among(struct store *s, struct ledger_choice *c, struct error *err)
{
    struct decision *d = c->d;
    d->count = c->settings->count;
    d->candidates = arena_zalloc(&d->arena, d->count * sizeof *d->candidates);
    for (size_t i = 0; i < d->count; i++)
        c->seen[i].name = make_name(&c->settings->candidates[i], &c->seen[i].who, &d->arena);
    for (size_t i = 0; i < d->count; i++)
        if (!read_facts(s, c, i, err))
            return false;
    if (!read_turn(s, c, err))
        return false;
    struct select_context context = {c->ask.rng, find_last_choice(c)};
    struct select_choice choice = select_choose(c->settings, c->facts, &context);
    d->index = choice.index;
    d->is_probe = choice.is_probe;
    d->draw = choice.draw;
    d->share = choice.share;
    d->chosen = d->index == SELECT_NOBODY ? NULL : &c->settings->candidates[d->index];
    explain_candidates(c, &context);
    if (c->ask.dry)
        return true;
    return number_decision(s, d, err) && (!d->chosen || record_use(s, c, choice.in_turn, err)) &&
           record_decision(s, d, err);
}

static bool choose_forced(struct store *s, struct ledger_choice *c, struct error *err)
{
    struct decision *d = c->d;
    const struct cooldown_who *who = &c->seen[0].who;
    d->forced = true;
    d->fallback = false;
    d->count = 1;
    d->candidates = arena_zalloc(&d->arena, sizeof *d->candidates);
    d->index = 0;
    d->draw = -1;
    d->share = 1;
    d->chosen = &d->tooling->force;
    set_candidate(d, 0, d->chosen, who);
    if (c->ask.dry)
        return true;
    struct ledger_name name = {make_name(d->chosen, who, &d->arena), 0};
    return number_decision(s, d, err) && ledger_rows_put_use(s, &name, d->at, err) &&
           record_decision(s, d, err);
}

/* Start with an empty decision: the work may run again after a damaged file was replaced. */
static void reset_decision(struct ledger_choice *c)
{
    const struct ledger_ask *ask = &c->ask;
    struct decision *d = c->d;
    arena_done(&d->arena);
    *d = (struct decision){.tooling = d->tooling, .at = ask->now, .index = SELECT_NOBODY};
    *ask->rng = c->rng;

    enum category category;
    if (!tooling_category_find(ask->category, &category) || !c->profile->categories[category].count)
        category = CATEGORY_META;
    d->used = str_from(tooling_category_name(category));
    d->category = arena_str(&d->arena, utf8_head(ask->category, CATEGORY_MAX));
    d->profile = arena_str(&d->arena, c->profile->id);
    d->run = arena_str(&d->arena, ask->run);
    d->draw = -1;
    if (c->settings) {
        d->strategy = c->settings->strategy;
        d->fallback = c->settings->fallback;
        d->cooldown_ms = c->settings->cooldown_ms;
    }
}

static bool choose_candidate(struct store *s, void *ctx, struct error *err)
{
    struct ledger_choice *c = ctx;
    reset_decision(c);
    if (c->is_forced)
        return choose_forced(s, c, err);
    if (c->settings)
        return choose_among(s, c, err);
    return c->ask.dry || (number_decision(s, c->d, err) && record_decision(s, c->d, err));
}

/* Do what needs no store, and may be slow, before the transaction. */
static void check_candidates(struct ledger_choice *c)
{
    const struct ledger_ask *ask = &c->ask;
    if (c->is_forced)
        c->seen[0].who = identify_candidate(ask, &c->d->tooling->force);
    if (c->is_forced || !c->settings)
        return;
    assert(c->settings->count <= TOOLING_MAX_CANDIDATES);
    for (size_t i = 0; i < c->settings->count; i++) {
        const struct candidate *candidate = &c->settings->candidates[i];
        c->seen[i].who = identify_candidate(ask, candidate);
        c->facts[i].unavailable =
            ask->available && !ask->available(candidate, c->seen[i].unavailable, ask->ctx);
        c->seen[i].unavailable[sizeof c->seen[i].unavailable - 1] = 0;
    }
}

struct ledger_choice *ledger_choose_new(const struct ledger_ask *ask)
{
    assert(ask->tooling && ask->rng);
    struct ledger_choice *c = mem_zalloc(sizeof *c);
    c->d = mem_zalloc(sizeof *c->d);
    c->d->tooling = tooling_ref(ask->tooling);
    c->ask = *ask;
    c->rng = *ask->rng;
    c->profile = ask->profile ? ask->profile : ask->tooling->active;
    c->is_forced = !ask->profile && ask->tooling->forced;
    enum category category = CATEGORY_META;
    tooling_category_find(ask->category, &category);
    c->settings = tooling_profile_category(c->profile, category);
    check_candidates(c);
    return c;
}

bool ledger_choose_run(struct ledger_choice *c, struct ledger *l, struct error *err)
{
    c->is_made = ledger_run(l, c->ask.dry ? STORE_READ : STORE_WRITE, choose_candidate, c, err);
    return c->is_made;
}

struct decision *ledger_choose_end(struct ledger_choice *c)
{
    struct decision *d = c->d;
    if (!c->is_made) {
        decision_free(d);
        d = NULL;
    }
    free(c);
    return d;
}

struct decision *ledger_choose(struct ledger *l, const struct ledger_ask *ask, struct error *err)
{
    struct ledger_choice *c = ledger_choose_new(ask);
    ledger_choose_run(c, l, err);
    return ledger_choose_end(c);
}
