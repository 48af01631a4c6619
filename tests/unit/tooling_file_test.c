#include "tooling/tooling_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

#define TOO_LONG_MS 30000

#define PROFILE(id)                                                                                \
    "{ \"id\": \"" id                                                                              \
    "\", \"categories\": { \"meta\": { \"candidates\": [{ \"tool\": \"mock\" }] } } }"
#define GOOD   "{ \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n"
#define OTHER  "{ \"activeProfile\": \"b\", \"profiles\": [" PROFILE("a") ", " PROFILE("b") "] }\n"
#define BAD    "{ \"activeProfile\": \"c\", \"profiles\": [" PROFILE("a") "] }\n"
#define BROKEN "{ \"profiles\": [,] }\n"

/* Every test has a folder of its own and works in it. */
static char folder[64];
static struct error err;
static struct tooling_file *f;

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tooling_file_test.XXXXXX");
    err = (struct error){0};
    f = NULL;
    umask(022);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    char command[128];
    (void)state;
    tooling_file_close(f);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static void check_file(const char *path, const char *want)
{
    struct buf text = {0};
    if (!file_read(path, 1 << 20, &text, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&text), want);
    buf_done(&text);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void open_file(void)
{
    tooling_file_close(f);
    f = tooling_file_open("tooling.json", &err);
    if (!f)
        fail_msg("%s", err.text);
}

static void open_with(const char *text)
{
    put("tooling.json", text);
    open_file();
}

static void check_active(const char *want)
{
    CHECK_CSTR(tooling_file_current(f)->active->id, want);
}

static void must(bool ok)
{
    if (!ok)
        fail_msg("%s", err.text);
}

/* ---- open */

static void a_missing_file_is_the_default(void **state)
{
    (void)state;
    open_file();
    assert_true(tooling_file_is_default(f));
    assert_null(tooling_file_fault(f));
    check_active("balanced");
    CHECK_CSTR(str_from(tooling_file_path(f)), "tooling.json");
    assert_false(tooling_file_reload(f));
    tooling_file_close(f);
    f = NULL;
    assert_int_equal(rmdir(folder), 0); /* nothing was written */
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chdir(folder), 0);
}

static void a_good_file_is_read_and_kept(void **state)
{
    (void)state;
    open_with(OTHER);
    assert_false(tooling_file_is_default(f));
    check_active("b");
    check_file("tooling.json.last-good", OTHER);
    assert_int_equal(mode_of("tooling.json.last-good"), 0600);
}

static void the_last_good_one_is_only_written_when_it_differs(void **state)
{
    struct stat before, after;
    (void)state;
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

static void a_wrong_file_is_a_fault_with_its_line(void **state)
{
    (void)state;
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

static void after_a_restart_the_last_good_one_is_in_use(void **state)
{
    (void)state;
    open_with(OTHER);
    open_with(BROKEN);
    check_active("b");
    assert_false(tooling_file_is_default(f));
    assert_non_null(tooling_file_fault(f));
    assert_int_equal(tooling_file_fault(f)->code, ERR_CONFIG_PARSE);
    assert_non_null(strstr(tooling_file_fault(f)->text, "tooling.json:1:16: "));
    assert_non_null(strstr(tooling_file_fault(f)->text, "in use is the last good one, "
                                                        "tooling.json.last-good"));
    check_file("tooling.json", BROKEN); /* untouched */
    check_file("tooling.json.last-good", OTHER);
    put("tooling.json.last-good", "{}");
    assert_null(tooling_file_open("tooling.json", &err));
    assert_non_null(strstr(err.text, "tooling.json:1:16: "));
}

static void what_is_no_file_is_a_fault(void **state)
{
    (void)state;
    assert_int_equal(mkdir("tooling.json", 0755), 0);
    assert_null(tooling_file_open("tooling.json", &err));
    assert_int_equal(err.code, ERR_IO);
}

static void yaml_is_read_by_its_name(void **state)
{
    (void)state;
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

static void home_is_where_the_environment_says(void **state)
{
    struct buf home = {0}, want = {0};
    (void)state;
    setenv("MULTIVERSE_HOME", "/x/y//", 1);
    check_home("/x/y");
    setenv("MULTIVERSE_HOME", "rel/home", 1);
    buf_printf(&want, "%s/rel/home", folder);
    check_home(want.p);
    must(tooling_home(&home, true, &err));
    assert_int_equal(mode_of("rel/home"), 0700);
    must(tooling_home(&home, true, &err)); /* it is there */
    assert_int_equal(chmod("rel/home", 0755), 0);
    must(tooling_home(&home, true, &err));
    assert_int_equal(mode_of("rel/home"), 0755); /* whoever opened it meant it */
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

static void the_users_own_file_is_made_in_private_folders(void **state)
{
    (void)state;
    setenv("MULTIVERSE_HOME", "home", 1);
    f = tooling_file_open(NULL, &err);
    assert_non_null(f);
    assert_true(str_ends(str_from(tooling_file_path(f)), STR("/home/config/tooling.json")));
    assert_false(file_exists("home"));
    must(tooling_file_set_profile(f, STR("fast"), &err));
    assert_int_equal(mode_of("home/config"), 0700);
    assert_int_equal(mode_of("home/config/tooling.json"), 0600);
    check_active("fast");
    assert_false(tooling_file_is_default(f));
}

/* ---- reload */

static void a_bad_file_never_replaces_a_good_one(void **state)
{
    (void)state;
    open_with(GOOD);
    struct tooling *before = tooling_ref(tooling_file_current(f));
    put("tooling.json", BAD);
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_int_equal(tooling_file_fault(f)->code, ERR_CONFIG_VALIDATION);
    assert_non_null(strstr(tooling_file_fault(f)->text, "tooling.json:1:20: /activeProfile: "));
    put("tooling.json", BROKEN);
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_int_equal(tooling_file_fault(f)->code, ERR_CONFIG_PARSE);
    check_file("tooling.json.last-good", GOOD);
    put("tooling.json", GOOD); /* back to what it was */
    assert_false(tooling_file_reload(f));
    assert_ptr_equal(tooling_file_current(f), before);
    assert_null(tooling_file_fault(f));
    put("tooling.json", OTHER);
    assert_true(tooling_file_reload(f));
    check_active("b");
    CHECK_CSTR(before->active->id, "a"); /* whoever holds the old one keeps it */
    tooling_unref(before);
}

static void a_file_may_go_and_come_again(void **state)
{
    (void)state;
    open_with(GOOD);
    assert_int_equal(unlink("tooling.json"), 0);
    assert_true(tooling_file_reload(f));
    assert_true(tooling_file_is_default(f));
    check_active("balanced");
    assert_false(tooling_file_reload(f));
    put("tooling.json", BROKEN);
    assert_false(tooling_file_reload(f));
    assert_non_null(tooling_file_fault(f));
    check_active("balanced");
    put("tooling.json", GOOD);
    assert_true(tooling_file_reload(f));
    assert_false(tooling_file_is_default(f));
    assert_null(tooling_file_fault(f));
    check_active("a");
    assert_int_equal(unlink("tooling.json"), 0);
    assert_int_equal(mkdir("tooling.json", 0755), 0);
    assert_false(tooling_file_reload(f));
    assert_int_equal(tooling_file_fault(f)->code, ERR_IO);
    check_active("a");
    assert_false(tooling_file_set_profile(f, STR("b"), &err));
    assert_int_equal(err.code, ERR_IO);
}

/* Two texts of one length, written in one moment: times and size may well be the same. */
static void a_change_in_the_same_moment_is_seen(void **state)
{
    (void)state;
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

/* ---- changes */

static void a_change_leaves_the_rest_of_the_text_alone(void **state)
{
    (void)state;
    open_with("{\n\t\"mine\" : {\"x\":[1, 2 ]},\r\n  \"active_profile\":\"a\" ,\n"
              "  \"profiles\": [" PROFILE("a") ",\n" PROFILE("b") "], \"zz\": 1e2\n}");
    must(tooling_file_set_profile(f, STR("b"), &err));
    check_file("tooling.json",
               "{\n\t\"mine\" : {\"x\":[1, 2 ]},\r\n  \"active_profile\":\"b\" ,\n"
               "  \"profiles\": [" PROFILE("a") ",\n" PROFILE("b") "], \"zz\": 1e2\n}");
    check_active("b");
    assert_int_equal(mode_of("tooling.json"), 0644); /* its own */
    assert_false(tooling_file_reload(f));
    struct tooling_file_force force = {true, STR("codex-cli"), STR("gpt-5.2")};
    must(tooling_file_set_force(f, &force, &err));
    check_file("tooling.json",
               "{\n\t\"mine\" : {\"x\":[1, 2 ]},\r\n  \"active_profile\":\"b\" ,\n"
               "  \"profiles\": [" PROFILE("a") ",\n" PROFILE(
                   "b") "], \"zz\": 1e2, \"force\": "
                        "{\"enabled\": true, \"tool\": \"codex-cli\", \"model\": \"gpt-5.2\"}\n}");
    assert_true(tooling_file_current(f)->forced);
    struct buf kept = {0};
    must(file_read("tooling.json", 1 << 20, &kept, &err));
    check_file("tooling.json.last-good", kept.p);
    buf_done(&kept);
}

static void a_missing_file_is_written_whole(void **state)
{
    (void)state;
    open_file();
    must(tooling_file_set_profile(f, STR("balanced"), &err));
    char *text = str_dup(tooling_default_text());
    check_file("tooling.json", text);
    free(text);
}

static void a_profile_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    open_file();
    assert_false(tooling_file_set_profile(f, STR("fats"), &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    CHECK_CSTR(str_from(err.text), "unknown profile \"fats\", did you mean \"fast\"? allowed: "
                                   "balanced, fast");
    assert_false(file_exists("tooling.json"));
}

static void check_force_refused(struct tooling_file_force force, const char *want)
{
    assert_false(tooling_file_set_force(f, &force, &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    CHECK_CSTR(str_from(err.text), want);
    check_file("tooling.json", GOOD);
}

static void force_needs_a_tool_that_exists(void **state)
{
    (void)state;
    open_with(GOOD);
    check_force_refused(
        (struct tooling_file_force){true, STR("codx-cli"), STR("")},
        "unknown tool \"codx-cli\", did you mean \"codex-cli\"? allowed: codex-cli, "
        "claude-code, gemini-cli, cursor-cli, openai-chat, mock");
    check_force_refused((struct tooling_file_force){.enabled = true},
                        "force needs a tool; allowed: codex-cli, claude-code, gemini-cli, "
                        "cursor-cli, openai-chat, mock");
}

static void force_keeps_its_model_unless_the_tool_changes(void **state)
{
    struct tooling_file_force on = {.enabled = true}, off = {.enabled = false};
    (void)state;
    open_with(
        "{ \"profiles\": [" PROFILE("a") "], \"force\": {\"tool\": \"mock\", \"model\": \"m\","
                                         " \"flags\": [\"-x\"]} }");
    must(tooling_file_set_force(f, &on, &err));
    check_file("tooling.json",
               "{ \"profiles\": [" PROFILE(
                   "a") "], \"force\": {\"tool\": \"mock\", "
                        "\"model\": \"m\", \"flags\": [\"-x\"], \"enabled\": true} }");
    on.tool = STR("mock");
    must(tooling_file_set_force(f, &on, &err));
    CHECK_CSTR(tooling_file_current(f)->force.model, "m");
    on.tool = STR("claude-code");
    must(tooling_file_set_force(f, &on, &err));
    check_file("tooling.json",
               "{ \"profiles\": [" PROFILE(
                   "a") "], \"force\": {\"tool\": "
                        "\"claude-code\", \"model\": \"\", \"flags\": [\"-x\"], \"enabled\": "
                        "true} }");
    assert_int_equal(tooling_file_current(f)->force.model.n, 0);
    must(tooling_file_set_force(f, &off, &err));
    assert_false(tooling_file_current(f)->forced);
    assert_int_equal(tooling_file_current(f)->force.tool, TOOL_CLAUDE);
}

static void a_change_may_repair_a_wrong_file(void **state)
{
    (void)state;
    open_with(GOOD);
    open_with(BAD);
    assert_non_null(tooling_file_fault(f));
    must(tooling_file_set_profile(f, STR("a"), &err));
    check_file("tooling.json", "{ \"activeProfile\": \"a\", \"profiles\": [" PROFILE("a") "] }\n");
    assert_null(tooling_file_fault(f));
    check_active("a");
}

static void a_text_that_is_no_json_is_not_changed(void **state)
{
    (void)state;
    open_with(GOOD);
    open_with(BROKEN);
    assert_false(tooling_file_set_profile(f, STR("a"), &err));
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    assert_non_null(strstr(err.text, "tooling.json:1:16: "));
    check_file("tooling.json", BROKEN);
    open_with("[1]");
    assert_false(tooling_file_set_force(f, &(struct tooling_file_force){.enabled = false}, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    check_file("tooling.json", "[1]");
}

static void a_file_that_somebody_changed_is_a_conflict(void **state)
{
    (void)state;
    open_with(GOOD);
    put("tooling.json", OTHER);
    assert_false(tooling_file_set_profile(f, STR("a"), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    CHECK_CSTR(str_from(err.text), "tooling.json was changed by someone else: read it again");
    check_file("tooling.json", OTHER);
    assert_true(tooling_file_reload(f));
    must(tooling_file_set_profile(f, STR("a"), &err));
    check_active("a");
    assert_int_equal(unlink("tooling.json"), 0);
    assert_false(tooling_file_set_profile(f, STR("b"), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    assert_false(file_exists("tooling.json"));
}

static void a_whole_text_is_checked_before_it_is_written(void **state)
{
    (void)state;
    open_with(GOOD);
    assert_false(tooling_file_replace(f, STR(BAD), STR(GOOD), &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    assert_false(tooling_file_replace(f, STR(BROKEN), (struct str){0}, &err));
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    check_file("tooling.json", GOOD);
    assert_false(tooling_file_replace(f, STR(OTHER), STR(OTHER), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    check_file("tooling.json", GOOD);
    must(tooling_file_replace(f, STR(OTHER), STR(GOOD), &err));
    check_file("tooling.json", OTHER);
    check_active("b");
    put("tooling.json", BROKEN);
    must(tooling_file_replace(f, STR(GOOD), (struct str){0}, &err)); /* whatever is there */
    check_file("tooling.json", GOOD);
    check_active("a");
}

static void a_whole_text_may_be_the_first(void **state)
{
    (void)state;
    open_file();
    assert_false(tooling_file_replace(f, STR(GOOD), STR(OTHER), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    must(tooling_file_replace(f, STR(GOOD), tooling_default_text(), &err));
    assert_int_equal(unlink("tooling.json"), 0);
    must(tooling_file_replace(f, STR(OTHER), STR(""), &err));
    check_active("b");
    assert_false(tooling_file_replace(f, STR(GOOD), STR(""), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
}

static void a_link_stays_a_link(void **state)
{
    struct stat st;
    (void)state;
    assert_int_equal(mkdir("dots", 0755), 0);
    put("dots/t.json", GOOD);
    assert_int_equal(symlink("dots/t.json", "tooling.json"), 0);
    open_file();
    must(tooling_file_set_profile(f, STR("b"), &err));
    assert_int_equal(lstat("tooling.json", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(file_exists("tooling.json.last-good"));
    assert_true(file_exists("dots/t.json.lock"));
    struct tooling_file *same = tooling_file_open("dots/t.json", &err);
    CHECK_CSTR(tooling_file_current(same)->active->id, "b");
    tooling_file_close(same);
}

/* ---- several processes */

/* The number behind "n": in the text. */
static long number_in(struct str text)
{
    size_t at = str_find(text, STR("\"n\": "));
    assert_true(at < text.n);
    return strtol(text.p + at + 5, NULL, 10);
}

/* Raises the number in the file; again after a conflict. */
static bool raise_number(struct tooling_file *file)
{
    for (int tries = 0; tries < 10000; tries++) {
        struct buf seen = {0}, text = {0};
        struct error fault = {0};
        bool ok = file_read("tooling.json", 1 << 20, &seen, &fault);
        buf_printf(&text, "{ \"n\": %ld, \"profiles\": [" PROFILE("a") "] }",
                   ok ? number_in(buf_str(&seen)) + 1 : 0);
        ok = ok && tooling_file_replace(file, buf_str(&text), buf_str(&seen), &fault);
        buf_done(&seen);
        buf_done(&text);
        if (ok || fault.code != ERR_CONFLICT)
            return ok;
    }
    return false;
}

static void no_change_is_lost_between_processes(void **state)
{
    enum {
        PROCESSES = 6,
        ROUNDS = 10
    };
    pid_t children[PROCESSES];
    struct buf text = {0};
    (void)state;
    put("tooling.json", "{ \"n\": 0, \"profiles\": [" PROFILE("a") "] }");
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] > 0)
            continue;
        struct tooling_file *mine = tooling_file_open("tooling.json", NULL);
        bool ok = mine != NULL;
        for (int round = 0; ok && round < ROUNDS; round++)
            ok = raise_number(mine);
        tooling_file_close(mine);
        _exit(ok ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    must(file_read("tooling.json", 1 << 20, &text, &err));
    assert_int_equal(number_in(buf_str(&text)), PROCESSES * ROUNDS);
    buf_done(&text);
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
    timer_start(&guard, loop, TOO_LONG_MS, on_too_long, NULL);
    loop_run(loop);
    timer_stop(&guard);
    assert_int_equal(calls, before + 1);
}

static void changes_are_told_in_the_loop(void **state)
{
    (void)state;
    loop = loop_new();
    calls = 0;
    close_in_callback = false;
    open_with(GOOD);
    put("tooling.json", OTHER); /* between opening and watching */
    tooling_file_watch(f, loop, on_changed, &calls);
    wait_for_change();
    check_active("b");
    put("new", BAD); /* as editors write it */
    assert_int_equal(rename("new", "tooling.json"), 0);
    wait_for_change();
    assert_non_null(tooling_file_fault(f));
    check_active("b");
    put("new", OTHER);
    assert_int_equal(rename("new", "tooling.json"), 0);
    wait_for_change();
    assert_null(tooling_file_fault(f));
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

static void a_file_that_comes_later_is_told(void **state)
{
    (void)state;
    loop = loop_new();
    calls = 0;
    close_in_callback = false;
    f = tooling_file_open("home/config/tooling.json", &err);
    assert_non_null(f);
    tooling_file_watch(f, loop, on_changed, &calls);
    assert_int_equal(mkdir("home", 0700), 0);
    assert_int_equal(mkdir("home/config", 0700), 0);
    put("home/config/new", OTHER);
    assert_int_equal(rename("home/config/new", "home/config/tooling.json"), 0);
    wait_for_change();
    check_active("b");
    tooling_file_close(f);
    f = NULL;
    loop_free(loop);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_missing_file_is_the_default),
        TEST(a_good_file_is_read_and_kept),
        TEST(the_last_good_one_is_only_written_when_it_differs),
        TEST(a_wrong_file_is_a_fault_with_its_line),
        TEST(after_a_restart_the_last_good_one_is_in_use),
        TEST(what_is_no_file_is_a_fault),
        TEST(yaml_is_read_by_its_name),
        TEST(home_is_where_the_environment_says),
        TEST(the_users_own_file_is_made_in_private_folders),
        TEST(a_bad_file_never_replaces_a_good_one),
        TEST(a_file_may_go_and_come_again),
        TEST(a_change_in_the_same_moment_is_seen),
        TEST(a_change_leaves_the_rest_of_the_text_alone),
        TEST(a_missing_file_is_written_whole),
        TEST(a_profile_that_does_not_exist_is_refused),
        TEST(force_needs_a_tool_that_exists),
        TEST(force_keeps_its_model_unless_the_tool_changes),
        TEST(a_change_may_repair_a_wrong_file),
        TEST(a_text_that_is_no_json_is_not_changed),
        TEST(a_file_that_somebody_changed_is_a_conflict),
        TEST(a_whole_text_is_checked_before_it_is_written),
        TEST(a_whole_text_may_be_the_first),
        TEST(a_link_stays_a_link),
        TEST(no_change_is_lost_between_processes),
        TEST(changes_are_told_in_the_loop),
        TEST(a_file_that_comes_later_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
