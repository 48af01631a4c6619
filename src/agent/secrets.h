/* Values that must not be seen, and text with them taken out.
 *
 *     struct secrets s = {0};
 *     secrets_add(&s, value);                   // shorter than SECRETS_MIN: ignored
 *     secrets_mask(&s, text, &out);             // "Bearer ****"
 *
 * Also the forms in which a value hides: JSON-escaped, URL-escaped, base64. For text that comes in
 * pieces, mask whole lines.
 */
#pragma once

#include "base/buf.h"

#define SECRETS_MIN 6u
#define SECRETS_MAX 256u

struct secrets {
    /* private */
    char *values[SECRETS_MAX];
    size_t lengths[SECRETS_MAX];
    size_t count;
};

void secrets_add(struct secrets *s, struct str value);
/* Every variable of the environment whose name says that it is one (KEY, TOKEN, SECRET, ...). */
void secrets_add_environment(struct secrets *s);
void secrets_mask(const struct secrets *s, struct str text, struct buf *out);
bool secrets_has(const struct secrets *s, struct str text); /* one of them is in it */
void secrets_done(struct secrets *s);
