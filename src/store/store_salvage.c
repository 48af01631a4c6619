#include "store/store_salvage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#define MAX_COLUMNS 64

/* The rows of a table between two rowids, and the place they go to. */
struct walk {
    sqlite3_stmt *up, *down, *put;
    bool has_rowid; /* else it is walked by its key, and nobody knows what lies between */
    int columns;    /* behind the rowid */
    bool failed;    /* the new file does not take them */
    bool any;       /* the last way met a row; the first of them: */
    int64_t first;
};

/* A table here and there. */
struct store_salvage_pair {
    sqlite3 *from, *to;
    const char *table;
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

/* The columns of `to` that sql names, if `from` has them: ", \"a\" DESC, \"b\" DESC" */
static int list_columns(struct store_salvage_pair p, const char *sql, const char *behind,
                        struct buf *out)
{
    sqlite3_stmt *stmt = NULL;
    int count = 0;
    if (sqlite3_prepare_v2(p.to, sql, -1, &stmt, NULL) == SQLITE_OK)
        sqlite3_bind_text(stmt, 1, p.table, -1, SQLITE_STATIC);
    while (stmt && sqlite3_step(stmt) == SQLITE_ROW && count < MAX_COLUMNS) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        if (!name || !has_column(p.from, p.table, name))
            continue;
        buf_add(out, STR(", "));
        add_name(out, name);
        buf_add(out, str_from(behind));
        count++;
    }
    sqlite3_finalize(stmt);
    return count;
}

#define ALL_COLUMNS "SELECT name FROM pragma_table_info(?1)"
#define KEY_COLUMNS ALL_COLUMNS " WHERE pk > 0 ORDER BY pk"
/* But not the one that is the rowid itself. */
#define ROWID_COLUMNS                                                                              \
    ALL_COLUMNS " WHERE NOT (pk = 1 AND upper(type) = 'INTEGER' AND"                               \
                " (SELECT max(pk) FROM pragma_table_info(?1)) = 1)"

static sqlite3_stmt *prepare(sqlite3 *db, const struct buf *sql)
{
    sqlite3_stmt *stmt = NULL;
    sqlite3_prepare_v2(db, sql->p, (int)sql->n, &stmt, NULL);
    return stmt;
}

/* The first column is the rowid, or 1 where there is none. */
static sqlite3_stmt *prepare_read(struct store_salvage_pair p, const struct walk *w,
                                  struct str columns, bool up)
{
    struct buf sql = {0}, order = {0};
    buf_printf(&sql, "SELECT %s%.*s FROM main.", w->has_rowid ? "rowid" : "1", STR_ARG(columns));
    add_name(&sql, p.table);
    if (w->has_rowid)
        buf_printf(&sql, " NOT INDEXED WHERE rowid > ?1 AND rowid < ?2 ORDER BY rowid %s",
                   up ? "ASC" : "DESC");
    else if (list_columns(p, KEY_COLUMNS, up ? "" : " DESC", &order) > 0)
        buf_printf(&sql, " WHERE ?1 < ?2 ORDER BY %s", order.p + 2);
    sqlite3_stmt *stmt = prepare(p.from, &sql);
    buf_done(&sql);
    buf_done(&order);
    return stmt;
}

static sqlite3_stmt *prepare_put(struct store_salvage_pair p, const struct walk *w,
                                 struct str columns)
{
    struct buf sql = {0};
    buf_add(&sql, STR("INSERT OR IGNORE INTO main."));
    add_name(&sql, p.table);
    struct str names = w->has_rowid ? columns : str_skip(columns, 2);
    buf_printf(&sql, " (%s%.*s) VALUES (", w->has_rowid ? "rowid" : "", STR_ARG(names));
    for (int i = w->has_rowid ? 1 : 2; i <= w->columns + 1; i++)
        buf_printf(&sql, i <= w->columns ? "?%d, " : "?%d)", i);
    sqlite3_stmt *stmt = prepare(p.to, &sql);
    buf_done(&sql);
    return stmt;
}

static bool has_rowid(struct store_salvage_pair p)
{
    struct buf sql = {0};
    buf_add(&sql, STR("SELECT rowid FROM main."));
    add_name(&sql, p.table);
    sqlite3_stmt *stmt = prepare(p.to, &sql);
    buf_done(&sql);
    sqlite3_finalize(stmt);
    return stmt != NULL;
}

/* False: there is no such table in the one it comes from. */
static bool walk_begin(struct walk *w, struct store_salvage_pair p)
{
    struct buf columns = {0};
    *w = (struct walk){.has_rowid = has_rowid(p)};
    w->columns = list_columns(p, w->has_rowid ? ROWID_COLUMNS : ALL_COLUMNS, "", &columns);
    if (w->columns > 0) {
        w->up = prepare_read(p, w, buf_str(&columns), true);
        w->down = prepare_read(p, w, buf_str(&columns), false);
        w->put = prepare_put(p, w, buf_str(&columns));
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
    for (int i = w->has_rowid ? 0 : 1; i <= w->columns; i++)
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
    w->any = false;
    sqlite3_bind_int64(stmt, 1, gap->low);
    sqlite3_bind_int64(stmt, 2, gap->high);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(stmt, 0);
        if (w->has_rowid && (id <= gap->low || id >= gap->high)) /* pages in a circle */
            break;
        if (!put_row(g, w, stmt))
            break;
        if (!w->has_rowid)
            continue;
        if (!w->any)
            w->first = id;
        w->any = true;
        if (up)
            gap->low = id;
        else
            gap->high = id;
    }
    sqlite3_reset(stmt);
    return rc == SQLITE_DONE;
}

/* ---- gaps */

static void add(struct store_salvage *g, int64_t low, int64_t high)
{
    mem_grow((void **)&g->gaps, &g->gap_cap, g->gap_count + 1, sizeof *g->gaps);
    g->gaps[g->gap_count++] = (struct store_salvage_gap){low, high};
}

/* What lies between two rows of one way is known, be it nothing; and what lies before the first of
 * all, or behind the last, if the way began there. */
static bool walk_and_note(struct store_salvage *g, struct walk *w, struct store_salvage_gap *gap,
                          bool up)
{
    struct store_salvage_gap before = *gap;
    bool is_done = walk_one_way(g, w, gap, up);
    if (is_done && before.low == INT64_MIN && before.high == INT64_MAX)
        add(g, INT64_MIN, INT64_MAX);
    else if (w->any && up)
        add(g, before.low == INT64_MIN ? INT64_MIN : w->first, gap->low);
    else if (w->any)
        add(g, gap->high, before.high == INT64_MAX ? INT64_MAX : w->first);
    return is_done;
}

/* Intervals are taken from a stack. What is known is noted; that a way came to its end says little:
 * a page of noise may look like one without such rows. */
static void walk_all(struct store_salvage *g, struct walk *w)
{
    struct store_salvage_gap stack[80] = {{INT64_MIN, INT64_MAX}};
    size_t n = 1;
    while (n > 0 && !w->failed && g->tries < STORE_SALVAGE_TRIES) {
        struct store_salvage_gap gap = stack[--n];
        g->tries++;
        if (walk_and_note(g, w, &gap, true) || w->failed || walk_and_note(g, w, &gap, false) ||
            !w->has_rowid) /* from both ends, and no further */
            continue;
        if (gap.low < 0 && gap.high > 0) /* rows are numbered from 1 */
            gap.low = 0;
        if ((uint64_t)gap.high - (uint64_t)gap.low <= 2 || n + 2 > sizeof stack / sizeof *stack)
            continue;
        int64_t middle =
            (int64_t)((uint64_t)gap.low + ((uint64_t)gap.high - (uint64_t)gap.low) / 2);
        stack[n++] = (struct store_salvage_gap){middle, gap.high};
        stack[n++] = (struct store_salvage_gap){gap.low, middle + 1};
    }
}

static int by_low(const void *a, const void *b)
{
    int64_t x = ((const struct store_salvage_gap *)a)->low,
            y = ((const struct store_salvage_gap *)b)->low;
    return x < y ? -1 : x > y;
}

/* From what is known to what is not. */
static void turn_round(struct store_salvage *g)
{
    struct store_salvage_gap *known = g->gaps;
    size_t count = g->gap_count;
    int64_t up_to = INT64_MIN;
    g->gaps = NULL;
    g->gap_count = g->gap_cap = 0;
    if (count)
        qsort(known, count, sizeof *known, by_low);
    for (size_t i = 0; i < count; i++) {
        if (known[i].low > up_to)
            add(g, up_to, known[i].low);
        if (known[i].high > up_to)
            up_to = known[i].high;
    }
    if (up_to < INT64_MAX)
        add(g, up_to, INT64_MAX);
    free(known);
}

bool store_salvage_table(struct store_salvage *g, const char *table)
{
    struct walk w = {0};
    g->gap_count = 0;
    g->tries = 0;
    if (g->from && walk_begin(&w, (struct store_salvage_pair){g->from, g->to, table}))
        walk_all(g, &w);
    turn_round(g);
    walk_end(&w);
    return !w.failed;
}

bool store_salvage_fill(struct store_salvage *g, const char *table, sqlite3 *copy)
{
    struct walk w = {0};
    if (g->gap_count > 0 && walk_begin(&w, (struct store_salvage_pair){copy, g->to, table}))
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
