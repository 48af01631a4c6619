#include "agent/worker_merge.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/quote.h"

/* ---- what a model may not say */

/* Beginnings of flags of the four programs: rights, walls, servers, settings, sessions, folders,
 * and the form of the output that we read. */
static const char *const flags_kept_back[] = {
    "--dangerously", "--allow",      "--disallow",  "--yolo",         "--permission",
    "--approv",      "--ask-for",    "--full-auto", "--force",        "--bypass",
    "--sandbox",     "--add-dir",    "--mcp",       "--strict-mcp",   "--settings",
    "--setting",     "--config",     "--profile",   "--enable",       "--disable",
    "--output",      "--input",      "--json",      "--format",       "--resume",
    "--continue",    "--cd",         "--worktree",  "--include-dir",  "--extension",
    "--policy",      "--plugin",     "--agent",     "--hook",         "--system-prompt",
    "--append",      "--api-key",    "--base-url",  "--proxy",        "--model",
    "--ignore",      "--skip",       "--remote",    "--experimental", "--oss",
    "--local",       "--print",      "--prompt",    "--session",      "--tools",
    "--trust",       "--debug-file", "--telemetry",
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
    if (flag.p[1] != '-') /* short ones say too little to be told apart */
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

static const struct json *merge_flags(const struct candidate *chosen,
                                      const struct worker_wish *wish, struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    bool behind = false; /* a value belongs to the flag before it */
    jsonw_array(&w);
    JSON_ITEMS (wish->call->flags, flag) {
        struct str s = json_str(flag);
        bool is_flag = s.n && s.p[0] == '-';
        behind = is_flag ? is_flag_kept_back(s) : behind;
        if (behind && is_flag)
            drop(wish, "flag", s);
        if (!behind && !(s.n && memchr(s.p, 0, s.n)))
            jsonw_str(&w, s);
    }
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

static const struct json *merge_specific(const struct candidate *chosen,
                                         const struct worker_wish *wish, struct arena *a)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (wish->call->tool_specific, k) {
        if (has_member(chosen->tool_specific, json_str(k)))
            continue;
        if (is_member_kept_back(json_str(k))) {
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
