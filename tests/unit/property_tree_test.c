#include "unity/property_tree.h"

#include "test.h"

static struct arena arena;
static struct property_tree *body;

static int setup(void **state)
{
    arena = (struct arena){0};
    return 0;
}

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

static void make(const char *text)
{
    body = property_tree_new(&arena, (struct yaml_value){YAML_MAP, 2, str_from(text)});
}

static bool set(const char *path, const char *text)
{
    struct property_value v = {
        .scalar = {.kind = *text ? YAML_SCALAR : YAML_EMPTY, .text = str_from(text)}};
    return property_tree_set(body, str_from(path), &v);
}

static bool set_reference(const char *path, int64_t id, uint64_t guid)
{
    struct property_value v = {.reference = {id, {guid, guid}, guid ? 2 : 0}};
    return property_tree_set(body, str_from(path), &v);
}

static void check(const char *want)
{
    struct yaml_value v = property_tree_value(body);
    assert_int_equal(v.kind, YAML_MAP);
    assert_int_equal(v.indent, 2);
    CHECK_CSTR(v.text, want);
}

TEST_FIXTURE(setup, teardown);

TEST(a_scalar_is_replaced)
{
    make("  m_Mass: 1\n  m_Name: A b\n  m_Drag: \n");
    assert_true(set("m_Mass", "2.5"));
    assert_true(set("m_Drag", "'x: y'"));
    check("  m_Mass: 2.5\n  m_Name: A b\n  m_Drag: 'x: y'\n");
    assert_true(set("m_Name", ""));
    check("  m_Mass: 2.5\n  m_Name: \n  m_Drag: 'x: y'\n");
}

TEST(untouched_values_keep_their_text)
{
    const char *text =
        "  m_A: 1\n  m_Ref: {fileID: 1, guid: 0123456789abcdef0123456789abcdef,\n    type: 2}\n"
        "  m_Text: 'folded\n    text'\n  m_List:\n  - a: 1\n    b:\n    - 2\n  - a: 3\n  m_Odd:   "
        "7\n";
    make(text);
    check(text);
    assert_true(set("m_A", "2"));
    check("  m_A: 2\n  m_Ref: {fileID: 1, guid: 0123456789abcdef0123456789abcdef,\n    type: 2}\n"
          "  m_Text: 'folded\n    text'\n  m_List:\n  - a: 1\n    b:\n    - 2\n  - a: 3\n  m_Odd: "
          "7\n");
}

TEST(components_of_flow_maps_are_set)
{
    make("  m_LocalPosition: {x: 0, y: 1, z: -0}\n  m_Color: {r: 1, g: 1, b: 1}\n");
    assert_true(set("m_LocalPosition.y", "2.5"));
    assert_true(set("m_Color.a", "0.5"));
    check("  m_LocalPosition: {x: 0, y: 2.5, z: -0}\n  m_Color: {r: 1, g: 1, b: 1, a: 0.5}\n");
    assert_false(set("m_LocalPosition.x.y", "1"));
    assert_true(set("m_LocalPosition.x", "1, y: 7}"));
    check("  m_LocalPosition: {x: \"1, y: 7}\", y: 2.5, z: -0}\n  m_Color: {r: 1, g: 1, b: 1, a: "
          "0.5}\n");
}

TEST(nested_keys_are_set)
{
    make("  m_Shadows:\n    m_Type: 2\n    m_Deep:\n      x: 1\n  m_CullingMask:\n    "
         "serializedVersion: 2\n    m_Bits: 1\n");
    assert_true(set("m_Shadows.m_Deep.x", "9"));
    assert_true(set("m_CullingMask.m_Bits", "4294967295"));
    check("  m_Shadows:\n    m_Type: 2\n    m_Deep:\n      x: 9\n  m_CullingMask:\n    "
          "serializedVersion: 2\n"
          "    m_Bits: 4294967295\n");
    assert_false(set("m_Shadows", "1"));
}

TEST(a_key_with_dots_is_found)
{
    make("  a.b: 1\n  a:\n    b: 2\n  c.d.e:\n    f: 1\n");
    assert_true(set("c.d.e.f", "5"));
    assert_true(set("a.b", "3")); /* the shorter key is first */
    check("  a.b: 1\n  a:\n    b: 3\n  c.d.e:\n    f: 5\n");
}

TEST(references_are_set_and_cleared)
{
    make("  m_Target: {fileID: 5}\n  m_Other: {fileID: 0}\n");
    assert_true(set_reference("m_Target", 7, 0x1111111111111111u));
    assert_true(set_reference("m_Other", -3, 0));
    check("  m_Target: {fileID: 7, guid: 11111111111111111111111111111111, type: 2}\n  m_Other: "
          "{fileID: -3}\n");
    assert_true(set("m_Target", ""));
    check("  m_Target: {fileID: 0}\n  m_Other: {fileID: -3}\n");
    make("  m_Map:\n    a: 1\n  m_List:\n  - 1\n");
    assert_false(set_reference("m_Map", 1, 0));
    assert_false(set_reference("m_List", 1, 0));
}

TEST(elements_are_set)
{
    make("  m_Materials:\n  - {fileID: 1}\n  - {fileID: 2}\n  m_Paths:\n  - - {x: 0, y: 0}\n    - "
         "{x: 1, y: 1}\n"
         "  m_Calls:\n  - m_Target: {fileID: 0}\n    m_Mode: 1\n");
    assert_true(set_reference("m_Materials.Array.data[1]", 9, 0));
    assert_true(set("m_Paths.Array.data[0].Array.data[1].x", "5"));
    assert_true(set("m_Calls.Array.data[0].m_Mode", "6"));
    check("  m_Materials:\n  - {fileID: 1}\n  - {fileID: 9}\n  m_Paths:\n  - - {x: 0, y: 0}\n    - "
          "{x: 5, y: 1}\n"
          "  m_Calls:\n  - m_Target: {fileID: 0}\n    m_Mode: 6\n");
    assert_false(set("m_Calls.Array.data[1].m_Mode", "6"));
    assert_false(set("m_Calls.Array.data[x].m_Mode", "6"));
    assert_false(set("m_None.Array.data[0]", "6"));
}

TEST(arrays_grow_by_copies_of_the_last_element)
{
    make("  m_List:\n  - a: 1\n    b: {x: 1}\n  m_Next: 0\n");
    assert_true(set("m_List.Array.size", "3"));
    assert_true(set("m_List.Array.data[2].b.x", "7"));
    assert_true(set("m_List.Array.data[1].a", "2"));
    check("  m_List:\n  - a: 1\n    b: {x: 1}\n  - a: 2\n    b: {x: 1}\n  - a: 1\n    b: {x: 7}\n  "
          "m_Next: 0\n");
    assert_true(set("m_List.Array.size", "4"));
    assert_true(set("m_List.Array.data[3].a", "4"));
    check("  m_List:\n  - a: 1\n    b: {x: 1}\n  - a: 2\n    b: {x: 1}\n  - a: 1\n    b: {x: 7}\n  "
          "- a: 4\n"
          "    b: {x: 7}\n  m_Next: 0\n");
}

TEST(arrays_shrink)
{
    make("  m_List:\n  - 1\n  - 2\n  - 3\n");
    assert_true(set("m_List.Array.size", "1"));
    check("  m_List:\n  - 1\n");
    assert_true(set("m_List.Array.size", "0"));
    check("  m_List: []\n");
}

TEST(an_empty_array_becomes_a_list)
{
    make("  m_List: []\n  m_Calls:\n    m_Inner: []\n");
    assert_true(set("m_List.Array.size", "2"));
    assert_true(set("m_List.Array.data[1]", "x"));
    assert_true(set("m_Calls.m_Inner.Array.size", "1"));
    assert_true(set("m_Calls.m_Inner.Array.data[0].m_Mode", "1"));
    assert_true(set_reference("m_Calls.m_Inner.Array.data[0].m_Target", 5, 0));
    check("  m_List:\n  - \n  - x\n  m_Calls:\n    m_Inner:\n    - m_Mode: 1\n      m_Target: "
          "{fileID: 5}\n");
}

TEST(growth_of_arrays_is_limited)
{
    make("  m_List:\n  - 1\n  m_Hex: 01000000\n");
    assert_false(set("m_List.Array.size", "2000000000"));
    assert_false(set("m_List.Array.size", "-1"));
    assert_false(set("m_Hex.Array.size", "4000000000000"));
    check("  m_List:\n  - 1\n  m_Hex: 01000000\n");
}

TEST(hex_arrays_are_changed_like_lists)
{
    make("  m_Ints: 0100000002000000\n  m_Bools: 00010100\n  m_None: \n  m_Bytes: 0a0b0c\n");
    assert_true(set("m_Ints.Array.data[1]", "-1"));
    assert_true(set("m_Bools.Array.data[0]", "1"));
    assert_true(set("m_None.Array.size", "2"));
    assert_true(set("m_None.Array.data[1]", "258"));
    assert_true(set("m_Bytes.Array.data[2]", "255"));
    check("  m_Ints: 01000000ffffffff\n  m_Bools: 01010100\n  m_None: 0000000002010000\n  m_Bytes: "
          "0a0bff\n");
    assert_true(set("m_Ints.Array.size", "3"));
    assert_true(set("m_Bools.Array.size", "2"));
    check("  m_Ints: 01000000ffffffffffffffff\n  m_Bools: 0101\n  m_None: 0000000002010000\n  "
          "m_Bytes: 0a0bff\n");
    assert_false(set("m_Ints.Array.data[3]", "1"));
    assert_false(set("m_Ints.Array.data[0].x", "1"));
}

TEST(missing_keys_are_added)
{
    make("  m_A: 1\n");
    assert_true(set("m_B", "2"));
    assert_true(set("m_Struct.m_Inner.m_C", "3"));
    assert_true(set("m_Struct.m_Inner.m_D", "4"));
    assert_true(set("m_Hint.x", "90"));
    assert_true(set("m_Hint.y", "0"));
    assert_true(set("m_New.Array.size", "1"));
    assert_true(set("m_New.Array.data[0]", "5"));
    check("  m_A: 1\n  m_B: 2\n  m_Struct:\n    m_Inner:\n      m_C: 3\n      m_D: 4\n  m_Hint: "
          "{x: 90, y: 0}\n"
          "  m_New:\n  - 5\n");
}

TEST(multi_line_texts_are_written_on_one_line)
{
    make("  m_Text: x\n");
    assert_true(set("m_Text", "'first\n\n        \"second\" third'"));
    check("  m_Text: \"first\\x0A\\\"second\\\" third\"\n");
}

#define MANAGED                                                                                    \
    "  field:\n    rid: 5\n  references:\n    version: 2\n    RefIds:\n    - rid: 5\n"             \
    "      type: {class: A, ns: N, asm: Asm}\n      data:\n        hp: 1\n"

TEST(managed_references_are_found_by_their_id)
{
    make(MANAGED);
    assert_true(set("managedReferences[5].hp", "2"));
    check("  field:\n    rid: 5\n  references:\n    version: 2\n    RefIds:\n    - rid: 5\n"
          "      type: {class: A, ns: N, asm: Asm}\n      data:\n        hp: 2\n");
    assert_false(set("managedReferences[6].hp", "2"));
    assert_false(set("managedReferences[x].hp", "2"));
    assert_false(set("managedReferences[7]", "nonsense"));
}

TEST(managed_references_are_added)
{
    make(MANAGED);
    assert_true(set("managedReferences[6]", "Asm2 N.M.B"));
    assert_true(set("managedReferences[6].mp", "3"));
    assert_true(set("field", "6"));
    check("  field:\n    rid: 6\n  references:\n    version: 2\n    RefIds:\n    - rid: 5\n"
          "      type: {class: A, ns: N, asm: Asm}\n      data:\n        hp: 1\n    - rid: 6\n"
          "      type: {class: B, ns: N.M, asm: Asm2}\n      data:\n        mp: 3\n");
    make("  a: 1\n");
    assert_true(set("managedReferences[8]", "Asm C"));
    check("  a: 1\n  references:\n    version: 2\n    RefIds:\n    - rid: 8\n"
          "      type: {class: C, ns: , asm: Asm}\n      data: \n");
}
