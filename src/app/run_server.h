/* The server whose tools the workers of a run get: the one of the repo's Unity project that runs
 * already, else one of our own, headless, as long as the run takes.
 *
 *     struct run_server *s = run_server_start(loop, &options);
 *     ... on_ready(&mcp, why): mcp.url is NULL where there is none
 *     run_server_stop(s);                       // ends what it started; on_gone comes, once
 *
 * A repo that is no Unity project gets none, and nothing is said. A server of our own listens on a
 * free port and asks for a token that only this run knows. It leads its own process group, and ends
 * when its standard input does: nothing is left behind, even if this process is killed.
 */
#pragma once

#include "agent/provider.h"
#include "base/loop.h"

struct run_server;

struct run_server_options {
    const char *repo;
    const char *dir;  /* private, for the token */
    const char *self; /* path of this program */
    void (*on_ready)(const struct provider_mcp *mcp, const char *why, void *ctx);
    void (*on_gone)(void *ctx);
    void *ctx;
};

struct run_server *run_server_start(struct loop *loop, const struct run_server_options *options);
void run_server_stop(struct run_server *s); /* it is freed when on_gone returns */
