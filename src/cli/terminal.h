/* Messages to the person at the shell, and what the terminal can show.
 *
 *     terminal_print_error("unknown command %s", name);      // multiverse: unknown command x
 *     if (terminal_is_tty(STDOUT_FILENO)) ...                // indent, move the cursor
 *
 * A message is exactly one line on standard error, whatever its arguments contain: control
 * characters and characters that break a line or change its direction are escaped, invalid UTF-8
 * becomes U+FFFD. Colour is used on a terminal only, and not if NO_COLOR is set.
 */
#pragma once

#include "base/columns.h"
#include "base/error.h"
#include "base/str.h"

/* "multiverse: ..." on one line of standard error. */
void terminal_print_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void terminal_print_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for an error; errors of the configuration begin with their code. */
void terminal_print_failure(const struct error *err);

bool terminal_is_tty(int fd);
bool terminal_has_colour(int fd);        /* a terminal, and NO_COLOR is not set */
uint32_t terminal_columns(void);         /* of standard output; 0: it is not a terminal */
enum columns_set terminal_charset(void); /* by the locale */

/* Add text to a line, with everything escaped that would end or turn the line. */
struct buf;
void terminal_escape(struct buf *out, struct str text);

/* Standard output. A failed write is remembered and reported by terminal_check_output(). */
void terminal_write(struct str text);
bool terminal_flush(void); /* false: nothing reads standard output any more */
bool terminal_check_output(struct error *err);
