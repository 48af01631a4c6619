/* The options of a command as a table, and a command line checked against it.
 *
 *     static const struct options_row rows[] = {
 *         {"port", 'p', OPTIONS_NUMBER, "N", "the port (default 48091)", .most = 65535},
 *         {"stdio", 0, OPTIONS_FLAG, NULL, "serve standard input and output"},
 *         {NULL},
 *     };
 *     struct options o;
 *     if (!options_parse(&o, rows, argc, argv, &err)) ...
 *     if (options_number(&o, "port", &port)) ...     // --port was given
 *     for (size_t i = 0; i < o.arg_count; i++) use(o.args[i]);
 *
 * Forms: --name VALUE, --name=VALUE, -p VALUE, -pVALUE and, for flags, --name and -n. Words that do
 * not begin with "-", a single "-" and everything after "--" are arguments; they may stand between
 * options. If an option is given twice, the last one counts; all values of an OPTIONS_MANY are
 * kept, in order. Every table has --help and -h; parsing stops there. Help text, completions and
 * the manual page are made from the same table (help.h).
 */
#pragma once

#include "base/error.h"

#define OPTIONS_MAX      16u
#define OPTIONS_MAX_MANY 32u /* values of all OPTIONS_MANY together */

enum options_kind {
    OPTIONS_FLAG,
    OPTIONS_TEXT,   /* not empty */
    OPTIONS_MANY,   /* the same; may be repeated */
    OPTIONS_FILE,   /* the same; shells complete a file name */
    OPTIONS_FOLDER, /* the same; shells complete a folder */
    OPTIONS_NUMBER, /* whole, from least to most */
    OPTIONS_CHOICE  /* one of the choices */
};

struct options_row {
    const char *name; /* "port" is --port; NULL ends the table */
    char letter;      /* 'p' is -p; 0: none */
    enum options_kind kind;
    const char *value; /* its name in the help: "N"; NULL for a flag */
    const char *help;  /* one phrase, with the default if there is one */
    uint64_t least, most;
    const char *const *choices; /* ends with NULL */
};

struct options {
    const struct options_row *rows;
    bool help;   /* --help was given; the rest was not parsed */
    char **args; /* arguments in order, ends with NULL; in argv, which is sorted in place */
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

/* argv holds options and arguments only, not the names of program and command. The error is one
 * sentence that names the option, the given value and what is allowed, or the nearest option. */
bool options_parse(struct options *o, const struct options_row *rows, int argc, char **argv,
                   struct error *err);

bool options_knows(const struct options *o, const char *name); /* it is in the table */

/* The given values; name must be in the table. */
bool options_has(const struct options *o, const char *name);
const char *options_text(const struct options *o, const char *name); /* NULL: not given */
bool options_number(const struct options *o, const char *name, uint64_t *out);
/* The nth value of an OPTIONS_MANY, from 0; NULL: no more values. */
const char *options_nth(const struct options *o, const char *name, size_t n);
