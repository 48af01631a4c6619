#include "net/http_lines.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Check byte c, which follows `last`. */
static inline enum http_lines check_byte(char last, char c)
{
    if ((c == '\n') != (last == '\r'))
        return HTTP_LINES_ALONE;
    return last == '\n' && (c == ' ' || c == '\t') ? HTTP_LINES_FOLDED : HTTP_LINES_GOOD;
}

#ifdef __SSE2__
/* Is one of 16 bytes wrong, each compared with the byte before it? */
static inline bool is_bad_16(const char *at)
{
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(at - 1));
    __m128i alone = _mm_xor_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('\n')),
                                  _mm_cmpeq_epi8(last, _mm_set1_epi8('\r')));
    __m128i blank =
        _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(c, _mm_set1_epi8('\t')));
    __m128i folded = _mm_and_si128(blank, _mm_cmpeq_epi8(last, _mm_set1_epi8('\n')));
    return _mm_movemask_epi8(_mm_or_si128(alone, folded)) != 0;
}

/* Return the index up to which the bytes from `from` on are right, in blocks of 16. */
static size_t skip_good_blocks(struct str bytes, size_t from)
{
    while (bytes.n - from >= 16 && !is_bad_16(bytes.p + from))
        from += 16;
    return from;
}
#else
static size_t skip_good_blocks(struct str bytes, size_t from)
{
    (void)bytes;
    return from;
}
#endif

enum http_lines http_lines_check(char *last, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++) {
        enum http_lines l = check_byte(i ? bytes.p[i - 1] : *last, bytes.p[i]);
        if (l != HTTP_LINES_GOOD)
            return l;
        i = skip_good_blocks(bytes, i + 1) - 1;
    }
    if (bytes.n)
        *last = bytes.p[bytes.n - 1];
    return HTTP_LINES_GOOD;
}
