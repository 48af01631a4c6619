/* The wall around a worker: its command line inside bwrap, docker or podman.
 *
 *     sandbox_wrap(&sandbox, &launch, &err);    // launch.argv becomes {"bwrap", ..., "--", ...}
 *
 * none: as it is. bwrap: the machine read-only, the repo, the call's folder and the tool's own home
 * folders writable, a /tmp of its own, network as it is (the model must be reached), gone with its
 * parent. docker, podman: `run --rm -i --init`, the repo and the call's folder mounted at the same
 * paths, the given image, the variables of the call by name only (their values never in argv),
 * the user's own uid; loopback of the host for the MCP server (--network host).
 */
#pragma once

#include "agent/provider.h"

enum sandbox_kind {
    SANDBOX_NONE,
    SANDBOX_BWRAP,
    SANDBOX_DOCKER,
    SANDBOX_PODMAN,
    SANDBOX_KIND_COUNT
};

struct sandbox {
    enum sandbox_kind kind;
    struct str image; /* docker, podman: required */
    const char *repo, *dir;
};

bool sandbox_find(struct str name, enum sandbox_kind *out); /* "bwrap" ... */
/* ERR_CONFIG_VALIDATION if the program is not there or an image is missing: what to do. */
bool sandbox_wrap(const struct sandbox *s, struct provider_launch *launch, struct error *err);
