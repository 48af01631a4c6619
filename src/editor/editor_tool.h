/* A tool of the headless editor: one file each, one row in editor_tools.c.
 *
 *     static bool list_scenes(struct editor_call *c)
 *     {
 *         const struct scene *s = open_scene_get(c->open_scene, c->err);
 *         if (s == NULL) return false;
 *         jsonw_object(c->out); ... jsonw_end(c->out);
 *         return true;
 *     }
 *     const struct editor_tool tool_list_scenes = {"list_scenes", list_scenes};
 *
 * The arguments were checked against the schema of the catalog. Defaults may be filled in or not: a
 * tool reads an absent argument as its default. After a failure, what was written to out is
 * dropped.
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
    const struct asset_db *db;             /* assets, types, and the cache of prefabs */
    struct asset_contents_cache *contents; /* contents of asset files, read on demand */
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
