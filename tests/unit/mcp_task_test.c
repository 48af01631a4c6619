#include "mcp/mcp_task.h"

#include "mcp_fixture.h"

/* ---- the state machine, printed: every pair of state and event */

TEST(every_transition_matches_the_picture)
{
    static const char *const events[MCP_TASK_EVENT_COUNT] = {
        "ask", "answer", "result", "tool_error", "failure", "cancel",
    };
    struct buf got = {0};
    for (enum mcp_task_status s = 0; s < MCP_TASK_STATUS_COUNT; s++)
        for (enum mcp_task_event e = 0; e < MCP_TASK_EVENT_COUNT; e++) {
            enum mcp_task_status to = MCP_TASK_STATUS_COUNT;
            if (mcp_task_step(s, e, &to))
                buf_printf(&got, "%s + %s -> %s\n", mcp_task_status_name(s), events[e],
                           mcp_task_status_name(to));
            else
                assert_int_equal(to, MCP_TASK_STATUS_COUNT);
        }
    CHECK_CSTR(buf_str(&got), "working + ask -> input_required\n"
                              "working + result -> completed\n"
                              "working + tool_error -> failed\n"
                              "working + failure -> failed\n"
                              "working + cancel -> cancelled\n"
                              "input_required + answer -> working\n"
                              "input_required + tool_error -> failed\n"
                              "input_required + failure -> failed\n"
                              "input_required + cancel -> cancelled\n");
    buf_done(&got);
}

/* ---- as clients see them */

#define JOB    "{'name':'job'," MODERN(WITH_TASKS) "}"
#define THE    "{'taskId':'the-job'," MODERN(WITH_TASKS) "}"
#define LEGACY "{'name':'job','task':{}}"

/* The sent messages without times and generated ids. */
static void settle(struct fixture *f)
{
    static const struct {
        const char *mark;
        size_t n;
    } parts[] = {{"'createdAt':'", 24}, {"'lastUpdatedAt':'", 24}};
    struct buf out = {0};
    struct str rest = buf_str(&f->heard);
    while (rest.n) {
        size_t skip = 0;
        for (size_t i = 0; i < 2; i++)
            if (str_starts(rest, str_from(parts[i].mark)))
                skip = strlen(parts[i].mark) + parts[i].n + 2;
        if (skip) {
            rest = str_skip(rest, skip);
            continue;
        }
        buf_add_char(&out, rest.p[0]);
        rest = str_skip(rest, 1);
    }
    buf_clear(&f->heard);
    buf_add(&f->heard, buf_str(&out));
    buf_done(&out);
}

#define HEARD_SETTLED(f, want)                                                                     \
    do {                                                                                           \
        settle(f);                                                                                 \
        HEARD(f, want);                                                                            \
    } while (0)

TEST(a_modern_call_becomes_a_task_and_is_fetched)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", JOB);
    HEARD_SETTLED(&f, "200 {'id':1,'result':{'resultType':'task','taskId':'the-job','status':"
                      "'working','ttlMs':3600000,'pollIntervalMs':1000}}\n");
    assert_true(mcp_call_is_task(f.held[0]));
    assert_true(mcp_task_start(f.held[0], NULL));
    mcp_call_progress(f.held[0], 1, 2, "half");
    ask(&f, NULL, "2", "tasks/get", THE);
    HEARD_SETTLED(&f, "200 {'id':2,'result':{'resultType':'complete',META,'taskId':'the-job',"
                      "'status':'working','statusMessage':'half','ttlMs':3600000,"
                      "'pollIntervalMs':1000}}\n");
    mcp_reply_tool_error(f.held[0], "no luck"); /* a tool error: the task is completed */
    HEARD(&f, "");
    ask(&f, NULL, "3", "tasks/get", THE);
    HEARD_SETTLED(&f, "200 {'id':3,'result':{'resultType':'complete',META,'taskId':'the-job',"
                      "'status':'completed','statusMessage':'half','ttlMs':3600000,"
                      "'pollIntervalMs':1000,'result':{'resultType':'complete','_meta':{"
                      "'io.modelcontextprotocol/serverInfo':{'name':'t','version':'1'}},"
                      "'content':[{'type':'text','text':'no luck'}],'isError':true}}}\n");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    tear_down(&f);
}

TEST(a_failed_task_has_the_whole_error)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", JOB);
    mcp_reply_error_data(f.held[0], RPC_INTERNAL_ERROR, STR("{\"why\":1}"), "broken");
    buf_clear(&f.heard);
    ask(&f, NULL, "3", "tasks/get", THE);
    HEARD_SETTLED(&f, "200 {'id':3,'result':{'resultType':'complete',META,'taskId':'the-job',"
                      "'status':'failed','ttlMs':3600000,'pollIntervalMs':1000,'error':{'code':"
                      "-32603,'message':'broken','data':{'why':1}}}}\n");

    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", LEGACY);
    struct mcp_task *t = LIST_ITEM(f.mcp->tasks.prev, struct mcp_task, link);
    char params[400];
    snprintf(params, sizeof params, "{'taskId':'%s'}", t->id);
    ask(&f, s, "2", "tasks/result", params);
    s->notify = NULL;
    buf_clear(&f.heard);
    mcp_reply_error_data(f.held[1], -7, STR("{\"why\":1}"), "broken");
    HEARD(&f, "200 {'id':2,'error':{'code':-7,'message':'broken','data':{'why':1}}}\n");
    tear_down(&f);
}

TEST(only_clients_with_task_support_get_tasks)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", "{'name':'job'," MODERN("{}") "}");
    HEARD(&f, "");
    assert_false(mcp_call_is_task(f.held[0]));
    ask(&f, NULL, "2", "tools/call", "{'name':'must'," MODERN("{}") "}");
    HEARD(&f, "400 {'id':2,'error':{'code':-32021,'message':'This needs a client capability that "
              "was not declared: see requiredCapabilities','data':{'requiredCapabilities':"
              "{'extensions':{'io.modelcontextprotocol/tasks':{}}}}}}\n");
    ask(&f, NULL, "3", "tools/call", "{'name':'hold'," MODERN(WITH_TASKS) "}");
    assert_false(mcp_task_start(f.held[1], NULL)); /* the tool forbids it */
    ask(&f, NULL, "4", "tasks/get", "{'taskId':'x'," MODERN("{}") "}");
    assert_int_equal(count(&f, "400 {'id':4,'error':{'code':-32021,"), 1);
    buf_clear(&f.heard);

    /* A server without tasks starts none for any client. */
    f.impl.tasks = false;
    ask(&f, NULL, "5", "tools/call", JOB);
    assert_false(mcp_call_is_task(f.held[2]));
    ask(&f, NULL, "6", "tasks/get", THE);
    HEARD(&f,
          "404 {'id':6,'error':{'code':-32601,'message':'There is no method tasks/get here'}}\n");
    f.impl.tasks = true;

    /* A cancelled call does not become a task. */
    ask(&f, NULL, "7", "tools/call", "{'name':'hold'," MODERN(WITH_TASKS) "}");
    mcp_call_cancel(f.held[3], true);
    assert_false(mcp_task_start(f.held[3], NULL));
    assert_int_equal(f.mcp->task_ids.count, 0);
    tear_down(&f);
}

#define ONLY                                                                                       \
    "200 {'id':1,'error':{'code':-32601,'message':'must runs only as a task: call it with task, "  \
    "in 2025-11-25'}}\n"

TEST(the_task_member_of_a_legacy_call_is_checked)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'must'}");
    HEARD(&f, ONLY);
    ask(&f, s, "1", "tools/call", "{'name':'echo','task':{}}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32601,'message':'echo does not run as a task: call it "
              "without task'}}\n");
    static const char *const bad[] = {"1",          "null",        "[]",         "{'ttl':0}",
                                      "{'ttl':-5}", "{'ttl':1.5}", "{'ttl':'1'}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char params[100];
        snprintf(params, sizeof params, "{'name':'job','task':%s}", bad[i]);
        ask(&f, s, "1", "tools/call", params);
        HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'task must be an object; its ttl a "
                  "positive integer'}}\n");
    }
    /* Older revisions have no tasks: task is ignored, and a tool that requires one is refused. */
    s->revision = MCP_2025_06_18;
    ask(&f, s, "1", "tools/call", "{'name':'must','task':{}}");
    HEARD(&f, ONLY);
    ask(&f, s, "1", "tools/call", "{'name':'echo','task':7}");
    HEARD(&f, "200 {'id':1,'result':{'content':[{'type':'text','text':''}]}}\n");
    assert_int_equal(f.held_count, 0);
    tear_down(&f);
}

TEST(a_legacy_task_is_visible_to_its_session_only)
{
    struct fixture f;
    char params[400];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}"), *other = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'job','task':{'ttl':999999999999}}");
    struct mcp_task *t = LIST_FIRST(&f.mcp->tasks, struct mcp_task, link);
    assert_int_equal(t->ttl_ms, 24 * 3600000); /* limited */
    buf_clear(&f.heard);
    snprintf(params, sizeof params, "{'taskId':'%s'}", t->id);
    ask(&f, other, "1", "tasks/get", params);
    assert_int_equal(count(&f, "There is no task"), 1);
    ask(&f, other, "1", "tasks/cancel", params);
    assert_int_equal(count(&f, "There is no task"), 2);
    ask(&f, other, "1", "tasks/result", params);
    assert_int_equal(count(&f, "There is no task"), 3);
    buf_clear(&f.heard);
    ask(&f, other, "1", "tasks/list", "{}");
    HEARD(&f, "200 {'id':1,'result':{'tasks':[]}}\n");
    ask(&f, s, "2", "tasks/list", "{}");
    assert_int_equal(count(&f, "'status':'working'"), 1);
    buf_clear(&f.heard);

    /* Two requests wait for its end, which is also announced. */
    ask(&f, s, "3", "tasks/result", params);
    ask(&f, s, "4", "tasks/result", params);
    HEARD(&f, "");
    mcp_reply_text(f.held[0], STR("done"));
    settle(&f);
    assert_int_equal(count(&f, "! {'method':'notifications/tasks/status'"), 1);
    assert_int_equal(count(&f, "'status':'completed'"), 1);
    assert_int_equal(count(&f, "200 {'id':3,'result':{'_meta':{'io.modelcontextprotocol/related-"
                               "task':{'taskId':'"),
                     1);
    assert_int_equal(count(&f, "'content':[{'type':'text','text':'done'}]}}\n"), 2);
    buf_clear(&f.heard);
    ask(&f, s, "5", "tasks/cancel", params);
    assert_int_equal(count(&f, "has ended: it is completed'"), 1);
    tear_down(&f);
}

TEST(a_waiter_may_be_cancelled)
{
    struct fixture f;
    char params[400];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", LEGACY);
    snprintf(params, sizeof params, "{'taskId':'%s'}",
             LIST_FIRST(&f.mcp->tasks, struct mcp_task, link)->id);
    ask(&f, s, "2", "tasks/result", params);
    buf_clear(&f.heard);
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
    HEARD(&f, "202\n");
    assert_int_equal(f.cancelled, 0); /* the task runs on */
    /* Its own request was answered, so a cancel of that id has no effect. */
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    assert_int_equal(f.cancelled, 0);
    mcp_reply_text(f.held[0], STR("done"));
    assert_int_equal(count(&f, "200 "), 0);
    tear_down(&f);
}

TEST(a_cancelled_task_releases_its_call)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", JOB);
    buf_clear(&f.heard);
    ask(&f, NULL, "2", "tasks/cancel", THE);
    HEARD(&f, "200 {'id':2,'result':{'resultType':'complete',META}}\n");
    assert_int_equal(f.cancelled, 1);
    ask(&f, NULL, "3", "tasks/cancel", THE); /* once more: no error */
    HEARD(&f, "200 {'id':3,'result':{'resultType':'complete',META}}\n");
    assert_int_equal(f.cancelled, 1);
    assert_false(mcp_call_is_task(f.held[0]));
    mcp_reply_text(f.held[0], STR("late"));
    ask(&f, NULL, "4", "tasks/get", THE);
    assert_int_equal(count(&f, "'status':'cancelled'"), 1);
    assert_int_equal(count(&f, "late"), 0);

    struct mcp_session *s = open_session(&f, "{}");
    char params[400];
    ask(&f, s, "1", "tools/call", LEGACY);
    snprintf(params, sizeof params, "{'taskId':'%s'}",
             LIST_ITEM(f.mcp->tasks.prev, struct mcp_task, link)->id);
    ask(&f, s, "2", "tasks/result", params);
    buf_clear(&f.heard);
    ask(&f, s, "3", "tasks/cancel", params);
    assert_int_equal(count(&f, "200 {'id':2,'error':{'code':-32600,'message':'The task "), 1);
    assert_int_equal(count(&f, " was cancelled'}}"), 1);
    assert_int_equal(count(&f, "200 {'id':3,'result':{'taskId':"), 1);
    tear_down(&f);
}

static void stop_server(void *mcp)
{
    mcp_stop(mcp);
}

TEST(a_program_may_stop_the_server_when_its_task_is_cancelled)
{
    struct fixture f;
    for (int legacy = 0; legacy < 2; legacy++) {
        char params[400];
        set_up(&f);
        struct mcp_session *s = legacy ? open_session(&f, "{}") : NULL;
        ask(&f, s, "1", "tools/call", legacy ? LEGACY : JOB);
        ask(&f, s, "2", "tools/call",
            legacy ? LEGACY : "{'name':'question'," MODERN(WITH_TASKS) "}");
        mcp_call_on_cancel(f.held[0], stop_server, f.mcp);
        snprintf(params, sizeof params, "{'taskId':'%s'%s}",
                 LIST_FIRST(&f.mcp->tasks, struct mcp_task, link)->id,
                 legacy ? "" : "," MODERN(WITH_TASKS));
        ask(&f, s, "3", "tasks/cancel", params);
        assert_int_equal(count(&f, "200 {'id':3,'result':{"), 1);
        assert_int_equal(f.mcp->task_ids.count, 0);
        tear_down(&f);
    }
}

TEST(a_task_expires)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    ask(&f, s, "1", "tools/call", "{'name':'job','task':{'ttl':1}}");
    while (f.mcp->task_ids.count && !test_is_over())
        pass(&f, 5);
    assert_int_equal(f.mcp->task_ids.count, 0);
    assert_int_equal(f.cancelled, 1);
    mcp_reply_text(f.held[0], STR("late"));
    tear_down(&f);
}

TEST(tasks_are_removed_with_their_session)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{'elicitation':{}}");
    ask(&f, s, "1", "tools/call", LEGACY);
    ask(&f, s, "2", "tools/call", "{'name':'question','task':{}}");
    ask(&f, NULL, "3", "tools/call", JOB);
    assert_int_equal(f.mcp->task_ids.count, 3);
    mcp_session_end(s);
    assert_int_equal(f.mcp->task_ids.count, 1); /* a modern task belongs to no session */
    assert_int_equal(f.cancelled, 1);
    mcp_reply_text(f.held[0], STR("late"));
    tear_down(&f);
}

/* ---- questions inside a task */

#define ASKED                                                                                      \
    "{'name':'question'," MODERN(                                                                  \
        "{'elicitation':{},'extensions':{'io.modelcontextprotocol/tasks':{}}}") "}"

TEST(tasks_update_answers_the_question_of_a_modern_task)
{
    struct fixture f;
    char params[400];
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", ASKED);
    buf_clear(&f.heard);
    struct mcp_task *t = LIST_FIRST(&f.mcp->tasks, struct mcp_task, link);
    snprintf(params, sizeof params, "{'taskId':'%s'," MODERN(WITH_TASKS) "}", t->id);
    ask(&f, NULL, "2", "tasks/get", params);
    assert_int_equal(count(&f, "'status':'input_required'"), 1);
    assert_int_equal(count(&f, "'inputRequests':{'who':{'method':'elicitation/create','params':{"
                               "'message':'Who?'}}}"),
                     1);
    buf_clear(&f.heard);
    static const char *const useless[] = {"{}", "{'other':{}}", "{'who':1}", "{'who':null}"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        snprintf(params, sizeof params,
                 "{'taskId':'%s','inputResponses':%s," MODERN(WITH_TASKS) "}", t->id, useless[i]);
        ask(&f, NULL, "3", "tasks/update", params);
        HEARD(&f, "200 {'id':3,'result':{'resultType':'complete',META}}\n");
        assert_int_equal(t->status, MCP_TASK_INPUT_REQUIRED);
    }
    snprintf(params, sizeof params, "{'taskId':'%s','inputResponses':[]," MODERN(WITH_TASKS) "}",
             t->id);
    ask(&f, NULL, "3", "tasks/update", params);
    HEARD(&f, "200 {'id':3,'error':{'code':-32602,'message':'inputResponses must be an object, not "
              "an array'}}\n");
    snprintf(params, sizeof params,
             "{'taskId':'%s','inputResponses':{'who':{'action':'accept','content':{'name':'Ann'}}}"
             "," MODERN(WITH_TASKS) "}",
             t->id);
    ask(&f, NULL, "4", "tasks/update", params);
    HEARD(&f, "200 {'id':4,'result':{'resultType':'complete',META}}\n");
    assert_int_equal(t->status, MCP_TASK_COMPLETED);
    assert_true(str_find(buf_str(&t->result), STR("asked, Ann")) < t->result.n);
    ask(&f, NULL, "5", "tasks/update", params); /* no question is open */
    HEARD(&f, "200 {'id':5,'result':{'resultType':'complete',META}}\n");
    tear_down(&f);
}

TEST(a_legacy_task_asks_its_waiting_client)
{
    struct fixture f;
    char params[400];
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{'elicitation':{}}");
    s->notify = NULL;
    ask(&f, s, "1", "tools/call", "{'name':'question','task':{}}");
    struct mcp_task *t = LIST_FIRST(&f.mcp->tasks, struct mcp_task, link);
    assert_int_equal(t->status, MCP_TASK_INPUT_REQUIRED);
    snprintf(params, sizeof params, "{'taskId':'%s'}", t->id);
    buf_clear(&f.heard);
    ask(&f, s, "2", "tasks/result", params);
    char want[400];
    snprintf(want, sizeof want,
             "... {'id':1,'method':'elicitation/create','params':{'_meta':{"
             "'io.modelcontextprotocol/related-task':{'taskId':'%s'}},'message':'Who?'}}\n",
             t->id);
    HEARD(&f, want);
    say(&f, s, "{'jsonrpc':'2.0','id':1,'result':{'action':'accept','content':{'name':'Ann'}}}");
    assert_int_equal(count(&f, "200 {'id':2,'result':{"), 1);
    assert_int_equal(count(&f, "asked, Ann"), 1);

    /* An error instead of an answer fails the task. */
    ask(&f, s, "3", "tools/call", "{'name':'question','task':{}}");
    t = LIST_ITEM(f.mcp->tasks.prev, struct mcp_task, link);
    snprintf(params, sizeof params, "{'taskId':'%s'}", t->id);
    ask(&f, s, "4", "tasks/result", params);
    buf_clear(&f.heard);
    say(&f, s, "{'jsonrpc':'2.0','id':2,'error':{'code':1,'message':'no'}}");
    assert_int_equal(t->status, MCP_TASK_FAILED);
    assert_int_equal(count(&f, "200 {'id':4,'result':{"), 1);
    assert_int_equal(count(&f, "'isError':true"), 1);
    tear_down(&f);
}

/* ---- limits */

TEST(the_number_of_tasks_is_limited)
{
    struct fixture f;
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    s->notify = NULL;
    for (int i = 0; i < MCP_MAX_TASKS; i++)
        ask(&f, s, "1", "tools/call", LEGACY);
    assert_int_equal(f.mcp->task_ids.count, MCP_MAX_TASKS);
    buf_clear(&f.heard);
    ask(&f, s, "1", "tools/call", LEGACY);
    HEARD(&f, "200 {'id':1,'error':{'code':-32603,'message':'There are 1024 tasks already: wait "
              "for one to end'}}\n");
    ask(&f, NULL, "2", "tools/call", JOB); /* a modern call runs without a task instead */
    assert_false(mcp_call_is_task(f.held[MCP_MAX_TASKS]));
    assert_int_equal(f.mcp->task_ids.count, MCP_MAX_TASKS);

    /* The oldest that has ended makes room. */
    mcp_reply_text(f.held[5], STR("x"));
    mcp_reply_text(f.held[4], STR("x"));
    struct mcp_task *fourth = LIST_FIRST(&f.mcp->tasks, struct mcp_task, link);
    for (int i = 0; i < 4; i++)
        fourth = LIST_ITEM(fourth->link.next, struct mcp_task, link);
    char id[128];
    snprintf(id, sizeof id, "%s", fourth->id);
    ask(&f, s, "1", "tools/call", LEGACY);
    assert_int_equal(f.mcp->task_ids.count, MCP_MAX_TASKS);
    assert_null(map_get(&f.mcp->task_ids, str_from(id)));
    tear_down(&f);
}

static size_t result_bytes(const struct mcp *mcp)
{
    size_t sum = 0;
    LIST_EACH (&mcp->tasks, struct mcp_task, link, t)
        sum += t->result.n;
    return sum;
}

TEST(a_large_result_removes_older_results)
{
    struct fixture f;
    set_up(&f);
    size_t n = MCP_MAX_RESULTS / 4;
    struct str large = str_make(memset(mem_alloc(n), 'x', n), n);
    char id[8];
    for (int i = 0; i < 6; i++) {
        snprintf(id, sizeof id, "job-%d", i);
        f.job_id = id;
        ask(&f, NULL, "1", "tools/call", JOB);
        mcp_reply_text(f.held[i], large);
        assert_true(f.mcp->result_bytes <= MCP_MAX_RESULTS);
        assert_int_equal(f.mcp->result_bytes, result_bytes(f.mcp));
    }
    assert_null(map_get(&f.mcp->task_ids, STR("job-2"))); /* the oldest went */
    assert_non_null(map_get(&f.mcp->task_ids, STR("job-3")));
    assert_non_null(map_get(&f.mcp->task_ids, STR("job-5")));
    free((char *)(uintptr_t)large.p);
    tear_down(&f);
}

TEST(an_id_of_the_program_is_plain_and_unique)
{
    static const char *const bad[] = {"", "a b", "a\"b", "\xc3\xa9", "the-job"};
    struct fixture f;
    char too_long[MCP_TASK_ID_LEN + 1];
    set_up(&f);
    ask(&f, NULL, "1", "tools/call", JOB);
    assert_non_null(map_get(&f.mcp->task_ids, STR("the-job")));
    memset(too_long, 'a', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = 0;
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        f.job_id = i < sizeof bad / sizeof *bad ? bad[i] : too_long;
        ask(&f, NULL, "1", "tools/call", JOB);
        struct mcp_task *t = LIST_ITEM(f.mcp->tasks.prev, struct mcp_task, link);
        assert_int_equal(strlen(t->id), UUID_LEN);
    }
    tear_down(&f);
}

TEST(bad_ids_are_refused)
{
    struct fixture f;
    set_up(&f);
    ask(&f, NULL, "1", "tasks/get", "{'taskId':1," MODERN(WITH_TASKS) "}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'taskId must be a string, not "
              "a number'}}\n");
    ask(&f, NULL, "1", "tasks/cancel", "{" MODERN(WITH_TASKS) "}");
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'taskId must be a string, not "
              "missing'}}\n");
    ask(&f, NULL, "1", "tasks/update", THE);
    HEARD(&f, "200 {'id':1,'error':{'code':-32602,'message':'There is no task the-job, or it has "
              "expired'}}\n");
    tear_down(&f);
}
