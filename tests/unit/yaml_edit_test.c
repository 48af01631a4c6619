#include "unity/yaml_edit.h"

#include "test.h"

#define HEAD "%YAML 1.1\n--- !u!1 &1\nGameObject:\n"

/* A file, an edit, and the expected text. */
struct scene {
    struct yaml_file f;
    struct yaml_edit e;
    struct yaml_value body;
};

static struct scene open_scene(struct str text)
{
    struct scene s = {0};
    struct yaml_error error;
    assert_true(yaml_split(&s.f, text, &error));
    s.body = yaml_body(&s.f, &s.f.docs[0]);
    return s;
}

/* The edit gives this text, which is valid; the inverse gives the old text. */
static void close_scene(struct scene *s, const char *want)
{
    struct buf out = {0}, old = {0};
    struct yaml_file f;
    struct yaml_error error = {0};
    size_t keys;
    yaml_edit_apply(&s->e, s->f.text, &out);
    CHECK_CSTR(buf_str(&out), want);
    assert_true(yaml_split(&f, buf_str(&out), &error));
    if (!yaml_check(&f, &keys, &error))
        print_error("%u:%u: %s\n", error.line, error.column, error.text);
    assert_null(error.text);
    struct yaml_edit back = yaml_edit_invert(&s->e, s->f.text);
    yaml_edit_apply(&back, buf_str(&out), &old);
    CHECK_STR(buf_str(&old), s->f.text);
    buf_clear(&out);
    struct yaml_edit again = yaml_edit_invert(&back, f.text);
    yaml_edit_apply(&again, buf_str(&old), &out);
    CHECK_CSTR(buf_str(&out), want);
    yaml_edit_done(&again);
    yaml_edit_done(&back);
    yaml_edit_done(&s->e);
    yaml_done(&f);
    yaml_done(&s->f);
    buf_done(&out);
    buf_done(&old);
}

static struct yaml_item item_of(const struct scene *s, const char *key)
{
    struct yaml_item item;
    assert_true(yaml_get_item(s->body, str_from(key), &item));
    return item;
}

static void set(struct scene *s, const char *key, const char *text)
{
    struct yaml_item item = item_of(s, key);
    yaml_edit_set(&s->e, &s->f, &item, str_from(text));
}

static void insert(struct scene *s, const char *key, size_t i, const char *lines)
{
    struct yaml_item list = item_of(s, key);
    yaml_edit_list_insert(&s->e, &s->f, &list, i, str_from(lines));
}

static void drop(struct scene *s, const char *key, size_t i)
{
    struct yaml_item list = item_of(s, key);
    yaml_edit_list_remove(&s->e, &s->f, &list, i);
}

TEST(patches_are_sorted_and_kept_apart)
{
    struct scene s = open_scene(STR(HEAD "  a: 111\n  b: 222\n  c: 333\n"));
    struct yaml_value a = yaml_get(s.body, STR("a")), c = yaml_get(s.body, STR("c"));
    char word[] = "4";
    yaml_edit_replace(&s.e, &s.f, c.text, str_from(word));
    word[0] = 'x'; /* the edit has its own copy */
    yaml_edit_replace(&s.e, &s.f, a.text, STR("5"));
    yaml_edit_insert(&s.e, &s.f, a.text.p, STR("<"));
    yaml_edit_insert(&s.e, &s.f, a.text.p, STR(">"));
    yaml_edit_insert(&s.e, &s.f, a.text.p + a.text.n, STR("!"));
    yaml_edit_replace(&s.e, &s.f, a.text, STR("6"));
    yaml_edit_remove(&s.e, &s.f, yaml_get(s.body, STR("b")).text);
    assert_int_equal(s.e.count, 6);
    for (size_t i = 1; i < s.e.count; i++)
        assert_true(s.e.patches[i - 1].at <= s.e.patches[i].at);
    assert_true(yaml_edit_size(&s.e) > 0);
    close_scene(&s, HEAD "  a: <>6!\n  b: \n  c: 4\n");
}

TEST(a_value_of_any_kind_is_set)
{
    struct scene s = open_scene(STR(HEAD "  a: 1  \n  b: \n  c:\n  d: {x: 1,\n    y: 2}\n"
                                         "  e:\n    p: 1\n    q: 2\n\n  f:\n  - 1\n  g: 'x\n\n'\n"
                                         "  h: old\n    text\n  i: 1\n  j: 1"));
    set(&s, "a", "2");
    set(&s, "b", "two");
    set(&s, "c", "three");
    set(&s, "d", "{x: 3, y: 4}");
    set(&s, "e", "{}");
    set(&s, "f", "[]");
    set(&s, "g", "");
    set(&s, "h", "\n    k: 1");
    set(&s, "i", "\n  - 7\n  - 8");
    set(&s, "j", "9");
    set(&s, "b", "again"); /* the last one is used */
    close_scene(&s, HEAD "  a: 2  \n  b: again\n  c: three\n  d: {x: 3, y: 4}\n  e: {}\n\n  f: []\n"
                         "  g: \n  h:\n    k: 1\n  i:\n  - 7\n  - 8\n  j: 9");
}

TEST(an_entry_of_a_list_or_flow_map_is_set)
{
    struct scene s = open_scene(STR(HEAD "  l:\n  - a: 1\n    b: 2\n  - \n  -\n  - x\n  - - 1\n"
                                         "    - 2\n  f: {class: , ns:, bare, asm: x}\n"));
    struct yaml_value list = yaml_get(s.body, STR("l")), flow = yaml_get(s.body, STR("f"));
    static const char *const texts[] = {"{}", "one", "two", "three", "[]"};
    static const char *const names[] = {"C", "N", "B", "y"};
    struct yaml_item item;
    size_t i = 0;
    for (struct yaml_walk w = yaml_walk(list); yaml_next(&w, &item);)
        yaml_edit_set(&s.e, &s.f, &item, str_from(texts[i++]));
    i = 0;
    for (struct yaml_walk w = yaml_walk(flow); yaml_next(&w, &item);)
        yaml_edit_set(&s.e, &s.f, &item, str_from(names[i++]));
    close_scene(&s, HEAD "  l:\n  - {}\n  - one\n  - two\n  - three\n  - []\n"
                         "  f: {class: C, ns: N, bare: B, asm: y}\n");
}

TEST(keys_of_a_list_entry_are_set)
{
    struct scene s = open_scene(STR(HEAD "  l:\n  - target: {fileID: 1}\n    value: 1\n"));
    struct yaml_value entry = yaml_at(yaml_get(s.body, STR("l")), 0);
    struct yaml_item item;
    assert_true(yaml_get_item(entry, STR("target"), &item));
    yaml_edit_set(&s.e, &s.f, &item, STR("{fileID: 2}"));
    assert_true(yaml_get_item(entry, STR("value"), &item));
    yaml_edit_set(&s.e, &s.f, &item, STR(""));
    close_scene(&s, HEAD "  l:\n  - target: {fileID: 2}\n    value: \n");
}

TEST(entries_are_inserted_between_others)
{
    struct scene s = open_scene(STR(HEAD "  m_Component:\n  - component: {fileID: 1}\n"
                                         "  - component: {fileID: 2}\n  m_Layer: 0\n"));
    insert(&s, "m_Component", 2, "  - component: {fileID: 5}\n");
    insert(&s, "m_Component", 0, "  - component: {fileID: 3}\n");
    insert(&s, "m_Component", 1, "  - component: {fileID: 4}\n");
    insert(&s, "m_Component", 2, "  - component: {fileID: 6}\n");
    close_scene(&s, HEAD "  m_Component:\n  - component: {fileID: 3}\n  - component: {fileID: 1}\n"
                         "  - component: {fileID: 4}\n  - component: {fileID: 2}\n"
                         "  - component: {fileID: 5}\n  - component: {fileID: 6}\n  m_Layer: 0\n");
}

TEST(empty_list_gets_lines)
{
    struct scene s = open_scene(STR(HEAD "  a: []\n  b: \n  c:\n  d: [ ]  \n  t: []\t\n  e: []"));
    static const char *const keys[] = {"a", "b", "c", "d", "t", "e"};
    for (size_t i = 0; i < 6; i++) {
        insert(&s, keys[i], 0, "  - 1\n");
        insert(&s, keys[i], 1, "  - 2\n");
    }
    close_scene(&s, HEAD "  a:\n  - 1\n  - 2\n  b:\n  - 1\n  - 2\n  c:\n  - 1\n  - 2\n"
                         "  d:\n  - 1\n  - 2\n  t:\n  - 1\n  - 2\n  e:\n  - 1\n  - 2");
}

TEST(list_without_entries_becomes_brackets)
{
    struct scene s = open_scene(STR(HEAD "  a:\n  - 1\n  - 2\n  - 3\n  b:\n  - 1\n  c: \n  - x: 1\n"
                                         "    y: 2\n  d:\n  - 1"));
    drop(&s, "a", 1);
    drop(&s, "a", 1); /* places are those before the edit: the same entry */
    drop(&s, "b", 0);
    drop(&s, "c", 0);
    drop(&s, "c", 7); /* no such entry */
    drop(&s, "d", 0);
    close_scene(&s, HEAD "  a:\n  - 1\n  - 3\n  b: []\n  c: []\n  d: []\n");
}

TEST(insertions_and_removals_may_be_adjacent)
{
    struct scene s = open_scene(STR(HEAD "  a:\n  - 1\n  - 2\n  b:\n  - 1\n  c:\n  - 1\n  d: 0\n"));
    drop(&s, "a", 0);
    drop(&s, "a", 1);
    insert(&s, "a", 0, "  - 3\n");
    insert(&s, "b", 1, "  - 3\n");
    drop(&s, "b", 0);
    /* A line of another key at the end of a list is not an entry. */
    yaml_edit_insert(&s.e, &s.f, item_of(&s, "d").lines.p, STR("  new: 1\n"));
    drop(&s, "c", 0);
    close_scene(&s, HEAD "  a:\n  - 3\n  b:\n  - 3\n  c: []\n  new: 1\n  d: 0\n");
}

TEST(nested_and_flow_lists_are_rewritten)
{
    struct str text = STR(HEAD "  a:\n  - - {x: 0}\n    - {x: 1}\n  - -   5\n  - k: 1\n"
                               "  b: [{fileID: 1}, {fileID: 2}]\n  c: [1]\n  d: [1, 2]\n"
                               "  e: {f: [1, 2], g: [], h: [1]}\n");
    struct scene s = open_scene(text);
    struct yaml_item item;
    struct yaml_value flow = yaml_get(s.body, STR("e"));
    assert_true(yaml_item_at(yaml_get(s.body, STR("a")), 0, &item));
    yaml_edit_list_insert(&s.e, &s.f, &item, 0, STR("    - {x: 2}\n"));
    assert_true(yaml_item_at(yaml_get(s.body, STR("a")), 1, &item));
    yaml_edit_list_remove(&s.e, &s.f, &item, 0);
    insert(&s, "b", 1, "  - {fileID: 3}\n");
    drop(&s, "c", 0);
    drop(&s, "d", 0);
    assert_true(yaml_get_item(flow, STR("f"), &item));
    yaml_edit_list_insert(&s.e, &s.f, &item, 1, STR("  - 3\n"));
    assert_true(yaml_get_item(flow, STR("g"), &item));
    yaml_edit_list_insert(&s.e, &s.f, &item, 0, STR("  - 4\n"));
    assert_true(yaml_get_item(flow, STR("h"), &item));
    yaml_edit_list_remove(&s.e, &s.f, &item, 0);
    close_scene(&s, HEAD "  a:\n  - - {x: 2}\n    - {x: 0}\n    - {x: 1}\n  - []\n  - k: 1\n"
                         "  b:\n  - {fileID: 1}\n  - {fileID: 3}\n  - {fileID: 2}\n  c: []\n"
                         "  d:\n  - 2\n  e: {f: [1, 3, 2], g: [4], h: []}\n");
}

TEST(first_entry_of_a_nested_list_can_be_removed)
{
    struct scene s = open_scene(STR(HEAD "  a:\n  -   - 1\n      - 2\n      - 3\n  b: 1\n"));
    struct yaml_item item;
    assert_true(yaml_item_at(yaml_get(s.body, STR("a")), 0, &item));
    yaml_edit_list_remove(&s.e, &s.f, &item, 0);
    close_scene(&s, HEAD "  a:\n  -   - 2\n      - 3\n  b: 1\n");
}

TEST(new_lines_have_the_line_ends_of_the_file)
{
    struct scene s =
        open_scene(STR("%YAML 1.1\r\n--- !u!1 &1\r\nA:\r\n  a: []\r\n  b: [1]\r\n  c:\r\n  - 1"));
    insert(&s, "a", 0, "  - 1\r\n");
    insert(&s, "b", 1, "  - 2\r\n");
    insert(&s, "c", 1, "  - 2\r\n");
    close_scene(&s, "%YAML 1.1\r\n--- !u!1 &1\r\nA:\r\n  a:\r\n  - 1\r\n  b:\r\n  - 1\r\n  - 2\r\n"
                    "  c:\r\n  - 1\r\n  - 2");
}

TEST(an_edit_of_nothing_changes_nothing)
{
    struct scene s = open_scene(STR(HEAD "  a: 1\n"));
    close_scene(&s, HEAD "  a: 1\n");
}
