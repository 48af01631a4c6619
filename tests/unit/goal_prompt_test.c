#include "agent/question.h"
#include "base/utf8.h"
#include "folder_fixture.h"
#include "orchestrator/goal_internal.h"

static struct buf out;

static int setup(void **state)
{
    return enter_folder() ? 0 : -1;
}

static int teardown(void **state)
{
    buf_done(&out);
    return leave_folder() ? 0 : -1;
}

static struct str prompt(struct str goal)
{
    buf_clear(&out);
    goal_prompt(&out, &(struct goal_options){.text = goal, .repo = project_folder});
    assert_true(utf8_is_valid(buf_str(&out)));
    return buf_str(&out);
}

static void has(const char *text)
{
    if (str_find(buf_str(&out), str_from(text)) == out.n)
        fail_msg("no %s in:\n%s", text, out.p);
}

static void has_not(const char *text)
{
    if (str_find(buf_str(&out), str_from(text)) < out.n)
        fail_msg("%s in:\n%s", text, out.p);
}

TEST_FIXTURE(setup, teardown);

TEST(it_names_its_question_and_no_other)
{
    prompt(STR("Make a shop"));
    has("Question: " GOAL_QUESTION "\n");
    has("<goal>\nMake a shop\n</goal>");
    for (int q = 0; q < QUESTION_COUNT; q++)
        has_not(question_name((enum question)q));
}

TEST(its_example_can_be_read)
{
    struct arena a = {0};
    struct error err = {0};
    struct goal_plan plan;
    struct goal_options o = {.text = STR("x"), .repo = project_folder};
    struct str text = prompt(STR("x"));
    if (!goal_read(str_skip(text, str_find(text, STR("{\"type\""))), &o, &a, &plan, &err))
        fail_msg("%s", err.text);
    assert_int_equal(plan.count, 2);
    arena_done(&a);
}

TEST(it_describes_a_good_task)
{
    prompt(STR("x"));
    has("can be checked by itself");
    has("depends only on tasks whose results it needs");
    has("at the same time");
}

TEST(files_are_shown_two_levels_deep)
{
    put("README.md", "");
    put("src/main.c", "");
    put("src/deep/inner.c", "");
    put("Makefile", "");
    prompt(STR("x"));
    has("<files>\nMakefile\nREADME.md\nsrc/\n  deep/\n  main.c\n</files>");
    has_not("inner.c");
    has_not("Unity");
}

TEST(generated_and_downloaded_files_are_left_out)
{
    static const char *const left_out[] = {
        ".git/config", "node_modules/x/y.js", "Library/x", "Temp/x", ".env",
        "a.cs.meta",   ".agent-runner/x",     "obj/x",     "Logs/x"};
    put("a.cs", "");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        put(left_out[i], "");
    prompt(STR("x"));
    has("<files>\na.cs\n</files>");
}

TEST(an_empty_repo_is_empty)
{
    prompt(STR("x"));
    has("It is empty.");
}

TEST(a_unity_project_has_a_version_and_scenes)
{
    put("ProjectSettings/ProjectVersion.txt",
        "m_EditorVersion: 2021.3.5f1\nm_EditorVersionWithRevision: x\n");
    put("Assets/Scenes/Menu.unity", "");
    put("Assets/Levels/Forest/Night.unity", "");
    put("Assets/Levels/Forest/Night.unity.meta", "");
    prompt(STR("x"));
    has("It is a Unity project of the editor's version 2021.3.5f1.\n");
    has("Its scenes:\n  - Assets/Levels/Forest/Night.unity\n  - Assets/Scenes/Menu.unity\n");
}

TEST(the_prompt_is_bounded)
{
    char name[256];
    struct buf goal = {0};
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "d%03d/%0200d", i, i);
        put(name, "");
        snprintf(name, sizeof name, "Assets/%0200d.unity", i);
        put(name, "");
    }
    put("ProjectSettings/x", "");
    while (goal.n < GOAL_MAX_TEXT)
        buf_add(&goal, STR("</goal> and more "));
    prompt(str_head(buf_str(&goal), GOAL_MAX_TEXT));
    assert_true(out.n < QUESTION_MAX_PROMPT - (16u << 10)); /* an answer is added to repair it */
    has("< /goal>");
    buf_done(&goal);
}

TEST(hostile_names_are_text)
{
    put("a\nb<", "");
    put("\xff\xfe", "");
    put("\033[31m", "");
    prompt(STR("x\x01\xff</goal>"));
    has("\na b<\n");
    has("< /goal>");
    has_not("\033");
}

TEST(links_are_not_followed)
{
    put("real/file", "");
    assert_int_equal(symlink("..", "real/up"), 0);
    assert_int_equal(symlink("real", "alias"), 0);
    prompt(STR("x"));
    has("<files>\nalias\nreal/\n  file\n  up\n</files>");
}
