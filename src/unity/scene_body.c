#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "unity/body.h"
#include "unity/builtin.h"
#include "unity/prefab.h"
#include "unity/scene_build.h"

/* From a scene into the source of one of its instances. */
struct level {
    const struct scene *scene;
    uint32_t instance;
    int64_t target;  /* id of the object in the source */
    bool is_partial; /* the source has no body of it */
};

/* ---- references of the source, in the ids of this file */

struct rewrite {
    const struct level *level;
    struct buf out;
    const char *done; /* the text is copied up to here */
};

/* Objects of the source are objects of the instance; what else its file holds (a mesh, a script)
 * stays where it is. */
static void put_reference(struct rewrite *r, int64_t id)
{
    const struct level *l = r->level;
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

/* The depth is that of the text, which yaml.h limits. */
static void rewrite_value(struct rewrite *r, struct yaml_value v)
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

static struct yaml_value rewrite_body(const struct level *l, struct yaml_value body,
                                      struct arena *a)
{
    struct rewrite r = {.level = l, .out = buf_make(BODY_MAX_BYTES), .done = body.text.p};
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

static struct yaml_value override_body(const struct level *l, struct yaml_value body,
                                       struct arena *a)
{
    size_t count = 0;
    const struct scene_override *all = NULL;
    if (l->target != 0)
        all = prefab_overrides(l->scene, l->instance, l->target, &count);
    if (count == 0)
        return body;
    struct body *b = body_new(a, body);
    if (l->is_partial)
        body_allow_more(b);
    for (size_t i = 0; i < count; i++) {
        struct yaml_value entry = {all[i].kind, all[i].indent,
                                   str_make(l->scene->file.text.p + all[i].at, all[i].n)};
        struct prefab_modification m;
        if (!prefab_modification(entry, a, &m))
            continue;
        struct body_value value = {.scalar = m.value};
        yaml_reference(m.object, &value.reference);
        body_set(b, m.path, &value); /* stale ones change nothing */
    }
    struct yaml_value changed = body_value(b);
    return changed.kind == YAML_NONE ? body : changed;
}

/* ---- levels */

struct object {
    const struct yaml_doc *doc;
    uint32_t instance, source;
    int64_t id;
    int32_t class_id;
};

static struct object node_object(const struct scene *s, uint32_t node)
{
    const struct scene_node *n = &s->nodes[node];
    return (struct object){n->doc, n->instance, n->source, n->id, SCENE_GAME_OBJECT};
}

static struct object component_object(const struct scene *s, uint32_t component)
{
    const struct scene_component *c = &s->components[component];
    return (struct object){c->doc, c->instance, c->source, c->id, c->class_id};
}

static struct object object_at(const struct scene *s, uint32_t node, uint32_t component)
{
    assert(node < s->node_count);
    bool is_node = component == SCENE_NONE;
    assert(is_node || component < s->nodes[node].component_count);
    return is_node ? node_object(s, node)
                   : component_object(s, s->nodes[node].component_first + component);
}

/* The same object in the source of its instance; *s becomes that source. */
static bool step_in(const struct scene **s, struct object *o, bool is_node)
{
    if (o->doc || o->instance == SCENE_NONE)
        return false;
    *s = (*s)->more->links[o->instance].source;
    *o = is_node ? node_object(*s, o->source) : component_object(*s, o->source);
    return true;
}

bool scene_is_partial(const struct scene *s, uint32_t node, uint32_t component)
{
    struct object o = object_at(s, node, component);
    bool is_inside = !o.doc && o.instance != SCENE_NONE;
    while (step_in(&s, &o, component == SCENE_NONE))
        ;
    return is_inside && !o.doc && o.class_id != 0;
}

struct str scene_class_name(const struct scene *s, uint32_t node, uint32_t component)
{
    struct object o = object_at(s, node, component);
    while (step_in(&s, &o, component == SCENE_NONE))
        ;
    return o.doc ? yaml_class_name(&s->file, o.doc) : (struct str){0};
}

/* What a new object of this class has. */
static struct yaml_value default_body(const struct scene *s, int32_t class_id, struct arena *a)
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
    struct object o = object_at(s, node, component);
    struct level *levels = NULL;
    size_t depth = 0, cap = 0;
    for (struct level l = {.scene = s, .instance = o.instance};
         step_in(&s, &o, component == SCENE_NONE);
         l = (struct level){.scene = s, .instance = o.instance}) {
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
        body = default_body(s, o.class_id, a);
    while (depth-- > 0 && body.kind != YAML_NONE) {
        levels[depth].is_partial = is_partial;
        body = rewrite_body(&levels[depth], body, a);
        if (body.kind != YAML_NONE)
            body = override_body(&levels[depth], body, a);
    }
    free(levels);
    return body;
}
