/* The ledger: end cooldowns, simulate draws, list decisions. */
#include "base/id.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "console/tooling_internal.h"
#include "tooling/simulate.h"

#define MAX_SEED ((1ll << 53) - 1) /* the largest integer that JSON carries exactly */

/* ---- clear */

static void clear_cooldowns(struct console_tooling_question *q)
{
    size_t cleared = 0;
    struct ledger *l = console_tooling_open_ledger(q);
    if (!l)
        return;
    if (q->key.n ? ledger_clear_one(l, q->key, &cleared, &q->err)
                 : ledger_clear(l, STR(""), &cleared, &q->err))
        buf_printf(&q->out, "{\"cleared\":%zu}", cleared);
    else
        console_tooling_fail_ledger(q);
    ledger_close(l);
}

/* ---- simulate */

static void put_drawn(const struct simulate *s, int64_t seed, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    jsonw_kint(&w, "n", (int64_t)s->draws);
    jsonw_kint(&w, "seed", seed);
    jsonw_kint(&w, "nobody", (int64_t)s->nobody);
    views_tooling_put_draws(&w, s, VIEWS_API);
    jsonw_end(&w);
}

static int64_t any_seed(void)
{
    int64_t seed;
    id_bytes(&seed, sizeof seed);
    return seed & MAX_SEED;
}

static void draw_category(struct console_tooling_question *q,
                          const struct tooling_category *settings, const struct decision *d)
{
    enum select_out outs[TOOLING_MAX_CANDIDATES];
    struct rng rng;
    int64_t seed = q->seed >= 0 ? q->seed : any_seed();
    struct simulate s = {.settings = settings, .draws = (uint64_t)q->number, .outs = outs};
    for (size_t i = 0; i < d->count; i++)
        outs[i] = d->candidates[i].out;
    rng_seed(&rng, (uint64_t)seed);
    simulate_run(&s, &rng);
    put_drawn(&s, seed, &q->out);
}

static void simulate_with(struct console_tooling_question *q, const struct views_tooling *s)
{
    const struct tooling_profile *p = s->tooling->active;
    enum category c = CATEGORY_META;
    tooling_category_find(q->category, &c);
    if (q->profile.p && !(p = tooling_profile(s->tooling, q->profile))) {
        error_set(&q->err, ERR_INVALID_PARAMS, "Unknown profile \"%.*s\".",
                  STR_ARG(utf8_head(q->profile, 100)));
        return;
    }
    const struct tooling_category *settings = tooling_profile_category(p, c);
    struct decision *d = views_tooling_decide(s, p, str_from(tooling_category_name(c)), &q->err);
    if (!d)
        console_tooling_fail_ledger(q);
    else if (settings)
        draw_category(q, settings, d);
    else
        error_set(&q->err, ERR_INVALID_PARAMS, "%s has no candidates.", tooling_category_name(c));
    decision_free(d);
}

/* Of the given text, or of the file. */
static struct tooling *find_tooling(struct console_tooling_question *q)
{
    struct console_tooling_text meant = {0};
    struct tooling_file *f = NULL;
    if (q->text.p) {
        console_tooling_file_read_text(q->owner, q->text, &meant);
        q->err = meant.tooling ? (struct error){0} : meant.fault;
    } else if (console_tooling_check_path(q)) {
        f = tooling_file_open(q->owner->path, &q->err);
        meant.tooling = f ? tooling_ref(tooling_file_current(f)) : NULL;
    }
    tooling_file_close(f);
    return meant.tooling;
}

static void run_simulation(struct console_tooling_question *q)
{
    struct tooling *t = find_tooling(q);
    struct ledger *l = t ? console_tooling_open_ledger(q) : NULL;
    if (l)
        simulate_with(q, &(struct views_tooling){t, l, rfc3339_now(), 1});
    ledger_close(l);
    tooling_unref(t);
}

/* ---- decisions */

/* A row may hold anything. */
static void on_decision(struct str json, void *ctx)
{
    struct arena arena = {0};
    const struct json *v = json_parse(&arena, json, NULL, NULL);
    if (json_is(v, JSON_OBJECT))
        jsonw_value(ctx, v);
    arena_done(&arena);
}

static void list_decisions(struct console_tooling_question *q)
{
    struct jsonw w = jsonw_make(&q->out);
    struct ledger *l = console_tooling_open_ledger(q);
    if (!l)
        return;
    jsonw_object(&w);
    jsonw_key(&w, "decisions");
    jsonw_array(&w);
    struct ledger_want want = {&q->run, q->run.p != NULL, (size_t)q->number};
    if (!ledger_decisions(l, &want, on_decision, &w, &q->err))
        console_tooling_fail_ledger(q);
    jsonw_end(&w);
    jsonw_end(&w);
    ledger_close(l);
}

/* ---- routes */

static void on_clear(struct api *a, void *ctx)
{
    struct str key;
    if (!api_text(a, "key", &key))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, clear_cooldowns);
    q->is_change = true;
    q->key = key;
    console_tooling_queue_question(q);
}

static void on_simulate(struct api *a, void *ctx)
{
    struct str category, text, profile;
    int64_t n = 0, seed = -1;
    enum category known;
    if (!api_text(a, "category", &category) || !api_int(a, "n", 1, CONSOLE_TOOLING_DRAWS, &n) ||
        !api_int_or(a, "seed", 0, MAX_SEED, &seed) || !api_text_or(a, "text", &text) ||
        !api_text_or(a, "profile", &profile))
        return;
    if (!tooling_category_find(category, &known)) {
        api_refuse(a, 400, ERR_INVALID_PARAMS,
                   "Unknown category \"%.*s\": use meta, plan, task, execution or worker.",
                   STR_ARG(utf8_head(category, 100)));
        return;
    }
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, run_simulation);
    q->category = category;
    q->number = n;
    q->seed = seed;
    q->text = text;
    q->profile = profile;
    console_tooling_queue_question(q);
}

static void on_decisions(struct api *a, void *ctx)
{
    int64_t most = 50;
    if (!api_query_int(a, "most", 1, CONSOLE_TOOLING_DECISIONS, &most))
        return;
    struct console_tooling_question *q = console_tooling_new_question(ctx, a, list_decisions);
    q->number = most;
    q->run = api_query(a, "run");
    console_tooling_queue_question(q);
}

void console_tooling_ledger_routes(struct console_tooling *t)
{
    api_post(t->console, "/api/tooling/clear", on_clear, t);
    api_post(t->console, "/api/tooling/simulate", on_simulate, t);
    api_get(t->console, "/api/tooling/decisions", on_decisions, t);
}
