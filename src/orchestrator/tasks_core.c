#include "orchestrator/tasks_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/utf8.h"

/* "mvts", and which lock it is. */
#define LOCK(shared, which)                                                                        \
    "SELECT 1 --pg , pg_advisory_xact_lock" shared "(1836479603, " which ")\n"

#define TRIM_MOST "20000"
#define TRIM_AT   256u /* events at once, after which the feed is cut */

/* ---- locks */

bool tasks_lock_transaction(struct store *s, struct error *err)
{
    return store_do(s, &(struct store_statement){.sql = LOCK("_shared", "1")}, NULL, err);
}

bool tasks_lock_names(struct store *s, struct error *err)
{
    return store_do(s, &(struct store_statement){.sql = LOCK("", "2")}, NULL, err);
}

bool tasks_lock_all(struct store *s, struct error *err)
{
    return tasks_lock_names(s, err) &&
           store_do(s, &(struct store_statement){.sql = LOCK("", "1")}, NULL, err);
}

/* ---- lists of numbers */

void tasks_ids_add(struct tasks_ids *l, int64_t id)
{
    mem_grow((void **)&l->items, &l->cap, l->count + 1, sizeof *l->items);
    l->items[l->count++] = id;
}

bool tasks_ids_read(struct tasks_ids *l, struct store *s, const struct store_statement *st,
                    struct error *err)
{
    struct store_rows q = store_query(s, st);
    while (store_next(&q))
        tasks_ids_add(l, store_int(&q, 0));
    return store_end(&q, err);
}

struct buf tasks_ids_text(const struct tasks_ids *l)
{
    struct buf out = {0};
    for (size_t i = 0; i < l->count; i++)
        buf_printf(&out, "%s%" PRId64, i ? "," : "", l->items[i]);
    return out;
}

void tasks_ids_done(struct tasks_ids *l)
{
    free(l->items);
    *l = (struct tasks_ids){0};
}

/* ---- the feed */

void tasks_feed_add(struct tasks_feed *f, int64_t task, uint32_t number, const char *kind,
                    const struct tasks_told *told)
{
    struct tasks_told none = {0};
    if (!told)
        told = &none;
    mem_grow((void **)&f->items, &f->cap, f->count + 1, sizeof *f->items);
    struct tasks_feed_item *item = &f->items[f->count++];
    *item = (struct tasks_feed_item){task, number, kind, f->told.n, 0};
    struct jsonw w = jsonw_make(&f->told);
    jsonw_object(&w);
    if (told->owner.n)
        jsonw_kstr(&w, "owner", told->owner);
    if (told->run.n)
        jsonw_kstr(&w, "run", told->run);
    if (told->state)
        jsonw_kcstr(&w, "state", told->state);
    if (told->because)
        jsonw_kint(&w, "because", told->because);
    if (told->wait_ms)
        jsonw_kint(&w, "wait_ms", (int64_t)(told->wait_ms & INT64_MAX));
    if (told->why.n)
        jsonw_kstr(&w, "why", told->why);
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

/* Several in one statement: that is what a transaction with many ends and claims spends its time
 * with. */
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

/* ---- downstream */

/* Events of all in the list. */
static void tell_all(struct tasks_feed *feed, const struct tasks_ids *ids, const char *kind,
                     int64_t because)
{
    for (size_t i = 0; i < ids->count; i++)
        tasks_feed_add(feed, ids->items[i], 0, kind, &(struct tasks_told){.because = because});
}

static bool block_pending(struct store *s, int64_t root, struct tasks_ids *blocked,
                          struct error *err)
{
    static const char sql[] =
        "UPDATE status SET state = 'BLOCKED', because = ?1, changed =" TASKS_CLOCK
        " WHERE state = 'PENDING' AND task " TASKS_DOWNSTREAM " RETURNING task";
    return tasks_ids_read(blocked, s, &(struct store_statement){sql, {STORE_INT(root)}}, err);
}

bool tasks_block(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                 struct error *err)
{
    /* Those that are blocked already: the root is a reason of theirs now, and may be the only one
     * that a way leads to. */
    static const char also[] = "UPDATE status SET because = ?1 WHERE " TASKS_WAITS_IN_VAIN
                               " AND because <> ?1 AND task " TASKS_DOWNSTREAM;
    struct tasks_ids blocked = {0};
    bool ok = store_do(s, &(struct store_statement){also, {STORE_INT(root)}}, NULL, err) &&
              block_pending(s, root, &blocked, err);
    if (ok) {
        tell_all(feed, &blocked, "blocked", root);
        if (touched)
            *touched = blocked.count;
    }
    tasks_ids_done(&blocked);
    return ok;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Takes those of `less` out of `from`. */
static void subtract(struct tasks_ids *from, struct tasks_ids *less)
{
    size_t kept = 0;
    if (less->count)
        qsort(less->items, less->count, sizeof *less->items, by_number);
    for (size_t i = 0; i < from->count; i++)
        if (!less->count ||
            !bsearch(&from->items[i], less->items, less->count, sizeof *less->items, by_number))
            from->items[kept++] = from->items[i];
    from->count = kept;
}

bool tasks_block_again(struct store *s, struct tasks_ids *pending, struct error *err)
{
    static const char culprits[] =
        "SELECT DISTINCT CASE WHEN s.because <> 0 THEN s.because ELSE s.task END FROM need n"
        " JOIN status s ON s.task = n.needs WHERE n.task " TASKS_IN_1
        " AND (s.state = 'BLOCKED' OR s.state = 'FAILED' OR s.state = 'CANCELLED')";
    struct buf text = tasks_ids_text(pending);
    struct tasks_ids roots = {0}, blocked = {0};
    bool ok = tasks_ids_read(
        &roots, s, &(struct store_statement){culprits, {STORE_TEXT(buf_str(&text))}}, err);
    for (size_t i = 0; ok && i < roots.count; i++)
        ok = block_pending(s, roots.items[i], &blocked, err);
    if (ok)
        subtract(pending, &blocked);
    buf_done(&text);
    tasks_ids_done(&roots);
    tasks_ids_done(&blocked);
    return ok;
}

bool tasks_release(struct store *s, int64_t root, struct tasks_feed *feed, size_t *touched,
                   struct error *err)
{
    static const char sql[] =
        "UPDATE status SET state = 'PENDING', because = 0, changed =" TASKS_CLOCK
        " WHERE " TASKS_WAITS_IN_VAIN " AND task " TASKS_DOWNSTREAM " RETURNING task";
    struct tasks_ids freed = {0};
    bool ok = tasks_ids_read(&freed, s, &(struct store_statement){sql, {STORE_INT(root)}}, err);
    tasks_ids_add(&freed, root);
    ok = ok && tasks_block_again(s, &freed, err);
    if (ok) {
        subtract(&freed, &(struct tasks_ids){&root, 1, 1});
        tell_all(feed, &freed, "released", 0);
        *touched = freed.count;
    }
    tasks_ids_done(&freed);
    return ok;
}

/* ---- rows */

uint32_t tasks_count_of(int64_t n)
{
    return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static bool is_number(struct str name)
{
    uint64_t n;
    return name.n > 1 && name.p[0] == '#' && str_to_u64(str_skip(name, 1), &n);
}

static bool is_printable(struct str s)
{
    while (s.n) {
        size_t n;
        uint32_t c = utf8_decode(s, &n);
        if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
            return false;
        s = str_skip(s, n);
    }
    return true;
}

bool tasks_check_name(struct str name, const char *what, struct error *err)
{
    const char *wrong = NULL;
    if (!name.n)
        wrong = "is empty";
    else if (!utf8_is_valid(name))
        wrong = "is not valid UTF-8";
    else if (!is_printable(name))
        wrong = "has characters that cannot be printed";
    else if (str_trim(name).n != name.n)
        wrong = "begins or ends with blanks";
    else if (is_number(name))
        wrong = "is that of a number: # and digits alone are no name";
    else if (name.n > TASKS_MAX_NAME)
        wrong = "is too long: 128 bytes at most";
    _Static_assert(TASKS_MAX_NAME == 128, "the sentence above says so");
    if (!wrong)
        return true;
    struct buf shown = {0};
    quote_add(&shown, name, QUOTE_MAX);
    error_set(err, ERR_INVALID_PARAMS, "the %s %.*s %s", what, STR_ARG(buf_str(&shown)), wrong);
    buf_done(&shown);
    return false;
}
