#include "cli/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 4096u

/* Controls of both kinds, separators of lines and paragraphs, marks that change the direction. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void say_add_line(struct buf *out, struct str text)
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

/* One line, one write: it does not mix with those of other programs. */
static void say_line(const char *colour, const char *word, struct str text)
{
    struct buf line = {0};
    struct str cut = utf8_head(text, LINE_MAX_BYTES);
    if (colour && say_has_colour(STDERR_FILENO))
        buf_printf(&line, "%smultiverse:\033[0m %s", colour, word);
    else
        buf_printf(&line, "multiverse: %s", word);
    say_add_line(&line, cut);
    buf_add(&line, cut.n < text.n ? STR("...\n") : STR("\n"));
    fflush(stdout);
    fwrite(line.p, 1, line.n, stderr);
    fflush(stderr);
    buf_done(&line);
}

void say_error(const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    say_line("\033[31m", "", buf_str(&text));
    buf_done(&text);
}

void say_warning(const char *fmt, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, fmt);
    buf_vprintf(&text, fmt, args);
    va_end(args);
    say_line("\033[33m", "warning: ", buf_str(&text));
    buf_done(&text);
}

void say_failure(const struct error *err)
{
    if (err->code == ERR_CONFIG_PARSE || err->code == ERR_CONFIG_VALIDATION ||
        err->code == ERR_CONFIG_SCHEMA_VERSION)
        say_error("%s: %s", error_name(err->code), err->text);
    else
        say_error("%s", err->text);
}

bool say_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

bool say_has_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return say_is_terminal(fd) && !(no_color && no_color[0]) &&
           !(term && str_eq(str_from(term), STR("dumb")));
}

/* The first thing that went wrong: later writes say nothing new. */
static int out_errno;

void say_out(struct str text)
{
    errno = 0;
    if (fwrite(text.p ? text.p : "", 1, text.n, stdout) < text.n && !out_errno)
        out_errno = errno;
}

bool say_out_now(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && !out_errno)
        out_errno = errno;
    return !ferror(stdout) || out_errno != EPIPE;
}

bool say_out_ok(struct error *err)
{
    say_out_now();
    if (!ferror(stdout))
        return true;
    char text[128];
    return error_set(err, ERR_IO, "cannot write to standard output: %s",
                     out_errno ? strerror_r(out_errno, text, sizeof text) : "it is closed");
}
