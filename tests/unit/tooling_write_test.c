#include "base/file.h"
#include "tooling_fixture.h"

/* GOLDEN is the folder: NAME.json is read, and the output must be NAME.yaml, byte for byte. */
static void read_file(const char *name, struct buf *out)
{
    struct buf path = {0};
    buf_printf(&path, "%s/%s", GOLDEN, name);
    if (!file_read(path.p, 1 << 20, out, &err))
        fail_msg("%s", err.text);
    buf_done(&path);
}

static void write_yaml(struct buf *out, size_t indent)
{
    buf_clear(out);
    tooling_write_yaml(t, out, indent);
}

/* The output, in a file with the given prefix, reads back the same and is written the same
 * again. */
static void check_round_trip(const char *prefix, size_t indent, struct str at)
{
    struct buf once = {0}, twice = {0};
    buf_add(&twice, str_from(prefix));
    write_yaml(&once, indent);
    buf_add(&twice, buf_str(&once));
    if (!read_as(DOC_YAML, twice.p, at))
        fail_msg("%s\n%s", err.text, twice.p);
    assert_int_equal(t->warning_count, 0);
    write_yaml(&twice, indent);
    CHECK_STR(buf_str(&twice), buf_str(&once));
    buf_done(&once);
    buf_done(&twice);
}

static void check_golden(const char *json_name, const char *yaml_name)
{
    struct buf json = {0}, want = {0}, got = {0};
    read_file(json_name, &json);
    read_file(yaml_name, &want);
    if (!read_as(DOC_JSON, json.p, STR("")))
        fail_msg("%s", err.text);
    write_yaml(&got, 4);
    CHECK_STR(buf_str(&got), buf_str(&want));
    buf_done(&json);
    buf_done(&want);
    buf_done(&got);
}

TEST_FIXTURE(NULL, teardown_tooling);

TEST(every_setting_is_written_like_the_golden_file)
{
    check_golden("everything.json", "everything.yaml");
    check_round_trip("runner:\n  tooling:\n", 4, STR("/runner/tooling"));
}

TEST(a_written_tooling_reads_back_the_same)
{
    struct buf json = {0}, yaml = {0};
    read_file("everything.json", &json);
    read_file("everything.yaml", &yaml);
    assert_true(read_as(DOC_JSON, json.p, STR("")));
    struct tooling *meant = tooling_ref(t);
    struct buf whole = {0};
    buf_printf(&whole, "t:\n%s", yaml.p);
    assert_true(read_as(DOC_YAML, whole.p, STR("/t")));
    const struct candidate *a = meant->active->categories[CATEGORY_META].candidates;
    const struct candidate *b = t->active->categories[CATEGORY_META].candidates;
    CHECK_STR(t->active->id, meant->active->id);
    CHECK_STR(t->active->name, meant->active->name);
    CHECK_STR(b->system_prompt, a->system_prompt);
    CHECK_STR(b->cli_path, a->cli_path);
    assert_true(json_equal(b->flags, a->flags));
    assert_true(json_equal(b->env, a->env));
    assert_true(json_equal(b->tool_specific, a->tool_specific));
    assert_true(a[1].weight == b[1].weight && b[1].weight == 0);
    assert_int_equal(t->force.tool, AGENT_CURSOR);
    assert_false(t->forced);
    tooling_unref(meant);
    buf_done(&json);
    buf_done(&yaml);
    buf_done(&whole);
}

TEST(the_default_survives)
{
    t = tooling_default();
    check_round_trip("", 0, STR(""));
    struct tooling *written = t;
    t = tooling_default();
    for (size_t i = 0; i < 2; i++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++)
            assert_int_equal(written->profiles[i].categories[c].count,
                             t->profiles[i].categories[c].count);
    tooling_unref(written);
}

TEST(an_active_force_is_written)
{
    struct buf out = {0};
    must_read(
        "{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [{'tool': 'mock'}]}}}]"
        ", 'force': {'enabled': true, 'tool': 'mock', 'flags': ['x']}}");
    write_yaml(&out, 2);
    CHECK_CSTR(buf_str(&out), "  active_profile: p\n"
                              "  profiles:\n"
                              "    - id: p\n"
                              "      name: p\n"
                              "      categories:\n"
                              "        meta:\n"
                              "          strategy: weighted\n"
                              "          fallback_on_rate_limit: true\n"
                              "          cooldown_sec: 120\n"
                              "          candidates:\n"
                              "            - tool: mock\n"
                              "              weight: 1\n"
                              "  force:\n"
                              "    enabled: true\n"
                              "    tool: mock\n"
                              "    flags:\n"
                              "      - x\n");
    check_round_trip("t:\n", 2, STR("/t"));
    assert_true(t->forced);
    buf_done(&out);
}

/* Each character: alone, at both ends and in the middle of a text. */
TEST(any_character_survives)
{
    static const uint32_t others[] = {0x80,   0x85,   0x9f,   0xa0,   0xad,   0x2028,  0x2029,
                                      0xd7ff, 0xe000, 0xfeff, 0xfffe, 0xffff, 0x1f600, 0x10ffff};
    for (uint32_t i = 1; i < 0x80 + sizeof others / sizeof *others; i++) {
        uint32_t c = i < 0x80 ? i : others[i - 0x80];
        struct buf json = {0};
        char unit[32];
        if (c < 0x10000)
            snprintf(unit, sizeof unit, "\\u%04x", c);
        else
            snprintf(unit, sizeof unit, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                     0xdc00 + ((c - 0x10000) & 0x3ff));
        buf_printf(&json,
                   "{\"profiles\":[{\"id\":\"%s\",\"name\":\"a%sb%s\",\"categories\":{\"meta\":{"
                   "\"candidates\":[{\"tool\":\"mock\",\"toolSpecific\":{\"%s\":\"%s \"},"
                   "\"systemPrompt\":\" %s\"}]}}}]}",
                   unit, unit, unit, unit, unit, unit);
        assert_true(read_as(DOC_JSON, json.p, STR("")));
        struct tooling *meant = tooling_ref(t);
        check_round_trip("t:\n", 2, STR("/t"));
        const struct candidate *a = meant->active->categories[CATEGORY_META].candidates;
        const struct candidate *b = t->active->categories[CATEGORY_META].candidates;
        CHECK_STR(t->active->id, meant->active->id);
        CHECK_STR(t->active->name, meant->active->name);
        CHECK_STR(b->system_prompt, a->system_prompt);
        assert_true(json_equal(a->tool_specific, b->tool_specific));
        tooling_unref(meant);
        buf_done(&json);
    }
}
