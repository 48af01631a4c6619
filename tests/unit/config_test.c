#include "app/config.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/config_option.h"
#include "test.h"

/* Every test works in a folder of its own, which is also the current one. */
static char folder[64];
static struct config c;
static struct error err;

static int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/config_test.XXXXXX");
    c = (struct config){0};
    err = (struct error){0};
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int teardown(void **state)
{
    char command[256];
    config_done(&c);
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", folder, folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void check_file(const char *path, const char *want)
{
    struct buf got = {0};
    assert_true(file_read(path, 1 << 20, &got, NULL));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

static void load(const char *text)
{
    put("multiverse.json", text);
    config_done(&c);
    if (!config_load(NULL, &c, &err))
        fail_msg("%s", err.text);
}

static void check_bad(const char *text, enum error_code code, const char *want)
{
    struct config untouched = {.port = 7};
    put("multiverse.json", text);
    err = (struct error){0};
    assert_false(config_load(NULL, &untouched, &err));
    assert_int_equal(err.code, code);
    CHECK_CSTR(str_from(err.text), want);
    assert_int_equal(untouched.port, 7);
}

static void check_value(enum config_key key, const char *want)
{
    struct buf got = {0};
    config_put_value(&c, key, &got);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

/* ---- read */

TEST_FIXTURE(setup, teardown);

TEST(without_a_file_every_setting_has_its_default)
{
    assert_true(config_load(NULL, &c, &err));
    assert_false(c.has_file);
    assert_int_equal(c.port, 48091);
    assert_null(c.token_file);
    assert_null(c.project_path);
    assert_int_equal(c.log_format, LOG_TEXT);
    assert_int_equal(c.log_level, LOG_INFO);
    assert_int_equal(c.limits.queue_max_size, 32);
    for (size_t i = 0; i < CONFIG_KEY_COUNT; i++)
        assert_int_equal(c.origins[i], CONFIG_FROM_DEFAULT);
    assert_int_equal(c.warning_count, 0);
}

TEST(a_named_file_must_exist)
{
    assert_false(config_load("other.json", &c, &err));
    assert_int_equal(err.code, ERR_IO);
    CHECK_CSTR(str_from(err.text), "cannot read other.json: No such file or directory");
    assert_true(config_load_for_change("other.json", &c, &err));
}

TEST(every_key_can_be_set_in_the_file)
{
    struct buf text = {0};
    buf_add(&text,
            STR("{\"schema_version\":1,\"port\":0,\"token_file\":\"t\",\"log_format\":"
                "\"json\",\"log_level\":\"error\",\"project_path\":\"p\",\"save\":\"manual\","
                "\"unity_path\":\"u\",\"tests.command\":[\"run\",\"\"]"));
    for (size_t i = 0; i < limits_row_count; i++) /* both ends of the range are allowed */
        buf_printf(&text, ",\"%s\":%.17g", limits_rows[i].name,
                   strstr(limits_rows[i].name, "_max") || strstr(limits_rows[i].name, "stale")
                       ? limits_rows[i].most
                       : limits_rows[i].least);
    buf_add(&text, STR("}"));
    load(text.p);
    buf_done(&text);
    assert_true(c.has_file);
    assert_int_equal(c.port, 0);
    CHECK_CSTR(str_from(c.token_file), "t");
    CHECK_CSTR(str_from(c.project_path), "p");
    assert_true(c.save_manual);
    CHECK_CSTR(str_from(c.unity_path), "u");
    CHECK_CSTR(str_from(c.tests_command[0]), "run");
    CHECK_CSTR(str_from(c.tests_command[1]), "");
    assert_null(c.tests_command[2]);
    assert_int_equal(c.log_format, LOG_JSON);
    assert_int_equal(c.log_level, LOG_ERROR);
    assert_int_equal(c.limits.editor_status_interval_ms, 10);
    assert_int_equal(c.limits.job_max_timeout_ms, 86400000);
    assert_true(c.limits.reconnect_jitter == 0);
    for (size_t i = 0; i < CONFIG_KEY_COUNT; i++)
        assert_int_equal(c.origins[i], CONFIG_FROM_FILE);
    assert_int_equal(c.warning_count, 0);
}

TEST(a_command_is_a_list_of_strings)
{
    static const char *const bad[] = {"\"make test\"", "[]", "[\"\"]",
                                      "[\"a\",1]",     "{}", "[\"a\\u0000b\"]"};
    struct buf text = {0}, shown = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        buf_clear(&text);
        buf_printf(&text, "{\"schema_version\":1,\"tests.command\":%s}", bad[i]);
        assert_false(config_check("x.json", buf_str(&text), &err));
        assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
        assert_non_null(strstr(err.text, "tests.command must be a list of strings"));
    }
    load("{\"schema_version\":1,\"tests\":{\"command\":[\"b\"],\"other\":1}}");
    CHECK_CSTR(str_from(c.tests_command[0]), "b");
    assert_int_equal(c.warning_count, 1);
    load("{\"schema_version\":1}");
    assert_true(config_set(&c, CONFIG_TESTS_COMMAND, STR("[\"a\", \"{results}\"]"), &err));
    config_put_value(&c, CONFIG_TESTS_COMMAND, &shown);
    CHECK_CSTR(buf_str(&shown), "[\"a\",\"{results}\"]");
    assert_false(config_set(&c, CONFIG_TESTS_COMMAND, STR("a"), &err));
    assert_false(config_set(&c, CONFIG_SAVE, STR("never"), &err));
    assert_true(config_set(&c, CONFIG_SAVE, STR("manual"), &err));
    assert_true(config_save(&c, &err));
    check_file("multiverse.json", "{\"schema_version\":1,\"save\":\"manual\","
                                  "\"tests.command\":[\"a\",\"{results}\"]}");
    config_unset(&c, CONFIG_TESTS_COMMAND);
    config_unset(&c, CONFIG_SAVE);
    assert_null(c.tests_command);
    assert_false(c.save_manual);
    buf_done(&text);
    buf_done(&shown);
}

TEST(every_row_of_the_tables_is_a_key)
{
    enum config_key key;
    assert_int_equal(CONFIG_KEY_COUNT, CONFIG_LIMITS + limits_row_count);
    assert_true(config_find(STR("job_keep_ms"), &key));
    assert_int_equal(key, CONFIG_KEY_COUNT - 1);
    assert_false(config_find(STR("schema_version"), &key));
}

TEST(null_means_a_missing_key)
{
    load("{\"schema_version\": 1, \"port\": null}");
    assert_int_equal(c.port, 48091);
    assert_int_equal(c.origins[CONFIG_PORT], CONFIG_FROM_DEFAULT);
}

TEST(invalid_json_is_refused_with_its_place)
{
    check_bad("{\n  \"port\": 1,\n  \"\xc3\xa4\": x\n}\n", ERR_CONFIG_PARSE,
              "multiverse.json, line 3, column 8: unexpected character");
    check_bad("", ERR_CONFIG_PARSE, "multiverse.json, line 1, column 1: unexpected end");
    check_bad("[]", ERR_CONFIG_PARSE,
              "multiverse.json, line 1, column 1: must be an object {...}, not an array");
    check_bad("{\"schema_version\":1,\"port\":1,\"port\":2}", ERR_CONFIG_PARSE,
              "multiverse.json, line 1, column 30: duplicate key");
}

TEST(schema_version_must_be_1)
{
    check_bad("{}", ERR_CONFIG_SCHEMA_VERSION,
              "multiverse.json: schema_version is missing: add \"schema_version\": 1");
    check_bad("{\"schema_version\":2,\"port\":\"x\"}", ERR_CONFIG_SCHEMA_VERSION,
              "multiverse.json: schema_version must be 1, not 2");
    check_bad("{\"schema_version\":\"1\"}", ERR_CONFIG_SCHEMA_VERSION,
              "multiverse.json: schema_version must be 1, not \"1\"");
}

TEST(the_error_of_a_bad_value_names_key_value_and_range)
{
    static const struct {
        const char *member, *want;
    } cases[] = {
        {"\"port\":65536", "port must be a whole number from 0 to 65535, not 65536"},
        {"\"port\":\"1\"", "port must be a whole number from 0 to 65535, not \"1\""},
        {"\"port\":1.5", "port must be a whole number from 0 to 65535, not 1.5"},
        {"\"port\":true", "port must be a whole number from 0 to 65535, not true"},
        {"\"token_file\":\"\"", "token_file must be a path, not \"\""},
        {"\"token_file\":\"a\\u0000b\"", NULL},
        {"\"project_path\":{}", "project_path must be a path, not an object"},
        {"\"log_format\":\"xml\"", "log_format must be \"text\" or \"json\", not \"xml\""},
        {"\"log_level\":3", "log_level must be \"debug\", \"info\", \"warn\" or \"error\", not 3"},
        {"\"queue_max_size\":0", "queue_max_size must be a whole number from 1 to 1024, not 0"},
        {"\"queue_max_size\":1025",
         "queue_max_size must be a whole number from 1 to 1024, not 1025"},
        {"\"queue_max_size\":2.5", "queue_max_size must be a whole number from 1 to 1024, not 2.5"},
        {"\"reconnect_jitter\":1.01", "reconnect_jitter must be a number from 0 to 1, not 1.01"},
        {"\"reconnect_jitter\":\"0123456789012345678901234567890123456789x\"",
         "reconnect_jitter must be a number from 0 to 1, not "
         "\"0123456789012345678901234567890123456789...\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], want[256];
        snprintf(text, sizeof text, "{\"schema_version\":1,%s}", cases[i].member);
        snprintf(want, sizeof want, "multiverse.json: %s", cases[i].want ? cases[i].want : "");
        put("multiverse.json", text);
        assert_false(config_load(NULL, &c, &err));
        assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
        if (cases[i].want)
            CHECK_CSTR(str_from(err.text), want);
    }
}

TEST(contradicting_limits_are_refused)
{
    check_bad("{\"schema_version\":1,\"editor_status_interval_ms\":20000}", ERR_CONFIG_VALIDATION,
              "multiverse.json: stale_connection_timeout_ms (15000) must be longer than "
              "editor_status_interval_ms (20000): else a living editor is taken for dead");
}

TEST(an_unknown_key_is_a_warning_with_the_nearest_key)
{
    load("{\"schema_version\": 1, \"prot\": 1, \"zzzzzzzzzz\": {}}");
    assert_int_equal(c.port, 48091);
    assert_int_equal(c.warning_count, 2);
    CHECK_CSTR(str_from(c.warnings[0]), "multiverse.json: unknown key \"prot\" is ignored; "
                                        "did you mean \"port\"?");
    CHECK_CSTR(str_from(c.warnings[1]), "multiverse.json: unknown key \"zzzzzzzzzz\" is ignored");
}

TEST(paths_are_relative_to_the_folder_of_the_file)
{
    assert_int_equal(mkdir("sub", 0755), 0);
    put("sub/c.json", "{\"schema_version\":1,\"token_file\":\"t\",\"project_path\":\"/p\"}");
    assert_true(config_load("sub/c.json", &c, &err));
    CHECK_CSTR(str_from(c.token_file), "sub/t");
    CHECK_CSTR(str_from(c.project_path), "/p");
}

/* ---- flags */

static void open_with(int argc, char **argv)
{
    struct options o;
    const struct command *serve = command_find(STR("serve"));
    assert_true(options_parse(&o, serve->options, argc, argv, &err));
    assert_true(config_option_load(&c, &o, &err));
}

TEST(options_override_the_file_and_the_file_overrides_defaults)
{
    char a[] = "--port=5", b[] = "--log-level=warn", d[] = "--token-file=tok";
    char *argv[] = {a, b, d, NULL};
    put("multiverse.json", "{\"schema_version\":1,\"port\":4,\"log_level\":\"debug\","
                           "\"log_format\":\"json\",\"token_file\":\"other\"}");
    open_with(3, argv);
    assert_int_equal(c.port, 5);
    assert_int_equal(c.log_level, LOG_WARN);
    assert_int_equal(c.log_format, LOG_JSON);
    CHECK_CSTR(str_from(c.token_file), "tok");
    assert_int_equal(c.origins[CONFIG_PORT], CONFIG_FROM_FLAG);
    assert_int_equal(c.origins[CONFIG_LOG_FORMAT], CONFIG_FROM_FILE);
    assert_int_equal(c.origins[CONFIG_PROJECT_PATH], CONFIG_FROM_DEFAULT);
}

TEST(paths_of_options_are_relative_to_the_working_directory)
{
    char a[] = "--config=sub/c.json", b[] = "--project=p", d[] = "--log-format=json";
    char *argv[] = {a, b, d, NULL};
    assert_int_equal(mkdir("sub", 0755), 0);
    put("sub/c.json", "{\"schema_version\":1,\"project_path\":\"x\"}");
    open_with(3, argv);
    CHECK_CSTR(str_from(c.project_path), "p");
    assert_int_equal(c.log_format, LOG_JSON);
}

/* ---- change */

static void set(const char *key, const char *value)
{
    enum config_key k;
    assert_true(config_find(str_from(key), &k));
    assert_true(config_set(&c, k, str_from(value), &err));
}

static void save(void)
{
    if (!config_save(&c, &err))
        fail_msg("%s", err.text);
}

TEST(no_file_is_created_while_everything_is_default)
{
    assert_true(config_load(NULL, &c, &err));
    save();
    set("port", "48091");
    config_unset(&c, CONFIG_TOKEN_FILE);
    save();
    assert_false(file_exists("multiverse.json"));
    set("port", "48092");
    set("log_format", "json");
    save();
    check_file("multiverse.json", "{\n  \"schema_version\": 1,\n  \"port\": 48092,\n  "
                                  "\"log_format\": \"json\"\n}\n");
    config_done(&c);
    assert_true(config_load(NULL, &c, &err));
    assert_int_equal(c.port, 48092);
}

TEST(a_change_keeps_the_rest_of_the_file)
{
    load("{ \"mine\" : {\"a\":[1, 2 ]},\n\t\"port\":1 , \"schema_version\": 1.0,\r\n\"b\":null}");
    set("port", "2");
    save();
    check_file("multiverse.json", "{ \"mine\" : {\"a\":[1, 2 ]},\n\t\"port\":2 , "
                                  "\"schema_version\": 1.0,\r\n\"b\":null}");
    set("queue_max_size", "8");
    save();
    check_file("multiverse.json", "{ \"mine\" : {\"a\":[1, 2 ]},\n\t\"port\":2 , "
                                  "\"schema_version\": 1.0,\r\n\"b\":null,\r\n"
                                  "\"queue_max_size\": 8}");
    config_unset(&c, CONFIG_PORT);
    save();
    check_file("multiverse.json", "{ \"mine\" : {\"a\":[1, 2 ]},\n\t\"schema_version\": 1.0,\r\n"
                                  "\"b\":null,\r\n\"queue_max_size\": 8}");
    config_unset(&c, CONFIG_LIMITS);
    save();
    check_file("multiverse.json", "{ \"mine\" : {\"a\":[1, 2 ]},\n\t\"schema_version\": 1.0,\r\n"
                                  "\"b\":null}");
}

TEST(a_compact_file_stays_compact)
{
    load("{\"schema_version\":1}");
    set("token_file", "a\"b");
    save();
    check_file("multiverse.json", "{\"schema_version\":1,\"token_file\":\"a\\\"b\"}");
    config_done(&c);
    assert_true(config_load(NULL, &c, &err));
    CHECK_CSTR(str_from(c.token_file), "a\"b");
}

TEST(only_changes_are_written)
{
    load("{\"schema_version\":1,\"port\":1}");
    set("log_level", "warn");
    put("multiverse.json",
        "{\"schema_version\":1,\"port\":9}"); /* another process changes the file */
    save();
    check_file("multiverse.json", "{\"schema_version\":1,\"port\":9,\"log_level\":\"warn\"}");
}

TEST(a_key_written_with_escapes_is_the_same_key)
{
    load("{\"schema_version\":1,\"po\\u0072t\":1}");
    assert_int_equal(c.port, 1);
    set("port", "2");
    save();
    check_file("multiverse.json", "{\"schema_version\":1,\"po\\u0072t\":2}");
}

TEST(an_unreadable_file_is_never_written)
{
    load("{\"schema_version\":1}");
    set("port", "2");
    put("multiverse.json", "{\"schema_version\":1,");
    assert_false(config_save(&c, &err));
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    check_file("multiverse.json", "{\"schema_version\":1,");
}

TEST(a_bad_value_is_not_set)
{
    assert_true(config_load(NULL, &c, &err));
    assert_false(config_set(&c, CONFIG_PORT, STR("x"), &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), "port must be a whole number from 0 to 65535, not \"x\"");
    assert_false(config_set(&c, CONFIG_PORT, STR("70000"), &err));
    assert_false(config_set(&c, CONFIG_PORT, STR("null"), &err));
    assert_false(config_set(&c, CONFIG_TOKEN_FILE, STR("\xff"), &err));
    assert_false(config_set(&c, CONFIG_TOKEN_FILE, STR(""), &err));
    check_value(CONFIG_PORT, "48091");
    save();
    assert_false(file_exists("multiverse.json"));
}

/* ---- token */

static void check_token_bad(const char *text, const char *want)
{
    struct buf token = {0};
    put("tok", text);
    assert_false(config_read_token("tok", &token, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), want);
    assert_int_equal(token.n, 0);
    buf_done(&token);
}

TEST(the_token_is_the_first_line)
{
    struct buf token = {0};
    put("tok", "  0123456789abcdef \r\nsecond line\n");
    assert_true(config_read_token("tok", &token, &err));
    CHECK_CSTR(buf_str(&token), "0123456789abcdef");
    buf_done(&token);
}

TEST(the_error_of_a_bad_token_names_the_reason)
{
    char longest[CONFIG_TOKEN_MAX + 2];
    check_token_bad("", "the token file tok: the first line is empty; write the token there, 16 to "
                        "1024 visible ASCII characters");
    check_token_bad(
        "\n0123456789abcdef\n",
        "the token file tok: the first line is empty; write the token there, 16 to 1024 "
        "visible ASCII characters");
    check_token_bad("0123456789abcde\n",
                    "the token file tok: the token must have 16 to 1024 characters, not 15");
    check_token_bad(
        "0123456789 abcdef\n",
        "the token file tok: the token must be visible ASCII characters without blanks");
    check_token_bad(
        "0123456789abcdef\xc3\xa4\n",
        "the token file tok: the token must be visible ASCII characters without blanks");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    check_token_bad(longest,
                    "the token file tok: the token must have 16 to 1024 characters, not 1025");
    struct buf token = {0};
    assert_false(config_read_token("nix", &token, &err));
    CHECK_CSTR(str_from(err.text), "the token file: cannot read nix: No such file or directory");
}

TEST(a_token_file_that_others_can_read_is_detected)
{
    put("tok", "0123456789abcdef\n");
    assert_int_equal(chmod("tok", 0600), 0);
    assert_false(config_token_is_shared("tok"));
    assert_int_equal(chmod("tok", 0640), 0);
    assert_true(config_token_is_shared("tok"));
    assert_int_equal(chmod("tok", 0604), 0);
    assert_true(config_token_is_shared("tok"));
    assert_false(config_token_is_shared("nix"));
}
