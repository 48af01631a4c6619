/* What every fuzz target is: one function that takes any bytes and does not fall over.
 *
 * fuzz_<name>.c is built twice: with libFuzzer (meson setup -Dfuzz=true, with clang), and with
 * replay.c as a plain test over corpus/<name>. What the fuzzer found is kept there as a file. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
