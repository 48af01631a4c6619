#include "task/run_id.h"

#include <stdio.h>

#include "base/id.h"
#include "base/rfc3339.h"

#define FORM "00000000T000000Z-xxxxxxxx"

_Static_assert(sizeof FORM == RUN_ID_SIZE, "an id has this form");

void run_id_new(char id[RUN_ID_SIZE])
{
    char time[RFC3339_LEN + 1], random[ID_LEN + 1];
    size_t n = 0;
    rfc3339_format(rfc3339_now(), time);
    id_new(random);
    for (const char *p = time; *p && *p != '.'; p++)
        if (*p != '-' && *p != ':')
            id[n++] = *p;
    snprintf(id + n, RUN_ID_SIZE - n, "Z-%.8s", random);
}

bool run_id_is(const char *text)
{
    const char *form = FORM;
    for (; *form && *text; form++, text++) {
        bool digit = *text >= '0' && *text <= '9';
        bool fits = *form == '0'   ? digit
                    : *form == 'x' ? digit || (*text >= 'a' && *text <= 'f')
                                   : *text == *form;
        if (!fits)
            return false;
    }
    return !*form && !*text;
}
