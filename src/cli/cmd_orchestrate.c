/* `multiverse orchestrate`: runs the tasks of the store until it is told to stop. */
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/id.h"
#include "cli/command.h"
#include "cli/orchestrate_control.h"
#include "cli/orchestrate_show.h"
#include "cli/say.h"
#include "cli/store_option.h"
#include "cli/task_view.h"
#include "cli/tooling_view.h"
#include "process/own.h"

#define COPY_MS      (10u * 60u * 1000u) /* between two copies of the file */
#define COPY_SECONDS 60 /* a copy that another orchestrator made is new that long */

struct work {
    const struct options *options;
    const char *url; /* NULL: the default */
    struct scheduler_pool pools[SCHEDULER_MAX_POOLS];
    struct scheduler_options asked;
    struct tooling_file *file;
    struct tooling *seen; /* what the file said when it was looked at last */
    struct rng rng;
    struct buf home;
    char self[PATH_MAX];
    struct loop *loop;
    struct scheduler *scheduler;
    struct orchestrate_show show;
    unsigned signals;
    bool unread; /* nobody reads what is told */
    enum scheduler_end how;
    /* copies */
    struct timer copy_timer;
    bool copying, copy_failed;
    uint64_t copied; /* by loop_now() */
    struct error copy_error;
    struct buf trouble; /* of the store, the last one told */
};

/* ---- what was asked for */

static bool add_pool(struct work *w, const char *text)
{
    struct str rest = str_from(text), name;
    struct scheduler_options *o = &w->asked;
    uint64_t n = 0;
    if (!str_cut(&rest, '=', &name) || !name.n || !str_to_u64(rest, &n) || n < 1 ||
        n > SCHEDULER_MAX_WORKERS) {
        say_error("--pool must be NAME=N with N from 1 to %u, not \"%s\": --pool unity=1",
                  SCHEDULER_MAX_WORKERS, text);
        return false;
    }
    for (size_t i = 0; i < o->pool_count; i++)
        if (str_eq(str_from(w->pools[i].name), name)) {
            say_error("--pool %.*s is given twice", STR_ARG(name));
            return false;
        }
    if (o->pool_count == SCHEDULER_MAX_POOLS) {
        say_error("there are more than %u pools", SCHEDULER_MAX_POOLS);
        return false;
    }
    w->pools[o->pool_count++] = (struct scheduler_pool){str_dup(name), (uint32_t)n};
    o->workers += (uint32_t)n;
    if (o->workers > SCHEDULER_MAX_WORKERS) {
        say_error("the pools have %u workers together, and may have %u", (unsigned)o->workers,
                  SCHEDULER_MAX_WORKERS);
        return false;
    }
    return true;
}

static bool read_pools(struct work *w)
{
    const char *text;
    if (options_has(w->options, "pool") && options_has(w->options, "workers")) {
        say_error("--workers and --pool do not go together: each pool says how many it has");
        return false;
    }
    for (size_t i = 0; (text = options_nth(w->options, "pool", i)); i++)
        if (!add_pool(w, text))
            return false;
    w->asked.pools = w->pools;
    return true;
}

static uint64_t number(const struct work *w, const char *name, uint64_t otherwise)
{
    uint64_t n = otherwise;
    options_number(w->options, name, &n);
    return n;
}

static bool read_options(struct work *w)
{
    struct scheduler_options *o = &w->asked;
    w->url = store_option(w->options);
    o->lease_ms = number(w, "lease", 0) * 1000;
    o->drain_ms = number(w, "drain", 0) * 1000;
    o->until_idle = options_has(w->options, "until-idle");
    o->policy.max_attempts = (uint32_t)number(w, "max-attempts", 0);
    o->policy.base_ms = number(w, "retry-base", VERDICT_BASE_MS / 1000) * 1000;
    o->policy.most_ms = o->policy.base_ms > VERDICT_MOST_MS ? o->policy.base_ms : VERDICT_MOST_MS;
    if (!read_pools(w))
        return false;
    if (!o->pool_count)
        o->workers = (uint32_t)number(w, "workers", 0);
    return true;
}

/* ---- what this machine must have */

static bool read_tooling(struct work *w, struct error *err)
{
    w->file = tooling_view_file(NULL, err);
    if (!w->file)
        return false;
    if (tooling_file_fault(w->file))
        say_warning("%s", tooling_file_fault(w->file)->text);
    w->seen = tooling_file_current(w->file);
    for (size_t i = 0; i < w->seen->warning_count; i++)
        say_warning("%.*s", STR_ARG(w->seen->warnings[i]));
    return true;
}

/* What is no store at all is wrong use, and known before anything begins. */
static bool check_url(const struct work *w, struct error *err)
{
    struct buf place = {0};
    bool fine = !w->url || store_is_server(w->url) || tasks_place(w->url, &place, err);
    buf_done(&place);
    return fine;
}

static bool prepare(struct work *w, struct error *err)
{
    uint64_t seed;
    if (!own_path(w->self, err))
        return false;
    id_bytes(&seed, sizeof seed);
    rng_seed(&w->rng, seed);
    return tooling_home(&w->home, true, err);
}

/* ---- copies of the file, for `task repair` */

static bool is_copied(const char *url)
{
    struct buf path = {0};
    struct stat st;
    bool is = tasks_place(url, &path, NULL) && buf_add(&path, STR(".copy")) &&
              stat(path.p, &st) == 0 && st.st_mtime > time(NULL) - COPY_SECONDS;
    buf_done(&path);
    return is;
}

static void copy(void *ctx)
{
    struct work *w = ctx;
    w->copy_failed = false;
    if (is_copied(w->url)) /* by another one */
        return;
    struct store *s = tasks_open(w->url, false, NULL, &w->copy_error);
    w->copy_failed = !s || !store_copy(s, &w->copy_error);
    store_close(s);
}

static void on_copied(void *ctx)
{
    struct work *w = ctx;
    w->copying = false;
    w->copied = loop_now(w->loop);
    if (w->copy_failed && w->scheduler) {
        struct buf text = {0};
        buf_printf(&text, "no copy of the store could be made: %s", w->copy_error.text);
        orchestrate_show_warn(&w->show, text.p);
        buf_done(&text);
    }
}

static void start_copy(void *ctx)
{
    struct work *w = ctx;
    w->copying = true;
    loop_work(w->loop, copy, on_copied, w);
}

/* A task ended: at most every COPY_MS what is there now is worth a copy. */
static void copy_soon(struct work *w)
{
    if (w->copying || timer_is_running(&w->copy_timer) || store_is_server(w->url ? w->url : ""))
        return;
    uint64_t since = loop_now(w->loop) - w->copied;
    timer_start(&w->copy_timer, w->loop, since < COPY_MS ? COPY_MS - since : 0, start_copy, w);
}

/* ---- what happens */

static void on_event(const struct scheduler_event *e, void *ctx)
{
    struct work *w = ctx;
    orchestrate_show_event(&w->show, e);
    if (e->kind == SCHEDULER_TROUBLE) {
        buf_clear(&w->trouble);
        buf_add(&w->trouble, e->text);
    }
    if (e->kind == SCHEDULER_STARTED && !store_is_server(w->url ? w->url : ""))
        start_copy(w);
    if (e->kind == SCHEDULER_ENDED)
        copy_soon(w);
    /* Without a reader it is as after SIGTERM: nobody would know what is done, and paid for. */
    if (!say_out_now() && !w->unread && w->scheduler) {
        w->unread = true;
        scheduler_drain(w->scheduler);
    }
}

static void on_counts(const struct tasks_counts *c, void *ctx)
{
    struct work *w = ctx;
    orchestrate_show_counts(&w->show, c);
}

static void on_end(struct scheduler *s, enum scheduler_end how, void *ctx)
{
    struct work *w = ctx;
    (void)s;
    w->scheduler = NULL;
    w->how = how;
    timer_stop(&w->copy_timer);
    loop_stop(w->loop);
}

static void on_signal(void *ctx)
{
    struct work *w = ctx;
    if (!w->scheduler)
        return;
    if (w->signals++ == 0)
        scheduler_drain(w->scheduler);
    else
        scheduler_halt(w->scheduler);
}

/* The file was changed meanwhile. A wrong one does not take the place of the one in use. */
static void on_tooling(void *ctx)
{
    struct work *w = ctx;
    const struct error *fault = tooling_file_fault(w->file);
    struct buf text = {0};
    if (fault)
        buf_printf(&text, "%s; the one before it stays in use", fault->text);
    else if (w->seen == tooling_file_current(w->file))
        buf_printf(&text, "%s is right again", tooling_file_path(w->file));
    else
        buf_printf(&text, "%s was changed: it holds from the next attempt on",
                   tooling_file_path(w->file));
    w->seen = tooling_file_current(w->file);
    orchestrate_show_warn(&w->show, text.p);
    buf_done(&text);
}

static struct tooling *tooling_now(void *ctx)
{
    struct work *w = ctx;
    return tooling_file_current(w->file);
}

static int code_of(const struct work *w)
{
    switch (w->how) {
    case SCHEDULER_DRAINED:
    case SCHEDULER_HALTED: /* also when the time for draining was over */
        return w->signals > 1 ? COMMAND_INTERRUPTED : COMMAND_FINE;
    case SCHEDULER_WAS_IDLE:
        return COMMAND_FINE;
    case SCHEDULER_WAS_IDLE_FAILED:
    case SCHEDULER_CANNOT:
        break;
    }
    return COMMAND_FAILED;
}

static int carry_out(struct work *w)
{
    w->loop = loop_new();
    own_signals(w->loop, on_signal, w);
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
    int code = code_of(w);
    orchestrate_show_end(&w->show, w->how, code);
    orchestrate_show_done(&w->show);
    if (w->how == SCHEDULER_CANNOT)
        say_error("%.*s", STR_ARG(buf_str(&w->trouble)));
    tooling_file_close(w->file);
    w->file = NULL;
    loop_free(w->loop);
    return code;
}

int cmd_orchestrate(const struct options *o)
{
    struct work w = {.options = o};
    struct error err = {0};
    int code = COMMAND_USAGE;
    if (!read_options(&w)) {
        /* it has been said what is wrong */
    } else if (!check_url(&w, &err)) {
        say_failure(&err);
        code = task_view_code(&err);
    } else if (!read_tooling(&w, &err)) {
        say_failure(&err);
    } else if (!prepare(&w, &err)) {
        say_failure(&err);
        code = COMMAND_FAILED;
    } else {
        code = carry_out(&w);
    }
    for (size_t i = 0; i < w.asked.pool_count; i++)
        free((char *)w.pools[i].name);
    tooling_file_close(w.file);
    buf_done(&w.home);
    buf_done(&w.trouble);
    return code;
}

const struct command_action orchestrate_actions[] = {
    {"status", "", "how it stands: state, counts, who works on it", "json store", 0, 0,
     orchestrate_status},
    {"pause", "", "begin nothing new, anywhere; what runs goes on", "json store", 0, 0,
     orchestrate_pause},
    {"resume", "", "go on", "json store", 0, 0, orchestrate_resume},
    {"stop", "", "pause, and hand back what runs, now", "json store", 0, 0, orchestrate_stop},
    {0},
};
