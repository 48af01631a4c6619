/* Repeated calls: a client_request_id makes a tool that changes something run once.
 *
 * The key is the tool and the id, for all clients: a retry often comes over another connection. The
 * same id with other arguments is a mistake and is refused. What was certainly not executed is
 * forgotten, so that a retry can run. A repeated submission gets the job of the first one, as it is
 * by then.                                                   Spec: docs/spec/10-bridge.md, 9. */
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"

#define MAX_ENTRIES 4096u
#define MAX_BYTES   (32u << 20)

struct dedupe {
    char *key;               /* tool, a blank, the id */
    struct request *request; /* NULL: it has ended */
    uint64_t ended;
    char job_id[BRIDGE_ID_MAX]; /* the editor has taken this job; empty: none */
    struct buf arguments;       /* as JSON text */
    struct buf answer;
    enum request_state state; /* how it ended, */
    enum error_code code;     /* and why; ERR_NONE: well */
};

static struct str key_of(struct arena *a, const struct request *r)
{
    return arena_printf(a, "%s %.*s", r->tool->name, STR_ARG(r->args.client_request_id));
}

static size_t bytes_of(const struct dedupe *d)
{
    return sizeof *d + strlen(d->key) + d->arguments.cap + d->answer.cap;
}

static void forget(struct bridge *b, struct dedupe *d)
{
    map_remove(&b->dedupe, str_from(d->key));
    b->dedupe_bytes -= bytes_of(d);
    if (d->request)
        d->request->dedupe = NULL;
    buf_done(&d->arguments);
    buf_done(&d->answer);
    free(d->key);
    free(d);
}

/* NULL: it has none, or the store has forgotten it. */
static struct job *job_of(const struct bridge *b, const struct dedupe *d)
{
    return d->job_id[0] ? job_find(b, str_from(d->job_id)) : NULL;
}

/* Oldest first; one that still runs is never forgotten. */
static void forget_old(struct bridge *b)
{
    uint64_t now = loop_now(b->loop);
    MAP_EACH (&b->dedupe, i) {
        struct dedupe *d = map_value(&b->dedupe, i);
        const struct job *j = job_of(b, d);
        bool full = b->dedupe.count > MAX_ENTRIES || b->dedupe_bytes > MAX_BYTES;
        if (d->request || (j && !job_state_is_terminal(j->state)))
            continue;
        if (!full && now - (j ? j->ended : d->ended) < b->limits.dedupe_ms)
            return;
        forget(b, d);
    }
}

static size_t own_count(const struct json *arguments)
{
    size_t n = 0;
    JSON_EACH (arguments, k)
        n += !request_keeps_argument(json_str(k));
    return n;
}

/* Equal but for the arguments that every tool has. */
static bool same_arguments(const struct dedupe *d, const struct json *arguments)
{
    struct arena a = {0};
    const struct json *first = json_parse(&a, buf_str(&d->arguments), NULL, NULL);
    bool same = own_count(first) == own_count(arguments);
    JSON_EACH (arguments, k)
        if (!request_keeps_argument(json_str(k)))
            same = same && json_equal(json_get(first, json_str(k)), k + 1);
    arena_done(&a);
    return same;
}

static void remember(struct request *r, struct str key)
{
    struct bridge *b = r->b;
    struct dedupe *d = mem_zalloc(sizeof *d);
    struct jsonw w = jsonw_make(&d->arguments);
    jsonw_value(&w, r->arguments);
    d->key = str_dup(key);
    d->request = r;
    r->dedupe = d;
    map_set(&b->dedupe, key, d);
    b->dedupe_bytes += bytes_of(d);
}

/* A job whose caller need not wait, since its id was told, is told to this one, too. */
static void join(struct request *from, struct request *to)
{
    bool told = to->job && list_is_empty(&to->askers);
    LIST_EACH_SAFE (&from->askers, struct asker, in, a) {
        list_remove(&a->in);
        list_add(&to->askers, &a->in);
        a->request = to;
        a->seen = from->seen;
        from->seen = NULL;
        if (told)
            job_answer_asker(to->job, a);
        else
            activity_request(to);
    }
}

/* The first answer once more. */
static void repeat(struct request *r, const struct dedupe *d)
{
    struct job *j = job_of(r->b, d);
    struct failure o = failure_make(d->code, "The answer of the first call was given again");
    if (j)
        activity_set_job(r->seen, j);
    activity_end_request(r->b, &r->seen, d->state, d->code ? &o : NULL);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        if (j) {
            job_answer_asker(j, a);
            continue;
        }
        caller_reply(a->caller, buf_str(&d->answer), d->code != ERR_NONE);
        request_end_asker(a);
    }
}

static void refuse(struct request *r)
{
    struct failure o = failure_make(ERR_INVALID_REQUEST,
                                    "client_request_id \"%.*s\" was used for a call of %s with "
                                    "other arguments: take a new one for a new call",
                                    STR_ARG(r->args.client_request_id), r->tool->name);
    struct buf text = {0};
    failure_put_json(&text, r->tool, &o, r->id, NULL);
    activity_end_request(r->b, &r->seen, REQUEST_FAILED, &o);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        caller_reply(a->caller, buf_str(&text), true);
        request_end_asker(a);
    }
    buf_done(&text);
}

/* Before the answer: the id that it shows is the call's, and gone with it. */
static void log_repeat(const struct request *r, const char *how)
{
    log_info("request is a repeat", LOG_STR("request_id", str_from(r->id)),
             LOG_STR("tool", str_from(r->tool->name)),
             LOG_STR("client_request_id", r->args.client_request_id),
             LOG_STR("how", str_from(how)));
}

bool dedupe_join(struct request *r)
{
    struct bridge *b = r->b;
    struct arena a = {0};
    forget_old(b);
    struct str key = key_of(&a, r);
    struct dedupe *d = map_get(&b->dedupe, key);
    if (!d) {
        remember(r, key);
    } else if (!same_arguments(d, r->arguments)) {
        log_repeat(r, "refused: other arguments");
        refuse(r);
    } else if (d->request) {
        log_repeat(r, "joined");
        join(r, d->request);
    } else {
        log_repeat(r, "repeated");
        repeat(r, d);
    }
    arena_done(&a);
    return d != NULL;
}

static struct dedupe *let_go(struct request *r)
{
    struct dedupe *d = r->dedupe;
    r->dedupe = NULL;
    d->request = NULL;
    d->ended = loop_now(r->b->loop);
    return d;
}

static void keep_answer(struct bridge *b, struct dedupe *d, struct str answer)
{
    b->dedupe_bytes -= bytes_of(d);
    buf_add(&d->answer, answer);
    b->dedupe_bytes += bytes_of(d);
}

void dedupe_end(struct request *r, struct str answer, const struct failure *o)
{
    struct bridge *b = r->b;
    struct dedupe *d = let_go(r);
    if (o && failure_guarantee(o) == GUARANTEE_NOT_EXECUTED) {
        forget(b, d);
        return;
    }
    d->state = r->state;
    d->code = o ? o->code : ERR_NONE;
    keep_answer(b, d, answer);
}

void dedupe_taken(struct request *r)
{
    struct bridge *b = r->b;
    struct dedupe *d = let_go(r);
    memcpy(d->job_id, r->job->id, sizeof d->job_id);
    d->state = r->state;
    keep_answer(b, d, job_put_id(r->job, &b->answer));
}

void dedupe_done(struct bridge *b)
{
    MAP_EACH (&b->dedupe, i)
        forget(b, map_value(&b->dedupe, i));
    map_done(&b->dedupe);
}
