/* The inner loops of the JSON reader, skimmer and writer: skip text that needs no special
 * handling. */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Is c printable ASCII other than quote and backslash? It represents itself in a JSON string. */
static inline bool json_scan_is_plain(char c)
{
    return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* The same, or a byte of a multi-byte character. */
static inline bool json_scan_is_text(char c)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

#ifdef __SSE2__
/* Return one bit for each of 16 bytes that is not plain. As signed numbers, control characters and
 * bytes of multi-byte characters are both less than a space. */
static inline uint32_t json_scan_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i bad =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    bad = _mm_or_si128(bad, _mm_cmplt_epi8(v, _mm_set1_epi8(' ')));
    return (uint32_t)_mm_movemask_epi8(bad);
}

/* The same, but bytes of multi-byte characters count as plain. */
static inline uint32_t json_scan_text_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i bad =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
    return (uint32_t)_mm_movemask_epi8(bad);
}

/* Return one bit for each of 16 bytes that is a quote or a backslash. */
static inline uint32_t json_scan_quoted_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
                                                    _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
}
#endif

/* Is one of 8 bytes not plain? */
static inline bool json_scan_8(uint64_t v)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    /* Each term sets the high bit of a byte that is not plain: large, small, a quote, a backslash.
     * A borrow begins only at such a byte, so it cannot turn a no into a yes. */
    return ((v | (v - ones * ' ') | ((v ^ ones * '"') - ones) | ((v ^ ones * '\\') - ones)) &
            high) != 0;
}

/* The same, but bytes of multi-byte characters count as plain. */
static inline bool json_scan_text_8(uint64_t v)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    return (((v - ones * ' ') | ((v ^ ones * '"') - ones) | ((v ^ ones * '\\') - ones)) & ~v &
            high) != 0;
}

static inline uint64_t json_scan_load_8(const char *at)
{
    uint64_t v;
    memcpy(&v, at, sizeof v);
    return v;
}

/* Return the first byte at or after `at` that is not plain, or end. */
static inline const char *json_scan(const char *at, const char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        uint32_t bad = json_scan_16(at);
        if (bad)
            return at + __builtin_ctz(bad);
    }
#endif
    while (end - at >= 8 && !json_scan_8(json_scan_load_8(at)))
        at += 8;
    while (at < end && json_scan_is_plain(*at))
        at++;
    return at;
}

/* The same for valid UTF-8: skip multi-byte characters, too. */
static inline const char *json_scan_text(const char *at, const char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        uint32_t special = json_scan_text_16(at);
        if (special)
            return at + __builtin_ctz(special);
    }
#endif
    while (end - at >= 8 && !json_scan_text_8(json_scan_load_8(at)))
        at += 8;
    while (at < end && json_scan_is_text(*at))
        at++;
    return at;
}

/* Return the end of the JSON string whose opening quote is at `at`; end if it is not closed. */
static inline const char *json_scan_string(const char *at, const char *end)
{
    for (at = json_scan_text(at + 1, end); at < end && *at != '"'; at = json_scan_text(at, end))
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* Copy n bytes if all are plain. Otherwise return false and leave undefined bytes at `to`. The last
 * block overlaps the one before it, so that no byte is copied alone. */
static inline bool json_scan_copy(char *to, const char *from, size_t n)
{
#ifdef __SSE2__
    if (n >= 16) {
        for (size_t at = 0;; at = n - at < 32 ? n - 16 : at + 16) {
            if (json_scan_16(from + at))
                return false;
            memcpy(to + at, from + at, 16);
            if (at + 16 == n)
                return true;
        }
    }
#endif
    if (n >= 8) {
        for (size_t at = 0;; at = n - at < 16 ? n - 8 : at + 8) {
            if (json_scan_8(json_scan_load_8(from + at)))
                return false;
            memcpy(to + at, from + at, 8);
            if (at + 8 == n)
                return true;
        }
    }
    if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + n - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + n - 4, &last, 4);
        return !json_scan_8((uint64_t)first << 32 | last);
    }
    for (size_t i = 0; i < n; i++) {
        if (!json_scan_is_plain(from[i]))
            return false;
        to[i] = from[i];
    }
    return true;
}

/* Return zero if all of 8 bytes are digits; else the lowest bit set is in the first other byte.
 * (Such a byte may carry only into the bytes after it.) */
static inline uint64_t json_scan_others(uint64_t bytes)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t v = le64toh(bytes) ^ ones * '0';
    return ((v + ones * 6) | v) & ones * 0xf0;
}

/* Return the end of the digits at `at`. */
static inline const char *json_scan_digits(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        uint64_t others = json_scan_others(json_scan_load_8(at));
        if (others)
            return at + __builtin_ctzll(others) / 8;
    }
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* Return the end of the number that begins at `at`, or NULL if a digit is missing at *fault. */
static inline const char *json_scan_number(const char *at, const char *end, const char **fault)
{
    const char *from = at + (*at == '-');
    at = from < end && *from == '0' ? from + 1 : json_scan_digits(from, end);
    if (at > from && at < end && *at == '.') {
        from = at + 1;
        at = json_scan_digits(from, end);
    }
    if (at > from && at < end && (*at == 'e' || *at == 'E')) {
        from = at + 1;
        from += from < end && (*from == '+' || *from == '-');
        at = json_scan_digits(from, end);
    }
    *fault = at;
    return at > from ? at : NULL;
}
