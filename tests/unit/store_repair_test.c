#include "store/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/rng.h"
#include "store_url.h"

#define ROWS     2000
#define PAGE     4096
#define ALL_ROWS (3 * ROWS + ROWS / 10 + 1)

static const char *const steps[] = {
    "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
    " value BIGINT NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX item_value ON item (value) WHERE value > 1000;"
    "CREATE TABLE pair (name TEXT PRIMARY KEY, value BIGINT NOT NULL);"
    "CREATE TABLE keyed (a BIGINT NOT NULL, b TEXT NOT NULL, c BIGINT NOT NULL, PRIMARY KEY (a, b))"
    " WITHOUT ROWID;"
    "CREATE TABLE lone (id INTEGER PRIMARY KEY, c BIGINT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value BIGINT NOT NULL);"
    "INSERT INTO setting (name, value) VALUES ('mode', 0);"};
static const struct store_schema schema = {
    .name = "things",
    .mark = 0x74686e67,
    .steps = steps,
    .version = 1,
    .check = "SELECT 1 WHERE NOT EXISTS (SELECT id, name, value, text FROM item WHERE 1 = 0) AND"
             " NOT EXISTS (SELECT name, value FROM pair WHERE 1 = 0) AND EXISTS (SELECT value FROM"
             " setting)",
    .after_repair = "UPDATE setting SET value = value + 100",
};
static const struct store_options options = {.url = "things.db", .schema = &schema, .wait_ms = 100};

static struct error err;
static struct store_repair result;
static struct rng rng;
static struct buf good; /* the bytes of the closed file */

/* ---- the file */

static struct store *open_store(void)
{
    struct store *s = store_open(&options, NULL, &err);
    if (!s)
        fail_msg("%s", err.text);
    return s;
}

static bool fill(struct store *s, void *ctx, struct error *e)
{
    const int *count = ctx;
    char name[32], text[200];
    memset(text, 'x', sizeof text);
    bool ok = true;
    for (int i = 1; ok && i <= *count; i++) {
        snprintf(name, sizeof name, "item-%d", i);
        ok = store_do(s,
                      &(struct store_statement){
                          "INSERT INTO keyed VALUES (?1, ?2, ?3)",
                          {STORE_INT(i % 50), STORE_TEXT(str_from(name)), STORE_INT(i)}},
                      NULL, e) &&
             store_do(s,
                      &(struct store_statement){"INSERT INTO lone VALUES (?1, ?1)", {STORE_INT(i)}},
                      NULL, e) &&
             store_do(s,
                      &(struct store_statement){
                          "INSERT INTO item (name, value, text) VALUES (?1, ?2, ?3)",
                          {STORE_TEXT(str_from(name)), STORE_INT(i * 7),
                           STORE_TEXT(str_make(text, sizeof text))}},
                      NULL, e) &&
             (i % 10 ||
              store_do(s,
                       &(struct store_statement){"INSERT INTO pair VALUES (?1, ?2)",
                                                 {STORE_TEXT(str_from(name)), STORE_INT(i)}},
                       NULL, e));
    }
    return ok &&
           store_do(s, &(struct store_statement){.sql = "UPDATE setting SET value = 7"}, NULL, e);
}

static void put_bytes(const char *path, struct str bytes, off_t at)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes.p, bytes.n, at), bytes.n);
    close(fd);
}

static void put_noise(off_t at, size_t n)
{
    char noise[PAGE * 2];
    assert_true(n <= sizeof noise);
    for (size_t i = 0; i < n; i++)
        noise[i] = (char)rng_next(&rng);
    put_bytes("things.db", str_make(noise, n), at);
}

static void restore(void)
{
    assert_int_equal(system("rm -f things.db things.db[-.][!g]*"), 0);
    put_bytes("things.db", buf_str(&good), 0);
}

static size_t count_files(const char *start)
{
    size_t n = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += strncmp(e->d_name, start, strlen(start)) == 0;
    closedir(dir);
    return n;
}

static int setup(void **state)
{
    char url[4096];
    int count = ROWS;
    err = (struct error){0};
    rng_seed(&rng, 20261116);
    test_store_begin(url, "things.db");
    struct store *s = open_store();
    assert_true(store_run(s, STORE_ROWS, fill, &count, &err));
    store_close(s);
    assert_true(file_read("things.db", 1 << 24, &good, &err));
    assert_true(good.n > 100 * PAGE);
    return 0;
}

static int teardown(void **state)
{
    buf_done(&good);
    test_store_end();
    return 0;
}

/* ---- contents */

static int64_t ask(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open_v2("things.db", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    int64_t answer = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : -1;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return answer;
}

static void change(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open_v2("things.db", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void repair_store(void)
{
    if (!store_repair(&options, &result, &err))
        fail_msg("%s", err.text);
    assert_int_equal(count_files("things.db.repair"), 0);
    store_close(open_store());
    assert_int_equal(
        ask("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    struct stat st;
    assert_int_equal(stat("things.db", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void check_whole(void)
{
    assert_int_equal(ask("SELECT count(*) FROM item WHERE value = id * 7 AND name = 'item-' || id"),
                     ROWS);
    assert_int_equal(ask("SELECT count(*) FROM pair"), ROWS / 10);
    assert_int_equal(ask("SELECT count(*) FROM keyed WHERE a = c % 50"), ROWS);
    assert_int_equal(ask("SELECT count(*) FROM lone WHERE id = c"), ROWS);
    assert_int_equal(ask("SELECT count(*) FROM setting"), 1);
}

static void check_refused(void)
{
    enum store_failure failure = STORE_OK;
    struct buf before = {0}, after = {0};
    assert_true(file_read("things.db", 1 << 24, &before, &err));
    assert_null(store_open(&options, &failure, &err));
    assert_int_equal(failure, STORE_DAMAGED);
    assert_int_equal(err.code, ERR_IO);
    if (!strstr(err.text, "things.db: it is damaged (") ||
        !strstr(err.text, "nothing was changed, and multiverse task repair"))
        fail_msg("%s", err.text);
    assert_true(file_read("things.db", 1 << 24, &after, &err));
    assert_true(str_eq(buf_str(&before), buf_str(&after)));
    assert_int_equal(count_files("things.db.damaged"), 0);
    buf_done(&before);
    buf_done(&after);
}

static void make_copy(void)
{
    struct store *s = open_store();
    if (!store_copy(s, &err))
        fail_msg("%s", err.text);
    store_close(s);
}

/* ---- tests */

TEST_FIXTURE(setup, teardown);

TEST(a_sound_file_is_not_changed)
{
    assert_true(store_repair(&options, &result, &err));
    assert_string_equal(result.aside, "");
    assert_int_equal(result.rows, 0);
    assert_int_equal(count_files("things.db.damaged"), 0);
    check_whole();
    assert_int_equal(ask("SELECT value FROM setting"), 7);
}

/* The list of tables is the same in every file. */
TEST(a_file_without_its_first_page_is_restored_completely)
{
    static const size_t sizes[] = {1, 16, 100, 512, PAGE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        restore();
        put_noise(0, sizes[i]);
        check_refused();
        repair_store();
        check_whole();
        assert_int_equal(result.rows, ALL_ROWS);
        assert_int_equal(result.from_copy, 0);
        assert_int_equal(ask("SELECT value FROM setting"), 107); /* + after_repair */
        assert_true(file_exists(result.aside));
    }
}

static int64_t page_of_rows(void)
{
    /* a leaf of the table: a page in the middle with the type of one and our texts */
    for (size_t at = good.n / PAGE / 2; at < good.n / PAGE; at++)
        if (good.p[at * PAGE] == 13 &&
            str_find(str_make(good.p + at * PAGE, PAGE), STR("xxxxxxxx")) < PAGE)
            return (int64_t)at;
    fail_msg("no such page");
    return 0;
}

TEST(a_bad_page_loses_only_its_rows)
{
    int64_t page = page_of_rows();
    put_noise(page * PAGE, PAGE);
    repair_store();
    int64_t left = ask("SELECT count(*) FROM item WHERE value = id * 7 AND name = 'item-' || id");
    assert_in_range(left, ROWS - 20, ROWS - 1); /* about 18 rows fit on a page */
    assert_int_equal(ask("SELECT max(id) FROM item"), ROWS);
    assert_int_equal(ask("SELECT count(*) FROM pair"), ROWS / 10);
}

TEST(several_bad_pages_lose_only_their_rows)
{
    for (size_t at = 20; at + 1 < good.n / PAGE; at += 20)
        put_noise((off_t)at * PAGE, PAGE);
    put_noise((off_t)good.n - PAGE, PAGE);
    repair_store();
    int64_t left = ask("SELECT count(*) FROM item WHERE value = id * 7");
    assert_in_range(left, ROWS * 3 / 4, ROWS - 1);
}

TEST(lost_rows_come_from_the_copy)
{
    make_copy();
    assert_int_equal(count_files("things.db.copy"), 1);
    struct stat st;
    assert_int_equal(stat("things.db.copy", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    for (size_t at = 10; at + 1 < good.n / PAGE; at += 10)
        put_noise((off_t)at * PAGE, PAGE);
    repair_store();
    check_whole();
    assert_true(result.from_copy > 50 && result.rows > ROWS / 2);
    assert_int_equal(result.rows + result.from_copy, ALL_ROWS);
}

/* A copy made by hand is a file with a journal, like the store itself. */
TEST(a_copy_of_a_file_can_be_used)
{
    assert_int_equal(system("cp things.db things.db.copy"), 0);
    for (size_t at = 10; at + 1 < good.n / PAGE; at += 10)
        put_noise((off_t)at * PAGE, PAGE);
    repair_store();
    check_whole();
    assert_true(result.from_copy > 50 && result.rows > ROWS / 2);
}

/* To a query for some rows, noise may look like a page without them. */
TEST(noise_that_looks_like_a_page_hides_no_row_of_the_copy)
{
    make_copy();
    struct buf noise = {0};
    for (size_t i = 0; i < good.n; i++)
        buf_add_char(&noise, (char)(i * 167 + 13));
    size_t at = (size_t)2 * PAGE, n = good.n / PAGE * 6 / 10 * PAGE - at;
    put_bytes("things.db", str_make(noise.p + at, n), (off_t)at);
    repair_store();
    check_whole();
    buf_done(&noise);
}

TEST(garbage_is_replaced_by_the_copy)
{
    make_copy();
    assert_int_equal(system("seq 1 40000 >things.db"), 0);
    check_refused();
    repair_store();
    check_whole();
    assert_int_equal(result.rows, 0);
    assert_int_equal(result.from_copy, ALL_ROWS);
}

/* It may be a valuable file. */
TEST(garbage_without_a_copy_is_not_changed)
{
    assert_int_equal(system("seq 1 40000 >things.db"), 0);
    assert_false(store_repair(&options, &result, &err));
    assert_non_null(strstr(err.text, "nothing in it can be read, and there is no copy"));
    assert_int_equal(count_files("things.db.damaged"), 0);
    assert_int_equal(count_files("things.db.repair"), 0);
    assert_int_equal(system("seq 1 40000 | cmp -s things.db"), 0);
}

TEST(a_file_that_is_not_a_store_is_not_changed)
{
    enum store_failure failure = STORE_OK;
    assert_int_equal(system("rm -f things.db*; echo a line >things.db; chmod 644 things.db"), 0);
    assert_null(store_open(&options, &failure, &err));
    assert_int_equal(failure, STORE_REFUSED);
    assert_non_null(strstr(err.text, "it is not a store"));
    assert_int_equal(count_files("things.db"), 1);
    struct stat st;
    assert_int_equal(stat("things.db", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0644);
}

/* The mark identifies our file, although all its tables are gone. */
TEST(our_file_without_rows_is_replaced)
{
    for (size_t at = 1; at < good.n / PAGE; at++)
        put_noise((off_t)at * PAGE, PAGE);
    repair_store();
    assert_int_equal(result.rows, 0);
    assert_int_equal(ask("SELECT count(*) FROM item"), 0);
    assert_int_equal(ask("SELECT value FROM setting"), 100); /* as every new one, mended */
    assert_int_equal(count_files("things.db.damaged"), 1);
}

TEST(an_empty_or_missing_file_comes_from_the_copy)
{
    make_copy();
    assert_int_equal(truncate("things.db", 0), 0);
    check_refused();
    repair_store();
    check_whole();
    assert_int_equal(remove("things.db"), 0);
    repair_store();
    check_whole();
    assert_string_equal(result.aside, "");
}

TEST(a_cut_file_keeps_its_remaining_rows)
{
    assert_int_equal(truncate("things.db", (off_t)good.n / 2 / PAGE * PAGE + 77), 0);
    check_refused();
    repair_store();
    assert_true(ask("SELECT count(*) FROM item WHERE value = id * 7") > ROWS / 4);
}

/* Noise anywhere: no crash, a sound file, and no invented rows. */
TEST(noise_anywhere_is_repaired)
{
    size_t lost = 0, most = 0;
    for (int round = 0; round < 100; round++) {
        restore();
        for (uint64_t i = rng_below(&rng, 4) + 1; i > 0; i--) {
            size_t n = 1 + (size_t)rng_below(&rng, round % 3 ? 64 : PAGE);
            put_noise((off_t)rng_below(&rng, good.n - n), n);
        }
        repair_store();
        int64_t left = ask("SELECT count(*) FROM item");
        assert_in_range(left, 0, ROWS);
        lost += left < ROWS;
        most += left > ROWS - 100;
    }
    assert_true(lost > 10); /* the noise was found */
    assert_true(most > 80); /* but with bad upper pages of a tree, much is lost */
}

TEST(rows_removed_since_the_copy_stay_removed)
{
    make_copy();
    change("DELETE FROM pair");
    change("DELETE FROM item WHERE id = 1");
    put_noise(page_of_rows() * PAGE, PAGE);
    repair_store();
    assert_int_equal(ask("SELECT count(*) FROM pair"), 0);
    assert_int_equal(ask("SELECT count(*) FROM item WHERE id = 1"), 0);
    assert_int_equal(ask("SELECT count(*) FROM item"), ROWS - 1);
}

TEST(numbers_are_not_reused)
{
    change("DELETE FROM item WHERE id > 1990");
    put_noise(0, 100);
    repair_store();
    change("INSERT INTO item (name, value, text) VALUES ('new', 0, '')");
    assert_int_equal(ask("SELECT id FROM item WHERE name = 'new'"), ROWS + 1);
    change("DELETE FROM item");
    put_noise(0, 100);
    repair_store();
    change("INSERT INTO item (name, value, text) VALUES ('new', 0, '')");
    assert_int_equal(ask("SELECT id FROM item WHERE name = 'new'"), ROWS + 2);
}

TEST(a_file_in_use_is_not_repaired)
{
    struct store *s = open_store();
    assert_false(store_repair(&options, &result, &err));
    assert_int_equal(err.code, ERR_IN_USE);
    assert_non_null(strstr(err.text, "stop the processes that have it open"));
    store_close(s);
}

TEST(a_missing_file_is_reported)
{
    assert_int_equal(remove("things.db"), 0);
    assert_false(store_repair(&options, &result, &err));
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(count_files("things.db.repair"), 0);
    assert_false(file_exists("things.db"));
}

TEST(a_newer_file_is_not_repaired)
{
    change("PRAGMA user_version = 9");
    assert_false(store_repair(&options, &result, &err));
    assert_non_null(strstr(err.text, "newer version"));
    assert_int_equal(ask("PRAGMA user_version"), 9);
}

TEST(an_interrupted_repair_is_completed)
{
    assert_int_equal(rename("things.db", "things.db.repaired"), 0);
    put_bytes("things.db", STR("garbage"), 0);
    put_bytes("things.db-wal", STR("garbage"), 0);
    repair_store();
    check_whole();
    assert_int_equal(count_files("things.db.damaged"), 2);
    assert_false(file_exists("things.db.repaired"));
}

static _Noreturn void work_and_die(void)
{
    int count = 50;
    struct store *s = store_open(&options, NULL, &err);
    bool ok = s && store_run(s, STORE_ROWS, fill, &count, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    _exit(ok ? 0 : 1);
}

/* Committed rows that are not yet in the file are in its journal. */
TEST(the_journal_of_a_crash_is_used)
{
    int status;
    assert_int_equal(system("rm -f things.db*"), 0);
    store_close(open_store());
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        work_and_die();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(file_exists("things.db-wal"));
    put_noise(0, 100);
    repair_store();
    assert_int_equal(ask("SELECT count(*) FROM item WHERE value = id * 7"), 50);
}

TEST(a_damaged_file_does_not_replace_a_good_copy)
{
    make_copy();
    put_noise(page_of_rows() * PAGE, PAGE);
    struct store *s = open_store();
    assert_false(store_copy(s, &err));
    assert_int_equal(store_last_failure(s), STORE_DAMAGED);
    store_close(s);
    assert_int_equal(count_files("things.db.copy"), 1);
    assert_int_equal(truncate("things.db", 100), 0);
    repair_store();
    check_whole();
}

/* Each copy is complete. */
TEST(concurrent_copies_are_complete)
{
    fflush(NULL);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            struct store_options patient = options;
            patient.wait_ms = 60000;
            struct store *s = store_open(&patient, NULL, &err);
            bool ok = s != NULL;
            for (int k = 0; ok && k < 10; k++)
                ok = store_copy(s, &err);
            if (!ok)
                fprintf(stderr, "%s\n", err.text);
            store_close(s);
            _exit(ok ? 0 : 1);
        }
    for (int i = 0; i < 4; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(rename("things.db.copy", "things.db"), 0);
    assert_int_equal(count_files("things.db.copy-"), 0);
    check_whole();
}

static bool copy_inside(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = "UPDATE setting SET value = 8"}, NULL, e) &&
           store_copy(s, e);
}

TEST(a_copy_may_be_made_inside_a_transaction)
{
    struct store *s = open_store();
    if (!store_run(s, STORE_WRITE, copy_inside, NULL, &err))
        fail_msg("%s", err.text);
    store_close(s);
    assert_int_equal(rename("things.db.copy", "things.db"), 0);
    assert_int_equal(ask("SELECT value FROM setting"), 7); /* only committed rows */
    check_whole();
}

/* A work finds the damage: it fails, and the file stays. */
static bool read_all(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    size_t changed;
    return store_do(s, &(struct store_statement){.sql = "UPDATE item SET value = value + 1"},
                    &changed, e);
}

TEST(damage_found_later_is_reported)
{
    put_noise(page_of_rows() * PAGE, PAGE);
    struct store *s = open_store();
    assert_false(store_run(s, STORE_WRITE, read_all, NULL, &err));
    assert_int_equal(store_last_failure(s), STORE_DAMAGED);
    assert_non_null(strstr(err.text, "multiverse task repair"));
    assert_int_equal(count_files("things.db.damaged"), 0);
    store_close(s);
    repair_store();
    assert_in_range(ask("SELECT count(*) FROM item WHERE value = id * 7"), ROWS - 20, ROWS);
}
