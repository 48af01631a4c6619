/* Many processes choose and report at the same time; then checks that nothing was lost.
 *
 *     build/tests/ledger-storm [SECONDS [PROCESSES [URL]]]         (2 and 16)
 *     tests/postgres.sh build/tests/ledger-storm 30
 *
 * The ledger is a file in a folder of its own, or that of the URL or of MULTIVERSE_TEST_STORE: a
 * server whose ledger was not used before.
 *
 * The clock is a number in shared memory that increases with every reading, so that cooldowns end
 * and probes begin all the time; a run ends at once. Every process counts its actions. Afterwards:
 *
 *   decisions     numbered without gaps or duplicates: count and sum match the processes
 *   turns         round_robin and least_recent with all candidates available: equal counts
 *   failures      of a candidate that always fails, and so is only probed: the exact number
 *   probes        never two of the same cooldown at the same time
 *   outcomes      every stored decision has the reported outcome
 *   the file      integrity_check is ok, no file was moved aside, no call failed (server: only the
 *                 last)
 */
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "doc/doc.h"
#include "store/store.h"
#include "tooling/ledger.h"

#define MOST_PROCESSES 64u
#define CANDIDATES     4u
#define REST_MS        40 /* of that clock: some dozens of choices */
#define REOPEN         97 /* choices with the same open file */

/* meta: turns; task: least recent first; plan: the first one always fails; worker: two share an
 * account */
static const char config[] =
    "{\"profiles\":[{\"id\":\"storm\",\"name\":\"Storm\",\"categories\":{"
    "\"meta\":{\"strategy\":\"round_robin\",\"cooldownSec\":0,\"candidates\":["
    "{\"tool\":\"mock\",\"model\":\"t0\"},{\"tool\":\"mock\",\"model\":\"t1\"},"
    "{\"tool\":\"mock\",\"model\":\"t2\"}]},"
    "\"task\":{\"strategy\":\"least_recent\",\"cooldownSec\":0,\"candidates\":["
    "{\"tool\":\"mock\",\"model\":\"r0\"},{\"tool\":\"mock\",\"model\":\"r1\"},"
    "{\"tool\":\"mock\",\"model\":\"r2\"},{\"tool\":\"mock\",\"model\":\"r3\"}]},"
    "\"plan\":{\"strategy\":\"priority\",\"cooldownSec\":0,\"candidates\":["
    "{\"tool\":\"mock\",\"model\":\"bad\"},{\"tool\":\"mock\",\"model\":\"good\"}]},"
    "\"worker\":{\"strategy\":\"weighted\",\"cooldownSec\":0,\"candidates\":["
    "{\"tool\":\"mock\",\"model\":\"w0\",\"env\":{\"MOCK_API_KEY\":\"env:SHARED\"}},"
    "{\"tool\":\"mock\",\"model\":\"w1\",\"env\":{\"MOCK_API_KEY\":\"env:SHARED\"}},"
    "{\"tool\":\"mock\",\"model\":\"w2\",\"env\":{\"MOCK_API_KEY\":\"env:OTHER\"}}]}}}]}";

enum storm_kind {
    TURNS,
    OLDEST,
    FAILING,
    SHARING,
    KINDS
};
static const char *const categories[KINDS] = {"meta", "task", "plan", "worker"};

struct tally {
    uint64_t decisions, id_sum, reports, failures, probes;
    uint64_t chosen[KINDS][CANDIDATES];
    int64_t longest_ms;
};

static struct {
    _Atomic int64_t clock;
    _Atomic int probing; /* of the cooldowns of the account SHARED */
    _Atomic bool stop;
    struct tally tallies[MOST_PROCESSES];
} * shared;

static struct tooling *tooling;
static struct error err;
static int faults;
static const char *place = "state.db";

static void count_fault(const char *what, int64_t got, int64_t want)
{
    fprintf(stderr, "ledger-storm: %s: %lld, not %lld\n", what, (long long)got, (long long)want);
    faults++;
}

static void check_number(const char *what, int64_t got, int64_t want)
{
    if (got != want)
        count_fault(what, got, want);
}

static int64_t real_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t tick(void)
{
    return atomic_fetch_add(&shared->clock, 1);
}

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "ledger-storm: %s: %s\n", what, err.text);
    exit(1);
}

/* ---- one process */

/* The outcome of a run of that candidate. Only the account of SHARING may cool down there. */
static enum outcome_class end_of_run(enum storm_kind kind, size_t index, struct rng *rng)
{
    static const enum outcome_class ends[] = {OUTCOME_OK, OUTCOME_OK, OUTCOME_USAGE_LIMITED,
                                              OUTCOME_KILLED, OUTCOME_REQUEST};
    if (kind == FAILING)
        return index == 0 ? OUTCOME_SERVER : OUTCOME_OK;
    if (kind == SHARING && index < 2)
        return ends[rng_below(rng, sizeof ends / sizeof *ends)];
    return OUTCOME_OK;
}

static void report_run(struct ledger *l, struct decision *d, enum outcome_class class,
                       struct tally *tally)
{
    int64_t now = tick();
    struct outcome o = {.class = class, .until = now + REST_MS, .trust = UNTIL_FIELD};
    if (!ledger_report(l, d, &(struct ledger_result){&o, NULL, now}, NULL, &err))
        give_up("report");
    tally->reports++;
}

/* The flag is set after the probe was given and cleared before it is returned: a process that finds
 * it set has got a second one. In between the others get some time, and none may see the account
 * available. */
static void run_probe(struct ledger *l, struct rng *rng)
{
    if (atomic_fetch_add(&shared->probing, 1) != 0) {
        snprintf(err.text, sizeof err.text, "two at the same time");
        give_up("probe");
    }
    for (int i = 0; i < 8; i++) {
        struct ledger_ask ask = {.tooling = tooling,
                                 .category = str_from(categories[SHARING]),
                                 .now = tick(),
                                 .rng = rng,
                                 .dry = true};
        struct decision *d = ledger_choose(l, &ask, &err);
        if (!d)
            give_up("choose");
        if (d->index < 2) {
            snprintf(err.text, sizeof err.text, "its account is free for others");
            give_up("probe");
        }
        decision_free(d);
    }
    atomic_fetch_sub(&shared->probing, 1);
}

static void run_decision(struct ledger *l, struct decision *d, enum storm_kind kind,
                         struct rng *rng, struct tally *tally)
{
    enum outcome_class class = end_of_run(kind, d->index, rng);
    tally->chosen[kind][d->index]++;
    tally->probes += d->is_probe;
    tally->failures += kind == FAILING && class == OUTCOME_SERVER;
    if (kind == SHARING && d->is_probe)
        run_probe(l, rng);
    report_run(l, d, class, tally);
}

static void run_process(size_t which)
{
    struct tally *tally = &shared->tallies[which];
    struct ledger *l = NULL;
    struct rng rng;
    rng_seed(&rng, which + 1);
    for (uint64_t i = 0; !atomic_load(&shared->stop); i++) {
        int64_t start = real_ms();
        if (i % REOPEN == 0) {
            ledger_close(l);
            l = ledger_open(place, &err);
            if (!l)
                give_up("open");
        }
        enum storm_kind kind = (enum storm_kind)rng_below(&rng, KINDS);
        struct ledger_ask ask = {
            .tooling = tooling, .category = str_from(categories[kind]), .now = tick(), .rng = &rng};
        struct decision *d = ledger_choose(l, &ask, &err);
        if (!d)
            give_up("choose");
        tally->decisions++;
        tally->id_sum += (uint64_t)d->id;
        if (d->chosen)
            run_decision(l, d, kind, &rng, tally);
        decision_free(d);
        int64_t took = real_ms() - start;
        if (took > tally->longest_ms)
            tally->longest_ms = took;
    }
    ledger_close(l);
}

/* ---- before and after */

static void write_config(void)
{
    struct doc doc = {0};
    if (!doc_read(&doc, str_from(config), &(struct doc_source){"config", DOC_JSON}, &err))
        give_up("configuration");
    tooling = tooling_read(&doc, STR(""), &err);
    if (!tooling)
        give_up("configuration");
    doc_done(&doc);
}

/* The candidate that always fails cools down from the start: from then on it is only probed. */
static void block_first(void)
{
    struct rng rng;
    rng_seed(&rng, 0);
    struct ledger *l = ledger_open(place, &err);
    struct ledger_ask ask = {
        .tooling = tooling, .category = STR("plan"), .now = tick(), .rng = &rng};
    struct decision *d = l ? ledger_choose(l, &ask, &err) : NULL;
    if (!d)
        give_up("open");
    shared->tallies[0].decisions++;
    shared->tallies[0].id_sum += (uint64_t)d->id;
    run_decision(l, d, FAILING, &rng, &shared->tallies[0]);
    decision_free(d);
    ledger_close(l);
}

static struct tally add_up(size_t processes)
{
    struct tally sum = {0};
    for (size_t i = 0; i < processes; i++) {
        const struct tally *t = &shared->tallies[i];
        sum.decisions += t->decisions;
        sum.id_sum += t->id_sum;
        sum.reports += t->reports;
        sum.failures += t->failures;
        sum.probes += t->probes;
        for (size_t k = 0; k < KINDS; k++)
            for (size_t c = 0; c < CANDIDATES; c++)
                sum.chosen[k][c] += t->chosen[k][c];
        if (t->longest_ms > sum.longest_ms)
            sum.longest_ms = t->longest_ms;
        if (t->decisions == 0)
            count_fault("decisions of a process", 0, 1);
    }
    return sum;
}

/* One after the other, from the first one on. */
static void check_rounds(const char *what, const uint64_t *chosen, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += chosen[i];
    for (size_t i = 0; i < count; i++)
        check_number(what, (int64_t)chosen[i], (int64_t)(all / count + (i < all % count)));
}

static void on_cooldown(const struct cooldown *c, void *ctx)
{
    if (strcmp(c->key, "mock|*|bad") == 0)
        *(int64_t *)ctx = c->failures;
}

struct kept {
    int64_t count, complete;
};

static void on_decision(struct str json, void *ctx)
{
    struct kept *k = ctx;
    struct arena a = {0};
    const struct json *v = json_parse(&a, json, NULL, NULL);
    bool nobody = json_is(json_get(v, STR("choice")), JSON_NULL);
    k->count++;
    k->complete += nobody || json_is(json_get(v, STR("outcome")), JSON_OBJECT);
    arena_done(&a);
}

static int64_t ask_file(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    int64_t answer = -1;
    if (sqlite3_open("state.db", &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        answer = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return answer;
}

static void check_all(const struct tally *sum)
{
    int64_t failures = 0, decisions = (int64_t)sum->decisions;
    struct kept kept = {0};
    struct ledger *l = ledger_open(place, &err);
    if (!l || !ledger_cooldowns(l, on_cooldown, &failures, &err) ||
        !ledger_decisions(l, &(struct ledger_want){.most = SIZE_MAX}, on_decision, &kept, &err))
        give_up("afterwards");
    ledger_close(l);
    if (!store_is_server(place)) {
        check_number(
            "integrity_check is ok",
            ask_file("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
            1);
        check_number("decisions", ask_file("SELECT value FROM counter WHERE name = 'decision'"),
                     decisions);
        check_number("files moved aside", system("ls state.db.damaged-* >/dev/null 2>&1") == 0, 0);
    }
    check_number("sum of their numbers", (int64_t)sum->id_sum, decisions * (decisions + 1) / 2);
    check_number("decisions kept", kept.count,
                 decisions < LEDGER_MAX_DECISIONS ? decisions : LEDGER_MAX_DECISIONS);
    check_number("decisions with their outcome", kept.complete, kept.count);
    check_number("failures in a row", failures, (int64_t)sum->failures);
    check_rounds("turns of round_robin", sum->chosen[TURNS], 3);
    check_rounds("turns of least_recent", sum->chosen[OLDEST], 4);
}

static int run_storm(size_t processes, int64_t seconds)
{
    for (size_t i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            run_process(i);
            tooling_unref(tooling);
            exit(0);
        }
        if (child < 0)
            give_up("fork");
    }
    struct timespec end = {(time_t)seconds, 0};
    while (nanosleep(&end, &end) < 0)
        continue;
    atomic_store(&shared->stop, true);
    int bad = 0, status;
    for (size_t i = 0; i < processes; i++)
        bad += wait(&status) < 0 || status != 0;
    return bad;
}

int main(int argc, char **argv)
{
    int64_t seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 2;
    size_t processes = argc > 2 ? strtoul(argv[2], NULL, 10) : 16;
    char folder[] = "/tmp/ledger-storm.XXXXXX", command[64];
    if (seconds < 1 || processes < 1 || processes > MOST_PROCESSES) {
        fprintf(stderr, "usage: ledger-storm [SECONDS [PROCESSES [URL]]]\n");
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !mkdtemp(folder) || chdir(folder) < 0) {
        perror("ledger-storm");
        return 2;
    }
    const char *server = argc > 3 ? argv[3] : getenv("MULTIVERSE_TEST_STORE");
    if (server && *server)
        place = server;
    shared->clock = 1794790800000;
    write_config();
    block_first();
    check_number("processes that failed", run_storm(processes, seconds), 0);
    struct tally sum = add_up(processes);
    check_all(&sum);
    printf("%zu processes, %lld s: %llu decisions (%llu per second), %llu reports, %llu failures, "
           "%llu probes; the longest took %lld ms; %s\n",
           processes, (long long)seconds, (unsigned long long)sum.decisions,
           (unsigned long long)sum.decisions / (unsigned long long)seconds,
           (unsigned long long)sum.reports, (unsigned long long)sum.failures,
           (unsigned long long)sum.probes, (long long)sum.longest_ms,
           faults ? "FAILED" : "nothing lost");
    tooling_unref(tooling);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") < 0 || system(command) != 0 || faults != 0;
}
