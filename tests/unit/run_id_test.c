#include "task/run_id.h"

#include <string.h>

#include "test.h"

TEST(new_id_has_the_form_and_is_unique)
{
    char a[RUN_ID_SIZE], b[RUN_ID_SIZE];
    run_id_new(a);
    run_id_new(b);
    assert_int_equal(strlen(a), RUN_ID_SIZE - 1);
    assert_true(run_id_is(a) && run_id_is(b));
    assert_string_not_equal(a, b);
}

TEST(other_text_is_not_an_id)
{
    static const char *const wrong[] = {
        "",
        "x",
        "20261116T025200Z-9f86d08",
        "20261116T025200Z-9f86d0811",
        "20261116T025200Z-9F86D081",
        "20261116T025200Z/9f86d081",
        "../1116T025200Z-9f86d081",
    };
    assert_true(run_id_is("20261116T025200Z-9f86d081"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(run_id_is(wrong[i]));
}
