#include "store/store_pg_schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/store_pg_sql.h"

#define LOCK_ID "7884163452318711" /* of whoever changes the tables */

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

struct look {
    struct store_pg_wire *wire;
    struct store *store;
    struct error *err;
    long version; /* 0: none yet */
};

static enum store_pg_schema refuse(const struct look *l, enum store_failure failure)
{
    l->store->failure = failure;
    if (failure == STORE_NEWER)
        error_set(l->err, ERR_IO,
                  "cannot use %s: a newer version of this program made its tables (schema %ld of"
                  " %s, this one knows %zu); use that one",
                  l->store->name, l->version, l->store->schema->name, l->store->schema->version);
    else
        error_set(l->err, ERR_IO,
                  "cannot use %s: the tables of %s in its schema multiverse are not as this program"
                  " made them (%s); restore them from a backup of the database",
                  l->store->name, l->store->schema->name,
                  l->wire->fault.state[0] ? l->wire->fault.text : "something is missing");
    return STORE_PG_SCHEMA_REFUSED;
}

static bool read_version(struct look *l)
{
    char sql[160], answer[STORE_PG_ANSWER];
    snprintf(sql, sizeof sql, "SELECT version FROM multiverse.version WHERE name = '%s'",
             l->store->schema->name);
    if (!store_pg_wire_run(l->wire, sql, answer))
        return false;
    l->version = strtol(answer, NULL, 10);
    return true;
}

static bool run_step(struct look *l, long from)
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

/* Inside a transaction, and alone. */
static enum store_pg_schema upgrade(struct look *l)
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
        return STORE_PG_SCHEMA_FAILED;
    if (l->version > newest)
        return refuse(l, STORE_NEWER);
    for (long v = l->version; v < newest; v++)
        if (!run_step(l, v))
            return STORE_PG_SCHEMA_FAILED;
    return store_pg_wire_run(l->wire, "COMMIT", NULL) ? STORE_PG_SCHEMA_FINE
                                                      : STORE_PG_SCHEMA_FAILED;
}

static enum store_pg_schema check_tables(struct look *l)
{
    struct buf sql = {0};
    char answer[STORE_PG_ANSWER];
    store_pg_sql(l->store->schema->check, &sql);
    bool ok = store_pg_wire_run(l->wire, sql.p, answer);
    buf_done(&sql);
    if (ok)
        return strcmp(answer, "1") == 0 ? STORE_PG_SCHEMA_FINE : refuse(l, STORE_DAMAGED);
    return strncmp(l->wire->fault.state, "42", 2) == 0 && strcmp(l->wire->fault.state, "42501") != 0
               ? refuse(l, STORE_DAMAGED)
               : STORE_PG_SCHEMA_FAILED;
}

enum store_pg_schema store_pg_schema(struct store_pg_wire *w, struct store *store,
                                     struct error *err)
{
    struct look l = {.wire = w, .store = store, .err = err};
    char sql[512], answer[STORE_PG_ANSWER];
    snprintf(sql, sizeof sql, SETTINGS HAS_VERSIONS, store->wait_ms - store->wait_ms / 5,
             store->wait_ms);
    if (!store_pg_wire_run(w, sql, answer) || (strcmp(answer, "t") == 0 && !read_version(&l)))
        return STORE_PG_SCHEMA_FAILED;
    if (l.version > (long)store->schema->version)
        return refuse(&l, STORE_NEWER);
    enum store_pg_schema how =
        l.version < (long)store->schema->version ? upgrade(&l) : STORE_PG_SCHEMA_FINE;
    return how == STORE_PG_SCHEMA_FINE ? check_tables(&l) : how;
}
