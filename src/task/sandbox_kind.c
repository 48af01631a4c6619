#include "task/sandbox_kind.h"

#include <assert.h>

static const char *const names[SANDBOX_KIND_COUNT] = {
    [SANDBOX_NONE] = "none",
    [SANDBOX_BWRAP] = "bwrap",
    [SANDBOX_DOCKER] = "docker",
    [SANDBOX_PODMAN] = "podman",
};

const char *sandbox_kind_name(enum sandbox_kind kind)
{
    assert(kind < SANDBOX_KIND_COUNT);
    return names[kind];
}

bool sandbox_kind_find(struct str name, enum sandbox_kind *out)
{
    for (enum sandbox_kind k = SANDBOX_NONE; k < SANDBOX_KIND_COUNT; k++)
        if (str_eq(name, str_from(names[k]))) {
            *out = k;
            return true;
        }
    return false;
}
