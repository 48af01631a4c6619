/* `multiverse task logs`: the output of an attempt; with -f as it is written, for all attempts. */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/loop.h"
#include "cli/command.h"
#include "cli/store_option.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "process/self.h"
#include "store/store_thread.h"
#include "views/tasks.h"

#define PAGE      256u  /* pieces that are read at a time */
#define READER_MS 1000u /* between two checks whether standard output is still read */

enum form {
    RAW,  /* as it was written */
    SAFE, /* for a terminal: nothing in it moves the cursor */
    JSON
};

struct logs {
    struct task_command view;
    enum form form;
    bool follow;
    uint32_t wanted; /* the attempt; 0: the last one, and later ones */
    /* printed so far */
    int64_t id;
    uint32_t number; /* the attempt; 0: none yet */
    uint32_t next;   /* the attempt to read; 0: the newest */
    uint64_t after;  /* its last piece that was printed */
    bool in_line;    /* the printed text does not end with a newline */
    /* the result of a read, which sets all of it */
    struct arena arena;
    struct str name, why;
    enum task_state state;
    uint32_t last;       /* the newest attempt; 0: none */
    uint32_t read_of;    /* the attempt whose pieces were read */
    uint64_t read_up_to; /* the last one of them */
    size_t pieces;
    bool is_over; /* the attempt has ended */
    struct buf text;
    /* following */
    struct loop *loop;
    struct store_thread *thread;
    struct timer reader_check;
    bool busy, again, ends;
};

/* ---- a piece of a log */

static void put_safe(struct buf *out, struct str text)
{
    while (text.n) {
        size_t n = 0;
        while (n < text.n && text.p[n] != '\n' && text.p[n] != '\t')
            n++;
        struct str part = str_head(text, n);
        if (n < text.n && text.p[n] == '\n' && part.n && part.p[part.n - 1] == '\r')
            part.n--;
        terminal_escape(out, part);
        if (n < text.n)
            buf_add_char(out, text.p[n]);
        text = str_skip(text, n + 1);
    }
}

static void put_json(const struct logs *l, const struct log_piece *p, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    views_tasks_put_log_piece(&w, l->name, p, VIEWS_CLI);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static void on_piece(const struct log_piece *p, void *ctx)
{
    struct logs *l = ctx;
    l->pieces++;
    l->read_up_to = p->seq;
    if (l->form == JSON)
        put_json(l, p, &l->text);
    else if (l->form == SAFE)
        put_safe(&l->text, p->text);
    else
        buf_add(&l->text, p->text);
}

/* ---- reading the store */

static void on_row(const struct task_row *t, void *ctx)
{
    struct logs *l = ctx;
    l->state = t->state;
    l->name = arena_str(&l->arena, t->name);
    l->why = arena_str(&l->arena, t->why);
}

static void on_attempt(const struct attempt_row *a, void *ctx)
{
    struct logs *l = ctx;
    if (a->number > l->last)
        l->last = a->number;
    if (l->read_of == a->number)
        l->is_over = a->ended != 0;
}

static bool read_log(struct store *s, void *ctx, struct error *err)
{
    struct logs *l = ctx;
    int64_t id = l->id;
    arena_reset(&l->arena);
    buf_clear(&l->text);
    l->pieces = l->last = 0;
    l->is_over = false;
    l->read_up_to = l->after;
    l->read_of = l->next ? l->next : l->wanted;
    if (!id && !tasks_find(s, str_from(l->view.options->args[0]), &id, err))
        return false;
    if (!tasks_get(s, id, on_row, l, err) || !tasks_attempts(s, id, on_attempt, l, err))
        return false;
    if (l->wanted > l->last)
        return error_set(err, ERR_INVALID_PARAMS,
                         "%.*s has %s%u attempt%s: attempt %u does not exist", STR_ARG(l->name),
                         l->last ? "" : "made ", (unsigned)l->last, l->last == 1 ? "" : "s",
                         (unsigned)l->wanted);
    if (!l->read_of) { /* the newest one, which was not known above */
        l->read_of = l->last;
        if (!tasks_attempts(s, id, on_attempt, l, err))
            return false;
    }
    l->id = id;
    struct tasks_log_filter want = {
        .task = id, .number = l->read_of, .after = l->after, .most = PAGE};
    return !l->last || tasks_log(s, &want, on_piece, l, err);
}

/* ---- printing */

/* If several attempts are printed, show where each begins. */
static void put_heading(struct logs *l)
{
    struct buf out = {0};
    if (l->form != SAFE || !l->follow || l->wanted || l->read_of == l->number)
        return;
    if (l->in_line)
        buf_add_char(&out, '\n');
    buf_printf(&out, "--- attempt %u\n", (unsigned)l->read_of);
    terminal_write(buf_str(&out));
    buf_done(&out);
    l->in_line = false;
}

/* Return true if there is more to read now. */
static bool print_log(struct logs *l)
{
    put_heading(l);
    l->number = l->next = l->read_of;
    terminal_write(buf_str(&l->text));
    if (l->text.n)
        l->in_line = l->text.p[l->text.n - 1] != '\n';
    l->after = l->read_up_to;
    if (l->pieces == PAGE)
        return true;
    if (!l->follow || l->wanted || !l->is_over || l->last <= l->number)
        return false;
    l->next = l->number + 1;
    l->after = 0;
    return true;
}

/* Nothing more will be written to what was asked for. A BLOCKED task waits for a person. */
static bool is_done(const struct logs *l)
{
    if (l->wanted)
        return l->is_over;
    return task_is_final(l->state) || l->state == TASK_BLOCKED;
}

static void print_end(const struct logs *l)
{
    struct buf out = {0};
    if (l->form != SAFE)
        return;
    if (l->in_line)
        buf_add_char(&out, '\n');
    buf_add(&out, STR("--- "));
    terminal_escape(&out, l->name);
    buf_printf(&out, " is %s", task_state_name(l->state));
    if (l->why.n) {
        buf_add(&out, STR(": "));
        terminal_escape(&out, l->why);
    }
    buf_add_char(&out, '\n');
    terminal_write(buf_str(&out));
    buf_done(&out);
}

/* ---- following */

static void on_closed(void *ctx)
{
    struct logs *l = ctx;
    loop_stop(l->loop);
}

static void end_following(struct logs *l, int code)
{
    if (l->ends)
        return;
    l->ends = true;
    l->view.code = code;
    timer_stop(&l->reader_check);
    store_thread_close(l->thread, on_closed, l);
}

static void request_read(struct logs *l);

static void on_read(bool ok, const struct error *err, void *ctx)
{
    struct logs *l = ctx;
    l->busy = false;
    if (l->ends)
        return;
    if (!ok) {
        terminal_print_failure(err);
        end_following(l, task_command_code(err));
        return;
    }
    bool more = print_log(l);
    if (!terminal_flush()) {
        end_following(l, COMMAND_FAILED);
    } else if (more || l->again) {
        request_read(l);
    } else if (is_done(l)) {
        print_end(l);
        end_following(l, COMMAND_FINE);
    }
}

static void request_read(struct logs *l)
{
    if (l->busy || l->ends) {
        l->again = true;
        return;
    }
    l->busy = true;
    l->again = false;
    store_thread_run(l->thread, STORE_READ, read_log, on_read, l);
}

static void on_notify(const char *channel, void *ctx)
{
    (void)channel;
    request_read(ctx);
}

static void on_failure(const struct error *err, enum store_failure failure, void *ctx)
{
    struct logs *l = ctx;
    if (!err) {
        terminal_print_warning("the store is back");
    } else if (failure == STORE_UNAVAILABLE) {
        terminal_print_warning("%s; retrying", err->text);
    } else {
        terminal_print_failure(err);
        end_following(l, COMMAND_FAILED);
    }
}

static void on_signal(void *ctx)
{
    end_following(ctx, COMMAND_INTERRUPTED);
}

/* After `| head -1` a task that writes nothing more would keep this process until it ends. */
static void check_reader(void *ctx)
{
    struct logs *l = ctx;
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) == 1 && out.revents & (POLLERR | POLLHUP)) {
        terminal_print_error("standard output is closed: nothing reads it any more");
        end_following(l, COMMAND_FAILED);
        return;
    }
    timer_start(&l->reader_check, l->loop, READER_MS, check_reader, l);
}

static void follow_log(struct logs *l)
{
    struct buf place = {0};
    struct error err = {0};
    if (!tasks_place(store_option(l->view.options), &place, &err)) {
        task_command_fail(&l->view, &err);
        return;
    }
    l->loop = loop_new();
    self_on_signals(l->loop, on_signal, l);
    l->thread = store_thread_open(
        l->loop, &(struct store_thread_options){.store = {.url = place.p, .schema = &tasks_schema},
                                                .channels = {TASKS_LOG},
                                                .on_notify = on_notify,
                                                .on_failure = on_failure,
                                                .ctx = l});
    check_reader(l);
    loop_run(l->loop);
    loop_free(l->loop);
    buf_done(&place);
}

/* ---- the command */

/* Print everything that is stored. Return false after printing an error. */
static bool print_all(struct logs *l)
{
    do {
        if (!task_command_run(&l->view, STORE_READ, read_log, l))
            return false;
    } while (print_log(l));
    return true;
}

static void print_not_started(const struct logs *l)
{
    terminal_print_warning("%.*s has not been started yet: it is %s", STR_ARG(l->name),
                           task_state_name(l->state));
}

int cmd_task_logs(const struct options *o)
{
    struct logs l = {.follow = options_has(o, "follow")};
    uint64_t wanted = 0;
    options_number(o, "attempt", &wanted);
    l.wanted = (uint32_t)wanted;
    if (!task_command_open(&l.view, o, TASK_COMMAND_READ))
        return l.view.code;
    l.form = l.view.json ? JSON : terminal_is_tty(STDOUT_FILENO) ? SAFE : RAW;
    bool fine = print_all(&l);
    task_command_close(&l.view);
    if (fine && l.follow && is_done(&l))
        print_end(&l);
    else if (fine && l.follow && terminal_flush())
        follow_log(&l);
    else if (fine && !l.last)
        print_not_started(&l);
    buf_done(&l.text);
    arena_done(&l.arena);
    return l.view.code;
}
