/* The line structure of Unity's YAML. Private to yaml*.c.
 *
 * A line goes from its first byte to its '\n' or the end of the text. Its "stop" is the end of its
 * content: the position of the "\n" or "\r\n".
 */
#pragma once

#include "unity/yaml.h"

#define YAML_LINE_MAX_INDENT 128u /* deeper blocks are left out */

static inline bool yaml_line_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Return the start of the next line, or end. */
static inline const char *yaml_line_next(const char *at, const char *end)
{
    const char *nl = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return nl ? nl + 1 : end;
}

static inline const char *yaml_line_stop(const char *at, const char *end)
{
    const char *nl = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (!nl)
        nl = end;
    return nl > at && nl[-1] == '\r' ? nl - 1 : nl;
}

static inline const char *yaml_line_skip_spaces(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

/* Whether only blanks are left on the line. */
static inline bool yaml_line_is_over(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == '\r')
        at++;
    return at == end || *at == '\n';
}

/* Return the start of the first non-blank line from `at` on, or end. */
static inline const char *yaml_line_skip_blank(const char *at, const char *end)
{
    while (at < end && yaml_line_is_over(at, end))
        at = yaml_line_next(at, end);
    return at;
}

/* "- x", or a dash alone on its line. */
static inline bool yaml_line_is_dash(const char *at, const char *end)
{
    return at < end && *at == '-' && (at + 1 == end || yaml_line_is_blank(at[1]));
}

/* Whether the line is an unindented quote that closes a text ending with a line feed. Unity does
 * not indent this quote. */
static inline bool yaml_line_closes(const char *at, const char *end)
{
    return at < end && *at == '\'' && yaml_line_is_over(at + 1, end);
}

/* Return the end of the lines that belong to an entry: lines that are blank or indented deeper than
 * `indent`, a closing quote and, if dashes is set, items at that indent. */
static inline const char *yaml_line_owned(const char *at, const char *end, uint32_t indent,
                                          bool dashes)
{
    while (at < end) {
        const char *p = at;
        while (p < end && *p == ' ' && (size_t)(p - at) <= indent)
            p++;
        if ((size_t)(p - at) <= indent && !yaml_line_is_over(p, end) &&
            !(p == at && yaml_line_closes(p, end)) &&
            !(dashes && (size_t)(p - at) == indent && yaml_line_is_dash(p, end)))
            break;
        at = yaml_line_next(p, end);
    }
    return at;
}

/* Return the end without trailing blanks and line ends. */
static inline const char *yaml_line_trim(const char *at, const char *end)
{
    while (end > at && yaml_line_is_blank(end[-1]))
        end--;
    return end;
}

/* Return the position after the closing quote of the text at `at`, or NULL. */
const char *yaml_line_quoted(const char *at, const char *end);

/* Return the colon after the key at `at` on the line up to stop, or NULL if there is no key. */
const char *yaml_line_colon(const char *at, const char *stop);

/* Return the position after the bracket that closes the one at `at`. Return NULL if it is not
 * closed or nested too deep; then *error, if not NULL, is the position of the error. */
const char *yaml_line_flow(const char *at, const char *end, const char **error);

/* Make an error with the line and column of a position. Counts the lines before it. */
struct yaml_error yaml_line_error(struct str text, const char *at, const char *message);
