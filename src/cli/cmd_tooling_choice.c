/* `multiverse tooling select` and `simulate`. */
#include <stdlib.h>
#include <string.h>

#include "agent/provider.h"
#include "base/jsonw.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "views/tooling.h"

#define DEFAULT_DRAWS 10000u

/* ---- select */

static void put_choice(const struct decision *d, struct buf *out)
{
    struct table t = {0};
    tooling_command_put_name(out, d->chosen->tool, d->chosen->model);
    buf_printf(out, "\n\n%.*s: %s of profile %.*s", STR_ARG(d->category),
               d->forced ? "force mode" : tooling_strategy_name(d->strategy), STR_ARG(d->profile));
    if (!str_eq(d->used, d->category))
        buf_printf(out, ", with the settings of %.*s", STR_ARG(d->used));
    if (d->is_probe)
        buf_add(out, STR("; its cooldown is over: this is the probe"));
    buf_add_char(out, '\n');
    for (size_t i = 0; i < d->count; i++) {
        const struct decision_candidate *c = &d->candidates[i];
        table_add_str(&t, i == d->index ? STR("*") : STR(" "));
        table_add(&t, "%s", agent_kind_name(c->tool));
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

int cmd_tooling_choice_select(const struct options *o)
{
    struct tooling_command v;
    struct error err = {0};
    struct buf out = {0};
    if (!tooling_command_open(&v, o))
        return v.code;
    struct ledger_ask ask = {
        .tooling = v.tooling,
        .category = str_from(o->arg_count ? o->args[0] : "meta"),
        .now = v.now,
        .rng = &v.rng,
        .available = provider_is_available,
        .dry = options_has(o, "dry-run"),
        .leaves_probe = true,
    };
    struct decision *d = ledger_choose(v.ledger, &ask, &err);
    int code = d && d->chosen ? COMMAND_FINE : COMMAND_FAILED;
    if (!d) {
        terminal_print_failure(&err);
    } else if (options_has(o, "json")) {
        decision_write(d, &out);
        buf_add_char(&out, '\n');
    } else if (d->chosen) {
        put_choice(d, &out);
    } else {
        struct buf reason = {0};
        decision_say_nobody(d, v.now, &reason);
        terminal_print_error("%.*s", STR_ARG(buf_str(&reason)));
        buf_done(&reason);
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
    decision_free(d);
    tooling_command_close(&v);
    return code;
}

/* ---- simulate */

struct draw_report {
    struct simulate s;
    const char *category;
};

static void put_draw_table(const struct draw_report *d, struct buf *out)
{
    struct table t = {0};
    bool weighted = d->s.settings->strategy == STRATEGY_WEIGHTED;
    buf_printf(out, "%s: %s, %llu draws", d->category,
               tooling_strategy_name(d->s.settings->strategy), (unsigned long long)d->s.draws);
    if (weighted)
        buf_printf(out, ", chi-squared %.3f with %zu degrees of freedom", d->s.chi, d->s.freedom);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < d->s.settings->count; i++) {
        const struct candidate *c = &d->s.settings->candidates[i];
        double share = (double)d->s.counts[i] / (double)d->s.draws;
        table_add(&t, "  %s", agent_kind_name(c->tool));
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

static void put_draw_json(const struct draw_report *d, struct jsonw *w)
{
    bool weighted = d->s.settings->strategy == STRATEGY_WEIGHTED;
    jsonw_object(w);
    jsonw_kcstr(w, "category", d->category);
    jsonw_kcstr(w, "strategy", tooling_strategy_name(d->s.settings->strategy));
    jsonw_kint(w, "draws", (int64_t)d->s.draws);
    if (weighted) {
        jsonw_key(w, "chi_squared");
        jsonw_double(w, d->s.chi);
        jsonw_kint(w, "degrees_of_freedom", (int64_t)d->s.freedom);
    }
    views_tooling_put_draws(w, &d->s, VIEWS_CLI);
    jsonw_key(w, "sequence"); /* the first draws, as indices of candidates */
    jsonw_array(w);
    for (size_t i = 0; i < SIMULATE_FIRST && i < d->s.draws; i++)
        jsonw_uint(w, d->s.first[i]);
    jsonw_end(w);
    jsonw_end(w);
}

static bool is_wanted(const struct options *o, enum category c)
{
    return !o->arg_count || str_eq(str_from(o->args[0]), str_from(tooling_category_name(c)));
}

static void simulate_categories(struct tooling_command *v, const struct options *o, uint64_t draws,
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
        struct draw_report d = {{tooling_category(v->tooling, c), .draws = draws},
                                tooling_category_name(c)};
        if (!is_wanted(o, c) || !d.s.settings)
            continue;
        rng_seed(&v->rng, v->seed);
        simulate_run(&d.s, &v->rng); /* as if every candidate were available */
        if (json)
            put_draw_json(&d, &w);
        else
            put_draw_table(&d, out);
    }
    if (json) {
        jsonw_end(&w);
        jsonw_end(&w);
        buf_add_char(out, '\n');
    }
}

int cmd_tooling_choice_simulate(const struct options *o)
{
    struct tooling_command v;
    struct buf out = {0};
    uint64_t draws = DEFAULT_DRAWS;
    enum category known;
    options_number(o, "count", &draws);
    if (o->arg_count && !tooling_category_find(str_from(o->args[0]), &known)) {
        terminal_print_error("unknown category %s: use meta, plan, task, execution or worker",
                             o->args[0]);
        return COMMAND_USAGE;
    }
    if (!tooling_command_read(&v, o))
        return v.code;
    simulate_categories(&v, o, draws, &out);
    terminal_write(buf_str(&out));
    buf_done(&out);
    tooling_command_close(&v);
    return COMMAND_FINE;
}
