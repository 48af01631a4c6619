#include "launch_fixture.h"

TEST_FIXTURE(setup_agent, teardown_launch);

TEST(claude_reads_with_tools_that_only_read)
{
    build("{'tool':'claude-code','model':'sonnet','flags':['--effort','low']}");
    CHECK_CSTR(line(), "-p --output-format stream-json --verbose --no-session-persistence --model "
                       "sonnet --permission-mode dontAsk --tools=Read,Grep,Glob "
                       "--strict-mcp-config --effort low");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_MAX_RETRIES")), "0");
    CHECK_CSTR(str_from(env("DISABLE_AUTOUPDATER")), "1");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")), "1");
    assert_null(env("ENABLE_TOOL_SEARCH"));
}

TEST(claude_writes_with_our_server)
{
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'claude-code','toolSpecific':{'allowedTools':['Bash(git *)'],"
          "'disallowed_tools':['WebFetch','WebSearch'],'maxTurns':7,'max_budget_usd':1.5}}");
    assert_true(has("--permission-mode acceptEdits --allowedTools=mcp__multiverse,Bash(git *) "
                    "--disallowedTools=WebFetch,WebSearch --max-turns=7 --max-budget-usd=1.5 "
                    "--strict-mcp-config --mcp-config="));
    CHECK_CSTR(read_text(arena_printf(&fixture, "%s/mcp.json", launch.folder).p),
               "{\"mcpServers\":{\"multiverse\":{\"type\":\"http\",\"url\":"
               "\"http://127.0.0.1:1/mcp\",\"headers\":{\"Authorization\":"
               "\"Bearer TOKEN-TEXT-1234\"}}}}");
    CHECK_CSTR(str_from(env("ENABLE_TOOL_SEARCH")), "false");
    CHECK_CSTR(str_from(env("MCP_TOOL_TIMEOUT")), "3600000");
    call.is_sandboxed = true;
    build("{'tool':'claude-code'}");
    assert_true(has("--permission-mode bypassPermissions"));
    CHECK_CSTR(str_from(env("IS_SANDBOX")), "1");
}

TEST(claude_gets_the_system_prompt_in_a_file)
{
    build("{'tool':'claude-code','systemPrompt':'Be short.'}");
    const char *path = arena_printf(&fixture, "%s/system.md", launch.folder).p;
    assert_true(has(arena_printf(&fixture, "--append-system-prompt-file %s", path).p));
    CHECK_CSTR(read_text(path), "Be short.");
    CHECK_CSTR(launch.input, "the prompt");
}

TEST(candidate_env_has_precedence_for_claude)
{
    setenv("CLAUDE_CODE_MAX_RETRIES", "9", 1);
    setenv("CLAUDE_CODE_RETRY_WATCHDOG", "1", 1);
    setenv("CLAUDECODE", "1", 1);
    setenv("DISABLE_AUTOUPDATER", "0", 1);
    build("{'tool':'claude-code'}");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_MAX_RETRIES")), "0");
    CHECK_CSTR(str_from(env("DISABLE_AUTOUPDATER")), "0");
    assert_null(env("CLAUDE_CODE_RETRY_WATCHDOG"));
    assert_null(env("CLAUDECODE"));
    build("{'tool':'claude-code','env':{'CLAUDE_CODE_MAX_RETRIES':'2'}}");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_MAX_RETRIES")), "2");
    unsetenv("CLAUDE_CODE_MAX_RETRIES");
    unsetenv("CLAUDE_CODE_RETRY_WATCHDOG");
    unsetenv("CLAUDECODE");
    unsetenv("DISABLE_AUTOUPDATER");
}
