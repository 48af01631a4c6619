#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/provider_internal.h"
#include "agent/sandbox.h"

bool provider_lookup(const struct candidate *c, const char *name, const char **value,
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

/* A path as it was configured: ~ is the user's home, relative is to our own folder. */
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
        snprintf(why, 128, "%.*s is no program", str_precision(str_head(given, 100)), given.p);
    buf_done(&path);
    return ok;
}

bool provider_find_program(struct str name, const char *path, struct buf *out, char why[128])
{
    struct str folder;
    if (memchr(name.p, 0, name.n)) {
        snprintf(why, 128, "cliPath is no path");
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
    bool ok = provider_lookup(c, "OPENAI_API_KEY", &key, &missing, &a) && key && *key;
    if (!ok)
        snprintf(why, 128, "OPENAI_API_KEY is not set");
    arena_done(&a);
    return ok;
}

bool provider_available(const struct candidate *c, char why[128], void *ctx)
{
    const struct sandbox *wall = ctx;
    bool is_elsewhere = wall && (wall->kind == SANDBOX_DOCKER || wall->kind == SANDBOX_PODMAN);
    struct arena a = {0};
    struct buf path = {0};
    struct str missing;
    const char *value;
    bool ok = true;
    JSON_EACH (c->env, k) {
        const char *name = arena_cstr(&a, json_str(k));
        if (!ok || provider_lookup(c, name, &value, &missing, &a))
            continue;
        ok = false;
        snprintf(why, 128, "%.*s is not set", str_precision(str_head(missing, 100)),
                 missing.p ? missing.p : "");
    }
    if (ok && c->tool == AGENT_OPENAI)
        ok = has_key(c, why);
    if (ok && agent_kind_row(c->tool)->program && !is_elsewhere) {
        provider_lookup(c, "PATH", &value, &missing, &a);
        struct str name = c->cli_path.n ? c->cli_path : str_from(agent_kind_row(c->tool)->program);
        ok = provider_find_program(name, value, &path, why);
    }
    buf_done(&path);
    arena_done(&a);
    return ok;
}
