#include <assert.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "orchestrator/tasks_internal.h"

#define TRIM_MOST "20000"
#define TRIM_AT   256u /* events per write from which on the feed is trimmed */

void tasks_feed_add(struct tasks_feed *f, int64_t task, uint32_t number, const char *kind,
                    const struct tasks_event_fields *fields)
{
    struct tasks_event_fields none = {0};
    if (!fields)
        fields = &none;
    mem_grow((void **)&f->items, &f->cap, f->count + 1, sizeof *f->items);
    struct tasks_feed_item *item = &f->items[f->count++];
    *item = (struct tasks_feed_item){task, number, kind, f->told.n, 0};
    struct jsonw w = jsonw_make(&f->told);
    jsonw_object(&w);
    if (fields->owner.n)
        jsonw_kstr(&w, "owner", fields->owner);
    if (fields->run.n)
        jsonw_kstr(&w, "run", fields->run);
    if (fields->state)
        jsonw_kcstr(&w, "state", fields->state);
    if (fields->because)
        jsonw_kint(&w, "because", fields->because);
    if (fields->wait_ms)
        jsonw_kint(&w, "wait_ms", (int64_t)(fields->wait_ms & INT64_MAX));
    if (fields->why.n)
        jsonw_kstr(&w, "why", fields->why);
    jsonw_end(&w);
    item->told_n = f->told.n - item->told_at;
}

bool tasks_feed_trim(struct store *s, struct error *err)
{
    static const char sql[] =
        "DELETE FROM event WHERE id --pg = ANY(ARRAY /*\n IN\n--pg */\n"
        " (SELECT id FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1"
        " OFFSET ?1) ORDER BY id LIMIT " TRIM_MOST " --pg FOR UPDATE SKIP LOCKED)\n"
        ")";
    return store_do(s, &(struct store_statement){sql, {STORE_INT(TASKS_KEEP_EVENT)}}, NULL, err);
}

/* Four events per statement: a transaction with many ends and claims spends most time here. */
bool tasks_feed_write(struct store *s, struct tasks_feed *f, struct error *err)
{
#define EVENTS "INSERT INTO event (at, task, number, kind, told) VALUES"
    static const char one[] = EVENTS " (" TASKS_CLOCK ", ?1, ?2, ?3, ?4)";
    static const char four[] = EVENTS " (" TASKS_CLOCK ", ?1, ?2, ?3, ?4), (" TASKS_CLOCK
                                      ", ?5, ?6, ?7, ?8), (" TASKS_CLOCK
                                      ", ?9, ?10, ?11, ?12), (" TASKS_CLOCK ", ?13, ?14, ?15, ?16)";
    assert(!f->told.overflow);
    for (size_t i = 0; i < f->count;) {
        struct store_statement st = {.sql = f->count - i < 4 ? one : four};
        for (size_t k = 0; k < (st.sql == one ? 1 : 4); k++, i++) {
            const struct tasks_feed_item *e = &f->items[i];
            st.values[4 * k] = STORE_INT(e->task);
            st.values[4 * k + 1] = STORE_INT(e->number);
            st.values[4 * k + 2] = STORE_TEXT(str_from(e->kind));
            st.values[4 * k + 3] = STORE_TEXT(str_make(f->told.p + e->told_at, e->told_n));
        }
        if (!store_do(s, &st, NULL, err))
            return false;
    }
    bool ok = (!f->count || store_notify(s, TASKS_LOG, err)) &&
              (f->count < TRIM_AT || tasks_feed_trim(s, err));
    f->count = 0;
    buf_clear(&f->told);
    return ok;
}

void tasks_feed_done(struct tasks_feed *f)
{
    buf_done(&f->told);
    free(f->items);
    *f = (struct tasks_feed){0};
}
