#include "json_oracle.h"

#include <jansson.h>

static const json_t *value(const struct oracle *v)
{
    return (const json_t *)(const void *)v;
}

struct oracle *oracle_parse(struct str text, const char **why)
{
    static json_error_t err;
    json_t *v = json_loadb(text.p ? text.p : "", text.n,
                           JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &err);
    if (!v && why)
        *why = err.text;
    return (struct oracle *)(void *)v;
}

void oracle_free(struct oracle *v)
{
    json_decref((json_t *)(void *)v);
}

char *oracle_write(const struct oracle *v)
{
    return json_dumps(value(v), JSON_COMPACT | JSON_ENCODE_ANY);
}

enum oracle_type oracle_type(const struct oracle *v)
{
    switch (json_typeof(value(v))) {
    case JSON_OBJECT:
        return ORACLE_OBJECT;
    case JSON_ARRAY:
        return ORACLE_ARRAY;
    case JSON_STRING:
        return ORACLE_STRING;
    case JSON_INTEGER:
        return ORACLE_INTEGER;
    case JSON_REAL:
        return ORACLE_REAL;
    case JSON_TRUE:
        return ORACLE_TRUE;
    case JSON_FALSE:
        return ORACLE_FALSE;
    case JSON_NULL:
        break;
    }
    return ORACLE_NULL;
}

size_t oracle_count(const struct oracle *v)
{
    return json_is_object(value(v)) ? json_object_size(value(v)) : json_array_size(value(v));
}

const struct oracle *oracle_item(const struct oracle *v, size_t i)
{
    return (const struct oracle *)(const void *)json_array_get(value(v), i);
}

const struct oracle *oracle_member(const struct oracle *v, struct str key)
{
    return (const struct oracle *)(const void *)json_object_getn(value(v), key.p ? key.p : "",
                                                                 key.n);
}

struct str oracle_str(const struct oracle *v)
{
    return str_make(json_string_value(value(v)), json_string_length(value(v)));
}

int64_t oracle_integer(const struct oracle *v)
{
    return json_integer_value(value(v));
}

double oracle_real(const struct oracle *v)
{
    return json_real_value(value(v));
}
