/* How the lines of Unity's YAML are told apart: the part that yaml*.c share. Not for others.
 *
 * A line runs from its first byte to its '\n' or the text's end. Its "stop" is where what it says
 * ends: before the line end, be that "\n" or "\r\n".
 */
#pragma once

#include "unity/yaml.h"

#define YAML_LINE_MAX_INDENT 128u /* columns: of blocks that are entered at all */

static inline bool yaml_line_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where the next line starts; end if there is none. */
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

/* Nothing but blanks from here to the line's end. */
static inline bool yaml_line_is_over(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == '\r')
        at++;
    return at == end || *at == '\n';
}

/* The first line at or behind `at` that is not blank; end if there is none. */
static inline const char *yaml_line_skip_blank(const char *at, const char *end)
{
    while (at < end && yaml_line_is_over(at, end))
        at = yaml_line_next(at, end);
    return at;
}

/* "- x" or a dash alone. */
static inline bool yaml_line_is_dash(const char *at, const char *end)
{
    return at < end && *at == '-' && (at + 1 == end || yaml_line_is_blank(at[1]));
}

/* A quote alone at the margin: it closes a text that ends with a line feed. Unity's writer forgets
 * to indent this one. */
static inline bool yaml_line_closes(const char *at, const char *end)
{
    return at < end && *at == '\'' && yaml_line_is_over(at + 1, end);
}

/* Behind the last line from `at` on that is blank or indented deeper than `indent`, or closes a
 * text, or, if dashes is set, is an item at that indent. */
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

/* Without blanks and line ends at its end. */
static inline const char *yaml_line_trim(const char *at, const char *end)
{
    while (end > at && yaml_line_is_blank(end[-1]))
        end--;
    return end;
}

/* Behind the quote that closes the one at `at`; NULL if there is none. */
const char *yaml_line_quoted(const char *at, const char *end);

/* The colon that ends the key at `at`, on a line that goes up to stop; NULL if there is no key. */
const char *yaml_line_colon(const char *at, const char *stop);

/* Behind the bracket that closes the one at `at`; NULL: there is none, or it nests too deep. Then
 * *fault, if asked for, is where it went wrong. */
const char *yaml_line_flow(const char *at, const char *end, const char **fault);

/* What is wrong at a place of the text, which is walked up to there. */
struct yaml_error yaml_line_error(struct str text, const char *at, const char *why);
