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

TEST(a_source_that_changed_is_read_again_when_forgotten)
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
    check_tree("A * #4106 4\n"); /* what is open keeps what it has */
    open_scene();
    check_tree("Changed * #4106 4\n");
    assert_false(scenes_is_stale(scene));
}

TEST(a_change_deep_inside_is_noticed)
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

TEST(all_sources_can_be_forgotten)
{
    PUT_PREFAB(FILE_A, GUID_A, ONE("A"));
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    scenes_forget(scenes, STR(""));
    assert_true(scenes_is_stale(scene));
}

TEST(an_asset_that_turns_up_is_noticed)
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

TEST(a_broken_source_that_is_mended_is_read)
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

TEST(the_meta_of_a_model_counts_as_the_model)
{
    put_asset("Assets/M.fbx", GUID_A);
    PUT_PREFAB(FILE_S, GUID_C, INSTANCE_OF("4096", GUID_A));
    open_scene();
    scenes_forget(scenes, STR("Assets/M.fbx.meta"));
    assert_true(scenes_is_stale(scene));
}

TEST(a_prefab_opened_for_itself_is_not_the_shared_one)
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
