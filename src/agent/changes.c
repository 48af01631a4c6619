#include "agent/changes.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "agent/changes_internal.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"

#define MAX_NAME 240u /* characters of a path that are shown */

/* ---- snapshots */

static struct changes_snapshot *take_snapshot(const char *repo, const struct changes_limits *limits,
                                              bool asks_git, struct error *err)
{
    struct stat st;
    if (stat(repo, &st) < 0 || !S_ISDIR(st.st_mode)) {
        error_set(err, ERR_IO, "%s is not a folder", repo);
        return NULL;
    }
    struct changes_snapshot *c = mem_zalloc(sizeof *c);
    c->limits = *limits;
    c->repo = arena_cstr(&c->arena, str_from(repo));
    if (!c->limits.git_ms)
        c->limits.git_ms = CHANGES_GIT_MS;
    if (!c->limits.max_seen)
        c->limits.max_seen = CHANGES_MAX_SEEN;
    c->is_git = asks_git && changes_git_take(c, repo);
    if (!c->is_git)
        changes_file_read_all(c, repo);
    return c;
}

struct changes_snapshot *changes_take_within(const char *repo, const struct changes_limits *limits,
                                             struct error *err)
{
    return take_snapshot(repo, limits, true, err);
}

struct changes_snapshot *changes_take(const char *repo, struct error *err)
{
    return changes_take_within(repo, &(struct changes_limits){0}, err);
}

struct changes_snapshot *changes_take_files(const char *repo, struct error *err)
{
    return take_snapshot(repo, &(struct changes_limits){0}, false, err);
}

bool changes_has_same_settings(const struct changes_snapshot *c)
{
    return !c->is_git || changes_git_has_same_settings(c);
}

void changes_free(struct changes_snapshot *c)
{
    if (!c)
        return;
    map_done(&c->files);
    arena_done(&c->arena);
    free(c);
}

/* ---- writing lines */

struct changes_diff {
    const char *repo;
    struct str *paths; /* of changed files */
    size_t count, cap;
    const struct changes_snapshot *before;
    struct changes_snapshot *now;
    struct map counts; /* git: struct changes_count by path */
};

static void add_path(struct changes_diff *t, struct str path)
{
    mem_grow((void **)&t->paths, &t->cap, t->count + 1, sizeof *t->paths);
    t->paths[t->count++] = path;
}

static int compare_paths(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void write_name(struct buf *out, struct str path)
{
    bool odd =
        !utf8_is_valid(path) || path.n > MAX_NAME || path.p[0] == ' ' || path.p[path.n - 1] == ' ';
    for (size_t i = 0; i < path.n; i++)
        odd |= (unsigned char)path.p[i] < ' ' || strchr("\"\\|\x7f", path.p[i]);
    if (odd)
        quote_add(out, path, MAX_NAME);
    else
        buf_add(out, path);
}

/* now: as git reports it; NULL: it is as committed. */
static void write_count(struct buf *out, const struct changes_diff *t, struct str path,
                        const struct changes_file *now)
{
    const struct changes_count *n = map_get(&t->counts, path);
    uint64_t lines;
    if (now && now->kind == CHANGES_FOLDER)
        return;
    if (n && n->binary)
        buf_add(out, STR(" | binary"));
    else if (n)
        buf_printf(out, " | +%llu -%llu", (unsigned long long)n->added,
                   (unsigned long long)n->removed);
    else if (now && changes_file_count_lines(t->repo, path, &lines))
        buf_printf(out, " | +%llu -0", (unsigned long long)lines);
}

static void write_git_line(struct buf *out, const struct changes_diff *t, struct str path)
{
    const struct changes_file *now = map_get(&t->now->files, path);
    const struct changes_count *n = map_get(&t->counts, path);
    struct changes_file here;
    changes_file_read(t->repo, path, NULL, &here);
    if (now)
        buf_printf(out, "%s ", now->code);
    else
        buf_printf(out, "%c  ", n ? n->letter : here.kind == CHANGES_ABSENT ? 'D' : 'M');
    write_name(out, path);
    write_count(out, t, path, now);
    if (!now && !n && here.kind != CHANGES_ABSENT)
        buf_add(out, STR(" | as committed")); /* an earlier change was undone */
    buf_add_char(out, '\n');
}

static void write_plain_line(struct buf *out, const struct changes_diff *t, struct str path)
{
    const struct changes_file *was = map_get(&t->before->files, path),
                              *is = map_get(&t->now->files, path);
    buf_printf(out, "%c  ", !was ? 'A' : !is ? 'D' : 'M');
    write_name(out, path);
    if (is)
        buf_printf(out, " | %llu bytes", (unsigned long long)is->size);
    buf_add_char(out, '\n');
}

/* ---- finding changes */

/* Whether a file that is not in the snapshot was clean then. If there were too many dirty files,
 * the last ones are unknown: git lists tracked files first, then the others, each sorted. */
static bool was_clean(const struct changes_snapshot *before, struct str path,
                      const struct changes_file *is)
{
    size_t last = before->files.used;
    if (!before->more || !before->files.count)
        return !before->more;
    do
        last--;
    while (map_next(&before->files, last) != last);
    const struct changes_file *end = map_value(&before->files, last);
    bool is_new = is->code[0] == '?', end_is_new = end->code[0] == '?';
    return is_new == end_is_new ? str_cmp(path, map_key(&before->files, last)) < 0 : end_is_new;
}

/* Compare each file that was dirty with what it is now. A file that was clean has changed if it is
 * dirty now, or differs from the commit of the snapshot. */
static bool find_git_changes(struct changes_diff *t)
{
    size_t budget = CHANGES_READ_MAX;
    if (!changes_git_count(t->now, t->before->head, t->repo, &t->counts))
        return false;
    MAP_EACH (&t->before->files, i) {
        const struct changes_file *was = map_value(&t->before->files, i);
        struct str path = map_key(&t->before->files, i);
        struct changes_file here, *is = map_get(&t->now->files, path);
        if (!is)
            changes_file_read(t->repo, path, was->has_digest ? &budget : NULL, is = &here);
        if (!changes_file_is_same(was, is))
            add_path(t, path);
    }
    MAP_EACH (&t->now->files, i) {
        struct str path = map_key(&t->now->files, i);
        if (!map_get(&t->before->files, path) &&
            was_clean(t->before, path, map_value(&t->now->files, i)))
            add_path(t, path);
    }
    MAP_EACH (&t->counts, i) {
        struct str path = map_key(&t->counts, i);
        if (!map_get(&t->before->files, path) && !map_get(&t->now->files, path))
            add_path(t, path);
    }
    return true;
}

static void find_file_changes(struct changes_diff *t)
{
    MAP_EACH (&t->before->files, i) {
        struct str path = map_key(&t->before->files, i);
        const struct changes_file *is = map_get(&t->now->files, path);
        if (is ? !changes_file_is_same(map_value(&t->before->files, i), is) : !t->now->more)
            add_path(t, path);
    }
    MAP_EACH (&t->now->files, i) {
        struct str path = map_key(&t->now->files, i);
        if (!t->before->more && !map_get(&t->before->files, path))
            add_path(t, path);
    }
}

static void write_lines(struct buf *out, struct changes_diff *t)
{
    for (size_t i = 0; i < t->count && i < CHANGES_MAX_FILES; i++)
        if (t->now->is_git)
            write_git_line(out, t, t->paths[i]);
        else
            write_plain_line(out, t, t->paths[i]);
    if (t->count > CHANGES_MAX_FILES)
        buf_printf(out, "and %zu more files\n", (size_t)(t->count - CHANGES_MAX_FILES));
    if (t->before->more || t->now->more)
        buf_printf(out, "(only the first %zu files were compared, there are more)\n",
                   t->before->limits.max_seen);
}

/* Fill t->paths. */
static bool find_changes(struct changes_diff *t, struct error *err)
{
    struct stat st;
    if (stat(t->repo, &st) != 0 || !S_ISDIR(st.st_mode))
        return error_set(err, ERR_IO, "%s is not a folder any more", t->repo);
    if (!changes_has_same_settings(t->before))
        return error_set(err, ERR_IO,
                         "%s: the settings of git were changed, so git is not used any more",
                         t->before->settings[0]);
    t->now->is_git = t->before->is_git;
    if (t->now->is_git) {
        if (!changes_git_take(t->now, t->repo) || !find_git_changes(t))
            return error_set(err, ERR_IO, "git cannot list what changed in %s", t->repo);
    } else {
        changes_file_read_all(t->now, t->repo);
        find_file_changes(t);
    }
    if (t->count)
        qsort(t->paths, t->count, sizeof *t->paths, compare_paths);
    return true;
}

static struct changes_diff diff_make(const struct changes_snapshot *before, const char *repo)
{
    struct changes_diff t = {.repo = repo, .before = before, .now = mem_zalloc(sizeof *t.now)};
    t.now->limits = before->limits;
    return t;
}

static void diff_done(struct changes_diff *t)
{
    map_done(&t->counts);
    free(t->paths);
    changes_free(t->now);
}

bool changes_list(const struct changes_snapshot *before, const char *repo, struct buf *out,
                  size_t *count, struct error *err)
{
    struct changes_diff t = diff_make(before, repo);
    bool ok = find_changes(&t, err);
    if (ok) {
        write_lines(out, &t);
        *count = t.count;
    }
    diff_done(&t);
    return ok;
}

/* With git, a file that was not dirty was as in the commit, or did not exist. */
static bool did_exist(const struct changes_diff *t, struct str path)
{
    const struct changes_file *was = map_get(&t->before->files, path);
    const struct changes_file *now = map_get(&t->now->files, path);
    const struct changes_count *n = map_get(&t->counts, path);
    if (was || !t->now->is_git)
        return was && was->kind != CHANGES_ABSENT;
    return !(n && n->letter == 'A') && !(now && now->code[0] == '?');
}

bool changes_each(const struct changes_snapshot *before, uint64_t git_ms, changes_file_fn *fn,
                  void *ctx, struct error *err)
{
    struct changes_diff t = diff_make(before, before->repo);
    if (git_ms)
        t.now->limits.git_ms = git_ms;
    bool ok = find_changes(&t, err);
    for (size_t i = 0; ok && i < t.count; i++) {
        struct changes_file here;
        bool was = did_exist(&t, t.paths[i]);
        changes_file_read(t.repo, t.paths[i], NULL, &here);
        fn(t.paths[i],
           here.kind == CHANGES_ABSENT ? CHANGES_DELETED
           : was                       ? CHANGES_MODIFIED
                                       : CHANGES_ADDED,
           ctx);
    }
    diff_done(&t);
    return ok;
}

const char *changes_how_name(enum changes_how how)
{
    static const char *const names[CHANGES_HOW_COUNT] = {
        [CHANGES_ADDED] = "added", [CHANGES_MODIFIED] = "modified", [CHANGES_DELETED] = "deleted"};
    return names[how];
}
