/* An editor version: 2022.3.56f1, 6000.0.78f1, 5.6.7f1. Versions compare as numbers. */
#pragma once

#include "base/str.h"

struct version {
    uint16_t major, minor, patch;
    char kind; /* 'a' alpha, 'b' beta, 'f' final, 'p' patch; 0: none */
    uint16_t build;
};

bool version_parse(struct str text, struct version *out); /* accepts "2022.3" */
int version_cmp(struct version a, struct version b);      /* a < b: negative */
static inline bool version_is_known(struct version v)
{
    return v.major != 0;
}
