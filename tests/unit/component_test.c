/* Finding the object and component of a call, and the errors if there is none. */
#include "editor_fixture.h"

static void open_with(const char *text)
{
    put(MAIN, text);
    open_editor(NULL);
}

static void check_no_hint(const char *hint)
{
    if (strstr(failure.text, hint))
        fail_msg("%s", failure.text);
}

/* An object and its Transform, as short as possible. */
#define NAMED(go, transform, name)                                                                 \
    "--- !u!1 &" go "\nGameObject:\n  m_Component:\n  - component: {fileID: " transform            \
    "}\n  m_Name: " name "\n  m_IsActive: 1\n--- !u!4 &" transform                                 \
    "\nTransform:\n  m_GameObject: {fileID: " go "}\n  m_Children: []\n  m_Father: {fileID: 0}\n"

/* ---- paths */

TEST_FIXTURE(setup, teardown);

TEST(every_shown_path_is_accepted)
{
    static const char *const paths[] = {"/A", "/A[2]", "/A[1]", "/", "/[1]", "/a\\\\/b"};
    open_with(SCENE_HEAD NAMED("10", "11", "A") NAMED("20", "21", "A") NAMED("30", "31", "'A[1]'")
                  NAMED("40", "41", "") NAMED("50", "51", "") NAMED("60", "61", "a/b"));
    assert_true(run("get_scene_hierarchy", "{}"));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct buf call = {0}, want = {0};
        assert_true(run("get_scene_hierarchy", "{}"));
        buf_printf(&want, "'path':'%s'", paths[i]);
        assert_true(answer_has(want.p));
        buf_printf(&call, "{'game_object_path':'%s','index':0}", paths[i]);
        assert_true(run("get_component_info", call.p));
        buf_clear(&want);
        buf_printf(&want, "'game_object_path':'%s'", paths[i]);
        assert_true(answer_has(want.p));
        buf_done(&call);
        buf_done(&want);
    }
}

TEST(unknown_path_gets_the_nearest_path)
{
    open_with(SCENE_TEXT);
    REFUSES("get_component_info", "{'game_object_path':'/Player/Chidl','index':0}",
            "ERR_OBJECT_NOT_FOUND", "did you mean /Player/Child?");
    REFUSES("get_component_info", "{'game_object_path':'/Player/Sword/Hilt','index':0}",
            "ERR_OBJECT_NOT_FOUND", "there is /Player with 1 children");
    REFUSES("get_scene_hierarchy", "{'root_path':'Playr'}", "ERR_OBJECT_NOT_FOUND",
            "did you mean /Player?");
    REFUSES("get_component_info", "{'game_object_path':'/Child','index':0}", "ERR_OBJECT_NOT_FOUND",
            "there is no GameObject at /Child in " MAIN);
    check_no_hint("did you mean");
}

/* A literal [1] in a name was shown as the path of one object and found as that of another. */
TEST(requested_path_is_never_the_suggestion)
{
    open_with(SCENE_HEAD NAMED("10", "11", "A") NAMED("20", "21", "A") NAMED("30", "31", "'A[1]'"));
    REFUSES("get_component_info", "{'game_object_path':'/A[3]','index':0}", "ERR_OBJECT_NOT_FOUND",
            "/A[3]");
    check_no_hint("mean /A[3]");
    put_meta("Assets/Gone.unity", "0000000000000000000000000000000d");
    put("Assets/Plain.mat", SCENE_HEAD "--- !u!21 &2100000\nMaterial:\n  m_Name: Plain\n");
    run("list_scenes", "{}");
    REFUSES("open_scene", "{'path':'Assets/Gone.unity'}", "ERR_SCENE_NOT_FOUND",
            "there is no scene at Assets/Gone.unity");
    check_no_hint("did you mean Assets/Gone");
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/A','component_type':'MeshRenderer',"
            "'fields':{'materials':[{'$asset':'Assets/Plain.mat'}]}}",
            "ERR_REFERENCE_NOT_FOUND", "Assets/Plain.mat has no .meta file");
    check_no_hint("did you mean");
}

/* ---- what our tables do not have */

#define COMPONENTS(list)                                                                           \
    "--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n" list                \
    "  m_Name: A\n  m_IsActive: 1\n--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n"       \
    "  m_Children: []\n  m_Father: {fileID: 0}\n"
#define ENTRY(id) "  - component: {fileID: " id "}\n"
#define NEWER(id)                                                                                  \
    "--- !u!987654 &" id "\nHologram:\n  m_ObjectHideFlags: 0\n"                                   \
    "  m_CorrespondingSourceObject: {fileID: 0}\n  m_GameObject: {fileID: 10}\n  m_Enabled: 1\n"   \
    "  serializedVersion: 2\n  m_Name: X\n  m_Depth: 2.5\n  m_Owner: {fileID: 11}\n  m_Nobody: "   \
    "{fileID: 0}\n"                                                                                \
    "  m_Size: {x: 1, y: 2}\n  m_Items:\n  - name: a\n    at: {fileID: 10}\n  m_A: 1\n  a: 2\n"
#define LOST(id)                                                                                   \
    "--- !u!114 &" id "\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: 10}\n"   \
    "  m_Enabled: 1\n  m_Script: {fileID: 11500000, guid: 000000000000000000000000000000fe, "      \
    "type: "                                                                                       \
    "3}\n  secret: 7\n"
#define BODY(id)                                                                                   \
    "--- !u!54 &" id "\nRigidbody:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: 10}\n"        \
    "  m_Mass: 1\n"

TEST(class_newer_than_the_tables_is_shown_by_form)
{
    open_with(SCENE_HEAD COMPONENTS(ENTRY("12")) NEWER("12"));
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("'components':['UnityEngine.Transform','UnityEngine.Hologram']"));
    ANSWERS(
        "get_component_info", "{'game_object_path':'/A','index':1}",
        "{'game_object_path':'/A','game_object_name':'A','index':1,'component_type':"
        "'UnityEngine.Hologram','fields':{'m_Enabled':true,'depth':{'type':'unknown','value':"
        "2.5},'owner':{'type':'UnityEngine.Object','value':'A (Transform)','is_object_ref':true,"
        "'ref_path':'/A'},'nobody':null,'size':{'type':'unknown','value':{'x':1,'y':2}},'items':"
        "{'type':'unknown','value':[{'name':'a','at':{'value':'A','is_object_ref':true,"
        "'ref_path':'/A'}}]},'m_A':{'type':'unknown','value':1},'a':{'type':'unknown','value':2"
        "}}}");
    assert_true(
        run("get_component_info", "{'game_object_path':'/A','index':1,'fields':['depth']}"));
    assert_true(answer_has("'fields':{'depth':{'type':'unknown','value':2.5}}"));
}

TEST(class_newer_than_the_tables_can_be_moved_and_removed)
{
    static const char text[] =
        SCENE_HEAD COMPONENTS(ENTRY("12") ENTRY("13")) NEWER("12") BODY("13");
    open_with(text);
    REFUSES("manage_component",
            "{'action':'update','game_object_path':'/A','index':1,'fields':{'depth':3}}",
            "ERR_UNSUPPORTED_HEADLESS", "the fields of UnityEngine.Hologram are not known");
    check_file(MAIN, text);
    assert_true(run("manage_component",
                    "{'action':'move','game_object_path':'/A','index':1,'new_index':2}"));
    assert_true(answer_has("'component_type':'UnityEngine.Hologram'"));
    assert_true(run("manage_component", "{'action':'remove','game_object_path':'/A','index':2}"));
    check_file(MAIN, SCENE_HEAD COMPONENTS(ENTRY("13")) BODY("13"));
}

TEST(class_newer_than_the_tables_is_shown_in_an_instance)
{
    put("Assets/P.prefab", SCENE_HEAD COMPONENTS(ENTRY("12")) NEWER("12"));
    put_meta("Assets/P.prefab", "00000000000000000000000000000071");
    open_with(SCENE_HEAD "--- !u!1001 &30\nPrefabInstance:\n  m_Modification:\n"
                         "    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"
                         "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: "
                         "00000000000000000000000000000071, type: 3}\n");
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("'components':['UnityEngine.Transform','UnityEngine.Hologram']"));
    assert_true(run("get_component_info", "{'game_object_path':'/A','index':1}"));
    assert_true(answer_has("'depth':{'type':'unknown','value':2.5}"));
}

/* A file may give any class id any name. */
TEST(class_id_decides_and_not_the_name)
{
    open_with(SCENE_HEAD COMPONENTS(ENTRY("12")) "--- !u!987655 &12\nRigidbody:\n"
                                                 "  m_GameObject: {fileID: 10}\n  m_Mass: 3\n");
    assert_true(run("get_component_info", "{'game_object_path':'/A','index':1}"));
    assert_true(answer_has("'mass':{'type':'unknown','value':3}"));
    assert_true(run("manage_component", "{'action':'add','game_object_path':'/A',"
                                        "'component_type':'UnityEngine.BoxCollider'}"));
    assert_true(run("get_component_info", "{'game_object_path':'/A','index':2}"));
}

/* ---- what is no component */

#define ADD(type) "{'action':'add','game_object_path':'/Player','component_type':'" type "'}"

TEST(type_that_is_not_a_component_is_refused)
{
    put("Assets/Kind.cs", "namespace G { public enum Kind { A } public interface IKind { } }\n");
    put_meta("Assets/Kind.cs", "00000000000000000000000000000081");
    open_with(SCENE_TEXT);
    REFUSES("manage_component", ADD("UnityEngine.Vector3"), "ERR_INVALID_COMPONENT_TYPE",
            "UnityEngine.Vector3 is not a Component");
    REFUSES("manage_component", ADD("Vector3"), "ERR_INVALID_COMPONENT_TYPE",
            "UnityEngine.Vector3");
    REFUSES("manage_component", ADD("System.Int32"), "ERR_INVALID_COMPONENT_TYPE", "System.Int32");
    REFUSES("manage_component", ADD("Space"), "ERR_INVALID_COMPONENT_TYPE", "UnityEngine.Space");
    REFUSES("manage_component", ADD("G.Kind"), "ERR_INVALID_COMPONENT_TYPE", "G.Kind");
    REFUSES("manage_component", ADD("G.IKind"), "ERR_INVALID_COMPONENT_TYPE", "G.IKind");
    REFUSES("manage_component", ADD("UnityEngine.Vector9"), "ERR_COMPONENT_TYPE_NOT_FOUND", "");
    check_file(MAIN, SCENE_TEXT);
}

TEST(base_classes_of_components_are_not_added)
{
    open_with(SCENE_TEXT);
    REFUSES("manage_component", ADD("MonoBehaviour"), "ERR_INVALID_COMPONENT_TYPE", "derives");
    REFUSES("manage_component", ADD("UnityEngine.Component"), "ERR_INVALID_COMPONENT_TYPE",
            "derives");
    check_file(MAIN, SCENE_TEXT);
}

TEST(script_may_have_the_name_of_an_engine_enum)
{
    put("Assets/Space.cs", "namespace G { public class Space : UnityEngine.MonoBehaviour { } }\n");
    put_meta("Assets/Space.cs", "00000000000000000000000000000081");
    open_with(SCENE_TEXT);
    assert_true(run("manage_component", ADD("Space")));
    assert_true(answer_has("'component_type':'G.Space'"));
}

/* ---- the type that is expected at an index */

#define AS(type) ",'component_type':'" type "'"
#define CHANGE(action, more)                                                                       \
    "{'action':'" action "','game_object_path':'/Player','index':1" more "}"

TEST(component_type_guards_against_another_component)
{
    static const struct {
        const char *action, *more;
    } actions[] = {{"update", ",'fields':{'mass':2}"}, {"move", ",'new_index':1"}, {"remove", ""}};
    static const char *const others[] = {AS("UnityEngine.BoxCollider"), AS("Collider"), AS(""),
                                         AS("UnityEngine.Component"), AS("rigidbody")};
    char call[256];
    open_with(SCENE_TEXT);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            snprintf(call, sizeof call, CHANGE("%s", "%s%s"), actions[i].action, actions[i].more,
                     others[k]);
            REFUSES("manage_component", call, "ERR_INVALID_PARAMS",
                    "component 1 of Player is a UnityEngine.Rigidbody, not a ");
            assert_false(failure.was_executed);
        }
        snprintf(call, sizeof call, CHANGE("%s", "%s" AS("Missing Script")), actions[i].action,
                 actions[i].more);
        REFUSES("manage_component", call, "ERR_INVALID_PARAMS", "is not missing");
        check_file(MAIN, SCENE_TEXT);
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        snprintf(call, sizeof call, CHANGE("%s", "%s%s"), actions[i].action, actions[i].more,
                 i ? AS("UnityEngine.Rigidbody") : AS("Rigidbody"));
        assert_true(run("manage_component", call));
        assert_true(answer_has("'component_type':'UnityEngine.Rigidbody'"));
    }
}

/* ---- missing scripts */

#define REMOVE(index, more) "{'action':'remove','game_object_path':'/A','index':" index more "}"
#define SAYING_SO           ",'component_type':'Missing Script'"

TEST(missing_script_is_removed_on_request)
{
    static const char text[] = SCENE_HEAD COMPONENTS(ENTRY("12") ENTRY("13")) LOST("12") BODY("13");
    open_with(text);
    REFUSES("manage_component", REMOVE("1", ""), "ERR_MISSING_SCRIPT",
            "component_type \"Missing Script\"");
    REFUSES("manage_component", REMOVE("1", ",'component_type':'Rigidbody'"), "ERR_MISSING_SCRIPT",
            "");
    REFUSES("manage_component", REMOVE("2", SAYING_SO), "ERR_INVALID_PARAMS", "is not missing");
    check_file(MAIN, text);
    ANSWERS("manage_component", REMOVE("1", SAYING_SO),
            "{'action':'remove','game_object_path':'/A','game_object_name':'A','component_type':"
            "'Missing Script','index':1}");
    check_file(MAIN, SCENE_HEAD COMPONENTS(ENTRY("13")) BODY("13"));
    assert_true(run("undo", "{}"));
    check_file(MAIN, text);
}

TEST(entry_without_a_target_is_removed_on_request)
{
    static const char text[] = SCENE_HEAD COMPONENTS(ENTRY("99") ENTRY("13") ENTRY("0")) BODY("13");
    open_with(text);
    REFUSES("manage_component", REMOVE("1", ""), "ERR_MISSING_SCRIPT", "");
    assert_true(run("manage_component", REMOVE("3", SAYING_SO)));
    assert_true(run("manage_component", REMOVE("1", SAYING_SO)));
    check_file(MAIN, SCENE_HEAD COMPONENTS(ENTRY("13")) BODY("13"));
    assert_true(run("undo", "{'steps':2}"));
    check_file(MAIN, text);
}

#define P_INSTANCE(removed)                                                                        \
    SCENE_HEAD "--- !u!1001 &30\nPrefabInstance:\n  m_Modification:\n"                             \
               "    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"                     \
               "    m_RemovedComponents:" removed "\n  m_SourcePrefab: {fileID: 100100000, guid: " \
               "00000000000000000000000000000071, type: 3}\n"

TEST(missing_script_of_a_prefab_is_removed_from_the_instance)
{
    put("Assets/P.prefab", SCENE_HEAD COMPONENTS(ENTRY("12") ENTRY("99")) LOST("12"));
    put_meta("Assets/P.prefab", "00000000000000000000000000000071");
    open_with(P_INSTANCE(" []"));
    REFUSES("manage_component", REMOVE("2", SAYING_SO), "ERR_UNSUPPORTED_HEADLESS",
            "Assets/P.prefab that points to nothing");
    assert_true(run("manage_component", REMOVE("1", SAYING_SO)));
    check_file(MAIN, P_INSTANCE("\n    - {fileID: 12, guid: 00000000000000000000000000000071, "
                                "type: 3}"));
}
