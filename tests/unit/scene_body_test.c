#include "scene_fixture.h"

#define FILE_S "Assets/S.unity"

static struct arena arena;

static int setup_body(void **state)
{
    arena = (struct arena){0};
    return setup_scenes(state);
}

static int teardown_body(void **state)
{
    arena_done(&arena);
    return teardown_scenes(state);
}

/* The text of one property of a component (-1: of the GameObject). */
static void check_field(const char *path, int component, const char *key, const char *want)
{
    uint32_t index = component < 0 ? SCENE_NONE : (uint32_t)component;
    struct yaml_value body = scene_body(scene, find(path), index, &arena);
    assert_int_equal(body.kind, YAML_MAP);
    CHECK_CSTR(yaml_get(body, str_from(key)).text, want);
}

#define DOOR                                                                                       \
    OBJECT("10", "Door", HAS("11") HAS("12"))                                                      \
    TRANSFORM("11", "10", "0", CHILD("21") "\n")                                                   \
    SCRIPT("12", "10", GUID_C,                                                                     \
           "  handle: {fileID: 20}\n  self: {fileID: 12}\n  none: {fileID: 0}\n  mesh: {fileID: "  \
           "90}\n"                                                                                 \
           "  other: {fileID: 4300000, guid: " GUID_B                                              \
           ", type: 3}\n  speed: 1\n  text: '{fileID: 20}'\n"                                      \
           "  all:\n  - {fileID: 11}\n  - {fileID: 21}\n  stats:\n    hp: 5\n    owner: {fileID: " \
           "10}\n")                                                                                \
    SIMPLE("2", "Handle", "11", NO_CHILDREN)                                                       \
    "--- !u!43 &90\nMesh:\n  m_Name: Embedded\n"

TEST_FIXTURE(setup_body, teardown_body);

TEST(stored_object_has_its_document)
{
    LOAD(FILE_S, OBJECT("10", "A", HAS("11") HAS("12")), TRANSFORM("11", "10", "0", NO_CHILDREN),
         COMPONENT("54", "Rigidbody", "12", "10", "  m_Mass: 3\n"));
    check_field("/A", 1, "m_Mass", "3");
    check_field("/A", -1, "m_Name", "A");
    check_field("/A", 0, "m_GameObject", "{fileID: 10}");
}

TEST(references_use_the_ids_of_this_file)
{
    PUT_PREFAB("Assets/A.prefab", GUID_A, DOOR);
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("1", "GameObject", "500", "20", GUID_A, "4096"));
    check_field("/Door", 1, "handle", "{fileID: 500}");
    check_field("/Door", 1, "self", "{fileID: 4108}");
    check_field("/Door", 1, "none", "{fileID: 0}");
    check_field("/Door", 1, "mesh", "{fileID: 90, guid: " GUID_A ", type: 3}");
    check_field("/Door", 1, "other", "{fileID: 4300000, guid: " GUID_B ", type: 3}");
    check_field("/Door", 1, "text", "'{fileID: 20}'");
    check_field("/Door", 1, "all", "  - {fileID: 4107}\n  - {fileID: 4117}\n");
    check_field("/Door", 1, "stats", "    hp: 5\n    owner: {fileID: 4106}\n");
    check_field("/Door/Handle", 0, "m_Father", "{fileID: 4107}");
}

TEST(overrides_are_applied)
{
    PUT_PREFAB("Assets/A.prefab", GUID_A, DOOR);
    LOAD(FILE_S, SIMPLE("6", "Player", "0", NO_CHILDREN),
         INSTANCE("4096", "0", GUID_A,
                  OVERRIDE("11", GUID_A, "m_LocalPosition.x", "2.5")
                      OVERRIDE("12", GUID_A, "speed", "9") OVERRIDE("12", GUID_A, "stats.hp", "7")
                          OVERRIDE("12", GUID_A, "all.Array.size", "1")
                              MODIFICATION("12", GUID_A, "handle", "", "60")
                                  MODIFICATION("12", GUID_A, "'all.Array.data[0]'", "", "61")
                                      OVERRIDE("12", GUID_A, "other", "")
                                          OVERRIDE("10", GUID_A, "m_Layer", "8"),
                  NOTHING_REMOVED));
    check_field("/Door", 0, "m_LocalPosition", "{x: 2.5, y: 0, z: 0}");
    check_field("/Door", 1, "speed", "9");
    check_field("/Door", 1, "stats", "    hp: 7\n    owner: {fileID: 4106}\n");
    check_field("/Door", 1, "handle", "{fileID: 60}");
    check_field("/Door", 1, "all", "  - {fileID: 61}\n");
    check_field("/Door", 1, "other", "{fileID: 0}");
    check_field("/Door", -1, "m_Layer", "8");
}

/* Door in House in the scene: the overrides of each level are applied, the outermost last. */
TEST(overrides_are_applied_from_the_innermost_level_outwards)
{
    PUT_PREFAB("Assets/A.prefab", GUID_A, DOOR);
    PUT_PREFAB("Assets/B.prefab", GUID_B, SIMPLE("5", "House", "0", CHILD("256") "\n"),
               INSTANCE("1024", "51", GUID_A,
                        OVERRIDE("12", GUID_A, "speed", "2") OVERRIDE("12", GUID_A, "stats.hp", "6")
                            MODIFICATION("12", GUID_A, "none", "", "50"),
                        NOTHING_REMOVED),
               STRIPPED("4", "Transform", "256", "11", GUID_A, "1024"));
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_B, OVERRIDE("1036", GUID_B, "speed", "3"), NOTHING_REMOVED));
    check_field("/House/Door", 1, "speed", "3");
    check_field("/House/Door", 1, "stats", "    hp: 6\n    owner: {fileID: 5130}\n");
    check_field("/House/Door", 1, "none", "{fileID: 4146}");
    check_field("/House/Door", 1, "handle", "{fileID: 5140}");
    check_field("/House/Door", 1, "mesh", "{fileID: 90, guid: " GUID_A ", type: 3}");
    check_field("/House/Door", 1, "all", "  - {fileID: 4352}\n  - {fileID: 5141}\n"); /* 256 */
}

TEST(component_added_in_a_nested_prefab_has_its_own_body)
{
    PUT_PREFAB("Assets/A.prefab", GUID_A, DOOR);
    PUT_PREFAB("Assets/B.prefab", GUID_B, INSTANCE("1024", "0", GUID_A, "", NOTHING_REMOVED),
               STRIPPED("1", "GameObject", "1034", "10", GUID_A, "1024"),
               COMPONENT("54", "Rigidbody", "60", "1034", "  m_Mass: 4\n"));
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_B, OVERRIDE("60", GUID_B, "m_Mass", "8"), NOTHING_REMOVED));
    check_field("/Door", 2, "m_Mass", "8");
    check_field("/Door", 2, "m_GameObject", "{fileID: 5130}");
}

#define MODEL_META                                                                                 \
    "fileFormatVersion: 2\nguid: " GUID_A "\nModelImporter:\n  meshes:\n"                          \
    "    fileIdsGeneration: 2\n"
#define ROOT_TRANSFORM "-8679921383154817045"
#define ROOT_RENDERER  "-7511558181221131132"

static void put_model(void)
{
    put("Assets/M.fbx", "x");
    put("Assets/M.fbx.meta", MODEL_META);
}

TEST(object_of_a_model_has_class_defaults_and_overrides)
{
    put_model();
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A,
                          OVERRIDE(ROOT_TRANSFORM, GUID_A, "m_LocalPosition.y", "2.5")
                              OVERRIDE("5", GUID_A, "m_LocalPosition.x", "9"),
                          NOTHING_REMOVED));
    check_field("/M", 0, "m_LocalPosition", "{x: 0, y: 2.5, z: 0}");
    check_field("/M", 0, "m_LocalScale", "{x: 1, y: 1, z: 1}");
    assert_true(scene_is_partial(scene, 0, 0));
    assert_true(scene_is_partial(scene, 0, SCENE_NONE));
    CHECK_CSTR(scene_class_name(scene, 0, 0), "");
}

TEST(a_model_inside_a_prefab_has_the_overrides_of_both)
{
    put_model();
    PUT_PREFAB("Assets/B.prefab", GUID_B,
               INSTANCE("1024", "0", GUID_A,
                        OVERRIDE(ROOT_TRANSFORM, GUID_A, "m_LocalPosition.x", "1")
                            OVERRIDE(ROOT_TRANSFORM, GUID_A, "m_LocalPosition.y", "1"),
                        NOTHING_REMOVED),
               STRIPPED("4", "Transform", "256", ROOT_TRANSFORM, GUID_A, "1024"));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, OVERRIDE("256", GUID_B, "m_LocalPosition.y", "2"),
                          NOTHING_REMOVED));
    check_field("/M", 0, "m_LocalPosition", "{x: 1, y: 2, z: 0}");
    assert_true(scene_is_partial(scene, 0, 0));
}

TEST(components_of_the_root_are_recognized_by_id)
{
    put_model();
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A,
                          MODIFICATION(ROOT_RENDERER, GUID_A, "m_Materials.Array.data[2]", "", "70")
                              OVERRIDE(ROOT_RENDERER, GUID_A, "m_ReceiveGI", "2"),
                          NOTHING_REMOVED));
    check_tree("M * #919132149155442001 4 33 23\n");
    check_field("/M", 2, "m_ReceiveGI", "2");
    struct yaml_value all = yaml_get(scene_body(scene, 0, 2, &arena), STR("m_Materials"));
    assert_int_equal(yaml_count(all), 3);
    CHECK_CSTR(yaml_at(all, 2).text, "{fileID: 70}");
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){0, 2}, &target));
    assert_int_equal(target.file_id, -7511558181221131132);
}

TEST(class_without_defaults_has_the_overrides_only)
{
    put("Assets/M.fbx", "x");
    put("Assets/M.fbx.meta", "fileFormatVersion: 2\nguid: " GUID_A "\nModelImporter:\n"
                             "  fileIDToRecycleName:\n    100000: //RootNode\n"
                             "    400000: //RootNode\n    20500000: //RootNode\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, OVERRIDE("20500000", GUID_A, "m_Size", "3"),
                          NOTHING_REMOVED));
    check_field("/M", 1, "m_Size", "3");
}

/* Objects of missing and impossible sources have no known id. */
TEST(broken_instance_has_no_known_ids)
{
    struct reference target;
    put("Assets/Red.mat", FILE_HEAD "--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n");
    put("Assets/Red.mat.meta", "fileFormatVersion: 2\nguid: " GUID_A "\nNativeFormatImporter:\n");
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, OVERRIDE("400000", GUID_A, "m_RootOrder", "1"),
                  NOTHING_REMOVED),
         INSTANCE("8192", "0", GUID_B, OVERRIDE("10", GUID_B, "m_Name", "Lost"), NOTHING_REMOVED),
         OBJECT("10", "A", HAS("11") HAS("99")), TRANSFORM("11", "10", "0", NO_CHILDREN));
    assert_true(scene->instances[0].is_broken && scene->instances[1].is_broken);
    assert_true(scene_target(scene, (struct scene_place){find("/Red"), 0}, &target));
    assert_int_equal(target.file_id, 0);
    assert_true(scene_target(scene, (struct scene_place){find("/Lost"), SCENE_NONE}, &target));
    assert_int_equal(target.file_id, 0);
    assert_int_equal(scene_body(scene, find("/A"), 1, &arena).kind, YAML_NONE);
    assert_false(scene_is_partial(scene, find("/A"), 1));
    assert_false(scene_is_partial(scene, find("/A"), 0));
    CHECK_CSTR(scene_class_name(scene, find("/A"), 0), "Transform");
}
