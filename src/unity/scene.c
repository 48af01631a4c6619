#include "unity/scene.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unity/builtin.h"
#include "unity/prefab.h"
#include "unity/property_tree.h"
#include "unity/scene_build.h"

/* ---- ids */

static int64_t get_id_at(const struct scene *s, uint32_t entry)
{
    return entry % 2 ? s->nodes[entry / 2].id : s->components[entry / 2 - 1].id;
}

static void add_place(const struct scene *s, uint32_t entry)
{
    int64_t id = get_id_at(s, entry);
    size_t mask = s->more->place_slots - 1, slot = (size_t)scene_build_hash_id(id) & mask;
    while (id && s->more->places[slot] && get_id_at(s, s->more->places[slot]) != id)
        slot = (slot + 1) & mask;
    if (id && !s->more->places[slot]) /* the first of two equal ids is found */
        s->more->places[slot] = entry;
}

static void index_places(const struct scene *s)
{
    struct scene_more *more = s->more;
    more->place_slots = 16;
    while (more->place_slots < (s->node_count + s->component_count) * 3 / 2)
        more->place_slots *= 2;
    more->places = mem_zalloc(more->place_slots * sizeof *more->places);
    for (uint32_t i = 0; i < s->node_count; i++)
        add_place(s, 2 * i + 1);
    for (uint32_t i = 0; i < s->component_count; i++)
        if (s->components[i].class_id)
            add_place(s, 2 * i + 2);
}

/* Components are stored in the order of their nodes. */
static uint32_t find_node_of(const struct scene *s, uint32_t component)
{
    size_t from = 0, to = s->node_count;
    while (to - from > 1) {
        size_t mid = from + (to - from) / 2;
        if (s->nodes[mid].component_first <= component)
            from = mid;
        else
            to = mid;
    }
    return (uint32_t)from;
}

bool scene_where(const struct scene *s, int64_t id, struct scene_place *out)
{
    if (!s || id == 0 || s->node_count == 0)
        return false;
    if (!s->more->places)
        index_places(s);
    size_t mask = s->more->place_slots - 1, slot = (size_t)scene_build_hash_id(id) & mask;
    uint32_t entry;
    while ((entry = s->more->places[slot]) && get_id_at(s, entry) != id)
        slot = (slot + 1) & mask;
    if (!entry)
        return false;
    if (entry % 2) {
        *out = (struct scene_place){entry / 2, SCENE_NONE};
    } else {
        uint32_t node = find_node_of(s, entry / 2 - 1);
        *out = (struct scene_place){node, entry / 2 - 1 - s->nodes[node].component_first};
    }
    return true;
}

int64_t scene_map_id(const struct scene *s, uint32_t instance, int64_t source_id)
{
    const struct scene_link *link = &s->more->links[instance];
    size_t from = 0, to = link->stand_in_count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (link->stand_ins[mid].source < source_id)
            from = mid + 1;
        else
            to = mid;
    }
    if (from < link->stand_in_count && link->stand_ins[from].source == source_id)
        return link->stand_ins[from].id;
    return scene_compose(s->instances[instance].id, source_id);
}

bool scene_target(const struct scene *s, struct scene_place at, struct reference *out)
{
    assert(at.node < s->node_count);
    uint32_t instance, source;
    if (at.component == SCENE_NONE) {
        instance = s->nodes[at.node].instance;
        source = s->nodes[at.node].source;
    } else {
        assert(at.component < s->nodes[at.node].component_count);
        instance = scene_component(s, at.node, at.component)->instance;
        source = scene_component(s, at.node, at.component)->source;
    }
    if (instance == SCENE_NONE)
        return false;
    const struct scene_link *link = &s->more->links[instance];
    *out = link->asset; /* guid and type */
    out->file_id = at.component == SCENE_NONE ? link->source->nodes[source].id
                                              : link->source->components[source].id;
    if (s->instances[instance].is_broken)
        out->file_id = 0;
    return true;
}

struct str scene_prefab_path(const struct scene *s, uint32_t node)
{
    while (s->nodes[node].is_instance_root) {
        uint32_t instance = s->nodes[node].instance, source = s->nodes[node].source;
        assert(instance != SCENE_NONE);
        const struct scene *from = s->more->links[instance].source;
        if (from->nodes[source].parent == SCENE_NONE)
            return s->instances[instance].source_path;
        s = from;
        node = source;
    }
    return (struct str){0};
}

/* ---- paths */

/* Escape "/" as "\/". To be reversible, a backslash before a slash, before another backslash or at
 * the end is "\\". */
static void put_name(struct str name, struct buf *out)
{
    for (size_t i = 0; i < name.n; i++) {
        char next = i + 1 < name.n ? name.p[i + 1] : '/';
        if (name.p[i] == '/' || (name.p[i] == '\\' && (next == '/' || next == '\\')))
            buf_add_char(out, '\\');
        buf_add_char(out, name.p[i]);
    }
}

void scene_put_path(const struct scene *s, uint32_t node, struct buf *out)
{
    size_t depth = 0, cap = 0;
    uint32_t *chain = NULL;
    for (uint32_t n = node; n != SCENE_NONE; n = s->nodes[n].parent) {
        if (depth == cap)
            mem_grow((void **)&chain, &cap, depth + 1, sizeof *chain);
        chain[depth++] = n;
    }
    while (depth-- > 0) {
        const struct scene_node *n = &s->nodes[chain[depth]];
        buf_add_char(out, '/');
        put_name(n->name, out);
        if (n->repeat)
            buf_printf(out, "[%u]", n->repeat);
    }
    free(chain);
}

/* Cut the next name off a path, at a "/" that is not escaped. Return false at the end of the
 * path. */
static bool cut_name(struct str *path, struct buf *name)
{
    size_t i = 0;
    buf_clear(name);
    for (; i < path->n && path->p[i] != '/'; i++) {
        if (path->p[i] == '\\' && i + 1 < path->n &&
            (path->p[i + 1] == '/' || path->p[i + 1] == '\\'))
            i++;
        buf_add_char(name, path->p[i]);
    }
    bool more = i < path->n;
    *path = str_skip(*path, i + 1);
    return more;
}

/* Cut the index off "Panel[1]". Only the form of scene_put_path() counts: no sign, no leading
 * zeros. */
static bool cut_index(struct str *name, uint32_t *index)
{
    size_t open = name->n;
    uint64_t number;
    if (name->n < 3 || name->p[name->n - 1] != ']')
        return false;
    while (open > 0 && name->p[open - 1] != '[')
        open--;
    struct str digits = str_make(name->p + open, name->n - 1 - open);
    bool is_plain = digits.n > 0 && digits.p[0] >= (digits.n > 1 ? '1' : '0');
    if (open == 0 || !is_plain || !str_to_u64(digits, &number) || number >= SCENE_NONE)
        return false;
    *index = (uint32_t)number;
    *name = str_head(*name, open - 1);
    return true;
}

static uint32_t find_sibling(const struct scene *s, uint32_t first, struct str name, uint32_t index)
{
    for (uint32_t n = first; n != SCENE_NONE; n = s->nodes[n].next)
        if (s->nodes[n].repeat == index && str_eq(s->nodes[n].name, name))
            return n;
    return SCENE_NONE;
}

/* Find a name among siblings. */
static uint32_t find_named(const struct scene *s, uint32_t first, struct str name)
{
    uint32_t index, found = find_sibling(s, first, name, 0);
    if (found == SCENE_NONE && cut_index(&name, &index))
        found = find_sibling(s, first, name, index);
    return found;
}

/* Follow a path from the first of some siblings and return the last object found. *missing: the
 * next name was not found; it is in *name. */
static uint32_t follow_path(const struct scene *s, uint32_t first, struct str path,
                            struct buf *name, bool *missing)
{
    uint32_t found = SCENE_NONE;
    for (bool more = true; more;) {
        more = cut_name(&path, name);
        uint32_t next = find_named(s, first, buf_str(name));
        bool is_end = !more && name->n == 0 && found != SCENE_NONE; /* "/Player/" */
        *missing = next == SCENE_NONE && !is_end;
        if (next == SCENE_NONE)
            return found;
        found = next;
        first = s->nodes[found].first_child;
    }
    return found;
}

static uint32_t find_below(const struct scene *s, uint32_t first, struct str path, struct buf *buf)
{
    bool missing;
    uint32_t found = follow_path(s, first, path, buf, &missing);
    return missing ? SCENE_NONE : found;
}

/* The start of a search in the whole scene. */
struct search_start {
    struct str name;
    uint32_t index;  /* SCENE_NONE: any */
    struct str rest; /* of the path, below this object */
    bool has_rest;
};

/* Find an object anywhere, as GameObject.Find does: it and its parents must be active. */
static uint32_t find_start(const struct scene *s, const struct search_start *at, struct buf *buf)
{
    bool *is_off = mem_zalloc((s->node_count + 1) * sizeof *is_off);
    uint32_t found = SCENE_NONE;
    for (uint32_t i = 0; i < s->node_count && found == SCENE_NONE; i++) { /* parents precede
                                                                             children */
        const struct scene_node *n = &s->nodes[i];
        is_off[i] = !n->active || (n->parent != SCENE_NONE && is_off[n->parent]);
        if (is_off[i] || (at->index != SCENE_NONE && n->repeat != at->index) ||
            !str_eq(n->name, at->name))
            continue;
        found = at->has_rest ? find_below(s, n->first_child, at->rest, buf) : i;
        for (uint32_t up = found; up != SCENE_NONE && up != i; up = s->nodes[up].parent)
            if (!s->nodes[up].active)
                found = SCENE_NONE;
    }
    free(is_off);
    return found;
}

static uint32_t find_anywhere(const struct scene *s, struct str path, struct buf *buf)
{
    struct buf name = {0};
    struct search_start at = {.index = SCENE_NONE, .rest = path};
    at.has_rest = cut_name(&at.rest, &name);
    at.name = buf_str(&name);
    uint32_t found = find_start(s, &at, buf);
    if (found == SCENE_NONE && cut_index(&at.name, &at.index))
        found = find_start(s, &at, buf);
    buf_done(&name);
    return found;
}

uint32_t scene_find(const struct scene *s, struct str path)
{
    struct buf buf = {0};
    bool is_absolute = path.n > 0 && path.p[0] == '/';
    uint32_t found = find_below(s, s->first_root, str_skip(path, is_absolute), &buf);
    if (found == SCENE_NONE && !is_absolute && path.n > 0)
        found = find_anywhere(s, path, &buf);
    buf_done(&buf);
    return found;
}

uint32_t scene_follow(const struct scene *s, struct str path, struct buf *missing)
{
    bool is_absolute = path.n > 0 && path.p[0] == '/', is_missing;
    uint32_t last =
        follow_path(s, s->first_root, str_skip(path, is_absolute), missing, &is_missing);
    if (!is_missing)
        buf_clear(missing);
    return last;
}

/* A step from a scene into the source of one of its instances. */
struct instance_level {
    const struct scene *scene;
    uint32_t instance;
    int64_t target;  /* id of the object in the source */
    bool is_partial; /* the source has no body of the object */
};

/* ---- references from the ids of the source to those of this file */

struct reference_rewrite {
    const struct instance_level *level;
    struct buf out;
    const char *done; /* the text is copied up to here */
};

/* Objects of the source become objects of the instance; others in its file (a mesh, a script) stay
 * references to that file. */
static void put_reference(struct reference_rewrite *r, int64_t id)
{
    const struct instance_level *l = r->level;
    struct scene *source = l->scene->more->links[l->instance].source;
    const struct yaml_doc *d = yaml_find(&source->file, id);
    struct scene_place place;
    if (d && !d->stripped && !scene_where(source, id, &place)) {
        char guid[GUID_LEN + 1];
        guid_print(l->scene->instances[l->instance].guid, guid);
        buf_printf(&r->out, "{fileID: %lld, guid: %s, type: 3}", (long long)id, guid);
    } else {
        buf_printf(&r->out, "{fileID: %lld}", (long long)scene_map_id(l->scene, l->instance, id));
    }
}

/* Recursion is bounded by YAML_MAX_DEPTH. */
static void rewrite_value(struct reference_rewrite *r, struct yaml_value v)
{
    struct yaml_item item;
    struct reference ref;
    if (v.kind == YAML_FLOW_MAP && yaml_reference(v, &ref)) {
        if (!reference_is_local(ref) || reference_is_null(ref))
            return;
        buf_add(&r->out, str_make(r->done, (size_t)(v.text.p - r->done)));
        put_reference(r, ref.file_id);
        r->done = v.text.p + v.text.n;
        return;
    }
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);)
        if (str_find(item.lines, STR("fileID:")) < item.lines.n)
            rewrite_value(r, item.value);
}

static struct yaml_value rewrite_body(const struct instance_level *l, struct yaml_value body,
                                      struct arena *a)
{
    struct reference_rewrite r = {
        .level = l, .out = buf_make(PROPERTY_TREE_MAX_BYTES), .done = body.text.p};
    rewrite_value(&r, body);
    if (r.done != body.text.p) {
        const char *end = body.text.p + body.text.n;
        buf_add(&r.out, str_make(r.done, (size_t)(end - r.done)));
        body.text = arena_str(a, buf_str(&r.out));
        if (r.out.overflow)
            body = (struct yaml_value){0};
    }
    buf_done(&r.out);
    return body;
}

/* ---- overrides */

static struct yaml_value override_body(const struct instance_level *l, struct yaml_value body,
                                       struct arena *a)
{
    size_t count = 0;
    const struct scene_override *all = NULL;
    if (l->target != 0)
        all = prefab_overrides(l->scene, l->instance, l->target, &count);
    if (count == 0)
        return body;
    struct property_tree *b = property_tree_new(a, body);
    if (l->is_partial)
        property_tree_allow_more(b);
    for (size_t i = 0; i < count; i++) {
        struct yaml_value entry = {all[i].kind, all[i].indent,
                                   str_make(l->scene->file.text.p + all[i].at, all[i].n)};
        struct prefab_modification m;
        if (!prefab_read_modification(entry, a, &m))
            continue;
        struct property_value value = {.scalar = m.value};
        yaml_reference(m.object, &value.reference);
        property_tree_set(b, m.path, &value); /* a stale override changes nothing */
    }
    struct yaml_value changed = property_tree_value(b);
    return changed.kind == YAML_NONE ? body : changed;
}

/* ---- levels */

struct scene_object {
    const struct yaml_doc *doc;
    uint32_t instance, source;
    int64_t id;
    int32_t class_id;
};

static struct scene_object get_node_object(const struct scene *s, uint32_t node)
{
    const struct scene_node *n = &s->nodes[node];
    return (struct scene_object){n->doc, n->instance, n->source, n->id, SCENE_GAME_OBJECT};
}

static struct scene_object get_component_object(const struct scene *s, uint32_t component)
{
    const struct scene_component *c = &s->components[component];
    return (struct scene_object){c->doc, c->instance, c->source, c->id, c->class_id};
}

static struct scene_object get_object(const struct scene *s, uint32_t node, uint32_t component)
{
    assert(node < s->node_count);
    bool is_node = component == SCENE_NONE;
    assert(is_node || component < s->nodes[node].component_count);
    return is_node ? get_node_object(s, node)
                   : get_component_object(s, s->nodes[node].component_first + component);
}

/* Go to the same object in the source of its instance; *s becomes that source. */
static bool enter_source(const struct scene **s, struct scene_object *o, bool is_node)
{
    if (o->doc || o->instance == SCENE_NONE)
        return false;
    *s = (*s)->more->links[o->instance].source;
    *o = is_node ? get_node_object(*s, o->source) : get_component_object(*s, o->source);
    return true;
}

bool scene_is_partial(const struct scene *s, uint32_t node, uint32_t component)
{
    struct scene_object o = get_object(s, node, component);
    bool is_inside = !o.doc && o.instance != SCENE_NONE;
    while (enter_source(&s, &o, component == SCENE_NONE))
        ;
    return is_inside && !o.doc && o.class_id != 0;
}

struct str scene_class_name(const struct scene *s, uint32_t node, uint32_t component)
{
    struct scene_object o = get_object(s, node, component);
    while (enter_source(&s, &o, component == SCENE_NONE))
        ;
    return o.doc ? yaml_class_name(&s->file, o.doc) : (struct str){0};
}

/* The body of a new object of this class. */
static struct yaml_value make_default_body(const struct scene *s, int32_t class_id, struct arena *a)
{
    const struct builtin_class *c = builtin_class(class_id);
    struct yaml_value body = {.kind = YAML_MAP, .indent = 2, .text = STR("")};
    struct buf text = {0};
    if (c && builtin_new_body(c, scenes_version(s->owner), &text))
        body.text = arena_str(a, buf_str(&text));
    buf_done(&text);
    return body;
}

struct yaml_value scene_body(const struct scene *s, uint32_t node, uint32_t component,
                             struct arena *a)
{
    struct scene_object o = get_object(s, node, component);
    struct instance_level *levels = NULL;
    size_t depth = 0, cap = 0;
    for (struct instance_level l = {.scene = s, .instance = o.instance};
         enter_source(&s, &o, component == SCENE_NONE);
         l = (struct instance_level){.scene = s, .instance = o.instance}) {
        if (depth == cap)
            mem_grow((void **)&levels, &cap, depth + 1, sizeof *levels);
        l.target = o.id;
        levels[depth++] = l;
    }
    struct yaml_value body = {0};
    bool is_partial = !o.doc && depth > 0 && o.class_id != 0;
    if (o.doc)
        body = yaml_body(&s->file, o.doc);
    else if (is_partial)
        body = make_default_body(s, o.class_id, a);
    while (depth-- > 0 && body.kind != YAML_NONE) {
        levels[depth].is_partial = is_partial;
        body = rewrite_body(&levels[depth], body, a);
        if (body.kind != YAML_NONE)
            body = override_body(&levels[depth], body, a);
    }
    free(levels);
    return body;
}
