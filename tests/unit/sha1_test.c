#include "base/sha1.h"

#include <stdlib.h>

#include "base/mem.h"
#include "test.h"

static void check(struct str text, const char *want)
{
    uint8_t digest[SHA1_LEN];
    char hex[2 * SHA1_LEN + 1];
    sha1(text, digest);
    for (size_t i = 0; i < SHA1_LEN; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    CHECK_CSTR(str_from(hex), want);
}

TEST(the_official_examples_are_hashed)
{
    check(STR("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    check(STR(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    check((struct str){0}, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    check(STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
          "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    check(STR("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
              "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
          "a49b2446a02c645bf419f995b67091253a04a259");
}

TEST(a_million_letters_are_hashed)
{
    char *p = mem_alloc(1000000);
    memset(p, 'a', 1000000);
    check(str_make(p, 1000000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    free(p);
}

/* RFC 6455, 1.3. */
TEST(the_websocket_example_is_hashed)
{
    check(STR("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"),
          "b37a4f2cc0624f1690f64606cf385945b2bec4ea");
}

/* The digest of the digests of all lengths around the ends of blocks. */
TEST(every_length_is_padded_correctly)
{
    char text[200];
    uint8_t all[200 * SHA1_LEN];
    for (size_t n = 0; n < sizeof text; n++) {
        text[n] = (char)(n * 7);
        sha1(str_make(text, n), all + n * SHA1_LEN);
    }
    check(str_make((char *)all, sizeof all), "887d03886aa473ff04d2370f0f86577637baf55d");
}
