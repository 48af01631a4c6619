/* The decoder beside libwslay, a library of its own history: the same bytes give the same events.
 */
#include "net/ws.h"

#include <wslay/wslay.h>

#include "test.h"
#include "ws_frames.h"

#define MAX_MESSAGE 70000u
#define ROUNDS      20000

struct random {
    uint64_t state;
};

static uint32_t next(struct random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)(r->state >> 16);
}

static size_t below(struct random *r, size_t n)
{
    return next(r) % n;
}

/* ---- libwslay */

struct peer {
    struct str in;
    struct buf *log;
};

static ssize_t on_recv(wslay_event_context_ptr ctx, uint8_t *to, size_t n, int flags, void *user)
{
    struct peer *p = user;
    (void)flags;
    if (!p->in.n) {
        wslay_event_set_error(ctx, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    n = n < p->in.n ? n : p->in.n;
    memcpy(to, p->in.p, n);
    p->in = str_skip(p->in, n);
    return (ssize_t)n;
}

static ssize_t on_send(wslay_event_context_ptr ctx, const uint8_t *from, size_t n, int flags,
                       void *user)
{
    (void)ctx, (void)from, (void)flags, (void)user;
    return (ssize_t)n;
}

static void on_msg(wslay_event_context_ptr ctx, const struct wslay_event_on_msg_recv_arg *msg,
                   void *user)
{
    struct peer *p = user;
    struct str payload = str_make((const char *)msg->msg, msg->msg_length);
    (void)ctx;
    switch (msg->opcode) {
    case WSLAY_TEXT_FRAME:
        ws_log_event(p->log, "text", payload);
        break;
    case WSLAY_BINARY_FRAME:
        ws_log_event(p->log, "binary", payload);
        break;
    case WSLAY_PING:
        ws_log_event(p->log, "ping", payload);
        break;
    case WSLAY_PONG:
        ws_log_event(p->log, "pong", payload);
        break;
    case WSLAY_CONNECTION_CLOSE:
        ws_log_close(p->log, msg->status_code ? msg->status_code : WS_CLOSE_NONE,
                     str_skip(payload, 2));
        break;
    default:
        fail();
    }
}

static void log_of_wslay(struct buf *log, struct str bytes)
{
    static const struct wslay_event_callbacks callbacks = {
        .recv_callback = on_recv, .send_callback = on_send, .on_msg_recv_callback = on_msg};
    struct peer p = {.in = bytes, .log = log};
    wslay_event_context_ptr ctx;
    assert_int_equal(wslay_event_context_server_init(&ctx, &callbacks, &p), 0);
    wslay_event_config_set_max_recv_msg_length(ctx, MAX_MESSAGE);
    int rc = wslay_event_recv(ctx);
    wslay_event_send(ctx);
    if (rc == WSLAY_ERR_CALLBACK_FAILURE) {
        buf_printf(log, "bad 1002\n");
    } else {
        assert_int_equal(rc, 0);
        /* Closed by wslay itself, not as the answer to a close frame. */
        if (wslay_event_get_close_sent(ctx) && !wslay_event_get_close_received(ctx))
            buf_printf(log, "bad %d\n", wslay_event_get_status_code_sent(ctx));
    }
    wslay_event_context_free(ctx);
}

/* ---- ours */

static void log_of_ours(struct buf *log, struct str bytes, struct random *random)
{
    struct ws_decoder d;
    ws_decoder_init(&d, MAX_MESSAGE);
    while (bytes.n) {
        size_t n = random ? 1 + below(random, 50) : bytes.n;
        ws_frames_events(log, &d, str_head(bytes, n));
        bytes = str_skip(bytes, n);
    }
    ws_decoder_done(&d);
}

/* The last lines differ, all others are the same: is it a difference that is known? */
static bool is_known(struct str ours, struct str theirs)
{
    size_t same = 0;
    while (same < ours.n && same < theirs.n && ours.p[same] == theirs.p[same])
        same++;
    while (same > 0 && ours.p[same - 1] != '\n')
        same--;
    ours = str_skip(ours, same);
    theirs = str_skip(theirs, same);
    if (str_eq(ours, STR("bad 1002\n")))
        return str_eq(theirs, STR("close 1005 0\n")) || str_eq(theirs, STR("bad 1007\n"));
    return (str_starts(ours, STR("close 1012 ")) || str_starts(ours, STR("close 1013 ")) ||
            str_starts(ours, STR("close 1014 "))) &&
           str_eq(theirs, STR("bad 1002\n"));
}

static void show(const char *name, struct str bytes)
{
    print_error("%s:", name);
    for (size_t i = 0; i < bytes.n && i < 300; i++)
        print_error(" %02x", (uint8_t)bytes.p[i]);
    print_error("\n");
}

/* random: ours gets the bytes in pieces. Answers whether there was a known difference. */
static bool compare(const char *name, struct str bytes, struct random *random)
{
    static const char more[150]; /* any control frame is complete with it */
    struct buf ours = {0}, theirs = {0}, longer = {0};
    log_of_ours(&ours, bytes, random);
    log_of_wslay(&theirs, bytes);
    if (ours.n > theirs.n && str_starts(buf_str(&ours), buf_str(&theirs))) {
        buf_add(&longer, bytes);
        buf_add(&longer, str_make(more, sizeof more));
        buf_clear(&theirs);
        log_of_wslay(&theirs, buf_str(&longer));
    }
    bool same = str_eq(buf_str(&ours), buf_str(&theirs));
    if (!same && !is_known(buf_str(&ours), buf_str(&theirs))) {
        show(name, bytes);
        CHECK_STR(buf_str(&ours), buf_str(&theirs));
    }
    buf_done(&ours);
    buf_done(&theirs);
    buf_done(&longer);
    return !same;
}

/* ---- generated streams */

static void add_payload(struct buf *out, struct random *r, size_t n)
{
    static const char *const pieces[] = {"a",
                                         "hello ",
                                         "\xc3\xa9",
                                         "\xe4\xb8\xad",
                                         "\xed\x9f\xbf",
                                         "\xf0\x9f\x98\x80",
                                         "\xf4\x8f\xbf\xbf"};
    static const char *const broken[] = {"\xff",     "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                         "\xe4\xb8", "\x80"};
    size_t kind = below(r, 10);
    while (out->n < n) {
        struct str s = str_from(pieces[kind < 4 ? 0 : below(r, 7)]);
        if (kind == 9 && below(r, 20) == 0)
            s = str_from(broken[below(r, 6)]);
        else if (out->n + s.n > n)
            s = STR("x");
        buf_add(out, s);
    }
}

static size_t payload_size(struct random *r)
{
    static const size_t borders[] = {0, 1, 124, 125, 126, 127, 4096, 65535, 65536};
    switch (below(r, 8)) {
    case 0:
        return borders[below(r, below(r, 10) ? 6 : 9)];
    case 1:
        return below(r, 1000);
    default:
        return below(r, 30);
    }
}

static void add_close(struct buf *out, struct random *r)
{
    bool plain = out->n > 3000;
    static const int codes[] = {1000, 1001, 1011, 3000, 4999, 1005, 1006, 1015, 2999, 5000, 0, 999};
    struct buf payload = {0};
    if (below(r, 4)) {
        int code = codes[below(r, below(r, 2) ? 5 : 12)];
        buf_add_char(&payload, (char)(code >> 8));
        buf_add_char(&payload, (char)(code & 0xff));
        if (plain)
            buf_add(&payload, STR("going"));
        else
            add_payload(&payload, r, 2 + below(r, 20));
    }
    ws_frame_add(out, 0x88, buf_str(&payload), next(r));
    buf_done(&payload);
}

/* Well formed but for what chance does in the end; *open is the state of fragmentation. */
static void add_frame(struct buf *out, struct random *r, bool *open)
{
    struct buf payload = {0};
    size_t kind = below(r, 20);
    if (kind == 0) {
        add_close(out, r);
    } else if (kind < 5) {
        add_payload(&payload, r, below(r, 127)); /* at times one byte too long */
        ws_frame_add(out, kind < 3 ? 0x89 : 0x8a, buf_str(&payload), next(r));
    } else {
        bool fin = below(r, 3) > 0;
        unsigned op = *open ? 0 : 1 + !below(r, 3);
        if (below(r, 40) == 0)
            op = (unsigned)below(r, 16); /* out of order, or reserved */
        add_payload(&payload, r, payload_size(r));
        ws_frame_add(out, (uint8_t)(op | (fin ? 0x80 : 0)), buf_str(&payload), next(r));
        *open = !fin;
    }
    buf_done(&payload);
}

static void mutate(struct buf *b, struct random *r)
{
    for (size_t i = below(r, 4); i > 0 && b->n; i--) {
        size_t at = below(r, b->n < 40 || below(r, 2) ? b->n : 40);
        switch (below(r, 4)) {
        case 0:
            b->p[at] = (char)(b->p[at] ^ (1 << below(r, 8)));
            break;
        case 1:
            b->p[at] = (char)next(r);
            break;
        case 2:
            b->n = at;
            break;
        default:
            memmove(b->p + at, b->p + at + 1, b->n - at - 1);
            b->n--;
            break;
        }
    }
}

TEST(twenty_thousand_streams_give_the_same_events)
{
    struct random r = {0x9e3779b97f4a7c15};
    int known = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct buf bytes = {0};
        bool open = false;
        char name[32];
        for (size_t i = 1 + below(&r, 8); i > 0; i--)
            add_frame(&bytes, &r, &open);
        if (below(&r, 2) && bytes.n < 4000)
            mutate(&bytes, &r);
        snprintf(name, sizeof name, "round %d", round);
        known += compare(name, buf_str(&bytes), below(&r, 2) ? &r : NULL);
        buf_done(&bytes);
    }
    assert_true(known < ROUNDS / 100);
}

/* Every first and second byte, each with a short stream behind. */
TEST(every_head_gives_the_same_events)
{
    for (int first = 0; first < 256; first++)
        for (int second = 0; second < 256; second++) {
            char name[32];
            struct buf bytes = {0};
            ws_frame_add(&bytes, 0x81, STR("before"), 0x11223344);
            buf_add_char(&bytes, (char)first);
            buf_add_char(&bytes, (char)second);
            buf_add(&bytes, STR("\0\x7e\0\0\0\0\0\x03\x10\0\0\0\0\0\0\0\0\0\0"));
            snprintf(name, sizeof name, "head %02x %02x", (unsigned)first, (unsigned)second);
            bool half_code = first == 0x88 && second == 0x81;
            assert_int_equal(compare(name, buf_str(&bytes), NULL), half_code);
            buf_done(&bytes);
        }
}

TEST(every_close_code_gives_the_same_events)
{
    for (int code = 0; code < 65536; code++) {
        char payload[] = {(char)(code >> 8), (char)(code & 0xff), 'x'};
        struct buf bytes = {0};
        char name[32];
        ws_frame_add(&bytes, 0x88, str_make(payload, sizeof payload), 0x11223344);
        snprintf(name, sizeof name, "close %d", code);
        assert_int_equal(compare(name, buf_str(&bytes), NULL), code >= 1012 && code <= 1014);
        buf_done(&bytes);
    }
}
