/* The actions of `multiverse tooling` that choose and remember. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/provider.h"
#include "base/json_indent.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/store_option.h"
#include "cli/table.h"
#include "cli/tooling_view.h"
#include "tooling/simulate.h"

#define DEFAULT_DRAWS 10000u

static void put_time(struct jsonw *w, const char *key, int64_t at)
{
    char text[RFC3339_LEN + 1];
    rfc3339_format(at, text);
    jsonw_kcstr(w, key, at ? text : NULL);
}

/* ---- select */

static void put_choice(const struct decision *d, struct buf *out)
{
    struct table t = {0};
    tooling_view_put_name(out, d->chosen->tool, d->chosen->model);
    buf_printf(out, "\n\n%.*s: %s of profile %.*s", STR_ARG(d->category),
               d->forced ? "force mode" : strategy_name(d->strategy), STR_ARG(d->profile));
    if (!str_eq(d->used, d->category))
        buf_printf(out, ", with the settings of %.*s", STR_ARG(d->used));
    if (d->is_probe)
        buf_add(out, STR("; its rest is over: this is the probe"));
    buf_add_char(out, '\n');
    for (size_t i = 0; i < d->count; i++) {
        const struct decision_candidate *c = &d->candidates[i];
        table_add_str(&t, i == d->index ? STR("*") : STR(" "));
        table_add(&t, "%s", tool_kind_name(c->tool));
        table_add_str(&t, c->model);
        table_add(&t, "%g", c->weight);
        if (c->why.n)
            table_add_str(&t, c->why);
        table_end(&t);
    }
    table_right(&t, 3);
    table_put(&t, out);
    table_done(&t);
}

int tooling_select(const struct options *o)
{
    struct tooling_view v;
    struct error err = {0};
    struct buf out = {0};
    if (!tooling_view_open(&v, o))
        return v.code;
    struct ledger_ask ask = {
        .tooling = v.tooling,
        .category = str_from(o->arg_count ? o->args[0] : "meta"),
        .now = v.now,
        .rng = &v.rng,
        .available = provider_available,
        .dry = options_has(o, "dry-run"),
        .leaves_probe = true,
    };
    struct decision *d = ledger_choose(v.ledger, &ask, &err);
    int code = d && d->chosen ? COMMAND_FINE : COMMAND_FAILED;
    if (!d) {
        say_failure(&err);
    } else if (options_has(o, "json")) {
        decision_write(d, &out);
        buf_add_char(&out, '\n');
    } else if (d->chosen) {
        put_choice(d, &out);
    } else {
        struct buf why = {0};
        decision_say_nobody(d, v.now, &why);
        say_error("%.*s", STR_ARG(buf_str(&why)));
        buf_done(&why);
    }
    say_out(buf_str(&out));
    buf_done(&out);
    decision_free(d);
    tooling_view_close(&v);
    return code;
}

/* ---- simulate */

struct drawn {
    struct simulate s;
    const char *category;
};

static void put_drawn(const struct drawn *d, struct buf *out)
{
    struct table t = {0};
    bool weighted = d->s.settings->strategy == STRATEGY_WEIGHTED;
    buf_printf(out, "%s: %s, %llu draws", d->category, strategy_name(d->s.settings->strategy),
               (unsigned long long)d->s.draws);
    if (weighted)
        buf_printf(out, ", chi-squared %.3f with %zu degrees of freedom", d->s.chi, d->s.freedom);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < d->s.settings->count; i++) {
        const struct candidate *c = &d->s.settings->candidates[i];
        double share = (double)d->s.counts[i] / (double)d->s.draws;
        table_add(&t, "  %s", tool_kind_name(c->tool));
        table_add_str(&t, c->model);
        table_add(&t, "%llu", (unsigned long long)d->s.counts[i]);
        table_add(&t, "%.3f %%", share * 100);
        if (weighted) {
            table_add(&t, "weight %.3f %%", d->s.shares[i] * 100);
            table_add(&t, "%+.3f", (share - d->s.shares[i]) * 100);
        }
        table_end(&t);
    }
    for (size_t column = 2; column < 6; column++)
        table_right(&t, column);
    table_put(&t, out);
    table_done(&t);
}

static void put_drawn_json(const struct drawn *d, struct jsonw *w)
{
    bool weighted = d->s.settings->strategy == STRATEGY_WEIGHTED;
    jsonw_object(w);
    jsonw_kcstr(w, "category", d->category);
    jsonw_kcstr(w, "strategy", strategy_name(d->s.settings->strategy));
    jsonw_kint(w, "draws", (int64_t)d->s.draws);
    if (weighted) {
        jsonw_key(w, "chi_squared");
        jsonw_double(w, d->s.chi);
        jsonw_kint(w, "degrees_of_freedom", (int64_t)d->s.freedom);
    }
    jsonw_key(w, "candidates");
    jsonw_array(w);
    for (size_t i = 0; i < d->s.settings->count; i++) {
        const struct candidate *c = &d->s.settings->candidates[i];
        jsonw_object(w);
        jsonw_kcstr(w, "tool", tool_kind_name(c->tool));
        jsonw_kstr(w, "model", c->model);
        jsonw_key(w, "weight");
        jsonw_double(w, c->weight);
        if (weighted) {
            jsonw_key(w, "expected_share");
            jsonw_double(w, d->s.shares[i]);
        }
        jsonw_key(w, "share");
        jsonw_double(w, (double)d->s.counts[i] / (double)d->s.draws);
        jsonw_kint(w, "count", (int64_t)d->s.counts[i]);
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_key(w, "sequence"); /* the first draws, as indices of candidates */
    jsonw_array(w);
    for (size_t i = 0; i < SIMULATE_FIRST && i < d->s.draws; i++)
        jsonw_uint(w, d->s.first[i]);
    jsonw_end(w);
    jsonw_end(w);
}

static bool is_wanted(const struct options *o, enum category c)
{
    return !o->arg_count || str_eq(str_from(o->args[0]), str_from(category_name(c)));
}

static void simulate(struct tooling_view *v, const struct options *o, uint64_t draws,
                     struct buf *out)
{
    bool json = options_has(o, "json");
    struct jsonw w = jsonw_make(out);
    if (json) {
        jsonw_object(&w);
        jsonw_kstr(&w, "profile", v->tooling->active->id);
        jsonw_key(&w, "seed");
        jsonw_uint(&w, v->seed);
        jsonw_key(&w, "categories");
        jsonw_array(&w);
    } else {
        buf_printf(out, "profile %.*s, seed %llu\n", STR_ARG(v->tooling->active->id),
                   (unsigned long long)v->seed);
    }
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        struct drawn d = {{tooling_category(v->tooling, c), .draws = draws}, category_name(c)};
        if (!is_wanted(o, c) || !d.s.settings)
            continue;
        rng_seed(&v->rng, v->seed);
        simulate_run(&d.s, &v->rng); /* as if everybody were there and nobody rested */
        if (json)
            put_drawn_json(&d, &w);
        else
            put_drawn(&d, out);
    }
    if (json) {
        jsonw_end(&w);
        jsonw_end(&w);
        buf_add_char(out, '\n');
    }
}

int tooling_simulate(const struct options *o)
{
    struct tooling_view v;
    struct buf out = {0};
    uint64_t draws = DEFAULT_DRAWS;
    enum category known;
    options_number(o, "count", &draws);
    if (o->arg_count && !category_find(str_from(o->args[0]), &known)) {
        say_error("there is no category %s: meta, plan, task, execution, worker", o->args[0]);
        return COMMAND_USAGE;
    }
    if (!tooling_view_read(&v, o))
        return v.code;
    simulate(&v, o, draws, &out);
    say_out(buf_str(&out));
    buf_done(&out);
    tooling_view_close(&v);
    return COMMAND_FINE;
}

/* ---- cooldowns */

struct rests {
    struct table table;
    struct jsonw json;
    int64_t now;
    size_t count;
    bool as_json;
};

static void on_rest_json(const struct cooldown *c, struct rests *r)
{
    struct jsonw *w = &r->json;
    struct str rest = str_from(c->key), tool, account;
    str_cut(&rest, '|', &tool);
    str_cut(&rest, '|', &account);
    jsonw_object(w);
    jsonw_kcstr(w, "key", c->key);
    jsonw_kstr(w, "tool", tool);
    jsonw_kstr(w, "account", account);
    jsonw_kstr(w, "model", rest);
    jsonw_kcstr(w, "state", cooldown_state_name(cooldown_state(c, r->now)));
    jsonw_kcstr(w, "outcome", outcome_name(c->class));
    put_time(w, "since", c->since);
    put_time(w, "until", c->until);
    jsonw_kint(w, "failures", c->failures);
    jsonw_kcstr(w, "evidence", c->evidence);
    jsonw_kcstr(w, "message", c->message);
    jsonw_end(w);
}

static void on_rest(const struct cooldown *c, void *ctx)
{
    struct rests *r = ctx;
    char until[RFC3339_LEN + 1];
    struct buf in = {0};
    r->count++;
    if (r->as_json) {
        on_rest_json(c, r);
        return;
    }
    rfc3339_format(c->until, until);
    tooling_view_put_span(&in, r->now, c->until);
    table_add(&r->table, "%s", c->key);
    table_add(&r->table, "%s", outcome_name(c->class));
    table_add(&r->table, "%s", cooldown_state_name(cooldown_state(c, r->now)));
    table_add(&r->table, "%s", until);
    table_add_str(&r->table, buf_str(&in));
    table_add(&r->table, "%u", c->failures);
    table_add(&r->table, "%s", c->evidence);
    table_end(&r->table);
    buf_done(&in);
}

static int list_rests(struct ledger *l, bool json)
{
    static const char *const heads[] = {"TOOL|ACCOUNT|MODEL", "OUTCOME", "STATE", "UNTIL", "",
                                        "FAILURES",           "EVIDENCE"};
    struct error err = {0};
    struct buf out = {0};
    struct rests r = {.now = rfc3339_now(), .as_json = json, .json = jsonw_make(&out)};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&r.table, "%s", heads[i][0] ? heads[i] : " ");
    table_end(&r.table);
    table_right(&r.table, 5);
    if (json)
        jsonw_array(&r.json);
    bool fine = ledger_cooldowns(l, on_rest, &r, &err);
    if (!fine)
        say_failure(&err);
    else if (json)
        jsonw_end(&r.json), buf_add_char(&out, '\n');
    else if (r.count)
        table_put(&r.table, &out);
    else
        buf_add(&out, STR("nobody rests\n"));
    if (fine)
        say_out(buf_str(&out));
    table_done(&r.table);
    buf_done(&out);
    return fine ? COMMAND_FINE : COMMAND_FAILED;
}

static int clear_rests(struct ledger *l, struct str prefix, bool json)
{
    struct error err = {0};
    struct buf out = {0};
    size_t cleared = 0;
    if (!ledger_clear(l, prefix, &cleared, &err)) {
        say_failure(&err);
        return COMMAND_FAILED;
    }
    if (json)
        buf_printf(&out, "{\"cleared\":%zu}\n", cleared);
    else
        buf_printf(&out, "%zu rest%s ended", cleared, cleared == 1 ? "" : "s");
    if (!json && !cleared && prefix.n)
        buf_printf(&out, ": none begins with %.*s", STR_ARG(prefix));
    if (!json)
        buf_add_char(&out, '\n');
    say_out(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

int tooling_cooldowns(const struct options *o)
{
    struct error err = {0};
    bool clears = o->arg_count > 0;
    if (clears && !str_eq(str_from(o->args[0]), STR("clear"))) {
        say_error("tooling cooldowns cannot %s: multiverse tooling cooldowns [clear [KEY]]",
                  o->args[0]);
        return COMMAND_USAGE;
    }
    struct ledger *l = ledger_open(store_option(o), &err);
    if (!l) {
        say_failure(&err);
        return COMMAND_FAILED;
    }
    bool json = options_has(o, "json");
    int code = clears ? clear_rests(l, str_from(o->arg_count > 1 ? o->args[1] : ""), json)
                      : list_rests(l, json);
    ledger_close(l);
    return code;
}

/* ---- explain */

struct explained {
    struct buf *out;
    bool json;
    size_t count;
};

static struct str text_of(const struct json *o, const char *key)
{
    return json_str(json_get(o, str_from(key)));
}

static void add_heading(const struct json *d, struct buf *out)
{
    const struct json *choice = json_get(d, STR("choice"));
    int64_t id = 0;
    json_i64(json_get(d, STR("id")), &id);
    buf_printf(out, "#%lld %.*s %.*s: ", (long long)id, STR_ARG(text_of(d, "time")),
               STR_ARG(text_of(d, "category")));
    if (json_is(choice, JSON_OBJECT))
        buf_printf(out, "%.*s %.*s", STR_ARG(text_of(choice, "tool")),
                   STR_ARG(text_of(choice, "model")));
    else
        buf_add(out, STR("nobody"));
    bool forced = json_bool(json_get(d, STR("forced")));
    buf_printf(out, " (%.*s, profile %.*s",
               STR_ARG(forced ? STR("force mode") : text_of(d, "strategy")),
               STR_ARG(text_of(d, "profile")));
    if (json_bool(json_get(d, STR("probe"))))
        buf_add(out, STR(", a probe"));
    if (!str_eq(text_of(d, "used"), text_of(d, "category")))
        buf_printf(out, ", settings of %.*s", STR_ARG(text_of(d, "used")));
    double draw = 0;
    if (json_double(json_get(d, STR("draw")), &draw))
        buf_printf(out, ", drawn %.6f", draw);
    buf_add_char(out, ')');
}

static void add_end(const struct json *end, struct buf *out)
{
    buf_printf(out, "  ended: %.*s", STR_ARG(text_of(end, "class")));
    if (text_of(end, "evidence").n)
        buf_printf(out, " by %.*s", STR_ARG(text_of(end, "evidence")));
    if (text_of(end, "until").n)
        buf_printf(out, ", rests until %.*s", STR_ARG(text_of(end, "until")));
}

/* Names of models and signs of providers are others' words: one line, whatever they are. */
static void put_line(const struct json *v, void (*add)(const struct json *v, struct buf *out),
                     struct buf *out)
{
    struct buf line = {0};
    add(v, &line);
    say_add_line(out, buf_str(&line));
    buf_add_char(out, '\n');
    buf_done(&line);
}

static void put_decision(const struct json *d, struct buf *out)
{
    struct table t = {0};
    int64_t chosen = -1, i = 0;
    json_i64(json_get(json_get(d, STR("choice")), STR("index")), &chosen);
    put_line(d, add_heading, out);
    JSON_ITEMS (json_get(d, STR("candidates")), c) {
        double weight = 0;
        json_double(json_get(c, STR("weight")), &weight);
        table_add(&t, "  %s %.*s", i++ == chosen ? "*" : " ", STR_ARG(text_of(c, "tool")));
        table_add_str(&t, text_of(c, "model"));
        table_add(&t, "%g", weight);
        if (text_of(c, "why").n)
            table_add_str(&t, text_of(c, "why"));
        table_end(&t);
    }
    table_right(&t, 2);
    table_put(&t, out);
    table_done(&t);
    const struct json *end = json_get(d, STR("outcome"));
    if (json_is(end, JSON_OBJECT))
        put_line(end, add_end, out);
}

static void on_decision(struct str json, void *ctx)
{
    struct explained *e = ctx;
    struct arena arena = {0};
    if (e->json) {
        buf_add(e->out, json);
        buf_add_char(e->out, '\n');
    } else {
        if (e->count)
            buf_add_char(e->out, '\n');
        put_decision(json_parse(&arena, json, NULL, NULL), e->out);
    }
    e->count++;
    arena_done(&arena);
}

int tooling_explain(const struct options *o)
{
    struct error err = {0};
    struct buf out = {0};
    struct explained e = {&out, options_has(o, "json"), 0};
    uint64_t id = 0, most = 1;
    options_number(o, "count", &most);
    if (o->arg_count && (!str_to_u64(str_from(o->args[0]), &id) || !id || id > INT64_MAX)) {
        say_error("\"%s\" is no decision: it is a number, as multiverse tooling explain shows",
                  o->args[0]);
        return COMMAND_USAGE;
    }
    struct ledger *l = ledger_open(store_option(o), &err);
    int code = COMMAND_FINE;
    if (!l || !(id ? ledger_decision(l, (int64_t)id, on_decision, &e, &err)
                   : ledger_decisions(l, most, on_decision, &e, &err))) {
        say_failure(&err);
        code = COMMAND_FAILED;
    } else if (!e.count && id) {
        say_error("there is no decision %s: multiverse tooling explain -n 20 lists the last ones",
                  o->args[0]);
        code = COMMAND_FAILED;
    } else if (!e.count && !e.json) {
        buf_add(&out, STR("nothing was decided yet\n"));
    }
    say_out(buf_str(&out));
    buf_done(&out);
    ledger_close(l);
    return code;
}
