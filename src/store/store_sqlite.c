#include "store/store_sqlite.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/rfc3339.h"
#include "store/store_notify.h"

/* ---- statements */

static sqlite3_stmt *prepare(struct sqlite *s, const char *sql, struct error *err)
{
    struct str key = str_make((const char *)&sql, sizeof sql);
    sqlite3_stmt *stmt = map_get(&s->statements, key);
    if (stmt)
        return stmt;
    int rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (rc != SQLITE_OK)
        store_sqlite_fail(s, rc, err);
    else if (stmt)
        map_set(&s->statements, key, stmt);
    else
        error_set(err, ERR_IO, "a statement without any SQL");
    return stmt;
}

static int bind_value(sqlite3_stmt *stmt, int at, const struct store_value *v,
                      sqlite3_destructor_type lifetime)
{
    switch (v->type) {
    case STORE_TYPE_INT:
        return sqlite3_bind_int64(stmt, at, v->integer);
    case STORE_TYPE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case STORE_TYPE_TEXT:
        break;
    }
    return sqlite3_bind_text64(stmt, at, v->text.p ? v->text.p : "", v->text.n, lifetime,
                               SQLITE_UTF8);
}

static void release_statement(sqlite3_stmt *stmt)
{
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
}

/* Return the statement with its values, or NULL and s->failed: one statement that fails fails the
 * transaction, as on a server. */
static sqlite3_stmt *bind_statement(struct sqlite *s, const struct store_statement *st,
                                    sqlite3_destructor_type lifetime)
{
    sqlite3_stmt *stmt = s->failed.code ? NULL : prepare(s, st->sql, &s->failed);
    if (!stmt)
        return NULL;
    assert(!sqlite3_stmt_busy(stmt));
    if (s->mode == STORE_READ && !sqlite3_stmt_readonly(stmt)) {
        error_set(&s->failed, ERR_IO, "cannot use %s: a reader may not write", s->store.name);
        return NULL;
    }
    int rc = SQLITE_OK, count = sqlite3_bind_parameter_count(stmt);
    assert(count <= (int)STORE_MAX_VALUES);
    for (int i = 0; i < count && rc == SQLITE_OK; i++)
        rc = bind_value(stmt, i + 1, &st->values[i], lifetime);
    if (rc == SQLITE_OK)
        return stmt;
    store_sqlite_fail(s, rc, &s->failed);
    release_statement(stmt);
    return NULL;
}

static bool copy_failure(const struct sqlite *s, struct error *err)
{
    return error_set(err, s->failed.code, "%s", s->failed.text);
}

static bool execute(struct store *base, const struct store_statement *st, size_t *changed,
                    struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    sqlite3_stmt *stmt = bind_statement(s, st, SQLITE_STATIC);
    if (!stmt)
        return copy_failure(s, err);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    }
    bool ok = rc == SQLITE_DONE || store_sqlite_fail(s, rc, &s->failed);
    release_statement(stmt);
    if (ok && changed)
        *changed = (size_t)sqlite3_changes(s->db);
    return ok || copy_failure(s, err);
}

/* ---- rows */

static bool step_row(struct store_rows *q)
{
    struct sqlite *s = (struct sqlite *)q->store;
    int rc = sqlite3_step(q->result);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE) {
        store_sqlite_fail(s, rc, &s->failed);
        copy_failure(s, &q->error);
    }
    return false;
}

static void end_rows(struct store_rows *q)
{
    release_statement(q->result);
    q->result = NULL;
}

/* The first step is done here: with RETURNING it makes all changes, also if no row is read. */
static void query(struct store_rows *q, const struct store_statement *st)
{
    struct sqlite *s = (struct sqlite *)q->store;
    q->result = bind_statement(s, st, SQLITE_TRANSIENT);
    q->index = -1;
    if (!q->result)
        copy_failure(s, &q->error);
    else if (!step_row(q))
        end_rows(q);
}

static bool next_row(struct store_rows *q)
{
    return ++q->index == 0 || step_row(q);
}

static int64_t get_int(const struct store_rows *q, int column)
{
    return sqlite3_column_int64(q->result, column);
}

static double get_real(const struct store_rows *q, int column)
{
    return sqlite3_column_double(q->result, column);
}

static struct str get_text(const struct store_rows *q, int column)
{
    sqlite3_stmt *stmt = q->result;
    const char *p = (const char *)sqlite3_column_text(stmt, column);
    return str_make(p, p ? (size_t)sqlite3_column_bytes(stmt, column) : 0);
}

/* ---- transactions */

/* Somebody may have removed the file, or put another one in its place. */
static bool is_in_place(const struct sqlite *s)
{
    struct stat st;
    return s->db && stat(s->store.name, &st) == 0 && st.st_dev == s->device &&
           st.st_ino == s->inode;
}

static bool run_once(struct sqlite *s, enum store_mode mode, store_fn *work, void *ctx,
                     struct error *err)
{
    s->damaged = false;
    s->word_count = 0;
    if (!store_sqlite_exec(s, mode == STORE_READ ? "BEGIN" : "BEGIN IMMEDIATE", err))
        return false;
    s->now = rfc3339_now();
    s->store.failure = STORE_OK;
    s->mode = mode;
    s->failed = (struct error){0};
    bool ok = work(&s->store, ctx, err);
    if (ok && s->failed.code)
        ok = error_set(err, s->failed.code, "%s", s->failed.text);
    if (ok && store_sqlite_exec(s, "COMMIT", err))
        return true;
    if (s->store.failure == STORE_OK)
        s->store.failure = STORE_REFUSED;
    enum store_failure failure = s->store.failure;
    bool damaged = s->damaged;
    if (!sqlite3_get_autocommit(s->db))
        store_sqlite_exec(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    s->store.failure = failure;
    return false;
}

/* One that cannot be begun anew may be moved back. */
static bool find_again(struct sqlite *s, struct error *err)
{
    struct stat st;
    if (s->db && !s->store.schema->is_expendable && stat(s->store.name, &st) < 0 &&
        errno == ENOENT) {
        s->store.failure = STORE_UNAVAILABLE;
        return error_set(err, ERR_IO, "cannot use %s: it was removed, or moved away, while in use",
                         s->store.name);
    }
    store_sqlite_disconnect(s);
    return store_sqlite_open(s, err);
}

static bool run_store(struct store *base, enum store_mode mode, store_fn *work, void *ctx,
                      struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    if (!is_in_place(s) && !find_again(s, err))
        return false;
    if (s->ears)
        store_notify_listen(s->ears);
    struct error why = {0};
    bool ok = run_once(s, mode, work, ctx, &why);
    if (!ok && !(s->damaged && s->store.schema->is_expendable))
        return error_set(err, why.code, "%s", why.text);
    ok = ok || (store_sqlite_begin_anew(s, err) && run_once(s, mode, work, ctx, err));
    for (size_t i = 0; ok && i < s->word_count; i++)
        store_notify_send(s->store.name, s->words[i]);
    return ok;
}

static bool notify(struct store *base, const char *channel, struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    (void)err;
    for (size_t i = 0; i < s->word_count; i++)
        if (strcmp(s->words[i], channel) == 0)
            return true;
    assert(s->word_count < STORE_MAX_CHANNELS && strlen(channel) < STORE_MAX_CHANNEL);
    s->words[s->word_count++] = channel;
    return true;
}

/* ---- word */

static void listen(struct store *base, const char *const *channels)
{
    struct sqlite *s = (struct sqlite *)base;
    s->ears = store_notify_new(s->store.name, channels);
    store_notify_listen(s->ears);
}

static int descriptor(const struct store *base)
{
    const struct sqlite *s = (const struct sqlite *)base;
    return s->ears ? store_notify_descriptor(s->ears) : -1;
}

static unsigned hear(struct store *base, bool *lost)
{
    struct sqlite *s = (struct sqlite *)base;
    return s->ears ? store_notify_take(s->ears, lost) : 0;
}

/* ---- life */

static void close_store(struct store *base)
{
    store_sqlite_free((struct sqlite *)base);
}

static struct store *open_store(const struct store_options *o, enum store_failure *failure,
                                struct error *err)
{
    struct sqlite *s = store_sqlite_new(o);
    if (store_sqlite_find(s, o->url, err) && store_sqlite_open(s, err))
        return &s->store;
    if (failure)
        *failure = s->store.failure;
    store_sqlite_free(s);
    return NULL;
}

const struct store_kind store_sqlite = {
    .open = open_store,
    .close = close_store,
    .run = run_store,
    .execute = execute,
    .query = query,
    .next = next_row,
    .end = end_rows,
    .notify = notify,
    .copy = store_sqlite_copy,
    .listen = listen,
    .descriptor = descriptor,
    .hear = hear,
    .get_int = get_int,
    .get_real = get_real,
    .get_text = get_text,
};
