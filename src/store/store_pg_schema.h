/* The tables of a schema on a server: made, and brought up to date, on every new connection.
 *
 *     switch (store_pg_schema(&wire, store, &err)) ...
 *
 * All of them are in the database schema "multiverse", with a table of versions and the function
 * now_ms(). Whoever changes them is alone in doing so.
 */
#pragma once

#include "store/store_pg_wire.h"

enum store_pg_schema {
    STORE_PG_SCHEMA_FINE,
    STORE_PG_SCHEMA_FAILED, /* wire->fault says why */
    STORE_PG_SCHEMA_REFUSED /* *err and store->failure say why */
};

enum store_pg_schema store_pg_schema(struct store_pg_wire *w, struct store *store,
                                     struct error *err);
