#include "tooling/ledger.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "tooling/ledger_internal.h"
#include "tooling/ledger_schema.h"
#include "tooling/tooling_file.h"

#define PAUSE_MS 250

const enum outcome_scope ledger_scopes[LEDGER_SCOPES] = {SCOPE_ACCOUNT_MODEL, SCOPE_ACCOUNT,
                                                         SCOPE_TOOL_MODEL};

static int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool ledger_place(const char *url, struct buf *out, struct error *err)
{
    struct buf home = buf_make(4096);
    bool is_home = !url || !*url; /* else the home folder is not needed */
    bool ok = (!is_home || tooling_home(&home, true, err)) &&
              store_place(url, home.p, &ledger_schema, out, err);
    buf_done(&home);
    return ok;
}

static struct store *open_store(const char *url, unsigned wait_ms, struct error *err)
{
    struct buf place = buf_make(4096);
    struct store *store = NULL;
    if (ledger_place(url, &place, err))
        store = store_open(
            &(struct store_options){.url = place.p, .schema = &ledger_schema, .wait_ms = wait_ms},
            NULL, err);
    buf_done(&place);
    return store;
}

static struct ledger *open_ledger(const char *url, bool is_brief, struct error *err)
{
    struct store *store = open_store(url, is_brief ? LEDGER_BRIEF_MS : LEDGER_BUSY_MS, err);
    if (!store)
        return NULL;
    struct ledger *l = mem_zalloc(sizeof *l);
    l->store = store;
    l->is_brief = is_brief;
    return l;
}

struct ledger *ledger_open(const char *url, struct error *err)
{
    return open_ledger(url, false, err);
}

struct ledger *ledger_open_brief(const char *url, struct error *err)
{
    return open_ledger(url, true, err);
}

void ledger_shorten_waits(struct ledger *l)
{
    l->is_brief = true;
    store_shorten_wait(l->store, LEDGER_BRIEF_MS);
}

void ledger_close(struct ledger *l)
{
    if (!l)
        return;
    store_close(l->store);
    free(l);
}

/* Retry: a run should not fail because its server restarts. */
bool ledger_run(struct ledger *l, enum store_mode mode, store_fn *work, void *ctx,
                struct error *err)
{
    struct timespec pause = {0, PAUSE_MS * 1000000l};
    int64_t end = clock_ms() + LEDGER_GONE_MS;
    for (;;) {
        struct error reason = {0};
        if (store_run(l->store, mode, work, ctx, &reason))
            return true;
        if (store_last_failure(l->store) != STORE_UNAVAILABLE || reason.code == ERR_IN_USE ||
            l->is_brief || clock_ms() >= end)
            return error_set(err, reason.code, "%s", reason.text);
        nanosleep(&pause, NULL);
    }
}

/* ---- lists */

static bool read_all_cooldowns(struct store *s, void *ctx, struct error *err)
{
    return ledger_rows_all_cooldowns(s, ctx, err);
}

bool ledger_cooldowns(struct ledger *l, ledger_cooldown_fn *each, void *ctx, struct error *err)
{
    struct ledger_cooldown_list all = {0};
    bool ok = ledger_run(l, STORE_READ, read_all_cooldowns, &all, err);
    for (size_t i = 0; ok && i < all.count; i++)
        each(&all.items[i].c, ctx);
    free(all.items);
    return ok;
}

struct clearing {
    struct str key; /* or a prefix of keys */
    size_t count;
};

static bool clear_prefix(struct store *s, void *ctx, struct error *err)
{
    struct clearing *c = ctx;
    return ledger_rows_clear_cooldowns(s, c->key, &c->count, err) &&
           ledger_rows_clear_near(s, c->key, err) && ledger_tell(s, err);
}

static bool clear_one(struct store *s, void *ctx, struct error *err)
{
    struct clearing *c = ctx;
    return ledger_rows_drop_cooldown(s, c->key, &c->count, err) &&
           ledger_rows_drop_near(s, c->key, err) && ledger_tell(s, err);
}

static bool run_clearing(struct ledger *l, store_fn *work, struct clearing *c, size_t *cleared,
                         struct error *err)
{
    if (!ledger_run(l, STORE_WRITE, work, c, err))
        return false;
    *cleared = c->count;
    return true;
}

bool ledger_clear(struct ledger *l, struct str prefix, size_t *cleared, struct error *err)
{
    return run_clearing(l, clear_prefix, &(struct clearing){prefix, 0}, cleared, err);
}

bool ledger_clear_one(struct ledger *l, struct str key, size_t *cleared, struct error *err)
{
    return run_clearing(l, clear_one, &(struct clearing){key, 0}, cleared, err);
}

/* Decisions are read in pages, so that no transaction is open while a caller prints. */
struct decision_page {
    int64_t before;
    struct arena arena;
    struct str texts[LEDGER_PAGE];
    int64_t ids[LEDGER_PAGE];
    size_t count;
};

static bool read_page(struct store *s, void *ctx, struct error *err)
{
    struct decision_page *p = ctx;
    arena_reset(&p->arena);
    p->count = 0;
    struct store_rows q = ledger_rows_notes_before(s, p->before);
    while (store_next(&q)) {
        assert(p->count < LEDGER_PAGE);
        p->ids[p->count] = store_int(&q, 0);
        p->texts[p->count++] = arena_str(&p->arena, store_text(&q, 1));
    }
    return store_end(&q, err);
}

static bool is_wanted(struct decision_page *p, size_t i, const struct ledger_want *want)
{
    if (!want->run_count)
        return true;
    const struct json *d = json_parse(&p->arena, p->texts[i], NULL, NULL);
    const struct json *run = json_get(d, STR("run"));
    for (size_t k = 0; k < want->run_count; k++)
        if (json_is(run, JSON_STRING) && str_eq(json_str(run), want->runs[k]))
            return true;
    return false;
}

bool ledger_decisions(struct ledger *l, const struct ledger_want *want, ledger_decision_fn *each,
                      void *ctx, struct error *err)
{
    struct decision_page p = {.before = INT64_MAX, .count = LEDGER_PAGE};
    bool ok = true;
    for (size_t told = 0; ok && told < want->most && p.count == LEDGER_PAGE;) {
        ok = ledger_run(l, STORE_READ, read_page, &p, err);
        for (size_t i = 0; ok && i < p.count && told < want->most; i++)
            if (is_wanted(&p, i, want)) {
                each(p.texts[i], ctx);
                told++;
            }
        p.before = p.count ? p.ids[p.count - 1] : 0;
    }
    arena_done(&p.arena);
    return ok;
}

bool ledger_decision(struct ledger *l, int64_t id, ledger_decision_fn *each, void *ctx,
                     struct error *err)
{
    struct decision_page p = {.before = id < INT64_MAX ? id + 1 : id};
    bool ok = ledger_run(l, STORE_READ, read_page, &p, err);
    if (ok && p.count && p.ids[0] == id)
        each(p.texts[0], ctx);
    arena_done(&p.arena);
    return ok;
}

bool ledger_decisions_for(const char *url, const struct ledger_want *want, ledger_decision_fn *each,
                          void *ctx, struct error *err)
{
    struct ledger *l = ledger_open_brief(url, err);
    bool ok = l && ledger_decisions(l, want, each, ctx, err);
    ledger_close(l);
    return ok;
}

/* ---- dead runs */

struct probe_return {
    struct str run;
    size_t count;
};

/* Was the decision made for this run, and has no outcome? */
static bool is_open_decision(struct store *s, int64_t id, struct str run, bool *is,
                             struct error *err)
{
    struct decision_page p = {.before = id + 1};
    bool ok = read_page(s, &p, err);
    const struct json *d =
        ok && p.count && p.ids[0] == id ? json_parse(&p.arena, p.texts[0], NULL, NULL) : NULL;
    *is = d && str_eq(json_str(json_get(d, STR("run"))), run) &&
          json_type(json_get(d, STR("outcome"))) == JSON_NULL;
    arena_done(&p.arena);
    return ok;
}

static bool give_probes_back(struct store *s, void *ctx, struct error *err)
{
    struct probe_return *g = ctx;
    struct ledger_cooldown_list all = {0};
    bool ok = ledger_rows_all_cooldowns(s, &all, err);
    g->count = 0;
    for (size_t i = 0; ok && i < all.count; i++) {
        struct ledger_cooldown *r = &all.items[i];
        bool is = false;
        if (r->probe_by <= 0 || r->probe_by == INT64_MAX)
            continue;
        ok = is_open_decision(s, r->probe_by, g->run, &is, err);
        if (!ok || !is)
            continue;
        r->probe_by = r->c.probe_until = 0;
        ok = ledger_rows_put_cooldown(s, r, err);
        g->count++;
    }
    free(all.items);
    return ok && (!g->count || ledger_tell(s, err));
}

bool ledger_give_back(const char *url, struct str run, size_t *count, struct error *err)
{
    struct probe_return g = {.run = run};
    if (!run.n)
        return error_set(err, ERR_INVALID_PARAMS, "no run is named");
    struct store *s = open_store(url, LEDGER_BRIEF_MS, err);
    bool ok = s && store_run(s, STORE_WRITE, give_probes_back, &g, err);
    store_close(s);
    if (ok)
        *count = g.count;
    return ok;
}
