/* The sandbox of a worker: run its command line inside bwrap, docker or podman.
 *
 *     sandbox_wrap(&sandbox, &launch, &err);    // launch.argv becomes {"bwrap", ..., "--", ...}
 *
 * bwrap: the machine is read-only; the repo, the call's folder and the agent's own home folders are
 * writable; /tmp and the processes are private and end with bwrap; the network is shared, because
 * the agent must reach its model.
 *
 * docker, podman: `run --rm -i --init` with the given image and the user's uid. The repo and the
 * call's folder are mounted at the same paths, the agent's own folders into an empty home.
 * Variables are passed by name, never with values in argv. --network host gives access to the MCP
 * server on loopback. The agent's program is the image's. A container does not end with its client,
 * so launch.after_kill removes it.
 *
 * openai-chat is this program and only sends a request, so it is never wrapped.
 */
#pragma once

#include "agent/provider.h"
#include "task/sandbox_kind.h"

struct sandbox {
    enum sandbox_kind kind;
    struct str image; /* docker, podman: required */
    const char *repo, *dir;
};

/* Fail with ERR_CONFIG_VALIDATION if the program or an image is missing. */
bool sandbox_wrap(const struct sandbox *s, struct provider_launch *launch, struct error *err);
