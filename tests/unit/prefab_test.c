#include "unity/prefab.h"

#include "scene_fixture.h"

#define FILE_S "Assets/S.unity"
#define FILE_A "Assets/A.prefab"
#define FILE_B "Assets/B.prefab"

/* Crate (10, 11; a Rigidbody 12) with Lid (20, 21) and Nail (30, 31) below it. */
#define CRATE                                                                                      \
    OBJECT("10", "Crate", HAS("11") HAS("12"))                                                     \
    TRANSFORM("11", "10", "0", CHILD("21") "\n")                                                   \
    COMPONENT("54", "Rigidbody", "12", "10", "  m_Mass: 1\n")                                      \
    SIMPLE("2", "Lid", "11", CHILD("31") "\n") SIMPLE("3", "Nail", "21", NO_CHILDREN)

static int setup_crate(void **state)
{
    int result = setup_scenes(state);
    PUT_PREFAB(FILE_A, GUID_A, CRATE);
    return result;
}

/* ---- ids, names, overrides */

TEST_FIXTURE(setup_crate, teardown_scenes);

TEST(an_instance_shows_its_source)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #4116 4\n"
               "    Nail #4126 4\n");
    check_no_notes();
    const struct scene_instance *in = &scene->instances[0];
    assert_int_equal(scene->instance_count, 1);
    assert_int_equal(in->id, 4096);
    assert_int_equal(in->root, 0);
    assert_non_null(in->source);
    CHECK_CSTR(in->source_path, FILE_A);
    CHECK_CSTR(scene_prefab_path(scene, 0), FILE_A);
    CHECK_CSTR(scene_prefab_path(scene, 1), "");
    const struct scene_node *lid = &scene->nodes[1];
    assert_null(lid->doc);
    assert_int_equal(lid->instance, 0);
    assert_int_equal(in->source->nodes[lid->source].id, 20);
    const struct scene_component *body = scene_component(scene, 0, 1);
    assert_int_equal(body->id, 4096 ^ 12);
    assert_int_equal(in->source->components[body->source].id, 12);
}

TEST(composed_ids_have_no_sign)
{
    PUT_PREFAB(FILE_B, GUID_B, OBJECT("-10", "Minus", HAS("-11")),
               TRANSFORM("-11", "-10", "0", NO_CHILDREN));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, "", NOTHING_REMOVED));
    assert_true(scene->nodes[0].id == ((INT64_C(-10) ^ 4096) & INT64_MAX));
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){0, SCENE_NONE}, &target));
    assert_int_equal(target.file_id, -10);
}

TEST(overrides_change_names_and_active_flags)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A,
                  OVERRIDE("10", GUID_A, "m_Name", "Box") OVERRIDE("20", GUID_A, "m_IsActive", "0")
                      OVERRIDE("20", GUID_A, "m_Name", "'Top: lid'")
                          OVERRIDE("777", GUID_A, "m_Name", "Stale")
                              OVERRIDE("11", GUID_A, "m_Name", "Not a GameObject"),
                  NOTHING_REMOVED));
    check_tree("Box * #4106 4 54\n"
               "  Top: lid - #4116 4\n"
               "    Nail #4126 4\n");
}

TEST(last_of_two_overrides_is_used)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A,
                          OVERRIDE("10", GUID_A, "m_Name", "First")
                              OVERRIDE("10", GUID_A, "m_Name", "Last"),
                          NOTHING_REMOVED));
    CHECK_CSTR(scene->nodes[0].name, "Last");
}

TEST(stand_ins_give_their_ids)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("1", "GameObject", "500", "20", GUID_A, "4096"),
         STRIPPED("54", "Rigidbody", "501", "12", GUID_A, "4096"));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #500 4\n"
               "    Nail #4126 4\n");
    assert_int_equal(scene_component(scene, 0, 1)->id, 501);
    assert_null(scene->nodes[1].doc);
    struct scene_place at;
    assert_true(scene_where(scene, 500, &at));
    assert_int_equal(at.node, 1);
    assert_true(scene_where(scene, 501, &at));
    assert_int_equal(at.component, 1);
    struct reference target;
    assert_true(scene_target(scene, at, &target));
    assert_int_equal(target.file_id, 12);
    assert_int_equal(target.type, 3);
    assert_true(target.guid.lo == 0xaaaaaaaaaaaaaaaau);
}

TEST(stand_in_for_a_removed_instance_is_ignored)
{
    LOAD(FILE_S, SIMPLE("1", "A", "0", NO_CHILDREN),
         STRIPPED("1", "GameObject", "500", "20", GUID_A, "4096"));
    check_tree("A #10 4\n");
}

TEST(keys_of_old_files_are_read)
{
    PUT_PREFAB(FILE_B, GUID_B,
               "--- !u!1001 &100100000\nPrefab:\n  m_ObjectHideFlags: 1\n  serializedVersion: 2\n"
               "  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"
               "    m_RemovedComponents: []\n  m_ParentPrefab: {fileID: 0}\n"
               "  m_RootGameObject: {fileID: 10}\n  m_IsPrefabParent: 1\n",
               SIMPLE("1", "Old", "0", NO_CHILDREN));
    LOAD(FILE_S,
         "--- !u!1001 &4096\nPrefab:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"
         "  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications:\n",
         OVERRIDE("10", GUID_B, "m_Name", "Older"),
         "    m_RemovedComponents: []\n  m_ParentPrefab: {fileID: 100100000, guid: " GUID_B
         ", type: 2}\n  m_IsPrefabParent: 0\n"
         "--- !u!4 &500 stripped\nTransform:\n  m_PrefabParentObject: {fileID: 11, guid: " GUID_B
         ", type: 2}\n  m_PrefabInternal: {fileID: 4096}\n",
         SIMPLE("2", "Child", "500", NO_CHILDREN));
    check_tree("Older * #4106 4\n  Child #20 4\n");
    assert_int_equal(scene_component(scene, 0, 0)->id, 500);
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){0, SCENE_NONE}, &target));
    assert_int_equal(target.type, 2);
}

/* Files from other tools may have another form. */
TEST(unusual_form_of_a_document_is_read)
{
    LOAD(FILE_S,
         "--- !u!1001 &4096\nPrefabInstance:\n  m_SourcePrefab: {fileID: 100100000, guid: " GUID_A
         ", type: 3}\n  m_Modification:\n    m_Modifications:\n    - {target: {fileID: 10, "
         "guid: " GUID_A
         ", type: 3}, propertyPath: m_Name, value: Flow, objectReference: {fileID: 0}}\n"
         "    m_TransformParent: {fileID: 0}\n");
    check_tree("Flow * #4106 4 54\n  Lid #4116 4\n    Nail #4126 4\n");
}

/* ---- parents and order */

TEST(instance_has_the_place_of_its_listed_stand_in)
{
    LOAD(FILE_S, SIMPLE("1", "Before", "51", NO_CHILDREN), SIMPLE("3", "After", "51", NO_CHILDREN),
         SIMPLE("5", "Room", "0", CHILD("11") CHILD("500") CHILD("31") "\n"),
         INSTANCE("4096", "51", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "11", GUID_A, "4096"));
    check_tree("Room #50 4\n"
               "  Before #10 4\n"
               "  Crate * #4106 4 54\n"
               "    Lid #4116 4\n"
               "      Nail #4126 4\n"
               "  After #30 4\n");
}

TEST(instance_can_be_a_child_of_another_instance)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "21", GUID_A, "4096"),
         INSTANCE("8192", "500", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "Inner"),
                  NOTHING_REMOVED));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #4116 4\n"
               "    Nail #4126 4\n"
               "    Inner * #8202 4 54\n"
               "      Lid #8212 4\n"
               "        Nail #8222 4\n");
}

TEST(roots_are_sorted_by_overridden_root_order)
{
    LOAD(FILE_S, SIMPLE("1", "Second", "0", NO_CHILDREN), ROOT_ORDER("1"),
         INSTANCE("4096", "0", GUID_A, OVERRIDE("11", GUID_A, "m_RootOrder", "2"), NOTHING_REMOVED),
         INSTANCE("8192", "0", GUID_A,
                  OVERRIDE("11", GUID_A, "m_RootOrder", "0")
                      OVERRIDE("10", GUID_A, "m_Name", "First"),
                  NOTHING_REMOVED));
    CHECK_CSTR(scene->nodes[0].name, "First");
    CHECK_CSTR(scene->nodes[3].name, "Second");
    CHECK_CSTR(scene->nodes[4].name, "Crate");
}

TEST(scene_roots_lists_instances_or_stand_ins)
{
    LOAD(FILE_S, SIMPLE("1", "Last", "0", NO_CHILDREN),
         INSTANCE("4096", "0", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "Two"), NOTHING_REMOVED),
         INSTANCE("8192", "0", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "One"), NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "11", GUID_A, "4096"),
         SCENE_ROOTS_LIST(ROOT("8192") ROOT("500") ROOT("11")));
    CHECK_CSTR(scene->nodes[0].name, "One");
    CHECK_CSTR(scene->nodes[3].name, "Two");
    CHECK_CSTR(scene->nodes[6].name, "Last");
}

/* ---- added and removed */

TEST(objects_are_added_below_objects_of_an_instance)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "21", GUID_A, "4096"),
         SIMPLE("6", "Second", "500", NO_CHILDREN), ROOT_ORDER("2"),
         SIMPLE("7", "First", "500", NO_CHILDREN), ROOT_ORDER("1"));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #4116 4\n"
               "    Nail #4126 4\n"
               "    First #70 4\n"
               "    Second #60 4\n");
    assert_non_null(scene->nodes[3].doc);
    assert_int_equal(scene->nodes[3].instance, SCENE_NONE);
}

TEST(objects_are_found_by_composed_ids)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         SIMPLE("6", "Added", "4127", NO_CHILDREN), SCRIPT("70", "4116", GUID_C, ""));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #4116 4 114\n"
               "    Nail #4126 4\n"
               "      Added #60 4\n");
}

TEST(added_object_is_at_its_index)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "",
                  NOTHING_REMOVED
                  "    m_RemovedGameObjects: []\n    m_AddedGameObjects:\n"
                  "    - targetCorrespondingSourceObject: {fileID: 21, guid: " GUID_A ", type: 3}\n"
                  "      insertIndex: -1\n      addedObject: {fileID: 71}\n"
                  "    - targetCorrespondingSourceObject: {fileID: 21, guid: " GUID_A ", type: 3}\n"
                  "      insertIndex: 0\n      addedObject: {fileID: 61}\n"
                  "    - targetCorrespondingSourceObject: {fileID: 21, guid: " GUID_A ", type: 3}\n"
                  "      insertIndex: 0\n      addedObject: {fileID: 0}\n"
                  "    - targetCorrespondingSourceObject: {fileID: 21, guid: " GUID_A ", type: 3}\n"
                  "      insertIndex: 2\n      addedObject: {fileID: 81}\n"),
         STRIPPED("4", "Transform", "500", "21", GUID_A, "4096"),
         SIMPLE("6", "Zero", "500", NO_CHILDREN), SIMPLE("7", "Behind", "500", NO_CHILDREN),
         SIMPLE("8", "Two", "500", NO_CHILDREN));
    check_tree("Crate * #4106 4 54\n"
               "  Lid #4116 4\n"
               "    Zero #60 4\n"
               "    Nail #4126 4\n"
               "    Two #80 4\n"
               "    Behind #70 4\n");
}

TEST(components_are_added_to_objects_of_an_instance)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("1", "GameObject", "500", "10", GUID_A, "4096"), SCRIPT("60", "500", GUID_C, ""),
         COMPONENT("65", "BoxCollider", "61", "500", ""));
    check_tree("Crate * #500 4 54 114 65\n"
               "  Lid #4116 4\n"
               "    Nail #4126 4\n");
    const struct scene_component *added = scene_component(scene, 0, 2);
    assert_int_equal(added->doc->file_id, 60);
    assert_int_equal(added->instance, SCENE_NONE);
    struct reference target;
    assert_false(scene_target(scene, (struct scene_place){0, 2}, &target));
}

TEST(added_component_is_at_its_index)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "",
                  NOTHING_REMOVED ADDED("m_AddedComponents", "10", GUID_A, "1", "61")),
         STRIPPED("1", "GameObject", "500", "10", GUID_A, "4096"), SCRIPT("60", "500", GUID_C, ""),
         COMPONENT("65", "BoxCollider", "61", "500", ""));
    check_tree("Crate * #500 4 65 54 114\n"
               "  Lid #4116 4\n"
               "    Nail #4126 4\n");
}

TEST(removed_components_are_not_shown)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "",
                  "    m_RemovedComponents:\n    - {fileID: 12, guid: " GUID_A ", type: 3}\n"));
    check_tree("Crate * #4106 4\n  Lid #4116 4\n    Nail #4126 4\n");
}

TEST(the_transform_cannot_be_removed)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "", "    m_RemovedComponents:\n    - {fileID: 11}\n"));
    check_tree("Crate * #4106 4 54\n  Lid #4116 4\n    Nail #4126 4\n");
}

TEST(removing_an_object_removes_its_children)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "",
                  NOTHING_REMOVED "    m_RemovedGameObjects:\n    - {fileID: 20, guid: " GUID_A
                                  ", type: 3}\n"));
    check_tree("Crate * #4106 4 54\n");
    assert_int_equal(scene->nodes[0].total, 1);
}

TEST(an_object_on_a_removed_one_is_shown_at_the_root)
{
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_A, "",
                  NOTHING_REMOVED "    m_RemovedGameObjects:\n    - {fileID: 20, guid: " GUID_A
                                  ", type: 3}\n"),
         STRIPPED("4", "Transform", "500", "31", GUID_A, "4096"),
         SIMPLE("6", "Left", "500", NO_CHILDREN));
    check_tree("Crate * #4106 4 54\nLeft #60 4\n");
    check_note("missing parent 500");
}

/* ---- nesting */

TEST(nested_prefabs_compose_their_ids)
{
    PUT_PREFAB(
        FILE_B, GUID_B, SIMPLE("5", "Stack", "0", CHILD("256") "\n"),
        INSTANCE("1024", "51", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "Lower"), NOTHING_REMOVED),
        STRIPPED("4", "Transform", "256", "11", GUID_A, "1024"));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B,
                          OVERRIDE("1044", GUID_B, "m_Name", "Deep lid") /* 1024 ^ 20 */
                          OVERRIDE("1054", GUID_B, "m_IsActive", "0"),   /* 1024 ^ 30 */
                          NOTHING_REMOVED));
    check_tree("Stack * #4146 4\n"
               "  Lower * #5130 4 54\n" /* 4096 ^ 1024 ^ 10 */
               "    Deep lid #5140 4\n"
               "      Nail - #5150 4\n");
    assert_int_equal(scene_component(scene, 1, 0)->id, 4096 ^ 256);
    CHECK_CSTR(scene_prefab_path(scene, 0), FILE_B);
    CHECK_CSTR(scene_prefab_path(scene, 1), FILE_A);
    CHECK_CSTR(scene_prefab_path(scene, 2), "");
    struct reference target;
    assert_true(scene_target(scene, (struct scene_place){2, SCENE_NONE}, &target));
    assert_int_equal(target.file_id, 1044);
    assert_true(target.guid.lo == 0xbbbbbbbbbbbbbbbbu);
}

TEST(a_nested_instance_can_be_removed)
{
    PUT_PREFAB(FILE_B, GUID_B, SIMPLE("5", "Stack", "0", CHILD("256") "\n"),
               INSTANCE("1024", "51", GUID_A, "", NOTHING_REMOVED),
               STRIPPED("4", "Transform", "256", "11", GUID_A, "1024"));
    LOAD(FILE_S,
         INSTANCE("4096", "0", GUID_B, "",
                  NOTHING_REMOVED "    m_RemovedGameObjects:\n    - {fileID: 1034, guid: " GUID_B
                                  ", type: 3}\n"));
    check_tree("Stack * #4146 4\n");
}

TEST(a_variant_is_its_base_with_changes)
{
    PUT_PREFAB(FILE_B, GUID_B,
               INSTANCE("1024", "0", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "Variant"),
                        "    m_RemovedComponents:\n    - {fileID: 12, guid: " GUID_A
                        ", type: 3}\n"),
               STRIPPED("1", "GameObject", "1034", "10", GUID_A, "1024"),
               SCRIPT("60", "1034", GUID_C, ""));
    LOAD(FILE_B, INSTANCE("1024", "0", GUID_A, OVERRIDE("10", GUID_A, "m_Name", "Variant"),
                          NOTHING_REMOVED));
    check_tree("Variant * #1034 4 54\n  Lid #1044 4\n    Nail #1054 4\n");
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, OVERRIDE("1044", GUID_B, "m_IsActive", "0"),
                          NOTHING_REMOVED));
    check_tree("Variant * #5130 4 114\n"
               "  Lid - #5140 4\n"
               "    Nail #5150 4\n");
    CHECK_CSTR(scene_prefab_path(scene, 0), FILE_B);
}

TEST(thousands_of_instances_are_expanded)
{
    struct buf text = {0};
    for (int i = 1; i <= 5000; i++)
        buf_printf(&text,
                   "--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: "
                   "{fileID: 0}\n"
                   "    m_Modifications: []\n    m_RemovedComponents: []\n"
                   "  m_SourcePrefab: {fileID: 100100000, guid: " GUID_A ", type: 3}\n",
                   i * 64);
    LOAD(FILE_S, text.p);
    assert_int_equal(scene->node_count, 15000);
    assert_int_equal(scene->root_count, 5000);
    assert_int_equal(scene->nodes[find("/Crate[4999]")].id, 5000 * 64 + 10);
    buf_done(&text);
}

/* ---- missing and broken sources */

TEST(prefab_inside_itself_has_no_content)
{
    PUT_PREFAB(FILE_B, GUID_B, SIMPLE("1", "Snake", "0", NO_CHILDREN),
               INSTANCE("1024", "11", GUID_B, "", NOTHING_REMOVED));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, "", NOTHING_REMOVED));
    check_tree("Snake * #4106 4\n");
    check_note("Assets/B.prefab contains itself");
}

TEST(mutually_nested_prefabs_end)
{
    PUT_PREFAB(FILE_B, GUID_B, SIMPLE("1", "B", "0", NO_CHILDREN),
               INSTANCE("1024", "11", GUID_C, "", NOTHING_REMOVED));
    PUT_PREFAB("Assets/C.prefab", GUID_C, SIMPLE("2", "C", "0", NO_CHILDREN),
               INSTANCE("2048", "21", GUID_B, "", NOTHING_REMOVED));
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, "", NOTHING_REMOVED));
    check_tree("B * #4106 4\n  C * #5140 4\n");
    check_note("contains itself");
}

/* Each level contains ten of the level below: ten levels would exceed the memory. */
TEST(exponential_nesting_is_limited)
{
    char path[64], guid[64];
    for (int level = 1; level < 10; level++) {
        struct buf text = {0};
        buf_add(&text, STR(SIMPLE("1", "Level", "0", NO_CHILDREN)));
        for (int i = 0; i < 10; i++)
            buf_printf(&text,
                       "--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n"
                       "    m_TransformParent: {fileID: 11}\n    m_Modifications: []\n"
                       "  m_SourcePrefab: {fileID: 100100000, guid: %032d, type: 3}\n",
                       1024 * (i + 1), level - 1);
        snprintf(path, sizeof path, "Assets/Level%d.prefab", level);
        snprintf(guid, sizeof guid, "%032d", level);
        PUT_PREFAB(path, guid, text.p);
        buf_done(&text);
    }
    PUT_PREFAB("Assets/Level0.prefab", "00000000000000000000000000000000",
               SIMPLE("1", "Level", "0", NO_CHILDREN));
    LOAD(FILE_S, INSTANCE("4096", "0", "00000000000000000000000000000009", "", NOTHING_REMOVED));
    assert_true(scene->node_count <= SCENE_MAX_NODES);
    check_note("too many objects");
}

/* Each one is within its own limit, but not all together. */
TEST(all_open_prefabs_share_a_limit)
{
    PUT_PREFAB("Assets/A.prefab", "00000000000000000000000000000001",
               SIMPLE("1", "A", "0", NO_CHILDREN));
    PUT_PREFAB("Assets/B.prefab", "00000000000000000000000000000002",
               SIMPLE("1", "B", "0", NO_CHILDREN)
                   INSTANCE("4096", "11", "00000000000000000000000000000001", "", NOTHING_REMOVED));
    open_scenes();
    scenes_limit(scenes, 5); /* one of A, two of B, two of the scene */
    LOAD(FILE_S, INSTANCE("4096", "0", "00000000000000000000000000000002", "", NOTHING_REMOVED));
    assert_int_equal(scene->node_count, 2);
    scenes_close(scene);
    scene = NULL;
    LOAD(FILE_S, INSTANCE("4096", "0", "00000000000000000000000000000002", "", NOTHING_REMOVED));
    assert_int_equal(scene->node_count, 2); /* closed scenes do not count */
    scenes_close(scene);
    scene = NULL;
    scenes_limit(scenes, 4);
    LOAD(FILE_S, INSTANCE("4096", "0", "00000000000000000000000000000002", "", NOTHING_REMOVED));
    assert_int_equal(scene->node_count, 0);
    check_note("too many objects");
}

TEST(nesting_depth_is_not_limited)
{
    char path[64], guid[64];
    enum {
        LEVELS = 300
    };
    for (int level = 1; level <= LEVELS; level++) {
        struct buf text = {0};
        buf_printf(
            &text,
            SIMPLE("1", "Shell", "0",
                   NO_CHILDREN) "--- !u!1001 &%d\nPrefabInstance:\n  m_Modification:\n"
                                "    m_TransformParent: {fileID: 11}\n    m_Modifications: []\n"
                                "  m_SourcePrefab: {fileID: 100100000, guid: %032d, type: 3}\n",
            1024 * level, level == LEVELS ? 0 : level + 1);
        snprintf(path, sizeof path, "Assets/Shell%d.prefab", level);
        snprintf(guid, sizeof guid, "%032d", level);
        PUT_PREFAB(path, guid, text.p);
        buf_done(&text);
    }
    LOAD(FILE_S, INSTANCE("4096", "0", "00000000000000000000000000000001", "", NOTHING_REMOVED));
    assert_int_equal(scene->nodes[0].total, LEVELS + 1); /* the last one is missing */
}

TEST(missing_source_is_one_object)
{
    LOAD(FILE_S, INSTANCE("4096", "0", GUID_B, "", NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "11", GUID_B, "4096"),
         STRIPPED("4", "Transform", "501", "21", GUID_B, "4096"),
         SIMPLE("6", "Child", "500", NO_CHILDREN), SIMPLE("7", "Other", "501", NO_CHILDREN),
         INSTANCE("8192", "0", GUID_B,
                  OVERRIDE("10", GUID_B, "m_Name", "Lost")
                      OVERRIDE("10", GUID_B, "m_IsActive", "0"),
                  NOTHING_REMOVED));
    check_tree("Missing Prefab * #0 4\n"
               "  Child #60 4\n"
               "  Other #70 4\n"
               "Lost - * #8202 4\n");
    check_note("no asset has the GUID " GUID_B);
    assert_null(scene->instances[0].source);
    CHECK_CSTR(scene->instances[0].source_path, "");
    assert_int_equal(scene_component(scene, 0, 0)->id, 500);
}

TEST(an_unreadable_source_is_one_object)
{
    put(FILE_B, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    put_meta(FILE_B, GUID_B);
    LOAD(
        FILE_S,
        INSTANCE("4096", "0", GUID_B, OVERRIDE("10", GUID_B, "m_Name", "Pointer"), NOTHING_REMOVED),
        INSTANCE("8192", "0", GUID_B, "", NOTHING_REMOVED));
    check_tree("Pointer * #4106 4\nMissing Prefab * #0 4\n");
    check_note("Git LFS");
    CHECK_CSTR(scene->instances[0].source_path, FILE_B);
}

TEST(an_instance_below_itself_is_a_root)
{
    LOAD(FILE_S, INSTANCE("4096", "500", GUID_A, "", NOTHING_REMOVED),
         STRIPPED("4", "Transform", "500", "31", GUID_A, "4096"));
    check_tree("Crate * #4106 4 54\n  Lid #4116 4\n    Nail #4126 4\n");
    check_note("its own ancestor");
}
