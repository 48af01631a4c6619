#include "unity/check.h"

#include "scene_fixture.h"
#include "unity/check_file.h"

#define FILE_S "Assets/S.unity"

static struct check_report report;

static int setup_check(void **state)
{
    report = (struct check_report){0};
    return setup_scenes(state);
}

static int teardown_check(void **state)
{
    check_report_done(&report);
    return teardown_scenes(state);
}

static void check_with(size_t threads)
{
    if (!project.root)
        open_project();
    check_report_done(&report);
    assets_close(assets);
    assets = assets_open(&project, &sink);
    check_project(
        &(struct check_options){.project = &project, .assets = assets, .threads = threads},
        &report);
}

/* All findings, one line each. */
static void check_findings(const char *want)
{
    struct buf all = {0};
    check_with(1);
    for (size_t i = 0; i < report.count; i++) {
        const struct check_finding *f = &report.findings[i];
        buf_printf(&all, "%s %.*s:%u %.*s\n", check_kind_name(f->kind), STR_ARG(f->file), f->line,
                   STR_ARG(f->message));
    }
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

TEST_FIXTURE(setup_check, teardown_check);

TEST(valid_project_has_no_findings)
{
    PUT_PREFAB("Assets/A.prefab", GUID_A, SIMPLE("1", "A", "0", NO_CHILDREN));
    PUT_PREFAB(FILE_S, GUID_B, SIMPLE("1", "B", "0", NO_CHILDREN),
               INSTANCE("4096", "11", GUID_A, "", NOTHING_REMOVED));
    put_asset("Assets/Picture.png", GUID_C);
    check_findings("");
    assert_int_equal(report.files, 5); /* two assets, three .meta files */
    assert_int_equal(report.documents, 5);
    assert_true(report.bytes > 500);
    assert_int_equal(report.binary + report.unresolved, 0);
}

TEST(every_form_of_file_is_rebuilt_identically)
{
    PUT_PREFAB("Assets/A.asset", GUID_A,
               "--- !u!114 &11400000\r\nMonoBehaviour:\r\n  m_Name: 'a\r\n\r\n    b'\r\n");
    PUT_PREFAB("Assets/B.mat", GUID_B,
               "--- !u!21 &2100000\nMaterial:\n  list: []\n  map: {}\n  empty: \n  hex: 00ff\n"
               "  nested:\n  - - {x: 0, y: 1}\n    - {x: 2,\n      y: 3}\n  - a: 1\n    b:\n"
               "      c: # no comment\n  text: folded\n    over lines\n  last: 1");
    put("Assets/C.anim.meta",
        "\xef\xbb\xbf"
        "fileFormatVersion: 2\nguid: " GUID_C "\nNativeFormatImporter:\n  userData: \n");
    put("Assets/C.anim", FILE_HEAD "--- !u!74 &7400000\nAnimationClip:\n  m_Name: C\n");
    check_findings("");
    assert_int_equal(report.files, 6);
}

TEST(files_that_are_not_yaml_are_reported)
{
    put_asset("Assets/A.prefab", GUID_A);
    put("Assets/B.asset", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    put_meta("Assets/B.asset", GUID_B);
    check_findings("unreadable Assets/A.prefab:1 the file does not start with %YAML\n"
                   "unreadable Assets/B.asset:1 this is a Git LFS pointer, not the file itself\n");
    assert_int_equal(report.counts[CHECK_UNREADABLE], 2);
}

TEST(broken_line_is_reported)
{
    PUT_PREFAB(FILE_S, GUID_A, SIMPLE("1", "A", "0", NO_CHILDREN), "<<<<<<< HEAD\n");
    check_findings(
        "unreadable Assets/S.unity:26 this is a merge conflict marker: resolve the conflict\n");
    put("Assets/S.unity.meta", "fileFormatVersion: 2\nguid: " GUID_A "\n=======\n");
    put(FILE_S, FILE_HEAD SIMPLE("1", "A", "0", NO_CHILDREN));
    check_findings(
        "unreadable Assets/S.unity.meta:3 this is a merge conflict marker: resolve the conflict\n");
}

TEST(binary_assets_are_no_findings)
{
    put("Assets/Light.asset", "");
    FILE *f = fopen("Assets/Light.asset", "w");
    fwrite("\0\0\1\2", 1, 4, f);
    fclose(f);
    put_meta("Assets/Light.asset", GUID_A);
    check_findings("");
    assert_int_equal(report.binary, 1);
}

TEST(components_without_script_are_reported)
{
    put_asset("Assets/Known.cs", GUID_A);
    PUT_PREFAB(FILE_S, GUID_B, OBJECT("10", "A", HAS("11") HAS("12") HAS("13") HAS("14") HAS("15")),
               TRANSFORM("11", "10", "0", NO_CHILDREN), SCRIPT("12", "10", GUID_A, ""),
               SCRIPT("13", "10", GUID_C, "  x: 1\n"), SCRIPT("14", "10", GUID_C, ""),
               COMPONENT("114", "MonoBehaviour", "15", "10", "  m_Script: {fileID: 0}\n"));
    check_findings("missing_script Assets/S.unity:51 unknown script of a component: "
                   "GUID " GUID_C "\n"
                   "missing_script Assets/S.unity:64 unknown script of a component: "
                   "GUID " GUID_C "\n"
                   "missing_script Assets/S.unity:75 this component has no script\n");
}

TEST(missing_objects_are_reported)
{
    put_asset("Assets/Known.cs", GUID_A);
    PUT_PREFAB(FILE_S, GUID_B, OBJECT("10", "A", HAS("11") HAS("12") HAS("99")),
               TRANSFORM("11", "10", "0", NO_CHILDREN),
               SCRIPT("12", "10", GUID_A, "  a: {fileID: 77}\n  b:\n  - {fileID: 77}\n"));
    check_findings("broken_reference Assets/S.unity:13 the file has no object 99\n"
                   "broken_reference Assets/S.unity:40 the file has no object 77 (2 times)\n");
}

TEST(objects_of_prefab_instances_are_found)
{
    put_asset("Assets/Known.cs", GUID_C);
    PUT_PREFAB("Assets/A.prefab", GUID_A, SIMPLE("1", "A", "0", NO_CHILDREN));
    PUT_PREFAB(FILE_S, GUID_B, OBJECT("20", "B", HAS("21") HAS("22")),
               TRANSFORM("21", "20", "0", NO_CHILDREN),
               SCRIPT("22", "20", GUID_C, "  inside: {fileID: 4106}\n  outside: {fileID: 4105}\n"),
               INSTANCE("4096", "0", GUID_A, OVERRIDE("777", GUID_A, "m_Name", "Stale"),
                        "    m_RemovedComponents:\n    - {fileID: 555}\n"));
    check_findings("broken_reference Assets/S.unity:40 the file has no object 4105\n");
}

TEST(unknown_guids_are_reported)
{
    PUT_PREFAB(
        "Assets/A.mat", GUID_A,
        "--- !u!21 &2100000\nMaterial:\n  m_Shader: {fileID: 46, guid: "
        "0000000000000000f000000000000000, type: 0}\n  m_Texture: {fileID: 2800000, guid: " GUID_C
        ", type: 3}\n");
    check_findings("broken_reference Assets/A.mat:6 no asset has the GUID " GUID_C "\n");
}

TEST(unknown_guids_are_unresolved_if_a_package_is_missing)
{
    PUT_PREFAB("Assets/A.mat", GUID_A,
               "--- !u!21 &2100000\nMaterial:\n  m_Texture: {fileID: 2800000, guid: " GUID_C
               ", type: 3}\n");
    put("Packages/manifest.json", "{\"dependencies\": {\"com.example.there\": \"1.0.0\", "
                                  "\"com.unity.modules.ui\": \"1.0.0\"}}");
    check_findings("");
    assert_int_equal(report.unresolved, 1);
    put("Packages/com.example.there/package.json",
        "{\"name\": \"com.example.there\", \"version\": \"1.0.0\"}");
    project_done(&project);
    open_project();
    check_findings("broken_reference Assets/A.mat:5 no asset has the GUID " GUID_C "\n");
}

TEST(duplicate_guids_are_reported)
{
    put_asset("Assets/A.png", GUID_A);
    put_asset("Assets/B.png", GUID_A);
    put_asset("Assets/C.png", GUID_A);
    check_findings(
        "duplicate_guid Assets/B.png.meta:2 duplicate GUID " GUID_A ": Assets/A.png has it, too\n"
        "duplicate_guid Assets/C.png.meta:2 duplicate GUID " GUID_A ": Assets/A.png has it, too\n");
}

struct seen {
    size_t calls, last, total;
};

static void on_progress(size_t done, size_t total, void *ctx)
{
    struct seen *seen = ctx;
    assert_true(done <= total);
    seen->calls++;
    seen->last = done;
    seen->total = total;
}

TEST(results_do_not_depend_on_the_number_of_threads)
{
    char path[64], guid[64];
    for (int i = 0; i < 60; i++) {
        snprintf(path, sizeof path, "Assets/M%02d.mat", i);
        snprintf(guid, sizeof guid, "%032x", i + 1);
        PUT_PREFAB(path, guid, "--- !u!21 &2100000\nMaterial:\n  a: {fileID: 5}\n");
    }
    check_with(1);
    size_t alone = report.count;
    uint64_t bytes = report.bytes;
    struct seen seen = {0};
    check_report_done(&report);
    check_project(&(struct check_options){.project = &project,
                                          .assets = assets,
                                          .threads = 4,
                                          .progress = on_progress,
                                          .ctx = &seen},
                  &report);
    assert_int_equal(alone, 60);
    assert_int_equal(report.count, 60);
    assert_int_equal(report.bytes, bytes);
    assert_true(seen.calls > 0);
    assert_int_equal(seen.last, seen.total);
    assert_int_equal(seen.total, 120);
}

/* The file itself, including one that cannot be read. */
TEST(unreadable_file_has_a_reason)
{
    struct check_file f = {.path = "Assets/None.mat"};
    check_file_read(&f);
    assert_int_equal(f.state, CHECK_FILE_UNREADABLE);
    assert_true(str_find(f.text, STR("No such file")) < f.text.n);
    check_file_done(&f);
}
