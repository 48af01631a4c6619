/* Nothing of a run outlives it, not even when the run itself is killed: a small process that waits
 * for that and ends what is left.
 *
 *     struct warden *w = warden_start(loop, self, on_gone, me, &err);   // marks our children
 *     ...                                                               // start whatever
 *     warden_dismiss(w);                                 // all is well; on_gone comes
 *
 * It is a child, `multiverse agent-warden`, whose standard input is held by this process: with this
 * process it closes, whatever ended it (SIGKILL, the terminal gone, the machine short of memory).
 * Then all that have the mark of the run in their environment (offspring.h) get SIGTERM, and
 * SIGKILL after WARDEN_GRACE_MS. A run that dismissed it has put its things in order: nobody is
 * killed.
 */
#pragma once

#include "base/error.h"
#include "base/loop.h"

#define WARDEN_GRACE_MS 2000u

struct warden;
typedef void warden_gone_fn(void *ctx);

/* NULL and *err: it could not be started. on_gone comes once, also if somebody killed it; then it
 * is freed. Sets the mark in this process's own environment: before children are started. */
struct warden *warden_start(struct loop *loop, const char *self, warden_gone_fn *on_gone, void *ctx,
                            struct error *err);
void warden_dismiss(struct warden *w);

/* The child: reads the mark, waits, acts. The exit code. */
int warden_main(void);
