#include "base/json_sprint.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"

/* Add padding, because the scanner needs some bytes after a text. */
static struct buf padded(const char *text)
{
    struct buf b = {0};
    buf_add(&b, str_from(text));
    for (unsigned i = 0; i < 2 * JSON_SPRINT_MIN; i++)
        buf_add_char(&b, ' ');
    return b;
}

/* Return the offset at which it stops; *k has what is expected there, and the depth. */
static size_t run(struct str text, struct json_sprint *k)
{
    *k = (struct json_sprint){0};
    return (size_t)(json_sprint(k, text.p, text.p + text.n, 0) - text.p);
}

/* Return whether this machine has the CPU instructions. If not, nothing is skipped. */
static bool is_able(void)
{
    struct json_sprint k;
    struct buf b = padded("[1]");
    bool able = run(buf_str(&b), &k) == 3;
    buf_done(&b);
    return able;
}

static void check_stop(const char *text, const char *at, enum json_due due, size_t depth)
{
    struct json_sprint k;
    struct buf b = padded(text);
    size_t stop = run(buf_str(&b), &k);
    if (is_able()) {
        CHECK_STR(str_skip(str_from(text), stop), str_from(at));
        assert_int_equal(k.due, due);
        assert_int_equal(k.depth, depth);
    } else {
        assert_int_equal(stop, 0);
        assert_int_equal(k.due, JSON_DUE_VALUE);
    }
    buf_done(&b);
}

TEST(a_value_is_skipped_to_its_end)
{
    static const char *const values[] = {
        "[1]",
        "[[],[[]],[[],[1]]]",
        "[-0,1.5e-3,12345678901234567890,0.25,1E9,true,false,null]",
        "{\"a\":1}",
        "{\"a\":{\"b\":[{\"c\":\"\"},\"\",{\"d\":[]}]},\"\":\"\xc3\xa9 {}[]:,\"}",
        "[\"a string that is longer than a block of sixty-four bytes, and so ends in the next\","
        "\"another that is longer than two of them: it goes on and on until it is longer than one "
        "hundred and twenty-eight bytes, and then some\",\"x\"]",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_stop(values[i], "", JSON_DUE_NEXT, 0);
}

TEST(it_stops_before_text_that_it_does_not_handle)
{
    check_stop("{}", "{}", JSON_DUE_VALUE, 0);
    check_stop("[],1", "[],1", JSON_DUE_VALUE, 0);
    check_stop("1,2", "1,2", JSON_DUE_VALUE, 0);
    check_stop("\"a\",2", "\"a\",2", JSON_DUE_VALUE, 0);
    check_stop("[{}]", "{}]", JSON_DUE_VALUE, 1);
    check_stop("{\"a\":1,\"b\" :2}", "\"b\" :2}", JSON_DUE_KEY, 1);
    check_stop("{\"a\": 1}", " 1}", JSON_DUE_VALUE, 1);
    check_stop("{\"a\":1, \"b\":2}", ", \"b\":2}", JSON_DUE_NEXT, 1);
    check_stop("[1 ]", " ]", JSON_DUE_NEXT, 1);
    check_stop("[ 1]", "[ 1]", JSON_DUE_VALUE, 0);
    check_stop("[1, 2]", " 2]", JSON_DUE_VALUE, 1);
    check_stop("[\"a\\n\"]", "[\"a\\n\"]", JSON_DUE_VALUE, 0); /* an escape near by */
    check_stop("[1,\n2]", "[1,\n2]", JSON_DUE_VALUE, 0);
    check_stop("[\"0123456789012345678901234567890123456789012345678901234567890123456789\","
               "\"a\\n\"]",
               "\"0123456789012345678901234567890123456789012345678901234567890123456789\","
               "\"a\\n\"]",
               JSON_DUE_VALUE, 1);
}

TEST(it_does_not_skip_an_error)
{
    check_stop("[1}", "}", JSON_DUE_NEXT, 1);
    check_stop("{\"a\":1]", "]", JSON_DUE_NEXT, 1);
    check_stop("[1,]", "]", JSON_DUE_VALUE, 1);
    check_stop("[,1]", ",1]", JSON_DUE_VALUE, 1);
    check_stop("[\"a\":1]", ":1]", JSON_DUE_NEXT, 1);
    check_stop("{\"a\",1}", "\"a\",1}", JSON_DUE_KEY, 1);
    check_stop("{\"a\":}", "}", JSON_DUE_VALUE, 1);
    check_stop("{\"a\":1,}", ",}", JSON_DUE_NEXT, 1);
    check_stop("{\"a\":\"b\":1}", ":1}", JSON_DUE_NEXT, 1);
    check_stop("{1:2}", "{1:2}", JSON_DUE_VALUE, 0);
    check_stop("[\"a\"\"b\"]", "\"b\"]", JSON_DUE_NEXT, 1);
    check_stop("[truer]", "r]", JSON_DUE_NEXT, 1);
    check_stop("[nul]", "nul]", JSON_DUE_VALUE, 1);
    check_stop("[01]", "1]", JSON_DUE_NEXT, 1);
    check_stop("[-]", "-]", JSON_DUE_VALUE, 1);
    check_stop("[1.]", "1.]", JSON_DUE_VALUE, 1);
    check_stop("[1e+]", "1e+]", JSON_DUE_VALUE, 1);
    check_stop("[\xc3\xa9]", "\xc3\xa9]", JSON_DUE_VALUE, 1);
}

TEST(outer_containers_count_for_the_depth)
{
    struct json_sprint k = {.objects = 1, .depth = 62};
    struct buf b = padded("[1],\"x\":[[2]]}");
    const char *at = json_sprint(&k, b.p, b.p + b.n, 62);
    if (is_able()) {
        assert_int_equal(at - b.p, 3); /* not further than the given depth */
        assert_int_equal(k.depth, 62);
        assert_true(k.objects & 1);
        k = (struct json_sprint){.objects = 1, .depth = 62};
        at = json_sprint(&k, b.p, b.p + b.n, 61);
        assert_int_equal(at - b.p, strlen("[1],\"x\":[")); /* not deeper than its bit mask */
        assert_int_equal(k.depth, 63);
        assert_int_equal(k.due, JSON_DUE_VALUE);
    }
    buf_done(&b);
}

/* The sanitizer finds a read past the end. */
TEST(it_does_not_read_past_the_end)
{
    static const char *const units[] = {"\"abc\",",      "[[[[[[[[]]]]]]]],", "1,",
                                        "123456789012,", "{\"a\":\"b\"},",    "true,"};
    for (size_t unit = 0; unit < sizeof units / sizeof *units; unit++)
        for (size_t n = 1; n < 600; n++) {
            struct buf b = {0};
            buf_add_char(&b, '[');
            while (b.n < n)
                buf_add(&b, str_from(units[unit]));
            char *exact = mem_dup(b.p, n);
            struct json_sprint k;
            assert_true(run(str_make(exact, n), &k) <= n);
            free(exact);
            buf_done(&b);
        }
}
