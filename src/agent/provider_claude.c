#include <stdio.h>

#include "agent/provider_internal.h"
#include "base/jsonw.h"

static const struct provider_option options[] = {
    {.name = "permission_mode",
     .kind = OPTION_CHOICE,
     .choices = "acceptEdits auto bypassPermissions default dontAsk manual plan"},
    {.name = "allowed_tools", .kind = OPTION_TEXTS},
    {.name = "disallowed_tools", .kind = OPTION_TEXTS},
    {.name = "max_turns", .kind = OPTION_COUNT},
    {.name = "max_budget_usd", .kind = OPTION_NUMBER},
    {0},
};

static void add_list(struct provider_build *b, const char *flag, const char *first,
                     const struct json *more)
{
    struct buf text = {0};
    if (first)
        buf_printf(&text, "%s", first);
    JSON_ITEMS (more, item)
        buf_printf(&text, "%s%.*s", text.n ? "," : "", STR_ARG(json_str(item)));
    if (text.n) /* one argument: a flag with several values would take the arguments after it */
        provider_add_argf(b, "%s=%s", flag, text.p);
    buf_done(&text);
}

/* Pass the server in a file: other users can read a command line, and it has a token. */
static bool add_mcp(struct provider_build *b, struct error *err)
{
    const struct provider_mcp *mcp = &b->call->mcp;
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    const char *path;
    jsonw_object(&w);
    jsonw_key(&w, "mcpServers");
    jsonw_object(&w);
    jsonw_key(&w, "multiverse");
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", "http");
    jsonw_kcstr(&w, "url", mcp->url);
    if (mcp->token) {
        provider_add_secret(b, str_from(mcp->token));
        jsonw_key(&w, "headers");
        jsonw_object(&w);
        jsonw_kstr(&w, "Authorization", arena_printf(&b->out->arena, "Bearer %s", mcp->token));
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    jsonw_end(&w);
    bool ok = provider_write_file(b, "mcp.json", buf_str(&text), &path, err);
    buf_done(&text);
    if (ok)
        provider_add_argf(b, "--mcp-config=%s", path);
    /* With its tool search, Claude finds our tools only if the prompt names them. */
    provider_env_default(b, "ENABLE_TOOL_SEARCH", "false");
    provider_env_default(b, "MCP_TOOL_TIMEOUT",
                         arena_printf(&b->out->arena, "%u", PROVIDER_TOOL_S * 1000).p);
    return ok;
}

static void add_permissions(struct provider_build *b)
{
    const struct candidate *c = b->call->candidate;
    const char *mode = provider_option_text(b, "permission_mode");
    bool writes = b->call->mode == PROVIDER_WRITE;
    /* Plan mode ends with a plan, not with an answer, so a reader gets only tools that read. */
    if (!mode && writes && b->call->is_sandboxed) {
        mode = "bypassPermissions"; /* the sandbox protects; as root, Claude requires IS_SANDBOX */
        provider_env_set(b, "IS_SANDBOX", "1");
    } else if (!mode) {
        mode = writes ? "acceptEdits" : "dontAsk";
    }
    provider_add_args(b, (const char *[]){"--permission-mode", mode, NULL});
    if (!writes)
        provider_add_arg(b, "--tools=Read,Grep,Glob");
    add_list(b, "--allowedTools", writes && b->call->mcp.url ? "mcp__multiverse" : NULL,
             provider_find_option(c, "allowed_tools"));
    add_list(b, "--disallowedTools", NULL, provider_find_option(c, "disallowed_tools"));
}

static void add_caps(struct provider_build *b)
{
    const struct json *turns = provider_find_option(b->call->candidate, "max_turns"),
                      *budget = provider_find_option(b->call->candidate, "max_budget_usd");
    if (turns)
        provider_add_argf(b, "--max-turns=%.*s", STR_ARG(json_number_text(turns)));
    if (budget)
        provider_add_argf(b, "--max-budget-usd=%.*s", STR_ARG(json_number_text(budget)));
}

static void add_env(struct provider_build *b)
{
    if (!provider_env_is_own(b, "CLAUDE_CODE_MAX_RETRIES"))
        provider_env_set(b, "CLAUDE_CODE_MAX_RETRIES", "0");
    provider_env_default(b, "DISABLE_AUTOUPDATER", "1");
    provider_env_default(b, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    provider_env_drop(b, "CLAUDE_CODE_RETRY_WATCHDOG"); /* lifts the limit of retries to 300 */
    provider_env_drop(b,
                      "CLAUDECODE"); /* we may run inside a session, but this is not part of it */
    provider_env_drop(b, "CLAUDE_CODE_ENTRYPOINT");
    provider_env_drop(b, "CLAUDE_CODE_SSE_PORT");
    provider_pass_variable(b, "ANTHROPIC_BASE_URL");
    provider_add_home(b, provider_home_path(b, "CLAUDE_CONFIG_DIR", ".claude"));
    if (!provider_env_get(b, "CLAUDE_CONFIG_DIR"))
        provider_add_home(b, provider_home_path(b, NULL, ".claude.json"));
}

static bool build_launch(struct provider_build *b, struct error *err)
{
    const char *model = provider_model(b), *path;
    provider_add_args(b, (const char *[]){"-p", "--output-format", "stream-json", "--verbose",
                                          "--no-session-persistence", NULL});
    if (model)
        provider_add_args(b, (const char *[]){"--model", model, NULL});
    if (b->call->candidate->system_prompt.n) {
        if (!provider_write_file(b, "system.md", b->call->candidate->system_prompt, &path, err))
            return false;
        provider_add_args(b, (const char *[]){"--append-system-prompt-file", path, NULL});
        b->out->input = b->call->prompt;
    }
    add_env(b);
    add_permissions(b);
    add_caps(b);
    /* A question needs no servers, and the user's servers take time to start. */
    if (b->call->mcp.url || b->call->mode == PROVIDER_READ)
        provider_add_arg(b, "--strict-mcp-config");
    return !b->call->mcp.url || add_mcp(b, err);
}

const struct provider_impl provider_claude = {.options = options, .build = build_launch};
