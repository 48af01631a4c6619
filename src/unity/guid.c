#include "unity/guid.h"

int guid_cmp(struct guid a, struct guid b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo == b.lo ? 0 : a.lo < b.lo ? -1 : 1;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool guid_parse(struct str text, struct guid *out)
{
    if (text.n != GUID_LEN)
        return false;
    uint64_t half[2] = {0, 0};
    for (size_t i = 0; i < GUID_LEN; i++) {
        int d = digit_value(text.p[i]);
        if (d < 0)
            return false;
        half[i / 16] = half[i / 16] << 4 | (uint64_t)d;
    }
    *out = (struct guid){half[0], half[1]};
    return true;
}

void guid_print(struct guid g, char to[GUID_LEN + 1])
{
    for (size_t i = 0; i < GUID_LEN; i++) {
        uint64_t half = i < 16 ? g.hi : g.lo;
        to[i] = "0123456789abcdef"[half >> (60 - 4 * (i % 16)) & 15];
    }
    to[GUID_LEN] = '\0';
}
