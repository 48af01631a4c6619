/* The form of the page as a Task YAML, errors at its members, and tasks under another name. */
#include "console/task_form.h"

#include <string.h>

#include "test.h"

static struct arena arena;

/* Single quotes stand for double ones. */
static const struct json *form_of(const char *text)
{
    struct str copy = arena_str(&arena, str_from(text));
    for (size_t i = 0; i < copy.n; i++)
        if (copy.p[i] == '\'')
            ((char *)copy.p)[i] = '"';
    const struct json *form = json_parse(&arena, copy, NULL, NULL);
    assert_non_null(form);
    return form;
}

static struct task_file *read_form(const char *form)
{
    struct error err = {0};
    struct buf text = {0};
    if (!task_form_text(form_of(form), &text, &err))
        print_error("%s\n", err.text);
    struct task_file *t = task_file_read_in(buf_str(&text), "form", "/tmp", &err);
    if (!t)
        print_error("%s\n%s\n", err.text, text.p);
    assert_non_null(t);
    buf_done(&text);
    return t;
}

/* The error of the form or of its text, as the page gets it. */
static void check_fault(const char *form, const char *want)
{
    struct error err = {0};
    struct buf text = {0};
    if (task_form_text(form_of(form), &text, &err))
        assert_null(task_file_read_in(buf_str(&text), "form", "/tmp", &err));
    task_form_point(&err);
    if (strncmp(err.text, want, strlen(want)))
        CHECK_CSTR(str_from(err.text), want);
    buf_done(&text);
}

static int clean(void **state)
{
    arena_done(&arena);
    return 0;
}

TEST_FIXTURE(NULL, clean);

TEST(a_form_becomes_the_task_it_describes)
{
    struct task_file *t = read_form("{'name': ' roof ', 'title': 'The #1: roof', 'repo': '/tmp',"
                                    " 'prd': 'Line\\n  - two: \\u2028', 'needs': ['a', 'b c'],"
                                    " 'test_command': 'make \\u0026\\u0026 true', 'max_loops': 4}");
    CHECK_CSTR(t->id, "roof");
    CHECK_CSTR(t->title, "The #1: roof");
    CHECK_CSTR(t->prd, "Line\n  - two: \xe2\x80\xa8");
    assert_int_equal(t->dependency_count, 2);
    CHECK_CSTR(t->dependencies[1], "b c");
    CHECK_CSTR(t->test_command, "make && true");
    assert_int_equal(t->max_loops, 4);
    task_file_free(t);
}

TEST(null_and_missing_members_are_defaults)
{
    struct task_file *t =
        read_form("{'name': 'a', 'title': null, 'needs': null, 'prd': 'x', 'max_loops': null}");
    CHECK_CSTR(t->title, "a");
    assert_int_equal(t->dependency_count, 0);
    assert_int_equal(t->max_loops, 10);
    task_file_free(t);
}

TEST(an_error_points_at_the_member_of_the_form)
{
    check_fault("[1]", "form:1:1: must be an object");
    check_fault("{'prd': 'x'}", "form:1:1: /name: is missing");
    check_fault("{'name': ' \\t', 'prd': 'x'}", "form:1:1: /name: is missing");
    check_fault("{'name': 7, 'prd': 'x'}", "form:1:1: /name: must be text");
    check_fault("{'name': 'a', 'prd': 'x', 'needs': ['b', 7]}", "form:1:1: /needs/1: must be text");
    check_fault("{'name': 'a', 'prd': 'x', 'test_command': []}",
                "form:1:1: /test_command: must be");
    check_fault("{'name': 'a', 'prd': 'x', 'max_loops': 0}", "form:1:1: /max_loops: must be");
    check_fault("{'name': 'a', 'prd': 'x', 'repo': 'not/there'}", "form:1:1: /repo: ");
    check_fault("{'name': 'a', 'prd': 'x', 'nmae': 1}", "form:1:1: unknown member \"nmae\"");
}

TEST(an_error_outside_of_the_form_keeps_its_place)
{
    struct error err = {0};
    error_set(&err, ERR_CONFIG_VALIDATION, "task.yaml:3:4: /task/id: must be text");
    task_form_point(&err);
    assert_string_equal(err.text, "task.yaml:3:4: /task/id: must be text");
    error_set(&err, ERR_CONFIG_VALIDATION, "form:3:4: /task/prdx: must be text");
    task_form_point(&err);
    assert_string_equal(err.text, "form:3:4: /task/prdx: must be text");
}

TEST(name_and_needs_of_a_task_can_be_replaced)
{
    struct error err = {0};
    struct buf text = {0};
    struct task_file *t = read_form("{'name': 'a', 'prd': 'x', 'needs': ['b', 'c']}");
    assert_true(task_form_change(t, NULL, "f", &err));
    assert_true(task_form_change(t, form_of("{'yaml': ''}"), "f", &err));
    CHECK_CSTR(t->id, "a");
    assert_int_equal(t->dependency_count, 2);
    assert_true(task_form_change(t, form_of("{'name': ' z ', 'needs': ['c', 'd: #']}"), "f", &err));
    CHECK_CSTR(t->id, "z");
    CHECK_CSTR(t->title, "z"); /* the task had no title of its own */
    task_file_write(t, NULL, &text);
    struct task_file *again = task_file_read_in(buf_str(&text), "x.yaml", "/tmp", &err);
    assert_non_null(again);
    CHECK_CSTR(again->id, "z");
    assert_int_equal(again->dependency_count, 2);
    CHECK_CSTR(again->dependencies[1], "d: #");
    assert_true(task_form_change(again, form_of("{'needs': []}"), "f", &err));
    assert_int_equal(again->dependency_count, 0);
    CHECK_CSTR(again->id, "z");
    task_file_free(t);
    task_file_free(again);
    buf_done(&text);
}

TEST(an_invalid_name_changes_nothing)
{
    static const struct {
        const char *to, *want;
    } wrong[] = {
        {"{'name': ''}", "f.yaml:1:1: /name: must be a name of one line"},
        {"{'name': ' \\n'}", "f.yaml:1:1: /name: must be a name of one line"},
        {"{'name': 'a\\nb'}", "f.yaml:1:1: /name: must be a name of one line"},
        {"{'name': 'a\\u0000'}", "f.yaml:1:1: /name: must be a name of one line"},
        {"{'name': 7}", "f.yaml:1:1: /name: must be a name of one line"},
        {"{'needs': 'b'}", "f.yaml:1:1: /needs: must be a list of names"},
        {"{'needs': ['b', null]}", "f.yaml:1:1: /needs: must be a list of names"},
    };
    struct task_file *t = read_form("{'name': 'a', 'title': 'T', 'prd': 'x', 'needs': ['b']}");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err = {0};
        assert_false(task_form_change(t, form_of(wrong[i].to), "f.yaml", &err));
        assert_string_equal(err.text, wrong[i].want);
    }
    CHECK_CSTR(t->id, "a");
    CHECK_CSTR(t->title, "T");
    assert_int_equal(t->dependency_count, 1);
    task_file_free(t);
}
