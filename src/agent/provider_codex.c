#include <stdlib.h>
#include <string.h>

#include "agent/provider_internal.h"
#include "base/file.h"

#define MAX_CONFIG (1u << 20)
#define OPENAI_URL "https://api.openai.com/v1"
#define OWN        "multiverse" /* our model provider and our MCP server */
#define OWN_TOKEN  "MULTIVERSE_MCP_TOKEN"

static const struct provider_option options[] = {
    {.name = "sandbox",
     .kind = OPTION_CHOICE,
     .choices = "read-only workspace-write danger-full-access"},
    {.name = "reasoning_effort", .kind = OPTION_TEXT},
    {.name = "profile", .kind = OPTION_TEXT},
    {0},
};

/* ---- settings: flags have precedence over the profile, the profile over config.toml */

struct codex_settings {
    const char *repo; /* the repo, with links resolved; NULL: unknown */
    struct str provider, base_url, store;
    bool is_decided; /* the user has decided whether the repo is trusted */
    bool has_server; /* there is an MCP server with our name */
    bool is_local;   /* --oss: a model on this machine */
    bool sets_retries;
};

/* Read "value", 'value' or value, which may be followed by a comment. */
static struct str read_toml_value(struct str text)
{
    struct str s = str_trim(text);
    if (s.n && (s.p[0] == '"' || s.p[0] == '\'')) {
        char quote = s.p[0];
        s = str_skip(s, 1);
        return str_head(s, str_find_char(s, quote));
    }
    return str_trim(str_head(s, str_find_char(s, '#')));
}

static void read_setting(struct codex_settings *s, struct str key, struct str value)
{
    key = str_trim(key);
    if (str_eq(key, STR("model_provider")))
        s->provider = read_toml_value(value);
    else if (str_eq(key, STR("openai_base_url")))
        s->base_url = read_toml_value(value);
    else if (str_eq(key, STR("cli_auth_credentials_store")))
        s->store = read_toml_value(value);
}

/* Whether this table (projects."/game") is for the repo, or for the git repository around it. */
static bool is_project(const struct codex_settings *s, struct str name)
{
    struct buf git = {0};
    if (!s->repo || !str_starts(name, STR("projects.")))
        return false;
    struct str at = read_toml_value(str_skip(name, 9)), repo = str_from(s->repo);
    if (!at.n || !str_starts(repo, at))
        return false;
    buf_printf(&git, "%.*s/.git", STR_ARG(at));
    bool found = repo.n == at.n || (repo.p[at.n] == '/' && file_exists(git.p));
    buf_done(&git);
    return found;
}

/* Read the keys before the first table and those of the profile's table. This is a subset of TOML:
 * anything else is ignored. */
static void read_toml(struct codex_settings *s, struct str text, const char *profile)
{
    struct str line, key;
    bool is_wanted = true, more = true;
    while (more) {
        more = str_cut(&text, '\n', &line);
        line = str_trim(line);
        if (str_starts(line, STR("[mcp_servers." OWN)) ||
            str_starts(line, STR("[mcp_servers.\"" OWN)))
            s->has_server = true;
        if (line.n && line.p[0] == '[') {
            struct str name = str_trim(str_head(str_skip(line, 1), line.n > 1 ? line.n - 2 : 0));
            is_wanted = profile && str_starts(name, STR("profiles.")) &&
                        str_eq(read_toml_value(str_skip(name, 9)), str_from(profile));
            s->is_decided |= is_project(s, name);
        } else if (is_wanted && str_cut(&line, '=', &key)) {
            read_setting(s, key, line);
        }
    }
}

static void read_config(struct provider_build *b, struct codex_settings *s, const char *path,
                        const char *profile)
{
    struct buf text = buf_make(MAX_CONFIG);
    if (file_read(path, MAX_CONFIG, &text, NULL))
        read_toml(s, arena_str(&b->out->arena, buf_str(&text)), profile);
    buf_done(&text);
}

/* Whether a flag is `name`, and its value: "-c x", "-cx", "--config x", "--config=x". */
static bool read_flag_value(const struct json *flags, const struct json *flag, const char *name,
                            struct str *value)
{
    struct str word = json_str(flag), n = str_from(name);
    const struct json *next = json_next(flag);
    if (str_eq(word, n) && next != json_next(flags)) {
        *value = json_str(next);
        return true;
    }
    if (!str_starts(word, n) || word.n <= n.n)
        return false;
    bool is_long = str_starts(n, STR("--"));
    if (is_long && word.p[n.n] != '=')
        return false;
    *value = str_skip(word, n.n + is_long);
    return true;
}

static const char *find_profile(struct provider_build *b)
{
    const struct json *flags = b->call->candidate->flags;
    struct str value = {0};
    JSON_ITEMS (flags, flag)
        if (!read_flag_value(flags, flag, "--profile", &value))
            read_flag_value(flags, flag, "-p", &value);
    return value.n ? arena_cstr(&b->out->arena, value) : provider_option_text(b, "profile");
}

static const char *resolve_path(struct arena *a, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    const char *copy = real ? arena_cstr(a, str_from(real)) : NULL;
    free(real);
    return copy;
}

static struct codex_settings find_settings(struct provider_build *b, const char *home)
{
    const struct json *flags = b->call->candidate->flags;
    const char *profile = find_profile(b);
    struct arena *a = &b->out->arena;
    struct codex_settings s = {.repo = resolve_path(a, b->call->cwd)};
    bool ignores_user = false;
    JSON_ITEMS (flags, flag) {
        ignores_user |= str_eq(json_str(flag), STR("--ignore-user-config"));
        s.is_local |= str_eq(json_str(flag), STR("--oss"));
        s.sets_retries |= str_find(json_str(flag), STR("_max_retries")) < json_str(flag).n;
    }
    if (!ignores_user)
        read_config(b, &s, arena_printf(a, "%s/config.toml", home).p, profile);
    if (profile)
        read_config(b, &s, arena_printf(a, "%s/%s.config.toml", home, profile).p, NULL);
    if (b->call->cwd)
        read_config(b, &s, arena_printf(a, "%s/.codex/config.toml", b->call->cwd).p, profile);
    JSON_ITEMS (flags, flag) {
        struct str value, key;
        if ((read_flag_value(flags, flag, "--config", &value) ||
             read_flag_value(flags, flag, "-c", &value)) &&
            str_cut(&value, '=', &key))
            read_setting(&s, key, value);
    }
    return s;
}

/* ---- model provider: without retries */

enum codex_account {
    ACCOUNT_LEFT, /* a login, or unknown: leave it to Codex */
    ACCOUNT_VARIABLE,
    ACCOUNT_FILE /* a key that `codex login` has stored */
};

/* Codex prefers CODEX_API_KEY to its own login, and ignores OPENAI_API_KEY. We pass the latter if
 * the candidate's env sets it, or if there is no login. */
static enum codex_account find_account(struct provider_build *b, const char *home,
                                       const struct codex_settings *s, const char **variable)
{
    struct arena *a = &b->out->arena;
    struct buf text = buf_make(MAX_CONFIG);
    *variable = "CODEX_API_KEY";
    if (provider_env_get(b, *variable))
        return ACCOUNT_VARIABLE;
    *variable = "OPENAI_API_KEY";
    if (provider_env_get(b, *variable) && provider_env_is_own(b, *variable))
        return ACCOUNT_VARIABLE;
    const char *path = arena_printf(a, "%s/auth.json", home).p;
    bool is_read = file_read(path, MAX_CONFIG, &text, NULL);
    const struct json *auth =
        is_read ? json_parse(a, arena_str(a, buf_str(&text)), NULL, NULL) : NULL;
    bool has_login = json_is(json_get(auth, STR("tokens")), JSON_OBJECT);
    struct str key = json_str(json_get(auth, STR("OPENAI_API_KEY")));
    buf_done(&text);
    provider_add_secret(b, key);
    if (is_read)
        return key.n && !has_login ? ACCOUNT_FILE : ACCOUNT_LEFT;
    bool elsewhere = s->store.n && !str_eq(s->store, STR("file"));
    return provider_env_get(b, *variable) && !elsewhere ? ACCOUNT_VARIABLE : ACCOUNT_LEFT;
}

static void add_quoted(struct buf *out, struct str value)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] == '"' || value.p[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, value.p[i]);
    }
    buf_add_char(out, '"');
}

static void add_toml(struct buf *out, const char *key, struct str value)
{
    buf_printf(out, "%s%s=", out->n ? "," : "", key);
    add_quoted(out, value);
}

/* Define a provider without retries: those of the built-in provider cannot be changed. */
static void add_own_provider(struct provider_build *b, const struct codex_settings *s,
                             enum codex_account account, const char *variable)
{
    struct buf text = {0};
    add_toml(&text, "name", STR("OpenAI"));
    add_toml(&text, "base_url", s->base_url.n ? s->base_url : STR(OPENAI_URL));
    add_toml(&text, "wire_api", STR("responses"));
    if (account == ACCOUNT_VARIABLE)
        add_toml(&text, "env_key", str_from(variable));
    else
        buf_add(&text, STR(",requires_openai_auth=true"));
    provider_add_arg(b, "-c");
    provider_add_arg(b, "model_provider=\"" OWN "\"");
    provider_add_arg(b, "-c");
    provider_add_argf(b, "model_providers." OWN "={%s,request_max_retries=0,stream_max_retries=0}",
                      text.p);
    buf_done(&text);
}

static bool is_builtin(struct str provider)
{
    static const char *const names[] = {"openai",   "ollama", "ollama-chat",
                                        "lmstudio", "oss",    "amazon-bedrock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(provider, str_from(names[i])))
            return true;
    return false;
}

/* ---- the command line */

/* Codex would merge our server into a server of the same name, so disable that one and use another
 * name. */
static void add_mcp(struct provider_build *b, const struct codex_settings *s)
{
    const struct provider_mcp *mcp = &b->call->mcp;
    struct buf text = {0};
    add_toml(&text, "url", str_from(mcp->url));
    if (mcp->token) {
        provider_add_secret(b, str_from(mcp->token));
        provider_env_set(b, OWN_TOKEN, mcp->token);
        add_toml(&text, "bearer_token_env_var", STR(OWN_TOKEN));
    }
    /* Without it only read-only tools run, as a reader needs. */
    if (b->call->mode == PROVIDER_WRITE)
        add_toml(&text, "default_tools_approval_mode", STR("approve"));
    if (s->has_server)
        provider_add_args(b, (const char *[]){"-c", "mcp_servers." OWN ".enabled=false", NULL});
    provider_add_arg(b, "-c");
    provider_add_argf(b, "mcp_servers.%s={%s,tool_timeout_sec=%u,required=true}",
                      s->has_server ? OWN "_run" : OWN, text.p, PROVIDER_TOOL_S);
    buf_done(&text);
}

/* Decide the trust for this call. Otherwise Codex trusts a folder in which it may write, and saves
 * that in the user's config.toml. */
static void add_trust(struct provider_build *b, const struct codex_settings *s)
{
    struct buf text = {0};
    if (!s->repo || s->is_decided || strpbrk(s->repo, "\n\r\t"))
        return;
    add_quoted(&text, str_from(s->repo));
    provider_add_arg(b, "-c");
    provider_add_argf(b, "projects={%s={trust_level=\"trusted\"}}", text.p);
    buf_done(&text);
}

static void add_sandbox(struct provider_build *b, const struct codex_settings *s)
{
    const char *sandbox = provider_option_text(b, "sandbox");
    if (!sandbox && b->call->mode == PROVIDER_READ)
        sandbox = "read-only";
    else if (!sandbox) /* its sandbox cannot run inside ours: every command would fail */
        sandbox = b->call->is_sandboxed ? "danger-full-access" : "workspace-write";
    provider_add_args(b, (const char *[]){"-s", sandbox, NULL});
    if (strcmp(sandbox, "read-only") != 0)
        add_trust(b, s);
}

static bool build_launch(struct provider_build *b, struct error *err)
{
    (void)err;
    const char *home = provider_home_path(b, "CODEX_HOME", ".codex"), *model = provider_model(b),
               *effort = provider_option_text(b, "reasoning_effort"),
               *profile = provider_option_text(b, "profile"), *variable;
    struct codex_settings s = find_settings(b, home);
    provider_add_args(b, (const char *[]){"exec", "--json", "--skip-git-repo-check", NULL});
    if (model)
        provider_add_args(b, (const char *[]){"-m", model, NULL});
    if (profile)
        provider_add_args(b, (const char *[]){"-p", profile, NULL});
    add_sandbox(b, &s);
    if (effort) {
        struct buf text = {0};
        add_toml(&text, "model_reasoning_effort", str_from(effort));
        provider_add_args(b, (const char *[]){"-c", text.p, NULL});
        buf_done(&text);
    }
    if (!s.is_local && (!s.provider.n || str_eq(s.provider, STR("openai")))) {
        enum codex_account account = find_account(b, home, &s, &variable);
        if (account != ACCOUNT_LEFT && str_find_char(s.base_url, '@') == s.base_url.n)
            add_own_provider(b, &s, account, variable);
        else if (account ==
                 ACCOUNT_VARIABLE) /* the URL has a password, which a command line would show */
            provider_env_set(b, "CODEX_API_KEY", provider_env_get(b, variable));
    }
    if (b->call->mcp.url)
        add_mcp(b, &s);
    provider_add_home(b, home);
    b->out->session_logs = arena_printf(&b->out->arena, "%s/sessions", home);
    return true;
}

struct str provider_codex_model_provider(struct provider_build *b)
{
    struct codex_settings s = find_settings(b, provider_home_path(b, "CODEX_HOME", ".codex"));
    if (s.is_local)
        return STR("oss");
    return is_builtin(s.provider) ? (struct str){0} : s.provider;
}

/* After the candidate's flags, because a provider's table in them would replace these values. */
static void finish_launch(struct provider_build *b)
{
    struct codex_settings s = find_settings(b, provider_home_path(b, "CODEX_HOME", ".codex"));
    if (s.is_local || s.sets_retries || !s.provider.n || is_builtin(s.provider))
        return;
    static const char *const names[] = {"request", "stream"};
    for (size_t i = 0; i < 2; i++) {
        provider_add_arg(b, "-c");
        provider_add_argf(b, "model_providers.%.*s.%s_max_retries=0", STR_ARG(s.provider),
                          names[i]);
    }
}

const struct provider_impl provider_codex = {
    .options = options, .build = build_launch, .finish = finish_launch};
