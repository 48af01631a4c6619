/* mcp_reply_json() with objects of all sizes: small ones are copied, large ones sent as parts. */
#include <stdlib.h>

#include "mcp/call.h"
#include "mcp_fixture.h"

#define HEAD "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"

/* A sink that only compares and counts, because its input may be very long. */
struct counting_sink {
    struct mcp_sink sink; /* first: a sink is ours */
    struct buf all;
    size_t parts, bytes;
    bool keeps;
};

static void on_count(struct mcp_sink *sink, int status, const struct str *parts, size_t count)
{
    struct counting_sink *s = (struct counting_sink *)(void *)sink;
    assert_int_equal(status, 200);
    assert_in_range(count, 1, MCP_MAX_PARTS);
    s->parts = count;
    s->bytes = str_sum(parts, count);
    for (size_t i = 0; i < count && s->keeps; i++)
        buf_add(&s->all, parts[i]);
}

static const struct mcp_sink_impl counting_impl = {NULL, on_count, NULL};

/* Call "hold" with id 1 and answer with {"k":"xxx...\n..."} of this size, whose memory is freed
 * before the function returns. */
static void reply_object(struct fixture *f, struct counting_sink *to, size_t size, bool is_error)
{
    struct mcp_session *s = open_session(f, "{}");
    size_t at = f->held_count;
    char *object = mem_alloc(size);
    memset(object, 'x', size);
    memcpy(object, "{\"k\":\"\\n", 8);
    memcpy(object + size - 2, "\"}", 2);
    ask(f, s, "1", "tools/call", "{'name':'hold'}");
    free(f->held[at]->sink);
    f->open_sinks--;
    f->held[at]->sink = &to->sink;
    buf_clear(&to->all);
    mcp_reply_json(f->held[at], str_make(object, size), is_error);
    memset(object, '!', size);
    free(object);
}

static void check_answer(const struct counting_sink *got, size_t size, bool is_error)
{
    struct buf want = {0}, object = {0};
    buf_add(&object, STR("{\"k\":\"\\n"));
    while (object.n < size - 2)
        buf_add_char(&object, 'x');
    buf_add(&object, STR("\"}"));
    buf_add(&want, STR(HEAD));
    struct jsonw w = jsonw_make(&want);
    jsonw_str(&w, buf_str(&object));
    buf_printf(&want, "}],\"structuredContent\":%s%s}}", object.p,
               is_error ? ",\"isError\":true" : "");
    CHECK_STR(buf_str(&got->all), buf_str(&want));
    buf_done(&want);
    buf_done(&object);
}

TEST(a_large_object_is_sent_without_a_copy)
{
    static const size_t sizes[] = {20, 1000, (16u << 10) - 1, 16u << 10, 70000, 3000000};
    struct fixture f;
    struct counting_sink to = {.sink.impl = &counting_impl, .keeps = true};
    set_up(&f);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int is_error = 0; is_error <= 1; is_error++) {
            reply_object(&f, &to, sizes[i], is_error);
            assert_int_equal(to.parts, sizes[i] < 16u << 10 ? 1 : 3);
            check_answer(&to, sizes[i], is_error);
            f.held_count = 0;
        }
    buf_done(&to.all);
    tear_down(&f);
}

TEST(the_limit_of_an_answer_is_on_the_sum_of_its_parts)
{
    struct fixture f;
    struct counting_sink to = {.sink.impl = &counting_impl};
    set_up(&f);
    reply_object(&f, &to, 20000, false);
    size_t around = to.bytes - 2 * 20000, most = (MCP_MAX_ANSWER - around) / 2;
    reply_object(&f, &to, most, false);
    assert_int_equal(to.parts, 3);
    assert_int_equal(to.bytes, around + 2 * most);
    to.keeps = true;
    reply_object(&f, &to, most + 1, false);
    CHECK_CSTR(buf_str(&to.all),
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"The answer "
               "is larger than 64 MiB: ask for less\"}}");
    buf_done(&to.all);
    tear_down(&f);
}

/* It is read later, when the object has been freed. */
TEST(a_task_keeps_a_large_object)
{
    struct fixture f;
    struct buf object = {0}, copy = {0};
    set_up(&f);
    buf_add(&object, STR("{\"k\":\""));
    while (object.n < 50000)
        buf_add_char(&object, 'y');
    buf_add(&object, STR("\"}"));
    swap_quotes(&copy, buf_str(&object));
    ask(&f, NULL, "1", "tools/call", "{'name':'job'," MODERN(WITH_TASKS) "}");
    mcp_reply_json(f.held[0], buf_str(&object), false);
    buf_done(&object);
    buf_clear(&f.heard);
    ask(&f, NULL, "2", "tasks/get", "{'taskId':'the-job'," MODERN(WITH_TASKS) "}");
    size_t at = str_find(buf_str(&f.heard), STR("'structuredContent':"));
    assert_true(at < f.heard.n);
    assert_true(str_starts(str_skip(buf_str(&f.heard), at + 20), buf_str(&copy)));
    buf_done(&copy);
    tear_down(&f);
}

TEST(a_large_answer_without_a_client_is_dropped)
{
    struct fixture f;
    struct buf object = {0};
    set_up(&f);
    struct mcp_session *s = open_session(&f, "{}");
    while (object.n < 50000)
        buf_add_char(&object, object.n ? ' ' : '{');
    buf_add_char(&object, '}');
    ask(&f, s, "1", "tools/call", "{'name':'hold'}");
    say(&f, s, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    buf_clear(&f.heard);
    mcp_reply_json(f.held[0], buf_str(&object), false);
    HEARD(&f, "");
    assert_int_equal(mcp_open_calls(f.mcp), 0);
    buf_done(&object);
    tear_down(&f);
}
