#include "unity/csharp_string.h"

#include "base/buf.h"
#include "test.h"

/* The literal at the start of text has this length and this copy. */
static void is_literal(const char *text, size_t length, bool is_closed, const char *want)
{
    struct str s = str_from(text);
    char out[200];
    bool closed = !is_closed;
    assert_true(s.n <= sizeof out);
    for (size_t i = 0; i < s.n; i++)
        out[i] = text[i] == '\n' ? '\n' : ' ';
    assert_true(csharp_string_starts(s, 0));
    assert_int_equal(csharp_string_end(s, 0, &closed, NULL), length);
    assert_int_equal(closed, is_closed);
    assert_int_equal(csharp_string_end(s, 0, &closed, out), length);
    assert_int_equal(closed, is_closed);
    CHECK_CSTR(str_make(out, length), want);
}

/* A whole literal; the text after it does not change. */
static void is_text(const char *literal)
{
    char text[200];
    snprintf(text, sizeof text, "%s + \"x\" };", literal);
    is_literal(text, strlen(literal), true, literal);
}

/* The copy of a whole literal, compared without blanks; its length does not change. */
static void is_copied(const char *literal, const char *want)
{
    char text[200], out[200];
    size_t n = strlen(literal), kept = 0;
    bool closed = false;
    snprintf(text, sizeof text, "%s; }", literal);
    for (size_t i = 0; i < n; i++)
        out[i] = text[i] == '\n' ? '\n' : ' ';
    assert_int_equal(csharp_string_end(str_from(text), 0, &closed, out), n);
    assert_true(closed);
    for (size_t i = 0; i < n; i++)
        if (out[i] != ' ')
            out[kept++] = out[i];
    CHECK_CSTR(str_make(out, kept), want);
}

TEST(end_of_every_kind_of_literal_is_found)
{
    is_text("\"\"");
    is_text("\"a\"");
    is_text("\"a\\\"b\\\\\"");
    is_text("\"// /* {\"");
    is_text("@\"\"");
    is_text("@\"a\\\"");
    is_text("@\"a\"\"b\"");
    is_text("@\"\"\"\"");
    is_text("@\"a\nb\"");
    is_text("\"\"\"a \"b\" \"\"c\"\"\"");
    is_text("\"\"\"\"a \"\"\" b\"\"\"\"");
    is_text("\"\"\"\n  a\n  \\\"\n  \"\"\"");
    is_text("$\"\"");
    is_text("$\"a {{b}} c\"");
    is_text("$@\"a \"\"b\"\" {{\"");
    is_text("@$\"a\\\"");
    is_text("$\"\"\"a \"b\" \"\"\"");
    is_text("$$\"\"\"{a} {\"\"\"");
}

TEST(code_in_a_string_becomes_one_name)
{
    is_copied("$\"a{b}c\"", "$\"a{_}c\"");
    is_copied("$\"{ b }{c + 1}\"", "$\"{_}{_}\"");
    is_copied("$\"{b:0.0}{c,-10:\\}}\"", "$\"{_}{_}\"");
    is_copied("$\"{(a ? \"}\" : \"{\")}\"", "$\"{_}\"");
    is_copied("$\"{$\"{$\"{a}\"}\"}\"", "$\"{_}\"");
    is_copied("$\"{'}'}{'\\''}\"", "$\"{_}{_}\"");
    is_copied("$\"{F(x => { return 1; })}\"", "$\"{_}\"");
    is_copied("$\"{a[1, (2)]}\"", "$\"{_}\"");
    is_copied("$\"{global::A.B}\"", "$\"{_}\"");
    is_copied("$\"{a /* } */ }\"", "$\"{_}\"");
    is_copied("$\"{\n a // }\n}\"", "$\"{\n_\n}\"");
    is_copied("$@\"{a}\"\"{@\"x\"\"\"}\"", "$@\"{_}\"\"{_}\"");
    is_copied("$$\"\"\"{a} {{b + \"}\"}} \"\"\"", "$$\"\"\"{a}{{_}}\"\"\"");
    is_copied("$\"\"\"{a} \"{b}\" \"\"\"", "$\"\"\"{_}\"{_}\"\"\"\"");
}

TEST(literal_without_an_end_is_copied_as_empty)
{
    is_literal("\"abc\nx", 4, false, "\"\"  ");
    is_literal("\"abc; \nx", 4, false, "\"\"  ");
    is_literal("\"abc", 4, false, "\"\"  ");
    is_literal("\"a\\", 3, false, "\"\" ");
    is_literal("\"", 1, false, " ");
    is_literal("$\"a{b; c\"", 5, false, "\"\"   ");
    is_literal("$\"a{b:x\n\"", 7, false, "\"\"     ");
    is_literal("$\"a{$\"b\n\"", 7, false, "\"\"     ");
    is_literal("@\"a\nb", 5, false, "\"\" \n ");
    is_literal("\"\"\"a\n\"\"\"", 4, false, "\"\"  ");
    is_literal("\"\"\"\na\"\"", 7, false, "\"\" \n   ");
    is_literal("$\"{a /* b", 9, false, "\"\"       ");
    is_literal("$\"{'", 4, false, "\"\"  ");
}

TEST(excessive_nesting_is_an_error)
{
    struct buf text = {0};
    bool closed = true;
    for (int i = 0; i < 1000; i++)
        buf_add(&text, STR("$\"{"));
    size_t end = csharp_string_end(buf_str(&text), 0, &closed, NULL);
    assert_false(closed);
    assert_true(end > 300 && end < 1000);
    buf_clear(&text);
    for (int i = 0; i < 1000; i++)
        buf_add_char(&text, '"');
    assert_int_equal(csharp_string_end(buf_str(&text), 0, &closed, NULL), 1000);
    assert_false(closed);
    buf_done(&text);
}

TEST(a_literal_starts_with_its_prefix)
{
    assert_true(csharp_string_starts(STR("a\""), 1));
    assert_true(csharp_string_starts(STR("$$$\"\"\""), 0));
    assert_false(csharp_string_starts(STR("a\""), 0));
    assert_false(csharp_string_starts(STR("@a\""), 0));
    assert_false(csharp_string_starts(STR("$"), 0));
    assert_false(csharp_string_starts(STR(""), 0));
    assert_false(csharp_string_starts(STR("$$$$$$$$$$$$$$$$$$$$\""), 0));
}

TEST(invalid_bytes_are_not_copied)
{
    char out[] = "          ";
    csharp_string_copy(STR("a\xff\x01\x7f\xc3\xa4\t\xe4\xbd."), 0, 10, out);
    CHECK_CSTR(str_from(out), "a?  \xc3\xa4 ??.");
}
