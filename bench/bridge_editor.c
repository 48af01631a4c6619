/* The far end of bridge_bench.mjs: an editor that answers at once, with texts made beforehand, so
 * that what is measured is the server.
 *
 *     bridge_editor PORT [PATH]
 *
 * read_console is answered with 200 bytes, get_component_info with 200 KB, get_scene_hierarchy with
 * 10,000 objects. Prints "connected" when the server has said hello, or at once to a server that
 * does not (PATH /plain: no hello, no heartbeat). */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/loop.h"
#include "net/ws_client.h"

#define HELLO                                                                                      \
    "{\"type\":\"hello\",\"protocol_version\":1,\"plugin_version\":\"1\",\"editor_instance_id\":"  \
    "\"bench\",\"plugin_session_id\":\"1\",\"connect_attempt_seq\":1,\"project_path\":\"/bench\"," \
    "\"state\":\"ready\"}"
#define STATUS_MS 5000u

static struct loop *loop;
static struct ws_conn *conn;
static struct timer heartbeat;
static unsigned long long seq;
static bool plain;
static struct buf small, large, scene, out;

/* ---- the answers */

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

/* Ten at the root, ten below each of those, and so on: 10,000 objects, five deep. */
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

static void beat(void *ctx)
{
    (void)ctx;
    buf_clear(&out);
    buf_printf(
        &out,
        "{\"type\":\"editor_status\",\"protocol_version\":1,\"state\":\"ready\",\"seq\":%llu}",
        ++seq);
    ws_send(conn, buf_str(&out));
    timer_start(&heartbeat, loop, STATUS_MS, beat, NULL);
}

static void on_execute(struct str message)
{
    struct str mark = STR("\"request_id\":\"");
    struct str id = str_skip(message, str_find(message, mark) + mark.n);
    id = str_head(id, str_find_char(id, '"'));
    buf_clear(&out);
    buf_printf(&out,
               "{\"type\":\"result\",\"protocol_version\":1,\"request_id\":\"%.*s\","
               "\"status\":\"ok\",\"result\":",
               STR_ARG(id));
    buf_add(&out, answer_for(message));
    buf_add_char(&out, '}');
    if (!ws_send(conn, buf_str(&out)))
        exit(1);
}

static void on_message(struct ws_conn *c, struct str message, bool is_text, void *ctx)
{
    (void)c, (void)is_text, (void)ctx;
    if (str_starts(message, STR("{\"type\":\"execute\"")))
        on_execute(message);
    else if (str_starts(message, STR("{\"type\":\"hello\"")))
        puts("connected"), fflush(stdout);
}

static void on_close(struct ws_conn *c, int code, struct str reason, void *ctx)
{
    (void)c, (void)ctx;
    fprintf(stderr, "bridge_editor: closed: %d %.*s\n", code, STR_ARG(reason));
    loop_stop(loop);
}

static void on_open(struct ws_conn *c, void *ctx)
{
    (void)ctx;
    if (plain) {
        puts("connected"), fflush(stdout);
        return;
    }
    ws_send(c, STR(HELLO));
    timer_start(&heartbeat, loop, STATUS_MS, beat, NULL);
}

int main(int argc, char **argv)
{
    static const struct ws_events events = {.on_message = on_message, .on_close = on_close};
    if (argc < 2) {
        fprintf(stderr, "usage: bridge_editor PORT [PATH]\n");
        return 2;
    }
    make_small();
    make_large();
    make_scene();
    loop = loop_new();
    struct ws_target target = {.port = (uint16_t)atoi(argv[1]),
                               .path = argc > 2 ? argv[2] : "/unity"};
    target.options.on_open = on_open;
    target.options.max_queued = 64u << 20;
    target.options.ping_ms = UINT64_MAX / 4;
    target.options.pong_ms = 1;
    plain = str_eq(str_from(target.path), STR("/plain"));
    conn = ws_connect(loop, &target, &events, NULL);
    loop_run(loop);
    timer_stop(&heartbeat);
    loop_free(loop);
    buf_done(&small);
    buf_done(&large);
    buf_done(&scene);
    buf_done(&out);
    return 0;
}
