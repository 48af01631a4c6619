/* The child `multiverse task-keeper`: runs one attempt's `multiverse run`, and sees to it that
 * nothing of it lives longer than its lease, whatever dies.
 *
 *     multiverse task-keeper -- multiverse run task.yaml --result result.json
 *
 * Standard input is the orchestrator's hold on it, one line each:
 *
 *     until 123456789     the lease holds until then (CLOCK_BOOTTIME, milliseconds)
 *     stop                SIGTERM to the run, which puts its things in order
 *     kill                SIGKILL to everything
 *
 * At the end of the input (the orchestrator is gone), and when the time is over, everything is
 * killed at once: the run, its process group, and whoever carries the mark KEEPER_MARK that the
 * orchestrator set in its environment (agent/offspring.h). Before a first `until` nothing is
 * started. The run gets SIGKILL from the kernel if the keeper itself is killed; its own warden then
 * ends its agents, and the executor looks for the mark once more.
 *
 * The run inherits standard output and error. The exit code is the run's; 128 + N after a signal;
 * KEEPER_LEASE_OVER, KEEPER_ORPHANED. When it ends nothing of the run is left.
 */
#pragma once

#include <stdint.h>

#define KEEPER_MARK       "MULTIVERSE_TASK"
#define KEEPER_LEASE_OVER 124
#define KEEPER_ORPHANED   125
#define KEEPER_GRACE_MS   5000u /* between stop and kill */

/* argv behind "--". No loop, no thread: poll on standard input and a pidfd. */
int keeper_main(char **argv);
int64_t keeper_clock(void); /* CLOCK_BOOTTIME in ms: goes on while the machine sleeps */
