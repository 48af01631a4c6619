/* --store URL: the store that a command uses.
 *
 *     static const struct options_row rows[] = {STORE_OPTION_ROW, ..., {0}};
 *     struct store *s = tasks_open(store_option(o), true, NULL, &err);
 *
 * Return the option, else the variable MULTIVERSE_STORE unless it is empty, else NULL: files in
 * ~/.multiverse. All users of the machine can see a command line, so a password in the option is
 * reported as a warning, once; the variable is safe.
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
