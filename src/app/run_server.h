/* The server whose tools the workers of a run get: a running server of the repo's Unity project, or
 * else a headless one that is started for this run.
 *
 *     struct run_server *s = run_server_start(loop, &options);
 *     ...                                       // on_ready(); mcp.url is NULL without a server
 *     run_server_stop(s);                       // ends what it started; on_gone is called once
 *
 * A repo that is not a Unity project gets no server and no message. A server that is started for
 * the run listens on a free port and requires a token that only this run knows. It leads its own
 * process group and ends when its standard input does, so it ends even if this process is killed.
 */
#pragma once

#include "agent/provider.h"
#include "base/loop.h"

struct run_server;

struct run_server_options {
    const char *repo;
    const char *dir;  /* private, for the token */
    const char *self; /* path of this program */
    void (*on_ready)(const struct provider_mcp *mcp, const char *reason, void *ctx);
    void (*on_gone)(void *ctx);
    void *ctx;
};

struct run_server *run_server_start(struct loop *loop, const struct run_server_options *options);
void run_server_stop(struct run_server *s); /* s is freed before on_gone is called */
