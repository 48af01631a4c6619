/* Completion scripts, made from the tables of commands, settings and tools.
 *
 *     completion_put_bash(&out, catalog);
 *
 * They complete commands, options, settings, the values of both, tools and the names of their
 * arguments. The script contains everything, so completing starts no program. Names in these tables
 * consist of letters, digits, "_" and "-"; descriptions are escaped for the shell.
 */
#pragma once

#include "base/buf.h"
#include "bridge/catalog.h"

void completion_put_bash(struct buf *out, const struct catalog *catalog);
void completion_put_fish(struct buf *out, const struct catalog *catalog);
void completion_put_zsh(struct buf *out, const struct catalog *catalog);
