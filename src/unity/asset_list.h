/* Assets that may be put into a reference of some class: what asset_object_find() would take.
 *
 *     struct asset_wanted w = {.class = material, .folder = STR("Assets/Art")};
 *     size_t count = asset_list_find(holds, db, &w, arena, &items);
 *     items[0].path, items[0].name, items[0].type
 *
 * Sorted by path; of one asset its main object first, then the others by name. Every item is meant
 * by its path and, if by_name says so, its name, and nothing else is: what cannot be named so is
 * left out. Without a class, and for Object, it is the main object of each asset.
 *
 * Files are read only if the class asks for it, and once (unity/asset_holds.h). Texts live in the
 * arena, in the types or in the holds: until either is asked for something else.
 */
#pragma once

#include "unity/asset_contents.h"
#include "unity/asset_object.h"

struct asset_wanted {
    const struct type_class *class; /* NULL: known by its name alone, or not asked for */
    struct str name;                /* of the class, full; empty: all assets */
    struct str folder;              /* without a slash at its end; empty: everywhere */
};

struct asset_item {
    struct str path, name, type;
    struct guid guid;
    bool is_main, by_name;
};

size_t asset_list_find(struct asset_contents_cache *h, const struct asset_db *db,
                       const struct asset_wanted *w, struct arena *a, struct asset_item **out);
