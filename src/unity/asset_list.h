/* List the assets that a reference of a class can be set to: those that asset_object_find()
 * accepts.
 *
 *     struct asset_item *items;
 *     struct asset_wanted wanted = {.class = class, .name = class->name};
 *     size_t count = asset_list_find(contents, &db, &wanted, &arena, &items);
 *     for (size_t i = 0; i < count; i++)
 *         printf("%.*s %.*s\n", STR_ARG(items[i].path), STR_ARG(items[i].name));
 *
 * Sorted by path; the main object of an asset comes first, then the others by name. An item is
 * identified by its path and, if by_name is set, its name; objects that cannot be identified this
 * way are left out. Without a class, and for Object, the list has the main object of each asset.
 *
 * Files are read only if the class requires it (unity/asset_contents.h). Texts are in the arena, in
 * the types or in the contents, and are valid until either of those is used again.
 */
#pragma once

#include "unity/asset_contents.h"
#include "unity/asset_object.h"

struct asset_wanted {
    const struct type_class *class; /* NULL: only the name is known, or no class is wanted */
    struct str name;                /* full name of the class; empty: all assets */
    struct str folder;              /* without a trailing slash; empty: everywhere */
};

struct asset_item {
    struct str path, name, type;
    struct guid guid;
    bool is_main, by_name;
};

size_t asset_list_find(struct asset_contents_cache *h, const struct asset_db *db,
                       const struct asset_wanted *w, struct arena *a, struct asset_item **out);
