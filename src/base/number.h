/* Numbers as decimal text, exactly: what is read is the nearest value, what is written reads back.
 *
 *     double d;
 *     if (number_double(STR("0.1e3"), &d)) ...  // 100; false: too large for a double
 *     char text[NUMBER_MAX];
 *     size_t n = number_print_double(0.1, text); // "0.1", no NUL behind it
 *
 * The text to read is a JSON number (RFC 8259, section 6): whoever cut it out has checked that. For
 * number_double() the digits on one side of the point may be missing (.5 and 1.).
 * The time is linear in its length, whatever its exponent says. No locale has a say in any of this.
 *
 * Reading: Eisel-Lemire, and strtod where that cannot decide. Writing: Schubfach. Both use one
 * table of powers of ten, made at build time by tools/gen_pow10.py.
 */
#pragma once

#include "base/str.h"

#define NUMBER_MAX 32u /* bytes that hold any printed number */

/* False, and *out untouched, if the value is not exactly one of the type. 1.0 and 1e2 are integers,
 * -0 is 0, 12e-1 is none. */
bool number_i64(struct str text, int64_t *out);
bool number_u64(struct str text, uint64_t *out);

/* The nearest double, ties to even; too small: a zero of the same sign; too large: false. */
bool number_double(struct str text, double *out);

/* Writes and answers the bytes. */
size_t number_print_i64(int64_t n, char to[NUMBER_MAX]);
size_t number_print_u64(uint64_t n, char to[NUMBER_MAX]);

/* The shortest text that reads back as d, which is finite; of several, the nearest to d. The form
 * is JavaScript's (1, 0.5, 1e+21, 1e-7), but -0 keeps its sign. */
size_t number_print_double(double d, char to[NUMBER_MAX]);

/* The digits of that shortest text, for who lays them out in another form: the value is digits *
 * 10**exponent, without zeros at the end. The number is finite and greater than 0. The digits of a
 * float are the fewest that read back as that float. */
uint64_t number_digits_double(double d, int *exponent);
uint64_t number_digits_float(float f, int *exponent);
