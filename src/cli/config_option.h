/* The settings a command uses: multiverse.json of --config, then the options of the command.
 *
 *     struct config c;
 *     if (!config_option_load(&c, options, &err)) ...     // exit 2 with err.text
 *     config_done(&c);
 *
 * Read are those of --port, --token-file, --log-format, --log-level, --project and --save that are
 * in the command's option table.
 */
#pragma once

#include "app/config.h"
#include "cli/options.h"

bool config_option_load(struct config *c, const struct options *o, struct error *err);
