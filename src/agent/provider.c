#include "agent/provider.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/provider_internal.h"
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

/* ---- lists in the launch's arena, always ended by NULL */

static void append(struct arena *a, const char ***list, size_t *count, size_t *cap,
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

void provider_arg(struct provider_build *b, const char *arg)
{
    struct provider_launch *l = b->out;
    append(&l->arena, &l->argv, &b->arg_count, &b->arg_cap, arena_cstr(&l->arena, str_from(arg)));
}

void provider_argf(struct provider_build *b, const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    provider_arg(b, text.p ? text.p : "");
    buf_done(&text);
}

void provider_args(struct provider_build *b, const char *const *args)
{
    for (; *args; args++)
        provider_arg(b, *args);
}

/* ---- the environment */

/* Place of a variable in the list; env_count if it is not there. */
static size_t env_find(const struct provider_build *b, const char *name)
{
    size_t n = strlen(name), i = 0;
    while (i < b->env_count && (strncmp(b->out->env[i], name, n) != 0 || b->out->env[i][n] != '='))
        i++;
    return i;
}

static const char *env_get(const struct provider_build *b, const char *name)
{
    size_t i = env_find(b, name);
    return i < b->env_count ? b->out->env[i] + strlen(name) + 1 : NULL;
}

const char *provider_env(const struct provider_build *b, const char *name)
{
    const char *value = env_get(b, name);
    return value && *value ? value : NULL;
}

bool provider_env_is_own(const struct provider_build *b, const char *name)
{
    return json_get(b->call->candidate->env, str_from(name)) != NULL;
}

void provider_need(struct provider_build *b, const char *name)
{
    struct provider_launch *l = b->out;
    for (size_t i = 0; i < b->need_count; i++)
        if (strcmp(l->needs[i], name) == 0)
            return;
    append(&l->arena, &l->needs, &b->need_count, &b->need_cap,
           arena_cstr(&l->arena, str_from(name)));
}

void provider_env_set(struct provider_build *b, const char *name, const char *value)
{
    struct provider_launch *l = b->out;
    const char *text = arena_printf(&l->arena, "%s=%s", name, value).p;
    size_t i = env_find(b, name);
    if (i < b->env_count)
        l->env[i] = text;
    else
        append(&l->arena, &l->env, &b->env_count, &b->env_cap, text);
    provider_need(b, name);
}

void provider_env_default(struct provider_build *b, const char *name, const char *value)
{
    if (env_get(b, name))
        provider_need(b, name);
    else
        provider_env_set(b, name, value);
}

void provider_env_drop(struct provider_build *b, const char *name)
{
    size_t i = env_find(b, name);
    if (i == b->env_count)
        return;
    b->out->env[i] = b->out->env[--b->env_count];
    b->out->env[b->env_count] = NULL;
}

void provider_secret(struct provider_build *b, struct str value)
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
        append(a, &b->out->env, &b->env_count, &b->env_cap, *e);
    provider_env_drop(b, MARK_ATTEMPT); /* of an attempt that we are a part of */
    JSON_EACH (c->env, k) {
        const char *name = arena_cstr(a, json_str(k)), *value;
        struct str missing;
        char owner[96];
        if (!provider_lookup(c, name, &value, &missing, a))
            return error_set(err, ERR_CONFIG_VALIDATION,
                             "%s: its env takes %s from %.*s, which is not set: export %.*s, or "
                             "change the candidate",
                             provider_who(c, owner), name, STR_ARG(missing), STR_ARG(missing));
        provider_env_set(b, name, value);
        bool is_named = str_starts(json_str(k + 1), STR("env:"));
        provider_secret(b, is_named ? str_from(value)
                                    : secrets_in_variable(str_from(name), str_from(value)));
    }
    const char *const *accounts = agent_kind_row(c->tool)->accounts;
    for (size_t i = 0; i < AGENT_KIND_ACCOUNTS && accounts[i]; i++) {
        const char *value = provider_env(b, accounts[i]);
        if (!value)
            continue;
        provider_need(b, accounts[i]);
        provider_secret(b, secrets_in_variable(str_from(accounts[i]), str_from(value)));
    }
    return true;
}

/* ---- files */

void provider_home(struct provider_build *b, const char *path)
{
    struct provider_launch *l = b->out;
    append(&l->arena, &l->homes, &b->home_count, &b->home_cap,
           arena_cstr(&l->arena, str_from(path)));
}

const char *provider_user_home(const struct provider_build *b)
{
    const char *home = provider_env(b, "HOME");
    return home ? home : "/";
}

const char *provider_in_home(const struct provider_build *b, const char *variable,
                             const char *folder)
{
    const char *given = variable ? provider_env(b, variable) : NULL;
    if (given)
        return given;
    return arena_printf(&b->out->arena, "%s/%s", provider_user_home(b), folder).p;
}

const char *provider_folder(struct provider_build *b, struct error *err)
{
    struct provider_launch *l = b->out;
    char text[128];
    if (l->folder)
        return l->folder;
    char *path = (char *)arena_printf(&l->arena, "%s/call-XXXXXX", b->call->dir).p;
    if (!mkdtemp(path)) {
        error_set(err, ERR_IO, "cannot make a folder in %s: %s", b->call->dir,
                  strerror_r(errno, text, sizeof text));
        return NULL;
    }
    return l->folder = path;
}

bool provider_file(struct provider_build *b, const char *name, struct str text, const char **path,
                   struct error *err)
{
    const char *folder = provider_folder(b, err);
    if (!folder)
        return false;
    *path = arena_printf(&b->out->arena, "%s/%s", folder, name).p;
    return file_replace(*path, text, 0600, err);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0; /* what cannot be removed stays, the rest goes */
}

void provider_launch_done(struct provider_launch *l)
{
    if (l->folder)
        nftw(l->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    arena_done(&l->arena);
    *l = (struct provider_launch){0};
}

/* ---- the whole */

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
        provider_arg(b, b->call->self);
        return;
    }
    struct str name = c->cli_path.n ? c->cli_path : str_from(standard);
    b->out->program = arena_cstr(&b->out->arena, name);
    /* Not found: the start fails and says so, in the words of the system. */
    provider_find_program(name, provider_env(b, "PATH"), &path, why);
    provider_arg(b, path.p ? path.p : b->out->program);
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
            provider_arg(&b, arena_cstr(&l.arena, json_str(flag)));
    if (impl->finish)
        impl->finish(&b);
    *out = l;
    return true;
fail:
    provider_launch_done(&l);
    return false;
}
