#include "unity/assets_table.h"

#include "base/mem.h"
#include "base/rng.h"
#include "project_fixture.h"
#include "unity/assets_scan.h"

/* The table of a small tree on disk. */
static struct assets_table build(void)
{
    static struct buf disk;
    buf_clear(&disk);
    buf_printf(&disk, "%s/Assets", project_folder);
    struct scan_root root = {STR("Assets"), buf_str(&disk)};
    struct assets_scan s = {.roots = &root, .root_count = 1};
    assets_scan_run(&s);
    struct assets_table t = assets_scan_make_table(&s);
    t.head->checksum = assets_table_checksum(&t);
    assets_scan_done(&s);
    buf_done(&disk);
    return t;
}

static void put_tree(void)
{
    put_asset("Assets/A/B/a.cs", "00000000000000000000000000000001");
    put_asset("Assets/A/b.cs", "00000000000000000000000000000002");
    put_asset("Assets/A B/c.cs", "00000000000000000000000000000003");
    put_asset("Assets/d.cs", "00000000000000000000000000000001");
    put("Assets/e.cs", "x");
}

/* Use every query of a table, and a scan that copies all of it. */
static void use(struct assets_table *t)
{
    uint32_t n;
    for (uint32_t i = 0; i < t->head->asset_count; i++) {
        assets_table_find(t, assets_table_path(t, i));
        assets_table_find_guid(t, t->assets[i].guid);
        assets_table_run(t->name_hash, t->head->asset_count,
                         assets_table_hash(t, assets_table_name(t, i)), &n);
    }
    for (uint32_t i = 0; i < t->head->folder_count; i++)
        assets_table_find_folder(t, assets_table_text(t, t->folders[i].path));
    assets_table_find_guid(t, (struct guid){7, 7});
    unsigned char *fresh = mem_alloc((size_t)t->head->folder_count + 1);
    memset(fresh, 1, t->head->folder_count);
    struct scan_root *roots = mem_zalloc((t->head->root_count + 1) * sizeof *roots);
    struct buf disk = {0}; /* the roots come from the program, not from the table */
    buf_printf(&disk, "%s/Assets", project_folder);
    for (uint32_t i = 0; i < t->head->root_count; i++)
        roots[i] = (struct scan_root){assets_table_text(t, t->roots[i].shown), buf_str(&disk)};
    struct assets_scan s = {
        .roots = roots, .root_count = t->head->root_count, .old = t, .fresh = fresh};
    if (t->head->root_count) {
        assets_scan_run(&s);
        struct assets_table again = assets_scan_make_table(&s);
        assets_table_done(&again);
        assets_scan_done(&s);
    }
    buf_done(&disk);
    free(roots);
    free(fresh);
}

TEST_FIXTURE(setup, teardown);

TEST(valid_table_is_accepted)
{
    put_tree();
    struct assets_table t = build(), again;
    assert_true(assets_table_check(&again, t.head, (size_t)t.head->size));
    assert_int_equal(again.head->asset_count, 8);
    assert_int_equal(again.head->folder_count, 4);
    use(&again);
    assets_table_done(&again);
}

TEST(table_of_wrong_size_is_rejected)
{
    put_tree();
    struct assets_table t = build(), again;
    size_t size = (size_t)t.head->size;
    for (size_t n = 0; n < size; n += 8)
        assert_false(assets_table_check(&again, t.head, n));
    assets_table_done(&t);
}

/* An attacker can write a valid checksum, so every accepted table must be safe to use. */
TEST(forged_table_is_safe_to_use)
{
    put_tree();
    struct assets_table t = build();
    size_t size = (size_t)t.head->size, accepted = 0;
    struct rng rng;
    rng_seed(&rng, 4);
    for (int i = 0; i < 20000; i++) {
        char *piece = mem_dup(t.head, size);
        uint32_t small = (uint32_t)rng_below(&rng, 16);
        for (uint64_t k = 1 + rng_below(&rng, 3); k > 0; k--) {
            size_t at = rng_below(&rng, size / 4) * 4;
            uint32_t any = rng_below(&rng, 2) ? small : (uint32_t)rng_next(&rng);
            memcpy(piece + at, &any, sizeof any);
        }
        struct assets_table made = t, found;
        made.head = (struct assets_head *)(void *)piece;
        made.head->size = size;
        made.head->checksum = assets_table_checksum(&made);
        if (assets_table_check(&found, piece, size)) {
            accepted++;
            use(&found);
        }
        free(piece);
    }
    assert_true(accepted > 100); /* otherwise nothing was tested */
    assets_table_done(&t);
}

TEST_FIXTURE(NULL, NULL);

TEST(folders_sort_as_if_they_ended_with_a_slash)
{
    static const char *const rising[] = {"A", "A/B", "A/B!", "A/B-x/c", "A/B/c", "A/Bc", "A0", "B"};
    /* "A/B" is "A/B/": after "A/B!/" and "A/B-x/c/", before "A/B/c/" */
    static const int place[] = {0, 3, 1, 2, 4, 5, 6, 7};
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < 8; j++) {
            int cmp = assets_table_cmp_folders(str_from(rising[i]), str_from(rising[j]));
            assert_int_equal((cmp > 0) - (cmp < 0), (place[i] > place[j]) - (place[i] < place[j]));
        }
}

TEST(an_extension_starts_at_the_last_dot)
{
    CHECK_CSTR(assets_table_extension(STR("a.b.cs")), ".cs");
    CHECK_CSTR(assets_table_extension(STR("LICENSE")), "");
    CHECK_CSTR(assets_table_extension(STR(".gitignore")), "");
    CHECK_CSTR(assets_table_extension(STR("a.")), ".");
    CHECK_CSTR(assets_table_extension(STR("")), "");
}
