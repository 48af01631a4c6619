#include "agent_fixture.h"

static struct provider_health health;

static void examine(const char *text)
{
    set_candidate(text);
    provider_doctor(&candidate, &health);
}

static void check(const char *signed_in, bool usable)
{
    CHECK_CSTR(str_from(health.signed_in), signed_in);
    assert_int_equal(health.usable, usable);
}

/* Install a program that prints its version, and exits `status` with a code. */
static void put_tool(const char *name, const char *version, const char *status, int code)
{
    put_program(name,
                arena_printf(&fixture,
                             "#!/bin/sh\ncase \"$*\" in\n--version) echo '%s';;\n"
                             "'%s') echo 'Logged in'; exit %d;;\n*) echo bad: $* >&2; exit 9;;\n"
                             "esac\n",
                             version, status, code)
                    .p);
}

TEST_FIXTURE(setup_agent, teardown_agent);

TEST(missing_program_is_reported)
{
    setenv("PATH", in_folder("bin"), 1);
    examine("{'tool':'codex-cli'}");
    assert_false(health.found);
    CHECK_CSTR(str_from(health.account), "login");
    check("no: codex is not in PATH: install it, or name its cliPath", false);
    examine("{'tool':'codex-cli','env':{'CODEX_API_KEY':'sk-123456'}}");
    check("no: codex is not in PATH: install it, or name its cliPath", false);
}

TEST(all_forms_of_versions_are_read)
{
    static const char *const forms[][2] = {
        {"codex-cli 0.166.0", "0.166.0"},
        {"2.1.325 (Claude Code)", "2.1.325"},
        {"v1.2.3", "1.2.3"},
        {"2026.01.28-fd13201", "2026.01.28-fd13201"},
        {"build 7 of x2 is 3.4", "3.4"},
        {"nothing here", ""},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        put_tool("codex", forms[i][0], "login status", 0);
        examine("{'tool':'codex-cli'}");
        assert_true(health.found);
        CHECK_CSTR(str_from(health.path), in_folder("bin/codex"));
        CHECK_CSTR(str_from(health.version), forms[i][1]);
    }
}

TEST(codex_login_is_checked_by_codex)
{
    put_tool("codex", "1.0", "login status", 0);
    examine("{'tool':'codex-cli'}");
    check("yes (login)", true);
    put_tool("codex", "1.0", "login status", 1);
    examine("{'tool':'codex-cli'}");
    check("no: run `codex login`, or set CODEX_API_KEY", false);
    examine("{'tool':'codex-cli','env':{'OPENAI_API_KEY':'sk-123456'}}");
    check("yes (OPENAI_API_KEY is set)", true);
    CHECK_CSTR(str_from(health.account), "OPENAI_API_KEY");
    put("home/.codex/config.toml", "model_provider = \"azure\"\n");
    examine("{'tool':'codex-cli'}");
    check("yes (model_provider azure)", true);
}

TEST(claude_login_is_a_key_a_file_or_checked_by_claude)
{
    put_tool("claude", "1.0", "auth status", 1);
    examine("{'tool':'claude-code'}");
    check("no: run `claude auth login`, or set ANTHROPIC_API_KEY", false);
    setenv("DOCTOR_TEST_KEY", "sk-ant-secret", 1);
    examine("{'tool':'claude-code','env':{'ANTHROPIC_API_KEY':'env:DOCTOR_TEST_KEY'}}");
    unsetenv("DOCTOR_TEST_KEY");
    check("yes (ANTHROPIC_API_KEY is set)", true);
    CHECK_CSTR(str_from(health.account), "DOCTOR_TEST_KEY");
    put("home/.claude/.credentials.json", "{}");
    examine("{'tool':'claude-code'}");
    check("yes (login)", true);
    remove("home/.claude/.credentials.json");
    put_tool("claude", "1.0", "auth status", 0);
    examine("{'tool':'claude-code'}");
    check("yes (login)", true);
}

TEST(gemini_login_is_a_key_or_a_file)
{
    put_tool("gemini", "0.61.0", "-", 0);
    examine("{'tool':'gemini-cli'}");
    check("no: run `gemini` once and sign in, or set GEMINI_API_KEY", false);
    put("home/.gemini/.env", "# keys\nexport GEMINI_API_KEY=gk-1\n");
    examine("{'tool':'gemini-cli'}");
    check("yes (GEMINI_API_KEY in .env)", true);
    put("home/.gemini/.env", "#GEMINI_API_KEY=gk-1\nGEMINI_API_KEY=\n");
    examine("{'tool':'gemini-cli'}");
    assert_false(health.usable);
    put("home/.gemini/oauth_creds.json", "{}");
    examine("{'tool':'gemini-cli'}");
    check("yes (login)", true);
    examine("{'tool':'gemini-cli','env':{'GEMINI_API_KEY':'gk-1'}}");
    check("yes (GEMINI_API_KEY is set)", true);
}

TEST(program_that_fails_is_reported)
{
    put_program("gemini", "#!/bin/sh\nexit 127\n");
    examine("{'tool':'gemini-cli','env':{'GEMINI_API_KEY':'gk-1'}}");
    assert_true(health.found);
    check(arena_printf(&fixture, "no: it does not run: `%s --version` ended with exit code 127",
                       in_folder("bin/gemini"))
              .p,
          false);
}

TEST(cursor_login_is_read_from_its_status)
{
    put_tool("cursor-agent", "2026.01.28-fd13201", "status", 0);
    examine("{'tool':'cursor-cli'}");
    check("yes (login)", true);
    put_program("cursor-agent", "#!/bin/sh\necho Not logged in\n");
    examine("{'tool':'cursor-cli'}");
    check("no: run `cursor-agent login`, or set CURSOR_API_KEY", false);
}

TEST(chat_needs_a_key_and_the_mock_nothing)
{
    examine("{'tool':'openai-chat','model':'m'}");
    assert_true(health.found);
    check("no: set OPENAI_API_KEY", false);
    examine("{'tool':'openai-chat','model':'m','env':{'OPENAI_API_KEY':'sk-123456'}}");
    check("yes (OPENAI_API_KEY is set)", true);
    examine("{'tool':'mock'}");
    check("yes (needs no account)", true);
}

TEST(missing_variable_is_named)
{
    put_tool("claude", "1.0", "auth status", 0);
    examine("{'tool':'claude-code','env':{'ANTHROPIC_API_KEY':'env:NO_SUCH_KEY'}}");
    assert_true(health.found);
    assert_false(health.usable);
    assert_non_null(strstr(health.signed_in, "NO_SUCH_KEY"));
}

TEST(endless_output_is_bounded)
{
    put_program("claude", "#!/bin/sh\n[ \"$1\" = auth ] && exit 1\nhead -c 30000000 /dev/zero | tr "
                          "'\\0' 9\n");
    examine("{'tool':'claude-code'}");
    CHECK_CSTR(str_from(health.version), "");
    put_program("claude", "#!/bin/sh\n[ \"$1\" = auth ] && exit 1\nyes 1.2 | tr -d '\\n' | head -c "
                          "100000\n");
    examine("{'tool':'claude-code'}");
    assert_int_equal(strlen(health.version), 60);
    put_program("claude", "#!/bin/sh\nexec yes\n"); /* ends before the time limit */
    examine("{'tool':'claude-code'}");
    check("no: run `claude auth login`, or set ANTHROPIC_API_KEY", false);
}
