/* One connection to a PostgreSQL server. Every wait has a limit.
 *
 *     struct store_pg_wire w = {.wait_ms = 10000};
 *     if (!store_pg_wire_open(&w, url)) ...             // w.error has the reason
 *     store_pg_wire_run(&w, "SET a TO b; SELECT 1", answer);
 *     store_pg_wire_pipeline(&w);
 *     store_pg_wire_send(&w, &begin);                   // does not wait
 *     store_pg_wire_send(&w, &insert);
 *     result = store_pg_wire_ask(&w, &select);          // waits for this one and those before it
 *     pq.clear(result);
 *     store_pg_wire_send(&w, &commit);
 *     store_pg_wire_sync(&w);                           // waits for all
 *     store_pg_wire_close(&w);
 *
 * A statement is prepared when it is first used. The first error is kept in `error`; after it
 * nothing is sent until store_pg_wire_recover() has ended the transaction and emptied the pipeline.
 * A lost connection is closed at once, and `conn` is NULL.
 */
#pragma once

#include "base/map.h"
#include "store/store_internal.h"
#include "store/store_pg_lib.h"

/* The first error of the server or of the connection. */
struct store_pg_error {
    char state[6]; /* SQLSTATE; "": no error. 08006: the connection is lost */
    char text[320];
};

struct store_pg_command;

struct store_pg_wire {
    unsigned wait_ms;
    const atomic_uint *shorter_wait_ms; /* of the store; NULL: none */
    PGconn *conn;                       /* NULL: not connected */
    struct store_pg_error error;
    /* private */
    const char *url;
    struct map statements; /* address of the SQL and types of its values -> struct prepared */
    struct store_pg_command *queue;
    size_t head, tail, cap; /* of the queue: commands without a result yet */
    size_t unsent;          /* approximate bytes since the last sync */
};

bool store_pg_wire_open(struct store_pg_wire *w, const char *url); /* the url must outlive it */
void store_pg_wire_close(struct store_pg_wire *w);

/* Before the pipeline: run several statements in one text and wait for them. answer (may be NULL)
 * gets the first column of the last row, "" if there is none. */
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

/* Read what has arrived, without waiting. Return false if the connection is lost: look() then
 * closes it, is_there() leaves it open, because somebody may watch the descriptor. */
bool store_pg_wire_look(struct store_pg_wire *w);
bool store_pg_wire_is_there(struct store_pg_wire *w);
