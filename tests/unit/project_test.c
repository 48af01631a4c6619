#include "unity/project.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "project_fixture.h"

#define HEAD "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

static bool defines(const char *name)
{
    for (size_t i = 0; i < project.define_count; i++)
        if (str_eq(project.defines[i], str_from(name)))
            return true;
    return false;
}

static void check_notes(const char *want)
{
    CHECK_CSTR(buf_str(&notes), want);
}

/* "kind name version folder" for each; folders relative to the project. */
static void check_packages(const char *want)
{
    struct buf all = {0};
    for (size_t i = 0; i < project.package_count; i++) {
        const struct project_package *p = &project.packages[i];
        struct str folder = p->folder;
        if (str_starts(folder, str_from(project_folder)))
            folder = str_skip(folder, strlen(project_folder));
        buf_printf(&all, "%d %.*s %.*s %.*s\n", (int)p->kind, STR_ARG(p->name), STR_ARG(p->version),
                   STR_ARG(folder));
    }
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

/* ---- search */

TEST_FIXTURE(setup, teardown);

TEST(project_is_found_in_a_parent_folder)
{
    bool is_unity = false;
    assert_int_equal(mkdir("ProjectSettings", 0755), 0);
    assert_int_equal(mkdir("Assets/Scripts", 0755), 0);
    char *found = project_find("Assets/Scripts", &is_unity, &err);
    assert_string_equal(found, project_folder);
    assert_true(is_unity);
    free(found);
}

TEST(without_a_project_the_folder_is_returned)
{
    bool is_unity = true;
    char *found = project_find("Assets", &is_unity, &err);
    struct buf want = {0};
    buf_printf(&want, "%s/Assets", project_folder);
    assert_string_equal(found, want.p);
    assert_false(is_unity);
    free(found);
    buf_done(&want);
    assert_null(project_find("none", &is_unity, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
}

/* ---- opening */

TEST(folder_without_assets_is_not_a_project)
{
    assert_int_equal(rmdir("Assets"), 0);
    assert_false(project_open(&project, ".", &sink, &err));
    assert_int_equal(err.code, ERR_IO);
    struct buf want = {0};
    buf_printf(&want, "no Unity project at %s: it has no Assets folder", project_folder);
    assert_string_equal(err.text, want.p);
    buf_done(&want);
    put("Assets", "a file");
    assert_false(project_open(&project, ".", &sink, &err));
    assert_false(project_open(&project, "none", &sink, &err));
    assert_string_equal(err.text, "no Unity project at none: No such file or directory");
}

TEST(the_root_is_absolute_and_without_links)
{
    assert_int_equal(symlink(".", "link"), 0);
    assert_true(project_open(&project, "link/Assets/..//", &sink, &err));
    assert_string_equal(project.root, project_folder);
}

TEST(version_is_read_from_its_file)
{
    put("ProjectSettings/ProjectVersion.txt",
        "m_EditorVersion: 2022.3.56f1\nm_EditorVersionWithRevision: 2022.3.56f1 (1a2b3c)\n");
    open_project();
    assert_int_equal(project.version.major, 2022);
    assert_int_equal(project.version.patch, 56);
    CHECK_CSTR(project.version_text, "2022.3.56f1");
    check_notes("");
}

TEST(missing_version_is_reported)
{
    open_project();
    assert_false(version_is_known(project.version));
    check_notes("ProjectSettings/ProjectVersion.txt:0 unknown editor version: expected "
                "m_EditorVersion, such as 2022.3.56f1\n");
    buf_clear(&notes);
    project_done(&project);
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: unknown\r\n");
    open_project();
    assert_false(version_is_known(project.version));
    assert_true(notes.n > 0);
}

TEST(editor_settings_have_the_serialization_mode)
{
    open_project();
    assert_true(project.text_assets);
    assert_false(project.inline_maps);
    project_done(&project);
    put("ProjectSettings/EditorSettings.asset",
        HEAD "--- !u!159 &1\nEditorSettings:\n  m_ObjectHideFlags: 0\n  m_SerializationMode: 1\n"
             "  m_SerializeInlineMappingsOnOneLine: 1\n");
    open_project();
    assert_false(project.text_assets);
    assert_true(project.inline_maps);
}

TEST(scenes_of_the_build_are_in_order)
{
    put("ProjectSettings/EditorBuildSettings.asset",
        HEAD "--- !u!1045 &1\nEditorBuildSettings:\n  m_ObjectHideFlags: 0\n"
             "  serializedVersion: 2\n  m_Scenes:\n"
             "  - enabled: 1\n    path: Assets/Scenes/B.unity\n"
             "    guid: 4b323d64f7be5664dbce36a38a51e255\n"
             "  - enabled: 0\n    path: 'Assets/It''s.unity'\n"
             "  - enabled: 1\n    path: \n"
             "  m_configObjects: {}\n");
    open_project();
    assert_int_equal(project.build_scene_count, 2);
    CHECK_CSTR(project.build_scenes[0].path, "Assets/Scenes/B.unity");
    assert_true(project.build_scenes[0].enabled);
    CHECK_CSTR(project.build_scenes[1].path, "Assets/It's.unity");
    assert_false(project.build_scenes[1].enabled);
}

TEST(layers_have_the_names_of_the_tag_manager)
{
    put("ProjectSettings/TagManager.asset",
        HEAD "--- !u!78 &1\nTagManager:\n  serializedVersion: 2\n  tags: []\n  layers:\n"
             "  - Default\n  - TransparentFX\n  - Ignore Raycast\n  - \n  - Water\n"
             "  m_SortingLayers: []\n");
    open_project();
    CHECK_CSTR(project.layers[0], "Default");
    CHECK_CSTR(project.layers[2], "Ignore Raycast");
    CHECK_CSTR(project.layers[3], "");
    CHECK_CSTR(project.layers[4], "Water");
    CHECK_CSTR(project.layers[31], "");
}

TEST(layers_of_old_editors_are_read_from_keys)
{
    put("ProjectSettings/TagManager.asset",
        HEAD "--- !u!78 &1\nTagManager:\n  tags:\n  - \n  Builtin Layer 0: Default\n"
             "  Builtin Layer 3: \n  User Layer 8: Ground\n  User Layer 40: Nowhere\n");
    open_project();
    CHECK_CSTR(project.layers[0], "Default");
    CHECK_CSTR(project.layers[3], "");
    CHECK_CSTR(project.layers[8], "Ground");
}

TEST(symbols_of_the_standalone_player_are_read)
{
    put("ProjectSettings/ProjectSettings.asset",
        HEAD "--- !u!129 &1\nPlayerSettings:\n  scriptingDefineSymbols:\n    Android: OTHER\n"
             "    Standalone: FIRST;SECOND ; FIRST;;\n  activeInputHandler: 1\n");
    open_project();
    assert_true(defines("FIRST"));
    assert_true(defines("SECOND"));
    assert_false(defines("OTHER"));
    assert_false(defines(""));
    assert_true(defines("ENABLE_INPUT_SYSTEM"));
    assert_false(defines("ENABLE_LEGACY_INPUT_MANAGER"));
    for (size_t i = 0; i < project.define_count; i++)
        for (size_t j = i + 1; j < project.define_count; j++)
            assert_false(str_eq(project.defines[i], project.defines[j]));
}

TEST(symbols_of_old_projects_are_found_by_platform_number)
{
    put("ProjectSettings/ProjectSettings.asset",
        HEAD "--- !u!129 &1\nPlayerSettings:\n  scriptingDefineSymbols:\n    1: FIRST;SECOND\n"
             "    7: OTHER\n");
    open_project();
    assert_true(defines("SECOND"));
    assert_false(defines("OTHER"));
    assert_true(defines("ENABLE_LEGACY_INPUT_MANAGER"));
}

TEST(symbols_of_the_editor_follow_its_version)
{
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2019.4.40f1\n");
    open_project();
    static const char *const there[] = {"UNITY_EDITOR",
                                        "UNITY_STANDALONE",
                                        "ENABLE_MONO",
                                        "CSHARP_7_3_OR_NEWER",
                                        "UNITY_5_3_OR_NEWER",
                                        "UNITY_5_6_OR_NEWER",
                                        "UNITY_2017_1_OR_NEWER",
                                        "UNITY_2018_4_OR_NEWER",
                                        "UNITY_2019_1_OR_NEWER",
                                        "UNITY_2019_4_OR_NEWER",
                                        "UNITY_2019",
                                        "UNITY_2019_4",
                                        "UNITY_2019_4_40",
                                        "NET_STANDARD_2_0"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!defines(there[i]))
            fail_msg("missing symbol %s", there[i]);
    static const char *const not_there[] = {"UNITY_2020_1_OR_NEWER", "UNITY_2019_3",
                                            "UNITY_6000_0_OR_NEWER", "NET_STANDARD_2_1",
                                            "UNITY_2018_5_OR_NEWER"};
    for (size_t i = 0; i < sizeof not_there / sizeof *not_there; i++)
        if (defines(not_there[i]))
            fail_msg("unexpected symbol %s", not_there[i]);
    project_done(&project);
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6000.9.1f1\n");
    open_project();
    assert_true(defines("UNITY_2023_3_OR_NEWER"));
    assert_true(defines("UNITY_6000_0_OR_NEWER"));
    assert_true(defines("UNITY_6000_9_OR_NEWER")); /* newer than this program's table */
    assert_false(defines("UNITY_6000_10_OR_NEWER"));
    assert_true(defines("NET_STANDARD_2_1"));
}

TEST(unreadable_settings_are_reported)
{
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.1f1\n");
    put("ProjectSettings/TagManager.asset", "version https://git-lfs.github.com/spec/v1\n");
    put("ProjectSettings/EditorSettings.asset", "");
    assert_int_equal(mkdir("ProjectSettings/ProjectSettings.asset", 0755), 0);
    put("Packages/manifest.json", "{\n  \"dependencies\": {,}\n}");
    open_project();
    struct str reports = buf_str(&notes);
    static const char *const files[] = {
        "ProjectSettings/TagManager.asset:1 ",
        "ProjectSettings/EditorSettings.asset:", "ProjectSettings/ProjectSettings.asset:0 ",
        "Packages/manifest.json:2 invalid JSON: "};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (str_find(reports, str_from(files[i])) == reports.n)
            fail_msg("no report for %s in\n%s", files[i], notes.p);
    assert_true(project.text_assets);
}

/* ---- packages */

TEST(packages_are_embedded_local_or_cached)
{
    put("Packages/b/package.json", "{\"name\": \"com.b\", \"version\": \"1.2.3\"}");
    put("Packages/com.a/package.json", "\xEF\xBB\xBF{\"name\": \"com.a\"}");
    put("Packages/no-package/readme.md", "x");
    put("Packages/.hidden/package.json", "{\"name\": \"com.hidden\"}");
    put("Other/pkg/package.json", "{\"name\": \"com.c\", \"version\": \"0.1.0\"}");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.c\": \"file:../Other/pkg\","
                                  "\"com.d\": \"1.0.0\", \"com.tar\": \"file:x.tgz\"}}");
    put("Packages/x.tgz", "x");
    put("Library/PackageCache/com.d@1.0.0/package.json", "{}");
    open_project();
    check_packages("0 com.a  /Packages/com.a\n"
                   "0 com.b 1.2.3 /Packages/b\n"
                   "1 com.c 0.1.0 /Other/pkg\n"
                   "2 com.d 1.0.0 /Library/PackageCache/com.d@1.0.0\n");
}

TEST(embedded_package_precedes_local_and_cached_ones)
{
    put("Packages/com.a/package.json", "{\"name\": \"com.a\"}");
    put("Other/a/package.json", "{}");
    put("Other/b/package.json", "{}");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.a\": \"file:../Other/a\","
                                  "\"com.b\": \"file:../Other/b\"}}");
    put("Library/PackageCache/com.a@1.0.0/package.json", "{}");
    put("Library/PackageCache/com.b@1.0.0/package.json", "{}");
    open_project();
    check_packages("0 com.a  /Packages/com.a\n1 com.b  /Other/b\n");
}

TEST(cached_version_in_use_is_chosen)
{
    put("Packages/manifest.json", "{\"dependencies\": {\"com.b\": \"1.0.0\"}}");
    put("Packages/packages-lock.json", "{\"dependencies\": {\"com.a\": {\"version\": \"1.9.0\"}}}");
    put("Library/PackageCache/com.a@1.9.0/package.json", "{}");
    put("Library/PackageCache/com.a@1.10.0/package.json", "{}");
    put("Library/PackageCache/com.b@1.0.0/package.json", "{}");
    put("Library/PackageCache/com.b@2.0.0/package.json", "{}");
    put("Library/PackageCache/com.c@1.9.0/package.json", "{}"); /* not specified: the newest */
    put("Library/PackageCache/com.c@1.10.0/package.json", "{}");
    put("Library/PackageCache/com.c@1.10.0-pre.1/package.json", "{}");
    put("Library/PackageCache/com.d@1a2b3c/package.json", "{\"version\": \"3.0.0\"}");
    open_project();
    check_packages("2 com.a 1.9.0 /Library/PackageCache/com.a@1.9.0\n"
                   "2 com.b 1.0.0 /Library/PackageCache/com.b@1.0.0\n"
                   "2 com.c 1.10.0 /Library/PackageCache/com.c@1.10.0\n"
                   "2 com.d 3.0.0 /Library/PackageCache/com.d@1a2b3c\n");
}

TEST(required_packages_are_listed_once)
{
    struct buf names = {0};
    put("Packages/manifest.json", "{\"dependencies\": {\"com.b\": \"1.0.0\", \"../x\": \"1\"}}");
    put("Packages/packages-lock.json",
        "{\"dependencies\": {\"com.b\": {\"version\": \"1.0.0\"}, \"com.a\": {\"depth\": 1}}}");
    open_project();
    for (size_t i = 0; i < project.listed_count; i++)
        buf_printf(&names, "%.*s ", STR_ARG(project.listed[i]));
    CHECK_CSTR(buf_str(&names), "com.a com.b ");
    buf_done(&names);
}

#define SETTINGS(name, body)                                                                       \
    "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\n" name ":\n" body

TEST(loaded_projects_are_equal_unless_something_changed)
{
    static const struct {
        const char *path, *text;
    } changes[] = {
        {"ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.1f1\n"},
        {"ProjectSettings/EditorSettings.asset",
         SETTINGS("EditorSettings", "  m_SerializationMode: 1\n")},
        {"ProjectSettings/EditorSettings.asset",
         SETTINGS("EditorSettings", "  m_SerializationMode: 1\n"
                                    "  m_SerializeInlineMappingsOnOneLine: 1\n")},
        {"ProjectSettings/EditorBuildSettings.asset",
         SETTINGS("EditorBuildSettings",
                  "  m_Scenes:\n  - enabled: 0\n    path: Assets/A.unity\n")},
        {"ProjectSettings/EditorBuildSettings.asset",
         SETTINGS("EditorBuildSettings",
                  "  m_Scenes:\n  - enabled: 1\n    path: Assets/A.unity\n")},
        {"ProjectSettings/TagManager.asset",
         SETTINGS("TagManager", "  layers:\n  - Default\n  - Mine\n")},
        {"ProjectSettings/ProjectSettings.asset",
         SETTINGS("PlayerSettings", "  scriptingDefineSymbols:\n    1: MINE\n")},
        {"Packages/manifest.json", "{\"dependencies\": {\"com.b\": \"1.0.0\"}}"},
        {"Packages/com.a/package.json", "{\"version\": \"1.0.0\"}"},
        {"Packages/com.a/package.json", "{\"version\": \"1.0.1\"}"},
        {"Library/PackageCache/com.b@1.0.0/package.json", "{}"},
    };
    struct project now;
    open_project();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        put(changes[i].path, changes[i].text);
        assert_true(project_open(&now, project_folder, NULL, NULL));
        if (project_is_same(&project, &now))
            fail_msg("changing %s changes nothing", changes[i].path);
        project_done(&project);
        project = now;
        assert_true(project_open(&now, project_folder, NULL, NULL));
        if (!project_is_same(&project, &now))
            fail_msg("%s changes the project twice", changes[i].path);
        project_done(&now);
    }
}

static bool is_cached(const char *path)
{
    struct buf absolute = {0};
    assert_true(project_contains(&project, str_from(path), &absolute));
    bool is = project_is_cached(&project, str_from(path), buf_str(&absolute));
    buf_done(&absolute);
    return is;
}

TEST(cached_package_is_recognized_by_any_path)
{
    put("Library/PackageCache/com.a@1.0.0/A.unity", "x");
    put("Packages/com.b/package.json", "{}");
    put("Packages/com.b/B.unity", "x");
    put("Vendor/c/C.unity", "x");
    assert_int_equal(symlink("../../Vendor/c", "Library/PackageCache/com.c@1.0.0"), 0);
    assert_int_equal(symlink("../Library/PackageCache/com.a@1.0.0", "Assets/link"), 0);
    open_project();
    assert_true(is_cached("Library/PackageCache/com.a@1.0.0/A.unity"));
    assert_true(is_cached("Packages/com.a/A.unity"));
    assert_true(is_cached("Packages/com.c/C.unity"));
    assert_true(is_cached("Assets/link/A.unity"));
    assert_false(is_cached("Packages/com.b/B.unity"));
    assert_false(is_cached("Assets/A.unity"));
    assert_false(is_cached("Library/PackageCacheX/A.unity"));
    assert_false(is_cached("Vendor/c/C.unity"));
}

TEST(missing_local_package_is_reported)
{
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.1f1\n");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.a\": \"file:../none\"}}");
    open_project();
    check_packages("");
    check_notes("Packages/manifest.json:0 missing local package com.a: file:../none\n");
}

TEST(package_names_with_path_characters_are_rejected)
{
    put("Packages/good/package.json", "{\"name\": \"../../etc\"}");
    put("Packages/manifest.json",
        "{\"dependencies\": {\"../x\": \"file:/tmp\", \"\": \"file:/tmp\","
        "\"a/b\": \"file:/tmp\", \"..\": \"file:/tmp\","
        "\"nul\": \"file:/tmp\\u0000x\"}}");
    open_project();
    check_packages("0 good  /Packages/good\n");
}

/* ---- the lock */

/* A child process that holds the lock until it is killed. */
static pid_t hold(const char *how, int *tell)
{
    int ready[2], stop[2];
    assert_int_equal(pipe(ready) | pipe(stop), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char c = 0;
        close(stop[1]);
        int fd = open("Temp/UnityLockfile", O_RDWR);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        bool ok = *how == 'f' ? flock(fd, LOCK_EX) == 0 : fcntl(fd, F_SETLK, &lock) == 0;
        ok = ok && write(ready[1], &c, 1) == 1;
        while (ok && read(stop[0], &c, 1) < 0 && errno == EINTR) {
        }
        _exit(ok ? 0 : 1);
    }
    char c;
    close(ready[1]);
    close(stop[0]);
    assert_int_equal(read(ready[0], &c, 1), 1);
    close(ready[0]);
    *tell = stop[1];
    return child;
}

TEST(project_is_locked_while_the_lockfile_is_held)
{
    put("Temp/UnityLockfile", "");
    open_project();
    assert_false(project_is_locked(&project)); /* left over after a crash */
    static const char *const kinds[] = {"flock", "posix"};
    for (int i = 0; i < 2; i++) {
        int tell, status;
        pid_t child = hold(kinds[i], &tell);
        assert_true(project_is_locked(&project));
        assert_true(project_is_locked(&project)); /* the check takes no lock */
        close(tell);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_false(project_is_locked(&project));
    }
}

TEST(a_project_without_a_lockfile_is_not_locked)
{
    open_project();
    assert_false(project_is_locked(&project));
    assert_int_equal(mkdir("Temp", 0755), 0);
    assert_int_equal(mkfifo("Temp/UnityLockfile", 0600), 0);
    assert_false(project_is_locked(&project));
}

/* ---- resolving paths */

static void check_inside(const char *path, const char *want)
{
    struct buf got = {0}, whole = {0};
    bool inside = project_contains(&project, str_from(path), &got);
    if (inside != (want != NULL))
        fail_msg("%s is %s", path, inside ? got.p : "outside");
    if (want) {
        buf_printf(&whole, "%s%s", project_folder, want);
        CHECK_STR(buf_str(&got), buf_str(&whole));
    }
    buf_done(&got);
    buf_done(&whole);
}

TEST(path_inside_becomes_absolute)
{
    put("Assets/A/a.unity", "x");
    open_project();
    check_inside("Assets/A/a.unity", "/Assets/A/a.unity");
    check_inside("Assets//A/./a.unity", "/Assets/A/a.unity");
    check_inside("Assets/A/", "/Assets/A");
    check_inside("Assets/A/../A/b.unity", "/Assets/A/b.unity"); /* does not exist yet */
    check_inside("Assets/New/Deep/b.unity", "/Assets/New/Deep/b.unity");
    check_inside(".", "");
    struct buf path = {0};
    buf_printf(&path, "%s/Assets", project_folder);
    check_inside(path.p, "/Assets");
    buf_done(&path);
}

TEST(path_outside_is_rejected)
{
    put("Assets/file", "x");
    open_project();
    check_inside("..", NULL);
    check_inside("../x", NULL);
    check_inside("Assets/../../x", NULL);
    check_inside("/etc/passwd", NULL);
    check_inside("/", NULL);
    check_inside("", NULL);
    check_inside("Assets/New/../../../x", NULL);
    check_inside("Assets/New/../b", NULL); /* a missing folder has no parent */
    check_inside("Assets/file/x", NULL);   /* a file is not a folder */
    struct buf path = {0};
    buf_printf(&path, "%s-other/x", project_folder); /* the same prefix */
    check_inside(path.p, NULL);
    buf_clear(&path);
    for (int i = 0; i < 3000; i++)
        buf_add(&path, STR("a/"));
    check_inside(path.p, NULL);
    buf_done(&path);
    assert_false(project_contains(&project, str_make("a\0b", 3), NULL));
    assert_true(project_contains(&project, STR("Assets"), NULL));
}

TEST(links_are_followed_to_their_end)
{
    put("Real/a", "x");
    open_project();
    assert_int_equal(symlink("../Real", "Assets/in"), 0);
    assert_int_equal(symlink("/tmp", "Assets/out"), 0);
    assert_int_equal(symlink("../../nowhere", "Assets/dangling"), 0);
    assert_int_equal(symlink("../Real/new", "Assets/later"), 0);
    assert_int_equal(symlink("loop", "Assets/loop"), 0);
    check_inside("Assets/in/a", "/Real/a");
    check_inside("Assets/in/../Real/a", "/Real/a"); /* ".." is the parent of the link's target */
    check_inside("Assets/out/x", NULL);
    check_inside("Assets/out", NULL);
    check_inside("Assets/dangling", NULL); /* writing would create a file outside */
    check_inside("Assets/later", "/Real/new");
    check_inside("Assets/loop", NULL);
    check_inside("Assets/loop/x", NULL);
}
