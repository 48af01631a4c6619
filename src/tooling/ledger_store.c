#include "tooling/ledger_store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "tooling/ledger_guard.h"
#include "tooling/ledger_schema.h"

#define STATEMENTS     32u
#define ANSWER_MAX     32u
#define PROGRAM_ID     0x6d766572 /* "mver", in the header of the file */
#define WAL_KEEP_BYTES "4194304"

struct ledger_store {
    char *path, *guard_path;
    unsigned wait_ms;
    struct ledger_guard guard;
    sqlite3 *db;
    struct {
        const char *sql;
        sqlite3_stmt *stmt;
    } kept[STATEMENTS];
    int64_t busy_until; /* of the wait that is on, on the monotonic clock */
    dev_t device;       /* of the open file */
    ino_t inode;
    bool damaged; /* the last failure was that of a damaged file */
    bool refused; /* ... was that of a statement */
};

enum opened {
    OPENED,
    OPEN_DAMAGED,
    OPEN_FAILED /* and *err says why */
};

/* ---- waiting */

/* SQLite's own waits grow to 100 ms, which among many is too rarely to ever get a turn. */
static int on_busy(void *ctx, int count)
{
    struct ledger_store *s = ctx;
    if (count == 0)
        s->busy_until = ledger_guard_clock() + s->wait_ms;
    else if (ledger_guard_clock() >= s->busy_until)
        return 0;
    ledger_guard_pause((unsigned)count);
    return 1;
}

/* ---- failures */

static bool fail_system(const struct ledger_store *s, const char *what, int code, struct error *err)
{
    char text[128];
    return error_set(err, ERR_IO, "cannot %s %s: %s", what, s->path,
                     strerror_r(code, text, sizeof text));
}

/* What SQLite said last, in a sentence; keeps in mind whether the file is damaged. */
static bool fail(struct ledger_store *s, int rc, struct error *err)
{
    int kind = rc & 0xff;
    s->refused = kind == SQLITE_ERROR;
    s->damaged = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_TOOBIG;
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED || kind == SQLITE_PROTOCOL)
        return error_set(err, ERR_IN_USE, "%s is busy: other processes held it for %u ms", s->path,
                         s->wait_ms);
    if (kind == SQLITE_READONLY)
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->path);
    bool system = s->db && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN);
    int code = system ? sqlite3_system_errno(s->db) : 0;
    char text[128] = "";
    return error_set(err, ERR_IO, "cannot use %s: %s%s%s", s->path,
                     s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc), code ? ": " : "",
                     code ? strerror_r(code, text, sizeof text) : "");
}

/* ---- statements */

static void forget_statements(struct ledger_store *s)
{
    for (size_t i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(s->kept[i].stmt);
        s->kept[i].sql = NULL;
        s->kept[i].stmt = NULL;
    }
}

static sqlite3_stmt *prepare(struct ledger_store *s, const char *sql, struct error *err)
{
    size_t i = 0;
    while (i < STATEMENTS && s->kept[i].sql && s->kept[i].sql != sql)
        i++;
    assert(i < STATEMENTS);
    if (s->kept[i].sql)
        return s->kept[i].stmt;
    int rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->kept[i].stmt, NULL);
    if (rc != SQLITE_OK) {
        fail(s, rc, err);
        return NULL;
    }
    s->kept[i].sql = sql;
    return s->kept[i].stmt;
}

static int bind(sqlite3_stmt *stmt, int at, const struct ledger_value *v)
{
    switch (v->type) {
    case LEDGER_TYPE_INT:
        return sqlite3_bind_int64(stmt, at, v->integer);
    case LEDGER_TYPE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case LEDGER_TYPE_TEXT:
        break;
    }
    return sqlite3_bind_text64(stmt, at, v->text.p ? v->text.p : "", v->text.n, SQLITE_STATIC,
                               SQLITE_UTF8);
}

bool ledger_store_each(struct ledger_store *s, const struct ledger_statement *st,
                       ledger_row_fn *each, void *ctx, struct error *err)
{
    sqlite3_stmt *stmt = prepare(s, st->sql, err);
    if (!stmt)
        return false;
    int rc = SQLITE_OK, count = sqlite3_bind_parameter_count(stmt);
    assert(count <= (int)(sizeof st->values / sizeof *st->values));
    for (int i = 0; i < count && rc == SQLITE_OK; i++)
        rc = bind(stmt, i + 1, &st->values[i]);
    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
            if (each)
                each((const struct ledger_row *)stmt, ctx);
    bool ok = rc == SQLITE_DONE || fail(s, rc, err);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    return ok;
}

bool ledger_store_do(struct ledger_store *s, const struct ledger_statement *st, size_t *changed,
                     struct error *err)
{
    if (!ledger_store_each(s, st, NULL, NULL, err))
        return false;
    if (changed)
        *changed = (size_t)sqlite3_changes(s->db);
    return true;
}

int64_t ledger_row_int(const struct ledger_row *row, int column)
{
    return sqlite3_column_int64((sqlite3_stmt *)row, column);
}

double ledger_row_real(const struct ledger_row *row, int column)
{
    return sqlite3_column_double((sqlite3_stmt *)row, column);
}

struct str ledger_row_text(const struct ledger_row *row, int column)
{
    sqlite3_stmt *stmt = (sqlite3_stmt *)row;
    const char *p = (const char *)sqlite3_column_text(stmt, column);
    return str_make(p, p ? (size_t)sqlite3_column_bytes(stmt, column) : 0);
}

/* Statements without values and without a place among those that are kept. */
static bool run_sql(struct ledger_store *s, const char *sql, struct error *err)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK || fail(s, rc, err);
}

static int on_first(void *ctx, int count, char **texts, char **names)
{
    (void)names;
    snprintf(ctx, ANSWER_MAX, "%s", count > 0 && texts[0] ? texts[0] : "");
    return 0;
}

/* The first column of the only row: a number, or a short word such as "ok". */
static bool ask_sql(struct ledger_store *s, const char *sql, char answer[ANSWER_MAX],
                    struct error *err)
{
    answer[0] = 0;
    int rc = sqlite3_exec(s->db, sql, on_first, answer, NULL);
    return rc == SQLITE_OK || fail(s, rc, err);
}

/* ---- opening */

static void disconnect(struct ledger_store *s)
{
    forget_statements(s);
    sqlite3_close(s->db);
    s->db = NULL;
}

/* The file is made by us, because SQLite would let others read it. An existing one is not opened
 * here: closing it again would take away the locks SQLite has on it elsewhere in this process. */
static bool make_file(struct ledger_store *s, struct error *err)
{
    int fd = open(s->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
        return fail_system(s, "write", errno, err);
    if (fd >= 0)
        close(fd);
    struct stat st;
    if (stat(s->path, &st) < 0)
        return fail_system(s, "read", errno, err);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERR_IO, "cannot use %s: it is not a regular file", s->path);
    if (st.st_mode & 077) /* one that is not ours stays as it is */
        (void)!chmod(s->path, st.st_mode & 0700);
    return true;
}

/* Where there is no shared memory (some network file systems), the rollback journal stays. */
static bool choose_journal(struct ledger_store *s, struct error *err)
{
    char mode[ANSWER_MAX];
    bool wal = ask_sql(s, "PRAGMA journal_mode = WAL", mode, NULL) && strcmp(mode, "wal") == 0;
    if (!wal && s->damaged)
        return false;
    return run_sql(s,
                   wal ? "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = " WAL_KEEP_BYTES
                       : "PRAGMA synchronous = FULL",
                   err);
}

static bool ask_number(struct ledger_store *s, const char *sql, long *number, struct error *err)
{
    char answer[ANSWER_MAX];
    if (!ask_sql(s, sql, answer, err))
        return false;
    *number = strtol(answer, NULL, 10);
    return true;
}

static bool tell_damage(struct ledger_store *s, struct error *err)
{
    s->damaged = true;
    return error_set(err, ERR_IO, "cannot use %s: its tables are damaged", s->path);
}

/* What the file says it is, and whether there is anything in it. */
struct label {
    long program, version, tables;
};

static bool read_label(struct ledger_store *s, struct label *l, struct error *err)
{
    return ask_number(s, "PRAGMA application_id", &l->program, err) &&
           ask_number(s, "PRAGMA user_version", &l->version, err) &&
           ask_number(s, "SELECT count(*) FROM sqlite_master", &l->tables, err);
}

static bool upgrade(struct ledger_store *s, struct error *err)
{
    struct label l;
    if (!read_label(s, &l, err))
        return false;
    if (l.program != PROGRAM_ID && l.tables > 0)
        return error_set(
            err, ERR_IO,
            "cannot use %s: it belongs to another program; move it away, or set MULTIVERSE_HOME",
            s->path);
    if (l.tables == 0)
        l.version = 0;
    else if (l.version > LEDGER_SCHEMA_VERSION)
        return error_set(err, ERR_IO,
                         "cannot use %s: a newer version of this program made it; use that one",
                         s->path);
    else if (l.version < 1)
        return tell_damage(s, err);
    for (long v = l.version; v < LEDGER_SCHEMA_VERSION; v++) {
        char mark[96];
        snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %ld",
                 PROGRAM_ID, v + 1);
        if (!run_sql(s, ledger_schema[v], err) || !run_sql(s, mark, err))
            return false;
    }
    return true;
}

/* Tables that lack something are damaged: nothing but this program made them. */
static bool check_tables(struct ledger_store *s, struct error *err)
{
    char answer[ANSWER_MAX];
    if (ask_sql(s, ledger_schema_check, answer, err))
        return strcmp(answer, "1") == 0 || tell_damage(s, err);
    return s->refused && tell_damage(s, err);
}

/* Reading first: most openings need no write lock. */
static bool bring_up_to_date(struct ledger_store *s, struct error *err)
{
    struct label l;
    if (!read_label(s, &l, err))
        return false;
    if (l.program == PROGRAM_ID && l.version == LEDGER_SCHEMA_VERSION && l.tables > 0)
        return check_tables(s, err);
    if (!run_sql(s, "BEGIN IMMEDIATE", err))
        return false;
    if (upgrade(s, err) && run_sql(s, "COMMIT", err))
        return check_tables(s, err);
    bool damaged = s->damaged;
    run_sql(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    return false;
}

static bool set_up(struct ledger_store *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE, NULL);
    if (rc != SQLITE_OK)
        return fail(s, rc, err);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_handler(s->db, on_busy, s);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (sqlite3_db_readonly(s->db, "main"))
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->path);
    char answer[ANSWER_MAX]; /* the first look inside: garbage shows */
    if (!ask_sql(s, "SELECT count(*) FROM sqlite_master", answer, err))
        return s->refused && tell_damage(s, err);
    return choose_journal(s, err) && bring_up_to_date(s, err);
}

static enum opened connect_file(struct ledger_store *s, struct error *err)
{
    s->damaged = false;
    if (make_file(s, err) && set_up(s, err))
        return OPENED;
    disconnect(s);
    return s->damaged ? OPEN_DAMAGED : OPEN_FAILED;
}

/* As one of those who use it. Where there are no such locks, it is used all the same, but never
 * moved. */
static bool hold(struct ledger_store *s, struct error *err)
{
    char text[128];
    if (ledger_guard_share(&s->guard) || errno == ENOLCK || errno == ENOSYS ||
        errno == EOPNOTSUPP || errno == EINVAL)
        return true;
    if (errno == EWOULDBLOCK)
        return error_set(err, ERR_IN_USE, "%s is being repaired by another process", s->path);
    return error_set(err, ERR_IO, "cannot write %s: %s", s->guard_path,
                     strerror_r(errno, text, sizeof text));
}

/* ---- a damaged file */

static enum opened check_all(struct ledger_store *s, struct error *err)
{
    enum opened how = connect_file(s, err);
    char answer[ANSWER_MAX];
    if (how != OPENED)
        return how;
    if (ask_sql(s, "PRAGMA integrity_check(1)", answer, err) && strcmp(answer, "ok") == 0)
        return OPENED;
    bool damaged = s->damaged || answer[0];
    disconnect(s);
    return damaged ? OPEN_DAMAGED : OPEN_FAILED;
}

/* Its journals first: behind a new file of that name they would be taken for its own. */
static bool move_aside(struct ledger_store *s, struct error *err)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm", ""};
    char when[RFC3339_LEN + 1], from[PATH_MAX + 16], to[PATH_MAX + 64];
    rfc3339_format(rfc3339_now(), when);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(from, sizeof from, "%s%s", s->path, parts[i]);
        snprintf(to, sizeof to, "%s.damaged-%s%s", s->path, when, parts[i]);
        if (rename(from, to) < 0 && errno != ENOENT)
            return fail_system(s, "move aside the damaged", errno, err);
    }
    return true;
}

static enum opened begin_anew(struct ledger_store *s, struct error *err)
{
    struct error why = {0};
    enum opened how = check_all(s, &why);
    if (how == OPEN_DAMAGED) {
        if (!move_aside(s, err))
            return OPEN_FAILED;
        return connect_file(s, err) == OPENED ? OPENED : OPEN_FAILED;
    }
    if (how == OPEN_FAILED)
        error_set(err, why.code, "%s", why.text);
    return how; /* OPENED: another process has done it */
}

static bool cannot_repair(const struct ledger_store *s, bool in_use, struct error *err)
{
    return error_set(err, in_use ? ERR_IN_USE : ERR_IO, "%s is damaged, and %s", s->path,
                     in_use ? "other processes have it open"
                            : "there are no locks here to move it aside safely");
}

/* All who find the damage let go of the file. The first of them to get it alone moves it; the
 * others see a new one in its place. */
static bool repair(struct ledger_store *s, struct error *err)
{
    int64_t end = ledger_guard_clock() + s->wait_ms;
    disconnect(s);
    ledger_guard_drop(&s->guard);
    for (unsigned i = 0; !ledger_guard_try_alone(&s->guard); i++) {
        if (errno != EWOULDBLOCK)
            return cannot_repair(s, false, err);
        struct stat st;
        if (stat(s->path, &st) == 0 && (st.st_ino != s->inode || st.st_dev != s->device))
            return hold(s, err) && connect_file(s, err) == OPENED;
        if (ledger_guard_clock() >= end)
            return cannot_repair(s, true, err);
        ledger_guard_pause(i);
    }
    return begin_anew(s, err) == OPENED && hold(s, err);
}

/* ---- life */

/* The file at the end of all links, for SQLite keeps its other files beside that one. */
static bool find_path(struct ledger_store *s, const char *path, struct error *err)
{
    char folder[PATH_MAX], full[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str parent = slash ? str_make(path, (size_t)(slash - path)) : STR(".");
    if (slash == path)
        parent = STR("/");
    snprintf(folder, sizeof folder, "%.*s", STR_ARG(parent));
    s->path = str_dup(str_from(path));
    if (parent.n >= sizeof folder || !*name)
        return fail_system(s, "open", *name ? ENAMETOOLONG : EISDIR, err);
    if (mkdir(folder, 0700) < 0 && errno == ENOENT && file_make_dirs(folder, NULL))
        (void)!chmod(folder, 0700);
    if (!realpath(path, full)) {
        if (!realpath(folder, full))
            return fail_system(s, "open", errno, err);
        size_t n = strlen(full);
        int more = snprintf(full + n, sizeof full - n, "/%s", name);
        if (more < 0 || (size_t)more >= sizeof full - n)
            return fail_system(s, "open", ENAMETOOLONG, err);
    }
    free(s->path);
    s->path = str_dup(str_from(full));
    s->guard_path = mem_alloc(strlen(full) + sizeof ".guard");
    snprintf(s->guard_path, strlen(full) + sizeof ".guard", "%s.guard", full);
    s->guard.path = s->guard_path;
    return true;
}

/* Whether it was left without being closed: by a crash, or cut off by who knows what. */
static bool was_left_open(const struct ledger_store *s)
{
    char wal[PATH_MAX + 8];
    struct stat st;
    snprintf(wal, sizeof wal, "%s-wal", s->path);
    return stat(wal, &st) == 0 && st.st_size > 0;
}

static bool is_ragged(struct ledger_store *s)
{
    char answer[ANSWER_MAX];
    struct stat st;
    if (!ask_sql(s, "PRAGMA page_size", answer, NULL) || stat(s->path, &st) < 0)
        return true;
    long page = strtol(answer, NULL, 10);
    return page <= 0 || st.st_size % page != 0;
}

/* All of it is looked at, which takes a while: only if there is a reason, and nobody else has it
 * open. What goes unnoticed here shows when it is met. */
static bool examine(struct ledger_store *s, struct error *err)
{
    if (ledger_guard_try_alone(&s->guard)) {
        disconnect(s);
        if (begin_anew(s, err) != OPENED)
            return false;
    }
    return hold(s, err);
}

static bool open_held(struct ledger_store *s, struct error *err)
{
    if (!hold(s, err))
        return false;
    bool left = was_left_open(s);
    struct error why = {0};
    enum opened how = connect_file(s, &why);
    if (how == OPENED)
        return (!left && !is_ragged(s)) || examine(s, err);
    if (how == OPEN_DAMAGED)
        return repair(s, err);
    return error_set(err, why.code, "%s", why.text);
}

struct ledger_store *ledger_store_open(const char *path, unsigned wait_ms, struct error *err)
{
    struct ledger_store *s = mem_zalloc(sizeof *s);
    s->wait_ms = wait_ms;
    s->guard = (struct ledger_guard){.wait_ms = wait_ms, .fd = -1};
    if (find_path(s, path, err) && open_held(s, err))
        return s;
    ledger_store_close(s);
    return NULL;
}

void ledger_store_close(struct ledger_store *s)
{
    if (!s)
        return;
    disconnect(s);
    ledger_guard_drop(&s->guard);
    free(s->path);
    free(s->guard_path);
    free(s);
}

/* Somebody may have removed the file, or put another one in its place. */
static bool is_in_place(const struct ledger_store *s)
{
    struct stat st;
    return s->db && stat(s->path, &st) == 0 && st.st_dev == s->device && st.st_ino == s->inode;
}

static bool run_once(struct ledger_store *s, enum ledger_mode mode, ledger_store_fn *work,
                     void *ctx, struct error *err)
{
    s->damaged = false;
    if (!run_sql(s, mode == LEDGER_WRITE ? "BEGIN IMMEDIATE" : "BEGIN", err))
        return false;
    if (work(s, ctx, err) && run_sql(s, "COMMIT", err))
        return true;
    bool damaged = s->damaged;
    if (!sqlite3_get_autocommit(s->db))
        run_sql(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    return false;
}

bool ledger_store_run(struct ledger_store *s, enum ledger_mode mode, ledger_store_fn *work,
                      void *ctx, struct error *err)
{
    if (!is_in_place(s)) {
        disconnect(s);
        if (!open_held(s, err))
            return false;
    }
    struct error why = {0};
    if (run_once(s, mode, work, ctx, &why))
        return true;
    if (!s->damaged)
        return error_set(err, why.code, "%s", why.text);
    return repair(s, err) && run_once(s, mode, work, ctx, err);
}
