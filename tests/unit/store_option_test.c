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

static void the_option_holds_over_the_variable(void **state)
{
    char url[] = "postgresql://db/work";
    (void)state;
    setenv("MULTIVERSE_STORE", "/var/tasks.db", 1);
    assert_string_equal(given(url), "postgresql://db/work");
    assert_string_equal(given(NULL), "/var/tasks.db");
}

static void without_both_there_is_none(void **state)
{
    (void)state;
    setenv("MULTIVERSE_STORE", "", 1);
    assert_null(given(NULL));
    unsetenv("MULTIVERSE_STORE");
    assert_null(given(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_option_holds_over_the_variable),
        cmocka_unit_test(without_both_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
