/* "fake:delay=200,twice": how to treat one call, given in one of its own arguments. */
#include "fake.h"

#include <stdio.h>

enum word_kind {
    FLAG,
    NUMBER,
    TEXT
};

static const struct word {
    const char *name;
    enum word_kind kind;
    size_t at, also; /* also: a flag that is set with it */
} words[] = {
#define AT(member) offsetof(struct directive, member)
    {"delay", NUMBER, AT(delay_ms), 0},
    {"late", NUMBER, AT(delay_ms), 0},
    {"hang", FLAG, AT(hang), 0},
    {"error", TEXT, AT(error), 0},
    {"echo", TEXT, AT(echo), 0},
    {"twice", FLAG, AT(twice), 0},
    {"wrongid", FLAG, AT(wrongid), 0},
    {"garbage", FLAG, AT(garbage), 0},
    {"truncated", FLAG, AT(truncated), 0},
    {"noresult", FLAG, AT(noresult), 0},
    {"huge", NUMBER, AT(huge), 0},
    {"drop", FLAG, AT(drop), 0},
    {"lose", FLAG, AT(lose), 0},
    {"crash", FLAG, AT(crash), 0},
    {"compile", NUMBER, AT(compile_ms), AT(has_compile)},
    {"reload", NUMBER, AT(reload_ms), AT(has_reload)},
    {"steps", NUMBER, AT(steps), 0},
    {"step", NUMBER, AT(step_ms), 0},
    {"failed", NUMBER, AT(failed), 0},
    {"reject", FLAG, AT(reject), 0},
    {"fail", FLAG, AT(fail), 0},
    {"forget", FLAG, AT(forget), 0},
    {"nocancel", FLAG, AT(nocancel), 0},
    {"notests", FLAG, AT(notests), 0},
#undef AT
};

static bool set_word(struct directive *d, const struct word *w, struct str value)
{
    char *at = (char *)d + w->at;
    uint64_t number = 0;
    switch (w->kind) {
    case FLAG:
        *(bool *)(void *)at = true;
        return value.n == 0;
    case NUMBER:
        if (!str_to_u64(value, &number))
            return false;
        *(uint64_t *)(void *)at = number;
        if (w->also)
            *(bool *)(void *)((char *)d + w->also) = true;
        return true;
    case TEXT:
        snprintf(at, sizeof d->error /* of every text */, "%.*s", STR_ARG(value));
        return value.n > 0;
    }
    return false;
}

bool directive_parse(struct directive *d, struct str text)
{
    while (text.n) {
        struct str value, name;
        size_t i = 0;
        str_cut(&text, ',', &value);
        str_cut(&value, '=', &name);
        while (i < sizeof words / sizeof *words && !str_eq(name, str_from(words[i].name)))
            i++;
        if (i == sizeof words / sizeof *words || !set_word(d, &words[i], value))
            return false;
    }
    return true;
}

bool directive_find(struct directive *d, const struct json *params)
{
    const struct str prefix = STR("fake:");
    if (!json_is(params, JSON_OBJECT))
        return true;
    /* Values are in document order: every string in it, at any depth. */
    for (const struct json *v = params + 1, *end = json_next(params); v != end; v++)
        if (json_is(v, JSON_STRING) && str_starts(json_str(v), prefix))
            return directive_parse(d, str_skip(json_str(v), prefix.n));
    return true;
}
