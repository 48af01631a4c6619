/* Reading Unity's YAML, compared with the minimum for any line reader: finding the line ends.
 *
 *     build/bench/yaml_bench [rounds]
 *
 * A scene of 50 MB is created, with short lines like those of real ones (26 bytes on average). All
 * sides work on it in turns, and the best round of each counts. The full split finds every document
 * and classifies every line. Exits with 1 if a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "unity/yaml.h"

#define SCENE_BYTES (50u << 20)

typedef size_t work_fn(struct str text);

struct yaml_side {
    const char *what;
    work_fn *run;
    double goal; /* at least this part of the speed of counting lines; 0: none */
    double best; /* seconds */
};

static void add_object(struct buf *b, long id)
{
    buf_printf(b,
               "--- !u!1 &%ld\nGameObject:\n  m_ObjectHideFlags: 0\n"
               "  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n"
               "  m_PrefabAsset: {fileID: 0}\n  serializedVersion: 6\n  m_Component:\n"
               "  - component: {fileID: %ld}\n  - component: {fileID: %ld}\n  m_Layer: 0\n"
               "  m_Name: Rock_%ld\n  m_TagString: Untagged\n  m_Icon: {fileID: 0}\n"
               "  m_NavMeshLayer: 0\n  m_StaticEditorFlags: 4294967295\n  m_IsActive: 1\n",
               id, id + 1, id + 2, id);
    buf_printf(b,
               "--- !u!4 &%ld\nTransform:\n  m_ObjectHideFlags: 0\n"
               "  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n"
               "  m_PrefabAsset: {fileID: 0}\n  m_GameObject: {fileID: %ld}\n"
               "  m_LocalRotation: {x: -0, y: 0.7071068, z: -0, w: 0.7071068}\n"
               "  m_LocalPosition: {x: %ld.25, y: 0.5, z: -1}\n"
               "  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n"
               "  m_RootOrder: 7\n  m_LocalEulerAnglesHint: {x: 0, y: 90, z: 0}\n",
               id + 1, id, id % 1000);
}

static void add_renderer(struct buf *b, long id)
{
    buf_printf(b,
               "--- !u!23 &%ld\nMeshRenderer:\n  m_ObjectHideFlags: 0\n"
               "  m_GameObject: {fileID: %ld}\n  m_Enabled: 1\n  m_CastShadows: 1\n"
               "  m_ReceiveShadows: 1\n  m_DynamicOccludee: 1\n  m_MotionVectors: 1\n"
               "  m_LightProbeUsage: 1\n  m_ReflectionProbeUsage: 1\n  m_RayTracingMode: 2\n"
               "  m_RenderingLayerMask: 1\n  m_RendererPriority: 0\n  m_Materials:\n"
               "  - {fileID: 2100000, guid: fdfb2d59c8b3f954caa79f7d0b3e0ca1, type: 2}\n"
               "  m_StaticBatchInfo:\n    firstSubMesh: 0\n    subMeshCount: 0\n"
               "  m_StaticBatchRoot: {fileID: 0}\n  m_ProbeAnchor: {fileID: 0}\n"
               "  m_ScaleInLightmap: 1\n  m_ReceiveGI: 1\n  m_PreserveUVs: 0\n"
               "  m_SortingLayerID: 0\n  m_SortingLayer: 0\n  m_SortingOrder: 0\n",
               id + 2, id);
}

static void add_instance(struct buf *b, long id)
{
    buf_printf(b,
               "--- !u!1001 &%ld\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"
               "  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications:\n",
               id + 3);
    for (int i = 0; i < 7; i++)
        buf_printf(b,
                   "    - target: {fileID: 8679921383154817045, guid: "
                   "fdfb2d59c8b3f954caa79f7d0b3e0ca1,\n        type: 3}\n"
                   "      propertyPath: m_LocalPosition.%c\n      value: %d.5\n"
                   "      objectReference: {fileID: 0}\n",
                   'x' + i % 3, i);
    buf_add(b, STR("    m_RemovedComponents: []\n"));
}

static void make_scene(struct buf *b)
{
    buf_add(b, STR("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"));
    for (long id = 1000; b->n < SCENE_BYTES; id += 10) {
        add_object(b, id);
        add_renderer(b, id);
        if (id % 50 == 0)
            add_instance(b, id);
    }
}

static size_t count_lines(struct str text)
{
    size_t n = 0;
    const char *at = text.p, *end = text.p + text.n;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        n++;
        at++;
    }
    return n;
}

static struct yaml_file split_text(struct str text)
{
    struct yaml_file f;
    struct yaml_error fault;
    if (!yaml_split(&f, text, &fault))
        mem_die(fault.text);
    return f;
}

static size_t find_documents(struct str text)
{
    struct yaml_file f = split_text(text);
    size_t n = f.count;
    yaml_done(&f);
    return n;
}

static size_t split_fully(struct str text)
{
    struct yaml_file f = split_text(text);
    struct yaml_error fault;
    size_t keys;
    if (!yaml_check(&f, &keys, &fault))
        mem_die(fault.text);
    yaml_done(&f);
    return keys;
}

/* A missing key: every line of every document is walked. */
static size_t miss_a_key(struct str text)
{
    struct yaml_file f = split_text(text);
    size_t n = 1;
    for (size_t i = 0; i < f.count; i++)
        n += yaml_get(yaml_body(&f, &f.docs[i]), STR("m_Missing")).kind != YAML_NONE;
    yaml_done(&f);
    return n;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure_side(struct yaml_side *side, struct str text)
{
    double start = cpu_seconds();
    size_t found = side->run(text);
    double seconds = cpu_seconds() - start;
    if (found == 0)
        mem_die("the benchmark did nothing");
    if (side->best == 0 || seconds < side->best)
        side->best = seconds;
}

/* False: its goal is missed. */
static bool print_side(const struct yaml_side *side, const struct yaml_side *lines, struct str text)
{
    double part = lines->best / side->best;
    bool missed = side->goal > 0 && part < side->goal;
    printf("| %-32s | %7.0f MB/s | %5.2f |", side->what, (double)text.n / 1e6 / side->best, part);
    if (side->goal > 0)
        printf(" %.2f%s", side->goal, missed ? " MISSED" : "");
    puts(" |");
    return !missed;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 15;
    struct yaml_side sides[] = {
        {.what = "line ends, memchr for each", .run = count_lines},
        {.what = "documents (yaml_split)", .run = find_documents},
        {.what = "documents and every line", .run = split_fully, .goal = 1.0 / 3},
        {.what = "a missing key in each document", .run = miss_a_key},
    };
    const size_t count = sizeof sides / sizeof *sides;
    struct buf scene = {0};
    bool fine = true;
    make_scene(&scene);
    struct str text = buf_str(&scene);
    size_t lines = count_lines(text);
    printf("%zu bytes in %zu lines, %.1f bytes each\n\n", text.n, lines,
           (double)text.n / (double)lines);
    for (int i = 0; i < rounds; i++)
        for (size_t s = 0; s < count; s++)
            measure_side(&sides[s], text);
    puts("| | speed | part of the first | goal |\n|---|---:|---:|---:|");
    for (size_t s = 0; s < count; s++)
        fine &= print_side(&sides[s], &sides[0], text);
    buf_done(&scene);
    return fine ? 0 : 1;
}
