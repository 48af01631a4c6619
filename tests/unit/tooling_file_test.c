#include "tooling_file_fixture.h"

/* ---- open */

TEST_FIXTURE(setup, teardown);

TEST(a_missing_file_is_the_default)
{
    open_file();
    assert_true(tooling_file_is_default(f));
    assert_null(tooling_file_error(f));
    check_active("balanced");
    CHECK_CSTR(str_from(tooling_file_path(f)), "tooling.json");
    assert_false(tooling_file_reload(f));
    tooling_file_close(f);
    f = NULL;
    assert_int_equal(rmdir(folder), 0); /* nothing was written */
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chdir(folder), 0);
}

TEST(a_valid_file_is_read_and_kept)
{
    open_with(OTHER);
    assert_false(tooling_file_is_default(f));
    check_active("b");
    check_file("tooling.json.last-good", OTHER);
    assert_int_equal(mode_of("tooling.json.last-good"), 0600);
}

TEST(the_last_valid_copy_is_written_only_when_it_differs)
{
    struct stat before, after;
    open_with(GOOD);
    assert_int_equal(stat("tooling.json.last-good", &before), 0);
    open_file();
    assert_int_equal(stat("tooling.json.last-good", &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_int_equal(chmod("tooling.json.last-good", 0644), 0);
    open_with(OTHER);
    check_file("tooling.json.last-good", OTHER);
    assert_int_equal(mode_of("tooling.json.last-good"), 0600);
}

TEST(an_invalid_file_is_an_error_with_its_line)
{
    put("tooling.json", BROKEN);
    f = tooling_file_open("tooling.json", &err);
    assert_null(f);
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    assert_non_null(strstr(err.text, "tooling.json:1:16: unexpected character"));
    put("tooling.json", BAD);
    assert_null(tooling_file_open("tooling.json", &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), "tooling.json:1:20: /activeProfile: unknown profile \"c\"; "
                                   "allowed: a");
    check_file("tooling.json", BAD);
    assert_false(file_exists("tooling.json.last-good"));
}

TEST(after_a_restart_the_last_valid_one_is_in_use)
{
    open_with(OTHER);
    open_with(BROKEN);
    check_active("b");
    assert_false(tooling_file_is_default(f));
    assert_non_null(tooling_file_error(f));
    assert_int_equal(tooling_file_error(f)->code, ERR_CONFIG_PARSE);
    assert_non_null(strstr(tooling_file_error(f)->text, "tooling.json:1:16: "));
    assert_non_null(strstr(tooling_file_error(f)->text, "the last valid one is in use: "
                                                        "tooling.json.last-good"));
    check_file("tooling.json", BROKEN); /* unchanged */
    check_file("tooling.json.last-good", OTHER);
    put("tooling.json.last-good", "{}");
    assert_null(tooling_file_open("tooling.json", &err));
    assert_non_null(strstr(err.text, "tooling.json:1:16: "));
}

TEST(a_path_that_is_not_a_file_is_an_error)
{
    assert_int_equal(mkdir("tooling.json", 0755), 0);
    assert_null(tooling_file_open("tooling.json", &err));
    assert_int_equal(err.code, ERR_IO);
}

TEST(a_yaml_file_is_known_by_its_name)
{
    put("t.yaml", "profiles:\n  - {id: y, categories: {meta: {candidates: [{tool: mock}]}}}\n");
    f = tooling_file_open("t.yaml", &err);
    assert_non_null(f);
    check_active("y");
    assert_false(tooling_file_set_profile(f, STR("y"), &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
}

/* ---- home */

static void check_home(const char *want)
{
    struct buf home = {0};
    must(tooling_home(&home, false, &err));
    CHECK_CSTR(buf_str(&home), want);
    buf_done(&home);
}

TEST(home_comes_from_the_environment)
{
    struct buf home = {0}, want = {0};
    setenv("MULTIVERSE_HOME", "/x/y//", 1);
    check_home("/x/y");
    setenv("MULTIVERSE_HOME", "rel/home", 1);
    buf_printf(&want, "%s/rel/home", folder);
    check_home(want.p);
    must(tooling_home(&home, true, &err));
    assert_int_equal(mode_of("rel/home"), 0700);
    must(tooling_home(&home, true, &err)); /* it exists */
    assert_int_equal(chmod("rel/home", 0755), 0);
    must(tooling_home(&home, true, &err));
    assert_int_equal(mode_of("rel/home"), 0755); /* a path that the user gave is used as it is */
    setenv("MULTIVERSE_HOME", "", 1);
    setenv("HOME", "/some/one", 1);
    check_home("/some/one/.multiverse");
    put("file", "");
    setenv("MULTIVERSE_HOME", "file", 1);
    assert_false(tooling_home(&home, true, &err));
    assert_int_equal(err.code, ERR_IO);
    buf_done(&home);
    buf_done(&want);
}

TEST(the_users_file_is_created_in_private_folders)
{
    setenv("MULTIVERSE_HOME", "place", 1);
    f = tooling_file_open(NULL, &err);
    assert_non_null(f);
    assert_true(str_ends(str_from(tooling_file_path(f)), STR("/place/config/tooling.json")));
    assert_false(file_exists("place"));
    must(tooling_file_set_profile(f, STR("fast"), &err));
    assert_int_equal(mode_of("place/config"), 0700);
    assert_int_equal(mode_of("place/config/tooling.json"), 0600);
    check_active("fast");
    assert_false(tooling_file_is_default(f));
}

/* ---- reload */

TEST(an_invalid_file_never_replaces_a_valid_one)
{
    open_with(GOOD);
    struct tooling *before = tooling_ref(tooling_file_current(f));
    put("tooling.json", BAD);
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_int_equal(tooling_file_error(f)->code, ERR_CONFIG_VALIDATION);
    assert_non_null(strstr(tooling_file_error(f)->text, "tooling.json:1:20: /activeProfile: "));
    put("tooling.json", BROKEN);
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_int_equal(tooling_file_error(f)->code, ERR_CONFIG_PARSE);
    check_file("tooling.json.last-good", GOOD);
    put("tooling.json", GOOD); /* the old text again */
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_null(tooling_file_error(f));
    put("tooling.json", OTHER);
    assert_true(tooling_file_reload(f));
    check_active("b");
    CHECK_CSTR(before->active->id, "a"); /* holders of the old one keep it */
    tooling_unref(before);
}

TEST(a_file_may_be_removed_and_created_again)
{
    open_with(GOOD);
    assert_int_equal(unlink("tooling.json"), 0);
    assert_true(tooling_file_reload(f));
    assert_true(tooling_file_is_default(f));
    check_active("balanced");
    assert_false(tooling_file_reload(f));
    put("tooling.json", BROKEN);
    assert_false(tooling_file_reload(f));
    assert_non_null(tooling_file_error(f));
    check_active("balanced");
    put("tooling.json", GOOD);
    assert_true(tooling_file_reload(f));
    assert_false(tooling_file_is_default(f));
    assert_null(tooling_file_error(f));
    check_active("a");
    assert_int_equal(unlink("tooling.json"), 0);
    assert_int_equal(mkdir("tooling.json", 0755), 0);
    assert_false(tooling_file_reload(f));
    assert_int_equal(tooling_file_error(f)->code, ERR_IO);
    check_active("a");
    assert_false(tooling_file_set_profile(f, STR("b"), &err));
    assert_int_equal(err.code, ERR_IO);
}

/* Two texts of the same length, written at the same moment: times and size may be equal. */
TEST(a_change_within_the_clock_resolution_is_seen)
{
    open_with("{ \"activeProfile\": \"a\", \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n");
    for (int i = 0; i < 50; i++) {
        put("tooling.json", OTHER);
        assert_true(tooling_file_reload(f));
        put("tooling.json",
            "{ \"activeProfile\": \"a\", \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n");
        assert_true(tooling_file_reload(f));
    }
    assert_false(tooling_file_reload(f));
}

/* ---- watch */

static struct loop *loop;
static struct timer guard;
static size_t calls;
static bool close_in_callback;

static void on_changed(void *ctx)
{
    assert_ptr_equal(ctx, &calls);
    calls++;
    loop_stop(loop);
    if (close_in_callback) {
        tooling_file_close(f);
        f = NULL;
    }
}

static void on_too_long(void *ctx)
{
    (void)ctx;
    fail_msg("no change was told");
}

static void wait_for_change(void)
{
    size_t before = calls;
    timer_start(&guard, loop, test_left_ms(), on_too_long, NULL);
    loop_run(loop);
    timer_stop(&guard);
    assert_int_equal(calls, before + 1);
}

TEST(changes_are_reported_in_the_loop)
{
    loop = loop_new();
    calls = 0;
    close_in_callback = false;
    open_with(GOOD);
    put("tooling.json", OTHER); /* between opening and watching */
    tooling_file_watch(f, loop, on_changed, &calls);
    wait_for_change();
    check_active("b");
    put("new", BAD); /* the way editors write */
    assert_int_equal(rename("new", "tooling.json"), 0);
    wait_for_change();
    assert_non_null(tooling_file_error(f));
    check_active("b");
    put("new", OTHER);
    assert_int_equal(rename("new", "tooling.json"), 0);
    wait_for_change();
    assert_null(tooling_file_error(f));
    assert_int_equal(unlink("tooling.json"), 0);
    wait_for_change();
    assert_true(tooling_file_is_default(f));
    close_in_callback = true;
    put("new", GOOD);
    assert_int_equal(rename("new", "tooling.json"), 0);
    wait_for_change();
    assert_null(f);
    loop_free(loop);
}

TEST(a_file_created_later_is_reported)
{
    loop = loop_new();
    calls = 0;
    close_in_callback = false;
    f = tooling_file_open("place/config/tooling.json", &err);
    assert_non_null(f);
    tooling_file_watch(f, loop, on_changed, &calls);
    assert_int_equal(mkdir("place", 0700), 0);
    assert_int_equal(mkdir("place/config", 0700), 0);
    put("place/config/new", OTHER);
    assert_int_equal(rename("place/config/new", "place/config/tooling.json"), 0);
    wait_for_change();
    check_active("b");
    tooling_file_close(f);
    f = NULL;
    loop_free(loop);
}

TEST(the_text_is_available_valid_or_not)
{
    open_file();
    assert_true(str_eq(tooling_file_text(f), tooling_default_text()));
    open_with(GOOD);
    CHECK_CSTR(tooling_file_text(f), GOOD);
    open_with(BROKEN); /* the last valid one is in use */
    CHECK_CSTR(tooling_file_text(f), BROKEN);
    open_with("");
    assert_true(tooling_file_text(f).p && tooling_file_text(f).n == 0);
    assert_int_equal(unlink("tooling.json"), 0);
    assert_int_equal(mkdir("tooling.json", 0700), 0);
    open_file();
    assert_null(tooling_file_text(f).p);
}
