#include "base/quote.h"

#include "test.h"

static void quotes_as(struct str text, size_t max, const char *want)
{
    struct buf out = {0};
    quote_add(&out, text, max);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

static void shows_as(const char *json, const char *want)
{
    struct buf out = {0};
    struct arena a = {0};
    quote_value(&out, json_parse(&a, str_from(json), NULL, NULL), 8);
    CHECK_CSTR(buf_str(&out), want);
    arena_done(&a);
    buf_done(&out);
}

TEST(text_is_quoted)
{
    quotes_as(STR("Main Camera"), 40, "\"Main Camera\"");
    quotes_as(STR(""), 40, "\"\"");
    quotes_as((struct str){0}, 40, "\"\"");
    quotes_as(STR("a\"b\\c"), 40, "\"a\\\"b\\\\c\"");
}

TEST(long_text_is_cut_between_characters)
{
    quotes_as(STR("abcd"), 4, "\"abcd\"");
    quotes_as(STR("abcde"), 4, "\"abcd...\"");
    quotes_as(STR("\xc3\xa4\xc3\xb6\xc3\xbc"), 2, "\"\xc3\xa4\xc3\xb6...\"");
    quotes_as(STR("\xf0\x9f\x98\x80"), 1, "\"\xf0\x9f\x98\x80\"");
    quotes_as(STR("a"), 0, "\"...\"");
}

TEST(terminal_control_characters_are_written_as_numbers)
{
    quotes_as(STR("\x1b[2J\r\n\t\0"), 40, "\"\\u001b[2J\\u000d\\u000a\\u0009\\u0000\"");
    quotes_as(STR("\x7f\xc2\x9b"), 40, "\"\\u007f\\u009b\"");
    quotes_as(STR("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf"), 40,
              "\"\\u202e\\u2066\\u200b\\ufeff\"");
    quotes_as(STR("\xf3\xa0\x81\x81"), 40, "\"\\ue0041\"");
    quotes_as(STR("\xc2\xa0 \xe2\x80\x94"), 40, "\"\xc2\xa0 \xe2\x80\x94\"");
}

TEST(invalid_utf8_is_replaced)
{
    quotes_as(STR("a\xff"
                  "b\xe2\x82"),
              40,
              "\"a\xef\xbf\xbd"
              "b\xef\xbf\xbd\"");
}

TEST(values_are_shown_as_they_were_written)
{
    shows_as("\"ten\"", "\"ten\"");
    shows_as("\"123456789\"", "\"12345678...\"");
    shows_as("1.50", "1.50");
    shows_as("123456789", "12345678...");
    shows_as("true", "true");
    shows_as("false", "false");
    shows_as("null", "null");
    shows_as("[1]", "an array");
    shows_as("{}", "an object");
}
