#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "store/store_notify.h"
#include "store/store_sqlite.h"

#define WAL_KEEP_BYTES "4194304"
#define MEND           "multiverse task repair"

/* ---- failures */

/* What may be otherwise a little later. */
static bool passes(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EIO || code == EMFILE || code == ENFILE ||
           code == ENOMEM || code == EAGAIN || code == ESTALE || code == ETXTBSY;
}

bool store_sqlite_fail_system(struct sqlite *s, const char *what, int code, struct error *err)
{
    char text[128];
    s->store.failure = passes(code) ? STORE_UNAVAILABLE : STORE_REFUSED;
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
    case SQLITE_READONLY: /* moved: it is opened anew next time */
        return rc == SQLITE_READONLY_DBMOVED ? STORE_UNAVAILABLE : STORE_REFUSED;
    case SQLITE_CANTOPEN:
        return passes(system) ? STORE_UNAVAILABLE : STORE_REFUSED;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_TOOBIG:
        return STORE_DAMAGED;
    default:
        return STORE_REFUSED;
    }
}

/* For a file that can be begun anew nobody has to do anything. */
static bool tell_damage(struct sqlite *s, const char *what, struct error *err)
{
    s->damaged = true;
    s->store.failure = STORE_DAMAGED;
    return error_set(err, ERR_IO,
                     s->store.schema->is_expendable
                         ? "cannot use %s: it is damaged (%s)"
                         : "cannot use %s: it is damaged (%s); nothing was changed, and " MEND
                           " brings back what can be read",
                     s->store.name, what);
}

bool store_sqlite_fail(struct sqlite *s, int rc, struct error *err)
{
    int kind = rc & 0xff;
    char text[128] = "";
    bool is_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN;
    bool is_last =
        s->db && (sqlite3_errcode(s->db) & 0xff) == kind; /* else of another connection */
    const char *said = is_last ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc);
    int code = is_last ? sqlite3_system_errno(s->db) : 0;
    s->store.failure = failure_of(rc, code);
    s->refused = kind == SQLITE_ERROR;
    s->damaged = false;
    if (s->store.failure == STORE_DAMAGED)
        return tell_damage(s, said, err);
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

static int on_row(void *ctx, int count, char **texts, char **names)
{
    (void)names;
    snprintf(ctx, STORE_SQLITE_ANSWER, "%s", count > 0 && texts[0] ? texts[0] : "");
    return 0;
}

bool store_sqlite_ask(struct sqlite *s, const char *sql, char answer[STORE_SQLITE_ANSWER],
                      struct error *err)
{
    answer[0] = 0;
    int rc = sqlite3_exec(s->db, sql, on_row, answer, NULL);
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

/* An empty file is a new one for SQLite, which would remove the journal it finds beside it. */
static bool was_more(const struct sqlite *s)
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

/* The file is made by us, because SQLite would let others read it. An existing one is not opened
 * here: closing it again would take away the locks SQLite has on it elsewhere in this process. */
static bool make_file(struct sqlite *s, struct error *err)
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
    if (st.st_size == 0 && was_more(s))
        return tell_damage(s, "it is empty, but was not", err);
    return true;
}

/* Only what is known to be a store: the path may be that of any file. */
static void close_to_others(const struct sqlite *s)
{
    struct stat st;
    if (stat(s->store.name, &st) == 0 && st.st_mode & 077)
        (void)!chmod(s->store.name, st.st_mode & 0700);
}

/* Where there is no shared memory (some network file systems), the rollback journal stays. */
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

/* ---- what is in it */

/* What the file says it is, and whether there is anything in it. */
struct label {
    long program, version, tables;
};

static bool read_label(struct sqlite *s, struct label *l, struct error *err)
{
    return store_sqlite_number(s, "PRAGMA application_id", &l->program, err) &&
           store_sqlite_number(s, "PRAGMA user_version", &l->version, err) &&
           store_sqlite_number(s, "SELECT count(*) FROM sqlite_master", &l->tables, err);
}

static bool tell_newer(struct sqlite *s, long version, struct error *err)
{
    s->store.failure = STORE_NEWER;
    return error_set(err, ERR_IO,
                     "cannot use %s: a newer version of this program made it (schema %ld, this one"
                     " knows %zu); use that one",
                     s->store.name, version, s->store.schema->version);
}

static bool upgrade(struct sqlite *s, struct error *err)
{
    struct label l;
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
        return tell_newer(s, l.version, err);
    else if (l.version < 1)
        return tell_damage(s, "it has no version", err);
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

/* Tables that lack something are damaged: nothing but this program made them. */
static bool check_tables(struct sqlite *s, struct error *err)
{
    char answer[STORE_SQLITE_ANSWER];
    if (store_sqlite_ask(s, s->store.schema->check, answer, err))
        return strcmp(answer, "1") == 0 || tell_damage(s, "its tables lack something", err);
    return s->refused && tell_damage(s, "its tables lack something", err);
}

/* Reading first: most openings need no write lock. */
static bool bring_up_to_date(struct sqlite *s, struct error *err)
{
    struct label l;
    if (!read_label(s, &l, err))
        return false;
    if (l.program == s->store.schema->mark && l.version == (long)s->store.schema->version &&
        l.tables > 0)
        return check_tables(s, err);
    if (!store_sqlite_exec(s, "BEGIN IMMEDIATE", err))
        return false;
    if (upgrade(s, err) && store_sqlite_exec(s, "COMMIT", err))
        return check_tables(s, err);
    bool damaged = s->damaged;
    enum store_failure failure = s->store.failure;
    store_sqlite_exec(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    s->store.failure = failure;
    return false;
}

/* ---- connecting */

/* SQLite's own waits grow to 100 ms, which among many is too rarely to ever get a turn. */
static int on_busy(void *ctx, int count)
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

static void tell_now(sqlite3_context *to, int count, sqlite3_value **values)
{
    const struct sqlite *s = sqlite3_user_data(to);
    (void)count;
    (void)values;
    sqlite3_result_int64(to, s->now);
}

static bool set_up(struct sqlite *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->store.name, &s->db, SQLITE_OPEN_READWRITE, NULL);
    if (rc != SQLITE_OK)
        return store_sqlite_fail(s, rc, err);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_handler(s->db, on_busy, s);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_create_function(s->db, "now_ms", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, s, tell_now, NULL,
                            NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (sqlite3_db_readonly(s->db, "main"))
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->store.name);
    char answer[STORE_SQLITE_ANSWER]; /* the first look inside: garbage shows */
    if (!store_sqlite_ask(s, "SELECT count(*) FROM sqlite_master", answer, err))
        return s->refused && tell_damage(s, "its list of tables cannot be read", err);
    return choose_journal(s, err) && bring_up_to_date(s, err);
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
    if (make_file(s, err) && set_up(s, err)) {
        close_to_others(s);
        return STORE_SQLITE_OPENED;
    }
    store_sqlite_disconnect(s);
    return s->damaged ? STORE_SQLITE_DAMAGED : STORE_SQLITE_FAILED;
}

/* ---- life */

/* Where there are no such locks, it is used all the same, but never moved. */
bool store_sqlite_hold(struct sqlite *s, struct error *err)
{
    if (store_guard_share(&s->guard) || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP ||
        errno == EINVAL)
        return true;
    int code = errno;
    char text[128];
    s->store.failure = code == EWOULDBLOCK || passes(code) ? STORE_UNAVAILABLE : STORE_REFUSED;
    if (code == EWOULDBLOCK)
        return error_set(err, ERR_IN_USE, "%s is being repaired by another process", s->store.name);
    return error_set(err, ERR_IO, "cannot write %s: %s", s->guard_path,
                     strerror_r(code, text, sizeof text));
}

/* The file at the end of all links, for SQLite keeps its other files beside that one. */
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
    store_notify_free(s->ears);
    map_done(&s->statements);
    free(s->store.name);
    free(s->guard_path);
    free(s);
}
