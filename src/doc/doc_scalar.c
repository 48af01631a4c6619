#include "doc/doc_scalar.h"

static const struct {
    struct str text;
    enum doc_scalar kind;
} words[] = {
    {STR_INIT(""), DOC_SCALAR_NULL},           {STR_INIT("~"), DOC_SCALAR_NULL},
    {STR_INIT("null"), DOC_SCALAR_NULL},       {STR_INIT("Null"), DOC_SCALAR_NULL},
    {STR_INIT("NULL"), DOC_SCALAR_NULL},       {STR_INIT("true"), DOC_SCALAR_TRUE},
    {STR_INIT("True"), DOC_SCALAR_TRUE},       {STR_INIT("TRUE"), DOC_SCALAR_TRUE},
    {STR_INIT("false"), DOC_SCALAR_FALSE},     {STR_INIT("False"), DOC_SCALAR_FALSE},
    {STR_INIT("FALSE"), DOC_SCALAR_FALSE},     {STR_INIT(".nan"), DOC_SCALAR_NOT_FINITE},
    {STR_INIT(".NaN"), DOC_SCALAR_NOT_FINITE}, {STR_INIT(".NAN"), DOC_SCALAR_NOT_FINITE},
};

static const struct str infinities[] = {STR_INIT(".inf"), STR_INIT(".Inf"), STR_INIT(".INF")};

static struct str skip_sign(struct str s)
{
    return s.n && (s.p[0] == '-' || s.p[0] == '+') ? str_skip(s, 1) : s;
}

static size_t count_digits(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* 16 for 0x1f, 8 for 0o17, 0 for others. */
static int find_base(struct str s)
{
    int base = str_starts(s, STR("0x")) ? 16 : str_starts(s, STR("0o")) ? 8 : 0;
    if (s.n < 3)
        return 0;
    for (size_t i = 2; i < s.n; i++)
        if (digit_value(s.p[i]) >= base)
            return 0;
    return base;
}

/* The parts of [-+]? (digits . digits? | . digits | digits) ([eE] [-+]? digits)? */
struct decimal {
    struct str whole, fraction, exponent; /* exponent: with its e */
    bool has_point;
};

static bool read_decimal(struct str s, struct decimal *d)
{
    s = skip_sign(s);
    *d = (struct decimal){.whole = str_head(s, count_digits(s))};
    s = str_skip(s, d->whole.n);
    if (s.n && s.p[0] == '.') {
        s = str_skip(s, 1);
        d->has_point = true;
        d->fraction = str_head(s, count_digits(s));
        s = str_skip(s, d->fraction.n);
    }
    if (d->whole.n + d->fraction.n == 0)
        return false;
    d->exponent = s;
    if (s.n == 0)
        return true;
    struct str power = skip_sign(str_skip(s, 1));
    return (s.p[0] == 'e' || s.p[0] == 'E') && power.n && count_digits(power) == power.n;
}

enum doc_scalar doc_scalar_kind(struct str plain)
{
    struct decimal d;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(plain, words[i].text))
            return words[i].kind;
    for (size_t i = 0; i < sizeof infinities / sizeof *infinities; i++)
        if (str_eq(skip_sign(plain), infinities[i]))
            return DOC_SCALAR_NOT_FINITE;
    if (find_base(plain))
        return DOC_SCALAR_INT;
    if (!read_decimal(plain, &d))
        return DOC_SCALAR_TEXT;
    return d.has_point || d.exponent.n ? DOC_SCALAR_FLOAT : DOC_SCALAR_INT;
}

static bool put_based_number(struct buf *out, struct str s, int base)
{
    uint64_t value = 0;
    for (size_t i = 2; i < s.n; i++)
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_value(s.p[i]), &value))
            return false;
    return buf_printf(out, "%llu", (unsigned long long)value) || out->overflow;
}

bool doc_scalar_number(struct buf *out, struct str plain)
{
    struct decimal d;
    int base = find_base(plain);
    if (base)
        return put_based_number(out, plain, base);
    read_decimal(plain, &d);
    while (d.whole.n > 1 && d.whole.p[0] == '0')
        d.whole = str_skip(d.whole, 1);
    if (plain.p[0] == '-')
        buf_add_char(out, '-');
    buf_add(out, d.whole.n ? d.whole : STR("0"));
    if (d.fraction.n) {
        buf_add_char(out, '.');
        buf_add(out, d.fraction);
    }
    buf_add(out, d.exponent);
    return true;
}
