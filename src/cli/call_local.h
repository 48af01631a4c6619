/* One tool call without a server: the headless editor in this process, as long as the call takes.
 *
 *     code = call_local_run(&(struct call_local){.config = &c, .tool = tool, .project = "game",
 *                                                .arguments = text, .show = print});
 *
 * The arguments are checked as the server checks them, an error has the same shape, changes are
 * saved. A job runs to its end, with its progress on a terminal; Ctrl-C cancels it. Answers the
 * exit code of the program and has said everything.
 */
#pragma once

#include "app/config.h"
#include "bridge/catalog.h"

struct call_local {
    const struct config *config;
    const struct tool *tool;
    const char *project;  /* a folder in it */
    const char *scene;    /* NULL: as serve opens one */
    struct str arguments; /* a JSON object */
    uint64_t timeout_ms;  /* of a job; 0: the tool's own */
    void (*show)(const struct json *answer);
    void (*progress)(struct str line); /* NULL: nobody looks */
};

int call_local_run(const struct call_local *c);
