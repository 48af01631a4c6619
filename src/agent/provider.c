#include "agent/provider.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/provider_internal.h"
#include "agent/sandbox.h"
#include "base/file.h"
#include "base/secrets.h"
#include "process/mark.h"

const struct provider_impl *provider_impl(enum agent_kind kind)
{
    static const struct provider_impl *const impls[AGENT_KIND_COUNT] = {
        [AGENT_CODEX] = &provider_codex,   [AGENT_CLAUDE] = &provider_claude,
        [AGENT_GEMINI] = &provider_gemini, [AGENT_CURSOR] = &provider_cursor,
        [AGENT_OPENAI] = &provider_openai, [AGENT_MOCK] = &provider_mock,
    };
    assert(kind > AGENT_NONE && kind < AGENT_KIND_COUNT && impls[kind]);
    return impls[kind];
}

/* ---- checking a candidate */

const char *provider_candidate_name(const struct candidate *c, char to[96])
{
    snprintf(to, 96, "%s%s%.*s", agent_kind_name(c->tool), c->model.n ? " " : "",
             str_precision(str_head(c->model, 60)), c->model.p ? c->model.p : "");
    return to;
}

/* Whether the key is `snake` in snake_case or camelCase. */
static bool is_option_name(struct str key, const char *snake)
{
    size_t i = 0;
    for (; *snake; snake++, i++) {
        bool is_hump = *snake == '_' && i < key.n && key.p[i] != '_';
        char want = *snake;
        if (is_hump)
            want = (char)(*++snake - 'a' + 'A');
        if (i >= key.n || key.p[i] != want)
            return false;
    }
    return i == key.n;
}

const struct json *provider_find_option(const struct candidate *c, const char *name)
{
    JSON_EACH (c->tool_specific, k)
        if (is_option_name(json_str(k), name))
            return json_is(k + 1, JSON_NULL) ? NULL : k + 1;
    return NULL;
}

const char *provider_option_text(struct provider_build *b, const char *name)
{
    const struct json *v = provider_find_option(b->call->candidate, name);
    return v ? arena_cstr(&b->out->arena, json_str(v)) : NULL;
}

static bool is_text(const struct json *v)
{
    struct str s = json_str(v);
    return json_is(v, JSON_STRING) && !(s.n && memchr(s.p, 0, s.n));
}

static bool is_choice(const struct json *v, const char *choices)
{
    struct str rest = str_from(choices), one;
    bool more = true;
    while (more) {
        more = str_cut(&rest, ' ', &one);
        if (str_eq(json_str(v), one))
            return true;
    }
    return false;
}

static bool is_kind(const struct json *v, const struct provider_option *o)
{
    uint64_t count;
    double number;
    switch (o->kind) {
    case OPTION_TEXT:
        return is_text(v);
    case OPTION_CHOICE:
        return is_choice(v, o->choices);
    case OPTION_COUNT:
        return json_u64(v, &count) && count >= 1;
    case OPTION_NUMBER:
        return json_double(v, &number) && number >= 0;
    case OPTION_FLAG:
        return json_is(v, JSON_BOOL);
    case OPTION_TEXTS:
        JSON_ITEMS (v, item)
            if (!is_text(item))
                return false;
        return json_is(v, JSON_ARRAY);
    case OPTION_ANY:
        return true;
    }
    return false;
}

static const char *kind_name(const struct provider_option *o)
{
    static const char *const names[] = {
        [OPTION_TEXT] = "text",
        [OPTION_CHOICE] = "one of: ",
        [OPTION_COUNT] = "a whole number, 1 or more",
        [OPTION_NUMBER] = "a number, 0 or more",
        [OPTION_FLAG] = "true or false",
        [OPTION_TEXTS] = "a list of texts",
        [OPTION_ANY] = "",
    };
    return names[o->kind];
}

static bool fail_unknown(const struct candidate *c, struct str key,
                         const struct provider_option *options, struct error *err)
{
    char name[96];
    struct buf allowed = {0};
    for (const struct provider_option *o = options; o->name; o++)
        buf_printf(&allowed, "%s%s", o == options ? "" : ", ", o->name);
    error_set(err, ERR_CONFIG_VALIDATION, "%s: toolSpecific has no \"%.*s\"; allowed: %s",
              provider_candidate_name(c, name), str_precision(str_head(key, 60)),
              key.p ? key.p : "", allowed.p ? allowed.p : "nothing");
    buf_done(&allowed);
    return false;
}

static bool is_env_name(struct str name)
{
    return name.n && !memchr(name.p, 0, name.n) && !memchr(name.p, '=', name.n);
}

static bool check_env(const struct candidate *c, struct error *err)
{
    char name[96];
    JSON_EACH (c->env, k) {
        struct str variable = json_str(k), value = json_str(k + 1);
        if (!is_env_name(variable) || !json_is(k + 1, JSON_STRING) ||
            (value.n && memchr(value.p, 0, value.n)))
            return error_set(err, ERR_CONFIG_VALIDATION,
                             "%s: env: \"%.*s\" must be the name of a variable with a text value",
                             provider_candidate_name(c, name),
                             str_precision(str_head(variable, 60)), variable.p ? variable.p : "");
    }
    return true;
}

bool provider_check(const struct candidate *c, struct error *err)
{
    const struct provider_impl *impl = provider_impl(c->tool);
    char name[96];
    JSON_EACH (c->tool_specific, k) {
        const struct provider_option *o = impl->options;
        while (o->name && !is_option_name(json_str(k), o->name))
            o++;
        if (!o->name)
            return fail_unknown(c, json_str(k), impl->options, err);
        if (!json_is(k + 1, JSON_NULL) && !is_kind(k + 1, o))
            return error_set(err, ERR_CONFIG_VALIDATION, "%s: toolSpecific.%s must be %s%s",
                             provider_candidate_name(c, name), o->name, kind_name(o),
                             o->choices ? o->choices : "");
    }
    JSON_ITEMS (c->flags, flag)
        if (!is_text(flag))
            return error_set(err, ERR_CONFIG_VALIDATION, "%s: flags must be a list of texts",
                             provider_candidate_name(c, name));
    return check_env(c, err);
}

static bool check_category(const struct doc *doc, struct str at, const struct tooling_category *s,
                           struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        struct error why = {0};
        struct buf place = {0};
        if (provider_check(&s->candidates[i], &why))
            continue;
        buf_printf(&place, "%.*s/candidates/%zu", STR_ARG(at), i);
        doc_fail(doc, buf_str(&place), err, "%s", why.text);
        buf_done(&place);
        return false;
    }
    return true;
}

bool provider_check_all(const struct doc *doc, struct str at, const struct tooling *t,
                        struct error *err)
{
    for (size_t p = 0; p < t->profile_count; p++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++) {
            struct buf place = {0};
            buf_printf(&place, "%.*s/profiles/%zu/categories/%s", STR_ARG(at), p,
                       tooling_category_name(c));
            bool ok = check_category(doc, buf_str(&place), &t->profiles[p].categories[c], err);
            buf_done(&place);
            if (!ok)
                return false;
        }
    return true;
}

/* ---- programs and variables */

bool provider_find_variable(const struct candidate *c, const char *name, const char **value,
                            struct str *missing, struct arena *a)
{
    const struct json *own = json_get(c->env, str_from(name));
    if (!json_is(own, JSON_STRING)) {
        *value = getenv(name);
        return true;
    }
    struct str text = json_str(own);
    if (!str_starts(text, STR("env:"))) {
        *value = arena_cstr(a, text);
        return true;
    }
    *missing = str_skip(text, 4);
    const char *found = getenv(arena_cstr(a, *missing));
    if (!found || !*found)
        return false;
    *value = found;
    return true;
}

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Find a configured path: ~/ is the user's home, relative paths start in our working folder. */
static bool find_path(struct str given, struct buf *out, char why[128])
{
    char cwd[4096];
    const char *home = getenv("HOME");
    struct buf path = {0};
    if (home && str_starts(given, STR("~/")))
        buf_printf(&path, "%s/%.*s", home, STR_ARG(str_skip(given, 2)));
    else if (given.p[0] != '/' && getcwd(cwd, sizeof cwd))
        buf_printf(&path, "%s/%.*s", cwd, STR_ARG(given));
    else
        buf_add(&path, given);
    bool ok = is_program(path.p);
    if (ok)
        buf_add(out, buf_str(&path));
    else
        snprintf(why, 128, "%.*s is not an executable file", str_precision(str_head(given, 100)),
                 given.p);
    buf_done(&path);
    return ok;
}

bool provider_find_program(struct str name, const char *path, struct buf *out, char why[128])
{
    struct str folder;
    if (memchr(name.p, 0, name.n)) {
        snprintf(why, 128, "cliPath is not a path");
        return false;
    }
    if (memchr(name.p, '/', name.n))
        return find_path(name, out, why);
    struct str rest = str_from(path ? path : "/usr/local/bin:/usr/bin:/bin");
    bool more = true;
    while (more) {
        more = str_cut(&rest, ':', &folder);
        struct buf at = {0};
        buf_printf(&at, "%.*s/%.*s", STR_ARG(folder.n ? folder : STR(".")), STR_ARG(name));
        bool ok = is_program(at.p);
        if (ok && at.p[0] == '/')
            buf_add(out, buf_str(&at));
        else if (ok)
            ok = find_path(buf_str(&at), out, why);
        buf_done(&at);
        if (ok)
            return true;
    }
    snprintf(why, 128, "%.*s is not in PATH", str_precision(str_head(name, 100)), name.p);
    return false;
}

static bool has_key(const struct candidate *c, char why[128])
{
    struct arena a = {0};
    struct str missing;
    const char *key = NULL;
    bool ok = provider_find_variable(c, "OPENAI_API_KEY", &key, &missing, &a) && key && *key;
    if (!ok)
        snprintf(why, 128, "OPENAI_API_KEY is not set");
    arena_done(&a);
    return ok;
}

bool provider_is_available(const struct candidate *c, char why[128], void *ctx)
{
    const struct sandbox *sandbox = ctx;
    bool is_in_container =
        sandbox && (sandbox->kind == SANDBOX_DOCKER || sandbox->kind == SANDBOX_PODMAN);
    struct arena a = {0};
    struct buf path = {0};
    struct str missing;
    const char *value;
    bool ok = true;
    JSON_EACH (c->env, k) {
        const char *name = arena_cstr(&a, json_str(k));
        if (!ok || provider_find_variable(c, name, &value, &missing, &a))
            continue;
        ok = false;
        snprintf(why, 128, "%.*s is not set", str_precision(str_head(missing, 100)),
                 missing.p ? missing.p : "");
    }
    if (ok && c->tool == AGENT_OPENAI)
        ok = has_key(c, why);
    if (ok && agent_kind_row(c->tool)->program && !is_in_container) {
        provider_find_variable(c, "PATH", &value, &missing, &a);
        struct str name = c->cli_path.n ? c->cli_path : str_from(agent_kind_row(c->tool)->program);
        ok = provider_find_program(name, value, &path, why);
    }
    buf_done(&path);
    arena_done(&a);
    return ok;
}

/* ---- lists in the launch's arena, which end with NULL */

static void append_item(struct arena *a, const char ***list, size_t *count, size_t *cap,
                        const char *item)
{
    if (*count + 2 > *cap) {
        size_t grown = *cap ? 2 * *cap : 32;
        *list = arena_grow(a, *list, *cap * sizeof **list, grown * sizeof **list);
        *cap = grown;
    }
    (*list)[(*count)++] = item;
    (*list)[*count] = NULL;
}

void provider_add_arg(struct provider_build *b, const char *arg)
{
    struct provider_launch *l = b->out;
    append_item(&l->arena, &l->argv, &b->arg_count, &b->arg_cap,
                arena_cstr(&l->arena, str_from(arg)));
}

void provider_add_argf(struct provider_build *b, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    provider_add_arg(b, text.p ? text.p : "");
    buf_done(&text);
}

void provider_add_args(struct provider_build *b, const char *const *args)
{
    for (; *args; args++)
        provider_add_arg(b, *args);
}

/* ---- the environment */

/* Return the index of a variable, or env_count. */
static size_t find_env(const struct provider_build *b, const char *name)
{
    size_t n = strlen(name), i = 0;
    while (i < b->env_count && (strncmp(b->out->env[i], name, n) != 0 || b->out->env[i][n] != '='))
        i++;
    return i;
}

static const char *get_env(const struct provider_build *b, const char *name)
{
    size_t i = find_env(b, name);
    return i < b->env_count ? b->out->env[i] + strlen(name) + 1 : NULL;
}

const char *provider_env_get(const struct provider_build *b, const char *name)
{
    const char *value = get_env(b, name);
    return value && *value ? value : NULL;
}

bool provider_env_is_own(const struct provider_build *b, const char *name)
{
    return json_get(b->call->candidate->env, str_from(name)) != NULL;
}

void provider_pass_variable(struct provider_build *b, const char *name)
{
    struct provider_launch *l = b->out;
    for (size_t i = 0; i < b->need_count; i++)
        if (strcmp(l->variables[i], name) == 0)
            return;
    append_item(&l->arena, &l->variables, &b->need_count, &b->need_cap,
                arena_cstr(&l->arena, str_from(name)));
}

void provider_env_set(struct provider_build *b, const char *name, const char *value)
{
    struct provider_launch *l = b->out;
    const char *text = arena_printf(&l->arena, "%s=%s", name, value).p;
    size_t i = find_env(b, name);
    if (i < b->env_count)
        l->env[i] = text;
    else
        append_item(&l->arena, &l->env, &b->env_count, &b->env_cap, text);
    provider_pass_variable(b, name);
}

void provider_env_default(struct provider_build *b, const char *name, const char *value)
{
    if (get_env(b, name))
        provider_pass_variable(b, name);
    else
        provider_env_set(b, name, value);
}

void provider_env_drop(struct provider_build *b, const char *name)
{
    size_t i = find_env(b, name);
    if (i == b->env_count)
        return;
    b->out->env[i] = b->out->env[--b->env_count];
    b->out->env[b->env_count] = NULL;
}

void provider_add_secret(struct provider_build *b, struct str value)
{
    struct provider_launch *l = b->out;
    if (value.n < SECRETS_MIN)
        return;
    struct str *list = (struct str *)l->secrets;
    if (l->secret_count == b->secret_cap) {
        size_t grown = b->secret_cap ? 2 * b->secret_cap : 8;
        list = arena_grow(&l->arena, list, b->secret_cap * sizeof *list, grown * sizeof *list);
        b->secret_cap = grown;
    }
    list[l->secret_count++] = arena_str(&l->arena, value);
    l->secrets = list;
}

bool provider_add_env(struct provider_build *b, struct error *err)
{
    const struct candidate *c = b->call->candidate;
    struct arena *a = &b->out->arena;
    for (char **e = environ; e && *e; e++)
        append_item(a, &b->out->env, &b->env_count, &b->env_cap, *e);
    provider_env_drop(b, MARK_ATTEMPT); /* this process may be part of another attempt */
    JSON_EACH (c->env, k) {
        const char *name = arena_cstr(a, json_str(k)), *value;
        struct str missing;
        char owner[96];
        if (!provider_find_variable(c, name, &value, &missing, a))
            return error_set(err, ERR_CONFIG_VALIDATION,
                             "%s: its env takes %s from %.*s, which is not set: export %.*s, or "
                             "change the candidate",
                             provider_candidate_name(c, owner), name, STR_ARG(missing),
                             STR_ARG(missing));
        provider_env_set(b, name, value);
        bool is_named = str_starts(json_str(k + 1), STR("env:"));
        provider_add_secret(b, is_named ? str_from(value)
                                        : secrets_in_variable(str_from(name), str_from(value)));
    }
    const char *const *accounts = agent_kind_row(c->tool)->accounts;
    for (size_t i = 0; i < AGENT_KIND_ACCOUNTS && accounts[i]; i++) {
        const char *value = provider_env_get(b, accounts[i]);
        if (!value)
            continue;
        provider_pass_variable(b, accounts[i]);
        provider_add_secret(b, secrets_in_variable(str_from(accounts[i]), str_from(value)));
    }
    return true;
}

/* ---- files */

void provider_add_home(struct provider_build *b, const char *path)
{
    struct provider_launch *l = b->out;
    append_item(&l->arena, &l->homes, &b->home_count, &b->home_cap,
                arena_cstr(&l->arena, str_from(path)));
}

const char *provider_user_home(const struct provider_build *b)
{
    const char *home = provider_env_get(b, "HOME");
    return home ? home : "/";
}

const char *provider_home_path(const struct provider_build *b, const char *variable,
                               const char *folder)
{
    const char *given = variable ? provider_env_get(b, variable) : NULL;
    if (given)
        return given;
    return arena_printf(&b->out->arena, "%s/%s", provider_user_home(b), folder).p;
}

const char *provider_make_folder(struct provider_build *b, struct error *err)
{
    struct provider_launch *l = b->out;
    char text[128];
    if (l->folder)
        return l->folder;
    char *path = (char *)arena_printf(&l->arena, "%s/call-XXXXXX", b->call->dir).p;
    if (!mkdtemp(path)) {
        error_set(err, ERR_IO, "cannot create a folder in %s: %s", b->call->dir,
                  strerror_r(errno, text, sizeof text));
        return NULL;
    }
    return l->folder = path;
}

bool provider_write_file(struct provider_build *b, const char *name, struct str text,
                         const char **path, struct error *err)
{
    const char *folder = provider_make_folder(b, err);
    if (!folder)
        return false;
    *path = arena_printf(&b->out->arena, "%s/%s", folder, name).p;
    return file_replace(*path, text, 0600, err);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0; /* continue after a failure */
}

void provider_launch_done(struct provider_launch *l)
{
    if (l->folder)
        nftw(l->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    arena_done(&l->arena);
    *l = (struct provider_launch){0};
}

/* ---- building a launch */

const char *provider_model(struct provider_build *b)
{
    struct str model = b->call->candidate->model;
    return model.n ? arena_cstr(&b->out->arena, model) : NULL;
}

struct str provider_whole_prompt(struct provider_build *b)
{
    struct str system = b->call->candidate->system_prompt, prompt = b->call->prompt;
    if (!system.n)
        return prompt;
    char *text = arena_alloc(&b->out->arena, system.n + prompt.n + 2);
    memcpy(text, system.p, system.n);
    memcpy(text + system.n, "\n\n", 2);
    if (prompt.n)
        memcpy(text + system.n + 2, prompt.p, prompt.n);
    return str_make(text, system.n + prompt.n + 2);
}

static void add_program(struct provider_build *b)
{
    const struct candidate *c = b->call->candidate;
    const char *standard = agent_kind_row(c->tool)->program;
    struct buf path = {0};
    char why[128];
    b->out->is_self = !standard;
    if (!standard) {
        b->out->program = b->call->self;
        provider_add_arg(b, b->call->self);
        return;
    }
    struct str name = c->cli_path.n ? c->cli_path : str_from(standard);
    b->out->program = arena_cstr(&b->out->arena, name);
    /* If it is not found, the start fails with the system's error. */
    provider_find_program(name, provider_env_get(b, "PATH"), &path, why);
    provider_add_arg(b, path.p ? path.p : b->out->program);
    buf_done(&path);
}

bool provider_build(const struct provider_call *call, struct provider_launch *out,
                    struct error *err)
{
    const struct provider_impl *impl = provider_impl(call->candidate->tool);
    struct provider_launch l = {.cwd = call->cwd};
    struct provider_build b = {.call = call, .out = &l};
    if (!provider_check(call->candidate, err))
        return false;
    if (!provider_add_env(&b, err))
        goto fail;
    add_program(&b);
    l.input = provider_whole_prompt(&b);
    if (!impl->build(&b, err))
        goto fail;
    if (!l.is_self)
        JSON_ITEMS (call->candidate->flags, flag)
            provider_add_arg(&b, arena_cstr(&l.arena, json_str(flag)));
    if (impl->finish)
        impl->finish(&b);
    *out = l;
    return true;
fail:
    provider_launch_done(&l);
    return false;
}
