/* The command that runs a project's tests: a configured one, or Unity itself in batch mode.
 *
 *     struct test_command c;
 *     if (!test_command_make(&c, &plan, "EditMode", "/tmp/x/results.xml", &err))
 *         return false;
 *     struct process_options o = {.argv = c.argv, .env = c.env};
 *     test_command_done(&c);
 *
 * A configured command gets the values by placeholders in its arguments ({project} {results}
 * {platform} {filter} {assemblies} {categories}) and by its environment (MULTIVERSE_PROJECT,
 * MULTIVERSE_RESULTS and so on). There is no shell: a value of a client stays one argument. Lists
 * are separated by ";", as in Unity's own options.
 *
 * Unity is searched in unity_path, then in the variable UNITY_PATH (the program, or a folder with
 * it), then where Unity Hub installs the version of the project.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "editor/editor_error.h"

struct test_plan {
    const char *project;               /* its folder */
    struct str version;                /* "2022.3.56f1": which Unity */
    const char *const *command;        /* argv, NULL ends; NULL: Unity */
    const char *unity_path;            /* NULL: searched */
    struct str filter;                 /* empty: all tests */
    struct str assemblies, categories; /* separated by ";"; empty: all */
};

struct test_command {
    const char **argv, **env; /* NULL ends both */
    /* private */
    struct arena arena;
};

/* Return false with ERR_NO_TEST_RUNNER if there is neither a command nor Unity. */
bool test_command_make(struct test_command *c, const struct test_plan *plan, const char *platform,
                       const char *results, struct editor_error *err);
void test_command_done(struct test_command *c);

/* Return the path of Unity, to be freed, or NULL. */
char *test_command_find_unity(const char *unity_path, struct str version);
