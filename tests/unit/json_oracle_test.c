/* Our reader beside jansson: the same texts are accepted and mean the same, the same are refused.
 *
 * Where jansson differs, and why that is right here:
 * - A number that fits neither its integers (64 bits, signed) nor a double is refused by it: "too
 * big integer", "real number overflow". Ours keeps the text and answers when it is asked for a
 * type.
 * - It has no keys with U+0000 in them: "NUL byte in object key". RFC 8259 has.
 * - It overlooks a NUL byte that follows a number. That is no blank.
 * - It goes 2048 levels deep, ours 128 unless told otherwise; no text here is as deep as that.
 * Such a text is left out when jansson gives one of those reasons: it stops at the first fault, so
 * it says nothing about the rest. All else must agree. */
#include "json_oracle.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/rng.h"
#include "test.h"

#define MUTATIONS 60000

static const struct str documents[] = {
    STR_INIT(
        "{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}"),
    STR_INIT("[true,false,null,0,-1,1.5,2e3,-4.25E-2,\"\",\"plain\",\"\\n\\u00e4\\ud83d\\ude00\"]"),
    STR_INIT(" {\t\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\" : [ [ ] ,\r\n { } , [ { \"a\" : [ 1 ] } "
             "] ] } "),
    STR_INIT(
        "{\"a\":{\"b\":{\"c\":[1,2,{\"d\":null}]}},\"long\":\"0123456789abcdef0123456789abcdef\"}"),
    STR_INIT("[0,-0,0.0,-0.0,1e0,1E+1,1e-1,9223372036854775807,-9223372036854775808,1."
             "7976931348623157e308]"),
    STR_INIT(
        "[5e-324,2.2250738585072011e-308,123456.789e-3,0.1,1e22,1e23,100000000000000000000.5]"),
    STR_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u20ac\\uD834\\uDD1E \\u0000 \\uFFFF\""),
    STR_INIT("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10,"
             "\"k\":11,"
             "\"l\":12,\"m\":13,\"n\":14,\"o\":15,\"p\":16,\"q\":17,\"r\":18,\"aa\":19,\"ab\":20}"),
    STR_INIT("{\"\":0,\"a\":1,\"A\":2,\"\\u0061b\":3,\"a\\u0062c\":4,\"\\\"\":5,\"\\\\\":6}"),
    STR_INIT("[[[[[[[[[[[[[[[[[[[[{\"x\":[[[[[[\"deep\"]]]]]]}]]]]]]]]]]]]]]]]]]]]"),
    STR_INIT("true"),
    STR_INIT("-1.5"),
    STR_INIT("[\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf"
             "\xbf\"]"),
    STR_INIT("[\"\\ud800\"]"),
    STR_INIT("[\"\\udc00\\ud800\"]"),
    STR_INIT("{\"a\":1,\"\\u0061\":2}"),
    STR_INIT("{\"a\":[{\"b\":1,\"b\":2}]}"),
    STR_INIT("[\"\xed\xa0\x80\"]"),
    STR_INIT("[\"\xc0\x80\"]"),
    STR_INIT("[\"\xf4\x90\x80\x80\"]"),
    STR_INIT("[\"tab\there\"]"),
    STR_INIT("[1,]"),
    STR_INIT("{\"a\":1,}"),
    STR_INIT("[01]"),
    STR_INIT("[1.]"),
    STR_INIT("[.5]"),
    STR_INIT("[+1]"),
    STR_INIT("[1e]"),
    STR_INIT("[nan]"),
    STR_INIT("[1]x"),
    STR_INIT("\xef\xbb\xbf[]"),
    STR_INIT(""),
    STR_INIT("   "),
};

#define VALID     13u /* the first ones */
#define DOCUMENTS (sizeof documents / sizeof documents[0])

/* What a change puts in: whatever means something somewhere. */
static const struct str pieces[] = {
    STR_INIT("\""),      STR_INIT("\\"),      STR_INIT("{"),        STR_INIT("}"),
    STR_INIT("["),       STR_INIT("]"),       STR_INIT(":"),        STR_INIT(","),
    STR_INIT("0"),       STR_INIT("1"),       STR_INIT("-"),        STR_INIT("+"),
    STR_INIT("."),       STR_INIT("e"),       STR_INIT("E"),        STR_INIT(" "),
    STR_INIT("\n"),      STR_INIT("\0"),      STR_INIT("\x1f"),     STR_INIT("\x7f"),
    STR_INIT("\x80"),    STR_INIT("\xc3"),    STR_INIT("\xff"),     STR_INIT("\xe2\x82\xac"),
    STR_INIT("true"),    STR_INIT("null"),    STR_INIT("\\u0061"),  STR_INIT("\\ud83d"),
    STR_INIT("\\ude00"), STR_INIT("\\u0000"), STR_INIT("\"a\":1,"), STR_INIT("[]"),
    STR_INIT("{}"),      STR_INIT("1e5"),     STR_INIT("\"\","),    STR_INIT("\\n"),
};

static bool same(const struct json *ours, const struct oracle *theirs)
{
    int64_t i;
    double d, real;
    switch (oracle_type(theirs)) {
    case ORACLE_NULL:
        return json_is(ours, JSON_NULL);
    case ORACLE_FALSE:
        return json_is(ours, JSON_BOOL) && !json_bool(ours);
    case ORACLE_TRUE:
        return json_bool(ours);
    case ORACLE_INTEGER:
        return json_i64(ours, &i) && i == oracle_integer(theirs);
    case ORACLE_REAL:
        real = oracle_real(theirs);
        return json_double(ours, &d) && memcmp(&d, &real, sizeof d) == 0;
    case ORACLE_STRING:
        return json_is(ours, JSON_STRING) && str_eq(json_str(ours), oracle_str(theirs));
    case ORACLE_ARRAY:
    case ORACLE_OBJECT:
        break;
    }
    if (json_count(ours) != oracle_count(theirs))
        return false;
    if (oracle_type(theirs) == ORACLE_ARRAY) {
        size_t at = 0;
        JSON_ITEMS (ours, item)
            if (!same(item, oracle_item(theirs, at++)))
                return false;
        return json_is(ours, JSON_ARRAY);
    }
    JSON_EACH (ours, k) {
        const struct oracle *member = oracle_member(theirs, json_str(k));
        if (!member || !same(k + 1, member))
            return false;
    }
    return json_is(ours, JSON_OBJECT);
}

static bool is_known_difference(struct str text, const char *why)
{
    return str_find_char(text, 0) < text.n || strstr(why, "too big") ||
           strstr(why, "real number overflow") || strstr(why, "NUL byte in object key");
}

/* What we write, jansson reads as what it read itself. */
static void check_written(const struct json *doc, const struct oracle *theirs)
{
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_value(&w, doc);
    struct oracle *again = oracle_parse(buf_str(&out), NULL);
    struct arena a = {0};
    const struct json *ours = json_parse(&a, buf_str(&out), NULL, NULL);
    assert_true(again && ours && same(ours, again) && same(ours, theirs) && json_equal(ours, doc));
    arena_done(&a);
    oracle_free(again);
    buf_done(&out);
}

/* 1: both accept and agree; 0: both refuse; -1: a known difference. */
static int compare(struct str text)
{
    struct arena a = {0};
    struct json_error err = {0};
    const char *why = "";
    const struct json *ours = json_parse(&a, text, NULL, &err);
    struct oracle *theirs = oracle_parse(text, &why);
    int verdict = is_known_difference(text, why) ? -1 : theirs ? 1 : 0;
    if (verdict >= 0 && ((ours != NULL) != (theirs != NULL) || (ours && !same(ours, theirs)))) {
        print_error("%.*s\nours: %s (%zu), theirs: %s\n", STR_ARG(text),
                    ours ? "accepted" : err.reason, err.offset, theirs ? "accepted" : why);
        fail();
    }
    if (verdict == 1)
        check_written(ours, theirs);
    oracle_free(theirs);
    arena_done(&a);
    return verdict;
}

TEST(both_agree_on_the_documents)
{
    for (size_t i = 0; i < DOCUMENTS; i++)
        assert_int_equal(compare(documents[i]), i < VALID);
}

TEST(both_agree_on_every_beginning)
{
    for (size_t i = 0; i < DOCUMENTS; i++)
        for (size_t n = 0; n < documents[i].n; n++)
            compare(str_head(documents[i], n));
}

/* Replaces `cut` bytes of text at `at`. */
static void splice(struct buf *text, size_t at, size_t cut, struct str piece)
{
    struct buf out = {0};
    struct str all = buf_str(text);
    buf_add(&out, str_head(all, at));
    buf_add(&out, piece);
    buf_add(&out, str_skip(all, at + cut));
    buf_done(text);
    *text = out;
}

static void mutate(struct rng *rng, struct buf *text)
{
    size_t at = (size_t)rng_below(rng, text->n + 1), left = text->n - at;
    size_t some = left ? (size_t)rng_below(rng, left < 8 ? left + 1 : 9) : 0;
    char byte = (char)rng_below(rng, 256);
    struct str piece = pieces[rng_below(rng, sizeof pieces / sizeof pieces[0])];
    switch (rng_below(rng, 5)) {
    case 0:
        splice(text, at, 0, piece);
        break;
    case 1:
        splice(text, at, piece.n < left ? piece.n : left, piece);
        break;
    case 2:
        splice(text, at, some, (struct str){0});
        break;
    case 3:
        splice(text, at, left ? 1 : 0, str_make(&byte, 1));
        break;
    default: {
        struct str from = documents[rng_below(rng, DOCUMENTS)];
        splice(text, at, 0, str_head(str_skip(from, (size_t)rng_below(rng, from.n + 1)), 12));
        break;
    }
    }
}

TEST(both_agree_on_random_changes)
{
    struct rng rng;
    rng_seed(&rng, 20250101);
    int verdicts[3] = {0};
    for (int i = 0; i < MUTATIONS; i++) {
        struct buf text = {0};
        buf_add(&text, documents[rng_below(&rng, VALID)]);
        for (uint64_t n = 1 + rng_below(&rng, 3); n > 0; n--)
            mutate(&rng, &text);
        verdicts[1 + compare(buf_str(&text))]++;
        buf_done(&text);
    }
    /* Not all of one kind, or the test says little. */
    assert_true(verdicts[0] > 0 && verdicts[0] < MUTATIONS / 20);
    assert_true(verdicts[1] > MUTATIONS / 3 && verdicts[2] > MUTATIONS / 20);
}

/* Doubles of all sizes, as printf writes them. */
TEST(both_read_the_same_doubles)
{
    struct rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        double d;
        uint64_t bits = rng_next(&rng);
        memcpy(&d, &bits, sizeof d);
        if (!__builtin_isfinite(d))
            continue;
        snprintf(text, sizeof text, "[%.*e,%lld]", 1 + (int)rng_below(&rng, 20), d,
                 (long long)rng_next(&rng));
        assert_true(compare(str_from(text)) != 0);
    }
}
