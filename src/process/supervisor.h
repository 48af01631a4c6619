/* The program that kills what a run has started, even if the run itself is killed. It is this
 * program's hidden command `supervisor`, in two forms:
 *
 *     multiverse supervisor                     kill what carries a mark when the owner is gone
 *     multiverse supervisor -- COMMAND...       run a command under a lease
 *
 * Its standard input is the owner's hold on it, a pipe with one command a line. The pipe closes
 * with the owner, whatever ended that (SIGKILL, a closed terminal, a machine out of memory):
 *
 *     mark NAME=ID        without a command: the mark of the processes to kill (mark.h)
 *     done                without a command: the owner has ended everything itself; kill nothing
 *     until 123456789     the lease holds until then, by supervisor_clock()
 *     stop                send SIGTERM to the command, which may end its work in order
 *     kill                kill everything
 *
 * Unknown lines are ignored. A process uses the first form to protect itself:
 *
 *     struct supervisor *s = supervisor_start(loop, self, on_gone, me, &err);
 *     ...                                       // start children: they inherit the mark
 *     supervisor_dismiss(s);                    // everything has ended; on_gone follows
 *
 * If its input ends without `done`, every process with the mark gets SIGTERM, and SIGKILL after
 * SUPERVISOR_MARK_MS. It ignores SIGTERM, SIGINT and SIGHUP: they may be meant for the run only.
 *
 * The second form is the orchestrator's hold on an attempt. At the end of its input, and when the
 * lease is over, it kills everything at once: the command, its process group, all descendants, and
 * every process with the mark MARK_TASK of its own environment. It starts nothing before the first
 * `until`. After `stop`, the command gets SIGKILL when SUPERVISOR_STOP_MS are over. SIGTERM, SIGINT
 * and SIGHUP act as `stop`. The command inherits standard output and error; its input is empty. The
 * exit code is that of the command, 128 + N after signal N, SUPERVISOR_LEASE_OVER,
 * SUPERVISOR_ORPHANED, or 127 if the command cannot be started.
 *
 * When the second form ends, nothing of the command is left, even if the command ended by itself:
 * descendants that lose their parent become children of the supervisor, so neither a session of
 * their own nor an empty environment hides them. Out of reach are processes that others started
 * for the command without its mark (a container, a unit of systemd) and processes of other users.
 *
 * If the supervisor of a command is killed, the kernel kills the command, and with a `multiverse
 * run` its agents and its test. Their descendants are killed by the run's own supervisor, and by
 * the executor, which searches for the mark once more; a process that has cleared its environment
 * is then missed. If owner, both supervisors and run are killed at once, descendants of agents and
 * test continue until the task is tried again on this machine, or an orchestrator starts here
 * (orphans.h). A supervisor that is suspended (SIGSTOP) checks the clock first when it continues;
 * meanwhile the orchestrator kills it in time.
 */
#pragma once

#include <stdint.h>

#include "base/error.h"
#include "base/loop.h"

#define SUPERVISOR_COMMAND    "supervisor"
#define SUPERVISOR_LEASE_OVER 124
#define SUPERVISOR_ORPHANED   125
#define SUPERVISOR_STOP_MS    10000u /* between stop and SIGKILL */
#define SUPERVISOR_MARK_MS    2000u  /* between SIGTERM and SIGKILL to marked processes */

/* ---- the owner */

struct supervisor;
typedef void supervisor_gone_fn(void *ctx);

/* Start a supervisor of this process's children and set MARK_RUN in this process's environment.
 * Call it before any child is started. NULL and *err if it cannot be started. on_gone comes once,
 * even if the supervisor was killed; then it is freed. */
struct supervisor *supervisor_start(struct loop *loop, const char *self,
                                    supervisor_gone_fn *on_gone, void *ctx, struct error *err);
void supervisor_dismiss(struct supervisor *s);

/* Milliseconds of the clock by which leases are measured; it also runs while the machine sleeps. */
int64_t supervisor_clock(void);

/* ---- the program */

/* `arguments` are those after the command's name: none, or "--" and a command. Returns the exit
 * code. Uses no loop and no thread. */
int supervisor_main(char **arguments);
