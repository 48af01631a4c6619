#include "store/store_salvage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#define MAX_COLUMNS 64

/* The rows of a table between two rowids, and the place they go to. */
struct walk {
    sqlite3_stmt *up, *down, *put;
    int columns; /* behind the rowid */
    bool failed; /* the new file does not take them */
};

/* ---- columns */

static void add_name(struct buf *out, const char *name)
{
    buf_add_char(out, '"');
    for (const char *p = name; *p; p++) {
        buf_add_char(out, *p);
        if (*p == '"')
            buf_add_char(out, '"');
    }
    buf_add_char(out, '"');
}

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    sqlite3_stmt *stmt = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", -1, &stmt,
                           NULL) == SQLITE_OK) {
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, column, -1, SQLITE_STATIC);
        found = sqlite3_step(stmt) == SQLITE_ROW;
    }
    sqlite3_finalize(stmt);
    return found;
}

/* Those that both have, but not the one that is the rowid itself. ", \"a\", \"b\"" */
static int common_columns(sqlite3 *from, sqlite3 *to, const char *table, struct buf *out)
{
    static const char sql[] =
        "SELECT name FROM pragma_table_info(?1) WHERE NOT (pk = 1 AND upper(type) = 'INTEGER' AND"
        " (SELECT max(pk) FROM pragma_table_info(?1)) = 1)";
    sqlite3_stmt *stmt = NULL;
    int count = 0;
    if (sqlite3_prepare_v2(to, sql, -1, &stmt, NULL) == SQLITE_OK)
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    while (stmt && sqlite3_step(stmt) == SQLITE_ROW && count < MAX_COLUMNS) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        if (!name || !has_column(from, table, name))
            continue;
        buf_add(out, STR(", "));
        add_name(out, name);
        count++;
    }
    sqlite3_finalize(stmt);
    return count;
}

static sqlite3_stmt *prepare(sqlite3 *db, const struct buf *sql)
{
    sqlite3_stmt *stmt = NULL;
    sqlite3_prepare_v2(db, sql->p, (int)sql->n, &stmt, NULL);
    return stmt;
}

static sqlite3_stmt *prepare_read(sqlite3 *db, const char *table, struct str columns, bool up)
{
    struct buf sql = {0};
    buf_printf(&sql, "SELECT rowid%.*s FROM main.", STR_ARG(columns));
    add_name(&sql, table);
    buf_printf(&sql, " NOT INDEXED WHERE rowid > ?1 AND rowid < ?2 ORDER BY rowid %s",
               up ? "ASC" : "DESC");
    sqlite3_stmt *stmt = prepare(db, &sql);
    buf_done(&sql);
    return stmt;
}

static sqlite3_stmt *prepare_put(sqlite3 *db, const char *table, struct str columns, int count)
{
    struct buf sql = {0};
    buf_add(&sql, STR("INSERT OR IGNORE INTO main."));
    add_name(&sql, table);
    buf_printf(&sql, " (rowid%.*s) VALUES (?1", STR_ARG(columns));
    for (int i = 0; i < count; i++)
        buf_printf(&sql, ", ?%d", i + 2);
    buf_add_char(&sql, ')');
    sqlite3_stmt *stmt = prepare(db, &sql);
    buf_done(&sql);
    return stmt;
}

/* False: there is no such table in the one it comes from. */
static bool walk_begin(struct walk *w, sqlite3 *from, sqlite3 *to, const char *table)
{
    struct buf columns = {0};
    *w = (struct walk){.columns = common_columns(from, to, table, &columns)};
    if (w->columns > 0) {
        w->up = prepare_read(from, table, buf_str(&columns), true);
        w->down = prepare_read(from, table, buf_str(&columns), false);
        w->put = prepare_put(to, table, buf_str(&columns), w->columns);
    }
    buf_done(&columns);
    return w->up && w->down && w->put;
}

static void walk_end(struct walk *w)
{
    sqlite3_finalize(w->up);
    sqlite3_finalize(w->down);
    sqlite3_finalize(w->put);
}

/* ---- rows */

/* What does not fit (a NULL where none may be, a name for the second time) is left out. */
static bool put_row(struct store_salvage *g, struct walk *w, sqlite3_stmt *row)
{
    for (int i = 0; i <= w->columns; i++)
        sqlite3_bind_value(w->put, i + 1, sqlite3_column_value(row, i));
    int rc = sqlite3_step(w->put);
    sqlite3_reset(w->put);
    if (rc == SQLITE_DONE)
        g->rows += sqlite3_changes(g->to) > 0;
    else if (rc != SQLITE_CONSTRAINT && rc != SQLITE_MISMATCH)
        w->failed = true;
    return !w->failed;
}

/* True: to the other end. Else the gap begins, or ends, with the last row that was read. */
static bool walk_one_way(struct store_salvage *g, struct walk *w, struct store_salvage_gap *gap,
                         bool up)
{
    sqlite3_stmt *stmt = up ? w->up : w->down;
    int rc;
    sqlite3_bind_int64(stmt, 1, gap->low);
    sqlite3_bind_int64(stmt, 2, gap->high);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(stmt, 0);
        if (id <= gap->low || id >= gap->high) /* pages in a circle */
            break;
        if (!put_row(g, w, stmt))
            break;
        if (up)
            gap->low = id;
        else
            gap->high = id;
    }
    sqlite3_reset(stmt);
    return rc == SQLITE_DONE;
}

static void add_gap(struct store_salvage *g, struct store_salvage_gap gap)
{
    struct store_salvage_gap *last = g->gap_count ? &g->gaps[g->gap_count - 1] : NULL;
    if (last && gap.low <= last->high && gap.high > last->high && gap.low >= last->low) {
        last->high = gap.high;
        return;
    }
    mem_grow((void **)&g->gaps, &g->gap_cap, g->gap_count + 1, sizeof *g->gaps);
    g->gaps[g->gap_count++] = gap;
}

/* Intervals are taken from a stack, the lower half first: gaps come in their order. */
static void walk_all(struct store_salvage *g, struct walk *w)
{
    struct store_salvage_gap stack[80] = {{INT64_MIN, INT64_MAX}};
    size_t n = 1;
    while (n > 0 && !w->failed) {
        struct store_salvage_gap gap = stack[--n];
        g->tries++;
        if (walk_one_way(g, w, &gap, true) || w->failed || walk_one_way(g, w, &gap, false))
            continue;
        if (gap.low < 0 && gap.high > 0) /* rows are numbered from 1 */
            gap.low = 0;
        if ((uint64_t)gap.high - (uint64_t)gap.low <= 1) /* nothing is between them */
            continue;
        if ((uint64_t)gap.high - (uint64_t)gap.low == 2 || g->tries >= STORE_SALVAGE_TRIES ||
            n + 2 > sizeof stack / sizeof *stack) {
            add_gap(g, gap);
            continue;
        }
        int64_t middle =
            (int64_t)((uint64_t)gap.low + ((uint64_t)gap.high - (uint64_t)gap.low) / 2);
        stack[n++] = (struct store_salvage_gap){middle, gap.high};
        stack[n++] = (struct store_salvage_gap){gap.low, middle + 1};
    }
}

bool store_salvage_table(struct store_salvage *g, const char *table)
{
    struct walk w = {0};
    g->gap_count = 0;
    g->tries = 0;
    bool is_there = g->from && walk_begin(&w, g->from, g->to, table);
    if (is_there)
        walk_all(g, &w);
    else
        add_gap(g, (struct store_salvage_gap){INT64_MIN, INT64_MAX});
    walk_end(&w);
    return !w.failed;
}

bool store_salvage_fill(struct store_salvage *g, const char *table, sqlite3 *copy)
{
    struct walk w = {0};
    if (g->gap_count > 0 && walk_begin(&w, copy, g->to, table))
        for (size_t i = 0; i < g->gap_count && !w.failed; i++) {
            struct store_salvage_gap gap = g->gaps[i];
            walk_one_way(g, &w, &gap, true);
        }
    walk_end(&w);
    return !w.failed;
}

void store_salvage_done(struct store_salvage *g)
{
    free(g->gaps);
    g->gaps = NULL;
    g->gap_count = g->gap_cap = 0;
}
