/* One connection to a PostgreSQL server. Nothing on it waits longer than it was told.
 *
 *     struct store_pg_wire w = {.wait_ms = 10000};
 *     if (!store_pg_wire_open(&w, url)) ...             // w.fault says why
 *     store_pg_wire_run(&w, "SET a TO b; SELECT 1", answer);
 *     store_pg_wire_pipeline(&w);
 *     store_pg_wire_send(&w, &begin);                   // nobody waits for these
 *     store_pg_wire_send(&w, &insert);
 *     result = store_pg_wire_ask(&w, &select);          // for this one, and those before it
 *     pq.clear(result);
 *     store_pg_wire_send(&w, &commit);
 *     store_pg_wire_sync(&w);                           // for all of them
 *     store_pg_wire_close(&w);
 *
 * Statements are prepared when they are first met. The first thing that goes wrong is the fault;
 * from then on nothing is sent, until store_pg_wire_recover() has ended the transaction and emptied
 * the pipe. If the connection itself is lost it is closed at once, and `conn` is NULL.
 */
#pragma once

#include "base/map.h"
#include "store/store_internal.h"
#include "store/store_pg_lib.h"

/* What the server, or the way to it, said last. */
struct store_pg_fault {
    char state[6]; /* SQLSTATE; "" for none. 08006: the connection is lost */
    char text[320];
};

struct store_pg_command;

struct store_pg_wire {
    unsigned wait_ms;
    const atomic_uint *shorter_wait_ms; /* of the store; NULL: none */
    PGconn *conn;                       /* NULL: there is none */
    struct store_pg_fault fault;
    /* private */
    const char *url;
    struct map statements; /* address of the SQL and types of its values -> prepared */
    struct store_pg_command *queue;
    size_t head, tail, cap; /* of the queue: commands whose end is not known yet */
    size_t unsent;          /* bytes since the last sync, roughly */
};

bool store_pg_wire_open(struct store_pg_wire *w, const char *url); /* the url outlives it */
void store_pg_wire_close(struct store_pg_wire *w);

/* Before the pipeline: several statements in one text, waited for. answer (may be NULL): the first
 * column of the last row that came, "" if none did. */
#define STORE_PG_ANSWER 64u
bool store_pg_wire_run(struct store_pg_wire *w, const char *sql, char answer[STORE_PG_ANSWER]);
bool store_pg_wire_pipeline(struct store_pg_wire *w);

/* Send a statement; if it fails, a later call returns the failure. */
bool store_pg_wire_send(struct store_pg_wire *w, const struct store_statement *st);
/* Send a statement and wait for its result, and the results of those sent before. Return the
 * result, for pq.clear(), or NULL. */
PGresult *store_pg_wire_ask(struct store_pg_wire *w, const struct store_statement *st);
bool store_pg_wire_sync(struct store_pg_wire *w);
void store_pg_wire_recover(struct store_pg_wire *w);

/* Reads what has arrived, and does not wait. False: the connection is lost. look() closes it then,
 * is_there() leaves that for later, because somebody may be watching the descriptor. */
bool store_pg_wire_look(struct store_pg_wire *w);
bool store_pg_wire_is_there(struct store_pg_wire *w);
