#include "agent/worker_merge.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

#include "agent/provider.h"
#include "base/jsonw.h"
#include "base/quote.h"

/* ---- what a model may not override */

/* Prefixes of flags of the four programs that change rights, sandbox, servers, settings, sessions,
 * folders, limits, or the format of the output that a report parses. */
static const char *const denied_flags[] = {
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
static const char *const denied_variables[] = {
    "PATH",      "HOME",   "LD_",    "DYLD_",   "NODE_",  "PYTHON",     "PERL",  "RUBY",
    "BASH",      "SHELL",  "ENV",    "IFS",     "GIT_",   "SSH",        "KEY",   "TOKEN",
    "SECRET",    "PASS",   "AUTH",   "PROXY",   "URL",    "HOST",       "CODEX", "CLAUDE",
    "ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE",  "CURSOR", "MULTIVERSE", "MOCK",  "XDG_",
    "TMP",       "CERT",   "SSL",    "PRELOAD", "EDITOR", "PAGER",
};

/* Members of toolSpecific, without case and underscores. */
static const char *const denied_members[] = {
    "sandbox", "approvalmode", "permissionmode", "allowedtools", "disallowedtools",
    "baseurl", "force",        "profile",        "script",       "state",
};

static void note_dropped(struct buf *dropped, const char *what, struct str name)
{
    if (!dropped)
        return;
    buf_printf(dropped, "%s%s ", dropped->n ? ", " : "", what);
    quote_add(dropped, name, QUOTE_MAX);
}

static bool is_flag_denied(struct str flag)
{
    if (flag.n < 2 || flag.p[0] != '-')
        return false;
    /* The meaning of a short flag is not known; after "--" the candidate's own flags would not be
     * flags any more. */
    if (flag.p[1] != '-' || flag.n == 2)
        return true;
    for (size_t i = 0; i < sizeof denied_flags / sizeof *denied_flags; i++)
        if (str_starts(flag, str_from(denied_flags[i])))
            return true;
    return false;
}

static bool is_variable_denied(struct str name, struct str value)
{
    char upper[128];
    if (!name.n || name.n >= sizeof upper || memchr(name.p, '=', name.n) ||
        memchr(name.p, 0, name.n) || (value.n && memchr(value.p, 0, value.n)) ||
        str_starts(value, STR("env:")))
        return true;
    for (size_t i = 0; i < name.n; i++)
        upper[i] = (char)toupper((unsigned char)name.p[i]);
    upper[name.n] = 0;
    for (size_t i = 0; i < sizeof denied_variables / sizeof *denied_variables; i++)
        if (strstr(upper, denied_variables[i]))
            return true;
    memcpy(upper, name.p, name.n); /* the name in its own case */
    return getenv(upper) != NULL;
}

/* cliPath and cli_path are the same member. */
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

static bool is_member_denied(struct str name)
{
    for (size_t i = 0; i < sizeof denied_members / sizeof *denied_members; i++)
        if (is_same_member(name, str_from(denied_members[i])))
            return true;
    return false;
}

/* ---- merging */

struct worker_merging {
    const struct candidate *chosen;
    const struct worker_overrides *overrides;
    struct arena *arena;
    struct buf *dropped;
};

/* Return the JSON text as a value in the arena, or NULL if it is empty. */
static const struct json *keep_json(const struct worker_merging *m, struct buf *text)
{
    const struct json *v = json_parse(m->arena, arena_str(m->arena, buf_str(text)), NULL, NULL);
    assert(v);
    buf_done(text);
    return json_count(v) ? v : NULL;
}

/* Write an accepted flag, with its value if one follows. Joined by "=", a value cannot be taken for
 * something else: a prompt, a command. */
static void write_flag(struct jsonw *w, struct str flag, struct str value)
{
    struct buf text = {0};
    buf_printf(&text, "%.*s=%.*s", STR_ARG(flag), STR_ARG(value));
    jsonw_str(w, value.p ? buf_str(&text) : flag);
    buf_done(&text);
}

static void merge_override_flags(const struct worker_merging *m, struct jsonw *w)
{
    struct str flag = {0};         /* accepted, not written yet */
    bool was_flag_dropped = false; /* the next argument may be its value */
    JSON_ITEMS (m->overrides->call->flags, item) {
        struct str s = json_str(item);
        bool is_flag = s.n && s.p[0] == '-', is_bad = s.n && memchr(s.p, 0, s.n);
        if (!is_flag && !is_bad && flag.p && str_find_char(flag, '=') == flag.n) {
            write_flag(w, flag, s);
            flag = (struct str){0};
            continue;
        }
        if (flag.p)
            write_flag(w, flag, (struct str){0});
        flag = (struct str){0};
        if (is_flag && !is_bad && !is_flag_denied(s))
            flag = s;
        else if (is_flag || !was_flag_dropped)
            note_dropped(m->dropped, is_flag ? "flag" : "argument", s);
        was_flag_dropped = is_flag && !flag.p;
    }
    if (flag.p)
        write_flag(w, flag, (struct str){0});
}

static const struct json *merge_flags(const struct worker_merging *m)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_array(&w);
    merge_override_flags(m, &w);
    JSON_ITEMS (m->chosen->flags, flag)
        jsonw_value(&w, flag);
    jsonw_end(&w);
    return keep_json(m, &text);
}

static void write_member(struct jsonw *w, const struct json *key)
{
    jsonw_key_str(w, json_str(key));
    jsonw_value(w, key + 1);
}

static const struct json *merge_env(const struct worker_merging *m)
{
    const struct candidate *call = m->overrides->call;
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (call ? call->env : NULL, k) {
        struct str name = json_str(k);
        if (json_get(m->overrides->env, name) || json_get(m->chosen->env, name))
            continue;
        if (is_variable_denied(name, json_str(k + 1)))
            note_dropped(m->dropped, "variable", name);
        else
            write_member(&w, k);
    }
    JSON_EACH (m->overrides->env, k)
        if (!json_get(m->chosen->env, json_str(k)))
            write_member(&w, k);
    JSON_EACH (m->chosen->env, k)
        write_member(&w, k);
    jsonw_end(&w);
    return keep_json(m, &text);
}

/* An unknown setting would make the agent refuse the call. */
static bool is_member_known(const struct worker_merging *m, const struct json *key)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    struct error err;
    jsonw_object(&w);
    write_member(&w, key);
    jsonw_end(&w);
    return provider_check(
        &(struct candidate){.tool = m->chosen->tool, .tool_specific = keep_json(m, &text)}, &err);
}

static const struct json *merge_specific(const struct worker_merging *m)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    jsonw_object(&w);
    JSON_EACH (m->overrides->call->tool_specific, k) {
        if (has_member(m->chosen->tool_specific, json_str(k)))
            continue;
        if (is_member_denied(json_str(k)) || !is_member_known(m, k))
            note_dropped(m->dropped, "setting", json_str(k));
        else
            write_member(&w, k);
    }
    JSON_EACH (m->chosen->tool_specific, k)
        write_member(&w, k);
    jsonw_end(&w);
    return keep_json(m, &text);
}

const struct candidate *worker_merge(const struct candidate *chosen,
                                     const struct worker_overrides *overrides, struct arena *a,
                                     struct buf *dropped)
{
    const struct worker_merging m = {chosen, overrides, a, dropped};
    const struct candidate *call = overrides->call;
    bool is_same_agent = call && call->tool == chosen->tool;
    if (!overrides->env && !is_same_agent && !(call && call->env))
        return chosen;
    struct candidate *merged = arena_alloc(a, sizeof *merged);
    *merged = *chosen;
    merged->env = merge_env(&m);
    if (!is_same_agent)
        return merged;
    if (!merged->model.n)
        merged->model = call->model;
    merged->flags = merge_flags(&m);
    merged->tool_specific = merge_specific(&m);
    return merged;
}
