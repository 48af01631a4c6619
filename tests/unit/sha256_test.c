#include "base/sha256.h"

#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

static void check_hex(const uint8_t digest[SHA256_LEN], const char *want)
{
    char hex[2 * SHA256_LEN + 1];
    for (size_t i = 0; i < SHA256_LEN; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    CHECK_CSTR(str_from(hex), want);
}

static void check(struct str text, const char *want)
{
    uint8_t digest[SHA256_LEN];
    sha256(text, digest);
    check_hex(digest, want);
}

static void check_hmac(struct str key, struct str text, const char *want)
{
    uint8_t mac[SHA256_LEN];
    sha256_hmac(key, text, mac);
    check_hex(mac, want);
}

TEST(the_official_examples_are_hashed)
{
    check(STR("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check(STR(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check((struct str){0}, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check(STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(STR("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
              "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(a_million_letters_are_hashed)
{
    char *p = mem_alloc(1000000);
    memset(p, 'a', 1000000);
    check(str_make(p, 1000000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(p);
}

/* The digest of the digests of all lengths around the ends of blocks. */
TEST(every_length_is_padded_correctly)
{
    char text[200];
    uint8_t all[200 * SHA256_LEN];
    for (size_t n = 0; n < sizeof text; n++) {
        text[n] = (char)(n * 7);
        sha256(str_make(text, n), all + n * SHA256_LEN);
    }
    check(str_make((char *)all, sizeof all),
          "0a716dcd52ebb45d547cf893c2616d1641ae3c122398e759ddeb1d0698a65c1a");
}

/* RFC 4231, 4.2 to 4.8 (4.6 is about cutting the result). */
TEST(the_official_hmac_examples_match)
{
    char key[131], data[50], counted[25];
    memset(key, 0x0b, 20);
    check_hmac(str_make(key, 20), STR("Hi There"),
               "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    check_hmac(STR("Jefe"), STR("what do ya want for nothing?"),
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    memset(data, 0xdd, sizeof data);
    check_hmac(str_make(key, 20), str_make(data, 50),
               "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    memset(data, 0xcd, sizeof data);
    for (size_t i = 0; i < sizeof counted; i++)
        counted[i] = (char)(i + 1);
    check_hmac(str_make(counted, 25), str_make(data, 50),
               "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
    check_hmac(str_make(key, 131), STR("Test Using Larger Than Block-Size Key - Hash Key First"),
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    check_hmac(str_make(key, 131),
               STR("This is a test using a larger than block-size key and a larger than block-size "
                   "data. The key needs to be hashed before being used by the HMAC algorithm."),
               "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(an_hmac_may_have_an_empty_key_and_text)
{
    check_hmac((struct str){0}, (struct str){0},
               "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(a_key_of_exactly_one_block_is_used_as_it_is)
{
    char key[65];
    memset(key, 'k', sizeof key);
    check_hmac(str_make(key, 64), STR("text"),
               "0414bb1d8c0c4556cdb2028727b16610ae377b1a194b6db1f853d4297f2329bc");
    check_hmac(str_make(key, 65), STR("text"),
               "5b69580123e3d7e788b7e8352ac37a3247b911c5ec0837147b74109a6382d3f5");
}

TEST(one_different_bit_makes_digests_unequal)
{
    uint8_t a[SHA256_LEN] = {0}, b[SHA256_LEN] = {0};
    assert_true(sha256_same(a, b));
    for (size_t bit = 0; bit < 8 * SHA256_LEN; bit++) {
        b[bit / 8] = (uint8_t)(1u << bit % 8);
        assert_false(sha256_same(a, b));
        assert_false(sha256_same(b, a));
        b[bit / 8] = 0;
    }
    a[0] = a[1] = 0x80; /* differences do not cancel out */
    assert_false(sha256_same(a, b));
}
