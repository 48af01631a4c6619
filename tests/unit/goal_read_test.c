#include "agent/question.h"
#include "folder_fixture.h"
#include "orchestrator/goal_internal.h"
#include "task/task_file.h"

static struct arena arena;
static struct goal_plan plan;
static struct error err;
static struct goal_options options;

static int setup(void **state)
{
    if (!enter_folder())
        return -1;
    options =
        (struct goal_options){.text = STR("Make a shop\nwith a till"), .repo = project_folder};
    return 0;
}

static int teardown(void **state)
{
    arena_done(&arena);
    return leave_folder() ? 0 : -1;
}

/* Single quotes become double ones. */
static struct str quoted(const char *text)
{
    char *copy = arena_cstr(&arena, str_from(text));
    for (char *p = copy; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    return str_from(copy);
}

static bool reads(struct str answer)
{
    err = (struct error){0};
    plan = (struct goal_plan){0};
    return goal_read(answer, &options, &arena, &plan, &err);
}

/* Each spec is a Task YAML with the same contents. */
static void check_specs(void)
{
    for (size_t i = 0; i < plan.count; i++) {
        const struct goal_task *t = &plan.tasks[i];
        struct error why = {0};
        struct task_file *f = task_file_read(t->spec, "-", &why);
        if (!f)
            fail_msg("%s\n%.*s", why.text, STR_ARG(t->spec));
        CHECK_STR(f->id, t->id);
        CHECK_STR(f->title, t->title);
        assert_int_equal(f->warning_count, 0);
        assert_int_equal(f->dependency_count, t->need_count);
        for (size_t k = 0; k < t->need_count; k++)
            CHECK_STR(f->dependencies[k], t->needs[k]);
        char *repo = realpath(options.repo, NULL);
        assert_string_equal(f->repo, repo);
        free(repo);
        task_file_free(f);
    }
}

static void take(const char *text)
{
    if (!reads(quoted(text)))
        fail_msg("%s", err.text);
    check_specs();
}

/* "menu till<menu floor<menu,till" */
static void check_plan(const char *want)
{
    struct buf got = {0};
    for (size_t i = 0; i < plan.count; i++) {
        buf_printf(&got, "%s%.*s", i ? " " : "", STR_ARG(plan.tasks[i].id));
        for (size_t k = 0; k < plan.tasks[i].need_count; k++)
            buf_printf(&got, "%c%.*s", k ? ',' : '<', STR_ARG(plan.tasks[i].needs[k]));
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

static void refuse(const char *text, enum error_code code, const char *why)
{
    if (reads(quoted(text)))
        fail_msg("it was taken: %s", text);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_int_equal(err.code, code);
    assert_null(plan.tasks);
}

#define TASK(id, more) "{'id': '" id "', 'title': 'T " id "', 'description': 'Do " id "'" more "}"

/* ---- what is taken */

TEST_FIXTURE(setup, teardown);

TEST(a_diamond_is_sorted_by_dependencies)
{
    take("{'tasks': [" TASK("end", ", 'dependencies': ['left', 'right']") ", " TASK(
        "left",
        ", 'dependencies': ['base']") ", " TASK("right",
                                                ", 'dependencies': ['base']") ", " TASK("base",
                                                                                        "") "]}");
    check_plan("base left<base right<base end<left,right");
    CHECK_CSTR(plan.tasks[0].title, "T base");
}

TEST(a_task_has_everything_that_its_agent_must_know)
{
    take("{'tasks': [{'id': 'till', 'title': 'The till', 'description': 'Add it.\\nAll of it.', "
         "'acceptance': ['it adds', {'description': 'it gives change'}], 'test': 'make test', "
         "'file_paths': ['a.cs', 'b.cs'], 'phase_name': 'Core', 'wbs_level': 2}]}");
    struct task_file *f = task_file_read(plan.tasks[0].spec, "-", &err);
    assert_non_null(f);
    CHECK_CSTR(f->prd, "# The till\n\nAdd it.\nAll of it.\n\n## Acceptance criteria\n\n- it adds\n"
                       "- it gives change\n\n## The goal behind it\n\nMake a shop\nwith a till\n");
    CHECK_CSTR(f->test_command, "make test");
    assert_int_equal(f->file_path_count, 2);
    CHECK_CSTR(f->file_paths[1], "b.cs");
    CHECK_CSTR(f->phase_name, "Core");
    assert_int_equal(f->wbs_level, 2);
    task_file_free(f);
}

TEST(one_of_several_tasks_excludes_the_others)
{
    take("{'tasks': [" TASK("a", "") ", " TASK("b", "") "]}");
    assert_true(str_find(plan.tasks[0].spec, STR("This is one of 2 tasks")) < plan.tasks[0].spec.n);
}

TEST(an_answer_may_be_wrapped)
{
    take("Here it is:\n```json\n{'type': 'plan_goal', 'payload': {'tasks': [" TASK(
        "a", "") "]}}\n```\nGood luck!");
    check_plan("a");
    take("Maybe {'x': 1}, but: {'tasks': [" TASK("b", "") "]} and {'y': 2}");
    check_plan("b");
    take("tasks:\n  - id: a\n    title: One\n    description: do it\n  - id: b\n    title: Two\n"
         "    description: |\n      do it,\n      too\n    dependencies: [a]\n");
    check_plan("a b<a");
}

TEST(ids_are_made_from_titles)
{
    take(
        "{'tasks': [{'title': 'Add the Main Menu!', 'description': 'x'}, "
        "{'title': 'Add the main menu', 'description': 'y', 'dependencies': ['add-the-main-menu']},"
        "{'title': 'メニュー', 'description': 'z', 'dependencies': ['Add the Main Menu!']}, "
        "{'id': 'task-2', 'title': 'x', 'description': 'x'}, "
        "{'title': '---', 'description': 'x', 'dependencies': []}]}");
    check_plan("add-the-main-menu task-2 task-3 add-the-main-menu-2<add-the-main-menu "
               "task<add-the-main-menu");
}

TEST(numbers_are_ids_too)
{
    take("{'tasks': [{'id': 1, 'title': 'a', 'description': 'x'}, "
         "{'id': 2, 'title': 'b', 'description': 'x', 'dependencies': [1]}]}");
    check_plan("1 2<1");
}

TEST(a_prefix_is_put_before_all_ids)
{
    options.prefix = STR("shop-");
    take("{'tasks': [" TASK("a", "") ", " TASK("b", ", 'dependencies': ['a']") "]}");
    check_plan("shop-a shop-b<shop-a");
}

TEST(dependencies_have_synonyms)
{
    static const char *const names[] = {"depends_on", "dependsOn", "deps",
                                        "needs",      "requires",  "blocked_by"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        take(arena_printf(&arena,
                          "{'tasks': [" TASK("a", "") ", {'id': 'b', 'title': 'b', "
                                                      "'description': 'x', '%s': ['a', 'a']}]}",
                          names[i])
                 .p);
        check_plan("a b<a");
    }
}

TEST(a_test_may_have_a_folder)
{
    take("{'tasks': [" TASK("a", ", 'test': {'command': 'make', 'cwd': 'sub'}") "]}");
    struct task_file *f = task_file_read(plan.tasks[0].spec, "-", &err);
    assert_non_null(f);
    assert_true(str_ends(str_from(f->test_cwd), STR("/sub")));
    task_file_free(f);
    refuse("{'tasks': [" TASK("a", ", 'test': {'command': 'make', 'cwd': '../x'}") "]}",
           ERR_INVALID_PARAMS, "must be a folder of the repository");
    refuse("{'tasks': [" TASK("a", ", 'test': {'command': 'make', 'cwd': '/etc'}") "]}",
           ERR_INVALID_PARAMS, "must be a folder of the repository");
}

TEST(null_means_missing)
{
    take("{'tasks': [" TASK("a", ", 'dependencies': null, 'test': null, 'acceptance': null, "
                                 "'file_paths': null, 'phase_name': null, 'wbs_level': null") "]}");
    check_plan("a");
}

/* Texts that are special in YAML are preserved. */
TEST(unusual_texts_are_preserved)
{
    options.text = STR("---\n...\n: - # & * ! | > ' \" % @ `\n\ttab\r\n\x01\x7f \xff end");
    take("{'tasks': [{'id': '1.5', 'title': '- no: yes # \\u0000\\u001b\\u007f', 'description': "
         "'\\u0000\\n---\\n  x: \\t- y\\n\\u0085\\u2028\\ufeff', 'acceptance': ['# x', '- y', "
         "'~', 'null', '  '], 'test': 'true\\n# \\\\', 'phase_name': '!!int 3', "
         "'file_paths': ['*a', '&b', '%c', '']}]}");
    struct task_file *f = task_file_read(plan.tasks[0].spec, "-", &err);
    CHECK_CSTR(f->title, "- no: yes #");
    assert_int_equal(f->file_path_count, 3);
    task_file_free(f);
}

/* ---- what is not */

TEST(only_objects_are_accepted)
{
    refuse("", ERR_SYNTAX, "it is empty");
    refuse("I cannot do that.", ERR_SYNTAX, "no JSON object");
    refuse("{'tasks': [", ERR_SYNTAX, "ends inside");
    refuse("{'plan': 1}", ERR_INVALID_PARAMS, "has no member \"tasks\"");
    refuse("{'type': 'next_action', 'decision': {}}", ERR_INVALID_PARAMS, "plan_goal");
    refuse("{'tasks': {}}", ERR_INVALID_PARAMS, "tasks must be a list, not");
    refuse("{'tasks': []}", ERR_INVALID_PARAMS, "tasks is empty");
    refuse("{'tasks': ['a']}", ERR_INVALID_PARAMS, "tasks[0] must be an object, not \"a\"");
}

TEST(missing_members_are_named)
{
    refuse("{'tasks': [" TASK("a", "") ", {'description': 'x'}]}", ERR_INVALID_PARAMS,
           "tasks[1].title is missing");
    refuse("{'tasks': [{'title': 'x'}]}", ERR_INVALID_PARAMS, "tasks[0].description is missing");
    refuse("{'tasks': [{'id': 'menu', 'title': 'x', 'description': ' '}]}", ERR_INVALID_PARAMS,
           "\"description\" of the task \"menu\" is missing");
}

TEST(wrong_types_are_named)
{
    refuse("{'tasks': [{'id': [], 'title': 'x', 'description': 'x'}]}", ERR_INVALID_PARAMS,
           "tasks[0].id must be text");
    refuse("{'tasks': [{'id': 'a', 'title': 3, 'description': 'x'}]}", ERR_INVALID_PARAMS,
           "\"title\" of the task \"a\" must be text, not 3");
    refuse("{'tasks': [" TASK("a", ", 'dependencies': 'b'") "]}", ERR_INVALID_PARAMS,
           "must be a list of ids, not \"b\"");
    refuse("{'tasks': [" TASK("a", ", 'acceptance': 3") "]}", ERR_INVALID_PARAMS,
           "\"acceptance\" of the task \"a\" must be a list of texts");
    refuse("{'tasks': [" TASK("a", ", 'acceptance': [3]") "]}", ERR_INVALID_PARAMS,
           "must be a list of texts, not 3");
    refuse("{'tasks': [" TASK("a", ", 'file_paths': [[]]") "]}", ERR_INVALID_PARAMS, "file_paths");
    refuse("{'tasks': [" TASK("a", ", 'test': 3") "]}", ERR_INVALID_PARAMS, "\"test\"");
    refuse("{'tasks': [" TASK("a", ", 'wbs_level': 0") "]}", ERR_INVALID_PARAMS, "from 1 to 1000");
    refuse("{'tasks': [" TASK("a", ", 'dependencies': [], 'needs': []") "]}", ERR_INVALID_PARAMS,
           "second list of dependencies");
}

TEST(invalid_ids_are_refused)
{
    static const char *const ids[] = {"a b", "a/b", "../x", "-x", ".x", "#1", "ä", "a:b"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        refuse(arena_printf(&arena, "{'tasks': [{'id': '%s', 'title': 'x', 'description': 'x'}]}",
                            ids[i])
                   .p,
               ERR_INVALID_PARAMS, "must be of letters, digits");
    char id[QUESTION_MAX_ID + 2];
    memset(id, 'a', sizeof id - 1);
    id[sizeof id - 1] = 0;
    const char *form = "{'tasks': [{'id': '%s', 'title': 'x', 'description': 'x'}]}";
    refuse(arena_printf(&arena, form, id).p, ERR_INVALID_PARAMS, "65 characters, more than 64");
    take(arena_printf(&arena, form, id + 1).p);
}

TEST(duplicate_ids_are_refused)
{
    refuse("{'tasks': [" TASK("a", "") ", " TASK("b", "") ", " TASK("a", "") "]}",
           ERR_INVALID_PARAMS, "tasks[0] and tasks[2] have the same id \"a\"");
}

TEST(an_unknown_dependency_is_named_with_the_nearest)
{
    refuse("{'tasks': [" TASK("menu", "") ", " TASK("till", ", 'dependencies': ['meun']") "]}",
           ERR_INVALID_PARAMS,
           "the task \"till\" depends on \"meun\", which is not the id of any task here (did you "
           "mean \"menu\"?)");
    refuse("{'tasks': [" TASK("a", ", 'dependencies': [null]") "]}", ERR_INVALID_PARAMS,
           "depends on null");
}

TEST(a_cycle_is_named)
{
    refuse(
        "{'tasks': [" TASK("x", ", 'dependencies': ['a']") ", " TASK(
            "a",
            ", 'dependencies': "
            "['c']") ", " TASK("b",
                               ", 'dependencies': ['a']") ", " TASK("c",
                                                                    ", 'dependencies': ['b']") "]}",
        ERR_INVALID_PARAMS, "the dependencies form a cycle: a -> c -> b -> a");
    refuse("{'tasks': [" TASK("a", ", 'dependencies': ['a']") "]}", ERR_INVALID_PARAMS,
           "a cycle: a -> a");
}

/* ---- limits */

static struct str many_tasks(size_t count)
{
    struct buf text = {0};
    buf_add(&text, STR("{'tasks': ["));
    for (size_t i = 0; i < count; i++)
        buf_printf(&text, "%s{'id': 't%zu', 'title': 'x', 'description': 'x'%s%zu%s}", i ? "," : "",
                   i, i ? ", 'dependencies': ['t" : ", 'wbs_level': 1", i ? i - 1 : 0,
                   i ? "']" : "");
    buf_add(&text, STR("]}"));
    struct str made = quoted(text.p);
    buf_done(&text);
    return made;
}

TEST(the_number_of_tasks_is_limited)
{
    if (!reads(many_tasks(GOAL_MAX_TASKS)))
        fail_msg("%s", err.text);
    assert_int_equal(plan.count, GOAL_MAX_TASKS);
    CHECK_CSTR(plan.tasks[99].id, "t99");
    assert_false(reads(many_tasks(GOAL_MAX_TASKS + 1)));
    assert_non_null(strstr(err.text, "there are 101 tasks, more than 100"));
}

TEST(long_texts_are_cut)
{
    struct buf text = {0}, goal = {0};
    while (goal.n < GOAL_MAX_TEXT)
        buf_add(&goal, STR("- x: \"y\"\n"));
    options.text = str_head(buf_str(&goal), GOAL_MAX_TEXT);
    buf_add(&text, STR("{'tasks': [{'title': '"));
    for (int i = 0; i < 5000; i++)
        buf_add(&text, STR("\xc3\xa4\xe2\x82\xac"));
    buf_add(&text, STR("', 'description': '"));
    for (int i = 0; i < 50000; i++)
        buf_add(&text, STR("\xc3\xa4\\n"));
    buf_add(&text, STR("'}]}"));
    take(text.p);
    assert_true(plan.tasks[0].title.n <= 256);
    buf_done(&text);
    buf_done(&goal);
}

TEST(options_are_checked_first)
{
    assert_true(goal_check(&options, &err));
    options.prefix = STR("a/");
    assert_false(goal_check(&options, &err));
    assert_non_null(strstr(err.text, "prefix"));
    options.prefix = STR("");
    options.text = STR(" \n");
    assert_false(goal_check(&options, &err));
    assert_non_null(strstr(err.text, "empty"));
    options.text = (struct str){"", GOAL_MAX_TEXT + 1};
    char *large = calloc(1, GOAL_MAX_TEXT + 1);
    memset(large, 'x', GOAL_MAX_TEXT + 1);
    options.text = str_make(large, GOAL_MAX_TEXT + 1);
    assert_false(goal_check(&options, &err));
    assert_non_null(strstr(err.text, "more than 65536"));
    free(large);
    options.text = STR("x");
    options.repo = "relative";
    assert_false(goal_check(&options, &err));
}
