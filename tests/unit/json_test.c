#include "base/json.h"

#include <stdlib.h>

#include "base/buf.h"
#include "test.h"

static const struct json *parse(struct arena *a, struct str text)
{
    struct json_error err = {0};
    const struct json *doc = json_parse(a, text, NULL, &err);
    if (!doc)
        fail_msg("%.*s: at %zu: %s", STR_ARG(text), err.offset, err.reason);
    return doc;
}

static void check_refused(struct str text, size_t offset, const char *reason)
{
    /* A copy of exact size: the sanitizer finds a read past its end. */
    char *copy = malloc(text.n ? text.n : 1);
    assert_non_null(copy);
    memcpy(copy, text.p, text.n);
    struct arena a = {0};
    struct json_error err = {.offset = 4711};
    assert_null(json_parse(&a, str_make(copy, text.n), NULL, &err));
    if (err.offset != offset || strcmp(err.reason, reason) != 0)
        fail_msg("%.*s: at %zu: %s", STR_ARG(text), err.offset, err.reason);
    assert_false(err.limit);
    arena_done(&a);
    free(copy);
}

TEST(each_type_is_read)
{
    static const struct {
        const char *text;
        enum json_type type;
        const char *name;
    } cases[] = {
        {"null", JSON_NULL, "null"},        {" true\n", JSON_BOOL, "a boolean"},
        {"false", JSON_BOOL, "a boolean"},  {"-1.5e+3", JSON_NUMBER, "a number"},
        {"\"\"", JSON_STRING, "a string"},  {"[ ]", JSON_ARRAY, "an array"},
        {"{\t}", JSON_OBJECT, "an object"}, {"[[],{}]", JSON_ARRAY, "an array"},
        {"0", JSON_NUMBER, "a number"},     {"-0", JSON_NUMBER, "a number"},
        {"0.0", JSON_NUMBER, "a number"},   {"1E9", JSON_NUMBER, "a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        const struct json *v = parse(&a, str_from(cases[i].text));
        assert_int_equal(json_type(v), cases[i].type);
        assert_string_equal(json_type_name(v), cases[i].name);
        assert_true(json_is(v, cases[i].type));
        arena_done(&a);
    }
}

TEST(a_document_is_walked)
{
    struct arena a = {0};
    const struct json *doc = parse(
        &a,
        STR(" { \"a\" : [ 1 , [ 2 , { \"x\" : { } } ] , 3 ] ,\r\n\"b\":{\"c\":\"d\"},\"e\":true}"));
    assert_int_equal(json_count(doc), 3);
    const struct json *list = json_get(doc, STR("a"));
    assert_int_equal(json_count(list), 3);
    int64_t n = 0;
    assert_true(json_i64(json_at(list, 2), &n));
    assert_int_equal(n, 3);
    assert_null(json_at(list, 3));
    CHECK_STR(json_str(json_get(json_get(doc, STR("b")), STR("c"))), STR("d"));
    assert_true(json_bool(json_get(doc, STR("e"))));
    assert_null(json_get(doc, STR("x")));
    assert_null(json_get(doc, STR("aa")));
    assert_null(json_get(doc, STR("")));

    struct buf keys = {0};
    JSON_EACH (doc, k)
        buf_printf(&keys, "%.*s=%s;", STR_ARG(json_str(k)), json_type_name(k + 1));
    CHECK_STR(buf_str(&keys), STR("a=an array;b=an object;e=a boolean;"));
    buf_clear(&keys);
    JSON_ITEMS (list, item)
        buf_printf(&keys, "%s;", json_type_name(item));
    CHECK_STR(buf_str(&keys), STR("a number;an array;a number;"));
    buf_done(&keys);
    arena_done(&a);
}

TEST(empty_containers_and_other_types_have_no_members)
{
    struct arena a = {0};
    const struct json *doc = parse(&a, STR("[[],{},1,\"x\"]"));
    int met = 0;
    JSON_ITEMS (doc, v) {
        JSON_ITEMS (v, inner)
            met += inner != NULL;
        JSON_EACH (v, k)
            met += k != NULL;
        assert_int_equal(json_count(v), 0);
    }
    assert_int_equal(met, 0);
    JSON_EACH (doc, k)
        met += k != NULL;
    assert_int_equal(met, 0);
    arena_done(&a);
}

TEST(reading_a_value_as_another_type_returns_nothing)
{
    struct arena a = {0};
    const struct json *samples[] = {NULL,
                                    parse(&a, STR("null")),
                                    parse(&a, STR("true")),
                                    parse(&a, STR("1")),
                                    parse(&a, STR("\"s\"")),
                                    parse(&a, STR("[1]")),
                                    parse(&a, STR("{\"k\":1}"))};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct json *v = samples[i];
        int64_t n = 7;
        uint64_t u = 7;
        double d = 7;
        bool number = json_is(v, JSON_NUMBER);
        assert_int_equal(json_i64(v, &n), number);
        assert_int_equal(json_u64(v, &u), number);
        assert_int_equal(json_double(v, &d), number);
        assert_true(n == (number ? 1 : 7) && u == (uint64_t)n && d == (double)n);
        assert_int_equal(json_number_text(v).n, number);
        assert_int_equal(json_str(v).n, json_is(v, JSON_STRING));
        assert_true((json_str(v).p != NULL) == json_is(v, JSON_STRING));
        assert_int_equal(json_bool(v), json_is(v, JSON_BOOL));
        assert_int_equal(json_get(v, STR("k")) != NULL, json_is(v, JSON_OBJECT));
        assert_int_equal(json_at(v, 0) != NULL, json_is(v, JSON_ARRAY));
        assert_int_equal(json_count(v), json_is(v, JSON_OBJECT) || json_is(v, JSON_ARRAY));
    }
    assert_int_equal(json_type(NULL), JSON_NULL);
    assert_string_equal(json_type_name(NULL), "missing");
    assert_false(json_is(NULL, JSON_NULL));
    assert_null(json_next(NULL));
    arena_done(&a);
}

TEST(strings_are_decoded)
{
    static const struct {
        struct str text, value;
    } cases[] = {
        {STR_INIT("\"\""), STR_INIT("")},
        {STR_INIT("\"a b\x7f\""), STR_INIT("a b\x7f")},
        {STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), STR_INIT("\"\\/\b\f\n\r\t")},
        {STR_INIT("\"\\u0041\\u00e4\\u20AC\""), STR_INIT("A\xc3\xa4\xe2\x82\xac")},
        {STR_INIT("\"\\ud83d\\uDE00!\""), STR_INIT("\xf0\x9f\x98\x80!")},
        {STR_INIT("\"\\ud800\\udc00\\udbff\\udfff\""),
         STR_INIT("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf")},
        {STR_INIT("\"a\\u0000b\""), STR_INIT("a\0b")},
        {STR_INIT("\"\\ud7ff\\ue000\\uffff\""), STR_INIT("\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf")},
        {STR_INIT("\"\xf0\x9f\x98\x80 raw\""), STR_INIT("\xf0\x9f\x98\x80 raw")},
        {STR_INIT(
             "\"0123456789abcdef0123456789abcdef\\n0123456789abcdef0123456789abcdef\xc3\xa4\""),
         STR_INIT("0123456789abcdef0123456789abcdef\n0123456789abcdef0123456789abcdef\xc3\xa4")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        CHECK_STR(json_str(parse(&a, cases[i].text)), cases[i].value);
        arena_done(&a);
    }
}

TEST(a_string_without_escapes_and_a_number_are_views)
{
    struct arena a = {0};
    struct str text = STR("[\"view \xc3\xa4\",12.5,\"c\\u0070y\"]");
    const struct json *doc = parse(&a, text);
    assert_ptr_equal(json_str(json_at(doc, 0)).p, text.p + 2);
    assert_ptr_equal(json_number_text(json_at(doc, 1)).p, text.p + 11);
    CHECK_STR(json_number_text(json_at(doc, 1)), STR("12.5"));
    const char *copy = json_str(json_at(doc, 2)).p;
    assert_true(copy < text.p || copy >= text.p + text.n);
    arena_done(&a);
}

/* The special byte moves through every place of a long string, as do its ends. */
TEST(a_string_of_any_length_ends_at_its_quote)
{
    static const struct str specials[] = {
        STR_INIT(""),     STR_INIT("\\n"),   STR_INIT("\xc3\xa4"), STR_INIT("\\u0041"),
        STR_INIT("\x01"), STR_INIT("\xc3("), STR_INIT("\\x")};
    for (size_t n = 0; n < 50; n++) {
        for (size_t at = 0; at <= n; at++) {
            for (size_t s = 0; s < sizeof specials / sizeof specials[0]; s++) {
                struct buf b = {0};
                struct arena a = {0};
                struct json_error err = {0};
                buf_printf(&b, "\"%.*s%.*s%.*s\"", (int)at,
                           "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                           STR_ARG(specials[s]), (int)(n - at),
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
                const struct json *v = json_parse(&a, buf_str(&b), NULL, &err);
                assert_int_equal(v != NULL, s < 4);
                if (v)
                    assert_int_equal(json_str(v).n, n + (s == 0 ? 0 : s == 2 ? 2 : 1));
                else
                    assert_int_equal(err.offset, at + 1);
                arena_done(&a);
                buf_done(&b);
            }
        }
    }
}

static const struct {
    struct str text;
    size_t offset;
    const char *reason;
} malformed[] = {
    {STR_INIT(""), 0, "unexpected end"},
    {STR_INIT(" \n"), 2, "unexpected end"},
    {STR_INIT("x"), 0, "unexpected character"},
    {STR_INIT("\0"), 0, "unexpected character"},
    {STR_INIT("\xef\xbb\xbf{}"), 0, "unexpected character"},
    {STR_INIT("tru"), 3, "unexpected end"},
    {STR_INIT("trux"), 3, "unexpected character"},
    {STR_INIT("True"), 0, "unexpected character"},
    {STR_INIT("nul0"), 3, "unexpected character"},
    {STR_INIT("falsee"), 5, "text after the value"},
    {STR_INIT("NaN"), 0, "unexpected character"},
    {STR_INIT("Infinity"), 0, "unexpected character"},
    {STR_INIT("1 2"), 2, "text after the value"},
    {STR_INIT("{}}"), 2, "text after the value"},
    {STR_INIT("[]\0"), 2, "text after the value"},
    {STR_INIT("01"), 1, "text after the value"},
    {STR_INIT("-"), 1, "unexpected end"},
    {STR_INIT("-x"), 1, "digit expected"},
    {STR_INIT("-01"), 2, "text after the value"},
    {STR_INIT("+1"), 0, "unexpected character"},
    {STR_INIT(".5"), 0, "unexpected character"},
    {STR_INIT("1."), 2, "unexpected end"},
    {STR_INIT("[1.]"), 3, "digit expected"},
    {STR_INIT("1.e1"), 2, "digit expected"},
    {STR_INIT("1e"), 2, "unexpected end"},
    {STR_INIT("1e+"), 3, "unexpected end"},
    {STR_INIT("[1e+]"), 4, "digit expected"},
    {STR_INIT("1ee1"), 2, "digit expected"},
    {STR_INIT("0x10"), 1, "text after the value"},
    {STR_INIT("["), 1, "unexpected end"},
    {STR_INIT("[1"), 2, "unexpected end"},
    {STR_INIT("[1,"), 3, "unexpected end"},
    {STR_INIT("[1,]"), 3, "unexpected character"},
    {STR_INIT("[,1]"), 1, "unexpected character"},
    {STR_INIT("[1 2]"), 3, "comma or closing bracket expected"},
    {STR_INIT("[1}"), 2, "comma or closing bracket expected"},
    {STR_INIT("[}"), 1, "unexpected character"},
    {STR_INIT("]"), 0, "unexpected character"},
    {STR_INIT("{"), 1, "unexpected end"},
    {STR_INIT("{]"), 1, "key expected"},
    {STR_INIT("{,}"), 1, "key expected"},
    {STR_INIT("{a:1}"), 1, "key expected"},
    {STR_INIT("{1:1}"), 1, "key expected"},
    {STR_INIT("{'a':1}"), 1, "key expected"},
    {STR_INIT("{\"a\""), 4, "unexpected end"},
    {STR_INIT("{\"a\" 1}"), 5, "colon expected"},
    {STR_INIT("{\"a\":"), 5, "unexpected end"},
    {STR_INIT("{\"a\":}"), 5, "unexpected character"},
    {STR_INIT("{\"a\":1"), 6, "unexpected end"},
    {STR_INIT("{\"a\":1,"), 7, "unexpected end"},
    {STR_INIT("{\"a\":1,}"), 7, "key expected"},
    {STR_INIT("{\"a\":1]"), 6, "comma or closing bracket expected"},
    {STR_INIT("{\"a\":1 \"b\":2}"), 7, "comma or closing bracket expected"},
    {STR_INIT("[1]//x"), 3, "text after the value"},
    {STR_INIT("[1,/**/2]"), 3, "unexpected character"},
    {STR_INIT("[1,\f2]"), 3, "unexpected character"},
    {STR_INIT("[1,\xc2\xa0"
              "2]"),
     3, "unexpected character"},
    {STR_INIT("\""), 1, "unexpected end"},
    {STR_INIT("\"abc"), 4, "unexpected end"},
    {STR_INIT("\"\\"), 2, "unexpected end"},
    {STR_INIT("\"\\\""), 3, "unexpected end"},
    {STR_INIT("'a'"), 0, "unexpected character"},
    {STR_INIT("\"a\nb\""), 2, "control character in a string"},
    {STR_INIT("\"a\0b\""), 2, "control character in a string"},
    {STR_INIT("\"a\x1f\""), 2, "control character in a string"},
    {STR_INIT("\"a\\x\""), 2, "invalid escape"},
    {STR_INIT("\"\\U0041\""), 1, "invalid escape"},
    {STR_INIT("\"\\u004\""), 1, "invalid escape"},
    {STR_INIT("\"\\u004g\""), 1, "invalid escape"},
    {STR_INIT("\"\\u\""), 1, "invalid escape"},
    {STR_INIT("\"\\u+041\""), 1, "invalid escape"},
    {STR_INIT("\"\\'\""), 1, "invalid escape"},
    {STR_INIT("\"\\\0\""), 1, "invalid escape"},
    {STR_INIT("\"\\ud800\""), 1, "lone surrogate"},
    {STR_INIT("\"\\ud800x\""), 1, "lone surrogate"},
    {STR_INIT("\"\\ud800\\n\""), 1, "lone surrogate"},
    {STR_INIT("\"\\ud800\\u0041\""), 1, "lone surrogate"},
    {STR_INIT("\"\\ud800\\ud800\""), 1, "lone surrogate"},
    {STR_INIT("\"\\udbff\\ue000\""), 1, "lone surrogate"},
    {STR_INIT("\"\\udc00\""), 1, "lone surrogate"},
    {STR_INIT("\"ab\\udfff\\ud800\""), 3, "lone surrogate"},
    {STR_INIT("\"a\xff\""), 2, "invalid UTF-8"},
    {STR_INIT("\"a\xed\xa0\x80\""), 2, "invalid UTF-8"},
    {STR_INIT("\"a\xc0\x80\""), 2, "invalid UTF-8"},
    {STR_INIT("\"a\xe2\x82\""), 2, "invalid UTF-8"},
    {STR_INIT("\"a\xe2\x82"), 2, "invalid UTF-8"},
    {STR_INIT("{\"\xff\":1}"), 2, "invalid UTF-8"},
};

TEST(malformed_text_is_refused_at_the_offset_of_the_error)
{
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        check_refused(malformed[i].text, malformed[i].offset, malformed[i].reason);
}

TEST(a_duplicate_key_is_refused_also_with_escapes)
{
    check_refused(STR("{\"a\":1,\"a\":2}"), 7, "duplicate key");
    check_refused(STR("{\"a\":1,\"\\u0061\":2}"), 7, "duplicate key");
    check_refused(STR("{\"\\u0061\":1,\"a\":2}"), 12, "duplicate key");
    check_refused(STR("{\"\":1,\"b\":[], \"\":2}"), 14, "duplicate key");
    check_refused(STR("{\"\\/\":1,\"/\":2}"), 8, "duplicate key");
    check_refused(STR("[{},{\"x\":{\"k\":[1,\"]\\\"\",-2.5e+3,true],\"l\":null,\"k\":0}}]"), 46,
                  "duplicate key");
    check_refused(STR("{\"a\":{\"b\":1},\"b\":{\"a\":1},\"a\":1}"), 25, "duplicate key");
    /* The same key in another object, or as a value, is no duplicate. */
    struct arena a = {0};
    parse(&a, STR("{\"a\":{\"a\":\"a\",\"b\":\"a\"},\"b\":[{\"a\":1},{\"a\":1}]}"));
    parse(&a, STR("{\"a\":1,\"A\":1,\"a \":1,\"\":1,\"a\\u0000\":1}"));
    arena_done(&a);
}

/* Objects of all sizes around the switch to hashing; the second of two equal keys at each place. */
TEST(a_duplicate_key_is_found_at_every_place)
{
    for (int n = 2; n < 40; n++) {
        for (int twice = 1; twice < n; twice++) {
            struct buf b = {0};
            size_t offset = 0;
            buf_add_char(&b, '{');
            for (int i = 0; i < n; i++) {
                offset = i == twice ? b.n : offset;
                buf_printf(&b, "\"key%d\":{\"key1\":%d},", i == twice ? twice / 2 : i, i);
            }
            b.p[b.n - 1] = '}';
            check_refused(buf_str(&b), offset, "duplicate key");
            buf_done(&b);
        }
    }
}

TEST(a_hundred_thousand_keys_are_read)
{
    struct buf b = {0};
    buf_add_char(&b, '{');
    for (int i = 0; i < 100000; i++)
        buf_printf(&b, "\"%d-the same length and letters-%d\":%d,", i % 10, 1000000 + i, i);
    b.p[b.n - 1] = '}';
    struct arena a = {0};
    const struct json *doc = parse(&a, buf_str(&b));
    assert_int_equal(json_count(doc), 100000);
    int64_t n = 0;
    assert_true(json_i64(json_get(doc, STR("9-the same length and letters-1099999")), &n));
    assert_int_equal(n, 99999);
    arena_done(&a);
    b.p[b.n - 1] = ',';
    size_t offset = b.n;
    buf_add(&b, STR("\"0-the same length and letters-1000000\":0}"));
    check_refused(buf_str(&b), offset, "duplicate key");
    buf_done(&b);
}

TEST(limits_are_checked_and_named)
{
    struct arena a = {0};
    struct json_error err = {0};
    struct json_limits limits = {.max_bytes = 5, .max_depth = 2};
    assert_non_null(json_parse(&a, STR("[[1]]"), &limits, &err));
    assert_null(json_parse(&a, STR("[[1]] "), &limits, &err));
    assert_true(err.limit);
    assert_int_equal(err.offset, 5);
    assert_string_equal(err.reason, "too large");
    assert_null(json_parse(&a, STR("[[[]]"), &limits, &err));
    assert_true(err.limit);
    assert_int_equal(err.offset, 2);
    assert_string_equal(err.reason, "too deep");
    assert_null(json_parse(&a, STR("[[}"), &limits, &err));
    assert_false(err.limit);
    assert_null(json_parse(&a, STR("[[[]]"), &limits, NULL));
    limits = (struct json_limits){.max_bytes = SIZE_MAX, .max_depth = SIZE_MAX};
    assert_non_null(json_parse(&a, STR("[[[]]]"), &limits, &err));
    arena_done(&a);
}

TEST(nesting_is_limited_for_every_limit)
{
    static const size_t depths[] = {1, 63, 64, 65, JSON_MAX_DEPTH, 500, JSON_DEPTH_CEILING};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        for (int over = 0; over <= 1; over++) {
            size_t n = depths[i] + (size_t)over;
            struct json_limits limits = {.max_depth = depths[i]};
            struct json_error err = {0};
            struct arena a = {0};
            struct buf b = {0};
            for (size_t k = 0; k < n; k++)
                buf_add(&b, k % 2 ? STR("{\"k\":") : STR("[ "));
            buf_add(&b, STR("1"));
            for (size_t k = n; k-- > 0;)
                buf_add_char(&b, k % 2 ? '}' : ']');
            const struct json *v = json_parse(&a, buf_str(&b), &limits, &err);
            assert_int_equal(v == NULL, over);
            assert_int_equal(err.limit, over);
            for (size_t k = 0; v && k < n; k++)
                v = k % 2 ? json_get(v, STR("k")) : json_at(v, 0);
            assert_int_equal(json_is(v, JSON_NUMBER), !over);
            arena_done(&a);
            buf_done(&b);
        }
    }
    struct arena a = {0};
    struct buf deep = {0};
    for (int i = 0; i < 1000000; i++)
        buf_add_char(&deep, '[');
    struct json_limits all = {.max_depth = SIZE_MAX};
    assert_null(json_parse(&a, buf_str(&deep), NULL, NULL));
    assert_null(json_parse(&a, buf_str(&deep), &all, NULL));
    arena_done(&a);
    buf_done(&deep);
}

static const char *const documents[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"ping\",\"params\":{\"name\":\"x\",\"_meta\":{}}}",
    "[true,false,null,0,-1,1.5,2e3,-4.25E-2,\"\",\"plain\",\"esc\\n\\u00e4\\ud83d\\ude00\"]",
    " { \"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\" : [ [ ] , { } , [ { \"a\" : [ 1 ] } ] ] } ",
    "[[[[[[[[[[\"deep\"]]]]]]]]]]",
    "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":null}}}},\"long\":\"0123456789abcdef0123456789abcdef\"}",
    "-12.5e+10",
    "\"a string \\\"with\\\" quotes\"",
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]",
};

/* Cut the document at every byte, in memory that ends there. */
TEST(every_prefix_of_a_document_is_refused)
{
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        struct str text = str_from(documents[i]);
        for (size_t n = 0; n <= text.n; n++) {
            char *copy = malloc(n ? n : 1);
            assert_non_null(copy);
            memcpy(copy, text.p, n);
            struct arena a = {0};
            struct json_error err = {0};
            const struct json *doc = json_parse(&a, str_make(copy, n), NULL, &err);
            /* Only a number, or blanks after a value, can be cut. */
            bool whole = n == text.n || str_trim(str_skip(text, n)).n == 0;
            assert_true(doc ? whole || i == 5 : !whole);
            if (!doc)
                assert_true(err.offset <= n && err.reason && !err.limit);
            arena_done(&a);
            free(copy);
        }
    }
}

/* Each byte of a document replaced by each of the bytes that mean something. */
TEST(a_changed_byte_is_harmless)
{
    struct str bytes = STR("\"\\{}[]:,0-+.eE tn\n\x01\x80\xc3\xff/u");
    size_t refused = 0;
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        struct str text = str_from(documents[i]);
        for (size_t at = 0; at < text.n; at++) {
            for (size_t c = 0; c < bytes.n; c++) {
                char *copy = malloc(text.n);
                assert_non_null(copy);
                memcpy(copy, text.p, text.n);
                copy[at] = bytes.p[c];
                struct arena a = {0};
                struct json_error err = {0};
                if (!json_parse(&a, str_make(copy, text.n), NULL, &err)) {
                    refused++;
                    assert_true(err.offset <= text.n && err.reason);
                }
                arena_done(&a);
                free(copy);
            }
        }
    }
    assert_true(refused > 5000);
}

TEST(numbers_are_converted_on_demand)
{
    struct arena a = {0};
    const struct json *doc =
        parse(&a, STR("[1, 1.0, 1e2, 12e-1, -0, 18446744073709551615, 1e999999999, 0.1, -7]"));
    int64_t i = 9;
    uint64_t u = 9;
    double d = 9;
    assert_true(json_i64(json_at(doc, 0), &i) && i == 1);
    assert_true(json_i64(json_at(doc, 1), &i) && i == 1);
    assert_true(json_u64(json_at(doc, 2), &u) && u == 100);
    assert_false(json_i64(json_at(doc, 3), &i));
    assert_true(json_double(json_at(doc, 3), &d) && d == 1.2);
    assert_true(json_i64(json_at(doc, 4), &i) && i == 0);
    assert_true(json_double(json_at(doc, 4), &d) && d == 0 && __builtin_signbit(d));
    assert_false(json_i64(json_at(doc, 5), &i));
    assert_true(json_u64(json_at(doc, 5), &u) && u == UINT64_MAX);
    i = 9, d = 9;
    assert_false(json_i64(json_at(doc, 6), &i));
    assert_false(json_double(json_at(doc, 6), &d));
    assert_true(i == 9 && d == 9);
    assert_true(json_double(json_at(doc, 7), &d) && d == 0.1);
    assert_false(json_u64(json_at(doc, 8), &u));
    CHECK_STR(json_number_text(json_at(doc, 6)), STR("1e999999999"));
    arena_done(&a);
}

TEST(equality_compares_values_not_texts)
{
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"null", "null", true},
        {"null", "false", false},
        {"true", "true", true},
        {"true", "false", false},
        {"1", "1.0", true},
        {"1", "\"1\"", false},
        {"100", "1e2", true},
        {"-0", "0", true},
        {"9007199254740993", "9007199254740992", false},
        {"18446744073709551615", "18446744073709551614", false},
        {"9223372036854775808", "-9223372036854775808", false},
        {"0.1", "0.10", true},
        {"0.1", "0.2", false},
        {"1", "1.5", false},
        {"1e400", "1e400", true},
        {"1e400", "1e401", false},
        {"1e400", "1", false},
        {"\"a\"", "\"\\u0061\"", true},
        {"\"a\"", "\"b\"", false},
        {"\"a\"", "\"a\\u0000\"", false},
        {"[1,[2],{}]", " [ 1.0 , [ 2 ] , { } ] ", true},
        {"[1,2]", "[2,1]", false},
        {"[1,2]", "[1,2,3]", false},
        {"[]", "{}", false},
        {"{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true},
        {"{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":3,\"a\":1,\"b\":2}", true},
        {"{\"a\":1}", "{\"b\":1}", false},
        {"{\"a\":1}", "{\"a\":2}", false},
        {"{\"a\":1}", "{\"a\":1,\"b\":1}", false},
        {"{\"a\":{\"b\":[1,{\"c\":null}]}}", "{\"a\":{\"b\":[1,{\"c\":null}]}}", true},
        {"{\"a\":{\"b\":[1,{\"c\":null}]}}", "{\"a\":{\"b\":[1,{\"c\":0}]}}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        const struct json *a = parse(&arena, str_from(cases[i].a));
        const struct json *b = parse(&arena, str_from(cases[i].b));
        assert_int_equal(json_equal(a, b), cases[i].equal);
        assert_int_equal(json_equal(b, a), cases[i].equal);
        assert_true(json_equal(a, a) && json_equal(b, b));
        assert_false(json_equal(a, NULL) || json_equal(NULL, b));
        arena_done(&arena);
    }
    assert_true(json_equal(NULL, NULL));
}

TEST(many_members_in_reverse_order_are_compared_quickly)
{
    struct buf up = {0}, down = {0};
    buf_add_char(&up, '{');
    buf_add_char(&down, '{');
    for (int i = 0; i < 100000; i++) {
        buf_printf(&up, "\"member %d\":%d,", i, i);
        buf_printf(&down, "\"member %d\":%d,", 99999 - i, 99999 - i);
    }
    up.p[up.n - 1] = down.p[down.n - 1] = '}';
    struct arena arena = {0};
    const struct json *a = parse(&arena, buf_str(&up)), *b = parse(&arena, buf_str(&down));
    assert_true(json_equal(a, b));
    arena_done(&arena);
    buf_done(&up);
    buf_done(&down);
}

TEST(a_small_document_takes_little_memory)
{
    struct arena a = {0};
    parse(&a, str_from(documents[0]));
    assert_true(arena_size(&a) <= 4096);
    arena_done(&a);
    /* The shortest possible values: there are more of them than estimated. */
    struct buf b = {0};
    buf_add_char(&b, '[');
    for (int i = 0; i < 100000; i++)
        buf_add(&b, STR("1,"));
    b.p[b.n - 1] = ']';
    const struct json *doc = parse(&a, buf_str(&b));
    assert_int_equal(json_count(doc), 100000);
    assert_ptr_equal(json_next(doc), doc + 100001);
    assert_true(arena_size(&a) < 5000000);
    arena_done(&a);
    /* A decoded string follows the values in memory, so they are not copied again. */
    memcpy(b.p + b.n - 7, ",\"\\n\" ]", 7);
    parse(&a, buf_str(&b));
    assert_true(arena_size(&a) < 5000000);
    arena_done(&a);
    buf_done(&b);
}

TEST(decoded_strings_and_growing_values_do_not_mix)
{
    struct buf b = {0};
    buf_add_char(&b, '[');
    for (int i = 0; i < 20000; i++)
        buf_printf(&b, "\"\\n%d\",0,", i);
    for (int i = 0; i < 20; i++)
        buf_printf(&b, "\"\\t%0*d\",", 1000 * i, i);
    b.p[b.n - 1] = ']';
    struct arena a = {0};
    const struct json *doc = parse(&a, buf_str(&b)), *v = doc + 1;
    for (int i = 0; i < 20000; i++, v += 2) {
        char want[16];
        snprintf(want, sizeof want, "\n%d", i);
        CHECK_CSTR(json_str(v), want);
    }
    for (int i = 0; i < 20; i++, v++) {
        assert_int_equal(json_str(v).n, i ? (size_t)i * 1000 + 1 : 2);
        assert_int_equal(json_str(v).p[0], '\t');
    }
    arena_done(&a);
    buf_done(&b);
}
