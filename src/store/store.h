/* A database that processes share: SQLite in a file of one machine, or PostgreSQL for many.
 *
 *     struct store *s = store_open(&(struct store_options){.url = url, .schema = &x}, NULL, &err);
 *     store_run(s, STORE_ROWS, work, ctx, &err);      // work() sees it as one moment
 *     store_close(s);
 *
 * Inside work, store_do() changes rows and a cursor reads them:
 *
 *     struct store_rows q = store_query(s, &(struct store_statement){
 *         "SELECT id, name FROM task WHERE pool = ?1 ORDER BY id", {STORE_TEXT(pool)}});
 *     while (store_next(&q))
 *         add_task(store_int(&q, 0), store_text(&q, 1));
 *     return store_end(&q, err);                      // false: a row could not be read
 *
 * A work that answers false leaves no trace.
 * It may be called more than once: after a deadlock, or when a damaged file was begun anew. So it
 * sets its outputs and does not add to them. If store_run() fails with STORE_UNAVAILABLE the commit
 * may have happened all the same (its answer was lost): works that are run again must find out, or
 * not care.
 *
 * Statements are the same for both: plain SQL with ?1 ?2 ..., BIGINT, TEXT, DOUBLE PRECISION, ON
 * CONFLICT, RETURNING, partial indexes. What only PostgreSQL has, and needs, is a comment to the
 * end of the line for SQLite:
 *
 *     "SELECT id FROM task WHERE state = 'READY' LIMIT ?1 --pg FOR UPDATE SKIP LOCKED\n"
 *
 * The function now_ms() is the store's clock in unix milliseconds, the same all through a
 * transaction: the server's, so that machines whose clocks differ agree on leases.
 *
 * The tables of a schema are made, and brought up to date, when it is opened. A store that a newer
 * version has made is refused and left alone.
 *
 * A store is used by one thread at a time. To use it from a loop: store_thread.h. Nothing but
 * store_sqlite*.c knows SQLite, nothing but store_pg*.c PostgreSQL.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

#define STORE_WAIT_MS      10000u
#define STORE_MAX_VALUES   16u
#define STORE_MAX_CHANNEL  32u /* bytes of its name */
#define STORE_MAX_CHANNELS 4u  /* of a schema */

struct store;

/* Tables, and how an older store becomes a newer one: steps[v] takes it from version v to v + 1. A
 * step is never changed once it was released; a new one is added behind it. */
struct store_schema {
    const char *name; /* of the file ("state.db") and, on PostgreSQL, of its row in the versions */
    int32_t mark;     /* application_id in the header of the file */
    const char *const *steps;
    size_t version;    /* how many there are */
    const char *check; /* answers 1 if all tables and columns of the newest version are there */
    /* What is lost with a damaged file comes back by itself: it is moved aside
     * (NAME.damaged-TIME) and begun anew. Otherwise a damaged file is refused, with a word on
     * store_repair(). */
    bool is_expendable;
    bool is_main; /* the path of a file, as a place, is this schema's (store_place) */
    /* Run after store_repair() has put rows together that may not be of the same moment; may be
     * NULL. */
    const char *mend;
};

struct store_options {
    const char *url; /* postgresql://..., or the path of a file */
    const struct store_schema *schema;
    unsigned wait_ms; /* for a busy store, and for a server to answer; 0: STORE_WAIT_MS */
    bool is_durable;  /* SQLite: a commit is on the disk when it returns; else it survives all but
                         the loss of power. PostgreSQL is as its server is set */
};

enum store_mode {
    STORE_READ,
    STORE_WRITE, /* alone: of all who write in this schema with STORE_WRITE one at a time */
    STORE_ROWS   /* beside each other: rows are locked as they are touched. SQLite: STORE_WRITE */
};

/* Why the last store_open() or store_run() failed, for who decides what to do about it. */
enum store_failure {
    STORE_OK,
    STORE_REFUSED,     /* work answered false, or a statement is wrong: no reason to try again */
    STORE_UNAVAILABLE, /* busy, no server, connection lost, disk full: later it may do */
    STORE_DAMAGED,     /* the file is not what it should be */
    STORE_NEWER        /* a newer version of this program made it */
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
    struct str text; /* UTF-8. What is not, and NUL, becomes U+FFFD: PostgreSQL takes no other */
};

/* clang-format off */
#define STORE_INT(n)  ((struct store_value){.type = STORE_TYPE_INT, .integer = (n)})
#define STORE_REAL(d) ((struct store_value){.type = STORE_TYPE_REAL, .real = (d)})
#define STORE_TEXT(s) ((struct store_value){.type = STORE_TYPE_TEXT, .text = (s)})
/* clang-format on */

/* A statement and what it is given; sql is a constant, by which it is kept prepared. */
struct store_statement {
    const char *sql;
    struct store_value values[STORE_MAX_VALUES];
};

/* Opens, or makes, the store. A file is 0600, its folder 0700. NULL and *err: ERR_IN_USE (busy), or
 * ERR_IO with a sentence that says what to do; *failure (may be NULL) says which kind. No password
 * of a URL is ever in a message. */
struct store *store_open(const struct store_options *options, enum store_failure *failure,
                         struct error *err);
void store_close(struct store *s); /* NULL is fine */

/* "postgresql://host/db" without user's password, or the path of the file: for people. */
const char *store_name(const struct store *s);
enum store_failure store_last_failure(const struct store *s);

/* From now on wait at most wait_ms for a busy store, or for a server to answer, also in a call that
 * is waiting on another thread. Any thread may call it. */
void store_shorten_wait(struct store *s, unsigned wait_ms);

typedef bool store_fn(struct store *s, void *ctx, struct error *err);
bool store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx, struct error *err);

/* *changed: how many rows; may be NULL, which is faster where the server is far: several are sent
 * together, and one that fails makes a later call of the same work fail. */
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
/* Go to the next (at first: the first) row. Return false after the last one, or if reading fails. */
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

/* Inside work: whoever listens to the channel is woken once it is committed (store_thread.h), in
 * this process and in others. Channels are short words of a-z, constants, STORE_MAX_CHANNELS at
 * most. */
bool store_notify(struct store *s, const char *channel, struct error *err);

/* ---- places */

bool store_is_server(const char *url); /* postgresql:// or postgres:// */

/* Where a schema lives: a server's URL as it is; a path that is a folder, or ends with a slash:
 * PATH/NAME.db; "sqlite:PATH" the same; NULL or "": FOLDER/NAME.db. A path to a file is that file
 * for the main schema, and NAME.db beside it for others. ERR_INVALID_PARAMS for another scheme. */
bool store_place(const char *url, const char *folder, const struct store_schema *schema,
                 struct buf *out, struct error *err);
/* A URL as it may be shown: without the password, and of what stands behind a question mark only
 * what is no secret. A path as it is. */
void store_show_url(const char *url, struct buf *out);

/* A damaged file: what can still be read of each table of the schema goes into a new one, which
 * takes its place; the damaged one stays beside it as PATH.damaged-TIME. Rows are taken from the
 * newest copy (PATH.copy, made by store_copy()) where the file itself does not have them. Nobody
 * may have it open. */
struct store_repair {
    size_t rows;      /* read from the file */
    size_t from_copy; /* not in it any more, but in the copy */
    char aside[4096]; /* where the damaged one is; "" if nothing was wrong */
};
bool store_repair(const struct store_options *options, struct store_repair *out, struct error *err);
/* A copy beside the file (PATH.copy), as of this moment. A server is left alone: true. */
bool store_copy(struct store *s, struct error *err);
