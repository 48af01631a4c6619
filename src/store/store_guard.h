/* A lock between processes on a file of its own, which stays empty.
 *
 *     struct store_guard g = {.path = "state.db.guard", .wait_ms = 10000, .fd = -1};
 *     if (!store_guard_share(&g)) ...          // errno: EWOULDBLOCK, or why it cannot be locked
 *     if (store_guard_try_alone(&g)) ...       // nobody else holds it, and nobody gets it now
 *     store_guard_drop(&g);
 *
 * Held shared by all who use something, alone by who replaces it. It goes with the process, however
 * that ends. Going from shared to alone is no single step: what was seen before may have changed,
 * and after a failure nothing is held. The path is the caller's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct store_guard {
    const char *path;
    unsigned wait_ms;
    int fd; /* -1: nothing is held */
};

bool store_guard_share(struct store_guard *g);     /* waits for wait_ms at most */
bool store_guard_try_alone(struct store_guard *g); /* does not wait */
void store_guard_drop(struct store_guard *g);

/* Waiting, for who polls: the monotonic clock, and 1 to 4 ms that differ from process to process,
 * so that none of many is always too late. */
int64_t store_guard_clock(void);
void store_guard_pause(unsigned count);
