#include "unity/project_settings.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "unity/yaml.h"

/* A file of ProjectSettings. */
struct settings_file {
    struct buf text;
    struct yaml_file file;
    struct yaml_value body; /* of its first document */
};

static struct str copy_text(struct project *p, struct yaml_value v)
{
    return arena_str(&p->arena, yaml_text(&p->arena, v));
}

/* ---- files */

/* A missing file is not reported: Unity has defaults. */
static bool read_text(const struct project *p, const char *name, struct buf *text,
                      const struct diagnostic_sink *sink)
{
    struct error err = {0};
    struct buf path = {0}, shown = {0};
    buf_printf(&path, "%s/ProjectSettings/%s", p->root, name);
    buf_printf(&shown, "ProjectSettings/%s", name);
    bool ok = file_read(path.p, PROJECT_SETTINGS_MAX_BYTES, text, &err);
    if (!ok && file_exists(path.p))
        diagnostic_report(sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                               .kind = DIAGNOSTIC_UNREADABLE,
                                               .file = buf_str(&shown)},
                          "%s", err.text);
    buf_done(&path);
    buf_done(&shown);
    return ok;
}

static void settings_done(struct settings_file *s)
{
    yaml_done(&s->file);
    buf_done(&s->text);
    *s = (struct settings_file){0};
}

/* Return false if there is nothing to read; then settings_done() is not necessary. */
static bool settings_open(struct settings_file *s, const struct project *p, const char *name,
                          const struct diagnostic_sink *sink)
{
    struct yaml_error error = {0};
    *s = (struct settings_file){0};
    if (!read_text(p, name, &s->text, sink)) {
        buf_done(&s->text);
        return false;
    }
    bool ok = yaml_split(&s->file, buf_str(&s->text), &error);
    if (!ok) {
        struct buf shown = {0};
        buf_printf(&shown, "ProjectSettings/%s", name);
        diagnostic_report(sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                               .kind = DIAGNOSTIC_UNREADABLE,
                                               .file = buf_str(&shown),
                                               .line = error.line,
                                               .column = error.column},
                          "cannot read these settings: %s", error.text);
        buf_done(&shown);
    }
    if (!ok || s->file.count == 0) {
        settings_done(s);
        return false;
    }
    s->body = yaml_body(&s->file, &s->file.docs[0]);
    return true;
}

/* ---- settings */

static void read_version(struct project *p, const struct diagnostic_sink *sink)
{
    struct buf text = {0};
    if (read_text(p, "ProjectVersion.txt", &text, sink)) {
        struct yaml_value v = yaml_get(yaml_plain(buf_str(&text)), STR("m_EditorVersion"));
        p->version_text = copy_text(p, v);
    }
    if (!version_parse(p->version_text, &p->version)) {
        p->version = (struct version){0};
        diagnostic_report(sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                               .file = STR("ProjectSettings/ProjectVersion.txt")},
                          "unknown editor version: expected m_EditorVersion, such as 2022.3.56f1");
    }
    buf_done(&text);
}

static void read_editor(struct project *p, const struct diagnostic_sink *sink)
{
    struct settings_file s;
    int64_t n;
    p->text_assets = true;
    if (!settings_open(&s, p, "EditorSettings.asset", sink))
        return;
    if (yaml_i64(yaml_get(s.body, STR("m_SerializationMode")), &n))
        p->text_assets = n == 2;
    if (yaml_i64(yaml_get(s.body, STR("m_SerializeInlineMappingsOnOneLine")), &n))
        p->inline_maps = n != 0;
    settings_done(&s);
}

static void read_scenes(struct project *p, const struct diagnostic_sink *sink)
{
    struct settings_file s;
    struct yaml_item item;
    size_t cap = 0;
    struct project_scene *scenes = NULL;
    if (!settings_open(&s, p, "EditorBuildSettings.asset", sink))
        return;
    struct yaml_walk w = yaml_walk(yaml_get(s.body, STR("m_Scenes")));
    while (p->build_scene_count < PROJECT_MAX_SCENES && yaml_next(&w, &item)) {
        struct str path = copy_text(p, yaml_get(item.value, STR("path")));
        int64_t enabled = 0;
        if (path.n == 0)
            continue;
        yaml_i64(yaml_get(item.value, STR("enabled")), &enabled);
        mem_grow((void **)&scenes, &cap, p->build_scene_count + 1, sizeof *scenes);
        scenes[p->build_scene_count++] = (struct project_scene){path, enabled != 0};
    }
    size_t bytes = p->build_scene_count * sizeof *scenes;
    p->build_scenes = arena_alloc(&p->arena, bytes);
    if (bytes)
        memcpy(p->build_scenes, scenes, bytes);
    free(scenes);
    settings_done(&s);
}

/* A list since Unity 5; before that, "Builtin Layer 0: Default" and "User Layer 8: Ground". */
static void read_layers(struct project *p, const struct diagnostic_sink *sink)
{
    struct settings_file s;
    struct yaml_item item;
    size_t count = sizeof p->layers / sizeof *p->layers, i = 0;
    if (!settings_open(&s, p, "TagManager.asset", sink))
        return;
    struct yaml_walk w = yaml_walk(yaml_get(s.body, STR("layers")));
    while (i < count && yaml_next(&w, &item))
        p->layers[i++] = copy_text(p, item.value);
    w = yaml_walk(s.body);
    while (i == 0 && yaml_next(&w, &item)) {
        struct str number = item.key;
        uint64_t layer;
        if (str_starts(item.key, STR("Builtin Layer ")))
            number = str_skip(item.key, STR("Builtin Layer ").n);
        else if (str_starts(item.key, STR("User Layer ")))
            number = str_skip(item.key, STR("User Layer ").n);
        if (str_to_u64(number, &layer) && layer < count)
            p->layers[layer] = copy_text(p, item.value);
    }
    settings_done(&s);
}

/* ---- scripting symbols */

struct symbol_list {
    struct str *list;
    size_t count, cap;
};

static void add_symbol(struct symbol_list *s, struct str name)
{
    for (size_t i = 0; i < s->count; i++)
        if (str_eq(s->list[i], name))
            return;
    if (name.n == 0 || s->count >= PROJECT_MAX_DEFINES)
        return;
    mem_grow((void **)&s->list, &s->cap, s->count + 1, sizeof *s->list);
    s->list[s->count++] = name;
}

static void add_symbols(struct symbol_list *s, struct str list)
{
    while (list.n) {
        size_t n = 0;
        while (n < list.n && !strchr(";, \t\r\n", list.p[n]))
            n++;
        add_symbol(s, str_head(list, n));
        list = str_skip(list, n + 1);
    }
}

/* The first and last minor version of each major version. */
static const struct {
    uint16_t major, first, last;
} eras[] = {{5, 3, 6},    {2017, 1, 4}, {2018, 1, 4}, {2019, 1, 4}, {2020, 1, 3},
            {2021, 1, 3}, {2022, 1, 3}, {2023, 1, 3}, {6000, 0, 7}};

static void add_versions(struct project *p, struct symbol_list *s)
{
    struct version v = p->version;
    size_t count = sizeof eras / sizeof *eras;
    bool any = !version_is_known(v); /* treat it as the newest */
    for (size_t i = 0; i < count; i++) {
        /* Minor versions newer than this table are included. */
        unsigned last = eras[i].last;
        if (!any && v.major == eras[i].major && i + 1 == count && v.minor > last)
            last = v.minor < last + 100u ? v.minor : last + 100u;
        for (unsigned minor = eras[i].first; minor <= last; minor++)
            if (any || eras[i].major < v.major || (eras[i].major == v.major && minor <= v.minor))
                add_symbol(s, arena_printf(&p->arena, "UNITY_%u_%u_OR_NEWER",
                                           (unsigned)eras[i].major, minor));
    }
    if (any)
        return;
    if (v.major > eras[count - 1].major)
        for (unsigned minor = 0; minor <= v.minor && minor < 100; minor++)
            add_symbol(s, arena_printf(&p->arena, "UNITY_%u_%u_OR_NEWER", v.major, minor));
    add_symbol(s, arena_printf(&p->arena, "UNITY_%u", v.major));
    add_symbol(s, arena_printf(&p->arena, "UNITY_%u_%u", v.major, v.minor));
    add_symbol(s, arena_printf(&p->arena, "UNITY_%u_%u_%u", v.major, v.minor, v.patch));
}

#if defined __APPLE__
#define EDITOR_SYMBOLS "UNITY_EDITOR_OSX;UNITY_STANDALONE_OSX;PLATFORM_STANDALONE_OSX"
#elif defined _WIN32
#define EDITOR_SYMBOLS "UNITY_EDITOR_WIN;UNITY_STANDALONE_WIN;PLATFORM_STANDALONE_WIN"
#else
#define EDITOR_SYMBOLS "UNITY_EDITOR_LINUX;UNITY_STANDALONE_LINUX;PLATFORM_STANDALONE_LINUX"
#endif

/* The symbols of an editor that builds for this machine. */
static void add_editor(const struct project *p, struct symbol_list *s)
{
    add_symbols(s, STR("UNITY_EDITOR;UNITY_EDITOR_64;UNITY_64;UNITY_STANDALONE;"
                       "PLATFORM_STANDALONE;" EDITOR_SYMBOLS ";ENABLE_MONO;UNITY_ASSERTIONS;"
                       "UNITY_INCLUDE_TESTS;DEBUG;TRACE;CSHARP_7_OR_LATER;CSHARP_7_3_OR_NEWER;"
                       "NET_STANDARD"));
    struct version first = {.major = 2021, .minor = 2};
    bool is_new = !version_is_known(p->version) || version_cmp(p->version, first) >= 0;
    add_symbols(s, is_new ? STR("NET_STANDARD_2_1;NETSTANDARD2_1;NETSTANDARD")
                          : STR("NET_STANDARD_2_0"));
}

static void read_defines(struct project *p, const struct diagnostic_sink *sink)
{
    struct settings_file s;
    struct symbol_list symbols = {0};
    int64_t input = 0; /* 0: old input, 1: new input, 2: both */
    if (settings_open(&s, p, "ProjectSettings.asset", sink)) {
        struct yaml_value groups = yaml_get(s.body, STR("scriptingDefineSymbols"));
        struct yaml_value ours = yaml_get(groups, STR("Standalone"));
        if (ours.kind == YAML_NONE) /* before 2021.2: the number of the platform */
            ours = yaml_get(groups, STR("1"));
        add_symbols(&symbols, copy_text(p, ours));
        yaml_i64(yaml_get(s.body, STR("activeInputHandler")), &input);
        settings_done(&s);
    }
    if (input != 1)
        add_symbol(&symbols, STR("ENABLE_LEGACY_INPUT_MANAGER"));
    if (input != 0)
        add_symbol(&symbols, STR("ENABLE_INPUT_SYSTEM"));
    add_editor(p, &symbols);
    add_versions(p, &symbols);
    size_t bytes = symbols.count * sizeof *symbols.list;
    p->defines = arena_alloc(&p->arena, bytes);
    memcpy(p->defines, symbols.list, bytes);
    p->define_count = symbols.count;
    free(symbols.list);
}

void project_settings_read(struct project *p, const struct diagnostic_sink *sink)
{
    read_version(p, sink);
    read_editor(p, sink);
    read_scenes(p, sink);
    read_layers(p, sink);
    read_defines(p, sink);
}
