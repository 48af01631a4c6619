#include "tooling/ledger.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "tooling/ledger_core.h"
#include "tooling/tooling_file.h"

#define FILE_NAME "/state.db"

const enum outcome_scope ledger_scopes[LEDGER_SCOPES] = {SCOPE_ACCOUNT_MODEL, SCOPE_ACCOUNT,
                                                         SCOPE_TOOL_MODEL};

struct ledger *ledger_open(const char *path, struct error *err)
{
    struct buf home = buf_make(4096);
    struct ledger_store *store = NULL;
    if (path)
        store = ledger_store_open(path, LEDGER_BUSY_MS, err);
    else if (tooling_home(&home, true, err) && buf_add(&home, STR(FILE_NAME)))
        store = ledger_store_open(home.p, LEDGER_BUSY_MS, err);
    else if (home.overflow)
        error_set(err, ERR_LIMIT, "the path of the home folder is too long");
    buf_done(&home);
    if (!store)
        return NULL;
    struct ledger *l = mem_zalloc(sizeof *l);
    l->store = store;
    return l;
}

void ledger_close(struct ledger *l)
{
    if (!l)
        return;
    ledger_store_close(l->store);
    free(l);
}

/* ---- lists */

static bool all_rests(struct ledger_store *s, void *ctx, struct error *err)
{
    return ledger_rows_all_rests(s, ctx, err);
}

bool ledger_cooldowns(struct ledger *l, ledger_cooldown_fn *each, void *ctx, struct error *err)
{
    struct ledger_rests all = {0};
    bool ok = ledger_store_run(l->store, LEDGER_READ, all_rests, &all, err);
    for (size_t i = 0; ok && i < all.count; i++)
        each(&all.items[i].c, ctx);
    free(all.items);
    return ok;
}

struct clearing {
    struct str prefix;
    size_t count;
};

static bool clear(struct ledger_store *s, void *ctx, struct error *err)
{
    struct clearing *c = ctx;
    return ledger_rows_clear_rests(s, c->prefix, &c->count, err) &&
           ledger_rows_clear_near(s, c->prefix, err);
}

bool ledger_clear(struct ledger *l, struct str prefix, size_t *cleared, struct error *err)
{
    struct clearing c = {prefix, 0};
    if (!ledger_store_run(l->store, LEDGER_WRITE, clear, &c, err))
        return false;
    *cleared = c.count;
    return true;
}

/* Decisions are read in pages, so that the file is not kept open while a caller prints. */
struct page {
    int64_t before;
    struct arena arena;
    struct str texts[LEDGER_PAGE];
    int64_t ids[LEDGER_PAGE];
    size_t count;
};

static void on_note(const struct ledger_row *row, void *ctx)
{
    struct page *p = ctx;
    assert(p->count < LEDGER_PAGE);
    p->ids[p->count] = ledger_row_int(row, 0);
    p->texts[p->count++] = arena_str(&p->arena, ledger_row_text(row, 1));
}

static bool read_page(struct ledger_store *s, void *ctx, struct error *err)
{
    struct page *p = ctx;
    arena_reset(&p->arena);
    p->count = 0;
    return ledger_rows_notes_before(s, p->before, on_note, p, err);
}

bool ledger_decisions(struct ledger *l, size_t most, ledger_decision_fn *each, void *ctx,
                      struct error *err)
{
    struct page p = {.before = INT64_MAX};
    bool ok = true;
    for (size_t told = 0; ok && told < most;) {
        ok = ledger_store_run(l->store, LEDGER_READ, read_page, &p, err);
        if (!ok || p.count == 0)
            break;
        for (size_t i = 0; i < p.count && told < most; i++, told++)
            each(p.texts[i], ctx);
        p.before = p.ids[p.count - 1];
    }
    arena_done(&p.arena);
    return ok;
}

bool ledger_decision(struct ledger *l, int64_t id, ledger_decision_fn *each, void *ctx,
                     struct error *err)
{
    struct page p = {.before = id < INT64_MAX ? id + 1 : id};
    bool ok = ledger_store_run(l->store, LEDGER_READ, read_page, &p, err);
    if (ok && p.count && p.ids[0] == id)
        each(p.texts[0], ctx);
    arena_done(&p.arena);
    return ok;
}
