/* Options of a command as a table; what was given on the command line, checked against it.
 *
 *     static const struct options_row rows[] = {
 *         {"port", 'p', OPTIONS_NUMBER, "N", "the port (default 48091)", .most = 65535},
 *         {"stdio", 0, OPTIONS_FLAG, NULL, "serve standard input and output"},
 *         {NULL},
 *     };
 *     struct options o;
 *     if (!options_parse(&o, rows, argc, argv, &err)) ...
 *     if (options_number(&o, "port", &port)) ...     // it was given
 *     for (size_t i = 0; i < o.arg_count; i++) use(o.args[i]);
 *
 * Taken are --name VALUE, --name=VALUE, -p VALUE, -pVALUE and, for flags, --name and -n. What does
 * not begin with "-", "-" itself and all that follows "--" are arguments, wherever they stand. Of
 * an option that is given twice the last one holds, unless it is OPTIONS_MANY: those are all kept,
 * in their order. --help and -h belong to every table: reading stops there. The same table makes
 * the help text, completions and the manual page (help.h).
 */
#pragma once

#include "base/error.h"

#define OPTIONS_MAX      16u
#define OPTIONS_MAX_MANY 32u /* of all that may be given more than once, together */

enum options_kind {
    OPTIONS_FLAG,
    OPTIONS_TEXT,   /* not empty */
    OPTIONS_MANY,   /* the same; each time it is given counts */
    OPTIONS_FILE,   /* the same; shells complete a file name */
    OPTIONS_FOLDER, /* the same; shells complete a folder */
    OPTIONS_NUMBER, /* whole, from least to most */
    OPTIONS_CHOICE  /* one of the choices */
};

struct options_row {
    const char *name; /* "port" is --port; NULL ends the table */
    char letter;      /* 'p' is -p; 0: none */
    enum options_kind kind;
    const char *value; /* what the help calls it: "N"; NULL for a flag */
    const char *help;  /* one phrase, with the default where there is one */
    uint64_t least, most;
    const char *const *choices; /* NULL ends them */
};

struct options {
    const struct options_row *rows;
    bool help;   /* --help was there; the rest is not read */
    char **args; /* in their order, in argv, which is sorted in place; NULL ends them */
    size_t arg_count;
    /* private */
    const char *texts[OPTIONS_MAX];
    uint64_t numbers[OPTIONS_MAX];
    struct {
        const struct options_row *row;
        const char *text;
    } many[OPTIONS_MAX_MANY];
    size_t many_count;
};

/* argv holds options and arguments only, not the names of program and command. The fault is one
 * sentence that names the option, what came and what is allowed, or the nearest option. */
bool options_parse(struct options *o, const struct options_row *rows, int argc, char **argv,
                   struct error *err);

bool options_knows(const struct options *o, const char *name); /* it is in the table */

/* What was given; name must be in the table. */
bool options_has(const struct options *o, const char *name);
const char *options_text(const struct options *o, const char *name); /* NULL: not given */
bool options_number(const struct options *o, const char *name, uint64_t *out);
/* The texts of an OPTIONS_MANY, from 0; NULL: there are no more. */
const char *options_nth(const struct options *o, const char *name, size_t n);
