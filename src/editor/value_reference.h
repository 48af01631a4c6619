/* How references are shown: by the path of what they point to. Part of value.h. */
#pragma once

#include "editor/value.h"

void value_put_reference(struct value_view *v, struct jsonw *w, const struct type *t,
                         struct yaml_value value, bool with_type);
/* value, is_object_ref and so on: members of the object that is being written. False: what it
 * refers to is missing. */
bool value_put_target(struct value_view *v, struct jsonw *w, const struct type *t,
                      struct reference r);
