#include "bridge/catalog.h"

#include "base/jsonw.h"
#include "bridge/catalog_row.h"
#include "bridge/schema.h"
#include "test.h"

static struct catalog *catalog;
static struct arena arena;

static int open_catalog(void **state)
{
    struct limits limits;
    limits_init(&limits);
    catalog = catalog_new(&limits);
    return 0;
}

static int close_catalog(void **state)
{
    catalog_free(catalog);
    arena_done(&arena);
    return 0;
}

#define EACH_TOOL(t)                                                                               \
    for (size_t t##_i = 0; t##_i < catalog_count(catalog); t##_i++)                                \
        for (const struct tool *t = catalog_at(catalog, t##_i); t; t = NULL)

static const struct tool *tool(const char *name)
{
    const struct tool *t = catalog_find(catalog, str_from(name));
    assert_non_null(t);
    return t;
}

static const struct json *json(const char *text)
{
    const struct json *v = json_parse(&arena, str_from(text), NULL, NULL);
    if (!v)
        fail_msg("no JSON: %s", text);
    return v;
}

/* A change here is a change of the contract with every client: docs/adr/0001-tool-metadata.md. */
TEST(the_metadata_of_the_tools_is_pinned)
{
    struct buf got = {0};
    EACH_TOOL (t)
        buf_printf(&got, "%s %s cancel=%d %llu %llu id=%d retry=%d server=%d\n", t->name,
                   catalog_mode_name(t->mode), t->supports_cancel,
                   (unsigned long long)t->default_timeout_ms, (unsigned long long)t->max_timeout_ms,
                   t->requires_client_request_id, t->execution_error_retryable, t->control != NULL);
    CHECK_CSTR(buf_str(&got),
               "get_editor_state sync cancel=0 5000 10000 id=0 retry=1 server=1\n"
               "read_console sync cancel=0 10000 30000 id=0 retry=1 server=0\n"
               "run_tests job cancel=1 300000 1800000 id=0 retry=0 server=0\n"
               "get_job_status sync cancel=0 5000 10000 id=0 retry=0 server=1\n"
               "cancel_job sync cancel=0 5000 10000 id=0 retry=0 server=1\n"
               "get_scene_hierarchy sync cancel=0 10000 30000 id=0 retry=1 server=0\n"
               "get_component_info sync cancel=0 10000 30000 id=0 retry=1 server=0\n"
               "manage_component sync cancel=0 10000 30000 id=0 retry=0 server=0\n"
               "find_assets sync cancel=0 10000 30000 id=0 retry=1 server=0\n"
               "find_component_types sync cancel=0 10000 30000 id=0 retry=1 server=0\n"
               "list_scenes sync cancel=0 5000 10000 id=0 retry=1 server=0\n"
               "open_scene sync cancel=0 30000 60000 id=0 retry=0 server=0\n"
               "save_scene sync cancel=0 30000 60000 id=0 retry=0 server=0\n"
               "undo sync cancel=0 10000 30000 id=0 retry=0 server=0\n"
               "redo sync cancel=0 10000 30000 id=0 retry=0 server=0\n"
               "control_play_mode sync cancel=0 30000 60000 id=0 retry=0 server=0\n");
    buf_done(&got);
}

TEST(the_hints_for_clients_are_pinned)
{
    struct buf got = {0};
    EACH_TOOL (t)
        buf_printf(&got, "%s%s%s%s%s task=%d\n", t->name, t->hints.read_only ? " reads" : "",
                   t->hints.destructive ? " destroys" : "", t->hints.idempotent ? " repeats" : "",
                   t->hints.open_world ? " open" : "", (int)t->may_be_task);
    CHECK_CSTR(buf_str(&got), "get_editor_state reads repeats task=0\n"
                              "read_console reads repeats task=0\n"
                              "run_tests task=1\n"
                              "get_job_status reads repeats task=0\n"
                              "cancel_job repeats task=0\n"
                              "get_scene_hierarchy reads repeats task=0\n"
                              "get_component_info reads repeats task=0\n"
                              "manage_component destroys task=0\n"
                              "find_assets reads repeats task=0\n"
                              "find_component_types reads repeats task=0\n"
                              "list_scenes reads repeats task=0\n"
                              "open_scene destroys repeats task=0\n"
                              "save_scene repeats task=0\n"
                              "undo destroys task=0\n"
                              "redo destroys task=0\n"
                              "control_play_mode destroys repeats task=0\n");
    buf_done(&got);
}

TEST(a_tool_with_the_traits_of_a_job_is_one)
{
    EACH_TOOL (t) {
        assert_int_equal(catalog_wants_job(&t->traits), t->mode == TOOL_JOB);
        assert_int_equal(t->traits.changes, !t->hints.read_only);
        assert_true(!t->supports_cancel || t->traits.needs_cancel);
        assert_true(!t->control || t->mode == TOOL_SYNC);
        assert_true(!t->may_be_task || t->mode == TOOL_JOB);
    }
    assert_true(catalog_wants_job(&(struct tool_traits){.over_5s = true}));
    assert_true(catalog_wants_job(&(struct tool_traits){.needs_cancel = true}));
    assert_true(catalog_wants_job(&(struct tool_traits){.whole_project = true}));
    assert_true(catalog_wants_job(&(struct tool_traits){.reloads = true}));
    assert_false(catalog_wants_job(&(struct tool_traits){.changes = true}));
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '_' && (s.p[i] < 'a' || s.p[i] > 'z'))
            return false;
    return s.n > 0 && s.n < 64;
}

/* Only keywords that schema_check() understands, or that do not affect validity. Any other would be
 * published and not checked. */
static void check_keywords(const struct json *schema)
{
    static const char *const known[] = {
        "type",     "properties", "required",    "additionalProperties",
        "items",    "minItems",   "enum",        "const",
        "minimum",  "maximum",    "anyOf",       "minLength",
        "$ref",     "$defs",      "description", "default",
        "maxItems", "maxLength",
    };
    JSON_EACH (schema, key) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || str_eq(json_str(key), str_from(known[i]));
        if (!found)
            fail_msg("keyword %.*s", STR_ARG(json_str(key)));
    }
}

/* Every schema in a schema, and its own parts: names, what is required, defaults. */
static void check_schema(const struct json *schema)
{
    const struct json *properties = json_get(schema, STR("properties"));
    const struct json *defs = json_get(schema, STR("$defs"));
    const struct json *any = json_get(schema, STR("anyOf"));
    const struct json *value = json_get(schema, STR("default"));
    const struct json *others = json_get(schema, STR("additionalProperties"));
    if (json_is(schema, JSON_BOOL))
        return;
    assert_true(json_is(schema, JSON_OBJECT));
    check_keywords(schema);
    JSON_EACH (properties, name) {
        assert_true(is_name(json_str(name)));
        check_schema(name + 1);
    }
    JSON_EACH (defs, name)
        check_schema(name + 1);
    JSON_ITEMS (any, one)
        check_schema(one);
    if (json_get(schema, STR("items")))
        check_schema(json_get(schema, STR("items")));
    if (others)
        check_schema(others);
    if (value)
        assert_true(schema_check(schema, value, NULL));
}

static void check_required(const struct json *schema)
{
    const struct json *properties = json_get(schema, STR("properties"));
    const struct json *required = json_get(schema, STR("required"));
    JSON_ITEMS (required, name)
        assert_non_null(json_get(properties, json_str(name)));
}

/* A plain object, closed, every part described; compact. */
static void check_object(const char *text, const struct json *schema)
{
    struct buf compact = {0};
    struct jsonw w = jsonw_make(&compact);
    const struct json *properties = json_get(schema, STR("properties"));
    const struct json *others = json_get(schema, STR("additionalProperties"));
    CHECK_CSTR(json_str(json_get(schema, STR("type"))), "object");
    assert_true(json_is(others, JSON_BOOL) && !json_bool(others));
    JSON_EACH (properties, name) {
        struct str about = json_str(json_get(name + 1, STR("description")));
        assert_true(about.n > 0 && about.p[about.n - 1] == '.');
    }
    check_schema(schema);
    check_required(schema);
    jsonw_value(&w, schema);
    CHECK_CSTR(buf_str(&compact), text);
    buf_done(&compact);
}

/* The answer as clients know it: the same fields, nothing more, and an error's object fits, too. */
static void check_published(const struct tool *t)
{
    const struct json *published = json(t->output_schema);
    const struct json *failure =
        json("{\"code\":\"ERR_QUEUE_FULL\",\"message\":\"m\",\"retryable\":true,"
             "\"details\":{\"execution_guarantee\":\"not_executed\"}}");
    struct error err = {0};
    check_schema(published);
    assert_true(
        json_equal(json_get(published, STR("properties")), json_get(t->output, STR("properties"))));
    assert_null(json_get(published, STR("required")));
    assert_null(json_get(published, STR("anyOf")));
    assert_null(json_get(published, STR("additionalProperties")));
    assert_true(schema_check(published, failure, &err));
    assert_false(schema_check(t->output, failure, &err));
}

TEST(every_schema_is_sound)
{
    EACH_TOOL (t) {
        assert_true(is_name(str_from(t->name)));
        assert_true(*t->title && *t->description);
        check_object(t->input_schema, t->input);
        check_published(t);
        assert_null(json_get(t->input, STR("anyOf")));
        assert_null(json_get(t->input, STR("$defs")));
    }
}

static const struct json *property(const struct tool *t, const char *name)
{
    return json_get(json_get(t->input, STR("properties")), str_from(name));
}

TEST(every_tool_takes_the_common_arguments)
{
    EACH_TOOL (t) {
        uint64_t n;
        const struct json *timeout = property(t, "timeout_ms");
        const struct json *id = property(t, "client_request_id");
        assert_true(json_u64(json_get(timeout, STR("minimum")), &n) && n == 1);
        assert_true(json_u64(json_get(timeout, STR("maximum")), &n) && n == t->max_timeout_ms);
        assert_true(json_u64(json_get(timeout, STR("default")), &n) && n == t->default_timeout_ms);
        assert_true(json_u64(json_get(id, STR("minLength")), &n) && n == 1);
        assert_true(json_u64(json_get(id, STR("maxLength")), &n) && n == 128);
    }
}

/* Checks the arguments: the sentence, or NULL if they are right. */
static void check_says(const struct tool *t, const char *arguments, const char *want)
{
    struct error err = {0};
    struct tool_args args = {.timeout_ms = 77};
    bool ok = catalog_check(t, arguments ? json(arguments) : NULL, &args, &err);
    CHECK_CSTR(str_from(err.text), want ? want : "");
    assert_int_equal(ok, !want);
    assert_int_equal(err.code, want ? ERR_INVALID_PARAMS : ERR_NONE);
    if (want) /* outputs are untouched on failure */
        assert_int_equal(args.timeout_ms, 77);
}

TEST(arguments_are_checked_against_the_schema)
{
    check_says(tool("get_editor_state"), NULL, NULL);
    check_says(tool("get_editor_state"), "{}", NULL);
    check_says(tool("get_editor_state"), "[]", "the arguments must be an object, not an array");
    check_says(tool("get_scene_hierarchy"), "{\"max_depth\":99}",
               "max_depth must be an integer from 0 to 50, not 99");
    check_says(tool("get_scene_hierarchy"), "{\"max_dept\":9}",
               "max_dept is not an argument of this tool; did you mean max_depth?");
    check_says(tool("read_console"), "{\"log_type\":[\"log\",\"info\"]}",
               "log_type[1] must be one of \"log\", \"warning\", \"error\", \"assert\", "
               "\"exception\", not \"info\"");
    check_says(tool("get_job_status"), NULL,
               "job_id is missing: the job_id that run_tests returned");
    check_says(tool("manage_component"),
               "{\"action\":\"add\",\"game_object_path\":\"/P\",\"component_type\":\"C\","
               "\"fields\":\"speed=5\"}",
               "fields must be an object, not a string");
}

TEST(some_actions_need_other_arguments)
{
    const struct tool *t = tool("manage_component");
#define ACTION(rest) "{\"game_object_path\":\"/P\",\"action\":" rest "}"
    check_says(t, ACTION("\"add\""), "component_type is missing: action \"add\" needs it");
    check_says(t, ACTION("\"update\""), "index is missing: action \"update\" needs it");
    check_says(t, ACTION("\"update\",\"index\":1"),
               "fields is missing: action \"update\" needs it");
    check_says(t, ACTION("\"remove\""), "index is missing: action \"remove\" needs it");
    check_says(t, ACTION("\"move\",\"new_index\":1"), "index is missing: action \"move\" needs it");
    check_says(t, ACTION("\"move\",\"index\":1"), "new_index is missing: action \"move\" needs it");
    check_says(t, ACTION("\"add\",\"component_type\":\"C\""), NULL);
    check_says(t, ACTION("\"update\",\"index\":1,\"fields\":{}"), NULL);
    check_says(t, ACTION("\"remove\",\"index\":1"), NULL);
    check_says(t, ACTION("\"move\",\"index\":1,\"new_index\":2"), NULL);
}

TEST(the_common_arguments_are_read)
{
    const struct tool *t = tool("read_console");
    struct tool_args args;
    assert_true(catalog_check(t, NULL, &args, NULL));
    assert_int_equal(args.timeout_ms, 10000);
    assert_false(args.has_timeout);
    assert_int_equal(args.client_request_id.n, 0);
    assert_true(catalog_check(t, json("{\"timeout_ms\":2.5e4,\"client_request_id\":\"a-1\"}"),
                              &args, NULL));
    assert_int_equal(args.timeout_ms, 25000);
    assert_true(args.has_timeout);
    CHECK_CSTR(args.client_request_id, "a-1");
}

TEST(the_common_arguments_have_bounds)
{
    const struct tool *t = tool("read_console");
    char text[400], id[130];
    check_says(t, "{\"timeout_ms\":30000}", NULL);
    check_says(t, "{\"timeout_ms\":30001}",
               "timeout_ms must be an integer from 1 to 30000, not 30001");
    check_says(t, "{\"timeout_ms\":0}", "timeout_ms must be an integer from 1 to 30000, not 0");
    check_says(t, "{\"client_request_id\":\"\"}",
               "client_request_id must be a string of 1 to 128 characters, not \"\"");
    for (int n = 128; n <= 129; n++) {
        memset(id, 'x', sizeof id);
        snprintf(text, sizeof text, "{\"client_request_id\":\"%.*s\"}", n, id);
        check_says(t, text,
                   n == 128 ? NULL
                            : "client_request_id must be a string of 1 to 128 characters, not one "
                              "of 129");
    }
}

TEST(a_required_id_that_is_missing_is_another_error)
{
    struct catalog_entry entry = *(const struct catalog_entry *)tool("cancel_job");
    struct tool_args args;
    struct error err = {0};
    entry.tool.requires_client_request_id = true;
    assert_false(catalog_check(&entry.tool, json("{\"job_id\":\"j\"}"), &args, &err));
    assert_int_equal(err.code, ERR_INVALID_REQUEST);
    CHECK_CSTR(str_from(err.text),
               "client_request_id is missing: cancel_job changes something, so give each call an "
               "id of your own (1 to 128 characters)");
    assert_false(catalog_check(&entry.tool, NULL, &args, &err));
    assert_int_equal(err.code, ERR_INVALID_REQUEST);
    assert_false(catalog_check(&entry.tool, json("[]"), &args, &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    assert_true(catalog_check(&entry.tool, json("{\"job_id\":\"j\",\"client_request_id\":\"1\"}"),
                              &args, &err));
}

TEST(times_come_from_the_limits)
{
    struct limits limits;
    limits_init(&limits);
    limits.sync_fast_timeout_ms = 7000;
    limits.job_default_timeout_ms = 60000;
    limits.job_max_timeout_ms = 90000;
    struct catalog *c = catalog_new(&limits);
    assert_int_equal(catalog_find(c, STR("cancel_job"))->default_timeout_ms, 7000);
    assert_int_equal(catalog_find(c, STR("get_job_status"))->default_timeout_ms, 7000);
    assert_int_equal(catalog_find(c, STR("get_editor_state"))->default_timeout_ms, 7000);
    assert_int_equal(catalog_find(c, STR("run_tests"))->default_timeout_ms, 60000);
    assert_int_equal(catalog_find(c, STR("run_tests"))->max_timeout_ms, 90000);
    catalog_free(c);
    limits.sync_fast_timeout_ms = 20000; /* above the maximum, which is a number of the row */
    c = catalog_new(&limits);
    assert_int_equal(catalog_find(c, STR("cancel_job"))->default_timeout_ms, 10000);
    catalog_free(c);
}

TEST(tools_are_found_by_their_whole_name)
{
    assert_ptr_equal(catalog_find(catalog, STR("read_console")), catalog_at(catalog, 1));
    assert_null(catalog_find(catalog, STR("read_consol")));
    assert_null(catalog_find(catalog, STR("Read_console")));
    assert_null(catalog_find(catalog, (struct str){0}));
    catalog_free(NULL);
}

TEST(examples_satisfy_the_schemas)
{
    EACH_TOOL (t) {
        const struct catalog_row *row = ((const struct catalog_entry *)t)->row;
        struct error err = {0};
        struct tool_args args;
        if (!catalog_check(t, json(row->example), &args, &err) ||
            !schema_check(t->output, json(row->answer), &err))
            fail_msg("%s: %s", row->name, err.text);
        assert_null(strchr(row->example, '\'')); /* it is quoted for the shell */
    }
}

TEST(the_table_fits_a_terminal)
{
    struct buf out = {0};
    size_t lines = 0;
    catalog_show_table(catalog, &out);
    struct str rest = buf_str(&out), line;
    size_t what = str_find(rest, STR("WHAT IT DOES"));
    while (str_cut(&rest, '\n', &line)) {
        struct str name = lines ? str_from(catalog_at(catalog, lines - 1)->name) : STR("TOOL");
        assert_true(line.n <= 100 && str_starts(line, name));
        assert_true(line.n > what && line.p[what] != ' ' && line.p[what - 1] == ' ');
        lines++;
    }
    assert_int_equal(rest.n, 0);
    assert_int_equal(lines, catalog_count(catalog) + 1);
    assert_true(str_find(buf_str(&out), STR("  job   5 min / 30 min  yes     starts ")) < out.n);
    buf_done(&out);
}

TEST(the_json_is_the_whole_table)
{
    struct buf out = {0}, again = {0};
    catalog_show_json(catalog, &out);
    const struct json *all = json(out.p);
    size_t i = 0;
    uint64_t n;
    assert_int_equal(json_count(all), catalog_count(catalog));
    JSON_ITEMS (all, one) {
        const struct tool *t = catalog_at(catalog, i++);
        CHECK_CSTR(json_str(json_get(one, STR("name"))), t->name);
        assert_true(json_u64(json_get(one, STR("max_timeout_ms")), &n) && n == t->max_timeout_ms);
        assert_true(json_equal(json_get(one, STR("input_schema")), t->input));
        assert_true(json_equal(json_get(one, STR("output_schema")), t->output));
    }
    jsonw_indent(&again, all);
    buf_add_char(&again, '\n');
    CHECK_STR(buf_str(&out), buf_str(&again));
    buf_done(&out);
    buf_done(&again);
}

TEST(the_page_has_a_section_for_each_tool)
{
    struct buf out = {0};
    catalog_show_markdown(catalog, &out);
    EACH_TOOL (t) {
        char text[120];
        snprintf(text, sizeof text, "\n## %s\n", t->name);
        assert_true(str_find(buf_str(&out), str_from(text)) < out.n);
        snprintf(text, sizeof text, "\nmultiverse call %s", t->name);
        assert_true(str_find(buf_str(&out), str_from(text)) < out.n);
    }
    buf_done(&out);
}

int main(void)
{
    return test_run(open_catalog, close_catalog);
}
