/* Exact numbers as decimal text: reading gives the nearest value, and written text reads back.
 *
 *     double d;
 *     bool ok = number_double(STR("0.1e3"), &d);  // 100; false: too large for a double
 *     char text[NUMBER_MAX];
 *     size_t n = number_print_double(0.1, text); // "0.1", without a NUL
 *
 * The text to read must be a JSON number (RFC 8259, section 6), which the caller has checked. For
 * number_double() the digits on one side of the point may be missing (.5 and 1.). The time is
 * linear in the length for every exponent. The locale has no effect.
 *
 * Reading: Eisel-Lemire, and strtod where that cannot decide. Writing: Schubfach. Both use one
 * table of powers of ten, made at build time by tools/gen_pow10.py.
 */
#pragma once

#include "base/str.h"

#define NUMBER_MAX 32u /* bytes that hold any printed number */

/* Return false and leave *out untouched if the value does not fit the type exactly. 1.0 and 1e2 are
 * integers, -0 is 0, 12e-1 is not an integer. */
bool number_i64(struct str text, int64_t *out);
bool number_u64(struct str text, uint64_t *out);

/* Read the nearest double, ties to even; too small: a zero of the same sign; too large: false. */
bool number_double(struct str text, double *out);

/* Write the number and return its bytes. */
size_t number_print_i64(int64_t n, char to[NUMBER_MAX]);
size_t number_print_u64(uint64_t n, char to[NUMBER_MAX]);

/* Write the shortest text that reads back as d, which must be finite; of several, the nearest. The
 * format is that of JavaScript (1, 0.5, 1e+21, 1e-7), but -0 keeps its sign. */
size_t number_print_double(double d, char to[NUMBER_MAX]);

/* Return the digits of that shortest text, for other formats: the value is digits * 10**exponent,
 * without trailing zeros. The number must be finite and greater than 0. The digits of a float are
 * the fewest that read back as that float. */
uint64_t number_digits_double(double d, int *exponent);
uint64_t number_digits_float(float f, int *exponent);
