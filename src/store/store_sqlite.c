#include "store/store_sqlite.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "store/store_notify.h"

#define WAL_KEEP_BYTES "4194304"
#define REPAIR_COMMAND "multiverse task repair"

/* ---- failures */

/* Errors of the system that may go away. */
static bool may_pass(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EIO || code == EMFILE || code == ENFILE ||
           code == ENOMEM || code == EAGAIN || code == ESTALE || code == ETXTBSY;
}

bool store_sqlite_fail_system(struct sqlite *s, const char *what, int code, struct error *err)
{
    char text[128];
    s->store.failure = may_pass(code) ? STORE_UNAVAILABLE : STORE_REFUSED;
    return error_set(err, ERR_IO, "cannot %s %s: %s", what, s->store.name,
                     strerror_r(code, text, sizeof text));
}

static enum store_failure failure_of(int rc, int system)
{
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
    case SQLITE_FULL:
    case SQLITE_NOMEM:
        return STORE_UNAVAILABLE;
    case SQLITE_IOERR:
        return rc == SQLITE_IOERR_CORRUPTFS || rc == SQLITE_IOERR_DATA ? STORE_DAMAGED
                                                                       : STORE_UNAVAILABLE;
    case SQLITE_READONLY: /* moved: it is opened again next time */
        return rc == SQLITE_READONLY_DBMOVED ? STORE_UNAVAILABLE : STORE_REFUSED;
    case SQLITE_CANTOPEN:
        return may_pass(system) ? STORE_UNAVAILABLE : STORE_REFUSED;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_TOOBIG:
        return STORE_DAMAGED;
    default:
        return STORE_REFUSED;
    }
}

/* If the contents can be lost, the user has nothing to do. */
static bool fail_damaged(struct sqlite *s, const char *what, struct error *err)
{
    s->damaged = true;
    s->store.failure = STORE_DAMAGED;
    return error_set(
        err, ERR_IO,
        s->store.schema->is_expendable
            ? "cannot use %s: it is damaged (%s)"
            : "cannot use %s: it is damaged (%s); nothing was changed, and " REPAIR_COMMAND
              " brings back what can be read",
        s->store.name, what);
}

bool store_sqlite_fail(struct sqlite *s, int rc, struct error *err)
{
    int kind = rc & 0xff;
    char text[128] = "";
    bool is_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN;
    bool is_last =
        /* else the error is of another connection */
        s->db && (sqlite3_errcode(s->db) & 0xff) == kind;
    const char *said = is_last ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc);
    int code = is_last ? sqlite3_system_errno(s->db) : 0;
    s->store.failure = failure_of(rc, code);
    s->refused = kind == SQLITE_ERROR;
    s->damaged = false;
    if (s->store.failure == STORE_DAMAGED)
        return fail_damaged(s, said, err);
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED || kind == SQLITE_PROTOCOL)
        return error_set(err, ERR_IN_USE, "%s is busy: other processes held it for %u ms",
                         s->store.name, s->store.wait_ms);
    if (kind == SQLITE_READONLY && s->store.failure == STORE_REFUSED)
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->store.name);
    if (kind == SQLITE_FULL || (is_system && (code == ENOSPC || code == EDQUOT)))
        return error_set(err, ERR_IO, "cannot write %s: the disk is full", s->store.name);
    return error_set(err, ERR_IO, "cannot use %s: %s%s%s", s->store.name, said,
                     is_system && code ? ": " : "",
                     is_system && code ? strerror_r(code, text, sizeof text) : "");
}

/* ---- plain statements */

bool store_sqlite_exec(struct sqlite *s, const char *sql, struct error *err)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK || store_sqlite_fail(s, rc, err);
}

static int keep_answer(void *ctx, int count, char **texts, char **names)
{
    (void)names;
    snprintf(ctx, STORE_SQLITE_ANSWER, "%s", count > 0 && texts[0] ? texts[0] : "");
    return 0;
}

bool store_sqlite_ask(struct sqlite *s, const char *sql, char answer[STORE_SQLITE_ANSWER],
                      struct error *err)
{
    answer[0] = 0;
    int rc = sqlite3_exec(s->db, sql, keep_answer, answer, NULL);
    return rc == SQLITE_OK || store_sqlite_fail(s, rc, err);
}

bool store_sqlite_number(struct sqlite *s, const char *sql, long *number, struct error *err)
{
    char answer[STORE_SQLITE_ANSWER];
    if (!store_sqlite_ask(s, sql, answer, err))
        return false;
    *number = strtol(answer, NULL, 10);
    return true;
}

/* ---- the file */

/* For SQLite an empty file is a new one, and it would delete the journal beside it. */
static bool had_contents(const struct sqlite *s)
{
    char other[PATH_MAX + 8];
    struct stat st;
    if (s->store.schema->is_expendable)
        return false;
    snprintf(other, sizeof other, "%s.copy", s->store.name);
    if (file_exists(other))
        return true;
    snprintf(other, sizeof other, "%s-wal", s->store.name);
    return stat(other, &st) == 0 && st.st_size > 0;
}

/* Create the file with our mode, because SQLite would let others read it. Do not open an existing
 * file here: closing it would drop the locks that SQLite has on it elsewhere in this process. */
static bool create_file(struct sqlite *s, struct error *err)
{
    int fd = open(s->store.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
        return store_sqlite_fail_system(s, "write", errno, err);
    if (fd >= 0)
        close(fd);
    struct stat st;
    if (stat(s->store.name, &st) < 0)
        return store_sqlite_fail_system(s, "read", errno, err);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERR_IO, "cannot use %s: it is not a regular file", s->store.name);
    if (st.st_size == 0 && had_contents(s))
        return fail_damaged(s, "it is empty, but had contents", err);
    return true;
}

/* Only after we know that it is a store: the path may name any file. */
static void make_file_private(const struct sqlite *s)
{
    struct stat st;
    if (stat(s->store.name, &st) == 0 && st.st_mode & 077)
        (void)!chmod(s->store.name, st.st_mode & 0700);
}

/* Without shared memory (some network file systems) the rollback journal stays in use. */
static bool choose_journal(struct sqlite *s, struct error *err)
{
    char mode[STORE_SQLITE_ANSWER];
    bool wal =
        store_sqlite_ask(s, "PRAGMA journal_mode = WAL", mode, NULL) && strcmp(mode, "wal") == 0;
    if (!wal && s->damaged)
        return false;
    if (!wal || s->is_durable)
        return store_sqlite_exec(s,
                                 "PRAGMA synchronous = FULL;"
                                 "PRAGMA journal_size_limit = " WAL_KEEP_BYTES,
                                 err);
    return store_sqlite_exec(s,
                             "PRAGMA synchronous = NORMAL;"
                             "PRAGMA journal_size_limit = " WAL_KEEP_BYTES,
                             err);
}

/* ---- contents */

/* The header of the file, and its number of tables. */
struct file_label {
    long program, version, tables;
};

static bool read_label(struct sqlite *s, struct file_label *l, struct error *err)
{
    return store_sqlite_number(s, "PRAGMA application_id", &l->program, err) &&
           store_sqlite_number(s, "PRAGMA user_version", &l->version, err) &&
           store_sqlite_number(s, "SELECT count(*) FROM sqlite_master", &l->tables, err);
}

static bool fail_newer(struct sqlite *s, long version, struct error *err)
{
    s->store.failure = STORE_NEWER;
    return error_set(err, ERR_IO,
                     "cannot use %s: a newer version of this program wrote it (schema %ld, this"
                     " version knows %zu): use the newer version",
                     s->store.name, version, s->store.schema->version);
}

static bool upgrade_tables(struct sqlite *s, struct error *err)
{
    struct file_label l;
    if (!read_label(s, &l, err))
        return false;
    s->store.failure = STORE_REFUSED;
    if (l.program != s->store.schema->mark && l.tables > 0)
        return error_set(
            err, ERR_IO,
            "cannot use %s: it belongs to another program; move it away, or set MULTIVERSE_HOME",
            s->store.name);
    if (l.tables == 0)
        l.version = 0;
    else if (l.version > (long)s->store.schema->version)
        return fail_newer(s, l.version, err);
    else if (l.version < 1)
        return fail_damaged(s, "it has no version", err);
    for (long v = l.version; v < (long)s->store.schema->version; v++) {
        char mark[96];
        snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %ld",
                 (int)s->store.schema->mark, v + 1);
        if (!store_sqlite_exec(s, s->store.schema->steps[v], err) ||
            !store_sqlite_exec(s, mark, err))
            return false;
    }
    return true;
}

/* Missing tables or columns mean damage: only this program creates them. */
static bool check_tables(struct sqlite *s, struct error *err)
{
    char answer[STORE_SQLITE_ANSWER];
    if (store_sqlite_ask(s, s->store.schema->check, answer, err))
        return strcmp(answer, "1") == 0 || fail_damaged(s, "tables or columns are missing", err);
    return s->refused && fail_damaged(s, "tables or columns are missing", err);
}

/* Read first: most of the time no write lock is needed. */
static bool prepare_tables(struct sqlite *s, struct error *err)
{
    struct file_label l;
    if (!read_label(s, &l, err))
        return false;
    if (l.program == s->store.schema->mark && l.version == (long)s->store.schema->version &&
        l.tables > 0)
        return check_tables(s, err);
    if (!store_sqlite_exec(s, "BEGIN IMMEDIATE", err))
        return false;
    if (upgrade_tables(s, err) && store_sqlite_exec(s, "COMMIT", err))
        return check_tables(s, err);
    bool damaged = s->damaged;
    enum store_failure failure = s->store.failure;
    store_sqlite_exec(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    s->store.failure = failure;
    return false;
}

/* ---- connecting */

/* SQLite's own waits grow to 100 ms: among many processes one might never get the lock. */
static int wait_for_lock(void *ctx, int count)
{
    struct sqlite *s = ctx;
    unsigned shorter = s->store.shorter_wait_ms;
    int64_t now = store_guard_clock();
    if (count == 0)
        s->busy_until = now + s->store.wait_ms;
    else if (now >= s->busy_until ||
             (shorter && now >= s->busy_until - (int64_t)s->store.wait_ms + shorter))
        return 0;
    store_guard_pause((unsigned)count);
    return 1;
}

static void return_now(sqlite3_context *to, int count, sqlite3_value **values)
{
    const struct sqlite *s = sqlite3_user_data(to);
    (void)count;
    (void)values;
    sqlite3_result_int64(to, s->now);
}

static bool open_database(struct sqlite *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->store.name, &s->db, SQLITE_OPEN_READWRITE, NULL);
    if (rc != SQLITE_OK)
        return store_sqlite_fail(s, rc, err);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_handler(s->db, wait_for_lock, s);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_create_function(s->db, "now_ms", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, s, return_now, NULL,
                            NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (sqlite3_db_readonly(s->db, "main"))
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->store.name);
    char answer[STORE_SQLITE_ANSWER]; /* the first read of the contents finds garbage */
    if (!store_sqlite_ask(s, "SELECT count(*) FROM sqlite_master", answer, err))
        return s->refused && fail_damaged(s, "its list of tables cannot be read", err);
    return choose_journal(s, err) && prepare_tables(s, err);
}

void store_sqlite_disconnect(struct sqlite *s)
{
    MAP_EACH (&s->statements, i)
        sqlite3_finalize(map_value(&s->statements, i));
    map_clear(&s->statements);
    sqlite3_close(s->db);
    s->db = NULL;
}

enum store_sqlite_opened store_sqlite_connect(struct sqlite *s, struct error *err)
{
    s->damaged = false;
    s->store.failure = STORE_REFUSED;
    if (create_file(s, err) && open_database(s, err)) {
        make_file_private(s);
        return STORE_SQLITE_OPENED;
    }
    store_sqlite_disconnect(s);
    return s->damaged ? STORE_SQLITE_DAMAGED : STORE_SQLITE_FAILED;
}

/* ---- life */

/* Without such locks the file is used all the same, but never moved. */
bool store_sqlite_hold(struct sqlite *s, struct error *err)
{
    if (store_guard_share(&s->guard) || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP ||
        errno == EINVAL)
        return true;
    int code = errno;
    char text[128];
    s->store.failure = code == EWOULDBLOCK || may_pass(code) ? STORE_UNAVAILABLE : STORE_REFUSED;
    if (code == EWOULDBLOCK)
        return error_set(err, ERR_IN_USE, "%s is being repaired by another process", s->store.name);
    return error_set(err, ERR_IO, "cannot write %s: %s", s->guard_path,
                     strerror_r(code, text, sizeof text));
}

/* Resolve links: SQLite keeps its other files beside the real file. */
bool store_sqlite_find(struct sqlite *s, const char *path, struct error *err)
{
    char folder[PATH_MAX], full[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str parent = slash ? str_make(path, (size_t)(slash - path)) : STR(".");
    if (slash == path)
        parent = STR("/");
    snprintf(folder, sizeof folder, "%.*s", STR_ARG(parent));
    s->store.name = str_dup(str_from(path));
    if (parent.n >= sizeof folder || !*name)
        return store_sqlite_fail_system(s, "open", *name ? ENAMETOOLONG : EISDIR, err);
    if (mkdir(folder, 0700) < 0 && errno == ENOENT && file_make_dirs(folder, NULL))
        (void)!chmod(folder, 0700);
    if (!realpath(path, full)) {
        if (!realpath(folder, full))
            return store_sqlite_fail_system(s, "open", errno, err);
        size_t n = strlen(full);
        int more = snprintf(full + n, sizeof full - n, "/%s", name);
        if (more < 0 || (size_t)more >= sizeof full - n)
            return store_sqlite_fail_system(s, "open", ENAMETOOLONG, err);
    }
    free(s->store.name);
    s->store.name = str_dup(str_from(full));
    s->guard_path = mem_alloc(strlen(full) + sizeof ".guard");
    snprintf(s->guard_path, strlen(full) + sizeof ".guard", "%s.guard", full);
    s->guard.path = s->guard_path;
    return true;
}

struct sqlite *store_sqlite_new(const struct store_options *o)
{
    struct sqlite *s = mem_zalloc(sizeof *s);
    s->store.kind = &store_sqlite;
    s->store.schema = o->schema;
    s->store.wait_ms = o->wait_ms ? o->wait_ms : STORE_WAIT_MS;
    s->store.failure = STORE_REFUSED;
    s->is_durable = o->is_durable;
    s->guard = (struct store_guard){.wait_ms = s->store.wait_ms, .fd = -1};
    return s;
}

void store_sqlite_free(struct sqlite *s)
{
    store_sqlite_disconnect(s);
    store_guard_drop(&s->guard);
    store_notify_free(s->listener);
    map_done(&s->statements);
    free(s->store.name);
    free(s->guard_path);
    free(s);
}

/* size above which a file that must not be lost is not checked: it would take too long */
#define MAX_CHECK_BYTES (64 << 20)

enum store_sqlite_opened store_sqlite_check(struct sqlite *s, struct error *err)
{
    enum store_sqlite_opened how = store_sqlite_connect(s, err);
    char answer[STORE_SQLITE_ANSWER];
    if (how != STORE_SQLITE_OPENED)
        return how;
    if (store_sqlite_ask(s, "PRAGMA integrity_check(1)", answer, err) && strcmp(answer, "ok") == 0)
        return STORE_SQLITE_OPENED;
    if (answer[0] && !s->damaged)
        store_sqlite_fail(s, SQLITE_CORRUPT, err);
    bool damaged = s->damaged;
    store_sqlite_disconnect(s);
    return damaged ? STORE_SQLITE_DAMAGED : STORE_SQLITE_FAILED;
}

/* Move the journals too: they would be taken for those of a new file with this name. */
bool store_sqlite_move_aside(struct sqlite *s, char aside[], size_t size, struct error *err)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm", ""};
    char when[RFC3339_LEN + 1], from[PATH_MAX + 16], to[PATH_MAX + 64];
    rfc3339_format(rfc3339_now(), when);
    snprintf(aside, size, "%s.damaged-%s", s->store.name, when);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(from, sizeof from, "%s%s", s->store.name, parts[i]);
        snprintf(to, sizeof to, "%s.damaged-%s%s", s->store.name, when, parts[i]);
        if (rename(from, to) < 0 && errno != ENOENT)
            return store_sqlite_fail_system(s, "move aside the damaged", errno, err);
    }
    return true;
}

/* With the lock held alone. If the contents must not be lost, report the damage and change
 * nothing. */
static enum store_sqlite_opened check_alone(struct sqlite *s, struct error *err)
{
    struct error reason = {0};
    char aside[PATH_MAX + 64];
    enum store_sqlite_opened how = store_sqlite_check(s, &reason);
    if (how == STORE_SQLITE_DAMAGED && s->store.schema->is_expendable) {
        if (!store_sqlite_move_aside(s, aside, sizeof aside, err))
            return STORE_SQLITE_FAILED;
        return store_sqlite_connect(s, err) == STORE_SQLITE_OPENED ? STORE_SQLITE_OPENED
                                                                   : STORE_SQLITE_FAILED;
    }
    if (how != STORE_SQLITE_OPENED)
        error_set(err, reason.code, "%s", reason.text);
    return how; /* OPENED: another process has already replaced it */
}

static bool fail_repair(struct sqlite *s, bool in_use, struct error *err)
{
    s->store.failure = in_use ? STORE_UNAVAILABLE : STORE_DAMAGED;
    return error_set(err, in_use ? ERR_IN_USE : ERR_IO, "%s is damaged, and %s", s->store.name,
                     in_use
                         ? "other processes have it open"
                         : "this file system has no locks, without which it cannot be moved aside");
}

/* Everyone who finds the damage releases the file. The first one to hold it alone moves it; the
 * others find a new file in its place. */
bool store_sqlite_recreate(struct sqlite *s, struct error *err)
{
    int64_t end = store_guard_clock() + s->store.wait_ms;
    store_sqlite_disconnect(s);
    store_guard_drop(&s->guard);
    for (unsigned i = 0; !store_guard_try_alone(&s->guard); i++) {
        if (errno != EWOULDBLOCK)
            return fail_repair(s, false, err);
        struct stat st;
        if (stat(s->store.name, &st) == 0 && (st.st_ino != s->inode || st.st_dev != s->device))
            return store_sqlite_hold(s, err) && store_sqlite_connect(s, err) == STORE_SQLITE_OPENED;
        if (store_guard_clock() >= end)
            return fail_repair(s, true, err);
        store_guard_pause(i);
    }
    return check_alone(s, err) == STORE_SQLITE_OPENED && store_sqlite_hold(s, err);
}

/* Was the file left open, by a crash or a power loss? */
static bool has_open_journal(const struct sqlite *s)
{
    char wal[PATH_MAX + 8];
    struct stat st;
    snprintf(wal, sizeof wal, "%s-wal", s->store.name);
    return stat(wal, &st) == 0 && st.st_size > 0;
}

static bool has_partial_page(struct sqlite *s)
{
    long page;
    struct stat st;
    if (!store_sqlite_number(s, "PRAGMA page_size", &page, NULL) || stat(s->store.name, &st) < 0)
        return true;
    return page <= 0 || st.st_size % page != 0;
}

/* SQLite itself recovers from a crash. A file that can be lost is always checked; one that must not
 * be lost only up to some size, and later damage shows when it is read. */
static bool should_check(const struct sqlite *s)
{
    struct stat st;
    return s->store.schema->is_expendable ||
           (stat(s->store.name, &st) == 0 && st.st_size <= MAX_CHECK_BYTES);
}

/* Check the whole file. This takes a while, so only with a reason, and only if no other process has
 * it open. Damage that is missed here shows when it is read. */
static bool check_file(struct sqlite *s, struct error *err)
{
    if (store_guard_try_alone(&s->guard)) {
        store_sqlite_disconnect(s);
        if (check_alone(s, err) != STORE_SQLITE_OPENED)
            return false;
    }
    return store_sqlite_hold(s, err);
}

/* The path may name any file. Every store has a guard file beside it; another file is not even
 * locked. (Nobody in this process has it open, whose locks this read would drop.) */
static bool is_other_file(const struct sqlite *s)
{
    static const char magic[16] = "SQLite format 3";
    char bytes[sizeof magic];
    if (s->store.schema->is_expendable || file_exists(s->guard_path))
        return false;
    int fd = open(s->store.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
    if (fd >= 0)
        close(fd);
    return n > 0 && (n < (ssize_t)sizeof bytes || memcmp(bytes, magic, sizeof bytes) != 0);
}

bool store_sqlite_open(struct sqlite *s, struct error *err)
{
    if (is_other_file(s)) {
        s->store.failure = STORE_REFUSED;
        return error_set(err, ERR_IO, "cannot use %s: it is not a store", s->store.name);
    }
    if (!store_sqlite_hold(s, err))
        return false;
    bool left = has_open_journal(s);
    struct error reason = {0};
    enum store_sqlite_opened how = store_sqlite_connect(s, &reason);
    if (how == STORE_SQLITE_OPENED)
        return (!left && !has_partial_page(s)) || !should_check(s) || check_file(s, err);
    if (how == STORE_SQLITE_DAMAGED && s->store.schema->is_expendable)
        return store_sqlite_recreate(s, err);
    return error_set(err, reason.code, "%s", reason.text);
}

/* ---- statements */

static sqlite3_stmt *prepare_statement(struct sqlite *s, const char *sql, struct error *err)
{
    struct str key = str_make((const char *)&sql, sizeof sql);
    sqlite3_stmt *stmt = map_get(&s->statements, key);
    if (stmt)
        return stmt;
    int rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (rc != SQLITE_OK)
        store_sqlite_fail(s, rc, err);
    else if (stmt)
        map_set(&s->statements, key, stmt);
    else
        error_set(err, ERR_IO, "a statement has no SQL");
    return stmt;
}

static int bind_value(sqlite3_stmt *stmt, int at, const struct store_value *v,
                      sqlite3_destructor_type lifetime)
{
    switch (v->type) {
    case STORE_TYPE_INT:
        return sqlite3_bind_int64(stmt, at, v->integer);
    case STORE_TYPE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case STORE_TYPE_TEXT:
        break;
    }
    return sqlite3_bind_text64(stmt, at, v->text.p ? v->text.p : "", v->text.n, lifetime,
                               SQLITE_UTF8);
}

static void release_statement(sqlite3_stmt *stmt)
{
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
}

/* Return the statement with its values, or NULL and s->failed: one statement that fails fails the
 * transaction, as on a server. */
static sqlite3_stmt *bind_statement(struct sqlite *s, const struct store_statement *st,
                                    sqlite3_destructor_type lifetime)
{
    sqlite3_stmt *stmt = s->failed.code ? NULL : prepare_statement(s, st->sql, &s->failed);
    if (!stmt)
        return NULL;
    assert(!sqlite3_stmt_busy(stmt));
    if (s->mode == STORE_READ && !sqlite3_stmt_readonly(stmt)) {
        error_set(&s->failed, ERR_IO, "cannot use %s: a read transaction may not write",
                  s->store.name);
        return NULL;
    }
    int rc = SQLITE_OK, count = sqlite3_bind_parameter_count(stmt);
    assert(count <= (int)STORE_MAX_VALUES);
    for (int i = 0; i < count && rc == SQLITE_OK; i++)
        rc = bind_value(stmt, i + 1, &st->values[i], lifetime);
    if (rc == SQLITE_OK)
        return stmt;
    store_sqlite_fail(s, rc, &s->failed);
    release_statement(stmt);
    return NULL;
}

static bool copy_failure(const struct sqlite *s, struct error *err)
{
    return error_set(err, s->failed.code, "%s", s->failed.text);
}

static bool execute_statement(struct store *base, const struct store_statement *st, size_t *changed,
                              struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    sqlite3_stmt *stmt = bind_statement(s, st, SQLITE_STATIC);
    if (!stmt)
        return copy_failure(s, err);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    }
    bool ok = rc == SQLITE_DONE || store_sqlite_fail(s, rc, &s->failed);
    release_statement(stmt);
    if (ok && changed)
        *changed = (size_t)sqlite3_changes(s->db);
    return ok || copy_failure(s, err);
}

/* ---- rows */

static bool step_row(struct store_rows *q)
{
    struct sqlite *s = (struct sqlite *)q->store;
    int rc = sqlite3_step(q->result);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE) {
        store_sqlite_fail(s, rc, &s->failed);
        copy_failure(s, &q->error);
    }
    return false;
}

static void end_rows(struct store_rows *q)
{
    release_statement(q->result);
    q->result = NULL;
}

/* The first step is done here: with RETURNING it makes all changes, also if no row is read. */
static void query_rows(struct store_rows *q, const struct store_statement *st)
{
    struct sqlite *s = (struct sqlite *)q->store;
    q->result = bind_statement(s, st, SQLITE_TRANSIENT);
    q->index = -1;
    if (!q->result)
        copy_failure(s, &q->error);
    else if (!step_row(q))
        end_rows(q);
}

static bool next_row(struct store_rows *q)
{
    return ++q->index == 0 || step_row(q);
}

static int64_t get_int(const struct store_rows *q, int column)
{
    return sqlite3_column_int64(q->result, column);
}

static double get_real(const struct store_rows *q, int column)
{
    return sqlite3_column_double(q->result, column);
}

static struct str get_text(const struct store_rows *q, int column)
{
    sqlite3_stmt *stmt = q->result;
    const char *p = (const char *)sqlite3_column_text(stmt, column);
    return str_make(p, p ? (size_t)sqlite3_column_bytes(stmt, column) : 0);
}

/* ---- transactions */

/* The file may have been removed or replaced. */
static bool is_in_place(const struct sqlite *s)
{
    struct stat st;
    return s->db && stat(s->store.name, &st) == 0 && st.st_dev == s->device &&
           st.st_ino == s->inode;
}

static bool run_once(struct sqlite *s, enum store_mode mode, store_fn *work, void *ctx,
                     struct error *err)
{
    s->damaged = false;
    s->notified_count = 0;
    if (!store_sqlite_exec(s, mode == STORE_READ ? "BEGIN" : "BEGIN IMMEDIATE", err))
        return false;
    s->now = rfc3339_now();
    s->store.failure = STORE_OK;
    s->mode = mode;
    s->failed = (struct error){0};
    bool ok = work(&s->store, ctx, err);
    if (ok && s->failed.code)
        ok = error_set(err, s->failed.code, "%s", s->failed.text);
    if (ok && store_sqlite_exec(s, "COMMIT", err))
        return true;
    if (s->store.failure == STORE_OK)
        s->store.failure = STORE_REFUSED;
    enum store_failure failure = s->store.failure;
    bool damaged = s->damaged;
    if (!sqlite3_get_autocommit(s->db))
        store_sqlite_exec(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    s->store.failure = failure;
    return false;
}

/* A removed file whose contents must not be lost may be moved back. */
static bool reopen_file(struct sqlite *s, struct error *err)
{
    struct stat st;
    if (s->db && !s->store.schema->is_expendable && stat(s->store.name, &st) < 0 &&
        errno == ENOENT) {
        s->store.failure = STORE_UNAVAILABLE;
        return error_set(err, ERR_IO, "cannot use %s: it was removed, or moved away, while in use",
                         s->store.name);
    }
    store_sqlite_disconnect(s);
    return store_sqlite_open(s, err);
}

static bool run_transaction(struct store *base, enum store_mode mode, store_fn *work, void *ctx,
                            struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    if (!is_in_place(s) && !reopen_file(s, err))
        return false;
    if (s->listener)
        store_notify_listen(s->listener);
    struct error reason = {0};
    bool ok = run_once(s, mode, work, ctx, &reason);
    if (!ok && !(s->damaged && s->store.schema->is_expendable))
        return error_set(err, reason.code, "%s", reason.text);
    ok = ok || (store_sqlite_recreate(s, err) && run_once(s, mode, work, ctx, err));
    for (size_t i = 0; ok && i < s->notified_count; i++)
        store_notify_send(s->store.name, s->notified[i]);
    return ok;
}

static bool notify_channel(struct store *base, const char *channel, struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    (void)err;
    for (size_t i = 0; i < s->notified_count; i++)
        if (strcmp(s->notified[i], channel) == 0)
            return true;
    assert(s->notified_count < STORE_MAX_CHANNELS && strlen(channel) < STORE_MAX_CHANNEL);
    s->notified[s->notified_count++] = channel;
    return true;
}

/* ---- word */

static void listen_channels(struct store *base, const char *const *channels)
{
    struct sqlite *s = (struct sqlite *)base;
    s->listener = store_notify_new(s->store.name, channels);
    store_notify_listen(s->listener);
}

static int get_descriptor(const struct store *base)
{
    const struct sqlite *s = (const struct sqlite *)base;
    return s->listener ? store_notify_descriptor(s->listener) : -1;
}

static unsigned take_notifications(struct store *base, bool *lost)
{
    struct sqlite *s = (struct sqlite *)base;
    return s->listener ? store_notify_take(s->listener, lost) : 0;
}

/* ---- life */

static void close_store(struct store *base)
{
    store_sqlite_free((struct sqlite *)base);
}

static struct store *open_store(const struct store_options *o, enum store_failure *failure,
                                struct error *err)
{
    struct sqlite *s = store_sqlite_new(o);
    if (store_sqlite_find(s, o->url, err) && store_sqlite_open(s, err))
        return &s->store;
    if (failure)
        *failure = s->store.failure;
    store_sqlite_free(s);
    return NULL;
}

const struct store_kind store_sqlite = {
    .open = open_store,
    .close = close_store,
    .run = run_transaction,
    .execute = execute_statement,
    .query = query_rows,
    .next = next_row,
    .end = end_rows,
    .notify = notify_channel,
    .copy = store_repair_copy,
    .listen = listen_channels,
    .descriptor = get_descriptor,
    .take_notifications = take_notifications,
    .get_int = get_int,
    .get_real = get_real,
    .get_text = get_text,
};
