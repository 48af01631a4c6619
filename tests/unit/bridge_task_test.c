/* Jobs, later: cancel_job, a link that goes and comes, MCP tasks, the store. Spec:
 * docs/spec/10-bridge.md, 6 and 7. */
#include "bridge_fixture.h"

/* ---- cancel_job: the table of section 7 */

TEST(a_queued_job_is_cancelled_and_never_sent)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "run_tests", "{}");
    call(&w, "3", "run_tests", "{}");
    call(&w, "4", "cancel_job", "{'job_id':'job-2'}");
    HEARD(&w, "2 {'job_id':'job-2','state':'queued'}\n"
              "3 {'job_id':'job-3','state':'queued'}\n"
              "4 {'job_id':'job-2','status':'cancelled','state':'cancelled'}\n");
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "> submit_job req-3 job-3 run_tests\n");
    call(&w, "5", "get_job_status", "{'job_id':'job-2'}");
    HEARD(&w, "5 " STATUS("job-2",
                          "cancelled") "'progress':null,'submitted_at':'T','finished_at':'T'}\n");
    tear_down(&w);
}

TEST(a_queued_job_that_waits_for_the_editor_is_cancelled_too)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "run_tests", "{}");
    say_status(&w.a, 1, "compiling");
    call(&w, "3", "cancel_job", "{'job_id':'job-2'}");
    say_job(&w.a, "job-1", "cancelled", "");
    say_status(&w.a, 2, "ready");
    HEARD(&w, "2 {'job_id':'job-2','state':'queued'}\n"
              "3 {'job_id':'job-2','status':'cancelled','state':'cancelled'}\n");
    tear_down(&w);
}

TEST(a_running_job_is_asked_to_stop_and_reports_its_end)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "cancel_job", "{'job_id':'job-1'}");
    HEARD(&w, "2 {'job_id':'job-1','status':'cancel_requested','state':'running'}\n"
              "> cancel job-1\n");
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-1','status':'cancel_requested'}");
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-1','status':'rejected'}");
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "3 " RUNNING);
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-1','status':'cancelled'}");
    call(&w, "4", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "4 " CANCELLED);
    tear_down(&w);
}

TEST(a_job_that_has_ended_stays_as_it_is)
{
    static const char *const ends[] = {"succeeded", "failed", "timeout", "cancelled"};
    for (size_t i = 0; i < 4; i++) {
        struct world w;
        struct buf want = {0};
        set_up_job(&w);
        say_job(&w.a, "job-1", ends[i], ",'result':{}");
        call(&w, "2", "cancel_job", "{'job_id':'job-1'}");
        buf_printf(&want, "2 {'job_id':'job-1','status':'rejected','state':'%s'}\n", ends[i]);
        HEARD(&w, want.p);
        buf_done(&want);
        tear_down(&w);
    }
}

TEST(only_jobs_can_be_cancelled)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "cancel_job", "{'job_id':'job-1'}");
    call(&w, "2", "cancel_job", "{'job_id':'job-zzzzzz-1'}"); /* of another run */
    call(&w, "3", "cancel_job", "{'job_id':''}");
    call(&w, "4", "cancel_job", "{'job_id':'req-1'}"); /* a control call */
    call(&w, "5", "get_job_status", "{'job_id':'req-1'}");
    HEARD(&w, "1 ! ERR_JOB_NOT_FOUND not_executed\n"
              "2 ! ERR_JOB_NOT_FOUND not_executed\n"
              "3 ! ERR_JOB_NOT_FOUND not_executed\n"
              "4 ! ERR_CANCEL_NOT_SUPPORTED not_executed\n"
              "5 ! ERR_JOB_NOT_FOUND not_executed\n");
    assert_true(str_find(buf_str(&w.error), STR("'request_id':'req-5'")) < w.error.n);
    tear_down(&w);
}

TEST(an_editor_cannot_cancel_a_job_it_was_never_sent)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "run_tests", "{}");
    say(&w.a, "{'type':'cancel_result','target_job_id':'job-2','status':'cancelled'}");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-2','status':'cancelled'}");
    say_job(&w.a, "job-2", "succeeded", ",'result':{}");
    say_accepted(&w.a, "req-2", "job-2");
    call(&w, "3", "get_job_status", "{'job_id':'job-2'}");
    HEARD(&w, "2 {'job_id':'job-2','state':'queued'}\n"
              "3 " STATUS("job-2",
                          "queued") "'progress':null,'submitted_at':'T','queue_position':1}\n");
    tear_down(&w);
}

/* ---- the link goes and comes */

TEST(a_job_outlives_the_link)
{
    struct world w;
    set_up_job(&w);
    leave(&w.a);
    pass(&w, 44999);
    enter(&w.a, "ready");
    HEARD(&w, "> resume [] ['job-1']\n"
              "> get_job_status job-1\n");
    say_job(&w.a, "job-1", "running", ",'progress':{'done':4}");
    pass(&w, 10000);
    say_job(&w.a, "job-1", "succeeded", ",'result':{}");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_starts(buf_str(&w.heard), STR("2 " STATUS("job-1", "succeeded"))));
    tear_down(&w);
}

TEST(a_job_unknown_to_the_editor_fails_with_guarantee_unknown)
{
    static const char *const words[] = {
        "{'type':'error','error':{'code':'ERR_JOB_NOT_FOUND','details':{'job_id':'job-1'}}}",
        "{'type':'error','job_id':'job-1','error':{'code':'ERR_JOB_NOT_FOUND'}}",
        "{'type':'error','error':{'code':'ERR_JOB_NOT_FOUND'}}",
    };
    for (size_t i = 0; i < 3; i++) {
        struct world w;
        set_up_job(&w);
        leave(&w.a);
        enter(&w.a, "ready");
        call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
        buf_clear(&w.heard);
        say(&w.a, words[i]);
        assert_true(str_starts(
            buf_str(&w.heard),
            STR("2 " STATUS("job-1", "failed") "'progress':null," TIMES3
                                               ",'error':{'code':'ERR_RECONNECT_TIMEOUT'")));
        assert_true(str_find(buf_str(&w.heard), STR("'execution_guarantee':'unknown'")) <
                    w.heard.n);
        tear_down(&w);
    }
}

TEST(an_error_about_another_job_is_not_about_this_one)
{
    struct world w;
    set_up_job(&w);
    say(&w.a, "{'type':'error','job_id':'job-9','error':{'code':'ERR_JOB_NOT_FOUND'}}");
    say(&w.a, "{'type':'error','error':{'code':'ERR_JOB_NOT_FOUND','details':{'job_id':'job-9'}}}");
    say(&w.a, "{'type':'error','error':{'code':'ERR_SOMETHING'}}");
    call(&w, "2", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "2 " RUNNING);
    tear_down(&w);
}

TEST(a_job_fails_if_its_editor_does_not_reconnect)
{
    struct world w;
    set_up_job(&w);
    leave(&w.a);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    pass(&w, 44999);
    buf_clear(&w.heard);
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':20000}");
    pass(&w, 1);
    assert_true(
        str_starts(buf_str(&w.heard),
                   STR("3 " STATUS("job-1", "failed") "'progress':null," TIMES3
                                                      ",'error':{'code':'ERR_RECONNECT_TIMEOUT'")));
    buf_clear(&w.heard);
    enter(&w.a, "ready"); /* nothing to ask for */
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_cancel_is_sent_again_after_a_reconnect)
{
    struct world w;
    set_up_job(&w);
    leave(&w.a);
    call(&w, "2", "cancel_job", "{'job_id':'job-1'}");
    enter(&w.a, "ready");
    HEARD(&w, "2 {'job_id':'job-1','status':'cancel_requested','state':'running'}\n"
              "> resume [] ['job-1']\n"
              "> get_job_status job-1\n"
              "> cancel job-1\n");
    tear_down(&w);
}

TEST(the_cancel_of_a_client_that_left_is_sent_again_too)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    leave(&w.a);
    cancel(&w, "1");
    enter(&w.a, "ready");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 -\n"
              "> resume ['req-1'] ['job-1']\n"
              "> get_job_status job-1\n"
              "> cancel job-1\n");
    tear_down(&w);
}

/* ---- tasks */

TEST(a_submission_can_be_an_mcp_task)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    ask_modern(&w, "1", "tools/call", "'name':'run_tests','arguments':{}");
    say_accepted(&w.a, "req-1", "job-1");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 task job-1 working\n");
    ask_modern(&w, "2", "tasks/get", "'taskId':'job-1'");
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}"); /* the same by the other name */
    HEARD(&w, "2 task job-1 working\n"
              "3 " RUNNING);
    say_job(&w.a, "job-1", "succeeded", ",'result':" SUMMARY);
    ask_modern(&w, "4", "tasks/get", "'taskId':'job-1'");
    HEARD(&w,
          "4 task job-1 completed\n"
          "4 " STATUS("job-1", "succeeded") "'progress':null," TIMES3 ",'result':" SUMMARY "}\n");
    tear_down(&w);
}

TEST(a_task_whose_job_fails_has_an_error_for_its_result)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    ask_modern(&w, "1", "tools/call", "'name':'run_tests','arguments':{}");
    say_accepted(&w.a, "req-1", "job-1");
    say_job(&w.a, "job-1", "cancelled", "");
    buf_clear(&w.heard);
    ask_modern(&w, "2", "tasks/get", "'taskId':'job-1'");
    HEARD(&w, "2 task job-1 completed\n"
              "2 ! " CANCELLED);
    tear_down(&w);
}

TEST(a_task_whose_job_has_ended_before_it_was_accepted_ends_too)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    ask_modern(&w, "1", "tools/call", "'name':'run_tests','arguments':{}");
    say_job(&w.a, "job-1", "succeeded", ",'result':" SUMMARY);
    ask_modern(&w, "2", "tasks/get", "'taskId':'job-1'");
    HEARD(&w,
          "> submit_job req-1 job-1 run_tests\n"
          "1 task job-1 working\n"
          "2 task job-1 completed\n"
          "2 " STATUS("job-1", "succeeded") "'progress':null," TIMES3 ",'result':" SUMMARY "}\n");
    tear_down(&w);
}

TEST(a_task_that_is_cancelled_cancels_its_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    ask_modern(&w, "1", "tools/call", "'name':'run_tests','arguments':{}");
    say_accepted(&w.a, "req-1", "job-1");
    ask_modern(&w, "2", "tools/call", "'name':'run_tests','arguments':{}"); /* queued */
    ask_modern(&w, "3", "tasks/cancel", "'taskId':'job-2'");
    ask_modern(&w, "4", "tasks/cancel", "'taskId':'job-1'");
    call(&w, "5", "get_job_status", "{'job_id':'job-2'}");
    buf_clear(&w.messages);
    assert_true(str_find(buf_str(&w.heard), STR("> cancel job-1\n")) < w.heard.n);
    assert_true(str_find(buf_str(&w.heard), STR("> cancel job-2\n")) == w.heard.n);
    assert_true(str_find(buf_str(&w.heard), STR("5 " STATUS("job-2", "cancelled"))) < w.heard.n);
    buf_clear(&w.heard);
    say_job(&w.a, "job-1", "cancelled", "");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(the_progress_of_a_job_reaches_its_waiters)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call_with_progress(&w, "2", "run_tests", "{'wait_ms':20000}");
    pass(&w, 1000);
    say_result(&w.a, "req-1", "{}");
    say_accepted(&w.a, "req-2", "job-1");
    pass(&w, 1000);
    say_job(&w.a, "job-1", "running", ",'progress':{'done':1,'total':2,'current':'A'}");
    pass(&w, 1000);
    say_job(&w.a, "job-1", "running", ",'progress':{'done':2,'total':2,'current':'B'}");
    HEARD(&w, "> execute req-1 read_console\n"
              "2 ... 1 1 ahead in the queue\n"
              "1 {}\n"
              "> submit_job req-2 job-1 run_tests\n"
              "2 ... 2 A\n"
              "2 ... 3 B\n");
    tear_down(&w);
}

/* ---- the store */

TEST(ended_jobs_stay_readable_for_an_hour_and_the_last_ones_longer)
{
    struct world w;
    make_world(&w);
    w.limits.job_keep_count = 2;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    for (int i = 1; i <= 3; i++) {
        char id[24], job[24];
        snprintf(id, sizeof id, "req-%d", i);
        snprintf(job, sizeof job, "job-%d", i);
        call(&w, "1", "run_tests", "{}");
        say_accepted(&w.a, id, job);
        say_job(&w.a, job, "cancelled", "");
    }
    pass_alive(&w, 3600001);
    assert_int_equal(w.b->job_ids.count, 3);
    call(&w, "9", "run_tests", "{}"); /* the next one makes room */
    buf_clear(&w.heard);
    call(&w, "1", "get_job_status", "{'job_id':'job-1'}");
    call(&w, "2", "get_job_status", "{'job_id':'job-2'}");
    call(&w, "3", "get_job_status", "{'job_id':'job-3'}");
    HEARD(&w, "1 ! ERR_JOB_NOT_FOUND not_executed\n"
              "2 " STATUS("job-2", "cancelled") "'progress':null," TIMES3 "}\n"
                                                "3 " STATUS("job-3",
                                                            "cancelled") "'progress':null," TIMES3
                                                                         "}\n");
    tear_down(&w);
}

/* With any limits: the answer with the job that just ended is still on its way. */
TEST(a_job_is_not_freed_while_it_ends)
{
    struct world w;
    make_world(&w);
    w.limits.job_keep_count = 1;
    w.limits.job_keep_ms = 0;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    call(&w, "2", "run_tests", "{}");
    call(&w, "3", "run_tests", "{}");
    call(&w, "4", "cancel_job", "{'job_id':'job-2'}");
    call(&w, "5", "cancel_job", "{'job_id':'job-3'}");
    buf_clear(&w.heard);
    say(&w.a, "{'type':'submit_job_result','request_id':'req-1','status':'rejected'}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION completed_error\n");
    assert_true(str_find(buf_str(&w.error), STR("'job_id':'job-1'")) < w.error.n);
    tear_down(&w);
}

TEST(a_long_job_does_not_keep_ended_ones)
{
    struct world w;
    make_world(&w);
    w.limits.job_keep_count = 1;
    w.limits.job_keep_ms = 1000;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say_accepted(&w.a, "req-1", "job-1");
    for (int i = 2; i <= 20; i++) {
        char job[40];
        call(&w, "2", "run_tests", "{}");
        snprintf(job, sizeof job, "{'job_id':'job-%d'}", i);
        call(&w, "3", "cancel_job", job);
        pass_alive(&w, 2000);
    }
    assert_true(w.b->job_ids.count <= 3);
    tear_down(&w);
}

/* The n-th job, from its submission to its end. */
static void run_job(struct world *w, size_t n, const char *result)
{
    char request[24], job[24];
    snprintf(request, sizeof request, "req-%zu", n);
    snprintf(job, sizeof job, "job-%zu", n);
    call(w, "1", "run_tests", "{}");
    say_accepted(&w->a, request, job);
    say_job(&w->a, job, "succeeded", result);
    buf_clear(&w->heard);
    pass_alive(w, 1); /* what ended just now is kept in any case */
}

/* All of them in the hour for which they are to be readable. */
TEST(at_most_16384_ended_jobs_are_kept)
{
    enum {
        MOST = 16384
    };
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    for (size_t i = 1; i <= MOST; i++)
        run_job(&w, i, ",'result':{}");
    assert_int_equal(w.b->job_ids.count, MOST);
    for (size_t i = MOST + 1; i <= MOST + 10; i++)
        run_job(&w, i, ",'result':{}");
    assert_in_range(w.b->job_ids.count, MOST, MOST + 1);
    call(&w, "1", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "1 ! ERR_JOB_NOT_FOUND not_executed\n");
    tear_down(&w);
}

TEST(at_most_64_mib_of_results_are_kept)
{
    const size_t most = 64u << 20;
    struct world w;
    struct buf result = {0};
    set_up(&w);
    enter(&w.a, "ready");
    buf_add(&result, STR(",'result':{'log':'"));
    while (result.n < 4u << 20)
        buf_add(&result, STR("the same line again and again, and again, and again; "));
    buf_add(&result, STR("'}"));
    for (size_t i = 1; i <= 15; i++)
        run_job(&w, i, result.p);
    assert_int_equal(w.b->job_ids.count, 15);
    for (size_t i = 16; i <= 24; i++)
        run_job(&w, i, result.p);
    assert_in_range(w.b->ended_bytes, most - (8u << 20), most + (8u << 20));
    assert_in_range(w.b->job_ids.count, 14, 17);
    call(&w, "1", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "1 ! ERR_JOB_NOT_FOUND not_executed\n");
    buf_done(&result);
    tear_down(&w);
}
