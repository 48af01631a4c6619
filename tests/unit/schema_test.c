#include "bridge/schema.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "test.h"

#define JSON(...) #__VA_ARGS__

/* Checks the value; the sentence is compared, NULL: it must fit. */
static void check_at(const char *schema, const char *value, const char *want, int line)
{
    struct arena a = {0};
    struct error err = {.text = "untouched"};
    const struct json *s = json_parse(&a, str_from(schema), NULL, NULL);
    const struct json *v = value ? json_parse(&a, str_from(value), NULL, NULL) : NULL;
    if (!s || (value && !v))
        _fail(__FILE__, line);
    bool fits = schema_check(s, v, &err);
    if (fits != !want || schema_check(s, v, NULL) != fits)
        print_error("%s: %s\n", value, err.text), _fail(__FILE__, line);
    check_str_at(str_from(err.text), str_from(want ? want : "untouched"), __FILE__, line);
    assert_int_equal(err.code, want ? ERR_INVALID_PARAMS : ERR_NONE);
    arena_done(&a);
}

#define FITS(schema, value)       check_at((schema), (value), NULL, __LINE__)
#define SAYS(schema, value, want) check_at((schema), (value), (want), __LINE__)

TEST(a_type_is_one_of_seven)
{
    static const char *const types[] = {"null",   "boolean", "integer", "number",
                                        "string", "array",   "object"};
    static const char *const values[] = {"null", "true", "3", "3.5", "\"3\"", "[3]", "{\"a\":3}"};
    for (size_t t = 0; t < 7; t++)
        for (size_t v = 0; v < 7; v++) {
            char schema[64];
            struct arena a = {0};
            snprintf(schema, sizeof schema, "{\"type\":\"%s\"}", types[t]);
            bool want = t == v || (t == 3 && v == 2);
            assert_int_equal(schema_check(json_parse(&a, str_from(schema), NULL, NULL),
                                          json_parse(&a, str_from(values[v]), NULL, NULL), NULL),
                             want);
            arena_done(&a);
        }
}

TEST(an_integer_has_no_fraction_and_fits_64_bits)
{
    const char *s = JSON({"properties": {"n": {"type": "integer"}}});
    FITS(s, "{\"n\":3.0}");
    FITS(s, "{\"n\":1e3}");
    FITS(s, "{\"n\":-9223372036854775808}");
    FITS(s, "{\"n\":18446744073709551615}");
    SAYS(s, "{\"n\":3.5}", "n must be an integer, not 3.5");
    SAYS(s, "{\"n\":\"3\"}", "n must be an integer, not \"3\"");
    SAYS(s, "{\"n\":1e30}", "n must be an integer, not 1e30");
}

TEST(a_type_may_be_one_of_a_list)
{
    const char *s = JSON({"properties": {"x": {"type": ["string", "null"]}}});
    FITS(s, "{\"x\":null}");
    FITS(s, "{\"x\":\"\"}");
    SAYS(s, "{\"x\":1}", "x must be a string or null, not 1");
}

TEST(the_message_shows_scalars_and_names_types)
{
    const char *s = JSON({"properties": {"o": {"type": "object"}, "a": {"type": "array"},
                                         "b": {"type": "boolean"}, "t": {"type": "string"}}});
    SAYS(s, "{\"o\":\"text\"}", "o must be an object, not a string");
    SAYS(s, "{\"o\":[]}", "o must be an object, not an array");
    SAYS(s, "{\"a\":{}}", "a must be an array, not an object");
    SAYS(s, "{\"a\":null}", "a must be an array, not null");
    SAYS(s, "{\"b\":\"true\"}", "b must be true or false, not \"true\"");
    SAYS(s, "{\"t\":true}", "t must be a string, not true");
    SAYS(s, "{\"t\":{}}", "t must be a string, not an object");
    SAYS(JSON({"type": "object"}), "[]", "the arguments must be an object, not an array");
}

TEST(numbers_have_bounds_that_belong_to_them)
{
    const char *s = JSON({"properties": {
        "max_depth": {"type": "integer", "minimum": 0, "maximum": 50},
        "least": {"type": "integer", "minimum": 1}, "most": {"type": "number", "maximum": 1.5},
        "huge": {"type": "integer", "maximum": 9007199254740993},
        "last": {"type": "integer", "maximum": 18446744073709551614}}});
    FITS(s, "{\"max_depth\":0}");
    FITS(s, "{\"max_depth\":50}");
    FITS(s, "{\"most\":1.5}");
    FITS(s, "{\"most\":-1e999}");
    FITS(s, "{\"huge\":9007199254740993}");
    FITS(s, "{\"last\":18446744073709551614}");
    SAYS(s, "{\"last\":18446744073709551615}",
         "last must be an integer of at most 18446744073709551614, not 18446744073709551615");
    SAYS(s, "{\"max_depth\":99}", "max_depth must be an integer from 0 to 50, not 99");
    SAYS(s, "{\"max_depth\":-1}", "max_depth must be an integer from 0 to 50, not -1");
    SAYS(s, "{\"max_depth\":18446744073709551615}",
         "max_depth must be an integer from 0 to 50, not 18446744073709551615");
    SAYS(s, "{\"least\":0}", "least must be an integer of at least 1, not 0");
    SAYS(s, "{\"most\":1.6}", "most must be a number of at most 1.5, not 1.6");
    SAYS(s, "{\"most\":1e999}", "most must be a number of at most 1.5, not 1e999");
    SAYS(s, "{\"huge\":9007199254740994}",
         "huge must be an integer of at most 9007199254740993, not 9007199254740994");
}

TEST(lengths_are_counted_in_characters)
{
    const char *s = JSON({"properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 3}, "least": {"minLength": 1},
        "one": {"type": "string", "maxLength": 1}, "some": {"type": "string", "minLength": 2},
        "long": {"type": "string", "maxLength": 41}}});
    FITS(s, "{\"id\":\"\xc3\xa4\xc3\xb6\xf0\x9f\x98\x80\"}");
    FITS(s, "{\"least\":5}");
    SAYS(s, "{\"id\":\"\"}", "id must be a string of 1 to 3 characters, not \"\"");
    SAYS(s, "{\"id\":\"abcd\"}", "id must be a string of 1 to 3 characters, not \"abcd\"");
    SAYS(s, "{\"one\":\"ab\"}", "one must be a string of at most 1 character, not \"ab\"");
    SAYS(s, "{\"some\":\"a\"}", "some must be a string of at least 2 characters, not \"a\"");
    SAYS(s, "{\"long\":\"123456789 123456789 123456789 123456789 ab\"}",
         "long must be a string of at most 41 characters, not one of 42");
}

TEST(arrays_are_counted_and_their_items_checked)
{
    const char *s = JSON({"properties": {
        "list": {"type": "array", "minItems": 1, "maxItems": 2},
        "log_type": {"type": "array", "items": {"enum": ["log", "warning"]}}}});
    FITS(s, "{\"list\":[1],\"log_type\":[]}");
    FITS(s, "{\"log_type\":[\"log\",\"warning\",\"log\"]}");
    SAYS(s, "{\"list\":[]}", "list must be an array of 1 to 2 items, not one of 0");
    SAYS(s, "{\"list\":[1,2,3]}", "list must be an array of 1 to 2 items, not one of 3");
    SAYS(s, "{\"log_type\":[\"log\",\"info\"]}",
         "log_type[1] must be one of \"log\", \"warning\", not \"info\"");
    SAYS(s, "{\"log_type\":\"log\"}", "log_type must be an array, not a string");
}

TEST(values_may_be_listed)
{
    const char *s = JSON({"properties": {"e": {"enum": [1, "a", null]}, "c": {"const": "..."},
                                         "one": {"enum": ["a"]}}});
    FITS(s, "{\"e\":1.0}");
    FITS(s, "{\"e\":null,\"c\":\"...\"}");
    SAYS(s, "{\"e\":2}", "e must be one of 1, \"a\", null, not 2");
    SAYS(s, "{\"e\":[]}", "e must be one of 1, \"a\", null, not an array");
    SAYS(s, "{\"c\":\"..\"}", "c must be \"...\", not \"..\"");
    SAYS(s, "{\"one\":\"b\"}", "one must be \"a\", not \"b\"");
}

TEST(required_members_must_be_present)
{
    const char *s = JSON({"properties": {
        "job_id": {"type": "string", "description": "The job_id that run_tests returned."},
        "n": {"type": "integer", "minimum": 0}, "GO": {"description": "GameObject by name"}},
        "required": ["job_id", "n", "other", "GO"]});
    SAYS(s, NULL, "job_id is missing: the job_id that run_tests returned");
    SAYS(s, "{}", "job_id is missing: the job_id that run_tests returned");
    SAYS(s, "{\"job_id\":1}", "job_id must be a string, not 1");
    SAYS(s, "{\"job_id\":\"a\"}", "n is missing: it must be an integer of at least 0");
    SAYS(s, "{\"job_id\":\"a\",\"n\":1}", "other is missing");
    SAYS(s, "{\"job_id\":\"a\",\"n\":1,\"other\":null}", "GO is missing: GameObject by name");
    FITS(s, "{\"GO\":null,\"other\":null,\"n\":1,\"job_id\":\"a\"}");
    FITS(JSON({"type": "object"}), NULL);
}

TEST(a_long_description_is_cut_at_a_word)
{
    struct buf schema = {0}, want = {0};
    buf_add(&schema, STR("{\"properties\":{\"a\":{\"description\":\""));
    for (int i = 0; i < 60; i++)
        buf_add(&schema, STR("Word, "));
    buf_add(&schema, STR("\"}},\"required\":[\"a\"]}"));
    buf_add(&want, STR("a is missing: Word,"));
    for (int i = 0; i < 38; i++)
        buf_add(&want, STR(" Word,"));
    buf_add(&want, STR(" Word,"));
    SAYS(schema.p, "{}", want.p);
    buf_done(&schema);
    buf_done(&want);
}

TEST(an_unknown_key_comes_with_the_nearest_known_one)
{
    const char *s = JSON({"properties": {
        "max_depth": {"type": "integer"}, "root_path": {"type": "string"},
        "color": {"type": "object", "properties": {"red": {}, "green": {}},
                  "additionalProperties": false}},
        "additionalProperties": false});
    SAYS(s, "{\"max_dept\":1}",
         "max_dept is not an argument of this tool; did you mean max_depth?");
    SAYS(s, "{\"colour\":1}", "colour is not an argument of this tool; did you mean color?");
    SAYS(s, "{\"recursive\":true}",
         "recursive is not an argument of this tool; allowed are max_depth, root_path, color");
    SAYS(s, "{\"color\":{\"gren\":1}}", "color.gren is not known; did you mean green?");
    SAYS(s, "{\"color\":{\"hue\":1}}", "color.hue is not known; allowed are red, green");
    SAYS(JSON({"additionalProperties": false}), "{\"a\":1}", "a is not an argument of this tool");
}

TEST(other_keys_are_free_or_have_their_own_schema)
{
    const char *s = JSON({"properties": {
        "free": {"additionalProperties": true}, "said": {},
        "typed": {"properties": {"n": {"type": "integer"}},
                  "additionalProperties": {"type": "string"}}}});
    FITS(s, "{\"free\":{\"x\":[1]},\"said\":{\"x\":1},\"more\":2}");
    FITS(s, "{\"typed\":{\"n\":1,\"x\":\"y\"}}");
    SAYS(s, "{\"typed\":{\"n\":1,\"x\":2}}", "typed.x must be a string, not 2");
}

TEST(one_of_the_alternatives_must_fit)
{
    const char *s = JSON({"properties": {
        "children": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"const": "..."}]},
        "who": {"anyOf": [{"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}},
                          {"properties": {"kind": {"const": "dog"}, "name": {"type": "string"}},
                           "required": ["name"]}]}}});
    FITS(s, "{\"children\":[1,2]}");
    FITS(s, "{\"children\":\"...\"}");
    FITS(s, "{\"who\":{\"kind\":\"cat\",\"lives\":9}}");
    FITS(s, "{\"who\":{\"kind\":\"dog\",\"name\":\"Rex\"}}");
    SAYS(s, "{\"children\":5}", "children must be an array or \"...\", not 5");
    /* One came further than the other: that one was meant. */
    SAYS(s, "{\"children\":[1,\"x\"]}", "children[1] must be an integer, not \"x\"");
    SAYS(s, "{\"who\":{\"kind\":\"cat\",\"lives\":\"nine\"}}",
         "who.lives must be an integer, not \"nine\"");
    SAYS(s, "{\"who\":{\"kind\":\"dog\"}}", "who.name is missing: it must be a string");
}

TEST(alternatives_come_on_top_of_the_rest)
{
    const char *s =
        JSON({"type": "object", "properties": {"a": {}, "b": {}},
                          "additionalProperties": false,
                          "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    FITS(s, "{\"a\":1}");
    FITS(s, "{\"b\":1}");
    SAYS(s, "{}", "a is missing");
    SAYS(s, "{\"a\":1,\"c\":1}", "c is not an argument of this tool; allowed are a, b");
}

static const char tree[] = JSON({
    "properties": {"root": {"$ref": "#/$defs/node"}, "again": {"$ref": "#"}},
    "additionalProperties": false,
    "$defs": {"node": {"type": "object",
                       "properties": {"name": {"type": "string"},
                                      "children": {"type": "array",
                                                   "items": {"$ref": "#/$defs/node"}}},
                       "required": ["name"], "additionalProperties": false}}});

TEST(a_ref_uses_another_schema)
{
    FITS(tree, "{\"root\":{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"children\":[]}]}}");
    FITS(tree, "{\"again\":{\"again\":{\"root\":{\"name\":\"a\"}}}}");
    SAYS(tree, "{\"root\":{\"name\":\"a\",\"children\":[{\"name\":\"b\"},{\"name\":1}]}}",
         "root.children[1].name must be a string, not 1");
    SAYS(tree, "{\"again\":{\"again\":{\"x\":1}}}",
         "again.again.x is not known; allowed are root, again");
}

TEST(the_deepest_value_is_checked)
{
    struct buf value = {0};
    for (unsigned i = 0; i < JSON_MAX_DEPTH - 1; i++)
        buf_add(&value, STR("{\"again\":"));
    buf_add(&value, STR("{\"no\":1}"));
    for (unsigned i = 0; i < JSON_MAX_DEPTH - 1; i++)
        buf_add_char(&value, '}');
    /* Of a long path the end is shown. */
    SAYS(tree, value.p,
         "...again.again.again.again.again.again.again.again.again.again.again.again.again.again."
         "again.again.again.again.again.no is not known; allowed are root, again");
    buf_done(&value);
}

TEST(keys_in_a_path_are_quoted)
{
    const char *s = JSON({"additionalProperties": {"additionalProperties": {"type": "string"}}});
    SAYS(s, "{\"$ref-1\":{\"a_B\":1}}", "$ref-1.a_B must be a string, not 1");
    SAYS(s, "{\"a b\":{\"\":1}}", "\"a b\"[\"\"] must be a string, not 1");
    SAYS(s, "{\"a\":{\"x\\n\\u001by\":1}}", "a[\"x\\u000a\\u001by\"] must be a string, not 1");
    SAYS(s, "{\"1a\":{\"0123456789012345678901234567890123456789x\":1}}",
         "\"1a\"[\"0123456789012345678901234567890123456789...\"] must be a string, not 1");
}

TEST(long_values_are_cut)
{
    const char *s = JSON({"properties": {"e": {"enum": ["a"]}, "n": {"type": "string"}}});
    SAYS(s, "{\"e\":\"0123456789012345678901234567890123456789xyz\"}",
         "e must be \"a\", not \"0123456789012345678901234567890123456789...\"");
    SAYS(s, "{\"n\":12345678901234567890123456789012345678901}",
         "n must be a string, not 1234567890123456789012345678901234567890...");
}

TEST(the_first_error_in_the_value_is_reported)
{
    const char *s = JSON({"properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                          "required": ["c"], "additionalProperties": false});
    SAYS(s, "{\"b\":1,\"a\":2,\"d\":3}", "b must be a string, not 1");
    SAYS(s, "{\"a\":2,\"b\":1}", "a must be a string, not 2");
    SAYS(s, "{\"d\":3,\"a\":2}", "d is not an argument of this tool; allowed are a, b");
    SAYS(s, "{\"a\":\"\"}", "c is missing");
}

TEST(keywords_without_effect_on_validity_are_ignored)
{
    FITS(JSON({"title": "t", "default": 3, "examples": [1], "$comment": "c"}), "[]");
    FITS(JSON({"properties": {"a": true}}), "{\"a\":1}");
    SAYS(JSON({"properties": {"a": false}}), "{\"a\":1}", "a must be left out");
}

/* Such schemas are errors of the program: it aborts with a message instead of looping. */
static void aborts(const char *schema)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct arena a = {0};
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        schema_check(json_parse(&a, str_from(schema), NULL, NULL), NULL, NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

TEST(a_schema_that_never_reaches_the_value_aborts)
{
    aborts(JSON({"$ref": "#"}));
    aborts(JSON({"anyOf": [{"$ref": "#"}]}));
    aborts(JSON({"$ref": "#/$defs/none"}));
    aborts(JSON({"$ref": "http://example.org/"}));
}
