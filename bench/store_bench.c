/* The cost of a transaction in each kind of store: ten changes and one query in it.
 *
 *     build/bench/store_bench [URL]             (URL, or MULTIVERSE_TEST_STORE: PostgreSQL as well)
 *     tests/postgres.sh build/bench/store_bench
 *
 * Only one client in both cases, so the round trip is measured, not waiting for others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/store.h"

#define ROUNDS 2000
#define ROWS   64

static const char *const steps[] = {
    "CREATE TABLE bench (id BIGINT PRIMARY KEY, value BIGINT NOT NULL, text TEXT NOT NULL)"};
static const struct store_schema schema = {
    .name = "bench", .mark = 0x62656e63, .steps = steps, .version = 1, .check = "SELECT 1"};

struct store_work {
    int changes;
    bool asks;
    int64_t sum;
};

static bool run_transaction(struct store *s, void *ctx, struct error *err)
{
    struct store_work *w = ctx;
    bool ok = true;
    for (int i = 0; ok && i < w->changes; i++)
        ok = store_do(s,
                      &(struct store_statement){
                          "INSERT INTO bench (id, value, text) VALUES (?1, 1, ?2) ON CONFLICT (id)"
                          " DO UPDATE SET value = bench.value + 1",
                          {STORE_INT(i % ROWS), STORE_TEXT(STR("some text that goes along"))}},
                      NULL, err);
    return ok && (!w->asks ||
                  store_query_int(s,
                                  &(struct store_statement){"SELECT value FROM bench WHERE id = ?1",
                                                            {STORE_INT(1)}},
                                  &w->sum, err));
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, in microseconds. */
static double measure_store(struct store *s, enum store_mode mode, struct store_work *w)
{
    static double took[ROUNDS];
    struct error err = {0};
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_us();
        if (!store_run(s, mode, run_transaction, w, &err)) {
            fprintf(stderr, "store_bench: %s\n", err.text);
            exit(1);
        }
        took[i] = now_us() - start;
    }
    qsort(took, ROUNDS, sizeof *took, by_size);
    return took[ROUNDS / 2];
}

static void report_store(const char *name, const char *url, bool is_durable)
{
    struct error err = {0};
    double start = now_us();
    struct store *s =
        store_open(&(struct store_options){.url = url, .schema = &schema, .is_durable = is_durable},
                   NULL, &err);
    double opened = now_us() - start;
    if (!s) {
        fprintf(stderr, "store_bench: %s\n", err.text);
        exit(1);
    }
    struct store_work ten = {.changes = 10, .asks = true}, one = {.changes = 1},
                      look = {.asks = true};
    measure_store(s, STORE_ROWS, &ten);
    printf("| %-22s | %9.0f | %11.0f | %8.0f | %8.0f |\n", name, opened,
           measure_store(s, STORE_ROWS, &ten), measure_store(s, STORE_ROWS, &one),
           measure_store(s, STORE_READ, &look));
    store_close(s);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/store-bench.XXXXXX", path[64], command[64];
    const char *url = argc > 1 ? argv[1] : getenv("MULTIVERSE_TEST_STORE");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/bench.db", folder);
    puts("| microseconds, median   | open      | 10 do + 1 each | 1 do  | 1 each   "
         "|\n|---|---:|---:|---:|---:|");
    report_store("SQLite", path, false);
    report_store("SQLite, durable", path, true);
    if (store_is_server(url))
        report_store("PostgreSQL", url, false);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}
