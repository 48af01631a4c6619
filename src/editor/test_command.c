#include "editor/test_command.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

extern char **environ;

/* ---- finding Unity */

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* path: the program, or the folder of an installation. */
static char *find_program(const char *path)
{
    static const char *const below[] = {"", "/Unity", "/Editor/Unity", "/Contents/MacOS/Unity",
                                        "/Unity.app/Contents/MacOS/Unity"};
    struct buf at = {0};
    char *found = NULL;
    for (size_t i = 0; i < sizeof below / sizeof *below && !found && path[0]; i++) {
        buf_clear(&at);
        buf_printf(&at, "%s%s", path, below[i]);
        if (is_program(at.p))
            found = str_dup(buf_str(&at));
    }
    buf_done(&at);
    return found;
}

static char *find_installed(const char *folder, const char *below, struct str version)
{
    struct buf at = {0};
    buf_printf(&at, "%s%s/%.*s", folder, below, STR_ARG(version));
    char *found = find_program(at.p);
    buf_done(&at);
    return found;
}

char *test_command_find_unity(const char *unity_path, struct str version)
{
    const char *from_env = getenv("UNITY_PATH"), *home = getenv("HOME");
    char *found = NULL;
    if (unity_path)
        return find_program(unity_path);
    if (from_env && from_env[0])
        return find_program(from_env);
    if (version.n && memchr(version.p, '/', version.n) == NULL) {
        if (home && home[0])
            found = find_installed(home, "/Unity/Hub/Editor", version);
        found = found ? found : find_installed("/opt/unity", "/editors", version);
        found = found ? found : find_installed("/opt", "/Unity/Hub/Editor", version);
        found = found ? found : find_installed("/Applications", "/Unity/Hub/Editor", version);
    }
    return found ? found : find_program("/opt/unity");
}

/* ---- the command */

struct test_variable {
    const char *name; /* of the placeholder */
    const char *variable;
    struct str value;
};

enum {
    VARIABLES = 6
};

static void add_arg(struct test_command *c, size_t *n, const char *arg)
{
    c->argv =
        arena_grow(&c->arena, c->argv, (*n + 1) * sizeof *c->argv, (*n + 2) * sizeof *c->argv);
    c->argv[(*n)++] = arg;
    c->argv[*n] = NULL;
}

static void add_option(struct test_command *c, size_t *n, const char *name, struct str value)
{
    if (!value.n)
        return;
    add_arg(c, n, name);
    add_arg(c, n, arena_cstr(&c->arena, value));
}

/* Replace in one pass, so that placeholders inside values stay. */
static const char *replace_placeholders(struct arena *a, struct str text,
                                        const struct test_variable *variables)
{
    struct buf out = {0};
    while (text.n) {
        size_t i = 0;
        while (i < VARIABLES && !str_starts(text, str_from(variables[i].name)))
            i++;
        if (i < VARIABLES) {
            buf_add(&out, variables[i].value);
            text = str_skip(text, strlen(variables[i].name));
        } else {
            buf_add_char(&out, text.p[0]);
            text = str_skip(text, 1);
        }
    }
    const char *made = arena_cstr(a, buf_str(&out));
    buf_done(&out);
    return made;
}

static bool make_unity(struct test_command *c, const struct test_plan *plan, const char *platform,
                       const char *results)
{
    char *unity = test_command_find_unity(plan->unity_path, plan->version);
    size_t n = 0;
    if (!unity)
        return false;
    add_arg(c, &n, arena_cstr(&c->arena, str_from(unity)));
    free(unity);
    add_arg(c, &n, "-batchmode");
    add_arg(c, &n, "-nographics");
    add_option(c, &n, "-projectPath", str_from(plan->project));
    add_arg(c, &n, "-runTests");
    add_option(c, &n, "-testPlatform", str_from(platform));
    add_option(c, &n, "-testResults", str_from(results));
    add_option(c, &n, "-testFilter", plan->filter);
    add_option(c, &n, "-assemblyNames", plan->assemblies);
    add_option(c, &n, "-testCategory", plan->categories);
    add_option(c, &n, "-logFile", STR("-"));
    return true;
}

static void make_env(struct test_command *c, const struct test_variable *variables)
{
    size_t n = 0;
    for (char **v = environ; *v; v++)
        n += strncmp(*v, "MULTIVERSE_", 11) != 0;
    c->env = arena_alloc(&c->arena, (n + VARIABLES + 1) * sizeof *c->env);
    n = 0;
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "MULTIVERSE_", 11) != 0)
            c->env[n++] = *v;
    for (size_t i = 0; i < VARIABLES; i++)
        c->env[n++] =
            arena_printf(&c->arena, "%s=%.*s", variables[i].variable, STR_ARG(variables[i].value))
                .p;
    c->env[n] = NULL;
}

static bool refuse_without_runner(const struct test_plan *plan, struct editor_error *err)
{
    const char *given = plan->unity_path ? plan->unity_path : getenv("UNITY_PATH");
    struct buf problem = {0};
    if (given && given[0])
        buf_printf(&problem, "%s is not a Unity program", given);
    else
        buf_printf(&problem, "Unity %.*s was not found", STR_ARG(plan->version));
    editor_error_set(
        err, "ERR_NO_TEST_RUNNER",
        "%s: set UNITY_PATH, or \"unity_path\" in multiverse.json, to the Unity program, or "
        "\"tests.command\" to a command that writes NUnit 3 XML to {results}",
        problem.p);
    buf_done(&problem);
    return false;
}

bool test_command_make(struct test_command *c, const struct test_plan *plan, const char *platform,
                       const char *results, struct editor_error *err)
{
    const struct test_variable variables[VARIABLES] = {
        {"{project}", "MULTIVERSE_PROJECT", str_from(plan->project)},
        {"{results}", "MULTIVERSE_RESULTS", str_from(results)},
        {"{platform}", "MULTIVERSE_PLATFORM", str_from(platform)},
        {"{filter}", "MULTIVERSE_FILTER", plan->filter},
        {"{assemblies}", "MULTIVERSE_ASSEMBLIES", plan->assemblies},
        {"{categories}", "MULTIVERSE_CATEGORIES", plan->categories},
    };
    size_t n = 0;
    *c = (struct test_command){0};
    for (const char *const *arg = plan->command; arg && *arg; arg++)
        add_arg(c, &n, replace_placeholders(&c->arena, str_from(*arg), variables));
    if (!plan->command && !make_unity(c, plan, platform, results)) {
        test_command_done(c);
        return refuse_without_runner(plan, err);
    }
    make_env(c, variables);
    return true;
}

void test_command_done(struct test_command *c)
{
    arena_done(&c->arena);
    *c = (struct test_command){0};
}
