#include "agent/mock.h"

#include <sys/wait.h>

#include "agent_fixture.h"
#include "process/capture.h"

static struct capture c;

static int teardown(void **state)
{
    capture_done(&c);
    return teardown_agent(state);
}

static const char *quoted(const char *text)
{
    char *json = arena_cstr(&fixture, str_from(text));
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    return json;
}

/* Play one call in the repo; single quotes become double quotes. */
static int64_t play(const char *request)
{
    capture_done(&c);
    c = (struct capture){.argv = (const char *const[]){AGENT_SELF, "agent-mock", NULL},
                         .cwd = call.cwd,
                         .input = str_from(quoted(request)),
                         .limit_ms = 60000};
    assert_true(capture_run(&c, NULL));
    assert_false(c.timed_out);
    return c.end.code;
}

/* The last event. */
static struct str last(void)
{
    struct str out = str_trim(buf_str(&c.out)), line;
    while (str_cut(&out, '\n', &line))
        continue;
    return line;
}

static void check_last(const char *want)
{
    CHECK_CSTR(last(), quoted(want));
}

#define SCRIPT(steps) "{'prompt':'the prompt','script':[" steps "],'state':'../state.json'}"

TEST_FIXTURE(setup_agent, teardown);

TEST(call_without_a_script_says_ok)
{
    assert_int_equal(play("{'prompt':'12345678','model':'m'}"), 0);
    CHECK_CSTR(buf_str(&c.out),
               quoted("{'type':'mock.started','model':'m'}\n{'type':'mock.completed','text':'ok',"
                      "'usage':{'input_tokens':3,'output_tokens':1}}\n"));
}

TEST(each_call_plays_the_next_step)
{
    const char *script = SCRIPT("{'say':'one','usage':{'input_tokens':10,'output_tokens':5}},"
                                "{'say':'two','repeat':2},{'say':'rest','repeat':true}");
    assert_int_equal(play(script), 0);
    check_last("{'type':'mock.completed','text':'one','usage':{'input_tokens':10,"
               "'output_tokens':5}}");
    static const char *const want[] = {"two", "two", "rest", "rest"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(play(script), 0);
        assert_true(str_find(last(), str_from(want[i])) < last().n);
    }
    CHECK_CSTR(read_text("state.json"), "[1,2,2]");
}

TEST(call_without_a_step_left_fails)
{
    play(SCRIPT("{'say':'one'}"));
    assert_int_equal(play(SCRIPT("{'say':'one'}")), 1);
    check_last("{'type':'mock.failed','outcome':'incomplete','message':'the script has no step "
               "left for this call'}");
}

TEST(step_may_require_a_prompt)
{
    const char *script = SCRIPT("{'when':{'prompt_has':'plan_task'},'say':'plan'},"
                                "{'when':{'prompt_has':['the','prompt']},'say':'both'},"
                                "{'when':{'prompt_has':['the','other']},'say':'no'},{'say':'any'}");
    play(script);
    assert_true(str_find(last(), STR("both")) < last().n);
    play(script);
    assert_true(str_find(last(), STR("any")) < last().n);
    assert_int_equal(play(script), 1);
    CHECK_CSTR(read_text("state.json"), "[0,1,0,1]");
}

TEST(fail_step_has_its_outcome)
{
    assert_int_equal(play(SCRIPT("{'fail':'usage_limited','until':'2030-01-01T00:00:00Z',"
                                 "'message':'used up'}")),
                     1);
    check_last("{'type':'mock.failed','outcome':'usage_limited','message':'used up','until':"
               "'2030-01-01T00:00:00Z'}");
    remove("state.json");
    play(SCRIPT("{'fail':'rate_limited','until':1893456000}"));
    check_last("{'type':'mock.failed','outcome':'rate_limited','message':'too many requests',"
               "'until':'2030-01-01T00:00:00.000Z'}");
    remove("state.json");
    play(SCRIPT("{'fail':'overloaded','after_ms':60000}"));
    assert_true(str_find(last(), STR("\"until\":\"2")) < last().n);
    remove("state.json");
    play(SCRIPT("{'fail':'auth'}"));
    assert_true(str_find(last(), STR("until")) == last().n);
    remove("state.json");
    assert_int_equal(play(SCRIPT("{'exit':7}")), 7);
    check_last("{'type':'mock.started','model':''}");
}

TEST(files_are_written_before_a_failure)
{
    assert_int_equal(play(SCRIPT("{'fail':'rate_limited','write':{'Assets/New/A.cs':'class A {}',"
                                 "'b.txt':''},'warn':{'used':0.92,'resets_at':1893456000}}")),
                     1);
    CHECK_CSTR(read_text("repo/Assets/New/A.cs"), "class A {}");
    CHECK_CSTR(read_text("repo/b.txt"), "");
    struct str out = buf_str(&c.out);
    assert_true(str_find(out, str_from(quoted("{'type':'mock.warning','used':0.92,'resets_at':"
                                              "1893456000}\n{'type':'mock.step','text':"
                                              "'write Assets/New/A.cs'}"))) < out.n);
}

TEST(path_outside_the_repo_is_rejected)
{
    assert_int_equal(play(SCRIPT("{'write':{'../x':'y'},'say':'x'}")), 2);
    assert_int_equal(play("{'script':[{'write':{'/tmp/x':'y'},'say':'x'}],'state':'../s2'}"), 2);
    assert_false(file_exists("x"));
}

TEST(message_may_be_a_file_or_a_variable)
{
    put("repo/plan.json", "the plan");
    setenv("MOCK_TEST", "a value", 1);
    const char *script = SCRIPT("{'say_file':'plan.json'},{'say_env':'MOCK_TEST'},"
                                "{'say_file':'none'}");
    play(script);
    assert_true(str_find(last(), STR("the plan")) < last().n);
    play(script);
    unsetenv("MOCK_TEST");
    assert_true(str_find(last(), STR("a value")) < last().n);
    assert_int_equal(play(script), 2);
}

TEST(script_may_be_a_file)
{
    put("repo/script.json", "{\"steps\":[{\"say\":\"of the file\"}]}");
    play("{'prompt':'','script':'script.json','state':'../state.json'}");
    assert_true(str_find(last(), STR("of the file")) < last().n);
    put("repo/script.json", "{\"steps\":[");
    assert_int_equal(play("{'script':'script.json','state':'../state.json'}"), 2);
    assert_true(str_find(buf_str(&c.err), STR("script.json: not JSON at byte 11")) < c.err.n);
    check_last("{'type':'mock.failed','outcome':'launch','message':'script.json: not JSON at byte "
               "11: unexpected end'}");
}

TEST(invalid_script_is_rejected)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{'script':7,'state':'../s'}",
        "{'script':{'steps':{}},'state':'../s'}",
        "{'script':'none.json','state':'../s'}",
        "{'script':[{'fail':'no such outcome'}],'state':'../s'}",
        "{'script':[{'say':'x'}],'state':'/no/such/folder/s'}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(play(bad[i]), 2);
}

TEST(damaged_state_is_reset)
{
    put("state.json", "garbage");
    assert_int_equal(play(SCRIPT("{'say':'one'}")), 0);
    CHECK_CSTR(read_text("state.json"), "[1]");
}

TEST(tool_is_called_through_the_program)
{
    put_program("self", "#!/bin/sh\necho \"$@\" > args\ncat > input\n[ $2 = good ] && exit 0\n"
                        "echo 'it went wrong' >&2; exit 1\n");
    const char *request =
        "{'self':'%s','url':'http://127.0.0.1:1/mcp','token_file':'/t','state':'../state.json',"
        "'script':[{'call':[{'tool':'good','arguments':{'a':[1,'b']}},{'tool':'good'}],"
        "'say':'called'},{'call':{'tool':'bad'},'say':'never'}]}";
    request = arena_printf(&fixture, request, in_folder("bin/self")).p;
    assert_int_equal(play(request), 0);
    assert_true(str_find(last(), STR("called")) < last().n);
    CHECK_CSTR(read_text("repo/args"),
               "call good - --url http://127.0.0.1:1/mcp --token-file /t\n");
    CHECK_CSTR(read_text("repo/input"), "{}");
    struct str out = buf_str(&c.out);
    assert_true(str_find(out, STR("{\"type\":\"mock.tool\",\"text\":\"good\"}")) < out.n);
    assert_int_equal(play(request), 1);
    check_last("{'type':'mock.failed','outcome':'incomplete','message':'call bad: it went wrong'}");
}

TEST(tool_call_without_a_server_fails)
{
    assert_int_equal(play(SCRIPT("{'call':{'tool':'x'},'say':'y'}")), 1);
    check_last("{'type':'mock.failed','outcome':'incomplete','message':'call x: this call has no "
               "MCP server'}");
}

/* Processes that share a state play each step at most as often as allowed. */
TEST(processes_share_a_state)
{
    enum {
        COUNT = 12
    };
    put("request", quoted(SCRIPT("{'say':'a','repeat':5},{'say':'b','repeat':7}")));
    pid_t pids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            if (chdir("repo") || !freopen("../request", "r", stdin) ||
                !freopen("/dev/null", "w", stdout))
                _exit(9);
            execl(AGENT_SELF, AGENT_SELF, "agent-mock", (char *)NULL);
            _exit(9);
        }
    }
    for (int i = 0; i < COUNT; i++) {
        int status;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    CHECK_CSTR(read_text("state.json"), "[5,7]");
}
