#include "launch_fixture.h"

static struct str settings(void)
{
    return read_text(arena_printf(&fixture, "%s/.gemini/settings.json", launch.folder).p);
}

TEST_FIXTURE(setup_agent, teardown_launch);

TEST(gemini_home_has_links_to_the_users_files)
{
    char target[256];
    put("home/.gemini/oauth_creds.json", "{}");
    put("home/.gemini/tmp/x", "");
    put("home/.env", "A=1");
    put("home/.gemini/settings.json",
        "{\"ui\":{\"theme\":\"Dark // no comment\"}, // a comment\n/* another \" */\"general\":"
        "{\"vimMode\":true,\"maxAttempts\":10}, \"a\\\"b\": \"\\\\\" /* } */ }");
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
    provider_launch_done(&launch); /* removes the links, not their targets */
    assert_true(file_exists("home/.gemini/tmp/x"));
    assert_true(file_exists("home/.gemini/oauth_creds.json"));
    CHECK_STR(read_text("home/.gemini/settings.json"), before);
}

TEST(gemini_uses_a_key_unless_a_login_is_selected)
{
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

TEST(our_server_replaces_one_of_the_same_name)
{
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    put("home/.gemini/settings.json",
        "{\"mcpServers\":{\"multiverse\":{\"command\":\"x\"},\"other\":{\"command\":\"y\"}}}");
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(),
               "{\"mcpServers\":{\"multiverse\":{\"httpUrl\":\"http://127.0.0.1:1/mcp\","
               "\"headers\":{\"Authorization\":\"Bearer TOKEN-TEXT-1234\"},"
               "\"trust\":true,\"timeout\":3600000},\"other\":{\"command\":\"y\"}},\"general\":"
               "{\"maxAttempts\":1}}");
    assert_true(has("--approval-mode auto_edit --allowed-mcp-server-names=multiverse"));
    put("repo/.gemini/settings.json", "{\"mcpServers\":{\"multiverse\":{\"command\":\"x\"}}}");
    build("{'tool':'gemini-cli'}");
    assert_true(has("--allowed-mcp-server-names=multiverse_run"));
    call.is_sandboxed = true;
    build("{'tool':'gemini-cli'}");
    assert_true(has("--approval-mode yolo"));
    build("{'tool':'gemini-cli','toolSpecific':{'approvalMode':'plan','sandbox':true}}");
    assert_true(has("--approval-mode plan --sandbox"));
}

TEST(invalid_settings_are_passed_on)
{
    put("home/.gemini/settings.json", "{\"a\": /* never ends");
    build("{'tool':'gemini-cli'}");
    CHECK_CSTR(settings(), "{\"a\": /* never ends");
}
