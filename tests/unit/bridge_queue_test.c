/* Calls on their way to the editor: admission, waiting, the order, the slot, time-outs. Spec:
 * docs/spec/10-bridge.md, 4 and 5. */
#include "bridge_fixture.h"

/* ---- received */

TEST(a_call_goes_out_and_its_result_comes_back)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    buf_clear(&w.messages);
    call(&w, "1", "read_console",
         "{'max_entries':5,'log_type':['error'],'timeout_ms':7000,'client_request_id':'mine'}");
    HEARD(&w, "> execute req-1 read_console\n");
    CHECK_STR(buf_str(&w.messages),
              STR("{'type':'execute','protocol_version':1,'request_id':'req-1','client_request_id':"
                  "'mine','tool_name':'read_console','params':{'max_entries':5,'log_type':['error']"
                  "},'timeout_ms':7000}\n"));
    say_result(&w.a, "req-1", "{ 'entries' : [ ] ,\n 'n': 1.50 }");
    HEARD(&w, "1 {'entries':[],'n':1.50}\n");
    buf_clear(&w.messages);
    call(&w, "2", "read_console", "{}");
    CHECK_STR(buf_str(&w.messages),
              STR("{'type':'execute','protocol_version':1,'request_id':'req-2','tool_name':"
                  "'read_console','params':{},'timeout_ms':10000}\n"));
    say_result(&w.a, "req-2", "{}");
    HEARD(&w, "> execute req-2 read_console\n"
              "2 {}\n");
    tear_down(&w);
}

TEST(missing_arguments_are_empty_arguments)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    buf_clear(&w.messages);
    ask(&w, "1", "tools/call", "{'name':'read_console'}");
    assert_true(str_find(buf_str(&w.messages), STR("'params':{}")) < w.messages.n);
    say_result(&w.a, "req-1", "{}");
    tear_down(&w);
}

TEST(an_invalid_call_fails_at_once_and_is_not_sent)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{'max_entries':-1}");
    call(&w, "2", "read_console", "{'entries':5}");
    call(&w, "3", "read_console", "{'timeout_ms':30001}");
    call(&w, "4", "read_console", "{'timeout_ms':0}");
    call(&w, "5", "read_console", "{'client_request_id':''}");
    call(&w, "6", "manage_component", "{'action':'add','game_object_path':'/P'}");
    call(&w, "7", "get_job_status", "{}");
    HEARD(&w, "1 ! ERR_INVALID_PARAMS not_executed\n"
              "2 ! ERR_INVALID_PARAMS not_executed\n"
              "3 ! ERR_INVALID_PARAMS not_executed\n"
              "4 ! ERR_INVALID_PARAMS not_executed\n"
              "5 ! ERR_INVALID_PARAMS not_executed\n"
              "6 ! ERR_INVALID_PARAMS not_executed\n"
              "7 ! ERR_INVALID_PARAMS not_executed\n");
    call(&w, "8", "no_such_tool", "{}"); /* a protocol fault */
    HEARD(&w, "8 error -32602\n");
    tear_down(&w);
}

TEST(an_invalid_call_needs_no_room_in_the_queue_and_no_editor)
{
    struct world w;
    make_world(&w);
    w.limits.queue_max_size = 1;
    open_world(&w);
    bridge_start(w.b);
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{'max_entries':'x'}");
    HEARD(&w, "2 ! ERR_INVALID_PARAMS not_executed\n");
    tear_down(&w);
}

/* One runs, so many wait, and the next is refused at once. */
TEST(a_full_queue_refuses_one_more)
{
    struct world w;
    make_world(&w);
    w.limits.queue_max_size = 2;
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "read_console", "{}");
    call(&w, "4", "read_console", "{}");
    call(&w, "5", "get_editor_state", "{'timeout_ms':1}"); /* needs no room */
    assert_true(str_find(buf_str(&w.heard), STR("'queue':{'waiting':2,'capacity':2,")) < w.heard.n);
    buf_clear(&w.heard);
    say_result(&w.a, "req-1", "{}");
    call(&w, "6", "read_console", "{}"); /* there is room again */
    call(&w, "7", "read_console", "{}");
    HEARD(&w, "1 {}\n"
              "> execute req-2 read_console\n"
              "7 ! ERR_QUEUE_FULL not_executed retryable\n");
    tear_down(&w);
}

TEST(calls_that_wait_for_the_editor_fill_the_queue)
{
    struct world w;
    set_up(&w);
    for (int i = 1; i <= 33; i++) {
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        call(&w, id, "read_console", "{}");
    }
    HEARD(&w, "33 ! ERR_QUEUE_FULL not_executed retryable\n");
    tear_down(&w);
}

/* ---- waiting for the editor */

TEST(calls_wait_for_an_editor_and_go_out_in_the_order_of_arrival)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    pass(&w, 10);
    call(&w, "2", "get_scene_hierarchy", "{}");
    pass(&w, 10);
    call(&w, "3", "read_console", "{}");
    HEARD(&w, "");
    enter(&w.a, "ready");
    HEARD(&w, "> execute req-1 read_console\n");
    say_result(&w.a, "req-1", "{}");
    say_result(&w.a, "req-2", "{}");
    say_result(&w.a, "req-3", "{}");
    HEARD(&w, "1 {}\n"
              "> execute req-2 get_scene_hierarchy\n"
              "2 {}\n"
              "> execute req-3 read_console\n"
              "3 {}\n");
    tear_down(&w);
}

TEST(a_call_waits_for_a_missing_editor_up_to_the_limit)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    pass(&w, 44999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    enter(&w.a, "ready"); /* and is never sent */
    HEARD(&w, "");
    tear_down(&w);
}

TEST(a_call_waits_for_a_compiling_editor_up_to_the_limit)
{
    static const char *const states[] = {"compiling", "reloading"};
    for (int i = 0; i < 2; i++) {
        struct world w;
        set_up(&w);
        enter(&w.a, states[i]);
        call(&w, "1", "read_console", "{}");
        pass_alive(&w, 89999);
        HEARD(&w, "");
        pass(&w, 1);
        HEARD(&w, "1 ! ERR_COMPILE_TIMEOUT not_executed retryable\n");
        assert_true(str_find(buf_str(&w.error), str_from(states[i])) < w.error.n);
        say_status(&w.a, 1, "ready");
        HEARD(&w, "");
        tear_down(&w);
    }
}

TEST(each_wait_has_its_own_deadline)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    pass(&w, 20000);
    call(&w, "2", "read_console", "{}");
    pass(&w, 25000);
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    pass(&w, 20000);
    HEARD(&w, "2 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    tear_down(&w);
}

/* It is back, but not ready: from then on it has the time of a compilation. */
TEST(an_editor_that_reconnects_compiling_gets_the_compile_time)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    pass(&w, 40000);
    enter(&w.a, "compiling");
    pass_alive(&w, 89999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_COMPILE_TIMEOUT not_executed retryable\n");
    tear_down(&w);
}

/* A domain reload drops the link: that is a part of the compilation that is waited for. */
TEST(a_link_lost_while_compiling_keeps_the_deadline)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "compiling");
    call(&w, "1", "read_console", "{}");
    pass(&w, 10000);
    leave(&w.a);
    pass(&w, 60000);
    HEARD(&w, "");
    enter(&w.a, "reloading");
    pass_alive(&w, 19999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_COMPILE_TIMEOUT not_executed retryable\n");
    assert_true(str_find(buf_str(&w.error), STR("was reloading")) < w.error.n);
    tear_down(&w);
}

/* ---- queued */

TEST(queued_calls_keep_their_place_when_the_editor_leaves)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    say_status(&w.a, 1, "compiling");
    call(&w, "3", "read_console", "{}");
    say_result(&w.a, "req-1", "{}"); /* what runs may end, the next does not start */
    HEARD(&w, "> execute req-1 read_console\n"
              "1 {}\n");
    pass_alive(&w, 80000);
    say_status(&w.a, 2, "ready");
    say_result(&w.a, "req-2", "{}");
    say_result(&w.a, "req-3", "{}");
    HEARD(&w, "> execute req-2 read_console\n"
              "2 {}\n"
              "> execute req-3 read_console\n"
              "3 {}\n");
    tear_down(&w);
}

TEST(the_wait_of_queued_calls_starts_when_the_editor_leaves)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{'timeout_ms':600000}"); /* lets calls pass, not jobs */
    say_accepted(&w.a, "req-1", "job-1");
    call(&w, "2", "run_tests", "{}");
    pass_alive(&w, 100000);
    leave(&w.a);
    buf_clear(&w.heard);
    pass(&w, 44999);
    call(&w, "3", "get_job_status", "{'job_id':'job-2'}");
    HEARD(&w, "3 {'job_id':'job-2','tool':'run_tests','state':'queued','progress':null,"
              "'submitted_at':'T','queue_position':1}\n");
    pass(&w, 1);
    call(&w, "4", "get_job_status", "{'job_id':'job-2'}");
    assert_true(str_find(buf_str(&w.heard), STR("ERR_EDITOR_NOT_READY")) < w.heard.n);
    tear_down(&w);
}

/* ---- one after the other */

TEST(one_runs_at_a_time)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "get_scene_hierarchy", "{}");
    call(&w, "3", "read_console", "{}");
    HEARD(&w, "> execute req-1 read_console\n");
    say_result(&w.a, "req-2", "{}"); /* not its turn: dropped */
    HEARD(&w, "");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "1 {}\n"
              "> execute req-2 get_scene_hierarchy\n");
    say_result(&w.a, "req-2", "{}");
    say_result(&w.a, "req-3", "{}");
    HEARD(&w, "2 {}\n"
              "> execute req-3 read_console\n"
              "3 {}\n");
    tear_down(&w);
}

TEST(calls_and_jobs_share_one_queue)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "run_tests", "{}");
    call(&w, "3", "get_scene_hierarchy", "{}");
    HEARD(&w, "> execute req-1 read_console\n"
              "2 {'job_id':'job-1','state':'queued'}\n");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "1 {}\n"
              "> submit_job req-2 job-1 run_tests\n");
    say_accepted(&w.a, "req-2", "job-1"); /* from here on it holds nobody up */
    HEARD(&w, "> execute req-3 get_scene_hierarchy\n");
    say_result(&w.a, "req-3", "{}");
    HEARD(&w, "3 {}\n");
    tear_down(&w);
}

TEST(a_submission_holds_the_slot_until_it_is_answered)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    call(&w, "2", "read_console", "{}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n");
    say_accepted(&w.a, "req-1", "job-1");
    HEARD(&w, "1 {'job_id':'job-1','state':'running'}\n"
              "> execute req-2 read_console\n");
    tear_down(&w);
}

TEST(a_job_that_waits_for_another_lets_calls_pass)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say_accepted(&w.a, "req-1", "job-1");
    call(&w, "2", "run_tests", "{}");
    call(&w, "3", "run_tests", "{}");
    call(&w, "4", "read_console", "{}");
    HEARD(&w, "> submit_job req-1 job-1 run_tests\n"
              "1 {'job_id':'job-1','state':'running'}\n"
              "2 {'job_id':'job-2','state':'queued'}\n"
              "3 {'job_id':'job-3','state':'queued'}\n"
              "> execute req-4 read_console\n");
    say_job(&w.a, "job-1", "succeeded", ",'result':{}");
    HEARD(&w, ""); /* the slot is taken */
    say_result(&w.a, "req-4", "{}");
    HEARD(&w, "4 {}\n"
              "> submit_job req-2 job-2 run_tests\n");
    say_accepted(&w.a, "req-2", "job-2");
    say_job(&w.a, "job-2", "succeeded", ",'result':{}");
    HEARD(&w, "> submit_job req-3 job-3 run_tests\n");
    tear_down(&w);
}

TEST(control_calls_never_wait)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "get_editor_state", "{}");
    HEARD(&w,
          "1 {'server_state':'waiting_editor','editor':null,'editor_state':'unknown','connected':"
          "false,'last_editor_status_seq':0,'project_path':null,'active_scene':null,'scene_dirty':"
          "null,'is_playing':null,'is_paused':null,'unity_version':null,'plugin_version':null,"
          "'server_version':'" MULTIVERSE_VERSION "','uptime_ms':0,'connected_ms':null,'queue':{"
          "'waiting':0,'capacity':32,'running':null},'job':null,'wait_reason':'reconnecting'}\n");
    enter(&w.a, "ready");
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "read_console", "{}");
    call(&w, "4", "run_tests", "{}");
    buf_clear(&w.heard);
    pass(&w, 250);
    call(&w, "5", "get_editor_state", "{}");
    HEARD(&w,
          "5 {'server_state':'ready','editor':'unity','editor_state':'ready','connected':true,"
          "'last_editor_status_seq':0,'project_path':'/p','active_scene':null,'scene_dirty':"
          "null,'is_playing':null,'is_paused':null,'unity_version':null,'plugin_version':"
          "'0.1.0','server_version':'" MULTIVERSE_VERSION
          "','uptime_ms':250,'connected_ms':250,'queue':{'waiting':2,'capacity':32,'running':{"
          "'request_id':'req-2','tool':'read_console','elapsed_ms':250}},'job':{'job_id':"
          "'job-1','tool':'run_tests','state':'queued','elapsed_ms':250},'wait_reason':null}\n");
    call(&w, "6", "get_job_status", "{'job_id':'job-1'}");
    HEARD(&w, "6 {'job_id':'job-1','tool':'run_tests','state':'queued','progress':null,"
              "'submitted_at':'T','queue_position':2}\n");
    call(&w, "7", "cancel_job", "{'job_id':'job-1'}");
    HEARD(&w, "7 {'job_id':'job-1','status':'cancelled','state':'cancelled'}\n");
    tear_down(&w);
}

/* ---- time-outs */

TEST(the_time_limit_of_a_call_starts_when_it_is_sent)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{'timeout_ms':5000}");
    call(&w, "2", "read_console", "{}");
    pass(&w, 30000);
    enter(&w.a, "ready");
    pass(&w, 4999);
    HEARD(&w, "> execute req-1 read_console\n");
    pass(&w, 1);
    HEARD(&w, "1 ! ERR_REQUEST_TIMEOUT unknown\n"
              "> execute req-2 read_console\n");
    say_result(&w.a, "req-1", "{}"); /* late: dropped */
    HEARD(&w, "");
    pass_alive(&w, 9999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "2 ! ERR_REQUEST_TIMEOUT unknown\n"); /* the default of the tool */
    tear_down(&w);
}

/* ---- what cannot be sent */

TEST(arguments_that_are_too_large_for_the_link_fail_before_they_are_sent)
{
    struct world w;
    struct buf large = {0};
    set_up(&w);
    enter(&w.a, "ready");
    link_of(&w.a)->max_message = 4096;
    buf_add(&large, STR("{'message_pattern':'"));
    for (int i = 0; i < 4096; i++)
        buf_add_char(&large, 'x');
    buf_add(&large, STR("'}"));
    call(&w, "1", "read_console", large.p);
    call(&w, "2", "read_console", "{}");
    HEARD(&w, "1 ! ERR_INVALID_PARAMS not_executed\n"
              "> execute req-2 read_console\n");
    assert_true(str_find(buf_str(&w.error), STR("at most 4096 (max_message_bytes)")) < w.error.n);
    buf_done(&large);
    tear_down(&w);
}

TEST(a_message_of_exactly_the_limit_is_sent)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    buf_clear(&w.messages);
    call(&w, "1", "read_console", "{}");
    /* As long as the next one: without the line end, with the part of the id that is left out. */
    size_t n = w.messages.n - 1 + strlen(w.b->run) + 1;
    say_result(&w.a, "req-1", "{}");
    link_of(&w.a)->max_message = n;
    call(&w, "2", "read_console", "{}");
    say_result(&w.a, "req-2", "{}");
    link_of(&w.a)->max_message = n - 1;
    call(&w, "3", "read_console", "{}");
    HEARD(&w, "> execute req-1 read_console\n"
              "1 {}\n"
              "> execute req-2 read_console\n"
              "2 {}\n"
              "3 ! ERR_INVALID_PARAMS not_executed\n");
    tear_down(&w);
}

static bool send_nothing(struct link *l, struct str message)
{
    (void)l, (void)message;
    return false;
}

/* A link that accepts nothing is dropped; the call waits for the next one. */
TEST(a_call_that_could_not_be_sent_stays_queued)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    struct link_impl deaf = *link_of(&w.a)->impl;
    deaf.send = send_nothing;
    link_of(&w.a)->impl = &deaf;
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "run_tests", "{}");
    HEARD(&w, "> closed 1006\n");
    enter(&w.a, "ready");
    HEARD(&w, "2 {'job_id':'job-1','state':'queued'}\n"
              "> execute req-1 read_console\n");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "1 {}\n"
              "> submit_job req-2 job-1 run_tests\n");
    tear_down(&w);
}

/* ---- progress */

TEST(a_client_with_a_progress_token_gets_what_it_waits_for)
{
    struct world w;
    set_up(&w);
    call_with_progress(&w, "1", "read_console", "{}");
    call_with_progress(&w, "2", "read_console", "{}");
    HEARD(&w, "1 ... 1 waiting for the editor: reconnecting\n"
              "2 ... 1 waiting for the editor: reconnecting\n");
    pass(&w, 1000);
    enter(&w.a, "compiling");
    HEARD(&w, "1 ... 2 waiting for the editor: compiling\n"
              "2 ... 2 waiting for the editor: compiling\n");
    pass(&w, 1000);
    say_status(&w.a, 1, "ready");
    pass(&w, 1000);
    say_result(&w.a, "req-1", "{}");
    pass(&w, 1000);
    say_result(&w.a, "req-2", "{}");
    HEARD(&w, "1 ... 3 running in the editor\n"
              "2 ... 3 1 ahead in the queue\n"
              "> execute req-1 read_console\n"
              "1 {}\n"
              "2 ... 4 running in the editor\n"
              "> execute req-2 read_console\n"
              "2 {}\n");
    tear_down(&w);
}
