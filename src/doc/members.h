/* The members of objects in a document, read one by one; faults and warnings know where they are.
 *
 *     static const char *const names[] = {"id", "cliPath"};
 *     struct members m = {.doc = doc, .arena = &a, .warnings = w, .room = 32, .err = err};
 *     struct members_fields f;
 *     size_t back = members_down(&m, STR("profile"));           // "/profile"
 *     if (!members_collect(&m, object, names, 2, &f) ||         // also "cli_path"
 *         !members_text(&m, &f, 0, &id))
 *         return false;                                         // *err says it all
 *     members_up(&m, back);
 *     ...
 *     members_done(&m);
 *
 * Names are given in camelCase; snake_case is the same, and both at once a fault. A member that is
 * null counts as missing. One that nobody knows is a warning with the nearest name, but for
 * "$schema", which is for editors. After a fault the place is of no use any more.
 */
#pragma once

#include "doc/doc.h"

#define MEMBERS_MAX 16u /* names of one object */

struct members {
    const struct doc *doc;
    struct arena *arena; /* of the warnings */
    struct str *warnings;
    size_t room;
    struct error *err;
    /* private, but for reading the count */
    size_t count;  /* warnings */
    size_t more;   /* for which there was no room */
    struct buf at; /* JSON pointer of what is being read */
};

struct members_fields {
    const struct json *values[MEMBERS_MAX]; /* NULL: not there, or null */
    struct str keys[MEMBERS_MAX];           /* as they are written there */
};

/* The last warning says how many more there would be. */
void members_done(struct members *m);

/* One step down; answers what members_up() takes to come back. */
size_t members_down(struct members *m, struct str key);
size_t members_down_to(struct members *m, size_t index);
void members_up(struct members *m, size_t before);

/* What is wrong at the place, as doc_fault(): false. */
#define MEMBERS_FAULT(m, ...) doc_fault((m)->doc, buf_str(&(m)->at), (m)->err, __VA_ARGS__)
void members_warn(struct members *m, struct str text);
bool members_wrong_type(struct members *m, const char *want, const struct json *v);

/* The i-th of some names; p NULL: there are no more. */
typedef struct str members_name_fn(const void *ctx, size_t i);

/* 'unknown WHAT "given", did you mean "nearest"? allowed: a, b, c': as text, and as a fault. */
void members_say_unknown(struct buf *out, const char *what, struct str given, members_name_fn *name,
                         const void *ctx);
bool members_unknown(struct members *m, const char *what, struct str given, members_name_fn *name,
                     const void *ctx);
void members_put_names(struct buf *out, members_name_fn *name, const void *ctx); /* "a, b, c" */

bool members_collect(struct members *m, const struct json *object, const char *const *names,
                     size_t count, struct members_fields *f);

/* Text without U+0000: it can be an argument or a variable of a program. */
bool members_check_text(struct members *m, const struct json *v);

/* A member that may be missing: then *out stays as it is. */
bool members_text(struct members *m, const struct members_fields *f, size_t i, struct str *out);
bool members_bool(struct members *m, const struct members_fields *f, size_t i, bool *out);
