#include "orchestrator/tasks_internal.h"

/* After a repair (SQLite only): rows of one table may be older than those of another, and some may
 * be gone. What is left is made to fit together, so that nothing that is there is lost, nothing
 * that succeeded is done again, and what nobody can know is a person's: BLOCKED.
 *
 *  1. the row of control; numbers go on behind the highest
 *  2. what belongs to a task that is gone goes
 *  3. a task without a status gets one
 *  4. attempts that ended are believed: the number goes on behind the highest; the last one that
 *     succeeded makes the task SUCCEEDED; one that is said to run, and has ended, is free again
 *  5. who waits for something that nobody knows any more is not free
 *  6. whoever waits is counted anew, and waits, is free, or is blocked */
const char tasks_mend[] =
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
    " now_ms(), 0, now_ms(), '', 'the store was repaired, and where this task stood is lost'"
    " FROM task WHERE id NOT IN (SELECT task FROM status);"
    "UPDATE status SET state = 'BLOCKED', because = 0, owner = '', ended = now_ms(),"
    " why = 'the store was repaired, and where this task stood is lost'"
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
    " why = 'the store was repaired, and what this task needs is not known any more'"
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
