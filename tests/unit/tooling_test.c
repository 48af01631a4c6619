#include "tooling/tooling.h"

#include "tooling_fixture.h"

#define META "'categories': {'meta': {'candidates': [{'tool': 'mock'}]}}"

static void check_refused(const char *text, const char *want)
{
    assert_false(read_json(text));
    CHECK_CSTR(str_from(err.text), want);
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
}

/* The error of a candidate; `want` has no position and pointer. */
static void check_candidate_refused(const char *candidate, const char *pointer, const char *want)
{
    struct buf whole = {0};
    char *text = with_candidates(candidate);
    assert_false(read_json(text));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    buf_printf(&whole, ": /profiles/0/categories/meta/candidates/0%s: %s", pointer, want);
    struct str got = str_from(err.text);
    CHECK_STR(str_skip(got, str_find(got, STR(": /"))), buf_str(&whole));
    buf_done(&whole);
    free(text);
}

static const struct candidate *read_candidate(const char *candidate)
{
    char *text = with_candidates(candidate);
    must_read(text);
    free(text);
    return &tooling_category(t, CATEGORY_META)->candidates[0];
}

/* The only warning. */
static void check_warning(const char *want)
{
    assert_int_equal(t->warning_count, 1);
    CHECK_CSTR(t->warnings[0], want);
}

static void check_candidate_warns(const char *candidate, const char *pointer, const char *want)
{
    struct buf whole = {0};
    read_candidate(candidate);
    assert_int_equal(t->warning_count, 1);
    buf_printf(&whole, ": /profiles/0/categories/meta/candidates/0%s: %s", pointer, want);
    struct str got = t->warnings[0];
    CHECK_STR(str_skip(got, str_find(got, STR(": /"))), buf_str(&whole));
    buf_done(&whole);
}

/* ---- reading */

TEST_FIXTURE(NULL, teardown_tooling);

TEST(every_setting_is_read)
{
    must_read("{'activeProfile': 'b', 'profiles': ["
              "{'id': 'a', " META "},"
              "{'id': 'b', 'name': 'B', 'categories': {'worker': {'strategy': 'least_recent',"
              " 'fallbackOnRateLimit': false, 'cooldownSec': 0, 'candidates': ["
              "  {'tool': 'codex-cli', 'model': 'm', 'weight': 2.5, 'cliPath': '/x/codex',"
              "   'flags': ['-v', ''], 'env': {'A': 'env:B', 'C': ''},"
              "   'toolSpecific': {'x': [1]}, 'systemPrompt': 's'},"
              "  {'tool': 'claude-code-cli', 'weight': 0}]},"
              " 'meta': {'candidates': [{'tool': 'mock'}]}, 'plan': null}}],"
              "'force': {'enabled': false}}");
    assert_int_equal(t->warning_count, 0);
    assert_int_equal(t->profile_count, 2);
    CHECK_CSTR(t->profiles[0].name, "a");
    assert_ptr_equal(t->active, &t->profiles[1]);
    CHECK_CSTR(t->active->name, "B");
    const struct tooling_category *w = tooling_category(t, CATEGORY_WORKER);
    assert_int_equal(w->strategy, STRATEGY_LEAST_RECENT);
    assert_false(w->fallback);
    assert_int_equal(w->cooldown_ms, 0);
    assert_int_equal(w->count, 2);
    const struct candidate *c = &w->candidates[0];
    assert_int_equal(c->tool, AGENT_CODEX);
    CHECK_CSTR(c->model, "m");
    assert_true(c->weight == 2.5);
    CHECK_CSTR(c->cli_path, "/x/codex");
    assert_int_equal(json_count(c->flags), 2);
    CHECK_CSTR(json_str(json_get(c->env, STR("A"))), "env:B");
    assert_int_equal(json_count(c->tool_specific), 1);
    CHECK_CSTR(c->system_prompt, "s");
    assert_int_equal(w->candidates[1].tool, AGENT_CLAUDE);
    assert_true(w->candidates[1].weight == 0);
    assert_false(t->forced);
    CHECK_CSTR(json_str(json_get(t->source, STR("activeProfile"))), "b");
}

TEST(missing_settings_have_defaults)
{
    const struct candidate *c = read_candidate("{'tool': 'mock', 'model': null, 'weight': null}");
    assert_true(c->weight == 1);
    assert_int_equal(c->model.n, 0);
    assert_null(c->flags);
    assert_null(c->env);
    assert_null(c->tool_specific);
    const struct tooling_category *m = tooling_category(t, CATEGORY_META);
    assert_int_equal(m->strategy, STRATEGY_WEIGHTED);
    assert_true(m->fallback);
    assert_int_equal(m->cooldown_ms, 120000);
    assert_ptr_equal(t->active, &t->profiles[0]); /* without activeProfile: the first one */
    assert_false(t->forced);
    assert_int_equal(t->warning_count, 0);
}

TEST(both_spellings_are_accepted_also_mixed)
{
    must_read("{'active_profile': 'p', 'profiles': [{'id': 'p', 'categories': {'meta': {"
              "'fallback_on_rate_limit': false, 'cooldownSec': 1, 'candidates': [{'tool': 'mock',"
              "'cli_path': 'x', 'toolSpecific': {}, 'system_prompt': 'y'}]}}}]}");
    assert_int_equal(t->warning_count, 0);
    assert_false(tooling_category(t, CATEGORY_META)->fallback);
    CHECK_CSTR(tooling_category(t, CATEGORY_META)->candidates[0].cli_path, "x");
    CHECK_CSTR(tooling_category(t, CATEGORY_META)->candidates[0].system_prompt, "y");
    check_refused("{'active_profile': 'p',\n 'activeProfile': 'p',\n 'profiles': [{'id': 'p', " META
                  "}]}",
                  "t:2:19: /activeProfile: duplicate, as \"active_profile\" and as "
                  "\"activeProfile\": keep one of them");
    check_candidate_refused("{'tool': 'mock', 'cliPath': 'a', 'cli_path': null}", "/cli_path",
                            "duplicate, as \"cliPath\" and as \"cli_path\": keep one of them");
}

TEST(yaml_is_read_at_a_pointer)
{
    static const char text[] = "version: 1\n"
                               "runner:\n"
                               "  tooling:\n"
                               "    active_profile: fast\n"
                               "    profiles:\n"
                               "      - id: fast\n"
                               "        categories:\n"
                               "          meta:\n"
                               "            candidates:\n"
                               "              - {tool: mock, weight: 1}\n"
                               "              - tool: %s\n"
                               "                env: {PORT: %s}\n";
    struct buf filled = {0};
    buf_printf(&filled, text, "gemini-cli", "\"80\"");
    assert_true(read_as(DOC_YAML, filled.p, STR("/runner/tooling")));
    assert_int_equal(tooling_category(t, CATEGORY_META)->count, 2);
    buf_clear(&filled);
    buf_printf(&filled, text, "gemini", "80");
    assert_false(read_as(DOC_YAML, filled.p, STR("/runner/tooling")));
    CHECK_CSTR(
        str_from(err.text),
        "t:11:23: /runner/tooling/profiles/0/categories/meta/candidates/1/tool: unknown tool "
        "\"gemini\", did you mean \"gemini-cli\"? allowed: codex-cli, claude-code, gemini-cli, "
        "cursor-cli, openai-chat, mock");
    buf_clear(&filled);
    buf_printf(&filled, text, "mock", "80");
    assert_false(read_as(DOC_YAML, filled.p, STR("/runner/tooling")));
    CHECK_CSTR(str_from(err.text),
               "t:12:29: /runner/tooling/profiles/0/categories/meta/candidates/1"
               "/env/PORT: must be text, not a number: put it in quotes");
    assert_false(read_as(DOC_YAML, "runner: {}", STR("/runner/tooling")));
    CHECK_CSTR(str_from(err.text),
               "t:1:9: /runner/tooling: is missing: it must be an object with profiles");
    buf_done(&filled);
}

TEST(a_category_without_settings_takes_meta)
{
    must_read("{'profiles': [{'id': 'p', 'categories': {"
              "'meta': {'candidates': [{'tool': 'mock'}]},"
              "'worker': {'candidates': [{'tool': 'codex-cli'}]}}}]}");
    const struct tooling_category *meta = tooling_category(t, CATEGORY_META);
    assert_ptr_equal(tooling_category(t, CATEGORY_PLAN), meta);
    assert_ptr_not_equal(tooling_category(t, CATEGORY_WORKER), meta);
    assert_ptr_equal(tooling_category_named(t, STR("worker")),
                     tooling_category(t, CATEGORY_WORKER));
    assert_ptr_equal(tooling_category_named(t, STR("nonsense")), meta);
    must_read("{'profiles': [{'id': 'p', 'categories': {"
              "'worker': {'candidates': [{'tool': 'codex-cli'}]}}}]}");
    assert_null(tooling_category(t, CATEGORY_PLAN));
    assert_null(tooling_category_named(t, STR("nonsense")));
    assert_non_null(tooling_category(t, CATEGORY_WORKER));
    check_warning("t:1:41: /profiles/0/categories: without meta there is nobody for meta, plan, "
                  "task, execution");
}

TEST(names_are_found)
{
    enum category c;
    for (enum category i = 0; i < CATEGORY_COUNT; i++) {
        assert_true(tooling_category_find(str_from(tooling_category_name(i)), &c));
        assert_int_equal(c, i);
    }
    assert_false(tooling_category_find(STR("Meta"), &c));
    CHECK_CSTR(str_from(tooling_strategy_name(STRATEGY_ROUND_ROBIN)), "round_robin");
    must_read("{'profiles': [{'id': 'p', " META "}]}");
    assert_ptr_equal(tooling_profile(t, STR("p")), t->profiles);
    assert_null(tooling_profile(t, STR("q")));
}

/* ---- force */

TEST(force_accepts_every_override_of_a_candidate)
{
    must_read("{'profiles': [{'id': 'p', " META
              "}], 'force': {'enabled': true, 'tool': 'cursor-cli',"
              "'model': 'm', 'cli_path': 'c', 'flags': ['f'], 'env': {'A': 'b'}, 'weight': 0,"
              "'tool_specific': {'x': 1}, 'systemPrompt': 's'}}");
    assert_int_equal(t->warning_count, 0);
    assert_true(t->forced);
    assert_int_equal(t->force.tool, AGENT_CURSOR);
    CHECK_CSTR(t->force.model, "m");
    CHECK_CSTR(t->force.cli_path, "c");
    CHECK_CSTR(t->force.system_prompt, "s");
    assert_int_equal(json_count(t->force.flags), 1);
    assert_int_equal(json_count(t->force.env), 1);
    assert_int_equal(json_count(t->force.tool_specific), 1);
    assert_true(t->force.weight == 1);
}

TEST(force_without_a_tool_forces_nothing)
{
    must_read("{'profiles': [{'id': 'p', " META "}], 'force': {'enabled': true, 'tool': ''}}");
    assert_false(t->forced);
    check_warning("t:1:98: /force: enabled without a tool forces nothing; name one in \"tool\"");
    must_read("{'profiles': [{'id': 'p', " META "}], 'force': {'tool': 'mock', 'model': 'x'}}");
    assert_false(t->forced);
    assert_int_equal(t->force.tool, AGENT_MOCK); /* kept for when it is enabled */
    assert_int_equal(t->warning_count, 0);
}

TEST(an_invalid_force_is_refused)
{
    check_refused("{'profiles': [{'id': 'p', " META "}],\n'force': {'tool': 'gpt'}}",
                  "t:2:19: /force/tool: unknown tool \"gpt\"; allowed: codex-cli, claude-code, "
                  "gemini-cli, cursor-cli, openai-chat, mock");
    check_refused("{'profiles': [{'id': 'p', " META "}],\n'force': {'enabled': 'yes'}}",
                  "t:2:22: /force/enabled: must be true or false, not \"yes\"");
    check_refused("{'profiles': [{'id': 'p', " META "}],\n'force': true}",
                  "t:2:10: /force: must be an object, not a boolean");
}

/* ---- errors */

TEST(an_invalid_profile_is_refused)
{
    check_refused("[]", "t:1:1: must be an object, not an array");
    check_refused("{}", "t:1:1: there are no profiles; at least one is needed");
    check_refused("{'profiles': []}", "t:1:14: /profiles: there are no profiles; at least one is "
                                      "needed");
    check_refused("{'profiles': {}}",
                  "t:1:14: /profiles: must be a list of profiles, not an object");
    check_refused("{'profiles': [1]}", "t:1:15: /profiles/0: must be an object, not a number");
    check_refused(
        "{'profiles': [{" META "}]}",
        "t:1:15: /profiles/0: id is missing: a profile needs a text that no other one has");
    check_refused("{'profiles': [{'id': 1, " META "}]}",
                  "t:1:22: /profiles/0/id: must be text, not a number");
    check_refused("{'profiles': [{'id': 'p', " META "},\n{'id': 'p', " META "}]}",
                  "t:2:8: /profiles/1/id: there is another profile \"p\" before this one: each "
                  "needs an id of its own");
    check_refused("{'profiles': [{'id': 'p'}]}",
                  "t:1:15: /profiles/0: there are no categories; meta is the one that the others "
                  "fall back to, of meta, plan, task, execution, worker");
}

TEST(an_active_profile_that_does_not_exist_is_refused)
{
    check_refused("{'profiles': [{'id': 'balanced', " META "}, {'id': 'fast', " META "}],\n"
                  "'activeProfile': 'balancd'}",
                  "t:2:18: /activeProfile: unknown profile \"balancd\", did you mean \"balanced\"? "
                  "allowed: balanced, fast");
    check_refused("{'profiles': [{'id': 'fast', " META "}],\n'activeProfile': ''}",
                  "t:2:18: /activeProfile: unknown profile \"\"; allowed: fast");
    check_refused("{'profiles': [{'id': 'fast', " META "}],\n'activeProfile': 3}",
                  "t:2:18: /activeProfile: must be text, not a number");
}

TEST(an_invalid_category_is_refused)
{
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'workers': {}}}]}",
                  "t:2:12: /profiles/0/categories/workers: unknown category \"workers\", did you "
                  "mean \"worker\"? allowed: meta, plan, task, execution, worker");
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'meta': []}}]}",
                  "t:2:9: /profiles/0/categories/meta: must be an object, not an array");
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'meta': {'strategy': 'round-robin',"
                  "'candidates': [{'tool': 'mock'}]}}}]}",
                  "t:2:22: /profiles/0/categories/meta/strategy: unknown strategy \"round-robin\", "
                  "did you mean \"round_robin\"? allowed: weighted, round_robin, priority, "
                  "least_recent");
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'meta': {'fallbackOnRateLimit': 1,"
                  "'candidates': [{'tool': 'mock'}]}}}]}",
                  "t:2:33: /profiles/0/categories/meta/fallbackOnRateLimit: must be true or false, "
                  "not 1");
}

TEST(an_invalid_cooldown_is_refused)
{
    static const char *const bad[] = {"-1", "0.5", "2678401", "1e99", "true"};
    struct buf text = {0}, want = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        buf_clear(&text);
        buf_clear(&want);
        buf_printf(&text,
                   "{'profiles': [{'id': 'p', 'categories': {\n'meta': {'cooldown_sec': %s,"
                   "'candidates': [{'tool': 'mock'}]}}}]}",
                   bad[i]);
        buf_printf(&want,
                   "t:2:26: /profiles/0/categories/meta/cooldown_sec: must be a whole number "
                   "of seconds from 0 to 2678400, not %s",
                   bad[i]);
        check_refused(text.p, want.p);
    }
    buf_done(&text);
    buf_done(&want);
}

TEST(a_category_needs_candidates)
{
    check_refused(
        "{'profiles': [{'id': 'p', 'categories': {\n'meta': {}}}]}",
        "t:2:9: /profiles/0/categories/meta: there are no candidates; a category needs at "
        "least one, as in [{\"tool\": \"claude-code\"}]");
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'meta': {'candidates': []}}}]}",
                  "t:2:24: /profiles/0/categories/meta/candidates: there are no candidates; a "
                  "category needs at least one, as in [{\"tool\": \"claude-code\"}]");
    check_refused(
        "{'profiles': [{'id': 'p', 'categories': {\n'meta': {'candidates': 'mock'}}}]}",
        "t:2:24: /profiles/0/categories/meta/candidates: must be a list of candidates, not "
        "a string");
    check_refused("{'profiles': [{'id': 'p', 'categories': {\n'meta': {'candidates': ["
                  "{'tool': 'mock', 'weight': 0}, {'tool': 'mock', 'weight': -0.0}]}}}]}",
                  "t:2:24: /profiles/0/categories/meta/candidates: all are disabled: at least one "
                  "needs a weight above 0");
}

TEST(the_numbers_of_profiles_and_candidates_are_limited)
{
    struct buf text = {0};
    buf_add(&text, STR("{'tool': 'mock'}"));
    for (unsigned i = 1; i < TOOLING_MAX_CANDIDATES; i++)
        buf_add(&text, STR(", {'tool': 'mock'}"));
    read_candidate(text.p);
    buf_add(&text, STR(", {'tool': 'mock'}"));
    char *whole = with_candidates(text.p);
    check_refused(whole, "t:1:65: /profiles/0/categories/meta/candidates: there are 65 candidates, "
                         "at most 64 are allowed");
    free(whole);
    buf_clear(&text);
    buf_add(&text, STR("{'profiles': ["));
    for (unsigned i = 0; i <= TOOLING_MAX_PROFILES; i++)
        buf_printf(&text, "%s{'id': '%u', " META "}", i ? "," : "", i);
    buf_add(&text, STR("]}"));
    check_refused(text.p, "t:1:14: /profiles: there are 65 profiles, at most 64 are allowed");
    buf_done(&text);
}

TEST(an_invalid_candidate_is_refused)
{
    check_candidate_refused("'mock'", "", "must be an object, not a string");
    check_candidate_refused("{'model': 'x'}", "",
                            "tool is missing; allowed: codex-cli, claude-code, gemini-cli, "
                            "cursor-cli, openai-chat, mock");
    check_candidate_refused("{'tool': 'claude-cod'}", "/tool",
                            "unknown tool \"claude-cod\", did you mean \"claude-code\"? allowed: "
                            "codex-cli, claude-code, gemini-cli, cursor-cli, openai-chat, mock");
    check_candidate_refused("{'tool': 'mock', 'model': 5}", "/model", "must be text, not a number");
    check_candidate_refused("{'tool': 'mock', 'model': 'a\\u0000b'}", "/model",
                            "must be text without the character U+0000");
    check_candidate_refused("{'tool': 'mock', 'weight': '40'}", "/weight",
                            "must be a number from 0 (never chosen) to 1000000000, not \"40\"");
    check_candidate_refused("{'tool': 'mock', 'weight': 1e999}", "/weight",
                            "must be a number from 0 (never chosen) to 1000000000, not 1e999");
    check_candidate_refused("{'tool': 'mock', 'cliPath': []}", "/cliPath",
                            "must be text, not an array");
    check_candidate_refused("{'tool': 'mock', 'flags': '-v'}", "/flags",
                            "must be a list of texts, as in [\"--verbose\"], not a string");
    check_candidate_refused("{'tool': 'mock', 'flags': ['-v', 3]}", "/flags/1",
                            "must be text, not a number");
    check_candidate_refused("{'tool': 'mock', 'toolSpecific': []}", "/toolSpecific",
                            "must be an object, not an array");
    check_candidate_refused("{'tool': 'mock', 'systemPrompt': {}}", "/systemPrompt",
                            "must be text, not an object");
}

TEST(an_invalid_variable_is_refused_without_its_value)
{
    check_candidate_refused("{'tool': 'mock', 'env': ['A=b']}", "/env",
                            "must be an object of texts, not an array");
    check_candidate_refused("{'tool': 'mock', 'env': {'A/B': 8080}}", "/env/A~1B",
                            "must be text, not a number");
    check_candidate_refused("{'tool': 'mock', 'env': {'A': null}}", "/env/A",
                            "must be text, not null");
    check_candidate_refused("{'tool': 'mock', 'env': {'A': 'sec\\u0000ret'}}", "/env/A",
                            "must be text without the character U+0000");
    check_candidate_refused("{'tool': 'mock', 'env': {'A=B': 'c'}}", "/env/A=B",
                            "the name of a variable must not be empty or contain = or U+0000");
    check_candidate_refused("{'tool': 'mock', 'env': {'': 'c'}}", "/env/",
                            "the name of a variable must not be empty or contain = or U+0000");
    check_candidate_refused(
        "{'tool': 'mock', 'env': {'A': 'env:'}}", "/env/A",
        "env: must be followed by the name of a variable, as in \"env:MY_KEY\"");
}

/* ---- warnings */

TEST(an_unknown_key_is_a_warning_with_the_nearest)
{
    must_read("{'$schema': 'x', 'profiles': [{'id': 'p', " META "}],\n"
              "'activeProfil': 'q', 'zzz': 1, 'force': {'enable': true}}");
    assert_int_equal(t->warning_count, 3);
    CHECK_CSTR(t->warnings[0],
               "t:2:17: /activeProfil: this key is unknown and ignored; did you mean "
               "\"activeProfile\"?");
    CHECK_CSTR(t->warnings[1], "t:2:29: /zzz: this key is unknown and ignored");
    CHECK_CSTR(t->warnings[2],
               "t:2:52: /force/enable: this key is unknown and ignored; did you mean "
               "\"enabled\"?");
    check_candidate_warns("{'tool': 'mock', 'cool': 1}", "/cool",
                          "this key is unknown and ignored; did you mean \"tool\"?");
    check_candidate_warns("{'tool': 'mock', 'enabled': true}", "/enabled",
                          "this key is unknown and ignored");
}

TEST(a_negative_weight_is_one_with_a_warning)
{
    check_candidate_warns("{'tool': 'mock', 'weight': -3}", "/weight",
                          "a negative weight counts as 1; 0 disables a candidate");
    assert_true(tooling_category(t, CATEGORY_META)->candidates[0].weight == 1);
}

TEST(a_worker_that_cannot_edit_is_a_warning)
{
    must_read("{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': ["
              "{'tool': 'openai-chat'}]},\n'worker': {'candidates': [{'tool': 'mock'}, "
              "{'tool': 'openai-chat'}, {'tool': 'openai-chat', 'weight': 0}]}}}]}");
    check_warning(
        "t:2:45: /profiles/0/categories/worker/candidates/1: openai-chat cannot edit files "
        "by itself: as a worker it only answers");
    check_candidate_warns("{'tool': 'openai-chat'}", "",
                          "worker has no settings of its own and takes these; openai-chat cannot "
                          "edit files by itself");
    must_read("{'profiles': [{'id': 'p', " META "}],\n"
              "'force': {'enabled': true, 'tool': 'openai-chat'}}");
    check_warning("t:2:10: /force: openai-chat cannot edit files by itself: as a worker it only "
                  "answers");
}

TEST(a_secret_in_the_file_is_a_warning_without_the_secret)
{
    static const char *const secret[] = {"OPENAI_API_KEY", "authToken", "MY_SECRET_2",
                                         "Password",       "KEY",       "TOKEN1"};
    static const char *const harmless[] = {"MAX_TOKENS", "KEYBOARD", "PATH", "SECRETARY", "2"};
    struct buf text = {0}, pointer = {0}, want = {0};
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++) {
        buf_clear(&text);
        buf_clear(&pointer);
        buf_clear(&want);
        buf_printf(&text, "{'tool': 'mock', 'env': {'%s': 'sk-very-private'}}", secret[i]);
        buf_printf(&pointer, "/env/%s", secret[i]);
        buf_printf(&want,
                   "this looks like a secret that is written out; \"env:%s\" would read it "
                   "from the environment when it is used",
                   secret[i]);
        check_candidate_warns(text.p, pointer.p, want.p);
        assert_int_equal(str_find(t->warnings[0], STR("sk-very")), t->warnings[0].n);
        buf_clear(&text);
        buf_printf(&text, "{'tool': 'mock', 'env': {'%s': 'env:X'}}", secret[i]);
        read_candidate(text.p);
        assert_int_equal(t->warning_count, 0);
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        buf_clear(&text);
        buf_printf(&text, "{'tool': 'mock', 'env': {'%s': 'x'}}", harmless[i]);
        read_candidate(text.p);
        assert_int_equal(t->warning_count, 0);
    }
    buf_done(&text);
    buf_done(&pointer);
    buf_done(&want);
}

TEST(warnings_over_the_limit_are_counted)
{
    struct buf text = {0};
    buf_add(&text, STR("{'profiles': [{'id': 'p', " META "}]"));
    for (int i = 0; i < 40; i++)
        buf_printf(&text, ", 'x%d': 1", i);
    buf_add_char(&text, '}');
    must_read(text.p);
    assert_int_equal(t->warning_count, TOOLING_MAX_WARNINGS);
    assert_int_not_equal(str_find(t->warnings[30], STR("/x30: ")), t->warnings[30].n);
    CHECK_CSTR(t->warnings[31], "t: and 9 more warnings");
    buf_done(&text);
}

/* ---- life, defaults */

TEST(a_tooling_lives_as_long_as_it_is_referenced)
{
    must_read("{'profiles': [{'id': 'p', " META "}]}");
    struct tooling *mine = tooling_ref(t);
    tooling_unref(t);
    t = NULL;
    CHECK_CSTR(mine->active->id, "p");
    tooling_unref(mine);
    tooling_unref(NULL);
}

static void put_weights(struct buf *out, const struct tooling_profile *p)
{
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        const struct tooling_category *s = &p->categories[c];
        buf_printf(out, "%.*s %s %s:", STR_ARG(p->id), tooling_category_name(c),
                   tooling_strategy_name(s->strategy));
        assert_true(s->fallback);
        assert_int_equal(s->cooldown_ms, 120000);
        for (size_t i = 0; i < s->count; i++)
            buf_printf(out, " %s %.*s %g", agent_kind_name(s->candidates[i].tool),
                       STR_ARG(s->candidates[i].model), s->candidates[i].weight);
        buf_add_char(out, '\n');
    }
}

TEST(the_default_matches_the_specification)
{
    struct buf got = {0};
    t = tooling_default();
    CHECK_CSTR(t->active->id, "balanced");
    assert_int_equal(t->profile_count, 2);
    assert_int_equal(t->warning_count, 0);
    assert_false(t->forced);
    put_weights(&got, &t->profiles[0]);
    put_weights(&got, &t->profiles[1]);
#define CODEX  " codex-cli gpt-5.2 "
#define CODER  " codex-cli gpt-5.2-codex "
#define SONNET " claude-code claude-sonnet-4-5-20250929 "
#define HAIKU  " claude-code claude-haiku-4-5-20251001 "
#define GEMINI " gemini-cli gemini-3-pro-preview "
#define FLASH  " gemini-cli gemini-3-flash-preview "
#define CHAT   " openai-chat gpt-5.2 "
    CHECK_CSTR(buf_str(&got),
               "balanced meta weighted:" CODEX "40" SONNET "30" GEMINI "20" CHAT "10\n"
               "balanced plan weighted:" SONNET "45" CODEX "30" GEMINI "25\n"
               "balanced task weighted:" SONNET "40" CODEX "40" GEMINI "20\n"
               "balanced execution weighted:" CODEX "40" SONNET "30" GEMINI "20" CHAT "10\n"
               "balanced worker weighted:" CODER "60" HAIKU "25" FLASH "15\n"
               "fast meta weighted:" CODEX "45" FLASH "35" HAIKU "20\n"
               "fast plan weighted:" FLASH "40" HAIKU "30" CODEX "30\n"
               "fast task weighted:" CODEX "40" FLASH "30" HAIKU "30\n"
               "fast execution weighted:" CODEX "45" FLASH "35" HAIKU "20\n"
               "fast worker weighted:" CODER "70" FLASH "20" HAIKU "10\n");
    buf_done(&got);
}
