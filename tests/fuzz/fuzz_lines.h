/* For fuzz targets whose input is a list of lines: libFuzzer also moves, repeats and mixes whole
 * lines, so that it finds sequences, not only letters. Included once, by the target. */
#pragma once

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION

#include <string.h>

#include "base/buf.h"
#include "base/rng.h"

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn,
                                 uint8_t *out, size_t max, unsigned seed);

#define FUZZ_MAX_LINES 64u

static size_t fuzz_cut(struct str text, struct str lines[FUZZ_MAX_LINES])
{
    size_t n = 0;
    while (text.n && n < FUZZ_MAX_LINES)
        str_cut(&text, '\n', &lines[n++]);
    return n;
}

static void fuzz_add(struct buf *out, struct str line)
{
    buf_add(out, line);
    buf_add_char(out, '\n');
}

static size_t fuzz_give(struct buf *from, uint8_t *to, size_t max)
{
    size_t n = from->n < max ? from->n : max;
    if (n)
        memcpy(to, from->p, n);
    buf_done(from);
    return n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
    struct str lines[FUZZ_MAX_LINES];
    struct rng rng;
    struct buf out = {0};
    size_t count = fuzz_cut(str_make((const char *)bytes, n), lines);
    rng_seed(&rng, seed);
    if (count < 2 || rng_below(&rng, 2))
        return LLVMFuzzerMutate(bytes, n, max);
    size_t i = rng_below(&rng, count), k = rng_below(&rng, count);
    switch (rng_below(&rng, 3)) {
    case 0: /* without line i */
        for (size_t l = 0; l < count; l++)
            if (l != i)
                fuzz_add(&out, lines[l]);
        break;
    case 1: /* line i again, before line k */
        for (size_t l = 0; l < count; l++) {
            if (l == k)
                fuzz_add(&out, lines[i]);
            fuzz_add(&out, lines[l]);
        }
        break;
    default: /* lines i and k are exchanged */
        for (size_t l = 0; l < count; l++)
            fuzz_add(&out, lines[l == i ? k : l == k ? i : l]);
        break;
    }
    return fuzz_give(&out, bytes, max);
}

/* Lines of both, each in its order. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn,
                                 uint8_t *out, size_t max, unsigned seed)
{
    struct str first[FUZZ_MAX_LINES], second[FUZZ_MAX_LINES];
    struct rng rng;
    struct buf mixed = {0};
    size_t i = 0, k = 0, n = fuzz_cut(str_make((const char *)a, an), first);
    size_t m = fuzz_cut(str_make((const char *)b, bn), second);
    rng_seed(&rng, seed);
    while (i < n || k < m) {
        if (k == m || (i < n && rng_below(&rng, 2)))
            fuzz_add(&mixed, first[i++]);
        else
            fuzz_add(&mixed, second[k++]);
    }
    return fuzz_give(&mixed, out, max);
}

#endif
