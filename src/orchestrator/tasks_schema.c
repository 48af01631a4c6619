#include "orchestrator/tasks_internal.h"
#include "tooling/tooling_file.h"

/* A number that a row is known by: SQLite's own for rows, 64 bits on PostgreSQL. */
#define KEY "--pg BIGINT /*\n INTEGER\n--pg */\n PRIMARY KEY"

/* Rows that change often are vacuumed often: what is dead in their indexes is in the way of those
 * who look for the next one. */
#define BUSY                                                                                       \
    "--pg WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01,\n"                         \
    "--pg  autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.1)\n"

/* PostgreSQL counts transactions in the order in which they begin to write, and says which of them
 * still run. An event's number is the newest transaction there is when the event is written, its
 * own or one that is over, and in the low 20 bits one of a sequence. So of two events of a task the
 * later has the higher number; and what belongs to a transaction that still runs has a number that
 * is at least that transaction's: whoever reads only below the oldest of those misses nothing. */
#define EVENT_NUMBER                                                                               \
    "--pg DEFAULT ((greatest(CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT),\n"                \
    "--pg CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)) << 20)\n"         \
    "--pg | (nextval('multiverse.event_order') & 1048575))\n"

/* task          what it is; never changed
 * status        where it stands. needs: how many it has, so that a repair sees what is missing.
 *               because: the task for which it is BLOCKED; 0: it had its attempts
 * need          who depends on whom
 * attempt       those that ended; end_kind: attempt_row.end
 * log           output in pieces
 * event         the feed. Its numbers grow in the order in which things happened to a task, and
 *               nothing shows up below what was read, though many write at once (EVENT_NUMBER)
 * control       one row: what a person wants of all orchestrators; last_task: the newest number
 * orchestrator  lease_until: of all its attempts; grace: how much longer it is waited for, once
 *               that is over; 0: it was already
 *
 * The indexes of status are all partial: a task that is over is in none of them. No table is
 * WITHOUT ROWID: a repair goes by that (store_salvage.h). */
static const char *const steps[] = {
    "CREATE TABLE task (id " KEY ", name TEXT NOT NULL UNIQUE, title TEXT NOT NULL,"
    " repo TEXT NOT NULL, pool TEXT NOT NULL, goal TEXT NOT NULL, spec TEXT NOT NULL,"
    " max_attempts BIGINT NOT NULL, added BIGINT NOT NULL);"

    "CREATE TABLE status (task " KEY ", pool TEXT NOT NULL, state TEXT NOT NULL,"
    " needs BIGINT NOT NULL, open_needs BIGINT NOT NULL, because BIGINT NOT NULL, attempts BIGINT "
    "NOT NULL,"
    " counted BIGINT NOT NULL, lost BIGINT NOT NULL, due BIGINT NOT NULL, cancel BIGINT NOT NULL,"
    " changed BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL,"
    " owner TEXT NOT NULL, why TEXT NOT NULL) " BUSY ";"
    "CREATE INDEX status_ready ON status (task) WHERE state = 'READY';"
    "CREATE INDEX status_pool ON status (pool, task) WHERE state = 'READY';"
    "CREATE INDEX status_running ON status (owner) WHERE state = 'RUNNING';"
    "CREATE INDEX status_due ON status (due) WHERE state = 'RETRY_WAIT';"
    "CREATE INDEX status_bad ON status (task) WHERE state = 'FAILED' OR state = 'BLOCKED';"

    "CREATE TABLE need (task BIGINT NOT NULL, needs BIGINT NOT NULL, PRIMARY KEY (task, needs));"
    "CREATE INDEX need_needs ON need (needs, task);"

    "CREATE TABLE attempt (task BIGINT NOT NULL, number BIGINT NOT NULL, owner TEXT NOT NULL,"
    " host TEXT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL, end_kind TEXT NOT NULL,"
    " outcome TEXT NOT NULL, exit_code BIGINT NOT NULL, tool TEXT NOT NULL, model TEXT NOT NULL,"
    " run TEXT NOT NULL, why TEXT NOT NULL, input_tokens BIGINT NOT NULL,"
    " output_tokens BIGINT NOT NULL, cost_usd DOUBLE PRECISION NOT NULL, files TEXT NOT NULL,"
    " PRIMARY KEY (task, number));"

    "CREATE TABLE log (task BIGINT NOT NULL, number BIGINT NOT NULL, seq BIGINT NOT NULL,"
    " at BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (task, number, seq));"

    "--pg CREATE SEQUENCE event_order;\n"
    "CREATE TABLE event (id " KEY "\n" EVENT_NUMBER
    ", at BIGINT NOT NULL, task BIGINT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL,"
    " told TEXT NOT NULL);"

    "CREATE TABLE control (id BIGINT PRIMARY KEY, mode TEXT NOT NULL, stops BIGINT NOT NULL,"
    " since BIGINT NOT NULL, last_task BIGINT NOT NULL);"
    "INSERT INTO control (id, mode, stops, since, last_task) VALUES (1, 'RUNNING', 0, 0, 0);"

    "CREATE TABLE orchestrator (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid BIGINT NOT NULL,"
    " workers BIGINT NOT NULL, started BIGINT NOT NULL, seen BIGINT NOT NULL,"
    " lease_until BIGINT NOT NULL, grace BIGINT NOT NULL)\n"
    "--pg WITH (fillfactor = 50)\n"
    ";",
};

static const char check[] =
    "SELECT count(*) FROM control WHERE id = 1 AND mode IS NOT NULL AND stops IS NOT NULL"
    " AND since IS NOT NULL AND last_task IS NOT NULL"
    " AND NOT EXISTS (SELECT id, name, title, repo, pool, goal, spec, max_attempts, added FROM task"
    " WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT task, pool, state, needs, open_needs, because, attempts, counted, "
    "lost, due,"
    " cancel, changed, started, ended, owner, why FROM status WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT task, needs FROM need WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT task, number, owner, host, started, ended, end_kind, outcome,"
    " exit_code, tool, model, run, why, input_tokens, output_tokens, cost_usd, files FROM attempt"
    " WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT task, number, seq, at, text FROM log WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT id, at, task, number, kind, told FROM event WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT id, host, pid, workers, started, seen, lease_until, grace FROM"
    " orchestrator WHERE 1 = 0)";

const struct store_schema tasks_schema = {
    .name = "tasks",
    .mark = 0x6d767473, /* "mvts" */
    .steps = steps,
    .version = sizeof steps / sizeof *steps,
    .check = check,
    .is_main = true,
    .after_repair = tasks_mend,
};

bool tasks_place(const char *url, struct buf *out, struct error *err)
{
    struct buf home = buf_make(4096);
    bool is_default = !url || !*url; /* else there need not be a home */
    bool ok = (!is_default || tooling_home(&home, true, err)) &&
              store_place(url, is_default ? home.p : "", &tasks_schema, out, err);
    buf_done(&home);
    return ok;
}

struct store *tasks_open(const char *url, bool is_durable, enum store_failure *failure,
                         struct error *err)
{
    struct buf place = buf_make(8192);
    struct store *s = NULL;
    if (failure)
        *failure = STORE_REFUSED;
    if (tasks_place(url, &place, err))
        s = store_open(&(struct store_options){.url = place.p,
                                               .schema = &tasks_schema,
                                               .is_durable = is_durable},
                       failure, err);
    buf_done(&place);
    return s;
}
