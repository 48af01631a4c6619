/* The headless editor: the scene it opens, its tools, its console. */
#include "editor/editor_tool.h"
#include "editor_fixture.h"

/* ---- the start */

TEST_FIXTURE(setup, teardown);

TEST(first_enabled_build_scene_is_opened)
{
    open_editor(NULL);
    assert_true(run("get_scene_hierarchy", "{'max_depth':0}"));
    assert_true(answer_has("'scene_name':'Main','scene_path':'" MAIN "'"));
}

TEST(without_build_scenes_the_first_by_path_is_opened)
{
    put("ProjectSettings/EditorBuildSettings.asset", "");
    open_editor(NULL);
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has(OTHER));
}

TEST(requested_scene_must_exist)
{
    struct error err = {0};
    open_editor(&(struct editor_options){.scene = OTHER});
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("'scene_name':'Other'"));
    assert_null(editor_new(
        loop, &(struct editor_options){.project = project_folder, .scene = "Assets/Nowhere.unity"},
        &err));
    assert_non_null(strstr(err.text, "Assets/Nowhere.unity"));
}

TEST(folder_without_assets_is_not_a_project)
{
    struct error err = {0};
    assert_null(editor_new(loop, &(struct editor_options){.project = "Assets"}, &err));
    assert_int_equal(err.code, ERR_IO);
}

TEST(project_without_scenes_has_no_open_scene)
{
    assert_int_equal(system("rm -r Assets/*"), 0);
    open_editor(NULL);
    REFUSES("get_scene_hierarchy", "{}", "ERR_NO_SCENE", "open_scene");
    ANSWERS("list_scenes", "{}", "{'scenes':[],'count':0,'total_count':0,'truncated':false}");
    REFUSES("save_scene", "{}", "ERR_NO_SCENE", "");
    REFUSES("undo", "{}", "ERR_NO_SCENE", "");
}

TEST(unreadable_scene_is_reported_and_the_next_one_opened)
{
    put(MAIN, "not a scene\n");
    open_editor(NULL);
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has(OTHER));
    assert_true(run("read_console", "{'log_type':['error']}"));
    assert_true(answer_has("'file':'" MAIN "'"));
}

/* ---- the table */

TEST(tools_are_sorted_and_in_the_catalog)
{
    for (size_t i = 0; editor_tools[i]; i++) {
        assert_true(i == 0 || strcmp(editor_tools[i - 1]->name, editor_tools[i]->name) < 0);
        const struct tool *t = catalog_find(catalog, str_from(editor_tools[i]->name));
        assert_non_null(t);
        assert_false(t->control);
        assert_ptr_equal(editor_tool_find(str_from(editor_tools[i]->name)), editor_tools[i]);
    }
    assert_null(editor_tool_find(STR("make_coffee")));
    open_editor(NULL);
    assert_false(editor_run(editor, STR("make_coffee"), NULL, &answer, &failure));
    CHECK_CSTR(str_from(failure.code), "ERR_UNKNOWN_COMMAND");
}

/* ---- get_scene_hierarchy */

#define ENEMY                                                                                      \
    "{'name':'Enemy','path':'/Enemy','active':true,'components':['UnityEngine.Transform'],"        \
    "'children':[]}"
#define PLAYER(children)                                                                           \
    "{'name':'Player','path':'/Player','active':true,'components':['UnityEngine.Transform',"       \
    "'UnityEngine.Rigidbody'],'children':" children "}"
#define CHILD                                                                                      \
    "{'name':'Child','path':'/Player/Child','active':true,'components':['UnityEngine.Transform',"  \
    "null],'children':[]}"
#define TREE(roots, total, returned, truncated)                                                    \
    "{'scene_name':'Main','scene_path':'" MAIN "','root_game_objects':[" roots                     \
    "],'total_game_objects':" total ",'returned_game_objects':" returned ",'truncated':" truncated \
    "}"

TEST(hierarchy_is_a_tree)
{
    open_editor(NULL);
    ANSWERS("get_scene_hierarchy", "{}", TREE(PLAYER("[" CHILD "]") "," ENEMY, "3", "3", "false"));
}

TEST(subtree_has_its_own_totals)
{
    open_editor(NULL);
    ANSWERS("get_scene_hierarchy", "{'root_path':'/Player/Child'}", TREE(CHILD, "1", "1", "false"));
    ANSWERS("get_scene_hierarchy", "{'root_path':'Player','max_depth':0}",
            TREE(PLAYER("'...'"), "2", "1", "true"));
    REFUSES("get_scene_hierarchy", "{'root_path':'/Nobody'}", "ERR_OBJECT_NOT_FOUND", "/Nobody");
    REFUSES("get_scene_hierarchy", "{'root_path':''}", "ERR_OBJECT_NOT_FOUND", "");
    assert_false(failure.was_executed);
}

/* Breadth first: siblings come before children. */
TEST(cut_keeps_the_parents_of_shown_nodes)
{
    open_editor(NULL);
    ANSWERS("get_scene_hierarchy", "{'max_game_objects':2}",
            TREE(PLAYER("'...'") "," ENEMY, "3", "2", "true"));
    ANSWERS("get_scene_hierarchy", "{'max_game_objects':1}",
            TREE(PLAYER("'...'"), "3", "1", "true"));
    ANSWERS("get_scene_hierarchy", "{'max_game_objects':3}",
            TREE(PLAYER("[" CHILD "]") "," ENEMY, "3", "3", "false"));
    ANSWERS("get_scene_hierarchy", "{'max_depth':0}",
            TREE(PLAYER("'...'") "," ENEMY, "3", "2", "true"));
}

/* ---- scenes */

TEST(scenes_are_listed_by_path)
{
    open_editor(NULL);
    ANSWERS("list_scenes", "{}",
            "{'scenes':[{'path':'" OTHER "','active':false,'in_build':false},"
            "{'path':'" MAIN "','active':true,'in_build':true,'build_index':0}],"
            "'count':2,'total_count':2,'truncated':false}");
    ANSWERS("list_scenes", "{'max_results':1}",
            "{'scenes':[{'path':'" OTHER "','active':false,'in_build':false}],"
            "'count':1,'total_count':2,'truncated':true,'next_offset':1}");
    ANSWERS("list_scenes", "{'offset':1,'name_pattern':'^main$|levels/'}",
            "{'scenes':[{'path':'" MAIN "','active':true,'in_build':true,'build_index':0}],"
            "'count':1,'total_count':2,'truncated':false}");
    ANSWERS("list_scenes", "{'offset':7}",
            "{'scenes':[],'count':0,'total_count':2,'truncated':false}");
    REFUSES("list_scenes", "{'name_pattern':'*'}", "ERR_INVALID_PARAMS", "at byte 1");
}

TEST(new_scene_is_listed_by_the_next_call)
{
    open_editor(NULL);
    assert_true(run("list_scenes", "{}"));
    put("Assets/New.unity", SCENE_OTHER);
    put_meta("Assets/New.unity", "0000000000000000000000000000000d");
    assert_true(run("list_scenes", "{}"));
    assert_true(answer_has("Assets/New.unity"));
}

TEST(another_scene_is_opened)
{
    open_editor(NULL);
    ANSWERS("open_scene", "{'path':'" OTHER "'}",
            "{'scene_name':'Other','scene_path':'" OTHER "','previous_scene_path':'" MAIN "'}");
    REFUSES("open_scene", "{'path':'Assets/Other.unity'}", "ERR_SCENE_NOT_FOUND",
            "did you mean " OTHER);
    REFUSES("open_scene", "{'path':'Assets/Mian.unity'}", "ERR_SCENE_NOT_FOUND",
            "did you mean " MAIN);
    REFUSES("open_scene", "{'path':'ProjectSettings/ProjectVersion.txt'}", "ERR_SCENE_NOT_FOUND",
            "");
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("'scene_name':'Other'"));
}

/* ---- files that are watched */

#define BRIDGE_CS "Assets/Scripts/Bridge.cs"
#define FIELD(name)                                                                                \
    "using UnityEngine; public class Bridge : MonoBehaviour { public int " name "; }\n"

#define BRIDGE_GUID "0123456789abcdef0123456789abcdef" /* the script of Child */
#define BRIDGE_INFO "get_component_info", "{'game_object_path':'/Player/Child','index':1}"
#define BRIDGE_NODE "get_scene_hierarchy", "{'root_path':'/Player/Child'}"

static bool run_has(const char *tool, const char *arguments, const char *part)
{
    return run(tool, arguments) && answer_has(part);
}

static void put_bridge(void)
{
    put(BRIDGE_CS, FIELD("width"));
    put_meta(BRIDGE_CS, BRIDGE_GUID);
    put_meta("Assets/Scripts", "0000000000000000000000000000000e");
}

/* With and without a watch a call sees all earlier changes. */
static void check_scripts(bool watch)
{
    put_bridge();
    open_editor(&(struct editor_options){.watch = watch});
    assert_true(run_has(BRIDGE_INFO, "'component_type':'Bridge'") && answer_has("'width':0"));
    put(BRIDGE_CS, FIELD("height"));
    assert_true(run_has(BRIDGE_INFO, "'height':0"));
    put("Assets/next", FIELD("depth"));
    assert_int_equal(rename("Assets/next", BRIDGE_CS), 0);
    assert_true(run_has(BRIDGE_INFO, "'depth':0"));
    assert_int_equal(unlink(BRIDGE_CS ".meta"), 0);
    assert_true(run_has(BRIDGE_NODE, "null"));
    put_meta(BRIDGE_CS, BRIDGE_GUID);
    assert_true(run_has(BRIDGE_NODE, "'Bridge'"));
    assert_int_equal(rename("Assets/Scripts", "Assets/v1.2"), 0); /* a folder with an extension */
    assert_true(run_has(BRIDGE_INFO, "'depth':0"));
    put("Assets/v1.2/Bridge.cs", FIELD("area"));
    assert_true(run_has(BRIDGE_INFO, "'area':0"));
    assert_int_equal(rename("Assets/v1.2", "away"), 0);
    assert_true(run_has(BRIDGE_NODE, "null"));
    assert_int_equal(rename("away", "Assets/Old.Scripts"), 0);
    assert_true(run_has(BRIDGE_INFO, "'area':0"));
}

TEST(changed_scripts_are_noticed_by_the_next_call)
{
    check_scripts(true);
}

TEST(changed_scripts_are_noticed_without_a_watch)
{
    check_scripts(false);
}

TEST(new_scene_is_noticed_by_the_next_call)
{
    open_editor(&(struct editor_options){.watch = true});
    put("Assets/New/New.unity", SCENE_OTHER); /* in a new folder */
    put_meta("Assets/New/New.unity", "0000000000000000000000000000000d");
    put_meta("Assets/New", "0000000000000000000000000000000f");
    assert_true(run_has("list_scenes", "{}", "Assets/New/New.unity"));
    assert_int_equal(rename("Assets/New", "Assets/v1.2"), 0);
    assert_true(run_has("list_scenes", "{}", "Assets/v1.2/New.unity"));
    assert_false(answer_has("Assets/New/New.unity"));
}

TEST(project_inside_its_local_package_is_watched)
{
    put_bridge();
    put("package.json", "{}");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.me.all\": \"file:..\"}}");
    open_editor(&(struct editor_options){.watch = true});
    assert_true(run_has(BRIDGE_INFO, "'width':0"));
    put(BRIDGE_CS, FIELD("height"));
    assert_true(run_has(BRIDGE_INFO, "'height':0"));
    put("Assets/New.unity", SCENE_OTHER);
    assert_true(run_has("list_scenes", "{}", "'path':'Assets/New.unity'"));
}

/* ---- settings and packages that change */

#define LOCAL(name) "{\"dependencies\": {\"com.me." name "\": \"file:../" name "\"}}"
#define SAID        "settings or packages of the project changed"

static void check_project_changes(bool watch)
{
    open_editor(&(struct editor_options){.watch = watch});
    put("far/package.json", "{}");
    put("far/Far.unity", SCENE_OTHER);
    put_meta("far/Far.unity", "0000000000000000000000000000000d");
    assert_true(run("list_scenes", "{}"));
    assert_false(answer_has("Far.unity"));
    put("Packages/manifest.json", LOCAL("far"));
    assert_true(run_has("list_scenes", "{}", "'Packages/com.me.far/Far.unity'"));
    put("far/Farther.unity", SCENE_OTHER); /* it is watched from now on */
    assert_true(run_has("list_scenes", "{}", "'Packages/com.me.far/Farther.unity'"));
    put("Packages/manifest.json", "{}");
    assert_true(run("list_scenes", "{}"));
    assert_false(answer_has("Far.unity"));
    put("Packages/near/package.json", "{\"name\": \"com.me.near\"}");
    put("Packages/near/Near.unity", SCENE_OTHER);
    assert_true(run_has("list_scenes", "{}", "'Packages/com.me.near/Near.unity'"));
    put("Packages/near/package.json", "{\"name\": \"com.me.next\"}");
    assert_true(run_has("list_scenes", "{}", "'Packages/com.me.next/Near.unity'"));
    assert_true(run_has("list_scenes", "{}", "{'path':'" MAIN "','active':true,'in_build':true"));
    assert_int_equal(rename("ProjectSettings/EditorBuildSettings.asset", "away"), 0);
    assert_true(run_has("list_scenes", "{}", "{'path':'" MAIN "','active':true,'in_build':false"));
    assert_true(run_has("read_console", "{'message_pattern':'" SAID "'}", "'count':5"));
}

TEST(changed_settings_and_packages_are_reloaded)
{
    check_project_changes(true);
}

TEST(changed_settings_and_packages_are_reloaded_without_a_watch)
{
    check_project_changes(false);
}

TEST(listed_packages_add_their_classes)
{
    static const char add[] =
        "{'action':'add','game_object_path':'/Player','component_type':'PlayerInput'}";
    open_editor(&(struct editor_options){.watch = true});
    REFUSES("manage_component", add, "ERR_COMPONENT_TYPE_NOT_FOUND", "PlayerInput");
    put("Packages/packages-lock.json",
        "{\"dependencies\": {\"com.unity.inputsystem\": {\"version\": \"1.7.0\"}}}");
    assert_true(run("manage_component", add));
    put("Packages/packages-lock.json", "{}");
    REFUSES("manage_component", add, "ERR_COMPONENT_TYPE_NOT_FOUND", "PlayerInput");
}

TEST(edits_have_the_form_of_the_current_version)
{
    static const char add[] =
        "{'action':'add','game_object_path':'/Player','component_type':'Bridge'}";
    put_bridge();
    open_editor(&(struct editor_options){.watch = true});
    assert_true(run("manage_component", add));
    struct buf text = {0};
    assert_true(file_read(MAIN, 1 << 20, &text, NULL));
    assert_true(str_find(buf_str(&text), STR("Assembly-CSharp::Bridge")) == text.n);
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6000.3.1f1\n");
    assert_true(run("manage_component", add));
    buf_clear(&text);
    assert_true(file_read(MAIN, 1 << 20, &text, NULL));
    assert_true(str_find(buf_str(&text), STR("Assembly-CSharp::Bridge")) < text.n);
    buf_done(&text);
}

/* ---- packages that are not the project's own */

TEST(scenes_of_the_package_cache_are_read_only)
{
    static const char *const paths[] = {"Packages/com.far/Far.unity",
                                        "Library/PackageCache/com.far@1.0.0/Far.unity"};
    put("Library/PackageCache/com.far@1.0.0/Far.unity", SCENE_TEXT);
    open_editor(NULL);
    for (size_t i = 0; i < 2; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "{'path':'%s'}", paths[i]);
        assert_true(run("open_scene", arguments));
        assert_true(run_has("get_scene_hierarchy", "{}", "'Player'"));
        REFUSES("manage_component",
                "{'action':'update','game_object_path':'/Player','index':1,'fields':{'mass':3}}",
                "ERR_PACKAGE_READ_ONLY", "copy the package");
        assert_false(failure.was_executed);
    }
    check_file("Library/PackageCache/com.far@1.0.0/Far.unity", SCENE_TEXT);
}

/* The package is embedded when the scene is changed, but no longer when it is saved. */
TEST(scene_of_a_package_moved_to_the_cache_is_not_saved)
{
    put("Packages/com.far/package.json", "{}");
    put("Packages/com.far/Far.unity", SCENE_TEXT);
    open_editor(&(struct editor_options){.save_manual = true});
    assert_true(run("open_scene", "{'path':'Packages/com.far/Far.unity'}"));
    assert_true(
        run("manage_component",
            "{'action':'update','game_object_path':'/Player','index':1,'fields':{'mass':3}}"));
    assert_true(file_make_dirs("Library/PackageCache", NULL));
    assert_int_equal(rename("Packages/com.far", "Library/PackageCache/com.far@1.0.0"), 0);
    REFUSES("save_scene", "{}", "ERR_PACKAGE_READ_ONLY", "Packages/com.far/Far.unity");
    assert_false(failure.was_executed);
    check_file("Library/PackageCache/com.far@1.0.0/Far.unity", SCENE_TEXT);
}

/* ---- changes and their history */

#define SET_MASS(n)                                                                                \
    "{'action':'update','game_object_path':'/Player','index':1,'fields':{'mass':" n "}}"

TEST(edit_can_be_undone_and_redone)
{
    struct buf changed = {0};
    open_editor(NULL);
    if (!run("manage_component", SET_MASS("2.5")))
        fail_msg("%s", failure.text);
    assert_true(file_read(MAIN, 1 << 20, &changed, NULL));
    ANSWERS("undo", "{}",
            "{'undone':[{'name':'manage_component: update','tool':'manage_component'}],"
            "'remaining_undo':0,'remaining_redo':1}");
    check_file(MAIN, SCENE_TEXT);
    ANSWERS("undo", "{'steps':50}", "{'undone':[],'remaining_undo':0,'remaining_redo':1}");
    ANSWERS("redo", "{'steps':3}",
            "{'undone':[{'name':'manage_component: update','tool':'manage_component'}],"
            "'remaining_undo':1,'remaining_redo':0}");
    check_file(MAIN, changed.p);
    ANSWERS("redo", "{}", "{'undone':[],'remaining_undo':1,'remaining_redo':0}");
    buf_done(&changed);
}

TEST(manual_save_waits_for_save_scene)
{
    char want[128];
    struct stat st;
    open_editor(&(struct editor_options){.save_manual = true});
    ANSWERS("save_scene", "{}", "{'scene_path':'" MAIN "','saved':false,'bytes':0}");
    assert_true(run("manage_component", SET_MASS("2.5")));
    check_file(MAIN, SCENE_TEXT);
    REFUSES("open_scene", "{'path':'" OTHER "'}", "ERR_UNSAVED_CHANGES", "save_scene");
    assert_true(run("save_scene", "{}"));
    assert_int_equal(stat(MAIN, &st), 0);
    snprintf(want, sizeof want, "{'scene_path':'" MAIN "','saved':true,'bytes':%lld}",
             (long long)st.st_size);
    CHECK_CSTR(buf_str(&answer), want);
    assert_true(run("manage_component", SET_MASS("7")));
    assert_true(run("open_scene", "{'path':'" MAIN "','discard_changes':true}"));
    assert_true(run("undo", "{}"));
    assert_true(answer_has("'undone':[]"));
}

TEST(play_mode_needs_unity)
{
    open_editor(NULL);
    REFUSES("control_play_mode", "{'action':'start'}", "ERR_UNSUPPORTED_HEADLESS", "Unity");
}

/* ---- the console */

TEST(missing_script_is_reported_once_per_load)
{
    open_editor(NULL);
    for (int i = 0; i < 2; i++) { /* reading twice reports it once */
        assert_true(run("get_scene_hierarchy", "{}"));
        assert_true(run("read_console", "{'message_pattern':'/player/child'}"));
        assert_true(answer_has("'total_count':1"));
        assert_true(answer_has("'type':'warning'"));
        assert_true(answer_has("'file':'" MAIN "'"));
    }
    assert_true(run("manage_component", SET_MASS("2.5")));
    assert_true(run("read_console", "{'message_pattern':'/player/child'}"));
    assert_true(answer_has("'total_count':1"));
    assert_true(run("open_scene", "{'path':'" MAIN "'}"));
    assert_true(run("read_console", "{'message_pattern':'/player/child','deduplicate':false}"));
    assert_true(answer_has("'total_count':2"));
}

TEST(edits_are_logged_with_their_object)
{
    struct buf since = {0};
    open_editor(NULL);
    assert_true(run("read_console", "{'max_entries':0}"));
    assert_true(answer_has("'entries':[],'count':0"));
    struct str cursor = str_skip(buf_str(&answer), str_find(buf_str(&answer), STR("'cursor':'")));
    cursor = str_skip(cursor, strlen("'cursor':'"));
    buf_printf(&since, "{'since':'%.*s'}", STR_ARG(str_head(cursor, str_find_char(cursor, '\''))));
    assert_true(run("manage_component", SET_MASS("2.5")));
    assert_true(run("undo", "{}"));
    assert_true(run("read_console", since.p));
    assert_true(answer_has("'count':2,'total_count':2,'truncated':false"));
    assert_true(answer_has("manage_component: update on /Player"));
    assert_true(answer_has("undo manage_component: update"));
    buf_done(&since);
}

TEST(console_is_read_in_pages)
{
    open_editor(NULL);
    for (int i = 0; i < 3; i++) {
        assert_true(run("manage_component", SET_MASS("2.5")));
        assert_true(run("undo", "{}"));
    }
    assert_true(run("read_console", "{'message_pattern':'^(undo )?manage','max_entries':2}"));
    assert_true(answer_has("'count':2,'total_count':6,'truncated':true,'next_offset':2"));
    assert_true(answer_has("'type_summary':{'log':6,'warning':0,'error':0"));
    assert_true(run("read_console", "{'message_pattern':'^manage'}"));
    assert_true(answer_has("'count':3")); /* neighbours after the filter */
    assert_true(answer_has("'total_count':1"));
    assert_true(run("read_console", "{'message_pattern':'^manage','deduplicate':false,"
                                    "'offset':2}"));
    assert_true(answer_has("'count':1,'total_count':3,'truncated':false"));
    assert_true(run("read_console", "{'message_pattern':'^manage','log_type':['error']}"));
    assert_true(answer_has("'total_count':0"));
    assert_true(answer_has("'log':3"));
    assert_true(run("read_console", "{'since':'00000000-7','message_pattern':'^manage'}"));
    assert_true(
        answer_has("'total_count':1")); /* the cursor of another run is older than everything */
    REFUSES("read_console", "{'since':'7'}", "ERR_INVALID_PARAMS", "since");
    REFUSES("read_console", "{'since':''}", "ERR_INVALID_PARAMS", "since");
    REFUSES("read_console", "{'message_pattern':'(open'}", "ERR_INVALID_PARAMS", "at byte 6");
}
