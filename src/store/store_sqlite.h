/* What store_sqlite.c (files, transactions) and store_repair.c (repair, copies) share.
 *
 *     if (!store_sqlite_hold(s, err)) ...          // as one of the users of the file
 *     if (store_sqlite_connect(s, err) != STORE_SQLITE_OPENED) ...
 *     store_sqlite_exec(s, "PRAGMA ...", err);
 *     store_sqlite_disconnect(s);
 */
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include "base/map.h"
#include "store/store_guard.h"
#include "store/store_internal.h"

struct sqlite {
    struct store store; /* its name is the path with all links resolved */
    char *guard_path;
    struct store_guard guard;
    sqlite3 *db;
    struct map statements; /* address of the SQL, as bytes -> sqlite3_stmt */
    int64_t busy_until;    /* end of the current wait, on the monotonic clock */
    dev_t device;          /* of the open file */
    ino_t inode;
    bool damaged; /* the last failure was a damaged file */
    bool refused; /* ... was a wrong statement */
    bool is_durable;
    enum store_mode mode; /* of the transaction */
    struct error failed;  /* the first failure of one of its statements; no code: none */
    int64_t now;          /* of the transaction, unix ms */
    const char *notified[STORE_MAX_CHANNELS]; /* channels to notify after the commit */
    size_t notified_count;
    struct store_notify_listener *listener; /* NULL: there is none */
};

enum store_sqlite_opened {
    STORE_SQLITE_OPENED,
    STORE_SQLITE_DAMAGED,
    STORE_SQLITE_FAILED /* after both, *err has the reason */
};

struct sqlite *store_sqlite_new(const struct store_options *o);
void store_sqlite_free(struct sqlite *s);
/* Resolve the path to the name, and create its folder. */
bool store_sqlite_find(struct sqlite *s, const char *path, struct error *err);
bool store_sqlite_hold(struct sqlite *s, struct error *err);
enum store_sqlite_opened store_sqlite_connect(struct sqlite *s, struct error *err);
void store_sqlite_disconnect(struct sqlite *s);

/* Set *err to the last failure of SQLite or of the system, and set store.failure, damaged and
 * refused. Return false. */
bool store_sqlite_fail(struct sqlite *s, int rc, struct error *err);
bool store_sqlite_fail_system(struct sqlite *s, const char *what, int code, struct error *err);

/* Run statements without values; one text may hold several. answer: the first column of the last
 * row, a number or a short word. */
#define STORE_SQLITE_ANSWER 32u
bool store_sqlite_exec(struct sqlite *s, const char *sql, struct error *err);
bool store_sqlite_ask(struct sqlite *s, const char *sql, char answer[STORE_SQLITE_ANSWER],
                      struct error *err);
bool store_sqlite_number(struct sqlite *s, const char *sql, long *number, struct error *err);

/* Hold and connect. A file that a crash left behind is checked; a damaged file whose contents can
 * be lost is moved aside and created again. */
bool store_sqlite_open(struct sqlite *s, struct error *err);
bool store_sqlite_recreate(struct sqlite *s, struct error *err); /* of a damaged file */
/* With the lock held alone: check the whole file. The store is connected if the file is sound. */
enum store_sqlite_opened store_sqlite_check(struct sqlite *s, struct error *err);
/* Move the file to PATH.damaged-TIME, its journals first, because they belong to it. */
bool store_sqlite_move_aside(struct sqlite *s, char aside[], size_t size, struct error *err);

/* copy() of struct store_kind; in store_repair.c */
bool store_repair_copy(struct store *s, struct error *err);
