#include "base/json_skim.h"

#include <dirent.h>
#include <stdlib.h>

#include "../fuzz/fuzz.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "test.h"

#define ROOM      16u
#define MUTATIONS 40000

/* What was found, as "key=value;key=value", or why it was refused. */
static void check_skim(struct str text, const char *want)
{
    struct json_member members[ROOM];
    struct json_skim s = {.members = members, .room = ROOM};
    struct json_error err = {0};
    struct buf got = {0};
    buf_add(&got, STR("")); /* so that there is a text */
    if (json_skim(&s, text, &err))
        for (size_t i = 0; i < s.count; i++)
            buf_printf(&got, "%s%.*s=%.*s", i ? ";" : "", STR_ARG(members[i].key),
                       STR_ARG(members[i].value));
    else
        buf_printf(&got, "%zu: %s", err.offset, err.reason);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(members_are_spans_of_the_text)
{
    check_skim(STR("{}"), "");
    check_skim(STR("{\"a\":1}"), "a=1");
    check_skim(STR(" { \"a\" : [ 1, {\"x\":[]} ] , \"b\"\n:\n\"t\" } "),
               "a=[ 1, {\"x\":[]} ];b=\"t\"");
    check_skim(STR("{\"type\":\"result\",\"n\":-1.5e+3,\"yes\":true,\"no\":false,\"none\":null}"),
               "type=\"result\";n=-1.5e+3;yes=true;no=false;none=null");
    check_skim(STR("{\"\\u0061\\\"\":\"\\n\\ud83d\\ude00\"}"), "\\u0061\\\"=\"\\n\\ud83d\\ude00\"");
}

TEST(a_text_that_is_no_object_has_no_members)
{
    check_skim(STR("[{\"a\":1}]"), "");
    check_skim(STR(" \"text\" "), "");
    check_skim(STR("-0"), "");
    check_skim(STR("nul"), "3: unexpected end");
    check_skim(STR(""), "0: unexpected end");
    check_skim((struct str){0}, "0: unexpected end");
}

TEST(members_beyond_the_room_are_checked_and_not_kept)
{
    struct json_member members[2];
    struct json_skim s = {.members = members, .room = 2};
    struct json_error err = {0};
    assert_true(json_skim(&s, STR("{\"a\":1,\"b\":2,\"c\":3}"), &err));
    assert_int_equal(s.count, 2);
    CHECK_CSTR(json_skim_get(&s, STR("b")), "2");
    assert_true(str_is_empty(json_skim_get(&s, STR("c"))));
    assert_false(json_skim(&s, STR("{\"a\":1,\"b\":2,\"c\":x}"), &err));
    assert_int_equal(err.offset, 17);
    assert_int_equal(s.count, 2);
    assert_false(json_skim(&s, STR("{\"a\":1,\"b\":,"), NULL));
    assert_int_equal(s.count, 1);
    assert_true(json_skim(&(struct json_skim){0}, STR("{\"a\":1}"), NULL));
}

TEST(a_key_may_stand_twice_but_in_the_outermost_object)
{
    check_skim(STR("{\"a\":1,\"b\":{},\"a\":2}"), "14: duplicate key");
    check_skim(STR("{\"a\":1,\"\\u0061\":2}"), "7: duplicate key");
    check_skim(STR("{\"\\u0061\":1,\"b\":0,\"a\":2}"), "18: duplicate key");
    check_skim(STR("{\"\":1,\"\":2}"), "6: duplicate key");
    check_skim(STR("{\"a\":1,\"a\":2} x"), "7: duplicate key");
    check_skim(STR("{\"a\":1,\"a\":2"), "12: unexpected end"); /* it was not complete */
    check_skim(STR("{\"a\":{\"b\":1,\"b\":2}}"), "a={\"b\":1,\"b\":2}");
    check_skim(STR("{\"\\u0061\":1,\"\\u0062\":2}"), "\\u0061=1;\\u0062=2");
}

/* The members do not fit, the keys look alike: each must be compared, and in a short time. */
TEST(a_hundred_thousand_keys_are_told_apart)
{
    struct json_member members[4];
    struct json_skim s = {.members = members, .room = 4};
    struct json_error err = {0};
    struct buf b = {0};
    buf_add_char(&b, '{');
    for (int i = 0; i < 100000; i++)
        buf_printf(&b, "\"%d-the same length and letters-%d\":{\"n\":[%d]} ,\n", i % 10,
                   1000000 + i, i);
    size_t offset = b.n;
    buf_add(&b, STR("\"0-the same length and \\u006cetters-1099990\":0}"));
    assert_false(json_skim(&s, buf_str(&b), &err));
    assert_int_equal(err.offset, offset);
    assert_string_equal(err.reason, "duplicate key");
    b.p[offset + 1] = 'x';
    assert_true(json_skim(&s, buf_str(&b), &err));
    assert_int_equal(s.count, 4);
    buf_done(&b);
}

TEST(limits_are_those_of_the_reader)
{
    for (int over = 0; over <= 1; over++) {
        struct json_skim s = {.room = 0};
        struct json_error err = {0};
        struct buf b = {0};
        size_t depth = JSON_MAX_DEPTH + (size_t)over;
        for (size_t i = 0; i < depth; i++)
            buf_add(&b, i % 3 ? STR("[") : STR("{\"k\":"));
        buf_add_char(&b, '1');
        for (size_t i = depth; i-- > 0;)
            buf_add_char(&b, i % 3 ? ']' : '}');
        assert_int_equal(json_skim(&s, buf_str(&b), &err), !over);
        assert_int_equal(err.limit, over);
        if (over)
            assert_string_equal(err.reason, "too deep");
        buf_done(&b);
    }
    /* The length alone is enough: no byte is looked at. */
    struct json_error err = {0};
    assert_false(
        json_skim(&(struct json_skim){0}, str_make("x", (size_t)JSON_MAX_BYTES + 1), &err));
    assert_true(err.limit && err.offset == JSON_MAX_BYTES && !strcmp(err.reason, "too large"));
}

TEST(compact_means_that_no_blank_stands_outside_of_strings)
{
    static const struct {
        const char *text;
        const char *compact;
    } cases[] = {
        {"{\"a b\":[1,\"\\\" , \\\\\"]}", NULL},
        {"{\"a\": 1}", "{\"a\":1}"},
        {" {}", "{}"},
        {"{}\n", "{}"},
        {"[ ]", "[]"},
        {"{\"a\":[1,\t2 ,{ \" \" : \"\\\\\" } ] }", "{\"a\":[1,2,{\" \":\"\\\\\"}]}"},
        {"\r\n[\r\n  \"x y\",\r\n  null\r\n]", "[\"x y\",null]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json_skim s = {.room = 0};
        struct buf out = {0};
        struct str text = str_from(cases[i].text);
        assert_true(json_skim(&s, text, NULL));
        assert_int_equal(s.is_compact, cases[i].compact == NULL);
        json_skim_compact(&out, text);
        CHECK_CSTR(buf_str(&out), cases[i].compact ? cases[i].compact : cases[i].text);
        buf_done(&out);
    }
    struct json_skim s = {.is_compact = true};
    assert_false(json_skim(&s, STR("{"), NULL));
    assert_false(s.is_compact);
}

/* What is not JSON is against the rules, but does no harm. */
TEST(compacting_stops_at_the_end)
{
    static const char *const texts[] = {"\"", "\"a", "\"\\", "[\"\x01\"", "\"\\\"", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct buf out = {0};
        size_t n = strlen(texts[i]);
        char *exact = mem_dup(texts[i], n);
        json_skim_compact(&out, str_make(exact, n));
        CHECK_STR(buf_str(&out), str_from(texts[i]));
        buf_done(&out);
        free(exact);
    }
}

TEST(plain_is_a_string_without_escapes)
{
    CHECK_CSTR(json_skim_plain(STR("\"ok\"")), "ok");
    CHECK_CSTR(json_skim_plain(STR("\"\"")), "");
    assert_non_null(json_skim_plain(STR("\"\"")).p);
    assert_null(json_skim_plain(STR("\"a\\n\"")).p);
    assert_null(json_skim_plain(STR("17")).p);
    assert_null(json_skim_plain(STR("{\"a\":\"b\"}")).p);
    assert_null(json_skim_plain((struct str){0}).p);
}

TEST(utf8_is_checked_unless_it_was)
{
    check_skim(STR("{\"a\":\"\xc3\xa4\xf0\x9f\x98\x80\"}"), "a=\"\xc3\xa4\xf0\x9f\x98\x80\"");
    check_skim(STR("{\"a\":\"x\xc3\",\"b\":1}"), "7: invalid UTF-8");
    check_skim(STR("{\"\xed\xa0\x80\":1}"), "2: invalid UTF-8");
    check_skim(STR("{\"a\":1}\xff"), "7: text after the value");
    check_skim(STR("{\"a\":\xc3\xa4}"), "5: unexpected character");
    struct json_skim s = {.utf8_is_checked = true};
    assert_true(json_skim(&s, STR("{\"a\":\"x\xc3\",\"b\":1}"), NULL));
}

/* ---- beside the reader: fuzz_skim.c asserts that both say the same */

static void check_same(struct str text)
{
    uint8_t *exact = mem_dup(text.p, text.n); /* a read behind its end would show */
    LLVMFuzzerTestOneInput(exact, text.n);
    free(exact);
}

static size_t check_folder(const char *name)
{
    struct buf folder = {0};
    buf_printf(&folder, "%s/%s", CORPUS, name);
    DIR *dir = opendir(folder.p);
    assert_non_null(dir);
    size_t count = 0;
    for (struct dirent *d; (d = readdir(dir));) {
        struct buf path = {0}, bytes = {0};
        struct error err = {0};
        if (d->d_name[0] == '.')
            continue;
        buf_printf(&path, "%s/%s", folder.p, d->d_name);
        assert_true(file_read(path.p, 16u << 20, &bytes, &err));
        for (size_t n = bytes.n < 400 ? 0 : bytes.n; n <= bytes.n; n++)
            check_same(str_head(buf_str(&bytes), n));
        count++;
        buf_done(&path);
        buf_done(&bytes);
    }
    closedir(dir);
    buf_done(&folder);
    return count;
}

TEST(the_reader_and_the_skimmer_agree_on_the_corpus)
{
    assert_true(check_folder("json") > 30);
    assert_true(check_folder("skim") > 10);
}

static const char *const documents[] = {
    "{\"type\":\"result\",\"request_id\":\"r-17\",\"status\":\"ok\",\"result\":{\"n\":[1,-2.5e3]}}",
    "{\"a\":{\"b\":[{\"c\":null},{}]},\"long\":\"0123456789abcdef0123456789abcdef\",\"t\":true}",
    " { \"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\" : [ [ ] ,\r\n { } , [ { \"a\" : [ 1 ] } ] ] } ",
    "[true,false,null,0,-1,1.5,2e3,-4.25E-2,\"\",\"plain\",\"esc\\n\\u00e4\\ud83d\\ude00\"]",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,\"k\":11}",
    "{\"\":0,\"\\u0061\":1,\"b\\\"\":2,\"\\\\\":\"\\\\\",\"x\":\"\\\"\"}",
};

/* What a change puts in: whatever means something somewhere. */
static const struct str pieces[] = {
    STR_INIT("\""),       STR_INIT("\\"),      STR_INIT("{"),        STR_INIT("}"),
    STR_INIT("["),        STR_INIT("]"),       STR_INIT(":"),        STR_INIT(","),
    STR_INIT("0"),        STR_INIT("-"),       STR_INIT("."),        STR_INIT("e+"),
    STR_INIT(" "),        STR_INIT("\n"),      STR_INIT("\0"),       STR_INIT("\x7f"),
    STR_INIT("\x80"),     STR_INIT("\xc3"),    STR_INIT("\xe2\x82"), STR_INIT("\xe2\x82\xac"),
    STR_INIT("\\u0061"),  STR_INIT("\\ud83d"), STR_INIT("\"a\":1,"), STR_INIT("{\"a\":1,\"a\":2}"),
    STR_INIT("12345678"), STR_INIT("tru"),     STR_INIT("null"),     STR_INIT("0123456789abcdef"),
};

TEST(the_reader_and_the_skimmer_agree_on_random_changes)
{
    struct rng rng;
    rng_seed(&rng, 20250102);
    for (int i = 0; i < MUTATIONS; i++) {
        struct buf text = {0};
        struct str from =
            str_from(documents[rng_below(&rng, sizeof documents / sizeof documents[0])]);
        for (uint64_t n = rng_below(&rng, 3); n < 3 && from.n; n++) {
            size_t at = (size_t)rng_below(&rng, from.n + 1), cut = (size_t)rng_below(&rng, 4);
            buf_add(&text, str_head(from, at));
            buf_add(&text, pieces[rng_below(&rng, sizeof pieces / sizeof pieces[0])]);
            from = str_skip(from, at + cut);
        }
        buf_add(&text, from);
        check_same(buf_str(&text));
        buf_done(&text);
    }
}

/* Strings and numbers of every length, so that their ends fall on every place of a block. */
TEST(the_reader_and_the_skimmer_agree_at_every_length)
{
    static const struct str ends[] = {
        STR_INIT("\""),     STR_INIT("\\n\""), STR_INIT("\x1f\""), STR_INIT("\xc3\xa4\""),
        STR_INIT("\xc3\""), STR_INIT("\\"),    STR_INIT("")};
    for (size_t n = 0; n < 80; n++)
        for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
            struct buf text = {0};
            buf_printf(&text, "{\"%.*s\":[%.*s1,\"%.*s", (int)(n % 7), "abcdefg", (int)n,
                       "12345678901234567890123456789012345678901234567890123456789012345678901234"
                       "567890",
                       (int)n,
                       "abcdefghijklmnopqrstuvwxyz~!@#$%^&*()_+abcdefghijklmnopqrstuvwxyz0123456789"
                       "ABCDEFGHIJ");
            buf_add(&text, ends[e]);
            check_same(buf_str(&text));
            buf_add(&text, STR("]}"));
            check_same(buf_str(&text));
            buf_done(&text);
        }
}
