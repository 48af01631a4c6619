/* A launch built from a candidate, for the tests of the providers. */
#pragma once

#include "agent_fixture.h"

static struct provider_launch launch;
static struct error err;

static inline int teardown_launch(void **state)
{
    provider_launch_done(&launch);
    err = (struct error){0};
    return teardown_agent(state);
}

static inline void build(const char *text)
{
    set_candidate(text);
    provider_launch_done(&launch);
    if (!provider_build(&call, &launch, &err))
        fail_msg("%s", err.text);
}

static inline void check_refused(const char *text, const char *want)
{
    set_candidate(text);
    provider_launch_done(&launch);
    assert_false(provider_build(&call, &launch, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), want);
    assert_false(provider_check(&candidate, &err) && strstr(want, "toolSpecific"));
    assert_null(launch.argv);
    assert_int_equal(count_files("calls"), 0);
}

/* Return the arguments after the program, separated by spaces. */
static inline struct str line(void)
{
    struct buf b = {0};
    for (const char **a = launch.argv + 1; *a; a++)
        buf_printf(&b, "%s%s", b.n ? " " : "", *a);
    struct str text = arena_str(&fixture, buf_str(&b));
    buf_done(&b);
    return text;
}

static inline bool has(const char *part)
{
    return str_find(line(), str_from(part)) < line().n;
}

static inline const char *env(const char *name)
{
    size_t n = strlen(name);
    const char *found = NULL;
    for (const char **e = launch.env; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') {
            assert_null(found); /* no duplicate */
            found = *e + n + 1;
        }
    return found;
}

static inline bool is_secret(const char *value)
{
    for (size_t i = 0; i < launch.secret_count; i++)
        if (str_eq(launch.secrets[i], str_from(value)))
            return true;
    return false;
}

static inline bool is_needed(const char *name)
{
    for (const char **n = launch.variables; n && *n; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}
