#include "unity/scene_model.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/xxh64.h"

#define ROOT_NAME "//RootNode"
#define UNNAMED   "Unknown"

#define MAX_PATH_BYTES (16u << 20) /* limit for all bones; each one has its whole path */

/* The ids of the root, now and in the first editors with ids from paths. */
#define ROOT_OBJECT            919132149155446097
#define ROOT_TRANSFORM         (-8679921383154817045)
#define EARLY_ROOT_OBJECT      (-927199367670048503)
#define EARLY_ROOT_TRANSFORM   (-4216859302048453862)
#define LEGACY_IDS_OF_ONE_TYPE 100000

enum {
    MESH_RENDERER = 23,
    CAMERA = 20,
    MESH_FILTER = 33,
    MESH_COLLIDER = 64,
    ANIMATOR = 95,
    LIGHT = 108,
    ANIMATION = 111,
    SKINNED_MESH_RENDERER = 137,
    LOD_GROUP = 205
};

/* Components that the root of a model may have, in the inspector's order. */
static const struct {
    int32_t class_id;
    const char *name;
} root_parts[] = {{MESH_FILTER, "MeshFilter"},
                  {MESH_RENDERER, "MeshRenderer"},
                  {SKINNED_MESH_RENDERER, "SkinnedMeshRenderer"},
                  {CAMERA, "Camera"},
                  {LIGHT, "Light"},
                  {LOD_GROUP, "LODGroup"},
                  {ANIMATOR, "Animator"},
                  {ANIMATION, "Animation"},
                  {MESH_COLLIDER, "MeshCollider"}};

#define ROOT_PARTS    (sizeof root_parts / sizeof *root_parts)
#define FILTER_PART   1u /* bit of the first row */
#define RENDERER_PART 2u

enum {
    RIG_NONE,
    RIG_LEGACY /* has an Animation; the others have an Animator */
};

struct model_bone {
    struct str name;
    int64_t object, transform;
    uint32_t parent, first_child, last_child, next;
    uint32_t parts; /* the latest; SCENE_NONE: none */
};

struct model_part {
    int64_t id;
    int32_t class_id;
    uint32_t next;
};

struct model_maker {
    struct scene *scene;
    struct model_bone *bones; /* [0] is the root */
    size_t count, cap;
    struct model_part *parts;
    size_t part_count, part_cap;
    struct map by_name; /* name -> index of the bone plus one */
    int64_t rig;
    bool has_paths;    /* fileIdsGeneration: 2 */
    size_t path_bytes; /* bytes of paths so far */
};

static uint32_t add_bone(struct model_maker *m, struct str name)
{
    if (m->count == m->cap)
        mem_grow((void **)&m->bones, &m->cap, m->count + 1, sizeof *m->bones);
    m->bones[m->count] = (struct model_bone){.name = arena_str(&m->scene->more->arena, name),
                                             .parent = SCENE_NONE,
                                             .first_child = SCENE_NONE,
                                             .last_child = SCENE_NONE,
                                             .next = SCENE_NONE,
                                             .parts = SCENE_NONE};
    return (uint32_t)m->count++;
}

static uint32_t find_bone(const struct model_maker *m, struct str name)
{
    uintptr_t found = (uintptr_t)map_get(&m->by_name, name);
    return found ? (uint32_t)(found - 1) : SCENE_NONE;
}

static void register_bone(struct model_maker *m, struct str name, uint32_t bone)
{
    map_set(&m->by_name, name, (void *)((uintptr_t)bone + 1));
}

static void add_part(struct model_maker *m, uint32_t bone, int32_t class_id, int64_t id)
{
    if (m->part_count == m->part_cap)
        mem_grow((void **)&m->parts, &m->part_cap, m->part_count + 1, sizeof *m->parts);
    m->parts[m->part_count] = (struct model_part){id, class_id, m->bones[bone].parts};
    m->bones[bone].parts = (uint32_t)m->part_count++;
}

/* ---- table of names */

/* Whether objects of this class are components. The table also has meshes, clips and remains of
 * other rig settings. */
static bool is_component(const struct model_maker *m, int32_t class_id)
{
    switch (class_id) {
    case MESH_RENDERER:
    case CAMERA:
    case MESH_FILTER:
    case MESH_COLLIDER:
    case LIGHT:
    case SKINNED_MESH_RENDERER:
    case LOD_GROUP:
        return true;
    case ANIMATION:
        return m->rig == RIG_LEGACY;
    case ANIMATOR:
        return m->rig != RIG_LEGACY && m->rig != RIG_NONE;
    default:
        return false;
    }
}

static void add_named_object(struct model_maker *m, int32_t class_id, int64_t id, struct str name)
{
    bool is_root = str_eq(name, STR(ROOT_NAME));
    uint32_t bone = is_root ? 0 : find_bone(m, name);
    if (class_id == SCENE_GAME_OBJECT) {
        if (bone == SCENE_NONE && m->count < SCENE_MAX_NODES) {
            bone = add_bone(m, name);
            register_bone(m, name, bone);
        }
        if (bone != SCENE_NONE && !m->bones[bone].object)
            m->bones[bone].object = id;
    } else if (bone == SCENE_NONE) {
        return;
    } else if (scene_is_transform(class_id)) {
        if (!m->bones[bone].transform)
            m->bones[bone].transform = id;
    } else if (is_component(m, class_id) && m->part_count < SCENE_MAX_COMPONENTS) {
        add_part(m, bone, class_id, id);
    }
}

/* "    100000: //RootNode" */
static void read_recycled(struct model_maker *m, struct yaml_value table)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(table); yaml_next(&w, &item);) {
        int64_t id;
        if (str_to_i64(item.key, &id) && id > 0 && id / LEGACY_IDS_OF_ONE_TYPE <= INT32_MAX)
            add_named_object(m, (int32_t)(id / LEGACY_IDS_OF_ONE_TYPE), id,
                             yaml_text(&m->scene->more->arena, item.value));
    }
}

/* "  - first: {1: 100000}, second: //RootNode", as blocks */
static void read_table(struct model_maker *m, struct yaml_value table)
{
    struct yaml_item item, first;
    for (struct yaml_walk w = yaml_walk(table); yaml_next(&w, &item);) {
        struct yaml_walk in = yaml_walk(yaml_get(item.value, STR("first")));
        int64_t class_id, id;
        if (yaml_next(&in, &first) && str_to_i64(first.key, &class_id) && class_id > 0 &&
            class_id <= INT32_MAX && yaml_i64(first.value, &id))
            add_named_object(
                m, (int32_t)class_id, id,
                yaml_text(&m->scene->more->arena, yaml_get(item.value, STR("second"))));
    }
}

/* ---- skeleton of a humanoid */

static int64_t hash_path(const char *type, struct str path, const char *suffix)
{
    struct buf b = {0};
    buf_printf(&b, "Type:%s->//RootNode/root/%.*s%s0", type, STR_ARG(path), suffix);
    uint64_t hash = xxh64(buf_str(&b));
    buf_done(&b);
    return (int64_t)hash;
}

/* Read a bone; paths has those of previous bones by name. Parents precede children, so there is no
 * circle. */
static void read_bone(struct model_maker *m, struct map *paths, struct str name,
                      struct str parent_name)
{
    struct arena *a = &m->scene->more->arena;
    struct str *parent = map_get(paths, parent_name);
    m->path_bytes += parent ? parent->n + name.n : 0;
    if (!parent || map_get(paths, name) || m->path_bytes > MAX_PATH_BYTES)
        return;
    struct str *path = arena_alloc(a, sizeof *path);
    *path = parent->n ? arena_printf(a, "%.*s/%.*s", STR_ARG(*parent), STR_ARG(name))
                      : arena_str(a, name);
    uint32_t bone = find_bone(m, name);
    if (bone == SCENE_NONE && m->has_paths && m->count < SCENE_MAX_NODES) {
        bone = add_bone(m, name);
        register_bone(m, name, bone);
        m->bones[bone].object = hash_path("GameObject", *path, "");
        m->bones[bone].transform = hash_path("Transform", *path, "/Transform");
    }
    if (bone == SCENE_NONE || bone == 0)
        return;
    map_set(paths, name, path);
    uint32_t above = parent->n ? find_bone(m, parent_name) : 0;
    m->bones[bone].parent = above == SCENE_NONE ? 0 : above;
}

static void read_skeleton(struct model_maker *m, struct yaml_value skeleton)
{
    struct arena *a = &m->scene->more->arena;
    struct map paths = {0};
    struct str top = {0};
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(skeleton); yaml_next(&w, &item);) {
        struct yaml_value parent = yaml_get(item.value, STR("parentName"));
        struct str name = yaml_text(a, yaml_get(item.value, STR("name")));
        if (parent.kind == YAML_NONE)
            break; /* this editor did not write parents */
        if (parent.kind == YAML_EMPTY && paths.count == 0)
            map_set(&paths, name, &top);
        else if (parent.kind != YAML_EMPTY)
            read_bone(m, &paths, name, yaml_text(a, parent));
    }
    map_done(&paths);
}

/* ---- nodes */

static void put_component(struct scene *s, int32_t class_id, int64_t id)
{
    s->components[s->component_count++] =
        (struct scene_component){.id = id, .class_id = class_id, .instance = SCENE_NONE};
}

static void put_bone(struct model_maker *m, uint32_t bone)
{
    struct scene *s = m->scene;
    const struct model_bone *b = &m->bones[bone];
    struct scene_node *n = &s->nodes[s->node_count++];
    *n = (struct scene_node){.id = b->object,
                             .name = b->name,
                             .active = true,
                             .parent = b->parent, /* index of the bone */
                             .first_child = SCENE_NONE,
                             .next = SCENE_NONE,
                             .component_first = (uint32_t)s->component_count,
                             .instance = SCENE_NONE};
    put_component(s, SCENE_TRANSFORM, b->transform);
    for (uint32_t p = b->parts; p != SCENE_NONE; p = m->parts[p].next)
        put_component(s, m->parts[p].class_id, m->parts[p].id);
    n->component_count = (uint32_t)s->component_count - n->component_first;
}

/* Write all nodes. Children keep the order of the bones; the list of parts is reversed. */
static void put_nodes(struct model_maker *m)
{
    struct scene *s = m->scene;
    uint32_t *at = mem_alloc(m->count * sizeof *at);
    s->nodes = mem_alloc(m->count * sizeof *s->nodes);
    s->components = mem_alloc((m->count + m->part_count) * sizeof *s->components);
    for (uint32_t i = 1; i < m->count; i++) {
        struct model_bone *above =
            &m->bones[m->bones[i].parent == SCENE_NONE ? 0 : m->bones[i].parent];
        m->bones[i].parent = (uint32_t)(above - m->bones);
        if (above->last_child == SCENE_NONE)
            above->first_child = i;
        else
            m->bones[above->last_child].next = i;
        above->last_child = i;
    }
    for (uint32_t i = 0; i != SCENE_NONE;) {
        at[i] = (uint32_t)s->node_count;
        put_bone(m, i);
        if (i != 0)
            s->nodes[at[i]].parent = at[m->bones[i].parent];
        uint32_t next = m->bones[i].first_child;
        while (next == SCENE_NONE && i != SCENE_NONE) {
            next = m->bones[i].next;
            i = m->bones[i].parent;
        }
        i = next;
    }
    s->root_count = 1;
    free(at);
}

static void free_maker(struct model_maker *m)
{
    free(m->bones);
    free(m->parts);
    map_done(&m->by_name);
}

static struct str get_stem(struct str path)
{
    size_t from = path.n, to = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        if (path.p[--from] == '.' && to == path.n)
            to = from;
    return str_make(path.p + from, (to > from ? to : path.n) - from);
}

void scene_model_read(struct scene *s, struct str meta)
{
    struct model_maker m = {.scene = s};
    struct yaml_value importer = yaml_get(yaml_plain(meta), STR("ModelImporter"));
    int64_t generation = 0;
    yaml_i64(yaml_path(importer, STR("meshes.fileIdsGeneration")), &generation);
    m.has_paths = generation >= 2;
    yaml_i64(yaml_get(importer, STR("animationType")), &m.rig);
    add_bone(&m, get_stem(s->path));
    read_recycled(&m, yaml_get(importer, STR("fileIDToRecycleName")));
    read_table(&m, yaml_get(importer, STR("internalIDToNameTable")));
    read_skeleton(&m, yaml_path(importer, STR("humanDescription.skeleton")));
    if (!m.bones[0].object && m.has_paths)
        m.bones[0].object = ROOT_OBJECT;
    if (!m.bones[0].transform && m.has_paths)
        m.bones[0].transform = ROOT_TRANSFORM;
    s->more->is_model = importer.kind == YAML_MAP ||
                        yaml_get(yaml_plain(meta), STR("ScriptedImporter")).kind == YAML_MAP;
    put_nodes(&m);
    free_maker(&m);
}

/* ---- guesses */

static int64_t hash_root_part(size_t part)
{
    struct buf b = {0};
    buf_printf(&b, "Type:%s->//RootNode/root/%s0", root_parts[part].name, root_parts[part].name);
    uint64_t hash = xxh64(buf_str(&b));
    buf_done(&b);
    return (int64_t)hash;
}

/* Whether the root has an id from a path; then the ids of its components are known too. */
static bool has_path_ids(const struct scene *known)
{
    return known && known->node_count > 0 && known->nodes[0].id == ROOT_OBJECT;
}

void scene_model_hint_target(struct scene_model_hints *h, int64_t id)
{
    static int64_t ids[ROOT_PARTS];
    struct scene_place place;
    if (!has_path_ids(h->known) || scene_where(h->known, id, &place))
        return;
    for (size_t i = 0; i < ROOT_PARTS; i++) {
        if (!ids[i])
            ids[i] = hash_root_part(i);
        if (ids[i] == id)
            h->parts |= 1u << i;
    }
    if (h->parts & RENDERER_PART)
        h->parts |= FILTER_PART;
}

void scene_model_hint(struct scene_model_hints *h, int32_t class_id, int64_t id)
{
    struct scene_place place;
    if (class_id != SCENE_GAME_OBJECT && !scene_is_transform(class_id)) {
        scene_model_hint_target(h, id);
        return;
    }
    if (h->count == SCENE_MODEL_MAX_HINTS || (h->known && scene_where(h->known, id, &place)))
        return;
    if (!h->others)
        h->others = mem_alloc(SCENE_MODEL_MAX_HINTS * sizeof *h->others);
    h->others[h->count++] = (struct scene_model_hint){class_id, id};
}

/* Make the one object that represents a missing asset. */
static struct scene *guess_absent(struct scenes *all, const struct scene_model_hints *h)
{
    struct model_maker m = {.scene = scenes_make(all, h->known ? h->known->path : STR(""))};
    add_bone(&m, STR("Missing Prefab"));
    m.bones[0].object = h->object;
    m.bones[0].transform = h->transform;
    int32_t class_id = SCENE_TRANSFORM;
    for (size_t i = 0; i < h->count; i++) {
        const struct scene_model_hint *other = &h->others[i];
        bool is_object = other->class_id == SCENE_GAME_OBJECT;
        int64_t *id = is_object ? &m.bones[0].object : &m.bones[0].transform;
        if (!*id)
            *id = other->id;
        if (!is_object && *id == other->id)
            class_id = other->class_id;
    }
    put_nodes(&m);
    m.scene->components[0].class_id = class_id;
    free_maker(&m);
    return m.scene;
}

/* Whether the ids are from the first editors with ids from paths, where the root had another
 * path. */
static bool is_early(const struct scene_model_hints *h)
{
    bool early = h->object == EARLY_ROOT_OBJECT || h->transform == EARLY_ROOT_TRANSFORM;
    for (size_t i = 0; i < h->count && !early; i++)
        early = h->others[i].id == EARLY_ROOT_OBJECT || h->others[i].id == EARLY_ROOT_TRANSFORM;
    return early;
}

static void copy_known(struct model_maker *m, const struct scene *known)
{
    for (uint32_t i = 0; i < known->node_count; i++) {
        const struct scene_node *n = &known->nodes[i];
        const struct scene_component *c = &known->components[n->component_first];
        uint32_t bone = add_bone(m, n->name);
        m->bones[bone].object = n->id;
        m->bones[bone].transform = c->id;
        m->bones[bone].parent = n->parent;
        for (uint32_t k = n->component_count; k-- > 1;)
            add_part(m, bone, c[k].class_id, c[k].id);
    }
}

static struct scene *guess_model(struct scenes *all, const struct scene_model_hints *h)
{
    struct model_maker m = {.scene = scenes_make(all, h->known->path)};
    copy_known(&m, h->known);
    m.scene->more->is_model = h->known->more->is_model;
    if (is_early(h)) {
        m.bones[0].object = EARLY_ROOT_OBJECT;
        m.bones[0].transform = EARLY_ROOT_TRANSFORM;
    }
    if (!m.bones[0].object)
        m.bones[0].object = h->object;
    if (!m.bones[0].transform)
        m.bones[0].transform = h->transform;
    for (size_t i = ROOT_PARTS; i-- > 0;) /* the last one added is shown first */
        if (h->parts & 1u << i)
            add_part(&m, 0, root_parts[i].class_id, hash_root_part(i));
    for (size_t i = 0; i < h->count && m.count < SCENE_MAX_NODES; i++) {
        const struct scene_model_hint *other = &h->others[i];
        if (other->id == m.bones[0].object || other->id == m.bones[0].transform)
            continue;
        uint32_t bone = add_bone(&m, STR(UNNAMED));
        if (other->class_id == SCENE_GAME_OBJECT)
            m.bones[bone].object = other->id;
        else
            m.bones[bone].transform = other->id;
    }
    put_nodes(&m);
    free_maker(&m);
    return m.scene;
}

/* Whether the hints add anything to the .meta. */
static bool adds_anything(const struct scene_model_hints *h)
{
    const struct scene *known = h->known;
    return h->count > 0 || h->parts || is_early(h) || (h->object && !known->nodes[0].id) ||
           (h->transform && !known->components[0].id);
}

struct scene *scene_model_guess(struct scenes *all, struct scene_model_hints *h)
{
    struct scene *made;
    if (!h->known || h->known->node_count == 0)
        made = guess_absent(all, h);
    else if (!adds_anything(h)) {
        made = h->known;
        made->more->refs++;
    } else {
        made = guess_model(all, h);
    }
    free(h->others);
    h->others = NULL;
    return made;
}
