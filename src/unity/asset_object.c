#include "unity/asset_object.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/xxh64.h"
#include "unity/asset_kind.h"
#include "unity/builtin.h"

/* ---- results */

struct object_search {
    const struct asset_db *db;
    const struct asset_query *query;
    struct str path;
    struct guid guid;
    struct reference *out;
    struct error *err;
    struct arena arena;
};

/* Compare names: the class may be known from its file only. */
static bool class_fits(const struct object_search *s, struct str class)
{
    const struct type_class *wanted = s->query->wanted;
    if (wanted == NULL || str_eq(wanted->name, STR("UnityEngine.Object")) ||
        str_eq(wanted->name, class))
        return true;
    const struct type_class *const *found = NULL;
    size_t count = types_find(s->db->types, class, &found);
    return count > 0 && type_class_is_a(found[0], wanted->name);
}

static bool set_result(struct object_search *s, int64_t file_id, int32_t type)
{
    *s->out = (struct reference){.file_id = file_id, .guid = s->guid, .type = type};
    return true;
}

static bool fail_class(struct object_search *s, struct str what)
{
    return error_set(
        s->err, ERR_INVALID_PARAMS, "%.*s is a %.*s, not a %.*s", STR_ARG(s->path), STR_ARG(what),
        STR_ARG(s->query->wanted ? s->query->wanted->name : STR("thing by that name")));
}

static bool fail_name(struct object_search *s, const struct nearest *near, const char *what)
{
    return error_set(s->err, ERR_INVALID_PARAMS, "%.*s has no %s called %.*s%s%.*s%s",
                     STR_ARG(s->path), what, STR_ARG(s->query->name),
                     near->best.n ? "; did you mean " : "", STR_ARG(near->best),
                     near->best.n ? "?" : "");
}

/* Read the asset or its .meta. */
static bool read_bytes(struct object_search *s, bool meta, struct str *text)
{
    struct buf path = {0}, bytes = {0};
    struct error ignored;
    bool ok = assets_file(s->db->assets, s->path, &path);
    if (ok && meta)
        buf_add(&path, STR(".meta"));
    ok = ok && file_read(path.p, YAML_MAX_BYTES, &bytes, &ignored);
    if (ok)
        *text = arena_str(&s->arena, buf_str(&bytes));
    buf_done(&path);
    buf_done(&bytes);
    return ok;
}

/* ---- YAML files */

static struct str find_class_of(struct object_search *s, const struct yaml_file *f,
                                const struct yaml_doc *d)
{
    struct reference script = {0};
    struct yaml_value body = yaml_body(f, d);
    if (d->class_id == 114)
        yaml_reference(yaml_get(body, STR("m_Script")), &script);
    struct str identifier = yaml_text(&s->arena, yaml_get(body, STR("m_EditorClassIdentifier")));
    const struct type_class *c = types_component(s->db->types, d->class_id, script, identifier);
    if (c != NULL)
        return c->name;
    const struct builtin_class *b = builtin_class(d->class_id);
    return d->class_id == 114 || b == NULL ? STR("UnityEngine.ScriptableObject")
                                           : str_from(b->type);
}

static bool find_in_file(struct object_search *s, const struct asset_kind *k, struct yaml_file *f)
{
    struct nearest near = nearest_make(s->query->name);
    struct str other = {0};
    const struct yaml_doc *main = yaml_find(f, k->file_id);
    if (main == NULL && f->count > 0)
        main = &f->docs[0];
    /* The main object first, then the others in the order of the file. */
    for (size_t i = 0; i <= f->count; i++) {
        const struct yaml_doc *d = i == 0 ? main : &f->docs[i - 1];
        if (d == NULL || (i > 0 && d == main))
            continue;
        struct str name = yaml_text(&s->arena, yaml_get(yaml_body(f, d), STR("m_Name")));
        struct str class = find_class_of(s, f, d);
        if (s->query->name.n && !str_eq(name, s->query->name)) {
            nearest_offer(&near, name);
            continue;
        }
        if (class_fits(s, class))
            return set_result(s, d->file_id, k->type);
        if (!other.n)
            other = class;
    }
    return other.n ? fail_class(s, other) : fail_name(s, &near, "object");
}

static bool find_by_kind(struct object_search *s, const struct asset_kind *k)
{
    struct str text;
    struct yaml_file f;
    struct yaml_error error;
    if (k->type == 2 && read_bytes(s, false, &text) && yaml_split(&f, text, &error)) {
        bool ok = find_in_file(s, k, &f);
        yaml_done(&f);
        return ok;
    }
    if (s->query->name.n && !str_eq(s->query->name, asset_kind_stem(s->path)))
        return fail_name(s, &(struct nearest){.best = asset_kind_stem(s->path)}, "object");
    return class_fits(s, str_from(k->class)) ? set_result(s, k->file_id, k->type)
                                             : fail_class(s, str_from(k->class));
}

/* ---- prefabs */

static bool find_in_prefab(struct object_search *s)
{
    struct scene *p = scenes_open(s->db->scenes, s->path, s->err);
    if (p == NULL)
        return false;
    bool ok = false;
    uint32_t root = p->first_root;
    if (root != SCENE_NONE && class_fits(s, STR("UnityEngine.GameObject")))
        ok = set_result(s, p->nodes[root].id, 3);
    for (uint32_t i = 0; !ok && root != SCENE_NONE && i < p->nodes[root].component_count; i++) {
        const struct scene_component *m = scene_component(p, root, i);
        const struct type_class *c =
            types_component(s->db->types, m->class_id, m->script, (struct str){0});
        if (c != NULL && class_fits(s, c->name))
            ok = set_result(s, m->id, 3);
    }
    scenes_close(p);
    return ok || fail_class(s, STR("prefab whose root has no such component"));
}

/* ---- images and models, by their .meta */

/* Find an object of a class by name in both forms of the table. */
static bool find_in_table(struct object_search *s, struct yaml_value importer, int64_t class_id,
                          struct nearest *near, int64_t *id)
{
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(yaml_get(importer, STR("internalIDToNameTable")));
    char key[24];
    int length = snprintf(key, sizeof key, "%lld", (long long)class_id);
    while (yaml_next(&walk, &item)) {
        struct yaml_value number =
            yaml_get(yaml_get(item.value, STR("first")), str_make(key, (size_t)length));
        struct str name = yaml_text(&s->arena, yaml_get(item.value, STR("second")));
        if (number.kind == YAML_NONE || !yaml_i64(number, id))
            continue;
        if (!s->query->name.n || str_eq(name, s->query->name))
            return true;
        nearest_offer(near, name);
    }
    walk = yaml_walk(yaml_get(importer, STR("fileIDToRecycleName")));
    while (yaml_next(&walk, &item)) {
        if (!str_to_i64(item.key, id) || *id / 100000 != class_id)
            continue;
        struct str name = yaml_text(&s->arena, item.value);
        if (!s->query->name.n || str_eq(name, s->query->name))
            return true;
        nearest_offer(near, name);
    }
    return false;
}

static struct yaml_value read_importer(struct object_search *s, struct str key)
{
    struct str text;
    if (!read_bytes(s, true, &text))
        return (struct yaml_value){0};
    return yaml_get(yaml_plain(text), key);
}

static bool find_sprite(struct object_search *s)
{
    struct yaml_value importer = read_importer(s, STR("TextureImporter"));
    struct nearest near = nearest_make(s->query->name);
    int64_t mode = 0, id = 0;
    yaml_i64(yaml_get(importer, STR("spriteMode")), &mode);
    if (mode == 0)
        return fail_class(s, STR("texture that is not imported as a sprite"));
    if (mode == 1 && (!s->query->name.n || str_eq(s->query->name, asset_kind_stem(s->path))))
        return set_result(s, 21300000, 3);
    if (find_in_table(s, importer, 213, &near, &id))
        return set_result(s, id, 3);
    struct yaml_item item;
    struct yaml_walk walk =
        yaml_walk(yaml_get(yaml_get(importer, STR("spriteSheet")), STR("nameFileIdTable")));
    while (yaml_next(&walk, &item)) {
        struct str name = yaml_text(&s->arena, (struct yaml_value){YAML_SCALAR, 0, item.key});
        if ((!s->query->name.n || str_eq(name, s->query->name)) && yaml_i64(item.value, &id))
            return set_result(s, id, 3);
        nearest_offer(&near, name);
    }
    return fail_name(s, &near, "sprite");
}

static bool find_in_image(struct object_search *s)
{
    struct str texture = STR("UnityEngine.Texture2D");
    const struct type_class *wanted = s->query->wanted;
    if ((wanted != NULL && str_eq(wanted->name, STR("UnityEngine.Sprite"))) ||
        (s->query->name.n && !str_eq(s->query->name, asset_kind_stem(s->path))))
        return find_sprite(s);
    if (class_fits(s, texture) || (wanted && str_eq(wanted->name, STR("UnityEngine.Cubemap"))))
        return set_result(s, 2800000, 3);
    return fail_class(s, texture);
}

/* Ids in newer models are hashes of names: valid if the file contains the name. */
static bool find_by_hash(struct object_search *s, const char *class)
{
    struct str bytes, name = s->query->name;
    if (read_bytes(s, false, &bytes) && !memmem(bytes.p, bytes.n, name.p, name.n) &&
        !str_eq(name, STR("default")))
        return fail_name(s, &(struct nearest){0}, class);
    struct buf text = {0};
    buf_printf(&text, "Type:%s->%.*s0", class, STR_ARG(name));
    int64_t id = (int64_t)xxh64(buf_str(&text));
    buf_done(&text);
    return set_result(s, id, 3);
}

static bool find_in_model(struct object_search *s)
{
    static const struct {
        const char *class, *name;
        int32_t id;
    } parts[] = {{"UnityEngine.Mesh", "Mesh", 43},
                 {"UnityEngine.AnimationClip", "AnimationClip", 74},
                 {"UnityEngine.Material", "Material", 21},
                 {"UnityEngine.Avatar", "Avatar", 90}};
    struct yaml_value importer = read_importer(s, STR("ModelImporter"));
    struct nearest near = nearest_make(s->query->name);
    int64_t generation = 0, id = 0;
    yaml_i64(yaml_get(yaml_get(importer, STR("meshes")), STR("fileIdsGeneration")), &generation);
    bool is_old = yaml_get(importer, STR("fileIDToRecycleName")).kind != YAML_NONE;
    if (!s->query->name.n && class_fits(s, STR("UnityEngine.GameObject")))
        return set_result(s, is_old || generation == 1 ? 100000 : 919132149155446097, 3);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!class_fits(s, str_from(parts[i].class)))
            continue;
        if (find_in_table(s, importer, parts[i].id, &near, &id))
            return set_result(s, id, 3);
        if (s->query->name.n && !is_old)
            return find_by_hash(s, parts[i].name);
        return s->query->name.n ? fail_name(s, &near, parts[i].name)
                                : error_set(s->err, ERR_INVALID_PARAMS,
                                            "%.*s may hold several of %s: say which by name",
                                            STR_ARG(s->path), parts[i].class);
    }
    return fail_class(s, STR("model"));
}

/* ---- the asset */

/* AssetDatabase has two paths for all built-in resources. */
static bool is_builtin(struct str path)
{
    return str_eq(path, STR("Resources/unity_builtin_extra")) ||
           str_eq(path, STR("Library/unity default resources"));
}

static bool fail_asset(struct object_search *s, struct str path)
{
    struct nearest near = nearest_make(asset_kind_stem(path));
    size_t best = SIZE_MAX, count = assets_count(s->db->assets);
    for (size_t i = 0; i < count; i++) {
        struct asset a = assets_at(s->db->assets, i);
        struct str before = near.best;
        if (str_eq(a.path, path))
            return error_set(s->err, ERR_IO,
                             "%.*s has no .meta file with a GUID yet: Unity makes "
                             "one when it opens the project",
                             STR_ARG(path));
        if (!guid_is_zero(a.guid) &&
            str_eq_nocase(asset_kind_extension(a.path), asset_kind_extension(path)))
            nearest_offer(&near, asset_kind_stem(a.path));
        if (near.best.p != before.p)
            best = i;
    }
    struct str hint = best == SIZE_MAX ? (struct str){0} : assets_at(s->db->assets, best).path;
    return error_set(s->err, ERR_IO, "there is no asset %.*s%s%.*s%s", STR_ARG(path),
                     hint.n ? "; did you mean " : "", STR_ARG(hint), hint.n ? "?" : "");
}

static bool find_asset(struct object_search *s)
{
    struct str path = s->query->path;
    if (str_starts(path, STR("guid:"))) {
        if (!guid_parse(str_skip(path, 5), &s->guid))
            return error_set(s->err, ERR_INVALID_PARAMS, "%.*s: a GUID has 32 hexadecimal digits",
                             STR_ARG(path));
        s->path = assets_path(s->db->assets, s->guid);
        return s->path.n || fail_asset(s, path);
    }
    s->path = path;
    return assets_guid(s->db->assets, path, &s->guid) || fail_asset(s, path);
}

static bool find_object(struct object_search *s)
{
    s->path = s->query->path;
    if (is_builtin(s->path))
        return builtin_resource_by_label(s->query->name, s->out) ||
               fail_name(s, &(struct nearest){0}, "resource");
    if (!find_asset(s))
        return false;
    struct str extension = asset_kind_extension(s->path);
    const struct asset_kind *k = asset_kind_of(s->path);
    if (str_eq(extension, STR(".prefab")))
        return find_in_prefab(s);
    if (asset_kind_is_image(extension))
        return find_in_image(s);
    if (asset_kind_is_model(extension))
        return find_in_model(s);
    if (k != NULL)
        return find_by_kind(s, k);
    return error_set(s->err, ERR_INVALID_PARAMS,
                     "%.*s: which object Unity makes of such a file is not known",
                     STR_ARG(s->path));
}

bool asset_object_find(const struct asset_db *db, const struct asset_query *q,
                       struct reference *out, struct error *err)
{
    struct object_search s = {.db = db, .query = q, .out = out, .err = err};
    bool ok = find_object(&s);
    arena_done(&s.arena);
    return ok;
}

/* ---- from references to names */

/* Return the class of a document, and its name. */
static struct str read_type_in_file(struct object_search *s, int64_t file_id, struct arena *a,
                                    struct str *name)
{
    struct str text, class = {0};
    struct yaml_file f;
    struct yaml_error error;
    if (!read_bytes(s, false, &text) || !yaml_split(&f, text, &error))
        return class;
    const struct yaml_doc *d = yaml_find(&f, file_id);
    if (d != NULL) {
        struct str stored = yaml_text(&s->arena, yaml_get(yaml_body(&f, d), STR("m_Name")));
        if (stored.n)
            *name = arena_str(a, stored);
        class = arena_str(a, type_simple_name(find_class_of(s, &f, d)));
    }
    yaml_done(&f);
    return class;
}

/* Find the name of an id in any of the tables. */
static bool find_name_in_meta(struct yaml_value importer, int64_t wanted, struct yaml_value *name)
{
    struct yaml_value sheet = yaml_get(importer, STR("spriteSheet"));
    struct yaml_item item, first;
    int64_t id = 0;
    struct yaml_walk walk = yaml_walk(yaml_get(importer, STR("internalIDToNameTable")));
    while (yaml_next(&walk, &item)) {
        struct yaml_walk inner = yaml_walk(yaml_get(item.value, STR("first")));
        *name = yaml_get(item.value, STR("second"));
        if (yaml_next(&inner, &first) && yaml_i64(first.value, &id) && id == wanted)
            return true;
    }
    walk = yaml_walk(yaml_get(importer, STR("fileIDToRecycleName")));
    while (yaml_next(&walk, &item)) {
        *name = item.value;
        if (str_to_i64(item.key, &id) && id == wanted)
            return true;
    }
    walk = yaml_walk(yaml_get(sheet, STR("nameFileIdTable")));
    while (yaml_next(&walk, &item)) {
        *name = (struct yaml_value){YAML_SCALAR, 0, item.key};
        if (yaml_i64(item.value, &id) && id == wanted)
            return true;
    }
    return false;
}

bool asset_object_part(const struct asset_db *db, struct reference r, struct arena *a,
                       struct str *name)
{
    struct object_search s = {.db = db, .guid = r.guid, .path = assets_path(db->assets, r.guid)};
    struct str extension = asset_kind_extension(s.path);
    struct yaml_value found, importer = {0};
    int64_t mode = 0;
    if (asset_kind_is_image(extension) && r.file_id != 2800000) {
        importer = read_importer(&s, STR("TextureImporter"));
        yaml_i64(yaml_get(importer, STR("spriteMode")), &mode);
    } else if (asset_kind_is_model(extension) && r.file_id != 100000) {
        importer = read_importer(&s, STR("ModelImporter"));
    }
    bool ok = mode != 1 && find_name_in_meta(importer, r.file_id, &found);
    if (ok)
        *name = arena_str(a, yaml_text(&s.arena, found));
    arena_done(&s.arena);
    return ok && name->n > 0;
}

struct str asset_object_type(const struct asset_db *db, struct reference r, struct arena *a,
                             struct str *name)
{
    static const struct asset_query any = {.wanted = NULL};
    struct object_search s = {.db = db, .query = &any, .guid = r.guid};
    s.path = assets_path(db->assets, r.guid);
    *name = asset_kind_stem(s.path);
    asset_object_part(db, r, a, name);
    struct str type = {0}, extension = asset_kind_extension(s.path);
    const struct asset_kind *k = asset_kind_of(s.path);
    /* In prefabs and models it may be a GameObject or a component: the type of the field
     * decides. */
    if (asset_kind_is_image(extension))
        type = r.file_id == 2800000 ? STR("Texture2D") : STR("Sprite");
    else if (k != NULL && (k->file_id != r.file_id || str_eq(extension, STR(".asset"))))
        type = read_type_in_file(&s, r.file_id, a, name);
    if (!type.n && k != NULL && k->file_id == r.file_id)
        type = type_simple_name(str_from(k->class));
    arena_done(&s.arena);
    return type;
}
