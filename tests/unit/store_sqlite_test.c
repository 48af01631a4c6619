#include "store/store.h"

#include "base/mem.h"
#include "ledger_file.h"
#include "tooling/ledger_schema.h"

#define WAIT_MS TEST_LIMIT_MS

static struct store *open_file(const char *path, unsigned wait_ms)
{
    return store_open(
        &(struct store_options){.url = path, .schema = &ledger_schema, .wait_ms = wait_ms}, NULL,
        &err);
}

/* ---- opening */

TEST_FIXTURE(setup, teardown);

TEST(a_new_file_is_private)
{
    mode_t old = umask(0);
    ledger_close(ledger);
    ledger = ledger_open("a/b/c/state.db", &err);
    umask(old);
    assert_non_null(ledger);
    decision_free(choose());
    assert_int_equal(mode_of("a/b/c"), 0700);
    assert_int_equal(mode_of("a/b/c/state.db"), 0600);
    assert_int_equal(mode_of("a/b/c/state.db-wal"), 0600);
    assert_int_equal(mode_of("a/b/c/state.db-shm"), 0600);
    assert_int_equal(mode_of("a/b/c/state.db.guard"), 0600);
}

TEST(a_readable_file_is_made_private)
{
    close_ledger();
    assert_int_equal(chmod("state.db", 0644), 0);
    open_ledger();
    assert_int_equal(mode_of("state.db"), 0600);
}

TEST(the_default_is_in_the_home_folder)
{
    char home[128];
    snprintf(home, sizeof home, "%s/home", ledger_folder);
    setenv("MULTIVERSE_HOME", home, 1);
    close_ledger();
    ledger = ledger_open(NULL, &err);
    unsetenv("MULTIVERSE_HOME");
    if (!ledger)
        fail_msg("%s", err.text);
    decision_free(choose());
    assert_int_equal(mode_of("home/state.db"), 0600);
    assert_int_equal(mode_of("home"), 0700);
}

TEST(a_file_is_in_wal_mode_and_has_its_version)
{
    char version[16];
    snprintf(version, sizeof version, "%zu", ledger_schema.version);
    check_sql("PRAGMA journal_mode", "wal");
    check_sql("PRAGMA user_version", version);
}

/* Like a file system without shared memory. */
TEST(without_wal_the_rollback_journal_is_used)
{
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL), *bare = sqlite3_vfs_find("unix-dotfile");
    assert_non_null(bare);
    close_ledger();
    assert_int_equal(system("rm -f state.db*"), 0);
    sqlite3_vfs_register(bare, 1);
    open_ledger();
    check_sql("PRAGMA journal_mode", "delete");
    check_it_works();
    struct ledger *other = ledger_open("state.db", &err);
    assert_non_null(other);
    struct ledger_ask ask = ask_for("meta");
    struct decision *d = ledger_choose(other, &ask, &err);
    assert_int_equal(d->index, 1);
    decision_free(d);
    ledger_close(other);
    close_ledger();
    sqlite3_vfs_register(usual, 1);
    assert_int_equal(count_files("state.db-wal"), 0);
}

TEST(a_link_leads_to_the_file)
{
    close_ledger();
    assert_int_equal(mkdir("elsewhere", 0700), 0);
    assert_int_equal(rename("state.db", "elsewhere/real.db"), 0);
    assert_int_equal(symlink("elsewhere/real.db", "state.db"), 0);
    open_ledger();
    check_it_works();
    assert_true(file_exists("elsewhere/real.db.guard"));
    assert_true(file_exists("elsewhere/real.db-wal"));
}

static void check_refused(const char *path, const char *what)
{
    assert_null(open_file(path, WAIT_MS));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, path));
    if (!strstr(err.text, what))
        fail_msg("%s", err.text);
}

TEST(a_path_that_cannot_be_a_file_is_refused)
{
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    check_refused("folder", "not a regular file");
    check_refused("pipe", "not a regular file");
    check_refused("folder/", "Is a directory");
    check_refused("state.db/state.db", "Not a directory");
    check_refused("/proc/nothing/state.db", "No such file or directory");
    char *path = mem_alloc(6000);
    memset(path, 'x', 6000);
    path[5000] = '/';
    path[5999] = 0;
    assert_null(open_file(path, WAIT_MS));
    assert_null(open_file(path + 3000, WAIT_MS));
    assert_null(ledger_open(path, &err));
    free(path);
}

/* If the place is a folder, the file in it has the name of the schema. */
TEST(the_ledger_is_in_the_given_folder)
{
    close_ledger();
    assert_int_equal(mkdir("folder", 0700), 0);
    ledger = ledger_open("folder", &err);
    assert_non_null(ledger);
    ledger_close(ledger);
    ledger = ledger_open("new/folder/", &err);
    assert_non_null(ledger);
    assert_int_equal(mode_of("folder/state.db"), 0600);
    assert_int_equal(mode_of("new/folder/state.db"), 0600);
}

/* In a child process without root rights, because root can write everything. */
static void expect_in_child(void (*check)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
            _exit(3);
        check();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void folder_says_no(void)
{
    if (ledger_open("locked/state.db", &err) || err.code != ERR_IO ||
        !strstr(err.text, "Permission denied") || !strstr(err.text, "locked/state.db"))
        _exit(1);
}

static void home_says_no(void)
{
    if (ledger_open("locked/new/state.db", &err) || err.code != ERR_IO ||
        !strstr(err.text, "locked/new/state.db"))
        _exit(1);
}

static void file_says_no(void)
{
    struct ledger *l = ledger_open("open/state.db", &err);
    if (l || err.code != ERR_IO || !strstr(err.text, "read-only"))
        _exit(1);
}

TEST(a_read_only_home_is_reported)
{
    close_ledger();
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(mkdir("locked", 0755), 0);
    assert_int_equal(chmod("locked", 0555), 0);
    expect_in_child(folder_says_no);
    expect_in_child(home_says_no);
    open_ledger();
    close_ledger();
    assert_int_equal(mkdir("open", 0755), 0);
    assert_int_equal(chmod("open", 0777), 0);
    assert_int_equal(rename("state.db", "open/state.db"), 0);
    assert_int_equal(chmod("open/state.db", 0444), 0);
    expect_in_child(file_says_no);
    open_ledger();
}

TEST(a_newer_file_is_not_changed)
{
    close_ledger();
    char answer[64];
    assert_true(on_answer("PRAGMA user_version = 99", answer));
    assert_null(ledger_open("state.db", &err));
    assert_non_null(strstr(err.text, "newer version"));
    check_sql("PRAGMA user_version", "99");
    assert_int_equal(count_files("state.db.damaged"), 0);
    assert_true(on_answer("PRAGMA user_version = 1", answer));
    open_ledger();
    check_it_works();
}

TEST(the_file_of_another_program_is_not_changed)
{
    close_ledger();
    assert_int_equal(system("rm -f state.db*"), 0);
    put_bytes("state.db", STR(""), 0);
    char answer[64];
    assert_true(on_answer("CREATE TABLE theirs (x)", answer));
    assert_null(ledger_open("state.db", &err));
    assert_non_null(strstr(err.text, "another program"));
    check_sql("SELECT count(*) FROM sqlite_master", "1");
    assert_int_equal(mode_of("state.db"), 0644);
    assert_int_equal(count_files("state.db.damaged"), 0);
    assert_int_equal(system("rm -f state.db*"), 0);
}

/* ---- transactions */

struct attempt {
    int calls;
    bool answer;
    int64_t seen;
};

static bool bump(struct store *s, void *ctx, struct error *e)
{
    struct attempt *a = ctx;
    size_t changed = 0;
    a->calls++;
    if (!store_do(s,
                  &(struct store_statement){
                      .sql = "UPDATE counter SET value = value + 1 WHERE name = 'decision'"},
                  &changed, e) ||
        !store_query_int(s, &(struct store_statement){.sql = "SELECT value FROM counter"}, &a->seen,
                         e))
        return false;
    assert_int_equal(changed, 1);
    return a->answer || error_set(e, ERR_LIMIT, "not today");
}

TEST(a_busy_file_is_reported)
{
    sqlite3 *db;
    struct attempt a = {.answer = true};
    struct store *s = open_file("state.db", 30);
    assert_int_equal(sqlite3_open("state.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(store_run(s, STORE_WRITE, bump, &a, &err));
    assert_int_equal(err.code, ERR_IN_USE);
    assert_non_null(strstr(err.text, "state.db is busy"));
    assert_int_equal(a.calls, 0);
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_true(store_run(s, STORE_WRITE, bump, &a, &err));
    sqlite3_close(db);
    store_close(s);
}

TEST(a_removed_file_is_created_again)
{
    run_one(0, OUTCOME_AUTH);
    assert_int_equal(system("rm -f state.db state.db-wal state.db-shm"), 0);
    assert_int_equal(look(), 0);
    check_it_works();
    close_ledger();
    open_ledger();
    assert_int_equal(look(), 1);
}
