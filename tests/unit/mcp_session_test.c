#include "mcp/session.h"

#include "mcp_fixture.h"

TEST(initialize_negotiates_the_revision)
{
    static const char *const versions[][2] = {
        {"2025-03-26", "2025-03-26"}, {"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
        {"2026-07-28", "2025-11-25"}, {"2024-11-05", "2025-11-25"}, {"", "2025-11-25"},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct fixture f;
        char params[100], want[100];
        set_up(&f);
        struct mcp_session *s = mcp_session_new(f.mcp, true);
        snprintf(params, sizeof params, "{'protocolVersion':'%s','capabilities':{}}",
                 versions[i][0]);
        ask(&f, s, "0", "initialize", params);
        snprintf(want, sizeof want, "200 {'id':0,'result':{'protocolVersion':'%s',",
                 versions[i][1]);
        assert_int_equal(count(&f, want), 1);
        assert_int_equal(count(&f, "'tasks':{'list'"),
                         str_eq(str_from(versions[i][1]), STR("2025-11-25")));
        tear_down(&f);
    }
}

TEST(a_bad_initialize_opens_nothing)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = mcp_session_new(f.mcp, true);
    ask(&f, s, "1", "initialize", "{}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'protocolVersion must be a string, not "
              "missing'}}\n");
    ask(&f, s, "1", "initialize", "{'protocolVersion':20251125}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'protocolVersion must be a string, not "
              "a number'}}\n");
    ask(&f, s, "1", "initialize", "{'protocolVersion':'2025-11-25','capabilities':[]}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'capabilities must be an object, not "
              "an array'}}\n");
    ask(&f, s, "1", "tools/list", "{}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32600,'message':'The session is not open: send "
              "initialize first'}}\n");
    ask(&f, s, "1", "ping", "{}"); /* allowed at any time */
    HEARD(&f, "200 {'id':1,'result':{}}\n");
    assert_false(s->initialized);
    tear_down(&f);
}

TEST(ids_are_long_and_unique)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *a = mcp_session_new(f.mcp, true), *b = mcp_session_new(f.mcp, true);
    assert_int_equal(strlen(a->id), ID_LEN);
    assert_string_not_equal(a->id, b->id);
    assert_ptr_equal(mcp_session_find(f.mcp, str_from(a->id)), a);
    assert_null(mcp_session_find(f.mcp, str_make(a->id, ID_LEN - 1)));
    assert_null(mcp_session_find(f.mcp, STR("")));
    char id[ID_LEN + 1];
    memcpy(id, a->id, sizeof id);
    mcp_session_end(a);
    assert_null(mcp_session_find(f.mcp, str_from(id)));
    assert_int_equal(mcp_open_sessions(f.mcp), 1);
    mcp_session_end(NULL);
    tear_down(&f);
}

TEST(ending_a_session_ends_its_calls)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}"), *other = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    ask(&f, other, "1", "tools/call", "{'name':'hold'}");
    mcp_session_end(s);
    HEARD(&f, "404 {'id':1,'error':{'code':-32603,'message':'The session has ended: send "
              "initialize again'}}\n");
    assert_int_equal(f.cancelled, 1);
    mcp_call_log(f.held[0], MCP_LOG_EMERGENCY, NULL, STR("late"));
    mcp_call_progress(f.held[0], 1, 1, "late");
    mcp_reply_text(f.held[0], STR("late"));
    HEARD(&f, "");
    mcp_reply_text(f.held[1], STR("x"));
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':'x'}]}}\n");
    tear_down(&f);
}

/* ---- limits and time */

TEST(the_longest_unused_session_is_ended_to_make_room)
{
    struct fixture f;
    struct mcp_session *all[MCP_MAX_SESSIONS];
    set_up(&f);
    for (size_t i = 0; i < MCP_MAX_SESSIONS; i++)
        all[i] = open_session(&f, "{}");
    char second[ID_LEN + 1], third[ID_LEN + 1];
    memcpy(second, all[1]->id, sizeof second);
    memcpy(third, all[2]->id, sizeof third);

    mcp_session_touch(all[0]);                             /* used just now */
    ask(&f, all[1], "1", "tools/call", "{'name':'hold'}"); /* works */
    struct mcp_session *newest = open_session(&f, "{}");
    assert_int_equal(mcp_open_sessions(f.mcp), MCP_MAX_SESSIONS);
    assert_null(mcp_session_find(f.mcp, str_from(third)));
    assert_ptr_equal(mcp_session_find(f.mcp, str_from(second)), all[1]);
    assert_ptr_equal(mcp_session_find(f.mcp, str_from(all[0]->id)), all[0]);

    /* All sessions but two have a stream; of these two, the longest unused one is ended. */
    ask(&f, all[3], "1", "tools/call", "{'name':'hold'}");
    for (size_t i = 0; i < MCP_MAX_SESSIONS; i++)
        if (i < 1 || i > 3)
            all[i]->open_streams = 1;
    newest->open_streams = 1;
    struct mcp_session *last = open_session(&f, "{}");
    assert_null(mcp_session_find(f.mcp, str_from(second)));
    assert_int_equal(f.cancelled, 1);

    /* If every session has a stream, there is no room. */
    last->open_streams = all[3]->open_streams = 1;
    assert_null(mcp_session_new(f.mcp, true));
    assert_int_equal(mcp_open_sessions(f.mcp), MCP_MAX_SESSIONS);
    tear_down(&f);
}

static void grow_old(struct mcp_session *s, uint64_t ms)
{
    s->last_used -= ms;
}

TEST(an_unused_session_expires)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *stdio = mcp_session_new(f.mcp, false);
    struct mcp_session *idle = open_session(&f, "{}"), *working = open_session(&f, "{}");
    struct mcp_session *attached = open_session(&f, "{}"), *young = open_session(&f, "{}");
    ask(&f, working, "1", "tools/call", "{'name':'hold'}");
    attached->open_streams = 1;
    grow_old(stdio, MCP_SESSION_IDLE_MS);
    grow_old(idle, MCP_SESSION_IDLE_MS);
    grow_old(working, MCP_SESSION_IDLE_MS);
    grow_old(attached, MCP_SESSION_IDLE_MS);
    grow_old(young, MCP_SESSION_IDLE_MS - 60000);
    mcp_session_expire(f.mcp);
    /* A session with a running call but without a client expires, too. */
    assert_int_equal(mcp_open_sessions(f.mcp), 2);
    assert_int_equal(list_count(&f.mcp->sessions), 3); /* the one on stdio has no end */
    assert_int_equal(f.cancelled, 1);
    assert_ptr_equal(mcp_session_find(f.mcp, str_from(attached->id)), attached);
    assert_ptr_equal(mcp_session_find(f.mcp, str_from(young->id)), young);
    ask(&f, stdio, "1", "ping", "{}");
    assert_int_equal(count(&f, "200 {'id':1,'result':{}}"), 1);
    grow_old(young, 60000);
    mcp_session_expire(f.mcp);
    assert_int_equal(mcp_open_sessions(f.mcp), 1);
    tear_down(&f);
}

TEST(a_used_session_does_not_expire)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    grow_old(s, MCP_SESSION_IDLE_MS);
    mcp_session_touch(s);
    mcp_session_expire(f.mcp);
    assert_int_equal(mcp_open_sessions(f.mcp), 1);
    tear_down(&f);
}

/* ---- subscriptions */

TEST(a_client_may_subscribe_to_a_limited_number_of_resources)
{
    struct fixture f;
    char params[64];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    for (int i = 0; i < MCP_MAX_SUBSCRIPTIONS; i++) {
        snprintf(params, sizeof params, "{'uri':'a:%d'}", i);
        ask(&f, s, "1", "resources/subscribe", params);
    }
    assert_int_equal(count(&f, "'result':{}"), MCP_MAX_SUBSCRIPTIONS);
    buf_clear(&f.heard);
    ask(&f, s, "1", "resources/subscribe", "{'uri':'a:new'}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'A client can subscribe to at most 256 "
              "resources: unsubscribe from one first'}}\n");
    ask(&f, s, "1", "resources/subscribe", "{'uri':'a:7'}"); /* one it follows already */
    HEARD(&f, "200 {'id':1,'result':{}}\n");
    ask(&f, s, "1", "resources/unsubscribe", "{'uri':'a:7'}");
    ask(&f, s, "1", "resources/unsubscribe", "{'uri':'a:7'}");
    HEARD(&f, "200 {'id':1,'result':{}}\n200 {'id':1,'result':{}}\n");
    ask(&f, s, "1", "resources/subscribe", "{'uri':'a:new'}");
    HEARD(&f, "200 {'id':1,'result':{}}\n");
    mcp_resource_updated(f.mcp, STR("a:7"));
    HEARD(&f, "");
    mcp_resource_updated(f.mcp, STR("a:new"));
    HEARD(&f, "! {'method':'notifications/resources/updated','params':{'uri':'a:new'}}\n");
    ask(&f, s, "1", "resources/subscribe", "{'uri':''}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'uri must be a string that names a "
              "resource, not an empty one'}}\n");
    struct buf longest = {0};
    buf_add(&longest, STR("{'uri':'"));
    for (int i = 0; i <= MCP_MAX_URI; i++)
        buf_add_char(&longest, 'u');
    buf_add(&longest, STR("'}"));
    ask(&f, s, "1", "resources/subscribe", longest.p);
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'uri is longer than 8192 bytes'}}\n");
    buf_done(&longest);
    ask(&f, s, "1", "resources/unsubscribe", "{'uri':7}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'uri must be a string that names a "
              "resource, not a number'}}\n");
    tear_down(&f);
}
