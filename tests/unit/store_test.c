/* The promises of both kinds of store: the test runs on a file, and again on a server
 * (store_url.h). */
#include "store/store.h"

#include <sys/wait.h>

#include "base/mem.h"
#include "base/rfc3339.h"
#include "store_url.h"

#define WAIT_MS TEST_LIMIT_MS

static const char *const steps[] = {
    "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, value BIGINT);"
    "CREATE TABLE number (id BIGINT PRIMARY KEY, value BIGINT NOT NULL);"
    "INSERT INTO number VALUES (1, 0); INSERT INTO number VALUES (2, 0);",
    "ALTER TABLE number ADD COLUMN note TEXT NOT NULL DEFAULT 'new';",
    "broken",
};

static struct store_schema schema;
static char url[4096];
static struct error err;
static struct store *store;

static struct store *open_as(size_t version, enum store_failure *failure)
{
    schema = (struct store_schema){
        .name = "things",
        .mark = 0x7468696e,
        .steps = steps,
        .version = version,
        .check = version == 1 ? "SELECT 1 WHERE NOT EXISTS (SELECT id, value FROM number"
                                " WHERE 1 = 0)"
                              : "SELECT 1 WHERE NOT EXISTS (SELECT id, value, note FROM number"
                                " WHERE 1 = 0)",
    };
    return store_open(&(struct store_options){.url = url, .schema = &schema, .wait_ms = WAIT_MS},
                      failure, &err);
}

static int setup(void **state)
{
    err = (struct error){0};
    test_store_begin(url, "things.db");
    store = open_as(1, NULL);
    if (!store)
        fail_msg("%s", err.text);
    return 0;
}

static int teardown(void **state)
{
    store_close(store);
    test_store_end();
    return 0;
}

static void run(enum store_mode mode, store_fn *work, void *ctx)
{
    if (!store_run(store, mode, work, ctx, &err))
        fail_msg("%s", err.text);
}

/* ---- one statement as a work */

struct one {
    struct store_statement st;
    size_t changed;
    int64_t number;
    struct buf text;
};

static bool ask_one(struct store *s, void *ctx, struct error *e)
{
    struct one *o = ctx;
    buf_clear(&o->text);
    struct store_rows q = store_query(s, &o->st);
    while (store_next(&q)) {
        o->number = store_int(&q, 0);
        buf_add(&o->text, store_text(&q, 0));
        buf_add_char(&o->text, ' ');
    }
    return store_end(&q, e);
}

static bool do_one(struct store *s, void *ctx, struct error *e)
{
    struct one *o = ctx;
    return store_do(s, &o->st, &o->changed, e);
}

static int64_t number_of(const char *sql)
{
    struct one o = {.st = {.sql = sql}};
    run(STORE_READ, ask_one, &o);
    buf_done(&o.text);
    return o.number;
}

static size_t change(const char *sql)
{
    struct one o = {.st = {.sql = sql}};
    run(STORE_ROWS, do_one, &o);
    return o.changed;
}

/* ---- transactions */

struct attempt {
    int calls;
    bool answer;
    int64_t seen;
};

static const char add_one[] = "UPDATE number SET value = value + 1 WHERE id = 1";

static bool bump(struct store *s, void *ctx, struct error *e)
{
    struct attempt *a = ctx;
    size_t changed = 0;
    a->calls++;
    if (!store_do(s, &(struct store_statement){.sql = add_one}, &changed, e) ||
        !store_query_int(s,
                         &(struct store_statement){.sql = "SELECT value FROM number WHERE id = 1"},
                         &a->seen, e))
        return false;
    assert_int_equal(changed, 1);
    return a->answer || error_set(e, ERR_LIMIT, "not today");
}

TEST_FIXTURE(setup, teardown);

TEST(a_work_that_returns_false_leaves_no_trace)
{
    struct attempt a = {.answer = false};
    assert_false(store_run(store, STORE_WRITE, bump, &a, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "not today");
    assert_int_equal(store_last_failure(store), STORE_REFUSED);
    assert_int_equal(a.seen, 1);
    a.answer = true;
    run(STORE_WRITE, bump, &a);
    assert_int_equal(a.seen, 1);
    assert_int_equal(a.calls, 2);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 1);
    store_close(NULL);
}

static bool fail_early(struct store *s, void *ctx, struct error *e)
{
    int *seen = ctx;
    *seen = 1;
    if (!store_do(s, &(struct store_statement){.sql = add_one}, NULL, e) ||
        !store_do(s, &(struct store_statement){.sql = "INSERT INTO number VALUES (1, 5)"}, NULL, e))
        return false;
    *seen = 2;
    int64_t value = 0;
    if (!store_query_int(s, &(struct store_statement){.sql = "SELECT value FROM number"}, &value,
                         e))
        return false;
    *seen = 3;
    return true;
}

static bool fail_last(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = add_one}, NULL, e) &&
           store_do(s, &(struct store_statement){.sql = "INSERT INTO number VALUES (1, 5)"}, NULL,
                    e);
}

static bool fail_but_go_on(struct store *s, void *ctx, struct error *e)
{
    fail_last(s, ctx, NULL);
    (void)e;
    return true;
}

/* The failure shows in the work when something is waited for, or else at the commit. */
TEST(a_failed_change_undoes_the_whole_work)
{
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        assert_false(store_run(store, STORE_ROWS, fail_early, &seen, &err));
        assert_true(seen < 3);
        assert_int_equal(err.code, ERR_IO);
        assert_int_equal(store_last_failure(store), STORE_REFUSED);
        assert_false(store_run(store, STORE_ROWS, fail_last, NULL, &err));
        assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 0);
    }
    assert_int_equal(change(add_one), 1); /* and the next work succeeds */
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 1);
}

TEST(a_work_that_ignores_a_failure_still_fails)
{
    assert_false(store_run(store, STORE_ROWS, fail_but_go_on, NULL, &err));
    assert_int_equal(store_last_failure(store), STORE_REFUSED);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 0);
    assert_int_equal(change(add_one), 1);
}

TEST(a_reader_may_not_write)
{
    struct one o = {.st = {.sql = add_one}};
    assert_false(store_run(store, STORE_READ, do_one, &o, &err));
    assert_int_equal(store_last_failure(store), STORE_REFUSED); /* not worth a retry */
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 0);
}

static bool ask_nonsense(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = "no such statement"}, NULL, e) &&
           store_do(s, &(struct store_statement){.sql = add_one}, NULL, e);
}

TEST(a_wrong_statement_is_not_damage)
{
    for (int i = 0; i < 3; i++) {
        assert_false(store_run(store, STORE_WRITE, ask_nonsense, NULL, &err));
        assert_int_equal(err.code, ERR_IO);
        assert_non_null(strstr(err.text, "syntax error"));
        assert_int_equal(store_last_failure(store), STORE_REFUSED);
    }
    struct attempt a = {.answer = true};
    run(STORE_WRITE, bump, &a);
    assert_int_equal(a.seen, 1);
}

static bool write_while_reading(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    int64_t before = -1, after = -2;
    const struct store_statement ask = {.sql = "SELECT value FROM number WHERE id = 1"};
    if (!store_query_int(s, &ask, &before, e))
        return false;
    struct store *other = open_as(1, NULL);
    bool ok = other && store_run(other, STORE_WRITE, bump, &(struct attempt){.answer = true}, e);
    store_close(other);
    ok = ok && store_query_int(s, &ask, &after, e);
    assert_int_equal(before, after);
    return ok;
}

TEST(a_read_transaction_sees_one_moment)
{
    run(STORE_READ, write_while_reading, NULL);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 1);
}

/* ---- values */

static bool ask_values(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    struct store_rows q = store_query(
        s, &(struct store_statement){"SELECT ?1, ?2, ?3, ?4, NULL, ?5, 1 = 1, 1 = 2",
                                     {STORE_INT(INT64_MIN), STORE_REAL(0.1),
                                      STORE_TEXT(STR("a'b \xe3\x81\x82\n")),
                                      STORE_TEXT(((struct str){0})), STORE_INT(INT64_MAX)}});
    assert_true(store_next(&q));
    assert_true(store_int(&q, 0) == INT64_MIN);
    assert_true(store_real(&q, 1) == 0.1);
    CHECK_STR(store_text(&q, 2), STR("a'b \xe3\x81\x82\n"));
    CHECK_STR(store_text(&q, 3), STR(""));
    CHECK_STR(store_text(&q, 4), STR("")); /* null */
    assert_true(store_int(&q, 4) == 0 && store_real(&q, 4) == 0);
    CHECK_STR(store_text(&q, 0), STR("-9223372036854775808"));
    assert_true(store_int(&q, 5) == INT64_MAX && store_int(&q, 6) == 1);
    assert_true(store_real(&q, 6) == 1 && store_int(&q, 7) == 0);
    assert_false(store_next(&q));
    assert_false(store_next(&q)); /* and it stays at its end */
    return store_end(&q, e);
}

TEST(values_come_back_unchanged)
{
    run(STORE_READ, ask_values, NULL);
}

static void check_text(struct str in, struct str want)
{
    struct one o = {.st = {"SELECT ?1", {STORE_TEXT(in)}}};
    run(STORE_READ, ask_one, &o);
    CHECK_STR(str_head(buf_str(&o.text), o.text.n - 1), want);
    buf_done(&o.text);
}

TEST(invalid_text_is_replaced)
{
    check_text(STR("a\0b"), STR("a\xef\xbf\xbd"
                                "b"));
    check_text(STR("\0"), STR("\xef\xbf\xbd"));
    check_text(STR("x\xff\xc3"), STR("x\xef\xbf\xbd\xef\xbf\xbd"));
    check_text(STR("\xed\xa0\x80z"), STR("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"));
}

TEST(a_long_text_comes_back_complete)
{
    size_t n = 3 << 20;
    char *text = mem_alloc(n);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + i % 26);
    check_text(str_make(text, n), str_make(text, n));
    free(text);
}

/* The same statement, first with a whole number and then with a fraction. */
TEST(a_statement_takes_values_of_other_types)
{
    static const char sql[] = "SELECT ?1 * 2";
    struct one o = {.st = {sql, {STORE_INT(21)}}};
    run(STORE_READ, ask_one, &o);
    CHECK_STR(buf_str(&o.text), STR("42 "));
    o.st.values[0] = STORE_REAL(1.25);
    run(STORE_READ, ask_one, &o);
    CHECK_STR(buf_str(&o.text), STR("2.5 "));
    buf_done(&o.text);
}

TEST(sql_of_one_kind_is_a_comment_for_the_other)
{
    int64_t want = test_store_is_server() ? 12 : 2;
    assert_int_equal(number_of("SELECT 2 --pg + 10\n"), want);
    assert_int_equal(number_of("SELECT 2 -- + 10\n"), 2);
    assert_int_equal(change("UPDATE number SET value = value + (SELECT 5 --pg FOR SHARE\n)"), 2);
}

/* ---- numbers of rows */

TEST(the_number_of_changed_rows_is_returned)
{
    assert_int_equal(change("UPDATE number SET value = 7"), 2);
    assert_int_equal(change("UPDATE number SET value = 7 WHERE id = 9"), 0);
    assert_int_equal(change("INSERT INTO item (name) VALUES ('a'), ('b'), ('c')"), 3);
    assert_int_equal(change("DELETE FROM item WHERE name < 'c'"), 2);
}

TEST(a_generated_key_is_never_reused)
{
    struct one o = {.st = {.sql = "INSERT INTO item (name) VALUES ('a') RETURNING id"}};
    for (int64_t i = 1; i <= 3; i++) {
        run(STORE_ROWS, ask_one, &o);
        assert_int_equal(o.number, i);
        change("DELETE FROM item");
    }
    buf_done(&o.text);
}

struct many {
    int count;
    int rows;
};

static bool insert_many(struct store *s, void *ctx, struct error *e)
{
    const struct many *m = ctx;
    char text[4096];
    memset(text, 'x', sizeof text);
    bool ok = true;
    for (int i = 0; ok && i < m->count; i++)
        ok = store_do(
            s,
            &(struct store_statement){"INSERT INTO item (name, value) VALUES (?1, ?2)",
                                      {STORE_TEXT(str_make(text, sizeof text)), STORE_INT(i)}},
            NULL, e);
    return ok;
}

static bool read_many(struct store *s, void *ctx, struct error *e)
{
    struct many *m = ctx;
    m->rows = 0;
    struct store_rows q = store_query(
        s, &(struct store_statement){.sql = "SELECT value, name FROM item ORDER BY id"});
    for (; store_next(&q); m->rows++) {
        assert_int_equal(store_int(&q, 0), m->rows);
        assert_int_equal(store_text(&q, 1).n, 4096);
    }
    return store_end(&q, e);
}

/* More than all buffers on the way can hold. */
TEST(a_work_may_have_very_many_statements)
{
    struct many m = {.count = 5000};
    run(STORE_ROWS, insert_many, &m);
    run(STORE_READ, read_many, &m);
    assert_int_equal(m.rows, 5000);
}

static bool fail_in_the_middle(struct store *s, void *ctx, struct error *e)
{
    struct many *m = ctx;
    return insert_many(s, m, e) &&
           store_do(s, &(struct store_statement){.sql = "INSERT INTO number VALUES (1, 5)"}, NULL,
                    e) &&
           insert_many(s, m, e);
}

TEST(a_failure_among_many_statements_leaves_no_change)
{
    struct many m = {.count = 2000};
    assert_false(store_run(store, STORE_ROWS, fail_in_the_middle, &m, &err));
    assert_int_equal(number_of("SELECT count(*) FROM item"), 0);
    run(STORE_ROWS, insert_many, &m);
    assert_int_equal(number_of("SELECT count(*) FROM item"), 2000);
}

static bool change_by_row(struct store *s, void *ctx, struct error *e)
{
    struct many *m = ctx;
    m->rows = 0;
    struct store_rows q =
        store_query(s, &(struct store_statement){.sql = "SELECT id FROM number ORDER BY id"});
    for (; store_next(&q); m->rows++)
        assert_true(store_do(s,
                             &(struct store_statement){
                                 "UPDATE number SET value = ?2 WHERE id = ?1",
                                 {STORE_INT(store_int(&q, 0)), STORE_INT(store_int(&q, 0) * 10)}},
                             NULL, e));
    return store_end(&q, e);
}

TEST(rows_may_be_changed_while_others_are_read)
{
    struct many m = {0};
    run(STORE_ROWS, change_by_row, &m);
    assert_int_equal(m.rows, 2);
    assert_int_equal(number_of("SELECT sum(value) FROM number"), 30);
}

static bool read_in_rows(struct store *s, void *ctx, struct error *e)
{
    struct many *m = ctx;
    int64_t value = -1;
    m->rows = 0;
    struct store_rows q =
        store_query(s, &(struct store_statement){.sql = "SELECT id FROM number ORDER BY id"});
    for (; store_next(&q); m->rows++)
        assert_true(store_query_int(
                        s,
                        &(struct store_statement){"SELECT ?1 + 100", {STORE_INT(store_int(&q, 0))}},
                        &value, e) &&
                    value == store_int(&q, 0) + 100);
    return store_end(&q, e);
}

TEST(queries_may_be_nested)
{
    struct many m = {0};
    run(STORE_READ, read_in_rows, &m);
    assert_int_equal(m.rows, 2);
}

/* Read only the first row, twice with the same statement; then change a row. */
static bool read_first_row(struct store *s, void *ctx, struct error *e)
{
    int64_t *ids = ctx;
    for (int i = 0; i < 2; i++) {
        struct store_rows q =
            store_query(s, &(struct store_statement){.sql = "SELECT id FROM number ORDER BY id"});
        ids[i] = store_next(&q) ? store_int(&q, 0) : -1;
        if (!store_end(&q, e))
            return false;
    }
    return store_do(s, &(struct store_statement){.sql = add_one}, NULL, e);
}

TEST(a_query_may_end_before_its_last_row)
{
    int64_t ids[2] = {0};
    run(STORE_ROWS, read_first_row, ids);
    assert_true(ids[0] == 1 && ids[1] == 1);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 1);
}

static bool read_no_row(struct store *s, void *ctx, struct error *e)
{
    int64_t *value = ctx;
    return store_query_int(s, &(struct store_statement){.sql = "SELECT id FROM item WHERE id < 0"},
                           value, e);
}

TEST(a_number_stays_where_there_is_no_row)
{
    int64_t value = 77;
    run(STORE_READ, read_no_row, &value);
    assert_int_equal(value, 77);
}

/* The statement fails: the loop sees no row, and store_end() returns the error. */
static bool read_nonsense(struct store *s, void *ctx, struct error *e)
{
    int *rows = ctx;
    struct store_rows q = store_query(s, &(struct store_statement){.sql = "SELECT FROM nowhere +"});
    while (store_next(&q))
        ++*rows;
    assert_false(store_end(&q, e));
    assert_int_equal(e->code, ERR_IO);
    return true;
}

TEST(a_query_that_fails_has_no_rows_and_fails_the_transaction)
{
    int rows = 0;
    assert_false(store_run(store, STORE_ROWS, read_nonsense, &rows, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(rows, 0);
    assert_int_equal(store_last_failure(store), STORE_REFUSED);
    assert_int_equal(number_of("SELECT count(*) FROM number"), 2);
}

/* All rows are changed, although only one is read. */
static bool return_some(struct store *s, void *ctx, struct error *e)
{
    (void)ctx;
    struct store_rows q = store_query(
        s, &(struct store_statement){.sql = "UPDATE number SET value = value + 5 RETURNING value"});
    assert_true(store_next(&q) && store_int(&q, 0) == 5);
    return store_end(&q, e);
}

TEST(a_change_with_returning_changes_all_rows)
{
    run(STORE_ROWS, return_some, NULL);
    assert_int_equal(number_of("SELECT sum(value) FROM number"), 10);
}

/* ---- the clock */

struct times {
    int64_t first, second;
};

static bool ask_times(struct store *s, void *ctx, struct error *e)
{
    struct times *t = ctx;
    const struct store_statement ask = {.sql = "SELECT now_ms()"};
    if (!store_query_int(s, &ask, &t->first, e))
        return false;
    int64_t start = rfc3339_now();
    while (rfc3339_now() < start + 5)
        ;
    return store_query_int(s, &ask, &t->second, e);
}

TEST(the_clock_is_constant_in_a_transaction)
{
    struct times a, b;
    int64_t before = rfc3339_now();
    run(STORE_READ, ask_times, &a);
    run(STORE_ROWS, ask_times, &b);
    assert_true(a.first == a.second && b.first == b.second);
    assert_true(a.first >= before && b.first >= a.first + 5 && b.first <= rfc3339_now());
}

/* ---- others */

static bool count_slowly(struct store *s, void *ctx, struct error *e)
{
    int64_t value = 0;
    (void)ctx;
    return store_query_int(
               s, &(struct store_statement){.sql = "SELECT value FROM number WHERE id = 1"}, &value,
               e) &&
           store_do(s,
                    &(struct store_statement){"UPDATE number SET value = ?1 WHERE id = 1",
                                              {STORE_INT(value + 1)}},
                    NULL, e);
}

static bool touch_rows(struct store *s, void *ctx, struct error *e)
{
    const int64_t *first = ctx;
    static const char sql[] = "UPDATE number SET value = value + 1 WHERE id = ?1";
    size_t n;
    return store_do(s, &(struct store_statement){sql, {STORE_INT(*first)}}, &n, e) &&
           store_do(s, &(struct store_statement){sql, {STORE_INT(3 - *first)}}, &n, e);
}

static void run_children(int count, int rounds, enum store_mode mode, store_fn *work)
{
    fflush(NULL);
    for (int i = 0; i < count; i++)
        if (fork() == 0) {
            int64_t first = i % 2 + 1;
            struct store *s = open_as(1, NULL);
            bool ok = s != NULL;
            for (int k = 0; ok && k < rounds; k++)
                ok = store_run(s, mode, work, &first, &err);
            if (!ok)
                fprintf(stderr, "%s\n", err.text);
            store_close(s);
            _exit(ok ? 0 : 1);
        }
    for (int i = 0; i < count; i++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
}

TEST(write_transactions_run_one_at_a_time)
{
    run_children(4, 50, STORE_WRITE, count_slowly);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 200);
}

/* In opposite orders: on a server they block each other, and one of them is restarted. */
TEST(deadlocks_are_resolved)
{
    run_children(4, test_store_is_server() ? 10 : 30, STORE_ROWS, touch_rows);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 2"),
                     test_store_is_server() ? 40 : 120);
}

TEST(many_processes_may_create_a_store_at_once)
{
    store_close(store);
    store = NULL;
    test_store_end();
    test_store_begin(url, "things.db");
    run_children(6, 1, STORE_WRITE, count_slowly);
    store = open_as(1, NULL);
    assert_int_equal(number_of("SELECT value FROM number WHERE id = 1"), 6);
    assert_int_equal(number_of("SELECT count(*) FROM number"), 2);
}

static bool meet_a_busy_store(struct store *s, void *ctx, struct error *e)
{
    struct attempt *a = ctx;
    enum store_failure failure = STORE_OK;
    if (!bump(s, &(struct attempt){.answer = true}, e))
        return false;
    struct store *other = store_open(
        &(struct store_options){.url = url, .schema = &schema, .wait_ms = 30}, &failure, e);
    if (!other)
        return false;
    assert_false(store_run(other, STORE_WRITE, bump, a, &err));
    assert_int_equal(err.code, ERR_IN_USE);
    assert_int_equal(store_last_failure(other), STORE_UNAVAILABLE);
    assert_non_null(strstr(err.text, "is busy"));
    store_close(other);
    return true;
}

TEST(a_busy_store_is_reported)
{
    struct attempt a = {.answer = true};
    run(STORE_WRITE, meet_a_busy_store, &a);
    if (!test_store_is_server())
        assert_int_equal(a.calls, 0);
    run(STORE_WRITE, bump, &a);
}

/* ---- versions */

TEST(an_older_store_is_upgraded_with_its_contents)
{
    change("UPDATE number SET value = 41 WHERE id = 2");
    store_close(store);
    store = open_as(2, NULL);
    assert_non_null(store);
    struct one o = {.st = {.sql = "SELECT note FROM number WHERE value = 41"}};
    run(STORE_READ, ask_one, &o);
    CHECK_STR(buf_str(&o.text), STR("new "));
    buf_done(&o.text);
}

TEST(a_newer_store_is_not_changed)
{
    enum store_failure failure = STORE_OK;
    store_close(store);
    store = open_as(2, NULL);
    assert_non_null(store);
    store_close(store);
    store = open_as(1, &failure);
    assert_null(store);
    assert_int_equal(failure, STORE_NEWER);
    assert_non_null(strstr(err.text, "a newer version of this program"));
    store = open_as(2, NULL);
    assert_int_equal(number_of("SELECT count(note) FROM number"), 2);
}

TEST(a_step_that_fails_changes_nothing)
{
    enum store_failure failure = STORE_OK;
    store_close(store);
    assert_null(open_as(3, &failure));
    assert_int_equal(failure, STORE_REFUSED);
    assert_non_null(strstr(err.text, "syntax error"));
    store = open_as(1, NULL); /* the second step was rolled back with the third */
    assert_int_equal(number_of("SELECT count(*) FROM number"), 2);
}

TEST(incomplete_tables_are_refused)
{
    enum store_failure failure = STORE_OK;
    change("ALTER TABLE number RENAME COLUMN value TO other");
    store_close(store);
    store = NULL;
    assert_null(open_as(1, &failure));
    assert_int_equal(failure, STORE_DAMAGED);
    assert_int_equal(err.code, ERR_IO);
}
