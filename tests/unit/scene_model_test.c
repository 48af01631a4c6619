#include "unity/scene_model.h"

#include "scene_fixture.h"

#define FILE_S       "Assets/S.unity"
#define META         "fileFormatVersion: 2\nguid: " GUID_A "\nModelImporter:\n"
#define IDS_OF_PATHS "  internalIDToNameTable: []\n  meshes:\n    fileIdsGeneration: 2\n"

static void put_model(const char *meta)
{
    put("Assets/Robot.fbx", "x");
    put("Assets/Robot.fbx.meta", meta);
}

TEST_FIXTURE(setup_scenes, teardown_scenes);

TEST(name_table_gives_nodes_and_components)
{
    put_model(META
              "  fileIDToRecycleName:\n    100000: Arm\n    100002: //RootNode\n    400000: Arm\n"
              "    400002: //RootNode\n    2300000: Arm\n    3300000: Arm\n    4300000: Arm mesh\n"
              "    7400000: Take 001\n    9500000: //RootNode\n    11100000: //RootNode\n"
              "  animationType: 2\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, OVERRIDE("100000", GUID_A, "m_Name", "Left arm"),
                          NOTHING_REMOVED));
    check_tree("Robot * #104098 4 95\n"
               "  Left arm #104096 4 33 23\n");
    assert_null(scene->instances[0].source);
    CHECK_CSTR(scene->instances[0].source_path, "Assets/Robot.fbx");
    CHECK_CSTR(scene_prefab_path(scene, 0), "Assets/Robot.fbx");
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){1, 2}, &target));
    assert_int_equal(target.file_id, 2300000);
    check_no_notes();
}

TEST(newer_name_table_is_read)
{
    put_model(
        META
        "  internalIDToNameTable:\n  - first:\n      1: 100000\n    second: Wheel\n  - first:\n"
        "      4: 400000\n    second: Wheel\n  - first:\n      1: 100002\n    second: //RootNode\n"
        "  - first:\n      4: 400002\n    second: //RootNode\n  - first:\n      111: 11100000\n"
        "    second: //RootNode\n  - first:\n      95: 9500000\n    second: //RootNode\n"
        "  - first:\n      74: 7400000\n    second: Drive\n  animationType: 1\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED));
    check_tree("Robot * #104098 4 111\n  Wheel #104096 4\n");
}

TEST(root_is_known_without_a_table)
{
    put_model(META IDS_OF_PATHS);
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, OVERRIDE("919132149155446097", GUID_A, "m_Name", "R2"),
                  NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "-8679921383154817045", GUID_A, "4096"),
         SIMPLE("6", "Hat", "500", NO_CHILDREN));
    check_tree("R2 * #919132149155442001 4\n  Hat #60 4\n");
    assert_int_equal(scene_component(scene, 0, 0)->id, 500);
}

TEST(ids_of_the_first_versions_with_path_ids_are_known)
{
    put_model(META IDS_OF_PATHS);
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, OVERRIDE("-927199367670048503", GUID_A, "m_Name", "R2"),
                  NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "-4216859302048453862", GUID_A, "4096"),
         SIMPLE("6", "Hat", "500", NO_CHILDREN));
    CHECK_CSTR(scene->nodes[0].name, "R2");
    assert_int_equal(scene->nodes[1].parent, 0);
    assert_int_equal(scene->node_count, 2);
}

TEST(used_objects_are_shown)
{
    put_model(META IDS_OF_PATHS);
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, OVERRIDE("77", GUID_A, "m_Name", "Hand"), NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "12345", GUID_A, "4096"),
         SIMPLE("6", "Ring", "500", NO_CHILDREN),
         STRIPPED("1", "GameObject", "501", "77", GUID_A, "4096"), SCRIPT("70", "501", GUID_C, ""));
    check_tree("Robot * #919132149155442001 4\n"
               "  Hand #501 4 114\n"
               "  Unknown #0 4\n"
               "    Ring #60 4\n");
}

TEST(a_skeleton_gives_the_hierarchy)
{
    put_model(META IDS_OF_PATHS "  humanDescription:\n    skeleton:\n"
                                "    - name: Robot(Clone)\n      parentName: \n"
                                "    - name: hips\n      parentName: Robot(Clone)\n"
                                "    - name: leg\n      parentName: hips\n"
                                "    - name: hips\n      parentName: leg\n" /* duplicate name */
                                "    - name: lost\n      parentName: nobody\n"
                                "    - name: head\n      parentName: hips\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED));
    struct buf tree = {0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        buf_add_char(&tree, '\n');
        scene_put_path(scene, i, &tree);
    }
    CHECK_CSTR(buf_str(&tree), "\n/Robot\n/Robot/hips\n/Robot/hips/leg\n/Robot/hips/head");
    buf_done(&tree);
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){2, SCENE_NONE}, &target));
    assert_true(target.file_id != 0);
}

TEST(a_model_inside_a_prefab_is_part_of_it)
{
    put_model(META IDS_OF_PATHS);
    PUT_PREFAB("Assets/B.prefab", GUID_B,
               INSTANCE("1024", "0", GUID_A,
                        OVERRIDE("919132149155446097", GUID_A, "m_Name", "Robot B"),
                        NOTHING_REMOVED),
               STRIPPED("1", "GameObject", "256", "919132149155446097", GUID_A, "1024"),
               COMPONENT("54", "Rigidbody", "60", "256", ""));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, "", NOTHING_REMOVED));
    check_tree("Robot B * #4352 4 54\n");
    assert_non_null(scene->instances[0].source);
}

TEST(damaged_tables_are_read_safely)
{
    put_model(
        META
        "  fileIDToRecycleName:\n    x: y\n    -5: z\n    99999999999999999999: w\n    100000:\n"
        "  internalIDToNameTable:\n  - first: 7\n    second: a\n  - second: b\n  - first:\n      "
        "1: c\n"
        "  humanDescription:\n    skeleton:\n    - parentName: a\n    - 5\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED));
    CHECK_CSTR(scene->nodes[0].name, "Robot");
    put_model("");
    scenes_forget(scenes, STR(""));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED));
    CHECK_CSTR(scene->nodes[0].name, "Robot");
}
