#include "editor/draft.h"

#include "test.h"

static const struct yaml_style plain = {0};

static struct draft *vector(struct arena *a, const char *key)
{
    struct draft *d = draft_new(a, DRAFT_FLOW, str_from(key));
    draft_add(d, draft_float(a, STR("x"), 1.5));
    draft_add(d, draft_number(a, STR("y"), -2));
    return d;
}

static struct draft *text(struct arena *a, const char *key, const char *value)
{
    struct draft *d = draft_new(a, DRAFT_STRING, str_from(key));
    d->text = str_from(value);
    return d;
}

static void check_line(const struct draft *d, const char *want)
{
    struct buf out = {0};
    draft_put_line(&out, &plain, 2, d);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(values_are_written_as_unity_writes_them)
{
    struct arena a = {0};
    check_line(draft_number(&a, STR("m_Layer"), 5), "  m_Layer: 5\n");
    check_line(draft_float(&a, STR("m_Mass"), 0.1), "  m_Mass: 0.1\n");
    check_line(draft_scalar(&a, STR("m_Name"), (struct str){0}), "  m_Name: \n");
    check_line(vector(&a, "m_Size"), "  m_Size: {x: 1.5, y: -2}\n");
    check_line(text(&a, "m_Name", "a: b"), "  m_Name: 'a: b'\n");
    check_line(draft_new(&a, DRAFT_REFERENCE, STR("m_Target")), "  m_Target: {fileID: 0}\n");
    check_line(draft_new(&a, DRAFT_LIST, STR("m_Items")), "  m_Items: []\n");
    arena_done(&a);
}

TEST(maps_are_indented_and_lists_are_not)
{
    struct arena a = {0};
    struct draft *map = draft_new(&a, DRAFT_MAP, STR("stats"));
    struct draft *list = draft_new(&a, DRAFT_LIST, STR("items"));
    struct draft *item = draft_new(&a, DRAFT_MAP, (struct str){0});
    draft_add(item, draft_number(&a, STR("hp"), 1));
    draft_add(item, vector(&a, "at"));
    draft_add(list, item);
    draft_add(list, text(&a, "", "x"));
    draft_add(map, draft_number(&a, STR("serializedVersion"), 2));
    draft_add(map, list);
    check_line(map, "  stats:\n"
                    "    serializedVersion: 2\n"
                    "    items:\n"
                    "    - hp: 1\n"
                    "      at: {x: 1.5, y: -2}\n"
                    "    - x\n");
    arena_done(&a);
}

TEST(numbers_of_a_hex_array_have_their_lowest_byte_first)
{
    struct arena a = {0};
    struct draft *d = draft_new(&a, DRAFT_HEX, STR("scores"));
    d->bytes = 4;
    check_line(d, "  scores: \n");
    draft_add(d, draft_number(&a, (struct str){0}, 258));
    draft_add(d, draft_number(&a, (struct str){0}, -1));
    check_line(d, "  scores: 02010000ffffffff\n");
    arena_done(&a);
}

TEST(long_flow_map_is_wrapped)
{
    struct arena a = {0};
    struct draft *d = draft_new(&a, DRAFT_REFERENCE, STR("m_CorrespondingSourceObject"));
    d->reference = (struct reference){.file_id = 3366742578846980834, .guid = {1, 2}, .type = 3};
    check_line(d, "  m_CorrespondingSourceObject: {fileID: 3366742578846980834, guid: "
                  "00000000000000010000000000000002,\n    type: 3}\n");
    arena_done(&a);
}

static void collect(const struct draft_override *o, void *ctx)
{
    buf_printf(ctx, "%.*s=%.*s", STR_ARG(o->path), STR_ARG(o->value));
    if (o->reference.file_id)
        buf_printf(ctx, "&%lld", (long long)o->reference.file_id);
    buf_add_char(ctx, '\n');
}

TEST(overrides_name_each_leaf_by_its_path)
{
    struct arena a = {0};
    struct buf out = {0};
    struct draft *map = draft_new(&a, DRAFT_MAP, STR("stats"));
    struct draft *list = draft_new(&a, DRAFT_LIST, STR("items"));
    struct draft *object = draft_new(&a, DRAFT_REFERENCE, (struct str){0});
    object->reference.file_id = 7;
    draft_add(list, object);
    draft_add(map, draft_number(&a, STR("serializedVersion"), 2));
    draft_add(map, vector(&a, "at"));
    draft_add(map, list);
    draft_overrides(map, (struct draft_place){.path = STR("stats")}, collect, &out);
    CHECK_CSTR(buf_str(&out), "stats.at.x=1.5\n"
                              "stats.at.y=-2\n"
                              "stats.items.Array.size=1\n"
                              "stats.items.Array.data[0]=&7\n");
    buf_done(&out);
    arena_done(&a);
}

TEST(file_value_becomes_an_equal_draft)
{
    static const char *const lines[] = {
        "  a:\n    b: .5\n    c: 'x: y'\n    d:\n    - 1\n    - {x: 0, y: 1}\n",
        "  a: {fileID: 5}\n",
        "  a: []\n",
        "  a: \n",
    };
    struct arena a = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct buf file = {0};
        buf_printf(&file, "k:\n%s", lines[i]);
        struct yaml_value k = yaml_get(yaml_plain(buf_str(&file)), STR("k"));
        check_line(draft_of_yaml(&a, STR("a"), yaml_get(k, STR("a"))), lines[i]);
        buf_done(&file);
    }
    arena_done(&a);
}
