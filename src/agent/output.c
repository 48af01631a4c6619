#include "agent/output.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include "agent/output_internal.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "base/when_text.h"

#define COMPLAINT_MAX 1024u
#define STEP_MAX      240u

static const struct output_reader *const readers[AGENT_KIND_COUNT] = {
    [AGENT_CODEX] = &output_codex,   [AGENT_CLAUDE] = &output_claude,
    [AGENT_GEMINI] = &output_gemini, [AGENT_CURSOR] = &output_cursor,
    [AGENT_OPENAI] = &output_openai, [AGENT_MOCK] = &output_mock,
};

void output_init(struct output *r, enum agent_kind tool, int64_t now)
{
    assert(tool > AGENT_NONE && tool < AGENT_KIND_COUNT);
    *r = (struct output){.agent = tool, .now = now, .reader = readers[tool]};
    r->last_message = buf_make(OUTPUT_MAX_TEXT);
    for (size_t i = 0; i < 3; i++)
        r->lines[i] = buf_make(OUTPUT_MAX_LINE);
    assert(r->reader->size >= sizeof(struct output_facts));
    r->facts = mem_zalloc(r->reader->size);
    r->facts->text = buf_make(OUTPUT_MAX_LINE);
    r->facts->complaint = buf_make(COMPLAINT_MAX);
}

void output_done(struct output *r)
{
    if (r->facts) {
        if (r->reader->free_state)
            r->reader->free_state(r);
        buf_done(&r->facts->text);
        buf_done(&r->facts->complaint);
        free(r->facts);
    }
    buf_done(&r->last_message);
    for (size_t i = 0; i < 3; i++)
        buf_done(&r->lines[i]);
    arena_done(&r->arena);
    *r = (struct output){0};
}

/* Reading. */

/* Repair a line that is almost JSON: half of a surrogate pair, because the agent cut a text, or
 * invalid UTF-8. */
static struct str mend_line(struct output *r, struct str line)
{
    struct buf out = buf_make(2 * OUTPUT_MAX_LINE);
    utf8_add_lossy(&out, line);
    for (size_t i = 0; i + 6 <= out.n; i++) {
        if (out.p[i] != '\\')
            continue;
        bool surrogate = out.p[i + 1] == 'u' && (out.p[i + 2] | 32) == 'd' && out.p[i + 3] >= '8';
        if (!surrogate) {
            i++; /* skip the escaped character */
            continue;
        }
        bool high = (out.p[i + 3] | 32) < 'c';
        bool low_follows = i + 12 <= out.n && out.p[i + 6] == '\\' && out.p[i + 7] == 'u' &&
                           (out.p[i + 8] | 32) == 'd' && (out.p[i + 9] | 32) >= 'c';
        if (high && low_follows)
            i += 11;
        else
            memcpy(out.p + i + 2, "fffd", 4), i += 5;
    }
    struct str copy = arena_str(&r->arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

static const struct json *parse_line(struct output *r, struct str line)
{
    static const struct json_limits limits = {.max_depth = 512};
    struct json_error err;
    arena_reset(&r->arena);
    const struct json *v = json_parse(&r->arena, line, &limits, &err);
    if (v || err.limit)
        return v;
    return json_parse(&r->arena, mend_line(r, line), &limits, NULL);
}

static void keep_line(struct buf *b, struct str line)
{
    size_t room = (b->max ? b->max : BUF_DEFAULT_MAX) - b->n;
    if (room > 1) {
        buf_add(b, str_head(line, room - 1));
        buf_add_char(b, '\n');
    }
}

static bool is_event(const struct json *v)
{
    return json_is(v, JSON_OBJECT) && json_str(json_get(v, STR("type"))).n > 0;
}

static void take_event(struct output *r, const struct json *event)
{
    r->facts->stream = true;
    r->facts->events++;
    r->reader->read_event(r, event);
}

/* Read a whole conversation that is one array on one line. */
static bool take_array(struct output *r, const struct json *array)
{
    JSON_ITEMS (array, item)
        if (!is_event(item))
            return false;
    if (json_count(array) == 0)
        return false;
    JSON_ITEMS (array, item)
        take_event(r, item);
    return true;
}

static bool take_stdout(struct output *r, struct str line)
{
    struct output_facts *facts = r->facts;
    struct str trimmed = str_trim(line);
    if (facts->mode == OUTPUT_TEXT || trimmed.n < 2 || (trimmed.p[0] != '{' && trimmed.p[0] != '['))
        return false;
    const struct json *v = parse_line(r, trimmed);
    if (is_event(v) && (facts->stream || !facts->text.n || r->reader->is_opening(v))) {
        take_event(r, v);
        return true;
    }
    return !facts->text.n && !facts->stream && json_is(v, JSON_ARRAY) && take_array(r, v);
}

/* Lines that agents always print on stderr; they are never the reason of a failure. */
static bool is_noise(struct str line)
{
    static const char *const starts[] = {"Warning", "WARNING", "Reading additional input",
                                         "Ripgrep is not available", "YOLO mode is enabled"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(line, str_from(starts[i])))
            return true;
    return false;
}

static void take_line(struct output *r, enum process_stream which, struct str line)
{
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    if (which == PROCESS_STDOUT) {
        bool blank = str_trim(line).n == 0 && r->facts->text.n == 0; /* before the text */
        if (!take_stdout(r, line) && !r->facts->stream && !blank)
            keep_line(&r->facts->text, line);
        return;
    }
    if (str_trim(line).n && !is_noise(line))
        keep_line(&r->facts->complaint, line);
    if (r->reader->read_stderr_line)
        r->reader->read_stderr_line(r, line);
}

/* Read a piece that ends with a line, or the first part of a line. */
static void take_piece(struct output *r, enum process_stream which, struct str piece, bool ends)
{
    struct buf *b = &r->lines[which];
    if (!r->skipping[which] && b->n + piece.n > OUTPUT_MAX_LINE) {
        r->skipping[which] = true;
        r->skipped++;
        buf_clear(b);
    }
    if (!r->skipping[which]) {
        if (ends && b->n == 0) {
            take_line(r, which, piece); /* the common case, without a copy */
        } else {
            buf_add(b, piece);
            if (ends)
                take_line(r, which, buf_str(b));
        }
    }
    if (ends) {
        r->skipping[which] = false;
        buf_clear(b);
    }
}

void output_feed(struct output *r, enum process_stream which, struct str bytes)
{
    assert(which == PROCESS_STDOUT || which == PROCESS_STDERR);
    while (bytes.n) {
        struct str piece;
        bool ends = str_cut(&bytes, '\n', &piece);
        take_piece(r, which, piece, ends);
    }
}

/* The end. */

bool output_is_exit_of_signal(int64_t code)
{
    return code == 128 + SIGHUP || code == 128 + SIGINT || code == 128 + SIGQUIT ||
           code == 128 + SIGKILL || code == 128 + SIGTERM;
}

static bool is_crash(int signum)
{
    return signum == SIGSEGV || signum == SIGABRT || signum == SIGBUS || signum == SIGILL ||
           signum == SIGFPE || signum == SIGTRAP || signum == SIGSYS;
}

/* Read stdout that is not a stream: one JSON value on many lines, or the agent's message. */
static void take_text(struct output *r)
{
    struct output_facts *facts = r->facts;
    struct str text = str_trim(buf_str(&facts->text));
    if (facts->stream || text.n == 0)
        return;
    if (facts->mode != OUTPUT_TEXT && text.p[0] == '{' && r->reader->read_whole) {
        const struct json *v = parse_line(r, text);
        if (json_is(v, JSON_OBJECT))
            r->reader->read_whole(r, v);
    }
    if (r->last_message.n == 0)
        output_set_last_message(r, text);
}

static void set_limit_outcome(struct output *r, const struct output_end *end)
{
    const struct output_facts *facts = r->facts;
    r->outcome = facts->limit;
    if (facts->limit_ms > 0 && r->outcome.until == 0)
        output_set_until(r, output_read_clock(r, end) + facts->limit_ms, UNTIL_FIELD);
}

static void decide_outcome(struct output *r, const struct output_end *end)
{
    if (end->no_start) {
        output_set_outcome(r, OUTCOME_LAUNCH, "not started");
        output_set_message(r, str_from(end->no_start));
    } else if (end->timed_out) {
        output_set_outcome(r, OUTCOME_BUDGET, "timed_out");
    } else if (end->killed && r->hopeless) {
        set_limit_outcome(r, end);
    } else if (end->killed) {
        output_set_outcome(r, OUTCOME_KILLED, "killed");
    } else if (end->signal && is_crash(end->signal)) {
        output_set_outcome(r, OUTCOME_INCOMPLETE, "signal=%d (crashed)", end->signal);
    } else if (end->signal) {
        output_set_outcome(r, OUTCOME_KILLED, "signal=%d", end->signal);
    } else if (output_is_exit_of_signal(end->exit_code)) {
        output_set_outcome(r, OUTCOME_KILLED, "exit_code=%lld (signal %lld)",
                           (long long)end->exit_code, (long long)end->exit_code - 128);
    } else {
        r->reader->decide_outcome(r, end);
        output_set_outcome_by_exit(r, end);
    }
}

void output_end(struct output *r, const struct output_end *end)
{
    for (enum process_stream which = PROCESS_STDOUT; which <= PROCESS_STDERR; which++)
        if (r->lines[which].n)
            take_piece(r, which, (struct str){0}, true);
    take_text(r);
    decide_outcome(r, end);
    if (r->outcome.class == OUTCOME_OK)
        r->outcome.message[0] = 0;
}

/* Outcomes. */

void output_set_outcome(struct output *r, enum outcome_class class, const char *evidence, ...)
{
    if (r->outcome.evidence[0])
        return;
    struct buf text = {0};
    va_list args;
    va_start(args, evidence);
    buf_vprintf(&text, evidence, args);
    va_end(args);
    r->outcome.class = class;
    output_copy_line(r->outcome.evidence, sizeof r->outcome.evidence, buf_str(&text));
    buf_done(&text);
}

void output_set_message(struct output *r, struct str text)
{
    if (!r->outcome.message[0])
        output_copy_line(r->outcome.message, sizeof r->outcome.message, text);
}

void output_set_until(struct output *r, int64_t unix_ms, enum outcome_trust trust)
{
    struct outcome *o = &r->outcome;
    if (unix_ms <= 0 || trust == UNTIL_NONE || (o->until && o->trust <= trust))
        return;
    o->until = unix_ms;
    o->trust = trust;
}

void output_find_until(struct output *r, struct str text, int64_t at)
{
    int64_t until;
    if (when_text_find(text, at, &until))
        output_set_until(r, until, UNTIL_TEXT);
}

void output_give_up(struct output *r, enum outcome_class class, int64_t wait_ms,
                    const char *evidence)
{
    if (r->hopeless)
        return;
    r->hopeless = true;
    r->facts->limit = (struct outcome){.class = class};
    output_copy_line(r->facts->limit.evidence, sizeof r->facts->limit.evidence, str_from(evidence));
    r->facts->limit_ms = wait_ms;
}

void output_set_outcome_by_exit(struct output *r, const struct output_end *end)
{
    const struct output_facts *facts = r->facts;
    bool text = !facts->stream && facts->mode != OUTPUT_STREAM && facts->mode != OUTPUT_JSON &&
                facts->text.n;
    long long code = end->exit_code;
    if (r->outcome.evidence[0])
        return;
    if (code == 0 && text)
        output_set_outcome(r, OUTCOME_OK, "exit_code=0 (text)");
    else if (code == 0)
        output_set_outcome(r, OUTCOME_INCOMPLETE, "exit_code=0, no terminal event");
    else if (facts->events || text)
        output_set_outcome(r, OUTCOME_INCOMPLETE, "exit_code=%lld, no terminal event", code);
    else
        output_set_outcome(r, OUTCOME_LAUNCH, "exit_code=%lld, nothing on stdout", code);
    if (r->outcome.class != OUTCOME_OK)
        output_set_message(r, str_trim(buf_str(&facts->complaint)));
}

bool output_find_status_class(int64_t status, enum outcome_class *class)
{
    if (status < 400 || status > 599)
        return false;
    switch (status) {
    case 401:
    case 403:
    case 407:
        *class = OUTCOME_AUTH;
        break;
    case 402:
        *class = OUTCOME_BILLING;
        break;
    case 404:
        *class = OUTCOME_MODEL;
        break;
    case 429:
        *class = OUTCOME_RATE_LIMITED;
        break;
    case 503:
    case 529:
        *class = OUTCOME_OVERLOADED;
        break;
    case 408:
    case 409:
    case 425:
        *class = OUTCOME_SERVER;
        break;
    default:
        *class = status < 500 ? OUTCOME_REQUEST : OUTCOME_SERVER;
    }
    return true;
}

bool output_find_code_class(struct str code, enum outcome_class *class)
{
    static const struct output_phrase rows[] = {
        {"insufficient_quota", OUTCOME_BILLING},
        {"credit_balance_exhausted", OUTCOME_BILLING},
        {"organization_spend_limit_exceeded", OUTCOME_BILLING},
        {"project_spend_limit_exceeded", OUTCOME_BILLING},
        {"organization_usage_limit_exceeded", OUTCOME_BILLING},
        {"enforced_spend_limit_reached", OUTCOME_BILLING},
        {"billing_hard_limit_reached", OUTCOME_BILLING},
        {"billing_not_active", OUTCOME_BILLING},
        {"billing_error", OUTCOME_BILLING},
        {"usage_not_included", OUTCOME_BILLING},
        {"usage_limit_reached", OUTCOME_USAGE_LIMITED},
        {"rate_limit_exceeded", OUTCOME_RATE_LIMITED},
        {"rate_limit_error", OUTCOME_RATE_LIMITED},
        {"rate_limit", OUTCOME_RATE_LIMITED},
        {"slow_down", OUTCOME_OVERLOADED},
        {"server_is_overloaded", OUTCOME_OVERLOADED},
        {"server_overloaded", OUTCOME_OVERLOADED},
        {"engine_overloaded", OUTCOME_OVERLOADED},
        {"overloaded_error", OUTCOME_OVERLOADED},
        {"overloaded", OUTCOME_OVERLOADED},
        {"invalid_api_key", OUTCOME_AUTH},
        {"authentication_error", OUTCOME_AUTH},
        {"authentication_failed", OUTCOME_AUTH},
        {"permission_error", OUTCOME_AUTH},
        {"account_deactivated", OUTCOME_AUTH},
        {"model_not_found", OUTCOME_MODEL},
        {"not_found_error", OUTCOME_MODEL},
        {"context_length_exceeded", OUTCOME_REQUEST},
        {"request_too_large", OUTCOME_REQUEST},
        {"content_policy_violation", OUTCOME_REQUEST},
        {"invalid_request_error", OUTCOME_REQUEST},
        {"invalid_request", OUTCOME_REQUEST},
        {"server_error", OUTCOME_SERVER},
        {"api_error", OUTCOME_SERVER},
        {"timeout_error", OUTCOME_SERVER},
        {"connection_failed", OUTCOME_SERVER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(code, str_from(rows[i].start))) {
            *class = rows[i].class;
            return true;
        }
    return false;
}

static bool begins_with(struct str text, const char *start)
{
    for (; *start; start++) {
        bool curly = *start == '\'' && str_starts(text, STR("\xe2\x80\x99"));
        if (!curly && (text.n == 0 || !str_same_letters(text.p, start, 1)))
            return false;
        text = str_skip(text, curly ? 3 : 1);
    }
    return true;
}

const struct output_phrase *output_find_phrase(const struct output_phrase *rows, size_t count,
                                               struct str text)
{
    for (size_t i = 0; i < count; i++)
        if (begins_with(text, rows[i].start))
            return &rows[i];
    return NULL;
}

/* Facts. */

struct str output_field(const struct json *object, const char *name)
{
    return json_str(json_get(object, str_from(name)));
}

int64_t output_read_clock(const struct output *r, const struct output_end *end)
{
    if (end && end->at)
        return end->at;
    return r->facts->clock ? r->facts->clock : r->now;
}

int64_t output_read_time(const struct json *v)
{
    double d;
    int64_t ms;
    if (json_is(v, JSON_STRING)) {
        struct str s = json_str(v);
        if (rfc3339_parse(s, &ms, NULL))
            return ms;
        if (!str_to_i64(s, &ms))
            return 0;
        d = (double)ms;
    } else if (!json_double(v, &d)) {
        return 0;
    }
    /* By size: 1e9 s is 2001, 1e11 s would be the year 5138, 1e14 ms too. */
    if (d >= 1e9 && d < 1e11)
        return (int64_t)(d * 1000);
    return d >= 1e11 && d < 1e14 ? (int64_t)d : 0;
}

void output_update_clock(struct output *r, const struct json *time)
{
    int64_t ms = output_read_time(time);
    if (ms > r->facts->clock)
        r->facts->clock = ms;
}

/* Control characters and runs of spaces become one space. */
void output_copy_line(char *to, size_t size, struct str s)
{
    struct buf clean = {0};
    utf8_add_lossy(&clean, str_head(s, 4 * size));
    size_t n = 0;
    for (size_t i = 0; i < clean.n; i++) {
        unsigned char c = (unsigned char)clean.p[i];
        bool blank = c <= ' ' || c == 127;
        if (blank && (n == 0 || clean.p[n - 1] == ' '))
            continue;
        clean.p[n++] = blank ? ' ' : (char)c;
    }
    if (n && clean.p[n - 1] == ' ')
        n--;
    struct str cut = utf8_head(str_make(clean.p, n), size - 1);
    if (cut.n)
        memcpy(to, cut.p, cut.n);
    to[cut.n] = 0;
    buf_done(&clean);
}

void output_send_step(struct output *r, enum output_step_kind kind, struct str text, bool failed)
{
    if (!r->on_step)
        return;
    char line[STEP_MAX];
    output_copy_line(line, sizeof line, text);
    struct output_step step = {.kind = kind, .text = str_from(line), .failed = failed};
    r->on_step(r, &step, r->ctx);
}

/* The first text of the arguments is the most useful one: a path, a command. */
void output_send_tool_step(struct output *r, struct str name, const struct json *args)
{
    if (!r->on_step)
        return;
    struct str best = json_str(args);
    JSON_EACH (args, k)
        if (best.n == 0)
            best = json_str(k + 1);
    struct buf text = {0};
    buf_printf(&text, "%.*s%s%.*s", STR_ARG(str_head(name, STEP_MAX)), best.n ? ": " : "",
               STR_ARG(str_head(best, 4 * STEP_MAX)));
    output_send_step(r, OUTPUT_TOOL, buf_str(&text), false);
    buf_done(&text);
}

void output_set_last_message(struct output *r, struct str text)
{
    buf_clear(&r->last_message);
    output_add_last_message(r, text);
}

void output_add_last_message(struct output *r, struct str text)
{
    if (r->last_message.n < OUTPUT_MAX_TEXT)
        buf_add(&r->last_message, utf8_head(text, OUTPUT_MAX_TEXT - r->last_message.n));
}
