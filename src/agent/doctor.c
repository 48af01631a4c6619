#include "agent/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "process/process.h"

/* ---- which candidates */

static const char *get_variable(const char *name, void *ctx)
{
    (void)ctx;
    return getenv(name);
}

struct str doctor_account(const struct candidate *c)
{
    return agent_kind_account(c->tool, c->env, get_variable, NULL);
}

/* Whether both start the same program with the same account (DOCTOR_ALL) or env. */
static bool is_same(const struct candidate *a, const struct candidate *b, enum doctor_scope scope)
{
    if (a->tool != b->tool || !str_eq(a->cli_path, b->cli_path))
        return false;
    if (scope == DOCTOR_ALL)
        return str_eq(doctor_account(a), doctor_account(b));
    return a->env == b->env || (a->env && b->env && json_equal(a->env, b->env));
}

struct doctor_list {
    struct doctor_entry *all;
    size_t count;
    enum doctor_scope scope;
};

/* Return the index of the candidate, added if it is new, or DOCTOR_MAX if the list is full. */
static size_t add_candidate(struct doctor_list *w, const struct candidate *c)
{
    size_t k = 0;
    while (k < w->count && !is_same(w->all[k].candidate, c, w->scope))
        k++;
    if (k == w->count && k < DOCTOR_MAX)
        w->all[w->count++] = (struct doctor_entry){.candidate = c};
    return k;
}

static void add_profile(struct doctor_list *w, const struct tooling_profile *p, bool is_active)
{
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        const struct tooling_category *s = tooling_profile_category(p, c);
        for (size_t i = 0; s && i < s->count; i++) {
            size_t k = add_candidate(w, &s->candidates[i]);
            if (k < DOCTOR_MAX)
                w->all[k].categories[c] |= is_active && s->candidates[i].weight > 0;
        }
    }
}

size_t doctor_list_candidates(const struct tooling *t, enum doctor_scope scope,
                              struct doctor_entry all[DOCTOR_MAX])
{
    struct doctor_list w = {all, 0, scope};
    add_profile(&w, t->active, true);
    if (scope == DOCTOR_ACTIVE && t->forced) {
        w.count -= w.count == DOCTOR_MAX;
        all[w.count++] = (struct doctor_entry){.candidate = &t->force};
    }
    if (scope == DOCTOR_ACTIVE)
        return w.count;
    if (t->force.tool != AGENT_NONE)
        add_candidate(&w, &t->force);
    for (size_t i = 0; i < t->profile_count; i++)
        add_profile(&w, &t->profiles[i], false);
    return w.count;
}

/* ---- health as JSON */

void doctor_write_health(struct jsonw *w, const struct provider_health *h, struct str account)
{
    jsonw_kbool(w, "found", h->found);
    jsonw_kcstr(w, "path", h->path[0] ? h->path : NULL);
    jsonw_kcstr(w, "version", h->version[0] ? h->version : NULL);
    jsonw_kstr(w, "account", account);
    jsonw_kcstr(w, "signed_in", h->signed_in);
    jsonw_kbool(w, "usable", h->usable);
}

static void copy_text(char *to, size_t size, const struct json *v)
{
    struct str text = str_head(json_str(v), size - 1);
    if (text.n)
        memcpy(to, text.p, text.n);
    to[text.n] = 0;
}

bool doctor_read_reply(struct str answer, struct provider_health *out)
{
    struct arena arena = {0};
    const struct json *v = json_parse(&arena, answer, NULL, NULL);
    bool ok = json_is(json_get(v, STR("found")), JSON_BOOL) &&
              json_is(json_get(v, STR("signed_in")), JSON_STRING);
    if (ok) {
        out->found = json_bool(json_get(v, STR("found")));
        out->usable = json_bool(json_get(v, STR("usable")));
        copy_text(out->path, sizeof out->path, json_get(v, STR("path")));
        copy_text(out->version, sizeof out->version, json_get(v, STR("version")));
        copy_text(out->account, sizeof out->account, json_get(v, STR("account")));
        copy_text(out->signed_in, sizeof out->signed_in, json_get(v, STR("signed_in")));
    }
    arena_done(&arena);
    return ok;
}

/* ---- the child */

/* The request is a configuration with one candidate, so that tooling_read() checks it. */
void doctor_write_request(const struct candidate *c, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "activeProfile", "doctor");
    jsonw_key(&w, "profiles");
    jsonw_array(&w);
    jsonw_object(&w);
    jsonw_kcstr(&w, "id", "doctor");
    jsonw_key(&w, "categories");
    jsonw_object(&w);
    jsonw_key(&w, "meta");
    jsonw_object(&w);
    jsonw_key(&w, "candidates");
    jsonw_array(&w);
    jsonw_object(&w);
    jsonw_kcstr(&w, "tool", agent_kind_name(c->tool));
    jsonw_kstr(&w, "cliPath", c->cli_path);
    const struct {
        const char *key;
        const struct json *value;
    } rest[] = {{"flags", c->flags}, {"env", c->env}, {"toolSpecific", c->tool_specific}};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (rest[i].value) {
            jsonw_key(&w, rest[i].key);
            jsonw_value(&w, rest[i].value);
        }
    while (w.depth)
        jsonw_end(&w);
}

static bool read_input(struct buf *text)
{
    char piece[65536];
    ssize_t n;
    while ((n = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        buf_add(text, str_make(piece, (size_t)n));
    return n == 0 && !text->overflow;
}

static void write_reply(const struct candidate *c)
{
    struct provider_health health;
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    provider_doctor(c, &health);
    jsonw_object(&w);
    doctor_write_health(&w, &health, str_from(health.account));
    jsonw_end(&w);
    buf_add_char(&out, '\n');
    fwrite(out.p, 1, out.n, stdout);
    fflush(stdout);
    buf_done(&out);
}

int doctor_main(void)
{
    struct buf text = buf_make(DOC_MAX_BYTES);
    struct doc doc = {0};
    struct error err = {0};
    struct tooling *t = NULL;
    process_bind_children(); /* a hanging agent ends with this process */
    if (read_input(&text) &&
        doc_read(&doc, buf_str(&text), &(struct doc_source){"-", DOC_JSON}, &err))
        t = tooling_read(&doc, STR(""), &err);
    bool ok = t && t->active->categories[CATEGORY_META].count;
    if (ok)
        write_reply(&t->active->categories[CATEGORY_META].candidates[0]);
    tooling_unref(t);
    doc_done(&doc);
    buf_done(&text);
    return ok ? 0 : 2;
}
