#include "editor/editor_tool.h"
#include "editor/pattern.h"
#include "editor/tool_page.h"
#include "editor/type_name.h"
#include "unity/asset_kind.h"
#include "unity/asset_list.h"

#define INSTEAD                                                                                    \
    "get_component_info shows the type of a field, and without type all assets are searched"

/* Find a class that is known only as the class of a kind of files. */
static bool find_by_file(struct str name, struct asset_wanted *w)
{
    const struct asset_kind *k;
    for (size_t i = 0; (k = asset_kind_at(i)) != NULL; i++) {
        struct str class = str_from(k->class);
        if (str_eq(class, name) || str_eq(type_simple_name(class), name)) {
            w->name = class;
            return true;
        }
    }
    return false;
}

static bool find_type(struct editor_call *c, struct asset_wanted *w)
{
    const struct type_class *const *found = NULL;
    struct str name = str_trim(tool_arg_str(c->args, "type"));
    if (name.n == 0)
        return true;
    size_t count = types_find(c->types, name, &found);
    if ((count == 0 || (count == 1 && !found[0]->is_object)) && find_by_file(name, w))
        return true;
    if (!type_name_find(c, name, INSTEAD, &w->class))
        return false;
    if (!w->class->is_object)
        return editor_error_set(
            c->err, "ERR_TYPE_NOT_FOUND",
            "%.*s is not a class of assets, GameObjects or components: " INSTEAD,
            STR_ARG(w->class->name));
    w->name = w->class->name;
    return true;
}

static bool is_folder(struct assets *a, struct str folder)
{
    if (str_eq(folder, STR("Assets")) || str_eq(folder, STR("Packages")))
        return true;
    for (size_t i = 0, count = assets_count(a); i < count; i++) {
        struct asset asset = assets_at(a, i);
        if (str_starts(asset.path, folder) &&
            (asset.path.n == folder.n ? asset.is_folder : asset.path.p[folder.n] == '/'))
            return true;
    }
    return false;
}

static bool find_folder(struct editor_call *c, struct asset_wanted *w)
{
    struct str folder = tool_arg_str(c->args, "folder");
    if (folder.n > 1 && folder.p[folder.n - 1] == '/')
        folder.n--;
    w->folder = folder;
    return folder.n == 0 || is_folder(c->assets, folder) ||
           editor_error_set(
               c->err, "ERR_INVALID_PARAMS",
               "there is no folder %.*s: give a path like Assets/... or Packages/NAME/...",
               STR_ARG(folder));
}

/* Keep the items whose path or name contains the query, in their order. */
static bool keep_matching(struct editor_call *c, struct asset_item *items, size_t *count)
{
    struct str query = tool_arg_str(c->args, "query");
    struct pattern *p = query.n ? pattern_new_text("query", query, c->err) : NULL;
    enum pattern_result r = PATTERN_NO;
    size_t kept = 0;
    if (query.n == 0 || p == NULL)
        return query.n == 0;
    for (size_t i = 0; i < *count && r != PATTERN_TOO_SLOW; i++) {
        r = pattern_match(p, items[i].path);
        if (r == PATTERN_NO)
            r = pattern_match(p, items[i].name);
        if (r == PATTERN_YES)
            items[kept++] = items[i];
    }
    *count = kept;
    bool ok = r != PATTERN_TOO_SLOW || pattern_refuse_slow(p, c->err);
    pattern_free(p);
    return ok;
}

static void put_item(struct jsonw *w, const struct asset_item *item)
{
    char guid[GUID_LEN + 1];
    guid_print(item->guid, guid);
    jsonw_object(w);
    jsonw_kstr(w, "path", item->path);
    jsonw_kstr(w, "name", item->name);
    jsonw_kstr(w, "type", item->type);
    jsonw_kcstr(w, "guid", guid);
    jsonw_key(w, "set");
    jsonw_object(w);
    jsonw_kstr(w, "$asset", item->path);
    if (item->by_name)
        jsonw_kstr(w, "name", item->name);
    jsonw_end(w);
    jsonw_end(w);
}

static void put_assets(struct editor_call *c, const struct asset_item *items, size_t count)
{
    struct jsonw *w = c->out;
    struct tool_page page = tool_page(c->args, tool_arg_u64(c->args, "max_results", 100), count);
    jsonw_object(w);
    jsonw_key(w, "assets");
    jsonw_array(w);
    for (size_t i = page.from; i < page.to; i++)
        put_item(w, &items[i]);
    jsonw_end(w);
    tool_page_put(w, &page);
    jsonw_end(w);
}

static bool find_assets(struct editor_call *c)
{
    struct asset_wanted wanted = {0};
    struct asset_item *items = NULL;
    if (!find_type(c, &wanted) || !find_folder(c, &wanted))
        return false;
    size_t count = asset_list_find(c->contents, c->db, &wanted, c->arena, &items);
    if (!keep_matching(c, items, &count))
        return false;
    put_assets(c, items, count);
    return true;
}

const struct editor_tool tool_find_assets = {"find_assets", find_assets};
