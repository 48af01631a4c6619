/* What runs: results, lost links, resume, cancel, the end of the server. Spec:
 * docs/spec/10-bridge.md, 4, 7, 8 and 12. */
#include "bridge_fixture.h"

static void set_up_running(struct world *w)
{
    set_up(w);
    enter(&w->a, "ready");
    call(w, "1", "read_console", "{}");
    HEARD(w, "> execute req-1 read_console\n");
}

/* ---- results */

TEST(an_error_of_the_editor_keeps_its_text)
{
    struct world w;
    set_up_running(&w);
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error','error':{'code':'ERR_OBJECT',"
              "'message':'no \\'X\\' here','details':{'path':[1,2]}}}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION completed_error retryable\n");
    CHECK_STR(buf_str(&w.error),
              STR("{'code':'ERR_UNITY_EXECUTION','message':'ERR_OBJECT: no \\'X\\' here',"
                  "'retryable':true,'details':{'execution_guarantee':'completed_error',"
                  "'recovery_action':'read_error','tool':'read_console','request_id':'req-1',"
                  "'plugin_error_code':'ERR_OBJECT','message':'no \\'X\\' here','plugin_details':{"
                  "'path':[1,2]}}}"));
    tear_down(&w);
}

/* Of a tool that changes something another try is no good idea. */
TEST(the_tool_decides_whether_an_editor_error_is_retryable)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", "{'action':'remove','game_object_path':'/P','index':1}");
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error'}");
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 ! ERR_UNITY_EXECUTION completed_error\n");
    CHECK_STR(buf_str(&w.error),
              STR("{'code':'ERR_UNITY_EXECUTION','message':'The editor answered with an error "
                  "without a code','retryable':false,'details':{'execution_guarantee':"
                  "'completed_error','recovery_action':'read_error','tool':'manage_component',"
                  "'request_id':'req-1','plugin_error_code':'','message':''}}"));
    tear_down(&w);
}

TEST(an_error_message_about_a_request_ends_it)
{
    struct world w;
    set_up_running(&w);
    say(&w.a, "{'type':'error','request_id':'req-1','error':{'code':'ERR_UNKNOWN_COMMAND',"
              "'message':'what?'}}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION completed_error retryable\n");
    tear_down(&w);
}

TEST(an_error_message_about_nothing_ends_nothing)
{
    struct world w;
    set_up_running(&w);
    say(&w.a, "{'type':'error','error':{'code':'ERR_UNKNOWN_REQUEST'}}");
    say(&w.a, "{'type':'error','request_id':'req-2','error':{'code':'ERR_UNKNOWN_REQUEST'}}");
    say(&w.a, "{'type':'error'}");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_malformed_result_fails_the_call)
{
    static const char *const results[] = {
        "{'type':'result','request_id':'req-1','status':'ok'}",
        "{'type':'result','request_id':'req-1','status':'ok','result':null}",
        "{'type':'result','request_id':'req-1','status':'ok','result':[1]}",
        "{'type':'result','request_id':'req-1','status':'ok','result':'text'}",
        "{'type':'result','request_id':'req-1','status':'fine','result':{}}",
        "{'type':'result','request_id':'req-1','result':{}}",
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct world w;
        set_up_running(&w);
        call(&w, "2", "read_console", "{}");
        say(&w.a, results[i]);
        HEARD(&w, "1 ! ERR_INVALID_RESPONSE unknown\n"
                  "> execute req-2 read_console\n");
        tear_down(&w);
    }
}

TEST(a_truncated_result_fails_the_call)
{
    struct world w;
    set_up_running(&w);
    say(&w.a, "{'type':'result','request_id':'req-1','status':'ok','result':{'entries':[{'mes");
    HEARD(&w, "1 ! ERR_INVALID_RESPONSE unknown\n"
              "> error ERR_INVALID_REQUEST\n");
    CHECK_STR(buf_str(&w.error),
              STR("{'code':'ERR_INVALID_RESPONSE','message':'The editor\"s answer could not be "
                  "read (the message is not JSON: at byte 85: unexpected end): whether "
                  "read_console was done is not known','retryable':false,'details':{"
                  "'execution_guarantee':'unknown','recovery_action':"
                  "'inspect_state_then_retry_if_needed','tool':'read_console','request_id':"
                  "'req-1'}}"));
    tear_down(&w);
}

TEST(an_answer_that_was_too_large_for_the_link_fails_the_call)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    close_with(&w.a, WS_CLOSE_TOO_BIG);
    HEARD(&w, "1 ! ERR_INVALID_RESPONSE unknown\n");
    enter(&w.a, "ready"); /* sent again it would end this connection, too */
    HEARD(&w, "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(a_job_result_that_was_too_large_fails_the_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say_accepted(&w.a, "req-1", "job-1");
    close_with(&w.a, WS_CLOSE_TOO_BIG);
    buf_clear(&w.heard);
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_find(buf_str(&w.heard), STR("'error':{'code':'ERR_INVALID_RESPONSE'")) <
                w.heard.n);
    buf_clear(&w.heard);
    enter(&w.a, "ready");
    HEARD(&w, "");
    tear_down(&w);
}

/* It may be the answer of either, and would end one connection after the other. */
TEST(a_message_that_was_too_large_ends_the_call_and_the_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say_accepted(&w.a, "req-1", "job-1");
    call(&w, "2", "read_console", "{}");
    buf_clear(&w.heard);
    close_with(&w.a, WS_CLOSE_TOO_BIG);
    HEARD(&w, "2 ! ERR_INVALID_RESPONSE unknown\n");
    enter(&w.a, "ready");
    HEARD(&w, ""); /* nothing is taken up again */
    tear_down(&w);
}

TEST(late_and_duplicate_messages_are_dropped)
{
    struct world w;
    set_up_running(&w);
    say_result(&w.a, "req-1", "{'n':1}");
    say_result(&w.a, "req-1", "{'n':2}");
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error'}");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'cancelled'}");
    say(&w.a, "{'type':'submit_job_result','request_id':'req-1','status':'accepted'}");
    say_result(&w.a, "nobody", "{}");
    say_result(&w.a, "", "{}");
    HEARD(&w, "1 {'n':1}\n");
    call(&w, "2", "run_tests", "{}");
    say_result(&w.a, "req-2", "{}"); /* a submission is answered by submit_job_result */
    HEARD(&w, "> submit_job req-2 job-1 run_tests\n");
    say_accepted(&w.a, "req-2", "job-1");
    call(&w, "3", "read_console", "{}");
    say(&w.a, "{'type':'submit_job_result','request_id':'req-3','status':'rejected'}");
    HEARD(&w, "2 {'job_id':'job-1','state':'running'}\n"
              "> execute req-3 read_console\n");
    tear_down(&w);
}

/* ---- the link is lost */

TEST(a_result_that_was_lost_with_the_link_is_sent_again)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    leave(&w.a);
    pass(&w, 5000);
    enter(&w.a, "ready");
    HEARD(&w, "> resume ['req-1'] []\n"); /* and nothing is executed twice */
    say_result(&w.a, "req-1", "{'n':1}");
    HEARD(&w, "1 {'n':1}\n"
              "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(a_request_unknown_to_the_editor_fails_with_guarantee_unknown)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    leave(&w.a);
    enter(&w.a, "ready");
    say(&w.a, "{'type':'error','request_id':'req-1','error':{'code':'ERR_UNKNOWN_REQUEST'}}");
    HEARD(&w, "> resume ['req-1'] []\n"
              "1 ! ERR_RECONNECT_TIMEOUT unknown\n"
              "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(a_submission_unknown_to_the_editor_fails_with_its_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    leave(&w.a);
    enter(&w.a, "ready");
    say(&w.a, "{'type':'error','request_id':'req-1','error':{'code':'ERR_UNKNOWN_REQUEST'}}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "> resume ['req-1'] ['job-1']\n"
              "> get_job_status job-1\n"
              "1 ! ERR_RECONNECT_TIMEOUT unknown\n");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_find(buf_str(&w.heard), STR("'state':'failed'")) < w.heard.n);
    buf_clear(&w.heard);
    say(&w.a, "{'type':'error','job_id':'job-1','error':{'code':'ERR_JOB_NOT_FOUND'}}");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_request_that_still_runs_is_waited_for)
{
    struct world w;
    set_up_running(&w);
    leave(&w.a);
    pass(&w, 2000);
    enter(&w.a, "ready");
    buf_clear(&w.heard);
    pass_alive(&w, 7999);
    HEARD(&w, "");
    pass(&w, 1); /* the time counts from when it was sent */
    HEARD(&w, "1 ! ERR_REQUEST_TIMEOUT unknown\n");
    tear_down(&w);
}

TEST(a_request_fails_if_its_editor_does_not_reconnect)
{
    struct world w;
    make_world(&w);
    w.limits.request_reconnect_wait_ms = 3000;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    pass(&w, 5000);
    leave(&w.a);
    pass(&w, 2999);
    HEARD(&w, "> execute req-1 read_console\n");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_RECONNECT_TIMEOUT unknown\n");
    enter(&w.a, "ready");
    HEARD(&w, "");
    tear_down(&w);
}

/* Each absence counts for itself. */
TEST(a_reconnect_restarts_the_wait_for_the_editor)
{
    struct world w;
    make_world(&w);
    w.limits.request_reconnect_wait_ms = 3000;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    leave(&w.a);
    pass(&w, 2000);
    enter(&w.a, "ready");
    leave(&w.a);
    pass(&w, 2000);
    enter(&w.a, "ready");
    HEARD(&w, "> execute req-1 read_console\n"
              "> resume ['req-1'] []\n"
              "> resume ['req-1'] []\n");
    tear_down(&w);
}

TEST(a_deadline_passes_also_while_the_link_is_lost)
{
    struct world w;
    set_up_running(&w);
    leave(&w.a);
    pass(&w, 10000);
    HEARD(&w, "1 ! ERR_REQUEST_TIMEOUT unknown\n");
    enter(&w.a, "ready");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(running_calls_continue_while_the_editor_compiles)
{
    struct world w;
    set_up_running(&w);
    say_status(&w.a, 1, "compiling");
    pass(&w, 1000);
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "1 {}\n");
    tear_down(&w);
}

/* ---- cancel */

TEST(a_call_that_waits_for_the_editor_is_cancelled_and_never_sent)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "run_tests", "{}");
    cancel(&w, "1");
    cancel(&w, "3");
    enter(&w.a, "ready");
    HEARD(&w, "1 -\n"
              "3 -\n"
              "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(a_queued_call_is_cancelled_and_never_sent)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "read_console", "{}");
    cancel(&w, "2");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "2 -\n"
              "1 {}\n"
              "> execute req-3 read_console\n");
    tear_down(&w);
}

/* No tool that answers at once supports cancel: the editor is not told, and finishes. */
TEST(a_running_call_holds_the_slot_until_its_end)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    cancel(&w, "1");
    HEARD(&w, "1 -\n");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(an_editor_that_stops_a_call_by_itself_ends_it)
{
    struct world w;
    set_up_running(&w);
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'rejected'}");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'cancel_requested'}");
    say(&w.a, "{'type':'cancel_result'}");
    HEARD(&w, "");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'cancelled'}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION completed_error retryable\n");
    assert_true(str_find(buf_str(&w.error), STR("'plugin_error_code':'ERR_CANCELLED'")) <
                w.error.n);
    tear_down(&w);
}

TEST(a_modern_client_that_hangs_up_cancels)
{
    struct world w;
    set_up(&w);
    ask_modern(&w, "1", "tools/call", "'name':'read_console','arguments':{}");
    ask_modern(&w, "2", "tools/call", "'name':'read_console','arguments':{}");
    hang_up(&w, "1");
    enter(&w.a, "ready");
    HEARD(&w, "> execute req-2 read_console\n");
    hang_up(&w, "2");
    say_result(&w.a, "req-2", "{}");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(the_calls_of_a_session_end_with_it)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "run_tests", "{}");
    buf_clear(&w.heard);
    mcp_session_end(w.s);
    settle(&w);
    HEARD(&w, "1 error -32603\n"
              "2 error -32603\n");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "> submit_job req-3 job-1 run_tests\n"); /* its client has the id */
    tear_down(&w);
}

/* ---- the end */

TEST(every_call_is_answered_when_the_server_stops)
{
    struct world w;
    set_up_running(&w);
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "run_tests", "{}");
    call(&w, "4", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    buf_clear(&w.heard);
    stop_bridge(&w);
    settle(&w);
    struct str rest = buf_str(&w.heard), line;
    str_cut(&rest, '\n', &line);
    CHECK_STR(line, STR("2 ! ERR_EDITOR_NOT_READY not_executed retryable"));
    str_cut(&rest, '\n', &line);
    assert_true(str_starts(line, STR("4 {'job_id':'job-1','tool':'run_tests','state':'failed'")));
    assert_true(str_find(line, STR("'error':{'code':'ERR_EDITOR_NOT_READY'")) < line.n);
    CHECK_STR(rest, STR("1 ! ERR_RECONNECT_TIMEOUT unknown\n"
                        "> closed 1001\n"));
    assert_true(bridge_is_quiet(w.b));
    tear_down(&w);
}

TEST(a_running_job_ends_with_the_server)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'wait_ms':20000}");
    say_accepted(&w.a, "req-1", "job-1");
    buf_clear(&w.heard);
    stop_bridge(&w);
    assert_true(str_starts(buf_str(&w.heard), STR("1 {'job_id':'job-1','tool':'run_tests','state':"
                                                  "'failed'")));
    assert_true(str_find(buf_str(&w.heard), STR("'error':{'code':'ERR_RECONNECT_TIMEOUT'")) <
                w.heard.n);
    tear_down(&w);
}

TEST(a_submission_without_an_answer_ends_with_the_server)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    buf_clear(&w.heard);
    stop_bridge(&w);
    HEARD(&w, "1 ! ERR_RECONNECT_TIMEOUT unknown\n");
    tear_down(&w);
}

TEST(a_stopping_server_refuses_calls)
{
    struct world w;
    set_up(&w);
    open_link(&w.second); /* has not said hello */
    stop_bridge(&w);
    stop_bridge(&w);
    settle(&w);
    HEARD(&w, "b> closed 1001\n");
    assert_null(link_local_open(w.b, on_editor_message, on_editor_closed, &w.a));
    ask_modern(&w, "1", "tools/call", "'name':'read_console','arguments':{}");
    ask_modern(&w, "2", "tools/call", "'name':'get_editor_state','arguments':{}");
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n"
              "2 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    tear_down(&w);
}

TEST(a_server_can_stop_while_it_waits_for_a_lost_editor)
{
    struct world w;
    set_up_running(&w);
    leave(&w.a);
    stop_bridge(&w);
    HEARD(&w, "1 ! ERR_RECONNECT_TIMEOUT unknown\n");
    pass(&w, 60000);
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_server_that_was_never_started_can_stop)
{
    struct world w;
    make_world(&w);
    open_world(&w);
    call(&w, "1", "read_console", "{}");
    stop_bridge(&w);
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    tear_down(&w);
    bridge_free(NULL);
}
