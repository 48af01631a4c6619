#include "editor/scene_report.h"

#include "base/map.h"
#include "editor/value.h"

#define REPORT_MAX 100u
#define SCRIPT     114 /* the class id of every MonoBehaviour */

struct scene_scan {
    const struct scene *scene;
    struct types *types;
    const struct diagnostic_sink *sink;
    struct map known; /* script -> &yes or &no: each is resolved once */
    size_t missing;
};

static bool is_known(struct scene_scan *r, const struct scene_component *c)
{
    static char yes, no;
    struct {
        struct guid guid;
        int64_t file_id;
    } key = {c->script.guid, c->script.file_id};
    struct str bytes = str_make((const char *)&key, sizeof key);
    const char *known = map_get(&r->known, bytes);
    if (!known) {
        known = types_component(r->types, c->class_id, c->script, STR("")) ? &yes : &no;
        map_set(&r->known, bytes, (char *)(uintptr_t)known);
    }
    return known == &yes;
}

static void check_component(struct scene_scan *r, uint32_t node, uint32_t index)
{
    const struct scene_component *c = scene_component(r->scene, node, index);
    if (c->class_id != 0 &&
        (c->class_id != SCRIPT || is_known(r, c) || value_class(r->types, r->scene, node, index)))
        return;
    if (r->missing++ >= REPORT_MAX)
        return;
    struct buf path = {0};
    scene_put_path(r->scene, node, &path);
    unsigned line = c->doc ? yaml_line(&r->scene->file, r->scene->file.text.p + c->doc->at) : 0;
    diagnostic_report(r->sink,
                      &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                           .kind = DIAGNOSTIC_MISSING_SCRIPT,
                                           .file = r->scene->path,
                                           .line = line},
                      "The script of component %u on %.*s is missing", index,
                      STR_ARG(buf_str(&path)));
    buf_done(&path);
}

void scene_report(const struct scene *s, struct types *types, const struct diagnostic_sink *sink)
{
    struct scene_scan r = {.scene = s, .types = types, .sink = sink};
    for (size_t n = 0; n < s->node_count; n++)
        for (uint32_t i = 0; i < s->nodes[n].component_count; i++)
            check_component(&r, (uint32_t)n, i);
    if (r.missing > REPORT_MAX)
        diagnostic_report(sink, &(struct diagnostic){.level = DIAGNOSTIC_WARNING, .file = s->path},
                          "%zu more scripts are missing", r.missing - REPORT_MAX);
    map_done(&r.known);
}

void scene_report_references(const struct check_options *o, const struct diagnostic_sink *sink)
{
    struct check_report found;
    size_t count = 0;
    check_project(o, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct check_finding *f = &found.findings[i];
        if (f->kind != CHECK_BROKEN_REFERENCE || count++ >= REPORT_MAX)
            continue;
        diagnostic_report(sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                               .kind = DIAGNOSTIC_BROKEN_REFERENCE,
                                               .file = f->file,
                                               .line = f->line},
                          "A reference is broken: %.*s", STR_ARG(f->message));
    }
    if (count > REPORT_MAX)
        diagnostic_report(sink, &(struct diagnostic){.level = DIAGNOSTIC_WARNING, .file = o->only},
                          "%zu more references are broken", count - REPORT_MAX);
    check_report_done(&found);
}
