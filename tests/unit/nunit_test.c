#include "editor/nunit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "test.h"

static const char run[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<test-run id=\"2\" total=\"5\" passed=\"1\" duration=\"0.5\">\n"
    " <test-suite type=\"Assembly\" fullname=\"A.dll\" result=\"Failed\" site=\"Child\">\n"
    "  <failure><message><![CDATA[One or more child tests had errors]]></message></failure>\n"
    "  <test-case name=\"One\" fullname=\"A.T.One\" result=\"Passed\" duration=\"0.01\"/>\n"
    "  <test-case name=\"Two\" fullname=\"A.T.Two\" result=\"Failed\" duration=\"0.25\">\n"
    "   <properties/>\n"
    "   <failure>\n"
    "    <message><![CDATA[  Expected: 1\n  But was:  2 & <more>\n]]></message>\n"
    "    <stack-trace>at A.T.Two () in T.cs:12</stack-trace>\n"
    "   </failure>\n"
    "   <output>noise</output>\n"
    "  </test-case>\n"
    "  <test-case name=\"Three\" fullname=\"A.T.Three\" result=\"Skipped\" label=\"Ignored\"/>\n"
    "  <test-case name=\"Four\" result=\"Inconclusive\"/>\n"
    "  <test-case name=\"Five\" result=\"Failed(Child)\"/>\n"
    " </test-suite>\n"
    "</test-run>\n";

TEST(cases_are_counted_and_failures_listed)
{
    struct nunit_result r;
    struct error err;
    assert_true(nunit_parse(str_from(run), "r.xml", &r, &err));
    assert_int_equal(r.total, 5);
    assert_int_equal(r.passed, 1);
    assert_int_equal(r.failed, 2);
    assert_int_equal(r.skipped, 1);
    assert_int_equal(r.inconclusive, 1);
    assert_true(r.duration_ms == 500);
    assert_false(r.truncated);
    assert_int_equal(r.failure_count, 2);
    CHECK_CSTR(r.failures[0].name, "A.T.Two");
    CHECK_CSTR(r.failures[0].message, "Expected: 1\n  But was:  2 & <more>");
    CHECK_CSTR(r.failures[0].stack_trace, "at A.T.Two () in T.cs:12");
    assert_true(r.failures[0].duration_ms == 250);
    CHECK_CSTR(r.failures[1].name, "Five");
    CHECK_CSTR(r.failures[1].message, "");
    assert_int_equal(r.skipped_name_count, 1);
    CHECK_CSTR(r.skipped_names[0], "A.T.Three");
    nunit_done(&r);
}

static void check_refused(struct str text, const char *reason)
{
    struct nunit_result r;
    struct error err = {0};
    assert_false(nunit_parse(text, "r.xml", &r, &err));
    CHECK_CSTR(str_from(err.text), reason);
}

TEST(invalid_file_is_reported_with_the_position)
{
    check_refused(STR("<test-run>\n <test-case></test-run>"), "r.xml:2:15: mismatched tag");
    check_refused(STR("<test-run>"), "r.xml:1:11: no element found");
    check_refused(STR(""), "r.xml:1:1: no element found");
    check_refused(STR("<html/>"),
                  "r.xml:1:1: not a test result: the first element is not <test-run>");
    check_refused(STR("<!DOCTYPE test-run [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;\">]>"
                      "<test-run>&b;</test-run>"),
                  "r.xml:1:20: document types are refused");
}

TEST(deep_nesting_is_refused)
{
    struct buf text = {0};
    buf_add(&text, STR("<test-run>"));
    for (int i = 0; i < 600; i++)
        buf_add(&text, STR("<test-suite>"));
    check_refused(buf_str(&text), "r.xml:1:6143: elements are nested deeper than 512");
    buf_done(&text);
}

TEST(texts_and_lists_are_limited)
{
    struct buf text = {0};
    struct nunit_result r;
    struct error err;
    buf_add(&text, STR("<test-run><test-case name=\"long\" result=\"Failed\"><failure><message>"));
    for (size_t i = 0; i < NUNIT_MAX_TEXT; i++)
        buf_add(&text, STR("\xc3\xa9"));
    buf_add(&text, STR("</message></failure></test-case>"));
    for (unsigned i = 0; i < NUNIT_MAX_FAILURES + 10; i++)
        buf_add(&text, STR("<test-case name=\"f\" result=\"Failed\" duration=\"1\"/>"
                           "<test-case name=\"s\" result=\"Skipped\"/>"));
    buf_add(&text, STR("</test-run>"));
    assert_true(nunit_parse(buf_str(&text), "r.xml", &r, &err));
    assert_true(r.truncated);
    assert_int_equal(r.failed, NUNIT_MAX_FAILURES + 11);
    assert_int_equal(r.failure_count, NUNIT_MAX_FAILURES);
    assert_int_equal(r.skipped, NUNIT_MAX_FAILURES + 10);
    assert_int_equal(r.skipped_name_count, NUNIT_MAX_SKIPPED);
    assert_int_equal(r.failures[0].message.n, NUNIT_MAX_TEXT);
    assert_true(r.duration_ms == 1000.0 * (NUNIT_MAX_FAILURES + 10)); /* the run has no duration */
    nunit_done(&r);
    buf_done(&text);
}

/* A long text arrives in parts; tags and comments do not. */
TEST(unfinished_tag_or_comment_is_refused)
{
    static const char *const before[] = {"<!--", "<test-run><!--", "<test-run><test-case name='",
                                         "<test-run><?a "};
    static const unsigned columns[] = {1, 11, 11, 11};
    struct nunit_result r;
    struct error err = {0};
    struct buf text = {0};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        char reason[100];
        buf_clear(&text);
        buf_add(&text, str_from(before[i]));
        while (text.n < 3 * NUNIT_MAX_TAG)
            buf_add(&text, STR("0123456789012345678901234567890123456789"));
        snprintf(reason, sizeof reason, "r.xml:1:%u: a tag or a comment is longer than 1 MiB",
                 columns[i]);
        check_refused(buf_str(&text), reason);
    }
    buf_clear(&text);
    buf_add(&text, STR("<test-run><test-case result='Failed'><failure><message><![CDATA["));
    while (text.n < 3 * NUNIT_MAX_TAG)
        buf_add(&text, STR("0123456789012345678901234567890123456789"));
    buf_add(&text, STR("]]></message></failure></test-case></test-run>"));
    assert_true(nunit_parse(buf_str(&text), "r.xml", &r, &err));
    assert_int_equal(r.failures[0].message.n, NUNIT_MAX_TEXT);
    nunit_done(&r);
    buf_done(&text);
}

/* Dropped failures take no memory. */
TEST(failures_above_the_limit_are_only_counted)
{
    struct nunit_result r;
    struct error err = {0};
    struct buf text = {0};
    buf_add(&text, STR("<test-run>"));
    for (unsigned i = 0; i < 20 * NUNIT_MAX_FAILURES; i++)
        buf_add(&text, STR("<test-case fullname='a.test.with.a.name' result='Failed'><failure>"
                           "<message>0123456789012345678901234567890123456789</message>"
                           "</failure></test-case>"));
    buf_add(&text, STR("</test-run>"));
    assert_true(nunit_parse(buf_str(&text), "r.xml", &r, &err));
    assert_int_equal(r.failed, 20 * NUNIT_MAX_FAILURES);
    assert_true(arena_size(&r.arena) < 512 * NUNIT_MAX_FAILURES);
    nunit_done(&r);
    buf_done(&text);
}

TEST(only_regular_files_are_read)
{
    char path[] = "/tmp/nunit_test-XXXXXX";
    struct nunit_result r;
    struct error err;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_true(file_replace(path, str_from(run), 0600, &err));
    assert_true(nunit_read(path, &r, &err));
    assert_int_equal(r.total, 5);
    nunit_done(&r);
    unlink(path);
    assert_false(nunit_read(path, &r, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_false(nunit_read("/tmp", &r, &err));
    assert_int_equal(err.code, ERR_IO);
}
