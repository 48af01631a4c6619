/* The ledger's file, seen from outside: its bytes, its mode, its rows in SQL. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "ledger_calls.h"

static inline bool on_answer(const char *sql, char answer[64])
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open_v2("state.db", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000);
    bool ok = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK;
    int rc = ok ? sqlite3_step(stmt) : SQLITE_ERROR;
    const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    snprintf(answer, 64, "%s", text ? text : "");
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

static inline void check_sql(const char *sql, const char *want)
{
    char answer[64];
    assert_true(on_answer(sql, answer));
    assert_string_equal(answer, want);
}

/* Count files of this folder with this prefix. */
static inline size_t count_files(const char *start)
{
    size_t n = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += strncmp(e->d_name, start, strlen(start)) == 0;
    closedir(dir);
    return n;
}

static inline mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static inline void put_bytes(const char *path, struct str bytes, off_t at)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes.p, bytes.n, at), bytes.n);
    close(fd);
}

/* Write some cooldowns and decisions to the disk, in one closed file. */
static inline struct buf make_good_file(void)
{
    struct buf bytes = {0};
    for (size_t i = 0; i < 4; i++)
        run_one(i, OUTCOME_AUTH);
    for (int i = 0; i < 40; i++)
        decision_free(choose());
    close_ledger();
    assert_true(file_read("state.db", 1 << 24, &bytes, &err));
    assert_true(bytes.n > 40000);
    return bytes;
}

/* Choosing and reporting works with any earlier contents. */
static inline void check_it_works(void)
{
    size_t n;
    assert_true(ledger_clear(ledger, STR(""), &n, &err));
    struct decision *d = choose();
    assert_int_equal(d->index, 0);
    report(d, OUTCOME_AUTH);
    assert_int_equal(look(), 1);
    check_sql("PRAGMA integrity_check", "ok");
}
