#include "mcp/listen.h"

#include "mcp_fixture.h"

#define LISTEN(what) "{'notifications':" what "," MODERN(WITH_TASKS) "}"
#define ACK(id, what)                                                                              \
    "... {'method':'notifications/subscriptions/acknowledged','params':{'_meta':{"                 \
    "'io.modelcontextprotocol/subscriptionId':" id "},'notifications':" what "}}\n"
#define NOTICE(id, method, rest)                                                                   \
    "... {'method':'notifications/" method "','params':{'_meta':{"                                 \
    "'io.modelcontextprotocol/subscriptionId':" id "}" rest "}}\n"
#define END(id)                                                                                    \
    "200 {'id':" id ",'result':{'resultType':'complete','_meta':{"                                 \
    "'io.modelcontextprotocol/subscriptionId':" id "}}}\n"

TEST(notices_are_sent_to_subscribed_clients)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "'l'", "subscriptions/listen", LISTEN("{'toolsListChanged':true}"));
    HEARD(&f, ACK("'l'", "{'toolsListChanged':true}"));
    ask(&f, NULL, "7", "subscriptions/listen",
        LISTEN("{'promptsListChanged':true,'resourceSubscriptions':['a:b','a:b']}"));
    HEARD(&f, ACK("7", "{'promptsListChanged':true,'resourceSubscriptions':['a:b']}"));
    ask(&f, NULL, "8", "subscriptions/listen", LISTEN("{'toolsListChanged':1,'unknown':true}"));
    HEARD(&f, ACK("8", "{}"));

    set_tools(f.mcp);
    HEARD(&f, NOTICE("'l'", "tools/list_changed", ""));
    mcp_set_prompts(f.mcp, NULL, 0);
    HEARD(&f, NOTICE("7", "prompts/list_changed", ""));
    mcp_set_resources(f.mcp, NULL, 0);
    HEARD(&f, "");
    mcp_resource_updated(f.mcp, STR("a:b"));
    HEARD(&f, NOTICE("7", "resources/updated", ",'uri':'a:b'"));
    mcp_resource_updated(f.mcp, STR("a:c"));
    HEARD(&f, "");
    mcp_stop(f.mcp);
    HEARD(&f, END("'l'") END("7") END("8"));
    tear_down(&f);
}

TEST(only_offered_notices_are_accepted)
{
    struct fixture f;
    set_up(&f);
    f.impl.subscribe = false;
    ask(&f, NULL, "1", "subscriptions/listen",
        "{'notifications':{'resourcesListChanged':true,'resourceSubscriptions':['a:b'],"
        "'taskIds':['x']}," MODERN("{}") "}");
    HEARD(&f, ACK("1", "{'resourcesListChanged':true}"));
    f.impl.list_changed = false;
    ask(&f, NULL, "2", "subscriptions/listen", LISTEN("{'toolsListChanged':true,'taskIds':['x']}"));
    HEARD(&f, ACK("2", "{'taskIds':['x']}"));
    f.impl.tasks = false;
    ask(&f, NULL, "3", "subscriptions/listen", LISTEN("{'toolsListChanged':true}"));
    HEARD(&f, "404 {'id':3,'error':{'code':-32601,'message':'There is no method "
              "subscriptions/listen here'}}\n");
    tear_down(&f);
}

TEST(an_invalid_subscription_is_refused)
{
    struct fixture f;
    static const char *const bad[] = {
        "{'resourceSubscriptions':'a:b'}",
        "{'resourceSubscriptions':[1]}",
        "{'taskIds':{}}",
        "{'taskIds':['x',null]}",
    };
    set_up(&f);
    ask(&f, NULL, "1", "subscriptions/listen", "{" MODERN("{}") "}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'notifications must be an object, not "
              "missing'}}\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char params[400];
        snprintf(params, sizeof params, LISTEN("%s"), bad[i]);
        ask(&f, NULL, "1", "subscriptions/listen", params);
        HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'resourceSubscriptions and taskIds "
                  "must be arrays of at most 256 strings'}}\n");
    }
    for (int n = MCP_MAX_SUBSCRIPTIONS; n <= MCP_MAX_SUBSCRIPTIONS + 1; n++) {
        struct buf params = {0};
        buf_add(&params, STR("{'notifications':{'resourceSubscriptions':["));
        for (int i = 0; i < n; i++)
            buf_printf(&params, "%s'a:%d'", i ? "," : "", i);
        buf_add(&params, STR("]}," MODERN("{}") "}"));
        ask(&f, NULL, "1", "subscriptions/listen", params.p);
        assert_int_equal(count(&f, "acknowledged"), n == MCP_MAX_SUBSCRIPTIONS);
        buf_clear(&f.heard);
        buf_done(&params);
    }
    assert_int_equal(list_count(&f.mcp->listens), 1);
    tear_down(&f);
}

TEST(a_subscription_ends_with_its_client)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *stdio = mcp_session_new(f.mcp, false);
    ask(&f, stdio, "1", "subscriptions/listen", LISTEN("{'toolsListChanged':true}"));
    ask(&f, stdio, "2", "subscriptions/listen", LISTEN("{'toolsListChanged':true}"));
    buf_clear(&f.heard);
    say(&f, stdio, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    HEARD(&f, "202\n");
    set_tools(f.mcp);
    HEARD(&f, NOTICE("2", "tools/list_changed", ""));
    mcp_session_end(stdio);
    assert_int_equal(list_count(&f.mcp->listens), 0);
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    buf_clear(&f.heard);
    set_tools(f.mcp);
    HEARD(&f, "");
    tear_down(&f);
}

TEST(task_changes_are_sent_to_subscribed_clients)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", "{'name':'job'," MODERN(WITH_TASKS) "}");
    ask(&f, NULL, "2", "subscriptions/listen", LISTEN("{'taskIds':['the-job']}"));
    ask(&f, NULL, "3", "subscriptions/listen", LISTEN("{'taskIds':['another']}"));
    buf_clear(&f.heard);
    mcp_reply_text(f.held[0], STR("done"));
    assert_int_equal(count(&f, "\n"), 1);
    assert_int_equal(count(&f, "... {'method':'notifications/tasks','params':{'_meta':{"
                               "'io.modelcontextprotocol/subscriptionId':2},'taskId':'the-job',"
                               "'status':'completed',"),
                     1);
    assert_int_equal(count(&f, "'text':'done'"), 1);
    tear_down(&f);
}

/* A session is notified of changes only after initialize. */
TEST(legacy_clients_are_notified_of_changes)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *fresh = mcp_session_new(f.mcp, true);
    fresh->notify = on_notice;
    fresh->transport = &f;
    set_tools(f.mcp);
    HEARD(&f, "");
    open_session(&f, "{}");
    open_session(&f, "{}");
    set_tools(f.mcp);
    HEARD(&f, "! {'method':'notifications/tools/list_changed'}\n"
              "! {'method':'notifications/tools/list_changed'}\n");
    mcp_set_templates(f.mcp, NULL, 0);
    HEARD(&f, "! {'method':'notifications/resources/list_changed'}\n"
              "! {'method':'notifications/resources/list_changed'}\n");
    f.impl.list_changed = false;
    set_tools(f.mcp);
    HEARD(&f, "");
    tear_down(&f);
}
