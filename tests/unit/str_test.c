#include "base/str.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

static const struct str none = {0};

TEST(a_text_knows_its_length)
{
    assert_int_equal(STR("abc").n, 3);
    assert_int_equal(STR("a\0b").n, 3);
    assert_int_equal(str_from("abc").n, 3);
    assert_int_equal(str_from(NULL).n, 0);
    assert_true(str_is_empty(none));
    assert_true(str_is_empty(STR("")));
    assert_false(str_is_empty(STR(" ")));
}

TEST(texts_are_equal_by_their_bytes)
{
    assert_true(str_eq(STR("abc"), str_make("abcd", 3)));
    assert_true(str_eq(none, STR("")));
    assert_false(str_eq(STR("abc"), STR("abd")));
    assert_false(str_eq(STR("abc"), STR("ab")));
    assert_false(str_eq(STR("a\0b"), STR("a\0c")));
}

TEST(case_is_ignored_for_ascii_letters_only)
{
    assert_true(str_eq_nocase(STR("Content-Type"), STR("cONTENT-tYPE")));
    assert_true(str_eq_nocase(none, none));
    assert_false(str_eq_nocase(STR("a"), STR("ab")));
    assert_false(str_eq_nocase(STR("@"), STR("`")));
    assert_false(str_eq_nocase(STR("["), STR("{")));
    assert_false(str_eq_nocase(STR("\xc4"), STR("\xe4")));
}

TEST(parts_after_the_end_are_empty)
{
    CHECK_CSTR(str_skip(STR("abc"), 1), "bc");
    CHECK_CSTR(str_skip(STR("abc"), 3), "");
    CHECK_CSTR(str_skip(STR("abc"), SIZE_MAX), "");
    CHECK_CSTR(str_skip(none, 1), "");
    CHECK_CSTR(str_head(STR("abc"), 2), "ab");
    CHECK_CSTR(str_head(STR("abc"), SIZE_MAX), "abc");
    CHECK_CSTR(str_head(none, 2), "");
}

TEST(beginnings_and_ends_are_recognised)
{
    assert_true(str_starts(STR("abc"), STR("ab")));
    assert_true(str_starts(STR("abc"), none));
    assert_true(str_starts(none, none));
    assert_false(str_starts(STR("abc"), STR("abcd")));
    assert_false(str_starts(STR("abc"), STR("b")));
    assert_true(str_ends(STR("abc"), STR("bc")));
    assert_true(str_ends(STR("abc"), none));
    assert_false(str_ends(STR("abc"), STR("xabc")));
    assert_false(str_ends(STR("abc"), STR("b")));
}

TEST(texts_are_sorted_by_bytes_and_shorter_first)
{
    static const struct str sorted[] = {STR_INIT(""),    STR_INIT("\0"), STR_INIT("A"),
                                        STR_INIT("a"),   STR_INIT("aa"), STR_INIT("b"),
                                        STR_INIT("\xff")};
    size_t n = sizeof sorted / sizeof *sorted;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int c = str_cmp(sorted[i], sorted[j]);
            assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
        }
    assert_int_equal(str_cmp(none, STR("")), 0);
}

TEST(trimming_takes_blanks_from_both_ends)
{
    CHECK_CSTR(str_trim(STR(" \t\r\na b\n\r\t ")), "a b");
    CHECK_CSTR(str_trim(STR(" \n ")), "");
    CHECK_CSTR(str_trim(none), "");
    CHECK_CSTR(str_trim(STR("\va\f")), "\va\f");
}

TEST(the_first_occurrence_is_found)
{
    assert_int_equal(str_find_char(STR("abcb"), 'b'), 1);
    assert_int_equal(str_find_char(STR("abc"), 'x'), 3);
    assert_int_equal(str_sum((const struct str[]){STR("ab"), none, STR("c")}, 3), 3);
    assert_int_equal(str_sum(NULL, 0), 0);
    assert_int_equal(str_find_char(none, 'x'), 0);
    assert_int_equal(str_find(STR("aabaab"), STR("ab")), 1);
    assert_int_equal(str_find(STR("abc"), STR("abc")), 0);
    assert_int_equal(str_find(STR("abc"), STR("bcd")), 3);
    assert_int_equal(str_find(STR("abc"), STR("abcd")), 3);
    assert_int_equal(str_find(STR("abc"), none), 0);
    assert_int_equal(str_find(none, STR("a")), 0);
    assert_int_equal(str_find(none, none), 0);
    assert_int_equal(str_find(STR("a\0b\0c"), STR("\0c")), 3);
}

/* Quadratic search would need 2.5 * 10^11 steps here. */
TEST(searching_takes_linear_time)
{
    size_t n = 1000000;
    char *p = mem_alloc(n);
    memset(p, 'a', n);
    p[n / 2 - 1] = 'b';
    assert_int_equal(str_find(str_make(p + n / 2, n / 2), str_make(p, n / 2)), n / 2);
    free(p);
}

TEST(finding_agrees_with_a_naive_search)
{
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < 20000; i++) {
        char text[24], word[4];
        struct str s = str_make(text, rng_below(&r, sizeof text)),
                   w = str_make(word, rng_below(&r, sizeof word));
        for (size_t j = 0; j < sizeof text; j++)
            text[j] = (char)('a' + rng_below(&r, 2));
        for (size_t j = 0; j < sizeof word; j++)
            word[j] = (char)('a' + rng_below(&r, 2));
        size_t want = 0;
        while (want < s.n && !str_starts(str_skip(s, want), w))
            want++;
        assert_int_equal(str_find(s, w), want);
    }
}

TEST(cutting_walks_through_a_list)
{
    struct str rest = STR("a,,b,"), part;
    assert_true(str_cut(&rest, ',', &part));
    CHECK_CSTR(part, "a");
    assert_true(str_cut(&rest, ',', &part));
    CHECK_CSTR(part, "");
    assert_true(str_cut(&rest, ',', &part));
    CHECK_CSTR(part, "b");
    CHECK_CSTR(rest, "");
    assert_false(str_cut(&rest, ',', &part));
    CHECK_CSTR(part, "");

    rest = STR("whole");
    assert_false(str_cut(&rest, ',', &part));
    CHECK_CSTR(part, "whole");
    CHECK_CSTR(rest, "");
}

TEST(numbers_are_read_up_to_their_limits)
{
    uint64_t u;
    int64_t i;
    assert_true(str_to_u64(STR("0"), &u) && u == 0);
    assert_true(str_to_u64(STR("007"), &u) && u == 7);
    assert_true(str_to_u64(STR("18446744073709551615"), &u) && u == UINT64_MAX);
    assert_true(str_to_i64(STR("9223372036854775807"), &i) && i == INT64_MAX);
    assert_true(str_to_i64(STR("-9223372036854775808"), &i) && i == INT64_MIN);
    assert_true(str_to_i64(STR("-0"), &i) && i == 0);
}

TEST(an_invalid_number_is_refused_and_changes_nothing)
{
    uint64_t u = 42;
    int64_t i = 42;
    static const char *const bad[] = {"",    "-",   "+1",  " 1",  "1 ", "1a",
                                      "--1", "0x1", "1.0", "1e3", "/",  ":"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_false(str_to_u64(str_from(bad[k]), &u));
        assert_false(str_to_i64(str_from(bad[k]), &i));
    }
    assert_false(str_to_u64(none, &u));
    assert_false(str_to_u64(STR("-1"), &u));
    assert_false(str_to_u64(STR("1\0"), &u));
    assert_false(str_to_u64(STR("18446744073709551616"), &u));
    assert_false(str_to_u64(STR("99999999999999999999999"), &u));
    assert_false(str_to_i64(STR("9223372036854775808"), &i));
    assert_false(str_to_i64(STR("-9223372036854775809"), &i));
    assert_int_equal(u, 42);
    assert_int_equal(i, 42);
}

TEST(a_text_too_long_for_printf_is_cut)
{
    assert_int_equal(str_precision(str_make("", SIZE_MAX)), INT32_MAX);
    assert_int_equal(str_precision(str_make("", (size_t)INT32_MAX + 1)), INT32_MAX);
    assert_int_equal(str_precision(STR("abc")), 3);
    char text[16];
    snprintf(text, sizeof text, "[%.*s]", STR_ARG(none));
    CHECK_CSTR(str_from(text), "[]");
}

TEST(equal_texts_have_equal_hashes)
{
    char buf[64];
    memset(buf, 'x', sizeof buf);
    for (size_t n = 0; n < 32; n++) /* also at odd addresses */
        assert_true(str_hash(str_make(buf, n)) == str_hash(str_make(buf + 1, n)));
    assert_true(str_hash(none) == str_hash(STR("")));
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

TEST(different_texts_have_different_hashes)
{
    size_t n = 0, cap = 70000;
    uint64_t *h = mem_alloc(cap * sizeof *h);
    char text[16] = {0};
    for (size_t len = 0; len <= sizeof text; len++) /* zeros of every length */
        h[n++] = str_hash(str_make(text, len));
    for (unsigned bit = 0; bit < 8 * sizeof text; bit++) { /* and every single bit */
        text[bit / 8] = (char)(1u << bit % 8);
        h[n++] = str_hash(str_make(text, sizeof text));
        text[bit / 8] = 0;
    }
    for (int i = 0; i < 60000; i++) {
        int len = snprintf(text, sizeof text, "key%d", i);
        h[n++] = str_hash(str_make(text, (size_t)len));
    }
    assert_true(n <= cap);
    qsort(h, n, sizeof *h, compare_u64);
    for (size_t i = 1; i < n; i++)
        assert_true(h[i] != h[i - 1]);
    free(h);
}

/* With a fixed seed, a sender could choose keys that collide. */
TEST(another_process_has_other_hashes)
{
    char self[4096], command[4200], hash[2][32] = {"", ""};
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = 0;
    snprintf(command, sizeof command, "'%s' hash", self);
    for (int i = 0; i < 2; i++) {
        FILE *f = popen(command, "r");
        assert_non_null(f);
        assert_non_null(fgets(hash[i], sizeof hash[i], f));
        assert_int_equal(pclose(f), 0);
    }
    assert_string_not_equal(hash[0], hash[1]);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "hash") == 0)
        return printf("%016llx\n", (unsigned long long)str_hash(STR("key"))) < 0;
    return test_run(NULL, NULL);
}
