#include "agent/provider.h"

#include "launch_fixture.h"

/* ---- all tools */

static const char *const tools[] = {"codex-cli",  "claude-code", "gemini-cli",
                                    "cursor-cli", "openai-chat", "mock"};

TEST_FIXTURE(setup_agent, teardown_launch);

TEST(the_prompt_is_never_an_argument)
{
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

TEST(files_of_a_call_are_removed)
{
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    call.mode = PROVIDER_WRITE;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        build(arena_printf(&fixture, "{'tool':'%s','model':'m','systemPrompt':'s'}", tools[i]).p);
        provider_launch_done(&launch);
        assert_int_equal(count_files("calls"), 0);
    }
    provider_launch_done(&launch); /* of a zeroed one */
}

TEST(files_of_a_call_are_private)
{
    struct stat st;
    call.mode = PROVIDER_WRITE;
    call.mcp = (struct provider_mcp){"http://127.0.0.1:1/mcp", "TOKEN-TEXT-1234"};
    build("{'tool':'claude-code'}");
    assert_int_equal(stat(launch.folder, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(stat(arena_printf(&fixture, "%s/mcp.json", launch.folder).p, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

TEST(environment_is_ours_and_the_candidates)
{
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

TEST(missing_variable_is_named)
{
    check_refused("{'tool':'claude-code','model':'sonnet','env':{'ANTHROPIC_API_KEY':"
                  "'env:NO_SUCH_KEY'}}",
                  "claude-code sonnet: its env takes ANTHROPIC_API_KEY from NO_SUCH_KEY, which is "
                  "not set: export NO_SUCH_KEY, or change the candidate");
    char why[128];
    assert_false(provider_is_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "NO_SUCH_KEY is not set");
}

TEST(invalid_variable_is_rejected)
{
    check_refused("{'tool':'mock','env':{'A=B':'x'}}",
                  "mock: env: \"A=B\" must be the name of a variable with a text value");
    check_refused("{'tool':'mock','env':{'A':'x\\u0000y'}}",
                  "mock: env: \"A\" must be the name of a variable with a text value");
    check_refused("{'tool':'mock','env':{'A':1}}",
                  "mock: env: \"A\" must be the name of a variable with a text value");
}

TEST(unknown_key_is_rejected_with_the_allowed_ones)
{
    check_refused("{'tool':'codex-cli','model':'gpt-5.2','toolSpecific':{'sandbx':1}}",
                  "codex-cli gpt-5.2: toolSpecific has no \"sandbx\"; allowed: sandbox, "
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

TEST(both_spellings_and_null_are_accepted)
{
    build("{'tool':'codex-cli','toolSpecific':{'reasoningEffort':'high','sandbox':null}}");
    assert_true(has("-c model_reasoning_effort=\"high\""));
    assert_true(has("-s read-only"));
    build("{'tool':'codex-cli','toolSpecific':{'reasoning_effort':'low'}}");
    assert_true(has("-c model_reasoning_effort=\"low\""));
}

/* ---- the program */

TEST(program_is_found_in_the_candidates_path)
{
    char why[128];
    put_program("codex", "#!/bin/sh\n");
    build("{'tool':'codex-cli'}");
    CHECK_CSTR(str_from(launch.argv[0]), in_folder("bin/codex"));
    assert_true(provider_is_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(launch.program), "codex");

    set_candidate("{'tool':'codex-cli','env':{'PATH':'/usr/sbin'}}");
    assert_false(provider_is_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "codex is not in PATH");
    build("{'tool':'codex-cli','env':{'PATH':'/usr/sbin'}}");
    CHECK_CSTR(str_from(launch.argv[0]), "codex");
}

TEST(program_path_may_be_relative_or_in_the_home)
{
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
    assert_false(provider_is_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "/no/such is not an executable file");
    chmod("bin/my-codex", 0644); /* not executable */
    set_candidate("{'tool':'codex-cli','cliPath':'bin/my-codex'}");
    if (geteuid() != 0 || access("bin/my-codex", X_OK) != 0)
        assert_false(provider_is_available(&candidate, why, NULL));
    set_candidate("{'tool':'codex-cli','cliPath':'/tmp'}"); /* a folder */
    assert_false(provider_is_available(&candidate, why, NULL));
}

TEST(chat_needs_its_key_and_the_mock_is_always_available)
{
    char why[128];
    set_candidate("{'tool':'openai-chat','model':'m'}");
    assert_false(provider_is_available(&candidate, why, NULL));
    CHECK_CSTR(str_from(why), "OPENAI_API_KEY is not set");
    setenv("OPENAI_API_KEY", "sk-123456", 1);
    assert_true(provider_is_available(&candidate, why, NULL));
    unsetenv("OPENAI_API_KEY");
    set_candidate("{'tool':'openai-chat','model':'m','env':{'OPENAI_API_KEY':'sk-123456'}}");
    assert_true(provider_is_available(&candidate, why, NULL));
    set_candidate("{'tool':'mock'}");
    assert_true(provider_is_available(&candidate, why, NULL));
}

/* ---- the others */

TEST(cursor_is_forced_only_to_write)
{
    build("{'tool':'cursor-cli','model':'auto'}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust --mode ask --model auto");
    call.mode = PROVIDER_WRITE;
    build("{'tool':'cursor-cli'}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust --force");
    build("{'tool':'cursor-cli','toolSpecific':{'force':false}}");
    CHECK_CSTR(line(), "-p --output-format stream-json --trust");
    CHECK_CSTR(launch.input, "the prompt");
}

TEST(chat_is_this_program)
{
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
                  "openai-chat: it has no default model: set the candidate's model");
}

TEST(the_mock_is_this_program)
{
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

TEST(prompt_of_a_megabyte_is_passed_on)
{
    size_t n = 1u << 20;
    char *text = arena_alloc(&fixture, n);
    memset(text, 'x', n);
    call.prompt = str_make(text, n);
    build("{'tool':'claude-code'}");
    CHECK_STR(launch.input, call.prompt);
    build("{'tool':'openai-chat','model':'m'}");
    assert_true(launch.input.n > n);
}
