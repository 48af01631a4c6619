/* The class that a name means which somebody gave to a tool that looks for something.
 *
 *     const struct type_class *base;
 *     if (!type_name_find(c, STR("Collider"), "leave base out", &base))
 *         return false;                  // ERR_TYPE_NOT_FOUND or ERR_TYPE_AMBIGUOUS
 *
 * It may be any class, and an interface of a script, by full or simple name (types_find). Of
 * several the error has the candidates; of none it says what to do instead, in the words of the
 * tool.
 */
#pragma once

#include "editor/editor_tool.h"

bool type_name_find(struct editor_call *c, struct str written, const char *instead,
                    const struct type_class **out);

/* The error of a name that may be several; answers false. */
struct type_list {
    const struct type_class *const *of;
    size_t count;
};
bool type_name_refuse_several(struct editor_call *c, const char *code, struct str name,
                              struct type_list found);
