/* The activity entries of requests and jobs. Spec: docs/spec/10-bridge.md, 4, 6 and 7. */
#include "bridge/activity.h"

#include "bridge_fixture.h"

static uint64_t seen; /* the number of the last look */
static uint64_t last; /* of the last entry read */

/* One line for each, in the order of their changes: kind id tool state(reason)
 * outcome/guarantee @times >other d/t:current c, with @ r received, s started, e ended;
 * c: it can be cancelled. */
static void put_line(const struct activity *a, void *ctx)
{
    struct world *w = ctx;
    struct buf line = {0};
    assert_true(a->received_at > 0);
    assert_true(!a->started_at || a->started_at >= a->received_at);
    assert_true(!a->ended_at || a->ended_at >= a->received_at);
    assert_true(!a->ended_at || a->ended_at >= a->started_at);
    assert_true((a->outcome != NULL) == (a->ended_at != 0));
    assert_true(a->seq > last);
    last = a->seq;
    buf_printf(&line, "%s %s %s %s", a->kind == ACTIVITY_JOB ? "job" : "call", a->id, a->tool,
               a->state);
    if (a->reason)
        buf_printf(&line, "(%s)", a->reason);
    if (a->outcome)
        buf_printf(&line, " %s", a->outcome);
    if (a->guarantee)
        buf_printf(&line, "/%s", a->guarantee);
    buf_printf(&line, " @r%s%s", a->started_at ? "s" : "", a->ended_at ? "e" : "");
    if (a->other_id[0])
        buf_printf(&line, " >%s", a->other_id);
    if (a->has_progress)
        buf_printf(&line, " %lld/%lld:%s", (long long)a->done, (long long)a->total, a->current);
    buf_add(&line, a->can_cancel ? STR(" c\n") : STR("\n"));
    put_plain(w, &w->heard, buf_str(&line));
    buf_done(&line);
}

static void look(struct world *w)
{
    last = seen;
    buf_clear(&w->heard);
    seen = activity_each(w->b, seen, put_line, w);
    assert_true(seen >= last);
}

/* The entries that changed since the last read. */
#define CHANGES(w, want)                                                                           \
    do {                                                                                           \
        assert_true(activity_is_whole((w)->b, seen));                                              \
        look(w);                                                                                   \
        HEARD((w), want);                                                                          \
    } while (0)

static void begin(struct world *w)
{
    set_up(w);
    seen = 0;
}

/* What activity_cancel() answers, or the name of its error. */
static const char *cancel_id(struct world *w, const char *id)
{
    struct buf real = {0};
    struct error err = {0};
    const char *status = "untouched";
    put_real(w, &real, str_from(id));
    bool ok = activity_cancel(w->b, buf_str(&real), &status, &err);
    buf_done(&real);
    settle(w);
    if (!ok)
        assert_string_equal(status, "untouched");
    return ok ? status : error_name(err.code);
}

/* ---- requests */

TEST(a_call_is_shown_from_its_arrival_to_its_end)
{
    struct world w;
    begin(&w);
    CHANGES(&w, "");
    call(&w, "1", "read_console", "{}");
    CHANGES(&w, "call req-1 read_console waiting_editor_ready(reconnecting) @r c\n");
    enter(&w.a, "compiling");
    CHANGES(&w, "call req-1 read_console waiting_editor_ready(compiling) @r c\n");
    say_status(&w.a, 1, "reloading");
    CHANGES(&w, "call req-1 read_console waiting_editor_ready(reloading) @r c\n");
    say_status(&w.a, 2, "ready");
    CHANGES(&w, "call req-1 read_console running @rs\n");
    say_result(&w.a, "req-1", "{}");
    CHANGES(&w, "call req-1 read_console succeeded ok @rse\n");
    CHANGES(&w, "");
    tear_down(&w);
}

TEST(a_call_after_another_one_is_queued)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    CHANGES(&w, "call req-1 read_console running @rs\n"
                "call req-2 read_console queued @r c\n");
    leave(&w.a);
    CHANGES(&w, "call req-2 read_console waiting_editor_ready(reconnecting) @r c\n");
    pass(&w, 45000);
    CHANGES(&w, "call req-1 read_console timeout ERR_REQUEST_TIMEOUT/unknown @rse\n"
                "call req-2 read_console failed ERR_EDITOR_NOT_READY/not_executed @re\n");
    tear_down(&w);
}

TEST(every_failure_states_what_is_known_of_the_work)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{'max_entries':-1}");
    CHANGES(&w, "call req-1 read_console failed ERR_INVALID_PARAMS/not_executed @re\n");
    call(&w, "2", "read_console", "{'timeout_ms':1000}");
    pass(&w, 1000);
    CHANGES(&w, "call req-2 read_console timeout ERR_REQUEST_TIMEOUT/unknown @rse\n");
    call(&w, "3", "read_console", "{}");
    say(&w.a, "{'type':'result','request_id':'req-3','status':'error',"
              "'error':{'code':'ERR_X','message':'no'}}");
    CHANGES(&w, "call req-3 read_console failed ERR_UNITY_EXECUTION/completed_error @rse\n");
    call(&w, "4", "read_console", "{}");
    say(&w.a, "{'type':'result','request_id':'req-4'}");
    CHANGES(&w, "call req-4 read_console failed ERR_INVALID_RESPONSE/unknown @rse\n");
    call(&w, "5", "read_console", "{}");
    stop_bridge(&w);
    CHANGES(&w, "call req-5 read_console failed ERR_RECONNECT_TIMEOUT/unknown @rse\n");
    tear_down(&w);
}

TEST(a_call_refused_by_a_full_queue_is_shown)
{
    struct world w;
    make_world(&w);
    w.limits.queue_max_size = 1;
    open_world(&w);
    bridge_start(w.b);
    call(&w, "1", "read_console", "{}");
    seen = 0;
    look(&w);
    call(&w, "2", "read_console", "{}");
    CHANGES(&w, "call req-2 read_console failed ERR_QUEUE_FULL/not_executed @re\n");
    tear_down(&w);
}

TEST(a_cancelled_call_shows_whether_it_was_sent)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "read_console", "{}");
    cancel(&w, "2");
    cancel(&w, "1"); /* it runs: nothing changes before the editor answers */
    CHANGES(&w, "call req-1 read_console running @rs\n"
                "call req-2 read_console cancelled cancelled/not_executed @re\n");
    say(&w.a, "{'type':'cancel_result','target_request_id':'req-1','status':'cancelled'}");
    CHANGES(&w, "call req-1 read_console cancelled cancelled/completed_error @rse\n");
    tear_down(&w);
}

TEST(control_calls_are_shown)
{
    struct world w;
    begin(&w);
    call(&w, "1", "get_editor_state", "{}");
    call(&w, "2", "get_job_status", "{'job_id':'job-9'}");
    call(&w, "3", "cancel_job", "{'job_id':'req-1'}");
    CHANGES(&w, "call req-1 get_editor_state succeeded ok @rse\n"
                "call req-2 get_job_status failed ERR_JOB_NOT_FOUND/not_executed @rse\n"
                "call req-3 cancel_job failed ERR_CANCEL_NOT_SUPPORTED/not_executed @rse\n");
    tear_down(&w);
}

TEST(a_long_poll_is_open_until_it_is_answered)
{
    struct world w;
    set_up_job(&w);
    seen = 0;
    look(&w);
    call(&w, "2", "get_job_status", "{'job_id':'job-1','wait_ms':5000}");
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':9000}");
    CHANGES(&w, "call req-2 get_job_status running @rs\n"
                "call req-3 get_job_status running @rs\n");
    pass_alive(&w, 5000);
    cancel(&w, "3");
    CHANGES(&w, "call req-2 get_job_status succeeded ok @rse\n"
                "call req-3 get_job_status cancelled cancelled @rse\n");
    tear_down(&w);
}

/* ---- jobs */

TEST(a_job_and_its_call_name_each_other)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    CHANGES(&w, "call req-1 run_tests running @rs >job-1 c\n"
                "job job-1 run_tests running @rs >req-1 c\n");
    say_accepted(&w.a, "req-1", "job-1");
    CHANGES(&w, "call req-1 run_tests succeeded ok @rse >job-1\n");
    tear_down(&w);
}

TEST(progress_of_a_job_is_shown)
{
    struct world w;
    set_up_job(&w);
    seen = 0;
    look(&w);
    say_job(&w.a, "job-1", "running", ",'progress':{'done':2,'total':7,'current':'A.b'}");
    CHANGES(&w, "job job-1 run_tests running @rs >req-1 2/7:A.b c\n");
    say_job(&w.a, "job-1", "running", ",'progress':{'done':3}");
    CHANGES(&w, "job job-1 run_tests running @rs >req-1 3/0: c\n");
    tear_down(&w);
}

TEST(every_end_of_a_job_is_shown)
{
    static const struct {
        const char *said, *more, *want;
    } ends[] = {
        {"succeeded", ",'result':" SUMMARY, "succeeded ok"},
        {"failed", ",'error':{'code':'ERR_A','message':'b'}",
         "failed ERR_UNITY_EXECUTION/completed_error"},
        {"timeout", "", "timeout ERR_REQUEST_TIMEOUT/unknown"},
        {"cancelled", "", "cancelled cancelled"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct world w;
        char want[128];
        set_up_job(&w);
        seen = 0;
        look(&w);
        say_job(&w.a, "job-1", ends[i].said, ends[i].more);
        snprintf(want, sizeof want, "job job-1 run_tests %s @rse >req-1\n", ends[i].want);
        CHANGES(&w, want);
        tear_down(&w);
    }
}

TEST(a_second_job_waits_and_can_be_cancelled)
{
    struct world w;
    set_up_job(&w);
    seen = 0;
    look(&w);
    call(&w, "2", "run_tests", "{}");
    CHANGES(&w, "job job-2 run_tests queued @r >req-2 c\n"
                "call req-2 run_tests queued @r >job-2 c\n");
    assert_string_equal(cancel_id(&w, "job-2"), "cancelled");
    CHANGES(&w, "job job-2 run_tests cancelled cancelled @re >req-2\n"
                "call req-2 run_tests cancelled cancelled/not_executed @re >job-2\n");
    tear_down(&w);
}

TEST(a_rejected_job_ends_with_its_call)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", "{}");
    say(&w.a, "{'type':'submit_job_result','request_id':'req-1','status':'rejected'}");
    CHANGES(&w, "job job-1 run_tests failed ERR_UNITY_EXECUTION/completed_error @rse >req-1\n"
                "call req-1 run_tests failed ERR_UNITY_EXECUTION/completed_error @rse >job-1\n");
    tear_down(&w);
}

/* ---- repeats */

#define SAVE "{'client_request_id':'x'}"

TEST(a_repeat_follows_the_call_it_joined)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "save_scene", SAVE);
    call(&w, "2", "save_scene", SAVE);
    CHANGES(&w, "call req-1 save_scene running @rs\n"
                "call req-2 save_scene running @rs\n");
    say_result(&w.a, "req-1", "{}");
    CHANGES(&w, "call req-1 save_scene succeeded ok @rse\n"
                "call req-2 save_scene succeeded ok @rse\n");
    call(&w, "3", "save_scene", SAVE); /* the first answer once more */
    CHANGES(&w, "call req-3 save_scene succeeded ok @re\n");
    call(&w, "4", "save_scene", "{'client_request_id':'x','timeout_ms':1000}");
    CHANGES(&w, "call req-4 save_scene succeeded ok @re\n");
    tear_down(&w);
}

TEST(a_repeat_of_a_failed_call_has_failed_and_a_wrong_one_is_refused)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "open_scene", "{'client_request_id':'x','path':'a'}");
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error','error':{'code':'E'}}");
    look(&w);
    call(&w, "2", "open_scene", "{'client_request_id':'x','path':'a'}");
    CHANGES(&w, "call req-2 open_scene failed ERR_UNITY_EXECUTION/completed_error @re\n");
    call(&w, "3", "open_scene", "{'client_request_id':'x','path':'b'}");
    CHANGES(&w, "call req-3 open_scene failed ERR_INVALID_REQUEST/not_executed @re\n");
    tear_down(&w);
}

TEST(a_repeat_whose_client_leaves_is_cancelled_alone)
{
    struct world w;
    begin(&w);
    call(&w, "1", "save_scene", SAVE);
    call(&w, "2", "save_scene", SAVE);
    look(&w);
    cancel(&w, "2");
    CHANGES(&w, "call req-2 save_scene cancelled cancelled @re\n");
    enter(&w.a, "ready");
    say_result(&w.a, "req-1", "{}");
    CHANGES(&w, "call req-1 save_scene succeeded ok @rse\n");
    tear_down(&w);
}

TEST(a_repeated_submission_names_the_job)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "run_tests", SAVE);
    call(&w, "2", "run_tests", SAVE);
    look(&w);
    say_accepted(&w.a, "req-1", "job-1");
    CHANGES(&w, "call req-1 run_tests succeeded ok @rse >job-1\n"
                "call req-2 run_tests succeeded ok @rse >job-1\n");
    call(&w, "3", "run_tests", SAVE);
    CHANGES(&w, "call req-3 run_tests succeeded ok @re >job-1\n");
    tear_down(&w);
}

/* ---- cancel */

TEST(a_waiting_or_queued_call_is_cancelled_and_answered)
{
    struct world w;
    begin(&w);
    call(&w, "1", "read_console", "{}");
    assert_string_equal(cancel_id(&w, "req-1"), "cancelled");
    HEARD(&w, "1 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    CHANGES(&w, "call req-1 read_console cancelled cancelled/not_executed @re\n");
    enter(&w.a, "ready");
    call(&w, "2", "read_console", "{}");
    call(&w, "3", "read_console", "{}");
    buf_clear(&w.heard);
    assert_string_equal(cancel_id(&w, "req-3"), "cancelled");
    HEARD(&w, "3 ! ERR_EDITOR_NOT_READY not_executed retryable\n");
    assert_string_equal(cancel_id(&w, "req-3"), "rejected"); /* it is over */
    HEARD(&w, "");
    say_result(&w.a, "req-2", "{}");
    assert_string_equal(cancel_id(&w, "req-2"), "rejected");
    tear_down(&w);
}

TEST(a_cancel_reaches_only_tools_that_support_it)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    buf_clear(&w.heard);
    assert_string_equal(cancel_id(&w, "req-1"), "cancel_requested");
    HEARD(&w, ""); /* read_console cannot be stopped: its answer is waited for */
    say_result(&w.a, "req-1", "{}");
    HEARD(&w, "1 {}\n");
    call(&w, "2", "run_tests", "{}");
    buf_clear(&w.heard);
    assert_string_equal(cancel_id(&w, "req-2"), "cancel_requested");
    HEARD(&w, "> cancel job-1\n");
    tear_down(&w);
}

TEST(a_running_job_is_asked_each_time_and_an_ended_one_rejects)
{
    struct world w;
    set_up_job(&w);
    assert_string_equal(cancel_id(&w, "job-1"), "cancel_requested");
    assert_string_equal(cancel_id(&w, "job-1"), "cancel_requested");
    HEARD(&w, "> cancel job-1\n"
              "> cancel job-1\n");
    say_job(&w.a, "job-1", "cancelled", "");
    assert_string_equal(cancel_id(&w, "job-1"), "rejected");
    tear_down(&w);
}

TEST(cancelling_a_control_call_is_an_error)
{
    struct world w;
    set_up_job(&w);
    call(&w, "2", "get_editor_state", "{}");
    call(&w, "3", "get_job_status", "{'job_id':'job-1','wait_ms':5000}");
    assert_string_equal(cancel_id(&w, "req-2"), "ERR_CANCEL_NOT_SUPPORTED");
    assert_string_equal(cancel_id(&w, "req-3"), "ERR_CANCEL_NOT_SUPPORTED");
    assert_string_equal(cancel_id(&w, "req-9"), "ERR_INVALID_PARAMS");
    assert_string_equal(cancel_id(&w, "job-9"), "ERR_JOB_NOT_FOUND");
    assert_string_equal(cancel_id(&w, ""), "ERR_INVALID_PARAMS");
    assert_string_equal(cancel_id(&w, "\xff\x01"), "ERR_INVALID_PARAMS");
    tear_down(&w);
}

TEST(cancelling_a_repeat_cancels_what_it_joined)
{
    struct world w;
    begin(&w);
    call(&w, "1", "save_scene", SAVE);
    call(&w, "2", "save_scene", SAVE);
    look(&w);
    assert_string_equal(cancel_id(&w, "req-2"), "cancelled");
    CHANGES(&w, "call req-1 save_scene cancelled cancelled/not_executed @re\n"
                "call req-2 save_scene cancelled cancelled/not_executed @re\n");
    tear_down(&w);
}

/* ---- what is kept */

static void count(const struct activity *a, void *ctx)
{
    (void)a;
    ++*(size_t *)ctx;
}

static size_t entries(const struct world *w, uint64_t behind)
{
    size_t n = 0;
    activity_each(w->b, behind, count, &n);
    return n;
}

TEST(the_last_ended_entries_and_all_open_ones_are_kept)
{
    struct world w;
    char id[16];
    begin(&w);
    call(&w, "1", "read_console", "{'timeout_ms':30000}"); /* waits all the time */
    for (unsigned i = 2; i < ACTIVITY_KEEP + 2; i++) {
        snprintf(id, sizeof id, "%u", i);
        call(&w, id, "get_editor_state", "{}");
    }
    buf_clear(&w.heard);
    assert_int_equal(entries(&w, 0), ACTIVITY_KEEP + 1);
    assert_true(activity_is_whole(w.b, 0)); /* nothing has gone yet */
    uint64_t now = activity_each(w.b, UINT64_MAX, count, &(size_t){0});
    assert_true(activity_is_whole(w.b, now));
    assert_false(activity_is_whole(w.b, now + 1)); /* of another time */
    for (unsigned i = 0; i < 10; i++)
        call(&w, "5000", "get_editor_state", "{}");
    buf_clear(&w.heard);
    assert_int_equal(entries(&w, 0), ACTIVITY_KEEP + 1);
    assert_int_equal(entries(&w, now), 10);
    assert_false(activity_is_whole(w.b, 0));
    assert_true(activity_is_whole(w.b, now));
    seen = 0;
    look(&w);
    assert_true(str_starts(buf_str(&w.heard), STR("call req-1 read_console waiting")));
    assert_true(str_find(buf_str(&w.heard), STR("call req-11 ")) == w.heard.n);
    assert_true(str_find(buf_str(&w.heard), STR("call req-12 ")) < w.heard.n);
    tear_down(&w);
}

TEST(a_reader_that_missed_entries_is_notified)
{
    struct world w;
    begin(&w);
    for (unsigned i = 0; i < ACTIVITY_KEEP; i++)
        call(&w, "1", "get_editor_state", "{}");
    buf_clear(&w.heard);
    uint64_t now = activity_each(w.b, UINT64_MAX, count, &(size_t){0});
    for (unsigned i = 0; i < ACTIVITY_KEEP; i++)
        call(&w, "1", "get_editor_state", "{}");
    assert_true(activity_is_whole(w.b, now)); /* the last one it knows has just gone */
    call(&w, "1", "get_editor_state", "{}");
    assert_false(activity_is_whole(w.b, now));
    tear_down(&w);
}

/* ---- texts */

static struct buf texts;

static void put_texts(const struct activity *a, void *ctx)
{
    (void)ctx;
    buf_printf(&texts, "[%s][%s][%s]\n", a->client, a->subject, a->message);
    assert_true(strlen(a->client) <= ACTIVITY_TEXT && strlen(a->subject) <= ACTIVITY_TEXT);
    assert_true(strlen(a->message) <= ACTIVITY_TEXT && strlen(a->current) <= ACTIVITY_TEXT);
    assert_true(utf8_is_valid(str_from(a->client)) && utf8_is_valid(str_from(a->subject)));
    assert_true(utf8_is_valid(str_from(a->message)) && utf8_is_valid(str_from(a->current)));
}

static const char *texts_of(struct world *w)
{
    buf_clear(&texts);
    seen = activity_each(w->b, seen, put_texts, NULL);
    return texts.n ? texts.p : "";
}

TEST(a_call_has_the_name_of_its_client_and_what_it_is_about)
{
    struct world w;
    make_world(&w);
    open_world(&w);
    bridge_start(w.b);
    seen = 0;
    call(&w, "1", "get_component_info", "{'game_object_path':'/Player','index':0}");
    assert_string_equal(texts_of(&w), "[][/Player][]\n"); /* it did not say who it is */
    w.s->initialized = false;
    ask(&w, "2", "initialize",
        "{'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'claude-code',"
        "'version':'2.1.325'}}");
    call(&w, "3", "run_tests", "{'filter':'My.Tests'}");
    assert_string_equal(texts_of(&w), "[claude-code 2.1.325][My.Tests][]\n");
    send_as(&w, NULL,
            "{'jsonrpc':'2.0','id':4,'method':'tools/call','params':{'name':'read_console',"
            "'arguments':{},'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            "'io.modelcontextprotocol/clientCapabilities':{},"
            "'io.modelcontextprotocol/clientInfo':{'name':'page','version':''}}}}");
    assert_string_equal(texts_of(&w), "[page][][]\n");
    enter(&w.a, "ready"); /* the job is of the same */
    assert_non_null(strstr(texts_of(&w), "[claude-code 2.1.325][My.Tests][]\n"
                                         "[claude-code 2.1.325][My.Tests][]\n"));
    buf_done(&texts);
    tear_down(&w);
}

TEST(hostile_texts_are_one_line_and_cut)
{
    struct world w;
    struct buf text = {0};
    begin(&w);
    buf_add(&text, STR("{'game_object_path':'/a\\n\\u202e\\u0000<b>"));
    for (int i = 0; i < 1000; i++)
        buf_add(&text, STR("日本"));
    buf_add(&text, STR("','index':0}"));
    call(&w, "1", "get_component_info", text.p);
    const char *got = texts_of(&w);
    assert_non_null(strstr(got, "[][/a \xef\xbf\xbd\xef\xbf\xbd<b>日本"));
    assert_non_null(strstr(got, "…][]\n"));
    call(&w, "2", "get_component_info", "{'game_object_path':{'a':1},'index':0}");
    assert_non_null(strstr(texts_of(&w), "[][][")); /* wrong, and no text */
    buf_done(&text);
    buf_done(&texts);
    tear_down(&w);
}

TEST(an_error_has_one_line_of_text)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    say(&w.a, "{'type':'result','request_id':'req-1','status':'error',"
              "'error':{'code':'ERR_X','message':'a\\nb'}}");
    assert_string_equal(texts_of(&w), "[][][ERR_X: a b]\n");
    buf_done(&texts);
    tear_down(&w);
}

/* ---- notifications */

static unsigned notified;

static void on_change(void *ctx)
{
    (void)ctx;
    notified++;
}

TEST(changes_of_one_iteration_are_notified_once)
{
    struct world w;
    begin(&w);
    notified = 0;
    bridge_on_change(w.b, on_change, NULL);
    settle(&w);
    assert_int_equal(notified, 0);
    call(&w, "1", "read_console", "{}");
    assert_int_equal(notified, 1);
    enter(&w.a, "ready");
    unsigned before = notified;
    assert_true(before > 1);
    say_status(&w.a, 1, "ready"); /* a heartbeat has no news */
    assert_int_equal(notified, before);
    bridge_on_change(w.b, NULL, NULL);
    say_result(&w.a, "req-1", "{}");
    assert_int_equal(notified, before);
    tear_down(&w);
}

TEST(the_state_has_a_number_that_grows_with_its_changes)
{
    struct world w;
    begin(&w);
    enter(&w.a, "ready");
    struct bridge_news old = bridge_news(w.b), now;
    assert_false(old.scene.is_known || old.console.is_known);
    say(&w.a, "{'type':'editor_status','seq':1,'state':'ready','scene_seq':5,'console_seq':0}");
    now = bridge_news(w.b);
    assert_true(now.state > old.state && now.scene.is_known && now.console.is_known);
    assert_int_equal(now.scene.n, 5);
    assert_int_equal(now.console.n, 0);
    old = now;
    say(&w.a, "{'type':'editor_status','seq':2,'state':'ready','scene_seq':5}");
    call(&w, "1", "get_editor_state", "{}");
    assert_int_equal(bridge_news(w.b).state, old.state);
    say(&w.a, "{'type':'editor_status','seq':3,'state':'ready','scene_seq':-1,'console_seq':'x'}");
    assert_int_equal(bridge_news(w.b).state, old.state); /* no numbers: not notified */
    say(&w.a, "{'type':'editor_status','seq':4,'state':'ready','is_playing':true}");
    assert_true(bridge_news(w.b).state > old.state);
    leave(&w.a);
    enter(&w.a, "ready"); /* the same editor: they are still known */
    assert_int_equal(bridge_news(w.b).scene.n, 5);
    leave(&w.a);
    enter(&w.second, "ready");
    assert_false(bridge_news(w.b).scene.is_known);
    tear_down(&w);
}
