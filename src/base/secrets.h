/* Values that must not be seen, and text with them taken out.
 *
 *     struct secrets s = {0};
 *     secrets_add(&s, value);                   // shorter than SECRETS_MIN: ignored
 *     secrets_mask(&s, text, &out);             // "Bearer ****"
 *     secrets_done(&s);
 *
 * Also the forms in which a value hides: JSON-escaped (also twice), URL-escaped, base64 of it or of
 * something around it, its lines joined to one. Where two overlap, both are gone. For text that
 * comes in pieces there is secrets_mask_part(), for text that was shortened secrets_mask_cut(): no
 * value slips through because it was cut in two.
 *
 * Time is linear in the text for all but contrived values. {0} is an empty set.
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
    size_t starts[257]; /* forms that begin with byte b: from starts[b] up to starts[b + 1] */
};

void secrets_add(struct secrets *s, struct str value);
/* Every variable of the environment whose name says that it is one (KEY, TOKEN, SECRET, ...), and
 * the passwords in those that are addresses (http://me:password@proxy). Not: paths of files. */
void secrets_add_environment(struct secrets *s);
/* What of a variable's value is one by these rules: all, a password in it, or nothing. */
struct str secrets_in_variable(struct str name, struct str value);

void secrets_mask(const struct secrets *s, struct str text, struct buf *out);
/* The same where the text may end too early: at its end SECRETS_MIN bytes of a value are enough. */
void secrets_mask_cut(const struct secrets *s, struct str text, struct buf *out);

/* Masks the beginning of a text of which more may come; answers how many bytes of it are done. The
 * rest, no longer than a few of the longest values, is to be given again with what follows it. */
size_t secrets_mask_part(const struct secrets *s, struct str text, struct buf *out);

bool secrets_has(const struct secrets *s, struct str text); /* one of them is in it */
void secrets_done(struct secrets *s);
