#include "doc/doc_write.h"

#include "base/rng.h"
#include "doc/doc.h"
#include "test.h"

static struct arena arena;

static int teardown(void **state)
{
    arena_done(&arena);
    return 0;
}

static void check_text(const char *text, const char *want)
{
    struct buf out = {0};
    doc_write_text(&out, str_from(text));
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(text_is_unquoted_if_every_reader_reads_it_as_text)
{
    check_text("gpt-5.2", "gpt-5.2");
    check_text("/usr/bin/codex", "/usr/bin/codex");
    check_text("env:WORK_KEY", "env:WORK_KEY");
    check_text("", "\"\"");
    check_text("1.5", "\"1.5\"");
    check_text("true", "\"true\"");
    check_text("No", "\"No\"");
    check_text("~", "\"~\"");
    check_text("a b", "\"a b\"");
    check_text("-x", "\"-x\"");
    check_text("a:", "\"a:\"");
    check_text("say \"hi\"\\\n", "\"say \\\"hi\\\"\\\\\\n\"");
    check_text("\x7f", "\"\\u007f\"");
}

static void check_json(const char *json, const char *want)
{
    struct buf out = {0};
    struct doc_write w = {.out = &out, .indent = 2};
    const struct json *v = json_parse(&arena, str_from(json), NULL, NULL);
    assert_non_null(v);
    doc_write_json(&w, "key", v);
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(values_are_written_as_blocks)
{
    check_json("[1, true, null, \"a\", [], {}]",
               "  key:\n    - 1\n    - true\n    - null\n    - a\n    - []\n    - {}\n");
    check_json("{\"a\": {\"b c\": [[1, 2], {\"d\": 3, \"e\": 4}]}}",
               "  key:\n    a:\n      \"b c\":\n        - - 1\n          - 2\n        - d: 3\n"
               "          e: 4\n");
}

TEST(several_lines_become_a_literal_block)
{
    check_json("\"a\\nb\"", "  key: |-\n    a\n    b\n");
    check_json("\"a\\n\\n b\\n\"", "  key: |\n    a\n\n     b\n");
    check_json("\"a\\n\\n\"", "  key: |+\n    a\n\n");
    check_json("[\"a\\nb\"]", "  key:\n    - |-\n      a\n      b\n");
    check_json("\" a\\nb\"", "  key: \" a\\nb\"\n");         /* its indent would be lost */
    check_json("\"\\na\"", "  key: \"\\na\"\n");             /* its first line would be lost */
    check_json("\"a\\r\\nb\"", "  key: \"a\\u000d\\nb\"\n"); /* YAML has no CR in blocks */
}

/* Texts with everything special in YAML, as value, item and key. */
TEST(any_text_round_trips)
{
    static const char *const parts[] = {"a",
                                        " ",
                                        "\n",
                                        "\t",
                                        "#",
                                        ":",
                                        "-",
                                        "'",
                                        "\"",
                                        "\\",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        "&",
                                        "*",
                                        "!",
                                        "|",
                                        ">",
                                        "%",
                                        "@",
                                        "`",
                                        "0",
                                        "~",
                                        "\r",
                                        "\x01",
                                        "?",
                                        "=",
                                        "---",
                                        "...",
                                        "\x7f",
                                        "\xc3\xbc",
                                        "\xc2\x85",
                                        "\xe2\x80\xa8",
                                        "\xef\xbb\xbf",
                                        "\xf0\x9f\x98\x80"};
    struct rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 3000; i++) {
        struct buf text = {0}, out = {0};
        struct error err = {0};
        struct doc d = {0};
        struct doc_write w = {.out = &out};
        for (uint64_t n = rng_below(&rng, 9); n; n--)
            buf_add(&text, str_from(parts[rng_below(&rng, sizeof parts / sizeof *parts)]));
        struct json value[3] = {{.type = JSON_STRING, .n = (uint32_t)text.n, .as.text = text.p}};
        doc_write_key(&w, buf_str(&text));
        doc_write_value(&w, value);
        doc_write_key(&w, STR("a list"));
        buf_add_char(&out, '\n');
        w.indent += DOC_WRITE_STEP;
        doc_write_item(&w);
        doc_write_value(&w, value);
        if (!doc_read(&d, buf_str(&out), &(struct doc_source){"t", DOC_YAML}, &err))
            fail_msg("%s\n%s", err.text, out.p);
        CHECK_STR(json_str(json_get(d.root, buf_str(&text))), buf_str(&text));
        CHECK_STR(json_str(json_at(json_get(d.root, STR("a list")), 0)), buf_str(&text));
        doc_done(&d);
        buf_done(&text);
        buf_done(&out);
    }
}

int main(void)
{
    return test_run(NULL, teardown);
}
