#include "editor/component.h"

#include "base/nearest.h"
#include "editor/type_name.h"

/* The hint is the nearest existing path: the parent, and the child with the most similar name. */
bool component_refuse_path(struct editor_call *c, const struct scene *s, struct str path)
{
    struct buf missing = {0};
    uint32_t best = SCENE_NONE, parent = scene_follow(s, path, &missing);
    struct nearest near = nearest_make(buf_str(&missing));
    uint32_t child = parent == SCENE_NONE ? s->first_root : s->nodes[parent].first_child;
    for (; child != SCENE_NONE; child = s->nodes[child].next) {
        struct str before = near.best;
        nearest_offer(&near, s->nodes[child].name);
        if (before.p != near.best.p)
            best = child;
    }
    struct buf hint = {0};
    if (best != SCENE_NONE) {
        buf_add(&hint, STR("; did you mean "));
        scene_put_path(s, best, &hint);
        buf_add_char(&hint, '?');
    } else if (parent != SCENE_NONE) {
        buf_add(&hint, STR("; there is "));
        scene_put_path(s, parent, &hint);
        buf_printf(&hint, " with %u children", s->nodes[parent].child_count);
    }
    editor_error_set(c->err, "ERR_OBJECT_NOT_FOUND", "there is no GameObject at %.*s in %.*s%.*s",
                     STR_ARG(path), STR_ARG(s->path), STR_ARG(buf_str(&hint)));
    buf_done(&hint);
    buf_done(&missing);
    return false;
}

bool component_find_node(struct editor_call *c, struct component *out)
{
    struct str path = json_str(json_get(c->args, STR("game_object_path")));
    *out = (struct component){.scene = open_scene_get(c->open_scene, c->err), .index = SCENE_NONE};
    if (out->scene == NULL)
        return false;
    out->node = scene_find(out->scene, path);
    return out->node != SCENE_NONE || component_refuse_path(c, out->scene, path);
}

bool component_has_index(struct editor_call *c, const struct component *of, uint64_t index)
{
    uint32_t count = of->scene->nodes[of->node].component_count;
    if (index < count)
        return true;
    if (count == 0)
        return editor_error_set(c->err, "ERR_COMPONENT_INDEX_OUT_OF_RANGE",
                                "%.*s has no components", STR_ARG(of->scene->nodes[of->node].name));
    return editor_error_set(c->err, "ERR_COMPONENT_INDEX_OUT_OF_RANGE",
                            "%.*s has %u components, 0 to %u: there is no component %llu",
                            STR_ARG(of->scene->nodes[of->node].name), count, count - 1,
                            (unsigned long long)index);
}

bool component_find_any(struct editor_call *c, struct component *out)
{
    uint64_t index = 0;
    if (!component_find_node(c, out))
        return false;
    if (!json_u64(json_get(c->args, STR("index")), &index))
        return editor_error_set(c->err, "ERR_INVALID_PARAMS", "index is missing");
    if (!component_has_index(c, out, index))
        return false;
    out->index = (uint32_t)index;
    out->class = value_class(c->types, out->scene, out->node, out->index);
    return true;
}

bool component_refuse_missing(struct editor_call *c, const struct component *of)
{
    return editor_error_set(
        c->err, "ERR_MISSING_SCRIPT",
        "the script of component %u of %.*s is missing: its fields stay in the file but cannot be "
        "shown; to remove it, call manage_component with component_type \"" COMPONENT_MISSING "\"",
        of->index, STR_ARG(of->scene->nodes[of->node].name));
}

bool component_is_known(const struct component *p, struct editor_error *err)
{
    if (p->class->is_known || p->class->class_id == 114)
        return true;
    return editor_error_set(err, "ERR_UNSUPPORTED_HEADLESS",
                            "the fields of %.*s are not known to the headless editor, so they are "
                            "shown as in the file: set them in Unity",
                            STR_ARG(p->class->name));
}

bool component_find(struct editor_call *c, struct component *out)
{
    return component_find_any(c, out) && (out->class != NULL || component_refuse_missing(c, out));
}

void component_put_owner(struct editor_call *c, const struct component *of)
{
    struct buf path = {0};
    scene_put_path(of->scene, of->node, &path);
    jsonw_kstr(c->out, "game_object_path", buf_str(&path));
    jsonw_kstr(c->out, "game_object_name", of->scene->nodes[of->node].name);
    buf_done(&path);
}

/* ---- adding */

size_t component_count(struct editor_call *c, const struct component *of, struct str class)
{
    size_t count = 0;
    for (uint32_t i = 0; i < of->scene->nodes[of->node].component_count; i++) {
        const struct type_class *k = value_class(c->types, of->scene, of->node, i);
        count += k != NULL && type_class_is_a(k, class);
    }
    return count;
}

void component_put_names(struct editor_call *c, const struct assign *a)
{
    jsonw_key(c->out, "fields_set");
    jsonw_array(c->out);
    for (const struct assign_name *n = a->names; n; n = n->next)
        if (n->reason == NULL)
            jsonw_str(c->out, n->name);
    jsonw_end(c->out);
    jsonw_key(c->out, "fields_skipped");
    jsonw_array(c->out);
    bool any = false;
    for (const struct assign_name *n = a->names; n; n = n->next)
        if (n->reason != NULL) {
            jsonw_str(c->out, n->name);
            any = true;
        }
    jsonw_end(c->out);
    if (!any)
        return;
    jsonw_key(c->out, "skipped_reasons");
    jsonw_object(c->out);
    for (const struct assign_name *n = a->names; n; n = n->next)
        if (n->reason != NULL) {
            jsonw_key_str(c->out, n->name);
            jsonw_cstr(c->out, n->reason);
        }
    jsonw_end(c->out);
}

/* ---- which class */

static bool find_class(struct editor_call *c, const struct type_class **out)
{
    struct str name = json_str(json_get(c->args, STR("component_type")));
    const struct type_class *const *found = NULL;
    size_t count = types_find(c->types, name, &found);
    if (count == 0)
        return editor_error_set(
            c->err, "ERR_COMPONENT_TYPE_NOT_FOUND",
            "there is no class %.*s in Unity, in the packages or in the project's scripts",
            STR_ARG(name));
    if (count > 1)
        return type_name_refuse_several(c, "ERR_COMPONENT_TYPE_AMBIGUOUS", name,
                                        (struct type_list){found, count});
    *out = found[0];
    return true;
}

/* ---- whether Unity allows it */

static bool refuse_class(struct editor_call *c, const struct type_class *class, const char *reason)
{
    return editor_error_set(c->err, "ERR_INVALID_COMPONENT_TYPE", "%.*s %s", STR_ARG(class->name),
                            reason);
}

/* Return whether class is of one side and the GameObject has a component of the other side. */
static bool has_conflict(struct editor_call *c, const struct component *to,
                         const struct type_class *class, const char *const *const sides[2])
{
    for (int way = 0; way < 2; way++) {
        const char *const *mine = sides[way], *const *others = sides[!way];
        for (size_t i = 0; mine[i]; i++)
            for (size_t k = 0; type_class_is_a(class, str_from(mine[i])) && others[k]; k++)
                if (component_count(c, to, str_from(others[k])) > 0)
                    return true;
    }
    return false;
}

/* Check for components that Unity does not allow together on one GameObject. */
static bool fits_components(struct editor_call *c, const struct component *to,
                            const struct type_class *class)
{
    static const char *const flat[] = {"UnityEngine.Rigidbody2D", "UnityEngine.Collider2D",
                                       "UnityEngine.Joint2D", NULL};
    static const char *const solid[] = {"UnityEngine.Rigidbody", "UnityEngine.Collider",
                                        "UnityEngine.Joint", NULL};
    static const char *const sprite[] = {"UnityEngine.SpriteRenderer", NULL};
    static const char *const mesh[] = {"UnityEngine.MeshFilter", NULL};
    if (has_conflict(c, to, class, (const char *const *[]){flat, solid}))
        return refuse_class(c, class,
                            "cannot be combined with the physics component of the other dimension "
                            "(2D or 3D) on this GameObject");
    if (has_conflict(c, to, class, (const char *const *[]){sprite, mesh}))
        return refuse_class(
            c, class, "cannot be added: a GameObject has either a SpriteRenderer or a MeshFilter");
    return true;
}

static bool may_be_added(struct editor_call *c, const struct component *to,
                         const struct type_class *class)
{
    if (!class->is_component)
        return refuse_class(c, class, "is not a Component");
    if (class->is_abstract)
        return refuse_class(c, class, "is abstract: add a class that derives from it");
    if (class->is_editor_only)
        return refuse_class(c, class, "is an editor class: it cannot be on a GameObject");
    if (type_class_is_a(class, STR("UnityEngine.Transform")))
        return refuse_class(c, class, "is a Transform: every GameObject has exactly one already");
    if (class->is_single && component_count(c, to, class->name) > 0)
        return refuse_class(c, class,
                            "is already on this GameObject, which can have only one of it");
    return fits_components(c, to, class);
}

/* ---- required components */

static bool will_have(struct editor_call *c, const struct component *to, const struct addition *a,
                      struct str class)
{
    for (size_t i = 0; i < a->also_count; i++)
        if (type_class_is_a(a->also[i], class))
            return true;
    return component_count(c, to, class) > 0;
}

static bool is_rect(const struct type_class *class)
{
    return str_eq(class->name, STR("UnityEngine.RectTransform"));
}

/* Unity replaces the Transform by a RectTransform. The Transform of an instance belongs to the
 * prefab, whose file would have to change. */
static bool may_become_rect(struct editor_call *c, const struct component *to,
                            const struct change *change, const struct type_class *class)
{
    const struct scene_node *n = &to->scene->nodes[to->node];
    if (change_can_make_rect(change, to->node))
        return true;
    if (n->doc)
        return editor_error_set(
            c->err, "ERR_EDIT_FAILED",
            "%.*s needs a RectTransform, and the file does not have the Transform "
            "of %.*s in the form in which Unity writes it: save the scene in Unity "
            "first",
            STR_ARG(class->name), STR_ARG(n->name));
    struct str path = to->scene->instances[n->instance].source_path;
    return editor_error_set(c->err, "ERR_UNSUPPORTED_HEADLESS",
                            "%.*s needs a RectTransform, and the Transform of %.*s belongs to its "
                            "prefab, which is not changed here: add it to %.*s in Unity, or to a "
                            "GameObject that is not part of a prefab instance",
                            STR_ARG(class->name), STR_ARG(n->name),
                            STR_ARG(path.n ? path : STR("the prefab")));
}

static bool add_required(struct editor_call *c, const struct component *to,
                         const struct type_class *class, struct addition *a, unsigned depth)
{
    for (size_t i = 0; i < class->require_count; i++) {
        const struct type_class *const *found = NULL;
        struct str name = class->requires_[i];
        if (will_have(c, to, a, name))
            continue;
        size_t count = types_find(c->types, name, &found);
        const struct type_class *needed = count > 0 ? found[0] : NULL;
        if (needed == NULL || needed->is_abstract || depth == 0 || a->also_count == ADDITION_MAX)
            return editor_error_set(
                c->err, "ERR_INVALID_COMPONENT_TYPE",
                "%.*s requires a %.*s, which cannot be added by itself: add one first",
                STR_ARG(class->name), STR_ARG(name));
        if (!is_rect(needed) &&
            (!may_be_added(c, to, needed) || !add_required(c, to, needed, a, depth - 1)))
            return false;
        a->makes_rect |= is_rect(needed);
        if (a->also_count == ADDITION_MAX)
            return refuse_class(c, class, "requires too many other components");
        a->also[a->also_count++] = needed;
    }
    return true;
}

static bool find_place(struct editor_call *c, const struct component *to, uint32_t *index)
{
    const struct json *given = json_get(c->args, STR("index"));
    const struct scene_node *n = &to->scene->nodes[to->node];
    uint64_t wanted = 0;
    *index = SCENE_NONE;
    if (given == NULL)
        return true;
    json_u64(given, &wanted);
    if (wanted == 0)
        return editor_error_set(
            c->err, "ERR_INVALID_PARAMS",
            "index 0 belongs to the Transform: a new component can be at 1 to %u",
            n->component_count);
    if (wanted > n->component_count)
        return editor_error_set(c->err, "ERR_COMPONENT_INDEX_OUT_OF_RANGE",
                                "%.*s has %u components: a new one can be at 1 to %u",
                                STR_ARG(n->name), n->component_count, n->component_count);
    *index = (uint32_t)wanted;
    return true;
}

static bool put_fresh(const struct component *to, struct change *change,
                      const struct type_class *class)
{
    struct change_fresh fresh;
    bool ok = change_fresh(change, class, &fresh);
    if (ok)
        change_add(change, to->node, SCENE_NONE, &fresh, NULL);
    change_fresh_done(&fresh);
    return ok;
}

static bool put_required(const struct component *to, struct change *change,
                         const struct addition *a)
{
    for (size_t i = 0; i < a->also_count; i++)
        if (!is_rect(a->also[i]) && !put_fresh(to, change, a->also[i]))
            return false;
    return true;
}

bool component_add(struct editor_call *c, const struct component *to, struct change *change,
                   struct addition *out)
{
    uint32_t index = SCENE_NONE;
    *out = (struct addition){.assign = {.scene = to->scene,
                                        .db = c->db,
                                        .arena = c->arena,
                                        .version = change->version,
                                        .err = c->err}};
    if (!find_class(c, &out->class) || !may_be_added(c, to, out->class) ||
        !find_place(c, to, &index) || !add_required(c, to, out->class, out, 8))
        return false;
    if (!change_is_possible(change, (struct scene_place){to->node, SCENE_NONE}) ||
        (out->makes_rect && !may_become_rect(c, to, change, out->class)))
        return false;
    if (index < to->scene->nodes[to->node].component_count &&
        !change_instance_has_places(change, to->node))
        return editor_error_set(c->err, "ERR_INVALID_PARAMS",
                                "%.*s belongs to a prefab instance of an editor before 2022.2, "
                                "where added components come last: leave index out",
                                STR_ARG(to->scene->nodes[to->node].name));
    if (out->makes_rect)
        change_make_rect(change, to->node);
    /* Without an index the component follows those it requires; with one it comes before them. */
    bool ok = index != SCENE_NONE || put_required(to, change, out);
    struct change_fresh fresh;
    ok = change_fresh(change, out->class, &fresh) && ok;
    struct yaml_value body = {0};
    if (ok)
        body = yaml_body(&fresh.file, &fresh.file.docs[0]);
    ok = ok && assign_fields(&out->assign, out->class, body, json_get(c->args, STR("fields")));
    if (ok)
        change_add(change, to->node, index, &fresh, &out->assign);
    change_fresh_done(&fresh);
    ok = ok && (index == SCENE_NONE || put_required(to, change, out));
    uint32_t count = to->scene->nodes[to->node].component_count;
    out->index = index == SCENE_NONE ? count + (uint32_t)out->also_count - out->makes_rect : index;
    return ok;
}

void component_add_done(struct addition *a)
{
    assign_done(&a->assign);
}
