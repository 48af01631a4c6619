#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "pow10_table.h"

__extension__ typedef unsigned __int128 wide;

#define POW10_EXACT_LAST 55        /* 5**55 is the last power that fits in 128 bits */
#define EXPONENT_LIMIT   (1 << 30) /* no text of this size can compensate a larger one */
#define WORD_DIGITS      19u       /* decimal digits that always fit in 64 bits */
#define TIE_DIGITS       768u      /* no tie between two doubles has more significant digits */

/* A number cut into its parts: the significant digits, in two pieces, times ten to the scale. */
struct decimal_parts {
    bool minus;
    struct str first, second; /* before and after the point; no leading zeros */
    int64_t scale;            /* exponent of the very last digit */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct str take_digits(struct str *s)
{
    size_t n = 0;
    while (n < s->n && is_digit(s->p[n]))
        n++;
    struct str digits = str_head(*s, n);
    *s = str_skip(*s, n);
    return digits;
}

/* The value of "e+12"; of a huge one, EXPONENT_LIMIT or somewhat more. */
static int64_t read_exponent(struct str s)
{
    bool minus = s.n > 1 && s.p[1] == '-';
    int64_t value = 0;
    for (size_t i = 1; i < s.n; i++)
        if (is_digit(s.p[i]) && value < EXPONENT_LIMIT)
            value = value * 10 + (s.p[i] - '0');
    return minus ? -value : value;
}

static struct str skip_zeros(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] == '0')
        n++;
    return str_skip(s, n);
}

static struct decimal_parts cut_number(struct str s)
{
    struct decimal_parts d = {.minus = s.n && s.p[0] == '-'};
    s = str_skip(s, d.minus ? 1 : 0);
    d.first = skip_zeros(take_digits(&s));
    if (s.n && s.p[0] == '.') {
        s = str_skip(s, 1);
        d.second = take_digits(&s);
    }
    d.scale = read_exponent(s) - (int64_t)d.second.n;
    if (d.first.n == 0)
        d.second = skip_zeros(d.second);
    return d;
}

static size_t digit_count(const struct decimal_parts *d)
{
    return d->first.n + d->second.n;
}

static char digit_at(const struct decimal_parts *d, size_t i)
{
    return i < d->first.n ? d->first.p[i] : d->second.p[i - d->first.n];
}

/* Compute the absolute value, if it is an integer that fits. */
static bool compute_magnitude(const struct decimal_parts *d, uint64_t *out)
{
    int64_t count = (int64_t)digit_count(d);
    int64_t whole = count + d->scale; /* number of digits before the point */
    uint64_t value = 0;
    for (int64_t i = 0; i < count || (i < whole && value); i++) {
        uint64_t digit = i < count ? (uint64_t)(digit_at(d, (size_t)i) - '0') : 0;
        if (i >= whole && digit)
            return false;
        if (i >= whole)
            continue;
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool number_u64(struct str text, uint64_t *out)
{
    struct decimal_parts d = cut_number(text);
    uint64_t value;
    if (!compute_magnitude(&d, &value) || (d.minus && value))
        return false;
    *out = value;
    return true;
}

bool number_i64(struct str text, int64_t *out)
{
    struct decimal_parts d = cut_number(text);
    uint64_t value;
    if (!compute_magnitude(&d, &value) || value > (uint64_t)INT64_MAX + d.minus)
        return false;
    *out = (int64_t)(d.minus ? 0 - value : value);
    return true;
}

static const uint64_t *power_of_ten(int64_t q)
{
    assert(q >= POW10_FIRST && q <= POW10_LAST);
    return pow10_table[q - POW10_FIRST];
}

/* Eisel-Lemire: digits (not 0) times 10**q, if 128 bits of the power are enough to say which double
 * is the nearest and that is a normal one. The product of the two significands is known up to an
 * error below `digits` in its last place; it decides unless a carry from there could reach the bits
 * that are kept (all ones below them), or the exact product is a tie. */
static bool find_nearest(uint64_t digits, int64_t q, double *out)
{
    if (q < POW10_FIRST || q > POW10_LAST)
        return false;
    const uint64_t *power = power_of_ten(q);
    int shift = __builtin_clzll(digits);
    digits <<= shift;
    int64_t exponent =
        (q * 217706 >> 16) + 64 + 1023 - shift; /* biased; 217706 / 2**16 = log2(10) */
    wide product = (wide)digits * power[0];
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if ((high & 0x1ff) == 0x1ff && low + digits < digits) {
        wide tail = (wide)digits * power[1];
        uint64_t sum = low + (uint64_t)(tail >> 64);
        high += sum < low;
        low = sum;
        if ((high & 0x1ff) == 0x1ff && low == UINT64_MAX && (uint64_t)tail + digits < digits)
            return false;
    }
    uint64_t top = high >> 63;
    uint64_t mantissa = high >> (top + 9); /* 54 bits, the last one to be rounded away */
    exponent -= (int64_t)(1 ^ top);
    if (low == 0 && (high & 0x1ff) == 0 && (mantissa & 3) == 1)
        return false;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >> 53) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent < 1 || exponent > 2046)
        return false;
    uint64_t bits = (uint64_t)exponent << 52 | (mantissa & ((1ull << 52) - 1));
    memcpy(out, &bits, sizeof bits);
    return true;
}

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536"
    "37383940414243444546474849505152535455565758596061626364656667686970717273"
    "7475767778798081828384858687888990919293949596979899";

static size_t print_u64(uint64_t n, char *to)
{
    char text[20];
    size_t at = sizeof text;
    while (n >= 100) {
        at -= 2;
        memcpy(text + at, pairs + n % 100 * 2, 2);
        n /= 100;
    }
    if (n >= 10) {
        at -= 2;
        memcpy(text + at, pairs + n * 2, 2);
    } else {
        text[--at] = (char)('0' + n);
    }
    memcpy(to, text + at, sizeof text - at);
    return sizeof text - at;
}

static size_t print_i64(int64_t n, char *to)
{
    if (n >= 0)
        return print_u64((uint64_t)n, to);
    to[0] = '-';
    return 1 + print_u64(0 - (uint64_t)n, to + 1);
}

/* The same by strtod(), for the other cases. The text has no point, so the locale has no effect. Of
 * the digits after TIE_DIGITS it only matters whether all are zero: one digit represents them. */
static double find_nearest_slowly(const struct decimal_parts *d)
{
    char text[TIE_DIGITS + 32];
    size_t count = digit_count(d), n = 0;
    while (n < count && n < TIE_DIGITS) {
        text[n] = digit_at(d, n);
        n++;
    }
    int64_t exponent = d->scale + (int64_t)(count - n);
    size_t rest = n;
    while (rest < count && digit_at(d, rest) == '0')
        rest++;
    if (rest < count) {
        text[n++] = '1';
        exponent--;
    }
    text[n++] = 'e';
    n += print_i64(exponent, text + n);
    text[n] = 0;
    return strtod(text, NULL);
}

static bool read_positive(const struct decimal_parts *d, double *out)
{
    size_t count = digit_count(d), used = 0;
    int64_t before_point = (int64_t)count + d->scale;
    *out = 0;
    if (count == 0 || before_point < -330)
        return true;
    if (before_point > 310)
        return false;
    uint64_t digits = 0;
    for (; used < count && used < WORD_DIGITS; used++)
        digits = digits * 10 + (uint64_t)(digit_at(d, used) - '0');
    int64_t q = before_point - (int64_t)used;
    double above;
    /* With more digits than fit, the value lies between digits and digits + 1. */
    bool sure = find_nearest(digits, q, out) &&
                (used == count || (find_nearest(digits + 1, q, &above) && above == *out));
    if (!sure)
        *out = find_nearest_slowly(d);
    return isfinite(*out);
}

bool number_double(struct str text, double *out)
{
    struct decimal_parts d = cut_number(text);
    double value;
    if (!read_positive(&d, &value))
        return false;
    *out = d.minus ? -value : value;
    return true;
}

/* The top 64 bits of power * c, with the lowest bit set if anything was cut off. */
static uint64_t round_to_odd(const uint64_t power[2], uint64_t c)
{
    wide high = (wide)power[0] * c + (uint64_t)((wide)power[1] * c >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Schubfach (R. Giulietti): the shortest decimal inside the interval of reals that round to c *
 * 2**q, as *exponent and the digits answered. All is scaled by 10**-k so that the interval is
 * between 1 and 10 wide or a little more, and by 4 so that its ends are integers. */
static uint64_t find_shortest(uint64_t c, int q, bool narrow_below, int *exponent)
{
    int k = (q * 1262611 - (narrow_below ? 524031 : 0)) >> 22; /* floor(log10 of the width) */
    int h = q + (-k * 1741647 >> 19) + 1;
    const uint64_t *row = power_of_ten(-k);
    bool exact = -k >= 0 && -k <= POW10_EXACT_LAST;
    uint64_t power[2] = {row[0] + (!exact && row[1] == UINT64_MAX), row[1] + !exact}; /* upwards */
    bool odd = c & 1;
    uint64_t lower = round_to_odd(power, (4 * c - 2 + narrow_below) << h) + odd;
    uint64_t value = round_to_odd(power, 4 * c << h);
    uint64_t upper = round_to_odd(power, (4 * c + 2) << h) - odd;
    uint64_t s = value / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up) {
            *exponent = k + 1;
            return tens + up;
        }
    }
    *exponent = k;
    bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up)
        return s + up;
    return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
}

static uint64_t strip_end_zeros(uint64_t digits, int *exponent)
{
    while (digits % 10 == 0) {
        digits /= 10;
        ++*exponent;
    }
    return digits;
}

/* digits * 10**exponent in the form JavaScript gives a number (ECMA-262, Number::toString). */
static size_t write_digits(uint64_t digits, int exponent, char *to)
{
    char text[NUMBER_MAX];
    int n = (int)print_u64(digits, text), point = n + exponent;
    char *at = to;
    if (point > 21 || point < -5) {
        *at++ = text[0];
        if (n > 1)
            *at++ = '.';
        memcpy(at, text + 1, (size_t)n - 1);
        at += n - 1;
        *at++ = 'e';
        if (point > 0)
            *at++ = '+';
        return (size_t)(at - to) + print_i64(point - 1, at);
    }
    if (point <= 0) {
        memcpy(at, "0.00000", (size_t)(2 - point));
        memcpy(at + 2 - point, text, (size_t)n);
        return (size_t)(2 - point + n);
    }
    int whole = point < n ? point : n;
    memcpy(at, text, (size_t)whole);
    memset(at + whole, '0', (size_t)(point - whole));
    at += point;
    if (point < n) {
        *at++ = '.';
        memcpy(at, text + point, (size_t)(n - point));
        at += n - point;
    }
    return (size_t)(at - to);
}

uint64_t number_digits_double(double d, int *exponent)
{
    assert(isfinite(d) && d > 0);
    uint64_t bits, fraction, digits;
    memcpy(&bits, &d, sizeof bits);
    fraction = bits & ((1ull << 52) - 1);
    int biased = (int)(bits >> 52);
    uint64_t c = biased ? fraction | 1ull << 52 : fraction;
    int q = (biased ? biased : 1) - 1075;
    *exponent = 0;
    if (q <= 0 && q > -53 && (c & ((1ull << -q) - 1)) == 0)
        digits = c >> -q; /* an integer: all its digits are few enough */
    else
        digits = find_shortest(c, q, fraction == 0 && biased > 1, exponent);
    return strip_end_zeros(digits, exponent);
}

uint64_t number_digits_float(float f, int *exponent)
{
    assert(isfinite(f) && f > 0);
    uint32_t bits, fraction;
    memcpy(&bits, &f, sizeof bits);
    fraction = bits & ((1u << 23) - 1);
    int biased = (int)(bits >> 23);
    uint64_t c = biased ? fraction | 1u << 23 : fraction;
    uint64_t digits =
        find_shortest(c, (biased ? biased : 1) - 150, fraction == 0 && biased > 1, exponent);
    return strip_end_zeros(digits, exponent);
}

size_t number_print_double(double d, char to[NUMBER_MAX])
{
    assert(isfinite(d));
    int exponent;
    size_t sign = signbit(d) != 0;
    to[0] = '-';
    if (d == 0) {
        to[sign] = '0';
        return sign + 1;
    }
    uint64_t digits = number_digits_double(fabs(d), &exponent);
    return sign + write_digits(digits, exponent, to + sign);
}

size_t number_print_u64(uint64_t n, char to[NUMBER_MAX])
{
    return print_u64(n, to);
}

size_t number_print_i64(int64_t n, char to[NUMBER_MAX])
{
    return print_i64(n, to);
}
