/* Damaged files and killed processes: the promises of store.h. */
#include <signal.h>
#include <sys/file.h>

#include "ledger_file.h"
#include "store/store.h"
#include "tooling/ledger_schema.h"

/* ---- damage */

static void check_moved(struct str want)
{
    struct buf got = {0};
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));)
        if (strncmp(e->d_name, "state.db.damaged-", 17) == 0 && !strstr(e->d_name, "-wal") &&
            !strstr(e->d_name, "-shm"))
            assert_true(file_read(e->d_name, 1 << 24, &got, &err));
    closedir(dir);
    CHECK_STR(buf_str(&got), want);
    buf_done(&got);
}

TEST_FIXTURE(setup, teardown);

/* Two bytes, because SQLite takes a single one for an empty file. */
TEST(garbage_is_moved_aside)
{
    char garbage[5000];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)rng_next(&rng);
    const struct str texts[] = {str_make(garbage, sizeof garbage), str_make(garbage, 2),
                                STR("{\"not\": \"a database\"}\n")};
    for (size_t i = 0; i < 3; i++) {
        close_ledger();
        assert_int_equal(system("rm -f state.db*"), 0);
        put_bytes("state.db", texts[i], 0);
        open_ledger();
        assert_int_equal(err.code, ERR_NONE); /* it did not count as a failure */
        assert_int_equal(mode_of("state.db"), 0600);
        check_moved(texts[i]);
        check_it_works();
    }
}

TEST(zeros_are_moved_aside_but_an_empty_file_is_not)
{
    static const char zeros[8192];
    close_ledger();
    assert_int_equal(system("rm -f state.db*"), 0);
    put_bytes("state.db", STR(""), 0);
    open_ledger();
    check_it_works();
    assert_int_equal(count_files("state.db.damaged"), 0);
    close_ledger();
    assert_int_equal(system("rm -f state.db*"), 0);
    put_bytes("state.db", str_make(zeros, sizeof zeros), 0);
    open_ledger();
    check_it_works();
    check_moved(str_make(zeros, sizeof zeros));
}

TEST(a_truncated_file_is_moved_aside)
{
    struct buf good = make_good_file();
    const size_t half = good.n / 8192 * 4096;
    const size_t cuts[] = {2,    16,   99,        100,  511,      512,           4095,
                           4096, 4097, 8192 + 99, half, half + 7, good.n - 4096, good.n - 4086};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        assert_int_equal(system("rm -f state.db*"), 0);
        put_bytes("state.db", str_make(good.p, cuts[i]), 0);
        open_ledger();
        check_it_works();
        check_moved(str_make(good.p, cuts[i]));
        close_ledger();
    }
    buf_done(&good);
    open_ledger();
}

/* Damage anywhere: the work goes on, with the old file or with a new one. */
TEST(a_broken_page_never_stops_the_work)
{
    struct buf good = make_good_file();
    size_t moved = 0;
    for (size_t at = 0; at + 64 < good.n; at += 4096 * (1 + rng_below(&rng, 3))) {
        char noise[64];
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (char)rng_next(&rng);
        assert_int_equal(system("rm -f state.db*"), 0);
        put_bytes("state.db", buf_str(&good), 0);
        put_bytes("state.db", str_make(noise, sizeof noise), (off_t)at);
        open_ledger();
        for (int i = 0; i < 3; i++) {
            struct decision *d = choose();
            if (d->chosen)
                report(d, OUTCOME_SERVER);
            else
                decision_free(d);
        }
        size_t n;
        assert_true(ledger_clear(ledger, STR(""), &n, &err));
        close_ledger();
        moved += count_files("state.db.damaged") > 0;
    }
    assert_true(moved > 0);
    buf_done(&good);
    open_ledger();
}

/* A sound database with other tables. */
TEST(incomplete_tables_are_moved_aside)
{
    static const char *const harm[] = {
        "DROP TABLE rest", "ALTER TABLE turn RENAME COLUMN nth TO nr", "DELETE FROM counter",
        "ALTER TABLE decision DROP COLUMN told", "PRAGMA user_version = 0"};
    for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
        char answer[64];
        assert_int_equal(count_files("state.db.damaged"), 0);
        decision_free(choose());
        close_ledger();
        assert_true(on_answer(harm[i], answer));
        open_ledger();
        assert_int_equal(count_files("state.db.damaged"), 1);
        check_it_works();
        assert_int_equal(system("rm -f state.db.damaged*"), 0);
    }
    assert_int_equal(err.code, ERR_NONE); /* it did not count as a failure */
}

/* A row that this program did not write must not break a choice. */
TEST(invalid_rows_are_ignored)
{
    char answer[64];
    assert_true(on_answer("INSERT INTO rest VALUES ('mock|*|b', 'sleepy', 'x', 9e99, -5, 'p', 'y',"
                          " x'ff00', 7)",
                          answer));
    assert_true(on_answer("INSERT INTO rest VALUES ('mock|*|c', 'server', 'x', 'later', -5, 'p',"
                          " 'y', x'ff00', 7)",
                          answer));
    assert_true(on_answer("INSERT INTO turn VALUES ('test', 'meta', x'ff', -9, 9e18)", answer));
    assert_true(on_answer("INSERT INTO near VALUES ('mock|KEY_0|*', 'w', 'much', 'soon')", answer));
    check_cooldowns("mock|*|c server -1794790800000 x0\n");
    configure(STRATEGY_ROUND_ROBIN, 4);
    struct decision *d = choose();
    assert_int_equal(d->index, 2); /* its cooldown is over */
    report(d, OUTCOME_SERVER);
    assert_int_equal(run_one(1, OUTCOME_SERVER), START + 30 * SECOND);
    check_cooldowns("mock|*|b server 30000 x1\nmock|*|c server 30000 x1\n");
}

/* In a new file numbers start again: a report for an old decision must not apply to a new one. */
TEST(a_decision_of_an_old_file_changes_nothing_in_the_new_one)
{
    struct decision *runs[2];
    for (int i = 0; i < 2; i++) {
        run_one(2, OUTCOME_SERVER);
        now += MINUTE;
        runs[i] = choose();
        assert_true(runs[i]->id == 2 && runs[i]->is_probe);
        if (i == 0)
            assert_int_equal(system("rm -f state.db state.db-wal state.db-shm"), 0);
    }
    report(runs[0], OUTCOME_KILLED);
    assert_int_equal(look(), 0); /* the probe still belongs to the other run */
    check_sql("SELECT count(*) FROM decision WHERE id = 2 AND told LIKE '%\"outcome\":null}'", "1");
    report(runs[1], OUTCOME_OK);
    check_cooldowns("");
}

/* Found when the decision is recorded, after a number was drawn: the retry draws the same
 * number. */
TEST(damage_does_not_change_the_choice)
{
    struct buf good = make_good_file();
    configure(STRATEGY_WEIGHTED, 4);
    char answer[64], noise[64];
    assert_true(on_answer("SELECT rootpage FROM sqlite_master WHERE name = 'decision'", answer));
    memset(noise, 0xa5, sizeof noise);
    put_bytes("state.db", str_make(noise, sizeof noise), (strtol(answer, NULL, 10) - 1) * 4096);
    open_ledger();
    size_t n;
    assert_true(ledger_clear(ledger, STR(""), &n, &err));
    assert_int_equal(count_files("state.db.damaged"), 0);
    struct rng once = rng;
    double draw = rng_unit(&once);
    struct decision *d = choose();
    assert_true(d->draw == draw);
    assert_memory_equal(&once, &rng, sizeof rng);
    assert_int_equal(d->id, 1);
    assert_int_equal(count_files("state.db.damaged"), 1);
    decision_free(d);
    buf_done(&good);
}

/* Its journal must not be used for the new file. */
TEST(changes_that_were_not_committed_are_lost_with_the_file)
{
    struct buf good = make_good_file();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { /* exits without closing it */
        struct ledger *l = ledger_open("state.db", &err);
        struct ledger_ask ask = ask_for("meta");
        _exit(l && ledger_choose(l, &ask, &err) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(file_exists("state.db-wal"));
    char noise[64];
    memset(noise, 0xa5, sizeof noise);
    for (size_t at = 4096; at + 64 < good.n; at += 4096)
        put_bytes("state.db", str_make(noise, sizeof noise), (off_t)at);
    open_ledger();
    assert_true(count_files("state.db.damaged") > 0);
    check_sql("SELECT value FROM counter", "0");
    check_sql("SELECT count(*) FROM decision", "0");
    check_it_works();
    buf_done(&good);
}

static _Noreturn void choose_when_told(int ready, int go)
{
    char c = 0;
    struct ledger *l = ledger_open("state.db", &err);
    bool ok = l && write(ready, &c, 1) == 1 && read(go, &c, 1) == 1;
    for (int i = 0; ok && i < 20; i++) {
        struct ledger_ask ask = ask_for("meta");
        struct decision *d = ledger_choose(l, &ask, &err);
        ok = d != NULL;
        decision_free(d);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    ledger_close(l);
    _exit(ok ? 0 : 1);
}

static void break_under_two(const struct buf *good)
{
    int ready[2] = {-1, -1}, go[2] = {-1, -1}, status;
    char c = 0, noise[64];
    memset(noise, 0xa5, sizeof noise);
    assert_int_equal(system("rm -f state.db*"), 0);
    put_bytes("state.db", buf_str(good), 0);
    assert_true(pipe(ready) == 0 && pipe(go) == 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        choose_when_told(ready[1], go[0]);
    open_ledger();
    assert_int_equal(read(ready[0], &c, 1), 1);
    for (size_t at = 4096; at + 64 < good->n; at += 4096) /* all pages but the first */
        put_bytes("state.db", str_make(noise, sizeof noise), (off_t)at);
    assert_int_equal(write(go[1], &c, 1), 1);
    for (int i = 0; i < 20; i++)
        decision_free(choose());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
}

/* Two processes have the file open when it is damaged: both go on with the same new file. */
TEST(many_processes_replace_a_damaged_file_once)
{
    struct buf good = make_good_file();
    for (int round = 0; round < 4; round++) { /* either one finds it first */
        break_under_two(&good);
        check_sql("SELECT value FROM counter", "40");
        check_sql("PRAGMA integrity_check", "ok");
        size_t all = count_files("state.db.damaged");
        assert_true(all >= 1 && all <= 3); /* the file, its -wal, its -shm */
        close_ledger();
    }
    buf_done(&good);
    open_ledger();
}

TEST(a_damaged_file_in_use_is_not_moved)
{
    struct buf good = make_good_file();
    put_bytes("state.db", STR("no database at all"), 0);
    int ready[2] = {-1, -1}, go[2] = {-1, -1};
    char c = 0;
    assert_true(pipe(ready) == 0 && pipe(go) == 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) { /* like a process that opened it while it was sound */
        int fd = open("state.db.guard", O_RDWR);
        bool ok = fd >= 0 && flock(fd, LOCK_SH) == 0 && write(ready[1], &c, 1) == 1 &&
                  read(go[0], &c, 1) == 1;
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_null(store_open(
        &(struct store_options){.url = "state.db", .schema = &ledger_schema, .wait_ms = 30}, NULL,
        &err));
    assert_int_equal(err.code, ERR_IN_USE);
    assert_non_null(strstr(err.text, "is damaged, and other processes have it open"));
    assert_int_equal(count_files("state.db.damaged"), 0);
    assert_int_equal(write(go[1], &c, 1), 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
    buf_done(&good);
    open_ledger();
    check_it_works();
}

/* Several processes open, use and close it at once, also while it does not exist yet. */
TEST(a_sound_file_is_never_moved)
{
    close_ledger();
    for (int round = 0; round < 5; round++) {
        assert_int_equal(system("rm -f state.db*"), 0);
        fflush(NULL);
        for (int i = 0; i < 4; i++)
            if (fork() == 0) {
                bool ok = true;
                for (int k = 0; ok && k < 10; k++) {
                    struct ledger *l = ledger_open("state.db", &err);
                    struct ledger_ask ask = ask_for("meta");
                    struct decision *d = l ? ledger_choose(l, &ask, &err) : NULL;
                    ok = d != NULL;
                    decision_free(d);
                    ledger_close(l);
                }
                if (!ok)
                    fprintf(stderr, "%s\n", err.text);
                _exit(ok ? 0 : 1);
            }
        for (int i = 0; i < 4; i++) {
            int status;
            assert_true(wait(&status) > 0);
            assert_int_equal(status, 0);
        }
        assert_int_equal(count_files("state.db.damaged"), 0);
        check_sql("SELECT value FROM counter", "40");
    }
    open_ledger();
}

/* ---- kill -9 */

/* Choose and report without end; write a byte for each recorded decision. */
static void work_until_killed(int out)
{
    struct ledger *l = ledger_open("state.db", &err);
    for (;;) {
        struct ledger_ask ask = ask_for("meta");
        struct decision *d = l ? ledger_choose(l, &ask, &err) : NULL;
        struct outcome o = {.class = OUTCOME_SERVER};
        char byte = d ? 'd' : 'x';
        if (write(out, &byte, 1) != 1 || !d)
            _exit(1);
        if (d->chosen)
            ledger_report(l, d, &(struct ledger_result){&o, NULL, now}, NULL, &err);
        decision_free(d);
        now += MINUTE;
    }
}

TEST(a_recorded_decision_survives_a_kill)
{
    long noted = 0, counted = 0;
    close_ledger();
    for (int round = 0; round < 15; round++) {
        int p[2] = {-1, -1};
        char byte;
        assert_int_equal(pipe(p), 0);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            work_until_killed(p[1]);
        close(p[1]);
        for (uint64_t i = rng_below(&rng, 40); i < 40 && read(p[0], &byte, 1) == 1; i++)
            noted++;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        while (read(p[0], &byte, 1) == 1) {
            assert_int_equal(byte, 'd');
            noted++;
        }
        close(p[0]);
        char answer[64];
        check_sql("PRAGMA integrity_check", "ok");
        assert_true(on_answer("SELECT value FROM counter", answer));
        long now_counted = strtol(answer, NULL, 10);
        assert_in_range(now_counted - noted, counted - noted < 0 ? 0 : counted - noted, round + 1);
        counted = now_counted;
        check_sql("SELECT count(*) - (SELECT value FROM counter) FROM decision", "0");
    }
    assert_true(noted > 100);
    assert_int_equal(count_files("state.db.damaged"), 0);
    open_ledger();
}
