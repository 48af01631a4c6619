/* client_request_id: what changes something runs once. Spec: docs/spec/10-bridge.md, 9. */
#include "bridge_fixture.h"

#define REMOVE(more)                                                                               \
    "{'action':'remove','game_object_path':'/P','index':1,'client_request_id':" more

TEST(a_repeat_gets_the_first_answer_and_does_not_run_again)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    say_result(&w.a, "req-1", "{'n':1}");
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 {'n':1}\n"
              "2 {'n':1}\n");
    tear_down(&w);
}

TEST(a_repeat_while_the_first_runs_waits_for_its_answer)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    call(&w, "2", "manage_component", REMOVE("'x','timeout_ms':500}"));
    say_result(&w.a, "req-1", "{'n':1}");
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 {'n':1}\n"
              "2 {'n':1}\n");
    tear_down(&w);
}

TEST(a_repeat_joins_one_that_waits_and_takes_no_room)
{
    struct world w;
    make_world(&w);
    w.limits.queue_max_size = 1;
    open_world(&w);
    bridge_start(w.b);
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    pass(&w, 45000);
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n"
              "2 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    tear_down(&w);
}

TEST(an_error_of_the_editor_is_an_answer_like_any_other)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error','error':{'code':'E'}}");
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 ! ERR_UNITY_EXECUTION completed_error\n"
              "2 ! ERR_UNITY_EXECUTION completed_error\n");
    assert_true(str_find(buf_str(&w.error), STR("'request_id':'req-1'")) < w.error.n);
    tear_down(&w);
}

TEST(a_call_that_may_have_run_is_not_run_again)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    pass(&w, 10000);
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 ! ERR_REQUEST_TIMEOUT unknown\n"
              "2 ! ERR_REQUEST_TIMEOUT unknown\n");
    tear_down(&w);
}

TEST(a_call_that_did_not_run_can_run_again)
{
    struct world w;
    make_world(&w);
    w.limits.queue_max_size = 1;
    open_world(&w);
    bridge_start(w.b);
    call(&w, "1", "manage_component", REMOVE("'x'}")); /* nobody comes */
    pass(&w, 45000);
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "manage_component", REMOVE("'x'}")); /* no room */
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n"
              "3 ! ERR_QUEUE_FULL not_executed retryable\n");
    enter(&w.a, "ready");
    call(&w, "4", "manage_component", REMOVE("'x'}")); /* withdrawn before it is sent */
    cancel(&w, "4");
    say_result(&w.a, "req-2", "{}");
    call(&w, "5", "manage_component", REMOVE("'x'}"));
    say_result(&w.a, "req-5", "{}");
    HEARD(&w, "> execute req-2 read_console\n"
              "4 -\n"
              "2 {}\n"
              "> execute req-5 manage_component\n"
              "5 {}\n");
    tear_down(&w);
}

TEST(the_same_id_with_other_arguments_is_refused)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    call(&w, "2", "manage_component",
         "{'action':'remove','game_object_path':'/P','index':2,'client_request_id':'x'}");
    call(&w, "3", "manage_component", REMOVE("'x','component_type':'T'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "2 ! ERR_INVALID_REQUEST not_executed\n"
              "3 ! ERR_INVALID_REQUEST not_executed\n");
    say_result(&w.a, "req-1", "{}");
    call(&w, "4", "manage_component", /* the same in another order, with its own time limit */
         "{'timeout_ms':20000,'client_request_id':'x','index':1.0,'game_object_path':'/P',"
         "'action':'remove'}");
    HEARD(&w, "1 {}\n"
              "4 {}\n");
    tear_down(&w);
}

TEST(a_missing_argument_makes_another_call)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x','component_type':'T'}"));
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "2 ! ERR_INVALID_REQUEST not_executed\n");
    tear_down(&w);
}

TEST(another_id_or_none_is_another_call)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    say_result(&w.a, "req-1", "{'n':1}");
    call(&w, "2", "manage_component", REMOVE("'y'}"));
    say_result(&w.a, "req-2", "{'n':2}");
    call(&w, "3", "manage_component", "{'action':'remove','game_object_path':'/P','index':1}");
    say_result(&w.a, "req-3", "{'n':3}");
    call(&w, "4", "manage_component", "{'action':'remove','game_object_path':'/P','index':1}");
    say_result(&w.a, "req-4", "{'n':4}");
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 {'n':1}\n"
              "> execute req-2 manage_component\n"
              "2 {'n':2}\n"
              "> execute req-3 manage_component\n"
              "3 {'n':3}\n"
              "> execute req-4 manage_component\n"
              "4 {'n':4}\n");
    tear_down(&w);
}

TEST(reading_tools_ignore_a_repeated_id)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{'client_request_id':'x'}");
    say_result(&w.a, "req-1", "{'n':1}");
    call(&w, "2", "read_console", "{'client_request_id':'x','max_entries':2}");
    say_result(&w.a, "req-2", "{'n':2}");
    HEARD(&w, "> execute req-1 read_console\n"
              "1 {'n':1}\n"
              "> execute req-2 read_console\n"
              "2 {'n':2}\n");
    tear_down(&w);
}

TEST(an_answer_is_remembered_for_ten_minutes)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    pass(&w, 5000);
    say_result(&w.a, "req-1", "{'n':1}");
    pass_alive(&w, 599999);
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    pass(&w, 1);
    call(&w, "3", "manage_component", REMOVE("'x'}"));
    HEARD(&w, "> execute req-1 manage_component\n"
              "1 {'n':1}\n"
              "2 {'n':1}\n"
              "> execute req-3 manage_component\n");
    tear_down(&w);
}

TEST(the_oldest_of_too_many_answers_is_dropped)
{
    struct world w;
    char text[160];
    set_up(&w);
    enter(&w.a, "ready");
    for (int i = 1; i <= 4098; i++) {
        snprintf(text, sizeof text, REMOVE("'id-%d'}"), i);
        call(&w, "1", "manage_component", text);
        snprintf(text, sizeof text, "req-%d", i);
        say_result(&w.a, text, "{}");
    }
    assert_true(w.b->dedupe.count <= 4097);
    buf_clear(&w.heard);
    call(&w, "2", "manage_component", REMOVE("'id-4098'}"));
    HEARD(&w, "2 {}\n");
    call(&w, "3", "manage_component", REMOVE("'id-1'}"));
    HEARD(&w, "> execute req-4100 manage_component\n");
    tear_down(&w);
}

TEST(the_oldest_of_too_large_answers_is_dropped)
{
    struct world w;
    struct buf large = {0}, text = {0};
    set_up(&w);
    enter(&w.a, "ready");
    for (int i = 0; i < 3 << 20; i++)
        buf_add(&large, STR("xxxx"));
    for (int i = 1; i <= 3; i++) { /* 12 MiB each, of 32 */
        char id[16];
        snprintf(id, sizeof id, "req-%d", i);
        buf_clear(&text);
        buf_printf(&text, REMOVE("'id-%d'}"), i);
        call(&w, "1", "manage_component", text.p);
        buf_clear(&text);
        buf_printf(&text, "{'a':'%s'}", large.p);
        say_result(&w.a, id, text.p);
    }
    buf_clear(&w.heard);
    call(&w, "3", "manage_component", REMOVE("'id-3'}"));
    assert_true(w.heard.n > large.n);
    buf_clear(&w.heard);
    call(&w, "4", "manage_component", REMOVE("'id-1'}"));
    HEARD(&w, "> execute req-5 manage_component\n");
    say_result(&w.a, "req-5", "{}");
    pass_alive(&w, 600000);
    call(&w, "5", "manage_component", REMOVE("'y'}")); /* all are old */
    assert_int_equal(w.b->dedupe.count, 1);
    assert_true(w.b->dedupe_bytes > 0 && w.b->dedupe_bytes < 65536);
    buf_done(&large);
    buf_done(&text);
    tear_down(&w);
}

TEST(a_repeat_keeps_the_call_of_a_client_that_left)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    cancel(&w, "1");
    HEARD(&w, "1 -\n");
    enter(&w.a, "ready"); /* its arguments are those of the call that is gone */
    say_result(&w.a, "req-1", "{'n':1}");
    HEARD(&w, "> execute req-1 manage_component\n"
              "2 {'n':1}\n");
    tear_down(&w);
}

TEST(a_call_whose_clients_all_left_is_withdrawn)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "manage_component", REMOVE("'x'}"));
    call(&w, "2", "manage_component", REMOVE("'x'}"));
    cancel(&w, "2");
    cancel(&w, "1");
    enter(&w.a, "ready");
    HEARD(&w, "2 -\n"
              "1 -\n");
    tear_down(&w);
}

/* ---- jobs */

#define TESTS "{'filter':'A','client_request_id':'x'}"

TEST(a_repeated_submission_gets_the_same_job)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", TESTS);
    call(&w, "2", "run_tests", TESTS); /* while it is submitted */
    say_accepted(&w.a, "req-1", "job-1");
    call(&w, "3", "run_tests", TESTS); /* while it runs */
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 {'job_id':'job-1','state':'running'}\n"
              "2 {'job_id':'job-1','state':'running'}\n"
              "3 {'job_id':'job-1','state':'running'}\n");
    say_job(&w.a, "job-1", "cancelled", "");
    call(&w, "4", "run_tests", TESTS); /* after its end */
    HEARD(&w, "4 {'job_id':'job-1','tool':'run_tests','state':'cancelled','progress':null,"
              "'submitted_at':'T','started_at':'T','finished_at':'T'}\n");
    call(&w, "5", "run_tests", "{'filter':'B','client_request_id':'x'}");
    HEARD(&w, "5 ! ERR_INVALID_REQUEST not_executed\n");
    tear_down(&w);
}

TEST(a_repeat_does_not_change_a_queued_submission)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "run_tests", TESTS);
    call(&w, "3", "run_tests", TESTS);
    HEARD(&w, "> execute req-1 read_console\n"
              "2 {'job_id':'job-1','state':'queued'}\n"
              "3 {'job_id':'job-1','state':'queued'}\n");
    buf_clear(&w.messages);
    say_result(&w.a, "req-1", "{}");
    CHECK_STR(buf_str(&w.messages),
              STR("{'type':'submit_job','protocol_version':1,'request_id':'req-2',"
                  "'client_request_id':'x','job_id':'job-1','tool_name':'run_tests','params':{"
                  "'filter':'A'},'timeout_ms':300000}\n"));
    tear_down(&w);
}

TEST(a_job_that_was_never_sent_may_be_submitted_again)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "run_tests", TESTS);
    call(&w, "3", "cancel_job", "{'job_id':'job-1'}");
    call(&w, "4", "run_tests", TESTS);
    HEARD(&w, "> execute req-1 read_console\n"
              "2 {'job_id':'job-1','state':'queued'}\n"
              "3 {'job_id':'job-1','status':'cancelled','state':'cancelled'}\n"
              "4 {'job_id':'job-2','state':'queued'}\n");
    tear_down(&w);
}

/* However long it runs: ten minutes are counted from its end. */
TEST(a_job_that_runs_is_not_started_twice)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'client_request_id':'x','timeout_ms':1800000}");
    say_accepted(&w.a, "req-1", "job-1");
    pass_alive(&w, 1200000);
    call(&w, "2", "run_tests", "{'client_request_id':'x'}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 {'job_id':'job-1','state':'running'}\n"
              "2 {'job_id':'job-1','state':'running'}\n");
    say_job(&w.a, "job-1", "cancelled", "");
    pass_alive(&w, 599999);
    call(&w, "3", "run_tests", "{'client_request_id':'x'}");
    assert_true(str_starts(buf_str(&w.heard), STR("3 {'job_id':'job-1','tool':'run_tests',")));
    buf_clear(&w.heard);
    pass(&w, 1);
    call(&w, "4", "run_tests", "{'client_request_id':'x'}");
    HEARD(&w, "> submit_job req-4 job-2 run_tests\n");
    tear_down(&w);
}

TEST(a_rejected_submission_is_remembered)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", TESTS);
    say(&w.a, "{'type':'submit_job_result','request_id':'req-1','status':'rejected','error':{"
              "'code':'BUSY'}}");
    call(&w, "2", "run_tests", TESTS);
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 ! ERR_UNITY_EXECUTION completed_error\n"
              "2 ! ERR_UNITY_EXECUTION completed_error\n");
    tear_down(&w);
}

TEST(a_repeat_of_a_dropped_job_gets_the_first_answer)
{
    struct world w;
    make_world(&w);
    w.limits.job_keep_count = 1;
    w.limits.job_keep_ms = 0;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", TESTS);
    say_accepted(&w.a, "req-1", "job-1");
    say_job(&w.a, "job-1", "cancelled", "");
    pass(&w, 1);
    call(&w, "2", "run_tests", "{}");
    say_accepted(&w.a, "req-2", "job-2");
    say_job(&w.a, "job-2", "cancelled", "");
    buf_clear(&w.heard);
    call(&w, "3", "get_job_status", "{'job_id':'job-1'}");
    call(&w, "4", "run_tests", TESTS);
    HEARD(&w, "3 ! ERR_JOB_NOT_FOUND not_executed\n"
              "4 {'job_id':'job-1','state':'running'}\n");
    tear_down(&w);
}
