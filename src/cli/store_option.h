/* --store URL: which store a command uses.
 *
 *     static const struct options_row rows[] = {STORE_OPTION_ROW, ..., {0}};
 *     struct store *s = tasks_open(store_option(o), true, NULL, &err);
 *
 * The option, else the variable MULTIVERSE_STORE (empty counts as not set), else NULL: files in
 * ~/.multiverse. The variable is the place for a URL with a password: a command line is seen by all
 * users of the machine, so a password on it is told as a warning, once.
 */
#pragma once

#include "cli/options.h"

#define STORE_OPTION_ROW                                                                           \
    {                                                                                              \
        "store", 'S', OPTIONS_TEXT, "URL",                                                         \
            "postgresql://..., or the path of an SQLite file or its folder (default: "             \
            "$MULTIVERSE_STORE, else ~/.multiverse)",                                              \
            0, 0, NULL                                                                             \
    }

const char *store_option(const struct options *o);
