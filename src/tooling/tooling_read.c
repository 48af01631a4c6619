/* tooling_read(): every rule of docs/spec/30-tooling.md, 1, with a message that says what is
 * allowed. */
#include <assert.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "tooling/tooling.h"

#define MAX_FIELDS  9u
#define NAMES_SHOWN 16u /* of the profiles that there are */

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

/* Force takes all that a candidate has, and `enabled`. */
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

struct reader {
    const struct doc *doc;
    struct tooling *t;
    struct buf at; /* JSON pointer of what is being read */
    size_t more_warnings;
    struct error *err;
};

/* ---- where we are */

/* One step down; answers what up() takes to come back. */
static size_t down(struct reader *r, struct str key)
{
    size_t before = r->at.n;
    buf_add_char(&r->at, '/');
    for (size_t i = 0; i < key.n; i++)
        if (key.p[i] == '~' || key.p[i] == '/')
            buf_add(&r->at, key.p[i] == '~' ? STR("~0") : STR("~1"));
        else
            buf_add_char(&r->at, key.p[i]);
    return before;
}

static size_t down_to(struct reader *r, size_t index)
{
    size_t before = r->at.n;
    buf_printf(&r->at, "/%zu", index);
    return before;
}

static void up(struct reader *r, size_t before)
{
    r->at.n = before;
}

/* What is wrong there. */
#define FAULT(r, ...) doc_fault((r)->doc, buf_str(&(r)->at), (r)->err, __VA_ARGS__)

static void warn(struct reader *r, struct str text)
{
    struct tooling *t = r->t;
    struct buf whole = {0};
    if (t->warning_count == TOOLING_MAX_WARNINGS) {
        r->more_warnings++;
        return;
    }
    doc_say_where(r->doc, buf_str(&r->at), &whole);
    buf_add(&whole, text);
    t->warnings[t->warning_count++] = arena_str(&t->arena, buf_str(&whole));
    buf_done(&whole);
}

static void count_the_rest(struct reader *r)
{
    if (r->more_warnings)
        r->t->warnings[TOOLING_MAX_WARNINGS - 1] = arena_printf(
            &r->t->arena, "%s: and %zu more warnings", r->doc->name, r->more_warnings + 1);
}

/* ---- names */

typedef struct str name_fn(const void *ctx, size_t i); /* of the i-th; p NULL: no more */

static struct str tool_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i + 1 < TOOL_KIND_COUNT ? str_from(tool_kind_name((enum tool_kind)(i + 1)))
                                   : (struct str){0};
}

static struct str category_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < CATEGORY_COUNT ? str_from(category_name((enum category)i)) : (struct str){0};
}

static struct str strategy_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < STRATEGY_COUNT ? str_from(strategy_name((enum strategy)i)) : (struct str){0};
}

static struct str profile_at(const void *ctx, size_t i)
{
    const struct tooling *t = ctx;
    return i < t->profile_count ? t->profiles[i].id : (struct str){0};
}

/* "codex-cli, claude-code, ..." */
static void put_names(struct buf *out, name_fn *name, const void *ctx)
{
    for (size_t i = 0; name(ctx, i).p; i++) {
        struct buf shown = {0};
        if (i == NAMES_SHOWN) {
            buf_add(out, STR(", ..."));
            break;
        }
        quote_add(&shown, name(ctx, i), QUOTE_MAX);
        buf_printf(out, "%s%.*s", i ? ", " : "", (int)shown.n - 2, shown.p + 1);
        buf_done(&shown);
    }
}

/* The one that was meant: the nearest, or else the first that begins so ("codex"); or nothing. */
static struct str meant(struct str given, name_fn *name, const void *ctx)
{
    struct nearest near = nearest_make(given);
    for (size_t i = 0; name(ctx, i).p; i++)
        nearest_offer(&near, name(ctx, i));
    for (size_t i = 0; near.best.n == 0 && given.n >= 3 && name(ctx, i).p; i++)
        if (str_starts(name(ctx, i), given))
            near.best = name(ctx, i);
    return near.best;
}

/* The name is none of them. */
static bool unknown(struct reader *r, const char *what, struct str given, name_fn *name,
                    const void *ctx)
{
    struct str near = meant(given, name, ctx);
    struct buf text = {0};
    buf_printf(&text, "unknown %s ", what);
    quote_add(&text, given, QUOTE_MAX);
    if (near.n) {
        buf_add(&text, STR(", did you mean "));
        quote_add(&text, near, QUOTE_MAX);
        buf_add_char(&text, '?');
    } else {
        buf_add_char(&text, ';');
    }
    buf_add(&text, STR(" allowed: "));
    put_names(&text, name, ctx);
    FAULT(r, "%.*s", STR_ARG(buf_str(&text)));
    buf_done(&text);
    return false;
}

/* ---- members */

struct fields {
    const struct json *values[MAX_FIELDS]; /* NULL: not there, or null */
    struct str keys[MAX_FIELDS];           /* as they are written there */
};

/* Whether the key is the name, in camelCase or in snake_case. */
static bool is_spelled(struct str key, const char *name)
{
    size_t i = 0;
    for (; i < key.n && *name; i++, name++) {
        char c = key.p[i];
        if (c == '_' && i > 0 && i + 1 < key.n && key.p[i + 1] >= 'a' && key.p[i + 1] <= 'z')
            c = (char)(key.p[++i] - 'a' + 'A');
        if (c != *name)
            return false;
    }
    return i == key.n && !*name;
}

static void warn_unknown(struct reader *r, struct str key, const char *const *names, size_t count)
{
    struct nearest near = nearest_make(key);
    struct buf text = {0};
    for (size_t i = 0; i < count; i++)
        nearest_offer(&near, str_from(names[i]));
    size_t before = down(r, key);
    buf_add(&text, STR("this key is unknown and ignored"));
    if (near.best.n)
        buf_printf(&text, "; did you mean \"%.*s\"?", STR_ARG(near.best));
    warn(r, buf_str(&text));
    up(r, before);
    buf_done(&text);
}

static bool collect(struct reader *r, const struct json *object, const char *const *names,
                    size_t count, struct fields *f)
{
    *f = (struct fields){0};
    assert(count <= MAX_FIELDS);
    if (!json_is(object, JSON_OBJECT))
        return FAULT(r, "must be an object, not %s", json_type_name(object));
    JSON_EACH (object, k) {
        struct str key = json_str(k);
        size_t i = 0;
        while (i < count && !is_spelled(key, names[i]))
            i++;
        if (i == count) {
            if (!str_eq(key, STR("$schema"))) /* for editors */
                warn_unknown(r, key, names, count);
            continue;
        }
        if (f->keys[i].p) {
            down(r, key);
            return FAULT(r, "given twice, as \"%.*s\" and as \"%.*s\": keep one of them",
                         STR_ARG(f->keys[i]), STR_ARG(key));
        }
        f->keys[i] = key;
        f->values[i] = json_is(k + 1, JSON_NULL) ? NULL : k + 1;
    }
    return true;
}

#define COLLECT(r, object, names, f)                                                               \
    collect((r), (object), (names), sizeof(names) / sizeof *(names), (f))

static bool wrong_type(struct reader *r, const char *want, const struct json *v)
{
    bool lacks_quotes = r->doc->format == DOC_YAML && !json_is(v, JSON_OBJECT) &&
                        !json_is(v, JSON_ARRAY) && !json_is(v, JSON_STRING);
    return FAULT(r, "must be %s, not %s%s", want, json_type_name(v),
                 lacks_quotes && str_eq(str_from(want), STR("text")) ? ": put it in quotes" : "");
}

/* Text that can be an argument of a program or a variable of its environment. */
static bool check_text(struct reader *r, const struct json *v)
{
    if (!json_is(v, JSON_STRING))
        return wrong_type(r, "text", v);
    if (memchr(json_str(v).p, 0, json_str(v).n))
        return FAULT(r, "must be text without the character U+0000");
    return true;
}

/* A member that may be missing: *out stays as it is then. */
static bool get_text(struct reader *r, const struct fields *f, size_t i, struct str *out)
{
    if (!f->values[i])
        return true;
    size_t before = down(r, f->keys[i]);
    if (!check_text(r, f->values[i]))
        return false;
    *out = json_str(f->values[i]);
    up(r, before);
    return true;
}

static bool get_bool(struct reader *r, const struct fields *f, size_t i, bool *out)
{
    struct buf shown = {0};
    if (!f->values[i])
        return true;
    size_t before = down(r, f->keys[i]);
    if (!json_is(f->values[i], JSON_BOOL)) {
        quote_value(&shown, f->values[i], QUOTE_MAX);
        FAULT(r, "must be true or false, not %.*s", STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    *out = json_bool(f->values[i]);
    up(r, before);
    return true;
}

/* ---- candidates */

/* Words of the name that say so: API_KEY and authToken do, MAX_TOKENS does not. */
static bool names_secret(struct str name)
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

static bool check_variable(struct reader *r, struct str name, const struct json *v)
{
    struct str value = json_str(v);
    if (!check_text(r, v))
        return false;
    if (name.n == 0 || memchr(name.p, '=', name.n) || memchr(name.p, 0, name.n))
        return FAULT(r, "the name of a variable must not be empty or contain = or U+0000");
    if (str_starts(value, STR("env:"))) {
        struct str source = str_skip(value, 4);
        return (source.n && !memchr(source.p, '=', source.n)) ||
               FAULT(r, "env: must be followed by the name of a variable, as in \"env:MY_KEY\"");
    }
    if (value.n && names_secret(name)) {
        struct buf text = {0}, shown = {0};
        quote_add(&shown, name, QUOTE_MAX);
        buf_printf(&text,
                   "this looks like a secret that is written out; \"env:%.*s\" would read it "
                   "from the environment when it is used",
                   (int)shown.n - 2, shown.p + 1);
        warn(r, buf_str(&text));
        buf_done(&text);
        buf_done(&shown);
    }
    return true;
}

/* What a value is never shows in a message. */
static bool get_env(struct reader *r, const struct fields *f, const struct json **out)
{
    const struct json *env = f->values[CANDIDATE_ENV];
    if (!env)
        return true;
    size_t before = down(r, f->keys[CANDIDATE_ENV]);
    if (!json_is(env, JSON_OBJECT))
        return wrong_type(r, "an object of texts", env);
    JSON_EACH (env, k) {
        size_t inner = down(r, json_str(k));
        if (!check_variable(r, json_str(k), k + 1))
            return false;
        up(r, inner);
    }
    *out = env;
    up(r, before);
    return true;
}

static bool get_flags(struct reader *r, const struct fields *f, const struct json **out)
{
    const struct json *flags = f->values[CANDIDATE_FLAGS];
    size_t i = 0;
    if (!flags)
        return true;
    size_t before = down(r, f->keys[CANDIDATE_FLAGS]);
    if (!json_is(flags, JSON_ARRAY))
        return wrong_type(r, "a list of texts, as in [\"--verbose\"]", flags);
    JSON_ITEMS (flags, flag) {
        size_t inner = down_to(r, i++);
        if (!check_text(r, flag))
            return false;
        up(r, inner);
    }
    *out = flags;
    up(r, before);
    return true;
}

static bool get_tool_specific(struct reader *r, const struct fields *f, const struct json **out)
{
    const struct json *v = f->values[CANDIDATE_TOOL_SPECIFIC];
    if (!v)
        return true;
    size_t before = down(r, f->keys[CANDIDATE_TOOL_SPECIFIC]);
    if (!json_is(v, JSON_OBJECT))
        return wrong_type(r, "an object", v);
    *out = v;
    up(r, before);
    return true;
}

static bool get_weight(struct reader *r, const struct fields *f, double *out)
{
    const struct json *v = f->values[CANDIDATE_WEIGHT];
    struct buf shown = {0};
    double d;
    if (!v)
        return true;
    size_t before = down(r, f->keys[CANDIDATE_WEIGHT]);
    if (!json_double(v, &d) || d > TOOLING_MAX_WEIGHT) {
        quote_value(&shown, v, QUOTE_MAX);
        FAULT(r, "must be a number from 0 (never chosen) to %.0f, not %.*s", TOOLING_MAX_WEIGHT,
              STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    if (d < 0)
        warn(r, STR("a negative weight counts as 1; 0 disables a candidate"));
    *out = d < 0 ? 1 : d > 0 ? d : 0;
    up(r, before);
    return true;
}

static bool get_tool(struct reader *r, const struct fields *f, enum tool_kind *out)
{
    struct str name = {0};
    if (!get_text(r, f, CANDIDATE_TOOL, &name))
        return false;
    if (name.n == 0)
        return true;
    *out = tool_kind_find(name);
    if (*out != TOOL_NONE)
        return true;
    down(r, f->keys[CANDIDATE_TOOL]);
    return unknown(r, "tool", name, tool_at, NULL);
}

static bool get_candidate(struct reader *r, const struct fields *f, struct candidate *c)
{
    *c = (struct candidate){.weight = 1};
    return get_tool(r, f, &c->tool) && get_text(r, f, CANDIDATE_MODEL, &c->model) &&
           get_weight(r, f, &c->weight) && get_text(r, f, CANDIDATE_CLI_PATH, &c->cli_path) &&
           get_flags(r, f, &c->flags) && get_env(r, f, &c->env) &&
           get_tool_specific(r, f, &c->tool_specific) &&
           get_text(r, f, CANDIDATE_SYSTEM_PROMPT, &c->system_prompt);
}

static bool read_candidate(struct reader *r, const struct json *v, struct candidate *c)
{
    struct fields f;
    if (!collect(r, v, candidate_names, FORCE_ENABLED, &f) || !get_candidate(r, &f, c))
        return false;
    if (c->tool != TOOL_NONE)
        return true;
    struct buf names = {0};
    put_names(&names, tool_at, NULL);
    FAULT(r, "tool is missing; allowed: %.*s", STR_ARG(buf_str(&names)));
    buf_done(&names);
    return false;
}

/* ---- categories */

static bool get_strategy(struct reader *r, const struct fields *f, enum strategy *out)
{
    struct str name = {0};
    if (!f->values[SETTINGS_STRATEGY])
        return true;
    if (!get_text(r, f, SETTINGS_STRATEGY, &name))
        return false;
    for (enum strategy s = 0; s < STRATEGY_COUNT; s++)
        if (str_eq(name, str_from(strategy_name(s)))) {
            *out = s;
            return true;
        }
    down(r, f->keys[SETTINGS_STRATEGY]);
    return unknown(r, "strategy", name, strategy_at, NULL);
}

static bool get_cooldown(struct reader *r, const struct fields *f, uint64_t *out_ms)
{
    const struct json *v = f->values[SETTINGS_COOLDOWN];
    struct buf shown = {0};
    uint64_t seconds = TOOLING_COOLDOWN_SEC;
    if (v && (!json_u64(v, &seconds) || seconds > TOOLING_MAX_COOLDOWN_SEC)) {
        down(r, f->keys[SETTINGS_COOLDOWN]);
        quote_value(&shown, v, QUOTE_MAX);
        FAULT(r, "must be a whole number of seconds from 0 to %u, not %.*s",
              TOOLING_MAX_COOLDOWN_SEC, STR_ARG(buf_str(&shown)));
        buf_done(&shown);
        return false;
    }
    *out_ms = seconds * 1000;
    return true;
}

static bool get_candidates(struct reader *r, const struct fields *f, struct tooling_category *c)
{
    const struct json *v = f->values[SETTINGS_CANDIDATES];
    size_t n = json_count(v), before = r->at.n, i = 0;
    bool is_enabled = false;
    if (f->keys[SETTINGS_CANDIDATES].p)
        before = down(r, f->keys[SETTINGS_CANDIDATES]);
    if (v && !json_is(v, JSON_ARRAY))
        return wrong_type(r, "a list of candidates", v);
    if (n == 0)
        return FAULT(r, "there are no candidates; a category needs at least one, as in "
                        "[{\"tool\": \"claude-code\"}]");
    if (n > TOOLING_MAX_CANDIDATES)
        return FAULT(r, "there are %zu candidates, at most %u are allowed", n,
                     TOOLING_MAX_CANDIDATES);
    struct candidate *all = arena_alloc(&r->t->arena, n * sizeof *all);
    JSON_ITEMS (v, item) {
        size_t inner = down_to(r, i);
        if (!read_candidate(r, item, &all[i]))
            return false;
        is_enabled |= all[i++].weight > 0;
        up(r, inner);
    }
    if (!is_enabled)
        return FAULT(r, "all are disabled: at least one needs a weight above 0");
    c->candidates = all;
    c->count = n;
    up(r, before);
    return true;
}

static bool read_settings(struct reader *r, const struct json *v, struct tooling_category *c)
{
    struct fields f;
    c->fallback = true;
    return COLLECT(r, v, settings_names, &f) && get_strategy(r, &f, &c->strategy) &&
           get_bool(r, &f, SETTINGS_FALLBACK, &c->fallback) &&
           get_cooldown(r, &f, &c->cooldown_ms) && get_candidates(r, &f, c);
}

/* ---- profiles */

/* An HTTP request answers, it does not edit files. */
static void warn_of_chat(struct reader *r, const struct tooling_profile *p)
{
    bool own = p->categories[CATEGORY_WORKER].count > 0;
    const char *name = category_name(own ? CATEGORY_WORKER : CATEGORY_META);
    const struct tooling_category *c = &p->categories[own ? CATEGORY_WORKER : CATEGORY_META];
    size_t before = down(r, str_from(name));
    down(r, STR("candidates"));
    for (size_t i = 0; i < c->count; i++) {
        size_t inner = down_to(r, i);
        if (c->candidates[i].tool == TOOL_OPENAI && c->candidates[i].weight > 0)
            warn(r,
                 own ? STR("openai-chat cannot edit files by itself: as a worker it only answers")
                     : STR("worker has no settings of its own and takes these; openai-chat "
                           "cannot edit files by itself"));
        up(r, inner);
    }
    up(r, before);
}

static void warn_of_nobody(struct reader *r, const struct tooling_profile *p)
{
    struct buf text = {0};
    if (p->categories[CATEGORY_META].count)
        return;
    buf_add(&text, STR("without meta there is nobody for "));
    size_t from = text.n;
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (!p->categories[c].count)
            buf_printf(&text, "%s%s", text.n > from ? ", " : "", category_name(c));
    warn(r, buf_str(&text));
    buf_done(&text);
}

static bool get_categories(struct reader *r, const struct fields *f, struct tooling_profile *p)
{
    const struct json *v = f->values[PROFILE_CATEGORIES];
    size_t before = r->at.n, count = 0;
    if (f->keys[PROFILE_CATEGORIES].p)
        before = down(r, f->keys[PROFILE_CATEGORIES]);
    if (v && !json_is(v, JSON_OBJECT))
        return wrong_type(r, "an object", v);
    JSON_EACH (v, k) {
        enum category c;
        size_t inner = down(r, json_str(k));
        if (!category_find(json_str(k), &c))
            return unknown(r, "category", json_str(k), category_at, NULL);
        if (!json_is(k + 1, JSON_NULL)) {
            if (!read_settings(r, k + 1, &p->categories[c]))
                return false;
            count++;
        }
        up(r, inner);
    }
    if (count == 0)
        return FAULT(r, "there are no categories; meta is the one that the others fall back to, of "
                        "meta, plan, task, execution, worker");
    warn_of_nobody(r, p);
    warn_of_chat(r, p);
    up(r, before);
    return true;
}

/* Those before it are in t->profiles already. */
static bool get_id(struct reader *r, const struct fields *f, struct tooling_profile *p)
{
    struct buf shown = {0};
    if (!get_text(r, f, PROFILE_ID, &p->id))
        return false;
    if (p->id.n == 0)
        return FAULT(r, "id is missing: a profile needs a text that no other one has");
    if (!tooling_profile(r->t, p->id))
        return true;
    down(r, f->keys[PROFILE_ID]);
    quote_add(&shown, p->id, QUOTE_MAX);
    FAULT(r, "there is another profile %.*s before this one: each needs an id of its own",
          STR_ARG(buf_str(&shown)));
    buf_done(&shown);
    return false;
}

static bool read_profile(struct reader *r, const struct json *v, struct tooling_profile *p)
{
    struct fields f;
    *p = (struct tooling_profile){0};
    if (!COLLECT(r, v, profile_names, &f) || !get_id(r, &f, p))
        return false;
    p->name = p->id;
    return get_text(r, &f, PROFILE_NAME, &p->name) && get_categories(r, &f, p);
}

static bool get_profiles(struct reader *r, const struct fields *f)
{
    const struct json *v = f->values[TOP_PROFILES];
    size_t n = json_count(v), before = r->at.n;
    if (f->keys[TOP_PROFILES].p)
        before = down(r, f->keys[TOP_PROFILES]);
    if (v && !json_is(v, JSON_ARRAY))
        return wrong_type(r, "a list of profiles", v);
    if (n == 0)
        return FAULT(r, "there are no profiles; at least one is needed");
    if (n > TOOLING_MAX_PROFILES)
        return FAULT(r, "there are %zu profiles, at most %u are allowed", n, TOOLING_MAX_PROFILES);
    struct tooling_profile *all = arena_alloc(&r->t->arena, n * sizeof *all);
    r->t->profiles = all;
    JSON_ITEMS (v, item) {
        size_t inner = down_to(r, r->t->profile_count);
        if (!read_profile(r, item, &all[r->t->profile_count]))
            return false;
        r->t->profile_count++;
        up(r, inner);
    }
    up(r, before);
    return true;
}

static bool get_active(struct reader *r, const struct fields *f)
{
    struct str id = {0};
    if (!get_text(r, f, TOP_ACTIVE, &id))
        return false;
    r->t->active = f->values[TOP_ACTIVE] ? tooling_profile(r->t, id) : r->t->profiles;
    if (r->t->active)
        return true;
    down(r, f->keys[TOP_ACTIVE]);
    return unknown(r, "profile", id, profile_at, r->t);
}

/* ---- force */

static bool get_force(struct reader *r, const struct fields *top)
{
    bool is_enabled = false;
    struct fields f;
    if (!top->values[TOP_FORCE])
        return true;
    size_t before = down(r, top->keys[TOP_FORCE]);
    if (!COLLECT(r, top->values[TOP_FORCE], candidate_names, &f) ||
        !get_bool(r, &f, FORCE_ENABLED, &is_enabled) || !get_candidate(r, &f, &r->t->force))
        return false;
    r->t->force.weight = 1; /* there is nobody to be weighed against */
    if (is_enabled && r->t->force.tool == TOOL_NONE)
        warn(r, STR("enabled without a tool forces nothing; name one in \"tool\""));
    else if (is_enabled && r->t->force.tool == TOOL_OPENAI)
        warn(r, STR("openai-chat cannot edit files by itself: as a worker it only answers"));
    r->t->forced = is_enabled && r->t->force.tool != TOOL_NONE;
    up(r, before);
    return true;
}

/* ---- the whole */

static bool read_top(struct reader *r)
{
    struct fields f;
    return COLLECT(r, r->t->source, top_names, &f) && get_profiles(r, &f) && get_active(r, &f) &&
           get_force(r, &f);
}

/* A copy in the arena: what is read points into it, not into the document. */
static const struct json *copy(struct arena *a, const struct json *v)
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
        doc_fault(doc, at, err, "is missing: it must be an object with profiles");
        return NULL;
    }
    struct tooling *t = mem_zalloc(sizeof *t);
    struct reader r = {.doc = doc, .t = t, .err = err};
    t->refs = 1;
    t->force.weight = 1;
    t->source = copy(&t->arena, v);
    buf_add(&r.at, at);
    bool ok = read_top(&r);
    count_the_rest(&r);
    buf_done(&r.at);
    if (ok)
        return t;
    tooling_unref(t);
    return NULL;
}
