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
 * killed at once: the run, its process group, all that they started, and whoever carries the mark
 * MARK_TASK that the orchestrator set in its environment (process/mark.h). Before a first
 * `until` nothing is started. A run that was told to stop gets SIGKILL after SUPERVISOR_STOP_MS: it
 * needs some seconds for its agents. SIGTERM, SIGINT and SIGHUP are as `stop`. What stands on a
 * line that is none of these three is passed over.
 *
 * The run inherits standard output and error; its input is empty. The exit code is the run's; 128 +
 * N after a signal; SUPERVISOR_LEASE_OVER, SUPERVISOR_ORPHANED; 127 if it cannot be started.
 *
 * When it ends nothing of the run is left, also after a run that ended by itself: whoever loses
 * their parent becomes the keeper's child (a subreaper), so neither a session of one's own nor an
 * empty environment hides anybody. Out of reach are what others started on the run's behalf without
 * its mark (a container, a unit of systemd), and processes of other users.
 *
 * If the keeper itself is killed the kernel kills the run, and with it its agents and its test;
 * what those started is ended by the run's warden, and by the executor, which looks for the mark
 * once more. Who has cleared its environment is not found then. If orchestrator, keeper, run and
 * warden are all killed at once, what agents and test have started goes on, until the task is tried
 * again on this machine or an orchestrator starts here (strays.h).
 *
 * A keeper that is stopped (SIGSTOP) keeps nothing until it goes on: then it looks at the clock
 * first. As long as its orchestrator lives that one kills it in time.
 */
#pragma once

#include <stdint.h>

#define SUPERVISOR_LEASE_OVER 124
#define SUPERVISOR_ORPHANED   125
#define SUPERVISOR_STOP_MS    10000u /* between stop and kill */

/* argv behind "--". No loop, no thread: poll on standard input, signals and a timer. */
int supervisor_main(char **argv);
int64_t supervisor_clock(void); /* CLOCK_BOOTTIME in ms: goes on while the machine sleeps */
