#include "tooling/agent_kind.h"

#include <assert.h>

#include "base/json.h"

static const struct agent_kind_row rows[AGENT_KIND_COUNT] = {
    [AGENT_CODEX] = {.name = "codex-cli",
                     .program = "codex",
                     .accounts = {"CODEX_API_KEY", "OPENAI_API_KEY", "CODEX_HOME"},
                     .about = "OpenAI Codex"},
    [AGENT_CLAUDE] = {.name = "claude-code",
                      .alias = "claude-code-cli",
                      .program = "claude",
                      .accounts = {"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY",
                                   "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"},
                      .about = "Claude Code"},
    [AGENT_GEMINI] = {.name = "gemini-cli",
                      .program = "gemini",
                      .accounts = {"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_ACCESS_TOKEN",
                                   "GEMINI_CLI_HOME"},
                      .about = "Gemini CLI"},
    [AGENT_CURSOR] = {.name = "cursor-cli",
                      .program = "cursor-agent",
                      .accounts = {"CURSOR_API_KEY"},
                      .about = "Cursor CLI"},
    [AGENT_OPENAI] = {.name = "openai-chat",
                      .accounts = {"OPENAI_API_KEY"},
                      .about = "the OpenAI API"},
    [AGENT_MOCK] = {.name = "mock", .accounts = {"MOCK_API_KEY"}, .about = "a scripted stand-in"},
};

const struct agent_kind_row *agent_kind_row(enum agent_kind kind)
{
    assert(kind > AGENT_NONE && kind < AGENT_KIND_COUNT);
    return &rows[kind];
}

enum agent_kind agent_kind_find(struct str name)
{
    for (enum agent_kind k = AGENT_NONE + 1; k < AGENT_KIND_COUNT; k++)
        if (str_eq(name, str_from(rows[k].name)) ||
            (rows[k].alias && str_eq(name, str_from(rows[k].alias))))
            return k;
    return AGENT_NONE;
}

const char *agent_kind_name(enum agent_kind kind)
{
    return agent_kind_row(kind)->name;
}

/* The account that a value of the candidate's env means; empty: none. */
static struct str account_of_value(struct str value, const char *variable)
{
    struct str name = str_from(variable);
    if (str_starts(value, STR("env:")) && value.n > 4)
        return str_skip(value, 4);
    /* A folder with its own login is no secret, and is an account of its own. */
    if (str_ends(name, STR("_HOME")) || str_ends(name, STR("_DIR")))
        return value;
    return value.n ? str_from(variable) : STR("");
}

struct str agent_kind_account(enum agent_kind kind, const struct json *env, agent_kind_env_fn *get,
                              void *ctx)
{
    const char *const *names = agent_kind_row(kind)->accounts;
    for (size_t i = 0; i < AGENT_KIND_ACCOUNTS && names[i]; i++) {
        struct str account =
            account_of_value(json_str(json_get(env, str_from(names[i]))), names[i]);
        if (account.n)
            return account;
    }
    for (size_t i = 0; i < AGENT_KIND_ACCOUNTS && names[i]; i++) {
        if (json_get(env, str_from(names[i]))) /* set to "" for this candidate */
            continue;
        const char *value = get(names[i], ctx);
        if (value && *value)
            return str_from(names[i]);
    }
    return kind == AGENT_OPENAI ? str_from(names[0]) : STR("login"); /* the API has no login */
}
