#include "tooling/agent_kind.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/json.h"
#include "test.h"

static struct arena arena;

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

/* ---- the table */

TEST_FIXTURE(NULL, teardown);

TEST(every_agent_is_found_by_its_name)
{
    for (enum agent_kind k = AGENT_NONE + 1; k < AGENT_KIND_COUNT; k++) {
        assert_int_equal(agent_kind_find(str_from(agent_kind_name(k))), k);
        assert_string_equal(agent_kind_row(k)->name, agent_kind_name(k));
        assert_true(strlen(agent_kind_row(k)->about) > 0);
        assert_non_null(agent_kind_row(k)->accounts[0]);
    }
}

TEST(names_are_those_of_the_configuration)
{
    assert_int_equal(agent_kind_find(STR("codex-cli")), AGENT_CODEX);
    assert_int_equal(agent_kind_find(STR("claude-code")), AGENT_CLAUDE);
    assert_int_equal(agent_kind_find(STR("claude-code-cli")), AGENT_CLAUDE);
    assert_int_equal(agent_kind_find(STR("gemini-cli")), AGENT_GEMINI);
    assert_int_equal(agent_kind_find(STR("cursor-cli")), AGENT_CURSOR);
    assert_int_equal(agent_kind_find(STR("openai-chat")), AGENT_OPENAI);
    assert_int_equal(agent_kind_find(STR("mock")), AGENT_MOCK);
}

TEST(other_names_are_unknown)
{
    static const struct str others[] = {STR_INIT(""),          STR_INIT("codex"),
                                        STR_INIT("Codex-CLI"), STR_INIT("codex-cli "),
                                        STR_INIT("mock\0"),    STR_INIT("claude")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(agent_kind_find(others[i]), AGENT_NONE);
}

TEST(an_agent_without_a_program_names_none)
{
    assert_string_equal(agent_kind_row(AGENT_CODEX)->program, "codex");
    assert_string_equal(agent_kind_row(AGENT_CLAUDE)->program, "claude");
    assert_string_equal(agent_kind_row(AGENT_GEMINI)->program, "gemini");
    assert_string_equal(agent_kind_row(AGENT_CURSOR)->program, "cursor-agent");
    assert_null(agent_kind_row(AGENT_OPENAI)->program);
    assert_null(agent_kind_row(AGENT_MOCK)->program);
}

/* ---- accounts */

/* A process with these variables: "NAME=value" each, up to NULL. */
static const char *from_list(const char *name, void *ctx)
{
    size_t n = strlen(name);
    for (const char *const *v = ctx; *v; v++)
        if (strncmp(*v, name, n) == 0 && (*v)[n] == '=')
            return *v + n + 1;
    return NULL;
}

static void check_account(const char *env, const char *const *process, const char *want)
{
    const struct json *v = env ? json_parse(&arena, str_from(env), NULL, NULL) : NULL;
    CHECK_CSTR(agent_kind_account(AGENT_CLAUDE, v, from_list, (void *)process), want);
}

static const char *const none[] = {NULL};
static const char *const both[] = {"ANTHROPIC_API_KEY=sk-1", "ANTHROPIC_AUTH_TOKEN=t", NULL};
static const char *const key[] = {"ANTHROPIC_API_KEY=sk-1", NULL};

TEST(the_account_without_a_key_is_the_login)
{
    static const char *const others[] = {"ANTHROPIC_API_KEY=", "OPENAI_API_KEY=sk-2", NULL};
    check_account(NULL, none, "login");
    check_account("{}", none, "login");
    check_account("{\"OPENAI_API_KEY\":\"x\"}", none, "login");
    check_account(NULL, others, "login");
    CHECK_CSTR(agent_kind_account(AGENT_OPENAI, NULL, from_list, (void *)none), "OPENAI_API_KEY");
}

TEST(the_variable_names_the_account_and_never_its_value)
{
    check_account(NULL, key, "ANTHROPIC_API_KEY");
    check_account("{\"ANTHROPIC_API_KEY\":\"sk-2\"}", none, "ANTHROPIC_API_KEY");
}

TEST(a_folder_with_its_own_login_is_its_own_account)
{
    check_account("{\"CLAUDE_CONFIG_DIR\":\"/a\"}", none, "/a");
    check_account("{\"CLAUDE_CONFIG_DIR\":\"/b\"}", none, "/b");
    check_account("{\"CLAUDE_CONFIG_DIR\":\"env:WORK_DIR\"}", none, "WORK_DIR");
    check_account("{\"CLAUDE_CONFIG_DIR\":\"/a\",\"ANTHROPIC_API_KEY\":\"k\"}", none,
                  "ANTHROPIC_API_KEY");
}

TEST(variables_count_in_the_order_of_the_row)
{
    check_account(NULL, both, "ANTHROPIC_AUTH_TOKEN");
    check_account("{\"ANTHROPIC_API_KEY\":\"a\",\"ANTHROPIC_AUTH_TOKEN\":\"b\"}", none,
                  "ANTHROPIC_AUTH_TOKEN");
}

TEST(the_env_of_the_candidate_overrides_the_process)
{
    check_account("{\"ANTHROPIC_API_KEY\":\"a\"}", both, "ANTHROPIC_API_KEY");
    check_account("{\"ANTHROPIC_API_KEY\":\"env:WORK_KEY\"}", both, "WORK_KEY");
}

TEST(an_env_reference_names_its_source)
{
    check_account("{\"ANTHROPIC_API_KEY\":\"env:WORK_KEY\"}", none, "WORK_KEY");
    check_account("{\"ANTHROPIC_API_KEY\":\"env:ANTHROPIC_API_KEY\"}", none, "ANTHROPIC_API_KEY");
    /* without a name */
    check_account("{\"ANTHROPIC_API_KEY\":\"env:\"}", none, "ANTHROPIC_API_KEY");
}

TEST(a_key_that_the_candidate_empties_does_not_count)
{
    check_account("{\"ANTHROPIC_API_KEY\":\"\"}", key, "login");
    check_account("{\"ANTHROPIC_AUTH_TOKEN\":\"\"}", both, "ANTHROPIC_API_KEY");
}
