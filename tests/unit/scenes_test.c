#include "scene_fixture.h"

#define FILE_S "Assets/S.unity"
#define FILE_A "Assets/A.prefab"
#define FILE_B "Assets/B.prefab"

#define ONE(name)             SIMPLE("1", name, "0", NO_CHILDREN)
#define INSTANCE_OF(id, guid) INSTANCE(id, "0", guid, "", NOTHING_REMOVED)

static void open_scene(void)
{
    open_scenes();
    scenes_close(scene);
    scene = scenes_open(scenes, STR(FILE_S), &err);
    if (!scene)
        fail_msg("%s", err.text);
}

TEST_FIXTURE(setup_scenes, teardown_scenes);

TEST(a_source_is_read_once_and_shared)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A), INSTANCE_OF("8192", GUID_A));
    open_scene();
    assert_ptr_equal(scene->instances[0].source, scene->instances[1].source);
    struct scene *other = scenes_open(scenes, STR(FILE_S), &err);
    assert_ptr_equal(other->instances[0].source, scene->instances[0].source);
    scenes_close(other);
    assert_true(scene->stamp != 0);
}

TEST(dropped_source_is_reloaded)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    PUT_PREFAB(FILE_A, GUID_A, ONE("Changed"));
    assert_false(scenes_is_stale(scene));
    scenes_forget(scenes, STR("Assets/Other.prefab"));
    assert_false(scenes_is_stale(scene));
    scenes_forget(scenes, STR(FILE_A));
    assert_true(scenes_is_stale(scene));
    check_tree("A * #4106 4\n"); /* an open scene keeps its sources */
    open_scene();
    check_tree("Changed * #4106 4\n");
    assert_false(scenes_is_stale(scene));
}

TEST(change_in_a_nested_source_is_noticed)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_B, GUID_B, INSTANCE_OF("1024", GUID_A));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_B));
    open_scene();
    PUT_PREFAB(FILE_A, GUID_A, ONE("Changed"));
    scenes_forget(scenes, STR(FILE_A));
    assert_true(scenes_is_stale(scene));
    open_scene();
    check_tree("Changed * #5130 4\n");
}

TEST(all_sources_can_be_dropped)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    scenes_forget(scenes, STR(""));
    assert_true(scenes_is_stale(scene));
}

TEST(new_asset_for_a_missing_source_is_noticed)
{
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    check_tree("Missing Prefab * #0 4\n");
    assert_false(scenes_is_stale(scene));
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    assets_refresh(assets, STR(""));
    scenes_forget(scenes, STR(FILE_A));
    assert_true(scenes_is_stale(scene));
    open_scene();
    check_tree("A * #4106 4\n");
}

TEST(repaired_source_is_read)
{
    put(FILE_A, "<<<<<<< HEAD\n");
    put_meta(FILE_A, GUID_A);
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    check_note("Assets/A.prefab:1:1: ");
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    scenes_forget(scenes, STR(FILE_A));
    assert_true(scenes_is_stale(scene));
    open_scene();
    check_tree("A * #4106 4\n");
}

TEST(changed_meta_drops_the_model)
{
    put_asset("Assets/M.fbx", GUID_A);
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    scenes_forget(scenes, STR("Assets/M.fbx.meta"));
    assert_true(scenes_is_stale(scene));
}

TEST(opened_prefab_is_not_the_shared_source)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    struct scene *prefab = scenes_open(scenes, STR(FILE_A), &err);
    assert_non_null(prefab);
    assert_ptr_not_equal(prefab, scene->instances[0].source);
    assert_true(prefab->is_prefab);
    assert_false(scene->is_prefab);
    scenes_close(prefab);
    scenes_close(NULL);
}

TEST(a_scene_without_meta_can_be_opened)
{
    put(FILE_S, FILE_HEAD ONE("New"));
    open_scene();
    check_tree("New #10 4\n");
    assert_null(scenes_open(scenes, STR("../outside.unity"), &err));
    assert_int_equal(err.code, ERR_IO);
}
