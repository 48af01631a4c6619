#include "process/proc_stat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

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

/* ---- one */

static bool parse(struct str text, struct proc_stat *out)
{
    struct str field;
    uint64_t number, env_start = 0;
    size_t name_end = text.n;
    while (name_end && text.p[name_end - 1] != ')') /* a name may hold anything but its last ) */
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

bool proc_stat_read(int pid, struct proc_stat *out)
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
    *out = (struct proc_stat){.pid = pid};
    return n > 0 && parse(str_make(text, (size_t)n), out);
}

/* ---- all below */

struct all {
    struct proc_stat *them;
    bool *below;
    size_t count, cap;
};

static int by_pid(const void *a, const void *b)
{
    int x = ((const struct proc_stat *)a)->pid, y = ((const struct proc_stat *)b)->pid;
    return (x > y) - (x < y);
}

static void take_all(struct all *a)
{
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        int pid = atoi(e->d_name);
        mem_grow((void **)&a->them, &a->cap, a->count + 1, sizeof *a->them);
        if (pid > 1 && proc_stat_read(pid, &a->them[a->count]))
            a->count++;
    }
    if (d)
        closedir(d);
    if (a->count)
        qsort(a->them, a->count, sizeof *a->them, by_pid);
    a->below = mem_zalloc(a->count + 1);
}

static bool has_parent_below(const struct all *a, size_t i, int top)
{
    struct proc_stat parent = {.pid = a->them[i].parent};
    if (parent.pid == top)
        return true;
    struct proc_stat *at = bsearch(&parent, a->them, a->count, sizeof parent, by_pid);
    return at && a->below[at - a->them];
}

static void find_below(struct all *a, int top)
{
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < a->count; i++)
            if (!a->below[i] && has_parent_below(a, i, top))
                a->below[i] = found = true;
    }
}

/* By a handle on it, behind which we make sure that it is still the one that was seen. */
static bool kill_one(const struct proc_stat *seen)
{
    struct proc_stat now;
    int fd = pidfd_open(seen->pid, 0);
    bool sent = fd >= 0 && proc_stat_read(seen->pid, &now) && now.start == seen->start &&
                !now.is_dead && pidfd_send_signal(fd, SIGKILL, NULL, 0) == 0;
    if (fd >= 0)
        close(fd);
    return sent;
}

size_t proc_stat_kill_below(void)
{
    struct all a = {0};
    size_t count = 0;
    take_all(&a);
    find_below(&a, getpid());
    for (size_t i = 0; i < a.count; i++)
        count += a.below[i] && kill_one(&a.them[i]);
    free(a.them);
    free(a.below);
    return count;
}
