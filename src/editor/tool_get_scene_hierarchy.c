/* get_scene_hierarchy: collect breadth first up to the limits, then write a tree. The cost depends
 * only on what is shown: the model has the numbers of GameObjects, and the name of each kind of
 * component is resolved once. Spec: docs/spec/20-scene-tools.md, 1.5 to 1.8. */
#include "base/map.h"
#include "editor/component.h"
#include "editor/scene_name.h"
#include "editor/tool_arg.h"

struct shown_node {
    uint32_t node;
    uint32_t depth;
    size_t first, count; /* its shown children: a part of the list */
};

struct hierarchy {
    struct editor_call *c;
    const struct scene *scene;
    struct shown_node *list; /* in breadth-first order */
    size_t count, cap, max;
    uint64_t max_depth;
    bool truncated;
    bool with_prefabs; /* include_prefabs */
    struct map names;  /* kind of component -> struct str */
    struct buf path;
};

/* ---- collecting */

static bool show_node(struct hierarchy *t, uint32_t node, uint32_t depth)
{
    if (t->count == t->max) {
        t->truncated = true;
        return false;
    }
    if (t->count == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 64;
        t->list = arena_grow(t->c->arena, t->list, t->cap * sizeof *t->list, cap * sizeof *t->list);
        t->cap = cap;
    }
    t->list[t->count++] = (struct shown_node){.node = node, .depth = depth};
    return true;
}

static void show_children(struct hierarchy *t)
{
    const struct scene_node *nodes = t->scene->nodes;
    for (size_t i = 0; i < t->count; i++) {
        uint32_t child = nodes[t->list[i].node].first_child;
        uint32_t depth = t->list[i].depth;
        if (depth == t->max_depth) {
            t->truncated |= child != SCENE_NONE;
            continue;
        }
        t->list[i].first = t->count;
        while (child != SCENE_NONE && show_node(t, child, depth + 1))
            child = nodes[child].next;
        t->list[i].count = t->count - t->list[i].first;
    }
}

/* ---- names of components */

struct component_kind {
    int32_t class_id;
    struct reference script;
};

static struct str no_name;

static struct str *find_name(struct hierarchy *t, const struct scene_component *p)
{
    struct component_kind kind;
    memset(&kind, 0, sizeof kind); /* all its bytes are the key, padding included */
    kind.class_id = p->class_id;
    kind.script.file_id = p->script.file_id;
    kind.script.guid = p->script.guid;
    struct str key = str_make((const char *)&kind, sizeof kind);
    struct str *name = map_get(&t->names, key);
    if (name)
        return name;
    const struct type_class *k =
        p->class_id ? types_component(t->c->types, p->class_id, p->script, STR("")) : NULL;
    name = &no_name;
    if (k) {
        name = arena_alloc(t->c->arena, sizeof *name);
        *name = k->name;
    }
    map_set(&t->names, key, name);
    return name;
}

static void put_component(struct hierarchy *t, uint32_t node, uint32_t index)
{
    const struct scene_component *p = scene_component(t->scene, node, index);
    struct str name = *find_name(t, p);
    if (!name.n && p->class_id) { /* the document may name its class */
        const struct type_class *k = value_class(t->c->types, t->scene, node, index);
        name = k ? k->name : name;
    }
    if (name.n)
        jsonw_str(t->c->out, name);
    else
        jsonw_null(t->c->out);
}

/* ---- the answer */

static void put_node(struct hierarchy *t, const struct shown_node *s);

static void put_children(struct hierarchy *t, const struct shown_node *s)
{
    struct jsonw *w = t->c->out;
    jsonw_key(w, "children");
    if (!s->count && t->scene->nodes[s->node].first_child != SCENE_NONE) {
        jsonw_str(w, STR("..."));
        return;
    }
    jsonw_array(w);
    for (size_t i = 0; i < s->count; i++)
        put_node(t, &t->list[s->first + i]);
    jsonw_end(w);
}

/* With include_prefabs a missing prefab is shown as null. */
static void put_prefab(struct hierarchy *t, uint32_t node)
{
    struct jsonw *w = t->c->out;
    struct str prefab = scene_prefab_path(t->scene, node);
    if (prefab.n)
        jsonw_kstr(w, "prefab_asset_path", prefab);
    if (!t->with_prefabs || !t->scene->nodes[node].is_instance_root)
        return;
    jsonw_key(w, "prefab");
    if (prefab.n)
        jsonw_str(w, prefab);
    else
        jsonw_null(w);
}

static void put_node(struct hierarchy *t, const struct shown_node *s)
{
    struct jsonw *w = t->c->out;
    const struct scene_node *n = &t->scene->nodes[s->node];
    buf_clear(&t->path);
    scene_put_path(t->scene, s->node, &t->path);
    jsonw_object(w);
    jsonw_kstr(w, "name", n->name);
    jsonw_kstr(w, "path", buf_str(&t->path));
    jsonw_kbool(w, "active", n->active);
    put_prefab(t, s->node);
    jsonw_key(w, "components");
    jsonw_array(w);
    for (uint32_t i = 0; i < n->component_count; i++)
        put_component(t, s->node, i);
    jsonw_end(w);
    put_children(t, s);
    jsonw_end(w);
}

static void put_hierarchy(struct hierarchy *t, size_t roots, size_t total)
{
    struct jsonw *w = t->c->out;
    jsonw_object(w);
    jsonw_kstr(w, "scene_name", scene_name(t->scene->path));
    jsonw_kstr(w, "scene_path", t->scene->path);
    jsonw_key(w, "root_game_objects");
    jsonw_array(w);
    for (size_t i = 0; i < roots; i++)
        put_node(t, &t->list[i]);
    jsonw_end(w);
    jsonw_kint(w, "total_game_objects", (int64_t)total);
    jsonw_kint(w, "returned_game_objects", (int64_t)t->count);
    jsonw_kbool(w, "truncated", t->truncated);
    jsonw_end(w);
}

static bool get_scene_hierarchy(struct editor_call *c)
{
    struct hierarchy t = {
        .c = c,
        .scene = open_scene_get(c->open_scene, c->err),
        .max = (size_t)tool_arg_u64(c->args, "max_game_objects", 1000),
        .max_depth = tool_arg_u64(c->args, "max_depth", 10),
        .with_prefabs = tool_arg_bool(c->args, "include_prefabs", false),
    };
    const struct json *root_path = json_get(c->args, STR("root_path"));
    size_t total = 0;
    if (!t.scene)
        return false;
    if (root_path) {
        uint32_t root = scene_find(t.scene, json_str(root_path));
        if (root == SCENE_NONE)
            return component_refuse_path(c, t.scene, json_str(root_path));
        show_node(&t, root, 0);
        total = t.scene->nodes[root].total;
    } else {
        bool more = true;
        for (uint32_t n = t.scene->first_root; n != SCENE_NONE; n = t.scene->nodes[n].next) {
            total += t.scene->nodes[n].total;
            more = more && show_node(&t, n, 0);
        }
    }
    size_t roots = t.count;
    show_children(&t);
    put_hierarchy(&t, roots, total);
    map_done(&t.names);
    buf_done(&t.path);
    return true;
}

const struct editor_tool tool_get_scene_hierarchy = {"get_scene_hierarchy", get_scene_hierarchy};
