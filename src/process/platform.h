/* What process supervision needs from the kernel beyond POSIX. A port implements this header:
 * platform_linux.c does it with /proc, prctl(), signalfd and timerfd; Windows would use a job
 * object, macOS sysctl() and kqueue.
 *
 *     struct platform_process p;
 *     if (platform_read_process(pid, &p) && !p.is_dead)
 *         platform_read_environment(pid, &text);
 *     while (platform_kill_descendants() > 0)   // processes started meanwhile are killed next time
 *         continue;
 *
 * Private to src/process. Nothing here keeps state between calls, so any thread may call it.
 */
#pragma once

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* ---- other processes */

struct platform_process {
    int pid, parent;
    uint64_t start; /* with the pid, this identifies the process for good */
    bool is_dead;   /* it waits to be reaped */
    bool is_kernel; /* a thread of the kernel */
    bool is_ending; /* it is about to die, but its files may still be open */
    /* For processes of this user: it runs and was started without any variable. False between two
     * programs (exec) and while it is ending, although no environment can be read then either. */
    bool has_no_environment;
};

/* False if there is no such process. */
bool platform_read_process(int pid, struct platform_process *out);

/* Call fn for every process except init and this one. */
typedef void platform_process_fn(int pid, void *ctx);
void platform_each_process(platform_process_fn *fn, void *ctx);

enum platform_access {
    PLATFORM_READ,
    PLATFORM_EMPTY,  /* no environment at the moment: see struct platform_process */
    PLATFORM_DENIED, /* a process of another user, or one that is ending */
    PLATFORM_GONE
};

/* Replace the content of `to` with the environment, each variable ended by NUL. */
enum platform_access platform_read_environment(int pid, struct buf *to);
/* The same for the command line; empty if it cannot be read. */
void platform_read_arguments(int pid, struct buf *to);

/* Send SIGKILL to the children of this process, to their children, and so on. Return how many were
 * alive. Call it again until it returns 0. */
size_t platform_kill_descendants(void);

/* ---- this process */

/* Become the parent of every descendant whose own parent ends. False if that is not possible. */
bool platform_adopt_orphans(void);
/* In a child, after fork: let the kernel kill this process when its parent ends. False if `parent`
 * has ended already. */
bool platform_die_with_parent(int parent);
/* The path of this program. False if it cannot be found. */
bool platform_self_path(char to[PATH_MAX]);

/* ---- time and signals, as descriptors for poll() */

/* Milliseconds of a clock that also runs while the machine sleeps. */
int64_t platform_clock_ms(void);
int platform_open_timer(void); /* -1 on failure */
/* Make the timer readable when platform_clock_ms() reaches at_ms; 0: never. False on failure. */
bool platform_set_timer(int timer, int64_t at_ms);

/* A descriptor for signals that the caller has blocked; -1 on failure. */
int platform_open_signals(const sigset_t *signals);
int platform_next_signal(int signals); /* the number of one that has come; 0: none */
