#include "editor/change.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/id.h"
#include "editor/assign_shape.h"
#include "editor/change_internal.h"
#include "unity/builtin.h"

struct change_list {
    struct yaml_item item;
    size_t place;
    struct buf lines;
    struct change_list *next;
};

struct change_doc {
    int64_t id;
    struct str text;
    struct change_doc *next;
};

/* ---- beginning and end */

/* A file that an older editor saved keeps the form of its links: Unity would convert all of them on
 * save, an edit changes only what was requested. */
static struct version find_form(const struct scene *s, struct version project)
{
    static const struct version v2017 = {.major = 2017, .minor = 4},
                                v2018 = {.major = 2018, .minor = 2};
    struct str text = s->file.text;
    bool is_new = !version_is_known(project) ||
                  version_cmp(project, (struct version){.major = 2018, .minor = 3}) >= 0;
    if (is_new && memmem(text.p, text.n, "\n  m_PrefabInstance: ", 21))
        return project;
    if (memmem(text.p, text.n, "\n  m_PrefabParentObject: ", 25))
        return v2017;
    if (memmem(text.p, text.n, "\n  m_PrefabInternal: ", 21))
        return v2018;
    return project;
}

void change_init(struct change *c, const struct scene *scene, const struct asset_db *db,
                 const struct project *project, struct arena *arena)
{
    *c = (struct change){.scene = scene, .types = db->types, .arena = arena};
    c->version = find_form(scene, project->version);
    c->style = yaml_write_style(&scene->file, project->version, project->inline_maps);
}

static int by_id(const struct change_doc *a, const struct change_doc *b)
{
    return a->id < b->id ? -1 : a->id > b->id;
}

void change_doc_add(struct change *c, int64_t id, struct str text)
{
    struct change_doc *d = arena_zalloc(c->arena, sizeof *d);
    d->id = id;
    d->text = arena_str(c->arena, text);
    struct change_doc **at = &c->docs;
    while (*at && by_id(*at, d) < 0)
        at = &(*at)->next;
    d->next = *at;
    *at = d;
}

static bool is_sorted(const struct yaml_file *f)
{
    for (size_t i = 1; i < f->count; i++)
        if (f->docs[i - 1].file_id > f->docs[i].file_id)
            return false;
    return true;
}

static void put_doc(struct change *c, const struct change_doc *d, size_t at)
{
    struct yaml_file *f = change_file(c);
    struct buf text = {0};
    if (at == f->text.n && at > 0 && f->text.p[at - 1] != '\n')
        yaml_write_newline(&text, &c->style);
    for (size_t i = 0; i < d->text.n; i++)
        if (d->text.p[i] == '\n')
            yaml_write_newline(&text, &c->style);
        else
            buf_add_char(&text, d->text.p[i]);
    yaml_edit_insert(&c->edit, f, f->text.p + at, buf_str(&text));
    buf_done(&text);
}

/* Scenes and some prefabs are sorted by id; other files get new documents at their end. */
static void put_docs(struct change *c)
{
    const struct yaml_file *f = change_file(c);
    bool sorted = is_sorted(f);
    size_t i = 0;
    for (const struct change_doc *d = c->docs; d; d = d->next) {
        while (sorted && i < f->count && f->docs[i].file_id < d->id)
            i++;
        put_doc(c, d, sorted && i < f->count ? f->docs[i].at : f->text.n);
    }
}

void change_finish(struct change *c)
{
    for (struct change_list *l = c->lists; l; l = l->next)
        yaml_edit_list_insert(&c->edit, change_file(c), &l->item, l->place, buf_str(&l->lines));
    put_docs(c);
}

void change_done(struct change *c)
{
    for (struct change_list *l = c->lists; l; l = l->next)
        buf_done(&l->lines);
    yaml_edit_done(&c->edit);
}

void change_list_add(struct change *c, const struct yaml_item *list, size_t place, struct str lines)
{
    struct change_list **at = &c->lists;
    while (*at && ((*at)->item.lines.p != list->lines.p || (*at)->place != place))
        at = &(*at)->next;
    if (*at == NULL) {
        *at = arena_zalloc(c->arena, sizeof **at);
        (*at)->item = *list;
        (*at)->place = place;
    }
    buf_add(&(*at)->lines, lines);
}

/* ---- documents and ids */

/* Not const, because finding a document may build the index of the file. */
struct yaml_file *change_file(const struct change *c)
{
    return (struct yaml_file *)&c->scene->file;
}

const struct yaml_doc *change_find(const struct change *c, int64_t id)
{
    return yaml_find(change_file(c), id);
}

static bool is_free(struct change *c, int64_t id)
{
    struct scene_place at;
    if (id <= 0 || change_find(c, id) || scene_where(c->scene, id, &at))
        return false;
    for (const struct change_doc *d = c->docs; d; d = d->next)
        if (d->id == id)
            return false;
    return true;
}

/* Ids have 31 bits in scenes and 63 in prefabs. Ids of related objects are consecutive. */
int64_t change_new_id(struct change *c, int64_t near)
{
    int64_t id = (near > c->last_id ? near : c->last_id) + 1;
    if (!c->scene->is_prefab && near > 0 && near < INT32_MAX - 4096)
        for (; id < INT32_MAX; id++)
            if (is_free(c, id))
                return c->last_id = id;
    do {
        uint64_t random = 0;
        id_bytes(&random, sizeof random);
        id = (int64_t)(random & (c->scene->is_prefab ? INT64_MAX : INT32_MAX));
    } while (!is_free(c, id));
    return id;
}

/* ---- what cannot be changed */

/* Entries are inserted as lines, so a non-empty list in brackets cannot take them. */
static bool takes_lines(struct yaml_value list)
{
    return list.kind != YAML_NONE && (list.kind != YAML_FLOW_LIST || yaml_count(list) == 0);
}

static bool has_lists(const struct change *c, uint32_t instance)
{
    struct yaml_value body = yaml_body(&c->scene->file, c->scene->instances[instance].doc);
    struct yaml_value all = yaml_get(body, STR("m_Modification"));
    struct yaml_value added = yaml_get(all, STR("m_AddedComponents")); /* since 2022.2 */
    return all.kind == YAML_MAP && takes_lines(yaml_get(all, STR("m_Modifications"))) &&
           takes_lines(yaml_get(all, STR("m_RemovedComponents"))) &&
           (added.kind == YAML_NONE || takes_lines(added));
}

static bool has_form(const struct change *c, const struct yaml_doc *doc, bool needs_list)
{
    struct yaml_value body = yaml_body(&c->scene->file, doc);
    return body.kind == YAML_MAP &&
           (!needs_list || takes_lines(yaml_get(body, STR("m_Component"))));
}

static bool refuse_broken(struct change *c, uint32_t node, const struct scene_instance *in)
{
    char guid[GUID_LEN + 1];
    guid_print(in->guid, guid);
    struct str name = c->scene->nodes[node].name, path = in->source_path;
    if (path.n == 0)
        return editor_error_set(c->err, "ERR_UNSUPPORTED_HEADLESS",
                                "%.*s is an instance of a missing prefab (GUID %s), so its ids are "
                                "not known: restore the prefab first",
                                STR_ARG(name), guid);
    return editor_error_set(
        c->err, "ERR_UNSUPPORTED_HEADLESS",
        "%.*s is an instance of %.*s, which cannot be read as a prefab or a model, so "
        "its ids are not known: repair that asset first",
        STR_ARG(name), STR_ARG(path));
}

bool change_is_possible(struct change *c, struct scene_place at)
{
    const struct scene_node *n = &c->scene->nodes[at.node];
    bool is_node = at.component == SCENE_NONE;
    const struct scene_component *m =
        is_node ? NULL : scene_component(c->scene, at.node, at.component);
    const struct yaml_doc *doc = is_node ? n->doc : m->doc;
    struct reference target = {0};
    if (m && m->class_id == 0 &&
        m->instance == SCENE_NONE) { /* only an entry in the list of the GameObject */
        doc = n->doc;
        is_node = true;
    }
    uint32_t instance = is_node ? n->instance : m->instance;
    if (!doc && instance != SCENE_NONE && c->scene->instances[instance].is_broken)
        return refuse_broken(c, at.node, &c->scene->instances[instance]);
    if (!doc && (!scene_target(c->scene, at, &target) || target.file_id == 0))
        return editor_error_set(
            c->err, "ERR_UNSUPPORTED_HEADLESS",
            "%.*s belongs to a model, and its id in it is not known: change it in Unity",
            STR_ARG(n->name));
    if (!doc && m && m->class_id == 0)
        return editor_error_set(
            c->err, "ERR_UNSUPPORTED_HEADLESS",
            "component %u of %.*s is an entry of the prefab %.*s that points to "
            "nothing: remove it there",
            at.component, STR_ARG(n->name), STR_ARG(c->scene->instances[instance].source_path));
    if (doc ? has_form(c, doc, is_node) : has_lists(c, instance))
        return true;
    return editor_error_set(
        c->err, "ERR_EDIT_FAILED",
        "the file does not have %.*s in the form in which Unity writes it: save the "
        "scene in Unity first",
        STR_ARG(n->name));
}

/* ---- the registry of [SerializeReference] objects at the end of a document */

static void put_line(struct buf *out, const struct yaml_style *style, uint32_t indent,
                     const char *text)
{
    buf_printf(out, "%*s%s", (int)indent, "", text);
    yaml_write_newline(out, style);
}

static void put_null(struct buf *out, const struct yaml_style *style, uint32_t indent)
{
    put_line(out, style, indent, "- rid: -2");
    put_line(out, style, indent + 2, "type: {class: , ns: , asm: }");
}

static bool has_null(struct yaml_value list)
{
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &item);) {
        int64_t rid;
        if (yaml_i64(yaml_get(item.value, STR("rid")), &rid) && rid == -2)
            return true;
    }
    return false;
}

static void put_registry(struct buf *out, const struct yaml_style *style, bool with_null)
{
    put_line(out, style, 2, "references:");
    put_line(out, style, 4, "version: 2");
    put_line(out, style, 4, with_null ? "RefIds:" : "RefIds: []");
    if (with_null)
        put_null(out, style, 4);
}

static void add_null_entry(struct yaml_edit *e, const struct yaml_style *style, struct yaml_file *f,
                           struct yaml_value body)
{
    struct yaml_value all = yaml_get(body, STR("references"));
    struct yaml_item list;
    struct buf text = {0};
    if (all.kind == YAML_NONE) {
        const char *at = body.text.p + body.text.n;
        bool is_open = at > f->text.p && at[-1] != '\n'; /* the text lacks its last line end */
        if (is_open)
            yaml_write_newline(&text, style);
        put_registry(&text, style, true);
        text.n -= is_open ? 1 + style->crlf : 0;
        yaml_edit_insert(e, f, at, buf_str(&text));
    } else if (yaml_get_item(all, STR("RefIds"), &list) && !has_null(list.value)) {
        put_null(&text, style, list.value.kind == YAML_LIST ? list.value.indent : 4);
        yaml_edit_list_insert(e, f, &list, 0, buf_str(&text));
    }
    buf_done(&text);
}

static bool has_managed(const struct type_class *c, bool as_value);

/* as_value: ignore lists, which are empty in a new value. The depth of types is limited. */
static bool is_managed(const struct type *t, bool as_value)
{
    if (t->kind == TYPE_MANAGED)
        return true;
    if (t->kind == TYPE_ARRAY)
        return !as_value && is_managed(t->element, as_value);
    return t->kind == TYPE_STRUCT && has_managed(t->of, as_value);
}

static bool has_managed(const struct type_class *c, bool as_value)
{
    for (size_t i = 0; c && i < c->field_count; i++)
        if (!c->fields[i].is_left_out && is_managed(c->fields[i].type, as_value))
            return true;
    return false;
}

/* Editors before 2021.2 have a registry of another form, which they write on demand. */
static void put_new_registry(const struct change *c, struct buf *out,
                             const struct type_class *class)
{
    static const struct version first = {.major = 2021, .minor = 2};
    struct yaml_style lf = c->style;
    lf.crlf = false;
    if (version_is_known(c->version) && version_cmp(c->version, first) < 0)
        return;
    if (has_managed(class, false))
        put_registry(out, &lf, has_managed(class, true));
}

/* ---- fields of a document */

/* Return where to insert a field that the map lacks: after the nearest earlier field, else before
 * the first later one. */
static const char *find_place(const struct type_class *class, const struct type_field *f,
                              struct yaml_value map)
{
    struct yaml_item item;
    size_t at = 0;
    while (at < class->field_count && &class->fields[at] != f)
        at++;
    for (size_t i = at; i-- > 0;)
        if (yaml_get_item(map, class->fields[i].key, &item))
            return item.lines.p + item.lines.n;
    for (size_t i = at + 1; i < class->field_count; i++)
        if (yaml_get_item(map, class->fields[i].key, &item))
            return item.lines.p;
    return map.text.p + map.text.n;
}

/* A document whose fields are set. */
struct document_target {
    struct yaml_edit *edit;
    const struct yaml_style *style;
    struct yaml_file *file;
    struct yaml_value body;
    const struct type_class *class;
    struct arena *arena;
};

static void set_value(const struct document_target *t, const struct assign_set *s)
{
    struct yaml_value map = t->body;
    const struct type_class *class = t->class;
    struct yaml_item item = {0};
    struct buf text = {0};
    for (size_t i = 0; i + 1 < s->length; i++) {
        bool found = yaml_get_item(map, s->path[i]->key, &item);
        assert(found &&
               item.value.kind == YAML_MAP); /* assign.c makes no deeper paths than the file has */
        map = item.value;
        class = s->path[i]->type->of;
    }
    const struct type_field *last = s->path[s->length - 1];
    bool is_there = yaml_get_item(map, last->key, &item);
    if (is_there && draft_is(s->draft, item.value, t->arena))
        return;
    if (is_there) {
        draft_put(&text, t->style, map.indent, s->draft);
        struct str bytes = buf_str(&text);
        yaml_edit_set(t->edit, t->file, &item,
                      bytes.n && bytes.p[0] == ' ' ? str_skip(bytes, 1) : bytes);
    } else {
        const char *at = find_place(class, last, map);
        bool is_open =
            at > t->file->text.p && at[-1] != '\n'; /* the text lacks its last line end */
        if (is_open)
            yaml_write_newline(&text, t->style);
        draft_put_line(&text, t->style, map.indent, s->draft);
        text.n -= is_open ? 1 + t->style->crlf : 0;
        yaml_edit_insert(t->edit, t->file, at, buf_str(&text));
    }
    buf_done(&text);
}

static void set_values(const struct document_target *t, const struct assign *a)
{
    bool has_null = false;
    for (const struct assign_set *s = a->first; s; s = s->next) {
        set_value(t, s);
        has_null = has_null || draft_has_null(s->draft);
    }
    if (has_null)
        add_null_entry(t->edit, t->style, t->file, t->body);
}

void change_set(struct change *c, struct scene_place at, const struct type_class *class,
                struct assign *a)
{
    const struct scene_component *target = scene_component(c->scene, at.node, at.component);
    change_instance_resolve(c, a);
    if (target->doc == NULL) {
        change_instance_override(c, at, a);
        return;
    }
    struct document_target t = {&c->edit,       &c->style,
                                change_file(c), yaml_body(&c->scene->file, target->doc),
                                class,          c->arena};
    set_values(&t, a);
}

/* ---- a new component */

static const struct str HEAD = STR_INIT("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n");

/* Newer editors write the name of the class: "Assembly-CSharp::MyGame.EnemyChaser". */
static void put_identifier(struct change *c, struct buf *out, const struct type_class *class)
{
    static const struct version first = {.major = 6000, .minor = 2, .patch = 10};
    struct str assembly = types_source_assembly(c->types, class->path);
    buf_add(out, STR("  m_EditorClassIdentifier: "));
    if (version_is_known(c->version) && version_cmp(c->version, first) >= 0 && assembly.n)
        buf_printf(out, "%.*s::%.*s", STR_ARG(assembly), STR_ARG(class->name));
    buf_add_char(out, '\n');
}

static void put_script_body(struct change *c, struct buf *out, const struct type_class *class)
{
    struct yaml_style lf = c->style;
    lf.crlf = false;
    struct assign a = {.arena = c->arena, .version = c->version, .err = c->err};
    buf_add(out, STR("  m_ObjectHideFlags: 0\n"));
    change_instance_put_links(c, out, (struct reference){0}, 0);
    buf_add(out, STR("  m_GameObject: {fileID: 0}\n  m_Enabled: 1\n  m_EditorHideFlags: 0\n"));
    buf_add(out, STR("  m_Script: "));
    yaml_write_reference(out, &lf, (struct yaml_place){2, 12}, class->script);
    buf_add(out, STR("\n  m_Name: \n"));
    put_identifier(c, out, class);
    for (size_t i = 0; i < class->field_count; i++) {
        const struct type_field *f = &class->fields[i];
        if (!f->is_internal && !f->is_read_only && assign_shape_is_written(&a, f) &&
            !str_eq(f->key, STR("m_Enabled")))
            draft_put_line(out, &lf, 2, assign_initial(&a, f));
    }
    put_new_registry(c, out, class);
    assign_done(&a);
}

bool change_fresh(struct change *c, const struct type_class *class, struct change_fresh *out)
{
    const struct builtin_class *b = builtin_class(class->class_id);
    struct yaml_error parse_error;
    *out = (struct change_fresh){.class = class};
    buf_add(&out->text, HEAD);
    buf_printf(&out->text, "--- !u!%d &1\n%s:\n", class->class_id, b ? b->yaml_key : "");
    if (class->class_id == 114)
        put_script_body(c, &out->text, class);
    else if (b == NULL || !builtin_new_body(b, c->version, &out->text))
        return editor_error_set(c->err, "ERR_INVALID_COMPONENT_TYPE",
                                "the format of a new %.*s is not known: add it in Unity",
                                STR_ARG(class->name));
    bool ok = yaml_split(&out->file, buf_str(&out->text), &parse_error);
    assert(ok && out->file.count == 1);
    return true;
}

void change_fresh_done(struct change_fresh *f)
{
    yaml_done(&f->file);
    buf_done(&f->text);
}

/* In old files the key of an entry is the class id. */
static void put_component_line(struct change *c, struct buf *out, const struct yaml_item *list,
                               int32_t class_id, int64_t id)
{
    struct yaml_item first, entry;
    struct yaml_walk walk;
    bool is_old = false;
    if (yaml_item_at(list->value, 0, &first)) {
        walk = yaml_walk(first.value);
        is_old = yaml_next(&walk, &entry) && !str_eq(entry.key, STR("component"));
    }
    buf_printf(out, "%*s- ", (int)(list->value.kind == YAML_LIST ? list->value.indent : 2), "");
    if (is_old)
        buf_printf(out, "%d: {fileID: %lld}", class_id, (long long)id);
    else
        buf_printf(out, "component: {fileID: %lld}", (long long)id);
    yaml_write_newline(out, &c->style);
}

static int64_t id_of_entry(struct yaml_value entry)
{
    struct yaml_item item = {0};
    struct yaml_walk walk = yaml_walk(entry);
    struct reference r = {0};
    if (yaml_next(&walk, &item))
        yaml_reference(item.value, &r);
    return r.file_id;
}

/* Return the index of a component in m_Component. It may differ from its index on the GameObject,
 * because the Transform is always shown first. */
static size_t entry_index(const struct change *c, struct scene_place at,
                          const struct yaml_item *list)
{
    int64_t id = scene_component(c->scene, at.node, at.component)->id;
    struct yaml_item entry;
    if (yaml_item_at(list->value, at.component, &entry) && id_of_entry(entry.value) == id)
        return at.component;
    struct yaml_walk walk = yaml_walk(list->value);
    size_t i = 0;
    while (yaml_next(&walk, &entry) && id_of_entry(entry.value) != id)
        i++;
    return i;
}

static bool find_component_list(const struct change *c, uint32_t node, struct yaml_item *list)
{
    struct yaml_value body = yaml_body(&c->scene->file, c->scene->nodes[node].doc);
    return yaml_get_item(body, STR("m_Component"), list);
}

/* at.component: its new index; SCENE_NONE: the end. */
static void add_to_list(struct change *c, struct scene_place at, int32_t class_id, int64_t id)
{
    struct yaml_item list;
    bool found = find_component_list(c, at.node, &list);
    assert(found); /* checked by change_is_possible() */
    bool at_end = at.component >= c->scene->nodes[at.node].component_count;
    struct buf line = {0};
    put_component_line(c, &line, &list, class_id, id);
    change_list_add(c, &list, at_end ? yaml_count(list.value) : entry_index(c, at, &list),
                    buf_str(&line));
    buf_done(&line);
}

/* The ids of a GameObject and its components are consecutive; a new one follows the last. */
static int64_t find_last_id(const struct change *c, uint32_t node)
{
    const struct scene_node *n = &c->scene->nodes[node];
    int64_t last = n->doc ? n->id : c->scene->instances[n->instance].id;
    for (uint32_t i = 0; i < n->component_count; i++) {
        const struct scene_component *m = scene_component(c->scene, node, i);
        /* Before 2022.2 components added to an instance have the order of their documents. */
        if (m->doc && m->id > last && (n->doc == NULL || m->id - last < 4096))
            last = m->id;
    }
    return last;
}

static struct str compose_fresh(struct change *c, struct change_fresh *fresh, struct assign *a,
                                int64_t game_object)
{
    struct yaml_style lf = c->style;
    lf.crlf = false;
    struct yaml_edit e = {0};
    struct yaml_value body = yaml_body(&fresh->file, &fresh->file.docs[0]);
    struct yaml_item item;
    struct buf owner = {0}, text = {0};
    if (yaml_get_item(body, STR("m_GameObject"), &item)) {
        buf_printf(&owner, "{fileID: %lld}", (long long)game_object);
        yaml_edit_set(&e, &fresh->file, &item, buf_str(&owner));
    }
    if (a)
        set_values(&(struct document_target){&e, &lf, &fresh->file, body, fresh->class, c->arena},
                   a);
    yaml_edit_apply(&e, fresh->file.text, &text);
    struct str all = arena_str(c->arena, buf_str(&text));
    yaml_edit_done(&e);
    buf_done(&text);
    buf_done(&owner);
    return all;
}

void change_add(struct change *c, uint32_t node, uint32_t index, struct change_fresh *fresh,
                struct assign *a)
{
    const struct scene_node *n = &c->scene->nodes[node];
    struct scene_place owner = {node, SCENE_NONE};
    if (a)
        change_instance_resolve(c, a);
    int64_t game_object = n->doc ? n->id : change_instance_refer(c, owner);
    int64_t id = change_new_id(c, find_last_id(c, node));
    struct str text = compose_fresh(c, fresh, a, game_object);
    struct str body = str_skip(text, HEAD.n); /* "--- !u!54 &1\n..." */
    struct buf doc = {0};
    buf_printf(&doc, "--- !u!%d &%lld", fresh->class->class_id, (long long)id);
    buf_add(&doc, str_skip(body, str_find_char(body, '\n')));
    change_doc_add(c, id, buf_str(&doc));
    buf_done(&doc);
    if (n->doc)
        add_to_list(c, (struct scene_place){node, index}, fresh->class->class_id, id);
    else
        change_instance_added(c, node, index, id);
}

/* ---- removing and moving */

/* Return whether "{fileID: 7}" is a whole value, not a part of a text. */
static bool is_reference_at(struct str text, size_t at, size_t n)
{
    bool begins = at > 1 && (text.p[at - 1] == '[' ||
                             (text.p[at - 1] == ' ' && strchr(":-,", text.p[at - 2]) != NULL));
    return begins && (at + n == text.n || strchr("\r\n,]}", text.p[at + n]) != NULL);
}

static bool is_inside(const char *at, struct str span)
{
    return span.n > 0 && at >= span.p && at < span.p + span.n;
}

/* Set references to a removed document to null, as Unity does. list: the list with its own entry,
 * which is removed as a whole. */
static void clear_references(struct change *c, const struct yaml_doc *gone, struct str list)
{
    struct yaml_file *f = change_file(c);
    struct str doc = str_make(f->text.p + gone->at, gone->end - gone->at);
    char text[64];
    size_t n = (size_t)snprintf(text, sizeof text, "{fileID: %lld}", (long long)gone->file_id);
    const char *at = f->text.p, *end = at + f->text.n;
    for (; (at = memmem(at, (size_t)(end - at), text, n)) != NULL; at += n) {
        if (is_inside(at, doc) || is_inside(at, list) ||
            !is_reference_at(f->text, (size_t)(at - f->text.p), n))
            continue;
        yaml_edit_replace(&c->edit, f, str_make(at, n), STR("{fileID: 0}"));
        c->cleared++;
    }
}

void change_remove_doc(struct change *c, const struct yaml_doc *doc, struct str list)
{
    const struct yaml_file *f = change_file(c);
    clear_references(c, doc, list);
    yaml_edit_remove(&c->edit, f, str_make(f->text.p + doc->at, doc->end - doc->at));
    change_instance_drop_stand_ins(c, doc);
}

void change_remove(struct change *c, struct scene_place at)
{
    const struct scene_component *m = scene_component(c->scene, at.node, at.component);
    const struct scene_node *n = &c->scene->nodes[at.node];
    struct yaml_item list = {0};
    if (m->doc == NULL && m->instance == SCENE_NONE) { /* an entry without a target */
        if (find_component_list(c, at.node, &list))
            yaml_edit_list_remove(&c->edit, change_file(c), &list, entry_index(c, at, &list));
    } else if (m->doc == NULL) {
        change_instance_removed(c, at);
    } else if (n->doc == NULL) {
        change_instance_unadded(c, at);
    } else {
        if (find_component_list(c, at.node, &list))
            yaml_edit_list_remove(&c->edit, change_file(c), &list, entry_index(c, at, &list));
        change_remove_doc(c, m->doc, list.lines);
    }
}

bool change_move(struct change *c, uint32_t node, uint32_t from, uint32_t to)
{
    struct yaml_item list, entry;
    if (c->scene->nodes[node].doc == NULL || !find_component_list(c, node, &list))
        return false;
    size_t old = entry_index(c, (struct scene_place){node, from}, &list);
    size_t new = entry_index(c, (struct scene_place){node, to}, &list);
    if (!yaml_item_at(list.value, old, &entry))
        return false;
    struct str lines = arena_str(c->arena, entry.lines);
    yaml_edit_list_remove(&c->edit, change_file(c), &list, old);
    yaml_edit_list_insert(&c->edit, change_file(c), &list, to > from ? new + 1 : new, lines);
    return true;
}

/* ---- a Transform that becomes a RectTransform */

#define TRANSFORM 4

bool change_can_make_rect(const struct change *c, uint32_t node)
{
    if (c->scene->nodes[node].component_count == 0)
        return false;
    const struct scene_component *m = scene_component(c->scene, node, 0);
    return m->doc && m->class_id == TRANSFORM && yaml_count(yaml_body(change_file(c), m->doc)) > 0;
}

static void set_class(struct change *c, const struct yaml_doc *d)
{
    const struct yaml_file *f = change_file(c);
    const char *from = f->text.p + d->at + strlen("--- !u!"), *to = from;
    while (isdigit((unsigned char)*to))
        to++;
    yaml_edit_replace(&c->edit, f, str_make(from, (size_t)(to - from)), STR("224"));
    yaml_edit_replace(&c->edit, f, yaml_class_name(f, d), STR("RectTransform"));
}

/* In old files the key of an entry is the class id. */
static void set_entry(struct change *c, uint32_t node, int64_t id)
{
    const struct yaml_doc *owner = c->scene->nodes[node].doc;
    struct yaml_item entry, inner;
    if (owner == NULL)
        return;
    struct yaml_value list = yaml_get(yaml_body(change_file(c), owner), STR("m_Component"));
    for (struct yaml_walk walk = yaml_walk(list); yaml_next(&walk, &entry);) {
        struct yaml_walk in = yaml_walk(entry.value);
        struct reference r = {0};
        if (yaml_next(&in, &inner) && str_eq(inner.key, STR("4")) &&
            yaml_reference(inner.value, &r) && r.file_id == id)
            yaml_edit_replace(&c->edit, change_file(c), inner.key, STR("224"));
    }
}

/* The x and y of the position become the position of the pivot relative to the anchors; only z
 * stays in m_LocalPosition. */
static void put_anchors(struct change *c, struct buf *out, struct yaml_value body)
{
    struct yaml_value position = yaml_get(body, STR("m_LocalPosition"));
    struct str x = yaml_get(position, STR("x")).text, y = yaml_get(position, STR("y")).text;
    struct str at = arena_printf(c->arena, "{x: %.*s, y: %.*s}", STR_ARG(x.n ? x : STR("0")),
                                 STR_ARG(y.n ? y : STR("0")));
    const struct {
        struct str key, value;
    } lines[] = {
        {STR("m_AnchorMin"), STR("{x: 0.5, y: 0.5}")},
        {STR("m_AnchorMax"), STR("{x: 0.5, y: 0.5}")},
        {STR("m_AnchoredPosition"), at},
        {STR("m_SizeDelta"), STR("{x: 100, y: 100}")},
        {STR("m_Pivot"), STR("{x: 0.5, y: 0.5}")},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (yaml_get(body, lines[i].key).kind != YAML_NONE)
            continue;
        buf_printf(out, "%*s%.*s: %.*s", (int)body.indent, "", STR_ARG(lines[i].key),
                   STR_ARG(lines[i].value));
        yaml_write_newline(out, &c->style);
    }
}

static void move_to_anchors(struct change *c, struct yaml_value body)
{
    const struct yaml_file *f = change_file(c);
    struct yaml_item item = {0};
    struct buf lines = {0};
    for (struct yaml_walk walk = yaml_walk(body); yaml_next(&walk, &item);)
        ; /* the last one */
    const char *end = item.lines.p + item.lines.n;
    bool is_open = end[-1] != '\n'; /* the text lacks its last line end */
    if (is_open)
        yaml_write_newline(&lines, &c->style);
    put_anchors(c, &lines, body);
    lines.n -= is_open ? 1 + c->style.crlf : 0;
    yaml_edit_insert(&c->edit, f, end, buf_str(&lines));
    buf_done(&lines);
    struct yaml_value position = yaml_get(body, STR("m_LocalPosition"));
    for (struct str part = STR("xy"); part.n > 0; part = str_skip(part, 1))
        if (yaml_get_item(position, str_head(part, 1), &item))
            yaml_edit_set(&c->edit, f, &item, STR("0"));
}

void change_make_rect(struct change *c, uint32_t node)
{
    const struct scene_component *m = scene_component(c->scene, node, 0);
    struct yaml_value body = yaml_body(change_file(c), m->doc);
    struct yaml_item version;
    set_class(c, m->doc);
    set_entry(c, node, m->id);
    if (yaml_get_item(body, STR("serializedVersion"), &version)) /* a RectTransform has none */
        yaml_edit_remove(&c->edit, change_file(c), version.lines);
    move_to_anchors(c, body);
}
