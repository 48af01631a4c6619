/* A lock between processes on a file of its own, which stays empty.
 *
 *     struct ledger_guard g = {.path = "state.db.guard", .wait_ms = 10000, .fd = -1};
 *     if (!ledger_guard_share(&g)) ...          // errno: EWOULDBLOCK, or why it cannot be locked
 *     if (ledger_guard_try_alone(&g)) ...       // nobody else holds it, and nobody gets it now
 *     ledger_guard_drop(&g);
 *
 * Held shared by all who use something, alone by who replaces it. It goes with the process, however
 * that ends. Going from shared to alone is no single step: what was seen before may have changed,
 * and after a failure nothing is held. The path is the caller's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ledger_guard {
    const char *path;
    unsigned wait_ms;
    int fd; /* -1: nothing is held */
};

bool ledger_guard_share(struct ledger_guard *g);     /* waits for wait_ms at most */
bool ledger_guard_try_alone(struct ledger_guard *g); /* does not wait */
void ledger_guard_drop(struct ledger_guard *g);

/* Waiting, for who polls: the monotonic clock, and 1 to 4 ms that differ from process to process,
 * so that none of many is always too late. */
int64_t ledger_guard_clock(void);
void ledger_guard_pause(unsigned count);
