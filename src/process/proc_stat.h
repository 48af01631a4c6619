/* What /proc tells of a process: who its parent is, and whether it still lives.
 *
 *     struct proc_stat st;
 *     if (proc_stat_read(pid, &st) && !st.is_dead) ...
 *     proc_stat_kill_below();                   // all that this process has started, and theirs
 *
 * Linux only; elsewhere nothing is there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_stat {
    int pid, parent;
    uint64_t start; /* with the pid, this names it for good */
    bool is_dead;   /* it only waits to be reaped */
    bool is_kernel; /* a thread of the kernel */
    bool is_ending; /* it is about to die: what it held is not free yet */
    /* Of processes of this user: it runs, and was started without any variable. Not so between two
     * programs, and from the beginning of its end, when there is nothing to be seen either. */
    bool has_no_environment;
};

/* False: there is no such process. */
bool proc_stat_read(int pid, struct proc_stat *out);

/* SIGKILL to the children of this process, to theirs, and so on; answers how many lived. Those that
 * are started meanwhile are not among them: again, until there are none. */
size_t proc_stat_kill_below(void);
