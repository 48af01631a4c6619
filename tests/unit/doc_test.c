#include "doc/doc.h"

#include <stdlib.h>

#include "base/jsonw.h"
#include "test.h"

static struct error err;

static bool read_as(struct doc *d, enum doc_format format, struct str text)
{
    err = (struct error){0};
    return doc_read(d, text, &(struct doc_source){"a.file", format}, &err);
}

static struct doc must_read(enum doc_format format, const char *text)
{
    struct doc d = {0};
    if (!read_as(&d, format, str_from(text)))
        fail_msg("%s", err.text);
    return d;
}

/* The result as JSON text. */
static void check_reads(enum doc_format format, const char *text, const char *want)
{
    struct doc d = must_read(format, text);
    struct buf out = {0};
    struct jsonw w = jsonw_make(&out);
    jsonw_value(&w, d.root);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
    doc_done(&d);
}

static void check_yaml(const char *text, const char *want)
{
    check_reads(DOC_YAML, text, want);
}

static void check_refused(enum doc_format format, struct str text, enum error_code code,
                          const char *want)
{
    struct doc d = {0};
    assert_false(read_as(&d, format, text));
    assert_int_equal(err.code, code);
    CHECK_CSTR(str_from(err.text), want);
    assert_null(d.root);
    doc_done(&d);
}

#define BAD_YAML(text, want) check_refused(DOC_YAML, STR(text), ERR_CONFIG_PARSE, want)
#define BAD_JSON(text, want) check_refused(DOC_JSON, STR(text), ERR_CONFIG_PARSE, want)

/* ---- JSON */

TEST(json_is_read)
{
    check_reads(DOC_JSON, " {\"a\": [1.50, null, true, \"x\"]} ", "{\"a\":[1.50,null,true,\"x\"]}");
}

TEST(an_error_in_json_has_a_position_and_a_remedy)
{
    BAD_JSON("", "a.file:1:1: unexpected end: a closing bracket or quote is missing");
    BAD_JSON("{\n  \"a\": [1,\n  2\n", "a.file:4:1: unexpected end: a closing bracket or quote is "
                                       "missing");
    BAD_JSON("{\n  // mine\n  \"a\": 1\n}", "a.file:2:3: key expected: JSON has no comments");
    BAD_JSON("{\"a\": 'x'}", "a.file:1:7: unexpected character: text must be in double quotes");
    BAD_JSON("{\"\xc3\xa4\": [1,]}",
             "a.file:1:10: unexpected character: there must be no comma after the last one");
    BAD_JSON("{\"a\": 1,}", "a.file:1:9: key expected: there must be no comma after the last one");
    BAD_JSON("{a: 1}", "a.file:1:2: key expected: keys must be in double quotes");
    BAD_JSON("{\"a\": yes}",
             "a.file:1:7: unexpected character: a value is text in double quotes, a "
             "number, true, false, null, [...] or {...}");
    BAD_JSON("{\"a\": 1 \"b\": 2}", "a.file:1:9: comma or closing bracket expected");
    BAD_JSON("{\"a\": 1,\n \"b\": 2, \"a\": 3}", "a.file:2:10: duplicate key \"a\"");
    BAD_JSON("\xef\xbb\xbf{}",
             "a.file:1:1: unexpected character: JSON has no byte order mark: save "
             "it as UTF-8 without one");
    BAD_JSON("{\"a\": \"\xff\"}", "a.file:1:8: invalid UTF-8");
}

TEST(standard_input_has_a_name)
{
    struct doc d = {0};
    assert_false(doc_read(&d, STR("{"), &(struct doc_source){"-", DOC_JSON}, &err));
    assert_memory_equal(err.text, "standard input:1:2: ", 20);
}

TEST(too_large_or_too_deep_is_a_limit_error)
{
    struct buf text = {0};
    while (text.n <= DOC_MAX_BYTES)
        buf_add(&text, STR("                "));
    check_refused(DOC_JSON, buf_str(&text), ERR_LIMIT, "a.file: larger than 4194304 bytes");
    check_refused(DOC_YAML, buf_str(&text), ERR_LIMIT, "a.file: larger than 1048576 bytes");
    buf_clear(&text);
    for (int i = 0; i < 1000; i++)
        buf_add_char(&text, '[');
    check_refused(DOC_JSON, buf_str(&text), ERR_LIMIT, "a.file:1:129: too deep");
    check_refused(DOC_YAML, buf_str(&text), ERR_LIMIT, "a.file:1:129: too deep");
    buf_done(&text);
}

/* ---- YAML */

TEST(collections_of_both_styles_are_read)
{
    check_yaml("a:\n  - 1\n  - b: x\n    c: [y, {d: z}]\ne: {}\nf: []\n",
               "{\"a\":[1,{\"b\":\"x\",\"c\":[\"y\",{\"d\":\"z\"}]}],\"e\":{},\"f\":[]}");
    check_yaml("--- # comment\n? k\n: v\n...\n", "{\"k\":\"v\"}");
    check_yaml("[a: 1, b]", "[{\"a\":1},\"b\"]");
    check_yaml("\xef\xbb\xbf"
               "a: b\r\nc: d\r\n",
               "{\"a\":\"b\",\"c\":\"d\"}");
    check_yaml("{\"a\": [1, \"\\u00e4\", null]}", "{\"a\":[1,\"\xc3\xa4\",null]}");
    check_yaml("%YAML 1.2\n---\na\n", "\"a\"");
}

TEST(texts_of_every_style_are_read)
{
    check_yaml(
        "a: |\n  one\n   two\n\nb: >-\n  x\n  y\nc: 'it''s'\nd: \"\\x41\\0\"\ne: p q\n   r\n",
        "{\"a\":\"one\\n two\\n\",\"b\":\"x y\",\"c\":\"it's\",\"d\":\"A\\u0000\","
        "\"e\":\"p q r\"}");
}

/* YAML readers are known to fail at these. */
TEST(texts_arrive_as_they_were_written)
{
    check_yaml("a: 'x '''' y\n\n  z''q'\n", "{\"a\":\"x '' y\\nz'q\"}");
    check_yaml("a: \"x \\\n  y\\ \n\n\n  z\"\n", "{\"a\":\"x y \\n\\nz\"}");
    check_yaml("a: >-\n  # no\n\n  \tt\n", "{\"a\":\"# no\\n\\n\\tt\"}");
    check_yaml("a: |+\nb: >\nc: x\n", "{\"a\":\"\",\"b\":\"\",\"c\":\"x\"}");
    check_yaml("a:\n  b: >+\n  'c': >\n    - d\n", "{\"a\":{\"b\":\"\",\"c\":\"- d\\n\"}}");
    check_yaml("a:\n-\n- 1\n-\n- b: |\n", "{\"a\":[null,1,null,{\"b\":\"\"}]}");
    check_yaml("a: >\n  x\n  y\n    more\n\n  z\n\n\n", "{\"a\":\"x y\\n  more\\n\\nz\\n\"}");
    check_yaml("a: |2-\n    x\n  y\n", "{\"a\":\"  x\\ny\"}");
}

TEST(many_quotes_in_a_row_are_read)
{
    struct buf text = {0}, want = {0};
    buf_add(&text, STR("a: '"));
    buf_add(&want, STR("{\"a\":\""));
    for (int i = 0; i < 2000; i++) {
        buf_add(&text, STR("''"));
        buf_add_char(&want, '\'');
    }
    buf_add(&text, STR("'\nb: ''\nc: 'x\n\n  \xc3\xa4'\n"));
    buf_add(&want, STR("\",\"b\":\"\",\"c\":\"x\\n\xc3\xa4\"}"));
    check_yaml(text.p, want.p);
    buf_done(&text);
    buf_done(&want);
}

TEST(plain_scalars_follow_the_core_schema)
{
    check_yaml("[null, Null, NULL, ~, '', \"~\", nUll]",
               "[null,null,null,null,\"\",\"~\",\"nUll\"]");
    check_yaml("a:\nb: \n", "{\"a\":null,\"b\":null}");
    check_yaml("[true, True, FALSE, false, yes, on, 'true', tRue]",
               "[true,true,false,false,\"yes\",\"on\",\"true\",\"tRue\"]");
    check_yaml("[1, -1, +1, 007, 0, -0, 0x1F, 0xff, 0o17, 0x, 0o8, -0x1, '1']",
               "[1,-1,1,7,0,-0,31,255,15,\"0x\",\"0o8\",\"-0x1\",\"1\"]");
    check_yaml("[1.5, .5, -.5, 1., 1e3, 1.E+3, 00.10, ., e1, 1e, 1_000, 1.2.3, -a]",
               "[1.5,0.5,-0.5,1,1e3,1E+3,0.10,\".\",\"e1\",\"1e\",\"1_000\",\"1.2.3\",\"-a\"]");
    check_yaml("[18446744073709551616, 0xffffffffffffffff]",
               "[18446744073709551616,18446744073709551615]");
}

TEST(keys_are_text)
{
    check_yaml("1: a\ntrue: b\n~: c\n'': d\n\"<<\": e\n",
               "{\"1\":\"a\",\"true\":\"b\",\"~\":\"c\",\"\":\"d\",\"<<\":\"e\"}");
}

TEST(tags_of_the_core_schema_outweigh_the_style)
{
    check_yaml("[!!str 1, !!int '2', !!float 3, !!bool 'true', !!null '', ! 4, !!str ]",
               "[\"1\",2,3,true,null,\"4\",\"\"]");
    check_yaml("!!map {a: !!seq [1]}", "{\"a\":[1]}");
    BAD_YAML("a: !!int x", "a.file:1:4: the tag \"tag:yaml.org,2002:int\" does not fit its value");
    BAD_YAML("a: !mine x",
             "a.file:1:4: the tag \"!mine\" is unknown: use the core schema, as in !!str 1");
    BAD_YAML("a: !!set {x}",
             "a.file:1:4: the tag \"tag:yaml.org,2002:set\" does not fit this value");
    BAD_YAML("# x\n%TAG ! tag:x,2000:\n--- 1", "a.file:2:1: only the directive %YAML is allowed");
}

TEST(an_alias_repeats_the_value_of_its_anchor)
{
    check_yaml("a: &x {b: &y [1]}\nc: *x\nd: *y\n",
               "{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]},\"d\":[1]}");
    check_yaml("a: &x 1\nb: *x\n*x : c\nd: &x 2\ne: *x\n",
               "{\"a\":1,\"b\":1,\"1\":\"c\",\"d\":2,\"e\":2}");
    check_yaml("&k 1: *k\n", "{\"1\":1}");
    BAD_YAML("a: *x\nb: &x 1\n", "a.file:1:4: there is no anchor \"x\" before this alias");
    BAD_YAML("a: &x [1, *x]", "a.file:1:11: the alias is inside its own anchor");
    BAD_YAML("a: &x [1]\n*x : 1\n", "a.file:2:1: a key must be text");
}

/* Ten levels of ten aliases: ten thousand million values from a few hundred bytes. */
TEST(the_size_that_aliases_expand_to_is_limited)
{
    struct buf text = {0};
    buf_add(&text, STR("a0: &a0 xxxxxxxxxx\n"));
    for (int i = 1; i <= 10; i++) {
        buf_printf(&text, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            buf_printf(&text, "%s*a%d", j ? ", " : "", i - 1);
        buf_add(&text, STR("]\n"));
    }
    struct doc d = {0};
    assert_false(read_as(&d, DOC_YAML, buf_str(&text)));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "too large, or its aliases expand to too much"));

    buf_clear(&text); /* each one deeper than the one before */
    buf_add(&text, STR("a0: &a0 []\n"));
    for (int i = 1; i < 200; i++)
        buf_printf(&text, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    assert_false(read_as(&d, DOC_YAML, buf_str(&text)));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "too deep"));
    buf_done(&text);
}

TEST(values_that_json_cannot_hold_are_refused)
{
    BAD_YAML("a: .inf", "a.file:1:4: a number must be finite; quote it if it is meant as text");
    BAD_YAML("a: -.Inf", "a.file:1:4: a number must be finite; quote it if it is meant as text");
    BAD_YAML("a: .NaN", "a.file:1:4: a number must be finite; quote it if it is meant as text");
    BAD_YAML("a: 0x10000000000000000", "a.file:1:4: a number that does not fit into 64 bits");
    BAD_YAML("[a]: 1", "a.file:1:1: a key must be text");
    BAD_YAML("? {a: b}\n: 1", "a.file:1:3: a key must be text");
    BAD_YAML("?\n: 2", "a.file:1:2: a key is missing before the colon");
    BAD_YAML("a: &x {b: 1}\nc:\n  <<: *x\n", "a.file:3:3: << merges nothing in YAML 1.2: write the "
                                             "members out");
}

TEST(a_duplicate_key_is_refused)
{
    BAD_YAML("a: 1\nb:\n  c: 1\n  d: 2\n  \"c\": 3\n", "a.file:5:3: duplicate key \"c\"");
    BAD_YAML("1: a\n'1': b\n", "a.file:2:1: duplicate key \"1\"");
}

TEST(exactly_one_document_is_read)
{
    BAD_YAML("a: 1\n---\nb: 2\n", "a.file:2:1: a second document: the file must have exactly one");
    BAD_YAML("", "a.file:1:1: it is empty");
    BAD_YAML("# nothing\n\n", "a.file:1:1: it is empty");
}

/* The words between position and remedy come from the library. */
static void check_told(const char *text, const char *place, const char *remedy)
{
    struct doc d = {0};
    assert_false(read_as(&d, DOC_YAML, str_from(text)));
    assert_int_equal(err.code, ERR_CONFIG_PARSE);
    if (!str_starts(str_from(err.text), str_from(place)) ||
        !str_ends(str_from(err.text), str_from(remedy)))
        fail_msg("%s", err.text);
}

TEST(an_error_in_yaml_has_a_position_and_a_remedy)
{
    check_told("a:\n\t- b\n", "a.file:2:1: ", "indent with blanks, not with tabs");
    check_told("\xc3\xa4: \"x\" y\n", "a.file:1:8: ", "quotes enclose a value as a whole");
    check_told("a: @b", "a.file:1:4: ", "put it in quotes");
    check_told("a: [1, 2\n", "a.file:2:1: ", "");
    check_told("a: \"\\ud800\"\n", "a.file:1:7: ", "");
    BAD_YAML("a: b\0c\n",
             "a.file:1:5: a control character: write it as an escape in double quotes");
    BAD_YAML("a: \x1b[m",
             "a.file:1:4: a control character: write it as an escape in double quotes");
    BAD_YAML("a: \xff", "a.file:1:4: invalid UTF-8");
}

/* ---- positions */

static void check_place(const struct doc *d, const char *pointer, size_t line, size_t column)
{
    struct doc_place p = doc_where(d, str_from(pointer));
    if (p.line != line || p.column != column)
        fail_msg("%s is at %zu:%zu, not %zu:%zu", pointer, p.line, p.column, line, column);
}

TEST(a_value_of_json_has_a_position)
{
    struct doc d =
        must_read(DOC_JSON, "{\n  \"\xc3\xa4\": [1, {\"b/c\": \"x\"}],\n \"d\":  null\n}\n");
    check_place(&d, "", 1, 1);
    check_place(&d, "/\xc3\xa4", 2, 8);
    check_place(&d, "/\xc3\xa4/1/b~1c", 2, 20);
    check_place(&d, "/d", 3, 8);
    check_place(&d, "/d/e/f", 3, 8);
    check_place(&d, "/\xc3\xa4/7", 2, 8);
    check_place(&d, "/nothing", 1, 1);
    doc_done(&d);
}

TEST(a_value_of_yaml_has_a_position)
{
    struct doc d = must_read(DOC_YAML, "# c\na: &x\n  - 1\n  - b: \xc3\xa4\n    c: 'y'\n"
                                       "d: *x\ne: [f: g]\nh:\ni: |\n  t\n");
    check_place(&d, "", 2, 1);
    check_place(&d, "/a", 2, 4); /* its anchor */
    check_place(&d, "/a/0", 3, 5);
    check_place(&d, "/a/1", 4, 5);
    check_place(&d, "/a/1/b", 4, 8);
    check_place(&d, "/a/1/c", 5, 8);
    check_place(&d, "/d/1/b", 4, 8); /* the value of an alias is where the anchor is */
    check_place(&d, "/d/9", 2, 4);
    check_place(&d, "/e/0", 7, 5);
    check_place(&d, "/e/0/f", 7, 8);
    check_place(&d, "/h", 8, 3); /* a missing value is after its colon */
    check_place(&d, "/nothing", 2, 1);
    doc_done(&d);
}

TEST(a_pointer_finds_a_value)
{
    struct doc d = must_read(DOC_YAML, "a/b: [1, {c: x}]\n'': y\n");
    assert_ptr_equal(doc_get(&d, STR("")), d.root);
    CHECK_CSTR(json_str(doc_get(&d, STR("/a~1b/1/c"))), "x");
    CHECK_CSTR(json_str(doc_get(&d, STR("/"))), "y");
    assert_null(doc_get(&d, STR("/a~1b/2")));
    assert_null(doc_get(&d, STR("/a~1b/x")));
    assert_null(doc_get(&d, STR("/a~1b/0/c")));
    assert_null(doc_get(&d, STR("a")));
    doc_done(&d);
}

TEST(an_error_has_position_pointer_and_reason)
{
    struct doc d = must_read(DOC_JSON, "{\n \"id\": 3, \"\\u001b[2J\": 1}");
    assert_false(doc_fail(&d, STR("/id"), &err, "must be text, not %s", "a number"));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    CHECK_CSTR(str_from(err.text), "a.file:2:8: /id: must be text, not a number");
    assert_false(doc_fail(&d, STR(""), &err, "is wrong"));
    CHECK_CSTR(str_from(err.text), "a.file:1:1: is wrong");
    assert_false(doc_fail(&d, STR("/\x1b[2J"), &err, "is wrong"));
    CHECK_CSTR(str_from(err.text), "a.file:2:24: /\\u001b[2J: is wrong");
    doc_done(&d);
}

/* The values do not point into the given text. */
TEST(a_document_owns_its_memory)
{
    static const enum doc_format formats[] = {DOC_JSON, DOC_YAML};
    for (size_t i = 0; i < 2; i++) {
        char *text = str_dup(STR("{\"a\": \"plain\"}")), *name = str_dup(STR("n"));
        struct doc d;
        assert_true(doc_read(&d, str_from(text), &(struct doc_source){name, formats[i]}, &err));
        memset(text, 'x', strlen(text));
        free(text);
        free(name);
        CHECK_CSTR(json_str(json_get(d.root, STR("a"))), "plain");
        doc_fail(&d, STR("/a"), &err, "x");
        assert_memory_equal(err.text, "n:1:", 4);
        doc_done(&d);
        doc_done(&d);
    }
}

/* Every prefix of a text that uses everything is read, or refused with a position. */
TEST(any_prefix_of_a_text_is_harmless)
{
    static const char text[] =
        "%YAML 1.2\n---\na: &x [1, \"\\x41\\n\", 'q''', {b: c, ? d : e}]\n"
        "f: !!str |+\n  text\n\n\ng: >2-\n    folded\n  more\n? h\n: *x\n...\n";
    for (size_t n = 0; n < sizeof text; n++) {
        char *cut = str_dup(str_make(text, n));
        struct doc d = {0};
        if (read_as(&d, DOC_YAML, str_make(cut, n)))
            doc_where(&d, STR("/h/3/b"));
        else
            assert_memory_equal(err.text, "a.file:", 7);
        doc_done(&d);
        free(cut);
    }
}
