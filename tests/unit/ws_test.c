#include "net/ws.h"

#include "test.h"
#include "ws_frames.h"

#define MAX_MESSAGE 1000u

/* One frame of a case. FRAME is well formed and masked; RAW is bytes as they are; a continuation
 * without FIN begins with a zero byte, so the list ends with the first payload that is NULL. */
struct frame {
    enum {
        WELL_FORMED,
        FORM_0,
        FORM_2,
        FORM_8,
        UNMASKED,
        AS_IT_IS
    } form;
    int first;
    struct str payload;
};

#define FIN 0x80
#define FRAME(op, s)                                                                               \
    {                                                                                              \
        WELL_FORMED, FIN | (op), STR_INIT(s)                                                       \
    }
#define PART(op, s)                                                                                \
    {                                                                                              \
        WELL_FORMED, (op), STR_INIT(s)                                                             \
    }
#define TEXT(s)   FRAME(1, s)
#define BINARY(s) FRAME(2, s)
#define CLOSE(s)  FRAME(8, s)
#define PING(s)   FRAME(9, s)
#define PONG(s)   FRAME(10, s)
#define RAW(s)                                                                                     \
    {                                                                                              \
        AS_IT_IS, 0, STR_INIT(s)                                                                   \
    }

#define S10  "0123456789"
#define S25  S10 S10 "01234"
#define S125 S25 S25 S25 S25 S25
#define S123 S25 S25 S25 S25 S10 S10 "012"
#define S500 S125 S125 S125 S125

struct row {
    const char *name;
    struct frame frames[12];
    const char *events;
};

static uint32_t next_mask(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed;
}

static void build(struct buf *out, const struct frame *frames)
{
    uint32_t seed = 1;
    for (const struct frame *f = frames; f->payload.p; f++) {
        uint8_t head[10];
        switch (f->form) {
        case AS_IT_IS:
            buf_add(out, f->payload);
            break;
        case UNMASKED:
            buf_add(out, str_make((char *)head, ws_encode_head(head, f->first & 15, f->first & FIN,
                                                               f->payload.n)));
            buf_add(out, f->payload);
            break;
        case WELL_FORMED:
        case FORM_0:
        case FORM_2:
        case FORM_8:
            ws_frame_add_head(out, (uint8_t)f->first, f->payload.n,
                              f->form == WELL_FORMED ? -1
                              : f->form == FORM_0    ? 0
                              : f->form == FORM_2    ? 2
                                                     : 8);
            ws_frame_add_masked(out, f->payload, next_mask(&seed));
            break;
        }
    }
}

static void feed_in_steps(struct buf *log, struct str bytes, size_t first, size_t step)
{
    struct ws_decoder d;
    ws_decoder_init(&d, MAX_MESSAGE);
    ws_frames_events(log, &d, str_head(bytes, first));
    for (bytes = str_skip(bytes, first); bytes.n; bytes = str_skip(bytes, step))
        ws_frames_events(log, &d, str_head(bytes, step));
    ws_decoder_done(&d);
}

/* The events are the same for the whole, for two pieces cut at every byte, and byte by byte. */
static void check_cuts(const char *name, struct str bytes, struct str want)
{
    struct buf log = {0};
    for (size_t cut = 0; cut <= bytes.n + 1; cut++) {
        buf_clear(&log);
        if (cut <= bytes.n)
            feed_in_steps(&log, bytes, cut, bytes.n + 1);
        else
            feed_in_steps(&log, bytes, 0, 1);
        if (!str_eq(buf_str(&log), want))
            print_error("%s, cut at %zu of %zu:\n", name, cut, bytes.n);
        CHECK_STR(buf_str(&log), want);
    }
    buf_done(&log);
}

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct buf bytes = {0};
        build(&bytes, rows[i].frames);
        check_cuts(rows[i].name, buf_str(&bytes), str_from(rows[i].events));
        buf_done(&bytes);
    }
}

#define CHECK_ROWS(rows) check_rows((rows), sizeof(rows) / sizeof *(rows))

TEST(messages_with_every_form_of_length_are_decoded)
{
    static const struct row rows[] = {
        {"empty text", {TEXT("")}, "text 0\n"},
        {"text", {TEXT("hello")}, "text 5 hello\n"},
        {"empty binary", {BINARY("")}, "binary 0\n"},
        {"binary", {BINARY("\0\xff\x7f")}, "binary 3 \\x00\xff\\x7f\n"},
        {"two", {TEXT("a"), BINARY("b"), TEXT("")}, "text 1 a\nbinary 1 b\ntext 0\n"},
        {"nothing", {RAW("")}, ""},
        {"the head alone", {RAW("\x81\x85\1\2\3\4")}, ""},
        {"all but the last byte", {RAW("\x81\x82\0\0\0\0h")}, ""},
        {"a zero mask", {RAW("\x81\x82\0\0\0\0hi")}, "text 2 hi\n"},
        {"a mask without bits in common",
         {RAW("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58")},
         "text 5 Hello\n"},
    };
    CHECK_ROWS(rows);
}

TEST(control_frames_are_returned_at_once)
{
    static const struct row rows[] = {
        {"empty ping", {PING("")}, "ping 0\n"},
        {"ping", {PING("are you there")}, "ping 13 are you there\n"},
        {"binary ping", {PING("\0\xff\xfe")}, "ping 3 \\x00\xff\xfe\n"},
        {"pong", {PONG("x")}, "pong 1 x\n"},
        {"pong, then ping", {PONG("a"), PING("b")}, "pong 1 a\nping 1 b\n"},
        {"ten pings",
         {PING("0"), PING("1"), PING("2"), PING("3"), PING("4"), PING("5"), PING("6"), PING("7"),
          PING("8"), PING("9")},
         "ping 1 0\nping 1 1\nping 1 2\nping 1 3\nping 1 4\nping 1 5\nping 1 6\nping 1 7\n"
         "ping 1 8\nping 1 9\n"},
        {"a ping over 125 bytes", {PING(S125 "x"), PING("")}, "bad 1002\n"},
        {"a pong over 125 bytes", {PONG(S125 "x")}, "bad 1002\n"},
        {"a ping with a long form", {{FORM_2, FIN | 9, STR_INIT("x")}}, "bad 1002\n"},
        {"a ping with the longest form", {{FORM_8, FIN | 9, STR_INIT("x")}}, "bad 1002\n"},
        {"a fragmented ping", {PART(9, "x"), FRAME(0, "y")}, "bad 1002\n"},
        {"a fragmented pong", {PART(10, "x"), FRAME(0, "y")}, "bad 1002\n"},
        {"a fragmented close", {PART(8, ""), FRAME(0, "")}, "bad 1002\n"},
    };
    CHECK_ROWS(rows);

    struct buf bytes = {0}, want = {0};
    ws_frame_add(&bytes, FIN | 9, STR(S125), 0xa1b2c3d4);
    ws_log_event(&want, "ping", STR(S125));
    check_cuts("a ping of 125 bytes", buf_str(&bytes), buf_str(&want));
    buf_done(&bytes);
    buf_done(&want);
}

TEST(fragments_make_one_message)
{
    static const struct row rows[] = {
        {"two", {PART(1, "hel"), FRAME(0, "lo")}, "text 5 hello\n"},
        {"many",
         {PART(2, "a"), PART(0, "b"), PART(0, ""), PART(0, "c"), FRAME(0, "")},
         "binary 3 abc\n"},
        {"empty ones", {PART(1, ""), PART(0, ""), FRAME(0, "")}, "text 0\n"},
        {"only the middle", {PART(1, ""), PART(0, "x"), FRAME(0, "")}, "text 1 x\n"},
        {"with pings between",
         {PART(1, "a"), PING("p"), PART(0, "b"), PING("q"), FRAME(0, "c")},
         "ping 1 p\nping 1 q\ntext 3 abc\n"},
        {"with a pong between",
         {PART(1, "a"), PONG(""), FRAME(0, "b"), TEXT("c")},
         "pong 0\ntext 2 ab\ntext 1 c\n"},
        {"with a close between",
         {PART(1, "a"), CLOSE("\x03\xe8"), FRAME(0, "b")},
         "close 1000 0\n"},
        {"twice",
         {PART(1, "a"), FRAME(0, "b"), PART(2, "c"), FRAME(0, "d")},
         "text 2 ab\nbinary 2 cd\n"},
        {"a character cut by frames",
         {PART(1, "\xe4"), PART(0, "\xb8"), FRAME(0, "\xad!")},
         "text 4 \xe4\xb8\xad!\n"},
        {"a character cut by a ping",
         {PART(1, "\xf0\x9f"), PING(""), FRAME(0, "\x98\x80")},
         "ping 0\ntext 4 \xf0\x9f\x98\x80\n"},
        {"a continuation of nothing", {FRAME(0, "x"), TEXT("y")}, "bad 1002\n"},
        {"a first part of nothing", {PART(0, "x"), FRAME(0, "y")}, "bad 1002\n"},
        {"a continuation too many",
         {PART(1, "a"), FRAME(0, "b"), FRAME(0, "c")},
         "text 2 ab\nbad 1002\n"},
        {"text in text", {PART(1, "a"), TEXT("b")}, "bad 1002\n"},
        {"a part of text in text", {PART(1, "a"), PART(1, "b"), FRAME(0, "")}, "bad 1002\n"},
        {"binary in text", {PART(1, "a"), PING(""), BINARY("b")}, "ping 0\nbad 1002\n"},
        {"text in binary", {PART(2, "a"), TEXT("b")}, "bad 1002\n"},
    };
    CHECK_ROWS(rows);
}

TEST(reserved_bits_and_opcodes_are_refused)
{
    for (int first = 0; first < 256; first++) {
        int op = first & 15;
        bool good = op == 1 || op == 2 || op == 8 || op == 9 || op == 10;
        if ((first & FIN) && !(first & 0x70) && good)
            continue;
        if (op <= 2 && !(first & (FIN | 0x70)))
            continue; /* fragments */
        struct buf bytes = {0};
        ws_frame_add(&bytes, FIN | 1, STR("before"), 0x01020304);
        ws_frame_add(&bytes, (uint8_t)first, STR(""), 0x01020304);
        ws_frame_add(&bytes, FIN | 1, STR("after"), 0x01020304);
        check_cuts("reserved", buf_str(&bytes), STR("text 6 before\nbad 1002\n"));
        buf_done(&bytes);
    }
}

TEST(frames_must_be_masked)
{
    static const struct row rows[] = {
        {"text", {{UNMASKED, FIN | 1, STR_INIT("x")}}, "bad 1002\n"},
        {"empty text", {{UNMASKED, FIN | 1, STR_INIT("")}}, "bad 1002\n"},
        {"ping", {{UNMASKED, FIN | 9, STR_INIT("")}}, "bad 1002\n"},
        {"close", {{UNMASKED, FIN | 8, STR_INIT("\x03\xe8")}}, "bad 1002\n"},
        {"the second fragment", {PART(1, "x"), {UNMASKED, FIN, STR_INIT("y")}}, "bad 1002\n"},
        {"in the second byte", {RAW("\x81\x7f")}, "bad 1002\n"},
    };
    CHECK_ROWS(rows);
}

TEST(lengths_must_have_their_shortest_form)
{
    static const struct row rows[] = {
        {"0 in 2 bytes", {{FORM_2, FIN | 1, STR_INIT("")}}, "bad 1002\n"},
        {"125 in 2 bytes", {{FORM_2, FIN | 1, STR_INIT(S125)}}, "bad 1002\n"},
        {"126 in 8 bytes", {{FORM_8, FIN | 1, STR_INIT(S125 "x")}}, "bad 1002\n"},
        {"65535 in 8 bytes", {RAW("\x82\xff\0\0\0\0\0\0\xff\xff")}, "bad 1002\n"},
        {"the top bit", {RAW("\x82\xff\x80\0\0\0\0\0\0\0")}, "bad 1002\n"},
        {"all bits", {RAW("\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff")}, "bad 1002\n"},
        {"all but the top bit", {RAW("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff")}, "bad 1009\n"},
        {"65536 in 8 bytes", {RAW("\x82\xff\0\0\0\0\0\1\0\0")}, "bad 1009\n"},
    };
    CHECK_ROWS(rows);
}

TEST(a_message_over_the_limit_is_refused_by_its_length)
{
    static const struct row rows[] = {
        {"one more, head only", {RAW("\x82\xfe\x03\xe9")}, "bad 1009\n"},
        {"across fragments",
         {PART(2, S500), PART(0, S500), PING(""), RAW("\x80\x81")},
         "ping 0\nbad 1009\n"},
        {"a small one after it is not looked at",
         {RAW("\x82\xfe\x03\xe9"), TEXT("x")},
         "bad 1009\n"},
        {"not UTF-8 before the limit", {PART(1, "\xff"), RAW("\x80\xfe\x03\xe9")}, "bad 1007\n"},
    };
    CHECK_ROWS(rows);

    static const struct row fits[] = {
        {"in one frame", {BINARY(S500 S500)}, "binary"},
        {"in two", {PART(2, S500), FRAME(0, S500)}, "binary"},
        {"with an empty end", {PART(2, S500), PART(0, S500), FRAME(0, "")}, "binary"},
    };
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        struct buf bytes = {0}, want = {0};
        build(&bytes, fits[i].frames);
        ws_log_event(&want, fits[i].events, STR(S500 S500));
        check_cuts(fits[i].name, buf_str(&bytes), buf_str(&want));
        buf_done(&bytes);
        buf_done(&want);
    }
}

TEST(text_must_be_utf8)
{
    static const struct row rows[] = {
        {"two bytes", {TEXT("\xce\xba")}, "text 2 \xce\xba\n"},
        {"the highest character", {TEXT("\xf4\x8f\xbf\xbf")}, "text 4 \xf4\x8f\xbf\xbf\n"},
        {"around surrogates",
         {TEXT("\xed\x9f\xbf\xee\x80\x80")},
         "text 6 \xed\x9f\xbf\xee\x80\x80\n"},
        {"a noncharacter", {TEXT("\xef\xbf\xbf")}, "text 3 \xef\xbf\xbf\n"},
        {"NUL", {TEXT("a\0b")}, "text 3 a\\x00b\n"},
        {"a surrogate", {TEXT("\xed\xa0\x80")}, "bad 1007\n"},
        {"a pair of surrogates", {TEXT("\xed\xa0\xbd\xed\xb8\x80")}, "bad 1007\n"},
        {"above the highest", {TEXT("\xf4\x90\x80\x80")}, "bad 1007\n"},
        {"five bytes", {TEXT("\xf8\x88\x80\x80\x80")}, "bad 1007\n"},
        {"overlong NUL", {TEXT("\xc0\x80")}, "bad 1007\n"},
        {"overlong slash", {TEXT("\xe0\x80\xaf")}, "bad 1007\n"},
        {"overlong in four", {TEXT("\xf0\x8f\xbf\xbf")}, "bad 1007\n"},
        {"a continuation alone", {TEXT("ab\x80")}, "bad 1007\n"},
        {"0xff", {TEXT("\xff")}, "bad 1007\n"},
        {"ends inside a character", {TEXT("a\xe4\xb8"), TEXT("b")}, "bad 1007\n"},
        {"ASCII inside a character",
         {TEXT("\xe4\xb8"
               "abcdefgh")},
         "bad 1007\n"},
        {"an empty end inside a character", {PART(1, "\xce"), FRAME(0, "")}, "bad 1007\n"},
        {"broken across fragments", {PART(1, "\xce"), FRAME(0, "x")}, "bad 1007\n"},
        {"broken before a ping", {PART(1, "a\xff"), PING("p"), FRAME(0, "")}, "bad 1007\n"},
        {"the state does not leak",
         {PART(2, "\xce"), FRAME(0, ""), TEXT("\xba")},
         "binary 1 \xce\nbad 1007\n"},
        {"binary is free",
         {BINARY("\xff\xc0\x80"), TEXT("ok")},
         "binary 3 \xff\xc0\x80\ntext 2 ok\n"},
    };
    CHECK_ROWS(rows);
}

/* Return the offset of the byte at which a stream is refused that is fed byte by byte. */
static size_t refused_at(struct str bytes, int *code)
{
    struct ws_decoder d;
    size_t at = 0, used;
    ws_decoder_init(&d, MAX_MESSAGE);
    while (at < bytes.n && ws_decoder_feed(&d, str_make(bytes.p + at, 1), &used) != WS_BAD)
        at++;
    *code = d.close_code;
    ws_decoder_done(&d);
    return at;
}

TEST(a_stream_is_refused_with_its_first_bad_byte)
{
    static const struct {
        struct str bytes;
        size_t at;
        int code;
    } rows[] = {
        {STR_INIT("\xc1\x85\0\0\0\0hello"), 0, 1002},
        {STR_INIT("\x83\x85\0\0\0\0hello"), 0, 1002},
        {STR_INIT("\x80\x85\0\0\0\0hello"), 0, 1002},
        {STR_INIT("\x09\x85\0\0\0\0hello"), 0, 1002},
        {STR_INIT("\x81\x05hello"), 1, 1002},
        {STR_INIT("\x89\xfe\0\x7e\0\0\0\0"), 1, 1002},
        {STR_INIT("\x88\x81\0\0\0\0\3"), 1, 1002},
        {STR_INIT("\x81\xfe\0\x7d\0\0\0\0"), 3, 1002},
        {STR_INIT("\x81\xfe\x03\xe9\0\0\0\0"), 3, 1009},
        {STR_INIT("\x81\xff\0\0\0\0\0\0\xff\xff\0\0\0\0"), 9, 1002},
        {STR_INIT("\x81\xff\0\0\0\0\0\1\0\0\0\0\0\0"), 9, 1009},
        {STR_INIT("\x81\x85\0\0\0\0ab\xff"
                  "de"),
         8, 1007},
        {STR_INIT("\x81\x85\0\0\0\0a\xed\xa0\x80"
                  "e"),
         8, 1007},
        {STR_INIT("\x01\x81\0\0\0\0\xce\x80\x81\0\0\0\0x"), 13, 1007},
        {STR_INIT("\x81\x81\0\0\0\0\xce"), 6, 1007},
        {STR_INIT("\x88\x82\0\0\0\0\3\xed"), 7, 1002},
        {STR_INIT("\x88\x85\0\0\0\0\3\xedxyz"), 7, 1002},
        {STR_INIT("\x88\x85\0\0\0\0\3\xe8x\xffz"), 9, 1007},
        {STR_INIT("\x88\x84\0\0\0\0\3\xe8\xe4\xb8"), 9, 1007},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code;
        assert_int_equal(refused_at(rows[i].bytes, &code), rows[i].at);
        assert_int_equal(code, rows[i].code);
    }
}

TEST(a_close_frame_is_checked)
{
    static const struct row rows[] = {
        {"empty", {CLOSE("")}, "close 1005 0\n"},
        {"a code", {CLOSE("\x03\xe8")}, "close 1000 0\n"},
        {"a reason",
         {CLOSE("\x03\xe9"
                "bye")},
         "close 1001 3 bye\n"},
        {"one byte", {CLOSE("\x03")}, "bad 1002\n"},
        {"124 bytes of reason", {CLOSE("\x03\xe8" S123 "4")}, "bad 1002\n"},
        {"a reason that is not UTF-8", {CLOSE("\x03\xe8\xce\xba\xed\xa0\x80")}, "bad 1007\n"},
        {"a reason that is cut", {CLOSE("\x03\xe8\xce")}, "bad 1007\n"},
        {"a bad code goes first", {CLOSE("\x03\xed\xff")}, "bad 1002\n"},
        {"a long character in the reason",
         {CLOSE("\x03\xe8\xf0\x9f\x98\x80")},
         "close 1000 4 \xf0\x9f\x98\x80\n"},
        {"inside a character of a message",
         {PART(1, "\xf0\x9f"), CLOSE("\x03\xe8ok")},
         "close 1000 2 ok\n"},
        {"text after it", {CLOSE(""), TEXT("x")}, "close 1005 0\n"},
        {"a ping after it", {CLOSE(""), PING("x")}, "close 1005 0\n"},
        {"a second one", {CLOSE("\x03\xe8"), CLOSE("\x03\xe9")}, "close 1000 0\n"},
        {"garbage after it", {CLOSE("\x03\xe8"), RAW("\xff\xff\xff")}, "close 1000 0\n"},
    };
    CHECK_ROWS(rows);

    struct buf bytes = {0}, want = {0};
    ws_frame_add(&bytes, FIN | 8, STR("\x03\xe8" S123), 0x55aa55aa);
    ws_log_close(&want, 1000, STR(S123));
    check_cuts("123 bytes of reason", buf_str(&bytes), buf_str(&want));
    buf_done(&bytes);
    buf_done(&want);
}

TEST(only_close_codes_that_a_peer_may_send_are_valid)
{
    for (int code = 0; code < 65536; code++) {
        bool want =
            (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
            (code >= 3000 && code < 5000);
        char payload[2] = {(char)(code >> 8), (char)(code & 0xff)};
        struct buf bytes = {0}, log = {0}, expected = {0};
        ws_frame_add(&bytes, FIN | 8, str_make(payload, 2), 0);
        feed_in_steps(&log, buf_str(&bytes), bytes.n, 1);
        buf_printf(&expected, want ? "close %d 0\n" : "bad 1002\n", code);
        CHECK_STR(buf_str(&log), buf_str(&expected));
        assert_int_equal(ws_close_code_is_valid(code), want);
        buf_done(&bytes);
        buf_done(&log);
        buf_done(&expected);
    }
    assert_false(ws_close_code_is_valid(-1));
    assert_false(ws_close_code_is_valid(70000));
}

/* Sizes around every border, from every phase of the mask and every offset in memory. */
TEST(every_size_is_unmasked_correctly)
{
    static const size_t sizes[] = {1,   2,    3,    4,    7,    8,     9,     31,    32,
                                   33,  63,   64,   65,   124,  125,   126,   127,   128,
                                   255, 4095, 4096, 4097, 8193, 65535, 65536, 65537, 200000};
    struct buf payload = {0};
    for (size_t i = 0; i < 200000; i++)
        buf_add_char(&payload, (char)(i * 7 + i / 251));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t cut = 0; cut < 14 && cut < sizes[i]; cut++) {
            struct str want = str_head(buf_str(&payload), sizes[i]);
            struct buf bytes = {0};
            struct ws_decoder d;
            size_t used;
            ws_decoder_init(&d, 1u << 20);
            ws_frame_add(&bytes, FIN | 2, want, 0x80c1e3f7);
            size_t head = bytes.n - want.n;
            struct str in = buf_str(&bytes);
            assert_int_equal(ws_decoder_feed(&d, str_head(in, head + cut), &used), WS_MORE);
            assert_int_equal(used, head + cut);
            in = str_skip(in, used);
            assert_int_equal(ws_decoder_feed(&d, in, &used), WS_BINARY);
            assert_int_equal(used, in.n);
            CHECK_STR(d.payload, want);
            ws_decoder_done(&d);
            buf_done(&bytes);
        }
    buf_done(&payload);
}

/* The UTF-8 check skips ASCII block by block: the result must not depend on the position of a bad
 * byte or a character. */
TEST(a_bad_byte_is_found_at_every_place_of_a_long_text)
{
    static char text[9000];
    for (size_t at = 0; at + 3 <= sizeof text; at += at > 4000 && at < 4200 ? 1 : 37) {
        for (int good = 0; good < 2; good++) {
            struct buf bytes = {0};
            struct ws_decoder d;
            size_t used;
            memset(text, 'x', sizeof text);
            memcpy(text + at, good ? "\xe4\xb8\xad" : "\xe4\xb8x", 3);
            ws_decoder_init(&d, 1u << 20);
            ws_frame_add(&bytes, FIN | 1, str_make(text, sizeof text), 0x1badb002);
            enum ws_event e = ws_decoder_feed(&d, buf_str(&bytes), &used);
            assert_int_equal(e, good ? WS_TEXT : WS_BAD);
            ws_decoder_done(&d);
            buf_done(&bytes);
        }
    }
}

TEST(feed_stops_after_each_event)
{
    struct buf bytes = {0};
    struct ws_decoder d;
    size_t used;
    ws_decoder_init(&d, MAX_MESSAGE);
    ws_frame_add(&bytes, FIN | 1, STR("one"), 1);
    size_t first = bytes.n;
    ws_frame_add(&bytes, FIN | 1, STR("two"), 2);
    assert_int_equal(ws_decoder_feed(&d, buf_str(&bytes), &used), WS_TEXT);
    assert_int_equal(used, first);
    CHECK_CSTR(d.payload, "one");
    assert_int_equal(ws_decoder_feed(&d, str_skip(buf_str(&bytes), used), &used), WS_TEXT);
    CHECK_CSTR(d.payload, "two");
    assert_int_equal(ws_decoder_feed(&d, (struct str){0}, &used), WS_MORE);
    assert_int_equal(used, 0);
    assert_null(d.payload.p);
    ws_decoder_done(&d);
    buf_done(&bytes);
}

TEST(a_decoder_ignores_bytes_after_an_error)
{
    struct buf bytes = {0};
    struct ws_decoder d;
    size_t used;
    ws_decoder_init(&d, MAX_MESSAGE);
    assert_int_equal(ws_decoder_feed(&d, STR("\x83\x80"), &used), WS_BAD);
    assert_int_equal(used, 1);
    assert_non_null(d.reason);
    ws_frame_add(&bytes, FIN | 1, STR("one"), 1);
    assert_int_equal(ws_decoder_feed(&d, buf_str(&bytes), &used), WS_MORE);
    assert_int_equal(used, bytes.n);
    assert_int_equal(d.close_code, 1002);
    ws_decoder_done(&d);
    buf_done(&bytes);
}

TEST(memory_of_a_huge_message_is_not_kept)
{
    struct buf payload = {0};
    memset(buf_room(&payload, 1u << 20), 'x', 1u << 20);
    payload.n = 1u << 20;
    for (int fragments = 1; fragments <= 2; fragments++) {
        struct buf bytes = {0};
        struct ws_decoder d;
        size_t used, half = payload.n / 2;
        ws_decoder_init(&d, 1u << 20);
        if (fragments == 1) {
            ws_frame_add(&bytes, FIN | 1, buf_str(&payload), 77);
        } else {
            ws_frame_add(&bytes, 1, str_head(buf_str(&payload), half), 77);
            ws_frame_add(&bytes, FIN, str_skip(buf_str(&payload), half), 78);
        }
        assert_int_equal(ws_decoder_feed(&d, buf_str(&bytes), &used), WS_TEXT);
        CHECK_STR(d.payload, buf_str(&payload));
        assert_true(d.message.cap >= 1u << 20);
        ws_decoder_feed(&d, (struct str){0}, &used);
        assert_true(d.message.cap <= 256u << 10);
        ws_decoder_done(&d);
        buf_done(&bytes);
    }
    buf_done(&payload);
}

TEST(ordinary_memory_is_reused)
{
    static char text[200000];
    struct buf bytes = {0};
    struct ws_decoder d;
    size_t used;
    memset(text, 'x', sizeof text);
    ws_decoder_init(&d, 1u << 20);
    ws_frame_add(&bytes, FIN | 1, str_make(text, sizeof text), 77);
    assert_int_equal(ws_decoder_feed(&d, buf_str(&bytes), &used), WS_TEXT);
    assert_int_equal(d.message.cap, sizeof text); /* asked for once, not grown */
    const char *before = d.payload.p;
    assert_int_equal(ws_decoder_feed(&d, buf_str(&bytes), &used), WS_TEXT);
    assert_ptr_equal(d.payload.p, before);
    ws_decoder_done(&d);
    buf_done(&bytes);
}

TEST(heads_are_written_with_the_shortest_length)
{
    static const struct {
        uint64_t n;
        enum ws_opcode op;
        bool fin;
        struct str want;
    } rows[] = {
        {0, WS_OP_TEXT, true, STR_INIT("\x81\0")},
        {5, WS_OP_BINARY, false, STR_INIT("\x02\5")},
        {125, WS_OP_PING, true, STR_INIT("\x89\x7d")},
        {126, WS_OP_TEXT, true, STR_INIT("\x81\x7e\0\x7e")},
        {65535, WS_OP_CONTINUATION, false, STR_INIT("\0\x7e\xff\xff")},
        {65536, WS_OP_CONTINUATION, true, STR_INIT("\x80\x7f\0\0\0\0\0\1\0\0")},
        {0x7fffffffffffffff, WS_OP_TEXT, true,
         STR_INIT("\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t head[10];
        size_t n = ws_encode_head(head, rows[i].op, rows[i].fin, rows[i].n);
        CHECK_STR(str_make((char *)head, n), rows[i].want);
    }
}

TEST(messages_and_closes_are_encoded)
{
    struct buf out = {0};
    ws_encode(&out, WS_OP_TEXT, STR("Hello"));
    CHECK_STR(buf_str(&out), STR("\x81\x05Hello"));
    buf_clear(&out);
    ws_encode_close(&out, WS_CLOSE_NONE, STR("lost"));
    CHECK_STR(buf_str(&out), STR("\x88\0"));
    buf_clear(&out);
    ws_encode_close(&out, 1000, (struct str){0});
    CHECK_STR(buf_str(&out), STR("\x88\2\x03\xe8"));
    buf_clear(&out);
    ws_encode_close(&out, 4999, STR("bye"));
    CHECK_STR(buf_str(&out), STR("\x88\5\x13\x87"
                                 "bye"));
    buf_clear(&out);
    ws_encode_close(&out, 1001, STR(S123 "4"));
    CHECK_STR(buf_str(&out), STR("\x88\x7d\x03\xe9" S123));
    buf_clear(&out);
    ws_encode_close(&out, 1001, STR(S25 S25 S25 S25 S10 S10 "0\xe4\xb8\xad"));
    CHECK_STR(buf_str(&out), STR("\x88\x7b\x03\xe9" S25 S25 S25 S25 S10 S10 "0"));
    buf_done(&out);
}

/* ---- the client's side */

TEST(a_masked_message_matches_the_rfc)
{
    struct buf out = {0};
    ws_encode_masked(&out, WS_OP_TEXT, STR("Hello"), (const uint8_t[]){0x37, 0xfa, 0x21, 0x3d});
    CHECK_STR(buf_str(&out), STR("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"));
    buf_done(&out);
}

TEST(a_server_reads_the_frames_of_a_client)
{
    for (size_t n = 0; n < 70000; n = n < 200 ? n + 1 : n * 2) {
        struct buf text = {0}, out = {0}, log = {0}, want = {0};
        struct ws_decoder d;
        for (size_t i = 0; i < n; i++)
            buf_add_char(&text, (char)('a' + i % 19));
        ws_encode_masked(&out, WS_OP_TEXT, buf_str(&text), (const uint8_t[]){1, 0x82, 3, 0xf4});
        ws_decoder_init(&d, 1u << 20);
        ws_frames_events(&log, &d, buf_str(&out));
        ws_log_event(&want, "text", buf_str(&text));
        CHECK_STR(buf_str(&log), buf_str(&want));
        ws_decoder_done(&d);
        buf_done(&text);
        buf_done(&out);
        buf_done(&log);
        buf_done(&want);
    }
}

TEST(a_client_reads_the_frames_of_a_server)
{
    char long_text[300];
    struct buf bytes = {0}, want = {0};
    memset(long_text, 'x', sizeof long_text);
    struct str text = str_make(long_text, sizeof long_text);
    ws_encode(&bytes, WS_OP_TEXT, STR("\xe4\xb8\xad"));
    ws_encode(&bytes, WS_OP_PING, STR(""));
    ws_encode(&bytes, WS_OP_BINARY, text);
    ws_encode(&bytes, WS_OP_TEXT, STR(""));
    ws_encode_close(&bytes, 1000, STR("bye"));
    buf_add(&want, STR("text 3 \xe4\xb8\xad\nping 0\n"));
    ws_log_event(&want, "binary", text);
    buf_add(&want, STR("text 0\nclose 1000 3 bye\n"));
    for (size_t step = 1; step <= bytes.n; step++) {
        struct ws_decoder d;
        struct buf log = {0};
        ws_decoder_init_client(&d, 1u << 20);
        for (struct str rest = buf_str(&bytes); rest.n; rest = str_skip(rest, step))
            ws_frames_events(&log, &d, str_head(rest, step));
        CHECK_STR(buf_str(&log), buf_str(&want));
        ws_decoder_done(&d);
        buf_done(&log);
    }
    buf_done(&bytes);
    buf_done(&want);
}

TEST(a_client_refuses_masked_frames)
{
    struct buf bytes = {0}, log = {0};
    struct ws_decoder d;
    ws_frame_add(&bytes, 0x81, STR("hello"), 7);
    ws_decoder_init_client(&d, 1u << 20);
    ws_frames_events(&log, &d, buf_str(&bytes));
    CHECK_STR(buf_str(&log), STR("bad 1002\n"));
    assert_string_equal(d.reason, "a frame of a server is masked");
    ws_decoder_done(&d);
    buf_done(&bytes);
    buf_done(&log);
}

TEST(the_accept_value_matches_the_rfc)
{
    char accept[WS_ACCEPT_LEN + 1];
    ws_accept_key(STR("dGhlIHNhbXBsZSBub25jZQ=="), accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}
