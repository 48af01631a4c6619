/* Processes of attempts whose supervisor is gone: find and kill them.
 *
 *     orphans_kill();                           // when an orchestrator starts
 *
 * They are left behind if the supervisor, the run, and the run's own supervisor are killed at once.
 * An orphan carries a mark MARK_TASK (mark.h) that no supervisor on this machine carries.
 */
#pragma once

#include <stddef.h>

/* Return the number of attempts that had left processes. Blocks for two searches through all
 * processes. */
size_t orphans_kill(void);
void orphans_kill_once(void); /* only the first call in this process does it; any thread */
