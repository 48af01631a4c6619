#include <stdlib.h>

#include "cli/store_option.h"
#include "test.h"

static const struct options_row rows[] = {STORE_OPTION_ROW, {0}};

static const char *given(char *text)
{
    static struct options o;
    static char *argv[3];
    static char name[] = "--store";
    struct error err = {0};
    argv[0] = text ? name : NULL;
    argv[1] = text;
    argv[2] = NULL;
    assert_true(options_parse(&o, rows, text ? 2 : 0, argv, &err));
    return store_option(&o);
}

TEST(the_option_overrides_the_variable)
{
    char url[] = "postgresql://db/work";
    setenv("MULTIVERSE_STORE", "/var/tasks.db", 1);
    assert_string_equal(given(url), "postgresql://db/work");
    assert_string_equal(given(NULL), "/var/tasks.db");
}

TEST(without_option_and_variable_there_is_no_store)
{
    setenv("MULTIVERSE_STORE", "", 1);
    assert_null(given(NULL));
    unsetenv("MULTIVERSE_STORE");
    assert_null(given(NULL));
}
