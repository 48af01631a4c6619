/* Mask secret values in text.
 *
 *     struct secrets s = {0};
 *     secrets_add(&s, value);                   // shorter than SECRETS_MIN: ignored
 *     secrets_mask(&s, text, &out);             // "Bearer ****"
 *     secrets_done(&s);
 *
 * Encoded forms are masked, too: JSON-escaped (also twice), URL-escaped, base64 of the value or of
 * a text around it, its lines joined to one. Overlapping matches are masked together. Use
 * secrets_mask_part() for text that arrives in pieces and secrets_mask_cut() for text that was
 * shortened: they also mask values that were split.
 *
 * Time is linear in the text except for contrived values. {0} is an empty set.
 */
#pragma once

#include "base/buf.h"

#define SECRETS_MIN  6u
#define SECRETS_MASK "****"

struct secrets_form;

struct secrets {
    /* private */
    struct secrets_form *forms; /* sorted: by first byte, longer ones first */
    size_t count, cap, longest;
    size_t starts[257]; /* forms beginning with byte b: starts[b] up to starts[b + 1] */
};

void secrets_add(struct secrets *s, struct str value);

/* Add the variables of the environment with names of secrets (KEY, TOKEN, SECRET, ...), and the
 * passwords in URLs (http://me:password@proxy); not paths of files. */
void secrets_add_environment(struct secrets *s);

/* Return the secret part of a variable's value by these rules: all, a password in it, or
 * nothing. */
struct str secrets_in_variable(struct str name, struct str value);

void secrets_mask(const struct secrets *s, struct str text, struct buf *out);

/* The same for text that was cut: at its end, mask SECRETS_MIN or more bytes of a value. */
void secrets_mask_cut(const struct secrets *s, struct str text, struct buf *out);

/* Mask the beginning of a text that may continue; return how many bytes are done. Pass the rest,
 * which is no longer than a few of the longest values, again with the text that follows. */
size_t secrets_mask_part(const struct secrets *s, struct str text, struct buf *out);

bool secrets_has(const struct secrets *s, struct str text); /* does it contain one? */
void secrets_done(struct secrets *s);
