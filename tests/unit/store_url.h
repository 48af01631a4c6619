/* Where the stores of a test are: files in a folder of its own, or, with MULTIVERSE_TEST_STORE set
 * (tests/postgres.sh), a server that is there for tests alone.
 *
 *     char url[4096];
 *     test_store_begin(url, "tasks.db");        // the working directory is a new, empty folder
 *     ... store_open(&(struct store_options){.url = url, ...}) ...
 *     test_store_end();
 *
 * On a server all tables of before are gone after test_store_begin(): one program at a time.
 */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/store.h"
#include "test.h"

static char test_store_folder[64], test_store_before[4096];

static inline bool test_store_is_server(void)
{
    return store_is_server(getenv("MULTIVERSE_TEST_STORE"));
}

static inline bool test_store_drop(struct store *s, void *ctx, struct error *err)
{
    (void)ctx;
    return store_do(s, &(struct store_statement){.sql = "DROP SCHEMA multiverse CASCADE"}, NULL,
                    err);
}

static inline void test_store_clear(void)
{
    static const char *const steps[] = {"CREATE TABLE nothing (x BIGINT)"};
    const struct store_schema schema = {
        .name = "clear", .steps = steps, .version = 1, .check = "SELECT 1"};
    struct error err = {0};
    struct store *s = store_open(
        &(struct store_options){.url = getenv("MULTIVERSE_TEST_STORE"), .schema = &schema}, NULL,
        &err);
    if (!s || !store_run(s, STORE_WRITE, test_store_drop, NULL, &err))
        fail_msg("%s", err.text);
    store_close(s);
}

static inline void test_store_begin(char url[4096], const char *file)
{
    snprintf(test_store_folder, sizeof test_store_folder, "/tmp/store-test-XXXXXX");
    assert_non_null(mkdtemp(test_store_folder));
    assert_non_null(getcwd(test_store_before, sizeof test_store_before));
    assert_int_equal(chdir(test_store_folder), 0);
    snprintf(url, 4096, "%s", test_store_is_server() ? getenv("MULTIVERSE_TEST_STORE") : file);
    if (test_store_is_server())
        test_store_clear();
}

static inline int test_store_remove(const char *path, const struct stat *st, int kind,
                                    struct FTW *walk)
{
    (void)st;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void test_store_end(void)
{
    assert_int_equal(chdir(test_store_before), 0);
    nftw(test_store_folder, test_store_remove, 16, FTW_DEPTH | FTW_PHYS);
}
