#include "unity/scene.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "scene_fixture.h"

#define FILE_A "Assets/A.unity"

/* ---- hierarchy and order */

TEST_FIXTURE(setup_scenes, teardown_scenes);

TEST(objects_are_below_their_parents)
{
    LOAD(FILE_A, SIMPLE("1", "Root", "0", CHILD("31") CHILD("21") "\n"),
         SIMPLE("2", "Second", "11", NO_CHILDREN), SIMPLE("3", "First", "11", CHILD("41") "\n"),
         SIMPLE("4", "Leaf", "31", NO_CHILDREN));
    check_tree("Root #10 4\n"
               "  First #30 4\n"
               "    Leaf #40 4\n"
               "  Second #20 4\n");
    const struct scene_node *root = &scene->nodes[find("/Root")];
    assert_int_equal(root->total, 4);
    assert_int_equal(root->child_count, 2);
    assert_int_equal(scene->nodes[find("/Root/First")].total, 2);
    assert_int_equal(scene->root_count, 1);
    assert_int_equal(scene->node_count, 4);
    check_no_notes();
}

TEST(parents_precede_children)
{
    LOAD(FILE_A, SIMPLE("1", "Leaf", "21", NO_CHILDREN),
         SIMPLE("2", "Middle", "31", CHILD("11") "\n"), SIMPLE("3", "Root", "0", CHILD("21") "\n"));
    for (uint32_t i = 0; i < scene->node_count; i++)
        assert_true(scene->nodes[i].parent == SCENE_NONE || scene->nodes[i].parent < i);
    check_tree("Root #30 4\n  Middle #20 4\n    Leaf #10 4\n");
}

TEST(roots_of_old_files_are_sorted_by_root_order)
{
    LOAD(FILE_A, SIMPLE("1", "C", "0", NO_CHILDREN), ROOT_ORDER("2"),
         SIMPLE("2", "A", "0", NO_CHILDREN), ROOT_ORDER("0"), SIMPLE("3", "B", "0", NO_CHILDREN),
         ROOT_ORDER("1"));
    check_tree("A #20 4\nB #30 4\nC #10 4\n");
    assert_int_equal(scene->root_count, 3);
}

TEST(roots_with_equal_order_keep_file_order)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", NO_CHILDREN), SIMPLE("2", "B", "0", NO_CHILDREN),
         SIMPLE("3", "C", "0", NO_CHILDREN));
    check_tree("A #10 4\nB #20 4\nC #30 4\n");
}

TEST(scene_roots_precedes_root_order)
{
    LOAD(FILE_A, SIMPLE("1", "B", "0", NO_CHILDREN), ROOT_ORDER("0"),
         SIMPLE("2", "A", "0", NO_CHILDREN), ROOT_ORDER("1"),
         SIMPLE("3", "Unlisted", "0", NO_CHILDREN), SCENE_ROOTS_LIST(ROOT("21") ROOT("11")));
    check_tree("A #20 4\nB #10 4\nUnlisted #30 4\n");
}

TEST(inactive_and_quoted_names_are_read)
{
    LOAD(FILE_A, "--- !u!1 &10\nGameObject:\n  m_Component:\n", HAS("11"),
         "  m_Name: 'It''s: #1'\n"
         "  m_IsActive: 0\n",
         TRANSFORM("11", "10", "0", NO_CHILDREN), "--- !u!1 &20\nGameObject:\n  m_Component:\n",
         HAS("21"), "  m_Name: \"\\u25B2 top\"\n  m_IsActive: 1\n",
         TRANSFORM("21", "20", "0", NO_CHILDREN));
    check_tree("It's: #1 - #10 4\n\xe2\x96\xb2 top #20 4\n");
}

TEST(a_rect_transform_is_a_transform)
{
    LOAD(FILE_A, OBJECT("10", "Canvas", HAS("11")),
         "--- !u!224 &11\nRectTransform:\n"
         "  m_GameObject: {fileID: 10}\n  m_Children:\n  - {fileID: 21}\n  m_Father: {fileID: 0}\n",
         SIMPLE("2", "Panel", "11", NO_CHILDREN));
    check_tree("Canvas #10 224\n  Panel #20 4\n");
}

/* ---- components */

TEST(components_are_in_the_order_of_the_inspector)
{
    LOAD(FILE_A, OBJECT("10", "A", HAS("11") HAS("13") HAS("12")),
         TRANSFORM("11", "10", "0", NO_CHILDREN), COMPONENT("54", "Rigidbody", "12", "10", ""),
         SCRIPT("13", "10", GUID_A, "  speed: 5\n"));
    check_tree("A #10 4 114 54\n");
    const struct scene_component *script = scene_component(scene, 0, 1);
    assert_int_equal(script->script.file_id, 11500000);
    assert_true(script->script.guid.hi == 0xaaaaaaaaaaaaaaaau);
    assert_int_equal(script->doc->file_id, 13);
    assert_int_equal(script->instance, SCENE_NONE);
}

TEST(entry_without_object_keeps_its_slot)
{
    LOAD(FILE_A, OBJECT("10", "A", HAS("11") HAS("99") HAS("12")),
         TRANSFORM("11", "10", "0", NO_CHILDREN), COMPONENT("54", "Rigidbody", "12", "10", ""));
    check_tree("A #10 4 0 54\n");
    assert_int_equal(scene_component(scene, 0, 1)->id, 99);
}

TEST(components_listed_by_class_are_read)
{
    LOAD(FILE_A, OBJECT("10", "A", "  - 4: {fileID: 11}\n  - 54: {fileID: 12}\n"),
         TRANSFORM("11", "10", "0", NO_CHILDREN), COMPONENT("54", "Rigidbody", "12", "10", ""));
    check_tree("A #10 4 54\n");
}

TEST(component_belongs_to_one_object)
{
    LOAD(FILE_A, OBJECT("10", "A", HAS("11") HAS("12")), OBJECT("20", "B", HAS("21") HAS("12")),
         TRANSFORM("11", "10", "0", NO_CHILDREN), TRANSFORM("21", "20", "0", NO_CHILDREN),
         COMPONENT("54", "Rigidbody", "12", "10", ""));
    check_tree("A #10 4 54\nB #20 4 0\n");
}

/* ---- damage */

TEST(a_circle_of_parents_is_cut)
{
    LOAD(FILE_A, SIMPLE("1", "A", "31", CHILD("21") "\n"), SIMPLE("2", "B", "11", CHILD("31") "\n"),
         SIMPLE("3", "C", "21", CHILD("11") "\n"));
    check_tree("A #10 4\n  B #20 4\n    C #30 4\n");
    check_note("its own ancestor");
}

TEST(an_object_that_is_its_own_parent_is_a_root)
{
    LOAD(FILE_A, SIMPLE("1", "A", "11", CHILD("11") "\n"));
    check_tree("A #10 4\n");
}

TEST(parent_named_by_the_child_is_used)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("31") "\n"), SIMPLE("2", "B", "0", CHILD("31") "\n"),
         SIMPLE("3", "C", "21", NO_CHILDREN));
    check_tree("A #10 4\nB #20 4\n  C #30 4\n");
}

TEST(child_listed_twice_appears_once)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") CHILD("21") "\n"),
         SIMPLE("2", "B", "11", NO_CHILDREN));
    check_tree("A #10 4\n  B #20 4\n");
}

TEST(unlisted_child_comes_last)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("31") "\n"), SIMPLE("2", "B", "11", NO_CHILDREN),
         SIMPLE("3", "C", "11", NO_CHILDREN));
    check_tree("A #10 4\n  C #30 4\n  B #20 4\n");
}

TEST(an_object_without_its_parent_is_a_root)
{
    LOAD(FILE_A, SIMPLE("1", "A", "99", NO_CHILDREN));
    check_tree("A #10 4\n");
    check_note("missing parent 99");
}

TEST(children_of_a_transform_without_object_move_up)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") "\n"),
         TRANSFORM("21", "20", "11", CHILD("31") "\n"),
         TRANSFORM("31", "0", "21", CHILD("41") "\n"), SIMPLE("4", "B", "31", NO_CHILDREN));
    check_tree("A #10 4\n  B #40 4\n");
    check_note("the Transform 21 has no GameObject");
}

TEST(circle_of_transforms_without_objects_is_cut)
{
    LOAD(FILE_A, TRANSFORM("21", "20", "31", NO_CHILDREN), TRANSFORM("31", "30", "21", NO_CHILDREN),
         SIMPLE("4", "B", "31", NO_CHILDREN));
    check_tree("B #40 4\n");
}

TEST(an_object_without_transform_is_a_root)
{
    LOAD(FILE_A, OBJECT("10", "A", HAS("11")));
    check_tree("A #10 0\n");
    check_note("the GameObject 10 has no Transform");
}

TEST(listed_one_of_two_transforms_is_used)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", NO_CHILDREN), OBJECT("20", "B", HAS("22")),
         TRANSFORM("21", "20", "0", NO_CHILDREN), TRANSFORM("22", "20", "11", NO_CHILDREN));
    check_tree("A #10 4\n  B #20 4\n");
    check_note("has two Transforms");
}

/* Extreme depth must not use the stack. */
TEST(extreme_depth_is_read)
{
    enum {
        DEPTH = 20000
    };
    struct buf text = {0};
    for (int i = 1; i <= DEPTH; i++) {
        buf_printf(&text,
                   "--- !u!1 &%d\nGameObject:\n  m_Component:\n  - component: {fileID: %d}\n"
                   "  m_Name: N\n--- !u!4 &%d\nTransform:\n  m_GameObject: {fileID: %d}\n",
                   2 * i, 2 * i + 1, 2 * i + 1, 2 * i);
        if (i < DEPTH)
            buf_printf(&text, "  m_Children:\n  - {fileID: %d}\n", 2 * i + 3);
        buf_printf(&text, "  m_Father: {fileID: %d}\n", i == 1 ? 0 : 2 * i - 1);
    }
    LOAD(FILE_A, text.p);
    assert_int_equal(scene->node_count, DEPTH);
    assert_int_equal(scene->nodes[0].total, DEPTH);
    struct buf path = {0};
    scene_put_path(scene, DEPTH - 1, &path);
    assert_int_equal(path.n, 2 * DEPTH);
    assert_int_equal(scene_find(scene, buf_str(&path)), DEPTH - 1);
    buf_done(&path);
    buf_done(&text);
}

TEST(error_in_a_broken_file_has_its_line)
{
    struct buf text = {0};
    open_scenes();
    buf_add(&text, STR(FILE_HEAD "--- what\n"));
    assert_null(scenes_load(scenes, STR(FILE_A), &text, &err));
    assert_int_equal(err.code, ERR_SYNTAX);
    assert_true(str_starts(str_from(err.text), STR("Assets/A.unity:3:1: ")));
    assert_null(text.p);
    assert_null(scenes_open(scenes, STR("Assets/None.unity"), &err));
    assert_int_equal(err.code, ERR_IO);
}

/* ---- paths and ids */

TEST(siblings_with_the_same_name_have_an_index)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") CHILD("31") CHILD("41") "\n"),
         SIMPLE("2", "B", "11", NO_CHILDREN), SIMPLE("3", "B", "11", CHILD("51") "\n"),
         SIMPLE("4", "B", "11", NO_CHILDREN), SIMPLE("5", "B", "31", NO_CHILDREN));
    assert_int_equal(scene->nodes[find("/A/B")].id, 20);
    assert_int_equal(scene->nodes[find("A/B[1]")].id, 30);
    assert_int_equal(scene->nodes[find("/A/B[2]")].id, 40);
    assert_int_equal(scene->nodes[find("/A/B[0]")].id, 20);
    assert_int_equal(scene->nodes[find("/A/B[1]/B")].id, 50);
    assert_int_equal(scene_find(scene, STR("/A/B[3]")), SCENE_NONE);
    assert_int_equal(scene_find(scene, STR("/A/B/B")), SCENE_NONE);
    assert_int_equal(scene_find(scene, STR("/A/B[x]")), SCENE_NONE);
    struct buf path = {0};
    scene_put_path(scene, find("/A/B[1]/B"), &path);
    CHECK_CSTR(buf_str(&path), "/A/B[1]/B");
    buf_done(&path);
}

TEST(name_with_brackets_precedes_an_index)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", NO_CHILDREN), SIMPLE("2", "A", "0", NO_CHILDREN),
         SIMPLE("3", "'A[1]'", "0", NO_CHILDREN));
    assert_int_equal(scene->nodes[find("/A[1]")].id, 30);
}

/* The first "B" below A and everything below it is inactive; the root is not named B. */
TEST(path_without_a_slash_is_found_among_active_objects)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") CHILD("41") "\n"),
         OBJECT("20", "B\n  m_IsActive: 0", HAS("21"))
             TRANSFORM("21", "20", "11", CHILD("31") "\n"),
         SIMPLE("3", "C", "21", NO_CHILDREN), SIMPLE("4", "B", "11", CHILD("51") "\n"),
         SIMPLE("5", "C", "41", NO_CHILDREN));
    assert_int_equal(scene->nodes[find("B")].id, 40);
    assert_int_equal(scene->nodes[find("C")].id, 50);
    assert_int_equal(scene->nodes[find("B/C")].id, 50);
    assert_int_equal(scene->nodes[find("A/B")].id, 20); /* from the roots, even if inactive */
    assert_int_equal(scene_find(scene, STR("/B")), SCENE_NONE);
    assert_int_equal(scene_find(scene, STR("B/D")), SCENE_NONE);
    assert_int_equal(scene_find(scene, STR("")), SCENE_NONE);
}

TEST(index_skips_names_of_siblings)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", NO_CHILDREN), SIMPLE("2", "A", "0", NO_CHILDREN),
         SIMPLE("3", "'A[1]'", "0", NO_CHILDREN), SIMPLE("4", "A", "0", NO_CHILDREN),
         SIMPLE("5", "'A[3]'", "0", NO_CHILDREN), SIMPLE("6", "A", "0", NO_CHILDREN),
         SIMPLE("7", "'A[1]'", "0", NO_CHILDREN));
    static const char *const want[] = {"/A",    "/A[2]", "/A[1]",   "/A[4]",
                                       "/A[3]", "/A[5]", "/A[1][1]"};
    struct buf path = {0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        buf_clear(&path);
        scene_put_path(scene, i, &path);
        CHECK_CSTR(buf_str(&path), want[i]);
    }
    buf_done(&path);
    assert_int_equal(scene_find(scene, STR("/A[02]")), SCENE_NONE);
}

TEST(index_is_found_in_a_search_everywhere)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") CHILD("31") "\n"),
         SIMPLE("2", "B", "11", NO_CHILDREN), SIMPLE("3", "B", "11", CHILD("41") "\n"),
         SIMPLE("4", "C", "31", NO_CHILDREN));
    assert_int_equal(scene->nodes[find("B[1]")].id, 30);
    assert_int_equal(scene->nodes[find("B[1]/C")].id, 40);
    assert_int_equal(scene_find(scene, STR("B[2]")), SCENE_NONE);
}

TEST(trailing_slash_is_ignored_unless_a_name_is_empty)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", CHILD("21") "\n"), SIMPLE("2", "", "11", NO_CHILDREN),
         SIMPLE("3", "B", "0", NO_CHILDREN));
    assert_int_equal(scene->nodes[find("/A/")].id, 20);
    assert_int_equal(scene->nodes[find("/A//")].id, 20);
    assert_int_equal(scene->nodes[find("/B/")].id, 30);
    assert_int_equal(scene_find(scene, STR("/B//")), SCENE_NONE);
    assert_int_equal(scene_find(scene, STR("/")), SCENE_NONE);
}

TEST(following_a_path_returns_the_last_object)
{
    LOAD(FILE_A, SIMPLE("1", "a/b", "0", CHILD("21") "\n"), SIMPLE("2", "B", "11", NO_CHILDREN));
    struct buf missing = {0};
    assert_int_equal(scene_follow(scene, STR("/a\\/b/C/D"), &missing), 0);
    CHECK_CSTR(buf_str(&missing), "C");
    assert_int_equal(scene_follow(scene, STR("X"), &missing), SCENE_NONE);
    CHECK_CSTR(buf_str(&missing), "X");
    assert_int_equal(scene_follow(scene, STR("a\\/b/B"), &missing), 1);
    CHECK_CSTR(buf_str(&missing), "");
    buf_done(&missing);
}

/* Objects whose names imitate the paths of others, at random places. */
static void put_hostile_scene(struct buf *text, uint64_t seed)
{
    static const char *const names[] = {
        "",        "A",       "'A[1]'",   "'A[2]'", "'A[1][1]'", "'[1]'",       "'[0]'",
        "'A[01]'", "'/'",     "'//'",     "A/",     "/A",        "A\\",         "\\",
        "\\\\",    "A\\/[1]", "'A[1]\\'", "\xff",   "\xfe\xff",  "\"\\uD800\"", "'A[4294967295]'",
        "'A[1'",   "'A]'",    "a",
    };
    struct rng r;
    rng_seed(&r, seed);
    size_t count = 60;
    buf_add(text, STR(FILE_HEAD));
    for (size_t i = 1; i <= count; i++) {
        uint64_t father = rng_below(&r, i), name = rng_below(&r, sizeof names / sizeof *names);
        buf_printf(text,
                   "--- !u!1 &%zu0\nGameObject:\n  m_Component:\n  - component: {fileID: %zu1}\n"
                   "  m_Name: %s\n  m_IsActive: %d\n",
                   i, i, names[name], (int)rng_below(&r, 2));
        buf_printf(text,
                   "--- !u!4 &%zu1\nTransform:\n  m_GameObject: {fileID: %zu0}\n"
                   "  m_Children: []\n  m_Father: {fileID: %llu}\n",
                   i, i, father ? (unsigned long long)(father * 10 + 1) : 0ULL);
    }
}

TEST(paths_in_a_hostile_scene_are_unique)
{
    open_scenes();
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct buf text = {0}, path = {0};
        put_hostile_scene(&text, seed);
        scenes_close(scene);
        scene = scenes_load(scenes, STR(FILE_A), &text, &err);
        assert_non_null(scene);
        assert_int_equal(scene->node_count, 60);
        for (uint32_t i = 0; i < scene->node_count; i++) {
            buf_clear(&path);
            scene_put_path(scene, i, &path);
            assert_true(utf8_is_valid(buf_str(&path)));
            if (scene_find(scene, buf_str(&path)) != i)
                fail_msg("seed %llu: %.*s", (unsigned long long)seed, STR_ARG(buf_str(&path)));
        }
        buf_done(&path);
    }
}

TEST(every_path_finds_its_object)
{
    LOAD(FILE_A, SIMPLE("1", "a/b", "0", CHILD("21") "\n"),
         SIMPLE("2", "c\\", "11", CHILD("31") "\n"), SIMPLE("3", "\\\\/d\\e", "21", NO_CHILDREN),
         SIMPLE("4", "", "0", CHILD("51") "\n"), SIMPLE("5", "x", "41", NO_CHILDREN));
    struct buf path = {0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        buf_clear(&path);
        scene_put_path(scene, i, &path);
        assert_int_equal(scene_find(scene, buf_str(&path)), i);
    }
    buf_clear(&path);
    scene_put_path(scene, find("/a\\/b"), &path);
    CHECK_CSTR(buf_str(&path), "/a\\/b");
    buf_done(&path);
}

TEST(objects_and_components_are_found_by_id)
{
    LOAD(FILE_A, SIMPLE("1", "A", "0", NO_CHILDREN),
         OBJECT("20", "B", HAS("21") HAS("22") HAS("99")), TRANSFORM("21", "20", "0", NO_CHILDREN),
         COMPONENT("54", "Rigidbody", "22", "20", ""));
    struct scene_place at;
    assert_true(scene_where(scene, 20, &at));
    assert_int_equal(at.node, find("/B"));
    assert_int_equal(at.component, SCENE_NONE);
    assert_true(scene_where(scene, 22, &at));
    assert_int_equal(at.node, find("/B"));
    assert_int_equal(at.component, 1);
    assert_false(scene_where(scene, 99, &at));
    assert_false(scene_where(scene, 0, &at));
    struct reference target;
    assert_false(scene_target(scene, at, &target));
    CHECK_CSTR(scene_prefab_path(scene, 0), "");
}

TEST(file_without_objects_is_an_empty_scene)
{
    LOAD(FILE_A, "--- !u!29 &1\nOcclusionCullingSettings:\n  m_ObjectHideFlags: 0\n");
    check_tree("");
    assert_int_equal(scene_find(scene, STR("/A")), SCENE_NONE);
    struct scene_place at;
    assert_false(scene_where(scene, 1, &at));
}
