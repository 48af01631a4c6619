/* A fuzz target is one function: it feeds the bytes to a decoder and asserts invariants.
 *
 *     int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) { ...; return 0; }
 *
 * libFuzzer calls it with generated inputs, replay.c with the files of the corpus.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
