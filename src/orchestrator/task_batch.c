#include "orchestrator/task_batch.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/secrets.h"
#include "doc/doc.h"

/* Leave room in the stored spec: each attempt embeds the tooling, and the result must still be a
 * readable file. */
#define MAX_SPEC (DOC_MAX_YAML_BYTES - (64u << 10))

void task_batch_add(struct task_batch *b, const struct task_new *t)
{
    struct arena *a = &b->arena;
    struct str *needs = arena_alloc(a, (t->need_count + 1) * sizeof *needs);
    for (size_t i = 0; i < t->need_count; i++)
        needs[i] = arena_str(a, t->needs[i]);
    mem_grow((void **)&b->news, &b->cap, b->count + 1, sizeof *b->news);
    b->news[b->count++] = (struct task_new){.name = arena_str(a, t->name),
                                            .title = arena_str(a, t->title),
                                            .repo = arena_str(a, t->repo),
                                            .pool = b->pool,
                                            .spec = arena_str(a, t->spec),
                                            .needs = needs,
                                            .need_count = t->need_count,
                                            .max_attempts = b->max_attempts,
                                            .goal = b->goal};
}

/* ---- warnings */

/* A secret that is written in the file would be stored in plain text. */
static void warn_of_env(const struct task_batch *b, const struct json *env, const char *file)
{
    JSON_EACH (env, k) {
        struct str name = json_str(k), value = json_str(k + 1);
        struct buf text = {0};
        if (str_starts(value, STR("env:")) || !secrets_in_variable(name, value).n)
            continue;
        buf_printf(
            &text,
            "%s: the value of %.*s will be stored in plain text; write \"env:%.*s\" to read it "
            "from the environment when the task runs",
            file, STR_ARG(name), STR_ARG(name));
        b->warn(buf_str(&text), b->ctx);
        buf_done(&text);
    }
}

static void warn_of_secrets(const struct task_batch *b, const struct task_file *t, const char *file)
{
    warn_of_env(b, t->worker_env, file);
    warn_of_env(b, t->meta.env, file);
    warn_of_env(b, t->worker.env, file);
    if (!t->tooling)
        return;
    warn_of_env(b, t->tooling->force.env, file);
    for (size_t p = 0; p < t->tooling->profile_count; p++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++) {
            const struct tooling_category *s = &t->tooling->profiles[p].categories[c];
            for (size_t i = 0; i < s->count; i++)
                warn_of_env(b, s->candidates[i].env, file);
        }
}

static void report_warnings(const struct task_batch *b, const struct task_file *t, const char *file)
{
    for (size_t i = 0; i < t->warning_count; i++)
        b->warn(t->warnings[i], b->ctx);
    for (size_t i = 0; t->tooling && i < t->tooling->warning_count; i++)
        b->warn(t->tooling->warnings[i], b->ctx);
    warn_of_secrets(b, t, file);
}

bool task_batch_add_file(struct task_batch *b, const struct task_file *t, const char *name,
                         struct error *err)
{
    struct buf spec = {0};
    if (b->warn)
        report_warnings(b, t, name);
    task_file_write(t, NULL, &spec);
    bool fits = spec.n <= MAX_SPEC;
    if (fits)
        task_batch_add(b, &(struct task_new){.name = t->id,
                                             .title = t->title,
                                             .repo = str_from(t->repo),
                                             .spec = buf_str(&spec),
                                             .needs = t->dependencies,
                                             .need_count = t->dependency_count});
    else
        error_set(
            err, ERR_LIMIT,
            "%s: with its prd the task has %zu bytes, at most %u are possible: refer to files "
            "of the repo in the prd",
            name, spec.n, MAX_SPEC);
    buf_done(&spec);
    return fits;
}

void task_batch_done(struct task_batch *b)
{
    free(b->news);
    arena_done(&b->arena);
    *b = (struct task_batch){0};
}
