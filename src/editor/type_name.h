/* The class that a search tool got by name.
 *
 *     const struct type_class *base;
 *     if (!type_name_find(c, STR("Collider"), "leave base out", &base))
 *         return false;                  // ERR_TYPE_NOT_FOUND or ERR_TYPE_AMBIGUOUS
 *
 * It may be any class, or an interface of a script, by full or simple name (types_find). The error
 * for several classes has the candidates; the error for none ends with instead, the advice of the
 * tool.
 */
#pragma once

#include "editor/editor_tool.h"

bool type_name_find(struct editor_call *c, struct str written, const char *instead,
                    const struct type_class **out);

/* Set the error for a name that fits several classes and return false. */
struct type_list {
    const struct type_class *const *of;
    size_t count;
};
bool type_name_refuse_several(struct editor_call *c, const char *code, struct str name,
                              struct type_list found);
