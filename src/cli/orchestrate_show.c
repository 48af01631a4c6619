#include "cli/orchestrate_show.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "cli/duration.h"
#include "cli/task_command.h"
#include "cli/terminal.h"

#define TICK_MS     250u
#define NAMES_SHOWN 6u
#define PART_BYTES  4096u /* of a line that does not end */
#define PLAIN       "\033[0m"

static const char *const event_names[] = {
    [SCHEDULER_STARTED] = "started", [SCHEDULER_CLAIMED] = "claimed",
    [SCHEDULER_LOG] = "log",         [SCHEDULER_ENDED] = "ended",
    [SCHEDULER_LOST] = "lost",       [SCHEDULER_STORE_FAILURE] = "trouble",
    [SCHEDULER_BACK] = "back",       [SCHEDULER_PAUSED] = "paused",
    [SCHEDULER_RESUMED] = "resumed", [SCHEDULER_DRAINING] = "draining",
    [SCHEDULER_IDLE] = "idle",       [SCHEDULER_WARN] = "warning",
};

const char *orchestrate_show_event_name(enum scheduler_event_kind kind)
{
    return event_names[kind];
}

/* ---- for programs */

static void begin_json(struct jsonw *w, const char *event)
{
    char time[RFC3339_LEN + 1];
    rfc3339_format(rfc3339_now(), time);
    jsonw_object(w);
    jsonw_kcstr(w, "event", event);
    jsonw_kcstr(w, "time", time);
}

static void put_ended(struct jsonw *w, const struct scheduler_event *e)
{
    enum task_state state = task_state_next(TASK_RUNNING, e->event);
    jsonw_kcstr(w, "state", state < TASK_STATE_COUNT ? task_state_name(state) : NULL);
    jsonw_kstr(w, "outcome", e->outcome);
    jsonw_kstr(w, "tool", e->tool);
    jsonw_kstr(w, "model", e->model);
    if (e->event == TASK_RETRY)
        jsonw_kint(w, "wait_ms", (int64_t)e->wait_ms);
}

static void put_json(const struct scheduler_event *e, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    begin_json(&w, event_names[e->kind]);
    if (e->task) {
        jsonw_kstr(&w, "task", e->name);
        jsonw_kint(&w, "id", e->task);
        jsonw_kint(&w, "attempt", e->number);
    }
    if (e->kind == SCHEDULER_ENDED)
        put_ended(&w, e);
    if (e->kind == SCHEDULER_IDLE)
        jsonw_kbool(&w, "failed", e->failed);
    if (e->text.n || e->kind == SCHEDULER_LOG)
        jsonw_kstr(&w, "text", e->text);
    jsonw_kint(&w, "running", e->running);
    jsonw_kint(&w, "workers", e->workers);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

/* ---- the status line */

static void put_clock(struct buf *out, int64_t unix_ms)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm tm;
    if (localtime_r(&seconds, &tm))
        buf_printf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static void put_running(const struct orchestrate_show *s, struct buf *out)
{
    size_t count = 0;
    buf_printf(out, "%zu running", s->running.count);
    MAP_EACH (&s->running, i) {
        if (count == NAMES_SHOWN)
            break;
        buf_add(out, count++ ? STR(", ") : STR(": "));
        terminal_escape(out, map_key(&s->running, i));
    }
    if (s->running.count > NAMES_SHOWN)
        buf_printf(out, " and %zu more", s->running.count - NAMES_SHOWN);
}

static void put_counts(const struct orchestrate_show *s, struct buf *out)
{
    const uint64_t *n = s->counts.by_state;
    buf_printf(out, "%llu ready, %llu waiting", (unsigned long long)n[TASK_READY],
               (unsigned long long)(n[TASK_PENDING] + n[TASK_RETRY_WAIT]));
    if (s->counts.first_due) {
        buf_add(out, STR(" (next at "));
        put_clock(out, s->counts.first_due);
        buf_add_char(out, ')');
    }
    buf_printf(out, ", %llu done", (unsigned long long)n[TASK_SUCCEEDED]);
    if (n[TASK_FAILED])
        buf_printf(out, ", %llu failed", (unsigned long long)n[TASK_FAILED]);
    if (n[TASK_BLOCKED])
        buf_printf(out, ", %llu blocked", (unsigned long long)n[TASK_BLOCKED]);
    buf_add(out, STR("; "));
}

static void put_status(const struct orchestrate_show *s, struct buf *out)
{
    if (s->failure.n)
        buf_printf(out, "store error: %.*s; ", STR_ARG(buf_str(&s->failure)));
    if (s->draining)
        buf_add(out, STR("draining; "));
    else if (s->paused)
        buf_add(out, STR("paused; "));
    if (s->has_counts)
        put_counts(s, out);
    put_running(s, out); /* last, because a narrow terminal cuts it off */
}

static void clear_status(struct orchestrate_show *s)
{
    if (s->drawn)
        terminal_write(STR("\r\033[K"));
    s->drawn = false;
}

static void draw_status(struct orchestrate_show *s)
{
    struct buf line = {0}, cut = {0};
    put_status(s, &line);
    if (s->drawn && str_eq(buf_str(&line), buf_str(&s->last))) {
        buf_done(&line);
        return;
    }
    clear_status(s);
    if (s->colour)
        terminal_write(STR("\033[2m"));
    columns_cut(&cut, buf_str(&line), terminal_columns() - 1, COLUMNS_END, terminal_charset());
    terminal_write(buf_str(&cut));
    buf_done(&cut);
    if (s->colour)
        terminal_write(STR(PLAIN));
    terminal_flush();
    s->drawn = true;
    buf_done(&s->last);
    s->last = line;
}

static void on_tick(void *ctx)
{
    draw_status(ctx);
}

/* Draw the status soon. */
static void schedule_draw(struct orchestrate_show *s)
{
    if (s->is_terminal && !timer_is_running(&s->tick))
        timer_start(&s->tick, s->loop, TICK_MS, on_tick, s);
}

/* ---- for people */

static void put_reason(struct buf *out, struct str reason)
{
    if (!reason.n)
        return;
    buf_add(out, STR(": "));
    terminal_escape(out, str_trim(reason));
}

static const char *colour_of(const struct scheduler_event *e)
{
    if (e->kind == SCHEDULER_STORE_FAILURE || e->kind == SCHEDULER_WARN ||
        e->kind == SCHEDULER_LOST)
        return "\033[33m";
    if (e->kind == SCHEDULER_ENDED && e->event == TASK_SUCCEED)
        return "\033[32m";
    if (e->kind == SCHEDULER_ENDED && (e->event == TASK_FAIL || e->event == TASK_GIVE_UP))
        return "\033[31m";
    return NULL;
}

static void put_end(struct buf *out, const struct scheduler_event *e)
{
    enum task_state state = task_state_next(TASK_RUNNING, e->event);
    if (e->event == TASK_BACK && e->text.n) { /* the text begins with "returned" */
        terminal_escape(out, str_trim(e->text));
        return;
    }
    if (e->event == TASK_BACK)
        buf_add(out, STR("returned"));
    else if (state < TASK_STATE_COUNT)
        buf_add(out, str_from(task_state_name(state)));
    if (e->event == TASK_RETRY) {
        buf_add(out, STR(", again in "));
        duration_put(out, (int64_t)e->wait_ms);
    }
    put_reason(out, e->text);
}

static void put_event(struct buf *out, const struct scheduler_event *e)
{
    if (e->task) {
        terminal_escape(out, e->name);
        buf_add(out, STR(": "));
    }
    switch (e->kind) {
    case SCHEDULER_STARTED:
        buf_printf(out, "%u worker%s on ", (unsigned)e->workers, e->workers == 1 ? "" : "s");
        terminal_escape(out, e->text);
        break;
    case SCHEDULER_CLAIMED:
        buf_printf(out, "attempt %u", (unsigned)e->number);
        break;
    case SCHEDULER_ENDED:
        put_end(out, e);
        break;
    case SCHEDULER_LOST:
        buf_printf(out, "attempt %u is lost, its lease has expired", (unsigned)e->number);
        put_reason(out, e->text);
        break;
    case SCHEDULER_STORE_FAILURE:
        buf_add(out, STR("store error"));
        put_reason(out, e->text);
        break;
    case SCHEDULER_BACK:
        buf_add(out, STR("the store is back"));
        break;
    case SCHEDULER_PAUSED:
        buf_add(out, STR("paused: multiverse orchestrate resume continues"));
        break;
    case SCHEDULER_RESUMED:
        buf_add(out, STR("resumed"));
        break;
    case SCHEDULER_DRAINING:
        buf_printf(out, "draining: nothing new is started, %u still running", (unsigned)e->running);
        if (e->running)
            buf_printf(out, " (Ctrl-C again: hand %s back now)", e->running == 1 ? "it" : "them");
        put_reason(out, e->text);
        break;
    case SCHEDULER_IDLE:
        buf_add(out, e->failed
                         ? STR("nothing is left to run; some tasks need a person: multiverse task "
                               "list --state FAILED,BLOCKED")
                         : STR("nothing is left to run"));
        break;
    case SCHEDULER_WARN:
        buf_add(out, STR("warning: "));
        terminal_escape(out, e->text);
        break;
    case SCHEDULER_LOG:
        break;
    }
}

/* One line above the status. */
static void print_line(struct orchestrate_show *s, const char *colour, struct str text)
{
    struct buf out = {0};
    clear_status(s);
    put_clock(&out, rfc3339_now());
    buf_printf(&out, " %s%.*s%s\n", s->colour && colour ? colour : "", STR_ARG(text),
               s->colour && colour ? PLAIN : "");
    terminal_write(buf_str(&out));
    buf_done(&out);
    draw_status(s);
    terminal_flush();
}

static void print_event(struct orchestrate_show *s, const struct scheduler_event *e)
{
    struct buf text = {0};
    put_event(&text, e);
    print_line(s, colour_of(e), buf_str(&text));
    buf_done(&text);
}

/* ---- output of tasks */

static void print_log_line(struct orchestrate_show *s, struct str name, struct str line)
{
    struct buf text = {0};
    terminal_escape(&text, name);
    buf_add(&text, STR(" | "));
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    terminal_escape(&text, line);
    print_line(s, NULL, buf_str(&text));
    buf_done(&text);
}

static void print_part(struct orchestrate_show *s, struct str name)
{
    struct buf *part = map_remove(&s->parts, name);
    if (!part)
        return;
    print_log_line(s, name, buf_str(part));
    buf_done(part);
    free(part);
}

static void print_log(struct orchestrate_show *s, const struct scheduler_event *e)
{
    struct str text = e->text, line;
    struct buf *part = map_get(&s->parts, e->name);
    while (str_cut(&text, '\n', &line)) {
        if (part) {
            buf_add(part, line);
            print_part(s, e->name);
            part = NULL;
        } else {
            print_log_line(s, e->name, line);
        }
    }
    if (!line.n)
        return;
    if (!part) {
        part = mem_zalloc(sizeof *part);
        map_set(&s->parts, e->name, part);
    }
    buf_add(part, line);
    if (part->n > PART_BYTES)
        print_part(s, e->name);
}

/* ---- events */

static void update_counts(struct orchestrate_show *s, const struct scheduler_event *e)
{
    static char there;                /* a map holds no NULL */
    uint64_t *n = s->counts.by_state; /* estimated until the store is read again */
    enum task_state state;
    switch (e->kind) {
    case SCHEDULER_CLAIMED:
        map_set(&s->running, e->name, &there);
        if (n[TASK_READY])
            n[TASK_READY]--;
        else if (n[TASK_PENDING]) /* the tasks it needs have just ended */
            n[TASK_PENDING]--;
        break;
    case SCHEDULER_ENDED:
        map_remove(&s->running, e->name);
        state = task_state_next(TASK_RUNNING, e->event);
        if (state < TASK_STATE_COUNT)
            n[state]++;
        break;
    case SCHEDULER_LOST:
        map_remove(&s->running, e->name);
        break;
    case SCHEDULER_STORE_FAILURE:
        buf_clear(&s->failure);
        terminal_escape(&s->failure, e->text);
        break;
    case SCHEDULER_BACK:
        buf_clear(&s->failure);
        break;
    case SCHEDULER_PAUSED:
    case SCHEDULER_RESUMED:
        s->paused = e->kind == SCHEDULER_PAUSED;
        break;
    case SCHEDULER_DRAINING:
        s->draining = true;
        break;
    case SCHEDULER_STARTED:
    case SCHEDULER_LOG:
    case SCHEDULER_IDLE:
    case SCHEDULER_WARN:
        break;
    }
}

static void print_json(const struct scheduler_event *e)
{
    struct buf out = {0};
    put_json(e, &out);
    terminal_write(buf_str(&out));
    terminal_flush();
    buf_done(&out);
}

void orchestrate_show_init(struct orchestrate_show *s, struct loop *loop,
                           const struct orchestrate_show_options *options)
{
    *s = (struct orchestrate_show){.loop = loop, .logs = options->logs};
    s->is_terminal = !options->json && terminal_is_tty(STDOUT_FILENO);
    s->colour = s->is_terminal && terminal_has_colour(STDOUT_FILENO);
}

void orchestrate_show_event(struct orchestrate_show *s, const struct scheduler_event *e)
{
    if (e->kind == SCHEDULER_LOG && !s->logs)
        return;
    if (!s->is_terminal) {
        print_json(e);
        return;
    }
    if (e->kind == SCHEDULER_LOG) {
        print_log(s, e);
        return;
    }
    if (e->kind == SCHEDULER_ENDED || e->kind == SCHEDULER_LOST)
        print_part(s, e->name);
    update_counts(s, e);
    print_event(s, e);
}

void orchestrate_show_counts(struct orchestrate_show *s, const struct tasks_counts *c)
{
    s->counts = *c;
    s->has_counts = true;
    schedule_draw(s);
}

void orchestrate_show_warn(struct orchestrate_show *s, const char *text)
{
    orchestrate_show_event(
        s, &(struct scheduler_event){.kind = SCHEDULER_WARN, .text = str_from(text)});
}

void orchestrate_show_end(struct orchestrate_show *s, enum scheduler_end how, int code)
{
    static const char *const hows[] = {
        [SCHEDULER_DRAINED] = "drained",
        [SCHEDULER_HALTED] = "halted",
        [SCHEDULER_WAS_IDLE] = "idle",
        [SCHEDULER_WAS_IDLE_FAILED] = "idle_failed",
        [SCHEDULER_STORE_UNUSABLE] = "store_not_usable",
    };
    struct buf out = {0};
    if (s->is_terminal)
        return;
    struct jsonw w = jsonw_make(&out);
    begin_json(&w, "end");
    jsonw_kcstr(&w, "how", hows[how]);
    jsonw_kint(&w, "exit_code", code);
    jsonw_end(&w);
    buf_add_char(&out, '\n');
    terminal_write(buf_str(&out));
    buf_done(&out);
}

void orchestrate_show_done(struct orchestrate_show *s)
{
    timer_stop(&s->tick);
    clear_status(s);
    terminal_flush();
    MAP_EACH (&s->parts, i) {
        struct buf *part = map_value(&s->parts, i);
        buf_done(part);
        free(part);
    }
    map_done(&s->parts);
    map_done(&s->running);
    buf_done(&s->failure);
    buf_done(&s->last);
}
