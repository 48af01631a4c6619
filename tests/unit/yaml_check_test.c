#include "base/buf.h"
#include "test.h"
#include "unity/yaml.h"

#define HEAD "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nA:\n" /* four lines */

TEST(every_line_is_a_key_an_item_or_a_continuation)
{
    static const struct {
        struct str text;
        size_t keys;
    } cases[] = {
        {STR_INIT("a: 1\n"), 1},
        {STR_INIT("a: 1"), 1},
        {STR_INIT("a: 1\r\nb:\r\n- c\r\n- d: 'x\r\n\r\n    y'\r\n"), 3},
        {STR_INIT("a: one\n    key: like\n    - dash\n\n     odd\nb: 2\n"), 2},
        {STR_INIT("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n"), 5},
        {STR_INIT("a:\n- b: 1\n  c:\n  - d\n  - e\n- f\nb: 2\n"), 4},
        {STR_INIT("a:\n  - b\n  - c\nd:\n- - 1\n  - 2\n- - - 3\n-\n  k: 1\n-\n- \n"), 3},
        {STR_INIT("a: {x: 1,\n  y: 2}\nb: [1, {c: 'd}'}]\nc: {}\nd: []\n"), 4},
        {STR_INIT("a: 'it''s\n\n'\nb: \"\\\"\"\n"), 2},
        {STR_INIT("'a[0]': 1\n\"b: c\":\n- d\n: e\n"), 3},
        {STR_INIT("a:\n    text of\n  two lines\nb: x\ty\nc: \t\nd: \n \t \ne:\n"), 5},
        {STR_INIT("a: -----\nb:\n- -----\n- :D\n- 12:30\n- ?x: 1\n"), 3},
        {STR_INIT("a: b #c: d\nb: http://x: y\n"), 2},
        {STR_INIT("a: 0123456789012345678901234567890123456789012345678901234567890123456789: 1\n"
                  "0123456789012345678901234567890123456789012345678901234567890123456789: 1\n"
                  "012345678901234567890123456789012345678901234567890123456789012:\n"
                  "01234567890123456789012345678901234567890123456789012345678901: \n"
                  "0123456789012345678901234567890123456789012345678901234567890:\r\n"),
         5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_error error = {0};
        size_t keys = 0;
        if (!yaml_check_plain(cases[i].text, &keys, &error) || keys != cases[i].keys) {
            print_error("%zu: %zu keys, %u:%u: %s\n", i, keys, error.line, error.column,
                        error.text ? error.text : "fine");
            fail();
        }
    }
}

TEST(first_unexpected_line_is_reported)
{
    static const struct {
        struct str text;
        unsigned line, column;
        const char *reason;
    } cases[] = {
        {STR_INIT("  a: 1\n<<<<<<< HEAD\n  b: 2\n"), 6, 1, "merge"},
        {STR_INIT("  a: 1\n=======\n  b: 2\n"), 6, 1, "merge"},
        {STR_INIT("  a: 1\n>>>>>>> x\n  b: 2\n"), 6, 1, "merge"},
        {STR_INIT("  a: 1\n||||||| x\n  b: 2\n"), 6, 1, "merge"},
        {STR_INIT("<<<<<<< HEAD\n  b: 2\n"), 5, 1, "merge"},
        {STR_INIT("  a: 1\nb: 2\n"), 6, 1, "expected a key"},
        {STR_INIT("  a: 1\n\tb: 2\n"), 6, 1, "tab"},
        {STR_INIT("  a:\n  \tb: 2\n"), 6, 3, "tab"},
        {STR_INIT("  a: 1\n  b"), 6, 3, "expected a key"},
        {STR_INIT("  a: 1\n  b:2\n"), 6, 3, "expected a key"},
        {STR_INIT("  a: 1\n  - b\n"), 6, 3, "expected a key"},
        {STR_INIT("  a:\n    b: 1\n   c: 2\n"), 7, 4, "expected a key"},
        {STR_INIT("  a:\n  - b\n   - c\n d: 1\n"), 8, 2, "expected a key"},
        {STR_INIT("  a:\n    - b\n    c: 1\n"), 7, 5, "expected a key"},
        {STR_INIT("  a:\n  - b: 1\n  - c\n    d: 1\n  e\n"), 9, 3, "expected a key"},
        {STR_INIT("  # a: 1\n"), 5, 3, "expected a key"},
        {STR_INIT("  ? a\n  : b\n"), 5, 3, "expected a key"},
        {STR_INIT("  a: x\0y\n"), 5, 7, "NUL"},
        {STR_INIT("  a: 'x\n    \0y'\n"), 6, 5, "NUL"},
        {STR_INIT("  a: x\n    \x01y\n"), 6, 5, "control"},
        {STR_INIT("  a: x\ry\n"), 5, 7, "control"},
        {STR_INIT("  a: x\r"), 5, 7, "control"},
        {STR_INIT("  a: 'x\n  b: 1\n"), 5, 6, "quote"},
        {STR_INIT("  a: \"x\\\"\n  b: 1\n"), 5, 6, "quote"},
        {STR_INIT("  a: {x: 1\n  b: 1\n"), 5, 6, "bracket"},
        {STR_INIT("  a: {x: 1, y: [2}\n"), 5, 18, "bracket"},
        {STR_INIT("  a: {x: 1, y: 'z}\n"), 5, 16, "bracket"},
        {STR_INIT("  a: {x: 1} y\n"), 5, 13, "after the end"},
        {STR_INIT("  a: {x: 1}}\n"), 5, 12, "after the end"},
        {STR_INIT("  a: 'x' y\n"), 5, 10, "after the end"},
        {STR_INIT("  a: &x 1\n"), 5, 6, "anchors"},
        {STR_INIT("  a: *x\n"), 5, 6, "anchors"},
        {STR_INIT("  a: !t 1\n"), 5, 6, "anchors"},
        {STR_INIT("  a: |\n    x\n"), 5, 6, "anchors"},
        {STR_INIT("  a:\n    >\n    x\n"), 6, 5, "anchors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf text = {0};
        struct yaml_file f;
        struct yaml_error error = {0};
        size_t keys;
        buf_add(&text, STR(HEAD));
        buf_add(&text, cases[i].text);
        assert_true(yaml_split(&f, buf_str(&text), &error));
        bool fine = yaml_check(&f, &keys, &error);
        if (fine || error.line != cases[i].line || error.column != cases[i].column ||
            !strstr(error.text, cases[i].reason)) {
            print_error("%zu: %u:%u: %s\n", i, error.line, error.column,
                        fine ? "fine" : error.text);
            fail();
        }
        yaml_done(&f);
        buf_done(&text);
    }
}

TEST(keys_of_all_documents_are_counted)
{
    struct yaml_file f;
    struct yaml_error error;
    size_t keys;
    assert_true(yaml_split(&f, STR(HEAD "  a: 1\n  b:\n--- !u!1 &2\nB:\n--- !u!1 &3\nC:\n  c: 1\n"),
                           &error));
    assert_true(yaml_check(&f, &keys, &error));
    assert_int_equal(keys, 3);
    yaml_done(&f);
    assert_true(yaml_split(&f, STR(HEAD "  a: 1\n--- !u!1 &2\nB:\n  b\n"), &error));
    assert_false(yaml_check(&f, &keys, &error));
    assert_int_equal(error.line, 8);
    yaml_done(&f);
}

TEST(excessive_nesting_of_blocks_is_an_error)
{
    struct yaml_error error;
    size_t keys;
    for (unsigned deep = YAML_MAX_DEPTH; deep <= YAML_MAX_DEPTH + 1; deep++) {
        struct buf b = {0};
        for (unsigned i = 0; i < deep; i++)
            buf_printf(&b, "%*sa:\n", (int)i, "");
        assert_int_equal(yaml_check_plain(buf_str(&b), &keys, &error), deep == YAML_MAX_DEPTH);
        buf_done(&b);
    }
    assert_non_null(strstr(error.text, "deep"));
    assert_int_equal(error.line, YAML_MAX_DEPTH + 1);
    assert_false(yaml_check_plain(STR(""), &keys, &error));
}

/* The fast and the slow path agree for any length of lines and of the text. */
TEST(lines_of_every_length_are_checked_alike)
{
    struct buf b = {0};
    for (size_t n = 0; n < 200; n++) {
        struct yaml_error error;
        size_t keys = 0;
        buf_clear(&b);
        for (size_t i = 0; i < n; i++)
            buf_add_char(&b, 'k');
        buf_add(&b, STR(": {x: "));
        for (size_t i = 0; i < n; i++)
            buf_add_char(&b, i % 30 == 29 ? ',' : '1');
        buf_add(&b, STR("}\nb: 1"));
        for (size_t i = 0; i < n; i++)
            buf_add_char(&b, ' ');
        if (!yaml_check_plain(buf_str(&b), &keys, &error))
            print_error("%zu: %u:%u: %s\n", n, error.line, error.column, error.text);
        assert_int_equal(keys, 2);
        buf_add(&b, STR("\n'x"));
        assert_false(yaml_check_plain(buf_str(&b), &keys, &error));
        assert_int_equal(error.line, 3);
    }
    buf_done(&b);
}
