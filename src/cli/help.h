/* Texts about the commands, made from their table: help and the manual page.
 *
 *     help_put_program(&out);                   // multiverse --help
 *     help_put_command(command, &out);          // multiverse serve --help
 *     help_put_man(&out);                       // multiverse help --man, multiverse.1
 *
 * Help fits into 80 columns. The manual page uses the man(7) macros.
 */
#pragma once

#include "base/buf.h"
#include "cli/command.h"

extern const char help_about[]; /* what the program is for, in one paragraph */

void help_put_program(struct buf *out);
void help_put_command(const struct command *c, struct buf *out);
void help_put_man(struct buf *out);
