#include "base/secrets.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

#define KEY "sk-live_9f86d081/884c+7d65=\"x\\y"

static struct secrets set;
static struct buf out;

static int teardown(void **state)
{
    secrets_done(&set);
    buf_done(&out);
    return 0;
}

static struct str masked(const char *text)
{
    buf_clear(&out);
    secrets_mask(&set, str_from(text), &out);
    return buf_str(&out);
}

TEST_FIXTURE(NULL, teardown);

TEST(a_value_is_replaced_everywhere)
{
    secrets_add(&set, STR("topsecret"));
    CHECK_CSTR(masked("topsecret"), "****");
    CHECK_CSTR(masked("a topsecret, topsecrettopsecret b"), "a ****, ******** b");
    CHECK_CSTR(masked("topsecre topsecret"), "topsecre ****");
    CHECK_CSTR(masked(""), "");
}

TEST(an_empty_set_changes_nothing)
{
    CHECK_CSTR(masked("plain"), "plain");
    assert_false(secrets_has(&set, STR("plain")));
    assert_int_equal(secrets_mask_part(&set, STR("plain"), &out), 5);
}

TEST(short_values_are_no_secrets)
{
    secrets_add(&set, STR("12345"));
    secrets_add(&set, (struct str){0});
    CHECK_CSTR(masked("12345"), "12345");
    secrets_add(&set, STR("123456"));
    CHECK_CSTR(masked("123456"), "****");
}

TEST(the_json_form_of_a_value_is_masked_also_inside_other_json)
{
    secrets_add(&set, STR(KEY));
    struct buf once = {0}, twice = {0};
    struct jsonw w = jsonw_make(&once);
    jsonw_str(&w, STR("key " KEY " end"));
    CHECK_CSTR(masked(once.p), "\"key **** end\"");
    w = jsonw_make(&twice);
    jsonw_str(&w, buf_str(&once));
    CHECK_CSTR(masked(twice.p), "\"\\\"key **** end\\\"\"");
    CHECK_CSTR(masked("sk-live_9f86d081\\/884c+7d65=\\\"x\\\\y"), "****");
    buf_done(&once);
    buf_done(&twice);
}

TEST(the_url_form_of_a_value_is_masked)
{
    secrets_add(&set, STR(KEY));
    CHECK_CSTR(masked("?k=sk-live_9f86d081%2F884c%2B7d65%3D%22x%5Cy&a"), "?k=****&a");
    CHECK_CSTR(masked("?k=sk-live_9f86d081%2f884c%2b7d65%3d%22x%5cy&a"), "?k=****&a");
}

TEST(the_base64_form_of_a_value_is_masked_also_inside_other_base64)
{
    secrets_add(&set, STR(KEY));
    for (size_t before = 0; before < 7; before++) {
        struct buf plain = {0}, text = {0}, url = {0};
        buf_add(&plain, str_make("me:you:", before));
        buf_add(&plain, STR(KEY));
        buf_add(&plain, STR("??"));
        base64_encode(&text, buf_str(&plain));
        base64_encode_url(&url, buf_str(&plain));
        assert_true(secrets_has(&set, buf_str(&text)));
        assert_true(secrets_has(&set, buf_str(&url)));
        /* Only letters that also hold bits of the neighbours may remain. */
        assert_true(masked(text.p).n <= 4 + (before + 4) * 4 / 3 + 4);
        buf_done(&plain);
        buf_done(&text);
        buf_done(&url);
    }
}

TEST(of_two_values_with_the_same_prefix_the_longer_is_masked)
{
    secrets_add(&set, STR("secret-1"));
    secrets_add(&set, STR("secret-1-and-more"));
    CHECK_CSTR(masked("secret-1-and-more!"), "****!");
    CHECK_CSTR(masked("secret-1-and-less!"), "****-and-less!");
}

TEST(overlapping_values_are_masked_completely)
{
    secrets_add(&set, STR("abcdefgh"));
    secrets_add(&set, STR("ghijklmn"));
    CHECK_CSTR(masked("[abcdefghijklmn]"), "[****]");
}

/* All splits of a text give the same result as the whole. */
TEST(a_value_that_comes_in_pieces_is_masked)
{
    secrets_add(&set, STR(KEY));
    secrets_add(&set, STR("line one\nline two"));
    struct str text =
        STR("a " KEY " b line one\nline two c line one\nline sk-live_9f86 end sk-live_");
    secrets_mask(&set, text, &out);
    for (size_t cut = 0; cut <= text.n; cut++) {
        struct buf rest = {0}, got = {0};
        buf_add(&rest, str_head(text, cut));
        buf_drop(&rest, secrets_mask_part(&set, buf_str(&rest), &got));
        buf_add(&rest, str_skip(text, cut));
        buf_drop(&rest, secrets_mask_part(&set, buf_str(&rest), &got));
        secrets_mask(&set, buf_str(&rest), &got);
        CHECK_STR(buf_str(&got), buf_str(&out));
        buf_done(&rest);
        buf_done(&got);
    }
}

TEST(byte_by_byte_is_the_same)
{
    secrets_add(&set, STR("abcdefgh"));
    secrets_add(&set, STR("ghijklmn"));
    struct str text = STR("xabcdefabcdefghijklmnabcdefghghijklm");
    struct buf rest = {0}, got = {0};
    secrets_mask(&set, text, &out);
    for (size_t i = 0; i < text.n; i++) {
        buf_add_char(&rest, text.p[i]);
        buf_drop(&rest, secrets_mask_part(&set, buf_str(&rest), &got));
    }
    secrets_mask(&set, buf_str(&rest), &got);
    CHECK_STR(buf_str(&got), buf_str(&out));
    buf_done(&rest);
    buf_done(&got);
}

/* Few letters, so that values and text overlap in every way. */
TEST(no_split_of_the_text_lets_a_value_through)
{
    struct rng r;
    rng_seed(&r, 11);
    for (int round = 0; round < 300; round++) {
        char values[3][13], text[400];
        struct buf rest = {0}, got = {0};
        secrets_done(&set);
        for (int i = 0; i < 3; i++) {
            size_t n = 6 + rng_next(&r) % 7;
            for (size_t k = 0; k < n; k++)
                values[i][k] = "ab-"[rng_next(&r) % 3];
            values[i][n] = 0;
            secrets_add(&set, str_from(values[i]));
        }
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = "ab-"[rng_next(&r) % 3];
        memcpy(text + rng_next(&r) % 380, values[0], 6);
        for (size_t at = 0, n; at < sizeof text; at += n) {
            n = 1 + rng_next(&r) % 20;
            n = n < sizeof text - at ? n : sizeof text - at;
            buf_add(&rest, str_make(text + at, n));
            buf_drop(&rest, secrets_mask_part(&set, buf_str(&rest), &got));
        }
        secrets_mask(&set, buf_str(&rest), &got);
        for (int i = 0; i < 3; i++)
            assert_true(str_find(buf_str(&got), str_from(values[i])) == got.n);
        buf_clear(&out);
        secrets_mask(&set, str_make(text, sizeof text), &out);
        CHECK_STR(buf_str(&got), buf_str(&out));
        buf_done(&rest);
        buf_done(&got);
    }
}

TEST(text_that_cannot_become_a_value_is_written_at_once)
{
    secrets_add(&set, STR("topsecret"));
    assert_int_equal(secrets_mask_part(&set, STR("nothing here\n"), &out), 13);
    CHECK_CSTR(buf_str(&out), "nothing here\n");
    assert_int_equal(secrets_mask_part(&set, STR("but tops"), &out), 4);
}

TEST(a_repeated_value_is_masked_without_delay)
{
    secrets_add(&set, STR("aaaaaaaa"));
    size_t n = 100000;
    char *text = mem_alloc(n);
    memset(text, 'a', n);
    assert_true(secrets_mask_part(&set, str_make(text, n), &out) > n / 2);
    free(text);
}

TEST(many_values_are_masked_quickly)
{
    struct rng r;
    rng_seed(&r, 7);
    for (int i = 0; i < 256; i++) {
        char value[41];
        for (int k = 0; k < 40; k++)
            value[k] =
                "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[rng_next(&r) &
                                                                                   63];
        value[40] = 0;
        secrets_add(&set, str_from(value));
    }
    size_t n = 4u << 20;
    char *text = mem_alloc(n);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + (rng_next(&r) & 15));
    secrets_mask(&set, str_make(text, n), &out);
    assert_int_equal(out.n, n);
    free(text);
}

static void add_variable(struct str name, struct str value)
{
    secrets_add(&set, secrets_in_variable(name, value));
}

static void check_name(const char *name, bool is_secret)
{
    secrets_done(&set);
    add_variable(str_from(name), STR("value-of-it"));
    if (secrets_has(&set, STR("value-of-it")) != is_secret)
        fail_msg("%s", name);
}

TEST(secret_variables_are_recognized_by_name)
{
    static const char *const yes[] = {
        "OPENAI_API_KEY", "GH_TOKEN",     "NPM_CONFIG__AUTH",        "AWS_SECRET_ACCESS_KEY",
        "PGPASSWORD",     "github_token", "CLAUDE_CODE_OAUTH_TOKEN", "SMTP_PASS",
        "CLIENTSECRET",   "MYAPIKEY",     "AZURE_CREDENTIALS",       "KEY"};
    static const char *const no[] = {
        "PATH",   "MONKEY", "KEYBOARD_LAYOUT",       "MAX_OUTPUT_TOKENS", "PWD",
        "AUTHOR", "HOME",   "TOKENIZERS_PARALLELISM"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        check_name(yes[i], true);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        check_name(no[i], false);
}

TEST(numbers_words_and_file_paths_are_no_secrets)
{
    add_variable(STR("DEPLOY_KEY"), STR("Production"));
    assert_false(secrets_has(&set, STR("Production")));
    add_variable(STR("LIMIT_KEY"), STR("128000"));
    add_variable(STR("KEY"), STR("/proc/self/status"));
    assert_false(secrets_has(&set, STR("128000 /proc/self/status")));
    add_variable(STR("KEY"), STR("/no/such/file/but/base64"));
    add_variable(STR("KEY"), STR("123456789012"));
    CHECK_CSTR(masked("/no/such/file/but/base64 123456789012"), "**** ****");
}

TEST(passwords_in_urls_are_secrets)
{
    add_variable(STR("HTTPS_PROXY"), STR("http://me:hunter22@proxy:8080/x@y"));
    CHECK_CSTR(masked("http://me:hunter22@proxy"), "http://me:****@proxy");
    add_variable(STR("URL"), STR("http://name-only@proxy"));
    add_variable(STR("URL"), STR("http://host:123456/a@b"));
    CHECK_CSTR(masked("name-only 123456"), "name-only 123456");
}

TEST(the_environment_is_read)
{
    setenv("SECRETS_TEST_API_KEY", "value-of-the-test", 1);
    secrets_add_environment(&set);
    unsetenv("SECRETS_TEST_API_KEY");
    CHECK_CSTR(masked("<value-of-the-test>"), "<****>");
}

static struct str masked_cut(const char *text)
{
    buf_clear(&out);
    secrets_mask_cut(&set, str_from(text), &out);
    return buf_str(&out);
}

TEST(a_value_cut_at_the_end_of_the_text_is_masked)
{
    secrets_add(&set, STR("topsecret"));
    CHECK_CSTR(masked_cut("it is topsecret"), "it is ****");
    CHECK_CSTR(masked_cut("topsecret, topsec"), "****, ****");
    CHECK_CSTR(masked_cut("to the top"), "to the top"); /* too short to be recognized */
    CHECK_CSTR(masked_cut("topsec or not"), "topsec or not");
    CHECK_CSTR(masked_cut(""), "");
}

TEST(each_line_of_a_value_with_several_lines_is_masked)
{
    secrets_add(&set, STR("-- BEGIN --\nabcdef\n  012345\n-- END --\n"));
    CHECK_CSTR(masked("a -- BEGIN -- abcdef 012345 -- END -- b"), "a **** b");
    CHECK_CSTR(masked("-- BEGIN --\nabcdef\n  012345\n-- END --\n"), "****");
}

TEST(a_duplicate_value_is_ignored)
{
    secrets_add(&set, STR("topsecret"));
    size_t count = set.count;
    secrets_add(&set, STR("topsecret"));
    assert_int_equal(set.count, count);
}
