#include "base/json_sprint.h"

#include <string.h>

#include "base/json_scan.h"

#ifdef __SSE2__
#include <immintrin.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WITH_AVX2   __attribute__((target("avx2,bmi,bmi2,pclmul")))
#define INLINE      WITH_AVX2 __attribute__((always_inline)) static inline

#define BLOCK     64
#define AHEAD     80 /* bytes that can be read after each position where a step begins */
#define MAX_DEPTH 63u

/* The compiler keeps all of it in registers. */
struct sprint_run {
    const char *limit; /* no step begins here or later */
    const char *block;
    uint64_t ends;   /* closing quotes in the block not passed yet */
    uint64_t inside; /* all ones: the next block begins inside a string */
    uint64_t objects;
    size_t depth;
};

/* Load the next block. Return false near the end, or if it has an escape or a control character. */
INLINE bool load_block(struct sprint_run *r)
{
    if (UNLIKELY(r->block >= r->limit))
        return false;
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)r->block);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(r->block + 32));
    const __m256i quote = _mm256_set1_epi8('"'), slash = _mm256_set1_epi8('\\');
    uint64_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, quote));
    uint64_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, quote));
    uint64_t quotes = low | high << 32;
    /* Each bit is the parity of the bits up to it: set from an opening quote to the closing one. */
    __m128i parity = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)quotes), _mm_set1_epi8(-1), 0);
    uint64_t strings = (uint64_t)_mm_cvtsi128_si64(parity) ^ r->inside;
    r->inside = 0 - (strings >> 63);
    r->ends = quotes & ~strings;
    __m256i least = _mm256_min_epu8(a, b);
    __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(least, _mm256_set1_epi8(0x1f)), least);
    __m256i escape = _mm256_or_si256(_mm256_cmpeq_epi8(a, slash), _mm256_cmpeq_epi8(b, slash));
    __m256i bad = _mm256_or_si256(control, escape);
    return _mm256_testz_si256(bad, bad);
}

/* Return the closing quote of the next string, or NULL if it is unknown. */
INLINE const char *find_string_end(struct sprint_run *r)
{
    while (UNLIKELY(!r->ends)) {
        r->block += BLOCK;
        if (UNLIKELY(!load_block(r)))
            return NULL;
    }
    const char *end = r->block + __builtin_ctzll(r->ends);
    r->ends &= r->ends - 1;
    return end;
}

INLINE bool is_word(const char *at, const char *word)
{
    return memcmp(at, word, 4) == 0;
}

/* Return the end of a scalar that is not a string, or NULL if it is unknown. */
INLINE const char *find_scalar_end(const struct sprint_run *r, const char *at)
{
    const char *fault;
    if (is_word(at, "true") || is_word(at, "null"))
        return at + 4;
    if (*at == 'f' && is_word(at + 1, "alse"))
        return at + 5;
    if (*at == '-' || (*at >= '0' && *at <= '9'))
        return json_scan_number(at, r->limit + AHEAD, &fault);
    return NULL;
}

/* The labels are the states: a loop over a state variable would be 50 % slower. */
WITH_AVX2 static const char *run_sprint(struct json_sprint *k, const char *at, const char *end,
                                        size_t floor)
{
    struct sprint_run r = {
        .limit = end - AHEAD, .block = at, .objects = k->objects, .depth = k->depth};
    const char *to;
    enum json_due due = JSON_DUE_VALUE;
    if (!load_block(&r))
        goto stop;
value:
    due = JSON_DUE_VALUE;
    if (LIKELY(*at == '"')) {
        if (UNLIKELY(!(to = find_string_end(&r))))
            goto stop;
        at = to + 1;
        goto next;
    }
    if (UNLIKELY(at >= r.limit))
        goto stop;
    if (*at == '{') {
        if (UNLIKELY(at[1] != '"' || r.depth == MAX_DEPTH))
            goto stop;
        r.objects = r.objects << 1 | 1;
        r.depth++;
        at++;
        goto key;
    }
    if (*at == '[' && at[1] == ']') {
        at += 2;
        goto next;
    }
    if (*at == '[') {
        if (UNLIKELY((unsigned char)at[1] <= ' ' || r.depth == MAX_DEPTH))
            goto stop;
        r.objects <<= 1;
        r.depth++;
        at++;
        goto value;
    }
    if (UNLIKELY(!(to = find_scalar_end(&r, at))))
        goto stop;
    at = to;
    due = JSON_DUE_NEXT;
    if (UNLIKELY(at >= r.limit))
        goto stop;
next:
    due = JSON_DUE_NEXT;
    if (r.objects & 1) {
        if (LIKELY(memcmp(at, ",\"", 2) == 0)) {
            at++;
            goto key;
        }
        if (UNLIKELY(*at != '}'))
            goto stop;
    } else {
        if (*at == ',') {
            at++;
            goto value;
        }
        if (UNLIKELY(*at != ']'))
            goto stop;
    }
    at++;
    r.objects >>= 1;
    r.depth--;
    if (r.depth > floor && LIKELY(at < r.limit))
        goto next;
    goto stop;
key:
    due = JSON_DUE_KEY;
    to = find_string_end(&r);
    if (UNLIKELY(!to || to[1] != ':'))
        goto stop;
    at = to + 2;
    goto value;
stop:
    *k = (struct json_sprint){r.objects, r.depth, due};
    return at;
}

const char *json_sprint(struct json_sprint *k, const char *at, const char *end, size_t floor)
{
    k->due = JSON_DUE_VALUE;
    bool able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                __builtin_cpu_supports("pclmul");
    /* It must begin with a container: only the end of one checks `floor`. */
    bool worth = end - at >= JSON_SPRINT_MIN && k->depth < MAX_DEPTH &&
                 (*at == '{' || (*at == '[' && at[1] != ']'));
    return able && worth ? run_sprint(k, at, end, floor) : at;
}
#else
const char *json_sprint(struct json_sprint *k, const char *at, const char *end, size_t floor)
{
    (void)end;
    (void)floor;
    k->due = JSON_DUE_VALUE;
    return at;
}
#endif
