/* tooling_read(): the rules of docs/spec/30-tooling.md, 1. Every error names what is allowed. */
#include <assert.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/quote.h"
#include "tooling/tooling_names.h"

static const char *const top_names[] = {"activeProfile", "profiles", "force"};
enum {
    TOP_ACTIVE,
    TOP_PROFILES,
    TOP_FORCE
};

static const char *const profile_names[] = {"id", "name", "categories"};
enum {
    PROFILE_ID,
    PROFILE_NAME,
    PROFILE_CATEGORIES
};

static const char *const settings_names[] = {"strategy", "candidates", "fallbackOnRateLimit",
                                             "cooldownSec"};
enum {
    SETTINGS_STRATEGY,
    SETTINGS_CANDIDATES,
    SETTINGS_FALLBACK,
    SETTINGS_COOLDOWN
};

/* Force has all members of a candidate, and `enabled`. */
static const char *const candidate_names[] = {"tool",         "model",        "weight",
                                              "cliPath",      "flags",        "env",
                                              "toolSpecific", "systemPrompt", "enabled"};
enum {
    CANDIDATE_TOOL,
    CANDIDATE_MODEL,
    CANDIDATE_WEIGHT,
    CANDIDATE_CLI_PATH,
    CANDIDATE_FLAGS,
    CANDIDATE_ENV,
    CANDIDATE_TOOL_SPECIFIC,
    CANDIDATE_SYSTEM_PROMPT,
    FORCE_ENABLED
};

struct tooling_reader {
    struct members m;
    struct tooling *t;
};

#define FAIL(r, ...) MEMBERS_FAIL(&(r)->m, __VA_ARGS__)
#define COLLECT(r, object, names, f)                                                               \
    members_collect(&(r)->m, (object), (names), sizeof(names) / sizeof *(names), (f))

/* ---- candidates */

/* Does the name mean a secret? API_KEY and authToken do, MAX_TOKENS does not. */
static bool is_secret_name(struct str name)
{
    static const struct str signs[] = {STR_INIT("KEY"), STR_INIT("TOKEN"), STR_INIT("SECRET"),
                                       STR_INIT("PASSWORD")};
    for (bool more = true; more;) {
        struct str word;
        more = str_cut(&name, '_', &word);
        while (word.n && word.p[word.n - 1] >= '0' && word.p[word.n - 1] <= '9')
            word.n--;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (word.n >= signs[i].n &&
                str_eq_nocase(str_skip(word, word.n - signs[i].n), signs[i]))
                return true;
    }
    return false;
}

static bool check_variable(struct tooling_reader *r, struct str name, const struct json *v)
{
    struct str value = json_str(v);
    if (!members_check_text(&r->m, v))
        return false;
    if (name.n == 0 || memchr(name.p, '=', name.n) || memchr(name.p, 0, name.n))
        return FAIL(r, "the name of a variable must not be empty or contain = or U+0000");
    if (str_starts(value, STR("env:"))) {
        struct str source = str_skip(value, 4);
        return (source.n && !memchr(source.p, '=', source.n)) ||
               FAIL(r, "env: must be followed by the name of a variable, as in \"env:MY_KEY\"");
    }
    if (value.n && is_secret_name(name)) {
        struct buf text = {0}, shown = {0};
        quote_add(&shown, name, QUOTE_MAX);
        buf_printf(&text,
                   "this looks like a secret that is written out; \"env:%.*s\" would read it "
                   "from the environment when it is used",
                   (int)shown.n - 2, shown.p + 1);
        members_warn(&r->m, buf_str(&text));
        buf_done(&text);
        buf_done(&shown);
    }
    return true;
}

/* A value of the environment is never in a message. */
static bool read_env(struct tooling_reader *r, const struct members_fields *f,
                     const struct json **out)
{
    const struct json *env = f->values[CANDIDATE_ENV];
    if (!env)
        return true;
    size_t before = members_down(&r->m, f->keys[CANDIDATE_ENV]);
    if (!json_is(env, JSON_OBJECT))
        return members_wrong_type(&r->m, "an object of texts", env);
    JSON_EACH (env, k) {
        size_t inner = members_down(&r->m, json_str(k));
        if (!check_variable(r, json_str(k), k + 1))
            return false;
        members_up(&r->m, inner);
    }
    *out = env;
    members_up(&r->m, before);
    return true;
}

static bool read_flags(struct tooling_reader *r, const struct members_fields *f,
                       const struct json **out)
{
    const struct json *flags = f->values[CANDIDATE_FLAGS];
    size_t i = 0;
    if (!flags)
        return true;
    size_t before = members_down(&r->m, f->keys[CANDIDATE_FLAGS]);
    if (!json_is(flags, JSON_ARRAY))
        return members_wrong_type(&r->m, "a list of texts, as in [\"--verbose\"]", flags);
    JSON_ITEMS (flags, flag) {
        size_t inner = members_down_to(&r->m, i++);
        if (!members_check_text(&r->m, flag))
            return false;
        members_up(&r->m, inner);
    }
    *out = flags;
    members_up(&r->m, before);
    return true;
}

static bool read_tool_specific(struct tooling_reader *r, const struct members_fields *f,
                               const struct json **out)
{
    const struct json *v = f->values[CANDIDATE_TOOL_SPECIFIC];
    if (!v)
        return true;
    size_t before = members_down(&r->m, f->keys[CANDIDATE_TOOL_SPECIFIC]);
    if (!json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "an object", v);
    *out = v;
    members_up(&r->m, before);
    return true;
}

static bool read_weight(struct tooling_reader *r, const struct members_fields *f, double *out)
{
    const struct json *v = f->values[CANDIDATE_WEIGHT];
    struct buf shown = {0};
    double d;
    if (!v)
        return true;
    size_t before = members_down(&r->m, f->keys[CANDIDATE_WEIGHT]);
    if (!json_double(v, &d) || d > TOOLING_MAX_WEIGHT) {
        quote_value(&shown, v, QUOTE_MAX);
        FAIL(r, "must be a number from 0 (never chosen) to %.0f, not %.*s", TOOLING_MAX_WEIGHT,
             STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    if (d < 0)
        members_warn(&r->m, STR("a negative weight counts as 1; 0 disables a candidate"));
    *out = d < 0 ? 1 : d > 0 ? d : 0;
    members_up(&r->m, before);
    return true;
}

static bool read_tool(struct tooling_reader *r, const struct members_fields *f,
                      enum agent_kind *out)
{
    struct str name = {0};
    if (!members_text(&r->m, f, CANDIDATE_TOOL, &name))
        return false;
    if (name.n == 0)
        return true;
    *out = agent_kind_find(name);
    if (*out != AGENT_NONE)
        return true;
    members_down(&r->m, f->keys[CANDIDATE_TOOL]);
    return members_unknown(&r->m, "tool", name, tooling_names_tool, NULL);
}

static bool read_candidate_fields(struct tooling_reader *r, const struct members_fields *f,
                                  struct candidate *c)
{
    *c = (struct candidate){.weight = 1};
    return read_tool(r, f, &c->tool) && members_text(&r->m, f, CANDIDATE_MODEL, &c->model) &&
           read_weight(r, f, &c->weight) &&
           members_text(&r->m, f, CANDIDATE_CLI_PATH, &c->cli_path) &&
           read_flags(r, f, &c->flags) && read_env(r, f, &c->env) &&
           read_tool_specific(r, f, &c->tool_specific) &&
           members_text(&r->m, f, CANDIDATE_SYSTEM_PROMPT, &c->system_prompt);
}

static bool read_candidate(struct tooling_reader *r, const struct json *v, struct candidate *c)
{
    struct members_fields f;
    if (!members_collect(&r->m, v, candidate_names, FORCE_ENABLED, &f) ||
        !read_candidate_fields(r, &f, c))
        return false;
    if (c->tool != AGENT_NONE)
        return true;
    struct buf names = {0};
    members_put_names(&names, tooling_names_tool, NULL);
    FAIL(r, "tool is missing; allowed: %.*s", STR_ARG(buf_str(&names)));
    buf_done(&names);
    return false;
}

/* ---- categories */

static bool read_strategy(struct tooling_reader *r, const struct members_fields *f,
                          enum strategy *out)
{
    struct str name = {0};
    if (!f->values[SETTINGS_STRATEGY])
        return true;
    if (!members_text(&r->m, f, SETTINGS_STRATEGY, &name))
        return false;
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++)
        if (str_eq(name, str_from(tooling_strategy_name(s)))) {
            *out = s;
            return true;
        }
    members_down(&r->m, f->keys[SETTINGS_STRATEGY]);
    return members_unknown(&r->m, "strategy", name, tooling_names_strategy, NULL);
}

static bool read_cooldown(struct tooling_reader *r, const struct members_fields *f,
                          uint64_t *out_ms)
{
    const struct json *v = f->values[SETTINGS_COOLDOWN];
    struct buf shown = {0};
    uint64_t seconds = TOOLING_COOLDOWN_SEC;
    if (v && (!json_u64(v, &seconds) || seconds > TOOLING_MAX_COOLDOWN_SEC)) {
        members_down(&r->m, f->keys[SETTINGS_COOLDOWN]);
        quote_value(&shown, v, QUOTE_MAX);
        FAIL(r, "must be a whole number of seconds from 0 to %u, not %.*s",
             TOOLING_MAX_COOLDOWN_SEC, STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    *out_ms = seconds * 1000;
    return true;
}

static bool read_candidates(struct tooling_reader *r, const struct members_fields *f,
                            struct tooling_category *c)
{
    const struct json *v = f->values[SETTINGS_CANDIDATES];
    size_t n = json_count(v), before = r->m.at.n, i = 0;
    bool is_enabled = false;
    if (f->keys[SETTINGS_CANDIDATES].p)
        before = members_down(&r->m, f->keys[SETTINGS_CANDIDATES]);
    if (v && !json_is(v, JSON_ARRAY))
        return members_wrong_type(&r->m, "a list of candidates", v);
    if (n == 0)
        return FAIL(r, "there are no candidates; a category needs at least one, as in "
                       "[{\"tool\": \"claude-code\"}]");
    if (n > TOOLING_MAX_CANDIDATES)
        return FAIL(r, "there are %zu candidates, at most %u are allowed", n,
                    TOOLING_MAX_CANDIDATES);
    struct candidate *all = arena_alloc(&r->t->arena, n * sizeof *all);
    JSON_ITEMS (v, item) {
        size_t inner = members_down_to(&r->m, i);
        if (!read_candidate(r, item, &all[i]))
            return false;
        is_enabled |= all[i++].weight > 0;
        members_up(&r->m, inner);
    }
    if (!is_enabled)
        return FAIL(r, "all are disabled: at least one needs a weight above 0");
    c->candidates = all;
    c->count = n;
    members_up(&r->m, before);
    return true;
}

static bool read_settings(struct tooling_reader *r, const struct json *v,
                          struct tooling_category *c)
{
    struct members_fields f;
    c->fallback = true;
    return COLLECT(r, v, settings_names, &f) && read_strategy(r, &f, &c->strategy) &&
           members_bool(&r->m, &f, SETTINGS_FALLBACK, &c->fallback) &&
           read_cooldown(r, &f, &c->cooldown_ms) && read_candidates(r, &f, c);
}

/* ---- profiles */

/* openai-chat is an HTTP request and cannot edit files. */
static void warn_about_chat(struct tooling_reader *r, const struct tooling_profile *p)
{
    bool own = p->categories[CATEGORY_WORKER].count > 0;
    const char *name = tooling_category_name(own ? CATEGORY_WORKER : CATEGORY_META);
    const struct tooling_category *c = &p->categories[own ? CATEGORY_WORKER : CATEGORY_META];
    size_t before = members_down(&r->m, str_from(name));
    members_down(&r->m, STR("candidates"));
    for (size_t i = 0; i < c->count; i++) {
        size_t inner = members_down_to(&r->m, i);
        if (c->candidates[i].tool == AGENT_OPENAI && c->candidates[i].weight > 0)
            members_warn(
                &r->m,
                own ? STR("openai-chat cannot edit files by itself: as a worker it only answers")
                    : STR("worker has no settings of its own and takes these; openai-chat "
                          "cannot edit files by itself"));
        members_up(&r->m, inner);
    }
    members_up(&r->m, before);
}

static void warn_about_missing(struct tooling_reader *r, const struct tooling_profile *p)
{
    struct buf text = {0};
    if (p->categories[CATEGORY_META].count)
        return;
    buf_add(&text, STR("without meta there is nobody for "));
    size_t from = text.n;
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (!p->categories[c].count)
            buf_printf(&text, "%s%s", text.n > from ? ", " : "", tooling_category_name(c));
    members_warn(&r->m, buf_str(&text));
    buf_done(&text);
}

static bool read_categories(struct tooling_reader *r, const struct members_fields *f,
                            struct tooling_profile *p)
{
    const struct json *v = f->values[PROFILE_CATEGORIES];
    size_t before = r->m.at.n, count = 0;
    if (f->keys[PROFILE_CATEGORIES].p)
        before = members_down(&r->m, f->keys[PROFILE_CATEGORIES]);
    if (v && !json_is(v, JSON_OBJECT))
        return members_wrong_type(&r->m, "an object", v);
    JSON_EACH (v, k) {
        enum category c;
        size_t inner = members_down(&r->m, json_str(k));
        if (!tooling_category_find(json_str(k), &c))
            return members_unknown(&r->m, "category", json_str(k), tooling_names_category, NULL);
        if (!json_is(k + 1, JSON_NULL)) {
            if (!read_settings(r, k + 1, &p->categories[c]))
                return false;
            count++;
        }
        members_up(&r->m, inner);
    }
    if (count == 0)
        return FAIL(r, "there are no categories; meta is the one that the others fall back to, of "
                       "meta, plan, task, execution, worker");
    warn_about_missing(r, p);
    warn_about_chat(r, p);
    members_up(&r->m, before);
    return true;
}

/* The profiles before it are already in t->profiles. */
static bool read_id(struct tooling_reader *r, const struct members_fields *f,
                    struct tooling_profile *p)
{
    struct buf shown = {0};
    if (!members_text(&r->m, f, PROFILE_ID, &p->id))
        return false;
    if (p->id.n == 0)
        return FAIL(r, "id is missing: a profile needs a text that no other one has");
    if (!tooling_profile(r->t, p->id))
        return true;
    members_down(&r->m, f->keys[PROFILE_ID]);
    quote_add(&shown, p->id, QUOTE_MAX);
    FAIL(r, "there is another profile %.*s before this one: each needs an id of its own",
         STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static bool read_profile(struct tooling_reader *r, const struct json *v, struct tooling_profile *p)
{
    struct members_fields f;
    *p = (struct tooling_profile){0};
    if (!COLLECT(r, v, profile_names, &f) || !read_id(r, &f, p))
        return false;
    p->name = p->id;
    return members_text(&r->m, &f, PROFILE_NAME, &p->name) && read_categories(r, &f, p);
}

static bool read_profiles(struct tooling_reader *r, const struct members_fields *f)
{
    const struct json *v = f->values[TOP_PROFILES];
    size_t n = json_count(v), before = r->m.at.n;
    if (f->keys[TOP_PROFILES].p)
        before = members_down(&r->m, f->keys[TOP_PROFILES]);
    if (v && !json_is(v, JSON_ARRAY))
        return members_wrong_type(&r->m, "a list of profiles", v);
    if (n == 0)
        return FAIL(r, "there are no profiles; at least one is needed");
    if (n > TOOLING_MAX_PROFILES)
        return FAIL(r, "there are %zu profiles, at most %u are allowed", n, TOOLING_MAX_PROFILES);
    struct tooling_profile *all = arena_alloc(&r->t->arena, n * sizeof *all);
    r->t->profiles = all;
    JSON_ITEMS (v, item) {
        size_t inner = members_down_to(&r->m, r->t->profile_count);
        if (!read_profile(r, item, &all[r->t->profile_count]))
            return false;
        r->t->profile_count++;
        members_up(&r->m, inner);
    }
    members_up(&r->m, before);
    return true;
}

static bool read_active(struct tooling_reader *r, const struct members_fields *f)
{
    struct str id = {0};
    if (!members_text(&r->m, f, TOP_ACTIVE, &id))
        return false;
    r->t->active = f->values[TOP_ACTIVE] ? tooling_profile(r->t, id) : r->t->profiles;
    if (r->t->active)
        return true;
    members_down(&r->m, f->keys[TOP_ACTIVE]);
    return members_unknown(&r->m, "profile", id, tooling_names_profile, r->t);
}

/* ---- force */

static bool read_force(struct tooling_reader *r, const struct members_fields *top)
{
    bool is_enabled = false;
    struct members_fields f;
    if (!top->values[TOP_FORCE])
        return true;
    size_t before = members_down(&r->m, top->keys[TOP_FORCE]);
    if (!COLLECT(r, top->values[TOP_FORCE], candidate_names, &f) ||
        !members_bool(&r->m, &f, FORCE_ENABLED, &is_enabled) ||
        !read_candidate_fields(r, &f, &r->t->force))
        return false;
    r->t->force.weight = 1; /* there is no other candidate */
    if (is_enabled && r->t->force.tool == AGENT_NONE)
        members_warn(&r->m, STR("enabled without a tool forces nothing; name one in \"tool\""));
    else if (is_enabled && r->t->force.tool == AGENT_OPENAI)
        members_warn(&r->m,
                     STR("openai-chat cannot edit files by itself: as a worker it only answers"));
    r->t->forced = is_enabled && r->t->force.tool != AGENT_NONE;
    members_up(&r->m, before);
    return true;
}

/* ---- the whole */

static bool read_top(struct tooling_reader *r)
{
    struct members_fields f;
    return COLLECT(r, r->t->source, top_names, &f) && read_profiles(r, &f) && read_active(r, &f) &&
           read_force(r, &f);
}

/* Copy the tree into the arena: the tooling outlives the document. */
static const struct json *copy_tree(struct arena *a, const struct json *v)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_value(&w, v);
    const struct json *made = json_parse(a, arena_str(a, buf_str(&text)), NULL, NULL);
    assert(made);
    buf_done(&text);
    return made;
}

struct tooling *tooling_read(const struct doc *doc, struct str at, struct error *err)
{
    const struct json *v = doc_get(doc, at);
    if (!v) {
        doc_fail(doc, at, err, "is missing: it must be an object with profiles");
        return NULL;
    }
    struct tooling *t = mem_zalloc(sizeof *t);
    struct tooling_reader r = {.t = t};
    r.m = (struct members){.doc = doc,
                           .arena = &t->arena,
                           .warnings = t->warnings,
                           .room = TOOLING_MAX_WARNINGS,
                           .err = err};
    t->refs = 1;
    t->force.weight = 1;
    t->source = copy_tree(&t->arena, v);
    buf_add(&r.m.at, at);
    bool ok = read_top(&r);
    members_done(&r.m);
    t->warning_count = r.m.count;
    if (ok)
        return t;
    tooling_unref(t);
    return NULL;
}
