#include "unity/assets.h"

#include "base/rng.h"
#include "project_fixture.h"
#include "unity/assets_cache.h"

#define GUID(digit) "0000000000000000000000000000000" digit

static struct assets *assets;

static int setup_assets(void **state)
{
    assets = NULL;
    return setup(state);
}

static int teardown_assets(void **state)
{
    assets_close(assets);
    return teardown(state);
}

static struct guid guid(uint64_t n)
{
    return (struct guid){0, n};
}

static void open_assets(void)
{
    if (!project.root)
        open_project();
    buf_clear(&notes);
    assets = assets_open(&project, &sink);
}

static void close_assets(void)
{
    assets_close(assets);
    assets = NULL;
}

/* Closed (the cache is written), with all folders old enough, and opened again. */
static void reopen_assets(void)
{
    close_assets();
    age();
    open_assets();
    close_assets();
    open_assets();
}

static void check_path(uint64_t n, const char *want)
{
    CHECK_CSTR(assets_path(assets, guid(n)), want);
}

static void check_guid(const char *path, uint64_t want)
{
    struct guid g = {0};
    bool known = assets_guid(assets, str_from(path), &g);
    assert_int_equal(known, want != 0);
    assert_int_equal(g.lo, want);
}

/* All paths, one line each: "path guid flags". */
static void check_all(const char *want)
{
    struct buf all = {0};
    for (size_t i = 0; i < assets_count(assets); i++) {
        struct asset a = assets_at(assets, i);
        buf_printf(&all, "%.*s %llx%s%s\n", STR_ARG(a.path), (unsigned long long)a.guid.lo,
                   a.is_folder ? " folder" : "", a.is_missing ? " missing" : "");
    }
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

static void check_named(const char *stem, const char *extension, const char *want)
{
    struct buf all = {0};
    size_t n;
    const uint32_t *list = assets_named(assets, str_from(stem), str_from(extension), &n);
    for (size_t i = 0; i < n; i++)
        buf_printf(&all, "%.*s ", STR_ARG(assets_at(assets, list[i]).path));
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

static void check_notes(const char *want)
{
    CHECK_CSTR(buf_str(&notes), want);
    buf_clear(&notes);
}

static void write_cache_bytes(struct str bytes)
{
    FILE *f = fopen(ASSETS_CACHE_PATH, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
    assert_int_equal(fclose(f), 0);
}

/* ---- what is found */

static void an_asset_is_found_by_guid_and_by_path(void **state)
{
    (void)state;
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

static void a_project_without_assets_is_fine(void **state)
{
    (void)state;
    open_assets();
    assert_int_equal(assets_count(assets), 0);
    check_path(1, "");
    check_named("a", ".cs", "");
    reopen_assets();
    assert_int_equal(assets_count(assets), 0);
    assert_true(assets_stats(assets).from_cache);
}

static void assets_are_sorted_by_the_bytes_of_their_path(void **state)
{
    (void)state;
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

static void packages_are_shown_by_their_names(void **state)
{
    (void)state;
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

static void only_paths_of_assets_have_a_file(void **state)
{
    (void)state;
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
            fail_msg("%s has the file %s", bad[i], disk.p);
    buf_done(&disk);
}

static void what_unity_ignores_is_ignored(void **state)
{
    (void)state;
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

static void a_meta_may_be_short_or_start_with_a_bom(void **state)
{
    (void)state;
    put("Assets/a.cs", "x");
    put("Assets/a.cs.meta", "\xEF\xBB\xBF"
                            "fileFormatVersion: 2\r\nguid: " GUID("1") "\r\n");
    put("Assets/b.cs", "x");
    put("Assets/b.cs.meta", "fileFormatVersion: 2\nguid: " GUID("2"));
    open_assets();
    check_path(1, "Assets/a.cs");
    check_path(2, "Assets/b.cs");
}

/* ---- what is wrong */

static void what_lacks_its_other_half_is_listed_and_said(void **state)
{
    (void)state;
    put("Assets/a.cs", "x");
    put_meta("Assets/b.cs", GUID("2"));
    put("Assets/c.cs", "x");
    put("Assets/c.cs.meta", "merge conflict");
    open_assets();
    check_all("Assets/a.cs 0\nAssets/b.cs 2 missing\nAssets/c.cs 0\n");
    check_path(2, "Assets/b.cs");
    const char *want = "Assets/a.cs:0 this asset has no .meta file, so nothing can refer to it\n"
                       "Assets/b.cs:0 there is a .meta file, but not the asset itself\n"
                       "Assets/c.cs.meta:0 there is no GUID in this file\n";
    check_notes(want);
    reopen_assets(); /* an index that comes from the cache knows it as well */
    assert_true(assets_stats(assets).from_cache);
    check_notes(want);
}

static void of_a_guid_that_is_there_twice_the_first_wins(void **state)
{
    (void)state;
    put("Packages/com.a/package.json", "{\"name\": \"com.a\"}");
    put_meta("Packages/com.a/package.json", GUID("a"));
    put_asset("Packages/com.a/x.cs", GUID("1"));
    put_asset("Assets/z.cs", GUID("1"));
    put_asset("Assets/y.cs", GUID("1"));
    put_meta("Assets/a.cs", GUID("1")); /* the first path, but there is no such file */
    open_assets();
    check_path(1, "Assets/y.cs");
    check_guid("Assets/z.cs", 1);
    check_notes("Assets/a.cs.meta:0 the GUID " GUID(
        "1") " is also that of Assets/y.cs, which is "
             "the one in use\n"
             "Assets/a.cs:0 there is a .meta file, but not the asset itself\n"
             "Assets/z.cs.meta:0 the GUID " GUID("1") " is also that of Assets/y.cs, which is "
                                                      "the one in use\n"
                                                      "Packages/com.a/x.cs.meta:0 the GUID " GUID(
                                                          "1") " is also that of Assets/y.cs, "
                                                               "which is the one in use\n");
}

static void a_package_loses_against_assets_and_a_cached_one_against_both(void **state)
{
    (void)state;
    put("Packages/com.z/package.json", "{\"name\": \"com.z\"}");
    put_asset("Packages/com.z/x.cs", GUID("1"));
    put_asset("Library/PackageCache/com.a@1.0.0/x.cs", GUID("1"));
    open_assets();
    check_path(1, "Packages/com.z/x.cs"); /* by its root, not by its path */
}

static void notes_of_a_kind_are_bounded(void **state)
{
    (void)state;
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

/* ---- the cache */

static void a_second_opening_reads_nothing(void **state)
{
    (void)state;
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

static void a_folder_that_changed_is_read_alone(void **state)
{
    (void)state;
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

static void a_folder_that_is_young_is_read_again(void **state)
{
    (void)state;
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    open_assets(); /* the same second: whether it changed cannot be seen by its time */
    assert_true(assets_stats(assets).from_cache);
    assert_int_equal(assets_stats(assets).folders_read, 1);
}

static void folders_come_and_go_between_two_openings(void **state)
{
    (void)state;
    put_asset("Assets/A/B/a.cs", GUID("1"));
    put_asset("Assets/C/c.cs", GUID("2"));
    open_assets();
    reopen_assets();
    close_assets();
    assert_int_equal(system("rm -r Assets/A/B && mv Assets/C Assets/A/D && mkdir Assets/E"), 0);
    open_assets();
    check_all("Assets/A 0 folder\nAssets/A/D 0 folder\nAssets/A/D/c.cs 2\nAssets/E 0 folder\n");
}

static void the_cache_of_another_place_is_not_used(void **state)
{
    (void)state;
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

static void a_package_that_moved_is_read_where_it_is(void **state)
{
    (void)state;
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

/* Whatever stands in the file: the answers are those of the disk. */
static void a_damaged_cache_is_never_believed(void **state)
{
    (void)state;
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

static void a_cache_that_cannot_be_written_is_done_without(void **state)
{
    (void)state;
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

static void nothing_is_written_outside_the_project(void **state)
{
    (void)state;
    char outside[] = "/tmp/multiverse_outside.XXXXXX";
    assert_non_null(mkdtemp(outside));
    assert_int_equal(symlink(outside, "Library"), 0);
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    assert_int_equal(rmdir(outside), 0); /* it is empty */
}

static void a_cache_leaves_nothing_beside_it(void **state)
{
    (void)state;
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    close_assets();
    assert_int_equal(system("test \"$(ls -A Library/Multiverse)\" = assets.index"), 0);
}

/* ---- changes */

static void a_refresh_sees_what_changed(void **state)
{
    (void)state;
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
    assert_true(assets_refresh(assets, STR("Assets/A/b.cs"))); /* a file: its folder tells */
    check_path(3, "Assets/A/c.cs");
    assert_int_equal(system("rm -r Assets/A Assets/A.meta"), 0);
    assert_true(assets_refresh(assets, STR("Assets/A/c.cs")));
    check_all("");
}

static void a_refresh_looks_where_it_is_told_to(void **state)
{
    (void)state;
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

static void a_new_folder_is_seen_with_all_that_is_in_it(void **state)
{
    (void)state;
    open_assets();
    put_asset("Assets/A/B/C/a.cs", GUID("1"));
    assert_true(assets_refresh(assets, STR("Assets/A/B/C/a.cs.meta")));
    check_path(1, "Assets/A/B/C/a.cs");
}

static void a_refresh_says_only_what_is_new(void **state)
{
    (void)state;
    put("Assets/a.cs", "x");
    open_assets();
    check_notes("Assets/a.cs:0 this asset has no .meta file, so nothing can refer to it\n");
    put("Assets/b.cs", "x");
    assert_true(assets_refresh(assets, STR("")));
    check_notes("Assets/b.cs:0 this asset has no .meta file, so nothing can refer to it\n");
}

static void a_save_in_a_folder_is_no_change(void **state)
{
    (void)state;
    put_asset("Assets/a.unity", GUID("1"));
    open_assets();
    uint64_t before = assets_generation(assets);
    struct str path = assets_path(assets, guid(1));
    assert_true(file_replace("Assets/a.unity", STR("new"), 0644, &err));
    assert_false(assets_refresh(assets, STR("Assets/a.unity")));
    assert_int_equal(assets_generation(assets), before);
    CHECK_CSTR(path, "Assets/a.unity"); /* what was given out still stands */
}

static void a_meta_that_is_rewritten_in_place_is_noticed_when_asked_for(void **state)
{
    (void)state;
    put_asset("Assets/a.cs", GUID("1"));
    put_asset("Assets/b.cs", GUID("1"));
    open_assets();
    reopen_assets();
    uint64_t before = assets_generation(assets);
    put_meta("Assets/a.cs", GUID("2")); /* the folder stays as it was */
    check_path(1, "Assets/b.cs");
    check_path(2, "Assets/a.cs");
    assert_true(assets_generation(assets) != before);
    reopen_assets();
    check_path(1, "Assets/b.cs"); /* the cache has it as well */
    put_meta("Assets/a.cs", GUID("3"));
    check_guid("Assets/a.cs", 3);
    put_meta("Assets/a.cs", GUID("4"));
    check_guid("Assets/a.cs", 3); /* once per refresh */
    assert_true(assets_refresh(assets, STR("Assets/a.cs")));
    check_guid("Assets/a.cs", 4);
}

static void a_meta_that_lost_its_guid_is_not_found_any_more(void **state)
{
    (void)state;
    put_asset("Assets/a.cs", GUID("1"));
    open_assets();
    put("Assets/a.cs.meta", "");
    check_path(1, "");
    check_guid("Assets/a.cs", 0);
}

/* ---- names */

static void assets_are_found_by_name_and_by_extension(void **state)
{
    (void)state;
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

static void links_to_folders_are_followed_but_not_in_circles(void **state)
{
    (void)state;
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

static void many_assets_in_many_folders_are_all_found(void **state)
{
    (void)state;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_assets, teardown_assets)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_asset_is_found_by_guid_and_by_path),
        TEST(a_project_without_assets_is_fine),
        TEST(assets_are_sorted_by_the_bytes_of_their_path),
        TEST(packages_are_shown_by_their_names),
        TEST(only_paths_of_assets_have_a_file),
        TEST(what_unity_ignores_is_ignored),
        TEST(a_meta_may_be_short_or_start_with_a_bom),
        TEST(what_lacks_its_other_half_is_listed_and_said),
        TEST(of_a_guid_that_is_there_twice_the_first_wins),
        TEST(a_package_loses_against_assets_and_a_cached_one_against_both),
        TEST(notes_of_a_kind_are_bounded),
        TEST(a_second_opening_reads_nothing),
        TEST(a_folder_that_changed_is_read_alone),
        TEST(a_folder_that_is_young_is_read_again),
        TEST(folders_come_and_go_between_two_openings),
        TEST(the_cache_of_another_place_is_not_used),
        TEST(a_package_that_moved_is_read_where_it_is),
        TEST(a_damaged_cache_is_never_believed),
        TEST(a_cache_that_cannot_be_written_is_done_without),
        TEST(nothing_is_written_outside_the_project),
        TEST(a_cache_leaves_nothing_beside_it),
        TEST(a_refresh_sees_what_changed),
        TEST(a_refresh_looks_where_it_is_told_to),
        TEST(a_new_folder_is_seen_with_all_that_is_in_it),
        TEST(a_refresh_says_only_what_is_new),
        TEST(a_save_in_a_folder_is_no_change),
        TEST(a_meta_that_is_rewritten_in_place_is_noticed_when_asked_for),
        TEST(a_meta_that_lost_its_guid_is_not_found_any_more),
        TEST(assets_are_found_by_name_and_by_extension),
        TEST(links_to_folders_are_followed_but_not_in_circles),
        TEST(many_assets_in_many_folders_are_all_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
