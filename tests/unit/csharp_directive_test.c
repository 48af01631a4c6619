#include "unity/csharp_directive.h"

#include "test.h"

static const struct str defines[] = {STR_INIT("A"), STR_INIT("B_2")};
static const struct csharp_options options = {.defines = defines, .define_count = 2};

static bool is_active(const char *condition)
{
    struct csharp_directive d;
    struct buf line = {0};
    csharp_directive_init(&d, &options);
    buf_printf(&line, "if %s", condition);
    assert_true(csharp_directive_line(&d, buf_str(&line), true));
    bool active = d.active;
    buf_done(&line);
    csharp_directive_done(&d);
    return active;
}

static bool is_refused(const char *condition)
{
    struct csharp_directive d;
    struct buf line = {0};
    csharp_directive_init(&d, &options);
    buf_printf(&line, "if %s", condition);
    bool ok = csharp_directive_line(&d, buf_str(&line), true);
    assert_true(ok || !d.active);
    buf_done(&line);
    csharp_directive_done(&d);
    return !ok;
}

TEST(conditions_follow_csharp)
{
    assert_true(is_active("A"));
    assert_true(is_active("B_2"));
    assert_false(is_active("C"));
    assert_true(is_active("true"));
    assert_false(is_active("false"));
    assert_false(is_active("!A"));
    assert_true(is_active("! ! A"));
    assert_true(is_active("A && B_2"));
    assert_false(is_active("A && C"));
    assert_true(is_active("C || A"));
    assert_true(is_active("A || C && C"));
    assert_false(is_active("(A || C) && C"));
    assert_true(is_active("A == B_2"));
    assert_true(is_active("A != C"));
    assert_true(is_active("C == false && A"));
    assert_true(is_active("!(C)&&A // why"));
    assert_true(is_active("((((A))))"));
}

TEST(invalid_condition_is_false)
{
    assert_true(is_refused(""));
    assert_true(is_refused("A &&"));
    assert_true(is_refused("(A"));
    assert_true(is_refused("A)"));
    assert_true(is_refused("A B_2"));
    assert_true(is_refused("A & B_2"));
    struct buf deep = {0};
    for (int i = 0; i < 100000; i++)
        buf_add_char(&deep, '(');
    buf_printf(&deep, "A");
    assert_true(is_refused(deep.p));
    buf_done(&deep);
}

/* Each line, and whether the following lines are active. */
static void goes(const char *const *lines, const char *want)
{
    struct csharp_directive d;
    struct buf got = {0};
    csharp_directive_init(&d, &options);
    for (; *lines; lines++) {
        bool ok = csharp_directive_line(&d, str_from(*lines), true);
        buf_printf(&got, "%s%c ", ok ? "" : "!", d.active ? '1' : '0');
    }
    buf_printf(&got, csharp_directive_is_open(&d) ? "open" : "done");
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
    csharp_directive_done(&d);
}

TEST(at_most_one_branch_is_active)
{
    goes((const char *const[]){"if A", "elif B_2", "else", "endif", NULL}, "1 0 0 1 done");
    goes((const char *const[]){"if C", "elif B_2", "elif A", "else", "endif", NULL},
         "0 1 0 0 1 done");
    goes((const char *const[]){" if C", "\telse ", "  endif // C", NULL}, "0 1 1 done");
    goes((const char *const[]){"if C", "if A", "else", "endif", "else", "if A", "endif", "endif",
                               NULL},
         "0 0 0 0 1 1 1 1 done");
    goes((const char *const[]){"if A", "if ((", "endif", NULL}, "1 !0 1 open");
}

TEST(branches_without_if_are_an_error)
{
    goes((const char *const[]){"endif", "else", "elif A", NULL}, "!1 !1 !1 done");
    goes((const char *const[]){"if C", "else", "else", "elif A", NULL}, "0 1 !0 !0 open");
    /* Conditions in inactive code are not read. */
    goes((const char *const[]){"if C", "if ((", "elif ))", NULL}, "0 0 0 open");
}

TEST(symbols_are_defined_only_before_other_tokens)
{
    goes((const char *const[]){"define C", "if C", "endif", "undef A", "if A", NULL},
         "1 1 1 1 0 open");
    goes((const char *const[]){"if C", "define X", "endif", "if X", NULL}, "0 0 1 0 open");
    goes((const char *const[]){"define", "define 1+", NULL}, "!1 1 done");
    struct csharp_directive d;
    csharp_directive_init(&d, &options);
    assert_false(csharp_directive_line(&d, STR("define C"), false));
    assert_true(csharp_directive_line(&d, STR("if C"), false));
    assert_false(d.active);
    csharp_directive_done(&d);
}

TEST(other_directives_are_ignored)
{
    goes((const char *const[]){"region if", "endregion", "pragma warning disable",
                               "nullable enable", "error x", "line 1", "", "!", NULL},
         "1 1 1 1 1 1 1 1 done");
}
