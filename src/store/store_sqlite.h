/* What the parts of the SQLite store share: store_sqlite.c carries out transactions,
 * store_sqlite_open.c opens files and says what is wrong with them, store_sqlite_damage.c looks at
 * those that were left in a bad state, store_sqlite_repair.c mends them.
 *
 *     if (!store_sqlite_hold(s, err)) ...                    // as one of those who use the file
 *     switch (store_sqlite_connect(s, err)) ...
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
    struct store store; /* its name is the path, with no link in it */
    char *guard_path;
    struct store_guard guard;
    sqlite3 *db;
    struct map statements; /* the address of their SQL, as bytes -> sqlite3_stmt */
    int64_t busy_until;    /* of the wait that is on, on the monotonic clock */
    dev_t device;          /* of the open file */
    ino_t inode;
    bool damaged; /* the last failure was that of a damaged file */
    bool refused; /* ... was that of a statement */
    bool is_durable;
    enum store_mode mode; /* of the transaction */
    struct error failed;  /* what one of its statements failed with; no code: none did */
    int64_t now;          /* of the transaction, unix ms */
    const char *words[STORE_MAX_CHANNELS]; /* channels to be told after the commit */
    size_t word_count;
    struct store_notify_listener *ears; /* NULL: nobody listens */
};

enum store_sqlite_opened {
    STORE_SQLITE_OPENED,
    STORE_SQLITE_DAMAGED,
    STORE_SQLITE_FAILED /* both: *err says why */
};

struct sqlite *store_sqlite_new(const struct store_options *o);
void store_sqlite_free(struct sqlite *s);
/* Finds out its name; its folder is made. */
bool store_sqlite_find(struct sqlite *s, const char *path, struct error *err);
bool store_sqlite_hold(struct sqlite *s, struct error *err);
enum store_sqlite_opened store_sqlite_connect(struct sqlite *s, struct error *err);
void store_sqlite_disconnect(struct sqlite *s);

/* What SQLite, or the system, said last, as a sentence; store.failure, damaged and refused are set.
 * Always false. */
bool store_sqlite_fail(struct sqlite *s, int rc, struct error *err);
bool store_sqlite_fail_system(struct sqlite *s, const char *what, int code, struct error *err);

/* Statements without values; several in one text. answer: the first column of the last row, a
 * number or a short word. */
#define STORE_SQLITE_ANSWER 32u
bool store_sqlite_exec(struct sqlite *s, const char *sql, struct error *err);
bool store_sqlite_ask(struct sqlite *s, const char *sql, char answer[STORE_SQLITE_ANSWER],
                      struct error *err);
bool store_sqlite_number(struct sqlite *s, const char *sql, long *number, struct error *err);

/* ---- store_sqlite_damage.c */

/* As hold and connect. What lost its owner in a crash is looked at; what is damaged and expendable
 * is moved aside and begun anew. */
bool store_sqlite_open(struct sqlite *s, struct error *err);
bool store_sqlite_begin_anew(struct sqlite *s, struct error *err); /* it was damaged */
/* Alone: whether all of it is sound; connected if so. */
enum store_sqlite_opened store_sqlite_check(struct sqlite *s, struct error *err);
/* PATH.damaged-TIME; its journals go first, for they belong to it. */
bool store_sqlite_move_aside(struct sqlite *s, char aside[], size_t size, struct error *err);

/* ---- store_sqlite_repair.c: store_repair(), and */

bool store_repair_copy(struct store *s, struct error *err); /* a store_kind's copy() */
