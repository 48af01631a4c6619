/* Components that need a RectTransform, added to GameObjects with a plain Transform. */
#include "editor/change.h"
#include "editor_fixture.h"

#define PANEL(list)                                                                                \
    SCENE_HEAD "--- !u!1 &10\n"                                                                    \
               "GameObject:\n"                                                                     \
               "  m_Component:\n" list "  m_Name: Panel\n"
#define TRANSFORM(head, version, position, rest)                                                   \
    "--- !u!" head ":\n"                                                                           \
    "  m_GameObject: {fileID: 10}\n" version "  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n"       \
    "  m_LocalPosition: " position "\n"                                                            \
    "  m_LocalScale: {x: 2, y: 1, z: 1}\n"                                                         \
    "  m_Children: []\n"                                                                           \
    "  m_Father: {fileID: 0}\n" rest
#define ANCHORS(position)                                                                          \
    "  m_AnchorMin: {x: 0.5, y: 0.5}\n"                                                            \
    "  m_AnchorMax: {x: 0.5, y: 0.5}\n"                                                            \
    "  m_AnchoredPosition: " position "\n"                                                         \
    "  m_SizeDelta: {x: 100, y: 100}\n"                                                            \
    "  m_Pivot: {x: 0.5, y: 0.5}\n"
#define RENDERER(id)                                                                               \
    "--- !u!222 &" id "\n"                                                                         \
    "CanvasRenderer:\n"                                                                            \
    "  m_ObjectHideFlags: 0\n"                                                                     \
    "  m_CorrespondingSourceObject: {fileID: 0}\n"                                                 \
    "  m_PrefabInstance: {fileID: 0}\n"                                                            \
    "  m_PrefabAsset: {fileID: 0}\n"                                                               \
    "  m_GameObject: {fileID: 10}\n"                                                               \
    "  m_CullTransparentMesh: 1\n"
#define WATCHER                                                                                    \
    "--- !u!137 &40\n"                                                                             \
    "SkinnedMeshRenderer:\n"                                                                       \
    "  m_GameObject: {fileID: 0}\n"                                                                \
    "  m_RootBone: {fileID: 11}\n"

static const char plain[] = PANEL("  - component: {fileID: 11}\n")
    TRANSFORM("4 &11\nTransform", "  serializedVersion: 2\n", "{x: 1.5, y: -2, z: 3}",
              "  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}\n") WATCHER;

static void open_panel(const char *text)
{
    put(MAIN, text);
    open_editor(NULL);
}

static bool add(const char *type)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments,
             "{'action':'add','game_object_path':'Panel','component_type':'%s'}", type);
    return run("manage_component", arguments);
}

/* The file without its one document that begins with that text. */
static void check_file_but(const char *head, const char *want)
{
    struct buf got = {0};
    assert_true(file_read(MAIN, 1 << 20, &got, NULL));
    struct str text = buf_str(&got);
    size_t at = str_find(text, str_from(head));
    assert_true(at < text.n);
    struct str rest = str_skip(text, at + 1);
    size_t n = str_find(rest, STR("--- !u!"));
    memmove(got.p + at, rest.p + n, rest.n - n);
    CHECK_CSTR(str_make(got.p, at + rest.n - n), want);
    buf_done(&got);
}

TEST_FIXTURE(setup, teardown);

TEST(transform_becomes_a_rect_transform_in_place)
{
    open_panel(plain);
    assert_true(add("RawImage"));
    assert_true(answer_has("'index':2,"));
    assert_true(
        answer_has("'also_added':['UnityEngine.CanvasRenderer','UnityEngine.RectTransform']"));
    check_file_but("--- !u!114 &13",
                   PANEL("  - component: {fileID: 11}\n"
                         "  - component: {fileID: 12}\n"
                         "  - component: {fileID: 13}\n")
                       TRANSFORM("224 &11\nRectTransform", "", "{x: 0, y: 0, z: 3}",
                                 "  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}\n" ANCHORS(
                                     "{x: 1.5, y: -2}")) RENDERER("12") WATCHER);
    assert_true(run("get_component_info", "{'game_object_path':'Panel','index':0}"));
    assert_true(answer_has("'component_type':'UnityEngine.RectTransform'"));
    assert_true(run("undo", "{}"));
    check_file(MAIN, plain);
    assert_true(run("redo", "{}"));
    assert_true(run("undo", "{}"));
    check_file(MAIN, plain);
}

TEST(every_component_that_requires_one_gets_it)
{
    static const char *const types[] = {"Canvas",
                                        "Image",
                                        "Text",
                                        "VerticalLayoutGroup",
                                        "GridLayoutGroup",
                                        "GraphicRaycaster",
                                        "CanvasScaler",
                                        "Slider",
                                        "Mine",
                                        "Drawn"};
    put("Assets/Mine.cs", "using UnityEngine;\n"
                          "[RequireComponent(typeof(RectTransform))]\n"
                          "public class Mine : MonoBehaviour { }\n");
    put_meta("Assets/Mine.cs", "000000000000000000000000000000aa");
    put("Assets/Drawn.cs", "public class Drawn : UnityEngine.UI.MaskableGraphic { }\n");
    put_meta("Assets/Drawn.cs", "000000000000000000000000000000ab");
    open_panel(plain);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!add(types[i]))
            fail_msg("%s: %s", types[i], failure.text);
        if (!answer_has("'UnityEngine.RectTransform'"))
            fail_msg("%s: %.*s", types[i], STR_ARG(buf_str(&answer)));
        assert_true(run("get_component_info", "{'game_object_path':'Panel','index':0}"));
        assert_true(answer_has("'component_type':'UnityEngine.RectTransform'"));
        assert_true(run("undo", "{}"));
        check_file(MAIN, plain);
    }
}

TEST(existing_rect_transform_is_unchanged)
{
    open_panel(PANEL("  - component: {fileID: 11}\n") TRANSFORM(
        "224 &11\nRectTransform", "", "{x: 0, y: 0, z: 3}", ANCHORS("{x: 7, y: 8}")) WATCHER);
    assert_true(add("Mask"));
    assert_false(answer_has("also_added"));
    check_file_but("--- !u!114 &12",
                   PANEL("  - component: {fileID: 11}\n"
                         "  - component: {fileID: 12}\n")
                       TRANSFORM("224 &11\nRectTransform", "", "{x: 0, y: 0, z: 3}",
                                 ANCHORS("{x: 7, y: 8}")) WATCHER);
}

TEST(component_with_an_index_precedes_those_it_requires)
{
    open_panel(plain);
    assert_true(run("manage_component", "{'action':'add','game_object_path':'Panel',"
                                        "'component_type':'RawImage','index':1}"));
    assert_true(answer_has("'index':1,"));
    assert_true(run("get_scene_hierarchy", "{}"));
    assert_true(answer_has("['UnityEngine.RectTransform','UnityEngine.UI.RawImage',"
                           "'UnityEngine.CanvasRenderer']"));
}

/* Files of old editors have the class in the list; other programs omit the last line end. */
TEST(list_with_class_keys_gets_the_new_class)
{
    static const char before[] = PANEL("  - 4: {fileID: 11}\n")
        TRANSFORM("4 &11\nTransform", "", "{x: 1, y: 2, z: 3}", "  m_RootOrder: 0");
    open_panel(before);
    assert_true(add("LayoutElement"));
    struct buf got = {0};
    assert_true(file_read(MAIN, 1 << 20, &got, NULL));
    static const char want[] = PANEL("  - 224: {fileID: 11}\n"
                                     "  - 114: {fileID: 12}\n")
        TRANSFORM("224 &11\nRectTransform", "", "{x: 0, y: 0, z: 3}",
                  "  m_RootOrder: 0\n" ANCHORS("{x: 1, y: 2}")) "--- !u!114 &12\n";
    CHECK_CSTR(str_head(buf_str(&got), strlen(want)), want);
    buf_done(&got);
    assert_true(run("undo", "{}"));
    check_file(MAIN, before);
}

TEST(crlf_line_ends_are_kept)
{
    struct buf text = {0}, got = {0};
    for (const char *c = plain; *c; c++)
        buf_printf(&text, "%s%c", *c == '\n' ? "\r" : "", *c);
    open_panel(text.p);
    assert_true(add("LayoutElement"));
    assert_true(file_read(MAIN, 1 << 20, &got, NULL));
    for (size_t i = 0; i < got.n; i++)
        assert_true(got.p[i] != '\n' || got.p[i - 1] == '\r');
    assert_true(str_find(buf_str(&got), STR("\r\n  m_Pivot: {x: 0.5, y: 0.5}\r\n---")) < got.n);
    assert_true(run("undo", "{}"));
    check_file(MAIN, text.p);
    buf_done(&text);
    buf_done(&got);
}

#define PART_GUID "000000000000000000000000000000aa"

TEST(transform_of_an_instance_is_refused)
{
    static const char scene[] =
        SCENE_HEAD "--- !u!1001 &30\n"
                   "PrefabInstance:\n"
                   "  m_ObjectHideFlags: 0\n"
                   "  serializedVersion: 2\n"
                   "  m_Modification:\n"
                   "    serializedVersion: 3\n"
                   "    m_TransformParent: {fileID: 0}\n"
                   "    m_Modifications: []\n"
                   "    m_RemovedComponents: []\n"
                   "    m_RemovedGameObjects: []\n"
                   "    m_AddedGameObjects: []\n"
                   "    m_AddedComponents: []\n"
                   "  m_SourcePrefab: {fileID: 100100000, guid: " PART_GUID ", type: 3}\n";
    put("Assets/Part.prefab", plain);
    put_meta("Assets/Part.prefab", PART_GUID);
    open_panel(scene);
    assert_false(add("Image"));
    CHECK_CSTR(str_from(failure.code), "ERR_UNSUPPORTED_HEADLESS");
    assert_non_null(strstr(failure.text, "add it to Assets/Part.prefab in Unity"));
    assert_false(failure.was_executed);
    check_file(MAIN, scene);
    assert_true(add("AudioSource"));
}
