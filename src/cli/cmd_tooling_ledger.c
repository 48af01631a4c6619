/* `multiverse tooling cooldowns` and `explain`: what the ledger of all processes holds. */
#include <stdlib.h>
#include <string.h>

#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/store_option.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "views/tooling.h"

/* ---- cooldowns */

struct cooldown_report {
    struct table table;
    struct jsonw json;
    int64_t now;
    size_t count;
    bool as_json;
};

static void on_cooldown(const struct cooldown *c, void *ctx)
{
    struct cooldown_report *r = ctx;
    char until[RFC3339_LEN + 1];
    struct buf in = {0};
    r->count++;
    if (r->as_json) {
        views_tooling_put_cooldown(&r->json, c, cooldown_state(c, r->now), VIEWS_CLI);
        return;
    }
    rfc3339_format(c->until, until);
    duration_put_relative(&in, r->now, c->until);
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

static int list_cooldowns(struct ledger *l, bool json)
{
    static const char *const heads[] = {"TOOL|ACCOUNT|MODEL", "OUTCOME", "STATE", "UNTIL", "",
                                        "FAILURES",           "EVIDENCE"};
    struct error err = {0};
    struct buf out = {0};
    struct cooldown_report r = {.now = rfc3339_now(), .as_json = json, .json = jsonw_make(&out)};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&r.table, "%s", heads[i][0] ? heads[i] : " ");
    table_end(&r.table);
    table_right(&r.table, 5);
    if (json)
        jsonw_array(&r.json);
    bool fine = ledger_cooldowns(l, on_cooldown, &r, &err);
    if (!fine)
        terminal_print_failure(&err);
    else if (json)
        jsonw_end(&r.json), buf_add_char(&out, '\n');
    else if (r.count)
        table_put(&r.table, &out);
    else
        buf_add(&out, STR("no cooldowns\n"));
    if (fine)
        terminal_write(buf_str(&out));
    table_done(&r.table);
    buf_done(&out);
    return fine ? COMMAND_FINE : COMMAND_FAILED;
}

static int clear_cooldowns(struct ledger *l, struct str prefix, bool json)
{
    struct error err = {0};
    struct buf out = {0};
    size_t cleared = 0;
    if (!ledger_clear(l, prefix, &cleared, &err)) {
        terminal_print_failure(&err);
        return COMMAND_FAILED;
    }
    if (json)
        buf_printf(&out, "{\"cleared\":%zu}\n", cleared);
    else
        buf_printf(&out, "%zu cooldown%s ended", cleared, cleared == 1 ? "" : "s");
    if (!json && !cleared && prefix.n)
        buf_printf(&out, ": none begins with %.*s", STR_ARG(prefix));
    if (!json)
        buf_add_char(&out, '\n');
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

int cmd_tooling_ledger_cooldowns(const struct options *o)
{
    struct error err = {0};
    bool clears = o->arg_count > 0;
    if (clears && !str_eq(str_from(o->args[0]), STR("clear"))) {
        terminal_print_error(
            "tooling cooldowns: unknown action %s: multiverse tooling cooldowns [clear [KEY]]",
            o->args[0]);
        return COMMAND_USAGE;
    }
    struct ledger *l = ledger_open(store_option(o), &err);
    if (!l) {
        terminal_print_failure(&err);
        return COMMAND_FAILED;
    }
    bool json = options_has(o, "json");
    int code = clears ? clear_cooldowns(l, str_from(o->arg_count > 1 ? o->args[1] : ""), json)
                      : list_cooldowns(l, json);
    ledger_close(l);
    return code;
}

/* ---- explain */

struct decision_report {
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
        buf_add(out, STR("no candidate"));
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
        buf_printf(out, ", cooldown until %.*s", STR_ARG(text_of(end, "until")));
}

/* Names of models and evidence of providers may contain anything: keep them on one line. */
static void put_line(const struct json *v, void (*add)(const struct json *v, struct buf *out),
                     struct buf *out)
{
    struct buf line = {0};
    add(v, &line);
    terminal_escape(out, buf_str(&line));
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

static void print_decision(struct str json, void *ctx)
{
    struct decision_report *e = ctx;
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

int cmd_tooling_ledger_explain(const struct options *o)
{
    struct error err = {0};
    struct buf out = {0};
    struct decision_report e = {&out, options_has(o, "json"), 0};
    uint64_t id = 0, most = 1;
    options_number(o, "count", &most);
    if (o->arg_count && (!str_to_u64(str_from(o->args[0]), &id) || !id || id > INT64_MAX)) {
        terminal_print_error(
            "\"%s\" is not the number of a decision: multiverse tooling explain shows the numbers",
            o->args[0]);
        return COMMAND_USAGE;
    }
    struct ledger *l = ledger_open(store_option(o), &err);
    int code = COMMAND_FINE;
    if (!l || !(id ? ledger_decision(l, (int64_t)id, print_decision, &e, &err)
                   : ledger_decisions(l, &(struct ledger_want){.most = most}, print_decision, &e,
                                      &err))) {
        terminal_print_failure(&err);
        code = COMMAND_FAILED;
    } else if (!e.count && id) {
        terminal_print_error(
            "decision %s does not exist: multiverse tooling explain -n 20 lists the last ones",
            o->args[0]);
        code = COMMAND_FAILED;
    } else if (!e.count && !e.json) {
        buf_add(&out, STR("no decisions yet: a run or multiverse tooling select makes one\n"));
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
    ledger_close(l);
    return code;
}
