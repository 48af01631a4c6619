#include "net/http_guard.h"

#include "test.h"

static const struct http_guard guard = {.port = 48091};
static const struct http_guard guard_80 = {.port = 80};
static const struct http_guard guard_token = {.port = 48091, .token = STR_INIT("s3cret")};

/* Host, Origin, Authorization; NULL: not sent. */
static int status_of(const struct http_guard *g, const char *host, const char *origin,
                     const char *authorization)
{
    struct http_field fields[3];
    struct http_request r = {.fields = fields};
    struct buf message = {0};
    if (host)
        fields[r.field_count++] = (struct http_field){STR("host"), str_from(host)};
    if (origin)
        fields[r.field_count++] = (struct http_field){STR("origin"), str_from(origin)};
    if (authorization)
        fields[r.field_count++] =
            (struct http_field){STR("authorization"), str_from(authorization)};
    int status = http_guard_check(g, &r, &message);
    if (status == 0)
        status = http_guard_check_token(g, &r, &message);
    assert_int_equal(status == 0, message.n == 0);
    buf_done(&message);
    return status;
}

TEST(only_loopback_hosts_with_our_port_are_allowed)
{
    static const char *const fine[] = {"127.0.0.1:48091", "localhost:48091", "LocalHost:48091",
                                       "[::1]:48091"};
    static const char *const wrong[] = {
        "localhost",
        "127.0.0.1",
        "127.0.0.1:48092",
        "127.0.0.1:",
        "127.0.0.1:480911",
        "127.0.0.1:048091",
        "evil.example:48091",
        "",
        "127.0.0.2:48091",
        "localhost.evil:48091",
        "[::1]",
        "::1:48091",
        "localhost:48091.a",
        "a@localhost:48091",
        "127.0.0.1:48091/",
        "127.1:48091",
        "0.0.0.0:48091",
        "localhost.:48091",
        "127.0.0.1:48091 ",
        "127.0.0.1 :48091",
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_int_equal(status_of(&guard, fine[i], NULL, NULL), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (status_of(&guard, wrong[i], NULL, NULL) != 403)
            fail_msg("let in: %s", wrong[i]);
    assert_int_equal(status_of(&guard, NULL, NULL, NULL), 403);
}

TEST(port_80_may_be_omitted)
{
    assert_int_equal(status_of(&guard_80, "localhost", NULL, NULL), 0);
    assert_int_equal(status_of(&guard_80, "localhost:80", NULL, NULL), 0);
    assert_int_equal(status_of(&guard_80, "[::1]", "http://127.0.0.1", NULL), 0);
    assert_int_equal(status_of(&guard_80, "localhost:8080", NULL, NULL), 403);
}

TEST(only_our_own_origins_are_allowed)
{
    static const char *const wrong[] = {
        "null",
        "",
        "https://localhost:48091",
        "http://localhost",
        "http://evil.example",
        "http://localhost:48091/",
        "http://localhost:48091@evil",
        "localhost:48091",
        "file://",
        "http://localhost:480911",
        "http://localhost:48091 http://localhost:48091",
    };
    assert_int_equal(status_of(&guard, "localhost:48091", "http://localhost:48091", NULL), 0);
    assert_int_equal(status_of(&guard, "localhost:48091", "http://127.0.0.1:48091", NULL), 0);
    assert_int_equal(status_of(&guard, "localhost:48091", "http://[::1]:48091", NULL), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (status_of(&guard, "localhost:48091", wrong[i], NULL) != 403)
            fail_msg("let in: %s", wrong[i]);
}

TEST(a_duplicate_origin_is_refused)
{
    struct http_field same = {STR("Origin"), STR("http://localhost:48091")};
    struct http_field fields[] = {{STR("Host"), STR("localhost:48091")}, same, same};
    struct http_request r = {.fields = fields, .field_count = 3};
    struct buf message = {0};
    assert_int_equal(http_guard_check(&guard, &r, &message), 403);
    CHECK_STR(buf_str(&message), STR("Duplicate header: Origin."));
    buf_done(&message);
}

TEST(the_host_of_an_absolute_target_is_checked)
{
    struct http_field fields[] = {{STR("Host"), STR("localhost:48091")}};
    struct http_request r = {.fields = fields, .field_count = 1, .authority = STR("[::1]:48091")};
    struct buf message = {0};
    assert_int_equal(http_guard_check(&guard, &r, &message), 0);
    r.authority = STR("evil:48091");
    assert_int_equal(http_guard_check(&guard, &r, &message), 403);
    r.authority = STR("");
    assert_int_equal(http_guard_check(&guard, &r, &message), 403);
    buf_done(&message);
}

TEST(the_token_is_required_if_one_is_set)
{
    static const char *const wrong[] = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer s3cre",
        "Bearer s3crets",
        "Bearer S3cret",
        "Basic s3cret",
        "s3cret",
        "Bearer s3cret x",
        "Bearers3cret",
    };
    const char *host = "localhost:48091";
    assert_int_equal(status_of(&guard_token, host, NULL, "Bearer s3cret"), 0);
    assert_int_equal(status_of(&guard_token, host, NULL, "bearer  s3cret"), 0);
    assert_int_equal(status_of(&guard_token, host, NULL, NULL), 401);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (status_of(&guard_token, host, NULL, wrong[i]) != 401)
            fail_msg("let in: %s", wrong[i]);
    assert_int_equal(status_of(&guard_token, "evil", NULL, "Bearer s3cret"), 403);
}

TEST(a_duplicate_token_is_refused_and_not_quoted)
{
    struct http_field one = {STR("Authorization"), STR("Bearer s3cret")};
    struct http_field fields[] = {{STR("Host"), STR("localhost:48091")}, one, one};
    struct http_request r = {.fields = fields, .field_count = 3};
    struct buf message = {0};
    assert_int_equal(http_guard_check_token(&guard_token, &r, &message), 401);
    assert_int_equal(str_find(buf_str(&message), STR("s3cret")), message.n);
    buf_done(&message);
}

TEST(a_refusal_names_the_received_and_the_allowed_values)
{
    struct http_field fields[] = {{STR("Host"), STR("evil\"\xff\x01.example")}};
    struct http_request r = {.fields = fields, .field_count = 1};
    struct buf message = {0};
    assert_int_equal(http_guard_check(&guard, &r, &message), 403);
    CHECK_STR(buf_str(&message),
              STR("Host evil\"\?\?.example is not served here: use 127.0.0.1:48091, "
                  "localhost:48091 or [::1]:48091."));
    buf_done(&message);
}

TEST(quoted_values_are_cut)
{
    char text[1000];
    struct buf out = {0};
    memset(text, 'x', sizeof text);
    http_guard_quote(&out, str_make(text, sizeof text));
    assert_int_equal(out.n, 83);
    assert_true(str_ends(buf_str(&out), STR("x...")));
    buf_done(&out);
}
