#include "orchestrator/tasks.h"

/* The number of a row: SQLite's rowid, 64 bits on PostgreSQL. */
#define KEY "--pg BIGINT /*\n INTEGER\n--pg */\n PRIMARY KEY"

/* Vacuum rows that change often frequently: dead entries of their indexes slow down claims. */
#define BUSY                                                                                       \
    "--pg WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01,\n"                         \
    "--pg  autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.1)\n"

/* PostgreSQL numbers transactions in the order in which they begin to write, and knows which of
 * them still run. The number of an event is that of the newest transaction when the event is
 * written (its own or one that has ended), and a sequence in the low 20 bits. So the later of two
 * events of a task has the higher number. An event of a running transaction has at least the number
 * of that transaction: a reader that stays below the oldest running one misses nothing. */
#define EVENT_NUMBER                                                                               \
    "--pg DEFAULT ((greatest(CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT),\n"                \
    "--pg CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)) << 20)\n"         \
    "--pg | (nextval('multiverse.event_order') & 1048575))\n"

/* task          the description of a task; never changed
 * status        its state. needs: number of dependencies, so that a repair notices missing ones.
 *               because: the task that blocks it; 0: its own attempts are used up
 * need          dependencies
 * attempt       ended attempts; end_kind: attempt_row.end
 * log           output in pieces
 * event         the feed. Numbers grow in the order of the events of a task, and no event appears
 *               below one that was already read, although many write at once (EVENT_NUMBER)
 * control       one row: the mode of all orchestrators; last_task: the highest number
 * orchestrator  lease_until: of all its attempts; grace: the one extension after that; 0: used
 *
 * The indexes of status are partial: a final task is in none of them. No table is WITHOUT ROWID,
 * because a repair reads by rowid (store_salvage.h). */
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

/* After a repair (SQLite only) rows of one table may be older than those of another, and some may
 * be missing. Make them consistent: lose no row of a task, redo no task that succeeded, and set
 * tasks whose state is unknown to BLOCKED, for a person.
 *
 *  1. restore the row of control; new numbers follow the highest
 *  2. delete rows of tasks that no longer exist
 *  3. give tasks without a status a new one
 *  4. believe ended attempts: the next number follows the highest, a success makes the task
 *     SUCCEEDED, and a RUNNING task whose attempt has ended becomes READY
 *  5. block tasks some of whose dependencies are lost
 *  6. recount open dependencies, and set PENDING, READY or BLOCKED */
static const char after_repair[] =
    "INSERT OR IGNORE INTO control (id, mode, stops, since, last_task)"
    " VALUES (1, 'RUNNING', 0, 0, 0);"
    "UPDATE control SET last_task = max(last_task, (SELECT COALESCE(max(id), 0) FROM task));"

    "DELETE FROM status WHERE task NOT IN (SELECT id FROM task);"
    "DELETE FROM attempt WHERE task NOT IN (SELECT id FROM task);"
    "DELETE FROM log WHERE task NOT IN (SELECT id FROM task);"
    "DELETE FROM need WHERE task NOT IN (SELECT id FROM task)"
    " OR needs NOT IN (SELECT id FROM task);"

    "INSERT INTO status (task, pool, state, needs, open_needs, because, attempts, counted, lost,"
    " due, cancel, changed, started, ended, owner, why) SELECT id, pool, 'BLOCKED', 0, 0, 0, 0, 0, "
    "0, 0, 0,"
    " now_ms(), 0, now_ms(), '', 'the store was repaired, and the state of this task was lost'"
    " FROM task WHERE id NOT IN (SELECT task FROM status);"
    "UPDATE status SET state = 'BLOCKED', because = 0, owner = '', ended = now_ms(),"
    " why = 'the store was repaired, and the state of this task was lost'"
    " WHERE state NOT IN ('PENDING', 'READY', 'RUNNING', 'RETRY_WAIT', 'BLOCKED', 'SUCCEEDED',"
    " 'FAILED', 'CANCELLED');"

    "UPDATE status SET state = 'SUCCEEDED', because = 0, owner = '', cancel = 0, due = 0, why = '',"
    " ended = CASE WHEN ended = 0 THEN now_ms() ELSE ended END"
    " WHERE state <> 'SUCCEEDED' AND EXISTS (SELECT 1 FROM attempt a WHERE a.task = status.task"
    " AND a.end_kind = 'succeeded');"
    "UPDATE status SET state = 'READY', owner = '', cancel = 0, changed = now_ms()"
    " WHERE state = 'RUNNING' AND EXISTS (SELECT 1 FROM attempt a WHERE a.task = status.task"
    " AND a.number >= status.attempts);"
    "UPDATE status SET attempts = (SELECT max(a.number) FROM attempt a WHERE a.task = status.task)"
    " WHERE EXISTS (SELECT 1 FROM attempt a WHERE a.task = status.task"
    " AND a.number > status.attempts);"

    "UPDATE status SET open_needs = (SELECT count(*) FROM need n JOIN status s ON s.task = n.needs"
    " WHERE n.task = status.task AND s.state <> 'SUCCEEDED');"
    "UPDATE status SET state = 'BLOCKED', because = 0, ended = now_ms(),"
    " why = 'the store was repaired, and the dependencies of this task were lost'"
    " WHERE (state = 'PENDING' OR (state = 'BLOCKED' AND because <> 0))"
    " AND needs > (SELECT count(*) FROM need n WHERE n.task = status.task);"

    "UPDATE status SET state = CASE WHEN open_needs = 0 THEN 'READY' ELSE 'PENDING' END, because = "
    "0"
    " WHERE state = 'PENDING' OR state = 'READY' OR (state = 'BLOCKED' AND because <> 0);"
    "UPDATE status SET state = 'BLOCKED', because = -1 WHERE state = 'PENDING' AND task IN"
    " (WITH RECURSIVE d(task) AS (SELECT n.task FROM need n JOIN status s ON s.task = n.needs"
    " WHERE s.state IN ('FAILED', 'CANCELLED', 'BLOCKED')"
    " UNION SELECT n.task FROM d JOIN need n ON n.needs = d.task) SELECT task FROM d);"
    "UPDATE status SET because = (SELECT n.needs FROM need n JOIN status s ON s.task = n.needs"
    " WHERE n.task = status.task AND s.state IN ('FAILED', 'CANCELLED', 'BLOCKED')"
    " ORDER BY n.needs LIMIT 1) WHERE because = -1;";

const struct store_schema tasks_schema = {
    .name = "tasks",
    .mark = 0x6d767473, /* "mvts" */
    .steps = steps,
    .version = sizeof steps / sizeof *steps,
    .check = check,
    .is_main = true,
    .after_repair = after_repair,
};
