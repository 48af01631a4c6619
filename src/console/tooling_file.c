/* tooling.json: show it, check a text, save a text, change one setting. */
#include "agent/provider.h"
#include "base/file.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "console/tooling_internal.h"

#define MAX_TRIES 5 /* of a change, while others change the file */

/* ---- texts */

static bool is_yaml(const char *path)
{
    struct str name = str_from(path);
    return str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml"));
}

void console_tooling_file_read_text(const struct console_tooling *t, struct str text,
                                    struct console_tooling_text *out)
{
    struct doc doc = {0};
    bool yaml = t->path && is_yaml(t->path);
    struct doc_source source = {yaml ? "tooling.yaml" : "tooling.json", yaml ? DOC_YAML : DOC_JSON};
    *out = (struct console_tooling_text){0};
    if (doc_read(&doc, text, &source, &out->fault))
        out->tooling = tooling_read(&doc, STR(""), &out->fault);
    if (out->tooling)
        provider_check_all(&doc, STR(""), out->tooling, &out->fault);
    doc_done(&doc);
}

static void put_fault(struct jsonw *w, const struct error *fault)
{
    jsonw_key(w, "fault");
    if (fault && fault->code != ERR_NONE)
        api_put_fault(w, fault);
    else
        jsonw_null(w);
}

/* ---- GET */

struct shown_file {
    struct tooling_file *file; /* NULL: it is invalid, and there is no good copy */
    struct buf raw;            /* its text then */
    struct str text;           /* p NULL: it cannot be read */
    struct console_tooling_text meant;
    struct error fault;
    struct tooling *in_use; /* NULL: nothing can be chosen */
};

static void read_shown(const struct console_tooling_question *q, struct shown_file *s)
{
    const char *path = q->owner->path;
    *s = (struct shown_file){.raw = buf_make(DOC_MAX_BYTES)};
    s->file = tooling_file_open(path, &s->fault);
    if (s->file)
        s->text = tooling_file_text(s->file);
    else if (file_read(path, DOC_MAX_BYTES, &s->raw, NULL))
        s->text = str_make(s->raw.p ? s->raw.p : "", s->raw.n);
    if (s->text.p)
        console_tooling_file_read_text(q->owner, s->text, &s->meant);
    const struct error *fault = s->file ? tooling_file_error(s->file) : NULL;
    if (s->text.p)
        s->fault = s->meant.fault; /* with the short name of the file */
    else if (fault)
        s->fault = *fault;
    if (s->file)
        s->in_use = fault || !s->meant.tooling ? tooling_file_current(s->file) : s->meant.tooling;
}

static void shown_done(struct shown_file *s)
{
    tooling_unref(s->meant.tooling);
    tooling_file_close(s->file);
    buf_done(&s->raw);
}

static const char *in_use(const struct shown_file *s)
{
    if (!s->file)
        return NULL;
    if (tooling_file_error(s->file))
        return "last_good";
    return tooling_file_is_default(s->file) ? "default" : "file";
}

static void put_file(struct jsonw *w, const char *path, const struct shown_file *s)
{
    jsonw_kcstr(w, "path", path);
    jsonw_kbool(w, "exists", !s->file || !tooling_file_is_default(s->file));
    jsonw_key(w, "text");
    if (s->text.p)
        jsonw_str(w, s->text);
    else
        jsonw_null(w);
    jsonw_kcstr(w, "in_use", in_use(s));
    put_fault(w, &s->fault);
}

static void put_tools(struct jsonw *w)
{
    jsonw_key(w, "tools");
    jsonw_array(w);
    for (enum agent_kind k = AGENT_NONE + 1; k < AGENT_KIND_COUNT; k++) {
        jsonw_object(w);
        jsonw_kcstr(w, "name", agent_kind_name(k));
        jsonw_kcstr(w, "about", agent_kind_row(k)->about);
        jsonw_end(w);
    }
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

struct cooldown_list {
    struct jsonw *w;
    int64_t now;
};

static void on_cooldown(const struct cooldown *c, void *ctx)
{
    const struct cooldown_list *l = ctx;
    enum cooldown_state state = cooldown_state(c, l->now);
    if (state != COOLDOWN_NONE)
        views_tooling_put_cooldown(l->w, c, state, VIEWS_API);
}

static bool put_cooldowns(struct jsonw *w, const struct views_tooling *v, struct error *err)
{
    jsonw_key(w, "rests");
    jsonw_array(w);
    if (!ledger_cooldowns(v->ledger, on_cooldown, &(struct cooldown_list){w, v->now}, err))
        return false;
    jsonw_end(w);
    return true;
}

static bool put_view(struct jsonw *w, const struct views_tooling *v, struct error *err)
{
    jsonw_key(w, "view");
    if (!v->tooling) {
        jsonw_null(w);
        return true;
    }
    jsonw_object(w);
    jsonw_kstr(w, "active_profile", v->tooling->active->id);
    views_tooling_put_force(w, v->tooling, VIEWS_API);
    put_warnings(w, v->tooling);
    bool ok = views_tooling_put_profiles(w, v, err);
    jsonw_end(w);
    return ok;
}

static void show_file(struct console_tooling_question *q)
{
    struct shown_file s;
    struct ledger *l = console_tooling_check_path(q) ? console_tooling_open_ledger(q) : NULL;
    if (!l)
        return;
    read_shown(q, &s);
    struct views_tooling view = {s.in_use, l, rfc3339_now(), 1};
    struct jsonw w = jsonw_make(&q->out);
    jsonw_object(&w);
    put_file(&w, q->owner->path, &s);
    put_tools(&w);
    jsonw_kint(&w, "now", view.now);
    if (put_view(&w, &view, &q->err) && put_cooldowns(&w, &view, &q->err))
        jsonw_end(&w);
    else
        console_tooling_fail_ledger(q);
    shown_done(&s);
    ledger_close(l);
}

/* ---- check */

static void check_text(struct console_tooling_question *q)
{
    struct console_tooling_text meant;
    console_tooling_file_read_text(q->owner, q->text, &meant);
    struct views_tooling view = {meant.tooling, NULL, rfc3339_now(), 1};
    struct jsonw w = jsonw_make(&q->out);
    if (view.tooling)
        view.ledger = console_tooling_open_ledger(q);
    if (view.ledger || !view.tooling) {
        jsonw_object(&w);
        put_fault(&w, &meant.fault);
        if (put_view(&w, &view, &q->err))
            jsonw_end(&w);
        else
            console_tooling_fail_ledger(q);
    }
    ledger_close(view.ledger);
    tooling_unref(meant.tooling);
}

/* ---- save */

/* Is `seen` the text as a page shows it, with U+FFFD for invalid UTF-8? */
static bool is_shown_as(struct str raw, struct str seen)
{
    struct arena arena = {0};
    struct buf json = buf_make(DOC_MAX_BYTES * 8);
    struct jsonw w = jsonw_make(&json);
    jsonw_str(&w, raw);
    bool is = str_eq(json_str(json_parse(&arena, buf_str(&json), NULL, NULL)), seen);
    arena_done(&arena);
    buf_done(&json);
    return is;
}

static void set_conflict(struct console_tooling_question *q)
{
    struct buf now = buf_make(DOC_MAX_BYTES);
    q->is_conflict = true;
    q->exists = file_read(q->owner->path, DOC_MAX_BYTES, &now, NULL);
    buf_add(&q->out, q->exists ? buf_str(&now) : tooling_default_text());
    buf_done(&now);
}

static void write_text(struct console_tooling_question *q)
{
    struct buf raw = buf_make(DOC_MAX_BYTES);
    struct str seen = q->seen;
    bool is_there = file_read(q->owner->path, DOC_MAX_BYTES, &raw, NULL);
    if (is_there && !utf8_is_valid(buf_str(&raw)) && is_shown_as(buf_str(&raw), seen))
        seen = buf_str(&raw);
    if (tooling_file_repair(q->owner->path, q->text, seen, &q->err)) {
        struct jsonw w = jsonw_make(&q->out);
        jsonw_object(&w);
        jsonw_kstr(&w, "text", q->text);
        jsonw_end(&w);
    } else if (q->err.code == ERR_CONFLICT) {
        set_conflict(q);
    }
    buf_done(&raw);
}

static void save_text(struct console_tooling_question *q)
{
    struct console_tooling_text meant;
    if (!console_tooling_check_path(q))
        return;
    console_tooling_file_read_text(q->owner, q->text, &meant);
    if (meant.fault.code != ERR_NONE)
        q->err = meant.fault;
    else
        write_text(q);
    tooling_unref(meant.tooling);
}

/* ---- changing one setting */

typedef bool change_fn(struct tooling_file *f, const struct console_tooling_question *q,
                       struct error *err);

/* If somebody else changes the file meanwhile, apply the change to the new text. */
static void change_file(struct console_tooling_question *q, change_fn *fn)
{
    if (!console_tooling_check_path(q))
        return;
    for (int i = 0; i < MAX_TRIES; i++) {
        q->err = (struct error){0};
        struct tooling_file *f = tooling_file_open(q->owner->path, &q->err);
        bool ok = f && fn(f, q, &q->err);
        tooling_file_close(f);
        if (ok)
            buf_add(&q->out, STR("{}"));
        if (ok || q->err.code != ERR_CONFLICT)
            return;
    }
}

static bool change_profile(struct tooling_file *f, const struct console_tooling_question *q,
                           struct error *err)
{
    return tooling_file_set_profile(f, q->id, err);
}

static bool change_force(struct tooling_file *f, const struct console_tooling_question *q,
                         struct error *err)
{
    return tooling_file_set_force(f, &q->force, err);
}

static void set_profile(struct console_tooling_question *q)
{
    change_file(q, change_profile);
}

static void set_force(struct console_tooling_question *q)
{
    change_file(q, change_force);
}

/* ---- routes */

static void on_show(struct api *a, void *ctx)
{
    console_tooling_queue_question(console_tooling_new_question(ctx, a, show_file));
}

static bool take_text(struct api *a, const char *name, struct str *out)
{
    if (!api_text(a, name, out))
        return false;
    if (out->n <= DOC_MAX_BYTES)
        return true;
    api_refuse(a, 413, ERR_LIMIT, "%s is too long: at most %u MiB.", name, DOC_MAX_BYTES >> 20);
    return false;
}

static void on_check(struct api *a, void *ctx)
{
    struct str text;
    if (!take_text(a, "text", &text))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, check_text);
    q->text = text;
    console_tooling_queue_question(q);
}

static void on_save(struct api *a, void *ctx)
{
    struct str text, seen;
    if (!take_text(a, "text", &text) || !take_text(a, "seen", &seen))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, save_text);
    q->is_change = true;
    q->text = text;
    q->seen = str_make(seen.n ? seen.p : "", seen.n); /* p NULL would mean any text */
    console_tooling_queue_question(q);
}

static void on_profile(struct api *a, void *ctx)
{
    struct str id;
    if (!api_text(a, "id", &id))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, set_profile);
    q->is_change = true;
    q->id = id;
    console_tooling_queue_question(q);
}

static void on_force(struct api *a, void *ctx)
{
    struct tooling_file_force force = {0};
    if (!api_bool(a, "enabled", &force.enabled) || !api_text_or(a, "tool", &force.tool) ||
        !api_text_or(a, "model", &force.model))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, set_force);
    q->is_change = true;
    q->force = force;
    console_tooling_queue_question(q);
}

void console_tooling_file_routes(struct console_tooling *t)
{
    api_get(t->console, "/api/tooling", on_show, t);
    api_post(t->console, "/api/tooling/check", on_check, t);
    api_post(t->console, "/api/tooling/save", on_save, t);
    api_post(t->console, "/api/tooling/profile", on_profile, t);
    api_post(t->console, "/api/tooling/force", on_force, t);
}
