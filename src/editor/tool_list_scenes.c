#include "editor/editor_tool.h"
#include "editor/pattern.h"
#include "editor/scene_name.h"
#include "editor/tool_page.h"
#include "unity/project.h"

struct scene_search {
    struct editor_call *c;
    struct pattern *pattern; /* NULL: all */
    struct str *paths;
    size_t count;
};

/* The name or the whole path may match: "^Main$", "Levels/". */
static enum pattern_result match_scene(struct pattern *p, struct str path)
{
    enum pattern_result r = p ? pattern_match(p, scene_name(path)) : PATTERN_YES;
    return r == PATTERN_NO ? pattern_match(p, path) : r;
}

static bool collect_scenes(struct scene_search *l)
{
    size_t count;
    struct assets *a = l->c->assets;
    const uint32_t *all = assets_named(a, (struct str){0}, STR(".unity"), &count);
    l->paths = arena_alloc(l->c->arena, count * sizeof *l->paths);
    for (size_t i = 0; i < count; i++) {
        struct asset asset = assets_at(a, all[i]);
        if (asset.is_folder || asset.is_missing)
            continue;
        enum pattern_result wanted = match_scene(l->pattern, asset.path);
        if (wanted == PATTERN_TOO_SLOW)
            return pattern_refuse_slow(l->pattern, l->c->err);
        if (wanted == PATTERN_YES)
            l->paths[l->count++] = asset.path;
    }
    return true;
}

static void put_scene(struct scene_search *l, struct str path)
{
    struct jsonw *w = l->c->out;
    int64_t index = 0;
    bool in_build = false;
    for (size_t i = 0; i < l->c->project->build_scene_count && !in_build; i++) {
        const struct project_scene *b = &l->c->project->build_scenes[i];
        in_build = b->enabled && str_eq(b->path, path);
        index += b->enabled && !in_build; /* disabled scenes have no index */
    }
    jsonw_object(w);
    jsonw_kstr(w, "path", path);
    jsonw_kbool(w, "active", str_eq(path, open_scene_path(l->c->open_scene)));
    jsonw_kbool(w, "in_build", in_build);
    if (in_build)
        jsonw_kint(w, "build_index", index);
    jsonw_end(w);
}

static void put_scenes(struct scene_search *l)
{
    struct jsonw *w = l->c->out;
    uint64_t max = tool_arg_u64(l->c->args, "max_results", 100);
    struct tool_page page = tool_page(l->c->args, max, l->count);
    jsonw_object(w);
    jsonw_key(w, "scenes");
    jsonw_array(w);
    for (size_t i = page.from; i < page.to; i++)
        put_scene(l, l->paths[i]);
    jsonw_end(w);
    tool_page_put(w, &page);
    jsonw_end(w);
}

static bool list_scenes(struct editor_call *c)
{
    struct scene_search l = {.c = c};
    struct str pattern = tool_arg_str(c->args, "name_pattern");
    bool ok = !pattern.n || (l.pattern = pattern_new("name_pattern", pattern, c->err));
    ok = ok && collect_scenes(&l);
    if (ok)
        put_scenes(&l);
    pattern_free(l.pattern);
    return ok;
}

const struct editor_tool tool_list_scenes = {"list_scenes", list_scenes};
