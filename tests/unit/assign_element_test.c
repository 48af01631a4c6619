/* {"$element": n}: lists that keep some of their elements, in documents and in instances. */
#include "editor/assign_element.h"

#include "editor_fixture.h"

#define SCRIPT_GUID "000000000000000000000000000000aa"
#define PREFAB_GUID "00000000000000000000000000000064"
#define SCRIPT                                                                                     \
    "using UnityEngine; using System.Collections.Generic;\n"                                       \
    "public interface IMove { }\n"                                                                 \
    "[System.Serializable] public class Inner { public int depth; public float late; }\n"          \
    "[System.Serializable] public class Item {\n"                                                  \
    "    public int hp = 5; public string name; public Inner inner; public int[] codes;\n"         \
    "    public List<string> words; [SerializeReference] public IMove move;\n"                     \
    "    public Transform at; }\n"                                                                 \
    "public class Thing : MonoBehaviour {\n"                                                       \
    "    public int[] codes; public float[] reals = { 1, 2 }; public List<string> words;\n"        \
    "    public Vector3[] points; public Transform[] links; public Item[] items; public Item one;" \
    "\n    public AnimationCurve curve; [SerializeReference] public List<IMove> moves; }\n"

#define DOC(fields)                                                                                \
    "--- !u!114 &12\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n"                               \
    "  m_Script: {fileID: 11500000, guid: " SCRIPT_GUID ", type: 3}\n" fields
#define THING(fields)                                                                              \
    SCENE_HEAD SCENE_OBJECT("10", "11", "Hero", "  - component: {fileID: 12}\n")                   \
        SCENE_TRANSFORM("11", "10", " []", "0") DOC(fields)
#define SET(fields) "{'action':'update','game_object_path':'Hero','index':1,'fields':" fields "}"
#define E(n)        "{'$element':" #n "}"

static void open_thing(const char *text)
{
    put("Assets/Thing.cs", SCRIPT);
    put_meta("Assets/Thing.cs", SCRIPT_GUID);
    put(MAIN, text);
    open_editor(NULL);
}

/* Set, check the file, undo, redo. */
static void check_set(const char *before, const char *fields, const char *after)
{
    if (!run("manage_component", fields))
        fail_msg("%s: %s", failure.code, failure.text);
    check_file(MAIN, after);
    if (strcmp(before, after) == 0) /* no step was made */
        return;
    assert_true(run("undo", "{}"));
    check_file(MAIN, before);
    assert_true(run("redo", "{}"));
    check_file(MAIN, after);
    assert_true(run("undo", "{}"));
}

/* ---- bytes */

/* Kept elements keep their bytes, also in forms that Unity no longer writes. */
#define ITEM0                                                                                      \
    "  - hp: 007\n    name: \"kept as\\x20it is\"\n    obsolete: {a: 1,   b: 2}\n"                 \
    "    inner:\n      depth: +3\n    codes: 0100000002000000\n    words:\n    - 'one'\n"          \
    "    - two\n    move:\n      rid: 7\n    at: {fileID:   11}\n"
#define ITEM1                                                                                      \
    "  - hp: 1\n    name: a long text that\n      goes on\n    inner:\n      depth: 1\n"           \
    "      late: .5\n    codes: \n    words: []\n    move:\n      rid: -2\n    at: {fileID: 0}\n"
#define REGISTRY                                                                                   \
    "  references:\n    version: 2\n    RefIds:\n    - rid: -2\n"                                  \
    "      type: {class: , ns: , asm: }\n    - rid: 7\n"                                           \
    "      type: {class: Walk, ns: , asm: Assembly-CSharp}\n      data: \n"
#define ITEMS(lines) THING("  items:\n" lines REGISTRY)
#define BOTH         ITEMS(ITEM0 ITEM1)

TEST_FIXTURE(setup, teardown);

TEST(elements_are_moved_removed_and_copied_with_their_bytes)
{
    open_thing(BOTH);
    check_set(BOTH, SET("{'items':[" E(1) "," E(0) "]}"), ITEMS(ITEM1 ITEM0));
    check_set(BOTH, SET("{'items':[" E(1) "]}"), ITEMS(ITEM1));
    check_set(BOTH, SET("{'items':[" E(0) "," E(0) "," E(1) "]}"), ITEMS(ITEM0 ITEM0 ITEM1));
    check_set(BOTH, SET("{'items':[" E(0) "," E(1) "]}"), BOTH);
    check_set(BOTH, SET("{'items':[]}"), THING("  items: []\n" REGISTRY));
    assert_true(run("manage_component", SET("{'items':[" E(0) "," E(1) "]}")));
    assert_true(answer_has("'fields_set':['items'],'fields_skipped':[]"));
}

TEST(new_element_is_added_between_kept_ones)
{
    open_thing(BOTH);
    check_set(BOTH, SET("{'items':[" E(0) ",{'hp':9,'name':'new'}," E(1) "]}"),
              ITEMS(ITEM0 "  - hp: 9\n    name: new\n    inner:\n      depth: 0\n      late: 0\n"
                          "    codes: \n    words: []\n    move:\n      rid: -2\n"
                          "    at: {fileID: 0}\n" ITEM1));
}

TEST(some_members_of_an_element_are_set)
{
    open_thing(BOTH);
    check_set(
        BOTH, SET("{'items':[{'$element':0,'hp':8}," E(1) "]}"),
        ITEMS("  - hp: 8\n    name: \"kept as\\x20it is\"\n    obsolete: {a: 1,   b: 2}\n"
              "    inner:\n      depth: +3\n    codes: 0100000002000000\n    words:\n"
              "    - 'one'\n    - two\n    move:\n      rid: 7\n    at: {fileID:   11}\n" ITEM1));
    /* A member that the file lacks is inserted in its place, also nested in a list. */
    check_set(BOTH,
              SET("{'items':[" E(1) ",{'$element':0,'inner':{'late':2},'words':[" E(1) ",'x'," E(
                  0) "],'codes':[" E(1) ",5," E(0) "]}]}"),
              ITEMS(ITEM1
                    "  - hp: 007\n    name: \"kept as\\x20it is\"\n    obsolete: {a: 1,   b: 2}\n"
                    "    inner:\n      depth: +3\n      late: 2\n"
                    "    codes: 020000000500000001000000\n    words:\n    - two\n    - x\n"
                    "    - 'one'\n    move:\n      rid: 7\n    at: {fileID:   11}\n"));
    /* A member that cannot be set changes nothing. */
    check_set(BOTH, SET("{'items':[{'$element':0,'none':1}," E(1) "]}"), BOTH);
    assert_true(answer_has("'fields_skipped':['items[0].none']"));
}

TEST(an_inner_list_of_a_struct_counts_its_own_elements)
{
    static const char before[] =
        THING("  one:\n    hp: 1\n    words:\n    - 'a'\n    - b\n    - \"c\"\n");
    open_thing(before);
    check_set(before, SET("{'one':{'words':[" E(2) "," E(0) "]}}"),
              THING("  one:\n    hp: 1\n    words:\n    - \"c\"\n    - 'a'\n"));
    check_set(before, SET("{'one.words':[" E(1) "]}"),
              THING("  one:\n    hp: 1\n    words:\n    - b\n"));
}

TEST(elements_of_every_form_are_kept)
{
    static const char before[] =
        THING("  codes: 01000000ffffffff\n  reals:\n  - .5\n  - 2.50\n  words:\n  - \n  - \"x\"\n"
              "  points:\n  - {x: 1,y: 2, z: 3}\n  - {x: 0, y: 0, z: 0}\n"
              "  links:\n  - {fileID: 11}\n  - {fileID: 999}\n");
    open_thing(before);
    check_set(before,
              SET("{'codes':[" E(1) ",7," E(0) "],'reals':[" E(1) "," E(0) "],'words':[" E(1) "," E(
                  0) "],'points':[{'$element':1,'y':4}," E(0) "],'links':[" E(1) "," E(0) "]}"),
              THING("  codes: ffffffff0700000001000000\n  reals:\n  - 2.50\n  - .5\n  words:\n"
                    "  - \"x\"\n  - \n  points:\n  - {x: 0, y: 4, z: 0}\n  - {x: 1,y: 2, z: 3}\n"
                    "  links:\n  - {fileID: 999}\n  - {fileID: 11}\n"));
}

static const char *with_crlf(const char *text)
{
    static char texts[2][4096];
    static unsigned turn;
    char *to = texts[turn++ % 2], *at = to;
    for (; *text; *at++ = *text++)
        if (*text == '\n')
            *at++ = '\r';
    *at = 0;
    return to;
}

TEST(line_ends_are_kept)
{
    const char *before =
        with_crlf(THING("  words:\n  - 'a'\n  - \"b\n\n    c\"\n  - d\n  links: []\n"));
    open_thing(before);
    check_set(before, SET("{'words':[" E(1) ",'n'," E(0) "]}"),
              with_crlf(THING("  words:\n  - \"b\n\n    c\"\n  - n\n  - 'a'\n  links: []\n")));
}

TEST(text_may_lack_its_last_line_end)
{
    static const char before[] = THING("  words:\n  - 'a'\n  - b");
    open_thing(before);
    check_set(before, SET("{'words':[" E(1) "," E(0) "]}"), THING("  words:\n  - b\n  - 'a'"));
}

/* Unity writes dashes below their key; others indent them. */
TEST(list_in_another_form_is_written_in_the_form_of_unity)
{
    static const char before[] =
        THING("  reals:\n    - 1\n    - 2\n  words: [a, 'b c']\n  links: []\n");
    open_thing(before);
    check_set(before, SET("{'reals':[" E(1) "," E(0) "],'words':[" E(1) "," E(0) "]}"),
              THING("  reals:\n  - 2\n  - 1\n  words:\n  - b c\n  - a\n  links: []\n"));
}

/* A list that the file lacks has the initial value of the class. */
TEST(elements_of_an_initial_value_can_be_kept)
{
    static const char before[] = THING("  codes: \n");
    open_thing(before);
    check_set(before, SET("{'reals':[" E(1) ",7," E(0) "]}"),
              THING("  codes: \n  reals:\n  - 2\n  - 7\n  - 1\n"));
}

/* ---- what is refused */

TEST(invalid_elements_are_refused)
{
    static const struct {
        const char *fields, *text;
    } cases[] = {
        {SET("{'items':[" E(2) "]}"), "fields.items[0]: there is no element 2 to keep: the array "
                                      "has 2"},
        {SET("{'items':[" E(0) "," E(-1) "]}"), "fields.items[1]: $element is the index"},
        {SET("{'items':[{'$element':'0'}]}"), "$element is the index of an element"},
        {SET("{'items':[{'$element':0.5}]}"), "$element is the index of an element"},
        {SET("{'items':[{'hp':1,'words':[" E(0) "]}]}"),
         "fields.items[0].words[0]: there is no element 0 to keep: the array has 0"},
        {SET("{'items':" E(0) "}"), "fields.items: {\"$element\": n} keeps element n"},
        {SET("{'one':" E(0) "}"), "fields.one: {\"$element\": n} keeps element n"},
        {SET("{'one':{'inner':" E(0) "}}"), "fields.one.inner: {\"$element\": n} keeps"},
        {SET("{'items':[{'$element':0,'inner':" E(0) "}]}"), "{\"$element\": n} keeps element n"},
        {SET("{'links':[{'$element':0,'$ref':'/Hero'}]}"), "there is no element 0 to keep"},
        {SET("{'codes':[{'$element':0,'x':1}]}"), "only members of a struct"},
        {SET("{'words':[{'$element':0,'x':1}]}"), "only members of a struct"},
        {SET("{'curve':{'keys':[" E(0) "]}}"), "fields.curve: {\"$element\": n} keeps"},
        {SET(E(0)), "fields: {\"$element\": n} keeps element n"},
        {SET("{'items':[{'$element':0,'hp':'x'}]}"), "fields.items[0].hp: expected an integer"},
    };
    static const char before[] = THING("  codes: 01000000\n  words:\n  - a\n  items:\n" ITEM0 ITEM1
                                       "  one:\n    hp: 1\n    inner:\n      depth: 1\n" REGISTRY);
    open_thing(before);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSES("manage_component", cases[i].fields, "ERR_INVALID_PARAMS", cases[i].text);
    assert_true(run("manage_component", SET("{'moves':[" E(0) "]}"))); /* as before */
    assert_true(answer_has("'skipped_reasons':{'moves':'unsupported_type'}"));
    check_file(MAIN, before);
}

TEST(new_component_keeps_elements_of_its_initial_value)
{
    open_thing(THING(""));
    REFUSES("manage_component",
            "{'action':'add','game_object_path':'Hero','component_type':'Thing',"
            "'fields':{'words':[" E(0) "]}}",
            "ERR_INVALID_PARAMS", "there is no element 0 to keep");
    assert_true(run("manage_component",
                    "{'action':'add','game_object_path':'Hero','component_type':'Thing',"
                    "'fields':{'reals':[" E(1) "]}}"));
    assert_true(
        run("get_component_info", "{'game_object_path':'Hero','index':2,'fields':['reals']}"));
    assert_true(answer_has("'value':[2]"));
}

/* ---- instances */

#define OVERRIDE(path, value, object)                                                              \
    "\n    - target: {fileID: 102, guid: " PREFAB_GUID ", type: 3}\n"                              \
    "      propertyPath: " path "\n      value: " value "\n      objectReference: " object
#define VALUE(path, value) OVERRIDE("'" path "'", value, "{fileID: 0}")
#define SIZE(path, value)  OVERRIDE(path ".Array.size", value, "{fileID: 0}")
#define PART(overrides)                                                                            \
    SCENE_HEAD                                                                                     \
    "--- !u!1001 &30\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"           \
    "  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {fileID: 0}\n"            \
    "    m_Modifications:" overrides "\n    m_RemovedComponents: []\n"                             \
    "    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n"                                   \
    "    m_AddedComponents: []\n"                                                                  \
    "  m_SourcePrefab: {fileID: 100100000, guid: " PREFAB_GUID ", type: 3}\n"
#define STAND_IN                                                                                   \
    "--- !u!4 &31 stripped\nTransform:\n"                                                          \
    "  m_CorrespondingSourceObject: {fileID: 101, guid: " PREFAB_GUID ",\n    type: 3}\n"          \
    "  m_PrefabInstance: {fileID: 30}\n  m_PrefabAsset: {fileID: 0}\n"
#define OF_PART(fields)                                                                            \
    "{'action':'update','game_object_path':'/Part','index':1,'fields':" fields "}"

static void open_part(const char *text)
{
    put("Assets/Part.prefab",
        SCENE_HEAD SCENE_OBJECT("100", "101", "Part", "  - component: {fileID: 102}\n")
            SCENE_TRANSFORM(
                "101", "100", " []",
                "0") "--- !u!114 &102\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n"
                     "  m_Script: {fileID: 11500000, guid: " SCRIPT_GUID ", type: 3}\n"
                     "  codes: 0100000002000000\n  words:\n  - a\n  - b\n"
                     "  links:\n  - {fileID: 101}\n  - {fileID: 0}\n"
                     "  items:\n  - hp: 1\n    name: x\n    obsolete: 1\n    codes: 05000000\n"
                     "    move:\n      rid: 7\n  - hp: 2\n    name: x\n    codes: \n"
                     "    move:\n      rid: -2\n");
    put_meta("Assets/Part.prefab", PREFAB_GUID);
    open_thing(text);
}

TEST(instance_gets_overrides_for_changed_elements)
{
    static const char before[] = PART(" []");
    open_part(before);
    check_set(before, OF_PART("{'words':[" E(0) "," E(1) "]}"), before);
    check_set(before, OF_PART("{'words':[" E(1) "," E(0) "]}"),
              PART(VALUE("words.Array.data[0]", "b") VALUE("words.Array.data[1]", "a")));
    check_set(before, OF_PART("{'words':[" E(0) "," E(1) ",'c']}"),
              PART(SIZE("words", "3") VALUE("words.Array.data[2]", "c")));
    check_set(before, OF_PART("{'words':[" E(1) "]}"),
              PART(SIZE("words", "1") VALUE("words.Array.data[0]", "b")));
    check_set(before, OF_PART("{'codes':[" E(0) "," E(1) "," E(0) "]}"),
              PART(SIZE("codes", "3") VALUE("codes.Array.data[2]", "1")));
    check_set(before, OF_PART("{'items':[{'$element':0,'name':'y'}," E(1) "]}"),
              PART(VALUE("items.Array.data[0].name", "y")));
    check_set(
        before, OF_PART("{'items':[" E(1) "," E(0) "]}"),
        PART(VALUE("items.Array.data[0].hp", "2") VALUE("items.Array.data[0].codes.Array.size", "0")
                 VALUE("items.Array.data[0].move", "-2") VALUE("items.Array.data[1].hp", "1")
                     VALUE("items.Array.data[1].codes.Array.size", "1")
                         VALUE("items.Array.data[1].codes.Array.data[0]", "5")
                             VALUE("items.Array.data[1].move", "7")));
}

/* The Transform of the instance had no stand-in in this file. */
TEST(moved_reference_gets_a_stand_in)
{
    static const char before[] = PART(" []");
    open_part(before);
    check_set(before, OF_PART("{'links':[" E(0) "," E(1) "," E(1) "]}"),
              PART(SIZE("links", "3") VALUE("links.Array.data[2]", "")));
    check_set(before, OF_PART("{'links':[" E(1) "," E(0) "]}"),
              PART(OVERRIDE("'links.Array.data[0]'", "", "{fileID: 0}")
                       OVERRIDE("'links.Array.data[1]'", "", "{fileID: 31}")) STAND_IN);
}
