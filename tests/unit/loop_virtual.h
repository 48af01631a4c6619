/* The loop of base/loop.h without a clock: time passes only when a test lets it.
 *
 *     struct loop *loop = loop_new();
 *     timer_start(&t, loop, 45000, on_timeout, ctx);
 *     loop_pass(loop, 44999);                   // nothing
 *     loop_pass(loop, 1);                       // on_timeout
 *
 * loop_virtual.c takes the place of src/base/loop.c in the programs that name it in meson.build: a
 * test of hours takes no time and always the same way. There is nothing to wait for but timers; a
 * descriptor is read when there is something in it already, work is done at once.
 */
#pragma once

#include "base/loop.h"

/* Let this much time pass: run deferred functions and the timers that are due, in order. */
void loop_pass(struct loop *loop, uint64_t ms);
