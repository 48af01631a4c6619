#include "base/log.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "base/number.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

static const struct {
    const char *name, *padded, *colour;
} levels[] = {
    [LOG_DEBUG] = {"debug", "debug", "\033[2m"},
    [LOG_INFO] = {"info", "info ", "\033[32m"},
    [LOG_WARN] = {"warn", "warn ", "\033[33m"},
    [LOG_ERROR] = {"error", "error", "\033[31m"},
};
_Static_assert(sizeof levels / sizeof *levels == LOG_LEVEL_COUNT, "one row per level");

/* Set once at the start, before there is a second thread. */
static struct {
    enum log_format format;
    enum log_level least;
    bool colour;
} setup = {LOG_TEXT, LOG_INFO, false};

/* Controls of both kinds, separators of lines and paragraphs, and marks that change the direction
 * of writing: what follows them on a screen would not be what was logged. */
static bool needs_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static void add_escaped(struct buf *b, struct str s, bool quoted)
{
    size_t len;
    for (; s.n; s = str_skip(s, len)) {
        uint32_t c = utf8_decode(s, &len);
        if (c == '\n')
            buf_add(b, STR("\\n"));
        else if (c == '\r')
            buf_add(b, STR("\\r"));
        else if (c == '\t')
            buf_add(b, STR("\\t"));
        else if (needs_escape(c))
            buf_printf(b, "\\u%04x", (unsigned)c);
        else if (quoted && (c == '"' || c == '\\'))
            buf_printf(b, "\\%c", (char)c);
        else
            buf_add(b, str_head(s, len));
    }
}

static bool needs_quotes(struct str s)
{
    size_t len;
    if (s.n == 0)
        return true;
    for (; s.n; s = str_skip(s, len)) {
        uint32_t c = utf8_decode(s, &len);
        if (c == ' ' || c == '"' || c == '=' || c == '\\' || needs_escape(c))
            return true;
    }
    return false;
}

/* Adds valid UTF-8 of bounded length to b. */
static void add_clean(struct buf *b, struct str value)
{
    struct str cut = value.n <= LOG_VALUE_MAX ? value : utf8_head(value, LOG_VALUE_MAX);
    utf8_add_lossy(b, cut);
    if (cut.n < value.n)
        buf_add(b, STR("..."));
}

/* Letters, digits and the like, as nearly all values are: they stand as they are. */
static bool is_plain(struct str value)
{
    if (!value.n || value.n > LOG_VALUE_MAX)
        return false;
    for (size_t i = 0; i < value.n; i++) {
        char c = value.p[i];
        if (c <= ' ' || c >= 0x7f || c == '"' || c == '=' || c == '\\')
            return false;
    }
    return true;
}

static void add_text_value(struct buf *b, struct str value)
{
    if (is_plain(value)) {
        buf_add(b, value);
        return;
    }
    struct buf clean = {0};
    add_clean(&clean, value);
    bool quoted = needs_quotes(buf_str(&clean));
    if (quoted)
        buf_add_char(b, '"');
    add_escaped(b, buf_str(&clean), quoted);
    if (quoted)
        buf_add_char(b, '"');
    buf_done(&clean);
}

static void text_line(struct buf *b, bool colour, const char *time, enum log_level level,
                      struct str event)
{
    buf_add(b, str_make(time + 11, 12)); /* hh:mm:ss.mmm out of the whole */
    buf_add_char(b, ' ');
    if (colour)
        buf_printf(b, "%s%s\033[0m", levels[level].colour, levels[level].padded);
    else
        buf_add(b, str_from(levels[level].padded));
    buf_add_char(b, ' ');
    add_escaped(b, event, false);
}

static void text_field(struct buf *b, const struct log_field *f)
{
    char number[NUMBER_MAX];
    buf_add_char(b, ' ');
    buf_add(b, str_from(f->key));
    buf_add_char(b, '=');
    if (f->is_number)
        buf_add(b, str_make(number, number_print_i64(f->number, number)));
    else
        add_text_value(b, f->text);
}

static void json_field(struct jsonw *w, const struct log_field *f)
{
    jsonw_key(w, f->key);
    if (f->is_number) {
        jsonw_int(w, f->number);
        return;
    }
    if (is_plain(f->text)) {
        jsonw_str(w, f->text);
        return;
    }
    struct buf clean = {0};
    add_clean(&clean, f->text);
    jsonw_str(w, buf_str(&clean));
    buf_done(&clean);
}

void log_line(struct buf *b, enum log_format format, bool colour, const struct log_entry *e)
{
    assert(e->level < LOG_LEVEL_COUNT);
    char time[RFC3339_LEN + 1];
    rfc3339_format(e->unix_ms <= INT64_MAX ? (int64_t)e->unix_ms : INT64_MAX, time);

    if (format == LOG_JSON) {
        struct jsonw w = jsonw_make(b);
        jsonw_object(&w);
        jsonw_kcstr(&w, "time", time);
        jsonw_kcstr(&w, "level", levels[e->level].name);
        jsonw_kcstr(&w, "event", e->event);
        for (const struct log_field *f = e->fields; f->key; f++)
            json_field(&w, f);
        jsonw_end(&w);
    } else {
        struct buf clean = {0};
        add_clean(&clean, str_from(e->event));
        text_line(b, colour, time, e->level, buf_str(&clean));
        buf_done(&clean);
        for (const struct log_field *f = e->fields; f->key; f++)
            text_field(b, f);
    }
    buf_add_char(b, '\n');
}

/* A log that cannot be written has nobody to be told: the line is lost. */
static void write_line(struct str line)
{
    while (line.n) {
        ssize_t n = write(STDERR_FILENO, line.p, line.n);
        if (n < 0 && errno == EINTR)
            continue;
        /* It shares its description with a standard output that a stream made non-blocking. */
        struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
        if (n < 0 && errno == EAGAIN && poll(&room, 1, 100) == 1)
            continue;
        if (n <= 0)
            return;
        line = str_skip(line, (size_t)n); /* a full disk or pipe took a part */
    }
}

void log_event(enum log_level level, const char *event, const struct log_field *fields)
{
    if (level < setup.least)
        return;
    int64_t now = rfc3339_now();
    struct buf b = {0};
    int before = errno; /* logging an error must not change it */
    log_line(&b, setup.format, setup.colour,
             &(struct log_entry){now < 0 ? 0 : (uint64_t)now, level, event, fields});
    write_line(buf_str(&b));
    buf_done(&b);
    errno = before;
}

void log_setup(enum log_format format, enum log_level least)
{
    const char *no_color = getenv("NO_COLOR");
    setup.format = format;
    setup.least = least;
    setup.colour = isatty(STDERR_FILENO) && !(no_color && no_color[0]);
}

bool log_level_from_name(struct str name, enum log_level *level)
{
    for (enum log_level l = 0; l < LOG_LEVEL_COUNT; l++)
        if (str_eq(name, str_from(levels[l].name))) {
            *level = l;
            return true;
        }
    return false;
}

bool log_format_from_name(struct str name, enum log_format *format)
{
    if (str_eq(name, STR("text")))
        *format = LOG_TEXT;
    else if (str_eq(name, STR("json")))
        *format = LOG_JSON;
    else
        return false;
    return true;
}
