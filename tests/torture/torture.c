/* Shows, changes and restores every component of every scene of a project.
 *
 *     build/tests/torture PROJECT [LIMIT]
 *
 * For each scene: the hierarchy; for each component get_component_info, then an update of plain
 * fields with the value they have, which changes no byte (but where an old editor wrote numbers in
 * another form: counted), and with another one, which must be read back; for some GameObjects a
 * component is added, removed and moved. After each change undo must give the file back byte for
 * byte. The project is changed while this runs: work on a copy.
 * LIMIT bounds the components that are changed in one scene. Prints counts, ends with 1 on a fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/jsonw.h"
#include "editor/editor.h"

struct torture {
    struct loop *loop;
    struct editor *editor;
    const char *project;
    char file[4096];
    struct buf before; /* the scene before the changes */
    struct buf out;
    struct buf args;
    size_t limit, changed_here;
    size_t scenes, objects, components, updates, adds, removes, moves, refused, rewritten, faults;
};

static void count_fault(struct torture *t, const char *what)
{
    t->faults++;
    printf("FAULT %s: %s\n  %.*s\n", t->file, what, STR_ARG(str_head(buf_str(&t->args), 300)));
}

/* False: the tool refused; text is the reason. */
static bool call_tool(struct torture *t, const char *tool, char *text, size_t room)
{
    struct arena a = {0};
    struct editor_error err = {0};
    const struct json *args = json_parse(&a, buf_str(&t->args), NULL, NULL);
    buf_clear(&t->out);
    bool ok = editor_run(t->editor, str_from(tool), args, &t->out, &err);
    if (!ok && text)
        snprintf(text, room, "%s: %s", err.code ? err.code : "", err.text);
    editor_error_done(&err);
    arena_done(&a);
    return ok;
}

static void read_scene(struct torture *t, struct buf *to)
{
    struct error err;
    buf_clear(to);
    if (!file_read(t->file, 1u << 30, to, &err))
        count_fault(t, err.text);
}

static bool is_as_before(struct torture *t)
{
    struct buf now = {0};
    read_scene(t, &now);
    bool same = str_eq(buf_str(&now), buf_str(&t->before));
    buf_done(&now);
    return same;
}

static void take_back(struct torture *t)
{
    struct buf kept = t->args;
    t->args = (struct buf){0};
    buf_add(&t->args, STR("{}"));
    char text[1200];
    if (!call_tool(t, "undo", text, sizeof text))
        count_fault(t, text);
    buf_done(&t->args);
    t->args = kept;
    if (!is_as_before(t)) {
        count_fault(t, "undo did not restore the file");
        struct error err;
        file_replace(t->file, buf_str(&t->before), 0644, &err);
    }
}

static void begin_call(struct torture *t, struct jsonw *w, const char *action, struct str path,
                       int64_t index)
{
    buf_clear(&t->args);
    *w = jsonw_make(&t->args);
    jsonw_object(w);
    if (action)
        jsonw_kcstr(w, "action", action);
    jsonw_kstr(w, "game_object_path", path);
    if (index >= 0)
        jsonw_kint(w, "index", index);
}

/* ---- fields */

static void read_component(struct torture *t, struct str path, int64_t index)
{
    struct jsonw w;
    begin_call(t, &w, NULL, path, index);
    jsonw_end(&w);
}

/* Write another value of the same kind. */
static void put_other(struct jsonw *w, const struct json *value)
{
    double d = 0;
    if (json_is(value, JSON_BOOL))
        jsonw_bool(w, !json_bool(value));
    else if (json_is(value, JSON_STRING))
        jsonw_cstr(w, "other: [text] #1, 'quoted'\n\xc3\xa9");
    else if (json_double(value, &d))
        jsonw_int(w, d == 1 ? 2 : 1);
}

static bool is_equal(const struct json *shown, struct str wanted)
{
    struct arena a = {0};
    const struct json *w = json_parse(&a, wanted, NULL, NULL);
    double x = 0, y = 1;
    bool same = json_equal(shown, w) || (json_double(shown, &x) && json_double(w, &y) && x == y);
    arena_done(&a);
    return same;
}

struct plain_field {
    struct str path; /* of its GameObject */
    int64_t index;
    struct str name;
    const struct json *value;
};

static void update_field(struct torture *t, const struct plain_field *f, bool other)
{
    struct str path = f->path, name = f->name;
    int64_t index = f->index;
    const struct json *value = f->value;
    struct jsonw w;
    char text[1200];
    struct buf wanted = {0};
    struct jsonw v = jsonw_make(&wanted);
    if (other)
        put_other(&v, value);
    else
        jsonw_value(&v, value);
    begin_call(t, &w, "update", path, index);
    jsonw_key(&w, "fields");
    jsonw_object(&w);
    jsonw_key_str(&w, name);
    jsonw_raw(&w, buf_str(&wanted));
    jsonw_end(&w);
    jsonw_end(&w);
    if (!call_tool(t, "manage_component", text, sizeof text)) {
        bool is_enum = other && strstr(text, "ERR_INVALID_PARAMS"); /* a range, an enum */
        if (!is_enum)
            count_fault(t, text);
        t->refused++;
        buf_done(&wanted);
        return;
    }
    t->updates++;
    struct buf kept = t->args;
    t->args = (struct buf){0};
    read_component(t, path, index);
    struct arena a = {0};
    if (call_tool(t, "get_component_info", text, sizeof text)) {
        const struct json *answer = json_parse(&a, buf_str(&t->out), NULL, NULL);
        const struct json *now = json_get(json_get(answer, STR("fields")), name);
        if (now == NULL || !is_equal(now, buf_str(&wanted)))
            count_fault(t, "the value read back differs");
    } else {
        count_fault(t, text);
    }
    arena_done(&a);
    buf_done(&t->args);
    t->args = kept;
    buf_done(&wanted);
    if (!is_as_before(t)) {
        t->rewritten += !other;
        take_back(t);
    } else if (other)
        count_fault(t, "another value changed nothing");
}

static void change_fields(struct torture *t, struct str path, int64_t index, struct str info)
{
    struct arena a = {0};
    const struct json *answer = json_parse(&a, arena_str(&a, info), NULL, NULL);
    size_t n = 0;
    JSON_EACH (json_get(answer, STR("fields")), k) {
        const struct json *value = json_next(k);
        struct str name = arena_str(&a, json_str(k));
        if (json_is(value, JSON_OBJECT) || json_is(value, JSON_NULL) || n++ >= 4)
            continue;
        struct plain_field f = {path, index, name, value};
        update_field(t, &f, false);
        update_field(t, &f, true);
    }
    arena_done(&a);
}

/* ---- components */

/* Whether the text is an expected refusal, not a failure. */
static bool is_refusal(const char *text)
{
    static const char *const codes[] = {"ERR_INVALID_PARAMS", "ERR_INVALID_COMPONENT_TYPE",
                                        "ERR_COMPONENT_DEPENDENCY", "ERR_MISSING_SCRIPT",
                                        "ERR_UNSUPPORTED_HEADLESS"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strncmp(text, codes[i], strlen(codes[i])) == 0)
            return true;
    return false;
}

static void count_change(struct torture *t, const char *what, size_t *count)
{
    char text[1200];
    if (!call_tool(t, "manage_component", text, sizeof text)) {
        t->refused++;
        if (!is_refusal(text))
            count_fault(t, text);
        return;
    }
    ++*count;
    if (is_as_before(t))
        count_fault(t, what);
    else
        take_back(t);
}

static void change_components(struct torture *t, struct str path, int64_t count)
{
    static const char *const types[] = {"UnityEngine.AudioSource", "BoxCollider", "Light",
                                        "UnityEngine.Rigidbody", "UnityEngine.UI.Image"};
    struct jsonw w;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        begin_call(t, &w, "add", path, i % 2 && count > 0 ? count : -1);
        jsonw_kcstr(&w, "component_type", types[i]);
        jsonw_end(&w);
        count_change(t, "an added component changed nothing", &t->adds);
    }
    for (int64_t i = 1; i < count && i < 4; i++) {
        begin_call(t, &w, "remove", path, i);
        jsonw_end(&w);
        count_change(t, "a removed component changed nothing", &t->removes);
    }
    if (count > 2) {
        begin_call(t, &w, "move", path, 1);
        jsonw_kint(&w, "new_index", count - 1);
        jsonw_end(&w);
        count_change(t, "a moved component changed nothing", &t->moves);
    }
}

static void try_object(struct torture *t, const struct json *node)
{
    char text[1200];
    struct str path = json_str(json_get(node, STR("path")));
    const struct json *types = json_get(node, STR("components"));
    int64_t count = (int64_t)json_count(types), i = 0;
    t->objects++;
    JSON_ITEMS (types, type) {
        t->components++;
        read_component(t, path, i);
        bool ok = call_tool(t, "get_component_info", text, sizeof text);
        if (!ok && !(json_is(type, JSON_NULL) && strstr(text, "ERR_MISSING_SCRIPT")))
            count_fault(t, text);
        if (ok && t->changed_here < t->limit) {
            t->changed_here++;
            struct buf info = t->out;
            t->out = (struct buf){0};
            change_fields(t, path, i, buf_str(&info));
            buf_done(&info);
        }
        i++;
    }
    if (t->changed_here < t->limit && t->objects % 7 == 0)
        change_components(t, path, count);
}

static void try_nodes(struct torture *t, const struct json *nodes)
{
    JSON_ITEMS (nodes, node) {
        try_object(t, node);
        if (json_is(json_get(node, STR("children")), JSON_ARRAY))
            try_nodes(t, json_get(node, STR("children")));
    }
}

static void try_scene(struct torture *t, struct str path)
{
    char text[1200];
    struct jsonw w;
    t->scenes++;
    t->changed_here = 0;
    snprintf(t->file, sizeof t->file, "%s/%.*s", t->project, STR_ARG(path));
    read_scene(t, &t->before);
    buf_clear(&t->args);
    w = jsonw_make(&t->args);
    jsonw_object(&w);
    jsonw_kstr(&w, "path", path);
    jsonw_end(&w);
    if (!call_tool(t, "open_scene", text, sizeof text)) {
        count_fault(t, text);
        return;
    }
    buf_clear(&t->args);
    buf_add(&t->args, STR("{\"max_depth\":50,\"max_game_objects\":10000}"));
    if (!call_tool(t, "get_scene_hierarchy", text, sizeof text)) {
        count_fault(t, text);
        return;
    }
    struct arena a = {0};
    const struct json *answer = json_parse(&a, arena_str(&a, buf_str(&t->out)), NULL, NULL);
    try_nodes(t, json_get(answer, STR("root_game_objects")));
    arena_done(&a);
}

int main(int argc, char **argv)
{
    struct error err;
    struct torture t = {.loop = loop_new(), .limit = 200};
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: torture PROJECT [LIMIT]\n");
        return 2;
    }
    t.project = argv[1];
    if (argc == 3)
        t.limit = strtoul(argv[2], NULL, 10);
    t.editor = editor_new(t.loop, &(struct editor_options){.project = argv[1]}, &err);
    if (t.editor == NULL) {
        fprintf(stderr, "torture: %s\n", err.text);
        return 2;
    }
    buf_add(&t.args, STR("{\"max_results\":1000}"));
    if (!call_tool(&t, "list_scenes", err.text, sizeof err.text)) {
        fprintf(stderr, "torture: %s\n", err.text);
        return 2;
    }
    struct arena a = {0};
    const struct json *list = json_parse(&a, arena_str(&a, buf_str(&t.out)), NULL, NULL);
    JSON_ITEMS (json_get(list, STR("scenes")), scene) {
        try_scene(&t, json_str(json_get(scene, STR("path"))));
    }
    printf(
        "%zu scenes, %zu objects, %zu components: %zu updates, %zu added, %zu removed, %zu moved, "
        "%zu refused, %zu rewritten, %zu faults\n",
        t.scenes, t.objects, t.components, t.updates, t.adds, t.removes, t.moves, t.refused,
        t.rewritten, t.faults);
    arena_done(&a);
    editor_free(t.editor);
    loop_free(t.loop);
    buf_done(&t.before);
    buf_done(&t.out);
    buf_done(&t.args);
    return t.faults > 0;
}
