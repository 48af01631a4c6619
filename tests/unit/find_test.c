/* find_component_types and find_assets of the headless editor. */
#include <sys/stat.h>

#include "editor_fixture.h"

#define PAGE(count, total) "],'count':" count ",'total_count':" total ",'truncated':false}"
#define TYPE(space, name, script, can_add)                                                         \
    "{'type':'" space "." name "','name':'" name "','namespace':'" space "','script':" script      \
    ",'can_add':" can_add "}"

/* ---- find_component_types */

TEST_FIXTURE(setup, teardown);

TEST(classes_are_found_by_a_part_of_their_name)
{
    put("Assets/Door.cs", "namespace My.Game { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/Door.cs", "00000000000000000000000000000001");
    put("Assets/Ürdoor.cs", "class Ürdoor : UnityEngine.MonoBehaviour { }");
    put_meta("Assets/Ürdoor.cs", "00000000000000000000000000000002");
    open_editor(NULL);
    ANSWERS("find_component_types", "{'query':'my.GAME.d'}",
            "{'types':[" TYPE("My.Game", "Door", "'Assets/Door.cs'", "true") PAGE("1", "1"));
    ANSWERS("find_component_types", "{'query':'üRD'}",
            "{'types':[{'type':'Ürdoor','name':'Ürdoor','namespace':'',"
            "'script':'Assets/Ürdoor.cs','can_add':true}" PAGE("1", "1"));
    ANSWERS("find_component_types", "{'query':'y.*d'}", "{'types':[" PAGE("0", "0"));
    ANSWERS("find_component_types", "{'query':'door','offset':7}", "{'types':[" PAGE("0", "2"));
    ANSWERS(
        "find_component_types", "{'query':'door','max_results':1}",
        "{'types':[" TYPE("My.Game", "Door", "'Assets/Door.cs'",
                          "true") "],'count':1,'total_count':2,'truncated':true,'next_offset':1}");
    assert_true(run("find_component_types", "{'query':'','max_results':1000}"));
    assert_true(answer_has("'UnityEngine.Rigidbody'") && answer_has("'My.Game.Door'"));
    assert_false(answer_has("'UnityEngine.Transform'") || answer_has("'can_add':false"));
}

TEST(base_lists_classes_that_cannot_be_added_too)
{
    open_editor(NULL);
    ANSWERS("find_component_types", "{'base':'Transform'}",
            "{'types':[" TYPE("UnityEngine", "RectTransform", "null", "false") "," TYPE(
                "UnityEngine", "Transform", "null", "false") PAGE("2", "2"));
    ANSWERS("find_component_types", "{'base':'UnityEngine.Collider','query':'box'}",
            "{'types':[" TYPE("UnityEngine", "BoxCollider", "null", "true") PAGE("1", "1"));
    ANSWERS("find_component_types", "{'base':'GameObject'}", "{'types':[" PAGE("0", "0"));
    REFUSES("find_component_types", "{'base':'Colider'}", "ERR_TYPE_NOT_FOUND", "leave base out");
    assert_false(failure.was_executed);
}

TEST(classes_with_the_same_name_are_ambiguous)
{
    put("Assets/A/Door.cs", "namespace A { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/A/Door.cs", "00000000000000000000000000000001");
    put("Assets/B/Door.cs", "namespace B { class Door : UnityEngine.MonoBehaviour { } }");
    put_meta("Assets/B/Door.cs", "00000000000000000000000000000002");
    open_editor(NULL);
    REFUSES("find_component_types", "{'base':'Door'}", "ERR_TYPE_AMBIGUOUS", "A.Door, B.Door");
    CHECK_CSTR(buf_str(&failure.details), "{\"candidates\":[\"A.Door\",\"B.Door\"]}");
}

/* manage_component accepts every class that is listed without a base. */
TEST(listed_classes_can_be_added)
{
    struct arena a = {0};
    struct buf all = {0}, call = {0};
    put("Assets/Door.cs", "class Door : UnityEngine.MonoBehaviour { }");
    put_meta("Assets/Door.cs", "00000000000000000000000000000001");
    open_editor(NULL);
    assert_true(run("find_component_types", "{'max_results':1000}"));
    buf_add(&all, buf_str(&answer));
    quotes(&all, '\'', '"');
    const struct json *types = json_get(json_parse(&a, buf_str(&all), NULL, NULL), STR("types"));
    assert_true(json_count(types) > 100);
    JSON_ITEMS (types, t) {
        buf_clear(&call);
        buf_printf(&call, "{'action':'add','game_object_path':'/Enemy','component_type':'%.*s'}",
                   STR_ARG(json_str(json_get(t, STR("type")))));
        if (run("manage_component", call.p))
            assert_true(run("undo", "{}"));
        else if (!strstr(failure.text, "requires a"))
            fail_msg("%s: %s", call.p, failure.text);
    }
    buf_done(&all);
    buf_done(&call);
    arena_done(&a);
}

/* ---- find_assets */

#define GUID(digits)           "000000000000000000000000000000" digits
#define META(digits, importer) "fileFormatVersion: 2\nguid: " GUID(digits) "\n" importer
#define ITEM(path, name, type, digits, more)                                                       \
    "{'path':'" path "','name':'" name "','type':'" type                                           \
    "','guid':'" GUID(digits) "','set':{'$asset':'" path "'" more "}}"
#define NAME(name)     ",'name':'" name "'"
#define SCRIPT(digits) "  m_Script: {fileID: 11500000, guid: " GUID(digits) ", type: 3}\n"

static void put_with_meta(const char *path, const char *text, const char *meta)
{
    struct buf name = {0};
    put(path, text);
    buf_printf(&name, "%s.meta", path);
    put(name.p, meta);
    buf_done(&name);
}

/* A component with a field of each class, on Enemy. */
static void put_holder(void)
{
    put_with_meta("Assets/Holder.cs",
                  "using UnityEngine;\nclass Holder : MonoBehaviour {\n"
                  "public Material material; public Sprite sprite; public Texture texture;\n"
                  "public Texture2D flat; public GameObject prefab; public Collider collider;\n"
                  "public Mesh mesh; public AudioClip clip; public ScriptableObject data;\n"
                  "public Loot loot; public Object any; public Door door; public Motion motion;\n"
                  "public RuntimeAnimatorController animator; public TextAsset text; }\n",
                  META("01", ""));
    put_with_meta("Assets/Loot.cs", "class Loot : UnityEngine.ScriptableObject { }",
                  META("02", ""));
    put_with_meta("Assets/Rare.cs", "class Rare : Loot { }", META("03", ""));
    put_with_meta("Assets/Door.cs", "class Door : UnityEngine.MonoBehaviour { }", META("04", ""));
}

static void hold(void)
{
    open_editor(NULL);
    assert_true(run("manage_component",
                    "{'action':'add','game_object_path':'/Enemy','component_type':'Holder'}"));
}

/* A field of that class accepts each listed asset and shows the same one. */
static void check_taken(const char *field, const char *type)
{
    struct arena a = {0};
    struct buf all = {0}, call = {0}, set = {0};
    buf_printf(&call, "{'type':'%s','max_results':1000}", type);
    assert_true(run("find_assets", call.p));
    buf_add(&all, buf_str(&answer));
    quotes(&all, '\'', '"');
    const struct json *found = json_get(json_parse(&a, buf_str(&all), NULL, NULL), STR("assets"));
    JSON_ITEMS (found, item) {
        struct jsonw w = jsonw_make(&set);
        buf_clear(&set);
        jsonw_value(&w, json_get(item, STR("set")));
        quotes(&set, '"', '\'');
        buf_clear(&call);
        buf_printf(&call,
                   "{'action':'update','game_object_path':'/Enemy','index':1,"
                   "'fields':{'%s':%s}}",
                   field, set.p);
        if (!run("manage_component", call.p))
            fail_msg("%s: %s", call.p, failure.text);
        buf_clear(&call);
        buf_printf(&call,
                   "{'game_object_path':'/Enemy','index':1,'describe':true,"
                   "'fields':['%s']}",
                   field);
        assert_true(run("get_component_info", call.p));
        buf_clear(&call);
        buf_printf(&call, "'set':%s", set.p);
        if (!answer_has(call.p))
            fail_msg("%s %s", call.p, answer.p);
    }
    buf_done(&all);
    buf_done(&call);
    buf_done(&set);
    arena_done(&a);
}

TEST(assets_are_found_by_their_kind)
{
    put_holder();
    put_with_meta("Assets/Art/Red.mat", SCENE_HEAD "--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n",
                  META("10", ""));
    put_with_meta("Assets/Art/Broken.mat", "PK\001\002", META("11", ""));
    put_with_meta("Assets/boom.WAV", "RIFF", META("12", ""));
    put_with_meta("Packages/com.me.kit/package.json", "{\"name\": \"com.me.kit\"}", META("13", ""));
    put_with_meta("Packages/com.me.kit/Ärger.mat", "", META("14", ""));
    put("Assets/Art/NoMeta.mat", "");
    put("Assets/Art/Gone.mat.meta", META("15", ""));
    put_with_meta("Assets/what.xyz", "?", META("16", ""));
    hold();
#define RED    ITEM("Assets/Art/Red.mat", "Red", "UnityEngine.Material", "10", "")
#define BROKEN ITEM("Assets/Art/Broken.mat", "Broken", "UnityEngine.Material", "11", "")
#define ANGER  ITEM("Packages/com.me.kit/Ärger.mat", "Ärger", "UnityEngine.Material", "14", "")
#define BOOM   ITEM("Assets/boom.WAV", "boom", "UnityEngine.AudioClip", "12", "")
    ANSWERS("find_assets", "{'type':'Material'}",
            "{'assets':[" BROKEN "," RED "," ANGER PAGE("3", "3"));
    ANSWERS("find_assets", "{'type':'UnityEngine.Material','query':'äRG'}",
            "{'assets':[" ANGER PAGE("1", "1"));
    ANSWERS("find_assets", "{'type':'Material','query':'/ART/r'}",
            "{'assets':[" RED PAGE("1", "1"));
    ANSWERS("find_assets", "{'type':'Material','query':''}",
            "{'assets':[" BROKEN "," RED "," ANGER PAGE("3", "3"));
    ANSWERS("find_assets", "{'type':'Material','folder':'Assets/Art/','max_results':1}",
            "{'assets':[" BROKEN "],'count':1,'total_count':2,'truncated':true,'next_offset':1}");
    ANSWERS("find_assets", "{'type':'Material','folder':'Packages'}",
            "{'assets':[" ANGER PAGE("1", "1"));
    ANSWERS("find_assets", "{'type':'Material','offset':3}", "{'assets':[" PAGE("0", "3"));
    ANSWERS("find_assets", "{'type':'AudioClip'}", "{'assets':[" BOOM PAGE("1", "1"));
    ANSWERS("find_assets", "{'type':'Material','query':'.*'}", "{'assets':[" PAGE("0", "0"));
    ANSWERS("find_assets", "{'query':'what'}", "{'assets':[" PAGE("0", "0"));
    REFUSES("find_assets", "{'folder':'Assets/Ar'}", "ERR_INVALID_PARAMS", "Packages/NAME");
    REFUSES("find_assets", "{'folder':'Assets/boom.WAV'}", "ERR_INVALID_PARAMS", "no folder");
    REFUSES("find_assets", "{'type':'Materiel'}", "ERR_TYPE_NOT_FOUND", "without type");
    REFUSES("find_assets", "{'type':'UnityEngine.Vector3'}", "ERR_TYPE_NOT_FOUND",
            "not a class of");
    check_taken("material", "Material");
    check_taken("clip", "AudioClip");
    check_taken("text", "TextAsset");
    check_taken("any", "Object");
}

#define SHEET(tables, sprites)                                                                     \
    "TextureImporter:\n" tables "  textureShape: 1\n  spriteMode: 2\n"                             \
    "  spriteSheet:\n    sprites:" sprites "\n"

TEST(sprites_are_found_inside_images)
{
    put_holder();
    put_with_meta("Assets/one.png", "PNG",
                  META("20", "TextureImporter:\n  textureShape: 1\n  spriteMode: 1\n"));
    put_with_meta("Assets/plain.png", "PNG", META("21", "TextureImporter:\n  spriteMode: 0\n"));
    put_with_meta("Assets/sky.png", "PNG", META("22", "TextureImporter:\n  textureShape: 2\n"));
    put_with_meta(
        "Assets/old.png", "PNG",
        META("23", SHEET("  fileIDToRecycleName:\n    21300000: b\n    21300002: 'a: 1'\n",
                         "\n    - name: b\n    - name: 'a: 1'\n")));
    put_with_meta("Assets/new.png", "PNG",
                  META("24", SHEET("  internalIDToNameTable:\n  - first:\n      213: 77\n"
                                   "    second: new\n  - first:\n      213: 78\n"
                                   "    second: long ago\n",
                                   "\n    - name: new\n")));
    put_with_meta("Assets/table.png", "PNG",
                  META("25", SHEET("", "\n    - name: '1: x'\n    nameFileIdTable:\n"
                                       "      '1: x': 5\n")));
    hold();
    ANSWERS(
        "find_assets", "{'type':'Sprite'}",
        "{'assets':[" ITEM(
            "Assets/new.png", "new", "UnityEngine.Sprite", "24",
            NAME("new")) "," ITEM("Assets/old.png", "a: 1", "UnityEngine.Sprite", "23",
                                  NAME(
                                      "a: 1")) "," ITEM("Assets/old.png", "b", "UnityEngine.Sprite",
                                                        "23",
                                                        NAME(
                                                            "b")) "," ITEM("Assets/one.png", "one",
                                                                           "UnityEngine.Sprite",
                                                                           "20",
                                                                           "") "," ITEM("Assets/"
                                                                                        "table.png",
                                                                                        "1: x",
                                                                                        "UnityEngin"
                                                                                        "e.Sprite",
                                                                                        "25",
                                                                                        NAME(
                                                                                            "1: x"))
            PAGE("5", "5"));
    ANSWERS("find_assets", "{'type':'Cubemap'}",
            "{'assets':[" ITEM("Assets/sky.png", "sky", "UnityEngine.Cubemap", "22", "")
                PAGE("1", "1"));
    assert_true(run("find_assets", "{'type':'Texture2D'}"));
    assert_true(answer_has("'total_count':5") && !answer_has("sky"));
    assert_true(run("find_assets", "{'type':'Texture'}"));
    assert_true(answer_has("'total_count':6") && answer_has("sky"));
    check_taken("sprite", "Sprite");
    check_taken("texture", "Texture");
    check_taken("flat", "Texture2D");
    check_taken("any", "Object");
    put("Assets/one.png.meta", META("20", "TextureImporter:\n  spriteMode: 0\n"));
    assert_true(run("find_assets", "{'type':'Sprite','query':'one'}"));
    assert_true(answer_has("'total_count':0"));
}

TEST(objects_are_found_inside_models_and_files)
{
    put_holder();
    put_with_meta("Assets/new.fbx", "FBX",
                  META("30", "ModelImporter:\n  internalIDToNameTable:\n  - first:\n      43: 9\n"
                             "    second: Body\n  - first:\n      74: 8\n    second: Run\n"
                             "  - first:\n      74: 7\n    second: __preview__Run\n"));
    put_with_meta("Assets/old.fbx", "FBX",
                  META("31", "ModelImporter:\n  fileIDToRecycleName:\n    100000: //RootNode\n"
                             "    4300000: Head\n"));
    put_with_meta("Assets/Walk.anim",
                  SCENE_HEAD "--- !u!74 &7400000\nAnimationClip:\n  m_Name: Walk\n",
                  META("32", ""));
    put_with_meta("Assets/Ani.controller",
                  SCENE_HEAD
                  "--- !u!1102 &5\nAnimatorState:\n  m_ObjectHideFlags: 1\n  m_Name: S\n"
                  "--- !u!91 &9100000\nAnimatorController:\n  m_Name: Ani\n"
                  "--- !u!74 &6\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: In\n"
                  "--- !u!74 &7\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: In\n"
                  "--- !u!74 &8\nAnimationClip:\n  m_ObjectHideFlags: 1\n  m_Name: Hid\n",
                  META("33", ""));
    put_with_meta("Assets/Bag.asset",
                  SCENE_HEAD "--- !u!114 &5\nMonoBehaviour:\n" SCRIPT(
                      "03") "  m_Name: Z\n"
                            "--- !u!114 &11400000\nMonoBehaviour:\n" SCRIPT(
                                "02") "  m_Name: Bag\n"
                                      "--- !u!114 &6\nMonoBehaviour:\n" SCRIPT(
                                          "03") "  m_Name: A\n"
                                                "--- !u!114 &7\nMonoBehaviour:\n" SCRIPT(
                                                    "ff") "  m_Name: Lost\n"
                                                          "--- !u!43 &8\nMesh:\n  m_Name: Shape\n",
                  META("34", ""));
    hold();
#define BAG(name, type, more) ITEM("Assets/Bag.asset", name, type, "34", more)
    ANSWERS("find_assets", "{'type':'Mesh'}",
            "{'assets':[" BAG("Shape", "UnityEngine.Mesh", "") "," ITEM(
                "Assets/new.fbx", "Body", "UnityEngine.Mesh", "30",
                NAME("Body")) "," ITEM("Assets/old.fbx", "Head", "UnityEngine.Mesh", "31",
                                       NAME("Head")) PAGE("3", "3"));
    ANSWERS("find_assets", "{'type':'Motion'}",
            "{'assets':[" ITEM("Assets/Ani.controller", "In", "UnityEngine.AnimationClip", "33",
                               "") "," ITEM("Assets/Walk.anim", "Walk", "UnityEngine.AnimationClip",
                                            "32", "") "," ITEM("Assets/new.fbx", "Run",
                                                               "UnityEngine.AnimationClip", "30",
                                                               NAME("Run")) PAGE("3", "3"));
    ANSWERS("find_assets", "{'type':'Loot'}",
            "{'assets':[" BAG("Bag", "Loot", "") "," BAG("A", "Rare", NAME("A")) "," BAG(
                "Z", "Rare", NAME("Z")) PAGE("3", "3"));
    ANSWERS("find_assets", "{'type':'Rare','query':'a'}",
            "{'assets':[" BAG("A", "Rare", NAME("A")) "," BAG("Z", "Rare", "") PAGE("2", "2"));
    assert_true(run("find_assets", "{'type':'RuntimeAnimatorController'}"));
    assert_true(answer_has("'UnityEditor.Animations.AnimatorController'"));
    check_taken("mesh", "Mesh");
    check_taken("motion", "Motion");
    check_taken("loot", "Loot");
    check_taken("data", "ScriptableObject");
    check_taken("animator", "RuntimeAnimatorController");
    check_taken("prefab", "GameObject");
    check_taken("any", "Object");
}

#define PREFAB(more, docs)                                                                         \
    SCENE_HEAD SCENE_OBJECT("10", "11", "Root", more) SCENE_TRANSFORM("11", "10", " []", "0") docs

TEST(prefabs_are_found_by_the_components_of_their_root)
{
    put_holder();
    put_with_meta("Assets/Box.prefab",
                  PREFAB("  - component: {fileID: 12}\n",
                         "--- !u!65 &12\nBoxCollider:\n  m_GameObject: {fileID: 10}\n"),
                  META("40", ""));
    put_with_meta("Assets/Empty.prefab", PREFAB("", ""), META("41", ""));
    put_with_meta(
        "Assets/Gate.prefab",
        PREFAB("  - component: {fileID: 12}\n",
               "--- !u!114 &12\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n" SCRIPT("04")),
        META("42", ""));
    put_with_meta("Assets/Variant.prefab",
                  SCENE_HEAD
                  "--- !u!1001 &50\nPrefabInstance:\n  m_ObjectHideFlags: 0\n"
                  "  serializedVersion: 2\n  m_Modification:\n"
                  "    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"
                  "    m_RemovedComponents: []\n"
                  "  m_SourcePrefab: {fileID: 100100000, guid: " GUID("40") ", type: 3}\n",
                  META("43", ""));
    put_with_meta("Assets/Torn.prefab", "not a prefab", META("44", ""));
    hold();
    ANSWERS("find_assets", "{'type':'Collider'}",
            "{'assets':[" ITEM("Assets/Box.prefab", "Box", "UnityEngine.BoxCollider", "40",
                               "") "," ITEM("Assets/Variant.prefab", "Variant",
                                            "UnityEngine.BoxCollider", "43", "") PAGE("2", "2"));
    ANSWERS("find_assets", "{'type':'Door'}",
            "{'assets':[" ITEM("Assets/Gate.prefab", "Gate", "Door", "42", "") PAGE("1", "1"));
    assert_true(run("find_assets", "{'type':'GameObject'}") && answer_has("'total_count':5"));
    assert_true(run("find_assets", "{'type':'Component'}") && answer_has("'total_count':4"));
    check_taken("collider", "Collider");
    check_taken("door", "Door");
}

/* Any file content gets an answer, and few objects are listed. */
TEST(hostile_files_do_no_harm)
{
    struct buf text = {0};
    put_holder();
    buf_printf(&text, META("50", "TextureImporter:\n  spriteMode: 2\n  internalIDToNameTable:\n"));
    for (unsigned i = 0; i < 60000; i++)
        buf_printf(&text, "  - first:\n      213: %u\n    second: s%u\n", i + 1, i);
    put_with_meta("Assets/many.png", "PNG", text.p);
    buf_clear(&text);
    buf_printf(&text, META("51", "TextureImporter:\n  spriteMode: 2\n  internalIDToNameTable:\n"));
    for (unsigned i = 0; i < 200; i++)
        buf_printf(&text, "%*s- first: {a: [[[[[{", (int)i * 2, "");
    put_with_meta("Assets/deep.png", "PNG", text.p);
    buf_clear(&text);
    buf_add(&text, STR(SCENE_HEAD));
    for (unsigned i = 0; i < 20000; i++)
        buf_printf(&text, "--- !u!43 &%u\nMesh:\n  m_Name: m%u\n", i + 1, i % 9000);
    put_with_meta("Assets/docs.asset", text.p, META("52", ""));
    put_with_meta("Assets/loop.prefab",
                  SCENE_HEAD
                  "--- !u!1001 &50\nPrefabInstance:\n  m_Modification:\n"
                  "    m_TransformParent: {fileID: 0}\n"
                  "  m_SourcePrefab: {fileID: 100100000, guid: " GUID("53") ", type: 3}\n",
                  META("53", ""));
    put_with_meta("Assets/bytes.asset", "\001\002\003", META("54", ""));
    put_with_meta("Assets/father.prefab", PREFAB("  - component: {fileID: 10}\n  - 7\n", ""),
                  META("55", ""));
    put("Assets/pipe.asset.meta", META("56", ""));
    assert_int_equal(mkfifo("Assets/pipe.asset", 0600), 0);
    put("Assets/pipe.png", "PNG");
    hold();
    assert_true(run("find_assets", "{'type':'Sprite','query':'many','max_results':1}"));
    assert_true(answer_has("'total_count':4095"));
    assert_true(run("find_assets", "{'type':'Mesh','max_results':1}"));
    assert_true(answer_has("'total_count':4096"));
    assert_true(run("find_assets", "{'type':'Transform'}"));
    assert_true(answer_has("father") && !answer_has("loop"));
    assert_true(run("find_assets", "{}"));
    buf_done(&text);
}
