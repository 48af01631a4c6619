#include "agent/provider.h"

#include <sys/stat.h>

#include "agent_fixture.h"

static struct provider_launch launch;
static struct error err;

static int teardown(void **state)
{
    provider_launch_done(&launch);
    err = (struct error){0};
    return teardown_agent(state);
}

static void build(const char *text)
{
    set_candidate(text);
    provider_launch_done(&launch);
    if (!provider_build(&call, &launch, &err))
        fail_msg("%s", err.text);
}

static void check_refused(const char *text, const char *want)
{
    set_candidate(text);
    provider_launch_done(&launch);
    assert_false(provider_build(&call, &launch, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), want);
    assert_false(provider_check(&candidate, &err) && strstr(want, "toolSpecific"));
    assert_null(launch.argv);
    assert_int_equal(count_files("calls"), 0);
}

/* The arguments behind the program, separated by blanks. */
static struct str line(void)
{
    struct buf b = {0};
    for (const char **a = launch.argv + 1; *a; a++)
        buf_printf(&b, "%s%s", b.n ? " " : "", *a);
    struct str text = arena_str(&fixture, buf_str(&b));
    buf_done(&b);
    return text;
}

static bool has(const char *part)
{
    return str_find(line(), str_from(part)) < line().n;
}

static const char *env(const char *name)
{
    size_t n = strlen(name);
    const char *found = NULL;
    for (const char **e = launch.env; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') {
            assert_null(found); /* each once */
            found = *e + n + 1;
        }
    return found;
}

static bool is_secret(const char *value)
{
    for (size_t i = 0; i < launch.secret_count; i++)
        if (str_eq(launch.secrets[i], str_from(value)))
            return true;
    return false;
}

static bool is_needed(const char *name)
{
    for (const char **n = launch.needs; n && *n; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}

/* ---- all tools */

static const char *const tools[] = {"codex-cli",  "claude-code", "gemini-cli",
                                    "cursor-cli", "openai-chat", "mock"};

static void the_prompt_is_never_an_argument(void **state)
{
    (void)state;
    call.prompt = STR("PROMPT-TEXT");
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        for (int mode = 0; mode < 2; mode++) {
            call.mode = mode ? PROVIDER_WRITE : PROVIDER_READ;
            build(arena_printf(&fixture,
                               "{'tool':'%s','model':'m-1','systemPrompt':'SYSTEM-TEXT','env':"
                               "{'ANTHROPIC_API_KEY':'KEY-TEXT-123456','OPENAI_API_KEY':"
                               "'KEY-TEXT-123456','GEMINI_API_KEY':'KEY-TEXT-123456',"
                               "'CODEX_API_KEY':'KEY-TEXT-123456'}}",
                               tools[i])
                      .p);
            for (const char **a = launch.argv; *a; a++) {
                assert_null(strstr(*a, "PROMPT-TEXT"));
                assert_null(strstr(*a, "SYSTEM-TEXT"));
                assert_null(strstr(*a, "KEY-TEXT"));
                assert_null(strstr(*a, "TOKEN-TEXT"));
            }
            assert_true(str_find(launch.input, STR("PROMPT-TEXT")) < launch.input.n);
            assert_true(is_secret("KEY-TEXT-123456"));
        }
}

static void nothing_of_a_call_is_left(void **state)
{
    (void)state;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    call.mode = PROVIDER_WRITE;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        build(arena_printf(&fixture, "{'tool':'%s','model':'m','systemPrompt':'s'}", tools[i]).p);
        provider_launch_done(&launch);
        assert_int_equal(count_files("calls"), 0);
    }
    provider_launch_done(&launch); /* of a zeroed one */
}

static void files_of_a_call_are_private(void **state)
{
    (void)state;
    struct stat st;
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'claude-code'}");
    assert_int_equal(stat(launch.folder, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(stat(arena_printf(&fixture, "%s/mcp.json", launch.folder).p, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void the_environment_is_ours_and_the_candidates(void **state)
{
    (void)state;
    setenv("PROVIDER_TEST_A", "ours", 1);
    setenv("PROVIDER_TEST_B", "ours", 1);
    setenv("PROVIDER_TEST_SECRET_NAME", "value-by-name", 1);
    build("{'tool':'mock','env':{'PROVIDER_TEST_B':'theirs','C':'env:PROVIDER_TEST_SECRET_NAME',"
          "'MY_API_KEY':'literal-key'}}");
    CHECK_CSTR(str_from(env("PROVIDER_TEST_A")), "ours");
    CHECK_CSTR(str_from(env("PROVIDER_TEST_B")), "theirs");
    CHECK_CSTR(str_from(env("C")), "value-by-name");
    assert_true(is_secret("value-by-name"));
    assert_true(is_secret("literal-key"));
    assert_false(is_secret("theirs"));
    assert_true(is_needed("C") && is_needed("MY_API_KEY") && !is_needed("PROVIDER_TEST_A"));
    unsetenv("PROVIDER_TEST_A");
    unsetenv("PROVIDER_TEST_B");
    unsetenv("PROVIDER_TEST_SECRET_NAME");
}

static void a_variable_that_is_not_there_is_named(void **state)
{
    (void)state;
    check_refused("{'tool':'claude-code','model':'sonnet','env':{'ANTHROPIC_API_KEY':"
                  "'env:NO_SUCH_KEY'}}",
                  "claude-code sonnet: its env takes ANTHROPIC_API_KEY from NO_SUCH_KEY, which is "
                  "not set: export NO_SUCH_KEY, or change the candidate");
    char why[128];
    assert_false(provider_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "NO_SUCH_KEY is not set");
}

static void a_bad_variable_is_refused(void **state)
{
    (void)state;
    check_refused("{'tool':'mock','env':{'A=B':'x'}}",
                  "mock: env: \"A=B\" is no name and text of a variable");
    check_refused("{'tool':'mock','env':{'A':'x\\u0000y'}}",
                  "mock: env: \"A\" is no name and text of a variable");
    check_refused("{'tool':'mock','env':{'A':1}}",
                  "mock: env: \"A\" is no name and text of a variable");
}

static void an_unknown_key_is_refused_with_those_there_are(void **state)
{
    (void)state;
    check_refused("{'tool':'codex-cli','model':'gpt-5.2','toolSpecific':{'sandbx':1}}",
                  "codex-cli gpt-5.2: toolSpecific has no \"sandbx\"; it may have: sandbox, "
                  "reasoning_effort, profile");
    check_refused("{'tool':'claude-code','toolSpecific':{'permissionMode':'x'}}",
                  "claude-code: toolSpecific.permission_mode must be one of: acceptEdits auto "
                  "bypassPermissions default dontAsk manual plan");
    check_refused("{'tool':'claude-code','toolSpecific':{'max_turns':0}}",
                  "claude-code: toolSpecific.max_turns must be a whole number, 1 or more");
    check_refused("{'tool':'claude-code','toolSpecific':{'allowedTools':'Bash'}}",
                  "claude-code: toolSpecific.allowed_tools must be a list of texts");
    check_refused("{'tool':'cursor-cli','toolSpecific':{'force':'yes'}}",
                  "cursor-cli: toolSpecific.force must be true or false");
    check_refused("{'tool':'openai-chat','model':'m','toolSpecific':{'temperature':-1}}",
                  "openai-chat m: toolSpecific.temperature must be a number, 0 or more");
    check_refused("{'tool':'codex-cli','flags':['a',1]}",
                  "codex-cli: flags must be a list of texts");
}

static void both_spellings_and_null_are_taken(void **state)
{
    (void)state;
    build("{'tool':'codex-cli','toolSpecific':{'reasoningEffort':'high','sandbox':null}}");
    assert_true(has("-c model_reasoning_effort=\"high\""));
    assert_true(has("-s read-only"));
    build("{'tool':'codex-cli','toolSpecific':{'reasoning_effort':'low'}}");
    assert_true(has("-c model_reasoning_effort=\"low\""));
}

/* ---- the program */

static void the_program_is_found_in_the_path_of_the_candidate(void **state)
{
    (void)state;
    char why[128];
    put_program("codex", "#!/bin/sh\n");
    build("{'tool':'codex-cli'}");
    CHECK_CSTR(str_from(launch.argv[0]), in_folder("bin/codex"));
    assert_true(provider_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(launch.program), "codex");

    set_candidate("{'tool':'codex-cli','env':{'PATH':'/usr/sbin'}}");
    assert_false(provider_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "codex is not in PATH");
    build("{'tool':'codex-cli','env':{'PATH':'/usr/sbin'}}");
    CHECK_CSTR(str_from(launch.argv[0]), "codex");
}

static void a_path_of_the_program_may_be_relative_or_at_home(void **state)
{
    (void)state;
    char why[128];
    put_program("my-codex", "#!/bin/sh\n");
    put("home/tools/codex", "#!/bin/sh\n");
    chmod("home/tools/codex", 0755);
    build("{'tool':'codex-cli','cliPath':'bin/my-codex'}");
    CHECK_CSTR(str_from(launch.argv[0]), in_folder("bin/my-codex"));
    build("{'tool':'codex-cli','cliPath':'my-codex'}");
    CHECK_CSTR(str_from(launch.argv[0]), in_folder("bin/my-codex"));
    build("{'tool':'codex-cli','cliPath':'~/tools/codex'}");
    CHECK_CSTR(str_from(launch.argv[0]), in_folder("home/tools/codex"));
    set_candidate("{'tool':'codex-cli','cliPath':'/no/such'}");
    assert_false(provider_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "/no/such is no program");
    chmod("bin/my-codex", 0644); /* not executable */
    set_candidate("{'tool':'codex-cli','cliPath':'bin/my-codex'}");
    if (geteuid() != 0 || access("bin/my-codex", X_OK) != 0)
        assert_false(provider_available(&candidate, why, NULL));
    set_candidate("{'tool':'codex-cli','cliPath':'/tmp'}"); /* a folder */
    assert_false(provider_available(&candidate, why, NULL));
}

static void chat_is_there_with_its_key_and_the_mock_always(void **state)
{
    (void)state;
    char why[128];
    set_candidate("{'tool':'openai-chat','model':'m'}");
    assert_false(provider_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "OPENAI_API_KEY is not set");
    setenv("OPENAI_API_KEY", "sk-123456", 1);
    assert_true(provider_available(&candidate, why, NULL));
    unsetenv("OPENAI_API_KEY");
    set_candidate("{'tool':'openai-chat','model':'m','env':{'OPENAI_API_KEY':'sk-123456'}}");
    assert_true(provider_available(&candidate, why, NULL));
    set_candidate("{'tool':'mock'}");
    assert_true(provider_available(&candidate, why, NULL));
}

/* ---- Codex */

static void codex_reads_or_writes(void **state)
{
    (void)state;
    build("{'tool':'codex-cli','model':'gpt-5.2','flags':['--add-dir','/x y']}");
    CHECK_CSTR(line(), "exec --json --skip-git-repo-check -m gpt-5.2 -s read-only --add-dir /x y");
    CHECK_CSTR(launch.input, "the prompt");
    CHECK_CSTR(launch.rollouts, in_folder("home/.codex/sessions"));
    call.mode = PROVIDER_WRITE;
    build("{'tool':'codex-cli','toolSpecific':{'profile':'deep'}}");
    CHECK_CSTR(line(), "exec --json --skip-git-repo-check -p deep -s workspace-write");
    call.is_walled = true;
    build("{'tool':'codex-cli','env':{'CODEX_HOME':'/ch'}}");
    assert_true(has("-s danger-full-access"));
    CHECK_CSTR(launch.rollouts, "/ch/sessions");
    CHECK_CSTR(str_from(launch.homes[0]), "/ch");
    build("{'tool':'codex-cli','toolSpecific':{'sandbox':'read-only'}}");
    assert_true(has("-s read-only"));
}

static void codex_gets_the_system_prompt_in_front(void **state)
{
    (void)state;
    build("{'tool':'codex-cli','systemPrompt':'Be short.'}");
    CHECK_CSTR(launch.input, "Be short.\n\nthe prompt");
}

#define OWN_PROVIDER                                                                               \
    "-c model_provider=\"multiverse\" -c model_providers.multiverse={name=\"OpenAI\","             \
    "base_url=\"%s\",wire_api=\"responses\",%s,request_max_retries=0,stream_max_retries=0}"

static void check_own_provider(const char *url, const char *account)
{
    assert_true(has(arena_printf(&fixture, OWN_PROVIDER, url, account).p));
}

static void codex_with_a_key_does_not_retry(void **state)
{
    (void)state;
    build("{'tool':'codex-cli','env':{'CODEX_API_KEY':'sk-123456'}}");
    check_own_provider("https://api.openai.com/v1", "env_key=\"CODEX_API_KEY\"");
    build("{'tool':'codex-cli','env':{'OPENAI_API_KEY':'sk-123456'},'flags':['-c',"
          "'openai_base_url=\\\"http://127.0.0.1:9/v1\\\"']}");
    check_own_provider("http://127.0.0.1:9/v1", "env_key=\"OPENAI_API_KEY\"");
    setenv("OPENAI_API_KEY", "sk-123456", 1);
    build("{'tool':'codex-cli'}");
    check_own_provider("https://api.openai.com/v1", "env_key=\"OPENAI_API_KEY\"");
}

static void codex_with_a_login_is_left_alone(void **state)
{
    (void)state;
    setenv("OPENAI_API_KEY", "sk-123456", 1);
    put("home/.codex/auth.json", "{\"OPENAI_API_KEY\":null,\"tokens\":{\"id_token\":\"x\"}}");
    build("{'tool':'codex-cli'}");
    assert_false(has("model_provider"));
    put("home/.codex/auth.json", "{\"OPENAI_API_KEY\":\"sk-of-file\"}");
    build("{'tool':'codex-cli'}");
    check_own_provider("https://api.openai.com/v1", "requires_openai_auth=true");
    assert_true(is_secret("sk-of-file"));
    put("home/.codex/auth.json", "garbage");
    build("{'tool':'codex-cli'}");
    assert_false(has("model_provider"));
    remove("home/.codex/auth.json");
    put("home/.codex/config.toml", "cli_auth_credentials_store = \"keyring\"\n");
    build("{'tool':'codex-cli'}");
    assert_false(has("model_provider"));
    unsetenv("OPENAI_API_KEY");
}

#define CUT(name)                                                                                  \
    "-c model_providers." name ".request_max_retries=0 -c model_providers." name                   \
    ".stream_max_retries=0"

static void codex_with_a_provider_of_the_user_does_not_retry(void **state)
{
    (void)state;
    setenv("OPENAI_API_KEY", "sk-123456", 1); /* not used then */
    static const char *const flags[] = {
        "'-c','model_provider=mine'",     "'-c','model_provider=\\\"mine\\\"'",
        "'-cmodel_provider=mine'",        "'--config','model_provider = \\\"mine\\\"'",
        "'--config=model_provider=mine'",
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        build(arena_printf(&fixture,
                           "{'tool':'codex-cli','flags':[%s,'-c',"
                           "'model_providers.mine={name=1}']}",
                           flags[i])
                  .p);
        assert_true(str_ends(line(), STR("model_providers.mine={name=1} " CUT("mine"))));
        assert_false(has("multiverse"));
    }
    put("home/.codex/config.toml", "# mine\nmodel_provider = 'other' # comment\n[x]\n"
                                   "model_provider = \"no\"\n[profiles.deep]\n"
                                   "model_provider = \"legacy\"\n");
    build("{'tool':'codex-cli'}");
    assert_true(str_ends(line(), STR(CUT("other"))));
    build("{'tool':'codex-cli','flags':['--profile','deep']}");
    assert_true(str_ends(line(), STR(CUT("legacy"))));
    put("home/.codex/deep.config.toml", "model_provider = \"of-profile\"\n");
    build("{'tool':'codex-cli','toolSpecific':{'profile':'deep'}}");
    assert_true(str_ends(line(), STR(CUT("of-profile"))));
    build("{'tool':'codex-cli','flags':['-c','model_provider=mine']}");
    assert_true(str_ends(line(), STR(CUT("mine"))));
    unsetenv("OPENAI_API_KEY");
}

static void what_the_user_says_of_retries_holds(void **state)
{
    (void)state;
    build("{'tool':'codex-cli','flags':['-c','model_provider=mine','-c',"
          "'model_providers.mine.request_max_retries=3']}");
    assert_false(has("=0"));
    build("{'tool':'codex-cli','flags':['--oss'],'env':{'CODEX_API_KEY':'sk-123456'}}");
    assert_false(has("model_provider"));
    build("{'tool':'codex-cli','flags':['-c','model_provider=ollama'],'env':"
          "{'CODEX_API_KEY':'sk-123456'}}");
    assert_false(has("max_retries"));
}

static void codex_gets_our_server(void **state)
{
    (void)state;
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'codex-cli'}");
    assert_true(has("-c mcp_servers.multiverse={url=\"http://127.0.0.1:1/mcp\","
                    "bearer_token_env_var=\"MULTIVERSE_MCP_TOKEN\","
                    "default_tools_approval_mode=\"approve\",required=true}"));
    CHECK_CSTR(str_from(env("MULTIVERSE_MCP_TOKEN")), "TOKEN-TEXT-1234");
    assert_true(is_secret("TOKEN-TEXT-1234"));
    call.mode = PROVIDER_READ; /* only tools that say they only read */
    build("{'tool':'codex-cli'}");
    assert_false(has("default_tools_approval_mode"));
}

/* The two tables would be merged, and a server with a command and an address is refused. */
static void a_server_of_the_same_name_is_put_aside(void **state)
{
    (void)state;
    call.mcp.url = "http://127.0.0.1:1/mcp";
    put("home/.codex/config.toml", "[mcp_servers.multiverse]\ncommand = \"x\"\n");
    build("{'tool':'codex-cli'}");
    assert_true(has("-c mcp_servers.multiverse.enabled=false -c mcp_servers.multiverse_run={url="));
}

/* ---- Claude */

static void claude_reads_with_tools_that_only_read(void **state)
{
    (void)state;
    build("{'tool':'claude-code','model':'sonnet','flags':['--effort','low']}");
    CHECK_CSTR(line(), "-p --output-format stream-json --verbose --no-session-persistence --model "
                       "sonnet --permission-mode dontAsk --tools=Read,Grep,Glob "
                       "--strict-mcp-config --effort low");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_MAX_RETRIES")), "0");
    CHECK_CSTR(str_from(env("DISABLE_AUTOUPDATER")), "1");
    CHECK_CSTR(str_from(env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")), "1");
    assert_null(env("ENABLE_TOOL_SEARCH"));
}

static void claude_writes_with_our_server(void **state)
{
    (void)state;
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
    call.is_walled = true;
    build("{'tool':'claude-code'}");
    assert_true(has("--permission-mode bypassPermissions"));
    CHECK_CSTR(str_from(env("IS_SANDBOX")), "1");
}

static void claude_gets_the_system_prompt_by_a_file(void **state)
{
    (void)state;
    build("{'tool':'claude-code','systemPrompt':'Be short.'}");
    const char *path = arena_printf(&fixture, "%s/system.md", launch.folder).p;
    assert_true(has(arena_printf(&fixture, "--append-system-prompt-file %s", path).p));
    CHECK_CSTR(read_text(path), "Be short.");
    CHECK_CSTR(launch.input, "the prompt");
}

static void what_the_candidate_says_of_claudes_variables_holds(void **state)
{
    (void)state;
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

/* ---- Gemini */

static struct str settings(void)
{
    return read_text(arena_printf(&fixture, "%s/.gemini/settings.json", launch.folder).p);
}

static void gemini_has_a_home_with_links_to_the_users(void **state)
{
    (void)state;
    char target[256];
    put("home/.gemini/oauth_creds.json", "{}");
    put("home/.gemini/tmp/x", "");
    put("home/.env", "A=1");
    put("home/.gemini/settings.json",
        "{\"ui\":{\"theme\":\"Dark // no comment\"}, // a comment\n/* another \" */\"general\":"
        "{\"vimMode\":true,\"maxAttempts\":10}, \"a\\\"b\": \"\\\\\"}");
    struct str before = read_text("home/.gemini/settings.json");
    build("{'tool':'gemini-cli','model':'gemini-2.5-pro'}");
    CHECK_CSTR(line(), "--skip-trust -o stream-json -m gemini-2.5-pro --approval-mode default");
    CHECK_CSTR(str_from(env("GEMINI_CLI_HOME")), launch.folder);
    CHECK_CSTR(settings(), "{\"ui\":{\"theme\":\"Dark // no comment\"},\"general\":{\"vimMode\":"
                           "true,\"maxAttempts\":1},\"a\\\"b\":\"\\\\\"}");
    const char *link = arena_printf(&fixture, "%s/.gemini/oauth_creds.json", launch.folder).p;
    ssize_t n = readlink(link, target, sizeof target);
    CHECK_CSTR(str_make(target, (size_t)n), in_folder("home/.gemini/oauth_creds.json"));
    assert_true(file_exists(arena_printf(&fixture, "%s/.gemini/tmp/x", launch.folder).p));
    assert_true(file_exists(arena_printf(&fixture, "%s/.env", launch.folder).p));
    assert_true(str_starts(str_from(env("TMPDIR")), str_from(launch.folder)));
    CHECK_CSTR(str_from(env("GEMINI_CLI_NO_RELAUNCH")), "1");
    provider_launch_done(&launch); /* takes the links away, not what they point to */
    assert_true(file_exists("home/.gemini/tmp/x"));
    assert_true(file_exists("home/.gemini/oauth_creds.json"));
    CHECK_STR(read_text("home/.gemini/settings.json"), before);
}

static void gemini_is_told_of_a_key_unless_something_else_is_chosen(void **state)
{
    (void)state;
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(), "{\"general\":{\"maxAttempts\":1}}");
    setenv("GEMINI_API_KEY", "gk-123456", 1);
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(), "{\"general\":{\"maxAttempts\":1},\"security\":{\"auth\":"
                           "{\"selectedType\":\"gemini-api-key\"}}}");
    put("home/.gemini/settings.json",
        "{\"security\":{\"auth\":{\"selectedType\":\"oauth-personal\"}}}");
    build("{'tool':'gemini-cli'}");
    assert_true(str_find(settings(), STR("oauth-personal")) < settings().n);
    build("{'tool':'gemini-cli','env':{'GEMINI_API_KEY':'gk-654321'}}");
    assert_true(str_find(settings(), STR("gemini-api-key")) < settings().n);
    remove("home/.gemini/settings.json");
    put("repo/.gemini/settings.json", "{\"security\":{\"auth\":{\"selectedType\":\"vertex-ai\"}}}");
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(), "{\"general\":{\"maxAttempts\":1}}");
    unsetenv("GEMINI_API_KEY");
}

static void gemini_gets_our_server_instead_of_one_of_that_name(void **state)
{
    (void)state;
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    put("home/.gemini/settings.json",
        "{\"mcpServers\":{\"multiverse\":{\"command\":\"x\"},\"other\":{\"command\":\"y\"}}}");
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(),
               "{\"mcpServers\":{\"multiverse\":{\"httpUrl\":\"http://127.0.0.1:1/mcp\","
               "\"headers\":{\"Authorization\":\"Bearer TOKEN-TEXT-1234\"},"
               "\"trust\":true},\"other\":{\"command\":\"y\"}},\"general\":"
               "{\"maxAttempts\":1}}");
    assert_true(has("--approval-mode auto_edit --allowed-mcp-server-names=multiverse"));
    put("repo/.gemini/settings.json", "{\"mcpServers\":{\"multiverse\":{\"command\":\"x\"}}}");
    build("{'tool':'gemini-cli'}");
    assert_true(has("--allowed-mcp-server-names=multiverse_run"));
    call.is_walled = true;
    build("{'tool':'gemini-cli'}");
    assert_true(has("--approval-mode yolo"));
    build("{'tool':'gemini-cli','toolSpecific':{'approvalMode':'plan','sandbox':true}}");
    assert_true(has("--approval-mode plan --sandbox"));
}

static void settings_that_are_no_json_are_passed_on(void **state)
{
    (void)state;
    put("home/.gemini/settings.json", "{\"a\": /* never ends");
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(), "{\"a\": /* never ends");
}

/* ---- the others */

static void cursor_is_forced_only_to_write(void **state)
{
    (void)state;
    build("{'tool':'cursor-cli','model':'auto'}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust --mode ask --model auto");
    call.mode = PROVIDER_WRITE;
    build("{'tool':'cursor-cli'}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust --force");
    build("{'tool':'cursor-cli','toolSpecific':{'force':false}}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust");
    CHECK_CSTR(launch.input, "the prompt");
}

static void chat_is_this_program(void **state)
{
    (void)state;
    setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1", 1);
    build("{'tool':'openai-chat','model':'gpt-5.2','systemPrompt':'s','flags':['--no'],"
          "'toolSpecific':{'temperature':0.5,'maxTokens':9,'reasoning_effort':'low'}}");
    CHECK_CSTR(str_from(launch.argv[0]), "/usr/bin/multiverse");
    CHECK_CSTR(line(), "agent-chat");
    CHECK_CSTR(launch.input,
               "{\"model\":\"gpt-5.2\",\"system\":\"s\",\"prompt\":\"the prompt\",\"base_url\":"
               "\"http://127.0.0.1:9/v1\",\"temperature\":0.5,\"max_tokens\":9,"
               "\"reasoning_effort\":\"low\"}");
    build("{'tool':'openai-chat','model':'m','toolSpecific':{'baseUrl':'http://x/v1'}}");
    CHECK_CSTR(launch.input, "{\"model\":\"m\",\"prompt\":\"the prompt\",\"base_url\":"
                             "\"http://x/v1\"}");
    unsetenv("OPENAI_BASE_URL");
    check_refused("{'tool':'openai-chat'}",
                  "openai-chat: it has no model of its own: give the candidate one");
}

static void the_mock_is_this_program(void **state)
{
    (void)state;
    build("{'tool':'mock','model':'m'}");
    CHECK_CSTR(line(), "agent-mock");
    CHECK_CSTR(launch.input, "{\"prompt\":\"the prompt\",\"model\":\"m\"}");
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'mock','toolSpecific':{'script':[{'say':'x'}],'state':'/s.json'}}");
    const char *token = arena_printf(&fixture, "%s/token", launch.folder).p;
    CHECK_STR(launch.input,
              arena_printf(&fixture,
                           "{\"prompt\":\"the prompt\",\"model\":\"\",\"script\":[{\"say\":\"x\"}],"
                           "\"state\":\"/s.json\",\"self\":\"/usr/bin/multiverse\",\"url\":"
                           "\"http://127.0.0.1:1/mcp\",\"token_file\":\"%s\"}",
                           token));
    CHECK_CSTR(read_text(token), "TOKEN-TEXT-1234");
}

static void a_prompt_of_a_megabyte_is_passed_on(void **state)
{
    (void)state;
    size_t n = 1u << 20;
    char *text = arena_alloc(&fixture, n);
    memset(text, 'x', n);
    call.prompt = str_make(text, n);
    build("{'tool':'claude-code'}");
    CHECK_STR(launch.input, call.prompt);
    build("{'tool':'openai-chat','model':'m'}");
    assert_true(launch.input.n > n);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_agent, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_prompt_is_never_an_argument),
        TEST(nothing_of_a_call_is_left),
        TEST(files_of_a_call_are_private),
        TEST(the_environment_is_ours_and_the_candidates),
        TEST(a_variable_that_is_not_there_is_named),
        TEST(a_bad_variable_is_refused),
        TEST(an_unknown_key_is_refused_with_those_there_are),
        TEST(both_spellings_and_null_are_taken),
        TEST(the_program_is_found_in_the_path_of_the_candidate),
        TEST(a_path_of_the_program_may_be_relative_or_at_home),
        TEST(chat_is_there_with_its_key_and_the_mock_always),
        TEST(codex_reads_or_writes),
        TEST(codex_gets_the_system_prompt_in_front),
        TEST(codex_with_a_key_does_not_retry),
        TEST(codex_with_a_login_is_left_alone),
        TEST(codex_with_a_provider_of_the_user_does_not_retry),
        TEST(what_the_user_says_of_retries_holds),
        TEST(codex_gets_our_server),
        TEST(a_server_of_the_same_name_is_put_aside),
        TEST(claude_reads_with_tools_that_only_read),
        TEST(claude_writes_with_our_server),
        TEST(claude_gets_the_system_prompt_by_a_file),
        TEST(what_the_candidate_says_of_claudes_variables_holds),
        TEST(gemini_has_a_home_with_links_to_the_users),
        TEST(gemini_is_told_of_a_key_unless_something_else_is_chosen),
        TEST(gemini_gets_our_server_instead_of_one_of_that_name),
        TEST(settings_that_are_no_json_are_passed_on),
        TEST(cursor_is_forced_only_to_write),
        TEST(chat_is_this_program),
        TEST(the_mock_is_this_program),
        TEST(a_prompt_of_a_megabyte_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
