/* The inner loops of yaml_check(): classify the bytes of a line, 16 at a time with SSE2.
 *
 * Every function has a portable variant with the same result.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define YAML_SCAN_WINDOW 64 /* bytes per scan */

/* One bit per byte of a window. */
struct yaml_scan {
    uint64_t odd; /* control characters and bytes that are not ASCII */
    uint64_t space, colon;
};

#ifdef __SSE2__
static inline uint64_t yaml_scan_mask(__m128i v)
{
    return (uint32_t)_mm_movemask_epi8(v);
}

static inline __m128i yaml_scan_load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* Match control characters: bytes below a space. */
static inline __m128i yaml_scan_is_control(__m128i v)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
}

/* Match brackets, braces and quotes. A bracket and a brace differ by one bit. */
static inline __m128i yaml_scan_is_structure(__m128i v)
{
    __m128i braces = _mm_or_si128(v, _mm_set1_epi8(0x20));
    __m128i open = _mm_cmpeq_epi8(braces, _mm_set1_epi8('{'));
    __m128i close = _mm_cmpeq_epi8(braces, _mm_set1_epi8('}'));
    __m128i one = _mm_cmpeq_epi8(v, _mm_set1_epi8('\''));
    __m128i two = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    return _mm_or_si128(_mm_or_si128(open, close), _mm_or_si128(one, two));
}

static inline struct yaml_scan yaml_scan_32(const char *at)
{
    struct yaml_scan s = {0};
    for (unsigned i = 0; i < 32; i += 16) {
        __m128i v = yaml_scan_load(at + i); /* signed: non-ASCII bytes are negative */
        s.odd |= yaml_scan_mask(_mm_cmplt_epi8(v, _mm_set1_epi8(' '))) << i;
        s.space |= yaml_scan_mask(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) << i;
        s.colon |= yaml_scan_mask(_mm_cmpeq_epi8(v, _mm_set1_epi8(':'))) << i;
    }
    return s;
}

/* Scan the window at `at`, which must be readable as a whole. Most lines end in the first half, so
 * scan the second half only if necessary. */
static inline struct yaml_scan yaml_scan(const char *at)
{
    struct yaml_scan s = yaml_scan_32(at);
    if (s.odd == 0) {
        struct yaml_scan more = yaml_scan_32(at + 32);
        s.odd = more.odd << 32;
        s.space |= more.space << 32;
        s.colon |= more.colon << 32;
    }
    return s;
}
#endif

/* Return the first control character, or end. */
static inline const char *yaml_scan_control(const char *at, const char *end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        uint64_t found = yaml_scan_mask(yaml_scan_is_control(yaml_scan_load(at)));
        if (found)
            return at + __builtin_ctzll(found);
    }
#endif
    while (at < end && (unsigned char)*at >= 0x20)
        at++;
    return at;
}

static inline bool yaml_scan_is_structural(char c)
{
    return (c | 0x20) == '{' || (c | 0x20) == '}' || c == '\'' || c == '"';
}

/* Return the first bracket, brace or quote, or end. Bytes before limit are readable. */
static inline const char *yaml_scan_structure(const char *at, const char *end, const char *limit)
{
#ifdef __SSE2__
    for (; at < end && limit - at >= 16; at += 16) {
        uint64_t found = yaml_scan_mask(yaml_scan_is_structure(yaml_scan_load(at)));
        if (found) {
            at += __builtin_ctzll(found);
            return at < end ? at : end;
        }
    }
    if (at >= end)
        return end;
#endif
    (void)limit;
    while (at < end && !yaml_scan_is_structural(*at))
        at++;
    return at;
}
