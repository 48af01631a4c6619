/* What the files of describe.h share. */
#pragma once

#include "editor/describe.h"

/* describe_type.c: type, kind and all else that is known without a value; depth: of the value. */
void describe_type(struct describe *d, struct jsonw *w, const struct type_field *f, unsigned depth);
/* Whether a reference of that type may point into the scene, and to an asset. */
void describe_accepts(const struct type *t, bool *object, bool *asset);

/* describe_reference.c: value and the marks of what it is, and how it is set again. */
void describe_reference(struct describe *d, struct jsonw *w, const struct type *t,
                        struct yaml_value value);
/* describe_curve.c: with all keys, as they are set. */
void describe_curve(struct describe *d, struct jsonw *w, struct yaml_value value);
void describe_gradient(struct describe *d, struct jsonw *w, struct yaml_value value);
