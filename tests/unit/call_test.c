#include "base/error.h"
#include "cli/call.h"
#include "test.h"

static void check(const char *url, unsigned want_port, const char *want_path)
{
    uint16_t port = 0;
    const char *path = NULL;
    assert_true(call_read_url(url, &port, &path, NULL));
    assert_int_equal(port, want_port);
    CHECK_CSTR(str_from(path), want_path);
}

static void check_bad(const char *url)
{
    uint16_t port = 7;
    const char *path = NULL;
    struct error err = {0};
    assert_false(call_read_url(url, &port, &path, &err));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    assert_true(str_starts(str_from(err.text), STR("--url must be http://127.0.0.1:PORT/mcp")));
    assert_int_equal(port, 7);
    assert_null(path);
}

TEST(a_url_of_this_machine_is_accepted)
{
    check("http://127.0.0.1:48091/mcp", 48091, "/mcp");
    check("http://localhost:1/other?x=1", 1, "/other?x=1");
    check("http://LocalHost:65535", 65535, "/mcp");
    check("http://[::1]:80/", 80, "/mcp");
    check("http://127.0.0.1/mcp", 80, "/mcp");
}

TEST(every_other_url_is_refused)
{
    check_bad("https://127.0.0.1:48091/mcp");
    check_bad("127.0.0.1:48091");
    check_bad("http://");
    check_bad("http://example.com/mcp");
    check_bad("http://127.0.0.1.example.com:80/");
    check_bad("http://localhost@example.com/");
    check_bad("http://user@localhost/");
    check_bad("http://127.0.0.1:0/");
    check_bad("http://127.0.0.1:65536/");
    check_bad("http://127.0.0.1:/");
    check_bad("http://127.0.0.1:8x/");
    check_bad("http://127.0.0.1:80/a#b");
    check_bad("http://::1:80/");
}
