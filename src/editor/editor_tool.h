/* A tool of the headless editor: one file each, one row in editor_tools.c.
 *
 *     static bool run(struct editor_call *c)
 *     {
 *         const struct scene *s = open_scene_get(c->open_scene, c->err);
 *         if (s == NULL) return false;
 *         jsonw_object(c->out); ... jsonw_end(c->out);
 *         return true;
 *     }
 *     const struct editor_tool tool_list_scenes = {"list_scenes", run};
 *
 * The arguments were checked against the catalog's schema, with defaults filled in or not: a tool
 * reads an absent argument as its default. What is written to out before a failure is dropped.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "editor/editor_error.h"
#include "editor/open_scene.h"
#include "unity/asset_contents.h"
#include "unity/asset_object.h"

struct console_log;
struct editor;

struct editor_call {
    struct editor *editor;
    const struct project *project;
    struct assets *assets;
    struct types *types;
    const struct asset_db *db;             /* the same two, and where prefabs are opened */
    struct asset_contents_cache *contents; /* what files of assets hold, as far as somebody asked */
    struct open_scene *open_scene;
    struct console_log *console;
    const struct json *args;
    struct arena *arena; /* of this call */
    struct jsonw *out;   /* one object */
    struct editor_error *err;
};

struct editor_tool {
    const char *name;
    bool (*run)(struct editor_call *c);
};

extern const struct editor_tool *const editor_tools[]; /* sorted by name; NULL ends */
const struct editor_tool *editor_tool_find(struct str name);
