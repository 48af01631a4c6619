/* Files on a disk that is full or fails, and files that are moved away. */
#include <sys/stat.h>

#include "base/loop.h"
#include "faulty_vfs.h"
#include "store/store_thread.h"
#include "store_url.h"

static const char *const steps[] = {
    "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL)"};
static const struct store_schema schema = {
    .name = "things",
    .mark = 0x7468696e,
    .steps = steps,
    .version = 1,
    .check = "SELECT 1 WHERE NOT EXISTS (SELECT id, text FROM item WHERE 1 = 0)",
};

static struct error err;
static struct store *store;

static struct store *open_as(bool is_durable, enum store_failure *failure)
{
    return store_open(
        &(struct store_options){
            .url = "things.db", .schema = &schema, .wait_ms = 200, .is_durable = is_durable},
        failure, &err);
}

static int setup(void **state)
{
    char url[4096];
    test_store_begin(url, "things.db");
    err = (struct error){0};
    store = open_as(false, NULL);
    if (!store)
        fail_msg("%s", err.text);
    return 0;
}

static int teardown(void **state)
{
    faulty_code = 0;
    store_close(store);
    test_store_end();
    return 0;
}

static bool add(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = "INSERT INTO item (text) VALUES ('x')"},
                    NULL, e);
}

static bool add_with_fault(struct store *s, void *ctx, struct error *e)
{
    const int *code = ctx;
    bool ok = add(s, NULL, e);
    faulty_code = *code;
    return ok && add(s, NULL, e);
}

/* More than SQLite keeps in memory, so it writes before the commit. */
static bool add_much_with_fault(struct store *s, void *ctx, struct error *e)
{
    const int *code = ctx;
    faulty_code = *code;
    return store_do(s,
                    &(struct store_statement){
                        .sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                               " WHERE i < 20000) INSERT INTO item (text) SELECT"
                               " 'a text that is long enough for many pages of it ' || i FROM n"},
                    NULL, e);
}

static bool get_count(struct store *s, void *ctx, struct error *e)
{
    return store_query_int(s, &(struct store_statement){.sql = "SELECT count(*) FROM item"}, ctx,
                           e);
}

static void check_count(int64_t want)
{
    int64_t count = -1;
    if (!store_run(store, STORE_READ, get_count, &count, &err))
        fail_msg("%s", err.text);
    assert_int_equal(count, want);
}

static void check_fault(store_fn *work, int code, const char *text)
{
    assert_false(store_run(store, STORE_ROWS, work, &code, &err));
    assert_int_equal(store_last_failure(store), STORE_UNAVAILABLE);
    assert_int_equal(err.code, ERR_IO);
    if (!strstr(err.text, text))
        fail_msg("%s", err.text);
    check_count(1); /* the old rows can be read */
    faulty_code = 0;
}

/* ---- disks */

TEST_FIXTURE(setup, teardown);

TEST(a_full_disk_undoes_the_work_and_nothing_else)
{
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    check_fault(add_with_fault, SQLITE_FULL, "things.db: the disk is full");
    check_fault(add_much_with_fault, SQLITE_FULL, "things.db: the disk is full");
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err)); /* the disk has room again */
    check_count(2);
    store_close(store);
    store = open_as(false, NULL);
    check_count(2);
}

TEST(a_failing_disk_is_reported_and_retried)
{
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    check_fault(add_with_fault, SQLITE_IOERR_WRITE, "disk I/O error");
    check_fault(add_much_with_fault, SQLITE_IOERR_WRITE, "disk I/O error");
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    check_count(2);
}

TEST(a_full_disk_at_the_start_is_reported)
{
    enum store_failure failure = STORE_OK;
    store_close(store);
    assert_int_equal(system("rm -f things.db*"), 0);
    faulty_code = SQLITE_FULL;
    store = open_as(false, &failure);
    assert_null(store);
    assert_int_equal(failure, STORE_UNAVAILABLE);
    assert_non_null(strstr(err.text, "the disk is full"));
    faulty_code = 0;
    store = open_as(false, NULL);
    assert_non_null(store);
    check_count(0);
}

TEST(a_durable_store_is_on_disk_after_every_commit)
{
    for (int durable = 0; durable < 2; durable++) {
        store_close(store);
        store = open_as(durable, NULL);
        assert_non_null(store);
        assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
        size_t before = faulty_syncs;
        for (int i = 0; i < 5; i++)
            assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
        assert_int_equal(faulty_syncs - before, durable ? 5 : 0);
    }
}

/* ---- files */

TEST(a_moved_file_is_unavailable_until_it_is_back)
{
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    assert_int_equal(rename("things.db", "elsewhere"), 0);
    for (int i = 0; i < 2; i++) {
        assert_false(store_run(store, STORE_ROWS, add, NULL, &err));
        assert_int_equal(store_last_failure(store), STORE_UNAVAILABLE);
        assert_non_null(strstr(err.text, "it was removed, or moved away, while in use"));
    }
    assert_int_equal(rename("elsewhere", "things.db"), 0);
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    check_count(2);
}

TEST(another_file_in_its_place_is_used)
{
    assert_true(store_run(store, STORE_ROWS, add, NULL, &err));
    assert_int_equal(system("for f in '' -wal -shm; do mv things.db$f elsewhere$f; done"), 0);
    store_close(open_as(false, NULL)); /* another process created a new one */
    check_count(0);
}

/* ---- a thread */

static struct loop *loop;
static struct buf seen;
static const char *stop_at;

static void say(const char *what)
{
    buf_printf(&seen, "%s ", what);
    if (stop_at && str_ends(buf_str(&seen), str_from(stop_at)))
        loop_stop(loop);
}

static void on_late(void *ctx)
{
    (void)ctx;
    fail_msg("seen only: %s", seen.p ? seen.p : "");
}

static void wait_for(const char *last)
{
    struct timer guard = {0};
    stop_at = last;
    timer_start(&guard, loop, test_left_ms(), on_late, NULL);
    if (!str_ends(buf_str(&seen), str_from(last)))
        loop_run(loop);
    timer_stop(&guard);
}

static void on_failure(const struct error *e, enum store_failure failure, void *ctx)
{
    (void)ctx;
    say(!e ? "back" : failure == STORE_UNAVAILABLE ? "gone" : "useless");
}

static void on_done(bool ok, const struct error *e, void *ctx)
{
    (void)e;
    say(ok ? ctx : "failed");
}

static void on_closed(void *ctx)
{
    (void)ctx;
    say("closed");
}

TEST(a_thread_waits_until_the_disk_has_room)
{
    loop = loop_new();
    struct store_thread *thread = store_thread_open(
        loop, &(struct store_thread_options){.store = {.url = "things.db", .schema = &schema},
                                             .on_failure = on_failure});
    store_thread_run(thread, STORE_ROWS, add, on_done, "first");
    wait_for("first ");
    faulty_code = SQLITE_FULL;
    store_thread_run(thread, STORE_ROWS, add, on_done, "second");
    store_thread_run(thread, STORE_ROWS, add, on_done, "third");
    wait_for("gone ");
    assert_true(store_thread_is_unavailable(thread));
    faulty_code = 0;
    wait_for("third ");
    store_thread_close(thread, on_closed, NULL);
    wait_for("closed ");
    CHECK_STR(buf_str(&seen), STR("first gone back second third closed "));
    loop_free(loop);
    buf_done(&seen);
    check_count(3);
}

int main(void)
{
    faulty_vfs_use();
    return test_run(NULL, NULL);
}
