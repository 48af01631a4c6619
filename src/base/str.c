#include "base/str.h"

#include <pthread.h>

#include "base/id.h"
#include "base/mem.h"

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool str_same_letters(const char *a, const char *b, size_t n)
{
    /* Compare the last letter first: header names often share a beginning such as "Content-". */
    if (n == 0 || to_lower(a[n - 1]) != to_lower(b[n - 1]))
        return n == 0;
    if (memcmp(a, b, n) == 0)
        return true;
    for (size_t i = 0; i < n; i++)
        if (to_lower(a[i]) != to_lower(b[i]))
            return false;
    return true;
}

bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq(str_head(s, prefix.n), prefix);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n && str_eq(str_skip(s, s.n - suffix.n), suffix);
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    if (c != 0)
        return c;
    return a.n < b.n ? -1 : a.n > b.n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.p[0]))
        s.p++, s.n--;
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

size_t str_find_char(struct str s, char c)
{
    const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;
    return hit ? (size_t)(hit - s.p) : s.n;
}

size_t str_find(struct str s, struct str needle)
{
    if (needle.n == 0)
        return 0;
    const char *hit = s.n ? memmem(s.p, s.n, needle.p, needle.n) : NULL;
    return hit ? (size_t)(hit - s.p) : s.n;
}

bool str_cut(struct str *rest, char sep, struct str *head)
{
    size_t at = str_find_char(*rest, sep);
    bool found = at < rest->n;
    *head = str_head(*rest, at);
    *rest = str_skip(*rest, at + 1);
    return found;
}

bool str_to_u64(struct str s, uint64_t *out)
{
    uint64_t value = 0;
    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(s.p[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool str_to_i64(struct str s, int64_t *out)
{
    bool minus = s.n && s.p[0] == '-';
    uint64_t value;
    if (!str_to_u64(minus ? str_skip(s, 1) : s, &value))
        return false;
    if (value > (uint64_t)INT64_MAX + (minus ? 1 : 0))
        return false;
    *out = minus ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* SipHash-1-3 with a secret key of this process, so that input cannot contain chosen collisions. */

static uint64_t hash_key[2];
static pthread_once_t hash_key_once = PTHREAD_ONCE_INIT;

static void make_hash_key(void)
{
    id_bytes(hash_key, sizeof hash_key);
}

static uint64_t rotate_left(uint64_t x, unsigned n)
{
    return (x << n) | (x >> (64 - n));
}

static void hash_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] = rotate_left(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[2] = rotate_left(v[2], 32);
}

static void hash_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    hash_round(v);
    v[0] ^= word;
}

uint64_t str_hash(struct str s)
{
    pthread_once(&hash_key_once, make_hash_key);
    uint64_t v[4] = {hash_key[0] ^ 0x736f6d6570736575u, hash_key[1] ^ 0x646f72616e646f6du,
                     hash_key[0] ^ 0x6c7967656e657261u, hash_key[1] ^ 0x7465646279746573u};
    uint64_t word;
    size_t at = 0;
    for (; at + sizeof word <= s.n; at += sizeof word) {
        memcpy(&word, s.p + at, sizeof word); /* in native byte order: hashes are never stored */
        hash_word(v, word);
    }
    word = (uint64_t)s.n << 56;
    for (unsigned shift = 0; at < s.n; at++, shift += 8)
        word |= (uint64_t)(unsigned char)s.p[at] << shift;
    hash_word(v, word);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        hash_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

char *str_dup(struct str s)
{
    char *copy = mem_alloc(s.n + 1);
    if (s.n)
        memcpy(copy, s.p, s.n);
    copy[s.n] = 0;
    return copy;
}
