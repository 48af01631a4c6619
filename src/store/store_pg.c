#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/rng.h"
#include "store/store_guard.h"
#include "store/store_internal.h"
#include "store/store_pg_sql.h"
#include "store/store_pg_wire.h"

enum schema_state {
    SCHEMA_FINE,
    SCHEMA_FAILED, /* wire->error has the reason */
    SCHEMA_REFUSED /* *err and store->failure have the reason */
};

#define LOCK_ID "7884163452318711" /* advisory lock for changes of tables */

/* The server ends a session that is idle inside a transaction before others give up waiting for
 * its locks. Each statement is planned once, when the tables may still be small: make the plan
 * use indexes from the start. */
#define SETTINGS                                                                                   \
    "SET search_path TO multiverse; SET client_min_messages TO warning; SET jit TO off;"           \
    "SET enable_seqscan TO off; SET enable_hashjoin TO off; SET enable_mergejoin TO off;"          \
    "SET plan_cache_mode TO force_generic_plan;"                                                   \
    "SET idle_in_transaction_session_timeout TO %u; SET lock_timeout TO %u;"

#define HAS_VERSIONS "SELECT to_regclass('multiverse.version') IS NOT NULL"

static const char make_base[] =
    "CREATE TABLE IF NOT EXISTS multiverse.version (name TEXT PRIMARY KEY, version BIGINT NOT"
    " NULL);"
    "CREATE OR REPLACE FUNCTION multiverse.now_ms() RETURNS BIGINT LANGUAGE sql STABLE AS"
    " 'SELECT floor(extract(epoch FROM transaction_timestamp()) * 1000)::bigint';";

struct schema_upgrade {
    struct store_pg_wire *wire;
    struct store *store;
    struct error *err;
    long version; /* 0: there are none yet */
};

static enum schema_state refuse_schema(const struct schema_upgrade *l, enum store_failure failure)
{
    l->store->failure = failure;
    if (failure == STORE_NEWER)
        error_set(l->err, ERR_IO,
                  "cannot use %s: a newer version of this program made its tables (schema %ld of"
                  " %s, this version knows %zu): use the newer version",
                  l->store->name, l->version, l->store->schema->name, l->store->schema->version);
    else
        error_set(l->err, ERR_IO,
                  "cannot use %s: the tables of %s in its schema multiverse were changed by another"
                  " program (%s); restore them from a backup of the database",
                  l->store->name, l->store->schema->name,
                  l->wire->error.state[0] ? l->wire->error.text : "something is missing");
    return SCHEMA_REFUSED;
}

static bool read_version(struct schema_upgrade *l)
{
    char sql[160], answer[STORE_PG_ANSWER];
    snprintf(sql, sizeof sql, "SELECT version FROM multiverse.version WHERE name = '%s'",
             l->store->schema->name);
    if (!store_pg_wire_run(l->wire, sql, answer))
        return false;
    l->version = strtol(answer, NULL, 10);
    return true;
}

static bool run_step(struct schema_upgrade *l, long from)
{
    struct buf sql = {0};
    store_pg_sql(l->store->schema->steps[from], &sql);
    buf_printf(&sql,
               ";INSERT INTO multiverse.version (name, version) VALUES ('%s', %ld) ON CONFLICT"
               " (name) DO UPDATE SET version = excluded.version",
               l->store->schema->name, from + 1);
    bool ok = store_pg_wire_run(l->wire, sql.p, NULL);
    buf_done(&sql);
    return ok;
}

/* Upgrade in a transaction, with the lock that excludes other upgrades. */
static enum schema_state upgrade_schema(struct schema_upgrade *l)
{
    char answer[STORE_PG_ANSWER];
    const long newest = (long)l->store->schema->version;
    if (!store_pg_wire_run(l->wire,
                           "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT"
                           " pg_advisory_xact_lock(" LOCK_ID ")",
                           NULL) ||
        !store_pg_wire_run(l->wire, "SELECT to_regnamespace('multiverse') IS NOT NULL", answer) ||
        (strcmp(answer, "t") != 0 &&
         !store_pg_wire_run(l->wire, "CREATE SCHEMA multiverse", NULL)) ||
        !store_pg_wire_run(l->wire, HAS_VERSIONS, answer) ||
        (strcmp(answer, "t") != 0 && !store_pg_wire_run(l->wire, make_base, NULL)) ||
        !read_version(l))
        return SCHEMA_FAILED;
    if (l->version > newest)
        return refuse_schema(l, STORE_NEWER);
    for (long v = l->version; v < newest; v++)
        if (!run_step(l, v))
            return SCHEMA_FAILED;
    return store_pg_wire_run(l->wire, "COMMIT", NULL) ? SCHEMA_FINE : SCHEMA_FAILED;
}

static enum schema_state check_tables(struct schema_upgrade *l)
{
    struct buf sql = {0};
    char answer[STORE_PG_ANSWER];
    store_pg_sql(l->store->schema->check, &sql);
    bool ok = store_pg_wire_run(l->wire, sql.p, answer);
    buf_done(&sql);
    if (ok)
        return strcmp(answer, "1") == 0 ? SCHEMA_FINE : refuse_schema(l, STORE_DAMAGED);
    return strncmp(l->wire->error.state, "42", 2) == 0 && strcmp(l->wire->error.state, "42501") != 0
               ? refuse_schema(l, STORE_DAMAGED)
               : SCHEMA_FAILED;
}

static enum schema_state prepare_schema(struct store_pg_wire *w, struct store *store,
                                        struct error *err)
{
    struct schema_upgrade l = {.wire = w, .store = store, .err = err};
    char sql[512], answer[STORE_PG_ANSWER];
    snprintf(sql, sizeof sql, SETTINGS HAS_VERSIONS, store->wait_ms - store->wait_ms / 5,
             store->wait_ms);
    if (!store_pg_wire_run(w, sql, answer) || (strcmp(answer, "t") == 0 && !read_version(&l)))
        return SCHEMA_FAILED;
    if (l.version > (long)store->schema->version)
        return refuse_schema(&l, STORE_NEWER);
    enum schema_state how =
        l.version < (long)store->schema->version ? upgrade_schema(&l) : SCHEMA_FINE;
    return how == SCHEMA_FINE ? check_tables(&l) : how;
}

#define OID_BOOL     16u
#define MAX_ATTEMPTS 8u /* of one work, after deadlocks */
#define LOCK_SPACE   0x6d76000000000000ll
#define CHANNEL_MAX  (sizeof "multiverse__" + 32 + STORE_MAX_CHANNEL)

struct pg {
    struct store store;
    char *url;
    struct store_pg_wire wire;
    const char *channels[STORE_MAX_CHANNELS];
    bool is_all_pending; /* earlier notifications may be lost */
    enum store_mode mode;
};

/* ---- failures */

static bool is_state(const char *state, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(state, *list, strlen(*list)) == 0)
            return true;
    return false;
}

/* The key is a SQLSTATE or its class. */
static enum store_failure failure_of(const char *state)
{
    static const char *const gone[] = {
        "08",    /* connection */
        "25006", /* read-only: a standby server */
        "25P03", /* terminated because it was idle inside a transaction */
        "53",    /* disk full, out of memory, too many connections */
        "55P03", /* a lock was not available */
        "57",    /* shutting down, starting up, cancelled */
        "58",    /* input and output */
        "40",    /* repeated deadlocks */
        NULL};
    static const char *const damaged[] = {"XX001", "XX002", NULL};
    return is_state(state, gone) && strcmp(state, "08001") != 0 ? STORE_UNAVAILABLE
           : is_state(state, damaged)                           ? STORE_DAMAGED
                                                                : STORE_REFUSED;
}

static bool fail_with_error(struct pg *s, struct error *err)
{
    static const struct {
        const char *states[4];
        const char *advice;
    } known[] = {
        {{"28"}, "check user and password in the URL, or in ~/.pgpass"},
        {{"3D000"}, "create it (createdb), or name another database in the URL"},
        {{"42501"},
         "give the user the right to CREATE in the database and, where it is there"
         " already, all rights on the schema multiverse and its tables"},
    };
    const struct store_pg_error *f = &s->wire.error;
    s->store.failure = failure_of(f->state);
    /* the work wrote in a read-only transaction */
    if (strcmp(f->state, "25006") == 0 && s->mode == STORE_READ)
        s->store.failure = STORE_REFUSED;
    if (strcmp(f->state, "55P03") == 0)
        return error_set(err, ERR_IN_USE, "%s is busy: others held it for %u ms", s->store.name,
                         s->store.wait_ms);
    const char *advice = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_state(f->state, known[i].states))
            advice = known[i].advice;
    return error_set(err, ERR_IO, "cannot use %s: %s%s%s", s->store.name, f->text,
                     advice ? "; " : "", advice ? advice : "");
}

/* ---- connecting */

static void name_channel(const struct pg *s, const char *channel, char to[CHANNEL_MAX])
{
    snprintf(to, CHANNEL_MAX, "multiverse_%.32s_%.32s", s->store.schema->name, channel);
}

static bool listen_on_connection(struct pg *s)
{
    struct buf sql = {0};
    char name[CHANNEL_MAX];
    for (size_t i = 0; i < STORE_MAX_CHANNELS && s->channels[i]; i++) {
        name_channel(s, s->channels[i], name);
        buf_printf(&sql, "LISTEN %s;", name);
    }
    bool ok = !sql.n || store_pg_wire_run(&s->wire, sql.p, NULL);
    buf_done(&sql);
    s->is_all_pending = true;
    return ok;
}

/* A connection that was lost while idle is found here. */
static bool connect_server(struct pg *s, struct error *err)
{
    if (s->wire.conn && store_pg_wire_look(&s->wire))
        return true;
    if (!store_pg_wire_open(&s->wire, s->url))
        return fail_with_error(s, err);
    enum schema_state how = prepare_schema(&s->wire, &s->store, err);
    if (how == SCHEMA_FINE && listen_on_connection(s) && store_pg_wire_pipeline(&s->wire))
        return true;
    if (how == SCHEMA_REFUSED) {
        store_pg_wire_close(&s->wire);
        return false;
    }
    fail_with_error(s, err);
    store_pg_wire_close(&s->wire);
    return false;
}

static void close_store(struct store *base)
{
    struct pg *s = (struct pg *)base;
    store_pg_wire_close(&s->wire);
    free(s->url);
    free(s->store.name);
    free(s);
}

static struct store *open_store(const struct store_options *o, enum store_failure *failure,
                                struct error *err)
{
    struct pg *s = mem_zalloc(sizeof *s);
    struct buf name = buf_make(1024);
    store_show_url(o->url, &name);
    s->store.kind = &store_pg;
    s->store.schema = o->schema;
    s->store.wait_ms = o->wait_ms ? o->wait_ms : STORE_WAIT_MS;
    s->store.name = str_dup(name.overflow ? STR("the server") : buf_str(&name));
    s->store.failure = STORE_REFUSED;
    s->url = str_dup(str_from(o->url));
    s->wire.wait_ms = s->store.wait_ms;
    s->wire.shorter_wait_ms = &s->store.shorter_wait_ms;
    buf_done(&name);
    if (store_pg_lib_load(err) && connect_server(s, err))
        return &s->store;
    if (failure)
        *failure = s->store.failure;
    close_store(&s->store);
    return NULL;
}

/* ---- a transaction */

static const char begin_read[] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
static const char begin_write[] = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
static const char lock_schema[] = "SELECT pg_advisory_xact_lock(?1)";
static const char commit[] = "COMMIT";
static const char notify_all[] = "SELECT pg_notify(?1, '')";

/* Each statement sees what was committed before it. So once the lock is ours, all changes of its
 * last holder are visible. */
static bool begin_transaction(struct pg *s, enum store_mode mode)
{
    return store_pg_wire_send(
               &s->wire,
               &(struct store_statement){.sql = mode == STORE_READ ? begin_read : begin_write}) &&
           (mode != STORE_WRITE ||
            store_pg_wire_send(
                &s->wire,
                &(struct store_statement){
                    lock_schema, {STORE_INT(LOCK_SPACE | (int64_t)s->store.schema->mark)}}));
}

enum ran {
    RAN_FINE,
    RAN_REFUSED, /* by the work: *err has the reason */
    RAN_FAILED   /* by the server: the error has the reason */
};

static enum ran run_once(struct pg *s, enum store_mode mode, store_fn *work, void *ctx,
                         struct error *err)
{
    struct store_pg_wire *w = &s->wire;
    w->error = (struct store_pg_error){0};
    s->mode = mode;
    if (!begin_transaction(s, mode))
        return RAN_FAILED;
    bool ok = work(&s->store, ctx, err);
    if (w->error.state[0])
        return RAN_FAILED;
    if (!ok)
        return RAN_REFUSED;
    return store_pg_wire_send(w, &(struct store_statement){.sql = commit}) && store_pg_wire_sync(w)
               ? RAN_FINE
               : RAN_FAILED;
}

static bool is_deadlock(const char *state)
{
    return strcmp(state, "40P01") == 0 || strcmp(state, "40001") == 0;
}

/* The tables or prepared statements are gone: a new connection creates both again. */
static bool is_schema_gone(const char *state)
{
    static const char *const states[] = {"42P01", "42883", "3F000", "26000", NULL};
    return is_state(state, states);
}

static bool run_transaction(struct store *base, enum store_mode mode, store_fn *work, void *ctx,
                            struct error *err)
{
    struct pg *s = (struct pg *)base;
    struct error reason = {0};
    for (unsigned i = 0; i < MAX_ATTEMPTS; i++) {
        if (!connect_server(s, err)) {
            /* the store worked before: a right that was taken may be given back */
            if (s->store.failure == STORE_REFUSED)
                s->store.failure = STORE_UNAVAILABLE;
            return false;
        }
        s->store.failure = STORE_OK;
        enum ran how = run_once(s, mode, work, ctx, &reason);
        if (how == RAN_FINE)
            return true;
        struct store_pg_error error = s->wire.error;
        store_pg_wire_recover(&s->wire);
        s->wire.error = error;
        s->store.failure = STORE_REFUSED;
        if (how == RAN_REFUSED)
            return error_set(err, reason.code, "%s", reason.text);
        if (is_schema_gone(error.state) && i == 0)
            store_pg_wire_close(&s->wire);
        else if (!is_deadlock(error.state))
            break;
        else
            store_guard_pause(i);
    }
    return fail_with_error(s, err);
}

static bool execute_statement(struct store *base, const struct store_statement *st, size_t *changed,
                              struct error *err)
{
    struct pg *s = (struct pg *)base;
    if (!changed)
        return store_pg_wire_send(&s->wire, st) || fail_with_error(s, err);
    PGresult *result = store_pg_wire_ask(&s->wire, st);
    if (!result)
        return fail_with_error(s, err);
    *changed = (size_t)strtoull(pq.cmdTuples(result), NULL, 10);
    pq.clear(result);
    return true;
}

/* ---- rows */

/* All rows arrive here, in one answer, and nothing is pending after it: other statements may be
 * sent while rows are read. */
static void query_rows(struct store_rows *q, const struct store_statement *st)
{
    struct pg *s = (struct pg *)q->store;
    q->index = -1;
    q->result = store_pg_wire_ask(&s->wire, st);
    if (!q->result)
        fail_with_error(s, &q->error);
}

static bool next_row(struct store_rows *q)
{
    return ++q->index < pq.ntuples(q->result);
}

static void end_rows(struct store_rows *q)
{
    pq.clear(q->result);
    q->result = NULL;
}

static const char *get_value(const struct store_rows *q, int column, int *n)
{
    *n = pq.getisnull(q->result, q->index, column) ? 0 : pq.getlength(q->result, q->index, column);
    return *n ? pq.getvalue(q->result, q->index, column) : "";
}

static bool is_true(const struct store_rows *q, int column, const char *p)
{
    return p[0] == 't' && pq.ftype(q->result, column) == OID_BOOL;
}

static int64_t get_int(const struct store_rows *q, int column)
{
    int n;
    const char *p = get_value(q, column, &n);
    return is_true(q, column, p) ? 1 : strtoll(p, NULL, 10);
}

static double get_real(const struct store_rows *q, int column)
{
    int n;
    const char *p = get_value(q, column, &n);
    return is_true(q, column, p) ? 1 : strtod(p, NULL);
}

static struct str get_text(const struct store_rows *q, int column)
{
    int n;
    const char *p = get_value(q, column, &n);
    return str_make(p, (size_t)n);
}

/* ---- word */

static bool notify_channel(struct store *base, const char *channel, struct error *err)
{
    struct pg *s = (struct pg *)base;
    char name[CHANNEL_MAX];
    name_channel(s, channel, name);
    return execute_statement(
        base, &(struct store_statement){notify_all, {STORE_TEXT(str_from(name))}}, NULL, err);
}

/* Reconnect to listen; if that fails now, the next run does it. */
static void listen_channels(struct store *base, const char *const *channels)
{
    struct pg *s = (struct pg *)base;
    struct error reason;
    for (size_t i = 0; i < STORE_MAX_CHANNELS && channels[i]; i++)
        s->channels[i] = channels[i];
    store_pg_wire_close(&s->wire);
    connect_server(s, &reason);
}

static int get_descriptor(const struct store *base)
{
    const struct pg *s = (const struct pg *)base;
    return s->wire.conn ? pq.socket(s->wire.conn) : -1;
}

static unsigned take_notifications(struct store *base, bool *lost)
{
    struct pg *s = (struct pg *)base;
    unsigned bits = s->is_all_pending ? ~0u : 0;
    char name[CHANNEL_MAX];
    s->is_all_pending = false;
    if (s->wire.conn && !store_pg_wire_is_there(&s->wire)) {
        *lost = true;
        return 0;
    }
    for (PGnotify *n; s->wire.conn && (n = pq.notifies(s->wire.conn)) != NULL; pq.freemem(n))
        for (size_t i = 0; i < STORE_MAX_CHANNELS && s->channels[i]; i++) {
            name_channel(s, s->channels[i], name);
            if (strcmp(n->relname, name) == 0)
                bits |= 1u << i;
        }
    return bits;
}

static bool copy_store(struct store *base, struct error *err)
{
    (void)base;
    (void)err;
    return true; /* backups of a server are not our task */
}

const struct store_kind store_pg = {
    .open = open_store,
    .close = close_store,
    .run = run_transaction,
    .execute = execute_statement,
    .query = query_rows,
    .next = next_row,
    .end = end_rows,
    .notify = notify_channel,
    .copy = copy_store,
    .listen = listen_channels,
    .descriptor = get_descriptor,
    .take_notifications = take_notifications,
    .get_int = get_int,
    .get_real = get_real,
    .get_text = get_text,
};
