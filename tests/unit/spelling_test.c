#include "base/spelling.h"

#include "test.h"

TEST(both_spellings_are_equal)
{
    assert_true(spelling_is(STR("max_loops"), "max_loops"));
    assert_true(spelling_is(STR("maxLoops"), "max_loops"));
    assert_true(spelling_is(STR("allCriteriaSatisfied"), "all_criteria_satisfied"));
    assert_true(spelling_is(STR("id"), "id"));
    static const char *const others[] = {"maxloops",  "MaxLoops",  "maxLoop", "maxLoopsX",
                                         "max-loops", "max_Loops", "",        "max"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(spelling_is(str_from(others[i]), "max_loops"));
}

TEST(a_member_is_found_in_either_spelling)
{
    struct arena a = {0};
    const struct json *v = json_parse(&a,
                                      STR("{\"maxLoops\": 1, \"id\": 2, \"both_ways\": 3, "
                                          "\"bothWays\": 4, \"none\": null, \"no_thing\": null}"),
                                      NULL, NULL);
    int64_t n = 0;
    assert_true(json_i64(spelling_get(v, "max_loops"), &n) && n == 1);
    assert_true(json_i64(spelling_get(v, "id"), &n) && n == 2);
    assert_true(json_i64(spelling_get(v, "both_ways"), &n) && n == 3);
    assert_null(spelling_get(v, "not_there"));
    assert_null(spelling_get(NULL, "id"));
    assert_true(json_is(spelling_get(v, "no_thing"), JSON_NULL));
    assert_null(spelling_get_some(v, "no_thing"));
    assert_null(spelling_get_some(v, "none"));
    assert_non_null(spelling_get_some(v, "id"));
    arena_done(&a);
}
