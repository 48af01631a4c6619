#include "agent/chat.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "agent_fixture.h"
#include "base/mem.h"
#include "process/capture.h"

/* A server in its own process that sends one answer: these bytes. */
struct answer {
    struct str head, body;
    size_t repeat; /* copies of the body; 0: one */
    bool byte_by_byte;
    bool hangs;    /* then sends nothing, and does not close */
    bool is_reset; /* ends with a reset */
};

static pid_t server;
static uint16_t port;
static struct capture run;

static void serve(int listener, const struct answer *a)
{
    static char chunk[1 << 16];
    int fd = accept(listener, NULL, NULL);
    FILE *log = fopen("request", "w");
    size_t got = 0, want = SIZE_MAX;
    struct buf request = {0};
    while (got < want) { /* the head, then Content-Length bytes */
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n <= 0)
            break;
        got += (size_t)n;
        buf_add(&request, str_make(chunk, (size_t)n));
        size_t end = str_find(buf_str(&request), STR("\r\n\r\n")),
               at = str_find(buf_str(&request), STR("Content-Length: "));
        if (end < request.n && at < end)
            want = end + 4 + (size_t)atol(request.p + at + 16);
    }
    fwrite(request.p, 1, request.n, log);
    fclose(log);
    struct str parts[] = {a->head, a->body};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < (i && a->repeat ? a->repeat : 1); k++)
            for (size_t sent = 0; sent < parts[i].n;) {
                size_t n = a->byte_by_byte ? 1 : parts[i].n - sent;
                ssize_t done = send(fd, parts[i].p + sent, n, MSG_NOSIGNAL);
                if (done <= 0)
                    _exit(0);
                sent += (size_t)done;
            }
    if (a->hangs)
        pause();
    if (a->is_reset) {
        struct linger hard = {.l_onoff = 1, .l_linger = 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    close(fd);
    _exit(0);
}

static void start_server(const struct answer *a)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    port = ntohs(at.sin_port);
    server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener, a);
    }
    close(listener);
}

static int teardown(void **state)
{
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    server = 0;
    capture_done(&run);
    unsetenv("OPENAI_API_KEY");
    return teardown_agent(state);
}

/* Send a request with the members `more` added; return the exit code. */
static int64_t ask(const char *more)
{
    char input[1024];
    snprintf(input, sizeof input,
             "{\"model\":\"gpt-5.2\",\"prompt\":\"hello\",\"base_url\":\"http://127.0.0.1:%u/v1/\""
             "%s}",
             port, more);
    capture_done(&run);
    setenv("OPENAI_API_KEY", "sk-test-123456", 1);
    setenv("NO_PROXY", "127.0.0.1", 1);
    run = (struct capture){.argv = (const char *const[]){AGENT_SELF, "agent-chat", NULL},
                           .input = str_from(input),
                           .limit_ms = 60000,
                           .max = 64u << 20};
    assert_true(capture_run(&run, NULL));
    assert_false(run.timed_out);
    assert_int_equal(run.end.signal, 0);
    return run.end.code;
}

static int64_t answer(const struct answer *a)
{
    start_server(a);
    return ask("");
}

#define STARTED     "{\"type\":\"chat.started\",\"model\":\"gpt-5.2\"}\n"
#define SSE         "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"
#define DELTA(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define FINISH(why)                                                                                \
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" why "\"}]}\n\n"
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":7}}\n\n"
#define DONE  "data: [DONE]\n\n"

#define STREAM STR(DELTA("Hel") ": a comment\n\n" DELTA("lo") FINISH("stop") USAGE DONE)
#define SAID                                                                                       \
    STARTED "{\"type\":\"chat.delta\",\"text\":\"Hel\"}\n{\"type\":\"chat.delta\",\"text\":"       \
            "\"lo\"}\n{\"type\":\"chat.completed\",\"text\":\"Hello\",\"usage\":{\"input_tokens\"" \
            ":11,\"output_tokens\":7},\"finish_reason\":\"stop\"}\n"

TEST_FIXTURE(setup_agent, teardown);

TEST(answer_is_streamed)
{
    assert_int_equal(answer(&(struct answer){.head = STR(SSE), .body = STREAM}), 0);
    CHECK_CSTR(buf_str(&run.out), SAID);
    CHECK_CSTR(buf_str(&run.err), "");
}

TEST(answer_may_arrive_byte_by_byte)
{
    struct answer a = {.head = STR(SSE), .body = STREAM, .byte_by_byte = true};
    assert_int_equal(answer(&a), 0);
    CHECK_CSTR(buf_str(&run.out), SAID);
}

TEST(lines_may_end_in_two_bytes_and_data_in_two_lines)
{
    struct answer a = {
        .head = STR(SSE),
        .body = STR("event: x\r\ndata:{\"choices\":[{\"delta\":\r\ndata: {\"content\":\"Hi\"},"
                    "\"finish_reason\":\"stop\"}]}\r\n\r\n")};
    assert_int_equal(answer(&a), 0);
    CHECK_CSTR(buf_str(&run.out), STARTED
               "{\"type\":\"chat.delta\",\"text\":\"Hi\"}\n{\"type\":\"chat.completed\",\"text\":"
               "\"Hi\",\"finish_reason\":\"stop\"}\n");
}

TEST(request_has_the_form_of_the_api)
{
    start_server(&(struct answer){.head = STR(SSE), .body = STREAM});
    ask(",\"system\":\"Be \\\"short\\\".\",\"temperature\":0.5,\"max_tokens\":100,"
        "\"reasoning_effort\":\"low\"");
    struct str text = read_text("request");
    assert_true(str_starts(text, STR("POST /v1/chat/completions HTTP/1.1\r\n")));
    assert_true(str_find(text, STR("\r\nAuthorization: Bearer sk-test-123456\r\n")) < text.n);
    assert_true(str_find(text, STR("\r\nUser-Agent: multiverse/")) < text.n);
    CHECK_CSTR(str_skip(text, str_find(text, STR("\r\n\r\n")) + 4),
               "{\"model\":\"gpt-5.2\",\"messages\":[{\"role\":\"system\",\"content\":"
               "\"Be \\\"short\\\".\"},{\"role\":\"user\",\"content\":\"hello\"}],\"temperature\":"
               "0.5,\"reasoning_effort\":\"low\",\"max_tokens\":100,\"stream\":true,"
               "\"stream_options\":{\"include_usage\":true}}");
}

TEST(answer_without_a_stream_is_read)
{
    struct answer a = {.head = STR("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"),
                       .body = STR("{\"choices\":[{\"message\":{\"content\":\"Hello\"},"
                                   "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,"
                                   "\"completion_tokens\":2}}")};
    assert_int_equal(answer(&a), 0);
    CHECK_CSTR(buf_str(&run.out), STARTED
               "{\"type\":\"chat.completed\",\"text\":\"Hello\",\"usage\":{\"input_tokens\":1,"
               "\"output_tokens\":2},\"finish_reason\":\"stop\"}\n");
}

static void check_failed(const char *head, const char *body, const char *want)
{
    struct answer a = {.head = str_from(head), .body = str_from(body)};
    assert_int_equal(answer(&a), 1);
    CHECK_STR(buf_str(&run.out), arena_printf(&fixture, STARTED "%s\n", want));
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    server = 0;
}

#define JSON(status) "HTTP/1.1 " status "\r\nContent-Type: application/json\r\n"

TEST(error_has_its_status_and_headers)
{
    check_failed(
        JSON("429 Too Many Requests") "Retry-After: 3\r\nX-RateLimit-Reset-Requests: 6m0s"
                                      "\r\nX-Other: no\r\n\r\n",
             "{\"error\":{\"message\":\"Slow down.\",\"type\":\"requests\",\"param\":null,"
             "\"code\":\"rate_limit_exceeded\"}}",
             "{\"type\":\"chat.failed\",\"status\":429,\"error\":{\"type\":\"requests\","
             "\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down.\"},\"retry_after_ms\":"
             "3000,\"headers\":{\"retry-after\":\"3\",\"x-ratelimit-reset-requests\":\"6m0s\"}}");
    check_failed(
        JSON("429 x") "retry-after: 9\r\nretry-after-ms: 1500\r\n\r\n", "{\"error\":{}}",
             "{\"type\":\"chat.failed\",\"status\":429,\"error\":{},\"retry_after_ms\":1500,"
             "\"headers\":{\"retry-after\":\"9\",\"retry-after-ms\":\"1500\"}}");
    check_failed(
        JSON("401 Unauthorized") "\r\n",
             "{\"error\":{\"message\":\"Bad key.\",\"code\":\"invalid_api_key\"}}",
             "{\"type\":\"chat.failed\",\"status\":401,\"error\":{\"code\":\"invalid_api_key\","
             "\"message\":\"Bad key.\"}}");
    check_failed(JSON("404 Not Found") "\r\n", "{\"error\":\"no such model\"}",
                      "{\"type\":\"chat.failed\",\"status\":404,\"error\":{\"type\":\"error\","
                      "\"message\":\"no such model\"}}");
    check_failed(JSON("500 x") "\r\n", "<html>Oops</html>",
                      "{\"type\":\"chat.failed\",\"status\":500,\"error\":{\"type\":\"http\","
                      "\"message\":\"<html>Oops</html>\"}}");
    check_failed(
        JSON("503 x") "\r\n", "{\"message\":\"busy\",\"code\":7}",
             "{\"type\":\"chat.failed\",\"status\":503,\"error\":{\"code\":\"7\",\"message\":"
             "\"busy\"}}");
    check_failed(JSON("302 Found") "Location: http://127.0.0.1:1/\r\n\r\n", "",
                      "{\"type\":\"chat.failed\",\"status\":302,\"error\":{\"type\":\"http\","
                      "\"message\":\"\"}}");
}

TEST(retry_after_may_be_a_date)
{
    struct answer a = {.head = STR(JSON("429 x") "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT"
                                                 "\r\n\r\n")};
    assert_int_equal(answer(&a), 1);
    struct str out = buf_str(&run.out);
    assert_true(str_find(out, STR("\"retry_after_ms\":")) < out.n);
}

TEST(error_inside_the_stream_is_reported)
{
    check_failed(SSE, "data: {\"error\":{\"code\":429,\"message\":\"limited\"}}\n\n" DONE,
                 "{\"type\":\"chat.failed\",\"status\":429,\"error\":{\"code\":\"429\","
                 "\"message\":\"limited\"}}");
    check_failed(SSE,
                 "data: {\"error\":{\"type\":\"server_error\",\"code\":\"rate_limit_exceeded\"}}"
                 "\n\n",
                 "{\"type\":\"chat.failed\",\"status\":200,\"error\":{\"type\":\"server_error\","
                 "\"code\":\"rate_limit_exceeded\"}}");
}

TEST(broken_connection_is_a_failure)
{
    check_failed(SSE, ": nothing\n\n",
                 "{\"type\":\"chat.failed\",\"status\":0,\"error\":{\"type\":\"connection\","
                 "\"message\":\"the connection closed before the end of the answer\"}}");
    struct answer a = {.head = STR("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"),
                       .is_reset = true};
    assert_int_equal(answer(&a), 1);
    struct str out = buf_str(&run.out);
    assert_true(str_find(out, STR("\"status\":0,\"error\":{\"type\":\"connection\"")) < out.n);
}

TEST(refused_connection_is_a_failure)
{
    port = 1;
    assert_int_equal(ask(""), 1);
    struct str out = buf_str(&run.out);
    assert_true(str_find(out, STR("\"status\":0,\"error\":{\"type\":\"connection\"")) < out.n);
}

TEST(garbage_is_a_failure)
{
    struct answer a = {.head = STR("\x01\x02garbage\xff\r\n\r\n")};
    assert_int_equal(answer(&a), 1);
    check_failed("HTTP/1.1 200 OK\r\n\r\n", "{\"hello\":1}",
                 "{\"type\":\"chat.failed\",\"status\":0,\"error\":{\"type\":\"protocol\","
                 "\"message\":\"the server's answer is not a chat completion\"}}");
    check_failed(SSE, "data: \xff\xfe{\n\ndata: {\"choices\":7}\n\n",
                 "{\"type\":\"chat.failed\",\"status\":0,\"error\":{\"type\":\"connection\","
                 "\"message\":\"the connection closed before the end of the answer\"}}");
}

TEST(silent_server_times_out)
{
    start_server(&(struct answer){.head = STR(SSE), .hangs = true});
    assert_int_equal(ask(",\"stall_s\":1"), 1);
    CHECK_CSTR(buf_str(&run.out),
               STARTED "{\"type\":\"chat.failed\",\"status\":0,\"error\":{\"type\":\"timeout\","
                       "\"message\":\"the server did not answer in time\"}}\n");
}

TEST(huge_answer_is_cut)
{
    struct buf part = {0};
    buf_add(&part, STR("data: {\"choices\":[{\"delta\":{\"content\":\""));
    for (int i = 0; i < 1000; i++)
        buf_add(&part, STR("0123456789"));
    buf_add(&part, STR("\"}}]}\n\n"));
    struct answer a = {.head = STR(SSE), .body = buf_str(&part), .repeat = 5000};
    assert_int_equal(answer(&a), 0);
    struct str out = buf_str(&run.out), end = STR("\",\"finish_reason\":\"length\"}\n");
    assert_true(str_ends(out, end));
    assert_true(out.n < 4u << 20);
    buf_done(&part);
}

TEST(huge_line_and_huge_body_are_failures)
{
    size_t n = 1u << 20;
    char *text = mem_alloc(n);
    memset(text, 'x', n);
    struct answer a = {.head = STR(SSE), .body = str_make(text, n), .repeat = 100};
    assert_int_equal(answer(&a), 1);
    assert_true(run.out.n < 1000);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    a.head = STR("HTTP/1.1 500 x\r\n\r\n");
    assert_int_equal(answer(&a), 1);
    struct str out = buf_str(&run.out);
    assert_true(out.n < 2000 && str_find(out, STR("\"status\":500")) < out.n);
    free(text);
}

static int64_t ask_raw(const char *input, const char *key)
{
    capture_done(&run);
    setenv("OPENAI_API_KEY", key, 1);
    run = (struct capture){.argv = (const char *const[]){AGENT_SELF, "agent-chat", NULL},
                           .input = str_from(input)};
    assert_true(capture_run(&run, NULL));
    return run.end.code;
}

TEST(invalid_request_is_rejected)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{\"model\":\"m\"}",
        "{\"prompt\":\"p\"}",
        "{\"model\":\"m\",\"prompt\":\"p\",\"base_url\":\"file:///etc/passwd\"}",
        "{\"model\":\"m\",\"prompt\":\"p\",\"base_url\":\"ftp://x\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ask_raw(bad[i], "sk-test"), 2);
        assert_true(str_starts(buf_str(&run.err), STR("multiverse agent-chat: ")));
    }
    const char *good = "{\"model\":\"m\",\"prompt\":\"p\",\"base_url\":\"http://127.0.0.1:1\"}";
    assert_int_equal(ask_raw(good, "sk\r\nX-Evil: 1"), 2);
}

TEST(key_is_never_printed)
{
    start_server(&(struct answer){.head = STR(JSON("401 x") "\r\n")});
    ask("");
    assert_true(str_find(buf_str(&run.out), STR("sk-test")) == run.out.n);
    assert_true(str_find(buf_str(&run.err), STR("sk-test")) == run.err.n);
}
