/* Arguments of a tool with their defaults. They have been checked against the schema. */
#pragma once

#include "base/json.h"

static inline uint64_t tool_arg_u64(const struct json *args, const char *name, uint64_t absent)
{
    uint64_t n = absent;
    json_u64(json_get(args, str_from(name)), &n);
    return n;
}

static inline bool tool_arg_bool(const struct json *args, const char *name, bool absent)
{
    const struct json *v = json_get(args, str_from(name));
    return v ? json_bool(v) : absent;
}

static inline struct str tool_arg_str(const struct json *args, const char *name)
{
    return json_str(json_get(args, str_from(name)));
}
