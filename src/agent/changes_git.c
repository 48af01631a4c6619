#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "agent/changes.h"
#include "agent/changes_internal.h"
#include "base/loop.h"
#include "base/mem.h"
#include "process/process.h"

#define MAX_ARGS   32u
#define MAX_OUTPUT (16u << 20)

extern char **environ;

/* ---- running git */

struct git_run {
    const char *repo;
    uint64_t left_ms; /* of the time for all runs */
    /* the current run */
    struct buf out;
    struct process *process;
    struct timer limit;
    bool cut; /* killed: too slow, or too much output */
    int64_t code;
};

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct git_run *g = ctx;
    if (which != PROCESS_STDOUT || g->cut)
        return;
    if (g->out.n + bytes.n > MAX_OUTPUT) {
        g->cut = true;
        process_kill(p, SIGKILL, 0);
        return;
    }
    buf_add(&g->out, bytes);
}

static void on_git_exit(struct process *p, struct process_exit end, void *ctx)
{
    struct git_run *g = ctx;
    (void)p;
    g->code = end.signal ? -1 : end.code;
    g->process = NULL;
    timer_stop(&g->limit);
}

static void on_time_limit(void *ctx)
{
    struct git_run *g = ctx;
    g->cut = true;
    g->left_ms = 0;
    if (g->process)
        process_kill(g->process, SIGKILL, 0);
}

/* Without the variables that redirect git, or let it do more than read. */
static const char **make_environment(struct arena *a)
{
    static const char *const drop[] = {
        "GIT_DIR=",       "GIT_WORK_TREE=",        "GIT_INDEX_FILE=",
        "GIT_PREFIX=",    "GIT_NAMESPACE=",        "GIT_TRACE",
        "GIT_COMMON_DIR", "GIT_EXTERNAL_DIFF=",    "GIT_OPTIONAL_LOCKS=",
        "LC_ALL=",        "GIT_LITERAL_PATHSPECS="};
    size_t n = 0;
    while (environ[n])
        n++;
    const char **env = arena_alloc(a, (n + 4) * sizeof *env);
    n = 0;
    for (char **v = environ; *v; v++) {
        bool dropped = false;
        for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
            dropped |= !strncmp(*v, drop[i], strlen(drop[i]));
        if (!dropped)
            env[n++] = *v;
    }
    env[n++] = "GIT_OPTIONAL_LOCKS=0";
    env[n++] = "GIT_TERMINAL_PROMPT=0";
    env[n++] = "LC_ALL=C";
    env[n] = NULL;
    return env;
}

/* Run git; its output is in g->out. Return its exit code, or -1 if it was killed or not started. */
static int64_t run_git(struct git_run *g, const char *const *args)
{
    const char *argv[MAX_ARGS] = {
        "git", "-C", g->repo, "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"};
    size_t n = 7;
    struct arena a = {0};
    buf_clear(&g->out);
    g->cut = false;
    g->code = -1;
    if (!g->left_ms)
        return -1;
    for (; *args && n + 1 < MAX_ARGS; args++)
        argv[n++] = *args;
    struct loop *loop = loop_new();
    struct process_options o = {.argv = argv,
                                .env = make_environment(&a),
                                .on_output = on_output,
                                .on_exit = on_git_exit,
                                .ctx = g};
    uint64_t start = loop_now(loop);
    g->process = process_start(loop, &o, NULL);
    if (g->process) {
        process_close_input(g->process);
        timer_start(&g->limit, loop, g->left_ms, on_time_limit, g);
        loop_run(loop);
        uint64_t took = loop_now(loop) - start;
        g->left_ms -= took < g->left_ms ? took : g->left_ms;
    }
    loop_free(loop);
    arena_done(&a);
    return g->cut ? -1 : g->code;
}

#define RUN(g, ...) run_git((g), (const char *const[]){__VA_ARGS__, NULL})

/* Return the output without its line end; "" after a failure. */
static struct str get_output(struct git_run *g, int64_t code)
{
    struct str s = buf_str(&g->out);
    if (code != 0)
        return STR("");
    if (s.n && s.p[s.n - 1] == '\n')
        s.n--;
    return s;
}

/* ---- what git knows */

/* Whether the repo is in a work tree, and not ignored there. */
static bool is_work_tree(struct git_run *g, struct changes_snapshot *c)
{
    struct str said = get_output(g, RUN(g, "rev-parse", "--is-inside-work-tree", "--show-prefix"));
    struct str is;
    str_cut(&said, '\n', &is);
    if (!str_eq(is, STR("true")))
        return false;
    c->prefix = arena_str(&c->arena, said);
    return !c->prefix.n || RUN(g, "check-ignore", "-q", ".") != 0;
}

static bool find_head(struct git_run *g, struct changes_snapshot *c)
{
    struct str head = get_output(g, RUN(g, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"));
    if (!head.n) /* nothing was committed yet */
        head = get_output(g, RUN(g, "hash-object", "-t", "tree", "--stdin"));
    c->head = arena_str(&c->arena, head);
    return head.n > 0;
}

/* Take the next text that a NUL ends; a last one without NUL was cut off. */
static bool next_token(struct str *rest, struct str *token)
{
    size_t n = str_find_char(*rest, 0);
    if (n == rest->n)
        return false;
    *token = str_head(*rest, n);
    *rest = str_skip(*rest, n + 1);
    return true;
}

/* Settings of names and habits only; some of all others run programs. */
static bool is_harmless(struct str key)
{
    static const char *const starts[] = {"branch.", "remote.", "user.",   "author.", "committer.",
                                         "push.",   "pull.",   "commit.", "color.",  "advice."};
    static const char *const keys[] = {"core.bare",       "core.filemode",
                                       "core.ignorecase", "core.precomposeunicode",
                                       "core.symlinks",   "core.logallrefupdates",
                                       "core.autocrlf",   "core.eol",
                                       "core.quotepath",  "core.repositoryformatversion"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(key, str_from(starts[i])))
            return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_eq(key, str_from(keys[i])))
            return true;
    return false;
}

/* Make a digest of the settings that are not harmless. git only reads the files. */
static bool digest_settings(struct git_run *g, const char *const paths[2], uint8_t out[SHA256_LEN])
{
    struct buf kept = {0};
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        struct str token, all, key;
        struct stat st;
        if (lstat(paths[i], &st) == 0)
            ok &= RUN(g, "config", "--file", paths[i], "--includes", "--list", "-z") == 0;
        else
            buf_clear(&g->out);
        all = buf_str(&g->out);
        while (next_token(&all, &token)) {
            struct str rest = token;
            str_cut(&rest, '\n', &key);
            if (is_harmless(key))
                continue;
            buf_add(&kept, token);
            buf_add_char(&kept, 0);
        }
        buf_add_char(&kept, 0);
    }
    sha256(buf_str(&kept), out);
    buf_done(&kept);
    return ok;
}

static bool find_settings(struct git_run *g, struct changes_snapshot *c)
{
    struct str said =
        get_output(g, RUN(g, "rev-parse", "--git-path", "config", "--git-path", "config.worktree"));
    for (size_t i = 0; i < 2; i++) {
        struct str path;
        str_cut(&said, '\n', &path);
        if (!path.n)
            return false;
        c->settings[i] = path.p[0] == '/'
                             ? arena_cstr(&c->arena, path)
                             : arena_printf(&c->arena, "%s/%.*s", g->repo, STR_ARG(path)).p;
    }
    return digest_settings(g, c->settings, c->commands);
}

bool changes_git_has_same_settings(const struct changes_snapshot *c)
{
    struct git_run g = {.repo = c->repo, .left_ms = c->limits.git_ms};
    struct changes_snapshot now = {.is_git = true};
    bool ok = find_settings(&g, &now) && !memcmp(now.commands, c->commands, sizeof now.commands);
    for (size_t i = 0; i < 2 && ok; i++)
        ok = strcmp(now.settings[i], c->settings[i]) == 0;
    arena_done(&now.arena);
    buf_done(&g.out);
    return ok;
}

/* Return the path in the repo; "" if it is outside, or one of this program. */
static struct str path_in_repo(const struct changes_snapshot *c, struct str path)
{
    if (!str_starts(path, c->prefix))
        return STR("");
    path = str_skip(path, c->prefix.n);
    return changes_file_is_ours(path) ? STR("") : path;
}

/* A folder that git does not enter: make a digest of names, sizes and times of its files. */
static void describe_folder(const char *repo, struct str path, struct changes_file *f)
{
    struct changes_snapshot inner = {.limits = {.max_seen = CHANGES_MAX_SEEN}};
    struct buf whole = {0};
    uint64_t sum[2] = {0};
    buf_printf(&whole, "%s/%.*s", repo, STR_ARG(path));
    changes_file_read_all(&inner, whole.p);
    MAP_EACH (&inner.files, i) {
        const struct changes_file *file = map_value(&inner.files, i);
        uint64_t h = str_hash(map_key(&inner.files, i));
        sum[0] += h;
        sum[1] += (h | 1) * (file->size * 31 + (uint64_t)file->time_ns + 7);
    }
    f->kind = CHANGES_FOLDER;
    f->has_digest = true;
    memset(f->digest, 0, sizeof f->digest);
    memcpy(f->digest, sum, sizeof sum);
    map_done(&inner.files);
    arena_done(&inner.arena);
    buf_done(&whole);
}

static void read_status(struct changes_snapshot *c, const char *repo, struct str out)
{
    size_t budget = CHANGES_READ_MAX;
    struct str token;
    while (next_token(&out, &token)) {
        struct str path = path_in_repo(c, str_skip(token, 3));
        if (token.n < 4 || !path.n)
            continue;
        if (c->files.count >= c->limits.max_seen) {
            c->more = true;
            return;
        }
        struct changes_file *f = arena_zalloc(&c->arena, sizeof *f);
        if (path.p[path.n - 1] == '/')
            path.n--;
        changes_file_read(repo, path, &budget, f);
        if (f->kind == CHANGES_FOLDER)
            describe_folder(repo, path, f);
        f->code[0] = token.p[0];
        f->code[1] = token.p[1];
        map_set(&c->files, path, f);
    }
}

bool changes_git_take(struct changes_snapshot *c, const char *repo)
{
    struct git_run g = {.repo = repo, .left_ms = c->limits.git_ms};
    bool ok = is_work_tree(&g, c) && find_settings(&g, c) && find_head(&g, c);
    if (ok) {
        int64_t code = RUN(&g, "status", "--porcelain=v1", "-z", "--no-renames",
                           "--untracked-files=all", "--", ".");
        c->more = g.cut && g.left_ms; /* too much output: the part read so far is right */
        ok = code == 0 || c->more;
    }
    if (ok)
        read_status(c, repo, buf_str(&g.out));
    buf_done(&g.out);
    return ok;
}

static struct changes_count *get_count(struct changes_snapshot *c, struct map *counts,
                                       struct str path)
{
    struct changes_count *n = map_get(counts, path);
    if (!n) {
        n = arena_zalloc(&c->arena, sizeof *n);
        n->letter = 'M';
        map_set(counts, path, n);
    }
    return n;
}

/* ":100644 100644 1234 5678 M" NUL path NUL, and "3" TAB "1" TAB path NUL. */
static void read_counts(struct changes_snapshot *c, struct str out, struct map *counts)
{
    struct str token, path;
    while (counts->count < c->limits.max_seen && next_token(&out, &token)) {
        if (token.n && token.p[0] == ':') {
            if (!next_token(&out, &path))
                return;
            path = path_in_repo(c, path);
            if (path.n)
                get_count(c, counts, path)->letter = token.p[token.n - 1];
            continue;
        }
        struct str added, removed;
        if (!str_cut(&token, '\t', &added) || !str_cut(&token, '\t', &removed))
            continue;
        path = path_in_repo(c, token);
        if (!path.n)
            continue;
        struct changes_count *n = get_count(c, counts, path);
        n->binary = !str_to_u64(added, &n->added) || !str_to_u64(removed, &n->removed);
    }
}

bool changes_git_count(struct changes_snapshot *c, struct str head, const char *repo,
                       struct map *counts)
{
    struct git_run g = {.repo = repo, .left_ms = c->limits.git_ms};
    char *oid = str_dup(head);
    int64_t code = RUN(&g, "diff", "--raw", "--numstat", "-z", "--no-renames", "--no-ext-diff",
                       "--no-textconv", oid, "--", ".");
    bool ok = code == 0 || (g.cut && g.left_ms);
    if (ok)
        read_counts(c, buf_str(&g.out), counts);
    free(oid);
    buf_done(&g.out);
    return ok;
}
