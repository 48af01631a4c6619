/* The commands of the program: one table, from which come help, completions and the manual page.
 *
 *     const struct command *c = command_find(STR("serve"));
 *     return c->run(&options);                  // options are parsed and the arguments counted
 *
 * A row of the table (commands.c) says everything a person must know; the work of a command is its
 * function cmd_NAME in cmd_NAME.c (serve.c for serve), which answers the exit code. A command says
 * what went wrong itself, in one line (say.h). A wrong option never reaches it.
 */
#pragma once

#include "cli/options.h"

enum { /* exit codes, the same for all commands */
    COMMAND_FINE = 0,
    COMMAND_FAILED = 1,       /* it was tried, and failed */
    COMMAND_USAGE = 2,        /* wrong use, wrong configuration: nothing was tried */
    COMMAND_INTERRUPTED = 130 /* Ctrl-C */
};

struct command_example {
    const char *line; /* as typed; NULL ends them */
    const char *what;
};

/* What a command of many can do: `multiverse tooling show`. */
struct command_action {
    const char *name;    /* NULL ends them */
    const char *args;    /* as in a usage line, without the name */
    const char *summary; /* one phrase */
    const char *options; /* the names of those it takes, with blanks between: "json seed" */
    size_t min_args, max_args;
    int (*run)(const struct options *o); /* o->args begin behind the name */
};

struct command {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *args;    /* as in a usage line: "TOOL [KEY=VALUE ...]"; "" if there are none */
    size_t min_args, max_args;
    const char *about; /* paragraphs, an empty line between them; a paragraph that begins with a
                          blank is printed as it stands */
    const struct options_row *options;
    const struct command_example *examples;
    int (*run)(const struct options *o);
    /* The first argument names one of them; run is for when there is none, if it is not NULL.
     * Their own arguments are counted. */
    const struct command_action *actions;
};

#define COMMAND_MAX_ARGS 256u
#define COMMAND_ANY_ARGS SIZE_MAX /* as many as the system hands over */

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(struct str name); /* NULL: there is none */

/* The whole program: argv as main has it. */
int command_main(int argc, char **argv);

int cmd_call(const struct options *o);
int cmd_completion(const struct options *o);
int cmd_config(const struct options *o);
int cmd_help(const struct options *o);
int cmd_orchestrate(const struct options *o);
int cmd_project(const struct options *o);
int cmd_run(const struct options *o);
int cmd_serve(const struct options *o);
int cmd_tools(const struct options *o);
int cmd_version(const struct options *o); /* also for --version; o may be NULL */

extern const struct command_action orchestrate_actions[]; /* cmd_orchestrate.c */
extern const struct command_action task_actions[];        /* cmd_task.c */
extern const struct command_action tooling_actions[];     /* cmd_tooling.c */
