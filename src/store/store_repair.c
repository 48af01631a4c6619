/* Repair of a damaged SQLite file, and the copies that it uses.
 *
 * A table is read by rowid from its beginning until a page is bad, then from its end; the rest is
 * halved, and each half is read again, so that only rows on bad pages are lost. A gap is everything
 * between two rows that were not read in one pass, because a bad page may look like an empty one.
 * Columns are matched by name, and rows that do not fit into the new table are left out. A table
 * WITHOUT ROWID is read by its key from both ends; the copy fills in the rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "store/store_sqlite.h"

#define SALVAGE_TRIES 20000u /* walks of one table; after these the rest counts as lost */

/* Rowids that could not be read: those between low and high, without these two. */
struct salvage_gap {
    int64_t low, high;
};

struct salvage {
    sqlite3 *from; /* NULL: nothing can be read */
    sqlite3 *to;
    size_t rows; /* copied rows, from any source */
    struct salvage_gap *gaps;
    size_t gap_count;
    size_t gap_cap;
    unsigned tries;
};

#define MAX_COLUMNS 64

/* Reads the rows of a table between two rowids and writes them. */
struct table_walk {
    sqlite3_stmt *up, *down, *put;
    bool has_rowid; /* else it is walked by its key, and gaps are not known */
    int columns;    /* after the rowid */
    bool failed;    /* the new file cannot be written */
    bool any;       /* the last pass read a row; `first` is its rowid */
    int64_t first;
};

/* A table in both files. */
struct salvage_pair {
    sqlite3 *from, *to;
    const char *table;
};

/* ---- columns */

static void add_quoted_name(struct buf *out, const char *name)
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

/* List the columns of `to` that sql names and `from` has: ", "a" DESC, "b" DESC" */
static int list_columns(struct salvage_pair p, const char *sql, const char *behind, struct buf *out)
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
        add_quoted_name(out, name);
        buf_add(out, str_from(behind));
        count++;
    }
    sqlite3_finalize(stmt);
    return count;
}

#define ALL_COLUMNS "SELECT name FROM pragma_table_info(?1)"
#define KEY_COLUMNS ALL_COLUMNS " WHERE pk > 0 ORDER BY pk"
/* Without the column that is the rowid itself. */
#define ROWID_COLUMNS                                                                              \
    ALL_COLUMNS " WHERE NOT (pk = 1 AND upper(type) = 'INTEGER' AND"                               \
                " (SELECT max(pk) FROM pragma_table_info(?1)) = 1)"

static sqlite3_stmt *prepare_sql(sqlite3 *db, const struct buf *sql)
{
    sqlite3_stmt *stmt = NULL;
    sqlite3_prepare_v2(db, sql->p, (int)sql->n, &stmt, NULL);
    return stmt;
}

/* The first column is the rowid, or 1 if the table has none. */
static sqlite3_stmt *prepare_read(struct salvage_pair p, const struct table_walk *w,
                                  struct str columns, bool up)
{
    struct buf sql = {0}, order = {0};
    buf_printf(&sql, "SELECT %s%.*s FROM main.", w->has_rowid ? "rowid" : "1", STR_ARG(columns));
    add_quoted_name(&sql, p.table);
    if (w->has_rowid)
        buf_printf(&sql, " NOT INDEXED WHERE rowid > ?1 AND rowid < ?2 ORDER BY rowid %s",
                   up ? "ASC" : "DESC");
    else if (list_columns(p, KEY_COLUMNS, up ? "" : " DESC", &order) > 0)
        buf_printf(&sql, " WHERE ?1 < ?2 ORDER BY %s", order.p + 2);
    sqlite3_stmt *stmt = prepare_sql(p.from, &sql);
    buf_done(&sql);
    buf_done(&order);
    return stmt;
}

static sqlite3_stmt *prepare_insert(struct salvage_pair p, const struct table_walk *w,
                                    struct str columns)
{
    struct buf sql = {0};
    buf_add(&sql, STR("INSERT OR IGNORE INTO main."));
    add_quoted_name(&sql, p.table);
    struct str names = w->has_rowid ? columns : str_skip(columns, 2);
    buf_printf(&sql, " (%s%.*s) VALUES (", w->has_rowid ? "rowid" : "", STR_ARG(names));
    for (int i = w->has_rowid ? 1 : 2; i <= w->columns + 1; i++)
        buf_printf(&sql, i <= w->columns ? "?%d, " : "?%d)", i);
    sqlite3_stmt *stmt = prepare_sql(p.to, &sql);
    buf_done(&sql);
    return stmt;
}

static bool has_rowid(struct salvage_pair p)
{
    struct buf sql = {0};
    buf_add(&sql, STR("SELECT rowid FROM main."));
    add_quoted_name(&sql, p.table);
    sqlite3_stmt *stmt = prepare_sql(p.to, &sql);
    buf_done(&sql);
    sqlite3_finalize(stmt);
    return stmt != NULL;
}

/* Return false if the source has no such table. */
static bool begin_walk(struct table_walk *w, struct salvage_pair p)
{
    struct buf columns = {0};
    *w = (struct table_walk){.has_rowid = has_rowid(p)};
    w->columns = list_columns(p, w->has_rowid ? ROWID_COLUMNS : ALL_COLUMNS, "", &columns);
    if (w->columns > 0) {
        w->up = prepare_read(p, w, buf_str(&columns), true);
        w->down = prepare_read(p, w, buf_str(&columns), false);
        w->put = prepare_insert(p, w, buf_str(&columns));
    }
    buf_done(&columns);
    return w->up && w->down && w->put;
}

static void end_walk(struct table_walk *w)
{
    sqlite3_finalize(w->up);
    sqlite3_finalize(w->down);
    sqlite3_finalize(w->put);
}

/* ---- rows */

/* A row that violates a constraint (a NULL, a duplicate) is left out. */
static bool copy_row(struct salvage *g, struct table_walk *w, sqlite3_stmt *row)
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

/* Return true if the pass reached the other end. Otherwise the gap begins, or ends, with the last
 * row that was read. */
static bool walk_one_way(struct salvage *g, struct table_walk *w, struct salvage_gap *gap, bool up)
{
    sqlite3_stmt *stmt = up ? w->up : w->down;
    int rc;
    w->any = false;
    sqlite3_bind_int64(stmt, 1, gap->low);
    sqlite3_bind_int64(stmt, 2, gap->high);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(stmt, 0);
        if (w->has_rowid && (id <= gap->low || id >= gap->high)) /* the pages form a circle */
            break;
        if (!copy_row(g, w, stmt))
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

static void add_gap(struct salvage *g, int64_t low, int64_t high)
{
    mem_grow((void **)&g->gaps, &g->gap_cap, g->gap_count + 1, sizeof *g->gaps);
    g->gaps[g->gap_count++] = (struct salvage_gap){low, high};
}

/* What lies between two rows of one pass is known, even if it is nothing. So is what lies before
 * the first row, or after the last one, if the pass began at that end. */
static bool note_known_range(struct salvage *g, struct table_walk *w, struct salvage_gap *gap,
                             bool up)
{
    struct salvage_gap before = *gap;
    bool is_done = walk_one_way(g, w, gap, up);
    if (is_done && before.low == INT64_MIN && before.high == INT64_MAX)
        add_gap(g, INT64_MIN, INT64_MAX);
    else if (w->any && up)
        add_gap(g, before.low == INT64_MIN ? INT64_MIN : w->first, gap->low);
    else if (w->any)
        add_gap(g, gap->high, before.high == INT64_MAX ? INT64_MAX : w->first);
    return is_done;
}

/* Intervals are on a stack. Only known ranges are noted: that a pass reached its end proves little,
 * because a page of noise may look like a page without such rows. */
static void walk_table(struct salvage *g, struct table_walk *w)
{
    struct salvage_gap stack[80] = {{INT64_MIN, INT64_MAX}};
    size_t n = 1;
    while (n > 0 && !w->failed && g->tries < SALVAGE_TRIES) {
        struct salvage_gap gap = stack[--n];
        g->tries++;
        if (note_known_range(g, w, &gap, true) || w->failed ||
            note_known_range(g, w, &gap, false) || !w->has_rowid) /* from both ends only */
            continue;
        if (gap.low < 0 && gap.high > 0) /* rowids begin at 1 */
            gap.low = 0;
        if ((uint64_t)gap.high - (uint64_t)gap.low <= 2 || n + 2 > sizeof stack / sizeof *stack)
            continue;
        int64_t middle =
            (int64_t)((uint64_t)gap.low + ((uint64_t)gap.high - (uint64_t)gap.low) / 2);
        stack[n++] = (struct salvage_gap){middle, gap.high};
        stack[n++] = (struct salvage_gap){gap.low, middle + 1};
    }
}

static int compare_low(const void *a, const void *b)
{
    int64_t x = ((const struct salvage_gap *)a)->low, y = ((const struct salvage_gap *)b)->low;
    return x < y ? -1 : x > y;
}

/* Turn the known ranges into the gaps between them. */
static void invert_ranges(struct salvage *g)
{
    struct salvage_gap *known = g->gaps;
    size_t count = g->gap_count;
    int64_t up_to = INT64_MIN;
    g->gaps = NULL;
    g->gap_count = g->gap_cap = 0;
    if (count)
        qsort(known, count, sizeof *known, compare_low);
    for (size_t i = 0; i < count; i++) {
        if (known[i].low > up_to)
            add_gap(g, up_to, known[i].low);
        if (known[i].high > up_to)
            up_to = known[i].high;
    }
    if (up_to < INT64_MAX)
        add_gap(g, up_to, INT64_MAX);
    free(known);
}

static bool salvage_table(struct salvage *g, const char *table)
{
    struct table_walk w = {0};
    g->gap_count = 0;
    g->tries = 0;
    if (g->from && begin_walk(&w, (struct salvage_pair){g->from, g->to, table}))
        walk_table(g, &w);
    invert_ranges(g);
    end_walk(&w);
    return !w.failed;
}

static bool salvage_from_copy(struct salvage *g, const char *table, sqlite3 *copy)
{
    struct table_walk w = {0};
    if (g->gap_count > 0 && begin_walk(&w, (struct salvage_pair){copy, g->to, table}))
        for (size_t i = 0; i < g->gap_count && !w.failed; i++) {
            struct salvage_gap gap = g->gaps[i];
            walk_one_way(g, &w, &gap, true);
        }
    end_walk(&w);
    return !w.failed;
}

static void free_gaps(struct salvage *g)
{
    free(g->gaps);
    g->gaps = NULL;
    g->gap_count = g->gap_cap = 0;
}

/* Files beside the store:
 *   PATH.copy         the newest copy that was sound
 *   PATH.copy-new     a copy in the making, by the holder of the lock on
 *   PATH.making       which is empty
 *   PATH.repair       the new file in the making
 *   PATH.repair-from  a copy of the damaged file to read from: SQLite writes to what it opens
 *   PATH.repaired     a complete new file, which only has to take its place
 */
#define NAME_MAX_BYTES (PATH_MAX + 64)

struct file_path {
    char path[NAME_MAX_BYTES];
};

static struct file_path path_beside(const struct sqlite *s, const char *more)
{
    struct file_path p;
    snprintf(p.path, sizeof p.path, "%s%s", s->store.name, more);
    return p;
}

static void remove_files(const struct sqlite *s, const char *name)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm", ""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct file_path p = path_beside(s, name);
        size_t n = strlen(p.path);
        snprintf(p.path + n, sizeof p.path - n, "%s", parts[i]);
        unlink(p.path);
    }
}

static bool sync_path(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;
    int code = errno;
    if (fd >= 0)
        close(fd);
    errno = code;
    return ok;
}

/* Rename, and make sure that both file and name are on the disk. */
static bool rename_synced(struct sqlite *s, const char *from, const char *to, struct error *err)
{
    struct file_path a = path_beside(s, from), b = path_beside(s, to), folder = path_beside(s, "");
    *strrchr(folder.path, '/') = 0;
    if (!sync_path(a.path, O_RDONLY) || rename(a.path, b.path) < 0 ||
        !sync_path(folder.path[0] ? folder.path : "/", O_RDONLY | O_DIRECTORY))
        return store_sqlite_fail_system(s, "write beside", errno, err);
    return true;
}

/* ---- a copy */

static bool create_private(struct sqlite *s, const char *path, struct error *err)
{
    unlink(path);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return store_sqlite_fail_system(s, "write beside", errno, err);
    close(fd);
    return true;
}

static int keep_is_ok(void *ctx, int count, char **texts, char **names)
{
    (void)names;
    *(bool *)ctx = count > 0 && texts[0] && strcmp(texts[0], "ok") == 0;
    return 0;
}

/* Copy the pages as they are; the check of the copy finds damage. The copy is one file without a
 * journal. */
static int copy_pages(sqlite3 *from, sqlite3 *to, unsigned wait_ms)
{
    sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
    if (!b)
        return sqlite3_extended_errcode(to);
    int64_t end = store_guard_clock() + wait_ms;
    int step;
    for (unsigned i = 0;
         (step = sqlite3_backup_step(b, -1)) == SQLITE_BUSY || step == SQLITE_LOCKED; i++) {
        if (store_guard_clock() >= end)
            break;
        store_guard_pause(i);
    }
    int rc = sqlite3_backup_finish(b);
    if (rc == SQLITE_OK && step != SQLITE_DONE) /* finish() does not report that it was busy */
        rc = step;
    bool is_sound = false;
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(to, "PRAGMA quick_check(1)", keep_is_ok, &is_sound, NULL);
    return rc == SQLITE_OK && !is_sound ? SQLITE_CORRUPT : rc;
}

/* Use separate connections: the one of the store may be inside a transaction. */
static bool make_copy(struct sqlite *s, struct error *err)
{
    struct file_path fresh = path_beside(s, ".copy-new");
    sqlite3 *from = NULL, *to = NULL;
    if (!create_private(s, fresh.path, err))
        return false;
    int rc = sqlite3_open_v2(s->store.name, &from, SQLITE_OPEN_READWRITE, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(from, (int)s->store.wait_ms);
        rc = sqlite3_open_v2(fresh.path, &to, SQLITE_OPEN_READWRITE, NULL);
    }
    if (rc == SQLITE_OK)
        rc = copy_pages(from, to, s->store.wait_ms);
    sqlite3_close(to);
    sqlite3_close(from);
    bool ok = rc == SQLITE_OK || store_sqlite_fail(s, rc, err);
    ok = ok && rename_synced(s, ".copy-new", ".copy", err);
    if (!ok)
        remove_files(s, ".copy-new");
    return ok;
}

/* If another process is making a copy, leave it to that one. */
bool store_repair_copy(struct store *base, struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    struct file_path lock = path_beside(s, ".making");
    struct store_guard guard = {.path = lock.path, .fd = -1};
    if (!store_guard_try_alone(&guard) && errno == EWOULDBLOCK)
        return true;
    bool ok = make_copy(s, err);
    store_guard_drop(&guard);
    return ok;
}

/* ---- what is read */

/* Copy byte by byte; a missing file is no failure. */
static bool copy_file(struct sqlite *s, const char *from, const char *to, struct error *err)
{
    struct file_path a = path_beside(s, from), b = path_beside(s, to);
    int in = open(a.path, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return errno == ENOENT || store_sqlite_fail_system(s, "read", errno, err);
    int out = open(b.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t n = out < 0 ? -1 : 1;
    while (n > 0 || (n < 0 && out >= 0 && errno == EINTR))
        n = sendfile(out, in, NULL, 1 << 20);
    int code = errno;
    close(in);
    if (out >= 0)
        close(out);
    return n == 0 || store_sqlite_fail_system(s, "copy", code, err);
}

/* Open a file whose schema may be readable only in part. */
static sqlite3 *open_raw(const char *path, int flags)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(path, &db, flags, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        rc = sqlite3_exec(db,
                          "PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON;"
                          "SELECT count(*) FROM sqlite_master",
                          NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        return db;
    sqlite3_close(db);
    return NULL;
}

static bool has_tables(sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    bool found = db &&
                 sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_master WHERE type = 'table'", -1,
                                    &stmt, NULL) == SQLITE_OK &&
                 sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_finalize(stmt);
    return found;
}

/* ---- the first page */

#define PAGE 4096u

static void put_number(unsigned char *at, uint32_t n)
{
    for (int i = 3; i >= 0; i--, n >>= 8)
        at[i] = (unsigned char)n;
}

static uint32_t get_number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool copy_page(int from, int to, uint32_t page, unsigned char bytes[PAGE])
{
    off_t at = (off_t)(page - 1) * PAGE;
    return page > 0 && pread(from, bytes, PAGE, at) == PAGE &&
           (page == 1 || pwrite(to, bytes, PAGE, at) == PAGE);
}

/* Copy the list of tables, also if it does not fit on the first page: one more level is enough for
 * some hundred tables. */
static bool copy_list_of_tables(int from, int to, unsigned char first[PAGE])
{
    unsigned char bytes[PAGE];
    if (!copy_page(from, to, 1, first) || (first[16] << 8 | first[17]) != PAGE)
        return false;
    const unsigned char *head = first + 100;
    if (head[0] != 5) /* it fits on the first page */
        return head[0] == 13;
    bool ok = copy_page(from, to, get_number(head + 8), bytes);
    size_t cells = (size_t)(head[3] << 8 | head[4]);
    for (size_t slot = 112; ok && cells > 0; cells--, slot += 2) {
        size_t cell = slot + 2 <= PAGE ? (size_t)(first[slot] << 8 | first[slot + 1]) : PAGE;
        ok = cell + 4 <= PAGE && copy_page(from, to, get_number(first + cell), bytes);
    }
    return ok;
}

/* Without its first page a file has no list of tables. The list is the same in every file of this
 * schema, or at least in a copy of the file. */
static void give_first_page(struct sqlite *s, const char *giver)
{
    struct file_path a = path_beside(s, giver), b = path_beside(s, ".repair-from");
    int from = open(a.path, O_RDONLY | O_CLOEXEC), to = open(b.path, O_RDWR | O_CLOEXEC);
    unsigned char first[PAGE];
    struct stat st;
    if (from >= 0 && to >= 0 && fstat(to, &st) == 0 && copy_list_of_tables(from, to, first)) {
        uint32_t pages = (uint32_t)(st.st_size / PAGE);
        put_number(first + 28, pages ? pages : 1);
        put_number(first + 32, 0); /* free pages */
        put_number(first + 36, 0);
        put_number(first + 24, 1); /* change counter, and the one that the size is valid for */
        put_number(first + 92, 1);
        (void)!pwrite(to, first, PAGE, 0);
    }
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

/* Return NULL if nothing can be read. */
static sqlite3 *open_damaged(struct sqlite *s, bool has_copy)
{
    struct file_path from = path_beside(s, ".repair-from");
    struct stat st;
    /* SQLite would delete its journal */
    bool is_empty = stat(from.path, &st) < 0 || st.st_size == 0;
    sqlite3 *db = is_empty ? NULL : open_raw(from.path, SQLITE_OPEN_READWRITE);
    if (has_tables(db))
        return db;
    sqlite3_close(db);
    if (has_copy || s->store.schema->version == 1)
        give_first_page(s, has_copy ? ".copy" : ".repair");
    db = open_raw(from.path, SQLITE_OPEN_READWRITE);
    if (has_tables(db))
        return db;
    sqlite3_close(db);
    return NULL;
}

/* ---- the new one */

struct repair_file {
    struct sqlite *damaged, *fresh;
    sqlite3 *from, *copy; /* may be NULL */
    struct store_repair *out;
};

/* Keep the rows that every new file has only if no others were found. */
static bool restore_table(struct repair_file *r, const char *table, struct error *err)
{
    struct salvage g = {.from = r->from, .to = r->fresh->db};
    char *sql = sqlite3_mprintf("SAVEPOINT one; DELETE FROM \"%w\"", table);
    bool ok = store_sqlite_exec(r->fresh, sql, err);
    sqlite3_free(sql);
    if (!ok)
        return false;
    ok = salvage_table(&g, table);
    size_t rows = g.rows;
    if (ok && r->copy)
        ok = salvage_from_copy(&g, table, r->copy);
    r->out->rows += rows;
    r->out->from_copy += g.rows - rows;
    size_t all = g.rows;
    free_gaps(&g);
    if (!ok)
        return store_sqlite_fail(r->fresh, sqlite3_extended_errcode(r->fresh->db), err);
    return store_sqlite_exec(r->fresh, all ? "RELEASE one" : "ROLLBACK TO one; RELEASE one", err);
}

/* Keep AUTOINCREMENT counters, so that no number is given twice. sqlite_sequence has no key of its
 * own. */
static void restore_counters(sqlite3 *from, sqlite3 *to)
{
    static const char raise[] =
        "INSERT INTO sqlite_sequence (rowid, name, seq)"
        " SELECT (SELECT rowid FROM sqlite_sequence WHERE name = ?1), ?1,"
        " max(?2, coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), 0))"
        " WHERE EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1 AND sql LIKE"
        " '%AUTOINCREMENT%') ON CONFLICT (rowid) DO UPDATE SET seq = excluded.seq";
    sqlite3_stmt *get = NULL, *set = NULL;
    if (from &&
        sqlite3_prepare_v2(from, "SELECT name, seq FROM sqlite_sequence", -1, &get, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(to, raise, -1, &set, NULL) == SQLITE_OK)
        while (sqlite3_step(get) == SQLITE_ROW) {
            sqlite3_bind_value(set, 1, sqlite3_column_value(get, 0));
            sqlite3_bind_int64(set, 2, sqlite3_column_int64(get, 1));
            sqlite3_step(set);
            sqlite3_reset(set);
        }
    sqlite3_finalize(get);
    sqlite3_finalize(set);
}

#define MAX_TABLES 64u

static size_t list_tables(sqlite3 *db, char *names[MAX_TABLES])
{
    sqlite3_stmt *stmt = NULL;
    size_t n = 0;
    if (sqlite3_prepare_v2(db,
                           "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE"
                           " 'sqlite_%' ORDER BY rowid",
                           -1, &stmt, NULL) == SQLITE_OK)
        while (n < MAX_TABLES && sqlite3_step(stmt) == SQLITE_ROW)
            names[n++] = str_dup(str_from((const char *)sqlite3_column_text(stmt, 0)));
    sqlite3_finalize(stmt);
    return n;
}

static bool restore_tables(struct repair_file *r, struct error *err)
{
    char *tables[MAX_TABLES];
    size_t count = list_tables(r->fresh->db, tables);
    bool ok = store_sqlite_exec(r->fresh, "BEGIN IMMEDIATE", err);
    for (size_t i = 0; i < count; i++) {
        ok = ok && restore_table(r, tables[i], err);
        free(tables[i]);
    }
    if (!ok)
        return false;
    restore_counters(r->copy, r->fresh->db);
    restore_counters(r->from, r->fresh->db);
    const char *after_repair = r->damaged->store.schema->after_repair;
    char answer[STORE_SQLITE_ANSWER];
    r->fresh->now = rfc3339_now();
    return (!after_repair || store_sqlite_exec(r->fresh, after_repair, err)) &&
           store_sqlite_exec(r->fresh, "COMMIT", err) &&
           store_sqlite_ask(r->fresh, "PRAGMA integrity_check(1)", answer, err) &&
           (strcmp(answer, "ok") == 0 || store_sqlite_fail(r->fresh, SQLITE_CORRUPT, err)) &&
           store_sqlite_exec(r->fresh, "PRAGMA journal_mode = DELETE", err);
}

/* Create a new file with all its tables. */
static bool open_new_file(struct repair_file *r, const struct store_options *o, struct error *err)
{
    struct file_path p = path_beside(r->damaged, ".repair");
    r->fresh = store_sqlite_new(o);
    r->fresh->store.name = str_dup(str_from(p.path));
    return store_sqlite_connect(r->fresh, err) == STORE_SQLITE_OPENED &&
           store_sqlite_exec(r->fresh, "PRAGMA wal_checkpoint(TRUNCATE)", err);
}

/* By the application_id on its first page. */
static bool is_our_file(const struct sqlite *s)
{
    struct file_path p = path_beside(s, ".repair-from");
    unsigned char first[100];
    int fd = open(p.path, O_RDONLY | O_CLOEXEC);
    bool ours = fd >= 0 && read(fd, first, sizeof first) == sizeof first &&
                memcmp(first, "SQLite format 3", 16) == 0 &&
                get_number(first + 68) == (uint32_t)s->store.schema->mark;
    if (fd >= 0)
        close(fd);
    return ours;
}

/* It may be the file of another program: leave it. */
static bool fail_empty(struct sqlite *s, struct error *err)
{
    s->store.failure = STORE_DAMAGED;
    return error_set(
        err, ERR_IO,
        "cannot repair %s: nothing in it can be read, and there is no copy; nothing was"
        " changed: move it away to start with an empty store",
        s->store.name);
}

static bool make_repaired(struct sqlite *s, const struct store_options *o, struct store_repair *out,
                          struct error *err)
{
    struct repair_file r = {.damaged = s, .out = out};
    struct file_path copy = path_beside(s, ".copy");
    remove_files(s, ".repair");
    remove_files(s, ".repair-from");
    bool ok = copy_file(s, "", ".repair-from", err) &&
              copy_file(s, "-wal", ".repair-from-wal", err) &&
              copy_file(s, "-journal", ".repair-from-journal", err) && open_new_file(&r, o, err);
    if (ok && file_exists(copy.path))
        r.copy = open_raw(copy.path, SQLITE_OPEN_READONLY);
    bool ours = ok && is_our_file(s); /* before the first page is replaced */
    if (ok)
        r.from = open_damaged(s, r.copy);
    ok = ok && restore_tables(&r, err);
    if (ok && !ours && out->rows + out->from_copy == 0)
        ok = fail_empty(s, err);
    sqlite3_close(r.from);
    sqlite3_close(r.copy);
    if (r.fresh)
        store_sqlite_free(r.fresh);
    remove_files(s, ".repair-from");
    ok = ok && rename_synced(s, ".repair", ".repaired", err);
    if (!ok)
        remove_files(s, ".repair");
    return ok;
}

/* Replace the file in one step. The damaged file keeps its name until then; its journals do not,
 * because they would be taken for those of the new file. */
static bool replace_file(struct sqlite *s, struct store_repair *out, struct error *err)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm"};
    char when[RFC3339_LEN + 1], more[64];
    rfc3339_format(rfc3339_now(), when);
    snprintf(out->aside, sizeof out->aside, "%s.damaged-%s", s->store.name, when);
    bool is_there = file_exists(s->store.name);
    if (is_there && link(s->store.name, out->aside) < 0 &&
        rename(s->store.name, out->aside) < 0) /* no hard links here */
        return store_sqlite_fail_system(s, "move aside the damaged", errno, err);
    if (!is_there)
        out->aside[0] = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(more, sizeof more, ".damaged-%s%s", when, parts[i]);
        struct file_path from = path_beside(s, parts[i]), to = path_beside(s, more);
        if (rename(from.path, to.path) < 0 && errno != ENOENT)
            return store_sqlite_fail_system(s, "move aside the damaged", errno, err);
    }
    return rename_synced(s, ".repaired", "", err);
}

static bool lock_alone(struct sqlite *s, struct error *err)
{
    int64_t end = store_guard_clock() + s->store.wait_ms;
    for (unsigned i = 0; !store_guard_try_alone(&s->guard); i++) {
        if (errno != EWOULDBLOCK)
            return store_sqlite_fail_system(s, "lock", errno, err);
        if (store_guard_clock() >= end) {
            s->store.failure = STORE_UNAVAILABLE;
            return error_set(err, ERR_IN_USE, "%s is in use: stop the processes that have it open",
                             s->store.name);
        }
        store_guard_pause(i);
    }
    return true;
}

static bool repair_file(struct sqlite *s, const struct store_options *o, struct store_repair *out,
                        struct error *err)
{
    struct file_path repaired = path_beside(s, ".repaired"), copy = path_beside(s, ".copy");
    struct error reason = {0};
    if (!lock_alone(s, err))
        return false;
    if (file_exists(repaired.path)) /* of a repair that was interrupted */
        return replace_file(s, out, err);
    if (!file_exists(s->store.name) && !file_exists(copy.path))
        return store_sqlite_fail_system(s, "repair", ENOENT, err);
    enum store_sqlite_opened how =
        file_exists(s->store.name) ? store_sqlite_check(s, &reason) : STORE_SQLITE_DAMAGED;
    store_sqlite_disconnect(s);
    if (how == STORE_SQLITE_OPENED)
        return true;
    if (how == STORE_SQLITE_FAILED)
        return error_set(err, reason.code, "%s", reason.text);
    return make_repaired(s, o, out, err) && replace_file(s, out, err);
}

bool store_repair(const struct store_options *o, struct store_repair *out, struct error *err)
{
    *out = (struct store_repair){0};
    if (store_is_server(o->url))
        return error_set(err, ERR_INVALID_PARAMS,
                         "cannot repair a store on a server: restore a backup of the database");
    struct sqlite *s = store_sqlite_new(o);
    bool ok = store_sqlite_find(s, o->url, err) && repair_file(s, o, out, err);
    store_sqlite_free(s);
    return ok;
}
