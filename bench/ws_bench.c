/* CPU time per masked text message of 200 KB: our decoder compared with libwslay, in the same run.
 *
 * The bytes come in pieces of 64 KiB, as from a socket. Both check UTF-8 and end with the whole
 * message in one piece. The best of some rounds is printed, so that a busy machine does not matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wslay/wslay.h>

#include "net/ws.h"

#define MESSAGE (200u << 10)
#define PIECE   (64u << 10)
#define ROUNDS  15
#define REPEATS 40

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void die(const char *why)
{
    fprintf(stderr, "ws_bench: %s\n", why);
    exit(1);
}

static void build_frames(struct buf *out, struct str character)
{
    static const uint8_t mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    size_t start, n = MESSAGE / character.n * character.n;
    uint8_t head[10];
    size_t head_n = ws_encode_head(head, WS_OP_TEXT, true, n);
    head[1] |= 0x80;
    buf_add(out, str_make((char *)head, head_n));
    buf_add(out, str_make((const char *)mask, sizeof mask));
    start = out->n;
    while (out->n - start < n)
        buf_add(out, character);
    for (size_t i = 0; i < n; i++)
        out->p[start + i] = (char)((uint8_t)out->p[start + i] ^ mask[i % 4]);
}

static void run_ours(void *d, struct str bytes)
{
    int messages = 0;
    while (bytes.n) {
        struct str piece = str_head(bytes, PIECE);
        size_t used;
        messages += ws_decoder_feed(d, piece, &used) == WS_TEXT;
        bytes = str_skip(bytes, used);
    }
    if (messages != 1)
        die("no message");
}

struct wslay {
    wslay_event_context_ptr ctx;
    struct str in;
    int messages;
};

static ssize_t on_recv(wslay_event_context_ptr ctx, uint8_t *to, size_t n, int flags, void *user)
{
    struct wslay *w = user;
    (void)flags;
    if (!w->in.n) {
        wslay_event_set_error(ctx, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    n = n < w->in.n ? n : w->in.n;
    memcpy(to, w->in.p, n);
    w->in = str_skip(w->in, n);
    return (ssize_t)n;
}

static void on_msg(wslay_event_context_ptr ctx, const struct wslay_event_on_msg_recv_arg *msg,
                   void *user)
{
    struct wslay *w = user;
    (void)ctx;
    w->messages += msg->msg_length > MESSAGE - 64;
}

static void run_wslay(void *user, struct str bytes)
{
    struct wslay *w = user;
    w->messages = 0;
    w->in = bytes;
    if (wslay_event_recv(w->ctx) || w->messages != 1)
        die("no message from wslay");
}

static double find_best(void (*run)(void *, struct str), void *ctx, struct str bytes)
{
    double least = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_us();
        for (int i = 0; i < REPEATS; i++)
            run(ctx, bytes);
        double us = (cpu_us() - start) / REPEATS;
        least = us < least ? us : least;
    }
    return least;
}

int main(void)
{
    static const struct {
        const char *name;
        struct str character;
    } texts[] = {
        {"ASCII", STR_INIT("x")},
        {"CJK", STR_INIT("\xe4\xb8\xad")},
        {"Latin, mixed", STR_INIT("na\xc3\xafve caf\xc3\xa9, ")},
        {"JSON with CJK", STR_INIT("{\"name\":\"\xe4\xb8\xad\xe6\x96\x87\",\"id\":12345},")},
        {"emoji", STR_INIT("\xf0\x9f\x98\x80")},
    };
    static const struct wslay_event_callbacks callbacks = {.recv_callback = on_recv,
                                                           .on_msg_recv_callback = on_msg};
    struct ws_decoder d;
    struct wslay w = {0};
    ws_decoder_init(&d, 1u << 20);
    if (wslay_event_context_server_init(&w.ctx, &callbacks, &w))
        die("no wslay");

    printf("CPU us per masked text message of 200 KB\n%-14s %8s %8s %8s\n", "", "ours", "wslay",
           "ratio");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf bytes = {0};
        build_frames(&bytes, texts[i].character);
        double ours = find_best(run_ours, &d, buf_str(&bytes));
        double theirs = find_best(run_wslay, &w, buf_str(&bytes));
        printf("%-14s %8.1f %8.1f %7.1fx\n", texts[i].name, ours, theirs, theirs / ours);
        buf_done(&bytes);
    }
    wslay_event_context_free(w.ctx);
    ws_decoder_done(&d);
    return 0;
}
