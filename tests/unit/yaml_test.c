#include "unity/yaml.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "test.h"

#define HEAD "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"

static struct yaml_file file_of(struct str text)
{
    struct yaml_file f;
    struct yaml_error error = {0};
    if (!yaml_split(&f, text, &error))
        print_error("%u:%u: %s\n", error.line, error.column, error.text);
    else
        return f;
    fail();
    abort();
}

/* Everything in a walk, one line per entry: depth, key, kind and text. */
static void show(struct buf *out, struct yaml_value v, int depth)
{
    static const char *const kinds[] = {"none", "empty", "scalar", "{}", "[]", "map", "list"};
    struct yaml_item item;
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);) {
        buf_printf(out, "%*s%.*s %s", depth * 2, "", STR_ARG(item.key), kinds[item.value.kind]);
        if (item.value.kind == YAML_SCALAR)
            buf_printf(out, " <%.*s>", STR_ARG(item.value.text));
        else
            assert_true(item.value.kind != YAML_EMPTY || item.value.text.n == 0);
        buf_add_char(out, '\n');
        show(out, item.value, depth + 1);
    }
}

static void check_shows(struct yaml_value v, const char *want)
{
    struct buf out = {0};
    show(&out, v, 0);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

static void check_body(struct str text, const char *want)
{
    struct yaml_file f = file_of(text);
    check_shows(yaml_body(&f, &f.docs[0]), want);
    yaml_done(&f);
}

TEST(documents_have_class_id_and_mark)
{
    struct str text = STR(HEAD "--- !u!29 &1\nOcclusionCullingSettings:\n  a: 1\n"
                               "--- !u!4 &-8679921383154817045 stripped\nTransform:\n  b: 2\n"
                               "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  c: 3");
    struct yaml_file f = file_of(text);
    assert_int_equal(f.count, 3);
    assert_int_equal(f.docs[0].class_id, 29);
    assert_false(f.docs[0].stripped);
    assert_int_equal(f.docs[1].file_id, INT64_C(-8679921383154817045));
    assert_true(f.docs[1].stripped);
    assert_int_equal(f.docs[2].class_id, 1660057539);
    assert_int_equal(f.docs[2].file_id, INT64_MAX);
    assert_int_equal(f.docs[1].at, f.docs[0].end);
    assert_int_equal(f.docs[2].end, text.n);
    CHECK_CSTR(yaml_class_name(&f, &f.docs[1]), "Transform");
    CHECK_CSTR(yaml_get(yaml_body(&f, &f.docs[2]), STR("c")).text, "3");
    assert_false(f.crlf);
    yaml_done(&f);
}

TEST(the_first_of_two_documents_with_one_id_is_found)
{
    struct buf text = {0};
    buf_add(&text, STR(HEAD));
    for (int i = 0; i < 500; i++)
        buf_printf(&text, "--- !u!1 &%d\nGameObject:\n  m_Name: n%d\n", i * 7 % 400, i);
    struct yaml_file f = file_of(buf_str(&text));
    for (int i = 0; i < 500; i++) {
        const struct yaml_doc *d = yaml_find(&f, i * 7 % 400);
        assert_non_null(d);
        assert_true(d <= &f.docs[i]);
        assert_true(d == &f.docs[i] || i >= 400);
    }
    assert_null(yaml_find(&f, 400));
    assert_null(yaml_find(&f, -1));
    yaml_done(&f);
    buf_done(&text);
}

TEST(foreign_files_are_rejected_with_a_reason)
{
    static const struct {
        struct str text;
        unsigned line, column;
        const char *reason;
    } cases[] = {
        {STR_INIT(""), 1, 1, "empty"},
        {STR_INIT(" \n"), 1, 1, "empty"},
        {STR_INIT("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"), 1, 1, "LFS"},
        {STR_INIT("\0\0\xf3"), 1, 1, "binary"},
        {STR_INIT("{\n \"m_Keys\": []}"), 1, 1, "JSON"},
        {STR_INIT("<<<<<<< HEAD\n%YAML 1.1\n"), 1, 1, "merge"},
        {STR_INIT("fileFormatVersion: 2\n"), 1, 1, "%YAML"},
        {STR_INIT("\xef\xbb\xbfguid: 2\n"), 1, 4, "%YAML"},
        {STR_INIT(HEAD), 3, 1, "first document"},
        {STR_INIT(HEAD "x: 1\n"), 3, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!1 &\nA:\n"), 3, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!1 &1\nA:\n---\nB:\n"), 5, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!1 &9223372036854775808\nA:\n"), 3, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!4294967296 &1\nA:\n"), 3, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!-1 &1\nA:\n"), 3, 1, "--- !u!"},
        {STR_INIT(HEAD "--- !u!1 &1 striped\nA:\n"), 3, 12, "unexpected text"},
        {STR_INIT(HEAD "--- !u!1 &1"), 3, 12, "class"},
        {STR_INIT(HEAD "--- !u!1 &1\n  A:\n"), 4, 1, "class"},
        {STR_INIT(HEAD "--- !u!1 &1\nA\n"), 4, 1, "class"},
        {STR_INIT(HEAD "--- !u!1 &1\n--- !u!1 &2\nA:\n"), 4, 1, "class"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_file f;
        struct yaml_error error = {0};
        assert_false(yaml_split(&f, cases[i].text, &error));
        assert_null(f.docs);
        if (error.line != cases[i].line || error.column != cases[i].column ||
            !strstr(error.text, cases[i].reason)) {
            print_error("%zu: %u:%u: %s\n", i, error.line, error.column, error.text);
            fail();
        }
    }
}

TEST(oversized_text_is_not_read)
{
    struct yaml_file f;
    struct yaml_error error;
    /* These bytes do not exist, so they must not be read. */
    assert_false(yaml_split(&f, str_make("%", (size_t)YAML_MAX_BYTES + 1), &error));
    assert_non_null(strstr(error.text, "large"));
    assert_int_equal(yaml_plain(str_make("%", (size_t)YAML_MAX_BYTES + 1)).kind, YAML_NONE);
}

static const struct str every_form = STR_INIT(HEAD "--- !u!1 &1\nMonoBehaviour:\n"
                                                   "  near clip plane: 0.3\n"
                                                   "  <Prop>k__BackingField: x\n"
                                                   "  00000000: y\n"
                                                   "  'm_MeshMetrics[0]': 1\n"
                                                   "  \"a: b\": 2\n"
                                                   "  : Any\n"
                                                   "  m_Time: 12:30:05\n"
                                                   "  m_Empty: \n"
                                                   "  m_Bare:\n"
                                                   "  m_Vector: {x: 0, y: -1.5}\n"
                                                   "  m_None: []\n"
                                                   "  m_Nothing: {}\n"
                                                   "  m_Map:\n"
                                                   "    a: 1\n"
                                                   "    b:\n"
                                                   "    - c\n"
                                                   "  m_List:\n"
                                                   "  - component: {fileID: 7}\n"
                                                   "    index: 2\n"
                                                   "  - \n"
                                                   "  - -----\n"
                                                   "  - - {x: 0}\n"
                                                   "    - {x: 1}\n"
                                                   "  - - - deep\n"
                                                   "  -\n"
                                                   "    below: 1\n"
                                                   "  last: 1");

static const char every_form_shown[] = "near clip plane scalar <0.3>\n"
                                       "<Prop>k__BackingField scalar <x>\n"
                                       "00000000 scalar <y>\n"
                                       "'m_MeshMetrics[0]' scalar <1>\n"
                                       "\"a: b\" scalar <2>\n"
                                       " scalar <Any>\n"
                                       "m_Time scalar <12:30:05>\n"
                                       "m_Empty empty\n"
                                       "m_Bare empty\n"
                                       "m_Vector {}\n"
                                       "  x scalar <0>\n"
                                       "  y scalar <-1.5>\n"
                                       "m_None []\n"
                                       "m_Nothing {}\n"
                                       "m_Map map\n"
                                       "  a scalar <1>\n"
                                       "  b list\n"
                                       "     scalar <c>\n"
                                       "m_List list\n"
                                       "   map\n"
                                       "    component {}\n"
                                       "      fileID scalar <7>\n"
                                       "    index scalar <2>\n"
                                       "   empty\n"
                                       "   scalar <----->\n"
                                       "   list\n"
                                       "     {}\n"
                                       "      x scalar <0>\n"
                                       "     {}\n"
                                       "      x scalar <1>\n"
                                       "   list\n"
                                       "     list\n"
                                       "       scalar <deep>\n"
                                       "   map\n"
                                       "    below scalar <1>\n"
                                       "last scalar <1>\n";

TEST(every_form_of_entry_is_recognized)
{
    check_body(every_form, every_form_shown);
}

TEST(a_value_owns_the_lines_that_continue_it)
{
    check_body(STR(HEAD "--- !u!1 &1\nA:\n"
                        "  m_Text: one\n"
                        "    key: like\n"
                        "    - dash\n"
                        "    # comment\n"
                        "    --- !u!1 &2\n"
                        "  m_Quoted: 'first\n"
                        "\n"
                        "     odd'\n"
                        "  m_Ends: 'with a line feed\n"
                        "\n"
                        "'\n"
                        "  m_Reference: {fileID: 1, guid: 0,\n"
                        "    type: 3}\n"
                        "  m_Below:\n"
                        "    just text\n"
                        "    of two lines\n"
                        "  m_List:\n"
                        "  - a\n"
                        "    b\n"
                        "  end: \n"),
               "m_Text scalar <one\n    key: like\n    - dash\n    # comment\n    --- !u!1 &2>\n"
               "m_Quoted scalar <'first\n\n     odd'>\n"
               "m_Ends scalar <'with a line feed\n\n'>\n"
               "m_Reference {}\n"
               "  fileID scalar <1>\n"
               "  guid scalar <0>\n"
               "  type scalar <3>\n"
               "m_Below scalar <just text\n    of two lines>\n"
               "m_List list\n"
               "   scalar <a\n    b>\n"
               "end empty\n");
}

TEST(flow_collections_nest_and_quote)
{
    check_body(STR(HEAD "--- !u!1 &1\nA:\n"
                        "  a: {class: , ns: 'a, b', asm: }\n"
                        "  b: [1, {x: [2, 3]}, \"}\", it's]\n"
                        "  c: {'k': v, \"q\":\"w\", bare}\n"
                        "  d: {time: 12:30}\n"),
               "a {}\n  class empty\n  ns scalar <'a, b'>\n  asm empty\n"
               "b []\n   scalar <1>\n   {}\n    x []\n       scalar <2>\n       scalar <3>\n"
               "   scalar <\"}\">\n   scalar <it's>\n"
               "c {}\n  'k' scalar <v>\n  \"q\" scalar <\"w\">\n  bare empty\n"
               "d {}\n  time scalar <12:30>\n");
}

TEST(carriage_returns_belong_to_line_ends)
{
    struct str text = STR("%YAML 1.1\r\n%TAG !u! tag:unity3d.com,2011:\r\n--- !u!1 &1 stripped\r\n"
                          "GameObject:\r\n  m_Empty: \r\n  m_Name: Cube\r\n  m_List:\r\n  - a\r\n"
                          "  - \r\n  m_Text: 'a\r\n\r\n    b'\r\n");
    struct yaml_file f = file_of(text);
    assert_true(f.crlf);
    assert_true(f.docs[0].stripped);
    CHECK_CSTR(yaml_class_name(&f, &f.docs[0]), "GameObject");
    check_shows(yaml_body(&f, &f.docs[0]), "m_Empty empty\nm_Name scalar <Cube>\nm_List list\n"
                                           "   scalar <a>\n   empty\n"
                                           "m_Text scalar <'a\r\n\r\n    b'>\n");
    yaml_done(&f);
}

TEST(lines_of_an_entry_are_whole)
{
    struct yaml_file f = file_of(STR(HEAD "--- !u!1 &1\nA:\n  a: 1\n  l:\n  - x: 1\n    y: 2\n\n"
                                          "  - z\n  b: {p: 1, q: 2}"));
    struct yaml_value body = yaml_body(&f, &f.docs[0]);
    struct yaml_item item, inner;
    assert_true(yaml_get_item(body, STR("l"), &item));
    CHECK_CSTR(item.lines, "  l:\n  - x: 1\n    y: 2\n\n  - z\n");
    CHECK_CSTR(item.value.text, "  - x: 1\n    y: 2\n\n  - z\n");
    assert_int_equal(item.value.indent, 2);
    assert_true(yaml_item_at(item.value, 0, &inner));
    CHECK_CSTR(inner.lines, "  - x: 1\n    y: 2\n\n");
    CHECK_CSTR(inner.value.text, "x: 1\n    y: 2\n\n");
    assert_int_equal(inner.value.indent, 4);
    assert_true(yaml_get_item(inner.value, STR("y"), &inner));
    CHECK_CSTR(inner.lines, "    y: 2\n\n");
    assert_true(yaml_get_item(body, STR("b"), &item));
    CHECK_CSTR(item.lines, "  b: {p: 1, q: 2}");
    assert_true(yaml_get_item(item.value, STR("q"), &inner));
    CHECK_CSTR(inner.lines, "q: 2");
    assert_int_equal(yaml_line(&f, inner.lines.p), 11);
    yaml_done(&f);
}

TEST(an_empty_value_has_its_place)
{
    struct str text = STR(HEAD "--- !u!1 &1\nA:\n  a: \n  b:\n  c:\n  - \n  -\n  d: {e: , f:}\n");
    struct yaml_file f = file_of(text);
    struct yaml_value body = yaml_body(&f, &f.docs[0]);
    struct yaml_value list = yaml_get(body, STR("c")), flow = yaml_get(body, STR("d"));
    assert_ptr_equal(yaml_get(body, STR("a")).text.p, strstr(text.p, "a: \n") + 3);
    assert_ptr_equal(yaml_get(body, STR("b")).text.p, strstr(text.p, "b:\n") + 2);
    assert_ptr_equal(yaml_at(list, 0).text.p, strstr(text.p, "- \n") + 2);
    assert_ptr_equal(yaml_at(list, 1).text.p, strstr(text.p, "-\n") + 1);
    assert_ptr_equal(yaml_get(flow, STR("e")).text.p, strstr(text.p, "e: ,") + 3);
    assert_ptr_equal(yaml_get(flow, STR("f")).text.p, strstr(text.p, "f:}") + 2);
    yaml_done(&f);
}

TEST(a_plain_file_is_one_map)
{
    check_shows(yaml_plain(STR("\xef\xbb\xbf"
                               "fileFormatVersion: 2\nguid: 00\nMonoImporter:\n  icon: {a: 0}\n")),
                "fileFormatVersion scalar <2>\nguid scalar <00>\nMonoImporter map\n  icon {}\n"
                "    a scalar <0>\n");
    check_shows(yaml_plain(STR("%YAML 1.1\n---\n\na: 1\n--- !u!1 &1\nb: 2\n")), "a scalar <1>\n");
    assert_int_equal(yaml_plain(STR("")).kind, YAML_NONE);
    assert_int_equal(yaml_plain(STR("\xef\xbb\xbf")).kind, YAML_NONE);
    assert_int_equal(yaml_plain(STR("\n---\n")).kind, YAML_NONE);
}

TEST(missing_values_are_none)
{
    struct yaml_value map = yaml_plain(STR("a: 1\nb: {c: 2}\nd: [3]\ne:\n- 4\n'f': \"x\"\n"));
    struct yaml_value none = {0};
    assert_int_equal(yaml_get(map, STR("x")).kind, YAML_NONE);
    assert_int_equal(yaml_get(yaml_get(map, STR("a")), STR("x")).kind, YAML_NONE);
    assert_int_equal(yaml_get(yaml_get(map, STR("d")), STR("")).kind, YAML_NONE);
    assert_int_equal(yaml_get(none, STR("x")).kind, YAML_NONE);
    assert_int_equal(yaml_at(none, 0).kind, YAML_NONE);
    assert_int_equal(yaml_at(yaml_get(map, STR("d")), 1).kind, YAML_NONE);
    CHECK_CSTR(yaml_at(yaml_get(map, STR("d")), 0).text, "3");
    CHECK_CSTR(yaml_at(yaml_get(map, STR("e")), 0).text, "4");
    CHECK_CSTR(yaml_get(map, STR("f")).text, "\"x\"");
    assert_int_equal(yaml_count(map), 5);
    assert_int_equal(yaml_count(yaml_get(map, STR("b"))), 1);
    assert_int_equal(yaml_count(yaml_get(map, STR("a"))), 0);
    assert_int_equal(yaml_count(none), 0);
}

TEST(quoted_key_is_found_by_its_text)
{
    struct yaml_value map = yaml_plain(STR("'it''s': 1\n\"\\u00e9\": 2\n{'a[0]': 3}: x\n"));
    CHECK_CSTR(yaml_get(map, STR("it's")).text, "1");
    CHECK_CSTR(yaml_get(map, STR("\xc3\xa9")).text, "2");
    assert_int_equal(yaml_get(map, STR("it''s")).kind, YAML_NONE);
    map = yaml_plain(STR("a: b: 1\n{x: 2\n"));
    assert_int_equal(yaml_get(map, STR("a: b")).kind, YAML_NONE);
    assert_int_equal(yaml_get(map, STR("{x")).kind, YAML_NONE);
}

TEST(a_property_path_leads_to_its_value)
{
    struct yaml_value map =
        yaml_plain(STR("m_LocalPosition: {x: 1, y: 2}\n"
                       "m_Materials:\n- {fileID: 1}\n- {fileID: 2}\n"
                       "m_Calls:\n- m_Arguments:\n    m_Int: 5\n"
                       "a.b: dotted\n"
                       "a:\n  b: nested\n  c.d:\n    e: both\n"
                       "'m_Metrics[0]': 7\n"
                       "paths:\n- - {x: 8}\n"
                       "references:\n  version: 2\n  RefIds:\n  - rid: -2\n    type: {class: }\n"
                       "  - rid: 77\n    type: {class: C}\n    data:\n      hp: 9\n"));
    static const char *const cases[][2] = {
        {"m_LocalPosition.y", "2"},
        {"m_Materials.Array.data[1]", "{fileID: 2}"},
        {"m_Materials.Array.data[1].fileID", "2"},
        {"m_Calls.Array.data[0].m_Arguments.m_Int", "5"},
        {"a.b", "dotted"},
        {"a.c.d.e", "both"},
        {"m_Metrics[0]", "7"},
        {"paths.Array.data[0].Array.data[0].x", "8"},
        {"managedReferences[77].hp", "9"},
    };
    static const char *const nowhere[] = {
        "m_LocalPosition.z",
        "m_Calls.Array.size",
        "m_Materials.Array.data[2]",
        "m_Materials.Array.data[-1]",
        "m_Materials.Array.data[1",
        "m_Materials.data[0]",
        "m_LocalPosition.x.y",
        "m_Local",
        "",
        ".",
        "a.",
        "managedReferences[78].hp",
        "managedReferences[-2].hp",
        "m_Materials.Array.data[0]fileID",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_CSTR(yaml_path(map, str_from(cases[i][0])).text, cases[i][1]);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_int_equal(yaml_path(map, str_from(nowhere[i])).kind, YAML_NONE);
}

TEST(walk_ends_before_an_unexpected_line)
{
    check_shows(yaml_plain(STR("a: 1\n<<<<<<< HEAD\nb: 2\n")), "a scalar <1>\n");
    check_shows(yaml_plain(STR("a: 1\nb\nc: 2\n")), "a scalar <1>\n");
    check_shows(yaml_plain(STR("a: 1\n- b\nc: 2\n")), "a scalar <1>\n");
    check_shows(yaml_plain(STR("a:\n  b: 1\n c: 2\nd: 3\n")),
                "a map\n  b scalar <1>\nd scalar <3>\n");
    check_shows(yaml_plain(STR("a:\n- 1\n  b: 1\nc: {x: 1, y: {z: 2\nd: 3\n")),
                "a list\n   scalar <1\n  b: 1>\nc {}\n  x scalar <1>\nd scalar <3>\n");
    check_shows(yaml_plain(STR("a: {x: 'b}\nb: {x: 1]\nc: {x: 1 {}}\n")),
                "a {}\nb {}\n  x scalar <1>\nc {}\n");
    check_shows(yaml_plain(STR("\ta: 1\n")), "");
}

/* The depth of the text. A walk of all values must end. */
static unsigned depth_of(struct yaml_value v)
{
    struct yaml_item item;
    unsigned deepest = 0;
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);) {
        unsigned depth = depth_of(item.value);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

TEST(nesting_is_limited)
{
    struct buf b = {0};
    for (int i = 0; i < 1000000; i++)
        buf_add_char(&b, i < 3 ? "a: "[i] : '[');
    assert_int_equal(depth_of(yaml_plain(buf_str(&b))), 2);
    buf_clear(&b);
    buf_add(&b, STR("a: "));
    for (unsigned i = 0; i < YAML_MAX_DEPTH; i++)
        buf_add_char(&b, '[');
    for (unsigned i = 0; i < YAML_MAX_DEPTH; i++)
        buf_add_char(&b, ']');
    assert_int_equal(depth_of(yaml_plain(buf_str(&b))), YAML_MAX_DEPTH + 1);
    buf_clear(&b);
    buf_add(&b, STR("a:\n"));
    for (int i = 0; i < 1000000; i++)
        buf_add(&b, STR("- "));
    assert_in_range(depth_of(yaml_plain(buf_str(&b))), 60, 70);
    buf_clear(&b);
    for (int i = 0; i < 3000; i++)
        buf_printf(&b, "%*sa:\n", i, "");
    assert_in_range(depth_of(yaml_plain(buf_str(&b))), 100, 300);
    buf_done(&b);
}
