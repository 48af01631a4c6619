/* [SerializeReference] fields that are null: null is an entry of the registry. */
#include "editor_fixture.h"

#define SCRIPT_GUID "00000000000000000000000000000051"
#define PREFAB_GUID "00000000000000000000000000000052"
#define HEAD(id)                                                                                   \
    "--- !u!114 &" id "\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n"                                 \
    "  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n"                \
    "  m_PrefabAsset: {fileID: 0}\n  m_GameObject: {fileID: 10}\n  m_Enabled: 1\n"                 \
    "  m_EditorHideFlags: 0\n  m_Script: {fileID: 11500000, guid: " SCRIPT_GUID ", type: 3}\n"     \
    "  m_Name: \n  m_EditorClassIdentifier: \n"
#define OBJECT(list)                                                                               \
    SCENE_HEAD "--- !u!1 &10\nGameObject:\n  m_PrefabInstance: {fileID: 0}\n  m_Component:\n"      \
               "  - component: {fileID: 11}\n" list "  m_Name: A\n"                                \
               "--- !u!4 &11\nTransform:\n  m_PrefabInstance: {fileID: 0}\n"                       \
               "  m_GameObject: {fileID: 10}\n  m_Children: []\n  m_Father: {fileID: 0}\n"
#define ENTRY          "  - component: {fileID: 12}\n"
#define NULLS          "    - rid: -2\n      type: {class: , ns: , asm: }\n"
#define REGISTRY       "  references:\n    version: 2\n    RefIds:"
#define ADD            "{'action':'add','game_object_path':'/A','component_type':'Thing'}"
#define UPDATE(fields) "{'action':'update','game_object_path':'/A','index':1,'fields':" fields "}"

static void open_with(const char *fields, const char *scene)
{
    struct buf source = {0};
    buf_printf(&source,
               "public interface IThing { }\n"
               "[System.Serializable] public class Slot { public int n;\n"
               "    [UnityEngine.SerializeReference] public IThing thing; }\n"
               "[System.Serializable] public class Plain { public int rid; }\n"
               "public class Thing : UnityEngine.MonoBehaviour { %s }\n",
               fields);
    put("Assets/Thing.cs", source.p);
    put_meta("Assets/Thing.cs", SCRIPT_GUID);
    put(MAIN, scene);
    open_editor(NULL);
    buf_done(&source);
}

TEST_FIXTURE(setup, teardown);

TEST(null_of_a_new_component_is_registered)
{
    open_with("[UnityEngine.SerializeReference] public IThing one; public int last;", OBJECT(""));
    assert_true(run("manage_component", ADD));
    check_file(MAIN,
               OBJECT(ENTRY) HEAD("12") "  one:\n    rid: -2\n  last: 0\n" REGISTRY "\n" NULLS);
    assert_true(run("get_component_info", "{'game_object_path':'/A','index':1}"));
    assert_true(answer_has("'one':null"));
}

TEST(null_inside_a_struct_is_registered)
{
    open_with("public Slot slot;", OBJECT(""));
    assert_true(run("manage_component", ADD));
    check_file(MAIN,
               OBJECT(ENTRY) HEAD("12") "  slot:\n    n: 0\n    thing:\n      rid: -2\n" REGISTRY
                                        "\n" NULLS);
}

TEST(empty_list_has_an_empty_registry)
{
    open_with("[UnityEngine.SerializeReference] public IThing[] many;", OBJECT(""));
    assert_true(run("manage_component", ADD));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") "  many: []\n" REGISTRY " []\n");
}

TEST(script_without_managed_fields_has_no_registry)
{
    open_with("public int n; public Plain plain;", OBJECT(""));
    assert_true(run("manage_component", ADD));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") "  n: 0\n  plain:\n    rid: 0\n");
    assert_true(run("manage_component", UPDATE("{'plain':{'rid':-2}}")));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") "  n: 0\n  plain:\n    rid: -2\n");
}

/* Their form of null is not known: a missing key is null. */
TEST(older_version_gets_no_registry)
{
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2020.3.1f1\n");
    open_with("[UnityEngine.SerializeReference] public IThing one; public Slot slot;", OBJECT(""));
    assert_true(run("manage_component", ADD));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") "  slot:\n    n: 0\n");
}

#define SLOTS "  slots:\n  - n: 5\n    thing:\n      rid: -2\n"

TEST(null_in_a_new_element_is_registered)
{
    open_with("public Slot[] slots;", OBJECT(ENTRY) HEAD("12") "  slots: []\n" REGISTRY " []\n");
    assert_true(run("manage_component", UPDATE("{'slots':[{'n':5}]}")));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") SLOTS REGISTRY "\n" NULLS);
    assert_true(run("manage_component", UPDATE("{'slots':[{'n':5}]}")));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") SLOTS REGISTRY "\n" NULLS);
}

#define OTHER_ENTRY "    - rid: 7\n      type: {class: A, ns: , asm: B}\n      data: \n"

TEST(null_is_first_in_an_existing_registry)
{
    open_with("public Slot[] slots;",
              OBJECT(ENTRY) HEAD("12") "  slots: []\n" REGISTRY "\n" OTHER_ENTRY);
    assert_true(run("manage_component", UPDATE("{'slots':[{'n':5}]}")));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") SLOTS REGISTRY "\n" NULLS OTHER_ENTRY);
}

TEST(missing_registry_is_created)
{
    open_with("public Slot[] slots;", OBJECT(ENTRY) HEAD("12") "  slots: []");
    assert_true(run("manage_component", UPDATE("{'slots':[{'n':5}]}")));
    check_file(MAIN, OBJECT(ENTRY) HEAD("12") SLOTS REGISTRY
               "\n    - rid: -2\n      type: {class: , ns: , asm: }");
}

#define OVERRIDE(path, value)                                                                      \
    "\n    - target: {fileID: 12, guid: " PREFAB_GUID ", type: 3}\n      propertyPath: " path      \
    "\n      value: " value "\n      objectReference: {fileID: 0}"
#define INSTANCE(overrides)                                                                        \
    SCENE_HEAD "--- !u!1001 &30\nPrefabInstance:\n  m_Modification:\n"                             \
               "    m_TransformParent: {fileID: 0}\n    m_Modifications:" overrides                \
               "\n    m_RemovedComponents: []\n"                                                   \
               "  m_SourcePrefab: {fileID: 100100000, guid: " PREFAB_GUID ", type: 3}\n"

TEST(override_of_a_null_names_the_field)
{
    put("Assets/P.prefab", OBJECT(ENTRY) HEAD("12") "  slots: []\n" REGISTRY " []\n");
    put_meta("Assets/P.prefab", PREFAB_GUID);
    open_with("public Slot[] slots;", INSTANCE(" []"));
    assert_true(run("manage_component", UPDATE("{'slots':[{'n':5}]}")));
    check_file(MAIN,
               INSTANCE(OVERRIDE("slots.Array.size", "1") OVERRIDE("'slots.Array.data[0].n'", "5")
                            OVERRIDE("'slots.Array.data[0].thing'", "-2")));
}
