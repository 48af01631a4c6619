/* Installed agents: a child, which can be killed, examines each; several run at once. The results
 * are kept until a page asks to examine again. */
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

struct doctor_agent {
    struct console_tooling_agents *owner;
    struct doctor_agent *next;
    enum agent_kind tool;
    char *cli_path, *account;
    char *ask; /* the input of its child, with its env */
    bool is_known, is_wanted, is_gone;
    struct provider_health health;
    struct process *child; /* NULL: none */
    struct buf output;
    struct timer limit;
};

struct console_tooling_agents {
    struct console_tooling *owner;
    struct doctor_agent *first; /* in the order of the file */
    size_t running;
    int64_t at; /* time of the last examination; 0: none */
    bool is_stopping;
};

/* ---- one agent */

static void agent_free(struct doctor_agent *a)
{
    free(a->cli_path);
    free(a->account);
    free(a->ask);
    buf_done(&a->output);
    free(a);
}

static void set_failed(struct doctor_agent *a, const char *reason)
{
    a->health = (struct provider_health){0};
    snprintf(a->health.signed_in, sizeof a->health.signed_in, "no: %.300s", reason);
}

static void end_doctor(struct doctor_agent *a)
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
    struct doctor_agent *a = ctx;
    (void)p;
    if (which == PROCESS_STDOUT)
        buf_add(&a->output, bytes);
}

static void start_some(struct console_tooling_agents *g);

static void on_doctor_exit(struct process *p, struct process_exit end, void *ctx)
{
    struct doctor_agent *a = ctx;
    struct console_tooling_agents *g = a->owner;
    (void)p;
    bool ended = !end.signal && end.code == 0 && !a->output.overflow;
    timer_stop(&a->limit);
    if (!ended || !doctor_read_reply(buf_str(&a->output), &a->health))
        set_failed(a, "it could not be examined, or did not answer in time");
    end_doctor(a);
    start_some(g);
}

static void on_limit(void *ctx)
{
    struct doctor_agent *a = ctx;
    process_kill(a->child, SIGKILL, 0);
}

static void start_doctor(struct doctor_agent *a)
{
    struct console *c = a->owner->owner->console;
    struct error err = {0};
    const char *argv[] = {c->o.self, "agent-doctor", NULL};
    struct process_options o = {
        .argv = argv, .on_output = on_output, .on_exit = on_doctor_exit, .ctx = a};
    a->is_wanted = false;
    buf_done(&a->output);
    a->output = buf_make(DOCTOR_MAX_ANSWER);
    a->owner->running++;
    a->child = process_start(c->o.loop, &o, &err);
    if (a->child) {
        process_write(a->child, str_from(a->ask));
        process_close_input(a->child);
        timer_start(&a->limit, c->o.loop, LIMIT_MS, on_limit, a);
    } else {
        set_failed(a, err.text);
        end_doctor(a);
    }
}

static void start_some(struct console_tooling_agents *g)
{
    for (struct doctor_agent *a = g->first; a && g->running < AT_ONCE && !g->is_stopping;
         a = a->next)
        if (a->is_wanted && !a->child)
            start_doctor(a);
}

/* ---- collecting the agents, on a thread */

static struct doctor_agent *agent_new(const struct candidate *c)
{
    struct doctor_agent *a = mem_zalloc(sizeof *a);
    struct buf queue_request = {0};
    doctor_write_request(c, &queue_request);
    a->tool = c->tool;
    a->cli_path = str_dup(c->cli_path);
    a->account = str_dup(doctor_account(c));
    a->ask = str_dup(buf_str(&queue_request));
    buf_done(&queue_request);
    return a;
}

/* If the file cannot be used at all, the known agents stay. */
static void collect_agents(struct console_tooling_question *q)
{
    struct doctor_entry *all = mem_zalloc(DOCTOR_MAX * sizeof *all);
    struct tooling_file *f =
        console_tooling_check_path(q) ? tooling_file_open(q->owner->path, &q->err) : NULL;
    size_t count = f ? doctor_list_candidates(tooling_file_current(f), DOCTOR_ALL, all) : 0;
    struct doctor_agent *list = NULL;
    while (count > 0) {
        struct doctor_agent *a = agent_new(all[--count].candidate);
        a->next = list;
        list = a;
    }
    q->more = list;
    q->exists = f;
    tooling_file_close(f);
    free(all);
}

/* ---- in the loop */

static bool is_same(const struct doctor_agent *a, const struct doctor_agent *b)
{
    return a->tool == b->tool && strcmp(a->cli_path, b->cli_path) == 0 &&
           strcmp(a->account, b->account) == 0;
}

/* Remove the same agent from the list and return it, or NULL. */
static struct doctor_agent *take_same(struct doctor_agent **list, const struct doctor_agent *as)
{
    for (struct doctor_agent **at = list; *at; at = &(*at)->next)
        if (is_same(*at, as)) {
            struct doctor_agent *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

static void release_agent(struct doctor_agent *a)
{
    if (!a->child) {
        agent_free(a);
        return;
    }
    a->is_gone = true;
    process_kill(a->child, SIGKILL, 0);
}

static void release_agents(struct doctor_agent *list)
{
    while (list) {
        struct doctor_agent *a = list;
        list = a->next;
        release_agent(a);
    }
}

/* Keep the agents that were known, add new ones and release the others. */
static void merge_agents(struct console_tooling_agents *g, struct doctor_agent *list)
{
    struct doctor_agent *old = g->first, **last = &g->first;
    g->first = NULL;
    while (list) {
        struct doctor_agent *a = list, *known = take_same(&old, a);
        list = a->next;
        if (known) {
            known->is_wanted |=
                strcmp(known->ask, a->ask) != 0; /* it is called in another way now */
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
    release_agents(old);
}

static void put_agent(struct jsonw *w, const struct doctor_agent *a)
{
    jsonw_object(w);
    jsonw_kcstr(w, "tool", agent_kind_name(a->tool));
    jsonw_kcstr(w, "cli_path", a->cli_path);
    doctor_write_health(w, &a->health, str_from(a->account));
    jsonw_end(w);
}

static void send_agents(struct console_tooling_question *q)
{
    struct console_tooling_agents *g = q->owner->agents;
    if (q->exists && !g->is_stopping)
        merge_agents(g, q->more);
    else
        release_agents(q->more);
    for (struct doctor_agent *a = g->first; a && q->number; a = a->next)
        a->is_wanted |= !a->child; /* else it is being examined now */
    start_some(g);
    struct jsonw *w = api_begin(q->api);
    api_put_time(w, "at", g->at);
    jsonw_kbool(w, "running", g->running > 0);
    jsonw_key(w, "agents");
    jsonw_array(w);
    for (const struct doctor_agent *a = g->first; a; a = a->next)
        if (a->is_known)
            put_agent(w, a);
    jsonw_end(w);
    api_end(q->api);
}

static void queue_request(struct console_tooling *t, struct api *a, bool is_anew)
{
    struct console_tooling_question *q = console_tooling_new_question(t, a, collect_agents);
    q->done = send_agents;
    q->number = is_anew;
    console_tooling_queue_question(q);
}

static void on_get(struct api *a, void *ctx)
{
    queue_request(ctx, a, false);
}

static void on_post(struct api *a, void *ctx)
{
    queue_request(ctx, a, true);
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
    release_agents(g->first);
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
