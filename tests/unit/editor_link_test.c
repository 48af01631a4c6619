/* The headless editor with the real bridge, on a loop without a clock, as clients see it. */
#include "editor/editor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "bridge_fixture.h"
#include "editor/editor_internal.h"
#include "editor_scene.h"

/* The loop of this test watches no files: the test itself reports that the lock has changed. */
static struct {
    loop_fn *changed;
    void *ctx;
} lock_watch;
struct watch_file *__wrap_watch_file_start(struct loop *loop, const char *path, loop_fn *changed,
                                           void *ctx);
void __wrap_watch_file_stop(struct watch_file *w);

struct watch_file *__wrap_watch_file_start(struct loop *loop, const char *path, loop_fn *changed,
                                           void *ctx)
{
    lock_watch.changed = changed;
    lock_watch.ctx = ctx;
    return (struct watch_file *)(void *)&lock_watch;
}

void __wrap_watch_file_stop(struct watch_file *w)
{
    lock_watch.changed = NULL;
}

static char project_folder[64];
static struct editor *headless;

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static int make_project(void **state)
{
    snprintf(project_folder, sizeof project_folder, "/tmp/multiverse_test.XXXXXX");
    if (!mkdtemp(project_folder) || chdir(project_folder) != 0)
        return -1;
    assert_int_equal(mkdir("Assets", 0755) | mkdir("ProjectSettings", 0755), 0);
    put("Assets/Main.unity", SCENE_TEXT);
    put("Assets/Main.unity.meta", "fileFormatVersion: 2\nguid: 0000000000000000000000000000000a\n");
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.56f1\n");
    return 0;
}

static int remove_project(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", project_folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void enter_headless(struct world *w, bool manual)
{
    struct editor_options options = {
        .project = project_folder, .save_manual = manual, .unity_path = "/nowhere/Unity"};
    struct error err = {0};
    headless = editor_new(w->loop, &options, &err);
    if (!headless)
        fail_msg("%s", err.text);
    assert_true(editor_connect(headless, w->b));
    settle(w);
}

static void leave_headless(struct world *w)
{
    editor_stop(headless);
    settle(w);
    assert_true(editor_is_quiet(headless));
    editor_free(headless);
    headless = NULL;
}

static bool has_received(struct world *w, const char *part)
{
    return str_find(buf_str(&w->heard), str_from(part)) < w->heard.n;
}

static void request_state(struct world *w)
{
    buf_clear(&w->heard);
    call(w, "99", "get_editor_state", "{}");
}

TEST_FIXTURE(make_project, remove_project);

TEST(hello_has_the_editor_and_project)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    request_state(&w);
    assert_true(
        has_received(&w, "'server_state':'ready','editor':'headless','editor_state':'ready'"));
    assert_true(has_received(&w,
                             "'active_scene':'Assets/Main.unity','scene_dirty':false,"
                             "'is_playing':false,'is_paused':false,'unity_version':'2022.3.56f1'"));
    assert_true(has_received(&w, project_folder));
    leave_headless(&w);
    tear_down(&w);
}

TEST(capability_lists_the_tools)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    ask(&w, "1", "tools/list", "{}");
    assert_true(has_received(&w, "'get_scene_hierarchy'") && has_received(&w, "'run_tests'"));
    assert_true(has_received(&w, "'manage_component'") && has_received(&w, "'control_play_mode'"));
    leave_headless(&w);
    tear_down(&w);
}

TEST(call_gets_its_answer)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    buf_clear(&w.heard);
    call(&w, "1", "get_scene_hierarchy", "{'root_path':'/Enemy'}");
    HEARD(&w, "1 {'scene_name':'Main','scene_path':'Assets/Main.unity','root_game_objects':[{"
              "'name':'Enemy','path':'/Enemy','active':true,'components':['UnityEngine.Transform'],"
              "'children':[]}],'total_game_objects':1,'returned_game_objects':1,'truncated':false"
              "}\n");
    leave_headless(&w);
    tear_down(&w);
}

TEST(error_has_the_guarantee_not_executed)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    buf_clear(&w.heard);
    call(&w, "1", "get_scene_hierarchy", "{'root_path':'/Nobody'}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION not_executed retryable\n");
    assert_true(str_find(buf_str(&w.error), STR("'plugin_error_code':'ERR_OBJECT_NOT_FOUND'")) <
                w.error.n);
    leave_headless(&w);
    tear_down(&w);
}

TEST(status_precedes_the_answer)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, true);
    call(&w, "1", "manage_component",
         "{'action':'update','game_object_path':'/Player','index':1,'fields':{'mass':2}}");
    assert_true(has_received(&w, "1 {'action':'update'"));
    request_state(&w);
    assert_true(has_received(&w, "'scene_dirty':true"));
    call(&w, "2", "undo", "{}");
    request_state(&w);
    assert_true(has_received(&w, "'scene_dirty':false"));
    leave_headless(&w);
    tear_down(&w);
}

/* One step of the scene is one entry of the console as well. */
static void set_mass(struct world *w, const char *mass)
{
    char args[128];
    snprintf(args, sizeof args,
             "{'action':'update','game_object_path':'/Player','index':1,'fields':{'mass':%s}}",
             mass);
    buf_clear(&w->heard);
    call(w, "1", "manage_component", args);
    assert_true(has_received(w, "1 {'action':'update'"));
}

static void check_news(struct world *w, uint64_t scene, uint64_t console)
{
    struct bridge_news now = bridge_news(w->b);
    assert_true(now.scene.is_known && now.console.is_known);
    assert_int_equal(now.scene.n, scene);
    assert_int_equal(now.console.n, console);
}

TEST(changes_of_scene_and_console_are_sent)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    struct bridge_news first = bridge_news(w.b); /* sent with hello */
    assert_true(first.scene.is_known && first.console.is_known);
    uint64_t scene = first.scene.n, console = first.console.n;
    pass(&w, 100);
    set_mass(&w, "2");
    check_news(&w, scene + 1, console + 1); /* the first is sent at once */
    pass(&w, 20);
    set_mass(&w, "3");
    set_mass(&w, "4");
    call(&w, "2", "undo", "{}");
    check_news(&w, scene + 1, console + 1); /* the following ones are collected */
    pass(&w, 29);
    check_news(&w, scene + 1, console + 1);
    pass(&w, 1);
    check_news(&w, scene + 4, console + 4);
    request_state(&w);
    assert_true(has_received(&w, "'last_editor_status_seq':2,"));
    pass(&w, 1000);
    call(&w, "3", "get_scene_hierarchy", "{}"); /* reading changes nothing */
    pass(&w, 1000);
    request_state(&w);
    assert_true(has_received(&w, "'last_editor_status_seq':2,"));
    leave_headless(&w);
    tear_down(&w);
}

TEST(heartbeat_includes_pending_changes)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    struct bridge_news first = bridge_news(w.b);
    pass(&w, 4980);
    set_mass(&w, "2");
    set_mass(&w, "3");
    pass(&w, 20); /* the heartbeat is due at 5000, the news at 5030 */
    check_news(&w, first.scene.n + 2, first.console.n + 2);
    pass(&w, 1000);
    request_state(&w);
    assert_true(has_received(&w, "'last_editor_status_seq':2,"));
    leave_headless(&w);
    tear_down(&w);
}

TEST(pending_status_is_dropped_with_the_link)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    pass(&w, 100);
    set_mass(&w, "2");
    set_mass(&w, "3");
    leave_headless(&w);
    pass(&w, 1000);
    tear_down(&w);
}

TEST(link_stays_open_for_hours)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    pass(&w, 3 * 3600 * 1000);
    request_state(&w);
    assert_true(has_received(&w, "'connected':true,'last_editor_status_seq':2160,"));
    leave_headless(&w);
    tear_down(&w);
}

TEST(tests_without_a_runner_are_refused_at_once)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    buf_clear(&w.heard);
    call(&w, "1", "run_tests", "{}");
    HEARD(&w, "1 ! ERR_UNITY_EXECUTION not_executed\n");
    assert_true(str_find(buf_str(&w.error), STR("ERR_NO_TEST_RUNNER")) < w.error.n);
    assert_true(str_find(buf_str(&w.error), STR("tests.command")) < w.error.n);
    leave_headless(&w);
    tear_down(&w);
}

/* Calls go to the live one while it is there, and to the headless one again afterwards. */
TEST(live_editor_replaces_it_until_it_leaves)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    buf_clear(&w.heard);
    w.a.project = project_folder;
    enter(&w.a, "ready");
    buf_clear(&w.heard);
    call(&w, "1", "read_console", "{}");
    HEARD(&w, "> execute req-1 read_console\n");
    say_result(&w.a, "req-1", "{}");
    assert_false(timer_is_running(&headless->takeover)); /* nothing polls while it is there */
    assert_null(headless->lock_watch);
    pass_alive(&w, 60000);
    request_state(&w);
    assert_true(has_received(&w, "'editor':'unity'"));
    leave(&w.a);
    pass(&w, 1000); /* it may still reconnect */
    request_state(&w);
    assert_true(has_received(&w, "'connected':false"));
    pass(&w, 2000);
    request_state(&w);
    assert_true(has_received(&w, "'editor':'headless','editor_state':'ready','connected':true"));
    buf_clear(&w.heard);
    call(&w, "2", "get_scene_hierarchy", "{'root_path':'/Nobody'}");
    HEARD(&w, "2 ! ERR_UNITY_EXECUTION not_executed retryable\n");
    leave_headless(&w);
    tear_down(&w);
}

/* A lock of Unity that is still held may mean that the editor reconnects: wait as long as the
 * server does, but no longer than Unity has the project open. */
TEST(takeover_waits_while_unity_has_the_project_open)
{
    struct world w;
    struct buf path = {0};
    set_up(&w);
    enter_headless(&w, false);
    w.a.project = project_folder;
    enter(&w.a, "ready");
    project_lock_path(&headless->project, &path);
    assert_int_equal(mkdir("Temp", 0755), 0);
    put("Temp/UnityLockfile", "");
    int fd = open(path.p, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    leave(&w.a);
    pass(&w, 10000);
    request_state(&w);
    assert_true(has_received(&w, "'connected':false"));
    buf_clear(&w.heard);
    lock_watch.changed(lock_watch.ctx); /* something changed, but the lock is held */
    settle(&w);
    request_state(&w);
    assert_true(has_received(&w, "'connected':false"));
    close(fd);
    lock_watch.changed(lock_watch.ctx);
    settle(&w);
    request_state(&w);
    assert_true(has_received(&w, "'editor':'headless'"));
    assert_null(lock_watch.changed);
    buf_done(&path);
    leave_headless(&w);
    tear_down(&w);
}

TEST(takeover_follows_the_reconnect_wait)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    w.a.project = project_folder;
    enter(&w.a, "ready");
    assert_int_equal(mkdir("Temp", 0755), 0);
    put("Temp/UnityLockfile", "");
    int fd = open("Temp/UnityLockfile", O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    leave(&w.a);
    pass(&w, w.limits.request_reconnect_wait_ms - 1000);
    request_state(&w);
    assert_true(has_received(&w, "'connected':false"));
    pass(&w, 1000);
    request_state(&w);
    assert_true(has_received(&w, "'editor':'headless'"));
    close(fd);
    leave_headless(&w);
    tear_down(&w);
}

TEST(unknown_ids_are_errors)
{
    struct world w;
    set_up(&w);
    w.a.project = project_folder;
    enter(&w.a, "ready");
    call(&w, "1", "read_console", "{}");
    call(&w, "2", "run_tests", "{}");
    leave(&w.a);
    enter_headless(&w, false); /* with the request of the other editor */
    call(&w, "3", "list_scenes", "{}");
    assert_true(has_received(&w, "1 ! ERR_RECONNECT_TIMEOUT unknown\n"));
    assert_true(has_received(&w, "3 {'scenes':"));
    leave_headless(&w);
    tear_down(&w);
}

TEST(stop_closes_the_link)
{
    struct world w;
    set_up(&w);
    enter_headless(&w, false);
    editor_stop(headless);
    stop_bridge(&w);
    settle(&w);
    assert_true(editor_is_quiet(headless));
    assert_true(bridge_is_quiet(w.b));
    editor_free(headless);
    tear_down(&w);
}
