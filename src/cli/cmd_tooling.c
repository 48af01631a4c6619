/* `multiverse tooling show`, `validate`, `set-profile`, `force`: the configuration. */
#include <stdlib.h>
#include <string.h>

#include "agent/provider.h"
#include "base/file.h"
#include "base/jsonw.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "views/tooling.h"

#define MAX_FILE (4u << 20)

static int print_failure(const struct error *err, int code)
{
    terminal_print_failure(err);
    return code;
}

/* ---- show */

static void put_state(struct buf *out, const struct decision_candidate *c)
{
    if (c->out == SELECT_IN)
        buf_add(out, STR("ready"));
    else
        buf_add(out, c->why.n ? c->why : str_from(select_out_name(c->out)));
}

static void add_rows(struct table *t, const struct decision *d)
{
    double sum = views_tooling_weight_sum(d);
    for (size_t i = 0; i < d->count; i++) {
        const struct decision_candidate *c = &d->candidates[i];
        struct buf state = {0};
        put_state(&state, c);
        table_add_str(t, i == 0 ? d->category : STR(" "));
        table_add_str(t, i           ? STR(" ")
                         : d->forced ? STR("force")
                                     : str_from(tooling_strategy_name(d->strategy)));
        table_add(t, "%s", agent_kind_name(c->tool));
        table_add_str(t, c->model);
        table_add(t, "%g", c->weight);
        if (d->strategy == STRATEGY_WEIGHTED && !d->forced)
            table_add(t, "%.1f %%", sum > 0 ? c->weight * 100 / sum : 0.0);
        else
            table_add_str(t, STR("")); /* weights only say which candidates are disabled */
        table_add_str(t, c->account);
        table_add_str(t, buf_str(&state));
        table_end(t);
        buf_done(&state);
    }
}

static void put_head(struct buf *out, const struct tooling_command *v)
{
    const struct tooling *t = v->tooling;
    buf_printf(out, "profile  %.*s", STR_ARG(t->active->id));
    buf_add(out, STR(" (of "));
    for (size_t i = 0; i < t->profile_count; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(t->profiles[i].id));
    buf_add(out, STR(")\nforce    "));
    if (t->forced)
        tooling_command_put_name(out, t->force.tool, t->force.model);
    else
        buf_add(out, STR("off"));
    buf_printf(out, "\nfile     %s%s\n\n", tooling_file_path(v->file),
               tooling_file_is_default(v->file) ? " (does not exist: the built-in default is used)"
                                                : "");
}

static bool show_table(struct tooling_command *v, struct buf *out)
{
    static const char *const heads[] = {"CATEGORY", "STRATEGY", "TOOL",    "MODEL",
                                        "WEIGHT",   "SHARE",    "ACCOUNT", "STATE"};
    struct table t = {0};
    bool fine = true;
    put_head(out, v);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&t, "%s", heads[i]);
    table_end(&t);
    table_right(&t, 4);
    table_right(&t, 5);
    for (enum category c = 0; c < CATEGORY_COUNT && fine; c++) {
        struct decision *d = tooling_command_decide(v, str_from(tooling_category_name(c)));
        fine = d != NULL;
        if (d)
            add_rows(&t, d);
        decision_free(d);
    }
    table_put(&t, out);
    table_done(&t);
    return fine;
}

static void put_overview(struct jsonw *w, const struct tooling_command *v)
{
    const struct tooling *t = v->tooling;
    jsonw_kcstr(w, "file", tooling_file_path(v->file));
    jsonw_kbool(w, "is_default", tooling_file_is_default(v->file));
    jsonw_kcstr(w, "fault", tooling_file_error(v->file) ? tooling_file_error(v->file)->text : NULL);
    jsonw_kstr(w, "active_profile", t->active->id);
    jsonw_key(w, "profiles");
    jsonw_array(w);
    for (size_t i = 0; i < t->profile_count; i++)
        jsonw_str(w, t->profiles[i].id);
    jsonw_end(w);
    views_tooling_put_force(w, t, VIEWS_CLI);
    jsonw_key(w, "warnings");
    jsonw_array(w);
    for (size_t i = 0; i < t->warning_count; i++)
        jsonw_str(w, t->warnings[i]);
    jsonw_end(w);
}

static bool show_json(struct tooling_command *v, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    struct views_tooling view = {v->tooling, v->ledger, v->now, v->seed};
    struct error err = {0};
    jsonw_object(&w);
    put_overview(&w, v);
    if (!views_tooling_put_categories(&w, &view, &err)) {
        terminal_print_failure(&err);
        return false;
    }
    jsonw_end(&w);
    buf_add_char(out, '\n');
    return true;
}

static int print_tooling(const struct options *o)
{
    struct tooling_command v;
    struct buf out = {0};
    if (!tooling_command_open(&v, o))
        return v.code;
    bool json = options_has(o, "json");
    for (size_t i = 0; i < v.tooling->warning_count && !json; i++)
        terminal_print_warning("%.*s", STR_ARG(v.tooling->warnings[i]));
    bool fine = json ? show_json(&v, &out) : show_table(&v, &out);
    if (fine)
        terminal_write(buf_str(&out));
    buf_done(&out);
    tooling_command_close(&v);
    return fine ? COMMAND_FINE : COMMAND_FAILED;
}

/* ---- validate */

static bool read_document(const char *path, struct doc *doc, struct error *err)
{
    struct buf text = {0};
    struct str name = str_from(path);
    bool yaml = str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml"));
    struct doc_source source = {path, yaml ? DOC_YAML : DOC_JSON};
    bool fine =
        file_read(path, MAX_FILE, &text, err) && doc_read(doc, buf_str(&text), &source, err);
    buf_done(&text);
    return fine;
}

/* A Task YAML has it under runner.tooling. */
static struct str place_of(const struct doc *doc)
{
    return json_get(json_get(doc->root, STR("runner")), STR("tooling")) ? STR("/runner/tooling")
                                                                        : STR("");
}

static void put_validity(const char *path, const struct tooling *t, const struct error *err,
                         bool json)
{
    struct buf out = {0};
    if (json) {
        struct jsonw w = jsonw_make(&out);
        jsonw_object(&w);
        jsonw_kcstr(&w, "file", path);
        jsonw_kbool(&w, "valid", t != NULL);
        jsonw_kcstr(&w, "error", t ? NULL : err->text);
        jsonw_key(&w, "warnings");
        jsonw_array(&w);
        for (size_t i = 0; t && i < t->warning_count; i++)
            jsonw_str(&w, t->warnings[i]);
        jsonw_end(&w);
        jsonw_end(&w);
        buf_add_char(&out, '\n');
    } else if (t) {
        for (size_t i = 0; i < t->warning_count; i++)
            terminal_print_warning("%.*s", STR_ARG(t->warnings[i]));
        buf_printf(&out, "%s is valid: %zu profile%s, %.*s is active%s\n", path, t->profile_count,
                   t->profile_count == 1 ? "" : "s", STR_ARG(t->active->id),
                   t->forced ? ", force mode is on" : "");
    } else {
        terminal_print_failure(err);
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
}

/* A task without runner.tooling uses the user's own file, which this does not check. */
static bool has_tooling(const struct doc *doc, const char *path, struct error *err)
{
    if (!json_get(doc->root, STR("task")) || place_of(doc).n)
        return true;
    return error_set(err, ERR_CONFIG_VALIDATION,
                     "%s: this task has no runner.tooling, so there is nothing to check", path);
}

static int validate_file(const char *path, bool json)
{
    struct doc doc = {0};
    struct error err = {0};
    struct tooling *t = NULL;
    if (read_document(path, &doc, &err) && has_tooling(&doc, path, &err))
        t = tooling_read(&doc, place_of(&doc), &err);
    if (t && !provider_check_all(&doc, place_of(&doc), t, &err)) {
        tooling_unref(t);
        t = NULL;
    }
    put_validity(path, t, &err, json);
    int code = t ? COMMAND_FINE : COMMAND_USAGE;
    tooling_unref(t);
    doc_done(&doc);
    return code;
}

static int validate_given(const struct options *o)
{
    struct error err = {0};
    bool json = options_has(o, "json");
    const char *path = o->arg_count ? o->args[0] : options_text(o, "file");
    if (path)
        return validate_file(path, json);
    struct buf own = {0};
    if (!tooling_file_own(&own, &err))
        return print_failure(&err, COMMAND_USAGE);
    int code = COMMAND_FINE;
    if (file_exists(own.p)) {
        code = validate_file(own.p, json);
    } else {
        struct tooling *t = tooling_default();
        put_validity("the built-in default", t, NULL, json);
        tooling_unref(t);
    }
    buf_done(&own);
    return code;
}

/* ---- change */

static struct tooling_file *open_for_change(const struct options *o)
{
    struct error err = {0};
    struct tooling_file *f = tooling_file_open(options_text(o, "file"), &err);
    if (!f)
        terminal_print_failure(&err);
    return f;
}

/* Print the configuration after a change. */
static int print_changed(struct tooling_file *f, const struct options *o)
{
    const struct tooling *t = tooling_file_current(f);
    struct buf out = {0};
    if (options_has(o, "json")) {
        struct jsonw w = jsonw_make(&out);
        jsonw_object(&w);
        jsonw_kcstr(&w, "file", tooling_file_path(f));
        jsonw_kstr(&w, "active_profile", t->active->id);
        views_tooling_put_force(&w, t, VIEWS_CLI);
        jsonw_end(&w);
        buf_add_char(&out, '\n');
    } else {
        buf_add(&out, STR("set: force mode is "));
        if (t->forced)
            tooling_command_put_name(&out, t->force.tool, t->force.model);
        else
            buf_add(&out, STR("off"));
        buf_printf(&out, ", the active profile %.*s (%s)\n", STR_ARG(t->active->id),
                   tooling_file_path(f));
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

static int set_profile(const struct options *o)
{
    struct error err = {0};
    struct str id = str_from(o->args[0]);
    struct tooling_file *f = open_for_change(o);
    if (!f)
        return COMMAND_USAGE;
    int code = tooling_file_set_profile(f, id, &err)
                   ? print_changed(f, o)
                   : print_failure(&err, err.code == ERR_IO ? COMMAND_FAILED : COMMAND_USAGE);
    tooling_file_close(f);
    return code;
}

static bool read_force(const struct options *o, struct tooling_file_force *set_force)
{
    struct str first = str_from(o->args[0]);
    set_force->enabled = !str_eq(first, STR("off"));
    if (str_eq(first, STR("off")) || str_eq(first, STR("on"))) {
        if (o->arg_count == 1)
            return true;
        terminal_print_error(
            "tooling force %s takes no further argument: multiverse tooling force TOOL MODEL",
            o->args[0]);
        return false;
    }
    if (agent_kind_find(first) == AGENT_NONE) {
        terminal_print_error(
            "unknown agent %s: use codex-cli, claude-code, gemini-cli, cursor-cli, "
            "openai-chat or mock, or on, off",
            o->args[0]);
        return false;
    }
    set_force->tool = first;
    set_force->model = o->arg_count > 1 ? str_from(o->args[1]) : (struct str){0};
    return true;
}

static int set_force(const struct options *o)
{
    struct error err = {0};
    struct tooling_file_force wanted = {0};
    if (!read_force(o, &wanted))
        return COMMAND_USAGE;
    struct tooling_file *f = open_for_change(o);
    if (!f)
        return COMMAND_USAGE;
    int code = tooling_file_set_force(f, &wanted, &err)
                   ? print_changed(f, o)
                   : print_failure(&err, err.code == ERR_IO ? COMMAND_FAILED : COMMAND_USAGE);
    tooling_file_close(f);
    return code;
}

const struct command_action tooling_actions[] = {
    {"show", "", "candidates now: shares, who is unavailable and why", "json file store", 0, 0,
     print_tooling},
    {"validate", "[FILE]", "check a tooling.json, or the runner.tooling of a Task YAML",
     "json file", 0, 1, validate_given},
    {"select", "[CATEGORY]", "choose a candidate and print why (default meta)",
     "json file store seed dry-run", 0, 1, cmd_tooling_choice_select},
    {"simulate", "[CATEGORY]", "choose many times: compare shares with weights",
     "json file seed count", 0, 1, cmd_tooling_choice_simulate},
    {"set-profile", "ID", "make this profile the active one", "json file", 1, 1, set_profile},
    {"force", "on|off|TOOL [MODEL]", "one candidate for everything, or back to normal", "json file",
     1, 2, set_force},
    {"cooldowns", "[clear [KEY]]", "cooldowns, until when and why; end them", "json store", 0, 2,
     cmd_tooling_ledger_cooldowns},
    {"explain", "[ID]", "the last decisions, or one: candidates, draw, outcome", "json store count",
     0, 1, cmd_tooling_ledger_explain},
    {"doctor", "", "installed agents, their versions, whether they are signed in", "json file", 0,
     0, cmd_tooling_agents_doctor},
    {"classify", "[FILE|-]", "classify recorded runs: JSON lines in, outcomes out", "", 0, 1,
     cmd_tooling_agents_classify},
    {0},
};
