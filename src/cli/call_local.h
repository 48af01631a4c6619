/* One tool call without a server: the headless editor in this process, as long as the call takes.
 *
 *     code = call_local_run(&(struct call_local){.config = &c, .tool = tool, .project = "game",
 *                                                .arguments = text, .show = print});
 *
 * Arguments are checked as on the server, errors have the same shape, changes are saved. A job runs
 * to its end, with its progress on a terminal; Ctrl-C cancels it. Everything is printed, and the
 * exit code is returned.
 */
#pragma once

#include "app/config.h"
#include "bridge/catalog.h"

struct call_local {
    const struct config *config;
    const struct tool *tool;
    const char *project;  /* a folder in the project */
    const char *scene;    /* NULL: the one that serve would open */
    struct str arguments; /* a JSON object */
    uint64_t timeout_ms;  /* of a job; 0: as the tool sets it */
    void (*show)(const struct json *answer);
    void (*progress)(struct str line); /* NULL: print no progress */
};

int call_local_run(const struct call_local *c);
