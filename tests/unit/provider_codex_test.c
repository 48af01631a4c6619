#include "launch_fixture.h"

TEST_FIXTURE(setup_agent, teardown_launch);

TEST(codex_reads_or_writes)
{
    build("{'tool':'codex-cli','model':'gpt-5.2','flags':['--add-dir','/x y']}");
    CHECK_CSTR(line(), "exec --json --skip-git-repo-check -m gpt-5.2 -s read-only --add-dir /x y");
    CHECK_CSTR(launch.input, "the prompt");
    CHECK_CSTR(launch.session_logs, in_folder("home/.codex/sessions"));
    call.mode = PROVIDER_WRITE;
    build("{'tool':'codex-cli','toolSpecific':{'profile':'deep'}}");
    CHECK_CSTR(line(), arena_printf(&fixture,
                                    "exec --json --skip-git-repo-check -p deep -s workspace-write "
                                    "-c projects={\"%s\"={trust_level=\"trusted\"}}",
                                    call.cwd)
                           .p);
    call.is_sandboxed = true;
    build("{'tool':'codex-cli','env':{'CODEX_HOME':'/ch'}}");
    assert_true(has("-s danger-full-access"));
    CHECK_CSTR(launch.session_logs, "/ch/sessions");
    CHECK_CSTR(str_from(launch.homes[0]), "/ch");
    build("{'tool':'codex-cli','toolSpecific':{'sandbox':'read-only'}}");
    assert_true(has("-s read-only"));
}

static void check_trust(const char *decided, bool is_given)
{
    put("home/.codex/config.toml", arena_printf(&fixture, "%s\ntrust_level = \"x\"\n", decided).p);
    build("{'tool':'codex-cli'}");
    if (has("projects={") != is_given)
        fail_msg("%s: %s", decided, line().p);
}

/* With write access Codex would save in the user's config.toml that the repo is trusted. */
TEST(codex_does_not_change_the_users_config)
{
    const char *folder = project_folder;
    call.mode = PROVIDER_WRITE;
    check_trust("", true);
    check_trust(arena_printf(&fixture, "[projects.\"%s/repo\"]", folder).p, false);
    check_trust(arena_printf(&fixture, "[projects.'%s/repo']", folder).p, false);
    check_trust(arena_printf(&fixture, "[projects.\"%s/rep\"]", folder).p, true);
    check_trust(arena_printf(&fixture, "[projects.\"%s/repo/a\"]", folder).p, true);
    check_trust(arena_printf(&fixture, "[projects.\"%s\"]", folder).p, true);
    file_make_dirs(".git", NULL); /* now the repo is part of this git repository */
    check_trust(arena_printf(&fixture, "[projects.\"%s\"]", folder).p, false);
    call.mode = PROVIDER_READ;
    check_trust("", false);

    call.mode = PROVIDER_WRITE;
    file_make_dirs("a \"b\"", NULL);
    assert_int_equal(symlink("a \"b\"", "link"), 0);
    call.cwd = in_folder("link");
    build("{'tool':'codex-cli'}");
    assert_true(has("/a \\\"b\\\"\"={trust_level"));
}

TEST(codex_gets_the_system_prompt_before_the_prompt)
{
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

TEST(codex_with_a_key_does_not_retry)
{
    build("{'tool':'codex-cli','env':{'CODEX_API_KEY':'sk-123456'}}");
    check_own_provider("https://api.openai.com/v1", "env_key=\"CODEX_API_KEY\"");
    build("{'tool':'codex-cli','env':{'OPENAI_API_KEY':'sk-123456'},'flags':['-c',"
          "'openai_base_url=\\\"http://127.0.0.1:9/v1\\\"']}");
    check_own_provider("http://127.0.0.1:9/v1", "env_key=\"OPENAI_API_KEY\"");
    setenv("OPENAI_API_KEY", "sk-123456", 1);
    build("{'tool':'codex-cli'}");
    check_own_provider("https://api.openai.com/v1", "env_key=\"OPENAI_API_KEY\"");
}

/* `ps` shows command lines to all users. */
TEST(url_with_a_password_stays_in_its_file)
{
    put("home/.codex/config.toml", "openai_base_url = \"https://me:pass-word@proxy/v1\"\n");
    build("{'tool':'codex-cli','env':{'OPENAI_API_KEY':'sk-123456'}}");
    assert_false(has("pass-word"));
    assert_false(has("model_provider"));
    assert_string_equal(env("CODEX_API_KEY"), "sk-123456");
    remove("home/.codex/config.toml");
}

TEST(codex_with_a_login_keeps_its_provider)
{
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

TEST(codex_with_a_provider_of_the_user_does_not_retry)
{
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

TEST(retries_set_by_the_user_are_kept)
{
    build("{'tool':'codex-cli','flags':['-c','model_provider=mine','-c',"
          "'model_providers.mine.request_max_retries=3']}");
    assert_false(has("=0"));
    build("{'tool':'codex-cli','flags':['--oss'],'env':{'CODEX_API_KEY':'sk-123456'}}");
    assert_false(has("model_provider"));
    build("{'tool':'codex-cli','flags':['-c','model_provider=ollama'],'env':"
          "{'CODEX_API_KEY':'sk-123456'}}");
    assert_false(has("max_retries"));
}

TEST(codex_gets_our_server)
{
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'codex-cli'}");
    assert_true(
        has("-c mcp_servers.multiverse={url=\"http://127.0.0.1:1/mcp\","
            "bearer_token_env_var=\"MULTIVERSE_MCP_TOKEN\","
            "default_tools_approval_mode=\"approve\",tool_timeout_sec=3600,required=true}"));
    CHECK_CSTR(str_from(env("MULTIVERSE_MCP_TOKEN")), "TOKEN-TEXT-1234");
    assert_true(is_secret("TOKEN-TEXT-1234"));
    call.mode = PROVIDER_READ; /* only read-only tools */
    build("{'tool':'codex-cli'}");
    assert_false(has("default_tools_approval_mode"));
}

/* Codex would merge both tables, and it rejects a server with a command and a URL. */
TEST(server_of_the_same_name_is_disabled)
{
    call.mcp.url = "http://127.0.0.1:1/mcp";
    put("home/.codex/config.toml", "[mcp_servers.multiverse]\ncommand = \"x\"\n");
    build("{'tool':'codex-cli'}");
    assert_true(has("-c mcp_servers.multiverse.enabled=false -c mcp_servers.multiverse_run={url="));
}
