/* A lock between processes, on an empty file of its own.
 *
 *     struct store_guard g = {.path = "state.db.guard", .wait_ms = 10000, .fd = -1};
 *     if (!store_guard_share(&g)) ...          // errno: EWOULDBLOCK, or why it cannot be locked
 *     if (store_guard_try_alone(&g)) ...       // no other process has it, or can take it
 *     store_guard_drop(&g);
 *
 * Every user of a database file holds the lock shared; a process that replaces the file holds it
 * alone. The lock ends with the process, even after a kill. Going from shared to alone is not
 * atomic: the file may change in between, and after a failure no lock is held. The caller owns the
 * path.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct store_guard {
    const char *path;
    unsigned wait_ms;
    int fd; /* -1: no lock is held */
};

bool store_guard_share(struct store_guard *g);     /* waits at most wait_ms */
bool store_guard_try_alone(struct store_guard *g); /* does not wait */
void store_guard_drop(struct store_guard *g);

/* For loops that poll: the monotonic clock, and a pause of 1 to 4 ms that differs between
 * processes, so that no process always comes last. */
int64_t store_guard_clock(void);
void store_guard_pause(unsigned count);
