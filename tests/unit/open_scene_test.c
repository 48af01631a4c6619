#include "editor/open_scene.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "editor_scene.h"
#include "project_fixture.h"

#define MAIN  "Assets/Main.unity"
#define OTHER "Assets/Other.unity"

static struct assets *assets;
static struct scenes *scenes;
static struct open_scene *opened;
static struct editor_error failure;

static void open_main(bool manual)
{
    put(MAIN, SCENE_TEXT);
    put_meta(MAIN, "0000000000000000000000000000000a");
    put(OTHER, SCENE_OTHER);
    put_meta(OTHER, "0000000000000000000000000000000b");
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.56f1\n");
    open_project();
    assets = assets_open(&project, &sink);
    scenes = scenes_new(&project, assets, &sink);
    opened = open_scene_new(&(struct open_scene_options){.project = &project,
                                                         .scenes = scenes,
                                                         .assets = assets,
                                                         .save_manual = manual,
                                                         .sink = &sink});
    if (!open_scene_load(opened, STR(MAIN), false, &failure))
        fail_msg("%s", failure.text);
    buf_clear(&notes);
}

static int close_main(void **state)
{
    open_scene_free(opened);
    if (scenes)
        scenes_free(scenes);
    assets_close(assets);
    editor_error_done(&failure);
    opened = NULL;
    scenes = NULL;
    assets = NULL;
    return teardown(state);
}

static void check_file(const char *path, const char *want)
{
    struct buf got = {0};
    assert_true(file_read(path, 1 << 20, &got, &err));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

/* The scene with another mass. */
static const char *with_mass(const char *mass)
{
    static char text[2 * sizeof SCENE_TEXT];
    const char *at = strstr(SCENE_TEXT, "m_Mass: 1\n");
    snprintf(text, sizeof text, "%.*sm_Mass: %s\n%s", (int)(at - SCENE_TEXT), SCENE_TEXT, mass,
             at + strlen("m_Mass: 1\n"));
    return text;
}

static struct str text_now(void)
{
    const struct scene *s = open_scene_get(opened, &failure);
    if (!s)
        fail_msg("%s", failure.text);
    return s->file.text;
}

static bool set_mass(const char *mass)
{
    const struct scene *s = open_scene_get(opened, &failure);
    struct yaml_edit edit = {0};
    if (!s)
        fail_msg("%s", failure.text);
    size_t at = str_find(s->file.text, STR("m_Mass: ")) + strlen("m_Mass: ");
    struct str old = str_skip(s->file.text, at);
    yaml_edit_replace(&edit, &s->file, str_head(old, str_find_char(old, '\n')), str_from(mass));
    struct open_scene_step step = {STR("manage_component: update"), STR("manage_component")};
    bool ok = open_scene_apply(opened, &edit, step, &failure);
    assert_int_equal(edit.count, 0); /* taken in any case */
    yaml_edit_done(&edit);
    return ok;
}

#define APPLY(mass)                                                                                \
    do {                                                                                           \
        if (!set_mass(mass))                                                                       \
            fail_msg("%s", failure.text);                                                          \
    } while (0)
#define FAILS(call, want)                                                                          \
    do {                                                                                           \
        assert_false(call);                                                                        \
        CHECK_CSTR(str_from(failure.code), want);                                                  \
    } while (0)

static void undo(void)
{
    struct open_scene_step step = {0};
    if (!open_scene_undo(opened, &step, &failure))
        fail_msg("%s %s", failure.code, failure.text);
    CHECK_STR(step.name, STR("manage_component: update"));
    CHECK_STR(step.tool, STR("manage_component"));
}

static void redo(void)
{
    struct open_scene_step step = {0};
    if (!open_scene_redo(opened, &step, &failure))
        fail_msg("%s %s", failure.code, failure.text);
    CHECK_STR(step.tool, STR("manage_component"));
}

/* ---- opening */

TEST_FIXTURE(setup, close_main);

TEST(without_a_scene_every_function_fails)
{
    struct yaml_edit edit = {0};
    struct open_scene_step step;
    size_t bytes;
    open_project();
    opened = open_scene_new(&(struct open_scene_options){.project = &project});
    assert_true(str_is_empty(open_scene_path(opened)));
    assert_false(open_scene_is_dirty(opened));
    FAILS(open_scene_get(opened, &failure), "ERR_NO_SCENE");
    FAILS(open_scene_apply(opened, &edit, (struct open_scene_step){0}, &failure), "ERR_NO_SCENE");
    FAILS(open_scene_save(opened, &bytes, &failure), "ERR_NO_SCENE");
    FAILS(open_scene_undo(opened, &step, &failure), "");
    FAILS(open_scene_redo(opened, &step, &failure), "");
}

TEST(failed_load_keeps_the_open_scene)
{
    open_main(false);
    put("Assets/Broken.unity", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    assert_int_equal(mkdir("Assets/Folder.unity", 0755), 0);
    APPLY("2");
    FAILS(open_scene_load(opened, STR("Assets/Nowhere.unity"), false, &failure),
          "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("Assets/Folder.unity"), false, &failure),
          "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("../a.unity"), false, &failure), "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("/etc/passwd"), false, &failure), "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("Assets//Main.unity"), false, &failure),
          "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("Assets/../Assets/Main.unity"), false, &failure),
          "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR(""), false, &failure), "ERR_SCENE_NOT_FOUND");
    FAILS(open_scene_load(opened, STR("Assets/Broken.unity"), false, &failure),
          "ERR_SCENE_UNREADABLE");
    assert_non_null(strstr(failure.text, "Broken.unity"));
    CHECK_STR(open_scene_path(opened), STR(MAIN));
    assert_int_equal(open_scene_undo_count(opened), 1);
    CHECK_CSTR(text_now(), with_mass("2"));
}

TEST(loading_another_scene_clears_the_history)
{
    open_main(false);
    APPLY("2");
    uint64_t generation = open_scene_generation(opened);
    assert_true(open_scene_load(opened, STR(OTHER), false, &failure));
    assert_int_not_equal(open_scene_generation(opened), generation);
    CHECK_STR(open_scene_path(opened), STR(OTHER));
    assert_int_equal(open_scene_undo_count(opened), 0);
    CHECK_CSTR(text_now(), SCENE_OTHER);
}

TEST(load_refuses_to_lose_unsaved_changes)
{
    open_main(true);
    APPLY("2");
    FAILS(open_scene_load(opened, STR(OTHER), false, &failure), "ERR_UNSAVED_CHANGES");
    FAILS(open_scene_load(opened, STR(MAIN), false, &failure), "ERR_UNSAVED_CHANGES");
    CHECK_CSTR(text_now(), with_mass("2"));
    assert_true(open_scene_load(opened, STR(MAIN), true, &failure));
    CHECK_CSTR(text_now(), SCENE_TEXT);
    assert_false(open_scene_is_dirty(opened));
}

/* ---- changing */

TEST(edit_is_saved_at_once)
{
    open_main(false);
    assert_int_equal(chmod(MAIN, 0640), 0);
    APPLY("2.5");
    check_file(MAIN, with_mass("2.5"));
    assert_false(open_scene_is_dirty(opened));
    CHECK_CSTR(text_now(), with_mass("2.5"));
    CHECK_STR(open_scene_last(opened), STR("manage_component: update"));
    struct stat st;
    assert_int_equal(stat(MAIN, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    size_t bytes = 7;
    assert_true(open_scene_save(opened, &bytes, &failure));
    assert_int_equal(bytes, 0); /* there was nothing to save */
}

TEST(undo_and_redo_are_byte_exact)
{
    struct open_scene_step step;
    open_main(false);
    APPLY("2");
    APPLY("3");
    APPLY("30.25");
    undo();
    check_file(MAIN, with_mass("3"));
    undo();
    undo();
    check_file(MAIN, SCENE_TEXT);
    assert_int_equal(open_scene_undo_count(opened), 0);
    assert_int_equal(open_scene_redo_count(opened), 3);
    FAILS(open_scene_undo(opened, &step, &failure), "");
    redo();
    redo();
    redo();
    check_file(MAIN, with_mass("30.25"));
    FAILS(open_scene_redo(opened, &step, &failure), "");
    undo();
    APPLY("7"); /* drops the undone steps */
    assert_int_equal(open_scene_redo_count(opened), 0);
    FAILS(open_scene_redo(opened, &step, &failure), "");
    undo();
    undo();
    undo();
    check_file(MAIN, SCENE_TEXT);
}

TEST(edit_without_a_change_makes_no_step)
{
    struct yaml_edit none = {0};
    struct stat before, after;
    open_main(false);
    assert_int_equal(stat(MAIN, &before), 0);
    APPLY("1");
    assert_true(open_scene_apply(opened, &none, (struct open_scene_step){0}, &failure));
    assert_int_equal(open_scene_undo_count(opened), 0);
    assert_int_equal(open_scene_edits(opened), 0);
    assert_int_equal(stat(MAIN, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* the file was not written */
}

TEST(text_that_is_not_a_scene_is_not_written)
{
    struct yaml_edit edit = {0};
    open_main(false);
    const struct scene *s = open_scene_get(opened, &failure);
    yaml_edit_replace(&edit, &s->file, str_head(s->file.text, 9), STR("something"));
    FAILS(open_scene_apply(opened, &edit, (struct open_scene_step){0}, &failure),
          "ERR_EDIT_FAILED");
    check_file(MAIN, SCENE_TEXT);
    CHECK_CSTR(text_now(), SCENE_TEXT);
    assert_int_equal(open_scene_undo_count(opened), 0);
}

TEST(manual_save_writes_the_file_on_request)
{
    size_t bytes;
    open_main(true);
    APPLY("2");
    assert_true(open_scene_is_dirty(opened));
    check_file(MAIN, SCENE_TEXT);
    CHECK_CSTR(text_now(), with_mass("2"));
    assert_true(open_scene_save(opened, &bytes, &failure));
    assert_int_equal(bytes, strlen(with_mass("2")));
    assert_false(open_scene_is_dirty(opened));
    check_file(MAIN, with_mass("2"));
    undo(); /* differs from the file again */
    assert_true(open_scene_is_dirty(opened));
    check_file(MAIN, with_mass("2"));
    redo(); /* and is equal again */
    assert_false(open_scene_is_dirty(opened));
    undo();
    APPLY("5"); /* the saved state cannot be reached any more */
    undo();
    assert_true(open_scene_is_dirty(opened));
    assert_true(open_scene_save(opened, &bytes, &failure));
    check_file(MAIN, SCENE_TEXT);
}

TEST(history_is_limited)
{
    open_main(true);
    for (unsigned i = 0; i < 1010; i++) {
        char mass[16];
        snprintf(mass, sizeof mass, "%u", 100 + i);
        APPLY(mass);
    }
    assert_int_equal(open_scene_undo_count(opened), 1000);
    for (unsigned i = 0; i < 1000; i++)
        undo();
    CHECK_CSTR(text_now(), with_mass("109"));
    assert_true(open_scene_is_dirty(opened)); /* the file is ten steps before the oldest one */
}

TEST(large_edit_is_kept_only_if_it_fits)
{
    struct yaml_edit edit = {0};
    struct buf name = {0};
    open_main(true);
    APPLY("2");
    const struct scene *s = open_scene_get(opened, &failure);
    size_t at = str_find(s->file.text, STR("Player"));
    for (size_t i = 0; i < 70u << 20; i += 64)
        buf_add(&name, STR("0123456789012345678901234567890123456789012345678901234567890123"));
    yaml_edit_replace(&edit, &s->file, str_make(s->file.text.p + at, 6), buf_str(&name));
    if (!open_scene_apply(opened, &edit, (struct open_scene_step){STR("x"), STR("y")}, &failure))
        fail_msg("%s", failure.text);
    assert_int_equal(open_scene_undo_count(opened), 0);
    assert_true(open_scene_is_dirty(opened));
    buf_done(&name);
}

/* ---- the world outside */

TEST(changed_file_is_reloaded)
{
    open_main(false);
    APPLY("2");
    put(MAIN, with_mass("9"));
    CHECK_CSTR(text_now(), with_mass("9"));
    assert_int_equal(open_scene_undo_count(opened), 0);
    CHECK_CSTR(buf_str(&notes),
               "Assets/Main.unity:0 the scene changed on disk: reloaded, undo history cleared\n");
    APPLY("10");
    check_file(MAIN, with_mass("10"));
}

/* The same size, and the same times as far as the file system stores them. */
TEST(change_without_new_times_is_noticed)
{
    struct stat st;
    open_main(false);
    APPLY("2");
    assert_int_equal(stat(MAIN, &st), 0);
    FILE *f = fopen(MAIN, "r+");
    assert_non_null(f);
    fputs(with_mass("3"), f);
    assert_int_equal(fclose(f), 0);
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, MAIN, times, 0), 0);
    CHECK_CSTR(text_now(), with_mass("3"));
}

TEST(touched_file_is_not_reloaded)
{
    open_main(false);
    APPLY("2");
    put(MAIN, with_mass("2"));
    CHECK_CSTR(text_now(), with_mass("2"));
    assert_int_equal(open_scene_undo_count(opened), 1);
    undo();
    check_file(MAIN, SCENE_TEXT);
}

TEST(change_between_read_and_write_is_a_conflict)
{
    struct yaml_edit edit = {0};
    struct open_scene_step step;
    open_main(false);
    APPLY("2");
    const struct scene *s = open_scene_get(opened, &failure);
    yaml_edit_replace(&edit, &s->file, str_head(s->file.text, 9), STR("%YAML 1.2"));
    put(MAIN, with_mass("9"));
    FAILS(open_scene_apply(opened, &edit, (struct open_scene_step){0}, &failure), "ERR_CONFLICT");
    FAILS(open_scene_undo(opened, &step, &failure), "ERR_CONFLICT");
    check_file(MAIN, with_mass("9"));
    APPLY("11"); /* reads the file again first */
    check_file(MAIN, with_mass("11"));
}

TEST(change_on_disk_with_unsaved_changes_is_a_conflict)
{
    struct open_scene_step step;
    size_t bytes;
    open_main(true);
    APPLY("2");
    put(MAIN, with_mass("9"));
    CHECK_CSTR(text_now(), with_mass("2")); /* reading still works */
    FAILS(set_mass("3"), "ERR_CONFLICT");
    FAILS(open_scene_undo(opened, &step, &failure), "ERR_CONFLICT");
    FAILS(open_scene_save(opened, &bytes, &failure), "ERR_CONFLICT");
    check_file(MAIN, with_mass("9"));
    assert_true(open_scene_load(opened, STR(MAIN), true, &failure));
    CHECK_CSTR(text_now(), with_mass("9"));
    APPLY("3");
    assert_true(open_scene_save(opened, &bytes, &failure));
    check_file(MAIN, with_mass("3"));
}

TEST(repaired_file_is_read_again)
{
    struct yaml_edit edit = {0};
    open_main(false);
    put(MAIN, "nothing of the kind\n");
    FAILS(open_scene_get(opened, &failure), "ERR_SCENE_UNREADABLE");
    FAILS(open_scene_apply(opened, &edit, (struct open_scene_step){0}, &failure), "ERR_NO_SCENE");
    assert_int_equal(unlink(MAIN), 0);
    FAILS(open_scene_get(opened, &failure), "ERR_SCENE_NOT_FOUND");
    put(MAIN, with_mass("4"));
    CHECK_CSTR(text_now(), with_mass("4"));
    CHECK_STR(open_scene_path(opened), STR(MAIN));
}

/* ---- what is new */

TEST(changes_of_the_scene_are_counted)
{
    struct editor_error none = {0};
    open_main(false);
    uint64_t n = open_scene_changes(opened);
    APPLY("2");
    assert_int_equal(open_scene_changes(opened), n + 1);
    APPLY("2"); /* nothing changes */
    text_now();
    assert_int_equal(open_scene_changes(opened), n + 1);
    undo();
    assert_int_equal(open_scene_changes(opened), n + 2);
    redo();
    assert_int_equal(open_scene_changes(opened), n + 3);
    assert_true(open_scene_load(opened, STR(OTHER), false, &none));
    assert_int_equal(open_scene_changes(opened), n + 4);
    assert_false(open_scene_load(opened, STR("Assets/None.unity"), false, &failure));
    assert_int_equal(open_scene_changes(opened), n + 4);
}

TEST(change_on_disk_counts_once)
{
    struct editor_error none = {0};
    open_main(false);
    uint64_t n = open_scene_changes(opened);
    APPLY("2");
    open_scene_touch_file(opened); /* its own write */
    assert_int_equal(open_scene_changes(opened), n + 1);
    put(MAIN, with_mass("9"));
    open_scene_touch_file(opened);
    assert_int_equal(open_scene_changes(opened), n + 2);
    text_now();
    open_scene_touch_file(opened); /* already known */
    assert_int_equal(open_scene_changes(opened), n + 2);
    open_scene_touch(opened); /* a prefab */
    assert_int_equal(open_scene_changes(opened), n + 3);
    assert_true(open_scene_load(opened, STR(OTHER), false, &none)); /* another scene */
    assert_int_equal(open_scene_changes(opened), n + 4);
    put(OTHER, SCENE_TEXT); /* without a watch it is counted when it is read */
    text_now();
    assert_int_equal(open_scene_changes(opened), n + 5);
}

TEST(unreadable_scene_counts_once)
{
    open_main(false);
    uint64_t n = open_scene_changes(opened);
    put(MAIN, "nothing of the kind\n");
    FAILS(open_scene_get(opened, &failure), "ERR_SCENE_UNREADABLE");
    uint64_t generation = open_scene_generation(opened);
    FAILS(open_scene_get(opened, &failure), "ERR_SCENE_UNREADABLE");
    assert_int_equal(open_scene_changes(opened), n + 1);
    assert_int_equal(open_scene_generation(opened), generation);
    put(MAIN, with_mass("4"));
    open_scene_touch_file(opened);
    assert_int_equal(open_scene_changes(opened), n + 2);
    text_now();
    assert_int_equal(open_scene_changes(opened), n + 2);
}

TEST(unsaved_changes_hide_the_file)
{
    open_main(true);
    APPLY("2");
    uint64_t n = open_scene_changes(opened);
    put(MAIN, with_mass("9"));
    open_scene_touch_file(opened);
    text_now();
    assert_int_equal(open_scene_changes(opened), n);
}

TEST(locked_project_is_not_written)
{
    struct open_scene_step step;
    size_t bytes;
    int ready[2], end[2];
    char c;
    open_main(true);
    APPLY("2");
    put("Temp/UnityLockfile", "");
    assert_true(pipe(ready) == 0 && pipe(end) == 0);
    pid_t unity = fork();
    if (unity == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int fd = open("Temp/UnityLockfile", O_RDWR);
        close(end[1]);
        if (fcntl(fd, F_SETLK, &lock) != 0 || write(ready[1], "x", 1) != 1)
            _exit(1);
        (void)!read(end[0], &c, 1);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    CHECK_CSTR(text_now(), with_mass("2"));
    FAILS(set_mass("3"), "ERR_PROJECT_LOCKED");
    FAILS(open_scene_undo(opened, &step, &failure), "ERR_PROJECT_LOCKED");
    FAILS(open_scene_save(opened, &bytes, &failure), "ERR_PROJECT_LOCKED");
    check_file(MAIN, SCENE_TEXT);
    for (size_t i = 0; i < 2; i++) {
        close(end[i]);
        close(ready[i]);
    }
    assert_int_equal(waitpid(unity, NULL, 0), unity);
    assert_true(open_scene_save(opened, &bytes, &failure));
    check_file(MAIN, with_mass("2"));
}

TEST(scene_outside_the_project_is_read_only)
{
    char outside[] = "/tmp/multiverse_outside.XXXXXX";
    open_main(false);
    int fd = mkstemp(outside);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, SCENE_TEXT, strlen(SCENE_TEXT)), strlen(SCENE_TEXT));
    close(fd);
    assert_int_equal(symlink(outside, "Assets/Linked.unity"), 0);
    assert_true(open_scene_load(opened, STR("Assets/Linked.unity"), false, &failure));
    FAILS(set_mass("3"), "ERR_OUTSIDE_PROJECT");
    CHECK_CSTR(text_now(), SCENE_TEXT);
    check_file(outside, SCENE_TEXT);
    unlink(outside);
}

/* Not for root, which may write everywhere; the full disk below also works for root. */
TEST(failed_write_changes_nothing)
{
    if (geteuid() == 0)
        skip();
    open_main(false);
    APPLY("2");
    assert_int_equal(chmod("Assets", 0555), 0);
    FAILS(set_mass("3"), "ERR_IO");
    assert_non_null(strstr(failure.text, "Main.unity"));
    check_file(MAIN, with_mass("2"));
    CHECK_CSTR(text_now(), with_mass("2"));
    assert_int_equal(open_scene_undo_count(opened), 1);
    assert_int_equal(chmod("Assets", 0755), 0);
    APPLY("3");
    check_file(MAIN, with_mass("3"));
}

/* Disk full: the size limit is the current size of the file. */
TEST(full_disk_changes_nothing)
{
    struct rlimit old, limit;
    open_main(false);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = strlen(SCENE_TEXT);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool failed = !set_mass("1234567");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_true(failed);
    CHECK_CSTR(str_from(failure.code), "ERR_IO");
    check_file(MAIN, SCENE_TEXT);
    CHECK_CSTR(text_now(), SCENE_TEXT);
    assert_int_equal(open_scene_undo_count(opened), 0);
    APPLY("1234567");
    check_file(MAIN, with_mass("1234567"));
}
