/* The inner loop of the JSON reader and writer: how far text goes on that needs no care. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Printable ASCII other than the quote and the backslash: stands for itself in a JSON string. */
static inline bool json_scan_is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

#ifdef __SSE2__
/* One bit for each of 16 bytes that is not plain. As signed numbers, control characters and bytes
 * of longer characters are both less than a space. */
static inline uint32_t json_scan_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i bad =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    bad = _mm_or_si128(bad, _mm_cmplt_epi8(v, _mm_set1_epi8(' ')));
    return (uint32_t)_mm_movemask_epi8(bad);
}
#endif

/* Whether any of 8 bytes is not plain. */
static inline bool json_scan_8(const char *at)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    uint64_t v, quote, slash;
    memcpy(&v, at, sizeof v);
    quote = v ^ ones * '"';
    slash = v ^ ones * '\\';
    /* Each term has the high bit of a byte set if that byte is less than the constant; a borrow may
     * set it in a byte above as well, which is looked at again. */
    return ((v | (v - ones * ' ') | (quote - ones) | (slash - ones)) & high) != 0;
}

/* The first byte at or after `at` that is not plain; end if there is none. */
static inline const char *json_scan(const char *at, const char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        uint32_t bad = json_scan_16(at);
        if (bad)
            return at + __builtin_ctz(bad);
    }
#endif
    while (end - at >= 8 && !json_scan_8(at))
        at += 8;
    while (at < end && json_scan_is_plain(*at))
        at++;
    return at;
}
