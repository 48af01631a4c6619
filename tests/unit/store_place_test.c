#include "base/error.h"
#include "store/store.h"
#include "store_url.h"

#include <sys/stat.h>

static struct error err;

static void check_place(const char *url, bool is_main, const char *want)
{
    struct buf got = {0};
    const struct store_schema schema = {.name = "tasks", .is_main = is_main};
    assert_true(store_place(url, "/srv/u", &schema, &got, &err));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(without_a_place_it_is_in_the_home_folder)
{
    check_place(NULL, true, "/srv/u/tasks.db");
    check_place("", false, "/srv/u/tasks.db");
    check_place("sqlite:", true, "/srv/u/tasks.db");
}

TEST(the_url_of_a_server_stays)
{
    check_place("postgresql://u:p@h/d?x=y", true, "postgresql://u:p@h/d?x=y");
    check_place("postgres://h/d", false, "postgres://h/d");
    assert_true(store_is_server("postgresql://"));
    assert_false(store_is_server("postgresql:/x"));
    assert_false(store_is_server("/postgresql://"));
    assert_false(store_is_server(NULL));
}

TEST(a_file_is_that_file_for_one_schema_and_the_folder_for_the_others)
{
    check_place("/a/b.db", true, "/a/b.db");
    check_place("/a/b.db", false, "/a/tasks.db");
    check_place("b.db", true, "b.db");
    check_place("b.db", false, "tasks.db");
    check_place("/b.db", false, "/tasks.db");
    check_place("sqlite:/a/b.db", true, "/a/b.db");
    check_place("sqlite:///a/b.db", true, "/a/b.db");
    check_place("sqlite:b.db", false, "tasks.db");
}

TEST(a_folder_holds_a_file_for_each_schema)
{
    char url[4096];
    test_store_begin(url, "x");
    assert_int_equal(mkdir("folder", 0700), 0);
    check_place("folder", true, "folder/tasks.db");
    check_place("folder", false, "folder/tasks.db");
    check_place("sqlite:folder", true, "folder/tasks.db");
    check_place("new/", true, "new/tasks.db");
    check_place("/", true, "/tasks.db");
    test_store_end();
}

TEST(another_scheme_is_refused)
{
    struct buf got = {0};
    const struct store_schema schema = {.name = "tasks"};
    assert_false(store_place("mysql://u:secret@h/d", "/h", &schema, &got, &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    assert_string_equal(err.text, "cannot use the store mysql://u@h/d: expected "
                                  "postgresql://..., sqlite:PATH or a path");
    assert_false(store_place("postgresql:d", "/h", &schema, &got, &err));
    assert_false(store_place("postgres:/d", "/h", &schema, &got, &err));
    assert_int_equal(got.n, 0);
}

static void check_shown(const char *url, const char *want)
{
    struct buf got = {0};
    store_show_url(url, &got);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(no_password_is_shown)
{
    check_shown("postgresql://h/d", "postgresql://h/d");
    check_shown("postgresql://u@h:5432/d", "postgresql://u@h:5432/d");
    check_shown("postgresql://u:secret@h:5432/d", "postgresql://u@h:5432/d");
    check_shown("postgresql://:secret@h/d", "postgresql://@h/d");
    check_shown("postgresql://u:se:cr@et@h/d", "postgresql://u@h/d");
    check_shown("postgresql://u:se/cr?et@h/d", "postgresql://u@h/d");
    check_shown("postgresql://u:se?host=x&cret@h/d", "postgresql://u@h/d");
    check_shown("postgresql://h/d?password=secret", "postgresql://h/d");
    check_shown("postgresql:///d?pass%77ord=s&host=/tmp/x&sslpassword=s&user=u",
                "postgresql:///d?host=/tmp/x&user=u");
    check_shown("/a/b.db", "/a/b.db");
}
