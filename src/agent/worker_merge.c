#include "agent/worker_merge.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#include "agent/provider.h"
#include "base/jsonw.h"
#include "base/quote.h"

/* ---- what a model may not say */

/* Beginnings of flags of the four programs: rights, walls, servers, settings, sessions, folders,
 * caps, and the form of the output that we read. */
static const char *const flags_kept_back[] = {
    "--accept",     "--acp",       "--add-dir",     "--admin",      "--agent",      "--allow",
    "--api-key",    "--append",    "--approv",      "--ask-for",    "--background", "--base-url",
    "--browser",    "--bypass",    "--cd",          "--chrome",     "--cloud",      "--config",
    "--continue",   "--cwd",       "--dangerously", "--debug-file", "--delete",     "--disable",
    "--disallow",   "--enable",    "--endpoint",    "--ephemeral",  "--experiment", "--extension",
    "--file",       "--force",     "--fork",        "--format",     "--from",       "--full-auto",
    "--header",     "--hook",      "--ide",         "--ignore",     "--include",    "--input",
    "--insecure",   "--json",      "--list",        "--local",      "--max",        "--mcp",
    "--mode",       "--no-",       "--oss",         "--output",     "--permission", "--plugin",
    "--policy",     "--print",     "--profile",     "--prompt",     "--proxy",      "--raw",
    "--remote",     "--resume",    "--sandbox",     "--session",    "--setting",    "--skip",
    "--strict-mcp", "--system",    "--telemetry",   "--teleport",   "--tmux",       "--tools",
    "--trust",      "--workspace", "--worktree",    "--yolo",
};

/* Words in names of variables. */
static const char *const variables_kept_back[] = {
    "PATH",      "HOME",   "LD_",    "DYLD_",   "NODE_",  "PYTHON",     "PERL",  "RUBY",
    "BASH",      "SHELL",  "ENV",    "IFS",     "GIT_",   "SSH",        "KEY",   "TOKEN",
    "SECRET",    "PASS",   "AUTH",   "PROXY",   "URL",    "HOST",       "CODEX", "CLAUDE",
    "ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE",  "CURSOR", "MULTIVERSE", "MOCK",  "XDG_",
    "TMP",       "CERT",   "SSL",    "PRELOAD", "EDITOR", "PAGER",
};

/* Members of toolSpecific, without case and underscores. */
static const char *const members_kept_back[] = {
    "sandbox", "approvalmode", "permissionmode", "allowedtools", "disallowedtools",
    "baseurl", "force",        "profile",        "script",       "state",
};

static void drop(const struct worker_wish *wish, const char *what, struct str name)
{
    if (!wish->dropped)
        return;
    buf_printf(wish->dropped, "%s%s ", wish->dropped->n ? ", " : "", what);
    quote_add(wish->dropped, name, QUOTE_MAX);
}

static bool is_flag_kept_back(struct str flag)
{
    if (flag.n < 2 || flag.p[0] != '-')
        return false;
    /* Short ones say too little to be told apart; behind -- the candidate's own flags were none. */
    if (flag.p[1] != '-' || flag.n == 2)
        return true;
    for (size_t i = 0; i < sizeof flags_kept_back / sizeof *flags_kept_back; i++)
        if (str_starts(flag, str_from(flags_kept_back[i])))
            return true;
    return false;
}

static bool is_variable_kept_back(struct str name, struct str value)
{
    char upper[128];
    if (!name.n || name.n >= sizeof upper || memchr(name.p, '=', name.n) ||
        memchr(name.p, 0, name.n) || (value.n && memchr(value.p, 0, value.n)) ||
        str_starts(value, STR("env:")))
        return true;
    for (size_t i = 0; i < name.n; i++)
        upper[i] = (char)toupper((unsigned char)name.p[i]);
    upper[name.n] = 0;
    for (size_t i = 0; i < sizeof variables_kept_back / sizeof *variables_kept_back; i++)
        if (strstr(upper, variables_kept_back[i]))
            return true;
    memcpy(upper, name.p, name.n); /* as it is written */
    return getenv(upper) != NULL;
}

/* cliPath and cli_path are the same. */
static bool is_same_member(struct str a, struct str b)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < a.n && a.p[i] == '_')
            i++;
        while (k < b.n && b.p[k] == '_')
            k++;
        if (i == a.n || k == b.n)
            return i == a.n && k == b.n;
        if (tolower((unsigned char)a.p[i++]) != tolower((unsigned char)b.p[k++]))
            return false;
    }
}

static bool has_member(const struct json *object, struct str name)
{
    JSON_EACH (object, k)
        if (is_same_member(json_str(k), name))
            return true;
    return false;
}

static bool is_member_kept_back(struct str name)
{
    for (size_t i = 0; i < sizeof members_kept_back / sizeof *members_kept_back; i++)
        if (is_same_member(name, str_from(members_kept_back[i])))
            return true;
    return false;
}

/* ---- merging */

static const struct json *keep(struct arena *a, struct buf *text)
{
    const struct json *v = json_parse(a, arena_str(a, buf_str(text)), NULL, NULL);
    assert(v);
    buf_done(text);
    return json_count(v) ? v : NULL;
}

/* A flag that is let through, with its value if one follows. Joined by = a value cannot be taken
 * for something else: a prompt, a command. */
static void put_flag(struct jsonw *w, struct str flag, struct str value)
{
    struct buf text = {0};
    buf_printf(&text, "%.*s=%.*s", STR_ARG(flag), STR_ARG(value));
    jsonw_str(w, value.p ? buf_str(&text) : flag);
    buf_done(&text);
}

static void merge_wished_flags(struct jsonw *w, const struct worker_wish *wish)
{
    struct str flag = {0}; /* let through, not written yet */
    bool behind = false;   /* a value belongs to a flag that was kept back */
    JSON_ITEMS (wish->call->flags, item) {
        struct str s = json_str(item);
        bool is_flag = s.n && s.p[0] == '-', is_bad = s.n && memchr(s.p, 0, s.n);
        if (!is_flag && !is_bad && flag.p && str_find_char(flag, '=') == flag.n) {
            put_flag(w, flag, s);
            flag = (struct str){0};
            continue;
        }
        if (flag.p)
            put_flag(w, flag, (struct str){0});
        flag = (struct str){0};
        if (is_flag && !is_bad && !is_flag_kept_back(s))
            flag = s;
        else if (is_flag || !behind)
            drop(wish, is_flag ? "flag" : "argument", s);
        behind = is_flag && !flag.p;
    }
    if (flag.p)
        put_flag(w, flag, (struct str){0});
}

static const struct json *merge_flags(const struct candidate *chosen,
                                      const struct worker_wish *wish, struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_array(&w);
    merge_wished_flags(&w, wish);
    JSON_ITEMS (chosen->flags, flag)
        jsonw_value(&w, flag);
    jsonw_end(&w);
    return keep(a, &text);
}

static const struct json *merge_env(const struct candidate *chosen, const struct worker_wish *wish,
                                    struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (wish->call ? wish->call->env : NULL, k) {
        struct str name = json_str(k);
        if (json_get(wish->env, name) || json_get(chosen->env, name))
            continue;
        if (is_variable_kept_back(name, json_str(k + 1))) {
            drop(wish, "variable", name);
            continue;
        }
        jsonw_key_str(&w, name);
        jsonw_value(&w, k + 1);
    }
    JSON_EACH (wish->env, k) {
        if (json_get(chosen->env, json_str(k)))
            continue;
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    JSON_EACH (chosen->env, k) {
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    jsonw_end(&w);
    return keep(a, &text);
}

/* Whether the tool knows such a setting: one that it refuses would be the end of the call. */
static bool is_member_taken(enum agent_kind tool, const struct json *key, struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    struct error why;
    jsonw_object(&w);
    jsonw_key_str(&w, json_str(key));
    jsonw_value(&w, key + 1);
    jsonw_end(&w);
    return provider_check(&(struct candidate){.tool = tool, .tool_specific = keep(a, &text)}, &why);
}

static const struct json *merge_specific(const struct candidate *chosen,
                                         const struct worker_wish *wish, struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (wish->call->tool_specific, k) {
        if (has_member(chosen->tool_specific, json_str(k)))
            continue;
        if (is_member_kept_back(json_str(k)) || !is_member_taken(chosen->tool, k, a)) {
            drop(wish, "setting", json_str(k));
            continue;
        }
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    JSON_EACH (chosen->tool_specific, k) {
        jsonw_key_str(&w, json_str(k));
        jsonw_value(&w, k + 1);
    }
    jsonw_end(&w);
    return keep(a, &text);
}

const struct candidate *worker_merge(const struct candidate *chosen, const struct worker_wish *wish,
                                     struct arena *a)
{
    const struct candidate *call = wish->call;
    bool is_same_tool = call && call->tool == chosen->tool;
    if (!wish->env && !is_same_tool && !(call && call->env))
        return chosen;
    struct candidate *made = arena_alloc(a, sizeof *made);
    *made = *chosen;
    made->env = merge_env(chosen, wish, a);
    if (!is_same_tool)
        return made;
    if (!made->model.n)
        made->model = call->model;
    made->flags = merge_flags(chosen, wish, a);
    made->tool_specific = merge_specific(chosen, wish, a);
    return made;
}
