/* The kinds of sandbox that a task may ask for. agent/sandbox.h starts them. */
#pragma once

#include "base/str.h"

enum sandbox_kind {
    SANDBOX_NONE,
    SANDBOX_BWRAP,
    SANDBOX_DOCKER,
    SANDBOX_PODMAN,
    SANDBOX_KIND_COUNT
};

/* Find a kind by its name ("bwrap"). Return false if there is none. */
bool sandbox_kind_find(struct str name, enum sandbox_kind *out);
const char *sandbox_kind_name(enum sandbox_kind kind);
