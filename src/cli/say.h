/* What the program says to the person at the shell.
 *
 *     say_error("there is no command %s", name);     // multiverse: there is no command x
 *     if (say_is_terminal(STDOUT_FILENO)) ...        // indent, move the cursor
 *
 * A message is exactly one line on stderr, whatever its arguments hold: control characters and
 * those that break or turn round a line are escaped, invalid UTF-8 becomes U+FFFD. Colour only on
 * a terminal, and never with NO_COLOR set.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

/* "multiverse: ..." in one line on stderr. */
void say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for an error; codes of the configuration are named, as the documentation names them. */
void say_failure(const struct error *err);

bool say_is_terminal(int fd);
bool say_has_colour(int fd); /* a terminal, and NO_COLOR is not set */

/* Adds text so that it stays on its line. */
struct buf;
void say_add_line(struct buf *out, struct str text);

/* Writes to stdout, and whether everything written to it so far has arrived. */
void say_out(struct str text);
bool say_out_ok(struct error *err);
/* For those who go on: what was written is sent off; false if nobody reads it any more. */
bool say_out_now(void);
