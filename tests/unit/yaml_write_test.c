#include "unity/yaml_write.h"

#include <math.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

static const struct yaml_style wrapping = {0};
static const struct yaml_style newest = {.one_line = true, .quote_brackets = true};

/* Check a string that is written after "key: ". */
static void check_string(struct str text, const struct yaml_style *style, const char *want)
{
    struct buf out = {0};
    buf_add(&out, STR("  m_Text: "));
    yaml_write_string(&out, style, (struct yaml_place){2, 10}, text);
    CHECK_CSTR(str_skip(buf_str(&out), 10), want);
    buf_done(&out);
}

TEST(text_is_plain_if_possible)
{
    static const char *const plain[] = {
        "Cube", "No",        "null",  "~",
        "0123", "Button #2", "-----", "--- a",
        ":D",   "?x",        "a:b",   "-x",
        "it's", "a,b",       "a{b}",  "m_Materials.Array.data[0]",
        "\\n",  "a \"b\" c", "$%&",
    };
    static const char *const quoted[] = {
        " a", "a ", "a: b", "a:", "- a", "-",  "? a", ": a", ",a", "[a", "]a", "{a",
        "}a", "#a", "&a",   "*a", "!a",  "|a", ">a",  "\"a", "%a", "@a", "`a",
    };
    struct buf want = {0};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        check_string(str_from(plain[i]), &wrapping, plain[i]);
    for (size_t i = 0; i < sizeof quoted / sizeof *quoted; i++) {
        buf_clear(&want);
        buf_printf(&want, "'%s'", quoted[i]);
        check_string(str_from(quoted[i]), &wrapping, want.p);
    }
    buf_done(&want);
    check_string(STR(""), &wrapping, "");
    check_string(STR("'a'"), &wrapping, "'''a'''");
    check_string(STR("a[0]"), &newest, "'a[0]'");
    check_string(STR("a]"), &newest, "'a]'");
    check_string(STR("a{,}"), &newest, "a{,}");
}

TEST(text_with_escapes_is_in_double_quotes)
{
    check_string(STR("\xe2\x96\xb2 \xc3\xa9\xc2\xa0\xe2\x80\xa8\xe2\x80\xa9\xc2\x85"), &wrapping,
                 "\"\\u25B2 \\xE9\\_\\L\\P\\N\"");
    check_string(STR("\xf0\x9f\x98\x8a"), &wrapping, "\"\\U0001F60A\"");
    check_string(STR("a\tb"), &wrapping, "\"a\\tb\"");
    check_string(STR("\"\\\r\n\0\x1b\x01\x7f"), &wrapping, "\"\\\"\\\\\\r\\n\\0\\e\\x01\\x7F\"");
    check_string(STR("a \nb"), &wrapping, "\"a \\nb\"");
    check_string(STR("a\n b"), &wrapping, "\"a\\n b\"");
    check_string(STR("\xff"
                     "a\xe2\x96"),
                 &wrapping, "\"\\uFFFDa\\uFFFD\"");
}

TEST(line_feed_becomes_an_empty_line)
{
    check_string(STR("a\nb\n\nc"), &wrapping, "'a\n\n    b\n\n\n    c'");
    check_string(STR("a\n"), &wrapping, "'a\n\n'");
    check_string(STR("\na"), &wrapping, "'\n\n    a'");
    check_string(STR("a\nb"), &(struct yaml_style){.crlf = true}, "'a\r\n\r\n    b'");
}

/* Texts as folded by Unity. The first line starts at column 10. */
TEST(long_text_is_folded_after_80_columns)
{
#define SEVENTY "1234567890123456789012345678901234567890123456789012345678901234567890"
    check_string(STR(SEVENTY " b c"), &wrapping, SEVENTY "\n    b c"); /* the blank is byte 81 */
    check_string(STR("1" SEVENTY " b"), &wrapping, "1" SEVENTY "\n    b");
    check_string(STR(SEVENTY "  b c"), &wrapping, SEVENTY "  b\n    c");
    check_string(STR("'" SEVENTY " b"), &wrapping, "'''" SEVENTY "\n    b'");
    check_string(STR("\t" SEVENTY " b c"), &wrapping, "\"\\t" SEVENTY "\n    b c\"");
    check_string(STR("\t" SEVENTY "  b"), &wrapping, "\"\\t" SEVENTY "\n    \\ b\"");
    check_string(STR(SEVENTY " b"), &newest, SEVENTY "\n    b");
#undef SEVENTY
    check_string(STR("123456789012345678901234567890123456789012345678901234567890123456789 b c"),
                 &wrapping,
                 "123456789012345678901234567890123456789012345678901234567890123456789 b\n    c");
    /* A line feed does not reset the column. */
    check_string(STR("Click on the ground to move agent.\nPress space to drop a walkable plank."),
                 &wrapping,
                 "'Click on the ground to move agent.\n\n    Press space to drop a walkable\n"
                 "    plank.'");
    check_string(STR("Use mouse to rotate view. WASD to move camera.\nlmb or 'space' raises ground."
                     "\nrmb or 'left shift+space' lowers ground.\n"),
                 &wrapping,
                 "'Use mouse to rotate view. WASD to move camera.\n\n    lmb or ''space'' raises\n"
                 "    ground.\n\n    rmb or ''left shift+space'' lowers ground.\n\n'");
}

/* A text between two keys is read back unchanged. */
TEST(every_text_is_read_back_unchanged)
{
    static const char *const parts[] = {" ", " ",  "\n", "a",  "word",     "another",
                                        "'", "\"", ":",  "-",  "#",        "[",
                                        "]", "{",  ",",  "\t", "\xc3\xa9", "\\"};
    struct rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 5000; i++) {
        struct buf text = {0}, out = {0};
        struct arena a = {0};
        struct yaml_style s = {.crlf = i % 2, .quote_brackets = i % 3 == 0};
        size_t n = rng_below(&rng, 60), deep = rng_below(&rng, 20) * 2;
        while (n-- > 0)
            buf_add(&text, str_from(parts[rng_below(&rng, sizeof parts / sizeof *parts)]));
        buf_printf(&out, "%*sa: ", (int)deep, "");
        yaml_write_string(&out, &s, (struct yaml_place){(uint32_t)deep, (uint32_t)deep + 3},
                          buf_str(&text));
        yaml_write_newline(&out, &s);
        buf_printf(&out, "%*sb: 1\n", (int)deep, "");
        struct yaml_value map = yaml_plain(buf_str(&out));
        CHECK_STR(yaml_text(&a, yaml_get(map, STR("a"))), buf_str(&text));
        assert_int_equal(yaml_count(map), 2);
        struct yaml_error error;
        size_t keys;
        assert_true(yaml_check_plain(buf_str(&out), &keys, &error));
        arena_done(&a);
        buf_done(&text);
        buf_done(&out);
    }
}

static void check_float(float f, const char *want)
{
    struct buf out = {0};
    yaml_write_float(&out, f);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(a_float_is_the_shortest_decimal)
{
    check_float(0, "0");
    check_float(-0.0f, "-0");
    check_float(1, "1");
    check_float(-0.5f, "-0.5");
    check_float(0.1f, "0.1");
    check_float(123.456f, "123.456");
    check_float(11000000, "11000000");
    check_float(16777216.0f, "16777216");
    check_float(1e20f, "100000000000000000000");
    check_float(4.1944278e+21f, "4.1944278e+21");
    check_float(0.0000000010004776f, "0.0000000010004776");
    check_float(7.2344e-10f, "7.2344e-10");
    check_float(-0.0000000042217705f, "-0.0000000042217705");
    check_float(1e-9f, "0.000000001");
    check_float(3.4028235e+38f, "3.4028235e+38");
    check_float(7e-43f, "7e-43");
    check_float(INFINITY, "Infinity");
    check_float(-INFINITY, "-Infinity");
    check_float(NAN, "NaN");
    check_float(-NAN, "NaN");
}

TEST(a_double_has_all_its_digits)
{
    struct buf out = {0};
    yaml_write_double(&out, 0.019999999552965164);
    CHECK_CSTR(buf_str(&out), "0.019999999552965164");
    buf_clear(&out);
    yaml_write_double(&out, -12.25);
    CHECK_CSTR(buf_str(&out), "-12.25");
    buf_clear(&out);
    yaml_write_double(&out, 5e-324);
    CHECK_CSTR(buf_str(&out), "5e-324");
    buf_done(&out);
}

TEST(flow_map_is_wrapped_after_80_columns)
{
    struct buf out = {0};
    struct reference r = {.file_id = 8400000, .type = 2};
    assert_true(guid_parse(STR("fdfb2d59c8b3f954caa79f7d0b3e0ca1"), &r.guid));
    yaml_write_reference(&out, &wrapping, (struct yaml_place){6, 24}, r); /* the comma is byte 81 */
    CHECK_CSTR(buf_str(&out), "{fileID: 8400000, guid: fdfb2d59c8b3f954caa79f7d0b3e0ca1,\n"
                              "        type: 2}");
    buf_clear(&out);
    yaml_write_reference(&out, &wrapping, (struct yaml_place){6, 23}, r);
    CHECK_CSTR(buf_str(&out), "{fileID: 8400000, guid: fdfb2d59c8b3f954caa79f7d0b3e0ca1, type: 2}");
    buf_clear(&out);
    yaml_write_reference(&out, &newest, (struct yaml_place){6, 60}, r);
    CHECK_CSTR(buf_str(&out), "{fileID: 8400000, guid: fdfb2d59c8b3f954caa79f7d0b3e0ca1, type: 2}");
    buf_clear(&out);
    yaml_write_reference(&out, &wrapping, (struct yaml_place){6, 90}, (struct reference){0});
    CHECK_CSTR(buf_str(&out), "{fileID: 0}");
    buf_clear(&out);
    yaml_write_flow(&out, &(struct yaml_style){.crlf = true}, (struct yaml_place){2, 70},
                    STR("{x: 0, y: 'a, b, c', z: {p: 1, q: 2}, w: 3}"));
    CHECK_CSTR(buf_str(&out), "{x: 0, y: 'a, b, c',\r\n    z: {p: 1, q: 2}, w: 3}");
    buf_done(&out);
}

TEST(bytes_are_hexadecimal_digits)
{
    struct buf out = {0};
    yaml_write_hex(&out, STR("\x00\x7f\xff"));
    yaml_write_hex(&out, STR(""));
    CHECK_CSTR(buf_str(&out), "007fff");
    buf_done(&out);
}

#define HEAD "%YAML 1.1\n--- !u!1001 &1\nPrefabInstance:\n"
#define LONG "{fileID: 4200000000000000001, guid: fdfb2d59c8b3f954caa79f7d0b3e0ca1,"

TEST(style_is_detected_from_a_file)
{
    static const struct {
        struct str text;
        const char *version;
        bool inline_maps, crlf, one_line, quote_brackets;
    } cases[] = {
        {STR_INIT(HEAD "  a: 1\n"), "2019.4.1f1", false, false, false, false},
        {STR_INIT(HEAD "  a: 1\n"), "2021.3.1f1", true, false, true, false},
        {STR_INIT(HEAD "  a: 1\n"), "2022.3.55f1", false, false, false, false},
        {STR_INIT(HEAD "  a: 1\n"), "2022.3.56f1", false, false, false, true},
        {STR_INIT(HEAD "  a: 1\n"), "2023.2.12f1", false, false, false, false},
        {STR_INIT(HEAD "  a: 1\n"), "6000.0.1f1", false, false, false, true},
        {STR_INIT(HEAD "  a: 1\n"), "6000.6.0f1", false, false, true, true},
        {STR_INIT("%YAML 1.1\r\n--- !u!1 &1\r\nA:\r\n"), "2019.4", false, true, false, false},
        {STR_INIT(HEAD "  objectReference: " LONG "\n    type: 3}\n"), "6000.6.0f1", true, false,
         false, true},
        {STR_INIT(HEAD "  objectReference: " LONG " type: 3}\n"), "2019.4.1f1", false, false, true,
         false},
        {STR_INIT(HEAD "  - target: " LONG "\r\n      type: 3}\r\n"), "6000.6.0f1", true, false,
         false, true},
        {STR_INIT(HEAD "  propertyPath: 'm_Materials.Array.data[0]'\n"), "2019.4.1f1", false, false,
         false, true},
        {STR_INIT(HEAD "  propertyPath: m_Name\n  propertyPath: m_Materials.Array.data[0]\n"),
         "6000.0.1f1", false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_file f;
        struct yaml_error error;
        struct version v;
        assert_true(yaml_split(&f, cases[i].text, &error));
        assert_true(version_parse(str_from(cases[i].version), &v));
        struct yaml_style s = yaml_write_style(&f, v, cases[i].inline_maps);
        if (s.crlf != cases[i].crlf || s.one_line != cases[i].one_line ||
            s.quote_brackets != cases[i].quote_brackets) {
            print_error("%zu: %d %d %d\n", i, s.crlf, s.one_line, s.quote_brackets);
            fail();
        }
        yaml_done(&f);
    }
}
