/* The far end of bridge_bench.mjs: an editor that responds at once with prepared texts and does
 * nothing else, so that only the server is measured.
 *
 *     bridge_editor PORT [PATH]
 *
 * read_console is answered with 200 bytes, get_component_info with 200 KB, get_scene_hierarchy with
 * 10,000 objects. Prints "connected" after the server's hello, or at once for a server without one
 * (PATH /plain: no hello, no heartbeat). Frames are masked with zeros, which the protocol allows
 * and which costs nothing. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"

#define HELLO                                                                                      \
    "{\"type\":\"hello\",\"protocol_version\":1,\"plugin_version\":\"1\",\"editor_instance_id\":"  \
    "\"bench\",\"plugin_session_id\":\"1\",\"connect_attempt_seq\":1,\"project_path\":\"/bench\"," \
    "\"state\":\"ready\"}"
#define RESULT    "{\"type\":\"result\",\"protocol_version\":1,\"request_id\":\""
#define STATUS_MS 5000

static int fd;
static bool plain;
static struct buf small, large, scene, in;

/* ---- results */

static void make_small(void)
{
    buf_add(&small,
            STR("{\"entries\":[{\"type\":\"log\",\"message\":\"console line 0: "
                "PlayerController moved to (0.25, 0.00, -0.50) after 16 ms\",\"time\":"
                "\"2026-01-01T12:00:00.000Z\"}],\"count\":1,\"total_count\":1,\"truncated\":"
                "false,\"cursor\":\"1\"}"));
}

static void make_large(void)
{
    buf_add(&large, STR("{\"game_object_path\":\"/Player\",\"game_object_name\":\"Player\","
                        "\"index\":1,\"component_type\":\"MyGame.Path\",\"fields\":{"));
    for (int i = 0; large.n < 200000; i++)
        buf_printf(
            &large,
            "%s\"point%d\":{\"type\":\"UnityEngine.Vector3\",\"value\":{\"x\":%d.25,\"y\":0.5,"
            "\"z\":-%d.75}}",
            i ? "," : "", i, i, i);
    buf_add(&large, STR("}}"));
}

/* Ten at the root, ten below each of those, and so on: 10,000 objects, five levels. */
static void add_object(int first, int count, int step)
{
    for (int i = 0; i < count; i++) {
        int n = first + i * step;
        buf_printf(&scene,
                   "%s{\"name\":\"GO_%d\",\"path\":\"/Root/Level/GO_%d\",\"active\":true,"
                   "\"components\":[\"UnityEngine.Transform\",\"UnityEngine.MeshFilter\","
                   "\"UnityEngine.MeshRenderer\"],\"children\":[",
                   i ? "," : "", n, n);
        if (step > 1)
            add_object(n + step / 10, 9, step / 10);
        buf_add(&scene, STR("]}"));
    }
}

static void make_scene(void)
{
    buf_add(&scene, STR("{\"scene_name\":\"Bench\",\"scene_path\":\"Assets/Bench.unity\","
                        "\"root_game_objects\":["));
    add_object(0, 10, 1000);
    buf_add(&scene, STR("],\"total_game_objects\":10000,\"truncated\":false}"));
}

static struct str answer_for(struct str message)
{
    if (str_find(message, STR("get_scene_hierarchy")) < message.n)
        return buf_str(&scene);
    if (str_find(message, STR("get_component_info")) < message.n)
        return buf_str(&large);
    return buf_str(&small);
}

/* ---- the connection */

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

/* A text frame of three pieces, with one system call if the socket accepts it. */
static void send_frame(struct str a, struct str b, struct str c)
{
    uint8_t head[14] = {0x81, 0x80};
    size_t n = a.n + b.n + c.n, head_n;
    if (n < 126) {
        head[1] |= (uint8_t)n;
        head_n = 6;
    } else if (n < 65536) {
        head[1] |= 126;
        head[2] = (uint8_t)(n >> 8);
        head[3] = (uint8_t)n;
        head_n = 8;
    } else {
        head[1] |= 127;
        for (int i = 0; i < 8; i++)
            head[2 + i] = (uint8_t)((uint64_t)n >> (56 - 8 * i));
        head_n = 14;
    }
    struct str parts[] = {str_make((char *)head, head_n), a, b, c};
    for (size_t i = 0; i < 4;) {
        struct iovec v[4];
        for (size_t k = i; k < 4; k++)
            v[k - i] = (struct iovec){(void *)(uintptr_t)parts[k].p, parts[k].n};
        ssize_t done = writev(fd, v, (int)(4 - i));
        if (done < 0)
            die("bridge_editor: writev");
        for (size_t left = (size_t)done; i < 4 && left >= parts[i].n; i++)
            left -= parts[i].n, done -= (ssize_t)parts[i].n;
        if (i < 4)
            parts[i] = str_skip(parts[i], (size_t)done);
    }
}

static void on_execute(struct str message)
{
    struct str mark = STR("\"request_id\":\"");
    struct str id = str_skip(message, str_find(message, mark) + mark.n);
    char head[160];
    int n = snprintf(head, sizeof head, RESULT "%.*s\",\"status\":\"ok\",\"result\":",
                     STR_ARG(str_head(id, str_find_char(id, '"'))));
    send_frame(str_make(head, (size_t)n), answer_for(message), STR("}"));
}

static void on_message(struct str message)
{
    if (str_starts(message, STR("{\"type\":\"execute\"")))
        on_execute(message);
    else if (str_starts(message, STR("{\"type\":\"hello\"")))
        puts("connected"), fflush(stdout);
}

/* Frames of the server are short and not masked: two or four bytes of head. */
static void take_frames(void)
{
    for (;;) {
        const uint8_t *p = (const uint8_t *)in.p;
        if (in.n < 4)
            return;
        size_t head = p[1] < 126 ? 2 : 4, n = p[1] < 126 ? p[1] : (size_t)p[2] << 8 | p[3];
        if ((p[0] & 15) == 8)
            exit(0);
        if (p[1] > 126 || in.n < head + n)
            return;
        on_message(str_make(in.p + head, n));
        buf_drop(&in, head + n);
    }
}

static void read_some(void)
{
    char *to = buf_room(&in, 65536);
    ssize_t n = read(fd, to, 65536);
    if (n <= 0)
        exit(0);
    in.n += (size_t)n;
    in.p[in.n] = 0;
}

static void send_heartbeat(void)
{
    static unsigned long long seq;
    char text[128];
    int n = snprintf(text, sizeof text,
                     "{\"type\":\"editor_status\",\"protocol_version\":1,\"state\":\"ready\","
                     "\"seq\":%llu}",
                     ++seq);
    send_frame(str_make(text, (size_t)n), (struct str){0}, (struct str){0});
}

static void open_socket(int port, const char *path)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        die("bridge_editor: connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    dprintf(fd,
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            path, port);
    struct str end = STR("\r\n\r\n");
    while (str_find(buf_str(&in), end) == in.n)
        read_some();
    buf_drop(&in, str_find(buf_str(&in), end) + end.n);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bridge_editor PORT [PATH]\n");
        return 2;
    }
    const char *path = argc > 2 ? argv[2] : "/unity";
    plain = str_eq(str_from(path), STR("/plain"));
    make_small();
    make_large();
    make_scene();
    open_socket(atoi(argv[1]), path);
    if (plain)
        puts("connected"), fflush(stdout);
    else
        send_frame(STR(HELLO), (struct str){0}, (struct str){0});
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = plain ? 1 : poll(&p, 1, STATUS_MS);
        if (ready == 0)
            send_heartbeat();
        else
            read_some();
        take_frames();
    }
}
