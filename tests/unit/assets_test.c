#include "unity/assets.h"

#include "assets_fixture.h"

/* ---- lookup */

TEST_FIXTURE(setup_assets, teardown_assets);

TEST(an_asset_is_found_by_guid_and_by_path)
{
    put_folder("Assets/Scenes", GUID("1"));
    put_asset("Assets/Scenes/Main.unity", GUID("2"));
    open_assets();
    check_path(1, "Assets/Scenes");
    check_path(2, "Assets/Scenes/Main.unity");
    check_path(3, "");
    check_path(0, "");
    check_guid("Assets/Scenes", 1);
    check_guid("Assets/Scenes/Main.unity", 2);
    check_guid("Assets/Scenes/main.unity", 0);
    check_guid("Assets/Scenes/", 0);
    check_guid("Assets", 0);
    check_guid("", 0);
    check_notes("");
}

TEST(an_empty_project_has_an_empty_index)
{
    open_assets();
    assert_int_equal(assets_count(assets), 0);
    check_path(1, "");
    check_named("a", ".cs", "");
    reopen_assets();
    assert_int_equal(assets_count(assets), 0);
    assert_true(assets_stats(assets).from_cache);
}

TEST(assets_are_sorted_by_the_bytes_of_their_path)
{
    put_folder("Assets/Foo", GUID("1"));
    put_asset("Assets/Foo/z.cs", GUID("2"));
    put_asset("Assets/Foo bar.cs", GUID("3"));
    put_asset("Assets/Foo.cs", GUID("4"));
    put_folder("Assets/Foo-2", GUID("5"));
    put_asset("Assets/Foo-2/a.cs", GUID("6"));
    put_asset("Assets/Foo0.cs", GUID("7"));
    put_asset("Assets/Foo\xC3\xA9.cs", GUID("8"));
    put_asset("Assets/F", GUID("9"));
    open_assets();
    const char *want = "Assets/F 9\n"
                       "Assets/Foo 1 folder\n"
                       "Assets/Foo bar.cs 3\n"
                       "Assets/Foo-2 5 folder\n"
                       "Assets/Foo-2/a.cs 6\n"
                       "Assets/Foo.cs 4\n"
                       "Assets/Foo/z.cs 2\n"
                       "Assets/Foo0.cs 7\n"
                       "Assets/Foo\xC3\xA9.cs 8\n";
    check_all(want);
    for (uint64_t i = 1; i <= 9; i++)
        assert_true(assets_path(assets, guid(i)).n > 0);
    reopen_assets();
    check_all(want);
    check_guid("Assets/Foo/z.cs", 2);
    check_guid("Assets/Foo-2/a.cs", 6);
}

TEST(packages_are_shown_by_their_names)
{
    put("Packages/folder/package.json", "{\"name\": \"com.me.embedded\"}");
    put_asset("Packages/folder/a.cs", GUID("1"));
    put("Packages/manifest.json", "{\"dependencies\": {\"com.me.local\": \"file:../Other/pkg\"}}");
    put_asset("Other/pkg/b.cs", GUID("2"));
    put_asset("Library/PackageCache/com.me.cached@1.0.0/c.cs", GUID("3"));
    put_asset("Assets/d.cs", GUID("4"));
    open_assets();
    check_path(1, "Packages/com.me.embedded/a.cs");
    check_path(2, "Packages/com.me.local/b.cs");
    check_path(3, "Packages/com.me.cached/c.cs");
    check_path(4, "Assets/d.cs");
    struct buf disk = {0}, want = {0};
    assert_true(assets_file(assets, STR("Packages/com.me.local/b.cs"), &disk));
    buf_printf(&want, "%s/Other/pkg/b.cs", project_folder);
    CHECK_STR(buf_str(&disk), buf_str(&want));
    assert_true(assets_file(assets, STR("Packages/com.me.embedded/new.cs"), &disk));
    assert_true(str_ends(buf_str(&disk), STR("/Packages/folder/new.cs")));
    assert_true(assets_file(assets, STR("Packages/com.me.cached/c.cs"), &disk));
    assert_true(str_ends(buf_str(&disk), STR("/com.me.cached@1.0.0/c.cs")));
    buf_done(&disk);
    buf_done(&want);
}

TEST(packages_follow_the_project)
{
    put("Other/pkg/package.json", "{}");
    put_asset("Other/pkg/b.cs", GUID("2"));
    put_asset("Assets/d.cs", GUID("4"));
    put("Packages/folder/package.json", "{\"name\": \"com.me.embedded\"}");
    put_asset("Packages/folder/a.cs", GUID("1"));
    open_assets();
    uint64_t generation = assets_generation(assets);
    assert_false(assets_reload_packages(assets));
    assert_int_equal(assets_generation(assets), generation);
    put("Packages/manifest.json", "{\"dependencies\": {\"com.me.local\": \"file:../Other/pkg\"}}");
    put("Packages/folder/package.json", "{\"name\": \"com.me.other\"}");
    project_done(&project);
    open_project();
    assert_true(assets_reload_packages(assets));
    assert_true(assets_generation(assets) > generation);
    check_path(1, "Packages/com.me.other/a.cs");
    check_path(2, "Packages/com.me.local/b.cs");
    check_path(4, "Assets/d.cs");
    put("Packages/manifest.json", "{}");
    project_done(&project);
    open_project();
    assert_true(assets_reload_packages(assets));
    check_path(2, "");
    check_path(4, "Assets/d.cs");
}

TEST(saving_a_file_reads_no_folders)
{
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    uint64_t generation = assets_generation(assets);
    put("Assets/next", "y");
    assert_int_equal(rename("Assets/next", "Assets/a.cs"), 0);
    assert_false(assets_refresh(assets, STR("Assets/a.cs")));
    assert_int_equal(assets_stats(assets).folders_read, 0);
    assert_int_equal(assets_generation(assets), generation);
    put_meta("Assets/a.cs", GUID("2")); /* its .meta is checked anyway */
    assert_true(assets_refresh(assets, STR("Assets/a.cs")));
    check_path(2, "Assets/a.cs");
    put_asset("Assets/b.cs", GUID("3"));
    assert_true(assets_refresh(assets, STR("Assets/b.cs")));
    check_path(3, "Assets/b.cs");
    assert_int_equal(unlink("Assets/a.cs"), 0);
    put_asset("Assets/a.cs/c.cs", GUID("4")); /* a folder now */
    assert_true(assets_refresh(assets, STR("Assets/a.cs")));
    check_path(4, "Assets/a.cs/c.cs");
}

TEST(only_asset_paths_have_a_file)
{
    open_assets();
    struct buf disk = {0};
    assert_true(assets_file(assets, STR("Assets/a/b.cs"), &disk));
    assert_true(assets_file(assets, STR("Assets"), &disk));
    static const char *const bad[] = {"",
                                      "Asset",
                                      "AssetsX/a",
                                      "Packages/none/a",
                                      "/etc/passwd",
                                      "Assets/../x",
                                      "Assets/a/..",
                                      "Assets/./a",
                                      "Assets//a",
                                      "Assets/",
                                      "ProjectSettings/TagManager.asset"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (assets_file(assets, str_from(bad[i]), &disk))
            fail_msg("unexpected file for %s: %s", bad[i], disk.p);
    buf_done(&disk);
}

TEST(names_that_unity_ignores_are_ignored)
{
    put_asset("Assets/.hidden/a.cs", GUID("1"));
    put_asset("Assets/Samples~/a.cs", GUID("2"));
    put_asset("Assets/cvs/a.cs", GUID("3"));
    put_asset("Assets/CVS/a.cs", GUID("4"));
    put_asset("Assets/a.tmp", GUID("5"));
    put_asset("Assets/b.TMP", GUID("6"));
    put_asset("Assets/c~", GUID("7"));
    put_asset("Assets/.d", GUID("8"));
    put_asset("Assets/cvs.txt", GUID("9"));
    put("Assets/folder.meta/a.cs", "x");
    open_assets();
    check_all("Assets/cvs.txt 9\n");
    check_notes("");
}

TEST(a_meta_may_be_short_or_start_with_a_bom)
{
    put("Assets/a.cs", "x");
    put("Assets/a.cs.meta", "\xEF\xBB\xBF"
                            "fileFormatVersion: 2\r\nguid: " GUID("1") "\r\n");
    put("Assets/b.cs", "x");
    put("Assets/b.cs.meta", "fileFormatVersion: 2\nguid: " GUID("2"));
    open_assets();
    check_path(1, "Assets/a.cs");
    check_path(2, "Assets/b.cs");
}

/* ---- problems */

TEST(files_without_meta_and_metas_without_file_are_reported)
{
    put("Assets/a.cs", "x");
    put_meta("Assets/b.cs", GUID("2"));
    put("Assets/c.cs", "x");
    put("Assets/c.cs.meta", "merge conflict");
    open_assets();
    check_all("Assets/a.cs 0\nAssets/b.cs 2 missing\nAssets/c.cs 0\n");
    check_path(2, "Assets/b.cs");
    const char *want = "Assets/a.cs:0 this asset has no .meta file, so nothing can refer to it\n"
                       "Assets/b.cs:0 this .meta file has no asset\n"
                       "Assets/c.cs.meta:0 this file has no GUID\n";
    check_notes(want);
    reopen_assets(); /* an index from the cache has it too */
    assert_true(assets_stats(assets).from_cache);
    check_notes(want);
}

TEST(duplicate_guid_belongs_to_the_first_asset)
{
    put("Packages/com.a/package.json", "{\"name\": \"com.a\"}");
    put_meta("Packages/com.a/package.json", GUID("a"));
    put_asset("Packages/com.a/x.cs", GUID("1"));
    put_asset("Assets/z.cs", GUID("1"));
    put_asset("Assets/y.cs", GUID("1"));
    put_meta("Assets/a.cs", GUID("1")); /* the first path, but its file is missing */
    open_assets();
    check_path(1, "Assets/y.cs");
    check_guid("Assets/z.cs", 1);
    check_notes("Assets/a.cs.meta:0 duplicate GUID " GUID(
        "1") ": Assets/y.cs has it, too, and takes precedence\n"
             "Assets/a.cs:0 this .meta file has no asset\n"
             "Assets/z.cs.meta:0 duplicate GUID " GUID(
                 "1") ": Assets/y.cs has it, too, and takes precedence\n"
                      "Packages/com.a/x.cs.meta:0 duplicate GUID " GUID(
                          "1") ": Assets/y.cs has it, too, and takes precedence\n");
}

TEST(assets_precede_packages_and_cached_packages_come_last)
{
    put("Packages/com.z/package.json", "{\"name\": \"com.z\"}");
    put_asset("Packages/com.z/x.cs", GUID("1"));
    put_asset("Library/PackageCache/com.a@1.0.0/x.cs", GUID("1"));
    open_assets();
    check_path(1, "Packages/com.z/x.cs"); /* by its root, not by its path */
}

TEST(reports_of_a_kind_are_limited)
{
    char path[64];
    for (int i = 0; i < 150; i++) {
        snprintf(path, sizeof path, "Assets/%03d.cs", i);
        put(path, "x");
    }
    open_assets();
    size_t lines = 0;
    for (size_t i = 0; i < notes.n; i++)
        lines += notes.p[i] == '\n';
    assert_int_equal(lines, 101);
    assert_true(str_ends(buf_str(&notes), STR(":0 50 more assets have no .meta file\n")));
}

/* ---- names */

TEST(assets_are_found_by_name_and_by_extension)
{
    put_asset("Assets/B/Enemy.cs", GUID("1"));
    put_asset("Assets/A/Enemy.cs", GUID("2"));
    put_asset("Assets/Enemy.prefab", GUID("3"));
    put_asset("Assets/Enemy.test.cs", GUID("4"));
    put_asset("Assets/Tree.FBX", GUID("5"));
    put_asset("Assets/LICENSE", GUID("6"));
    open_assets();
    for (int i = 0; i < 2; i++) {
        check_named("Enemy", ".cs", "Assets/A/Enemy.cs Assets/B/Enemy.cs ");
        check_named("Enemy.test", ".cs", "Assets/Enemy.test.cs ");
        check_named("enemy", ".cs", "");
        check_named("", ".cs", "Assets/A/Enemy.cs Assets/B/Enemy.cs Assets/Enemy.test.cs ");
        check_named("", ".fbx", "Assets/Tree.FBX ");
        check_named("", ".png", "");
        check_named("LICENSE", "", "Assets/LICENSE ");
        check_named("", "", "Assets/A Assets/B Assets/LICENSE ");
        reopen_assets();
    }
}

/* ---- links */

TEST(links_to_folders_are_followed_but_not_in_circles)
{
    put_asset("Shared/a.cs", GUID("1"));
    put_asset("Shared/Deep/b.cs", GUID("2"));
    put_asset("Real/c.cs", GUID("3"));
    assert_int_equal(symlink("../Shared", "Assets/Link"), 0);
    assert_int_equal(symlink("../../Real", "Shared/Deep/Other"), 0);
    assert_int_equal(symlink("../Shared", "Real/Back"), 0); /* Link/Deep/Other/Back is Link */
    assert_int_equal(symlink(".", "Assets/Self"), 0);
    assert_int_equal(symlink("nowhere", "Assets/Broken"), 0);
    assert_int_equal(symlink("../Shared/a.cs", "Assets/file.cs"), 0);
    const char *want = "Assets/Broken 0\n"
                       "Assets/Link 0 folder\n"
                       "Assets/Link/Deep 0 folder\n"
                       "Assets/Link/Deep/Other 0 folder\n"
                       "Assets/Link/Deep/Other/Back 0 folder\n"
                       "Assets/Link/Deep/Other/c.cs 3\n"
                       "Assets/Link/Deep/b.cs 2\n"
                       "Assets/Link/a.cs 1\n"
                       "Assets/Self 0 folder\n"
                       "Assets/file.cs 0\n";
    open_assets();
    check_all(want);
    reopen_assets();
    check_all(want);
    assert_int_equal(assets_stats(assets).folders_read, 0);
}

/* ---- many */

TEST(thousands_of_assets_are_found)
{
    char path[64], digits[33];
    uint64_t n = 0;
    for (int f = 0; f < 60; f++)
        for (int i = 0; i < 50; i++) {
            snprintf(path, sizeof path, "Assets/F%d/G%d/%d.mat", f % 7, f, i);
            snprintf(digits, sizeof digits, "%032x", (unsigned)++n);
            put_asset(path, digits);
        }
    open_assets();
    for (int round = 0; round < 3; round++) {
        n = 0;
        for (int f = 0; f < 60; f++)
            for (int i = 0; i < 50; i++) {
                snprintf(path, sizeof path, "Assets/F%d/G%d/%d.mat", f % 7, f, i);
                check_path(++n, path);
                check_guid(path, n);
            }
        for (size_t i = 1; i < assets_count(assets); i++)
            assert_true(str_cmp(assets_at(assets, i - 1).path, assets_at(assets, i).path) < 0);
        size_t count;
        assets_named(assets, STR("7"), STR(".mat"), &count);
        assert_int_equal(count, 60);
        assets_named(assets, STR(""), STR(".mat"), &count);
        assert_int_equal(count, 3000);
        reopen_assets();
    }
}
