#include "process/supervisor.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "process/mark.h"
#include "process/proc_stat.h"

#define MAX_LINE 64u
#define LAST_MS  10000 /* for those that were killed to be gone */
#define LOOK_MS  10

#define AFTER_SIGNAL 128 /* and its number: the exit code of who died by it */
#define CANNOT_START 127

enum {
    FROM_INPUT,
    FROM_SIGNALS,
    FROM_TIMER,
    FROM_COUNT
};

struct keeper {
    struct pollfd from[FROM_COUNT];
    sigset_t before; /* what was blocked: the run's own */
    char line[MAX_LINE];
    size_t line_n;
    bool line_is_long; /* none that we know: it is passed over */
    int64_t until;     /* 0: none yet */
    int64_t grace;     /* a run that was told to stop gets SIGKILL then; 0: it was not */
    bool stop, kill, orphaned;
    pid_t run; /* 0: not started */
    bool has_ended;
    int status; /* as waitpid() gives it */
};

int64_t supervisor_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- what comes in */

static void take_line(struct keeper *k, struct str line)
{
    int64_t until;
    if (str_eq(line, STR("stop")))
        k->stop = true;
    else if (str_eq(line, STR("kill")))
        k->kill = true;
    else if (str_starts(line, STR("until ")) && str_to_i64(str_skip(line, 6), &until) && until > 0)
        k->until = until;
}

static void take_bytes(struct keeper *k, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++) {
        if (bytes.p[i] == '\n') {
            if (!k->line_is_long)
                take_line(k, str_make(k->line, k->line_n));
            k->line_n = 0;
            k->line_is_long = false;
        } else if (k->line_n < MAX_LINE) {
            k->line[k->line_n++] = bytes.p[i];
        } else {
            k->line_is_long = true;
        }
    }
}

/* All there is: what was said last counts. */
static void read_input(struct keeper *k)
{
    char bytes[4096];
    ssize_t n;
    do {
        n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n > 0)
            take_bytes(k, str_make(bytes, (size_t)n));
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            k->orphaned = true;
    } while (n == (ssize_t)sizeof bytes && poll(&k->from[FROM_INPUT], 1, 0) > 0);
}

static void read_signals(struct keeper *k)
{
    struct signalfd_siginfo info;
    while (read(k->from[FROM_SIGNALS].fd, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCHLD)
            k->stop = true;
}

/* Those that were left to us by their parents are reaped; the run stays, so that its number is its
 * own until its group was killed. */
static void look_for_end(struct keeper *k)
{
    siginfo_t info = {0};
    while (k->run && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid) {
        if (info.si_pid == k->run) {
            k->has_ended = true;
            break;
        }
        waitpid(info.si_pid, NULL, 0);
        info.si_pid = 0;
    }
}

/* The clock that also goes while the machine sleeps: a timeout of poll() would not. */
static void set_timer(const struct keeper *k)
{
    int64_t at = k->grace && k->grace < k->until ? k->grace : k->until;
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at / 1000), .tv_nsec = (long)(at % 1000) * 1000000}};
    if (timerfd_settime(k->from[FROM_TIMER].fd, TFD_TIMER_ABSTIME, &when, NULL) != 0)
        abort();
}

/* Something happens, and all of it is taken in: the lease that is known is the newest there is when
 * the clock is looked at, however long we were stopped. */
static void wait_for_word(struct keeper *k)
{
    set_timer(k);
    if (poll(k->from, FROM_COUNT, -1) < 0) {
        if (errno != EINTR)
            abort();
        return;
    }
    if (k->from[FROM_INPUT].revents)
        read_input(k);
    read_signals(k);
    look_for_end(k);
}

/* ---- the run */

static void become_run(const struct keeper *k, char **argv, pid_t keeper)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper) /* it died before we could say so */
        _exit(CANNOT_START);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        close(STDIN_FILENO); /* what we are told is none of its business */
    sigprocmask(SIG_SETMASK, &k->before, NULL);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "multiverse task-keeper: cannot run %s: %s\n", argv[0],
            strerror(errno)); /* NOLINT: the only thread */
    _exit(CANNOT_START);
}

static bool start(struct keeper *k, char **argv)
{
    pid_t keeper = getpid();
    k->run = fork();
    if (k->run == 0)
        become_run(k, argv, keeper);
    if (k->run < 0) {
        fprintf(stderr, "multiverse task-keeper: cannot fork: %s\n", strerror(errno));
        k->run = 0;
        return false;
    }
    setpgid(k->run, k->run); /* whoever is first */
    return true;
}

/* Everybody below us is killed and reaped. When we have no child any more nobody is left: who loses
 * their parent becomes ours. Those that the kernel does not let die do nothing any more either. */
static void end_all(struct keeper *k)
{
    int64_t last = supervisor_clock() + LAST_MS;
    kill(-k->run, SIGKILL);
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid > 0) {
            if (pid == k->run)
                k->status = status;
            continue;
        }
        if ((pid < 0 && errno == ECHILD) || supervisor_clock() > last)
            break;
        proc_stat_kill_below();
        poll(&k->from[FROM_SIGNALS], 1, LOOK_MS);
        read_signals(k);
    }
    char mark[MARK_SIZE];
    const char *own = getenv(MARK_TASK);
    snprintf(mark, sizeof mark, MARK_TASK "=%s", own ? own : "");
    if (mark_is_valid(mark))
        mark_kill_wait(mark, LAST_MS);
}

static int code_of(int status)
{
    return WIFSIGNALED(status) ? AFTER_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- its life */

/* Until it may be started; the exit code if it may not. */
static int wait_for_lease(struct keeper *k)
{
    while (!k->until && !k->stop && !k->kill && !k->orphaned)
        wait_for_word(k);
    if (k->orphaned)
        return SUPERVISOR_ORPHANED;
    if (k->stop || k->kill)
        return AFTER_SIGNAL + SIGTERM;
    return supervisor_clock() < k->until ? 0 : SUPERVISOR_LEASE_OVER;
}

/* Until it has ended, or must end: then the exit code for that, 0 if it is the run's own. */
static int watch(struct keeper *k)
{
    for (;;) {
        int64_t now = supervisor_clock();
        if (k->has_ended)
            return 0;
        if (k->orphaned)
            return SUPERVISOR_ORPHANED;
        if (now >= k->until)
            return SUPERVISOR_LEASE_OVER;
        if (k->kill || (k->grace && now >= k->grace))
            return 0;
        if (k->stop && !k->grace) {
            k->grace = now + (int64_t)SUPERVISOR_STOP_MS;
            kill(k->run, SIGTERM);
        }
        wait_for_word(k);
    }
}

static void open_keeper(struct keeper *k)
{
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, SIGTERM);
    sigaddset(&mine, SIGINT);
    sigaddset(&mine, SIGHUP);
    sigaddset(&mine, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); /* where it is ignored there is nobody to wait for */
    sigprocmask(SIG_BLOCK, &mine, &k->before);
    int signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
    int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (signals < 0 || timer < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        abort();
    k->from[FROM_INPUT] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    k->from[FROM_SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
    k->from[FROM_TIMER] = (struct pollfd){.fd = timer, .events = POLLIN};
}

int supervisor_main(char **argv)
{
    struct keeper k = {.status = SIGKILL};
    if (!argv[0])
        return CANNOT_START;
    open_keeper(&k);
    int code = wait_for_lease(&k);
    if (code)
        return code;
    if (!start(&k, argv))
        return CANNOT_START;
    code = watch(&k);
    end_all(&k);
    return code ? code : code_of(k.status);
}
