/* Text as a view: a pointer and a length, never owned, not NUL-terminated.
 *
 * A `struct str` is passed by value. It is valid as long as the memory it points into; to keep one
 * longer, copy it (arena_str, buf_add). {0} is the empty text; p may be NULL only if n is 0.
 * Text is bytes here: utf8.h checks the encoding.
 *
 *     struct str line = STR("name: value"), key;
 *     if (str_cut(&line, ':', &key))            // key "name", line " value"
 *         printf("%.*s\n", STR_ARG(str_trim(line)));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

/* clang-format off */
#define STR(literal)      ((struct str){"" literal, sizeof(literal) - 1})
#define STR_INIT(literal) {"" literal, sizeof(literal) - 1} /* for static initialisers */
#define STR_ARG(s)        str_precision(s), ((s).p ? (s).p : "") /* for "%.*s" */
/* clang-format on */

static inline struct str str_from(const char *c)
{
    return (struct str){c, c ? strlen(c) : 0};
}

static inline struct str str_make(const char *p, size_t n)
{
    return (struct str){p, n};
}

/* A negative precision would mean "up to the NUL", so cut text that is too long. */
static inline int str_precision(struct str s)
{
    return s.n < INT32_MAX ? (int)s.n : INT32_MAX;
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is_empty(struct str s)
{
    return s.n == 0;
}

/* Return the part from byte `from` on; past the end: empty. */
static inline struct str str_skip(struct str s, size_t from)
{
    return from >= s.n ? (struct str){0} : (struct str){s.p + from, s.n - from};
}

/* Return at most the first n bytes. */
static inline struct str str_head(struct str s, size_t n)
{
    return (struct str){s.p, n < s.n ? n : s.n};
}

/* Return the total bytes of the parts. */
static inline size_t str_sum(const struct str *parts, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += parts[i].n;
    return n;
}

bool str_same_letters(const char *a, const char *b, size_t n); /* for str_eq_nocase() */

/* Compare, ignoring the case of ASCII letters. The length is checked first: it mostly differs. */
static inline bool str_eq_nocase(struct str a, struct str b)
{
    return a.n == b.n && str_same_letters(a.p, b.p, a.n);
}

bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
int str_cmp(struct str a, struct str b); /* by bytes, shorter first: for sorting */

struct str str_trim(struct str s); /* without blanks, tabs, CR and LF at both ends */

/* Return the offset of the first c, or of the first needle; s.n if there is none. */
size_t str_find_char(struct str s, char c);
size_t str_find(struct str s, struct str needle);

/* Cut *rest at the first sep: *head is the part before it, *rest the part after it. Without a sep,
 * *head is everything, *rest is empty, and the result is false. */
bool str_cut(struct str *rest, char sep, struct str *head);

/* Read all of s as a decimal number. On anything else or overflow return false, leave *out. */
bool str_to_u64(struct str s, uint64_t *out);
bool str_to_i64(struct str s, int64_t *out);

char *str_dup(struct str s); /* a copy with a NUL, for free() */

uint64_t str_hash(struct str s); /* for maps; differs between processes */
