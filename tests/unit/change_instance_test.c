/* Edits of objects in instances of prefabs and models. */
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

TEST_FIXTURE(setup, teardown);

TEST(transform_of_a_model_is_shown_and_set)
{
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

/* The model may have another value than its class, so the given value is always written. */
TEST(unknown_value_is_written_even_if_it_is_the_default)
{
    open_with(MODEL(AT("y", "2.5")));
    assert_true(run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'x':0}}")));
    check_file(MAIN, MODEL(AT("y", "2.5") AT("x", "0")));
    assert_true(
        run("manage_component", UPDATE("/Robot", "0", "{'localPosition':{'x':0.0,'y':2.5}}")));
    check_file(MAIN, MODEL(AT("y", "2.5") AT("x", "0")));
}

#define RENDERER(path, value, object) OVERRIDE(ROOT_RENDERER, MODEL_GUID, path, value, object)
#define RED                           "{fileID: 2100000, guid: " MATERIAL_GUID ", type: 2}"

TEST(materials_of_a_model_are_shown_and_set)
{
    open_with(MODEL(RENDERER("m_CastShadows", "0", "{fileID: 0}")));
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("['UnityEngine.Transform','UnityEngine.MeshFilter',"
                           "'UnityEngine.MeshRenderer']"));
    assert_true(run("manage_component",
                    UPDATE("/Robot", "2", "{'materials':[{'$asset':'Assets/Red.mat'}]}")));
    check_file(MAIN, MODEL(RENDERER("m_CastShadows", "0", "{fileID: 0}")
                               RENDERER("'m_Materials.Array.data[0]'", "", RED)));
    assert_true(run("get_component_info",
                    "{'game_object_path':'/Robot','index':2,'fields':['materials']}"));
    assert_true(answer_has("'asset_path':'Assets/Red.mat'"));
    assert_true(
        run("manage_component", UPDATE("/Robot", "2", "{'materials':[{'$element':0},null]}")));
    check_file(MAIN, MODEL(RENDERER("m_CastShadows", "0", "{fileID: 0}")
                               RENDERER("'m_Materials.Array.data[0]'", "", RED)
                                   RENDERER("m_Materials.Array.size", "2", "{fileID: 0}")
                                       RENDERER("'m_Materials.Array.data[1]'", "", "{fileID: 0}")));
}

/* The elements of the model are not known, nor is their number. */
TEST(elements_of_a_model_cannot_be_moved)
{
    static const char text[] = MODEL(RENDERER("m_Materials.Array.size", "2", "{fileID: 0}")
                                         RENDERER("'m_Materials.Array.data[1]'", "", RED));
    open_with(text);
    assert_true(run("manage_component",
                    UPDATE("/Robot", "2", "{'materials':[{'$element':0},{'$element':1}]}")));
    check_file(MAIN, text);
    REFUSES("manage_component", UPDATE("/Robot", "2", "{'materials':[{'$element':1}]}"),
            "ERR_UNSUPPORTED_HEADLESS", "fields.materials[0]: the component comes from a model");
    assert_true(run("manage_component", UPDATE("/Robot", "2", "{'materials':[{'$element':0}]}")));
    check_file(MAIN, MODEL(RENDERER("m_Materials.Array.size", "1", "{fileID: 0}")
                               RENDERER("'m_Materials.Array.data[1]'", "", RED)));
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

TEST(instance_of_a_material_is_not_changed)
{
    check_refused(SCENE_HEAD INSTANCE(MATERIAL_GUID, " []", " []", " []"), "/Red",
                  "Assets/Red.mat, which cannot be read as a prefab or a model");
}

TEST(instance_of_a_missing_prefab_is_not_changed)
{
    check_refused(
        SCENE_HEAD INSTANCE(ABSENT_GUID,
                            OVERRIDE("400000", ABSENT_GUID, "m_RootOrder", "0", "{fileID: 0}"),
                            " []", " []"),
        "/Missing Prefab", "GUID " ABSENT_GUID);
}

TEST(instance_of_a_broken_prefab_is_not_changed)
{
    put("Assets/Broken.prefab", "version https://git-lfs.github.com/spec/v1\n");
    put_meta("Assets/Broken.prefab", ABSENT_GUID);
    check_refused(
        SCENE_HEAD INSTANCE(ABSENT_GUID,
                            OVERRIDE("400000", ABSENT_GUID, "m_RootOrder", "0", "{fileID: 0}"),
                            " []", " []"),
        "/Missing Prefab", "Assets/Broken.prefab");
}

/* ---- stand-ins */

#define PREFAB_GUID   "00000000000000000000000000000064"
#define SCRIPT_GUID   "00000000000000000000000000000065"
#define SOURCE_OF(id) "{fileID: " id ", guid: " PREFAB_GUID ", type: 3}"
#define STAND_IN(class, name, id, source)                                                          \
    "--- !u!" class " &" id " stripped\n" name ":\n  m_CorrespondingSourceObject: " SOURCE_OF(     \
        source) "\n  m_PrefabInstance: {fileID: 30}\n"                                             \
                "  m_PrefabAsset: {fileID: 0}\n"
#define PART(removed, added) SCENE_HEAD INSTANCE(PREFAB_GUID, " []", removed, added)
#define ADDED(id)                                                                                  \
    "\n    - targetCorrespondingSourceObject: {fileID: 100, guid: " PREFAB_GUID ",\n"              \
    "        type: 3}\n      insertIndex: -1\n      addedObject: {fileID: " id "}"
#define COLLIDER(id, owner)                                                                        \
    "--- !u!65 &" id "\nBoxCollider:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: " owner "}" \
    "\n"
#define HOLDER(field)                                                                              \
    "--- !u!114 &50\nMonoBehaviour:\n  m_GameObject: {fileID: 0}\n  m_Script: {fileID: 0}\n"       \
    "  target: {fileID: " field "}\n"

static void open_part(const char *text)
{
    put("Assets/Part.prefab",
        SCENE_HEAD SCENE_OBJECT("100", "101", "Part", "  - component: {fileID: 102}\n")
            SCENE_TRANSFORM("101", "100", " []",
                            "0") "--- !u!114 &102\nMonoBehaviour:\n"
                                 "  m_GameObject: {fileID: 100}\n"
                                 "  m_Script: {fileID: 11500000, guid: " SCRIPT_GUID
                                 ", type: 3}\n");
    put_meta("Assets/Part.prefab", PREFAB_GUID);
    put("Assets/Thing.cs", "public class Thing : UnityEngine.MonoBehaviour { }\n");
    put_meta("Assets/Thing.cs", SCRIPT_GUID);
    open_with(text);
}

#define REMOVE(index) "{'action':'remove','game_object_path':'/Part','index':" index "}"

TEST(removed_component_takes_its_stand_in_along)
{
    open_part(PART(" []", " []"));
    assert_true(run("manage_component", "{'action':'add','game_object_path':'/Part',"
                                        "'component_type':'BoxCollider'}"));
    struct buf added = {0};
    assert_true(file_read(MAIN, 1 << 20, &added, NULL));
    assert_true(str_find(buf_str(&added), STR(" stripped\n")) < added.n);
    assert_true(run("manage_component", REMOVE("2")));
    check_file(MAIN, PART(" []", " []"));
    assert_true(run("undo", "{}"));
    check_file(MAIN, added.p);
    assert_true(run("undo", "{}"));
    check_file(MAIN, PART(" []", " []"));
    assert_true(run("redo", "{'steps':2}"));
    check_file(MAIN, PART(" []", " []"));
    buf_done(&added);
}

TEST(stand_in_used_elsewhere_is_kept)
{
    open_part(PART(" []", ADDED("40") ADDED("41")) STAND_IN("1", "GameObject", "31", "100")
                  COLLIDER("40", "31") COLLIDER("41", "31"));
    assert_true(run("manage_component", REMOVE("3")));
    check_file(MAIN, PART(" []", ADDED("40")) STAND_IN("1", "GameObject", "31", "100")
                         COLLIDER("40", "31"));
    assert_true(run("manage_component", REMOVE("2")));
    check_file(MAIN, PART(" []", " []"));
}

TEST(stand_in_used_by_a_field_is_kept)
{
    open_part(PART(" []", ADDED("40")) STAND_IN("1", "GameObject", "31", "100") COLLIDER("40", "31")
                  HOLDER("31"));
    assert_true(run("manage_component", REMOVE("2")));
    check_file(MAIN, PART(" []", " []") STAND_IN("1", "GameObject", "31", "100") HOLDER("31"));
}

/* The stand-in of a script refers to the one of its GameObject. */
TEST(stand_in_takes_its_own_stand_in_along)
{
    open_part(PART(" []", " []") STAND_IN("1", "GameObject", "31", "100")
                  STAND_IN("114", "MonoBehaviour", "32", "102") "  m_GameObject: {fileID: 31}\n");
    assert_true(run("manage_component", REMOVE("1")));
    check_file(MAIN, PART("\n    - " SOURCE_OF("102"), " []"));
}

/* Unity does not write this, but a file may have it. */
TEST(stand_in_that_refers_to_the_removed_object_is_kept)
{
    open_part(PART(" []", ADDED("40")) STAND_IN(
        "1", "GameObject", "31", "100") "  more: {fileID: 40}\n" COLLIDER("40", "31"));
    assert_true(run("manage_component", REMOVE("2")));
    check_file(MAIN,
               PART(" []", " []") STAND_IN("1", "GameObject", "31", "100") "  more: {fileID: 0}\n");
}
