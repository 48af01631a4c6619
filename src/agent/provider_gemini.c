#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/provider_internal.h"
#include "base/file.h"
#include "base/jsonw.h"

#define MAX_SETTINGS (1u << 20)
#define MAX_ENTRIES  10000u
#define OWN          "multiverse"

static const struct provider_option options[] = {
    {.name = "approval_mode", .kind = OPTION_CHOICE, .choices = "default auto_edit yolo plan"},
    {.name = "sandbox", .kind = OPTION_FLAG},
    {0},
};

/* ---- settings: ours merged over the user's. Gemini reads them only from files, and a system file
 * must belong to root. So each call gets a home whose entries are links to the user's, except for
 * the settings. */

/* Replace comments by spaces, except inside strings. */
static void strip_comments(char *text, size_t n)
{
    bool in_text = false;
    for (size_t i = 0; i < n; i++) {
        if (in_text) {
            in_text = text[i] != '"';
            i += text[i] == '\\'; /* skip the escaped character */
        } else if (text[i] == '"') {
            in_text = true;
        } else if (text[i] == '/' && i + 1 < n && text[i + 1] == '/') {
            while (i < n && text[i] != '\n')
                text[i++] = ' ';
        } else if (text[i] == '/' && i + 1 < n && text[i + 1] == '*') {
            char *end = memmem(text + i + 2, n - i - 2, "*/", 2);
            size_t stop = end ? (size_t)(end - text) + 2 : n;
            memset(text + i, ' ', stop - i);
            i = stop - 1;
        }
    }
}

/* Return the settings, or NULL if there are none. *broken gets the text of an invalid file. */
static const struct json *read_settings(struct provider_build *b, const char *path,
                                        struct str *broken)
{
    struct arena *a = &b->out->arena;
    struct buf text = buf_make(MAX_SETTINGS);
    const struct json *v = NULL;
    if (file_read(path, MAX_SETTINGS, &text, NULL)) {
        char *copy = arena_cstr(a, buf_str(&text));
        strip_comments(copy, text.n);
        v = json_parse(a, str_make(copy, text.n), NULL, NULL);
        if (!json_is(v, JSON_OBJECT) && broken)
            *broken = arena_str(a, buf_str(&text));
    }
    buf_done(&text);
    return json_is(v, JSON_OBJECT) ? v : NULL;
}

/* Write base with the members of over. A server is replaced as a whole: its members belong
 * together. */
static void merge_settings(struct jsonw *w, const struct json *base, const struct json *over,
                           bool is_deep)
{
    jsonw_object(w);
    JSON_EACH (base, k) {
        const struct json *mine = json_get(over, json_str(k));
        jsonw_key_str(w, json_str(k));
        if (mine && is_deep && json_is(mine, JSON_OBJECT) && json_is(k + 1, JSON_OBJECT))
            merge_settings(w, k + 1, mine, !str_eq(json_str(k), STR("mcpServers")));
        else
            jsonw_value(w, mine ? mine : k + 1);
    }
    JSON_EACH (over, k) {
        if (json_get(base, json_str(k)))
            continue;
        jsonw_key_str(w, json_str(k));
        jsonw_value(w, k + 1);
    }
    jsonw_end(w);
}

static bool selects_login(const struct json *settings)
{
    const struct json *auth = json_get(json_get(settings, STR("security")), STR("auth"));
    return json_str(json_get(auth, STR("selectedType"))).n ||
           json_str(json_get(settings, STR("selectedAuthType"))).n;
}

static void put_server(struct provider_build *b, struct jsonw *w, const char *name)
{
    const struct provider_mcp *mcp = &b->call->mcp;
    jsonw_key(w, "mcpServers");
    jsonw_object(w);
    jsonw_key(w, name);
    jsonw_object(w);
    jsonw_kcstr(w, "httpUrl", mcp->url);
    if (mcp->token) {
        provider_add_secret(b, str_from(mcp->token));
        jsonw_key(w, "headers");
        jsonw_object(w);
        jsonw_kstr(w, "Authorization", arena_printf(&b->out->arena, "Bearer %s", mcp->token));
        jsonw_end(w);
    }
    /* Gemini offers only tools of trusted servers; a reader gets none. */
    jsonw_kbool(w, "trust", b->call->mode == PROVIDER_WRITE);
    jsonw_kint(w, "timeout", PROVIDER_TOOL_S * 1000);
    jsonw_end(w);
    jsonw_end(w);
}

static void put_own_settings(struct provider_build *b, struct buf *out, bool selects_key,
                             const char *server)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_key(&w, "general");
    jsonw_object(&w);
    jsonw_kint(&w, "maxAttempts", 1);
    jsonw_end(&w);
    if (selects_key) { /* by the variables alone it would choose a method that it then refuses */
        jsonw_key(&w, "security");
        jsonw_object(&w);
        jsonw_key(&w, "auth");
        jsonw_object(&w);
        jsonw_kcstr(&w, "selectedType", "gemini-api-key");
        jsonw_end(&w);
        jsonw_end(&w);
    }
    if (server)
        put_server(b, &w, server);
    jsonw_end(&w);
}

static bool link_all(struct provider_build *b, const char *from, const char *to, struct error *err)
{
    struct arena *a = &b->out->arena;
    DIR *d = opendir(from);
    char text[128];
    size_t seen = 0;
    bool ok = true;
    for (struct dirent *e; d && ok && seen++ < MAX_ENTRIES && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            strcmp(e->d_name, "settings.json") == 0)
            continue;
        const char *path = arena_printf(a, "%s/%s", to, e->d_name).p;
        if (symlink(arena_printf(a, "%s/%s", from, e->d_name).p, path) < 0)
            ok = error_set(err, ERR_IO, "cannot create %s: %s", path,
                           strerror_r(errno, text, sizeof text));
    }
    if (d)
        closedir(d);
    return ok;
}

/* Make the home of this call. *server is the name of our MCP server in it, or NULL. */
static bool make_home(struct provider_build *b, const char **server, struct error *err)
{
    struct arena *a = &b->out->arena;
    const char *folder = provider_make_folder(b, err), *path;
    const char *user = provider_env_get(b, "GEMINI_CLI_HOME");
    if (!user)
        user = provider_user_home(b);
    const char *theirs = arena_printf(a, "%s/.gemini", user).p;
    if (!folder || !file_make_dirs(arena_printf(a, "%s/.gemini", folder).p, err) ||
        !link_all(b, theirs, arena_printf(a, "%s/.gemini", folder).p, err))
        return false;
    if (file_exists(arena_printf(a, "%s/.env", user).p) &&
        symlink(arena_printf(a, "%s/.env", user).p, arena_printf(a, "%s/.env", folder).p) < 0)
        return error_set(err, ERR_IO, "cannot create %s/.env", folder);

    struct str broken = {0};
    const struct json *base =
                          read_settings(b, arena_printf(a, "%s/settings.json", theirs).p, &broken),
                      *repo = read_settings(
                          b, arena_printf(a, "%s/.gemini/settings.json", b->call->cwd).p, NULL);
    bool selects_key =
        provider_env_get(b, "GEMINI_API_KEY") && (provider_env_is_own(b, "GEMINI_API_KEY") ||
                                                  (!selects_login(base) && !selects_login(repo)));
    /* The repo's settings have precedence: a server with our name there would replace ours. */
    bool is_taken = json_get(json_get(repo, STR("mcpServers")), STR(OWN)) != NULL;
    *server = !b->call->mcp.url ? NULL : is_taken ? OWN "_run" : OWN;
    struct buf own = {0}, text = {0};
    put_own_settings(b, &own, selects_key, *server);
    struct jsonw w = jsonw_make(&text);
    merge_settings(&w, base, json_parse(a, arena_str(a, buf_str(&own)), NULL, NULL), true);
    /* Pass invalid settings on, so that Gemini reports the error. */
    bool ok = provider_write_file(b, ".gemini/settings.json", broken.n ? broken : buf_str(&text),
                                  &path, err);
    buf_done(&own);
    buf_done(&text);
    provider_env_set(b, "GEMINI_CLI_HOME", folder);
    provider_add_home(b, theirs);
    return ok;
}

/* ---- the command line */

static bool build_launch(struct provider_build *b, struct error *err)
{
    const char *model = provider_model(b), *server = NULL, *temporary,
               *mode = provider_option_text(b, "approval_mode");
    const struct json *sandbox = provider_find_option(b->call->candidate, "sandbox");
    if (!make_home(b, &server, err))
        return false;
    provider_add_args(b, (const char *[]){"--skip-trust", "-o", "stream-json", NULL});
    if (model)
        provider_add_args(b, (const char *[]){"-m", model, NULL});
    /* Yolo runs any shell command without asking, so it is used only in a sandbox. Edits and the
     * tools of our trusted server are allowed without it. */
    if (!mode && b->call->mode == PROVIDER_WRITE)
        mode = b->call->is_sandboxed ? "yolo" : "auto_edit";
    provider_add_args(b, (const char *[]){"--approval-mode", mode ? mode : "default", NULL});
    if (json_bool(sandbox))
        provider_add_arg(b, "--sandbox");
    if (server)
        provider_add_argf(b, "--allowed-mcp-server-names=%s", server);

    /* Gemini writes the whole conversation to a temporary file on each error. */
    temporary = arena_printf(&b->out->arena, "%s/tmp", b->out->folder).p;
    if (!file_make_dirs(temporary, err))
        return false;
    provider_env_set(b, "TMPDIR", temporary);
    /* Otherwise it works in a child that does not get a signal to the parent. */
    provider_env_set(b, "GEMINI_CLI_NO_RELAUNCH", "1");
    provider_pass_variable(b, "GOOGLE_GEMINI_BASE_URL");
    return true;
}

const struct provider_impl provider_gemini = {.options = options, .build = build_launch};
