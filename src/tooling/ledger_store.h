/* The file behind ledger.h: SQLite, opened, brought up to date, repaired, used in transactions.
 *
 *     struct ledger_store *s = ledger_store_open(path, 10000, &err);
 *     ledger_store_run(s, LEDGER_WRITE, work, ctx, &err);    // work() sees it as one moment
 *     ledger_store_close(s);
 *
 * Inside work: ledger_store_do() changes, ledger_store_each() reads. A work that answers false
 * leaves no trace. It may be called twice: when the file turns out to be damaged, all begins anew
 * on an empty one. So it sets its outputs and does not add to them.
 *
 * Everybody who has the file open holds PATH.guard shared, from before it is opened until after it
 * is closed. It is moved aside only by who holds that lock alone and has looked once more: a good
 * file, or one that somebody uses, stays where it is.
 *
 * Nothing else knows SQLite. Statements are plain SQL with ?1 ?2, the same for other databases.
 */
#pragma once

#include "base/error.h"
#include "base/str.h"

struct ledger_store;
struct ledger_row;

enum ledger_mode {
    LEDGER_READ,
    LEDGER_WRITE /* takes the write lock at its start */
};

enum ledger_type {
    LEDGER_TYPE_INT,
    LEDGER_TYPE_REAL,
    LEDGER_TYPE_TEXT
};

struct ledger_value {
    enum ledger_type type;
    int64_t integer;
    double real;
    struct str text;
};

/* clang-format off */
#define LEDGER_INT(n)  ((struct ledger_value){.type = LEDGER_TYPE_INT, .integer = (n)})
#define LEDGER_REAL(d) ((struct ledger_value){.type = LEDGER_TYPE_REAL, .real = (d)})
#define LEDGER_TEXT(s) ((struct ledger_value){.type = LEDGER_TYPE_TEXT, .text = (s)})
/* clang-format on */

/* A statement and what it is given; sql is a constant, by which it is kept prepared. */
struct ledger_statement {
    const char *sql;
    struct ledger_value values[9];
};

/* Opens, or makes, the file (0600) and the folder it is in (0700). A busy one is waited for, here
 * and later, for wait_ms; then it is ERR_IN_USE. ERR_IO else. */
struct ledger_store *ledger_store_open(const char *path, unsigned wait_ms, struct error *err);
void ledger_store_close(struct ledger_store *s); /* NULL is fine */

typedef bool ledger_store_fn(struct ledger_store *s, void *ctx, struct error *err);
bool ledger_store_run(struct ledger_store *s, enum ledger_mode mode, ledger_store_fn *work,
                      void *ctx, struct error *err);

/* *changed: how many rows; may be NULL. */
bool ledger_store_do(struct ledger_store *s, const struct ledger_statement *st, size_t *changed,
                     struct error *err);
typedef void ledger_row_fn(const struct ledger_row *row, void *ctx);
bool ledger_store_each(struct ledger_store *s, const struct ledger_statement *st,
                       ledger_row_fn *each, void *ctx, struct error *err);

/* Columns from 0; the text is good until the next row. What has another type is turned into it. */
int64_t ledger_row_int(const struct ledger_row *row, int column);
double ledger_row_real(const struct ledger_row *row, int column);
struct str ledger_row_text(const struct ledger_row *row, int column);
