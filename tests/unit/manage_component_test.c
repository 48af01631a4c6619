/* Edits of components: the resulting file, and the errors. */
#include "editor_fixture.h"

#define LINKS                                                                                      \
    "  m_ObjectHideFlags: 0\n"                                                                     \
    "  m_CorrespondingSourceObject: {fileID: 0}\n"                                                 \
    "  m_PrefabInstance: {fileID: 0}\n"                                                            \
    "  m_PrefabAsset: {fileID: 0}\n"
#define COMPONENT(id) "  - component: {fileID: " id "}\n"
#define SCRIPT_GUID   "00000000000000000000000000000051"
#define PREFAB_GUID   "00000000000000000000000000000052"
#define SCRIPT(id, go, fields)                                                                     \
    "--- !u!114 &" id "\nMonoBehaviour:\n" LINKS "  m_GameObject: {fileID: " go "}\n"              \
    "  m_Enabled: 1\n  m_EditorHideFlags: 0\n"                                                     \
    "  m_Script: {fileID: 11500000, guid: " SCRIPT_GUID ", type: 3}\n"                             \
    "  m_Name: \n  m_EditorClassIdentifier: \n" fields
#define INSTANCE(id, guid, modifications, removed)                                                 \
    "--- !u!1001 &" id "\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"       \
    "  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {fileID: 0}\n"            \
    "    m_Modifications:" modifications "\n    m_RemovedComponents:" removed "\n"                 \
    "    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n"        \
    "  m_SourcePrefab: {fileID: 100100000, guid: " guid ", type: 3}\n"
#define OVERRIDE(path, value, object)                                                              \
    "\n    - target: {fileID: 103, guid: " PREFAB_GUID ", type: 3}\n"                              \
    "      propertyPath: " path "\n      value: " value "\n      objectReference: " object

#define SOURCE                                                                                     \
    "using UnityEngine;\n"                                                                         \
    "using System.Collections.Generic;\n"                                                          \
    "[System.Serializable] public class Stats { public int hp; public int mp; public int xp; }\n"  \
    "public interface IThing { }\n"                                                                \
    "[RequireComponent(typeof(AudioSource))]\n"                                                    \
    "public class Thing : MonoBehaviour {\n"                                                       \
    "    public int a; public int b; public int c; public Stats stats; public Vector3 at;\n"       \
    "    public Vector3Int cell; public AnimationCurve curve; public Gradient gradient;\n"         \
    "    public GameObject other; public Rigidbody body; public int[] list; public float[] "       \
    "floats;\n"                                                                                    \
    "    [SerializeReference] public List<IThing> things;\n"                                       \
    "}\n"

static void put_scripts(void)
{
    put("Assets/Thing.cs", SOURCE);
    put_meta("Assets/Thing.cs", SCRIPT_GUID);
    put("Assets/Part.prefab",
        SCENE_HEAD SCENE_OBJECT("100", "101", "Part", COMPONENT("102") COMPONENT("103"))
            SCENE_TRANSFORM("101", "100", " []",
                            "0") "--- !u!54 &102\nRigidbody:\n" LINKS
                                 "  m_GameObject: {fileID: 100}\n"
                                 "  serializedVersion: 4\n  m_Mass: 1\n" SCRIPT(
                                     "103", "100", "  a: 1\n  at: {x: 1, y: 2, z: 3}\n"));
    put_meta("Assets/Part.prefab", PREFAB_GUID);
}

/* The scene: A (Transform 11, Thing 12 with these fields), and what more says. */
#define SCENE_A(fields, more)                                                                      \
    SCENE_HEAD SCENE_OBJECT("10", "11", "A", COMPONENT("12"))                                      \
        SCENE_TRANSFORM("11", "10", " []", "0") SCRIPT("12", "10", fields) more

#define FIELDS(json) "{'action':'update','game_object_path':'/A','index':1,'fields':" json "}"
#define PART(json)   "{'action':'update','game_object_path':'/Part','index':2,'fields':" json "}"

static void open_with(const char *text)
{
    put_scripts();
    put(MAIN, text);
    open_editor(NULL);
}

static bool file_has(const char *part)
{
    struct buf got = {0};
    assert_true(file_read(MAIN, 1 << 20, &got, NULL));
    bool has = str_find(buf_str(&got), str_from(part)) < got.n;
    if (!has)
        print_message("%s", got.p);
    buf_done(&got);
    return has;
}

/* ---- keys */

TEST_FIXTURE(setup, teardown);

TEST(missing_keys_are_inserted_in_unitys_order)
{
    open_with(SCENE_A("  a: 1\n  stats:\n    mp: 2\n", ""));
    assert_true(run("manage_component", FIELDS("{'c':3,'b':2,'stats':{'xp':4,'hp':5}}")));
    check_file(MAIN, SCENE_A("  a: 1\n  b: 2\n  c: 3\n"
                             "  stats:\n    hp: 5\n    mp: 2\n    xp: 4\n",
                             ""));
}

TEST(text_without_its_last_line_end_gets_new_lines)
{
    open_with(SCENE_A("  a: 1", ""));
    assert_true(run("manage_component", FIELDS("{'b':2,'c':3}")));
    check_file(MAIN, SCENE_A("  a: 1\n  b: 2\n  c: 3", ""));
}

TEST(field_given_twice_is_written_once)
{
    open_with(SCENE_A("  a: 1\n", ""));
    assert_true(run("manage_component", FIELDS("{'stats':{'hp':1,'mp':2},'stats.hp':5}")));
    check_file(MAIN, SCENE_A("  a: 1\n  stats:\n    hp: 5\n    mp: 2\n    xp: 0\n", ""));
}

TEST(parts_of_one_value_are_merged)
{
    open_with(SCENE_A("  at: {x: 1, y: 2, z: 3}\n", ""));
    assert_true(run("manage_component", FIELDS("{'at.x':7,'at.y':8}")));
    check_file(MAIN, SCENE_A("  at: {x: 7, y: 8, z: 3}\n", ""));
}

/* ---- values */

TEST(numbers_have_the_range_of_their_type)
{
    open_with(SCENE_A("  a: 1\n", ""));
    REFUSES("manage_component", FIELDS("{'cell':{'x':2147483648}}"), "ERR_INVALID_PARAMS",
            "32 bits");
    REFUSES("manage_component", FIELDS("{'at':{'x':1e300}}"), "ERR_INVALID_PARAMS", "float");
    assert_true(run("manage_component", FIELDS("{'cell':{'x':-2147483648}}")));
    assert_true(file_has("  cell: {x: -2147483648, y: 0, z: 0}\n"));
}

TEST(curves_are_sorted_and_have_script_modes)
{
    open_with(SCENE_A("  a: 1\n", ""));
    assert_true(run("manage_component",
                    FIELDS("{'curve':{'keys':[{'time':1,'value':5},{'time':0,'value':3}],"
                           "'preWrapMode':4,'postWrapMode':2}}")));
    assert_true(file_has("      time: 0\n      value: 3\n"));
    assert_true(file_has("    m_PreInfinity: 0\n    m_PostInfinity: 1\n"));
    assert_true(
        run("get_component_info", "{'game_object_path':'/A','index':1,'fields':['curve']}"));
    assert_true(answer_has("'timeRange':[0,1]"));
    REFUSES("manage_component", FIELDS("{'curve':{'keys':[],'preWrapMode':7}}"),
            "ERR_INVALID_PARAMS", "7");
}

TEST(gradients_are_sorted)
{
    open_with(SCENE_A("  a: 1\n", ""));
    assert_true(run("manage_component",
                    FIELDS("{'gradient':{'colorKeys':[{'color':{'r':1,'g':0,'b':0},'time':1},"
                           "{'color':{'r':0,'g':1,'b':0},'time':0}],"
                           "'alphaKeys':[{'alpha':0.5,'time':1},{'alpha':0.25,'time':0}]}}")));
    assert_true(file_has("    key0: {r: 0, g: 1, b: 0, a: 0.25}\n"
                         "    key1: {r: 1, g: 0, b: 0, a: 0.5}\n"));
    assert_true(file_has("    ctime0: 0\n    ctime1: 65535\n"));
    assert_true(file_has("    atime0: 0\n    atime1: 65535\n"));
}

TEST(unsettable_members_are_skipped_in_lists_too)
{
    open_with(SCENE_A("  a: 1\n", ""));
    assert_true(run("manage_component", FIELDS("{'things':[{'x':1}],'b':2}")));
    assert_true(answer_has("'fields_set':['b'],'fields_skipped':['things'],"
                           "'skipped_reasons':{'things':'unsupported_type'}"));
}

TEST(truncated_fields_are_reported)
{
    struct buf text = {0};
    buf_add(&text, STR(SCENE_A("", "")));
    for (int i = 0; i < 600; i++)
        buf_printf(&text, "  unknown%d: 1\n", i);
    open_with(text.p);
    assert_true(run("get_component_info", "{'game_object_path':'/A','index':1}"));
    assert_true(answer_has("'_fields_truncated':true"));
    buf_done(&text);
}

TEST(key_of_another_version_is_not_written)
{
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6000.2.10f1\n");
    open_editor(NULL);
    assert_true(run("manage_component",
                    "{'action':'add','game_object_path':'/Enemy','component_type':'Rigidbody',"
                    "'fields':{'drag':1,'linearDamping':2}}"));
    assert_true(answer_has("'fields_set':['linearDamping'],'fields_skipped':['drag'],"
                           "'skipped_reasons':{'drag':'not_found'}"));
    assert_true(run("manage_component", "{'action':'update','game_object_path':'/Player',"
                                        "'index':1,'fields':{'drag':1}}"));
    assert_true(answer_has("'fields_set':['drag']")); /* the file still has the key */
}

/* ---- components in the file */

TEST(component_of_an_old_editor_is_removed_with_its_entry)
{
    open_with(SCENE_HEAD SCENE_OBJECT("10", "11", "A", "  - 114: {fileID: 12}\n") SCENE_TRANSFORM(
        "11", "10", " []", "0") SCRIPT("12", "10", "  other: {fileID: 12}\n"));
    assert_true(run("manage_component", "{'action':'remove','game_object_path':'/A','index':1}"));
    check_file(MAIN, SCENE_HEAD SCENE_OBJECT("10", "11", "A", "")
                         SCENE_TRANSFORM("11", "10", " []", "0"));
}

TEST(removal_clears_only_references)
{
    open_with(SCENE_A("", SCENE_OBJECT("20", "21", "B", COMPONENT("22")) SCENE_TRANSFORM(
                              "21", "20", " []", "0") SCRIPT("22", "20",
                                                             "  body: {fileID: 12}\n"
                                                             "  note: 'see {fileID: 12}'\n")));
    assert_true(run("manage_component", "{'action':'remove','game_object_path':'/A','index':1}"));
    assert_true(answer_has("'references_cleared':1"));
    assert_true(file_has("  body: {fileID: 0}\n  note: 'see {fileID: 12}'\n"));
}

/* Component 1 is the script, wherever the file lists the Transform. */
#define CROOKED(entries)                                                                           \
    SCENE_HEAD                                                                                     \
    "--- !u!1 &10\nGameObject:\n" LINKS "  m_Component:\n" entries                                 \
    "  m_Layer: 0\n  m_Name: A\n  m_IsActive: 1\n" SCENE_TRANSFORM("11", "10", " []", "0")

TEST(transform_not_listed_first_keeps_its_place)
{
    open_with(CROOKED(COMPONENT("12") COMPONENT("11")) SCRIPT("12", "10", ""));
    assert_true(run("manage_component", "{'action':'remove','game_object_path':'/A','index':1}"));
    check_file(MAIN, CROOKED(COMPONENT("11")));
}

TEST(component_moves_past_a_transform_not_listed_first)
{
    open_with(CROOKED(COMPONENT("12") COMPONENT("11") COMPONENT("13")) SCRIPT("12", "10", "")
                  SCRIPT("13", "10", ""));
    assert_true(run("manage_component",
                    "{'action':'move','game_object_path':'/A','index':1,'new_index':2}"));
    check_file(MAIN, CROOKED(COMPONENT("11") COMPONENT("13") COMPONENT("12")) SCRIPT("12", "10", "")
                         SCRIPT("13", "10", ""));
}

TEST(index_is_kept_with_required_components)
{
    put_scripts();
    open_editor(NULL);
    assert_true(run("manage_component", "{'action':'add','game_object_path':'/Enemy',"
                                        "'component_type':'Thing','index':1}"));
    assert_true(answer_has("'index':1"));
    assert_true(answer_has("'also_added':['UnityEngine.AudioSource']"));
    assert_true(run("get_scene_hierarchy", "{'root_path':'/Enemy'}"));
    assert_true(answer_has("['UnityEngine.Transform','Thing','UnityEngine.AudioSource']"));
}

TEST(damaged_object_is_not_changed)
{
    open_with(SCENE_HEAD "--- !u!1 &10\nGameObject:\n" LINKS "  m_Name: A\n" SCENE_TRANSFORM(
        "11", "10", " []", "0") "--- !u!1001 &30\nPrefabInstance:\n"
                                "  m_Modification: {m_Modifications: [], m_RemovedComponents: []}\n"
                                "  m_SourcePrefab: {fileID: 100100000, guid: " PREFAB_GUID
                                ", type: 3}\n");
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/A','component_type':'AudioSource'}",
            "ERR_EDIT_FAILED", "form");
    REFUSES("manage_component", PART("{'a':5}"), "ERR_EDIT_FAILED", "form");
}

TEST(entries_in_brackets_are_not_changed)
{
    static const char text[] =
        SCENE_HEAD "--- !u!1 &10\nGameObject:\n" LINKS
                   "  m_Component: [{component: {fileID: 11}}, {component: {fileID: 12}}, "
                   "{component: {fileID: 13}}]\n"
                   "  m_Name: A\n" SCENE_TRANSFORM("11", "10", " []", "0") SCRIPT("12", "10", "")
                       SCRIPT("13", "10", "");
    open_with(text);
    REFUSES("manage_component", "{'action':'move','game_object_path':'/A','index':1,'new_index':2}",
            "ERR_EDIT_FAILED", "form");
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/A','component_type':'AudioSource','index':1}",
            "ERR_EDIT_FAILED", "form");
    check_file(MAIN, text);
}

/* ---- prefab instances */

#define WITH_PART(modifications, removed, more)                                                    \
    SCENE_A("  a: 1\n", INSTANCE("30", PREFAB_GUID, modifications, removed) more)

TEST(only_given_values_become_overrides)
{
    open_with(WITH_PART(" []", " []", ""));
    assert_true(run("manage_component", PART("{'at':{'y':5}}")));
    check_file(MAIN, WITH_PART(OVERRIDE("at.y", "5", "{fileID: 0}"), " []", ""));
    assert_true(run("get_component_info", "{'game_object_path':'/Part','index':2}"));
    assert_true(answer_has("{'x':1,'y':5,'z':3}"));
}

TEST(last_of_two_equal_overrides_is_set)
{
    open_with(
        WITH_PART(OVERRIDE("a", "5", "{fileID: 0}") OVERRIDE("a", "6", "{fileID: 0}"), " []", ""));
    assert_true(run("manage_component", PART("{'a':7}")));
    assert_true(run("get_component_info", "{'game_object_path':'/Part','index':2,'fields':['a']}"));
    assert_true(answer_has("'a':7"));
}

/* In quadratic time 20,000 elements would take minutes. */
TEST(long_array_is_compared_in_linear_time)
{
    struct buf prefab = {0}, args = {0};
    put_scripts();
    assert_true(file_read("Assets/Part.prefab", 1 << 20, &prefab, NULL));
    buf_add(&prefab, STR("  floats:\n"));
    buf_add(&args, STR("{'action':'update','game_object_path':'/Part','index':2,"
                       "'fields':{'floats':["));
    for (int i = 0; i < 20000; i++) {
        buf_printf(&prefab, "  - %d\n", i);
        buf_printf(&args, "%s%d", i ? "," : "", i == 19999 ? -1 : i);
    }
    buf_add(&args, STR("]}}"));
    put("Assets/Part.prefab", prefab.p);
    put(MAIN, WITH_PART(" []", " []", ""));
    open_editor(NULL);
    assert_true(run("manage_component", args.p));
    check_file(MAIN,
               WITH_PART(OVERRIDE("'floats.Array.data[19999]'", "-1", "{fileID: 0}"), " []", ""));
    buf_done(&prefab);
    buf_done(&args);
}

#define OLD_INSTANCE                                                                               \
    "--- !u!1001 &30\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"           \
    "  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"             \
    "    m_RemovedComponents: []\n"                                                                \
    "  m_SourcePrefab: {fileID: 100100000, guid: " PREFAB_GUID ", type: 3}\n"

TEST(old_instance_has_added_components_at_the_end)
{
    open_with(SCENE_A("  a: 1\n", OLD_INSTANCE
                      "--- !u!1 &31 stripped\nGameObject:\n"
                      "  m_CorrespondingSourceObject: {fileID: 100, guid: " PREFAB_GUID
                      ", type: 3}\n  m_PrefabInstance: {fileID: 30}\n  m_PrefabAsset: {fileID: 0}\n"
                      "--- !u!65 &9000\nBoxCollider:\n" LINKS "  m_GameObject: {fileID: 31}\n"));
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/Part','component_type':'AudioSource','index':1}",
            "ERR_INVALID_PARAMS", "leave index out");
    assert_true(run("manage_component", "{'action':'add','game_object_path':'/Part',"
                                        "'component_type':'AudioSource'}"));
    assert_true(answer_has("'index':4"));
    assert_true(run("get_scene_hierarchy", "{'root_path':'/Part'}"));
    assert_true(answer_has("'Thing','UnityEngine.BoxCollider','UnityEngine.AudioSource']"));
}

#define STAND_IN                                                                                   \
    "--- !u!54 &31 stripped\nRigidbody:\n"                                                         \
    "  m_CorrespondingSourceObject: {fileID: 102, guid: " PREFAB_GUID ", type: 3}\n"               \
    "  m_PrefabInstance: {fileID: 30}\n  m_PrefabAsset: {fileID: 0}\n"

TEST(stand_in_is_removed_with_its_object)
{
    open_with(SCENE_A("  a: 1\n  body: {fileID: 31}\n",
                      INSTANCE("30", PREFAB_GUID, " []", " []") STAND_IN));
    assert_true(
        run("manage_component", "{'action':'remove','game_object_path':'/Part','index':1}"));
    assert_true(answer_has("'references_cleared':1"));
    check_file(MAIN, SCENE_A("  a: 1\n  body: {fileID: 0}\n",
                             INSTANCE("30", PREFAB_GUID, " []",
                                      "\n    - {fileID: 102, guid: " PREFAB_GUID ", type: 3}")));
}

TEST(object_with_an_unknown_id_is_not_written)
{
    static const char text[] =
        SCENE_A("  a: 1\n", INSTANCE("30", "000000000000000000000000000000ff", " []", " []"));
    open_with(text);
    REFUSES("manage_component",
            "{'action':'update','game_object_path':'/Missing Prefab','index':0,"
            "'fields':{'localPosition':{'x':1}}}",
            "ERR_UNSUPPORTED_HEADLESS", "not known");
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'/Missing Prefab','component_type':'AudioSource'}",
            "ERR_UNSUPPORTED_HEADLESS", "not known");
    REFUSES("manage_component", FIELDS("{'other':{'$ref':'/Missing Prefab'}}"),
            "ERR_REFERENCE_NOT_FOUND", "not known");
    check_file(MAIN, text);
}

/* ---- structs of the engine */

#define SYSTEM(more)                                                                               \
    SCENE_HEAD "--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n"          \
               "  - component: {fileID: 12}\n  m_Name: A\n"                                        \
               "--- !u!4 &11\nTransform:\n  m_GameObject: {fileID: 10}\n  m_Children: []\n"        \
               "  m_Father: {fileID: 0}\n--- !u!198 &12\nParticleSystem:\n"                        \
               "  m_GameObject: {fileID: 10}\n" more

TEST(new_element_has_the_version_of_its_layout)
{
    open_with(SYSTEM("  EmissionModule:\n    enabled: 1\n    serializedVersion: 4\n"
                     "    m_BurstCount: 0\n    m_Bursts: []\n"
                     "  SubModule:\n    serializedVersion: 2\n    enabled: 1\n"
                     "    subEmitters: []\n"));
    assert_true(run("manage_component", FIELDS("{'EmissionModule.m_BurstCount':1,"
                                               "'EmissionModule.m_Bursts':[{'time':1.5}],"
                                               "'SubModule.subEmitters':[{'type':1}]}")));
    assert_true(file_has("    m_Bursts:\n    - serializedVersion: 2\n      time: 1.5\n"
                         "      countCurve:\n        serializedVersion: 2\n"
                         "        minMaxState: 0\n"));
    assert_true(file_has("    subEmitters:\n    - serializedVersion: 3\n"
                         "      emitter: {fileID: 0}\n      type: 1\n"));
}
