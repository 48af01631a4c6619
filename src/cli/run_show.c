#include "cli/run_show.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cli/terminal.h"

#define TICK_MS    1000u
#define NARROW     20u
#define LINE_CHARS 200u /* of an agent's output */

static const char *const event_names[] = {
    [RUNNER_STATE] = "state",   [RUNNER_ASK] = "ask",         [RUNNER_TRY] = "try",
    [RUNNER_STEP] = "step",     [RUNNER_OUTCOME] = "outcome", [RUNNER_PLAN] = "plan",
    [RUNNER_ANSWER] = "answer", [RUNNER_CHANGES] = "changes", [RUNNER_TEST] = "test",
    [RUNNER_NOTE] = "note",     [RUNNER_WARN] = "warning",    [RUNNER_END] = "end",
};

static const char *const step_names[] = {
    [OUTPUT_STARTED] = "started",   [OUTPUT_SAID] = "said",   [OUTPUT_TOOL] = "tool",
    [OUTPUT_TOOL_END] = "tool_end", [OUTPUT_RETRY] = "retry", [OUTPUT_USAGE] = "usage",
};

const char *run_show_event_name(enum runner_event_kind kind)
{
    return event_names[kind];
}

/* ---- for programs */

/* The members that the event itself does not have. */
static void put_result(struct jsonw *w, const struct run_result *r)
{
    char until[RFC3339_LEN + 1];
    rfc3339_format(r->until, until);
    jsonw_kstr(w, "run", r->run);
    jsonw_kstr(w, "task", r->task);
    jsonw_kbool(w, "stopped", r->stopped);
    jsonw_kstr(w, "outcome", r->outcome);
    jsonw_kbool(w, "nobody", r->nobody);
    jsonw_kcstr(w, "until", r->until ? until : NULL);
    jsonw_kstr(w, "tool", r->tool);
    jsonw_kstr(w, "model", r->model);
    jsonw_kint(w, "worker_runs", (int64_t)r->worker_runs);
    jsonw_kraw(w, "files", r->files);
    jsonw_kstr(w, "transcripts", r->transcripts);
}

static void put_json(const struct runner_event *e, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    char time[RFC3339_LEN + 1];
    rfc3339_format(rfc3339_now(), time);
    jsonw_object(&w);
    jsonw_kcstr(&w, "event", event_names[e->kind]);
    jsonw_kcstr(&w, "time", time);
    jsonw_kcstr(&w, "state", run_state_name(e->state));
    jsonw_kint(&w, "loop", (int64_t)e->loop);
    jsonw_kint(&w, "max_loops", (int64_t)e->max_loops);
    jsonw_kint(&w, "elapsed_ms", (int64_t)e->elapsed_ms);
    if (e->category.n)
        jsonw_kstr(&w, "category", e->category);
    if (e->tool.n)
        jsonw_kstr(&w, "tool", e->tool), jsonw_kstr(&w, "model", e->model);
    if (e->kind == RUNNER_STEP)
        jsonw_kcstr(&w, "step", step_names[e->step]), jsonw_kbool(&w, "failed", e->failed);
    if (e->kind == RUNNER_TRY || e->kind == RUNNER_OUTCOME)
        jsonw_kint(&w, "try", e->number);
    if (e->kind == RUNNER_OUTCOME) {
        jsonw_kstr(&w, "outcome", e->outcome);
        rfc3339_format(e->until, time);
        jsonw_kcstr(&w, "until", e->until ? time : NULL);
    }
    if (e->kind == RUNNER_TEST)
        jsonw_kint(&w, "code", e->code);
    if (e->result)
        put_result(&w, e->result);
    jsonw_kstr(&w, "text", e->text);
    if (e->input_tokens || e->output_tokens) {
        jsonw_kint(&w, "input_tokens", (int64_t)e->input_tokens);
        jsonw_kint(&w, "output_tokens", (int64_t)e->output_tokens);
    }
    if (e->cost_usd > 0) {
        jsonw_key(&w, "cost_usd");
        jsonw_double(&w, e->cost_usd);
    }
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

/* ---- for people */

static void put_clock(struct buf *out, uint64_t ms)
{
    unsigned long long s = ms / 1000;
    if (s >= 3600)
        buf_printf(out, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    else
        buf_printf(out, "%02llu:%02llu", s / 60, s % 60);
}

static void put_agent(struct buf *out, const struct runner_event *e)
{
    buf_add(out, e->tool);
    if (e->model.n) {
        buf_add_char(out, ' ');
        terminal_escape(out, e->model); /* a planner may have chosen any name */
    }
}

static void put_text(struct buf *out, struct str text)
{
    struct str cut = utf8_head(str_trim(text), LINE_CHARS);
    terminal_escape(out, cut);
    if (cut.n < str_trim(text).n)
        buf_add(out, STR("..."));
}

/* Several lines, each indented. */
static void put_block(struct buf *out, struct str text)
{
    struct str line;
    while (text.n) {
        str_cut(&text, '\n', &line);
        buf_add(out, STR("\n        "));
        put_text(out, line);
    }
}

static void put_outcome(struct buf *out, const struct runner_event *e)
{
    put_agent(out, e);
    buf_printf(out, ": %.*s", STR_ARG(e->outcome));
    if (e->until) {
        char time[RFC3339_LEN + 1];
        rfc3339_format(e->until, time);
        buf_printf(out, ", cooldown until %s", time);
    }
    if (e->text.n) {
        buf_add(out, STR(": "));
        put_text(out, e->text);
    }
    /* The program is not notified of a new login or payment, and these cooldowns are long. */
    if (e->until && (str_eq(e->outcome, STR("auth")) || str_eq(e->outcome, STR("billing"))))
        buf_add(out, STR("\n        after you have fixed it: multiverse tooling cooldowns clear"));
}

/* A long reason is a list: print one part per line. */
static void put_reason(struct buf *out, struct str text)
{
    bool is_long = text.n > LINE_CHARS;
    while (text.n) {
        size_t n = is_long ? str_find(text, STR("; ")) : text.n;
        terminal_escape(out, str_head(text, n));
        text = str_skip(text, n + 2);
        if (text.n)
            buf_add(out, STR("\n        "));
    }
}

static void put_end(struct buf *out, const struct runner_event *e)
{
    buf_add(out, str_from(run_state_name(e->state)));
    if (e->text.n) {
        buf_add(out, STR(": "));
        put_reason(out, str_trim(e->text));
    }
    if (e->input_tokens || e->output_tokens)
        buf_printf(out, "; %llu tokens in, %llu out", (unsigned long long)e->input_tokens,
                   (unsigned long long)e->output_tokens);
    if (e->cost_usd > 0)
        buf_printf(out, ", %.4f $", e->cost_usd);
}

static void put_line(const struct runner_event *e, struct buf *out)
{
    buf_add_char(out, '[');
    put_clock(out, e->elapsed_ms);
    buf_add(out, STR("] "));
    switch (e->kind) {
    case RUNNER_STATE:
        buf_add(out, str_from(run_state_name(e->state)));
        break;
    case RUNNER_ASK:
        buf_printf(out, "asks for %.*s", STR_ARG(e->text));
        break;
    case RUNNER_TRY:
        buf_printf(out, "%.*s", STR_ARG(e->category));
        if (str_eq(e->category, STR("worker")))
            buf_printf(out, " %llu of %llu", (unsigned long long)e->loop,
                       (unsigned long long)e->max_loops);
        buf_add(out, STR(": "));
        put_agent(out, e);
        break;
    case RUNNER_ANSWER:
        put_text(out, e->text);
        break;
    case RUNNER_STEP:
        buf_add(out, e->failed ? STR("  failed: ") : STR("  "));
        put_text(out, e->text);
        break;
    case RUNNER_OUTCOME:
        put_outcome(out, e);
        break;
    case RUNNER_PLAN:
        buf_add(out, STR("acceptance criteria:"));
        put_block(out, e->text);
        break;
    case RUNNER_CHANGES:
        buf_add(out, STR("changed:"));
        put_block(out, e->text);
        break;
    case RUNNER_TEST:
        buf_printf(out, "test: exit %lld", (long long)e->code);
        if (e->text.n) {
            buf_add(out, STR(" "));
            put_text(out, e->text);
        }
        break;
    case RUNNER_NOTE:
        buf_add(out, STR("note: "));
        put_text(out, e->text);
        break;
    case RUNNER_WARN:
        buf_add(out, STR("warning: "));
        put_text(out, e->text);
        break;
    case RUNNER_END:
        put_end(out, e);
        break;
    }
    buf_add_char(out, '\n');
}

/* ---- the status line */

static size_t terminal_width(void)
{
    struct winsize w;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > NARROW)
        return w.ws_col;
    return 80;
}

static void clear_status(struct run_show *s)
{
    if (s->drawn)
        terminal_write(STR("\r\033[K"));
    s->drawn = false;
}

static void draw_status(struct run_show *s)
{
    struct buf line = {0};
    if (s->mode != RUN_SHOW_TERMINAL || !s->status.n)
        return;
    put_clock(&line, loop_now(s->loop) - s->started);
    buf_printf(&line, " %.*s", STR_ARG(buf_str(&s->status)));
    if (s->tokens)
        buf_printf(&line, ", %llu tokens", (unsigned long long)s->tokens);
    if (s->cost > 0)
        buf_printf(&line, ", %.4f $", s->cost);
    if (s->agent.n) /* last, because a narrow terminal cuts it off */
        buf_printf(&line, ", %.*s", STR_ARG(buf_str(&s->agent)));
    clear_status(s);
    if (s->colour)
        terminal_write(STR("\033[2m"));
    terminal_write(utf8_head(buf_str(&line), terminal_width() - 1));
    if (s->colour)
        terminal_write(STR("\033[0m"));
    terminal_flush();
    s->drawn = true;
    buf_done(&line);
}

static void on_tick(void *ctx)
{
    struct run_show *s = ctx;
    draw_status(s);
    timer_start(&s->tick, s->loop, TICK_MS, on_tick, s);
}

static void update_status(struct run_show *s, const struct runner_event *e)
{
    s->tokens = e->input_tokens + e->output_tokens;
    s->cost = e->cost_usd;
    if (e->kind != RUNNER_STATE && e->kind != RUNNER_TRY)
        return;
    buf_clear(&s->status);
    buf_clear(&s->agent);
    buf_printf(&s->status, "%s, loop %llu of %llu", run_state_name(e->state),
               (unsigned long long)e->loop, (unsigned long long)e->max_loops);
    put_agent(&s->agent, e);
}

void run_show_init(struct run_show *s, struct loop *loop, bool json)
{
    *s = (struct run_show){.loop = loop, .started = loop_now(loop)};
    s->mode = json                             ? RUN_SHOW_JSON
              : terminal_is_tty(STDOUT_FILENO) ? RUN_SHOW_TERMINAL
                                               : RUN_SHOW_PLAIN;
    s->colour = terminal_has_colour(STDOUT_FILENO);
    if (s->mode == RUN_SHOW_TERMINAL)
        timer_start(&s->tick, loop, TICK_MS, on_tick, s);
}

/* Events that repeat what other lines say: the model's name, the end of a tool call, the text of an
 * answer whose meaning is printed, the last state. */
static bool is_redundant(const struct runner_event *e)
{
    if (e->kind == RUNNER_STATE)
        return e->state == RUN_COMPLETE || e->state == RUN_FAILED;
    if (e->kind != RUNNER_STEP)
        return false;
    return e->step == OUTPUT_STARTED || (e->step == OUTPUT_TOOL_END && !e->failed) ||
           (e->step == OUTPUT_SAID && !str_eq(e->category, STR("worker")));
}

void run_show_event(struct run_show *s, const struct runner_event *e)
{
    struct buf out = {0};
    update_status(s, e);
    if (s->mode != RUN_SHOW_JSON && is_redundant(e))
        return;
    clear_status(s);
    if (s->mode == RUN_SHOW_JSON)
        put_json(e, &out);
    else
        put_line(e, &out);
    terminal_write(buf_str(&out));
    terminal_flush();
    if (e->kind != RUNNER_END)
        draw_status(s);
    buf_done(&out);
}

void run_show_done(struct run_show *s)
{
    timer_stop(&s->tick);
    clear_status(s);
    terminal_flush();
    buf_done(&s->status);
    buf_done(&s->agent);
}
