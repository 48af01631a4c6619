#include "agent/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/offspring.h"
#include "base/arena.h"

/* ---- here */

static const char **arguments(struct arena *a, const struct guard_options *o)
{
    size_t n = 0;
    while (o->command && o->command[n])
        n++;
    const char **argv = arena_zalloc(a, (n + 4) * sizeof *argv);
    argv[0] = o->self;
    argv[1] = "agent-guard";
    argv[2] = o->mark;
    if (n)
        memcpy(argv + 3, o->command, n * sizeof *argv);
    return argv;
}

/* Its input is the pipe; what it would say, nobody reads. */
static int spawn(const struct guard_options *o, int input, pid_t *pid)
{
    struct arena a = {0};
    const char *const *env = o->env ? o->env : (const char *const *)environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    /* Without a mark of its own: who kills us by that must not kill the guard, too. */
    int code = posix_spawn(pid, o->self, &files, &attributes, (char **)arguments(&a, o),
                           (char **)offspring_env(&a, env, NULL));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    arena_done(&a);
    return code;
}

void guard_start(struct guard *g, const struct guard_options *options)
{
    int ends[2];
    pid_t pid;
    if (!options->self || pipe2(ends, O_CLOEXEC) < 0)
        return;
    int code = spawn(options, ends[0], &pid);
    close(ends[0]);
    if (code)
        close(ends[1]);
    else
        *g = (struct guard){.pid = (int)pid, .input = ends[1]};
}

void guard_end(struct guard *g)
{
    if (!g->pid)
        return;
    kill(g->pid, SIGKILL); /* before its input ends */
    while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(g->input);
    *g = (struct guard){0};
}

/* ---- there */

int guard_main(int argc, char **argv)
{
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    char byte;
    if (argc < 1 || !offspring_is_mark(argv[0]))
        return 2;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);)
        n = read(STDIN_FILENO, &byte, 1);
    offspring_kill(argv[0]);
    if (argc > 1) {
        for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
            signal(ignored[i], SIG_DFL);
        execvp(argv[1], argv + 1);
    }
    return 0;
}
