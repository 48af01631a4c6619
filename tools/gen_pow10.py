#!/usr/bin/env python3
"""Writes the powers of ten that src/base/number.c reads and prints doubles with.

Each row is 10**q as a 128-bit significand with its highest bit set, rounded down: {high, low}. The
range is what doubles need: 10**-342 times any 64-bit integer is zero, 10**308 is the largest power,
and printing the smallest double multiplies it by 10**324.
"""
import sys

FIRST, LAST = -342, 324


def significand(q):
    if q >= 0:
        power = 10**q
        shift = power.bit_length() - 128
        return power >> shift if shift >= 0 else power << -shift
    power = 10**-q
    bits = 128 + power.bit_length()
    value = (1 << bits) // power
    return value >> (value.bit_length() - 128)


def main():
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("/* Made by tools/gen_pow10.py. */\n")
        out.write(f"#define POW10_FIRST ({FIRST})\n#define POW10_LAST {LAST}\n\n")
        out.write("static const uint64_t pow10_table[][2] = {\n")
        for q in range(FIRST, LAST + 1):
            value = significand(q)
            out.write(f"    {{0x{value >> 64:016x}u, 0x{value & (2**64 - 1):016x}u}}, /* {q} */\n")
        out.write("};\n")


main()
