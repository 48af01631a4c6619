/* A large scene in the headless editor: opening it, writing its hierarchy, changing a field.
 *
 *     build/bench/scene_bench [PROJECT SCENE]
 *
 * Without arguments a project is created: a scene of 3 MB with 2,000 GameObjects of its own and 200
 * instances of a prefab. Compared with PyYAML's CSafeLoader that only parses the scene, and with a
 * copy of the file with fsync. Exits with 1 if a goal is missed.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "editor/editor.h"

#define ROUNDS 15

struct scene_bench {
    const char *project, *scene;
    char file[4096];
    struct buf text;
    struct loop *loop;
    bool missed;
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail_bench(const char *what, const char *why)
{
    fprintf(stderr, "scene_bench: %s: %s\n", what, why);
    exit(2);
}

static void print_row(struct scene_bench *b, const char *what, double ratio, const char *goal,
                      bool met)
{
    printf("| %s | %.3g | %s%s |\n", what, ratio, goal, met ? "" : " MISSED");
    b->missed |= !met;
}

static void at_least(struct scene_bench *b, const char *what, double ratio, double goal)
{
    char text[32];
    snprintf(text, sizeof text, "at least %g", goal);
    print_row(b, what, ratio, text, ratio >= goal);
}

static void at_most(struct scene_bench *b, const char *what, double ratio, double goal)
{
    char text[32];
    snprintf(text, sizeof text, "at most %g", goal);
    print_row(b, what, ratio, text, ratio <= goal);
}

/* ---- the created project */

static void put_file(const char *root, const char *name, struct str text)
{
    char path[4096];
    struct error err;
    snprintf(path, sizeof path, "%s/%s", root, name);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    if (!file_make_dirs(path, &err))
        fail_bench(path, err.text);
    *slash = '/';
    if (!file_replace(path, text, 0644, &err))
        fail_bench(path, err.text);
    /* The time of a file written just now does not show whether it has changed since. */
    struct timespec old[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
    utimensat(AT_FDCWD, path, old, 0);
}

static const char links[] = "  m_ObjectHideFlags: 0\n"
                            "  m_CorrespondingSourceObject: {fileID: 0}\n"
                            "  m_PrefabInstance: {fileID: 0}\n"
                            "  m_PrefabAsset: {fileID: 0}\n";

static void put_object(struct buf *b, long id, const char *name, long parent, const char *children)
{
    buf_printf(b,
               "--- !u!1 &%ld\nGameObject:\n%s  serializedVersion: 6\n  m_Component:\n"
               "  - component: {fileID: %ld}\n  - component: {fileID: %ld}\n  m_Layer: 0\n"
               "  m_Name: %s\n  m_TagString: Untagged\n  m_Icon: {fileID: 0}\n"
               "  m_NavMeshLayer: 0\n  m_StaticEditorFlags: 0\n  m_IsActive: 1\n",
               id, links, id + 1, id + 2, name);
    buf_printf(b,
               "--- !u!4 &%ld\nTransform:\n%s  m_GameObject: {fileID: %ld}\n"
               "  serializedVersion: 2\n  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n"
               "  m_LocalPosition: {x: 1.25, y: 0, z: -3}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n"
               "  m_ConstrainProportionsScale: 0\n  m_Children:%s\n  m_Father: {fileID: %ld}\n"
               "  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}\n",
               id + 1, links, id, children, parent);
    buf_printf(b,
               "--- !u!65 &%ld\nBoxCollider:\n%s  m_GameObject: {fileID: %ld}\n"
               "  m_Material: {fileID: 0}\n  m_IncludeLayers:\n    serializedVersion: 2\n"
               "    m_Bits: 0\n  m_ExcludeLayers:\n    serializedVersion: 2\n    m_Bits: 0\n"
               "  m_LayerOverridePriority: 0\n  m_IsTrigger: 0\n  m_ProvidesContacts: 0\n"
               "  m_Enabled: 1\n  serializedVersion: 3\n  m_Size: {x: 1, y: 1, z: 1}\n"
               "  m_Center: {x: 0, y: 0, z: 0}\n",
               id + 2, links, id);
}

static const char yaml_head[] = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

static void put_instance(struct buf *b, long id, const char *guid, long root)
{
    buf_printf(b,
               "--- !u!1001 &%ld\nPrefabInstance:\n  m_ObjectHideFlags: 0\n"
               "  serializedVersion: 2\n  m_Modification:\n    serializedVersion: 3\n"
               "    m_TransformParent: {fileID: 0}\n    m_Modifications:\n",
               id);
    static const char *const paths[] = {"m_LocalPosition.x", "m_LocalPosition.y",
                                        "m_LocalPosition.z", "m_LocalRotation.w"};
    for (size_t i = 0; i < 4; i++)
        buf_printf(b,
                   "    - target: {fileID: %ld, guid: %s, type: 3}\n      propertyPath: %s\n"
                   "      value: %zu\n      objectReference: {fileID: 0}\n",
                   root + 1, guid, paths[i], i);
    buf_printf(b,
               "    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n"
               "    m_AddedGameObjects: []\n    m_AddedComponents: []\n"
               "  m_SourcePrefab: {fileID: 100100000, guid: %s, type: 3}\n",
               guid);
}

#define GUID_PREFAB "11111111111111111111111111111111"
#define GUID_SCENE  "22222222222222222222222222222222"

static void put_meta(const char *root, const char *name, const char *guid)
{
    struct buf meta = {0};
    buf_printf(&meta, "fileFormatVersion: 2\nguid: %s\n", guid);
    put_file(root, name, buf_str(&meta));
    buf_done(&meta);
}

static void make_prefab(struct buf *b)
{
    buf_add(b, str_from(yaml_head));
    put_object(b, 1000, "Tree", 0, "\n  - {fileID: 2001}\n  - {fileID: 3001}");
    put_object(b, 2000, "Trunk", 1001, " []");
    put_object(b, 3000, "Crown", 1001, " []");
}

/* Groups of 10 below a root, then the instances; size scales it. */
static void make_scene(struct buf *b, long size)
{
    long id = 100000;
    struct buf roots = {0}, children = {0};
    buf_add(b, str_from(yaml_head));
    for (long i = 0; i < 180 * size; i++) {
        char name[32];
        buf_clear(&children);
        for (long c = 1; c <= 10; c++)
            buf_printf(&children, "\n  - {fileID: %ld}", id + 10 * c + 1);
        snprintf(name, sizeof name, "Group_%ld", i);
        put_object(b, id, name, 0, children.p);
        buf_printf(&roots, "  - {fileID: %ld}\n", id + 1);
        for (long c = 1; c <= 10; c++) {
            snprintf(name, sizeof name, "Part_%ld", c);
            put_object(b, id + 10 * c, name, id + 1, " []");
        }
        id += 200;
    }
    for (long i = 0; i < 200 * size; i++, id += 10) {
        put_instance(b, id, GUID_PREFAB, 1000);
        buf_printf(&roots, "  - {fileID: %ld}\n", id);
    }
    buf_printf(b,
               "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n"
               "  m_Roots:\n%s",
               roots.p);
    buf_done(&roots);
    buf_done(&children);
}

static char *make_project(long size)
{
    char folder[] = "/tmp/multiverse-bench-XXXXXX";
    struct buf text = {0};
    if (mkdtemp(folder) == NULL)
        fail_bench("a folder", "cannot be made");
    put_file(folder, "ProjectSettings/ProjectVersion.txt",
             STR("m_EditorVersion: 2022.3.56f1\nm_EditorVersionWithRevision: 2022.3.56f1 (0)\n"));
    make_prefab(&text);
    put_file(folder, "Assets/Tree.prefab", buf_str(&text));
    put_meta(folder, "Assets/Tree.prefab.meta", GUID_PREFAB);
    buf_clear(&text);
    make_scene(&text, size);
    put_file(folder, "Assets/Large.unity", buf_str(&text));
    put_meta(folder, "Assets/Large.unity.meta", GUID_SCENE);
    buf_done(&text);
    return mem_dup(folder, sizeof folder);
}

static void remove_project(char *folder)
{
    char command[4200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "scene_bench: %s is left\n", folder);
    free(folder);
}

/* ---- measurements */

static struct editor *start_editor(struct scene_bench *b)
{
    struct error err;
    struct editor *e = editor_new(
        b->loop, &(struct editor_options){.project = b->project, .scene = b->scene}, &err);
    if (e == NULL)
        fail_bench(b->project, err.text);
    return e;
}

static size_t call_tool(struct editor *e, const char *tool, const char *args, struct buf *out)
{
    struct arena a = {0};
    struct editor_error err = {0};
    buf_clear(out);
    if (!editor_run(e, str_from(tool), json_parse(&a, str_from(args), NULL, NULL), out, &err))
        fail_bench(tool, err.text);
    arena_done(&a);
    return out->n;
}

/* Everything: the project, its assets, the scene and its prefabs are read again. */
static double time_open(struct scene_bench *b, size_t *bytes)
{
    struct buf out = {0};
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double from = now_ms();
        struct editor *e = start_editor(b);
        *bytes = call_tool(e, "get_scene_hierarchy",
                           "{\"max_depth\":50,\"max_game_objects\":10000}", &out);
        double took = now_ms() - from;
        best = took < best ? took : best;
        editor_free(e);
    }
    buf_done(&out);
    return best;
}

static double time_pyyaml(struct scene_bench *b)
{
    static const char script[] = "import sys,time,re,yaml\n"
                                 "t=open(sys.argv[1],encoding='utf-8').read()\n"
                                 "t=re.sub(r'^%.*\\n','',t,flags=re.M)\n"
                                 "t=re.sub(r'^--- !u!\\S+ &\\S+( stripped)?$','---',t,flags=re.M)\n"
                                 "s=time.time()\n"
                                 "n=sum(1 for _ in yaml.load_all(t,Loader=yaml.CSafeLoader))\n"
                                 "print(time.time()-s)\n";
    char command[8192], line[64] = "";
    snprintf(command, sizeof command, "python3 -c \"%s\" '%s'", script, b->file);
    FILE *p = popen(command, "r");
    if (p == NULL || fgets(line, sizeof line, p) == NULL)
        fail_bench("PyYAML", "python3-yaml is missing");
    pclose(p);
    return strtod(line, NULL);
}

static double time_copy(struct scene_bench *b)
{
    double best = 1e9;
    char copy[4200];
    snprintf(copy, sizeof copy, "%s.copy", b->file);
    for (int i = 0; i < ROUNDS; i++) {
        double from = now_ms();
        struct buf text = {0};
        struct error err;
        if (!file_read(b->file, 1u << 30, &text, &err))
            fail_bench(b->file, err.text);
        int fd = open(copy, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
        if (fd < 0 || write(fd, text.p, text.n) != (ssize_t)text.n || fsync(fd) != 0)
            fail_bench(copy, "cannot be written");
        close(fd);
        buf_done(&text);
        double took = now_ms() - from;
        best = took < best ? took : best;
    }
    unlink(copy);
    return best;
}

/* The first collider that belongs to the scene itself. */
static double time_update(struct scene_bench *b, const char *object, int index, const char *field)
{
    struct editor *e = start_editor(b);
    struct buf out = {0};
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        char args[512];
        snprintf(args, sizeof args,
                 "{\"action\":\"update\",\"game_object_path\":\"%s\",\"index\":%d,"
                 "\"fields\":{\"%s\":%s}}",
                 object, index, field, i % 2 ? "false" : "true"); /* each one is a change */
        double from = now_ms();
        call_tool(e, "manage_component", args, &out);
        double took = now_ms() - from;
        best = took < best ? took : best;
    }
    buf_done(&out);
    editor_free(e);
    return best;
}

static double time_subtree(struct scene_bench *b)
{
    struct editor *e = start_editor(b);
    struct buf out = {0};
    double best = 1e9;
    for (int i = 0; i < 20 * ROUNDS; i++) {
        double from = now_ms();
        call_tool(e, "get_scene_hierarchy", "{\"root_path\":\"/Group_7\"}", &out);
        double took = now_ms() - from;
        best = took < best ? took : best;
    }
    buf_done(&out);
    editor_free(e);
    return best;
}

static double memory_factor(struct scene_bench *b)
{
    struct editor *e = start_editor(b);
    struct buf out = {0};
    call_tool(e, "list_scenes", "{}", &out);
    size_t open = mallinfo2().uordblks + mallinfo2().hblkhd;
    struct stat st;
    if (stat(b->file, &st) != 0)
        fail_bench(b->file, "is gone");
    editor_free(e);
    size_t without = mallinfo2().uordblks + mallinfo2().hblkhd;
    buf_done(&out);
    return (double)(open - without) / (double)st.st_size;
}

static void set_scene(struct scene_bench *b, const char *project, const char *scene)
{
    b->project = project;
    b->scene = scene;
    snprintf(b->file, sizeof b->file, "%s/%s", project, scene);
}

static void measure_all(struct scene_bench *b)
{
    size_t bytes = 0;
    struct stat st;
    double open = time_open(b, &bytes), yaml = time_pyyaml(b);
    if (stat(b->file, &st) != 0)
        fail_bench(b->file, "is gone");
    printf("%s: %.1f MB; opened, hierarchy written (%.0f KB) in %.2f ms, PyYAML %.0f ms\n\n",
           b->scene, (double)st.st_size / 1e6, (double)bytes / 1e3, open * 1e3, yaml * 1e3);
    printf("| what | ratio | goal |\n|---|---:|---:|\n");
    at_least(b, "opened, hierarchy written: times as fast as PyYAML parses it", yaml / open, 100);
    at_most(b, "memory of the open scene, by the size of its file", memory_factor(b), 4);
}

int main(int argc, char **argv)
{
    struct scene_bench b = {.loop = loop_new()};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 3) {
        set_scene(&b, argv[1], argv[2]);
        measure_all(&b);
    } else {
        char *small = make_project(1), *large = make_project(10);
        set_scene(&b, small, "Assets/Large.unity");
        measure_all(&b);
        double copy = time_copy(&b);
        double update = time_update(&b, "/Group_7", 1, "isTrigger");
        at_most(&b, "one field changed and saved, by a copy with fsync", update / copy, 5);
        double part = time_subtree(&b);
        set_scene(&b, large, "Assets/Large.unity");
        at_most(&b, "a subtree written in a scene ten times as large, by the small one",
                time_subtree(&b) / part, 2);
        printf("\nchanged and saved: %.2f ms, the copy %.2f ms; the subtree: %.1f us\n",
               update * 1e3, copy * 1e3, part * 1e6);
        remove_project(small);
        remove_project(large);
    }
    loop_free(b.loop);
    return b.missed;
}
