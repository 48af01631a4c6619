#include "editor/test_command.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

static char folder[64];
static struct test_command c;
static struct editor_error err;

static int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/test_command_test.XXXXXX");
    unsetenv("UNITY_PATH");
    return !mkdtemp(folder) || chdir(folder) != 0 || setenv("HOME", folder, 1) != 0;
}

static int teardown(void **state)
{
    char command[128];
    test_command_done(&c);
    editor_error_done(&err);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void put_program(const char *path)
{
    char *above = str_dup(str_from(path));
    *strrchr(above, '/') = 0;
    assert_true(file_make_dirs(above, NULL));
    assert_true(file_replace(path, STR("#!/bin/sh\n"), 0755, NULL));
    free(above);
}

static void check_argv(const char *want)
{
    struct buf got = {0};
    for (const char **arg = c.argv; *arg; arg++)
        buf_printf(&got, "%s%s", arg == c.argv ? "" : "|", *arg);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

static const char *variable(const char *name)
{
    size_t n = strlen(name);
    for (const char **v = c.env; *v; v++)
        if (strncmp(*v, name, n) == 0 && (*v)[n] == '=')
            return *v + n + 1;
    return NULL;
}

TEST_FIXTURE(setup, teardown);

TEST(command_gets_each_value_as_one_argument)
{
    static const char *const argv[] = {"run",        "{project}", "--to={results}",
                                       "{platform}", "{filter}",  "{assemblies}|{categories}",
                                       "{unknown}",  "{filter",   "",
                                       NULL};
    struct test_plan plan = {.project = "/my game",
                             .command = argv,
                             .filter = STR("a; rm -rf * {results}"),
                             .assemblies = STR("A;B")};
    assert_true(test_command_make(&c, &plan, "EditMode", "/tmp/r.xml", &err));
    check_argv(
        "run|/my game|--to=/tmp/r.xml|EditMode|a; rm -rf * {results}|A;B||{unknown}|{filter|");
    CHECK_CSTR(str_from(variable("MULTIVERSE_PROJECT")), "/my game");
    CHECK_CSTR(str_from(variable("MULTIVERSE_RESULTS")), "/tmp/r.xml");
    CHECK_CSTR(str_from(variable("MULTIVERSE_PLATFORM")), "EditMode");
    CHECK_CSTR(str_from(variable("MULTIVERSE_FILTER")), "a; rm -rf * {results}");
    CHECK_CSTR(str_from(variable("MULTIVERSE_ASSEMBLIES")), "A;B");
    CHECK_CSTR(str_from(variable("MULTIVERSE_CATEGORIES")), "");
    CHECK_CSTR(str_from(variable("HOME")), folder); /* and the existing environment */
}

TEST(unity_runs_in_batch_mode)
{
    put_program("hub/Unity");
    struct test_plan plan = {
        .project = "/p", .unity_path = "hub/Unity", .filter = STR("F"), .categories = STR("C;D")};
    assert_true(test_command_make(&c, &plan, "PlayMode", "/r.xml", &err));
    check_argv("hub/Unity|-batchmode|-nographics|-projectPath|/p|-runTests|-testPlatform|PlayMode|"
               "-testResults|/r.xml|-testFilter|F|-testCategory|C;D|-logFile|-");
}

static void check_unity(const char *path, const char *version, const char *want)
{
    char *got = test_command_find_unity(path, str_from(version));
    CHECK_CSTR(str_from(got ? got : "nowhere"), want);
    free(got);
}

TEST(unity_is_found_in_the_usual_places)
{
    struct buf hub = {0};
    put_program("a/Editor/Unity");
    put_program("b/Unity");
    check_unity("a", "", "a/Editor/Unity"); /* a folder with it is accepted */
    check_unity("b", "", "b/Unity");
    check_unity("b/Unity", "", "b/Unity");
    check_unity("nothing", "", "nowhere");
    assert_int_equal(setenv("UNITY_PATH", "a/Editor", 1), 0);
    check_unity(NULL, "", "a/Editor/Unity");
    check_unity("b", "", "b/Unity"); /* the setting wins */
    assert_int_equal(unsetenv("UNITY_PATH"), 0);
    put_program("Unity/Hub/Editor/2022.3.56f1/Editor/Unity");
    buf_printf(&hub, "%s/Unity/Hub/Editor/2022.3.56f1/Editor/Unity", folder);
    check_unity(NULL, "2022.3.56f1", hub.p);
    buf_done(&hub);
}

TEST(missing_runner_is_an_error_with_advice)
{
    struct test_plan plan = {.project = "/p", .unity_path = "nothing"};
    assert_false(test_command_make(&c, &plan, "EditMode", "/r.xml", &err));
    CHECK_CSTR(str_from(err.code), "ERR_NO_TEST_RUNNER");
    assert_non_null(strstr(err.text, "UNITY_PATH"));
    assert_non_null(strstr(err.text, "unity_path"));
    assert_non_null(strstr(err.text, "tests.command"));
    assert_non_null(strstr(err.text, "nothing"));
}
