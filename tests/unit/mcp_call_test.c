#include "mcp/call.h"

#include <math.h>

#include "base/utf8.h"
#include "mcp_fixture.h"

#define HOLD "{'name':'hold','_meta':{'progressToken':0}}"

/* ---- answers */

TEST(a_call_is_answered_now_or_later)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'echo','arguments':{'text':'hi'}}");
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'hi'}]}}\n");
    ask(&f, s, "'two'", "tools/call", "{'name':'hold'}");
    HEARD(&f, "");
    assert_int_equal(mcp_open_calls(f.mcp), 1);
    mcp_reply_json(f.held[0], STR("{\"a\":1}"), true);
    HEARD(&f, "200 {'id':'two','result':{'content':[{'type':'text','text':'{\\'a\\':1}'}],"
              "'structuredContent':{'a':1},'isError':true}}\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

TEST(an_error_replaces_a_started_result)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    mcp_content_begin(mcp_reply_begin(f.held[0]));
    mcp_reply_error_data(f.held[0], RPC_INTERNAL_ERROR, STR("[1]"), "broken: %d", 7);
    HEARD(&f, "200 {'id':1,'error':{'code':-32603,'message':'broken: 7','data':[1]}}\n");
    tear_down(&f);
}

/* Texts from the client may have any length: the messages that quote them are cut. */
TEST(long_messages_are_cut)
{
    struct fixture f;
    struct buf uri = {0}, params = {0};
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (int i = 0; i < 40000; i++)
        buf_add(&uri, STR("\xc3\xa9"));
    buf_printf(&params, "{'uri':'%s'}", uri.p);
    ask(&f, s, "1", "resources/read", params.p);
    assert_int_equal(count(&f, "'message':'There is no resource \xc3\xa9"), 1);
    assert_int_equal(count(&f, "\xc3\xa9: see resources/list'"), 1);
    buf_clear(&f.heard);

    ask(&f, s, "2", "tools/call", "{'name':'hold'}");
    ask(&f, s, "3", "tools/call", "{'name':'hold'}");
    mcp_reply_tool_error(f.held[0], "%s", uri.p);
    assert_int_equal(count(&f, "\xc3\xa9"), (16u << 10) / 2);
    buf_clear(&f.heard);
    mcp_reply_error(f.held[1], RPC_INTERNAL_ERROR, "%s", uri.p);
    assert_int_equal(count(&f, "\xc3\xa9"), (16u << 10) / 2);
    buf_done(&uri);
    buf_done(&params);
    tear_down(&f);
}

static void reply_too_much(struct mcp_call *call)
{
    static char part[1u << 20];
    memset(part, 'x', sizeof part);
    struct jsonw *w = mcp_reply_begin(call);
    jsonw_key(w, "parts");
    jsonw_array(w);
    for (int i = 0; i < 65; i++)
        jsonw_str(w, str_make(part, sizeof part));
    jsonw_end(w);
    mcp_reply(call);
}

TEST(an_answer_that_is_too_large_is_an_error)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    reply_too_much(f.held[0]);
    HEARD(&f, "200 {'id':1,'error':{'code':-32603,'message':'The answer is larger than 64 MiB: "
              "ask for less'}}\n");
    /* The same for a task: it fails and releases its call. */
    ask(&f, NULL, "1", "tools/call", "{'name':'job'," MODERN(WITH_TASKS) "}");
    reply_too_much(f.held[1]);
    buf_clear(&f.heard);
    ask(&f, NULL, "2", "tasks/get", "{'taskId':'the-job'," MODERN(WITH_TASKS) "}");
    assert_int_equal(count(&f, "'status':'failed'"), 1);
    assert_int_equal(count(&f, "'error':{'code':-32603,'message':'The answer is larger"), 1);
    tear_down(&f);
}

TEST(completions_are_cut_at_a_hundred)
{
    struct fixture f;
    struct str values[150];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (size_t i = 0; i < 150; i++)
        values[i] = STR("v");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    ask(&f, s, "2", "tools/call", "{'name':'hold'}");
    mcp_reply_completion(f.held[0], values, 150);
    assert_int_equal(count(&f, "'v'"), 100);
    assert_int_equal(count(&f, "'total':150,'hasMore':true"), 1);
    buf_clear(&f.heard);
    mcp_reply_completion(f.held[1], values, 1);
    HEARD(&f, "200 {'id':2,'result':{'completion':{'values':['v'],'total':1,'hasMore':false}}}\n");
    tear_down(&f);
}

/* ---- progress */

#define PROGRESS(token, rest)                                                                      \
    "... {'method':'notifications/progress','params':{'progressToken':" token "," rest "}}\n"

TEST(progress_only_grows)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    struct mcp_call *call = f.held[0];
    mcp_call_progress(call, 2, 10, "two");
    HEARD(&f, PROGRESS("0", "'progress':2,'total':10,'message':'two'"));
    mcp_call_progress(call, 2, 10, "two again");
    mcp_call_progress(call, 1, 10, "back");
    mcp_call_progress(call, NAN, 10, "nowhere");
    mcp_call_progress(call, INFINITY, 10, "everywhere");
    pass(&f, MCP_PROGRESS_MS * 2);
    HEARD(&f, "");
    /* Also compared with one that waits to be sent. */
    mcp_call_progress(call, 3, INFINITY, NULL);
    HEARD(&f, PROGRESS("0", "'progress':3"));
    mcp_call_progress(call, 5, -1, NULL);
    mcp_call_progress(call, 4, 10, NULL);
    HEARD(&f, "");
    pass(&f, MCP_PROGRESS_MS * 2);
    HEARD(&f, PROGRESS("0", "'progress':5"));
    mcp_reply_text(call, STR("x"));
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'x'}]}}\n");
    tear_down(&f);
}

TEST(the_first_progress_may_be_anything_finite)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    mcp_call_progress(f.held[0], NAN, 0, NULL);
    HEARD(&f, "");
    mcp_call_progress(f.held[0], -0.5, 0, NULL);
    HEARD(&f, PROGRESS("0", "'progress':-0.5"));
    tear_down(&f);
}

/* Of any number of reports, ten are sent in each second, and always the last one. */
TEST(progress_is_sent_at_most_ten_times_a_second)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    uint64_t start = loop_now(f.loop);
    int n = 0;
    do {
        mcp_call_progress(f.held[0], ++n, 0, NULL);
        pass(&f, 1);
    } while (loop_now(f.loop) - start < 1000);
    mcp_call_progress(f.held[0], ++n, 0, NULL);
    mcp_reply_text(f.held[0], STR("done"));

    /* On a slow machine the last second may have been longer than a second. */
    uint64_t took = loop_now(f.loop) - start;
    size_t sent = count(&f, "notifications/progress");
    assert_in_range(sent, 2, took / MCP_PROGRESS_MS + 2);
    if (took == 1000)
        assert_in_range(sent, 2, 10);
    struct buf last = {0};
    buf_printf(&last, "'progress':%d}}\n200 {'id':1,", n);
    assert_int_equal(count(&f, last.p), 1);
    buf_done(&last);
    tear_down(&f);
}

TEST(pending_progress_is_sent_before_the_answer)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    mcp_call_progress(f.held[0], 1, 0, NULL);
    mcp_call_progress(f.held[0], 2, 0, NULL);
    mcp_call_progress(f.held[0], 3, 0, "done");
    mcp_reply_error(f.held[0], RPC_INTERNAL_ERROR, "no");
    HEARD(&f,
          PROGRESS("0", "'progress':1") PROGRESS(
              "0",
              "'progress':3,'message':'done'") "200 "
                                               "{'id':1,'error':{'code':-32603,'message':'no'}}\n");
    pass(&f, MCP_PROGRESS_MS * 2);
    HEARD(&f, "");
    tear_down(&f);
}

TEST(progress_needs_a_token)
{
    static const char *const none[] = {
        "{'name':'hold'}",
        "{'name':'hold','_meta':{}}",
        "{'name':'hold','_meta':{'progressToken':null}}",
        "{'name':'hold','_meta':{'progressToken':1.5}}",
        "{'name':'hold','_meta':{'progressToken':{}}}",
        "{'name':'hold','_meta':[1]}",
    };
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ask(&f, s, "1", "tools/call", none[i]);
        mcp_call_progress(f.held[i], 1, 0, NULL);
        HEARD(&f, "");
        mcp_reply_text(f.held[i], STR("x"));
        buf_clear(&f.heard);
    }
    struct buf longest = {0};
    buf_add(&longest, STR("{'name':'hold','_meta':{'progressToken':'"));
    for (unsigned i = 0; i <= RPC_MAX_ID; i++)
        buf_add_char(&longest, 't');
    buf_add(&longest, STR("'}}"));
    ask(&f, s, "0", "tools/call", longest.p);
    mcp_call_progress(f.held[f.held_count - 1], 1, 0, NULL);
    HEARD(&f, "");
    buf_done(&longest);
    ask(&f, s, "1", "tools/call", "{'name':'hold','_meta':{'progressToken':'t'}}");
    mcp_call_progress(f.held[f.held_count - 1], 1, 0, NULL);
    HEARD(&f, PROGRESS("'t'", "'progress':1"));
    ask(&f, s, "2", "tools/call", "{'name':'hold','_meta':{'progressToken':''}}");
    mcp_call_progress(f.held[f.held_count - 1], 1, 0, NULL);
    HEARD(&f, PROGRESS("''", "'progress':1"));
    tear_down(&f);
}

TEST(a_long_progress_message_is_cut)
{
    struct fixture f;
    char text[4001] = {0};
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (size_t i = 0; i < sizeof text - 1; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    ask(&f, s, "1", "tools/call", HOLD);
    mcp_call_progress(f.held[0], 1, 0, text);
    assert_int_equal(count(&f, "\xc3\xa9"), MCP_MAX_STATUS / 2);
    tear_down(&f);
}

/* ---- cancelling */

#define CANCEL(id) "{'jsonrpc':'2.0','method':'notifications/cancelled','params':" id "}"

TEST(a_cancelled_call_is_not_answered)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    struct mcp_call *call = f.held[0];
    mcp_call_progress(call, 1, 0, NULL);
    mcp_call_progress(call, 2, 0, NULL);
    buf_clear(&f.heard);
    assert_false(mcp_call_is_cancelled(call));
    say(&f, s, CANCEL("{'requestId':1,'reason':'changed my mind'}"));
    HEARD(&f, "202\n");
    assert_true(mcp_call_is_cancelled(call));
    assert_int_equal(f.cancelled, 1);

    say(&f, s, CANCEL("{'requestId':1}")); /* again */
    assert_int_equal(f.cancelled, 1);
    mcp_call_progress(call, 3, 0, NULL);
    mcp_call_log(call, MCP_LOG_EMERGENCY, NULL, STR("late"));
    pass(&f, MCP_PROGRESS_MS * 2);
    mcp_reply_text(call, STR("late"));
    HEARD(&f, "");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

TEST(cancels_of_unknown_requests_are_ignored)
{
    static const char *const messages[] = {
        CANCEL("{'requestId':2}"),
        CANCEL("{'requestId':'1'}"),
        CANCEL("{'requestId':null}"),
        CANCEL("{'requestId':{}}"),
        CANCEL("{'requestId':1.5}"),
        CANCEL("{}"),
        "{'jsonrpc':'2.0','method':'notifications/cancelled'}",
        "{'jsonrpc':'2.0','method':'notifications/other','params':{'requestId':1}}",
    };
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}"), *other = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        say(&f, s, messages[i]);
    say(&f, other, CANCEL("{'requestId':1}")); /* another client's */
    assert_int_equal(f.cancelled, 0);
    HEARD(&f, "");
    mcp_reply_text(f.held[0], STR("x"));
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'x'}]}}\n");
    say(&f, s, CANCEL("{'requestId':1}")); /* too late */
    HEARD(&f, "");
    tear_down(&f);
}

static void answer_in_cancel(void *call)
{
    mcp_reply_text(call, STR("in the middle"));
}

TEST(a_program_may_answer_in_on_cancel)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", HOLD);
    mcp_call_on_cancel(f.held[0], answer_in_cancel, f.held[0]);
    say(&f, s, CANCEL("{'requestId':1}"));
    HEARD(&f, "202\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

/* The first cancel ends all other calls, which would be cancelled next. */
static void answer_all(void *ctx)
{
    struct fixture *f = ctx;
    for (size_t i = 0; i < f->held_count; i++)
        if (f->held[i]) {
            mcp_call_on_cancel(f->held[i], NULL, NULL);
            mcp_reply_text(f->held[i], STR("all at once"));
            f->held[i] = NULL;
        }
}

TEST(a_program_may_end_other_calls_in_on_cancel)
{
    struct fixture f;
    for (int modern = 0; modern < 2; modern++) {
        set_up(&f);
        struct mcp_session *s = open_session(&f, "{}");
        for (int i = 0; i < 5; i++) {
            char id[8];
            snprintf(id, sizeof id, "%d", i);
            if (modern)
                ask(&f, NULL, id, "tools/call", "{'name':'hold'," MODERN("{}") "}");
            else
                ask(&f, s, id, "tools/call", "{'name':'hold'}");
            mcp_call_on_cancel(f.held[i], answer_all, &f);
        }
        mcp_stop(f.mcp);
        assert_int_equal(mcp_open_calls(f.mcp), 0);
        assert_int_equal(count(&f, "503 "), 1);
        assert_int_equal(count(&f, "all at once"), 4);
        tear_down(&f);
    }
}

static void stop_server(void *mcp)
{
    mcp_stop(mcp);
}

TEST(a_program_may_stop_the_server_in_on_cancel)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    ask(&f, s, "2", "tools/call", "{'name':'hold'}");
    mcp_call_on_cancel(f.held[0], stop_server, f.mcp);
    say(&f, s, CANCEL("{'requestId':1}"));
    HEARD(&f, "202\n503 {'id':2,'error':{'code':-32603,'message':'The server is stopping'}}\n");
    mcp_reply_text(f.held[0], STR("late"));
    mcp_reply_text(f.held[1], STR("late"));
    HEARD(&f, "");
    tear_down(&f);
}

/* ---- limits */

TEST(sixty_four_requests_may_be_open)
{
    struct fixture f;
    char id[16];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}"), *other = open_session(&f, "{}");
    for (int i = 0; i < MCP_MAX_IN_FLIGHT; i++) {
        snprintf(id, sizeof id, "%d", i);
        ask(&f, s, id, "tools/call", "{'name':'hold'}");
    }
    HEARD(&f, "");
    ask(&f, s, "64", "tools/call", "{'name':'hold'}");
    HEARD(&f, "200 {'id':64,'error':{'code':-32603,'message':'64 requests are open already: wait "
              "for an answer before sending more'}}\n");
    assert_int_equal(f.held_count, MCP_MAX_IN_FLIGHT);
    ask(&f, other, "64", "tools/call", "{'name':'echo'}"); /* counted for each client */
    HEARD(&f, "200 {'id':64,'result':{'content':[{'type':'text','text':''}]}}\n");
    mcp_reply_text(f.held[7], STR("x"));
    ask(&f, s, "65", "tools/call", "{'name':'hold'}");
    assert_int_equal(f.held_count, MCP_MAX_IN_FLIGHT + 1);

    /* A modern request of the same client, on stdio, counts too. */
    buf_clear(&f.heard);
    ask(&f, s, "66", "tools/call", "{'name':'echo'," MODERN("{}") "}");
    HEARD(&f, "200 {'id':66,'error':{'code':-32603,'message':'64 requests are open already: wait "
              "for an answer before sending more'}}\n");
    tear_down(&f);
}

/* 2 MiB of text are 17 MiB of values: the limit is on the memory the server uses. */
TEST(the_total_size_of_open_requests_is_limited)
{
    struct fixture f;
    struct buf params = {0};
    char id[16];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    buf_add(&params, STR("{'name':'hold','arguments':{'a':[1"));
    for (int i = 0; i < 1 << 20; i++)
        buf_add(&params, STR(",1"));
    buf_add(&params, STR("]}}"));
    size_t n = 0;
    do {
        snprintf(id, sizeof id, "%zu", n++);
        ask(&f, s, id, "tools/call", params.p);
        assert_in_range(f.mcp->open_bytes, 1, MCP_MAX_OPEN + (40u << 20));
    } while (f.held_count == n && n < 60);
    assert_in_range(f.held_count, 5, 20);
    assert_int_equal(count(&f,
                           "'code':-32603,'message':'256 MiB of requests are open already: wait "
                           "for answers before sending a large one'"),
                     1);
    buf_clear(&f.heard);
    ask(&f, s, "'small'", "tools/call", "{'name':'echo'}");
    HEARD(&f, "200 {'id':'small','result':{'content':[{'type':'text','text':''}]}}\n");
    mcp_reply_text(f.held[0], STR("x"));
    ask(&f, s, "'large'", "tools/call", params.p);
    assert_int_equal(f.held_count, n);
    buf_done(&params);
    for (size_t i = 1; i < f.held_count; i++)
        mcp_reply_text(f.held[i], STR("x"));
    assert_int_equal(f.mcp->open_bytes, 0);
    tear_down(&f);
}

TEST(an_id_of_an_open_request_is_refused)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32600,'message':'A request with this id is still "
              "open: use another id'}}\n");
    ask(&f, s, "1.0", "ping", "{}");
    HEARD(&f, "200 {'id':1.0,'error':{'code':-32600,'message':'A request with this id is still "
              "open: use another id'}}\n");
    ask(&f, s, "1", "tools/list", "{" MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32600,'message':'A request with this id is still "
              "open: use another id'}}\n");
    ask(&f, s, "'1'", "ping", "{}"); /* another one */
    HEARD(&f, "200 {'id':'1','result':{}}\n");
    assert_int_equal(f.held_count, 1);
    mcp_reply_text(f.held[0], STR(""));
    buf_clear(&f.heard);
    ask(&f, s, "1", "ping", "{}");
    HEARD(&f, "200 {'id':1,'result':{}}\n");
    tear_down(&f);
}

/* ---- messages */

TEST(messages_below_the_level_of_the_client_are_not_sent)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    mcp_call_log(f.held[0], MCP_LOG_DEBUG, NULL, STR("no"));
    mcp_call_log(f.held[0], MCP_LOG_INFO, "me", STR("\"yes\""));
    HEARD(&f, "... {'method':'notifications/message','params':{'level':'info','logger':'me',"
              "'data':'\\'yes\\''}}\n");
    ask(&f, s, "2", "logging/setLevel", "{'level':'error'}");
    buf_clear(&f.heard);
    mcp_call_log(f.held[0], MCP_LOG_WARNING, NULL, STR("no"));
    mcp_call_log(f.held[0], MCP_LOG_ERROR, NULL, STR("yes"));
    HEARD(&f, "... {'method':'notifications/message','params':{'level':'error','data':'yes'}}\n");
    ask(&f, s, "2", "logging/setLevel", "{'level':'loud'}");
    HEARD(&f, "200 {'id':2,'error':{'code':-32602,'message':'level must be one of debug, info, "
              "notice, warning, error, critical, alert, emergency'}}\n");

    /* Modern: only if the request asks for it. */
    ask(&f, NULL, "3", "tools/call", "{'name':'hold'," MODERN("{}") "}");
    mcp_call_log(f.held[1], MCP_LOG_EMERGENCY, NULL, STR("no"));
    HEARD(&f, "");
    ask(&f, NULL, "4", "tools/call",
        "{'name':'hold','_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
        "'io.modelcontextprotocol/clientCapabilities':{},"
        "'io.modelcontextprotocol/logLevel':'warning'}}");
    mcp_call_log(f.held[2], MCP_LOG_NOTICE, NULL, STR("no"));
    mcp_call_log(f.held[2], MCP_LOG_WARNING, NULL, STR("yes"));
    HEARD(&f, "... {'method':'notifications/message','params':{'level':'warning','data':'yes'}}\n");
    tear_down(&f);
}

/* ---- clients */

static const char *client_of(const char *info)
{
    static char text[MCP_CLIENT_MAX + 1];
    struct arena a = {0};
    const struct json *v = json_parse(&a, str_from(info), NULL, NULL);
    assert_non_null(v);
    memset(text, 'x', sizeof text);
    mcp_read_client(v, text);
    assert_true(memchr(text, 0, sizeof text) && utf8_is_valid(str_from(text)));
    arena_done(&a);
    return text;
}

TEST(a_client_is_named_by_name_and_version)
{
    assert_string_equal(client_of("{\"name\":\"a\",\"version\":\"1\"}"), "a 1");
    assert_string_equal(client_of("{\"name\":\"a\"}"), "a");
    assert_string_equal(client_of("{\"name\":\"\",\"version\":\"1\"}"), "");
    assert_string_equal(client_of("{\"name\":7,\"version\":\"1\"}"), "");
    assert_string_equal(client_of("{\"version\":\"1\"}"), "");
    assert_string_equal(client_of("[]"), "");
    assert_string_equal(
        client_of("{\"name\":\"<b>\\n\\u0000\\u202e\",\"version\":\"\\u001b[31m\"}"),
        "<b> \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd[31m");
}

TEST(a_long_client_is_cut_and_still_has_its_version)
{
    struct buf info = {0};
    buf_add(&info, STR("{\"name\":\""));
    for (int i = 0; i < 500; i++)
        buf_add(&info, STR("日本"));
    buf_add(&info, STR("\",\"version\":\"1.2.3"));
    const char *got;
    for (int i = 0; i < 500; i++)
        buf_add(&info, STR(" more"));
    buf_add(&info, STR("\"}"));
    got = client_of(info.p);
    assert_true(strlen(got) <= MCP_CLIENT_MAX);
    assert_non_null(strstr(got, "… 1.2.3 more"));
    buf_done(&info);
}
