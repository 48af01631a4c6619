#include <math.h>

#include "test.h"
#include "unity/yaml.h"

static struct yaml_value scalar(const char *text)
{
    return (struct yaml_value){.kind = YAML_SCALAR, .text = str_from(text)};
}

static struct yaml_value flow(const char *text)
{
    return (struct yaml_value){.kind = YAML_FLOW_MAP, .text = str_from(text)};
}

TEST(a_text_is_unquoted_and_unfolded)
{
    static const struct {
        const char *text;
        struct str says;
    } cases[] = {
        {"Cube", STR_INIT("Cube")},
        {"Button #2", STR_INIT("Button #2")},
        {"~", STR_INIT("~")},
        {"it's \"so\" \\n", STR_INIT("it's \"so\" \\n")},
        {"one\n    two", STR_INIT("one two")},
        {"one  \n      two\n  three", STR_INIT("one two three")},
        {"one\r\n    two\r\n\r\n  three", STR_INIT("one two\nthree")},
        {"one\n\n\n  two", STR_INIT("one\n\ntwo")},
        {"''", STR_INIT("")},
        {"'it''s'", STR_INIT("it's")},
        {"' a: '", STR_INIT(" a: ")},
        {"'a\n\n    b\n\n\n    c'", STR_INIT("a\nb\n\nc")},
        {"'a\n\n'", STR_INIT("a\n")},
        {"'\n\n  a'", STR_INIT("\na")},
        {"'a\n  b  '", STR_INIT("a b  ")},
        {"'\\n'", STR_INIT("\\n")},
        {"\"\"", STR_INIT("")},
        {"\"plain\"", STR_INIT("plain")},
        {"\"\\u25B2\\xE9\\_\\L\\P\\N\"",
         STR_INIT("\xe2\x96\xb2\xc3\xa9\xc2\xa0\xe2\x80\xa8\xe2\x80\xa9\xc2\x85")},
        {"\"\\U0001F60A\"", STR_INIT("\xf0\x9f\x98\x8a")},
        {"\"\\uD83D\\uDE0A\"", STR_INIT("\xf0\x9f\x98\x8a")},
        {"\"\\uD83D\\u0041\\uDE0A\"", STR_INIT("\xef\xbf\xbd"
                                               "A"
                                               "\xef\xbf\xbd")},
        {"\"\\U00110000\"", STR_INIT("\xef\xbf\xbd")},
        {"\"a\\tb\\nc\\rd\\\\e\\\"f\\/g\\0h\\a\\b\\e\\f\\v\"",
         STR_INIT("a\tb\nc\rd\\e\"f/g\0h\a\b\x1b\f\v")},
        {"\"a\n    b\"", STR_INIT("a b")},
        {"\"a \n\n   b\"", STR_INIT("a\nb")},
        {"\"a\n    \\  b\"", STR_INIT("a   b")},
        {"\"a\\\n    b\"", STR_INIT("ab")},
        {"\"a \\\n\n    b\"", STR_INIT("a \nb")},
        {"\"a\\ \n b\"", STR_INIT("a  b")},
        {"\"\\q\\xZZ\\u12\\\"", STR_INIT("\\q\\xZZ\\u12\"")},
        {"'open", STR_INIT("open")},
        {"'a' b", STR_INIT("a")},
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(yaml_text(&a, scalar(cases[i].text)), cases[i].says);
    assert_int_equal(yaml_text(&a, flow("{a: 1}")).n, 0);
    assert_int_equal(yaml_text(&a, (struct yaml_value){0}).n, 0);
    arena_done(&a);
}

TEST(literal_text_is_not_copied)
{
    struct arena a = {0};
    struct yaml_value plain = scalar("Cube"), quoted = scalar("'a: b'"), two = scalar("\"x\"");
    assert_ptr_equal(yaml_text(&a, plain).p, plain.text.p);
    assert_ptr_equal(yaml_text(&a, quoted).p, quoted.text.p + 1);
    assert_ptr_equal(yaml_text(&a, two).p, two.text.p + 1);
    assert_int_equal(arena_size(&a), 0);
    arena_done(&a);
}

TEST(integers_are_read_as_the_requested_type)
{
    int64_t i = 5;
    uint64_t u = 5;
    assert_true(yaml_i64(scalar("-9223372036854775808"), &i) && i == INT64_MIN);
    assert_true(yaml_i64(scalar("'12'"), &i) && i == 12);
    assert_true(yaml_u64(scalar("18446744073709551615"), &u) && u == UINT64_MAX);
    i = 5;
    static const char *const none[] = {"", "x", "1.0", "1 ", "9223372036854775808", "1\n  2", "''"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_false(yaml_i64(scalar(none[k]), &i));
    assert_false(yaml_i64((struct yaml_value){.kind = YAML_EMPTY}, &i));
    assert_false(yaml_u64(scalar("-1"), &u));
    assert_int_equal(i, 5);
}

TEST(numbers_of_all_versions_are_read)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-1.5", -1.5},
        {".0700000003", .0700000003},
        {"-.5", -.5},
        {"1.", 1},
        {"3.4028235e+38", 3.4028235e+38},
        {"7e-43", 7e-43},
        {"1E2", 100},
        {"0.019999999552965164", 0.019999999552965164},
        {"'2'", 2},
        {"Infinity", INFINITY},
        {"-Infinity", -INFINITY},
    };
    static const char *const none[] = {"",    ".",  "-",   "e5",   "1e",  "1e+", "1x",
                                       "--1", "+1", "inf", "0x10", "1 2", "N",   "1e999"};
    double d = 5;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(yaml_double(scalar(cases[i].text), &d));
        assert_true(d == cases[i].value);
    }
    assert_true(yaml_double(scalar("-0"), &d) && d == 0 && signbit(d));
    assert_true(yaml_double(scalar("NaN"), &d) && isnan(d));
    d = 5;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(yaml_double(scalar(none[i]), &d));
    assert_true(d == 5);
}

TEST(hex_array_is_read_as_bytes)
{
    struct buf b = {0};
    assert_true(yaml_hex(&b, scalar("00017fFf")));
    CHECK_STR(buf_str(&b), STR("\x00\x01\x7f\xff"));
    assert_true(yaml_hex(&b, (struct yaml_value){.kind = YAML_EMPTY}));
    assert_false(yaml_hex(&b, scalar("000")));
    assert_false(yaml_hex(&b, scalar("0g")));
    assert_false(yaml_hex(&b, flow("{}")));
    assert_false(yaml_hex(&b, (struct yaml_value){0}));
    assert_int_equal(b.n, 4);
    buf_done(&b);
}

TEST(a_reference_is_id_guid_and_type)
{
    struct reference r;
    assert_true(yaml_reference(flow("{fileID: 0}"), &r));
    assert_true(reference_is_null(r) && reference_is_local(r));
    assert_true(yaml_reference(
        flow("{fileID: -765806418, guid: f5f67c52d1564df4a8936ccd202a3bd8,\n    type: 3}"), &r));
    assert_int_equal(r.file_id, -765806418);
    assert_true(r.guid.hi == 0xf5f67c52d1564df4u && r.guid.lo == 0xa8936ccd202a3bd8u);
    assert_int_equal(r.type, 3);
    assert_false(reference_is_null(r) || reference_is_local(r));
    static const char *const none[] = {
        "{}",
        "{fileID: }",
        "{fileID: x}",
        "{guid: 0}",
        "{x: 0, y: 1}",
        "{fileID: 1, x: 2}",
        "{fileID: 1, guid: 12}",
        "{fileID: 1, type: 4294967296}",
        "{fileID: {fileID: 1}}",
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(yaml_reference(flow(none[i]), &r));
    assert_false(yaml_reference(scalar("1"), &r));
    assert_int_equal(r.type, 3);
}
