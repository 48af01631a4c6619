/* This program as a process: its path, and the signals that end it.
 *
 *     char self[PATH_MAX];
 *     if (!self_path(self, &err)) ...
 *     self_on_signals(loop, on_signal, me);     // on_signal(me) in the loop, for each signal
 */
#pragma once

#include <limits.h>

#include "base/error.h"
#include "base/loop.h"

/* The path of this program, to start it as a child. ERR_IO if the system does not reveal it. */
bool self_path(char to[PATH_MAX], struct error *err);

/* Call fn for SIGINT, SIGTERM and SIGHUP. A SIGHUP that nohup ignores stays ignored. */
void self_on_signals(struct loop *loop, loop_fn *fn, void *ctx);
