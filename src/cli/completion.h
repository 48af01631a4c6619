/* Completion scripts, made from the tables of commands, settings and tools.
 *
 *     completion_put_bash(&out, catalog);
 *
 * They complete commands, options and their values, settings and theirs, tools and the names of
 * their arguments. All is in the script: completing starts no program. Names in these tables are
 * letters, digits, "_" and "-"; descriptions are escaped for the shell they go to.
 */
#pragma once

#include "base/buf.h"
#include "bridge/catalog.h"

void completion_put_bash(struct buf *out, const struct catalog *catalog); /* completion_bash.c */
void completion_put_fish(struct buf *out, const struct catalog *catalog); /* completion_fish.c */
void completion_put_zsh(struct buf *out, const struct catalog *catalog);  /* completion_zsh.c */
