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

/* The text of one field of a component (of the GameObject: -1). */
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

static void what_is_stored_here_is_its_document(void **state)
{
    (void)state;
    load(FILE_S, OBJECT("10", "A", HAS("11") HAS("12")) TRANSFORM("11", "10", "0", NO_CHILDREN)
                     COMPONENT("54", "Rigidbody", "12", "10", "  m_Mass: 3\n"));
    check_field("/A", 1, "m_Mass", "3");
    check_field("/A", -1, "m_Name", "A");
    check_field("/A", 0, "m_GameObject", "{fileID: 10}");
}

static void references_are_in_the_ids_of_this_file(void **state)
{
    (void)state;
    put_prefab("Assets/A.prefab", GUID_A, DOOR);
    load(FILE_S, INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED)
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

static void overrides_are_applied(void **state)
{
    (void)state;
    put_prefab("Assets/A.prefab", GUID_A, DOOR);
    load(FILE_S,
         SIMPLE("6", "Player", "0", NO_CHILDREN) INSTANCE(
             "4096", "0", GUID_A,
             OVERRIDE("11", GUID_A, "m_LocalPosition.x", "2.5") OVERRIDE("12", GUID_A, "speed", "9")
                 OVERRIDE("12", GUID_A, "stats.hp", "7")
                     OVERRIDE("12", GUID_A, "all.Array.size", "1")
                         MODIFICATION("12", GUID_A, "handle", "", "60")
                             MODIFICATION("12", GUID_A, "'all.Array.data[0]'", "", "61") OVERRIDE(
                                 "12", GUID_A, "other", "") OVERRIDE("10", GUID_A, "m_Layer", "8"),
             NOTHING_REMOVED));
    check_field("/Door", 0, "m_LocalPosition", "{x: 2.5, y: 0, z: 0}");
    check_field("/Door", 1, "speed", "9");
    check_field("/Door", 1, "stats", "    hp: 7\n    owner: {fileID: 4106}\n");
    check_field("/Door", 1, "handle", "{fileID: 60}");
    check_field("/Door", 1, "all", "  - {fileID: 61}\n");
    check_field("/Door", 1, "other", "{fileID: 0}");
    check_field("/Door", -1, "m_Layer", "8");
}

/* Door in House in the scene: each level has its say, the outermost the last. */
static void levels_are_applied_from_the_inside_out(void **state)
{
    (void)state;
    put_prefab("Assets/A.prefab", GUID_A, DOOR);
    put_prefab("Assets/B.prefab", GUID_B,
               SIMPLE("5", "House", "0", CHILD("256") "\n") INSTANCE(
                   "1024", "51", GUID_A,
                   OVERRIDE("12", GUID_A, "speed", "2") OVERRIDE("12", GUID_A, "stats.hp", "6")
                       MODIFICATION("12", GUID_A, "none", "", "50"),
                   NOTHING_REMOVED) STRIPPED("4", "Transform", "256", "11", GUID_A, "1024"));
    load(FILE_S,
         INSTANCE("4096", "0", GUID_B, OVERRIDE("1036", GUID_B, "speed", "3"), NOTHING_REMOVED));
    check_field("/House/Door", 1, "speed", "3");
    check_field("/House/Door", 1, "stats", "    hp: 6\n    owner: {fileID: 5130}\n");
    check_field("/House/Door", 1, "none", "{fileID: 4146}");
    check_field("/House/Door", 1, "handle", "{fileID: 5140}");
    check_field("/House/Door", 1, "mesh", "{fileID: 90, guid: " GUID_A ", type: 3}");
    check_field("/House/Door", 1, "all", "  - {fileID: 4352}\n  - {fileID: 5141}\n"); /* 256 */
}

static void a_component_added_on_the_way_has_its_own_body(void **state)
{
    (void)state;
    put_prefab("Assets/A.prefab", GUID_A, DOOR);
    put_prefab("Assets/B.prefab", GUID_B,
               INSTANCE("1024", "0", GUID_A, "", NOTHING_REMOVED)
                   STRIPPED("1", "GameObject", "1034", "10", GUID_A, "1024")
                       COMPONENT("54", "Rigidbody", "60", "1034", "  m_Mass: 4\n"));
    load(FILE_S,
         INSTANCE("4096", "0", GUID_B, OVERRIDE("60", GUID_B, "m_Mass", "8"), NOTHING_REMOVED));
    check_field("/Door", 2, "m_Mass", "8");
    check_field("/Door", 2, "m_GameObject", "{fileID: 5130}");
}

static void objects_of_models_and_absent_assets_have_no_body(void **state)
{
    (void)state;
    put("Assets/M.fbx", "x");
    put_meta("Assets/M.fbx", GUID_A);
    load(FILE_S,
         INSTANCE("4096", "0", GUID_A, "", NOTHING_REMOVED)
             INSTANCE("8192", "0", GUID_B, "", NOTHING_REMOVED)
                 OBJECT("10", "A", HAS("11") HAS("99")) TRANSFORM("11", "10", "0", NO_CHILDREN));
    assert_int_equal(scene_body(scene, find("/M"), 0, &arena).kind, YAML_NONE);
    assert_int_equal(scene_body(scene, find("/Missing Prefab"), SCENE_NONE, &arena).kind,
                     YAML_NONE);
    assert_int_equal(scene_body(scene, find("/A"), 1, &arena).kind, YAML_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_body, teardown_body)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_stored_here_is_its_document),
        TEST(references_are_in_the_ids_of_this_file),
        TEST(overrides_are_applied),
        TEST(levels_are_applied_from_the_inside_out),
        TEST(a_component_added_on_the_way_has_its_own_body),
        TEST(objects_of_models_and_absent_assets_have_no_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
