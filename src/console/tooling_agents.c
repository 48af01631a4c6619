/* Which agents are here: each is looked at by a child of ours, which can be killed; some at once.
 * What was found is kept until somebody asks anew. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/doctor.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "console/tooling_internal.h"
#include "process/process.h"

#define AT_ONCE  3u
#define LIMIT_MS (PROVIDER_DOCTOR_MS + 5000u)

struct agent {
    struct console_tooling_agents *owner;
    struct agent *next;
    enum agent_kind tool;
    char *cli_path, *account;
    char *ask; /* what its child is told: holds its env */
    bool is_known, is_wanted, is_gone;
    struct provider_health health;
    struct process *child; /* NULL: none */
    struct buf said;
    struct timer limit;
};

struct console_tooling_agents {
    struct console_tooling *owner;
    struct agent *first; /* in the order of the file */
    size_t running;
    int64_t at; /* when the last of them was looked at; 0: never */
    bool is_stopping;
};

/* ---- one agent */

static void agent_free(struct agent *a)
{
    free(a->cli_path);
    free(a->account);
    free(a->ask);
    buf_done(&a->said);
    free(a);
}

static void fail(struct agent *a, const char *why)
{
    a->health = (struct provider_health){0};
    snprintf(a->health.signed_in, sizeof a->health.signed_in, "no: %.300s", why);
}

static void end_look(struct agent *a)
{
    struct console_tooling_agents *g = a->owner;
    a->child = NULL;
    a->is_known = true;
    g->running--;
    g->at = rfc3339_now();
    if (!g->is_stopping)
        console_tooling_notify(g->owner, &g->owner->count.agents);
    if (a->is_gone)
        agent_free(a);
    console_notify_quiet(g->owner->console);
}

static void on_output(struct process *p, enum process_stream which, struct str bytes, void *ctx)
{
    struct agent *a = ctx;
    (void)p;
    if (which == PROCESS_STDOUT)
        buf_add(&a->said, bytes);
}

static void start_some(struct console_tooling_agents *g);

static void on_exit_(struct process *p, struct process_exit end, void *ctx)
{
    struct agent *a = ctx;
    struct console_tooling_agents *g = a->owner;
    (void)p;
    bool ended = !end.signal && end.code == 0 && !a->said.overflow;
    timer_stop(&a->limit);
    if (!ended || !doctor_read(buf_str(&a->said), &a->health))
        fail(a, "it could not be looked at, or did not answer in time");
    end_look(a);
    start_some(g);
}

static void on_limit(void *ctx)
{
    struct agent *a = ctx;
    process_kill(a->child, SIGKILL, 0);
}

static void look(struct agent *a)
{
    struct console *c = a->owner->owner->console;
    struct error err = {0};
    const char *argv[] = {c->o.self, "agent-doctor", NULL};
    struct process_options o = {
        .argv = argv, .on_output = on_output, .on_exit = on_exit_, .ctx = a};
    a->is_wanted = false;
    buf_done(&a->said);
    a->said = buf_make(DOCTOR_MAX_ANSWER);
    a->owner->running++;
    a->child = process_start(c->o.loop, &o, &err);
    if (a->child) {
        process_write(a->child, str_from(a->ask));
        process_close_input(a->child);
        timer_start(&a->limit, c->o.loop, LIMIT_MS, on_limit, a);
    } else {
        fail(a, err.text);
        end_look(a);
    }
}

static void start_some(struct console_tooling_agents *g)
{
    for (struct agent *a = g->first; a && g->running < AT_ONCE && !g->is_stopping; a = a->next)
        if (a->is_wanted && !a->child)
            look(a);
}

/* ---- who they are: on a thread */

static struct agent *agent_new(const struct candidate *c)
{
    struct agent *a = mem_zalloc(sizeof *a);
    struct buf ask = {0};
    doctor_ask(c, &ask);
    a->tool = c->tool;
    a->cli_path = str_dup(c->cli_path);
    a->account = str_dup(doctor_account(c));
    a->ask = str_dup(buf_str(&ask));
    buf_done(&ask);
    return a;
}

/* A file of which nothing can be used names nobody: those that are known stay. */
static void gather(struct console_tooling_question *q)
{
    struct doctor_patient *all = mem_zalloc(DOCTOR_MAX * sizeof *all);
    struct tooling_file *f =
        console_tooling_check_path(q) ? tooling_file_open(q->owner->path, &q->err) : NULL;
    size_t count = f ? doctor_gather(tooling_file_current(f), DOCTOR_ALL, all) : 0;
    struct agent *list = NULL;
    while (count > 0) {
        struct agent *a = agent_new(all[--count].candidate);
        a->next = list;
        list = a;
    }
    q->more = list;
    q->exists = f;
    tooling_file_close(f);
    free(all);
}

/* ---- in the loop */

static bool is_same(const struct agent *a, const struct agent *b)
{
    return a->tool == b->tool && strcmp(a->cli_path, b->cli_path) == 0 &&
           strcmp(a->account, b->account) == 0;
}

/* Takes the one that is the same out of the list; NULL: there is none. */
static struct agent *take_same(struct agent **list, const struct agent *as)
{
    for (struct agent **at = list; *at; at = &(*at)->next)
        if (is_same(*at, as)) {
            struct agent *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

static void let_go(struct agent *a)
{
    if (!a->child) {
        agent_free(a);
        return;
    }
    a->is_gone = true;
    process_kill(a->child, SIGKILL, 0);
}

static void let_all_go(struct agent *list)
{
    while (list) {
        struct agent *a = list;
        list = a->next;
        let_go(a);
    }
}

/* Those that were known stay as they are; the rest goes. */
static void take_over(struct console_tooling_agents *g, struct agent *list)
{
    struct agent *old = g->first, **last = &g->first;
    g->first = NULL;
    while (list) {
        struct agent *a = list, *known = take_same(&old, a);
        list = a->next;
        if (known) {
            known->is_wanted |= strcmp(known->ask, a->ask) != 0; /* called in another way now */
            free(known->ask);
            known->ask = str_dup(str_from(a->ask));
            agent_free(a);
            a = known;
        }
        a->owner = g;
        a->is_wanted |= !a->is_known && !a->child;
        a->next = NULL;
        *last = a;
        last = &a->next;
    }
    let_all_go(old);
}

static void put_agent(struct jsonw *w, const struct agent *a)
{
    jsonw_object(w);
    jsonw_kcstr(w, "tool", agent_kind_name(a->tool));
    jsonw_kcstr(w, "cli_path", a->cli_path);
    doctor_put(w, &a->health, str_from(a->account));
    jsonw_end(w);
}

static void answer(struct console_tooling_question *q)
{
    struct console_tooling_agents *g = q->owner->agents;
    if (q->exists && !g->is_stopping)
        take_over(g, q->more);
    else
        let_all_go(q->more);
    for (struct agent *a = g->first; a && q->number; a = a->next)
        a->is_wanted |= !a->child; /* else it is being looked at just now */
    start_some(g);
    struct jsonw *w = api_begin(q->api);
    api_put_time(w, "at", g->at);
    jsonw_kbool(w, "running", g->running > 0);
    jsonw_key(w, "agents");
    jsonw_array(w);
    for (const struct agent *a = g->first; a; a = a->next)
        if (a->is_known)
            put_agent(w, a);
    jsonw_end(w);
    api_end(q->api);
}

static void ask(struct console_tooling *t, struct api *a, bool is_anew)
{
    struct console_tooling_question *q = console_tooling_new_question(t, a, gather);
    q->done = answer;
    q->number = is_anew;
    console_tooling_queue_question(q);
}

static void on_get(struct api *a, void *ctx)
{
    ask(ctx, a, false);
}

static void on_post(struct api *a, void *ctx)
{
    ask(ctx, a, true);
}

/* ---- life */

struct console_tooling_agents *console_tooling_agents_start(struct console_tooling *t)
{
    struct console_tooling_agents *g = mem_zalloc(sizeof *g);
    g->owner = t;
    api_get(t->console, "/api/tooling/agents", on_get, t);
    api_post(t->console, "/api/tooling/agents", on_post, t);
    return g;
}

void console_tooling_agents_stop(struct console_tooling_agents *g)
{
    g->is_stopping = true;
    let_all_go(g->first);
    g->first = NULL;
}

bool console_tooling_agents_is_quiet(const struct console_tooling_agents *g)
{
    return !g->running;
}

void console_tooling_agents_free(struct console_tooling_agents *g)
{
    free(g);
}
