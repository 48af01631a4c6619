/* Opens a scene with instances of a prefab and reads everything in it.
 *
 * Input: the text of the prefab, a NUL byte, the text of the scene. The prefab has the GUID
 * aaaa...; there is also a model with bbbb... */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "unity/scene.h"

#define MAX_ASKED 64u /* nodes whose bodies are read */

static struct project project;
static struct assets *assets;
static char folder[64];

static void write_file(const char *name, struct str text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert(f && (text.n == 0 || fwrite(text.p, 1, text.n, f) == text.n));
    fclose(f);
}

static void clean_up(void)
{
    char command[128];
    assets_close(assets);
    project_done(&project);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", folder);
}

static void set_up(void)
{
    static const struct diagnostic_sink nobody = {0};
    char path[128];
    snprintf(folder, sizeof folder, "/tmp/multiverse_fuzz.XXXXXX");
    assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/Assets", folder);
    assert(file_make_dirs(path, NULL));
    write_file("Assets/A.prefab", STR(""));
    write_file("Assets/A.prefab.meta",
               STR("fileFormatVersion: 2\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"));
    write_file("Assets/B.fbx", STR(""));
    write_file("Assets/B.fbx.meta",
               STR("fileFormatVersion: 2\nguid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\nModelImporter:\n"
                   "  fileIDToRecycleName:\n    100000: //RootNode\n    100002: Arm\n"
                   "    400000: //RootNode\n    400002: Arm\n"));
    assert(project_open(&project, folder, &nobody, NULL));
    assets = assets_open(&project, &nobody);
    atexit(clean_up);
}

/* Invariants of every scene. */
static void check_tree(const struct scene *s)
{
    size_t roots = 0, total = 0;
    for (uint32_t i = 0; i < s->node_count; i++) {
        const struct scene_node *n = &s->nodes[i];
        size_t below = 1;
        assert(n->parent == SCENE_NONE || n->parent < i);
        assert(n->component_first + n->component_count <= s->component_count);
        assert((n->doc != NULL) == (n->instance == SCENE_NONE));
        for (uint32_t k = n->first_child; k != SCENE_NONE; k = s->nodes[k].next) {
            assert(s->nodes[k].parent == i);
            below += s->nodes[k].total;
        }
        assert(below == n->total);
        if (n->parent == SCENE_NONE)
            total += n->total;
    }
    for (uint32_t i = s->first_root; i != SCENE_NONE; i = s->nodes[i].next)
        roots++;
    assert(roots == s->root_count && total == s->node_count);
}

static void read_node(const struct scene *s, uint32_t node, struct arena *a)
{
    struct buf path = {0};
    struct scene_place at;
    struct reference target;
    scene_put_path(s, node, &path);
    assert(utf8_is_valid(buf_str(&path)) && scene_find(s, buf_str(&path)) == node);
    buf_done(&path);
    scene_prefab_path(s, node);
    assert(!s->nodes[node].id || scene_where(s, s->nodes[node].id, &at));
    assert(scene_target(s, (struct scene_place){node, SCENE_NONE}, &target) ==
           (s->nodes[node].instance != SCENE_NONE));
    scene_body(s, node, SCENE_NONE, a);
    for (uint32_t i = 0; i < s->nodes[node].component_count && i < MAX_ASKED; i++) {
        struct yaml_value body = scene_body(s, node, i, a);
        yaml_path(body, STR("m_LocalPosition.x"));
        scene_target(s, (struct scene_place){node, i}, &target);
        assert(!scene_is_partial(s, node, i) || scene_class_name(s, node, i).n == 0);
    }
    arena_reset(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct str scene = {(const char *)bytes, n}, prefab = {0};
    struct buf text = {0};
    struct arena a = {0};
    if (!assets)
        set_up();
    if (str_find_char(scene, 0) < n)
        str_cut(&scene, 0, &prefab);
    write_file("Assets/A.prefab", prefab);
    struct scenes *all = scenes_new(&project, assets, NULL);
    buf_add(&text, scene);
    struct scene *s = scenes_load(all, STR("Assets/S.unity"), &text, NULL);
    if (s) {
        check_tree(s);
        for (uint32_t i = 0; i < s->node_count && i < MAX_ASKED; i++)
            read_node(s, i, &a);
    }
    scenes_close(s);
    scenes_free(all);
    arena_done(&a);
    buf_done(&text);
    return 0;
}
