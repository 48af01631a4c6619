#include "agent/doctor.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "test.h"

static struct doc doc;
static struct tooling *tooling;
static struct doctor_entry all[DOCTOR_MAX];
static size_t count;
static struct error err;

static int setup(void **state)
{
    unsetenv("ANTHROPIC_API_KEY");
    unsetenv("ANTHROPIC_AUTH_TOKEN");
    unsetenv("CLAUDE_CODE_OAUTH_TOKEN");
    unsetenv("CLAUDE_CONFIG_DIR");
    return 0;
}

static void done(void)
{
    tooling_unref(tooling);
    doc_done(&doc);
    tooling = NULL;
    doc = (struct doc){0};
}

static void read_text(struct str text)
{
    done();
    if (!doc_read(&doc, text, &(struct doc_source){"t", DOC_JSON}, &err) ||
        !(tooling = tooling_read(&doc, STR(""), &err)))
        fail_msg("%s", err.text);
}

/* The same with ' instead of ". */
static void read_plain(const char *text)
{
    struct buf json = {0};
    for (; *text; text++)
        buf_add_char(&json, *text == '\'' ? '"' : *text);
    read_text(buf_str(&json));
    buf_done(&json);
}

static int teardown(void **state)
{
    done();
    return 0;
}

static void check_gathered(enum doctor_scope scope, const char *want)
{
    struct buf got = {0};
    count = doctor_list_candidates(tooling, scope, all);
    for (size_t i = 0; i < count; i++)
        buf_printf(&got, "%s%s %.*s %.*s", i ? ", " : "", agent_kind_name(all[i].candidate->tool),
                   STR_ARG(all[i].candidate->cli_path), STR_ARG(doctor_account(all[i].candidate)));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST_FIXTURE(setup, teardown);

TEST(candidates_of_all_profiles_differ_in_program_or_account)
{
    read_plain("{'activeProfile':'b','force':{'tool':'gemini-cli'},'profiles':["
               "{'id':'a','categories':{'meta':{'candidates':["
               "{'tool':'mock','model':'x'},{'tool':'mock','cliPath':'/m'}]}}},"
               "{'id':'b','categories':{'meta':{'candidates':["
               "{'tool':'claude-code','env':{'A':'1'}},{'tool':'claude-code','env':{'A':'2'}},"
               "{'tool':'claude-code','env':{'ANTHROPIC_API_KEY':'env:WORK'}}]}}}]}");
    check_gathered(DOCTOR_ALL, "claude-code  login, claude-code  WORK, gemini-cli  login, "
                               "mock  login, mock /m login");
    assert_true(all[0].categories[CATEGORY_META] && all[0].categories[CATEGORY_WORKER]);
    assert_false(all[3].categories[CATEGORY_META]); /* only the active profile counts */
    check_gathered(DOCTOR_ACTIVE, "claude-code  login, claude-code  login, claude-code  WORK");
}

TEST(forced_candidate_is_the_last_active_one)
{
    read_plain("{'force':{'enabled':true,'tool':'mock'},'profiles':["
               "{'id':'a','categories':{'meta':{'candidates':[{'tool':'mock'}]}}}]}");
    check_gathered(DOCTOR_ACTIVE, "mock  login, mock  login");
    check_gathered(DOCTOR_ALL, "mock  login");
}

TEST(surplus_candidates_are_left_out)
{
    struct buf text = {0};
    buf_add(&text, STR("{\"force\":{\"enabled\":true,\"tool\":\"cursor-cli\"},\"profiles\":["));
    for (int p = 0; p < 3; p++) {
        buf_printf(&text, "%s{\"id\":\"%d\",\"categories\":{\"meta\":{\"candidates\":[",
                   p ? "," : "", p);
        for (int i = 0; i < 60; i++)
            buf_printf(&text, "%s{\"tool\":\"mock\",\"cliPath\":\"%d-%d\"}", i ? "," : "", p, i);
        buf_add(&text, STR("]}}}"));
    }
    buf_add(&text, STR("]}"));
    read_text(buf_str(&text));
    assert_int_equal(doctor_list_candidates(tooling, DOCTOR_ALL, all), DOCTOR_MAX);
    assert_int_equal(doctor_list_candidates(tooling, DOCTOR_ACTIVE, all), 61);
    assert_int_equal(all[60].candidate->tool, AGENT_CURSOR);
    buf_done(&text);
}

TEST(request_of_a_child_is_a_configuration)
{
    struct buf ask = {0};
    read_plain("{'profiles':[{'id':'a','categories':{'meta':{'candidates':["
               "{'tool':'codex-cli','cliPath':'/x \\'y\\'','flags':['-a'],'env':{'K':'<v>'},"
               "'toolSpecific':{'profile':'p'}}]}}}]}");
    doctor_write_request(&tooling->active->categories[CATEGORY_META].candidates[0], &ask);
    read_text(buf_str(&ask));
    const struct candidate *c = &tooling->active->categories[CATEGORY_META].candidates[0];
    assert_int_equal(c->tool, AGENT_CODEX);
    CHECK_CSTR(c->cli_path, "/x \"y\"");
    CHECK_CSTR(json_str(json_at(c->flags, 0)), "-a");
    CHECK_CSTR(json_str(json_get(c->env, STR("K"))), "<v>");
    CHECK_CSTR(json_str(json_get(c->tool_specific, STR("profile"))), "p");
    buf_done(&ask);
}

TEST(reply_is_read_back)
{
    struct buf text = {0};
    struct jsonw w = jsonw_make(&text);
    struct provider_health h = {.found = true,
                                .usable = true,
                                .path = "/bin/\"x\"",
                                .version = "1.2",
                                .signed_in = "yes (login)"},
                           got = {0};
    jsonw_object(&w);
    doctor_write_health(&w, &h, STR("WORK"));
    jsonw_end(&w);
    assert_true(doctor_read_reply(buf_str(&text), &got));
    assert_true(got.found && got.usable);
    assert_string_equal(got.path, h.path);
    assert_string_equal(got.version, "1.2");
    assert_string_equal(got.account, "WORK");
    assert_string_equal(got.signed_in, h.signed_in);
    buf_done(&text);
}

TEST(invalid_reply_is_rejected)
{
    static const char *const texts[] = {"",
                                        "[]",
                                        "null",
                                        "{}",
                                        "{\"found\":1,\"signed_in\":\"\"}",
                                        "{\"found\":true}",
                                        "{\"found\":true,\"signed_in\":7}",
                                        "{\"found\":true,\"signed_in\":\"\"} x"};
    struct provider_health got = {.version = "as it was"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(doctor_read_reply(str_from(texts[i]), &got));
    assert_string_equal(got.version, "as it was");
    struct buf text = {0};
    buf_add(&text, STR("{\"found\":false,\"signed_in\":\""));
    for (int i = 0; i < 1000; i++)
        buf_add_char(&text, 'x');
    buf_add(&text, STR("\",\"path\":7}"));
    assert_true(doctor_read_reply(buf_str(&text), &got));
    assert_int_equal(strlen(got.signed_in), sizeof got.signed_in - 1);
    assert_string_equal(got.path, "");
    buf_done(&text);
}
