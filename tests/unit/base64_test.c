#include "base/base64.h"

#include "test.h"

/* RFC 4648, section 10, and bytes that show the two last letters. */
static const struct {
    struct str bytes, text, url;
} samples[] = {
    {STR_INIT(""), STR_INIT(""), STR_INIT("")},
    {STR_INIT("f"), STR_INIT("Zg=="), STR_INIT("Zg")},
    {STR_INIT("fo"), STR_INIT("Zm8="), STR_INIT("Zm8")},
    {STR_INIT("foo"), STR_INIT("Zm9v"), STR_INIT("Zm9v")},
    {STR_INIT("foob"), STR_INIT("Zm9vYg=="), STR_INIT("Zm9vYg")},
    {STR_INIT("fooba"), STR_INIT("Zm9vYmE="), STR_INIT("Zm9vYmE")},
    {STR_INIT("foobar"), STR_INIT("Zm9vYmFy"), STR_INIT("Zm9vYmFy")},
    {STR_INIT("\xfb\xff\xfe\0"), STR_INIT("+//+AA=="), STR_INIT("-__-AA")},
};

TEST(rfc_examples_are_encoded)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct buf text = {0}, url = {0}, back = {0};
        base64_encode(&text, samples[i].bytes);
        base64_encode_url(&url, samples[i].bytes);
        CHECK_STR(buf_str(&text), samples[i].text);
        CHECK_STR(buf_str(&url), samples[i].url);
        assert_true(base64_decode(&back, samples[i].text));
        CHECK_STR(buf_str(&back), samples[i].bytes);
        buf_clear(&back);
        assert_true(base64_decode_url(&back, samples[i].url));
        CHECK_STR(buf_str(&back), samples[i].bytes);
        buf_done(&text);
        buf_done(&url);
        buf_done(&back);
    }
}

TEST(all_bytes_round_trip_at_all_lengths)
{
    char bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + 11);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        struct buf text = {0}, back = {0};
        base64_encode(&text, str_make(bytes, n));
        assert_int_equal(text.n, (n + 2) / 3 * 4);
        assert_true(base64_decode(&back, buf_str(&text)));
        CHECK_STR(buf_str(&back), str_make(bytes, n));
        buf_clear(&text);
        buf_clear(&back);
        base64_encode_url(&text, str_make(bytes, n));
        assert_true(base64_decode_url(&back, buf_str(&text)));
        CHECK_STR(buf_str(&back), str_make(bytes, n));
        buf_done(&text);
        buf_done(&back);
    }
}

TEST(output_is_appended)
{
    struct buf b = {0};
    buf_add(&b, STR("key: "));
    base64_encode(&b, STR("foo"));
    assert_true(base64_decode(&b, STR("Zm9v")));
    CHECK_STR(buf_str(&b), STR("key: Zm9vfoo"));
    assert_int_equal(b.p[b.n], 0);
    buf_done(&b);
}

TEST(invalid_text_is_refused_and_leaves_the_buffer_unchanged)
{
    static const char *const wrong[] = {
        "A",          "AA",
        "AAA",        "AAAAA",
        "AAA=AAAA",   "A===",
        "====",       "=",
        "==",         "AA=A",
        "AA =",       "AAA\n",
        "Zm9vYm.=",   "Zm9v\r\n",
        "-_-_",       "Zh==",
        "Zm9=",       "AAAA=",
        "Zg=",        "Zg===",
        "\xc3\xa4==", "Zm9vZm9v*m9vZm9v",
    };
    static const char *const wrong_url[] = {
        "A", "AAAAA", "Zg==", "Zm8=", "+/+/", "Zh", "Zm9", "A*"};
    struct buf b = {0};
    buf_add(&b, STR("before"));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(base64_decode(&b, str_from(wrong[i])));
        CHECK_STR(buf_str(&b), STR("before"));
        assert_int_equal(b.p[b.n], 0);
    }
    for (size_t i = 0; i < sizeof wrong_url / sizeof wrong_url[0]; i++) {
        assert_false(base64_decode_url(&b, str_from(wrong_url[i])));
        CHECK_STR(buf_str(&b), STR("before"));
    }
    buf_done(&b);
}

TEST(output_that_does_not_fit_sets_overflow)
{
    struct buf b = buf_make(7), exact = buf_make(8);
    base64_encode(&b, STR("foob"));
    assert_true(b.overflow);
    assert_int_equal(b.n, 0);
    base64_encode(&exact, STR("foob"));
    assert_false(exact.overflow);
    buf_done(&exact);
    exact = buf_make(3);
    assert_true(base64_decode(&exact, STR("Zm9v")));
    assert_false(base64_decode(&exact, STR("Zg==")));
    CHECK_STR(buf_str(&exact), STR("foo"));
    buf_done(&b);
    buf_done(&exact);
}
