/* Edits of what belongs to instances of prefabs and models. */
#include "editor_fixture.h"

#define MODEL_GUID     "00000000000000000000000000000061"
#define ABSENT_GUID    "00000000000000000000000000000062"
#define MATERIAL_GUID  "00000000000000000000000000000063"
#define ROOT_TRANSFORM "-8679921383154817045"
#define ROOT_RENDERER  "-7511558181221131132"

#define OVERRIDE(target, guid, path, value, object)                                                \
    "\n    - target: {fileID: " target ", guid: " guid ",\n        type: 3}\n"                     \
    "      propertyPath: " path "\n      value: " value "\n      objectReference: " object
#define INSTANCE(guid, overrides, removed, added)                                                  \
    "--- !u!1001 &30\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"           \
    "  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {fileID: 0}\n"            \
    "    m_Modifications:" overrides "\n    m_RemovedComponents:" removed "\n"                     \
    "    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents:" added       \
    "\n  m_SourcePrefab: {fileID: 100100000, guid: " guid ", type: 3}\n"
#define MODEL(overrides) SCENE_HEAD INSTANCE(MODEL_GUID, overrides, " []", " []")

static void open_with(const char *text)
{
    put("Assets/Robot.fbx", "x");
    put("Assets/Robot.fbx.meta", "fileFormatVersion: 2\nguid: " MODEL_GUID "\nModelImporter:\n"
                                 "  meshes:\n    fileIdsGeneration: 2\n");
    put("Assets/Red.mat", SCENE_HEAD "--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n");
    put("Assets/Red.mat.meta",
        "fileFormatVersion: 2\nguid: " MATERIAL_GUID "\nNativeFormatImporter:\n");
    put(MAIN, text);
    open_editor(NULL);
}

#define UPDATE(path, index, fields)                                                                \
    "{'action':'update','game_object_path':'" path "','index':" index ",'fields':" fields "}"

/* ---- models */

#define AT(axis, value)                                                                            \
    OVERRIDE(ROOT_TRANSFORM, MODEL_GUID, "m_LocalPosition." axis, value, "{fileID: 0}")

static void the_transform_of_a_model_is_shown_and_set(void **state)
{
    (void)state;
    open_with(MODEL(AT("y", "2.5")));
    ANSWERS("get_component_info",
            "{'game_object_path':'/Robot','index':0,'fields':['localPosition','localScale']}",
            "{'game_object_path':'/Robot','game_object_name':'Robot','index':0,'component_type':"
            "'UnityEngine.Transform','fields':{'localPosition':{'type':'UnityEngine.Vector3',"
            "'value':{'x':0,'y':2.5,'z':0}},'localScale':{'type':'UnityEngine.Vector3','value':"
            "{'x':1,'y':1,'z':1}}},'_partial':true}");
    assert_true(run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'x':7}}")));
    check_file(MAIN, MODEL(AT("y", "2.5") AT("x", "7")));
    assert_true(run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'y':3}}")));
    check_file(MAIN, MODEL(AT("y", "3") AT("x", "7")));
    assert_true(run("get_component_info", "{'game_object_path':'/Robot','index':0}"));
    assert_true(answer_has("{'x':7,'y':3,'z':0}"));
    assert_true(run("undo", "{'steps':2}"));
    check_file(MAIN, MODEL(AT("y", "2.5")));
}

/* The model may have another value than its class: what is asked for is said. */
static void a_default_that_nobody_saw_is_no_reason_to_write_nothing(void **state)
{
    (void)state;
    open_with(MODEL(AT("y", "2.5")));
    assert_true(run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'x':0}}")));
    check_file(MAIN, MODEL(AT("y", "2.5") AT("x", "0")));
    assert_true(
        run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'x':0.0,'y':2.5}}")));
    check_file(MAIN, MODEL(AT("y", "2.5") AT("x", "0")));
}

#define RENDERER(path, value, object) OVERRIDE(ROOT_RENDERER, MODEL_GUID, path, value, object)
#define RED                           "{fileID: 2100000, guid: " MATERIAL_GUID ", type: 2}"

static void materials_of_a_model_are_shown_and_set(void **state)
{
    (void)state;
    open_with(MODEL(RENDERER("m_CastShadows", "0", "{fileID: 0}")));
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("['UnityEngine.Transform','UnityEngine.MeshFilter',"
                           "'UnityEngine.MeshRenderer']"));
    assert_true(run("manage_component",
                    UPDATE("/Robot", "2", "{'materials':[{'$asset':'Assets/Red.mat'}]}")));
    check_file(MAIN, MODEL(RENDERER("m_CastShadows", "0", "{fileID: 0}")
                               RENDERER("m_Materials.Array.size", "1", "{fileID: 0}")
                                   RENDERER("'m_Materials.Array.data[0]'", "", RED)));
    assert_true(run("get_component_info",
                    "{'game_object_path':'/Robot','index':2,'fields':['materials']}"));
    assert_true(answer_has("'asset_path':'Assets/Red.mat'"));
}

/* ---- what is no source */

static void check_refused(const char *text, const char *path, const char *reason)
{
    char call[256];
    open_with(text);
    snprintf(call, sizeof call, UPDATE("%s", "0", "{'localPosition':{'x':1}}"), path);
    REFUSES("manage_component", call, "ERR_UNSUPPORTED_HEADLESS", reason);
    snprintf(call, sizeof call,
             "{'action':'add','game_object_path':'%s','component_type':'AudioSource'}", path);
    REFUSES("manage_component", call, "ERR_UNSUPPORTED_HEADLESS", reason);
    check_file(MAIN, text);
}

static void an_instance_of_a_material_is_not_changed(void **state)
{
    (void)state;
    check_refused(SCENE_HEAD INSTANCE(MATERIAL_GUID, " []", " []", " []"), "/Red",
                  "Assets/Red.mat, which cannot be read as a prefab or a model");
}

static void an_instance_of_nothing_is_not_changed(void **state)
{
    (void)state;
    check_refused(
        SCENE_HEAD INSTANCE(ABSENT_GUID,
                            OVERRIDE("400000", ABSENT_GUID, "m_RootOrder", "0", "{fileID: 0}"),
                            " []", " []"),
        "/Missing Prefab", "GUID " ABSENT_GUID);
}

static void an_instance_of_a_broken_prefab_is_not_changed(void **state)
{
    (void)state;
    put("Assets/Broken.prefab", "version https://git-lfs.github.com/spec/v1\n");
    put_meta("Assets/Broken.prefab", ABSENT_GUID);
    check_refused(
        SCENE_HEAD INSTANCE(ABSENT_GUID,
                            OVERRIDE("400000", ABSENT_GUID, "m_RootOrder", "0", "{fileID: 0}"),
                            " []", " []"),
        "/Missing Prefab", "Assets/Broken.prefab");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_transform_of_a_model_is_shown_and_set),
        TEST(a_default_that_nobody_saw_is_no_reason_to_write_nothing),
        TEST(materials_of_a_model_are_shown_and_set),
        TEST(an_instance_of_a_material_is_not_changed),
        TEST(an_instance_of_nothing_is_not_changed),
        TEST(an_instance_of_a_broken_prefab_is_not_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
