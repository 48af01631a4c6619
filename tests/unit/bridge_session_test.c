/* The editor: hello, replacement, capability, status, silence, garbage. Spec:
 * docs/spec/10-bridge.md, 2 and 3. */
#include <unistd.h>

#include "bridge_fixture.h"

static void state_of(struct world *w)
{
    struct arena a = {0};
    struct buf text = {0};
    bridge_put_state(w->b, &text);
    const struct json *s = json_parse(&a, buf_str(&text), NULL, NULL);
    hear(w, "%.*s, editor %.*s", STR_ARG(json_str(json_get(s, STR("server_state")))),
         STR_ARG(json_str(json_get(s, STR("editor_state")))));
    arena_done(&a);
    buf_done(&text);
}

/* ---- states */

TEST(the_server_is_ready_while_an_editor_is_connected)
{
    struct world w;
    make_world(&w);
    open_world(&w);
    state_of(&w);
    bridge_start(w.b);
    state_of(&w);
    open_link(&w.a);
    settle(&w);
    state_of(&w); /* it has not said hello */
    say_hello(&w.a, "compiling");
    state_of(&w);
    say_status(&w.a, 1, "ready");
    state_of(&w);
    say_status(&w.a, 2, "reloading");
    leave(&w.a);
    state_of(&w); /* the last state is remembered */
    enter(&w.a, "ready");
    state_of(&w); /* hello is the truth */
    stop_bridge(&w);
    state_of(&w);
    HEARD(&w, "booting, editor unknown\n"
              "waiting_editor, editor unknown\n"
              "waiting_editor, editor unknown\n"
              "ready, editor compiling\n"
              "ready, editor ready\n"
              "waiting_editor, editor reloading\n"
              "ready, editor ready\n"
              "stopping, editor ready\n");
    tear_down(&w);
}

TEST(an_editor_that_connected_before_the_start_is_used)
{
    struct world w;
    make_world(&w);
    open_world(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    state_of(&w);
    bridge_start(w.b);
    settle(&w);
    state_of(&w);
    HEARD(&w, "booting, editor ready\n"
              "> execute req-1 read_console\n"
              "ready, editor ready\n");
    tear_down(&w);
}

TEST(the_identity_names_the_server)
{
    struct world w;
    struct buf text = {0}, want = {0};
    make_world(&w);
    w.options.project_path = "/mine";
    open_world(&w);
    bridge_start(w.b);
    enter(&w.a, "ready");
    bridge_put_identity(w.b, &text);
    buf_printf(&want,
               "{\"name\":\"multiverse\",\"version\":\"" MULTIVERSE_VERSION
               "\",\"pid\":%d,\"server_state\":\"ready\",\"project_path\":\"/mine\","
               "\"editor_project_path\":\"/p\"}",
               (int)getpid());
    CHECK_STR(buf_str(&text), buf_str(&want));
    buf_done(&text);
    buf_done(&want);
    tear_down(&w);
}

/* ---- status */

TEST(an_old_status_is_dropped)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    say_status(&w.a, 0, "compiling"); /* they begin with 1 */
    state_of(&w);
    say_status(&w.a, 5, "compiling");
    say_status(&w.a, 5, "ready");
    say_status(&w.a, 4, "ready");
    state_of(&w);
    say(&w.a, "{'type':'editor_status','seq':18446744073709551615,'state':'ready'}");
    state_of(&w);
    say_status(&w.a, 6, "compiling");
    state_of(&w);
    HEARD(&w, "ready, editor ready\n"
              "ready, editor compiling\n"
              "ready, editor ready\n"
              "ready, editor ready\n");
    call(&w, "1", "get_editor_state", "{}");
    assert_true(str_find(buf_str(&w.heard), STR("'last_editor_status_seq':18446744073709551615,")) <
                w.heard.n);
    buf_clear(&w.heard);
    leave(&w.a);
    enter(&w.a, "ready");
    say_status(&w.a, 1, "compiling"); /* a new connection starts from 1 */
    state_of(&w);
    HEARD(&w, "ready, editor compiling\n");
    tear_down(&w);
}

TEST(a_malformed_status_is_answered_with_an_error)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    say(&w.a, "{'type':'editor_status','state':'compiling'}");
    say(&w.a, "{'type':'editor_status','seq':-1,'state':'compiling'}");
    say(&w.a, "{'type':'editor_status','seq':'1','state':'compiling'}");
    say(&w.a, "{'type':'editor_status','seq':1,'state':'busy'}");
    say(&w.a, "{'type':'editor_status','seq':1}");
    state_of(&w);
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "ready, editor ready\n");
    tear_down(&w);
}

TEST(the_reported_scene_can_be_read)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    say(&w.a, "{'type':'hello','protocol_version':1,'editor_instance_id':'e','state':'ready',"
              "'editor':'headless','unity_version':'6000.0.1f1','active_scene':'Assets/A.unity',"
              "'is_playing':false}");
    call(&w, "1", "get_editor_state", "{}");
    assert_true(str_find(buf_str(&w.heard),
                         STR("'active_scene':'Assets/A.unity','scene_dirty':null,'is_playing':false"
                             ",'is_paused':null,")) < w.heard.n);
    buf_clear(&w.heard);
    say(&w.a, "{'type':'editor_status','seq':1,'state':'ready','active_scene':'Assets/B.unity',"
              "'scene_dirty':true,'is_playing':true,'is_paused':'no'}");
    call(&w, "1", "get_editor_state", "{}");
    assert_true(str_find(buf_str(&w.heard),
                         STR("'editor':'headless','editor_state':'ready','connected':true,"
                             "'last_editor_status_seq':1,'project_path':null,'active_scene':"
                             "'Assets/B.unity','scene_dirty':true,'is_playing':true,'is_paused':"
                             "null,'unity_version':'6000.0.1f1'")) < w.heard.n);
    leave(&w.a);
    enter(&w.a, "ready"); /* what it does not say is not known any more */
    buf_clear(&w.heard);
    call(&w, "1", "get_editor_state", "{}");
    assert_true(
        str_find(buf_str(&w.heard), STR("'scene_dirty':null,'is_playing':null,'is_paused':null,")) <
        w.heard.n);
    tear_down(&w);
}

/* ---- hello */

TEST(hello_is_answered_with_hello_and_capability)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    struct str rest = buf_str(&w.messages), line;
    str_cut(&rest, '\n', &line);
    CHECK_STR(line,
              STR("{'type':'hello','protocol_version':1,'server_version':'" MULTIVERSE_VERSION
                  "','connection_id':'link-1','editor_status_interval_ms':5000,"
                  "'max_message_bytes':1048576,'reconnect_initial_ms':200,'reconnect_multiplier':"
                  "1.8,'reconnect_max_ms':5000,'reconnect_jitter':0.2}"));
    str_cut(&rest, '\n', &line);
    assert_true(str_starts(line, STR("{'type':'capability','protocol_version':1,'tools':[")));
    assert_true(str_find(line, STR("{'name':'run_tests','execution_mode':'job','supports_cancel':"
                                   "true,'default_timeout_ms':300000,'max_timeout_ms':1800000,"
                                   "'requires_client_request_id':false,"
                                   "'execution_error_retryable':false}")) < line.n);
    size_t tools = 0;
    for (size_t i = 0; i < line.n; i++)
        tools += str_starts(str_skip(line, i), STR("{'name':'"));
    assert_int_equal(tools, catalog_count(w.b->catalog));
    assert_int_equal(rest.n, 0);
    tear_down(&w);
}

TEST(an_invalid_hello_is_refused)
{
    static const char *const hellos[] = {
        "{'type':'hello','protocol_version':2,'editor_instance_id':'e','state':'ready'}",
        "{'type':'hello','protocol_version':'1','editor_instance_id':'e','state':'ready'}",
        "{'type':'hello','editor_instance_id':'e','state':'ready'}",
        "{'type':'hello','protocol_version':1,'state':'ready'}",
        "{'type':'hello','protocol_version':1,'editor_instance_id':'','state':'ready'}",
        "{'type':'hello','protocol_version':1,'editor_instance_id':7,'state':'ready'}",
        "{'type':'hello','protocol_version':1,'editor_instance_id':'e'}",
        "{'type':'hello','protocol_version':1,'editor_instance_id':'e','state':'unknown'}",
        "{'type':'editor_status','seq':1,'state':'ready'}", /* the first must be hello */
        "{'type':'result','request_id':'req-1','status':'ok','result':{}}",
        "{'type':'hell",
        "[]",
        "",
    };
    struct world w;
    set_up(&w);
    call(&w, "1", "read_console", "{}");
    for (size_t i = 0; i < sizeof hellos / sizeof *hellos; i++) {
        open_link(&w.a);
        say(&w.a, hellos[i]);
        state_of(&w);
        HEARD(&w, "> error ERR_INVALID_REQUEST\n"
                  "> closed 1008\n"
                  "waiting_editor, editor unknown\n");
    }
    tear_down(&w);
}

TEST(an_instance_id_has_at_most_256_bytes)
{
    struct world w;
    char id[258] = {0};
    set_up(&w);
    memset(id, 'x', 257);
    w.a.instance = id;
    enter(&w.a, "ready");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> closed 1008\n");
    id[256] = 0;
    enter(&w.a, "ready");
    enter(&w.second, "ready"); /* not the same one */
    HEARD(&w, "b> error ERR_INVALID_REQUEST\n"
              "b> closed 1008\n");
    w.second.instance = id;
    enter(&w.second, "ready");
    HEARD(&w, "> closed 1000\n");
    tear_down(&w);
}

TEST(a_second_hello_is_an_error)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    say_hello(&w.a, "compiling");
    state_of(&w);
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "ready, editor ready\n");
    tear_down(&w);
}

TEST(unknown_fields_are_ignored)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    say(&w.a, "{'x':{},'type':'hello','timestamp':'2026-03-01T09:30:00Z','protocol_version':1,"
              "'editor_instance_id':'e','state':'ready','y':[1]}");
    state_of(&w);
    HEARD(&w, "ready, editor ready\n");
    tear_down(&w);
}

TEST(a_link_without_hello_is_closed_after_the_limit)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    pass(&w, 14999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "> closed 1006\n");
    tear_down(&w);
}

TEST(the_number_of_links_without_hello_is_limited)
{
    struct fake_editor many[LINK_MAX_PENDING];
    struct world w;
    set_up(&w);
    enter(&w.a, "ready"); /* has said it */
    for (size_t i = 0; i < LINK_MAX_PENDING; i++) {
        many[i] = (struct fake_editor){&w, "x", "x", "/p", NULL, true};
        open_link(&many[i]);
    }
    assert_null(link_local_open(w.b, on_editor_message, on_editor_closed, &w.second));
    leave(&many[0]);
    open_link(&w.second);
    tear_down(&w);
}

/* ---- one editor */

TEST(another_editor_is_refused)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    enter(&w.second, "ready");
    HEARD(&w, "> execute req-1 read_console\n"
              "b> error ERR_INVALID_REQUEST\n"
              "b> closed 1008\n");
    assert_true(str_find(buf_str(&w.messages), STR("another editor is connected")) < w.messages.n);
    say_result(&w.a, "req-1", "{}"); /* the first one has not noticed */
    HEARD(&w, "1 {}\n");
    leave(&w.a);
    enter(&w.second, "ready"); /* once it has left, there is room */
    HEARD(&w, "");
    tear_down(&w);
}

TEST(the_same_editor_replaces_its_old_connection)
{
    struct world w;
    set_up(&w);
    w.second.instance = w.a.instance;
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    enter(&w.second, "ready");
    HEARD(&w, "> execute req-1 read_console\n"
              "b> resume ['req-1'] []\n"
              "> closed 1000\n");
    state_of(&w);
    say_result(&w.second, "req-1", "{}");
    HEARD(&w, "ready, editor ready\n"
              "1 {}\n"
              "b> execute req-2 read_console\n");
    tear_down(&w);
}

/* What the headless editor was given goes to the live one, which does not know what ran before. */
TEST(a_live_editor_replaces_the_headless_one)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    say(&w.a, "{'type':'hello','protocol_version':1,'editor_instance_id':'h','editor':'headless',"
              "'project_path':'/p','state':'ready'}");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    HEARD(&w, "> execute req-1 read_console\n");
    assert_int_equal(bridge_vacant_ms(w.b), 0);
    enter(&w.second, "ready");
    HEARD(&w, "b> resume ['req-1'] []\n"
              "> closed 1000\n");
    say_result(&w.second, "req-1", "{}");
    HEARD(&w, "1 {}\n"
              "b> execute req-2 read_console\n");
    say_result(&w.second, "req-2", "{}");
    buf_clear(&w.heard);
    enter(&w.a, "ready"); /* another editor may not */
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> closed 1008\n");
    leave(&w.second);
    pass(&w, 1234);
    assert_int_equal(bridge_vacant_ms(w.b), 1234);
    tear_down(&w);
}

TEST(a_headless_editor_does_not_replace_another)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    say(&w.a, "{'type':'hello','protocol_version':1,'editor_instance_id':'h','editor':'headless',"
              "'state':'ready'}");
    open_link(&w.second);
    say(&w.second,
        "{'type':'hello','protocol_version':1,'editor_instance_id':'i','editor':'headless',"
        "'state':'ready'}");
    HEARD(&w, "b> error ERR_INVALID_REQUEST\n"
              "b> closed 1008\n");
    tear_down(&w);
}

TEST(messages_of_a_replaced_connection_are_ignored)
{
    struct world w;
    struct buf text = {0};
    set_up(&w);
    w.second.instance = w.a.instance;
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    open_link(&w.second);
    /* Both are on their way when the second one's hello is read. */
    put_real(&w, &text,
             STR("{'type':'hello','protocol_version':1,'editor_instance_id':'editor-a','state':"
                 "'ready'}"));
    link_local_send(w.second.link, &text);
    put_real(&w, &text,
             STR("{'type':'result','request_id':'req-1','status':'ok','result':{'old':1}}"));
    link_local_send(w.a.link, &text);
    put_real(&w, &text,
             STR("{'type':'hello','protocol_version':1,'editor_instance_id':'editor-a','state':"
                 "'ready'}"));
    link_local_send(w.a.link, &text);
    settle(&w);
    HEARD(&w, "> execute req-1 read_console\n"
              "b> resume ['req-1'] []\n"
              "> closed 1000\n");
    say_result(&w.second, "req-1", "{'new':1}");
    HEARD(&w, "1 {'new':1}\n");
    buf_done(&text);
    tear_down(&w);
}

TEST(a_replacement_that_compiles_makes_calls_wait)
{
    struct world w;
    set_up(&w);
    w.second.instance = w.a.instance;
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    enter(&w.second, "reloading");
    say_result(&w.second, "req-1", "{}");
    buf_clear(&w.heard);
    say_status(&w.second, 1, "ready");
    HEARD(&w, "b> execute req-2 read_console\n");
    tear_down(&w);
}

/* ---- another project */

TEST(an_editor_of_another_project_is_refused_if_the_server_knows_its_own)
{
    struct world w;
    make_world(&w);
    w.options.project_path = "/p";
    w.options.only_project = true;
    open_world(&w);
    bridge_start(w.b);
    w.second.project = "/other";
    enter(&w.second, "ready");
    HEARD(&w, "b> error ERR_INVALID_REQUEST\n"
              "b> closed 1008\n");
    enter(&w.a, "ready");
    leave(&w.a);
    w.a.project = "/p///";
    enter(&w.a, "ready");
    HEARD(&w, "");
    tear_down(&w);
}

TEST(calls_for_one_project_do_not_reach_another)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say_accepted(&w.a, "req-1", "job-1");
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "read_console", "{}");
    call(&w, "4", "run_tests", "{}");
    leave(&w.a);
    buf_clear(&w.heard);
    w.second.project = "/other";
    enter(&w.second, "ready");
    HEARD(&w, "3 ! ERR_UNITY_DISCONNECTED not_executed retryable\n"
              "2 ! ERR_RECONNECT_TIMEOUT unknown\n");
    call(&w, "5", "get_job_status", "{'job_id':'job-1'}");
    call(&w, "6", "get_job_status", "{'job_id':'job-2'}");
    struct str rest = buf_str(&w.heard), line;
    str_cut(&rest, '\n', &line);
    assert_true(str_find(line, STR("'state':'failed'")) < line.n &&
                str_find(line, STR("ERR_RECONNECT_TIMEOUT")) < line.n);
    assert_true(str_find(rest, STR("'state':'failed'")) < rest.n &&
                str_find(rest, STR("ERR_UNITY_DISCONNECTED")) < rest.n);
    buf_clear(&w.heard);
    call(&w, "7", "read_console", "{}"); /* this one is for it */
    HEARD(&w, "b> execute req-7 read_console\n");
    tear_down(&w);
}

TEST(calls_do_not_reach_an_editor_without_a_project)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    leave(&w.a);
    buf_clear(&w.heard);
    w.a.project = "";
    enter(&w.a, "reloading"); /* the same editor need not say it again */
    HEARD(&w, "> resume ['req-1'] []\n");
    leave(&w.a);
    w.second.project = "";
    enter(&w.second, "ready");
    HEARD(&w, "2 ! ERR_UNITY_DISCONNECTED not_executed retryable\n"
              "1 ! ERR_RECONNECT_TIMEOUT unknown\n");
    tear_down(&w);
}

/* ---- capability */

static void list_tools(struct world *w)
{
    ask(w, "99", "tools/list", "{}");
    struct str rest = buf_str(&w->heard);
    struct buf names = {0};
    for (size_t at; (at = str_find(rest, STR("{'name':'"))) < rest.n;) {
        rest = str_skip(rest, at + 9);
        buf_printf(&names, "%.*s ", STR_ARG(str_head(rest, str_find_char(rest, '\''))));
    }
    buf_clear(&w->heard);
    hear(w, "%s", names.n ? names.p : "");
    buf_done(&names);
}

TEST(clients_see_the_tools_that_the_editor_has)
{
    struct world w;
    set_up(&w);
    list_tools(&w); /* no editor has reported tools yet: the whole catalog */
    HEARD(&w,
          "get_editor_state read_console run_tests get_job_status cancel_job "
          "get_scene_hierarchy get_component_info manage_component find_assets "
          "find_component_types list_scenes open_scene save_scene undo redo control_play_mode \n");
    enter(&w.a, "ready");
    HEARD(&w, "");
    say(&w.a, "{'type':'capability','tools':[{'name':'read_console'},'get_component_info',"
              "{'name':'no_tool_of_ours'},7,{},{'name':'get_editor_state'}]}");
    HEARD(&w, "* notifications/tools/list_changed\n");
    list_tools(&w); /* what the server answers itself is always there */
    HEARD(&w, "get_editor_state read_console get_job_status cancel_job get_component_info \n");
    say(&w.a, "{'type':'capability','tools':[{'name':'get_component_info'},'read_console']}");
    HEARD(&w, ""); /* the same */
    leave(&w.a);
    list_tools(&w); /* it will be back */
    HEARD(&w, "get_editor_state read_console get_job_status cancel_job get_component_info \n");
    enter(&w.a, "ready");
    say(&w.a, "{'type':'capability','tools':[]}");
    list_tools(&w);
    HEARD(&w, "get_editor_state get_job_status cancel_job \n");
    tear_down(&w);
}

TEST(a_malformed_capability_changes_nothing)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    say(&w.a, "{'type':'capability'}");
    say(&w.a, "{'type':'capability','tools':{}}");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n");
    list_tools(&w);
    assert_true(str_find(buf_str(&w.heard), STR("manage_component")) < w.heard.n);
    tear_down(&w);
}

TEST(a_call_of_a_tool_that_the_editor_does_not_have_is_not_sent)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "manage_component", "{'action':'remove','game_object_path':'/P','index':1}");
    call(&w, "3", "run_tests", "{}");
    buf_clear(&w.heard);
    say(&w.a, "{'type':'capability','tools':['read_console']}");
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "* notifications/tools/list_changed\n"
              "1 {}\n"
              "2 ! ERR_UNKNOWN_COMMAND not_executed\n");
    call(&w, "4", "get_job_status", "{'job_id':'job-1'}");
    assert_true(str_find(buf_str(&w.heard), STR("'state':'failed'")) < w.heard.n &&
                str_find(buf_str(&w.heard), STR("ERR_UNKNOWN_COMMAND")) < w.heard.n);
    buf_clear(&w.heard);
    call(&w, "5", "manage_component", "{}"); /* it is not even there any more */
    HEARD(&w, "5 error -32602\n");
    tear_down(&w);
}

TEST(a_new_connection_starts_with_all_tools)
{
    struct world w;
    set_up(&w);
    call(&w, "1", "get_scene_hierarchy", "{}");
    enter(&w.second, "compiling");
    say(&w.second, "{'type':'capability','tools':['read_console']}");
    leave(&w.second);
    enter(&w.a, "ready");
    HEARD(&w, "* notifications/tools/list_changed\n"
              "> execute req-1 get_scene_hierarchy\n");
    tear_down(&w);
}

/* ---- silence */

TEST(a_silent_link_is_dropped)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    pass(&w, 10000);
    say_status(&w.a, 1, "ready");
    pass(&w, 14999);
    HEARD(&w, "");
    pass(&w, 1);
    state_of(&w);
    HEARD(&w, "> closed 1006\n"
              "waiting_editor, editor ready\n");
    tear_down(&w);
}

TEST(silence_is_counted_from_hello)
{
    struct world w;
    set_up(&w);
    open_link(&w.a);
    pass(&w, 14000);
    say_hello(&w.a, "ready");
    pass(&w, 14999);
    HEARD(&w, "");
    pass(&w, 1);
    HEARD(&w, "> closed 1006\n");
    tear_down(&w);
}

TEST(any_message_is_a_sign_of_life)
{
    static const char *const messages[] = {
        "{'type':'editor_status','seq':0,'state':'ready'}", /* old */
        "{'type':'nonsense'}",
        "not even JSON",
        "{'type':'result','request_id':'nobody'}",
    };
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    for (size_t i = 0; i < 4; i++) {
        pass(&w, 14999);
        say(&w.a, messages[i]);
    }
    HEARD(&w, "> error ERR_UNKNOWN_COMMAND\n"
              "> error ERR_INVALID_REQUEST\n");
    tear_down(&w);
}

/* ---- garbage */

TEST(an_unknown_type_is_answered_with_an_error)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    say(&w.a, "{'type':'surprise','request_id':'their-own'}");
    say(&w.a, "{'type':'execute'}");
    say(&w.a, "{}");
    HEARD(&w, "> error ERR_UNKNOWN_COMMAND their-own\n"
              "> error ERR_UNKNOWN_COMMAND\n"
              "> error ERR_UNKNOWN_COMMAND\n");
    struct str last = buf_str(&w.messages);
    for (struct str line; str_cut(&last, '\n', &line) && last.n;) {
    }
    buf_clear(&w.messages);
    say(&w.a, "{'type':'odd'}");
    CHECK_STR(buf_str(&w.messages),
              STR("{'type':'error','protocol_version':1,'error':{'code':'ERR_UNKNOWN_COMMAND',"
                  "'message':'unknown message type \\'odd\\'','retryable':false,'details':{"
                  "'execution_guarantee':'not_executed','recovery_action':'list_tools'}}}\n"));
    tear_down(&w);
}

TEST(a_message_that_is_not_json_is_an_error_and_the_link_stays)
{
    struct world w;
    set_up(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    buf_clear(&w.heard);
    say(&w.a, "garbage");
    say(&w.a, "null");
    say(&w.a, "{'type':'result','request_id':'req-7','status':'ok','result':{");
    say(&w.a, "{'type':'editor_status','request_id':'req-1','state':'re");
    say(&w.a, "{'type':'result','request_id':'req-1','status':'ok','result':{'a':'\xff'}}");
    HEARD(&w, "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "> error ERR_INVALID_REQUEST\n"
              "1 ! ERR_INVALID_RESPONSE unknown\n"
              "> error ERR_INVALID_REQUEST\n");
    tear_down(&w);
}
