/* The inner loop of the JSON reader and writer: how far text goes on that needs no care. */
#pragma once

#include <endian.h>
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

/* The same, or a byte of a longer character. */
static inline bool json_scan_is_text(char c)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
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

/* The same, where bytes of longer characters are as good as plain ones. */
static inline uint32_t json_scan_text_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i bad =
        _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
    return (uint32_t)_mm_movemask_epi8(bad);
}

/* One bit for each of 16 bytes that is a quote or a backslash. */
static inline uint32_t json_scan_quoted_16(const char *at)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
                                                    _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
}
#endif

/* Whether one of 8 bytes is not plain. */
static inline bool json_scan_8(uint64_t v)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    /* Each term has the high bit of a byte set if that byte is none we want: large, small, a quote,
     * a backslash. A borrow begins only at such a byte: it cannot spoil a no. */
    return ((v | (v - ones * ' ') | ((v ^ ones * '"') - ones) | ((v ^ ones * '\\') - ones)) &
            high) != 0;
}

/* The same, where bytes of longer characters are as good as plain ones. */
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
    while (end - at >= 8 && !json_scan_8(json_scan_load_8(at)))
        at += 8;
    while (at < end && json_scan_is_plain(*at))
        at++;
    return at;
}

/* The same for text that is known to be UTF-8: longer characters stand for themselves, too. */
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

/* Behind the string of JSON whose opening quote stands at `at`; end if it is not closed. */
static inline const char *json_scan_string(const char *at, const char *end)
{
    for (at = json_scan_text(at + 1, end); at < end && *at != '"'; at = json_scan_text(at, end))
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* Copies n bytes if all are plain. If not, the answer is false and what stands at `to` is not
 * defined. The last block overlaps the one before it, so that there is no rest to copy byte by
 * byte. */
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

/* Zero if all of 8 bytes are digits; else its lowest bit is one of the first byte that is none. (A
 * byte that is none may carry into those behind it, and only into those.) */
static inline uint64_t json_scan_others(uint64_t bytes)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t v = le64toh(bytes) ^ ones * '0';
    return ((v + ones * 6) | v) & ones * 0xf0;
}

/* Behind the digits at `at`. */
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

/* Behind the number that begins at `at`, before end; NULL: a digit is missing at *fault. */
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
