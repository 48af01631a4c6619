#include "doc/members.h"

#include "test.h"

static const char *const names[] = {"id", "maxRunTimeSec", "isOn"};

static struct doc doc;
static struct arena arena;
static struct str warnings[4];
static struct members m;
static struct members_fields f;
static struct error err;

static bool collect(enum doc_format format, const char *text)
{
    doc_done(&doc);
    members_done(&m);
    err = (struct error){0};
    if (!doc_read(&doc, str_from(text), &(struct doc_source){"f", format}, &err))
        fail_msg("%s", err.text);
    m = (struct members){
        .doc = &doc, .arena = &arena, .warnings = warnings, .room = 4, .err = &err};
    return members_collect(&m, doc.root, names, 3, &f);
}

static int teardown(void **state)
{
    members_done(&m);
    m = (struct members){0};
    doc_done(&doc);
    arena_done(&arena);
    return 0;
}

TEST_FIXTURE(NULL, teardown);

TEST(a_name_is_accepted_in_both_spellings)
{
    static const char *const same[] = {"maxRunTimeSec", "max_run_time_sec", "maxRun_timeSec"};
    static const char *const others[] = {
        "maxruntimesec", "max_Run_time_sec",  "_maxRunTimeSec",   "maxRunTimeSec_",
        "max_run_time",  "max__run_time_sec", "max_run_time_sec2"};
    struct buf text = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        buf_clear(&text);
        buf_printf(&text, "{\"%s\": 1}", same[i]);
        assert_true(collect(DOC_JSON, text.p));
        assert_non_null(f.values[1]);
        CHECK_CSTR(f.keys[1], same[i]);
        assert_int_equal(m.count, 0);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        buf_clear(&text);
        buf_printf(&text, "{\"%s\": 1}", others[i]);
        assert_true(collect(DOC_JSON, text.p));
        assert_null(f.values[1]);
        assert_int_equal(m.count, 1);
    }
    buf_done(&text);
}

TEST(a_name_in_two_spellings_is_an_error)
{
    assert_false(collect(DOC_JSON, "{\"isOn\": null, \"is_on\": true}"));
    CHECK_CSTR(str_from(err.text),
               "f:1:25: /is_on: duplicate, as \"isOn\" and as \"is_on\": keep one of them");
}

TEST(null_counts_as_missing)
{
    struct str id = STR("before");
    bool is_on = true;
    assert_true(collect(DOC_YAML, "id:\nis_on: ~\n"));
    assert_true(members_text(&m, &f, 0, &id));
    assert_true(members_bool(&m, &f, 2, &is_on));
    CHECK_CSTR(id, "before");
    assert_true(is_on);
    assert_int_equal(m.at.n, 0);
}

TEST(a_wrong_type_is_an_error_with_its_position)
{
    struct str id = {0};
    bool is_on = false;
    assert_true(collect(DOC_YAML, "id: 7\nisOn: yes\n"));
    assert_false(members_text(&m, &f, 0, &id));
    CHECK_CSTR(str_from(err.text), "f:1:5: /id: must be text, not a number: put it in quotes");
    members_up(&m, 0);
    assert_false(members_bool(&m, &f, 2, &is_on));
    CHECK_CSTR(str_from(err.text), "f:2:7: /isOn: must be true or false, not \"yes\"");
    assert_false(collect(DOC_JSON, "[]"));
    CHECK_CSTR(str_from(err.text), "f:1:1: must be an object, not an array");
}

TEST(the_position_goes_down_and_up)
{
    assert_true(collect(DOC_JSON, "{\"id\": {\"a/b~\": [1, 2]}}"));
    size_t top = members_down(&m, STR("id")), inner = members_down(&m, STR("a/b~"));
    members_down_to(&m, 1);
    assert_false(MEMBERS_FAIL(&m, "is %d", 2));
    CHECK_CSTR(str_from(err.text), "f:1:21: /id/a~1b~0/1: is 2");
    members_up(&m, inner);
    CHECK_CSTR(buf_str(&m.at), "/id");
    members_up(&m, top);
    CHECK_CSTR(buf_str(&m.at), "");
}

TEST(unknown_members_are_warnings_and_many_are_counted)
{
    assert_true(collect(DOC_JSON, "{\"$schema\": 1, \"a\": 1, \"isOm\": 1, \"b\": 1, \"c\": 1,"
                                  "\"d\": 1, \"e\": 1}"));
    assert_int_equal(m.count, 4);
    members_done(&m);
    CHECK_CSTR(warnings[0], "f:1:21: /a: this key is unknown and ignored");
    CHECK_CSTR(warnings[1],
               "f:1:32: /isOm: this key is unknown and ignored; did you mean \"isOn\"?");
    CHECK_CSTR(warnings[3], "f: and 3 more warnings");
}

static struct str letter_at(const void *ctx, size_t i)
{
    const char *const *all = ctx;
    return str_from(all[i]);
}

TEST(an_unknown_name_is_reported_with_the_allowed_ones)
{
    static const char *const some[] = {"alpha", "beta-two", "gamma", NULL};
    struct buf text = {0};
    members_say_unknown(&text, "letter", STR("alhpa"), letter_at, some);
    CHECK_CSTR(buf_str(&text), "unknown letter \"alhpa\", did you mean \"alpha\"? allowed: alpha, "
                               "beta-two, gamma");
    buf_clear(&text);
    members_say_unknown(&text, "letter", STR("beta"), letter_at, some); /* its beginning */
    CHECK_CSTR(buf_str(&text),
               "unknown letter \"beta\", did you mean \"beta-two\"? allowed: alpha, "
               "beta-two, gamma");
    buf_clear(&text);
    members_say_unknown(&text, "letter", STR("\x1b"), letter_at, some);
    CHECK_CSTR(buf_str(&text), "unknown letter \"\\u001b\"; allowed: alpha, beta-two, gamma");
    buf_done(&text);
}
