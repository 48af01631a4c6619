#include "editor/run_tests.h"

#include "editor/editor_internal.h"
#include "editor/tool_arg.h"

/* Write a list as "A;B", the form of Unity's options. */
static bool join_names(const struct json *list, const char *name, struct buf *out,
                       struct editor_error *err)
{
    JSON_ITEMS (list, v) {
        struct str one = json_str(v);
        if (memchr(one.p ? one.p : "", ';', one.n) || memchr(one.p ? one.p : "", 0, one.n))
            return editor_error_set(err, "ERR_INVALID_PARAMS",
                                    "a name in %s must not contain \";\"", name);
        if (!one.n)
            continue;
        if (out->n)
            buf_add_char(out, ';');
        buf_add(out, one);
    }
    return true;
}

struct test_run *run_tests_start(struct editor *e, const struct json *args,
                                 const struct run_tests_events *events, struct editor_error *err)
{
    struct buf assemblies = {0}, categories = {0};
    struct test_run *run = NULL;
    struct str filter = tool_arg_str(args, "filter");
    if (memchr(filter.p ? filter.p : "", 0, filter.n)) {
        editor_error_set(err, "ERR_INVALID_PARAMS", "filter must not contain a NUL character");
    } else if (!e->options.test_command && project_is_locked(&e->project)) {
        editor_error_set(err, "ERR_PROJECT_LOCKED",
                         "Unity has the project open, so a second Unity cannot run its tests: run "
                         "them there, or close Unity");
    } else if (join_names(json_get(args, STR("assemblies")), "assemblies", &assemblies, err) &&
               join_names(json_get(args, STR("categories")), "categories", &categories, err)) {
        struct test_run_options options = {
            .plan = {.project = e->project.root,
                     .version = e->project.version_text,
                     .command = e->options.test_command,
                     .unity_path = e->options.unity_path,
                     .filter = filter,
                     .assemblies = buf_str(&assemblies),
                     .categories = buf_str(&categories)},
            .mode = test_run_mode(tool_arg_str(args, "mode")),
            .timeout_ms = events->timeout_ms,
            .on_progress = events->on_progress,
            .on_end = events->on_end,
            .ctx = events->ctx,
        };
        run = test_run_start(e->loop, &options, err);
    }
    buf_done(&assemblies);
    buf_done(&categories);
    return run;
}
