#include "cli/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 4096u

/* C0 and C1 controls, line and paragraph separators, marks that change the writing direction. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void terminal_escape(struct buf *out, struct str text)
{
    struct buf clean = {0};
    utf8_add_lossy(&clean, text);
    size_t len;
    for (struct str s = buf_str(&clean); s.n; s = str_skip(s, len)) {
        uint32_t c = utf8_decode(s, &len);
        if (c == '\n')
            buf_add(out, STR("\\n"));
        else if (c == '\r')
            buf_add(out, STR("\\r"));
        else if (c == '\t')
            buf_add(out, STR("\\t"));
        else if (needs_escape(c))
            buf_printf(out, "\\u%04x", (unsigned)c);
        else
            buf_add(out, str_head(s, len));
    }
    buf_done(&clean);
}

/* One line in one write, so that it does not mix with the output of other programs. */
static void print_line(const char *colour, const char *prefix, struct str text)
{
    struct buf line = {0};
    struct str cut = utf8_head(text, LINE_MAX_BYTES);
    if (colour && terminal_has_colour(STDERR_FILENO))
        buf_printf(&line, "%smultiverse:\033[0m %s", colour, prefix);
    else
        buf_printf(&line, "multiverse: %s", prefix);
    terminal_escape(&line, cut);
    buf_add(&line, cut.n < text.n ? STR("...\n") : STR("\n"));
    fflush(stdout);
    fwrite(line.p, 1, line.n, stderr);
    fflush(stderr);
    buf_done(&line);
}

void terminal_print_error(const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    print_line("\033[31m", "", buf_str(&text));
    buf_done(&text);
}

void terminal_print_warning(const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    print_line("\033[33m", "warning: ", buf_str(&text));
    buf_done(&text);
}

void terminal_print_failure(const struct error *err)
{
    if (err->code == ERR_CONFIG_PARSE || err->code == ERR_CONFIG_VALIDATION ||
        err->code == ERR_CONFIG_SCHEMA_VERSION)
        terminal_print_error("%s: %s", error_name(err->code), err->text);
    else
        terminal_print_error("%s", err->text);
}

bool terminal_is_tty(int fd)
{
    return isatty(fd) == 1;
}

bool terminal_has_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return terminal_is_tty(fd) && !(no_color && no_color[0]) &&
           !(term && str_eq(str_from(term), STR("dumb")));
}

/* Of the first write that failed: later ones fail for the same reason. */
static int out_errno;

void terminal_write(struct str text)
{
    errno = 0;
    if (fwrite(text.p ? text.p : "", 1, text.n, stdout) < text.n && !out_errno)
        out_errno = errno;
}

bool terminal_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && !out_errno)
        out_errno = errno;
    return !ferror(stdout) || out_errno != EPIPE;
}

bool terminal_check_output(struct error *err)
{
    terminal_flush();
    if (!ferror(stdout))
        return true;
    char text[128];
    return error_set(err, ERR_IO, "cannot write to standard output: %s",
                     out_errno ? strerror_r(out_errno, text, sizeof text) : "it is closed");
}

/* ---- what the terminal can show */

static bool is_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (!value || !value[0])
            continue;
        struct str s = str_from(value);
        size_t point = str_find_char(s, '.');
        return str_eq_nocase(str_skip(s, point + 1), STR("UTF-8")) ||
               str_eq_nocase(str_skip(s, point + 1), STR("utf8"));
    }
    return false;
}

enum columns_set terminal_charset(void)
{
    return is_unicode() ? COLUMNS_UNICODE : COLUMNS_ASCII;
}

uint32_t terminal_columns(void)
{
    struct winsize w;
    if (!terminal_is_tty(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}
