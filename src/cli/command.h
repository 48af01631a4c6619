/* The commands of the program: one table, from which help, completions and manual page are made.
 *
 *     const struct command *c = command_find(STR("serve"));
 *     return c->run(&options);                  // options are parsed and the arguments counted
 *
 * A row of the table (commands.c) describes a command for people. Its function is cmd_NAME in
 * cmd_NAME.c and returns the exit code; an action that needs its own file is cmd_NAME_ACTION. A
 * command prints its errors itself, one line each (terminal.h). Options are checked before.
 */
#pragma once

#include "cli/options.h"

enum { /* exit codes, the same for all commands */
    COMMAND_FINE = 0,
    COMMAND_FAILED = 1,       /* it was tried and failed */
    COMMAND_USAGE = 2,        /* wrong arguments or configuration: nothing was tried */
    COMMAND_INTERRUPTED = 130 /* Ctrl-C */
};

struct command_example {
    const char *line; /* as typed; NULL ends the table */
    const char *what;
};

/* One action of a command that has several: `multiverse tooling show`. */
struct command_action {
    const char *name;    /* NULL ends the table */
    const char *args;    /* as in a usage line, without the name */
    const char *summary; /* one phrase */
    const char *options; /* names of the options it accepts, separated by blanks: "json seed" */
    size_t min_args, max_args;
    int (*run)(const struct options *o); /* o->args begin after the name */
};

struct command {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *args;    /* as in a usage line: "TOOL [KEY=VALUE ...]"; "" for none */
    size_t min_args, max_args;
    const char *about; /* paragraphs, separated by empty lines */
    const struct options_row *options;
    const struct command_example *examples;
    int (*run)(const struct options *o);
    /* The first argument names one of these; without arguments, run is called unless it is NULL.
     * min_args and max_args of the action count its own arguments. */
    const struct command_action *actions;
};

#define COMMAND_MAX_ARGS 256u
#define COMMAND_ANY_ARGS SIZE_MAX /* as many as the system passes */

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(struct str name); /* NULL: no such command */
int command_fail_unknown(const char *name);          /* print the error, return the exit code */

/* The whole program, with the argv of main(). */
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
