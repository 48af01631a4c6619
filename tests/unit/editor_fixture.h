/* The headless editor on its own small project in the current folder. */
#pragma once

#include "editor/editor.h"

#include "base/jsonw.h"
#include "bridge/catalog.h"
#include "bridge/schema.h"
#include "editor_scene.h"
#include "folder_fixture.h"

#define MAIN  "Assets/Main.unity"
#define OTHER "Assets/Levels/Other.unity"

static struct loop *loop;
static struct editor *editor;
static struct catalog *catalog;
static struct buf answer; /* of the last call: JSON with ' for every " */
static struct editor_error failure;

/* Assets/Levels/Other.unity is the first of the build, Assets/Main.unity the one enabled. */
static inline void put_project(void)
{
    put(MAIN, SCENE_TEXT);
    put_meta(MAIN, "0000000000000000000000000000000a");
    put(OTHER, SCENE_OTHER);
    put_meta(OTHER, "0000000000000000000000000000000b");
    put_meta("Assets/Levels", "0000000000000000000000000000000c");
    put("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.56f1\n");
    put("ProjectSettings/EditorBuildSettings.asset",
        SCENE_HEAD "--- !u!1045 &1\n"
                   "EditorBuildSettings:\n"
                   "  m_ObjectHideFlags: 0\n"
                   "  serializedVersion: 2\n"
                   "  m_Scenes:\n"
                   "  - enabled: 0\n"
                   "    path: " OTHER "\n"
                   "    guid: 0000000000000000000000000000000b\n"
                   "  - enabled: 1\n"
                   "    path: " MAIN "\n"
                   "    guid: 0000000000000000000000000000000a\n"
                   "  m_configObjects: {}\n");
}

static inline int setup(void **state)
{
    struct limits limits;
    if (!enter_folder())
        return -1;
    limits_init(&limits);
    catalog = catalog_new(&limits);
    loop = loop_new();
    put_project();
    return 0;
}

static inline int teardown(void **state)
{
    editor_free(editor);
    editor = NULL;
    loop_free(loop);
    catalog_free(catalog);
    buf_done(&answer);
    editor_error_done(&failure);
    return !leave_folder();
}

static inline void open_editor(const struct editor_options *more)
{
    struct editor_options options = more ? *more : (struct editor_options){0};
    struct error err = {0};
    options.project = project_folder;
    editor = editor_new(loop, &options, &err);
    if (!editor)
        fail_msg("%s", err.text);
}

static inline void quotes(struct buf *b, char from, char to)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->p[i] == from)
            b->p[i] = to;
}

/* Arguments with ' for every ". A successful answer is checked against the schema of the tool. */
static inline bool run(const char *tool, const char *arguments)
{
    struct arena a = {0};
    struct buf args = {0};
    struct error err = {0};
    struct tool_args common;
    const struct tool *t = catalog_find(catalog, str_from(tool));
    assert_non_null(t);
    buf_add(&args, str_from(arguments));
    quotes(&args, '\'', '"');
    const struct json *parsed = json_parse(&a, buf_str(&args), NULL, NULL);
    if (!catalog_check(t, parsed, &common, &err))
        fail_msg("%s", err.text);
    buf_clear(&answer);
    editor_error_done(&failure);
    bool ok = editor_run(editor, str_from(tool), parsed, &answer, &failure);
    if (ok && !schema_check(t->output, json_parse(&a, buf_str(&answer), NULL, NULL), &err))
        fail_msg("%s: %s", err.text, answer.p);
    assert_true(ok || answer.n == 0);
    quotes(&answer, '"', '\'');
    buf_done(&args);
    arena_done(&a);
    return ok;
}

#define ANSWERS(tool, arguments, want)                                                             \
    do {                                                                                           \
        if (!run(tool, arguments))                                                                 \
            fail_msg("%s: %s", failure.code, failure.text);                                        \
        CHECK_CSTR(buf_str(&answer), want);                                                        \
    } while (0)
#define REFUSES(tool, arguments, code_, text_)                                                     \
    do {                                                                                           \
        assert_false(run(tool, arguments));                                                        \
        CHECK_CSTR(str_from(failure.code), code_);                                                 \
        if (!strstr(failure.text, text_))                                                          \
            fail_msg("%s", failure.text);                                                          \
    } while (0)

static inline bool answer_has(const char *part)
{
    return str_find(buf_str(&answer), str_from(part)) < answer.n;
}

static inline void check_file(const char *path, const char *want)
{
    struct buf got = {0};
    assert_true(file_read(path, 1 << 20, &got, NULL));
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}
