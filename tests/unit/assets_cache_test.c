#include "unity/assets_cache.h"

#include "assets_fixture.h"
#include "base/rng.h"

static void write_cache_bytes(struct str bytes)
{
    FILE *f = fopen(ASSETS_CACHE_PATH, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
    assert_int_equal(fclose(f), 0);
}

/* ---- the cache */

TEST_FIXTURE(setup_assets, teardown_assets);

TEST(opening_again_reads_nothing)
{
    put_folder("Assets/A", GUID("1"));
    put_asset("Assets/A/a.cs", GUID("2"));
    put_folder("Assets/B", GUID("3"));
    open_assets();
    struct assets_stats s = assets_stats(assets);
    assert_false(s.from_cache);
    assert_int_equal(s.metas_read, 3);
    assert_int_equal(s.folders_read, 3);
    assert_int_equal(s.folders, 3);
    assert_int_equal(s.assets, 3);
    reopen_assets();
    s = assets_stats(assets);
    assert_true(s.from_cache);
    assert_int_equal(s.metas_read, 0);
    assert_int_equal(s.folders_read, 0);
    assert_int_equal(s.assets, 3);
    check_path(2, "Assets/A/a.cs");
}

TEST(only_changed_folders_are_read)
{
    put_folder("Assets/A", GUID("1"));
    put_asset("Assets/A/a.cs", GUID("2"));
    put_folder("Assets/B", GUID("3"));
    put_asset("Assets/B/b.cs", GUID("4"));
    open_assets();
    reopen_assets();
    close_assets();
    put_asset("Assets/B/new.cs", GUID("5"));
    assert_int_equal(unlink("Assets/B/b.cs"), 0);
    assert_int_equal(unlink("Assets/B/b.cs.meta"), 0);
    open_assets();
    assert_int_equal(assets_stats(assets).folders_read, 1);
    assert_int_equal(assets_stats(assets).metas_read, 1);
    check_all("Assets/A 1 folder\nAssets/A/a.cs 2\nAssets/B 3 folder\nAssets/B/new.cs 5\n");
    check_path(4, "");
}

TEST(recently_changed_folder_is_reloaded)
{
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    open_assets(); /* within the same second, its time does not show a change */
    assert_true(assets_stats(assets).from_cache);
    assert_int_equal(assets_stats(assets).folders_read, 1);
}

TEST(added_and_removed_folders_are_noticed_on_opening)
{
    put_asset("Assets/A/B/a.cs", GUID("1"));
    put_asset("Assets/C/c.cs", GUID("2"));
    open_assets();
    reopen_assets();
    close_assets();
    assert_int_equal(system("rm -r Assets/A/B && mv Assets/C Assets/A/D && mkdir Assets/E"), 0);
    open_assets();
    check_all("Assets/A 0 folder\nAssets/A/D 0 folder\nAssets/A/D/c.cs 2\nAssets/E 0 folder\n");
}

TEST(cache_of_another_project_folder_is_ignored)
{
    put_asset("Assets/a.cs", GUID("1"));
    put_asset("Copy/Assets/a.cs", GUID("2"));
    open_assets();
    reopen_assets();
    close_assets();
    assert_int_equal(system("cp -a Library Copy/ && touch -d '1 hour ago' Copy/Assets"), 0);
    struct project copy;
    assert_true(project_open(&copy, "Copy", &sink, &err));
    assets = assets_open(&copy, &sink);
    check_path(1, "");
    check_path(2, "Assets/a.cs");
    close_assets();
    project_done(&copy);
}

TEST(moved_package_is_read_at_its_new_place)
{
    put_asset("Assets/a.cs", GUID("1"));
    put_asset("Library/PackageCache/com.a@1.0.0/b.cs", GUID("2"));
    open_assets();
    reopen_assets();
    close_assets();
    put_asset("Library/PackageCache/com.a@2.0.0/b.cs", GUID("3"));
    project_done(&project);
    open_assets();
    check_all("Assets/a.cs 1\nPackages/com.a/b.cs 3\n");
    assert_int_equal(assets_stats(assets).folders_read, 1);
    close_assets();
    assert_int_equal(system("rm -r Library/PackageCache"), 0);
    project_done(&project);
    open_assets();
    check_all("Assets/a.cs 1\n");
}

/* Whatever the cache contains, the index matches the disk. */
TEST(damaged_cache_is_ignored)
{
    put_folder("Assets/A", GUID("1"));
    put_asset("Assets/A/a.cs", GUID("2"));
    put_asset("Assets/b.cs", GUID("3"));
    open_assets();
    reopen_assets();
    close_assets();
    struct buf good = {0}, bad = {0};
    assert_true(file_read(ASSETS_CACHE_PATH, 1 << 20, &good, &err));
    struct rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 600; i++) {
        buf_clear(&bad);
        buf_add(&bad, buf_str(&good));
        if (i % 4 == 0) {
            bad.n = rng_below(&rng, good.n);
        } else {
            size_t at = rng_below(&rng, bad.n);
            bad.p[at] = (char)(bad.p[at] ^ 1 << rng_below(&rng, 8));
        }
        write_cache_bytes(buf_str(&bad));
        open_assets();
        assert_false(assets_stats(assets).from_cache);
        check_all("Assets/A 1 folder\nAssets/A/a.cs 2\nAssets/b.cs 3\n");
        close_assets();
    }
    buf_done(&good);
    buf_done(&bad);
}

TEST(index_works_if_the_cache_cannot_be_written)
{
    put("Library", "a file where the folder would be");
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    check_path(1, "Assets/a.cs");
    close_assets();
    check_notes("");
    open_assets();
    check_path(1, "Assets/a.cs");
    assert_false(assets_stats(assets).from_cache);
}

TEST(no_cache_is_written_outside_of_the_project)
{
    char outside[] = "/tmp/multiverse_outside.XXXXXX";
    assert_non_null(mkdtemp(outside));
    assert_int_equal(symlink(outside, "Library"), 0);
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    assert_int_equal(rmdir(outside), 0); /* it is empty */
}

TEST(writing_the_cache_leaves_no_other_files)
{
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    assert_int_equal(system("test \"$(ls -A Library/Multiverse)\" = assets.index"), 0);
}

/* ---- changes */

TEST(refresh_notices_changes)
{
    put_folder("Assets/A", GUID("1"));
    put_asset("Assets/A/a.cs", GUID("2"));
    open_assets();
    uint64_t before = assets_generation(assets);
    assert_false(assets_refresh(assets, STR("")));
    assert_int_equal(assets_generation(assets), before);
    put_asset("Assets/A/b.cs", GUID("3"));
    assert_true(assets_refresh(assets, STR("Assets/A")));
    assert_true(assets_generation(assets) != before);
    check_path(3, "Assets/A/b.cs");
    assert_int_equal(rename("Assets/A/b.cs", "Assets/A/c.cs"), 0);
    assert_int_equal(rename("Assets/A/b.cs.meta", "Assets/A/c.cs.meta"), 0);
    assert_true(assets_refresh(assets, STR("Assets/A/b.cs"))); /* a file: its folder shows it */
    check_path(3, "Assets/A/c.cs");
    assert_int_equal(system("rm -r Assets/A Assets/A.meta"), 0);
    assert_true(assets_refresh(assets, STR("Assets/A/c.cs")));
    check_all("");
}

TEST(refresh_is_limited_to_its_path)
{
    put_asset("Assets/A/a.cs", GUID("1"));
    put_asset("Assets/B/b.cs", GUID("2"));
    open_assets();
    reopen_assets();
    put_asset("Assets/A/new.cs", GUID("3"));
    put_asset("Assets/B/new.cs", GUID("4"));
    assert_true(assets_refresh(assets, STR("Assets/B/")));
    assert_int_equal(assets_stats(assets).folders_read, 1);
    check_path(3, "");
    check_path(4, "Assets/B/new.cs");
    assert_true(assets_refresh(assets, STR("")));
    check_path(3, "Assets/A/new.cs");
}

TEST(refresh_finds_new_folders_with_their_contents)
{
    open_assets();
    put_asset("Assets/A/B/C/a.cs", GUID("1"));
    assert_true(assets_refresh(assets, STR("Assets/A/B/C/a.cs.meta")));
    check_path(1, "Assets/A/B/C/a.cs");
}

TEST(refresh_reports_only_new_problems)
{
    put("Assets/a.cs", "x");
    open_assets();
    check_notes("Assets/a.cs:0 this asset has no .meta file, so nothing can refer to it\n");
    put("Assets/b.cs", "x");
    assert_true(assets_refresh(assets, STR("")));
    check_notes("Assets/b.cs:0 this asset has no .meta file, so nothing can refer to it\n");
}

TEST(saving_a_file_is_no_change)
{
    put_asset("Assets/a.unity", GUID("1"));
    open_assets();
    uint64_t before = assets_generation(assets);
    struct str path = assets_path(assets, guid(1));
    assert_true(file_replace("Assets/a.unity", STR("new"), 0644, &err));
    assert_false(assets_refresh(assets, STR("Assets/a.unity")));
    assert_int_equal(assets_generation(assets), before);
    CHECK_CSTR(path, "Assets/a.unity"); /* returned paths stay valid */
}

TEST(rewritten_meta_is_noticed_on_lookup)
{
    put_asset("Assets/a.cs", GUID("1"));
    put_asset("Assets/b.cs", GUID("1"));
    open_assets();
    reopen_assets();
    uint64_t before = assets_generation(assets);
    put_meta("Assets/a.cs", GUID("2")); /* the folder does not change */
    check_path(1, "Assets/b.cs");
    check_path(2, "Assets/a.cs");
    assert_true(assets_generation(assets) != before);
    reopen_assets();
    check_path(1, "Assets/b.cs"); /* the cache has it too */
    put_meta("Assets/a.cs", GUID("3"));
    check_guid("Assets/a.cs", 3);
    put_meta("Assets/a.cs", GUID("4"));
    check_guid("Assets/a.cs", 3); /* once per refresh */
    assert_true(assets_refresh(assets, STR("Assets/a.cs")));
    check_guid("Assets/a.cs", 4);
}

TEST(meta_without_guid_is_no_longer_found)
{
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    put("Assets/a.cs.meta", "");
    check_path(1, "");
    check_guid("Assets/a.cs", 0);
}
