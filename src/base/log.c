#include "base/log.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
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

#define BATCH_MS    50u
#define BATCH_BYTES (16u << 10) /* bytes of waiting lines that are written at once */

/* Set once at the start, before there is a second thread. */
static struct {
    enum log_format format;
    bool colour;
} setup = {LOG_TEXT, false};
enum log_level log_least = LOG_INFO;

/* Lines that wait to be written. The memory is allocated once, so that the signal handler of a
 * crash can write them; the first `whole` bytes are complete lines. */
static struct {
    struct buf lines;
    volatile size_t whole;
    struct timer timer;
    struct loop *loop; /* NULL: no batching */
} batch;
static _Thread_local bool has_batch; /* the thread of that loop; others write at once */

/* C0 and C1 controls, line and paragraph separators, and marks that change the writing direction:
 * they would change how the rest of the line is displayed. */
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

/* Append the value as valid UTF-8 of limited length. */
static void add_clean(struct buf *b, struct str value)
{
    struct str cut = value.n <= LOG_VALUE_MAX ? value : utf8_head(value, LOG_VALUE_MAX);
    utf8_add_lossy(b, cut);
    if (cut.n < value.n)
        buf_add(b, STR("..."));
}

/* Does the value need neither quotes nor escapes? Nearly all values do not. */
static bool is_plain(struct str value)
{
    static const bool special[256] = {['"'] = true, ['='] = true, ['\\'] = true, [0x7f] = true};
    bool bad = !value.n || value.n > LOG_VALUE_MAX;
    for (size_t i = 0; i < value.n && !bad; i++)
        bad = (signed char)value.p[i] <= ' ' || special[(unsigned char)value.p[i]];
    return !bad;
}

/* The same for text with blanks, such as the name of an event. */
static bool is_printable(struct str text)
{
    bool bad = text.n > LOG_VALUE_MAX;
    for (size_t i = 0; i < text.n && !bad; i++)
        bad = (signed char)text.p[i] < ' ' || text.p[i] == 0x7f;
    return !bad;
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

static void add_text_line(struct buf *b, bool colour, const char *time, enum log_level level,
                          struct str event)
{
    buf_add(b, str_make(time + 11, 12)); /* hh:mm:ss.mmm out of the whole */
    buf_add_char(b, ' ');
    if (colour)
        buf_printf(b, "%s%s\033[0m", levels[level].colour, levels[level].padded);
    else
        buf_add(b, str_from(levels[level].padded));
    buf_add_char(b, ' ');
    if (is_printable(event)) {
        buf_add(b, event);
        return;
    }
    struct buf clean = {0};
    add_clean(&clean, event);
    add_escaped(b, buf_str(&clean), false);
    buf_done(&clean);
}

static void add_text_field(struct buf *b, const struct log_field *f)
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

static void add_json_field(struct jsonw *w, const struct log_field *f)
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
            add_json_field(&w, f);
        jsonw_end(&w);
    } else {
        add_text_line(b, colour, time, e->level, str_from(e->event));
        for (const struct log_field *f = e->fields; f->key; f++)
            add_text_field(b, f);
    }
    buf_add_char(b, '\n');
}

/* If the log cannot be written, the lines are lost: there is nowhere to report it. */
static void write_lines(struct str lines)
{
    while (lines.n) {
        ssize_t n = write(STDERR_FILENO, lines.p, lines.n);
        if (n < 0 && errno == EINTR)
            continue;
        /* stderr may share its open file with a standard output that is non-blocking. */
        struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
        if (n < 0 && errno == EAGAIN && poll(&room, 1, 100) == 1)
            continue;
        if (n <= 0)
            return;
        lines = str_skip(lines, (size_t)n); /* a partial write */
    }
}

/* ---- lines that wait */

static void write_batch(void *ctx)
{
    (void)ctx;
    int before = errno;
    batch.whole = 0;
    write_lines(buf_str(&batch.lines));
    buf_clear(&batch.lines);
    timer_stop(&batch.timer);
    errno = before;
}

static void end_line(enum log_level level)
{
    batch.whole = batch.lines.n;
    if (level >= LOG_WARN || batch.lines.n >= BATCH_BYTES)
        write_batch(NULL);
    else if (!timer_is_running(&batch.timer))
        timer_start(&batch.timer, batch.loop, BATCH_MS, write_batch, NULL);
}

/* Signals that end the process before the timer fires: a fault, abort(), a closed terminal. */
static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGQUIT, SIGSEGV, SIGSYS};
#define DEADLY_COUNT (sizeof deadly / sizeof *deadly)
static struct sigaction were[DEADLY_COUNT];

static void restore_signals(void)
{
    for (size_t i = 0; i < DEADLY_COUNT; i++)
        sigaction(deadly[i], &were[i], NULL);
}

/* Async-signal-safe: write the lines and restore the old handlers. A fault happens again when the
 * instruction is repeated; a signal that was sent is raised again. */
static void on_deadly(int signum, siginfo_t *info, void *context)
{
    (void)context;
    size_t n = batch.whole;
    batch.whole = 0;
    write_lines(str_make(batch.lines.p, n));
    restore_signals();
    if (info->si_code <= 0)
        raise(signum);
}

static void install_signals(void)
{
    struct sigaction act = {.sa_sigaction = on_deadly, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        sigaction(deadly[i], NULL, &were[i]);
        if (were[i].sa_handler != SIG_IGN)
            sigaction(deadly[i], &act, NULL);
    }
}

void log_batch(struct loop *loop)
{
    if (batch.loop) {
        write_batch(NULL);
        restore_signals();
        buf_done(&batch.lines);
    }
    batch.loop = loop;
    has_batch = loop != NULL;
    if (loop) {
        buf_room(&batch.lines, 2 * BATCH_BYTES);
        install_signals();
    }
}

/* ---- one event */

static void add_line(struct buf *to, enum log_level level, const char *event,
                     const struct log_field *fields)
{
    int64_t now = rfc3339_now();
    log_line(to, setup.format, setup.colour,
             &(struct log_entry){now < 0 ? 0 : (uint64_t)now, level, event, fields});
}

void log_event(enum log_level level, const char *event, const struct log_field *fields)
{
    if (level < log_least)
        return;
    int before = errno; /* logging an error must not change it */
    if (has_batch) {
        add_line(&batch.lines, level, event, fields);
        end_line(level);
    } else {
        struct buf line = {0};
        add_line(&line, level, event, fields);
        write_lines(buf_str(&line));
        buf_done(&line);
    }
    errno = before;
}

void log_setup(enum log_format format, enum log_level least)
{
    const char *no_color = getenv("NO_COLOR");
    setup.format = format;
    log_least = least;
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
