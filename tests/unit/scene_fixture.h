/* Short forms of scenes and prefabs: macros for documents, and scenes as text. */
#pragma once

#include "project_fixture.h"
#include "unity/scene.h"

#define GUID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define GUID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define GUID_C "cccccccccccccccccccccccccccccccc"

#define FILE_HEAD "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

#define LINK_KEYS                                                                                  \
    "  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n"                \
    "  m_PrefabAsset: {fileID: 0}\n"
#define HAS(id) "  - component: {fileID: " id "}\n"
#define OBJECT(id, name, components)                                                               \
    "--- !u!1 &" id "\nGameObject:\n  m_ObjectHideFlags: 0\n" LINK_KEYS                            \
    "  serializedVersion: 6\n  m_Component:\n" components "  m_Layer: 0\n  m_Name: " name          \
    "\n  m_TagString: Untagged\n  m_IsActive: 1\n"
#define NO_CHILDREN " []\n"
#define CHILD(id)   "\n  - {fileID: " id "}"
#define TRANSFORM(id, object, father, children)                                                    \
    "--- !u!4 &" id "\nTransform:\n  m_ObjectHideFlags: 0\n" LINK_KEYS                             \
    "  m_GameObject: {fileID: " object "}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n"                \
    "  m_Children:" children "  m_Father: {fileID: " father "}\n"
#define ROOT_ORDER(n) "  m_RootOrder: " n "\n"
/* An object and its Transform: 10 has 11. */
#define SIMPLE(n, name, father, children)                                                          \
    OBJECT(n "0", name, HAS(n "1")) TRANSFORM(n "1", n "0", father, children)
#define COMPONENT(class_id, name, id, object, fields)                                              \
    "--- !u!" class_id " &" id "\n" name ":\n  m_ObjectHideFlags: 0\n" LINK_KEYS                   \
    "  m_GameObject: {fileID: " object "}\n  m_Enabled: 1\n" fields
#define SCRIPT(id, object, guid, fields)                                                           \
    COMPONENT("114", "MonoBehaviour", id, object,                                                  \
              "  m_EditorHideFlags: 0\n  m_Script: {fileID: 11500000, guid: " guid                 \
              ", type: 3}\n  m_Name: \n  m_EditorClassIdentifier: \n" fields)
#define STRIPPED(class_id, name, id, source, guid, instance)                                       \
    "--- !u!" class_id " &" id " stripped\n" name                                                  \
    ":\n  m_CorrespondingSourceObject: {fileID: " source ", guid: " guid                           \
    ", type: 3}\n  m_PrefabInstance: {fileID: " instance "}\n  m_PrefabAsset: {fileID: 0}\n"
#define MODIFICATION(target, guid, path, value, object)                                            \
    "    - target: {fileID: " target ", guid: " guid ", type: 3}\n      propertyPath: " path       \
    "\n      value: " value "\n      objectReference: {fileID: " object "}\n"
#define OVERRIDE(target, guid, path, value) MODIFICATION(target, guid, path, value, "0")
#define INSTANCE(id, parent, guid, overrides, rest)                                                \
    "--- !u!1001 &" id "\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"       \
    "  m_Modification:\n    m_TransformParent: {fileID: " parent                                   \
    "}\n    m_Modifications:\n" overrides rest "  m_SourcePrefab: {fileID: 100100000, guid: " guid \
    ", type: 3}\n"
#define NOTHING_REMOVED "    m_RemovedComponents: []\n"
#define ADDED(list, target, guid, index, object)                                                   \
    "    " list ":\n    - targetCorrespondingSourceObject: {fileID: " target ", guid: " guid       \
    ", type: 3}\n      insertIndex: " index "\n      addedObject: {fileID: " object "}\n"
#define SCENE_ROOTS_LIST(ids)                                                                      \
    "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  "              \
    "m_Roots:\n" ids
#define ROOT(id) "  - {fileID: " id "}\n"

static struct assets *assets;
static struct scenes *scenes;
static struct scene *scene;

/* Make a file of documents; NULL ends the list. */
static inline struct buf join(const char *const *documents)
{
    struct buf whole = {0};
    buf_add(&whole, STR(FILE_HEAD));
    for (; *documents; documents++)
        buf_add(&whole, str_from(*documents));
    return whole;
}

#define DOCUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void put_prefab(const char *path, const char *guid, const char *const *documents)
{
    struct buf whole = join(documents);
    put(path, whole.p);
    put_meta(path, guid);
    buf_done(&whole);
}

#define PUT_PREFAB(path, guid, ...) put_prefab(path, guid, DOCUMENTS(__VA_ARGS__))

static inline void open_scenes(void)
{
    if (scenes)
        return;
    open_project();
    assets = assets_open(&project, &sink);
    scenes = scenes_new(&project, assets, &sink);
    buf_clear(&notes);
}

static inline void load(const char *path, const char *const *documents)
{
    open_scenes();
    struct buf whole = join(documents);
    scenes_close(scene);
    scene = scenes_load(scenes, str_from(path), &whole, &err);
    if (!scene)
        fail_msg("%s", err.text);
}

#define LOAD(path, ...) load(path, DOCUMENTS(__VA_ARGS__))

static inline int setup_scenes(void **state)
{
    assets = NULL;
    scenes = NULL;
    scene = NULL;
    return setup(state);
}

static inline int teardown_scenes(void **state)
{
    scenes_close(scene);
    scenes_free(scenes);
    assets_close(assets);
    return teardown(state);
}

/* One indented line per node: name, "-" if inactive, "*" for the root of an instance, #id and the
 * classes of its components. */
static inline void put_tree(const struct scene *s, struct buf *out)
{
    for (uint32_t n = s->first_root; n != SCENE_NONE;) {
        const struct scene_node *node = &s->nodes[n];
        for (uint32_t p = node->parent; p != SCENE_NONE; p = s->nodes[p].parent)
            buf_add(out, STR("  "));
        buf_printf(out, "%.*s%s%s #%lld", STR_ARG(node->name), node->active ? "" : " -",
                   node->is_instance_root ? " *" : "", (long long)node->id);
        for (uint32_t i = 0; i < node->component_count; i++)
            buf_printf(out, " %d", scene_component(s, n, i)->class_id);
        buf_add_char(out, '\n');
        uint32_t next = node->first_child;
        while (next == SCENE_NONE && n != SCENE_NONE) {
            next = s->nodes[n].next;
            n = s->nodes[n].parent;
        }
        n = next;
    }
}

static inline void check_tree(const char *want)
{
    struct buf tree = {0};
    put_tree(scene, &tree);
    CHECK_CSTR(buf_str(&tree), want);
    buf_done(&tree);
}

static inline void check_note(const char *want)
{
    if (str_find(buf_str(&notes), str_from(want)) == notes.n)
        fail_msg("missing diagnostic %s:\n%.*s", want, STR_ARG(buf_str(&notes)));
}

static inline void check_no_notes(void)
{
    CHECK_CSTR(buf_str(&notes), "");
}

static inline uint32_t find(const char *path)
{
    uint32_t n = scene_find(scene, str_from(path));
    if (n == SCENE_NONE)
        fail_msg("no object %s", path);
    return n;
}
