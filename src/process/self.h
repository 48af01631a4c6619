/* This program as a process: where it is, and what it listens to.
 *
 *     char self[PATH_MAX];
 *     if (!self_path(self, &err)) ...
 *     self_on_signals(loop, on_signal, me);         // in the loop, each time
 */
#pragma once

#include <limits.h>

#include "base/error.h"
#include "base/loop.h"

/* The program itself, to be started as a child. ERR_IO without /proc. */
bool self_path(char to[PATH_MAX], struct error *err);

/* Ctrl-C, SIGTERM, and the terminal that closes: but nohup holds. */
void self_on_signals(struct loop *loop, loop_fn *fn, void *ctx);
