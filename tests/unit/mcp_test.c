/* The server as a whole: its methods in both eras, its description of itself, its end. */
#include "mcp/mcp.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mcp/method.h"
#include "mcp_fixture.h"

TEST(every_method_belongs_to_its_eras)
{
    static const struct {
        const char *name;
        int eras;
    } methods[] = {
        {"tools/call", 3},          {"tools/list", 3},
        {"prompts/get", 3},         {"prompts/list", 3},
        {"resources/read", 3},      {"resources/list", 3},
        {"tasks/get", 3},           {"tasks/cancel", 3},
        {"initialize", 1},          {"ping", 1},
        {"logging/setLevel", 1},    {"resources/subscribe", 1},
        {"tasks/result", 1},        {"tasks/list", 1},
        {"server/discover", 2},     {"subscriptions/listen", 2},
        {"tasks/update", 2},        {"resources/templates/list", 3},
        {"completion/complete", 0}, {"resources/unsubscribe", 1}, /* no completions here */
        {"TOOLS/LIST", 0},          {"", 0},
        {"tools/list ", 0},         {"notifications/cancelled", 0},
    };
    struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int era = MCP_LEGACY; era <= MCP_MODERN; era++) {
            bool found = mcp_method_find(f.mcp, str_from(methods[i].name), (enum mcp_era)era);
            if (found != ((methods[i].eras & era) != 0))
                fail_msg("%s in era %d", methods[i].name, era);
        }
    tear_down(&f);
}

TEST(missing_features_are_not_offered)
{
    struct fixture f;
    set_up(&f);
    f.impl = (struct mcp_impl){.name = "t", .version = "1"};
    struct mcp_session *s = mcp_session_new(f.mcp, true);
    ask(&f, s, "1", "initialize", "{'protocolVersion':'2025-11-25'}");
    HEARD(&f, "200 {'id':1,'result':{'protocolVersion':'2025-11-25','capabilities':{},"
              "'serverInfo':{'name':'t','version':'1'}}}\n");
    static const char *const methods[] = {
        "tools/call",     "tools/list", "prompts/list",        "resources/list",   "prompts/get",
        "resources/read", "tasks/list", "resources/subscribe", "logging/setLevel",
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        ask(&f, s, "1", methods[i], "{}");
        assert_int_equal(count(&f, "'error':{'code':-32601,"), 1);
        buf_clear(&f.heard);
    }
    ask(&f, NULL, "1", "server/discover", "{" MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'result':{'resultType':'complete',META,'supportedVersions':["
              "'2026-07-28'],'capabilities':{},'ttlMs':0,'cacheScope':'private'}}\n");
    tear_down(&f);
}

TEST(all_features_are_declared)
{
    struct fixture f;
    set_up(&f);
    f.impl.instructions = "Be nice";
    ask(&f, NULL, "1", "server/discover", "{" MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'result':{'resultType':'complete',META,'supportedVersions':["
              "'2026-07-28'],'capabilities':{'tools':{'listChanged':true},'prompts':{"
              "'listChanged':true},'resources':{'listChanged':true,'subscribe':true},'logging':{},"
              "'extensions':{'io.modelcontextprotocol/tasks':{}}},'instructions':'Be nice',"
              "'ttlMs':0,'cacheScope':'private'}}\n");
    tear_down(&f);
}

/* ---- the envelope of modern requests */

TEST(an_incomplete_envelope_is_refused)
{
#define V "'io.modelcontextprotocol/protocolVersion':"
#define C "'io.modelcontextprotocol/clientCapabilities':"
    static const char *const bad[][2] = {
        {V "7," C "{}", "-32602,'message':'_meta[\\'io.modelcontextprotocol/protocolVersion\\'] "
                        "must be a string, not a number'"},
        {V "'2026-07-28'", "-32602,'message':'_meta[\\'io.modelcontextprotocol/"
                           "clientCapabilities\\'] must be an object, not missing'"},
        {V "'2026-07-28'," C "[]", "-32602,'message':'_meta[\\'io.modelcontextprotocol/"
                                   "clientCapabilities\\'] must be an object, not an array'"},
        {V "'2026-07-28'," C "{},'io.modelcontextprotocol/clientInfo':1",
         "-32602,'message':'_meta[\\'io.modelcontextprotocol/clientInfo\\'] must be an object, not "
         "a number'"},
        {V "'2026-07-28'," C "{},'io.modelcontextprotocol/logLevel':'loud'",
         "-32602,'message':'_meta[\\'io.modelcontextprotocol/logLevel\\'] must be a logging level "
         "such as \\'info\\''"},
        {V "'2027-01-01'," C "{}",
         "-32022,'message':'This server does not support revision "
         "2027-01-01: use one in `supported`','data':{'supported':['2026-07-28'],"
         "'requested':'2027-01-01'}"},
        {V "'2025-11-25'," C "{}",
         "-32022,'message':'This server does not support revision "
         "2025-11-25: use one in `supported`','data':{'supported':['2026-07-28'],"
         "'requested':'2025-11-25'}"},
    };
    struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buf params = {0}, want = {0};
        buf_printf(&params, "{'_meta':{%s}}", bad[i][0]);
        ask(&f, NULL, "1", "tools/list", params.p);
        buf_printf(&want, "400 {'id':1,'error':{'code':%s}}\n", bad[i][1]);
        HEARD(&f, want.p);
        buf_done(&params);
        buf_done(&want);
    }
    ask(&f, NULL, "1", "ping", "{" MODERN("{}") "}");
    HEARD(&f, "404 {'id':1,'error':{'code':-32601,'message':'There is no method ping in revision "
              "2026-07-28, only in 2025-11-25'}}\n");
    ask(&f, open_session(&f, "{}"), "1", "server/discover", "{}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32601,'message':'There is no method server/discover in "
              "revision 2025-11-25, only in 2026-07-28'}}\n");
    static const char *const gone[] = {"initialize", "ping", "logging/setLevel", "nothing/here"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        ask(&f, NULL, "1", gone[i], "{" MODERN("{}") "}");
        assert_int_equal(count(&f, "404 {'id':1,'error':{'code':-32601,'message':'There is no "
                                   "method "),
                         1);
        buf_clear(&f.heard);
    }
    tear_down(&f);
}

/* ---- parameters */

TEST(an_error_names_the_wrong_parameter)
{
    static const char *const cases[][3] = {
        {"tools/call", "{}", "-32602,'message':'name must be a string, not missing'"},
        {"tools/call", "{'name':1}", "-32602,'message':'name must be a string, not a number'"},
        {"tools/call", "{'name':'nope'}",
         "-32602,'message':'There is no tool nope: see tools/list'"},
        {"tools/call", "{'name':'echo','arguments':[]}",
         "-32602,'message':'arguments must be an object, not an array'"},
        {"prompts/get", "{'name':'nope'}",
         "-32602,'message':'There is no prompt nope: see prompts/list'"},
        {"prompts/get", "{'name':'two'}",
         "-32602,'message':'two: the argument a must be a string, not missing'"},
        {"prompts/get", "{'name':'two','arguments':{'a':1}}",
         "-32602,'message':'two: the argument a must be a string, not a number'"},
        {"prompts/get", "{'name':'two','arguments':{'a':'x','b':null}}",
         "-32602,'message':'two: the argument b must be a string, not null'"},
        {"resources/read", "{}", "-32602,'message':'uri must be a string, not missing'"},
        {"resources/read", "{'uri':'x:y'}",
         "-32002,'message':'There is no resource x:y: see "
         "resources/list','data':{'uri':'x:y'}"},
    };
    static const struct mcp_argument arguments[] = {{"a", NULL, true}, {"b", NULL, false}};
    static const struct mcp_prompt two = {
        .name = "two", .arguments = arguments, .argument_count = 2};
    struct fixture f;
    set_up(&f);
    mcp_set_prompts(f.mcp, (const struct mcp_prompt *const[]){&two}, 1);
    struct mcp_session *s = open_session(&f, "{}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf want = {0};
        ask(&f, s, "1", cases[i][0], cases[i][1]);
        buf_printf(&want, "200 {'id':1,'error':{'code':%s}}\n", cases[i][2]);
        HEARD(&f, want.p);
        buf_done(&want);
    }
    ask(&f, NULL, "1", "resources/read", "{'uri':'x:y'," MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'There is no resource x:y: see "
              "resources/list','data':{'uri':'x:y'}}}\n");
    tear_down(&f);
}

/* ---- the client's capabilities */

TEST(capabilities_are_objects)
{
    static const struct {
        const char *text;
        unsigned legacy, modern;
    } cases[] = {
        {"{}", 0, 0},
        {"{\"sampling\":{}}", MCP_CAN_SAMPLE, MCP_CAN_SAMPLE},
        {"{\"sampling\":true,\"roots\":[],\"elicitation\":null}", 0, 0},
        {"{\"roots\":{\"listChanged\":true}}", MCP_CAN_LIST_ROOTS, MCP_CAN_LIST_ROOTS},
        {"{\"elicitation\":{}}", MCP_CAN_ELICIT, MCP_CAN_ELICIT},
        {"{\"elicitation\":{\"form\":{}}}", MCP_CAN_ELICIT, MCP_CAN_ELICIT},
        {"{\"elicitation\":{\"url\":{}}}", MCP_CAN_ELICIT_URL, MCP_CAN_ELICIT_URL},
        {"{\"elicitation\":{\"url\":{},\"form\":{}}}", MCP_CAN_ELICIT | MCP_CAN_ELICIT_URL,
         MCP_CAN_ELICIT | MCP_CAN_ELICIT_URL},
        {"{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}", 0, MCP_CAN_TASKS},
        {"{\"extensions\":{\"io.modelcontextprotocol/tasks\":true}}", 0, 0},
        {"[]", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena a = {0};
        const struct json *v = json_parse(&a, str_from(cases[i].text), NULL, NULL);
        assert_int_equal(mcp_read_capabilities(v, MCP_LEGACY), cases[i].legacy);
        assert_int_equal(mcp_read_capabilities(v, MCP_MODERN), cases[i].modern);
        arena_done(&a);
    }
    assert_int_equal(mcp_read_capabilities(NULL, MCP_MODERN), 0);
}

/* ---- the end */

TEST(stopping_notifies_all_clients)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    ask(&f, NULL, "2", "tools/call", "{'name':'hold'," MODERN("{}") "}");
    ask(&f, NULL, "3", "tools/call", "{'name':'job'," MODERN(WITH_TASKS) "}");
    buf_clear(&f.heard);
    mcp_stop(f.mcp);
    HEARD(&f, "503 {'id':1,'error':{'code':-32603,'message':'The server is stopping'}}\n"
              "503 {'id':2,'error':{'code':-32603,'message':'The server is stopping'}}\n");
    assert_int_equal(f.cancelled, 3);
    assert_int_equal(mcp_open_sessions(f.mcp), 0);
    mcp_stop(f.mcp);
    /* Two of three calls are answered late, the third never: nothing is sent, nothing leaks. */
    mcp_reply_text(f.held[0], STR("late"));
    mcp_task_start(f.held[1], NULL);
    mcp_reply_error(f.held[1], RPC_INTERNAL_ERROR, "late");
    set_tools(f.mcp);
    HEARD(&f, "");
    assert_int_equal(mcp_open_calls(f.mcp), 1);
    tear_down(&f);
    mcp_free(NULL);
}

/* A bug of the program ends it at once with a message. */
static void check_fatal(const struct mcp_tool *tool, const char *want)
{
    int pipe_ends[2];
    char text[400] = {0};
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct fixture f;
        dup2(pipe_ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        set_up(&f);
        mcp_set_tools(f.mcp, (const struct mcp_tool *const[]){tool, tool}, 2);
        _exit(0);
    }
    close(pipe_ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(pipe_ends[0], text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)got;
    close(pipe_ends[0]);
    int status;
    waitpid(pid, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK_CSTR(str_head(str_from(text), strlen(want)), want);
}

TEST(a_bad_description_is_fatal)
{
#define OBJECT "{\"type\":\"object\"}"
    static const char long_name[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    check_fatal(&(struct mcp_tool){.input_schema = OBJECT},
                "multiverse: tool (no name): a name must have 1 to 64");
    check_fatal(&(struct mcp_tool){.name = "a b", .input_schema = OBJECT},
                "multiverse: tool a b: a name must have 1 to 64");
    check_fatal(&(struct mcp_tool){.name = long_name, .input_schema = OBJECT},
                "multiverse: tool aaaaa");
    check_fatal(&(struct mcp_tool){.name = "a"},
                "multiverse: tool a: the input schema is not a JSON object");
    check_fatal(&(struct mcp_tool){.name = "a", .input_schema = "[]"},
                "multiverse: tool a: the input schema is not a JSON object");
    check_fatal(&(struct mcp_tool){.name = "a", .input_schema = OBJECT, .output_schema = "{"},
                "multiverse: tool a: the output schema is not a JSON object");
    check_fatal(&(struct mcp_tool){.name = "a", .input_schema = OBJECT},
                "multiverse: tool a: the name is taken");
}
