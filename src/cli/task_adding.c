#include "cli/task_adding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "task/task_file.h"
#include "views/tasks.h"

#define MAX_TASK (4u << 20)

/* ---- reading */

static bool read_input(struct buf *text, struct error *err)
{
    char piece[65536];
    size_t n;
    if (feof(stdin))
        return error_set(err, ERR_INVALID_PARAMS,
                         "standard input can be read only once: - is given "
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

static bool is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

static void print_warning(struct str text, void *ctx)
{
    (void)ctx;
    terminal_print_warning("%.*s", STR_ARG(text));
}

void task_adding_init(struct task_adding *a, const struct options *o)
{
    uint64_t most = 0;
    a->batch.warn = print_warning;
    a->batch.pool = str_from(options_text(o, "pool"));
    if (options_number(o, "max-attempts", &most))
        a->batch.max_attempts = (uint32_t)most;
    a->dry = options_has(o, "dry-run");
}

static bool take_file(struct task_adding *a, const struct task_file *t, const char *path,
                      struct error *err)
{
    const char *other = map_get(&a->files, t->id);
    if (other && is_same(path, other))
        return error_set(err, ERR_INVALID_PARAMS, "%s is given twice", path);
    if (other)
        return error_set(err, ERR_INVALID_PARAMS,
                         "%s: duplicate name %.*s, also in %s: change task.id", path,
                         STR_ARG(t->id), other);
    map_set(&a->files, t->id, arena_cstr(&a->arena, str_from(path)));
    return task_batch_add_file(&a->batch, t, path, err);
}

bool task_adding_read(struct task_adding *a, const char *path, struct error *err)
{
    struct task_file *t = read_file(path, err);
    bool fine = t && take_file(a, t, path, err);
    task_file_free(t);
    return fine;
}

/* ---- adding */

static void add_json_row(const struct task_row *t, void *ctx)
{
    struct task_adding *a = ctx;
    jsonw_object(&a->writer);
    views_tasks_put_row(&a->writer, t, VIEWS_CLI);
    jsonw_end(&a->writer);
}

static void add_table_row(const struct task_row *t, void *ctx)
{
    struct task_adding *a = ctx;
    struct table *table = &a->table;
    if (a->dry)
        table_add_str(table, STR("new"));
    else
        table_add(table, "#%lld", (long long)t->id);
    table_add_str(table, t->name);
    table_add(table, "%s", task_state_name(t->state));
    table_add_str(table, t->title);
    table_end(table);
}

/* Read the rows of the added tasks, in the order of the command line. */
static bool read_added(struct store *s, struct task_adding *a, struct error *err)
{
    table_done(&a->table);
    a->table = (struct table){0};
    buf_clear(&a->json);
    a->writer = jsonw_make(&a->json);
    jsonw_array(&a->writer);
    for (size_t i = 0; i < a->batch.count; i++) {
        int64_t id;
        if (!tasks_find(s, a->batch.news[i].name, &id, err) ||
            !tasks_get(s, id, a->view->json ? add_json_row : add_table_row, a, err))
            return false;
    }
    jsonw_end(&a->writer);
    return true;
}

static bool add_batch(struct store *s, void *ctx, struct error *err)
{
    struct task_adding *a = ctx;
    a->is_valid = tasks_add(s, a->batch.news, a->batch.count, err) && read_added(s, a, err);
    if (!a->is_valid || !a->dry)
        return a->is_valid;
    return error_set(err, ERR_CONFLICT,
                     "a dry run"); /* returning false rolls the transaction back */
}

bool task_adding_apply(struct task_adding *a, struct task_command *v)
{
    struct error err = {0};
    a->view = v;
    if (store_run(v->store, STORE_ROWS, add_batch, a, &err))
        return true;
    if (a->dry && a->is_valid)
        return true;
    return task_command_fail(v, &err);
}

void task_adding_print(const struct task_adding *a, bool json)
{
    struct buf out = {0};
    if (json) {
        buf_add(&out, buf_str(&a->json));
        buf_add_char(&out, '\n');
    } else {
        table_put(&a->table, &out);
        if (a->dry)
            buf_printf(&out, "%zu task%s valid; nothing was added\n", a->batch.count,
                       a->batch.count == 1 ? " is" : "s are");
    }
    terminal_write(buf_str(&out));
    buf_done(&out);
}

void task_adding_done(struct task_adding *a)
{
    task_batch_done(&a->batch);
    map_done(&a->files);
    table_done(&a->table);
    buf_done(&a->json);
    arena_done(&a->arena);
    *a = (struct task_adding){0};
}
