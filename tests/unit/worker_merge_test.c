#include "agent/worker_merge.h"

#include <stdlib.h>

#include "agent_fixture.h"
#include "base/jsonw.h"

static struct buf dropped;

static int teardown(void **state)
{
    arena_done(&fixture);
    buf_done(&dropped);
    return 0;
}

/* Single quotes stand for double ones. */
static const struct json *json(const char *text)
{
    char *copy = arena_cstr(&fixture, str_from(text));
    for (char *p = copy; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    const struct json *v = json_parse(&fixture, str_from(copy), NULL, NULL);
    assert_non_null(v);
    return v;
}

static struct candidate read_candidate(const char *text)
{
    set_candidate(text);
    return candidate;
}

static void add(struct buf *out, const char *name, const struct json *v)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    if (!v)
        return;
    jsonw_value(&w, v);
    buf_printf(out, " %s=%s", name, text.p);
    buf_done(&text);
}

static void check(const char *chosen, const char *asked, const char *task_env, const char *want)
{
    struct candidate c = read_candidate(chosen), call_ = read_candidate(asked);
    struct worker_overrides overrides = {.call = &call_, .env = task_env ? json(task_env) : NULL};
    struct buf got = {0};
    buf_clear(&dropped);
    const struct candidate *m = worker_merge(&c, &overrides, &fixture, &dropped);
    buf_printf(&got, "%s %.*s", agent_kind_name(m->tool), STR_ARG(m->model));
    add(&got, "flags", m->flags);
    add(&got, "env", m->env);
    add(&got, "specific", m->tool_specific);
    for (size_t i = 0; i < got.n; i++)
        got.p[i] = got.p[i] == '"' ? '\'' : got.p[i];
    CHECK_CSTR(buf_str(&got), want);
    CHECK_STR(m->cli_path, c.cli_path);
    CHECK_STR(m->system_prompt, c.system_prompt);
    buf_done(&got);
}

TEST_FIXTURE(NULL, teardown);

TEST(the_candidate_has_precedence)
{
    check("{'tool': 'codex-cli', 'model': 'mine', 'cliPath': '/opt/codex', 'systemPrompt': 's', "
          "'flags': ['--search'], 'env': {'A': '1'}, 'toolSpecific': {'reasoning_effort': 'low'}}",
          "{'tool': 'codex-cli', 'model': 'other', 'flags': ['--verbose', '3'], 'env': {'A': '2', "
          "'B_MV': '3'}, 'toolSpecific': {'reasoningEffort': 'high'}}",
          NULL,
          "codex-cli mine flags=['--verbose=3','--search'] env={'B_MV':'3','A':'1'} "
          "specific={'reasoning_effort':'low'}");
    assert_int_equal(dropped.n, 0);
}

TEST(overrides_fill_what_the_candidate_leaves_open)
{
    check("{'tool': 'claude-code'}",
          "{'tool': 'claude-code', 'model': 'm', 'flags': ['--effort', 'high'], 'env': "
          "{'B_MV': 'b'}, 'toolSpecific': {'max_turns': 3}}",
          NULL, "claude-code m flags=['--effort=high'] env={'B_MV':'b'} specific={'max_turns':3}");
}

TEST(overrides_for_another_agent_are_ignored)
{
    const char *asked = "{'tool': 'claude-code', 'model': 'm', 'flags': ['--max-turns'], 'env': "
                        "{'B_MV': 'b'}, 'toolSpecific': {'max_turns': 3}}";
    check("{'tool': 'codex-cli'}", asked, NULL, "codex-cli  env={'B_MV':'b'}");
    struct candidate chosen = read_candidate("{'tool': 'codex-cli', 'flags': ['-x']}");
    struct candidate any = read_candidate("{'tool': 'codex-cli', 'model': 'm', 'flags': ['--y']}");
    any.tool = AGENT_NONE; /* the model did not name the agent */
    assert_ptr_equal(
        worker_merge(&chosen, &(struct worker_overrides){.call = &any}, &fixture, NULL), &chosen);
}

TEST(the_task_has_precedence_over_the_model)
{
    check(
        "{'tool': 'mock', 'env': {'C': 'candidate'}}",
        "{'tool': 'mock', 'env': {'B_MV': 'model', 'C': 'model', 'D_MV': 'model'}}",
        "{'B_MV': 'task', 'C': 'task', 'OPENAI_API_KEY': 'env:WORK_KEY'}",
        "mock  env={'D_MV':'model','B_MV':'task','OPENAI_API_KEY':'env:WORK_KEY','C':'candidate'}");
}

TEST(without_overrides_the_candidate_itself_is_returned)
{
    struct candidate c = read_candidate("{'tool': 'mock', 'flags': ['a']}");
    struct worker_overrides none = {0};
    assert_ptr_equal(worker_merge(&c, &none, &fixture, NULL), &c);
}

TEST(a_model_cannot_give_a_worker_more_rights)
{
    setenv("MV_IS_HERE", "1", 1);
    check("{'tool': 'codex-cli'}",
          "{'tool': 'codex-cli', 'flags': ['--yolo', '-s', 'danger-full-access', "
          "'--dangerously-bypass-approvals-and-sandbox', '--verbose', '--config', 'a=b', '--fine', "
          "'x', 'y', '--mcp-config=evil.json', '-'], 'env': {'PATH': '/evil', 'LD_PRELOAD': 'x', "
          "'openai_api_key': 'x', 'ANTHROPIC_BASE_URL': 'http://evil', 'COPY_MV': "
          "'env:OPENAI_API_KEY', 'A=B': 'x', '': 'x', 'MV_IS_HERE': '2', 'FINE_MV': 'y'}, "
          "'toolSpecific': {'sandbox': 'danger-full-access', 'base_url': 'http://evil', "
          "'permissionMode': 'bypass', 'reasoning_effort': 'high'}}",
          NULL,
          "codex-cli  flags=['--verbose','--fine=x','-'] env={'FINE_MV':'y'} "
          "specific={'reasoning_effort':'high'}");
    unsetenv("MV_IS_HERE");
    CHECK_CSTR(buf_str(&dropped),
               "variable \"PATH\", variable \"LD_PRELOAD\", variable \"openai_api_key\", variable "
               "\"ANTHROPIC_BASE_URL\", variable \"COPY_MV\", variable \"A=B\", variable \"\", "
               "variable \"MV_IS_HERE\", flag \"--yolo\", flag \"-s\", flag "
               "\"--dangerously-bypass-approvals-and-sandb...\", flag \"--config\", argument "
               "\"y\", flag \"--mcp-config=evil.json\", setting \"sandbox\", setting \"base_url\", "
               "setting "
               "\"permissionMode\"");
}

/* After "--" there are no flags, and a word without a flag is a prompt or a command. */
TEST(overridden_flags_contain_only_flags)
{
    check("{'tool': 'codex-cli', 'flags': ['--sandbox', 'read-only']}",
          "{'tool': 'codex-cli', 'flags': ['resume', '--last', '--', '--fine', '', '--a=b', 'c', "
          "'--no-sandbox', '--includeDirectories', '/', '--max-budget-usd=100', '--fine']}",
          NULL, "codex-cli  flags=['--last','--fine=','--a=b','--fine','--sandbox','read-only']");
    CHECK_CSTR(buf_str(&dropped),
               "argument \"resume\", flag \"--\", argument \"c\", flag \"--no-sandbox\", flag "
               "\"--includeDirectories\", flag \"--max-budget-usd=100\"");
}

TEST(settings_that_the_agent_does_not_know_are_left_out)
{
    check("{'tool': 'claude-code'}",
          "{'tool': 'claude-code', 'toolSpecific': {'max_turns': 'many', 'nonsense': {'a': [1]}, "
          "'maxBudgetUsd': 2}}",
          NULL, "claude-code  specific={'maxBudgetUsd':2}");
    CHECK_CSTR(buf_str(&dropped), "setting \"max_turns\", setting \"nonsense\"");
}
