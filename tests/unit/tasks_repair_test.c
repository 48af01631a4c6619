/* Repair of a damaged file of tasks: dependencies are not lost. */
#include <fcntl.h>
#include <sqlite3.h>

#include "tasks_kit.h"

#define TASKS 30

static struct error err;

/* The offset of a table or an index in the file. */
static off_t root_of(const char *path, const char *name)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = ?1", -1, &stmt, 0),
        SQLITE_OK);
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    off_t at = (off_t)(sqlite3_column_int64(stmt, 0) - 1) * 4096;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return at;
}

static void damage(const char *path, off_t at)
{
    char noise[4096];
    memset(noise, 0xa5, sizeof noise);
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, noise, sizeof noise, at), sizeof noise);
    close(fd);
}

static void repair(struct kit *k)
{
    struct store_repair out;
    if (!store_repair(&(struct store_options){.url = k->url, .schema = &tasks_schema}, &out, &err))
        fail_msg("%s", err.text);
    assert_int_not_equal(out.aside[0], 0);
}

static void count_edge(struct task_edge e, void *ctx)
{
    assert_int_equal(e.needs, e.task - 1);
    ++*(size_t *)ctx;
}

static bool edges_work(struct store *s, void *ctx, struct error *e)
{
    *(size_t *)ctx = 0;
    return tasks_edges(s, 0, count_edge, ctx, e);
}

static void count_attempt(const struct attempt_row *a, void *ctx)
{
    CHECK_CSTR(a->end, "succeeded");
    ++*(size_t *)ctx;
}

static bool attempts_work(struct store *s, void *ctx, struct error *e)
{
    *(size_t *)ctx = 0;
    return tasks_attempts(s, 1, count_attempt, ctx, e);
}

static size_t count(struct kit *k, store_fn *work)
{
    size_t n;
    if (!store_run(k->store, STORE_READ, work, &n, &err))
        fail_msg("%s", err.text);
    return n;
}

/* A chain whose first task has succeeded. */
static void begin(struct kit *k)
{
    char name[16], before[16] = "";
    kit_begin(k);
    for (int i = 1; i <= TASKS; i++) {
        snprintf(name, sizeof name, "t%d", i);
        kit_add(k, name, before);
        memcpy(before, name, sizeof before);
    }
    struct transaction_claim c = kit_claim(k, "me");
    kit_end(k, "me", &c, TASK_SUCCEED);
}

TEST(a_bad_page_of_another_table_loses_no_dependency_and_no_attempt)
{
    if (test_store_is_server())
        skip();
    struct kit k;
    begin(&k);
    store_close(k.store);
    damage(k.url, root_of(k.url, "status_ready"));
    repair(&k);
    k.store = kit_open(k.url);
    assert_int_equal(count(&k, edges_work), TASKS - 1);
    assert_int_equal(count(&k, attempts_work), 1);
    struct transaction t = kit_transaction(&k, "me", TASKS);
    kit_run(&k, &t);
    assert_int_equal(t.claim_count, 1); /* the second, and not its dependents */
    transaction_done(&t);
    kit_done(&k);
}

TEST(a_task_that_may_have_lost_dependencies_is_blocked)
{
    if (test_store_is_server())
        skip();
    struct kit k;
    begin(&k);
    store_close(k.store);
    damage(k.url, root_of(k.url, "need"));
    repair(&k);
    k.store = kit_open(k.url);
    struct transaction t = kit_transaction(&k, "me", TASKS);
    kit_run(&k, &t);
    for (size_t i = 0; i < t.claim_count; i++)
        assert_true(t.claims[i].task <= 2);
    transaction_done(&t);
    kit_done(&k);
}
