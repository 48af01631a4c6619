#include "unity/yaml_line.h"

static const char *skip_single_quoted(const char *at, const char *end)
{
    while (at < end) {
        const char *p = memchr(at, '\'', (size_t)(end - at));
        if (!p || p + 1 == end || p[1] != '\'')
            return p ? p + 1 : NULL;
        at = p + 2;
    }
    return NULL;
}

static const char *skip_double_quoted(const char *at, const char *end)
{
    const char *quote = at - 1; /* the next quote, unless it is before `at` */
    while (at < end) {
        if (quote < at)
            quote = memchr(at, '"', (size_t)(end - at));
        if (!quote)
            return NULL;
        const char *slash = memchr(at, '\\', (size_t)(quote - at));
        if (!slash)
            return quote + 1;
        at = slash + 2; /* an escaped character closes nothing */
    }
    return NULL;
}

const char *yaml_line_quoted(const char *at, const char *end)
{
    return *at == '"' ? skip_double_quoted(at + 1, end) : skip_single_quoted(at + 1, end);
}

/* These bytes open a flow collection, or are not part of this dialect. */
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

/* Whether a text, so also a quoted one, may start after this byte of a flow collection. A colon
 * ends a key if a blank follows it or the key was quoted: {a: 'x'}, {"a":"x"}, but not {a:'x}. */
static bool starts_text(const char *p, const char *end, bool was_quoted)
{
    if (*p == ':')
        return was_quoted || p + 1 == end || yaml_line_is_blank(p[1]);
    return *p == '{' || *p == '[' || *p == ',';
}

const char *yaml_line_flow(const char *at, const char *end, const char **error)
{
    uint64_t lists = 0; /* one bit per level: it is a list */
    unsigned depth = 0;
    bool fresh = false, quoted = false; /* a text may start here; the previous one was quoted */
    const char *p = at;
    _Static_assert(YAML_MAX_DEPTH <= 64, "one word holds all levels");
    for (; p < end; p++) {
        if (yaml_line_is_blank(*p))
            continue;
        if (fresh && (*p == '\'' || *p == '"')) {
            const char *after = yaml_line_quoted(p, end);
            if (!after)
                break;
            p = after - 1;
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
    if (error)
        *error = p < end ? p : at;
    return NULL;
}

/* From 1. */
static unsigned count_line(struct str text, const char *at)
{
    unsigned line = 1;
    const char *p = text.p;
    while ((p = memchr(p, '\n', (size_t)(at - p))) != NULL) {
        line++;
        p++;
    }
    return line;
}

static unsigned count_column(struct str text, const char *at)
{
    const char *line = text.p ? memrchr(text.p, '\n', (size_t)(at - text.p)) : NULL;
    return (unsigned)(at - (line ? line + 1 : text.p)) + 1;
}

struct yaml_error yaml_line_error(struct str text, const char *at, const char *message)
{
    if (text.n == 0)
        return (struct yaml_error){1, 1, message};
    return (struct yaml_error){count_line(text, at), count_column(text, at), message};
}
