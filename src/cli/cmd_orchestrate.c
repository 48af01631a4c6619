/* `multiverse orchestrate`: runs the tasks of the store until it is stopped. */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/id.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/orchestrate_show.h"
#include "cli/store_option.h"
#include "cli/table.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "process/self.h"
#include "views/tasks.h"

#define COPY_MS      (10u * 60u * 1000u) /* between two copies of the file */
#define COPY_SECONDS 60                  /* as long a copy by another orchestrator is recent */

struct orchestrate_command {
    const struct options *options;
    const char *url; /* NULL: the default */
    struct scheduler_pool pools[SCHEDULER_MAX_POOLS];
    struct scheduler_options asked;
    struct tooling_file *file;
    struct tooling *seen_tooling; /* of the file, when it was read last */
    struct rng rng;
    struct buf home;
    char self[PATH_MAX];
    struct loop *loop;
    struct scheduler *scheduler;
    struct orchestrate_show show;
    unsigned signals;
    bool is_unread; /* nothing reads standard output any more */
    enum scheduler_end how;
    /* copies */
    struct timer copy_timer;
    bool copying, copy_failed;
    uint64_t copied; /* by loop_now() */
    struct error copy_error;
    struct buf failure; /* the last one of the store */
};

/* ---- options */

static bool add_pool(struct orchestrate_command *w, const char *text)
{
    struct str rest = str_from(text), name;
    struct scheduler_options *o = &w->asked;
    uint64_t n = 0;
    if (!str_cut(&rest, '=', &name) || !name.n || !str_to_u64(rest, &n) || n < 1 ||
        n > SCHEDULER_MAX_WORKERS) {
        terminal_print_error(
            "--pool must be NAME=N with N from 1 to %u, not \"%s\": --pool unity=1",
            SCHEDULER_MAX_WORKERS, text);
        return false;
    }
    for (size_t i = 0; i < o->pool_count; i++)
        if (str_eq(str_from(w->pools[i].name), name)) {
            terminal_print_error("--pool %.*s is given twice", STR_ARG(name));
            return false;
        }
    if (o->pool_count == SCHEDULER_MAX_POOLS) {
        terminal_print_error("too many pools: at most %u", SCHEDULER_MAX_POOLS);
        return false;
    }
    w->pools[o->pool_count++] = (struct scheduler_pool){str_dup(name), (uint32_t)n};
    o->workers += (uint32_t)n;
    if (o->workers > SCHEDULER_MAX_WORKERS) {
        terminal_print_error("the pools have %u workers together: at most %u", (unsigned)o->workers,
                             SCHEDULER_MAX_WORKERS);
        return false;
    }
    return true;
}

static bool read_pools(struct orchestrate_command *w)
{
    const char *text;
    if (options_has(w->options, "pool") && options_has(w->options, "workers")) {
        terminal_print_error(
            "--workers and --pool cannot be combined: --pool NAME=N sets the workers of each pool");
        return false;
    }
    for (size_t i = 0; (text = options_nth(w->options, "pool", i)); i++)
        if (!add_pool(w, text))
            return false;
    w->asked.pools = w->pools;
    return true;
}

static uint64_t option_number(const struct orchestrate_command *w, const char *name,
                              uint64_t otherwise)
{
    uint64_t n = otherwise;
    options_number(w->options, name, &n);
    return n;
}

static bool read_options(struct orchestrate_command *w)
{
    struct scheduler_options *o = &w->asked;
    w->url = store_option(w->options);
    o->lease_ms = option_number(w, "lease", 0) * 1000;
    o->drain_ms = option_number(w, "drain", 0) * 1000;
    o->until_idle = options_has(w->options, "until-idle");
    o->policy.max_attempts = (uint32_t)option_number(w, "max-attempts", 0);
    o->policy.base_ms = option_number(w, "retry-base", ATTEMPT_POLICY_BASE_MS / 1000) * 1000;
    o->policy.most_ms =
        o->policy.base_ms > ATTEMPT_POLICY_MOST_MS ? o->policy.base_ms : ATTEMPT_POLICY_MOST_MS;
    if (!read_pools(w))
        return false;
    if (!o->pool_count)
        o->workers = (uint32_t)option_number(w, "workers", 0);
    return true;
}

/* ---- preparation */

static bool read_tooling(struct orchestrate_command *w, struct error *err)
{
    w->file = tooling_command_open_file(NULL, err);
    if (!w->file)
        return false;
    if (tooling_file_error(w->file))
        terminal_print_warning("%s", tooling_file_error(w->file)->text);
    w->seen_tooling = tooling_file_current(w->file);
    for (size_t i = 0; i < w->seen_tooling->warning_count; i++)
        terminal_print_warning("%.*s", STR_ARG(w->seen_tooling->warnings[i]));
    return true;
}

/* A malformed URL is a usage error, found before anything starts. */
static bool check_url(const struct orchestrate_command *w, struct error *err)
{
    struct buf place = {0};
    bool fine = !w->url || store_is_server(w->url) || tasks_place(w->url, &place, err);
    buf_done(&place);
    return fine;
}

static bool prepare_orchestrator(struct orchestrate_command *w, struct error *err)
{
    uint64_t seed;
    if (!self_path(w->self, err))
        return false;
    id_bytes(&seed, sizeof seed);
    rng_seed(&w->rng, seed);
    return tooling_home(&w->home, true, err);
}

/* ---- copies of the file, for `task repair` */

static bool is_copy_recent(const char *url)
{
    struct buf path = {0};
    struct stat st;
    bool is = tasks_place(url, &path, NULL) && buf_add(&path, STR(".copy")) &&
              stat(path.p, &st) == 0 && st.st_mtime > time(NULL) - COPY_SECONDS;
    buf_done(&path);
    return is;
}

static void make_copy(void *ctx)
{
    struct orchestrate_command *w = ctx;
    w->copy_failed = false;
    if (is_copy_recent(w->url)) /* made by another orchestrator */
        return;
    struct store *s = tasks_open(w->url, false, NULL, &w->copy_error);
    w->copy_failed = !s || !store_copy(s, &w->copy_error);
    store_close(s);
}

static void on_copied(void *ctx)
{
    struct orchestrate_command *w = ctx;
    w->copying = false;
    w->copied = loop_now(w->loop);
    if (w->copy_failed && w->scheduler) {
        struct buf text = {0};
        buf_printf(&text, "the store could not be copied: %s", w->copy_error.text);
        orchestrate_show_warn(&w->show, text.p);
        buf_done(&text);
    }
}

static void start_copy(void *ctx)
{
    struct orchestrate_command *w = ctx;
    w->copying = true;
    loop_work(w->loop, make_copy, on_copied, w);
}

/* After the end of a task, copy the store, at most every COPY_MS. */
static void schedule_copy(struct orchestrate_command *w)
{
    if (w->copying || timer_is_running(&w->copy_timer) || store_is_server(w->url ? w->url : ""))
        return;
    uint64_t since = loop_now(w->loop) - w->copied;
    timer_start(&w->copy_timer, w->loop, since < COPY_MS ? COPY_MS - since : 0, start_copy, w);
}

/* ---- events */

static void on_event(const struct scheduler_event *e, void *ctx)
{
    struct orchestrate_command *w = ctx;
    orchestrate_show_event(&w->show, e);
    if (e->kind == SCHEDULER_STORE_FAILURE) {
        buf_clear(&w->failure);
        buf_add(&w->failure, e->text);
    }
    if (e->kind == SCHEDULER_STARTED && !store_is_server(w->url ? w->url : ""))
        start_copy(w);
    if (e->kind == SCHEDULER_ENDED)
        schedule_copy(w);
    /* If nothing reads standard output any more, drain as after SIGTERM. */
    if (!terminal_flush() && !w->is_unread && w->scheduler) {
        w->is_unread = true;
        scheduler_drain(w->scheduler);
    }
}

static void on_counts(const struct tasks_counts *c, void *ctx)
{
    struct orchestrate_command *w = ctx;
    orchestrate_show_counts(&w->show, c);
}

static void on_end(struct scheduler *s, enum scheduler_end how, void *ctx)
{
    struct orchestrate_command *w = ctx;
    (void)s;
    w->scheduler = NULL;
    w->how = how;
    timer_stop(&w->copy_timer);
    loop_stop(w->loop);
}

static void on_signal(void *ctx)
{
    struct orchestrate_command *w = ctx;
    if (!w->scheduler)
        return;
    if (w->signals++ == 0)
        scheduler_drain(w->scheduler);
    else
        scheduler_halt(w->scheduler);
}

/* The file was changed. A wrong file does not replace the configuration in use. */
static void on_tooling(void *ctx)
{
    struct orchestrate_command *w = ctx;
    const struct error *fault = tooling_file_error(w->file);
    struct buf text = {0};
    if (fault)
        buf_printf(&text, "%s; the previous one stays in use", fault->text);
    else if (w->seen_tooling == tooling_file_current(w->file))
        buf_printf(&text, "%s is valid again", tooling_file_path(w->file));
    else
        buf_printf(&text, "%s was changed: used from the next attempt on",
                   tooling_file_path(w->file));
    w->seen_tooling = tooling_file_current(w->file);
    orchestrate_show_warn(&w->show, text.p);
    buf_done(&text);
}

static struct tooling *tooling_now(void *ctx)
{
    struct orchestrate_command *w = ctx;
    return tooling_file_current(w->file);
}

static int exit_code_of(const struct orchestrate_command *w)
{
    switch (w->how) {
    case SCHEDULER_DRAINED:
    case SCHEDULER_HALTED: /* also after the time for draining */
        return w->signals > 1 ? COMMAND_INTERRUPTED : COMMAND_FINE;
    case SCHEDULER_WAS_IDLE:
        return COMMAND_FINE;
    case SCHEDULER_WAS_IDLE_FAILED:
    case SCHEDULER_STORE_UNUSABLE:
        break;
    }
    return COMMAND_FAILED;
}

static int run_orchestrator(struct orchestrate_command *w)
{
    w->loop = loop_new();
    self_on_signals(w->loop, on_signal, w);
    tooling_file_watch(w->file, w->loop, on_tooling, w);
    orchestrate_show_init(
        &w->show, w->loop,
        &(struct orchestrate_show_options){.json = options_has(w->options, "json"),
                                           .logs = options_has(w->options, "logs")});
    w->asked.url = w->url;
    w->asked.home = w->home.p;
    w->asked.self = w->self;
    w->asked.tooling = tooling_now;
    w->asked.rng = &w->rng;
    w->asked.on_event = on_event;
    w->asked.on_end = on_end;
    w->asked.ctx = w;
    w->scheduler = scheduler_start(w->loop, &w->asked);
    if (w->show.is_terminal)
        scheduler_watch_counts(w->scheduler, on_counts);
    loop_run(w->loop);
    int code = exit_code_of(w);
    orchestrate_show_end(&w->show, w->how, code);
    orchestrate_show_done(&w->show);
    if (w->how == SCHEDULER_STORE_UNUSABLE)
        terminal_print_error("%.*s", STR_ARG(buf_str(&w->failure)));
    tooling_file_close(w->file);
    w->file = NULL;
    loop_free(w->loop);
    return code;
}

int cmd_orchestrate(const struct options *o)
{
    struct orchestrate_command w = {.options = o};
    struct error err = {0};
    int code = COMMAND_USAGE;
    if (!read_options(&w)) {
        /* the error has been printed */
    } else if (!check_url(&w, &err)) {
        terminal_print_failure(&err);
        code = task_command_code(&err);
    } else if (!read_tooling(&w, &err)) {
        terminal_print_failure(&err);
    } else if (!prepare_orchestrator(&w, &err)) {
        terminal_print_failure(&err);
        code = COMMAND_FAILED;
    } else {
        code = run_orchestrator(&w);
    }
    for (size_t i = 0; i < w.asked.pool_count; i++)
        free((char *)w.pools[i].name);
    tooling_file_close(w.file);
    buf_done(&w.home);
    buf_done(&w.failure);
    return code;
}

/* ---- status, pause, resume, stop */

struct orchestrate_status {
    struct task_command view;
    struct tasks_counts counts;
    struct tasks_control control;
    size_t orchestrators;
    struct table table;
    struct buf json; /* the array of orchestrators */
    struct jsonw writer;
};

/* ---- reading */

static void on_orchestrator(const struct orchestrator_row *o, void *ctx)
{
    struct orchestrate_status *s = ctx;
    struct table *t = &s->table;
    struct buf seen_tooling = {0};
    s->orchestrators++;
    duration_put_relative(&seen_tooling, s->view.now,
                          o->seen < s->view.now ? o->seen : s->view.now);
    table_add_str(t, o->host);
    table_add(t, "%lld", (long long)o->pid);
    table_add(t, "%lld of %lld", (long long)o->running, (long long)o->workers);
    buf_add(&seen_tooling, tasks_orchestrator_is_gone(o) ? STR(" (gone)") : STR(""));
    table_add_str(t, buf_str(&seen_tooling));
    table_add_str(t, o->id);
    table_end(t);
    buf_done(&seen_tooling);
    views_tasks_put_orchestrator(&s->writer, o, VIEWS_CLI);
}

static bool read_status(struct store *store, void *ctx, struct error *err)
{
    static const char *const heads[] = {"HOST", "PID", "RUNNING", "LAST SEEN", "ID"};
    struct orchestrate_status *s = ctx;
    s->orchestrators = 0;
    table_done(&s->table);
    s->table = (struct table){0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&s->table, "%s", heads[i]);
    table_end(&s->table);
    table_right(&s->table, 1);
    buf_clear(&s->json);
    s->writer = jsonw_make(&s->json);
    jsonw_array(&s->writer);
    if (!tasks_count(store, &s->counts, err) || !tasks_control(store, &s->control, err) ||
        !tasks_orchestrators(store, on_orchestrator, s, err))
        return false;
    jsonw_end(&s->writer);
    return true;
}

/* ---- showing */

static const char *state_of(const struct orchestrate_status *s)
{
    if (s->control.mode == TASKS_PAUSED)
        return "PAUSED";
    return s->counts.by_state[TASK_RUNNING] ? "RUNNING" : "IDLE";
}

static void put_json(const struct orchestrate_status *s, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "state", state_of(s));
    views_put_time(&w, "paused_since", s->control.mode == TASKS_PAUSED ? s->control.since : 0,
                   VIEWS_CLI);
    jsonw_kcstr(&w, "store", store_name(s->view.store));
    jsonw_key(&w, "counts");
    views_tasks_put_counts(&w, &s->counts);
    views_put_time(&w, "first_due_at", s->counts.first_due, VIEWS_CLI);
    jsonw_kraw(&w, "orchestrators", buf_str(&s->json));
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

static void put_counts(const struct orchestrate_status *s, struct buf *out)
{
    uint64_t sum = 0;
    buf_printf(out, "%-10s", "tasks");
    for (enum task_state t = 0; t < TASK_STATE_COUNT; t++) {
        if (!s->counts.by_state[t])
            continue;
        buf_printf(out, "%s%llu %s", sum ? ", " : "", (unsigned long long)s->counts.by_state[t],
                   task_state_name(t));
        sum += s->counts.by_state[t];
    }
    buf_add(out, sum ? STR("\n") : STR("none\n"));
}

static void put_text(const struct orchestrate_status *s, struct buf *out)
{
    buf_printf(out, "%-10s%s", "state", state_of(s));
    if (s->control.mode == TASKS_PAUSED) {
        buf_add(out, STR(", since "));
        struct buf span = {0};
        duration_put_relative(&span, s->view.now,
                              s->control.since < s->view.now ? s->control.since : s->view.now);
        buf_add(out, buf_str(&span));
        buf_done(&span);
        buf_add(out, STR("; multiverse orchestrate resume continues"));
    }
    buf_printf(out, "\n%-10s", "store");
    terminal_escape(out, str_from(store_name(s->view.store)));
    buf_add_char(out, '\n');
    put_counts(s, out);
    if (s->counts.first_due) {
        buf_printf(out, "%-10s", "next due");
        duration_put_relative(out, s->view.now, s->counts.first_due);
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
    if (s->orchestrators)
        table_put(&s->table, out);
    else
        buf_add(out, STR("no orchestrator is running: start one with multiverse orchestrate\n"));
}

static void print_status(const struct orchestrate_status *s)
{
    struct buf out = {0};
    if (s->view.json)
        put_json(s, &out);
    else
        put_text(s, &out);
    terminal_write(buf_str(&out));
    buf_done(&out);
}

static int close_status(struct orchestrate_status *s)
{
    table_done(&s->table);
    buf_done(&s->json);
    return task_command_close(&s->view);
}

static int show_status(const struct options *o)
{
    struct orchestrate_status s = {0};
    if (!task_command_open(&s.view, o, TASK_COMMAND_READ))
        return s.view.code;
    if (task_command_run(&s.view, STORE_READ, read_status, &s))
        print_status(&s);
    return close_status(&s);
}

/* ---- steering */

static bool pause_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_pause(s, err) && read_status(s, ctx, err);
}

static bool resume_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_resume(s, err) && read_status(s, ctx, err);
}

static bool stop_all(struct store *s, void *ctx, struct error *err)
{
    return tasks_stop(s, err) && read_status(s, ctx, err);
}

static void print_control(const struct orchestrate_status *s, store_fn *orchestrate_command)
{
    unsigned long long n = s->counts.by_state[TASK_RUNNING];
    struct buf out = {0};
    if (orchestrate_command == resume_all)
        buf_printf(&out, "resumed: %llu READY\n",
                   (unsigned long long)s->counts.by_state[TASK_READY]);
    else if (orchestrate_command == pause_all)
        buf_printf(&out, "paused: nothing new is started, %llu still running\n", n);
    else
        buf_printf(&out, "stopped: nothing new is started, %llu handed back\n", n);
    terminal_write(buf_str(&out));
    buf_done(&out);
}

static int run_control(const struct options *o, store_fn *orchestrate_command)
{
    struct orchestrate_status s = {0};
    if (!task_command_open(&s.view, o, TASK_COMMAND_CHANGE))
        return s.view.code;
    if (!task_command_run(&s.view, STORE_WRITE, orchestrate_command, &s))
        return close_status(&s);
    if (s.view.json)
        print_status(&s);
    else
        print_control(&s, orchestrate_command);
    return close_status(&s);
}

static int pause_orchestrators(const struct options *o)
{
    return run_control(o, pause_all);
}

static int resume_orchestrators(const struct options *o)
{
    return run_control(o, resume_all);
}

static int stop_orchestrators(const struct options *o)
{
    return run_control(o, stop_all);
}

const struct command_action orchestrate_actions[] = {
    {"status", "", "state, counts, running orchestrators", "json store", 0, 0, show_status},
    {"pause", "", "start nothing new, anywhere; running tasks go on", "json store", 0, 0,
     pause_orchestrators},
    {"resume", "", "continue", "json store", 0, 0, resume_orchestrators},
    {"stop", "", "pause, and hand back running tasks now", "json store", 0, 0, stop_orchestrators},
    {0},
};
