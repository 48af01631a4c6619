/* Processes of attempts whose keeper is gone, whoever started them: they are killed.
 *
 *     orphans_kill();                            // when an orchestrator starts
 *
 * That happens where keeper, run, warden and orchestrator are all killed at once. A stray has the
 * mark MARK_TASK in its environment, and no keeper on this machine has the same.
 */
#pragma once

#include <stddef.h>

/* How many attempts had left somebody. Blocking: two looks at all processes. */
size_t orphans_kill(void);
void orphans_kill_once(void); /* the first time in this process; any thread */
