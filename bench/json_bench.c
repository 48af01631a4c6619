/* JSON reading and writing compared with jansson: megabytes of text per second of CPU time.
 *
 *     build/bench/json_bench [rounds]
 *
 * Both work on the same text, in turns, and the best round of each counts. Reading includes freeing
 * the memory; writing includes making the text from values that were read. Skimming is reading
 * without values; escaping is writing the whole text as one string, as in the result of a tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/json_skim.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "json_oracle.h"

#define NODES 10000

typedef size_t work_fn(const void *input, struct str text);

struct json_side {
    work_fn *run;
    const void *input;
    double best; /* seconds for one text */
};

static void add_components(struct jsonw *w, int i)
{
    static const char *const types[] = {"Transform", "MeshRenderer", "BoxCollider"};
    jsonw_key(w, "components");
    jsonw_array(w);
    for (int c = 0; c <= (i % 5 == 0) + (i % 10 == 0); c++) {
        jsonw_object(w);
        jsonw_kcstr(w, "type", types[c]);
        jsonw_kbool(w, "enabled", true);
        jsonw_end(w);
    }
    jsonw_end(w);
}

/* A node with its children, as in get_scene_hierarchy; five in each, down to the leaves. */
static int add_node(struct jsonw *w, int i, int depth)
{
    char name[32];
    snprintf(name, sizeof name, "Node_%d", i);
    jsonw_object(w);
    jsonw_kcstr(w, "name", name);
    jsonw_kbool(w, "activeSelf", i % 7 != 0);
    jsonw_kcstr(w, "tag", "Untagged");
    jsonw_kint(w, "layer", i % 32);
    jsonw_kcstr(w, "layerName", "Default");
    jsonw_kint(w, "instanceId", -1000 - 2 * i);
    add_components(w, i++);
    jsonw_key(w, "children");
    jsonw_array(w);
    for (int c = 0; c < 5 && depth > 0 && i < NODES; c++)
        i = add_node(w, i, depth - 1);
    jsonw_end(w);
    jsonw_end(w);
    return i;
}

static void make_scene(struct buf *b)
{
    struct jsonw w = jsonw_make(b);
    jsonw_array(&w);
    for (int i = 0; i < NODES;)
        i = add_node(&w, i, 4);
    jsonw_end(&w);
}

static void make_call(struct buf *b)
{
    buf_add(b, STR("{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"tools/call\",\"params\":{\"name\":"
                   "\"manage_component\",\"arguments\":{\"path\":\"/World/Player/Camera\","
                   "\"component\":\"UnityEngine.Camera\",\"properties\":{\"fieldOfView\":60.5,"
                   "\"nearClipPlane\":0.3,\"farClipPlane\":1000,\"orthographic\":false}},"
                   "\"_meta\":{\"progressToken\":3}}}"));
}

static size_t read_ours(const void *input, struct str text)
{
    (void)input;
    struct arena a = {0};
    const struct json *doc = json_parse(&a, text, NULL, NULL);
    size_t count = json_count(doc);
    arena_done(&a);
    return count;
}

static size_t read_jansson(const void *input, struct str text)
{
    (void)input;
    struct oracle *doc = oracle_parse(text, NULL);
    size_t count = oracle_count(doc);
    oracle_free(doc);
    return count;
}

static size_t skim_ours(const void *input, struct str text)
{
    (void)input;
    struct json_member members[16];
    struct json_skim s = {.members = members, .room = 16, .utf8_is_checked = true};
    return json_skim(&s, text, NULL);
}

static size_t escape_ours(const void *input, struct str text)
{
    (void)input;
    struct buf b = {0};
    struct jsonw w = jsonw_make(&b);
    jsonw_utf8(&w, text);
    size_t n = b.n;
    buf_done(&b);
    return n;
}

static size_t write_ours(const void *input, struct str text)
{
    (void)text;
    struct buf b = {0};
    struct jsonw w = jsonw_make(&b);
    jsonw_value(&w, input);
    size_t n = b.n;
    buf_done(&b);
    return n;
}

static size_t write_jansson(const void *input, struct str text)
{
    (void)text;
    char *out = oracle_write(input);
    size_t n = strlen(out);
    free(out);
    return n;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure_side(struct json_side *side, struct str text, int times)
{
    size_t sum = side->run(side->input, text); /* warms the caches that the other one has filled */
    double start = cpu_seconds();
    for (int i = 0; i < times; i++)
        sum += side->run(side->input, text);
    double each = (cpu_seconds() - start) / times;
    if (sum == 0)
        mem_die("the benchmark did nothing");
    if (side->best == 0 || each < side->best)
        side->best = each;
}

static void compare_sides(const char *what, struct str text, struct json_side sides[2], int rounds)
{
    int times = (int)(1000000 / text.n) + 1;
    for (int i = 0; i < rounds; i++)
        for (int s = 0; s < 2; s++)
            measure_side(&sides[s], text, times);
    double mb = (double)text.n / 1e6;
    printf("%-13s %9zu %10.1f %10.1f %7.1fx %11.2f\n", what, text.n, mb / sides[0].best,
           mb / sides[1].best, sides[1].best / sides[0].best, sides[0].best * 1e6);
}

static void bench_escape(const char *what, struct str text, int rounds)
{
    struct buf quoted = {0};
    struct jsonw w = jsonw_make(&quoted);
    jsonw_utf8(&w, text);
    struct oracle *theirs = oracle_parse(buf_str(&quoted), NULL);
    struct json_side escapers[2] = {{.run = escape_ours}, {.run = write_jansson, .input = theirs}};
    compare_sides(what, text, escapers, rounds);
    oracle_free(theirs);
    buf_done(&quoted);
}

static void bench_text(const char *name, struct str text, int rounds)
{
    char what[32];
    struct arena a = {0};
    const struct json *ours = json_parse(&a, text, NULL, NULL);
    struct oracle *theirs = oracle_parse(text, NULL);
    struct json_side readers[2] = {{.run = read_ours}, {.run = read_jansson}};
    struct json_side skimmers[2] = {{.run = skim_ours}, {.run = read_jansson}};
    struct json_side writers[2] = {{.run = write_ours, .input = ours},
                                   {.run = write_jansson, .input = theirs}};
    snprintf(what, sizeof what, "read %s", name);
    compare_sides(what, text, readers, rounds);
    snprintf(what, sizeof what, "skim %s", name);
    compare_sides(what, text, skimmers, rounds);
    snprintf(what, sizeof what, "write %s", name);
    compare_sides(what, text, writers, rounds);
    snprintf(what, sizeof what, "escape %s", name);
    bench_escape(what, text, rounds);
    oracle_free(theirs);
    arena_done(&a);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 30;
    struct buf scene = {0}, call = {0};
    make_scene(&scene);
    make_call(&call);
    printf("%-13s %9s %10s %10s %8s %11s\n", "", "bytes", "MB/s", "jansson", "ratio", "us/text");
    bench_text("scene", buf_str(&scene), rounds);
    bench_text("call", buf_str(&call), rounds);
    buf_done(&scene);
    buf_done(&call);
    return 0;
}
