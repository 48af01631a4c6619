#include "unity/yaml_line.h"

static const char *single_quoted(const char *at, const char *end)
{
    while (at < end) {
        const char *p = memchr(at, '\'', (size_t)(end - at));
        if (!p || p + 1 == end || p[1] != '\'')
            return p ? p + 1 : NULL;
        at = p + 2;
    }
    return NULL;
}

static const char *double_quoted(const char *at, const char *end)
{
    const char *quote = at - 1; /* the next one, if it is not before `at` */
    while (at < end) {
        if (quote < at)
            quote = memchr(at, '"', (size_t)(end - at));
        if (!quote)
            return NULL;
        const char *slash = memchr(at, '\\', (size_t)(quote - at));
        if (!slash)
            return quote + 1;
        at = slash + 2; /* what is escaped closes nothing */
    }
    return NULL;
}

const char *yaml_line_quoted(const char *at, const char *end)
{
    return *at == '"' ? double_quoted(at + 1, end) : single_quoted(at + 1, end);
}

/* No key starts with these: they open a flow collection, or are not of this dialect. */
static bool may_start_key(const char *at, const char *stop)
{
    if (at == stop || *at == '{' || *at == '[' || *at == '#' || *at == '\t')
        return false;
    return (*at != '-' && *at != '?') || (at + 1 < stop && at[1] != ' ');
}

const char *yaml_line_colon(const char *at, const char *stop)
{
    if (!may_start_key(at, stop))
        return NULL;
    if (*at == '\'' || *at == '"') {
        at = yaml_line_quoted(at, stop);
        return at && at < stop && *at == ':' && (at + 1 == stop || at[1] == ' ') ? at : NULL;
    }
    while (at < stop) {
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        if (!colon || colon + 1 == stop || colon[1] == ' ')
            return colon;
        at = colon + 1;
    }
    return NULL;
}

/* What may follow in a flow collection: behind these a text starts, so that a quote opens one. A
 * colon ends a key if a blank follows, or if the key was in quotes: {a: 'x'}, {"a":"x"}, {a:'x}. */
static bool starts_text(const char *p, const char *end, bool was_quoted)
{
    if (*p == ':')
        return was_quoted || p + 1 == end || yaml_line_is_blank(p[1]);
    return *p == '{' || *p == '[' || *p == ',';
}

const char *yaml_line_flow(const char *at, const char *end, const char **fault)
{
    uint64_t lists = 0; /* one bit for each level: whether it is a list */
    unsigned depth = 0;
    bool fresh = false, quoted = false; /* a text may start here; the last one was in quotes */
    const char *p = at;
    _Static_assert(YAML_MAX_DEPTH <= 64, "one word holds all levels");
    for (; p < end; p++) {
        if (yaml_line_is_blank(*p))
            continue;
        if (fresh && (*p == '\'' || *p == '"')) {
            const char *behind = yaml_line_quoted(p, end);
            if (!behind)
                break;
            p = behind - 1;
            quoted = true;
            fresh = false;
            continue;
        }
        if (*p == '{' || *p == '[') {
            if (++depth > YAML_MAX_DEPTH)
                break;
            lists = lists << 1 | (*p == '[');
        } else if (*p == '}' || *p == ']') {
            if ((lists & 1) != (*p == ']'))
                break;
            lists >>= 1;
            if (--depth == 0)
                return p + 1;
        }
        fresh = starts_text(p, end, quoted);
        quoted = false;
    }
    if (fault)
        *fault = p < end ? p : at;
    return NULL;
}

/* Counts from 1. */
static unsigned line_of(struct str text, const char *at)
{
    unsigned line = 1;
    const char *p = text.p;
    while ((p = memchr(p, '\n', (size_t)(at - p))) != NULL) {
        line++;
        p++;
    }
    return line;
}

static unsigned column_of(struct str text, const char *at)
{
    const char *line = text.p ? memrchr(text.p, '\n', (size_t)(at - text.p)) : NULL;
    return (unsigned)(at - (line ? line + 1 : text.p)) + 1;
}

struct yaml_error yaml_line_error(struct str text, const char *at, const char *why)
{
    if (text.n == 0)
        return (struct yaml_error){1, 1, why};
    return (struct yaml_error){line_of(text, at), column_of(text, at), why};
}
