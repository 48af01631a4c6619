#include "garbage.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"

struct server server;
char session[128];

static bool show, quiet;
static size_t checks, failures;

/* ---- requests */

void quotes(struct buf *to, const char *text)
{
    for (; *text; text++)
        buf_add_char(to, *text == '\'' ? '"' : *text);
}

void expand_head(struct buf *to, const char *head, struct str body)
{
    for (; *head; head++) {
        if (head[0] == '%' && head[1] == 'P')
            buf_printf(to, "%u", server.port);
        else if (head[0] == '%' && head[1] == 'S')
            buf_add(to, str_from(session));
        else if (head[0] == '%' && head[1] == 'K')
            for (int i = 0; i < 40000; i++)
                buf_add_char(to, 'k');
        else if (head[0] == '%' && head[1] == 'L')
            buf_printf(to, "%zu", body.n);
        else {
            buf_add_char(to, *head);
            continue;
        }
        head++;
    }
    buf_add(to, body);
}

void exchange_on(struct raw_peer *p, struct raw_answer *a, const char *head, const char *body)
{
    struct buf text = {0}, all = {0};
    quotes(&text, body);
    expand_head(&all, head, buf_str(&text));
    peer_send(p, buf_str(&all));
    peer_read(p, a);
    buf_done(&text);
    buf_done(&all);
}

void exchange(struct raw_answer *a, const char *head, const char *body)
{
    struct raw_peer p;
    if (!peer_open(&p, server.port))
        exit(1);
    exchange_on(&p, a, head, body);
    peer_close(&p);
}

/* ---- expected responses */

void judge_true(const char *what, bool ok)
{
    checks++;
    if (ok && show && !quiet)
        printf("%-34s ok\n", what);
    if (ok)
        return;
    failures++;
    printf("FAILED: %s\n", what);
}

void judge_answer(const char *what, const struct raw_answer *a, int status, int code,
                  const char *says)
{
    struct arena arena = {0};
    struct str body = buf_str(&a->body);
    const struct json *doc = json_parse(&arena, body, NULL, NULL);
    const struct json *error = json_get(doc, STR("error"));
    struct str sentence = error ? json_str(json_get(error, STR("message"))) : body;
    int64_t got = 0;
    json_i64(json_get(error, STR("code")), &got);
    checks++;
    bool ok = a->status == status && got == code && (!code || sentence.n >= 10) &&
              (!says || str_find(sentence, str_from(says)) < sentence.n);
    if (status >= 400 && answer_header(a, "Content-Length").n && body.n)
        ok = ok && str_eq(answer_header(a, "Content-Type"), STR("application/json"));
    if (!ok)
        printf("FAILED: %s: wanted %d %d %s\n", what, status, code, says ? says : "");
    if (!ok || (show && !quiet))
        printf("%-34s %3d %6d  %.*s\n", what, a->status, (int)got,
               STR_ARG(str_head(sentence, 150)));
    failures += !ok;
    arena_done(&arena);
}

void write_member(const struct raw_answer *a, const char *key, struct buf *to)
{
    struct arena arena = {0};
    const struct json *doc = json_parse(&arena, buf_str(&a->body), NULL, NULL);
    buf_clear(to);
    buf_add(to, json_str(json_get(json_get(doc, STR("result")), str_from(key))));
    arena_done(&arena);
}

bool open_session(char id[128])
{
    struct raw_answer a = {0};
    exchange(&a, POST JSON ACCEPT BODY,
             ASK("0", "initialize", "{'protocolVersion':'2025-11-25','capabilities':{}}"));
    struct str got = answer_header(&a, "Mcp-Session-Id");
    bool ok = a.status == 200 && got.n && got.n < 128;
    if (ok)
        snprintf(id, 128, "%.*s", STR_ARG(got));
    answer_done(&a);
    return ok;
}

/* A connection that is used all the time, whatever happens to the others. */
static struct raw_peer steady = {.fd = -1};

static void check_good(const char *after)
{
    struct raw_answer a = {0};
    if ((steady.fd < 0 || peer_is_ended(&steady, 0))) {
        peer_close(&steady);
        if (!peer_open(&steady, server.port))
            exit(1);
    }
    exchange_on(&steady, &a, LEGACY, ASK("1", "ping", "{}"));
    if (a.status != 200 || str_find(buf_str(&a.body), STR("\"result\":{}")) == a.body.n) {
        printf("FAILED: the good request after: %s (%d %.*s)\n", after, a.status,
               STR_ARG(buf_str(&a.body)));
        failures++;
    }
    checks++;
    answer_done(&a);
}

/* ---- the cases */

/* On p, which is opened if it is closed and stays open if the server allows it. */
static void run_case(struct raw_peer *p, const struct garbage *g)
{
    struct raw_answer a = {0};
    struct buf text = {0}, all = {0};
    if (p->fd < 0 && !peer_open(p, server.port))
        exit(1);
    if (g->body)
        quotes(&text, g->body);
    else
        buf_add(&text, g->bytes);
    expand_head(&all, g->head, buf_str(&text));
    peer_send(p, buf_str(&all));
    peer_read(p, &a);
    judge_answer(g->what, &a, g->status, g->code, g->says);
    if (p->ended || str_eq(answer_header(&a, "Connection"), STR("close")) || !a.whole)
        peer_close(p);
    answer_done(&a);
    buf_done(&text);
    buf_done(&all);
}

static void run_table(const struct garbage *table, size_t count)
{
    struct raw_peer p = {.fd = -1};
    for (size_t i = 0; i < count; i++) {
        run_case(&p, &table[i]);
        check_good(table[i].what);
        peer_close(&p); /* here each case has a connection of its own */
    }
}

static void run_scene(const struct scenario *s)
{
    uint64_t start = now_ms();
    s->run();
    check_good(s->what);
    if (show && !quiet)
        printf("  -- %s: %u ms\n", s->what, (unsigned)(now_ms() - start));
}

/* ---- the soak */

static void send_mix(struct rng *rng, size_t n)
{
    struct raw_peer p = {.fd = -1};
    for (size_t i = 0; i < n; i++) {
        uint64_t pick = rng_below(rng, 100);
        if (pick < 60)
            run_case(&p, &messages[rng_below(rng, message_count)]);
        else if (pick < 95)
            run_case(&p, &requests[rng_below(rng, request_count)]);
        else {
            const struct scenario *s;
            do {
                s = &scenes[rng_below(rng, scene_count)];
            } while (!s->in_soak);
            s->run();
        }
        if (i % 100 == 0)
            check_good("the soak");
    }
    peer_close(&p);
}

/* Closed connections take a moment to disappear; without our own there must be as many as at the
 * start. */
static size_t settled_descriptors(size_t at_start)
{
    size_t n;
    peer_close(&steady);
    while ((n = server_descriptors(&server)) > at_start && now_ms() < peer_deadline())
        usleep(10000);
    return n;
}

static void run_soak(size_t n, size_t rss_at_start, size_t fds_at_start)
{
    struct rng rng;
    uint64_t start = now_ms();
    quiet = true;
    rng_seed(&rng, 20260728);
    send_mix(&rng, n / 10);
    size_t warm_fds = settled_descriptors(fds_at_start), warm = server_rss_kb(&server);
    send_mix(&rng, n);
    size_t fds = settled_descriptors(fds_at_start), rss = server_rss_kb(&server);
    quiet = false;
    printf("soak: %zu requests in %.1f s; RSS %.1f -> %.1f -> %.1f MB, descriptors %zu -> %zu -> "
           "%zu (start, after %zu, after %zu more)\n",
           n + n / 10, (double)(now_ms() - start) / 1000, (double)rss_at_start / 1024,
           (double)warm / 1024, (double)rss / 1024, fds_at_start, warm_fds, fds, n / 10, n);
    judge_true("descriptors do not grow", warm_fds <= fds_at_start && fds <= fds_at_start);
    /* Sanitizers keep freed memory for a while, so growth means nothing there. */
    if (!getenv("MCP_GARBAGE_ANY_RSS"))
        judge_true("memory does not grow", rss <= warm + warm / 20 + 256);
}

static void check_no_calls(void)
{
    struct raw_answer a = {0};
    struct buf open = {0};
    for (;;) {
        exchange(&a, LEGACY, ASK("1", "tools/call", "{'name':'test_open_calls'}"));
        if (str_find(buf_str(&a.body), STR("\"open\":0}")) < a.body.n ||
            now_ms() >= peer_deadline())
            break;
        usleep(10000);
    }
    judge_answer("no call is left", &a, 200, 0, "\"structuredContent\":{\"open\":0}");
    buf_done(&open);
    answer_done(&a);
}

static int usage(void)
{
    fprintf(stderr, "usage: mcp-garbage [--show] [--soak N] PROGRAM\n");
    return 2;
}

int main(int argc, char **argv)
{
    const char *program = NULL;
    uint64_t soak_count = 0, start = now_ms();
    for (int i = 1; i < argc; i++) {
        if (str_eq(str_from(argv[i]), STR("--show")))
            show = true;
        else if (str_eq(str_from(argv[i]), STR("--soak"))) {
            if (++i == argc || !str_to_u64(str_from(argv[i]), &soak_count))
                return usage();
        } else
            program = argv[i];
    }
    if (!program)
        return usage();
    if (!server_start(&server, program) || !open_session(session)) {
        fprintf(stderr, "mcp-garbage: cannot start %s\n", program);
        return 1;
    }
    size_t fds = server_descriptors(&server), rss = server_rss_kb(&server);
    run_table(messages, message_count);
    run_table(requests, request_count);
    for (size_t i = 0; i < scene_count; i++)
        run_scene(&scenes[i]);
    if (soak_count)
        run_soak((size_t)soak_count, rss, fds);
    check_no_calls();
    judge_true("the server is alive", server_is_alive(&server));
    judge_true("the server ends normally", server_stop(&server) == 0);
    printf("garbage: %zu checks, %zu failures, %.1f s\n", checks, failures,
           (double)(now_ms() - start) / 1000);
    return failures > 0;
}
