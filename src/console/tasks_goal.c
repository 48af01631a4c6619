/* Goals: a child of this program asks a planner, and its plan comes in the feed.
 *
 *     running ----> done | failed | cancelled
 *
 * The child is `multiverse task add --goal - --dry-run --json`, with the goal on its standard
 * input. It has a supervisor of its own, so that its agents end with it, and it ends with this
 * process. It reports progress several times within goal_silence_s; if it does not, it is ended and
 * the goal has failed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/id.h"
#include "base/mem.h"
#include "console/tasks_internal.h"
#include "orchestrator/goal.h"
#include "process/mark.h"
#include "process/process.h"

#define AT_ONCE     4u
#define KEEP        16u               /* goals that have ended */
#define KEEP_MS     (10u * 60 * 1000) /* how long they are kept */
#define GRACE_MS    5000u             /* after a cancel */
#define REPORTS     6u                /* progress lines of a child within goal_silence_s */
#define STOP_MS     700u              /* when the server stops, within two seconds */
#define OUTPUT_MOST (16u << 20)
#define LINE_MOST   2048u
#define TEXT_MOST   4096u /* of a path or a prefix */

enum goal_state {
    GOAL_RUNNING,
    GOAL_DONE,
    GOAL_FAILED,
    GOAL_CANCELLED
};

static const char *const state_names[] = {
    [GOAL_RUNNING] = "running",
    [GOAL_DONE] = "done",
    [GOAL_FAILED] = "failed",
    [GOAL_CANCELLED] = "cancelled",
};

struct console_tasks_goal {
    struct list link;
    struct console_tasks *t;
    char id[ID_LEN + 1];
    uint64_t seq; /* of its last change */
    enum goal_state state;
    struct process *proc; /* NULL: it has ended */
    bool is_cancelled, is_too_long, is_hung;
    struct timer silence;
    struct process_exit end;
    struct buf out, line, message; /* line: the incomplete last line of standard error */
    struct buf tasks;              /* the array of its plan, for the feed */
    struct timer forget;
};

struct console_tasks_goals {
    struct list all; /* in the order in which they began */
    uint64_t seq;
    size_t running; /* children, and plans that are being read */
};

/* ---- the feed */

static void notify_change(struct console_tasks_goal *g)
{
    g->seq = ++g->t->goals->seq;
    console_feed_notify(g->t->console->feed, FEED_GOAL);
}

static void put_goal(const struct console_tasks_goal *g, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kcstr(&w, "id", g->id);
    jsonw_kcstr(&w, "state", state_names[g->state]);
    jsonw_kstr(&w, "message", buf_str(&g->message));
    jsonw_kraw(&w, "tasks", g->tasks.n ? buf_str(&g->tasks) : STR("[]"));
    jsonw_end(&w);
}

uint64_t console_tasks_goal_put_feed(const struct console_tasks *t, uint64_t seq,
                                     void (*each)(struct str json, void *ctx), void *ctx)
{
    LIST_EACH (&t->goals->all, struct console_tasks_goal, link, g) {
        struct buf json = {0};
        if (g->seq <= seq)
            continue;
        put_goal(g, &json);
        each(buf_str(&json), ctx);
        buf_done(&json);
    }
    return t->goals->seq;
}

/* ---- the end */

static void forget_goal(void *ctx)
{
    struct console_tasks_goal *g = ctx;
    timer_stop(&g->forget);
    timer_stop(&g->silence);
    list_remove(&g->link);
    buf_done(&g->out);
    buf_done(&g->line);
    buf_done(&g->message);
    buf_done(&g->tasks);
    free(g);
}

static void forget_oldest(struct console_tasks *t)
{
    size_t ended = 0;
    LIST_EACH (&t->goals->all, struct console_tasks_goal, link, g)
        ended += g->state != GOAL_RUNNING;
    LIST_EACH_SAFE (&t->goals->all, struct console_tasks_goal, link, old)
        if (ended > KEEP && old->state != GOAL_RUNNING) {
            forget_goal(old);
            ended--;
        }
}

static void put_task(struct jsonw *w, const struct json *task)
{
    const struct json *needs = json_get(task, STR("needs"));
    jsonw_object(w);
    jsonw_kstr(w, "name", json_str(json_get(task, STR("name"))));
    jsonw_kstr(w, "title", json_str(json_get(task, STR("title"))));
    jsonw_key(w, "needs");
    jsonw_array(w);
    JSON_ITEMS (needs, need)
        jsonw_str(w, json_str(need));
    jsonw_end(w);
    jsonw_kstr(w, "yaml", json_str(json_get(task, STR("spec"))));
    jsonw_end(w);
}

/* Runs on the pool, because a plan may be large. */
static void read_plan(void *ctx)
{
    struct console_tasks_goal *g = ctx;
    struct arena a = {0};
    const struct json *plan = json_parse(&a, buf_str(&g->out), NULL, NULL);
    const struct json *tasks = json_get(plan, STR("tasks"));
    if (json_is(tasks, JSON_ARRAY) && json_count(tasks)) {
        struct jsonw w = jsonw_make(&g->tasks);
        jsonw_array(&w);
        JSON_ITEMS (tasks, task)
            put_task(&w, task);
        jsonw_end(&w);
    }
    arena_done(&a);
    buf_done(&g->out);
}

static void set_message(struct console_tasks_goal *g, const char *text)
{
    buf_clear(&g->message);
    buf_add(&g->message, str_from(text));
}

static void set_hung_message(struct console_tasks_goal *g)
{
    buf_clear(&g->message);
    buf_printf(&g->message,
               "the planning process reported nothing for %u s and was ended: ask again, or check "
               "the agents with multiverse tooling doctor",
               g->t->console->o.goal_silence_s);
}

/* The goal is done if there is a plan. If the plan cannot be added, the message says why. */
static void settle_goal(struct console_tasks_goal *g)
{
    if (g->is_cancelled) {
        g->state = GOAL_CANCELLED;
        set_message(g, "");
        buf_done(&g->tasks);
    } else if (g->tasks.n) {
        g->state = GOAL_DONE;
        if (!g->end.signal && g->end.code == 0)
            set_message(g, "");
    } else {
        g->state = GOAL_FAILED;
        if (g->is_too_long)
            set_message(g, "the plan is too long");
        else if (g->is_hung)
            set_hung_message(g);
        else if (g->end.signal)
            set_message(g, "the planner was killed");
        else if (!g->message.n || g->end.code == 0)
            set_message(g, "the planner wrote no plan that can be read");
    }
}

static void on_read(void *ctx)
{
    struct console_tasks_goal *g = ctx;
    struct console_tasks *t = g->t;
    t->goals->running--;
    settle_goal(g);
    timer_start(&g->forget, t->console->o.loop, KEEP_MS, forget_goal, g);
    notify_change(g);
    forget_oldest(t);
    console_notify_quiet(t->console);
}

/* ---- the child */

static const struct str own_name = STR_INIT("multiverse: ");

static void take_line(struct console_tasks_goal *g)
{
    struct str line = str_trim(buf_str(&g->line));
    if (str_starts(line, own_name))
        line = str_skip(line, own_name.n);
    if (line.n && !str_starts(line, STR("warning: "))) {
        buf_clear(&g->message);
        buf_add(&g->message, line);
        if (!g->is_cancelled)
            notify_change(g);
    }
    buf_clear(&g->line);
}

/* The child reports progress while it works. If it hangs for any reason, it must not
 * leave the page waiting for ever: SIGTERM, then SIGKILL, which also ends a stopped process. */
static void on_silence(void *ctx)
{
    struct console_tasks_goal *g = ctx;
    g->is_hung = true;
    process_kill(g->proc, SIGTERM, GRACE_MS);
}

static void watch_silence(struct console_tasks_goal *g)
{
    const struct console_options *o = &g->t->console->o;
    if (!g->is_hung && !g->is_cancelled)
        timer_start(&g->silence, o->loop, o->goal_silence_s * 1000ull, on_silence, g);
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct console_tasks_goal *g = ctx;
    watch_silence(g);
    if (which == PROCESS_STDOUT) {
        if (!buf_add(&g->out, bytes) && !g->is_too_long) {
            g->is_too_long = true;
            buf_done(&g->out);
            process_kill(p, SIGTERM, GRACE_MS);
        }
        return;
    }
    for (size_t i = 0; i < bytes.n; i++) {
        if (bytes.p[i] == '\n')
            take_line(g);
        else if (g->line.n < LINE_MOST)
            buf_add_char(&g->line, bytes.p[i]);
    }
}

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    struct console_tasks_goal *g = ctx;
    (void)p;
    g->proc = NULL;
    g->end = end;
    timer_stop(&g->silence);
    take_line(g);
    loop_work(g->t->console->o.loop, read_plan, on_read, g);
}

static bool start_planner(struct console_tasks_goal *g, struct str repo, struct str prefix,
                          struct error *err)
{
    const struct console_options *o = &g->t->console->o;
    struct arena a = {0};
    const char *argv[13] = {o->self, "task", "add", "--goal", "-", "--dry-run", "--json"};
    size_t n = 7;
    unsigned every = o->goal_silence_s > REPORTS ? o->goal_silence_s / REPORTS : 1;
    const char *const *env = (const char *const *)environ;
    argv[n++] = arena_printf(&a, "--repo=%.*s", STR_ARG(repo)).p;
    argv[n++] = arena_printf(&a, "--progress=%u", every).p;
    if (prefix.n)
        argv[n++] = arena_printf(&a, "--prefix=%.*s", STR_ARG(prefix)).p;
    if (o->tooling)
        argv[n++] = arena_printf(&a, "--tooling=%s", o->tooling).p;
    if (o->store) /* not as an argument, which all users of the machine can read */
        env = mark_environment(&a, env, arena_printf(&a, "MULTIVERSE_STORE=%s", o->store).p);
    struct process_options options = {.argv = argv,
                                      .env = env,
                                      .cwd = o->project,
                                      .on_output = on_output,
                                      .on_exit = on_exit_,
                                      .ctx = g};
    process_bind_children();
    g->proc = process_start(o->loop, &options, err);
    arena_done(&a);
    return g->proc;
}

/* ---- routes */

/* Relative to the project of the server. */
static struct str find_repo(struct api *a, const char *project, struct str given)
{
    if (given.n && given.p[0] == '/')
        return given;
    return arena_printf(api_arena(a), "%s%s%.*s", project, given.n ? "/" : "", STR_ARG(given));
}

static bool has_room(struct api *a, const struct console_tasks *t)
{
    if (t->goals->running < AT_ONCE)
        return true;
    api_refuse(a, 409, ERR_QUEUE_FULL, "%u goals are being planned already: wait for one of them.",
               AT_ONCE);
    return false;
}

static bool is_short(struct api *a, const char *name, struct str text, size_t most)
{
    if (text.n <= most && (!text.n || !memchr(text.p, 0, text.n)))
        return true;
    if (text.n > most)
        api_refuse(a, 413, ERR_LIMIT, "%s is too long: at most %zu bytes.", name, most);
    else
        api_refuse(a, 400, ERR_INVALID_PARAMS, "%s must not contain a NUL.", name);
    return false;
}

static void on_goal(struct api *a, void *ctx)
{
    struct console_tasks *t = ctx;
    struct str text, repo, prefix;
    struct error err = {0};
    if (!api_text(a, "goal", &text) || !api_text_or(a, "repo", &repo) ||
        !api_text_or(a, "prefix", &prefix) || !is_short(a, "goal", text, GOAL_MAX_TEXT) ||
        !is_short(a, "repo", repo, TEXT_MOST) || !is_short(a, "prefix", prefix, TEXT_MOST) ||
        !has_room(a, t))
        return;
    if (!str_trim(text).n) {
        api_refuse(a, 400, ERR_INVALID_PARAMS, "The goal is empty.");
        return;
    }
    struct console_tasks_goal *g = mem_zalloc(sizeof *g);
    g->t = t;
    g->out = buf_make(OUTPUT_MOST);
    id_new(g->id);
    list_add(&t->goals->all, &g->link);
    if (!start_planner(g, find_repo(a, t->console->o.project, repo), prefix, &err)) {
        forget_goal(g);
        api_fail(a, &err);
        return;
    }
    t->goals->running++;
    watch_silence(g);
    process_write(g->proc, text);
    process_close_input(g->proc);
    notify_change(g);
    jsonw_kcstr(api_begin(a), "id", g->id);
    api_end(a);
}

static void on_cancel(struct api *a, void *ctx)
{
    struct console_tasks *t = ctx;
    struct str id;
    if (!api_text(a, "id", &id))
        return;
    LIST_EACH (&t->goals->all, struct console_tasks_goal, link, g) {
        if (!str_eq(id, str_from(g->id)))
            continue;
        if (!g->proc) {
            api_refuse(a, 409, ERR_TASK_STATE, "That goal is not being planned any more.");
            return;
        }
        g->is_cancelled = true;
        timer_stop(&g->silence);
        set_message(g, "it is being stopped");
        notify_change(g);
        process_kill(g->proc, SIGTERM, GRACE_MS);
        api_begin(a);
        api_end(a);
        return;
    }
    api_refuse(a, 404, ERR_UNKNOWN_REQUEST, "Unknown goal.");
}

/* ---- life */

void console_tasks_goal_start(struct console_tasks *t)
{
    t->goals = mem_zalloc(sizeof *t->goals);
    list_init(&t->goals->all);
    api_post(t->console, "/api/tasks/goal", on_goal, t);
    api_post(t->console, "/api/tasks/goal/cancel", on_cancel, t);
}

void console_tasks_goal_stop(struct console_tasks *t)
{
    LIST_EACH (&t->goals->all, struct console_tasks_goal, link, g)
        if (g->proc) {
            g->is_cancelled = true;
            process_kill(g->proc, SIGTERM, STOP_MS);
        }
}

bool console_tasks_goal_is_quiet(const struct console_tasks *t)
{
    return !t->goals->running;
}

void console_tasks_goal_free(struct console_tasks *t)
{
    LIST_EACH_SAFE (&t->goals->all, struct console_tasks_goal, link, g)
        forget_goal(g);
    free(t->goals);
}
