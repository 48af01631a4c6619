#include "agent/sandbox.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/provider_internal.h"
#include "base/file.h"
#include "base/id.h"

/* ---- the new command line */

struct command_line {
    struct provider_launch *l;
    const char **argv;
    size_t n, cap;
};

static void add_arg(struct command_line *w, const char *arg)
{
    if (w->n + 2 > w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 64;
        w->argv =
            arena_grow(&w->l->arena, w->argv, w->cap * sizeof *w->argv, cap * sizeof *w->argv);
        w->cap = cap;
    }
    w->argv[w->n++] = arg;
    w->argv[w->n] = NULL;
}

static void add_args(struct command_line *w, const char *const *args)
{
    for (; args && *args; args++)
        add_arg(w, *args);
}

static const char *get_env(const struct provider_launch *l, const char *name)
{
    size_t n = strlen(name);
    for (const char **e = l->env; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || !path[n]);
}

/* Return the part of the run's folder that the agent may write, or NULL. We write there too,
 * outside of the sandbox, so it gets only its own part. The mock needs the whole for its state
 * file. */
static const char *find_own_folder(const struct sandbox *s, const struct provider_launch *l)
{
    return l->is_self ? s->dir : l->folder;
}

/* ---- bwrap */

static void bind_path(struct command_line *w, const char *how, const char *path)
{
    add_args(w, (const char *const[]){how, path, path, NULL});
}

static void wrap_bwrap(const struct sandbox *s, struct command_line *w)
{
    struct provider_launch *l = w->l;
    const char *temporary = get_env(l, "TMPDIR");
    add_args(w, (const char *const[]){"--die-with-parent", "--unshare-pid", "--ro-bind", "/", "/",
                                      "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", NULL});
    if (is_below(l->argv[0], "/tmp")) /* otherwise the new /tmp hides it */
        bind_path(w, "--ro-bind", l->argv[0]);
    bind_path(w, "--bind", s->repo);
    if (find_own_folder(s, l))
        bind_path(w, "--bind", find_own_folder(s, l));
    for (const char **home = l->homes; home && *home; home++)
        if (file_exists(*home))
            bind_path(w, "--bind", *home);
    if (temporary && !is_below(temporary, s->dir))
        add_args(w, (const char *const[]){"--setenv", "TMPDIR", "/tmp", NULL});
    if (l->cwd)
        add_args(w, (const char *const[]){"--chdir", l->cwd, NULL});
    add_arg(w, "--");
    add_args(w, l->argv);
}

/* ---- docker and podman */

static void mount_path(struct command_line *w, const char *from, const char *to, const char *how)
{
    add_arg(w, "-v");
    add_arg(w, arena_printf(&w->l->arena, "%s:%s%s", from, to, how).p);
}

/* Make a writable home; the agent's own folders are mounted into it. */
static bool make_home(const struct sandbox *s, struct provider_launch *l, const char **path,
                      struct error *err)
{
    char text[128];
    if (!l->folder) {
        char *folder = (char *)arena_printf(&l->arena, "%s/call-XXXXXX", s->dir).p;
        if (!mkdtemp(folder))
            return error_set(err, ERR_IO, "cannot create a folder in %s: %s", s->dir,
                             strerror_r(errno, text, sizeof text));
        l->folder = folder;
    }
    *path = arena_printf(&l->arena, "%s/home", l->folder).p;
    return file_make_dirs(*path, err);
}

static bool check_paths(const struct sandbox *s, const struct provider_launch *l, struct error *err)
{
    const char *bad = strchr(s->repo, ':') ? s->repo : strchr(s->dir, ':') ? s->dir : NULL;
    for (const char **home = l->homes; home && *home; home++)
        if (strchr(*home, ':'))
            bad = *home;
    return !bad ||
           error_set(err, ERR_CONFIG_VALIDATION,
                     "%s: a path with a colon cannot be mounted into a container: move it", bad);
}

static bool wrap_container(const struct sandbox *s, struct command_line *w, struct error *err)
{
    struct provider_launch *l = w->l;
    const char *home = NULL, *user = get_env(l, "HOME");
    char id[ID_LEN + 1];
    if (!s->image.n)
        return error_set(err, ERR_CONFIG_VALIDATION,
                         "sandbox %s needs an image: set runner.worker.docker_image",
                         sandbox_kind_name(s->kind));
    if (!check_paths(s, l, err) || !make_home(s, l, &home, err))
        return false;
    id_new(id);
    const char *name = arena_printf(&l->arena, "multiverse-%.12s", id).p;
    add_args(w, (const char *const[]){"run", "--rm", "-i", "--init", "--network", "host", "--name",
                                      name, "-u", NULL});
    add_arg(w, arena_printf(&l->arena, "%u:%u", (unsigned)getuid(), (unsigned)getgid()).p);
    if (!user || user[0] != '/' || !user[1])
        user = "/multiverse-home";
    mount_path(w, home, user, "");
    mount_path(w, s->repo, s->repo, "");
    mount_path(w, find_own_folder(s, l), find_own_folder(s, l), "");
    for (const char **own = l->homes; own && *own; own++)
        if (file_exists(*own))
            mount_path(w, *own, *own, "");
    if (l->is_self)
        mount_path(w, l->argv[0], l->argv[0], ":ro");
    for (const char **need = l->variables; need && *need; need++)
        if (get_env(l, *need) && strcmp(*need, "PATH") != 0 && strcmp(*need, "HOME") != 0)
            add_args(w, (const char *const[]){"-e", *need, NULL});
    add_arg(w, "-e");
    add_arg(w, arena_printf(&l->arena, "HOME=%s", user).p);
    add_args(w, (const char *const[]){"-w", l->cwd ? l->cwd : s->repo, NULL});
    add_arg(w, arena_cstr(&l->arena, s->image));
    add_arg(w, l->program);
    add_args(w, l->argv + 1);

    struct command_line kill = {.l = l};
    add_args(&kill, (const char *const[]){w->argv[0], "rm", "-f", name, NULL});
    l->after_kill = kill.argv;
    return true;
}

bool sandbox_wrap(const struct sandbox *s, struct provider_launch *launch, struct error *err)
{
    assert(s->kind < SANDBOX_KIND_COUNT);
    struct buf path = {0};
    char why[128];
    if (s->kind == SANDBOX_NONE || launch->is_request)
        return true;
    if (!provider_find_program(str_from(sandbox_kind_name(s->kind)), get_env(launch, "PATH"), &path,
                               why)) {
        buf_done(&path);
        return error_set(err, ERR_CONFIG_VALIDATION,
                         "sandbox %s: %s: install it, or set runner.sandbox to none",
                         sandbox_kind_name(s->kind), why);
    }
    struct command_line w = {.l = launch};
    add_arg(&w, arena_cstr(&launch->arena, buf_str(&path)));
    buf_done(&path);
    if (s->kind == SANDBOX_BWRAP)
        wrap_bwrap(s, &w);
    else if (!wrap_container(s, &w, err))
        return false;
    launch->argv = w.argv;
    return true;
}
