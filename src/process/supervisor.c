#include "process/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "process/mark.h"
#include "process/platform.h"
#include "process/process.h"

#define MAX_LINE 64u
#define DEATH_MS 10000 /* for killed processes to be gone */
#define REAP_MS  10
#define PAUSE_MS 50u

#define NAME         "multiverse " SUPERVISOR_COMMAND
#define CANNOT_START 127
#define NO_MARK      2
#define AFTER_SIGNAL 128 /* plus its number: the exit code after a signal */

int64_t supervisor_clock(void)
{
    return platform_clock_ms();
}

/* ---- the owner */

struct supervisor {
    struct process *process;
    supervisor_gone_fn *on_gone;
    void *ctx;
};

static void on_supervisor_exit(struct process *p, struct process_exit end, void *ctx)
{
    struct supervisor *s = ctx;
    supervisor_gone_fn *on_gone = s->on_gone;
    void *owner = s->ctx;
    (void)p, (void)end;
    free(s);
    on_gone(owner);
}

struct supervisor *supervisor_start(struct loop *loop, const char *self,
                                    supervisor_gone_fn *on_gone, void *ctx, struct error *err)
{
    char mark[MARK_SIZE];
    struct arena a = {0};
    struct supervisor *s = mem_zalloc(sizeof *s);
    s->on_gone = on_gone;
    s->ctx = ctx;
    struct process_options o = {
        .argv = (const char *const[]){self, SUPERVISOR_COMMAND, NULL},
        /* Without the marks of a run that this process belongs to: killing that run by its mark
         * must not kill this supervisor. */
        .env = mark_environment(&a, (const char *const *)environ, NULL),
        .cwd = "/", /* so that it keeps no folder in use */
        .on_exit = on_supervisor_exit,
        .ctx = s};
    s->process = process_start(loop, &o, err);
    arena_done(&a);
    if (!s->process) {
        free(s);
        return NULL;
    }
    mark_make(mark, MARK_RUN);
    process_write(s->process, STR("mark "));
    process_write(s->process, str_from(mark));
    process_write(s->process, STR("\n"));
    setenv(MARK_RUN, mark + sizeof MARK_RUN, 1);
    return s;
}

void supervisor_dismiss(struct supervisor *s)
{
    process_write(s->process, STR("done\n"));
    process_close_input(s->process);
}

/* ---- the program: what it reads */

enum {
    FROM_INPUT,
    FROM_SIGNALS,
    FROM_TIMER,
    FROM_COUNT
};

struct supervision {
    struct pollfd from[FROM_COUNT];
    sigset_t old_mask; /* the command runs with it */
    char line[MAX_LINE];
    size_t line_n;
    bool line_is_long;    /* longer than any known line: ignore it */
    char mark[MARK_SIZE]; /* "": none */
    int64_t until;        /* 0: no lease yet */
    bool done, stop, kill, orphaned;

    pid_t command; /* 0: not started */
    bool has_ended;
    int status;         /* as waitpid() returns it */
    int64_t grace_ends; /* when a command gets SIGKILL after `stop`; 0: no stop */
};

static void read_line(struct supervision *s, struct str line)
{
    int64_t until;
    if (str_eq(line, STR("stop"))) {
        s->stop = true;
    } else if (str_eq(line, STR("kill"))) {
        s->kill = true;
    } else if (str_eq(line, STR("done"))) {
        s->done = true;
    } else if (str_starts(line, STR("until ")) && str_to_i64(str_skip(line, 6), &until) &&
               until > 0) {
        s->until = until;
    } else if (str_starts(line, STR("mark ")) && line.n - 5 < sizeof s->mark) {
        memcpy(s->mark, line.p + 5, line.n - 5);
        s->mark[line.n - 5] = 0;
    }
}

static void read_bytes(struct supervision *s, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++) {
        if (bytes.p[i] == '\n') {
            if (!s->line_is_long)
                read_line(s, str_make(s->line, s->line_n));
            s->line_n = 0;
            s->line_is_long = false;
        } else if (s->line_n < MAX_LINE) {
            s->line[s->line_n++] = bytes.p[i];
        } else {
            s->line_is_long = true;
        }
    }
}

/* Read everything that has come, because the last line about the lease counts. */
static void read_input(struct supervision *s)
{
    char bytes[4096];
    ssize_t n;
    do {
        n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n > 0)
            read_bytes(s, str_make(bytes, (size_t)n));
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            s->orphaned = true;
    } while (n == (ssize_t)sizeof bytes && poll(&s->from[FROM_INPUT], 1, 0) > 0);
}

static void read_signals(struct supervision *s)
{
    for (int signum; (signum = platform_next_signal(s->from[FROM_SIGNALS].fd)) != 0;)
        if (signum != SIGCHLD)
            s->stop = true;
}

/* Reap adopted orphans, but not the command: its pid must stay its own until its group has been
 * killed. */
static void reap_orphans(struct supervision *s)
{
    siginfo_t info = {0};
    while (s->command && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid) {
        if (info.si_pid == s->command) {
            s->has_ended = true;
            break;
        }
        waitpid(info.si_pid, NULL, 0);
        info.si_pid = 0;
    }
}

/* Wait for something to happen and read all of it. After a SIGSTOP, however long, the newest lease
 * is known when the caller checks the clock. */
static void wait_for_event(struct supervision *s)
{
    int64_t at = s->grace_ends && s->grace_ends < s->until ? s->grace_ends : s->until;
    if (!platform_set_timer(s->from[FROM_TIMER].fd, at)) /* poll()'s own stops while asleep */
        abort();
    if (poll(s->from, FROM_COUNT, -1) < 0) {
        if (errno != EINTR)
            abort();
        return;
    }
    if (s->from[FROM_INPUT].revents)
        read_input(s);
    read_signals(s);
    reap_orphans(s);
}

static void open_events(struct supervision *s)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTERM);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); /* if it is ignored, there is no child to wait for */
    sigprocmask(SIG_BLOCK, &mask, &s->old_mask);
    int signals = platform_open_signals(&mask), timer = platform_open_timer();
    if (signals < 0 || timer < 0)
        abort();
    s->from[FROM_INPUT] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    s->from[FROM_SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
    s->from[FROM_TIMER] = (struct pollfd){.fd = timer, .events = POLLIN};
}

/* ---- without a command */

static void end_marked(const char *mark)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    mark_signal(mark, SIGTERM);
    for (unsigned ms = 0; ms < SUPERVISOR_MARK_MS && mark_signal(mark, 0); ms += PAUSE_MS)
        nanosleep(&pause, NULL);
    mark_kill(mark);
}

static int supervise_mark(struct supervision *s)
{
    while (!s->orphaned)
        wait_for_event(s);
    if (!mark_is_valid(s->mark))
        return NO_MARK;
    if (!s->done)
        end_marked(s->mark);
    return 0;
}

/* ---- with a command */

static void become_command(const struct supervision *s, char **argv, pid_t supervisor)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    if (!platform_die_with_parent(supervisor))
        _exit(CANNOT_START);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        close(STDIN_FILENO); /* the lines there are not for the command */
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, NAME ": cannot run %s: %s\n", argv[0],
            strerror(errno)); /* NOLINT: the only thread */
    _exit(CANNOT_START);
}

static bool start_command(struct supervision *s, char **argv)
{
    pid_t supervisor = getpid();
    s->command = fork();
    if (s->command == 0)
        become_command(s, argv, supervisor);
    if (s->command < 0) {
        fprintf(stderr, NAME ": cannot fork: %s\n", strerror(errno));
        s->command = 0;
        return false;
    }
    setpgid(s->command, s->command); /* parent and child both do it: either may be first */
    return true;
}

/* Return 0 when the command may be started, else the exit code. */
static int wait_for_lease(struct supervision *s)
{
    while (!s->until && !s->stop && !s->kill && !s->orphaned)
        wait_for_event(s);
    if (s->orphaned)
        return SUPERVISOR_ORPHANED;
    if (s->stop || s->kill)
        return AFTER_SIGNAL + SIGTERM;
    return supervisor_clock() < s->until ? 0 : SUPERVISOR_LEASE_OVER;
}

/* Wait until the command has ended or must end. Return 0 if its own exit code counts, else the exit
 * code. */
static int watch_command(struct supervision *s)
{
    for (;;) {
        int64_t now = supervisor_clock();
        if (s->has_ended)
            return 0;
        if (s->orphaned)
            return SUPERVISOR_ORPHANED;
        if (now >= s->until)
            return SUPERVISOR_LEASE_OVER;
        if (s->kill || (s->grace_ends && now >= s->grace_ends))
            return 0;
        if (s->stop && !s->grace_ends) {
            s->grace_ends = now + (int64_t)SUPERVISOR_STOP_MS;
            kill(s->command, SIGTERM);
        }
        wait_for_event(s);
    }
}

/* Kill and reap every descendant. Orphans become children, so without a child none is left. A
 * process that the kernel does not let die within DEATH_MS is left: it does nothing any more. */
static void kill_descendants(struct supervision *s)
{
    int64_t deadline = supervisor_clock() + DEATH_MS;
    kill(-s->command, SIGKILL);
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid > 0) {
            if (pid == s->command)
                s->status = status;
            continue;
        }
        if ((pid < 0 && errno == ECHILD) || supervisor_clock() > deadline)
            break;
        platform_kill_descendants();
        poll(&s->from[FROM_SIGNALS], 1, REAP_MS);
        read_signals(s);
    }
}

static void kill_own_mark(void)
{
    char mark[MARK_SIZE];
    const char *id = getenv(MARK_TASK);
    snprintf(mark, sizeof mark, MARK_TASK "=%s", id ? id : "");
    if (mark_is_valid(mark))
        mark_kill_wait(mark, DEATH_MS);
}

static int supervise_command(struct supervision *s, char **argv)
{
    if (!platform_adopt_orphans())
        abort();
    int code = wait_for_lease(s);
    if (code)
        return code;
    if (!start_command(s, argv))
        return CANNOT_START;
    code = watch_command(s);
    kill_descendants(s);
    kill_own_mark();
    if (code)
        return code;
    return WIFSIGNALED(s->status) ? AFTER_SIGNAL + WTERMSIG(s->status) : WEXITSTATUS(s->status);
}

int supervisor_main(char **arguments)
{
    struct supervision s = {.status = SIGKILL};
    bool has_command = arguments[0] && strcmp(arguments[0], "--") == 0 && arguments[1];
    if (arguments[0] && !has_command) {
        fprintf(stderr, "usage: " NAME " [-- COMMAND...]\n");
        return CANNOT_START;
    }
    open_events(&s);
    return has_command ? supervise_command(&s, arguments + 1) : supervise_mark(&s);
}
