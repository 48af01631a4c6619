#include "store/store_core.h"

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
#include "base/map.h"
#include "base/mem.h"
#include "base/rfc3339.h"
#include "store/store_guard.h"
#include "store/store_word.h"

#define ANSWER_MAX     32u
#define WAL_KEEP_BYTES "4194304"

struct sqlite {
    struct store store;
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
    struct store_word *ears; /* NULL: nobody listens */
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
    struct sqlite *s = ctx;
    if (count == 0)
        s->busy_until = store_guard_clock() + s->store.wait_ms;
    else if (store_guard_clock() >= s->busy_until)
        return 0;
    store_guard_pause((unsigned)count);
    return 1;
}

/* ---- failures */

static bool fail_system(const struct sqlite *s, const char *what, int code, struct error *err)
{
    char text[128];
    return error_set(err, ERR_IO, "cannot %s %s: %s", what, s->store.name,
                     strerror_r(code, text, sizeof text));
}

static enum store_trouble trouble_of(int kind)
{
    switch (kind) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return STORE_GONE;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_TOOBIG:
        return STORE_DAMAGED;
    default:
        return STORE_REFUSED;
    }
}

/* What SQLite said last, in a sentence; keeps in mind whether the file is damaged. */
static bool fail(struct sqlite *s, int rc, struct error *err)
{
    int kind = rc & 0xff;
    s->store.trouble = trouble_of(kind);
    s->refused = kind == SQLITE_ERROR;
    s->damaged = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_TOOBIG;
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED || kind == SQLITE_PROTOCOL)
        return error_set(err, ERR_IN_USE, "%s is busy: other processes held it for %u ms",
                         s->store.name, s->store.wait_ms);
    if (kind == SQLITE_READONLY)
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->store.name);
    bool system = s->db && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN);
    int code = system ? sqlite3_system_errno(s->db) : 0;
    char text[128] = "";
    return error_set(err, ERR_IO, "cannot use %s: %s%s%s", s->store.name,
                     s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc), code ? ": " : "",
                     code ? strerror_r(code, text, sizeof text) : "");
}

/* ---- statements */

static void forget_statements(struct sqlite *s)
{
    MAP_EACH (&s->statements, i)
        sqlite3_finalize(map_value(&s->statements, i));
    map_clear(&s->statements);
}

static sqlite3_stmt *prepare(struct sqlite *s, const char *sql, struct error *err)
{
    struct str key = str_make((const char *)&sql, sizeof sql);
    sqlite3_stmt *stmt = map_get(&s->statements, key);
    if (stmt)
        return stmt;
    int rc = sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (rc != SQLITE_OK)
        fail(s, rc, err);
    else if (stmt)
        map_set(&s->statements, key, stmt);
    else
        error_set(err, ERR_IO, "a statement without any SQL");
    return stmt;
}

static int bind(sqlite3_stmt *stmt, int at, const struct store_value *v)
{
    switch (v->type) {
    case STORE_TYPE_INT:
        return sqlite3_bind_int64(stmt, at, v->integer);
    case STORE_TYPE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case STORE_TYPE_TEXT:
        break;
    }
    return sqlite3_bind_text64(stmt, at, v->text.p ? v->text.p : "", v->text.n, SQLITE_STATIC,
                               SQLITE_UTF8);
}

static bool step_all(struct sqlite *s, const struct store_statement *st,
                     const struct store_take *take, struct error *err)
{
    sqlite3_stmt *stmt = prepare(s, st->sql, err);
    if (!stmt)
        return false;
    if (s->mode == STORE_READ && !sqlite3_stmt_readonly(stmt))
        return error_set(err, ERR_IO, "cannot use %s: a reader may not write", s->store.name);
    struct store_row row = {.kind = &store_sqlite, .result = stmt};
    int rc = SQLITE_OK, count = sqlite3_bind_parameter_count(stmt);
    assert(count <= (int)STORE_MAX_VALUES);
    for (int i = 0; i < count && rc == SQLITE_OK; i++)
        rc = bind(stmt, i + 1, &st->values[i]);
    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
            if (take->each)
                take->each(&row, take->ctx);
    bool ok = rc == SQLITE_DONE || fail(s, rc, err);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    if (ok && take->changed)
        *take->changed = (size_t)sqlite3_changes(s->db);
    return ok;
}

/* One that fails fails the transaction, as on a server. */
static bool each_row(struct store *base, const struct store_statement *st,
                     const struct store_take *take, struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    if (!s->failed.code && step_all(s, st, take, &s->failed))
        return true;
    return error_set(err, s->failed.code, "%s", s->failed.text);
}

static int64_t row_int(const struct store_row *row, int column)
{
    return sqlite3_column_int64(row->result, column);
}

static double row_real(const struct store_row *row, int column)
{
    return sqlite3_column_double(row->result, column);
}

static struct str row_text(const struct store_row *row, int column)
{
    sqlite3_stmt *stmt = row->result;
    const char *p = (const char *)sqlite3_column_text(stmt, column);
    return str_make(p, p ? (size_t)sqlite3_column_bytes(stmt, column) : 0);
}

/* Statements without values and without a place among those that are kept. */
static bool run_sql(struct sqlite *s, const char *sql, struct error *err)
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
static bool ask_sql(struct sqlite *s, const char *sql, char answer[ANSWER_MAX], struct error *err)
{
    answer[0] = 0;
    int rc = sqlite3_exec(s->db, sql, on_first, answer, NULL);
    return rc == SQLITE_OK || fail(s, rc, err);
}

/* ---- opening */

static void disconnect(struct sqlite *s)
{
    forget_statements(s);
    sqlite3_close(s->db);
    s->db = NULL;
}

/* The file is made by us, because SQLite would let others read it. An existing one is not opened
 * here: closing it again would take away the locks SQLite has on it elsewhere in this process. */
static bool make_file(struct sqlite *s, struct error *err)
{
    int fd = open(s->store.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST)
        return fail_system(s, "write", errno, err);
    if (fd >= 0)
        close(fd);
    struct stat st;
    if (stat(s->store.name, &st) < 0)
        return fail_system(s, "read", errno, err);
    s->device = st.st_dev;
    s->inode = st.st_ino;
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERR_IO, "cannot use %s: it is not a regular file", s->store.name);
    if (st.st_mode & 077) /* one that is not ours stays as it is */
        (void)!chmod(s->store.name, st.st_mode & 0700);
    return true;
}

/* Where there is no shared memory (some network file systems), the rollback journal stays. */
static bool choose_journal(struct sqlite *s, struct error *err)
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

static bool ask_number(struct sqlite *s, const char *sql, long *number, struct error *err)
{
    char answer[ANSWER_MAX];
    if (!ask_sql(s, sql, answer, err))
        return false;
    *number = strtol(answer, NULL, 10);
    return true;
}

static bool tell_damage(struct sqlite *s, struct error *err)
{
    s->damaged = true;
    s->store.trouble = STORE_DAMAGED;
    return error_set(err, ERR_IO, "cannot use %s: its tables are damaged", s->store.name);
}

/* What the file says it is, and whether there is anything in it. */
struct label {
    long program, version, tables;
};

static bool read_label(struct sqlite *s, struct label *l, struct error *err)
{
    return ask_number(s, "PRAGMA application_id", &l->program, err) &&
           ask_number(s, "PRAGMA user_version", &l->version, err) &&
           ask_number(s, "SELECT count(*) FROM sqlite_master", &l->tables, err);
}

static bool tell_newer(struct sqlite *s, long version, struct error *err)
{
    s->store.trouble = STORE_NEWER;
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
        return tell_damage(s, err);
    for (long v = l.version; v < (long)s->store.schema->version; v++) {
        char mark[96];
        snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %ld",
                 (int)s->store.schema->mark, v + 1);
        if (!run_sql(s, s->store.schema->steps[v], err) || !run_sql(s, mark, err))
            return false;
    }
    return true;
}

/* Tables that lack something are damaged: nothing but this program made them. */
static bool check_tables(struct sqlite *s, struct error *err)
{
    char answer[ANSWER_MAX];
    if (ask_sql(s, s->store.schema->check, answer, err))
        return strcmp(answer, "1") == 0 || tell_damage(s, err);
    return s->refused && tell_damage(s, err);
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
    if (!run_sql(s, "BEGIN IMMEDIATE", err))
        return false;
    if (upgrade(s, err) && run_sql(s, "COMMIT", err))
        return check_tables(s, err);
    bool damaged = s->damaged;
    run_sql(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    return false;
}

static void tell_now(sqlite3_context *to, int count, sqlite3_value **values)
{
    struct sqlite *s = sqlite3_user_data(to);
    (void)count;
    (void)values;
    sqlite3_result_int64(to, s->now);
}

static bool set_up(struct sqlite *s, struct error *err)
{
    int rc = sqlite3_open_v2(s->store.name, &s->db, SQLITE_OPEN_READWRITE, NULL);
    if (rc != SQLITE_OK)
        return fail(s, rc, err);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_handler(s->db, on_busy, s);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_create_function(s->db, "now_ms", 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, s, tell_now, NULL,
                            NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (sqlite3_db_readonly(s->db, "main"))
        return error_set(err, ERR_IO, "cannot write %s: it is read-only", s->store.name);
    char answer[ANSWER_MAX]; /* the first look inside: garbage shows */
    if (!ask_sql(s, "SELECT count(*) FROM sqlite_master", answer, err))
        return s->refused && tell_damage(s, err);
    return choose_journal(s, err) && bring_up_to_date(s, err);
}

static enum opened connect_file(struct sqlite *s, struct error *err)
{
    s->damaged = false;
    if (make_file(s, err) && set_up(s, err))
        return OPENED;
    disconnect(s);
    return s->damaged ? OPEN_DAMAGED : OPEN_FAILED;
}

/* As one of those who use it. Where there are no such locks, it is used all the same, but never
 * moved. */
static bool hold(struct sqlite *s, struct error *err)
{
    char text[128];
    if (store_guard_share(&s->guard) || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP ||
        errno == EINVAL)
        return true;
    if (errno == EWOULDBLOCK)
        return error_set(err, ERR_IN_USE, "%s is being repaired by another process", s->store.name);
    return error_set(err, ERR_IO, "cannot write %s: %s", s->guard_path,
                     strerror_r(errno, text, sizeof text));
}

/* ---- a damaged file */

static enum opened check_all(struct sqlite *s, struct error *err)
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
static bool move_aside(struct sqlite *s, struct error *err)
{
    static const char *const parts[] = {"-wal", "-journal", "-shm", ""};
    char when[RFC3339_LEN + 1], from[PATH_MAX + 16], to[PATH_MAX + 64];
    rfc3339_format(rfc3339_now(), when);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(from, sizeof from, "%s%s", s->store.name, parts[i]);
        snprintf(to, sizeof to, "%s.damaged-%s%s", s->store.name, when, parts[i]);
        if (rename(from, to) < 0 && errno != ENOENT)
            return fail_system(s, "move aside the damaged", errno, err);
    }
    return true;
}

static enum opened begin_anew(struct sqlite *s, struct error *err)
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

static bool cannot_repair(const struct sqlite *s, bool in_use, struct error *err)
{
    return error_set(err, in_use ? ERR_IN_USE : ERR_IO, "%s is damaged, and %s", s->store.name,
                     in_use ? "other processes have it open"
                            : "there are no locks here to move it aside safely");
}

/* All who find the damage let go of the file. The first of them to get it alone moves it; the
 * others see a new one in its place. */
static bool repair(struct sqlite *s, struct error *err)
{
    int64_t end = store_guard_clock() + s->store.wait_ms;
    disconnect(s);
    store_guard_drop(&s->guard);
    for (unsigned i = 0; !store_guard_try_alone(&s->guard); i++) {
        if (errno != EWOULDBLOCK)
            return cannot_repair(s, false, err);
        struct stat st;
        if (stat(s->store.name, &st) == 0 && (st.st_ino != s->inode || st.st_dev != s->device))
            return hold(s, err) && connect_file(s, err) == OPENED;
        if (store_guard_clock() >= end)
            return cannot_repair(s, true, err);
        store_guard_pause(i);
    }
    return begin_anew(s, err) == OPENED && hold(s, err);
}

/* ---- life */

/* The file at the end of all links, for SQLite keeps its other files beside that one. */
static bool find_path(struct sqlite *s, const char *path, struct error *err)
{
    char folder[PATH_MAX], full[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str parent = slash ? str_make(path, (size_t)(slash - path)) : STR(".");
    if (slash == path)
        parent = STR("/");
    snprintf(folder, sizeof folder, "%.*s", STR_ARG(parent));
    s->store.name = str_dup(str_from(path));
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
    free(s->store.name);
    s->store.name = str_dup(str_from(full));
    s->guard_path = mem_alloc(strlen(full) + sizeof ".guard");
    snprintf(s->guard_path, strlen(full) + sizeof ".guard", "%s.guard", full);
    s->guard.path = s->guard_path;
    return true;
}

/* Whether it was left without being closed: by a crash, or cut off by who knows what. */
static bool was_left_open(const struct sqlite *s)
{
    char wal[PATH_MAX + 8];
    struct stat st;
    snprintf(wal, sizeof wal, "%s-wal", s->store.name);
    return stat(wal, &st) == 0 && st.st_size > 0;
}

static bool is_ragged(struct sqlite *s)
{
    char answer[ANSWER_MAX];
    struct stat st;
    if (!ask_sql(s, "PRAGMA page_size", answer, NULL) || stat(s->store.name, &st) < 0)
        return true;
    long page = strtol(answer, NULL, 10);
    return page <= 0 || st.st_size % page != 0;
}

/* All of it is looked at, which takes a while: only if there is a reason, and nobody else has it
 * open. What goes unnoticed here shows when it is met. */
static bool examine(struct sqlite *s, struct error *err)
{
    if (store_guard_try_alone(&s->guard)) {
        disconnect(s);
        if (begin_anew(s, err) != OPENED)
            return false;
    }
    return hold(s, err);
}

static bool open_held(struct sqlite *s, struct error *err)
{
    if (!hold(s, err))
        return false;
    bool left = was_left_open(s);
    struct error why = {0};
    enum opened how = connect_file(s, &why);
    if (how == OPENED)
        return (!left && !is_ragged(s)) || examine(s, err);
    if (how == OPEN_DAMAGED && s->store.schema->is_expendable)
        return repair(s, err);
    return error_set(err, why.code, "%s", why.text);
}

static void close_store(struct store *base)
{
    struct sqlite *s = (struct sqlite *)base;
    disconnect(s);
    store_guard_drop(&s->guard);
    store_word_free(s->ears);
    map_done(&s->statements);
    free(s->store.name);
    free(s->guard_path);
    free(s);
}

static struct store *open_store(const struct store_options *o, enum store_trouble *trouble,
                                struct error *err)
{
    struct sqlite *s = mem_zalloc(sizeof *s);
    s->store.kind = &store_sqlite;
    s->store.schema = o->schema;
    s->store.wait_ms = o->wait_ms ? o->wait_ms : STORE_WAIT_MS;
    s->is_durable = o->is_durable;
    s->guard = (struct store_guard){.wait_ms = s->store.wait_ms, .fd = -1};
    if (find_path(s, o->url, err) && open_held(s, err))
        return &s->store;
    if (trouble)
        *trouble = s->store.trouble ? s->store.trouble : STORE_REFUSED;
    close_store(&s->store);
    return NULL;
}

/* Somebody may have removed the file, or put another one in its place. */
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
    s->word_count = 0;
    if (!run_sql(s, mode == STORE_READ ? "BEGIN" : "BEGIN IMMEDIATE", err))
        return false;
    s->now = rfc3339_now();
    s->store.trouble = STORE_FINE;
    s->mode = mode;
    s->failed = (struct error){0};
    bool ok = work(&s->store, ctx, err);
    if (ok && s->failed.code)
        ok = error_set(err, s->failed.code, "%s", s->failed.text);
    if (ok && run_sql(s, "COMMIT", err))
        return true;
    if (s->store.trouble == STORE_FINE)
        s->store.trouble = STORE_REFUSED;
    enum store_trouble trouble = s->store.trouble;
    bool damaged = s->damaged;
    if (!sqlite3_get_autocommit(s->db))
        run_sql(s, "ROLLBACK", NULL);
    s->damaged = damaged;
    s->store.trouble = trouble;
    return false;
}

static bool run_store(struct store *base, enum store_mode mode, store_fn *work, void *ctx,
                      struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    if (!is_in_place(s)) {
        disconnect(s);
        if (!open_held(s, err))
            return false;
    }
    if (s->ears)
        store_word_listen(s->ears);
    struct error why = {0};
    bool ok = run_once(s, mode, work, ctx, &why);
    if (!ok && !(s->damaged && s->store.schema->is_expendable))
        return error_set(err, why.code, "%s", why.text);
    ok = ok || (repair(s, err) && run_once(s, mode, work, ctx, err));
    for (size_t i = 0; ok && i < s->word_count; i++)
        store_word_tell(s->store.name, s->words[i]);
    return ok;
}

static bool notify(struct store *base, const char *channel, struct error *err)
{
    struct sqlite *s = (struct sqlite *)base;
    (void)err;
    for (size_t i = 0; i < s->word_count; i++)
        if (strcmp(s->words[i], channel) == 0)
            return true;
    assert(s->word_count < STORE_MAX_CHANNELS && strlen(channel) < STORE_MAX_CHANNEL);
    s->words[s->word_count++] = channel;
    return true;
}

static void listen(struct store *base, const char *const *channels)
{
    struct sqlite *s = (struct sqlite *)base;
    s->ears = store_word_new(s->store.name, channels);
    store_word_listen(s->ears);
}

static int descriptor(const struct store *base)
{
    const struct sqlite *s = (const struct sqlite *)base;
    return s->ears ? store_word_descriptor(s->ears) : -1;
}

static unsigned hear(struct store *base, bool *lost)
{
    struct sqlite *s = (struct sqlite *)base;
    return s->ears ? store_word_hear(s->ears, lost) : 0;
}

const struct store_kind store_sqlite = {
    .open = open_store,
    .close = close_store,
    .run = run_store,
    .each = each_row,
    .notify = notify,
    .listen = listen,
    .descriptor = descriptor,
    .hear = hear,
    .row_int = row_int,
    .row_real = row_real,
    .row_text = row_text,
};
