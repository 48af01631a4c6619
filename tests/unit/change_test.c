/* Edits of components as changes of the text, in files written by Unity, old editors and people. */
#include "editor/change.h"
#include "editor_fixture.h"

#define HERO(list)                                                                                 \
    SCENE_HEAD "--- !u!1 &10\n"                                                                    \
               "GameObject:\n"                                                                     \
               "  m_ObjectHideFlags: 0\n" list "  m_Name: Hero\n"                                  \
               "  m_IsActive: 1\n"                                                                 \
               "--- !u!4 &11\n"                                                                    \
               "Transform:\n"                                                                      \
               "  m_GameObject: {fileID: 10}\n"                                                    \
               "  m_Children: []\n"                                                                \
               "  m_Father: {fileID: 0}\n"                                                         \
               "--- !u!33 &13\n"                                                                   \
               "MeshFilter:\n"                                                                     \
               "  m_GameObject: {fileID: 10}\n"                                                    \
               "  m_Mesh: {fileID: 0}\n"
#define BODY                                                                                       \
    "--- !u!54 &12\n"                                                                              \
    "Rigidbody:\n"                                                                                 \
    "  m_GameObject: {fileID: 10}\n"                                                               \
    "  m_Mass: 1\n"
#define LISTED(lines) "  m_Component:\n" lines

static void open_hero(const char *text)
{
    put(MAIN, text);
    open_editor(NULL);
}

#define REMOVE "{'action':'remove','game_object_path':'Hero','index':1}"
#define MOVE   "{'action':'move','game_object_path':'Hero','index':1,'new_index':2}"

/* ---- the list of components */

TEST_FIXTURE(setup, teardown);

TEST(entry_with_the_class_as_key_is_removed)
{
    open_hero(HERO(LISTED("  - 4: {fileID: 11}\n"
                          "  - 54: {fileID: 12}\n"
                          "  - 33: {fileID: 13}\n")) BODY);
    assert_true(run("manage_component", REMOVE));
    check_file(MAIN, HERO(LISTED("  - 4: {fileID: 11}\n"
                                 "  - 33: {fileID: 13}\n")));
}

TEST(entry_is_removed_if_the_transform_is_not_first)
{
    open_hero(HERO(LISTED("  - component: {fileID: 12}\n"
                          "  - component: {fileID: 11}\n"
                          "  - component: {fileID: 13}\n")) BODY);
    ANSWERS("manage_component", REMOVE,
            "{'action':'remove','game_object_path':'/Hero','game_object_name':'Hero',"
            "'component_type':'UnityEngine.Rigidbody','index':1}");
    check_file(MAIN, HERO(LISTED("  - component: {fileID: 11}\n"
                                 "  - component: {fileID: 13}\n")));
}

TEST(entry_is_removed_if_the_transform_is_not_listed)
{
    open_hero(HERO(LISTED("  - component: {fileID: 12}\n"
                          "  - component: {fileID: 13}\n")) BODY);
    assert_true(run("manage_component", REMOVE));
    check_file(MAIN, HERO(LISTED("  - component: {fileID: 13}\n")));
}

TEST(entry_is_moved_if_the_transform_is_not_first)
{
    open_hero(HERO(LISTED("  - component: {fileID: 12}\n"
                          "  - component: {fileID: 11}\n"
                          "  - component: {fileID: 13}\n")) BODY);
    assert_true(run("manage_component", MOVE));
    check_file(MAIN, HERO(LISTED("  - component: {fileID: 11}\n"
                                 "  - component: {fileID: 13}\n"
                                 "  - component: {fileID: 12}\n")) BODY);
}

TEST(object_without_component_list_cannot_be_edited)
{
    open_hero(HERO(""));
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'Hero','component_type':'Rigidbody'}",
            "ERR_EDIT_FAILED", "the file does not have Hero in the form");
    check_file(MAIN, HERO(""));
}

/* ---- references to what goes */

#define WATCHER(target, text)                                                                      \
    "--- !u!137 &14\n"                                                                             \
    "SkinnedMeshRenderer:\n"                                                                       \
    "  m_GameObject: {fileID: 0}\n"                                                                \
    "  m_RootBone: " target "\n"                                                                   \
    "  m_Bones:\n"                                                                                 \
    "  - " target "\n"                                                                             \
    "  m_Text: " text "\n"

TEST(references_to_a_removed_object_become_null)
{
    open_hero(HERO(LISTED("  - component: {fileID: 11}\n"
                          "  - component: {fileID: 12}\n"))
                  BODY WATCHER("{fileID: 12}", "see {fileID: 12}"));
    assert_true(run("manage_component", REMOVE));
    assert_true(answer_has("'references_cleared':2"));
    check_file(MAIN, HERO(LISTED("  - component: {fileID: 11}\n"))
                         WATCHER("{fileID: 0}", "see {fileID: 12}"));
}

/* ---- parts of structs */

#define THING(fields)                                                                              \
    HERO(LISTED("  - component: {fileID: 11}\n"                                                    \
                "  - component: {fileID: 12}\n"))                                                  \
    "--- !u!114 &12\n"                                                                             \
    "MonoBehaviour:\n"                                                                             \
    "  m_GameObject: {fileID: 10}\n"                                                               \
    "  m_Script: {fileID: 11500000, guid: 000000000000000000000000000000aa, type: 3}\n" fields
#define SET(fields) "{'action':'update','game_object_path':'Hero','index':1,'fields':" fields "}"

/* The struct is not in the file yet: setting it would write all its initial values. */
TEST(skipped_members_are_not_set)
{
    put("Assets/Thing.cs", "using UnityEngine;\n"
                           "[System.Serializable] public class Inner { public int depth; }\n"
                           "[System.Serializable] public class Stats {\n"
                           "    public int hp = 5; public Inner inner; }\n"
                           "public class Thing : MonoBehaviour {\n"
                           "    public int level; public Stats stats; public Stats[] all; }\n");
    put_meta("Assets/Thing.cs", "000000000000000000000000000000aa");
    open_hero(THING("  level: 1\n"));
    assert_true(run("manage_component", SET("{'stats.speed':1,'stats':{'inner':{'none':2}}}")));
    assert_true(answer_has("'fields_set':[],'fields_skipped':['stats.speed','stats.inner.none']"));
    check_file(MAIN, THING("  level: 1\n"));
    assert_true(run("manage_component", SET("{'stats':{'speed':1,'hp':7}}")));
    assert_true(answer_has("'fields_set':['stats'],'fields_skipped':['stats.speed']"));
    check_file(MAIN, THING("  level: 1\n  stats:\n    hp: 7\n    inner:\n      depth: 0\n"));
    assert_true(run("undo", "{}"));
    assert_true(run("manage_component", SET("{'all':[{'speed':1}]}")));
    assert_true(answer_has("'fields_set':['all'],'fields_skipped':['all[0].speed']"));
    check_file(MAIN, THING("  level: 1\n  all:\n  - hp: 5\n    inner:\n      depth: 0\n"));
}

/* ---- damaged scenes */

TEST(damaged_scene_is_shown_but_not_changed)
{
    static const char text[] = HERO("<<<<<<< ours\n" LISTED("  - component: {fileID: 11}\n"));
    open_hero(text);
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("'total_game_objects':1"));
    assert_true(run("read_console", "{'log_type':['error']}"));
    assert_true(answer_has(MAIN ":6:1: this is a merge conflict marker: resolve the conflict"));
    REFUSES("manage_component",
            "{'action':'update','game_object_path':'/','index':0,'fields':{'localScale':{'x':2}}}",
            "ERR_SCENE_UNREADABLE",
            MAIN ":6:1: this is a merge conflict marker: resolve the conflict");
    check_file(MAIN, text);
    put(MAIN, HERO(LISTED("  - component: {fileID: 11}\n")));
    assert_true(run(
        "manage_component",
        "{'action':'update','game_object_path':'Hero','index':0,'fields':{'localScale':{'x':2}}}"));
}

TEST(game_object_may_have_no_components)
{
    put(MAIN, SCENE_HEAD "--- !u!1 &10\nGameObject:\n  m_Component: []\n  m_Name: Bare\n");
    open_editor(NULL);
    REFUSES("get_component_info", "{'game_object_path':'Bare','index':0}",
            "ERR_COMPONENT_INDEX_OUT_OF_RANGE", "Bare has no components");
}
