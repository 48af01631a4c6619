/* The actions of `multiverse orchestrate`: they look at, or steer, all orchestrators of a store. */
#pragma once

#include "cli/options.h"

int orchestrate_status(const struct options *o);
int orchestrate_pause(const struct options *o);
int orchestrate_resume(const struct options *o);
int orchestrate_stop(const struct options *o);
