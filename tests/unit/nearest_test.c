#include "base/nearest.h"

#include "base/rng.h"
#include "test.h"

static struct str near_to(struct str wanted, const char *const *names, size_t count)
{
    struct nearest n = nearest_make(wanted);
    for (size_t i = 0; i < count; i++)
        nearest_offer(&n, str_from(names[i]));
    return n.best;
}

/* Return the name if it is near to the written one. */
#define NEAR(wanted, name) near_to(STR(wanted), (const char *const[]){name}, 1)

TEST(one_error_of_any_kind_is_accepted)
{
    CHECK_CSTR(NEAR("max_dept", "max_depth"), "max_depth");   /* too few */
    CHECK_CSTR(NEAR("max_deepth", "max_depth"), "max_depth"); /* too many */
    CHECK_CSTR(NEAR("max_dapth", "max_depth"), "max_depth");  /* wrong */
    CHECK_CSTR(NEAR("prot", "port"), "port");                 /* swapped: one error, not two */
    CHECK_CSTR(NEAR("opt", "opts"), "opts");
    CHECK_CSTR(NEAR("port", "port"), "port");
}

TEST(a_third_of_the_letters_may_be_wrong)
{
    CHECK_CSTR(NEAR("abcxyz", "abcdez"), "abcdez");
    CHECK_CSTR(NEAR("abcxyz", "abcdef"), "");
    CHECK_CSTR(NEAR("abcdef", "abcd"), "abcd");
    CHECK_CSTR(NEAR("abcdef", "abc"), "");
    CHECK_CSTR(NEAR("set", "get"), "get");
    CHECK_CSTR(NEAR("a", "b"), "");
    CHECK_CSTR(NEAR("ab", "ac"), "");
}

TEST(case_and_dashes_are_ignored)
{
    CHECK_CSTR(NEAR("MAX-DEPTH", "max_depth"), "max_depth");
    CHECK_CSTR(NEAR("maxDepth", "max_depth"), "max_depth");
    CHECK_CSTR(NEAR("gameObjectPath", "game_object_path"), "game_object_path");
}

TEST(the_nearest_name_is_chosen_and_among_equals_the_first)
{
    static const char *const names[] = {"max_breadth", "max_depths", "max_depth", "max_death"};
    CHECK_CSTR(near_to(STR("max_dept"), names, 4), "max_depth");
    CHECK_CSTR(near_to(STR("max_deeth"), names, 4), "max_depth");
    CHECK_CSTR(near_to(STR("nothing like it"), names, 4), "");
}

TEST(nothing_is_near_to_an_empty_or_long_name)
{
    char text[NEAREST_MAX + 2];
    memset(text, 'a', sizeof text);
    struct str most = str_make(text, NEAREST_MAX), more = str_make(text, NEAREST_MAX + 1);
    struct nearest n = nearest_make(most);
    nearest_offer(&n, most);
    assert_int_equal(n.best.n, NEAREST_MAX);
    n = nearest_make(most);
    nearest_offer(&n, more);
    assert_int_equal(n.best.n, 0);
    n = nearest_make(more);
    nearest_offer(&n, most);
    assert_int_equal(n.best.n, 0);
    CHECK_CSTR(NEAR("", "port"), "");
    CHECK_CSTR(NEAR("port", ""), "");
    CHECK_CSTR(NEAR("", ""), "");
}

static size_t plain_distance(const char *a, size_t n, const char *b, size_t m)
{
    if (n == 0 || m == 0)
        return n + m;
    size_t best = plain_distance(a + 1, n - 1, b + 1, m - 1) + (*a != *b);
    size_t other = plain_distance(a + 1, n - 1, b, m) + 1;
    best = other < best ? other : best;
    other = plain_distance(a, n, b + 1, m - 1) + 1;
    best = other < best ? other : best;
    if (n > 1 && m > 1 && a[0] == b[1] && a[1] == b[0]) {
        other = plain_distance(a + 2, n - 2, b + 2, m - 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

TEST(it_agrees_with_the_definition_on_many_words)
{
    struct rng rng;
    size_t near = 0;
    rng_seed(&rng, 7);
    for (int round = 0; round < 3000; round++) {
        char a[6], b[6];
        size_t n = 1 + rng_below(&rng, 6), m = 1 + rng_below(&rng, 6);
        for (size_t i = 0; i < 6; i++) {
            a[i] = (char)('a' + rng_below(&rng, 3));
            b[i] = (char)('a' + rng_below(&rng, 3));
        }
        struct nearest found = nearest_make(str_make(a, n));
        nearest_offer(&found, str_make(b, m));
        bool want = plain_distance(a, n, b, m) * 3 <= (n > m ? n : m);
        assert_int_equal(found.best.n > 0, want);
        near += want;
    }
    assert_true(near > 100);
}
