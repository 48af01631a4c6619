#include "unity/version.h"

static bool take_number(struct str *rest, uint16_t *out)
{
    unsigned n = 0;
    size_t i = 0;
    for (; i < rest->n && rest->p[i] >= '0' && rest->p[i] <= '9'; i++) {
        n = n * 10 + (unsigned)(rest->p[i] - '0');
        if (n > UINT16_MAX)
            return false;
    }
    *rest = str_skip(*rest, i);
    *out = (uint16_t)n;
    return i > 0;
}

static bool take_char(struct str *rest, char c)
{
    if (rest->n == 0 || rest->p[0] != c)
        return false;
    *rest = str_skip(*rest, 1);
    return true;
}

bool version_parse(struct str text, struct version *out)
{
    struct version v = {0};
    if (!take_number(&text, &v.major) || v.major == 0)
        return false;
    if (take_char(&text, '.') && !take_number(&text, &v.minor))
        return false;
    if (take_char(&text, '.') && !take_number(&text, &v.patch))
        return false;
    if (text.n > 0 && text.p[0] >= 'a' && text.p[0] <= 'z') {
        v.kind = text.p[0];
        text = str_skip(text, 1);
        if (!take_number(&text, &v.build))
            return false;
    }
    *out = v; /* a suffix ("c1" of the Chinese edition) does not order versions */
    return true;
}

static int compare_numbers(unsigned a, unsigned b)
{
    return a == b ? 0 : a < b ? -1 : 1;
}

int version_cmp(struct version a, struct version b)
{
    int by[] = {compare_numbers(a.major, b.major), compare_numbers(a.minor, b.minor),
                compare_numbers(a.patch, b.patch),
                compare_numbers((unsigned char)a.kind, (unsigned char)b.kind),
                compare_numbers(a.build, b.build)};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i] != 0)
            return by[i];
    return 0;
}
