#include "editor/editor_tool.h"
#include "editor/pattern.h"
#include "editor/tool_page.h"
#include "editor/type_name.h"
#include "unity/builtin.h"

#define INSTEAD "leave base out, and search the names with query"

struct type_search {
    struct editor_call *c;
    struct pattern *query;         /* NULL: all */
    const struct type_class *base; /* NULL: all classes that can be added */
    const struct type_entry **list;
    size_t count;
};

/* Return whether manage_component can add it. A Transform always exists already, and of some
 * classes the initial values are not known. */
static bool can_add(const struct editor_call *c, const struct type_entry *e)
{
    const struct builtin_class *b = builtin_class(e->class_id);
    bool is_transform = str_eq(e->name, STR("UnityEngine.Transform")) ||
                        str_eq(e->name, STR("UnityEngine.RectTransform"));
    return e->class_id == 114 ||
           (!is_transform && b != NULL && builtin_knows_initial(b, c->project->version));
}

static bool collect_types(struct type_search *l)
{
    const struct type_entry *all;
    size_t count = types_components(l->c->types, &all);
    l->list = arena_alloc(l->c->arena, (count + 1) * sizeof *l->list);
    for (size_t i = 0; i < count; i++) {
        enum pattern_result r =
            l->query != NULL ? pattern_match(l->query, all[i].name) : PATTERN_YES;
        if (r == PATTERN_TOO_SLOW)
            return pattern_refuse_slow(l->query, l->c->err);
        if (r == PATTERN_YES && (l->base != NULL ? types_entry_is_a(l->c->types, &all[i], l->base)
                                                 : can_add(l->c, &all[i])))
            l->list[l->count++] = &all[i];
    }
    return true;
}

static struct str namespace_of(const struct type_entry *e)
{
    size_t n = e->name.n - e->simple.n;
    return str_head(e->name, n > 0 ? n - 1 : 0);
}

static void put_type(struct type_search *l, const struct type_entry *e)
{
    struct jsonw *w = l->c->out;
    jsonw_object(w);
    jsonw_kstr(w, "type", e->name);
    jsonw_kstr(w, "name", e->simple);
    jsonw_kstr(w, "namespace", namespace_of(e));
    jsonw_key(w, "script");
    if (e->path.n > 0)
        jsonw_str(w, e->path);
    else
        jsonw_null(w);
    jsonw_kbool(w, "can_add", can_add(l->c, e));
    jsonw_end(w);
}

static void put_types(struct type_search *l)
{
    struct jsonw *w = l->c->out;
    uint64_t max = tool_arg_u64(l->c->args, "max_results", 100);
    struct tool_page page = tool_page(l->c->args, max, l->count);
    jsonw_object(w);
    jsonw_key(w, "types");
    jsonw_array(w);
    for (size_t i = page.from; i < page.to; i++)
        put_type(l, l->list[i]);
    jsonw_end(w);
    tool_page_put(w, &page);
    jsonw_end(w);
}

static bool find_component_types(struct editor_call *c)
{
    struct type_search l = {.c = c};
    struct str query = tool_arg_str(c->args, "query"), base = tool_arg_str(c->args, "base");
    bool ok = (!base.n || type_name_find(c, base, INSTEAD, &l.base)) &&
              (!query.n || (l.query = pattern_new_text("query", query, c->err))) &&
              collect_types(&l);
    if (ok)
        put_types(&l);
    pattern_free(l.query);
    return ok;
}

const struct editor_tool tool_find_component_types = {"find_component_types", find_component_types};
