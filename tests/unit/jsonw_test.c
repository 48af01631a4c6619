#include "base/jsonw.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

/* Write with fn and compare the output. */
#define CHECK_WRITES(want, ...)                                                                    \
    do {                                                                                           \
        struct buf out = {0};                                                                      \
        struct jsonw w = jsonw_make(&out);                                                         \
        __VA_ARGS__;                                                                               \
        CHECK_STR(buf_str(&out), STR(want));                                                       \
        assert_int_equal(w.depth, 0);                                                              \
        buf_done(&out);                                                                            \
    } while (0)

TEST(commas_and_quotes_are_added)
{
    CHECK_WRITES("{}", jsonw_object(&w); jsonw_end(&w));
    CHECK_WRITES("[]", jsonw_array(&w); jsonw_end(&w));
    CHECK_WRITES("\"x\"", jsonw_cstr(&w, "x"));
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_object(&w);
    jsonw_kstr(&w, "name", STR("a\"b"));
    jsonw_key(&w, "sizes");
    jsonw_array(&w);
    jsonw_int(&w, -1);
    jsonw_uint(&w, UINT64_MAX);
    jsonw_array(&w);
    jsonw_end(&w);
    jsonw_object(&w);
    jsonw_end(&w);
    jsonw_bool(&w, true);
    jsonw_end(&w);
    jsonw_kcstr(&w, "text", "t");
    jsonw_kcstr(&w, "none", NULL);
    jsonw_kint(&w, "n", INT64_MIN);
    jsonw_kbool(&w, "no", false);
    jsonw_key_str(&w, STR("k\n"));
    jsonw_null(&w);
    jsonw_key(&w, "raw");
    jsonw_raw(&w, STR("{\"x\":1}"));
    jsonw_key(&w, "half");
    jsonw_double(&w, 0.5);
    jsonw_key(&w, "bytes");
    jsonw_base64(&w, STR("foob"));
    jsonw_end(&w);
    CHECK_STR(
        buf_str(&out),
        STR("{\"name\":\"a\\\"b\",\"sizes\":[-1,18446744073709551615,[],{},true],\"text\":\"t\","
            "\"none\":null,\"n\":-9223372036854775808,\"no\":false,\"k\\n\":null,\"raw\":{\"x\":1},"
            "\"half\":0.5,\"bytes\":\"Zm9vYg==\"}"));
    assert_false(out.overflow);
    buf_done(&out);
}

TEST(special_characters_are_escaped)
{
    CHECK_WRITES("\"\"", jsonw_str(&w, (struct str){0}));
    CHECK_WRITES("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u000b\\u0000\\u001f\x7f\"",
                 jsonw_str(&w, STR("\"\\/\b\f\n\r\t\v\0\x1f\x7f")));
    CHECK_WRITES("\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
                 jsonw_str(&w, STR("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80")));
}

static void check_reads_back(struct str text, bool plain)
{
    struct buf out = {0};
    struct arena a = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_str(&w, text);
    CHECK_STR(json_str(json_parse(&a, buf_str(&out), NULL, NULL)), text);
    assert_int_equal(out.n == text.n + 2, plain);
    arena_done(&a);
    buf_done(&out);
}

TEST(every_ascii_character_round_trips_at_every_place)
{
    for (size_t n = 1; n <= 40; n++) {
        for (size_t at = 0; at < n; at++) {
            for (int c = 0; c < 0x80; c++) {
                char text[40];
                memset(text, 'x', n);
                text[at] = (char)c;
                check_reads_back(str_make(text, n), c >= 0x20 && c != '"' && c != '\\');
            }
        }
    }
}

TEST(invalid_utf8_becomes_the_replacement_character)
{
    CHECK_WRITES("\"a\xef\xbf\xbd"
                 "b\"",
                 jsonw_str(&w, STR("a\xff"
                                   "b")));
    CHECK_WRITES("\"\xef\xbf\xbd\"", jsonw_str(&w, STR("\xe2\x82")));
    CHECK_WRITES("\"\xef\xbf\xbd\\n\"", jsonw_str(&w, STR("\xe2\x82\n")));
    CHECK_WRITES("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", jsonw_str(&w, STR("\xed\xa0\x80")));
    CHECK_WRITES("{\"\xef\xbf\xbd\":1}", jsonw_object(&w); jsonw_key(&w, "\xc3"); jsonw_int(&w, 1);
                 jsonw_end(&w));
}

/* What jsonw_str() must write, a character at a time. */
static void add_slowly(struct buf *out, struct str s)
{
    static const char *const names[] = {"\\b", "\\t", "\\n", NULL, "\\f", "\\r"};
    buf_add_char(out, '"');
    while (s.n) {
        unsigned char c = (unsigned char)s.p[0];
        size_t n = utf8_char_bytes(s);
        if (c >= '\b' && c <= '\r' && names[c - '\b'])
            buf_printf(out, "%s", names[c - '\b']);
        else if (c < 0x20)
            buf_printf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else
            buf_add(out, n ? str_head(s, n) : STR("\xef\xbf\xbd"));
        s = str_skip(s, n ? n : utf8_bad_bytes(s));
    }
    buf_add_char(out, '"');
}

/* In a copy of exact size: the sanitizer finds a read past its end. */
static void check_escaped(struct str text, size_t max)
{
    char *exact = mem_dup(text.p, text.n);
    struct buf want = {0}, got = buf_make(max), same = buf_make(max);
    struct jsonw w = jsonw_make(&got), v = jsonw_make(&same);
    text.p = exact;
    add_slowly(&want, text);
    jsonw_str(&w, text);
    assert_int_equal(got.overflow, max && want.n > max);
    if (!got.overflow)
        CHECK_STR(buf_str(&got), buf_str(&want));
    if (utf8_is_valid(text)) {
        jsonw_utf8(&v, text);
        assert_int_equal(same.overflow, got.overflow);
        if (!same.overflow)
            CHECK_STR(buf_str(&same), buf_str(&want));
    }
    assert_true(!max || got.n <= max);
    buf_done(&want);
    buf_done(&got);
    buf_done(&same);
    free(exact);
}

/* Of any length, so that their ends, and those of the blocks they are worked on in, fall on any
 * character; some with few characters that need an escape, some with many, some with nothing else.
 */
TEST(long_texts_are_escaped_like_short_ones)
{
    static const struct str pieces[] = {STR_INIT("\""),
                                        STR_INIT("\\"),
                                        STR_INIT("\n"),
                                        STR_INIT("\x01"),
                                        STR_INIT("\xc3\xa4"),
                                        STR_INIT("\xe6\x95\xb5"),
                                        STR_INIT("\xf0\x9f\x98\x80"),
                                        STR_INIT("\xe6\x95"),
                                        STR_INIT("\xff"),
                                        STR_INIT("\x80\x80")};
    struct rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 2000; i++) {
        struct buf text = {0};
        size_t size = (size_t)rng_below(&rng, i % 4 ? 200 : 14000);
        uint64_t kinds = 1 + rng_below(&rng, sizeof pieces / sizeof pieces[0]);
        uint64_t rare = rng_below(&rng, 40);
        while (text.n < size) {
            if (rng_below(&rng, rare + 1) == 0)
                buf_add(&text, pieces[rng_below(&rng, kinds)]);
            else
                buf_add_char(&text, (char)('a' + rng_below(&rng, 26)));
        }
        check_escaped(buf_str(&text), 0);
        check_escaped(buf_str(&text), size + 1 + (size_t)rng_below(&rng, size + 1));
        buf_done(&text);
    }
}

TEST(an_exact_fit_is_no_overflow)
{
    static const struct str units[] = {STR_INIT("\""), STR_INIT("\x1f"), STR_INIT("x"),
                                       STR_INIT("\xe6\x95\xb5")};
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        struct buf text = {0}, want = {0};
        while (text.n < 9000)
            buf_add(&text, units[u]);
        add_slowly(&want, buf_str(&text));
        check_escaped(buf_str(&text), want.n - 1);
        check_escaped(buf_str(&text), want.n);
        check_escaped(buf_str(&text), want.n + 1);
        buf_done(&text);
        buf_done(&want);
    }
}

TEST(doubles_are_short_and_nan_and_infinity_are_null)
{
    CHECK_WRITES("[1,0.1,1e+21,-0,5e-324,null,null,null]", jsonw_array(&w); jsonw_double(&w, 1);
                 jsonw_double(&w, 0.1); jsonw_double(&w, 1e21); jsonw_double(&w, -0.0);
                 jsonw_double(&w, 5e-324); jsonw_double(&w, INFINITY); jsonw_double(&w, -INFINITY);
                 jsonw_double(&w, NAN); jsonw_end(&w));
}

TEST(a_value_is_written_as_it_was_read)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {" [ 1 , 2.50 , 1E+2 , -0 ] ", "[1,2.50,1E+2,-0]"},
        {"{\"a\":{\"b\":[{},[],{\"c\":[[]]}]},\"d\":\"\\u0041\\n\"}",
         "{\"a\":{\"b\":[{},[],{\"c\":[[]]}]},\"d\":\"A\\n\"}"},
        {"\"key\"", "\"key\""},
        {"[\"a\",{\"a\":\"a\"},\"b\"]", "[\"a\",{\"a\":\"a\"},\"b\"]"},
        {"true", "true"},
        {"[false,null]", "[false,null]"},
        {"{}", "{}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena a = {0};
        struct buf out = {0};
        struct jsonw w = jsonw_make(&out);
        jsonw_value(&w, json_parse(&a, str_from(cases[i].text), NULL, NULL));
        CHECK_CSTR(buf_str(&out), cases[i].want);
        buf_done(&out);
        arena_done(&a);
    }
    CHECK_WRITES("null", jsonw_value(&w, NULL));
}

TEST(a_parsed_value_can_be_written_as_a_member)
{
    struct arena a = {0};
    const struct json *doc = json_parse(&a, STR("{\"x\":[1,{\"y\":2}],\"s\":\"t\"}"), NULL, NULL);
    CHECK_WRITES(
        "{\"a\":{\"x\":[1,{\"y\":2}],\"s\":\"t\"},\"b\":[{\"y\":2},\"t\",null],\"c\":\"t\"}",
        jsonw_object(&w);
        jsonw_key(&w, "a"); jsonw_value(&w, doc); jsonw_key(&w, "b"); jsonw_array(&w);
        jsonw_value(&w, json_at(json_get(doc, STR("x")), 1));
        jsonw_value(&w, json_get(doc, STR("s"))); jsonw_value(&w, NULL); jsonw_end(&w);
        jsonw_key(&w, "c"); jsonw_value(&w, json_get(doc, STR("s"))); jsonw_end(&w));
    arena_done(&a);
}

TEST(a_gap_is_a_value_of_no_bytes)
{
    size_t at = 0, next = 0;
    CHECK_WRITES("{\"a\":1,\"b\":,\"c\":[,2]}", jsonw_object(&w); jsonw_kint(&w, "a", 1);
                 jsonw_key(&w, "b"); at = jsonw_gap(&w); jsonw_key(&w, "c"); jsonw_array(&w);
                 next = jsonw_gap(&w); jsonw_int(&w, 2); jsonw_end(&w); jsonw_end(&w));
    assert_int_equal(at, 11);
    assert_int_equal(next, 17);
}

TEST(the_deepest_text_is_written)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    for (size_t i = 0; i < JSONW_MAX_DEPTH; i++) {
        if (i % 3 == 2) {
            jsonw_object(&w);
            jsonw_key(&w, "k");
        } else {
            jsonw_array(&w);
        }
    }
    jsonw_int(&w, 1);
    for (size_t i = 0; i < JSONW_MAX_DEPTH; i++)
        jsonw_end(&w);
    struct arena a = {0};
    struct json_limits limits = {.max_depth = JSONW_MAX_DEPTH};
    const struct json *doc = json_parse(&a, buf_str(&out), &limits, NULL);
    assert_non_null(doc);
    struct buf again = {0};
    w = jsonw_make(&again);
    jsonw_value(&w, doc);
    CHECK_STR(buf_str(&again), buf_str(&out));
    buf_done(&again);
    buf_done(&out);
    arena_done(&a);
}

/* Output that does not fit sets overflow and writes nothing past the end; an exact fit does not. */
TEST(overflow_is_set_at_every_maximum)
{
    struct buf whole = {0};
    for (size_t max = 400; max > 0; max--) {
        struct buf out = buf_make(max);
        struct jsonw w = jsonw_make(&out);
        jsonw_object(&w);
        jsonw_kcstr(&w, "long", "0123456789abcdef0123456789abcdef0123456789abcdef");
        jsonw_kcstr(&w, "special", "\n\xc3\xa4\xff\x01\"");
        jsonw_kint(&w, "n", -12345);
        jsonw_key(&w, "d");
        jsonw_double(&w, 123.456);
        jsonw_key(&w, "b");
        jsonw_base64(&w, STR("0123456789"));
        jsonw_key(&w, "list");
        jsonw_array(&w);
        for (int i = 0; i < 8; i++) {
            jsonw_int(&w, i);
            jsonw_cstr(&w, "s");
            jsonw_object(&w);
            jsonw_end(&w);
            jsonw_base64(&w, STR("b"));
        }
        jsonw_end(&w);
        jsonw_end(&w);
        assert_true(out.n <= max);
        if (!whole.n)
            buf_add(&whole, buf_str(&out));
        assert_int_equal(out.overflow, max < whole.n);
        if (!out.overflow)
            CHECK_STR(buf_str(&out), buf_str(&whole));
        buf_done(&out);
    }
    assert_true(whole.n > 100 && whole.n < 400);
    buf_done(&whole);
}

static void write_value_without_key(struct jsonw *w)
{
    jsonw_object(w);
    jsonw_int(w, 1);
}

static void write_container_without_key(struct jsonw *w)
{
    jsonw_object(w);
    jsonw_array(w);
}

static void write_key_in_array(struct jsonw *w)
{
    jsonw_array(w);
    jsonw_key(w, "k");
}

static void write_key_at_top(struct jsonw *w)
{
    jsonw_key(w, "k");
}

static void write_two_keys(struct jsonw *w)
{
    jsonw_object(w);
    jsonw_key(w, "k");
    jsonw_key(w, "l");
}

static void write_end_behind_key(struct jsonw *w)
{
    jsonw_object(w);
    jsonw_key(w, "k");
    jsonw_end(w);
}

static void write_end_too_many(struct jsonw *w)
{
    jsonw_array(w);
    jsonw_end(w);
    jsonw_end(w);
}

static void write_two_values(struct jsonw *w)
{
    jsonw_int(w, 1);
    jsonw_int(w, 2);
}

static void write_too_deep(struct jsonw *w)
{
    for (size_t i = 0; i <= JSONW_MAX_DEPTH; i++)
        jsonw_array(w);
}

static void write_empty_raw(struct jsonw *w)
{
    jsonw_raw(w, (struct str){0});
}

TEST(wrong_use_fails_an_assertion)
{
    static void (*const misuses[])(struct jsonw *) = {
        write_value_without_key, write_container_without_key,
        write_key_in_array,      write_key_at_top,
        write_two_keys,          write_end_behind_key,
        write_end_too_many,      write_two_values,
        write_too_deep,          write_empty_raw,
    };
    for (size_t i = 0; i < sizeof misuses / sizeof misuses[0]; i++) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            struct buf out = {0};
            struct jsonw w = jsonw_make(&out);
            signal(SIGABRT, SIG_DFL);
            if (!freopen("/dev/null", "w", stderr))
                _exit(1);
            misuses[i](&w);
            _exit(0);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}
