#include "base/spelling.h"

#include <ctype.h>

bool spelling_is(struct str key, const char *name)
{
    if (str_eq(key, str_from(name)))
        return true;
    size_t at = 0;
    for (const char *c = name; *c; c++, at++) {
        char want = *c;
        if (want == '_')
            want = (char)toupper((unsigned char)*++c);
        if (at >= key.n || key.p[at] != want)
            return false;
    }
    return at == key.n;
}

const struct json *spelling_get(const struct json *object, const char *name)
{
    const struct json *found = json_get(object, str_from(name));
    if (found || !strchr(name, '_'))
        return found;
    JSON_EACH (object, k)
        if (spelling_is(json_str(k), name))
            return k + 1;
    return NULL;
}

const struct json *spelling_get_some(const struct json *object, const char *name)
{
    const struct json *found = spelling_get(object, name);
    return json_is(found, JSON_NULL) ? NULL : found;
}
