/* `multiverse task add FILE...`, and what both ways of adding share (task_batch.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/secrets.h"
#include "agent/task_file.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/task_batch.h"
#include "orchestrator/task_json.h"
#include "tooling/doc.h"

#define MAX_TASK (4u << 20)
/* Of a task as it is stored, its prd inside: the tooling is written into it for each attempt, and
 * what is run must still be readable. */
#define MAX_SPEC (DOC_MAX_YAML_BYTES - (64u << 10))

/* ---- reading */

static bool read_input(struct buf *text, struct error *err)
{
    char piece[65536];
    size_t n;
    if (feof(stdin))
        return error_set(err, ERR_INVALID_PARAMS,
                         "standard input can be read once: - is given "
                         "twice");
    while ((n = fread(piece, 1, sizeof piece, stdin)) > 0)
        buf_add(text, str_make(piece, n));
    if (ferror(stdin))
        return error_set(err, ERR_IO, "cannot read standard input");
    return !text->overflow ||
           error_set(err, ERR_LIMIT, "the task on standard input is larger than %u MiB",
                     MAX_TASK >> 20);
}

static struct task_file *read_file(const char *path, struct error *err)
{
    struct buf text = buf_make(MAX_TASK);
    struct task_file *t = NULL;
    bool fine =
        strcmp(path, "-") == 0 ? read_input(&text, err) : file_read(path, MAX_TASK, &text, err);
    if (fine)
        t = task_file_read(buf_str(&text), path, err);
    buf_done(&text);
    return t;
}

void task_batch_put(struct task_batch *b, const struct task_new *t)
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
                                            .goal = arena_str(a, t->goal)};
}

/* A key that somebody has written into the file itself would stand in the store for all to read. */
static void warn_of_env(const struct json *env, const char *path)
{
    JSON_EACH (env, k) {
        struct str name = json_str(k), value = json_str(k + 1);
        if (!str_starts(value, STR("env:")) && secrets_in_variable(name, value).n)
            say_warning("%s: the value of %.*s will stand in the store; \"env:%.*s\" is read from "
                        "the environment when it runs",
                        path, STR_ARG(name), STR_ARG(name));
    }
}

static void warn_of_secrets(const struct task_file *t, const char *path)
{
    warn_of_env(t->worker_env, path);
    warn_of_env(t->meta.env, path);
    warn_of_env(t->worker.env, path);
    if (!t->tooling)
        return;
    warn_of_env(t->tooling->force.env, path);
    for (size_t p = 0; p < t->tooling->profile_count; p++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++) {
            const struct tooling_category *s = &t->tooling->profiles[p].categories[c];
            for (size_t i = 0; i < s->count; i++)
                warn_of_env(s->candidates[i].env, path);
        }
}

static bool is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

bool task_batch_read(struct task_batch *b, const char *path, struct error *err)
{
    struct task_file *t = read_file(path, err);
    if (!t)
        return false;
    const char *other = map_get(&b->files, t->id);
    if (other && is_same(path, other)) {
        error_set(err, ERR_INVALID_PARAMS, "%s is given twice", path);
        task_file_free(t);
        return false;
    }
    if (other) {
        error_set(err, ERR_INVALID_PARAMS,
                  "%s: the name %.*s is that of %s, too: task.id must be "
                  "another",
                  path, STR_ARG(t->id), other);
        task_file_free(t);
        return false;
    }
    map_set(&b->files, t->id, arena_cstr(&b->arena, str_from(path)));
    for (size_t i = 0; i < t->warning_count; i++)
        say_warning("%.*s", STR_ARG(t->warnings[i]));
    for (size_t i = 0; t->tooling && i < t->tooling->warning_count; i++)
        say_warning("%.*s", STR_ARG(t->tooling->warnings[i]));
    warn_of_secrets(t, path);
    struct buf spec = {0};
    task_file_write(t, NULL, &spec);
    bool fits = spec.n <= MAX_SPEC;
    if (!fits)
        error_set(err, ERR_LIMIT,
                  "%s: with its prd inside the task has %zu bytes, at most %u are possible: let "
                  "the prd name files of the repo",
                  path, spec.n, MAX_SPEC);
    task_batch_put(b, &(struct task_new){.name = t->id,
                                         .title = t->title,
                                         .repo = str_from(t->repo),
                                         .spec = buf_str(&spec),
                                         .needs = t->dependencies,
                                         .need_count = t->dependency_count});
    buf_done(&spec);
    task_file_free(t);
    return fits;
}

/* ---- adding */

static void tell_json(const struct task_row *t, void *ctx)
{
    struct task_batch *b = ctx;
    jsonw_object(&b->writer);
    task_json_put_row(&b->writer, t, TASK_JSON_TEXT);
    jsonw_end(&b->writer);
}

static void tell_row(const struct task_row *t, void *ctx)
{
    struct task_batch *b = ctx;
    struct table *table = &b->table;
    if (b->dry)
        table_add_str(table, STR("new"));
    else
        table_add(table, "#%lld", (long long)t->id);
    table_add_str(table, t->name);
    table_add(table, "%s", task_state_name(t->state));
    table_add_str(table, t->title);
    table_end(table);
}

/* Which rows they have become, in the order in which they were given. */
static bool look(struct store *s, struct task_batch *b, struct error *err)
{
    table_done(&b->table);
    b->table = (struct table){0};
    buf_clear(&b->told);
    b->writer = jsonw_make(&b->told);
    jsonw_array(&b->writer);
    for (size_t i = 0; i < b->count; i++) {
        int64_t id;
        if (!tasks_find(s, b->news[i].name, &id, err) ||
            !tasks_get(s, id, b->view->json ? tell_json : tell_row, b, err))
            return false;
    }
    jsonw_end(&b->writer);
    return true;
}

static bool add(struct store *s, void *ctx, struct error *err)
{
    struct task_batch *b = ctx;
    b->is_right = tasks_add(s, b->news, b->count, err) && look(s, b, err);
    if (!b->is_right || !b->dry)
        return b->is_right;
    return error_set(err, ERR_CONFLICT, "a dry run"); /* what answers false leaves no trace */
}

bool task_batch_add(struct task_batch *b, struct task_view *v)
{
    struct error err = {0};
    b->view = v;
    if (store_run(v->store, STORE_ROWS, add, b, &err))
        return true;
    if (b->dry && b->is_right)
        return true;
    return task_view_fail(v, &err);
}

void task_batch_say(const struct task_batch *b, bool json)
{
    struct buf out = {0};
    if (json) {
        buf_add(&out, buf_str(&b->told));
        buf_add_char(&out, '\n');
    } else {
        table_put(&b->table, &out);
        if (b->dry)
            buf_printf(&out, "%zu task%s right; nothing was added\n", b->count,
                       b->count == 1 ? " is" : "s are");
    }
    say_out(buf_str(&out));
    buf_done(&out);
}

void task_batch_done(struct task_batch *b)
{
    free(b->news);
    map_done(&b->files);
    table_done(&b->table);
    buf_done(&b->told);
    arena_done(&b->arena);
    *b = (struct task_batch){0};
}

/* ---- the command */

static bool read_all(struct task_batch *b, const struct options *o)
{
    uint64_t most = 0;
    b->pool = str_from(options_text(o, "pool"));
    if (options_number(o, "max-attempts", &most))
        b->max_attempts = (uint32_t)most;
    b->dry = options_has(o, "dry-run");
    for (size_t i = 0; i < o->arg_count; i++) {
        struct error err = {0};
        if (!task_batch_read(b, o->args[i], &err)) {
            say_failure(&err);
            return false;
        }
    }
    return true;
}

int task_add(const struct options *o)
{
    struct task_batch b = {0};
    struct task_view v = {.code = COMMAND_USAGE};
    if (read_all(&b, o) && task_view_open(&v, o, TASK_VIEW_MAKE)) {
        if (task_batch_add(&b, &v))
            task_batch_say(&b, v.json);
        task_view_close(&v);
    }
    task_batch_done(&b);
    return v.code;
}
