#include "process/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"

#define CHUNK (16u << 10)

/* Numbers of fields in /proc/PID/stat, as proc(5) counts them. */
enum {
    FIELD_STATE = 3,
    FIELD_PARENT = 4,
    FIELD_FLAGS = 9,
    FIELD_START = 22,
    FIELD_ENV_START = 50,
    FIELD_ENV_END = 51,
    FIELD_COUNT = 53
};

#define FLAG_ENDING 0x00000004u /* PF_EXITING */
#define FLAG_KERNEL 0x00200000u /* PF_KTHREAD */

/* ---- one process */

static bool parse_stat(struct str text, struct platform_process *out)
{
    struct str field;
    uint64_t number, env_start = 0;
    size_t name_end = text.n;
    while (name_end && text.p[name_end - 1] != ')') /* the name may contain ")" itself */
        name_end--;
    text = str_skip(text, name_end + 1);
    if (!name_end)
        return false;
    for (int i = FIELD_STATE; i < FIELD_COUNT && text.n; i++) {
        str_cut(&text, ' ', &field);
        if (i == FIELD_STATE)
            out->is_dead = str_eq(field, STR("Z")) || str_eq(field, STR("X"));
        else if (!str_to_u64(field, &number))
            continue;
        else if (i == FIELD_PARENT)
            out->parent = (int)number;
        else if (i == FIELD_FLAGS)
            out->is_kernel = number & FLAG_KERNEL, out->is_ending = number & FLAG_ENDING;
        else if (i == FIELD_START)
            out->start = number;
        else if (i == FIELD_ENV_START)
            env_start = number;
        else if (i == FIELD_ENV_END)
            out->has_no_environment = env_start && number == env_start;
    }
    return true;
}

bool platform_read_process(int pid, struct platform_process *out)
{
    char path[32], text[1024];
    ssize_t n;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    do
        n = read(fd, text, sizeof text);
    while (n < 0 && errno == EINTR);
    close(fd);
    *out = (struct platform_process){.pid = pid};
    return n > 0 && parse_stat(str_make(text, (size_t)n), out);
}

/* Replace the content of `to` with a file of /proc. False with errno if it cannot be opened. */
static bool read_proc_file(int pid, const char *name, struct buf *to)
{
    char path[64];
    ssize_t n = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    buf_clear(to);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    do {
        char *room = buf_room(to, CHUNK);
        n = room ? read(fd, room, CHUNK) : 0;
        if (n > 0)
            to->n += (size_t)n;
    } while (n > 0 || (n < 0 && errno == EINTR));
    close(fd);
    return true;
}

enum platform_access platform_read_environment(int pid, struct buf *to)
{
    if (read_proc_file(pid, "environ", to))
        return to->n ? PLATFORM_READ : PLATFORM_EMPTY;
    /* ESRCH since Linux 6.16: its memory is gone, but its files may still be open. */
    return errno == EACCES ? PLATFORM_DENIED : errno == ESRCH ? PLATFORM_EMPTY : PLATFORM_GONE;
}

void platform_read_arguments(int pid, struct buf *to)
{
    read_proc_file(pid, "cmdline", to);
}

/* ---- all processes */

void platform_each_process(platform_process_fn *fn, void *ctx)
{
    DIR *dir = opendir("/proc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        int pid = atoi(e->d_name);
        if (pid > 1 && pid != getpid())
            fn(pid, ctx);
    }
    if (dir)
        closedir(dir);
}

struct process_table {
    struct platform_process *rows; /* by pid */
    bool *is_descendant;
    size_t count, cap;
};

static int compare_pids(const void *a, const void *b)
{
    int x = ((const struct platform_process *)a)->pid,
        y = ((const struct platform_process *)b)->pid;
    return (x > y) - (x < y);
}

static void add_row(int pid, void *ctx)
{
    struct process_table *t = ctx;
    mem_grow((void **)&t->rows, &t->cap, t->count + 1, sizeof *t->rows);
    if (platform_read_process(pid, &t->rows[t->count]))
        t->count++;
}

static void read_table(struct process_table *t)
{
    platform_each_process(add_row, t);
    if (t->count)
        qsort(t->rows, t->count, sizeof *t->rows, compare_pids);
    t->is_descendant = mem_zalloc(t->count + 1);
}

static bool is_child_of_descendant(const struct process_table *t, size_t i, int top)
{
    struct platform_process parent = {.pid = t->rows[i].parent};
    if (parent.pid == top)
        return true;
    struct platform_process *row = bsearch(&parent, t->rows, t->count, sizeof parent, compare_pids);
    return row && t->is_descendant[row - t->rows];
}

static void find_descendants(struct process_table *t, int top)
{
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < t->count; i++)
            if (!t->is_descendant[i] && is_child_of_descendant(t, i, top))
                t->is_descendant[i] = found = true;
    }
}

/* The number may have been given to another process since it was read: hold the process by a
 * descriptor first, then compare. */
static bool kill_process(const struct platform_process *seen)
{
    struct platform_process now;
    int fd = pidfd_open(seen->pid, 0);
    bool sent = fd >= 0 && platform_read_process(seen->pid, &now) && now.start == seen->start &&
                !now.is_dead && pidfd_send_signal(fd, SIGKILL, NULL, 0) == 0;
    if (fd >= 0)
        close(fd);
    return sent;
}

size_t platform_kill_descendants(void)
{
    struct process_table t = {0};
    size_t count = 0;
    read_table(&t);
    find_descendants(&t, getpid());
    for (size_t i = 0; i < t.count; i++)
        count += t.is_descendant[i] && kill_process(&t.rows[i]);
    free(t.rows);
    free(t.is_descendant);
    return count;
}

/* ---- this process */

bool platform_adopt_orphans(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

bool platform_die_with_parent(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent; /* it may have ended before the call */
}

bool platform_self_path(char to[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", to, PATH_MAX - 1);
    if (n > 0)
        to[n] = 0;
    return n > 0;
}

/* ---- time and signals */

int64_t platform_clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int platform_open_timer(void)
{
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

bool platform_set_timer(int timer, int64_t at_ms)
{
    struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(at_ms / 1000), .tv_nsec = (long)(at_ms % 1000) * 1000000}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) == 0;
}

int platform_open_signals(const sigset_t *signals)
{
    return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int platform_next_signal(int signals)
{
    struct signalfd_siginfo info;
    return read(signals, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
