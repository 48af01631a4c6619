/* Jobs: submission, their ends, progress, long polls. Spec: docs/spec/10-bridge.md, 6. */
#include "bridge_fixture.h"

/* ---- submission */

TEST(a_submission_is_answered_when_the_editor_has_taken_it)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    buf_clear(&w.messages);
    call(&w, "1", "run_tests",
         "{'mode':'play','client_request_id':'mine','timeout_ms':1800000,'wait_ms':0}");
    CHECK_STR(buf_str(&w.messages),
              STR("{'type':'submit_job','protocol_version':1,'request_id':'req-1',"
                  "'client_request_id':'mine','job_id':'job-1','tool_name':'run_tests','params':{"
                  "'mode':'play'},'timeout_ms':1800000}\n"));
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n");
    say_accepted(&w.a, "req-1", "job-1");
    HEARD(&w, "1 {'job_id':'job-1','state':'running'}\n");
    say_accepted(&w.a, "req-1", "job-1"); /* once more: dropped */
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_rejected_submission_is_an_error_with_the_editors_reason)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say(&w.a, "{'type':'submit_job_result','request_id':'req-1','status':'rejected','error':{"
              "'code':'ERR_PLAYING','message':'in play mode'}}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 ! ERR_UNITY_EXECUTION completed_error\n");
    assert_true(str_find(buf_str(&w.error), STR("'job_id':'job-1','plugin_error_code':"
                                                "'ERR_PLAYING','message':'in play mode'")) <
                w.error.n);
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_starts(buf_str(&w.heard), STR("2 " STATUS("job-1", "failed"))));
    tear_down(&w);
}

TEST(a_malformed_answer_fails_the_submission)
{
    static const char *const answers[] = {
        "{'type':'submit_job_result','request_id':'req-1','status':'perhaps'}",
        "{'type':'submit_job_result','request_id':'req-1'}",
        "{'type':'submit_job_result','request_id':'req-1','status':'accepted','job_id':'job-7'}",
        "{'type':'submit_job_result','request_id':'req-1','status':'acc",
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct world w;
        set_up(&w);
        enter(&w.a, "ready");
        call(&w, "1", "run_tests", "{}");
        buf_clear(&w.heard);
        say(&w.a, answers[i]);
        assert_true(str_starts(buf_str(&w.heard), STR("1 ! ERR_INVALID_RESPONSE unknown\n")));
        buf_clear(&w.heard);
        call(&w, "2", "run_tests", "{}"); /* nothing is in the way of the next one */
        HEARD(&w, "> submit_job req-2 job-2 run_tests\n");
        tear_down(&w);
    }
}

TEST(a_job_has_no_id_before_the_editor_is_ready)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "run_tests", "{}");
    pass(&w, 44999);
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "2 ! ERR_JOB_NOT_FOUND not_executed\n");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    assert_true(str_find(buf_str(&w.error), STR("job_id")) == w.error.n);
    tear_down(&w);
}

TEST(a_submission_that_waited_is_answered_when_the_editor_is_ready)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "run_tests", "{'filter':'a'}");
    call(&w, "2", "run_tests", "{'filter':'b'}");
    enter(&w.a, "ready");
    HEARD(&w, "2 {'job_id':'job-2','state':'queued'}\n"
              "> submit_job req-1 job-1 run_tests\n");
    say_accepted(&w.a, "req-1", "job-1");
    buf_clear(&w.messages);
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "1 {'job_id':'job-1','state':'running'}\n"
              "> submit_job req-2 job-2 run_tests\n");
    assert_true(str_find(buf_str(&w.messages), STR("'params':{'filter':'b'}")) < w.messages.n);
    tear_down(&w);
}

/* ---- the end, as the editor reports it */

TEST(every_end_of_a_job_can_be_read)
{
    static const struct {
        const char *state, *more, *want;
    } rows[] = {
        {"succeeded", ",'result':{ 'n' : 1 }",
         STATUS("job-1", "succeeded") "'progress':null," TIMES3 ",'result':{'n':1}}\n"},
        {"succeeded", "",
         STATUS("job-1", "failed") "'progress':null," TIMES3
                                   ",'error':{'code':'ERR_INVALID_RESPONSE'"},
        {"succeeded", ",'result':[1]", STATUS("job-1", "failed")},
        {"failed", ",'error':{'code':'E','message':'no tests'},'result':{'n':0}",
         STATUS("job-1", "failed") "'progress':null," TIMES3
                                   ",'result':{'n':0},'error':{'code':'ERR_UNITY_EXECUTION','"
                                   "message':'E: no tests'"},
        {"failed", "",
         STATUS("job-1", "failed") "'progress':null," TIMES3
                                   ",'error':{'code':'ERR_UNITY_EXECUTION'"},
        {"timeout", "",
         STATUS("job-1", "timeout") "'progress':null," TIMES3
                                    ",'error':{'code':'ERR_REQUEST_TIMEOUT'"},
        {"timeout", ",'error':{'code':'E'}",
         STATUS("job-1", "timeout") "'progress':null," TIMES3
                                    ",'error':{'code':'ERR_UNITY_EXECUTION'"},
        {"cancelled", "", CANCELLED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world w;
        set_up_job(&w);
        say_job(&w.a, "job-1", rows[i].state, rows[i].more);
        HEARD(&w, "");
        call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
        struct str got = str_skip(buf_str(&w.heard), 2);
        CHECK_STR(str_head(got, strlen(rows[i].want)), str_from(rows[i].want));
        buf_clear(&w.heard);
        say_job(&w.a, "job-1", "succeeded", ",'result':{}"); /* late */
        call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
        got = str_skip(buf_str(&w.heard), 2);
        CHECK_STR(str_head(got, strlen(rows[i].want)), str_from(rows[i].want));
        tear_down(&w);
    }
}

TEST(a_job_that_ends_before_its_submission_is_answered_has_ended)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    call(&w, "2", "read_console", "{}");
    say_job(&w.a, "job-1", "succeeded", ",'result':" SUMMARY);
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 " STATUS("job-1", "succeeded") "'progress':null," TIMES3 ",'result':" SUMMARY "}\n"
                                                "> execute req-2 read_console\n");
    say_accepted(&w.a, "req-1", "job-1"); /* late */
    HEARD(&w, "");
    tear_down(&w);
}

TEST(an_unknown_state_changes_nothing)
{
    struct world w;
    set_up_job(&w);
    say_job(&w.a, "job-1", "done", "");
    say_job(&w.a, "job-7", "succeeded", ",'result':{}");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "2 " RUNNING);
    tear_down(&w);
}

/* The missing part may have been the result, which the editor will not send again by itself. */
TEST(a_truncated_end_fails_the_job)
{
    struct world w;
    set_up_job(&w);
    say(&w.a, "{'type':'job_status','job_id':'job-1','state':'running','progress':{'do");
    say(&w.a, "{'type':'job_status','job_id':'job-7','state':'succeeded','result':{'do");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "2 " RUNNING);
    say(&w.a, "{'type':'job_status','job_id':'job-1','state':'succeeded','result':{'do");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n");
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_find(buf_str(&w.heard), STR("'code':'ERR_INVALID_RESPONSE'")) < w.heard.n);
    tear_down(&w);
}

TEST(a_job_times_out)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'timeout_ms':60000}");
    say_accepted(&w.a, "req-1", "job-1");
    pass_alive(&w, 59999);
    buf_clear(&w.heard);
    pass(&w, 1);
    HEARD(&w, "> cancel job-1\n");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    assert_true(
        str_starts(buf_str(&w.heard),
                   STR("2 " STATUS("job-1", "timeout") "'progress':null," TIMES3
                                                       ",'error':{'code':'ERR_REQUEST_TIMEOUT'")));
    tear_down(&w);
}

TEST(a_submission_without_an_answer_times_out_with_its_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    call(&w, "2", "read_console", "{}");
    pass_alive(&w, 300000);
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 ! ERR_REQUEST_TIMEOUT unknown\n"
              "> cancel job-1\n"
              "> execute req-2 read_console\n");
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_starts(buf_str(&w.heard), STR("3 " STATUS("job-1", "timeout"))));
    tear_down(&w);
}

/* ---- news */

TEST(progress_can_be_read)
{
    static const struct {
        const char *said, *want;
    } rows[] = {
        {"{'done':1,'total':5,'current':'A.B'}", "{'done':1,'total':5,'current':'A.B'}"},
        {"{'done':2}", "{'done':2,'total':0,'current':''}"},
        {"{'done':-2,'total':1.5,'current':7}", "{'done':0,'total':0,'current':''}"},
        {"7", "{'done':0,'total':0,'current':''}"}, /* as it was */
        {"{}", "{'done':0,'total':0,'current':''}"},
    };
    struct world w;
    set_up_job(&w);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf text = {0};
        buf_printf(&text, ",'progress':%s", rows[i].said);
        say_job(&w.a, "job-1", "running", text.p);
        call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
        buf_clear(&text);
        buf_printf(&text, "2 " STATUS("job-1", "running") "'progress':%s," TIMES2 "}\n",
                   rows[i].want);
        HEARD(&w, text.p);
        buf_done(&text);
    }
    tear_down(&w);
}

TEST(a_long_poll_ends_with_its_time)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':20000,'timeout_ms':5000}");
    pass(&w, 4999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "3 " RUNNING);
    pass_alive(&w, 14999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "2 " RUNNING);
    tear_down(&w);
}

TEST(a_long_poll_ends_with_the_job)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    say_job(&w.a, "job-1", "running", ""); /* news for in a second */
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "2 " CANCELLED "3 " CANCELLED);
    pass(&w, 2000);
    call(&w, "4", "get_job_status", "{'job_id':'job-1','wait_ms':20000}"); /* nothing to wait for */
    HEARD(&w, "4 " CANCELLED);
    tear_down(&w);
}

TEST(a_long_poll_ends_with_a_new_state_at_once)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "run_tests", "{}");
    call(&w, "3", "get_job_status", "{'job_id':'job-2','wait_ms':20000}");
    buf_clear(&w.heard);
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "3 " STATUS("job-2", "running") "'progress':null," TIMES2 "}\n"
                                              "> submit_job req-2 job-2 run_tests\n");
    tear_down(&w);
}

TEST(a_long_poll_ends_with_progress_but_not_more_than_once_a_second)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    pass(&w, 400);
    say_job(&w.a, "job-1", "running", ",'progress':{'done':1}");
    say_job(&w.a, "job-1", "running", ",'progress':{'done':2}");
    pass(&w, 599);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "2 " STATUS("job-1", "running") "'progress':{'done':2,'total':0,'current':''}," TIMES2
                                              "}\n");
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    pass(&w, 1000);
    say_job(&w.a, "job-1", "running", ",'progress':{'done':3}");
    HEARD(&w, "3 " STATUS("job-1", "running") "'progress':{'done':3,'total':0,'current':''}," TIMES2
                                              "}\n");
    tear_down(&w);
}

TEST(a_long_poll_that_is_cancelled_leaves_the_job_alone)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    cancel(&w, "2");
    HEARD(&w, "2 -\n");
    say_job(&w.a, "job-1", "running", ",'progress':{'done':3}");
    pass(&w, 20000);
    HEARD(&w, "> closed 1006\n"); /* only that it was silent */
    tear_down(&w);
}

/* ---- a submission that waits for the end */

TEST(wait_ms_returns_the_whole_status_if_the_job_ends_in_time)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'wait_ms':20000}");
    say_accepted(&w.a, "req-1", "job-1");
    say_job(&w.a, "job-1", "running", ",'progress':{'done':1}");
    pass(&w, 10000);
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n");
    say_job(&w.a, "job-1", "succeeded", ",'result':" SUMMARY);
    HEARD(&w,
          "1 " STATUS("job-1", "succeeded") "'progress':{'done':1,'total':0,'current':''}," TIMES3
                                            ",'result':" SUMMARY "}\n");
    tear_down(&w);
}

TEST(wait_ms_returns_the_id_if_the_job_runs_longer)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'wait_ms':3000}");
    pass(&w, 3000); /* it is counted from the moment the editor has it */
    say_accepted(&w.a, "req-1", "job-1");
    pass(&w, 2999);
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n");
    pass(&w, 1);
    HEARD(&w, "1 {'job_id':'job-1','state':'running'}\n");
    call(&w, "2", "run_tests", "{'wait_ms':3000}"); /* also while it is queued */
    pass(&w, 3000);
    HEARD(&w, "2 {'job_id':'job-2','state':'queued'}\n");
    tear_down(&w);
}

TEST(a_job_is_cancelled_if_its_client_leaves_before_it_gets_the_id)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'wait_ms':20000}");
    say_accepted(&w.a, "req-1", "job-1");
    cancel(&w, "1");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 -\n"
              "> cancel job-1\n");
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-1','status':'cancel_requested'}");
    call(&w, "2", "run_tests", "{'wait_ms':20000}");
    cancel(&w, "2"); /* while it is queued: never sent */
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "2 -\n");
    tear_down(&w);
}

TEST(a_job_is_not_cancelled_while_another_client_waits_for_it)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'wait_ms':5000,'client_request_id':'x'}");
    call(&w, "2", "run_tests", "{'wait_ms':5000,'client_request_id':'x'}");
    say_accepted(&w.a, "req-1", "job-1");
    cancel(&w, "1");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 -\n");
    pass(&w, 4000);
    call(&w, "3", "run_tests", "{'wait_ms':5000,'client_request_id':'x'}");
    pass(&w, 1000);
    HEARD(&w, "2 {'job_id':'job-1','state':'running'}\n");
    cancel(&w, "3"); /* one knows it by now */
    HEARD(&w, "3 -\n");
    tear_down(&w);
}

TEST(a_submission_is_cancelled_if_its_client_leaves)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    call(&w, "2", "read_console", "{}");
    cancel(&w, "1");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 -\n"
              "> cancel job-1\n");
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-1','status':'cancelled'}");
    HEARD(&w, "> execute req-2 read_console\n");
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "3 " CANCELLED);
    tear_down(&w);
}

/* The first cancel may have come before there was a job. */
TEST(a_job_accepted_without_a_waiting_client_is_cancelled)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    cancel(&w, "1");
    buf_clear(&w.heard);
    say_accepted(&w.a, "req-1", "job-1");
    HEARD(&w, "> cancel job-1\n");
    tear_down(&w);
}

TEST(a_submission_can_be_cancelled_by_its_request)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'cancelled'}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 ! ERR_UNITY_EXECUTION completed_error\n");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "2 " CANCELLED);
    tear_down(&w);
}
