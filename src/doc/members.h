/* The members of objects in a document, read one by one; errors and warnings have their position.
 *
 *     static const char *const names[] = {"id", "cliPath"};
 *     struct members m = {.doc = doc, .arena = &a, .warnings = w, .room = 32, .err = err};
 *     struct members_fields f;
 *     size_t back = members_down(&m, STR("profile"));           // "/profile"
 *     if (!members_collect(&m, object, names, 2, &f) ||         // also "cli_path"
 *         !members_text(&m, &f, 0, &id))
 *         return false;                                         // *err is complete
 *     members_up(&m, back);
 *     ...
 *     members_done(&m);
 *
 * Names are given in camelCase; snake_case means the same, and both in one object is an error. A
 * null member counts as missing. An unknown member is a warning with the nearest name, except
 * "$schema", which is for editors. After an error, the position is no longer valid.
 */
#pragma once

#include "doc/doc.h"

#define MEMBERS_MAX 16u /* names per object */

struct members {
    const struct doc *doc;
    struct arena *arena; /* for the warnings */
    struct str *warnings;
    size_t room;
    struct error *err;
    /* private, except that count may be read */
    size_t count;  /* number of warnings */
    size_t more;   /* those without room */
    struct buf at; /* JSON pointer of the current value */
};

struct members_fields {
    const struct json *values[MEMBERS_MAX]; /* NULL: missing, or null */
    struct str keys[MEMBERS_MAX];           /* as written in the object */
};

/* Call at the end: the last warning gets the number of those left out. */
void members_done(struct members *m);

/* Go down to a member; return the argument for members_up(). */
size_t members_down(struct members *m, struct str key);
size_t members_down_to(struct members *m, size_t index);
void members_up(struct members *m, size_t before);

/* Set *err at the current position, as doc_fail(); returns false. */
#define MEMBERS_FAIL(m, ...) doc_fail((m)->doc, buf_str(&(m)->at), (m)->err, __VA_ARGS__)
void members_warn(struct members *m, struct str text);
bool members_wrong_type(struct members *m, const char *want, const struct json *v);

/* Return the i-th name; p NULL: there are no more. */
typedef struct str members_name_fn(const void *ctx, size_t i);

/* 'unknown WHAT "given", did you mean "nearest"? allowed: a, b, c': as text, and as an error. */
void members_say_unknown(struct buf *out, const char *what, struct str given, members_name_fn *name,
                         const void *ctx);
bool members_unknown(struct members *m, const char *what, struct str given, members_name_fn *name,
                     const void *ctx);
void members_put_names(struct buf *out, members_name_fn *name, const void *ctx); /* "a, b, c" */

bool members_collect(struct members *m, const struct json *object, const char *const *names,
                     size_t count, struct members_fields *f);

/* Check for text without U+0000, which can be an argument or a variable of a program. */
bool members_check_text(struct members *m, const struct json *v);

/* Read an optional member; if it is missing, *out stays. */
bool members_text(struct members *m, const struct members_fields *f, size_t i, struct str *out);
bool members_bool(struct members *m, const struct members_fields *f, size_t i, bool *out);
