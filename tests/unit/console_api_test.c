#include "console/api.h"

#include "console/api_internal.h"
#include "test.h"
#include "wire.h"

/* A console without its parts, on a real listener. */
struct fixture {
    struct loop *loop;
    struct http_server *http;
    struct console c;
    struct api *held;                   /* by /api/later */
    struct api *kept[API_MAX_OPEN + 1]; /* by /api/keep */
    size_t kept_count;
    size_t calls;
    struct buf text, ask, lines;
};

/* ---- routes of the tests */

static void on_echo(struct api *a, void *ctx)
{
    struct fixture *f = ctx;
    f->calls++;
    struct jsonw *w = api_begin(a);
    jsonw_key(w, "got");
    if (api_body(a))
        jsonw_value(w, api_body(a));
    else
        jsonw_null(w);
    jsonw_kstr(w, "rest", api_rest(a));
    struct str q = api_query(a, "q");
    jsonw_key(w, "q");
    if (q.p)
        jsonw_str(w, q);
    else
        jsonw_null(w);
    api_end(a);
}

static void on_later(struct api *a, void *ctx)
{
    ((struct fixture *)ctx)->held = a;
}

static void on_keep(struct api *a, void *ctx)
{
    struct fixture *f = ctx;
    assert_true(f->kept_count <= API_MAX_OPEN);
    f->kept[f->kept_count++] = a;
}

static void put_ids(struct jsonw *w, const char *key, const int64_t *ids, size_t count)
{
    jsonw_key(w, key);
    jsonw_array(w);
    for (size_t i = 0; i < count; i++)
        jsonw_int(w, ids[i]);
    jsonw_end(w);
}

/* {text, more?, flag, n (1..9), or? (default 5), ids (at most 3)} */
static void on_typed(struct api *a, void *ctx)
{
    struct str text, more;
    bool flag;
    int64_t n, or = 5, *ids;
    size_t count;
    (void)ctx;
    if (!api_text(a, "text", &text) || !api_text_or(a, "more", &more) ||
        !api_bool(a, "flag", &flag) || !api_int(a, "n", 1, 9, &n) ||
        !api_int_or(a, "or", 1, 9, & or) || !api_ids(a, "ids", 3, &ids, &count))
        return;
    struct jsonw *w = api_begin(a);
    jsonw_kstr(w, "text", text);
    jsonw_kbool(w, "has_more", more.p != NULL);
    jsonw_kbool(w, "flag", flag);
    jsonw_kint(w, "n", n);
    jsonw_kint(w, "or", or);
    put_ids(w, "ids", ids, count);
    api_end(a);
}

static void on_asked(struct api *a, void *ctx)
{
    int64_t n = -7, *ids;
    size_t count;
    (void)ctx;
    if (!api_query_int(a, "n", 0, 100, &n) || !api_query_ids(a, "ids", 3, &ids, &count))
        return;
    struct jsonw *w = api_begin(a);
    jsonw_kint(w, "n", n);
    put_ids(w, "ids", ids, count);
    api_end(a);
}

static void on_error(struct api *a, void *ctx)
{
    struct error err = {0};
    struct str code = api_query(a, "code");
    (void)ctx;
    assert_true(error_from_name(code, &err.code));
    snprintf(err.text, sizeof err.text, "%.*s", STR_ARG(api_query(a, "text")));
    api_fail(a, &err);
}

static void on_huge(struct api *a, void *ctx)
{
    struct jsonw *w = api_begin(a);
    char kilo[1024];
    (void)ctx;
    memset(kilo, 'x', sizeof kilo);
    jsonw_key(w, "all");
    jsonw_array(w);
    for (int i = 0; i < 70000; i++)
        jsonw_str(w, str_make(kilo, sizeof kilo));
    jsonw_end(w);
    api_end(a);
}

/* ---- the fixture */

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.loop = loop_new()};
    f->http = http_server_new(f->loop, &(struct http_server_options){0});
    f->c.o.loop = f->loop;
    f->c.o.http = f->http;
    api_get(&f->c, "/api/echo/*", on_echo, f);
    api_post(&f->c, "/api/echo", on_echo, f);
    api_get(&f->c, "/api/later", on_later, f);
    api_get(&f->c, "/api/keep", on_keep, f);
    api_post(&f->c, "/api/keep", on_keep, f);
    api_post(&f->c, "/api/typed", on_typed, f);
    api_get(&f->c, "/api/asked", on_asked, f);
    api_get(&f->c, "/api/error", on_error, f);
    api_get(&f->c, "/api/huge", on_huge, f);
    api_start(&f->c);
    assert_true(http_server_listen(f->http, 0, NULL));
}

static void tear_down(struct fixture *f)
{
    http_server_free(f->http);
    assert_int_equal(f->c.open, 0);
    assert_int_equal(f->c.held, 0);
    loop_free(f->loop);
    api_done(&f->c);
    buf_done(&f->text);
    buf_done(&f->ask);
    buf_done(&f->lines);
}

static struct str request(struct fixture *f, const char *line, const char *lines, struct str body)
{
    buf_clear(&f->ask);
    buf_printf(&f->ask, "%s\r\nHost: 127.0.0.1:%u\r\n%s", line, http_server_port(f->http), lines);
    if (body.p)
        buf_printf(&f->ask, "Content-Length: %zu\r\n", body.n);
    buf_add(&f->ask, STR("\r\n"));
    buf_add(&f->ask, body);
    return buf_str(&f->ask);
}

/* The answer as "STATUS BODY". */
static const char *exchange(struct fixture *f, struct str ask)
{
    struct wire w;
    wire_open(&w, f->loop, http_server_port(f->http));
    wire_send(&w, ask);
    wire_answer(&w, &f->lines);
    wire_close(&w);
    struct str all = buf_str(&f->lines);
    buf_clear(&f->text);
    buf_add(&f->text, str_head(str_skip(all, strlen("HTTP/1.1 ")), 3));
    buf_add_char(&f->text, ' ');
    buf_add(&f->text, str_skip(all, str_find(all, STR("\r\n\r\n")) + 4));
    return f->text.p;
}

static const char *get(struct fixture *f, const char *target, const char *lines)
{
    char line[4096];
    snprintf(line, sizeof line, "GET %s HTTP/1.1", target);
    return exchange(f, request(f, line, lines, (struct str){0}));
}

/* As the page sends it. */
static const char *post(struct fixture *f, const char *target, struct str body)
{
    char line[256], lines[256];
    snprintf(line, sizeof line, "POST %s HTTP/1.1", target);
    snprintf(lines, sizeof lines,
             "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n",
             http_server_port(f->http));
    return exchange(f, request(f, line, lines, body));
}

static bool refused(const char *answer, int status)
{
    char want[32];
    snprintf(want, sizeof want, "%d {\"error\":{\"code\":\"ERR_", status);
    return strncmp(answer, want, strlen(want)) == 0;
}

/* ---- requests */

TEST(an_answer_is_an_object_that_is_not_cached)
{
    struct fixture f;
    set_up(&f);
    assert_string_equal(get(&f, "/api/echo/a?q=b", ""),
                        "200 {\"got\":null,\"rest\":\"a\",\"q\":\"b\"}");
    static const char *const lines[] = {
        "\r\nContent-Type: application/json\r\n",
        "\r\nCache-Control: no-store\r\n",
        "\r\nX-Content-Type-Options: nosniff\r\n",
        "\r\nReferrer-Policy: no-referrer\r\n",
        "\r\nCross-Origin-Resource-Policy: same-origin\r\n",
        "\r\nContent-Security-Policy: default-src 'none'; ",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(f.lines.p, lines[i]))
            fail_msg("not there: %s", lines[i]);
    assert_string_equal(post(&f, "/api/echo", STR("{\"a\":1}")),
                        "200 {\"got\":{\"a\":1},\"rest\":\"\",\"q\":null}");
    tear_down(&f);
}

TEST(addresses_are_decoded)
{
    struct fixture f;
    set_up(&f);
    assert_string_equal(get(&f, "/api/echo/a%2Fb%20c+d?q=%E6%97%A5+%2B%26&x", ""),
                        "200 {\"got\":null,\"rest\":\"a/b c+d\",\"q\":\"日 +&\"}");
    assert_string_equal(get(&f, "/api/echo/?q", ""), "200 {\"got\":null,\"rest\":\"\",\"q\":\"\"}");
    assert_string_equal(get(&f, "/api/echo/?a=1&%71=2&q=3", ""),
                        "200 {\"got\":null,\"rest\":\"\",\"q\":\"2\"}");
    assert_string_equal(get(&f, "/api/echo/?&&=&", ""),
                        "200 {\"got\":null,\"rest\":\"\",\"q\":null}");
    static const char *const wrong[] = {
        "/api/echo/%",      "/api/echo/%4",     "/api/echo/%zz",
        "/api/echo/%ff",    "/api/echo/%00",    "/api/echo/?q=%",
        "/api/echo/?q=%c3", "/api/echo/?%e9=1", "/api/echo/?q=a%00"};
    f.calls = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!refused(get(&f, wrong[i], ""), 400))
            fail_msg("taken: %s", wrong[i]);
    assert_int_equal(f.calls, 0);
    tear_down(&f);
}

TEST(numbers_in_a_query_are_checked)
{
    struct fixture f;
    set_up(&f);
    assert_string_equal(get(&f, "/api/asked", ""), "200 {\"n\":-7,\"ids\":[]}");
    assert_string_equal(get(&f, "/api/asked?n=100&ids=1,22,9223372036854775807", ""),
                        "200 {\"n\":100,\"ids\":[1,22,9223372036854775807]}");
    assert_string_equal(get(&f, "/api/asked?ids=", ""), "200 {\"n\":-7,\"ids\":[]}");
    static const char *const wrong[] = {"n=101",
                                        "n=-1",
                                        "n=",
                                        "n=1.0",
                                        "n=0x1",
                                        "n=1e1",
                                        "n=99999999999999999999",
                                        "n=+1a",
                                        "ids=0",
                                        "ids=-1",
                                        "ids=1,",
                                        "ids=,",
                                        "ids=a",
                                        "ids=1,2,3,4",
                                        "ids=1%2C%2C2",
                                        "ids=9223372036854775808"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/asked?%s", wrong[i]);
        if (!refused(get(&f, target, ""), 400))
            fail_msg("taken: %s", wrong[i]);
    }
    tear_down(&f);
}

TEST(members_of_a_body_are_checked)
{
    struct fixture f;
    set_up(&f);
    assert_string_equal(
        post(&f, "/api/typed", STR("{\"text\":\"\",\"flag\":false,\"n\":9,\"ids\":[]}")),
        "200 {\"text\":\"\",\"has_more\":false,\"flag\":false,\"n\":9,\"or\":5,"
        "\"ids\":[]}");
    assert_string_equal(post(&f, "/api/typed",
                             STR("{\"text\":\"\\u0000\",\"more\":\"\",\"flag\":true,\"n\":1.0,"
                                 "\"or\":null,\"ids\":[3,2,1]}")),
                        "200 {\"text\":\"\\u0000\",\"has_more\":true,\"flag\":true,\"n\":1,\"or\":"
                        "5,\"ids\":[3,2,1]}");
#define REST "\"flag\":true,\"n\":1,\"ids\":[1]"
    static const char *const wrong[] = {
        "{" REST "}",
        "{\"text\":null," REST "}",
        "{\"text\":1," REST "}",
        "{\"text\":\"\",\"more\":1," REST "}",
        "{\"text\":\"\",\"flag\":1,\"n\":1,\"ids\":[]}",
        "{\"text\":\"\",\"n\":1,\"ids\":[]}",
        "{\"text\":\"\",\"flag\":true,\"n\":0,\"ids\":[]}",
        "{\"text\":\"\",\"flag\":true,\"n\":10,\"ids\":[]}",
        "{\"text\":\"\",\"flag\":true,\"n\":1.5,\"ids\":[]}",
        "{\"text\":\"\",\"flag\":true,\"n\":\"1\",\"ids\":[]}",
        "{\"text\":\"\",\"flag\":true,\"ids\":[]}",
        "{\"text\":\"\",\"or\":0," REST "}",
        "{\"text\":\"\",\"or\":\"1\"," REST "}",
        "{\"text\":\"\",\"flag\":true,\"n\":1}",
        "{\"text\":\"\",\"flag\":true,\"n\":1,\"ids\":1}",
        "{\"text\":\"\",\"flag\":true,\"n\":1,\"ids\":[0]}",
        "{\"text\":\"\",\"flag\":true,\"n\":1,\"ids\":[\"1\"]}",
        "{\"text\":\"\",\"flag\":true,\"n\":1,\"ids\":[1,2,3,4]}",
        "{\"text\":\"\",\"flag\":true,\"n\":1,\"ids\":{\"a\":1}}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!refused(post(&f, "/api/typed", str_from(wrong[i])), 400))
            fail_msg("taken: %s: %s", wrong[i], f.text.p);
    tear_down(&f);
}

/* ---- refusals */

TEST(a_change_needs_a_post_with_an_origin_and_json)
{
    struct fixture f;
    char origin[64], both[128];
    set_up(&f);
    snprintf(origin, sizeof origin, "Origin: http://localhost:%u\r\n", http_server_port(f.http));
    struct str body = STR("{}");
    const char *line = "POST /api/echo HTTP/1.1", *json = "Content-Type: application/json\r\n";
    assert_true(refused(exchange(&f, request(&f, line, json, body)), 403)); /* no Origin */
    assert_true(refused(exchange(&f, request(&f, line, origin, body)), 415));
    static const char *const types[] = {"text/plain", "application/jsonx", "multipart/form-data",
                                        "application/x-www-form-urlencoded", ""};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(both, sizeof both, "%sContent-Type: %s\r\n", origin, types[i]);
        assert_true(refused(exchange(&f, request(&f, line, both, body)), 415));
    }
    snprintf(both, sizeof both, "Origin: http://evil.example\r\n%s", json);
    assert_true(strncmp(exchange(&f, request(&f, line, both, body)), "403 ", 4) == 0);
    snprintf(both, sizeof both, "Origin: null\r\n%s", json);
    assert_true(strncmp(exchange(&f, request(&f, line, both, body)), "403 ", 4) == 0);
    assert_true(strncmp(get(&f, "/api/echo", ""), "405 ", 4) == 0);
    assert_int_equal(f.calls, 0);
    snprintf(both, sizeof both, "%sContent-Type: Application/JSON; charset=utf-8\r\n", origin);
    assert_true(strncmp(exchange(&f, request(&f, line, both, body)), "200 ", 4) == 0);
    tear_down(&f);
}

TEST(a_body_must_be_one_json_object)
{
    struct fixture f;
    static const struct str wrong[] = {
        STR_INIT(""),
        STR_INIT("[]"),
        STR_INIT("null"),
        STR_INIT("\"a\""),
        STR_INIT("{"),
        STR_INIT("{}{}"),
        STR_INIT("{\"a\":1,\"a\":2}"),
        STR_INIT("{\"a\":\"\xff\"}"),
        STR_INIT("\xef\xbb\xbf{}"),
        STR_INIT("{\"a\":\"\0\"}"),
        STR_INIT("{\"a\":\"\\ud800\"}"),
    };
    set_up(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!refused(post(&f, "/api/echo", wrong[i]), 400))
            fail_msg("taken: %.*s", STR_ARG(wrong[i]));
    struct buf deep = {0};
    buf_add(&deep, STR("{\"a\":"));
    for (int i = 0; i < 100000; i++)
        buf_add_char(&deep, '[');
    assert_true(refused(post(&f, "/api/echo", buf_str(&deep)), 400));
    buf_done(&deep);
    assert_int_equal(f.calls, 0);
    tear_down(&f);
}

static const char *post_nested(struct fixture *f, size_t depth)
{
    struct buf body = {0};
    buf_add(&body, STR("{\"a\":"));
    for (size_t i = 1; i < depth; i++)
        buf_add_char(&body, '[');
    for (size_t i = 1; i < depth; i++)
        buf_add_char(&body, ']');
    buf_add_char(&body, '}');
    const char *answer = post(f, "/api/echo", buf_str(&body));
    buf_done(&body);
    return answer;
}

/* Routes put a body into other objects, which adds levels. */
TEST(a_body_is_less_deep_than_json_may_be)
{
    struct fixture f;
    _Static_assert(API_MAX_DEPTH < JSON_MAX_DEPTH / 2, "there is room around a body");
    set_up(&f);
    assert_true(strncmp(post_nested(&f, API_MAX_DEPTH), "200 ", 4) == 0);
    assert_true(refused(post_nested(&f, API_MAX_DEPTH + 1), 400));
    assert_true(refused(post_nested(&f, JSON_MAX_DEPTH), 400));
    assert_int_equal(f.calls, 1);
    tear_down(&f);
}

TEST(a_large_body_is_refused)
{
    struct fixture f;
    struct buf body = {0};
    set_up(&f);
    buf_add(&body, STR("{\"a\":\""));
    char *p = buf_room(&body, API_MAX_BODY);
    memset(p, 'x', API_MAX_BODY);
    body.n = API_MAX_BODY - 2;
    buf_add(&body, STR("\"}"));
    assert_int_equal(body.n, API_MAX_BODY);
    assert_true(strncmp(post(&f, "/api/echo", buf_str(&body)), "200 ", 4) == 0);
    buf_add_char(&body, ' ');
    assert_true(strncmp(post(&f, "/api/echo", buf_str(&body)), "413 ", 4) == 0);
    buf_done(&body);
    tear_down(&f);
}

TEST(a_page_of_another_site_is_refused)
{
    struct fixture f;
    set_up(&f);
    assert_true(refused(get(&f, "/api/echo/a", "Sec-Fetch-Site: cross-site\r\n"), 403));
    assert_true(refused(get(&f, "/api/echo/a", "Sec-Fetch-Site: same-site\r\n"), 403));
    assert_int_equal(f.calls, 0);
    get(&f, "/api/echo/a", "Sec-Fetch-Site: same-origin\r\n");
    get(&f, "/api/echo/a", "Sec-Fetch-Site: none\r\n");
    assert_int_equal(f.calls, 2);
    tear_down(&f);
}

TEST(an_unknown_address_is_404_as_json)
{
    struct fixture f;
    set_up(&f);
    assert_true(refused(get(&f, "/api/nothing", ""), 404));
    assert_true(refused(get(&f, "/api/", ""), 404));
    assert_true(refused(post(&f, "/api/nothing", STR("{}")), 404));
    assert_true(strncmp(get(&f, "/apix", ""), "404 ", 4) == 0);
    tear_down(&f);
}

TEST(requests_are_refused_while_the_console_stops)
{
    struct fixture f;
    set_up(&f);
    f.c.stopping = true;
    assert_true(refused(get(&f, "/api/echo/a", ""), 503));
    assert_true(refused(post(&f, "/api/echo", STR("{}")), 503));
    assert_int_equal(f.calls, 0);
    tear_down(&f);
}

/* ---- errors */

TEST(the_status_follows_from_the_error_code)
{
    static const struct {
        const char *name;
        int status;
    } rows[] = {
        {"ERR_INVALID_PARAMS", 400},       {"ERR_CONFIG_PARSE", 400}, {"ERR_TASK_NOT_FOUND", 404},
        {"ERR_JOB_NOT_FOUND", 404},        {"ERR_CONFLICT", 409},     {"ERR_TASK_STATE", 409},
        {"ERR_CANCEL_NOT_SUPPORTED", 409}, {"ERR_LIMIT", 413},        {"ERR_IO", 503},
    };
    struct fixture f;
    char target[128], want[128];
    set_up(&f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(target, sizeof target, "/api/error?code=%s&text=a%%3A1%%3A2%%3A+b", rows[i].name);
        snprintf(want, sizeof want, "%d {\"error\":{\"code\":\"%s\",\"message\":\"a:1:2: b\"",
                 rows[i].status, rows[i].name);
        assert_memory_equal(get(&f, target, ""), want, strlen(want));
    }
    tear_down(&f);
}

TEST(an_error_in_a_text_has_its_place)
{
    struct fixture f;
    set_up(&f);
    assert_string_equal(
        get(&f, "/api/error?code=ERR_CONFIG_VALIDATION&text=t.json%3A3%3A9%3A+%2Fid%3A+no", ""),
        "400 {\"error\":{\"code\":\"ERR_CONFIG_VALIDATION\",\"message\":\"t.json:3:9: /id: no\","
        "\"line\":3,\"column\":9,\"pointer\":\"/id\"}}");
    tear_down(&f);
}

static const char *fault_of(const char *message)
{
    static struct buf out;
    struct error err = {.code = ERR_CONFIG_PARSE};
    buf_done(&out);
    struct jsonw w = jsonw_make(&out);
    snprintf(err.text, sizeof err.text, "%s", message);
    api_put_fault(&w, &err);
    static char copy[512];
    snprintf(copy, sizeof copy, "%s", out.p);
    buf_done(&out);
    return copy;
}

TEST(a_place_is_found_with_any_file_name)
{
    assert_string_equal(
        fault_of("t.json:3:9: /a/0: must be: text"),
        "{\"message\":\"must be: text\",\"line\":3,\"column\":9,\"pointer\":\"/a/0\"}");
    assert_string_equal(
        fault_of("/var/a:b/7:t.json:12:1: what is wrong"),
        "{\"message\":\"what is wrong\",\"line\":12,\"column\":1,\"pointer\":\"\"}");
    assert_string_equal(
        fault_of("no place at all: 3:4"),
        "{\"message\":\"no place at all: 3:4\",\"line\":1,\"column\":1,\"pointer\":\"\"}");
    assert_string_equal(fault_of(""),
                        "{\"message\":\"\",\"line\":1,\"column\":1,\"pointer\":\"\"}");
    assert_string_equal(fault_of("a:0:1: b"),
                        "{\"message\":\"a:0:1: b\",\"line\":1,\"column\":1,\"pointer\":\"\"}");
    assert_string_equal(
        fault_of("a:1:2: /only/a/pointer"),
        "{\"message\":\"/only/a/pointer\",\"line\":1,\"column\":2,\"pointer\":\"\"}");
    assert_string_equal(fault_of(":::1:2:"),
                        "{\"message\":\":::1:2:\",\"line\":1,\"column\":1,\"pointer\":\"\"}");
}

TEST(an_answer_that_is_too_large_becomes_an_error)
{
    struct fixture f;
    set_up(&f);
    assert_true(refused(get(&f, "/api/huge", ""), 413));
    tear_down(&f);
}

/* ---- later */

TEST(an_answer_may_be_sent_later)
{
    struct fixture f;
    struct wire w;
    set_up(&f);
    wire_open(&w, f.loop, http_server_port(f.http));
    wire_send(&w, request(&f, "GET /api/later HTTP/1.1", "", (struct str){0}));
    WIRE_UNTIL(f.loop, f.held);
    assert_int_equal(f.c.open, 1);
    jsonw_kint(api_begin(f.held), "n", 1);
    api_end_status(f.held, 409);
    assert_int_equal(f.c.open, 0);
    wire_answer(&w, &f.text);
    assert_true(str_starts(buf_str(&f.text), STR("HTTP/1.1 409 ")));
    assert_true(str_ends(buf_str(&f.text), STR("\r\n\r\n{\"n\":1}")));
    wire_close(&w);
    tear_down(&f);
}

TEST(a_client_may_leave_before_its_answer)
{
    struct fixture f;
    struct wire w;
    set_up(&f);
    for (int i = 0; i < 3; i++) {
        f.held = NULL;
        wire_open(&w, f.loop, http_server_port(f.http));
        wire_send(&w, request(&f, "GET /api/later HTTP/1.1", "", (struct str){0}));
        WIRE_UNTIL(f.loop, f.held);
        wire_close(&w);
        WIRE_UNTIL(f.loop, http_server_connections(f.http) == 0);
        assert_int_equal(f.c.open, 1); /* it must still be answered */
        if (i == 0)
            api_reply(f.held, STR("{}"));
        else if (i == 1)
            api_refuse(f.held, 400, ERR_INVALID_PARAMS, "no");
        else
            jsonw_kint(api_begin(f.held), "n", 1), api_end(f.held);
        assert_int_equal(f.c.open, 0);
    }
    tear_down(&f);
}

/* Send a request and leave. Return false if it was refused; the answer is in f->text. */
static bool ask_and_leave(struct fixture *f, struct str ask)
{
    struct wire w;
    size_t before = f->kept_count;
    wire_open(&w, f->loop, http_server_port(f->http));
    wire_send(&w, ask);
    WIRE_UNTIL(f->loop, f->kept_count > before || w.in.n);
    bool is_kept = f->kept_count > before;
    if (!is_kept)
        wire_answer(&w, &f->text);
    wire_close(&w);
    WIRE_UNTIL(f->loop, http_server_connections(f->http) == 0);
    return is_kept;
}

static void answer_kept(struct fixture *f)
{
    while (f->kept_count)
        api_reply(f->kept[--f->kept_count], STR("{}"));
}

TEST(requests_of_clients_that_left_are_limited)
{
    struct fixture f;
    char lines[128];
    struct buf body = {0};
    set_up(&f);
    while (ask_and_leave(&f, request(&f, "GET /api/keep HTTP/1.1", "", (struct str){0})))
        assert_true(f.kept_count <= API_MAX_OPEN);
    assert_true(str_starts(buf_str(&f.text), STR("HTTP/1.1 503 ")));
    assert_int_equal(f.kept_count, API_MAX_OPEN);
    answer_kept(&f);

    snprintf(lines, sizeof lines,
             "Origin: http://127.0.0.1:%u\r\nContent-Type: application/json\r\n",
             http_server_port(f.http));
    buf_add(&body, STR("{\"a\":[1"));
    while (body.n < API_MAX_BODY / 2)
        buf_add(&body, STR(",1"));
    buf_add(&body, STR("]}"));
    const char *line = "POST /api/keep HTTP/1.1";
    while (ask_and_leave(&f, request(&f, line, lines, buf_str(&body))))
        assert_true(f.kept_count < API_MAX_HELD / body.n);
    assert_true(str_starts(buf_str(&f.text), STR("HTTP/1.1 503 ")));
    assert_true(f.kept_count > 1);
    assert_true(f.c.held <= API_MAX_HELD + 16 * API_MAX_BODY);
    assert_true(
        ask_and_leave(&f, request(&f, line, lines, STR("{}")))); /* a small body is accepted */
    answer_kept(&f);
    assert_true(ask_and_leave(&f, request(&f, line, lines, buf_str(&body))));
    answer_kept(&f);
    buf_done(&body);
    tear_down(&f);
}

TEST(an_answer_may_come_after_the_server_was_freed)
{
    struct fixture f;
    struct wire w;
    set_up(&f);
    wire_open(&w, f.loop, http_server_port(f.http));
    wire_send(&w, request(&f, "GET /api/later HTTP/1.1", "", (struct str){0}));
    WIRE_UNTIL(f.loop, f.held);
    http_server_free(f.http);
    wire_close(&w);
    api_reply(f.held, STR("{}"));
    f.http = NULL;
    tear_down(&f);
}
