/* A database that processes share: SQLite in a file on one machine, or PostgreSQL for many
 * machines.
 *
 *     struct store *s = store_open(&(struct store_options){.url = url, .schema = &x}, NULL, &err);
 *     store_run(s, STORE_ROWS, work, ctx, &err);      // runs work() in one transaction
 *     store_close(s);
 *
 * Inside work, store_do() changes rows and a cursor reads them:
 *
 *     struct store_rows q = store_query(s, &(struct store_statement){
 *         "SELECT id, name FROM task WHERE pool = ?1 ORDER BY id", {STORE_TEXT(pool)}});
 *     while (store_next(&q))
 *         handle_task(store_int(&q, 0), store_text(&q, 1));
 *     return store_end(&q, err);                      // false: a row could not be read
 *
 * If work returns false, the transaction is rolled back. The store may call work more than once:
 * after a deadlock, or after it replaced a damaged file by a new one. So work sets its outputs and
 * does not add to them. If store_run() fails with STORE_UNAVAILABLE, the commit may have succeeded
 * all the same, because only its answer was lost: a caller that retries must be able to tell, or
 * must be idempotent.
 *
 * The statements are the same for both databases: plain SQL with ?1 ?2 ..., BIGINT, TEXT, DOUBLE
 * PRECISION, ON CONFLICT, RETURNING, partial indexes. SQL that only PostgreSQL has follows "--pg"
 * up to the end of the line, which is a comment for SQLite:
 *
 *     "SELECT id FROM task WHERE state = 'READY' LIMIT ?1 --pg FOR UPDATE SKIP LOCKED\n"
 *
 * The SQL function now_ms() is the store's clock in unix milliseconds and constant within a
 * transaction. On a server it is the server's clock, so machines with different clocks agree on
 * leases.
 *
 * store_open() creates the tables of the schema, or upgrades them. It refuses a store that a newer
 * version of the program wrote, and changes nothing in it.
 *
 * Only one thread at a time may use a store. To use it from a loop: store_thread.h. Only
 * store_sqlite*.c and store_repair.c use SQLite, only store_pg*.c use PostgreSQL.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#define STORE_WAIT_MS      10000u
#define STORE_MAX_VALUES   16u
#define STORE_MAX_CHANNEL  32u /* bytes of a name */
#define STORE_MAX_CHANNELS 4u  /* of one schema */

struct store;

/* The tables, and the upgrades of older stores: steps[v] upgrades version v to v + 1. A step is
 * never changed after a release; new steps are appended. */
struct store_schema {
    /* of the file ("state.db"), and of the row in PostgreSQL's table of versions */
    const char *name;
    int32_t mark; /* application_id in the header of the file */
    const char *const *steps;
    size_t version; /* number of steps */
    /* a SELECT that returns 1 if all tables and columns of the newest version exist */
    const char *check;
    /* The contents can be lost: a damaged file is moved aside (NAME.damaged-TIME) and a new one is
     * created. Otherwise a damaged file is refused, and the error names store_repair(). */
    bool is_expendable;
    bool is_main; /* a path to a file means this schema's file (store_place) */
    /* SQL that store_repair() runs at its end, because the rows may be of different moments; may be
     * NULL. */
    const char *after_repair;
};

struct store_options {
    const char *url; /* postgresql://..., or the path of a file */
    const struct store_schema *schema;
    unsigned wait_ms; /* longest wait for a lock, and for an answer of a server; 0: STORE_WAIT_MS */
    /* SQLite: a commit is on disk when it returns; otherwise a power loss may undo it. PostgreSQL:
     * as the server is configured. */
    bool is_durable;
};

enum store_mode {
    STORE_READ,
    STORE_WRITE, /* excludes all other STORE_WRITE transactions of this schema */
    STORE_ROWS   /* concurrent: locks the rows it touches. SQLite: the same as STORE_WRITE */
};

/* Why the last store_open() or store_run() failed: what a caller needs to decide on a retry. */
enum store_failure {
    STORE_OK,
    STORE_REFUSED,     /* work returned false, or a statement is wrong: a retry fails too */
    STORE_UNAVAILABLE, /* busy, no server, connection lost, disk full: a retry may succeed */
    STORE_DAMAGED,     /* the file is damaged */
    STORE_NEWER        /* written by a newer version of this program */
};

enum store_type {
    STORE_TYPE_INT,
    STORE_TYPE_REAL,
    STORE_TYPE_TEXT
};

struct store_value {
    enum store_type type;
    int64_t integer;
    double real;
    /* UTF-8; invalid bytes and NUL are stored as U+FFFD, as PostgreSQL accepts neither */
    struct str text;
};

/* clang-format off */
#define STORE_INT(n)  ((struct store_value){.type = STORE_TYPE_INT, .integer = (n)})
#define STORE_REAL(d) ((struct store_value){.type = STORE_TYPE_REAL, .real = (d)})
#define STORE_TEXT(s) ((struct store_value){.type = STORE_TYPE_TEXT, .text = (s)})
/* clang-format on */

/* A statement and its values. sql must be a constant: its address is the key of the prepared
 * statement. */
struct store_statement {
    const char *sql;
    struct store_value values[STORE_MAX_VALUES];
};

/* Open the store and create it if it is missing. A file is 0600, its folder 0700. On failure return
 * NULL and set *err: ERR_IN_USE (busy), or ERR_IO with a message that says what to do; *failure
 * (may be NULL) gets the kind. A message never contains the password of a URL. */
struct store *store_open(const struct store_options *options, enum store_failure *failure,
                         struct error *err);
void store_close(struct store *s); /* s may be NULL */

/* For people: the path of the file, or the URL without user name and password. */
const char *store_name(const struct store *s);
enum store_failure store_last_failure(const struct store *s);

/* From now on wait at most wait_ms for a busy store, or for a server to answer, also in a call that
 * is waiting on another thread. Any thread may call it. */
void store_shorten_wait(struct store *s, unsigned wait_ms);

typedef bool store_fn(struct store *s, void *ctx, struct error *err);
bool store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx, struct error *err);

/* Change rows; *changed gets their number. With `changed` NULL it is faster on a distant server:
 * several statements are sent together, and the failure of one shows at a later call in the same
 * work. */
bool store_do(struct store *s, const struct store_statement *st, size_t *changed,
              struct error *err);

/* A cursor: the rows of a SELECT, or of RETURNING, one after the other. */
struct store_rows {
    /* private */
    struct store *store;
    void *result; /* sqlite3_stmt, PGresult; NULL: there are no more rows */
    int index;    /* of the current row; -1 before the first one */
    struct error error;
};

/* Start a query, in one round trip. An error shows at store_end(). Other statements may run while
 * rows are read, but not the same one a second time. */
struct store_rows store_query(struct store *s, const struct store_statement *st);
/* Go to the next (at first: the first) row. Return false after the last one, or if reading fails.
 * */
bool store_next(struct store_rows *q);
/* Release the query, also if rows are left, and report its error. Required after store_query(). */
bool store_end(struct store_rows *q, struct error *err);

/* Read one number: the first column of the first row. Without a row, *out stays as it is. */
bool store_query_int(struct store *s, const struct store_statement *st, int64_t *out,
                     struct error *err);

/* A column of the current row, from 0; a text is valid until the next row. A value of another type
 * is converted; NULL is 0 or empty. */
int64_t store_int(const struct store_rows *q, int column);
double store_real(const struct store_rows *q, int column);
struct str store_text(const struct store_rows *q, int column);

/* Inside work: after the commit, notify everyone who listens to the channel (store_thread.h), in
 * this process and in others. A channel is a constant, a short name of a-z; at most
 * STORE_MAX_CHANNELS. */
bool store_notify(struct store *s, const char *channel, struct error *err);

/* ---- places */

bool store_is_server(const char *url); /* is it postgresql:// or postgres://? */

/* Find the place of a schema. A server: its URL as it is. A path that is a folder or ends with a
 * slash: PATH/NAME.db. "sqlite:PATH": the same as PATH. NULL or "": FOLDER/NAME.db. A path to a
 * file: that file for the main schema, NAME.db beside it for others. ERR_INVALID_PARAMS for another
 * scheme. */
bool store_place(const char *url, const char *folder, const struct store_schema *schema,
                 struct buf *out, struct error *err);
/* Add the URL without its password, and with only the harmless parameters after the question mark.
 * A path is added as it is. */
void store_show_url(const char *url, struct buf *out);

/* Repair a damaged file: copy every row that can still be read into a new file, which takes its
 * place; the damaged one stays beside it as PATH.damaged-TIME. Rows that the file has lost are
 * taken from the newest copy (PATH.copy, see store_copy()). No process may have the file open. */
struct store_repair {
    size_t rows;      /* read from the damaged file */
    size_t from_copy; /* lost in the file, found in the copy */
    char aside[4096]; /* path of the damaged file; "" if it was not damaged */
};
bool store_repair(const struct store_options *options, struct store_repair *out, struct error *err);
/* Copy the file to PATH.copy, as of this moment. Does nothing on a server. */
bool store_copy(struct store *s, struct error *err);
