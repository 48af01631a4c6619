#include "bridge/dedupe.h"

#include <stdlib.h>

#include "base/jsonw.h"
#include "base/log.h"
#include "base/mem.h"
#include "bridge/bridge_internal.h"

#define MAX_ENTRIES 4096u
#define MAX_BYTES   (32u << 20)

struct dedupe {
    char *key;               /* tool, a space, the id */
    struct request *request; /* NULL: it has ended */
    uint64_t ended;
    char job_id[BRIDGE_ID_MAX]; /* the editor accepted this job; empty: none */
    struct buf arguments;       /* as JSON text */
    struct buf answer;
    enum request_state state; /* how it ended, */
    enum error_code code;     /* and with which error; ERR_NONE: none */
};

static struct str make_key(struct arena *a, const struct request *r)
{
    return arena_printf(a, "%s %.*s", r->tool->name, STR_ARG(r->args.client_request_id));
}

static size_t count_bytes(const struct dedupe *d)
{
    return sizeof *d + strlen(d->key) + d->arguments.cap + d->answer.cap;
}

static void free_entry(struct bridge *b, struct dedupe *d)
{
    map_remove(&b->dedupe, str_from(d->key));
    b->dedupe_bytes -= count_bytes(d);
    if (d->request)
        d->request->dedupe = NULL;
    buf_done(&d->arguments);
    buf_done(&d->answer);
    free(d->key);
    free(d);
}

/* NULL: it has none, or the job was freed. */
static struct job *find_job(const struct bridge *b, const struct dedupe *d)
{
    return d->job_id[0] ? job_find(b, str_from(d->job_id)) : NULL;
}

/* Oldest first. An entry whose request or job still runs stays. */
static void free_old_entries(struct bridge *b)
{
    uint64_t now = loop_now(b->loop);
    MAP_EACH (&b->dedupe, i) {
        struct dedupe *d = map_value(&b->dedupe, i);
        const struct job *j = find_job(b, d);
        bool full = b->dedupe.count > MAX_ENTRIES || b->dedupe_bytes > MAX_BYTES;
        if (d->request || (j && !job_state_is_terminal(j->state)))
            continue;
        if (!full && now - (j ? j->ended : d->ended) < b->limits.dedupe_ms)
            return;
        free_entry(b, d);
    }
}

static size_t count_tool_arguments(const struct json *arguments)
{
    size_t n = 0;
    JSON_EACH (arguments, k)
        n += !request_keeps_argument(json_str(k));
    return n;
}

/* Compare the arguments of the tool, not those that every tool has. */
static bool has_same_arguments(const struct dedupe *d, const struct json *arguments)
{
    struct arena a = {0};
    const struct json *first = json_parse(&a, buf_str(&d->arguments), NULL, NULL);
    bool same = count_tool_arguments(first) == count_tool_arguments(arguments);
    JSON_EACH (arguments, k)
        if (!request_keeps_argument(json_str(k)))
            same = same && json_equal(json_get(first, json_str(k)), k + 1);
    arena_done(&a);
    return same;
}

static void add_entry(struct request *r, struct str key)
{
    struct bridge *b = r->b;
    struct dedupe *d = mem_zalloc(sizeof *d);
    struct jsonw w = jsonw_make(&d->arguments);
    jsonw_value(&w, r->arguments);
    d->key = str_dup(key);
    d->request = r;
    r->dedupe = d;
    map_set(&b->dedupe, key, d);
    b->dedupe_bytes += count_bytes(d);
}

/* If the callers of a queued job got its id already, this caller gets it, too. */
static void join_request(struct request *from, struct request *to)
{
    bool answered = to->job && list_is_empty(&to->askers);
    LIST_EACH_SAFE (&from->askers, struct asker, in, a) {
        list_remove(&a->in);
        list_add(&to->askers, &a->in);
        a->request = to;
        a->activity = from->activity;
        from->activity = NULL;
        if (answered)
            job_answer_asker(to->job, a);
        else
            activity_request(to);
    }
}

/* Give the answer of the first call again. */
static void repeat_answer(struct request *r, const struct dedupe *d)
{
    struct job *j = find_job(r->b, d);
    struct failure f = failure_make(d->code, "The answer of the first call was given again");
    if (j)
        activity_set_job(r->activity, j);
    activity_end_request(r->b, &r->activity, d->state, d->code ? &f : NULL);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        if (j) {
            job_answer_asker(j, a);
            continue;
        }
        caller_reply(a->caller, buf_str(&d->answer), d->code != ERR_NONE);
        request_end_asker(a);
    }
}

static void refuse_repeat(struct request *r)
{
    struct failure f = failure_make(ERR_INVALID_REQUEST,
                                    "client_request_id \"%.*s\" was used for a call of %s with "
                                    "other arguments. Use a new id for a new call",
                                    STR_ARG(r->args.client_request_id), r->tool->name);
    struct buf text = {0};
    failure_put_json(&text, r->tool, &f, r->id, NULL);
    activity_end_request(r->b, &r->activity, REQUEST_FAILED, &f);
    LIST_EACH_SAFE (&r->askers, struct asker, in, a) {
        caller_reply(a->caller, buf_str(&text), true);
        request_end_asker(a);
    }
    buf_done(&text);
}

/* Call it before the answer: the id is a view into the call. */
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
    free_old_entries(b);
    struct str key = make_key(&a, r);
    struct dedupe *d = map_get(&b->dedupe, key);
    if (!d) {
        add_entry(r, key);
    } else if (!has_same_arguments(d, r->arguments)) {
        log_repeat(r, "refused: other arguments");
        refuse_repeat(r);
    } else if (d->request) {
        log_repeat(r, "joined");
        join_request(r, d->request);
    } else {
        log_repeat(r, "repeated");
        repeat_answer(r, d);
    }
    arena_done(&a);
    return d != NULL;
}

static struct dedupe *detach_request(struct request *r)
{
    struct dedupe *d = r->dedupe;
    r->dedupe = NULL;
    d->request = NULL;
    d->ended = loop_now(r->b->loop);
    return d;
}

static void keep_answer(struct bridge *b, struct dedupe *d, struct str answer)
{
    b->dedupe_bytes -= count_bytes(d);
    buf_add(&d->answer, answer);
    b->dedupe_bytes += count_bytes(d);
}

void dedupe_end(struct request *r, struct str answer, const struct failure *f)
{
    struct bridge *b = r->b;
    struct dedupe *d = detach_request(r);
    if (f && failure_guarantee(f) == GUARANTEE_NOT_EXECUTED) {
        free_entry(b, d);
        return;
    }
    d->state = r->state;
    d->code = f ? f->code : ERR_NONE;
    keep_answer(b, d, answer);
}

void dedupe_accept_job(struct request *r)
{
    struct bridge *b = r->b;
    struct dedupe *d = detach_request(r);
    memcpy(d->job_id, r->job->id, sizeof d->job_id);
    d->state = r->state;
    keep_answer(b, d, job_put_id(r->job, &b->answer));
}

void dedupe_free_all(struct bridge *b)
{
    MAP_EACH (&b->dedupe, i)
        free_entry(b, map_value(&b->dedupe, i));
    map_done(&b->dedupe);
}
