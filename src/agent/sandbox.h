/* The wall around a worker: its command line inside bwrap, docker or podman.
 *
 *     sandbox_wrap(&sandbox, &launch, &err);    // launch.argv becomes {"bwrap", ..., "--", ...}
 *
 * none: as it is. bwrap: the machine read-only, the repo, the call's folder and the tool's own
 * home folders writable, a /tmp of its own, network as it is (the model must be reached), its own
 * processes, which go with it. docker, podman: `run --rm -i --init`, the repo and the call's
 * folder mounted at the same paths, an empty home with the tool's own folders in it, the given
 * image, the variables of the call by name only (their values never in argv), the user's own uid;
 * loopback of the host for the MCP server (--network host). The program is the image's own. A
 * container does not die with its client: launch.after_kill kills it.
 *
 * A tool that is this program itself and runs nothing but a request (openai-chat) needs no wall
 * and gets none.
 */
#pragma once

#include "agent/provider.h"
#include "task/sandbox_kind.h"

struct sandbox {
    enum sandbox_kind kind;
    struct str image; /* docker, podman: required */
    const char *repo, *dir;
};

/* ERR_CONFIG_VALIDATION if the program is not there or an image is missing: what to do. */
bool sandbox_wrap(const struct sandbox *s, struct provider_launch *launch, struct error *err);
