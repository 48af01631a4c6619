#include <sys/wait.h>

#include "tooling_file_fixture.h"

/* ---- single members */

TEST_FIXTURE(setup, teardown);

TEST(a_change_leaves_the_rest_of_the_text_alone)
{
    open_with("{\n\t\"mine\" : {\"x\":[1, 2 ]},\r\n  \"active_profile\":\"a\" ,\n"
              "  \"profiles\": [" PROFILE("a") ",\n" PROFILE("b") "], \"zz\": 1e2\n}");
    must(tooling_file_set_profile(f, STR("b"), &err));
    check_file("tooling.json",
               "{\n\t\"mine\" : {\"x\":[1, 2 ]},\r\n  \"active_profile\":\"b\" ,\n"
               "  \"profiles\": [" PROFILE("a") ",\n" PROFILE("b") "], \"zz\": 1e2\n}");
    check_active("b");
    assert_int_equal(mode_of("tooling.json"), 0644); /* its own choice */
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

TEST(a_missing_file_is_written_completely)
{
    open_file();
    must(tooling_file_set_profile(f, STR("balanced"), &err));
    char *text = str_dup(tooling_default_text());
    check_file("tooling.json", text);
    free(text);
}

TEST(a_profile_that_does_not_exist_is_refused)
{
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

TEST(force_needs_a_tool_that_exists)
{
    open_with(GOOD);
    check_force_refused(
        (struct tooling_file_force){true, STR("codx-cli"), STR("")},
        "unknown tool \"codx-cli\", did you mean \"codex-cli\"? allowed: codex-cli, "
        "claude-code, gemini-cli, cursor-cli, openai-chat, mock");
    check_force_refused((struct tooling_file_force){.enabled = true},
                        "force needs a tool; allowed: codex-cli, claude-code, gemini-cli, "
                        "cursor-cli, openai-chat, mock");
}

TEST(force_keeps_its_model_unless_the_tool_changes)
{
    struct tooling_file_force on = {.enabled = true}, off = {.enabled = false};
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
    assert_int_equal(tooling_file_current(f)->force.tool, AGENT_CLAUDE);
}

TEST(a_change_may_repair_an_invalid_file)
{
    open_with(GOOD);
    open_with(BAD);
    assert_non_null(tooling_file_error(f));
    must(tooling_file_set_profile(f, STR("a"), &err));
    check_file("tooling.json", "{ \"activeProfile\": \"a\", \"profiles\": [" PROFILE("a") "] }\n");
    assert_null(tooling_file_error(f));
    check_active("a");
}

TEST(an_invalid_text_is_not_changed)
{
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

TEST(a_file_changed_by_others_is_a_conflict)
{
    open_with(GOOD);
    put("tooling.json", OTHER);
    assert_false(tooling_file_set_profile(f, STR("a"), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    CHECK_CSTR(str_from(err.text), "tooling.json was changed by someone else: reload it");
    check_file("tooling.json", OTHER);
    assert_true(tooling_file_reload(f));
    must(tooling_file_set_profile(f, STR("a"), &err));
    check_active("a");
    assert_int_equal(unlink("tooling.json"), 0);
    assert_false(tooling_file_set_profile(f, STR("b"), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    assert_false(file_exists("tooling.json"));
}

TEST(a_whole_text_is_checked_before_it_is_written)
{
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
    must(tooling_file_replace(f, STR(GOOD), (struct str){0}, &err)); /* without a conflict check */
    check_file("tooling.json", GOOD);
    check_active("a");
}

TEST(a_whole_text_may_be_the_first)
{
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

TEST(a_link_stays_a_link)
{
    struct stat st;
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

/* The number after "n": in the text. */
static long number_in(struct str text)
{
    size_t at = str_find(text, STR("\"n\": "));
    assert_true(at < text.n);
    return strtol(text.p + at + 5, NULL, 10);
}

/* Increment the number in the file; retry after a conflict. */
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

TEST(no_change_is_lost_between_processes)
{
    enum {
        PROCESSES = 6,
        ROUNDS = 10
    };
    pid_t children[PROCESSES];
    struct buf text = {0};
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

TEST(a_file_that_cannot_be_opened_is_repaired)
{
    put("tooling.json", BROKEN);
    assert_null(tooling_file_open("tooling.json", &err));
    assert_false(tooling_file_repair("tooling.json", STR(BAD), STR(BROKEN), &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    assert_false(tooling_file_repair("tooling.json", STR(GOOD), STR(BAD), &err));
    assert_int_equal(err.code, ERR_CONFLICT);
    check_file("tooling.json", BROKEN);
    must(tooling_file_repair("tooling.json", STR(GOOD), STR(BROKEN), &err));
    check_file("tooling.json", GOOD);
    check_file("tooling.json.last-good", GOOD);
}
