#include "editor/console_log.h"

#include "base/utf8.h"
#include "test.h"

static void add(struct console_log *l, const char *message)
{
    console_log_add(l, &(struct console_entry){.type = CONSOLE_WARNING,
                                               .message = str_from(message),
                                               .file = STR("Assets/A.unity"),
                                               .line = 3,
                                               .time_ms = 5,
                                               .serial = 77});
}

TEST(entry_is_copied_and_numbered)
{
    struct console_log *l = console_log_new();
    char text[] = "one";
    assert_int_equal(console_log_serial(l), 0);
    add(l, text);
    text[0] = 'x';
    add(l, "two");
    assert_int_equal(console_log_count(l), 2);
    const struct console_entry *e = console_log_at(l, 0);
    CHECK_STR(e->message, STR("one"));
    CHECK_STR(e->file, STR("Assets/A.unity"));
    assert_int_equal(e->stack_trace.n, 0);
    assert_int_equal(e->serial, 1);
    assert_int_equal(e->line, 3);
    assert_int_equal(e->time_ms, 5);
    assert_int_equal(console_log_at(l, 1)->serial, 2);
    assert_int_equal(console_log_serial(l), 2);
    console_log_free(l);
}

TEST(oldest_entry_is_dropped)
{
    struct console_log *l = console_log_new();
    for (unsigned i = 1; i <= CONSOLE_LOG_MAX + 3; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", i);
        add(l, text);
    }
    assert_int_equal(console_log_count(l), CONSOLE_LOG_MAX);
    CHECK_STR(console_log_at(l, 0)->message, STR("4"));
    CHECK_STR(console_log_at(l, CONSOLE_LOG_MAX - 1)->message, STR("5003"));
    assert_int_equal(console_log_serial(l), CONSOLE_LOG_MAX + 3);
    console_log_free(l);
}

TEST(texts_are_cut_and_made_utf8)
{
    struct console_log *l = console_log_new();
    struct buf text = {0};
    for (unsigned i = 0; i < CONSOLE_TEXT_MAX; i++)
        buf_add(&text, STR("\xc3\xa4"));
    add(l, text.p);
    add(l, "bad \xff byte");
    struct str cut = console_log_at(l, 0)->message;
    assert_int_equal(cut.n, CONSOLE_TEXT_MAX);
    assert_true(utf8_is_valid(cut));
    CHECK_STR(console_log_at(l, 1)->message, STR("bad \xef\xbf\xbd byte"));
    buf_done(&text);
    console_log_free(l);
}

TEST(each_console_has_its_own_id)
{
    struct console_log *a = console_log_new(), *b = console_log_new();
    assert_int_equal(strlen(console_log_id(a)), 8);
    assert_string_not_equal(console_log_id(a), console_log_id(b));
    console_log_free(a);
    console_log_free(b);
    console_log_free(NULL);
}

TEST(types_have_names)
{
    enum console_type t;
    for (enum console_type i = 0; i < CONSOLE_TYPE_COUNT; i++) {
        assert_true(console_log_type_from_name(str_from(console_log_type_name(i)), &t));
        assert_int_equal(t, i);
    }
    assert_false(console_log_type_from_name(STR("loud"), &t));
}
