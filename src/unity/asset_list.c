#include "unity/asset_list.h"

#include <stdlib.h>

#include "base/map.h"
#include "unity/asset_kind.h"
#include "unity/builtin.h"

static const struct str OBJECT = STR_INIT("UnityEngine.Object"),
                        GAME_OBJECT = STR_INIT("UnityEngine.GameObject");

struct class_verdict { /* cached per class */
    struct str type;
    bool is_there, fits;
};

struct asset_listing {
    struct asset_contents_cache *contents;
    const struct asset_db *db;
    const struct asset_wanted *w;
    struct arena *arena;
    bool is_any;                 /* main objects of any class */
    bool is_component;           /* the class is a component: search prefabs */
    struct map classes, scripts; /* name or reference -> struct class_verdict */
    struct asset_item *items;
    size_t count, cap;
    struct asset asset; /* the current asset, with a copy of its path */
};

/* ---- classes */

static const struct class_verdict *judge_class(struct asset_listing *l, struct str class)
{
    struct class_verdict *v = map_get(&l->classes, class);
    if (v != NULL)
        return v;
    v = arena_zalloc(l->arena, sizeof *v);
    const struct type_class *c = types_named(l->db->types, class);
    *v = (struct class_verdict){.type = c != NULL ? c->name : class, .is_there = true};
    v->fits = l->is_any || str_eq(l->w->name, class) || str_eq(l->w->name, v->type) ||
              (c != NULL && type_class_derives(c, l->w->name));
    map_set(&l->classes, class, v);
    return v;
}

static const struct class_verdict *judge_script(struct asset_listing *l,
                                                const struct contained_object *o)
{
    struct reference key = o->script;
    struct str bytes = str_make((const char *)&key, sizeof key.file_id + sizeof key.guid);
    struct class_verdict *v = map_get(&l->scripts, bytes);
    struct type_entry e;
    if (v != NULL)
        return v;
    v = arena_zalloc(l->arena, sizeof *v);
    if (types_script_entry(l->db->types, o->script, o->identifier, &e))
        *v = (struct class_verdict){
            e.name, true,
            l->is_any || str_eq(l->w->name, e.name) ||
                (l->w->class != NULL && types_entry_is_a(l->db->types, &e, l->w->class))};
    map_set(&l->scripts, bytes, v);
    return v;
}

static const struct class_verdict *judge_object(struct asset_listing *l,
                                                const struct contained_object *o)
{
    static const struct class_verdict unknown = {.is_there = false};
    const struct builtin_class *b = builtin_class(o->class_id);
    if (o->class_id == 114)
        return judge_script(l, o);
    return b != NULL && b->type[0] != '\0' ? judge_class(l, str_from(b->type)) : &unknown;
}

/* ---- items */

static void add_item(struct asset_listing *l, const struct asset_item *item)
{
    if (l->count == l->cap) {
        size_t cap = l->cap > 0 ? 2 * l->cap : 64;
        l->items =
            arena_grow(l->arena, l->items, l->cap * sizeof *l->items, cap * sizeof *l->items);
        l->cap = cap;
    }
    l->items[l->count] = *item;
    l->items[l->count].path = l->asset.path;
    l->items[l->count].name = arena_str(l->arena, item->name);
    l->items[l->count++].guid = l->asset.guid;
}

static void add_main(struct asset_listing *l, struct str type)
{
    add_item(l, &(struct asset_item){
                    .name = asset_kind_stem(l->asset.path), .type = type, .is_main = true});
}

static int compare_items(const void *a, const void *b)
{
    const struct asset_item *x = a, *y = b;
    return x->is_main != y->is_main ? y->is_main - x->is_main : str_cmp(x->name, y->name);
}

static void sort_items(struct asset_listing *l, size_t first)
{
    if (l->count > first)
        qsort(l->items + first, l->count - first, sizeof *l->items, compare_items);
}

/* ---- forms of files */

static void list_yaml(struct asset_listing *l)
{
    const struct asset_contents *x =
        asset_contents_get(l->contents, l->asset.path, ASSET_CONTENTS_YAML);
    struct map names = {0};
    size_t first = l->count, fitting = 0;
    for (size_t i = 0; x != NULL && i < x->count && (i == 0 || !l->is_any); i++) {
        const struct contained_object *o = &x->list[i];
        const struct class_verdict *v = judge_object(l, o);
        if (!v->is_there || !v->fits)
            continue;
        bool is_taken = o->name.n == 0 || map_get(&names, o->name) != NULL;
        map_set(&names, o->name, l);
        if (i == 0)
            add_main(l, v->type);
        else if (!o->is_hidden && (fitting == 0 || !is_taken))
            add_item(
                l, &(struct asset_item){.name = o->name, .type = v->type, .by_name = fitting > 0});
        fitting++;
    }
    map_done(&names);
    sort_items(l, first);
}

static void add_component(struct asset_listing *l, const struct contained_object *o, bool *done)
{
    const struct class_verdict *v = *done ? NULL : judge_object(l, o);
    if (v == NULL || !v->is_there || !v->fits)
        return;
    add_main(l, v->type);
    *done = true;
}

static void list_open_prefab(struct asset_listing *l)
{
    struct error err;
    bool done = false;
    struct scene *p = scenes_open(l->db->scenes, l->asset.path, &err);
    uint32_t root = p != NULL ? p->first_root : SCENE_NONE;
    for (uint32_t i = 0; root != SCENE_NONE && i < p->nodes[root].component_count; i++) {
        const struct scene_component *m = scene_component(p, root, i);
        add_component(l, &(struct contained_object){.class_id = m->class_id, .script = m->script},
                      &done);
    }
    scenes_close(p);
}

static void list_prefab(struct asset_listing *l)
{
    if (!l->is_component) {
        if (judge_class(l, GAME_OBJECT)->fits)
            add_main(l, GAME_OBJECT);
        return;
    }
    const struct asset_contents *x =
        asset_contents_get(l->contents, l->asset.path, ASSET_CONTENTS_PREFAB);
    bool done = false;
    if (x != NULL && x->is_open)
        list_open_prefab(l);
    for (size_t i = 0; x != NULL && !x->is_open && i < x->count; i++)
        add_component(l, &x->list[i], &done);
}

static void list_image(struct asset_listing *l)
{
    struct str sprite = STR("UnityEngine.Sprite");
    bool wants_sprites = str_eq(l->w->name, sprite);
    /* Other objects in an image are not found by name. */
    bool takes = judge_class(l, STR("UnityEngine.Texture2D"))->fits ||
                 str_eq(l->w->name, STR("UnityEngine.Cubemap"));
    const struct asset_contents *x =
        wants_sprites || takes
            ? asset_contents_get(l->contents, l->asset.path, ASSET_CONTENTS_IMAGE)
            : NULL;
    size_t first = l->count;
    for (size_t i = 0; x != NULL && i < x->count; i++) {
        const struct contained_object *o = &x->list[i];
        const struct class_verdict *v = judge_object(l, o);
        if (i == 0 && takes && v->fits)
            add_main(l, v->type);
        if (i == 0 || !wants_sprites)
            continue;
        add_item(l,
                 &(struct asset_item){.name = o->name, .type = sprite, .by_name = !x->is_single});
    }
    sort_items(l, first);
}

/* asset_object_find() searches the first of these classes that fits, by name. */
static void list_model(struct asset_listing *l)
{
    static const struct {
        int32_t id;
        const char *class;
    } parts[] = {{43, "UnityEngine.Mesh"},
                 {74, "UnityEngine.AnimationClip"},
                 {21, "UnityEngine.Material"},
                 {90, "UnityEngine.Avatar"}};
    int32_t id = 0;
    if (judge_class(l, GAME_OBJECT)->fits) {
        add_main(l, GAME_OBJECT);
        return;
    }
    for (size_t i = 0; id == 0 && i < sizeof parts / sizeof *parts; i++)
        id = judge_class(l, str_from(parts[i].class))->fits ? parts[i].id : 0;
    const struct asset_contents *x =
        id != 0 ? asset_contents_get(l->contents, l->asset.path, ASSET_CONTENTS_MODEL) : NULL;
    struct map names = {0};
    size_t first = l->count;
    for (size_t i = 0; x != NULL && i < x->count; i++) {
        const struct contained_object *o = &x->list[i];
        if (o->class_id != id || map_get(&names, o->name) != NULL ||
            str_starts(o->name, STR("__preview__")))
            continue;
        map_set(&names, o->name, l);
        add_item(l, &(struct asset_item){
                        .name = o->name, .type = judge_object(l, o)->type, .by_name = true});
    }
    map_done(&names);
    sort_items(l, first);
}

/* Whether the extension does not determine the class of a YAML file, or it contains further
 * objects. Other YAML files (.mat, .anim) contain the one object of their kind. */
static bool is_container(const struct asset_kind *k)
{
    static const char *const more[] = {".controller", ".fontsettings", ".guiskin", ".mixer", NULL};
    if (k->type != 2)
        return false;
    for (size_t i = 0; more[i] != NULL; i++)
        if (strcmp(k->extension, more[i]) == 0)
            return true;
    return strcmp(k->class, "UnityEngine.ScriptableObject") == 0;
}

static void list_kind(struct asset_listing *l, const struct asset_kind *k)
{
    bool is_specific = strcmp(k->class, "UnityEngine.ScriptableObject") != 0;
    const struct class_verdict *v = judge_class(l, str_from(k->class));
    if (is_container(k) && !(is_specific && l->is_any))
        list_yaml(l);
    else if (v->fits)
        add_main(l, v->type);
}

static void list_asset(struct asset_listing *l)
{
    struct str extension = asset_kind_extension(l->asset.path);
    const struct asset_kind *k;
    if (str_eq(extension, STR(".prefab")))
        list_prefab(l);
    else if (l->is_component)
        return;
    else if (asset_kind_is_image(extension))
        list_image(l);
    else if (asset_kind_is_model(extension))
        list_model(l);
    else if ((k = asset_kind_of(l->asset.path)) != NULL)
        list_kind(l, k);
}

static bool is_below(struct str path, struct str folder)
{
    return folder.n == 0 ||
           (path.n > folder.n && str_starts(path, folder) && path.p[folder.n] == '/');
}

size_t asset_list_find(struct asset_contents_cache *h, const struct asset_db *db,
                       const struct asset_wanted *w, struct arena *a, struct asset_item **out)
{
    struct asset_listing l = {.contents = h, .db = db, .w = w, .arena = a};
    size_t count = assets_count(db->assets), kept = 0;
    struct asset *all = arena_alloc(a, (count + 1) * sizeof *all);
    l.is_any = w->name.n == 0 || str_eq(w->name, OBJECT);
    l.is_component = w->class != NULL && type_class_derives(w->class, STR("UnityEngine.Component"));
    for (size_t i = 0; i < count; i++) { /* reading may refresh the list */
        struct asset asset = assets_at(db->assets, i);
        if (asset.is_folder || asset.is_missing || guid_is_zero(asset.guid) ||
            !is_below(asset.path, w->folder))
            continue;
        asset.path = arena_str(a, asset.path);
        all[kept++] = asset;
    }
    for (size_t i = 0; i < kept; i++) {
        l.asset = all[i];
        list_asset(&l);
    }
    map_done(&l.classes);
    map_done(&l.scripts);
    *out = l.items;
    return l.count;
}
