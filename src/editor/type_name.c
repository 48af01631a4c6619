#include "editor/type_name.h"

#define MAX_CANDIDATES 32u

bool type_name_refuse_several(struct editor_call *c, const char *code, struct str name,
                              struct type_list found)
{
    struct buf names = {0};
    struct jsonw w = jsonw_make(&c->err->details);
    jsonw_object(&w);
    jsonw_key(&w, "candidates");
    jsonw_array(&w);
    for (size_t i = 0; i < found.count && i < MAX_CANDIDATES; i++) {
        buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(found.of[i]->name));
        jsonw_str(&w, found.of[i]->name);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    editor_error_set(c->err, code, "%.*s is ambiguous (%.*s): give the full name", STR_ARG(name),
                     STR_ARG(buf_str(&names)));
    buf_done(&names);
    return false;
}

bool type_name_find(struct editor_call *c, struct str written, const char *instead,
                    const struct type_class **out)
{
    const struct type_class *const *found = NULL;
    struct str name = str_trim(written);
    size_t count = types_find(c->types, name, &found);
    if (count > 1)
        return type_name_refuse_several(c, "ERR_TYPE_AMBIGUOUS", name,
                                        (struct type_list){found, count});
    if (count == 0)
        return editor_error_set(
            c->err, "ERR_TYPE_NOT_FOUND",
            "there is no class %.*s in Unity, in the packages or in the project's scripts: %s",
            STR_ARG(name), instead);
    *out = found[0];
    return true;
}
