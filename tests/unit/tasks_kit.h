/* A store of tasks for a test, on SQLite or PostgreSQL (store_url.h), and short ways to use it.
 *
 *     struct kit k;
 *     kit_begin(&k);
 *     kit_add(&k, "a", "");
 *     kit_add(&k, "b", "a");                            // b needs a; "a c": a and c
 *     struct transaction t = kit_transaction(&k, "me", 2);            // an owner, free workers
 *     kit_run(&k, &t);                                  // t.claims ...
 *     kit_end(&k, "me", &t.claims[0], TASK_SUCCEED);    // another transaction
 *     CHECK_CSTR(kit_states(&k), "a SUCCEEDED, b READY");
 *     transaction_done(&t);
 *     kit_done(&k);
 */
#pragma once

#include "base/mem.h"
#include "orchestrator/transaction.h"
#include "store_url.h"

#define KIT_LEASE 60000u

struct kit {
    char url[4096];
    struct store *store;
    struct arena arena;
    struct transaction_slot slot;
    struct buf states;
};

static inline struct store *kit_open(const char *url)
{
    struct error err = {0};
    struct store *s = tasks_open(url, false, NULL, &err);
    if (!s)
        fail_msg("%s", err.text);
    return s;
}

static inline void kit_begin(struct kit *k)
{
    *k = (struct kit){0};
    test_store_begin(k->url, "tasks.db");
    k->store = kit_open(k->url);
}

static inline void kit_done(struct kit *k)
{
    store_close(k->store);
    arena_done(&k->arena);
    buf_done(&k->states);
    test_store_end();
}

/* ---- adding */

struct kit_adding {
    const struct task_new *news;
    size_t count;
};

static inline bool kit_add_work(struct store *s, void *ctx, struct error *err)
{
    const struct kit_adding *a = ctx;
    return tasks_add(s, a->news, a->count, err);
}

/* Words, with single blanks between them; in the arena. */
static inline struct str *kit_words(struct kit *k, const char *text, size_t *count)
{
    struct str rest = str_from(text), word;
    struct str *words = arena_alloc(&k->arena, (rest.n + 1) * sizeof *words);
    for (*count = 0; rest.n;) {
        str_cut(&rest, ' ', &word);
        words[(*count)++] = arena_str(&k->arena, word);
    }
    return words;
}

static inline struct task_new kit_new(struct kit *k, const char *name, const char *needs)
{
    struct task_new t = {.name = arena_str(&k->arena, str_from(name)), .spec = STR("version: 1\n")};
    t.title = t.name;
    t.needs = kit_words(k, needs, &t.need_count);
    return t;
}

static inline bool kit_try_add(struct kit *k, const struct task_new *news, size_t count,
                               struct error *err)
{
    struct kit_adding a = {news, count};
    return store_run(k->store, STORE_ROWS, kit_add_work, &a, err);
}

static inline void kit_add(struct kit *k, const char *name, const char *needs)
{
    struct task_new t = kit_new(k, name, needs);
    struct error err = {0};
    if (!kit_try_add(k, &t, 1, &err))
        fail_msg("%s", err.text);
}

/* ---- looking */

struct kit_seen {
    struct buf *out;
    int64_t id;
    struct str name;
    struct arena *arena;
};

static inline void kit_on_state(const struct task_row *t, void *ctx)
{
    struct buf *out = ctx;
    buf_printf(out, "%s%.*s %s", out->n ? ", " : "", STR_ARG(t->name), task_state_name(t->state));
}

static inline bool kit_states_work(struct store *s, void *ctx, struct error *err)
{
    buf_clear(ctx);
    return tasks_each(s, NULL, kit_on_state, ctx, err);
}

/* "a READY, b PENDING", by number; good until the next call. */
static inline struct str kit_states(struct kit *k)
{
    struct error err = {0};
    if (!store_run(k->store, STORE_READ, kit_states_work, &k->states, &err))
        fail_msg("%s", err.text);
    return buf_str(&k->states);
}

struct kit_finding {
    const char *name;
    int64_t id;
    struct task_row row;
    struct arena *arena;
};

static inline void kit_on_row(const struct task_row *t, void *ctx)
{
    struct kit_finding *f = ctx;
    f->row = *t;
    f->row.name = arena_str(f->arena, t->name);
    f->row.title = arena_str(f->arena, t->title);
    f->row.repo = arena_str(f->arena, t->repo);
    f->row.pool = arena_str(f->arena, t->pool);
    f->row.goal = arena_str(f->arena, t->goal);
    f->row.owner = arena_str(f->arena, t->owner);
    f->row.why = arena_str(f->arena, t->why);
    f->row.spec = arena_str(f->arena, t->spec);
}

static inline bool kit_find_work(struct store *s, void *ctx, struct error *err)
{
    struct kit_finding *f = ctx;
    return tasks_find(s, str_from(f->name), &f->id, err) && tasks_get(s, f->id, kit_on_row, f, err);
}

/* The row of a task; texts are in the arena of the kit. */
static inline struct task_row kit_row(struct kit *k, const char *name)
{
    struct kit_finding f = {.name = name, .arena = &k->arena};
    struct error err = {0};
    if (!store_run(k->store, STORE_READ, kit_find_work, &f, &err))
        fail_msg("%s", err.text);
    assert_int_equal(f.row.id, f.id);
    return f.row;
}

/* ---- persons */

struct kit_change {
    const char *name;
    bool (*change)(struct store *s, int64_t id, struct tasks_change *out, struct error *err);
    struct tasks_change out;
};

static inline bool kit_change_work(struct store *s, void *ctx, struct error *err)
{
    struct kit_change *c = ctx;
    int64_t id;
    return tasks_find(s, str_from(c->name), &id, err) && c->change(s, id, &c->out, err);
}

static inline struct tasks_change kit_cancel(struct kit *k, const char *name)
{
    struct kit_change c = {.name = name, .change = tasks_cancel};
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_change_work, &c, &err))
        fail_msg("%s", err.text);
    return c.out;
}

static inline struct tasks_change kit_retry(struct kit *k, const char *name)
{
    struct kit_change c = {.name = name, .change = tasks_retry};
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_change_work, &c, &err))
        fail_msg("%s", err.text);
    return c.out;
}

/* The message of the refusal. */
static inline struct str kit_refused(struct kit *k, struct kit_change c, enum error_code code)
{
    struct error err = {0};
    assert_false(store_run(k->store, STORE_ROWS, kit_change_work, &c, &err));
    assert_int_equal(err.code, code);
    return arena_str(&k->arena, str_from(err.text));
}

static inline bool kit_remove_work(struct store *s, void *ctx, struct error *err)
{
    int64_t id;
    return tasks_find(s, str_from(ctx), &id, err) && tasks_remove(s, id, err);
}

static inline bool kit_mode_work(struct store *s, void *ctx, struct error *err)
{
    bool (*const *mode)(struct store *, struct error *) = ctx;
    return (*mode)(s, err);
}

static inline void kit_mode(struct kit *k, bool (*mode)(struct store *s, struct error *err))
{
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_mode_work, &mode, &err))
        fail_msg("%s", err.text);
}

/* ---- transactions */

static inline struct transaction kit_transaction(struct kit *k, const char *owner, uint32_t free)
{
    k->slot = (struct transaction_slot){.free = free};
    return (struct transaction){.owner = str_from(owner),
                                .host = STR("host"),
                                .pid = 7,
                                .workers = 4,
                                .lease_ms = KIT_LEASE,
                                .slots = &k->slot,
                                .slot_count = 1};
}

static inline void kit_run(struct kit *k, struct transaction *t)
{
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, transaction_work, t, &err))
        fail_msg("%s", err.text);
}

/* Claim one attempt for an owner; texts are in the arena of the kit. */
static inline struct transaction_claim kit_claim(struct kit *k, const char *owner)
{
    struct transaction t = kit_transaction(k, owner, 1);
    kit_run(k, &t);
    assert_int_equal(t.claim_count, 1);
    struct transaction_claim c = t.claims[0];
    c.name = arena_str(&k->arena, c.name);
    c.pool = arena_str(&k->arena, c.pool);
    c.repo = arena_str(&k->arena, c.repo);
    c.spec = arena_str(&k->arena, c.spec);
    transaction_done(&t);
    return c;
}

static inline struct transaction_end kit_ending(const struct transaction_claim *c,
                                                enum task_event event)
{
    return (struct transaction_end){.task = c->task,
                                    .number = c->number,
                                    .follow_up = {.event = event,
                                                  .counts = event != TASK_BACK,
                                                  .wait_ms = event == TASK_RETRY ? 3600000 : 0}};
}

static inline void kit_end(struct kit *k, const char *owner, const struct transaction_claim *c,
                           enum task_event event)
{
    struct transaction_end end = kit_ending(c, event);
    struct transaction t = kit_transaction(k, owner, 0);
    t.ends = &end;
    t.end_count = 1;
    kit_run(k, &t);
    transaction_done(&t);
}

static inline bool kit_sql_work(struct store *s, void *ctx, struct error *err)
{
    return store_do(s, ctx, NULL, err);
}

/* Run SQL that the program itself would not run. */
static inline void kit_sql(struct kit *k, const char *sql)
{
    struct store_statement st = {.sql = sql};
    struct error err = {0};
    if (!store_run(k->store, STORE_ROWS, kit_sql_work, &st, &err))
        fail_msg("%s", err.text);
}
