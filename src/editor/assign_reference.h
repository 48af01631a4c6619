/* References: {"$ref": path}, {"$asset": path}, null. Part of assign.h. */
#pragma once

#include "editor/assign.h"

struct draft *assign_reference(struct assign *a, const struct type_field *f,
                               const struct json *value);
